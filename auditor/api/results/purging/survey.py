"""What a case declares and holds: its audits, its tables, and the files in its folders."""

from __future__ import annotations

import hashlib
import os
import re
import stat
from collections.abc import Iterator, Mapping, Sequence
from datetime import date
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, Final, TypeVar

from auditor.api.results import replies
from auditor.api.results.purging import copies, files, people
from auditor.api.results.purging.copies import UncutError
from auditor.api.results.purging.files import Examined
from auditor.api.results.purging.people import Person
from auditor.api.results.purging.plan import Audited
from auditor.api.results.purging.written import written_to
from auditor.audit.describing import stamp
from auditor.base import outputs, process_marks
from auditor.base.deletion_log.requests import Request
from auditor.base.errors import InputError, UsageError
from auditor.base.noted import Noted
from auditor.base.outputs import Wrote
from auditor.case.declaration import LIMIT, declare
from auditor.case.files import read_source
from auditor.case.logs import read_log
from auditor.document import evidence_files
from auditor.document.purge_receipt import Gone, Kind
from auditor.document.retention import kept_until
from auditor.recheck.files import ENVELOPE, EVIDENCE, is_letter
from auditor.sandbox.runs import FOLDER, shown_ours
from auditor.settings.documents import CaseTable
from auditor.settings.tables import DataTable, DeletionsTable

if TYPE_CHECKING:
    from auditor.audit.planning import OnStep
    from auditor.recheck.pdf.contents import Contents


DECLARED: Final = "audit.toml"


_Each = TypeVar("_Each")


