"""The rules as a calculator: options as they were typed in, a certificate out, and what is read off its promise."""

from __future__ import annotations

import ast
import inspect
import math
import re
import textwrap
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, Final, get_origin

from auditor.base import suggestions
from auditor.base.domain import Certificate, Problem
from auditor.base.errors import InputError, UsageError
from auditor.maths.certificates import rules
from auditor.maths.certificates.listing import promises
from auditor.maths.certificates.rule import Inputs, Rule, failing, read_inputs
from auditor.maths.tradeoff.combining import group
from auditor.maths.tradeoff.reading import right_guesses

_FILE = "auditor calc"
_NUMBER = re.compile(r"[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d+)?", re.ASCII)
_TOGETHER: Final = "size"
"""The option of every rule whose promise can be read for k records together: k."""


@dataclass(frozen=True, slots=True)
class Calculated:
    """What a line of `auditor calc` gives."""

    certificate: Certificate
    shares: Mapping[str, float]
    """Shares of right guesses that the promise leaves, by the key under which they are printed: of one record, and together."""


def calculate(kind: str, options: Mapping[str, str]) -> Calculated:
    """Derive a certificate from options as typed in, and read right guesses off the promise that its result leaves.

    Args:
        kind: The name of a rule.
        options: As `parse_and_derive` takes them; with `size`, of a promise between any two neighbours, k records together.

    Raises:
        UsageError: As `parse_and_derive`.
        InputError: As `parse_and_derive`, and where size is no whole number from 1 on.
    """
    leaves = promises().get(kind)
    given = {option.lstrip("-").replace("_", "-"): text for option, text in options.items()}
    size = None
    if leaves is not None and leaves.together and _TOGETHER in given:
        size = _size(given[_TOGETHER])
        options = {name: text for name, text in options.items() if name.lstrip("-") != _TOGETHER}
    certificate = parse_and_derive(kind, options)
    numbers = [value for name, value in certificate.outputs.items() if name != "reason"]
    if leaves is None or failing(certificate.conditions) or all(value is None for value in numbers):
        return Calculated(certificate, {})
    promise = leaves.promise(certificate)
    shares = {"right_guesses": right_guesses(promise)}
    if size is not None:
        shares["right_guesses_together"] = right_guesses(group(promise, size))
    return Calculated(certificate, shares)


@dataclass(frozen=True, slots=True)
class Option:
    """One input of a rule, as it is typed after `auditor calc`."""

    name: str
    """With its dashes."""
    value: str
    """NUMBER, COUNT, or a list of either."""
    required: bool
    meaning: str
    """One sentence."""


def options_of(kind: str) -> tuple[Option, ...]:
    """List every option of a rule with what it means, in the order of its inputs.

    Raises:
        UsageError: If there is no such rule.
    """
    inputs = _find(kind).inputs
    said = _meanings(inputs)
    found = [
        Option(_spell(name), _value(str(field.annotation)), field.is_required(), said.get(name, ""))
        for name, field in inputs.model_fields.items()
    ]
    if _is_read_together(kind):
        found.append(Option(_spell(_TOGETHER), "COUNT", required=False, meaning="k: right guesses for k records together too."))
    return tuple(found)


def _is_read_together(kind: str) -> bool:
    """Whether `--size` is an option beyond a rule's own inputs."""
    leaves = promises().get(kind)
    return leaves is not None and leaves.together


def _meanings(inputs: type[Inputs]) -> dict[str, str]:
    """The docstrings below the fields of a model, in one line each; those of a base class too."""
    found: dict[str, str] = {}
    for each in reversed(inputs.__mro__):
        if not (issubclass(each, Inputs) and each is not Inputs):
            continue
        (written,) = ast.parse(textwrap.dedent(inspect.getsource(each))).body
        if not isinstance(written, ast.ClassDef):
            raise TypeError(f"{each.__name__} is no class in its source")
        for field, below in pairwise(written.body):
            if isinstance(field, ast.AnnAssign) and isinstance(field.target, ast.Name) and isinstance(below, ast.Expr):
                found[field.target.id] = " ".join(str(ast.literal_eval(below.value)).split())
    return found


def _value(annotation: str) -> str:
    one = "COUNT" if "int" in annotation else "NUMBER"
    return f"{one},…" if "tuple" in annotation else one


def _size(text: str) -> int:
    found = _number(text.strip())
    if isinstance(found, int) and found >= 1:
        return found
    raise InputError([Problem(_FILE, _spell(_TOGETHER), "a whole number from 1 on", repr(text)[:80])])


def parse_and_derive(kind: str, options: Mapping[str, str]) -> Certificate:
    """The certificate of the rule `kind` from options as typed in.

    Args:
        kind: The name of a rule.
        options: Text by option name, without leading dashes or with them, words joined by dashes or underscores. Numbers are
            decimal, such as 1e-5; a list of numbers is separated by commas.

    Raises:
        UsageError: If there is no such rule, or it has no such option, or an option is given twice.
        InputError: With one Problem for each option that is missing or is no number.
    """
    rule = _find(kind)
    fields = rule.inputs.model_fields
    texts: dict[str, str] = {}
    for option, text in options.items():
        name = option.lstrip("-").replace("-", "_")
        if name not in fields:
            known = [each.name for each in options_of(kind)]
            raise UsageError(f"{kind} has no option {_spell(name)}; {_suggest(_spell(name), known)}")
        if name in texts:
            raise UsageError(f"option {_spell(name)} is given twice")
        texts[name] = text
    values, problems = _parse(rule, texts)
    try:
        inputs = read_inputs(rule, values, file=_FILE, prefix="--")
    except InputError as error:
        unread = {problem.where for problem in problems}
        problems += [problem for problem in error.problems if problem.where.partition(".")[0] not in unread]
        raise InputError(problems) from error
    if problems:
        raise InputError(problems)
    return rule.derive(inputs)


def _find(kind: str) -> Rule[Any]:
    known = rules()
    if kind not in known:
        raise UsageError(f"there is no rule {kind!r}; {_suggest(kind, known)}")
    return known[kind]


def _parse(rule: Rule[Any], texts: Mapping[str, str]) -> tuple[dict[str, Any], list[Problem]]:
    """Numbers and lists of numbers by name, and a Problem for each text that holds something else."""
    values: dict[str, Any] = {}
    problems: list[Problem] = []
    for name, text in texts.items():
        as_list = _is_list(rule.inputs, name)
        parts = [part.strip() for part in text.split(",")] if as_list else [text.strip()]
        if as_list and not text.strip():
            parts = []
        numbers = [_number(part) for part in parts]
        if None in numbers:
            expected = "finite numbers, separated by commas" if as_list else "a finite number, such as 0.1 or 1e-5"
            problems.append(Problem(_FILE, _spell(name), expected, repr(text)[:80]))
        values[name] = tuple(numbers) if as_list else numbers[0]
    return values, problems


def _number(text: str) -> float | int | None:
    """The number that a text spells, an int where it is whole (so that 1e6 can count something); None where it spells none."""
    if not _NUMBER.fullmatch(text):
        return None
    value = float(text)
    if not math.isfinite(value):
        return None
    return int(value) if value.is_integer() and abs(value) <= 2**53 else value


def _is_list(inputs: type[Inputs], name: str) -> bool:
    return get_origin(inputs.model_fields[name].annotation) is tuple


def _spell(name: str) -> str:
    return "--" + name.replace("_", "-")


def _suggest(word: str, known: Iterable[str]) -> str:
    names = list(known)
    near = suggestions.nearest(word, names)
    question = "" if near is None else f"did you mean {near}? "
    return f"{question}known: {', '.join(names)}"
