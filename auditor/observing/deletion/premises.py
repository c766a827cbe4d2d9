"""The premises of the theorems on noisy gradient descent, each looked at on the declaration, the data and the rerun.

A premise that is found false makes the check fail, whatever the numbers: no theorem then speaks of what ran. One that nobody can
look at is attested and says so; one that nobody looked at is unknown.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from auditor.case import Case
from auditor.checks.deletion.bounds import Source
from auditor.checks.deletion.rows import SLACK
from auditor.domain import Check, How, Status
from auditor.observing.deletion.noise import Noise
from auditor.observing.deletion.rows import largest_norm
from auditor.observing.replay import Replay, loses_labels
from auditor.settings.descent import Declared, is_linear, linear_constants
from auditor.settings.noisy_gd import NoisyGd

_CURVATURE = -1e-9
"""A second difference below this, in units of the loss, is none that rounding leaves of a convex loss."""


@dataclass(frozen=True, slots=True)
class Premise:
    """One premise, looked at."""

    name: str
    """Of the fact that a guarantee rests on; see `auditor.guarantees.STATEMENTS`."""
    holds: bool | None
    """None where nobody could tell."""
    found: str
    how: How
    """Refuted where it does not hold."""
    mend: str | None = None
    """What would make it hold."""

    def details(self) -> dict[str, Any]:
        """As the evidence holds it."""
        return {"name": self.name, "holds": self.holds, "found": self.found, "how": self.how.value, "mend": self.mend}


def look(
    case: Case,
    procedure: NoisyGd,
    declared: Declared,
    replay: Replay,
    *,
    source: Source | None,
    noise: Noise | None,
    stateless: Check | None = None,
) -> tuple[Premise, ...]:
    """Every premise of the theorem that gives the ε, or, where none does, of the one whose form the declaration has.

    Args:
        case: With the training data as they are read.
        procedure: The table.
        declared: What it says.
        replay: What the rerun observed.
        source: What gives the ε; None where nothing does.
        noise: What was measured of the noise; None where nothing was.
        stateless: What the experiment on statelessness found, where it ran.
    """
    bounded = declared.bound is not None and source != "gaussian"
    found = [
        _bounded(procedure, declared, replay.told) if bounded else _convex(procedure, declared, replay.told),
        _constants(case, procedure, declared, replay.told),
    ]
    if procedure.loss is not None:
        found.append(_rows(case, procedure))
    if not bounded:
        found.append(_step_size(declared, source))
    found += [
        _built_in(procedure, "full-batch-descent", "all records and noise in every step, and the last iterate is the model"),
        _built_in(procedure, "start-gaussian", _start(declared, source)),
        _steps(procedure, replay.told),
        _noise(procedure, noise),
        labels_fixed(case, replay),
        carried_over(procedure, stateless),
    ]
    return tuple(found)


def counted(told: Sequence[Mapping[str, Any]]) -> list[int | None]:
    """The steps of learning and of each batch, as they were counted; None where the rerun does not tell."""
    steps = (_number(facts.get("steps")) for facts in told)
    return [int(each) if each is not None and each == int(each) else None for each in steps]


def carried_over(procedure: NoisyGd, stateless: Check | None) -> Premise:
    """That nothing but the model is carried from one update to the next: by construction, or as the experiment found."""
    mend = "keep nothing between updates but the model that is released"
    if stateless is not None and stateless.status is Status.FAIL:
        return Premise("stateless", False, "state.stateless found more than the model carried on", How.REFUTED, mend)
    if not procedure.foreign:
        return Premise("stateless", True, "built-in procedure noisy-gd: an update reads the parameters alone", How.COMPUTED)
    if stateless is not None and stateless.status is Status.PASS:
        return Premise("stateless", True, "state.stateless found no case that tells", How.MEASURED)
    return Premise("stateless", None, "the network is the controller's own code, and no experiment settled it", How.UNKNOWN, mend)


def _convex(procedure: NoisyGd, declared: Declared, told: Sequence[Mapping[str, Any]]) -> Premise:
    name = "loss-convex"
    mend = "a loss that is convex in the parameters, or a bounded one (loss_cap)"
    if procedure.loss is not None:
        if declared.convex:
            clip = "" if procedure.clip is None else f", gradients clipped to {procedure.clip:g}, each a scalar times its record"
            return Premise(name, True, f"{procedure.loss} loss{clip}", How.COMPUTED)
        return Premise(name, None, declared.reason or "not known to be convex", How.COMPUTED, declared.mend or mend)
    if not declared.convex:
        return Premise(name, None, "not said to be convex", How.UNKNOWN, mend)
    least = min(_numbers(told, "least_curvature"), default=None)
    if least is None:
        return Premise(name, True, "attested; no curvature was looked at", How.ATTESTED)
    if not least >= _CURVATURE * (1 + max(_numbers(told, "largest_loss"), default=0.0)):
        words = f"said to be convex, and yet a second difference along a random direction is {least:.3g}"
        return Premise(name, False, words, How.REFUTED, mend)
    words = f"tested, attested: second differences along random directions are {least:.3g} at least; that alone shows little"
    return Premise(name, True, words, How.ATTESTED)


def _bounded(procedure: NoisyGd, declared: Declared, told: Sequence[Mapping[str, Any]]) -> Premise:
    name, cap = "loss-bounded", declared.bound
    if cap is None:
        raise AssertionError("a loss without a cap is not asked for its bound")
    largest = max(_numbers(told, "largest_loss"), default=None)
    if largest is not None and not largest <= cap * (1 + SLACK):
        return Premise(name, False, f"a loss of {largest:.6g}, and loss_cap is {cap:g}", How.REFUTED, "cap the loss as declared")
    return Premise(name, True, f"c(1 - e^(-loss/c)) with c = {cap:g}", How.ATTESTED if procedure.foreign else How.COMPUTED)


def _constants(case: Case, procedure: NoisyGd, declared: Declared, told: Sequence[Mapping[str, Any]]) -> Premise:
    name = "loss-constants"
    words = f"L = {_shown(declared.lipschitz)}, beta = {_shown(declared.smoothness)}"
    if declared.lipschitz is None or declared.smoothness is None:
        mend = declared.mend or "declare lipschitz and smoothness of the loss"
        return Premise(name, None, declared.reason or words, How.UNKNOWN, mend)
    if procedure.loss is not None:
        return Premise(name, True, f"{words}, of the {procedure.loss} loss for rows of norm 1 at most", How.COMPUTED)
    if is_linear(procedure):
        return _of_a_linear_network(case, declared, words)
    largest = max(_numbers(told, "largest_gradient_norm"), default=None)
    if largest is None:
        return Premise(name, True, f"{words}, attested", How.ATTESTED)
    if not largest <= declared.lipschitz * (1 + SLACK):
        found = f"a record's gradient of norm {largest:.6g}, and L is said to be {declared.lipschitz:g}"
        return Premise(name, False, found, How.REFUTED, f"a lipschitz of {largest:.6g} or more, if that bounds every gradient")
    return Premise(name, True, f"{words}, attested; gradients had norms of {largest:.6g} at most", How.ATTESTED)


def _of_a_linear_network(case: Case, declared: Declared, words: str) -> Premise:
    """A network without hidden layers has constants that are known for rows of a given norm."""
    largest = largest_norm(case.train.features, "report")
    wanted = linear_constants(largest, declared.bound)
    known = f"L = {wanted[0]:g} and beta = {wanted[1]:g} for rows of norm {largest:.6g} at most"
    stated = (declared.lipschitz or 0.0, declared.smoothness or 0.0)
    if all(said >= least * (1 - SLACK) for said, least in zip(stated, wanted, strict=True)):
        return Premise("loss-constants", True, f"{words}; softmax regression with an intercept has {known}", How.COMPUTED)
    mend = f"declare {known}"
    return Premise("loss-constants", False, f"{words}; softmax regression with an intercept has {known}", How.REFUTED, mend)


def _rows(case: Case, procedure: NoisyGd) -> Premise:
    largest = largest_norm(case.train.features, procedure.row_norms)
    scaled = ", each longer row scaled to norm 1" if procedure.row_norms == "scale" else ""
    words = f"the largest of {len(case.train)} rows has norm {largest:.9g}{scaled}"
    if largest <= 1 + SLACK:
        return Premise("rows-bounded", True, words, How.COMPUTED)
    mend = 'scale the rows to norm 1 at most, or set row_norms = "scale"'
    return Premise("rows-bounded", False, words, How.REFUTED, mend)


def _step_size(declared: Declared, source: Source | None) -> Premise:
    wanted = declared.theorem_rate
    if source == "gaussian":
        return Premise("step-size", True, f"{declared.rate:.9g}; no step moves two models apart", How.COMPUTED)
    if wanted is None:
        return Premise("step-size", None, f"{declared.rate:.9g}; no beta is known to hold it against", How.UNKNOWN, declared.mend)
    words = f"{declared.rate:.9g}, 1/(2(l2 + smoothness)) = {wanted:.9g}"
    # A step of another size is no false word of the controller's: the theorem does not speak of it.
    holds = True if declared.has_theorem_rate else None
    return Premise("step-size", holds, words, How.COMPUTED, None if holds else f"a rate of {wanted:.12g}")


def _start(declared: Declared, source: Source | None) -> str:
    if source == "gaussian":
        return "drawn without the data"
    return "N(0, (sigma2/l2) I)" if declared.bound is not None else "N(0, sigma2/(l2(1 - rate l2/2)) I)"


def _built_in(procedure: NoisyGd, name: str, words: str) -> Premise:
    """What our own loop does by construction; beside code of the controller's in one process that is the controller's word."""
    if procedure.foreign:
        return Premise(name, True, f"{words}; in one process with the controller's code, so attested", How.ATTESTED)
    return Premise(name, True, f"{words}; built-in procedure noisy-gd", How.COMPUTED)


def _steps(procedure: NoisyGd, told: Sequence[Mapping[str, Any]]) -> Premise:
    steps = counted(told)
    wanted = [procedure.learn_steps, *[procedure.unlearn_steps] * (len(told) - 1)]
    words = f"declared {procedure.learn_steps} for learning and {procedure.unlearn_steps} for each batch"
    if any(each is None for each in steps):
        return Premise("steps-counted", None, f"{words}; the rerun does not tell how many it took", How.UNKNOWN)
    wrong = [index for index, (found, each) in enumerate(zip(steps, wanted, strict=True)) if found != each]
    if not wrong:
        how = How.ATTESTED if procedure.foreign else How.MEASURED
        return Premise("steps-counted", True, f"{words}; counted as declared in {len(steps)} updates", how)
    where = "learning" if wrong[0] == 0 else f"batch {wrong[0]}"
    found = f"{words}; {steps[wrong[0]]} were counted in {where}"
    return Premise("steps-counted", False, found, How.REFUTED, "run the steps that are declared, or declare those that are run")


def _noise(procedure: NoisyGd, noise: Noise | None) -> Premise:
    if noise is None:
        return Premise("noise-measured", None, "the rerun tells of no noise", How.UNKNOWN, "steps that add noise")
    if noise.holds:
        return Premise("noise-measured", True, noise.found, How.ATTESTED if procedure.foreign else How.MEASURED)
    mend = "add noise of the declared variance, or declare that of the noise which is added"
    return Premise("noise-measured", False, noise.found, How.REFUTED, mend)


def labels_fixed(case: Case, replay: Replay) -> Premise:
    """That no label left with the deleted records, and still has its place in the model."""
    name = "labels-fixed"
    if loses_labels(case, replay.forgotten):
        words = "a label that only deleted records had still has its place in the model, whatever the noise"
        return Premise(name, False, words, How.REFUTED, "train the model anew for the labels that are left")
    return Premise(name, True, "every label of the training data is still there after the last batch", How.COMPUTED)


def _numbers(told: Iterable[Mapping[str, Any]], name: str) -> list[float]:
    """The number of that name of each update that tells of one."""
    return [each for facts in told if (each := _number(facts.get(name))) is not None]


def _number(value: object) -> float | None:
    return float(value) if isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value) else None


def _shown(value: float | None) -> str:
    return "unknown" if value is None else f"{value:g}"
