"""Say who received the data, and who of them was notified of the erasure."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

from auditor.base.deletion_log import receipts
from auditor.base.deletion_log.requests import Recipient
from auditor.pages import wording
from auditor.pages.letters import punctuality
from auditor.pages.letters.known import Known
from auditor.pages.letters.own_words import theirs
from auditor.pages.letters.parts import Extract
from auditor.pages.letters.rows import MOST, NONE, OPEN, Row
from auditor.pages.words.texts import text
from auditor.settings.documents import OutsidePlace
from auditor.verdict import examination

DIGITS: Final = 16
"""Of a receipt's digest that are printed; letter.json has all."""
MOST_NAMES: Final = 12
"""Recipients beyond those that are named with what they were told."""


def recipients(known: Known) -> Row:
    """Who received the data by the log, the receipts and what is declared, and who was notified."""
    recipients, said = known.request.recipients, []
    state = ("", *NONE)
    if recipients is None:
        unsaid = [] if known.request.receipts else [text("letter-recipients-unsaid")]
        said += _recipients_outside(known) or unsaid
    elif not recipients:
        said += _nobody(known)
        if known.request.receipts or recipients_outside(known.letter):
            state = (text("letter-word-undecided"), *OPEN)
    elif any(is_impossible(known.letter, each) for each in recipients):
        state = (text("letter-word-undecided"), *OPEN)
    # Who is still to be notified comes first.
    ordered = sorted(recipients or (), key=lambda each: each.notified)
    said += [notified(known.letter, each, 60) for each in ordered[:MOST]]
    if against := tuple(_against_notices(known)):
        state = (text("letter-word-undecided"), *OPEN)
        said += against
    for told in (False, True):
        if more := [wording.short(each.name, 60) for each in ordered[MOST:] if each.name and each.notified is told]:
            kind = "told" if told else "untold"
            said.append(text(f"letter-recipients-more-{kind}", names=wording.listed(more, MOST_NAMES)))
    if recipients:
        said += _recipients_outside(known)
    if may_be_others(known.letter):
        said.append(text("letter-recipients-others", **known.whose))
    said += [
        text("letter-receipt", name=wording.short(each.processor, 60), on=wording.day(each.at), sha256=each.sha256[:DIGITS])
        for each in known.request.receipts[:MOST]
    ]
    said.append(text("letter-recipients-ask-article", law=known.law) if known.law else text("letter-recipients-ask"))
    return Row(text("letter-row-received"), *state, tuple(said))


def _against_notices(known: Known) -> Iterator[str]:
    """Receipts that do not agree with who was notified by the log, and when."""
    for kind, names in (("untold", receipts_of_untold(known.letter)), ("notice", receipts_before_notice(known.letter))):
        if names:
            yield text(f"letter-recipients-against-{kind}", names=wording.listed(names, MOST_NAMES))


def _nobody(known: Known) -> Iterator[str]:
    """That nobody received it by the log, and who is named all the same."""
    yield text("letter-recipients-none")
    declared = _recipients_outside(known)
    yield from declared
    if named := receipts_against(known.letter):
        yield text("letter-recipients-against", names=wording.listed(named, MOST_NAMES))
    elif given := dict.fromkeys(wording.short(each.processor, 60) for each in known.request.receipts):
        yield text("letter-recipients-against-all", names=wording.listed(given, MOST_NAMES), **known.whose)
    elif declared:
        yield text("letter-recipients-contradict", **known.whose)


def _recipients_outside(known: Known) -> list[str]:
    """What is declared of recipients of the whole case."""
    return [
        text("letter-recipients-outside", what=theirs(wording.short(each.what, 120).rstrip(" .")))
        for each in recipients_outside(known.letter)
    ][:MOST]


def notified(letter: Extract, recipient: Recipient, length: int) -> str:
    """Say if those who received the data were notified, by the log, and if its days have that before the erasure."""
    which = "s" if recipient.name is None else ""
    given = {} if recipient.name is None else {"name": wording.short(recipient.name, length)}
    if not recipient.notified:
        return text(f"letter-recipient{which}-untold", **given)
    if recipient.notified_at is None:
        return text(f"letter-recipient{which}-told-undated", **given)
    erased = letter.request.erased_on
    if is_impossible(letter, recipient):
        return text(f"letter-recipient{which}-told-impossible", on=wording.day(recipient.notified_at), **given)
    early = "-early" if erased is not None and recipient.notified_at.date() < erased else ""
    return text(f"letter-recipient{which}-told{early}", on=wording.day(recipient.notified_at), **given)


def is_impossible(letter: Extract, recipient: Recipient) -> bool:
    """Say whether the log has somebody notified of an erasure before anybody had asked for it."""
    told = recipient.notified_at
    return recipient.notified and told is not None and told.date() < letter.request.received_on


def receipts_against(letter: Extract) -> tuple[str, ...]:
    """Who gave a receipt that names the request, where the log says that nobody received its data: the two do not agree."""
    named = [wording.short(each.processor, 60) for each in letter.request.receipts if each.named]
    return tuple(dict.fromkeys(named)) if letter.request.recipients == () else ()


def receipts_of_untold(letter: Extract) -> tuple[str, ...]:
    """Who gave a receipt that covers the request, and was not notified of the erasure by the log: the two do not agree."""
    found = receipts.of_untold(letter.request.receipts, letter.request.recipients or ())
    return tuple(dict.fromkeys(wording.short(each.processor, 60) for each in found))


def receipts_before_notice(letter: Extract) -> tuple[str, ...]:
    """Who gave a receipt before they were notified of the erasure by the log: the two do not agree."""
    found = receipts.before_notice(letter.request.receipts, letter.request.recipients or ())
    return tuple(dict.fromkeys(wording.short(each.processor, 60) for each, _ in found))


def is_disputed(letter: Extract) -> bool:
    """Whether the log and a receipt do not agree on who received the data, or on who was notified, and when."""
    return any(one(letter) for one in (receipts_against, receipts_of_untold, receipts_before_notice))


def may_be_others(letter: Extract) -> bool:
    """Whether the log names recipients of this request, and what is declared of the whole case names others, by its capitals."""
    names = [each.name or "" for each in letter.request.recipients or ()]
    rests = [_without(each.what, names).lstrip()[1:] for each in recipients_outside(letter)]
    return bool(names) and all(names) and any(sign.isupper() for rest in rests for sign in rest)


def not_notified(letter: Extract) -> bool:
    """Whether somebody who received the data has not been notified of the erasure, by the log."""
    return punctuality.is_erased(letter.request) and any(not each.notified for each in letter.request.recipients or ())


def recipients_outside(letter: Extract) -> tuple[OutsidePlace, ...]:
    """Give what is declared of recipients of the whole case, unless the log names for this request all whom it may name."""
    listed = [each.name for each in letter.request.recipients or () if each.name]
    return tuple(
        each for each in examination.of_kind(letter.case.outside, examination.RECIPIENTS) if not _is_named(each.what, listed)
    )


def _is_named(what: str, names: Sequence[str]) -> bool:
    """Whether a text names one of some recipients and, as far as its capitals and signs show, nobody else."""
    rest = _without(what, names)
    return rest != what and not re.search(r"[,;/&+\n]|\band\b", rest) and rest.lstrip().lower() == rest.lstrip()


def _without(what: str, names: Sequence[str]) -> str:
    """A text without some names."""
    for name in sorted(names, key=len, reverse=True):
        what = re.sub(re.escape(name), "", what, flags=re.IGNORECASE)
    return what
