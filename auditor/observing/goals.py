"""Where an ε and a δ come from that a result is held against: procedure, claim and policy, each with what it names."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, TypeAlias

Named: TypeAlias = tuple[str, float | None, float | None]
"""Who names it, ε and δ; None where it is silent about one."""


def sources(named: Iterable[Named]) -> tuple[dict[str, Any], ...]:
    """Those that name anything, as the evidence lists them."""
    return tuple(
        {"source": source, "epsilon": epsilon, "delta": delta}
        for source, epsilon, delta in named
        if epsilon is not None or delta is not None
    )
