"""Rechecks the numbers of an evidence.json with nothing of the program that wrote it: Python, NumPy and SciPy.

    python recheck_minimal.py evidence.json

Written a second time from the papers' formulas, by other numerical routes: sums, powers and logarithms in 100-digit decimals,
the Gaussian mechanism by quadrature and root finding, exact intervals by root finding on sums of binomial probabilities.

It rederives the certificates of the kinds in `RULES` from their inputs, the link from a residual chain to its removal budget,
Gaussian promises, the intervals that checks state from counts, due dates of requests, and verdict and exit code from statuses,
required checks, claims and the ways in which a controller's own code may pass; a check that passes must not exceed its
threshold. It names what else follows, which it takes as stated as it does inputs, values and statuses of checks, what was
observed and what is declared.
Exit code: 0 all agree and nothing was left out, 1 something differs, 2 unreadable, 3 nothing differs and something was left out.

What a number may be off by depends on the side on which it is safe:
  upper bounds (epsilon, delta, mu, residual bounds, upper confidence limits) are rounded up on purpose: they may be stated
    larger than derived by 1e-6 of the derived number, which may exceed them by 1e-9 of itself, no more;
  lower bounds (budgets, the mu that an (epsilon, delta) allows, lower confidence limits): the same with sides exchanged;
  everything else may be off by 1e-9 of itself either way.
On top comes an absolute 1e-12 where a root may lie near 0 (epsilon at a delta; 2 low - 1), else 1e-300.
"""

from __future__ import annotations

import inspect
import itertools
import json
import math
import re
import sys
from calendar import monthrange
from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import date, datetime, timedelta
from decimal import MAX_EMAX, MIN_EMIN, Context, Decimal, DivisionByZero, InvalidOperation, localcontext
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

try:
    import numpy as np
    from scipy.integrate import quad
    from scipy.optimize import brentq
    from scipy.special import gammaln, log_ndtr, logsumexp, ndtri
except ImportError as lacking:
    raise SystemExit(print(f"recheck_minimal.py needs NumPy and SciPy: pip install scipy ({lacking})", file=sys.stderr) or 2)  # noqa: B904

D = Decimal
GENEROUS, UNSAFE, TINY, NEAR_ZERO = D("1e-6"), D("1e-9"), D("1e-300"), D("1e-12")
FITS = 1 + UNSAFE  # Norms that were measured in floating point may break an inequality by this factor.
LARGEST, MOST_GAMES, ONE = D(sys.float_info.max), 10**6, D(1)
DECIMALS = Context(prec=100, Emax=MAX_EMAX, Emin=MIN_EMIN, traps=[DivisionByZero, InvalidOperation])  # Too large is infinity.


class Number(NamedTuple):
    """What was derived, None where there is none, and what may be stated below and above it."""

    value: Any
    below: D = UNSAFE
    above: D = UNSAFE
    absolute: D = TINY


root = partial(brentq, xtol=1e-300, rtol=4 * np.finfo(float).eps, maxiter=2000)
upper, lower = partial(Number, above=GENEROUS), partial(Number, below=GENEROUS)
Maybe, Derived, Series = D | None, dict[str, Number], list[D | None]


class PremiseError(Exception):
    """A premise fails: the certificate may state no number."""


def need(premise: str, holds: bool) -> None:
    """Refuse to derive a number where a premise fails."""
    if not holds:
        raise PremiseError(premise)


# The Gaussian mechanism (Balle and Wang 2018, Theorem 8).
def log_delta(epsilon: float, mu: float) -> float:
    """Take the logarithm of delta(epsilon; mu) = Phi(mu/2 - epsilon/mu) - e^epsilon Phi(-mu/2 - epsilon/mu), for mu > 0.

    The difference cancels. By parts it is int_0^inf mu e^(-mu s) Phi(-a - s) ds with a = epsilon/mu - mu/2, the probability
    that the privacy loss exceeds epsilon by an exponential variable; everything under the integral is positive.
    """
    a = float(D(epsilon) / D(mu) - D(mu) / 2)
    tail = float(log_ndtr(-a))
    if tail < -2000:  # An upper bound; no floating-point delta is so small.
        return max(tail, -1e300)
    # Beyond `end` one of the two factors has fallen to e^-45 of where it started.
    end = min(45 / mu, 90 / (a + math.sqrt(a * a + 90)) if a > 0 else math.sqrt(a * a + 90) - a)
    area, _ = quad(lambda s: math.exp(log_ndtr(-a - s) - tail - mu * s), 0, end, epsabs=0, epsrel=1e-11, limit=200)
    return tail + math.log(mu) + math.log(area)


def epsilon_at(delta: D, mu: D) -> Number:
    """Find the smallest epsilon >= 0 with delta(epsilon; mu) <= delta; None where no floating-point number is one."""
    if delta == 0 < mu or mu > D("1e150"):
        return upper(None)
    target, shift = float(delta.ln()), float(mu)
    if mu == 0 or delta >= 1 or log_delta(0, shift) <= target:
        return upper(D(0), absolute=NEAR_ZERO)
    # delta(epsilon; mu) <= Phi(mu/2 - epsilon/mu), so that it is small enough here.
    high = shift * (shift / 2 - float(ndtri(float(delta)))) * (1 + 1e-9) + 1e-300
    return upper(D(root(lambda epsilon: log_delta(epsilon, shift) - target, 0, high)), absolute=NEAR_ZERO)


def mu_at(epsilon: D, delta: D) -> D:
    """Find the largest mu with delta(epsilon; mu) <= delta; infinity where every mu has it."""
    if delta >= 1 or delta == 0:
        return D("inf") if delta else D(0)
    target, given = float(delta.ln()), float(epsilon)
    return D(root(lambda mu: log_delta(given, mu) - target, math.ulp(0), 2 * math.sqrt(2 * given) + 80))


