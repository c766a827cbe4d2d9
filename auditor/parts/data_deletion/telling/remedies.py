"""What to do about data deletion that is not shown, and about what is carried on from one update to the next."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any, Final

from auditor.base.domain import Message
from auditor.base.errors import AuditorError
from auditor.maths.certificates import derive
from auditor.pages import wording, words
from auditor.pages.remedies import parameters
from auditor.pages.remedies.advice import Advice, Owner, Remedies, Subject, Tell, executed, no_threshold, plan_for, subject
from auditor.pages.words import numbers
from auditor.pages.words.texts import text
from auditor.parts.data_deletion.judging import state_stateless
from auditor.parts.data_deletion.judging.adaptive import Derived as Adaptive
from auditor.parts.data_deletion.judging.derived import Derived
from auditor.parts.swap.telling.remedies import consistency, refuted

_ALTERNATIVE: Final = re.compile(r"; |, or ")
"""Where another way of meeting a condition begins."""


def stateless(about: Subject) -> Iterator[Advice]:
    """Wipe what survives an update, by its name; or give the methods by which an update can be resumed."""
    requests = executed(about.told)
    if about.fails:
        derived = about.check.derived_as(state_stateless.Derived)
        carried = [] if derived is None else [each.name for each in derived.carried]
        names = [wording.shown(words.sentence(each) if isinstance(each, Message) else each) for each in carried]
        yield Advice(
            found=text("remedy-state-found", names=wording.listed(names)) if names else text("remedy-state-hidden-found"),
            action=text("remedy-state", names=wording.listed(names)) if names else text("remedy-state-hidden"),
            owner=Owner.MODEL,
            requests=requests,
            tell=Tell.MODEL,
        )
        return
    seen = about.check.observed_as(state_stateless.Observed)
    why = None if seen is None else seen.untried
    yield Advice(
        found=wording.shown(about.check.basis)
        if why is None
        else text("remedy-state-untried-found", why=wording.shown(words.sentence(why))),
        action=text("remedy-state-untried"),
        owner=Owner.MODEL,
        requests=requests,
        tell=Tell.OPEN,
    )


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
            command=plan_for({"--deletions": len(requests), **target}, "--data-deletion"),
            requests=requests,
            tell=tell,
        )
        return
    fixes = list(dict.fromkeys(_fixes(about.given)))
    if fixes:
        said = "; ".join(wording.shown(each) for each in fixes)
        # One way of several is enough for one line; all of them follow.
        first = _ALTERNATIVE.split(said, maxsplit=1)[0]
        message = "remedy-premise" if first == said else "remedy-premises"
        found = text("remedy-premise-found", why=_without_fix(about))
        yield Advice(found, text(message, first=first, fix=said), Owner.MODEL, requests=requests, tell=tell)
    elif lost := _unproved(about):
        found = text("remedy-no-proof-found", why=lost)
        yield Advice(found, text("remedy-no-proof"), Owner.MODEL, requests=requests, tell=tell)
    else:
        yield from no_threshold(about, requests)


def adaptive(about: Subject) -> Iterator[Advice]:
    """Let requesters see fewer models, or claim less; where it only repeats `deletion.renyi`, what that one asks for."""
    renyi = next((each for each in about.told.checks if each.id == "deletion.renyi"), None)
    if "deletion.adaptive.refuted" in about.given:
        attacked = next((each for each in about.told.checks if each.id == "epsilon.consistency"), None)
        played = () if attacked is None else tuple(consistency(subject(about.told, attacked)))
        said = wording.shown(parameters.words(about.given["deletion.adaptive.refuted"].get("said")))
        yield played[0] if played else refuted(about, said, by_requester=True)
    elif "deletion.adaptive.not-covered" in about.given:
        stated = about.given["deletion.adaptive.not-covered"]
        given = {key: wording.number(value if isinstance(value, int | float) else None) for key, value in stated.items()}
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


REMEDIES: Final[Remedies] = {
    "deletion.renyi": deletion,
    "deletion.adaptive": adaptive,
    "state.stateless": stateless,
}
