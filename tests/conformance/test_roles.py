"""The core asks for checks by what they are: every role has its checks, and no module of the core names one."""

from __future__ import annotations

import ast
import inspect
from collections.abc import Iterator
from pathlib import Path
from typing import Any, get_args, get_type_hints

import pytest

import auditor
from auditor.pages import right_guesses
from auditor.verdict.checks import definitions, readings, the, with_role
from auditor.verdict.checks.card import Role
from golden_reports import told as golden

ROOM = Path(auditor.__file__).parent
CHECKS_OF = {
    Role.CHECKS_LOG: ("log.consistency",),
    Role.CHECKS_DEADLINES: ("log.deadlines",),
    Role.SEARCHES: ("data.erased",),
    Role.SEARCHES_PLACES: ("places.erased",),
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


def test_the_check_whose_attacks_are_on_records_says_what_they_found_of_each_side() -> None:
    (check,) = [each for each in golden("digits-cheater").checks if Role.ATTACKS_RECORDS in each.card.roles]
    assert set(right_guesses.of(check).sides(check)) == set(right_guesses.Side)


def test_no_module_of_the_core_names_a_check() -> None:
    assert len(modules()) > 50
    found = {path.relative_to(ROOM).as_posix(): len(named_in(path.read_text("utf-8"))) for path in modules()}
    assert [name for name, count in found.items() if count] == []


@pytest.mark.parametrize(
    ("source", "found"),
    [('X = "release.exact"', ["release.exact"]), ('a.startswith("swap.")', ["swap."]), ('"""release.exact and others"""', [])],
)
def test_a_name_in_a_source_is_found(source: str, found: list[str]) -> None:
    assert named_in(source) == found


def lacking(model: type[Any], protocol: type[Any], where: str = "") -> Iterator[str]:
    """Attributes and methods that a protocol names and a model, or a model inside it, has not."""
    methods = (name for name, _ in inspect.getmembers(protocol, inspect.isfunction) if not name.startswith("_"))
    yield from (f"{where}{model.__name__}.{name}" for name in methods if not hasattr(model, name))
    for name, member in inspect.getmembers(protocol, lambda each: isinstance(each, property)):
        place = f"{where}{model.__name__}.{name}"
        if name not in model.model_fields:
            if not isinstance(getattr(model, name, None), property):
                yield place
            continue
        inside = [each for each in classes(get_type_hints(member.fget)["return"]) if getattr(each, "_is_protocol", False)]
        models = [each for each in classes(model.model_fields[name].annotation) if hasattr(each, "model_fields")]
        if inside and not models:
            yield place
        for each in inside:
            for one in models:
                yield from lacking(one, each, f"{place}: ")


def classes(annotation: Any) -> Iterator[type[Any]]:
    """Every class that an annotation names."""
    if isinstance(annotation, type):
        yield annotation
    for inner in get_args(annotation):
        yield from classes(inner)


def test_the_models_of_a_check_hold_what_is_read_of_its_roles() -> None:
    for each in definitions().values():
        for role in each.card.roles:
            for protocol in readings.OBSERVED.get(role, ()):
                assert not list(lacking(each.observed, protocol)), (each.card.id, role)
            # Games that were not played leave the form that tells of the log alone.
            forms = each.derived[:1] if role in {Role.NAMES_DELETED, Role.ATTACKS_LOG} else each.derived
            for protocol in readings.DERIVED.get(role, ()):
                assert not [name for form in forms for name in lacking(form, protocol)], (each.card.id, role)


def test_a_model_without_what_is_read_of_it_is_found() -> None:
    noise, bound = (definitions()[each].derived[0] for each in ("training.privacy", "deletion.renyi"))
    assert list(lacking(bound, readings.Named)) == ["Derived.standard", "Derived.variants"]
    assert list(lacking(noise, readings.ForAPerson)) == []
    assert list(lacking(noise, readings.Attacked)) == ["Derived.left_over", "Derived.told", "Derived.tried"]
