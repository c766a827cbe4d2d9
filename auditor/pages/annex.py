"""What the technical annex prints: details, thresholds, premises, certificates and files, as rows of short tables.

Whatever has more than `attachments.MOST_ROWS` rows is a file and not a table.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any, Final

from auditor.base.domain import Certificate, ClaimStatus, Condition, Effect, Message, Provenance, Status
from auditor.document import retention
from auditor.document.conclusions import Cap
from auditor.document.context import Wall
from auditor.maths.tradeoff import reading
from auditor.pages import attachments, derivation_tree, reference, tables, wording, words
from auditor.pages.tables import Entry
from auditor.pages.words import guesses, numbers
from auditor.pages.words import verdict as verdicts
from auditor.pages.words.rendered_evidence import Told, ToldCheck, ToldDerivation, ToldGuarantee, ToldPremise
from auditor.pages.words.texts import text
from auditor.verdict import examination
from auditor.verdict.checks import definitions
from auditor.verdict.checks.card import Role
from auditor.verdict.checks.finding import Values
from auditor.verdict.checks.guess_bounds import Source
from auditor.verdict.guarantees import CERTIFIED_REMOVAL, CONTROL, DATA_DELETION, UNLEARNING, UNREFUTED
from auditor.verdict.judgement import PLACES_ALONE

RELIED_ON: Final = frozenset({ClaimStatus.SHOWN, ClaimStatus.SUPPORTED})
_WEAKEST_FIRST: Final = (Provenance.REFUTED, Provenance.UNKNOWN, Provenance.ATTESTED, Provenance.MEASURED, Provenance.COMPUTED)
_LACKING: Final = frozenset({Provenance.REFUTED, Provenance.UNKNOWN})
_EXAMINED: Final = frozenset({Provenance.COMPUTED, Provenance.MEASURED})
_MOST_TELLING: Final = 3
"""Inputs of a certificate that are printed; certificates.json holds all of them."""
_OF_MODELS: Final = frozenset({"min_quality", "max_accuracy_drop"})
"""Thresholds of the policy that no check of a whole program is held against."""
_ABOUT_MODELS: Final = frozenset({CERTIFIED_REMOVAL, DATA_DELETION, UNLEARNING})
"""Guarantees about models, of which a whole program that learns nothing has none."""
_MOST_SENTENCES: Final = 40
"""Of what a check was decided by; no judge gives so many, and evidence.json holds all of them."""
_MOST_YIELDS: Final = 2
"""Results of one certificate that are printed; certificates.json holds all of them."""


@dataclass(frozen=True, slots=True)
class Threshold:
    """One value that was declared, and why."""

    name: str
    value: str
    reason: str
    """Empty where none was given."""


@dataclass(frozen=True, slots=True)
class Relied:
    """One premise that a guarantee relied on rests on, with the one way in which it is known."""

    fact: str
    how: Provenance
    found: str
    used_by: tuple[str, ...]
    """Titles of the guarantees."""


@dataclass(frozen=True, slots=True)
class Derived:
    """One certificate in a line."""

    kind: str
    epsilon: float | None
    delta: float | None
    order: float | None
    yields: str
    met: int
    """How many conditions were computed or measured, and hold."""
    given: int
    """How many its formula takes as given: nothing examined them."""
    unmet: tuple[Condition, ...]


@dataclass(frozen=True, slots=True)
class Chance:
    """What the tests of one check spend, effect by effect."""

    check: str
    levels: tuple[str, ...]
    """In the order of `effects`: audits of 100,000, one number a test, joined by a plus; a dash where no test has the effect."""


@dataclass(frozen=True, slots=True)
class Chances:
    """How often chance decides: a sentence over all, and check by check."""

    sentence: str
    effects: tuple[str, ...]
    rows: tuple[Chance, ...]


def way(cap: Cap) -> str:
    """Say by which ways the controller's own code may pass here: a learner's, and that of a whole program."""
    if cap.holds:
        return text("annex-rules-no-way")
    opened = [*([cap.route] if cap.route else []), *([cap.controller.name] if cap.controller else [])]
    return text("annex-rules-way", route=" + ".join(opened)) if opened else text("annex-rules-no-code")


def chances(told: Told) -> Chances:
    """How often an honest case like this one is accused or left open by chance, and which check's tests that is made of."""
    levels = told.evidence.levels
    tests = () if levels is None else levels.tests
    rows = []
    for check in dict.fromkeys(each.check for each in tests):
        spent = ([each for each in tests if each.check == check and each.effect is effect] for effect in Effect)
        rows.append(Chance(check, tuple(" + ".join(_in_audits(each.level) for each in some) or "–" for some in spent)))
    effects = tuple(text(f"annex-chances-{effect.value}") for effect in Effect)
    return Chances(verdicts.chances(told.evidence), effects, tuple(rows))


