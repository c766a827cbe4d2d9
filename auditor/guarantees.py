"""Theorems as rules: facts go in, derivations come out.

A guarantee is the conclusion of a theorem, its premises are facts, and every fact carries how it is known. A guarantee stands as
firmly as the weakest premise of its best route: *shown* if every premise was computed or measured, *supported* if some are
only attested, *not shown* if one is refuted or unknown. Nothing is asserted that no rule derives.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from auditor import data_deletion
from auditor.certificates.extractor import both
from auditor.certificates.privacy import group_delta
from auditor.data_deletion import Deletion
from auditor.domain import ATTESTABLE, Derivation, Fact, Guarantee, How, Premise, Reason, Standing
from auditor.theorems import (
    CONFIDENTIALITY_ROUTES,
    CONTROL_ROUTES,
    HISTORY_ROUTE,
    LAPLACE_ROUTE,
    NEWTON_ROUTE,
    NOISE_ROUTE,
    PRIVATE_ROUTE,
    RETRAIN_ROUTE,
    Rule,
    above_extractor,
)

CERTIFIED_REMOVAL = "certified-removal"
DATA_DELETION = "data-deletion"
CONTROL = "deletion-as-control"
CONFIDENTIALITY = "deletion-as-confidentiality"

STATEMENTS: Mapping[str, str] = {
    "objective-strongly-convex": "The loss is the declared convex one with λ > 0 and no unregularised intercept.",
    "perturbation-gaussian": "A linear term bᵀw with b ~ N(0, σ²I), another for each classifier, was in the training objective.",
    "perturbation-laplace": "A linear term bᵀw, the density of b proportional to e^(−‖b‖/σ), another for each classifier, was in "
    "the training objective.",
    "criterion-met": "The bound β on the gradient residual, leftover included, stays within the removal budget σμ.",
    "release-noise": "Every released parameter carries Gaussian noise of the declared deviation s, drawn for that release.",
    "residual-enforced": "No model with a gradient residual above the budget r is released: it is trained anew with the same b.",
    "noise-criterion-met": "The shift r/(λn′s) between the release and the exact retraining stays within what (ε, δ) allows.",
    "seed-unguessable": "The seed that noise and perturbation come from cannot be found by trying.",
    "retrained": "Each batch was answered by training anew, with fresh randomness, on the records that remain.",
    "release-reproduced": "The model about to be released is the one that the procedure gives.",
    "log-consistent": "The deletion log holds together and every record it names was located.",
    "log-complete": "The deletion log lists every erasure that the model must honour.",
    "residual-independent": "The residual u and the decision whether to retrain are independent of b.",
    "seed-secret": "The perturbation b and its seed are known to nobody outside the controller, and the seed cannot be guessed.",
    "requests-fixed": "The erasure requests do not depend on any released model.",
    "preprocessing-clean": "No scaling, vocabulary or other preprocessing was fitted on the deleted records.",
    "extractor-private": "The features come from an extractor whose training on these records is differentially private when "
    "records are added or removed, and from no other step that was fitted on the deleted records.",
    "every-extractor": "The removal would keep its criterion above any extractor that the private training may give.",
    "unrefuted": "No attack of this run gives a lower bound on ε above what is claimed or certified.",
    "model-guarantee": "The model alone meets a guarantee of certified removal or data deletion.",
    "whole-state": "The guarantee covers the controller's whole state, not the model alone.",
    "adaptive": "It holds for requests that are chosen after seeing earlier outputs.",
    "two-sided": "It bounds the probabilities in both directions.",
    "store-erased": "Deleted records are gone from the data store.",
    "strongly-history-independent": "The implementation is strongly history independent for every start state.",
    "adaptively-history-independent": "The implementation is (ε, δ)-adaptively history independent.",
    "controller-is-implementation": "The controller is that implementation: no state lives outside it (Def. 3.6).",
    "logical-deletion": "Deleting means logically: as if that channel had never spoken.",
    "dp-per-subject": "Training is (ε, δ)-differentially private for all data of one subject, under addition and removal.",
    "dictionary-before": "Before training the data lie in a history independent dictionary.",
    "nothing-before-training": "Nothing is returned before the single training.",
    "training-data-destroyed": "The data set and everything derived from it but the output are destroyed.",
    "pan-private": "The mechanism is (ε, δ)-adaptively event-level pan-private under continual release.",
    "ids-in-dictionary": "Subjects' ids lie in a history independent dictionary and only the first operation of an id counts.",
    "one-release-channel": "Randomness is separate; subjects cannot trigger the one release channel and get no replies.",
    **data_deletion.STATEMENTS,
}
"""What each fact says, by its name."""

MISSING: Mapping[str, str] = {
    "whole-state": "only the model's parameters enter the certificate; indexes, caches, logs and backups do not",
    "adaptive": "certified removal speaks of requests fixed in advance and of one release",
    "two-sided": "not derived for the controller as a whole",
    "store-erased": "no data store was searched",
    "model-guarantee": "no guarantee for the model alone was derived",
}
"""Why a fact is unknown, where there is more to say than that nobody looked."""


ATTESTED_AT_BEST: frozenset[str] = frozenset(
    {
        "log-complete",
        "residual-independent",
        "seed-secret",
        "requests-fixed",
        "preprocessing-clean",
        "extractor-private",
        "strongly-history-independent",
        "adaptively-history-independent",
        "dp-per-subject",
        *data_deletion.ATTESTED_AT_BEST,
        *ATTESTABLE,
    }
)
"""Facts that no run can establish, only refute: whoever says one was computed or measured is taken to attest it."""
_AS_PREMISE = {Standing.SHOWN: How.COMPUTED, Standing.SUPPORTED: How.ATTESTED}
"""How a guarantee is known where it is the premise of another; any other standing makes it none."""
_STRENGTH = {How.REFUTED: 0, How.UNKNOWN: 1, How.ATTESTED: 2, How.MEASURED: 3, How.COMPUTED: 4}


_REMOVED = (
    "Whoever sees the released model once can hardly tell it from one that was trained without any of the deleted "
    "records: no event's probability differs by more than a factor e^ε, up to δ. This speaks of the model alone and "
    "of one release: whoever also has the model from before the removal is not held off."
)
_NOISED = (
    "Whoever sees the released model once, and knows neither the noise in it nor its seed, can hardly tell it from the exact "
    "retraining without the records that the log names, released with noise of the same size: no event's probability differs by "
    "more than a factor e^ε, up to δ. This speaks of requests that were fixed in advance, of the training records as they were "
    "given, of the model alone and of one release: whoever also has the model from before the removal is not held off."
)


_EXTRACTED = (
    " The extractor that made the features is not retrained: by the privacy of its training it counts as one that never saw the "
    "deleted records, which is part of ε and δ."
)


_CONTROLLED = (
    "After deletion the controller's whole state says no more about the person than she allowed others to learn while "
    "her data was there. Her data may have reached other people before the deletion: control allows that. "
)
_NO_GROUPS = "No statement about groups."
_PRIVATE_GROUPS = (
    "This rests on noise in the training of a model that is never updated: it holds up to a factor e^ε and δ for each person. Of "
    "k people together it says kε and δ(e^(kε) − 1)/(e^ε − 1) only."
)


@dataclass(frozen=True, slots=True)
class Pledge:
    """The (ε, δ) that a theorem's conclusion has."""

    epsilon: float
    delta: float


