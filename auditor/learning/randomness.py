"""What certified removal draws: the random linear term of the loss, and the noise of a release. Their seeds are the secrets."""

from __future__ import annotations

import numpy as np

from auditor.base.records import Floats
from auditor.maths.certificates.perturbation import Distribution

_RELEASE = 1
"""Sets the stream of a release apart from that of a perturbation, both of which come from one seed."""


def perturbations(seed: int, classes: int, dimensions: int, *, sigma: float, distribution: Distribution = "gaussian") -> Floats:
    """Independent b_k of several classifiers, shape (classes, dimensions). One b for all would give no guarantee.

    Args:
        seed: The secret that the certificate rests on.
        classes: How many are drawn.
        dimensions: d.
        sigma: Gaussian: the standard deviation of each coordinate. Laplace: the scale of the norm, which is Gamma(d, σ).
        distribution: Which of the two.
    """
    rng = np.random.default_rng(seed)
    if distribution == "gaussian":
        return perturbation_of(rng, classes * dimensions, sigma=sigma).reshape(classes, dimensions)
    directions = rng.normal(size=(classes, dimensions))
    directions /= np.linalg.norm(directions, axis=1, keepdims=True)
    drawn: Floats = directions * rng.gamma(dimensions, sigma, size=(classes, 1))
    return drawn


def perturbation(seed: int, dimensions: int, *, sigma: float) -> Floats:
    """b ~ N(0, σ²I) of a single model, shape (d,)."""
    return perturbation_of(np.random.default_rng(seed), dimensions, sigma=sigma)


def perturbation_of(rng: np.random.Generator, dimensions: int, *, sigma: float) -> Floats:
    """N(0, σ²I), shape (d,)."""
    drawn: Floats = rng.normal(0.0, sigma, dimensions)
    return drawn


def release_noise(seed: int, dimensions: int, *, deviation: float) -> Floats:
    """N(0, s²I) for one release, shape (dimensions,), independent of the perturbation that the same seed draws.

    Args:
        seed: Of the update that the release follows, so that every release has noise of its own.
        dimensions: How many parameters are released.
        deviation: s, the standard deviation of each.
    """
    return perturbation_of(
        np.random.default_rng(np.random.SeedSequence(seed, spawn_key=(_RELEASE,))), dimensions, sigma=deviation
    )
