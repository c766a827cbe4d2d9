"""Lay out a reply in words: paragraphs of what is declared and what the audit found, and a blank for whatever is neither.

Pure: a `Reply` in, paragraphs out. Dates and undertakings are the log's.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import date
from typing import Final, Literal, TypeAlias

from auditor.base.domain import KeptData, Recipient, Regime, StorageState
from auditor.pages import letter_page, wording
from auditor.pages.replies import Reply
from auditor.pages.words.lineage import sentence
from auditor.pages.words.texts import text
from auditor.verdict import examination

LONGEST: Final = 1000
"""Characters of one declared text."""

_POINTS: Final = re.compile(r"17\s*\(1\)\s*\(?([a-f])\b")
"""Points of Article 17(1) in a text."""

Kind: TypeAlias = Literal["note", "line", "address", "title", "heading", "text", "item"]


@dataclass(frozen=True, slots=True)
class Run:
    """A piece of a paragraph."""

    text: str
    blank: bool = False
    """Whether somebody has to fill it in; both ways of writing mark it."""


@dataclass(frozen=True, slots=True)
class Paragraph:
    """A paragraph of the reply."""

    kind: Kind
    runs: tuple[Run, ...]

    @property
    def text(self) -> str:
        """Its words in one line."""
        return " ".join(each.text for each in self.runs)


def paragraphs(reply: Reply) -> tuple[Paragraph, ...]:
    """Say everything that a reply holds, from its sender to its enclosure."""
    return tuple(_Saying(reply).everything())


def blanks(said: Iterable[Paragraph]) -> int:
    """How many blanks are to be filled."""
    return sum(run.blank for each in said for run in each.runs)


def title(request: str) -> str:
    """What the file is called in its own properties, by the id of the request."""
    return text("reply-document", request=wording.short(request, 60))


class _Saying:
    """One reply, with the law that it is under and the words for whose data it is about."""

    def __init__(self, reply: Reply) -> None:
        """Settle what messages are given."""
        self.reply, self.letter, self.request = reply, reply.letter, reply.letter.request
        self.whose = letter_page.whose(reply.letter)
        self.outcome = letter_page.outcome(reply.letter)
        self.page = letter_page.page(reply.letter)
        self.regime = reply.letter.request.regime
        self.law = "" if self.regime is Regime.CCPA else text(f"letter-law-{self.regime.value}")

    def everything(self) -> Iterator[Paragraph]:
        """Every paragraph in its order."""
        yield _paragraph("note", text("reply-note"))
        yield from self.head()
        yield _paragraph("text", *self.decision())
        if timing := tuple(self.timing()):
            yield _paragraph("text", *timing)
        for name, section in (
            ("reason", self.refusal),
            ("ground", self.ground),
            ("erased", self.erased),
            ("kept", self.kept),
            ("received", self.recipients),
            ("places", self.places),
            ("identity", self.identity),
            ("next", self.following),
        ):
            if inside := tuple(section()):
                yield _paragraph("heading", text(f"reply-title-{name}"))
                yield from inside
        yield from self.rights()
        yield from self.end()

    def head(self) -> Iterator[Paragraph]:
        """Who writes to whom, when and about what."""
        sender = self.letter.sender
        yield _paragraph("line", _given(sender.controller, "letter-blank-controller"))
        yield _paragraph("text", _given(sender.contact, "letter-blank-contact"))
        yield _paragraph("text", _blank("reply-blank-addressee"))
        answered = self.request.answered_on
        # A draft that says what an audit found was not sent before the audit.
        open_ = answered is None or letter_page.answered_before(self.letter)
        dated = _blank("reply-blank-date") if open_ else wording.day(answered)
        yield _paragraph("line", f"{text('reply-date')}:", dated)
        yield _paragraph("text", f"{text('letter-reference')}:", wording.short(self.request.request_id, 120))
        yield _paragraph("title", text("reply-title", on=wording.day(self.request.received_on)))
        yield _paragraph("text", text("reply-dear"), _blank("reply-blank-name"))

    def decision(self) -> Iterator[str | Run]:
        """What became of it, in a sentence or two."""
        yield text(f"reply-decision-{self.outcome}", **self.whose)
        if self.outcome in {"contradicted", "not-located", "unknown"}:
            yield _blank("reply-blank-done")
        if self.request.status in {"no-match", "not-located"} and self.request.search != "found":
            yield text("letter-further")

    def timing(self) -> Iterator[str]:
        """What moved the date of the answer, and whether it is late."""
        yield from letter_page.moved(self.letter)
        if letter_page.answered_before(self.letter):
            yield from letter_page.earlier_answer(self.letter)
        elif self.request.late:
            yield text("reply-late", on=wording.day(self.request.due_on))

    def refusal(self) -> Iterator[Paragraph]:
        """Why nothing was erased."""
        if self.request.status != "denied":
            return
        said = _given(self.request.exception, "reply-blank-exception", LONGEST)
        if isinstance(said, str):
            said = letter_page.exception_in_words(self.regime, self.request.exception, said)
        yield _paragraph("text", f"{text('reply-refused-reason')}:", _given(self.request.reason, "reply-blank-reason", LONGEST))
        yield _paragraph("text", f"{text('reply-refused-exception')}:", said)
        if self.request.ground is not None:
            yield _paragraph("text", f"{text('reply-refused-law')}:", wording.short(self.request.ground, LONGEST))

    def ground(self) -> Iterator[Paragraph]:
        """The ground of the request: the GDPR has six, California asks for none."""
        if self.request.status not in {"executed", "open"} and self.reply.ground is None:
            return
        if self.regime is Regime.CCPA:
            yield _paragraph("text", text("reply-ground-ccpa"))
        elif (point := self._point()) is not None:
            yield _paragraph("text", text(f"reply-ground-{point}", law=self.law))
        else:
            own = () if self.request.ground is None else (f"{_own(self.request.ground)}.",)
            yield _paragraph("text", *own, _blank("reply-blank-ground", law=self.law))

    def _point(self) -> str | None:
        """The point of Article 17(1): as declared by itself, or the only one that the legal ground names."""
        if self.reply.ground is not None:
            return self.reply.ground.value
        named = set(_POINTS.findall((self.request.ground or "").casefold()))
        return named.pop() if len(named) == 1 and self.request.status != "denied" else None

    def erased(self) -> Iterator[Paragraph]:
        """What was erased, and when, by the log."""
        request, in_use = self.request, self.letter.case.in_use_since
        if request.status != "executed":
            return
        logical = (text("letter-logical"),) if request.storage_state is StorageState.LOGICAL else ()
        stored = self._dated("reply-stored", request.erased_on)
        yield _paragraph("item", *stored, *logical)
        used: tuple[str, ...] = ()
        if in_use is not None:
            ahead = in_use > self.letter.audit.finished_at.date()
            used = (text("letter-in-use-from" if ahead else "letter-in-use", on=wording.day(in_use)),)
        yield _paragraph("item", *self._dated("reply-model", request.model_erased_on), *used)
        yield _paragraph("text", text("reply-enclosed"))

    def _dated(self, name: str, on: date | None) -> tuple[str | Run, ...]:
        if on is None:
            return (text(f"{name}-undated", **self.whose), _blank("reply-blank-day"))
        return (text(name, on=wording.day(on), **self.whose),)

    def kept(self) -> Iterator[Paragraph]:
        """What is kept, why, and until when."""
        kept = self.reply.kept
        if kept is None:
            if self.request.status == "executed":
                yield _paragraph("text", _blank("reply-blank-kept"))
            return
        if not kept:
            # What the log says of nothing being kept is not repeated where it is not so.
            still = self.request.search == "found" or self.request.storage_state is StorageState.LOGICAL
            yield _paragraph("text", _blank("reply-blank-kept-still") if still else text("reply-kept-nothing", **self.whose))
        for each in kept:
            yield _paragraph("item", *self._kept(each))

    def _kept(self, kept: KeptData) -> Iterator[str | Run]:
        yield text("reply-kept", what=_own(kept.what), why=_own(kept.why))
        if kept.exception is not None and self.law:
            yield text(f"reply-exception-{kept.exception.value}", law=self.law)
        if kept.until is None:
            yield _blank("reply-blank-until")
        else:
            yield text("reply-kept-until", on=wording.day(kept.until))
            if self._has_passed(kept.until):
                yield _blank("reply-blank-passed")

    def _has_passed(self, day: date) -> bool:
        return day < self.letter.audit.finished_at.date()

    def recipients(self) -> Iterator[Paragraph]:
        """Who had been given the data, by name."""
        if self.request.status != "executed":
            return
        recipients = self.request.recipients
        declared = [each for each in self.letter.case.outside if examination.declared((each,), examination.RECIPIENTS)]
        if recipients is None:
            said = (text("reply-recipients-outside", what=_own(each.what)) for each in declared)
            yield _paragraph("text", *said, _blank("reply-blank-recipients"))
        elif not recipients:
            yield _paragraph("text", text("reply-recipients-none"))
        for each in recipients or ():
            yield _paragraph("item", *_received(each))
        for receipt in self.request.receipts:
            given = {"name": wording.short(receipt.processor, 60), "on": wording.day(receipt.at)}
            yield _paragraph("item", text("reply-receipt", **given))
        if self.law:
            yield _paragraph("text", text("reply-recipients-article", law=self.law))

    def places(self) -> Iterator[Paragraph]:
        """Backups and other places, each with the day by which nothing is left there."""
        if self.request.status != "executed":
            return
        outside = self.letter.case.outside
        for each in outside:
            if examination.declared((each,), examination.RECIPIENTS):
                continue
            given = {"name": wording.short(each.name, 60), "what": wording.short(each.what, LONGEST)}
            if each.until is None:
                yield _paragraph("item", text("reply-place", **given), _blank("reply-blank-until"))
            elif self.request.erased_on is not None and each.until < self.request.erased_on:
                yield _paragraph("item", text("reply-place", **given), _blank("reply-blank-before"))
            else:
                yield _paragraph("item", text("reply-place-until", until=wording.day(each.until), **given))
        for one in self.request.made:
            said = text("reply-made", name=wording.short(one.name, 60), said=sentence(one.descent, one.day))
            yield _paragraph("item", said, *((_blank("reply-blank-made"),) if one.descent.open else ()))
        if not examination.declared(outside, examination.BACKUPS):
            yield _paragraph("text", _blank("reply-blank-backups"))

    def identity(self) -> Iterator[Paragraph]:
        """How the controller made sure who the person is."""
        how, on = self.reply.identity_check, self.reply.identity_checked_on
        if how is None and on is None and (self.request.status == "revoked" or self.request.waiting):
            return
        if how is None and on is None:
            yield _paragraph("text", _blank("reply-blank-identity"))
            return
        said = _blank("reply-blank-how") if how is None else f"{_own(how)}."
        lead = text("reply-identity-undated") if on is None else text("reply-identity", on=wording.day(on))
        article = (text("reply-identity-article", law=self.law),) if self.law else ()
        yield _paragraph("text", lead, said, *article)

    def following(self) -> Iterator[Paragraph]:
        """What the controller undertook; a blank where something is left to do and nobody did."""
        undertaking = self.request.undertaking
        if undertaking is not None:
            said: list[str | Run] = [letter_page.undertaken(self.letter, undertaking, _own(undertaking.what))]
            if undertaking.by is None:
                said.append(_blank("reply-blank-by"))
            elif self._has_passed(undertaking.by):
                said.append(_blank("reply-blank-passed"))
            yield _paragraph("text", *said)
        elif letter_page.unsettled(self.letter):
            yield _paragraph("text", _blank("reply-blank-next"))

    def rights(self) -> Iterator[Paragraph]:
        """Where to complain, and the courts, as the letter says it."""
        rights = self.page.rights
        yield _paragraph("heading", text("letter-rights-title"))
        yield _paragraph("text", rights.complain)
        yield _paragraph("address", _given(rights.authority, "letter-blank-authority", 300))
        if rights.further:
            yield _paragraph("text", *rights.further)
        yield _paragraph("text", rights.contact, _given(self.letter.sender.contact, "letter-blank-contact"))

    def end(self) -> Iterator[Paragraph]:
        """Who signs, and what goes with it."""
        yield _paragraph("text", text("reply-sincerely"))
        yield _paragraph("line", _given(self.reply.signatory, "reply-blank-signatory"))
        if self.letter.sender.controller is not None:
            yield _paragraph("line", wording.short(self.letter.sender.controller, 120))
        if self.letter.sender.dpo is not None:
            yield _paragraph("line", f"{text('letter-officer')}:", wording.short(self.letter.sender.dpo, 120))
        yield _paragraph("line", text("reply-enclosure", request=wording.short(self.request.request_id, 60)))


def _received(recipient: Recipient) -> Iterator[str | Run]:
    if recipient.name is None:
        if recipient.notified:
            name = text("letter-recipients-all")
        else:
            yield text("letter-recipients-untold")
    else:
        name = wording.short(recipient.name, 120)
    if recipient.notified and recipient.notified_at is not None:
        yield text("letter-recipient-told", name=name, on=wording.day(recipient.notified_at))
    elif recipient.notified:
        yield text("reply-recipient-told", name=name)
        yield _blank("reply-blank-day")
    elif recipient.name is not None:
        yield text("letter-recipient-untold", name=name)
    if recipient.name is None:
        yield _blank("reply-blank-names")


def _paragraph(kind: Kind, *runs: str | Run) -> Paragraph:
    return Paragraph(kind, tuple(each if isinstance(each, Run) else Run(each) for each in runs))


def _blank(name: str, **values: str) -> Run:
    return Run(text(name, **values), blank=True)


def _given(said: str | None, blank: str, length: int = 120) -> str | Run:
    return _blank(blank) if said is None else wording.short(said, length)


def _own(said: str) -> str:
    """A text of the controller's: it is the controller that writes, so that it stands without quotation marks."""
    return wording.short(said, LONGEST).rstrip(" .")
