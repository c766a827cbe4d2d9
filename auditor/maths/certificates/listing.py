"""Every rule of this folder and of the parts, and what comes of one: derived, derived again, compared."""

from __future__ import annotations

import math
import pkgutil
import sys
from collections.abc import Mapping, Sequence
from dataclasses import fields, is_dataclass
from enum import Enum
from functools import cache, lru_cache
from types import ModuleType
from typing import Any

from auditor.base.domain import Certificate, Problem
from auditor.base.errors import InputError
from auditor.base.foreign_parts import ForeignPart, PerParts, foreign_modules, refuse_taken
from auditor.base.listing import modules_below
from auditor.base.parts import first_of, modules, names
from auditor.maths.certificates.rule import Inputs, Rule, read_inputs
from auditor.maths.certificates.trade_off import Leaves

# Comparing two certificates field by field, where the last digits may depend on the machine that computed them.
RELATIVE_TOLERANCE = 1e-12


def differences(found: Certificate, expected: Certificate) -> tuple[str, ...]:
    """The paths of the fields in which two certificates differ, e.g. `epsilon` or `outputs.budget`, in field order."""
    return tuple(
        path
        for field in fields(Certificate)
        for path in _differ(field.name, getattr(found, field.name), getattr(expected, field.name))
    )


def _differ(path: str, found: Any, expected: Any) -> list[str]:
    found, expected = _plain(found), _plain(expected)
    if isinstance(found, Mapping) and isinstance(expected, Mapping):
        return _differ_by_name(path, found, expected)
    if _is_list(found) and _is_list(expected):
        return _differ_by_place(path, found, expected)
    return [] if _same(found, expected) else [path]


def _differ_by_name(path: str, found: Mapping[str, Any], expected: Mapping[str, Any]) -> list[str]:
    names = [*expected, *(name for name in found if name not in expected)]
    missing = [f"{path}.{name}" for name in names if (name in found) != (name in expected)]
    shared = [name for name in names if name in found and name in expected]
    return missing + [field for name in shared for field in _differ(f"{path}.{name}", found[name], expected[name])]


def _differ_by_place(path: str, found: Sequence[Any], expected: Sequence[Any]) -> list[str]:
    if len(found) != len(expected):
        return [path]
    pairs = enumerate(zip(found, expected, strict=True))
    return [field for index, (one, other) in pairs for field in _differ(f"{path}.{index}", one, other)]


def _same(found: Any, expected: Any) -> bool:
    if _is_number(found) and _is_number(expected):
        # isclose calls equal infinities close and nan never; both are what a recheck wants.
        return math.isclose(found, expected, rel_tol=RELATIVE_TOLERANCE, abs_tol=0.0)
    return type(found) is type(expected) and bool(found == expected)


def _plain(value: Any) -> Any:
    """Records as mappings, enums as their values: the form in which JSON brings them back."""
    if isinstance(value, Enum):
        return value.value
    if is_dataclass(value) and not isinstance(value, type):
        return {field.name: getattr(value, field.name) for field in fields(value)}
    return value


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _is_list(value: Any) -> bool:
    return isinstance(value, Sequence) and not isinstance(value, str | bytes)


@cache
def _holding() -> tuple[ModuleType, ...]:
    """Import the modules that may hold rules, in the order of their names."""
    listed = (*modules_below(sys.modules[str(__package__)]), *modules("rules"))
    return tuple(sorted(listed, key=lambda each: each.__name__.rpartition(".")[2]))


@cache
def _own() -> Mapping[str, Rule[Any]]:
    found: dict[str, Rule[Any]] = {}
    for module in _holding():
        for rule in getattr(module, "RULES", ()):
            if rule.kind in found:
                raise ValueError(f"two rules are called {rule.kind!r}")
            found[rule.kind] = rule
    return found


@lru_cache(maxsize=256)
def _own_rule(kind: str) -> Rule[Any] | None:
    """The auditor's own rule of a kind; None where there is none. Modules are imported until one has it.

    First those that are imported already, as a judge mostly has its own, then those that the kind is called after.
    """

    def unlikely(name: str) -> tuple[bool, bool]:
        return name not in sys.modules, name.rpartition(".")[2].replace("_", "-") not in kind

    below = sys.modules[str(__package__)]
    own = (f"{below.__name__}.{each.name}" for each in pkgutil.iter_modules(below.__path__))
    found: Rule[Any] | None = first_of(sorted((*own, *names("rules")), key=unlikely), "RULES", lambda each: each.kind == kind)
    return found


@PerParts
def _listed() -> Mapping[str, Rule[Any]]:
    """Every rule by its kind, those of foreign parts in force last."""
    return {**_own(), **{kind: rule for kind, (_, rule) in _foreign().items()}}


@PerParts
def _foreign() -> Mapping[str, tuple[ForeignPart, Rule[Any]]]:
    """The rules of foreign parts in force by kind, each with its part.

    Raises:
        PartError: If a part brings one that is there already.
    """
    found: dict[str, tuple[ForeignPart, Rule[Any]]] = {}
    for part, module in foreign_modules("rules"):
        for rule in module.RULES:
            refuse_taken(part, "rule", [rule.kind], _own().keys() | found.keys())
            found[rule.kind] = (part, rule)
    return found


def kinds_of(part: str) -> frozenset[str]:
    """Name the rules that a foreign part in force brings."""
    return frozenset(kind for kind, (owner, _) in _foreign().items() if owner.name == part)


def rules() -> dict[str, Rule[Any]]:
    """Every rule by its kind, in the order of module names."""
    return dict(_listed())


@cache
def promises() -> Mapping[str, Leaves]:
    """Collect what the results of rules promise, by the kind of the rule: the auditor's own alone."""
    return {kind: leaves for module in _holding() for kind, leaves in getattr(module, "PROMISES", {}).items()}


def derive(kind: str, inputs: Mapping[str, Any]) -> Certificate:
    """The certificate of the rule `kind` from its inputs by name.

    Raises:
        InputError: If there is no such rule, or an input is missing, unknown, or of the wrong type.
    """
    if (own := _own_rule(kind)) is not None:
        return _derived(own, read_inputs(own, inputs))
    if kind not in _foreign():
        raise InputError([Problem(f"certificate {kind}", "kind", f"one of {', '.join(_listed())}", repr(kind))])
    _, rule = _foreign()[kind]
    return rule.derive(read_inputs(rule, inputs))


@lru_cache(maxsize=1024)
def _derived(rule: Rule[Any], inputs: Inputs) -> Certificate:
    """The certificate of a rule of ours: what an audit rests on is found by deriving it under one attestation after another."""
    return rule.derive(inputs)


def rederive(certificate: Certificate) -> Certificate:
    """The certificate that its rule derives from the same inputs, whatever else the given one says.

    Raises:
        InputError: If there is no such rule, or the inputs are not inputs of that rule.
    """
    return derive(certificate.kind, certificate.inputs)


def disagreements(certificate: Certificate) -> tuple[str, ...]:
    """The fields in which a certificate differs from what its rule derives from its inputs.

    Numbers count as equal within 1e-12 of the larger one. A certificate whose kind is no rule disagrees in `kind`, one
    whose inputs cannot be read in `inputs`. Nested fields are named by a path such as `outputs.budget`.
    """
    if certificate.kind not in _listed():
        return ("kind",)
    try:
        expected = rederive(certificate)
    except InputError:
        return ("inputs",)
    return differences(certificate, expected)
