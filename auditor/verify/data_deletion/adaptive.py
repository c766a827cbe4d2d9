"""`deletion.adaptive`: the models that requesters had seen, the ε that they leave, and the game of an adaptive requester."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from auditor.certificates import derive
from auditor.certificates.rounding import finite
from auditor.decisions import decide_at_most
from auditor.domain import Certificate, Check, Status
from auditor.evidence import Evidence
from auditor.verify.data_deletion import descent, independence
from auditor.verify.data_deletion.beside import together
from auditor.verify.data_deletion.descent import USE, Bounds, Run
from auditor.verify.data_deletion.renyi import RENYI, Judged, exactly, judged_of, present, to_judge
from auditor.verify.data_deletion.seen import Seen, rows_of, seen
from auditor.verify.expectations import count, left_out, number, status_is, threshold_is
from auditor.verify.numbers import differs


def adaptive(evidence: Evidence, check: Check) -> Iterator[str]:
    """`deletion.adaptive`: the models that were seen from the rows of the log, and the ε that they leave."""
    if not (yield from to_judge(evidence, check)):
        return
    beside_it = next((each for each in evidence.checks if each.id == RENYI), None)
    if left_out(evidence, RENYI):
        yield from _alone(evidence, check)
        return
    if beside_it is None or beside_it.status in {Status.SKIPPED, Status.ERROR}:
        yield "deletion.renyi has no result, so that nothing here can be derived"
        return
    details = check.details
    rows = [each for each in details["per_request"] if isinstance(each, dict)]
    yield from rows_of(evidence, rows)
    log = seen(evidence, rows)
    yield from _seen(evidence, check, log)
    if evidence.procedure.use != USE:
        yield from independence.adaptive(evidence, check, beside_it, log)
        return
    judged = judged_of(evidence, beside_it)
    models = max(log.most, claimed_models(evidence) or 0)
    each, steps = _of_one_model(judged.run, judged.found, models)
    own = judged.epsilon
    certificate = _certificate(own, each, models, at_once=steps is not None)
    value = None if certificate is None else certificate.epsilon
    expected = {
        "epsilon_dd": own,
        "epsilon_dp": None if own is None else each,
        "epsilon": value,
        "order": judged.run.order,
        "steps_seen": steps,
    }
    for name, derived in expected.items():
        yield from exactly(f"details.{name}", details.get(name), derived, "the theorem and the models seen give")
    yield from exactly("value", check.value, value, "the theorem and the models seen give")
    yield from threshold_is(check, judged.threshold, "the strictest of claim and policy")
    yield from _person(evidence, check, judged, value)
    if own is not None:
        yield from _rows(judged, log, rows)
    else:
        yield from (
            f"details.per_request[{index}].epsilon has no ε behind it" for index, row in enumerate(rows) if row["epsilon"]
        )
    yield from present(evidence, () if certificate is None else (certificate,))
    yield from game(evidence, check)
    yield from status_is(check, _status(evidence, check, judged.status(value), log, false=judged.false))


def _alone(evidence: Evidence, check: Check) -> Iterator[str]:
    """What follows without `deletion.renyi`, which the command line left out: models seen, threshold, no firmer status."""
    order, threshold, _ = descent.goal(evidence)
    rows = [each for each in check.details["per_request"] if isinstance(each, dict)]
    yield from rows_of(evidence, rows)
    yield from _seen(evidence, check, seen(evidence, rows))
    yield from differs("details.order", check.details.get("order"), order, "claim and procedure make it")
    yield from exactly("details.epsilon", check.details.get("epsilon"), check.value, "the value is")
    yield from threshold_is(check, threshold, "the strictest of claim and policy")
    yield from status_is(check, decide_at_most(check.value, threshold), Status.FAIL, Status.INCONCLUSIVE)


def claimed_models(evidence: Evidence) -> int | None:
    """The models that the claim speaks of."""
    claim = evidence.policy.claims.get("data_deletion")
    return count(claim.get("adaptive")) if isinstance(claim, dict) else None


def _seen(evidence: Evidence, check: Check, log: Seen) -> Iterator[str]:
    details, claimed = check.details, claimed_models(evidence) or 0
    models = max(log.most, claimed)
    origin = "claim" if models > log.most else "all published before" if log.left_out else "log"
    yield from differs("details.seen", details.get("seen"), models, "rows and claim make it")
    yield from differs("details.source_of_seen", details.get("source_of_seen"), origin, "rows and claim make it")
    for index, row in enumerate(details["per_request"]):
        expected = log.before[int(row["batch"]) - 1]
        yield from differs(f"details.per_request[{index}].seen", row.get("seen"), expected, "the rows add up to")
    names = [premise.get("name") for premise in details["premises"]]
    if names != ["own-request-fixed" if models else "requests-fixed", "seen-releases"]:
        yield f"details.premises names {', '.join(map(str, names))}, for {models} models seen"
    for premise in details["premises"]:
        if premise.get("holds") is not True or premise.get("how") != "attested":
            yield f"premise {premise.get('name')} is the controller's word, and is {premise.get('how')} ({premise.get('holds')})"
    said = str(details["premises"][-1].get("found"))
    if models and f"{models} models" not in said:
        yield f"premise seen-releases does not say “{models} models”: “{said}”"
    if origin == "claim" and f"the log names {log.most}" not in said:
        yield f"premise seen-releases does not say that the log names {log.most}: “{said}”"


def _of_one_model(run: Run, found: Bounds, models: int) -> tuple[float | None, int | None]:
    if found.source != "5.2" or not models:
        return found.epsilon_dp, None
    return descent.all_steps(run, run.steps_with), run.steps_with


def _certificate(own: float | None, each: float | None, models: int, *, at_once: bool) -> Certificate | None:
    if own is None or (each is None and models):
        return None
    counted = min(models, 1) if at_once else models
    return derive("adaptive", {"epsilon_dd": own, "epsilon_dp": each or 0.0, "seen": counted})


def _person(evidence: Evidence, check: Check, judged: Judged, value: float | None) -> Iterator[str]:
    """The ε of a person with several records, whose number the document cannot show to be too large."""
    records = count(check.details.get("records_per_person")) or 0
    named = max((each.records for each in evidence.requests if each.status == "executed"), default=0)
    if records < max(1, named):
        yield f"details.records_per_person is {records}, one executed request alone names {named} records"
    gone = evidence.case.training_records - evidence.case.records_left
    if records > gone:
        yield f"details.records_per_person is {records}, and {gone} were deleted"
    stated, derived = check.details.get("epsilon_person"), together(value, records)
    # By Theorem 5.2 there is none for records of several batches, and the document does not say whose records were in which.
    open_ = judged.found.source == "5.2" and records > 1 and stated is None
    if not open_:
        yield from exactly("details.epsilon_person", stated, derived, "m²ε for its records is")


def _rows(judged: Judged, log: Seen, rows: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    for index, row in enumerate(rows):
        place = int(row["batch"]) - 1
        batch, models = judged.batches[place], log.before[place]
        own = descent.of_batch(judged.run, judged.found, index=place, rows=batch.rows, removed=batch.removed)
        each, steps = _of_one_model(replace(judged.run, rows=batch.rows, before=place), judged.found, models)
        certificate = _certificate(own, each, models, at_once=steps is not None)
        value = None if certificate is None or certificate.epsilon is None else finite(certificate.epsilon)
        yield from exactly(f"details.per_request[{index}].epsilon", row.get("epsilon"), value, "its batch and models seen give")


def _status(evidence: Evidence, check: Check, status: Status, log: Seen, *, false: bool) -> Status:
    played, claimed = check.details.get("game"), claimed_models(evidence)
    if false or (isinstance(played, dict) and played.get("refuted")):
        return Status.FAIL
    if claimed is not None and log.by_word > claimed:
        return Status.FAIL
    return Status.INCONCLUSIVE if status is Status.PASS and claimed is not None and log.most > claimed else status


def game(evidence: Evidence, check: Check) -> Iterator[str]:
    """The requester's game: its counts, what they bound, and whether its comparisons refute something."""
    told = check.details.get("game")
    if not isinstance(told, dict):
        return
    order = descent.goal(evidence)[0]
    numbers = {name: told[name] for name in ("hits", "trials", "other_hits", "other_trials")}
    yield from differs("details.game.order", told.get("order"), order, "claim and procedure make it")
    inputs = {"q": order, **numbers, "confidence": told["confidence"]}
    bound = derive("renyi-lower", inputs)
    yield from present(evidence, (bound,))
    yield from exactly("details.game.epsilon_lower", told.get("epsilon_lower"), bound.outputs["radius_lower"], "its counts give")
    yield from exactly("details.game.advantage_lower", told.get("advantage_lower"), bound.outputs["advantage"], "its counts give")
    share, other = told["hits"] / told["trials"], told["other_hits"] / told["other_trials"]
    yield from exactly("details.game.advantage", told.get("advantage"), share - other, "its counts give")
    total = told["trials"] + told["other_trials"]
    right = (told["hits"] + told["other_trials"] - told["other_hits"]) / total
    yield from exactly("details.game.named_right", told.get("named_right"), right, "its counts give")
    yield from differs("details.game.games", told.get("games"), total + told["fitted"], "fitted and counted games are")
    refuted = _refuting(evidence, told)
    if refuted is not None and bool(told.get("refuted")) != refuted:
        yield f"details.game.refuted is {told.get('refuted')}, the comparisons of epsilon.consistency make it {refuted}"


def _refuting(evidence: Evidence, told: Mapping[str, Any]) -> bool | None:
    """Whether a comparison of the game lies beyond what is stated; None where the document holds none of them."""
    listed = next((each.details.get("comparisons") for each in evidence.checks if each.id == "epsilon.consistency"), None)
    rows = [row for row in listed if isinstance(row, dict)] if isinstance(listed, list | tuple) else []
    own = [row for row in rows if row.get("test") == "requester"]
    if not own:
        return None
    return not told.get("quick") and any((number(row.get("gap")) or 0.0) > 0 for row in own)
