"""What `release.exact` reads of a run: the release compared with clean rooms, the controls, the learner's reactions."""

from __future__ import annotations

import hashlib
from typing import Final, Self

from pydantic import Field, model_validator

from auditor.base.domain import Message
from auditor.verdict.checks.differences import Compared, Kind
from auditor.verdict.checks.finding import Values
from auditor.verdict.checks.stated import Amount, Count, Positive

# Which batches have to be held against a clean room: the last, and for the controller's own code others as well.
# The drawn batch follows from the digest of the case and the auditor's seed, so that anyone who prepares the case cannot
# choose it and `verify` draws it again.
QUICK_TRAINING_S: Final = 2.0
"""Where one training takes less, every batch is compared."""
MOST_BATCHES: Final = 64
"""Every batch is compared up to so many of them; of longer logs the last and the drawn one."""
THOROUGH_UP_TO: Final = 16
"""Of so many batches every model is compared from every side; of longer logs those after the last and the drawn one."""


def drawn(case_digest: str, audit_seed: str, batches: int) -> int:
    """Draw a batch before the last one, counted from 1.

    Args:
        case_digest: Over all inputs of the case.
        audit_seed: The auditor's own.
        batches: Of the log, at least 2.
    """
    value = int.from_bytes(hashlib.sha256(f"release.exact:{case_digest}:{audit_seed}".encode()).digest(), "big")
    return 1 + value % (batches - 1)


def thorough(batches: int, at_random: int | None) -> frozenset[int]:
    """Say after which batches models are compared from every side, and not by parameters and predictions alone."""
    if batches <= THOROUGH_UP_TO or at_random is None:
        return frozenset(range(1, batches + 1))
    return frozenset((at_random, batches))


def compared(batches: int, at_random: int | None, seconds_of_training: float | None, *, ours: bool) -> tuple[int, ...]:
    """Say which batches have to be compared.

    Args:
        batches: Of the log, at least 1.
        at_random: The drawn batch; None where there is no earlier one.
        seconds_of_training: Of one training; None where it is not known.
        ours: Whether code of the auditor's own trains, which answers every batch alike.
    """
    if ours or at_random is None:
        return (batches,)
    quick = seconds_of_training is not None and seconds_of_training < QUICK_TRAINING_S
    if quick and batches <= MOST_BATCHES:
        return tuple(range(1, batches + 1))
    return (at_random, batches)


class Controls(Values):
    """Whether the same training gives the same bits."""

    two_processes: bool
    one_process: bool
    """Twice in one process."""
    another_address: bool
    """With the rows at another place in memory."""

    @property
    def agree(self) -> bool:
        """Whether all three do."""
        return self.two_processes and self.one_process and self.another_address


class Reaction(Values):
    """Whether parameters or predictions change with what is learned from."""

    other_rows: bool
    other_labels: bool
    """With labels exchanged among the same rows."""


class CleanRoom(Values):
    """The model after one batch, held against trainings that never held a record that was deleted by then."""

    batch: Positive
    """Counted from 1."""
    compared: tuple[Kind, ...]
    objects: Count
    """Items that the walks met."""
    cut_short: bool
    """Whether a walk ended before it had met everything."""
    seed_of_batch: Compared
    """With the seed of that batch."""
    first_seed: Compared | None = None
    """With the seed of the first training; None where not tried."""
    other_records: Compared | None = None
    """The log with other records in the place of the deleted ones, same ids: every item that differs in any of the runs; None
    where not tried."""
    other_runs: Count = 0
    """How often the log was run with other records."""
    other_ids: Compared | None = None
    """One run with other records under other ids; None where not tried. It decides nothing."""
    controls: Controls | None = None
    """None where not tried."""

    @property
    def rooms(self) -> tuple[Compared, ...]:
        """The trainings."""
        return tuple(each for each in (self.seed_of_batch, self.first_seed) if each is not None)

    @property
    def tried(self) -> tuple[Compared, ...]:
        """Everything that the model was held against."""
        return self.rooms if self.other_records is None else (*self.rooms, self.other_records)


class Carried(Values):
    """How much the case brings along in addition to its data."""

    files: Count
    """Files of code and others that the procedure's process could open."""
    bytes: Count
    """All of them together."""
    deleted_bytes: Count
    """The deleted records, as float64 features."""


class Prepared(Values):
    """What the case's own preparation did with the rows of each training of the log, as it reports itself."""

    dropped: tuple[Count, ...]
    """Rows that a training was given and neither fitted on nor held out, the first training first."""
    held: tuple[Count, ...]
    """Rows that were held out."""
    never_learned: Count
    """Deleted records that the training before their deletion had left out: there was nothing of them to forget."""

    @model_validator(mode="after")
    def _of_each_training(self) -> Self:
        if len(self.dropped) != len(self.held) or len(self.dropped) < 2:
            raise ValueError("every training is counted")
        return self


class Observed(Values):
    """What the run saw."""

    untried: Message | None = None
    """Why nothing could be compared."""
    retrained_last: bool = False
    """Whether the procedure says that it answered the last batch by training from scratch."""
    loses_labels: bool = False
    """Whether a label was that of deleted records alone."""
    seconds_of_training: Amount | None = None
    """Of one training on the records that are left at the end."""
    batches: tuple[CleanRoom, ...] = ()
    unchanged: tuple[Positive, ...] = ()
    """Batches after which the model had the very parameters of before, or the very predictions where it offers no parameters."""
    reaction: Reaction | None = None
    """None where it could not be tried."""
    carried: Carried | None = None
    prepared: Prepared | None = Field(default=None, exclude_if=lambda value: value is None)
    """None where nothing of the case's prepares the rows of a training, or it reports nothing."""

    @model_validator(mode="after")
    def _each_once(self) -> Self:
        numbers = [each.batch for each in self.batches]
        if len(set(numbers)) < len(numbers):
            raise ValueError("every batch is compared once")
        return self
