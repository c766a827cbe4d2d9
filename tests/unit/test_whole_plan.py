"""The plan of an audit: what each check costs, memory and disk, each measured, or said not to be."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace as with_
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from test_rehearsal import GOOD, LEARN, written

import deletion_games
import small_cases
from auditor import case as cases
from auditor.api import check
from auditor.api.results.rehearsals import disk_of, told_disk, told_memory
from auditor.audit.auditing import Options, declare
from auditor.audit.describing import stamp
from auditor.audit.devices import on_cpu
from auditor.audit.forecast import Ahead, Pace, Room
from auditor.audit.rehearsal import Memory, Rehearsal, rehearse
from auditor.audit.rehearsal.budget import costs, in_question, look_ahead
from auditor.cli import run
from auditor.pages.words.lists import size
from auditor.sandbox import Level
from auditor.sandbox import cluster as clusters
from cases import SAMPLES, replace

PACE = Pace(start=1.0, learn=10.0, measured=True, unlearn=2.0, predict=0.001, records=100, stacks=False)
ROOM = Room(peak=10**8, rows=100, parameters=800, state=0, saved=900, walked=1000, modules=2000, answered=16)
MEMORY = Memory(worker=10**9, rows=100, records=100, at_a_time=4, auditor=2 * 10**8, free=16 * 10**9, limited=False)

SHADOW_MODELS = ["shadow models of the release", "shadow models of the second stage"]


def planned(
    folder: Path, only: tuple[str, ...] | None = None, level: Level = Level.CONFINED, pace: Pace = PACE, **options: Any
) -> tuple[Ahead, ...]:
    case, asked = cases.read(folder), Options(only=only)
    context = declare(case, asked, level, on_cpu(), stamp()).context
    return look_ahead(case, context, with_(deletion_games.how(only=only, level=level), **options), pace, ROOM)


@pytest.mark.parametrize("sample", ["digits-newton-overrun", "digits-own-procedure", "digits-mlp-none"])
def test_a_check_rests_on_the_runs_that_it_alone_would_ask_for(sample: str) -> None:
    """A row that names the wrong checks would send somebody to leave out what saves nothing."""
    folder = SAMPLES / sample
    case = cases.read(folder)
    context = declare(case, Options(), Level.CONFINED, on_cpu(), stamp()).context
    every = planned(folder)
    assert every
    for check_id in in_question(context, None):
        alone = {each.name for each in planned(folder, (check_id,))}
        # Without clean rooms the replay's own model is what others are held against.
        assert {each.name for each in every if check_id in each.checks} ^ alone <= {"self-check"}, check_id
    assert all(each.checks for each in every)


def test_every_check_that_applies_has_its_cost_once(tmp_path: Path) -> None:
    folder = written(tmp_path)
    case, options = cases.read(folder), Options()
    context = declare(case, options, Level.CONFINED, on_cpu(), stamp()).context
    ahead = planned(folder)
    found = costs(case, context, None, ahead)
    listed = [check_id for each in found for check_id in each.checks]
    assert sorted(listed) == sorted(in_question(context, None))
    by_check = {check_id: each for each in found for check_id in each.checks}
    assert (by_check["log.consistency"].runs, by_check["log.consistency"].more) == ((), False)
    assert by_check["release.exact"].runs == ("replay", "clean rooms", "runs with other records")
    assert by_check["swap.quality"].runs == by_check["epsilon.consistency"].runs == ("the SWAP game",)
    seconds = {each.name: each.seconds for each in ahead}
    assert by_check["release.remembers"].seconds == seconds["replay"] + sum(seconds[name] for name in SHADOW_MODELS)


def test_an_attack_on_the_release_is_planned_wherever_nothing_says_that_it_is_exact(tmp_path: Path) -> None:
    """With an approximate method there is no clean room that could spare it, and a budget has to count it."""
    assert not {each.name: each for each in planned(SAMPLES / "digits-mlp-none")}["shadow models of the release"].if_open
    assert {each.name: each for each in planned(written(tmp_path))}["shadow models of the release"].if_open


def test_a_second_stage_is_planned_with_its_time_and_is_none_of_what_every_audit_takes() -> None:
    """199 trainings, which an honest release seldom needs; a quick run, or one of too few models, has none."""
    first, second = (each for each in planned(SAMPLES / "digits-mlp-none") if each.name in SHADOW_MODELS)
    assert (second.trainings, second.unlearnings, second.if_rejected, second.too_long) == (199, 0, True, False)
    assert (first.if_open, second.if_open) == (False, True)
    # As many in one process as in the first stage, which has 39, and each process has to start.
    assert second.seconds == 199 * PACE.learn + 6 * PACE.start
    stacked = planned(SAMPLES / "digits-mlp-none", pace=with_(PACE, stacks=True, stacked=0.25))[-2:]
    (fewer,) = (each for each in stacked if each.name == SHADOW_MODELS[1])
    assert fewer.seconds == 0.25 * 199 * PACE.learn + 6 * PACE.start
    found = _with(ahead=(first, second))
    assert found.runs(whole=False) == (first,)
    assert found.runs(whole=True) == (first, second)
    quick = planned(SAMPLES / "digits-mlp-none", quick=True)
    assert [each.name for each in quick if each.name in SHADOW_MODELS] == SHADOW_MODELS[:1]


def test_a_second_stage_that_takes_more_than_a_day_is_named_and_not_counted() -> None:
    rows = planned(SAMPLES / "digits-mlp-none", pace=with_(PACE, learn=1000.0))
    first, second = (each for each in rows if each.name in SHADOW_MODELS)
    assert second.too_long
    assert _with(ahead=(first, second)).runs(whole=True) == (first,)
    case, options = cases.read(SAMPLES / "digits-mlp-none"), Options()
    context = declare(case, options, Level.CONFINED, on_cpu(), stamp()).context
    (cost,) = (each for each in costs(case, context, None, rows) if "release.remembers" in each.checks)
    assert SHADOW_MODELS[1] not in cost.runs
    given = planned(SAMPLES / "digits-mlp-none", pace=with_(PACE, learn=1000.0), second_stage_s=math.inf)
    assert not any(each.too_long for each in given)


def test_what_is_kept_is_that_of_an_audit(tmp_path: Path) -> None:
    small_cases.write(tmp_path, *small_cases.problem())
    only = ("release.exact", "log.consistency")
    kept, measured = rehearse(cases.read(tmp_path), Options(only=only)).kept(whole=False)
    check(tmp_path, only=only, runs=tmp_path / "runs")
    found = sum(path.stat().st_size for path in (tmp_path / "runs").glob("*.run"))
    assert measured
    assert 0.5 * found < kept < 1.5 * found


def test_nothing_is_kept_of_code_that_may_read_everything(tmp_path: Path) -> None:
    folder = written(tmp_path)
    assert {each.kept for each in planned(folder, level=Level.PROCESS)} == {0}
    assert [each.name for each in planned(folder) if each.kept is None] == SHADOW_MODELS


def _with(**given: object) -> Rehearsal:
    nothing = Rehearsal(obstacles=(), rows=50, pace=PACE, ahead=(), costs=(), memory=MEMORY, workers=4, seconds=1.0)
    return with_(nothing, **given)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("amount", "said"),
    [(1, "0.1 kB"), (1500, "1.5 kB"), (99_001, "100 kB"), (999_001, "1 MB"), (999_999_999, "1 GB"), (12 * 10**12, "12000 GB")],
)
def test_sizes_are_rounded_up(amount: int, said: str) -> None:
    assert size(amount) == said


def test_memory_says_what_was_not_measured() -> None:
    said = "Memory: about 4.2 GB, with 4 runs at a time of 1 GB each and 200 MB for the auditor."
    assert told_memory(_with()).startswith(said)
    fewer = told_memory(_with(memory=with_(MEMORY, rows=60)))
    assert fewer.startswith("Memory: more than 4.2 GB")
    assert fewer.endswith("A run was measured with 60 of 100 records; with all of them it takes more.")
    assert told_memory(_with(memory=None)) == "Memory: not measured."


def test_too_little_memory_comes_with_the_way_out() -> None:
    assert told_memory(_with(memory=with_(MEMORY, free=6 * 10**9))).endswith(
        "The runs may use half of the free memory, 3 GB: give --jobs 3, or set memory_mb in [sandbox]."
    )
    assert "and one run takes more" in told_memory(_with(memory=with_(MEMORY, free=10**9)))
    assert "half of the free memory" not in told_memory(_with(memory=with_(MEMORY, free=10**9, limited=True)))


def test_disk_says_what_was_not_measured(tmp_path: Path) -> None:
    rows = [Ahead("replay", 1, 1, 1.0, if_open=False, checks=(), kept=2_100_000)]
    rows.append(Ahead("shadow models", 1, 1, 1.0, if_open=True, checks=(), kept=None))
    rehearsal = _with(ahead=tuple(rows))
    said = told_disk(rehearsal, disk_of(rehearsal, tmp_path / "audit", "s3://bucket"))
    assert said == (
        "Disk: about 2.1 MB for finished runs, more than 2.1 MB where the release is not what retraining gives."
        " Evidence and report: not measured."
    )
    (tmp_path / "evidence.json").write_bytes(b"1" * 1500)
    (tmp_path / "report.html").symlink_to("/proc/kcore")
    found = disk_of(rehearsal, tmp_path)
    assert (found.results, found.free is not None) == (1500, True)
    assert told_disk(rehearsal, found).endswith("Evidence and report: 1.5 kB last time.")
    assert told_disk(_with(), disk_of(_with(), tmp_path)).startswith("Disk: no finished run is kept")


def test_memory_that_is_held_while_learning_alone_is_seen(tmp_path: Path) -> None:
    """A procedure that takes much and lets go of it before it answers needs it all the same, in every run."""
    folder = written(tmp_path, GOOD.replace(LEARN, f"{LEARN}\n    held = np.ones(40_000_000)\n    del held"))
    memory = rehearse(cases.read(folder), Options(workers=2)).memory
    assert memory is not None
    assert memory.rows == memory.records == 120
    assert memory.worker > 320_000_000
    assert memory.total > 2 * memory.worker


def test_a_procedure_that_fails_with_more_records_is_known_for_few(tmp_path: Path) -> None:
    """It ends its process, and nothing can be asked of it any more."""
    folder = written(tmp_path, GOOD.replace(LEARN, f"{LEARN}\n    assert len(data.labels) <= 60"))
    found = rehearse(cases.read(folder), Options(workers=2))
    assert found.obstacles == ()
    assert found.memory is not None
    assert (found.memory.rows, found.memory.records) == (50, 120)
    assert {each.kept for each in found.ahead} <= {None, 0}


def test_a_dry_run_has_it_all(tmp_path: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "200")
    small_cases.write(tmp_path, *small_cases.problem())
    assert run(["check", str(tmp_path), "--dry-run", "--jobs", "2", "--quiet"]) == 0
    said = capfd.readouterr().out
    # With 60 records there is no game of the SWAP test.
    assert re.search(r"^ *log.deadlines, swap.quality, swap.strong, swap.controls +nothing that runs *$", said, re.MULTILINE)
    assert re.search(r"^ *release.remembers .* replay, shadow models of the release, *", said, re.MULTILINE)
    assert re.search(
        r"^ *shadow models of the second stage +199 +0 +\d+ s .* if it looks as if it held the records *$", said, re.MULTILINE
    )
    assert "which run only where the first ones reject the release. One honest release in twenty needs them." in said
    assert re.search(r"^Memory: about [\d.]+ [MG]B, with 2 runs at a time of \d+ MB each", said, re.MULTILINE)
    assert re.search(r"^Disk: about [\d.]+ [kM]B for finished runs.* are free\. Evidence and report: not", said, re.MULTILINE)
    replace(tmp_path, "[policy]", "[inference]\ngames = 1000\n\n[policy]")
    assert run(["check", str(tmp_path), "--dry-run", "--json", "--quiet", "--budget", "1h"]) == 0
    found = json.loads(capfd.readouterr().out)
    assert found["memory"]["total_bytes"] == found["memory"]["run_bytes"] * found["workers"] + found["memory"]["auditor_bytes"]
    assert found["disk"]["results"] is None
    assert {"replay", "clean rooms"} <= {name for each in found["checks"] for name in each["runs"]}
    assert set(found["budget"]) == {"seconds", "resized", "left_out"}


@pytest.mark.parametrize(
    ("sample", "ending"),
    [("dictionary-controller", r"plays about 2862 histories: about .*\."), ("digits-answers", r"tables of answers are read\.")],
)
def test_where_nothing_is_trained_it_says_so(sample: str, ending: str, capfd: pytest.CaptureFixture[str]) -> None:
    assert run(["check", str(SAMPLES / sample), "--dry-run", "--quiet"]) == 0
    assert re.search(rf"{ending}$", capfd.readouterr().out.rstrip())


def test_a_whole_program_has_a_row_for_the_games_of_each_check() -> None:
    """By what a few of them took, in the rehearsal; of what nobody asks for there is none."""
    case, few = cases.read(SAMPLES / "dictionary-controller"), {"start of a controller": 1.0, "control.game": 2.0}
    context = declare(case, Options(), Level.CONFINED, on_cpu(), stamp()).context
    (row,) = look_ahead(case, context, deletion_games.how(), Pace.unmeasured(), Room.unmeasured(), few)
    assert (row.name, row.checks, row.kept, row.trainings, row.if_open) == ("control.game", ("control.game",), 0, 0, False)
    assert row.seconds > 2 + 2.0 * row.histories / 200, "more than a few games"
    assert look_ahead(case, context, deletion_games.how(only=("data.erased",)), Pace.unmeasured(), Room.unmeasured(), few) == ()


def test_games_of_sentences_are_timed_and_so_are_those_under_remedies() -> None:
    """They are played in this process, and what an adversary does takes longer than counting words."""
    rows = {each.name: each for each in planned(SAMPLES / "trigram-model", pace=with_(PACE, learn=0.0, unlearn=0.0, start=0.0))}
    games, again = rows["sentence reconstruction games"], rows["sentence reconstruction games with remedies"]
    assert (games.trainings, games.if_open, games.if_revealed) == (200, False, False)
    assert (again.if_open, again.if_revealed, again.checks) == (True, True, ("reconstruction.sentence",))
    assert 200 * 1e-3 < games.seconds < again.seconds


def test_only_the_last_clean_room_is_entered_where_nothing_asks_for_more() -> None:
    """A search reads what the last clean room says; `release.exact`, and what rests on it, all of them."""
    folder, quick = SAMPLES / "loans-lightgbm", with_(PACE, learn=0.1)
    searched = {each.name: each for each in planned(folder, ("data.erased", "model.reproduced"), pace=quick)}
    compared = {each.name: each for each in planned(folder, ("data.erased", "release.exact"), pace=quick)}
    assert compared["clean rooms"].trainings - searched["clean rooms"].trainings == 9
    others = "runs with other records"
    assert compared[others].trainings == searched[others].trainings


def test_what_runs_unplanned_is_named(tmp_path: Path) -> None:
    """A claim of data deletion has runs of its own after the replay, which a sum without them would hide."""
    folder = written(tmp_path)
    replace(folder, "[policy]", "[claims]\ndata_deletion = { q = 2.0, epsilon = 0.5 }\n\n[policy]")
    case, options = cases.read(folder), Options()
    context = declare(case, options, Level.CONFINED, on_cpu(), stamp()).context
    more = {check_id for each in costs(case, context, None, planned(folder)) if each.more for check_id in each.checks}
    assert {"deletion.adaptive", "state.stateless"} <= more
    assert "release.exact" not in more


def test_a_plan_for_a_cluster_counts_its_seats_and_not_its_memory(
    tmp_path: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    @contextmanager
    def eight(*_: object, **__: object) -> Iterator[SimpleNamespace]:
        yield SimpleNamespace(seats=8)

    monkeypatch.setattr(clusters, "refuse", lambda *_, **__: None)
    monkeypatch.setattr(clusters, "workers_of", eight)
    command = ["check", str(written(tmp_path)), "--backend", "dask", "--dry-run"]
    assert run(command) == 0
    found = capfd.readouterr()
    assert "the workers of the cluster may be faster or slower" in found.err
    assert "with 8 runs at a time." in found.out
    assert re.search(r"Memory: \S+ MB for each run, on the workers of the cluster", found.out)
    assert "--jobs" not in found.out
    assert run([*command, "--budget", "2h", "--json"]) == 0
    told = json.loads(capfd.readouterr().out)
    assert (told["workers"], told["budget"]["seconds"]) == (8, 7200)
