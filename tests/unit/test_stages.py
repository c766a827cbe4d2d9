"""The order in which stages go on is worked out of what each waits for, and what they hand over keeps its type."""

from __future__ import annotations

import importlib
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest

import deletion_games
import small_cases
from auditor import case as cases
from auditor.audit.auditing import Options, declare
from auditor.audit.describing import stamp
from auditor.audit.devices import on_cpu
from auditor.audit.predicted import Unmet
from auditor.audit.stages import Run, Stage, Stages, Subject, in_order, listed
from auditor.base import limited_process
from auditor.base.domain import Status
from auditor.base.parts import Part, parts
from auditor.parts.release.judging.release_exact import Observed
from auditor.parts.release.observing.clean_room import looking
from auditor.parts.store.observing import erasure, limited_reading
from auditor.parts.swap import observing as swap
from auditor.parts.swap.observing import stages as swap_stages
from auditor.sandbox import Level
from auditor.verdict.checks import definitions, with_role
from auditor.verdict.checks.card import Role
from auditor.verdict.checks.finding import Nothing
from auditor.verdict.checks.stated import Counts
from cases import SAMPLES


@dataclass(frozen=True)
class Word:
    """What one stage hands to another."""


class Takes(Stage):
    checks = ("log.consistency",)
    after = (Word,)


class Gives(Stage):
    checks = ("log.deadlines",)
    after = (Role.EXACT,)
    hands = (Word,)


class Rooms(Stage):
    checks = ("release.exact",)
    after = ()


class Free(Stage):
    checks = ("cost.speedup",)
    after = ()


def test_each_goes_on_after_those_that_it_waits_for_and_otherwise_as_listed() -> None:
    assert in_order([Free, Takes, Gives, Rooms]) == (Free, Rooms, Gives, Takes)
    assert in_order([Takes, Free]) == (Takes, Free), "a type that nobody hands over keeps nobody waiting"


def test_stages_that_wait_for_one_another_are_refused() -> None:
    class Early(Rooms):
        after = (Word,)

    with pytest.raises(ValueError, match=r"wait for one another: .*Early"):
        in_order([Early, Gives])


@pytest.mark.parametrize("subject", list(Subject))
def test_parts_bring_stages_for_checks_that_there_are_and_each_waits_for_some_stage(subject: Subject) -> None:
    stages = listed(subject)
    assert stages
    for number, stage in enumerate(stages):
        assert set(stage.checks) <= set(definitions()), stage
        for needed in stage.after if subject is Subject.MODEL else ():
            before = [
                each
                for each in stages[:number]
                if (needed in each.hands if isinstance(needed, type) else set(with_role(needed)) & set(each.checks))
            ]
            assert before, (stage, needed)


def test_parts_say_what_their_stages_examine() -> None:
    """Stages that examine something else are not imported for a case, so that one that was left out would never run."""
    for part in parts():
        subjects = {stage.subject for name in part.stages for stage in _imported(part, name).STAGES}
        assert subjects == (set(part.examines or ["model"]) if part.stages else set()), part.name


def _imported(part: Part, name: str) -> ModuleType:
    return importlib.import_module(f"auditor.parts.{part.name}.{name}")


def test_every_check_that_something_runs_for_has_a_stage() -> None:
    served = {check_id for stage in listed() for check_id in stage.checks}
    assert {name for name, known in definitions().items() if known.runs} <= served


def test_clean_rooms_come_before_whatever_they_decide_on() -> None:
    order = [each.__qualname__ for each in listed(Subject.MODEL)]
    for later in ("Game", "Attacked", "Stateless", "Accuracy", "Cost"):
        assert order.index("Compared") < order.index(later)
    assert order.index("Stateless") < order.index("Game"), "what is carried on bears on whether the release is exact"


def run_of(folder: Path, *only: str) -> Run:
    small_cases.write(folder, *small_cases.problem())
    case = cases.read(folder)
    context = declare(case, Options(only=only or None), Level.PROCESS, on_cpu(), stamp()).context
    return Run(case, context, deletion_games.how(only=only or None, level=Level.PROCESS))


