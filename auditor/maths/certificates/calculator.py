"""The rules as a calculator: options as they were typed in, a certificate out."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping
from typing import Any, get_origin

from auditor.base import suggestions
from auditor.base.domain import Certificate, Problem
from auditor.base.errors import InputError, UsageError
from auditor.maths.certificates import rules
from auditor.maths.certificates.rule import Inputs, Rule, read_inputs

_FILE = "auditor calc"
_NUMBER = re.compile(r"[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d+)?", re.ASCII)


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
            raise UsageError(f"{kind} has no option {_spell(name)}; {_suggest(_spell(name), map(_spell, fields))}")
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
