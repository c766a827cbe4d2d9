"""Lower bounds on ε that one run with coin-flip canaries implies.

Guesses after unlearning are held against a claim about removing the whole set at once, guesses before it against what is claimed
or certified of training, for one record. A training may take the number of its records as public, as private training does whose
sampling rate follows it, and here the coins decide it. So at each number k of learned canaries the training is taken as that with
k fixed, and what refutes it there has the level α P[Bin(m, ½) = k]: over all k that adds up to α.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from functools import lru_cache
from typing import Final

from auditor.base.domain import Certificate, Message
from auditor.maths.certificates import derive
from auditor.maths.statistics import guessing_noticed
from auditor.maths.statistics.power import least_count, share_reaching
from auditor.maths.tradeoff import loss_distribution
from auditor.maths.tradeoff.promises import SubsampledGaussian
from auditor.parts.swap.judging import quality
from auditor.parts.swap.judging.epsilon_consistency import attacks, families, power
from auditor.parts.swap.judging.epsilon_consistency.families import Errors
from auditor.parts.swap.judging.epsilon_consistency.rows import DATA_DELETION, Compared, Lower, Row, Stated, row
from auditor.parts.swap.judging.epsilon_consistency.statements import REMOVAL_BY_CLAIM
from auditor.parts.swap.judging.game import LEAST_CANARIES, canaries, guessed, unplayable
from auditor.parts.swap.judging.one_run import OneRun
from auditor.parts.swap.rules.one_run_privacy import BY_TAIL, BY_TRADEOFF, refutes
from auditor.settings.builtin import Noise
from auditor.settings.tables import SwapTable
from auditor.verdict.checks.context import Context
from auditor.verdict.checks.differences import Foretold
from auditor.verdict.checks.finding import Earlier

_METHOD: Final = Message("epsilon.consistency.method.joint-guess")
_LESS_NOISE: Final = 2.0**-0.125
"""By what noise is lowered to see how much less of it is refuted as well."""
_LOWERED: Final = 32
"""How often, at most."""


def seen_in(earlier: Earlier) -> OneRun | None:
    """What a single run showed; None where none was asked for."""
    found = earlier[quality.CARD.id].observed
    return found.one_run if isinstance(found, quality.Observed) else None


def foretell(context: Context) -> Foretold:
    """Work out what the single run of a case can refute at best, from what is declared alone."""
    records, alpha, claim = context.case.training_records, context.swap.alpha, context.claims.certified_removal
    count, allowed = canaries(records, alpha), errors(context)
    guesses, delta = guessed(count), 0.0 if claim is None else claim.delta
    claimed = None if claim is None else claim.epsilon
    if count < LEAST_CANARIES:
        why = unplayable("few-canaries", records=records, alpha=alpha)
        return Foretold(count, guesses, why, None, delta, allowed.refutes, None, claimed, None)
    epsilon = _derived(guesses, guesses, error=allowed.refutes, delta=delta).outputs["epsilon_lower"]
    noticed = guessing_noticed(guesses, confidence=min(context.swap.confidence, SwapTable().confidence))
    needed = None
    if claimed is not None and epsilon is not None:
        needed = power.by_guesses(claimed, guesses, alpha=allowed.refutes, delta=delta)
    return Foretold(count, guesses, None, epsilon, delta, allowed.refutes, noticed, claimed, needed)


def errors(context: Context) -> Errors:
    """Give what each of the run's two tests may do to what holds: guesses after unlearning, and guesses before it."""
    return families.errors(context).part(attacks.tests(context))


def _derived(guesses: int, right: int, *, error: float, delta: float) -> Certificate:
    return derive("one-run", {"guesses": guesses, "correct": right, "alpha": error, "delta": delta})


def compare(context: Context, seen: OneRun) -> Compared:
    """Hold the bounds against what is claimed of removing the whole set, and of training."""
    rows, certificates = list[Row](), list[Certificate]()
    for each in (_of_removal(context, seen), *_of_training(context, seen)):
        rows += each.rows
        certificates += each.certificates
    if context.claims.data_deletion is not None:
        why = Message("epsilon.consistency.why.one-run")
        against = Message("epsilon.consistency.against.deletion-claim")
        stated = Stated(against, "claim", context.claims.data_deletion.epsilon, 0.0, why_not=why, claim=DATA_DELETION)
        rows.append(row(stated, (), reach=None))
    return Compared(tuple(rows), tuple(certificates))


