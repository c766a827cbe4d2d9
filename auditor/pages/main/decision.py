"""The decision page: the result in one sentence, the promise in one number, the biggest limit, what to do with the release."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from auditor.base.deletion_log.deletions import COUNTED
from auditor.base.domain import ClaimStatus, Status, Strength, Verdict
from auditor.pages import plain, promises, right_guesses, wording
from auditor.pages.main.opinion import ATTACKING, having, named
from auditor.pages.remedies import remedies
from auditor.pages.words import guesses as units
from auditor.pages.words import premises
from auditor.pages.words import verdict as verdicts
from auditor.pages.words.rendered_evidence import Told
from auditor.pages.words.texts import say, text
from auditor.settings.attestations import RESIDUAL
from auditor.verdict import conclusion, examination
from auditor.verdict.checks import judging_unlearning
from auditor.verdict.checks.card import Role
from auditor.verdict.conclusion import BothModels, Kind
from auditor.verdict.examination import ModelFile
from auditor.verdict.guarantees import CONFIDENTIALITY

_FILE: Final[Mapping[ModelFile, str]] = {
    ModelFile.SAME: "model",
    ModelFile.OTHER: "model",
    ModelFile.PART: "part",
    ModelFile.OPEN: "file-open",
    ModelFile.NONE: "no-model",
    ModelFile.ANSWERS: "no-model",
}
"""How the headline names what was examined of the model file."""
_TITLE: Final[Mapping[ModelFile, str]] = {
    ModelFile.NONE: "main-release-unseen",
    ModelFile.ANSWERS: "main-release-unseen",
    ModelFile.PART: "main-release-part",
}


class Choice(StrEnum):
    """What an audit can recommend. It decides nothing."""

    RELEASE = "release"
    CONDITIONS = "conditions"
    NO = "no"


@dataclass(frozen=True, slots=True)
class Promise:
    """The promise in one number."""

    share: str
    """Right guesses out of 100, rounded up; empty where nothing is promised."""
    said: str
    """What it means, or why there is none."""
    statements: tuple[str, ...]
    """What it rests on, one line for each standing: what nobody says, what somebody does, what was examined."""
    unchecked: int
    """How many of them nobody checked."""
    attack: str = ""
    """How often the best attack guessed right; empty where no number is promised, and where none gave one."""
    above: bool = False
    """Whether that is more than is promised, and its interval reaches down to the promise: no contradiction."""
    letters: str = ""
    """The number of letters, where they promise another: no letter comes as a surprise to who has read the cover."""

    @property
    def line(self) -> str:
        """All of it but the statements, in one line: for a terminal."""
        if not self.share:
            return self.said
        agrees = text("main-promise-agrees") if self.above else ""
        said = " ".join(each for each in (self.said, self.attack, agrees) if each)
        return text("main-promise-line", share=self.share, said=said)


@dataclass(frozen=True, slots=True)
class Recommendation:
    """What to do with the release, why, and what comes first."""

    choice: Choice
    said: str
    action: str


def release(told: Told) -> str:
    """Choose how the title names the release: it says where no file of it was examined, or one of a part."""
    return _TITLE.get(examination.model_file(told.evidence), "main-release") if told.evidence.learns else "main-release"


def headline(told: Told) -> str:
    """The result in one sentence: policy met, not met or open; grade; model file examined or not; unchecked statements.

    Of a first stage it begins by saying so.
    """
    said = _headline(told)
    return said if told.audit.stage is None else text("main-headline-first", said=said)


def _headline(told: Told) -> str:
    seen = _FILE[examination.model_file(told.evidence)] if told.evidence.learns else examination.alone(told.evidence)
    file = text(f"main-headline-{seen}")
    required = set(told.policy.required)
    outcomes = {check.id: check.status for check in told.checks if check.id in required}
    match told.verdict:
        case Verdict.PASS:
            grade = told.evidence.strength
            count, unsaid = len(verdicts.unchecked(told.evidence)), len(premises.unsaid(told.evidence))
            given = {"grade": "none" if grade is None else grade.value, "file": file, "count": count, "unsaid": unsaid}
            only = examination.procedure_only(told.evidence)
            return say("main-headline-met", whole=unsaid == count, only=only, **given)
        case Verdict.FAIL:
            failed = sum(each is Status.FAIL for each in outcomes.values())
            return text("main-headline-not-met", failed=failed, count=len(required), file=file)
        case Verdict.INCONCLUSIVE:
            held = len(required) - sum(each is Status.PASS for each in outcomes.values())
            besides = "main-headline-open-besides" if told.audit.stage is None else "main-headline-open-yet"
            return text("main-headline-open" if held else besides, held=held, count=len(required), file=file)


def promise(told: Told) -> Promise:
    """The best promise that holds, in right guesses out of 100, and what it rests on."""
    share = right_guesses.promised(told)
    names = verdicts.unchecked(told.evidence)
    statements = premises.lines(told.evidence) or tuple(map(premises.brief, names))
    count = len(names)
    if share is not None:
        held = "main-promise-number" if told.verdict is Verdict.PASS else "main-promise-number-held"
        said = text(held) if told.evidence.learns else _of_what_is_kept(told, held)
        this = right_guesses.sides(told)[0]
        if not told.evidence.learns or (found := this.found) is None:
            theirs = promises.in_letters(told) if told.evidence.learns else ""
            return Promise(units.at_most(share), said, statements, count, letters=theirs)
        above = found.limits is not None and found.limits.low <= share < found.share
        best = right_guesses.best_attack(this)
        return Promise(units.at_most(share), said, statements, count, best, above, promises.in_letters(told))
    if not told.evidence.learns:
        refuted = "-refuted" if _confidential(told) is ClaimStatus.REFUTED else ""
        return Promise("", text(f"main-promise-{examination.alone(told.evidence)}{refuted}"), statements, count)
    if any(each.status is ClaimStatus.REFUTED for each in told.guarantees):
        return Promise("", text("main-promise-refuted"), statements, count)
    return Promise("", text(f"main-promise-{promises.without_number(told)}"), statements, count)


def _of_what_is_kept(told: Told, held: str) -> str:
    """What the number of a program means: it is of what is kept, and of others' answers only where confidentiality holds."""
    said, others = text(f"{held}-program"), _confidential(told)
    if others in {ClaimStatus.SHOWN, ClaimStatus.SUPPORTED}:
        return said
    refuted = others is ClaimStatus.REFUTED
    return f"{said} {text('main-promise-others-refuted' if refuted else 'main-promise-others-not-shown')}"


