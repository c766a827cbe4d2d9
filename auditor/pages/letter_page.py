"""Lay out in words what one person's extract says: a headline, dates, a table, and what is overleaf.

Pure: an `Extract` in, texts of the catalogue out. "Erased on" and "updated on" are said only where the audit confirms both parts:
what is stored, and what the model keeps. Elsewhere a date is what our log records.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Final, Literal

from auditor.base.deletion_log.deadlines import ByDue, says_nothing
from auditor.base.deletion_log.deletions import NOT_LOCATED
from auditor.base.domain import Awaited, ClaimStatus, ClockPause, KeptData, Recipient, Regime, StorageState, Undertaking
from auditor.document.evidence import Descent
from auditor.pages import wording
from auditor.pages.letters import punctuality
from auditor.pages.letters.legal_remedies import LegalRemedies, legal_remedies
from auditor.pages.letters.parts import Extract, MadePart, RequestPart
from auditor.pages.words import guesses
from auditor.pages.words.lineage import sentences
from auditor.pages.words.texts import text, variant
from auditor.settings.attestations import NO_MODEL, NOTHING_HELD
from auditor.settings.documents import OutsidePlace
from auditor.verdict import examination, request_status
from auditor.verdict.checks import definitions, with_role
from auditor.verdict.checks.card import LetterWords, Role
from auditor.verdict.grade import NO_USE

LONGEST: Final = 260
"""Characters of a text of the controller's that a letter prints: it has two pages at most."""
MOST: Final = 4
"""Recipients, or places, that a letter names one by one."""
DIGITS: Final = 16
"""Of a receipt's digest that are printed; letter.json has all."""
MOST_NAMES: Final = 12
"""Recipients beyond those that are named with what they were told."""
MOST_KEPT: Final = 3
MOST_TOPICS: Final = 3
MOST_PAUSES: Final = 2
_EXCEPTION: Final = re.compile(r"17\s*\(3\)\s*\(?([a-e])\b", re.IGNORECASE)
"""Article 17(3) of the GDPR and the UK GDPR: a letter says in words what each of its points is about."""
GOOD: Final = ("good", "●")
PART: Final = ("part", "◐")
BAD: Final = ("bad", "■")
OPEN: Final = ("open", "◇")
NONE: Final = ("none", "○")


@dataclass(frozen=True, slots=True)
class Row:
    """One row of the table."""

    label: str
    word: str
    """The state in a word or two; empty where there is none."""
    tone: str
    mark: str
    sentences: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Page:
    """Everything that the template prints, but for names and addresses."""

    head: str
    tone: str
    mark: str
    short: str
    """What the audit concludes for this person, in a sentence; empty where nothing was carried out."""
    dates: tuple[str, ...]
    rows: tuple[Row, ...]
    rights: LegalRemedies
    statements: tuple[str, ...]
    stated: str
    """Whose word the statements are, as far as they are attested; empty where none is."""
    further: tuple[str, ...]
    """What else is attested that bears on this request."""
    further_by: str
    """Whose word that is."""
    number: tuple[str, ...]
    found: tuple[str, ...]
    """What the audit found of the model that should not be."""
    unsettled: tuple[str, ...]
    """What it tested and could not settle, as clauses."""
    contradictions: tuple[str, ...]
    topics: tuple[str, ...]
    limits: tuple[str, ...]
    places: tuple[str, ...]
    about: tuple[str, ...]
    goes_with: str
    """How the letter goes with the controller's reply."""
    file_seen: bool
    """Whether the audit saw anything of the model file: else no release is named."""


def page(letter: Extract) -> Page:
    """Say everything that an extract holds."""
    say = _Saying(letter)
    head, (tone, mark) = say.head()
    return Page(
        head=head,
        tone=tone,
        mark=mark,
        short=say.short(),
        dates=tuple(say.dates()),
        rows=tuple(say.rows()),
        rights=say.rights(),
        statements=say.statements(),
        stated=say.stated(),
        further=tuple(map(_statement, say.further())),
        further_by=say.further_by(),
        number=tuple(say.number()),
        found=tuple(say.found()),
        unsettled=tuple(say.unsettled()),
        contradictions=tuple(text(f"letter-finding-{code}") for code in say.contradictions),
        topics=tuple(each for each in _topics(letter) if each not in set(say.unsettled()))[:MOST_TOPICS],
        limits=tuple(say.limits()),
        places=tuple(say.places()),
        about=tuple(say.about()),
        goes_with=say.goes_with(),
        file_seen=say.file_seen,
    )


def outcome(letter: Extract) -> str:
    """Name what became of a request, as the letter's first line says it: `letter-head-NAME`."""
    return _Saying(letter).outcome()[0]


def whose(letter: Extract) -> dict[str, str]:
    """The words for whose data it is, by the names that messages give them."""
    return _Saying(letter).whose


