"""What the built-in procedures carry from one update to the next, by construction: read off their code, not measured.

Released is what `parameters` gives, or, of an estimator, the fitted estimator. An update of ours is a function of the model that
it is given, the records and the seed; the procedure object keeps hyperparameters alone. What is to be said is therefore which
parts of the model an update reads beyond what is released.
"""

from __future__ import annotations

from dataclasses import dataclass

from auditor.case import Case
from auditor.settings.certified_removal import CertifiedRemoval
from auditor.settings.learning import Sklearn
from auditor.settings.networks import Torch
from auditor.settings.noisy_gd import NoisyGd


@dataclass(frozen=True, slots=True)
class Carried:
    """What an update reads of an earlier one."""

    beyond: tuple[str, ...]
    """What it reads beyond the released model, by name; it stays secret, and depends on the data."""
    words: str
    """What is carried, as a sentence."""
    in_part: str | None = None
    """What it reads of the model that a release may show no more than a part of, by name; None where there is no such thing."""


def carried(case: Case) -> Carried | None:
    """What the procedure of a case carries; None for one that runs code of the controller's, which has to be tried."""
    procedure = case.settings.procedure
    if procedure.foreign:
        return None
    match procedure:
        case NoisyGd():
            return Carried((), "An update starts from the released parameters and reads nothing else.")
        case Sklearn():
            read = "trains anew and reads nothing" if procedure.unlearn == "retrain" else "hands the fitted estimator on"
            return Carried((), f"An update {read}.")
        case Torch():
            return _of_networks(procedure)
        case CertifiedRemoval():
            return _of_removal(procedure)
        case _:
            return None


def _of_networks(procedure: Torch) -> Carried:
    if procedure.unlearn == "sisa":
        return Carried(
            (),
            "An update carries on the model of every shard that it does not train anew. Whether all of these are released, or "
            "only what they say on average, the case does not tell.",
            in_part="the model of every shard",
        )
    read = "trains anew and reads nothing" if procedure.unlearn == "retrain" else "starts from the released parameters alone"
    return Carried((), f"An update {read}.")


def _of_removal(procedure: CertifiedRemoval) -> Carried:
    if procedure.unlearn == "retrain":
        return Carried((), "An update trains anew and reads nothing of the model but which labels there are.")
    beyond: list[str] = []
    if procedure.release_noise:
        beyond += ["the weights without the noise of their release", "the perturbation b of the loss"]
    if procedure.retrain_at_budget:
        beyond.append("β, what the removals so far have spent of the budget")
    if not beyond:
        return Carried((), "An update starts from the released weights; β is passed on beside them and read by no update.")
    return Carried(tuple(beyond), f"An update reads, beside the released model, {' and '.join(beyond)}.")
