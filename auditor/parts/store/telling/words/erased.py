"""Sentences of `data.erased`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from auditor.pages.words.kinds import Sentences
from auditor.pages.words.lists import and_more
from auditor.pages.words.texts import say


def _open(given: Mapping[str, Any]) -> str:
    return say("erased-open", places=_also("; ".join(given["places"]), given["more"]))


def _also(said: str, more: int) -> str:
    return say("common-also-more", named=said, more=more) if more else said


def _items(given: Mapping[str, Any]) -> str:
    listed = [say("erased-item", **each) if each["bytes"] else str(each["place"]) for each in given["items"]]
    return _also("; ".join(listed), given["more"])


def _people(given: Mapping[str, Any]) -> str:
    parts = [say(f"erased-people-{name}", count=given[name]) for name in ("strangers", "changed", "declared") if given[name]]
    return say("erased-people", parts=", ".join(parts))


def _unexplained(given: Mapping[str, Any]) -> str:
    message = "erased-unexplained-words" if given["words"] else "erased-unexplained"
    return say(message, items=_items(given), words=", ".join(given["words"]))


def _by_word(given: Mapping[str, Any]) -> str:
    return say("erased-by-word", word=given["word"], items=_items(given))


def _beyond(given: Mapping[str, Any]) -> str:
    names = [say("erased-beyond-item", **{**each, "kind": each["kind"].replace(" ", "-")}) for each in given["items"]]
    return say("erased-beyond", names=and_more(names, given["more"]))


def _of_controller(given: Mapping[str, Any]) -> str:
    # What the places are called is the code's own choice of words; the sandbox has made it printable.
    places = [say("erased-controller-place", place=each["place"], named=", ".join(each["named"])) for each in given["where"]]
    return say("erased-controller-found", found=given["found"], places="; ".join(places))


SENTENCES: Final[Sentences] = {
    "data.erased.controller.found": _of_controller,
    "data.erased.people": _people,
    "data.erased.unexplained": _unexplained,
    "data.erased.by-word": _by_word,
    "data.erased.beyond": _beyond,
    "data.erased.open": _open,
}
