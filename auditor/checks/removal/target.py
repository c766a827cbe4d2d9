"""The (ε, δ) that the criteria of certified removal are held against."""

from __future__ import annotations

from dataclasses import dataclass

from auditor.certificates.extractor import strictest
from auditor.checks.context import Context
from auditor.checks.removal import extractor
from auditor.checks.targets import Source, sources


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
