"""The attacks on the models of a game: signed advantages pair by pair, and what the adversaries that see whole sets name.

An attack accepts a record when it says "this was trained on". The advantage on one side of a pair is the share that it accepts
of the forgotten records minus the share that it accepts of the unseen ones; that of the pair is the mean of its two sides (Tu, Hu
and Ma, Definitions 3.2 and 3.11), signed: below zero, the forget set looks less trained on than the test set.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from auditor.attacks import WHOLE_SET, Attack
from auditor.attacks.threat_model import Outputs
from auditor.base.draws import generator
from auditor.base.records import Floats, Positions
from auditor.case import Case
from auditor.parts.swap.judging import controls, game, quality, strong
from auditor.parts.swap.judging.estimates import Identical, PairAcceptances, PairAdvantages
from auditor.parts.swap.observing.confusion import Confusion
from auditor.parts.swap.observing.drawing import Game
from auditor.parts.swap.observing.model_outputs import Sight
from auditor.verdict.checks.finding import Values


@dataclass(frozen=True, slots=True, eq=False)
class Scored:
    """What the attacks found on one kind of model: the procedure's, or a control's."""

    advantages: Floats
    """Shape (attacks, K): the signed pair advantages."""
    accepted: Floats
    """Shape (attacks, K): the share of F and T together that is accepted, mean over the models of a pair."""
    areas: Floats
    """Shape (attacks,): mean area under the ROC curve, forgotten against unseen records."""
    identical: bool
    """Whether both models of every pair gave the same outputs, bit for bit."""


@dataclass(frozen=True, slots=True)
class Named:
    """How often the whole-set adversary named the forgotten set."""

    right: int
    """Ties broken by a fair coin."""
    models: int
    ties: int


@dataclass(frozen=True, slots=True)
class Guessed:
    """Guesses at the members of one model, one for each couple of a forgotten and an unseen record."""

    guesses: int
    """Couples whose two records the adversary tells apart at all."""
    right: int


@dataclass(frozen=True, slots=True, eq=False)
class Attacked:
    """What one kind of model gave away."""

    scored: Scored
    named: Named
    guessed: Guessed


Accepted: TypeAlias = dict[tuple[int, int, int], npt.NDArray[np.bool_]]
"""Shape (attacks, 2f), by pair, side and model: whether each attack accepts each record."""


class Adversaries:
    """Every attack, fitted once on the shadow records."""

    def __init__(self, attacks: Mapping[str, Attack[Any]], game: Game, sight: Sight, *, seed: int) -> None:
        """Fit the attacks; each has a generator of its own name, so that one more moves no other's numbers."""
        shadow = sight.shadow()
        self.attacks = attacks
        self._game, self._sight, self._seed = game, sight, seed
        self._states = {name: attack.fit(shadow, rng=generator(seed, "swap", "attack", name)) for name, attack in attacks.items()}
        self._whole_set = WHOLE_SET.fit(shadow, rng=generator(seed, "swap", "attack", "whole-set"))

    def score(
        self, probabilities: Floats, *, on_pair: Callable[[], None] = lambda: None, accepting: Accepted | None = None
    ) -> Scored:
        """Attack every model.

        Args:
            probabilities: Shape (K, 2, models, 2f + z, classes).
            on_pair: Called after each pair.
            accepting: Takes which records each attack accepts of each model.
        """
        pairs, sides, models = probabilities.shape[:3]
        advantages = np.zeros((len(self.attacks), pairs))
        accepted = np.zeros((len(self.attacks), pairs))
        areas = np.zeros((len(self.attacks), pairs))
        identical = True
        for number in range(pairs):
            labels = self._sight.labels[self._sight.records(number)]
            for model in range(models):
                same = np.array_equal(probabilities[number, 0, model], probabilities[number, 1, model])
                identical &= same
                scores: Floats | None = None
                for side in range(sides):
                    if scores is None or not same:
                        scores = self._scores(self._sight.outputs(number, probabilities[number, side, model]), labels)
                    if accepting is not None:
                        accepting[number, side, model] = scores > 0
                    found, share, area = self._advantage(scores, number, self._forgotten(number, side))
                    advantages[:, number] += found / (sides * models)
                    accepted[:, number] += share / (sides * models)
                    areas[:, number] += area / (sides * models)
            on_pair()
        # Sums of many shares may leave their range by a rounding error.
        return Scored(np.clip(advantages, -1.0, 1.0), np.clip(accepted, 0.0, 1.0), areas.mean(axis=1), identical)

    def undecided(self, probabilities: Floats, accepted: Accepted) -> Floats:
        """Work out how far each attack is from accepting nearly none or nearly all: then its finding nothing is no evidence.

        Args:
            probabilities: Shape (K, 2, models, 2f + z, classes).
            accepted: What `score` found of the same models.

        Returns:
            Shape (attacks,), between 0 and 1/2: of the records of a class, among F, T and population, the share accepted or the
            share refused, whichever is smaller; mean over classes by their size, and over models.
        """
        found = np.zeros(len(self.attacks))
        for number, side, model in np.ndindex(*probabilities.shape[:3]):
            outputs = self._sight.outputs(number, probabilities[number, side, model])
            labels = self._sight.labels[self._sight.records(number)]
            of_population = self._scores(outputs.of_population(), outputs.population_labels) > 0
            found += _undecided(
                np.hstack([accepted[number, side, model], of_population]), np.concatenate([labels, outputs.population_labels])
            )
        return np.clip(found / np.prod(probabilities.shape[:3]), 0.0, 0.5)

    def name_sides(self, probabilities: Floats, *, kind: str) -> Named:
        """Let the whole-set adversary name the forgotten set of every model.

        Args:
            probabilities: Shape (K, 2, models, 2f + z, classes).
            kind: What the models are; names the coin that breaks ties.
        """
        coin = generator(self._seed, "swap", "whole-set", "coin", kind)
        right = ties = models = 0
        for number, side, ratios in self._ratios(probabilities):
            forgotten = self._forgotten(number, side)
            weights = self._game.weights[self._sight.records(number)]
            difference = _mean(ratios, weights, forgotten) - _mean(ratios, weights, ~forgotten)
            tie = bool(abs(difference) <= 1e-12)
            heads = bool(coin.integers(2))
            models, ties = models + 1, ties + tie
            right += heads if tie else difference > 0
        return Named(int(right), models, ties)

    def guess_members(self, probabilities: Floats) -> Guessed:
        """Guess, for couples of a forgotten and an unseen record of the very first model, which of them is the forgotten one.

        One model alone, fixed beforehand: the joint bound covers one run. The couples are drawn at random, so that given a
        couple either of its records is the forgotten one with probability one half.
        """
        pair = self._game.pairs[0]
        ratios = self._ratios_of(0, probabilities[0, 0, 0])
        order = generator(self._seed, "swap", "couples").permutation(len(pair.second))
        forgotten, unseen = ratios[: len(pair.first)], ratios[len(pair.first) :][order]
        told = forgotten != unseen
        return Guessed(int(told.sum()), int((forgotten > unseen)[told].sum()))

    def _forgotten(self, number: int, side: int) -> npt.NDArray[np.bool_]:
        """Which of a pair's records are forgotten on a side, shape (2f,)."""
        pair = self._game.pairs[number]
        first = np.arange(2 * pair.forgotten) < pair.forgotten
        return first if side == 0 else ~first

    def _scores(self, outputs: Outputs, labels: Positions) -> Floats:
        """Shape (attacks, 2f)."""
        return np.stack([attack.score(self._states[name], outputs, labels) for name, attack in self.attacks.items()])

    def _advantage(self, scores: Floats, number: int, forgotten: npt.NDArray[np.bool_]) -> tuple[Floats, Floats, Floats]:
        weights = self._game.weights[self._sight.records(number)]
        accepted = (scores > 0).astype(np.float64)
        of_forgotten, of_unseen = _mean(accepted, weights, forgotten), _mean(accepted, weights, ~forgotten)
        area = areas(scores[:, forgotten], scores[:, ~forgotten])
        return of_forgotten - of_unseen, (of_forgotten + of_unseen) / 2, area

    def _ratios(self, probabilities: Floats) -> Iterator[tuple[int, int, Floats]]:
        for number, side, model in np.ndindex(*probabilities.shape[:3]):
            yield number, side, self._ratios_of(number, probabilities[number, side, model])

    def _ratios_of(self, number: int, probabilities: Floats) -> Floats:
        labels = self._sight.labels[self._sight.records(number)]
        return WHOLE_SET.log_likelihood_ratios(self._whole_set, self._sight.outputs(number, probabilities), labels)