def gaussian(epsilon: Maybe = None, delta: Maybe = None, mu: Maybe = None) -> Derived:
    """Derive the third of epsilon, delta and mu from two."""
    given = [value for value in (epsilon, delta, mu) if value is not None]
    need("two are given, none below 0, delta <= 1", len(given) == 2 and min(given) >= 0 and (delta or 0) <= 1)
    found = {"epsilon": Number(epsilon), "delta": Number(delta)}
    if delta is not None and mu is not None:
        found["epsilon"] = found["outputs.epsilon"] = epsilon_at(delta, mu)
    elif epsilon is not None and mu is not None:
        found["delta"] = found["outputs.delta"] = upper(D(log_delta(float(epsilon), float(mu))).exp() if mu else D(0))
    elif epsilon is not None and delta is not None:
        classical = epsilon / (2 * (D("1.5") / delta).ln()).sqrt() if delta else D(0)  # Guo et al. 2020, Theorem 3(ii)
        found |= {"outputs.mu": lower(mu_at(epsilon, delta)), "outputs.classical_mu": Number(classical)}
    return found


# Certified removal (Guo et al. 2020).
BETAS = {name: f"beta_{name.replace('-', '_')}" for name in ("worst-case", "as-printed", "online", "tightened", "measured")}
BETAS["local"] = "beta"  # The bound that decides.
CONSTANTS = ("l2", "lipschitz_printed", "lipschitz", "gradient_bound", "row_norm", "perturbation_norm")
SHARED = ("rows", "forgotten", "spectral_norm", "retrained")
NORMS = ("gradient_norm", "step_norm", "step_predictions_norm", "step_predictions_norm4", "local_curvature_norm")
LISTS = (*NORMS, "solver_error", "rounding_floor", "batch_leftover", "measured")


def spent(betas: Mapping[str, D]) -> tuple[Maybe, Derived]:
    """Take the residual that decides, and the bounds shown alongside, from the inputs of a budget."""
    beta, measured = betas.get("beta"), betas.get("beta_measured", D(0))
    need("beta >= 0, and the measured residual is at most beta", beta is None or (beta >= 0 and measured <= beta))
    others = {f"bounds.{bound}": Number(betas.get(name)) for bound, name in BETAS.items()}
    return beta, others if betas.keys() - {"beta"} else {}


def removal_budget(epsilon: D, delta: D, sigma: D, **betas: D) -> Derived:
    """With Gaussian b the densities differ by a shift beta: mu = beta/sigma (Theorem 3(ii) with the exact tail)."""
    need("epsilon >= 0, 0 < delta < 1, sigma > 0", epsilon >= 0 and 0 < delta < 1 and sigma > 0)
    beta, found = spent(betas)
    found |= {"epsilon": Number(epsilon), "delta": Number(delta), "outputs.classical_proved": Number(epsilon <= 1)}
    found["outputs.budget"] = lower(sigma * mu_at(epsilon, delta))
    found["outputs.classical_budget"] = Number(sigma * epsilon / (2 * (D("1.5") / delta).ln()).sqrt())
    if beta is not None:
        found["epsilon"] = found["outputs.epsilon_spent"] = epsilon_at(delta, beta / sigma)
    return found


def removal_budget_laplace(epsilon: D, sigma: D, **betas: D) -> Derived:
    """With b of density ~ exp(-||b||/sigma) the densities differ by at most exp(beta/sigma) (Theorem 3(i))."""
    need("epsilon >= 0, sigma > 0", epsilon >= 0 and sigma > 0)
    beta, found = spent(betas)
    found |= {"epsilon": Number(epsilon), "delta": Number(D(0)), "outputs.budget": lower(sigma * epsilon)}
    if beta is not None:
        found["epsilon"] = found["outputs.epsilon_spent"] = upper(beta / sigma)
    return found


def increments(fixed: Mapping[str, D], at: Mapping[str, D]) -> dict[str, D]:
    """Bound what one Newton step d can add to the residual, in five ways.

    With H d = Delta + e it adds e + int_0^1 (H(w + t d) - H(w)) d dt = e + X'r with |r_i| <= gamma_i v_i^2/2, v = X d. So:
    local ||X|| ||(gamma_i v_i^2)||/2; tightened, one gamma for all; online, |v_i| <= max ||x_i|| ||d||; as-printed, without the
    half (Corollaries 1, 2); worst-case gamma (n - m) ||d||^2 with lambda (n - m) ||d|| <= ||Delta|| + ||e||, where
    lambda n w = g - b - sum grad l gives ||Delta|| <= m (2C + (||b|| + ||g||)/n) (Theorems 1, 4, which leave b out).
    """
    left, spectral, v = at["rows"] - at["forgotten"], at["spectral_norm"], at["step_predictions_norm"]
    change = at["forgotten"] * (2 * fixed["gradient_bound"] + (fixed["perturbation_norm"] + at["gradient_norm"]) / at["rows"])
    found = {
        "worst-case": fixed["lipschitz_printed"] * left * ((change + at["solver_error"]) / (fixed["l2"] * left)) ** 2,
        "as-printed": fixed["lipschitz_printed"] * spectral * at["step_norm"] * v,
        "online": fixed["lipschitz"] * spectral * fixed["row_norm"] * at["step_norm"] * v / 2,
        "tightened": fixed["lipschitz"] * spectral * at["step_predictions_norm4"] / 2,
        "local": spectral * at["local_curvature_norm"] / 2,
    }
    return {name: value + at["solver_error"] + at["rounding_floor"] for name, value in found.items()}


