"""`validate` runs a procedure on a few records: what is in the way of an audit comes out, and nothing that is not."""

from __future__ import annotations

import json
import re
import shutil
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import deletion_games
import small_cases
from auditor import case as cases
from auditor.audit.auditing import Options, declare
from auditor.audit.describing import stamp
from auditor.audit.devices import on_cpu
from auditor.audit.forecast import Pace, Room, side_by_side
from auditor.audit.rehearsal import Rehearsal, rehearse, warn
from auditor.audit.rehearsal.budget import look_ahead
from auditor.audit.rehearsal.trying import some_of
from auditor.audit.stages import Run, Stages, Subject
from auditor.audit.told_log import told_today
from auditor.cli import run
from auditor.pages.words.texts import say
from auditor.sandbox import Learn, Level, Predict, Together, Unlearn
from cases import SAMPLES, replace, rewrite_log

GOOD = """
def learn(self, data, seed):
    return np.array([data.labels.mean(), *data.features.mean(axis=0)])
def unlearn(self, model, data, forget, seed):
    keep = np.delete(np.arange(len(data.labels)), forget)
    return np.array([data.labels[keep].mean(), *data.features[keep].mean(axis=0)])
def predict(self, model, features):
    p = np.full(len(features), model[0])
    return np.stack([1 - p, p], axis=1)
def parameters(self, model):
    return model
def save(self, model, path):
    with open(path, "wb") as file:
        np.save(file, model)
def load(self, path):
    return np.load(path)
"""
ROOM = Room(peak=None, rows=1, parameters=8, state=0, saved=0, walked=None, modules=None, answered=16)
LEARN = "def learn(self, data, seed):"
PREDICT = "def predict(self, model, features):"
SHAPE = "return np.stack([1 - p, p], axis=1)"


def written(folder: Path, body: str = GOOD, *, rows: int = 120) -> Path:
    features, labels = small_cases.problem(rows)
    small_cases.write(folder, features, labels, deleted=[["rec-0003"], ["rec-0007", "rec-0009"]])
    small_cases.foreign(folder, body)
    replace(folder, "seed = 1\n", f"seed = {small_cases.SECRET}\n")
    return folder


def rehearsed(folder: Path) -> Rehearsal:
    return rehearse(cases.read(folder), Options(workers=2))


def test_a_sound_procedure_is_timed_and_nothing_is_in_its_way(tmp_path: Path) -> None:
    found = rehearsed(written(tmp_path))
    assert (found.obstacles, found.rows) == ((), 50)
    assert found.pace is not None
    assert found.pace.measured
    assert found.pace.records == 120
    names = {each.name: each for each in found.ahead}
    assert names["replay"].unlearnings == 2
    assert not names["clean rooms"].if_open
    assert names["shadow models of the release"].if_open
    least, most = found.estimate(whole=False), found.estimate(whole=True)
    assert least is not None
    assert most is not None
    assert 0 < least < most


def test_every_obstacle_is_found_at_once_and_each_once(tmp_path: Path) -> None:
    broken = GOOD.replace(SHAPE, "return p").replace("np.save(file, model)", "raise OSError('no')")
    found = rehearsed(written(tmp_path, broken))
    assert [each.call for each in found.obstacles] == ["predict", "save"]
    assert all(each.rows == 120 for each in found.obstacles), "what fails on a few is asked with all"
    assert "expected" in found.obstacles[0].said
    assert found.ahead == ()


@pytest.mark.parametrize(
    ("change", "call"),
    [
        (
            (
                "def learn(self, data, seed):",
                "def __init__(self):\n        raise ValueError('no')\n    def learn(self, data, seed):",
            ),
            "build",
        ),
        (("return np.array([data.labels.mean(), *data.features.mean(axis=0)])", "return 1 / 0"), "learn"),
        (("return np.array([data.labels.mean(), *data.features.mean(axis=0)])", "__import__('os')._exit(3)"), "learn"),
        (("p = np.full(len(features), model[0])", "p = np.full(len(features), np.nan)"), "predict"),
        (("return np.load(path)", "return 7"), "save"),
    ],
)
def test_where_it_fails_is_named(change: tuple[str, str], call: str, tmp_path: Path) -> None:
    found = rehearsed(written(tmp_path, GOOD.replace(*change)))
    assert found.obstacles[0].call == call
    assert found.obstacles[0].said


