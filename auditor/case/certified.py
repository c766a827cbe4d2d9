"""The table of the built-in procedure `certified-removal`."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BeforeValidator, Field

from auditor.case.problems import show, unknown
from auditor.case.uses import USE, Procedure
from auditor.case.values import Inside, NonNegative, Positive, Seed, wrong


def _audited(name: str, audited: str, documented: tuple[str, ...], misspelt: tuple[str, ...]) -> BeforeValidator:
    def check(value: object) -> object:
        if value == audited:
            return value
        if value in documented:
            raise wrong(
                f'"{audited}", the only {name} that this version audits', f"{show(value)}, documented but not audited yet"
            )
        if isinstance(value, str):
            raise wrong(*unknown(name, value, misspelt))
        raise wrong(f'"{audited}"', show(value))

    return BeforeValidator(check)


def _no_release_noise(value: object) -> object:
    if isinstance(value, (int, float)) and not isinstance(value, bool) and value > 0:
        raise wrong("0: this version audits releases without output noise only", show(value))
    return value


class CertifiedRemoval(Procedure):
    """The built-in procedure `certified-removal`: loss perturbation and Newton removal (Guo et al. 2020)."""

    use: Annotated[Literal["certified-removal"], USE] = "certified-removal"
    loss: Annotated[Literal["logistic"], _audited("loss", "logistic", ("least-squares",), ("logistic", "least-squares"))] = (
        "logistic"
    )
    l2: Positive
    """The L2 coefficient lambda; the objective adds (l2 n / 2) times the squared norm."""
    sigma: Positive
    """Standard deviation of each component of the random linear term b."""
    perturbation: Annotated[Literal["gaussian"], _audited("perturbation", "gaussian", ("laplace",), ("gaussian", "laplace"))] = (
        "gaussian"
    )
    epsilon: NonNegative | None = None
    delta: Inside | None = None
    tolerance: Positive = 1e-8
    """Largest gradient norm, of the sum objective, at which the optimiser stops."""
    unlearn: Literal["newton", "retrain"] = "newton"
    release_noise: Annotated[float, BeforeValidator(_no_release_noise), Field(ge=0, le=0)] = 0.0
    retrain_at_budget: bool = False
    """Whether the procedure retrains at a batch that would overrun the removal budget."""
    seed: Seed
    """A secret; learn gets seed, the k-th batch seed + k."""
