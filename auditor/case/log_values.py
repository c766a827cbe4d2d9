"""What a cell of a deletion log may hold, and the words for what it may not: identifiers, times, dates, pseudonyms, free text."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Callable, Iterator, Mapping
from datetime import UTC, date, datetime, timedelta, timezone
from enum import StrEnum
from functools import partial
from typing import Annotated, Any, Final, TypeAlias, TypeVar

from pydantic import BaseModel, BeforeValidator
from pydantic_core import PydanticCustomError

from auditor.base.deletion_log import log_chain
from auditor.base.deletion_log.requests import (
    Awaited,
    ClockPause,
    ErasureGround,
    Extension,
    KeepingException,
    KeptData,
    Recipient,
    Regime,
    Request,
    StorageState,
    Undertaking,
)
from auditor.base.suggestions import plain
from auditor.case import parsing
from auditor.settings.values import LONGEST_TEXT, Table, show, text_fault, unknown, wrong

_Word = TypeVar("_Word", bound=StrEnum)

_RFC3339: Final = re.compile(
    r"[0-9]{4}-[0-9]{2}-[0-9]{2}[Tt ][0-9]{2}:[0-9]{2}:[0-9]{2}(?:\.[0-9]{1,30})?(?P<offset>[Zz]|[+-][0-9]{2}:[0-9]{2})?"
)
_DATE: Final = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
_EMAIL: Final = re.compile(r"\S@\S")
_BARE_HASH: Final = re.compile(r"(?:[0-9a-f]{32}|[0-9a-f]{40})", re.IGNORECASE)
_UUID4: Final = re.compile(r"[0-9a-f]{12}4[0-9a-f]{3}[89ab][0-9a-f]{15}", re.IGNORECASE)
_NAMED_HASH: Final = re.compile(r"(?:md5|sha-?(?:1|224|256|384|512)|sha3-[0-9]{3})[:$= ].*", re.IGNORECASE | re.DOTALL)
_YEARS: Final = (1970, 2999)
_PSEUDONYM: Final = "a keyed HMAC (hmac-sha256:...) or an opaque id"


STATES: Final = ("open", "in_progress", "executed", "denied", "revoked", "no_match")
"""States of a request."""
_MEANT: Final[Mapping[str, str]] = {
    "open": "new pending submitted received requestmade waiting todo offen neu eingegangen ouvert nouveau enattente "
    "abierto nuevo pendiente aperto nuovo inattesa nieuw openstaand",
    "in_progress": "processing started working verifying enriching compiling approving onhold delayed inbearbeitung inarbeit "
    "encours enproceso encurso incorso inlavorazione inbehandeling",
    "executed": "closed done complete completed finished fulfilled erased deleted resolved erledigt geschlossen abgeschlossen "
    "geloscht ausgefuhrt ferme clos cloture termine traite efface supprime cerrado resuelto completado borrado eliminado "
    "chiuso completato evaso gesloten afgehandeld voltooid verwijderd gewist",
    "denied": "rejected refused declined abgelehnt verweigert zuruckgewiesen rejete refuse rechazado denegado rifiutato respinto "
    "negato afgewezen geweigerd",
    "revoked": "cancelled canceled withdrawn zuruckgezogen widerrufen storniert retire annule retirado anulado cancelado "
    "ritirato revocato annullato ingetrokken geannuleerd",
    "no_match": "notfound nodata unknownperson nichtgefunden keintreffer keinedaten introuvable noencontrado "
    "sindatos nontrovato nessundato nietgevonden",
}


SYNONYMS: Final[Mapping[str, str]] = {plain(word): state for state, words in _MEANT.items() for word in (state, *words.split())}
"""States of the log by what ticket systems call them, plainly written."""


def state(value: Any) -> str:
    """Read a state; for another system's word of the same meaning, the problem names the log's."""
    if isinstance(value, str) and value not in STATES and (meant := SYNONYMS.get(plain(value))) is not None:
        raise wrong(f"one of {', '.join(STATES)}: {meant} for {show(value)}", show(value))
    return one_of("status", STATES, value)


def identifier(value: Any) -> str:
    """Read an identifier: text that can be printed."""
    if not isinstance(value, str):
        raise wrong("text: identifiers are strings", show(value))
    if reason := text_fault(value):
        raise wrong("an identifier", f"text with {reason}")
    return value


def identifiers(value: Any) -> tuple[str, ...]:
    """Read a list of record ids, none of them twice in vain: what is named twice is a finding, and no problem here."""
    if not isinstance(value, list):
        raise wrong("a list of record ids", show(value))
    if not value:
        raise wrong("at least one record id", "an empty list")
    for item in value:
        if not isinstance(item, str):
            raise wrong("a list of strings: record ids are text", f"{show(item)} in it")
        if reason := text_fault(item):
            raise wrong("a list of record ids", f"text with {reason} in it")
    return tuple(value)


def terms(value: Any) -> tuple[str, ...]:
    """Read what else a person is known by."""
    if not isinstance(value, list) or not all(isinstance(item, str) and not text_fault(item) for item in value):
        raise wrong("a list of names and numbers of the person, as text", show(value))
    return tuple(dict.fromkeys(item.strip() for item in value))


def flag(value: Any) -> bool:
    """Read true or false, which a table of text writes as a word."""
    if isinstance(value, str) and (word := value.strip().lower()) in {"true", "false"}:
        return word == "true"
    if not isinstance(value, bool):
        raise wrong("true or false", show(value))
    return value


def moment(value: Any) -> datetime:
    """Read a time with its offset, as RFC 3339."""
    expected = "a time as RFC 3339 with its offset, such as 2026-03-01T09:30:00+01:00"
    if isinstance(value, datetime):
        found = value
    elif isinstance(value, str) and (match := _RFC3339.fullmatch(value)):
        if match["offset"] is None:
            raise wrong(expected, f"{show(value)}, which has no offset")
        try:
            found = datetime.fromisoformat(value.upper())
        except ValueError as error:
            raise wrong(expected, f"{show(value)}: {error}") from error
    else:
        raise wrong(expected, show(value))
    offset = found.utcoffset()
    if offset is None:
        raise wrong(expected, f"{found.isoformat()}, which has no offset")
    if not _YEARS[0] <= found.year <= _YEARS[1]:
        raise wrong(f"a time between the years {_YEARS[0]} and {_YEARS[1]}", show(value))
    return found if found.tzinfo is UTC else found.replace(tzinfo=_fixed(offset))


def _fixed(offset: timedelta) -> timezone:
    return timezone(offset) if offset else UTC


def day(value: Any) -> date:
    """Read a date."""
    if isinstance(value, date) and not isinstance(value, datetime):
        return value
    expected = "a date, such as 2026-03-31"
    if not isinstance(value, str) or not _DATE.fullmatch(value):
        raise wrong(expected, show(value))
    try:
        return date.fromisoformat(value)
    except ValueError as error:
        raise wrong(expected, f"{show(value)}: {error}") from error


def count(value: Any) -> int:
    """Read an integer of at least 0."""
    if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value <= 1_000_000_000:
        raise wrong("an integer of at least 0", show(value))
    return value


def one_of(kind: str, known: tuple[str, ...], value: Any) -> str:
    """Read one of the words that are known."""
    if isinstance(value, str) and value in known:
        return value
    if isinstance(value, str):
        raise wrong(*unknown(kind, value, known))
    raise wrong(f"one of {', '.join(known)}", show(value))


def member(kind: str, words: type[_Word], value: Any) -> _Word:
    """Read one of the words of an enum."""
    return words(one_of(kind, tuple(each.value for each in words), value))


def prose(value: Any) -> str:
    """Read free text, which stays where it is; it may hold personal data, so a problem never says what it says."""
    if not isinstance(value, str):
        raise wrong("text", "something else")
    if not value.isascii() and any("\ud800" <= character <= "\udfff" for character in value):
        raise wrong("text", "half of a surrogate pair")
    return value


def reason(value: Any) -> str:
    """Read text that says something: an empty reason explains nothing."""
    text = prose(value)
    if not any(character.isalnum() for character in text):
        raise wrong("a reason in words", "none")
    return text


def statement(value: Any) -> str:
    """Read text that is printed for the person and is in the evidence: one short paragraph."""
    text = " ".join(reason(value).split())
    if len(text) > LONGEST_TEXT:
        raise wrong(f"text of at most {LONGEST_TEXT} characters", f"{len(text)} characters")
    if fault := text_fault(text):
        raise wrong("text without control characters", f"text with {fault}")
    return text


def pseudonym(value: Any) -> str:
    """Read a pseudonym that only the controller can turn back into a person.

    An e-mail address and its unkeyed hash are no pseudonyms: anyone who guesses the address finds the person. By its form alone a
    bare SHA-256 looks the same as an HMAC-SHA-256, so 64 hexadecimal digits are accepted; 32 or 40 of them, the length of MD5
    and SHA-1 (and not a random UUID), are refused, as is a hash that says of itself that it is unkeyed.
    """
    if not isinstance(value, str):
        raise wrong(f"{_PSEUDONYM}, as text", "something else")
    if fault := text_fault(value):
        raise wrong(_PSEUDONYM, f"text with {fault}")
    if looks_like_an_address(value):
        raise wrong(_PSEUDONYM, "what looks like an e-mail address")
    if _NAMED_HASH.fullmatch(value) or (_BARE_HASH.fullmatch(value) and not _UUID4.fullmatch(value)):
        raise wrong(_PSEUDONYM, "what looks like an unkeyed hash, which can be undone by guessing")
    return value


def looks_like_an_address(value: str) -> bool:
    """Tell an e-mail address, which names a person to anyone, from an id."""
    return _EMAIL.search(value) is not None


def refuse_digest(subject: str, candidates: list[str | None]) -> PydanticCustomError | None:
    """Say what is wrong with a pseudonym that is the unkeyed hash of another value of its row; None where nothing is."""
    kind = {64: "sha256", 128: "sha512"}.get(len(subject))
    if kind is None:
        return None
    words = {word for text in candidates if text is not None for word in (text, *text.split())}
    forms = (form for word in words for form in (word, word.strip().lower()))
    if any(hashlib.new(kind, form.encode()).hexdigest() == subject.lower() for form in forms):
        return wrong("a keyed HMAC or an opaque id", "the unkeyed hash of another value in this row")
    return None


# The cells of a deletion log that are tables themselves: an extension, pauses of the clock, recipients, what is kept or promised.
TABLES: Final = ("extension", "clock_pauses", "recipients_notified", "kept", "undertaking")
"""Columns whose cells are JSON in CSV, and tables or lists elsewhere."""
SUCH_AS: Final[Mapping[str, str]] = {
    "extension": '{"notified_at": "2026-04-02T09:00:00+02:00", "reason": "many requests at once", "until": "2026-05-29"}',
    "clock_pauses": '[{"paused_at": "2026-03-03T09:00:00+01:00", "awaits": "identity"}]',
    "recipients_notified": '[{"name": "Example Hosting BV", "notified_at": "2026-03-20T09:00:00+01:00"}]',
    "kept": '[{"what": "invoices", "why": "tax law", "exception": "b", "until": "2030-12-31"}]',
    "undertaking": '{"what": "We will train the model again.", "by": "2026-06-30"}',
}
"""One cell of each of them, as JSON."""
MOST: Final = 1000
"""Members of one list."""

Fault: TypeAlias = Callable[[str, str, str], None]
"""Takes a key, what was expected and what was found."""
_Model = TypeVar("_Model", bound=BaseModel)
_Time: TypeAlias = Annotated[datetime, BeforeValidator(moment)]
_Said: TypeAlias = Annotated[str, BeforeValidator(statement)]


class _Extension(Table):
    notified_at: _Time | None = None
    reason: _Said | None = None
    until: Annotated[date, BeforeValidator(day)] | None = None


class _Pause(Table):
    paused_at: _Time
    resumed_at: _Time | None = None
    reason: _Said | None = None
    awaits: Annotated[Awaited, BeforeValidator(partial(member, "kind of wait", Awaited))] | None = None


class _Recipient(Table):
    name: Annotated[str, BeforeValidator(identifier)] | None = None
    notified: bool = True
    notified_at: _Time | None = None


class _Kept(Table):
    what: _Said
    why: _Said
    exception: (
        Annotated[KeepingException, BeforeValidator(partial(member, "letter of Article 17(3)", KeepingException))] | None
    ) = None
    until: Annotated[date, BeforeValidator(day)] | None = None


class _Undertaking(Table):
    what: _Said
    by: Annotated[date, BeforeValidator(day)] | None = None


def from_text(cell: str) -> Any:
    """The value in a cell of CSV or Parquet: JSON, or the text itself where it is not one."""
    try:
        return json.loads(cell, object_pairs_hook=_distinct)
    except (ValueError, RecursionError):
        return cell


def _distinct(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise ValueError("a key twice")
    return found


def extension(value: Any, fault: Fault) -> Extension | None:
    """Read an extension; None where anything of it was reported."""
    read = _table(_Extension, "extension", value, fault)
    return None if read is None else Extension(read.notified_at, read.reason, read.until)


def pauses(value: Any, fault: Fault) -> tuple[ClockPause, ...]:
    """Read the pauses of the clock."""
    members = (_table(_Pause, f"clock_pauses.{index}", item, fault) for index, item in _members("clock_pauses", value, fault))
    return tuple(ClockPause(each.paused_at, each.resumed_at, each.reason, each.awaits) for each in members if each is not None)


def recipients(value: Any, fault: Fault) -> tuple[Recipient, ...]:
    """Read who had been given the data: true or false, the time at which all were told, or a list of names or tables."""
    key = "recipients_notified"
    match value:
        case bool():
            return (Recipient(notified=value),)
        case str() | datetime():
            try:
                return (Recipient(notified_at=moment(value)),)
            except PydanticCustomError:
                said = f"true, false, a time as RFC 3339 with its offset, or a list of recipients, such as {SUCH_AS[key]}"
                fault(key, said, show(value))
                return ()
    tables = ((index, {"name": item} if isinstance(item, str) else item) for index, item in _members(key, value, fault))
    members = (_table(_Recipient, f"{key}.{index}", item, fault) for index, item in tables)
    return tuple(Recipient(each.name, each.notified, each.notified_at) for each in members if each is not None)


def kept(value: Any, fault: Fault) -> tuple[KeptData, ...]:
    """Read what is kept of the person's."""
    members = (_table(_Kept, f"kept.{index}", item, fault) for index, item in _members("kept", value, fault))
    return tuple(KeptData(each.what, each.why, each.exception, each.until) for each in members if each is not None)