def _confidential(told: Told) -> ClaimStatus | None:
    """Whether what others see of a program hides who was deleted; None where the evidence does not say."""
    return next((each.status for each in told.guarantees if each.id == CONFIDENTIALITY), None)


def both_models(told: Told) -> str:
    """What is declared of who holds the models before and after a deletion, and what an attack with both found.

    Empty where there are no two models, and where nobody said and nothing was tried: the list of what was not examined says that.
    """
    declared = conclusion.of(told.evidence).both_models
    share, log = right_guesses.deleting(told), right_guesses.on_log(told)
    if declared is BothModels.APART or not (declared.counts or share is not None):
        return ""
    said = text(f"conclusion-both-{declared.value}")
    if share is not None:
        return text("conclusion-both-games", said=said, right=units.about(share))
    if log is not None:
        return text("conclusion-both-log", said=said, first=log.first, records=log.records, among=log.decoys + 1)
    return text("conclusion-both-not-made", said=said)


def limit(told: Told) -> str:
    """What narrows the result most, apart from what was not examined, and parts of third parties that took part; may be empty."""
    return " ".join(each for each in (_most(told), *plain.foreign_parts(told)) if each)


def _most(told: Told) -> str:
    if not told.evidence.learns:
        return text(f"main-limit-{examination.alone(told.evidence)}")
    # What was not examined is listed of its own.
    listed = {text("main-caveat-model"), text("main-caveat-answers"), text("main-caveat-store")}
    narrowing = [each for each in plain.narrowing(told) if each not in listed]
    if narrowing:
        return narrowing[0]
    remembers = named(told, Role.ATTACKS_RELEASE)
    if remembers is not None and remembers.status is Status.INCONCLUSIVE:
        return text(
            "main-limit-remembers" if examination.model_file(told.evidence) is ModelFile.SAME else "main-limit-remembers-rerun"
        )
    open_to = any(check.status is Status.INCONCLUSIVE for check in having(told, Role.RECOGNISES))
    if open_to and not any(check.status is Status.FAIL for check in having(told, *ATTACKING)):
        return text("main-limit-attacks")
    return ""


