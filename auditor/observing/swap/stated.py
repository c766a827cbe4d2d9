"""Who states an ε from above: the claims of a case, and the certificates of what its game trained and removed.

Differential privacy speaks of one person; the rule `group` states it for all that the game forgets at once.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from auditor.case import Case
from auditor.certificates import derive
from auditor.checks import training_privacy
from auditor.domain import Certificate
from auditor.observing.swap.drawing import Game
from auditor.observing.swap.scoring import Attacked
from auditor.settings.certified_removal import CertifiedRemoval


@dataclass(frozen=True, slots=True)
class Upper:
    """An ε from above, and whether this run can speak to it."""

    against: str
    source: str
    """claim or certificate."""
    epsilon: float | None
    delta: float
    attacked: Attacked
    """The models that it speaks of."""
    why_not: str | None = None
    """Why nothing of this run can be held against it; None where it can."""
    gaussian: bool = False
    """Whether it is a statement about a Gaussian shift, to which the Gaussian ceiling applies."""
    claim: str | None = None
    """The key in [claims]; None for a certificate."""
    rule: str | None = None
    """The rule of the certificate; None for a claim."""
    joint: bool = True
    """Whether it speaks of all of F at once by itself, and not through a group bound."""


def removal_certificate(case: Case, game: Game, bound: float | None) -> Certificate | None:
    """What the largest residual of the game's own removals spends of a budget; None where no bound or no δ is known.

    Args:
        case: The case, with its claim of certified removal and its procedure.
        game: What was drawn.
        bound: The largest certified bound on the residual over the game's removals, where there is one.
    """
    claim, own = case.settings.claims.certified_removal, case.settings.procedure
    if not isinstance(own, CertifiedRemoval) or bound is None:
        return None
    delta = next((d for d in (claim.delta if claim else None, own.delta) if d), None)
    if delta is None:
        return None
    if own.release_noise:
        rows = [min(len(pair.retained) for pair in game.pairs)]
        given = {"l2": own.l2, "rows": rows, "release_noise": own.release_noise, "residual": bound}
        return derive("output-noise", given | {"delta": delta})
    goal = own.epsilon if own.epsilon is not None else (claim.epsilon if claim else 1.0)
    given = {"epsilon": goal, "sigma": own.sigma, "beta": bound}
    laplace = own.perturbation == "laplace"
    return derive("removal-budget-laplace", given) if laplace else derive("removal-budget", given | {"delta": delta})


def training_certificate(case: Case, game: Game) -> Certificate | None:
    """What the noise of the game's own trainings is worth, at the claimed δ; None where they are not private."""
    noise, claim = case.settings.procedure.noise_of_training(_trained(game)), case.settings.claims.dp
    if noise is None:
        return None
    return training_privacy.certify(noise, claim.delta if claim is not None and claim.delta else noise.delta)


def uppers(
    case: Case,
    game: Game,
    unlearned: Attacked,
    learned: Attacked,
    spent: Certificate | None,
    training: Certificate | None,
) -> Iterator[Upper]:
    """Every ε that the case claims or the game's certificates give, also where nothing of this run can be held against it.

    Args:
        case: The case, with its claims.
        game: What was drawn.
        unlearned: Attacks on the procedure's models.
        learned: Attacks on the models before unlearning, of which differential privacy speaks.
        spent: What `removal_certificate` gave.
        training: What `training_certificate` gave.
    """
    claims, procedure = case.settings.claims, case.settings.procedure
    claim = claims.certified_removal
    own = procedure if isinstance(procedure, CertifiedRemoval) else None
    certified: float | None = None
    if spent is not None:
        certified = spent.outputs.get("epsilon_spent")
        why = None if certified is not None else "no finite ε: the game's removals leave too much against σ"
        yield Upper(
            "certified removal, as the residual bounds of the game's own removals have it",
            "certificate",
            certified,
            spent.inputs.get("delta", 0.0),
            unlearned,
            why,
            gaussian="delta" in spent.inputs,
        )
    if claim is not None:
        why = None
        if own is not None and own.unlearn == "newton" and (certified is None or certified > claim.epsilon):
            why = (
                f"the claim speaks of the log's removals; the game removes {game.forgotten} of "
                f"{len(game.target) - game.forgotten} records at once, for which the bounds themselves promise "
                + (f"ε = {certified:.4g} only" if certified is not None else "no finite ε")
            )
        yield Upper("claimed certified removal", "claim", claim.epsilon, claim.delta, unlearned, why, claim="certified_removal")
    if training is not None:
        yield _for_all(
            f"differential privacy of the game's trainings, for {game.forgotten} people at once and the model before unlearning",
            training.epsilon,
            training.inputs["delta"],
            game,
            learned,
            rule=training.kind,
        )
    if claims.dp is not None:
        why = None
        if training is not None and (training.epsilon is None or training.epsilon > claims.dp.epsilon):
            why = (
                f"the claim speaks of {len(case.train)} records; the game trains on {_trained(game)}, for which noise promises "
                + (f"ε = {training.epsilon:.4g} only" if training.epsilon is not None else "no finite ε")
            )
        yield _for_all(
            f"claimed differential privacy, for {game.forgotten} people at once and the model before unlearning",
            claims.dp.epsilon,
            claims.dp.delta,
            game,
            learned,
            why,
            claim="dp",
        )
    if claims.data_deletion is not None:
        why = "it speaks of one person in Rényi divergence, and the game forgets many at once"
        yield Upper("claimed data deletion", "claim", claims.data_deletion.epsilon, 0.0, unlearned, why, claim="data_deletion")


def _for_all(
    against: str,
    epsilon: float | None,
    delta: float,
    game: Game,
    learned: Attacked,
    why: str | None = None,
    *,
    claim: str | None = None,
    rule: str | None = None,
) -> Upper:
    """Differential privacy for one person, as it holds for all that the game forgets."""
    group = derive("group", {"epsilon": epsilon, "delta": delta, "size": game.forgotten}) if epsilon is not None else None
    together, group_delta = (group.outputs["epsilon"], group.outputs["delta"]) if group is not None else (None, None)
    if why is None and (together is None or group_delta is None or group_delta >= 0.5):
        why = f"for so many people at once the {'claim' if claim else 'noise'} says nothing"
    return Upper(
        against,
        "claim" if claim else "certificate",
        together,
        group_delta if group_delta is not None else 1.0,
        learned,
        why,
        claim=claim,
        rule=rule,
        joint=False,
    )


def _trained(game: Game) -> int:
    """How many records each model of the game is trained on."""
    return len(game.target) - game.forgotten
