"""One ε stated as an upper bound, and the lower bounds that are held against it: the rows of `epsilon.consistency`."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

from auditor.base.domain import Certificate, Message
from auditor.maths.certificates.rounding import finite
from auditor.parts.swap.judging.epsilon_consistency.power import tested
from auditor.verdict.checks.finding import Values

DATA_DELETION: Final = "data_deletion"
"""The key of the claim in [claims]."""

Source: TypeAlias = Literal["claim", "certificate"]
Test: TypeAlias = Literal["swap", "requester", "chains"]


class Lower(Values):
    """A lower bound on ε."""

    method: str
    title: Message
    epsilon: float
    confidence: float
    null: float | None = None
    """The same bound between retrained models; None where it was not computed."""
    decides: bool = True
    """Whether it may refute; the others stand alongside for comparison."""
    suspected: float | None = None
    """The same bound with less confidence: a statement below it is left open. None where nothing is left open by it."""
    suspected_confidence: float | None = None


class Row(Values):
    """A stated ε and what is held against it."""

    test: Test | None
    """Where the bounds on a Rényi ε come from; None for an ε at a δ."""
    against: Message
    source: Source
    claim: str | None
    """The key in [claims]; None for a certificate."""
    rule: str | None
    """The rule of the certificate."""
    epsilon: float | None
    delta: float | None
    order: float | None
    """The Rényi order; None for an ε at a δ."""
    compared: bool
    why: Message | None
    """Why nothing is compared; None where something is."""
    refutable: float | None
    """The largest ε that this run could have refuted."""
    noticed: float | None
    """The ε from which on this run refutes the statement, or leaves it open, with a probability of four in five (`power`)."""
    lower: tuple[Lower, ...]
    gap: float | None
    """The largest lower bound that decides, minus ε: above 0 it refutes."""
    enough: int | None = None
    """The pairs (with a requester: games) with which a finding like this one would refute; None where nothing is left open, or no
    number is known to."""

    @property
    def left_open(self) -> bool:
        """Whether a bound with less confidence lies above, and none that refutes."""
        epsilon = self.epsilon
        return not self.refuted and epsilon is not None and any((each.suspected or 0.0) > epsilon for each in self.lower)

    @property
    def refuted(self) -> bool:
        """Whether a lower bound lies above."""
        return self.gap is not None and self.gap > 0

    @property
    def tested(self) -> bool:
        """Whether the run would have noticed an ε near the stated one, and none was."""
        return self.compared and (self.refuted or (tested(self.epsilon, self.noticed) and not self.left_open))


@dataclass(frozen=True, slots=True)
class Stated:
    """An ε stated as an upper bound."""

    against: Message
    source: Source
    epsilon: float | None
    delta: float | None = None
    order: float | None = None
    why_not: Message | None = None
    """Why nothing of this run can be held against it; None where something can."""
    claim: str | None = None
    rule: str | None = None


@dataclass(frozen=True, slots=True)
class Compared:
    """The rows of one source, and the certificates that their numbers come from."""

    rows: tuple[Row, ...] = ()
    certificates: tuple[Certificate, ...] = ()


def row(
    stated: Stated,
    lowers: Sequence[Lower],
    *,
    reach: float | None,
    noticed: Iterable[float | None] = (),
    test: Test | None = None,
    enough: Callable[[float], int | None] | None = None,
) -> Row:
    """Hold lower bounds against a statement.

    Args:
        stated: The statement.
        lowers: At least one of them decides, or there are none.
        reach: The largest ε that the same number of draws could have shown.
        noticed: The ε that each test of the run would have noticed; None of one that would not have noticed any.
        test: Where bounds on a Rényi ε come from.
        enough: Finds the number of pairs or games that would refute an ε, asked of a statement that is left open.
    """
    epsilon = stated.epsilon if stated.why_not is None and lowers else None
    why = stated.why_not or Message("epsilon.consistency.why.no-epsilon")
    would = [each for each in noticed if each is not None and math.isfinite(each)]
    compared = Row(
        test=test,
        against=stated.against,
        source=stated.source,
        claim=stated.claim,
        rule=stated.rule,
        epsilon=None if stated.epsilon is None else finite(stated.epsilon),
        delta=stated.delta,
        order=stated.order,
        compared=epsilon is not None,
        why=why if epsilon is None else None,
        refutable=None if epsilon is None else reach,
        noticed=None if epsilon is None else min(would, default=None),
        lower=() if epsilon is None else tuple(lowers),
        gap=None if epsilon is None else max(each.epsilon for each in lowers if each.decides) - epsilon,
    )
    if epsilon is None or enough is None or not compared.left_open:
        return compared
    return compared.model_copy(update={"enough": enough(epsilon)})