def undertaking(value: Any, fault: Fault) -> Undertaking | None:
    """Read what the controller undertakes; None where anything of it was reported."""
    read = _table(_Undertaking, "undertaking", value, fault)
    return None if read is None else Undertaking(read.what, read.by)


def _members(key: str, value: Any, fault: Fault) -> list[tuple[int, Any]]:
    if not isinstance(value, list) or len(value) > MOST:
        fault(key, f"a list of at most {MOST}, such as {SUCH_AS[key]}", show(value))
        return []
    return list(enumerate(value))


def _table(model: type[_Model], name: str, value: Any, fault: Fault) -> _Model | None:
    if not isinstance(value, dict):
        example = SUCH_AS[name.split(".", maxsplit=1)[0]]
        fault(name, f"a table with {', '.join(model.model_fields)}, such as {example}", show(value))
        return None
    # A struct of Parquet has every key of its type: one without a value is one that is missing, as in the log's own columns.
    found = parsing.table("", name, model, {key: item for key, item in value.items() if item is not None})
    if isinstance(found, BaseModel):
        return found
    for each in found:
        fault(each.where, each.expected, each.found)
    return None


# One row of a deletion log, checked: what makes it unreadable, and what it says.
# Only what cannot be read is a problem here. What can be read but contradicts itself, such as a record that is deleted twice,
# is a finding of the audit (`auditor.base.deletion_log.deletions`).
Report = Callable[[str, str, str], None]
"""Takes a key, what was expected and what was found."""

