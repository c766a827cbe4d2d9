"""What the controller says by handing in a case, and what the length of its seed allows to be said."""

from __future__ import annotations

from auditor.checks.context import SECRET_BITS, Context
from auditor.domain import Fact, How, Reason
from auditor.guarantees import fact


def submitted() -> tuple[Fact, ...]:
    """State what the controller says in handing in any case."""
    return (
        fact("requests-fixed", How.ATTESTED, Reason("fact.requests-fixed.submitted")),
        fact("preprocessing-clean", How.ATTESTED, Reason("fact.preprocessing-clean.submitted")),
    )


def seed_facts(context: Context) -> tuple[Fact, ...]:
    """State whether the seed is secret, which is the controller's word, and whether it can be guessed, which its length shows."""
    if not context.seed_is_secret:
        return (
            fact("seed-secret", How.REFUTED, Reason("fact.seed-secret.short", {"bits": SECRET_BITS})),
            fact("seed-unguessable", How.REFUTED, Reason("fact.seed-unguessable.short", {"bits": SECRET_BITS})),
        )
    return (
        fact("seed-secret", How.ATTESTED, Reason("fact.seed-secret.attested", {"bits": SECRET_BITS})),
        fact("seed-unguessable", How.COMPUTED, Reason("fact.seed-unguessable.long", {"bits": SECRET_BITS})),
    )
