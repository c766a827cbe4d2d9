"""The premises of the theorems on noisy gradient descent, each judged by the declaration, the data and the rerun.

A premise that is found false makes the check fail, whatever the numbers: no theorem then covers what ran. One that nobody can
examine holds where the controller attests it; one that nobody examined or attests is unknown.
"""

from __future__ import annotations

import math
from typing import Any, Final

from auditor.base.domain import Message, Provenance, Status
from auditor.maths.certificates.rounding import finite
from auditor.parts.data_deletion.judging.bounds import TRADEOFFS, Source
from auditor.parts.data_deletion.judging.derived import AcceptedNoise, Premise
from auditor.parts.data_deletion.judging.noise import refused, refuses
from auditor.parts.data_deletion.judging.observed import DescentRun, Observed
from auditor.parts.data_deletion.settings import Declared, is_linear, linear_constants
from auditor.settings.facets import NoisyDescent, Packing
from auditor.verdict.checks.context import Context
from auditor.verdict.checks.finding import Earlier

# How long the rows that are learned from may be for the constants of a known loss to hold.
SLACK: Final = 1e-9
"""How far above 1 a norm may lie, for rows that were scaled by somebody and rounded."""


def longer_than_one(largest_norm: float | None) -> bool:
    """Whether a row is too long; so is one whose square float64 does not hold, which has no norm here."""
    return largest_norm is None or largest_norm > 1 + SLACK


_CURVATURE: Final = -1e-9
"""A second difference below this, in units of the loss, is not one that rounding leaves of a convex loss."""


def premises(
    context: Context,
    procedure: NoisyDescent,
    declared: Declared,
    observed: Observed,
    run: DescentRun,
    *,
    source: Source | None,
    noise: AcceptedNoise | None,
    earlier: Earlier,
) -> tuple[Premise, ...]:
    """Every premise of the theorem that gives the ε, or, where none does, of the one whose form the declaration has.

    Args:
        context: What was declared.
        procedure: The table.
        declared: What it says of the loss and the steps.
        observed: What the rerun showed.
        run: What was counted and measured of its steps.
        source: What gives the ε; None where nothing does.
        noise: What the noise comes to; None where none was measured.
        earlier: The finding of `state.stateless`.
    """
    bounded = declared.bound is not None and source not in TRADEOFFS
    found = [
        _bounded(context, procedure, declared, run) if bounded else _convex(context, procedure, declared, run),
        _constants(context, procedure, declared, run),
    ]
    if procedure.loss is not None:
        found.append(_rows(context, procedure, run))
    if not bounded:
        found.append(_step_size(declared, source))
    found += [
        _built_in(context, procedure, *_steps_taken(procedure.packing)),
        _built_in(context, procedure, "start-gaussian", _start(declared, source)),
        _steps(context, procedure, run),
        _noise(context, procedure, run, noise),
        labels_fixed(observed),
        _stateless(procedure, earlier),
    ]
    return tuple(found)


def labels_fixed(observed: Observed) -> Premise:
    """That no label left with the deleted records, and still has its place in the model."""
    if observed.labels_lost:
        fix = Message("premise.labels-fixed.fix")
        return _premise("labels-fixed", False, Message("premise.labels-fixed.lost"), Provenance.REFUTED, fix)
    return _premise("labels-fixed", True, Message("premise.labels-fixed.there"), Provenance.COMPUTED)


def _premise(name: str, holds: bool | None, found: Message, how: Provenance, mend: Message | None = None) -> Premise:
    return Premise(name=name, holds=holds, found=found, how=how, mend=mend)


def by_word(context: Context, name: str, word: str, found: Message) -> Premise:
    """Give a premise that only the controller can know: attested by that name, or unknown with the name to add."""
    if context.attests(word):
        return _premise(name, True, found, Provenance.ATTESTED)
    return _premise(name, None, found, Provenance.UNKNOWN, Message("fact.not-attested.fix", {"name": word}))


def _stateless(procedure: NoisyDescent, earlier: Earlier) -> Premise:
    """That nothing but the model is carried from one update to the next: by construction, or as the experiment found."""
    name, fix, status = "stateless", Message("premise.stateless.fix"), earlier["state.stateless"].status
    if status is Status.FAIL:
        return _premise(name, False, Message("premise.stateless.carried"), Provenance.REFUTED, fix)
    if not procedure.foreign:
        code = "premise.stateless.descent" if procedure.packing is None else "premise.stateless.batches"
        return _premise(name, True, Message(code), Provenance.COMPUTED)
    if status is Status.PASS:
        return _premise(name, True, Message("premise.stateless.not-refuted"), Provenance.MEASURED)
    return _premise(name, None, Message("premise.stateless.unsettled"), Provenance.UNKNOWN, fix)


