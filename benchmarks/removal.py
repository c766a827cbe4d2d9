"""Certified removal at size: how many removals each bound certifies, and what one costs online, audited, and by refitting.

Counts: digits, zero against the rest and three against eight, λ = 1e-3, σ = 1, ε = 1, δ = 1e-4; single removals in random order
until β exceeds the budget, the median over seeds. The baseline is the paper's own bound (Corollary 1) and budget (Theorem 3).
Times: one thread, float64; the refits reach the tolerance of the training. `python -m benchmarks.removal large` adds a million
rows, and what an audit of them takes.
"""

from __future__ import annotations

import json
import multiprocessing
import resource
import sys
import tempfile
import time
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from statistics import median

import numpy as np
from sklearn.datasets import load_digits

from auditor import case as cases
from auditor.audit import Options, audit
from auditor.certificates import removal
from auditor.certificates.increments import LOGISTIC_LIPSCHITZ, LOGISTIC_LIPSCHITZ_PRINTED, as_printed, tightened
from auditor.certificates.perturbation import perturbation_norm_bound
from auditor.domain import Floats
from auditor.procedures.logistic import Objective, minimise
from auditor.procedures.newton import NewtonRemoval
from auditor.procedures.randomness import perturbation
from auditor.procedures.residuals import StepMeasurement, measure_step
from benchmarks.leave_one_out import leave_one_out
from benchmarks.measuring import line, seconds
from benchmarks.online_removal import OnlineRemoval

SEEDS, L2, SIGMA, EPSILON, DELTA = 20, 1e-3, 1.0, 1.0, 1e-4
MOST = 1_000
"""Removals after which counting stops."""
_AUDIT = """
[case]
name = "large"

[data]
train = "train.npz"
task = "classification"

[procedure]
use = "certified-removal"
l2 = 1e-3
sigma = 1.0
epsilon = 1.0
delta = 1e-4
tolerance = {tolerance}
seed = "278189252447704765151761555871619860438"

[deletions]
log = "deletions.jsonl"

[policy]
required = ["removal.residual", "removal.budget"]
"""


def digits(positive: tuple[int, ...], negative: tuple[int, ...]) -> tuple[Floats, Floats]:
    """Rows of norm 1 of some digits, and +1 or −1."""
    bunch = load_digits()
    chosen = np.isin(bunch.target, positive + negative)
    features = bunch.data[chosen] / np.linalg.norm(bunch.data[chosen], axis=1, keepdims=True)
    return features, np.where(np.isin(bunch.target[chosen], positive), 1.0, -1.0)


def certified(features: Floats, signs: Floats, seed: int) -> dict[str, int]:
    """How many single removals each bound certifies within its budget, in one random order."""
    objective = Objective(features, signs, L2, perturbation(1_000 + seed, features.shape[1], sigma=SIGMA))
    norm = perturbation_norm_bound(features.shape[1], sigma=SIGMA)
    weights = minimise(objective, tolerance=1e-9)
    rng = np.random.default_rng(seed)
    exact, classical = removal.budget(EPSILON, DELTA, SIGMA), removal.classical_budget(EPSILON, DELTA, SIGMA)
    budgets = {"as printed": classical, "as printed, exact budget": exact, "tightened": exact, "local": exact}
    betas, counts = dict.fromkeys(budgets, 1e-9), dict.fromkeys(budgets, 0)
    for count in range(1, min(MOST, len(features) - 1) + 1):
        forget = rng.integers(len(objective.features), size=1)
        after = weights + NewtonRemoval(objective, weights).step(forget)
        step = measure_step(objective, forget, weights, after, perturbation_norm=norm)
        growing = {name: beta + _increment(name, step) for name, beta in betas.items()}
        if step.measured > growing["local"]:
            raise AssertionError("a bound lies below the measured residual")
        betas = growing
        counts |= {name: count for name, beta in betas.items() if beta <= budgets[name]}
        if betas["local"] > exact:
            break
        objective, weights = objective.without(forget), after
    return counts


