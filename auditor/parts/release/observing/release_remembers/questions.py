"""What models are asked about, and what those learn that are trained for the purpose."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

import numpy as np

from auditor.audit.replacing import draw_decoys
from auditor.audit.shifted_copies import Neighbours
from auditor.base.draws import generator
from auditor.base.records import Floats, Positions, joined
from auditor.case import Case
from auditor.parts.release.judging.release_remembers.observed import Neighbourhood

MOVES: Final[Mapping[Neighbourhood, float]] = {"moved-0.1": 0.1, "moved-0.3": 0.3}
MOST_ASKED: Final = 2000
"""Deleted records that models are asked about; of more, so many are drawn."""
_MOST_UNSEEN: Final = 500
_MOST_DRAWN: Final = 200
_LEAST_STAYING: Final = 10
"""Where unseen records have to be drawn, one in so many retained ones at most is left out of the models."""
HELD_OUT: Final = 5
"""Models that hold the records, beyond as many by which thresholds are set."""


@dataclass(frozen=True, slots=True, eq=False)
class Questions:
    """Everything that was drawn before any model was trained. Positions are those of the training data."""

    base: Positions
    """What learning starts from, ascending: all records but the unseen ones that were drawn from them."""
    forgotten: tuple[Positions, ...]
    """What the log deletes, one array a batch."""
    retained: Positions
    """The base without these, ascending."""
    asked: Positions
    """Shape (f,): deleted records."""
    codes: Positions | Floats = field(repr=False)
    """Shape (f,): their class codes; of a regression their labels."""
    requests: tuple[tuple[str, Positions], ...]
    """Ids of requests, and where in `asked` their records are; none is empty."""
    records: Floats = field(repr=False)
    """Shape (f, d)."""
    copies: Mapping[Neighbourhood, Floats] = field(repr=False)
    """By how far they are moved, each of shape (f, d)."""
    unseen: Floats = field(repr=False)
    """Shape (u, d): records that no model has seen."""
    unseen_codes: Positions | Floats = field(repr=False)
    """Shape (u,)."""
    unseen_are_retained: bool
    decoys: tuple[tuple[Positions, ...], ...]
    """What each model forgets that holds the records, batch by batch."""
    seeds: tuple[int, ...]
    """One a model: of the retrained ones first, then of those that hold the records, then of one in the release's place."""
    columns: int | None
    """Classes of a prediction; None for a regression."""

    @property
    def deleted(self) -> int:
        """How many records the log deletes."""
        return len(joined(self.forgotten))

    @property
    def models(self) -> int:
        """How many models learn without the deleted records."""
        return len(self.seeds) - len(self.decoys) - 1


def draw(case: Case, forgotten: Sequence[Positions], *, models: int, holding: int, seed: int) -> Questions | None:
    """Draw what is asked; None where no executed request deletes a record.

    Args:
        case: The case.
        forgotten: Positions in the training data, one array a batch.
        models: How many learn without the deleted records.
        holding: How many keep them.
        seed: The auditor's own.
    """
    train, gone = case.train, joined(forgotten)
    classifies = case.settings.data.task == "classification"
    rng = generator(seed, "release-remembers", "records")
    asked = np.sort(rng.permutation(gone)[:MOST_ASKED])
    requests = _requests(case, asked)
    if not requests:
        return None
    kept = np.setdiff1d(np.arange(len(train)), gone)
    labels = train.labels if classifies else None
    drawn = np.empty(0, dtype=np.int64)
    if case.holdout is None:
        wanted = min(_MOST_DRAWN, len(kept) // _LEAST_STAYING)
        (drawn,) = draw_decoys(kept, [wanted], labels=labels, rng=generator(seed, "release-remembers", "unseen"))
        unseen, unseen_labels = train.features[drawn], train.labels[drawn]
    else:
        chosen = np.flatnonzero(np.isin(case.holdout.labels, train.labels)) if classifies else np.arange(len(case.holdout))
        chosen = np.sort(generator(seed, "release-remembers", "unseen").permutation(chosen)[:_MOST_UNSEEN])
        unseen, unseen_labels = case.holdout.features[chosen], case.holdout.labels[chosen]
    retained = np.setdiff1d(kept, drawn)
    known = np.unique(train.labels)
    own, others = (train.labels[asked], train.labels[retained]) if classifies else (None, None)
    near = Neighbours.of(train.features[asked], own, train.features[retained], others, table=train.table)
    sizes = [len(each) for each in forgotten]
    return Questions(
        base=np.setdiff1d(np.arange(len(train)), drawn),
        forgotten=tuple(forgotten),
        retained=retained,
        asked=asked,
        codes=np.searchsorted(known, train.labels[asked]) if classifies else train.labels[asked].astype(np.float64),
        requests=requests,
        records=train.features[asked],
        copies={name: near.copies(share, generator(seed, "release-remembers", name)) for name, share in MOVES.items()},
        unseen=unseen,
        unseen_codes=np.searchsorted(known, unseen_labels) if classifies else unseen_labels.astype(np.float64),
        unseen_are_retained=case.holdout is None,
        decoys=tuple(
            draw_decoys(retained, sizes, labels=labels, rng=generator(seed, "release-remembers", "decoys", model))
            for model in range(holding)
        ),
        seeds=tuple(
            int(each) for each in generator(seed, "release-remembers", "seeds").choice(2**31, models + holding + 1, replace=False)
        ),
        columns=len(known) if classifies else None,
    )


def further_seeds(questions: Questions, models: int, *, seed: int) -> tuple[int, ...]:
    """Draw seeds for further retrained models, none of which any model of the questions has.

    Args:
        questions: With the seeds that are taken.
        models: How many.
        seed: The auditor's own.
    """
    drawn = generator(seed, "release-remembers", "further seeds").choice(2**31, models + len(questions.seeds), replace=False)
    return tuple(each for each in drawn.tolist() if each not in questions.seeds)[:models]


def _requests(case: Case, asked: Positions) -> tuple[tuple[str, Positions], ...]:
    """Each executed request with the places of its records, a record counting for the first that names it."""
    places = {record: place for place, record in enumerate(case.train.ids[asked].tolist())}
    found = []
    for request in case.requests:
        if request.executed_at is None:
            continue
        own = [places.pop(record) for record in request.record_ids if record in places]
        if own:
            found.append((request.request_id, np.array(own, dtype=np.int64)))
    return tuple(found)
