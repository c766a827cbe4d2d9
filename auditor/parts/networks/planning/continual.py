"""`auditor plan --continual`: what a model that is kept up to date from a stream costs (DP-FTRL), by the rules that audits use.

For each factorisation of the matrix of prefix sums: the noise that an ε takes, what of it a release carries, what is kept, and
how well it learns where the loss is convex. Of a case of `use = "ftrl"` also what its own numbers give, and what to change.
Nothing is trained.
"""

from __future__ import annotations

import math
from bisect import bisect_right
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, replace
from statistics import NormalDist
from typing import TYPE_CHECKING, Any, Final, cast, get_args

import numpy as np

from auditor.audit.planning import OnStep, Planner, Wish, in_six_digits
from auditor.base.errors import UsageError
from auditor.base.promises import Gaussian
from auditor.case import Case
from auditor.maths.certificates import derive, ftrl, gaussian
from auditor.maths.certificates.prefix_sums import LONGEST, Factorisation, levels
from auditor.maths.tradeoff.reading import right_guesses
from auditor.pages.words.guesses import of_hundred
from auditor.pages.words.texts import say
from auditor.parts.networks.observing.privacy import records_of_one
from auditor.parts.networks.settings import MOST_SUMMED, Ftrl, Torch

if TYPE_CHECKING:
    from rich.console import Console

SCHEMA: Final = "auditor.continual-plan/1"
_FACTORISATIONS: Final[tuple[Factorisation, ...]] = get_args(Factorisation)
_NUMBER: Final = 8
"""Bytes of a number in a sum."""


@dataclass(frozen=True, slots=True)
class Target:
    """What is asked for, and of what."""

    epsilon: float
    delta: float
    horizon: int
    """T, the releases."""
    records: int
    """k, of one person."""
    parameters: int
    """d, the numbers of the model."""
    norm: float
    """|h*|, the length of the weights that the loss is compared with."""
    right_guesses: float | None = None
    """In place of ε: the most of 100; None where ε was given."""

    @property
    def apart(self) -> float:
        """How many standard deviations apart the two worlds may be."""
        return gaussian.mu(self.epsilon, self.delta)


@dataclass(frozen=True, slots=True)
class Row:
    """One factorisation with its noise."""

    factorisation: Factorisation
    noise_multiplier: float | None = None
    epsilon: float | None = None
    right_guesses: float | None = None
    """Of 100, read off the trade-off function, rounded up."""
    release_sigma: float | None = None
    """The most noise that a number of the summed gradients carries at a release, in units of the clipping norm."""
    kept_numbers: int | None = None
    """Numbers in all sums that are kept."""
    rate: float | None = None
    """The best one, by the bound on the loss."""
    excess_loss: float | None = None
    """A bound on the mean loss of a stream of one record a step beyond that of weights of length `norm`."""
    meets: bool = False
    """Whether its ε is the target's at most."""
    reason: str | None = None
    """Why there is no result, or why the built-in procedure does not run it."""

    @property
    def runs(self) -> bool:
        """Whether it meets the target and the built-in procedure holds its sums."""
        return self.meets and self.reason is None


def row(target: Target, factorisation: Factorisation, noise: float | None = None) -> Row:
    """Work out one factorisation.

    Args:
        target: What is asked for.
        factorisation: Which.
        noise: The standard deviation in each number of each sum; None for the least of six digits that meets the target.
    """
    found = Row(factorisation)
    if factorisation == "square-root" and target.horizon > LONGEST:
        return replace(found, reason=say("plan-continual-too-long", most=LONGEST))
    if noise is None:
        least = ftrl.noise_for(factorisation, target.apart, target.horizon, target.records)
        if not math.isfinite(least):
            return replace(found, reason=say("plan-continual-no-noise"))
        noise = in_six_digits(least)
    by_rule = derive(
        f"{ftrl.PREFIX}{factorisation}",
        {
            "noise_multiplier": noise,
            "horizon": target.horizon,
            "records": target.records,
            "delta": target.delta,
            "features": target.parameters,
            "norm": target.norm,
        },
    )
    if by_rule.epsilon is None:
        return replace(found, reason=str(by_rule.outputs["reason"]))
    kept = target.parameters * (levels(target.horizon) if factorisation == "tree" else target.horizon)
    return Row(
        factorisation,
        noise_multiplier=noise,
        epsilon=by_rule.epsilon,
        right_guesses=of_hundred(right_guesses(Gaussian(mu=by_rule.outputs["mu"]))),
        release_sigma=by_rule.outputs["release_sigma"],
        kept_numbers=kept,
        rate=by_rule.outputs["rate"],
        excess_loss=by_rule.outputs["excess_loss"],
        meets=by_rule.epsilon <= target.epsilon,
        reason=say("plan-continual-too-large", most=MOST_SUMMED) if factorisation != "tree" and kept > MOST_SUMMED else None,
    )