_REQUIRED: Final[Mapping[str, Callable[[Any], Any]]] = {
    "request_id": identifier,
    "record_ids": identifiers,
    "received_at": moment,
}
_OPTIONAL: Final[Mapping[str, Callable[[Any], Any]]] = {
    "executed_at": moment,
    "subject": pseudonym,
    "batch": identifier,
    "seen_releases": count,
    "status": state,
    "due_on": day,
    "basis": prose,
    "note": prose,
    "terms": terms,
    "canary": flag,
    "near_match": reason,
    "regime": partial(member, "regime", Regime),
    "data_erased_at": moment,
    "model_erased_at": moment,
    "answered_at": moment,
    "confirmed_at": moment,
    "reason": statement,
    "exception": statement,
    "ground": statement,
    "storage_state": partial(member, "storage state", StorageState),
    "erasure_ground": partial(member, "letter of Article 17(1)", ErasureGround),
    "identity_check": statement,
    "identity_checked_at": moment,
    "signatory": statement,
    "late_reason": statement,
    "also_asked": statement,
}
_TABLES: Final[Mapping[str, Callable[[Any, Report], Any]]] = {
    "extension": extension,
    "clock_pauses": pauses,
    "recipients_notified": recipients,
    "kept": kept,
    "undertaking": undertaking,
}
REQUIRED: Final = tuple(_REQUIRED)
"""Columns without which a row is no request."""
READ: Final = (*_REQUIRED, *_OPTIONAL, *_TABLES)
"""Columns that the audit reads."""
UNREAD: Final = (*log_chain.COLUMNS, log_chain.AMENDS, log_chain.AMENDED_AT)
"""Columns that the format knows and that no request holds: the hash chain, which Parquet has no canonical form for, and what
joins a later row to the one that it amends."""