def pledge_to_one(epsilon: float, delta: float, *, records: int) -> Pledge | None:
    """What differential privacy for one record says of a person who has several: group privacy (Vadhan 2017, Lemma 2.2).

    Args:
        epsilon: For one record, at least 0.
        delta: For one record, between 0 and 1.
        records: How many records the person has, at least 1.

    Returns:
        kε and δ(e^{kε} − 1)/(e^ε − 1) for k records; None where that δ is 1, which promises nothing.
    """
    together = group_delta(epsilon, delta, records)
    return Pledge(records * epsilon, together) if together < 1 else None


def _premise(name: str, facts: Mapping[str, Fact]) -> Premise:
    fact = facts.get(name)
    if fact is None:
        return Premise(STATEMENTS[name], How.UNKNOWN, MISSING.get(name, "not examined"))
    how = fact.how
    if name in ATTESTED_AT_BEST and _STRENGTH[how] > _STRENGTH[How.ATTESTED]:
        how = How.ATTESTED
    if isinstance(fact.evidence, Reason):
        raise TypeError(f"the evidence of fact {name} is not in words yet")
    return Premise(fact.statement, how, fact.evidence)


def derive(rule: Rule, facts: Mapping[str, Fact]) -> Derivation:
    """One application of `rule`, each premise looked up among the facts; absent ones are unknown."""
    return Derivation(rule.citation, tuple(_premise(name, facts) for name in rule.needs))


