"""Sentences on certified removal."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import Final

from auditor.base.domain import Check, Guarantee
from auditor.base.promises import Approximate, Promise, Pure
from auditor.maths.tradeoff.combining import compose
from auditor.maths.tradeoff.promises import removal_budget
from auditor.pages.letters.promise import Limit, Limits, Own
from auditor.pages.words.guarantees import Statements, right
from auditor.pages.words.kinds import Given, Sentences
from auditor.pages.words.texts import say, text
from auditor.parts.removal.rules.extractor import both, of_group
from auditor.parts.removal.theorems import NOISE, RETRAINING, above_extractor, is_above_extractor
from auditor.settings.facets import Removal
from auditor.verdict.checks.context import Context
from auditor.verdict.grade import guesses
from auditor.verdict.guarantees import CERTIFIED_REMOVAL


# Sentences of `removal.residual`, `removal.budget` and `removal.output-noise`.
def _beyond(given: Given) -> str:
    return say("removal-beyond", names=", ".join(given.words("names")))


SENTENCES: Final[Sentences] = {"removal.beyond": _beyond}


def _removal(guarantee: Guarantee) -> str:
    rule, share = guarantee.derivation[0].rule, guesses(guarantee)
    by = "noise" if rule in {NOISE.id, above_extractor(NOISE).id} else "loss"
    lead = text(f"guarantee-removal-{by}-open") if share is None else text(f"guarantee-removal-{by}", right=right(share))
    above = [text("guarantee-removal-extracted")] if is_above_extractor(rule) else []
    return " ".join([lead, text("guarantee-removal-factor"), text(f"guarantee-removal-{by}-covers"), *above])


def _limits(
    context: Context, guarantee: Guarantee, _checks: Mapping[str, Check], own: Own, _kept: Collection[str]
) -> Iterator[Limit]:
    """What procedure, claim and policy allow a release; where the model was retrained, 0. An extractor's cost comes on top.

    The criterion was held against the smallest of them, the cost of all removed records in a private extractor taken off what
    claim and policy allow: with the cost of this person's records alone the sum is no more than that, nor than the procedure's
    own and that cost; where the extractor alone costs more than they allow, the removal costs nothing.
    """
    removal, retrained = context.procedure.removal, guarantee.derivation[0].rule.startswith(RETRAINING.id)
    spent = (0.0, 0.0)
    if removal is not None and removal.extractor is not None:
        spent = of_group(removal.extractor.epsilon, removal.extractor.delta, own.records)
    if retrained:
        above = removal is not None and removal.extractor is not None
        yield Limit(*spent, origin="declared" if above else "retrained")
    elif removal is not None:
        claim, policy = context.claims.certified_removal, context.policy
        epsilon = _least(removal.epsilon, (claim.epsilon if claim else None, policy.max_epsilon), spent[0])
        delta = _least(removal.delta, (claim.delta if claim else None, policy.max_delta), spent[1])
        if epsilon is not None and delta is not None:
            promise = None if guarantee.terms.promise is None else _within(removal, (epsilon, delta), spent)
            yield Limit(epsilon, min(1.0, delta), promise=promise)


def _within(removal: Removal, limit: tuple[float, float], spent: tuple[float, float]) -> Promise | None:
    """What keeping within the limit promises by the noise that the removal rests on; None where the limit covers more than it.

    The criterion holds a shift of Gaussian noise to the largest μ that meets (ε, δ), or its ε at δ to ε, which is the same. Above
    an extractor it is held against the removal's own ε and δ at most, and the extractor's come on top.
    """
    above = removal.extractor is not None
    epsilon, delta = (removal.epsilon, removal.delta) if above else limit
    if epsilon is None or delta is None:
        return None
    within = Pure(epsilon=epsilon) if removal.perturbation == "laplace" else removal_budget(epsilon, delta)
    return compose([within, Approximate(epsilon=spent[0], delta=min(1.0, spent[1]))]) if above else within


def _least(own: float | None, wholes: Iterable[float | None], cost: float) -> float | None:
    """The smallest of what is named for the removal, with the cost on top, and for both together."""
    named = [*([both(own, cost)] if own is not None else []), *(each for each in wholes if each is not None)]
    return max(cost, min(named)) if named else None


STATEMENTS: Final[Statements] = {CERTIFIED_REMOVAL: _removal}
LIMITS: Final[Limits] = {CERTIFIED_REMOVAL: _limits}
