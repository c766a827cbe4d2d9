"""What to do about answers that know deleted records, lost accuracy and cost."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from auditor.pages import wording
from auditor.pages.remedies.advice import Advice, Owner, Release, Remedies, Subject, Tell, executed
from auditor.pages.words.texts import text

_MISSING: Final = (("retrained", "answers.not-retrained"), ("before", "answers.no-control"), ("procedure", "answers.wide"))
"""What would decide, by the reason that says so."""


def membership(about: Subject) -> Iterator[Advice]:
    """Retrain where the answers know deleted records; otherwise give what is missing."""
    if about.fails:
        found = text("remedy-answers-found", value=wording.number(about.check.value))
        yield Advice(found, text("remedy-answers"), Owner.MODEL, requests=executed(about.told), tell=Tell.MODEL)
        return
    missing = [text(f"remedy-answers-{name}") for name, code in _MISSING if code in about.given]
    action = " ".join(missing) or text("remedy-answers-procedure")
    yield Advice(text("remedy-answers-open-found"), action, Owner.MODEL, requests=executed(about.told), tell=Tell.OPEN)


def accuracy(about: Subject) -> Iterator[Advice]:
    """Train a better model, or accept the loss beforehand; a holdout where there is none."""
    value, threshold = about.check.value, about.check.threshold
    if about.told.case.holdout_records is None:
        yield Advice(text("remedy-holdout-found"), text("remedy-holdout"), Owner.MODEL)
    elif about.fails and value is not None and threshold is not None:
        yield Advice(
            text("remedy-accuracy-found", drop=wording.at_least_points(value), most=wording.number(100 * threshold)),
            text("remedy-accuracy"),
            Owner.MODEL,
        )
    elif "utility.accuracy.within-chance" in about.given:
        enough = about.given["utility.accuracy.within-chance"].get("enough")
        take = text("remedy-accuracy") if enough is None else text("remedy-accuracy-chance", records=_rounded_up(enough))
        yield Advice(text("remedy-accuracy-chance-found", count=about.told.case.holdout_records), take, Owner.MODEL)


def _rounded_up(records: object) -> str:
    """A number of records to two digits, as the shares that it was worked out from are estimates."""
    count = records if isinstance(records, int) else 0
    unit = 10 ** max(0, len(str(count)) - 2)
    return wording.number(-(-count // unit) * unit)


def cost(about: Subject) -> Iterator[Advice]:
    """Weigh whether unlearning is worth it; nothing about erasure depends on it."""
    if about.fails:
        yield Advice(
            text(
                "remedy-cost-found",
                value=wording.number(about.check.value),
                threshold=wording.number(about.check.threshold),
            ),
            text("remedy-cost"),
            Owner.MODEL,
            release=Release.FREE,
        )


REMEDIES: Final[Remedies] = {
    "answers.membership": membership,
    "utility.accuracy": accuracy,
    "cost.speedup": cost,
}
