"""Which of the games of deletion inference were played under which remedy."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from auditor.parts.revealing.judging.inference.observed import Tally
from auditor.verdict.checks.remedies import REMEDIES, Remedied, Remedy, judged


def measured(tallies: Iterable[Tally], *, confidence: float, largest: float | None) -> tuple[Remedied, ...]:
    """Judge every remedy that games were played under.

    Args:
        tallies: Of one check.
        confidence: That the limits of each remedy hold for all its attacks.
        largest: The share of games that may be won.
    """
    known = tuple(tallies)
    return tuple(
        judged(remedy, played, confidence=confidence, largest=largest, of_two=True)
        for remedy in REMEDIES
        if (played := tuple(_under(remedy, known)))
    )


def _under(remedy: Remedy, tallies: Sequence[Tally]) -> Iterator[Tally]:
    for each in tallies:
        if remedy in {"labels", "rounded"}:
            if each.variant == "two" and each.view == remedy:
                yield each
        elif each.variant == remedy and each.view == "scores":
            yield each
