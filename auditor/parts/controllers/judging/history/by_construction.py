"""Facts of history independence that are known before any game: of controllers of ours, and of learners that train again.

A game refutes them or finds nothing, and is a premise of no theorem. What is said here rests on how the code is written, which
anybody can read. No guarantee is *shown* by it: that nothing is kept outside the program remains the word of its owner.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Final

from auditor.base.domain import Fact, How, Reason
from auditor.document.evidence import ControllerFacts
from auditor.verdict.checks.context import Context
from auditor.verdict.guarantees import Pledge, fact

CANONICAL: Final = frozenset({"bulletin-board", "cloud-storage", "dictionary"})
"""Controllers of ours whose state is their contents written in one way alone, with neither tape nor anything else kept.

Such a state is strongly history independent for every start (Theorem C.2 of deletion-as-control, after Hartline et al. 2005), and
so adaptively, under identical tapes and under fresh ones (Section 3.2): both with ε = δ = 0."""
TOUCHSTONES: Final = frozenset({"bulletin-board", "cloud-storage"})
"""Those of Corollary 3.10."""
_WRITTEN: Final = ("strongly-history-independent", "logical-deletion")
_NOTHING_ELSE: Final = "controller-is-implementation"
FRESH: Final = "history-independent-when-fresh"
SYNTAX: Final = "unlearning-syntax"


def of_controller(whole: ControllerFacts, *, attested: Collection[str]) -> tuple[Fact, ...]:
    """What is known of a whole controller by the way it is written; nothing of code of a case.

    That the program in use keeps nothing outside it no code can say: it is somebody's word, and without it the program is no
    adaptively history independent *controller*.

    Args:
        whole: The controller as declared.
        attested: The words of its owner.
    """
    if whole.use not in CANONICAL:
        return ()
    ours = Reason("fact.history.ours", {"use": whole.use})
    touchstone = ("touchstone-storage",) if whole.use in TOUCHSTONES else ()
    adaptive = ("adaptively-history-independent",) if _NOTHING_ELSE in attested else ()
    return tuple(fact(name, How.COMPUTED, ours) for name in (*_WRITTEN, *touchstone, *adaptive))


def of_learner(context: Context, *, passes: bool) -> tuple[Fact, ...]:
    """What Proposition 3.12 asks of a learner that is said to be history independent.

    Args:
        context: What was declared.
        passes: Whether the same records led to the same model in every way that was tried: where they did not, nothing is said.
    """
    procedure = context.procedure
    if procedure.foreign or not procedure.trains_again:
        return (fact(SYNTAX, How.UNKNOWN, Reason("fact.unlearning.not-ours")),)
    ours = Reason("fact.unlearning.ours", {"use": getattr(procedure, "use", "")})
    found = (fact(SYNTAX, How.COMPUTED, ours),)
    return (*found, fact(FRESH, How.COMPUTED, ours)) if passes else found


def pledged(facts: tuple[Fact, ...]) -> Pledge | None:
    """The ε and δ of a learner under fresh randomness: both 0 where it trains again; None where nothing is known of it."""
    return Pledge(0.0, 0.0) if any(each.name == FRESH for each in facts) else None