def areas(forgotten: Floats, unseen: Floats) -> Floats:
    """The Mann-Whitney statistic of each attack, shape (attacks,): couples that it orders rightly, a tie as half of one.

    Args:
        forgotten: Scores, shape (attacks, f).
        unseen: Scores, shape (attacks, u).
    """
    couples = forgotten.shape[1] * unseen.shape[1]
    ordered = np.sort(unseen, axis=1)
    twice = [
        row.searchsorted(mine, "left") + row.searchsorted(mine, "right") for row, mine in zip(ordered, forgotten, strict=True)
    ]
    found: Floats = np.array(twice, dtype=np.int64).sum(axis=1) / (2 * couples)
    return found


def _undecided(accepted: npt.NDArray[np.bool_], labels: Positions) -> Floats:
    """How far an attack is from accepting none or all of a class, shape (attacks,), from what it accepts, shape (attacks, m)."""
    found = np.zeros(len(accepted))
    for code in np.unique(labels):
        here = labels == code
        share = accepted[:, here].mean(axis=1)
        found += here.mean() * np.minimum(share, 1 - share)
    return found


def _mean(values: Floats, weights: Floats, chosen: npt.NDArray[np.bool_]) -> Any:
    """The weighted mean over the chosen records, along the last axis; as `np.average` has it, whose checks take longer."""
    own = weights[chosen]
    return (values[..., chosen] * own).sum(axis=-1) / own.sum()


