"""What the case's own code can tell a game of the auditor's from the log by, and what it cannot."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path

import numpy as np
import pytest

from auditor import case as cases
from auditor.domain import Dataset, Status
from auditor.observing.devices import on_cpu
from auditor.observing.disguise import LEAST_DIGITS, Disguise, similar_ids
from auditor.observing.replacing import replaced
from auditor.observing.replay import Replaying
from auditor.observing.swap import SwapTest, plan
from auditor.sandbox import Learn, Level, State, Unlearn, Worker
from cases import audited, check_of
from small_cases import problem, write

DOCS = Path(__file__).resolve().parents[2] / "docs" / "threat-model.md"
REMAINS = (
    "how many records there are",
    "which records they are, and in which order",
    "how many go at once, and how many batches follow",
    "how many digits the seed has",
    "which calls come, and in which order",
    "what is predicted",
    "which world a requester plays in",
)
"""What docs/threat-model.md lists: whoever adds to it or takes from it, does so here."""


def case_of(folder: Path, name: str, *, seed: str = "20260711", isolation: str = "auto"):
    features, labels = problem(160, 4, seed=3)
    write(folder, features, labels, required=None, data='holdout = "holdout.npz"')
    held, marks = problem(20, 4, seed=4)
    np.savez(folder / "holdout.npz", features=held, labels=marks, ids=np.array([f"held-{row}" for row in range(20)]))
    shutil.copy(Path(__file__).with_name("prying_procedures.py"), folder / "procedure.py")
    text = (folder / "audit.toml").read_text()
    start, end = text.index("[procedure]"), text.index("[deletions]")
    procedure = f'[procedure]\nentry = "procedure.py:{name}"\nseed = "{seed}"'
    table = f'{procedure}\n\n[sandbox]\nisolation = "{isolation}"\n\n[swap]\npairs = 5\n\n'
    (folder / "audit.toml").write_text(text[:start] + table + text[end:])
    return folder


def looked(job) -> list[dict]:
    """What the procedure saw in the first calls of a job, up to its first unlearning."""
    number = next(at for at, step in enumerate(job.steps) if isinstance(step, Unlearn))
    steps = [step for step in job.steps[: number + 1] if isinstance(step, Learn | Unlearn)]
    with Worker(job.spec, job.tables, limits=job.limits) as worker:
        for step in steps:
            worker.run(step)
        return json.loads(worker.run(State(steps[-1].into)).content)


@pytest.fixture(scope="module")
def seen(tmp_path_factory):
    """The log's own run, a side of a swap pair, and a trial of the confusion test, each as the procedure saw it."""
    case = cases.read(case_of(tmp_path_factory.mktemp("spying"), "LookingAround"))
    log = Replaying(case, seed=0, level=Level.PROCESS, where=on_cpu()).jobs[0]
    test = plan(case, seed=0, quick=False, level=Level.PROCESS, where=on_cpu())
    assert isinstance(test, SwapTest)
    jobs = test.jobs
    side = next(job for job in jobs if job.name.startswith("swap-") and any(isinstance(step, Unlearn) for step in job.steps))
    return case, looked(log), [looked(side), looked(jobs[0])]


def test_ids_are_those_of_the_case_with_other_records(seen):
    case, _, games = seen
    own = set(case.train.ids.tolist())
    for game in games:
        for look in game:
            assert set(look["ids"]) <= own
            assert len(set(look["ids"])) == len(look["ids"])
    shown = Disguise(case, seed=0).train
    assert sorted(shown.ids) == sorted(case.train.ids)
    assert np.mean(shown.ids == case.train.ids) < 0.1
    for label in (0, 1):
        assert set(shown.ids[shown.labels == label]) == set(case.train.ids[case.train.labels == label])
    # The same for every process of one audit, so that common random numbers stay common; another one for another audit.
    assert np.array_equal(Disguise(case, seed=0).train.ids, shown.ids)
    assert not np.array_equal(Disguise(case, seed=1).train.ids, shown.ids)


def test_seeds_have_the_digits_of_the_cases_and_count_up_as_in_the_log(seen):
    case, log, games = seen
    assert [look["call"] for look in log] == ["learn", "unlearn"]
    for learn, unlearn in (log, *games):
        assert len(learn["seed"]) == len(str(case.settings.procedure.seed))
        assert int(unlearn["seed"]) == int(learn["seed"]) + 1


