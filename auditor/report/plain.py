"""The first page in words: what was found, what was not tested, what comes next. Written for someone who knows no formula."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from auditor import words
from auditor.checks import judging_unlearning
from auditor.domain import How, Standing, Status, Verdict
from auditor.reliance import unmet
from auditor.report import deletion_words, epsilon_readings, swap_words, wording
from auditor.words import attestations
from auditor.words import verdict as verdicts
from auditor.words.told import Told, ToldCheck

LONGEST_REASON: Final = 80
"""Characters of one check's reason on the page in plain words; its result has all of it."""
MOST_QUESTIONS: Final = 10
"""Checks that the page in plain words lists; the coverage table has all of them."""


@dataclass(frozen=True, slots=True)
class Meaning:
    """What a guarantee that holds says, and what it takes on trust."""

    title: str
    statement: str
    epsilon: float | None
    delta: float | None
    order: float | None
    """The Rényi order that ε is stated at, where it is of that kind."""
    trusted: tuple[str, ...]
    """Its attested premises."""


@dataclass(frozen=True, slots=True)
class Step:
    """One thing to do, and the checks that ask for it."""

    check_ids: tuple[str, ...]
    advice: str
    reason: str


def required_checks(evidence: Told) -> tuple[ToldCheck, ...]:
    """The checks that decide the verdict, those that did not pass first."""
    order = {Status.FAIL: 0, Status.ERROR: 1, Status.INCONCLUSIVE: 2, Status.SKIPPED: 3, Status.PASS: 4}
    required = set(evidence.policy.required)
    return tuple(sorted((check for check in evidence.checks if check.id in required), key=lambda check: order[check.status]))


def questions(evidence: Told) -> tuple[ToldCheck, ...]:
    """The checks whose questions the page asks: where something has to be done, those that ask for it; else all that decide."""
    required = required_checks(evidence)
    unmet = tuple(check for check in required if check.status is not Status.PASS)
    return (unmet or required)[:MOST_QUESTIONS]


def missing_checks(evidence: Told) -> tuple[str, ...]:
    """Ids that the policy requires and the evidence does not hold at all."""
    held = {check.id for check in evidence.checks}
    return tuple(check_id for check_id in evidence.policy.required if check_id not in held)


def findings(evidence: Told) -> tuple[str, ...]:
    """What was found, in sentences: the requests, the decisive checks counted, what attacks found, the guarantees by standing."""
    log = evidence.deletion_log
    required = required_checks(evidence)
    passed = sum(check.status is Status.PASS for check in required)
    executed = sum(request.deleted_at is not None for request in evidence.requests)
    sentences = [
        f"{_held(evidence)} {wording.plural(executed, 'was', 'were')} carried out, {_others(evidence)}{_late(len(log.overdue))}.",
        f"{wording.number(passed)} of {wording.plural(len(required), 'check')} that decide the verdict passed.",
        *_attacked(evidence),
        *_deleted(evidence),
    ]
    for standing, lead in (
        (Standing.SHOWN, "Shown, with every premise examined"),
        (Standing.SUPPORTED, "Supported, if the controller's attested assumptions are true"),
        (Standing.REFUTED, "Refuted"),
        (Standing.NOT_SHOWN, "Not shown"),
    ):
        titles = [guarantee.title for guarantee in evidence.guarantees if guarantee.status is standing]
        if titles:
            sentences.append(f"{lead}: {'; '.join(titles)}.")
    return tuple(sentences)


def attacked(evidence: Told) -> tuple[str, ...]:
    """What attacks found, in sentences: in the SWAP test, and against a claimed or certified ε."""
    said: list[str] = []
    for check in evidence.checks:
        if check.id == "swap.quality":
            found = (swap_words.finding(check), swap_words.over_unlearned(check.details), swap_words.blind(check))
            said += [sentence for sentence in found if sentence]
        elif check.id == "epsilon.consistency":
            said += epsilon_readings.refutations(check.details)
    return tuple(said)


def meanings(evidence: Told) -> tuple[Meaning, ...]:
    """The guarantees that hold, shown or supported, each with the premises that nobody examined.

    Only where the verdict is pass: elsewhere the page says what to do next, and the derivations follow later.
    """
    if evidence.verdict is not Verdict.PASS:
        return ()
    return tuple(
        Meaning(
            guarantee.title,
            guarantee.statement,
            guarantee.epsilon,
            guarantee.delta,
            guarantee.order,
            tuple(
                premise.fact.removesuffix(".")
                for derivation in guarantee.derivation
                for premise in derivation.premises
                if premise.how is How.ATTESTED
            ),
        )
        for guarantee in evidence.guarantees
        if guarantee.status in {Standing.SHOWN, Standing.SUPPORTED}
    )


def caveats(evidence: Told) -> tuple[str, ...]:
    """What narrows the whole audit, and so belongs next to its verdict: nothing where the audit was a full one."""
    case, environment = evidence.case, evidence.environment
    said: list[str] = []
    if case.model is None:
        said.append("No model file was given: the audit covers the procedure alone, not any model about to be released.")
    if evidence.procedure.unlearn == "none":
        said.append("The declared procedure does not unlearn: a deletion leaves its model as it is.")
    if evidence.verdict is Verdict.PASS and not judging_unlearning(evidence.policy.required):
        said.append("No check that decides this verdict examines the unlearning itself: the policy requires none.")
    if case.store is None:
        said.append("No data store was given: whether the deleted records are gone from the controller's data was not examined.")
    if evidence.audit.quick:
        said.append("This was a quick run with smaller samples: what a full run would decide may have stayed open.")
    if environment.capped:
        said.append(
            f"Foreign code ran at isolation level “{environment.isolation}”, which is too weak to trust its answers: "
            "the verdict can be no better than inconclusive."
        )
    return tuple(said)


