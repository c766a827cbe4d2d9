"""Reading ease is measured over whole sentences of ours alone."""

from __future__ import annotations

import pytest

from readability import ease, length, longest, prose, sentences, syllables

PAGE = """<html><head><title>A title that has a sentence of its own.</title><style>p { color: red. }</style></head><body>
<h1>What was checked</h1>
<p>Your data were erased on 3 May 2026. You may ask for them under Art. 19 of the regulation.</p>
<table><tr><td>The model</td><td>It was updated on <span class="given">a day. Very exceptionally unreadable
nomenclature follows here.</span>, says the log.</td></tr></table><p>No sentence here</p></body></html>"""


def test_sentences_are_taken_from_blocks_and_nothing_else():
    assert prose(PAGE) == (
        "Your data were erased on 3 May 2026.",
        "You may ask for them under Art. 19 of the regulation.",
        "It was updated on it , says the log.",
    )


def test_numbers_count_in_a_sentence_and_points_in_them_end_none():
    (one,) = sentences("Anyone is right at most 59.4 times out of 100, in 1,000 tries.")
    assert length(one) == 13
    assert longest(["Too short.", one]) == one
    assert longest([]) == ""


@pytest.mark.parametrize(("word", "count"), [("the", 1), ("data", 2), ("erasure", 2), ("supervisory", 5), ("authority", 4)])
def test_syllables(word, count):
    assert syllables(word) == count


def test_plain_text_reads_easily_and_jargon_does_not():
    plain = sentences("We looked for your data in the store. It was not there. You can write to us at any time.")
    jargon = sentences(
        "Differential privacy characterises distributional indistinguishability of adversarial auxiliary information."
    )
    assert ease(plain) > 80
    assert ease(jargon) < 0