def read_request(row: int, fields: Mapping[str, Any], report: Report) -> Request | None:
    """The request that a row holds, or None where anything of it was reported.

    Args:
        row: Its line in the log, from 1.
        fields: Its values by column; a missing value is None or left out.
        report: Takes every problem of the row.
    """
    faults = 0

    def fault(key: str, expected: str, found: str) -> None:
        nonlocal faults
        faults += 1
        report(key, expected, found)

    given = {name: value for name, value in fields.items() if value is not None}
    for name in _REQUIRED:
        if name not in given:
            fault(name, "a value: this key is required", "nothing")
    read = read_columns(given, fault)
    for name, refusal in _across(read):
        fault(name, *_halves(refusal))
    return None if faults else Request(row=row, names_law="regime" in read, **(read | {"executed_at": _executed(read)}))


def read_columns(given: Mapping[str, Any], report: Report) -> dict[str, Any]:
    """Read what some columns say, each by itself; what cannot be read is reported and left out.

    Args:
        given: Values by column, none of them missing.
        report: Takes every problem.
    """
    read: dict[str, Any] = {}
    for name, reader in (*_REQUIRED.items(), *_OPTIONAL.items()):
        if name in given:
            try:
                read[name] = reader(given[name])
            except PydanticCustomError as error:
                report(name, *_halves(error))
    for name, table in _TABLES.items():
        if name in given:
            read[name] = table(given[name], report)
    return read