class _Saying:
    """One extract, with the words for whose data it is about."""

    def __init__(self, letter: Extract) -> None:
        """Settle whose data it is: without a subject in the log nobody knows whether all of it is this person's."""
        self.letter, self.request, self.model = letter, letter.request, letter.model
        whose = "request" if letter.request.subject is None or letter.request.others_differ else "yours"
        self.whose = {"data": text(f"letter-data-{whose}"), "Data": text(f"letter-data-{whose}-first")}
        self.contradictions = _contradictions(letter)

    @property
    def is_other(self) -> bool:
        """Whether the model file is not the one that the updates produce."""
        return bool(_of(Role.COMPARES_FILE, self.model.failed))

    @property
    def refutes(self) -> tuple[str, ...]:
        """Checks of what the model keeps that found something: neither an error nor a test that did not work."""
        failed = self.model.failed
        others = {*self.model.broke_off, *_of(Role.CALIBRATES, failed), *_of(Role.SHOWS_DELETIONS, failed)}
        return tuple(each for each in failed if each not in others)

    @property
    def is_refuted(self) -> bool:
        """Whether the audit found that the model did not forget; a promise may be refuted without any check that failed."""
        return self.model.forgot == "failed" and bool(self.refutes or not self.model.failed)

    @property
    def gives_away(self) -> tuple[str, ...]:
        """Checks that found erased data where the model did not fail: from two versions of it, or where no limit is set."""
        own = set(self.refutes) | set(self.model.broke_off) | _of(Role.CALIBRATES, self.model.failed)
        return tuple(each for each in (*self.model.failed, *self.model.noticed) if each not in own)

    @property
    def file_seen(self) -> bool:
        """Whether the audit saw anything of the model file."""
        case = self.letter.case
        return case.model_examined or case.model_seen is not None or self.is_other

    @property
    def is_clear(self) -> bool:
        """Whether the audit saw the whole model and found nothing wrong with what it keeps.

        Elsewhere what is said of stored copies must not be read as if it were said of the model as well.
        """
        forgot = self.model.forgot in {"shown", "supported", "attacks"}
        return self.letter.case.model_examined and forgot and not self.gives_away and not self.model.left_alone

    @property
    def is_unsettled_of_the_file(self) -> bool:
        """Whether no test of the model itself settled what it still shows."""
        open_ = {*self.model.unsettled, *self.model.open, *self.model.not_run}
        return not self.letter.case.model_examined or bool(_of(Role.ATTACKS_RELEASE, open_))

    def head(self) -> tuple[str, tuple[str, str]]:
        """Say in one line what became of it."""
        name, tone = self.outcome()
        return text(f"letter-head-{name}", **self.whose), tone

    def outcome(self) -> tuple[str, tuple[str, str]]:
        """What became of it, the gravest first."""
        request = self.request
        if request.status == "executed":
            name, tone = self._executed()
        elif request.search == "found":
            name, tone = "no-match-found", BAD
        elif self.contradictions and request.status != "unknown":
            name, tone = "contradicted", OPEN
        elif request.status == "denied" and (says_nothing(request.reason) or says_nothing(request.exception)):
            name, tone = "denied-bare", BAD
        else:
            # What a doubt about the person leaves open is not called late.
            late = request.status == "open" and request.late and not request.in_doubt
            name, tone = f"{request.status}-late" if late else request.status, BAD if late else NONE
        return name, tone

    def _executed(self) -> tuple[str, tuple[str, str]]:
        """The worst of what is known of an erasure."""
        request, forgot = self.request, self.model.forgot
        worst = (
            (request.search == "found", "found", BAD),
            (self.is_other, "other", BAD),
            (self.is_refuted, "refuted", BAD),
            (forgot == "failed", "failed", BAD),
            (bool(self.gives_away), "given-away", BAD),
            (bool(self.contradictions), "contradicted", OPEN),
            (self.is_marked and request.search == "not-found", "marked", OPEN),
            (not self.letter.confirmed, self._unconfirmed(), OPEN),
            (punctuality.is_missed(request, request.erased_on), "late", OPEN),
            (punctuality.is_missed(request, request.model_erased_on), "updated-late", OPEN),
            (request.late and not request.in_doubt, "answered-late", OPEN),
            (self.is_in_doubt, "in-doubt", OPEN),
            (forgot == "attacks" and self.is_unsettled_of_the_file, "untested", OPEN),
        )
        for is_so, name, tone in worst:
            if is_so:
                return name, tone
        promise = self.model.promise
        trusted = promise is None or bool(promise.statements)
        return "confirmed", PART if trusted or forgot != "shown" else GOOD

    def _unconfirmed(self) -> str:
        """The first thing that the audit could not confirm: what is stored comes before the model."""
        if self.request.search != "not-found":
            return f"search-{'open' if self.request.search == 'open' else 'none'}"
        if self.letter.case.places_alone:
            return "places"
        if self.model.forgot in {"open", "not-examined"}:
            return f"forgot-{'open' if self.model.forgot == 'open' else 'none'}"
        return f"model-{self.letter.case.model_seen or 'unseen'}"

    @property
    def is_marked(self) -> bool:
        """Whether the log itself says that the data are marked as erased, and still there."""
        return request_status.is_marked(self.request.status, self.request.storage_state)

    def is_after_answer(self, done: date | None) -> bool:
        """Whether something was done after the answer that said so."""
        answered = self.request.answered_on
        return self.request.status == "executed" and done is not None and answered is not None and done > answered

    def lateness(self, done: date | None) -> Iterator[str]:
        """Whether a day is after the due date, or after the answer that said it was done."""
        since = self.is_after_answer(done)
        if punctuality.is_missed(self.request, done):
            yield text("letter-after-both" if since else "letter-after-due")
        elif since:
            yield text("letter-after-answer")
        if punctuality.is_in_doubt(self.request, done):
            yield text("letter-after-in-doubt")

    def short(self) -> str:
        """Conclude for this person alone: the report's own conclusion may be what it is for somebody else's sake."""
        if self.request.status != "executed":
            return ""
        name, tone = self._executed()
        kept = ""
        if self.request.kept:
            past = all(self.has_passed(each.until) for each in self.request.kept)
            kept = f" {text('letter-short-kept-past' if past else 'letter-short-kept')}"
        if name == "confirmed":
            return text("letter-short-confirmed", statements=len(self.statements())) + kept
        against = tone is BAD or name == "contradicted"
        return text("letter-short-against" if against else "letter-short-open", late=self._in_time()) + kept

    def _in_time(self) -> str:
        """What of an erasure was not in time or in order, as a conclusion says it, the gravest first; or `no`."""
        request = self.request
        days = (request.erased_on, request.model_erased_on, request.answered_on)
        for name, is_so in (
            ("late", any(punctuality.is_missed(request, each) for each in days) or (request.late and not request.in_doubt)),
            ("unanswered", self.is_unanswered),
            ("perhaps", self.is_in_doubt),
            ("marked", self.is_marked),
            ("answered-first", any(map(self.is_after_answer, days[:2]))),
        ):
            if is_so:
                return name
        return "no"

    @property
    def is_in_doubt(self) -> bool:
        """Whether something was in time only if a doubt about the person gave more of it."""
        request = self.request
        days = (request.erased_on, request.model_erased_on, request.answered_on)
        return request.in_doubt or any(punctuality.is_in_doubt(request, each) for each in days)

    @property
    def is_unanswered(self) -> bool:
        """Whether the log has no answer, and the last day for one has passed for certain."""
        return self.request.answered_on is None and punctuality.owed(self.letter) is ByDue.MISSED

    def has_passed(self, day: date | None) -> bool:
        """Whether a day that is declared lay behind when the audit ended."""
        return day is not None and day < self.letter.audit.finished_at.date()

    def dates(self) -> Iterator[str]:
        """Receipt, deadline, extension and answer."""
        request = self.request
        yield text("letter-received", on=wording.day(request.received_on))
        yield from self.confirmation()
        yield from self.extension()
        if self._is_due_as_first_said():
            if request.waiting:
                yield self._waiting()
            elif request.status != "revoked":
                over = request.answered_on is not None or request.late or request.due_on < self.letter.audit.finished_at.date()
                yield text("letter-due" if over else "letter-is-due", on=wording.day(request.due_on))
                yield from self.due_notes()
        yield from self._paused()
        if request.answered_on is not None:
            yield text("letter-answered", on=wording.day(request.answered_on))
        contradicted = punctuality.is_contradicted(request)
        if not contradicted:
            yield from self._owned()
        if self.is_unanswered and (contradicted or request.in_doubt or not request.late):
            yield text("letter-answer-unsaid")
            yield text("letter-answer-perhaps")
        if request.late_reason is not None:
            name = "letter-delay-reason" if punctuality.owed(self.letter) is ByDue.IN_DOUBT else "letter-late-reason"
            yield text(name, reason=_theirs(request.late_reason.rstrip(" .")))
        yield from self.wrong()

    def confirmation(self) -> Iterator[str]:
        """That the receipt was confirmed late, where the law has a day for that."""
        request = self.request
        if request.confirmed_on is not None and request.confirm_by is not None:
            yield text("letter-confirmed-late", on=wording.day(request.confirmed_on), by=wording.day(request.confirm_by))

    def due_notes(self) -> Iterator[str]:
        """Why the day by which an answer is due is another one than a count from the receipt gives."""
        if self.request.law_on is not None:
            passed = "yes" if self.has_passed(self.request.law_on) else "no"
            yield text("letter-due-own", on=wording.day(self.request.law_on), passed=passed)
        elif self.request.moved_from is not None:
            passed = "yes" if self.has_passed(self.request.moved_from) else "no"
            yield text("letter-due-moved", on=wording.day(self.request.moved_from), passed=passed)

    def answer(self) -> Iterator[str]:
        """When the person was answered, and what that leaves the controller to say."""
        if self.request.answered_on is not None:
            yield text("letter-answered", on=wording.day(self.request.answered_on))
        yield from self._owned()
        yield from self.wrong()

    def _is_due_as_first_said(self) -> bool:
        extension = self.request.extension
        return extension is None or not self.request.extended or extension.notified_at is None

    def extension(self) -> Iterator[str]:
        """The notice of more time: the new date, or why it moves none."""
        extension = self.request.extension
        if extension is None:
            return
        if extension.notified_at is None or not self.request.extended:
            yield self._void()
            return
        given = {"told": wording.day(extension.notified_at), "due": wording.day(self.request.due_on)}
        given["reason"] = _theirs((extension.reason or "").rstrip(" ."))
        if extension.until is None:
            yield text("letter-extended-undated", **given)
        elif extension.until != self.request.due_on:
            yield text("letter-extended-other", until=wording.day(extension.until), **given)
        else:
            yield text("letter-extended", **given)

    def _owned(self) -> Iterator[str]:
        """What the controller owes an apology for: an answer that was late, or is unless a doubt gave more time."""
        request = self.request
        if request.in_doubt:
            yield from self._doubt()
        elif request.late and request.answered_on is not None and request.answered_on > request.due_on:
            yield text("letter-late-answer")
        elif request.late:
            yield text("letter-late")
            if request.status == "open":
                yield text("letter-late-by", days=(self.letter.audit.finished_at.date() - request.due_on).days)

    def _doubt(self) -> Iterator[str]:
        """What a wait certainly moved, what it may have moved, and until when."""
        request = self.request
        awaits = _awaited(request.pauses) if request.pauses else Awaited.IDENTITY.value
        latest = request.latest
        if latest is None or latest == date.max:
            yield text("letter-late-in-doubt", awaits=awaits)
        elif request.paused_days:
            yield text("letter-late-again-in-doubt", latest=wording.day(latest))
        else:
            yield text("letter-late-in-doubt-until", awaits=awaits, latest=wording.day(latest))

    def wrong(self) -> Iterator[str]:
        """What an earlier answer cannot have said rightly, by the log's own days or by what the audit found."""
        request = self.request
        if request.status != "executed" or not self.answered_before():
            return
        if request.search == "found" or self.is_after_answer(request.erased_on):
            yield text("letter-wrong-data")
        elif self.is_other or self.is_refuted or self.is_after_answer(request.model_erased_on):
            yield text("letter-wrong-model")

    def answered_before(self) -> bool:
        """Whether the person was answered before the audit ended."""
        answered = self.request.answered_on
        return answered is not None and answered < self.letter.audit.finished_at.date()

    def _void(self) -> str:
        """Why a notice of more time moves no date."""
        extension = self.request.extension
        if extension is None or extension.notified_at is None:
            return text("letter-extension-untold")
        told = wording.day(extension.notified_at)
        return text("letter-extension-no-reason" if says_nothing(extension.reason) else "letter-extension-void", told=told)

    def _waiting(self) -> str:
        """What the person was asked for, and when."""
        stopping = (each for each in self.request.pauses if each.resumed_at is None and each.reason)
        asked, left = min(stopping, key=lambda each: each.paused_at, default=None), punctuality.days_left(self.request)
        if asked is None or left is None:
            return text("letter-waiting", awaits=_awaited(self.request.pauses))
        reason = _theirs((asked.reason or "").rstrip(" ."))
        on = wording.day(asked.paused_at)
        return text("letter-waiting-for", awaits=awaited(asked), on=on, reason=reason, days=left)

    def _paused(self) -> Iterator[str]:
        """When the clock stood still, and why, by the log alone."""
        if not self.request.paused_days:
            return
        for each in self.request.pauses[:MOST_PAUSES]:
            if each.resumed_at is not None and each.reason:
                given = {"on": wording.day(each.paused_at), "until": wording.day(each.resumed_at)}
                given["awaits"] = awaited(each)
                yield text("letter-paused-for", reason=_theirs(each.reason.rstrip(" .")), **given)
        over = [each for each in self.request.pauses if each.resumed_at is not None]
        yield text("letter-paused", days=self.request.paused_days, awaits=_awaited(over))
        yield text("letter-paused-unchecked")

    def rows(self) -> Iterator[Row]:
        """The table, by what became of the request."""
        match self.request.status:
            case "executed":
                of_model = (self._no_model(),) if self.letter.case.places_alone else (self._version(), self._forgot())
                yield from (self._stored(), *self._kept(), *of_model, self._recipients())
            case "denied":
                yield from self._refusal()
            case "open" if punctuality.is_contradicted(self.request):
                yield from self._kept()
            case "open":
                yield Row(
                    text("letter-row-stored"), text("letter-word-not-yet"), *NONE, (text("letter-not-erased", **self.whose),)
                )
                kept = text("letter-may-still-hold", **self.whose)
                updated = (text("letter-not-updated"), kept, self._used())
                yield from self._kept()
                if not self.letter.case.places_alone:
                    yield Row(text("letter-row-model"), text("letter-word-not-yet"), *NONE, updated)
            case status:
                yield self._not_erased(status)
        yield from self._needed()
        if following := tuple(self._next()):
            yield Row(text("letter-row-next"), "", *NONE, following)
        if self.request.status == "executed":
            yield Row(text("letter-row-unchecked"), "", *NONE, tuple(self._unchecked()))

    def _unchecked(self) -> Iterator[str]:
        """What nobody checked: places and things by the names under which they are declared, and the rest."""
        declared = [wording.short(each.name, 40) for each in self.letter.case.outside]
        if declared:
            yield text("letter-unchecked-declared", names=first_capital(wording.listed(dict.fromkeys(declared), MOST)))
        yield text(self._of_places(f"letter-unchecked{'-rest' if declared else ''}"))
        if self.letter.case.builds_on_files:
            yield text("letter-unchecked-base")
        open_ = [each for each in self.request.made if each.descent.open]
        for name, things in (
            ("before", [each for each in open_ if self._is_from_before(each)]),
            ("unclear", [each for each in open_ if not self._is_from_before(each)]),
        ):
            if things:
                names = wording.listed([wording.short(each.name, 40) for each in things], MOST)
                yield text(f"letter-unchecked-made-{name}", names=names)
        if tuple(self.places()):
            yield text("letter-unchecked-said")
        if self.further():
            yield text("letter-unchecked-further")
        if tuple(self.unsettled()):
            yield text("letter-unsettled-overleaf")

    def _is_from_before(self, made: MadePart) -> bool:
        """Whether a thing was made from the model before it was replaced for this request, by the days that are declared."""
        if made.descent is not Descent.PLANNED or made.made_on is None:
            return made.descent is Descent.EARLIER
        # What is to be retired stays open for whatever reason it has; what is to be made again is as old as it is.
        updated = self.request.model_erased_on or self.request.erased_on
        again = made.plan is not None and not made.plan.retired
        return again or (updated is not None and made.made_on < updated)

    def _needed(self) -> Iterator[Row]:
        """What the person is still asked for, where the dates do not say so already."""
        waits = [each for each in self.request.pauses if each.resumed_at is None and each.reason]
        first = min(waits, key=lambda each: each.paused_at) if self.request.waiting and waits else None
        asked = tuple(each for each in self.request.asked if each != first)
        if not asked:
            return
        said = []
        for each in asked[:MOST_PAUSES]:
            awaits = awaited(each)
            said.append(text(f"reply-asked-{awaits}", on=wording.day(each.paused_at)))
            if not says_nothing(each.reason):
                said.append(text("letter-asked-reason", said=_theirs((each.reason or "").rstrip(" ."))))
        said.append(text("reply-still-waiting"))
        said += [needed(self.request.regime, awaits) for awaits in dict.fromkeys(map(awaited, asked))]
        yield Row(text("letter-row-needed"), "", *NONE, tuple(said))

    def _not_erased(self, status: str) -> Row:
        """What was looked for, or what became of it, where nothing was erased, refused or is still to be done."""
        names: tuple[str, ...] = (f"letter-{status}",)
        noted = {"no-match": "letter-searched-as-logged", "revoked": "letter-withdrawn-as-logged"}.get(status)
        if status == "no-match" and self.request.search == "found":
            names = ("letter-no-match-found",)
        elif status == "no-match":
            unsaid = ("letter-searched-unsaid",) if says_nothing(self.request.reason) else ()
            word = () if self.request.word is None else self.request.word.names
            names = (*names, *unsaid, f"letter-no-match-{'word' if NOTHING_HELD in word else 'unsaid'}", "letter-further")
        elif status == "not-located":
            names = (*names, "letter-further")
        return self._found_row(*names, noted=noted)

    def _found_row(self, *names: str, noted: str | None = None) -> Row:
        """What was looked for, and what the log notes of that, after the first of some messages."""
        first, *others = (text(name, **self.whose) for name in names)
        reason = self.request.reason
        if noted is not None and not says_nothing(reason):
            others.insert(0, text(noted, said=_theirs((reason or "").rstrip(" ."))))
        return Row(text("letter-row-found"), "", *NONE, (first, *others))

    def _refusal(self) -> Iterator[Row]:
        request = self.request
        yield Row(text("letter-row-decision"), text("letter-word-refused"), *NONE, (text("letter-denied", **self.whose),))
        if request.ground is not None:
            yield Row(text("letter-row-ground"), "", *NONE, (_theirs(request.ground),))
        owed = text("letter-reason-owed"), text("letter-no-reason")
        exception = text("letter-no-exception") if says_nothing(request.exception) else self._exception()
        rests = "unverified" if is_unverified(request) else "exception"
        yield Row(text(f"letter-row-{rests}"), "", *NONE, (exception,))
        yield Row(
            text("letter-row-reason"),
            "",
            *NONE,
            owed if says_nothing(request.reason) else (_theirs(request.reason),),
        )
        yield from self._kept()
        if not self.letter.case.places_alone:
            yield Row(text("letter-row-model"), "", *NONE, (text("letter-denied-model", **self.whose), self._used()))

    def _exception(self) -> str:
        return exception_in_words(self.request.regime, self.request.exception, _theirs(self.request.exception))

    def _stored(self) -> Row:
        request = self.request
        if request.erased_on is None:
            dated = text("letter-undated")
        else:
            sure = self.letter.confirmed and not self.is_marked
            dated = text("letter-erased" if sure else "letter-dated", on=wording.day(request.erased_on))
        word, found, tone = {
            "not-found": (
                "letter-word-gone" if self.is_clear else self._of_places("letter-word-no-copy"),
                "letter-searched-file" if self.is_clear else self._of_places("letter-searched-store"),
                PART if request.by_word or request.program_by_word else GOOD,
            ),
            "found": ("letter-word-found", "letter-found", BAD),
            "open": ("letter-word-undecided", "letter-search-open", OPEN),
            "not-examined": ("letter-word-unchecked", "letter-search-none", NONE),
        }[request.search]
        logical = (text("letter-logical"),) if self.is_marked else ()
        if logical and request.search == "not-found":
            # What is only marked may be what a search passes over: that it found nothing is no all-clear.
            word, tone = "letter-word-undecided", OPEN
        said = (dated, *logical, *self.lateness(request.erased_on), text(found, **self.whose), *self._unseen())
        return Row(text("letter-row-stored"), text(word), *tone, said)

    def _unseen(self) -> Iterator[str]:
        """What a search that found nothing could not see."""
        if self.request.search != "not-found":
            return
        if self.request.program_by_word:
            yield text("letter-searched-program")
        yield text("letter-searched-in-part" if self.request.by_word else "letter-searched-plain")
        if self.letter.case.without_values is not None:
            yield text("letter-searched-by-id", whose=self.letter.case.without_values)
        if not (self.is_clear or self.letter.case.places_alone):
            yield text("letter-searched-copies")

    def _of_places(self, message: str) -> str:
        """A message as it is worded where places alone were searched."""
        return variant(message, "places") if self.letter.case.places_alone else message

    def _kept(self) -> Iterator[Row]:
        """What the controller keeps of the person's, by its log."""
        kept = self.request.kept
        if not kept:
            return
        said = [each for one in kept[:MOST_KEPT] for each in self._kept_one(one)]
        more = [text("letter-kept-more", count=len(kept) - MOST_KEPT)] if len(kept) > MOST_KEPT else []
        yield Row(text("letter-row-kept"), text("letter-word-by-log"), *NONE, (*said, *more, text("letter-kept-unchecked")))

    def _kept_one(self, kept: KeptData) -> Iterator[str]:
        """One thing that is kept, until when, and the point of the law that the log names for it."""
        name = "letter-kept" if kept.until is None else f"letter-kept-until{'-past' if self.has_passed(kept.until) else ''}"
        yield text(
            name,
            what=_theirs(wording.short(kept.what, 90).rstrip(" .")),
            why=_theirs(wording.short(kept.why, 90).rstrip(" .")),
            **({} if kept.until is None else {"on": wording.day(kept.until)}),
        )
        if kept.exception is not None and self._law() and not self.has_passed(kept.until):
            yield text(f"reply-exception-{kept.exception.value}", law=self._law())

    def _no_model(self) -> Row:
        """That stored data alone were searched; a day on which a model was updated contradicts it."""
        said, updated = [text("letter-places-alone")], self.request.model_erased_on
        if updated is None:
            return Row(text("letter-row-model"), text("letter-word-unchecked"), *NONE, tuple(said))
        said.append(text("letter-model-unknown", on=wording.day(updated)))
        if denies_a_model(self.letter):
            said.append(text("letter-model-denied"))
        return Row(text("letter-row-model"), text("letter-word-undecided"), *OPEN, tuple(said))

    def _version(self) -> Row:
        request, case = self.request, self.letter.case
        if request.model_erased_on is None:
            updated = text("letter-update-undated")
        else:
            on = wording.day(request.model_erased_on)
            updated = text("letter-updated" if self.letter.confirmed else "letter-update-dated", on=on)
        seen: tuple[str, ...] = ()
        word, tone = "letter-word-examined", GOOD
        if self.is_other:
            word, tone = "letter-word-other", BAD
            seen = (text("letter-model-other"), text("letter-may-still-hold", **self.whose))
        elif not case.model_examined:
            saw = "answers" if case.answers_alone else case.model_seen or "unseen"
            word, tone = ("letter-word-part", PART) if saw == "part" else ("letter-word-unchecked", NONE)
            seen = (text(f"letter-model-{saw}"),)
        elif case.in_use_too_early:
            word, tone = "letter-word-undecided", OPEN
        late = self.lateness(request.model_erased_on)
        return Row(text("letter-row-model"), text(word), *tone, (updated, *late, self._used(), *seen))

    def _used(self) -> str:
        """Since when this version of the model is in use, as declared."""
        return in_use(self.letter) or text("letter-in-use-unsaid")

    def _forgot(self) -> Row:
        """How well the model forgot; where stored data were found again, good news about the model is no all-clear."""
        row = self._forgot_alone()
        if self.request.search != "found" or row.tone not in {GOOD[0], PART[0]}:
            return row
        which = "model" if self.letter.case.model_examined else "procedure"
        said = (text(f"letter-despite-{which}", **self.whose), *row.sentences)
        return Row(row.label, text(f"letter-word-only-{which}"), *PART, said)

    def _forgot_alone(self) -> Row:
        label, promise = text("letter-row-forgot"), self.model.promise
        if self.model.forgot in {"shown", "supported"} and promise is not None:
            most = guesses.at_most(promise.share)
            chance = most == "50"
            guessed = text("letter-guesses-chance" if chance else "letter-guesses", most=most, **self.whose)
            elsewhere = () if self.letter.case.model_examined else (text("letter-guesses-rerun"),)
            said = (guessed, self._rests_on(), *elsewhere, *self._alone(), *self._given_away(), *self._picked())
            if self.gives_away:
                return Row(label, text("letter-word-given-away"), *BAD, said)
            tone = (
                OPEN
                if promise.share >= NO_USE
                else GOOD
                if promise.status is ClaimStatus.SHOWN and not promise.statements and self.letter.case.model_examined
                else PART
            )
            return Row(label, text("letter-word-chance") if chance else guesses.hardness(promise.share), *tone, said)
        word, name, tone = self._tested()
        if self.gives_away and tone != BAD:
            word, tone = "letter-word-given-away", BAD
        said = (text(name, **self.whose), *self._alone(), *self._given_away(), *self._picked())
        return Row(label, text(word), *tone, said)

    def _tested(self) -> tuple[str, str, tuple[str, str]]:
        """What came of the tests where no promise in numbers holds."""
        if self.model.forgot == "failed":
            return self._failed()
        if self.model.forgot == "not-examined":
            return "letter-word-unchecked", "letter-forgot-unchecked", NONE
        if self.model.forgot != "attacks":
            return "letter-word-undecided", "letter-forgot-open", OPEN
        if self.gives_away:
            return "letter-word-given-away", "letter-no-number", BAD
        if self.is_unsettled_of_the_file:
            return "letter-word-trial", "letter-trial", PART
        return "letter-word-no-trace", "letter-attacks", PART

    def _failed(self) -> tuple[str, str, tuple[str, str]]:
        """What a failure says of the model: nothing of the right one, where another was given and nothing else failed."""
        nothing_else = set(self.refutes) == _of(Role.COMPARES_FILE, self.model.failed)
        if self.is_other and (nothing_else or not self.is_refuted):
            return "letter-word-unconfirmed", "letter-forgot-other", BAD
        if self.is_refuted:
            return "letter-word-refuted", "letter-forgot-refuted", BAD
        return "letter-word-unconfirmed", "letter-forgot-failed", BAD

    def _alone(self) -> tuple[str, ...]:
        """That the model behaves as if nobody had asked for anything."""
        return (text("letter-left-alone"),) if self.model.left_alone else ()

    def _given_away(self) -> tuple[str, ...]:
        """What was found where the model itself did not fail."""
        return tuple(_sentences(self.gives_away))

    def _picked(self) -> tuple[str, ...]:
        """What the model before the erasure shows together with this one, where somebody may have both."""
        if self.model.picked is None:
            return ()
        return (text("letter-picked" if self.model.picked else "letter-not-picked", **self.whose),)

    def _rests_on(self) -> str:
        promise = self.model.promise
        return "" if promise is None else text("letter-rests-on", count=len(promise.statements))

    def _recipients(self) -> Row:
        recipients, said = self.request.recipients, []
        state = ("", *NONE)
        if recipients is None:
            unsaid = [] if self.request.receipts else [text("letter-recipients-unsaid")]
            said += self._recipients_outside() or unsaid
        elif not recipients:
            said.append(text("letter-recipients-none"))
            declared = self._recipients_outside()
            if declared or self.request.receipts:
                state = (text("letter-word-undecided"), *OPEN)
            if declared:
                said += [*declared, text("letter-recipients-contradict", **self.whose)]
        # Who is still to be notified comes first.
        ordered = sorted(recipients or (), key=lambda each: each.notified)
        said += [notified(self.letter, each, 60) for each in ordered[:MOST]]
        for told in (False, True):
            if more := [wording.short(each.name, 60) for each in ordered[MOST:] if each.name and each.notified is told]:
                kind = "told" if told else "untold"
                said.append(text(f"letter-recipients-more-{kind}", names=wording.listed(more, MOST_NAMES)))
        if recipients:
            said += self._recipients_outside()
        said += [
            text("letter-receipt", name=wording.short(each.processor, 60), on=wording.day(each.at), sha256=each.sha256[:DIGITS])
            for each in self.request.receipts[:MOST]
        ]
        said.append(text("letter-recipients-ask-article", law=self._law()) if self._law() else text("letter-recipients-ask"))
        return Row(text("letter-row-received"), *state, tuple(said))

    def _recipients_outside(self) -> list[str]:
        """What is declared of recipients of the whole case."""
        return [
            text("letter-recipients-outside", what=_theirs(wording.short(each.what, 120).rstrip(" .")))
            for each in recipients_outside(self.letter)
        ][:MOST]

    def _next(self) -> Iterator[str]:
        """What the controller undertook, by the log; where it undertook nothing about what is left, the reply has to say it."""
        if self.contradictions:
            yield text("letter-contradicted")
        if self.request.undertaking is not None:
            what = _theirs(self.request.undertaking.what.rstrip(" ."))
            yield undertaken(self.letter, self.request.undertaking, what)
        promised = self.request.undertaking is not None and not is_settled(self.letter)
        if not promised and (unsettled(self.letter) or not_notified(self.letter)):
            yield text("letter-next-reply")

    def _law(self) -> str:
        return "" if self.request.regime is Regime.CCPA else text(f"letter-law-{self.request.regime.value}")

    def rights(self) -> LegalRemedies:
        """Where to complain, and the way to court, by the law of the request."""
        return legal_remedies(self.request.regime, self.letter.audit.finished_at.date(), self.letter.sender.authority)

    def statements(self) -> tuple[str, ...]:
        """What the promise rests on, in plain words; what this version has no words for is a further point, once."""
        promise = self.model.promise
        if promise is None or self.model.forgot not in {"shown", "supported"}:
            return ()
        said = {name: self._statement(name) for name in promise.statements}
        return tuple(
            text("letter-statement-unsaid", said=words) if name in promise.unsaid else words for name, words in said.items()
        )

    def stated(self) -> str:
        """Whose word the statements under a promise are: of those that are attested, and no others."""
        word, promise = self.request.word, self.model.promise
        if word is None or promise is None or not self.statements():
            return ""
        count = len(set(promise.statements) & set(word.names))
        if not count:
            return ""
        said = text("letter-stated-by", count=count, by=wording.short(word.by, 80), on=wording.day(word.at))
        return f"{said} {text('letter-stated-before')}" if word.at < self.request.received_on else said

    def further(self) -> tuple[str, ...]:
        """What else is attested that bears on this request, by its names."""
        word, promise = self.request.word, self.model.promise
        if word is None:
            return ()
        listed = set(promise.statements) if promise is not None and self.statements() else set()
        return tuple(each for each in word.names if each not in listed)

    def further_by(self) -> str:
        """Whose word that is."""
        word = self.request.word
        if word is None or not self.further():
            return ""
        name = "letter-further-by-before" if word.at < self.request.received_on else "letter-further-by"
        return text(name, by=wording.short(word.by, 80), on=wording.day(word.at))

    def _statement(self, name: str) -> str:
        """A statement in words; of backups, one that names a day only where one is declared."""
        promise = self.model.promise
        is_said = promise is not None and name not in promise.unsaid
        dated = any(each.until and examination.declared((each,), examination.BACKUPS) for each in self.letter.case.outside)
        return text("letter-statement-backups-by") if name == "backups-clean" and dated and is_said else _statement(name)

    def number(self) -> Iterator[str]:
        """What the number means, and what it does not cover."""
        promise = self.model.promise
        if promise is None or self.model.forgot not in {"shown", "supported"}:
            return
        yield text("letter-number-game", **self.whose)
        yield text(f"letter-number-{promise.origin}", count=len(promise.statements), **self.whose)
        if promise.share >= NO_USE:
            yield text("letter-number-useless")
        covers = "person" if promise.person else "request" if self.request.subject is None else "own"
        yield text(f"letter-number-{covers}", count=promise.records)
        yield text("letter-number-not")

    def found(self) -> Iterator[str]:
        """What the audit found of the model that should not be, but for what the first page says."""
        on_the_first_page = {*self.gives_away, *self.model.broke_off}
        yield from _sentences(each for each in self.model.failed if each not in on_the_first_page)

    def unsettled(self) -> Iterator[str]:
        """What the audit tested and could not settle; what an attack found is no longer open."""
        ids = (*self.model.open, *self.model.broke_off, *self.model.unsettled)
        yield from dict.fromkeys(said for each in ids if (said := _words(each).open_question))

    def limits(self) -> Iterator[str]:
        """What the audit left out."""
        if self.letter.audit.quick:
            yield text("letter-limits-quick")

    def places(self) -> Iterator[str]:
        """Places that no check looks into, as declared."""
        if self.request.status != "executed":
            return
        for each in self.letter.case.outside[:MOST]:
            given = {"name": wording.short(each.name, 60), "what": wording.short(each.what, 120)}
            given["by"] = wording.short(each.declared_by, 60)
            if each.until is None:
                yield text("letter-outside-plain", **given)
            else:
                yield text(f"letter-outside-{gone(self.letter, each)}", until=wording.day(each.until), **given, **self.whose)

        for one in self.request.made[:MOST]:
            given = {"name": wording.short(one.name, 60), "by": wording.short(one.declared_by, 60)}
            yield text("letter-made", said=sentences(one.descent, one.day, one.made_on, one.plan), **given)

    def about(self) -> Iterator[str]:
        """Who ran the audit, and what the letter is not."""
        yield text(f"letter-run-by-{self.letter.audit.relation or 'unsaid'}")
        promise = self.model.promise
        if promise is not None and promise.origin == "declared" and tuple(self.number()):
            yield text("letter-limits-declared")
        yield text(self._of_places("letter-not-advice"))
        yield text("letter-only-yours")
        yield text("letter-verify")

    def goes_with(self) -> str:
        """How the letter goes with the controller's reply, which may have gone out long before the audit."""
        since = "since" if self.answered_before() else "with"
        return text(f"letter-goes-{since}", executed="yes" if self.request.status == "executed" else "no")


