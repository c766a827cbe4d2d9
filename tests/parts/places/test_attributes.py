"""Extended attributes of files and folders are searched, and explained by nobody."""

from __future__ import annotations

import json
import os
import struct
from pathlib import Path
from typing import Final

import pytest

from auditor.base.domain import Verdict
from auditor.parts.places.observing import searching
from tests.parts.places.test_places import GONE, PEOPLE, audited, case, seen

__all__ = ["case"]

ROW: Final = json.dumps(PEOPLE[16])

pytestmark = pytest.mark.skipif(not hasattr(os, "setxattr"), reason="a platform without extended attributes")


def _set(path: Path, name: str, value: str) -> None:
    os.setxattr(path, name, value.encode())


@pytest.mark.parametrize("where", ["here", "here/now.csv", "here/empty"])
def test_a_deleted_person_in_an_attribute_is_found(case: Path, where: str) -> None:
    (case / "here" / "empty").mkdir(exist_ok=True)
    _set(case / where, "user.comment", ROW)
    found = audited(case)
    assert found.verdict is Verdict.FAIL
    assert seen(found)["found"] == 1
    assert GONE[1] in ROW


@pytest.mark.parametrize("where", ["here", "here/now.csv"])
def test_an_attribute_is_explained_by_nothing(case: Path, where: str) -> None:
    _set(case / where, "user.k", "cmVjLTAwMDAx")
    found = audited(case)
    assert found.verdict is Verdict.INCONCLUSIVE
    assert seen(found)["unexplained"] == len("user.k\ncmVjLTAwMDAx")


def test_an_attribute_of_an_empty_file_counts_too(case: Path) -> None:
    (case / "here" / "now.csv").write_bytes(b"")
    _set(case / "here" / "now.csv", "user.k", "cmVjLTAwMDAx")
    assert seen(audited(case))["unexplained"] == len("user.k\ncmVjLTAwMDAx")


ACL: Final = "system.posix_acl_access"


def _system(monkeypatch: pytest.MonkeyPatch, content: bytes) -> None:
    monkeypatch.setattr(os, "listxattr", lambda *_, **__: [ACL])
    monkeypatch.setattr(os, "getxattr", lambda *_, **__: content)


def _allowing(user: int) -> bytes:
    """A list of who may read, as Linux keeps it."""
    entries = [(1, 6, 2**32 - 1), (2, 4, user), (4, 4, 2**32 - 1), (16, 4, 2**32 - 1), (32, 4, 2**32 - 1)]
    return struct.pack("<I", 2) + b"".join(struct.pack("<HHI", *each) for each in entries)


def test_what_the_file_system_keeps_for_itself_needs_no_explanation(case: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    _system(monkeypatch, _allowing(1000))
    assert audited(case).verdict is Verdict.PASS


DIGITS: Final = round(float(PEOPLE[16][3]) * 100)
"""What only they have, without its point."""


@pytest.mark.attempt("deleted people's numbers as owners of files")
def test_a_deleted_persons_number_among_who_may_read_leaves_the_place_open(case: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    _system(monkeypatch, _allowing(DIGITS))
    found = audited(case)
    assert found.verdict is Verdict.INCONCLUSIVE
    assert seen(found)["named"] == 1


@pytest.mark.attempt("deleted people's numbers as owners of files")
def test_a_deleted_persons_row_in_an_attribute_of_the_system_is_found(case: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    _system(monkeypatch, ROW.encode())
    assert audited(case).verdict is Verdict.FAIL


@pytest.mark.attempt("deleted people's numbers as owners of files")
@pytest.mark.parametrize("numbers", [(DIGITS, 0), (1000, DIGITS)])
def test_a_file_that_a_deleted_persons_number_owns_is_open(
    case: Path, monkeypatch: pytest.MonkeyPatch, numbers: tuple[int, int]
) -> None:
    monkeypatch.setattr(searching, "owners", lambda path: numbers if path.name == "now.csv" else (1000, 1000))
    found = audited(case)
    assert found.verdict is Verdict.INCONCLUSIVE
    assert seen(found)["named"] == 1


def test_an_attribute_that_is_called_like_those_of_the_system_is_searched(case: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "listxattr", lambda *_, **__: ["security.note"])
    monkeypatch.setattr(os, "getxattr", lambda *_, **__: ROW.encode())
    assert audited(case).verdict is Verdict.FAIL


def test_attributes_that_cannot_be_read_leave_the_place_open(case: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object, **__: object) -> bytes:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(os, "listxattr", lambda *_, **__: ["user.k"])
    monkeypatch.setattr(os, "getxattr", refuse)
    assert audited(case).verdict is Verdict.INCONCLUSIVE


def test_where_the_platform_has_none_nothing_changes(case: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(os, "listxattr")
    assert audited(case).verdict is Verdict.PASS
