"""Digests lie in arrays, and are found there as in a plain list of them: anywhere in bytes, whosever they are."""

from __future__ import annotations

import hashlib
import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st

from auditor.parts.store.observing import known_digests
from auditor.parts.store.observing.known_digests import KINDS, TOLD, KnownDigests

FORMS = [(f"C-{each // 2}" if each % 2 else f"c-{each // 2}", f"C-{each // 2}") for each in range(40)] + [("C-7", "shared")]
KNOWN = KnownDigests.of(FORMS)
PLAIN = [(hashlib.new(kind, form.encode()).digest()[:TOLD], text) for form, text in FORMS for kind in KINDS]
PIECES = st.one_of(st.binary(max_size=12), st.sampled_from(PLAIN).map(lambda each: each[0]), st.just(PLAIN[0][0][:-1]))


@pytest.mark.parametrize("texts", [None, {"C-7", "C-8"}, {"shared"}, set()])
@given(pieces=st.lists(PIECES, max_size=6))
def test_what_is_in_bytes_is_what_a_plain_search_has(texts: set[str] | None, pieces: list[bytes]) -> None:
    content = b"".join(pieces)
    known = KNOWN if texts is None else KNOWN.only(texts)
    assert known.owners_in(content) == {text for begin, text in PLAIN if begin in content and (texts is None or text in texts)}


def test_it_is_found_wherever_blocks_begin_and_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(known_digests, "_BLOCK", 32)
    for place in range(70):
        assert KNOWN.owners_in(bytes(place) + PLAIN[0][0] + bytes(70 - place)) == {PLAIN[0][1]}


def test_nobody_has_none() -> None:
    assert KnownDigests.of().owners_in(b"any bytes at all") == set()
    assert KNOWN.only(()).owners_in(PLAIN[0][0]) == set()


def test_digests_of_some_share_the_memory_of_all() -> None:
    some = KNOWN.only({"C-7"})
    assert some.beginnings is KNOWN.beginnings
    one, other = pickle.loads(pickle.dumps((KNOWN, some)))
    assert one.beginnings is other.beginnings


def test_two_texts_with_one_form_have_as_many_different_digests_as_one() -> None:
    assert KNOWN.different == len(KNOWN) - len(KINDS) == 40 * len(KINDS)
