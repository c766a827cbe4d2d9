"""Lay out in words what one person's extract says: a headline, dates, a table, and what is overleaf.

Pure: an `Extract` in, texts of the catalogue out. "Erased on" and "updated on" are said only where the audit confirms both parts:
what is stored, and what the model keeps. Elsewhere a date is what our log records.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from auditor.base.deletion_log.deadlines import RULES
from auditor.base.deletion_log.deletions import NOT_LOCATED
from auditor.base.domain import ClaimStatus, Regime, StorageState
from auditor.pages import wording
from auditor.pages.letters.parts import Extract
from auditor.pages.words import guesses
from auditor.pages.words.texts import text
from auditor.verdict.checks import definitions, with_role
from auditor.verdict.checks.card import Role
from auditor.verdict.grade import NO_USE

LONGEST: Final = 260
"""Characters of a text of the controller's that a letter prints: it has two pages at most."""
MOST: Final = 4
"""Recipients, or places, that a letter names one by one."""
MOST_TOPICS: Final = 3
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
class Question:
    """A question about the model that the audit did not answer well, and its answer."""

    question: str
    answer: str


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
    rights: tuple[str, ...]
    statements: tuple[str, ...]
    number: tuple[str, ...]
    questions: tuple[Question, ...]
    contradictions: tuple[str, ...]
    topics: tuple[str, ...]
    limits: tuple[str, ...]
    places: tuple[str, ...]
    about: tuple[str, ...]


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
        rights=tuple(say.rights()),
        statements=say.statements(),
        number=tuple(say.number()),
        questions=tuple(say.questions()),
        contradictions=tuple(text(f"letter-finding-{code}") for code in say.contradictions),
        topics=_topics(letter)[:MOST_TOPICS],
        limits=tuple(say.limits()),
        places=tuple(say.places()),
        about=tuple(say.about()),
    )


