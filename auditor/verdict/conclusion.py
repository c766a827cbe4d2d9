"""Conclude from a verdict as auditors do: unmodified, qualified, disclaimed or adverse. It moves no verdict and no exit code.

| verdict | conclusion |
|---|---|
| fail | adverse |
| inconclusive, and every first stage that is no fail | disclaimed |
| pass on anybody's word, with anything unexamined, or where somebody may hold both models | qualified |
| pass, and nothing of that | unmodified |

The four terms are borrowed from ISAE 3000 (Revised). This is no assurance engagement: a program computes it from the evidence.

What a pass rests on is a list of the case (`auditor.verdict.premises`), not of what was attested, and silence counts no better
than a word: so neither to attest less, nor to declare less, nor to give less gives a better conclusion.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from auditor.base.domain import Status, Strength, Verdict
from auditor.document.conclusions import StatedPremise
from auditor.document.evidence import Evidence
from auditor.settings.attestations import BACKUPS as BACKUPS_CLEAN
from auditor.settings.attestations import NO_MODEL
from auditor.settings.documents import RunBy
from auditor.verdict import examination, lineage
from auditor.verdict.checks import observed_in, with_role
from auditor.verdict.checks.card import Role
from auditor.verdict.checks.readings import AttackOnLog
from auditor.verdict.examination import ModelFile, Searched
from auditor.verdict.reliance import unmet

GREEN: Final = frozenset({Strength.A, Strength.B, Strength.C})
"""Grades of a pass that promises something of use."""


class Kind(StrEnum):
    """The four conclusions, the best first."""

    UNMODIFIED = "unmodified"
    QUALIFIED = "qualified"
    DISCLAIMED = "disclaimed"
    ADVERSE = "adverse"

    @property
    def rank(self) -> int:
        """Its place among them: a smaller one is better."""
        return list(Kind).index(self)


class Reason(StrEnum):
    """What a conclusion rests on."""

    FAILED = "failed"
    """Required checks failed."""
    FIRST_STAGE = "first-stage"
    BROKE_OFF = "broke-off"
    OPEN = "open"
    """Required checks stayed open, or did not run."""
    CLAIMS = "claims"
    """Claims that are not at least supported."""
    REFUTED = "refuted"
    """Statements that the run contradicts."""
    SILENT = "silent"
    """Statements that a pass asks for and nobody makes."""
    LINEAGE = "lineage"
    """Things made from the model that may still depend on deleted records, where the policy asks that none does."""
    OWN_CODE = "own-code"
    """The case's own code passes in none of the ways."""
    WALLS = "walls"
    """Its code ran where it could reach the inputs of its audit."""
    FORGETTING = "forgetting"
    """Nothing that passes examines the forgetting."""
    ON_WORD = "on-word"
    """Statements that somebody makes and nobody examined."""
    UNSAID = "unsaid"
    """Statements that nobody makes, and nobody examined."""
    NOT_LISTED = "not-listed"
    """The document does not say what a pass rests on."""
    LIMITED_PROMISE = "limited-promise"
    """Its grade is D or E: what passed promises nothing of use."""
    MADE_EARLIER = "made-earlier"
    """Things that were made from the model and may still depend on deleted records."""
    BOTH_MODELS = "both-models"
    """Somebody holds the models from before and after a deletion, as the case declares it."""
    PART_RUN = "part-run"
    """Only some of the checks were to run."""
    QUICK = "quick"
    WEAKER_POLICY = "weaker-policy"
    """The policy asks for less than the default."""
    DEFAULT_POLICY = "default-policy"
    """It would be no pass under the default policy."""
    FOREIGN_PARTS = "foreign-parts"
    """Parts of third parties took part, for which those who installed them vouch."""
    NOT_EXAMINED = "not-examined"
    MET = "met"
    """Every required check passes, and nothing is taken on trust or left out."""


@dataclass(frozen=True, slots=True)
class Basis:
    """One reason, with what it concerns."""

    reason: Reason
    names: tuple[str, ...] = ()
    """Ids of checks, claims, statements, parts or settings."""


