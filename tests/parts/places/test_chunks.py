"""Chunks, records and e-mail as people make them say nothing beyond their texts; how each person's are made does, and counts."""

from __future__ import annotations

import csv
import json
import random
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from email.message import EmailMessage
from pathlib import Path

import pytest

from auditor.api import check, checking
from auditor.base.domain import Verdict
from auditor.parts.places.observing.alone import Alone
from auditor.parts.places.observing.cuts import Cut
from auditor.parts.places.observing.messages import messages
from auditor.parts.places.observing.own_values import Owners
from auditor.parts.places.observing.sought import of_case
from auditor.parts.places.observing.text_accounts import Before, Explained, account
from auditor.parts.store.judging.accounting import SPARE_EACH
from tests.parts.places.test_places import CASE, TABLE

WORDS = (
    "customer complaint summary asked about invoice delivery late refund order broken package support agent wanted address",
    "reset card payment twice blue lamp garden chair kettle manual warranty expired return label shop phone waiting happy",
)
COLUMNS = ("id", "name", "email", "city", "balance", "since", "note")


@dataclass(frozen=True)
class Person:
    id: str
    name: str
    email: str
    city: str
    balance: float
    since: str
    note: str


def _note(draw: random.Random) -> str:
    paragraphs = []
    for _ in range(draw.randrange(2, 5)):
        sentences = (
            " ".join(draw.choices(" ".join(WORDS).split(), k=draw.randrange(4, 16))).capitalize()
            for _ in range(draw.randrange(1, 4))
        )
        paragraphs.append(". ".join(sentences) + ".")
    return "\n\n".join(paragraphs)


def _person(at: int) -> Person:
    draw = random.Random(at)
    first, last = draw.choice(("Ada", "Jörg", "Mira", "Nils")), draw.choice(("Cordes", "Quandt", "Voss", "Yilmaz"))
    since = f"{draw.randrange(2005, 2025)}-{draw.randrange(1, 13):02d}-{draw.randrange(1, 29):02d}"
    balance = draw.randrange(-50_000, 90_000) / 100 if at % 7 else float(at)
    city = draw.choice(("Bremen", "Goslar", "Halle"))
    return Person(f"CU-{100_000 + at * 7919}", f"{first} {last}", f"mail{at}.{draw.randrange(10**4)}@example.org",
                  city, balance, since, _note(draw))  # fmt: skip


PEOPLE = [_person(at) for at in range(90)]
GONE = [PEOPLE[at] for at in (11, 47)]
STAY = [each for each in PEOPLE if each not in GONE]
BITS = [int(each) for each in f"{int.from_bytes(GONE[0].email.encode()):0200b}"]
"""What a controller who keeps somebody would want to hide, bit by bit."""


