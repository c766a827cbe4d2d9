"""What to do about what an audit found: from the evidence alone, one remedy for each thing to do, failing first.

Page 3 of the report, the Markdown summary, JUnit, SARIF and the terminal print these. An audit that is no pass always has one.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from dataclasses import replace
from datetime import date
from functools import cache
from itertools import chain
from types import ModuleType
from typing import Final, TypeVar

from auditor.base.domain import Status, Strength, Verdict
from auditor.base.parts import modules
from auditor.pages import plain, wording
from auditor.pages.remedies import held_back
from auditor.pages.remedies.advice import (
    Advice,
    Owner,
    Proof,
    Release,
    Remedy,
    Subject,
    Tell,
    Urgency,
    executed,
    first_sentence,
    subject,
)
from auditor.pages.words.lists import listed
from auditor.pages.words.rendered_evidence import Told, ToldCheck
from auditor.pages.words.texts import text
from auditor.verdict import examination
from auditor.verdict.checks import part_of
from auditor.verdict.checks.card import Role
from auditor.verdict.checks.context import SECRET_BITS
from auditor.verdict.judgement import not_yet

__all__ = ["Proof", "Remedy", "Urgency", "for_check", "of_check", "once", "remedies", "whose"]

_Line = TypeVar("_Line", bound=Hashable)

_ORDER: Final = {Status.FAIL: 0, Status.ERROR: 1, Status.INCONCLUSIVE: 2, Status.SKIPPED: 3, Status.PASS: 4}
_URGENCIES: Final = tuple(Urgency)
_PROVED_OTHERWISE: Final = frozenset({"claims", "strength", "statements", "verdict"})
"""What asks for a remedy and is no check."""


@cache
def _brought(check_id: str) -> tuple[ModuleType, ...]:
    """The modules of remedies that the part of a check brings; those of others are not imported for it."""
    part = part_of(check_id)
    return () if part is None else tuple(modules("remedies", of=part))


def _about(check_id: str) -> Iterator[Callable[[Subject], Iterator[Advice]]]:
    """What says what to do about a check, as its part brings it."""
    return (module.REMEDIES[check_id] for module in _brought(check_id) if check_id in module.REMEDIES)


def _beside(check_id: str) -> Iterator[Callable[[Subject], Iterator[Advice]]]:
    """What says what even a check that passed asks for, as its part brings it."""
    return (module.BESIDES[check_id] for module in _brought(check_id) if check_id in getattr(module, "BESIDES", {}))


def remedies(told: Told) -> tuple[Remedy, ...]:
    """Everything that is to be done, failing first; steps that ask for the same thing are one.

    Args:
        told: The evidence with its words.

    Returns:
        At least one remedy of urgency `fix` or `decide` where the verdict is no pass; where it is, what a pass leaves to people.
    """
    required = [check for check in told.checks if check.id in set(told.policy.required) and check.status is not Status.PASS]
    ordered = sorted(required, key=lambda one: (_ORDER[one.status], _waits(one)))
    asked = list(_settled([(check, each) for check in ordered for each in _advice(told, check)]))
    unmet: list[tuple[str, Advice]] = [*held_back.missing(told)]
    if told.verdict is not Verdict.PASS:
        unmet += held_back.claims(told, checks_ask=bool(asked))
        unmet += held_back.reliance(told, checks_ask=bool(asked))
        if not asked and not unmet:
            # A first stage never passes, whatever it found.
            action = text("remedy-any" if told.audit.stage is None else "remedy-not-yet")
            unmet.append(("verdict", Advice(wording.shown(told.sentence), action, Owner.AUDIT, tell=Tell.OPEN)))
    else:
        unmet += held_back.claims(told, checks_ask=True)
    passed = [check for check in told.checks if check.status is Status.PASS]
    besides = [(check.id, each) for check in passed for advise in _beside(check.id) for each in advise(subject(told, check))]
    found = _merged(told, [*asked, *unmet, *besides, *held_back.left_to_people(told)])
    # What has to be done before the release comes before what is done when the report is signed.
    signed = text("remedy-by-sign-off")
    return tuple(sorted(found, key=lambda each: (_URGENCIES.index(each.urgency), each.by_when == signed)))


def _waits(check: ToldCheck) -> bool:
    """Whether a check only searched what runs left: where one broke off, the fix is not first of all for it."""
    return check.status is Status.ERROR and Role.SEARCHES in check.card.roles


def once(steps: Sequence[Sequence[_Line]]) -> tuple[list[list[_Line]], list[tuple[tuple[int, ...], list[_Line]]]]:
    """Take out what is said under several steps, to be said once: what is left of each, and what is shared, by their numbers.

    Args:
        steps: What is said under each, in any form that compares.

    Returns:
        The lines of each step that no other has; and the numbers of steps, from 1, with the lines that those share.
    """
    numbers = {line: tuple(at for at, lines in enumerate(steps, start=1) if line in lines) for lines in steps for line in lines}
    shared: dict[tuple[int, ...], list[_Line]] = {}
    for line, found in numbers.items():
        if len(found) > 1:
            shared.setdefault(found, []).append(line)
    return [[line for line in lines if len(numbers[line]) == 1] for lines in steps], list(shared.items())


def whose(numbers: Sequence[int], count: int) -> str:
    """Say which of so many steps something is about."""
    if len(numbers) == count:
        return text("remedy-shared-all")
    return text("remedy-shared", numbers=listed([str(number) for number in numbers]))


def of_check(found: Iterable[Remedy], check_id: str) -> tuple[Remedy, ...]:
    """Those of the remedies that a check asks for."""
    return tuple(each for each in found if check_id in each.checks)


def for_check(told: Told, check_id: str) -> tuple[Remedy, ...]:
    """Give what is to be done about one check, also where it decides nothing: it is then no step of the report.

    Args:
        told: The evidence with its words.
        check_id: A check that the audit had.
    """
    steps, check = of_check(remedies(told), check_id), told.check(check_id)
    if steps or check.status not in {Status.FAIL, Status.ERROR, Status.INCONCLUSIVE}:
        return steps
    asked = [(check_id, _undecided(told, each)) for each in _advice(told, check)]
    return tuple(replace(each, meanwhile=text("remedy-release-undecided")) for each in _merged(told, asked))


def _undecided(told: Told, each: Advice) -> Advice:
    """Make it advice that holds nothing back: what a pass lets people be told of the model is not taken back either."""
    lets = told.verdict is Verdict.PASS and each.tell in {Tell.MODEL, Tell.OPEN}
    return replace(each, urgency=Urgency.CONFIRM, release=Release.FREE, requests=() if lets else each.requests)


def _advice(told: Told, check: ToldCheck) -> Iterator[Advice]:
    """What one check that did not pass asks for; never nothing."""
    about = subject(told, check)
    match check.status:
        case Status.ERROR:
            cause = told.audit.failure or check.basis
            found = text("remedy-error-found", cause=wording.shown(cause).rstrip("."))
            yield Advice(found, text("remedy-error"), Owner.AUDIT, requests=executed(told), tell=Tell.OPEN, urgency=Urgency.FIX)
            return
        case Status.SKIPPED:
            yield _not_run(told, check)
            return
        case _:
            found_any = False
            for each in chain.from_iterable(advise(about) for advise in _about(check.id)):
                found_any = True
                yield each
            if not found_any:
                action = check.card.remedy if about.fails else _open(about)
                tell = Tell.MODEL if about.fails else Tell.OPEN
                yield Advice(wording.shown(check.basis), action, Owner.MODEL, requests=executed(told), tell=tell)


def _settled(asked: Sequence[tuple[ToldCheck, Advice]]) -> Iterator[tuple[str, Advice]]:
    """Give each with its check's id, those that the step of another check settles as that step."""
    for check, each in asked:
        role = each.settled_by
        other = next((first for by, first in asked if role in by.card.roles and by.status is Status.FAIL), None)
        yield check.id, each if other is None else replace(each, action=other.action, requests=other.requests)