def longest(target: Target, factorisation: Factorisation, noise: float) -> int:
    """The most releases, up to the target's, for which a noise meets it; 0 where it does for none."""
    most = min(target.horizon, 2**53 if factorisation == "tree" else LONGEST)
    return bisect_right(
        range(1, most + 1),
        0,
        key=lambda steps: int(ftrl.mu(factorisation, noise, steps, target.records) > target.apart),
    )


def target_of(wish: Wish, case: Case | None) -> Target:
    """What is asked for, as far as the case does not say it.

    Raises:
        UsageError: If something is missing or out of range.
    """
    stream = _stream_of(case)
    epsilon, delta = wish.epsilon or None, wish.delta or None
    if case is not None and stream is not None:
        claim, policy = case.settings.claims.dp, case.settings.policy
        named = [policy.max_epsilon, *([claim.epsilon] if claim else [])]
        if epsilon is None and wish.right_guesses is None:
            epsilon = min((each for each in named if each is not None), default=None)
        if delta is None:
            allowed = [stream.delta, policy.max_delta, *([claim.delta] if claim else [])]
            delta = min(each for each in allowed if each is not None)
    horizon = stream.steps if wish.horizon is None and stream is not None else wish.horizon
    parameters = parameters_of(case) if wish.parameters is None and case is not None else wish.parameters
    asked = {
        "--epsilon": epsilon if wish.right_guesses is None else wish.right_guesses,
        "--delta": delta,
        "--horizon": horizon,
        "--parameters": parameters,
    }
    if missing := [name for name, value in asked.items() if value is None]:
        raise UsageError(f"missing option {', '.join(missing)}")
    by_log = 1 if case is None else records_of_one(case, case.known_ids)
    records = by_log if wish.records is None else wish.records
    _refuse("--delta", delta, 0 < (delta or 0) < 1, "a number above 0 and below 1")
    _refuse("--horizon", horizon, 1 <= (horizon or 0) <= 2**53, "1 to 2^53 releases")
    _refuse("--records", records, 1 <= records <= (horizon or 0), "1 to as many records as there are releases")
    _refuse("--parameters", parameters, 1 <= (parameters or 0) <= 10**12, "1 to 10^12 numbers")
    norm = 1.0 if wish.norm is None else wish.norm
    _refuse("--norm", norm, 0 < norm < math.inf, "a number above 0")
    if wish.right_guesses is not None:
        epsilon = _epsilon_of(wish.right_guesses, delta or 0.0)
    _refuse("--epsilon", epsilon, 0 < (epsilon or 0) < math.inf, "a number above 0")
    return Target(epsilon or 0.0, delta or 0.0, horizon or 0, records, parameters or 0, norm, wish.right_guesses)


def _refuse(option: str, value: float | None, within: bool, expected: str) -> None:
    if not within:
        raise UsageError(f"{option}: expected {expected}, found {value:g}")


def _epsilon_of(guesses: float, delta: float) -> float:
    """The largest ε at δ whose Gaussian noise leaves at most so many right guesses of 100."""
    _refuse("--right-guesses", guesses, 50 < guesses < 100, "a number above 50 and below 100")
    found = gaussian.epsilon(delta, 2 * NormalDist().inv_cdf(guesses / 100))
    while found > 0 and right_guesses(Gaussian(mu=gaussian.mu(found, delta))) > guesses / 100:
        found *= 1 - 1e-12 if found > 1e-9 else 0.0
    if found <= 0:
        raise UsageError(f"--right-guesses: {guesses:g} of 100 takes a δ below {delta:g}")
    return found


def _stream_of(case: Case | None) -> Ftrl | None:
    """The procedure of a case that learns from a stream."""
    own = None if case is None else case.settings.procedure
    return cast("Ftrl", own) if own is not None and own.built_in == "ftrl" else None


