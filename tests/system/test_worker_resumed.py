"""A model file in a fresh process, and a look at what could outlast an update: what comes back, and what is kept of it."""

import io
import json

import numpy as np
import pytest
from sandboxed import LEARN, ROWS, SEED, TRAIN, ask, failure, worker

from auditor.sandbox import Drop, Level, Load, Parameters, ProcedureSpec, Save, Survey, Unlearn, state_found
from auditor.sandbox.jobs import Job, run
from auditor.sandbox.runs import Runs, packing
from kept_runs import opened

CODE = "stateful_procedures.py"
pytestmark = pytest.mark.usefixtures("scratch_parent")


def file_of(**arrays):
    buffer = io.BytesIO()
    np.savez(buffer, **arrays)
    return buffer.getvalue()


def test_a_saved_model_goes_on_in_another_process():
    first = ask(worker(f"{CODE}:Clean"), [LEARN, Save("model"), Unlearn("model", "next", ROWS, ROWS[:1], 3), Parameters("next")])
    second = ask(
        worker(f"{CODE}:Clean"),
        [Load("model", first[1].content), Parameters("model"), Unlearn("model", "next", ROWS, ROWS[:1], 3), Parameters("next")],
    )
    assert second[0].supported
    assert second[0].facts == {}
    np.testing.assert_array_equal(second[3].array, first[3].array)
    assert first[1].content == file_of(parameters=second[1].array)


@pytest.mark.parametrize(
    ("name", "facts"), [("NoLoad", {}), ("Refusing", {"refused": "OSError"}), ("OnlyItsOwnFile", {"refused": "KeyError"})]
)
def test_a_file_that_is_not_taken_is_an_answer_and_so_is_whatever_reads_it(name, facts):
    steps = [Load("model", file_of(parameters=np.zeros(2))), Parameters("model"), Unlearn("model", "next", ROWS, ROWS[:1], 3)]
    loaded, *rest = ask(worker(f"{CODE}:{name}"), [*steps, Drop("model")])
    assert not loaded.supported
    assert loaded.facts == facts
    assert [answer.supported for answer in rest] == [False, False, False]


def test_what_is_loaded_is_no_model_and_the_next_call_fails():
    error = failure(f"{CODE}:Strange", Load("model", b"anything"), Unlearn("model", "next", ROWS, ROWS[:1], SEED))
    assert str(error) == "the procedure's unlearn (step 2) failed: it raised TypeError"


def test_a_survey_says_what_there_is_and_tells_no_seed():
    before, _, after = ask(worker(f"{CODE}:Telling", level=Level.PROCESS), [Survey(), LEARN, Survey()])
    assert before.facts == {"parameters": True, "save": True, "load": True}
    changed = state_found.changed(state_found.read(before.content), state_found.read(after.content))
    assert ("attribute", "Telling.seed") in changed
    assert {name for kind, name in changed if kind == "file"} == {"home/[seed]"}
    assert str(SEED).encode() not in after.content


def test_a_procedure_that_lies_about_the_survey_is_refused():
    assert "expected a survey" in str(failure(f"{CODE}:Lying", LEARN, Survey()))


def test_a_file_has_its_part_in_the_address_and_none_in_what_is_printed(tmp_path_factory):
    spec = ProcedureSpec("certified-removal", None, {"l2": 0.1, "sigma": 1.0})
    runs = opened(tmp_path_factory.mktemp("kept") / ".runs")
    jobs = [Job("one", spec, {"train": TRAIN}, (Load("model", content), Survey())) for content in (b"a", b"b")]
    first, second = (runs.address(each, 0) for each in jobs)
    assert first != second
    assert "b'a'" not in repr(jobs[0])


def test_what_was_loaded_and_surveyed_is_kept_whole(tmp_path_factory):
    spec = ProcedureSpec("certified-removal", None, {"l2": 0.1, "sigma": 1.0, "tolerance": 1e-8})
    job = Job("one", spec, {"train": TRAIN}, (Survey(), Load("model", b"no file")), level=Level.PROCESS)
    folder = tmp_path_factory.mktemp("kept") / ".runs"
    kept = Runs(folder, notice=pytest.fail)
    (fresh,) = run([job], workers=1, on_step=lambda *_: None, kept=kept)
    again = Runs(folder, notice=pytest.fail)
    (taken,) = run([job], workers=1, on_step=lambda *_: None, kept=again)
    assert again.taken == ("one",)
    assert taken[0].content == fresh[0].content
    assert json.loads(taken[0].content).keys() == set(state_found.KINDS)
    assert (taken[1].supported, taken[1].facts) == (False, fresh[1].facts)
    assert packing.packed(taken) == packing.packed(fresh)