def _open(about: Subject) -> str:
    """Say what settles a check that nothing else covers."""
    if "promise.seed" in about.given:
        return text("remedy-seed", bits=str(SECRET_BITS))
    hidden = "data.erased.controller.not-recognised" in about.given
    return text("remedy-erased-not-recognised") if hidden else text("remedy-as-the-reason-says", check=about.check.id)


def _not_run(told: Told, check: ToldCheck) -> Advice:
    """A required check that did not run: left out by --only, or lacking something that its reason names."""
    if told.audit.stage is not None and any(each.id == check.id and not_yet(each) for each in told.evidence.checks):
        return Advice(text("remedy-not-yet-found"), text("remedy-not-yet"), Owner.AUDIT, requests=executed(told), tell=Tell.OPEN)
    only = told.audit.only
    if only is not None and check.id not in only:
        return Advice(
            text("remedy-only-found", check=check.id), text("remedy-only"), Owner.AUDIT, requests=executed(told), tell=Tell.OPEN
        )
    if Role.COMPARES_FILE in check.card.roles and told.case.model is None:
        message = plain.no_model("remedy-no-model", told)
        return Advice(text(f"{message}-found"), text(message), Owner.MODEL)
    return Advice(
        wording.shown(check.basis), text("remedy-not-run", check=check.id), Owner.AUDIT, requests=executed(told), tell=Tell.OPEN
    )


