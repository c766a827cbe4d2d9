"""The coverage of attacks: the EDPB's names (Opinion 28/2024) by what an attacker has, each with what became of it here."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from auditor.base.domain import Status
from auditor.pages import right_guesses
from auditor.pages.figures.attack_intervals import outcome_of
from auditor.pages.main.opinion import having, status
from auditor.pages.main.steps import COMPARING
from auditor.pages.words.rendered_evidence import Told, ToldCheck
from auditor.pages.words.texts import text
from auditor.settings.attestations import CODE_CLEAN
from auditor.verdict import examination
from auditor.verdict.checks import the
from auditor.verdict.checks.card import Role

KINDS: Final = ("attribute", "membership", "exfiltration", "regurgitation", "inversion", "reconstruction")
ACCESS: Final = ("labels", "scores", "weights", "before-after")


class State(StrEnum):
    """What became of one kind of attack with one kind of access."""

    RUN = "run"
    NOT_APPLICABLE = "not-applicable"
    NO_DATA = "no-data"
    NOT_HERE = "not-here"
    """Not in this version."""
    NOT_MADE = "not-made"
    """It applies and was not made, or broke off: nobody asked for it, or something else had settled the question."""


_MARKS: Final = {
    State.RUN: "●",
    State.NOT_APPLICABLE: "–",
    State.NO_DATA: "◇",
    State.NOT_HERE: "○",
    State.NOT_MADE: "◇",
}
_NOT_APPLICABLE: Final = frozenset(
    {
        "swap.regression",
        "release.remembers.no-batch",
        "reconstruction.sentence.no-text",
        "reconstruction.label.none",
        "reconstruction.instance.sentences",
    }
)
_NO_DATA: Final = frozenset(
    {
        "swap.not-played",
        "swap.not-shown",
        "release.remembers.untried",
        "inference.difference.no-single-record",
        "deleting.not-played",
    }
)
_NOT_HERE: Final = frozenset({"inference.difference.other-procedure", "reconstruction.instance.other-procedure"})
_BEST_FIRST: Final = (State.RUN, State.NOT_MADE, State.NO_DATA, State.NOT_APPLICABLE, State.NOT_HERE)


@dataclass(frozen=True, slots=True)
class Cell:
    """One kind of attack with one kind of access."""

    state: State

    @property
    def mark(self) -> str:
        """Its shape."""
        return _MARKS[self.state]

    @property
    def said(self) -> str:
        """Its words."""
        return text(f"attacks-state-{self.state.value}")


@dataclass(frozen=True, slots=True)
class Line:
    """One kind of attack."""

    name: str
    means: str
    cells: tuple[Cell, ...]
    """One for each of `ACCESS`."""

    @property
    def alike(self) -> str | None:
        """What became of it whatever the access, in words; None where that differs."""
        first, *others = self.cells
        return None if any(each != first for each in others) else f"{first.mark} {first.said}"


def access_names() -> tuple[str, ...]:
    """Name what attackers have, in the order of `ACCESS`."""
    return tuple(text(f"attacks-access-{access}") for access in ACCESS)


def matrix(told: Told) -> tuple[Line, ...]:
    """Say of every kind of attack and every access what became of it."""
    return tuple(
        Line(
            text(f"attacks-kind-{kind}"),
            text(f"attacks-kind-{kind}-means"),
            tuple(Cell(_state(told, kind, access)) for access in ACCESS),
        )
        for kind in KINDS
    )


def alike(lines: Sequence[Line]) -> tuple[tuple[str, str], ...]:
    """Give the kinds of attack of which the same became whatever the access, by what became of them."""
    found: dict[str, list[str]] = {}
    for each in lines:
        if each.alike is not None:
            found.setdefault(each.alike, []).append(text("attacks-kind-with-means", name=each.name, means=each.means))
    return tuple((text("attacks-alike", said=said), "; ".join(kinds)) for said, kinds in found.items())


def why_no_numbers(told: Told) -> str:
    """Say why no attack came to a number of guesses, and what came of the one that has none."""
    if status(told, Role.EXACT) is Status.PASS:
        if (other := examination.beside_the_release(told.evidence)) is not None:
            return text(f"attacks-none-{other}")
        if right_guesses.games(told):
            return text("attacks-none-exact-alone")
        return text("attacks-none-exact-but-code" if CODE_CLEAN in told.evidence.reliance.statements else "attacks-none-exact")
    why = _the(told, Role.ATTACKS_RECORDS).basis
    made = right_guesses.attacks(told)
    return text("attacks-release-only", outcome=outcome_of(made[0]), why=why) if made else text("attacks-none", why=why)


def _state(told: Told, kind: str, access: str) -> State:
    match kind, access:
        case "membership", "labels" | "scores":
            return _trial(told, labels=access == "labels")
        case "membership", "before-after":
            played = [State.RUN] if right_guesses.adaptive(told) else []
            return _first([*played, *(_of(told, check) for check in having(told, *COMPARING))])
        case "reconstruction", "before-after":
            rebuilding = having(told, Role.REBUILDS)
            return _first(_of(told, check) for check in rebuilding if Role.REBUILDS_TEXT not in check.card.roles)
        case "regurgitation", _:
            state = _of(told, _the(told, Role.REBUILDS_TEXT))
            # Sentences are rebuilt from two models: where there are any, no other attack on text was made.
            return state if access == "before-after" or state is State.NOT_APPLICABLE else State.NOT_HERE
        case _:
            return State.NOT_HERE


def _trial(told: Told, *, labels: bool) -> State:
    """What became of attacks on outputs: some see the label alone, all others the scores."""
    if not told.evidence.reruns and not labels:
        return _of(told, _the(told, Role.ATTACKS_ANSWERS))
    check = _the(told, Role.ATTACKS_RECORDS)
    if check.value is None:
        state = _of(told, check)
    else:
        names = {each.name for each in right_guesses.of(check).attacks(check)}
        made = right_guesses.LABELS_ONLY in names if labels else names - {right_guesses.LABELS_ONLY}
        state = State.RUN if made else State.NOT_MADE
    return state if labels else _first((state, _of(told, _the(told, Role.ATTACKS_RELEASE))))


def _the(told: Told, role: Role) -> ToldCheck:
    """The check that has a role.

    Raises:
        LookupError: If the evidence has none.
    """
    return told.check(the(role, told.evidence.version))


def _of(told: Told, check: ToldCheck) -> State:
    """What became of one check."""
    found = next(each for each in told.evidence.checks if each.id == check.id)
    if found.value is not None:
        return State.RUN
    codes = {reason.code for reason in found.reasons}
    if found.status is not Status.ERROR:
        for known, state in ((_NOT_APPLICABLE, State.NOT_APPLICABLE), (_NO_DATA, State.NO_DATA), (_NOT_HERE, State.NOT_HERE)):
            if codes & known:
                return state
    return State.NOT_MADE


def _first(states: Iterable[State]) -> State:
    """Of several attacks of one kind: what was made counts before what was not."""
    return min(states, key=_BEST_FIRST.index)
