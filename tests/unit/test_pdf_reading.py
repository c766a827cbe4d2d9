"""PDFs that are made to harm their reader: whatever they do, they are unreadable and nothing else happens."""

from __future__ import annotations

import functools
import io
import subprocess
import sys
import zlib

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pypdf import PdfWriter

from auditor.base.errors import InputError
from auditor.recheck.pdf import asking


def blank() -> bytes:
    writer = PdfWriter()
    writer.add_blank_page(72, 72)
    target = io.BytesIO()
    writer.write(target)
    return target.getvalue()


def written(*objects: bytes, trailer: bytes = b"<</Root 1 0 R/Size %d>>") -> bytes:
    """A PDF of objects as they are given, numbered from 1."""
    body = b"%PDF-1.7\n"
    places = []
    for number, held in enumerate(objects, start=1):
        places.append(len(body))
        body += b"%d 0 obj\n%b\nendobj\n" % (number, held)
    table = b"".join(b"%010d 00000 n \n" % place for place in places)
    size = len(objects) + 1
    head = b"xref\n0 %d\n0000000000 65535 f \n%b" % (size, table)
    end = trailer % size if b"%d" in trailer else trailer
    return body + head + b"trailer\n" + end + b"\nstartxref\n%d\n%%%%EOF\n" % len(body)


CATALOGUE = b"<</Type/Catalog/Pages 2 0 R>>"
PAGES = b"<</Type/Pages/Kids[3 0 R]/Count 1>>"
PAGE = b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 72 72]/Contents 4 0 R>>"


@functools.cache
def bomb() -> bytes:
    """Two hundred megabytes of noughts, compressed twice."""
    return zlib.compress(zlib.compress(bytes(200_000_000), 9), 9)


def stream(content: bytes, keys: bytes = b"") -> bytes:
    return b"<</Length %d%b>>stream\n%b\nendstream" % (len(content), keys, content)


HOSTILE = {
    "nothing": b"%PDF-",
    "a page tree that is its own child": written(CATALOGUE, b"<</Type/Pages/Kids[2 0 R]/Count 1>>"),
    "arrays in arrays": written(CATALOGUE, b"[" * 100_000 + b"]" * 100_000),
    "no catalogue": written(b"<<>>", trailer=b"<</Root 9 0 R/Size 2>>"),
    "a table that points to itself": blank() + b"xref\n0 0\ntrailer\n<</Prev 0/Size 1>>\nstartxref\n0\n%%EOF",
}


@pytest.mark.parametrize("what", HOSTILE)
def test_a_hostile_file_is_unreadable(what: str) -> None:
    with pytest.raises(InputError, match=r"x\.pdf: expected a whole PDF"):
        asking.read(HOSTILE[what], "x.pdf")


def read_or_refused(content: bytes) -> bool:
    try:
        asking.read(content, "x.pdf")
    except InputError as error:
        return "x.pdf" in str(error)
    return True


def test_a_stream_that_swells_and_a_count_without_end_harm_nobody() -> None:
    page = stream(bomb(), b"/Filter[/FlateDecode/FlateDecode]")
    assert read_or_refused(written(CATALOGUE, PAGES, PAGE, page))
    assert read_or_refused(written(CATALOGUE, b"<</Type/Pages/Kids[]/Count 99999999999>>"))


def test_a_file_of_more_pages_than_anything_of_ours_is_refused() -> None:
    kids = b" ".join([b"3 0 R"] * 10_001)
    with pytest.raises(InputError, match="pages, expected at most 10000"):
        asking.read(written(CATALOGUE, b"<</Type/Pages/Kids[%b]/Count 10001>>" % kids, PAGE, stream(b"")), "x.pdf")


def test_a_file_that_is_too_large_is_refused_unread(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(asking, "MOST_BYTES", 10)
    with pytest.raises(InputError, match="more than 10"):
        asking.read(blank(), "x.pdf")


def test_a_reader_that_takes_too_long_or_dies_or_talks_nonsense_is_an_unreadable_file(monkeypatch: pytest.MonkeyPatch) -> None:
    real = subprocess.run

    def exchanged(code: str):
        return lambda _command, **options: real([sys.executable, "-c", code], **options | {"timeout": 2})

    for code, said in (
        ("import time; time.sleep(9)", "takes longer"),
        ("import os; os.kill(os.getpid(), 9)", r"ends its reader \(signal 9\)"),
        ("print('[]')", "broke off"),
        ("print('{}')", "broke off"),
        ("print('nonsense')", "ends its reader"),
    ):
        monkeypatch.setattr(asking.subprocess, "run", exchanged(code))
        with pytest.raises(InputError, match=said):
            asking.read(blank(), "x.pdf")


def test_a_library_that_is_missing_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(InputError, match="the package pypdfium2, to read a PDF"):
        asking._sound({"lacking": "pypdfium2"}, "x.pdf")


def test_code_in_the_folder_in_which_somebody_stands_is_not_run(tmp_path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("json", "pypdf", "resource", "auditor"):
        (tmp_path / f"{name}.py").write_text("raise SystemExit('run')")
    monkeypatch.chdir(tmp_path)
    assert asking.read(blank(), "x.pdf").embedded == 0


@settings(max_examples=5, deadline=None)
@given(st.binary(max_size=40), st.integers(0, 500))
def test_damage_anywhere_is_read_or_refused(noise: bytes, place: int) -> None:
    whole = blank()
    assert read_or_refused(whole[:place] + noise + whole[place:])