def chain(fixed: Mapping[str, D], leftover: D, lists: Mapping[str, list[D]]) -> tuple[dict[str, Series], dict[str, Series], bool]:
    """Add increments up to betas, starting at what training or retraining left; say whether what was measured fits."""
    smallest = min([leftover, *fixed.values(), *itertools.chain.from_iterable(lists.values())])
    need("lambda > 0, nothing below 0", fixed["l2"] > 0 and smallest >= 0)
    need("lipschitz <= lipschitz_printed", fixed["lipschitz"] <= fixed["lipschitz_printed"])
    need("every list has one entry per batch", len({len(values) for values in lists.values()}) == 1)
    batches = [dict(zip(lists, entries, strict=True)) for entries in zip(*lists.values(), strict=True)]
    need("each batch leaves a record", all(1 <= at["forgotten"] < at["rows"] and at["retrained"] in {0, 1} for at in batches))
    need("each goes on from the last", all(b["rows"] == a["rows"] - a["forgotten"] for a, b in itertools.pairwise(batches)))
    steps: dict[str, Series] = {name: [] for name in BETAS if name != "measured"}
    betas: dict[str, Series] = {name: [leftover] for name in steps}
    credible = True
    for at in batches:
        before = betas["local"][-1]
        for name, step in increments(fixed, at).items():
            steps[name].append(None if at["retrained"] else step)
            betas[name].append(at["batch_leftover"] if at["retrained"] else (betas[name][-1] or 0) + step)
        v, fourth, left = at["step_predictions_norm"], at["step_predictions_norm4"], at["rows"] - at["forgotten"]
        one_step = ((v, at["spectral_norm"] * at["step_norm"]), (fourth, v * v), (v * v, left.sqrt() * fourth))
        credible &= bool(at["retrained"]) or all(norm <= other * FITS + TINY for norm, other in one_step)
        ends = ((at["gradient_norm"], before), (at["measured"], betas["local"][-1]))
        credible &= all(norm <= (beta or 0) * FITS + at["rounding_floor"] for norm, beta in ends)
    for name in ("worst-case", "as-printed") if fixed["row_norm"] > FITS else ():  # These two are for rows of norm at most 1.
        steps[name], betas[name] = [None] * len(steps[name]), [None] * len(betas[name])
    return steps, betas, credible


def worst(values: Series) -> Maybe:
    """Take the largest; None where one is missing, or all are."""
    found = [value for value in values if value is not None]
    return max(found) if found and len(found) == len(values) else None


def residual_chain(**given: Any) -> Derived:
    """Follow one chain for each class; independent Gaussians join by squares, densities exp(-||b_k||/sigma) by sums."""
    leftovers = given["leftovers"] if "classes" in given else [given["leftover"]]
    classes, sums, batches = len(leftovers), given.get("added", 1) == 1, len(given["rows"])
    need("classes >= 2, added is 0 or 1", classes == given.get("classes", 1) and given.get("added", 1) in {0, 1})
    need("one entry per batch (and class)", all(len(given[name]) == batches * classes for name in LISTS))
    every = [{name: given[name][k::classes] for name in LISTS} | {name: given[name] for name in SHARED} for k in range(classes)]
    fixed = {name: given[name] for name in CONSTANTS}
    chains = [chain(fixed, leftover, lists) for leftover, lists in zip(leftovers, every, strict=True)]

    def join(series: Iterable[Series]) -> Series:
        columns = [[value for value in column if value is not None] for column in zip(*series, strict=True)]
        totals = [sum(column, D(0)) if sums else sum((x * x for x in column), D(0)).sqrt() for column in columns]
        return [total if len(column) == classes else None for total, column in zip(totals, columns, strict=True)]

    found: Derived = {}
    for bound in chains[0][0]:
        betas = join(one[1][bound] for one in chains)
        found |= {f"outputs.betas.{bound}": upper(betas), f"bounds.{bound}": upper(worst(betas))}
        found[f"outputs.increments.{bound}"] = upper(join(one[0][bound] for one in chains))
    credible, measured = all(one[2] for one in chains), join(lists["measured"] for lists in every)
    found["outputs.beta"] = upper(found["bounds.local"].value if credible else None)
    found["bounds.measured"] = Number(worst([*measured, *join(lists["gradient_norm"] for lists in every)]))
    found |= {"outputs.measured": Number(measured), "conditions": Number(credible and fixed["row_norm"] <= FITS)}
    return found | ({"outputs.class_betas": upper([worst(one[1]["local"]) for one in chains])} if "classes" in given else {})


def output_noise(
    l2: D, rows: list[D], release_noise: D, delta: D, residual: Maybe = None, epsilon: Maybe = None, measured: Maybe = None
) -> Derived:
    """||w - w_r|| <= r/(lambda n') by strong convexity; k noised releases have mu = sqrt(sum (r/(lambda n_t s))^2)."""
    need("lambda > 0, s > 0, 0 < delta < 1", min(l2, release_noise) > 0 and 0 < delta < 1)
    need("records are left; residual or epsilon is given", min(rows, default=0) >= 1 and {residual, epsilon} != {None})
    need("residual, epsilon >= 0", min(residual or 0, epsilon or 0) >= 0)
    need("0 <= measured <= residual", residual is None or measured is None or 0 <= measured <= residual)
    unit = sum(((1 / (l2 * count * release_noise)) ** 2 for count in rows), D(0)).sqrt()
    found = {"epsilon": Number(epsilon), "delta": Number(delta)}
    if residual is not None:
        found["epsilon"] = found["outputs.epsilon_spent"] = epsilon_at(delta, residual * unit)
        found |= {"outputs.mu": upper(residual * unit), "outputs.distance": upper(residual / (l2 * min(rows)))}
    if epsilon is not None:
        found["outputs.residual_budget"] = lower(mu_at(epsilon, delta) / unit)
    return found | ({} if measured is None else {"bounds.worst-case": Number(residual), "bounds.measured": Number(measured)})


# Noisy gradient descent (Forget Unlearning; Bok, Su and Altschuler 2024), and groups.
def geometric(ratio: D, count: D) -> D:
    """Sum 1 + ratio + ... + ratio^(count - 1) by doubling: nothing cancels."""
    total, power = D(0), D(1)
    for bit in f"{int(count):b}":
        total, power = total * (1 + power), power * power
        if bit == "1":
            total, power = total * ratio + 1, power * ratio
    return total


