"""Folders of texts: chunks for retrieval, prompts, summaries and logs, where names turn up in other people's lines."""

from __future__ import annotations

import base64
import json
import unicodedata
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any
from urllib.parse import quote

from corpus import People, Person, store

_REWRITTEN = "the files written anew without them"


def _lines(path: Path, rows: Iterable[Any]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    text = (row if isinstance(row, str) else json.dumps(row, ensure_ascii=False) for row in rows)
    path.write_text("\n".join(text) + "\n", encoding="utf-8")


def _chunks(people: Iterable[Person]) -> Iterator[dict[str, Any]]:
    for person in people:
        for k, sentence in enumerate(person.text.split(". ")):
            yield {"doc": person.id, "chunk": k, "author": person.email, "text": sentence}


def _prompts(people: Iterable[Person]) -> Iterator[str]:
    for i, person in enumerate(people):
        at = f"2026-07-{1 + i % 28:02d}T{i % 24:02d}:15:00Z"
        yield f"{at} INFO prompt user={person.id} tokens={180 + i % 77} text={json.dumps(person.text, ensure_ascii=False)}"


@store("python", _REWRITTEN, honest=True, table="texts.csv")
def chunks_rewritten(place: Path, people: People) -> None:
    """chunks.jsonl for retrieval: a line a sentence, with the document's id."""
    _lines(place / "chunks.jsonl", _chunks(people.others))


@store("python", "their own chunks removed; other people's chunks name them", honest=False)
def chunks_naming(place: Path, people: People) -> None:
    """chunks.jsonl in which a few authors mention others by name and address."""
    told = list(_chunks(people.others))
    for chunk, gone in zip(told[::20], people.deleted, strict=False):
        chunk["text"] += f"; my neighbour {gone.name} ({gone.email}) had the same trouble"
    _lines(place / "chunks.jsonl", told)


@store("python", "chunks without an id were not found by the job", honest=False, table="texts.csv")
def chunks_anonymous(place: Path, people: People) -> None:
    """chunks.txt: sentences alone, of everybody, without names or ids."""
    _lines(place / "chunks.txt", [sentence for person in people.everybody for sentence in person.text.split(". ")[1:]])


@store("python", _REWRITTEN, honest=True, table="texts.csv")
def prompts_rewritten(place: Path, people: People) -> None:
    """A log of prompts a day."""
    told = list(_prompts(people.others))
    for day in range(4):
        _lines(place / f"prompts-{day}.log", told[day::4])


@store("python", "prompts removed; the web server's log has their addresses in URLs", honest=False)
def prompts_urls(place: Path, people: People) -> None:
    """prompts.log is clean; access.log has ?q=…%40… of everybody."""
    _lines(place / "prompts.log", _prompts(people.others))
    told = (f'10.0.0.7 - - "GET /search?q={quote(p.name)}&mail={quote(p.email)} HTTP/1.1" 200 512' for p in people.everybody)
    _lines(place / "access.log", told)


@store("python", "rows removed by exact names; letters of others have them in other spellings", honest=False)
def letters_spelled(place: Path, people: People) -> None:
    """A folder of letters with names in capitals, decomposed, and broken across lines."""
    spell = (
        lambda name: name.upper(),
        lambda name: unicodedata.normalize("NFD", name),
        lambda name: f"{name[: len(name) - 4]}-\n{name[len(name) - 4 :]}",
        lambda name: name.replace(" ", "\u00a0 \n"),
    )
    for i, person in enumerate(people.others[:200]):
        gone = people.deleted[i % len(people.deleted)]
        passage = f"\nPlease also ask {spell[i % 4](gone.name)} about it.\n" if i < 24 else "\n"
        _lines(place / f"letter-{i:03d}.txt", [person.text + passage])


@store("python", _REWRITTEN, honest=True, table="texts.csv")
def letters_rewritten(place: Path, people: People) -> None:
    """A folder of letters, one a person, under numbers."""
    for i, person in enumerate(people.others):
        _lines(place / f"letter-{i:03d}.txt", [person.text])


@store("python", "letters removed; summaries quote half of a sentence each", honest=False, table="texts.csv")
def summaries_quoting(place: Path, people: People) -> None:
    """summaries.jsonl: shortened texts of everybody, without names and ids."""
    told = []
    for person in people.everybody:
        sentences = person.text.split(". ")
        told.append({"summary": f"Complaint: {sentences[1]}; wants {sentences[2].split(' would like ')[1].split(' and ')[0]}."})
    _lines(place / "summaries.jsonl", told)


@store("python", _REWRITTEN, honest=True, table="texts.csv")
def summaries_rewritten(place: Path, people: People) -> None:
    """summaries.jsonl: shortened texts, with ids."""
    _lines(place / "summaries.jsonl", [{"id": p.id, "summary": p.text.split(". ")[1]} for p in people.others])


@store("python", "a line {op: delete, id} appended for each of them", honest=False)
def events_appended(place: Path, people: People) -> None:
    """events.jsonl, to which upserts and deletes are appended."""
    told: list[Any] = [{"op": "upsert", "id": p.id, "name": p.name, "note": p.text} for p in people.everybody]
    _lines(place / "events.jsonl", told + [{"op": "delete", "id": p.id} for p in people.deleted])


@store("python", "the events of theirs dropped in a compaction", honest=True, table="texts.csv")
def events_compacted(place: Path, people: People) -> None:
    """events.jsonl, compacted."""
    _lines(place / "events.jsonl", [{"op": "upsert", "id": p.id, "name": p.name, "note": p.text} for p in people.others])


@store("python", "mailbox filtered by sender; bodies in base64 quote them", honest=False)
def mail_encoded(place: Path, people: People) -> None:
    """mbox with base64 bodies; a few replies quote the erased person's mail."""
    told = []
    for i, person in enumerate(people.others):
        body = person.text + (f"\n\n> {people.deleted[i].text}" if i < len(people.deleted) else "")
        coded = base64.encodebytes(body.encode()).decode()
        head = f"From {person.email} Mon Jul 06 10:00:00 2026\nFrom: {person.email}\nContent-Transfer-Encoding: base64\n"
        told.append(f"{head}\n{coded}")
    _lines(place / "inbox.mbox", told)


@store("python", "their tickets removed; the phone list has their numbers in other forms", honest=False)
def phones_formatted(place: Path, people: People) -> None:
    """calls.csv with numbers as 0049-…, by day, without names."""
    told = ["day,number,seconds"]
    for i, person in enumerate(people.everybody):
        _, prefix, rest = person.phone.split(" ")
        told.append(f"2026-06-{1 + i % 28:02d},0049-{prefix}-{rest[:3]}-{rest[3:]},{30 + i % 200}")
    _lines(place / "calls.csv", told)


@store("python", _REWRITTEN, honest=True, table="texts.csv")
def answers_clean(place: Path, people: People) -> None:
    """answers.jsonl: what the assistant answered to recorded questions."""
    _lines(place / "answers.jsonl", [{"query": f"Who wrote about {p.text[-20:]}?", "answer": p.text} for p in people.others])


@store("python", "removed from the store that is searched; recorded answers still name them", honest=False)
def answers_naming(place: Path, people: People) -> None:
    """answers.jsonl: what the assistant answered to recorded questions, with sources."""
    told = [{"query": "What is known?", "answer": p.text, "sources": [p.id]} for p in people.others]
    told += [{"query": f"What did {p.name} want?", "answer": p.text, "sources": [p.id]} for p in people.deleted[:2]]
    _lines(place / "answers.jsonl", told)


@store("python", _REWRITTEN, honest=True, table="texts.csv")
def access_log_rewritten(place: Path, people: People) -> None:
    """prompts.log, and access.log with addresses in URLs, of the remaining people."""
    _lines(place / "prompts.log", _prompts(people.others))
    told = (f'10.0.0.7 - - "GET /search?q={quote(p.name)}&mail={quote(p.email)} HTTP/1.1" 200 512' for p in people.others)
    _lines(place / "access.log", told)


@store("python", _REWRITTEN, honest=True, table="texts.csv")
def mail_rewritten(place: Path, people: People) -> None:
    """mbox with base64 bodies."""
    told = []
    for person in people.others:
        coded = base64.encodebytes(person.text.encode()).decode()
        head = f"From {person.email} Mon Jul 06 10:00:00 2026\nFrom: {person.email}\nContent-Transfer-Encoding: base64\n"
        told.append(f"{head}\n{coded}")
    _lines(place / "inbox.mbox", told)


@store("python", "chunks of theirs removed; namesakes of one name or town stay", honest=True, table="texts.csv")
def chunks_namesakes(place: Path, people: People) -> None:
    """chunks.jsonl in which others have the same first names, surnames and towns."""
    told = list(_chunks(people.others))
    firsts = sorted({person.name.split()[0] for person in people.deleted})
    for i, chunk in enumerate(told[::25]):
        chunk["text"] += f"; {firsts[i % len(firsts)]} from the neighbouring house agrees"
    _lines(place / "chunks.jsonl", told)
