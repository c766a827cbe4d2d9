"""The result of an audit in words that can be quoted: the sentence, what was examined, what a pass is worth."""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence
from functools import reduce
from typing import Final

from auditor.base.domain import ClaimStatus, Effect, Guarantee, Provenance, Status, Strength, Verdict
from auditor.document.conclusions import ClaimStanding, Route, Weakening
from auditor.document.evidence import Evidence
from auditor.pages.words import numbers, premises
from auditor.pages.words.guesses import promise
from auditor.pages.words.lists import both, listed
from auditor.pages.words.texts import Named, say, text, variant
from auditor.settings.attestations import ATTESTABLE, CODE_CLEAN, GENUINE, HONEST, facts_of, name_for
from auditor.verdict import examination
from auditor.verdict.checks import judging_unlearning, the
from auditor.verdict.checks.card import Role
from auditor.verdict.examination import ModelFile, Searched
from auditor.verdict.grade import HARD_TO_TELL, NO_USE, guesses
from auditor.verdict.guarantees import is_foreign, standing
from auditor.verdict.premises import MADE_OF
from auditor.verdict.reliance import unmet

_FURTHER: Final = Named("verdict-further-")
_SETTINGS: Final = Named("verdict-setting-")
_DEFAULTS: Final = Named("verdict-default-")
_OF_CONTROLLER: Final = {"program": Role.HISTORY, "kept": Role.SEARCHES}
"""What of a whole controller is examined, and by a check of which role."""
_THAT: Final = frozenset({CODE_CLEAN, HONEST, GENUINE})
"""The words that let foreign code pass; what other attestations say belongs to the guarantees that need them."""


def sentence_of(evidence: Evidence) -> str:
    """Everything that `lines_of` says, as one paragraph that begins with what can be quoted."""
    return " ".join(lines_of(evidence))


def lines_of(evidence: Evidence) -> tuple[str, ...]:
    """Say the result: first one short sentence that can be quoted, then what it leaves out.

    The first sentence has the verdict, of what, what keeps it from pass or how many unchecked statements it rests on, and the
    verdict under the default policy where that is another one. Further ones name those statements, what else is open, and where
    the policy asks for less than the default.
    """
    release = evidence.case.release
    # Nothing is said of a release whose model file nobody examined.
    if evidence.places_alone:
        of = "verdict-of-places"
    elif not evidence.learns:
        of = "verdict-of-controller"
    elif not evidence.reruns:
        of = "verdict-of-answers"
    elif not examination.model_file(evidence).settled:
        of = "verdict-of-procedure"
    else:
        of = "verdict-of-release" if release else "verdict-of-case"
    subject = say(of, name=evidence.case.name, release=release)
    match evidence.verdict:
        case Verdict.PASS:
            opening, *more = _passed(evidence, subject)
        case Verdict.FAIL:
            failed = _of_status(evidence, Status.FAIL)
            required = len(evidence.policy.required)
            opening = say("verdict-fail", subject=subject, failed=len(failed), required=required, names=_named(failed))
            more = _all_named(failed)
        case Verdict.INCONCLUSIVE:
            opening, *more = _inconclusive(evidence, subject)
    if evidence.audit.stage is not None:
        opening = f"{text('verdict-first')} {opening}"
        more = [text("verdict-first-more"), *more]
    if evidence.audit.only is not None:
        more.append(text("verdict-only"))
    policy, passing = _policy(evidence), evidence.verdict is Verdict.PASS
    return opening, *more, *_rests_on(evidence), *([policy] if policy else []), *([_others(evidence)] if passing else [])


_NAMED: Final = 6
"""Checks that the sentence to be quoted names; the next line names all of them where there are more."""


def _named(checks: Sequence[str]) -> str:
    return (
        ", ".join(checks) if len(checks) <= _NAMED else say("verdict-named", names=", ".join(checks[:_NAMED]), count=len(checks))
    )


def _all_named(checks: Sequence[str]) -> list[str]:
    return [say("verdict-all-named", names=", ".join(checks))] if len(checks) > _NAMED else []


def rests_on(evidence: Evidence) -> str:
    """The controller's statements that carry the pass, and those that only its best promise needs; empty where there are none."""
    return " ".join(_rests_on(evidence))