def noisy_gd_convex(q: D, lipschitz: D, l2: D, smoothness: D, sigma2: D, n: D, steps: D) -> Derived:
    """epsilon_dp = 4qL^2/(lambda sigma^2 n^2), epsilon_dd = epsilon_dp e^(-K/(4 kappa)) (Theorem 5.1)."""
    need("q > 1, constants above 0", q > 1 and min(lipschitz, l2, smoothness, sigma2) > 0 and n >= 1 and steps >= 0)
    kappa, private = (l2 + smoothness) / l2, 4 * q * lipschitz**2 / (l2 * sigma2 * n**2)
    found = {"order": Number(q), "outputs.epsilon_dp": upper(private), "outputs.kappa": upper(kappa)}
    return found | dict.fromkeys(("epsilon", "outputs.epsilon_dd"), upper(private * (-steps / (4 * kappa)).exp()))


def noisy_gd_nonconvex(
    q: D, sigma2: D, bound_b: D, lipschitz: D, l2: D, smoothness: D, rate: D, d: D, n: D, r: D, learn_steps: D, unlearn_steps: D
) -> Derived:
    """Theorem 5.2: inequalities (18) and (19), solved for the smallest epsilons."""
    need("q, B > 1, constants above 0", min(q, bound_b) > 1 and min(sigma2, lipschitz, l2, smoothness, rate) > 0)
    need("counts in range", d >= 1 and 1 <= r <= n and min(learn_steps, unlearn_steps) >= 0)
    c, size = 2 * bound_b / (l2 * rate), bound_b.ln()
    gradients = q * lipschitz**2 * rate * max(learn_steps, unlearn_steps) / (sigma2 * n**2)
    deletion = max(64 * d * q * bound_b * (smoothness + l2) ** 2 * rate / l2, q * size * (-learn_steps / c).exp())
    need("(19): enough unlearning steps", deletion <= size * (((unlearn_steps - learn_steps) / c).exp() / 2 - r / n))
    need("max(epsilon_dp, epsilon_dd) < d", max(gradients, deletion) < d)
    found = {"order": Number(q), "outputs.epsilon_dp": upper(max(gradients, deletion))}
    return found | dict.fromkeys(("epsilon", "outputs.epsilon_dd"), upper(deletion))


def chains_apart(lipschitz: D, l2: D, smoothness: D, sigma2: D, rate: D, share: D, period: D, after: D, times: Maybe) -> Derived:
    """Evaluate shifted interpolation's bound on the quadratic that attains it.

    Two chains theta <- c theta + N(0, s^2) differ by A on one step of a period, T times, and not for K more: mean difference
    A c^K (1 + ... + c^(period (T-1))), variance s^2 (1 + c^2 + ...) from the first such step on. Without a T both go on for ever.
    """
    need("constants not below 0, noise and rate above", min(lipschitz, l2, smoothness) >= 0 and min(sigma2, rate) > 0)
    need("counts in range", min(after, times or 0) >= 0)
    c, variance = max(abs(1 - rate * l2), abs(1 - rate * (l2 + smoothness))), 2 * rate * sigma2
    need("no step moves two models apart; without T, each brings them together", c < 1 or (c == 1 and times is not None))
    left, ratio = rate * lipschitz * share * (c**after if after else 1), c**period
    if times is None:
        return {"outputs.mu": upper(left / (1 - ratio) * ((1 - c * c) / variance).sqrt())}
    spread = (variance * geometric(c * c, max(D(0), times - 1) * period + 1 + after)).sqrt()
    return {"outputs.mu": upper(left * geometric(ratio, times) / spread if times else D(0))}


def noisy_gd_gaussian(n: D, steps: D, learn_steps: Maybe = None, size: D = ONE, **descent: D) -> Derived:
    """A record in every step moves the mean gradient by at most 2L/n."""
    need("1 <= size <= n", 1 <= size <= n)
    return chains_apart(**descent, share=2 * size / n, period=ONE, after=steps, times=learn_steps)


def noisy_gd_batches(batch: D, batches: D, epochs: D, learn_epochs: Maybe = None, size: D = ONE, **descent: D) -> Derived:
    """A record in one of M batches, the last being the worst, is a term of at most L in its sum over b."""
    need("counts in range", min(batch, batches, epochs, size) >= 1)
    return chains_apart(**descent, share=size / batch, period=batches, after=epochs * batches, times=learn_epochs)


def adaptive(epsilon_dd: D, epsilon_dp: D, seen: D) -> Derived:
    """epsilon_dd + p epsilon_dp (Theorem 4.3)."""
    need("nothing below 0", min(epsilon_dd, epsilon_dp, seen) >= 0)
    return dict.fromkeys(("epsilon", "outputs.epsilon"), upper(epsilon_dd + seen * epsilon_dp))


def group(epsilon: D, delta: D, size: D) -> Derived:
    """k people: k epsilon and delta (1 + e^epsilon + ... + e^((k-1) epsilon)), one hop a person (Vadhan 2017, Lemma 2.2)."""
    need("epsilon >= 0, 0 <= delta <= 1, size >= 1", epsilon >= 0 and 0 <= delta <= 1 and size >= 1)
    found = {"epsilon": upper(size * epsilon)}
    found["delta"] = upper(min(D(1), delta * geometric(epsilon.exp(), size)) if delta else delta)
    return found | {f"outputs.{name}": number for name, number in found.items()}


# Reports on a stream, and models that learn from one (Cohen et al. 2023, Section 5; Kairouz et al. 2021, Theorem 5.1).
def moved(tree: bool, horizon: D) -> D:
    """Square how far one event moves all sums: levels of a tree, ceil(log2(T + 1)), or the sum of (C(2k, k)/4^k)^2 for k < T."""
    if tree:
        return D(int(horizon).bit_length())
    return sum((c * c for c in itertools.accumulate(range(1, int(horizon)), lambda c, k: c - c / (2 * k), initial=ONE)), D(0))


