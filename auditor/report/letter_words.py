"""The letter in words, for somebody who has never heard of machine learning: short sentences, made from an `Extract` alone.

A number after `at most` is rounded up, one after `at least` down: no sentence promises more than was shown.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Final

from auditor import deletions
from auditor.checks import definitions
from auditor.domain import Status, Strength, Verdict
from auditor.letters import Extract
from auditor.report import wording

_OWN_WORDS: Final[Mapping[str, str]] = {
    deletions.NOT_LOCATED: "Some of the data that the log names for your request was not found in the training data.",
    deletions.NO_MATCH_BUT_KNOWN: "The log says that no data of yours was found, but the audit found it in the training data.",
    deletions.LOOKS_LIKE_KNOWN: "The log spells an identifier of yours in a way that only looks like the one that is in use.",
    deletions.MAY_BE_KNOWN: "An identifier in the log's entry for you may be misspelt: the training data holds one like it.",
    deletions.LOOKS_LIKE_RETAINED: "Data that was kept has an identifier that looks like yours. It may be another person's.",
    deletions.EXECUTED_BEFORE_RECEIVED: "The log dates the erasure before your request: one of the two dates is wrong.",
    deletions.EXECUTED_IN_FUTURE: "The log dates the erasure after the day of the audit: it cannot have happened yet.",
    deletions.EXECUTED_WITHOUT_TIME: "The log says that your request was carried out, but not when. The audit takes it as open.",
    deletions.STATUS_CONTRADICTED: "The log gives a date of erasure and also says that there was none.",
    deletions.DUE_BEFORE_RECEIVED: "The log gives a deadline that lies before your request.",
}
_OTHERS: Final = (
    "Some checks cover all requests together. They count, but this letter says nothing about other people's requests."
)
_CONTRADICTIONS: Final = frozenset(_OWN_WORDS) - {deletions.NOT_LOCATED, deletions.MAY_BE_KNOWN, deletions.LOOKS_LIKE_RETAINED}


@dataclass(frozen=True, slots=True)
class Panel:
    """A result in a word or two, with the colour and the shape that go with it."""

    lead: str
    word: str
    tone: str
    mark: str
    note: str


def request_panel(letter: Extract) -> Panel:
    """What became of the request, the gravest first."""
    request = letter.request
    lead = "Your request, by the controller's log"
    carried = _carried_out(letter)
    note = {"executed": f"Erased on {wording.day(carried)}." if carried else "The log gives no date of erasure."}.get(
        request.status, f"Deadline: {wording.day(request.due_on)}."
    )
    if request.search == "found":
        return Panel(
            lead, "Your data was found again", "fail", "■", "It should be gone. The audit found it in what is still kept."
        )
    if _CONTRADICTIONS.intersection(request.findings):
        return Panel(lead, "Unclear", "inconclusive", "◇", "The log contradicts itself about your request.")
    word, tone, mark = {
        "executed": ("Carried out too late", "fail", "■") if is_late(letter) else ("Carried out in time", "plain", "●"),
        "open": ("Not carried out, and overdue", "fail", "■")
        if request.overdue
        else ("Not carried out yet", "inconclusive", "◇"),
        "denied": ("Refused", "plain", "○"),
        "revoked": ("Withdrawn", "plain", "○"),
        "no-match": ("No data of yours was found", "plain", "○"),
        "not-located": (
            ("Not located, and overdue", "fail", "■") if request.overdue else ("Your data was not located", "inconclusive", "◇")
        ),
        "unknown": ("Not known", "inconclusive", "◇"),
    }[request.status]
    if request.status == "executed" and (carried is None or deletions.NOT_LOCATED in request.findings):
        if not is_late(letter):
            word, tone, mark = "Carried out in part" if carried else "Carried out, date unknown", "inconclusive", "◇"
        else:
            word = "Carried out too late, and in part" if carried else word
    return Panel(lead, word, tone, mark, note)


def audit_panel(letter: Extract) -> Panel:
    """The verdict over the whole audit."""
    note = {
        Verdict.PASS: "Every check that decides passed.",
        Verdict.FAIL: "At least one check that decides failed.",
        Verdict.INCONCLUSIVE: "It could not be decided.",
    }[letter.verdict]
    mark = {Verdict.PASS: "●", Verdict.FAIL: "■", Verdict.INCONCLUSIVE: "◇"}[letter.verdict]
    tone = letter.verdict.value
    if letter.strength is Strength.E:
        # A pass that promises nothing useful is never as green as another.
        note, tone, mark = f"{note} It promises nothing useful.", "inconclusive", "◇"
    if letter.request.status != "executed":
        note = f"{note} It does not cover your data."
        tone = "plain" if letter.verdict is Verdict.PASS else tone
    return Panel("The audit as a whole", wording.word(letter.verdict).capitalize(), tone, mark, note)


def is_late(letter: Extract) -> bool:
    """Whether the request was or is late, by the audit's word or by its own dates."""
    carried = _carried_out(letter)
    return letter.request.overdue or (carried is not None and carried > letter.request.due_on)