def test_a_stage_sees_nothing_for_a_check_that_it_is_not_run_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A part that brings a stage must not put in the place of another part's observation what it likes."""

    class Meddles(Free):
        def observe(self, answers: object) -> dict[str, Nothing]:
            return {"release.exact": Nothing()}

    monkeypatch.setattr("auditor.audit.stages.modules", lambda _kind, **_: [SimpleNamespace(STAGES=(Meddles,))])
    run = run_of(tmp_path, "log.consistency")
    with pytest.raises(ValueError, match=r"Meddles is not run for release\.exact"):
        Stages(run, Subject.MODEL).observe()
    assert run.seen == {}


def test_what_is_handed_over_is_found_by_its_type_alone(tmp_path: Path) -> None:
    run = run_of(tmp_path)
    counts = Counts(records=3, unlearned_right=2, retrained_right=2, lost=0, won=0)
    run.hand(None)
    assert run.handed(Unmet) is None
    run.hand(Unmet(counts))
    assert run.handed(Unmet) == Unmet(counts)
    assert run.handed(Counts) is None
    assert {each.status for each in run.compared().values()} == {Status.SKIPPED}, "nobody looked at a clean room"


def test_a_comparison_is_judged_while_what_it_needs_is_still_to_run() -> None:
    """In the first stage, of a case whose policy asks for statelessness; what is not known yet lets nothing pass."""
    case = cases.read(SAMPLES / "secret-counter")
    context = declare(case, Options(), Level.PROCESS, on_cpu(), stamp()).context
    run = Run(case, context, deletion_games.how(level=Level.PROCESS), seen={"release.exact": Observed(seconds_of_training=1.0)})
    run.looking = looking(case, context, seed=0)
    assert run.compared()["release.exact"].status is Status.INCONCLUSIVE


def test_what_a_stage_will_ask_loads_as_the_replay_begins_and_for_a_plan_never(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    went: list[str] = []

    class Loads(Free):
        def load_ahead(self) -> None:
            went.append("load")

        def observe(self, answers: object) -> dict[str, Nothing]:
            del answers
            went.append("observe")
            return {}

    monkeypatch.setattr("auditor.audit.stages.modules", lambda _kind, **_: [SimpleNamespace(STAGES=(Loads,))])
    stages = Stages(run_of(tmp_path, "log.consistency"), Subject.MODEL)
    assert stages.jobs == ()
    assert went == []
    stages.observe()
    assert went == ["load", "observe"]


@pytest.mark.parametrize(
    ("only", "most", "loaded"), [("data.erased", None, 1), ("log.consistency", None, 0), ("data.erased", 1, 0)]
)
def test_the_process_that_reads_a_store_loads_ahead_where_it_will_be_asked(
    only: str, most: int | None, loaded: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Not for other checks, nor where records are so many that the replay needs the memory."""
    begun: list[str] = []
    monkeypatch.setattr(limited_process, "load", begun.append)
    if most is not None:
        monkeypatch.setattr(erasure, "_LOADED_AHEAD", most)
    erasure.Erasure(run_of(tmp_path, only)).load_ahead()
    assert begun == [limited_reading.SERVED_BY] * loaded
    assert (
        limited_reading.Sought(SimpleNamespace(deleted=SimpleNamespace(ids=())), None, None, "").reader().serve
        == limited_reading.SERVED_BY
    )  # type: ignore[arg-type]


def test_a_game_is_drawn_once_to_be_foreseen_and_to_be_played(monkeypatch: pytest.MonkeyPatch) -> None:
    case = cases.read(SAMPLES / "digits-newton")
    context = declare(case, Options(quick=True), Level.PROCESS, on_cpu(), stamp()).context
    stage = swap_stages.Game(Run(case, context, deletion_games.how(only=None, level=Level.PROCESS)))
    drawn: list[object] = []
    plain = swap.draw

    def counted(*given: Any, **named: Any) -> Any:
        drawn.append(plain(*given, **named))
        return drawn[-1]

    monkeypatch.setattr(swap, "draw", counted)
    forecast = SimpleNamespace(row=lambda *_, **foreseen: foreseen, pace=SimpleNamespace(learn=1.0))
    (row,) = stage.foresee(forecast, ())  # type: ignore[arg-type]
    test = stage._drawn()
    assert isinstance(test, swap.SwapTest)
    assert [test.game] == drawn
    assert row["trainings"] == test.game.pairs[0].learn_seeds.size * len(test.game.pairs) + len(test.game.references)
