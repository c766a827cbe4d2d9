"""The page of every key and column: current, whole, and with a sentence for each."""

from __future__ import annotations

import ast
import re
import tomllib
from pathlib import Path

import pytest
import typer

import auditor
from auditor.case import log_values
from auditor.case.log_values import READ
from auditor.cli import app
from auditor.settings.attestations import ATTESTABLE
from auditor.settings.builtin import entries
from auditor.settings.tables import TABLES, Settings
from cases import SAMPLES
from tests import reference_page

PAGE = reference_page.page()
SOURCES = Path(auditor.__file__).parent


def test_the_page_is_current() -> None:
    assert reference_page.PAGE.read_text(encoding="utf-8") == PAGE, "run: make reference"


def test_every_key_and_every_column_has_a_sentence() -> None:
    rows = [line for line in PAGE.splitlines() if line.startswith("| `")]
    assert len(rows) > 150
    assert not [row for row in rows if row.rstrip("| ").endswith(("|", "`")) or not row.rstrip("| ").endswith((".", ";"))]


@pytest.mark.parametrize("name", sorted({*Settings.model_fields, *entries()} - {"procedure", "outside", "places", "people"}))
def test_every_table_is_on_the_page(name: str) -> None:
    assert name in TABLES or name in entries()
    heading = f"## `[{name}]`" if name in TABLES else f'## `[procedure]` with `use = "{name}"`'
    assert PAGE.count(f"\n{heading}\n") == 1


def test_every_column_is_on_the_page() -> None:
    log = PAGE.partition("# Columns of a deletion log")[2]
    assert [name for name in READ if f"\n| `{name}` |" not in log] == []
    assert set(reference_page.INNER) == set(log_values.TABLES)


def test_every_key_of_every_sample_is_on_the_page() -> None:
    for path in SAMPLES.glob("*/audit.toml"):
        for name, table in tomllib.loads(path.read_text(encoding="utf-8")).items():
            if name not in {"procedure", "places"} and isinstance(table, dict):
                heading = "`[data]` with `[places]`" if "table" in table else f"`[{name}]`"
                section = PAGE.partition(f"## {heading}\n")[2].partition("\n## ")[0]
                assert [key for key in table if f"\n| `{key}` |" not in section] == [], path


PROSE = frozenset(
    {"alone", "and", "are", "at", "empty", "in", "lacks", "nothing", "or", "out", "says", "sets", "table", "tables", "that", "to"}
    | {"was", "what", "where", "which", "with", "without"}
)
"""Words that follow the name of a table in a sentence and name no key of it."""
_PLACEABLE = re.compile(r"\{[^{}]*\}")
_CHOICE = re.compile(r"^\s*[\[*]+[\w-]+\]", re.MULTILINE)


def _keys() -> dict[str, set[str]]:
    """The keys of each table as the page lists them; columns of a log under an empty name."""
    found: dict[str, set[str]] = {"": set()}
    table = ""
    for line in PAGE.splitlines():
        if line.startswith("#"):
            named = re.search(r"\[([a-z]+)\]", line)
            table = named[1] if named else ""
        elif row := re.match(r"\| `([a-z_0-9.]+)`", line):
            found.setdefault(table, set()).update((row[1], *row[1].split(".")))
    return found


def _messages() -> list[tuple[str, str]]:
    """What may be printed, with the file that has it: messages of the catalogue, and texts of the code that are no docstrings."""
    found = []
    for path in sorted(SOURCES.rglob("*.ftl")):
        lines = (line for line in path.read_text(encoding="utf-8").splitlines() if not line.startswith("#"))
        text = _CHOICE.sub("", "\n".join(lines))
        while (shorter := _PLACEABLE.sub(" … ", text)) != text:
            text = shorter
        found += [(path.name, line) for line in text.splitlines()]
    for path in sorted(SOURCES.rglob("*.py")):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        prose = {id(each.value) for each in ast.walk(tree) if isinstance(each, ast.Expr)}
        found += [
            (path.name, each.value)
            for each in ast.walk(tree)
            if isinstance(each, ast.Constant) and isinstance(each.value, str) and id(each) not in prose
        ]
    return found


def test_every_key_that_a_message_names_is_in_the_reference() -> None:
    keys = _keys()
    every = set().union(*keys.values())
    wrong = []
    for file, text in _messages():
        for table, word in re.findall(r"\[\[?([a-z]+)\]\]? ([a-z_]+)", text):
            if table in keys and word not in keys[table] | PROSE:
                wrong.append((file, f"[{table}] {word}"))
        if file.endswith(".ftl"):
            body = re.sub(r"^[\w-]+ = ", "", text)
            assigned = re.findall(r"(?<![\w-])(?<!PRAGMA )([a-z][a-z_]+) = (?:\"|\d|true|false|\[)", body)
            wrong += [(file, word) for word in assigned if word not in every]
    assert not wrong


def test_what_a_message_asks_to_attest_can_be_attested() -> None:
    named = {word for _, text in _messages() for word in re.findall(r"\battest(?:s|ed|ing)?:? ([a-z]+(?:-[a-z]+)+)", text)}
    assert named
    assert named <= set(ATTESTABLE)


def test_every_option_that_a_message_names_is_one() -> None:
    commands = [typer.main.get_command(app)]
    options: set[str] = set()
    while commands:
        command = commands.pop()
        commands += getattr(command, "commands", {}).values()
        options |= {option for each in command.params for option in each.opts}
    catalogue = [(file, text) for file, text in _messages() if file.endswith(".ftl")]
    named = {word for _, text in catalogue for word in re.findall(r"(?<![\w-])(--[a-z][a-z-]+)", text)}
    assert named
    assert named <= options
