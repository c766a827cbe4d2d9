"""Theorems as rules: facts go in, derivations come out.

A guarantee is the conclusion of a theorem, its premises are facts, and every fact carries how it is known. A guarantee stands as
firmly as the weakest premise of its best route: *shown* if every premise was computed or measured, *supported* if some are
only attested, *not shown* if one is refuted or unknown. A premise that the theorem's own statement names as its condition has to
be attested, and does not weaken what is stated under it. Nothing is asserted that no rule derives.

Every way to a guarantee is tried, whatever else is known: to learn something good never takes a guarantee away, and a fact that
is refuted never gives one.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields
from typing import Any, Final

from auditor import __version__
from auditor.base.domain import Derivation, Fact, Guarantee, How, Premise, Reason, Standing
from auditor.document.editions import in_force
from auditor.maths.certificates.privacy import group_delta, group_epsilon
from auditor.parts.controllers import theorems as control
from auditor.parts.data_deletion import theorems as data_deletion
from auditor.parts.data_deletion.theorems import Deletion
from auditor.parts.removal import theorems as removal
from auditor.parts.removal.rules.extractor import both
from auditor.settings.attestations import ATTESTABLE, PREPROCESSING, facts_of
from auditor.verdict.theorems import Theorem, facts_needed, theorems

CERTIFIED_REMOVAL = "certified-removal"
DATA_DELETION = "data-deletion"
CONTROL = "deletion-as-control"
CONFIDENTIALITY = "deletion-as-confidentiality"
UNLEARNING = "adaptive-unlearning"
"""Of models alone: it is listed where it is asked for, covers no request, and is no premise of anything."""

EXPLAINED: Final = frozenset({"whole-state", "adaptive", "two-sided", "store-erased", "model-guarantee"})
"""Facts of which there is more to say, where they are unknown, than that nobody examined them."""
_IN_GAMES: Final = {CONTROL: "control-unrefuted", CONFIDENTIALITY: "confidentiality-unrefuted"}
"""Facts that games against a controller refute, with what they cover."""
UNREFUTED: Final = frozenset({"unrefuted", "deletion-unrefuted", *_IN_GAMES.values()})
"""What attacks and games of this run may contradict, and nobody's word can say."""
KNOWN: Final = facts_needed() | UNREFUTED | {data_deletion.OF_A_PERSON}
"""The catalogue: every fact that a check may find out."""
_OF_OURS: Final = frozenset(
    {
        "strongly-history-independent",
        "logical-deletion",
        "ids-in-dictionary",
        "one-release-channel",
        "dictionary-before",
        "nothing-before-training",
        "training-data-destroyed",
    }
)
"""What is attested of others' programs, and computed of a controller of ours, whose code says it. No run measures it."""
ATTESTED_AT_BEST: frozenset[str] = (
    frozenset(
        {
            "adaptively-history-independent",
            "history-independent-when-fresh",
            "dp-per-subject",
            *(name for word in ATTESTABLE for name in facts_of(word)),
        }
    )
    - {"release-reproduced", "every-extractor", "seen-releases", "code-clean"}
    - _OF_OURS
)
"""Facts that no run can establish, only refute: anyone who says one was computed or measured is taken to attest it."""
_FIRMNESS: Final = (Standing.REFUTED, Standing.NOT_SHOWN, Standing.SUPPORTED, Standing.SHOWN)
_AS_PREMISE = {Standing.SHOWN: How.COMPUTED, Standing.SUPPORTED: How.ATTESTED}
"""How a guarantee is known where it is the premise of another; any other standing makes it none."""
_STRENGTH = {How.REFUTED: 0, How.UNKNOWN: 1, How.ATTESTED: 2, How.MEASURED: 3, How.COMPUTED: 4}


@dataclass(frozen=True, slots=True)
class Pledge:
    """The (ε, δ) that a theorem's conclusion has."""

    epsilon: float
    delta: float


@dataclass(frozen=True, slots=True)
class Spent:
    """The ε that is certified at the target's δ, by the way that certifies it; None where nothing is."""

    by_loss: float | None = None
    """By the residual bounds of the log, against the random term of the loss."""
    by_noise: float | None = None
    """By the residual budget, against the noise at release."""


