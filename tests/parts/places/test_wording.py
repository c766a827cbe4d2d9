"""Words around people's values: a prompt of ordinary words is explained, and which words somebody chose is counted."""

from __future__ import annotations

import csv
import json
import random
import re
import zipfile
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path

import pytest

from auditor.api import checking
from auditor.cli import run
from auditor.parts.places.observing import ordinary_words
from auditor.parts.places.observing.alone import Alone
from auditor.parts.places.observing.own_values import Owners
from auditor.parts.places.observing.plain_words import USUAL, Around
from auditor.parts.places.observing.sought import of_case
from auditor.parts.places.observing.text_accounts import Before, Explained, account
from auditor.parts.store.judging.accounting import SPARE_EACH
from tests.parts.places.test_places import CASE, TABLE

SAID = (
    "He called again.",
    "We sent a voucher.",
    "Nobody answered the phone.",
    "She collects old stamps.",
    "The parcel was late.",
)
Person = Mapping[str, str]


def _people() -> Iterator[Person]:
    draw = random.Random(40)
    for at in range(60):
        name = (
            f"{draw.choice(('Ada', 'Jörg', 'Mira', 'Nils', 'Rana'))} {('Cordes', 'Quandt', 'Voss', 'Yilmaz', 'Zoller')[at % 5]}"
        )
        note = " ".join(draw.choice(SAID) for _ in range(6))
        yield {
            "id": f"CU-{10_007 * (at + 9)}",
            "name": name,
            "stay": draw.choice(("Bremen", "Halle")),
            "note": f"{at + 7}. {note}",
        }


PEOPLE = list(_people())
GONE = [{**PEOPLE[7], "name": "April Parcel"}, PEOPLE[31]]
STAY = [each for at, each in enumerate(PEOPLE) if at not in {7, 31}]
BITS = [int(each) for each in f"{int.from_bytes(b'somebody who was deleted'):0190b}"]
PROMPT = "You are a helpful assistant. Summarise the notes on {name} from {stay} in one sentence:\n\n{note}"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("case")
    with (folder / "people.csv").open("w", encoding="utf-8", newline="") as file:
        rows = csv.DictWriter(file, list(PEOPLE[0]))
        rows.writeheader()
        rows.writerows([GONE[0] if at == 7 else each for at, each in enumerate(PEOPLE)])
    log = [
        {"request_id": f"R-{at}", "record_ids": [each["id"]], "received_at": "2026-10-01T09:00:00+00:00",
         "executed_at": "2026-10-05T09:00:00+00:00"}
        for at, each in enumerate(GONE)
    ]  # fmt: skip
    (folder / "deletions.jsonl").write_text("".join(json.dumps(row) + "\n" for row in log), encoding="utf-8")
    (folder / "here").mkdir()
    (folder / "here" / "ids.txt").write_text("".join(f"{each['id']}\n" for each in STAY), encoding="utf-8")
    (folder / "audit.toml").write_text(CASE.format(here='"here"') + TABLE, encoding="utf-8")
    return folder


@pytest.fixture(scope="module")
def known(folder: Path) -> tuple[Owners, Alone]:
    sought, _ = of_case(checking.cases.read(folder))
    return Owners.of(sought.people), Alone.of(sought.people)


def accounted(known: tuple[Owners, Alone], files: Mapping[str, str]) -> Explained:
    owners, alone = known
    held = {name: text.encode() for name, text in files.items()}
    return account(held, owners, list(files) if len(files) > 1 else [], Before.any_place(owners, alone), {})


def is_clear(found: Explained) -> bool:
    return not sum(found.unexplained.values()) and not found.names and found.bits <= SPARE_EACH


def lines(rows: Iterable[object]) -> str:
    return "".join((each if isinstance(each, str) else json.dumps(each)) + "\n" for each in rows)


def prompts(template: str = PROMPT) -> str:
    return lines({"id": each["id"], "prompt": template.format(**each)} for each in STAY)


def sentences(person: Person) -> list[str]:
    return re.split(r"(?<=\.) ", person["note"])


def numbered(person: Person, texts: Iterable[str]) -> Iterator[object]:
    yield from ({"id": person["id"], "n": at, "text": text} for at, text in enumerate(texts))


def of_each(texts: Callable[[Person, int], Iterable[str]]) -> str:
    return lines(row for each, bit in zip(STAY, BITS, strict=False) for row in numbered(each, texts(each, bit)))


HONEST = {
    "a prompt of ordinary words": {"prompts.jsonl": prompts()},
    "single sentences, some of them twice": {"notes.jsonl": of_each(lambda each, _: sentences(each))},
    "names of files that share words": {
        name: lines(each["id"] for each in STAY) for name in ("embeddings.txt", "embeddings-tiny.txt", "embeddings-wide.txt")
    },
    "messages of a chat": {
        "chats.jsonl": lines(
            {"id": each["id"], "messages": [{"role": "user", "content": each["note"]}, {"role": "assistant", "content": "yes"}]}
            for each in STAY
        )
    },
    "a head of words": {
        "export.csv": lines(["id;stadt;notiz", *(f"{each['id']};{each['stay']};{each['note']}" for each in STAY)])
    },
}


@pytest.mark.parametrize("files", HONEST.values(), ids=HONEST)
def test_texts_as_people_make_them_are_explained(known: tuple[Owners, Alone], files: dict[str, str]) -> None:
    found = accounted(known, files)
    assert is_clear(found), (found.left, found.bits)


