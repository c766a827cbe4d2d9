"""What a theorem is to a derivation: its citation, and the facts that it needs."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Theorem:
    """One theorem that a guarantee can follow from."""

    id: str
    """A stable name, which results hold."""
    citation: str
    needs: tuple[str, ...]
    """Names of facts."""
    under: tuple[str, ...] = ()
    """Those of them that its statement names as conditions: the controller's word meets one, and weakens nothing."""