def _convex(context: Context, procedure: NoisyDescent, declared: Declared, run: DescentRun) -> Premise:
    name, fix = "loss-convex", Message("premise.loss-convex.fix")
    if procedure.loss is not None:
        if declared.convex:
            found = Message("premise.loss-convex.known", {"loss": procedure.loss, "clip": procedure.clip})
            return _premise(name, True, found, Provenance.COMPUTED)
        found = declared.reason or Message("premise.loss-convex.unknown")
        return _premise(name, None, found, Provenance.COMPUTED, declared.fix or fix)
    if not declared.convex:
        return _premise(name, None, Message("premise.loss-convex.not-said"), Provenance.UNKNOWN, fix)
    if run.least_curvature is None:
        return by_word(context, name, name, Message("premise.loss-convex.attested"))
    least = {"least": run.least_curvature}
    if not run.least_curvature >= _CURVATURE * (1 + (run.largest_loss or 0.0)):
        return _premise(name, False, Message("premise.loss-convex.bent", least), Provenance.REFUTED, fix)
    return by_word(context, name, name, Message("premise.loss-convex.tested", least))


def _bounded(context: Context, procedure: NoisyDescent, declared: Declared, run: DescentRun) -> Premise:
    name, cap = "loss-bounded", declared.bound
    if cap is None:
        raise AssertionError("a loss without a cap is not asked for its bound")
    if run.largest_loss is not None and not run.largest_loss <= cap * (1 + SLACK):
        found = Message("premise.loss-bounded.above", {"largest": run.largest_loss, "cap": cap})
        return _premise(name, False, found, Provenance.REFUTED, Message("premise.loss-bounded.fix"))
    return _own(context, procedure, name, Message("premise.loss-bounded.capped", {"cap": cap}), Provenance.COMPUTED)


def _constants(context: Context, procedure: NoisyDescent, declared: Declared, run: DescentRun) -> Premise:
    name = "loss-constants"
    stated: dict[str, Any] = {"lipschitz": declared.lipschitz, "smoothness": declared.smoothness}
    if declared.lipschitz is None or declared.smoothness is None:
        found = declared.reason or Message("premise.loss-constants.stated", stated)
        return _premise(name, None, found, Provenance.UNKNOWN, declared.fix or Message("premise.loss-constants.fix"))
    if procedure.loss is not None:
        return _premise(
            name, True, Message("premise.loss-constants.known", {**stated, "loss": procedure.loss}), Provenance.COMPUTED
        )
    if is_linear(procedure):
        return _of_a_linear_network(declared, stated, run)
    largest = run.largest_gradient_norm
    if largest is None:
        return by_word(context, name, name, Message("premise.loss-constants.attested", stated))
    if not largest <= declared.lipschitz * (1 + SLACK):
        above = {"largest": largest, "lipschitz": declared.lipschitz}
        fix = Message("premise.loss-constants.above.fix", above)
        return _premise(name, False, Message("premise.loss-constants.above", above), Provenance.REFUTED, fix)
    return by_word(context, name, name, Message("premise.loss-constants.tested", {**stated, "largest": largest}))


def _of_a_linear_network(declared: Declared, stated: dict[str, Any], run: DescentRun) -> Premise:
    """A network without hidden layers has constants that are known for rows of a given norm."""
    largest = math.inf if run.largest_row_norm is None else run.largest_row_norm
    wanted = linear_constants(largest, declared.bound)
    known = {
        "norm": run.largest_row_norm,
        **{f"known_{name}": finite(each) for name, each in zip(stated, wanted, strict=True)},
    }
    found = Message("premise.loss-constants.linear", {**stated, **known})
    if all(each >= least * (1 - SLACK) for each, least in zip(stated.values(), wanted, strict=True)):
        return _premise("loss-constants", True, found, Provenance.COMPUTED)
    return _premise("loss-constants", False, found, Provenance.REFUTED, Message("premise.loss-constants.linear.fix", known))


