"""Holds pages against what their evidence gives: they are rendered again, and what a reader sees of both is compared.

What is drawn on a page follows from the document that it carries, and nothing else protects it: without this a report could
carry one verdict and show another. Rendering is not done here. Anyone who asks for a recheck hands over a `Renderer`, and where
there is none the outcome says that pages were not compared.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Final, Protocol

from auditor import __version__
from auditor.base import extras
from auditor.base.errors import ReportError
from auditor.document.evidence import Evidence
from auditor.recheck.carried import plain
from auditor.recheck.pdf import asking
from auditor.recheck.pdf.contents import Contents

if TYPE_CHECKING:
    from auditor.pages.letters import Extract

_UNSIGNED, _SIGNED = "UNSIGNED", "signedkey"
"""What the foot of every page says, the second as far as its plain letters go."""
_DATE: Final = re.compile(rb'<meta name="dcterms\.created" content="(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ)">')
_PDF_DATE: Final = re.compile(r"D:(\d{14})Z")
_MAIN_PART: Final = "Unlearning audit, main part: "
"""How the title of a report begins that has no annex."""
_HTML_TITLE: Final = re.compile(f"<title>{_MAIN_PART}".encode())
_SHORTEST: Final = 60
"""Characters of a line of HTML that a message shows."""


class Renderer(Protocol):
    """Renders again what lies there, from the document that it carries.

    Every method raises ReportError if the document cannot be rendered. `date` is what the file says of its own writing, and
    `signed_by` the id of the key that its pages name.
    """

    def report(self, evidence: Evidence, *, date: datetime, signed_by: str | None, whole: bool = True) -> bytes:
        """Render the report as PDF, with its annex or its main part alone."""

    def page(self, evidence: Evidence, *, date: datetime, signed_by: str | None, whole: bool = True) -> bytes:
        """Render the report as HTML, likewise."""

    def letter(self, extract: Extract, *, date: datetime, signed_by: str | None) -> bytes:
        """Render a letter as PDF."""


@dataclass(frozen=True, slots=True)
class Look:
    """What came of examining one file."""

    messages: tuple[str, ...] = ()
    """What a reader sees otherwise than the evidence gives it."""
    not_compared: str | None = None
    """Why its pages were not compared."""
    stated: tuple[str, ...] = ()
    """What of it was taken as it stands."""


@dataclass(frozen=True, slots=True)
class Signing:
    """What lies next to a file in the way of a signature."""

    statement: str
    """The name of the file that would hold the statement about it."""
    key: str | None
    """The key that this statement names; None where there is no statement."""


@dataclass(slots=True)
class Pages:
    """The pages of one recheck."""

    load: Callable[[], Renderer | None] | None
    """Gives what renders them, or None where its libraries are missing; called for the first page."""
    not_compared: list[str] = field(default_factory=list)
    """A line for every file whose pages nobody compared."""
    _loaded: list[Renderer | None] = field(default_factory=list)

    def report(self, name: str, content: bytes, contents: Contents, evidence: Evidence, signing: Signing) -> Look:
        """Examine a report in PDF, with its annex or its main part alone, as its title says."""
        source = _of_report("report", evidence, main_part=contents.title.startswith(_MAIN_PART))
        return self._looked(name, _printed(name, content, contents), signing, source)

    def letter(self, name: str, content: bytes, contents: Contents, extract: Extract, signing: Signing) -> Look:
        """Examine a letter."""
        return self._looked(name, _printed(name, content, contents), signing, _Source("letter", extract, extract.audit))

    def html(self, name: str, content: bytes, evidence: Evidence, signing: Signing) -> Look:
        """Examine a report in HTML, of which every byte counts but its date."""
        found = _DATE.search(content)
        shown = "" if found is None else found[1].decode().translate({ord(mark): None for mark in "-T:Z"})
        seen = _Seen(content, shown, _says_unsigned(content.decode("utf-8", "replace")), _lines)
        return self._looked(name, seen, signing, _of_report("page", evidence, main_part=bool(_HTML_TITLE.search(content))))

    def _looked(self, name: str, seen: _Seen, signing: Signing, source: _Source) -> Look:
        look = self._look(seen, signing, source)
        if look.not_compared is not None:
            self.not_compared.append(f"{name} ({look.not_compared})")
        return look

    def _look(self, seen: _Seen, signing: Signing, source: _Source) -> Look:
        if self.load is None:
            return Look(not_compared="nothing here renders them again")
        if not self._loaded:
            self._loaded.append(self.load())
        (renderer,) = self._loaded
        if renderer is None:
            return Look(not_compared=f"the libraries that render a report are not installed: {extras.command('report')}")
        if signing.key is None and not seen.unsigned:
            return Look((f"its pages name a key that signs them, and there is no {signing.statement} next to it",))
        return _compared(seen, signing, source, getattr(renderer, source.method))


class _Audit(Protocol):
    @property
    def auditor_version(self) -> str: ...
    @property
    def finished_at(self) -> datetime: ...


@dataclass(frozen=True, slots=True)
class _Source:
    """What pages are rendered from, and how."""

    method: str
    document: Evidence | Extract
    audit: _Audit
    options: Mapping[str, bool] = field(default_factory=dict)
    """What else the renderer gets."""

    @property
    def another(self) -> str | None:
        """That another version wrote the document; None where it was this one."""
        version = self.audit.auditor_version
        return None if version == __version__ else f"written by auditor {version[:40]}, this is {__version__}"


def _of_report(method: str, evidence: Evidence, *, main_part: bool) -> _Source:
    return _Source(method, evidence, evidence.audit, {"whole": False} if main_part else {})


@dataclass(frozen=True, slots=True)
class _Seen:
    """A file as it lies there."""

    content: bytes
    date: str
    """What it says of its own writing, as 14 digits; empty where it says nothing that can be read."""
    unsigned: bool
    """Whether it says that it is unsigned."""
    differences: Callable[[bytes, bytes], Iterable[str]]
    """What a reader sees of two such files otherwise."""


def _printed(name: str, content: bytes, contents: Contents) -> _Seen:
    found = _PDF_DATE.fullmatch(contents.created)
    date = "" if found is None else found[1]
    return _Seen(content, date, _says_unsigned(contents.cover), lambda one, two: asking.differences(one, two, name))


def _compared(seen: _Seen, signing: Signing, source: _Source, render: Callable[..., bytes]) -> Look:
    usual = source.audit.finished_at.astimezone(UTC).replace(microsecond=0)
    date = _moment(seen.date) or usual
    stated = () if date == usual else (f"the date of the file, {date.isoformat()}, which is not that of the audit",)
    rendered = []
    for key in dict.fromkeys([None, signing.key] if seen.unsigned else [signing.key, None]):
        try:
            rendered.append(render(source.document, date=date, signed_by=key, **source.options))
        except ReportError as error:
            refused = f"what it carries cannot be rendered, so these pages did not come of it: {error}"
            return Look((refused,)) if source.another is None else Look(not_compared=source.another)
        if rendered[-1] == seen.content:
            return Look(stated=stated)
    if source.another is not None:
        return Look(not_compared=source.another)
    return Look(tuple(seen.differences(seen.content, rendered[0])), stated=stated)


def _says_unsigned(text: str) -> bool:
    return _UNSIGNED in text or _SIGNED not in plain(text)


def _moment(digits: str) -> datetime | None:
    try:
        return datetime.strptime(digits, "%Y%m%d%H%M%S").replace(tzinfo=UTC)
    except ValueError:
        return None


def _lines(found: bytes, expected: bytes) -> tuple[str, ...]:
    """Where HTML differs first."""
    one, two = (content.decode("utf-8", "replace").splitlines() for content in (found, expected))
    for number, (line, other) in enumerate(zip(one, two, strict=False), start=1):
        if line != other:
            return (f"line {number} is {_from(line, other)}, the evidence gives {_from(other, line)}",)
    return (f"it has {len(one)} lines or ends otherwise, the evidence gives {len(two)}",)


def _from(line: str, other: str) -> str:
    """A line from a little before the place in which it differs from another."""
    same = next((place for place, pair in enumerate(zip(line, other, strict=False)) if len(set(pair)) > 1), 0)
    start = max(same - _SHORTEST // 3, 0)
    return f"“{'…' if start else ''}{line[start : start + _SHORTEST]}{'…' if len(line) > start + _SHORTEST else ''}”"
