"""Training data with other records in the place of deleted ones: at the same places, another content, and other ids as well."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from auditor.audit.renamed_columns import similar_ids
from auditor.base.draws import generator
from auditor.base.mixed_columns import settled
from auditor.base.records import Dataset, Positions, Replacement
from auditor.case import Case
from auditor.sandbox import Drop, Learn, Step, Unlearn


# Draw decoys: retained records that a model is made to forget in the place of those that the log deletes.
# A model that learned everything and then unlearned decoys still holds the deleted records, and has lost whatever unlearning
# always takes away, a layer that memorised its training data for instance. It is the no-unlearning baseline that a procedure
# cannot make look worse than it is.
def draw_decoys(
    retained: Positions, sizes: Sequence[int], *, labels: npt.NDArray[Any] | None, rng: np.random.Generator
) -> tuple[Positions, ...]:
    """Draw distinct records to forget, batch by batch.

    One record of each label always stays. Where too few are left to draw from, every batch takes the same share of what it asked
    for, rounded down but at least one record as long as there are any.

    Args:
        retained: Shape (r,): positions to draw from.
        sizes: How many records each batch forgets.
        labels: Shape (n,): of all records, by position; None where labels are no classes, and one record of any stays.
        rng: Draws.

    Returns:
        One array a batch, ascending; no position occurs twice.
    """
    mixed = rng.permutation(retained)
    codes = np.zeros(len(mixed), dtype=np.int64) if labels is None else np.unique(labels[mixed], return_inverse=True)[1]
    free = np.delete(mixed, np.unique(codes, return_index=True)[1])
    asked = np.asarray(sizes, dtype=np.int64)
    if asked.sum() > len(free):
        asked = np.minimum(asked, np.maximum(1, asked * len(free) // asked.sum()))
    ends = np.minimum(np.cumsum(asked), len(free))
    return tuple(
        np.sort(free[end - size : end]).astype(np.int64) for size, end in zip(np.diff(ends, prepend=0), ends, strict=True)
    )


# The steps of a log that is run again, on a table with as many rows as the training data.
def model_after(batch: int) -> str:
    """Name the model after a batch; 0 for learning."""
    return f"model-{batch}"


def log_steps(records: int, forgotten: Sequence[Positions], *, seed: int, look: Callable[[int], Iterable[Step]]) -> list[Step]:
    """Learn, and unlearn batch after batch, each with its own seed; every model is examined, and dropped after its successor.

    Args:
        records: How many there are before the first batch.
        forgotten: Positions in the table, one array a batch.
        seed: The procedure's own: learning gets it, the k-th batch seed + k.
        look: What is asked about the model after a batch, 0 for learning.
    """
    rows = np.arange(records, dtype=np.int64)
    steps: list[Step] = [Learn(model_after(0), rows, seed), *look(0)]
    for number, positions in enumerate(forgotten, start=1):
        before, forget = model_after(number - 1), np.flatnonzero(np.isin(rows, positions)).astype(np.int64)
        steps += [Unlearn(before, model_after(number), rows, forget, seed + number), *look(number), Drop(before)]
        rows = np.delete(rows, forget)
    return steps


LEVELS: Final = 3
"""How many first parts of the log have their records replaced in every way: that of every batch where there are no more."""
MOST_LEVELS: Final = 20
"""How many have them replaced at all: a model after a batch in between, that later ones do not reveal, is compared as well."""


@dataclass(frozen=True, slots=True, eq=False)
class Replaced:
    """The training data with other records in the place of those of the first batches."""

    table: Dataset
    until: int
    """The last batch, counted from 1, whose records were replaced."""
    kind: Replacement
    """What is in their place."""


def replaced(case: Case, forgotten: tuple[Positions, ...], *, seed: int) -> Iterator[Replaced]:
    """Three replacements for each of several first parts of the log, and one for each of the others.

    A model after batch t still has the records of later batches, which stay as they are where the first t are replaced. Records
    beyond the range of the data are among the replacements: a median or a largest value does not notice most others. They have
    other ids too, as whose record was deleted is no less personal than what it held.

    Args:
        case: The case.
        forgotten: Positions in the training data, one array a batch, at least one.
        seed: The auditor's own.
    """
    batches, train = len(forgotten), case.train
    rng = generator(seed, "twins", "records")
    kept = np.setdiff1d(np.arange(len(train)), np.concatenate(forgotten))
    thorough = set(_parts(batches, LEVELS))
    for until in sorted(thorough | set(_parts(batches, MOST_LEVELS))):
        gone = np.concatenate(forgotten[:until])
        others = rng.choice(kept, size=len(gone))
        turned = _other_labels(case, gone, train.labels[kept], rng)
        if until in thorough:
            yield Replaced(with_others(train, gone, others), until, "other records")
        if until in thorough and turned is not None:
            yield Replaced(_with(train, gone, train.features[gone], turned), until, "another label")
        far, labels = _beyond(train.features, len(gone)), train.labels[others] if turned is None else turned
        if case.settings.data.task == "regression":
            labels = _beyond(train.labels[:, None].astype(np.float64), len(gone))[:, 0]
        beyond = _with(train, gone, far, labels)
        yield Replaced(with_other_ids(beyond, gone, seed=seed), until, "beyond the range")


def _parts(batches: int, most: int) -> list[int]:
    """The last batches of first parts of the log, counted from 1: of every one where there are no more."""
    return [int(each) for each in np.unique(np.linspace(1, batches, min(most, batches)).round())]


def _other_ids(ids: npt.NDArray[np.str_], gone: Positions, seed: int) -> npt.NDArray[np.str_]:
    """The ids with others for the records at `gone`, which no record has and which look like theirs."""
    chosen = similar_ids(ids, len(gone), rng=generator(seed, "twins", "ids"))
    # An array of strings keeps no more of them than its longest one had.
    changed = ids.astype(np.result_type(ids, np.array(chosen)))
    changed[gone] = chosen
    return changed


def _beyond(values: npt.NDArray[np.float64], rows: int) -> npt.NDArray[np.float64]:
    """Rows above everything that there is: each a range of its column beyond the largest value, and further one by one."""
    largest = values.max(axis=0)
    with np.errstate(over="ignore"):
        width = np.maximum(largest - values.min(axis=0), 1.0)
        beyond = largest + np.outer(1 + np.arange(rows) / max(rows, 1), width)
    return np.asarray(np.minimum(beyond, np.finfo(np.float64).max))


def _other_labels(case: Case, gone: Positions, known: npt.NDArray[Any], rng: np.random.Generator) -> npt.NDArray[Any] | None:
    """For each record a label that it does not have and another record has; None where there is no other."""
    values = np.unique(known)
    chosen = []
    for own in case.train.labels[gone].tolist():
        others = values[values != own]
        if not len(others):
            return None
        chosen.append(others[rng.integers(len(others))])
    return np.array(chosen, dtype=case.train.labels.dtype)


def with_others(train: Dataset, gone: Positions, others: Positions) -> Dataset:
    """Put the records at `others` in the place of those at `gone`, under the ids of the latter."""
    return _with(train, gone, train.features[others], train.labels[others])


def with_other_ids(train: Dataset, gone: Positions, *, seed: int) -> Dataset:
    """Give the records at `gone` ids that no record has and that look like theirs."""
    return replace(train, ids=_other_ids(train.ids, gone, seed), sensitivity=None)


def _with(train: Dataset, gone: Positions, features: npt.NDArray[np.float64], labels: npt.NDArray[Any]) -> Dataset:
    replaced = replace(train, features=train.features.copy(), labels=train.labels.copy(), sensitivity=None)
    replaced.features[gone] = features if train.table is None else settled(train.table, features)
    replaced.labels[gone] = labels
    return replaced