def _rows(context: Context, procedure: NoisyDescent, run: DescentRun) -> Premise:
    largest, scaled = run.largest_row_norm, procedure.row_norms == "scale"
    found = Message("premise.rows-bounded", {"rows": context.case.training_records, "norm": largest, "scaled": scaled})
    if longer_than_one(largest):
        return _premise("rows-bounded", False, found, Provenance.REFUTED, Message("premise.rows-bounded.fix"))
    return _premise("rows-bounded", True, found, Provenance.COMPUTED)


def _step_size(declared: Declared, source: Source | None) -> Premise:
    name, given = "step-size", {"rate": declared.rate, "wanted": declared.theorem_rate}
    if source in TRADEOFFS:
        return _premise(name, True, Message("premise.step-size.trade-off", given), Provenance.COMPUTED)
    if declared.theorem_rate is None:
        return _premise(name, None, Message("premise.step-size.unknown", given), Provenance.UNKNOWN, declared.fix)
    found = Message("premise.step-size.theorem", given)
    if declared.has_theorem_rate:
        return _premise(name, True, found, Provenance.COMPUTED)
    # A step of another size is no false word of the controller's: the theorem does not cover it.
    return _premise(name, None, found, Provenance.COMPUTED, Message("premise.step-size.fix", given))


def _steps_taken(packing: Packing | None) -> tuple[str, Message]:
    """Which premise says what a step follows, and what it says."""
    if packing is None:
        return "full-batch-descent", Message("premise.full-batch-descent")
    return "mini-batch-descent", Message("premise.mini-batch-descent", {"batches": packing.batches, "most": packing.divisor})


def _start(declared: Declared, source: Source | None) -> Message:
    if source in TRADEOFFS:
        return Message("premise.start-gaussian.any")
    return Message("premise.start-gaussian.5.2") if declared.bound is not None else Message("premise.start-gaussian.5.1")


def _built_in(context: Context, procedure: NoisyDescent, name: str, what: Message) -> Premise:
    """What our own loop does by construction; in one process with code of the controller's that is for it to attest."""
    own = "premise.built-in" if procedure.packing is None else "premise.built-in.batches"
    code = "premise.in-one-process" if procedure.foreign else own
    return _own(context, procedure, name, Message(code, {"what": what}), Provenance.COMPUTED)


def _steps(context: Context, procedure: NoisyDescent, run: DescentRun) -> Premise:
    name, learn, unlearn = "steps-counted", procedure.learn_steps, procedure.unlearn_steps
    given: dict[str, Any] = {"learn": learn, "unlearn": unlearn}
    if None in run.steps:
        return _premise(name, None, Message("premise.steps-counted.untold", given), Provenance.UNKNOWN)
    wanted = (learn, *[unlearn] * (len(run.steps) - 1))
    wrong = [number for number, (found, each) in enumerate(zip(run.steps, wanted, strict=True)) if found != each]
    if not wrong:
        told = Message("premise.steps-counted.declared", {**given, "updates": len(run.steps)})
        return _own(context, procedure, name, told, Provenance.MEASURED)
    other = Message("premise.steps-counted.other", {**given, "counted": run.steps[wrong[0]], "number": wrong[0]})
    return _premise(name, False, other, Provenance.REFUTED, Message("premise.steps-counted.fix"))


def _noise(context: Context, procedure: NoisyDescent, run: DescentRun, noise: AcceptedNoise | None) -> Premise:
    name = "noise-measured"
    if run.noise is None or noise is None:
        return _premise(
            name, None, Message("premise.noise-measured.untold"), Provenance.UNKNOWN, Message("premise.noise-measured.untold.fix")
        )
    bad = refused(run.noise, noise)
    found = Message(
        "premise.noise-measured",
        {
            "measured": noise.measured,
            "count": noise.count,
            "declared": noise.declared,
            "detects": noise.detects,
            "power": noise.power,
            "refused": bad,
        },
    )
    if refuses(noise) or bad:
        return _premise(name, False, found, Provenance.REFUTED, Message("premise.noise-measured.fix"))
    return _own(context, procedure, name, found, Provenance.MEASURED)


def _own(context: Context, procedure: NoisyDescent, name: str, found: Message, how: Provenance) -> Premise:
    """Give what our own loop told; in one process with the controller's code it holds if that code is honest."""
    return by_word(context, name, "procedure-honest", found) if procedure.foreign else _premise(name, True, found, how)
