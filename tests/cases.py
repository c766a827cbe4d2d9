"""Copies of a sample case, changed in one place, for tests that audit a whole case."""

from __future__ import annotations

import dataclasses
import fcntl
import hashlib
import json
import os
import re
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
import rfc8785

from auditor import case as cases
from auditor.api.results import folder as results
from auditor.audit.auditing import Options, audit
from auditor.document import evidence
from auditor.document.evidence import Evidence
from auditor.document.evidence_files import parse
from auditor.pages import pages
from auditor.pages.words.rendered_evidence import ToldGuarantee, tell, tell_check
from auditor.verdict.checks import definitions
from auditor.verdict.checks.deleting import games
from detailed import Detailed, detailed

SAMPLES = Path(__file__).resolve().parent.parent / "sample_models"


LEFT_OUT = shutil.ignore_patterns("audit", "build.py", "sample.toml", "__pycache__", ".outputs.jsonl")
"""What a copy of a sample does without: how it is made, and what audits of it have left."""

SHARED = "AUDITOR_TESTS_SHARED"
"""The environment variable that names a folder for what is made once in a run of the tests."""
REPLAY_CHECKS = tuple(check_id for check_id, known in definitions().items() if known.replays and check_id not in games())
"""Checks that the log is replayed for; not those that play games of deletion, hundreds of them, once somebody asks by name."""
SWAP_IDS = ("swap.quality", "swap.controls", "epsilon.consistency")


def copy_of(sample: str, folder: Path) -> Path:
    """A private copy of a sample case without results, and without the SWAP test, which has tests and samples of its own.

    It is not required, and nothing is forgotten in it, so that it ends before anything is trained.
    """
    target = folder / "case"
    shutil.copytree(SAMPLES / sample, target, ignore=LEFT_OUT)
    text = (target / "audit.toml").read_text(encoding="utf-8")
    for check_id in SWAP_IDS:
        text = re.sub(rf'\s*"{re.escape(check_id)}",', "", text)
    kept = re.sub(r"(?m)^\[swap\]\n(?:(?!\[).*\n?)*", "", text)
    (target / "audit.toml").write_text(kept.rstrip() + "\n\n[swap]\nalpha = 1e-9\n", encoding="utf-8")
    return target


def replace(case: Path, old: str, new: str) -> None:
    """Change audit.toml; the old text must be there."""
    text = (case / "audit.toml").read_text(encoding="utf-8")
    assert old in text, old
    (case / "audit.toml").write_text(text.replace(old, new), encoding="utf-8")


def without_model(case: Path) -> None:
    """Take the table [model] out of audit.toml."""
    text = (case / "audit.toml").read_text(encoding="utf-8")
    assert "[model]\n" in text
    kept = re.sub(r"(?m)^\[model\]\n(?:(?!\[).*\n?)*", "", text)
    (case / "audit.toml").write_text(kept, encoding="utf-8")


def rewrite_log(case: Path, change: Callable[[list[dict[str, Any]]], None]) -> None:
    """Change the rows of deletions.jsonl in place."""
    path = case / "deletions.jsonl"
    rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    change(rows)
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")


def arrays(path: Path) -> dict[str, np.ndarray]:
    """The arrays of an npz file."""
    with np.load(path, allow_pickle=False) as file:
        return {name: file[name] for name in file.files}


class Audited:
    """An evidence document as people read it, with the bytes that it is written as."""

    def __init__(self, evidence: Evidence) -> None:
        self.evidence, self.told = evidence, tell(evidence)

    def check(self, check_id: str) -> Detailed:
        """One check by id, as people read it."""
        return detailed(self.told.check(check_id))

    def __getattr__(self, name: str) -> Any:
        return getattr(self.told if hasattr(self.told, name) else self.evidence, name)


def once(name: str, make: Callable[[], bytes]) -> bytes:
    """What is made once in a run of the tests, in whatever process they are; the name stands for all that it is made of."""
    if SHARED not in os.environ:  # a program that is no test, such as one that writes a page
        return make()
    path = Path(os.environ[SHARED]) / name
    with path.with_name(f"{name}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)  # whoever comes second waits, and reads
        if not path.exists():
            path.write_bytes(make())
    return path.read_bytes()


def sample(name: str, *, quick: bool = False) -> Audited:
    """The evidence of a sample, audited once for all tests of a run."""
    file = f"{name}{'-quick' if quick else ''}.json"
    content = once(file, lambda: audited(SAMPLES / name, quick=quick, workers=2).to_bytes())
    return Audited(parse(content, file))


def timeless(evidence: Audited | Evidence) -> dict[str, Any]:
    """The document without times, durations and what follows from these, and without marks under a user's own key."""
    document = evidence.model_dump(mode="json", by_alias=True)
    document["audit"] = {key: value for key, value in document["audit"].items() if not key.endswith("_at")}
    (document["deletion_log"] or {}).pop("marks", None)
    document["checks"] = [_untimed(item) for item in document["checks"] if item["id"] != "cost.speedup"]
    return document


def _untimed(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _untimed(inner) for key, inner in value.items() if "seconds" not in key}
    return [_untimed(inner) for inner in value] if isinstance(value, list) else value


@contextmanager
def unprinted() -> Iterator[None]:
    """Write the results of audits without a PDF, whose pages take seconds to lay out: others look at what it shows."""
    written = results._written

    def without(*given: Any, printed: bool, **more: Any) -> results.Written:
        del printed
        return written(*given, printed=False, **more)

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(results, "_written", without)
        yield


_MOST_WRITTEN = 128


@contextmanager
def written_once() -> Iterator[None]:
    """Write equal parts of evidence in canonical form once in a process of the tests: their digest is in every rendering.

    JSON by Python's own encoder, by which they are known, takes a fifth of the time.
    """
    written: dict[str, bytes] = {}

    def dumps(part: Any) -> bytes:
        try:
            text = json.dumps(part)
        except (TypeError, ValueError):  # an error to the library too
            return rfc8785.dumps(part)
        if text not in written:
            if len(written) == _MOST_WRITTEN:
                del written[next(iter(written))]
            written[text] = rfc8785.dumps(part)
        return written[text]

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(evidence, "rfc8785", SimpleNamespace(dumps=dumps))
        yield


@contextmanager
def laid_out_once() -> Iterator[None]:
    """Lay out equal pages once in a run of the tests, for tests of what is done with them."""
    lay_out = pages._laid_out

    def kept(*made_of: Any) -> bytes:
        name = hashlib.sha256(repr(made_of).encode()).hexdigest()
        return once(f"{name}.pdf", lambda: lay_out(*made_of))

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(pages, "_laid_out", kept)
        yield


def audited(case: Path, **options: Any) -> Audited:
    """The evidence of one audit."""
    return outcome(case, **options).evidence


def outcome(case: Path, **options: Any) -> Any:
    """Evidence and failure of one audit."""
    found = audit(cases.read(case), Options(**options))
    return dataclasses.replace(found, evidence=Audited(found.evidence))


def check_of(evidence: Audited | Evidence, check_id: str) -> Detailed:
    """One check by id, as people read it."""
    if isinstance(evidence, Audited):
        return evidence.check(check_id)
    return detailed(tell_check(evidence.check(check_id), evidence.version))


def guarantee_of(evidence: Audited | Evidence, guarantee_id: str) -> ToldGuarantee:
    """One guarantee by id, as people read it."""
    told = evidence if isinstance(evidence, Audited) else tell(evidence)
    return next(item for item in told.guarantees if item.id == guarantee_id)
