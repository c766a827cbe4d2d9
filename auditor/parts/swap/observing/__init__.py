"""The SWAP test: how well can attacks tell what was forgotten from what was never seen (Tu, Hu and Ma)?

drawing    halves, swap pairs, shadow models, seeds
one_run    a single run with canaries in the place of pairs
rerunning  the game played in the sandbox;  convex: many models at once, for our own certified removal;  confusion: the IC test
played     what was seen of the models
scoring    the attacks on them, signed advantages pair by pair
quality    what swap.quality, swap.strong and swap.controls take from the scores
reached    what epsilon.consistency takes as well
unseen     right predictions on records that no model met, for utility.accuracy
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from auditor.attacks import attacks
from auditor.audit.devices import Place
from auditor.audit.renamed_columns import Disguise
from auditor.audit.replay import Looking, forgotten_of
from auditor.base.records import Floats
from auditor.case import Case
from auditor.parts.swap.observing import convex, one_run, outcome
from auditor.parts.swap.observing.confusion import Confusing, Confusion
from auditor.parts.swap.observing.drawing import Game, UnplayableError, draw
from auditor.parts.swap.observing.model_outputs import Played, Sight
from auditor.parts.swap.observing.one_run import OneRunTest
from auditor.parts.swap.observing.outcome import Outcome, unseen
from auditor.parts.swap.observing.rerunning import Rerunning
from auditor.parts.swap.observing.scoring import Accepted, Adversaries, Attacked, Results, observe, without_game
from auditor.sandbox import Answer, Level
from auditor.sandbox.jobs import Job

__all__ = ["IDS", "MANY_REFERENCE_PAIRS", "REFERENCE_PAIRS", "OneRunTest", "Outcome", "SwapTest", "plan"]

IDS = ("swap.quality", "swap.strong", "swap.controls", "epsilon.consistency")
REFERENCE_PAIRS = 8
"""Eight complementary pairs of shadow models give nine tenths of what two hundred find."""
MANY_REFERENCE_PAIRS = 64
"""Where models are trained together and data are small, more references cost next to nothing."""
_SMALL = 2_000_000
_QUICK_PAIRS = 5
_QUICK_REFERENCE_PAIRS = 4
_ATTACKING = "attacks of the SWAP test"
_KINDS = 4
"""Kinds of models that are attacked: the procedure's, the baseline's, and retrained ones with fresh and equal seeds."""


def plan(
    case: Case,
    *,
    seed: int,
    quick: bool,
    level: Level,
    where: Place,
    looking: Looking | None = None,
    game: Game | None = None,
) -> SwapTest | OneRunTest | Outcome:
    """Draw the game of a case and plan its runs; its outcome at once where there is nothing to play.

    Args:
        case: The case.
        seed: The auditor's own.
        quick: Play a short game, which decides nothing.
        level: The sandbox level in force.
        where: What the procedure computes on.
        looking: How the replay examines its models: a game examines its own alike. None where it does not.
        game: What was drawn of this case by this seed before; None to draw it.
    """
    if case.settings.data.task != "classification":
        return Outcome({}, None)
    if case.settings.swap.mode == "one-run":
        return _single(case, seed=seed, level=level, where=where, looking=looking)
    try:
        game = _drawn(case, seed=seed, quick=quick) if game is None else game
    except UnplayableError as error:
        return Outcome(without_game(error.cause), None)
    disguise = Disguise(case, seed=seed)
    confusing = Confusing(case, game, disguise, seed=seed, level=level, where=where)
    rerunning = (
        None
        if case.settings.procedure.solved_together
        else Rerunning(case, game, disguise, level=level, where=where, looking=looking)
    )
    return SwapTest(case, game, confusing, rerunning, seed)


@dataclass(frozen=True, slots=True, eq=False)
class SwapTest:
    """The test on one case: what to run in the sandbox, and what comes of it."""

    case: Case
    game: Game
    confusing: Confusing
    rerunning: Rerunning | None
    """None where the game's models are trained together, in this process."""
    seed: int

    @property
    def jobs(self) -> tuple[Job, ...]:
        """What to run."""
        return (*self.confusing.jobs, *(self.rerunning.jobs if self.rerunning else ()))

    def read(self, answers: Sequence[tuple[Answer, ...]], *, on_step: Callable[[str, int, int], None]) -> Outcome:
        """Let the attacks at the models of the game.

        Args:
            answers: To `jobs`.
            on_step: Called with what goes on, the steps done and the steps in all.

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
        return _attacked(self.case, self.game, played, mixed, seed=self.seed, on_step=on_step)


def _single(case: Case, *, seed: int, level: Level, where: Place, looking: Looking | None) -> OneRunTest | Outcome:
    try:
        drawn = one_run.draw(case, seed=seed)
    except UnplayableError as error:
        return Outcome(without_game(error.cause), None)
    return OneRunTest(case, drawn, seed=seed, level=level, where=where, looking=looking)


def _drawn(case: Case, *, seed: int, quick: bool) -> Game:
    settings = case.settings.swap
    small = case.settings.procedure.solved_together and case.train.features.size <= _SMALL
    return draw(
        case.train,
        pairs=min(settings.pairs, _QUICK_PAIRS) if quick else settings.pairs,
        models=settings.models,
        alpha=settings.alpha,
        reference_pairs=_QUICK_REFERENCE_PAIRS if quick else MANY_REFERENCE_PAIRS if small else REFERENCE_PAIRS,
        seed=seed,
        log=tuple(map(len, forgotten_of(case))) if case.settings.procedure.foreign else (),
    )


def _attacked(
    case: Case,
    game: Game,
    played: Played,
    mixed: Confusion | None,
    *,
    seed: int,
    on_step: Callable[[str, int, int], None],
) -> Outcome:
    chosen = {name: attack for name, attack in attacks().items() if name in (case.settings.swap.attacks or attacks())}
    codes = np.unique(case.train.labels, return_inverse=True)[1].astype(np.int64)
    adversaries = Adversaries(chosen, game, Sight(game, played, codes), seed=seed)
    done, total = 0, (_KINDS + (played.learned is not None)) * len(game.pairs)

    def count() -> None:
        nonlocal done
        done += 1
        on_step(_ATTACKING, done, total)

    accepted: Accepted = {}

    def attacked(models: Floats, kind: str, accepting: Accepted | None = None) -> Attacked:
        scored = adversaries.score(models, on_pair=count, accepting=accepting)
        return Attacked(scored, adversaries.name_sides(models, kind=kind), adversaries.guess_members(models))

    results = Results(
        attacks=tuple(chosen),
        procedure=attacked(played.unlearned, "procedure", accepted),
        do_nothing=attacked(played.baseline, "do-nothing"),
        fresh=attacked(played.null(), "fresh"),
        control=adversaries.score(played.retrained, on_pair=count),
        undecided=adversaries.undecided(played.unlearned, accepted),
        confusion=mixed,
        learned=None if played.learned is None else attacked(played.learned, "learned"),
    )
    return Outcome(
        observe(case, game, results), outcome.observe(case, results, played.residual_bound), unseen(game, played, codes)
    )
