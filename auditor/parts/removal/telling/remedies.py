"""What to do about residuals, budgets and noise at release."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Final

from auditor.pages import wording
from auditor.pages.remedies import parameters
from auditor.pages.remedies.advice import (
    Advice,
    Owner,
    Remedies,
    Subject,
    Tell,
    executed,
    no_threshold,
    plan_for,
    retrain,
    rounded_up,
)
from auditor.pages.words import numbers
from auditor.pages.words.texts import text
from auditor.parts.removal.judging.budget import Held

_ROOM: Final = 1.05
"""What a setting that would just have served is multiplied by."""


def residual(about: Subject) -> Iterator[Advice]:
    """Release the model that the declared removals give."""
    requests = executed(about.told)
    value, threshold = about.check.value, about.check.threshold
    if about.fails and value is not None and threshold is not None:
        yield Advice(
            text("remedy-residual-found", value=wording.number(value), threshold=wording.number(threshold)),
            text("remedy-residual"),
            Owner.MODEL,
            requests=requests,
            tell=Tell.MODEL,
        )
    else:
        yield from no_threshold(about, requests)


def budget(about: Subject) -> Iterator[Advice]:
    """Retrain at the batch where the budget broke; the noise that would have covered the whole log."""
    requests = executed(about.told)
    if not about.fails:
        yield from no_threshold(about, requests)
        return
    held = about.check.derived_as(Held)
    crossing = None if held is None else _crossing(held)
    if held is None or crossing is None:
        yield retrain(about, text("remedy-budget-none-found"))
        return
    affected = tuple(name for each in held.series[crossing:] for name in each.request_ids)
    batch, ratio = wording.shown(held.series[crossing].batch), about.check.value
    served = "" if ratio is None else rounded_up(_ROOM * ratio * held.sigma)
    removed = max(each.removed for each in held.series)
    target = {"--epsilon": held.epsilon or about.check.threshold, "--delta": held.delta}
    yield Advice(
        found=text(
            "remedy-budget-found",
            batch=batch,
            number=wording.number(crossing),
            of=wording.number(len(held.series) - 1),
            percent=wording.number(math.ceil(100 * ratio)) if ratio is not None else "–",
        ),
        action=text("remedy-budget", batch=batch, sigma=served) if served else text("remedy-budget-plain", batch=batch),
        owner=Owner.MODEL,
        command=plan_for({"--deletions": removed, "--sigma": served, **target}),
        requests=affected or requests,
        tell=Tell.MODEL,
    )


def output_noise(about: Subject) -> Iterator[Advice]:
    """Release with as much noise as the promised ε takes."""
    requests = executed(about.told)
    value, threshold = about.check.value, about.check.threshold
    deviation = parameters.positive(about.settings.get("release_noise"))
    if about.fails and value and threshold and deviation:
        noise = rounded_up(_ROOM * deviation * value / threshold)
        yield Advice(
            text("remedy-epsilon-found", value=numbers.at_most(value), threshold=wording.number(threshold)),
            text("remedy-noise", noise=noise),
            Owner.MODEL,
            requests=requests,
            tell=Tell.MODEL,
        )
    elif about.fails:
        yield retrain(about, wording.shown(about.check.basis))
    else:
        yield from no_threshold(about, requests)


def _crossing(held: Held) -> int | None:
    """The place in the series of the first batch whose bound is above the budget."""
    for place, each in enumerate(held.series):
        bound = each.beta.get(held.criterion)
        if held.budget is not None and bound is not None and bound > held.budget:
            return place
    return None


REMEDIES: Final[Remedies] = {
    "removal.residual": residual,
    "removal.budget": budget,
    "removal.output-noise": output_noise,
}
