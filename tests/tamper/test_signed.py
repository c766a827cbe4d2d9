"""Whoever changes a signed file, in whatever way, does not get another statement verified."""

from __future__ import annotations

import base64
import json
from typing import Any

import pytest
import rfc8785
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from hypothesis import given
from hypothesis import strategies as st

import signed
from auditor.base.errors import InputError, SignatureError
from auditor.recheck import signing

ENVELOPE = signing.sign(signed.STATEMENT, signed.signer())
ORDER = 2**252 + 27742317777372353535851937790883648493
"""Of the group of Ed25519 (RFC 8032, section 5.1)."""


def refused(envelope: bytes, why: str = ".", key: bytes = signed.PUBLIC) -> None:
    with pytest.raises(SignatureError, match=why):
        signing.verify(envelope, key)


def test_the_untouched_envelope_verifies() -> None:
    assert signing.verify(ENVELOPE, signed.PUBLIC) == signed.STATEMENT


def test_every_single_bit_counts() -> None:
    for place in range(len(ENVELOPE)):
        for bit in range(8):
            flipped = bytearray(ENVELOPE)
            flipped[place] ^= 1 << bit
            with pytest.raises(SignatureError):
                signing.verify(bytes(flipped), signed.PUBLIC)


@given(st.data())
def test_no_cut_no_insertion_and_no_exchange_verifies(data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(ENVELOPE)))
    end = data.draw(st.integers(start, len(ENVELOPE)))
    changed = ENVELOPE[:start] + data.draw(st.binary(max_size=12)) + ENVELOPE[end:]
    if changed != ENVELOPE:
        refused(changed)


@given(st.binary(max_size=200) | st.text(max_size=100).map(str.encode))
def test_arbitrary_bytes_are_refused_and_nothing_else_happens(content: bytes) -> None:
    refused(content)


TYPE = st.just("https://in-toto.io/Statement/v1")
JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-9, 9) | st.floats(allow_nan=False, allow_infinity=False) | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=8,
)


@given(st.fixed_dictionaries({"payload": JSON, "payloadType": JSON | st.just(signing.PAYLOAD_TYPE), "signatures": JSON}))
def test_arbitrary_values_in_the_right_places_are_refused(document: dict[str, Any]) -> None:
    refused(rfc8785.dumps(document))


@given(st.fixed_dictionaries({"_type": TYPE, "subject": JSON}, optional={"predicate": JSON}))
def test_a_right_signature_makes_no_statement_of_what_is_none(document: dict[str, Any]) -> None:
    refused(signed.enveloped(rfc8785.dumps(document)))


def test_another_key_is_turned_away_even_under_the_name_of_ours() -> None:
    other = signing.generate(None)
    refused(ENVELOPE, "no signature by this key", other.public_pem)
    entry = json.loads(ENVELOPE)["signatures"][0]
    refused(signed.changed(ENVELOPE, signatures=[entry | {"keyid": other.key_id}]), "does not fit", other.public_pem)
    refused(signed.enveloped(signed.STATEMENT.to_bytes(), key=Ed25519PrivateKey.generate()), "does not fit")


def test_what_is_no_key_is_bad_input() -> None:
    with pytest.raises(InputError, match="Ed25519 public key"):
        signing.verify(ENVELOPE, b"no key")


def test_a_signature_for_another_payload_type_does_not_serve_for_ours() -> None:
    payload = signed.STATEMENT.to_bytes()
    other = signed.enveloped(payload, "text/plain")
    refused(other, "another payload type")
    refused(signed.changed(other, payloadType=signing.PAYLOAD_TYPE), "does not fit")


def test_the_second_signature_that_the_curve_allows_is_refused() -> None:
    """S + L is the same number modulo the group's order L, and was once accepted by many (RFC 8032, section 5.1.7)."""
    entry = json.loads(ENVELOPE)["signatures"][0]
    signature = base64.b64decode(entry["sig"])
    number = int.from_bytes(signature[32:], "little") + ORDER
    twin = base64.b64encode(signature[:32] + number.to_bytes(32, "little")).decode()
    refused(signed.changed(ENVELOPE, signatures=[entry | {"sig": twin}]), "does not fit")


