"""Parts of ids and addresses: met wherever they are free to be written, unless somebody who stays has them too."""

from __future__ import annotations

import hashlib

import pytest

from auditor.parts.places.observing.pieces import Pieces

GONE = (("CU-145954", "CU-145954"), ("Vera.Uhlenbrock1230@example.org", "CU-145954"), ("anna@example.org", "CU-000017"))
KEPT = ("CU-200001", "tom.berg77@example.org", "call 882345 at noon")
PIECES = Pieces.of(GONE, KEPT)


@pytest.mark.parametrize(
    "written",
    [
        "CREATE TABLE t145954 (a)",
        "LanceDB/t_145954.lance",
        "user: vera.uhlenbrock1230",
        "VERA.UHLENBROCK1230, called back",
        f"t{hashlib.md5(b'vera.uhlenbrock1230@example.org', usedforsecurity=False).hexdigest()}",
        hashlib.sha256(b"CU-145954").hexdigest().upper(),
    ],
)
def test_a_part_of_a_deleted_person_is_met(written: str) -> None:
    assert PIECES.met_in(written.encode()) == {"CU-145954"}


@pytest.mark.parametrize(
    "written",
    [
        "1459541 and 3145954",
        "xvera.uhlenbrock1230",
        "vera.uhlenbrock12305",
        "anna",
        "CU-000018",
        hashlib.md5(b"anyone", usedforsecurity=False).hexdigest(),
    ],
)
def test_what_goes_on_or_is_short_is_nobodys(written: str) -> None:
    assert PIECES.met_in(written.encode()) == set()


def test_what_somebody_who_stays_has_too_tells_nobody() -> None:
    both = Pieces.of([("X-882345", "a"), ("tom.berg77@elsewhere.org", "b")], KEPT)
    assert both.met_in(b"882345 tom.berg77") == set()


def test_nobody_deleted_is_nobody_met() -> None:
    assert Pieces.of([], KEPT).met_in(b"145954") == set()
