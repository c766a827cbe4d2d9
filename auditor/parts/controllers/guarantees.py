"""Derives deletion-as-control, deletion-as-confidentiality and adaptive unlearning from facts, and its numbers for one β."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from auditor.base.domain import ClaimStatus, Fact, Guarantee, Provenance
from auditor.base.terms import ControlTerms, NoTerms, ReportedControlTerms, UnlearningTerms
from auditor.parts.controllers import theorems
from auditor.parts.controllers.rules.adaptive_unlearning import alpha, gamma
from auditor.parts.controllers.theorems import (
    BY_NAME,
    DECLARED,
    HIDDEN_BY_NAME,
    HISTORY,
    NOISY_HISTORY,
    OF_COUNTERS,
    PRIVATE,
    STORED,
    TO_CONFIDENTIALITY,
    TO_CONTROL,
)
from auditor.verdict.corollaries import carrying
from auditor.verdict.guarantees import (
    CONFIDENTIALITY,
    CONTROL,
    UNLEARNING,
    Derivable,
    Pledge,
    Pledges,
    conclude,
    derive,
    known,
    standing,
)
from auditor.verdict.theorems import Theorem, needing

_OF_HISTORIES: Final = (HISTORY, NOISY_HISTORY)
"""Routes whose numbers are those of history independence, whatever it rests on, and hold for any number of people."""
_IN_GAMES: Final = {CONTROL: "control-unrefuted", CONFIDENTIALITY: "confidentiality-unrefuted"}
"""Facts that games against a controller refute, with what they cover."""


@dataclass(frozen=True, slots=True)
class Unlearning:
    """The three numbers of adaptive machine unlearning."""

    alpha: float
    beta: float
    gamma: float


def _control(facts: Mapping[str, Fact], pledges: Pledges, version: str) -> Guarantee:
    """Deletion-as-control by its best route; of several that are as firm, by the one with the smallest numbers."""
    rules = known((*TO_CONTROL, *(rule for rule, name in BY_NAME.items() if name in facts)), version)
    if refuted := _refuted_in_games(CONTROL, rules, facts):
        return refuted
    derivations = tuple(derive(rule, facts) for rule in rules)
    status = conclude(derivations, version)
    numbers = {
        HISTORY: Pledge(0.0, 0.0),
        NOISY_HISTORY: pledges.fresh,
        PRIVATE: pledges.private,
        # A second part without noise has its numbers from its histories, one with noise from its reports.
        DECLARED: pledges.continual or pledges.parts,
        **dict.fromkeys(OF_COUNTERS, pledges.continual),
    }
    best = [
        rule
        for rule, each in zip(rules, derivations, strict=True)
        if standing(each, version) is status is not ClaimStatus.NOT_SHOWN
    ]
    exact = {*_OF_HISTORIES, *(() if pledges.continual else (DECLARED,))}
    given = [(pledge, rule not in exact) for rule in best if (pledge := numbers.get(rule))]
    # What each theorem says holds at every ε and δ that its mechanism keeps: the whole promise is carried over.
    holds, by_noise = min(given, key=lambda each: (each[0].epsilon, each[0].delta, each[1]), default=(None, False))
    reported = by_noise and not any(rule is PRIVATE for rule in best)
    promise = None if holds is None else holds.promise
    return Guarantee(
        id=CONTROL,
        status=status,
        epsilon=None if holds is None else holds.epsilon,
        delta=None if holds is None else holds.delta,
        derivation=derivations,
        terms=ReportedControlTerms(by_noise, promise) if reported else ControlTerms(by_noise, promise),
    )


def _confidentiality(facts: Mapping[str, Fact], pledges: Pledges, version: str) -> Guarantee:
    """Deletion-as-confidentiality by the best route that a case gives cause for."""
    rules = known([rule for rule, name in HIDDEN_BY_NAME.items() if name in facts] or TO_CONFIDENTIALITY, version)
    if refuted := _refuted_in_games(CONFIDENTIALITY, rules, facts):
        return refuted
    derivations = tuple(derive(rule, facts) for rule in rules)
    status = conclude(derivations, version)
    best = [] if status is ClaimStatus.NOT_SHOWN else [each.rule for each in derivations if standing(each, version) is status]
    holds = Pledge(0.0, 0.0) if STORED.id in best else pledges.continual if best else None
    return Guarantee(
        id=CONFIDENTIALITY,
        status=status,
        epsilon=None if holds is None else holds.epsilon,
        delta=None if holds is None else holds.delta,
        derivation=derivations,
        terms=NoTerms(None if holds is None else holds.promise),
    )


def _refuted_in_games(guarantee: str, rules: tuple[Theorem, ...], facts: Mapping[str, Fact]) -> Guarantee | None:
    """The guarantee as refuted, whatever the premises of its theorems say; None where no game told two executions apart."""
    told = facts.get(_IN_GAMES[guarantee])
    if told is None or told.how is not Provenance.REFUTED:
        return None
    derivations = tuple(derive(needing(rule, told.name), facts) for rule in rules)
    terms = ControlTerms(by_noise=False) if guarantee == CONTROL else NoTerms()
    return Guarantee(id=guarantee, status=ClaimStatus.REFUTED, epsilon=None, delta=None, derivation=derivations, terms=terms)


def _unlearning(facts: Mapping[str, Fact], pledges: Pledges, version: str) -> Guarantee | None:
    """Adaptive machine unlearning by Proposition 3.12, with the ε and δ of history independence under fresh randomness.

    Its own numbers follow from them for each β, and are no (ε, δ) of a promise to anybody: the guarantee has none. It is listed
    where it is asked for.
    """
    if "unlearning-syntax" not in facts:
        return None
    derivation = derive(theorems.UNLEARNING, facts)
    status = standing(derivation, version)
    held = None if status is ClaimStatus.NOT_SHOWN else pledges.fresh
    terms = NoTerms() if held is None else UnlearningTerms(epsilon=held.epsilon, delta=held.delta, promise=held.promise)
    return Guarantee(UNLEARNING, status, None, None, (derivation,), terms=terms)


def unlearning(guarantee: Guarantee, beta: float) -> Unlearning | None:
    """Work out the adaptive machine unlearning that a learner has for one β; None where it has none (Proposition 3.12).

    Args:
        guarantee: Of adaptive machine unlearning.
        beta: Above 0.
    """
    terms = guarantee.terms
    if guarantee.id != UNLEARNING or not carrying(guarantee) or not isinstance(terms, UnlearningTerms):
        return None
    missed = gamma(terms.epsilon, terms.delta, beta)
    return Unlearning(alpha(terms.epsilon), beta, missed) if missed < 1 else None


GUARANTEES: Final = (
    Derivable(CONTROL, 30, _control),
    Derivable(CONFIDENTIALITY, 40, _confidentiality),
    Derivable(UNLEARNING, 50, _unlearning),
)