def _in_audits(level: float) -> str:
    """Print a level as audits of 100,000, rounded up to a tenth: shares of one test are smaller than one audit."""
    return wording.number(verdicts.in_audits(10 * level) / 10)


def details(check: ToldCheck, without: Sequence[str] = ()) -> tuple[Entry, ...]:
    """The details of a check that have a name and say something in a few words; evidence.json holds the others."""
    rows: list[Entry] = []
    held = dict(_fields(check))
    for key in sorted(filter(wording.is_named, held), key=wording.detail_order):
        value = words.sentence(held[key]) if isinstance(held[key], Message) else held[key]
        if key not in without and not _is_nested(value):
            row = Entry(wording.detail_name(key), tables.in_words(value), isinstance(value, int | float))
            rows += [] if value in (None, "", "none", "not available", (), [], {}) else [row]
    return tuple(rows)


def on_trust(evidence: Told, check: ToldCheck) -> bool:
    """Whether a search that passes rests on somebody's word for part of what is kept."""
    passed = check.status is Status.PASS and examination.searching(evidence.evidence) in check.card.roles
    return passed and (evidence.evidence.learns or evidence.evidence.places_alone) and examination.on_trust(evidence.evidence)


def untested(check: ToldCheck) -> bool:
    """Whether its value says nothing: bounds on ε of which none tested the claim."""
    return Role.CONSISTENCY in check.card.roles and wording.is_informative(check)


def basis(evidence: Told, check: ToldCheck) -> tuple[str, ...]:
    """How the value of a check came about, sentence by sentence: printed as one text, many would be cut."""
    found = next((each.reasons for each in evidence.evidence.checks if each.id == check.id), ())
    more = len(found) - _MOST_SENTENCES
    said = [words.sentence(each) for each in found[:_MOST_SENTENCES]]
    return (*said, *((text("annex-more", count=more),) if more > 0 else ()))


def of_no_places(evidence: Told, checks: Sequence[ToldCheck]) -> tuple[ToldCheck, ...]:
    """Of a case of places alone, the checks of models and programs, to be counted: their names say nothing there."""
    apart = {each.id for each in evidence.evidence.checks if any(reason.code == PLACES_ALONE for reason in each.reasons)}
    return tuple(each for each in checks if each.id in apart)


def by_basis(checks: Sequence[ToldCheck]) -> tuple[tuple[str, tuple[ToldCheck, ...]], ...]:
    """Checks that did not run, those together of which the same is the reason."""
    alike: dict[str, list[ToldCheck]] = {}
    for each in checks:
        alike.setdefault(each.basis, []).append(each)
    return tuple((basis, tuple(those)) for basis, those in alike.items())


def thresholds(evidence: Told) -> tuple[Threshold, ...]:
    """The values of the policy and the claims that the checks are held against, each with the reason that was declared."""
    policy = evidence.policy
    declared = {
        key: value
        for key, value in policy.settings.items()
        if value is not False and (evidence.evidence.learns or key not in _OF_MODELS)
    }
    rows = [Threshold(row.name, row.value, policy.rationale.get(row.name, "")) for row in tables.declared(declared)]
    claims = [Threshold(text("annex-claimed", name=row.name), row.value, "") for row in tables.declared(policy.claims)]
    return (*rows, *claims)


