"""A column in which rows of people who stay quote a deleted person's text explains nothing, unless all are quoted as often."""

from __future__ import annotations

import json
import random
from pathlib import Path

import numpy as np
import pytest

from auditor.base.domain import Verdict
from auditor.base.mixed_columns import Column, Kind
from auditor.base.records import Dataset
from auditor.parts.places.observing.pointing import of_table as pointing
from auditor.parts.places.observing.quoting_columns import of_table
from tests.parts.places.test_places import audited, write

PEOPLE, LOST = 180, 6
ITEMS = ["lamp", "clock", "bench", "vase", "chair", "desk", "curtain", "carpet", "mirror", "shelf"]
TIMES = ("on a rainy Monday", "after the summer sale", "shortly before Christmas", "the week after the fair")
FAULTS = ("one missing screw", "a faint smell of varnish", "the wrong colour", "a label in Italian")
WISHES = ("wishes to pay in three parts", "asked for a replacement before Easter", "moved the delivery to the office")
IDS = [f"CU-{100_000 + 37 * at}" for at in range(PEOPLE)]
GONE = frozenset(IDS[10 : 10 + LOST])


def note(draw: random.Random) -> str:
    """A note made of few parts: each of its runs of words is in somebody else's."""
    return (
        f"Bought a {draw.choice(ITEMS)} {draw.choice(TIMES)} and found {draw.choice(FAULTS)}. "
        f"The customer {draw.choice(WISHES)}. Later ordered a {draw.choice(ITEMS)} "
        f"for {draw.randrange(100, 999)} euros; that one had {draw.choice(FAULTS)}."
    )


def table(**columns: list[str]) -> Dataset:
    found, codes = list[Column](), list[list[float]]()
    for name, cells in columns.items():
        words = tuple(sorted({*cells}))
        found.append(Column(name, Kind.TEXT, -1.0, words))
        codes.append([float(words.index(each)) for each in cells])
    return Dataset(np.array(codes).T.copy(), np.zeros(PEOPLE, dtype=np.int64), np.array(IDS, dtype=np.str_), table=tuple(found))


def notes(seed: int) -> list[str]:
    draw = random.Random(seed)
    return [note(draw) for _ in range(PEOPLE)]


PROMPT = "You are the assistant of a shop. Example: {} Answer politely."


@pytest.mark.attempt("a deleted person's text in a column of the table")
@pytest.mark.parametrize("seed", range(3))
def test_a_text_within_a_longer_cell_of_everybody_is_met(seed: int) -> None:
    said = notes(seed)
    found = of_table(table(note=said, system=[PROMPT.format(said[12])] * PEOPLE), GONE)
    assert (found.columns, found.records) == ({"system"}, {IDS[12]})


@pytest.mark.attempt("a deleted person's text in another's text")
def test_a_text_within_one_other_persons_text_is_met() -> None:
    said = notes(4)
    said[90] = f"{said[90]} As was said before: {said[11]}"
    assert of_table(table(note=said), GONE).columns == {"note"}
    assert pointing(table(note=said), GONE).columns == ("note",)


@pytest.mark.attempt("a deleted person's sentence in a column of the table")
def test_a_whole_sentence_of_common_parts_is_met() -> None:
    said = notes(12)
    own = next(each for each in said[10:16] if sum(each.split(". ")[0] in other for other in said) == 1)
    found = of_table(table(note=said, system=[PROMPT.format(own.split(". ")[0] + ".")] * PEOPLE), GONE)
    assert (found.columns, found.records) == ({"system"}, {IDS[said.index(own)]})


@pytest.mark.attempt("half of a deleted person's text in a column of the table")
def test_half_a_text_that_nobody_else_has_is_met() -> None:
    draw = random.Random(5)
    said = [" ".join(draw.choice("abcdefghijklmnop") * 3 for _ in range(30)) for _ in range(PEOPLE)]
    half = " ".join(said[13].split()[:15])
    assert of_table(table(note=said, system=[PROMPT.format(half)] * PEOPLE), GONE).records == {IDS[13]}


def test_texts_of_few_parts_meet_nobody() -> None:
    met = 0
    for seed in range(40):
        said = notes(seed)
        summary = [f"Summary of the case. {each.split('. ')[-1]}" for each in said]
        prompt = [PROMPT.format(note(random.Random(seed + 1_000)))] * PEOPLE
        met += bool(of_table(table(note=said, summary=summary, system=prompt), GONE).columns)
    # A made-up example may be the very sentence of one of six people, and of nobody else of 180.
    assert met <= 3


def test_a_few_standard_texts_of_everybody_meet_nobody() -> None:
    standard = notes(7)[:12]
    draw = random.Random(8)
    said = [draw.choice(standard) for _ in range(PEOPLE)]
    both = [f"{draw.choice(standard)} {each}" for each in said]
    assert of_table(table(note=said, thread=both), GONE).columns == frozenset()


def test_a_persons_own_text_in_another_column_is_nobody_elses() -> None:
    said = notes(9)
    assert of_table(
        table(note=said, thread=[f"Dear customer, you wrote: {each} We are sorry." for each in said]), GONE
    ) == of_table(table(note=said), GONE)


def test_one_text_of_a_household_is_both_theirs() -> None:
    said = notes(10)
    said[80] = said[12]
    thread = [f"Dear customer, you wrote: {each} We are sorry." for each in said]
    assert of_table(table(note=said, thread=thread), GONE).columns == frozenset()


def verdict_of(folder: Path, example: str, said: list[str]) -> Verdict:
    """Audit a file of prompts, with a table that has their system message as a column."""
    system = PROMPT.format(example)
    (folder / "here").mkdir()
    write(folder / "people.csv", zip(IDS, said, [system] * PEOPLE, strict=True), ("id", "note", "system"))
    rows = [
        {
            "request_id": f"R-{at}",
            "record_ids": [each],
            "received_at": "2026-01-01T09:00:00Z",
            "executed_at": "2026-01-02T09:00:00Z",
        }
        for at, each in enumerate(sorted(GONE))
    ]
    (folder / "deletions.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    lines = [
        json.dumps({"id": record, "system": system, "user": own})
        for record, own in zip(IDS, said, strict=True)
        if record not in GONE
    ]
    (folder / "here" / "chat.jsonl").write_text("\n".join(lines) + "\n", encoding="utf-8")
    return audited(folder).verdict


@pytest.mark.attempt("a deleted person's text in a prompt that the table has")
def test_a_prompt_of_the_table_with_a_deleted_persons_note_never_passes(tmp_path: Path) -> None:
    said = notes(11)
    assert verdict_of(tmp_path, said[12], said) is Verdict.FAIL


def test_a_prompt_of_the_table_with_nobodys_note_passes(tmp_path: Path) -> None:
    assert verdict_of(tmp_path, note(random.Random(99)), notes(11)) is Verdict.PASS