class Area(StrEnum):
    """What a deletion has to reach, as far as it may be left unexamined."""

    MODEL = "model"
    MODEL_PART = "model-part"
    MODEL_OPEN = "model-open"
    PROCEDURE = "procedure"
    STORE = "store"
    STORE_PART = "store-part"
    KEPT_ELSEWHERE = "kept-elsewhere"
    """What is kept beyond the store, which was searched whole."""
    PROGRAM = "program"
    KEPT = "kept"
    KEPT_PART = "kept-part"
    UNSAID_MODEL = "unsaid-model"
    """Places alone were searched, and nobody says that no model was trained on these data."""
    PLACES = "places"
    PLACES_PART = "places-part"
    BACKUPS = "backups"
    BACKUPS_SAID = "backups-said"
    """Somebody says by name that they hold nothing."""
    ELSEWHERE = "elsewhere"
    """Kinds of places about which nothing is declared."""
    DECLARED = "declared"
    """Places that are declared, and that no check reads; things made from the model and settled by their dates."""
    MADE_EARLIER = "made-earlier"
    """Things that were made from the model and may still depend on deleted records."""
    BOTH_MODELS = "both-models"
    """Nobody said whether anybody holds the models from before and after a deletion."""
    NO_ATTACK = "no-attack"
    """Somebody does, and no attack compared them."""


class Weight(StrEnum):
    """How much it matters that something was not examined."""

    HIGH = "high"
    """Without it nothing is said of what is in use."""
    MEDIUM = "medium"
    """Deleted records, or who was deleted, may still be found there."""
    LOW = "low"
    """Somebody answers for it by name."""


_WEIGHTS: Final = {
    Area.MODEL: Weight.HIGH,
    Area.MODEL_PART: Weight.HIGH,
    Area.MODEL_OPEN: Weight.HIGH,
    Area.PROCEDURE: Weight.HIGH,
    Area.PROGRAM: Weight.HIGH,
    Area.UNSAID_MODEL: Weight.HIGH,
    Area.PLACES: Weight.HIGH,
    Area.PLACES_PART: Weight.MEDIUM,
    Area.STORE: Weight.MEDIUM,
    Area.STORE_PART: Weight.MEDIUM,
    Area.KEPT_ELSEWHERE: Weight.MEDIUM,
    Area.KEPT: Weight.MEDIUM,
    Area.KEPT_PART: Weight.MEDIUM,
    Area.BACKUPS: Weight.MEDIUM,
    Area.MADE_EARLIER: Weight.MEDIUM,
    Area.ELSEWHERE: Weight.MEDIUM,
    Area.BOTH_MODELS: Weight.MEDIUM,
    Area.NO_ATTACK: Weight.MEDIUM,
    Area.BACKUPS_SAID: Weight.LOW,
    Area.DECLARED: Weight.LOW,
}


@dataclass(frozen=True, slots=True)
class Gap:
    """Something that was not examined."""

    area: Area
    names: tuple[str, ...] = ()
    """Places, as declared or by their kind."""

    @property
    def weight(self) -> Weight:
        """How much it matters."""
        return _WEIGHTS[self.area]


class BothModels(StrEnum):
    """What is declared of whether anybody holds the model from before a deletion as well as the one after it."""

    HELD = "held"
    """The policy says so."""
    SEEN = "seen"
    """A request of the log had seen a model that was published before it, or does not say that it had not."""
    UNSAID = "unsaid"
    APART = "apart"
    """Nothing was deleted from a model: there are no two."""

    @property
    def counts(self) -> bool:
        """Whether somebody has to be taken to hold both."""
        return self in {BothModels.HELD, BothModels.SEEN}


