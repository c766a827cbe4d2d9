"""Ids and telling texts are met in a text, in few looks at it, as a plain search meets each of them."""

from __future__ import annotations

import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from auditor.parts.store.observing import cells
from auditor.parts.store.observing.cells import Cells
from auditor.parts.store.observing.record_forms import Records, text_forms

IDS = ("Jonas Hahn", "C-0003", "+49 30 1234567", "a<b>c", "...!", "Ümit", "hahn.jonas@mail.example", "Jonas Hahn Maier")
RECORDS = Records(IDS, np.zeros((0, 1)), (), np.zeros((0, 1)))
OWN = Cells(
    {}, (frozenset({"Main St. 31"}),), own={"Main St. 3": ("r1",), "Main St. 3, Jonas": ("r2", "r3"), "Größe 12": ("r4",)}
)
PIECES = st.sampled_from(
    [*IDS, *OWN.own, "Main St. 31", "a&lt;b&gt;c", "Jonas", "Hahn", " ", "-", "_", ".", "\n", "x", "ß", "\ud800"]
)
TEXTS = st.lists(PIECES, max_size=8).map("".join)


@given(TEXTS)
def test_an_id_is_met_by_itself_alone(text: str) -> None:
    assert RECORDS.in_text(text) == {
        each for each in IDS for form in text_forms(each) if re.search(rf"(?<![\w-]){re.escape(form)}(?![\w-])", text)
    }


@given(text=TEXTS)
@pytest.mark.parametrize("long", [0, 1 << 14])
def test_a_telling_text_is_met_in_short_and_long_texts(long: int, text: str) -> None:
    before, cells._LONG = cells._LONG, long  # type: ignore[misc]
    try:
        met = OWN.in_text(text)
    finally:
        cells._LONG = before  # type: ignore[misc]
    assert met == {each for form, whose in OWN.own.items() if form in text.replace("Main St. 31", "\0") for each in whose}