@pytest.fixture(scope="module")
def case(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("case")
    with (folder / "people.csv").open("w", encoding="utf-8", newline="") as file:
        rows = ([getattr(each, name) for name in COLUMNS] for each in PEOPLE)
        csv.writer(file).writerows([COLUMNS, *rows])
    log = [
        {
            "request_id": f"R-{at}",
            "record_ids": [each.id],
            "received_at": "2026-10-01T09:00:00+00:00",
            "executed_at": "2026-10-05T09:00:00+00:00",
        }
        for at, each in enumerate(GONE)
    ]
    (folder / "deletions.jsonl").write_text("".join(json.dumps(row) + "\n" for row in log), encoding="utf-8")
    (folder / "here").mkdir()
    (folder / "here" / "ids.txt").write_text("".join(f"{each.id}\n" for each in STAY), encoding="utf-8")
    (folder / "audit.toml").write_text(CASE.format(here='"here"') + TABLE, encoding="utf-8")
    return folder


@pytest.fixture(scope="module")
def known(case: Path) -> tuple[Owners, Alone]:
    sought, _ = of_case(checking.cases.read(case))
    return Owners.of(sought.people), Alone.of(sought.people)


def accounted(known: tuple[Owners, Alone], files: dict[str, bytes]) -> Explained:
    owners, alone = known
    return account(files, owners, list(files) if len(files) > 1 else [], Before.any_place(owners, alone), {})


def is_clear(found: Explained) -> bool:
    return not sum(found.unexplained.values()) and not found.names and found.bits <= SPARE_EACH


def rows(of: Callable[[Person, int], Iterable[object]]) -> dict[str, bytes]:
    """A file of JSON with a line for each thing that a person and a bit give."""
    lines = (row for person, bit in zip(STAY, BITS, strict=False) for row in of(person, bit))
    return {"rows.jsonl": "".join(json.dumps(each) + "\n" for each in lines).encode()}


def cut(text: str, size: int, shared: int = 0) -> list[str]:
    return [text[at : at + size] for at in range(0, len(text), size - shared)]


def cut_words(text: str, size: int) -> list[str]:
    words = text.split()
    return [" ".join(words[at : at + size]) for at in range(0, len(words), size)]


def fitting(text: str, size: int, shared: int) -> list[str]:
    return [text[start:end] for start, end in Cut("what fits", size, shared).spans(text)]


def sentences(text: str, count: int) -> Iterator[str]:
    spans = [each.span() for each in re.finditer(r"\S[^.]*\.", text)]
    yield from (text[spans[at][0] : spans[min(at + count, len(spans)) - 1][1]] for at in range(0, len(spans), count))


def numbered(person: Person, pieces: Iterable[str]) -> Iterator[dict[str, object]]:
    yield from ({"id": person.id, "chunk": at, "text": piece} for at, piece in enumerate(pieces))


CHUNKED: dict[str, Callable[[Person], Iterable[object]]] = {
    "characters": lambda each: numbered(each, cut(each.note, 120)),
    "characters that overlap": lambda each: numbered(each, cut(each.note, 120, 20)),
    "more characters": lambda each: numbered(each, cut(each.note, 500, 50)),
    "characters without blanks at the ends": lambda each: numbered(each, (piece.strip() for piece in cut(each.note, 90))),
    "words": lambda each: numbered(each, cut_words(each.note, 10)),
    "what fits": lambda each: numbered(each, fitting(each.note, 200, 40)),
    "paragraphs": lambda each: numbered(each, each.note.split("\n\n")),
    "two sentences each": lambda each: numbered(each, sentences(each.note, 2)),
    "where each begins": lambda each: (
        {"id": each.id, "start": at * 80, "text": piece} for at, piece in enumerate(cut(each.note, 80))
    ),
    "a prompt": lambda each: [{"prompt": f"Summarise the complaint of {each.name}: {each.note}", "customer": each.id}],
    "a prompt alone": lambda each: [{"prompt": each.note, "customer": each.id}],
}  # fmt: skip


@pytest.mark.parametrize("of", CHUNKED.values(), ids=CHUNKED)
def test_chunks_and_prompts_by_one_rule_are_explained(
    known: tuple[Owners, Alone], of: Callable[[Person], Iterable[object]]
) -> None:
    found = accounted(known, rows(lambda each, _: of(each)))
    assert is_clear(found), (found.left, found.bits)


SPELT: dict[str, Callable[[Person, int], Iterable[object]]] = {
    "sizes": lambda each, bit: numbered(each, cut(each.note, 120 + bit)),
    "overlaps": lambda each, bit: numbered(each, cut(each.note, 120, 20 + bit)),
    "sizes of what fits": lambda each, bit: numbered(each, fitting(each.note, 200 + 40 * bit, 0)),
    "one of two rules": lambda each, bit: numbered(each, cut(each.note, 200) if bit else fitting(each.note, 200, 0)),
    "blanks at the ends": lambda each, bit: numbered(each, (f" {piece}" if bit else piece for piece in cut(each.note, 90))),
    "which chunks there are": lambda each, bit: list(numbered(each, cut(each.note, 90)))[bit:],
    "numbers of chunks": lambda each, bit: ({**row, "chunk": bit} for row in numbered(each, cut(each.note, 90))),
    "a prompt's word": lambda each, bit: [{("prompt", "query")[bit]: each.note, "customer": each.id}],
    "a short piece": lambda each, bit: [{"prompt": each.note if bit else each.note[:4], "customer": each.id}],
    "how a number is written": lambda each, bit: [
        {"id": each.id, "sum": f"{each.balance:.2f}" if bit else str(each.balance + 0)}
    ],
    "how a day is written": lambda each, bit: [
        {"id": each.id, "since": each.since if bit else ".".join(reversed(each.since.split("-")))}
    ],
    "whose number it is": lambda each, bit: [{"id": each.id, "sum": STAY[bit].balance}],
}


@pytest.mark.attempt("deleted people in texts")
@pytest.mark.parametrize("of", SPELT.values(), ids=SPELT)
def test_what_each_persons_chunks_or_values_are_chosen_by_is_no_rule(
    known: tuple[Owners, Alone], of: Callable[[Person, int], Iterable[object]]
) -> None:
    assert not is_clear(accounted(known, rows(of)))


def record(person: Person) -> dict[str, object]:
    return {name: getattr(person, name) for name in COLUMNS}


def files(write: Callable[[Person, int], str | bytes], ending: str) -> dict[str, bytes]:
    held = ((person, write(person, bit)) for person, bit in zip(STAY, BITS, strict=False))
    return {f"{person.id}.{ending}": each.encode() if isinstance(each, str) else each for person, each in held}


def _moment(person: Person) -> str:
    return datetime.fromisoformat(person.since).isoformat()


RECORDS: dict[str, Callable[[Person], str]] = {
    "on lines": lambda each: json.dumps(record(each), indent=2),
    "on lines, letters as they are": lambda each: json.dumps(record(each), indent=2, ensure_ascii=False),
    "on one line": lambda each: json.dumps(record(each)) + "\n",
    "close": lambda each: json.dumps(record(each), separators=(",", ":"), ensure_ascii=False),
    "days with a dot": lambda each: json.dumps({**record(each), "since": ".".join(reversed(each.since.split("-")))}),
    "moments": lambda each: json.dumps({**record(each), "since": _moment(each)}),
    "seconds": lambda each: json.dumps(
        {**record(each), "since": int(datetime.fromisoformat(each.since).replace(tzinfo=UTC).timestamp())}
    ),
    "two places": lambda each: json.dumps({**record(each), "balance": f"{each.balance:.2f}"}),
}


@pytest.mark.parametrize("write", RECORDS.values(), ids=RECORDS)
def test_a_record_of_json_a_person_is_explained_by_the_persons_row(
    known: tuple[Owners, Alone], write: Callable[[Person], str]
) -> None:
    found = accounted(known, files(lambda each, _: write(each), "json"))
    assert is_clear(found), (found.left, found.bits)


BENT_RECORDS: dict[str, Callable[[Person, int], str]] = {
    "indents": lambda each, bit: json.dumps(record(each), indent=2 + bit),
    "signs of ASCII alone": lambda each, bit: json.dumps(record(each) | {"name": "Jörg"}, ensure_ascii=bool(bit)),
    "order of keys": lambda each, bit: json.dumps(dict(sorted(record(each).items(), reverse=bool(bit)))),
    "notations": lambda each, bit: json.dumps({**record(each), "since": _moment(each) if bit else each.since}),
    "names of keys": lambda each, bit: json.dumps({("name" if key == "name" and bit else f"{key}_"): value
                                                   for key, value in record(each).items()}),
    "other people's sums": lambda each, bit: json.dumps({**record(each), "balance": STAY[bit].balance}),
}  # fmt: skip


@pytest.mark.attempt("deleted people in texts")
@pytest.mark.parametrize("write", BENT_RECORDS.values(), ids=BENT_RECORDS)
def test_how_each_persons_record_is_written_is_no_rule(known: tuple[Owners, Alone], write: Callable[[Person, int], str]) -> None:
    assert not is_clear(accounted(known, files(write, "json")))


def mail(person: Person, *, encoding: str = "quoted-printable", turned: bool = False, more: Sequence[str] = ()) -> bytes:
    message = EmailMessage()
    headers = [("From", f"{person.name} <{person.email}>"), ("To", "support@shop.org")]
    for name, value in reversed(headers) if turned else headers:
        message[name] = value
    message["Subject"] = "Question"
    for name in more:
        message[name] = "note"
    message["X-Customer"] = person.id
    message.set_content(person.note + "\n", cte=encoding)
    return bytes(message)


@pytest.mark.parametrize("encoding", ["quoted-printable", "base64"])
def test_mail_as_pythons_library_writes_it_is_explained(known: tuple[Owners, Alone], encoding: str) -> None:
    found = accounted(known, files(lambda each, _: mail(each, encoding=encoding), "eml"))
    assert is_clear(found), (found.left, found.bits)


def test_a_mailbox_passes_where_the_lines_in_front_of_messages_are_the_same(known: tuple[Owners, Alone]) -> None:
    written = b"\n".join(b"From MAILER-DAEMON Fri Nov 20 14:00:00 2026\n" + mail(each) for each in STAY)
    found = accounted(known, {"all.mbox": written})
    # What stands in front of each message counts in bits; where it differs, nothing explains it.
    assert is_clear(found)
    assert found.bits > SPARE_EACH / 2
    assert not is_clear(accounted(known, {"all.mbox": written.replace(b"20 14:00:00", b"20 15:00:00", 1)}))


BENT_MAIL: dict[str, Callable[[Person, int], bytes]] = {
    "order of headers": lambda each, bit: mail(each, turned=bool(bit)),
    "names of headers": lambda each, bit: mail(each, more=[("X-Tag", "X-Note")[bit]]),
    "which headers": lambda each, bit: mail(each, more=["X-Tag"] * bit),
    "encodings": lambda each, bit: mail(each, encoding=("base64", "quoted-printable")[bit]),
    "how quoted-printable is cut": lambda each, bit: mail(each).replace(b" =\n", b"=20=\n", bit),
    "spaces in headers": lambda each, bit: mail(each).replace(b"To: ", b"To: " + b" " * bit),
    "letters in headers": lambda each, bit: mail(each).replace(b"Subject", (b"SUBJECT", b"Subject")[bit]),
}


@pytest.mark.attempt("deleted people in texts")
@pytest.mark.parametrize("write", BENT_MAIL.values(), ids=BENT_MAIL)
def test_how_each_persons_mail_is_written_is_no_rule(known: tuple[Owners, Alone], write: Callable[[Person, int], bytes]) -> None:
    assert not is_clear(accounted(known, files(write, "eml")))


def test_signs_that_no_text_has_are_not_hidden_in_mail(known: tuple[Owners, Alone]) -> None:
    message = EmailMessage()
    message["X-Customer"] = STAY[0].id
    message.set_content(STAY[0].note + "\0" * 400 + "\n", cte="base64")
    found = accounted(known, {"all.eml": bytes(message)})
    assert not is_clear(found)


def _from_a_long_name(person: Person) -> EmailMessage:
    message = EmailMessage()
    message["From"] = "Björn Schimmelpfennig <bjoern.schimmelpfennig@mail.example>"
    message["X-Customer"] = person.id
    message.set_content(person.note + "\n", cte="base64")
    return message


def test_a_header_that_the_library_writes_below_its_name_is_read() -> None:
    written = bytes(_from_a_long_name(STAY[0])).decode()
    assert written.startswith("From:\n =?utf-8?")
    (read,) = messages(written) or ()
    assert read.text.startswith("From: Björn Schimmelpfennig <")
    # Where the library writes it behind the name, a break of the line is somebody's own.
    assert messages(written.replace("X-Customer: ", "X-Customer:\n ")) is None


def test_a_date_of_mail_is_the_persons_own(known: tuple[Owners, Alone]) -> None:
    def dated(person: Person, moment: datetime) -> bytes:
        message = EmailMessage()
        message["Date"] = moment
        message["X-Customer"] = person.id
        message.set_content(person.note + "\n", cte="base64")
        return bytes(message)

    own = files(lambda each, _: dated(each, datetime.fromisoformat(each.since).replace(tzinfo=UTC)), "eml")
    assert is_clear(accounted(known, own))
    other = files(lambda each, bit: dated(each, datetime(2026, 1, 1 + bit, tzinfo=UTC)), "eml")
    assert not is_clear(accounted(known, other))


def test_chunks_pass_and_those_of_chosen_sizes_do_not(case: Path) -> None:
    for of, verdict in ((CHUNKED["characters that overlap"], Verdict.PASS), (SPELT["sizes"], Verdict.INCONCLUSIVE)):
        chosen = rows(of if of is SPELT["sizes"] else lambda each, _, of=of: of(each))
        (case / "here" / "rows.jsonl").write_bytes(chosen["rows.jsonl"])
        assert check(case).verdict is verdict
    (case / "here" / "rows.jsonl").unlink()


@pytest.mark.parametrize(
    ("cut", "expected"),
    [
        (Cut("characters", 4, 1), ["abcd", "d ef", "fgh."]),
        (Cut("characters", 4, 1, closed=False), ["abcd", "d ef", "fgh.", "."]),
        (Cut("words", 1), ["abcd", "efgh."]),
        (Cut("what fits", 6), ["abcd", "efgh."]),
    ],
)
def test_a_rule_says_where_every_chunk_begins_and_ends(cut: Cut, expected: list[str]) -> None:
    text = "abcd efgh."
    assert [text[start:end] for start, end in cut.spans(text)] == expected


def test_what_fits_begins_again_with_parts_that_may_be_shared() -> None:
    text = "one two three four\n\nfive six seven eight nine"
    assert [text[start:end] for start, end in Cut("what fits", 15, 6).spans(text)] == [
        "one two three",
        "three four",
        "five six seven",
        "seven eight",
        "eight nine",
    ]
