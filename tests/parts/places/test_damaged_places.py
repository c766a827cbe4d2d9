"""Files of every form that somebody cut, changed or made to exhaust a reader: no place passes for it, and nothing breaks off.

Readers of one form alone are tried harder in tests/parts/store (test_readers, test_damaged_stores, test_database_logs,
test_chroma_folder, test_lance_folder, test_postgres_folder): here a whole search reads what lies in a place.
"""

from __future__ import annotations

import bz2
import csv
import gzip
import io
import json
import lzma
import pickle
import sqlite3
import struct
import tarfile
import zipfile
import zlib
from collections.abc import Callable, Iterator
from contextlib import closing
from email.message import EmailMessage
from pathlib import Path
from typing import Any, Final

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from auditor.api import check
from auditor.base.domain import Verdict
from auditor.base.limited import Room
from auditor.parts.places.observing import reading
from readers import in_this_process
from tests.parts.places.test_places import CASE, COLUMNS, GONE, KEPT, LOG, PEOPLE, TABLE, database, write

Row = tuple[str, str, str, str]
Files = dict[str, bytes]
DISHONEST: Final = [PEOPLE[2], *KEPT]
"""The deleted person comes first, so that what is cut off is other people's."""
_CUTS, _CHANGES, _NUMBERS = 8, 8, 6
_HUGE: Final = (1 << 60, (1 << 63) - 1, (1 << 64) - 1)


def as_csv(rows: list[Row]) -> bytes:
    stream = io.StringIO(newline="")
    csv.writer(stream).writerows([COLUMNS, *rows])
    return stream.getvalue().encode()


def as_lines(rows: list[Row]) -> bytes:
    return "".join(json.dumps(dict(zip(COLUMNS, row, strict=True))) + "\n" for row in rows).encode()


def as_mail(rows: list[Row]) -> bytes:
    mail = EmailMessage()
    mail["From"], mail["To"], mail["Subject"] = rows[0][1], rows[1][1], rows[0][0]
    mail.set_content("\n".join(" ".join(row) for row in rows))
    return mail.as_bytes()


def as_parquet(rows: list[Row]) -> bytes:
    sink = io.BytesIO()
    columns = dict(zip(COLUMNS, map(list, zip(*rows, strict=True)), strict=True))
    pq.write_table(
        pa.table({**columns, "age": list(map(int, columns["age"])), "income": list(map(float, columns["income"]))}), sink
    )
    return sink.getvalue()


def as_tar(rows: list[Row]) -> bytes:
    stream = io.BytesIO()
    with tarfile.open(fileobj=stream, mode="w") as archive:
        member = tarfile.TarInfo("people.csv")
        member.size = len(as_csv(rows))
        archive.addfile(member, io.BytesIO(as_csv(rows)))
    return stream.getvalue()


def zipped(**files: bytes) -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(zipfile.ZipInfo(name.replace("_", ".")), content, zipfile.ZIP_DEFLATED)
    return stream.getvalue()


def as_sheet(rows: list[Row], *, before: str = "") -> bytes:
    """A spreadsheet as its format has it, with the texts in its cells."""
    cells = "".join("<row>" + "".join(f'<c t="inlineStr"><is><t>{each}</t></is></c>' for each in row) + "</row>" for row in rows)
    named = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in {
            "[Content_Types].xml": '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"/>',
            "xl/workbook.xml": f'<workbook xmlns="{named}"><sheets><sheet name="a" sheetId="1"/></sheets></workbook>',
            "xl/worksheets/sheet1.xml": f'{before}<worksheet xmlns="{named}"><sheetData>{cells}</sheetData></worksheet>',
        }.items():
            archive.writestr(zipfile.ZipInfo(name), content, zipfile.ZIP_DEFLATED)
    return stream.getvalue()


def as_database(rows: list[Row], folder: Path) -> Files:
    with closing(database(folder / "people.db", rows)):
        pass
    return {"people.db": (folder / "people.db").read_bytes()}


def with_log(rows: list[Row], folder: Path) -> Files:
    """A database whose log of writes is not written back: all people are in the log alone."""
    with closing(sqlite3.connect(folder / "people.db")) as connection:
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("CREATE TABLE people (id TEXT, email TEXT, age INTEGER, income REAL)")
        connection.executemany("INSERT INTO people VALUES (?, ?, ?, ?)", rows)
        connection.commit()
        return {each: (folder / each).read_bytes() for each in ("people.db-wal", "people.db")}


