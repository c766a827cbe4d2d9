"""`deletion.renyi`: the ε that a deleted record keeps, and whether every premise of the theorem behind it holds."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from auditor.case import Case
from auditor.checks.deletion.bounds import Bounds, Setting, bounds, setting_of
from auditor.checks.deletion.goals import Goal, goal
from auditor.decisions import decide_at_most
from auditor.domain import Certificate, Check, Status
from auditor.observing.deletion import meaning
from auditor.observing.deletion.noise import Noise, measured
from auditor.observing.deletion.premises import Premise, counted, look
from auditor.observing.findings import TITLES
from auditor.observing.replay import Replay
from auditor.settings.noisy_gd import NoisyGd

ID = "deletion.renyi"
NOTHING_DELETED = "No executed request names a record of the training data: there is no deletion to judge."
NO_THRESHOLD = "No threshold: neither claim nor policy names an ε for it."
FOREIGN = (
    "The network is the controller's own: steps and noise were made in one process with its code, so that they are as declared "
    "is the controller's word."
)


@dataclass(frozen=True, slots=True)
class Judged:
    """What both checks of data deletion rest on."""

    setting: Setting
    bounds: Bounds
    premises: tuple[Premise, ...]
    noise: Noise | None
    goal: Goal
    foreign: bool

    @property
    def false(self) -> tuple[Premise, ...]:
        """The premises that were found false."""
        return tuple(premise for premise in self.premises if premise.holds is False)

    @property
    def open(self) -> tuple[Premise, ...]:
        """The premises that nobody could tell of."""
        return tuple(premise for premise in self.premises if premise.holds is None)

    @property
    def stands(self) -> bool:
        """Whether the theorem gives an ε, and none of its premises was found false."""
        return self.bounds.epsilon_dd is not None and not self.false

    def status(self, value: float | None) -> Status:
        """Of a value that rests on the premises: a false one fails, and an open one leaves open what would pass."""
        if self.false:
            return Status.FAIL
        status = decide_at_most(value, self.goal.threshold)
        return Status.INCONCLUSIVE if status is Status.PASS and (self.open or self.foreign) else status


def examine(case: Case, procedure: NoisyGd, replay: Replay, stateless: Check | None) -> Judged:
    """The setting that is certified, what the theorem gives for it, and its premises.

    Args:
        case: With an executed request for a record of the training data.
        procedure: Its table.
        replay: What the rerun observed.
        stateless: What the experiment on statelessness found, where it ran.
    """
    aim = goal(case.settings.claims, case.settings.policy, case.settings.procedure)
    noise = measured(replay.told, procedure.sigma2)
    if replay.trajectory is None:
        raise AssertionError("the built-in procedure offers parameters()")
    removed = [len(gone) for gone in replay.forgotten]
    setting = setting_of(
        procedure,
        order=aim.order,
        rows=len(case.train) - sum(removed[:-1]),
        parameters=int(replay.trajectory[0].size),
        largest_batch=max(removed),
        updates=len(removed) - 1,
    )
    found = bounds(setting, tradeoff=case.settings.policy.use_gaussian_tradeoff)
    premises = look(case, procedure, setting.declared, replay, source=found.source, noise=noise, stateless=stateless)
    return Judged(setting, found, premises, noise, aim, procedure.foreign)


def judge(case: Case, procedure: NoisyGd, replay: Replay, judged: Judged) -> tuple[Check, tuple[Certificate, ...]]:
    """The check, and every certificate behind its numbers."""
    value = judged.bounds.epsilon_dd if judged.stands else None
    beside, certificates = _numbers(case, replay, judged)
    status = judged.status(value)
    details = {
        "theorem": judged.bounds.source,
        "order": judged.setting.order,
        "epsilon_dd": value,
        "epsilon_dp": None if judged.false else judged.bounds.epsilon_dp,
        "reason": _reason(judged),
        "mend": _mend(judged),
        "settings": _settings(procedure, judged),
        "premises": [premise.details() for premise in judged.premises],
        **beside,
        "noise": None if judged.noise is None else judged.noise.details(),
        "steps": {"declared": [procedure.learn_steps, procedure.unlearn_steps], "counted": counted(replay.told)},
        "sources": list(judged.goal.sources),
    }
    check = Check(ID, TITLES[ID], status, value, None, judged.goal.threshold, _words(judged, value, status), details)
    return check, (*judged.bounds.certificates, *certificates)


def _numbers(case: Case, replay: Replay, judged: Judged) -> tuple[dict[str, Any], tuple[Certificate, ...]]:
    """What stands beside the ε, where it stands."""
    setting, found = judged.setting, judged.bounds
    left = len(case.train) - sum(map(len, replay.forgotten))
    always = {"cost": meaning.cost(setting, replay, left), "utility": None}
    if not judged.stands:
        empty: Mapping[str, Any] = {
            "orders": [],
            "membership": None,
            "conversions": [],
            "gaussian": None,
            "curve": [] if judged.false else meaning.curve(setting),
            "batches": [],
        }
        return {**empty, **always}, ()
    rows = meaning.orders(setting, found)
    told, certificates = meaning.in_words_of_others(rows, case.settings.policy.max_delta)
    gaussian, beside = meaning.gaussian(setting)
    utility, proved = meaning.utility(setting, judged.goal.threshold)
    known = {each.inputs.get("steps") for each in found.certificates if found.source == "gaussian"}
    extra = beside if setting.unlearn_steps not in known else ()
    return {
        "orders": rows,
        **told,
        "gaussian": gaussian,
        "curve": meaning.curve(setting),
        "batches": meaning.batches(setting, found, replay, len(case.train)),
        **always,
        "utility": utility,
    }, (*extra, *certificates, *proved)


def _settings(procedure: NoisyGd, judged: Judged) -> dict[str, Any]:
    setting = judged.setting
    return {
        "loss": procedure.loss or procedure.model or procedure.entry,
        "clip": procedure.clip,
        "loss_cap": procedure.loss_cap,
        "lipschitz": setting.declared.lipschitz,
        "smoothness": setting.declared.smoothness,
        "l2": procedure.l2,
        "sigma2": procedure.sigma2,
        "rate": setting.declared.rate,
        "learn_steps": procedure.learn_steps,
        "unlearn_steps": procedure.unlearn_steps,
        "rows": setting.rows,
        "parameters": setting.parameters,
        "largest_batch": setting.largest_batch,
        "steps_with_record": setting.steps_with,
    }


def _reason(judged: Judged) -> str | None:
    """Why there is no ε, in a sentence; None where there is one."""
    if judged.false:
        return "; ".join(f"{premise.name}: {premise.found}" for premise in judged.false)
    return judged.bounds.reason


def _mend(judged: Judged) -> str | None:
    if judged.false:
        return "; ".join(dict.fromkeys(premise.mend for premise in judged.false if premise.mend))
    return judged.bounds.mend


def _words(judged: Judged, value: float | None, status: Status) -> str:
    """The basis: how the value came about, or why there is none."""
    if judged.false:
        return f"A premise is false, so no theorem speaks of what ran. {_reason(judged)}. What would mend it: {_mend(judged)}."
    if value is None:
        mend = f" What would mend it: {judged.bounds.mend}." if judged.bounds.mend else ""
        return f"No ε: {judged.bounds.reason}.{mend}"
    setting = judged.setting
    source = "the Gaussian trade-off" if judged.bounds.source == "gaussian" else f"Theorem {judged.bounds.source}"
    words = [f"ε of one deleted record at order {setting.order:g} by {source}, against a run without it from the start."]
    words.append(f"{setting.unlearn_steps} steps follow a deletion; {setting.rows} records were there before one at the fewest.")
    if judged.goal.threshold is None:
        words.append(NO_THRESHOLD)
    if judged.open:
        words.append("Not known: " + "; ".join(f"{premise.name}: {premise.found}" for premise in judged.open) + ".")
    if status is Status.INCONCLUSIVE and judged.foreign:
        words.append(FOREIGN)
    if status is Status.FAIL:
        words.append("That is above the threshold: it takes more unlearning steps, more noise or more records.")
    attested = [premise.name for premise in judged.premises if premise.how.value == "attested"]
    if attested:
        words.append(f"Attested, not shown: {', '.join(attested)}.")
    return " ".join(words)
