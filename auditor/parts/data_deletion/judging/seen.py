"""How many models from before a person's deletion all requesters together may have seen.

In the paper one requester makes every request, and p counts the different models that it saw (Definition 2.6). A log has many
requesters, each with a number of its own in `seen_releases`, and does not say which models. Two that saw one model each may have
seen two, so the numbers add up, to no more than the models that there were. Where a row leaves the number out, all models
published before that request count. A later request counts too: it may carry what somebody saw before the deletion.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

import numpy as np

from auditor.base.records import Positions
from auditor.verdict.checks.finding import Values
from auditor.verdict.checks.stated import Count, Positive

Origin: TypeAlias = Literal["log", "claim", "all published before"]
"""Where the number of seen models comes from."""


class Asked(Values):
    """An executed request that names a training record."""

    request_id: str
    batch: Positive
    """The batch that it was carried out with, counted from 1."""
    stated: Count | None
    """What its row says of the models that had been seen."""


@dataclass(frozen=True, slots=True)
class Seen:
    """The models from before each batch that were seen, by the number of the batch from 0."""

    before: tuple[int, ...]
    """p of the people that each batch deletes."""
    by_word: int
    """p of the last batch, of those rows alone that state it."""
    left_out: bool
    """Whether a row leaves its number out."""
    says_less: bool
    """Whether a row says that fewer were seen than had been published: no log shows that."""

    @property
    def most(self) -> int:
        """p of the last batch, which is the largest."""
        return self.before[-1]


@dataclass(frozen=True, slots=True)
class Requests:
    """The models that requesters had seen, by the log and by the claim."""

    log: Seen
    claimed: int | None
    """What the claim covers; None where it names no number."""

    @property
    def models(self) -> int:
        """p: the larger of both."""
        return max(self.log.most, self.claimed or 0)

    @property
    def origin(self) -> Origin:
        """Where p comes from."""
        if self.models > self.log.most:
            return "claim"
        return "all published before" if self.log.left_out else "log"

    @property
    def uncovered(self) -> bool:
        """Whether the log gives more than the claim covers."""
        return self.claimed is not None and self.log.most > self.claimed

    @property
    def refuted(self) -> bool:
        """Whether the rows that state a number give more by themselves."""
        return self.claimed is not None and self.log.by_word > self.claimed


def seen(requests: Sequence[Asked], batches: int) -> Seen:
    """What the log says.

    Args:
        requests: Its executed requests.
        batches: At least one; before batch t (from 1) t models were published, the first one included.
    """
    places = np.array([each.batch - 1 for each in requests], dtype=np.int64)
    said = np.array([-1 if each.stated is None else each.stated for each in requests], dtype=np.int64)
    return Seen(
        before=tuple(_together(places, said, number) for number in range(batches)),
        by_word=_together(places[said >= 0], said[said >= 0], batches - 1),
        left_out=any(each.stated is None for each in requests),
        says_less=any(each.stated is not None and each.stated < each.batch for each in requests),
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