@dataclass(frozen=True, slots=True)
class Conclusion:
    """What an audit concludes, and on what basis."""

    kind: Kind
    basis: tuple[Basis, ...]
    """Why it is this one and no better one, what weighs most first."""
    not_examined: tuple[Gap, ...]
    """What matters most first."""
    green: bool
    """Whether a page may show it in green: never without the very model, or every place, examined."""
    both_models: BothModels
    answers_for: tuple[str, ...]
    """Who makes the statements that nobody examined, by name."""
    no_model_by: str | None
    """Who says that no model was trained on these data."""
    run_by: RunBy | None
    """Who ran it; None where nobody is named, and the conclusion is headed *unsigned* and stays what it is."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Grounds:
    """All that a conclusion follows from."""

    verdict: Verdict
    learns: bool
    """Whether the case has a procedure that learns: a whole program alone, and places alone, have no model."""
    model: ModelFile
    searched: Searched
    procedure: bool
    """Whether a check that judges the unlearning itself ran; of a program, whether requests were played against it."""
    strength: Strength | None
    exact: bool
    """Whether retraining was shown: the release equals a model that never held the deleted records."""
    premises: tuple[StatedPremise, ...]
    """What a pass of this case rests on, said or not."""
    deletes: bool
    """Whether anything was deleted, so that places beyond the store and models of before matter."""
    both_models: BothModels
    compared: bool
    """Whether an attack that compares the two was made."""
    places: bool = False
    """Whether places alone were searched."""
    open_places: tuple[str, ...] = ()
    """Of these, the ones that could not be cleared, by name."""
    no_model_by: str | None = None
    """Who says by name that no model was trained on these data, and that every place with them is declared."""
    outside: tuple[str, ...] = ()
    """Places beyond the store, as declared: no check reads any."""
    undeclared: tuple[str, ...] = ()
    """Kinds of such places about which nothing is declared."""
    made_earlier: tuple[str, ...] = ()
    """Things made from the model that may still depend on deleted records, by name."""
    made: tuple[str, ...] = ()
    """The others, settled by somebody's word."""
    first_stage: bool = False
    held: tuple[Basis, ...] = ()
    """What failed, or keeps the verdict from pass."""
    narrowed: tuple[Basis, ...] = ()
    """What makes a pass worth less than one of a full audit under the default policy."""
    run_by: RunBy | None = None


def concluded(grounds: Grounds) -> Conclusion:
    """Conclude. Nothing but this function maps a verdict to a conclusion."""
    gaps = tuple(sorted(_gaps(grounds), key=lambda each: list(Weight).index(each.weight)))
    qualified = tuple(_qualifications(grounds, gaps))
    green = _green(grounds)
    match grounds.verdict:
        case Verdict.FAIL:
            kind, basis = Kind.ADVERSE, grounds.held
        case Verdict.PASS if not grounds.first_stage:
            clean = green and not qualified
            kind, basis = (Kind.UNMODIFIED, (Basis(Reason.MET),)) if clean else (Kind.QUALIFIED, qualified)
        case _:
            first = (Basis(Reason.FIRST_STAGE),) if grounds.first_stage else ()
            kind, basis = Kind.DISCLAIMED, (*first, *grounds.held)
    return Conclusion(
        kind=kind,
        basis=basis,
        not_examined=gaps,
        green=green,
        both_models=grounds.both_models,
        answers_for=tuple(dict.fromkeys(each.by for each in grounds.premises if each.standing == "said" and each.by)),
        no_model_by=grounds.no_model_by,
        run_by=grounds.run_by,
    )


def _green(grounds: Grounds) -> bool:
    if grounds.verdict is not Verdict.PASS or grounds.first_stage:
        return False
    if grounds.strength is not None and grounds.strength not in GREEN:
        return False
    if not grounds.learns:
        examined = grounds.places or grounds.procedure
        return grounds.no_model_by is not None and examined and grounds.searched is Searched.CLEAN and not grounds.outside
    return grounds.model is ModelFile.SAME and (grounds.strength is not None or grounds.exact)