def counter(tree: bool, epsilon: D, delta: D, horizon: D) -> Derived:
    """Each sum takes sqrt(S)/mu, an answer is as noisy as sqrt(S) of them, with noise in the state too as sqrt(2) times that."""
    need(
        "epsilon >= 0, 0 <= delta <= 1, horizon in range",
        epsilon >= 0 and 0 <= delta <= 1 <= horizon and (tree or horizon <= 10**7),
    )
    length, mu = moved(tree, horizon).sqrt(), mu_at(epsilon, delta)
    if not mu:
        return {}  # No finite noise does.
    found = {"noise": length / mu, "release": length**2 / mu, "pan_private_release": D(2).sqrt() * length**2 / mu}
    found = {f"outputs.{'node' if tree and name == 'noise' else name}_sigma": upper(each) for name, each in found.items()}
    return found | ({} if tree else {"outputs.sensitivity": upper(length)})


def ftrl(
    tree: bool, noise_multiplier: D, horizon: D, delta: D, records: D = ONE, features: Maybe = None, norm: Maybe = None
) -> Derived:
    """Derive mu = k sqrt(S)/s, the noise r = sqrt(2 S) s of a release, and the least |h|^2/(2 eta T) + eta (1/2 + sqrt(d) r)."""
    need("noise above 0, 0 < delta < 1", noise_multiplier > 0 and 0 < delta < 1)
    need("counts in range", 1 <= records <= horizon <= (2**53 if tree else 10**7))
    need("features and norm together, above 0", (features is None) == (norm is None) and min(features or 1, norm or 1) > 0)
    length = moved(tree, horizon).sqrt()
    mu, release = records * length / noise_multiplier, D(2).sqrt() * length * noise_multiplier
    found = {"delta": Number(delta), "outputs.mu": upper(mu), "outputs.release_sigma": upper(release)}
    found["epsilon"] = found["outputs.epsilon"] = epsilon_at(delta, mu)
    if features is not None and norm is not None:
        each = 1 + 2 * features.sqrt() * release
        found["outputs.rate"], found["outputs.excess_loss"] = (
            Number(norm / (horizon * each).sqrt()),
            upper(norm * (each / horizon).sqrt()),
        )
    return found


REMOVAL = (gaussian, removal_budget, removal_budget_laplace, output_noise)
DELETION = (noisy_gd_convex, noisy_gd_nonconvex, noisy_gd_gaussian, noisy_gd_batches, adaptive, group)
RULES: dict[str, Callable[..., Derived]] = {rule.__name__.replace("_", "-"): rule for rule in (*REMOVAL, *DELETION)}
RULES |= {"removal-residual": residual_chain, "joint-residual": residual_chain}
RULES |= {f"{name}-counter": partial(counter, name == "tree") for name in ("tree", "square-root")}
RULES |= {f"ftrl-{name}": partial(ftrl, name == "tree") for name in ("tree", "square-root")}
FURTHER = {
    "descent": ("lipschitz", "l2", "smoothness", "sigma2", "rate"),
    "betas": BETAS.values(),
    "given": (*CONSTANTS, *SHARED, *LISTS, "leftover", "leftovers", "classes", "added"),
}
COUNTED = {"inference.difference": ("wins", "games"), "swap.strong": ("named", "models")}
AT_MOST = {"log.consistency", "log.deadlines", "data.erased", "removal.residual", "removal.budget", "removal.output-noise"}
AT_MOST |= {"deletion.renyi", "deletion.adaptive", "training.privacy"}
ALWAYS = {"log.consistency", "epsilon.consistency", "model.reproduced", "release.exact", "release.remembers"}


def clopper_pearson(wins: int, games: int, confidence: float) -> tuple[Number, Number]:
    """Find both ends (Clopper and Pearson 1934): each leaves (1 - confidence)/2 of the binomial distribution beyond it."""

    def low(hits: int) -> D:
        k = np.arange(hits, games + 1)
        ways = gammaln(games + 1) - gammaln(k + 1) - gammaln(games - k + 1) - math.log((1 - confidence) / 2)
        tail = lambda odds: logsumexp(ways - k * np.logaddexp(0, -odds) - (games - k) * np.logaddexp(0, odds))  # noqa: E731
        return 1 / (1 + D(-root(tail, -700, 700)).exp()) if hits else D(0)

    if not (0 <= wins <= games and 0 < confidence < 1):
        return Number(None), Number(None)
    return lower(low(wins)), upper(1 - low(games - wins))


# Comparing what is stated with what was derived.
def shown(value: Any) -> str:
    """Show a value in one short line, without anything that a terminal acts on."""
    text = "nothing" if value is None else f"{value:.12g}" if isinstance(value, D | float) else str(value)
    return "".join(c if c.isascii() and c.isprintable() else "?" for c in text[:80])


def same(stated: Any, number: Number) -> bool:
    """Say whether a statement is what was derived, but for rounding to its safe side."""
    derived = number.value
    if isinstance(derived, bool | str | list) or isinstance(stated, bool | str | list | dict):
        return type(stated) is type(derived) and bool(stated == derived)
    if derived is None or stated is None:
        return stated is None and (derived is None or abs(derived) > LARGEST)
    said, truth, size = D(stated), D(derived), abs(D(derived))
    return truth - number.below * size - number.absolute <= said <= truth + number.above * size + number.absolute


def differences(stated: Mapping[str, Any], derived: Derived) -> Iterator[str]:
    """Name each number that is stated otherwise, or stated and not derived."""
    for name in sorted(stated.keys() | derived.keys()):
        said, number = stated.get(name), derived.get(name, Number(None))
        if isinstance(said, list) and isinstance(number.value, list) and len(said) == len(number.value):
            entries = {f"{name}[{index}]": number._replace(value=value) for index, value in enumerate(number.value)}
            yield from differences(dict(zip(entries, said, strict=True)), entries)
        elif not same(said, number):
            yield f"{name} DIFFERS: stated {shown(said)}, derived {shown(number.value)}"


