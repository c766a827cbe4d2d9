"""What a version wrote once, every later one reads and agrees with."""

from __future__ import annotations

from pathlib import Path

import pytest

from auditor.evidence import read
from auditor.verify import recheck
from cases import SAMPLES, audited
from sample_cases import GOLDEN as CURRENT
from sample_cases import NAMES

GOLDEN = Path(__file__).resolve().parent
KEPT = sorted(GOLDEN.glob("*/*.json"))


@pytest.fixture(scope="session", autouse=True)
def _updated(request: pytest.FixtureRequest) -> None:
    if request.config.getoption("--update-golden", default=False):
        CURRENT.mkdir(exist_ok=True)
        chosen = request.config.getoption("--golden-of") or NAMES
        for name in chosen:
            evidence = audited(SAMPLES / name, workers=2)
            assert evidence.audit.failure is None, f"{name}: {evidence.audit.failure}"
            (CURRENT / f"{name}.json").write_bytes(evidence.to_bytes())


@pytest.mark.parametrize("path", KEPT, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_the_evidence_of_every_version_is_read_and_agrees(path: Path) -> None:
    outcome = recheck(path)
    assert outcome.agrees, [str(finding) for document in outcome.documents for finding in document.findings]
    (document,) = outcome.documents
    assert {part.name: part.agreed for part in document.parts} == {part.name: part.total for part in document.parts}
    assert read(path).to_bytes() == path.read_bytes()


def test_every_sample_is_kept_with_another_verdict_among_them() -> None:
    assert {path.stem for path in CURRENT.glob("*.json")} == set(NAMES)
    assert len({read(path).verdict for path in KEPT}) > 1


def test_the_evidence_of_a_version_names_that_version() -> None:
    assert {read(path).audit.auditor_version for path in KEPT} == {path.parent.name for path in KEPT}