def asked(letter: Extract) -> str:
    """What was asked for and when, and by when it had to be done."""
    request = letter.request
    whom = wording.short(letter.case.controller, 120) if letter.case.controller else "the controller"
    basis = {
        "calendar-month": "one calendar month after the receipt",
        "days": f"{wording.plural((request.due_on - request.received_on).days, 'day')} after the receipt",
        "log": "the date that the controller's log gives",
    }[request.deadline]
    return (
        f"You asked {whom} to erase your data. The request was received on {wording.day(request.received_on)}. "
        f"The audit takes {wording.day(request.due_on)} as the deadline: {basis}."
    )


def done(letter: Extract) -> tuple[str, ...]:
    """What the controller's log says was done, and what the audit found of it, each kind of ending in its own words."""
    request = letter.request
    said: tuple[str, ...]
    match request.status:
        case "executed":
            said = _executed(letter)
        case "open":
            said = ("By the log, your data has not been erased yet.", _running(letter))
        case "denied":
            said = (
                (
                    "The log says that your request was refused, so your data was not erased. Whether that was right is not "
                    "for this audit to say."
                ),
                (
                    "Where the EU's General Data Protection Regulation applies, the controller has to tell you its reasons "
                    "within one month of your request (Article 12(4))."
                ),
            )
        case "revoked":
            said = (
                "The log says that your request was withdrawn, so your data was not erased. If you did not withdraw it, say so.",
            )
        case "no-match":
            said = (
                (
                    "The log says that the controller found no data of yours to erase. The audit can look for the identifiers "
                    "that the log names. It cannot look for data that is kept under another name."
                ),
            )
        case "not-located":
            said = (
                (
                    "The log names data for your request, but the audit could not find it among the data that the model was "
                    "trained on. So it cannot be said that your data was erased. The controller has to clear this up."
                ),
                _running(letter) if request.overdue else "",
            )
        case "unknown":
            said = ("The log does not say in a way that this letter has words for what became of your request.",)
    own = tuple(_OWN_WORDS[code] for code in request.findings if not (request.status == "not-located" and code == "NOT_LOCATED"))
    return (*(sentence for sentence in said if sentence), *own, *_searched(letter))


def result(letter: Extract) -> tuple[str, ...]:
    """What the verdict means here."""
    said = []
    if letter.request.status != "executed":
        return (
            "The result of the audit as a whole does not cover your data: the audit counts no erasure for your request.",
            _OTHERS,
        )
    if letter.verdict is Verdict.PASS:
        said.append("The audit as a whole passed: every check that decides did.")
        said += _worth(letter)
    elif letter.verdict is Verdict.FAIL:
        said.append("What the log says about your request is the controller's word. The audit as a whole did not pass.")
    elif letter.verdict is Verdict.INCONCLUSIVE:
        said.append("What the log says about your request is the controller's word. The audit could not reach a decision.")
    if not letter.unlearning_decides:
        said.append("But none of the checks that decide examines the forgetting itself.")
    if any(check.id == "model.reproduced" and check.status is Status.FAIL for check in letter.checks):
        said.append("The model about to be released is not the one that the declared erasure gives: it may still hold your data.")
    if not letter.case.unlearns:
        said.append("The declared procedure leaves the model as it is: an erasure does not change it.")
    return (*said, _OTHERS)


def _worth(letter: Extract) -> Iterator[str]:
    """What narrows a pass: it promises nothing useful, or rests on the controller's word or on a policy that asks for little."""
    if letter.strength is Strength.E:
        yield "But it promises nothing useful about any single person."
    if letter.statements:
        them = "a statement" if len(letter.statements) == 1 else f"{len(letter.statements)} statements"
        yield f"The result rests on {them} of the controller that nobody could examine."
    if letter.default_policy_verdict is not letter.verdict:
        yield "The controller's own rules for the audit decided this; by the auditor's usual rules it would not be a pass."


def answers(letter: Extract) -> tuple[tuple[str, Status], ...]:
    """Questions about the model with their answers: those that decide the verdict, and any that failed."""
    asked_of = [check for check in letter.checks if check.required or check.status is Status.FAIL]
    return tuple((question(check.id), check.status) for check in asked_of)


def question(check_id: str) -> str:
    """What a check of the model asks."""
    said = definitions()[check_id].card.letter
    return "" if said is None else said.question