def _gaps(grounds: Grounds) -> Iterator[Gap]:
    none, part = _searched_areas(grounds)
    yield from _of_model(grounds) if grounds.learns else _without_model(grounds)
    if grounds.searched in {Searched.NONE, Searched.UNSEARCHED}:
        yield Gap(none)
    elif grounds.searched is Searched.OPEN or grounds.open_places:
        yield Gap(part, grounds.open_places)
    elif grounds.searched is Searched.ELSEWHERE:
        yield Gap(Area.KEPT_ELSEWHERE)
    if grounds.deletes:
        yield from _beyond(grounds)
    if grounds.both_models is BothModels.UNSAID:
        yield Gap(Area.BOTH_MODELS)
    elif grounds.both_models.counts and not grounds.compared:
        yield Gap(Area.NO_ATTACK)


def _searched_areas(grounds: Grounds) -> tuple[Area, Area]:
    """What is searched for deleted records, whole and in part."""
    if grounds.places:
        return Area.PLACES, Area.PLACES_PART
    return (Area.STORE, Area.STORE_PART) if grounds.learns else (Area.KEPT, Area.KEPT_PART)


def _without_model(grounds: Grounds) -> Iterator[Gap]:
    if grounds.places:
        if grounds.no_model_by is None:
            yield Gap(Area.UNSAID_MODEL)
    elif not grounds.procedure:
        yield Gap(Area.PROGRAM)


def _of_model(grounds: Grounds) -> Iterator[Gap]:
    match grounds.model:
        case ModelFile.NONE | ModelFile.ANSWERS:
            yield Gap(Area.MODEL)
        case ModelFile.PART:
            yield Gap(Area.MODEL_PART)
        case ModelFile.OPEN:
            yield Gap(Area.MODEL_OPEN)
        case ModelFile.SAME | ModelFile.OTHER:
            pass
    if not grounds.procedure:
        yield Gap(Area.PROCEDURE)


def _beyond(grounds: Grounds) -> Iterator[Gap]:
    said = any(each.name == BACKUPS_CLEAN and each.standing == "said" for each in grounds.premises)
    if grounds.made_earlier:
        yield Gap(Area.MADE_EARLIER, grounds.made_earlier)
    yield Gap(Area.BACKUPS_SAID if said else Area.BACKUPS)
    if others := tuple(each for each in grounds.undeclared if each != examination.BACKUPS):
        yield Gap(Area.ELSEWHERE, others)
    if said_of := (*grounds.outside, *grounds.made):
        yield Gap(Area.DECLARED, said_of)


def _qualifications(grounds: Grounds, gaps: tuple[Gap, ...]) -> Iterator[Basis]:
    """What keeps a pass from an unmodified conclusion."""
    by_standing = {
        standing: tuple(each.name for each in grounds.premises if each.standing == standing)
        for standing in ("refuted", "unsaid", "said")
    }
    if not grounds.premises:
        yield Basis(Reason.NOT_LISTED)
    for standing, reason in (("refuted", Reason.REFUTED), ("unsaid", Reason.UNSAID), ("said", Reason.ON_WORD)):
        if by_standing[standing]:
            yield Basis(reason, by_standing[standing])
    if grounds.strength is not None and grounds.strength not in GREEN:
        yield Basis(Reason.LIMITED_PROMISE, (grounds.strength.value,))
    if grounds.made_earlier:
        yield Basis(Reason.MADE_EARLIER, grounds.made_earlier)
    if grounds.both_models.counts:
        yield Basis(Reason.BOTH_MODELS)
    if gaps:
        yield Basis(Reason.NOT_EXAMINED)
    yield from grounds.narrowed


def of(evidence: Evidence) -> Conclusion:
    """Conclude from a document: every page, letter and format asks here."""
    return concluded(grounds_of(evidence))


