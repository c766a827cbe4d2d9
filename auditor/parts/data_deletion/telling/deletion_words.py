"""Data deletion in words: what a deleted person is promised or why nothing is, and what the promise leaves open.

A number after `at most` is rounded up. A bound on the membership advantage is reported only where the check passed and the
guarantee holds: where a premise is false, or the seed of the noise can be guessed, the number says nothing.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from auditor.base.domain import ClaimStatus, Provenance, Status
from auditor.pages import attachments, tables, wording, words
from auditor.pages.right_guesses import Telling
from auditor.pages.words import guesses, numbers
from auditor.pages.words.rendered_evidence import Told, ToldCheck
from auditor.pages.words.texts import say, text
from auditor.parts.data_deletion.judging import state_stateless
from auditor.parts.data_deletion.judging.adaptive import Derived as Adaptive
from auditor.parts.data_deletion.judging.adaptive import Played
from auditor.parts.data_deletion.judging.derived import Derived
from auditor.parts.data_deletion.telling import deletion_tables
from auditor.verdict.guarantees import DATA_DELETION


def findings(evidence: Told) -> tuple[str, ...]:
    """What the checks on data deletion found, in plain sentences; nothing of requests where none counts as adaptive."""
    return tuple(said for check in evidence.checks if check.id in TELLING for said in TELLING[check.id].in_brief(evidence, check))


def _promise_in_brief(evidence: Told, check: ToldCheck) -> Iterator[str]:
    if wording.has_run(check) and (said := promise(check, lacks(evidence))):
        yield said


def _adaptive_in_brief(evidence: Told, check: ToldCheck) -> Iterator[str]:
    seen = check.derived_as(Adaptive)
    counts = check.status is not Status.PASS or (seen is not None and seen.seen)
    if wording.has_run(check) and counts and (said := adaptive(check, lacks(evidence))):
        yield said


def lacks(evidence: Told) -> str:
    """What keeps the numbers from being a promise although the checks may pass; empty where the guarantee holds."""
    guarantee = next((each for each in evidence.guarantees if each.id == DATA_DELETION), None)
    if guarantee is None:
        return say("deletion-lacks-guarantee")
    if guarantee.status in {ClaimStatus.SHOWN, ClaimStatus.SUPPORTED}:
        return ""
    if guarantee.status is ClaimStatus.REFUTED:
        return say("deletion-lacks-refuted")
    missing = dict.fromkeys(
        premise.fact.removesuffix(".")
        for derivation in guarantee.derivation
        for premise in derivation.premises
        if premise.how in {Provenance.REFUTED, Provenance.UNKNOWN}
    )
    named = ", ".join(f"“{fact}”" for fact in missing)
    return say("deletion-lacks-premises", named=named) if named else say("deletion-lacks")


def promise(check: ToldCheck, lacking: str = "") -> str:
    """What `deletion.renyi` says to a deleted person in one sentence, for each of its endings.

    Args:
        check: The check.
        lacking: What keeps its numbers from being a promise, as `lacks` says it; then no bound on an adversary is reported.
    """
    match check.status:
        case Status.PASS:
            return _kept(check, lacking)
        case Status.FAIL:
            return say("deletion-promise-failed", failure=_failure(check))
        case Status.INCONCLUSIVE:
            return say("deletion-promise-open", why=_open(check))
        case _:
            return ""


def adaptive(check: ToldCheck, lacking: str = "") -> str:
    """What `deletion.adaptive` says in one sentence; a refuting game comes before any number.

    Args:
        check: The check.
        lacking: See `promise`.
    """
    match check.status:
        case Status.PASS:
            return _kept_adaptively(check, lacking)
        case Status.FAIL:
            return say("deletion-adaptive-failed", refuted=_refuted(check))
        case Status.INCONCLUSIVE:
            return say("deletion-adaptive-open")
        case _:
            return ""


def silences(found: Derived) -> tuple[str, ...]:
    """What data deletion does not cover, in sentences."""
    if found.theorem == "twins":
        return (
            say("deletion-silent-runs"),
            say("deletion-silent-tried"),
            say("deletion-silent-code"),
            say("deletion-silent-own-request"),
            say("deletion-silent-elsewhere"),
        )
    said = [
        (say("deletion-silent-before")),
        say("deletion-silent-one-record"),
        say("deletion-silent-otherwise-same"),
        say("deletion-silent-own-request"),
        say("deletion-silent-elsewhere"),
    ]
    if found.theorem == "5.2":
        said[1] = say("deletion-silent-whole-batch")
    return tuple(said)


def order(value: float) -> str:
    """A Rényi order in six digits: orders close to 1 stay apart."""
    return f"{value:,.6g}" if value < 1e6 else wording.number(value)


def together(found: Derived) -> str:
    """What the last column of the batches says."""
    return say("deletion-together-covered" if found.theorem == "5.2" else "deletion-together")


def likeness(evidence: Told) -> str | None:
    """Why `swap.quality` is the wrong question for a claim of data deletion; None where it passed or nothing claims that."""
    checks = {check.id: check for check in evidence.checks}
    quality, judged = checks.get("swap.quality"), checks.get("deletion.renyi")
    if quality is None or not wording.has_run(quality) or quality.status is Status.PASS:
        return None
    claimed = "data_deletion" in evidence.policy.claims or (judged is not None and wording.has_run(judged))
    return text("deletion-likeness") if claimed else None


def beside_quality(evidence: Told) -> str | None:
    """`likeness`, where the result of `swap.quality` does not say it already: its basis does where no release depends."""
    derived = (check.derived_as(Derived) for check in evidence.checks)
    twins = any(found is not None and found.theorem == "twins" for found in derived)
    return None if twins else likeness(evidence)


def stateless(check: ToldCheck) -> str:
    """How `state.stateless` came to its answer, in sentences."""
    found = check.derived_as(state_stateless.Derived)
    if found is not None and found.by_construction:
        return say("deletion-stateless-carries" if found.carried else "deletion-stateless-built-in")
    law = say("deletion-stateless-law") if found is not None and found.deterministic is False else ""
    return say("deletion-stateless-resumed", law=law)


def carried(check: ToldCheck) -> str:
    """What outlived an update in addition to the model, each with its kind."""
    found = check.derived_as(state_stateless.Derived)
    rows = () if found is None else found.carried[: attachments.MOST_ROWS]
    return ", ".join(f"{tables.in_words(row.name)} ({row.kind})" for row in rows)


def _kept(check: ToldCheck, lacking: str) -> str:
    value = numbers.at_most(check.value)
    found = check.derived_as(Derived)
    if found is not None and found.theorem == "twins":
        return say("deletion-kept-twins")
    if lacking:
        return say("deletion-kept-lacking", value=value, lacking=lacking)
    return say("deletion-kept", value=value)


def _kept_adaptively(check: ToldCheck, lacking: str) -> str:
    found, value = check.derived_as(Adaptive), numbers.at_most(check.value)
    if found is not None and found.seen == 0:
        return say("deletion-kept-unseen")
    if lacking:
        return say("deletion-kept-adaptively-lacking", value=value, lacking=lacking)
    if found is None or found.advantage is None:
        return say("deletion-kept-adaptively", value=value)
    models = say("deletion-up-to-models", models=wording.plural(found.seen, "published-model"))
    return say("deletion-kept-after-seeing", models=models, said=_seen(found.advantage), person=_of_a_person(found))


def _of_a_person(found: Adaptive) -> str:
    """What the bound says of a person with several deleted records; nothing where nobody has more than one."""
    if found.records_per_person < 2:
        return ""
    bound, lead = found.advantage_person, say("deletion-person", records=wording.number(found.records_per_person))
    if bound is None:
        return say("deletion-person-unproved", lead=lead)
    return (
        say("deletion-person-useless", lead=lead) if bound >= 1 else say("deletion-person-right", lead=lead, right=_right(bound))
    )


def _right(bound: float) -> str:
    return guesses.at_most(guesses.of_advantage(bound))


def _seen(bound: float) -> str:
    if bound >= 1:
        return say("deletion-seen-wide")
    return say("deletion-seen-right", right=_right(bound))


def _open(check: ToldCheck) -> str:
    found, unknown = check.derived_as(Derived), _quoted(check, holds=None)
    if found is not None and found.reason is not None:
        return f"{words.sentence(found.reason).removesuffix('.')}."
    if unknown:
        return say("deletion-open-unknown", unknown=unknown)
    if check.value is not None and check.threshold is None:
        return say("deletion-open-no-threshold")
    return say("deletion-reason-given")


def _refuted(check: ToldCheck) -> str:
    """The end of a sentence on what failed; what a game refuted comes before all else."""
    game = check.derived.game if isinstance(check.derived, Adaptive | Played) else None
    if game is not None and game.refuted is not None:
        return f". {words.sentence(game.refuted)}"
    return f": {_failure(check)}"


def _quoted(check: ToldCheck, *, holds: bool | None) -> str:
    """The premises of that finding, each in quotation marks."""
    premises = check.derived.premises if isinstance(check.derived, Derived | Adaptive) else ()
    named = (deletion_tables.statement(each).removesuffix(".") for each in premises if each.holds is holds)
    return ", ".join(f"“{name}”" for name in named)


def _failure(check: ToldCheck) -> str:
    """Why a check failed: what refutes it, a false premise, or its value."""
    false = _quoted(check, holds=False)
    if false:
        return say("deletion-failed-premise", premises=false)
    if check.value is not None and check.threshold is not None and check.value > check.threshold:
        return say("deletion-failed-value", value=wording.number(check.value), threshold=wording.number(check.threshold))
    return say("deletion-reason-given")


TELLING: Final = {
    "deletion.renyi": Telling(in_brief=_promise_in_brief),
    "deletion.adaptive": Telling(in_brief=_adaptive_in_brief),
}
