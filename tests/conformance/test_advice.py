"""Advice names only what there is: options of the command that gives it, keys of audit.toml, columns of the log."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
import typer

from auditor.case.log_values import READ, STATES, UNREAD
from auditor.cli import app

ROOT = Path(__file__).parents[2]
IMPORTING = ROOT / "auditor" / "parts" / "log" / "importing"
REFERENCE = (ROOT / "docs" / "reference.md").read_text(encoding="utf-8")
OPTION = re.compile(r"(?<![\w-])--[a-z][a-z-]*[a-z]")
PROSE = {"was", "and", "what", "where", "in", "says"}
"""Words that follow a table and are none of its keys."""


def options(*path: str) -> set[str]:
    """Every option of a command and of those below it."""
    command = typer.main.get_command(app)
    for name in path:
        command = getattr(command, "commands", {})[name]
    return set(_options(command))


def _options(command: object) -> Iterator[str]:
    for parameter in getattr(command, "params", ()):
        yield from parameter.opts
    for each in getattr(command, "commands", {}).values():
        yield from _options(each)


def sentences() -> str:
    """All messages of the catalogue."""
    return "\n".join(path.read_text(encoding="utf-8") for path in sorted((ROOT / "auditor").rglob("*.ftl")))


def raised(path: Path) -> str:
    """Everything that a module may say: its texts, without its docstrings."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    prose = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)}
    texts = (node for node in ast.walk(tree) if isinstance(node, ast.Constant) and isinstance(node.value, str))
    return "\n".join(node.value for node in texts if id(node) not in prose and isinstance(node.value, str))


def keys() -> dict[str, set[str]]:
    """The keys of each table of audit.toml, and the columns of a log, by the page on them."""
    found: dict[str, set[str]] = {}
    for block in re.split(r"\n##? ", REFERENCE)[1:]:
        title, _, body = block.partition("\n")
        table = re.match(r"`\[([a-z_.]+)\]`", title)
        name = table[1] if table else title
        found.setdefault(name, set()).update(re.findall(r"^\| `([a-z_0-9.]+)` \|", body, re.MULTILINE))
    return found


@pytest.mark.parametrize("path", sorted(IMPORTING.glob("*.py")), ids=lambda path: path.stem)
def test_an_import_names_options_that_both_commands_have(path: Path) -> None:
    """`log import` and `init` read tickets by the same code, so that what it says has to hold for both."""
    named = set(OPTION.findall(raised(path)))
    assert named <= options("init")
    if path.stem != "tickets":  # which `init` alone calls
        assert named <= options("log", "import") | options("log", "append")


def test_every_message_names_options_that_some_command_has() -> None:
    named = set(OPTION.findall(sentences()))
    assert len(named) > 5
    assert named <= options()


def test_every_message_names_keys_that_the_reference_lists() -> None:
    tables = keys()
    named = {
        (table, key)
        for table, key in re.findall(r"\[([a-z_]+)\] `?([a-z][a-z_0-9]*)", sentences())
        if table in tables and key not in PROSE
    }
    assert len(named) > 10
    assert {(table, key) for table, key in named if key not in tables[table]} == set()


def test_what_an_import_maps_to_are_columns_of_the_log() -> None:
    columns = set().union(*(found for name, found in keys().items() if "deletion log" in name))
    assert columns >= set(READ)
    for path in IMPORTING.glob("*.py"):
        for column in re.findall(r"--map [A-Za-z{}_.\[\]0]+=([a-z_]+)", raised(path)):
            assert column in columns
    for column in re.findall(r"--map COLUMN=([a-z_]+)", sentences()):
        assert column in columns
    for state in re.findall(r"--state [a-z]+=([a-z_]+)", sentences()):
        assert state in STATES
    assert not set(UNREAD) & set(READ)
