"""The game of the SWAP test, and every ε that attacks reached against those that are claimed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from auditor.audit.forecast import BATCHED, Ahead, Forecast
from auditor.audit.predicted import Unmet
from auditor.audit.replay import Looking
from auditor.audit.stages import Run, Stage
from auditor.base.domain import Status
from auditor.parts.swap import observing as swap
from auditor.parts.swap.judging import epsilon_consistency, quality
from auditor.parts.swap.judging.epsilon_consistency.observed import Games, Simulated, SwapGame
from auditor.parts.swap.judging.epsilon_consistency.one_run import foretell
from auditor.parts.swap.judging.game import EXACT, PLAYED
from auditor.parts.swap.observing.drawing import Game as Drawn
from auditor.sandbox import Answer
from auditor.sandbox.jobs import Job
from auditor.verdict.checks import definitions
from auditor.verdict.checks.card import Role
from auditor.verdict.checks.context import Context
from auditor.verdict.checks.differences import Foretold
from auditor.verdict.checks.finding import Finding, Values, skipped

_NAME: Final = "the SWAP game"
_RESTING: Final = frozenset({quality.CARD.id, epsilon_consistency.CARD.id})
"""The checks that read a single run."""


class Game(Stage):
    """The game, which nobody needs whose release is exact; one that the policy asks for all the same waits for nothing."""

    checks = swap.IDS
    after = (Role.EXACT, Role.STATELESS)
    hands = (SwapGame, Unmet)

    def __init__(self, run: Run) -> None:
        """Leave the game open until it is known what the replay's models are asked."""
        super().__init__(run)
        self._waits = False
        self._test: swap.SwapTest | swap.OneRunTest | swap.Outcome | None = None
        self._game: Drawn | None = None

    def plan(self) -> tuple[Job, ...]:
        """Plan the game, unless the clean rooms decide on it."""
        self._waits = self.run.looking is not None and not self._played_anyway()
        if not self._waits:
            self._test = self._drawn()
        return _jobs(self._test)

    def observe(self, answers: Sequence[tuple[Answer, ...]]) -> Mapping[str, Values]:
        """Play where one applies, and let the attacks at its models."""
        how = self.run.how
        if self._waits:
            if not self.is_open():
                return {}
            self._test = self._drawn()
            jobs = _jobs(self._test)
            answers = how.run(jobs) if jobs else ()
        test = self._test
        outcome = test.read(answers, on_step=how.on_step) if isinstance(test, swap.SwapTest | swap.OneRunTest) else test
        if outcome is None:
            return {}
        self.run.hand(outcome.reached)
        self.run.hand(None if outcome.unseen is None else Unmet(outcome.unseen))
        return outcome.observed

    def is_open(self) -> bool:
        """Ask the clean rooms, unless a game is played whatever they result in."""
        return not self._waits or self._applies(self.run.compared())

    def foresee(self, forecast: Forecast, jobs: Sequence[Job]) -> Iterator[Ahead]:
        """Give the game as one row, be it played in the sandbox or here."""
        del jobs
        how = self.run.how
        if not how.wants(self.checks):
            return
        planned = self._planned(None)
        if isinstance(planned, swap.SwapTest) and planned.rerunning is None:
            models = planned.game.pairs[0].learn_seeds.size * len(planned.game.pairs) + len(planned.game.references)
            yield forecast.row(
                _NAME,
                trainings=models,
                unlearnings=models // 2,
                seconds=BATCHED * models * forecast.pace.learn,
                checks=self.checks,
                kept=0,
                if_open=self._waits,
            )
        elif isinstance(planned, swap.SwapTest | swap.OneRunTest):
            yield forecast.of_jobs(_NAME, planned.jobs, self.checks, if_open=self._waits)

    @classmethod
    def refutable(cls, context: Context, asked: tuple[str, ...]) -> Foretold | None:
        """Say what a single run can refute, where one is asked for."""
        plays = context.swap.mode == "one-run" and context.classifies and not _RESTING.isdisjoint(asked)
        return foretell(context) if plays else None

    def _drawn(self) -> swap.SwapTest | swap.OneRunTest | swap.Outcome | None:
        return self._planned(self.run.looking) if self.run.how.wants(self.checks) else None

    def _planned(self, looking: Looking | None) -> swap.SwapTest | swap.OneRunTest | swap.Outcome:
        """Plan the game, which is drawn once, to be foreseen and to be played."""
        how, drawn = self.run.how, self._game
        found = swap.plan(
            self.run.case, seed=how.seed, quick=how.quick, level=how.level, where=how.where, looking=looking, game=drawn
        )
        if isinstance(found, swap.SwapTest):
            self._game = found.game
        return found

    def _applies(self, exact: Mapping[str, Finding]) -> bool:
        """Whether some check asks for a game after what the clean rooms result in."""
        return any(definitions()[each].applies(self.run.context, exact) is None for each in PLAYED)

    def _played_anyway(self) -> bool:
        """Whether a game is played even where the release proves exact: then it need not wait for the clean rooms."""
        untried = definitions()[EXACT].applies(self.run.context, {})
        return self._applies({EXACT: Finding(Status.PASS) if untried is None else skipped(untried)})


def _jobs(test: swap.SwapTest | swap.OneRunTest | swap.Outcome | None) -> tuple[Job, ...]:
    return tuple(test.jobs) if isinstance(test, swap.SwapTest | swap.OneRunTest) else ()


class Consistency(Stage):
    """What the games of all parts reached, for the check that compares it with every ε."""

    checks = (epsilon_consistency.CARD.id,)
    after = (SwapGame, Games, Simulated)

    def observe(self, answers: Sequence[tuple[Answer, ...]]) -> Mapping[str, Values]:
        """Put together what was handed over."""
        del answers
        run = self.run
        if not run.how.wants(self.checks):
            return {}
        found = epsilon_consistency.Observed(swap=run.handed(SwapGame), games=run.handed(Games), simulated=run.handed(Simulated))
        return {epsilon_consistency.CARD.id: found}


STAGES: Final = (Game, Consistency)
