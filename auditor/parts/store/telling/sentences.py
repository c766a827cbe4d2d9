"""Sentences on what is kept."""

from __future__ import annotations

from typing import Final

from auditor.pages.words.kinds import Given, Sentence, Sentences
from auditor.pages.words.lists import and_more
from auditor.pages.words.texts import say


def _open(given: Given) -> str:
    return say("erased-open", places=_also("; ".join(given.words("places")), given.count("more")))


def _also(said: str, more: int) -> str:
    return say("common-also-more", named=said, more=more) if more else said


def _items(given: Given) -> str:
    listed = [say("erased-item", **each) if each["bytes"] else str(each["place"]) for each in given.rows("items")]
    return _also("; ".join(listed), given.count("more"))


def _people(given: Given) -> str:
    parts = [say(f"erased-people-{name}", count=given[name]) for name in ("strangers", "changed", "declared") if given[name]]
    return say("erased-people", parts=", ".join(parts))


def _unexplained(given: Given) -> str:
    message = "erased-unexplained-words" if given["words"] else "erased-unexplained"
    return say(message, items=_items(given), words=", ".join(given.words("words")))


def _spare(given: Given) -> str:
    items = [
        say("erased-spare-item", place=each["place"], bits=each["bits"], names=", ".join(each.words("names")))
        for each in given.rows("items")
    ]
    return say("erased-spare", items=_also("; ".join(items), given.count("more")), each=given["each"], all=given["in_all"])


def _unread(given: Given) -> str:
    return say("erased-unread", items=_items(given), bytes=given["bytes"], constants=given["constants"])


def _by_word(given: Given) -> str:
    return say("erased-by-word", word=given["word"], items=_items(given))


def _beyond(given: Given) -> str:
    names = [say("erased-beyond-item", **{**each, "kind": each.word("kind").replace(" ", "-")}) for each in given.rows("items")]
    return say("erased-beyond", names=and_more(names, given.count("more")))


def _named(given: Given) -> str:
    # What columns are called is the controller's own choice of words: "none" would be taken for no column.
    places = [
        say(
            "erased-named-place",
            place=each["place"],
            links=each["links"],
            column=repr(each.word("column")) if each["column"] else "none",
        )
        for each in given.rows("where")
    ]
    return say("erased-named", places=_also("; ".join(places), given.count("more")))


def _parted(given: Given) -> str:
    named = given.words("requests")
    return say("erased-parted", count=len(named), named=and_more(list(named[:_NAMED]), max(0, len(named) - _NAMED)))


def _of_controller(given: Given) -> str:
    # What the places are called is the code's own choice of words; the sandbox has made it printable.
    places = [
        say("erased-controller-place", place=each["place"], named=", ".join(each.words("named"))) for each in given.rows("where")
    ]
    return say("erased-controller-found", found=given["found"], places="; ".join(places))


def _columns(message: str) -> Sentence:
    """Says some features by their numbers."""

    def said(given: Given) -> str:
        named = [str(each) for each in given.many("columns")]
        return say(message, columns=and_more(named, max(0, given.count("count") - len(named))), count=given["count"])

    return said


def _found(message: str) -> Sentence:
    """Says what was fitted."""
    return lambda given: say(message, found="; ".join(given.words("found")))


_NAMED: Final = 5

SENTENCES: Final[Sentences] = {
    "data.erased.named": _named,
    "data.erased.parted": _parted,
    "data.erased.controller.found": _of_controller,
    "data.erased.people": _people,
    "data.erased.unexplained": _unexplained,
    "data.erased.spare": _spare,
    "data.erased.unread": _unread,
    "data.erased.by-word": _by_word,
    "data.erased.beyond": _beyond,
    "data.erased.open": _open,
    "preprocessing.standardised": _columns("preprocessing-standardised"),
    "preprocessing.min-max": _columns("preprocessing-min-max"),
    "preprocessing.one-hot": _columns("preprocessing-one-hot"),
    "preprocessing.target-mean": _columns("preprocessing-target-mean"),
    "fact.preprocessing-clean.fitted": _found("preprocessing-fitted"),
    "data.erased.preprocessing": _found("preprocessing-beside"),
}
