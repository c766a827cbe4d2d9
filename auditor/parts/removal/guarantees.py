"""Derives certified removal from facts, by the theorem that gives most."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from auditor import __version__
from auditor.base.domain import ClaimStatus, Derivation, Fact, Guarantee, Provenance
from auditor.base.promises import Approximate, Pure
from auditor.base.terms import NoTerms
from auditor.maths.tradeoff.combining import compose
from auditor.maths.tradeoff.promises import finite, removal_budget
from auditor.parts.removal.rules.extractor import both
from auditor.parts.removal.theorems import LAPLACE, NEWTON, NOISE, PLAIN, RETRAINING, above_extractor
from auditor.verdict.guarantees import CERTIFIED_REMOVAL, FIRMNESS, Derivable, Pledge, Pledges, Spent, derive, known, standing
from auditor.verdict.theorems import Theorem, needing


def certified_removal(
    facts: Mapping[str, Fact],
    *,
    epsilon: float | None,
    delta: float | None,
    extractor: Pledge | None = None,
    spent: Spent | None = None,
    version: str = __version__,
) -> Guarantee:
    """The guarantee that the released model is (ε, δ)-close to one trained without the deleted records.

    By loss perturbation it is at best *supported*: the proof of Theorem 2 takes the residual to be independent of b, which
    is attested and false in constructed cases. By noise at release it can be *shown*: no premise of that theorem is attested but
    the conditions that its statement names. Retraining gives ε = 0. Above a private extractor its ε and δ come on
    top (Guo et al. 2020, Theorem 5), and it is at best *supported*. Where the data show that preprocessing was fitted on deleted
    records, no theorem gives it: their trace is in the values of the others. Where an attack of this run contradicts the
    claimed or certified ε, it is *refuted*, whatever its premises say.

    Its ε is the certified one, where that is below the target: the residual budget is fixed beforehand, and of the bounds of the
    log the premise says that they do not depend on b. Above an extractor they depend on its noise, and Theorem 5 asks for an ε
    that holds above every extractor: by loss perturbation that is the target. The residual is that of all removed records
    together: what is promised holds for any number of them.
    """
    attacked = facts.get("unrefuted")
    rule, derivation = _route(facts, above=extractor is not None, version=version)
    certified = None if spent is None else spent.by_noise if rule is NOISE else spent.by_loss
    by_retraining = rule is RETRAINING
    promise = None if by_retraining or certified is None else certified.promise
    status = ClaimStatus.REFUTED if attacked is not None and attacked.how is Provenance.REFUTED else standing(derivation, version)
    holds = status in {ClaimStatus.SHOWN, ClaimStatus.SUPPORTED}
    if by_retraining:
        epsilon, delta = 0.0, 0.0
    elif epsilon is not None and delta is not None and certified is not None:
        if extractor is not None and rule is not NOISE:
            # Above another extractor the log's bounds would be others, and the criterion is what any removal keeps.
            promise = removal_budget(epsilon, delta) if rule is NEWTON else finite(Pure, epsilon=epsilon)
        else:
            epsilon = min(epsilon, certified.epsilon)
    if extractor is not None and epsilon is not None and delta is not None:
        if promise is not None:
            promise = compose([promise, Approximate(epsilon=extractor.epsilon, delta=extractor.delta)])
        epsilon, delta = both(epsilon, extractor.epsilon), min(1.0, both(delta, extractor.delta))
    return Guarantee(
        id=CERTIFIED_REMOVAL,
        status=status,
        epsilon=epsilon if holds else None,
        delta=delta if holds else None,
        derivation=(derivation,),
        terms=NoTerms(promise if holds and epsilon is not None else None),
    )


def _certified(facts: Mapping[str, Fact], pledges: Pledges, version: str) -> Guarantee:
    return certified_removal(
        facts,
        epsilon=pledges.epsilon,
        delta=pledges.delta,
        extractor=pledges.extractor,
        spent=Spent(by_loss=pledges.by_loss, by_noise=pledges.by_noise),
        version=version,
    )


def _route(facts: Mapping[str, Fact], *, above: bool, version: str) -> tuple[Theorem, Derivation]:
    """The theorem that gives most, with its derivation; of several that give as much, the one that the facts call for.

    What was retrained needs no other, and noise at release needs no attestation.

    Args:
        facts: By name.
        above: Whether the features come from a private extractor.
        version: The version whose theorems count.

    Returns:
        The theorem as the literature states it, and its derivation with everything that these facts ask for in addition.
    """
    retrained = facts.get("retrained")
    first = [RETRAINING] if retrained is not None and retrained.how is not Provenance.REFUTED else []
    noise = [NOISE] if "release-noise" in facts else []
    loss = LAPLACE if "perturbation-laplace" in facts else NEWTON
    ways = known((*first, *noise, loss, *PLAIN), version)
    tried = [(rule, derive(_asking(rule, facts, above=above), facts)) for rule in ways]
    return max(tried, key=lambda pair: FIRMNESS.index(standing(pair[1], version)))


def _asking(rule: Theorem, facts: Mapping[str, Fact], *, above: bool) -> Theorem:
    """A theorem of removal with what these facts make it need in addition."""
    retrained = facts.get("retrained")
    if rule is RETRAINING and retrained is not None and retrained.how in {Provenance.MEASURED, Provenance.ATTESTED}:
        # A clean room shows what foreign code did with the records that it was given, and not what it brings along.
        rule = needing(rule, "code-clean")
    if above:
        rule = above_extractor(rule)
    return needing(rule, "unrefuted") if "unrefuted" in facts else rule


GUARANTEES: Final = (Derivable(CERTIFIED_REMOVAL, 10, _certified, of_model=True),)
