"""Lower bounds on ε that the attacks of the SWAP test imply, against every (ε, δ) that is claimed or certified.

A claim promises that the unlearned model is close to one that never saw F, all of F at once, so it limits how well any adversary
can tell F from T (Tu, Hu and Ma, Theorem 3.6, and the ceilings that `ceilings` reads off what is promised). An adversary
that does better than the limit, by more than chance explains, refutes the claim.

Three tests examine what is stated of models after unlearning: the attacks on single records, the adversary that sees whole sets,
and the joint guesses at one model's members; the first two what is stated of models before it. Each is fixed beforehand and has a
part of the errors that the SWAP test has of its own (`families`). Refutations come from exact tests: counts of the last two, and
from `MEANS_REFUTE` pairs on the mean of the first by a limit that holds at every size. With fewer pairs it leaves open only.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Final, TypeAlias

from auditor.base.domain import Certificate, Message
from auditor.maths.certificates import derive
from auditor.maths.statistics import MEANS_REFUTE, advantage_lower, advantage_suspected, named_sides_lower
from auditor.parts.swap.judging.epsilon_consistency import ceilings, families, power
from auditor.parts.swap.judging.epsilon_consistency.contributors import Enough, Limit, contributors
from auditor.parts.swap.judging.epsilon_consistency.families import Errors
from auditor.parts.swap.judging.epsilon_consistency.observed import Guessed, Played, Reached
from auditor.parts.swap.judging.epsilon_consistency.rows import Compared, Lower, Row, row
from auditor.parts.swap.judging.epsilon_consistency.statements import Upper, certified, uppers
from auditor.verdict.checks.context import Context

Pair: TypeAlias = tuple[float, float]
"""The limit that refutes, and the one that leaves open."""

SINGLE: Final = Message("epsilon.consistency.method.single")
WHOLE_SET: Final = Message("epsilon.consistency.method.whole-set")
_OF_SINGLE: Final = 2
"""Parts of the error of leaving open that the attacks on single records have: the signs of ten pairs can use no less."""


@dataclass(frozen=True, slots=True)
class Spent:
    """What each test may do to what holds."""

    single: Errors
    whole_set: Errors
    joint: Errors
    """The joint guess at one model's members."""


def stages(context: Context) -> tuple[bool, bool]:
    """Say whether anything is stated of models after unlearning, and of models before it."""
    claims, procedure = context.claims, context.procedure
    unlearned = bool(claims.certified_removal or procedure.removal or procedure.descent)
    trained = claims.dp is not None or procedure.noise_of_training(context.case.training_records) is not None
    return unlearned or not trained, trained


def tests(context: Context) -> int:
    """Count the tests that may refute what is declared: at least one."""
    unlearned, trained = stages(context)
    if context.swap.mode == "one-run":
        return unlearned + trained
    single = means_refute(context)
    return unlearned * (2 + single) + trained * (1 + single)


def means_refute(context: Context) -> bool:
    """Say whether there are pairs enough for means of them to refute anything."""
    return context.swap.pairs >= MEANS_REFUTE


def spent(context: Context) -> Spent:
    """Share what the SWAP test may do to what holds among its tests."""
    unlearned, trained = stages(context)
    parts = unlearned * (_OF_SINGLE + 2) + trained * (_OF_SINGLE + 1)
    exact = families.errors(context).part(tests(context), of_open=parts)
    single = Errors(exact.refutes if means_refute(context) else 0.0, exact.opens * _OF_SINGLE)
    return Spent(single, exact, exact)


def error(context: Context) -> float:
    """Give the error that each of the tests that may refute has."""
    return families.errors(context).refutes / tests(context)


def compare(context: Context, game: Played) -> Compared:
    """Hold every lower bound of a game against every upper one."""
    shares = spent(context)
    known = certified(context, game)
    rows: list[Row] = []
    certificates = [*known.all]
    for upper in uppers(context, game, known):
        if upper.stated.why_not is not None or upper.stated.epsilon is None:
            rows.append(row(upper.stated, (), reach=None))
            continue
        ceiling = ceilings.certificate(upper.promise)
        certificates += [] if ceiling is None else [ceiling]
        found = tuple(_lower(upper, game, shares))
        certificates += [certificate for _, certificate in found]
        rows.append(
            row(
                upper.stated,
                [lower for lower, _ in found],
                reach=_reach(upper, game, shares),
                noticed=_noticed(upper, upper.stated.epsilon, game, shares),
                enough=partial(_enough(context, upper.reached), _shown(upper)),
            )
        )
    models = game.procedure.models
    most = named_sides_lower(models, models, alpha=shares.whole_set.refutes)
    limits = (
        _limit("swap", SINGLE, _single(game.procedure, game, shares.single), shares.single, most),
        _limit("whole-set", WHOLE_SET, _whole_set(game.procedure, shares.whole_set), shares.whole_set, most),
    )
    for each in contributors(context.version):
        further = each.ceiling(context, game, limits, _enough(context, game.procedure))
        rows += further.rows
        certificates += further.certificates
    return Compared(tuple(rows), tuple(certificates))


def _limit(method: str, title: Message, reached: Pair, allowed: Errors, most: float) -> Limit:
    return Limit(
        method,
        title,
        advantage=reached[0],
        confidence=allowed.confidence,
        decides=allowed.refutes > 0,
        suspected=reached[1],
        suspected_confidence=1 - allowed.opens,
        most=most,
    )


