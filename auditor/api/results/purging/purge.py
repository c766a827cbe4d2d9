"""Plans a purge, carries it out, and writes its receipt: first what is to go, then what went."""

from __future__ import annotations

import base64
import binascii
import contextlib
import hashlib
import json
import os
import re
import stat
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from functools import partial
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, BinaryIO, Final, TypeVar

from auditor import __version__
from auditor.api.results import replies
from auditor.api.results.purging import copies, files, people
from auditor.api.results.purging.copies import UncutError
from auditor.api.results.purging.files import Examined
from auditor.api.results.purging.people import Person
from auditor.api.results.purging.written import written_to
from auditor.audit.describing import stamp
from auditor.base import outputs, process_marks
from auditor.base.domain import Request, RequestOutcome
from auditor.base.errors import AuditorError, InputError, StorageError, UsageError
from auditor.base.outputs import Wrote
from auditor.base.writing import FIRST_STAGE, write_all
from auditor.case.declaration import LIMIT, declare
from auditor.case.files import read_source
from auditor.case.logs import read_log
from auditor.document import evidence as evidences
from auditor.document.evidence import Evidence
from auditor.document.purge_receipt import NAME, Cut, Gone, Kind, Receipt, Stays, Why
from auditor.document.retention import kept_until
from auditor.recheck import letters, signing
from auditor.recheck.files import ENVELOPE, EVIDENCE, is_letter
from auditor.recheck.pdf import asking
from auditor.sandbox.runs import FOLDER, cleanup, place_of, shown_ours
from auditor.sandbox.runs.noted import Noted
from auditor.sandbox.runs.storage import Elsewhere
from auditor.settings.documents import CaseTable
from auditor.settings.tables import DataTable, DeletionsTable

if TYPE_CHECKING:
    from auditor.audit.planning import OnStep
    from auditor.recheck.pdf.contents import Contents

_DECLARED: Final = "audit.toml"
_RESULTS: Final = re.compile(rf"evidence\.json|report\.(?:pdf|html)|counterexample-[0-9]+\.json|.*{re.escape(ENVELOPE)}")
_MOST_LISTED: Final = 1000
"""Files of a case that a receipt names."""
_LARGEST_STATEMENT: Final = 1024 * 1024


_Each = TypeVar("_Each")


def _unseen(_name: str, _done: int, _total: int) -> None:
    """Show nothing of a step."""


@dataclass(frozen=True, slots=True)
class Purged:
    """What a purge did, or would do."""

    receipt: Receipt
    path: Path | None
    """Where the receipt lies; None of a purge that was only tried."""
    broken: tuple[str, ...] = ()
    """What could not be removed, with why."""
    holding: tuple[Path, ...] = ()
    """Files outside the case that hold the person; the receipt has their names alone, as folders may name somebody."""
    missing: tuple[Path, ...] = ()
    """Folders that the case lists, and that are not there any more; the receipt counts them, as names may name somebody."""


@dataclass(frozen=True, slots=True)
class _Audit:
    """A folder that an audit of this case wrote to."""

    root: Path
    inside: PurePosixPath
    evidence: Evidence | None
    sha256: str | None
    content: bytes

    @property
    def folder(self) -> Path:
        """Where it is."""
        return self.root / self.inside


@dataclass(slots=True)
class _Plan:
    """What is to be done."""

    remove: list[Examined] = field(default_factory=list)
    cut: list[tuple[Examined, bytes, int]] = field(default_factory=list)
    """Copies, each as it is to be, and how many rows go."""
    stays: list[Stays] = field(default_factory=list)
    waiting: list[Path] = field(default_factory=list)
    kept: set[Path] = field(default_factory=set)
    """Letters and replies that stay, and are counted already."""