class Survey:
    """What a case declares and holds: its audits, its tables, and the files in its folders."""

    def __init__(
        self,
        path: Path,
        person: str | None,
        out: Path | None,
        runs: str | None,
        also: Sequence[Path],
        *,
        dry: bool,
        on_step: OnStep,
    ) -> None:
        self._on_step = on_step
        on_step("audits", 0, 1)
        file = path / DECLARED if path.is_dir() else path
        self._case = file.parent.resolve()
        self._declared = declare(read_source(file, file.name, limit=LIMIT))
        if not isinstance(table := self._declared.tables.get("case"), CaseTable):
            # A day that cannot be read is not taken for one that was left out.
            raise InputError(self._declared.problems)
        self._keep = table.keep_until
        self._paths = [Path(each.partition(":")[0]) for each in _texts(self._declared.raw)]
        # Below the case no link is followed; a folder that the user names may be anywhere.
        self._out = (self._case, PurePosixPath("audit")) if out is None else (out.resolve(), PurePosixPath())
        self._runs = runs
        if missing := [each for each in also if not each.is_dir()]:
            raise UsageError(f"--also: expected a folder that letters or replies were written to, found {missing[0]}")
        self._also = tuple(dict.fromkeys(each.resolve() for each in also))
        self._dry = dry
        self._noted = Noted()
        self._holding: tuple[Path, ...] = ()
        self._pdfs: dict[str, Contents | InputError] = {}
        self._begun = stamp()
        self._name = table.name
        listed = tuple(outputs.listed(self._case))
        self._listed = tuple(each for each in listed if each.wrote is Wrote.AUDIT or self._is_of_this_case(each.folder))
        self._of_others = tuple(each.folder for each in listed if each not in self._listed)
        self._audits = tuple(self._read_audits())
        self._tables = tuple(self._read_tables())
        self._person = None if person is None else self._find(person)

    @property
    def _until(self) -> date | None:
        if self._keep is not None:
            return self._keep
        ended = [each.evidence.audit.finished_at for each in self._audits if each.evidence is not None]
        return kept_until(None, max(ended)) if ended else None

    @property
    def _over(self) -> bool:
        """Whether the day until which records are kept has passed."""
        return self._until is not None and self._begun.date() > self._until

    def _is_of_this_case(self, folder: Path) -> bool:
        """Whether letters elsewhere are this case's, and not those of one that it is a copy of: as noted, or as named."""
        if any(folder.is_relative_to(each) for each in (self._case, *self._also)):
            return True
        return outputs.letters_to(self._case, folder) in self._noted

    def _read_audits(self) -> Iterator[Audited]:
        """The audit that was named, that in the case, and those that it lists."""
        first = _read_audit(*self._out)
        yield first
        seen = {first.folder}
        for folder in (self._case / "audit", *(each.folder for each in self._listed if each.wrote is Wrote.AUDIT)):
            within = folder.is_relative_to(self._case)
            root, inside = (self._case, PurePosixPath(folder.relative_to(self._case))) if within else (folder, PurePosixPath())
            # A case may list anything: of what lies elsewhere this user's own note says that its audit was written there.
            if folder in seen or not files.listed(root, inside) or not (within or written_to(self._case, folder) in self._noted):
                continue
            found = _read_audit(root, inside)
            if found.evidence is None or found.evidence.case.name == self._name:  # not one that wrote over it since
                seen.add(folder)
                yield found

    def _read_tables(self) -> Iterator[tuple[Examined, bool]]:
        """The tables that the case names, each with whether it is a copy of ours as it was written."""
        data = self._declared.tables.get("data")
        if not isinstance(data, DataTable):
            return
        for name in dict.fromkeys(each for each in (data.train, data.store, data.holdout) if each):
            inside = PurePosixPath(name)
            if inside.is_absolute() or ".." in inside.parts:
                continue
            found = files.examine(self._case, inside, Kind.COPY)
            if found is not None:
                yield found, copies.is_one(inside, found.sha256, self._noted)

    def _find(self, asked: str) -> Person:
        data, log = self._declared.tables.get("data"), self._declared.tables.get("deletions")
        requests: tuple[Request, ...] = ()
        if isinstance(log, DeletionsTable) and (found := files.examine(self._case, PurePosixPath(log.log), "log")):
            requests, _ = read_log(found.path)
        rows: list[tuple[str, str | None]] = []
        if isinstance(data, DataTable):
            for table, _ in self._tables:
                try:
                    rows += copies.rows_of(table.inside.name, table.path.read_bytes(), data.id, data.person)
                except UncutError:
                    continue
        return people.find(asked, requests, rows)

    @property
    def _deep(self) -> tuple[Path, ...]:
        """Folders in which all folders are looked into."""
        return tuple(dict.fromkeys((self._case, *self._also, *(each.folder for each in self._audits))))

    @property
    def _roots(self) -> tuple[Path, ...]:
        """Every folder from which no link is followed, the innermost that a path lies in first."""
        flat = (each.folder for each in self._listed if not each.folder.is_relative_to(self._case))
        return tuple(dict.fromkeys((self._case, *self._also, *(each.root for each in self._audits), *flat)))

    def _folders(self) -> Iterator[tuple[Path, PurePosixPath]]:
        """Every folder that letters and replies may lie in, but kept runs: of one that is listed and lies elsewhere it alone."""
        seen: set[Path] = set()
        for root in (each for each in self._deep if not is_link(each)):
            base = next(each for each in self._roots if root.is_relative_to(each))
            for here, folders, _ in os.walk(root):
                at = Path(here)
                results = self._is_for_letters(at)
                folders[:] = sorted(each for each in folders if not (results and each == FOLDER) and not is_link(at / each))
                if at not in seen:
                    seen.add(at)
                    yield base, PurePosixPath(at.relative_to(base))
        yield from ((each, PurePosixPath()) for each in self._roots if each not in seen and each.is_dir() and not is_link(each))

    def _of_runs(self) -> Iterator[tuple[Path, PurePosixPath]]:
        for each in self._audits if self._runs is None else self._audits[1:]:
            yield each.root, each.inside / FOLDER
        if self._runs is not None and "://" not in self._runs:
            yield Path(self._runs).resolve(), PurePosixPath()

    def _counted(self, name: str, each_of: Sequence[_Each]) -> Iterator[_Each]:
        """Go through something, and say how far it is."""
        for number, each in enumerate(each_of):
            self._on_step(name, number, len(each_of))
            yield each
        self._on_step(name, len(each_of), len(each_of))

    def _is_for_letters(self, folder: Path) -> bool:
        """Whether letters were written to a folder, by what was named or listed."""
        return folder in {*(each.folder for each in self._audits), *(each.folder for each in self._listed)} or any(
            folder.is_relative_to(each) for each in self._also
        )

    def _is_declared(self, path: Path) -> bool:
        """Whether audit.toml names a file, or a folder that it is in."""
        if not path.is_relative_to(self._case):
            return False
        inside = path.relative_to(self._case)
        return inside == Path(DECLARED) or any(inside.is_relative_to(each) for each in self._paths if each != Path())

    def _walked(self) -> Iterator[Path]:
        """Every file of those folders but letters and kept runs; links too, which are not followed."""
        deep = self._deep
        for root, inside in self._folders():
            folder = root / inside
            lettered = self._is_for_letters(folder)
            whole = any(folder.is_relative_to(each) for each in deep)
            for name in files.listed(root, inside):
                path = folder / name
                if (path.is_dir() and not is_link(path)) or (lettered and (is_letter(name) or name == FOLDER)):
                    continue
                # Of a folder that is merely listed, what letters and replies are called: the rest is no business of the case.
                if whole or replies.form_of(name) or name.endswith(ENVELOPE) or shown_ours.PARTIAL.fullmatch(name):
                    yield path

    def _shown(self, found: Examined) -> str | None:
        """The path of something that goes, unless its name may say who it is about."""
        if found.kind in {Kind.LETTER, Kind.DRAFT, Kind.REPLY, Kind.STATEMENT}:
            return None
        name = found.inside.name
        if found.kind == Kind.PARTIAL and ("letter" in name or (is_half_a_reply(name) and not is_of_results(name))):
            return None
        return self._shown_path(found.path)

    def _shown_path(self, path: Path) -> str | None:
        shown = str(path.relative_to(self._case)) if path.is_relative_to(self._case) else path.name
        if not shown.isprintable() or (self._person is not None and self._person.in_text(shown)):
            return None
        return shown

    def _gone(self, found: Examined) -> Gone:
        return Gone(
            kind=Kind(found.kind),
            path=self._shown(found),
            bytes=found.bytes,
            sha256=found.sha256,
            other_names=found.names - 1,
        )


