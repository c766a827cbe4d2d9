"""A private feature extractor: what it spends of every target, from what is declared and from how many records were removed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from auditor.certificates.extractor import KIND, of_group
from auditor.domain import How
from auditor.evidence import Evidence
from auditor.guarantees import Pledge
from auditor.verify.expectations import number
from auditor.verify.numbers import differs


def declared(evidence: Evidence) -> Mapping[str, Any] | None:
    """What the procedure declares of its extractor; None where there is none."""
    found = evidence.procedure.settings.get("extractor")
    return found if isinstance(found, dict) else None


def spent(evidence: Evidence) -> tuple[float, float]:
    """ε and δ of the extractor for all removed records together; nothing where there is none."""
    if (extractor := declared(evidence)) is None:
        return 0.0, 0.0
    return of_group(float(extractor["epsilon"]), float(extractor["delta"]), _removed(evidence))


def pledge(evidence: Evidence) -> Pledge | None:
    """The same as what a theorem may use; None where there is no extractor."""
    return None if declared(evidence) is None else Pledge(*spent(evidence))


def together(evidence: Evidence, goal: tuple[float, float]) -> Iterator[str]:
    """The certificate of extractor and removal together, the removal at the (ε, δ) that it is held against."""
    if (extractor := declared(evidence)) is None:
        return
    found = next((each for each in evidence.certificates if each.kind == KIND), None)
    if found is None:
        yield f"an extractor is declared, and there is no certificate {KIND}"
        return
    expected = {
        "extractor_epsilon": extractor.get("epsilon"),
        "extractor_delta": extractor.get("delta"),
        "size": _removed(evidence),
        "epsilon": goal[0],
        "delta": goal[1],
    }
    for name, value in expected.items():
        yield from differs(f"certificate {KIND}: {name}", found.inputs.get(name), value, "case, log and target make it")


def private(evidence: Evidence) -> How:
    """The controller's word at best, and none where the group's δ promises nothing."""
    if declared(evidence) is None:
        return How.UNKNOWN
    return How.REFUTED if spent(evidence)[1] >= 1 else How.ATTESTED


def every(evidence: Evidence) -> How:
    """Whether the procedure trains anew where its criterion would not be met."""
    settings = evidence.procedure.settings
    if declared(evidence) is None:
        return How.UNKNOWN
    enforced = settings.get("retrain_at_budget") is True or bool(number(settings.get("release_noise")))
    return How.COMPUTED if enforced or evidence.procedure.unlearn == "retrain" else How.ATTESTED


def _removed(evidence: Evidence) -> int:
    return max(1, evidence.case.training_records - evidence.case.records_left)
