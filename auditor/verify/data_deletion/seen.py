"""How many models from before each deletion all requesters together may have seen, from what each row of the log states."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from auditor.evidence import Evidence
from auditor.verify.expectations import count


@dataclass(frozen=True, slots=True)
class Seen:
    """The models that count, batch by batch."""

    before: tuple[int, ...]
    """Of the people that each batch deletes, the first batch first."""
    by_word: int
    """Of the last batch, of those rows alone that state a number."""
    left_out: bool
    """Whether a row states none."""

    @property
    def most(self) -> int:
        """Of the last batch."""
        return self.before[-1]


def seen(evidence: Evidence, rows: Sequence[Mapping[str, Any]]) -> Seen:
    """What the rows of `per_request` add up to: every number counts, also of later requests, up to the models that there were.

    Raises:
        LookupError, TypeError, ValueError: If a row names no batch of the log.
    """
    batches = evidence.deletion_log.batches
    placed = [(int(row["batch"]) - 1, count(row["stated"])) for row in rows]
    if any(not 0 <= place < batches for place, _ in placed):
        raise ValueError("a row of per_request names no batch of the log")
    return Seen(
        before=tuple(_together(placed, number) for number in range(batches)),
        by_word=_together([each for each in placed if each[1] is not None], batches - 1),
        left_out=any(stated is None for _, stated in placed),
    )


def _together(placed: Sequence[tuple[int, int | None]], number: int) -> int:
    published = number + 1
    own = [place + 1 if stated is None else stated for place, stated in placed]
    capped = [min(each, published) if place > number else each for each, (place, _) in zip(own, placed, strict=True)]
    # A row that says more than its log had published knows of other models.
    others = max([0, *(stated - place - 1 for place, stated in placed if stated is not None)])
    return min(published + others, sum(capped))


def rows_of(evidence: Evidence, rows: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    """Rows of requests that the document does not list as executed, or that state more than its log."""
    executed = {request.request_id: request for request in evidence.requests if request.status == "executed"}
    named = [row.get("request_id") for row in rows]
    if len(set(map(str, named))) < len(named):
        yield "details.per_request names a request twice"
    strangers = [str(name) for name in named if name not in executed]
    if strangers and not evidence.deletion_log.problems:
        yield f"details.per_request names {', '.join(strangers)}, not executed as requests has it"
    unnamed = [name for name, request in executed.items() if request.records and name not in named]
    if unnamed and not evidence.deletion_log.problems:
        yield f"details.per_request does not name {', '.join(unnamed)}"
    stated = max((each for row in rows if (each := count(row.get("stated"))) is not None), default=None)
    most = evidence.deletion_log.max_seen_releases
    if stated is not None and (most is None or stated > most):
        yield f"details.per_request states {stated} models seen, the log's largest number is {most}"
    # Each request of the log that was carried out is in a row: without open requests the largest number is one of theirs.
    if most is not None and len(named) == len(evidence.requests) and stated != most:
        yield f"details.per_request states {stated} models seen at most, the log's largest number is {most}"
