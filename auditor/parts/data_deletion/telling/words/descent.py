"""Sentences on what a table of noisy gradient descent declares, what a theorem gives for it, and the theorem's premises."""

from __future__ import annotations

from typing import Final

from auditor.pages.words.kinds import Given, Sentence, Sentences
from auditor.pages.words.lists import both
from auditor.pages.words.texts import say, text


def number(value: float | None, digits: int = 6) -> str:
    """A number in so many digits; a norm that float64 does not hold as inf."""
    return "inf" if value is None else f"{value:.{digits}g}"


def _constants(given: Given) -> dict[str, str]:
    """The constants of a loss, each as it is printed."""
    names = ("lipschitz", "smoothness")
    return {name: text("descent-unknown") if given[name] is None else number(given.number(name)) for name in names}


def _meant(message: str) -> Sentence:
    """Says constants that may be unknown."""
    return lambda given: say(message, **{**given, **_constants(given)})


def _known(message: str) -> Sentence:
    """Says constants that hold for rows of some norm."""

    def said(given: Given) -> str:
        names = ("known_lipschitz", "known_smoothness", "norm")
        known = say("descent-known", **{name: number(given.number(name)) for name in names})
        return say(message, **{**given, **(_constants(given) if "lipschitz" in given else {}), "known": known})

    return said


def _missing(message: str) -> Sentence:
    return lambda given: say(message, names=both(given.words("missing")))


def _rows(given: Given) -> str:
    return say("descent-rows-bounded", **{**given, "norm": number(given.number("norm"), 9)})


def _failed(given: Given) -> str:
    return "; ".join(given.words("failed")) or text("descent-failed")


def _noise(given: Given) -> str:
    refused = given.many("refused")
    detects, power = f"{100 * given.number('detects'):.2g}", f"{100 * given.number('power'):g}"
    words = say("descent-noise", **{**given, "detects": detects, "power": power})
    return say("descent-noise-refused", said=words, first=refused[0], others=len(refused) - 1) if refused else words


SENTENCES: Final[Sentences] = {
    "descent.no-constants": _missing("descent-no-constants"),
    "descent.no-constants.fix": _missing("descent-no-constants-fix"),
    "bounds.no-epsilon.fix": _failed,
    "premise.loss-constants.stated": _meant("descent-stated"),
    "premise.loss-constants.known": _meant("descent-stated-known"),
    "premise.loss-constants.attested": _meant("descent-stated-attested"),
    "premise.loss-constants.tested": _meant("descent-stated-tested"),
    "premise.loss-constants.linear": _known("descent-stated-linear"),
    "premise.loss-constants.linear.fix": _known("descent-stated-linear-fix"),
    "premise.rows-bounded": _rows,
    "premise.noise-measured": _noise,
}
