"""How the error is shared among the families of tests that may refute: the SWAP test, a requester's games, chains.

Each family alone refutes what holds with its share of the error at most, so that all together do so with the whole of it
(Bonferroni). Who shares is fixed by what is declared, before anything runs: what a run comes to cannot change what its tests were
allowed.
"""

from __future__ import annotations

from auditor.checks.context import Context
from auditor.settings.noisy_gd import noisy_gd_of
from auditor.settings.tables import SwapTable


def families(context: Context) -> tuple[str, ...]:
    """Name the families that what is declared may play: at least one."""
    procedure = noisy_gd_of(context.procedure)
    may = {
        "swap": context.classifies,
        "requester": context.requester is not None,
        "chains": procedure is not None and procedure.loss is not None,
    }
    return tuple(name for name, plays in may.items() if plays) or ("swap",)


def error(context: Context, confidence: float) -> float:
    """Give one family's part of the error that a declared confidence leaves.

    A confidence above the default asks for more before something passes. It does not make refuting harder.
    """
    return (1 - min(confidence, SwapTable().confidence)) / len(families(context))
