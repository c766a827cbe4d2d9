"""Data deletion of a procedure that no theorem speaks of: its status from runs with other records, which show 0 or nothing."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from auditor.decisions import decide_at_most
from auditor.domain import Check, Status
from auditor.evidence import Evidence
from auditor.verify.data_deletion import descent
from auditor.verify.data_deletion.premises import listed
from auditor.verify.data_deletion.seen import Seen
from auditor.verify.expectations import count, status_is, threshold_is
from auditor.verify.numbers import differs

_NAMES: Final = ["release-independent", "labels-fixed", "stateless"]
_EMPTY: Final[Mapping[str, Any]] = {
    "orders": [],
    "membership": None,
    "conversions": [],
    "gaussian": None,
    "curve": [],
    "noise": None,
    "steps": None,
    "batches": [],
    "utility": None,
    "epsilon_dp": None,
}


def renyi(evidence: Evidence, check: Check) -> Iterator[str]:
    """`deletion.renyi` of another procedure: 0 where every premise holds, and nothing else."""
    details = check.details
    order, threshold, sources = descent.goal(evidence)
    yield from differs("details.order", details.get("order"), order, "the claim makes it")
    if list(details.get("sources", ())) != sources:
        yield "details.sources is not what claim and policy name"
    yield from threshold_is(check, threshold, "the strictest of claim and policy")
    premises = listed(check)
    if list(premises) != _NAMES:
        yield f"details.premises names {', '.join(premises) or 'none'}; it rests on {', '.join(_NAMES)}"
        return
    for name, allowed in _allowed(evidence, check).items():
        stated = (premises[name].get("holds"), premises[name].get("how"))
        if stated not in allowed:
            yield f"premise {name} holds: {stated[0]} ({stated[1]}), what stands beside it makes it otherwise"
    epsilon = _epsilon(premises)
    for key, value in {**_EMPTY, "epsilon_dd": epsilon, "theorem": None if epsilon is None else "twins"}.items():
        yield from differs(f"details.{key}", details.get(key), value, "the premises give")
    yield from differs("value", check.value, epsilon, "the premises give")
    told = details["twins"]
    if told.get("same") is True and (told.get("by_file") is not False or told.get("difference") is not None):
        yield "details.twins names a difference, and every model is said to be the same"
    said = str(premises["release-independent"].get("found"))
    runs = count(details["twins"].get("runs"))
    if premises["release-independent"].get("holds") is True and f"{runs} runs" not in said:
        yield f"premise release-independent does not say “{runs} runs”: “{said}”"
    yield from status_is(check, _status(premises, epsilon, threshold))


def adaptive(evidence: Evidence, check: Check, beside: Check, log: Seen) -> Iterator[str]:
    """`deletion.adaptive` of another procedure: 0 too where models from before the deletions were the same as well."""
    details, premises = check.details, listed(beside)
    order, threshold, _ = descent.goal(evidence)
    yield from differs("details.order", details.get("order"), order, "the claim makes it")
    epsilon = _epsilon(premises)
    before = 0.0 if beside.details["twins"].get("before_too") is True and epsilon is not None else None
    models = count(details.get("seen")) or 0
    value = epsilon if not models or before is not None else None
    expected = {"epsilon_dd": epsilon, "epsilon_dp": before, "epsilon": value, "epsilon_person": value, "steps_seen": None}
    for key, derived in expected.items():
        yield from differs(f"details.{key}", details.get(key), derived, "runs and premises give")
    yield from differs("value", check.value, value, "runs and premises give")
    yield from threshold_is(check, threshold, "the strictest of claim and policy")
    for index, row in enumerate(details["per_request"]):
        own = epsilon if before is not None or not log.before[int(row["batch"]) - 1] else None
        yield from differs(f"details.per_request[{index}].epsilon", row.get("epsilon"), own, "runs and models seen give")
    claim = evidence.policy.claims.get("data_deletion")
    claimed = count(claim.get("adaptive")) if isinstance(claim, dict) else None
    status, played = _status(premises, value, threshold), details.get("game")
    if (isinstance(played, dict) and played.get("refuted")) or (claimed is not None and log.by_word > claimed):
        status = Status.FAIL
    elif status is Status.PASS and claimed is not None and log.most > claimed:
        status = Status.INCONCLUSIVE
    yield from status_is(check, status)


def _epsilon(premises: Mapping[str, Mapping[str, Any]]) -> float | None:
    return 0.0 if premises and all(each.get("holds") is True for each in premises.values()) else None


def _status(premises: Mapping[str, Mapping[str, Any]], value: float | None, threshold: float | None) -> Status:
    if any(each.get("holds") is False for each in premises.values()):
        return Status.FAIL
    return decide_at_most(value, threshold)


def _allowed(evidence: Evidence, check: Check) -> dict[str, Sequence[tuple[Any, Any]]]:
    """Which pairs of `holds` and `how` the runs and the experiment on statelessness leave."""
    told = check.details["twins"]
    same = told.get("same") is True and told.get("reason") is None and told.get("differs_after") is None
    independent = same and evidence.procedure.unlearn != "none" and bool(count(told.get("runs")))
    stateless = next((each for each in evidence.checks if each.id == "state.stateless"), None)
    by_construction = stateless is not None and stateless.details.get("by_construction") is True
    carried: tuple[Any, Any] = (None, "unknown")
    if stateless is not None and stateless.status is Status.FAIL:
        carried = (False, "refuted")
    elif stateless is not None and stateless.status is Status.PASS:
        carried = (True, "computed" if by_construction else "attested")
    return {
        "release-independent": [(True, "measured") if independent else (None, "unknown")],
        "labels-fixed": [(True, "computed"), (False, "refuted")],
        "stateless": [carried],
    }