def decimal(value: Any, name: str) -> Any:
    """Read an input: a finite number, or a list of them."""
    if isinstance(value, list):
        return [decimal(each, name) for each in value]
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
        raise ValueError(f"input {name}")
    return D(value)


def derive(kind: str, inputs: Mapping[str, Any]) -> Derived:
    """Derive every number of a certificate; none where a premise fails."""
    names = inspect.signature(RULES[kind]).parameters if kind in RULES else ()
    unknown = inputs.keys() - {name for one in names for name in FURTHER.get(one, (one,))}
    if kind not in RULES or unknown:  # An input of another name may mean something else.
        raise NotImplementedError(f"with input {', '.join(sorted(unknown))}" if kind in RULES else "")
    try:
        given = {name: decimal(value, name) for name, value in inputs.items() if value is not None}
        return {"conditions": Number(True)} | RULES[kind](**given)
    except PremiseError:
        return {"conditions": Number(False)}


def certificates(evidence: Mapping[str, Any]) -> Iterator[str]:
    """Recheck each certificate, and the link from a chain to its budget."""
    bounds, budgets = dict[str, Number](), list[dict[str, Any]]()
    for index, certificate in enumerate(evidence["certificates"]):
        kind = certificate["kind"]
        try:
            derived = derive(kind, certificate["inputs"])
            stated = {name: certificate[name] for name in ("epsilon", "delta", "order")}
            stated |= {f"bounds.{bound['name']}": bound["value"] for bound in certificate["bounds"]}
            stated["conditions"] = all(condition["holds"] for condition in certificate["conditions"])
            for name, value in certificate["outputs"].items():
                inner = {f"outputs.{name}.{each}": it for each, it in value.items()} if isinstance(value, dict) else {}
                stated |= inner or ({f"outputs.{name}": value} if name != "reason" else {})
            lines = list(differences(stated, derived))
            if kind in {"removal-residual", "joint-residual"}:
                bounds = {name: derived.get(f"bounds.{bound}", Number(None)) for bound, name in BETAS.items()}
                bounds["beta"] = derived.get("outputs.beta", Number(None))
            elif kind.startswith("removal-budget"):
                budgets.append(certificate["inputs"])
        except NotImplementedError as left_out:
            yield f"certificates[{index}] not rechecked here: {shown(kind)} {shown(left_out)}".rstrip()
            continue
        except (KeyError, TypeError, ValueError, AttributeError, ArithmeticError) as problem:
            lines = [f"DIFFERS: stated what cannot be read: {shown(repr(problem))}"]
        yield from (f"certificates[{index}] {shown(kind)}: {line}" for line in lines or ["agrees"])
    if bounds and any(check["id"] == "removal.budget" and check["value"] is not None for check in evidence["checks"]):
        every = [[*differences({name: inputs.get(name) for name in bounds}, bounds)] for inputs in budgets]
        closest = min(every, key=len, default=["DIFFERS: stated none"])
        yield from (f"budget of the residual chain: {line}" for line in closest or ["agrees"])


def curves(evidence: Mapping[str, Any]) -> Iterator[str]:
    """Recheck that a Gaussian promise leaves the epsilon that its guarantee states, and name the other trade-off functions."""
    for each in evidence["guarantees"]:
        promise, name = (each.get("terms") or {}).get("promise"), shown(each["id"])
        if promise and promise["kind"] == "gaussian" and each["epsilon"] is not None and each["delta"] is not None:
            derived = {"epsilon": epsilon_at(D(each["delta"]), decimal(promise["mu"], "mu"))}
            lines = [*differences({"epsilon": each["epsilon"]}, derived)]
            if lines and (least := derived["epsilon"].value) is not None and D(each["epsilon"]) > least:
                lines = [f"agrees: it leaves {least:.12g}, of which {each['epsilon']:.12g} is stated"]
            yield from (f"promise of {name}: {line}" for line in lines or ["agrees"])
        elif promise:
            yield f"not rechecked here: promise of {name} ({shown(promise['kind'])})"


def intervals(evidence: Mapping[str, Any]) -> Iterator[str]:
    """Recheck shares and intervals that follow from counts, and name the intervals that do not, and parts of third parties."""
    for part in evidence.get("parts", ()):
        yield "not rechecked here: part {name} ({distribution} {version})".format(**{key: shown(part[key]) for key in part})
    for check in evidence["checks"]:
        said: dict[str, Any] = {}
        for part in ("details", "derived", "observed"):
            said |= check.get(part) or {}
        wins, games, level = (said.get(name) for name in (*COUNTED.get(check["id"], ("", "")), "confidence"))
        if not (isinstance(wins, int) and isinstance(games, int) and isinstance(level, float) and games <= MOST_GAMES):
            yield from () if check["interval"] is None else [f"not rechecked here: interval of {shown(check['id'])}"]
            continue
        low, high = clopper_pearson(wins, games, level)
        stated = {"value": check["value"]} | dict(zip(("low", "high"), check["interval"] or (), strict=False))
        derived = {"value": Number(wins / games if games else None), "low": low, "high": high}
        if said.get("epsilon_lower") is not None:
            stated["epsilon_lower"] = said["epsilon_lower"]
            derived["epsilon_lower"] = lower(max(2 * (low.value or 0) - 1, D(0)), absolute=NEAR_ZERO)
        lines = [f"{check['id']}: {line}" for line in differences(stated, derived)]
        yield from lines or [f"{check['id']}: agrees ({wins} of {games})"]


WAYS = (
    {"release.exact", "code-clean"},
    {"state.stateless", "deletion.renyi", "claim data_deletion", "equal counterfactual runs", "code-clean"},
    {"release.remembers", "swap.quality", "swap.strong", "procedure-honest", "code-clean"},
)
BY = {"certified_removal": {"certified-removal"}, "data_deletion": {"data-deletion"}}
EXAMINING = {"release.exact", "release.remembers", "swap.quality", "deletion.renyi", "deletion.adaptive"}
EXAMINING |= {"removal.residual", "removal.budget", "removal.output-noise"}
BY |= {"dp": {"training.privacy", "seed-secret"}, "retraining": {"release.exact"}}
SETTLED = {"nothing-deleted", "after", "remade", "retired"}


