"""`epsilon.consistency`: lower bounds on ε that this run implies, against every ε that is claimed or certified.

observed    what each of three sources saw;  played: a game of the SWAP test, put together from what its own checks observed
contributors  what others bring;  derived: every comparison;  families: how those that may refute share the error
one_run     a single run in the place of the SWAP test
attacks     the SWAP test;  statements: each (ε, δ);  ceilings: the ε that an advantage shows of each kind of promise
tradeoff    the sharp ceiling of noisy gradient descent
requester   the games of an adaptive requester
chains      noisy gradient descent on worst-case neighbours;  counts: what counts say of a Rényi ε
power       what this run would have noticed
rows        a statement and what is held against it
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from auditor.base.domain import Fact, Message, Provenance, Status
from auditor.base.promises import Promise, Pure, SubsampledGaussian
from auditor.maths.certificates import dp_sgd, ftrl
from auditor.maths.statistics import POWER
from auditor.maths.tradeoff.promises import removal_budget
from auditor.parts.swap.cards import EPSILON_CONSISTENCY
from auditor.parts.swap.judging.epsilon_consistency import attacks, families, one_run
from auditor.parts.swap.judging.epsilon_consistency.contributors import Chains, Derived, Game, contributors
from auditor.parts.swap.judging.epsilon_consistency.observed import NEEDS, Observed, put_together, why_not_played
from auditor.parts.swap.judging.epsilon_consistency.power import NEAR
from auditor.parts.swap.judging.epsilon_consistency.rows import DATA_DELETION, Compared, Row
from auditor.parts.swap.judging.epsilon_consistency.statements import REMOVAL_BY_BOUNDS, REMOVAL_BY_CLAIM
from auditor.parts.swap.judging.game import QUICK, why_unplayable
from auditor.verdict.checks import guess_bounds
from auditor.verdict.checks.context import Context
from auditor.verdict.checks.definition import Definition
from auditor.verdict.checks.finding import Earlier, Finding
from auditor.verdict.checks.levels import Level, spent
from auditor.verdict.decisions import decide_at_most
from auditor.verdict.guarantees import fact

CARD: Final = EPSILON_CONSISTENCY

__all__ = ["CARD", "CHECK", "Derived", "Game", "Observed", "examined_claims", "judge"]


def judge(context: Context, observed: Observed, earlier: Earlier) -> Finding:
    """Hold what each source reached against every statement that it can refute: none may fall."""
    played = put_together(context, observed.swap, earlier)
    own = None if played is None else attacks.compare(context, played)
    if (single := one_run.seen_in(earlier)) is not None:
        own = one_run.compare(context, single)
    game, ran, further = _further(context, observed)
    attacked = () if own is None else own.rows
    rows = (*attacked, *further.rows)
    derived = Derived(
        confidence=1 - families.errors(context).refutes if attacked else None,
        correction=_correction(context) if attacked else None,
        comparisons=rows,
        chains=ran,
        game=game,
        suspected_confidence=1 - families.errors(context).opens if attacked else None,
    )
    certificates = (*(() if own is None else own.certificates), *further.certificates)
    gaps = [each.gap for each in rows if each.gap is not None]
    if not gaps:
        return Finding(
            status=Status.SKIPPED,
            reasons=tuple(_not_compared(context, earlier, own, further)),
            derived=derived if rows or game is not None else None,
            certificates=certificates,
        )
    nothing, untested = tuple(_nothing(context, rows)), tuple(_untested(context, rows))
    left_open = () if context.quick else tuple(_left_open(rows))
    status = _status(context, max(gaps), nothing=bool(nothing or left_open), untested=bool(untested))
    return Finding(
        status=status,
        value=max(gaps),
        threshold=0.0,
        reasons=(*_compared(context, max(gaps), rows), *left_open, *_powers(context, rows), *nothing, *untested),
        derived=derived,
        facts=() if context.quick else tuple(_facts(rows)),
        certificates=certificates,
    )


def _correction(context: Context) -> Message:
    shared = {"families": len(families.families(context)), "tests": attacks.tests(context)}
    return Message("epsilon.consistency.correction", {**shared, "error": attacks.error(context)})


def _status(context: Context, gap: float, *, nothing: bool, untested: bool) -> Status:
    """A refutation fails, and a finding that is too weak for one leaves open.

    A claim that was not tested is no pass: it decides nothing unless the policy lists the check.
    """
    refuted = decide_at_most(gap, 0.0) is Status.FAIL
    if context.quick or (nothing and not refuted):
        return Status.INCONCLUSIVE
    if refuted:
        return Status.FAIL
    if untested:
        return Status.INCONCLUSIVE if CARD.id in (context.policy.required or ()) else Status.SKIPPED
    return Status.PASS


def examined_claims(finding: Finding) -> frozenset[str]:
    """Keys of [claims] that a lower bound was held against which could have refuted something near them."""
    rows = finding.derived.comparisons if isinstance(finding.derived, Derived) else ()
    return frozenset(each.claim for each in rows if each.tested and each.claim is not None)


def _stated_claims(context: Context) -> dict[str, float]:
    """The ε of every claim that has one, by its key in [claims]."""
    claims = context.claims
    found = {"certified_removal": claims.certified_removal, "dp": claims.dp, DATA_DELETION: claims.data_deletion}
    return {name: claim.epsilon for name, claim in found.items() if claim is not None}


def _left_open(rows: tuple[Row, ...]) -> Iterator[Message]:
    """Which statements lie below a bound that is too weak to refute them, and what would decide."""
    for each in rows:
        if each.left_open:
            by = max(each.lower, key=lambda lower: lower.suspected or 0.0)
            given = {"against": each.against, "epsilon": each.epsilon, "by": by.title, "suspected": by.suspected}
            unit = "games" if each.test == "requester" else "pairs"
            yield Message("epsilon.consistency.left-open", {**given, "enough": each.enough, "unit": unit})


def _stated(context: Context, rows: tuple[Row, ...]) -> Iterator[tuple[str | None, float, list[Row]]]:
    """What has to be tested: every claim of an ε, with what covers it, or without a claim what is certified, one by one."""
    claims = _stated_claims(context)
    yield from ((name, epsilon, [each for each in rows if each.claim == name]) for name, epsilon in claims.items())
    if not claims:
        yield from ((None, each.epsilon, [each]) for each in rows if each.epsilon is not None)


def _untested(context: Context, rows: tuple[Row, ...]) -> Iterator[Message]:
    """Why a statement was not tested; nothing where all of them were, or where one is refuted."""
    if any(each.refuted for each in rows):
        return
    for name, epsilon, own in _stated(context, rows):
        if any(each.tested or each.left_open for each in own):
            continue
        if any(each.compared for each in own):
            yield _noticed("epsilon.consistency.not-tested", name, epsilon, own)
        elif name is not None:
            # Where nothing covers a claim at all, no test of it was played.
            why = next((each.why for each in own if each.why is not None), Message("epsilon.consistency.why.not-played"))
            yield Message("epsilon.consistency.not-compared", {"claim": name, "epsilon": epsilon, "why": why})


def _powers(context: Context, rows: tuple[Row, ...]) -> Iterator[Message]:
    """What would have been noticed of each statement that was tested and stands."""
    for name, epsilon, own in _stated(context, rows):
        tested = [each for each in own if each.tested]
        if tested and not any(each.refuted or each.left_open for each in own):
            yield _noticed("epsilon.consistency.power", name, epsilon, tested)


def _noticed(code: str, claim: str | None, epsilon: float, rows: list[Row]) -> Message:
    noticed = min((each.noticed for each in rows if each.noticed is not None), default=None)
    return Message(code, {"claim": claim, "epsilon": epsilon, "noticed": noticed, "power": POWER, "near": NEAR})


def _further(context: Context, observed: Observed) -> tuple[Game | None, Chains | None, Compared]:
    """What games and chains say beyond the SWAP test; nothing of either where neither has a statement to be held against."""
    brought = [each.compare(context, observed) for each in contributors(context.version)]
    game = next((each.game for each in brought if each.game is not None), None)
    rows = tuple(row for each in brought for row in each.compared.rows)
    if not rows:
        return game, None, Compared()
    ran = next((each.chains for each in brought if each.chains is not None), None)
    return game, ran, Compared(rows, tuple(found for each in brought for found in each.compared.certificates))


def _not_compared(context: Context, earlier: Earlier, own: Compared | None, further: Compared) -> Iterator[Message]:
    if own is not None:
        yield Message("epsilon.consistency.nothing-stated", {"rows": _whys(own.rows)})
    elif not context.classifies:
        yield Message("swap.regression")
    elif (cause := why_not_played(earlier)) is not None:
        yield Message("swap.no-bounds", {"why": why_unplayable(cause, context)})
    else:
        yield from earlier[NEEDS[0]].reasons
    if further.rows:
        yield Message("epsilon.consistency.nothing-further", {"rows": _whys(further.rows)})


def _nothing(context: Context, rows: tuple[Row, ...]) -> Iterator[Message]:
    """Why a claim that was compared promises nothing: that no attack refutes it is then no evidence for it."""
    claims, records = context.claims, context.case.training_records
    compared = {each.claim for each in rows if each.compared}
    for name, claim, most in (
        ("certified_removal", claims.certified_removal, guess_bounds.MOST_OF_A_DELETION),
        ("dp", claims.dp, guess_bounds.MOST_OF_A_RECORD),
    ):
        if claim is not None and name in compared:
            kept = _kept(context, name, claim.epsilon, claim.delta)
            yield from guess_bounds.empty(claim.epsilon, claim.delta, records=records, most=most, beyond=kept)
    if claims.data_deletion is not None and DATA_DELETION in compared:
        yield from guess_bounds.empty_renyi(claims.data_deletion.q, claims.data_deletion.epsilon)


def _kept(context: Context, claim: str, epsilon: float, delta: float) -> Promise | None:
    """What keeps to a claim promises by its mechanism; None where no more is known than ε and δ."""
    noise, removal = context.procedure.noise_of_training(context.case.training_records), context.procedure.removal
    if claim == "dp":
        if noise is None or not noise.multiplier:
            return None
        return SubsampledGaussian(noise_multiplier=noise.multiplier, sample_rate=noise.sample_rate, steps=noise.steps)
    if removal is None or removal.extractor is not None or not (removal.sigma or removal.release_noise):
        return None
    if not removal.sigma or removal.perturbation == "gaussian":
        return removal_budget(epsilon, delta)
    return None if removal.release_noise else Pure(epsilon=epsilon)


def _whys(rows: tuple[Row, ...]) -> list[dict[str, Message | None]]:
    return [{"against": each.against, "why": each.why} for each in rows]


def _compared(context: Context, gap: float, rows: tuple[Row, ...]) -> Iterator[Message]:
    yield Message("epsilon.consistency.compared", {"statements": sum(each.compared for each in rows)})
    if context.quick:
        yield QUICK
    else:
        yield Message("epsilon.consistency.refuted" if gap > 0 else "epsilon.consistency.none-above")


_OF_TRAINING: Final = frozenset(each.kind for each in (*dp_sgd.RULES, *ftrl.RULES))
"""Rules of what the noise of a training costs."""


def _facts(rows: tuple[Row, ...]) -> Iterator[Fact]:
    """Whether certified removal, the noise of private training and data deletion hold against this run's attacks."""
    removal = [each for each in rows if each.compared and each.against.code in {REMOVAL_BY_BOUNDS, REMOVAL_BY_CLAIM}]
    if any(each.refuted for each in removal):
        yield fact("unrefuted", Provenance.REFUTED, Message("fact.unrefuted.refuted"))
    elif any(each.tested for each in removal) and not any(each.left_open for each in removal):
        yield fact("unrefuted", Provenance.MEASURED, Message("fact.unrefuted.compared"))
    if any(each.refuted and each.rule in _OF_TRAINING for each in rows):
        yield fact("dp-per-subject", Provenance.REFUTED, Message("fact.dp-per-subject.refuted"))
    if any(each.refuted and each.test is not None for each in rows):
        yield fact("deletion-unrefuted", Provenance.REFUTED, Message("fact.deletion-unrefuted.refuted"))


def _wanted(context: Context) -> bool:
    """Whether an ε is stated, and some game of the run can be set against it."""
    procedure = context.procedure
    stated = _stated_claims(context) or procedure.removal or procedure.descent
    private = procedure.noise_of_training(context.case.training_records)
    played = context.classifies or context.requester is not None or procedure.descent is not None
    return played and (bool(stated) or private is not None)


def _levels(context: Context, _observed: Observed, finding: Finding) -> tuple[Level, ...]:
    """Declare what all families spend together; nothing where nothing was compared."""
    derived = finding.derived
    if context.quick or not isinstance(derived, Derived) or not any(each.compared for each in derived.comparisons):
        return ()
    return spent(families.REFUTES), spent(families.OPENS)


CHECK = Definition(
    CARD,
    Observed,
    judge,
    wanted=_wanted,
    examined_claims=lambda _context, findings: examined_claims(findings[CARD.id]),
    derived=(Derived,),
    levels=_levels,
)