def _enough(context: Context, reached: Reached) -> Enough:
    unlearned, trained = stages(context)
    # With that many pairs single records may refute too: every test then has a smaller part.
    each = families.errors(context).refutes / (3 * unlearned + 2 * trained)
    return lambda shown, epsilon: power.pairs_that_refute(reached, shown, epsilon, alpha=each)


def _single(reached: Reached, game: Played, allowed: Errors) -> Pair:
    """The limits on the advantage of the best attack on single records. Few pairs refute nothing: the second stands for both."""
    suspected = advantage_suspected(
        reached.advantages, alpha=allowed.opens, decisions=game.decisions, identical=reached.identical
    )
    return advantage_lower(reached.advantages, alpha=allowed.refutes) if allowed.refutes else suspected, suspected


def _whole_set(reached: Reached, allowed: Errors) -> Pair:
    """The same of the adversary that sees whole sets."""
    first, second = (named_sides_lower(reached.named, reached.models, alpha=each) for each in (allowed.refutes, allowed.opens))
    return first, second


def _lower(upper: Upper, game: Played, shares: Spent) -> Iterator[tuple[Lower, Certificate]]:
    """Each lower bound, with the certificate that derives it."""
    both, shown = (upper.reached, game.retrained), _shown(upper)
    for method, title, allowed, limits in (
        ("swap", SINGLE, shares.single, [_single(each, game, shares.single) for each in both]),
        ("whole-set", WHOLE_SET, shares.whole_set, [_whole_set(each, shares.whole_set) for each in both]),
    ):
        own, null = (ceilings.of_advantage(first, upper.delta) for first, _ in limits)
        bounds = [shown(each) for each in (limits[0][0], limits[0][1], limits[1][0])]
        yield _held(method, title, bounds, allowed), own
        if method == "swap":
            words, printed = Message("epsilon.consistency.method.single-as-printed"), "paper_epsilon_lower"
            lower = _held("swap-paper", words, [own.outputs[printed], None, null.outputs[printed]], allowed)
            yield lower.model_copy(update={"decides": False, "suspected_confidence": None}), own
    if upper.joint and shares.joint.opens > upper.delta:
        yield _joint(upper, game, shares.joint)


def _joint(upper: Upper, game: Played, allowed: Errors) -> tuple[Lower, Certificate]:
    """The bound by the joint guess. Where the statement's δ leaves no error to refute with, it leaves open only."""
    used = allowed if allowed.refutes > upper.delta else Errors(0.0, allowed.opens)

    def derived(guessed: Guessed, alpha: float) -> Certificate:
        # Where no couple was told apart, one guess that was wrong: a bound of 0.
        given = {"guesses": max(1, guessed.guesses), "correct": guessed.right, "alpha": alpha, "delta": upper.delta}
        return derive("one-run", given)

    suspected = derived(upper.reached.guessed, used.opens)
    own, null = (derived(each.guessed, used.refutes or used.opens) for each in (upper.reached, game.retrained))
    words = Message("epsilon.consistency.method.joint-guess")
    return _held("one-run", words, [each.outputs["epsilon_lower"] for each in (own, suspected, null)], used), own


def _held(method: str, title: Message, bounds: Sequence[float | None], allowed: Errors) -> Lower:
    """Put together what a method shows: its bound, the one that leaves open, and the same between retrained models."""
    own, suspected, null = bounds
    if own is None:
        raise AssertionError("no bound is read off a quality of 0")
    return Lower(
        method=method,
        title=title,
        epsilon=own,
        confidence=allowed.confidence,
        null=null,
        decides=allowed.refutes > 0,
        suspected=suspected,
        suspected_confidence=1 - allowed.opens,
    )


def _shown(upper: Upper) -> Callable[[float], float]:
    """Give the ε that an advantage shows."""
    promise, delta, epsilon = upper.promise, upper.delta, upper.stated.epsilon or 0.0
    return lambda advantage: ceilings.shown(promise, advantage, delta, epsilon=epsilon)


def _reach(upper: Upper, game: Played, shares: Spent) -> float:
    """The largest ε that this run could have refuted: with every model's side named and every member guessed right."""
    models, alpha = upper.reached.models, shares.joint.refutes
    reached = [_shown(upper)(named_sides_lower(models, models, alpha=shares.whole_set.refutes))]
    if upper.joint and alpha > upper.delta:
        given = {"guesses": game.forgotten, "correct": game.forgotten, "alpha": alpha, "delta": upper.delta}
        reached.append(derive("one-run", given).outputs["epsilon_lower"])
    return max(reached)


def _noticed(upper: Upper, epsilon: float, game: Played, shares: Spent) -> Iterator[float | None]:
    """The ε that each test would have noticed."""
    stated = upper.stated.epsilon or 0.0
    yield power.by_advantage(
        epsilon,
        upper.reached,
        _shown(upper),
        alpha=shares.whole_set.opens,
        alpha_single=shares.single.opens,
        decisions=game.decisions,
        exceeds=lambda advantage: ceilings.exceeds(upper.promise, advantage, upper.delta, stated, than=epsilon),
    )
    if upper.joint and shares.joint.opens > upper.delta:
        yield power.by_guesses(epsilon, game.forgotten, alpha=shares.joint.opens, delta=upper.delta)