def test_what_fails_only_because_there_are_few_records_is_no_obstacle(tmp_path: Path) -> None:
    picky = GOOD.replace(LEARN, f"{LEARN}\n    assert len(data.labels) > 60")
    found = rehearsed(written(tmp_path, picky))
    assert (found.obstacles, found.rows) == ((), 120)


def test_a_procedure_that_hangs_ends_with_the_time_of_a_call(tmp_path: Path) -> None:
    hanging = GOOD.replace(PREDICT, f"{PREDICT}\n    while True: pass")
    folder = written(tmp_path, hanging)
    replace(folder, "timeout_s = 30.0", "timeout_s = 1.0")
    found = rehearsed(folder)
    assert found.obstacles[0].call == "predict"
    assert "1" in found.obstacles[0].said


def test_the_command_lists_obstacles_and_ends_with_4(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    folder = written(tmp_path, GOOD.replace(SHAPE, "return p"))
    assert run(["validate", str(folder)]) == 4
    said = capfd.readouterr()
    assert "auditor: predict with 120 records: " in said.err
    assert "1 obstacle: auditor check would end with exit code 4" in said.err
    assert "Valid" not in said.out
    assert run(["validate", str(folder), "--no-run"]) == 0


def test_the_command_says_what_check_will_take(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    folder = written(tmp_path)
    assert run(["validate", str(folder), "--jobs", "2"]) == 0
    said = capfd.readouterr().out
    assert "The procedure ran on 50 of 120 records" in said
    assert "auditor check trains " in said
    assert "with 2 runs at a time" in said
    assert run(["validate", str(folder), "--json"]) == 0
    facts = json.loads(capfd.readouterr().out)["rehearsal"]
    assert facts["obstacles"] == []
    assert facts["seconds_at_least"] <= facts["seconds_at_most"]
    runs = {"name", "trainings", "unlearnings", "seconds", "only_where_the_release_is_open", "checks", "kept_bytes"}
    runs |= {"only_where_the_release_is_rejected", "only_where_games_reveal_too_much", "left_out_as_too_long", "histories"}
    assert runs == set(facts["runs"][0])


def test_a_program_answers_a_short_history(capfd: pytest.CaptureFixture[str]) -> None:
    assert run(["validate", str(SAMPLES / "dictionary-controller")]) == 0
    assert "The program answered a short history." in capfd.readouterr().out


def test_a_program_that_fails_is_found_out(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    folder = tmp_path / "case"
    shutil.copytree(SAMPLES / "cloud-storage", folder, ignore=shutil.ignore_patterns("audit"))
    code = folder / "controller.py"
    broken = "    def activate(self, *rest):\n        return 1 / 0\n\n    def other("
    code.write_text(code.read_text().replace("    def activate(", broken))
    assert run(["validate", str(folder)]) == 4
    assert "auditor: play: " in capfd.readouterr().err


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted(path.parent.name for path in SAMPLES.glob("*/audit.toml")))
def test_nothing_is_in_the_way_of_a_sample(name: str) -> None:
    assert rehearsed(SAMPLES / name).obstacles == ()


def test_rows_of_every_class_are_among_the_few(tmp_path: Path) -> None:
    features = np.random.default_rng(0).normal(size=(400, 3))
    labels = np.zeros(400, dtype=np.int64)
    labels[-2:] = 1
    small_cases.write(tmp_path, features / 10, labels, deleted=[["rec-0003"]])
    rows = some_of(cases.read(tmp_path), 50)
    assert len(rows) == 50
    assert (np.diff(rows) > 0).all()
    assert set(labels[rows]) == {0, 1}


def test_the_pace_adds_up() -> None:
    pace = Pace(start=1.0, learn=10.0, measured=True, unlearn=2.0, predict=0.001, records=100, stacks=False)
    rows = np.arange(50, dtype=np.int64)
    assert pace.step(Learn("m", rows, 1)) == 5.0
    assert pace.step(Unlearn("m", "n", rows, rows[:1], 1)) == 1.0
    assert pace.step(Predict("m", "train", 2, rows)) == pytest.approx(0.052)
    assert pace.step(Together((Learn("a", rows, 1), Learn("b", rows, 1)))) == 10.0
    assert side_by_side([3.0, 1.0, 1.0], 2) == 3.0
    assert side_by_side([1.0, 1.0, 1.0, 1.0], 2) == 2.0
    assert side_by_side([], 2) == 0.0


@pytest.mark.parametrize(("policy", "waits"), [("", True), ('[policy]\nrequired = ["swap.quality"]\n', False)])
def test_a_game_that_the_policy_asks_for_does_not_wait_for_the_clean_rooms(policy: str, *, waits: bool, tmp_path: Path) -> None:
    folder = written(tmp_path)
    text = (folder / "audit.toml").read_text()
    (folder / "audit.toml").write_text(re.sub(r"\[policy\]\nrequired = .*\n", policy, text))
    case, options = cases.read(folder), Options()
    context, how = declare(case, options, Level.PROCESS, on_cpu(), stamp()).context, deletion_games.how(level=Level.PROCESS)
    first = [job.name for job in Stages(Run(case, context, how), Subject.MODEL).jobs]
    assert ("swap-1" in first) is not waits
    assert first[0] == "replay"
    pace = Pace(start=1.0, learn=10.0, measured=True, unlearn=2.0, predict=0.001, records=100, stacks=False)
    (game,) = [each for each in look_ahead(case, context, how, pace, ROOM) if each.name == "the SWAP game"]
    assert game.if_open is waits


class TestWarnings:
    def codes(self, folder: Path) -> list[str]:
        read = cases.read(folder)
        return [each.code for each in warn(read, told_today(read))]

    def test_a_case_in_order_has_none(self, tmp_path: Path) -> None:
        assert self.codes(written(tmp_path)) == []

    def test_a_short_seed(self, tmp_path: Path) -> None:
        folder = written(tmp_path)
        replace(folder, f"seed = {small_cases.SECRET}", "seed = 20260101")
        assert self.codes(folder) == ["short-seed"]

    def test_rows_whose_law_is_taken_where_others_name_one(self, tmp_path: Path) -> None:
        folder = written(tmp_path)
        rewrite_log(folder, lambda rows: [each.update(regime="eu") for each in rows[1:]])
        ((code, said),) = self.warned(folder)
        assert code == "regime-empty"
        assert "regime is empty in 1 row(s) of the log (row 1), which are taken as eu" in said
        # A log of one law need not name it.
        rewrite_log(folder, lambda rows: [each.pop("regime", None) for each in rows])
        assert self.codes(folder) == []

    @pytest.mark.parametrize("sign", [",", "|"])
    def test_ids_with_another_sign_between_them(self, sign: str, tmp_path: Path) -> None:
        folder = written(tmp_path)
        rewrite_log(folder, lambda rows: rows[-1].update(record_ids=[f"rec-0007{sign} rec-0009"]))
        assert self.codes(folder) == ["not-located", "joined-ids"]

    def test_the_ids_of_the_records_are_listed_as_often_for_a_long_log(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """Listed again for each request, they make a log of 100,000 requests take hours."""
        listed: list[int] = []
        ids = cases.Case.known_ids.fget
        monkeypatch.setattr(cases.Case, "known_ids", property(lambda case: listed.append(1) or ids(case)))
        features, labels = small_cases.problem(60)
        times = []
        for count in (2, 20):
            small_cases.write(tmp_path, features, labels, deleted=[[f"rec-{at:04d}"] for at in range(count)])
            listed.clear()
            self.codes(tmp_path)
            times.append(len(listed))
        assert times[0] == times[1]

    def warned(self, folder: Path) -> list[tuple[str, str]]:
        read = cases.read(folder)
        found = warn(read, told_today(read))
        return [(each.code, say(f"cli-warning-{each.code}", **each.given)) for each in found]

    def test_an_identity_check_after_the_answer_or_while_it_is_waited_for(self, tmp_path: Path) -> None:
        folder = written(tmp_path)
        answered, later = "2026-02-20T09:00:00+00:00", "2026-02-21T09:00:00+00:00"
        rewrite_log(folder, lambda rows: rows[-1].update(answered_at=answered, identity_checked_at=later))
        ((code, said),) = self.warned(folder)
        assert code == "identity-after-answer"
        assert "1 request(s) have identity_checked_at after answered_at" in said
        wait = {"paused_at": "2026-02-10T09:00:00+00:00", "resumed_at": later, "reason": "x", "awaits": "identity"}
        rewrite_log(folder, lambda rows: rows[-1].update(identity_checked_at=answered, clock_pauses=[wait]))
        assert [code for code, _ in self.warned(folder)] == ["identity-in-wait"]
        rewrite_log(folder, lambda rows: rows[-1].update(identity_checked_at=answered, clock_pauses=[]))
        assert self.warned(folder) == []

    def test_a_receipt_that_is_older_than_the_notice(self, tmp_path: Path) -> None:
        folder = written(tmp_path)
        told = [{"name": "B Ltd", "notified_at": "2026-03-20T09:00:00+00:00"}]
        rewrite_log(folder, lambda rows: rows[0].update(recipients_notified=told))
        (folder / "b.txt").write_text("erased")
        text = (folder / "audit.toml").read_text()
        for day, expected in (("2026-03-19", ["receipt-before-notice"]), ("2026-03-20", [])):
            receipt = f'[[receipts]]\nprocessor = "b ltd."\nwhat = "erased"\nrequests = "all"\nat = {day}\nfile = "b.txt"\n'
            (folder / "audit.toml").write_text(f"{text}\n{receipt}")
            found = self.warned(folder)
            assert [code for code, _ in found] == expected
        (folder / "audit.toml").write_text(text + "\n" + receipt.replace("2026-03-20", "2026-03-19"))
        assert "b ltd. (2026-03-19, 2026-03-20)" in self.warned(folder)[0][1]

    def test_a_promise_beyond_the_last_day_of_the_law(self, tmp_path: Path) -> None:
        folder = written(tmp_path)
        received = datetime.now(tz=UTC) - timedelta(days=1)
        for days, expected in ((70, ["promise-beyond"]), (2, [])):
            by = (received + timedelta(days=days)).date().isoformat()

            def open_(rows: list[dict[str, Any]], by: str = by) -> None:
                last = rows[-1]
                last.pop("executed_at", None)
                last.update(received_at=received.isoformat(), status="open", undertaking={"what": "erase it", "by": by})

            rewrite_log(folder, open_)
            assert [code for code, _ in self.warned(folder)] == expected
        told = {"notified_at": received.isoformat(), "reason": "many", "until": by}
        rewrite_log(folder, lambda rows: rows[-1].update(extension=told))
        assert self.warned(folder) == []

    def test_a_day_that_is_too_early_by_what_is_said_of_the_place(self, tmp_path: Path) -> None:
        folder = written(tmp_path)
        text = (folder / "audit.toml").read_text()
        rows = [json.loads(line) for line in (folder / "deletions.jsonl").read_text().splitlines()]
        last = datetime.fromisoformat(max(each["executed_at"] for each in rows if each.get("executed_at"))).date()
        for what, days, expected in (
            ("nightly, overwritten after 60 days", 59, ["outside-short"]),
            ("nightly, overwritten after 60 days", 60, []),
            ("kept for 8 weeks", 55, ["outside-short"]),
            ("copies of 12 shops", 1, []),
        ):
            until = (last + timedelta(days=days)).isoformat()
            place = f'[[outside]]\nname = "backups"\nwhat = "{what}"\nuntil = {until}\ndeclared_by = "Sam"\n'
            (folder / "audit.toml").write_text(f"{text}\n{place}")
            assert [code for code, _ in self.warned(folder)] == expected, (what, days)

    def test_a_thing_made_from_a_release_that_is_not_this_one(self, tmp_path: Path) -> None:
        folder = written(tmp_path)
        text = (folder / "audit.toml").read_text().replace("[case]\n", '[case]\nrelease = "2026.2"\n', 1)
        for release, expected in (("2026.1", ["other-release"]), ("2026.2", [])):
            thing = f'[[lineage]]\nname = "scores"\nkind = "distilled"\nfrom_release = "{release}"\ndeclared_by = "Sam"\n'
            (folder / "audit.toml").write_text(f"{text}\n{thing}")
            found = self.warned(folder)
            assert [code for code, _ in found] == expected
            assert all("made from release 2026.1, and the release of this case is 2026.2" in said for _, said in found)

    def test_an_equal_row_that_stays(self, tmp_path: Path) -> None:
        features, labels = small_cases.problem(60)
        features[20], labels[20] = features[3], labels[3]
        small_cases.write(tmp_path, features, labels, deleted=[["rec-0003"]])
        assert self.codes(tmp_path) == ["equal-rows"]


def test_a_dry_run_prints_what_would_run_and_leaves_nothing(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    folder = written(tmp_path)
    assert run(["check", str(folder), "--dry-run", "--jobs", "2"]) == 0
    said = capfd.readouterr().out
    assert "clean rooms" in said
    assert "always" in said
    assert "auditor check trains " in said
    assert not (folder / "audit").exists()
    broken = (folder / "procedure.py").read_text().replace(SHAPE, "return p")
    (folder / "procedure.py").write_text(broken)
    assert run(["check", str(folder), "--dry-run", "--json"]) == 4
    found = json.loads(capfd.readouterr().out)
    assert [each["call"] for each in found["obstacles"]] == ["predict"]


PIPELINE = """from lightgbm import LGBMClassifier
from sklearn.pipeline import Pipeline
from sklearn.preprocessing import StandardScaler


def build(seed):
    model = LGBMClassifier(n_estimators=3, random_state=seed, n_jobs=1, verbose=-1)
    return Pipeline([("scale", StandardScaler()), ("trees", model)])
"""


@pytest.mark.parametrize(("part", "warned"), [("estimator", True), ("trees", False)])
def test_a_part_that_the_model_file_does_not_hold_is_warned_of(
    tmp_path: Path, capfd: pytest.CaptureFixture[str], part: str, warned: bool
) -> None:
    features, labels = small_cases.problem(120)
    small_cases.write(tmp_path, features, labels, deleted=[["rec-0003"]], required=None)
    found: dict[str, Any] = {}
    exec(PIPELINE, found)  # our test's own text
    found["build"](1).fit(features, labels)["trees"].booster_.save_model(tmp_path / "model.txt")
    (tmp_path / "model.py").write_text(PIPELINE, encoding="utf-8")
    declared = (tmp_path / "audit.toml").read_text(encoding="utf-8")
    start, end = declared.index("[procedure]"), declared.index("seed =")
    procedure = '[procedure]\nuse = "estimator"\nentry = "model.py:build"\nunlearn = "retrain"\n'
    model = f'\n[model]\npath = "model.txt"\npart = "{part}"\n'
    (tmp_path / "audit.toml").write_text(declared[:start] + procedure + declared[end:] + model, encoding="utf-8")
    assert run(["validate", str(tmp_path)]) == 0
    said = capfd.readouterr().out
    assert ("no file of the format of model.txt, so model.reproduced cannot pass" in said) == warned