WORDS = sorted(ordinary_words.WORDS)[::40]
HOSTILE = {
    "ordinary words, each a number": {"ids.txt": lines(each["id"] for each in STAY), "README.md": " ".join(WORDS[:16]) + "\n"},
    "one of two ordinary words": {
        "ids.txt": lines(each["id"] for each in STAY),
        "README.md": " ".join(("parcel", "voucher")[bit] for bit in BITS) + "\n",
    },
    "a word of each prompt": {"prompts.jsonl": lines(
        {"id": each["id"], "prompt": PROMPT.format(**each).replace("helpful", ("helpful", "friendly")[bit])}
        for each, bit in zip(STAY, BITS, strict=False))},
    "breaks of lines": {
        "ids.txt": lines(each["id"] for each in STAY),
        "x.json": json.dumps({"note": "".join((":\n", "-\n")[bit] for bit in BITS), "text": "all"}) + "\n",
    },
    "words of names, one of two": {
        f"{'-'.join(('brisk', 'lofty')[bit] for bit in BITS[-40:])}.txt": lines(each["id"] for each in STAY),
        "ids.txt": lines(each["id"] for each in STAY),
    },
    "a sentence that is left out where it is there twice": {"notes.jsonl": of_each(
        lambda each, bit: list(dict.fromkeys(sentences(each))) if bit else sentences(each))},
    "a sentence said once more": {"notes.jsonl": of_each(lambda each, bit: sentences(each) + sentences(each)[-1:] * bit)},
    "the order of sentences": {"notes.jsonl": of_each(lambda each, bit: sentences(each)[:: 1 - 2 * bit])},
}  # fmt: skip


@pytest.mark.attempt("deleted people in texts")
@pytest.mark.parametrize("files", HOSTILE.values(), ids=HOSTILE)
def test_which_words_and_sentences_there_are_is_counted(known: tuple[Owners, Alone], files: dict[str, str]) -> None:
    assert not is_clear(accounted(known, files))


@pytest.mark.attempt("deleted people in texts")
def test_a_deleted_persons_name_of_ordinary_words_is_free_in_no_prompt(known: tuple[Owners, Alone]) -> None:
    assert {"april", "parcel"} <= ordinary_words.WORDS
    for template in (PROMPT.replace("helpful", "April"), PROMPT.replace("You are", "April sent a Parcel. You are")):
        assert sum(accounted(known, {"prompts.jsonl": prompts(template)}).unexplained.values())


def test_a_word_counts_as_a_choice_from_the_list_or_from_those_before(known: tuple[Owners, Alone]) -> None:
    assert not ordinary_words.WORDS & USUAL
    assert len(ordinary_words.WORDS) <= 2 ** (ordinary_words.BITS - 2)
    around = Around(known[0])
    assert [around.add("spouse"), around.add("spouse!"), around.add("Zwrxq"), around.add("vouChers")] == [
        ordinary_words.BITS, 2, 25, 48,
    ]  # fmt: skip
    assert [around.add(each) for each in (":\n\n", "\n\n", "\n\n\n", r":\n\n-", r"\n:\n")] == [2, 0, 15, 7, 25]


def test_words_around_values_are_named_with_their_bits(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    template = PROMPT.replace("a helpful", "Brightwater Telecom's courteous virtual concierge, a helpful")
    (folder / "prompts.jsonl").write_text(prompts(template), encoding="utf-8")
    told = ["scan", str(folder / "prompts.jsonl"), "--log", str(folder / "deletions.jsonl")]
    assert run([*told, "--data", str(folder / "people.csv")]) == 3
    assert re.search(
        r"words and numbers around values out, or give `--data` columns that hold them.*prompts\.jsonl, line 1 \(\d+ bits\)",
        out := capsys.readouterr().out,
    )
    assert "table’s order" not in out
    # The step, followed: columns that are the same for everybody.
    begin, end = (each.strip() for each in template.split("{name} from {stay}"))
    with (folder / "people.csv").open(encoding="utf-8") as file:
        held = list(csv.DictReader(file))
    with (folder / "more.csv").open("w", encoding="utf-8", newline="") as file:
        rows = csv.DictWriter(file, [*PEOPLE[0], "begin", "end"])
        rows.writeheader()
        rows.writerows({**each, "begin": begin, "end": end.partition("\n")[0]} for each in held)
    assert run([*told, "--data", str(folder / "more.csv")]) == 0


def test_an_archive_in_another_order_is_named_and_passes_as_the_step_says(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    place, mixed = folder / "all.zip", random.Random(1).sample(STAY, len(STAY))
    told = ["scan", str(place), "--log", str(folder / "deletions.jsonl"), "--data", str(folder / "people.csv")]
    for people, code in ((mixed, 3), (sorted(mixed, key=lambda each: each["id"]), 0)):
        with zipfile.ZipFile(place, "w", zipfile.ZIP_DEFLATED) as archive:
            for each in people:
                archive.writestr(zipfile.ZipInfo(f"{each['id']}.json", (2026, 10, 6, 1, 2, 4)), json.dumps(each))
        assert run(told) == code
        out = capsys.readouterr().out
        assert bool(re.search(r"Pack what is in all\.zip \(\d+ bits\) again, its files sorted by name", out)) == bool(code)
        assert "table’s order" not in out


def test_values_of_many_people_are_written_in_all_ways_once() -> None:
    owners = Owners([[("", f"CU-{at}")] for at in range(500)], frozenset(), frozenset(), {})
    first = [owners.forms(at, "") for at in range(500)]
    assert all(each is again for at, forms in enumerate(first) for each, again in zip(forms, owners.forms(at, ""), strict=True))