def claims(evidence: Told) -> str:
    """Every claim that binds the verdict, with its standing, and whether that is about the procedure alone."""
    only = examination.procedure_only(evidence.evidence)
    said = []
    for each in evidence.evidence.reliance.claims:
        claim = f"{each.name} {wording.word(each.standing)}"
        said.append(text("annex-claim-procedure", claim=claim) if only and each.standing in RELIED_ON else claim)
    return "; ".join(said)


def attested(evidence: Told) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """Who attests, with the day, and what, by its names."""
    attested_by = evidence.policy.attested
    return tuple(
        (f"{by}, {wording.day(at)}", tuple(each.name for each in held))
        for (by, at), held in groupby(attested_by, key=lambda each: (each.by, each.at))
    )


def budget(check: ToldCheck, sources: Sequence[Source]) -> tuple[Entry, ...]:
    """The numbers of the removal budget, and who names which ε and δ."""
    named = tuple(
        Entry(
            text("annex-budget-sources", source=tables.in_words(each.source)),
            text("annex-budget-source-value", epsilon=tables.in_words(each.epsilon), delta=tables.in_words(each.delta)),
            is_number=False,
        )
        for each in sources
    )
    return (*details(check, ["sources", "privacy_loss"]), *named[: attachments.MOST_ROWS])


@dataclass(frozen=True, slots=True)
class BeyondThePaper:
    """A budget that is kept by the bound that decides, and not by the one that the paper prints."""

    printed: float
    deciding: float


def beyond_the_paper(check: ToldCheck) -> BeyondThePaper | None:
    """Say that a budget is kept by a tighter bound than the paper's alone; None where the paper's keeps it too."""
    derived = check.derived
    allowed, criterion = getattr(derived, "budget", None), getattr(derived, "criterion", None)
    if check.status is not Status.PASS or allowed is None or criterion is None:
        return None
    most = {
        name: max((each.beta[name] for each in getattr(derived, "series", ()) if each.beta.get(name) is not None), default=None)
        for name in ("as-printed", criterion)
    }
    printed, deciding = most["as-printed"], most[criterion]
    return BeyondThePaper(printed, deciding) if printed is not None and deciding is not None and printed > allowed else None


def guesses_at_most(advantage: float | None) -> str:
    """The right guesses out of 100 that a bound on the advantage leaves; a dash where there is none."""
    return "–" if advantage is None else guesses.at_most(guesses.of_advantage(advantage))


def rows_file(attached: Sequence[str], check_id: str, key: str) -> str:
    """The file with these rows: equal rows of two checks are one file, under the name of the first."""
    own = attachments.name_of(check_id, key)
    return own if own in attached else next((name for name in attached if name.endswith(f".{key}.csv")), own)


def relied_on(evidence: Told) -> tuple[ToldGuarantee, ...]:
    """The guarantees that are shown or supported."""
    return tuple(each for each in evidence.guarantees if each.status in RELIED_ON)


def read_off(evidence: Told, guarantee: ToldGuarantee) -> tuple[str, ...]:
    """Say what is read off the trade-off function of a guarantee: right guesses, and ε at a δ where the guarantee states none."""
    if guarantee.share is None or guarantee.promise is None:
        return ()
    said = [text("annex-guarantee-right", most=guesses.at_most(guarantee.share))]
    if guarantee.delta is None and not reading.declared_delta(guarantee.promise):
        at = reading.printed_delta(guarantee.promise, max(1, evidence.case.training_records))
        epsilon = numbers.at_most(reading.epsilon_at(guarantee.promise, at))
        said.append(text("annex-guarantee-curve", epsilon=epsilon, delta=wording.number(at)))
    return tuple(said)


def others(evidence: Told) -> tuple[str, ...]:
    """A sentence for each guarantee that nothing rests on: what is missing from the theorem that came nearest, or refutes it.

    Of control the steps to it say as much, wherever anything is known of its premises.
    """
    said = {CONTROL} if derivation_tree.of(evidence) is not None else set[str]()
    said |= set() if evidence.evidence.learns else _ABOUT_MODELS
    return tuple(_other(each) for each in evidence.guarantees if each.status not in RELIED_ON and each.id not in said)


def holding(guarantee: ToldGuarantee) -> tuple[ToldDerivation, ...]:
    """The derivations that lead to the guarantee: no premise of theirs is missing or false."""
    return tuple(each for each in guarantee.derivation if not _missing(each))


