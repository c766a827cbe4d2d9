"""The result of an audit in words that can be quoted: the sentence, what was examined, what a pass is worth."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import Final

from auditor.checks import judging_unlearning
from auditor.domain import Guarantee, How, Standing, Status, Strength, Verdict
from auditor.evidence import ClaimStanding, Evidence, Route, Weakening
from auditor.guarantees import standing
from auditor.reliance import CODE_CLEAN, EXACT, HONEST, unmet
from auditor.settings.attestations import ATTESTABLE, facts_of, name_for
from auditor.strength import NO_USE, guesses
from auditor.words import numbers
from auditor.words.guesses import promise

_THAT: Final = {
    CODE_CLEAN: "nothing that its code brings along was made from a deleted record",
    HONEST: "its code acts on the log as it does in the tests",
}
"""What the words that let foreign code pass say; what other attestations say stands with the guarantees that need them."""
_FURTHER: Final = {
    "data-deletion-claim": "a claim of data deletion",
    "equal-counterfactual-runs": "counterfactual runs that give equal bytes at every batch",
}
_SETTINGS: Final = {
    "policy.deadline_days": "deadline_days",
    "policy.min_quality": "min_quality",
    "swap.pairs": "pairs",
    "swap.models": "models",
    "swap.alpha": "alpha",
    "swap.confidence": "confidence",
    "inference.confidence": "confidence of deletion inference",
}
_HARD: Final = "very hard to tell whether a person's data were ever there"
_EXACT: Final = (
    "what the deleted records held made no difference to the model of the rerun, and no model file was compared with it"
)
_NOTHING_FOUND: Final = "what decides examined the forgetting, and found nothing"
_DEFAULTS: Final = {"policy.deadline_days": "one calendar month"}


def sentence_of(evidence: Evidence) -> str:
    """Verdict, case, what keeps it from pass, what it rests on, and where its policy asks for less than the default."""
    release = f" release {evidence.case.release}" if evidence.case.release else ""
    # Nothing is said of a release whose model file nobody examined.
    subject = f"“{evidence.case.name}”{release}" if evidence.examined.model else f"the procedure of “{evidence.case.name}”"
    required = evidence.policy.required
    match evidence.verdict:
        case Verdict.PASS:
            said = _passed(evidence, subject)
        case Verdict.FAIL:
            failed = _of_status(evidence, Status.FAIL)
            said = f"Fail: {subject} fails {len(failed)} of {len(required)} required checks: {', '.join(failed)}."
        case Verdict.INCONCLUSIVE:
            said = _inconclusive(evidence, subject)
    return " ".join(each for each in (said, rests_on(evidence), _policy(evidence)) if each)


def rests_on(evidence: Evidence) -> str:
    """The controller's statements that carry the pass, and those that only its best promise needs; empty where there are none."""
    words = evidence.reliance.statements
    clauses = [f"{_THAT[each]} ({each})" for each in words if each in _THAT]
    others = [each for each in words if each not in _THAT]
    said = [f"on the controller's word that {_and(clauses)}"] if clauses else []
    if others:
        whose = "its" if clauses else "the controller's"
        said.append(f"on {whose} unexamined {'statements' if len(others) > 1 else 'statement'} {', '.join(others)}")
    further = [each for each in unchecked(evidence) if each not in words] if evidence.verdict is Verdict.PASS else []
    parts = [f"It rests {' and '.join(said)}."] if said else []
    if further:
        more = "further unexamined" if said else "unexamined"
        parts.append(
            f"Its promise rests on the controller's {more} {'statements' if len(further) > 1 else 'statement'} {', '.join(further)}."
        )
    return " ".join(parts)


def by_default(evidence: Evidence) -> str:
    """The verdict under the default policy, as a line of its own."""
    return f"By the auditor's default policy: {evidence.default_policy_verdict.value}"


def examined(evidence: Evidence) -> tuple[tuple[str, bool], ...]:
    """What a deletion has to reach, and whether it was examined."""
    seen = evidence.examined
    return ("model file", seen.model), ("data store", seen.store), ("procedure", seen.procedure), ("backups", seen.backups)


def worth(evidence: Evidence) -> str:
    """What the strength of a pass means; empty where the verdict is not one."""
    shares = [share for each in evidence.guarantees if (share := guesses(each)) is not None]
    most = min(shares, default=None)
    match evidence.strength:
        case None:
            said = ""
        case Strength.A:
            said = _HARD
        case Strength.B:
            count = len(unchecked(evidence))
            true = "1 statement of the controller is" if count == 1 else f"{count} statements of the controller are"
            said = f"{_HARD}, if {true} true" if count else _HARD
        case Strength.C:
            said = "" if most is None else promise(most)
        case Strength.D:
            exact = any(check.id == EXACT and check.status is Status.PASS for check in evidence.checks)
            said = f"no mathematical promise: {_EXACT if exact else _NOTHING_FOUND}"
        case Strength.E:
            said = promise(most) if most is not None and most >= NO_USE else "no useful promise: nothing that decides examines it"
    return said


def unchecked(evidence: Evidence) -> tuple[str, ...]:
    """Name the controller's statements that nobody examined and that the best promise or the pass rests on.

    Names are those that `[claims] attested` takes, in its order; a premise that no such name gives is named by its fact.
    """
    held = [(share, each) for each in evidence.guarantees if (share := guesses(each)) is not None]
    return resting_on(evidence, min(held, key=lambda pair: pair[0])[1] if held else None)


