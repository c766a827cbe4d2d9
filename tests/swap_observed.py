"""What a game of the SWAP test is seen to give, written by hand: one or two attacks on twenty pairs."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from auditor.attacks import attacks
from auditor.base.domain import Status
from auditor.parts.swap.judging import quality, strong
from auditor.parts.swap.judging.epsilon_consistency import Observed
from auditor.parts.swap.judging.epsilon_consistency.observed import Guessed, SwapGame
from auditor.parts.swap.judging.estimates import PairAcceptances, PairAdvantages
from auditor.verdict.checks.finding import Finding

PAIRS = 20
RECORDS, TRAINED, FORGOTTEN = 120, 55, 5
"""Of the data, and of each model of a game on half of them."""
WOBBLE = 0.05 * np.tile([-1.0, 1.0], PAIRS // 2)
"""Has mean 0 and a sample standard deviation of 0.05 √(20/19)."""


@dataclass(frozen=True)
class Models:
    """One kind of models: mean advantages attack by attack, sides named right of 40, members guessed right."""

    means: tuple[float, ...] = (0.0,)
    right: int = 20
    of: int = 40
    guessed: Guessed = field(default_factory=lambda: Guessed(guesses=10, right=5))

    def pairs(self, names: tuple[str, ...], times: int = 1) -> dict[str, tuple[float, ...]]:
        """Pair advantages by attack, of so many times `PAIRS`; an attack without a mean finds nothing."""
        means = (*self.means, *[0.0] * (len(names) - len(self.means)))
        return {name: tuple((mean + np.tile(WOBBLE, times)).tolist()) for name, mean in zip(names, means, strict=True)}


def models(*means: float, right: int = 20, of: int = 40, members: int = 5, guesses: int = 10) -> Models:
    """Models on which as many attacks as there are means found that much."""
    return Models(means or (0.0,), right, of, Guessed(guesses=guesses, right=members))


INNOCENT = models()


def game(
    procedure: Models = INNOCENT,
    *,
    do_nothing: Models = INNOCENT,
    retrained: Models = INNOCENT,
    bound: float | None = None,
    longest_row: float | None = None,
    times: int = 1,
) -> tuple[Observed, dict[str, Finding]]:
    """What `epsilon.consistency` observes of a game, and the findings of the checks that observed the rest of it."""
    kinds = {"procedure": procedure, "do_nothing": do_nothing, "retrained": retrained}
    names = tuple(attacks())[: max(len(each.means) for each in kinds.values())]
    half = dict.fromkeys(names, (0.5,) * PAIRS * times)
    found = quality.Observed(
        pair_advantages=PairAdvantages(
            **{kind: each.pairs(names, times) for kind, each in kinds.items()},
            learned=do_nothing.pairs(names, times),
            control=INNOCENT.pairs(names, times),
        ),
        pair_acceptances=PairAcceptances(procedure=half, retrained=half),
        undecided=dict.fromkeys(names, 0.3),
        forgotten=(FORGOTTEN,) * PAIRS * times,
        batches=1,
        areas=dict.fromkeys(names, 0.5),
        reference_models=6,
    )
    sides = strong.Observed(
        models=procedure.of * times,
        named=procedure.right * times,
        named_do_nothing=do_nothing.right * times,
        named_learned=do_nothing.right * times,
        named_retrained=retrained.right * times,
    )
    guessed = {"procedure": procedure.guessed, "learned": do_nothing.guessed, "retrained": retrained.guessed}
    seen = SwapGame(**guessed, residual_bound=bound, longest_row=longest_row)
    return Observed(swap=seen, games=None, simulated=None), as_earlier(found, sides)


def as_earlier(found: quality.Observed | None, sides: strong.Observed | None) -> dict[str, Finding]:
    """Findings of `swap.quality` and `swap.strong` with what they observed."""
    return {
        quality.CARD.id: Finding(Status.SKIPPED, observed=found),
        strong.CARD.id: Finding(Status.SKIPPED, observed=sides),
    }
