"""Foreign parts in force with everything that they bring admitted, and the formats that they write.

All of a part is listed first when it is taken: what no part may bring is refused before anything runs or is derived.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

from auditor.base import foreign_parts
from auditor.base.foreign_parts import ForeignPart, PerParts, fault_of, foreign_modules, in_force, refuse_taken
from auditor.document.evidence import Evidence
from auditor.maths.certificates import rules
from auditor.pages import words
from auditor.pages.words import catalogue
from auditor.settings.builtin import audited
from auditor.verdict.checks import definitions
from auditor.verdict.theorems import foreign_theorems

if TYPE_CHECKING:
    from auditor.pages.words.rendered_evidence import Told

OWN_FORMATS = ("pdf", "html", "json", "junit", "sarif", "md", "cyclonedx", "oscal")
"""Formats of the auditor's own."""


@dataclass(frozen=True, slots=True)
class ExportFormat:
    """A format that a foreign part writes; a module names its own in `FORMATS`."""

    name: str
    """What `auditor report --format` calls it."""
    file: str
    """What the file is called next to the evidence."""
    write: Callable[[Told], bytes]
    """Gives the document; it decides nothing, and nothing is read back from it."""


@contextmanager
def taking_part(names: Iterable[str]) -> Iterator[tuple[ForeignPart, ...]]:
    """Have foreign parts in force, admitted, for as long as this lasts.

    Raises:
        PartError: If one is not installed, cannot be loaded, or brings what no foreign part may bring.
    """
    with foreign_parts.taking(names, admit=_admit) as taken:
        yield taken


@contextmanager
def taking_part_in(*evidence: Evidence) -> Iterator[tuple[ForeignPart, ...]]:
    """Have the very foreign parts in force that took part in some audits; nothing else that a document names is imported.

    Raises:
        LackingPartError: If one is not installed here, or is there in another version or with other files.
        PartError: As `taking_part` raises it.
    """
    named = dict.fromkeys(part.named for each in evidence for part in each.parts)
    with foreign_parts.taking_as_named(named, admit=_admit) as taken:
        yield taken


def export_formats() -> Mapping[str, ExportFormat]:
    """List the formats of foreign parts in force, by name."""
    return _formats()


@PerParts
def _formats() -> Mapping[str, ExportFormat]:
    found: dict[str, ExportFormat] = {}
    for part, module in foreign_modules("formats"):
        for each in module.FORMATS:
            refuse_taken(part, "format", [each.name], {*OWN_FORMATS, *found})
            if "/" in each.file or each.file in {"evidence.json", "report.pdf", "report.html"}:
                raise fault_of(part, f"writes the format {each.name} as {each.file[:60]}, a name of the auditor's own results")
            found[each.name] = each
    return found


def _admit() -> None:
    """List everything that foreign parts in force bring.

    Raises:
        PartError: If one brings what no foreign part may bring.
    """
    parts = in_force()
    catalogue.sources(catalogue.ENGLISH)
    words.sentences()
    definitions()
    rules()
    export_formats()
    for owner, rule in foreign_theorems():
        from auditor.pages.words.guarantees import STATEMENTS  # noqa: PLC0415 - only where a part brings any

        if unsaid := [name for name in rule.needs if name not in STATEMENTS]:
            raise fault_of(owner, f"brings the theorem {rule.id}, whose fact {unsaid[0]} has no message fact-{unsaid[0]}")
    met: set[str] = set()
    for part in parts:
        refuse_taken(part, "procedure", part.brings.classes, {*audited(), *met})
        met |= part.brings.classes.keys()
    if any(part.brings.attacks for part in parts):
        from auditor.attacks import attacks  # noqa: PLC0415 - only those who play load them

        attacks()
