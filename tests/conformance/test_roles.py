"""The core asks for checks by what they are: every role has its checks, and no module of the core names one."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

import auditor
from auditor.verdict.checks import definitions, the, with_role
from auditor.verdict.checks.card import Role

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
CORE = ("attacks", "base", "document", "learning", "maths", "pages", "recheck", "sandbox", "verdict")
"""Rooms that know no check by its id."""
NAMING = {
    "learning/training_checkpoints.py": 1,
    "pages/figures/__init__.py": 2,
    "pages/guessing.py": 8,
    "pages/remedies/__init__.py": 2,
    "pages/remedies/held_back.py": 2,
    "pages/remedies/lasting.py": 1,
}
"""Modules that still name some, each with how many: a number here only shrinks."""


def modules() -> list[Path]:
    """The files of the core."""
    return [file for name in CORE for file in sorted((ROOM / name).rglob("*.py"))]


def named_in(source: str) -> list[str]:
    """Ids of checks, and beginnings of several ids, among the texts of a source."""
    ids = set(definitions())
    families = {f"{name.partition('.')[0]}." for name in ids}
    texts = (each.value for each in ast.walk(ast.parse(source)) if isinstance(each, ast.Constant) and isinstance(each.value, str))
    return [each for each in texts if each in ids | families]


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
    found = {path.relative_to(ROOM).as_posix(): len(named_in(path.read_text("utf-8"))) for path in modules()}
    assert {name: count for name, count in found.items() if count} == NAMING


@pytest.mark.parametrize(
    ("source", "found"),
    [('X = "release.exact"', ["release.exact"]), ('a.startswith("swap.")', ["swap."]), ('"""release.exact and others"""', [])],
)
def test_a_name_in_a_source_is_found(source: str, found: list[str]) -> None:
    assert named_in(source) == found