def held_back(evidence: Mapping[str, Any]) -> bool:
    """Say whether a claim does not stand, or a controller's own code lacks a check or an attested word on each way to a pass."""
    claims = {name for name, value in evidence["policy"]["claims"].items() if value not in (False, None)}
    stand = {check["id"] for check in evidence["checks"] if check["status"] == "pass"}
    runs = [check for check in evidence["checks"] if check["id"] == "deletion.renyi" and check.get("derived")]
    equal = {"equal counterfactual runs" for check in runs if check["derived"].get("theorem") == "twins"}
    found = stand | equal | {f"claim {name}" for name in claims} | {each["name"] for each in evidence["policy"]["attested"]}
    foreign = evidence["procedure"]["entry"] is not None
    stand = found | {each["id"] for each in evidence["guarantees"] if each["status"] in {"shown", "supported"}}
    stand |= {"training.privacy"} if "privacy.continual" in found else set()
    examined = not evidence["deletion_log"]["batches"] or found & EXAMINING or {"claim dp", "training.privacy"} <= found
    held = not examined or bool(evidence["reliance"]["contradicted"]) or (foreign and not any(way <= found for way in WAYS))
    prepared = "extractor-private" if (evidence["procedure"].get("settings") or {}).get("extractor") else "preprocessing-clean"
    whole = {"state.history_independent", "data.erased", "controller-is-implementation", "procedure-honest"} <= found
    held |= '"entry": "' in json.dumps(evidence.get("controller")) and not whole
    held |= bool(evidence.get("requests") or evidence["deletion_log"]["batches"]) and "log-complete" not in found
    held |= bool(evidence["deletion_log"]["batches"]) and prepared not in found
    if evidence["deletion_log"]["batches"] and (evidence["policy"].get("settings") or {}).get("lineage_settled"):
        held |= "lineage-complete" not in found or any(each["descent"] not in SETTLED for each in evidence.get("lineage", ()))
    return held or not all(BY.get(name, {"nothing known"}) <= stand and kept(evidence, name) for name in claims)


def kept(evidence: Mapping[str, Any], name: str) -> bool:
    """Say whether a person with all of their records gets no more than the (ε, δ), or the Rényi ε, of a claim."""
    if not isinstance(claim := evidence["policy"]["claims"][name], Mapping):
        return True
    found = [each for each in evidence["guarantees"] if {each["id"]} == BY.get(name)]
    if name == "dp":
        trained = [check.get("derived") or {} for check in evidence["checks"] if check["id"] in BY[name] | {"privacy.continual"}]
        found = [each.get("for_a_person") or {} for each in trained]
    order = claim.get("q", 0)
    known = (each for each in found if each.get("epsilon") is not None and order <= (each.get("order") or order))
    return any(each["epsilon"] <= claim["epsilon"] and (each.get("delta") or 0.0) <= claim.get("delta", 0.0) for each in known)


def verdict(evidence: Mapping[str, Any]) -> Iterator[str]:
    """Decide again: a required fail 1, else any error 4, else a required check that is no pass, or none at all, 3, else 0."""
    checks, required = {check["id"]: check for check in evidence["checks"]}, evidence["policy"]["required"]
    statuses = {name: check["status"] for name, check in checks.items()}
    if len(checks) < len(evidence["checks"]):
        raise ValueError("one check is listed twice")
    found = {statuses.get(name, "skipped") for name in required}
    staged = "; of a first stage: nothing passes in it" if evidence["audit"].get("stage") is not None else ""
    short = found != {"pass"} or evidence["environment"]["capped"] is not False or held_back(evidence) or bool(staged)
    code = 1 if "fail" in found else 4 if "error" in statuses.values() else 3 if short else 0
    word = {0: "pass", 1: "fail"}.get(code, "inconclusive")
    stated = {"verdict": evidence["verdict"], "exit_code": evidence["audit"]["exit_code"]}
    lines = list(differences(stated, {"verdict": Number(word), "exit_code": Number(code)}))
    ran = {name for name, status in statuses.items() if status in {"pass", "fail", "inconclusive"}}
    # An attack that tells neither models which hold the records nor the release decides nothing where a theorem does, say.
    seen = (attack := checks.get("release.remembers", {})).get("derived") or {"told": 0, "tried": (), "rule": ""}
    told = seen["told"] == len(seen["tried"]) or (seen["rule"] == "ranks" and (attack.get("value") or 1) <= 0.05)
    ran -= set() if told or attack.get("status") != "inconclusive" else {"release.remembers"}
    lines += [f"{name} DIFFERS: stated not required, derived required" for name in sorted(ALWAYS & ran - set(required))]
    for name in sorted(AT_MOST & checks.keys()):
        value, most = checks[name]["value"], checks[name]["threshold"]
        if statuses[name] == "pass" and not (value is not None and most is not None and value <= most):
            lines.append(f"{name} DIFFERS: stated pass, derived no pass from {shown(value)} against {shown(most)}")
    yield from (f"verdict: {line}{staged}" for line in lines or [f"agrees ({word}, exit code {code}, {len(required)} required)"])


# Due dates: the rules of docs/deadlines.md, which names the laws. Periods are months and days: the first, and what may follow.
PERIODS = {"eu": ((1, 0), (2, 0)), "uk": ((1, 0), (2, 0)), "ccpa": ((0, 45), (0, 45))}
UK_12A = "2026-02-05"  # From this day of receipt on.


def day_of(time: str | None) -> date | None:
    """Take the day of a time in its own offset."""
    return None if time is None else datetime.fromisoformat(time).date()


def after(begins: date, span: tuple[int, int]) -> date:
    """End on the day of the same number, or the last of a shorter month, and so many days later."""
    year, month = divmod(begins.year * 12 + begins.month - 1 + span[0], 12)
    return date(year, month + 1, min(begins.day, monthrange(year, month + 1)[1])) + timedelta(span[1])