def premises(evidence: Told) -> tuple[Relied, ...]:
    """The premises of every derivation relied on, each fact once, by the weakest way in which it is known; the weakest first.

    That no attack contradicts a guarantee is no premise of its theorem: `uncontradicted` says it.
    """
    found: dict[str, list[tuple[ToldPremise, str]]] = {}
    for guarantee in relied_on(evidence):
        for derivation in holding(guarantee):
            for premise in derivation.premises:
                if premise.name in UNREFUTED:
                    continue
                found.setdefault(premise.name, []).append((premise, guarantee.title))
    rows = []
    for held in found.values():
        weakest = min((premise for premise, _ in held), key=lambda each: _WEAKEST_FIRST.index(each.how))
        used_by = tuple(dict.fromkeys(title for _, title in held))
        rows.append(Relied(weakest.fact, weakest.how, weakest.evidence, used_by))
    return tuple(sorted(rows, key=lambda row: _WEAKEST_FIRST.index(row.how)))


@dataclass(frozen=True, slots=True)
class Line:
    """Certificates that read alike, once."""

    derived: Derived
    of: str
    """The inputs that tell them from others of their rule, or the first of them."""
    times: int


def uncontradicted(evidence: Told) -> tuple[str, ...]:
    """Say whether attacks of this run could contradict a guarantee relied on: silence of attacks that could not says nothing."""
    held = {
        premise.name: premise
        for guarantee in relied_on(evidence)
        for derivation in holding(guarantee)
        for premise in derivation.premises
        if premise.name in UNREFUTED
    }
    checks = {check.id: check for check in evidence.checks}
    said = []
    for premise in held.values():
        feeding = [
            checks[each] for each in derivation_tree.fed_by(evidence.evidence.version).get(premise.name, ()) if each in checks
        ]
        tested = any(check.status is Status.PASS for check in feeding)
        names = ", ".join(f"{check.id}: {wording.check_word(check)}" for check in feeding if wording.has_run(check))
        said.append(
            text("annex-uncontradicted" if tested else "annex-uncontradicted-untested", fact=premise.fact, checks=names or "–")
        )
    return tuple(said)


def certificates(evidence: Told) -> tuple[Line, ...]:
    """Every certificate in a line; equal lines once, with their number."""
    alike: dict[Derived, list[Certificate]] = {}
    for each in evidence.certificates:
        alike.setdefault(_derived(each), []).append(each)
    lines = []
    for derived, held in alike.items():
        others = [each for each in evidence.certificates if each.kind == derived.kind and each not in held]
        lines.append(Line(derived, _inputs(held, others), len(held)))
    return tuple(lines)


def _inputs(held: Sequence[Certificate], others: Sequence[Certificate]) -> str:
    """Name inputs in which certificates agree and in which others of their rule differ; the first of them without others."""
    told = [
        f"{key}\u00a0{wording.number(value)}"
        for key, value in held[0].inputs.items()
        if isinstance(value, int | float)
        and not isinstance(value, bool)
        and all(each.inputs.get(key) == value for each in held)
        and (not others or any(each.inputs.get(key) != value for each in others))
    ]
    return ", ".join(told[:_MOST_TELLING])


def contained(walls: Sequence[Wall]) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """Attempts to escape that were stopped, by what stopped them."""
    met: dict[str, list[str]] = {}
    for wall in walls:
        if wall.held:
            met.setdefault(wall.found, []).append(wall.name)
    return tuple((found, tuple(names)) for found, names in met.items())


def kept_until(told: Told) -> str:
    """Say how long the records of the case and kept runs are kept, and who said so."""
    declared = told.case.keep_until
    day = wording.day(retention.kept_until(declared, told.audit.finished_at))
    return text("annex-kept-a-year" if declared is None else "annex-kept-until", day=day)