def _of_removal(context: Context, seen: OneRun) -> Compared:
    """Hold guesses after unlearning against a claim of certified removal, which is about all of the forget set at once."""
    claim, allowed = context.claims.certified_removal, errors(context)
    if claim is None:
        return Compared()
    against = Message(REMOVAL_BY_CLAIM)
    if allowed.refutes <= claim.delta:
        why = Message("epsilon.consistency.why.one-run-delta", {"delta": claim.delta, "error": allowed.refutes})
        stated = Stated(against, "claim", claim.epsilon, claim.delta, why_not=why, claim="certified_removal")
        return Compared((row(stated, (), reach=None),))
    stated = Stated(against, "claim", claim.epsilon, claim.delta, claim="certified_removal")
    own, null, most = (
        _derived(seen.guesses, right, error=allowed.refutes, delta=claim.delta)
        for right in (seen.right, seen.right_retrained, seen.guesses)
    )
    suspected = _derived(seen.guesses, seen.right, error=allowed.opens, delta=claim.delta)
    lower = Lower(
        method="one-run",
        title=_METHOD,
        epsilon=own.outputs["epsilon_lower"],
        confidence=1 - allowed.refutes,
        null=null.outputs["epsilon_lower"],
        suspected=suspected.outputs["epsilon_lower"],
        suspected_confidence=1 - allowed.opens,
    )
    noticed = power.by_guesses(claim.epsilon, seen.guesses, alpha=allowed.opens, delta=claim.delta)
    return Compared((row(stated, [lower], reach=most.outputs["epsilon_lower"], noticed=[noticed]),), (own,))


def _of_training(context: Context, seen: OneRun) -> Iterator[Compared]:
    """Hold guesses before unlearning against what is claimed and certified of training, for one record."""
    claim, trained = context.claims.dp, context.case.training_records - seen.canaries + seen.forgotten
    noise = context.procedure.noise_of_training(trained)
    allowed = _at_this_number(errors(context), seen)
    certificate = None
    if noise is not None:
        certificate = derive(noise.rule, noise.inputs(claim.delta if claim is not None and claim.delta else noise.delta))
        stated = Stated(
            Message("epsilon.consistency.against.one-run-noise"),
            "certificate",
            certificate.epsilon,
            certificate.inputs["delta"],
            rule=certificate.kind,
            why_not=Message("epsilon.consistency.why.no-finite-training") if certificate.epsilon is None else None,
        )
        found = _held(stated, seen, allowed, noise)
        yield Compared(found.rows, (certificate, *found.certificates))
    if claim is not None:
        why = None
        if certificate is not None and (certificate.epsilon is None or certificate.epsilon > claim.epsilon):
            counts = {"records": context.case.training_records, "trained": trained, "epsilon": certificate.epsilon}
            why = Message("epsilon.consistency.why.smaller-training", counts)
        stated = Stated(
            Message("epsilon.consistency.against.one-run-claim"), "claim", claim.epsilon, claim.delta, why_not=why, claim="dp"
        )
        yield _held(stated, seen, allowed, None)


def _at_this_number(allowed: Errors, seen: OneRun) -> Errors:
    """The part of both errors that the number of learned canaries has: its chance, rounded down."""
    ways = math.comb(seen.canaries, seen.forgotten)
    chance = math.exp(math.log(ways) - seen.canaries * math.log(2)) * (1 - 2.0**-40)
    return Errors(allowed.refutes * chance, allowed.opens * chance)


