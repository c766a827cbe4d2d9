"""Small cases of noisy gradient descent, replays of them as an honest procedure would tell them, and what judges find."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

import replays
from auditor import case as cases
from auditor.audit.replay import Replay
from auditor.base.deletion_log.deletions import replayable
from auditor.base.domain import Certificate, Fact, Message, Provenance, Status
from auditor.case import Case
from auditor.pages.words.rendered_evidence import ToldCheck
from auditor.parts.data_deletion import observing as deletion
from auditor.parts.swap.judging.epsilon_consistency.observed import Games
from auditor.verdict.checks.differences import Counted
from auditor.verdict.checks.finding import Finding, skipped
from cases import rewrite_log
from judging import ToldFact, context_of_case, in_words, judge_some, told_check
from small_cases import ATTESTED, SECRET, problem, write_log

AUDIT = """
[case]
name = "small"

[data]
train = "train.npz"
task = "classification"

[procedure]
use = "noisy-gd"
{procedure}
seed = "{seed}"

[deletions]
log = "deletions.jsonl"

[swap]
alpha = 1e-9

{rest}
"""
LOGISTIC = """
loss = "logistic"
l2 = 0.05
sigma2 = 0.01
learn_steps = 200
unlearn_steps = 60
"""
"""The setting of the vectors: at n = 500 and q = 2 ε_dp is 0.064 and ε_dd 0.00525343991193."""
CAPPED = """
loss = "logistic"
loss_cap = 0.5
l2 = 0.5
sigma2 = 8.0
rate = 1e-7
learn_steps = 400000000
unlearn_steps = 300000000
"""
"""A setting that Theorem 5.2 speaks of."""
REQUESTER = '[requester]\nuse = "group-by-sign"\n'
"""Somebody who saw one model."""
CLAIM = f"[claims]\ndata_deletion = {{q = 2, epsilon = 0.1}}\n{ATTESTED}"


def write(
    folder: Path,
    *,
    procedure: str = LOGISTIC,
    rest: str = CLAIM,
    rows: int = 500,
    scale: float = 1.0,
    classes: int = 2,
    seed: int = SECRET,
    deleted: list[list[str]] | None = None,
    said: Sequence[int | None] = (),
    **log: Any,
) -> Case:
    """Write a case and read it: by default one record is deleted by somebody who had seen no model.

    Args:
        folder: An empty one.
        procedure: The keys of the table but `use` and `seed`.
        rest: Further tables.
        rows: n.
        scale: What the rows, of norm 1 at most, are multiplied by.
        classes: How many labels there are.
        seed: The procedure's.
        deleted: A request for each list of records; one record for each number in `said` where it is not given.
        said: The models that each requester had seen, None to leave it out of the row; 0 for everybody where it is empty.
        log: Further fields of every request.
    """
    features, labels = problem(rows, 4)
    if classes > 2:
        labels = np.arange(rows) % classes
    ids = np.array([f"rec-{index:04d}" for index in range(rows)])
    np.savez(folder / "train.npz", features=scale * features, labels=labels, ids=ids)
    (folder / "audit.toml").write_text(AUDIT.format(procedure=procedure, rest=rest, seed=seed), encoding="utf-8")
    requests = deleted or [[f"rec-{10 + index:04d}"] for index in range(max(1, len(said)))]
    write_log(folder, requests, **log)

    def change(rows: list[dict[str, Any]]) -> None:
        for row, number in zip(rows, said or [0] * len(rows), strict=True):
            row.update({} if number is None else {"seen_releases": number})

    rewrite_log(folder, change)
    return cases.read(folder)


def replay_of(case: Case, **changed: Any) -> Replay:
    """What the rerun of an honest procedure would be read as; `changed` goes into what it tells of every update."""
    procedure = case.settings.procedure.descent
    assert procedure is not None
    outputs = len(np.unique(case.train.labels)) if procedure.loss != "logistic" else 1
    size = outputs * case.train.features.shape[1]
    steps = [procedure.learn_steps, *[procedure.unlearn_steps] * len(replayable(case.requests, case.known_ids))]
    told = tuple(
        {"steps": count, "noise_count": count * size, "noise_variance": procedure.sigma2, "retrained": False, **changed}
        for count in steps
    )
    return replays.plain(
        case,
        trajectory=tuple(np.zeros(size) for _ in steps),
        retrained=(False,) * (len(steps) - 1),
        told=told,
        unlearn_seconds=1.0,
        retrain_seconds=3.0,
        self_check_difference=0.0,
    )


@dataclass(frozen=True)
class Judged:
    """What the judges of data deletion found, and how the evidence lists it."""

    findings: dict[str, Finding]
    checks: tuple[ToldCheck, ...]
    """`deletion.renyi`, `deletion.adaptive`."""

    @property
    def facts(self) -> tuple[Fact, ...]:
        """Of both."""
        return tuple(fact for each in deletion.IDS for fact in self.findings[each].facts)

    @property
    def known(self) -> dict[str, Provenance]:
        """How each fact of both is known."""
        return {fact.name: fact.how for fact in self.facts}

    @property
    def told_facts(self) -> tuple[ToldFact, ...]:
        """The same in words."""
        return in_words(self.facts)

    @property
    def certificates(self) -> tuple[Certificate, ...]:
        """Of both."""
        return tuple(certificate for each in deletion.IDS for certificate in self.findings[each].certificates)


def judged(case: Case, replay: Replay | None = None, *, state: Finding | Status | None = None, **observed: Any) -> Judged:
    """Observe a case and judge it.

    Args:
        case: The case.
        replay: What the rerun showed; that of an honest procedure where it is not given.
        state: What `state.stateless` found, or its status; it did not run where it is not given.
        observed: What else was observed: `runs`, `games`.
    """
    seen = deletion.observe(case, replay or replay_of(case), **observed)
    if state is None:
        state = skipped(Message("left-out"))
    before = {"state.stateless": Finding(state) if isinstance(state, Status) else state}
    findings = judge_some(context_of_case(case, only=deletion.IDS), seen, before)
    checks = tuple(told_check(each, findings[each], seen[each]) for each in deletion.IDS)
    return Judged(findings, checks)


def games(*, right: bool = True) -> Games:
    """The counts of a requester that named every world right, or none better than by guessing."""
    counted = Counted(hits=50 if right else 24, trials=50, other_hits=0 if right else 26, other_trials=50)
    return Games(counted=counted, fitted=100, own_guess=False, largest_request=1, replaces=True, rows_of_log=500)
