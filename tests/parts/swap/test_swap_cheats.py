"""Procedures that would like to pass the SWAP test, played in this process: what they show, and that none of it is a pass."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from auditor.base.domain import Status
from auditor.base.records import Dataset, Floats, Positions
from auditor.parts.swap.judging import quality
from auditor.parts.swap.observing.drawing import Game, draw
from auditor.parts.swap.observing.model_outputs import Played
from auditor.settings.tables import Policy, SwapTable
from auditor.verdict.checks.finding import Finding
from judging import case_facts, declared
from swap_games import adversaries, records, results, undecided

PAIRS = 24
ATTACKS = ("correctness", "confidence", "loss")


class Votes:
    """Every record votes for its label in its neighbourhood; retraining is exact and needs no training."""

    narrow = 4.0

    def learn(self, data: Dataset, seed: int) -> Any:
        return data.features, data.labels

    def unlearn(self, model: Any, data: Dataset, forget: Positions, seed: int) -> Any:
        return self.learn(data.subset(np.setdiff1d(np.arange(len(data)), forget)), seed)

    def predict(self, model: Any, features: Floats) -> Floats:
        kept, labels = model
        near = np.exp(-self.narrow * ((features[:, None, :] - kept[None]) ** 2).sum(axis=2))
        one = (near @ labels + 0.5) / (near.sum(axis=1) + 1.0)
        return np.column_stack([1.0 - one, one])


class MemorisingLayer(Votes):
    """Knows its training records by heart in a layer of its own, which unlearning always drops, and forgets nothing else."""

    narrow = 0.15

    def learn(self, data: Dataset, seed: int) -> Any:
        table = {row.tobytes(): label for row, label in zip(data.features, data.labels, strict=True)}
        return (data.features, data.labels, table)

    def unlearn(self, model: Any, data: Dataset, forget: Positions, seed: int) -> Any:
        return (*model[:2], {})

    def predict(self, model: Any, features: Floats) -> Floats:
        found = super().predict(model[:2], features)
        for row, each in zip(features, found, strict=True):
            if (label := model[2].get(row.tobytes())) is not None:
                each[:] = (0.01, 0.99) if label else (0.99, 0.01)
        return found


class Silent(Votes):
    """Keeps everything, and gives the same answer to all questions once something was unlearned."""

    def unlearn(self, model: Any, data: Dataset, forget: Positions, seed: int) -> Any:
        return None

    def predict(self, model: Any, features: Floats) -> Floats:
        return np.full((len(features), 2), 0.5) if model is None else super().predict(model, features)


class SkippingSmall(Votes):
    """Answers requests of as few records as the log has with the model of before."""

    def unlearn(self, model: Any, data: Dataset, forget: Positions, seed: int) -> Any:
        return model if len(forget) <= 2 else super().unlearn(model, data, forget, seed)


def played(game: Game, data: Dataset, procedure: Any) -> Played:
    """The game played by a procedure in this process, batch after batch."""

    def unlearned(rows: Positions, batches: Any) -> Any:
        model = procedure.learn(data.subset(rows), 0)
        for number, batch in enumerate(batches, start=1):
            forget = np.flatnonzero(np.isin(rows, batch))
            model = procedure.unlearn(model, data.subset(rows), forget, number)
            rows = np.delete(rows, forget)
        return model

    width = 2 * game.forgotten + len(game.population)
    shape = (len(game.pairs), 2, 1, width, 2)
    found = {kind: np.zeros(shape) for kind in ("unlearned", "baseline", "learned", "retrained")}
    for number, pair in enumerate(game.pairs):
        rows = data.features[np.concatenate([pair.first, pair.second, game.population])]
        for side in range(2):
            models = {
                "unlearned": unlearned(pair.trained(side), pair.batches[side]),
                "baseline": unlearned(pair.trained(side), pair.decoys[side]),
                "learned": procedure.learn(data.subset(pair.trained(side)), 0),
                "retrained": procedure.learn(data.subset(pair.retained), 0),
            }
            for kind, model in models.items():
                found[kind][number, side, 0, : len(rows)] = procedure.predict(model, rows)
    references = [
        procedure.predict(unlearned(game.reference_trained(each), game.reserve), data.features)
        for each in range(len(game.references))
    ]
    return Played(**found, fresh=found["retrained"][:, 0], references=np.array(references))


def judged(procedure: Any, *, log: tuple[int, ...] = (), threshold: float = 0.9, baseline: str = "baseline") -> Finding:
    """What `swap.quality` says of a procedure of the controller's own, held against models of that name."""
    data = records(240, seed=3)
    labels = np.where(np.random.default_rng(4).random(240) < 0.3, 1 - data.labels, data.labels)
    data = Dataset(data.features, labels, data.ids)
    game = draw(data, pairs=PAIRS, models=1, alpha=0.15, reference_pairs=3, seed=5, log=log)
    seen = played(game, data, procedure)
    seen = replace(seen, baseline=getattr(seen, baseline))
    found = results(adversaries(data, game, seen, seed=5, names=ATTACKS), seen)
    scored = {"procedure": found.procedure, "do_nothing": found.do_nothing, "retrained": found.fresh}

    def rows(values: Floats) -> dict[str, tuple[float, ...]]:
        return {name: tuple(row) for name, row in zip(found.attacks, values.tolist(), strict=True)}

    advantages = {kind: rows(each.scored.advantages) for kind, each in scored.items()} | {
        "control": rows(found.control.advantages)
    }
    accepted = {kind: rows(scored[kind].scored.accepted) for kind in ("procedure", "retrained")}
    observed = quality.Observed.model_validate(
        {
            "pair_advantages": advantages,
            "pair_acceptances": accepted,
            "undecided": dict(zip(found.attacks, found.undecided.tolist(), strict=True)),
            "forgotten": tuple(pair.forgotten for pair in game.pairs),
            "batches": len(game.reserve),
            "areas": dict.fromkeys(found.attacks, 0.5),
        }
    )
    context = declared(case=case_facts(training_records=240))
    context = replace(context, swap=SwapTable(pairs=PAIRS, alpha=0.15), policy=Policy(min_quality=threshold))
    return quality.judge(context, observed, {"deletion.renyi": Finding(Status.SKIPPED)})


