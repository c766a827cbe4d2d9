"""A whole text is its person's, though each few words of it are in others' texts too; a deleted person's text is nobody's."""

from __future__ import annotations

import csv
import json
import random
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import product
from typing import NamedTuple

import pytest

from auditor.api import checking
from auditor.parts.places.observing.alone import Alone
from auditor.parts.places.observing.own_values import Owners, words_of
from auditor.parts.places.observing.sought import of_case
from auditor.parts.places.observing.text_accounts import Before, Explained, account
from auditor.parts.store.judging.accounting import SPARE_EACH
from tests.parts.places.test_places import CASE, TABLE


class Person(NamedTuple):
    id: str
    first: str
    last: str
    note: str


NOTE = "Bought a {} on a rainy Monday and found {}. The customer {}. Later ordered a {} for {} euros; the customer {}."
THINGS = ("garden bench", "oak desk", "glass vase", "wool carpet", "brass clock")
FLAWS = ("a loose handle", "the wrong colour", "one missing screw")
WISHES = ("wishes to pay in three parts", "asked for a replacement", "complained about the driver", "sent two photographs")
NAMES = (
    ("Ada", "Jasper", "Mira", "Nils", "Rana", "Tilda", "Ugo", "Vera", "Wim"),
    ("Cordes", "Dunstable", "Lockhart", "Quandt", "Voss", "Yilmaz", "Zoller", "Haas", "Ibsen"),
)


def _people() -> Iterator[Person]:
    draw = random.Random(8)
    notes = draw.sample([NOTE.format(*each) for each in product(THINGS, FLAWS, WISHES, THINGS, (378, 639, 760), WISHES)], 80)
    notes[70] = notes[12]
    for at, (name, note) in enumerate(zip(draw.sample([*product(*NAMES)], 80), notes, strict=True)):
        yield Person(f"K{600_000 + at * 7919 % 390_000}", *name, note)


PEOPLE = list(_people())
GONE = [PEOPLE[23], PEOPLE[51]]
STAY = [each for each in PEOPLE if each not in GONE]
BITS = [int(each) for each in f"{int.from_bytes(b'somebody who was deleted'):0190b}"]


@pytest.fixture(scope="module")
def known(tmp_path_factory: pytest.TempPathFactory) -> tuple[Owners, Alone]:
    folder = tmp_path_factory.mktemp("case")
    with (folder / "people.csv").open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows([Person._fields, *PEOPLE])
    log = [
        {"request_id": f"R-{at}", "record_ids": [each.id], "received_at": "2026-10-01T09:00:00+00:00",
         "executed_at": "2026-10-05T09:00:00+00:00"}
        for at, each in enumerate(GONE)
    ]  # fmt: skip
    (folder / "deletions.jsonl").write_text("".join(json.dumps(row) + "\n" for row in log), encoding="utf-8")
    (folder / "here").mkdir()
    (folder / "here" / "ids.txt").write_text("".join(f"{each.id}\n" for each in STAY), encoding="utf-8")
    (folder / "audit.toml").write_text(CASE.format(here='"here"') + TABLE, encoding="utf-8")
    sought, _ = of_case(checking.cases.read(folder))
    return Owners.of(sought.people), Alone.of(sought.people)


def accounted(known: tuple[Owners, Alone], lines: Iterable[str]) -> Explained:
    content = "".join(f"{each}\n" for each in lines).encode()
    return account({"cases.txt": content}, known[0], [], Before.any_place(*known), {})


def is_clear(found: Explained) -> bool:
    return not sum(found.unexplained.values()) and found.bits <= SPARE_EACH


def in_turn(people: Sequence[Person]) -> Iterator[Person]:
    """People two by two, in one order or the other, as bits say."""
    for pair, bit in zip(zip(people[::2], people[1::2], strict=True), [*BITS] * 2, strict=False):
        yield from pair[:: -1 if bit else 1]


FORMS: dict[str, Callable[[Person], str]] = {
    "notes": lambda each: each.note,
    "notes within JSON": lambda each: json.dumps({"text": each.note, "reply": f"Dear {each.first} {each.last}, thank you."}),
    "names": lambda each: f"Dear {each.first} {each.last}, thank you.",
    "a log with a word of the notes": lambda each: f"2026-10-01 06:00:00 INFO customer={each.id}",
}


def test_few_words_are_seldom_one_persons_alone(known: tuple[Owners, Alone]) -> None:
    index = known[0].index
    alone = [each for each in STAY if _runs(each.note) & {run for run, owner in index.items() if owner >= 0}]
    assert len(alone) < len(STAY) / 2


def _runs(text: str) -> set[tuple[str, ...]]:
    words = words_of(text)
    return {tuple(words[at : at + 4]) for at in range(len(words) - 3)}


@pytest.mark.parametrize("form", FORMS.values(), ids=FORMS)
def test_a_whole_text_is_its_persons(known: tuple[Owners, Alone], form: Callable[[Person], str]) -> None:
    found = accounted(known, map(form, STAY))
    assert is_clear(found), (found.left, found.bits)
    assert found.people == len(STAY)


@pytest.mark.attempt("deleted people in texts")
@pytest.mark.parametrize("form", FORMS.values(), ids=FORMS)
def test_that_of_a_deleted_person_stays_open(known: tuple[Owners, Alone], form: Callable[[Person], str]) -> None:
    for people in (
        PEOPLE,
        [each for each in PEOPLE if each is not GONE[1]],
        [GONE[0] if each is STAY[3] else each for each in STAY],
    ):
        assert not is_clear(accounted(known, map(form, people)))


@pytest.mark.attempt("deleted people in texts")
@pytest.mark.parametrize("form", FORMS.values(), ids=FORMS)
def test_the_order_of_texts_is_counted(known: tuple[Owners, Alone], form: Callable[[Person], str]) -> None:
    assert not is_clear(accounted(known, map(form, in_turn(STAY))))


@pytest.mark.attempt("deleted people in texts")
@pytest.mark.parametrize("form", FORMS.values(), ids=FORMS)
def test_which_of_two_people_have_a_line_is_counted(known: tuple[Owners, Alone], form: Callable[[Person], str]) -> None:
    some = [STAY[at + bit] for at, bit in zip(range(0, len(STAY), 2), BITS, strict=False)]
    assert accounted(known, map(form, some)).bits > accounted(known, map(form, STAY)).bits + len(some) // 2


@pytest.mark.attempt("deleted people in texts")
def test_a_text_is_not_that_of_another_whose_id_is_beside_it(known: tuple[Owners, Alone]) -> None:
    lines = [f"{each.id} {STAY[(at * 7 + 3) % len(STAY)].note}" for at, each in enumerate(STAY)]
    assert not is_clear(accounted(known, lines))


@pytest.mark.attempt("deleted people in texts")
def test_which_word_of_the_notes_a_log_has_is_counted(known: tuple[Owners, Alone]) -> None:
    words = ("customer", "ordered a")
    lines = (f"INFO {words[bit]}={each.id}" for each, bit in zip(STAY, BITS, strict=False))
    assert not is_clear(accounted(known, lines))


@pytest.mark.attempt("deleted people in texts")
@pytest.mark.parametrize("line", ["{0.note} {1.note}", "{0.note} {1.first} {1.last}", "{1.first} {1.last}: {0.note}"])
def test_a_whole_text_explains_nothing_of_a_deleted_person_beside_it(known: tuple[Owners, Alone], line: str) -> None:
    lines = [line.format(each, GONE[0]) if at == 9 else each.note for at, each in enumerate(STAY)]
    assert not is_clear(accounted(known, lines))
