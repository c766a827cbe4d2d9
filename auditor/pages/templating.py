"""The templates and what they may call: the pure functions of this room and of the telling of parts, and nothing else.

Every value that they print passes `_printable` first, and is then escaped, so that no template can forget to do either.
"""

from __future__ import annotations

import functools
import importlib
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from auditor.base import resources
from auditor.base.parts import names
from auditor.pages import tables, wording
from auditor.pages.attachments import MOST_ROWS
from auditor.pages.compiled_templates import CompiledTemplates
from auditor.pages.words import numbers, texts

_WITHIN_A_NUMBER: Final = re.compile(r"(?<=\d) (?=[%×])|(?<=\d ×) (?=10)")
"""Spaces between a number and its sign, and around the sign of a power of ten, at which no line may break."""

_CALLED: Final = {
    "annex": "annex",
    "attestations": "words.attestations",
    "box": "main.opinion",
    "concluded": "words.conclusion",
    "coverage": "coverage",
    "crosswalk": "main.crosswalk",
    "decision": "main.decision",
    "figures": "figures",
    "findings": "main.findings",
    "guessing": "right_guesses",
    "levels": "main.place_levels",
    "noticed": "words.informative_findings",
    "people": "main.people",
    "places": "main.search_scope",
    "plain": "plain",
    "promises": "promises",
    "steps": "main.steps",
    "tables": "tables",
    "trees": "derivation_tree",
    "untested": "main.steps",
    "verdicts": "words.verdict",
    "wording": "wording",
}
"""What templates call of this room: a module for each name."""


@dataclass(frozen=True, slots=True)
class _Late:
    """A module that is imported when a template first asks for something of it: a letter asks for a few, a report for all."""

    home: str

    def __getattr__(self, name: str) -> Any:
        """Give what the module holds under that name."""
        return getattr(importlib.import_module(self.home), name)


@functools.cache
def environment() -> Environment:
    """The environment in which every template is filled, the report's and the letter's."""
    prepared = Environment(
        loader=FileSystemLoader(resources.templates()),
        bytecode_cache=CompiledTemplates(),
        autoescape=True,
        undefined=StrictUndefined,
        finalize=_printable,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    prepared.filters.update(
        number=wording.number,
        at_most=numbers.at_most,
        at_least=numbers.at_least,
        interval=wording.interval,
        day=wording.day,
        moment=wording.moment,
        mark=wording.mark,
        word=wording.word,
        short=wording.short,
        shown=wording.shown,
        fitting=wording.fitting,
        in_words=tables.in_words,
    )
    prepared.tests.update(has_run=wording.has_run)
    prepared.globals.update(_helpers())
    prepared.globals.update({name: _Late(f"auditor.pages.{module}") for name, module in _CALLED.items()})
    prepared.globals.update(t=texts.text, most_rows=MOST_ROWS)
    return prepared


def _helpers() -> Mapping[str, _Late]:
    """What templates call of parts, by the last piece of the module's name.

    Raises:
        ValueError: If two modules have one name.
    """
    found: dict[str, _Late] = {}
    for module in names("helpers"):
        name = module.rpartition(".")[2]
        if name in found:
            raise ValueError(f"two modules are {name!r} to templates")
        found[name] = _Late(module)
    return found


def _printable(value: Any) -> Any:
    """What a template prints: text from outside is cleaned and folded, what a macro has put together stays as it is."""
    if isinstance(value, Markup) or not isinstance(value, str):
        return value
    return _WITHIN_A_NUMBER.sub("\u00a0", wording.shown(value))