def _increment(name: str, step: StepMeasurement) -> float:
    beside = {"solver_error": step.solver_error, "rounding_floor": step.rounding_floor}
    if name.startswith("as printed"):
        return as_printed(
            lipschitz=LOGISTIC_LIPSCHITZ_PRINTED,
            spectral_norm=step.spectral_norm,
            step_norm=step.step_norm,
            step_predictions_norm=step.step_predictions_norm,
            **beside,
        )
    if name == "tightened":
        norm4 = step.step_predictions_norm4
        return tightened(lipschitz=LOGISTIC_LIPSCHITZ, spectral_norm=step.spectral_norm, step_predictions_norm4=norm4, **beside)
    return step.increment


def count(seeds: int) -> None:
    """Print how many removals are certified."""
    for title, positive, negative in (("0 against the rest", (0,), tuple(range(1, 10))), ("3 against 8", (3,), (8,))):
        features, signs = digits(positive, negative)
        found = [certified(features, signs, seed) for seed in range(seeds)]
        for name in found[0]:
            line(f"{title}: removals certified, {name}", f"{median(each[name] for each in found):.0f}")
        ratios = [each["local"] / max(1, each["as printed"]) for each in found]
        line(f"{title}: local / as printed, median of {seeds} seeds", f"{median(ratios):.0f} ×", "at least 20 ×")


def made(rows: int, dimensions: int, seed: int = 0) -> Objective:
    """A fixed problem with rows of norm 1, made in blocks."""
    rng = np.random.default_rng(seed)
    truth, features, signs = rng.normal(size=dimensions), np.empty((rows, dimensions)), np.empty(rows)
    for first in range(0, rows, 65_536):
        block = rng.normal(size=(min(65_536, rows - first), dimensions))
        block /= np.linalg.norm(block, axis=1, keepdims=True)
        features[first : first + len(block)] = block
        signs[first : first + len(block)] = np.where(block @ truth + 0.5 * rng.normal(size=len(block)) > 0, 1.0, -1.0)
    return Objective(features, signs, L2, perturbation(1, dimensions, sigma=SIGMA))


def cost(rows: int, dimensions: int, removals: int) -> None:
    """Print what a removal costs online, with an audit's pass over the data, and by refitting."""
    objective, tolerance = made(rows, dimensions), 1e-6 * rows**0.5
    started = time.perf_counter()
    weights = minimise(objective, tolerance=tolerance)
    scratch = time.perf_counter() - started
    norm = perturbation_norm_bound(dimensions, sigma=SIGMA)
    online = OnlineRemoval([objective], weights[None], perturbation_norm=norm)
    chosen = np.random.default_rng(0).choice(rows, removals, replace=False)
    started = time.perf_counter()
    for row in chosen:
        online.remove(np.array([row]))
    each = (time.perf_counter() - started) / removals
    audited = each + seconds(online.gradients, repeats=3)
    measured, bound = float(np.linalg.norm(online.gradients()[0])), float(online.bounds[0])
    if measured > bound:
        raise AssertionError("the online bound lies below the measured residual")
    size = f"n = {rows:,}, d = {dimensions}"
    line(f"{size}: online removal (mean of {removals:,})", f"{1e3 * each:.2f} ms")
    line(f"{size}: the same with its measured residual", f"{1e3 * audited:.1f} ms")
    line(f"{size}: refit from scratch", f"{1e3 * scratch:.0f} ms")
    line(f"{size}: refit from scratch / online removal", f"{scratch / each:.0f} ×", "at least 500 × at n = 10⁵, d = 512")
    line(f"{size}: refit from scratch / audited removal", f"{scratch / audited:.0f} ×", "at least 15 × at n = 10⁵, d = 512")
    if rows <= 200_000:
        left = objective.without(chosen[:1])
        warm = seconds(lambda: minimise(left, tolerance=tolerance, start=weights), repeats=1)
        line(f"{size}: warm-started refit / online removal", f"{warm / each:.0f} ×")
    line(f"{size}: measured residual / online bound after {removals:,} removals", f"{measured / bound:.2e}", "at most 1")
    line("peak memory of this run", f"{_peak(resource.RUSAGE_SELF):.2f} GB", "under 8 GB")


