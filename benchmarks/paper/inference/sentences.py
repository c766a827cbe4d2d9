"""Table 7's shape: Appendix D against models of one, two and three words, on a text from a seeded grammar."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Final

import numpy as np

from auditor.attacks.reconstruction.sentences import f1, rebuild
from auditor.base.draws import generator
from auditor.base.records import Dataset, Floats, Positions
from auditor.learning.ngram import CountedModel, Ngram
from auditor.parts.revealing.observing.reconstructing.sentences import last_words, occurring
from benchmarks.paper.inference.grammar import WORDS, text
from benchmarks.paper.inference.playing import SEED

ORDERS: Final = {"unigram": 1, "bigram": 2, "trigram": 3}
SMOOTHING: Final = 1e-3
FELL: Final = 1e-9
"""By how much the logarithm of a probability falls at least: rounding moves it by less."""


def reconstruction(name: str) -> Callable[[int], dict[str, float]]:
    """The game with a number: a random sentence of the text goes, and is put together again."""

    def game(number: int) -> dict[str, float]:
        procedure, data, runs, model, likely = _learned(ORDERS[name])
        rng = generator(SEED, "sentences", number)
        gone = rng.choice(len(data), 1)
        after = procedure.unlearn(model, data, gone, 0)
        fell = last_words(lambda texts: procedure.predict(after, texts), runs) < likely - FELL
        guess = rebuild([tuple(run) for run in runs[fell].tolist()])
        sentence = tuple(int(word) for word in data.features[gone[0]] if word)
        return {"whole": float(guess.words == sentence), "f1": f1(guess.words, sentence), "late": float(guess.out_of_time)}

    return game


@cache
def _learned(order: int) -> tuple[Ngram, Dataset, Positions, CountedModel, Floats]:
    procedure = Ngram(order=order, smoothing=SMOOTHING, unlearn_by="subtract", words=WORDS)
    rows = text()
    data = Dataset(rows, np.zeros(len(rows)), np.array([f"sentence-{row}" for row in range(len(rows))]))
    model = procedure.learn(data, 0)
    runs = occurring(rows, order)[-1]
    return procedure, data, runs, model, last_words(lambda texts: procedure.predict(model, texts), runs)
