"""Sentences of `release.exact`."""

from __future__ import annotations

from functools import reduce
from typing import Final

from auditor.pages.words.kinds import Given, Sentence, Sentences
from auditor.pages.words.lists import and_more, listed
from auditor.pages.words.texts import Named, say, text

_KINDS: Final = Named("release-kind-")


def _compared(given: Given) -> str:
    of, batches = given["of"], given["batches"]
    which = "release-only-batch" if of == 1 else "release-every-batch" if batches == of else "release-some-batches"
    objects = given["objects"] if "object" in given.words("kinds") else None
    kinds = listed(_KINDS[each] for each in given.words("kinds"))
    return say("release-compared", which=say(which, of=of, batches=batches), kinds=kinds, objects=objects)


def _differing(given: Given) -> str:
    names = [
        each.word("name") if each["kind"] in {"object", "scalar"} else _KINDS[each.word("kind")] for each in given.rows("items")
    ]
    return say("release-differing", batch=given["batch"], names=and_more(names, given.count("more")), largest=given["largest"])


def _let_pass(given: Given) -> str:
    return say("release-let-pass", names=and_more(given.words("names"), given.count("more")), bytes=given["bytes"])


def _no_reaction(given: Given) -> str:
    tried = ("other_rows", "release-other-rows"), ("other_labels", "release-other-labels")
    other = [text(message) for name, message in tried if not given[name]]
    return say("release-no-reaction", other=reduce(lambda first, last: text("release-and-with", first=first, last=last), other))


def _batches(message: str) -> Sentence:
    return lambda given: say(message, batches=", ".join(str(each) for each in given.many("batches")))


SENTENCES: Final[Sentences] = {
    "release.exact.not-compared": _batches("release-not-compared"),
    "release.exact.compared": _compared,
    "release.exact.differing": _differing,
    "release.exact.let-pass": _let_pass,
    "release.exact.no-reaction": _no_reaction,
    "release.exact.unchanged": _batches("release-unchanged"),
}
