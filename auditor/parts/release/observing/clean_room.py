"""Clean rooms: training where the deleted records never were, held against the replay, for `release.exact`.

looks       one model from every side, and two such looks item by item
experiment  what is trained, in which order, and what the answers mean
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from statistics import median
from typing import Final

import numpy as np
import numpy.typing as npt

from auditor.audit.comparisons import (
    Look,
    Moves,
    Probe,
    compare,
    kinds,
    look,
    merged,
    probe_of,
    same_answers,
    scalars_apart,
    steps,
)
from auditor.audit.devices import Place, require_same
from auditor.audit.predicted import HOLDOUT, MOVED, Predicted
from auditor.audit.replacing import log_steps, model_after, with_other_ids, with_others
from auditor.audit.replay import Looking, Replay, forgotten_of, limits_of, loses_labels, specification
from auditor.base.domain import Message
from auditor.base.draws import generator
from auditor.base.errors import ProcedureError
from auditor.base.records import Dataset, Part, Positions
from auditor.case import Case
from auditor.parts.release.judging.release_exact import (
    LEAST_OTHER_RUNS,
    Observed,
    applies,
    batches_to_compare,
    declares_retraining,
    reacts,
    thoroughly_compared,
)
from auditor.parts.release.judging.release_exact.observed import Carried, CleanRoom, Controls, Prepared, Reaction
from auditor.sandbox import Answer, Device, Learn, Level, Parameters, Predict, PredictRows, Save, State, Step, Walk
from auditor.sandbox.jobs import Job, Run
from auditor.verdict.checks.context import Context
from auditor.verdict.checks.differences import Compared

# Train in clean rooms, and hold the replay's models against what comes of it, for `release.exact`.
# A clean room is a fresh process whose tables hold no record and no id that was deleted by then: the rows that it is asked
# about cross once it has learned. What is run next depends on what was found: where the release equals the clean room's
# model, the learner is tried for whether it reacts; where it differs, the log is run with other records, and, where a
# difference would fail, the same training once more in three ways.
MOST_RERUNS: Final = 20
"""Batches up to which the log is run with other records."""
_SHARES_OF_ROWS: Final = (4, 2, 1)
"""The parts of the rows that tell whether a learner reacts: two trainings on a quarter of them cost half a one, and are mostly
enough. One that needs more records to learn anything, as a tree with large leaves does, is tried on half and on nearly all of
them before it is said not to react."""
_MODEL: Final = "release"
ROOMS: Final = "clean rooms"
OTHER_RECORDS: Final = "runs with other records"
_FIRST_SEED: Final = "clean rooms with the first seed"
_ONCE_MORE: Final = "the log once more"
_SINGLE_NUMBERS: Final = "the log once more for single numbers"
"""What progress and the plan of an audit call these jobs."""


@dataclass(frozen=True, slots=True, eq=False)
class Retrained:
    """The model of the clean room, as accuracy and time are held against it."""

    seconds: float
    predicted: Predicted
    same_parameters: bool
    """Whether its parameters are those of the replay, bit for bit."""


def looking(case: Case, context: Context, *, seed: int) -> Looking | None:
    """How to examine the replay's models; None where the release is not held against a clean room.

    Args:
        case: The case.
        context: The same as declared.
        seed: The auditor's own.
    """
    if applies(context, {}) is not None:
        return None
    forgotten = forgotten_of(case)
    everywhere = len(forgotten) if context.procedure.foreign else None
    return Looking(probe_of(case, forgotten, seed=seed), thoroughly_compared(context), everywhere)


class CleanRooms:
    """The clean rooms of one case, and what runs them."""

    def __init__(
        self,
        case: Case,
        context: Context,
        probe: Probe,
        asked: Mapping[str, Dataset],
        *,
        level: Level,
        where: Place,
        run: Run,
        last_alone: bool = False,
    ) -> None:
        """Keep the parts.

        Args:
            case: The case.
            context: The same as declared.
            probe: What the replay's models are asked about.
            asked: The tables that are asked about for their accuracy.
            level: The sandbox level in force.
            where: What the procedure computes on.
            run: Runs jobs side by side.
            last_alone: Whether nobody asks for more than the room of the last batch: that leaves `release.exact` open.
        """
        self._last_alone = last_alone
        self._case, self._context, self._probe, self._asked = case, context, probe, asked
        self._level, self._where, self._run = level, where, run
        self._seed = case.settings.procedure.seed
        self._forgotten = forgotten = forgotten_of(case)
        self._last = len(forgotten)
        self._thorough = thoroughly_compared(context)
        self._kept = tuple(
            np.setdiff1d(np.arange(len(case.train)), np.concatenate(forgotten[:number])) for number in range(1, self._last + 1)
        )
        self._rooms: dict[int, CleanRoom] = {}
        self._trained: dict[int, Look] = {}
        """By batch, the clean room's model that the release comes nearest to."""
        self._answered: dict[int, tuple[Answer, ...]] = {}
        """By batch, what its room answered with the batch's own seed."""
        self._seen: dict[tuple[int, str], Look] = {}
        self._own: dict[int, Look] = {}
        self._seen_first = Observed()
        """What was seen until the log would be run with other records."""

    @property
    def jobs(self) -> tuple[Job, ...]:
        """The clean rooms that are entered whatever the replay shows, and so run alongside it."""
        # Progress counts each by itself: the others begin once these have ended.
        return tuple(replace(room, may_fail=True, part_of=None) for room in self.entered(self._certain))

    @property
    def _certain(self) -> tuple[int, ...]:
        """The batches that are compared however long a training takes: the last one, then the drawn one where there is one."""
        wanted = batches_to_compare(self._context, Observed())[1]
        return (self._last, *(each for each in wanted if each != self._last and not self._last_alone))

    def compared(self, seconds_of_training: float, unchanged: tuple[int, ...] = ()) -> tuple[int, ...]:
        """List the batches whose rooms are entered."""
        if self._last_alone:
            return (self._last,)
        seen = Observed(seconds_of_training=seconds_of_training, unchanged=unchanged)
        return batches_to_compare(self._context, seen)[1]

    def entered(self, batches: Sequence[int]) -> list[Job]:
        """Plan the clean rooms of some batches, each with its own seed."""
        repeats = self._case.settings.procedure.timed_repeats
        return [self._room(number, self._seed + number, repeats=repeats if number == self._last else 1) for number in batches]

    def left_open(self) -> list[Job]:
        """Plan what runs where the last release is not what its clean room gives: with the first seed, and with other records."""
        # Under other ids too; and of code whose process is walked through twice more, for single numbers that move by themselves.
        runs = LEAST_OTHER_RUNS + (3 if self._context.procedure.foreign else 1)
        reruns = [self._rerun(self._last, self._case.train)] * runs
        return [self._with_first_seed(self._last), *reruns]

    def observe(
        self, replay: Replay, answers: Sequence[tuple[Answer, ...]] = (), *, patience_s: float = math.inf
    ) -> tuple[Observed | None, Retrained | None]:
        """Run what has to be run; the clean room's model is None where it could not be trained.

        Args:
            replay: What the rerun showed, with what its models were seen to hold.
            answers: To `jobs`, where they ran alongside it.
            patience_s: Where the log with other records would take longer, one run after another, it is left to `rest`, and
                nothing is observed yet.

        Raises:
            SandboxError: If a sandbox could not be set up or torn down.
        """
        self._replay = replay
        self._own = dict(replay.looks)
        removal = self._context.procedure.removal
        self._held = removal is None or removal.trains_again or (bool(replay.retrained) and replay.retrained[-1])
        """Whether the release is held against the clean room, which gives accuracy and time alone after a removal step."""
        nothing = Observed(retrained_last=bool(self._replay.retrained) and self._replay.retrained[-1])
        for each in answers:
            require_same(self._where, each)
        try:
            # A room that failed alongside the replay is entered again, where its failure counts.
            self._answered = {number: each for number, each in zip(self._certain, answers, strict=False) if each}
            self._enter((self._last,))
        except ProcedureError as error:
            return nothing.model_copy(update={"untried": Message("failed", {"message": str(error)})}), None
        retrained = self._retrained(self._answered[self._last], self._trained[self._last])
        if not self._held:
            return nothing, retrained
        seen = nothing.model_copy(
            update={
                "loses_labels": loses_labels(self._case, self._replay.forgotten),
                "seconds_of_training": retrained.seconds,
                "unchanged": self._unchanged(),
                "carried": self._carried(),
                "prepared": self._prepared(),
            }
        )
        try:
            wanted = self.compared(retrained.seconds, self._unchanged())
            self._enter(tuple(each for each in wanted if each != self._last))
        except ProcedureError as error:
            return seen.model_copy(update={"untried": Message("failed", {"message": str(error)})}), retrained
        self._seen_first = seen
        unlearned = (replay.unlearn_seconds or 0.0) * self._last
        if self._differing() and LEAST_OTHER_RUNS * (replay.learn_seconds + unlearned) > patience_s:
            return None, retrained
        return self.rest(), retrained

    def rest(self) -> Observed:
        """Ask what the comparisons leave open.

        Raises:
            SandboxError: If a sandbox could not be set up or torn down.
        """
        seen = self._seen_first
        try:
            reaction = self._look_further()
        except ProcedureError as error:
            return seen.model_copy(update={"untried": Message("failed", {"message": str(error)})})
        return seen.model_copy(update={"batches": tuple(self._rooms.values()), "reaction": reaction})

    def _unchanged(self) -> tuple[int, ...]:
        """Batches after which the model was the very one of before."""
        models = self._replay.looks
        return tuple(number for number in range(1, self._last + 1) if _very_same(models[number - 1], models[number]))

    def _enter(self, batches: tuple[int, ...]) -> None:
        """Train on what each batch leaves with its seed, unless that was done; where it gives another model, with the first one.

        Args:
            batches: By number.
        """
        left = [number for number in batches if number not in self._answered]
        self._answered |= zip(left, self._ran(self.entered(left)), strict=True)
        for number in batches:
            self._note(number, _of_model(self._answered[number], _MODEL), "seed_of_batch")
        again = [number for number in batches if self._held and _differs(self._rooms[number].seed_of_batch)]
        for number, told in zip(again, self._ran([self._with_first_seed(each) for each in again]), strict=True):
            self._note(number, _of_model(told, _MODEL), "first_seed")

    def _retrained(self, told: tuple[Answer, ...], trained: Look) -> Retrained:
        answered = {each.step.table: each.array for each in told if isinstance(each.step, Predict)}
        own = self._replay.looks[self._last].parameters
        same = own is not None and trained.parameters is not None and own.tobytes() == trained.parameters.tobytes()
        seconds = median(each.seconds for each in told if isinstance(each.step, Learn))
        return Retrained(seconds, Predicted(answered.get(HOLDOUT), answered.get(MOVED)), same_parameters=same)

    def _note(self, number: int, found: Look, which: str) -> None:
        """Hold the replay's model after a batch against another one."""
        own, found = self._alike(number, found)
        compared = compare(own, found)
        self._seen[number, which] = found
        if which == "seed_of_batch":
            cut = any(each.walked is not None and each.walked.cut for each in (own, found))
            objects = 0 if own.walked is None else len(own.walked.items)
            self._rooms[number] = CleanRoom(
                batch=number, compared=kinds(own, found), objects=objects, cut_short=cut, seed_of_batch=compared
            )
        else:
            self._rooms[number] = self._rooms[number].model_copy(update={which: compared})
        if number not in self._trained or (which == "first_seed" and not _differs(compared)):
            self._trained[number] = found

    def _alike(self, number: int, found: Look) -> tuple[Look, Look]:
        """The replay's model after a batch and another one, by what both were examined for."""
        own = self._replay.looks[number]
        if own.walked is not None:
            return own, found
        return Look(own.parameters, own.predictions), Look(found.parameters, found.predictions)

    def _look_further(self) -> Reaction | None:
        """Ask what the comparisons leave open."""
        self._explain_single_numbers()
        differing = self._differing()
        if differing:
            self._with_other_records(differing)
            differing = self._differing()
            if not differing:
                self._explain_single_numbers()
        if differing:
            otherwise = [each for each in differing if all(found.behaves_otherwise for found in self._rooms[each].tried)]
            if otherwise and declares_retraining(self._context):
                self._control(otherwise[0])
            elif otherwise and self._context.procedure.foreign:
                # Nothing fails here, but where training does not repeat itself the attacks decide: of the release, the last one.
                self._control(otherwise[-1])
            return None
        reaction = self._reaction()
        if not reacts(self._context, reaction):
            self._with_other_records(list(self._rooms))
        return reaction

    def _differing(self) -> list[int]:
        """Batches after which the release is the model of no clean room."""
        return [number for number, room in self._rooms.items() if all(map(_differs, room.rooms))]

    def _with_other_records(self, batches: list[int]) -> None:
        """Run the log up to each batch with other records in the place of those that were deleted by then, under the same ids."""
        chosen = sorted(batches, reverse=True)[:MOST_RERUNS]
        planned = [(number, draw) for number in chosen for draw in range(LEAST_OTHER_RUNS if number == self._last else 1)]
        jobs = [self._rerun(number, self._others(number, draw)) for number, draw in planned]
        # Ids of another kind a procedure may refuse.
        renamed = [replace(self._rerun(self._last, self._renamed()), may_fail=True)] if self._last in chosen else []
        answers = self._ran([*jobs, *renamed])
        runs: dict[int, list[Look]] = {}
        for (number, _), told in zip(planned, answers, strict=False):
            runs.setdefault(number, []).append(_of_model(told, model_after(number)))
        under_other_ids = _of_model(answers[-1], model_after(self._last)) if renamed and answers[-1] else None
        for number, looks in runs.items():
            found = [compare(*self._alike(number, each)) for each in looks]
            if any(each.differing for each in found) and not any(map(_differs, found)):
                moves = self._by_itself(number)
                found = [compare(*self._alike(number, each), moves) for each in looks]
            other_ids = None
            if number == self._last and under_other_ids is not None:
                other_ids = compare(*self._alike(number, under_other_ids))
            update = {"other_records": merged(found), "other_runs": len(found), "other_ids": other_ids}
            self._rooms[number] = self._rooms[number].model_copy(update=update)
            self._leave_out_elsewhere(number, looks)

    def _leave_out_elsewhere(self, number: int, looks: Sequence[Look]) -> None:
        """Hold a model against clean rooms without what lies elsewhere in its process whichever records were deleted.

        A replay has called libraries more often than a clean room has, and they remember it: what is the same with other records
        in the place of the deleted ones was not made from these.
        """
        own = self._replay.looks[number]
        walks = [each.walked for each in looks if each.walked is not None and not each.walked.cut]
        if own.walked is None or len(walks) < len(looks) or not own.walked.beyond:
            return
        tied = {key: item for key, item in own.walked.beyond.items() if any(each.beyond.get(key) != item for each in walks)}
        self._own[number] = rest = replace(own, walked=replace(own.walked, beyond=tied))
        found = {which: compare(rest, seen) for (at, which), seen in self._seen.items() if at == number}
        self._rooms[number] = self._rooms[number].model_copy(update=found)

    def _renamed(self) -> Dataset:
        """Other records in the place of all that were deleted, under other ids."""
        gone = np.concatenate(self._forgotten)
        return with_other_ids(self._others(self._last, 0), gone, seed=int(self._context.audit.seed))

    def _by_itself(self, number: int) -> dict[str, Moves]:
        """Single numbers that differ between two runs of the same log, as times do."""
        (told,) = self._ran([self._rerun(number, self._case.train, part_of=f"{_ONCE_MORE} up to batch {number}")])
        return self._moving(number, told)

    def _moving(self, number: int, told: Sequence[Answer]) -> dict[str, Moves]:
        apart = scalars_apart(self._replay.looks[number], _of_model(told, model_after(number)))
        return dict.fromkeys(apart or (), "by itself")

    def _explain_single_numbers(self) -> None:
        """Where nothing but single numbers differs, run the log again and with other records: times and counters show there."""
        nearest = {
            number: "seed_of_batch" if not _differs(room.seed_of_batch) else "first_seed" for number, room in self._rooms.items()
        }
        scalar = [number for number, which in nearest.items() if _differs_in_single_numbers(getattr(self._rooms[number], which))]
        planned = [(number, table) for number in scalar for table in (self._others(number, 0), self._case.train)]
        answers = self._ran([self._rerun(number, table, part_of=_SINGLE_NUMBERS) for number, table in planned])
        for number, other, same in zip(scalar, answers[::2], answers[1::2], strict=True):
            own = self._own[number]
            changed = scalars_apart(own, _of_model(other, model_after(number)))
            if changed is None or own.walked is None:
                continue
            met = own.walked.items.keys() | own.walked.beyond.keys()
            moves: dict[str, Moves] = dict.fromkeys(met - changed, "not with the records")
            found = compare(own, self._seen[number, nearest[number]], moves | self._moving(number, same))
            self._rooms[number] = self._rooms[number].model_copy(update={nearest[number]: found})

    def _control(self, number: int) -> None:
        """Train once more in another process, twice there, and with the rows elsewhere in memory."""
        table = Part(self._case.train, self._kept[number - 1])
        rows = np.arange(len(table), dtype=np.int64)
        seed = self._seed + number
        planned: list[Step] = []
        for name, elsewhere in (("first", False), ("second", False), ("third", True)):
            asked = (Parameters(name), PredictRows(name, self._probe.features, self._probe.columns))
            planned += [Learn(name, rows, seed, elsewhere=elsewhere), *asked]
        first = self._first_of_room(number)
        (told,) = self._ran([self._job(f"clean room for batch {number} once more", {"train": table}, planned)])
        made = {name: _of_model(told, name) for name in ("first", "second", "third")}
        controls = Controls(
            two_processes=same_answers(first, made["first"]),
            one_process=same_answers(made["first"], made["second"]),
            another_address=same_answers(made["first"], made["third"]),
        )
        self._rooms[number] = self._rooms[number].model_copy(update={"controls": controls})

    def _first_of_room(self, number: int) -> Look:
        """The clean room's model with the batch's own seed."""
        found = self._trained[number]
        return Look(found.parameters, found.predictions)

    def _reaction(self) -> Reaction | None:
        """Train on fewer rows, and on these with labels exchanged, on more of them until it reacts; None where it refuses all."""
        tried = None
        for share in _SHARES_OF_ROWS:
            try:
                tried = self._reaction_to(share)
            except ProcedureError:
                continue
            if reacts(self._context, tried):
                break
        return tried

    def _reaction_to(self, share: int) -> Reaction:
        """Train on one of `share` rows, and on these with labels exchanged.

        Raises:
            ProcedureError: If the learner refuses them.
        """
        train, kept = self._case.train, self._kept[-1]
        classifies = self._probe.columns is not None
        seed = self._seed if _differs(self._rooms[self._last].seed_of_batch) else self._seed + self._last
        rows = _fewer(train.labels[kept], share, classifies=classifies, seed=int(self._context.audit.seed))
        part = train.subset(kept[rows])
        both = replace(
            part,
            features=np.tile(part.features, (2, 1)),
            labels=np.concatenate([part.labels, _exchanged(part.labels, classifies=classifies)]),
            ids=np.tile(part.ids, 2),
            sensitivity=None,
            weights=None if part.weights is None else np.tile(part.weights, 2),
        )
        halves = np.split(np.arange(len(both), dtype=np.int64), 2)
        planned: list[Step] = []
        for name, half in zip(("fewer", "exchanged"), halves, strict=True):
            asked = (Parameters(name), PredictRows(name, self._probe.features, self._probe.columns))
            planned += [Learn(name, half, seed), *asked]
        (told,) = self._ran([self._job("clean room with other rows", {"train": both}, planned)])
        fewer, other = (_of_model(told, name) for name in ("fewer", "exchanged"))
        return Reaction(
            other_rows=not same_answers(self._first_of_room(self._last), fewer), other_labels=not same_answers(fewer, other)
        )

    def _room(self, number: int, seed: int, *, repeats: int) -> Job:
        """Learn in a process that holds what a batch leaves, and nothing else; the holdout is asked about where time counts."""
        table = Part(self._case.train, self._kept[number - 1])
        rows = np.arange(len(table), dtype=np.int64)
        everywhere = self._everywhere(number)
        planned: list[Step] = [
            Learn(_MODEL, rows, seed),
            *steps(_MODEL, self._probe, everywhere=everywhere, warm=everywhere),
        ]
        if number == self._last and seed != self._seed:
            planned += [Predict(_MODEL, each, self._probe.columns, may_raise=each != HOLDOUT) for each in self._asked]
            planned += [Learn(f"again-{each}", rows, seed) for each in range(repeats - 1)]
        name = f"clean room for batch {number} of {self._last}"
        return self._job(name, {"train": table, **self._asked}, planned, part_of=ROOMS)

    def _with_first_seed(self, number: int) -> Job:
        return replace(self._room(number, self._seed, repeats=1), part_of=_FIRST_SEED)

    def _rerun(self, until: int, train: Dataset, *, part_of: str = OTHER_RECORDS) -> Job:
        """The log up to a batch once more, on a table with as many rows as the training data."""

        def look(number: int) -> tuple[Step, ...]:
            if number != until:
                return self._glance(number)
            return steps(model_after(number), self._probe, everywhere=self._everywhere(number))

        planned = log_steps(len(train), self._forgotten[:until], seed=self._seed, look=look)
        name = f"run with other records up to batch {until} of {self._last}"
        return self._job(name, {"train": train}, planned, part_of=part_of)

    def _everywhere(self, number: int) -> bool:
        return self._context.procedure.foreign and number == self._last

    def _glance(self, number: int) -> tuple[Step, ...]:
        """What the replay asks of a model on its way: code that counts calls counts as many."""
        asked = steps(model_after(number), self._probe)
        return asked if number in self._thorough else (asked[0], asked[-1])

    def _others(self, until: int, draw: int) -> Dataset:
        """The training data with other records, drawn from those that stay, where the first batches delete theirs."""
        train, gone = self._case.train, np.concatenate(self._forgotten[:until])
        rng = generator(int(self._context.audit.seed), "release", "others", until, draw)
        return with_others(train, gone, rng.choice(self._kept[-1], size=len(gone)))

    def _job(self, name: str, tables: dict[str, Dataset | Part], planned: Sequence[Step], *, part_of: str | None = None) -> Job:
        first: tuple[Step, ...] = (Device(),) if self._where.device == "cuda" else ()
        spec, limits = specification(self._case), limits_of(self._case)
        return Job(name, spec, tables, (*first, *planned), limits, self._level, self._where.device, part_of=part_of)

    def _ran(self, jobs: list[Job]) -> list[tuple[Answer, ...]]:
        answers = self._run(jobs) if jobs else []
        for each in filter(None, answers):  # of one that may fail, and did, there are none
            require_same(self._where, each)
        return answers

    def _carried(self) -> Carried | None:
        """Of foreign code, how much the case brings along."""
        if not self._context.procedure.foreign:
            return None
        code = () if self._case.code is None else self._case.code.everything
        deleted = len(np.concatenate(self._replay.forgotten)) * self._case.train.features.shape[1] * 8
        return Carried(files=len(code), bytes=sum(len(each.content) for each in code), deleted_bytes=int(deleted))

    def _prepared(self) -> Prepared | None:
        """What the case's own preparation reports of its rows; None where there is none, or it reports no counts."""
        told, deleted = self._replay.told, [len(each) for each in self._replay.forgotten]
        if any(not {"rows_dropped", "rows_held"} <= each.keys() for each in told):
            return None
        rows = [len(self._case.train) - gone for gone in np.cumsum([0, *deleted]).tolist()]
        dropped, held = ([each[name] for each in told] for name in ("rows_dropped", "rows_held"))
        never = [each.get("forgotten_dropped", -1) for each in told[1:]]
        if not all(map(_is_count, (*dropped, *held, *never), (*rows, *rows, *deleted))):
            return None
        return Prepared(dropped=tuple(map(int, dropped)), held=tuple(map(int, held)), never_learned=sum(map(int, never)))


