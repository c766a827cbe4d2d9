"""The (ε, δ) that the criteria of certified removal are held against."""

from __future__ import annotations

from dataclasses import dataclass

from auditor.base.domain import Reason
from auditor.parts.removal.judging import extractor
from auditor.parts.removal.rules.extractor import both, strictest
from auditor.verdict.checks import promise
from auditor.verdict.checks.context import Context
from auditor.verdict.checks.targets import Source, sources


@dataclass(frozen=True, slots=True)
class Target:
    """The strictest ε and δ of what procedure, claim and policy name.

    Claim and policy cover all that is released: what a private extractor spends of theirs is taken off.
    """

    epsilon: float
    delta: float
    sources: tuple[Source, ...]


def target(context: Context) -> Target | None:
    """The strictest ε and δ on record; None where there is no ε or no δ at all, or the procedure is another one."""
    removal, claim, policy = context.procedure.removal, context.claims.certified_removal, context.policy
    if removal is None:
        return None
    own = (removal.epsilon, removal.delta)
    wholes = ((claim.epsilon, claim.delta) if claim else (None, None), (policy.max_epsilon, policy.max_delta))
    epsilon, delta = strictest(own, wholes, extractor.spent(context))
    if epsilon is None or delta is None:
        return None
    named = zip(("procedure", "claim", "policy"), (own, *wholes), strict=True)
    return Target(epsilon, delta, sources((source, *pair) for source, pair in named))


def empty(context: Context, goal: Target) -> tuple[Reason, ...]:
    """Name why a target promises nothing, what an extractor below adds to it included; nothing where it promises something.

    Retraining hides nothing behind noise, and needs no secret.
    """
    below = extractor.spent(context)
    epsilon, delta = both(goal.epsilon, below[0]), min(1.0, both(goal.delta, below[1]))
    numbers = promise.empty(epsilon, delta, records=context.case.training_records, most=promise.MOST_OF_A_DELETION)
    return numbers if context.procedure.trains_again else (*numbers, *promise.guessable(context))
