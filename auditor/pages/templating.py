"""The templates and what they may call: the pure functions of this room and of the telling of parts, and nothing else.

Every value that they print passes `_printable` first, and is then escaped, so that no template can forget to do either.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Mapping
from types import ModuleType
from typing import Any, Final

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from auditor.base import resources
from auditor.base.parts import modules
from auditor.pages import annex, attachments, coverage, derivation_tree, figures, plain, promises, right_guesses, tables, wording
from auditor.pages.compiled_templates import CompiledTemplates
from auditor.pages.main import crosswalk, decision, findings, opinion, people, place_levels, search_scope, steps
from auditor.pages.words import attestations, informative_findings, numbers, texts
from auditor.pages.words import conclusion as concluded
from auditor.pages.words import verdict as verdicts

_WITHIN_A_NUMBER: Final = re.compile(r"(?<=\d) (?=[%×])|(?<=\d ×) (?=10)")
"""Spaces between a number and its sign, and around the sign of a power of ten, at which no line may break."""


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
    prepared.globals.update(
        t=texts.text,
        box=opinion,
        concluded=concluded,
        decision=decision,
        findings=findings,
        untested=steps,
        noticed=informative_findings,
        steps=steps,
        people=people,
        places=search_scope,
        levels=place_levels,
        wording=wording,
        verdicts=verdicts,
        attestations=attestations,
        plain=plain,
        tables=tables,
        annex=annex,
        trees=derivation_tree,
        most_rows=attachments.MOST_ROWS,
        coverage=coverage,
        guessing=right_guesses,
        promises=promises,
        figures=figures,
        crosswalk=crosswalk,
    )
    return prepared


def _helpers() -> Mapping[str, ModuleType]:
    """What templates call of parts, by the last piece of the module's name.

    Raises:
        ValueError: If two modules have one name.
    """
    found: dict[str, ModuleType] = {}
    for module in modules("helpers"):
        name = module.__name__.rpartition(".")[2]
        if name in found:
            raise ValueError(f"two modules are {name!r} to templates")
        found[name] = module
    return found


def _printable(value: Any) -> Any:
    """What a template prints: text from outside is cleaned and folded, what a macro has put together stays as it is."""
    if isinstance(value, Markup) or not isinstance(value, str):
        return value
    return _WITHIN_A_NUMBER.sub("\u00a0", wording.shown(value))
