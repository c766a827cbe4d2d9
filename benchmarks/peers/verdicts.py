"""Accusations of models that never saw the records in question, and of models that did, for tools that give a verdict.

A case draws records of breast cancer: some stay, as many are deleted, and as many were never seen. An honest release learned
those that stay; a leaking one learned the deleted ones too. SACRO-ML takes the deleted ones for its training set and the unseen
ones for its test set; `release.remembers` compares the release with models trained again without the deleted ones.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import cache
from typing import Any, Final

import numpy as np
from sklearn.datasets import load_breast_cancer

from auditor.audit.replacing import draw_decoys
from auditor.audit.shifted_copies import moved
from auditor.base.domain import Status
from auditor.base.records import Floats, Positions
from auditor.parts.release.judging.release_remembers import ACCUSES, LEAST_MODELS, SECOND_MODELS, judge
from auditor.parts.release.observing.release_remembers import in_stages
from auditor.parts.release.observing.release_remembers.models import Answers
from auditor.parts.release.observing.release_remembers.models import answers as asked_of
from auditor.parts.release.observing.release_remembers.questions import HELD_OUT, MOVES, Questions
from auditor.recheck.derivations import declared_in
from auditor.settings.learning import Sklearn
from auditor.verdict.checks.context import Context
from auditor.verdict.checks.finding import Finding
from benchmarks import recorded
from benchmarks.measuring import pool
from benchmarks.peers.membership import Target, answers, asked_of_sacro, fitted
from benchmarks.peers.sizes import SEED, Sizes

RECORDS: Final = 100
"""That stay, are deleted, and were never seen: so many each."""
TREES: Final = 10
HOLDING: Final = 2 * HELD_OUT
TRAININGS: Final = LEAST_MODELS + HOLDING
"""Of ours without a second stage, and of SACRO-ML's likelihood ratio; it is also asked with as many as both stages have."""
REQUESTS: Final = 5
WORKERS: Final = 2


def draw(number: int, *, leaks: bool) -> Target:
    """Draw a case; cases that leak are others than those that do not."""
    features, labels = load_breast_cancer(return_X_y=True)
    order = np.random.default_rng([SEED, 4, int(leaks), number]).permutation(len(labels))
    stay, deleted, unseen = order[:RECORDS], order[RECORDS : 2 * RECORDS], order[2 * RECORDS : 3 * RECORDS]
    return Target(features, labels, np.concatenate([stay, deleted]) if leaks else stay, deleted, unseen, number)


def measure(sizes: Sizes, usable: Collection[str]) -> dict[str, Any]:
    """Ask every tool for its verdict on every case."""
    numbers = {False: range(sizes.nulls), True: range(sizes.leaks)}
    found: dict[str, Any] = {"records": RECORDS, "trees": TREES, "trainings": TRAININGS, "second": SECOND_MODELS}
    tools: dict[str, dict[str, Any]] = {}
    for leaks, cases in numbers.items():
        kind = "leaking" if leaks else "honest"
        with pool(WORKERS, apart=sizes.nulls > TINY_CASES) as workers:
            verdicts = list(workers.map(own, cases, [leaks] * len(cases)))
        tools.setdefault("auditor: release.remembers, fail", {})[kind] = [verdicts.count("fail"), len(cases)]
        tools.setdefault("auditor: the same, inconclusive", {})[kind] = [verdicts.count("inconclusive"), len(cases)]
        if "SACRO-ML" in usable:
            for name, accused in _sacro(cases, leaks=leaks).items():
                tools.setdefault(name, {})[kind] = [sum(accused), len(accused)]
    return found | {"tools": tools}


_RATIO: Final = "SACRO-ML: likelihood ratio"
AT_OUR_LEVEL: Final = f"{_RATIO}, AUC significant at {ACCUSES:g}"
WITH_AS_MANY: Final = f"{_RATIO} with {TRAININGS + SECOND_MODELS} trainings, AUC significant"
TINY_CASES: Final = 10
"""So few are judged in this process."""


def _sacro(cases: Iterable[int], *, leaks: bool) -> dict[str, list[bool]]:
    numbers = list(cases)
    every = _asked(numbers, leaks=leaks, shadows=TRAININGS, attacks=("likelihood ratio", "worst case"))
    more = _asked(numbers, leaks=leaks, shadows=TRAININGS + SECOND_MODELS, attacks=("likelihood ratio",))
    return {
        f"{_RATIO}, AUC significant": [each["likelihood ratio"]["accused"] for each in every],
        AT_OUR_LEVEL: [_at_our_level(each) for each in every],
        WITH_AS_MANY: [each["likelihood ratio"]["accused"] for each in more],
        f"{WITH_AS_MANY} at {ACCUSES:g}": [_at_our_level(each) for each in more],
        "SACRO-ML: worst case, AUC significant in any of 10 repeats": [each["worst case"]["accused"] for each in every],
        "SACRO-ML: worst case, after its correction": [each["worst case"]["corrected"] for each in every],
    }


