"""What the case's own code can tell a game of the auditor's from the log by, and what it cannot."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path

import numpy as np
import pytest

from auditor import case as cases
from auditor.audit.devices import on_cpu
from auditor.audit.renamed_columns import Disguise, similar_ids
from auditor.audit.replacing import replaced
from auditor.audit.replay import Replaying
from auditor.base.domain import Status
from auditor.base.records import Dataset
from auditor.parts.release.observing.clean_room import looking
from auditor.parts.swap.observing import SwapTest, plan
from auditor.parts.swap.observing.drawing import MOST_BATCHES, draw
from auditor.sandbox import Level, Predict, PredictRows, State, Unlearn, Worker
from cases import audited, check_of
from judging import context_of_case
from levels import isolation
from small_cases import problem, write
from swap_games import records

DOCS = Path(__file__).resolve().parents[2] / "docs" / "threat-model.md"
REMAINS = {
    "how many records there are": ("rows",),
    "which records they are, and in which order": ("ids", "content", "order"),
    "which seeds there are": ("seed",),
    "how many go at once, in every other pair": ("forgotten",),
    "what follows the third batch": (),
    "what is predicted at the end": ("asked",),
    "what comes after that": (),
    "which world a requester plays in": (),
}
"""What docs/threat-model.md lists, with the observables that show it: whoever adds to it or takes from it, does so here."""


def case_of(folder: Path, name: str, *, seed: str = "20260711", isolation: str = "auto", pairs: int = 6):
    features, labels = problem(160, 4, seed=3)
    deleted = [["rec-0000"], ["rec-0001", "rec-0002"], ["rec-0003"]]
    write(folder, features, labels, required=None, data='holdout = "holdout.npz"', deleted=deleted)
    held, marks = problem(20, 4, seed=4)
    np.savez(folder / "holdout.npz", features=held, labels=marks, ids=np.array([f"held-{row}" for row in range(20)]))
    shutil.copy(Path(__file__).with_name("prying_procedures.py"), folder / "procedure.py")
    text = (folder / "audit.toml").read_text()
    start, end = text.index("[procedure]"), text.index("[deletions]")
    procedure = f'[procedure]\nentry = "procedure.py:{name}"\nseed = "{seed}"'
    table = f'{procedure}\n\n[sandbox]\nisolation = "{isolation}"\n\n[swap]\npairs = {pairs}\n\n'
    (folder / "audit.toml").write_text(text[:start] + table + text[end:])
    return folder


def seen_in(job) -> list[dict]:
    """What the procedure saw in each of its calls in a job, up to the first predictions of the last model."""
    last = max(at for at, step in enumerate(job.steps) if isinstance(step, Unlearn))
    end = next(at for at, step in enumerate(job.steps) if at > last and isinstance(step, Predict | PredictRows))
    with Worker(job.spec, job.tables, limits=job.limits) as worker:
        for step in job.steps[: end + 1]:
            worker.run(step)
        return json.loads(worker.run(State(job.steps[last].into)).content)[:-1]


@pytest.fixture(scope="module")
def seen(tmp_path_factory):
    """The log's own run, and runs of a game: on a pair of the log's sizes, procedure and baseline, and on a larger pair."""
    case = cases.read(case_of(tmp_path_factory.mktemp("spying"), "Spying"))
    look = looking(case, context_of_case(case), seed=0)
    log = Replaying(case, seed=0, level=Level.PROCESS, where=on_cpu(), looking=look).jobs[0]
    test = plan(case, seed=0, quick=False, level=Level.PROCESS, where=on_cpu(), looking=look)
    assert isinstance(test, SwapTest)
    assert test.rerunning is not None
    unlearning = [job for job in test.rerunning.jobs if any(isinstance(step, Unlearn) for step in job.steps)]
    jobs = unlearning[
        -4 * len(test.game.pairs) :
    ]  # after the reference models: pair by pair, side by side, each with its baseline
    return case, seen_in(log), {"as logged": seen_in(jobs[4]), "baseline": seen_in(jobs[5]), "larger": seen_in(jobs[0])}


def differing(log: list[dict], game: list[dict]) -> set[str]:
    """Names of the observables that are not the same in some call."""
    if [look["call"] for look in log] != [look["call"] for look in game]:
        return {"calls"}
    return {name for one, two in zip(log, game, strict=True) for name in one if one[name] != two[name]}


CONTENT = {"rows", "ids", "content", "order", "seed", "asked"}
"""What differs between the log and a game of its sizes: how many rows, which, in which order, own seeds, what is predicted."""


def test_a_game_of_the_logs_sizes_differs_from_the_log_by_content_alone(seen):
    _, log, games = seen
    assert [look["forgotten"] for look in log if look["call"] == "unlearn"] == [1, 2, 1]
    assert {look["call"] for look in log} == {"learn", "unlearn", "parameters", "predict", "state", "save"}
    for name in ("as logged", "baseline"):
        assert differing(log, games[name]) == CONTENT
    assert differing(log, games["larger"]) == CONTENT | {"forgotten"}


def test_ids_are_those_of_the_case_with_other_records(seen):
    case, _, games = seen
    own = set(case.train.ids.tolist())
    for game in games.values():
        for look in game:
            if look["ids"] is not None:
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


def test_no_name_of_a_step_model_or_table_crosses(seen):
    _, log, games = seen
    for run in (log, *games.values()):
        told = json.dumps([look["frames"] for look in run])
        assert not re.search(r"swap|replay|learned-|unlearned|retrained|reference|baseline|confus|holdout|moved", told)
        assert {"model-1", "model-2", "model-3", "model-4"} <= set(re.findall(r"model-\d+", told))
        assert any(name.endswith("table-2.npy") for name in run[0]["files"])


@pytest.mark.parametrize(("log", "expected"), [((4,), {(4,), (12,)}), ((2, 2, 9, 1), None), ((1,) * 30, {(1, 1, 1), (4, 4, 4)})])
def test_every_other_pair_forgets_as_many_as_the_log(log, expected):
    train = records(240, seed=1)
    game = draw(train, pairs=12, models=1, alpha=0.11, reference_pairs=1, seed=3, log=log)
    assert len(game.pairs[0].batches[0]) == min(len(log), MOST_BATCHES) == len(game.reserve)
    found = [tuple(map(len, pair.batches[0])) for pair in game.pairs]
    windows = {log[start : start + MOST_BATCHES] for start in range(max(1, len(log) - MOST_BATCHES + 1))}
    assert set(found[1::2]) == windows
    assert {sum(each) for each in found[::2]} <= {12, 13}
    if expected is not None:
        assert set(found) == expected
    for pair in game.pairs:
        assert [len(each) for each in pair.batches[1]] == [len(each) for each in pair.batches[0]]
        assert [len(each) for each in pair.decoys[0]] == [len(each) for each in pair.batches[0]]


def test_a_log_that_deletes_much_leaves_something_to_retain():
    game = draw(records(240, seed=1), pairs=4, models=1, alpha=0.11, reference_pairs=1, seed=3, log=(90, 10, 80))
    for pair in game.pairs:
        sizes = [len(each) for each in pair.batches[0]]
        assert sum(sizes) == 30
        assert sizes[0] > sizes[1] >= 1


def test_what_remains_is_listed():
    text = DOCS.read_text(encoding="utf-8")
    section = text[text.index("## What the code can tell a game from the log by") :]
    rows = re.findall(r"^\| ([^|]*) \|", section.split("\n## ")[0] if "\n## " in section[3:] else section, flags=re.MULTILINE)
    assert tuple(row.strip() for row in rows if row.strip() not in {"what", "---"}) == tuple(REMAINS)
    assert {name for names in REMAINS.values() for name in names} == CONTENT | {"forgotten"}


# That ids are those of the case, in the case's form, is seen above and below.
@pytest.mark.slow
def test_honest_code_that_reads_its_ids_runs(tmp_path):
    case = case_of(tmp_path, "ReadingItsIds", isolation="none", pairs=2)
    with (case / "audit.toml").open("a") as file:  # it retrains, so the game is played where the policy asks for it alone
        file.write('\n[policy]\nrequired = ["swap.quality", "swap.controls"]\n')
    evidence = audited(case, only=("release.exact", "swap.quality", "swap.controls"))
    assert evidence.audit.failure is None
    assert check_of(evidence, "swap.controls").value == 1.0
    assert check_of(evidence, "swap.quality").status is not Status.ERROR


def test_code_that_tells_the_game_by_ids_seeds_or_files_gives_itself_away(tmp_path):
    """It retrains where anything looks like a game, and does nothing where it takes what it sees for the log: so it does here."""
    case = case_of(tmp_path, "TellingByTrappings", isolation=isolation())
    evidence = audited(case, only=("swap.quality",))
    check = check_of(evidence, "swap.quality")
    assert evidence.audit.failure is None
    assert check.status is Status.INCONCLUSIVE  # so few pairs fail nobody
    assert check.value < 0.5
    assert "pairs would" in check.basis


@pytest.mark.parametrize(
    ("own", "limit"),
    [
        (0, 10),
        (7, 10),
        (41, 100),
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
    disguise = Disguise(cases.read(case_of(tmp_path, "Spying", seed=str(own))), seed=0)
    drawn = [disguise.seed(number) for number in range(1000)]
    assert all(seed + 3 < limit for seed in drawn)
    assert {len(str(seed)) for seed in drawn} == {len(str(own))}
    assert len(set(drawn)) > min(990, 0.6 * limit)
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
    case = cases.read(case_of(tmp_path, "Spying"))
    forgotten = (np.array([0, 1], dtype=np.int64),)
    made = [each.table for each in replaced(case, forgotten, seed=0) if not np.array_equal(each.table.ids, case.train.ids)]
    assert made
    for table in made:
        assert isinstance(table, Dataset)
        assert all(re.fullmatch(r"rec-\d{4}", each) for each in table.ids)
        assert len(set(table.ids)) == len(table)