def _held(stated: Stated, seen: OneRun, allowed: Errors, noise: Noise | None) -> Compared:
    """Hold the bounds against one statement; where its δ is 0 there are two, of one count, and the higher one decides.

    Args:
        stated: The statement.
        seen: The counts.
        allowed: The errors, for this number of learned canaries.
        noise: Where the statement is about it, as a trade-off function of its own.
    """
    if stated.why_not is not None or stated.epsilon is None:
        return Compared((row(stated, (), reach=None),))
    epsilon, delta = stated.epsilon, stated.delta or 0.0

    lowers, certificates, reach = list[Lower](), list[Certificate](), 0.0
    for kind in _kinds(delta):
        own, null, most = (
            _of_guesses(kind, seen.guesses, right, seen.canaries, allowed.refutes, delta)
            for right in (seen.right_before, seen.right_retrained, seen.guesses)
        )
        weaker = _of_guesses(kind, seen.guesses, seen.right_before, seen.canaries, allowed.opens, delta)
        shown, suspected = (float(each.outputs["epsilon_lower"]) for each in (own, weaker))
        if noise is not None and kind == BY_TRADEOFF:
            shown, suspected = (
                max(bound, _of_noise(seen.guesses, seen.right_before, seen.canaries, error, noise, epsilon, delta))
                for bound, error in ((shown, allowed.refutes), (suspected, allowed.opens))
            )
        lowers.append(
            Lower(
                method=kind,
                title=Message(f"epsilon.consistency.method.{kind}"),
                epsilon=shown,
                confidence=1 - allowed.refutes,
                null=null.outputs["epsilon_lower"],
                suspected=suspected,
                suspected_confidence=1 - allowed.opens,
            )
        )
        certificates.append(own)
        reach = max(reach, shown, float(most.outputs["epsilon_lower"]))
    noticed = _noticed(seen.guesses, seen.canaries, epsilon, delta, allowed.opens)
    return Compared((row(stated, lowers, reach=reach, noticed=[noticed]),), tuple(certificates))


def _kinds(delta: float) -> tuple[str, ...]:
    """The rules that bound an ε at a δ."""
    return (BY_TRADEOFF,) if delta else (BY_TAIL, BY_TRADEOFF)


def _of_guesses(kind: str, guesses: int, right: int, coins: int, alpha: float, delta: float) -> Certificate:
    given = {"guesses": guesses, "correct": right, "alpha": alpha}
    return derive(kind, given if kind == BY_TAIL else {**given, "canaries": coins, "delta": delta})


@lru_cache(maxsize=64)
def _noticed(guesses: int, coins: int, epsilon: float, delta: float, alpha: float) -> float | None:
    """The ε from which on so many guesses would have noticed, of a training from which every coin is answered at random by it."""

    def enough(right: int) -> bool:
        found = (_of_guesses(kind, guesses, right, coins, alpha, delta) for kind in _kinds(delta))
        return any(each.outputs["epsilon_lower"] > epsilon for each in found)

    least = least_count(guesses, enough)
    if least is None:
        return None
    share = share_reaching(least, guesses)
    return max(epsilon, math.log(share) - math.log1p(-share)) if share < 1 else None


@lru_cache(maxsize=64)
def _of_noise(guesses: int, right: int, coins: int, alpha: float, noise: Noise, epsilon: float, delta: float) -> float:
    """The ε at δ of the least noise that the guesses refute, with the same steps; 0 where they do not refute what is declared."""

    def training(multiplier: float) -> SubsampledGaussian:
        return SubsampledGaussian(noise_multiplier=multiplier, sample_rate=noise.sample_rate, steps=noise.steps)

    def refuted(multiplier: float) -> bool:
        return refutes(training(multiplier), guesses, right, canaries=coins, alpha=alpha)

    least = noise.multiplier
    if not refuted(least):
        return 0.0
    for _ in range(_LOWERED):
        if not refuted(least * _LESS_NOISE):
            break
        least *= _LESS_NOISE
    # What is refuted is exceeded, if by no more than numbers can tell. The ε of a little more noise than the least, as one that
    # is rounded up would be no lower bound at the least.
    shown = loss_distribution.sampled_epsilon(training(least / _LESS_NOISE), delta) if least < noise.multiplier else epsilon
    return math.nextafter(max(epsilon, shown if math.isfinite(shown) else epsilon), math.inf)