def file_words(name: str) -> str:
    """What one of these files holds."""
    match name:
        case "evidence.json":
            return text("annex-file-evidence")
        case attachments.REQUESTS:
            return text("annex-file-requests")
        case attachments.CERTIFICATES:
            return text("annex-file-certificates")
        case attachments.PROBLEMS:
            return text("annex-file-problems")
        case attachments.INPUTS:
            return text("annex-file-inputs")
        case _:
            return text("annex-file-rows", check=name.rsplit(".", 2)[0], key=name.rsplit(".", 2)[1])


def glossary(evidence: Told) -> tuple[tuple[str, str], ...]:
    """The terms that a reader of this report needs: those of every report, and those of what this one holds."""
    if evidence.evidence.places_alone:
        return tuple(map(reference.meaning, reference.OF_PLACES))
    of_some = {term for each in definitions().values() for term in each.card.own_terms}
    held = {term for check in evidence.checks if wording.has_run(check) for term in check.card.own_terms}
    return tuple(reference.meaning(term) for term in reference.TERMS if term in held or term not in of_some)


def _fields(check: ToldCheck) -> Iterator[tuple[str, Any]]:
    """What was observed by the names of its fields, and after it what was derived, which has the last word."""
    for values in (check.observed, check.derived):
        if values is not None:
            left_out = {name: field.exclude_if for name, field in type(values).model_fields.items()}
            yield from ((name, value) for name, value in values if not ((leave := left_out[name]) and leave(value)))


def _is_nested(value: Any) -> bool:
    """Whether a value is more than a word, a number or a short list of them."""
    if isinstance(value, Mapping | Values):
        return True
    if isinstance(value, list | tuple):
        return len(value) > tables.LONGEST_LIST or any(isinstance(each, Mapping | Values | list | tuple) for each in value)
    return False


def _missing(derivation: ToldDerivation) -> tuple[ToldPremise, ...]:
    return tuple(premise for premise in derivation.premises if premise.how in _LACKING)


def _other(guarantee: ToldGuarantee) -> str:
    refuting = [each for derivation in guarantee.derivation for each in derivation.premises if each.how is Provenance.REFUTED]
    if refuting:
        # A false premise takes away what leads to a guarantee: whether that is false too, its own status alone says.
        said = "annex-guarantee-refuted" if guarantee.status is ClaimStatus.REFUTED else "annex-guarantee-premise"
        return text(said, title=guarantee.title, fact=_bare(refuting[0].fact), found=_bare(refuting[0].evidence))
    if not guarantee.derivation:
        return text("annex-guarantee-no-theorem", title=guarantee.title)
    nearest = min(guarantee.derivation, key=lambda each: len(_missing(each)) / max(1, len(each.premises)))
    missing = _missing(nearest)
    if not missing:
        return text("annex-guarantee-not-shown", title=guarantee.title)
    named = "; ".join(f"“{_bare(each.fact)}”" for each in missing[:2])
    return text(
        "annex-guarantee-missing",
        title=guarantee.title,
        rule=nearest.rule,
        count=len(missing),
        total=str(len(nearest.premises)),
        named=named,
    )


def _bare(sentence: str) -> str:
    return sentence.removesuffix(".")


def _derived(certificate: Certificate) -> Derived:
    return Derived(
        certificate.kind,
        certificate.epsilon,
        certificate.delta,
        certificate.order,
        "; ".join(_yields(certificate)),
        sum(each.holds and each.how in _EXAMINED for each in certificate.conditions),
        sum(each.holds and each.how not in _EXAMINED for each in certificate.conditions),
        tuple(each for each in certificate.conditions if not each.holds),
    )


def _yields(certificate: Certificate) -> Iterator[str]:
    """The first results that are plain numbers and are in no other column, and how many more there are."""
    shown = {certificate.epsilon, certificate.delta, certificate.order} - {None}
    named = [
        (wording.detail_name(key), value)
        for key, value in sorted(certificate.outputs.items(), key=lambda item: wording.detail_order(item[0]))
        if isinstance(value, int | float) and not isinstance(value, bool) and value not in shown
    ]
    for name, value in named[:_MOST_YIELDS]:
        yield f"{name}\u00a0{numbers.at_least(value) if 'lower' in name else wording.number(value)}"
    if len(named) > _MOST_YIELDS:
        yield text("annex-more", count=len(named) - _MOST_YIELDS)
