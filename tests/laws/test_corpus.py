"""Hostile files that are kept: what a fuzzer or a person once tried stays tried.

Each folder of tests/corpus belongs to one reader. A file that once did harm, or could have, is added there under a name that says
what it is; every reader must answer each of its files with a value or with the one error that it promises.
"""

from __future__ import annotations

import contextlib
import tempfile
from collections.abc import Callable
from pathlib import Path

import pytest
from test_case_hostile_bytes import READERS

from auditor.base.errors import InputError, ProcedureError
from auditor.case.declaration import declare
from auditor.case.files import Source
from auditor.document import evidence
from auditor.sandbox import wire

CORPUS = Path(__file__).resolve().parent.parent / "corpus"


def read_evidence(data: bytes) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "evidence.json"
        path.write_bytes(data)
        evidence.read(path)


ALL: dict[str, Callable[[bytes], object]] = {
    **{name: read for name, (_, read) in READERS.items()},
    "declaration": lambda data: declare(Source("audit.toml", data)),
    "reply": lambda data: wire.parse_reply(data, number=1, name="learn"),
    "evidence": read_evidence,
}
FILES = sorted(CORPUS.glob("*/*.bin"))


def test_every_folder_has_a_reader_and_every_reader_a_folder() -> None:
    assert {path.parent.name for path in FILES} == set(ALL)


@pytest.mark.parametrize("path", FILES, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_a_kept_file_does_no_harm(path: Path) -> None:
    with contextlib.suppress(ProcedureError if path.parent.name == "reply" else InputError):
        ALL[path.parent.name](path.read_bytes())
    assert not Path("/tmp/unpickled").exists()