def _at_our_level(found: Mapping[str, Any]) -> bool:
    return bool(found["likelihood ratio"]["p"][0] <= ACCUSES)


def _asked(numbers: Sequence[int], *, leaks: bool, shadows: int, attacks: Sequence[str]) -> list[dict[str, Any]]:
    """Ask for the cases in their order, a share of them in each of some processes."""

    def asked(share: Sequence[int]) -> list[dict[str, Any]]:
        arrays: dict[str, Any] = {}
        for number in share:
            arrays |= draw(number, leaks=leaks).arrays(str(number))
        cases = [str(each) for each in share]
        return asked_of_sacro(arrays, cases, trees=TREES, shadows=shadows, scores=False, attacks=attacks)

    shares = [share for share in np.array_split(np.array(numbers), WORKERS) if len(share)]
    with ThreadPoolExecutor(WORKERS) as workers:
        return [each for part in workers.map(asked, shares) for each in part]


def own(number: int, leaks: bool) -> str:
    """The status that `release.remembers` gives a case."""
    target = draw(number, leaks=leaks)
    forest = _Forests(target)
    seeds = range(10_000, 10_000 + SECOND_MODELS)
    observed = in_stages(forest.questions, forest, seeds=seeds, most_s=float("inf"))
    return str(judge(_context(), observed, {"release.exact": Finding(Status.SKIPPED)}).status.value)


@cache
def _context() -> Context:
    """A recorded case, for what a judge has to be told besides: it decides by the observation alone."""
    return replace(
        declared_in(recorded.evidence()).context, procedure=Sklearn(estimator="sklearn.ensemble.RandomForestClassifier")
    )


class _Forests:
    """Trains the models of both stages."""

    def __init__(self, target: Target) -> None:
        self._target = target
        stay = np.setdiff1d(target.trained, target.members) if len(target.trained) > RECORDS else target.trained
        self._retained, deleted = np.sort(stay).astype(np.int64), np.sort(target.members).astype(np.int64)
        self._base = np.union1d(self._retained, deleted)
        rng = np.random.default_rng([SEED, 5, target.seed])
        codes = target.labels.astype(np.int64)
        near = (target.features[self._retained], codes[self._retained])
        own = target.features[deleted], codes[deleted]
        parts = np.array_split(np.arange(len(deleted)), REQUESTS)
        self.questions = Questions(
            base=self._base,
            forgotten=(deleted,),
            retained=self._retained,
            asked=deleted,
            codes=codes[deleted],
            requests=tuple((f"R-{each}", part.astype(np.int64)) for each, part in enumerate(parts)),
            records=target.features[deleted],
            copies={name: moved(*own, *near, share=share, rng=rng) for name, share in MOVES.items()},
            unseen=target.features[target.others],
            unseen_codes=codes[target.others],
            unseen_are_retained=False,
            decoys=tuple(draw_decoys(self._retained, [HELD_DECOYS], labels=codes, rng=rng) for _ in range(HOLDING)),
            seeds=tuple(range(1, TRAININGS + 2)),
            columns=2,
        )

    def play(self) -> Answers:
        """Train the release, the retrained models and those that hold the records."""
        target, questions = self._target, self.questions
        sets = [target.trained, *[self._retained] * LEAST_MODELS]
        sets += [np.setdiff1d(self._base, np.concatenate(each)) for each in questions.decoys]
        return self._answers(sets, [20_000, *questions.seeds[:-1]], LEAST_MODELS)

    def retrained(self, seeds: Sequence[int]) -> Answers:
        """Train further models without the deleted records."""
        return self._answers([self._retained] * len(seeds), seeds, len(seeds))

    def seconds_of(self, models: int) -> float:
        """Nothing is spared."""
        return 0.0 * models

    def _answers(self, sets: Sequence[Positions], seeds: Sequence[int], models: int) -> Answers:
        trained = [fitted(self._target, rows, trees=TREES, seed=seed) for rows, seed in zip(sets, seeds, strict=True)]

        def predict(rows: Floats) -> Floats:
            return np.stack([answers(each, rows, 2) for each in trained])

        return asked_of(self.questions, predict, source="replay", models=models)


HELD_DECOYS: Final = 10
"""Records that a model which holds the deleted ones leaves out in their place."""
