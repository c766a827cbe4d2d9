"""What the length of a seed says of it: whether it can be found by trying. That it is secret is the controller's word."""

from __future__ import annotations

from auditor.base.domain import Fact, How, Reason
from auditor.verdict.checks.context import SECRET_BITS, Context
from auditor.verdict.guarantees import fact


def seed_facts(context: Context) -> tuple[Fact, ...]:
    """State whether the seed can be guessed: a short one is no secret, whatever is said of it."""
    if not context.seed_is_secret:
        return (
            fact("seed-secret", How.REFUTED, Reason("fact.seed-secret.short", {"bits": SECRET_BITS})),
            fact("seed-unguessable", How.REFUTED, Reason("fact.seed-unguessable.short", {"bits": SECRET_BITS})),
        )
    return (fact("seed-unguessable", How.COMPUTED, Reason("fact.seed-unguessable.long", {"bits": SECRET_BITS})),)