class _Saying:
    """One extract, with the words for whose data it is about."""

    def __init__(self, letter: Extract) -> None:
        """Settle whose data it is: without a subject in the log nobody knows whether all of it is this person's."""
        self.letter, self.request, self.model = letter, letter.request, letter.model
        whose = "yours" if letter.request.subject is not None else "request"
        self.whose = {"data": text(f"letter-data-{whose}"), "Data": text(f"letter-data-{whose}-first")}
        answered_elsewhere = {NOT_LOCATED} if letter.request.status == "not-located" else set()
        self.contradictions = tuple(code for code in letter.request.findings if code not in answered_elsewhere)

    def head(self) -> tuple[str, tuple[str, str]]:
        """What became of it, the gravest first."""
        request = self.request
        if request.status == "executed":
            name, tone = self._executed()
        elif request.search == "found":
            name, tone = "no-match-found", BAD
        elif self.contradictions and request.status != "unknown":
            name, tone = "contradicted", OPEN
        else:
            late = request.status == "open" and request.late
            name, tone = f"{request.status}-late" if late else request.status, BAD if late else NONE
        return text(f"letter-head-{name}", **self.whose), tone

    def _executed(self) -> tuple[str, tuple[str, str]]:
        if self.request.search == "found":
            return "found", BAD
        if self.model.forgot == "failed":
            return "failed", BAD
        if self.contradictions:
            return "contradicted", OPEN
        if not self.letter.confirmed:
            return "partly", OPEN
        promise = self.model.promise
        trusted = promise is None or bool(promise.statements)
        return "confirmed", PART if trusted or self.model.forgot != "shown" else GOOD

    def short(self) -> str:
        """Conclude for this person alone: the report's own conclusion may be what it is for somebody else's sake."""
        if self.request.status != "executed":
            return ""
        name, _ = self._executed()
        if name == "confirmed":
            return text("letter-short-confirmed", statements=len(self.statements()))
        return text("letter-short-open" if name == "partly" else "letter-short-against")

    def dates(self) -> Iterator[str]:
        """Receipt, deadline, extension and answer."""
        request = self.request
        yield text("letter-received", on=wording.day(request.received_on))
        extension = request.extension
        if extension is not None and request.extended and extension.notified_at is not None:
            told, reason = wording.day(extension.notified_at), _theirs((extension.reason or "").rstrip(" ."))
            yield text("letter-extended", told=told, reason=reason, until=wording.day(request.due_on))
        else:
            if extension is not None:
                yield text("letter-extension-void")
            if request.waiting:
                yield text("letter-waiting")
            elif request.status != "revoked":
                over = request.answered_on is not None or request.late or request.due_on < self.letter.audit.finished_at.date()
                yield text("letter-due" if over else "letter-is-due", on=wording.day(request.due_on))
                if over and request.answered_on is None and not request.late:
                    yield text("letter-answer-unsaid")
        if request.paused_days:
            yield text("letter-paused", days=str(request.paused_days))
        if request.answered_on is not None:
            yield text("letter-answered", on=wording.day(request.answered_on))
        if request.late:
            yield text("letter-late" if request.answered_on is None else "letter-late-answer")

    def rows(self) -> Iterator[Row]:
        """The table, by what became of the request."""
        match self.request.status:
            case "executed":
                yield from (self._stored(), self._version(), self._forgot(), self._recipients())
            case "denied":
                yield from self._refusal()
            case "open":
                yield Row(
                    text("letter-row-stored"), text("letter-word-not-yet"), *NONE, (text("letter-not-erased", **self.whose),)
                )
                yield Row(text("letter-row-model"), text("letter-word-not-yet"), *NONE, (text("letter-not-updated"),))
            case "no-match" if self.request.search == "found":
                yield self._found_row("letter-no-match-found")
            case "no-match" | "not-located" as status:
                yield self._found_row(f"letter-{status}", "letter-further")
            case status:
                yield self._found_row(f"letter-{status}")
        if following := tuple(self._next()):
            yield Row(text("letter-row-next"), "", *NONE, following)
        if self.request.status == "executed":
            said = (text("letter-unchecked-said"),) if self.letter.case.outside else ()
            base = (text("letter-unchecked-base"),) if self.letter.case.builds_on_files else ()
            yield Row(text("letter-row-unchecked"), "", *NONE, (text("letter-unchecked"), *base, *said))

    def _found_row(self, *names: str) -> Row:
        return Row(text("letter-row-found"), "", *NONE, tuple(text(name, **self.whose) for name in names))

    def _refusal(self) -> Iterator[Row]:
        request = self.request
        yield Row(text("letter-row-decision"), text("letter-word-refused"), *NONE, (text("letter-denied", **self.whose),))
        if request.ground is not None:
            yield Row(text("letter-row-ground"), "", *NONE, (_theirs(request.ground),))
        exception = text("letter-no-exception") if request.exception is None else _theirs(request.exception)
        yield Row(text("letter-row-exception"), "", *NONE, (exception,))
        yield Row(
            text("letter-row-reason"),
            "",
            *NONE,
            (text("letter-no-reason") if request.reason is None else _theirs(request.reason),),
        )

    def _stored(self) -> Row:
        request = self.request
        if request.erased_on is None:
            dated = text("letter-undated")
        else:
            dated = text("letter-erased" if self.letter.confirmed else "letter-dated", on=wording.day(request.erased_on))
        word, found, tone = {
            "not-found": ("letter-word-gone", "letter-searched-in-part", PART)
            if request.by_word
            else ("letter-word-gone", "letter-searched-store", GOOD),
            "found": ("letter-word-found", "letter-found", BAD),
            "open": ("letter-word-undecided", "letter-search-open", OPEN),
            "not-examined": ("letter-word-unchecked", "letter-search-none", NONE),
        }[request.search]
        logical = (text("letter-logical"),) if request.storage_state is StorageState.LOGICAL else ()
        return Row(text("letter-row-stored"), text(word), *tone, (dated, text(found, **self.whose), *logical))

    def _version(self) -> Row:
        request, case = self.request, self.letter.case
        if request.model_erased_on is None:
            updated = text("letter-update-undated")
        else:
            on = wording.day(request.model_erased_on)
            updated = text("letter-updated" if self.letter.confirmed else "letter-update-dated", on=on)
        if case.in_use_since is None:
            used = text("letter-in-use-unsaid")
        else:
            ahead = case.in_use_since > self.letter.audit.finished_at.date()
            used = text("letter-in-use-from" if ahead else "letter-in-use", on=wording.day(case.in_use_since))
        seen: tuple[str, ...] = ()
        word, tone = "letter-word-examined", GOOD
        if not set(with_role(Role.COMPARES_FILE)).isdisjoint(self.model.failed):
            word, tone, seen = "letter-word-other", BAD, (text("letter-model-other"),)
        elif not case.model_examined:
            saw = "answers" if case.answers_alone else case.model_seen or "unseen"
            word, tone, seen = "letter-word-unchecked", NONE, (text(f"letter-model-{saw}"),)
        return Row(text("letter-row-model"), text(word), *tone, (updated, used, *seen))

    def _forgot(self) -> Row:
        label, promise = text("letter-row-forgot"), self.model.promise
        if self.model.forgot in {"shown", "supported"} and promise is not None:
            said = (text("letter-guesses", most=guesses.at_most(promise.share), **self.whose), self._rests_on(), *self._picked())
            tone = (
                OPEN
                if promise.share >= NO_USE
                else GOOD
                if promise.status is ClaimStatus.SHOWN and not promise.statements
                else PART
            )
            return Row(label, guesses.hardness(promise.share), *tone, said)
        word, name, tone = {
            "attacks": ("letter-word-no-trace", "letter-attacks", PART),
            "failed": ("letter-word-unconfirmed", "letter-forgot-failed", BAD),
            "not-examined": ("letter-word-unchecked", "letter-forgot-unchecked", NONE),
        }.get(self.model.forgot, ("letter-word-undecided", "letter-forgot-open", OPEN))
        return Row(label, text(word), *tone, (text(name, **self.whose), *self._picked()))

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
        if recipients is None:
            said.append(text("letter-recipients-unsaid"))
        elif not recipients:
            said.append(text("letter-recipients-none"))
        for each in (recipients or ())[:MOST]:
            name = text("letter-recipients-all") if each.name is None else wording.short(each.name, 60)
            if not each.notified:
                said.append(text("letter-recipient-untold", name=name))
            elif each.notified_at is None:
                said.append(text("letter-recipient-told-undated", name=name))
            else:
                said.append(text("letter-recipient-told", name=name, on=wording.day(each.notified_at)))
        if recipients and len(recipients) > MOST:
            said.append(text("letter-recipients-more", count=len(recipients) - MOST))
        said.append(text("letter-recipients-ask-article", law=self._law()) if self._law() else text("letter-recipients-ask"))
        return Row(text("letter-row-received"), "", *NONE, tuple(said))

    def _next(self) -> Iterator[str]:
        """What the controller will do, and by when."""
        request, doing = self.request, []
        if request.status == "executed" and request.search == "found":
            doing.append(text("letter-next-found"))
        if request.status == "executed" and self.model.forgot == "failed":
            doing.append(text("letter-next-failed", **self.whose))
        if self.contradictions:
            doing.append(text("letter-contradicted"))
        if request.status == "open":
            doing.append(text("letter-next-open"))
        if not doing:
            return
        yield from doing
        if request.waiting:
            yield text("letter-next-then")
            return
        # Where the deadline has passed, as long as the law gives for a first answer, from the end of the audit.
        audited = self.letter.audit.finished_at.date()
        by = request.due_on if request.due_on > audited else RULES[request.regime].first.after(audited)
        yield text("letter-next-by", on=wording.day(by))

    def _law(self) -> str:
        return "" if self.request.regime is Regime.CCPA else text(f"letter-law-{self.request.regime.value}")

    def rights(self) -> Iterator[str]:
        """Where else to complain, and the way to court."""
        match self.request.regime:
            case Regime.EU:
                yield text("letter-rights-elsewhere", law=self._law())
            case Regime.UK:
                yield text("letter-rights-court-article", law=self._law())
            case Regime.CCPA:
                yield text("letter-rights-court")

    def statements(self) -> tuple[str, ...]:
        """What the promise rests on, in plain words; what this version has no words for is a further point, once."""
        promise = self.model.promise
        if promise is None or self.model.forgot not in {"shown", "supported"}:
            return ()
        said = {name: _statement(name) for name in promise.statements}
        return tuple(
            text("letter-statement-unsaid", said=words) if name in promise.unsaid else words for name, words in said.items()
        )

    def number(self) -> Iterator[str]:
        """What the number means, and what it does not cover."""
        promise = self.model.promise
        if promise is None or self.model.forgot not in {"shown", "supported"}:
            return
        yield text("letter-number-game", **self.whose)
        yield text("letter-number-limit")
        if promise.share >= NO_USE:
            yield text("letter-number-useless")
        yield text("letter-number-person" if promise.person else "letter-number-request", count=promise.records)
        yield text("letter-number-not")

    def questions(self) -> Iterator[Question]:
        """What failed, and what stayed open."""
        asked: set[str] = set()
        for ids, answer in ((self.model.failed, "letter-failed-no"), (self.model.open, "letter-failed-open")):
            for check_id in ids:
                said = definitions()[check_id].card.letter if check_id in definitions() else None
                if said is not None and said.question not in asked:
                    asked.add(said.question)
                    yield Question(said.question, text(answer))

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
            if each.until is None:
                yield text("letter-outside-plain", **given)
            else:
                yield text("letter-outside-until", until=wording.day(each.until), **given)

    def about(self) -> Iterator[str]:
        """Who ran the audit, and what the letter is not."""
        yield text(f"letter-run-by-{self.letter.audit.relation or 'unsaid'}")
        yield text("letter-limits-declared")
        yield text("letter-not-advice")
        yield text("letter-only-yours")
        yield text("letter-verify")


def _theirs(said: str | None) -> str:
    """A text of the controller's, between quotation marks."""
    return "" if said is None else f"“{wording.short(said, LONGEST)}”"


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