@dataclass(frozen=True, slots=True)
class Pledges:
    """The numbers that findings give to guarantees; None where nothing gives one."""

    epsilon: float | None = None
    """The ε that the removal criterion was compared with."""
    delta: float | None = None
    """Its δ."""
    private: Pledge | None = None
    """What private training gives each person."""
    continual: Pledge | None = None
    """What a program under continual release gives each person."""
    fresh: Pledge | None = None
    """The adaptive history independence of a learner under fresh randomness."""
    extractor: Pledge | None = None
    """What a private extractor below the model costs for all removed records together."""
    deletion: Deletion | None = None
    """What was found of data deletion."""
    by_loss: float | None = None
    """The ε that residual bounds of the log certify at that δ."""
    by_noise: float | None = None
    """The ε that the residual budget and the noise at release certify at that δ."""

    @classmethod
    def together(cls, parts: Iterable[Pledges]) -> Pledges:
        """Put together what several checks give; of two that give the same number the first counts."""
        found: dict[str, Any] = {}
        for part in parts:
            for each in fields(part):
                if (value := getattr(part, each.name)) is not None:
                    found.setdefault(each.name, value)
        return cls(**found)


def pledge_to_one(epsilon: float, delta: float, *, records: int) -> Pledge | None:
    """What differential privacy for one record says of a person who has several: group privacy (Vadhan 2017, Lemma 2.2).

    Args:
        epsilon: For one record, at least 0.
        delta: For one record, between 0 and 1.
        records: How many records the person has, at least 1.

    Returns:
        kε and δ(e^{kε} − 1)/(e^ε − 1) for k records, rounded up; None where that δ is 1, which promises nothing.
    """
    together = group_delta(epsilon, delta, records)
    return Pledge(group_epsilon(epsilon, records), together) if together < 1 else None


def _premise(name: str, facts: Mapping[str, Fact]) -> Premise:
    fact = facts.get(name)
    if fact is None:
        reason = f"fact.missing.{name}" if name in EXPLAINED else "fact.not-examined"
        return Premise(name, How.UNKNOWN, Reason(reason))
    how = fact.how
    at_best = name in ATTESTED_AT_BEST or (name in _OF_OURS and how is How.MEASURED)
    if at_best and _STRENGTH[how] > _STRENGTH[How.ATTESTED]:
        how = How.ATTESTED
    return Premise(name, how, fact.evidence)


def derive(rule: Theorem, facts: Mapping[str, Fact]) -> Derivation:
    """One application of a theorem, each premise looked up among the facts; absent ones are unknown."""
    return Derivation(rule.id, tuple(_premise(name, facts) for name in rule.needs))


def _known(rules: Iterable[Theorem], version: str) -> tuple[Theorem, ...]:
    """Those that a version knows, each once, in the order of their first."""
    return tuple(in_force(dict.fromkeys(rules), version, key=lambda each: each.id).values())


def standing(derivation: Derivation, version: str = __version__) -> Standing:
    """What the weakest premise leaves of the conclusion, by the theorem as a version has it."""
    rule = theorems(version).get(derivation.rule)
    if rule is not None and not rule.concludes:
        return Standing.NOT_SHOWN
    if any(premise.how in {How.REFUTED, How.UNKNOWN} for premise in derivation.premises):
        return Standing.NOT_SHOWN
    named = () if rule is None else rule.under
    attested = any(premise.how is How.ATTESTED and premise.fact not in named for premise in derivation.premises)
    return Standing.SUPPORTED if attested else Standing.SHOWN


