"""Data deletion in words: what a deleted person is promised or why nothing is, and what the promise leaves open.

A number after `at most` is rounded up. A bound on the membership advantage is reported only where the check passed and the
guarantee holds: where a premise is false, or the seed of the noise can be guessed, the number says nothing.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from auditor.domain import How, Standing, Status
from auditor.guarantees import DATA_DELETION
from auditor.report import deletion_readings, readings, wording
from auditor.words import guesses, numbers
from auditor.words.told import Told, ToldCheck

ONE_DIRECTION: Final = (
    "These forms hold in one direction: no event is more likely by more than the factor e^ε, up to δ, in the released model than "
    "in one that never saw the record. The other way round they promise nothing."
)
"""What the (ε, δ) forms of a Rényi bound leave out."""
LIKENESS: Final = (
    "For a claim of data deletion swap.quality is the wrong question: it asks whether the model resembles a retrained one, and a "
    "model may reveal nothing about a deleted record without resembling a retrained one."
)
"""Why the quality of the SWAP test is the wrong question for a claim of data deletion."""


def findings(evidence: Told) -> tuple[str, ...]:
    """What the checks on data deletion found, in plain sentences; nothing of requests where none counts as adaptive."""
    said, lacking = [], lacks(evidence)
    for check in deletion_readings.checks_of(evidence.checks):
        if check.id != "deletion.adaptive":
            said.append(promise(check, lacking))
        elif check.status is not Status.PASS or check.details.get("seen"):
            said.append(adaptive(check, lacking))
    return tuple(sentence for sentence in said if sentence)


def lacks(evidence: Told) -> str:
    """What keeps the numbers from being a promise although the checks may pass; empty where the guarantee holds."""
    guarantee = next((each for each in evidence.guarantees if each.id == DATA_DELETION), None)
    if guarantee is None:
        return "the evidence holds no guarantee of data deletion"
    if guarantee.status in {Standing.SHOWN, Standing.SUPPORTED}:
        return ""
    if guarantee.status is Standing.REFUTED:
        return "what this run showed refutes the guarantee"
    missing = dict.fromkeys(
        premise.fact.removesuffix(".")
        for derivation in guarantee.derivation
        for premise in derivation.premises
        if premise.how in {How.REFUTED, How.UNKNOWN}
    )
    named = ", ".join(f"“{fact}”" for fact in missing)
    return f"the guarantee is not shown, as it also needs {named}" if named else "the guarantee is not shown"


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
            return f"Data deletion is not shown: {_failure(check)}"
        case Status.INCONCLUSIVE:
            return f"Data deletion could not be decided: {_open(check)}"
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
            return f"Data deletion under requests that depend on published models is not shown{_refuted(check)}"
        case Status.INCONCLUSIVE:
            return "Data deletion under requests that depend on published models could not be decided."
        case _:
            return ""


def silences(details: Mapping[str, Any]) -> tuple[str, ...]:
    """What data deletion does not cover, in sentences."""
    if readings.words(details.get("theorem")) == "twins":
        return (
            "It covers the models that these runs released after a deletion, and none before it.",
            "It covers the records that were tried in place of the deleted ones, with these seeds: no theorem extends it.",
            "What the procedure’s code and settings bring along is the same in every run, whatever it was made from.",
            "It takes the deleted person’s own request as fixed in advance, which nobody but the controller can know.",
            "It covers the model, not what else the controller keeps, nor copies that others hold.",
        )
    said = [
        (
            "It covers every model from the deletion on, for ever, and none before it. To a model that was published while the "
            "record was still there ε_dp applies, not ε_dd."
        ),
        "It covers one record. For m records that left in one batch, all together, it gives m² ε_dd where the loss is convex.",
        "It compares with a run that never had the record and in which all else stayed as it was.",
        "It takes the deleted person’s own request as fixed in advance, which nobody but the controller can know.",
        "It covers the model, not what else the controller keeps, nor copies that others hold.",
    ]
    if readings.words(details.get("theorem")) == "5.2":
        said[1] = "It covers a whole batch at once, at the largest batch of the log."
    return tuple(said)


def order(value: float) -> str:
    """A Rényi order in six digits: orders close to 1 stay apart."""
    return f"{value:,.6g}" if value < 1e6 else wording.number(value)


def together(details: Mapping[str, Any]) -> str:
    """What the last column of the batches says."""
    if readings.words(details.get("theorem")) == "5.2":
        return "All m together: never trained on any of them. Theorem 5.2 covers the batch already."
    return "All m together: never trained on any of them, m² ε_dd. A dash means that it exceeds all floating-point numbers."


def likeness(evidence: Told) -> str | None:
    """Why `swap.quality` is the wrong question for a claim of data deletion; None where it passed or nothing claims that."""
    checks = {check.id: check for check in evidence.checks}
    quality, judged = checks.get("swap.quality"), checks.get("deletion.renyi")
    if quality is None or not wording.has_run(quality) or quality.status is Status.PASS:
        return None
    claimed = "data_deletion" in evidence.policy.claims or (judged is not None and wording.has_run(judged))
    return LIKENESS if claimed else None


def beside_quality(evidence: Told) -> str | None:
    """`likeness`, where the result of `swap.quality` does not say it already: its basis does where no release depends."""
    twins = any(check.id == "deletion.renyi" and check.details.get("theorem") == "twins" for check in evidence.checks)
    return None if twins else likeness(evidence)


def stateless(details: Mapping[str, Any]) -> str:
    """How `state.stateless` came to its answer, in sentences."""
    if details.get("by_construction") is True:
        if details.get("carried"):
            return "The procedure is built into the auditor: what it carries from one update to the next is known from its code."
        return "The procedure is built into the auditor, and it carries nothing from one update to the next but the model."
    law = (
        ""
        if details.get("deterministic") is not False
        else " The procedure does not give the same model twice, so distributions were compared."
    )
    return (
        "The same updates were run again in a fresh process with everything wiped but the model, and compared with the "
        f"original ones.{law}"
    )


def _kept(check: ToldCheck, lacking: str) -> str:
    value = numbers.at_most(check.value)
    if readings.words(check.details.get("theorem")) == "twins":
        return (
            "Data deletion: with other records in place of the deleted ones, every model from the deletion on came out the same, "
            "bit for bit, in each run that was tried."
        )
    if lacking:
        return f"Data deletion: ε_dd = {value} is within its threshold, but {lacking}."
    return f"Data deletion: ε_dd = {value} for one record, within its threshold."


def _kept_adaptively(check: ToldCheck, lacking: str) -> str:
    details, value = check.details, numbers.at_most(check.value)
    bound, count = readings.finite(details.get("advantage")), readings.count(details.get("seen"))
    if count == 0:
        return "Requests that depend on published models: none counts as having seen one, so nothing is added to ε_dd."
    if lacking:
        return f"Requests that depend on published models: ε(p) = {value} is within its threshold, but {lacking}."
    if bound is None:
        return f"Requests that depend on published models: ε(p) = {value} for one record, as allowed."
    models = "published models" if count is None else f"up to {wording.plural(count, 'published model')}"
    return f"Where requests were chosen after seeing {models}: {_seen(bound)}{_of_a_person(details)}"


def _of_a_person(details: Mapping[str, Any]) -> str:
    """What the bound says of a person with several deleted records; nothing where nobody has more than one."""
    records = readings.count(details.get("records_per_person"))
    if records is None or records < 2:
        return ""
    bound, lead = (
        readings.finite(details.get("advantage_person")),
        f" For the {wording.number(records)} records of one person together",
    )
    if bound is None:
        return f"{lead} no theorem gives a bound."
    return f"{lead} it gives no bound." if bound >= 1 else f"{lead}: at most {_right(bound)} times."


def _right(bound: float) -> str:
    return guesses.at_most(guesses.of_advantage(bound))


def _seen(bound: float) -> str:
    if bound >= 1:
        return (
            "the bound is so wide that it says nothing about how well a deleted record can be recognised in the models from the "
            "deletion on."
        )
    return (
        "anyone who sees every model from the deletion on, for ever, and guesses whether a record was there or another in its "
        f"place is right at most {_right(bound)} of 100 times, where guessing is right 50 times."
    )


def _open(check: ToldCheck) -> str:
    reason, unknown = readings.words(check.details.get("reason")).removesuffix("."), _quoted(check, holds=None)
    if reason:
        return f"{reason}."
    if unknown:
        return f"not known whether {unknown}."
    if check.value is not None and check.threshold is None:
        return "neither claim nor policy names an ε that is allowed."
    return "the reason is given with the result."


def _refuted(check: ToldCheck) -> str:
    """The end of a sentence on what failed; what a game refuted comes before all else."""
    game = check.details.get("game")
    refuted = readings.words(game.get("refuted")) if isinstance(game, Mapping) else ""
    return f". {refuted}" if refuted else f": {_failure(check)}"


def _quoted(check: ToldCheck, *, holds: bool | None) -> str:
    """The premises of that finding, each in quotation marks."""
    named = (row.name.removesuffix(".") for row in deletion_readings.premises(check.details) if row.holds is holds)
    return ", ".join(f"“{name}”" for name in named)


def _failure(check: ToldCheck) -> str:
    """Why a check failed: what refutes it, a false premise, or its value."""
    false = _quoted(check, holds=False)
    if false:
        return f"a premise was found false: {false}."
    if check.value is not None and check.threshold is not None and check.value > check.threshold:
        return f"ε = {wording.number(check.value)}, above the {wording.number(check.threshold)} that decides."
    return "the reason is given with the result."
