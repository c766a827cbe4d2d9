"""However many ids are looked for in a text, each is found exactly where it stands by itself."""

from __future__ import annotations

import re

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from auditor.parts.store.observing.record_forms import Records, tells, text_forms

ALPHABET = 'ab1-_. \n"é/ß字'
IDS = st.lists(st.text(ALPHABET, min_size=1, max_size=6), min_size=1, max_size=4, unique=True)


@given(IDS, st.lists(st.text(ALPHABET, max_size=6), max_size=6), st.data())
def test_the_ids_found_are_those_that_a_search_one_by_one_finds(ids, pieces, data):
    mixed = data.draw(st.permutations([*pieces, *ids]))
    text = "".join(mixed)
    records = Records(tuple(ids), np.empty((0, 2)), (), np.empty(0))
    one_by_one = {
        record
        for record in ids
        if tells(record) and any(re.search(rf"(?<![\w-]){re.escape(form)}(?![\w-])", text) for form in text_forms(record))
    }
    assert records.in_text(text, short_ids=False) == one_by_one
