"""Examine one model from every side, and hold two such looks against one another item by item."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Final, Literal, TypeAlias

import numpy as np

from auditor.audit.shifted_copies import SHARES, Neighbours
from auditor.base.draws import generator
from auditor.base.records import Dataset, Floats, Positions, joined
from auditor.case import Case
from auditor.maths.certificates.rounding import finite
from auditor.sandbox import Answer, Parameters, Predict, PredictRows, Save, State, Step, Walk
from auditor.sandbox.walked import Item, Walked, read
from auditor.verdict.checks.differences import Compared, Difference, Kind

# The rows that two models are asked about: unseen, retained and deleted records, in an order that tells nothing.
TABLE: Final = "probe"
"""Its name in the sandbox."""
MOST_OF_EACH: Final = 200
"""Rows of each kind."""


def probes(case: Case, forgotten: Sequence[Positions]) -> Dataset:
    """The features of up to 200 records each of the holdout, of what the log leaves and of what it deletes.

    Labels, ids and order are drawn or blank: anyone who reads the table learns neither whose rows they are nor which were
    deleted. The draw is the same for every audit of a case, so that a finished run is found again.
    """
    rng = generator(0, "probe table")
    gone = joined(forgotten)
    kept = np.setdiff1d(np.arange(len(case.train)), gone)
    parts = [case.train.features[_some(each, rng)] for each in (gone, kept)]
    if case.holdout is not None:
        parts.append(case.holdout.features[_some(np.arange(len(case.holdout)), rng)])
    features = np.concatenate(parts)
    features = features[rng.permutation(len(features))]
    return case.train.with_rows(features)


def _some(positions: Positions, rng: np.random.Generator) -> Positions:
    return rng.choice(positions, size=min(MOST_OF_EACH, len(positions)), replace=False)


# What the models of a run were seen to be, by their names, and whether two runs gave the same ones.
Seen: TypeAlias = Mapping[str, tuple[Floats, ...]]
"""Each model's arrays: its parameters, then its predictions."""


def seen(answers: Sequence[Answer]) -> Seen:
    """The arrays of every model that was asked for parameters or predictions and gave them."""
    found: dict[str, tuple[Floats, ...]] = {}
    for answer in answers:
        if isinstance(answer.step, Parameters | Predict) and answer.array is not None:
            found[answer.step.model] = (*found.get(answer.step.model, ()), answer.array)
    return found


def same(first: Seen, second: Seen) -> bool:
    """Whether every model that both runs saw is the same, bit for bit. That there is none is no sameness."""
    common = first.keys() & second.keys()
    return bool(common) and all(_bits(first[model]) == _bits(second[model]) for model in common)


def difference(first: Seen, second: Seen) -> float | None:
    """The largest absolute difference between models of one name; None where their shapes differ."""
    common = sorted(first.keys() & second.keys())
    if any(_shapes(first[model]) != _shapes(second[model]) for model in common):
        return None
    pairs = [pair for model in common for pair in zip(first[model], second[model], strict=True)]
    return finite(max((float(np.max(np.abs(a - b), initial=0.0)) for a, b in pairs), default=0.0))


def _shapes(arrays: tuple[Floats, ...]) -> list[tuple[int, ...]]:
    return [array.shape for array in arrays]


def _bits(arrays: tuple[Floats, ...]) -> list[tuple[tuple[int, ...], bytes]]:
    return [(array.shape, array.tobytes()) for array in arrays]


_MOST_NAMED: Final = 100
_OF_HOLDOUT: Final = 256
_OF_EACH: Final = 128
_WARM: Final = 2
_ORDER: Final = {"parameters": 0, "predictions": 1, "state": 2, "saved file": 3}
"""What is named first of what differs."""


@dataclass(frozen=True, slots=True, eq=False)
class Probe:
    """Rows that models are asked about, all of them in one call."""

    features: Floats = field(repr=False)
    """Shape (n, d): of the holdout, retained, deleted, and copies of deleted ones that are moved a little."""
    columns: int | None
    """Classes of a prediction; None for regression."""
    retained: int = 0
    """How many of the first rows are retained ones."""