def is_settled(letter: Extract) -> bool:
    """Whether the log records the erasure, and neither it nor the audit has anything that is left of the data.

    What was undertaken before is then no longer promised: it may long be done.
    """
    return letter.request.status == "executed" and not (unsettled(letter) or is_marked(letter))


def undertaken(letter: Extract, undertaking: Undertaking, what: str) -> str:
    """Say what the controller undertook; of a day that had passed when the audit ended, that it has."""
    if is_settled(letter):
        by, erased = ("" if each is None else wording.day(each) for each in (undertaking.by, letter.request.erased_on))
        said = text("letter-next-undertook-by", what=what, on=by) if by else text("letter-next-undertook", what=what)
        return f"{said} {text('letter-next-erased', on=erased)}" if erased else said
    if undertaking.by is None:
        return text("letter-next-undertaken", what=what)
    passed = undertaking.by < letter.audit.finished_at.date()
    return text("letter-next-passed" if passed else "letter-next-undertaken-by", what=what, on=wording.day(undertaking.by))


def in_use(letter: Extract) -> str:
    """Say since when this version of the model is in use, as declared, or that it cannot be; empty where nobody says."""
    since = letter.case.in_use_since
    if since is None:
        return ""
    ahead = since > letter.audit.finished_at.date()
    name = "letter-in-use-not" if letter.case.in_use_too_early else f"letter-in-use{'-from' if ahead else ''}"
    return text(name, on=wording.day(since))


