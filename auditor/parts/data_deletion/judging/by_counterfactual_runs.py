"""Data deletion of a procedure that no theorem covers: whether what is released depends on the deleted records at all.

Where models with other records in their place are the same, bit for bit, ε_dd is 0 in these runs. That is a measurement and no
proof: the guarantee that it feeds is *supported* at best. Where they differ nothing is shown, and nothing refuted by that alone.
"""

from __future__ import annotations

from auditor.base.domain import Message, Provenance, Status
from auditor.parts.data_deletion.judging.by_theorem import fixes, named
from auditor.parts.data_deletion.judging.derived import Cost, Derived, Premise, Sizes, Twins
from auditor.parts.data_deletion.judging.goals import Goal, goal
from auditor.parts.data_deletion.judging.observed import CounterfactualRuns, Observed
from auditor.parts.data_deletion.judging.premises import labels_fixed
from auditor.parts.data_deletion.judging.state_stateless import Derived as State
from auditor.verdict.checks.context import Context
from auditor.verdict.checks.finding import Earlier, Finding
from auditor.verdict.decisions import decide_at_most


def judge(context: Context, runs: CounterfactualRuns, observed: Observed, earlier: Earlier) -> Finding:
    """Give ε = 0 where no model after a deletion depends on the deleted records in these runs, and nothing else carries them on.

    Args:
        context: Data deletion is claimed of the procedure.
        runs: What the runs with other records showed.
        observed: What the rerun showed, with a batch at least.
        earlier: The finding of `state.stateless`.
    """
    aim = goal(context.claims, context.policy, context.procedure)
    premises = (_independent(context, runs), labels_fixed(observed), _carried(earlier["state.stateless"]))
    value = 0.0 if all(premise.holds is True for premise in premises) else None
    false = tuple(premise for premise in premises if premise.holds is False)
    unmet = false or tuple(premise for premise in premises if premise.holds is None)
    removed = [each.removed for each in observed.deleted]
    derived = Derived(
        theorem=None if value is None else "twins",
        order=aim.order,
        epsilon_dd=value,
        epsilon_dp=None,
        reason=Message("deletion.renyi.false", {"premises": named(unmet)}) if unmet else None,
        mend=Message("deletion.renyi.fixes", {"fixes": fixes(unmet)}) if fixes(unmet) else None,
        settings=Sizes(
            rows=context.case.training_records - sum(removed[:-1]),
            parameters=observed.parameter_count,
            largest_batch=max(removed),
        ),
        premises=premises,
        cost=Cost(
            gradients_learning=None,
            gradients_unlearning=None,
            saved_share=None,
            seconds_retraining=observed.seconds_retraining,
            seconds_unlearning=observed.seconds_unlearning,
        ),
        sources=aim.sources,
        twins=_twins(runs),
    )
    return Finding(
        status=status_of(derived, value, aim),
        value=value,
        threshold=aim.threshold,
        reasons=_reasons(runs, derived, aim),
        derived=derived,
    )


def status_of(derived: Derived, value: float | None, aim: Goal) -> Status:
    """A false premise fails; a measured ε is held against the threshold."""
    return Status.FAIL if derived.false else decide_at_most(value, aim.threshold)


def _independent(context: Context, runs: CounterfactualRuns) -> Premise:
    name, fix = "release-independent", Message("premise.release-independent.fix")
    if context.procedure.hands_model_on:
        return Premise(name=name, holds=None, found=Message("premise.release-independent.none"), how=Provenance.UNKNOWN, mend=fix)
    if runs.reason is not None:
        fix = Message("premise.release-independent.comparable.fix")
        return Premise(name=name, holds=None, found=runs.reason, how=Provenance.UNKNOWN, mend=fix)
    if not runs.same:
        found = Message("premise.release-independent.differs", {"by_file": runs.by_file, "batch": runs.differs_after})
        return Premise(name=name, holds=None, found=found, how=Provenance.UNKNOWN, mend=fix)
    found = Message("premise.release-independent.same", {"runs": runs.runs, "replacements": _replacements(runs)})
    return Premise(name=name, holds=True, found=found, how=Provenance.MEASURED)


def _carried(state: Finding) -> Premise:
    """That nothing but the model is carried on: as the experiment found, which can refute it and never prove it."""
    name = "stateless"
    if state.status is Status.FAIL:
        fix = Message("premise.stateless.fix")
        return Premise(name=name, holds=False, found=Message("premise.stateless.carried"), how=Provenance.REFUTED, mend=fix)
    if state.status is Status.PASS:
        if isinstance(state.derived, State) and state.derived.by_construction:
            return Premise(name=name, holds=True, found=Message("premise.stateless.by-construction"), how=Provenance.COMPUTED)
        return Premise(name=name, holds=True, found=Message("premise.stateless.not-refuted"), how=Provenance.MEASURED)
    fix = Message("premise.stateless.not-shown.fix")
    return Premise(name=name, holds=None, found=Message("premise.stateless.not-shown"), how=Provenance.UNKNOWN, mend=fix)


def _replacements(runs: CounterfactualRuns) -> tuple[Message, ...]:
    return tuple(Message("deletion.replacement", {"kind": each}) for each in runs.replacements)


def _twins(runs: CounterfactualRuns) -> Twins:
    return Twins(
        runs=runs.runs,
        replacements=_replacements(runs),
        same=runs.same,
        reason=runs.reason,
        differs_after=runs.differs_after,
        difference=runs.difference,
        by_file=runs.by_file,
        before_too=runs.before_too,
    )


def _reasons(runs: CounterfactualRuns, derived: Derived, aim: Goal) -> tuple[Message, ...]:
    found = []
    if runs.same:
        found.append(Message("deletion.renyi.measured", {"runs": runs.runs}))
        if all(premise.holds is True for premise in derived.premises):
            found.append(Message("deletion.renyi.measured-zero"))
    if derived.false:
        found.append(Message("deletion.renyi.false-measured", {"premises": named(derived.false)}))
    if derived.open:
        found.append(Message("deletion.renyi.not-shown", {"found": [premise.found for premise in derived.open]}))
    if aim.threshold is None:
        found.append(Message("deletion.no-threshold"))
    return tuple(found)
