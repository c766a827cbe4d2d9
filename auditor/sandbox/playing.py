"""Inside the child: a requester's games against the procedure (forget-unlearning.md, Algorithm 1 and Definition 2.6).

A requester is a class. Each game gets a copy of one object of it, so that nothing is carried from game to game by it.

    neighbours(data) -> (position, features, label)     the target in `data`, and the record that is in its place in world 1
    request(shown, sent, rng) -> positions              what is deleted next, as positions in the training table; an empty list
                                                        for nothing
                              -> (positions, features, labels)    what is replaced next, by the procedure's `edit`
    observes: the rounds whose models it wants to see, 0 being the one learned; left out, the first ones
    guess(released) -> 0 or 1                           optional: which world a released model comes from

`shown` lists the parameters of the models that it was shown so far, `sent` its own requests so far. It never learns which world
it is in but from the models. The target is deleted in the last round, which is fixed in advance.
"""

from __future__ import annotations

import copy
import operator
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from auditor.base.records import Dataset, Floats, Positions

_SLACK = 1 + 1e-9


class GameError(Exception):
    """A game could not be played: what the requester or the procedure gave is no move of it."""


@dataclass(frozen=True, slots=True)
class Rules:
    """What holds for every game."""

    rounds: int
    seen: int
    longest: float | None


@dataclass(frozen=True, slots=True, eq=False)
class Neighbours:
    """The two databases that a game starts from: they differ in the target's record alone."""

    target: int
    first: Dataset
    second: Dataset


@dataclass(frozen=True, slots=True, eq=False)
class Request:
    """One request, read: positions in the training table, and what replaces them, or None where they are deleted."""

    positions: Positions
    features: Floats | None
    labels: np.ndarray[Any, Any] | None


class Arena:
    """The requester and the procedure, and the databases that they play on."""

    def __init__(self, procedure: Any, requester: Any, train: Dataset, rules: Rules) -> None:
        """Ask the requester for its neighbouring databases.

        Raises:
            GameError: If the procedure cannot play, or the neighbours are not.
        """
        if not callable(getattr(procedure, "parameters", None)):
            raise GameError("expected a procedure with a method parameters, whose models can be shown, found none")
        self._procedure, self._requester, self._rules = procedure, requester, rules
        self._labels, self._width = np.unique(train.labels), train.features.shape[1]
        self._observed = self._observes()
        self._neighbours = self._asked_neighbours(train)
        self._largest, self._replaces = 0, False

    def play(self, world: int, *, seed: int, draw: int) -> Floats:
        """One game: what is released after the target's deletion, shape (k,).

        Raises:
            GameError: If a move of the requester is not one, or the procedure gives no parameters.
        """
        requester, rng = copy.deepcopy(self._requester), np.random.default_rng(draw)
        data = self._neighbours.second if world else self._neighbours.first
        present: Positions = np.arange(len(data), dtype=np.int64)
        model = self._procedure.learn(data, seed)
        shown: list[Floats] = [self._parameters(model)] if 0 in self._observed else []
        sent: list[Any] = []
        for number in range(1, self._rules.rounds):
            said = _asked(requester, "request", [each.copy() for each in shown], copy.deepcopy(sent), rng)
            request = self._read(said, present)
            sent.append(said)
            self._largest = max(self._largest, request.positions.size)
            model, data, present = self._carried_out(request, model, data, present, seed + number)
            if number in self._observed:
                shown.append(self._parameters(model))
        forget = np.flatnonzero(present == self._neighbours.target)
        return self._parameters(self._procedure.unlearn(model, data, forget, seed + self._rules.rounds))

    def facts(self) -> dict[str, float | bool | str]:
        """The records of the largest request, whether any were replaced, and whether the requester guesses."""
        guesses = callable(getattr(self._requester, "guess", None))
        return {"largest_request": float(self._largest), "replaces": self._replaces, "guesses": guesses}

    def _carried_out(
        self, request: Request, model: Any, data: Dataset, present: Positions, seed: int
    ) -> tuple[Any, Dataset, Positions]:
        """The model, the records and their positions in the training table after a request."""
        if request.positions.size == 0:
            return model, data, present
        where = np.flatnonzero(np.isin(present, request.positions))
        if request.features is None or request.labels is None:
            kept = np.setdiff1d(np.arange(present.size), where)
            return self._procedure.unlearn(model, data, where, seed), data.subset(kept), present[kept]
        edit = getattr(self._procedure, "edit", None)
        if edit is None:
            raise GameError("expected a procedure with a method edit for a request that replaces records, found none")
        self._replaces = True
        # In the order of the records that are there, which is that of `where`.
        order = np.argsort(request.positions)
        features, labels = request.features[order], request.labels[order]
        edited = edit(model, data, where, features.copy(), labels.copy(), seed)
        return edited, _with(data, where, features, labels), present

    def _read(self, said: Any, present: Positions) -> Request:
        """A request that keeps the rules: records that are there, not the target, each once; replacements of the data's kind."""
        replaces = isinstance(said, tuple)
        if replaces and len(said) != 3:
            raise GameError("expected a request of positions, or of positions, features and labels, found something else")
        positions = _positions(said[0] if replaces else said)
        if np.unique(positions).size != positions.size or not np.isin(positions, present).all():
            raise GameError("expected a request that names each record once and records that are there, found another")
        if (positions == self._neighbours.target).any():
            raise GameError("expected a request that leaves the target to the last round, found the target in an earlier one")
        if not replaces:
            return Request(positions, None, None)
        features, labels = self._records(said[1], said[2], positions.size, "request")
        return Request(positions, features, labels)

    def _asked_neighbours(self, train: Dataset) -> Neighbours:
        said = _asked(self._requester, "neighbours", replace(train, features=train.features.copy(), labels=train.labels.copy()))
        if not isinstance(said, tuple) or len(said) != 3:
            raise GameError("expected neighbours to return position, features and label, found something else")
        target = _positions([said[0]])[0]
        if not 0 <= target < len(train):
            raise GameError(f"expected the position of one of {len(train)} records as target, found another")
        features, labels = self._records([said[1]], [said[2]], 1, "neighbours")
        return Neighbours(int(target), train, _with(train, np.array([target]), features, labels))

    def _records(self, features: Any, labels: Any, count: int, method: str) -> tuple[Floats, np.ndarray[Any, Any]]:
        """Records of the requester's that could be in the training table."""
        try:
            rows, marks = np.asarray(features, dtype=np.float64), np.asarray(labels)
        except (TypeError, ValueError):
            raise GameError(f"expected numbers as features from the requester's {method}, found something else") from None
        if rows.shape != (count, self._width) or marks.shape != (count,):
            raise GameError(
                f"expected features of shape ({count}, {self._width}) and {count} labels from the requester's {method}, "
                f"found shapes {rows.shape} and {marks.shape}"
            )
        if not np.isfinite(rows).all():
            raise GameError(f"expected finite features from the requester's {method}, found others")
        if self._labels.dtype.kind != "f" and not np.isin(marks, self._labels).all():
            raise GameError(f"expected labels that the training data have from the requester's {method}, found another")
        longest = float(np.linalg.norm(rows, axis=1).max(initial=0.0))
        if self._rules.longest is not None and longest > self._rules.longest * _SLACK:
            raise GameError(
                f"expected records with a norm of at most {self._rules.longest:g} from the requester's {method}, for which alone "
                f"the loss's constants hold, found one of {longest:.6g}"
            )
        return rows, marks

    def _observes(self) -> frozenset[int]:
        said = getattr(self._requester, "observes", None)
        if said is None:
            return frozenset(range(self._rules.seen))
        observed = _positions(said)
        if observed.size > self._rules.seen or not ((observed >= 0) & (observed < self._rules.rounds)).all():
            raise GameError(
                f"expected at most {self._rules.seen} rounds from 0 to {self._rules.rounds - 1} in observes, found others"
            )
        return frozenset(observed.tolist())

    def _parameters(self, model: Any) -> Floats:
        array = np.array(self._procedure.parameters(model), dtype=np.float64)
        if array.ndim != 1 or array.size == 0:
            raise GameError(f"expected parameters of shape (d,), d at least 1, found shape {array.shape}")
        return array