def audit_rows(rows: int, dimensions: int) -> None:
    """Print what an audit of three removals from a case of that size takes: the auditor's own memory, and its largest child's."""
    spawn = multiprocessing.get_context("spawn")
    with tempfile.TemporaryDirectory() as name, ProcessPoolExecutor(1, spawn, max_tasks_per_child=1) as alone:
        # Each in a process of its own, whose peak is nobody else's.
        alone.submit(_write_case, Path(name), rows, dimensions).result()
        status, found = alone.submit(_audited, Path(name)).result()
    size = f"n = {rows:,}, d = {dimensions}: audit of three removals"
    line(f"{size}, removal.residual", status)
    line(f"{size}, retrainings for the clock included", f"{found['seconds']:.0f} s")
    line(f"{size}, its records alone", f"{8 * rows * dimensions / 1024**3:.2f} GB")
    line(f"{size}, peak memory of reading the case", f"{found['reading']:.2f} GB")
    line(f"{size}, peak memory of the auditor", f"{found['auditor']:.2f} GB", "under 8 GB at n = 10⁶, d = 256")
    line(f"{size}, peak memory of its largest child, at most", f"{found['child']:.2f} GB", "under 8 GB at n = 10⁶, d = 256")


def _audited(folder: Path) -> tuple[str, dict[str, float]]:
    """Status of `removal.residual`, seconds, and peaks of memory in GB."""
    started = time.perf_counter()
    case = cases.read(folder)
    reading = _peak(resource.RUSAGE_SELF)
    evidence = audit(case, Options(only=("removal.residual", "removal.budget"), workers=1)).evidence
    return evidence.check("removal.residual").status, {
        "seconds": time.perf_counter() - started,
        "reading": reading,
        "auditor": _peak(resource.RUSAGE_SELF),
        "child": _peak(resource.RUSAGE_CHILDREN),
    }


def _write_case(folder: Path, rows: int, dimensions: int) -> None:
    objective = made(rows, dimensions)
    ids = np.char.add("rec-", np.arange(rows).astype(str))
    np.savez(folder / "train.npz", features=objective.features, labels=(objective.signs > 0).astype(np.int64), ids=ids)
    days = [f"2026-01-0{number}" for number in (1, 2, 3)]
    asked = [
        {"request_id": day, "record_ids": [str(ids[row])], "received_at": f"{day}T08:00:00Z", "executed_at": f"{day}T09:00:00Z"}
        for row, day in enumerate(days)
    ]
    (folder / "deletions.jsonl").write_text("".join(json.dumps(each) + "\n" for each in asked), encoding="utf-8")
    (folder / "audit.toml").write_text(_AUDIT.format(tolerance=1e-6 * rows**0.5), encoding="utf-8")


def _peak(who: int) -> float:
    """The most memory so far, in GB."""
    return resource.getrusage(who).ru_maxrss / 1024**2


def leave_out_each() -> None:
    """Print what all single removals from digits cost, their exact residuals included."""
    features, signs = digits((0,), tuple(range(1, 10)))
    objective = Objective(features, signs, L2, perturbation(1, features.shape[1], sigma=SIGMA))
    weights = minimise(objective, tolerance=1e-9)
    taken = seconds(lambda: leave_one_out(objective, weights))
    line(f"all {len(signs):,} leave-one-outs of digits, with exact residuals", f"{1e3 * taken:.0f} ms", "under 100 ms")


def main() -> None:
    """Measure and print."""
    count(SEEDS)
    leave_out_each()
    cost(100_000, 512, 200)
    if "large" in sys.argv:
        cost(1_000_000, 256, 1_000)
        audit_rows(1_000_000, 64)


if __name__ == "__main__":
    main()
