"""Games of the SWAP test for tests: models that are written down instead of trained, and small cases that play it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from auditor.attacks import attacks
from auditor.base.domain import Check, Status
from auditor.base.records import Dataset, Floats, Positions, joined
from auditor.case import Case
from auditor.parts.swap.observing.confusion import Confusion
from auditor.parts.swap.observing.drawing import Game, draw
from auditor.parts.swap.observing.model_outputs import Played, Sight
from auditor.parts.swap.observing.scoring import Accepted, Adversaries, Attacked, Results
from auditor.verdict.checks import definitions
from auditor.verdict.checks.context import Context
from auditor.verdict.checks.finding import Finding, Values
from judging import context_of_case, told_check
from small_cases import SECRET, problem, write_log

KINDS = ("unlearned", "baseline", "learned", "retrained", "fresh")


def records(n: int, *, seed: int, classes: int = 2, weights: Floats | None = None) -> Dataset:
    """Two features that say something about the label, and labels of which the first few hold every class."""
    rng = np.random.default_rng(seed)
    labels = rng.integers(classes, size=n)
    labels[: 4 * classes] = np.tile(np.arange(classes), 4)
    features = rng.normal(size=(n, 2)) + labels[:, None]
    return Dataset(features, labels, np.arange(n).astype(np.str_), weights)


def codes(data: Dataset) -> Positions:
    """Class codes of all records, shape (n,)."""
    return np.unique(data.labels, return_inverse=True)[1].astype(np.int64)


class Memory:
    """Models whose logits are the class, a wobble that all records of a model share, noise, and more where they saw a record.

    Records of a model depend on each other, as those of a trained one do, and its seed and its training set say all about it.
    """

    def __init__(self, data: Dataset, *, remembers: float, noise: float = 0.7, wobble: float = 0.7) -> None:
        self._labels = codes(data)
        self._classes = int(self._labels.max()) + 1
        self._size = len(data)
        self._directions = np.random.default_rng(self._size).normal(size=(2, self._size, self._classes))
        self._remembers, self._noise, self._wobble = remembers, noise, wobble

    def predict(self, seen: npt.ArrayLike, seed: int) -> Floats:
        """Probabilities of all records, shape (n, classes), by the model trained on the positions `seen`."""
        rng = np.random.default_rng(seed)
        logits = self._wobble * np.tensordot(rng.normal(size=2), self._directions, 1)
        logits += self._noise * rng.normal(size=(self._size, self._classes))
        logits[np.arange(self._size), self._labels] += 1.0
        inside = np.asarray(seen, dtype=np.int64)
        logits[inside, self._labels[inside]] += self._remembers
        odds = np.exp(logits - logits.max(axis=1, keepdims=True))
        return np.asarray(odds / odds.sum(axis=1, keepdims=True))


def play(game: Game, memory: Memory, *, forgets: float = 1.0, relearns: float = 0.0) -> Played:
    """The game played by models of that kind.

    Unlearning forgets a share of F, drawn from its own seed, by default all of it; and it learns a share of F and T anew, as code
    would that carries the data in a file of its own.
    """
    models = game.pairs[0].learn_seeds.shape[1]
    found: dict[str, list[Any]] = {kind: [] for kind in KINDS}
    for pair in game.pairs:
        rows = np.concatenate([pair.first, pair.second, game.population])
        sides: dict[str, list[Any]] = {kind: [] for kind in KINDS}
        for side, (forget, _) in enumerate(pair.sides()):
            both = np.concatenate([pair.first, pair.second])
            left = []
            for seed in pair.unlearn_seeds[side].tolist():
                rng = np.random.default_rng(seed)
                kept = forget[rng.random(len(forget)) >= forgets]
                left.append(np.union1d(np.concatenate([pair.retained, kept]), both[rng.random(len(both)) < relearns]))
            sides["unlearned"].append(
                [memory.predict(left[model], pair.unlearn_seeds[side, model])[rows] for model in range(models)]
            )
            sides["learned"].append(
                [memory.predict(pair.trained(side), pair.learn_seeds[side, model])[rows] for model in range(models)]
            )
            sides["baseline"].append(
                [
                    memory.predict(np.setdiff1d(pair.trained(side), joined(pair.decoys[side])), pair.learn_seeds[side, model])[
                        rows
                    ]
                    for model in range(models)
                ]
            )
            sides["retrained"].append([memory.predict(pair.retained, seed)[rows] for seed in pair.control_seeds[0]])
        sides["fresh"] = [memory.predict(pair.retained, seed)[rows] for seed in pair.control_seeds[1]]
        for kind in KINDS:
            found[kind].append(sides[kind])
    references = [
        memory.predict(game.reference_kept(number), seed) for number, seed in enumerate(game.reference_seeds[0].tolist())
    ]
    return Played(**{kind: np.array(found[kind]) for kind in KINDS}, references=np.array(references))


def small_game(
    data: Dataset, *, seed: int, pairs: int = 10, models: int = 1, alpha: float = 0.2, reference_pairs: int = 3
) -> Game:
    """A game of few pairs and few references."""
    return draw(data, pairs=pairs, models=models, alpha=alpha, reference_pairs=reference_pairs, seed=seed)


def adversaries(data: Dataset, game: Game, played: Played, *, seed: int, names: tuple[str, ...] | None = None) -> Adversaries:
    """Every attack, or those named, fitted on the game's references."""
    chosen = {name: attack for name, attack in attacks().items() if names is None or name in names}
    return Adversaries(chosen, game, Sight(game, played, codes(data)), seed=seed)


