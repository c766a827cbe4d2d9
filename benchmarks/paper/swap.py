"""Play every game that the paper's tables ask for, and write the page: python -m benchmarks.paper.swap [--quick] [--out DIR].

Two processes of one thread each. `--quick` is a first look of under a minute at sizes that show nothing; `--results FILE` writes
the page again from what an earlier run found.
"""

from __future__ import annotations

import os

os.environ.setdefault("OMP_NUM_THREADS", "1")

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from functools import partial
from typing import Any

from joblib import Parallel, delayed

from auditor.parts.swap.observing.drawing import draw
from benchmarks.paper import confusion, document, publishing
from benchmarks.paper.confusion import ConfusionCell
from benchmarks.paper.learners import DELTA, Scale, digits, seeds
from benchmarks.paper.lookup import outcomes
from benchmarks.paper.playing import ALPHA, REFERENCE_PAIRS, Cell, play
from benchmarks.paper.scoring import estimate, summarise
from benchmarks.paper.splits import spreads

WORKERS = 2


@dataclass(frozen=True, slots=True)
class Plan:
    """How much is played."""

    scale: Scale = field(default_factory=Scale)
    records: int = 1797
    pairs: int = 10
    epsilons: tuple[float | None, ...] = (5.0, 50.0, 150.0, 600.0, None)
    """None: without privacy."""
    spread_records: int = 900
    spread_pairs: int = 60
    sizes: tuple[int, ...] = (450, 900)
    """In addition to `records`."""
    seeds: int = 4
    seed_pairs: int = 5
    confusions: int = 4
    """Times three trials."""
    lookups: int = 200


FULL = Plan()
QUICK = Plan(
    scale=Scale(hidden=16, epochs=4, private_epochs=2),
    records=400,
    pairs=4,
    epsilons=(50.0, None),
    spread_records=300,
    spread_pairs=6,
    sizes=(300,),
    seeds=2,
    seed_pairs=2,
    confusions=2,
    lookups=20,
)


def results(plan: Plan) -> dict[str, Any]:
    """Everything that the page tells, as JSON holds it."""
    started = time.perf_counter()
    first, *others = seeds("games", 1 + plan.seeds)
    games = _games(plan, first, others)
    confused = seeds("confusion", plan.confusions)
    trials = [ConfusionCell(plan.records, seed, epsilon, plan.scale) for epsilon in plan.epsilons for seed in confused]
    # The longest first, so that no process is left with it at the end.
    ordered = sorted(games, key=lambda name: (name != "spread", games[name].epsilon is None))
    tasks: list[Callable[[], Any]] = [
        *(partial(_game, games[name]) for name in ordered),
        *(partial(confusion.play, one) for one in trials),
    ]
    answers = Parallel(n_jobs=WORKERS, batch_size=1)(delayed(_alone)(task) for task in tasks)
    played = dict(zip(ordered, answers, strict=False))
    scores = answers[len(ordered) :]
    listed = [scores[at : at + len(confused)] for at in range(0, len(scores), len(confused))]
    table = digits(plan.records).data
    pairs = draw(table, pairs=plan.lookups, models=1, alpha=ALPHA, reference_pairs=1, seed=first)
    spread = spreads(played["spread"])
    for found in played.values():
        for method in found["methods"].values():
            del method["splits"]
    return {
        "plan": {**asdict(plan), "full": plan == FULL, "alpha": ALPHA, "delta": DELTA, "references": 2 * REFERENCE_PAIRS},
        "table1": [{"epsilon": epsilon, **played[f"epsilon {epsilon}"]} for epsilon in plan.epsilons],
        "table2": {"forgotten": played["spread"]["forgotten"], "methods": spread},
        "table3": [_confusions(epsilon, each) for epsilon, each in zip(plan.epsilons, listed, strict=True)],
        "sizes": [{"records": records, **played[f"size {records}"]} for records in plan.sizes]
        + [{"records": plan.records, **played["epsilon None"]}],
        "seeds": [played[f"seed {seed}"] for seed in others],
        "lookup": outcomes(pairs),
        "seconds": time.perf_counter() - started,
    }


def _games(plan: Plan, first: int, others: Sequence[int]) -> dict[str, Cell]:
    """Every game that is played, by the name of its place on the page."""
    column = partial(Cell, plan.records, first, plan.pairs, scale=plan.scale)
    plain = column(epsilon=None)
    return {
        **{f"epsilon {epsilon}": column(epsilon=epsilon) for epsilon in plan.epsilons},
        **{f"size {records}": replace(plain, records=records) for records in plan.sizes},
        **{f"seed {seed}": replace(plain, records=plan.spread_records, seed=seed, pairs=plan.seed_pairs) for seed in others},
        "spread": replace(plain, records=plan.spread_records, pairs=plan.spread_pairs),
    }


def _game(cell: Cell) -> dict[str, Any]:
    return summarise(play(cell), seed=cell.seed)


def _alone(task: Callable[[], Any]) -> Any:
    """A task on one thread of a process of its own."""
    import torch  # noqa: PLC0415  (in the process that computes)

    torch.set_num_threads(1)
    return task()


def _confusions(epsilon: float | None, found: Sequence[Mapping[str, float]]) -> dict[str, Any]:
    return {"epsilon": epsilon, "methods": {name: estimate([each[name] for each in found]) for name in found[0]}}


def main() -> None:
    """Measure, print the tables, and write page, figures and results where a folder is named; the full run writes to docs."""
    publishing.run(__doc__, lambda quick: results(QUICK if quick else FULL), document)


if __name__ == "__main__":
    main()
