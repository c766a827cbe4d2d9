"""Texts of people who stay explain a place of texts, and nothing that could carry somebody else passes as one of them."""

from __future__ import annotations

import base64
import codecs
import csv
import gzip
import hashlib
import io
import json
import random
import tarfile
import zipfile
import zlib
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest

from auditor.api import Audit, check
from auditor.base.domain import Verdict
from tests.parts.places.test_places import CASE, TABLE

FIRST = ("Anna", "Björn", "Chloé", "Dmitri", "Elif", "Fatima", "Gregor", "Heike", "Ivo", "Jörg")
LAST = ("Abendroth", "Bäumler", "Castellano", "Eichinger", "Göktürk", "Hohenfels", "Jankowski", "Lindqvist", "Nørgaard", "Voss")
GOODS = ("kettle", "tent", "camera", "heat pump", "desk", "dishwasher")
FAULTS = ("leaks at the seal", "was billed twice", "hums all night", "stops after ten minutes")
COLUMNS = ("id", "name", "email", "phone", "note")


@dataclass(frozen=True)
class Person:
    id: str
    name: str
    email: str
    phone: str
    note: str


def _person(at: int) -> Person:
    draw = random.Random(at)
    name = f"{FIRST[at % 10]} {LAST[at // 10 % 10]}"
    phone = f"+49 {draw.randrange(150, 180)} {draw.randrange(1_000_000, 9_999_999)}"
    note = (
        f"{name} wrote from {draw.choice(('Kassel', 'Graz', 'Gent', 'Lyon'))} on {draw.randrange(1, 29)} May. "
        f"The {draw.choice(GOODS)} with serial number {draw.randrange(10**8, 10**9)} {draw.choice(FAULTS)}. "
        f"The customer would like a refund and can be reached under {phone} after {draw.randrange(8, 19)} o'clock."
    )
    return Person(f"cust-{draw.randrange(16**6):06x}{at:04d}", name, f"mail{at}.{draw.randrange(10**5)}@example.org", phone, note)


PEOPLE = [_person(at) for at in range(100)]
GONE = [PEOPLE[at] for at in (11, 47, 83)]
STAY = [each for each in PEOPLE if each not in GONE]
IDS = [each.id for each in STAY]
BITS = [int(each) for each in f"{int.from_bytes(GONE[0].email.encode()):0200b}"]
"""What a controller who keeps somebody would want to hide, bit by bit."""


@pytest.fixture
def case(tmp_path: Path) -> Path:
    with (tmp_path / "people.csv").open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows([COLUMNS, *((each.id, each.name, each.email, each.phone, each.note) for each in PEOPLE)])
    log = [
        {
            "request_id": f"R-{at}",
            "record_ids": [each.id],
            "received_at": "2026-10-01T09:00:00+00:00",
            "executed_at": "2026-10-05T09:00:00+00:00",
            "terms": [each.email, each.phone],
        }
        for at, each in enumerate(GONE)
    ]
    (tmp_path / "deletions.jsonl").write_text("".join(json.dumps(row) + "\n" for row in log), encoding="utf-8")
    (tmp_path / "here").mkdir()
    (tmp_path / "audit.toml").write_text(CASE.format(here='"here"') + TABLE, encoding="utf-8")
    return tmp_path


def put(here: Path, files: dict[str, str | bytes]) -> None:
    for name, content in files.items():
        path = here / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content.encode() if isinstance(content, str) else content)


def place(audit: Audit) -> dict[str, Any]:
    (found,) = (audit.evidence.check("places.erased").observed or {})["places"]
    return dict(found)


def lines(rows: Iterable[Any]) -> str:
    return "".join((row if isinstance(row, str) else json.dumps(row, ensure_ascii=False)) + "\n" for row in rows)


def chunks(people: Iterable[Person] = STAY) -> Iterator[dict[str, Any]]:
    for person in people:
        for at, sentence in enumerate(person.note.split(". ")):
            yield {"chunk_id": f"{person.id}-{at}", "source": "support", "author": person.email, "text": sentence}


def logged(person: Person, verb: str = "asked") -> str:
    return f"INFO user={person.id} {verb} text={json.dumps(person.note)}"


def mails(people: Iterable[Person] = STAY) -> str:
    return "\n".join(
        f"From {each.email} Mon Jul 06 10:00:00 2026\nContent-Transfer-Encoding: base64\n\n"
        + base64.encodebytes(each.note.encode()).decode()
        for each in people
    )