def conclude(derivations: Iterable[Derivation], version: str = __version__) -> Standing:
    """The standing of the best of several routes to one conclusion."""
    found = {standing(derivation, version) for derivation in derivations}
    for best in (Standing.SHOWN, Standing.SUPPORTED):
        if best in found:
            return best
    return Standing.NOT_SHOWN


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
    log the premise says that they do not depend on b.
    """
    attacked = facts.get("unrefuted")
    rule, derivation = _removal_route(facts, above=extractor is not None, version=version)
    certified = None if spent is None else spent.by_noise if rule is removal.NOISE else spent.by_loss
    by_retraining = rule is removal.RETRAINING
    status = Standing.REFUTED if attacked is not None and attacked.how is How.REFUTED else standing(derivation, version)
    holds = status in {Standing.SHOWN, Standing.SUPPORTED}
    if by_retraining:
        epsilon, delta = 0.0, 0.0
    elif epsilon is not None and certified is not None:
        epsilon = min(epsilon, certified)
    if extractor is not None and epsilon is not None and delta is not None:
        epsilon, delta = both(epsilon, extractor.epsilon), min(1.0, both(delta, extractor.delta))
    return Guarantee(
        id=CERTIFIED_REMOVAL,
        status=status,
        epsilon=epsilon if holds else None,
        delta=delta if holds else None,
        derivation=(derivation,),
    )


def model_data_deletion(facts: Mapping[str, Fact], deletion: Deletion, version: str = __version__) -> Guarantee:
    """The guarantee that later models are (q, ε)-close to ones that never saw a deleted person's records.

    It is at best *supported*: that requests were fixed in advance, that the log is complete, that the seed is secret and that no
    preprocessing saw the deleted records are the controller's word. Where an attack of this run contradicts the claimed or
    certified ε, it is *refuted*, whatever its premises say.
    """
    rule = data_deletion.theorem(deletion)
    attacked = facts.get("deletion-unrefuted")
    derivation = derive(rule if attacked is None else removal.needing(rule, attacked.name), facts)
    status = Standing.REFUTED if attacked is not None and attacked.how is How.REFUTED else standing(derivation, version)
    if status in {Standing.SHOWN, Standing.SUPPORTED} and (deletion.epsilon is None or deletion.source is None):
        status = Standing.NOT_SHOWN
    holds = status in {Standing.SHOWN, Standing.SUPPORTED}
    return Guarantee(
        id=DATA_DELETION,
        status=status,
        epsilon=deletion.epsilon if holds else None,
        delta=None,
        derivation=(derivation,),
        order=deletion.order if holds else None,
        terms={
            **{name: getattr(deletion, name) for name in ("order", "epsilon", "source", "seen", "advantage", "records", "of")},
        },
    )


def _removal_route(facts: Mapping[str, Fact], *, above: bool, version: str) -> tuple[Theorem, Derivation]:
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
    first = [removal.RETRAINING] if retrained is not None and retrained.how is not How.REFUTED else []
    noise = [removal.NOISE] if "release-noise" in facts else []
    loss = removal.LAPLACE if "perturbation-laplace" in facts else removal.NEWTON
    ways = _known((*first, *noise, loss, *removal.PLAIN), version)
    tried = [(rule, derive(_asking(rule, facts, above=above), facts)) for rule in ways]
    return max(tried, key=lambda pair: _FIRMNESS.index(standing(pair[1], version)))


def _asking(rule: Theorem, facts: Mapping[str, Fact], *, above: bool) -> Theorem:
    """A theorem of removal with what these facts make it need in addition."""
    retrained, fitted = facts.get("retrained"), facts.get(PREPROCESSING)
    if rule is removal.RETRAINING and retrained is not None and retrained.how in {How.MEASURED, How.ATTESTED}:
        # A clean room shows what foreign code did with the records that it was given, and not what it brings along.
        rule = removal.needing(rule, "code-clean")
    if above:
        rule = removal.above_extractor(rule)
    if fitted is not None and fitted.how is How.REFUTED:
        rule = removal.needing(rule, fitted.name)
    return removal.needing(rule, "unrefuted") if "unrefuted" in facts else rule


def _control(facts: Mapping[str, Fact], private: Pledge | None, continual: Pledge | None, version: str) -> Guarantee:
    """Deletion-as-control by its best route; of several that are as firm, by the one with the smallest numbers."""
    rules = _known((*control.TO_CONTROL, *(rule for rule, name in control.BY_NAME.items() if name in facts)), version)
    if refuted := _refuted_in_games(CONTROL, rules, facts):
        return refuted
    derivations = tuple(derive(rule, facts) for rule in rules)
    status = conclude(derivations, version)
    known = {control.HISTORY: Pledge(0.0, 0.0), control.PRIVATE: private, **dict.fromkeys(control.OF_COUNTERS, continual)}
    carrying = [
        rule for rule, each in zip(rules, derivations, strict=True) if standing(each, version) is status is not Standing.NOT_SHOWN
    ]
    pledges = [(pledge.epsilon, pledge.delta, rule is not control.HISTORY) for rule in carrying if (pledge := known.get(rule))]
    epsilon, delta, by_noise = min(pledges, default=(None, None, False))
    reported = by_noise and not any(rule is control.PRIVATE for rule in carrying)
    return Guarantee(
        id=CONTROL,
        status=status,
        epsilon=epsilon,
        delta=delta,
        derivation=derivations,
        terms={"by_noise": by_noise, **({"reported": True} if reported else {})},
    )


def _confidentiality(facts: Mapping[str, Fact], continual: Pledge | None, version: str) -> Guarantee:
    rules = _known((control.COUNTED,) if "pan-private" in facts else control.TO_CONFIDENTIALITY, version)
    if refuted := _refuted_in_games(CONFIDENTIALITY, rules, facts):
        return refuted
    derivations = tuple(derive(rule, facts) for rule in rules)
    status = conclude(derivations, version)
    holds = continual if status is not Standing.NOT_SHOWN else None
    return Guarantee(
        id=CONFIDENTIALITY,
        status=status,
        epsilon=None if holds is None else holds.epsilon,
        delta=None if holds is None else holds.delta,
        derivation=derivations,
    )


def _refuted_in_games(guarantee: str, rules: tuple[Theorem, ...], facts: Mapping[str, Fact]) -> Guarantee | None:
    """The guarantee as refuted, whatever the premises of its theorems say; None where no game told two executions apart."""
    told = facts.get(_IN_GAMES[guarantee])
    if told is None or told.how is not How.REFUTED:
        return None
    derivations = tuple(derive(removal.needing(rule, told.name), facts) for rule in rules)
    terms = {"by_noise": False} if guarantee == CONTROL else {}
    return Guarantee(id=guarantee, status=Standing.REFUTED, epsilon=None, delta=None, derivation=derivations, terms=terms)


def _unlearning(facts: Mapping[str, Fact], fresh: Pledge | None, version: str) -> Guarantee:
    """Adaptive machine unlearning by Proposition 3.12, with the ε and δ of history independence under fresh randomness.

    Its own numbers follow from them for each β, and are no (ε, δ) of a promise to anybody: the guarantee has none.
    """
    derivation = derive(control.UNLEARNING, facts)
    status = standing(derivation, version)
    numbers = {} if fresh is None or status is Standing.NOT_SHOWN else {"epsilon": fresh.epsilon, "delta": fresh.delta}
    return Guarantee(UNLEARNING, status, None, None, (derivation,), terms=numbers)


def derive_guarantees(
    facts: Iterable[Fact],
    *,
    epsilon: float | None,
    delta: float | None,
    private: Pledge | None = None,
    extractor: Pledge | None = None,
    deletion: Deletion | None = None,
    spent: Spent | None = None,
    continual: Pledge | None = None,
    fresh: Pledge | None = None,
    version: str = __version__,
) -> tuple[Guarantee, ...]:
    """Every guarantee of the catalogue, with all of its premises.

    Args:
        facts: What the checks found out, each named as in the catalogue.
        epsilon: The ε that the removal criterion was held against; None where there was no criterion.
        delta: Its δ.
        private: What private training gives each person; None where it gives nothing.
        extractor: What a private extractor below the model costs for all removed records together; None where there is none.
        deletion: What was found of data deletion; None where the case gives no cause for it: it is not listed then.
        continual: What a counter under continual release gives each person; None where it gives nothing.
        spent: What is certified of the removals; None where no more is known than that they keep to the criterion.
        fresh: The adaptive history independence of a learner under fresh randomness; None where nothing is known of it.
        version: The version that ran: later theorems derive nothing of what it found.
    """
    known: dict[str, Fact] = {}
    for fact in facts:
        if fact.name in UNREFUTED and fact.how is How.ATTESTED:
            continue
        # Where two checks cover one fact, the weaker word counts.
        if fact.name not in known or _STRENGTH[fact.how] < _STRENGTH[known[fact.name].how]:
            known[fact.name] = fact
    removal = certified_removal(known, epsilon=epsilon, delta=delta, extractor=extractor, spent=spent, version=version)
    of_model = (removal,) if deletion is None else (removal, model_data_deletion(known, deletion, version))
    carrying = [(each, how) for each in of_model if (how := _AS_PREMISE.get(each.status)) is not None]
    if carrying:
        best, how = max(carrying, key=lambda pair: _STRENGTH[pair[1]])
        reason = Reason("fact.model-guarantee.derived", {"guarantee": best.id, "standing": best.status.value})
        known["model-guarantee"] = Fact("model-guarantee", how, reason)
        if best.id == DATA_DELETION and deletion is not None:
            derived_for = Reason("fact.missing.adaptive-requests", {"seen": deletion.seen})
            known.setdefault("adaptive", Fact("adaptive", How.UNKNOWN, derived_for))
    asked = (_unlearning(known, fresh, version),) if "unlearning-syntax" in known else ()
    return *of_model, _control(known, private, continual, version), _confidentiality(known, continual, version), *asked


def fact(name: str, how: How, evidence: Reason) -> Fact:
    """A fact of the catalogue, with how it is known.

    Raises:
        KeyError: If the catalogue has no fact of that name.
    """
    if name not in KNOWN:
        raise KeyError(name)
    return Fact(name, how, evidence)
