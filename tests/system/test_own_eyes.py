"""What the auditor measures itself: time on its own clock, and answers on rows whose labels never cross."""

import numpy as np
import pytest
from sandboxed import FAULTY, LEARN, ROWS, TRAIN, worker

from auditor.base.records import Dataset
from auditor.sandbox import Level, Parameters, Predict, ProcedureSpec, State, Unlearn, Worker

pytestmark = pytest.mark.usefixtures("scratch_parent")


def test_a_procedure_that_stops_the_clocks_of_its_process_is_timed_all_the_same():
    with worker("prying_procedures.py:TurningTheClock") as running:
        learned = running.run(LEARN)
        unlearned = running.run(Unlearn("model", "less", ROWS, ROWS[:1], 1))
    assert unlearned.facts == {"passed": 0.0}
    assert learned.seconds < 1.0 <= unlearned.seconds < 5.0


@pytest.mark.attempt("records in what a process shares")
def test_what_was_printed_cannot_be_read_again():
    entry = FAULTY.with_name("prying_procedures.py:ReadingWhatItPrinted")
    with Worker(ProcedureSpec(None, str(entry), {}), {"train": TRAIN}, level=Level.CONFINED) as running:
        assert running.run(LEARN).facts == {"read": 0.0}


def test_no_label_and_no_id_of_the_holdout_crosses():
    """Neither in a file of the scratch folder nor in an array of the process."""
    ids = np.array([f"holdout-secret-{row}" for row in range(3)])
    holdout = Dataset(np.ones((3, 2)), np.array(["holdout-secret-label"] * 3), ids)
    with worker(
        "prying_procedures.py:LookingForAnswers", level=Level.PROCESS, tables={"train": TRAIN, "holdout": holdout}
    ) as running:
        running.run(LEARN)
        running.run(Predict("model", "holdout", 2))
        assert running.run(Parameters("model")).array.tolist() == [0.0]
        seen = running.run(State("model")).content.decode()
    assert "train.npz:ids,labels" in seen
    assert "table-1.npy:(3, 2)" in seen
    assert "table-1.npz" not in seen


def test_the_search_for_labels_finds_those_that_do_cross():
    ids = np.array([f"holdout-secret-{row}" for row in range(6)])
    train = Dataset(TRAIN.features, TRAIN.labels, ids)
    with worker("prying_procedures.py:LookingForAnswers", level=Level.PROCESS, tables={"train": train}) as running:
        running.run(LEARN)
        running.run(Predict("model", "train", 2))
        assert running.run(Parameters("model")).array.tolist() == [1.0]