def as_cache(rows: list[Row], folder: Path) -> Files:
    """A cache as diskcache keeps it: large values in files of their own, whose names a database has."""
    files = {f"{at:02x}/{at:028x}.val": pickle.dumps(dict(zip(COLUMNS, row, strict=True))) for at, row in enumerate(rows[:4])}
    with closing(sqlite3.connect(folder / "cache.db")) as connection:
        connection.execute("CREATE TABLE Cache (rowid INTEGER PRIMARY KEY, key BLOB, filename TEXT)")
        connection.executemany(
            "INSERT INTO Cache (key, filename) VALUES (?, ?)", [(f"{at:040x}", each) for at, each in enumerate(files)]
        )
        connection.commit()
    return {**files, "cache.db": (folder / "cache.db").read_bytes()}


FORMS: Final[dict[str, Callable[[list[Row], Path], Files]]] = {
    "csv": lambda rows, _: {"people.csv": as_csv(rows)},
    "lines": lambda rows, _: {"people.jsonl": as_lines(rows)},
    "text": lambda rows, _: {"people.txt": "".join(" ".join(row) + "\n" for row in rows).encode()},
    "mail": lambda rows, _: {"people.eml": as_mail(rows)},
    "parquet": lambda rows, _: {"people.parquet": as_parquet(rows)},
    "gzip": lambda rows, _: {"people.csv.gz": gzip.compress(as_csv(rows), mtime=0)},
    "bzip2": lambda rows, _: {"people.csv.bz2": bz2.compress(as_csv(rows))},
    "xz": lambda rows, _: {"people.csv.xz": lzma.compress(as_csv(rows))},
    "tar": lambda rows, _: {"people.tar": as_tar(rows)},
    "zip": lambda rows, _: {"people.zip": zipped(people_csv=as_csv(rows))},
    "sheet": lambda rows, _: {"people.xlsx": as_sheet(rows)},
    "pickle": lambda rows, _: {"people.pkl": pickle.dumps(rows)},
    "database": as_database,
    "log of writes": with_log,
    "cache": as_cache,
}
"""What a place holds of some rows; the first of its files is damaged."""
EXPLAINED: Final = ("csv", "lines", "parquet", "gzip", "bzip2", "xz", "tar", "zip", "database")


def audited(folder: Path, places: list[Files]) -> Any:
    """Audit a case with these places."""
    write(folder / "people.csv", PEOPLE)
    (folder / "deletions.jsonl").write_text("".join(json.dumps(row) + "\n" for row in LOG), encoding="utf-8")
    for at, files in enumerate(places):
        for name, content in files.items():
            path = folder / f"place-{at}" / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)
    listed = "\n".join(f'p{at} = "place-{at}"' for at in range(len(places)))
    (folder / "audit.toml").write_text(CASE.replace("here = {here}", listed) + TABLE, encoding="utf-8")
    return check(folder)


def passing(audit: Any) -> list[str]:
    """Places in which nobody was found and that nothing leaves open."""
    checked = audit.evidence.check("places.erased")
    left = {each["name"]: each["open"] for each in checked.derived["places"]}
    unexplained = {each["place"]["parameters"]["name"] for each in checked.derived.get("unexplained", ())}
    assert len(left) == len(checked.observed["places"])
    names = [each["name"] for each in checked.observed["places"] if not each["found"]]
    return [name for name in names if not left[name] and name not in unexplained]


