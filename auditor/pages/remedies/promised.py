"""Remedies of the checks that hold a promise against what ran: removal, data deletion, private training, claims."""

from __future__ import annotations

import math
import shlex
from collections.abc import Iterator, Mapping
from typing import Any, Final

from auditor.base.errors import AuditorError
from auditor.maths.certificates import derive
from auditor.pages import wording
from auditor.pages.remedies import parameters
from auditor.pages.remedies.advice import Advice, Owner, Subject, Tell, Urgency, executed, retrain, subject
from auditor.pages.words import numbers
from auditor.pages.words.texts import text
from auditor.parts.data_deletion.judging.adaptive import Derived as Adaptive
from auditor.parts.data_deletion.judging.derived import Derived
from auditor.parts.removal.judging.budget import Held
from auditor.parts.swap.telling import epsilon_words

_ROOM: Final = 1.05
"""What a setting that would just have served is multiplied by."""


def budget(about: Subject) -> Iterator[Advice]:
    """Retrain at the batch where the budget broke; the noise that would have covered the whole log."""
    requests = executed(about.told)
    if not about.fails:
        yield from _no_threshold(about, requests)
        return
    held = about.check.derived_as(Held)
    crossing = None if held is None else _crossing(held)
    if held is None or crossing is None:
        yield retrain(about, text("remedy-budget-none-found"))
        return
    affected = tuple(name for each in held.series[crossing:] for name in each.request_ids)
    batch, ratio = wording.shown(held.series[crossing].batch), about.check.value
    served = "" if ratio is None else _rounded_up(_ROOM * ratio * held.sigma)
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
        command=_plan({"--deletions": removed, "--sigma": served, **target}),
        requests=affected or requests,
        tell=Tell.MODEL,
    )


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
        yield from _no_threshold(about, requests)


def output_noise(about: Subject) -> Iterator[Advice]:
    """Release with as much noise as the promised ε takes."""
    requests = executed(about.told)
    value, threshold = about.check.value, about.check.threshold
    deviation = parameters.positive(about.settings.get("release_noise"))
    if about.fails and value and threshold and deviation:
        noise = _rounded_up(_ROOM * deviation * value / threshold)
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
        yield from _no_threshold(about, requests)


def deletion(about: Subject) -> Iterator[Advice]:
    """Run the steps that the promised ε takes, fix the premise that is false, or promise less."""
    requests = executed(about.told)
    value, threshold = about.check.value, about.check.threshold
    tell = Tell.MODEL if about.fails else Tell.OPEN
    if about.fails and value is not None and threshold is not None and value > threshold:
        steps, derived = _steps(about, threshold), about.check.derived
        order = derived.order if isinstance(derived, Derived | Adaptive) else parameters.finite(about.settings.get("order"))
        seen = about.told.deletion_log.max_seen_releases or None
        target = {"--epsilon": threshold, "--order": order, "--seen": seen}
        yield Advice(
            text("remedy-epsilon-found", value=numbers.at_most(value), threshold=wording.number(threshold)),
            text("remedy-steps", steps=wording.number(steps)) if steps is not None else text("remedy-steps-none"),
            Owner.MODEL,
            command=_plan({"--deletions": len(requests), **target}, "--data-deletion"),
            requests=requests,
            tell=tell,
        )
        return
    fixes = list(dict.fromkeys(_fixes(about.given)))
    if fixes:
        said = "; ".join(wording.shown(each) for each in fixes)
        yield Advice(_without_fix(about), text("remedy-premise", fix=said), Owner.MODEL, requests=requests, tell=tell)
    elif lost := _unproved(about):
        found = text("remedy-no-proof-found", why=lost)
        yield Advice(found, text("remedy-no-proof"), Owner.MODEL, requests=requests, tell=tell)
    else:
        yield from _no_threshold(about, requests)


def adaptive(about: Subject) -> Iterator[Advice]:
    """Let requesters see fewer models, or claim less; where it only repeats `deletion.renyi`, what that one asks for."""
    renyi = next((each for each in about.told.checks if each.id == "deletion.renyi"), None)
    if "deletion.adaptive.refuted" in about.given:
        attacked = next((each for each in about.told.checks if each.id == "epsilon.consistency"), None)
        played = () if attacked is None else tuple(consistency(subject(about.told, attacked)))
        said = wording.shown(parameters.words(about.given["deletion.adaptive.refuted"].get("said")))
        yield played[0] if played else _refuted(about, said, by_requester=True)
    elif "deletion.adaptive.not-covered" in about.given:
        given = {key: wording.number(value) for key, value in about.given["deletion.adaptive.not-covered"].items()}
        yield Advice(
            text("remedy-adaptive-seen-found", **given),
            text("remedy-adaptive-seen", log=given.get("log", "–")),
            Owner.CONTROLLER,
            requests=executed(about.told),
            tell=Tell.OPEN,
        )
    elif renyi is not None and renyi.status is about.check.status:
        # Whatever ends deletion.renyi ends this: one step fixes both.
        yield from deletion(subject(about.told, renyi))
    else:
        yield from deletion(about)


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
        yield from _no_threshold(about, requests)


