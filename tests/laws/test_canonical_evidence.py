"""The bytes of evidence are its RFC 8785 form, however many requests it holds and whatever their names are."""

from __future__ import annotations

import dataclasses

import pytest
import rfc8785
from hypothesis import given
from hypothesis import strategies as st

import report_examples as examples

EVIDENCE = examples.build(checks=(), certificates=(), guarantees=()).evidence
(REQUEST,) = examples.requests(1)
TEXT = st.text(st.characters(exclude_categories=("Cs",)))


@given(TEXT, st.lists(TEXT, max_size=3).map(tuple), st.integers(-(2**53) + 1, 2**53 - 1), st.none() | st.integers(-99, 99))
def test_requests_are_written_as_the_general_encoder_writes_them(name, guarantees, records, days):
    request = dataclasses.replace(REQUEST, request_id=name, guarantees=guarantees, records=records, days=days)
    evidence = EVIDENCE.model_copy(update={"requests": (request, REQUEST)})
    assert evidence.to_bytes() == rfc8785.dumps(evidence.model_dump(mode="json", by_alias=True))


@pytest.mark.parametrize("example", [examples.passing, examples.failing, examples.broken_off])
def test_whole_documents_are_too(example):
    evidence = example().evidence
    assert evidence.to_bytes() == rfc8785.dumps(evidence.model_dump(mode="json", by_alias=True))


@pytest.mark.parametrize("wrong", [{"request_id": "half \ud800"}, {"records": 2**53}, {"days": -(2**53)}])
def test_what_has_no_canonical_form_is_refused(wrong):
    evidence = EVIDENCE.model_copy(update={"requests": (dataclasses.replace(REQUEST, **wrong),)})
    with pytest.raises(ValueError, match=r"surrogate|exceeds|encodable|codepoints"):
        evidence.to_bytes()
