"""Hostile files that are kept: what a fuzzer or a person once tried stays tried.

Each folder of tests/corpus belongs to one reader. A file that once did harm, or could have, is added there under a name that says
what it is; every reader must answer each of its files with a value or with an error that it declares.
"""

from __future__ import annotations

import contextlib
from pathlib import Path

import pytest

from readers import READERS, in_this_process

CORPUS = Path(__file__).resolve().parent.parent / "corpus"
FILES = sorted(CORPUS.glob("*/*.bin"))


def test_every_folder_has_a_reader() -> None:
    assert len(FILES) > 80
    assert {path.parent.name for path in FILES} <= set(READERS)


@pytest.mark.attempt("hostile files that are kept")
@pytest.mark.parametrize("path", FILES, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_a_kept_file_does_no_harm(path: Path) -> None:
    reader = READERS[path.parent.name]
    with in_this_process(), contextlib.suppress(reader.errors):
        reader.read(path.read_bytes())
    assert not Path("/tmp/unpickled").exists()