def test_no_name_of_a_step_model_or_table_crosses(seen):
    _, log, games = seen
    for run in (log, *games):
        told = " ".join(each for look in run for each in look["told"])
        assert not re.search(
            r"swap|replay|learned-|retrained|reference|confus|holdout|probe|moved", told.replace("LookingAround", "")
        )
        names = set(re.findall(r"'(?:into|model)': '([^']*)'", told))
        assert names == {"model-1", "model-2"}


def test_the_same_files_lie_in_the_folder(seen):
    _, log, games = seen
    for game in games:
        for of_game, of_log in zip(game, log, strict=True):
            assert of_game["files"] == of_log["files"]
    assert any(name.endswith("table-1.npz") for name in log[0]["files"])


def test_what_remains_is_listed():
    text = DOCS.read_text(encoding="utf-8")
    section = text[text.index("## What the code can tell a game from the log by") :]
    rows = re.findall(r"^\| ([^|]*) \|", section.split("\n## ")[0] if "\n## " in section[3:] else section, flags=re.MULTILINE)
    assert tuple(row.strip() for row in rows if row.strip() not in {"what", "---"}) == REMAINS


def test_honest_code_that_reads_its_ids_runs(tmp_path):
    case = case_of(tmp_path, "ReadingItsIds", isolation="none")
    with (case / "audit.toml").open("a") as file:  # it retrains, so the game is played where the policy asks for it alone
        file.write('\n[policy]\nrequired = ["swap.quality", "swap.controls"]\n')
    evidence = audited(case)
    assert evidence.audit.failure is None
    assert check_of(evidence, "swap.controls").value == 1.0
    assert check_of(evidence, "swap.quality").status is not Status.ERROR


def test_code_that_tells_the_game_by_ids_seeds_or_files_gives_itself_away(tmp_path):
    """It retrains where anything looks like a game, and does nothing where it takes what it sees for the log: so it does here."""
    case = case_of(tmp_path, "TellingByTrappings", isolation="none")
    evidence = audited(case, only=("swap.quality",))
    check = check_of(evidence, "swap.quality")
    assert evidence.audit.failure is None
    assert check.status is Status.FAIL
    assert check.value < 0.5


@pytest.mark.parametrize(
    ("own", "limit"),
    [
        (0, 10**6),
        (123_456_789, 10**9),
        (2_000_000_000, 2**31),
        (2**31 - 10_001, 2**31),
        (2**31 - 10_000, 2**32),
        (4_000_000_000, 2**32),
        (2**62, 2**63),
        (2**63, 2**64),
        (10**38, 10**39),
    ],
)
def test_a_seed_fits_where_the_cases_own_fits(tmp_path, own, limit):
    assert LEAST_DIGITS == 6
    disguise = Disguise(cases.read(case_of(tmp_path, "LookingAround", seed=str(own))), seed=0)
    drawn = [disguise.seed(number) for number in range(1000)]
    assert all(seed + 1 < limit for seed in drawn)
    assert {len(str(seed)) for seed in drawn} == {max(LEAST_DIGITS, len(str(own)))}
    assert len(set(drawn)) > 990
    assert disguise.seed(3) == drawn[3]


@pytest.mark.parametrize(
    ("own", "form"),
    [
        ([f"patient-{number:04d}" for number in range(569)], r"patient-\d{4}"),
        ([str(number) for number in range(100, 1000)], r"\d{3,4}"),
        ([str(number) for number in range(10)], r"\d+"),
        ([f"{number:x}" * 4 + "-A" for number in range(16)], r"[0-9a-f]{4}-A"),
        (["a", "b", "c"], r"[a-c]a*"),
    ],
)
def test_ids_that_are_made_have_the_form_of_the_cases(own, form):
    made = similar_ids(np.array(own), 40, rng=np.random.default_rng(0))
    assert len(set(made)) == 40
    assert not set(made) & set(own)
    assert all(re.fullmatch(form, each) for each in made)


def test_other_records_in_the_place_of_deleted_ones_have_such_ids(tmp_path):
    case = cases.read(case_of(tmp_path, "LookingAround"))
    forgotten = (np.array([0, 1], dtype=np.int64),)
    made = [each.table for each in replaced(case, forgotten, seed=0) if not np.array_equal(each.table.ids, case.train.ids)]
    assert made
    for table in made:
        assert isinstance(table, Dataset)
        assert all(re.fullmatch(r"rec-\d{4}", each) for each in table.ids)
        assert len(set(table.ids)) == len(table)
