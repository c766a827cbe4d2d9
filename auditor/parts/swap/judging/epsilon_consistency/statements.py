"""Who states an (ε, δ) as an upper bound: the claims of a case, and the certificates of what its SWAP game trained and removed.

Differential privacy covers one person. For all that the game forgets at once its noise promises what `group` of the maths reads
off the mechanism; of a claim no more than ε and δ is known, which the rule `group` states for all of them.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any, Final

from auditor.base.domain import Certificate, Message
from auditor.base.promises import Approximate, Gaussian, Promise, SubsampledGaussian
from auditor.maths.certificates import derive
from auditor.maths.tradeoff import reading
from auditor.maths.tradeoff.promises import gaussian_shift
from auditor.parts.swap.judging.epsilon_consistency import ceilings
from auditor.parts.swap.judging.epsilon_consistency.observed import Played, Reached
from auditor.parts.swap.judging.epsilon_consistency.rows import DATA_DELETION, Stated
from auditor.settings.builtin import Noise
from auditor.verdict.checks.context import Context

REMOVAL_BY_BOUNDS: Final = "epsilon.consistency.against.removal-bounds"
REMOVAL_BY_CLAIM: Final = "epsilon.consistency.against.removal-claim"


@dataclass(frozen=True, slots=True)
class Upper:
    """A stated (ε, δ), and the models that it covers."""

    stated: Stated
    delta: float
    reached: Reached
    """By the attacks on the models that it covers."""
    by_mechanism: Promise | None = None
    """What it promises of all that the game forgets by its mechanism; None where ε and δ are all that is known."""
    joint: bool = True
    """Whether it covers all of F at once by itself, and not through a group bound."""

    @property
    def promise(self) -> Promise:
        """What is held against: by its mechanism, or its ε and δ."""
        return self.by_mechanism or Approximate(epsilon=self.stated.epsilon or 0.0, delta=self.delta)


@dataclass(frozen=True, slots=True)
class Certified:
    """What the game's own removals and trainings are certified at; None where nothing is."""

    removal: Certificate | None
    training: Certificate | None

    @property
    def all(self) -> tuple[Certificate, ...]:
        """Those that there are."""
        return tuple(each for each in (self.removal, self.training) if each is not None)


def certified(context: Context, game: Played) -> Certified:
    """The certificates of a game."""
    return Certified(_of_removals(context, game), _of_trainings(context, game))


def _of_removals(context: Context, game: Played) -> Certificate | None:
    """What the largest residual of the game's removals spends of a budget; None where no bound or no δ is known."""
    claim, own, bound = context.claims.certified_removal, context.procedure.removal, game.residual_bound
    if own is None or bound is None:
        return None
    delta = next((each for each in (claim.delta if claim else None, own.delta) if each), None)
    if delta is None:
        return None
    if own.release_noise:
        given: dict[str, Any] = {"l2": own.l2, "rows": [game.trained - game.forgotten], "release_noise": own.release_noise}
        return derive("output-noise", given | {"residual": bound, "delta": delta})
    goal = own.epsilon if own.epsilon is not None else (claim.epsilon if claim else 1.0)
    given = {"epsilon": goal, "sigma": own.sigma, "beta": bound}
    laplace = own.perturbation == "laplace"
    return derive("removal-budget-laplace", given) if laplace else derive("removal-budget", given | {"delta": delta})


def _of_trainings(context: Context, game: Played) -> Certificate | None:
    """What the noise of the game's trainings is worth, at the claimed δ; None where they are not private."""
    noise, claim = context.procedure.noise_of_training(game.trained), context.claims.dp
    if noise is None:
        return None
    return derive(noise.rule, noise.inputs(claim.delta if claim is not None and claim.delta else noise.delta))


def uppers(context: Context, game: Played, known: Certified) -> Iterator[Upper]:
    """Every ε that the case claims or the game's certificates give, also where nothing of this run can be held against it."""
    yield from _removals(context, game, known.removal)
    yield from _trainings(context, game, known.training)
    if context.claims.data_deletion is not None:
        why = Message("epsilon.consistency.why.renyi-of-one")
        against = Message("epsilon.consistency.against.deletion-claim")
        epsilon = context.claims.data_deletion.epsilon
        stated = Stated(against, "claim", epsilon, 0.0, why_not=why, claim=DATA_DELETION)
        yield Upper(stated, 0.0, game.procedure)