def standing(derivation: Derivation) -> Standing:
    """What the weakest premise leaves of the conclusion."""
    known = {premise.how for premise in derivation.premises}
    if known & {How.REFUTED, How.UNKNOWN}:
        return Standing.NOT_SHOWN
    return Standing.SUPPORTED if How.ATTESTED in known else Standing.SHOWN


def conclude(derivations: Iterable[Derivation]) -> Standing:
    """The standing of the best of several routes to one conclusion."""
    found = {standing(derivation) for derivation in derivations}
    for best in (Standing.SHOWN, Standing.SUPPORTED):
        if best in found:
            return best
    return Standing.NOT_SHOWN


def certified_removal(
    facts: Mapping[str, Fact], *, epsilon: float | None, delta: float | None, extractor: Pledge | None = None
) -> Guarantee:
    """The guarantee that the released model is (ε, δ)-close to one trained without the deleted records.

    By loss perturbation it is at best *supported*: the proof of Theorem 2 takes the residual to be independent of b, which
    is attested and false in constructed cases. By noise at release it can be *shown*: no premise of that theorem is attested, and
    its statement names the conditions that it speaks under. Retraining gives ε = 0. Above a private extractor its ε and δ come on
    top (Guo et al. 2020, Theorem 5), and it is at best *supported*. Where an attack of this run contradicts the
    claimed or certified ε, it is *refuted*, whatever its premises say.
    """
    rule = _removal_route(facts)
    by_retraining = rule is RETRAIN_ROUTE
    statement = _NOISED if rule is NOISE_ROUTE else _REMOVED
    if extractor is not None:
        rule, statement = above_extractor(rule), statement + _EXTRACTED
    attacked = facts.get("unrefuted")
    if attacked is not None:
        rule = replace(rule, needs=(*rule.needs, attacked.name))
    derivation = derive(rule, facts)
    status = Standing.REFUTED if attacked is not None and attacked.how is How.REFUTED else standing(derivation)
    holds = status in {Standing.SHOWN, Standing.SUPPORTED}
    if by_retraining:
        epsilon, delta = 0.0, 0.0
    if extractor is not None and epsilon is not None and delta is not None:
        epsilon, delta = both(epsilon, extractor.epsilon), min(1.0, both(delta, extractor.delta))
    return Guarantee(
        id=CERTIFIED_REMOVAL,
        title="Certified removal of the model",
        statement=statement,
        status=status,
        epsilon=epsilon if holds else None,
        delta=delta if holds else None,
        derivation=(derivation,),
    )


def model_data_deletion(facts: Mapping[str, Fact], deletion: Deletion) -> Guarantee:
    """The guarantee that later models are (q, ε)-close to ones that never saw a deleted person's records.

    It is at best *supported*: that requests were fixed in advance, that the log is complete, that the seed is secret and that no
    preprocessing saw the deleted records are the controller's word. Where an attack of this run contradicts the claimed or
    certified ε, it is *refuted*, whatever its premises say.
    """
    citation, needs = data_deletion.route(deletion)
    attacked = facts.get("deletion-unrefuted")
    derivation = derive(Rule(citation, needs if attacked is None else (*needs, attacked.name)), facts)
    status = Standing.REFUTED if attacked is not None and attacked.how is How.REFUTED else standing(derivation)
    if status in {Standing.SHOWN, Standing.SUPPORTED} and (deletion.epsilon is None or deletion.source is None):
        status = Standing.NOT_SHOWN
    holds = status in {Standing.SHOWN, Standing.SUPPORTED}
    return Guarantee(
        id=DATA_DELETION,
        title="Data deletion of the model",
        statement=data_deletion.statement(deletion),
        status=status,
        epsilon=deletion.epsilon if holds else None,
        delta=None,
        derivation=(derivation,),
        order=deletion.order if holds else None,
    )


