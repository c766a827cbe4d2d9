"""Makes this case: python sample_models/trigram-model/build.py."""

import csv
import json
import sys
from pathlib import Path

import numpy as np

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))

from auditor.base.records import Dataset  # noqa: E402
from digits import DRAW, requests  # noqa: E402  (it lies next to the samples' folders)

TRAINING_RECORDS, HOLDOUT_RECORDS = 400, 60
NAMES = "arden bauer costa dahl evans ferri gomez hansen ivanov jones keller lopez meyer novak olsen petit"
GRAMMAR = {
    "NOTE": ["WHO came in WHEN with WHAT", "WHO called WHEN about WHAT", "WHO asks for DRUG against WHAT", "NOTE and ACTION"],
    "WHO": ["mrs NAME", "mr NAME", "the son of mr NAME", "the daughter of mrs NAME", "a neighbour of mr NAME"],
    "NAME": NAMES.split(" "),
    "WHEN": ["this morning", "at noon", "late at night", "on monday", "on friday", "after work"],
    "WHAT": ["pain in PART", "a swollen PART", "a rash on PART", "fever since DAY", "a cough since DAY", "trouble with sleep"],
    "PART": ["the left knee", "the right knee", "one shoulder", "the lower back", "the neck", "one ankle", "an ear"],
    "DAY": ["monday", "tuesday", "thursday", "the weekend", "last week"],
    "DRUG": ["drops", "an ointment", "tablets", "something mild", "the same tablets"],
    "ACTION": ["will come back DAY", "got DRUG", "was sent home", "needs a letter", "wants a second opinion"],
}


def said(word: str, rng: np.random.Generator) -> str:
    """Replace every word of the grammar by one of its forms, drawn evenly, until none is left."""
    if word not in GRAMMAR:
        return word
    form = GRAMMAR[word][int(rng.integers(len(GRAMMAR[word])))]
    return " ".join(said(each, rng) for each in form.split())


def written(name: str, rows: list[tuple[str, str]]) -> None:
    """Write ids and sentences."""
    with (HERE / name).open("w", encoding="utf-8", newline="") as file:
        csv.writer(file, lineterminator="\n").writerows([("id", "sentence"), *rows])


rng = np.random.default_rng(DRAW)
notes: list[str] = []
while len(notes) < TRAINING_RECORDS + HOLDOUT_RECORDS:
    note = said("NOTE", rng)
    # Each sentence once: what several people said is erased with none of them.
    if note not in notes:
        notes.append(note)
ids = [f"note-{number:04d}" for number in range(len(notes))]
rows = list(zip(ids, notes, strict=True))
written("train.csv", rows[:TRAINING_RECORDS])
written("holdout.csv", rows[TRAINING_RECORDS:])
train = Dataset(np.zeros((TRAINING_RECORDS, 1)), np.zeros(TRAINING_RECORDS), np.array(ids[:TRAINING_RECORDS]))
with (HERE / "deletions.jsonl").open("w", encoding="utf-8") as log:
    log.writelines(json.dumps(row) + "\n" for row in requests(train, 8))