def test_extra_signatures_none_at_all_and_extra_keys_are_refused() -> None:
    (entry,) = json.loads(ENVELOPE)["signatures"]
    refused(signed.changed(ENVELOPE, signatures=[entry, entry]), "exactly one")
    refused(signed.changed(ENVELOPE, signatures=[]), "exactly one")
    refused(signed.changed(ENVELOPE, signatures=[{"sig": entry["sig"]}]), "keyid and sig")
    refused(signed.changed(ENVELOPE, signatures=[entry | {"cert": ""}]), "keyid and sig")
    refused(signed.changed(ENVELOPE, note="read me first"), "nothing else")
    assert signing.verify(signed.changed(ENVELOPE), signed.PUBLIC) == signed.STATEMENT


def test_a_key_given_twice_and_bytes_behind_the_end_are_refused() -> None:
    refused(ENVELOPE[:-1] + b"," + ENVELOPE[1:], "canonical")
    for behind in (b"\n", b" ", b"{}", b"\x00", ENVELOPE):
        refused(ENVELOPE + behind)
    twice = signed.STATEMENT.to_bytes().replace(b'"predicate":', b'"predicate":{"a":2},"predicate":')
    refused(signed.enveloped(twice), "canonical")


def test_other_spellings_of_the_same_are_refused() -> None:
    document = json.loads(ENVELOPE)
    refused(json.dumps(document).encode(), "canonical")
    refused(ENVELOPE.decode().encode("utf-16"), "no JSON")
    refused(b"\xef\xbb\xbf" + ENVELOPE)
    payload = document["payload"]
    for other in (payload.rstrip("="), payload[:4] + "\n" + payload[4:], "+/8", "-_8=", "//9="):
        refused(signed.changed(ENVELOPE, payload=other), "base64")


def test_a_huge_file_is_refused_before_it_is_read_and_a_deep_one_without_a_crash() -> None:
    refused(b" " * (signing.MAX_BYTES + 1), "1048577 bytes")
    refused(b"[" * signing.MAX_BYTES, "no JSON object that can be read")
    refused(b'{"payload":' + b"9" * 100_000 + b"}", "no JSON object that can be read")
    refused(b"[]", "no JSON object$")
    refused(signed.enveloped(b"[" * 100_000), "no JSON object that can be read")


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ({"_type": "https://in-toto.io/Statement/v0.1"}, "no in-toto Statement v1"),
        ({"_type": None}, "no in-toto Statement v1"),
        ({"subject": []}, "no subject"),
        ({"subject": {}}, "no list of objects"),
        ({"subject": ["evidence.json"]}, "no list of objects"),
        ({"subject": [{"digest": {"sha256": "ab" * 32}}]}, "without a name"),
        ({"subject": [{"name": 1, "digest": {"sha256": "ab" * 32}}]}, "without a name"),
        ({"subject": [{"name": "a", "digest": {"sha1": "ab" * 20}}]}, "no SHA-256"),
        ({"subject": [{"name": "a", "digest": "ab" * 32}]}, "no SHA-256"),
        ({"subject": [{"name": "a", "digest": {"sha256": "ab" * 32}}] * 2}, "twice"),
        ({"predicateType": 7}, "no predicate type"),
        ({"predicate": []}, "predicate is no object"),
        ({"predicate": None}, "predicate is no object"),
    ],
)
def test_a_signed_payload_that_is_no_statement_is_refused(change: dict[str, Any], why: str) -> None:
    document = json.loads(signed.STATEMENT.to_bytes()) | change
    refused(signed.enveloped(rfc8785.dumps(document)), why)


def test_what_this_version_does_not_know_is_passed_over_as_in_toto_asks() -> None:
    document = json.loads(signed.STATEMENT.to_bytes()) | {"later": True}
    document["subject"][0]["mediaType"] = "application/json"
    assert signing.verify(signed.enveloped(rfc8785.dumps(document)), signed.PUBLIC) == signed.STATEMENT
    del document["predicate"]
    assert signing.verify(signed.enveloped(rfc8785.dumps(document)), signed.PUBLIC).predicate == {}


def test_an_old_statement_beside_new_results_fits_none_of_them() -> None:
    old, new = signed.results("passing"), signed.results("failing")
    envelope = signing.sign(signing.about(old)[signing.STATEMENT_FILE], signed.signer())
    statement = signing.verify(envelope, signed.PUBLIC)
    assert signing.mismatches(statement, old) == ()
    assert signing.mismatches(statement, {"evidence.json": new["evidence.json"]}) == ("evidence.json",)


def test_the_name_of_a_file_is_signed_with_its_digest() -> None:
    files = signed.results()
    statement = signing.about(files)[signing.STATEMENT_FILE]
    assert signing.mismatches(statement, {"report.pdf": files["report.html"]}) == ("report.pdf",)