def gone(letter: Extract, place: OutsidePlace) -> Literal["open", "before", "found", "marked", "until"]:
    """Say what the day by which nothing is left in a place comes to for this request."""
    request = letter.request
    marked = request.storage_state is StorageState.LOGICAL
    return examination.gone(place.until, request.erased_on, found=request.search == "found", marked=marked)


def notified(letter: Extract, recipient: Recipient, length: int) -> str:
    """Say if those who received the data were notified, by the log, and if its days have that before the erasure."""
    which = "s" if recipient.name is None else ""
    given = {} if recipient.name is None else {"name": wording.short(recipient.name, length)}
    if not recipient.notified:
        return text(f"letter-recipient{which}-untold", **given)
    if recipient.notified_at is None:
        return text(f"letter-recipient{which}-told-undated", **given)
    erased = letter.request.erased_on
    early = "-early" if erased is not None and recipient.notified_at.date() < erased else ""
    return text(f"letter-recipient{which}-told{early}", on=wording.day(recipient.notified_at), **given)


def not_notified(letter: Extract) -> bool:
    """Whether somebody who received the data has not been notified of the erasure, by the log."""
    return letter.request.status == "executed" and any(not each.notified for each in letter.request.recipients or ())


def lateness(letter: Extract, done: date | None) -> tuple[str, ...]:
    """Say of the day on which something was done that it is after the due date, or after the answer."""
    return tuple(_Saying(letter).lateness(done))


