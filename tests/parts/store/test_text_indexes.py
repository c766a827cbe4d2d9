"""A full-text index in SQLite is explained where its texts give it; words of deleted rows in it are not."""

from __future__ import annotations

import sqlite3
import zlib
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Final

import pytest
from test_vector_columns import GONE, HERE, IDS, NOTES, clean, people

from auditor.parts.store.observing.limited_reading import of_file

_MERGED: Final = ("INSERT INTO notes(notes) VALUES ('rebuild')", "INSERT INTO notes(notes) VALUES ('optimize')")


def made(path: Path, *statements: str, first: str = "", numbers: Callable[[int], int] = int) -> bytes:
    """A database of everybody's texts with an index, from which the deleted were deleted before statements ran."""
    with closing(sqlite3.connect(path, isolation_level=None)) as opened:
        opened.execute("CREATE VIRTUAL TABLE notes USING fts5(id, note)")
        for each in filter(None, (first,)):
            opened.execute(each)
        given = [(numbers(at), record, note) for at, (record, note) in enumerate(zip(IDS, NOTES, strict=True), 1)]
        opened.executemany("INSERT INTO notes(rowid, id, note) VALUES (?, ?, ?)", given)
        opened.executemany("DELETE FROM notes WHERE id = ?", [(each,) for each in IDS[:GONE]])
        for each in (*statements, "VACUUM"):
            opened.execute(each)
    return path.read_bytes()


@pytest.mark.parametrize("statements", [_MERGED[:1], _MERGED])
def test_an_index_that_was_built_from_the_texts_is_explained(statements: tuple[str, ...], tmp_path: Path) -> None:
    assert clean(of_file(Path("a.db"), made(tmp_path / "a.db", *statements), people(), HERE))


WITHOUT_MERGING: Final = "INSERT INTO notes(notes, rank) VALUES ('automerge', 0)"
HIDDEN: Final[dict[str, tuple[str, ...]]] = {
    "words of deleted rows": ("DELETE FROM notes_config WHERE k = 'automerge'",),
    "a setting": (*_MERGED, "INSERT INTO notes_config VALUES ('rec-00001', 5318)"),
    "a size of a text": (*_MERGED, "UPDATE notes_docsize SET sz = x'7265632D3030303031' WHERE id = 9"),
    "a block of no term": (*_MERGED, "INSERT INTO notes_data VALUES (99, x'7265632D3030303031')"),
    "a text that no row of the index has": (*_MERGED, "INSERT INTO notes_content VALUES (99, 'rec-00099', 'unknown')"),
    "a text of nobody": (*_MERGED, "UPDATE notes_content SET c1 = 'rec-00001 wrote of it' WHERE id = 9", _MERGED[0]),
    "a second table of that name": (*_MERGED, "CREATE TABLE notes_more (block BLOB)", "INSERT INTO notes_more VALUES (x'01')"),
}


@pytest.mark.attempt("rows that a database hides")
@pytest.mark.parametrize("name", HIDDEN)
def test_whatever_else_an_index_holds_stays_open(name: str, tmp_path: Path) -> None:
    first = WITHOUT_MERGING if name == "words of deleted rows" else ""
    content = made(tmp_path / "a.db", *HIDDEN[name], first=first)
    assert not clean(of_file(Path("a.db"), content, people(), HERE))


@pytest.mark.attempt("numbers that a database hides")
def test_numbers_of_texts_say_nothing(tmp_path: Path) -> None:
    content = made(tmp_path / "a.db", *_MERGED, numbers=lambda at: at << 20 | zlib.crc32(NOTES[at - 1].encode()) & 0xFFFFF)
    assert not clean(of_file(Path("a.db"), content, people(), HERE))