def play(arena: Arena, worlds: Sequence[int], seeds: Sequence[int], draws: Sequence[int]) -> Floats:
    """What each game releases, shape (games, k).

    Raises:
        GameError: If a game could not be played, or two released models have different sizes.
    """
    released = [arena.play(world, seed=seed, draw=draw) for world, seed, draw in zip(worlds, seeds, draws, strict=True)]
    if len({each.size for each in released}) != 1:
        raise GameError("expected models of one size from every game, found different ones")
    return np.stack(released)


def guess(requester: Any, train: Dataset, released: Floats) -> Floats:
    """What the requester says of each released model, shape (games,), 0 or 1. It gets the neighbouring databases, and no game.

    Raises:
        GameError: If it says something else.
    """
    _asked(requester, "neighbours", replace(train, features=train.features.copy(), labels=train.labels.copy()))
    said = [_asked(copy.deepcopy(requester), "guess", each.copy()) for each in released]
    if not all(isinstance(each, bool | int | np.bool_ | np.integer) and each in {0, 1} for each in said):
        raise GameError("expected 0 or 1 from the requester's guess, found something else")
    return np.array([float(each) for each in said])


def _asked(requester: Any, name: str, *arguments: Any) -> Any:
    """What a method of the requester's returns."""
    method: Callable[..., Any] | None = getattr(requester, name, None)
    if not callable(method):
        raise GameError(f"expected a requester with a method {name}, found none")
    try:
        return method(*arguments)
    except Exception as error:
        raise GameError(f"the requester's {name} raised {type(error).__name__}") from error


def _positions(said: Any) -> Positions:
    try:
        listed = [operator.index(each) for each in said]
        return np.array(listed, dtype=np.int64)
    except (TypeError, OverflowError):
        raise GameError("expected positions as a list of integers, found something else") from None


def _with(data: Dataset, where: Positions, features: Floats, labels: np.ndarray[Any, Any]) -> Dataset:
    """The records with others at some positions."""
    rows, marks = data.features.copy(), data.labels.copy()
    rows[where], marks[where] = features, labels
    return Dataset(rows, marks, data.ids)
