"""Share the error among the families of tests that may refute: the SWAP test, and those that others bring (`contributors`).

Each family alone refutes what holds with its share of the error at most, so that all together do so with the whole of it
(Bonferroni); the same of leaving it open. Who shares is fixed by what is declared, before anything runs: what a run comes to
cannot change what its tests were allowed. The whole is what the ledger allots (`verdict.checks.levels`), whatever confidence is
declared: that one asks for more before something passes, and makes neither of the two easier or harder.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from auditor.parts.swap.judging.epsilon_consistency.contributors import contributors
from auditor.verdict.checks.context import Context
from auditor.verdict.checks.levels import share

REFUTES: Final = "promises"
"""The test of the ledger that accuses."""
OPENS: Final = "promises-open"
"""The one that only leaves open."""


@dataclass(frozen=True, slots=True)
class Errors:
    """What a test may do to a statement that holds."""

    refutes: float
    """The probability with which it may refute it; 0 where it never does."""
    opens: float
    """The probability with which it may leave it open."""

    @property
    def confidence(self) -> float:
        """With which a bound holds that refutes, or that leaves open where none refutes."""
        return 1 - (self.refutes or self.opens)

    def part(self, of: float, *, of_open: float | None = None) -> Errors:
        """Give the n-th part, for n = `of`; of the second error for n = `of_open`, where that is another."""
        return Errors(self.refutes / of, self.opens / (of if of_open is None else of_open))


def families(context: Context) -> tuple[str, ...]:
    """Name the families that what is declared may play: at least one."""
    further = tuple(each.name for each in contributors(context.version) if each.plays(context))
    return (*(("swap",) if context.classifies else ()), *further) or ("swap",)


def errors(context: Context) -> Errors:
    """Give one family's part of both errors."""
    return Errors(share(REFUTES), share(OPENS)).part(len(families(context)))
