"""What deletions reveal: games that somebody asks for, and attacks on the log's own releases where somebody sees both of them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final

from auditor.audit.forecast import BATCHED, Ahead, Forecast
from auditor.audit.replay import Replay, forgotten_of
from auditor.audit.stages import Measuring, Run, Stage
from auditor.parts.revealing.judging import inference_difference
from auditor.parts.revealing.judging.inference import example, instance
from auditor.parts.revealing.judging.reconstruction import instance as rebuilt_instance
from auditor.parts.revealing.judging.reconstruction import label, sentence
from auditor.parts.revealing.observing import difference, log_attack, reconstructing
from auditor.parts.revealing.observing.deleting import inference
from auditor.parts.revealing.observing.deleting.asking import fast
from auditor.parts.revealing.observing.deleting.inference import SHADOW_GAMES
from auditor.parts.revealing.observing.deleting.shadows import PAIRS
from auditor.parts.revealing.observing.reconstructing import sentences
from auditor.parts.revealing.observing.reconstructing.remedies import SEVERALS
from auditor.sandbox import Answer
from auditor.sandbox.jobs import Job
from auditor.verdict.checks.deleting import QUICK_GAMES, asked
from auditor.verdict.checks.finding import Values


class Difference(Measuring):
    """What the difference of two parameter vectors says, batch by batch."""

    checks = (inference_difference.CARD.id,)

    def measure(self, replay: Replay) -> Mapping[str, Values]:
        """Play on the models of the replay."""
        return difference.observe(self.run.case, replay, seed=self.run.how.seed)


class Inference(Stage):
    """Games of deletion inference, and the attack on the releases of the log itself."""

    checks = (example.CARD.id, instance.CARD.id)

    def __init__(self, run: Run) -> None:
        """Leave the log's own releases alone."""
        super().__init__(run)
        self._questions: tuple[log_attack.Questions | None, ...] = ()

    def prepare(self) -> None:
        """Have the models before and after each batch asked about its records among decoys, where somebody sees both."""
        run, name = self.run, example.CARD.id
        if run.how.wants((name,)) and (log_attack.seen_by_somebody(run.case) or asked(run.context, name)):
            self._questions = log_attack.draw(run.case, forgotten_of(run.case), seed=run.how.seed)
            run.around = tuple(None if each is None else each.rows for each in self._questions)

    def observe(self, answers: Sequence[tuple[Answer, ...]]) -> Mapping[str, Values]:
        """Attack what the replay's models said, and play the games that are asked for."""
        del answers
        run, on_log = self.run, None
        if run.replay is not None:
            given = tuple(
                log_attack.Answered(questions, around.before, around.after)
                for questions, around in zip(self._questions, run.replay.around, strict=False)
                if questions is not None and around is not None
            )
            on_log = log_attack.observe(run.case, given, seed=run.how.seed)
        return inference.observe(run.case, run.context, run.how, log=on_log)

    def foresee(self, forecast: Forecast, jobs: Sequence[Job]) -> Iterator[Ahead]:
        """Give the games that somebody asks for."""
        del jobs
        run = self.run
        knowing = [each for each in self.checks if run.how.wants((each,)) and asked(run.context, each)]
        if knowing:
            played = _games(run) + SHADOW_GAMES
            # Those of one's own are asked for once before and once after the one in question.
            deletions = run.context.inference.deletions
            own = 2 * deletions * _games(run) if deletions > 1 else 0
            yield _row(run, forecast, "deletion inference games", knowing, played=played, shadow=2 * PAIRS, own=own)


class Reconstruction(Stage):
    """Games of reconstruction."""

    checks = (label.CARD.id, rebuilt_instance.CARD.id, sentence.CARD.id)

    def observe(self, answers: Sequence[tuple[Answer, ...]]) -> Mapping[str, Values]:
        """Play those that somebody asks for."""
        del answers
        return reconstructing.observe(self.run.case, self.run.context, self.run.how)

    def foresee(self, forecast: Forecast, jobs: Sequence[Job]) -> Iterator[Ahead]:
        """Give a row for the games of each check."""
        del jobs
        run = self.run
        for check_id in forecast.asked:
            if check_id in self.checks and asked(run.context, check_id):
                if check_id == sentence.CARD.id:
                    yield from _sentences(run, forecast)
                else:
                    yield _row(run, forecast, check_id, (check_id,), played=_games(run))


def _games(run: Run) -> int:
    games = run.context.inference.games
    return min(games, QUICK_GAMES) if run.how.quick else games


def _row(run: Run, forecast: Forecast, name: str, checks: Iterable[str], *, played: int, shadow: int = 0, own: int = 0) -> Ahead:
    """A row of games, each a training and a deletion, with the trainings of shadow models and further deletions alongside."""
    case, pace = run.case, forecast.pace
    # The controller's own code gets a process for each game, for it must not see two.
    start = pace.start if case.settings.procedure.foreign else 0.0
    here = fast(case)
    one = BATCHED * pace.learn if here else (start + pace.learn + pace.unlearn) / forecast.workers
    kept = 0 if here else None
    further = own * pace.unlearn / (1 if here else forecast.workers)
    seconds, unlearnings = played * one + further, played + own
    return forecast.row(name, trainings=played + shadow, unlearnings=unlearnings, seconds=seconds, checks=checks, kept=kept)


def _sentences(run: Run, forecast: Forecast) -> Iterator[Ahead]:
    """The games of sentences, which this process plays one after another, and those under remedies."""
    one = sentences.seconds_of_a_game(run.case, seed=run.how.seed)
    if one is None:
        return
    games, checks = _games(run), (sentence.CARD.id,)
    again, ways = sentences.remedied(games), 2 + len(SEVERALS)
    yield forecast.row(sentences.PROGRESS, trainings=games, unlearnings=games, seconds=games * one.alone, checks=checks, kept=0)
    yield forecast.row(
        sentences.REMEDIED,
        trainings=(ways + 1) * again,
        unlearnings=(ways - 1) * again,
        seconds=again * one.remedied,
        checks=checks,
        kept=0,
        if_revealed=True,
    )


STAGES: Final = (Difference, Inference, Reconstruction)
