"""Where the ε and δ come from that a result is held against: procedure, claim and policy, each with what it names."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeAlias

from auditor.verdict.checks.finding import Values

Named: TypeAlias = tuple[str, float | None, float | None]
"""Who names it, ε and δ; None where it is silent about one."""


class Source(Values):
    """One of them."""

    source: str
    """procedure, claim or policy."""
    epsilon: float | None
    delta: float | None


def sources(named: Iterable[Named]) -> tuple[Source, ...]:
    """List those that name anything."""
    return tuple(
        Source(source=source, epsilon=epsilon, delta=delta)
        for source, epsilon, delta in named
        if epsilon is not None or delta is not None
    )
