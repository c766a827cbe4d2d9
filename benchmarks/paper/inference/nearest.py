"""Figure 3's shape: Algorithm 4.3 against 1-nearest neighbour on binarised digits, next to the same attack without a deletion.

Omniglot's labels there are languages, of many symbols each. Here a label stands for two digits (0 and 1, 2 and 3, …), so that
what is common to a label is no digit; and once more with the digits as labels.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import numpy as np

from auditor.base.draws import generator
from auditor.base.records import Dataset
from auditor.learning import leave_out_solvers
from auditor.learning.leave_out_solvers.rounds import Round
from benchmarks.paper.inference.data import Floats, Positions, records
from benchmarks.paper.inference.playing import SEED

KNOWN: Final = 140
"""Training records, as many as the paper has symbols; the adversary asks about all the others."""
_NEAREST: Final = {"estimator": "sklearn.neighbors.KNeighborsClassifier", "params": {"n_neighbors": 1}, "unlearn_by": "retrain"}


def binarised() -> Floats:
    """Digits of 64 pixels, each 0 or 1: ink where a pixel is at least half black."""
    return np.asarray(records("digits").features >= 8, dtype=np.float64)


def labels(pairs: bool) -> Positions:
    """The digits, or which pair of digits a picture belongs to."""
    found = np.asarray(records("digits").labels, dtype=np.int64)
    return found // 2 if pairs else found


def majority(rows: Floats) -> Floats:
    """Of each pixel the value that more rows have; 0 where as many have the other."""
    return np.asarray(rows.mean(axis=0) > 0.5, dtype=np.float64)


def attack(pairs: bool, number: int) -> dict[str, Any]:
    """One game: pictures of the deleted record and of both attacks, and the data and the model before it was deleted."""
    pixels, given = binarised(), labels(pairs)
    rng = generator(SEED, "nearest", number)
    order = rng.permutation(len(pixels))
    rows, asked = np.sort(order[:KNOWN]), np.sort(order[KNOWN:])
    gone = rng.choice(rows, 1)
    settings = {**_NEAREST, "classes": np.unique(given).tolist()}
    data = Dataset(pixels, given, np.array([f"digit-{row}" for row in range(len(pixels))]))
    (found,) = leave_out_solvers.play(settings, data, [Round(rows, (gone,), pixels[asked])])
    old, new = found.before.argmax(axis=1), found.after[0].argmax(axis=1)
    vanished, alike = asked[old != new], asked[old == given[gone[0]]]
    guesses = {"deletion": majority(pixels[vanished]) if len(vanished) else None, "without": majority(pixels[alike])}
    again = [guess for guess in guesses.values() if guess is not None]
    (said,) = leave_out_solvers.play(settings, data, [Round(rows, (), np.array(again))])
    named = iter(said.before.argmax(axis=1).tolist())
    return {
        "pixels": pixels,
        "rows": rows,
        "gone": int(gone[0]),
        "label": int(given[gone[0]]),
        "guesses": {name: None if guess is None else {"picture": guess, "label": next(named)} for name, guess in guesses.items()},
    }


def reconstruction(pairs: bool) -> Callable[[int], dict[str, float]]:
    """The game with a number: whether there is a guess, whether h labels it rightly, whether no other record is as near."""

    def game(number: int) -> dict[str, float]:
        found = attack(pairs, number)
        outcome: dict[str, float] = {}
        for name, guess in found["guesses"].items():
            outcome[f"{name}.made"] = float(guess is not None)
            far = np.abs(found["pixels"][found["rows"]] - (0.5 if guess is None else guess["picture"])).sum(axis=1)
            own = far[np.flatnonzero(found["rows"] == found["gone"])[0]]
            outcome[f"{name}.label"] = float(guess is not None and guess["label"] == found["label"])
            outcome[f"{name}.nearest"] = float(guess is not None and (far <= own).sum() == 1)
            outcome[f"{name}.pixels_wrong"] = float(own) if guess is not None else 0.0
        return outcome

    return game