@dataclass(frozen=True, slots=True, eq=False)
class Look:
    """What could be seen of a model."""

    parameters: Floats | None
    predictions: Floats | None
    state: bytes | None = None
    saved: bytes | None = None
    walked: Walked | None = None


def probe_of(case: Case, forgotten: Sequence[Positions], *, seed: int) -> Probe:
    """Draw the rows that every model of a case is asked about.

    Args:
        case: The case.
        forgotten: Positions in the training data, one array a batch.
        seed: The auditor's own.
    """
    rng, train = generator(seed, "release", "probe"), case.train
    gone = joined(forgotten)
    kept = np.setdiff1d(np.arange(len(train)), gone)
    chosen = np.sort(rng.permutation(gone)[:_OF_EACH])
    parts = [train.features[np.sort(rng.permutation(kept)[:_OF_EACH])], train.features[chosen]]
    if case.holdout is not None:
        parts.append(case.holdout.features[np.sort(rng.permutation(len(case.holdout))[:_OF_HOLDOUT])])
    classifies = case.settings.data.task == "classification"
    if len(chosen) and len(kept):
        labels, own = (train.labels[kept], train.labels[chosen]) if classifies else (None, None)
        near = Neighbours.of(train.features[chosen], own, train.features[kept], labels, table=train.table)
        parts += [near.copies(each, rng) for each in SHARES]
    return Probe(np.concatenate(parts), len(np.unique(train.labels)) if classifies else None, len(parts[0]))


def steps(model: str, probe: Probe, *, everywhere: bool = False, warm: bool = False) -> tuple[Step, ...]:
    """Ask for everything of a model, for what it answers to the probe last: no earlier answer can have read its rows.

    Args:
        model: Its name.
        probe: What it is asked about.
        everywhere: Whether to walk through all that changed elsewhere in its process too, which is asked of the last model alone:
            what was kept earlier is still there.
        warm: Whether to ask about a few retained rows before that, as the first question of all: libraries fill their caches when
            they first predict, which a replay has had earlier models do.
    """
    asked = probe.features[: min(probe.retained, _WARM)]
    first = (PredictRows(model, asked, probe.columns),) if warm and len(asked) else ()
    walk = Walk(model, everywhere=everywhere)
    return (Parameters(model), State(model), Save(model), *first, walk, PredictRows(model, probe.features, probe.columns))


def look(answers: Sequence[Answer]) -> Look:
    """What the answers to `steps`, or to some of them, show; of several predictions the last, which is about the probe."""
    arrays = {type(each.step): each.array for each in answers}
    contents = {type(each.step): each.content for each in answers}
    walk = contents.get(Walk)
    return Look(
        parameters=arrays.get(Parameters),
        predictions=arrays.get(PredictRows),
        state=contents.get(State),
        saved=contents.get(Save),
        walked=None if walk is None else read(walk),
    )


def kinds(first: Look, second: Look) -> tuple[Kind, ...]:
    """What both show."""
    listed: Mapping[Kind, tuple[object, object]] = {
        "parameters": (first.parameters, second.parameters),
        "predictions": (first.predictions, second.predictions),
        "state": (first.state, second.state),
        "saved file": (first.saved, second.saved),
        "object": (first.walked, second.walked),
    }
    return tuple(kind for kind, pair in listed.items() if pair[0] is not None and pair[1] is not None)


Moves: TypeAlias = Literal["by itself", "not with the records"]
"""Why a single number may differ."""


def compare(first: Look, second: Look, moves: Mapping[str, Moves] = MappingProxyType({})) -> Compared:
    """Hold two models against one another.

    Args:
        first: One.
        second: The other.
        moves: Of single numbers that a walk met, by their addresses, why they may differ.
    """
    found = list(_differences(first, second, moves))
    return Compared(differing=len(found), differences=tuple(found[:_MOST_NAMED]))


