"""Sentences on places."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import PurePosixPath
from typing import Any, Final

from auditor.pages.words.kinds import Given, Sentence, Sentences
from auditor.pages.words.lists import and_more, listed
from auditor.pages.words.texts import say


def _also(said: str, more: int) -> str:
    return say("common-also-more", named=said, more=more) if more else said


def _found(given: Given) -> str:
    found, deleted = given.count("found"), given.count("found") - given.count("in_rows")
    # Of the others nobody can tell in every form whether they lie in live data.
    lies = "none" if not deleted else "all" if deleted == found else "some"
    return say("places-found", place=given["place"], found=found, deleted=deleted, lies=lies)


def _where(message: str) -> Callable[[Given], str]:
    """Say of several requests where in a place they are."""

    def said(given: Given) -> str:
        items = _also("; ".join(spots_of(given.rows("items"))), given.count("more"))
        return say(message, place=given["place"], items=items)

    return said


def spots_of(items: Iterable[Mapping[str, Any]]) -> Iterator[str]:
    """Say of each request where it is."""
    for each in items:
        yield _of_request(each["request"], each["spots"], each["more"])


def _of_request(request: object, spots: Iterable[Mapping[str, Any]], more: int) -> str:
    return say("places-found-of", request=str(request), spots=_also(listed([said_spot(each) for each in spots]), more))


def _at(given: Given) -> str:
    return _of_request(given["request"], given.rows("spots"), given.count("more"))


def said_spot(spot: Mapping[str, Any]) -> str:
    """Name a line, a row, a file or a name."""
    columns = list(spot["columns"])
    lies = next((each for each in ("named", "row", "line", "byte") if spot.get(each)), "file")
    return say(
        "places-found-spot",
        file=spot["file"],
        lies=lies,
        number=spot["row"] or spot["line"] or spot.get("byte", 0),
        table=spot["table"] or "none",
        columns=listed(columns) if columns else "none",
        under="yes" if spot.get("under_other") else "no",
        deleted="yes" if spot["deleted"] else "no",
    )


def _left_open(given: Given) -> str:
    return say("places-left-open", place=given["place"], whys=_also("; ".join(given.words("whys")), given.count("more")))


def _account(given: Given) -> str:
    items = [say("places-item", place=each["place"], bytes=each["bytes"]) for each in given.rows("items")]
    word = given["word"]
    return say("places-account", items=_also("; ".join(items), given.count("more")), word="none" if word is None else word)


def _own_rows(given: Given) -> str:
    items = [say("places-item", place=each["place"], bytes=each["bytes"]) for each in given.rows("items")]
    return say("places-own-rows", items=_also("; ".join(items), given.count("more")))


def _unexplained_in(given: Given) -> str:
    said = say("reason-places-erased-unexplained", bytes=given.count("bytes"))
    if given["file"] is not None:
        most = "places-all-in" if given.count("in_file") == given.count("bytes") else "places-most-in"
        said = say(most, said=said, bytes=given.count("in_file"), file=PurePosixPath(str(given["file"])).name)
    columns = given.words("columns")
    if "document" in columns:
        said = say("places-documents", said=said)
        columns = tuple(each for each in columns if each != "document")
    said = say("places-columns", said=said, columns=listed(list(columns)), count=len(columns)) if columns else said
    return say("places-text-index", said=said, index=given.word("text_index")) if "text_index" in given else said


def _missing(given: Given) -> str:
    return say("places-missing", names=and_more(list(given.words("names")), given.count("more")))


def _spots(given: Given) -> str:
    items = [
        say("places-spot", **{name: each[name] for name in ("file", "line", "bytes", "why", "bits")}, more=each.get("more", 0))
        for each in given.rows("spots")
    ]
    return say("places-spots", place=given["place"], items="; ".join(items))


def _graphs(given: Given) -> str:
    return say("places-graphs", places=listed(list(given.words("places"))), bits=given.count("bits"))


def _pointing(given: Given) -> str:
    return say("places-pointing", columns=listed(list(given.words("columns"))), records=given.count("records"))


_OWN: Final[dict[str, Sentence]] = {
    "places.erased.found": _found,
    "places.erased.found-at": _where("places-found-at"),
    "places.erased.named-at": _where("places-named-at"),
    "places.erased.quoted-at": _where("places-quoted-at"),
    "places.erased.at": _at,
    "places.erased.left-open": _left_open,
    "places.erased.account": _account,
    "places.erased.own-rows": _own_rows,
    "places.erased.missing": _missing,
    "places.erased.spots": _spots,
    "places.erased.graphs": _graphs,
    "places.erased.pointing": _pointing,
    "places.erased.unexplained-in": _unexplained_in,
}
SENTENCES: Final[Sentences] = _OWN
