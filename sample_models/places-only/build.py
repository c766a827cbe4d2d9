"""Makes this case: python sample_models/places-only/build.py."""

import csv
import json
import random
import sqlite3
from pathlib import Path

HERE = Path(__file__).resolve().parent
COLUMNS = ("id", "email", "city", "orders", "spent")
CITIES = ("Amsterdam", "Berlin", "Lisbon", "Madrid", "Paris", "Vienna")
GONE = {"C-1004": "R-01", "C-1011": "R-02", "C-1023": "R-03", "C-1036": "R-04"}
"""Deleted people, by the requests that asked for it."""
FORGOTTEN = "C-1023"
"""Whose address still stands in a chunk of text."""


def main() -> None:
    """Write the table of everybody, the three places and the log."""
    drawn = random.Random(7)  # noqa: S311 - made-up people
    people = [
        (
            f"C-{1000 + at}",
            f"person{at:02d}@mail.example",
            drawn.choice(CITIES),
            drawn.randint(1, 40),
            round(drawn.uniform(9, 990), 2),
        )
        for at in range(1, 41)
    ]
    kept = [row for row in people if row[0] not in GONE]
    with (HERE / "people.csv").open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows([COLUMNS, *people])
    database = HERE / "crm.sqlite"
    database.unlink(missing_ok=True)
    with sqlite3.connect(database) as connection:
        connection.execute("CREATE TABLE customers (id TEXT, email TEXT, city TEXT, orders INTEGER, spent REAL)")
        connection.executemany("INSERT INTO customers VALUES (?, ?, ?, ?, ?)", kept)
    connection.close()
    (HERE / "index.jsonl").write_text(
        "".join(json.dumps(dict(zip(COLUMNS, row, strict=True))) + "\n" for row in kept), encoding="utf-8"
    )
    told = {row[0]: row[1] for row in people}
    chunks = [{"id": row[0], "text": f"{row[1]} asked about an order from {row[2]}."} for row in kept[:12]]
    chunks[5]["text"] += f" It had been placed for {told[FORGOTTEN]}."
    (HERE / "chunks.jsonl").write_text("".join(json.dumps(each) + "\n" for each in chunks), encoding="utf-8")
    answers = [
        {"query": "Who ordered most?", "answer": ["C-1002", "C-1007"]},
        {"query": "Who lives in Berlin?", "answer": ["C-1001", "C-1015", "C-1030"]},
    ]
    (HERE / "answers.jsonl").write_text("".join(json.dumps(each) + "\n" for each in answers), encoding="utf-8")
    log = [
        {
            "request_id": request,
            "record_ids": [record],
            "received_at": f"2026-09-0{at}T09:00:00+02:00",
            "executed_at": f"2026-09-1{at}T12:00:00+02:00",
            "answered_at": f"2026-09-1{at}T15:00:00+02:00",
            "subject": f"person-{at}",
            "terms": [told[record]],
        }
        for at, (record, request) in enumerate(GONE.items(), start=1)
    ]
    (HERE / "deletions.jsonl").write_text("".join(json.dumps(each) + "\n" for each in log), encoding="utf-8")


if __name__ == "__main__":
    main()