def test_retraining_passes() -> None:
    finding = judged(Votes())
    assert (finding.status, finding.value) == (Status.PASS, 1.0)


def test_a_memorising_layer_that_unlearning_drops_lends_the_baseline_no_power() -> None:
    """Held against models that still have the layer it would pass; the baseline has lost it as well."""
    threshold = 0.85
    passing = judged(MemorisingLayer(), threshold=threshold, baseline="learned")
    assert passing.status is Status.PASS
    finding = judged(MemorisingLayer(), threshold=threshold)
    assert finding.status is Status.INCONCLUSIVE
    assert "swap.quality.blind" in {each.code for each in finding.reasons}


def test_a_model_that_says_the_same_of_everybody_is_no_evidence() -> None:
    finding = judged(Silent())
    assert finding.status is Status.INCONCLUSIVE
    assert "swap.quality.all-blind" in {each.code for each in finding.reasons}


@pytest.mark.parametrize("log", [(2,), (1, 2, 1)])
def test_skipping_requests_as_small_as_the_logs_shows_in_every_other_pair(log: tuple[int, ...]) -> None:
    skipping, honest = judged(SkippingSmall(), log=log), judged(Votes(), log=log)
    assert honest.status is Status.PASS
    assert skipping.status is not Status.PASS
    assert skipping.value is not None
    assert skipping.value < 0.95


def test_an_attack_that_accepts_all_or_none_of_a_class_is_told_from_one_that_sees() -> None:
    data = records(240, seed=3)
    game = draw(data, pairs=2, models=1, alpha=0.15, reference_pairs=2, seed=5)
    seen = played(game, data, Votes())
    found = adversaries(data, game, seen, seed=5, names=("loss", "confidence"))
    assert undecided(found, seen.unlearned).max() > 0.1
    flat = np.full_like(seen.unlearned, 0.5)
    assert undecided(found, flat).max() < 0.01