def parameters_of(case: Case) -> int | None:
    """The numbers of a case's network, or of a multinomial logistic model of its rows; None where the network is its own."""
    own = case.settings.procedure
    features, classes = int(case.train.features.shape[1]), len(np.unique(case.train.labels))
    if own.built_in not in {"ftrl", "torch"}:
        return (features + 1) * classes
    own = cast("Ftrl | Torch", own)
    if own.model is None:
        return None
    from auditor.parts.networks.learning.making import network_of  # noqa: PLC0415 - PyTorch takes seconds to load
    from auditor.parts.networks.learning.network import Row as Shape  # noqa: PLC0415

    data = case.settings.data
    shape = Shape(features, None if data.shape is None else tuple(data.shape), data.dtype == "integer")
    return int(network_of(own.model, None, own.params, row=shape, classes=classes, dtype=own.dtype).size)


def document(target: Target, case: Case | None) -> dict[str, Any]:
    """Every row, the recommended one, what a case of a stream gives, and the sentence; numbers are finite or null."""
    rows = [row(target, each) for each in _FACTORISATIONS]
    best = min((each for each in rows if each.runs), key=lambda each: each.release_sigma or math.inf, default=None)
    stream = _stream_of(case)
    declared = None if stream is None else _declared(target, stream)
    changes = [] if stream is None or declared is None or declared.meets else list(_changes(target, stream, rows))
    name = say("plan-continual-no-case") if case is None else case.settings.case.name
    found = {
        "schema": SCHEMA,
        "case": name,
        "target": asdict(target),
        "settings": [_row(each) for each in rows],
        "recommended": None if best is None else _row(best),
        "declared": None if stream is None or declared is None else {**_row(declared), "steps": stream.steps, "changes": changes},
        "assumptions": _assumptions(target),
    }
    return {**found, "sentence": " ".join(_sentences(target, rows, best, declared, changes))}


def _declared(target: Target, stream: Ftrl) -> Row:
    """What a case of a stream gives; more releases than it is made for it does not."""
    found = row(replace(target, horizon=stream.steps), stream.factorisation, stream.noise_multiplier)
    return replace(found, meets=found.meets and stream.steps >= target.horizon)


def _row(found: Row) -> dict[str, Any]:
    kept = None if found.kept_numbers is None else found.kept_numbers * _NUMBER
    return {**asdict(found), "kept_bytes": kept}


def _changes(target: Target, stream: Ftrl, rows: list[Row]) -> Iterator[str]:
    """Each change of one or two keys with which a case of a stream would meet the target."""
    for each in rows:
        if each.runs:
            noise = f"{each.noise_multiplier:.6g}"
            yield say("plan-continual-change", noise=noise, factorisation=each.factorisation, steps=target.horizon)
    fewer = longest(target, stream.factorisation, stream.noise_multiplier)
    if fewer >= target.records:
        yield say("plan-continual-fewer", steps=fewer)


def _sentences(target: Target, rows: list[Row], best: Row | None, declared: Row | None, changes: list[str]) -> Iterator[str]:
    goal = say("plan-continual-goal", **_named(target))
    if declared is not None and declared.epsilon is not None:
        shown = {"epsilon": f"{declared.epsilon:.4g}", "right": f"{declared.right_guesses:g}", "goal": goal}
        yield say("plan-continual-meets" if declared.meets else "plan-continual-misses", **shown)
        if changes:
            yield say("plan-continual-changes", changes="; ".join(changes))
    if best is None:
        yield say("plan-continual-none", goal=goal, why="; ".join(each.reason for each in rows if each.reason))
    elif declared is None:
        yield say(
            "plan-continual-recommended",
            goal=goal,
            factorisation=best.factorisation,
            noise=f"{best.noise_multiplier:.6g}",
            steps=target.horizon,
            release=f"{best.release_sigma:.4g}",
            right=f"{best.right_guesses:g}",
        )


def _named(target: Target) -> dict[str, Any]:
    return {
        "epsilon": f"{target.epsilon:.4g}",
        "delta": f"{target.delta:g}",
        "horizon": target.horizon,
        "records": target.records,
        "parameters": target.parameters,
        "norm": f"{target.norm:g}",
    }


def _assumptions(target: Target) -> list[str]:
    names = ("neighbours", "once", "loss")
    return [say(f"plan-continual-assume-{each}", **_named(target)) for each in names]


def _planned(case: Case, wish: Wish, _jobs: int, _on_step: OnStep) -> dict[str, Any]:
    return document(target_of(wish, case), case)


def _without_case(wish: Wish) -> dict[str, Any]:
    return document(target_of(wish, None), None)


def _table(said: Mapping[str, Any], console: Console) -> None:
    from auditor.parts.networks.telling.planned_continual import continual_table  # noqa: PLC0415 - only where it is shown

    continual_table(said, console)


PLANNER: Final = Planner("continual", _planned, _table, _without_case)
