"""A private feature extractor below the linear model (Guo et al. 2020, Theorem 5): what it adds to the price of every removal.

Nothing is unlearned from the extractor. That its training was private is the controller's word: the features come as they are.
"""

from __future__ import annotations

from auditor.base.domain import Certificate, Fact, How, Reason
from auditor.maths.certificates import derive
from auditor.parts.removal.rules.extractor import KIND, of_group
from auditor.settings.facets import Extractor
from auditor.verdict.checks.context import Context
from auditor.verdict.guarantees import Pledge, fact


def pledged(context: Context) -> Pledge | None:
    """What the extractor costs for all removed records together; None without a private extractor."""
    extractor = _declared(context)
    return None if extractor is None else Pledge(*of_group(extractor.epsilon, extractor.delta, _removed(context)))


def spent(context: Context) -> tuple[float, float]:
    """The same as ε and δ; nothing where there is none."""
    pledge = pledged(context)
    return (0.0, 0.0) if pledge is None else (pledge.epsilon, pledge.delta)


def together(context: Context, *, epsilon: float, delta: float) -> tuple[Certificate, ...]:
    """What extractor and removal cost together, the removal at the (ε, δ) that it is certified at."""
    extractor = _declared(context)
    if extractor is None:
        return ()
    given = {"extractor_epsilon": extractor.epsilon, "extractor_delta": extractor.delta}
    return (derive(KIND, {**given, "size": _removed(context), "epsilon": epsilon, "delta": delta}),)


def facts(context: Context) -> tuple[Fact, ...]:
    """That the extractor is private, and that removal would have kept its criterion above any other that was drawn."""
    extractor, removal = _declared(context), context.procedure.removal
    if extractor is None or removal is None:
        return ()
    (epsilon, delta), records = spent(context), _removed(context)
    if delta >= 1:
        return (fact("extractor-private", How.REFUTED, Reason("fact.extractor-private.group", {"records": records})),)
    numbers = {"epsilon": extractor.epsilon, "delta": extractor.delta, "all_epsilon": epsilon, "all_delta": delta}
    found = []
    if context.attests("extractor-private"):
        said = Reason("fact.extractor-private.attested", {**numbers, "records": records, "by": context.claims.attested_by})
        found.append(fact("extractor-private", How.ATTESTED, said))
    if removal.enforces_criterion:
        found.append(fact("every-extractor", How.COMPUTED, Reason("fact.every-extractor.enforced", {"use": removal.built_in})))
    return tuple(found)


def _declared(context: Context) -> Extractor | None:
    removal = context.procedure.removal
    return None if removal is None else removal.extractor


def _removed(context: Context) -> int:
    """The records that the log removes, all of which were in the extractor's training; 1 where it removes none."""
    return max(1, context.records_removed)
