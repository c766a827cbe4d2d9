"""The core asks for checks by what they are: every role has its checks, and no module of the core names one."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

import auditor
from auditor.checks import definitions, the, with_role
from auditor.checks.card import Role

ROOM = Path(auditor.__file__).parent
CHECKS_OF = {
    Role.CHECKS_LOG: ("log.consistency",),
    Role.CHECKS_DEADLINES: ("log.deadlines",),
    Role.SEARCHES: ("data.erased",),
    Role.COMPARES_FILE: ("model.reproduced",),
    Role.EXAMINES_FILE: ("release.remembers", "removal.residual"),
    Role.EXACT: ("release.exact",),
    Role.ATTACKS_RELEASE: ("release.remembers",),
    Role.SIZED_GAME: ("swap.quality", "swap.strong", "swap.controls"),
    Role.ATTACKS_RECORDS: ("swap.quality",),
    Role.ATTACKS_SETS: ("swap.strong",),
    Role.ATTACKS_ANSWERS: ("answers.membership",),
    Role.ATTACKS_DIFFERENCE: ("inference.difference",),
    Role.ATTACKS_LOG: ("inference.example",),
    Role.NAMES_DELETED: ("inference.example", "inference.instance"),
    Role.KNOWS_LABELS: ("inference.example",),
    Role.REBUILDS: ("reconstruction.label", "reconstruction.instance", "reconstruction.sentence"),
    Role.REBUILDS_TEXT: ("reconstruction.sentence",),
    Role.RECOGNISES: ("release.remembers", "swap.quality", "swap.strong", "epsilon.consistency", "inference.difference"),
    Role.CLEARS: ("release.exact", "release.remembers", "swap.quality"),
    Role.SHOWS_DELETIONS: (
        "answers.inference",
        "inference.example",
        "inference.instance",
        "inference.difference",
        "reconstruction.label",
        "reconstruction.instance",
        "reconstruction.sentence",
    ),
    Role.CALIBRATES: ("swap.controls",),
    Role.PROVES: ("removal.residual", "removal.budget", "deletion.renyi"),
    Role.CONTRADICTS: ("data.erased", "removal.residual", "deletion.adaptive"),
    Role.CONSISTENCY: ("epsilon.consistency",),
    Role.DATA_DELETION: ("deletion.renyi",),
    Role.ADAPTIVE: ("deletion.adaptive",),
    Role.STATELESS: ("state.stateless",),
    Role.HISTORY: ("state.history_independent",),
    Role.TRAINING_NOISE: ("training.privacy",),
    Role.REPORTING_NOISE: ("privacy.continual",),
    Role.USEFULNESS: ("utility.accuracy", "cost.speedup"),
    Role.ACCURACY: ("utility.accuracy",),
    Role.SPEED: ("cost.speedup",),
    Role.READS_ANSWERS: ("utility.accuracy",),
}
"""Who has which role: what a verdict may rest on changes with this table, and with nothing else."""
CORE = (
    *("assembly", "judgement", "reliance", "strength", "standing", "default_policy", "corollaries", "guarantees", "decisions"),
    *("evidence", "sections", "letters", "verify", "comparison", "checks/attested", "checks/deleting", "checks/feeds"),
    *(f"words/{name}" for name in ("verdict", "told", "noticed", "guarantees")),
    *("report/main", *(f"report/{name}" for name in ("annex", "coverage", "pages", "plain", "promises", "tables", "trees"))),
    *(f"report/{name}" for name in ("markdown", "junit", "sarif", "terminal", "notebook", "render", "reference", "wording")),
    *(f"report/{name}" for name in ("exchange", "letter", "letter_page")),
)
"""Modules and folders that know no check by its id."""
SHARED = frozenset(
    {
        *("attested", "card", "context", "deleting", "definition", "feeds", "finding", "log_attack", "promise", "stated"),
    }
)
"""Modules of `auditor.checks` that belong to no one check, and that the core may import."""
IMPORTED = {
    "letters/promise.py": {"deletion"},  # what claim and policy allow of data deletion is told to one person by their own records
    # Pages read what the judge of a check observed and derived by its own models.
    "report/annex.py": {"removal", "state_stateless"},
    "report/main/box.py": {"data_erased"},
    "report/main/findings.py": {"data_erased", "utility_accuracy"},
    "report/main/places.py": {"data_erased"},
    "report/tables.py": {"data_erased"},
}
"""Imports that remain, each with its reason."""


def modules() -> list[Path]:
    """The files of the core."""
    found: list[Path] = []
    for name in CORE:
        path = ROOM / name
        found += sorted(path.rglob("*.py")) if path.is_dir() else [path.with_suffix(".py")]
    return found


def named_in(source: str) -> list[str]:
    """Ids of checks, and beginnings of several ids, among the texts of a source."""
    ids = set(definitions())
    families = {f"{name.partition('.')[0]}." for name in ids}
    texts = (each.value for each in ast.walk(ast.parse(source)) if isinstance(each, ast.Constant) and isinstance(each.value, str))
    return [each for each in texts if each in ids | families]


def imported_by(source: str) -> set[str]:
    """What a source imports of `auditor.checks`: modules, and names of the listing."""
    found: set[str] = set()
    for each in ast.walk(ast.parse(source)):
        if isinstance(each, ast.ImportFrom) and each.module == "auditor.checks":
            found |= {alias.name for alias in each.names if (ROOM / "checks" / alias.name).with_suffix(".py").exists()}
            found |= {alias.name for alias in each.names if (ROOM / "checks" / alias.name).is_dir()}
        elif isinstance(each, ast.ImportFrom) and (each.module or "").startswith("auditor.checks."):
            found.add(str(each.module).split(".")[2])
    return found


def test_every_role_has_the_checks_that_it_should() -> None:
    assert {role: with_role(role) for role in Role} == CHECKS_OF


@pytest.mark.parametrize("role", [role for role, ids in CHECKS_OF.items() if len(ids) == 1])
def test_the_one_check_of_a_role_is_found(role: Role) -> None:
    assert (the(role),) == CHECKS_OF[role]


@pytest.mark.parametrize("role", [role for role, ids in CHECKS_OF.items() if len(ids) > 1])
def test_none_of_several_is_taken_for_the_only_one(role: Role) -> None:
    with pytest.raises(LookupError, match=f"{len(CHECKS_OF[role])} checks have the role"):
        the(role)


def test_roles_agree_with_the_rest_of_a_card() -> None:
    for name, each in definitions().items():
        assert not set(each.card.finds) & set(each.card.may_find), name
        assert each.card.roles.isdisjoint({Role.EXACT, Role.ATTACKS_RELEASE}) or each.card.judges_unlearning, name
        assert Role.REBUILDS_TEXT not in each.card.roles or Role.REBUILDS in each.card.roles


def test_no_module_of_the_core_names_a_check() -> None:
    assert len(modules()) > 50
    assert {str(path.relative_to(ROOM)): found for path in modules() if (found := named_in(path.read_text("utf-8")))} == {}


def test_no_module_of_the_core_imports_a_check() -> None:
    found = {str(path.relative_to(ROOM)): imported_by(path.read_text("utf-8")) - SHARED for path in modules()}
    assert {name: names for name, names in found.items() if names} == IMPORTED


@pytest.mark.parametrize(
    ("source", "found"),
    [('X = "release.exact"', ["release.exact"]), ('a.startswith("swap.")', ["swap."]), ('"""release.exact and others"""', [])],
)
def test_a_name_in_a_source_is_found(source: str, found: list[str]) -> None:
    assert named_in(source) == found
