"""Figure 1 of Cohen et al. 2023 (deletion-as-control) out of audits: a cell is what came of an audit.

`python -m benchmarks.paper.touchstones` audits five small cases (two minutes) and writes docs/paper-deletion-as-control.md with
the numbers next to it. `--quick` plays few games, which decide nothing.
"""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from auditor import case as cases
from auditor.audit.auditing import Options, audit
from auditor.base.resources import sample_models
from auditor.document.evidence import Evidence
from auditor.verdict.corollaries import carrying
from auditor.verdict.guarantees import CONFIDENTIALITY, CONTROL, UNLEARNING
from benchmarks.paper import publishing, touchstones_page

_SECRET: Final = """
[claims]
attested = ["seed-secret"]
attested_by = "Kim Example, data protection officer"
attested_at = 2026-11-02
"""
_NOTHING_ELSE: Final = _SECRET.replace("seed-secret", "controller-is-implementation")
TOUCHSTONES: Final[Mapping[str, str]] = {
    "Private cloud storage": 'use = "cloud-storage"\n' + _NOTHING_ELSE,
    "Public bulletin board": 'use = "bulletin-board"\n' + _NOTHING_ELSE,
    "Batch machine learning": 'use = "batch-model"\nparams = { epsilon = 1.0, delta = 1e-6 }\n' + _SECRET,
    "Public directory with statistics": 'use = "public-directory"\nparams = { epsilon = 1.0, delta = 1e-6 }\n' + _SECRET,
}
"""The table [controller] of each, and what else is attested."""
LEARNER: Final = "trigram-model"
"""The sample that stands for machine unlearning: it counts again after each batch, in whatever order."""
_CASE: Final = """[case]
name = "touchstone"
release = "2026.11"
controller = "Example (a fictitious controller)"

[controller]
"""
_ALL: Final = '\n[policy]\nrequired = ["state.history_independent", "control.game", "confidentiality.game"]\n'


def measure(quick: bool) -> Mapping[str, Any]:
    """Audit every touchstone, and a learner that promises history independence."""
    with tempfile.TemporaryDirectory() as folder:
        rows = {
            name: _of(_case(Path(folder) / str(place), table), quick) for place, (name, table) in enumerate(TOUCHSTONES.items())
        }
        rows["learner"] = _of(_learner(Path(folder) / "learner"), quick)
    return {"quick": quick, "audits": rows}


def _case(folder: Path, table: str) -> Path:
    folder.mkdir()
    (folder / "audit.toml").write_text(_CASE + table + _ALL, encoding="utf-8")
    return folder


def _learner(folder: Path) -> Path:
    """The sample with the promise that Proposition 3.12 is about."""
    shutil.copytree(sample_models() / LEARNER, folder, ignore=shutil.ignore_patterns("audit"))
    text = (folder / "audit.toml").read_text(encoding="utf-8")
    (folder / "audit.toml").write_text(_promising(text), encoding="utf-8")
    return folder


def _promising(text: str) -> str:
    said = text.replace("[claims]\n", "[claims]\nhistory_independent = true\n", 1)
    return said.replace("attested = [", 'attested = ["seed-secret", ', 1)


def _of(folder: Path, quick: bool) -> Mapping[str, Any]:
    evidence: Evidence = audit(cases.read(folder), Options(quick=quick)).evidence
    guarantees = {each.id: each for each in evidence.guarantees}
    found: dict[str, Any] = {
        "checks": {each.id: each.status.value for each in evidence.checks if each.id in touchstones_page.CHECKS},
    }
    for name in (CONTROL, CONFIDENTIALITY, UNLEARNING):
        if name in guarantees:
            each = guarantees[name]
            found[name] = {
                "status": each.status.value,
                "epsilon": each.epsilon,
                "delta": each.delta,
                "by": [route.rule for route in carrying(each)],
            }
    return found


if __name__ == "__main__":
    publishing.run(__doc__, measure, touchstones_page)
