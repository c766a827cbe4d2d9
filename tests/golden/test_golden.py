"""What a version wrote once, every later one reads and agrees with."""

from __future__ import annotations

import hashlib
from pathlib import Path

import pytest

from auditor.document.evidence_files import read
from auditor.recheck import recheck
from cases import SAMPLES, audited
from sample_cases import GOLDEN as CURRENT
from sample_cases import NAMES

GOLDEN = Path(__file__).resolve().parent
FROZEN = GOLDEN / "frozen.sha256"
"""A line for every file of every released version, as `sha256sum` writes them: none is ever written again."""
KEPT = sorted(GOLDEN.glob("*/*.json"))


def frozen(golden: Path) -> dict[str, str]:
    """The digests of released versions' files by their paths."""
    lines = (golden / FROZEN.name).read_text(encoding="ascii").splitlines()
    return {path: sha256 for sha256, path in (line.split("  ", 1) for line in lines)}


def unfrozen(golden: Path, current: str) -> list[str]:
    """Files of earlier versions than the current one that are not there as they were on the day of their release."""
    kept = {f"{path.parent.name}/{path.name}": path for path in golden.glob("*/*.json") if path.parent.name != current}
    released = {name: sha256 for name, sha256 in frozen(golden).items() if name.partition("/")[0] != current}
    digests = {name: hashlib.sha256(path.read_bytes()).hexdigest() for name, path in kept.items()}
    return sorted(name for name in digests.keys() | released.keys() if digests.get(name) != released.get(name))


@pytest.fixture(scope="session", autouse=True)
def _updated(request: pytest.FixtureRequest) -> None:
    if request.config.getoption("--update-golden", default=False):
        assert not unfrozen(GOLDEN, CURRENT.name)
        assert CURRENT.name not in {path.partition("/")[0] for path in frozen(GOLDEN)}, "that version is released"
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


def test_the_evidence_of_released_versions_is_as_it_was_on_that_day() -> None:
    assert unfrozen(GOLDEN, CURRENT.name) == []


def test_a_released_file_that_changes_goes_or_comes_is_found(tmp_path: Path) -> None:
    for name in ("0.2.0/kept.json", "0.2.0/changed.json", "0.2.0/gone.json", "0.3.0/current.json"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(name)
    names = ("0.2.0/kept.json", "0.2.0/changed.json", "0.2.0/gone.json")
    lines = (f"{hashlib.sha256(name.encode()).hexdigest()}  {name}" for name in names)
    (tmp_path / FROZEN.name).write_text("\n".join(lines), encoding="ascii")
    assert unfrozen(tmp_path, "0.3.0") == []
    (tmp_path / "0.2.0/changed.json").write_text("otherwise")
    (tmp_path / "0.2.0/gone.json").unlink()
    (tmp_path / "0.2.0/new.json").write_text("new")
    (tmp_path / "0.3.0/current.json").write_text("otherwise")
    assert unfrozen(tmp_path, "0.3.0") == ["0.2.0/changed.json", "0.2.0/gone.json", "0.2.0/new.json"]
