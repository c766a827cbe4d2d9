"""The part of `data.erased` that a whole controller has: what it still holds of people who were there and were deleted."""

from __future__ import annotations

from typing import Final, Literal

from auditor.base.domain import Reason, Status
from auditor.verdict.checks.finding import Finding, Values
from auditor.verdict.checks.quantities import Count

MOST_NAMED: Final = 5
"""Places that the evidence names."""


class KeptPlace(Values):
    """One place of everything that a controller keeps."""

    place: Literal["state", "objects", "files"]
    """What `state()` returns; what its object and the case's modules hold; what it left in files."""
    bytes: Count
    found: Count
    """Deleted words that were found there."""
    named: tuple[str, ...]
    """Where: the first few."""


class ControllerKept(Values):
    """What was kept after a history in which people came, spoke and were deleted, every text of theirs a word of its own."""

    words: Count
    """Names and arguments of deleted channels: all that was looked for."""
    found: Count
    """Of these, the words that were found anywhere."""
    places: tuple[KeptPlace, ...]
    recognised: bool
    """Whether any word of a channel that stayed was found: the search can see what lies there."""
    cut: bool
    """Whether there is something that could not be looked into."""
    same_state: bool
    """Whether the state is the one that is left where the deleted channels never spoke."""
    same_beyond: bool
    """The same of objects and files."""


def judged(kept: ControllerKept) -> Finding:
    """Decide whether anything of the deleted channels is left.

    A word that is found is a failure. None found says something only where the search sees what lies there: where it recognised
    what stayed, or where everything that is kept is the same, byte for byte, as had they never been there.
    """
    reasons = [
        Reason("data.erased.controller", {"words": kept.words, "bytes": sum(each.bytes for each in kept.places)}),
    ]
    same = kept.same_state and kept.same_beyond
    if kept.found:
        where = [{"place": each.place, "named": list(each.named), "found": each.found} for each in kept.places if each.found]
        reasons.insert(0, Reason("data.erased.controller.found", {"found": kept.found, "where": where}))
        status = Status.FAIL
    elif kept.cut:
        reasons.append(Reason("data.erased.controller.cut"))
        status = Status.INCONCLUSIVE
    elif kept.same_state and not kept.same_beyond:
        reasons.append(Reason("data.erased.controller.beyond"))
        status = Status.INCONCLUSIVE
    elif not (same or kept.recognised):
        reasons.append(Reason("data.erased.controller.not-recognised"))
        status = Status.INCONCLUSIVE
    else:
        reasons.append(Reason("data.erased.controller.same" if same else "data.erased.controller.recognised"))
        status = Status.PASS
    return Finding(status, value=float(kept.found), threshold=0.0, reasons=tuple(reasons))
