"""Digests of an id are met, cut to eight digits too, and so is what a word says in another code."""

from __future__ import annotations

import base64
import hashlib
import random
import zlib

import pytest

from auditor.parts.places.observing.codes import Digests, readings

EMAIL = "frieda.tannhauser7803@example.org"
DIGESTS = Digests({EMAIL: frozenset({"CU-117109"}), "CU-117109": frozenset({"CU-117109"}), "CU-200001": frozenset({"CU-200001"})})


def digest(kind: str, text: str = EMAIL) -> str:
    return hashlib.new(kind, text.encode(), usedforsecurity=False).hexdigest()


@pytest.mark.attempt("digests cut short")
@pytest.mark.parametrize(
    "written",
    [
        f"key {digest('md5')[:8]}",
        digest("md5")[:8].upper(),
        digest("sha256", "CU-117109")[:10],
        f"users-{digest('sha1', '117109')[:12]}.csv",
        f"0x{zlib.crc32(EMAIL.encode()):08x}",
        digest("sha512", "cu-117109"),
        base64.b64encode(bytes.fromhex(digest("md5"))).decode(),
        base64.urlsafe_b64encode(bytes.fromhex(digest("sha256"))[:9]).decode(),
    ],
)
def test_a_digest_is_met_whole_or_cut(written: str) -> None:
    assert DIGESTS.met_in(written) == {"CU-117109"}


@pytest.mark.parametrize(
    "written", [digest("md5")[:7], digest("md5", "anyone")[:8], f"x{digest('md5')[:8]}", "deadbeef", "20110822"]
)
def test_other_words_are_nobodys(written: str) -> None:
    assert DIGESTS.met_in(written) == set()


def test_of_many_people_more_digits_are_asked_for() -> None:
    many = Digests({f"CU-{each}": frozenset({str(each)}) for each in range(60_000, 62_500)})
    draw = random.Random(1)
    assert not any(many.met_in(f"{draw.getrandbits(32):08x}") for _ in range(20_000))
    assert many.met_in(digest("md5", "CU-61000")[:10]) == {"61000"}


@pytest.mark.parametrize(
    "written", ["key MTE3MTA5", "313137313039", "901711", base64.b32encode(b"no 117109").decode(), "Q1UtMTE3MTA5"]
)
def test_a_text_is_read_in_other_codes(written: str) -> None:
    assert any("117109" in each for each in readings(written))


def test_a_text_is_read_in_rot13() -> None:
    assert "frieda tannhauser" in readings("sevrqn gnaaunhfre")