def merged(found: Sequence[Compared]) -> Compared:
    """Put several comparisons with one model together: every item that differs in any of them, once.

    Args:
        found: At least one.
    """
    listed: dict[tuple[str, str, int], Difference] = {}
    for each in found:
        met = Counter[tuple[str, str]]()
        for item in each.differences:
            met[item.kind, item.name] += 1
            key = (item.kind, item.name, met[item.kind, item.name])
            listed[key] = _worse(listed[key], item) if key in listed else item
    named = sorted(listed.values(), key=lambda each: _ORDER.get(each.kind, len(_ORDER)))
    differing = max(len(named), *(each.differing for each in found))
    return Compared(differing=differing, differences=tuple(named[:_MOST_NAMED]))


def _worse(first: Difference, second: Difference) -> Difference:
    """An item as it differs most; why a single number moves counts where every run says so."""
    alike = first.largest is not None and second.largest is not None
    return first.model_copy(
        update={
            "largest": max(first.largest or 0.0, second.largest or 0.0) if alike else None,
            "bytes": max(first.bytes, second.bytes),
            "moves": first.moves if first.moves == second.moves else None,
        }
    )


def scalars_apart(first: Look, second: Look) -> frozenset[str] | None:
    """Give the addresses of the items that differ between two walks; None where one of the models was not walked through."""
    if first.walked is None or second.walked is None:
        return None
    found: set[str] = set()
    pairs = ((first.walked.items, second.walked.items), (first.walked.beyond, second.walked.beyond))
    for own, other in pairs:
        found.update(key for key in own.keys() | other.keys() if own.get(key) != other.get(key))
    return frozenset(found)


def same_answers(first: Look, second: Look) -> bool:
    """Whether parameters and predictions are the same, bit for bit."""
    return not compare(
        Look(first.parameters, first.predictions),
        Look(second.parameters, second.predictions),
    ).differing


def _differences(first: Look, second: Look, moves: Mapping[str, Moves]) -> Iterator[Difference]:
    arrays: tuple[tuple[Kind, Floats | None, Floats | None], ...] = (
        ("parameters", first.parameters, second.parameters),
        ("predictions", first.predictions, second.predictions),
    )
    for kind, own, other in arrays:
        if own is None and other is None:
            continue
        if own is None or other is None or own.shape != other.shape:
            yield Difference(name=kind, kind=kind, largest=None, bytes=max(_size(own), _size(other)))
        elif own.tobytes() != other.tobytes():
            largest = finite(float(np.max(np.abs(own - other), initial=0.0)))
            yield Difference(name=kind, kind=kind, largest=largest, bytes=own.nbytes)
    contents: tuple[tuple[Kind, bytes | None, bytes | None], ...] = (
        ("state", first.state, second.state),
        ("saved file", first.saved, second.saved),
    )
    for kind, content, beside in contents:
        if content != beside:
            yield Difference(name=kind, kind=kind, largest=None, bytes=max(len(content or b""), len(beside or b"")))
    if first.walked is not None and second.walked is not None:
        yield from _of_walks(first.walked.items, second.walked.items, moves)
        # What the other has alone is nothing that this one keeps: one that unlearns has loaded and called more.
        common = {key: item for key, item in second.walked.beyond.items() if key in first.walked.beyond}
        yield from _of_walks(first.walked.beyond, common, moves)


def _of_walks(first: Mapping[str, Item], second: Mapping[str, Item], moves: Mapping[str, Moves]) -> Iterator[Difference]:
    for key in sorted(first.keys() | second.keys(), key=lambda each: ((first.get(each) or second[each]).name, each)):
        sides = [each for each in (first.get(key), second.get(key)) if each is not None]
        if len(sides) == 2 and sides[0] == sides[1]:
            continue
        scalar = all(each.kind == "scalar" for each in sides)
        size = max(each.bytes for each in sides)
        kind: Literal["scalar", "object"] = "scalar" if scalar else "object"
        yield Difference(name=sides[0].name, kind=kind, largest=None, bytes=size, moves=moves.get(key) if scalar else None)


def _size(array: Floats | None) -> int:
    return 0 if array is None else int(array.nbytes)
