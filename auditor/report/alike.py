"""Certificates of one rule side by side in print: their conditions once, their numbers in columns."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from auditor.domain import Certificate, How
from auditor.report import tables

COLUMNS: Final = 4
"""The most certificates of one rule that stand side by side."""
_WEAKEST_FIRST: Final = (How.REFUTED, How.UNKNOWN, How.ATTESTED, How.MEASURED, How.COMPUTED)


@dataclass(frozen=True, slots=True)
class Shared:
    """One condition of several certificates."""

    name: str
    holds: bool
    found: str
    """What was found for each, in their order, where it is not the same for all."""
    how: How
    """The weakest of how it is known."""

    @property
    def is_brief(self) -> bool:
        """Whether arithmetic alone shows that it is met."""
        return self.holds and self.how is How.COMPUTED


@dataclass(frozen=True, slots=True)
class Row:
    """One input or result, a cell for each certificate."""

    name: str
    cells: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Alike:
    """Certificates of one rule that are printed together; one alone is printed as itself."""

    certificates: tuple[Certificate, ...]

    @property
    def kind(self) -> str:
        """The rule."""
        return self.certificates[0].kind

    @property
    def conditions(self) -> tuple[Shared, ...]:
        """The conditions that they share, each once."""
        return tuple(
            Shared(
                name=each[0].name,
                holds=all(condition.holds for condition in each),
                found="; ".join(dict.fromkeys(condition.found for condition in each)),
                how=min((condition.how for condition in each), key=_WEAKEST_FIRST.index),
            )
            for each in zip(*(certificate.conditions for certificate in self.certificates), strict=True)
        )

    @property
    def inputs(self) -> tuple[Row, ...]:
        """What each was derived from."""
        return _rows([tables.inputs(each) for each in self.certificates])

    @property
    def outputs(self) -> tuple[Row, ...]:
        """What each yields."""
        return _rows([tables.outputs(each) for each in self.certificates])


def together(certificates: Sequence[Certificate]) -> tuple[Alike, ...]:
    """Certificates in groups, by rule in the order in which a rule first comes; at most `COLUMNS` in each.

    Those with a condition that does not hold, with bounds of their own to show, or with other conditions than their neighbours
    stand alone.
    """
    kinds = dict.fromkeys(certificate.kind for certificate in certificates)
    return tuple(group for kind in kinds for group in _groups([each for each in certificates if each.kind == kind]))


def _groups(certificates: Sequence[Certificate]) -> Iterator[Alike]:
    waiting: list[Certificate] = []
    for each in certificates:
        if waiting and (len(waiting) == COLUMNS or not _fits(waiting[0]) or not _fits(each) or _form(each) != _form(waiting[0])):
            yield Alike(tuple(waiting))
            waiting = []
        waiting.append(each)
    if waiting:
        yield Alike(tuple(waiting))


def _fits(certificate: Certificate) -> bool:
    return not certificate.bounds and all(condition.holds for condition in certificate.conditions)


def _form(certificate: Certificate) -> tuple[str, ...]:
    return tuple(condition.name for condition in certificate.conditions)


def _rows(columns: Sequence[tuple[tables.Entry, ...]]) -> tuple[Row, ...]:
    values = [{entry.name: entry.value for entry in column} for column in columns]
    names = dict.fromkeys(entry.name for column in columns for entry in column)
    return tuple(Row(name, tuple(column.get(name, "–") for column in values)) for name in names)
