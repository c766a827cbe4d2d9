"""Say in one line, and in short, what became of a request: the worst of what is known of it."""

from __future__ import annotations

from auditor.base.deletion_log.deadlines import says_nothing
from auditor.pages.letters import (
    punctuality,
    recipients,
    statements,
    stored_data,
)
from auditor.pages.letters.known import Known
from auditor.pages.letters.rows import BAD, GOOD, NONE, OPEN, PART
from auditor.pages.words.texts import text


def head(known: Known) -> tuple[str, tuple[str, str]]:
    """Say in one line what became of it."""
    name, tone = outcome(known)
    return text(known.of_places(f"letter-head-{name}"), **known.whose), tone


def outcome(known: Known) -> tuple[str, tuple[str, str]]:
    """What became of it, the gravest first."""
    request = known.request
    if request.status == "executed":
        name, tone = _executed(known)
    elif request.search == "found":
        name, tone = "no-match-found", BAD
    elif known.contradictions and request.status != "unknown":
        name, tone = "contradicted", OPEN
    elif request.status == "denied" and (says_nothing(request.reason) or says_nothing(request.exception)):
        name, tone = "denied-bare" if says_nothing(request.reason) else "denied-groundless", BAD
    else:
        # What a doubt about the person leaves open is not called late.
        late = request.status == "open" and request.late and not request.in_doubt
        while_open = f"{request.status}-{'marked' if known.is_marked else 'erased'}"
        name = while_open if punctuality.is_erased_while_open(request) else request.status
        name = f"{name}-missing" if known.is_missing else name
        name, tone = f"{name}-late" if late else name, BAD if late else OPEN if known.is_missing else NONE
    return name, tone


def _executed(known: Known) -> tuple[str, tuple[str, str]]:
    """The worst of what is known of an erasure."""
    request, forgot = known.request, known.model.forgot
    worst = (
        (request.search == "found", "found", BAD),
        (known.is_other, "other", BAD),
        (known.is_refuted, "refuted", BAD),
        (forgot == "failed", "failed", BAD),
        (known.is_prepared, "prepared", BAD),
        (bool(known.gives_away), "given-away", BAD),
        (bool(known.untrue), "untrue", BAD),
        (bool(known.contradictions), "contradicted", OPEN),
        (known.is_marked and request.search == "not-found", "marked", OPEN),
        (not known.letter.confirmed, _unconfirmed(known), OPEN),
        (punctuality.is_missed(request, request.erased_on), "late", OPEN),
        (punctuality.is_missed(request, request.model_erased_on), "updated-late", OPEN),
        (request.late and not request.in_doubt, "answered-late", OPEN),
        (punctuality.is_doubtful(request), "in-doubt", OPEN),
        (forgot == "attacks" and known.is_unsettled_of_the_file, "untested", OPEN),
    )
    for is_so, name, tone in worst:
        if is_so:
            return name, tone
    promise = known.model.promise
    trusted = promise is None or bool(promise.statements)
    return "confirmed", PART if trusted or forgot != "shown" else GOOD


def _unconfirmed(known: Known) -> str:
    """The first thing that the audit could not confirm: what is stored comes before the model."""
    if known.request.may_be_others == "own":
        return "search-said"
    if known.request.search != "not-found":
        left = "doubt" if known.request.doubts and not stored_data.may_be_quoted(known.request) else "open"
        return f"search-{left if known.request.search == 'open' else 'none'}"
    if known.letter.case.places_alone:
        return "places"
    if known.model.forgot in {"open", "not-examined"}:
        return f"forgot-{'open' if known.model.forgot == 'open' else 'none'}"
    return f"model-{known.letter.case.model_seen or 'unseen'}"


def short(known: Known) -> str:
    """Conclude for this person alone: the report's own conclusion may be what it is for somebody else's sake."""
    if known.request.status != "executed":
        return ""
    name, tone = _executed(known)
    kept = ""
    if known.request.kept:
        past = all(known.has_passed(each.until) for each in known.request.kept)
        kept = f" {text('letter-short-kept-past' if past else 'letter-short-kept')}"
    if name == "confirmed" and not punctuality.is_unanswered(known.letter) and not recipients.is_disputed(known.letter):
        return text("letter-short-confirmed", statements=len(statements.statements(known))) + kept
    against = tone is BAD or name == "contradicted"
    return text("letter-short-against" if against else "letter-short-open", late=_in_time(known)) + kept


def _in_time(known: Known) -> str:
    """What of an erasure was not in time or in order, as a conclusion says it, the gravest first; or `no`."""
    request = known.request
    days = (request.erased_on, request.model_erased_on, request.answered_on)
    for name, is_so in (
        ("late", any(punctuality.is_missed(request, each) for each in days) or (request.late and not request.in_doubt)),
        ("unanswered", punctuality.is_unanswered(known.letter)),
        ("perhaps", punctuality.is_doubtful(request)),
        ("marked", known.is_marked),
        ("received", bool(recipients.receipts_against(known.letter))),
        ("notified", bool(recipients.receipts_of_untold(known.letter) or recipients.receipts_before_notice(known.letter))),
        ("answered-first", any(punctuality.is_after_answer(request, each) for each in days[:2])),
    ):
        if is_so:
            return name
    return "no"