def attacked(letter: Extract) -> str | None:
    """What the attacks of the SWAP test found, in one plain sentence; None where they did not come to an interval.

    The advantage 1 − Q is the difference of two shares (formulas of the SWAP test): how much more often an attack takes an
    erased record for training data than a record never seen.
    """
    if letter.swap is None:
        return None
    status = next((check.status for check in letter.checks if check.id == "swap.quality"), Status.SKIPPED)
    least, most = wording.at_least_points(1 - letter.swap.high), wording.at_most_points(1 - letter.swap.low)
    amount = {Status.PASS: f"at most {most}", Status.FAIL: f"at least {least}"}.get(status, f"between {least} and {most}")
    trust = f" ({wording.percent(letter.swap.confidence)} confidence)" if letter.swap.confidence else ""
    return (
        "The audit also played attacker, with records drawn at random and not with yours. The best attack took erased records "
        f"for training data {amount} percentage points more or less often than records that the model never saw{trust}. Mere "
        "guessing gives 0."
    )


def limits(letter: Extract) -> tuple[str, ...]:
    """What was not examined, and what the letter does not say."""
    case = letter.case
    said = []
    if not case.model_given:
        said.append("The model itself was not handed in. The audit covers the procedure, not any model in use.")
    if not case.store_given:
        said.append("The data that the controller keeps was not handed in. Whether yours is gone from there was not examined.")
    if letter.audit.quick:
        said.append("This was a quick audit with smaller samples. A full one may find more.")
    if letter.audit.capped:
        said.append("The controller's program could not be isolated well enough to trust its answers fully.")
    topics = _left_open(letter)
    if topics and letter.request.status == "executed":
        said.append(f"Not examined: {'; '.join(topics)}.")
    if letter.other_guarantees:
        said.append(f"The full report covers {wording.plural(letter.other_guarantees, 'further guarantee')}.")
    said.append(
        "Nobody looked into backups, caches, other models made from the same data, or copies that others have received. Ask the "
        "controller about them."
    )
    said.append("That the log tells the truth about what was asked and when is the controller's word.")
    return tuple(said)


def _left_open(letter: Extract) -> tuple[str, ...]:
    """What checks that did not run leave open, and none that ran answers."""
    ran = {check.id for check in letter.checks}
    said = {check_id: each.card.letter for check_id, each in definitions().items() if each.card.letter is not None}
    answered = {words.open_question for check_id, words in said.items() if check_id in ran or ran.intersection(words.answered_by)}
    topics = dict.fromkeys(said[check_id].open_question for check_id in letter.not_run)
    return tuple(topic for topic in topics if topic and topic not in answered)


def _carried_out(letter: Extract) -> date | None:
    """The day of the erasure in the offset of the receipt, by which the days were counted."""
    request = letter.request
    if request.status != "executed" or request.deleted_at is None or request.days is None:
        return None
    try:
        return request.received_on + timedelta(days=request.days)
    except OverflowError:
        return None


def _executed(letter: Extract) -> tuple[str, ...]:
    request, carried = letter.request, _carried_out(letter)
    records = "your data" if request.records is None else f"{wording.plural(request.records, 'record')} of yours"
    verb = "were" if request.records is not None and request.records != 1 else "was"
    if carried is None:
        return (f"The log says that {records} {verb} erased, but not when.",)
    taken = (carried - request.received_on).days
    days = f", {wording.plural(taken, 'day')} after your request" if taken > 0 else ""
    late = (carried - request.due_on).days
    if not is_late(letter):
        beside = (
            f"That was in time, {wording.plural(-late, 'day')} before the deadline." if late else "That was the last day in time."
        )
    elif late > 0:
        beside = f"That was {wording.plural(late, 'day')} too late. {_extension(letter)}"
    else:
        beside = "The audit lists it as too late."
    return (
        f"The log says that {records} {verb} erased on {wording.day(carried)}{days}. {beside}".rstrip(),
        (
            "The controller had trained a computer model on that data. A model can keep traces of the data it was trained on, "
            "so it has to be made to forget as well. Whether it did is what the audit examined."
        ),
    )


def _running(letter: Extract) -> str:
    if not letter.request.overdue:
        return "On the day of the audit the deadline had not passed."
    return (
        f"The audit lists your request as overdue: the deadline passed before it was carried out. {_extension(letter)}".rstrip()
    )


def _extension(letter: Extract) -> str:
    if letter.request.deadline != "calendar-month":
        return ""
    return (
        "Where the EU's General Data Protection Regulation applies, a controller may take up to two months more if that is "
        "necessary and it tells you so within the first month (Article 12(3)). The audit does not consider extensions."
    )


def _searched(letter: Extract) -> tuple[str, ...]:
    match letter.request.search:
        case "found":
            return (
                (
                    "The audit searched what was handed in to it for the data of your request and found it. So it had not been "
                    "erased everywhere. The controller has to erase it there too."
                ),
            )
        case "not-found":
            store = "" if letter.case.store_given else " The controller's own data store was not among them."
            return (f"The data of your request was not found in the places that the audit could search.{store}",)
        case "open":
            return ("The audit searched for the data of your request, but could not decide whether it is gone.",)
        case "not-examined":
            return ()