def purge(
    path: Path,
    *,
    person: str | None = None,
    out: Path | None = None,
    runs: str | None = None,
    also: Sequence[Path] = (),
    dry: bool = False,
    on_step: OnStep = _unseen,
) -> Purged:
    """Remove what an audit no longer needs, and write a receipt next to the case.

    Args:
        path: The case folder, or its audit.toml.
        person: Whose traces are to go; None for what nobody needs any more.
        out: Where the audit wrote, if not to `CASE/audit`.
        runs: Where its runs were kept, if not in `DIR/.runs`: a folder, or an address that fsspec reaches.
        also: Folders elsewhere that letters and replies were written to.
        dry: Whether to change nothing.
        on_step: Takes what is done, and how much of it.

    Raises:
        InputError: If the case cannot be read as far as this needs it.
        UsageError: If nobody is called what was asked for.
        StorageError: If the receipt cannot be written; what was removed until then is in the one that was begun.
    """
    return _Purge(path, person, out, runs, also, dry=dry, on_step=on_step).run()


class _Purge:
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
        file = path / _DECLARED if path.is_dir() else path
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
        self._listed = tuple(outputs.listed(self._case))
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

    def run(self) -> Purged:
        plan = _Plan()
        self._plan_runs(plan)
        self._plan_letters(plan)
        self._plan_replies(plan)
        self._plan_copies(plan)
        places = {root / inside: (root, inside) for root, inside in (*self._folders(), *self._of_runs())}
        for root, inside in places.values():
            plan.waiting += files.left_waiting(root, inside, self._noted)
        plan.stays += self._others(plan)
        missing = tuple(dict.fromkeys(each.folder for each in self._listed if not each.folder.is_dir()))
        if missing:
            plan.stays.append(Stays(what="folders that were written to", why=Why.GONE, files=len(missing)))
        wanted = tuple(self._gone(each) for each in plan.remove)
        cut = tuple(
            Cut(path=str(each.inside), rows=rows, sha256_before=each.sha256, sha256_after=_sha256(content))
            for each, content, rows in plan.cut
        )
        receipt = Receipt(
            auditor_version=__version__,
            begun_at=self._begun,
            evidence_sha256=self._audits[0].sha256,
            other_evidence_sha256=tuple(each.sha256 for each in self._audits[1:] if each.sha256 is not None),
            keep_until=self._until,
            keep_until_declared=self._keep is not None,
            one_person=self._person is not None,
            removed=wanted,
            cut=cut,
            stays=tuple(plan.stays),
        )
        if self._dry:
            would = receipt.model_copy(update={"removed": (*wanted, *self._elsewhere(keep=True))})
            return Purged(would, None, holding=self._holding, missing=missing)
        return self._done(plan, receipt, missing)

    def _done(self, plan: _Plan, receipt: Receipt, missing: tuple[Path, ...]) -> Purged:
        # Next to the case: in the folder of a signed audit no statement would cover it.
        path = _free(self._case / f"purge-{self._begun:%Y%m%dT%H%M%SZ}.json")
        write_all({path: receipt.to_bytes()})  # before anything goes: what a killed purge was about to do is known
        broken: list[str] = []
        waited = 0
        try:
            waited = files.finish(plan.waiting)
        except OSError as error:
            broken.append(f"{error.filename or 'what an earlier purge left'}: {error.strerror or error}")
        for each, content, _ in plan.cut:
            now = files.examine(each.root, each.inside, each.kind)
            if now is None or now.identity != each.identity:
                broken.append(f"{each.path}: it was changed meanwhile")
                continue
            write_all({each.path: content})
            copies.remember(self._case, [each.path])
        done, failed = files.remove(plan.remove)
        broken += [f"{each.path}: {why}" for each, why in failed]
        self._remove_empty()
        removed = [self._gone(each) for each in done]
        if plan.waiting:
            removed.append(Gone(kind=Kind.WAITING, bytes=waited))
        try:
            removed += self._elsewhere(keep=False)
        except OSError as error:
            broken.append(f"{self._runs}: {error.strerror or error}")
        try:
            # What killed audits left among temporary files; of this case or of another nothing says.
            for one in cleanup.remove_scratch():
                removed.append(Gone(kind=Kind.SCRATCH, bytes=one.bytes))
        except StorageError as error:
            broken.append(str(error))
        stays = (*receipt.stays, *(Stays(what=self._shown(each) or each.kind, why=Why.FAILED) for each, _ in failed))
        receipt = receipt.model_copy(update={"finished_at": stamp(), "removed": tuple(removed), "stays": stays})
        write_all({path: receipt.to_bytes()})
        return Purged(receipt, path, tuple(broken), self._holding, missing)

    def _read_audits(self) -> Iterator[_Audit]:
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

    # Runs: sealed under addresses that say nothing of the records, so that one person's cannot be told from another's.
    def _of_runs(self) -> Iterator[tuple[Path, PurePosixPath]]:
        for each in self._audits if self._runs is None else self._audits[1:]:
            yield each.root, each.inside / FOLDER
        if self._runs is not None and "://" not in self._runs:
            yield Path(self._runs).resolve(), PurePosixPath()

    def _plan_runs(self, plan: _Plan) -> None:
        for root, inside in self._of_runs():
            self._plan_runs_in(plan, root, inside)

    def _plan_runs_in(self, plan: _Plan, root: Path, inside: PurePosixPath) -> None:
        if _is_link(root / inside):
            plan.stays.append(Stays(what=FOLDER, why=Why.LINK))
            return
        test = shown_ours.test_of(root / inside)
        names = files.listed(root, inside)
        shown = foreign = 0
        for name in (each for each in names if shown_ours.NAMED.fullmatch(each)):
            kind = Kind.CHECKPOINT if shown_ours.is_checkpoint(name) else Kind.RUN
            found = files.examine(root, inside / name, kind, test(name))
            if found is None:
                foreign += 1
            else:
                shown += 1
                plan.remove.append(found)
        for name in names:
            match = shown_ours.PARTIAL.fullmatch(name)
            if match and _ended(match) and (found := files.examine(root, inside / name, Kind.PARTIAL, shown_ours.begins_ours)):
                plan.remove.append(found)
        if foreign:
            plan.stays.append(Stays(what=FOLDER, why=Why.NOT_SHOWN, files=foreign))
        elif shown and (salt := files.examine(root, inside / shown_ours.SALT, Kind.SALT)):
            plan.remove.append(salt)  # nothing that it sealed is left

    def _elsewhere(self, *, keep: bool) -> list[Gone]:
        if self._runs is None or not isinstance(place := place_of(self._runs), Elsewhere):
            return []
        found = shown_ours.remove_elsewhere(place, keep=keep)
        return [
            Gone(kind=Kind.CHECKPOINT if shown_ours.is_checkpoint(name) else Kind.RUN, path=name, bytes=size)
            for name, size in found
        ]

    def _remove_empty(self) -> None:
        for root, inside in self._of_runs():
            if inside.name == FOLDER and not _is_link(root / inside) and not files.listed(root, inside):
                with contextlib.suppress(OSError):
                    (root / inside).rmdir()

    # Letters repeat evidence: what carries exactly that of the evidence here can be written again.
    def _plan_letters(self, plan: _Plan) -> None:
        stay = 0
        unknown: dict[bool | None, int] = {}
        lying = [(*each, name) for each in self._folders() for name in files.listed(*each)]
        for root, inside, name in self._counted("letters", lying):
            match = shown_ours.PARTIAL.fullmatch(name)
            if match and _ended(match) and _of_results(name) and (left := files.examine(root, inside / name, Kind.PARTIAL)):
                plan.remove.append(left)
            if not is_letter(name):
                continue
            read: list[letters.Letter] = []
            found = files.examine(root, inside / name, Kind.LETTER, partial(self._is_letter, read=read))
            if found is None:
                if self._is_for_letters(root / inside):
                    path = root / inside / name
                    held = None if self._person is None or _is_link(path) else self._carries(path, self._person) or None
                    unknown[held] = unknown.get(held, 0) + 1
                continue  # elsewhere it is searched with all other files
            about = read[0].extract
            theirs = self._is_theirs(about.request.request_id, about.request.subject)
            if theirs or (self._person is None and (about.draft or self._over)):
                plan.remove.append(_of_kind(found, Kind.DRAFT if about.draft else Kind.LETTER))
                plan.remove += self._statement(root, inside / signing.letter_envelope(name), found.sha256)
            else:
                stay += 1
                plan.kept.add(found.path)
        if stay:
            plan.stays.append(Stays(what="letters", why=Why.KEPT_UNTIL if self._person is None else Why.OF_OTHERS, files=stay))
        plan.stays += [
            Stays(what="letters", why=Why.NOT_SHOWN, holds_person=held, files=count) for held, count in unknown.items()
        ]

    def _is_theirs(self, request: str, subject: str | None) -> bool:
        """Whether a request is the person's who was asked for."""
        if self._person is None or request not in self._person.requests:
            return False
        return subject is None or subject in {*self._person.names, *self._person.records}

    # A reply is called and lies as its user says: what holds exactly what is drafted from the evidence here can be drafted again.
    def _plan_replies(self, plan: _Plan) -> None:
        stay = 0
        going = {each.path for each in plan.remove}
        for path in self._counted("replies", list(self._walked())):
            if path in going or path in plan.kept:
                continue
            root = next(each for each in self._roots if path.is_relative_to(each))
            inside = PurePosixPath(path.relative_to(root))
            if _is_half_a_reply(path.name):
                if left := files.examine(root, inside, Kind.PARTIAL):
                    plan.remove.append(left)
                continue
            form = replies.form_of(path.name)
            if form is None:
                continue
            read: list[RequestOutcome] = []
            found = files.examine(root, inside, Kind.REPLY, partial(self._is_reply, form=form, read=read))
            if found is None:
                continue  # it is searched with all other files
            if self._is_theirs(read[0].request_id, read[0].subject) or (self._person is None and self._over):
                plan.remove.append(found)
            else:
                stay += 1
                plan.kept.add(path)
        if stay:
            plan.stays.append(Stays(what="replies", why=Why.KEPT_UNTIL if self._person is None else Why.OF_OTHERS, files=stay))

    def _is_reply(self, file: BinaryIO, form: replies.Form, read: list[RequestOutcome]) -> bool:
        content = file.read(replies.LARGEST + 1)
        found = (replies.whose(content, form, each.evidence) for each in self._audits if each.evidence is not None)
        read += [each for each in found if each is not None][:1]
        return bool(read)

    def _is_letter(self, file: BinaryIO, read: list[letters.Letter]) -> bool:
        content = file.read(evidences.MAX_BYTES)
        try:
            contents = self._taken_apart(content)
            carried = dict(contents.attachments).get(letters.LETTER)
            if carried is None or contents.revisions != 1 or not contents.ends:
                return False
            letter = letters.read_letter(carried, letters.LETTER)
        except InputError:
            return False
        for each in self._audits:
            if each.evidence is None or letter.evidence_sha256 != each.sha256:
                continue
            if not any(letters.against_evidence(letter, each.evidence, each.content)):
                read.append(letter)
                return True
        return False

    def _taken_apart(self, content: bytes) -> Contents:
        """What a PDF carries: each is read in a process of its own, and so once alone.

        Raises:
            InputError: If it cannot be read.
        """
        sha256 = _sha256(content)
        if sha256 not in self._pdfs:
            try:
                self._pdfs[sha256] = asking.read(content, "PDF")
            except InputError as error:
                self._pdfs[sha256] = error
        found = self._pdfs[sha256]
        if isinstance(found, InputError):
            raise found
        return found

    def _carries(self, path: Path, person: Person) -> bool:
        """Whether a file that a PDF carries names a person, as a report carries its evidence; its pages are not searched."""
        try:
            return any(person.in_bytes(content) for _, content in self._taken_apart(path.read_bytes()).attachments)
        except (AuditorError, OSError):
            return False

    @staticmethod
    def _statement(root: Path, inside: PurePosixPath, sha256: str) -> list[Examined]:
        def signs(file: BinaryIO) -> bool:
            try:
                payload = base64.b64decode(json.loads(file.read(_LARGEST_STATEMENT))["payload"])
            except (ValueError, LookupError, TypeError, binascii.Error, RecursionError):
                return False
            return sha256.encode() in payload

        found = files.examine(root, inside, Kind.STATEMENT, signs)
        return [] if found is None else [found]

    # Copies of tables that the auditor made.
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

    def _plan_copies(self, plan: _Plan) -> None:
        data = self._declared.tables.get("data")
        if not isinstance(data, DataTable):
            return
        for found, ours in self._tables:
            if not ours:
                continue
            if self._person is None:
                if self._over:
                    plan.remove.append(found)
                continue
            try:
                content, rows = copies.without(
                    found.inside.name, found.path.read_bytes(), self._person.has_row, data.id, data.person
                )
            except UncutError:
                continue  # it is searched with all other files
            if rows:
                plan.cut.append((found, content, rows))

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

    # Everything else.
    def _others(self, plan: _Plan) -> Iterator[Stays]:
        going = {each.path for each in plan.remove}
        cut = {each.path for each, _, _ in plan.cut}
        ours = {found.path for found, is_ours in self._tables if is_ours}
        named = 0
        unnamed: dict[tuple[Why, bool | None], int] = {}
        for path in self._counted("files", list(self._walked())):
            if path in going or path in cut or path in plan.kept:
                continue
            why = self._why(path, ours)
            holds = None
            if self._person is not None:
                holds = None if why is Why.LINK else people.holds(path, self._person)
                if holds is None and why is not Why.LINK and path.suffix.lower() == ".pdf":
                    holds = self._carries(path, self._person) or None
                name = path.relative_to(self._case) if path.is_relative_to(self._case) else Path(path.name)
                if holds is False and not self._person.in_text(str(name)):
                    continue
                if holds and not path.is_relative_to(self._case):
                    self._holding += (path,)
                if holds is None and why is Why.YOURS:
                    why = Why.UNSEARCHED
            # What a user calls other files may name anybody: they are named where they hold the person who was asked for.
            tell = self._person is not None or why in {Why.RESULT, Why.RECEIPT, Why.NEEDED} or self._is_declared(path)
            shown = self._shown_path(path) if tell else None
            if shown is None or named == _MOST_LISTED:
                unnamed[why, holds] = unnamed.get((why, holds), 0) + 1
                continue
            named += 1
            yield Stays(what=shown, why=why, holds_person=holds)
        yield from (
            Stays(what="other files", why=why, holds_person=holds, files=count) for (why, holds), count in unnamed.items()
        )
        yield Stays(what="the key of pseudonyms of this user (pseudonym.key)", why=Why.SHARED)
        yield Stays(what="the history of audits of this user, which names cases and no people", why=Why.SHARED)

    def _is_declared(self, path: Path) -> bool:
        """Whether audit.toml names a file, or a folder that it is in."""
        if not path.is_relative_to(self._case):
            return False
        inside = path.relative_to(self._case)
        return inside == Path(_DECLARED) or any(inside.is_relative_to(each) for each in self._paths if each != Path())

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
        for root in (each for each in self._deep if not _is_link(each)):
            base = next(each for each in self._roots if root.is_relative_to(each))
            for here, folders, _ in os.walk(root):
                at = Path(here)
                results = self._is_for_letters(at)
                folders[:] = sorted(each for each in folders if not (results and each == FOLDER) and not _is_link(at / each))
                if at not in seen:
                    seen.add(at)
                    yield base, PurePosixPath(at.relative_to(base))
        yield from ((each, PurePosixPath()) for each in self._roots if each not in seen and each.is_dir() and not _is_link(each))

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

    def _walked(self) -> Iterator[Path]:
        """Every file of those folders but letters and kept runs; links too, which are not followed."""
        deep = self._deep
        for root, inside in self._folders():
            folder = root / inside
            lettered = self._is_for_letters(folder)
            whole = any(folder.is_relative_to(each) for each in deep)
            for name in files.listed(root, inside):
                path = folder / name
                if (path.is_dir() and not _is_link(path)) or (lettered and (is_letter(name) or name == FOLDER)):
                    continue
                # Of a folder that is merely listed, what letters and replies are called: the rest is no business of the case.
                if whole or replies.form_of(name) or name.endswith(ENVELOPE) or shown_ours.PARTIAL.fullmatch(name):
                    yield path

    def _why(self, path: Path, ours: set[Path]) -> Why:
        if _is_link(path):
            return Why.LINK
        if path in ours:
            return Why.KEPT_UNTIL
        if path.parent == self._case and NAME.fullmatch(path.name):
            return Why.RECEIPT
        if path == self._case / outputs.FILE:
            return Why.NEEDED
        within = any(path.parent in {each.folder, each.folder / FIRST_STAGE} for each in self._audits)
        return Why.RESULT if within and _RESULTS.fullmatch(path.name) else Why.YOURS

    def _gone(self, found: Examined) -> Gone:
        return Gone(
            kind=Kind(found.kind),
            path=self._shown(found),
            bytes=found.bytes,
            sha256=found.sha256,
            other_names=found.names - 1,
        )

    def _shown(self, found: Examined) -> str | None:
        """The path of something that goes, unless its name may say who it is about."""
        if found.kind in {Kind.LETTER, Kind.DRAFT, Kind.REPLY, Kind.STATEMENT}:
            return None
        name = found.inside.name
        if found.kind == Kind.PARTIAL and ("letter" in name or (_is_half_a_reply(name) and not _of_results(name))):
            return None
        return self._shown_path(found.path)

    def _shown_path(self, path: Path) -> str | None:
        shown = str(path.relative_to(self._case)) if path.is_relative_to(self._case) else path.name
        if not shown.isprintable() or (self._person is not None and self._person.in_text(shown)):
            return None
        return shown


