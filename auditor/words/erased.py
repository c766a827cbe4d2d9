"""Sentences of `data.erased`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from auditor.words.kinds import Sentences


def _open(given: Mapping[str, Any]) -> str:
    more = f"; and {given['more']} more" if given["more"] else ""
    return f"Open: {'; '.join(given['places'])}{more}."


_KINDS: Final = {"state": "state()", "saved file": "the saved file"}


def _items(given: Mapping[str, Any]) -> str:
    listed = [f"{each['place']} ({_bytes(each['bytes'])})" if each["bytes"] else str(each["place"]) for each in given["items"]]
    return "; ".join(listed) + (f"; and {given['more']} more" if given["more"] else "")


def _bytes(count: int) -> str:
    return "1 byte" if count == 1 else f"{count} bytes"


def _rows(count: int) -> str:
    return "1 row" if count == 1 else f"{count} rows"


def _kept(given: Mapping[str, Any]) -> str:
    places = "place" if given["places"] == 1 else "places"
    return (
        f"What is kept in {given['places']} {places} comes to {_bytes(given['bytes'])}. Not accounted for by rows of people who may "
        "be kept, by parameters or declared labels, or by a run that never held the deleted records or held others in their place: "
        f"{_bytes(given['unexplained'])} of all that was checked."
    )


def _people(given: Mapping[str, Any]) -> str:
    parts = [
        f"{_rows(given['strangers'])} of people who are not in the training data" if given["strangers"] else "",
        f"{_rows(given['changed'])} of retained people with other values than in training" if given["changed"] else "",
        f"{_bytes(given['declared'])} in columns that the controller declares" if given["declared"] else "",
    ]
    return f"The store holds {', '.join(each for each in parts if each)}: the audit takes these as given."


def _unexplained(given: Mapping[str, Any]) -> str:
    said = f"Unexplained: {_items(given)}. It may hold a deleted record in a form that no search knows."
    words = ", ".join(given["words"])
    return f"{said} The controller can attest, if it is true: {words}." if words else said


def _beyond(given: Mapping[str, Any]) -> str:
    names = [f"{_KINDS.get(each['kind'], each['name'])} ({_bytes(each['bytes'])})" for each in given["items"]]
    more = f" and {given['more']} more" if given["more"] else ""
    return f"Apart from parameters and predictions, these depend on what the deleted records held: {', '.join(names)}{more}."


SENTENCES: Final[Sentences] = {
    "data.erased.looked-for": "{records} deleted records were looked for in {places} places.",
    "data.erased.limits": "Copies that are encrypted, lossy, or changed by more than scaling, shifting and exchanging columns, and backups elsewhere, are not found.",
    "data.erased.nothing-deleted": "No executed request names a record of the training data, so there was nothing to look for.",
    "data.erased.no-store": "No data store was given: that part is skipped.",
    "data.erased.by-identifier-only": "{records} of them were looked for by identifier only: their values single out nobody.",
    "data.erased.copies": "{records} of {of} deleted training records have a copy, equal or nearly so, among the retained ones under another id. "
    "If these are other people's, the controller can attest copies-are-others.",
    "data.erased.copies-attested": "{records} of {of} deleted training records have a copy, equal or nearly so, among the retained ones: another "
    "person's, by the controller's word (copies-are-others).",
    "data.erased.copies-usual": "{records} of {of} deleted training records have a copy, equal or nearly so, among the retained ones; so has a share "
    "of {share:.3g} of these: the data are too coarse for copies to single out anybody.",
    "data.erased.kept": _kept,
    "data.erased.people": _people,
    "data.erased.unexplained": _unexplained,
    "data.erased.by-word": lambda given: f"On the controller's word alone ({given['word']}): {_items(given)}.",
    "data.erased.beyond": _beyond,
    "data.erased.open": _open,
    "data.erased.open.place": "{place}: {why}",
    "data.erased.open.not-recognised": "not even a kept record is recognised in it",
    "data.erased.open.hidden": "neither values nor id of {records} record(s) would be recognisable in it",
    "data.erased.open.unknown-form": "its form is not known, so it was searched as plain bytes only",
    "data.erased.open.other-units": "in other units it may hold {records} record(s) that carry too little information to be recognised there",
    "data.erased.open.other-order": "rows of it hold the values of {records} deleted record(s) in another order of columns; others might hold the same",
    "data.erased.open.shut": "something encoded or packed in it was not opened: broken, nested too deeply, too large, or of an unknown kind",
    "data.erased.place.data-store": "data store",
    "data.erased.place.store": "store {path}",
    "data.erased.place.model": "model file {path}",
    "data.erased.place.code": "code {path}",
    "data.erased.place.state": "state() of the rerun",
    "data.erased.place.saved": "save() output of the rerun",
    "data.erased.place.parameters": "parameters that depend on what the deleted records held",
    "data.erased.place.object": "{name} in the procedure's process",
    "data.erased.place.more-objects": "{items} further items in the procedure's process",
    "data.erased.place.not-walked": "objects in the procedure's process that could not be taken apart",
    "data.erased.how.bytes": "bytes of values and identifiers, as they are, encoded or packed",
    "data.erased.how.rows": "identifiers, and values row by row",
    "data.erased.how.lines": "identifiers, and numbers line by line",
    "data.erased.absent.store": "the case names none ([data] store)",
    "data.erased.absent.not-offered": "the procedure does not offer it",
    "data.erased.unreadable.no-file": "no regular file",
    "data.erased.unreadable.too-large": "larger than {bytes} bytes",
    "data.erased.unreadable.compressed": "packed in a way that cannot be opened, broken, or too large once unpacked",
    "data.erased.unreadable.archive": "looks like an archive and cannot be read as one",
    "data.erased.unreadable.text": "not readable as {coding}",
    "data.erased.unreadable.no-text": "not plain text: it holds NUL bytes",
    "data.erased.unreadable.unpacks-too-large": "unpacks to more than {bytes} bytes",
    "data.erased.unreadable.zip": "looks like a zip archive and cannot be read as one",
    "data.erased.unreadable.numpy": "not readable as NumPy arrays without unpickling: {error}",
    "data.erased.unreadable.kind": "an array whose elements are neither text nor numbers (kind {kind})",
    "data.erased.unreadable.safetensors": "not readable as safetensors",
    "data.erased.unreadable.parquet": "not readable as Parquet: {error}",
    "data.erased.unreadable.sqlite": "not readable as an SQLite database",
    "fact.store-erased.none-found": "data.erased: none of the deleted records was found",
    "fact.store-erased.by-word": "data.erased: none of the deleted records was found; that content which nothing accounts for holds none "
    "is the controller's word",
    "fact.store-erased.found": "data.erased: deleted records were found",
}