def _merged(told: Told, asked: Iterable[tuple[str, Advice]]) -> Iterator[Remedy]:
    """One remedy for each thing to do, with everything that asks for it and all that there is to know about it."""
    grouped: dict[tuple[str, str], list[tuple[str, Advice]]] = {}
    for name, each in asked:
        grouped.setdefault((first_sentence(each.action), each.command), []).append((name, each))
    statuses = {check.id: check.status for check in told.checks}
    for members in grouped.values():
        first = members[0][1]
        sentence = first_sentence(first.action)
        about = dict.fromkeys(each.action.removeprefix(sentence).strip() for _, each in members)
        names = tuple(dict.fromkeys(name for name, _ in members))
        urgency = min((_urgency(each, statuses.get(name)) for name, each in members), key=_URGENCIES.index)
        requests = tuple(dict.fromkeys(one for _, each in members for one in each.requests))
        yield Remedy(
            urgency=urgency,
            checks=names,
            found=" ".join(dict.fromkeys(each.found for _, each in members)),
            action=" ".join(each for each in (sentence, *about) if each),
            command=first.command,
            owner=text(f"remedy-owner-{first.owner}"),
            requests=requests,
            proof=tuple(_proof(told, name) for name in names),
            tell=told.text(f"remedy-tell-{first.tell if requests else Tell.NOBODY}"),
            meanwhile=_meanwhile(told, first.release, urgency),
            by_when=_by_when(told, requests, first, urgency),
        )


def _urgency(advice: Advice, status: Status | None) -> Urgency:
    if advice.urgency is not None:
        return advice.urgency
    return Urgency.FIX if status in {Status.FAIL, Status.ERROR} else Urgency.DECIDE


def _proof(told: Told, name: str) -> Proof:
    check = next((each for each in told.checks if each.id == name), None)
    if check is None:
        kind, _, rest = name.partition(".")
        if kind == "attested":
            return Proof(kind, text("remedy-proof-attested", name=rest))
        if title := next((each.title for each in told.guarantees if each.id == name), ""):
            return Proof(name, text("remedy-proof-guarantee", title=title))
        return Proof(name, text(f"remedy-proof-{kind}" if kind in _PROVED_OTHERWISE else "remedy-proof-pass"))
    if Role.CHECKS_DEADLINES in check.card.roles and told.deletion_log.overdue:
        return Proof(name, text("remedy-proof-deadlines"))
    threshold = check.threshold
    if threshold is None or check.card.own_threshold or check.card.direction not in {"at most", "at least"}:
        return Proof(name, text("remedy-proof-pass"))
    direction = "at-most" if check.card.direction == "at most" else "at-least"
    return Proof(name, text(f"remedy-proof-{direction}", threshold=wording.number(threshold)))


def _meanwhile(told: Told, release: Release, urgency: Urgency) -> str:
    weak = told.evidence.learns and told.evidence.strength is Strength.E  # a pass that the cover says not to release on
    if told.verdict is Verdict.PASS and not weak:
        return told.text("remedy-release-condition")
    if release is Release.FREE:
        return told.text("remedy-release-besides" if urgency is Urgency.CONFIRM else "remedy-release-policy")
    of_model = told.case.model is not None or not told.evidence.reruns
    model = examination.alone(told.evidence) if not told.evidence.learns else "model" if of_model else "procedure"
    held = urgency is Urgency.FIX and release is Release.HELD
    return text(f"remedy-release-{'held' if held else 'open'}-{model}")


def _by_when(told: Told, requests: tuple[str, ...], first: Advice, urgency: Urgency) -> str:
    """The first date by which people have to be answered, where it is still to come; else before the release."""
    if urgency is Urgency.CONFIRM:
        return told.text("remedy-by-sign-off" if first.release is Release.FREE else "remedy-by-release")
    named = set(requests)
    due = [each.due_on for each in told.requests if each.request_id in named]
    today: date = told.audit.started_at.date()
    coming = [each for each in due if each >= today]
    if due and (first.tell in {Tell.LATE, Tell.REFUSED} or (first.tell is Tell.FOUND and min(due) < today)):
        return text("remedy-by-now", day=wording.day(min(due)))
    if coming:
        return text("remedy-by-due", day=wording.day(min(coming)))
    return told.text("remedy-by-release")
