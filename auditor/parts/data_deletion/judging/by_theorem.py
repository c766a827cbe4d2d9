"""Data deletion of noisy gradient descent: what a theorem gives for the settings, and whether every premise of it holds."""

from __future__ import annotations

from typing import Any

from auditor.base.domain import Certificate, Message, Provenance, Status
from auditor.parts.data_deletion.judging import consequences
from auditor.parts.data_deletion.judging import noise as noises
from auditor.parts.data_deletion.judging.bounds import Bounds, Setting, bounds, setting_of
from auditor.parts.data_deletion.judging.derived import Derived, DescentSettings, Premise, Steps
from auditor.parts.data_deletion.judging.goals import Goal, goal
from auditor.parts.data_deletion.judging.observed import Observed
from auditor.parts.data_deletion.judging.premises import premises
from auditor.settings.facets import NoisyDescent
from auditor.verdict.checks.context import Context
from auditor.verdict.checks.finding import Earlier, Finding
from auditor.verdict.decisions import decide_at_most


def judge(context: Context, procedure: NoisyDescent, observed: Observed, earlier: Earlier) -> Finding:
    """Give the ε that a deleted record keeps, where every premise holds.

    Args:
        context: What was declared.
        procedure: Its table.
        observed: What the rerun showed, with a batch at least.
        earlier: The finding of `state.stateless`.
    """
    run = observed.descent
    if run is None or observed.parameter_count is None:
        raise AssertionError("the built-in procedure offers parameters(), and its steps are counted")
    aim = goal(context.claims, context.policy, context.procedure)
    removed = [each.removed for each in observed.deleted]
    setting = setting_of(
        procedure,
        order=aim.order,
        rows=context.case.training_records - sum(removed[:-1]),
        parameters=observed.parameter_count,
        largest_batch=max(removed),
        updates=len(removed) - 1,
    )
    found = bounds(setting, tradeoff=context.policy.use_gaussian_tradeoff)
    noise = None if run.noise is None else noises.judged(procedure.sigma2, run.noise)
    looked = premises(context, procedure, setting.declared, observed, run, source=found.source, noise=noise, earlier=earlier)
    false = tuple(each for each in looked if each.holds is False)
    value = None if false else found.epsilon_dd
    further, certificates = _consequences(context, observed, setting, found, aim, false=bool(false))
    reason, mend = found.reason, found.fix
    if false:
        reason = Message("deletion.renyi.false", {"premises": named(false)})
        mend = Message("deletion.renyi.fixes", {"fixes": fixes(false)})
    derived = Derived(
        theorem=found.source,
        order=setting.order,
        epsilon_dd=value,
        epsilon_dp=None if false else found.epsilon_dp,
        reason=reason,
        mend=mend,
        settings=_settings(procedure, setting),
        premises=looked,
        noise=noise,
        steps=Steps(declared=(procedure.learn_steps, procedure.unlearn_steps), counted=run.steps),
        sources=aim.sources,
        **further,
    )
    status = status_of(derived, value, aim, foreign=procedure.foreign)
    return Finding(
        status=status,
        value=value,
        threshold=aim.threshold,
        reasons=_reasons(derived, setting, aim, status, foreign=procedure.foreign),
        derived=derived,
        certificates=(*found.certificates, *certificates),
    )


def status_of(derived: Derived, value: float | None, aim: Goal, *, foreign: bool) -> Status:
    """The status of a value that rests on the premises: a false one fails, and an open one leaves open what would pass."""
    if derived.false:
        return Status.FAIL
    status = decide_at_most(value, aim.threshold)
    return Status.INCONCLUSIVE if status is Status.PASS and (derived.open or foreign) else status


def named(rows: tuple[Premise, ...]) -> list[dict[str, Any]]:
    """Premises and what was found of them, as parameters of a reason."""
    return [{"name": each.name, "found": each.found} for each in rows]


def fixes(rows: tuple[Premise, ...]) -> list[Message]:
    """What would make the premises hold."""
    return [each.mend for each in rows if each.mend is not None]


def _consequences(
    context: Context, observed: Observed, setting: Setting, found: Bounds, aim: Goal, *, false: bool
) -> tuple[dict[str, Any], tuple[Certificate, ...]]:
    """What the ε says in other words, where it stands."""
    left = context.case.training_records - sum(each.removed for each in observed.deleted)
    cost = consequences.cost(setting, observed, left)
    if false or found.epsilon_dd is None:
        return {"cost": cost, "curve": () if false else consequences.curve(setting)}, ()
    rows = consequences.orders(setting, found)
    membership, conversions, certificates = consequences.in_other_words(rows, context.policy.max_delta, source=found.source)
    gaussian, beside = consequences.gaussian(setting)
    utility, proved = consequences.utility(setting, aim.threshold)
    extra = tuple(each for each in beside if each not in found.certificates)
    return {
        "orders": rows,
        "membership": membership,
        "conversions": conversions,
        "gaussian": gaussian,
        "curve": consequences.curve(setting),
        "batches": consequences.batches(setting, found, observed, context.case.training_records),
        "cost": cost,
        "utility": utility,
    }, (*extra, *certificates, *proved)


def _settings(procedure: NoisyDescent, setting: Setting) -> DescentSettings:
    return DescentSettings(
        loss=procedure.loss or procedure.model or procedure.entry,
        clip=procedure.clip,
        loss_cap=procedure.loss_cap,
        lipschitz=setting.declared.lipschitz,
        smoothness=setting.declared.smoothness,
        l2=procedure.l2,
        sigma2=procedure.sigma2,
        rate=setting.declared.rate,
        learn_steps=procedure.learn_steps,
        unlearn_steps=procedure.unlearn_steps,
        rows=setting.rows,
        parameters=setting.parameters,
        largest_batch=setting.largest_batch,
        steps_with_record=setting.steps_with,
    )


def _reasons(derived: Derived, setting: Setting, aim: Goal, status: Status, *, foreign: bool) -> tuple[Message, ...]:
    """How the value came about, or why there is none."""
    if derived.false:
        return (Message("deletion.renyi.false-premise", {"why": derived.reason, "fix": derived.mend}),)
    if derived.epsilon_dd is None:
        return (Message("deletion.renyi.no-epsilon", {"why": derived.reason, "fix": derived.mend}),)
    found = [
        Message("deletion.renyi.epsilon", {"order": setting.order, "source": derived.theorem}),
        Message("deletion.renyi.steps", {"steps": setting.unlearn_steps, "rows": setting.rows}),
    ]
    if aim.threshold is None:
        found.append(Message("deletion.no-threshold"))
    if derived.open:
        found.append(Message("deletion.renyi.not-known", {"premises": named(derived.open)}))
    if status is Status.INCONCLUSIVE and foreign:
        found.append(Message("deletion.renyi.foreign-network"))
    if status is Status.FAIL:
        found.append(Message("deletion.renyi.above"))
    attested = [each.name for each in derived.premises if each.how is Provenance.ATTESTED]
    if attested:
        found.append(Message("deletion.renyi.attested", {"names": attested}))
    return tuple(found)