def _read_audit(root: Path, inside: PurePosixPath) -> _Audit:
    found = files.examine(root, inside / EVIDENCE, "evidence")
    if found is None:
        return _Audit(root, inside, None, None, b"")
    try:
        return _Audit(root, inside, evidences.read(found.path), found.sha256, found.path.read_bytes())
    except InputError:
        return _Audit(root, inside, None, found.sha256, b"")


def _texts(value: object) -> Iterator[str]:
    """Every text in a document, one of which may name a file."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        yield from (text for each in value.values() for text in _texts(each))
    elif isinstance(value, list):
        yield from (text for each in value for text in _texts(each))


def _sha256(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def _free(path: Path) -> Path:
    """A path at which nothing lies: of two purges in one second, both receipts stay."""
    number = 1
    while os.path.lexists(path):
        number += 1
        path = path.with_name(f"{path.stem.partition('Z')[0]}Z-{number}.json")
    return path


def _is_link(path: Path) -> bool:
    try:
        return stat.S_ISLNK(path.lstat().st_mode)
    except OSError:
        return False


def _ended(match: re.Match[str]) -> bool:
    return process_marks.has_ended(match[1])


def _of_kind(found: Examined, kind: Kind) -> Examined:
    return Examined(found.root, found.inside, kind, found.bytes, found.sha256, found.identity, found.names)


def _is_half_a_reply(name: str) -> bool:
    """Whether a process that has ended was about to write a file with the ending of a reply."""
    match = shown_ours.PARTIAL.fullmatch(name)
    return bool(match and _ended(match) and replies.form_of(name.partition(f".{match[1]}")[0]))


def _of_results(name: str) -> bool:
    """Whether a half-written file was to become a result or a letter."""
    stem = name.removeprefix(".").rpartition(".partial")[0]
    return stem.startswith(
        ("evidence.json.", "report.pdf.", "report.html.", "letter", "statement", "test-result", "counterexample-")
    )