def attacked(found: Adversaries, models: Floats, *, kind: str) -> Attacked:
    """All that the adversaries find on models of one kind."""
    return Attacked(found.score(models), found.name_sides(models, kind=kind), found.guess_members(models))


def undecided(found: Adversaries, models: Floats) -> Floats:
    """How far each attack is from accepting nearly none or nearly all, by what it accepts of the models."""
    accepted: Accepted = {}
    found.score(models, accepting=accepted)
    return found.undecided(models, accepted)


def results(found: Adversaries, played: Played, *, confusion: Confusion | None = None) -> Results:
    """A game's scores for the procedure and its controls."""
    return Results(
        attacks=tuple(found.attacks),
        procedure=attacked(found, played.unlearned, kind="procedure"),
        do_nothing=attacked(found, played.baseline, kind="do-nothing"),
        fresh=attacked(found, played.null(), kind="fresh"),
        control=found.score(played.retrained),
        undecided=undecided(found, played.unlearned),
        confusion=confusion,
        learned=None if played.learned is None else attacked(found, played.learned, kind="learned"),
    )


def context_of_game(case: Case, game: Game, *, seed: int, quick: bool = False) -> Context:
    """The context of a case whose data and settings have the sizes of a game that was drawn for a test."""
    declared = context_of_case(case, quick=quick)
    sizes = {
        "pairs": len(game.pairs),
        "models": game.pairs[0].learn_seeds.shape[1],
        "alpha": game.forgotten / len(game.pairs[0].trained(0)),
    }
    return replace(
        declared,
        audit=declared.audit.model_copy(update={"seed": str(seed)}),
        case=declared.case.model_copy(update={"training_records": len(game.weights)}),
        swap=declared.swap.model_copy(update=sizes),
    )


def judged(context: Context, observed: Mapping[str, Values], *, deletion: Finding | None = None) -> dict[str, Check]:
    """The checks of the SWAP test as evidence lists them.

    Args:
        context: What was declared.
        observed: By check id.
        deletion: What `deletion.renyi` found; by default it does not apply.
    """
    earlier = {"deletion.renyi": deletion or Finding(Status.SKIPPED)}
    found = {name: definitions()[name].judge(context, each, earlier) for name, each in observed.items()}
    return {name: told_check(name, finding, observed[name]) for name, finding in found.items()}


def write_case(folder: Path, procedure: str, *, size: int = 110, tables: str = "") -> Path:
    """A case of noisy binary records in the plane, of which two requests erased three; `tables` are appended as they stand."""
    features, labels = problem(size, 2, seed=5)
    labels ^= np.random.default_rng(6).random(size) < 0.2
    names = np.array([f"rec-{index:04d}" for index in range(size)])
    np.savez(folder / "train.npz", features=features, labels=labels, ids=names)
    write_log(folder, [["rec-0005"], ["rec-0006", "rec-0007"]])
    (folder / "audit.toml").write_text(
        f'[case]\nname = "small"\n[data]\ntrain = "train.npz"\ntask = "classification"\n'
        f'[procedure]\n{procedure}\n[deletions]\nlog = "deletions.jsonl"\n{tables}',
        encoding="utf-8",
    )
    return folder


def random_tree(unlearn: str) -> str:
    """The [procedure] table of a tree that its seed shapes and that remembers every label."""
    estimator = "sklearn.tree.ExtraTreeClassifier"
    return f'use = "sklearn"\nestimator = "{estimator}"\nunlearn = "{unlearn}"\nseed = "{SECRET}"'


def certified(unlearn: str, **settings: float) -> str:
    """The [procedure] table of certified removal."""
    declared = {"l2": 1e-2, "sigma": 1.0, "epsilon": 1.0, "delta": 1e-4, "tolerance": 1e-10, **settings}
    lines = [f"{key} = {value!r}" for key, value in declared.items()]
    return "\n".join(['use = "certified-removal"', *lines, f'unlearn = "{unlearn}"', f'seed = "{SECRET}"'])