def _rests_on(evidence: Evidence) -> list[str]:
    words = evidence.reliance.statements
    clauses = [text(f"verdict-that-{each}", name=each) for each in words if each in _THAT]
    others = [each for each in words if each not in _THAT]
    said = [text("verdict-on-word", that=listed(clauses))] if clauses else []
    if others:
        said.append(say("verdict-on-statements", word=bool(clauses), count=len(others), names=", ".join(others)))
    silent = premises.unsaid(evidence)
    passing = evidence.verdict is Verdict.PASS
    further = [each for each in unchecked(evidence) if each not in words and each not in silent] if passing else []
    parts = [text("verdict-rests", said=both(said))] if said else []
    if further and any(guesses(each) is not None for each in evidence.guarantees):
        parts.append(say("verdict-promise-rests", further=bool(said), count=len(further), names=", ".join(further)))
    elif further:
        parts.append(say("verdict-also-rests", count=len(further), names=", ".join(further)))
    if passing and silent:
        parts.append(say("verdict-unsaid", also=bool(parts), count=len(silent), names=", ".join(silent)))
    return parts


def by_default(evidence: Evidence) -> str:
    """The verdict under the default policy, as a line of its own."""
    return text("verdict-by-default", verdict=_verdict(evidence.default_policy_verdict))


_OF: Final = 100_000
"""Audits of honest cases that a chance is counted in."""


_CHANCES: Final = (Effect.ACCUSES, Effect.LEAVES_OPEN)


def chances(evidence: Evidence) -> str:
    """How often an honest case like this one is accused by chance, or left open; empty for a document that does not say.

    What is counted is rounded up.
    """
    levels = evidence.levels
    if levels is None:
        return ""
    counted = [each for each in levels.tests if each.effect is not Effect.PASS_NEEDS]
    if not counted:
        return text("verdict-chances-places" if evidence.case.places else "verdict-chances-none")
    whole = say("verdict-chances", accused=in_audits(levels.accuses), left=in_audits(levels.leaves_open))
    accused, left = (sum(each.level for each in counted if each.apart and each.effect is effect) for effect in _CHANCES)
    if not accused and not left:
        return whole
    kind = "both" if accused and left else Effect.ACCUSES.value if accused else Effect.LEAVES_OPEN.value
    return f"{whole} {text(f'verdict-chances-apart-{kind}', accused=in_audits(accused), left=in_audits(left))}"


def in_audits(level: float) -> int:
    """A chance as audits of 100,000, rounded up; what rounding to decimals added is no audit more."""
    return math.ceil(level * _OF * (1 - 2.0**-40))


def examined(evidence: Evidence) -> tuple[tuple[str, str], ...]:
    """What a deletion has to reach, in words, and how far it was examined."""
    return tuple(
        (text(f"verdict-examined-{name}"), text(_extent(evidence, name, yes))) for name, yes in reached(evidence).items()
    )


def _extent(evidence: Evidence, name: str, yes: bool) -> str:
    file, kept = examination.model_file(evidence), examination.searched(evidence)
    in_part = {"model": file is ModelFile.PART, "store": kept is Searched.OPEN, "kept": kept is Searched.OPEN}
    if in_part.get(name):
        return "common-in-part"
    if name == "store" and kept is Searched.TRUSTED:
        return "verdict-examined-trusted"
    if name == "model" and file is ModelFile.OPEN:
        return "common-not-settled"
    return "common-yes" if yes else "common-no"


def reached(evidence: Evidence) -> dict[str, bool]:
    """What a deletion has to reach, by name, and whether it was examined."""
    seen = evidence.examined
    if evidence.places_alone:
        return {"places": seen.store, "model": False, "backups": seen.backups}
    if not evidence.learns:
        statuses = {check.id: check.status for check in evidence.checks}
        ran = {
            name: statuses.get(the(role, evidence.version)) in {Status.PASS, Status.FAIL} for name, role in _OF_CONTROLLER.items()
        }
        return {**ran, "backups": seen.backups}
    file = examination.model_file(evidence)
    return {"model": file.settled, "store": seen.store, "procedure": seen.procedure, "backups": seen.backups}


def worth(evidence: Evidence) -> str:
    """What the strength of a pass means; empty where the verdict is not one."""
    shares = [share for each in evidence.guarantees if (share := guesses(each)) is not None]
    most = min(shares, default=None)
    if not evidence.learns and evidence.strength is not None and (most is None or evidence.strength in {Strength.D, Strength.E}):
        return text("verdict-worth-controller" if most is None else "verdict-worth-controller-number")
    match evidence.strength:
        case None:
            said = ""
        case Strength.A:
            said = text("verdict-worth-hard", count=0)
        case Strength.B:
            said = text("verdict-worth-hard", count=len(unchecked(evidence)))
        case Strength.C:
            said = _limited(evidence, most)
        case Strength.D:
            exact = any(
                check.id == the(Role.EXACT, evidence.version) and check.status is Status.PASS for check in evidence.checks
            )
            of_file = "verdict-worth-exact" if evidence.case.model_part is None else "verdict-worth-part"
            said = text(of_file if exact else "verdict-worth-nothing-found")
        case Strength.E:
            said = promise(most) if most is not None and most >= NO_USE else text("verdict-worth-none")
    return said


