"""The audit.toml of a case of places alone, for `auditor scan`."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Final

from auditor.base.domain import Problem
from auditor.base.errors import InputError
from auditor.case.scaffold import tables
from auditor.settings.values import show

_HEAD: Final = """\
# Written by auditor scan. auditor check reads it: change it, and check again.

[case]
name = {name}
# controller, contact and authority head letters to people; run_by = {{ name = …, relation = … }} signs the report.

[deletions]
log = {log}
# timezone = "Europe/Berlin"

[policy]
# A scan asks whether the people of the log are gone. Without this line, deadlines decide as well.
required = ["places.erased"]

[policy.rationale]
required = "auditor scan asks whether deleted people are still in these places"

[claims]
# What a controller alone can know; the person who is named answers for it. State what is true, and what a step asks for.
# attested = [{attested}]
# attested_by = "…"
# attested_at = 2026-01-31
"""


_ATTESTED: Final = ("no-model-trained", "log-complete", "subjects-complete", "copies-are-others", "store-holds-no-copies")
_OF_ANSWERS: Final = ("answers-genuine",)
_OF_VECTORS: Final = ("embedding-genuine",)
"""What a step may ask for, in any scan, and in one with recorded answers or a function that embeds."""


def toml(
    name: str,
    *,
    log: str,
    places: Mapping[str, Path],
    answers: Mapping[str, Path],
    ids: str | None,
    table: Path | None,
    table_id: str | None,
    embed: str | None = None,
) -> str:
    """Write the case.

    Args:
        name: What it is called.
        log: The log's file, next to audit.toml.
        places: Files and folders by name.
        answers: Recorded queries and answers by name.
        ids: The column of ids in places; None to know it by its values.
        table: Who was in the places; None where nobody says it.
        table_id: The column of ids in it.
        embed: The function that embeds its rows, in a file next to audit.toml; None where there is none.
    """
    asked = [*_ATTESTED, *(_OF_ANSWERS if answers else ()), *(_OF_VECTORS if embed is not None else ())]
    lines = [_HEAD.format(name=_quoted(name), log=_quoted(log), attested=", ".join(map(_quoted, asked)))]
    if table is not None:
        lines += ["[data]", f"table = {_quoted(str(table))}", f"id = {_quoted(table_id or 'id')}", ""]
    lines.append("[places]")
    lines += [] if embed is None else [f"embed = {_quoted(embed)}"]
    # The table's own column is looked for in every place, and other columns are known by what they hold: none is hidden.
    known = "" if ids is None or table is not None else f", ids = {_quoted(ids)}"
    lines += [f"{_quoted(each)} = {{ path = {_quoted(str(path))}{known} }}" for each, path in places.items()]
    lines += [f'{_quoted(each)} = {{ path = {_quoted(str(path))}, level = "answers" }}' for each, path in answers.items()]
    return "\n".join(lines) + "\n"


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)


def names(paths: Sequence[Path], taken: Iterable[str] = ()) -> dict[str, Path]:
    """Name each place by its file or folder, those that are called alike by a number as well."""
    found: dict[str, Path] = {}
    used = set(taken)
    for path in paths:
        stem = path.name or "root"
        name = next(each for each in (stem, *(f"{stem} ({at})" for at in range(2, len(paths) + 3))) if each not in used)
        used.add(name)
        found[name] = path
    return found


def id_column(path: Path, told: str | None, ids: frozenset[str]) -> str:
    """Find the column of a table that names records: as told, or `id`, or the one that holds most of the log's ids.

    Raises:
        InputError: If it cannot be read, or no column holds any.
    """
    if path.suffix.lower() == ".npz":
        return "ids"
    columns = tables.read(path).columns
    if told is not None or "id" in columns:
        return told or "id"
    best = max(columns, key=lambda name: len(ids & set(columns[name])))
    if not ids & set(columns[best]):
        expected = "a column with any of the log's record ids, or --id COLUMN where the table lacks the deleted people"
        raise InputError([Problem(path.name, "--data", expected, ", ".join(map(show, columns)))])
    return best
