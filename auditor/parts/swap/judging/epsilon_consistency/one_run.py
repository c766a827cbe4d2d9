"""The lower bound on ε that one run with coin-flip canaries implies, against a claim about removing the whole set at once."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from auditor.base.domain import Certificate, Message
from auditor.maths.certificates import derive
from auditor.maths.statistics import guessing_noticed
from auditor.parts.swap.judging import quality
from auditor.parts.swap.judging.epsilon_consistency import families, power
from auditor.parts.swap.judging.epsilon_consistency.rows import DATA_DELETION, Compared, Lower, Row, Stated, row
from auditor.parts.swap.judging.epsilon_consistency.statements import REMOVAL_BY_CLAIM
from auditor.parts.swap.judging.game import LEAST_CANARIES, canaries, guessed, unplayable
from auditor.parts.swap.judging.one_run import OneRun
from auditor.settings.tables import SwapTable
from auditor.verdict.checks.context import Context
from auditor.verdict.checks.differences import Foretold
from auditor.verdict.checks.finding import Earlier

_METHOD: Final = Message("epsilon.consistency.method.joint-guess")


def seen_in(earlier: Earlier) -> OneRun | None:
    """What a single run showed; None where none was asked for."""
    found = earlier[quality.CARD.id].observed
    return found.one_run if isinstance(found, quality.Observed) else None


def foretell(context: Context) -> Foretold:
    """Work out what the single run of a case can refute at best, from what is declared alone."""
    records, alpha, claim = context.case.training_records, context.swap.alpha, context.claims.certified_removal
    count, error = canaries(records, alpha), families.error(context, context.swap.confidence)
    guesses, delta = guessed(count), 0.0 if claim is None else claim.delta
    claimed = None if claim is None else claim.epsilon
    if count < LEAST_CANARIES:
        why = unplayable("few-canaries", records=records, alpha=alpha)
        return Foretold(count, guesses, why, None, delta, error, None, claimed, None)
    epsilon = _derived(guesses, guesses, error=error, delta=delta).outputs["epsilon_lower"]
    noticed = guessing_noticed(guesses, confidence=min(context.swap.confidence, SwapTable().confidence))
    needed = None
    if claimed is not None and epsilon is not None:
        needed = power.by_guesses(claimed, guesses, alpha=error, delta=delta)
    return Foretold(count, guesses, None, epsilon, delta, error, noticed, claimed, needed)


def _derived(guesses: int, right: int, *, error: float, delta: float) -> Certificate:
    return derive("one-run", {"guesses": guesses, "correct": right, "alpha": error, "delta": delta})


def compare(context: Context, seen: OneRun) -> Compared:
    """Hold the bound against a claim of certified removal; other claims are about one person, of whom one run says nothing."""
    rows, certificates = list[Row](), list[Certificate]()
    claim = context.claims.certified_removal
    alpha = families.error(context, context.swap.confidence)
    if claim is not None:
        against = Message(REMOVAL_BY_CLAIM)
        if alpha <= claim.delta:
            why = Message("epsilon.consistency.why.one-run-delta", {"delta": claim.delta, "error": alpha})
            stated = Stated(against, "claim", claim.epsilon, claim.delta, why_not=why, claim="certified_removal")
            rows.append(row(stated, (), reach=None))
        else:
            stated = Stated(against, "claim", claim.epsilon, claim.delta, claim="certified_removal")
            own, null, most = (
                _derived(seen.guesses, right, error=alpha, delta=claim.delta)
                for right in (seen.right, seen.right_retrained, seen.guesses)
            )
            lower = Lower(
                method="one-run",
                title=_METHOD,
                epsilon=own.outputs["epsilon_lower"],
                confidence=1 - alpha,
                null=null.outputs["epsilon_lower"],
            )
            noticed = power.by_guesses(claim.epsilon, seen.guesses, alpha=alpha, delta=claim.delta)
            rows.append(row(stated, [lower], reach=most.outputs["epsilon_lower"], noticed=[noticed]))
            certificates.append(own)
    rows += _of_one_person(context)
    return Compared(tuple(rows), tuple(certificates))


def _of_one_person(context: Context) -> Iterator[Row]:
    claims, why = context.claims, Message("epsilon.consistency.why.one-run")
    if claims.dp is not None:
        against = Message("epsilon.consistency.against.training-claim", {"people": 1})
        yield row(Stated(against, "claim", claims.dp.epsilon, claims.dp.delta, why_not=why, claim="dp"), (), reach=None)
    if claims.data_deletion is not None:
        against = Message("epsilon.consistency.against.deletion-claim")
        stated = Stated(against, "claim", claims.data_deletion.epsilon, 0.0, why_not=why, claim=DATA_DELETION)
        yield row(stated, (), reach=None)