def denies_a_model(letter: Extract) -> bool:
    """Say whether the controller attests that no model was trained."""
    return letter.request.word is not None and NO_MODEL in letter.request.word.names


def is_marked(letter: Extract) -> bool:
    """Say whether the log itself calls the data marked as erased, and still there."""
    return _Saying(letter).is_marked


def confirmation(letter: Extract) -> tuple[str, ...]:
    """Say that the receipt was confirmed late, where it was."""
    return tuple(_Saying(letter).confirmation())


def due_notes(letter: Extract) -> tuple[str, ...]:
    """Say why the day by which an answer is due is another one than a count from the receipt gives."""
    return tuple(_Saying(letter).due_notes())


def answered_before(letter: Extract) -> bool:
    """Say whether the person was answered before the audit ended: nothing that the audit found was in that answer."""
    return _Saying(letter).answered_before()


def earlier_answer(letter: Extract) -> tuple[str, ...]:
    """Say when the person was answered, whether that was late, and what of it an audit contradicts."""
    said = _Saying(letter)
    late = letter.request.late or letter.request.in_doubt
    due = (text("letter-due", on=wording.day(letter.request.due_on)), *said.due_notes()) if late else ()
    return *due, *said.answer()


_UNVERIFIED: Final = re.compile(
    r"\b7022\s*\(a\)|\b(?:identity|who you are)\b.*\bnot\b.*\bverif|\bnot\b.*\bverif.*\b(?:identity|who you are)\b", re.IGNORECASE
)
"""Words by which a refusal in California rests on 11 CCR 7022(a): nobody could verify who asked."""