def _removal_route(facts: Mapping[str, Fact]) -> Rule:
    """The theorem that the facts call for: what was trained anew needs no other, and noise at release needs no attestation."""

    def known(name: str) -> bool:
        found = facts.get(name)
        return found is not None and found.how is not How.REFUTED

    if known("retrained"):
        return RETRAIN_ROUTE
    loss = LAPLACE_ROUTE if "perturbation-laplace" in facts else NEWTON_ROUTE
    if "release-noise" not in facts:
        return loss
    # Where the noise does not do it, the criterion of the loss may still be met.
    other = standing(derive(loss, facts))
    return loss if other is Standing.SUPPORTED and standing(derive(NOISE_ROUTE, facts)) is Standing.NOT_SHOWN else NOISE_ROUTE


def _control(facts: Mapping[str, Fact], private: Pledge | None) -> Guarantee:
    """Deletion-as-control by its best route; of several that are as firm, by the one with the smallest numbers."""
    derivations = tuple(derive(rule, facts) for rule in CONTROL_ROUTES)
    status = conclude(derivations)
    known = {HISTORY_ROUTE: Pledge(0.0, 0.0), PRIVATE_ROUTE: private}
    carrying = [
        rule for rule, each in zip(CONTROL_ROUTES, derivations, strict=True) if standing(each) is status is not Standing.NOT_SHOWN
    ]
    pledges = [(pledge.epsilon, pledge.delta, rule is PRIVATE_ROUTE) for rule in carrying if (pledge := known.get(rule))]
    epsilon, delta, by_noise = min(pledges, default=(None, None, False))
    return Guarantee(
        id=CONTROL,
        title="Deletion-as-control",
        statement=_CONTROLLED + (_PRIVATE_GROUPS if by_noise else _NO_GROUPS),
        status=status,
        epsilon=epsilon,
        delta=delta,
        derivation=derivations,
    )


def _confidentiality(facts: Mapping[str, Fact]) -> Guarantee:
    derivations = tuple(derive(rule, facts) for rule in CONFIDENTIALITY_ROUTES)
    return Guarantee(
        id=CONFIDENTIALITY,
        title="Deletion-as-confidentiality",
        statement="Beyond control: nothing that others saw before the deletion says anything about her either.",
        status=conclude(derivations),
        epsilon=None,
        delta=None,
        derivation=derivations,
    )


def derive_guarantees(
    facts: Iterable[Fact],
    *,
    epsilon: float | None,
    delta: float | None,
    private: Pledge | None = None,
    extractor: Pledge | None = None,
    deletion: Deletion | None = None,
) -> tuple[Guarantee, ...]:
    """Every guarantee of the catalogue, with all of its premises.

    Args:
        facts: What the checks found out, each named as in `STATEMENTS`.
        epsilon: The ε that the removal criterion was held against; None where there was no criterion.
        delta: Its δ.
        private: What private training gives each person; None where it gives nothing.
        extractor: What a private extractor below the model costs for all removed records together; None where there is none.
        deletion: What was found of data deletion; None where the case gives no cause for it: it is not listed then.
    """
    known: dict[str, Fact] = {}
    for fact in facts:
        # Where two checks speak of one fact, the weaker word counts.
        if fact.name not in known or _STRENGTH[fact.how] < _STRENGTH[known[fact.name].how]:
            known[fact.name] = fact
    removal = certified_removal(known, epsilon=epsilon, delta=delta, extractor=extractor)
    of_model = (removal,) if deletion is None else (removal, model_data_deletion(known, deletion))
    carrying = [(each, how) for each in of_model if (how := _AS_PREMISE.get(each.status)) is not None]
    if carrying:
        best, how = max(carrying, key=lambda pair: _STRENGTH[pair[1]])
        evidence = f"guarantee {best.id}, {best.status.value}"
        known["model-guarantee"] = Fact("model-guarantee", STATEMENTS["model-guarantee"], how, evidence)
        if best.id == DATA_DELETION and deletion is not None:
            reason = data_deletion.not_adaptive(deletion)
            known.setdefault("adaptive", Fact("adaptive", STATEMENTS["adaptive"], How.UNKNOWN, reason))
    return *of_model, _control(known, private), _confidentiality(known)


def fact(name: str, how: How, evidence: str | Reason) -> Fact:
    """A fact of the catalogue, with how it is known.

    Raises:
        KeyError: If the catalogue has no fact of that name.
    """
    return Fact(name, STATEMENTS[name], how, evidence)
