"""Extended attributes of files and folders are searched, and explained by nobody."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Final

import pytest

from auditor.base.domain import Verdict
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


def test_what_the_file_system_keeps_for_itself_is_left_out(case: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "listxattr", lambda *_, **__: ["security.selinux", "system.posix_acl_access"])
    assert audited(case).verdict is Verdict.PASS


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
