"""Lower bounds on ε: mechanisms of known ε, each drawn many times, and how often a bound exceeds what it bounds.

One draw throws a coin for each canary and adds noise to it: of one run of a mechanism of sensitivity 1 in each coordinate, or of
as many runs of a mechanism on one record. All tools get the same scores.
"""

from __future__ import annotations

import math
import time
from collections.abc import Collection
from typing import Any, Final

import numpy as np

from auditor.base.records import Floats
from auditor.maths.certificates import gaussian
from auditor.parts.swap.judging.game import guessed
from auditor.parts.swap.rules import one_run_privacy
from auditor.parts.swap.rules.swap import gaussian_epsilon_lower
from benchmarks.peers import environments
from benchmarks.peers.sizes import SEED, Sizes

ALPHA: Final = 0.05
DELTA: Final = 1e-5
MECHANISMS: Final = {
    "Gaussian": gaussian.epsilon(DELTA, 1.0),
    "Laplace": 1 + 2 * math.log1p(-DELTA),
    "nothing": 0.0,
}
"""ε at `DELTA` of noise with standard deviation 1, of Laplace noise of scale 1 (δ(ε) = 1 − e^((ε − 1)/2)), and of noise alone."""


def draws(sizes: Sizes) -> tuple[np.ndarray, dict[str, Floats]]:
    """Coins, shape (draws, canaries), and the scores of every mechanism."""
    rng = np.random.default_rng([SEED, 2])
    shape = (sizes.bounds, sizes.canaries)
    coins = rng.random(shape) < 0.5
    scores = {
        "Gaussian": coins + rng.normal(size=shape),
        "Laplace": coins + rng.laplace(size=shape),
        "nothing": rng.normal(size=shape),
    }
    return coins, scores


def measure(sizes: Sizes, usable: Collection[str]) -> dict[str, Any]:
    """Bound every draw by every method."""
    coins, scores = draws(sizes)
    found: dict[str, Any] = {
        "alpha": ALPHA,
        "delta": DELTA,
        "draws": sizes.bounds,
        "canaries": sizes.canaries,
        "true": MECHANISMS,
        "auditor": {name: _own(coins, each) for name, each in scores.items()},
    }
    if "jax_privacy" in usable:
        settings = {"mechanisms": list(scores), "alpha": ALPHA, "delta": DELTA}
        found["jax_privacy"] = environments.ask("jax_privacy", "jax_bounds", {"coins": coins, **scores}, **settings)
    return found


def right_guesses(scores: Floats, coins: np.ndarray) -> tuple[int, int]:
    """Guesses and right ones by the rule of audits: the eighth with the highest scores was in, that with the lowest was out."""
    half = guessed(len(scores)) // 2
    order = np.argsort(scores, kind="stable")
    return 2 * half, int(coins[order[-half:]].sum() + (~coins[order[:half]]).sum())


def _own(coins: np.ndarray, scores: Floats) -> dict[str, Any]:
    found: dict[str, Any] = {
        name: {"bounds": [], "seconds": []} for name in ("one-run-dp", "one-run-fdp", "one-run-fdp, Gaussian")
    }

    def note(name: str, bound: float, began: float) -> None:
        found[name]["bounds"].append(bound)
        found[name]["seconds"].append(time.perf_counter() - began)

    for own, coin in zip(scores, coins, strict=True):
        guesses, right = right_guesses(own, coin)
        began = time.perf_counter()
        note("one-run-dp", one_run_privacy.privacy_lower(guesses, right, alpha=ALPHA), began)
        given = {"canaries": len(own), "alpha": ALPHA}
        began = time.perf_counter()
        note("one-run-fdp", one_run_privacy.closeness_lower(guesses, right, delta=DELTA, **given), began)
        began = time.perf_counter()
        mu = one_run_privacy.shift_lower(guesses, right, **given)
        note("one-run-fdp, Gaussian", gaussian_epsilon_lower(mu, DELTA), began)
    return found
