"""Say whether a claim or a certificate covers models before unlearning, so that a game has to attack them too."""

from __future__ import annotations

from auditor.case import Case


def claims_training(case: Case) -> bool:
    """Whether private training is claimed, or done by a procedure of ours: what its promise covers is what was learned."""
    settings = case.settings
    return settings.claims.dp is not None or settings.procedure.noise_of_training(len(case.train)) is not None
