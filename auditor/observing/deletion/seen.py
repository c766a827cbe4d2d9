"""How many models from before a person's deletion all requesters together may have seen.

In the paper one requester makes every request, and p counts the different models that she saw (Definition 2.6). A log has many,
each with a number of her own in `seen_releases`, and does not say which models. Two who saw one model each may have seen two, so
the numbers add up, to no more than the models that there were. Where a row leaves the number out, all models published before
that request count. A later request counts too: it may carry what somebody saw before the deletion.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

import numpy as np

from auditor.case import Case
from auditor.domain import Positions
from auditor.observing.replay import Replay

Origin: TypeAlias = Literal["log", "claim", "all published before"]


@dataclass(frozen=True, slots=True)
class Seen:
    """The models from before each batch that were seen, by the number of the batch from 0."""

    before: tuple[int, ...]
    """p of the people that each batch deletes."""
    stated: tuple[int | None, ...]
    """Of each executed request that names a training record, in the order of `requests`: what its row says."""
    requests: tuple[tuple[str, int], ...]
    """Each such request with the number of its batch from 0."""
    by_word: int
    """p of the last batch, of those rows alone that state it."""

    @property
    def most(self) -> int:
        """p of the last batch, which is the largest."""
        return self.before[-1]

    @property
    def left_out(self) -> bool:
        """Whether a row leaves its number out."""
        return None in self.stated


def seen(case: Case, replay: Replay) -> Seen:
    """What the log says.

    Args:
        case: With the log.
        replay: At least one batch; before batch t (from 1) t models were published, the first one included.
    """
    batch_of = {request: number for number, batch in enumerate(replay.batches) for request in batch.request_ids}
    listed = [each for each in case.requests if each.executed_at is not None and each.request_id in batch_of]
    places = np.array([batch_of[each.request_id] for each in listed], dtype=np.int64)
    said = np.array([-1 if each.seen_releases is None else each.seen_releases for each in listed], dtype=np.int64)
    count = len(replay.batches)
    return Seen(
        before=tuple(_together(places, said, number) for number in range(count)),
        stated=tuple(each.seen_releases for each in listed),
        requests=tuple((each.request_id, batch_of[each.request_id]) for each in listed),
        by_word=_together(places[said >= 0], said[said >= 0], count - 1),
    )


def _together(places: Positions, said: Positions, number: int) -> int:
    """The models from before batch `number` that all requests together may have seen."""
    published = number + 1
    own = np.where(said < 0, places + 1, said)
    # Of what a later requester saw, no more than was there before this batch.
    own = np.where(places > number, np.minimum(own, published), own)
    # A row that says more than this log has published knows of others.
    others = int(np.maximum(said - (places + 1), 0).max(initial=0))
    return min(published + others, int(own.sum()))