def grounds_of(evidence: Evidence) -> Grounds:
    """Gather what a document says of all that a conclusion follows from."""
    played = {examination.status_of(evidence, role) for role in (Role.HISTORY, Role.REPORTING_NOISE)}
    return Grounds(
        verdict=evidence.verdict,
        first_stage=evidence.audit.stage is not None,
        learns=evidence.learns,
        places=evidence.places_alone,
        open_places=examination.open_places(evidence),
        model=examination.model_file(evidence),
        searched=examination.searched(evidence),
        procedure=evidence.examined.procedure if evidence.learns else bool(played & {Status.PASS, Status.FAIL}),
        strength=evidence.strength,
        exact=examination.status_of(evidence, Role.EXACT) is Status.PASS,
        premises=evidence.premises,
        deletes=evidence.deletion_log.batches > 0 or not evidence.learns,
        both_models=_both_models(evidence),
        compared=_compared(evidence),
        no_model_by=next((each.by for each in evidence.policy.attested if each.name == NO_MODEL), None),
        outside=tuple(each.name for each in evidence.outside),
        undeclared=examination.undeclared(evidence),
        made_earlier=lineage.open_in(evidence.lineage),
        made=tuple(each.name for each in evidence.lineage if not each.descent.open),
        held=tuple(_held(evidence)),
        narrowed=tuple(_narrowed(evidence)),
        run_by=evidence.case.run_by,
    )


def _both_models(evidence: Evidence) -> BothModels:
    if not evidence.learns:
        return BothModels.APART
    if evidence.policy.settings.get("before_and_after"):
        return BothModels.HELD
    if evidence.deletion_log.batches == 0:
        return BothModels.APART
    return BothModels.SEEN if evidence.deletion_log.max_seen_releases else BothModels.UNSAID


def _compared(evidence: Evidence) -> bool:
    """Whether an attack compared models from before and after a deletion, in games or among the log's own releases."""
    games = with_role(Role.NAMES_DELETED, evidence.version)
    if any(each.id in games and each.value is not None for each in evidence.checks):
        return True
    attacking = examination.check_of(evidence, Role.ATTACKS_LOG)
    try:
        seen = None if attacking is None else observed_in(attacking, evidence.version)
    except ValueError:
        return False
    return isinstance(seen, AttackOnLog) and seen.log is not None


def _held(evidence: Evidence) -> Iterator[Basis]:
    """What failed; else what keeps the verdict from pass."""
    statuses = {each.id: each.status for each in evidence.checks}
    required = evidence.policy.required
    if evidence.verdict is Verdict.FAIL:
        yield Basis(Reason.FAILED, tuple(each for each in required if statuses.get(each) is Status.FAIL))
        return
    if evidence.verdict is Verdict.PASS:
        return
    relied = evidence.reliance
    if evidence.audit.failure is not None:
        yield Basis(Reason.BROKE_OFF)
    if left := tuple(each for each in required if statuses.get(each) is not Status.PASS):
        yield Basis(Reason.OPEN, left)
    if claims := tuple(each.name for each in unmet(relied.claims)):
        yield Basis(Reason.CLAIMS, claims)
    for names, reason in (
        (relied.contradicted, Reason.REFUTED),
        (relied.silent, Reason.SILENT),
        (relied.lineage, Reason.LINEAGE),
    ):
        if names:
            yield Basis(reason, names)
    for holds, reason in (
        (relied.cap.holds, Reason.OWN_CODE),
        (relied.unexamined, Reason.FORGETTING),
        (evidence.environment.capped, Reason.WALLS),
    ):
        if holds:
            yield Basis(reason)


def _narrowed(evidence: Evidence) -> Iterator[Basis]:
    if evidence.audit.only is not None:
        yield Basis(Reason.PART_RUN, evidence.audit.only)
    if evidence.audit.quick:
        yield Basis(Reason.QUICK)
    weaker = (*(each.key for each in evidence.reliance.weakenings), *evidence.reliance.left_out)
    if weaker:
        yield Basis(Reason.WEAKER_POLICY, weaker)
    if evidence.default_policy_verdict is not Verdict.PASS:
        yield Basis(Reason.DEFAULT_POLICY)
    if evidence.parts:
        yield Basis(Reason.FOREIGN_PARTS, tuple(each.name for each in evidence.parts))
