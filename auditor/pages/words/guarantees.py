"""What each guarantee says, in words: its title, and its statement with what it does not cover."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from auditor.base.domain import Guarantee
from auditor.maths.certificates.orders import best_membership, linear
from auditor.pages.words.guesses import at_most, hardness, of_advantage
from auditor.pages.words.numbers import at_most as number_at_most
from auditor.pages.words.texts import Named, text
from auditor.parts.controllers.theorems import PRIVATE
from auditor.parts.removal import theorems as removal
from auditor.verdict import corollaries
from auditor.verdict.strength import guesses

TITLES: Final = Named("guarantee-title-")
"""By the id of the guarantee."""
EXAMPLE: Final = 3
"""People together of whom a group statement gives its numbers."""
BETA: Final = 1e-6
"""The β that adaptive machine unlearning is stated at."""


def statement(guarantee: Guarantee) -> str:
    """What the guarantee says in plain words, with what it does not cover.

    Raises:
        KeyError: If the catalogue has no guarantee of that id.
    """
    match guarantee.id:
        case "certified-removal":
            return _removal(guarantee)
        case "data-deletion":
            return _deletion(guesses(guarantee), **guarantee.terms)
        case "deletion-as-control":
            return _controlled(guarantee)
        case "deletion-as-confidentiality":
            return _confidential(guarantee)
        case "adaptive-unlearning":
            return _unlearned(guarantee)
        case unknown:
            raise KeyError(unknown)


def _removal(guarantee: Guarantee) -> str:
    rule, share = guarantee.derivation[0].rule, guesses(guarantee)
    by = "noise" if rule in {removal.NOISE.id, removal.above_extractor(removal.NOISE).id} else "loss"
    lead = text(f"guarantee-removal-{by}-open") if share is None else text(f"guarantee-removal-{by}", right=_right(share))
    above = [text("guarantee-removal-extracted")] if removal.is_above_extractor(rule) else []
    return " ".join([lead, text("guarantee-removal-factor"), text(f"guarantee-removal-{by}-covers"), *above])


def _controlled(guarantee: Guarantee) -> str:
    share = guesses(guarantee)
    more = [text("guarantee-control-guess", right=_right(share))] if share else []
    return " ".join([text("guarantee-control"), *more, *_groups(guarantee)])


def _groups(guarantee: Guarantee) -> Iterator[str]:
    """What noise it rests on, and what it says of several people together, by the theorem that gives it its numbers."""
    rule = corollaries.by(guarantee)
    if rule is not None and guarantee.terms.get("by_noise"):
        yield text("guarantee-control-private" if rule.id == PRIVATE.id else "guarantee-control-released")
    match corollaries.together(guarantee):
        case "same":
            yield text("guarantee-control-same")
        case "noise":
            several = corollaries.group(guarantee, EXAMPLE)
            numbers = (None, None) if several is None else (several.epsilon, several.delta)
            epsilon, delta = map(number_at_most, numbers)
            shown = "no" if several is None else "yes"
            yield text("guarantee-control-several", shown=shown, epsilon=epsilon, delta=delta, people=str(EXAMPLE))
        case "none":
            yield text("guarantee-control-no-groups")


def _unlearned(guarantee: Guarantee) -> str:
    found = corollaries.unlearning(guarantee, BETA)
    if found is None:
        said = text("guarantee-unlearning-open")
    else:
        numbers = {name: number_at_most(getattr(found, name)) for name in ("alpha", "beta", "gamma")}
        said = text("guarantee-unlearning", **numbers)
    return f"{said} {text('guarantee-unlearning-covers')}"


def _right(share: float) -> str:
    """How often guessing is right, in the one unit, and how hard that makes it."""
    return text("guarantee-right", most=at_most(share), hard=hardness(share))


def _confidential(guarantee: Guarantee) -> str:
    share = guesses(guarantee)
    if share is None:
        said = text("guarantee-confidential-open")
    else:
        numbers = {"epsilon": number_at_most(guarantee.epsilon), "delta": number_at_most(guarantee.delta)}
        said = text("guarantee-confidential", right=_right(share), **numbers)
    told = [] if corollaries.when_told(guarantee) is None else [text("guarantee-confidential-control")]
    return " ".join([said, text("guarantee-confidential-covers"), *told])


def _deletion(
    share: float | None,
    *,
    order: float,
    epsilon: float | None,
    source: str | None,
    seen: int,
    advantage: float | None = None,
    records: int = 1,
    of: str = "request",
) -> str:
    whose = text("guarantee-deletion-person" if of == "person" else "guarantee-deletion-request")
    if epsilon is None:
        first, holds = text("guarantee-deletion-none", whose=whose), "none"
    else:
        if share is None:
            bound = best_membership(linear(order, epsilon, most=order)).bound if advantage is None else advantage
            share = of_advantage(bound)
        # Where runs were measured, nothing is proved of others.
        first, holds = _first(share, source, whose), "measured" if source == "twins" else "shown"
    covers = text("guarantee-deletion-covers", holds=holds, seen=seen)
    several = text("guarantee-deletion-several", records=str(records)) if records > 1 and epsilon else ""
    others = "" if of == "person" else text("guarantee-deletion-others")
    return " ".join(each for each in (first, covers, several, others, text("guarantee-deletion-before")) if each)


def _first(share: float, source: str | None, whose: str) -> str:
    if source == "twins":
        return text("guarantee-deletion-twins", whose=whose)
    if share >= 1:
        return text("guarantee-deletion-loose", whose=whose)
    return text("guarantee-deletion-right", whose=whose, right=_right(share))
