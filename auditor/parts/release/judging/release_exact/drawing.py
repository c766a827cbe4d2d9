"""Which batches have to be held against a clean room: the last, and for the controller's own code others as well.

The drawn batch follows from the digest of the case and the auditor's seed, so that anyone who prepares the case cannot choose it
and `verify` draws it again.
"""

from __future__ import annotations

import hashlib
from typing import Final

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