def is_unverified(request: RequestPart) -> bool:
    """Say whether a business in California refused since it could not verify who asked: it relies on no exception then."""
    said = request.exception or ""
    if request.regime is not Regime.CCPA or request.status != "denied" or "1798." in said:
        return False
    return _UNVERIFIED.search(said) is not None


def exception_in_words(regime: Regime, said: str | None, shown: str) -> str:
    """Say of an exception that names a point of Article 17(3) what that is about."""
    point = _EXCEPTION.search(said or "") if regime is not Regime.CCPA else None
    return shown if point is None else text(f"letter-exception-{point[1].lower()}", said=shown)


def extension(letter: Extract) -> tuple[str, ...]:
    """Say that the controller took more time, and what that moved."""
    return tuple(_Saying(letter).extension())


def recipients_outside(letter: Extract) -> tuple[OutsidePlace, ...]:
    """Give what is declared of recipients of the whole case, unless the log names for this request all whom it may name."""
    listed = [each.name for each in letter.request.recipients or () if each.name]
    return tuple(
        each for each in examination.of_kind(letter.case.outside, examination.RECIPIENTS) if not _is_named(each.what, listed)
    )


def _is_named(what: str, names: Sequence[str]) -> bool:
    """Whether a text names one of some recipients and, as far as its capitals and signs show, nobody else."""
    rest = what
    for name in sorted(names, key=len, reverse=True):
        rest = re.sub(re.escape(name), "", rest, flags=re.IGNORECASE)
    return rest != what and not re.search(r"[,;/&+\n]|\band\b", rest) and rest.lstrip().lower() == rest.lstrip()


