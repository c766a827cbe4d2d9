"""A report says of itself that it is signed only while the run that signs it lays it out, and then on every page."""

from __future__ import annotations

import io

from pypdf import PdfReader

import report_examples as examples
from auditor.pages import render

KEY_ID = "0123456789abcdef" * 4
FOOT = "signed: key 0123456789abcdef, statement.dsse.json"


def test_every_page_of_a_signed_report_names_key_and_statement_and_none_says_unsigned() -> None:
    evidence = examples.broken_off()
    reader = PdfReader(io.BytesIO(render.pdf(evidence, signed_by=KEY_ID)))
    texts = [" ".join(page.extract_text().split()) for page in reader.pages]
    assert all(f"{FOOT} · evidence" in text for text in texts)
    assert not any("UNSIGNED" in text for text in texts)
    assert KEY_ID in texts[0], "the cover names the whole key"
    assert reader.attachments["evidence.json"] == [evidence.evidence.to_bytes()], "a signature changes nothing in the evidence"


def test_the_page_for_the_screen_says_the_same() -> None:
    signed, unsigned = render.html(examples.passing(), signed_by=KEY_ID), render.html(examples.passing())
    assert signed.count(FOOT) == 2, "head of the body, foot"
    assert "UNSIGNED" not in signed
    assert unsigned.count("UNSIGNED") == 4
    assert "statement.dsse.json" not in unsigned
    assert "together with both renderings of the report, and with the model file where there is one" in signed