def _read_audit(root: Path, inside: PurePosixPath) -> Audited:
    found = files.examine(root, inside / EVIDENCE, "evidence")
    if found is None:
        return Audited(root, inside, None, None, b"")
    try:
        content = evidence_files.content_of(found.path)
        return Audited(root, inside, evidence_files.parse(content, str(found.path)), found.sha256, content)
    except InputError:
        return Audited(root, inside, None, found.sha256, b"")


def _texts(value: object) -> Iterator[str]:
    """Every text in a document, one of which may name a file."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        yield from (text for each in value.values() for text in _texts(each))
    elif isinstance(value, list):
        yield from (text for each in value for text in _texts(each))


def is_half_a_reply(name: str) -> bool:
    """Whether a process that has ended was about to write a file with the ending of a reply."""
    match = shown_ours.PARTIAL.fullmatch(name)
    return bool(match and has_ended(match) and replies.form_of(name.partition(f".{match[1]}")[0]))


def is_of_results(name: str) -> bool:
    """Whether a half-written file was to become a result or a letter."""
    stem = name.removeprefix(".").rpartition(".partial")[0]
    return stem.startswith(
        ("evidence.json.", "report.pdf.", "report.html.", "letter", "statement", "test-result", "counterexample-")
    )


def is_link(path: Path) -> bool:
    """Whether something is a symbolic link; not where it is gone."""
    try:
        return stat.S_ISLNK(path.lstat().st_mode)
    except OSError:
        return False


def is_there(path: Path) -> bool:
    """Whether anything lies there, a link that leads nowhere too."""
    return os.path.lexists(path)


def has_ended(match: re.Match[str]) -> bool:
    """Whether the process that a temporary name marks has ended."""
    return process_marks.has_ended(match[1])


def digest_of(content: bytes) -> str:
    """The SHA-256 of some bytes, in hexadecimal digits."""
    return hashlib.sha256(content).hexdigest()