def needed(regime: Regime, awaits: str) -> str:
    """Ask for what the controller waits for, in the words of the law of the request."""
    law = "" if regime is Regime.CCPA else text(f"letter-law-{regime.value}")
    other = "-ccpa" if awaits == Awaited.IDENTITY.value and regime is Regime.CCPA else ""
    return text(f"reply-needed-{awaits}{other}", law=law)


def first_capital(said: str) -> str:
    """A text with a capital at its beginning."""
    return f"{said[:1].upper()}{said[1:]}"


def unsettled(letter: Extract) -> bool:
    """Whether something is left to do about a request that the audit cannot know: it is for the controller to say what."""
    request = letter.request
    undone = request.status == "executed" and (letter.model.forgot == "failed" or bool(_Saying(letter).gives_away))
    still_open = request.status == "open" and not request.waiting
    return request.search == "found" or undone or still_open or bool(_contradictions(letter))


def _contradictions(letter: Extract) -> tuple[str, ...]:
    """Codes of what the log says against itself, but for what the status itself answers."""
    answered = {NOT_LOCATED} if letter.request.status == "not-located" else set()
    return tuple(code for code in letter.request.findings if code not in answered)


def awaited(pause: ClockPause) -> str:
    """Give what the person was asked for: details where the log does not say."""
    return (pause.awaits or Awaited.DETAILS).value