def _is_count(value: object, most: int) -> bool:
    """Whether it is a whole number within bounds; numbers come back from a procedure as floats."""
    return isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value <= most and value == int(value)


def _of_model(answers: Sequence[Answer], model: str) -> Look:
    """What the first answers about a model show, up to those to the probe."""
    asked = (Parameters, State, Save, Walk, PredictRows)
    about = [each for each in answers if isinstance(each.step, asked) and each.step.model == model]
    walked = next((place for place, each in enumerate(about) if isinstance(each.step, Walk)), 0)
    until = next(place for place, each in enumerate(about) if place >= walked and isinstance(each.step, PredictRows))
    return look(about[: until + 1])


def _very_same(before: Look, after: Look) -> bool:
    """Whether a model has the very parameters of another; the very predictions where it has no parameters."""
    own, other = (before.predictions, after.predictions) if after.parameters is None else (before.parameters, after.parameters)
    return own is not None and other is not None and own.shape == other.shape and own.tobytes() == other.tobytes()


def _differs_in_single_numbers(found: Compared | None) -> bool:
    """Whether nothing but single numbers differs, and some do; not where there was nothing to compare."""
    return found is not None and not _differs(found) and found.differing > 0


def _differs(found: Compared) -> bool:
    """Whether anything but single numbers differs."""
    return any(each.kind != "scalar" for each in found.differences) or found.differing > len(found.differences)


def _fewer(labels: npt.NDArray[np.generic], share: int, *, classifies: bool, seed: int) -> Positions:
    """A part of the rows in their order, one of `share` and some of each label; all but one in twenty where `share` is 1."""
    rng = generator(seed, "release", "fewer")
    groups = [np.flatnonzero(labels == each) for each in np.unique(labels)] if classifies else [np.arange(len(labels))]

    def left(group: Positions) -> int:
        return max(1, -(-len(group) // share)) if share > 1 else max(1, len(group) - max(1, len(group) // 20))

    return np.sort(np.concatenate([rng.permutation(group)[: left(group)] for group in groups])).astype(np.int64)


def _exchanged(labels: npt.NDArray[np.generic], *, classifies: bool) -> npt.NDArray[np.generic]:
    """Each label as the next one; of numbers each mirrored in the middle of their range."""
    if not classifies:
        values = labels.astype(np.float64)
        return np.asarray(values.min() + 2 * values.max() - values)
    known, codes = np.unique(labels, return_inverse=True)
    return np.asarray(known[(codes + 1) % len(known)], dtype=labels.dtype)
