"""Where a criterion promises nothing: it is then inconclusive, however well it is met.

A promise is worth what it leaves to guess. Between two equally likely worlds, one that held a record and one that never did, an
adversary who sees the release guesses right with chance (1 + TV)/2, TV the total variation between the two laws:

- (ε, δ)-closeness in both directions: TV ≤ (e^ε − 1 + 2δ)/(e^ε + 1), hence (e^ε + δ)/(1 + e^ε) right guesses, which some laws
  reach (Kairouz, Oh and Viswanath 2015, Theorem 2.1 with both worlds equally likely).
- a Rényi ε at order q: TV ≤ min{√(2ε), the Rényi bound, 1} (forget-unlearning.md, Theorem 4.1), hence (1 + that)/2.
- a mechanism whose theorem gives a trade-off function: TV is read off it (`auditor.maths.tradeoff.reading`).

Criteria are judged at the numbers that they are held against, which are what a pass promises, and by what any mechanism that
keeps to them promises. The declared δ is judged as it is declared, whatever else that is.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, TypeAlias

from auditor.base.domain import Message, Status
from auditor.base.promises import Approximate, Promise
from auditor.maths.certificates.renyi import advantage
from auditor.maths.tradeoff import reading
from auditor.maths.tradeoff.combining import several
from auditor.verdict.checks.context import SECRET_BITS, Context
from auditor.verdict.checks.finding import Values

# Where the ε and δ come from that a result is held against: procedure, claim and policy, each with what it names.
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


MOST_OF_A_RECORD: Final = 0.99
"""From this share of right guesses on, differential privacy promises nothing."""
MOST_OF_A_DELETION: Final = 0.9
"""From this share on, certified removal and data deletion promise nothing: they were asked to forget."""


def right_guesses_renyi(order: float, epsilon: float) -> float:
    """Bound the same for a Rényi ε at an order, rounded up: (1 + min{√(2ε), the Rényi bound, 1})/2.

    Args:
        order: q, above 1.
        epsilon: At least 0.
    """
    return right_guesses_of(advantage(order, epsilon))


def empty(epsilon: float, delta: float, *, records: int, most: float, beyond: Promise | None = None) -> tuple[Message, ...]:
    """Name why an (ε, δ) promises nothing; nothing where it promises something.

    Args:
        epsilon: At least 0.
        delta: Between 0 and 1. From 1/n on, giving one whole record away at random would meet it.
        records: n, those that were trained on.
        most: The share of right guesses from which on it says nothing.
        beyond: What keeps to it promises by its mechanism as well; None where no more is known.
    """
    stated = Approximate(epsilon=epsilon, delta=delta)
    found, share = [], reading.right_guesses(stated)
    if beyond is not None and share >= most:
        fewer = reading.right_guesses(several([stated, beyond]))
        # A number that came off a privacy loss distribution decides, and stands in no document.
        share = share if fewer >= most and reading.by_distribution(beyond) else fewer
    if share >= most:
        found.append(Message("promise.guesses", {"epsilon": epsilon, "delta": delta, "share": share, "most": most}))
    if delta * records >= 1:
        found.append(Message("promise.delta", {"delta": delta, "records": records}))
    return tuple(found)


def empty_renyi(order: float, epsilon: float) -> tuple[Message, ...]:
    """Name why a Rényi ε at an order promises nothing of a deletion; nothing where it promises something."""
    share = right_guesses_renyi(order, epsilon)
    if share < MOST_OF_A_DELETION:
        return ()
    return (Message("promise.renyi", {"order": order, "epsilon": epsilon, "share": share, "most": MOST_OF_A_DELETION}),)


def right_guesses_of(advantage: float) -> float:
    """(1 + TV)/2, rounded up: the share of right guesses that a bound on the total variation leaves."""
    return reading.right_guesses(Approximate(epsilon=0.0, delta=advantage))


def empty_together(advantage: float, *, records: int, order: float, epsilon: float | None) -> tuple[Message, ...]:
    """Name why what is left of several records together promises nothing of a deletion; nothing where it promises something.

    Args:
        advantage: How much better than guessing anybody tells the two worlds apart, at best.
        records: How many there are.
        order: The Rényi order that their ε is stated at.
        epsilon: That ε.
    """
    share = right_guesses_of(advantage)
    if share < MOST_OF_A_DELETION:
        return ()
    stated = {"records": records, "order": order, "epsilon": epsilon, "share": share, "most": MOST_OF_A_DELETION}
    return (Message("promise.together", stated),)


def guessable(context: Context) -> tuple[Message, ...]:
    """Name that anyone who tries the seeds knows the noise that a promise rests on; nothing where the seed is too long for it."""
    return () if context.seed_is_secret else (Message("promise.seed", {"bits": SECRET_BITS}),)


def at_best_open(status: Status, nothing: tuple[Message, ...]) -> Status:
    """Leave a criterion open that is met and promises nothing; one that is missed stays missed."""
    return Status.INCONCLUSIVE if nothing and status is Status.PASS else status