def resting_on(evidence: Evidence, promise: Guarantee | None, *, carrying: Collection[str] | None = None) -> tuple[str, ...]:
    """Name the controller's statements that nobody examined and that one promise, or the pass, rests on; see `unchecked`.

    Args:
        evidence: The whole evidence.
        promise: The guarantee; None where none is meant.
        carrying: Names of further statements that count; left out, those that carry the pass.
    """
    routes = () if promise is None else tuple(each for each in promise.derivation if standing(each) is promise.status)
    facts = {premise.fact for each in routes for premise in each.premises if premise.how is How.ATTESTED}
    said = [each.name for each in evidence.policy.attested]
    found = {next((name for name in said if fact in facts_of(name)), name_for(fact) or fact) for fact in facts}
    further = evidence.reliance.statements if carrying is None else carrying
    found |= {name for name in further if not facts & set(facts_of(name))}
    known = [name for name in ATTESTABLE if name in found]
    return (*known, *sorted(found - set(known)))


def _of_status(evidence: Evidence, *statuses: Status) -> list[str]:
    """The required checks of those statuses; one that the evidence lacks counts as skipped."""
    known = {check.id: check.status for check in evidence.checks}
    return [check_id for check_id in evidence.policy.required if known.get(check_id, Status.SKIPPED) in statuses]


def _passed(evidence: Evidence, subject: str) -> str:
    required = evidence.policy.required
    not_run = sum(check.status is Status.SKIPPED for check in evidence.checks)
    only = "" if evidence.examined.model else " for the procedure only"
    grade = "" if evidence.strength is None else f" (strength {evidence.strength.value})"
    blind = "" if judging_unlearning(required) else " None of them examines the unlearning itself."
    return (
        f"Pass{only}{grade}: {subject} meets all {len(required)} required checks; "
        f"{not_run} other checks were not required or not run.{blind}"
    )


def _inconclusive(evidence: Evidence, subject: str) -> str:
    required, open_ids = (
        evidence.policy.required,
        _of_status(evidence, *(status for status in Status if status is not Status.PASS)),
    )
    held = [*_claims(evidence), *_contradicted(evidence), *_cap(evidence)]
    if evidence.reliance.unexamined:
        held.append("nothing that passes examines the forgetting")
    if evidence.environment.capped:
        held.append("foreign code ran in a sandbox too weak for a verdict")
    if open_ids:
        held.insert(0, f"{len(open_ids)} of {len(required)} required checks are open: {', '.join(open_ids)}")
        return f"Inconclusive: for {subject} {'; '.join(held)}."
    if not held:
        return f"Inconclusive: nothing that was required of {subject} could be shown."
    return f"Inconclusive: {subject} meets all {len(required)} required checks, but {'; '.join(held)}."


def _claims(evidence: Evidence) -> list[str]:
    words = {Standing.REFUTED: "refuted", Standing.NOT_SHOWN: "not shown"}
    return [f"the claim {each.name} is {words[each.standing]}{_for_one_person(each)}" for each in unmet(evidence.reliance.claims)]


def _for_one_person(claim: ClaimStanding) -> str:
    """What a person with all of their records gets, where that is more than what is claimed."""
    if claim.epsilon is None:
        return ""
    delta = f" and δ up to {numbers.at_most(claim.delta)}" if claim.delta else ""
    return f" (a person with all the records that the log names for one gets ε up to {numbers.at_most(claim.epsilon)}{delta})"


def _contradicted(evidence: Evidence) -> list[str]:
    words = evidence.reliance.contradicted
    return [f"what was found contradicts {_and(words)}"] if words else []


def _cap(evidence: Evidence) -> list[str]:
    """What is missing for the controller's own code to pass, by each way that the case can go."""
    ways = missing(evidence)
    return (
        [f"the controller's own code cannot pass by tests of the code alone: it would take {', or '.join(ways)}"] if ways else []
    )


def missing(evidence: Evidence) -> tuple[str, ...]:
    """What each way lacks that the case could go for the controller's own code to pass; nothing where one is open or none needed."""
    cap = evidence.reliance.cap
    if not cap.holds:
        return ()
    possible = [each for each in cap.routes if "data-deletion-claim" not in each.further]
    # A way that lacks everything that another lacks, and more, helps nobody.
    ways = [each for each in possible if not any(_lacking(other) < _lacking(each) for other in possible)]
    return tuple(map(_missing, ways))


def _lacking(route: Route) -> set[str]:
    return {*route.checks, *route.words, *route.further}


def _missing(route: Route) -> str:
    checks = list(route.checks)
    return _and(
        [
            *(_FURTHER[each] for each in route.further),
            *([f"{_and(checks)} to pass"] if checks else []),
            *([f"{_and(route.words)} to be attested"] if route.words else []),
        ]
    )


def _policy(evidence: Evidence) -> str:
    """Where the policy asks for less than the default, and what the default comes to."""
    weaker = [_weaker(each) for each in evidence.reliance.weakenings]
    if left_out := evidence.reliance.left_out:
        weaker.append(f"it does not require {', '.join(left_out)}")
    verdict = f"under the default policy the verdict is {evidence.default_policy_verdict.value}"
    if weaker:
        return f"The policy asks for less than the default ({'; '.join(weaker)}): {verdict}."
    return "" if evidence.default_policy_verdict is evidence.verdict else f"{verdict.capitalize()}."


def _weaker(setting: Weakening) -> str:
    if isinstance(setting.declared, tuple):
        return f"attacks {', '.join(setting.declared)} instead of all"
    default = _DEFAULTS.get(setting.key) or f"{setting.default:g}"
    return f"{_SETTINGS.get(setting.key, setting.key)} = {setting.declared:g} instead of {default}"


def _and(parts: Iterable[str]) -> str:
    listed = list(parts)
    return " and ".join([", ".join(listed[:-1]), listed[-1]] if len(listed) > 1 else listed)
