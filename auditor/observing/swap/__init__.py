"""The SWAP test: how well can attacks tell what was forgotten from what was never seen (Tu, Hu and Ma)?

drawing    halves, swap pairs, reference models, seeds
rerunning  the game played in the sandbox;  convex: many models at once, for our own certified removal;  confusion: the IC test
played     what was seen of the models
scoring    the attacks on them, signed advantages pair by pair
quality    swap.quality, swap.strong, swap.controls;  reached: what epsilon.consistency reads
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from auditor.attacks import attacks
from auditor.case import Case
from auditor.checks.epsilon_consistency.observed import SwapGame
from auditor.domain import Check, Reason, Status
from auditor.jobs import Job
from auditor.observing.devices import Place
from auditor.observing.findings import TITLES, Findings, skipped
from auditor.observing.swap import convex
from auditor.observing.swap.confusion import Confusing, Confusion
from auditor.observing.swap.drawing import Game, UnplayableError, draw
from auditor.observing.swap.played import Played, Sight
from auditor.observing.swap.quality import Results, judge_controls, judge_quality, judge_strong
from auditor.observing.swap.reached import observe
from auditor.observing.swap.rerunning import Rerunning
from auditor.observing.swap.scoring import Adversaries, Attacked
from auditor.sandbox import Answer, Level

IDS = ("swap.quality", "swap.strong", "swap.controls", "epsilon.consistency")
"""The checks that the test says something of."""
ALWAYS_APPLY = frozenset({"swap.quality", "swap.controls"})
"""Ids that speak to every case, so that leaving them out leaves a question open.

Regression included: without the SWAP test nothing tells a procedure that retrains from one that does nothing.
"""
REFERENCE_PAIRS = 8
"""Eight complementary pairs of reference models give nine tenths of what two hundred find."""
MANY_REFERENCE_PAIRS = 64
"""Where models are trained together and data are small, more references cost next to nothing."""
_SMALL = 2_000_000
_QUICK_PAIRS = 5
_QUICK_REFERENCE_PAIRS = 4
_ATTACKING = "attacks"


def plan(case: Case, *, seed: int, quick: bool, level: Level, where: Place) -> SwapTest | Outcome:
    """Draw the game of a case and plan its runs; its outcome at once where there is nothing to play.

    Args:
        case: The case.
        seed: The auditor's own.
        quick: Play a short game, which decides nothing.
        level: The sandbox level that stands.
        where: What the procedure computes on.
    """
    if case.settings.data.task != "classification":
        reason = "The SWAP test speaks of classifiers; the case is a regression."
        return Outcome(Findings(tuple(skipped(check_id, reason) for check_id in IDS[:3])), None)
    try:
        game = _drawn(case, seed=seed, quick=quick)
    except UnplayableError as error:
        return _open(str(error))
    confusing = Confusing(case, game, seed=seed, level=level, where=where)
    rerunning = None if convex.applies(case) else Rerunning(case, game, level=level, where=where)
    return SwapTest(case, game, confusing, rerunning, seed, quick)


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of the test."""

    findings: Findings
    game: SwapGame | None
    """For `epsilon.consistency`."""
    not_played: Reason | None = None
    """Why there was no game."""


@dataclass(frozen=True, slots=True, eq=False)
class SwapTest:
    """The test on one case: what to run in the sandbox, and what comes of it."""

    case: Case
    game: Game
    confusing: Confusing
    rerunning: Rerunning | None
    """None where the game's models are trained together, in this process."""
    seed: int
    quick: bool

    @property
    def jobs(self) -> tuple[Job, ...]:
        """What to run."""
        return (*self.confusing.jobs, *(self.rerunning.jobs if self.rerunning else ()))

    def judge(self, answers: Sequence[tuple[Answer, ...]], *, on_step: Callable[[str, int, int], None]) -> Outcome:
        """Judge the game.

        Args:
            answers: To `jobs`.
            on_step: Told what goes on, the steps done and the steps in all.

        Raises:
            NoDeviceError: If a run did not use the CUDA device that was found.
            ProcedureError: If our own procedure cannot reach its declared tolerance.
            SandboxError: If a model gave no predictions.
        """
        mixing = len(self.confusing.jobs)
        mixed = self.confusing.read(answers[:mixing])
        if self.rerunning is not None:
            played = self.rerunning.read(answers[mixing:])
        else:
            played = convex.play(self.case, self.game, on_step=on_step)
        return _judged(self.case, self.game, played, mixed, seed=self.seed, quick=self.quick, on_step=on_step)


def _drawn(case: Case, *, seed: int, quick: bool) -> Game:
    settings = case.settings.swap
    small = convex.applies(case) and case.train.features.size <= _SMALL
    return draw(
        case.train,
        pairs=min(settings.pairs, _QUICK_PAIRS) if quick else settings.pairs,
        models=settings.models,
        alpha=settings.alpha,
        reference_pairs=_QUICK_REFERENCE_PAIRS if quick else MANY_REFERENCE_PAIRS if small else REFERENCE_PAIRS,
        seed=seed,
    )


def _judged(
    case: Case,
    game: Game,
    played: Played,
    mixed: Confusion | None,
    *,
    seed: int,
    quick: bool,
    on_step: Callable[[str, int, int], None],
) -> Outcome:
    chosen = {name: attack for name, attack in attacks().items() if name in (case.settings.swap.attacks or attacks())}
    codes = np.unique(case.train.labels, return_inverse=True)[1].astype(np.int64)
    adversaries = Adversaries(chosen, game, Sight(game, played, codes), seed=seed)
    kinds = {
        "procedure": played.unlearned,
        "do-nothing": played.learned,
        "retrained": played.retrained,
        "fresh": played.null(),
    }
    done, total = 0, len(kinds) * len(game.pairs)

    def count() -> None:
        nonlocal done
        done += 1
        on_step(_ATTACKING, done, total)

    scored = {kind: adversaries.score(models, on_pair=count) for kind, models in kinds.items()}
    named = {kind: adversaries.name_sides(models, kind=kind) for kind, models in kinds.items() if kind != "retrained"}
    results = Results(
        procedure=scored["procedure"],
        do_nothing=scored["do-nothing"],
        retrained=scored["retrained"],
        fresh=scored["fresh"],
        named=named["procedure"],
        named_do_nothing=named["do-nothing"],
        named_fresh=named["fresh"],
        confusion=mixed,
    )
    own = (
        judge_quality(case, game, adversaries, results, seed=seed, quick=quick),
        judge_strong(case, results, quick=quick),
        judge_controls(case, game, results, quick=quick),
    )

    def attacked(kind: str) -> Attacked:
        return Attacked(scored[kind], named[kind], adversaries.guess_members(kinds[kind]))

    reached = observe(
        case,
        game,
        unlearned=attacked("procedure"),
        learned=attacked("do-nothing"),
        null=attacked("fresh"),
        residual_bound=played.residual_bound,
    )
    return Outcome(Findings(own), reached)


def _open(reason: str) -> Outcome:
    def undecided(check_id: str) -> Check:
        return Check(check_id, TITLES[check_id], Status.INCONCLUSIVE, None, None, None, f"Not shown: {reason}.")

    without = skipped("swap.strong", f"Not played: {reason}.")
    findings = Findings((undecided("swap.quality"), without, undecided("swap.controls")))
    return Outcome(findings, None, Reason("swap.unplayable", {"why": reason}))
