"""What observations of any check are compared with: the batches, records, parameters and requests that the document states.

Each yields a sentence for what no run of the case can have observed.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Annotated, Final, Self, TypeAlias

import numpy as np
import numpy.typing as npt
from pydantic import Field, model_validator

from auditor.base.domain import Fact, Message, Provenance
from auditor.document.evidence import Evidence
from auditor.verdict.checks.context import SECRET_BITS, Context
from auditor.verdict.checks.finding import Values
from auditor.verdict.guarantees import fact

# What no run can observe otherwise: counts and norms below 0, shares above 1.
Count: TypeAlias = Annotated[int, Field(ge=0)]
Positive: TypeAlias = Annotated[int, Field(ge=1)]
Amount: TypeAlias = Annotated[float, Field(ge=0)]
"""Seconds, a norm, a distance or a deviation."""
Share: TypeAlias = Annotated[float, Field(ge=0, le=1)]


# Count the records that an unlearned model and a retrained one predict right, together and alone.
class Counts(Values):
    """Right predictions on one table, by the unlearned model and by one retrained on what is left."""

    records: Positive
    unlearned_right: Count
    retrained_right: Count
    lost: Count
    """Records that the retrained model alone predicts right."""
    won: Count
    """Records that the unlearned model alone predicts right."""

    @model_validator(mode="after")
    def _counted(self) -> Self:
        require_counts(self.unlearned_right, self.retrained_right, self.lost, self.won)
        if self.retrained_right + self.won > self.records:
            raise ValueError("no more records are predicted right than there are")
        return self

    @classmethod
    def of(cls, unlearned: npt.NDArray[np.bool_], retrained: npt.NDArray[np.bool_]) -> Counts:
        """Sum up which records each of two models predicts right, both of shape (n,), n at least 1."""
        return Counts(
            records=len(unlearned),
            unlearned_right=int(unlearned.sum()),
            retrained_right=int(retrained.sum()),
            lost=int((retrained & ~unlearned).sum()),
            won=int((unlearned & ~retrained).sum()),
        )


def require_counts(unlearned_right: int, retrained_right: int, lost: int, won: int) -> None:
    """Refuse counts of two models that cannot be those of the same records.

    Raises:
        ValueError: If they cannot.
    """
    if retrained_right - lost != unlearned_right - won or lost > retrained_right:
        raise ValueError("both models predict the same records right but for those that one alone does")


# What the length of a seed says of it: whether it can be found by trying. That it is secret is the controller's word.
def seed_facts(context: Context) -> tuple[Fact, ...]:
    """State whether the seed can be guessed: a short one is no secret, whatever is said of it."""
    if not context.seed_is_secret:
        return (
            fact("seed-secret", Provenance.REFUTED, Message("fact.seed-secret.short", {"bits": SECRET_BITS})),
            fact("seed-unguessable", Provenance.REFUTED, Message("fact.seed-unguessable.short", {"bits": SECRET_BITS})),
        )
    return (fact("seed-unguessable", Provenance.COMPUTED, Message("fact.seed-unguessable.long", {"bits": SECRET_BITS})),)


def batches(evidence: Evidence, batches: int) -> Iterator[str]:
    """Compare a number of batches with the log's."""
    if batches != evidence.deletion_log.batches:
        yield f"batches are {batches}, the log has {evidence.deletion_log.batches}"


def removed(evidence: Evidence, removed: int) -> Iterator[str]:
    """Compare a number of removed records with what the case lost."""
    gone = evidence.case.training_records - evidence.case.records_left
    if removed != gone:
        yield f"{removed} records were removed, by the log {gone}"


def parameters(evidence: Evidence, parameters: int | None) -> Iterator[str]:
    """Compare a number of parameters with the model's."""
    if None not in {parameters, evidence.case.parameters} and parameters != evidence.case.parameters:
        yield f"the rerun has {parameters} parameters, the model has {evidence.case.parameters}"


def executed(evidence: Evidence, request_ids: Iterable[str]) -> Iterator[str]:
    """Find requests that the log does not record as executed."""
    known = {each.request_id for each in evidence.requests if each.status == "executed"}
    foreign = sorted(set(request_ids) - known)
    if foreign:
        yield f"{', '.join(foreign[:3])} is no request that was executed"


def named(evidence: Evidence, of_one_person: int) -> Iterator[str]:
    """Compare the most records of one person with what one executed request names."""
    named = max((each.records for each in evidence.requests if each.status == "executed"), default=0)
    if of_one_person < named:
        yield f"records of one person are {of_one_person} at most, one executed request alone names {named}"


LEAST_UNSEEN: Final = 100
"""Records of a holdout below which a page says how to get more, where some were left out."""


def known_rows(context: Context) -> tuple[Message, ...]:
    """Name the rows of the holdout that are left out because they equal training records; nothing where none do."""
    known = context.case.known_rows
    if known is None:
        return ()
    left = context.case.holdout_records or 0
    given = {"records": known.count, "of": known.of, "row": known.rows[0], "left": left}
    return (Message("holdout.known" if left >= LEAST_UNSEEN else "holdout.known-few", given),)
