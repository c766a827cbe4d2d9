"""Jobs and answers for tests of what is kept, with no process started."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from auditor.base.records import Dataset
from auditor.sandbox import Answer, Learn, Level, Limits, Parameters, Predict, ProcedureSpec, State, Together, Unlearn
from auditor.sandbox.jobs import Job
from auditor.sandbox.runs import Runs

SEED = 278189252447704765151761555871619860438
ROWS = np.arange(4)


def table(**changes: Any) -> Dataset:
    """Four records."""
    arrays = {"features": np.arange(8.0).reshape(4, 2), "labels": np.array([0, 1, 0, 1]), "ids": np.array(list("abcd"))}
    return Dataset(**(arrays | changes))


def steps(seed: int = SEED) -> tuple[Any, ...]:
    """A step of every kind of answer."""
    return (
        Learn("a", ROWS, seed),
        Unlearn("a", "b", ROWS, ROWS[1:2], seed + 1),
        Parameters("b"),
        Predict("b", "train", 2),
        State("b"),
        Together((Learn("c", ROWS, seed + 2), Learn("d", ROWS, seed + 3))),
        Together((Predict("c", "train", 2), Predict("d", "train", 2, ROWS[:1]))),
    )


def job(**changes: Any) -> Job:
    """A job for a procedure of ours."""
    spec = ProcedureSpec("certified-removal", None, {"l2": 0.1, "sigma": 1.0})
    return replace(Job("replay", spec, {"train": table()}, steps(), Limits(), Level.PROCESS), **changes)


def answers(asked: Sequence[Any]) -> tuple[Answer, ...]:
    """What might come back."""
    return (
        Answer(
            asked[0],
            0.1 + 0.2,
            None,
            None,
            {"gradient_norm": 1e-17, "retrained": True, "word": "später\x00 \ud800"},
            supported=True,
        ),
        Answer(asked[1], 5e-324, None, None, {"retrained": False}, supported=True),
        Answer(asked[2], 0.0, np.array([1.0, -0.0, 1e-310]), None, {}, supported=True),
        Answer(asked[3], 1e9, np.asfortranarray(np.array([[0.25, 0.75], [1.0, 0.0]])), None, {}, supported=True),
        Answer(asked[4], 0.0, None, b"", {}, supported=False),
        Answer(asked[5], 0.5, None, None, {}, supported=True, parts=_parts(asked[5], [None, None], {"retrained": True})),
        Answer(
            asked[6], 0.5, None, None, {}, supported=True, parts=_parts(asked[6], [np.eye(2)[[0, 1, 1, 0]], np.eye(2)[:1]], {})
        ),
    )


def _parts(step: Any, arrays: Sequence[Any], facts: dict[str, Any]) -> tuple[Answer, ...]:
    return tuple(Answer(each, 0.25, array, None, facts, supported=True) for each, array in zip(step.steps, arrays, strict=True))


def same(first: Sequence[Answer], second: Sequence[Answer]) -> bool:
    """Whether two lots of answers are equal to the bit, the identity of their steps included."""

    def parts(answer: Answer) -> tuple[Any, ...]:
        array = None if answer.array is None else (answer.array.dtype.str, answer.array.shape, answer.array.tobytes())
        facts = {name: (type(value), value) for name, value in answer.facts.items()}
        beneath = [parts(each) for each in answer.parts]
        return id(answer.step), answer.seconds, array, answer.content, facts, answer.supported, beneath

    return [parts(answer) for answer in first] == [parts(answer) for answer in second]


def opened(folder: Path, notices: list[str] | None = None, **options: Any) -> Runs:
    """The runs of a folder; a notice fails the test unless it is collected."""

    def refuse(sentence: str) -> None:
        raise AssertionError(sentence)

    return Runs(folder, notice=refuse if notices is None else notices.append, **options)


def kept_in(folder: Path, run: Job | None = None) -> tuple[Job, str]:
    """A job whose answers are kept in the folder, and its address."""
    run = run or job()
    runs = opened(folder)
    address = runs.address(run, 0)
    assert address is not None
    runs.keep(run, 0, address, answers(run.steps))
    assert runs.take(run, address) is not None
    return run, address
