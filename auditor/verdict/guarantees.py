"""Theorems as rules: facts go in, derivations come out.

A guarantee is the conclusion of a theorem, its premises are facts, and every fact carries how it is known. A guarantee stands as
firmly as the weakest premise of its best route: *shown* if every premise was computed or measured, *supported* if some are
only attested, *not shown* if one is refuted or unknown. A premise that the theorem's own statement names as its condition has to
be attested, and does not weaken what is stated under it. Nothing is asserted that no rule derives.

Every way to a guarantee is tried, whatever else is known: to learn something good never takes a guarantee away, and a fact that
is refuted never gives one.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, fields, replace
from functools import cache
from typing import Any, Final, Protocol

from auditor import __version__
from auditor.base.domain import ClaimStatus, Derivation, Fact, Guarantee, Message, Premise, Provenance
from auditor.base.parts import modules
from auditor.base.promises import Promise
from auditor.document.editions import in_force
from auditor.maths.certificates.privacy import group_delta, group_epsilon
from auditor.maths.tradeoff import reading
from auditor.maths.tradeoff.combining import group
from auditor.settings.attestations import ATTESTABLE, facts_of
from auditor.verdict.theorems import Theorem, facts_needed, foreign_theorems, theorems

CERTIFIED_REMOVAL = "certified-removal"
DATA_DELETION = "data-deletion"
CONTROL = "deletion-as-control"
CONFIDENTIALITY = "deletion-as-confidentiality"
UNLEARNING = "adaptive-unlearning"
"""Of models alone: it is listed where it is asked for, covers no request, and is no premise of anything."""

EXPLAINED: Final = frozenset({"whole-state", "adaptive", "two-sided", "store-erased", "model-guarantee"})
"""Facts of which there is more to say, where they are unknown, than that nobody examined them."""
UNREFUTED: Final = frozenset({"unrefuted", "deletion-unrefuted", "control-unrefuted", "confidentiality-unrefuted"})
"""What attacks and games of this run may contradict, and nobody's word can say."""
KNOWN: Final = facts_needed() | UNREFUTED
"""The catalogue: every fact that a check may find out."""
_OF_OURS: Final = frozenset(
    {
        "answers-from-own-data",
        "first-part-answers-without-chance",
        "first-part-has-control",
        "parts-answer-the-asker",
        "parts-share-nothing",
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
FIRMNESS: Final = (ClaimStatus.REFUTED, ClaimStatus.NOT_SHOWN, ClaimStatus.SUPPORTED, ClaimStatus.SHOWN)
"""Standings, the weakest first."""
_AS_PREMISE = {ClaimStatus.SHOWN: Provenance.COMPUTED, ClaimStatus.SUPPORTED: Provenance.ATTESTED}
"""How a guarantee is known where it is the premise of another; any other standing makes it none."""
FOREIGN: Final = "fact.foreign-part"
"""The code of the reason that a fact rests on which a foreign part alone found: it is attested at best, and always weakens."""
_STRENGTH = {Provenance.REFUTED: 0, Provenance.UNKNOWN: 1, Provenance.ATTESTED: 2, Provenance.MEASURED: 3, Provenance.COMPUTED: 4}


@dataclass(frozen=True, slots=True)
class Pledge:
    """The (ε, δ) that a theorem's conclusion has, and what it says beyond them."""

    epsilon: float
    delta: float
    promise: Promise | None = None
    """By the mechanism's parameters; None where no more is known."""


@dataclass(frozen=True, slots=True)
class Spent:
    """What is certified at the target's δ, by the way that certifies it; None where nothing is."""

    by_loss: Pledge | None = None
    """By the residual bounds of the log, against the random term of the loss."""
    by_noise: Pledge | None = None
    """By the residual budget, against the noise at release."""


class OfADeletion(Protocol):
    """What the checks found of data deletion, as the part holds it that derives the guarantee."""

    @property
    def order(self) -> float:
        """The Rényi order."""

    @property
    def epsilon(self) -> float | None:
        """At that order; None where there is none."""

    @property
    def source(self) -> str | None:
        """What it was derived from."""


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
    parts: Pledge | None = None
    """What the second of two programs side by side gives each person, where it hides nobody by noise."""
    extractor: Pledge | None = None
    """What a private extractor below the model costs for all removed records together."""
    deletion: OfADeletion | None = None
    """What was found of data deletion."""
    by_loss: Pledge | None = None
    """What residual bounds of the log certify at that δ."""
    by_noise: Pledge | None = None
    """What the residual budget and the noise at release certify at that δ."""

    @classmethod
    def together(cls, parts: Iterable[Pledges]) -> Pledges:
        """Put together what several checks give; of two that give the same number the first counts."""
        found: dict[str, Any] = {}
        for part in parts:
            for each in fields(part):
                if (value := getattr(part, each.name)) is not None:
                    found.setdefault(each.name, value)
        return cls(**found)


def pledge_to_one(epsilon: float, delta: float, *, records: int, promise: Promise | None = None) -> Pledge | None:
    """What differential privacy for one record says of a person who has several.

    Args:
        epsilon: For one record, at least 0.
        delta: For one record, between 0 and 1.
        records: How many records the person has, at least 1.
        promise: For one record, by the mechanism's parameters; None where no more is known.

    Returns:
        What the promise says of k records together (`auditor.maths.tradeoff.combining.group`), its ε read at the same δ; without
        one, or where it has no such ε, group privacy: kε and δ(e^{kε} − 1)/(e^ε − 1) (Vadhan 2017, Lemma 2.2). All rounded up;
        None where neither promises anything.
    """
    if records == 1:
        return Pledge(epsilon, delta, promise) if delta < 1 else None
    of_all = None if promise is None else group(promise, records)
    if of_all is not None and reading.advantage(of_all) < 1:
        at = reading.epsilon_at(of_all, delta)
        if math.isfinite(at) and delta < 1:
            return Pledge(at, delta, of_all)
    together = group_delta(epsilon, delta, records)
    return Pledge(group_epsilon(epsilon, records), together, of_all) if together < 1 else None


def is_foreign(known: Fact | Premise) -> bool:
    """Whether something is known from a foreign part alone."""
    return known.evidence.code == FOREIGN


def rests_on_foreign(guarantee: Guarantee) -> bool:
    """Whether any route to a guarantee has a premise that is known from a foreign part alone."""
    return any(is_foreign(premise) for derivation in guarantee.derivation for premise in derivation.premises)


def _of_foreign(guarantee: Guarantee) -> Message | None:
    """The reason of the first premise that is known from a foreign part alone; None where there is none."""
    premises = (premise for derivation in guarantee.derivation for premise in derivation.premises)
    return next((premise.evidence for premise in premises if is_foreign(premise)), None)


def _premise(name: str, facts: Mapping[str, Fact]) -> Premise:
    fact = facts.get(name)
    if fact is None:
        reason = f"fact.missing.{name}" if name in EXPLAINED else "fact.not-examined"
        return Premise(name, Provenance.UNKNOWN, Message(reason))
    how = fact.how
    at_best = name in ATTESTED_AT_BEST or (name in _OF_OURS and how is Provenance.MEASURED)
    if at_best and _STRENGTH[how] > _STRENGTH[Provenance.ATTESTED]:
        how = Provenance.ATTESTED
    return Premise(name, how, fact.evidence)


def derive(rule: Theorem, facts: Mapping[str, Fact]) -> Derivation:
    """One application of a theorem, each premise looked up among the facts; absent ones are unknown.

    What its statement concerns without needing it, and what is refuted, is a premise as well.
    """
    against = (name for name in rule.unless if name in facts and facts[name].how is Provenance.REFUTED)
    names = dict.fromkeys((*rule.needs, *against))
    return Derivation(rule.id, tuple(_premise(name, facts) for name in names))


def known(rules: Iterable[Theorem], version: str) -> tuple[Theorem, ...]:
    """Keep those that a version knows, each once, in the order of their first."""
    return tuple(in_force(dict.fromkeys(rules), version, key=lambda each: each.id).values())


def standing(derivation: Derivation, version: str = __version__) -> ClaimStatus:
    """What the weakest premise leaves of the conclusion, by the theorem as a version has it."""
    rule = theorems(version).get(derivation.rule)
    if rule is not None and not rule.concludes:
        return ClaimStatus.NOT_SHOWN
    if any(premise.how in {Provenance.REFUTED, Provenance.UNKNOWN} for premise in derivation.premises):
        return ClaimStatus.NOT_SHOWN
    named = () if rule is None else rule.under
    attested = any(
        premise.how is Provenance.ATTESTED and (premise.fact not in named or is_foreign(premise))
        for premise in derivation.premises
    )
    return ClaimStatus.SUPPORTED if attested else ClaimStatus.SHOWN


def conclude(derivations: Iterable[Derivation], version: str = __version__) -> ClaimStatus:
    """The standing of the best of several routes to one conclusion."""
    found = {standing(derivation, version) for derivation in derivations}
    for best in (ClaimStatus.SHOWN, ClaimStatus.SUPPORTED):
        if best in found:
            return best
    return ClaimStatus.NOT_SHOWN


def _leaves_nothing_open(_pledges: Pledges) -> tuple[Fact, ...]:
    return ()


@dataclass(frozen=True, slots=True)
class Derivable:
    """One guarantee that a part brings: how it follows from facts by the theorems of that part."""

    id: str
    place: int
    """Where it is among the others in a document, in steps of ten."""
    derive: Callable[[Mapping[str, Fact], Pledges, str], Guarantee | None]
    """From facts by name and what checks give to guarantees, by the theorems of a version; None where the case gives no cause."""
    of_model: bool = False
    """Whether it covers the model alone: the best of those that hold is a premise of guarantees of the whole."""
    leaves_open: Callable[[Pledges], tuple[Fact, ...]] = _leaves_nothing_open
    """Facts that it leaves open as such a premise, unless something else is known of them."""


@cache
def derivable() -> tuple[Derivable, ...]:
    """List the guarantees that parts bring, in the order of their places.

    Raises:
        ValueError: If two have one id or one place.
    """
    found = sorted((each for module in modules("guarantees") for each in module.GUARANTEES), key=lambda each: each.place)
    if len({each.id for each in found}) < len(found) or len({each.place for each in found}) < len(found):
        raise ValueError("two guarantees have one id or one place")
    return tuple(found)


def derive_guarantees(
    facts: Iterable[Fact],
    *,
    epsilon: float | None,
    delta: float | None,
    private: Pledge | None = None,
    extractor: Pledge | None = None,
    deletion: OfADeletion | None = None,
    spent: Spent | None = None,
    continual: Pledge | None = None,
    fresh: Pledge | None = None,
    parts: Pledge | None = None,
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
        parts: What the second of two programs side by side gives each person without noise; None where there is no such part.
        version: The version that ran: later theorems derive nothing of what it found.
    """
    given = Pledges(
        epsilon=epsilon,
        delta=delta,
        private=private,
        continual=continual,
        fresh=fresh,
        parts=parts,
        extractor=extractor,
        deletion=deletion,
        by_loss=None if spent is None else spent.by_loss,
        by_noise=None if spent is None else spent.by_noise,
    )
    listed = tuple(facts)
    found = _every(_by_name(listed), given, version)
    own = tuple(fact for fact in listed if not is_foreign(fact))
    if len(own) < len(listed):
        found = _supported_at_most(found, _every(_by_name(own), given, version))
    return tuple(found[each] for each in derivable() if each in found)


def _every(held: dict[str, Fact], given: Pledges, version: str) -> dict[Derivable, Guarantee]:
    """Derive the guarantees of the model, and with the best of them those of the whole."""
    of_model = _derived((each for each in derivable() if each.of_model), held, given, version)
    carrying = [(each, how) for each in of_model if (how := _AS_PREMISE.get(of_model[each].status)) is not None]
    if carrying:
        # Of several that are as firm, one that rests on no foreign part.
        best, how = max(carrying, key=lambda pair: (_STRENGTH[pair[1]], not rests_on_foreign(of_model[pair[0]])))
        reason = Message("fact.model-guarantee.derived", {"guarantee": best.id, "standing": of_model[best].status.value})
        if how is Provenance.ATTESTED and (foreign := _of_foreign(of_model[best])) is not None:
            # What rests on a foreign part carries its mark on: no theorem may take it for the controller's word.
            reason = Message(FOREIGN, {"part": foreign.parameters["part"], "found": reason})
        held["model-guarantee"] = Fact("model-guarantee", how, reason)
        for fact in best.leaves_open(given):
            held.setdefault(fact.name, fact)
    return of_model | _derived((each for each in derivable() if not each.of_model), held, given, version)


def _supported_at_most(found: Mapping[Derivable, Guarantee], alone: Mapping[Derivable, Guarantee]) -> dict[Derivable, Guarantee]:
    """Hold what was derived with facts of foreign parts against the same without them, whatever derives it.

    It is *shown* only where it is shown without them, *refuted* where it is refuted without them, and as firm with other numbers,
    firmer, or there at all, only where a premise names a foreign part.
    """
    kept: dict[Derivable, Guarantee] = {}
    for each in derivable():
        with_them, without = found.get(each), alone.get(each)
        if with_them is None or (without is not None and without.status is ClaimStatus.REFUTED):
            kept |= {} if without is None else {each: without}
            continue
        before = ClaimStatus.NOT_SHOWN if without is None else without.status
        if FIRMNESS.index(with_them.status) >= FIRMNESS.index(before) and not rests_on_foreign(with_them):
            kept |= {} if without is None else {each: without}
        elif with_them.status is ClaimStatus.SHOWN and before is not ClaimStatus.SHOWN:
            kept[each] = replace(with_them, status=ClaimStatus.SUPPORTED)
        else:
            kept[each] = with_them
    return kept


def _derived(which: Iterable[Derivable], facts: Mapping[str, Fact], given: Pledges, version: str) -> dict[Derivable, Guarantee]:
    """Derive each of them that the case gives cause for."""
    tried = ((each, each.derive(facts, given, version)) for each in which)
    return {each: guarantee for each, guarantee in tried if guarantee is not None}


def _by_name(facts: Iterable[Fact]) -> dict[str, Fact]:
    """The facts that count, by name."""
    known: dict[str, Fact] = {}
    for fact in facts:
        if fact.name in UNREFUTED and fact.how is Provenance.ATTESTED:
            continue
        # Where two checks cover one fact, the weaker word counts.
        if fact.name not in known or _STRENGTH[fact.how] < _STRENGTH[known[fact.name].how]:
            known[fact.name] = fact
    return known


def conclude_foreign(facts: Iterable[Fact], part: str, version: str = __version__) -> tuple[Guarantee, ...]:
    """Derive what the theorems of a foreign part conclude, each under its own name, *supported* at most.

    Args:
        facts: What the checks found out.
        part: Its name.
        version: The version that ran.
    """
    known = _by_name(facts)
    found = []
    for owner, rule in foreign_theorems():
        if owner.name == part:
            derivation = derive(rule, known)
            status = standing(derivation, version)
            status = ClaimStatus.SUPPORTED if status is ClaimStatus.SHOWN else status
            found.append(Guarantee(rule.id, status, None, None, (derivation,)))
    return tuple(found)


def fact(name: str, how: Provenance, evidence: Message) -> Fact:
    """A fact of the catalogue, or one that a theorem of a foreign part in force needs, with how it is known.

    Raises:
        KeyError: If there is no fact of that name.
    """
    if name not in KNOWN and name not in {need for _, rule in foreign_theorems() for need in rule.needs}:
        raise KeyError(name)
    return Fact(name, how, evidence)
