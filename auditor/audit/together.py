"""Everything that a run observes: all families are planned, their jobs run side by side, and the answers read."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from auditor.audit.how import How
from auditor.audit.replay import Replay, Replaying
from auditor.base.domain import Reason, Status
from auditor.case import Case
from auditor.parts.controllers.observing.histories import learner
from auditor.parts.data_deletion import observing as deletion
from auditor.parts.data_deletion.judging import state_stateless
from auditor.parts.data_deletion.observing import chain_counts, requesting, stateless
from auditor.parts.networks.judging import training_privacy
from auditor.parts.networks.observing import privacy
from auditor.parts.release.judging import release_exact, release_remembers
from auditor.parts.release.observing import own_file, released_file, rerun
from auditor.parts.release.observing import release_remembers as remembering
from auditor.parts.release.observing.clean_room.experiment import CleanRooms, looking
from auditor.parts.removal.observing import certified
from auditor.parts.revealing.judging.inference import example
from auditor.parts.revealing.observing import difference, log_attack, reconstructing
from auditor.parts.revealing.observing.deleting import inference
from auditor.parts.store.judging import data_erased
from auditor.parts.store.observing import erasure
from auditor.parts.swap import observing as swap
from auditor.parts.swap.judging import epsilon_consistency
from auditor.parts.swap.judging.game import PLAYED
from auditor.parts.usefulness.judging import utility_accuracy
from auditor.parts.usefulness.observing import accuracy, cost
from auditor.sandbox import Answer
from auditor.verdict.checks import definitions
from auditor.verdict.checks.context import Context
from auditor.verdict.checks.deleting import asked as asked_for
from auditor.verdict.checks.finding import Finding, Values, skipped
from auditor.verdict.judgement import judge_one


class Observing:
    """The families of one audit, stage by stage: what was found decides what is run next.

    First the log is replayed and the release held against a clean room. Then comes what that left open: whether anything but the
    model is carried on, runs with other records, and the game of the SWAP test, which nobody needs whose release is exact; a
    game that the policy asks for all the same runs alongside the replay.

    Attributes:
        jobs: Everything that can run side by side from the start.
    """

    def __init__(self, case: Case, context: Context, how: How) -> None:
        """Plan every family that is wanted."""
        self._case, self._context, self._how = case, context, how
        seed, quick, level, where = how.seed, how.quick, how.level, how.where
        replays = how.wants(each for each, known in definitions().items() if known.replays)
        self._looking = looking(case, context, seed=seed) if how.wants((release_exact.CARD.id, data_erased.CARD.id)) else None
        both = how.wants((example.CARD.id,)) and (log_attack.seen_by_somebody(case) or asked_for(context, example.CARD.id))
        self._replaying = (
            Replaying(case, seed=seed, level=level, where=where, looking=self._looking, attacked=both) if replays else None
        )
        self._test = self._game() if self._looking is None or self._played_anyway() else None
        self._trial = stateless.Trial(case, seed=seed, level=level, where=where) if how.wants((stateless.ID,)) else None
        self._requester = requesting.plan(case, seed=seed, quick=quick, level=level) if how.wants(requesting.ANSWERED) else None
        asked = state_stateless.counts(context.claims, context.policy, context.procedure) or self._looking is None
        families = (self._replaying, self._test, self._trial if asked else None, self._requester)
        self._planned = [() if each is None or isinstance(each, swap.Outcome) else each.jobs for each in families]
        self.jobs = tuple(job for jobs in self._planned for job in jobs)

    @property
    def enters_clean_rooms(self) -> bool:
        """Whether the release is held against a clean room, which decides what is run after it."""
        return self._looking is not None

    @property
    def rows_of_probe(self) -> int:
        """How many rows each model is asked about that is held against a clean room's."""
        return 0 if self._looking is None else len(self._looking.probe.features)

    @property
    def game_waits(self) -> bool:
        """Whether it is the clean rooms that decide on a game."""
        return self._looking is not None and self._test is None

    def observe(self, answers: Sequence[tuple[Answer, ...]]) -> dict[str, Values]:
        """What was seen, by check id.

        Args:
            answers: To `jobs`.

        Raises:
            ProcedureError: If the procedure failed.
            SandboxError: If the sandbox did.
        """
        flat = iter(answers)
        replays, games, offers, asked = ([next(flat) for _ in jobs] for jobs in self._planned)
        how, seen = self._how, dict[str, Values]()
        replay = None
        if self._replaying is not None:
            replay, exact = self._entered(self._replaying, self._replaying.read(replays))
            seen[release_exact.CARD.id] = exact
            loaded = released_file.observe(self._case, replay, run=how.run, level=how.level, where=how.where)
            own = own_file.observe(self._case, replay, exact, run=how.run, level=how.level, where=how.where)
            file, loaded = (None, loaded) if own is None else own
            seen |= rerun.observe(self._case, replay, loaded, file)
            seen |= cost.observe(replay)
            seen |= certified.observe(self._case, replay)
            seen |= difference.observe(self._case, replay, seed=how.seed)
            seen[data_erased.CARD.id] = erasure.observe(self._case, replay)
            seen[training_privacy.CARD.id] = privacy.observe(self._case, replay)
        if self._trial is not None:
            seen[stateless.ID] = self._tried(self._trial, offers, seen, replay)
        played = self._played(games, seen)
        if played is not None:
            seen |= played.observed
        if replay is not None and how.wants((release_remembers.CARD.id,)) and self._open(seen):
            attacked = remembering.observe(
                self._case, replay, seed=how.seed, quick=how.quick, level=how.level, where=how.where, run=how.run
            )
            seen[release_remembers.CARD.id] = attacked
        if replay is not None:
            unseen = None if played is None else played.unseen
            counted_right = accuracy.count(self._case, replay.asked, replay.predicted, replay.retrained_predicted, unseen)
            seen[utility_accuracy.CARD.id] = counted_right
        on_log = None if replay is None else log_attack.observe(self._case, replay.attacked, seed=how.seed)
        seen |= inference.observe(self._case, self._context, how, log=on_log)
        seen |= reconstructing.observe(self._case, self._context, how)
        seen |= learner.observe(self._case, self._context, how)
        counted = None if self._requester is None else self._requester.observe(asked, how.run(self._requester.guessing(asked)))
        if how.wants((epsilon_consistency.CARD.id,)):
            reached = None if played is None else played.reached
            seen[epsilon_consistency.CARD.id] = epsilon_consistency.Observed(
                swap=reached, games=counted, simulated=self._chains()
            )
        if replay is not None and how.wants(deletion.IDS):
            runs = None
            if deletion.needs_counterfactual_runs(self._case, replay):
                runs = deletion.compare(self._case, replay, seed=how.seed, level=how.level, where=how.where, run=how.run)
            seen |= deletion.observe(self._case, replay, runs=runs, games=counted)
        return seen

    def _entered(self, replaying: Replaying, replay: Replay) -> tuple[Replay, release_exact.Observed]:
        """Hold the replay against clean rooms, whose model is the retrained one from then on."""
        how = self._how
        if self._looking is None:
            return replay, release_exact.Observed()
        rooms = CleanRooms(self._case, self._context, replay, self._looking.probe, level=how.level, where=how.where, run=how.run)
        exact, retrained = rooms.observe()
        same = retrained is not None and retrained.same_parameters
        between = 0.0 if same else None
        if not same and self._case.model_file is not None:
            between = replaying.difference(replay.trajectory, how.run([replaying.again])[0])
        replay = replace(replay, self_check_difference=between)
        if retrained is not None:
            replay = replace(replay, retrain_seconds=retrained.seconds, retrained_predicted=retrained.predicted)
        return replay, exact

    def _tried(
        self,
        trial: stateless.Trial,
        offers: Sequence[tuple[Answer, ...]],
        seen: Mapping[str, Values],
        replay: Replay | None,
    ) -> state_stateless.Observed:
        """Try whether anything but the model is carried on, where somebody asks for it."""
        context, exact, run = self._context, seen.get(release_exact.CARD.id), self._how.run
        if self._looking is not None and not state_stateless.counts(context.claims, context.policy, context.procedure):
            if not (isinstance(exact, release_exact.Observed) and release_exact.asks_for_state(context, exact)):
                return state_stateless.Observed(untried=Reason("state.stateless.not-asked"))
            offers = run(trial.jobs)
        probe = None if self._looking is None else self._looking.probe
        return trial.observe(offers, run=run, replay=replay, probe=probe, of_log=state_stateless.updates_of_log(context))

    def _open(self, seen: Mapping[str, Values]) -> bool:
        """Whether the release has to be attacked: it is not known to be what training without the deleted records gives."""
        return release_remembers.applies(self._context, self._exact(seen)) is None

    def _exact(self, seen: Mapping[str, Values]) -> Mapping[str, Finding]:
        """What the clean rooms come to."""
        context, exact = self._context, release_exact.CARD.id
        if self._looking is None:
            return {exact: skipped(Reason("left-out"))}
        before = {stateless.ID: judge_one(definitions()[stateless.ID], context, seen.get(stateless.ID), {})}
        return {exact: judge_one(release_exact.CHECK, context, seen.get(exact), before)}

    def _played(self, games: Sequence[tuple[Answer, ...]], seen: Mapping[str, Values]) -> swap.Outcome | None:
        """The game of the SWAP test, where one applies."""
        how, test = self._how, self._test
        if self.game_waits:
            if not self._applies(self._exact(seen)):
                return None
            test = self._game()
            games = how.run(test.jobs) if isinstance(test, swap.SwapTest | swap.OneRunTest) else ()
        return test.read(games, on_step=how.on_step) if isinstance(test, swap.SwapTest | swap.OneRunTest) else test

    def _applies(self, exact: Mapping[str, Finding]) -> bool:
        """Whether some check asks for a game after what the clean rooms came to."""
        return any(definitions()[each].applies(self._context, exact) is None for each in PLAYED)

    def _played_anyway(self) -> bool:
        """Whether a game is played even where the release proves exact: then it need not wait for the clean rooms."""
        exact = release_exact.CARD.id
        untried = definitions()[exact].applies(self._context, {})
        return self._applies({exact: Finding(Status.PASS) if untried is None else skipped(untried)})

    def _game(self) -> swap.SwapTest | swap.OneRunTest | swap.Outcome | None:
        how = self._how
        if not how.wants(swap.IDS):
            return None
        return swap.plan(self._case, seed=how.seed, quick=how.quick, level=how.level, where=how.where, looking=self._looking)

    def _chains(self) -> epsilon_consistency.observed.Simulated | None:
        how = self._how
        return chain_counts.observe(self._case, seed=how.seed, quick=how.quick, workers=how.workers, on_step=how.on_step)


def observe(case: Case, context: Context, how: How) -> Mapping[str, Values]:
    """Plan, run, and read what is wanted.

    Raises:
        ProcedureError: If the procedure failed.
        SandboxError: If the sandbox did.
        InputError: If the log leaves nothing to learn from.
    """
    planned = Observing(case, context, how)
    return planned.observe(how.run(planned.jobs))