def recommendation(told: Told) -> Recommendation:
    """What the audit recommends: never to release where the policy is not met or the pass promises nothing."""
    if told.verdict is not Verdict.PASS:
        which = _refusing(told)
        return Recommendation(Choice.NO, text(which), first_step(told))
    if told.evidence.places_alone:
        return Recommendation(Choice.CONDITIONS, text("main-recommend-places"), text("main-action-places"))
    if not told.evidence.learns:
        action = text("main-action-program-word" if verdicts.unchecked(told.evidence) else "main-action-program")
        return Recommendation(Choice.CONDITIONS, text(_of_a_program(right_guesses.promised(told))), action)
    return _of_a_pass(told)


def _of_a_program(most: float | None) -> str:
    """The message of a program that passes, by the share of right guesses that is promised: blind guessing needs no noise."""
    if most is None:
        return "main-recommend-program"
    return "main-recommend-noise" if most > right_guesses.BLIND else "main-recommend-traceless"


def _refusing(told: Told) -> str:
    """The message of a result that is no pass."""
    if told.evidence.places_alone:
        return "main-recommend-fail-places" if told.verdict is Verdict.FAIL else "main-recommend-open-places"
    if not told.evidence.learns:  # a program is used, and not released
        return "main-recommend-fail-program" if told.verdict is Verdict.FAIL else "main-recommend-open-program"
    if told.verdict is not Verdict.FAIL:
        return "main-recommend-open"
    required = [check for check in told.checks if check.id in set(told.policy.required)]
    failed = [check for check in required if check.status is Status.FAIL]
    answers = all(Role.CHECKS_DEADLINES in check.card.roles for check in failed)
    return "main-recommend-fail-answers" if failed and answers else "main-recommend-fail"


def _of_a_pass(told: Told) -> Recommendation:
    """What a met policy comes to: by its grade, by what was examined, by what it rests on."""
    count = len(verdicts.unchecked(told.evidence))
    if told.evidence.strength is Strength.E:
        return Recommendation(Choice.NO, text("main-recommend-weak"), text("main-action-weak"))
    file = examination.model_file(told.evidence)
    if file is ModelFile.PART:
        return Recommendation(Choice.CONDITIONS, text("main-recommend-part"), text("main-action-part"))
    if file is not ModelFile.SAME:
        judged = judging_unlearning(told.policy.required, told.audit.auditor_version)
        said = text("main-recommend-no-model" if judged else "main-recommend-blind")
        return Recommendation(Choice.CONDITIONS, said, text(plain.no_model("main-action-no-model", told)))
    if count:
        assumed = RESIDUAL in verdicts.unchecked(told.evidence)
        action = text("main-action-assumption" if assumed else "main-action-statements")
        return Recommendation(Choice.CONDITIONS, text("main-recommend-statements", count=count), action)
    if conclusion.of(told.evidence).kind is Kind.UNMODIFIED:
        return Recommendation(Choice.RELEASE, text("main-recommend-release"), text("main-action-release"))
    which = "main-recommend-qualified" if told.evidence.strength is Strength.A else "main-recommend-limited"
    return Recommendation(Choice.CONDITIONS, text(which), text("main-action-limited"))


def by_default(told: Told) -> str:
    """What the auditor's own policy would come to, and whether the declared one asks for less."""
    verdict = text(f"main-verdict-{told.evidence.default_policy_verdict.value}")
    relied = told.evidence.reliance
    if told.verdict is Verdict.FAIL and told.evidence.default_policy_verdict is Verdict.PASS:
        return text("main-default-more", verdict=verdict)
    if examination.without_deadlines(told.evidence):
        return text("main-default-deadlines", verdict=verdict)
    return text("main-default-less" if relied.weakenings or relied.left_out else "main-default", verdict=verdict)


def first_step(told: Told) -> str:
    """The first thing to do, in a sentence."""
    steps = remedies(told)
    return steps[0].action if steps else text("main-action-again")


def system(told: Told) -> str:
    """What the audited system was trained on and asked to forget, in a sentence of numbers."""
    case, log = told.case, told.deletion_log
    if told.evidence.places_alone:
        return f"{text('main-system-places', count=len(case.places))} {plain.became(told)}".rstrip()
    if not told.evidence.learns:
        return text("main-system-program")
    said = f"{text('main-system', training=wording.plural(case.training_records, 'record'))} {plain.became(told)}".rstrip()
    alike = sum(each.code in COUNTED for each in log.problems)
    return f"{said} {text('main-system-by-chance', count=alike)}" if alike else said
