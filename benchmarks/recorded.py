"""The demo's evidence as the tests keep it, for benchmarks of what is done with evidence: nothing is audited for them."""

from __future__ import annotations

import dataclasses
from datetime import timedelta
from pathlib import Path

from auditor.document.evidence import Evidence
from auditor.recheck.derivations import derive_again

EVIDENCE = Path(__file__).resolve().parent.parent / "tests" / "golden" / "0.2.0" / "digits-newton.json"


def evidence(requests: int | None = None) -> Evidence:
    """The demo's evidence, as this version judges it.

    Args:
        requests: Of the log, all like its first ones; None to leave them as they are.
    """
    kept = derive_again(Evidence.model_validate_json(EVIDENCE.read_bytes()))
    kept = kept.model_copy(update={"case": kept.case.model_copy(update={"authority": "Example Authority", "dpo": "Kim Example"})})
    if requests is None:
        return kept
    done = [each for each in kept.requests if each.status == "executed"]
    more = tuple(
        dataclasses.replace(
            done[at % len(done)],
            request_id=f"REQ-{at:06d}",
            received_on=done[at % len(done)].received_on + timedelta(days=at % 7),
        )
        for at in range(requests)
    )
    log = kept.deletion_log.model_copy(update={"requests": requests})
    return kept.model_copy(update={"requests": more, "deletion_log": log})