def consistency(about: Subject) -> Iterator[Advice]:
    """Withdraw what an attack of this run contradicts."""
    if not about.fails:
        yield Advice(*_untested(about), Owner.CONTROLLER, requests=executed(about.told), tell=Tell.OPEN)
        return
    for row in epsilon_words.comparisons(about.check):
        if row.epsilon is None or row.gap is None or row.gap <= 0:
            continue
        against, low = wording.shown(epsilon_words.against(row)), numbers.at_least(row.epsilon + row.gap)
        found = text("remedy-refuted-found", against=against, epsilon=wording.number(row.epsilon), low=low)
        yield _refuted(about, found, by_requester=row.test == "requester")


def _untested(about: Subject) -> tuple[str, str]:
    """Why a run that refuted nothing tested nothing either, and what to do about the claim."""
    if "swap.quick" in about.given:
        return text("remedy-quick-found"), text("remedy-quick")
    far = about.given.get("epsilon.consistency.not-tested")
    if far is not None and (noticed := parameters.positive(far.get("noticed"))) is not None:
        stated = wording.number(parameters.finite(far.get("epsilon")))
        found = text("remedy-untested-far-found", epsilon=stated, noticed=numbers.at_most(noticed))
        return found, text("remedy-untested-far", pairs=wording.number(4 * about.told.sizes.swap.pairs))
    apart = about.given.get("epsilon.consistency.not-compared", {})
    why = wording.shown(parameters.words(apart.get("why")))
    found = text("remedy-untested-found", why=why) if why else wording.shown(about.check.basis)
    return found, text("remedy-untested")


def _refuted(about: Subject, found: str, *, by_requester: bool) -> Advice:
    """Withdraw a claim; where it took somebody who sees earlier models, show none."""
    action = text("remedy-refuted-adaptive" if by_requester else "remedy-refuted")
    return Advice(found, action, Owner.CONTROLLER, requests=executed(about.told), tell=Tell.MODEL)


def _no_threshold(about: Subject, requests: tuple[str, ...]) -> Iterator[Advice]:
    if {"removal.no-target", "deletion.no-threshold", "training.privacy.no-threshold"} & set(about.given):
        found, action = text("remedy-no-threshold-found"), text("remedy-no-threshold")
        yield Advice(found, action, Owner.CONTROLLER, requests=requests, tell=Tell.OPEN, urgency=Urgency.DECIDE)


def _crossing(held: Held) -> int | None:
    """The place in the series of the first batch whose bound is above the budget."""
    for place, each in enumerate(held.series):
        bound = each.beta.get(held.criterion)
        if held.budget is not None and bound is not None and bound > held.budget:
            return place
    return None


def _plan(options: Mapping[str, str | float | None], *flags: str) -> str:
    """The `auditor plan` that shows what a setting that serves would cost; options without a value are left out."""
    said = ["auditor", "plan", "CASE", *flags]
    for name, value in options.items():
        if value not in {None, ""}:
            said += [name, value if isinstance(value, str) else f"{value:g}"]
    return shlex.join(said)


def _steps(about: Subject, target: float) -> int | None:
    """The unlearning steps that bring the bound of the convex theorem down to the target; None where none do."""
    for each in about.told.certificates:
        if each.kind == "noisy-gd-convex" and each.epsilon == about.check.value:
            given = {name: value for name, value in each.inputs.items() if name != "steps"}
            try:
                return parameters.count(derive("noisy-gd-convex", {**given, "target": target}).outputs.get("steps"))
            except (AuditorError, ValueError, ArithmeticError):
                return None
    return None


def _fixes(value: Any) -> Iterator[str]:
    """Every remedy that a reason names, however deep."""
    if isinstance(value, Mapping):
        for key, inner in value.items():
            if key in {"fix", "mend"} and isinstance(inner, str):
                yield inner
            elif key == "fixes" and isinstance(inner, list):
                yield from (each for each in inner if isinstance(each, str))
            else:
                yield from _fixes(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from _fixes(inner)


def _unproved(about: Subject) -> str:
    """What keeps every theorem from covering what ran; empty where nothing is named."""
    named = about.given.get("deletion.renyi.not-shown", {}).get("found")
    premises = parameters.entries(about.given.get("deletion.renyi.false-measured", {}).get("premises"))
    said = [*parameters.ids(named), *(parameters.words(each.get("found")) for each in premises)]
    return "; ".join(wording.shown(each) for each in dict.fromkeys(said) if each)


def _without_fix(about: Subject) -> str:
    """Why, without the remedy that the same sentence ends with."""
    return wording.shown(about.check.basis.split(text("remedy-how-to-fix"))[0].rstrip())


def _rounded_up(value: float) -> str:
    """A setting in two significant digits, never smaller than the value."""
    power = 10.0 ** (math.floor(math.log10(value)) - 1)
    return f"{math.ceil(value / power) * power:.6g}"
