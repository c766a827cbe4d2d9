"""A text from a seeded grammar, in the place of the Penn Treebank: sentences of words whose frequencies follow Zipf's law."""

from __future__ import annotations

from functools import cache
from typing import Final

import numpy as np

from auditor.base.draws import generator
from benchmarks.paper.inference.data import Floats

SENTENCES: Final = 4000
CLASSES: Final = {"determiner": 8, "adjective": 150, "noun": 600, "verb": 250, "adverb": 60, "preposition": 14, "conjunction": 4}
"""How many words of each class there are; their sum is the vocabulary."""
WORDS: Final = sum(CLASSES.values())


@cache
def text() -> Floats:
    """One row a sentence: codes of its words from 1, then zeros."""
    rng = generator(0, "grammar")
    sentences = [_sentence(rng) for _ in range(SENTENCES)]
    rows = np.zeros((SENTENCES, max(map(len, sentences))))
    for row, sentence in zip(rows, sentences, strict=True):
        row[: len(sentence)] = sentence
    return rows


def _word(kind: str, rng: np.random.Generator) -> int:
    names = list(CLASSES)
    first = 1 + sum(CLASSES[name] for name in names[: names.index(kind)])
    weights = 1.0 / np.arange(1, CLASSES[kind] + 1)
    return first + int(rng.choice(CLASSES[kind], p=weights / weights.sum()))


def _noun_phrase(rng: np.random.Generator, depth: int = 0) -> list[int]:
    found = [_word("determiner", rng)]
    found += [_word("adjective", rng) for _ in range(int(rng.geometric(0.6)) - 1)]
    found.append(_word("noun", rng))
    if depth < 2 and rng.random() < 0.3:
        found += [_word("preposition", rng), *_noun_phrase(rng, depth + 1)]
    return found


def _sentence(rng: np.random.Generator) -> list[int]:
    found = [*_noun_phrase(rng), *([_word("adverb", rng)] if rng.random() < 0.3 else []), _word("verb", rng), *_noun_phrase(rng)]
    while rng.random() < 0.35:
        found += [_word("conjunction", rng), *_noun_phrase(rng), _word("verb", rng), *_noun_phrase(rng)]
    return found