def damaged(content: bytes) -> Iterator[bytes]:
    """Cut at many lengths, with other bytes at many places, and with numbers that promise more than there is."""
    last = content.rfind(GONE[0].encode())
    # Whoever may be cut off is nobody's loss: up to where a deleted person is in plain bytes, the file stays as it is.
    start = 1 if last < 0 else last + len(GONE[0])
    room = len(content) - start
    for at in range(_CUTS):
        yield content[: start + at * room // _CUTS]
    for at in range(_CHANGES):
        place = start + at * (room - 1) // _CHANGES
        yield content[:place] + bytes([content[place] ^ 0xFF]) + content[place + 1 :]
    for at in range(_NUMBERS):
        place = start + at * max(0, room - 8) // _NUMBERS
        yield content[:place] + struct.pack("<>"[at % 2] + "Q", _HUGE[at % len(_HUGE)]) + content[place + 8 :]


@pytest.mark.parametrize("form", EXPLAINED)
def test_a_whole_file_of_people_who_stay_passes(form: str, tmp_path: Path) -> None:
    """So that what follows is not open for its form alone."""
    (tmp_path / "made").mkdir()
    with in_this_process():
        assert audited(tmp_path, [FORMS[form](KEPT, tmp_path / "made")]).verdict is Verdict.PASS


@pytest.mark.attempt("damaged files")
@pytest.mark.parametrize("form", FORMS)
def test_a_damaged_file_in_which_somebody_deleted_is_never_passes(form: str, tmp_path: Path) -> None:
    (tmp_path / "made").mkdir()
    files = FORMS[form](DISHONEST, tmp_path / "made")
    first, whole = next(iter(files.items()))
    places = [files, *({**files, first: each} for each in damaged(whole))]
    with in_this_process():
        audit = audited(tmp_path, places)
    assert not passing(audit)
    assert audit.evidence.check("places.erased").observed["places"][0]["found"] == 1


def _deep_mail() -> bytes:
    """Parts within parts, two thousand deep."""
    heads = (f'Content-Type: multipart/mixed; boundary="b{at}"\n\n--b{at}\n' for at in range(2_000))
    return ("From: a@b.example\nMIME-Version: 1.0\n" + "".join(heads)).encode()


def _nested_zip() -> bytes:
    content = bytes(64 << 20)
    for _ in range(6):
        content = zipped(a=content)
    return content


def _picture(width: int) -> bytes:
    """A picture that says it is larger than any."""

    def chunk(kind: bytes, content: bytes) -> bytes:
        return struct.pack(">I", len(content)) + kind + content + struct.pack(">I", zlib.crc32(kind + content))

    head = struct.pack(">IIBBBBB", width, width, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(bytes(1 << 20))) + chunk(b"IEND", b"")


def _sparse_tar() -> bytes:
    """One member that says it has a hole of 2^60 bytes."""
    member = tarfile.TarInfo("people.csv")
    member.size, member.type = 0, tarfile.GNUTYPE_SPARSE
    block = bytearray(member.tobuf(tarfile.GNU_FORMAT))
    block[483:495] = b"\x80" + bytes(3) + struct.pack(">Q", 1 << 60)
    block[148:156] = b" " * 8
    block[148:156] = b"%06o\0 " % sum(block)
    return bytes(block) + bytes(10_240 - 512)


_LAUGHS: Final = (
    "<!DOCTYPE a [<!ENTITY e0 'ha'>" + "".join(f"<!ENTITY e{at} '{f'&e{at - 1};' * 10}'>" for at in range(1, 12)) + "]>&e11;"
)
BOMBS: Final[dict[str, Callable[[], bytes]]] = {
    "zeros.csv.gz": lambda: gzip.compress(bytes(320 << 20), 1),
    "zeros.csv.xz": lambda: lzma.compress(bytes(320 << 20), preset=0),
    "nested.zip": _nested_zip,
    "sparse.tar": _sparse_tar,
    "deep.json": lambda: b"[" * (1 << 20) + b"]" * (1 << 20),
    "deep.jsonl": lambda: b'{"a":' * (1 << 17) + b"1" + b"}" * (1 << 17),
    "deep.eml": _deep_mail,
    "laughs.xlsx": lambda: as_sheet(KEPT[:2], before=_LAUGHS),
    "huge.png": lambda: _picture((1 << 31) - 1),
    "wide.csv": lambda: b"a," * (1 << 20) + b"\n" + b"1," * (1 << 20),
    "long.pkl": lambda: b"\x80\x04\x8d" + struct.pack("<Q", 1 << 60) + b"x" * 64,
}


QUICK: Final = ("sparse.tar", "deep.json", "laughs.xlsx", "huge.png", "long.pkl")


@pytest.mark.attempt("files that exhaust")
@pytest.mark.parametrize(
    "name", [each if each in QUICK else pytest.param(each, marks=pytest.mark.slow) for each in BOMBS]
)  # test_a_bomb_leaves_its_place_open, of those that are quick
def test_a_bomb_leaves_its_place_open(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever it takes it takes from a limited process: the place is open, and another one is read all the same."""
    monkeypatch.setattr(reading, "_ROOM", Room(256 << 20, 2, 8, 1))
    audit = audited(tmp_path, [{name: BOMBS[name]()}, {"people.csv": as_csv(DISHONEST)}])
    assert not passing(audit)
    assert [each["found"] for each in audit.evidence.check("places.erased").observed["places"]] == [0, 1]
