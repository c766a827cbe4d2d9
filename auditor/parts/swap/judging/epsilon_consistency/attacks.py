"""Lower bounds on ε that the attacks of the SWAP test imply, against every (ε, δ) that is claimed or certified.

A claim promises that the unlearned model is close to one that never saw F, all of F at once, so it limits how well any adversary
can tell F from T (Tu, Hu and Ma, Theorem 3.6, and the sharp and Gaussian ceilings that the rule `swap` derives). An adversary
that does better than the limit, by more than chance explains, refutes the claim.

Three tests may refute what is stated of models after unlearning: the attacks on single records, the adversary that sees whole
sets, and the joint guesses at one model's members. The first two may refute what is stated of models before it. Each is fixed
beforehand and has an equal part of the error that the SWAP test has of its own (`families`).
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from functools import lru_cache
from typing import Final

from auditor.base.domain import Certificate, Message
from auditor.maths.certificates import derive
from auditor.maths.statistics import advantage_lower, named_sides_lower
from auditor.parts.swap.judging.epsilon_consistency import families, power
from auditor.parts.swap.judging.epsilon_consistency.contributors import Limit, contributors
from auditor.parts.swap.judging.epsilon_consistency.observed import Played, Reached
from auditor.parts.swap.judging.epsilon_consistency.rows import Compared, Lower, Row, row
from auditor.parts.swap.judging.epsilon_consistency.statements import Upper, certified, uppers
from auditor.verdict.checks.context import Context

OF_UNLEARNED: Final = 3
"""Tests of models after unlearning."""
OF_TRAINED: Final = 2
"""Tests of models before it."""
SINGLE: Final = Message("epsilon.consistency.method.single")
WHOLE_SET: Final = Message("epsilon.consistency.method.whole-set")
_ROUNDING: Final = 1e-12


def tests(context: Context) -> int:
    """Count the tests that what is declared may set against a statement: at least one."""
    if context.swap.mode == "one-run":
        return 1
    claims, procedure = context.claims, context.procedure
    unlearned = bool(claims.certified_removal or procedure.removal or procedure.descent)
    trained = claims.dp is not None or procedure.noise_of_training(context.case.training_records) is not None
    return OF_UNLEARNED * unlearned + OF_TRAINED * trained or OF_UNLEARNED


def error(context: Context) -> float:
    """The error that each of the tests may have."""
    return families.error(context, context.swap.confidence) / tests(context)


def compare(context: Context, game: Played) -> Compared:
    """Hold every lower bound of a game against every upper one."""
    alpha = error(context)
    known = certified(context, game)
    rows: list[Row] = []
    certificates = [*known.all]
    for upper in uppers(context, game, known):
        if upper.stated.why_not is not None or upper.stated.epsilon is None:
            rows.append(row(upper.stated, (), reach=None))
            continue
        certificates.append(derive("swap", {"epsilon": upper.stated.epsilon, "delta": upper.delta}))
        found = tuple(_lower(upper, game, alpha))
        certificates += [certificate for _, certificate in found]
        lowers, noticed = [lower for lower, _ in found], _noticed(upper, upper.stated.epsilon, game, alpha)
        rows.append(row(upper.stated, lowers, reach=_reach(upper, game, alpha), noticed=noticed))
    models = game.procedure.models
    most = named_sides_lower(models, models, alpha=alpha)
    limits = (
        Limit("swap", SINGLE, _single(game.procedure, game, alpha), most),
        Limit("whole-set", WHOLE_SET, _whole_set(game.procedure, alpha), most),
    )
    for each in contributors(context.version):
        ceiling = each.ceiling(context, game, limits, 1 - alpha)
        rows += ceiling.rows
        certificates += ceiling.certificates
    return Compared(tuple(rows), tuple(certificates))


def _single(reached: Reached, game: Played, alpha: float) -> float:
    """The limit on the advantage of the best attack on single records."""
    return advantage_lower(reached.advantages, alpha=alpha, decisions=game.decisions, identical=reached.identical)


def _whole_set(reached: Reached, alpha: float) -> float:
    """The limit on the advantage of the adversary that sees whole sets."""
    return named_sides_lower(reached.named, reached.models, alpha=alpha)


def _lower(upper: Upper, game: Played, alpha: float) -> Iterator[tuple[Lower, Certificate]]:
    """Each lower bound, with the certificate that derives it."""
    confidence, sharp = 1 - alpha, "gaussian_epsilon_lower" if upper.gaussian else "epsilon_lower"
    both = (upper.reached, game.retrained)
    for method, title, limits in (
        ("swap", SINGLE, [_single(each, game, alpha) for each in both]),
        ("whole-set", WHOLE_SET, [_whole_set(each, alpha) for each in both]),
    ):
        certificate, alongside = (_from_advantage(each, upper.delta) for each in limits)
        yield _held(method, title, sharp, certificate, alongside, confidence), certificate
        if method == "swap":
            words, printed = Message("epsilon.consistency.method.single-as-printed"), "paper_epsilon_lower"
            lower = _held("swap-paper", words, printed, certificate, alongside, confidence)
            yield lower.model_copy(update={"decides": False}), certificate
    if upper.joint and alpha > upper.delta:
        # Where no couple was told apart, one guess that was wrong: a bound of 0.
        certificate, alongside = (
            derive("one-run", {"guesses": max(1, each.guesses), "correct": each.right, "alpha": alpha, "delta": upper.delta})
            for each in (upper.reached.guessed, game.retrained.guessed)
        )
        words = Message("epsilon.consistency.method.joint-guess")
        yield _held("one-run", words, "epsilon_lower", certificate, alongside, confidence), certificate


def _held(method: str, title: Message, key: str, found: Certificate, null: Certificate, confidence: float) -> Lower:
    return Lower(method=method, title=title, epsilon=found.outputs[key], confidence=confidence, null=null.outputs[key])


def _reach(upper: Upper, game: Played, alpha: float) -> float:
    """The largest ε that this run could have refuted: with every model's side named and every member guessed right."""
    models = upper.reached.models
    named = _from_advantage(named_sides_lower(models, models, alpha=alpha), upper.delta)
    reached = [named.outputs["gaussian_epsilon_lower" if upper.gaussian else "epsilon_lower"]]
    if upper.joint and alpha > upper.delta:
        given = {"guesses": game.forgotten, "correct": game.forgotten, "alpha": alpha, "delta": upper.delta}
        reached.append(derive("one-run", given).outputs["epsilon_lower"])
    return max(float(value) for value in reached if value is not None)


def _noticed(upper: Upper, epsilon: float, game: Played, alpha: float) -> Iterator[float | None]:
    """The ε that each test would have noticed."""
    sharp = "gaussian_epsilon_lower" if upper.gaussian else "epsilon_lower"

    def shown(advantage: float) -> float:
        found = _from_advantage(advantage, upper.delta).outputs[sharp]
        return math.inf if found is None else float(found)

    yield power.by_advantage(epsilon, upper.reached, shown, alpha=alpha, decisions=game.decisions)
    if upper.joint and alpha > upper.delta:
        yield power.by_guesses(epsilon, game.forgotten, alpha=alpha, delta=upper.delta)


# Judges ask again and again: under the case's policy and the default one, and halving their way to a boundary.
@lru_cache(maxsize=4096)
def _from_advantage(advantage: float, delta: float) -> Certificate:
    # Up by a rounding error, and never 0: a quality that is too high makes the bound on ε too low, which refutes nothing by
    # mistake, while no finite bound can be read off a quality of 0.
    return derive("swap", {"quality": min(1.0, max(_ROUNDING, (1.0 - advantage) * (1 + _ROUNDING))), "delta": delta})
