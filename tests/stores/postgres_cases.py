"""Audits of places that hold a data folder of PostgreSQL, with the people of its table."""

from __future__ import annotations

import csv
import json
from pathlib import Path

from auditor.api import Audit, check
from stores import make, postgres

_CASE = """\
[case]
name = "postgres"

[places]
here = "here"

[data]
table = "people.csv"
id = "id"

[deletions]
log = "deletions.jsonl"

[policy]
required = ["places.erased"]
"""


def audited(case: Path) -> Audit:
    """Audit the place `here` of a case."""
    with (case / "people.csv").open("w", encoding="utf-8", newline="") as file:
        rows = [(name, f"Name {each:03d} Surname", 20 + each, repr(each / 7)) for each, name in enumerate(postgres.NAMES)]
        csv.writer(file).writerows([("id", "name", "age", "score"), *rows])
    times = {"received_at": "2026-10-01T09:00:00+00:00", "executed_at": "2026-10-05T09:00:00+00:00"}
    asked = [{"request_id": f"R-{each}", "record_ids": [postgres.NAMES[each]], **times} for each in make.GONE]
    (case / "deletions.jsonl").write_text("".join(json.dumps(row) + "\n" for row in asked), encoding="utf-8")
    (case / "audit.toml").write_text(_CASE, encoding="utf-8")
    return check(case)


def found_in(audit: Audit) -> tuple[int, bool]:
    """How many people were found, and whether in rows that are there."""
    found = audit.evidence.check("places.erased").observed
    assert found is not None
    return int(found["places"][0]["found"]), bool(found["places"][0]["in_rows"])