def zipped(files: dict[str, str], comment: bytes = b"") -> bytes:
    written = io.BytesIO()
    with zipfile.ZipFile(written, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in files.items():
            archive.writestr(zipfile.ZipInfo(name, (2026, 10, 6, 1, 2, 4)), text)
        archive.comment = comment
    return written.getvalue()


def tarred(files: dict[str, str], *, times: Iterable[int] = ()) -> bytes:
    written = io.BytesIO()
    with tarfile.open(fileobj=written, mode="w") as archive:
        later = iter(times)
        for name, text in files.items():
            entry = tarfile.TarInfo(name)
            entry.size, entry.mtime = len(text.encode()), next(later, 0)
            archive.addfile(entry, io.BytesIO(text.encode()))
    return written.getvalue()


TSV = "id\tname\temail\n" + lines(f"{each.id}\t{each.name}\t{each.email}" for each in STAY)
HONEST: dict[str, dict[str, str | bytes]] = {
    "chunks": {"chunks.jsonl": lines(chunks())},
    "chunks of whole texts": {"chunks.jsonl": lines({"id": each.id, "chunk": 0, "text": each.note} for each in STAY)},
    "prompts": {"prompts.log": lines(map(logged, STAY))},
    "prompts of each person on three days": {f"prompts-{at}.log": lines(map(logged, STAY[at::3])) for at in range(3)},
    "summaries": {"summaries.jsonl": lines({"id": each.id, "summary": each.note.split(". ")[1]} for each in STAY)},
    "letters": {f"letter-{at:03d}.txt": f"{each.note}\n\n" for at, each in enumerate(STAY)},
    "a letter in a folder of each person": {f"{each.id}/letter.txt": f"{each.note}\n" for each in STAY},
    "letters whose lines are not ended": {f"letter-{at:03d}.txt": each.note for at, each in enumerate(STAY)},
    "mails in base64": {"inbox.mbox": mails()},
    "addresses in URLs": {
        "access.log": lines(f'"GET /search?q={quote(each.name)}&mail={quote(each.email)}" 200' for each in STAY)
    },
    "answers": {"answers.jsonl": lines({"query": f"Who is {each.name}?", "answer": each.note} for each in STAY)},
    "a map of ids": {"ids.json": json.dumps({str(at): each.id for at, each in enumerate(STAY)})},
    "a file that is empty": {"ids.txt": lines(each.id for each in STAY), "errors.log": ""},
    "an id a line": {"ids.txt": lines(each.id for each in STAY)},
    "a table with semicolons": {"export.csv": "id;email\r\n" + "".join(f"{each.id};{each.email}\r\n" for each in STAY)},
    "a table of tabs within a folder with a README": {
        "data/people.tsv": TSV,
        "README.md": "# Customers\n\nOne row a customer.\n",
        "config.json": '{"source": "people.tsv", "limit": 100}\n',
    },
    "gzip": {"chunks.jsonl.gz": gzip.compress(lines(chunks()).encode(), mtime=0)},
    "tar": {"backups/2026-10.tar": tarred({"chunks.jsonl": lines(chunks())})},
    "zip": {"chunks.zip": zipped({"chunks.jsonl": lines(chunks())})},
    "in the order of their ids": {"ids.txt": lines(sorted(each.id for each in STAY))},
}


@pytest.mark.parametrize("files", HONEST.values(), ids=HONEST)
def test_texts_of_people_who_stay_pass(case: Path, files: dict[str, str | bytes]) -> None:
    put(case / "here", files)
    audit = check(case)
    found = place(audit)
    assert (found["unexplained"], found["found"]) == (0, 0), found
    assert audit.verdict is Verdict.PASS, found


def by_bits(honest: Iterable[str], other: Callable[[str], str]) -> str:
    """Lines of which those are written in another way that a bit tells."""
    return lines(other(line) if bit else line for line, bit in zip(honest, BITS * 9, strict=False))


def _in_pairs(rows: list[Any]) -> list[Any]:
    pairs = [rows[at : at + 2] for at in range(0, len(rows), 2)]
    return [row for pair, bit in zip(pairs, BITS, strict=False) for row in (reversed(pair) if bit else pair)]


LOGGED = [logged(each) for each in STAY]
EMAIL, PHONE, SECRET = GONE[0].email, "".join(filter(str.isdigit, GONE[0].phone)), codecs.encode(GONE[0].name.lower(), "rot13")


def _digits() -> Iterator[int]:
    return (int(each) for each in "".join(f"{byte:03d}" for byte in EMAIL.encode()) * 9)


def _stored(content: bytes) -> bytes:
    """A stream of gzip in which the lengths of blocks say something, and no reader sees it."""
    packing = zlib.compressobj(9, zlib.DEFLATED, -15)
    body = b""
    for at, bit in enumerate(BITS):
        body += packing.compress(content[at * 50 : at * 50 + 50]) + (packing.flush(zlib.Z_SYNC_FLUSH) if bit else b"")
    body += packing.compress(content[len(BITS) * 50 :]) + packing.flush()
    return (
        gzip.compress(b"", mtime=0)[:10] + body + zlib.crc32(content).to_bytes(4, "little") + len(content).to_bytes(4, "little")
    )


def _in_files_of_other_sizes() -> dict[str, str | bytes]:
    files: dict[str, str | bytes] = {}
    rest = list(LOGGED)
    for at, digit in enumerate(_digits()):
        files[f"prompts-{at:02d}.log"], rest = lines(rest[: 1 + digit]), rest[1 + digit :]
        if not rest:
            break
    return files


def _with_a_remark() -> bytes:
    written = io.BytesIO()
    with tarfile.open(fileobj=written, mode="w", format=tarfile.PAX_FORMAT) as archive:
        entry = tarfile.TarInfo("ids.txt")
        entry.pax_headers = {"comment": SECRET}
        content = lines(each.id for each in STAY).encode()
        entry.size = len(content)
        archive.addfile(entry, io.BytesIO(content))
    return written.getvalue()


def _sentences(choose: Callable[[Person, int], str]) -> str:
    return lines({"id": each.id, "summary": choose(each, bit)} for each, bit in zip(STAY, BITS, strict=False))


HOSTILE: dict[str, dict[str, str | bytes]] = {
    "the order of records": {"prompts.log": lines(_in_pairs(LOGGED))},
    "who is there": {"prompts.log": lines(line for line, bit in zip(LOGGED, BITS, strict=False) if bit)},
    "in which file somebody is": {
        f"prompts-{of}.log": lines(line for line, bit in zip(LOGGED, BITS, strict=False) if bit == of) for of in (0, 1)
    },
    "one of two verbs": {"prompts.log": by_bits(LOGGED, lambda line: line.replace("asked", "wrote"))},
    "blanks at the end of lines": {"prompts.log": by_bits(LOGGED, lambda line: line + " ")},
    "blank lines": {"prompts.log": by_bits(LOGGED, lambda line: line + "\n")},
    "lines that are there twice": {"prompts.log": by_bits(LOGGED, lambda line: f"{line}\n{line}")},
    "ends of lines": {"prompts.log": "".join(line + ("\r\n" if bit else "\n") for line, bit in zip(LOGGED, BITS, strict=False))},
    "capitals": {"prompts.log": by_bits(LOGGED, lambda line: line.replace("user", "User"))},
    "values in capitals": {"prompts.log": lines(f"{each.id} {each.name.upper() if bit else each.name}"
                                                for each, bit in zip(STAY, BITS, strict=False))},
    "escapes": {"people.jsonl": lines(json.dumps({"id": each.id, "x": each.name}, ensure_ascii=bool(bit))
                                      for each, bit in zip(STAY, BITS, strict=False))},
    "the order of keys": {"people.jsonl": lines({"x": each.name, "id": each.id} if bit else {"id": each.id, "x": each.name}
                                                for each, bit in zip(STAY, BITS, strict=False))},
    "the point at the end": {"summaries.jsonl": _sentences(lambda each, bit: each.note[: len(each.note) - bit])},
    "which sentence": {"summaries.jsonl": _sentences(lambda each, bit: each.note.split(". ")[bit])},
    "where a text is cut": {"summaries.jsonl": _sentences(lambda each, bit: " ".join(each.note.split()[: 9 + bit]))},
    "how many chunks there are": {"chunks.jsonl": lines(
        row for each, bit in zip(STAY, BITS, strict=False) for row in list(chunks([each]))[: 2 + bit])},
    "a number a line": {"prompts.log": lines(f"{line} tokens={digit}" for line, digit in zip(LOGGED, _digits(), strict=False))},
    "times": {"prompts.log": lines(f"2026-07-01T10:0{digit}:00Z {line}" for line, digit in zip(LOGGED, _digits(), strict=False))},
    "how many people a file has": _in_files_of_other_sizes(),
    "zeros in front": {"prompts.log": lines(f"{line} n={at:0{1 + bit * 3}d}" for at, (line, bit) in
                                            enumerate(zip(LOGGED, BITS, strict=False)))},
    "keys of a map": {"ids.json": json.dumps({str(at * 10 + digit): each.id
                                              for at, (each, digit) in enumerate(zip(STAY, _digits(), strict=False))})},
    "a constant in base64": {"chunks.jsonl": lines({**row, "source": base64.b64encode(EMAIL.encode()[::-1]).decode()}
                                                   for row in chunks())},
    "a constant number": {"chunks.jsonl": lines({**row, "version": int(PHONE[::-1])} for row in chunks())},
    "a number in parts": {"prompts.log": lines(LOGGED), "README.md": f"{PHONE[2:5]} a {PHONE[5:8]} b {PHONE[8:]}\n" * 2
                          + " ".join(f"{byte}" for byte in EMAIL.encode()) + "\n"},
    "another alphabet in a README": {"prompts.log": lines(LOGGED), "README.md": f"# Notes\n\n{SECRET}\n"},
    "a word of theirs": {"prompts.log": lines(LOGGED), "README.md": f"See {GONE[0].email.split('@')[0].split('.')[1]}\n"},
    "yes and no": {"prompts.log": lines(LOGGED), "README.md": "".join("yes\n" if bit else "no\n" for bit in BITS)},
    "known words": {"prompts.log": lines(LOGGED), "README.md": " ".join(("note", "user")[bit] for bit in BITS) + "\n"},
    "their text in other words": {"prompts.log": lines(LOGGED), "summaries.txt": "One customer's kettle never stops humming.\n"},
    "a stranger": {"prompts.log": lines([*LOGGED, logged(_person(777))])},
    "forms that few people have": {"prompts.log": lines(
        line.replace("asked", f"asked {word}") if at % 7 == 0 else line
        for at, (line, word) in enumerate(zip(LOGGED, ("total", "token", "after", "all", "note", "end") * 17, strict=False)))},
    "a folder called as a digest": {f"{hashlib.md5(EMAIL.encode()).hexdigest()}/prompts.log": lines(LOGGED)},
    "a folder called in base64": {f"{base64.urlsafe_b64encode(EMAIL.encode()).decode().rstrip('=')}/prompts.log": lines(LOGGED)},
    "numbers of files": {f"letter-{at * 10 + digit:04d}.txt": f"{each.note}\n"
                         for at, (each, digit) in enumerate(zip(STAY, _digits(), strict=False))},
    "gzip with blocks of other lengths": {"chunks.jsonl.gz": _stored(lines(chunks()).encode())},
    "what follows a stream": {"chunks.jsonl.gz": gzip.compress(lines(chunks()).encode(), mtime=0) + EMAIL.encode()[::-1]},
    "times in an archive": {"all.tar": tarred(
        {f"letter-{at:02d}.txt": f"{each.note}\n" for at, each in enumerate(STAY)}, times=iter(EMAIL.encode() * 9))},
    "the remark of an archive": {"all.zip": zipped({"prompts.log": lines(LOGGED)}, EMAIL.encode()[::-1])},
    "whether a file's last line ends": {
        f"letter-{at:03d}.txt": each.note + "\n" * bit for at, (each, bit) in enumerate(zip(STAY, BITS, strict=False))},
    "which file is empty": {f"prompts-{at:02d}.log": lines(LOGGED) * bit for at, bit in enumerate(BITS[:100])},
    "how a file's lines end": {
        f"letter-{at:03d}.txt": each.note + ("\r\n" if bit else "\n") for at, (each, bit) in
        enumerate(zip(STAY, BITS, strict=False))},
    "which of their values": {"people.txt": lines((each.name, each.email)[bit] for each, bit in zip(STAY, BITS, strict=False))},
    "a tree of folders": {"/".join("ab"[bit] for bit in BITS[at : at + 9]) + "/ids.txt": lines(each.id for each in STAY)
                          for at in range(0, 180, 9)},
    "the order of members": {"all.tar": tarred(dict(_in_pairs(
        [(f"letter-{at:02d}.txt", f"{each.note}\n") for at, each in enumerate(STAY)])))},
    "a remark in an archive": {"all.tar": _with_a_remark()},
    "signs": {"prompts.log": lines(LOGGED), "README.md": f"# Notes\n\none {''.join(';~'[bit] for bit in BITS[:60])} two\n"},
    "a picture": {"prompts.log": lines(LOGGED), "all.png": b"\x89PNG\r\n\x1a\n" + zlib.compress(EMAIL.encode())},
    "base64 of other widths": {"inbox.mbox": "".join(
        f"{coded[: 60 + bit]}\n{coded[60 + bit :]}\n" for coded, bit in
        zip((base64.b64encode(each.note.encode()).decode() for each in STAY), BITS, strict=False))},
}  # fmt: skip


@pytest.mark.attempt("deleted people in texts")
@pytest.mark.parametrize("files", HOSTILE.values(), ids=HOSTILE)
def test_what_could_carry_somebody_else_is_no_pass(case: Path, files: dict[str, str | bytes]) -> None:
    put(case / "here", files)
    assert check(case).verdict is not Verdict.PASS


WORDS = ("note", "user", "about", "account", "after", "all", "answer", "any", "author", "body", "cache", "chat", "city", "class")


def _in_places(case: Path, *places: dict[str, str | bytes]) -> Verdict:
    for at, files in enumerate(places):
        put(case / f"here-{at}", files)
    named = "\n".join(f'here-{at} = "here-{at}"' for at in range(len(places)))
    (case / "audit.toml").write_text(CASE.format(here='"here"').replace('here = "here"', named) + TABLE, encoding="utf-8")
    return check(case).verdict


@pytest.mark.attempt("deleted people in texts")
@pytest.mark.parametrize(
    "files",
    [
        lambda at: {"README.md": " ".join(random.Random(at).choices(WORDS, k=20)) + "\n", "ids.txt": lines(IDS)},
        lambda at: {f"{''.join(random.Random(at).choices('bcdfghjk', k=32))}/ids.txt": lines(IDS)},
        lambda at: {"README.md": lines(random.Random(at).sample(WORDS, 14)), "ids.txt": lines(IDS)},
    ],
    ids=["known words", "letters of folders", "the order of lines"],
)
def test_what_is_free_around_values_is_so_once_for_all_places(case: Path, files: Callable[[int], dict[str, str | bytes]]) -> None:
    assert _in_places(case, *map(files, range(6))) is not Verdict.PASS


def test_places_of_one_form_pass_together(case: Path) -> None:
    files: dict[str, str | bytes] = {"chunks.jsonl": lines(chunks()), "README.md": "# Customers\n\nOne row a customer.\n"}
    assert _in_places(case, *[files] * 6) is Verdict.PASS


CALLED: dict[str, Callable[[str], str]] = {
    "a digest": lambda text: hashlib.md5(text.encode()).hexdigest(),
    "a digest that is cut short": lambda text: hashlib.sha256(text.encode()).hexdigest()[:20],
    "base64": lambda text: base64.urlsafe_b64encode(text.encode()).decode().rstrip("="),
    "hexadecimal digits": lambda text: text.encode().hex(),
}


@pytest.mark.attempt("deleted people in texts")
@pytest.mark.parametrize("called", CALLED.values(), ids=CALLED)
@pytest.mark.parametrize("text", [EMAIL, GONE[0].id], ids=["address", "id"])
def test_who_a_folder_is_called_after_in_a_code_is_found(case: Path, called: Callable[[str], str], text: str) -> None:
    put(case / "here", {"people.tsv": TSV})
    (case / "here" / called(text)).mkdir()
    assert place(check(case))["found"] == 1


@pytest.mark.attempt("deleted people in texts")
@pytest.mark.parametrize(
    "name", [GONE[0].name, GONE[0].name.upper().replace(" ", "_"), EMAIL.upper(), PHONE, f"{GONE[0].id.replace('-', '_')}.flag"]
)
def test_who_a_folder_is_called_after_in_another_spelling_is_no_pass(case: Path, name: str) -> None:
    put(case / "here", {"people.tsv": TSV})
    (case / "here" / name).mkdir()
    assert check(case).verdict is not Verdict.PASS


def test_what_nothing_explains_is_named_by_file_and_line_and_never_quoted(case: Path) -> None:
    put(case / "here", {"prompts.log": lines([*LOGGED, "One customer's kettle never stops humming."])})
    audit = check(case)
    (spot,) = place(audit)["left"]
    assert spot == {"file": "prompts.log", "line": len(LOGGED) + 1, "bytes": 43, "why": "line"}
    assert "kettle" not in audit.evidence.model_dump_json()
