"""How long documents take as whole commands: the demo's report, a letter, and a report of 100,000 requests with its memory.

Nothing is audited: the evidence is that of the samples as the tests keep it.
"""

from __future__ import annotations

import dataclasses
import tempfile
from datetime import timedelta
from pathlib import Path
from statistics import median

from auditor.evidence import Evidence
from auditor.verify.derivations import derive_again
from benchmarks.large_log import Cost, command
from benchmarks.measuring import line

KEPT = Path(__file__).resolve().parent.parent / "tests" / "golden" / "0.2.0" / "digits-newton.json"
REQUESTS = 100_000


def evidence(path: Path, requests: int | None = None) -> Path:
    """Write the demo's evidence, as this version concludes it, with so many requests like its first ones."""
    kept = derive_again(Evidence.model_validate_json(KEPT.read_bytes()))
    kept = kept.model_copy(update={"case": kept.case.model_copy(update={"authority": "Example Authority", "dpo": "Kim Example"})})
    if requests is not None:
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
        kept = kept.model_copy(update={"requests": more, "deletion_log": log})
    path.write_bytes(kept.to_bytes())
    return path


def middle(*arguments: str, repeats: int = 3) -> Cost:
    """The median cost of a command."""
    costs = [command(*arguments) for _ in range(repeats)]
    return Cost(median(cost.seconds for cost in costs), max(cost.megabytes for cost in costs))


def main() -> None:
    """Measure whole commands as processes."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        demo, large = evidence(folder / "demo.json"), evidence(folder / "large.json", REQUESTS)
        report = middle("report", str(demo), "-o", str(folder / "demo.pdf"))
        line("report of the demo, PDF from evidence", f"{report.seconds:.1f} s", "under 3 s")
        letter = middle("certificate", str(demo), "--request", "REQ-2026-0001", "--draft", "-o", str(folder / "letter.pdf"))
        line("one letter, PDF from evidence", f"{letter.seconds:.1f} s", "under 1.5 s")
        many = middle("report", str(large), "-o", str(folder / "large.pdf"), repeats=1)
        line("report of 100,000 requests, PDF from evidence", f"{many.seconds:.1f} s", "under 10 s")
        line("its peak memory", f"{many.megabytes:.0f} MiB", "under 400 MiB")


if __name__ == "__main__":
    main()