def waits(request: Mapping[str, Any], counted: tuple[str | None, ...]) -> Iterator[tuple[date, date | None]]:
    """List when the controller waited for what counts, in order."""
    for each in sorted(request.get("clock_pauses", ()), key=lambda pause: datetime.fromisoformat(pause["paused_at"])):
        begun, ended = day_of(each["paused_at"]), day_of(each.get("resumed_at"))
        if (
            each.get("awaits") in counted
            and each.get("reason")
            and begun is not None
            and begun.isoformat() >= request["received_on"]
        ):
            yield begun, ended


def restarted(begins: date, span: tuple[int, int], pauses: Iterable[tuple[date, date | None]]) -> date:
    """Count from the end of the last wait that begins while the period runs."""
    for begun, ended in pauses:
        if begun <= after(begins, span) and ended is None:
            break
        if begun <= after(begins, span) and ended is not None:
            begins = max(begins, ended)
    return after(begins, span)


def due(request: Mapping[str, Any], days: int | None, holidays: set[str]) -> date:
    """Find the last day in time: only Article 12A of the UK GDPR counts from the end of a wait for certain."""
    regime, received = request.get("regime", "eu"), date.fromisoformat(request["received_on"])
    since = regime == "uk" and request["received_on"] >= UK_12A
    # When what was waited for arrived is what Article 12A asks, and an answer does not say.
    ended = [each for each in request.get("clock_pauses", ()) if each.get("resumed_at") or not request.get("answered_at")]
    waited = list(waits({**request, "clock_pauses": ended}, ("identity", "fee") if since else ()))
    first, further = PERIODS[regime] if days is None else ((0, days), PERIODS[regime][1])

    def end(span: tuple[int, int]) -> date:
        last = restarted(received, span, waited)
        while regime != "ccpa" and days is None and (last.weekday() > 4 or last.isoformat() in holidays):
            last += timedelta(1)  # Only what the law sets ends on a working day.
        return last

    notice, last = request.get("extension") or {}, end(first)
    told, until, logged = (day_of(each) for each in (notice.get("notified_at"), notice.get("until"), request.get("due_in_log")))
    # An extension counts where the person was told why within the first period; a date of the log only brings it forward.
    extended = told is not None and bool(notice.get("reason")) and received <= told <= last
    begins, last = last, end((first[0] + further[0], first[1] + further[1])) if extended else last
    last = max(begins, min(until, last)) if extended and until is not None else last
    return min(last, logged) if logged is not None and (not extended or logged > begins) else last


def due_dates(evidence: Mapping[str, Any]) -> Iterator[str]:
    """Compare the due date of every request."""
    if not (requests := evidence.get("requests", ())):
        return
    days, holidays = evidence["policy"]["settings"].get("deadline_days"), set(evidence["deletion_log"].get("holidays", ()))
    for place, each in enumerate(requests):
        stated, derived = each["due_on"], due(each, days, holidays).isoformat()
        if stated != derived:
            yield f"requests[{place}]: due_on DIFFERS: stated {shown(stated)}, derived {derived}"
    yield f"due dates: derived {len(requests)}"


# The package's list of every leaf (auditor/document/leaves.json) by sections: those with something declared, and the others.
DECLARED = (
    "audit, case, controller, deletion_log, environment, lineage, outside, parts, policy, procedure, receipts, requests, sizes"
)
DERIVED = "certificates, checks, default_policy_verdict, examined, guarantees, levels, premises, reliance, strength, verdict"


def conclusions(evidence: Mapping[str, Any]) -> Iterator[str]:
    """Name what follows in an evidence document by theorems and rules that are not written here."""
    for each in evidence.get("guarantees", ()):
        yield f"not rechecked here: guarantee {shown(each['id'])}, stated {shown(each['status'])}"
    for key, what in (("strength", "grade"), ("default_policy_verdict", "verdict under the default policy")):
        if key in evidence:
            yield f"not rechecked here: {what}, stated {shown(evidence[key])}"
    for each in evidence.get("premises", ()):
        yield f"not rechecked here: premise {shown(each['name'])}, stated {shown(each['standing'])}"
    if "case" in evidence or evidence.get("requests"):
        named = f"{len(evidence.get('requests', ()))} requests, digests, what was examined, required, levels, lineage, reliance"
        yield f"not rechecked here: what checks derived, guarantees and lateness of {named}"
    for section in sorted(evidence.keys() - {*f"schema, {DECLARED}, {DERIVED}".split(", ")}):
        yield f"not rechecked here: {shown(section)}, which is on no list of what is derived, declared or observed"


def main(arguments: list[str]) -> int:
    """Print one line an item; the exit code says what they come to."""
    try:
        once = lambda pairs: dict(pairs) if len(dict(pairs)) == len(pairs) else None  # noqa: E731  (no name twice)
        evidence = json.loads(Path(*arguments).read_bytes(), object_pairs_hook=once)
        if not re.fullmatch(r"auditor\.evidence/[12](\.\d+)?", evidence["schema"]):
            raise ValueError(evidence["schema"])  # noqa: TRY301  (one place says what cannot be read)
        with localcontext(DECIMALS):
            lines = [*verdict(evidence), *certificates(evidence), *curves(evidence), *intervals(evidence), *due_dates(evidence)]
            lines += conclusions(evidence)
    except (OSError, ValueError, KeyError, TypeError, AttributeError, ArithmeticError, RecursionError) as problem:
        return print(f"unreadable: {shown(repr(problem))}\nusage: python recheck_minimal.py evidence.json", file=sys.stderr) or 2
    differing, left_out = (sum(word in line for line in lines) for word in ("DIFFERS", "not rechecked here"))
    summary = f"{differing} differ, {left_out} not rechecked here; taken on trust: observations, what checks state, {DECLARED}"
    print(*lines, f"{len(lines)} lines: {summary}", sep="\n")
    return 1 if differing else 3 if left_out else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