def limitations(evidence: Told) -> tuple[str, ...]:
    """What this audit could not or did not examine, the weightiest first."""
    said = list(caveats(evidence))
    still_open = sum(request.deleted_at is None and request.status == "open" for request in evidence.requests)
    if still_open:
        said.append(f"{wording.plural(still_open, 'request is', 'requests are')} still open: nothing was tested for them.")
    said += [f"The check {check_id} is required and has no result." for check_id in missing_checks(evidence)]
    if said_by := attestations.attested(evidence.policy):
        said.append(said_by)
    said += attestations.needed(evidence.evidence).values()
    if evidence.policy.claims_not_examined:
        said.append(f"Claimed by the controller, but examined by no check: {', '.join(evidence.policy.claims_not_examined)}.")
    said += _not_run(evidence)
    if likeness := deletion_words.likeness(evidence):
        said.append(likeness)
    elif any(check.id == "swap.quality" and check.value is not None for check in evidence.checks):
        said.append(swap_words.SCOPE)
    said.append("Backups, caches, feature stores, embeddings and recipients were examined only where this report names them.")
    return tuple(said)


def _not_run(evidence: Told) -> Iterator[str]:
    """The checks without a result: those that decide the verdict by name, the others by the questions that they leave open."""
    required = set(evidence.policy.required)
    left = [check for check in evidence.checks if not wording.has_run(check)]
    decisive = [check.id for check in left if check.id in required]
    if decisive:
        yield f"Required, but not run: {', '.join(decisive)}."
    others = (check for check in left if check.id not in required and not check.basis.startswith(words.DOES_NOT_APPLY))
    topics = [topic for topic in dict.fromkeys(check.card.open_question for check in others) if topic]
    if topics:
        yield f"Not examined: {'; '.join(topics)}. The coverage table gives the reasons."


def next_steps(evidence: Told) -> tuple[Step, ...]:
    """What to do where the verdict is not pass: failures first; checks that ask for the same thing share one step."""
    if evidence.verdict is Verdict.PASS:
        return ()
    asked = [
        (wording.next_step(check), check.id, check.basis)
        for check in required_checks(evidence)
        if check.status is not Status.PASS
    ]
    asked += [("Run what the policy requires.", name, "It has no result.") for name in missing_checks(evidence)]
    asked += [("Attest what is true of it.", name, reason) for name, reason in attestations.needed(evidence.evidence).items()]
    asked += _held_back(evidence)
    if evidence.environment.capped:
        reason = f"The level was {evidence.environment.isolation}."
        asked.append(("Audit again on a machine whose sandbox can confine the procedure.", "isolation", reason))
    grouped: dict[str, list[tuple[str, str]]] = {}
    for advice, name, reason in asked:
        grouped.setdefault(advice, []).append((name, reason))
    return tuple(
        Step(
            tuple(name for name, _ in members),
            advice,
            " ".join(wording.short(reason, LONGEST_REASON) for reason in dict.fromkeys(reason for _, reason in members)),
        )
        for advice, members in grouped.items()
    )


def _held_back(evidence: Told) -> Iterator[tuple[str, str, str]]:
    """What to do about a claim that is not supported, and about code that only the controller vouches for."""
    relied = evidence.evidence.reliance
    for each in unmet(relied.claims):
        word = wording.word(each.standing)
        yield "Withdraw the claim, or give the audit what it takes to support it.", f"claims.{each.name}", f"It is {word}."
    for name in relied.contradicted:
        yield (
            "Prepare the data without the deleted records, and attest only what is true.",
            f"attested.{name}",
            "What was found contradicts it.",
        )
    if relied.unexamined:
        advice = "Let the forgetting be examined: list nothing under required, or unlearn by a way that a check can judge."
        yield advice, "unlearning", "Nothing that passes examines it."
    if ways := verdicts.missing(evidence.evidence):
        advice = "Let the release itself be examined, and attest what nobody can examine."
        yield advice, "own code", f"It would take {ways[0]}."


def _attacked(evidence: Told) -> tuple[str, ...]:
    """What attacks found; that the SWAP test sees nothing is left to its result where it asks the wrong question anyway."""
    found = attacked(evidence)
    if deletion_words.likeness(evidence) is None:
        return found
    blind = {swap_words.blind(check) for check in evidence.checks if check.id == "swap.quality"}
    return tuple(sentence for sentence in found if sentence not in blind)


def _deleted(evidence: Told) -> tuple[str, ...]:
    """What was found of data deletion; nothing where the guarantee holds, and the page says below what it means."""
    if any(meaning.order is not None for meaning in meanings(evidence)):
        return ()
    return deletion_words.findings(evidence)


def _held(evidence: Told) -> str:
    log = evidence.deletion_log
    return f"The deletion log holds {wording.plural(log.requests, 'request')} about {wording.plural(log.records, 'record')};"


def _others(evidence: Told) -> str:
    """Requests that were not carried out, counted by what became of them."""
    counts = Counter(request.status for request in evidence.requests if request.deleted_at is None)
    return "".join(f"{wording.request_outcome(status, count)}, " for status, count in sorted(counts.items()))


def _late(count: int) -> str:
    return "none is overdue" if count == 0 else f"{wording.plural(count, 'is', 'are')} overdue"
