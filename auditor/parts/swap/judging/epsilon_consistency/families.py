"""Share the error among the families of tests that may refute: the SWAP test, and those that others bring (`contributors`).

Each family alone refutes what holds with its share of the error at most, so that all together do so with the whole of it
(Bonferroni). Who shares is fixed by what is declared, before anything runs: what a run comes to cannot change what its tests were
allowed.
"""

from __future__ import annotations

from auditor.parts.swap.judging.epsilon_consistency.contributors import contributors
from auditor.settings.tables import SwapTable
from auditor.verdict.checks.context import Context


def families(context: Context) -> tuple[str, ...]:
    """Name the families that what is declared may play: at least one."""
    further = tuple(each.name for each in contributors(context.version) if each.plays(context))
    return (*(("swap",) if context.classifies else ()), *further) or ("swap",)


def error(context: Context, confidence: float) -> float:
    """Give one family's part of the error that a declared confidence leaves.

    A confidence above the default asks for more before something passes. It does not make refuting harder.
    """
    return (1 - min(confidence, SwapTable().confidence)) / len(families(context))
