"""Plans which letters and replies go.

Letters repeat evidence: what carries exactly that of the evidence here can be written again. A reply is called and lies as its
user says: what holds exactly what is drafted from the evidence here can be drafted again.
"""

from __future__ import annotations

import base64
import binascii
import json
import re
from collections.abc import Iterator
from functools import partial
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, BinaryIO, Final

from auditor.api.results import replies
from auditor.api.results.purging import files
from auditor.api.results.purging.files import Examined
from auditor.api.results.purging.kept_runs import KeptRuns
from auditor.api.results.purging.people import Person
from auditor.api.results.purging.plan import Plan
from auditor.api.results.purging.survey import digest_of, has_ended, is_half_a_reply, is_link, is_of_results, is_there
from auditor.base import papers as noted_papers
from auditor.base.deletion_log.requests import RequestOutcome
from auditor.base.errors import AuditorError, InputError
from auditor.document import evidence_files
from auditor.document.purge_receipt import Kind, Stays, Why
from auditor.pages.letters import mark
from auditor.recheck import letters, signing
from auditor.recheck.files import is_letter
from auditor.recheck.pdf import asking
from auditor.sandbox.runs import shown_ours

if TYPE_CHECKING:
    from auditor.recheck.pdf.contents import Contents


_MARKED: Final = re.compile(r"letter-(?:.*-)?([0-9a-f]{12})\.pdf")
"""What a letter is called that its user did not name; the group is the digest of its request."""
_LETTERS: Final[tuple[noted_papers.Kind, ...]] = ("letter", "draft")
_LARGEST_STATEMENT: Final = 1024 * 1024


class Papers(KeptRuns):
    """Plans which letters and replies go."""

    def _plan_letters(self, plan: Plan) -> None:
        stay = 0
        unknown: dict[bool | None, int] = {}
        lying = [(*each, name) for each in self._folders() for name in files.listed(*each)]
        for root, inside, name in self._counted("letters", lying):
            match = shown_ours.PARTIAL.fullmatch(name)
            if match and has_ended(match) and is_of_results(name) and (left := files.examine(root, inside / name, Kind.PARTIAL)):
                plan.remove.append(left)
            if not is_letter(name):
                continue
            if (noted := self._noted_letter(root, inside / name)) is not None:
                written, theirs = noted
                if theirs or (self._person is None and (written.kind == Kind.DRAFT or self._over)):
                    plan.remove.append(written)
                    plan.remove += self._statement(root, inside / signing.letter_envelope(name), written.sha256)
                else:
                    stay += 1
                    plan.kept.add(written.path)
                continue
            read: list[letters.Letter] = []
            found = files.examine(root, inside / name, Kind.LETTER, partial(self._is_letter, read=read))
            if found is None:
                if self._is_for_letters(root / inside):
                    path = root / inside / name
                    held = None if self._person is None or is_link(path) else self._carries(path, self._person) or None
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

    def _noted_letter(self, root: Path, inside: PurePosixPath) -> tuple[Examined, bool] | None:
        """Give a letter that lies as this user's auditor wrote it, from whatever evidence, and whether it is the person's."""
        match = _MARKED.fullmatch(inside.name)
        found = None if match is None else files.examine(root, inside, Kind.LETTER)
        if match is None or found is None:
            return None
        for kind in _LETTERS:
            paper = noted_papers.Paper(kind, found.path, found.sha256, self._begun.date(), match[1])
            if paper.noted() in self._noted:
                return _of_kind(found, Kind(kind)), match[1] in self._marks
        return None

    @property
    def _marks(self) -> frozenset[str]:
        """The digests under which the person's requests go."""
        return frozenset(mark(each, name) for person in self._persons for each in person.requests for name in _called(person))

    def _plan_noted(self, plan: Plan) -> None:
        """Plan what was written to where its user chose: it goes if it is as it was written, whatever the evidence is now."""
        going, stay, untrusted = {each.path for each in plan.remove}, 0, 0
        theirs = self._marks
        for paper in self._of_this_case(plan):
            if paper.noted() not in self._noted:
                untrusted += 1  # somebody else's line must not send anybody to delete a file
                continue
            due = paper.of in theirs if self._person is not None else self._over or paper.kind == "draft"
            if not due:
                stay += paper.path not in plan.kept and is_there(paper.path)
                plan.kept.add(paper.path)
                continue
            if paper.path in going:
                plan.settled.append(paper)
                continue
            within = paper.path.is_relative_to(self._case)
            root = self._case if within else paper.path.parent
            inside = PurePosixPath(paper.path.relative_to(root))
            found = files.examine(root, inside, Kind(paper.kind))
            if found is not None and found.sha256 == paper.sha256:
                plan.remove.append(found)
                if paper.kind != "reply":
                    plan.remove += self._statement(root, inside.with_name(signing.letter_envelope(inside.name)), found.sha256)
                plan.settled.append(paper)
            elif is_there(paper.path):
                plan.left.append((paper, Why.CHANGED))
                plan.kept.add(paper.path)
            else:
                plan.left.append((paper, Why.MOVED))
                plan.settled.append(paper)  # it is told once: where it went nobody knows
        if stay:
            why = Why.KEPT_UNTIL if self._person is None else Why.OF_OTHERS
            plan.stays.append(Stays(what="letters and replies where their user chose", why=why, files=stay))
        if untrusted:
            plan.stays.append(Stays(what="lines about letters and replies", why=Why.NOT_SHOWN, files=untrusted))
        plan.stays += [
            Stays(what=f"a {paper.kind} written on {paper.on.isoformat()}, SHA-256 {paper.sha256}", why=why)
            for paper, why in plan.left
        ]

    def _of_this_case(self, plan: Plan) -> Iterator[noted_papers.Paper]:
        """Leave out what this user wrote elsewhere from a case in another folder: of that one this may be a copy."""
        for paper in noted_papers.listed(self._case):
            near = any(paper.path.is_relative_to(each) for each in (self._case, *self._also))
            if near or paper.noted() not in self._noted or paper.noted_for(self._case) in self._noted:
                yield paper
            elif is_there(paper.path):
                plan.kept.add(paper.path)
                plan.of_others.append(paper.path)
        if plan.of_others:
            plan.stays.append(Stays(what="letters and replies elsewhere", why=Why.SHARED, files=len(plan.of_others)))

    @property
    def _persons(self) -> tuple[Person, ...]:
        return () if self._person is None else (self._person,)

    def _is_theirs(self, request: str, subject: str | None) -> bool:
        """Whether a request is the person's who was asked for."""
        if self._person is None or request not in self._person.requests:
            return False
        return subject is None or subject in {*self._person.names, *self._person.records}

    def _plan_replies(self, plan: Plan) -> None:
        stay = 0
        going = {each.path for each in plan.remove}
        for path in self._counted("replies", list(self._walked())):
            if path in going or path in plan.kept:
                continue
            root = next(each for each in self._roots if path.is_relative_to(each))
            inside = PurePosixPath(path.relative_to(root))
            if is_half_a_reply(path.name):
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
        content = file.read(evidence_files.MAX_BYTES)
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
        sha256 = digest_of(content)
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


def _called(person: Person) -> tuple[str | None, ...]:
    """What a line may call a person: nothing where a request is theirs alone."""
    return (None, *person.names, *person.records)


def _of_kind(found: Examined, kind: Kind) -> Examined:
    return Examined(found.root, found.inside, kind, found.bytes, found.sha256, found.identity, found.names)