def _removals(context: Context, game: Played, spent: Certificate | None) -> Iterator[Upper]:
    claim, own = context.claims.certified_removal, context.procedure.removal
    epsilon: float | None = None
    if spent is not None:
        epsilon, delta = spent.outputs.get("epsilon_spent"), spent.inputs.get("delta", 0.0)
        why = None if epsilon is not None else Message("epsilon.consistency.why.no-finite-removal")
        stated = Stated(Message(REMOVAL_BY_BOUNDS), "certificate", epsilon, delta, why_not=why)
        yield Upper(stated, delta, game.procedure, by_mechanism=_shift(spent) if epsilon is not None else None)
    if claim is not None:
        why = None
        if own is not None and own.unlearn == "newton" and (epsilon is None or epsilon > claim.epsilon):
            counts = {"forgotten": game.forgotten, "records": game.trained, "epsilon": epsilon}
            why = Message("epsilon.consistency.why.larger-removal", counts)
        against = Message(REMOVAL_BY_CLAIM)
        stated = Stated(against, "claim", claim.epsilon, claim.delta, why_not=why, claim="certified_removal")
        yield Upper(stated, claim.delta, game.procedure)


def _shift(spent: Certificate) -> Promise | None:
    """The Gaussian shift that a residual bound leaves; None of Laplace noise, of which pure ε is proved."""
    if "delta" not in spent.inputs:
        return None
    mu = spent.outputs.get("mu")
    return gaussian_shift(spent.inputs["beta"], spent.inputs["sigma"]) if mu is None else Gaussian(mu=mu)


def _trainings(context: Context, game: Played, training: Certificate | None) -> Iterator[Upper]:
    claim, people = context.claims.dp, {"people": game.forgotten}
    noise = context.procedure.noise_of_training(game.trained)
    if training is not None and noise is not None:
        against = Message("epsilon.consistency.against.training-noise", people)
        yield _by_noise(Stated(against, "certificate", training.epsilon, rule=training.kind), noise, training, game)
    if claim is not None:
        why = None
        if training is not None and (training.epsilon is None or training.epsilon > claim.epsilon):
            counts = {"records": context.case.training_records, "trained": game.trained, "epsilon": training.epsilon}
            why = Message("epsilon.consistency.why.smaller-training", counts)
        against = Message("epsilon.consistency.against.training-claim", people)
        yield _for_all(Stated(against, "claim", claim.epsilon, why_not=why, claim="dp"), claim.delta, game)


def _by_noise(one: Stated, noise: Noise, training: Certificate, game: Played) -> Upper:
    """The noise of the game's trainings, as it covers all that the game forgets: read off the distribution of their group."""
    delta, silent = training.inputs["delta"], Message("epsilon.consistency.why.too-many-people", {"source": one.source})
    if game.learned is None:
        raise TypeError("private training is certified, and the models before unlearning were not attacked")
    nothing = Upper(replace(one, epsilon=None, delta=delta, why_not=silent), delta, game.learned, joint=False)
    if one.epsilon is None:
        return nothing
    promise = SubsampledGaussian(
        noise_multiplier=noise.multiplier, sample_rate=noise.sample_rate, steps=noise.steps, group=game.forgotten
    )
    epsilon = reading.epsilon_at(promise, delta)
    if not math.isfinite(epsilon) or reading.swap_ceiling(promise) >= ceilings.MOST:
        return nothing
    return Upper(replace(one, epsilon=epsilon, delta=delta), delta, game.learned, by_mechanism=promise, joint=False)


def _for_all(one: Stated, delta: float, game: Played) -> Upper:
    """Differential privacy for one person, of which ε and δ alone are known, as it holds for all that the game forgets."""
    given = {"epsilon": one.epsilon, "delta": delta, "size": game.forgotten}
    group = derive("group", given).outputs if one.epsilon is not None else {}
    epsilon, together = group.get("epsilon"), group.get("delta")
    why = one.why_not
    if why is None and (epsilon is None or together is None or together >= 0.5):
        why = Message("epsilon.consistency.why.too-many-people", {"source": one.source})
    at = 1.0 if together is None else together
    stated = Stated(one.against, one.source, epsilon, at, why_not=why, claim=one.claim, rule=one.rule)
    if game.learned is None:
        raise TypeError("private training is claimed, and the models before unlearning were not attacked")
    return Upper(stated, at, game.learned, joint=False)
