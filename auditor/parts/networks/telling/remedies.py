"""What to do about private training that promises less than is claimed."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from auditor.pages import wording
from auditor.pages.remedies.advice import Advice, Owner, Remedies, Subject, Tell, executed, no_threshold
from auditor.pages.words import numbers
from auditor.pages.words.texts import text


def training(about: Subject) -> Iterator[Advice]:
    """Train with more noise, or promise what the training gives."""
    requests = executed(about.told)
    value, threshold = about.check.value, about.check.threshold
    if about.fails and value is not None and threshold is not None:
        yield Advice(
            text("remedy-epsilon-found", value=numbers.at_most(value), threshold=wording.number(threshold)),
            text("remedy-training", value=numbers.at_most(value)),
            Owner.MODEL,
            requests=requests,
            tell=Tell.MODEL,
        )
    elif about.fails:
        yield Advice(
            wording.shown(about.check.basis), text("remedy-training-plain"), Owner.MODEL, requests=requests, tell=Tell.MODEL
        )
    else:
        yield from no_threshold(about, requests)


REMEDIES: Final[Remedies] = {
    "training.privacy": training,
}
