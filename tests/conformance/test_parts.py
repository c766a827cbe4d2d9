"""What a part may know, what its judges load, and what the core still takes from parts by name."""

from __future__ import annotations

import ast
import importlib
import json
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from itertools import groupby
from pathlib import Path
from typing import get_args

import pytest

import auditor
from auditor.base.parts import Constant, constants, folders, modules, parts
from auditor.verdict.checks import definitions
from auditor.verdict.guarantees import derivable

ROOT = Path(auditor.__file__).parent
PARTS = {part.name: part for part in parts()}
FOR_ALL = ("log", "release", "store")
"""Parts that every part may know; of them each may know those before it."""
UNTIED = Path(__file__).parent / "core_knows.json"
"""How many imports each room of the core still takes from parts: none may be added, and each that goes is taken out here."""


def _module(file: Path) -> str:
    names = file.relative_to(ROOT.parent).with_suffix("").parts
    return ".".join(names[:-1] if names[-1] == "__init__" else names)


@cache
def every_module() -> dict[str, Path]:
    return {_module(file): file for file in sorted(ROOT.rglob("*.py"))}


@cache
def imports() -> tuple[tuple[str, str], ...]:
    """Which module imports which, type-checking imports and those inside functions counted."""
    return tuple((name, target) for name, file in every_module().items() for target in _targets(file))


def _targets(file: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module and node.module.partition(".")[0] == "auditor":
            for each in node.names:
                inner = f"{node.module}.{each.name}"
                yield inner if inner in every_module() else node.module
        elif isinstance(node, ast.Import):
            yield from (each.name for each in node.names if each.name in every_module())


def part_of(module: str) -> str | None:
    names = module.split(".")
    return names[2] if names[1:2] == ["parts"] and len(names) > 2 else None


def test_parts_import_those_that_they_name_and_no_other() -> None:
    wrong = []
    for name, target in imports():
        own, other = part_of(name), part_of(target)
        if own is None or other is None or own == other or other in PARTS[own].knows:
            continue
        before = FOR_ALL[: FOR_ALL.index(own)] if own in FOR_ALL else FOR_ALL
        if other not in before:
            wrong.append(f"{name} -> {target}")
    assert wrong == []


def test_what_parts_know_leads_in_no_circle() -> None:
    def reached(name: str, met: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
        for other in PARTS[name].knows:
            yield (*met, other)
            if other not in met:
                yield from reached(other, (*met, other))

    assert [way for name in PARTS for way in reached(name, (name,)) if way[-1] == name] == []


def test_the_core_takes_no_more_from_parts_by_name_than_is_listed() -> None:
    found = sorted(
        (name.split(".")[1], part_of(target) or "") for name, target in imports() if part_of(name) is None and part_of(target)
    )
    counted = {f"{room} -> {part}": len(list(those)) for (room, part), those in groupby(found)}
    assert counted == json.loads(UNTIED.read_text(encoding="ascii"))


@pytest.mark.parametrize("part", parts(), ids=list(PARTS))
def test_a_part_names_whatever_it_brings(part) -> None:
    kinds = {
        "cards": ("CARDS",),
        "checks": ("CHECK", "CHECKS"),
        "contributions": ("AGAINST_EPSILON",),
        "theorems": ("THEOREMS",),
        "rules": ("RULES",),
        "sentences": ("SENTENCES",),
        "remedies": ("REMEDIES",),
        "guarantees": ("GUARANTEES",),
        "statements": ("STATEMENTS", "LIMITS"),
        "figures": ("FIGURES",),
        "tellings": ("TELLING",),
        "stages": ("STAGES",),
        "procedures": ("PROCEDURES",),
        "controllers": ("CONTROLLERS",),
        "planning": ("PLANNER",),
    }
    for kind, named in kinds.items():
        for name in getattr(part, kind):
            module = importlib.import_module(f"auditor.parts.{part.name}.{name}")
            assert any(hasattr(module, each) for each in named), name
    rooms = {
        "checks": "judging",
        "contributions": "judging",
        "rules": "rules",
        "sentences": "telling.sentences",
        "statements": "telling.sentences",
        "figures": "telling.figures",
    }
    for kind, room in rooms.items():
        below = f"auditor.parts.{part.name}.{room}."
        holding = {
            name.removeprefix(f"auditor.parts.{part.name}.")
            for name, file in every_module().items()
            if f"{name}.".startswith(below) and _assigns(file) & set(kinds[kind])
        }
        assert holding == set(getattr(part, kind)), kind

    for kind in get_args(Constant):
        below = f"auditor.parts.{part.name}."
        holding = {
            name.removeprefix(below)
            for name, file in every_module().items()
            if name.startswith(below) and kind.upper() in _assigns(file)
        }
        assert holding == set(getattr(part, kind)), kind


def _assigns(file: Path) -> set[str]:
    found = set()
    for node in ast.parse(file.read_text(encoding="utf-8")).body:
        targets = node.targets if isinstance(node, ast.Assign) else [node.target] if isinstance(node, ast.AnnAssign) else []
        found |= {each.id for each in targets if isinstance(each, ast.Name)}
    return found


def test_every_guarantee_has_words_and_those_of_one_person_a_limit() -> None:
    stated = {name for module in modules("statements") for name in module.STATEMENTS}
    assert stated == {each.id for each in derivable()}
    assert {name for module in modules("statements") for name in module.LIMITS} <= stated


def test_what_parts_say_is_about_checks_of_theirs() -> None:
    for part in parts():
        own = {name for name, each in definitions().items() if part_of(each.judge.__module__) == part.name}
        for name in part.tellings:
            assert set(importlib.import_module(f"auditor.parts.{part.name}.{name}").TELLING) <= own
        for name in part.figures:
            drawn = importlib.import_module(f"auditor.parts.{part.name}.{name}").FIGURES
            assert set(drawn) & set(definitions()) <= own


def test_every_check_belongs_to_a_part() -> None:
    named = {name for part in parts() for name in part.checks}
    judging = {each.judge.__module__.partition(".parts.")[2].partition(".")[2] for each in definitions().values()}
    assert judging
    assert all(any(name == each or name.startswith(f"{each.rpartition('.')[0]}.") for each in named) for name in judging)


def test_judging_loads_no_library_that_only_a_run_needs() -> None:
    script = (
        "import sys, importlib, json\n"
        "from auditor.base.parts import modules\n"
        "for kind in ('checks', 'rules', 'theorems', 'guarantees', 'sentences', 'statements'):\n    list(modules(kind))\n"
        "print(json.dumps(sorted({'torch', 'sklearn', 'pandas', 'jinja2', 'weasyprint', 'pyarrow'} & set(sys.modules))))"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert json.loads(done.stdout) == []


def test_commands_of_parts_load_nothing_that_only_a_run_needs() -> None:
    script = (
        "import sys, json\n"
        "import auditor.cli\n"
        "print(json.dumps(sorted({'numpy', 'pydantic', 'rich', 'sklearn', 'torch'} & set(sys.modules))))"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert json.loads(done.stdout) == []
    brought = [each for those in constants("commands") for each in those]
    assert {each.name for each in brought} == {"canonical", "log", "replay"}
    assert all(each.after for each in brought)


def test_texts_of_parts_are_found_without_importing_what_is_beside_them() -> None:
    script = (
        "import sys\nfrom auditor.base.parts import folders\nassert list(folders('telling/words/en'))\n"
        "print([name for name in sys.modules if name.startswith('auditor.parts.') and '.telling' in name])"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
    assert all(folder.is_dir() for folder in folders("telling/words/en"))
    assert list(modules("sentences"))
