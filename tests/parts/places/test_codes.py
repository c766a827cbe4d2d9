"""Digests of an id are met, cut to eight digits too, and so is what a word says in another code."""

from __future__ import annotations

import base64
import hashlib
import random
import uuid
import zlib

import pytest

from auditor.parts.places.observing.codes import Digests, digests_met, readings
from auditor.parts.store.observing.known_digests import KnownDigests

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


KNOWN = KnownDigests.of([(EMAIL, EMAIL), ("CU-117109", "CU-117109"), ("cu-117109", "CU-117109")])


def in_base64(kind: str, text: str = EMAIL) -> str:
    return base64.b64encode(bytes.fromhex(digest(kind, text))).decode()


@pytest.mark.attempt("digests in rows of others")
@pytest.mark.parametrize("kind", ["md5", "sha1", "sha224", "sha256", "sha384", "sha512"])
def test_a_whole_digest_is_found_in_any_code(kind: str) -> None:
    standard = in_base64(kind)
    for written in (
        digest(kind), digest(kind).upper(), f"0x{digest(kind)}", digest(kind)[:16], str(uuid.UUID(digest(kind)[:32])),
        f"{{{str(uuid.UUID(digest(kind)[:32])).upper()}}}", standard, standard.rstrip("="),
        standard.translate(str.maketrans("+/", "-_")), f'"user:{digest(kind)}"',
    ):  # fmt: skip
        assert digests_met(KNOWN, f"note, {written}; more") == ({EMAIL}, set())
    assert digests_met(KNOWN, digest(kind, "cu-117109"))[0] == {"CU-117109"}


@pytest.mark.attempt("digests in rows of others")
def test_of_a_digest_that_is_cut_short_eight_digits_are_met() -> None:
    assert digests_met(KNOWN, f"key {digest('md5')[:8]}") == (set(), {EMAIL})
    assert digests_met(KNOWN, digest("sha512", "CU-117109")[:12].upper()) == (set(), {"CU-117109"})
    assert digests_met(KNOWN, digest("md5")[:7]) == (set(), set())


def test_among_many_words_so_few_digits_are_nobodys() -> None:
    draw = random.Random(1)
    many = " ".join(f"{draw.getrandbits(32):08x}" for _ in range(300_000))
    assert digests_met(KNOWN, f"{many} {digest('md5')[:8]}") == (set(), set())
    assert digests_met(KNOWN, f"{many} {digest('md5')[:15]}") == (set(), {EMAIL})


def test_random_words_are_nobodys_digests() -> None:
    draw = random.Random(2)
    words = [f"{draw.getrandbits(64):016x}" for _ in range(20_000)] + [
        str(uuid.UUID(int=draw.getrandbits(128))) for _ in range(20_000)
    ]
    words += ["2025-05-24", "20250524", "DEADBEEF", digest("sha256", "anyone"), in_base64("sha256", "anyone")]
    assert digests_met(KNOWN, " ".join(words)) == (set(), set())


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