def _awaited(pauses: Sequence[ClockPause]) -> str:
    """What the person was asked for in all of some pauses; "several" where these differ."""
    kinds = set(map(awaited, pauses)) or {Awaited.DETAILS.value}
    return kinds.pop() if len(kinds) == 1 else "several"


def _theirs(said: str | None) -> str:
    """A text of the controller's, between quotation marks."""
    return "" if said is None else f"“{wording.short(said, LONGEST)}”"


def _of(role: Role, ids: Iterable[str]) -> set[str]:
    """Those of some checks that have a role."""
    return set(with_role(role)) & set(ids)


_NO_WORDS: Final = LetterWords("")


def _words(check_id: str) -> LetterWords:
    """What a letter says of a check; nothing of one that this version does not know."""
    found = definitions().get(check_id)
    return _NO_WORDS if found is None or found.card.letter is None else found.card.letter


def _sentences(ids: Iterable[str]) -> Iterator[str]:
    """What checks found, each thing once."""
    yield from dict.fromkeys(said for each in ids if (said := _words(each).found))


def _statement(name: str) -> str:
    try:
        return text(f"letter-statement-{name}")
    except KeyError:
        return text("letter-statement-other")


def _topics(letter: Extract) -> tuple[str, ...]:
    """What checks that did not run leave open, and none that ran answers."""
    said = {check_id: each.card.letter for check_id, each in definitions().items() if each.card.letter is not None}
    missing = set(letter.model.not_run)
    answered = {
        words.open_question
        for check_id, words in said.items()
        if check_id not in missing or any(other in said and other not in missing for other in words.answered_by)
    }
    topics = dict.fromkeys(said[check_id].open_question for check_id in letter.model.not_run if check_id in said)
    return tuple(topic for topic in topics if topic and topic not in answered)