# What `swap.quality`, `swap.strong` and `swap.controls` take from the scores of a game.
@dataclass(frozen=True, slots=True, eq=False)
class Results:
    """A game's scores for the procedure and for its controls."""

    attacks: tuple[str, ...]
    """Names, in the order of the scores' rows."""
    procedure: Attacked
    do_nothing: Attacked
    """The no-unlearning baseline: models that unlearned decoys."""
    fresh: Attacked
    """Retraining with fresh seeds: the null."""
    control: Scored
    """Retraining with equal seeds in s and s'."""
    undecided: Floats
    """Shape (attacks,): how far each attack is from accepting nearly none or all after unlearning."""
    confusion: Confusion | None
    learned: Attacked | None = None
    """Models before unlearning; None where nothing is claimed of them."""


def observe(case: Case, drawn: Game, results: Results) -> Mapping[str, Values]:
    """List what the attacks found, by check id."""
    scored = {
        "procedure": results.procedure.scored,
        "do_nothing": results.do_nothing.scored,
        "retrained": results.fresh.scored,
        "control": results.control,
    }
    if results.learned is not None:
        scored["learned"] = results.learned.scored

    def by_attack(rows: Floats) -> dict[str, tuple[float, ...]]:
        return {name: tuple(row) for name, row in zip(results.attacks, rows.tolist(), strict=True)}

    advantages = {kind: by_attack(each.advantages) for kind, each in scored.items()}
    confusion = results.confusion
    return {
        quality.CARD.id: quality.Observed(
            pair_advantages=PairAdvantages(**advantages),
            pair_acceptances=PairAcceptances(
                procedure=by_attack(results.procedure.scored.accepted), retrained=by_attack(results.fresh.scored.accepted)
            ),
            identical=Identical(**{kind: each.identical for kind, each in scored.items() if kind != "control"}),
            undecided=dict(zip(results.attacks, results.undecided.tolist(), strict=True)),
            forgotten=tuple(pair.forgotten for pair in drawn.pairs),
            batches=len(drawn.pairs[0].batches[0]),
            areas=dict(zip(results.attacks, results.procedure.scored.areas.tolist(), strict=True)),
            ic_score=confusion.unlearned if confusion else None,
            ic_score_retrained=confusion.retrained if confusion else None,
            reference_models=len(drawn.references),
            weighted=case.train.sensitivity is not None,
        ),
        strong.CARD.id: strong.Observed(
            models=results.procedure.named.models,
            named=results.procedure.named.right,
            ties=results.procedure.named.ties,
            named_do_nothing=results.do_nothing.named.right,
            named_learned=0 if results.learned is None else results.learned.named.right,
            named_retrained=results.fresh.named.right,
        ),
        controls.CARD.id: controls.Observed(pair_advantages=advantages["control"], identical=results.control.identical),
    }


def without_game(cause: game.Cause) -> Mapping[str, Values]:
    """List what was observed where no game could be played, by check id."""
    return {
        quality.CARD.id: quality.Observed(unplayable=cause),
        strong.CARD.id: strong.Observed(unplayable=cause),
        controls.CARD.id: controls.Observed(unplayable=cause),
    }