def _limited(evidence: Evidence, most: float | None) -> str:
    """What grade C means: a promise that leaves more to guess, or one that rests on something that nobody says."""
    if most is not None and most > HARD_TO_TELL:
        return promise(most)
    return say("verdict-worth-unsaid", count=len(unchecked(evidence)), unsaid=len(premises.unsaid(evidence)))


def unchecked(evidence: Evidence) -> tuple[str, ...]:
    """Name what a pass of this case rests on and nobody examined, whether somebody says it or nobody does.

    Names are those that `[claims] attested` takes; what no such name gives is named by its fact. Of a document that does not say,
    it is what the best promise or the pass rests on.
    """
    if evidence.premises:
        return tuple(each.name for each in evidence.premises if each.standing in {"said", "unsaid"})
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
    premises = (premise for each in routes for premise in each.premises if not is_foreign(premise))
    attested = {premise.fact for premise in premises if premise.how is Provenance.ATTESTED}
    facts = {each for fact in attested for each in MADE_OF.get(fact, (fact,))}
    said = [each.name for each in evidence.policy.attested]
    found = {next((name for name in said if fact in _given_by(name)), name_for(fact) or fact) for fact in facts}
    further = evidence.reliance.statements if carrying is None else carrying
    found |= {name for name in further if not facts & set(_given_by(name))}
    known = [name for name in ATTESTABLE if name in found]
    return (*known, *sorted(found - set(known)))


def _of_status(evidence: Evidence, *statuses: Status) -> list[str]:
    """The required checks of those statuses; one that the evidence lacks counts as skipped."""
    known = {check.id: check.status for check in evidence.checks}
    return [check_id for check_id in evidence.policy.required if known.get(check_id, Status.SKIPPED) in statuses]


def _passed(evidence: Evidence, subject: str) -> list[str]:
    required = evidence.policy.required
    default = evidence.default_policy_verdict
    opening = say(
        "verdict-pass",
        only=examination.procedure_only(evidence),
        strength=None if evidence.strength is None else evidence.strength.value,
        subject=subject,
        required=len(required),
        count=len(unchecked(evidence)),
        verdict=None if default is Verdict.PASS else _verdict(default),
        without_values=examination.without_values(evidence) or "nobody",
    )
    blind = evidence.learns and not judging_unlearning(required, evidence.version)
    return [opening, *([text("verdict-pass-blind")] if blind else [])]


def worded(evidence: Evidence, message: str, /, **given: str | float) -> str:
    """Format one message as it is worded for what was examined: programs or places alone have their own, where there is one."""
    return say(message if evidence.learns else variant(message, examination.alone(evidence)), **given)


def _others(evidence: Evidence) -> str:
    return say("verdict-pass-others", others=sum(check.id not in evidence.policy.required for check in evidence.checks))


def _inconclusive(evidence: Evidence, subject: str) -> list[str]:
    required = len(evidence.policy.required)
    open_ids = _of_status(evidence, *(status for status in Status if status is not Status.PASS))
    held = [*_claims(evidence), *_contradicted(evidence), *_silent(evidence), *_lineage(evidence), *_cap(evidence)]
    if evidence.reliance.unexamined:
        held.append((worded(evidence, "verdict-held-unexamined"), worded(evidence, "verdict-why-unexamined")))
    if evidence.environment.capped:
        held.append((text("verdict-held-capped"), text("verdict-why-capped")))
    whys = [why for _, why in held]
    if open_ids:
        said = {"open": len(open_ids), "required": required, "names": _named(open_ids)}
        broke = evidence.audit.failure
        cause = None if broke is None else broke.partition("\n")[0].rstrip(". ")
        opening = say("verdict-open", subject=subject, cause=cause, **said)
        return [opening, *_all_named(open_ids), *whys]
    if not held:
        so_far = evidence.audit.stage is not None and required
        return [say("verdict-open-first" if so_far else "verdict-open-nothing", subject=subject)]
    clause, first = held[0]
    # What the clause says whole is not said twice.
    rest = whys[1:] if first.rstrip(".").casefold() == clause.casefold() else whys
    return [say("verdict-open-but", subject=subject, required=required, held=clause), *rest]


