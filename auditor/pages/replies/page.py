"""Lay out a reply in words: paragraphs of what is declared and what the audit found, and a blank for whatever is neither.

Pure: a `Reply` in, paragraphs out. Dates and undertakings are the log's.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import date
from typing import Final, Literal, TypeAlias

from auditor.base.deletion_log import log_times, receipts
from auditor.base.deletion_log.deadlines import PENDING, ByDue, rule, says_nothing
from auditor.base.deletion_log.requests import Awaited, ClockPause, KeptData, Recipient, Regime
from auditor.document.conclusions import Descent
from auditor.pages import wording
from auditor.pages.letters import (
    dates,
    headline,
    identity,
    model_version,
    places,
    punctuality,
    recipients,
    refusals,
    stored_data,
    undertakings,
    waits,
)
from auditor.pages.letters.known import Known
from auditor.pages.letters.own_words import first_capital
from auditor.pages.letters.parts import Extract, MadePart
from auditor.pages.replies import Reply
from auditor.pages.words.dates import dated
from auditor.pages.words.texts import text
from auditor.verdict import examination

LONGEST: Final = 1000
"""Characters of one declared text."""
SHORTEST: Final = 60
"""Characters of a text that stands inside a sentence."""
MOST_KEPT: Final = 2
"""Things that are kept which the first paragraph names."""

_POINTS: Final = re.compile(r"17\s*\(1\)\s*\(?([a-f])\b")
"""Points of Article 17(1) in a text."""

_OF_CALIFORNIA: Final = re.compile(r"1798\.1(05|45|46)")
"""A section of the Civil Code that allows to keep data, in a text."""

_PARTLY: Final = frozenset({"found", "open-erased", "open-erased-late"})
"""Outcomes whose sentence on what became of a request says by itself that something is kept."""
_UNCERTAIN: Final = frozenset({"found", "contradicted", "marked"})
"""Outcomes of an erasure that is not said to have been carried out."""

Kind: TypeAlias = Literal["note", "line", "address", "title", "heading", "text", "item"]


@dataclass(frozen=True, slots=True)
class Run:
    """A piece of a paragraph."""

    text: str
    blank: bool = False
    """Whether somebody has to fill it in; both ways of writing mark it."""
    key: str | None = None
    """The column of the log, or the table and key of audit.toml, that fills a blank; None for one that is filled by hand."""


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


def blanks(said: Iterable[Paragraph]) -> tuple[Run, ...]:
    """Everything that is to be filled in, in the order of the reply."""
    return tuple(run for each in said for run in each.runs if run.blank)


def title(request: str) -> str:
    """What the file is called in its own properties, by the id of the request."""
    return text("reply-document", request=wording.short(request, 60))


class _Saying:
    """One reply, with the law that it is under and the words for whose data it is about."""

    def __init__(self, reply: Reply) -> None:
        """Settle what messages are given."""
        self.reply, self.letter, self.request = reply, reply.letter, reply.letter.request
        self.known = Known(reply.letter)
        self.whose, self.law = self.known.whose, self.known.law
        self.outcome = headline.outcome(self.known)[0]
        self.regime = reply.letter.request.regime

    def everything(self) -> Iterator[Paragraph]:
        """Every paragraph in its order."""
        yield _paragraph("note", text("reply-note"))
        yield from self.head()
        yield _paragraph("text", *self.decision())
        if (also := self.request.also_asked) is not None:
            yield _paragraph("text", text("reply-also-asked", said=_quoted(also)), _blank("also", after="."))
        if timing := tuple(self.timing()):
            yield _paragraph("text", *timing)
        for name, section in (
            ("needed", self.needed),
            ("reason", self.refusal),
            ("ground", self.ground),
            ("logged" if self.outcome in _UNCERTAIN or self._is_pending else "erased", self.erased),
            ("kept", self.kept),
            ("received", self.recipients),
            ("places", self.places),
            ("california", self.california),
            ("identity", self.identity),
            ("next", self.following),
        ):
            if inside := tuple(section()):
                yield _paragraph("heading", text(f"reply-title-{self._titled(name)}"))
                yield from inside
        yield from self.rights()
        yield from self.end()

    def _titled(self, section: str) -> str:
        """Name the title of a section, by what it holds."""
        if section == "places" and self.request.made:
            return "places-made"
        return "identity-unproven" if section == "identity" and self._is_refused_unproven else section

    @property
    def _is_refused_unproven(self) -> bool:
        return identity.is_unproven(self.request, self.reply.waits)

    @property
    def in_part(self) -> bool:
        """Whether the log says that some of what was asked for is kept, and the rest erased."""
        return self.is_erased and bool(self.reply.kept)

    @property
    def is_erased(self) -> bool:
        """Whether the log has the stored data erased."""
        return punctuality.is_erased(self.request)

    @property
    def _is_pending(self) -> bool:
        return self.request.status in PENDING

    @property
    def open_waits(self) -> tuple[ClockPause, ...]:
        """What the person was asked for and has not sent, while their request asks for something still."""
        return tuple(each for each in self.reply.waits if self._is_pending and each.resumed_at is None)

    def head(self) -> Iterator[Paragraph]:
        """Who writes to whom, when and about what."""
        sender = self.letter.sender
        yield _paragraph("line", _given(sender.controller, "controller", "case.controller"))
        yield _paragraph("text", _given(sender.contact, "contact", "case.contact"))
        yield _paragraph("text", _blank("addressee"))
        answered = self.request.answered_on
        # A draft that says what an audit found was not sent before the audit.
        open_ = answered is None or punctuality.answered_before(self.letter)
        yield _paragraph("line", f"{text('reply-date')}:", _blank("date") if open_ else wording.day(answered))
        yield _paragraph("text", f"{text('letter-reference')}:", wording.short(self.request.request_id, 120))
        part = self.in_part and self.outcome not in _UNCERTAIN
        yield _paragraph("title", text(f"reply-title{'-part' if part else ''}", on=wording.day(self.request.received_on)))
        yield _paragraph("text", text("reply-dear"), _blank("name", after=","))

    def decision(self) -> Iterator[str | Run]:
        """What became of it, in a sentence or two."""
        if self.request.status == "executed" and self.outcome not in _UNCERTAIN:
            yield self._erased()
            if self.known.is_overwriting_unknown:
                yield text("reply-erased-unknown")
        part = "-part" if self.in_part and self.outcome in _PARTLY else ""
        name = f"reply-decision-{self.outcome}{part}"
        if self.known.is_marked and punctuality.is_erased_while_open(self.request):
            name = "reply-decision-open-marked"
        name = self.known.of_places(name)
        given = {"it": text(f"reply-it{'-part' if self.in_part else ''}"), **self.whose}
        yield stored_data.doubted(name, self.request, **given) if self.outcome == "search-doubt" else text(name, **given)
        if identity.is_unverified(self.request):
            yield text("reply-denied-unverified")
        if self.request.status == "no-match":
            yield self._noted("searched")
        elif self.request.status == "revoked":
            yield self._noted("withdrew")
        if self.outcome in {"contradicted", "not-located", "unknown"} or self.known.is_missing:
            yield _blank("done", after=".")
        if self.request.status in {"no-match", "not-located"} and self.request.search != "found":
            yield text(refusals.further(self.request))

    def _erased(self) -> str:
        """What was erased, and in the same sentence what is kept."""
        if not self.in_part:
            return text("reply-erased", **self.whose)
        kept = [wording.short(each.what, SHORTEST).rstrip(" .") for each in self.reply.kept or ()]
        if len(kept) > MOST_KEPT:
            return text("reply-erased-part-listed", **self.whose)
        return text("reply-erased-part", kept=wording.listed(kept), **self.whose)

    def _noted(self, name: str) -> str | Run:
        """What the log says of a search that found nothing, or of a withdrawal."""
        if says_nothing(self.request.reason):
            return _blank(name, "reason", after=".")
        return text(f"reply-{name}", said=_quoted(self.request.reason))

    def timing(self) -> Iterator[str | Run]:
        """What moved the date of the answer, what may have, and whether it is late, and why."""
        yield from dates.confirmation(self.known)
        yield from self._dates()
        reason = self.request.late_reason
        if self.reply.owed is ByDue.MISSED:
            unsaid = punctuality.may_be_unanswered(self.letter)
            if unsaid:
                yield _blank("answered", "answered_at", after=".")
            why = _blank("late-perhaps" if unsaid else "late", "late_reason", after=".")
            yield why if reason is None else text("reply-late-reason", reason=_own(reason))
        elif self.reply.owed is ByDue.IN_DOUBT and reason is not None:
            yield text("letter-delay-reason", reason=_own(reason))

    def _dates(self) -> Iterator[str | Run]:
        before = punctuality.answered_before(self.letter)
        yield from dates.extension(self.known)
        yield from self.waited()
        if before and not self._is_pending:
            yield from dates.earlier_answer(self.known)
            if self.reply.owed is ByDue.IN_DOUBT:
                yield from self._doubt()
            return
        if before and self.request.answered_on is not None:
            yield text("reply-wrote", on=wording.day(self.request.answered_on))
        match self.reply.owed:
            case ByDue.MISSED:
                yield from self._late()
            case ByDue.IN_DOUBT:
                yield text("reply-doubt-due", on=wording.day(self.request.due_on))
                yield from dates.due_notes(self.known)
                yield from self._doubt()
            case ByDue.NOT_DUE if self._is_pending and not self.request.extended:
                own = self.request.law_on is not None
                yield text("letter-is-due" if own else "reply-is-due", on=wording.day(self.request.due_on))
                yield from dates.due_notes(self.known)

    def _late(self) -> Iterator[str]:
        due, latest = self.request.due_on, self.request.latest
        ended = self.letter.audit.finished_at.date()
        is_open = self._is_pending and not punctuality.is_contradicted(self.request)
        if not is_open and self.request.answered_on is not None:
            yield text("reply-late-dated", on=wording.day(due))
            yield from dates.due_notes(self.known)
            return
        counted = latest is not None and latest < ended
        # The last day that a wait may have given counts, so that nobody is said to be later than they are for certain.
        since = latest if counted and latest is not None else due
        # The person may have had an answer that nobody recorded: then only what was done late is late.
        perhaps = "-perhaps" if punctuality.may_be_unanswered(self.letter) else ""
        yield text("reply-late-open" if is_open else "letter-due", on=wording.day(since))
        if not counted:
            yield from dates.due_notes(self.known)
        if not is_open:
            yield text("reply-late-perhaps" if perhaps else "letter-late")
        if not is_open and not perhaps:
            return
        yield text(f"reply-late-by{perhaps}", ended=wording.day(ended), days=(ended - since).days)
        if counted:
            yield text("reply-late-counted")

    def waited(self) -> Iterator[str]:
        """What the person was asked for: what is still missing, what stopped the clock, and what may have."""
        request, law = self.request, rule(self.regime, self.request.received_on)
        counts = (law.stops if request.paused_days else frozenset()) | (
            law.may_stop if request.latest is not None and self.reply.owed is not ByDue.MET else frozenset()
        )
        for each in self.reply.waits:
            if each.resumed_at is not None and each.awaits not in law.stops | law.may_stop:
                given = {"on": wording.day(each.paused_at), "until": wording.day(each.resumed_at)}
                yield text(f"reply-waited-{_asked_for(each)}", **given)
                yield text("reply-waited-in-vain")
                continue
            if each not in self.open_waits and each.awaits not in counts:
                continue
            if each.resumed_at is None:
                yield text(f"reply-asked-{_asked_for(each)}", on=wording.day(each.paused_at))
            else:
                given = {"on": wording.day(each.paused_at), "until": wording.day(each.resumed_at)}
                yield text(f"reply-waited-{_asked_for(each)}", **given)
            if not says_nothing(each.reason):
                yield text("reply-asked-reason", said=_quoted(each.reason))
        if self.open_waits:
            yield text("reply-still-waiting", awaits=waits.awaited_in_all(self.open_waits))
        if request.begins_on is not None:
            over = [each for each in request.pauses if each.resumed_at is not None]
            yield text("reply-began", on=wording.day(request.begins_on), awaits=waits.awaited_in_all(over))

    def _doubt(self) -> Iterator[str | Run]:
        """When a doubt about the person counts, which people have to assess; under the CCPA it never does."""
        if self.law:
            # By Article 12A of the UK GDPR only a wait that never ended is in doubt.
            since = self.regime is Regime.UK and bool(rule(self.regime, self.request.received_on).stops)
            awaits = waits.awaited_in_all(self.request.pauses) if self.request.pauses else Awaited.IDENTITY.value
            yield text("reply-doubt-uk") if since else text("reply-doubt", awaits=awaits, law=self.law)
            yield _blank("doubt", after=".")

    def needed(self) -> Iterator[Paragraph]:
        """What the person is asked for, in the words of their law."""
        if not self.open_waits:
            return
        kinds = dict.fromkeys(map(waits.awaited, self.open_waits))
        lasting = [each for each in self.request.pauses if each.resumed_at is None and each.reason]
        for awaited in kinds:
            yield _paragraph("text", waits.needed(self.regime, awaited))
        if self.request.waiting:
            yield _paragraph("text", waits.when_it_begins(self.known, waits.awaited_in_all(lasting)))
        if self.regime is Regime.CCPA and self._is_unproven:
            over = () if self.reply.owed is not ByDue.MISSED else (_blank("unverified", after="."),)
            yield _paragraph("text", text("reply-needed-unverified"), *over)
        yield _paragraph("text", text("reply-needed-contact"), _given(self.letter.sender.contact, "contact", "case.contact"))

    def refusal(self) -> Iterator[Paragraph]:
        """Why nothing was erased."""
        if self.request.status != "denied":
            return
        reason, exception = self.request.reason, self.request.exception
        given = _blank("reason", "reason", after=".") if reason is None or says_nothing(reason) else f"{_own(reason)}."
        yield _paragraph("text", f"{text('reply-refused-reason')}:", given)
        relied: str | Run = _blank("exception", "exception", after=".")
        if exception is not None and not says_nothing(exception):
            relied = f"{refusals.exception_in_words(self.regime, exception, _own(exception)).rstrip('.')}."
        by_rule = identity.rests_on_a_rule(self.request)
        rests = "unverified" if by_rule else "exception"
        yield _paragraph("text", f"{text(f'reply-refused-{rests}')}:", relied)
        if self.law and not (by_rule or says_nothing(exception)):
            # An exception of Article 17(3) goes no further than what it is needed for.
            yield _paragraph("text", _blank("beyond-exception", after="."))
        if self.request.ground is not None:
            yield _paragraph("text", f"{text('reply-refused-law')}:", f"{first_capital(_own(self.request.ground))}.")

    def ground(self) -> Iterator[Paragraph]:
        """The ground of the request: the GDPR has six, California asks for none."""
        asked = self.request.status == "executed" or (self.request.status == "open" and not self.open_waits)
        if not asked and self.reply.ground is None:
            return
        if self.regime is Regime.CCPA:
            yield _paragraph("text", text("reply-ground-ccpa"))
        elif (point := self._point()) is not None:
            part = (text("reply-ground-part"),) if self.in_part else ()
            yield _paragraph("text", text(f"reply-ground-{point}", law=self.law), *part)
        else:
            own = () if self.request.ground is None else (f"{first_capital(_own(self.request.ground))}.",)
            yield _paragraph("text", *own, _blank("ground", "erasure_ground", after=".", law=self.law))

    def _point(self) -> str | None:
        """The point of Article 17(1): as declared by itself, or the only one that the legal ground names."""
        if self.reply.ground is not None:
            return self.reply.ground.value
        named = set(_POINTS.findall((self.request.ground or "").casefold()))
        return named.pop() if len(named) == 1 and self.request.status != "denied" else None

    def erased(self) -> Iterator[Paragraph]:
        """What was erased, and when, by the log."""
        request = self.request
        while_open = punctuality.is_erased_while_open(request)
        if request.status != "executed" and not while_open:
            return
        stored = self._dated("reply-stored", request.erased_on, "data_erased_at")
        yield _paragraph("item", *stored, *dates.lateness(self.known, request.erased_on))
        # Where places alone were searched no model is declared: no day of its update is missing.
        if request.model_erased_on is not None and model_version.denies_a_model(self.letter):
            yield _paragraph("item", _blank("model", on=wording.day(request.model_erased_on), after="."))
        elif request.model_erased_on is None and while_open:
            if not self.letter.case.places_alone:
                yield _paragraph("item", text("reply-model-open", **self.whose))
        elif request.model_erased_on is not None or not self.letter.case.places_alone:
            updated = self._dated("reply-model", request.model_erased_on, "model_erased_at")
            late = dates.lateness(self.known, request.model_erased_on)
            unseen = (text("reply-model-unseen"),) if self.letter.case.places_alone else ()
            yield _paragraph("item", *updated, *late, *self._used(), *unseen)
        noticed = (text("reply-open-noticed"),) if while_open and request.unrecorded else ()
        yield _paragraph("text", text("reply-open-unsearched" if while_open else "reply-enclosed"), *noticed)

    def _used(self) -> Iterator[str | Run]:
        """Since when the version is in use; of a day that cannot be, a blank."""
        if self.letter.case.in_use_too_early:
            yield _blank("in-use", "case.in_use_since", after=".")
        elif said := model_version.in_use(self.letter):
            yield said

    def _dated(self, name: str, on: date | None, key: str) -> tuple[str | Run, ...]:
        if on is None:
            return (text(f"{name}-undated"), _blank("day", key, after="."))
        kind = ""
        if name == "reply-stored":
            if self.known.is_overwriting_unknown:
                return (text("reply-stored-unknown", on=wording.day(on)),)
            kind = "-marked" if self.known.is_marked else "-part" if self.in_part else ""
        return (text(f"{name}{kind}", on=wording.day(on)),)

    def kept(self) -> Iterator[Paragraph]:
        """What is kept, why, and until when."""
        kept = self.reply.kept
        if kept is None:
            if self.is_erased:
                yield _paragraph("text", _blank("kept", "kept", after="."))
            return
        if not kept and (self.is_erased or self.request.status == "no-match"):
            # What the log says of nothing being kept is not repeated where it is not so; of what was not erased it is not so.
            if self.request.search == "found":
                nothing: str | Run = _blank("kept-still", "kept", after=".")
            elif self.known.is_marked:
                nothing = _blank("kept-marked", "kept", after=".")
            elif self.known.is_overwriting_unknown:
                nothing = _blank("kept-unknown", "kept", after=".")
            else:
                nothing = text(f"reply-kept-nothing{'-places' if self._may_lie_elsewhere else ''}", **self.whose)
            yield _paragraph("text", nothing)
        for each in kept:
            yield _paragraph("item", *self._kept(each))

    @property
    def _may_lie_elsewhere(self) -> bool:
        """Whether backups, other places or what was made from the model may still hold some of the data, as far as is known."""
        if not self.is_erased:
            return False
        outside = [each for each in self.letter.case.outside if not examination.declared((each,), examination.RECIPIENTS)]
        gone = all(
            each.until is not None and self._has_passed(each.until) and places.gone(self.letter, each) == "until"
            for each in outside
        )
        backups = examination.declared(tuple(outside), examination.BACKUPS)
        return not gone or not backups or any(each.descent.open for each in self.request.made)

    def _kept(self, kept: KeptData) -> Iterator[str | Run]:
        yield text("reply-kept", what=_own(kept.what), why=_own(kept.why))
        if kept.exception is not None and self.law:
            yield text(f"reply-exception-{kept.exception.value}", law=self.law)
        elif says_nothing(self.request.exception) and self.law:
            yield text("reply-kept-under")
            yield _blank("point", "kept.exception", after=".", law=self.law)
        elif says_nothing(self.request.exception) and not _OF_CALIFORNIA.search(kept.why):
            yield text("reply-kept-under")
            yield _blank("point-ccpa", after=".")
        if kept.until is None:
            yield text("reply-kept-until-open")
            yield _blank("day", "kept.until", after=".")
        elif self._has_passed(kept.until):
            yield text("reply-kept-until-open")
            yield _blank("kept-passed", "kept.until", after=".", on=wording.day(kept.until))
        else:
            yield text("reply-kept-until", on=wording.day(kept.until))

    def _has_passed(self, day: date) -> bool:
        return day < self.letter.audit.finished_at.date()

    def california(self) -> Iterator[Paragraph]:
        """What an answer under the regulations of California has to tell the person, of which the log declares nothing.

        11 CCR 7022(e) and 7101(a): that the request is kept on record; 7022(f) and (g), where anything is refused: what becomes
        of the rest, and of what is kept, and whether data are sold or shared.
        """
        if self.regime is not Regime.CCPA or self._is_pending:
            return
        yield _paragraph("text", text("reply-california-record"))
        if self.request.status == "denied" or (self.request.status == "executed" and self.reply.kept):
            # Whoever could not be verified is refused as a whole: no exception sets a part of the data apart.
            if not identity.is_unverified(self.request):
                yield _paragraph("text", text("reply-california-refused"), _blank("refused-rest", after="."))
            yield _paragraph("text", _blank("opt-out", after="."))

    def recipients(self) -> Iterator[Paragraph]:
        """Who had been given the data, by name."""
        if not self.is_erased:
            return
        received = self.request.recipients
        declared = recipients.recipients_outside(self.letter)
        if received is None:
            said = (text("reply-recipients-outside", what=_quoted(each.what)) for each in declared)
            yield _paragraph("text", *said, _blank("recipients", "recipients_notified", after="."))
        elif not received:
            named = [_quoted(each.what) for each in declared]
            named += [wording.short(each.processor, SHORTEST) for each in self.request.receipts]
            against = _blank("recipients-against", "recipients_notified", after=".", named="; ".join(dict.fromkeys(named)))
            yield _paragraph("text", against if named else text("reply-recipients-none"))
        elif declared:
            others = _blank("recipients-others", after=".")
            said = (text("reply-recipients-outside", what=_quoted(each.what)) for each in declared)
            yield _paragraph("text", *said, *((others,) if recipients.may_be_others(self.letter) else ()))
        for each in received or ():
            yield _paragraph("item", *_received(self.letter, each))
        for receipt in self.request.receipts:
            given = {"name": wording.short(receipt.processor, 60), "on": wording.day(receipt.at)}
            yield _paragraph("item", text("reply-receipt", **given))
        if self.law:
            yield _paragraph("text", text("letter-recipients-ask-article", law=self.law))

    def places(self) -> Iterator[Paragraph]:
        """Backups and other places, each with the day by which nothing is left there."""
        if not self.is_erased:
            return
        outside = self.letter.case.outside
        for each in outside:
            if examination.declared((each,), examination.RECIPIENTS):
                continue
            given = {"name": first_capital(wording.short(each.name, 60)), "what": _own(each.what)}
            state = places.gone(self.letter, each)
            if each.until is None:
                yield _paragraph("item", text("reply-place-open", **given), _blank("day", "outside.until", after="."))
            elif state == "until":
                yield _paragraph("item", text("reply-place-until", until=wording.day(each.until), **given))
            else:
                yield _paragraph("item", text("reply-place-open", **given), _blank(state, "outside.until", after="."))
        for one in self.request.made:
            yield _paragraph("item", *self._made(one))
        if not examination.declared(outside, examination.BACKUPS):
            yield _paragraph("text", _blank("backups", "outside.until", after="."))

    def _made(self, one: MadePart) -> Iterator[str | Run]:
        """What was made from the model; of what may still hold erased data, what is planned."""
        name = wording.short(one.name, SHORTEST)
        day = one.made_on or one.day
        undated = "-undated" if one.descent is Descent.PLANNED and day is None else ""
        yield text(f"reply-made-{one.descent.value}{undated}", name=name, **({} if day is None else {"day": dated(day)}))
        if not one.descent.open:
            return
        if one.plan is None:
            yield _blank("made", "lineage.remade_at", after=".")
        else:
            yield text(f"reply-plan-{'retired' if one.plan.retired else 'remade'}", on=wording.day(one.plan.on))

    def identity(self) -> Iterator[Paragraph]:
        """How the controller made sure who the person is."""
        how, on = self.reply.identity_check, self.reply.identity_checked_on
        if how is None and on is None and (self.request.status == "revoked" or self._is_unproven):
            return
        unproven = "-unproven" if self._is_refused_unproven else ""
        if how is None and on is None:
            yield _paragraph("text", _blank(f"identity{unproven}", "identity_check", after="."))
            return
        said = _blank("how", "identity_check", after=".") if how is None else f"{_own(how)}."
        undated = text(f"reply-identity{unproven}-undated")
        misdated = tuple(self._misdated(on))
        lead = undated if on is None or misdated else text(f"reply-identity{unproven}", on=wording.day(on))
        article = (text("reply-identity-article", law=self.law),) if self.law else ()
        yield _paragraph("text", lead, said, *misdated, *article)

    def _misdated(self, on: date | None) -> Iterator[Run]:
        """What is to be settled of a check that its day has after the answer, or while the person was still to be asked."""
        if kind := log_times.misdated_check(on, self.request.answered_on, self.reply.waits):
            yield _blank(f"checked-{kind}", "identity_checked_at", after=".")

    @property
    def _is_unproven(self) -> bool:
        """Whether the person is still asked who they are."""
        return self.request.waiting or any(each.awaits is Awaited.IDENTITY for each in self.open_waits)

    def following(self) -> Iterator[Paragraph]:
        """What the controller undertook; a blank where something is left to do and nobody did."""
        undertaking = self.request.undertaking
        if undertaking is not None:
            said: list[str | Run] = [undertakings.undertaken(self.known, undertaking, _own(undertaking.what))]
            if undertakings.is_settled(self.known) or self.known.is_missing:
                said.append(_blank("left", "undertaking", after="."))
            elif undertaking.by is None:
                said.append(_blank("by", "undertaking.by", after="."))
            elif self._has_passed(undertaking.by):
                said.append(_blank("passed", "undertaking.by", after="."))
            elif punctuality.is_beyond(self.letter, undertaking.by):
                said.append(_blank("beyond", "undertaking.by", after="."))
            yield _paragraph("text", *said)
        elif undertakings.is_left_to_settle(self.known):
            yield _paragraph("text", _blank("next", "undertaking", after="."))
        else:
            if recipients.not_notified(self.letter):
                yield _paragraph("text", _blank("notify", "undertaking", after="."))
            # Where nothing else is kept, the blank on what is kept asks for it.
            if self.reply.kept != () and (self.known.is_marked or self.known.is_overwriting_unknown):
                unknown = "" if self.known.is_marked else "-unknown"
                yield _paragraph("text", _blank(f"overwritten{unknown}", "undertaking", after="."))

    def rights(self) -> Iterator[Paragraph]:
        """Where to complain, and the courts, as the letter says it."""
        rights = self.known.rights
        yield _paragraph("heading", text("letter-rights-title"))
        yield _paragraph("text", rights.complain)
        yield _paragraph("address", _given(rights.authority, "authority", "case.authority", 300))
        if rights.further:
            yield _paragraph("text", *rights.further)
        yield _paragraph("text", rights.contact, _given(self.letter.sender.contact, "contact", "case.contact"))

    def end(self) -> Iterator[Paragraph]:
        """Who signs, and what goes with it."""
        yield _paragraph("text", text("reply-sincerely"))
        yield _paragraph("line", _given(self.reply.signatory, "signatory", "signatory"))
        if self.letter.sender.controller is not None:
            yield _paragraph("line", wording.short(self.letter.sender.controller, 120))
        if self.letter.sender.dpo is not None:
            yield _paragraph("line", f"{text('letter-officer')}:", wording.short(self.letter.sender.dpo, 120))
        yield _paragraph("line", text("reply-enclosure", request=wording.short(self.request.request_id, 60)))


def _received(letter: Extract, recipient: Recipient) -> Iterator[str | Run]:
    if recipient.notified and recipient.notified_at is None:
        if recipient.name is None:
            yield text("reply-recipients-told-on")
        else:
            yield text("reply-recipient-told-on", name=wording.short(recipient.name, 120))
        yield _blank("day", "recipients_notified.notified_at", after=".")
    elif receipts.of_untold(letter.request.receipts, (recipient,)):
        yield _blank("recipient-against", "recipients_notified", after=".", named=wording.short(recipient.name or "", SHORTEST))
    elif (early := receipts.before_notice(letter.request.receipts, (recipient,))) and recipient.name is not None:
        # The blank stands in the place of the day that it asks for.
        yield text("reply-recipient-told-on", name=wording.short(recipient.name, 120))
        told = "" if recipient.notified_at is None else wording.day(recipient.notified_at)
        given = {"on": wording.day(early[0][0].at), "told": told}
        yield _blank("recipient-early", "recipients_notified.notified_at", after=".", **given)
    else:
        yield recipients.notified(letter, recipient, 120)
        if recipients.is_impossible(letter, recipient):
            yield _blank("recipient-impossible", "recipients_notified.notified_at", after=".")
    if recipient.name is None:
        yield text("reply-recipients-are")
        yield _blank("names", "recipients_notified.name", after=".")


def _paragraph(kind: Kind, *runs: str | Run) -> Paragraph:
    return Paragraph(kind, tuple(each if isinstance(each, Run) else Run(each) for each in runs))


def _blank(name: str, key: str | None = None, *, after: str = "", **values: str) -> Run:
    """A blank with what fills it: brackets stay inside their sentence, which `after` goes on or ends."""
    asked = text(f"reply-blank-{name}", **values)
    inside = text("reply-by-hand", what=asked) if key is None else f"{asked} · {key}"
    return Run(f"[{inside}]{after}", blank=True, key=key)


def _given(said: str | None, blank: str, key: str, length: int = 120) -> str | Run:
    return _blank(blank, key) if said is None else wording.short(said, length)


def _own(said: str) -> str:
    """A text of the controller's: it is the controller that writes, so that it stands without quotation marks."""
    return wording.short(said, LONGEST).rstrip(" .")


def _asked_for(pause: ClockPause) -> str:
    """What the person was asked for in a wait, which the log need not say."""
    return "unsaid" if pause.awaits is None else pause.awaits.value


def _quoted(said: str | None, length: int = LONGEST) -> str:
    """A text of the controller's that was not written for the person: it stands as it was recorded."""
    return f"“{wording.short(said or '', length).rstrip(' .')}”"
