"""A digest of a deleted person's id, address or number in somebody else's row is found; one that others have too is met."""

from __future__ import annotations

import base64
import hashlib
import json
import sqlite3
import uuid
from collections.abc import Callable
from pathlib import Path

import pandas as pd
import pytest

from auditor.api import check
from auditor.base.domain import Verdict
from auditor.parts.places.observing import sought
from tests.parts.places.test_places import ATTESTED, CASE, TABLE, write

NAMES = ("id", "email", "phone", "reference")
PEOPLE = [(f"C-{at:04d}", f"p{at}@mail.example", f"+49 30 {3977500 + 91 * at}") for at in range(1, 61)]
GONE = PEOPLE[2]
ID, EMAIL, PHONE = GONE
WORDS = ATTESTED.format(words='"copies-are-others"')


def digest(text: str, kind: str = "sha256") -> bytes:
    return hashlib.new(kind, text.encode(), usedforsecurity=False).digest()


def own(record: str) -> str:
    """What everybody has in the column of digests."""
    return digest(f"{record} of nobody").hex()


def rows(reference: str, *, at: int = 10) -> list[tuple[str, ...]]:
    return [(*row, reference if row[0] == PEOPLE[at][0] else own(row[0])) for row in PEOPLE if row != GONE]


def verdict(
    folder: Path, held: list[tuple[str, ...]], gone: tuple[str, ...] = GONE, words: str = "", *, terms: bool = True
) -> Verdict:
    write(folder / "people.csv", [(*gone, own(ID)), *held], NAMES)
    (folder / "here").mkdir(exist_ok=True)
    write(folder / "here" / "now.csv", held, NAMES)
    return checked(folder, gone, words, terms=terms)


def checked(folder: Path, gone: tuple[str, ...] = GONE, words: str = "", *, terms: bool = True) -> Verdict:
    row = {
        "request_id": "R-1", "record_ids": [gone[0]], "received_at": "2026-10-01T09:00:00+00:00",
        "executed_at": "2026-10-05T09:00:00+00:00", "terms": list(gone[1:]) if terms else [],
    }  # fmt: skip
    (folder / "deletions.jsonl").write_text(json.dumps(row) + "\n", encoding="utf-8")
    (folder / "audit.toml").write_text(CASE.format(here='"here"') + TABLE + words, encoding="utf-8")
    return check(folder).verdict


WAYS: dict[str, Callable[[str], str]] = {
    "upper case": lambda text: digest(text).hex().upper(),
    "base64": lambda text: base64.b64encode(digest(text)).decode(),
    "base64 for URLs": lambda text: base64.urlsafe_b64encode(digest(text)).decode().rstrip("="),
    "SHA-512": lambda text: digest(text, "sha512").hex(),
    "SHA-384": lambda text: digest(text, "sha384").hex(),
    "SHA-224": lambda text: digest(text, "sha224").hex(),
    "sixteen digits": lambda text: digest(text, "md5").hex()[:16],
    "UUID": lambda text: str(uuid.UUID(bytes=digest(text, "md5"))),
    "MD5": lambda text: digest(text, "md5").hex(),
    "within an address": lambda text: f"https://avatars.example/{digest(text, 'md5').hex()}?s=80",
    "with colons": lambda text: digest(text).hex(":"),
}


@pytest.mark.attempt("digests in rows of others")
@pytest.mark.parametrize("way", WAYS)
def test_a_digest_of_an_id_an_address_or_a_number_fails(tmp_path: Path, way: str) -> None:
    for text in (ID, EMAIL, EMAIL.upper(), PHONE, "+49303977773", "49303977773"):
        assert verdict(tmp_path, rows(WAYS[way](text)), words=WORDS) is Verdict.FAIL
    for text in (ID, EMAIL, PHONE):
        assert verdict(tmp_path, rows(WAYS[way](text)), words=WORDS, terms=False) is Verdict.FAIL


@pytest.mark.attempt("digests in rows of others")
def test_a_digest_is_found_where_deleted_people_are_too_many_for_other_spellings(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sought, "_MOST_SPELT", 0)
    for text in (ID, EMAIL, PHONE):
        assert verdict(tmp_path, rows(digest(text).hex()), words=WORDS) is Verdict.FAIL


@pytest.mark.attempt("digests in rows of others")
def test_eight_digits_of_a_digest_leave_a_place_open(tmp_path: Path) -> None:
    for text in (ID, EMAIL, PHONE):
        assert verdict(tmp_path, rows(digest(text, "md5").hex()[:8])) is Verdict.INCONCLUSIVE


@pytest.mark.attempt("digests in rows of others")
def test_a_digest_as_bytes_of_a_database_or_of_parquet_is_found(tmp_path: Path) -> None:
    verdict(tmp_path, rows(own("anybody")))
    (tmp_path / "here" / "now.csv").unlink()
    table = pd.DataFrame(rows(own("anybody")), columns=NAMES)
    table["reference"] = [digest(EMAIL) if at == 3 else digest(f"{at} of nobody") for at in range(len(table))]
    table.to_parquet(tmp_path / "here" / "now.parquet", index=False)
    assert checked(tmp_path) is Verdict.FAIL
    (tmp_path / "here" / "now.parquet").unlink()
    with sqlite3.connect(tmp_path / "here" / "now.sqlite") as database:
        table.to_sql("people", database, index=False)
    database.close()
    assert checked(tmp_path) is Verdict.FAIL


def test_digests_of_people_who_stay_and_of_what_they_share_accuse_nobody(tmp_path: Path) -> None:
    assert verdict(tmp_path, rows(digest("C-0011").hex().upper())) is Verdict.PASS
    assert verdict(tmp_path, rows(str(uuid.UUID(bytes=digest("p11@mail.example", "md5"))))) is Verdict.PASS
    for shared in (1, 2):
        other = list(PEOPLE[10])
        other[shared] = GONE[shared]
        for way in ("MD5", "upper case", "UUID", "SHA-512"):
            held = [(*other, WAYS[way](GONE[shared])) if row[0] == other[0] else row for row in rows(own("C-0011"))]
            assert verdict(tmp_path, held) is Verdict.INCONCLUSIVE
            assert verdict(tmp_path, held, words=WORDS) is Verdict.PASS