_EUROPEAN: Final = re.compile(r"\bGDPR\b|\b17\s*\(\s*3\s*\)", re.IGNORECASE)
_CALIFORNIAN: Final = re.compile(r"\bCCPA\b|\bCal(?:ifornia|\.)\s*Civ|\b1798\.\d+", re.IGNORECASE)
"""Words by which an exception is one of another law than that of its row."""


def _across(read: Mapping[str, Any]) -> Iterator[tuple[str, PydanticCustomError]]:
    """What of a row does not go with what else it says."""
    beside = [read.get(name) for name in ("request_id", "basis", "note", "reason")]
    if "subject" in read and (refusal := refuse_digest(read["subject"], [*beside, *read.get("record_ids", ())])):
        yield "subject", refusal
    if read.get("canary") and "subject" in read:
        yield "subject", wrong("nobody: a canary is a planted record, and no person's", "a pseudonym")
    california = read.get("regime") is Regime.CCPA
    if (other := (_EUROPEAN if california else _CALIFORNIAN).search(read.get("exception") or "")) is not None:
        law = "California" if california else "the GDPR or the UK GDPR"
        yield "exception", wrong(f"an exception of {law}, as the regime of this row says", other[0])
    if california:
        # Article 17 is no law of California: a letter of it there is a slip, which the reply would print.
        kept = [f"kept.{index}.exception" for index, each in enumerate(read.get("kept", ())) if each.exception is not None]
        for name in (*(["erasure_ground"] if read.get("erasure_ground") else []), *kept):
            yield name, wrong("nothing: Article 17 GDPR does not hold under ccpa", "a letter of it")


def _halves(error: PydanticCustomError) -> tuple[str, str]:
    context = error.context or {}
    return str(context["expected"]), str(context["found"])


def _executed(read: Mapping[str, Any]) -> datetime | None:
    """When a request was carried out: where its row says that it was, the dates of its parts will do."""
    told: datetime | None = read.get("executed_at")
    if told is None and read.get("status") == "executed":
        told = read.get("model_erased_at") or read.get("data_erased_at")
    return told