def _claims(evidence: Evidence) -> list[tuple[str, str]]:
    """Name every claim that does not hold: as a clause, and as a sentence with what a person gets; the next functions likewise."""
    found: list[tuple[str, str]] = []
    for each in unmet(evidence.reliance.claims):
        refuted, person = each.standing is ClaimStatus.REFUTED, _for_one_person(each)
        clause = say("verdict-held-claim", name=each.name, refuted=refuted)
        found.append((clause, say("verdict-why-claim", name=each.name, refuted=refuted, person=person)))
    return found


def _for_one_person(claim: ClaimStanding) -> str:
    """What a person with all of their records gets, where that is more than what is claimed."""
    if claim.epsilon is None:
        return ""
    delta = numbers.at_most(claim.delta) if claim.delta else None
    return say("verdict-held-claim-person", epsilon=numbers.at_most(claim.epsilon), delta=delta)


def _contradicted(evidence: Evidence) -> list[tuple[str, str]]:
    words = evidence.reliance.contradicted
    if not words:
        return []
    names = listed(words)
    return [(text("verdict-held-contradicted", names=names), text("verdict-why-contradicted", names=names))]


def _silent(evidence: Evidence) -> list[tuple[str, str]]:
    """What nobody attests and a pass asks for, and what to put into audit.toml if it is true."""
    words = evidence.reliance.silent
    if not words:
        return []
    said = listed([text(f"verdict-that-{each}", name=each) for each in words])
    quoted = ", ".join(f'"{each}"' for each in words)
    return [(text("verdict-held-silent", names=listed(words)), text("verdict-why-silent", said=said, names=quoted))]


def _lineage(evidence: Evidence) -> list[tuple[str, str]]:
    """What was made from the model and is not settled, where the policy asks for it."""
    if not evidence.reliance.lineage:
        return []
    names = listed(evidence.reliance.lineage)
    return [(text("verdict-held-lineage", names=names), text("verdict-why-lineage", names=names))]


def _cap(evidence: Evidence) -> list[tuple[str, str]]:
    """What is missing for the controller's own code to pass, by each way that the case can go."""
    ways = missing(evidence)
    if not ways:
        return []
    kind = "cap" if evidence.reruns else "answers"
    said = reduce(lambda first, last: text("verdict-or", first=first, last=last), ways)
    return [(text(f"verdict-held-{kind}"), text(f"verdict-why-{kind}", ways=said))]


def missing(evidence: Evidence) -> tuple[str, ...]:
    """What each way lacks that the case could go for the controller's own code to pass; nothing where one is open or none needed."""
    cap = evidence.reliance.cap
    if not cap.holds:
        return ()
    if cap.controller is not None and not (cap.controller.open or (cap.foreign and cap.route is None)):
        return (_missing(cap.controller),)
    possible = [each for each in cap.routes if "data-deletion-claim" not in each.further]
    # A way that lacks everything that another lacks, and more, helps nobody.
    ways = [each for each in possible if not any(_lacking(other) < _lacking(each) for other in possible)]
    return tuple(map(_missing, ways))


def _lacking(route: Route) -> set[str]:
    return {*route.checks, *route.words, *route.further}


def _missing(route: Route) -> str:
    return listed(
        [
            *(_FURTHER[each] for each in route.further),
            *([text("verdict-checks-to-pass", names=listed(route.checks))] if route.checks else []),
            *([text("verdict-words-to-be-attested", names=listed(route.words))] if route.words else []),
        ]
    )


def _policy(evidence: Evidence) -> str:
    """Where the policy asks for less than the default, and what the default comes to."""
    weaker = [_weaker(each) for each in evidence.reliance.weakenings]
    if left_out := evidence.reliance.left_out:
        weaker.append(text("verdict-weaker-left-out", names=", ".join(left_out)))
    verdict = _verdict(evidence.default_policy_verdict)
    if examination.without_deadlines(evidence):
        return text("verdict-without-deadlines", verdict=verdict)
    if weaker:
        return text("verdict-weaker", weaker="; ".join(weaker), verdict=verdict)
    return "" if evidence.default_policy_verdict is evidence.verdict else text("verdict-other-by-default", verdict=verdict)


def _weaker(setting: Weakening) -> str:
    if isinstance(setting.declared, tuple):
        return text("verdict-weaker-attacks", names=", ".join(setting.declared))
    key = setting.key
    default = _DEFAULTS.get(key) or f"{setting.default:g}"
    return text("verdict-weaker-setting", name=_SETTINGS.get(key, key), declared=f"{setting.declared:g}", default=default)


def _verdict(verdict: Verdict) -> str:
    """A verdict within a sentence."""
    return text(f"verdict-word-{verdict.value}")


def _given_by(name: str) -> tuple[str, ...]:
    """The facts that an attestation gives; none of any other name, as a document of somebody else's may have it."""
    return facts_of(name) if name in ATTESTABLE else ()
