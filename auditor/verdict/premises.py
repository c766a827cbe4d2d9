"""What a pass rests on, whether or not anybody attested it: each premise of a case with its standing.

Which premises there are follows from the case, and from no word of the controller's: those of its kind, and those that a theorem,
a way to a pass or a check would take on trust if everything were attested. So to attest less never makes the list shorter. What
each rests on is asked afterwards: a check that examined it and found nothing, a name and a day, or nobody.

| standing | is |
|---|---|
| examined | a check of this run decided it, and found nothing against it |
| said | somebody attests or declares it by name |
| unsaid | nobody says it, and nothing examined it |
| refuted | the run contradicts it |
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from auditor.base.domain import Fact, Provenance, Status
from auditor.document.conclusions import StatedPremise
from auditor.document.context import Environment
from auditor.settings.attestations import (
    ATTESTABLE,
    BACKUPS,
    CODE_CLEAN,
    DERIVATIONS,
    EMBEDDING,
    EXTRACTOR,
    GENUINE,
    HONEST,
    LINEAGE,
    LOG_COMPLETE,
    NO_MODEL,
    NOTHING_HELD,
    PEOPLE,
    PREPROCESSING,
    REFUSALS,
    RELEASED,
    RESIDUAL,
    facts_of,
    name_for,
)
from auditor.settings.documents import OutsidePlace
from auditor.verdict import examination
from auditor.verdict.checks import definitions, the
from auditor.verdict.checks.card import Role
from auditor.verdict.checks.context import Context
from auditor.verdict.checks.finding import Finding, Values
from auditor.verdict.corollaries import HOLDING
from auditor.verdict.guarantees import ATTESTED_AT_BEST, UNLEARNING, is_foreign, standing
from auditor.verdict.judgement import Judged
from auditor.verdict.promises import Promised, promised
from auditor.verdict.reliance import above_extractor, words_of
from auditor.verdict.ruling import Ruling, ruled


class Kind(StrEnum):
    """What is audited, as far as it decides what a pass rests on."""

    LOG = "log"
    """A procedure that learns, and a log that deletes records."""
    DATA = "data"
    """A procedure that learns, and a log that deletes none."""
    PROGRAM = "program"
    """A whole controller."""
    ANSWERS = "answers"
    """Tables of answers of models that nothing reruns."""
    PLACES = "places"
    """Places and a log, and nothing that learns."""


class Need(StrEnum):
    """When a case of a kind rests on a premise."""

    ALWAYS = "always"
    WHERE_USED = "where used"
    """Where a theorem, a way to a pass, a check or the policy takes it on trust; of `log-complete`, where a log has requests."""
    NEVER = "never"


class Settles(StrEnum):
    """What can settle a premise."""

    WORD = "word"
    """A name under `[claims] attested`."""
    FILE = "model file"
    """That check, where the model file holds all of the model; the word where it holds a part, or there is none."""
    DECLARED = "outside"
    """A place declared under `[[outside]]`, with the day from which nothing is left there."""
    PERSON = "[data] person"
    """A declaration of the case that a check takes as it stands."""
    DERIVED = "[data] derived_from"
    """The same of rows that were made from others."""


@dataclass(frozen=True, slots=True)
class Premise:
    """A statement that a pass may rest on, by kind of case."""

    name: str
    """As `[claims] attested` takes it, where it takes it."""
    log: Need
    data: Need
    program: Need
    answers: Need
    places: Need = Need.NEVER
    settles: Settles = Settles.WORD
    binds: bool = False
    """Whether it keeps the verdict from pass where a case rests on it, nobody says it and nothing examined it."""

    def needed(self, kind: Kind) -> Need:
        """When a case of that kind rests on it."""
        needs = (self.log, self.data, self.program, self.answers, self.places)
        return dict(zip(Kind, needs, strict=True))[kind]


_ALWAYS, _USED, _NEVER = Need.ALWAYS, Need.WHERE_USED, Need.NEVER
PREMISES: Final = (
    Premise(LOG_COMPLETE, log=_ALWAYS, data=_USED, program=_USED, answers=_ALWAYS, places=_ALWAYS, binds=True),
    Premise(PREPROCESSING, log=_ALWAYS, data=_NEVER, program=_NEVER, answers=_ALWAYS, binds=True),
    Premise(EXTRACTOR, log=_USED, data=_USED, program=_NEVER, answers=_NEVER, binds=True),
    Premise("requests-fixed", log=_ALWAYS, data=_NEVER, program=_NEVER, answers=_ALWAYS),
    Premise("own-request-fixed", log=_USED, data=_NEVER, program=_NEVER, answers=_NEVER),
    Premise("seen-releases", log=_USED, data=_NEVER, program=_NEVER, answers=_NEVER),
    Premise("subjects-complete", log=_ALWAYS, data=_USED, program=_USED, answers=_ALWAYS, places=_ALWAYS),
    Premise(RELEASED, log=_ALWAYS, data=_ALWAYS, program=_NEVER, answers=_NEVER, settles=Settles.FILE),
    Premise(GENUINE, log=_NEVER, data=_NEVER, program=_NEVER, answers=_ALWAYS, places=_USED),
    Premise(EMBEDDING, log=_NEVER, data=_NEVER, program=_NEVER, answers=_NEVER, places=_USED),
    Premise("controller-is-implementation", log=_NEVER, data=_NEVER, program=_ALWAYS, answers=_NEVER),
    Premise(CODE_CLEAN, log=_USED, data=_USED, program=_NEVER, answers=_NEVER),
    Premise(HONEST, log=_USED, data=_USED, program=_USED, answers=_NEVER),
    Premise("copies-are-others", log=_USED, data=_NEVER, program=_NEVER, answers=_NEVER, places=_USED),
    Premise("store-holds-no-copies", log=_USED, data=_USED, program=_NEVER, answers=_NEVER, places=_USED),
    Premise(NOTHING_HELD, log=_USED, data=_USED, program=_USED, answers=_USED, places=_USED),
    Premise(REFUSALS, log=_USED, data=_USED, program=_USED, answers=_USED, places=_USED),
    *(
        Premise(name, log=_USED, data=_USED, program=_USED, answers=_NEVER)
        for name in (
            "seed-secret",
            "settings-fixed",
            RESIDUAL,
            "every-extractor",
            "loss-convex",
            "loss-constants",
            "strongly-history-independent",
            "logical-deletion",
            "answers-from-own-data",
            "dictionary-before",
            "nothing-before-training",
            "training-data-destroyed",
            "ids-in-dictionary",
            "one-release-channel",
            "first-part-strongly-history-independent",
            "first-part-answers-without-chance",
            "second-part-strongly-history-independent",
            "parts-share-nothing",
            "parts-answer-the-asker",
        )
    ),
    Premise(LINEAGE, log=_USED, data=_NEVER, program=_NEVER, answers=_USED, binds=True),
    Premise(NO_MODEL, log=_NEVER, data=_NEVER, program=_NEVER, answers=_NEVER, places=_ALWAYS),
    Premise(PEOPLE, log=_USED, data=_NEVER, program=_NEVER, answers=_NEVER, settles=Settles.PERSON),
    Premise(DERIVATIONS, log=_USED, data=_NEVER, program=_NEVER, answers=_NEVER, settles=Settles.DERIVED),
    Premise(BACKUPS, log=_ALWAYS, data=_NEVER, program=_NEVER, answers=_ALWAYS, places=_ALWAYS, settles=Settles.DECLARED),
)
"""The table of docs/checks.md, in the order in which pages list premises."""
_ORDER: Final[Mapping[str, int]] = {each.name: place for place, each in enumerate(PREMISES)}
_IN_THE_CASE: Final = {each.name: each.settles.value for each in PREMISES if each.settles in {Settles.PERSON, Settles.DERIVED}}
"""What the case declares among its data, and by which key."""
_OF_CHECKS: Final = (
    HONEST,
    CODE_CLEAN,
    "copies-are-others",
    "seen-releases",
    "store-holds-no-copies",
    EMBEDDING,
    NOTHING_HELD,
    REFUSALS,
)
"""Words that judges read, other than by the facts that follow of them."""
_INSTEAD: Final[Mapping[str, str]] = {EXTRACTOR: PREPROCESSING, "own-request-fixed": "requests-fixed"}
"""What a case that uses the first does not rest on: the first says what is needed in the place of the second."""


def kinds_of(context: Context) -> tuple[Kind, ...]:
    """List what is audited: a procedure and a whole controller may both be."""
    found = [Kind.PROGRAM] if context.controller is not None else []
    if context.procedure.reruns and context.learns:
        found.insert(0, Kind.LOG if context.log.batches else Kind.DATA)
    elif not context.procedure.reruns and context.log.batches:
        found.insert(0, Kind.ANSWERS)
    elif context.places_alone:
        found.insert(0, Kind.PLACES)
    return tuple(found)


def resting(
    found: Judged,
    observed: Mapping[str, Values],
    promises: Promised,
    ruling: Ruling,
    ran_in: Environment,
    outside: Iterable[OutsidePlace] = (),
) -> tuple[StatedPremise, ...]:
    """List what a pass of this case rests on, each with its standing, in the order of `PREMISES`.

    Args:
        found: What was declared, and the finding of every check.
        observed: What the run observed, by check id.
        promises: What is derived of the findings.
        ruling: What they decide.
        ran_in: Where it ran, as stated.
        outside: Places beyond the store, as declared.
    """
    names = {*_of_kind(found.context), *_used(promises, ruling), *_if_all_were_attested(found, observed, ran_in)}
    names |= set(_declared(found.context, observed))
    names -= {_INSTEAD[name] for name in names & _INSTEAD.keys()}
    facts = {each.name: each for each in promises.facts if not is_foreign(each)}
    known = _Known(found, facts, _sources(found), tuple(outside))
    return tuple(known.stated(name) for name in sorted(names, key=lambda name: (_ORDER.get(name, len(_ORDER)), name)))


def _declared(context: Context, observed: Mapping[str, Values]) -> Iterator[str]:
    """What the case declares that kept a check from looking into something."""
    for check_id, definition in definitions(context.version).items():
        if (seen := observed.get(check_id)) is not None:
            yield from definition.declarations(context, seen)


def unsaid(premises: Iterable[StatedPremise]) -> tuple[str, ...]:
    """Name those that nobody says and nothing examined."""
    return tuple(each.name for each in premises if each.standing == "unsaid")


def _of_kind(context: Context) -> Iterator[str]:
    """What a pass of such a case always rests on."""
    kinds = kinds_of(context)
    yield from (each.name for each in PREMISES if any(each.needed(kind) is Need.ALWAYS for kind in kinds))
    if context.requests:
        yield LOG_COMPLETE
    if context.policy.lineage_settled and context.log.batches:
        yield LINEAGE
    if above_extractor(context.procedure) and Kind.LOG in kinds:
        yield EXTRACTOR


def _if_all_were_attested(found: Judged, observed: Mapping[str, Values], ran_in: Environment) -> Iterator[str]:
    """What theorems, ways and checks would take on trust if the controller attested everything that there is to attest."""
    whole = found.attesting(ATTESTABLE, observed)
    promises = promised(whole)
    ruling = ruled(whole, promises, ran_in)
    yield from _used(promises, ruling)
    # Only what passes with every word can come to less without one.
    passing = [each for each in ruling.required if _passes(whole.findings.get(each))]
    for word in _OF_CHECKS if passing else ():
        less = found.attesting([each for each in ATTESTABLE if each != word], observed, only=passing).findings
        if not all(_passes(less.get(each)) for each in passing):
            yield word


def _passes(finding: Finding | None) -> bool:
    return finding is not None and finding.status is Status.PASS


def _used(promises: Promised, ruling: Ruling) -> Iterator[str]:
    """What guarantees that hold took on trust, what the way to a pass asks for, and what supports a claim of privacy."""
    for guarantee in promises.guarantees:
        if guarantee.status not in HOLDING or guarantee.id == UNLEARNING:
            continue
        routes = (each for each in guarantee.derivation if standing(each) is guarantee.status)
        for premise in (each for route in routes for each in route.premises if not is_foreign(each)):
            word = name_for(premise.fact)
            if word is not None:
                yield word
            elif premise.how is Provenance.ATTESTED:
                yield from MADE_OF.get(premise.fact, (premise.fact,))
    yield from words_of(ruling.cap)
    if any(each.name == "dp" for each in ruling.claims):
        yield "seed-secret"


MADE_OF: Final[Mapping[str, tuple[str, ...]]] = {
    "dp-per-subject": ("seed-secret", "subjects-complete"),
    "adaptively-history-independent": ("controller-is-implementation",),
    "model-guarantee": (),
    "second-part-has-control": ("second-part-strongly-history-independent",),
}
"""Facts that a check makes of attestations, which are listed in their place."""


def _sources(found: Judged) -> dict[str, str]:
    """The check that found each fact out, the first of several."""
    listed = definitions(found.context.version)
    facts = [(each.name, check_id) for check_id, finding in found.findings.items() for each in finding.facts]
    facts += [(fact.name, check_id) for check_id, each in listed.items() for fact in each.declared_facts(found.context)]
    return dict(reversed(facts))


@dataclass(frozen=True, slots=True)
class _Known:
    """What is known of a case's premises."""

    found: Judged
    facts: Mapping[str, Fact]
    sources: Mapping[str, str]
    outside: tuple[OutsidePlace, ...]

    def stated(self, name: str) -> StatedPremise:
        """Say how a premise stands."""
        if name == BACKUPS:
            return self._of_backups()
        if name in _IN_THE_CASE:
            return StatedPremise(name=name, standing="said", by=f"audit.toml, {_IN_THE_CASE[name]}")
        if name == RELEASED and self.found.context.case.model is not None:
            return self._of_the_file()
        return self._of_a_word(name)

    def _of_a_word(self, name: str) -> StatedPremise:
        """What the run found out about it counts before anybody's word."""
        given = facts_of(name) if name in ATTESTABLE else (name,)
        known = [self.facts[each] for each in given if each in self.facts]
        refuted = [each for each in known if each.how is Provenance.REFUTED]
        check = next((self.sources[each.name] for each in refuted or known if each.name in self.sources), None)
        if refuted:
            return StatedPremise(name=name, standing="refuted", check=check)
        if self._examined(name, given, known):
            return StatedPremise(name=name, standing="examined", check=check)
        claims = self.found.context.claims
        if any(name == word or (given and set(given) <= set(facts_of(word))) for word in claims.attested):
            return StatedPremise(name=name, standing="said", by=claims.attested_by, at=claims.attested_at)
        return StatedPremise(name=name, standing="unsaid")

    def _of_backups(self) -> StatedPremise:
        """A place that is declared without a day, or with one before the last erasure, is said to be there, not to be clean."""
        if not examination.are_backups_dated(self.outside, examination.last_erasure(self.found.context.requests)):
            return StatedPremise(name=BACKUPS, standing="unsaid")
        places = examination.of_kind(self.outside, examination.BACKUPS)
        return StatedPremise(name=BACKUPS, standing="said", by="; ".join(dict.fromkeys(each.declared_by for each in places)))

    def _of_the_file(self) -> StatedPremise:
        """That the released model is the one of this procedure: a comparison with the file decides it, and no word does.

        Of the steps of a model whose file was not given a word says what it says where no file was.
        """
        context = self.found.context
        check = the(Role.COMPARES_FILE, context.version)
        status = self.found.findings[check].status
        if status is Status.FAIL:
            return StatedPremise(name=RELEASED, standing="refuted", check=check)
        if status is Status.PASS and context.case.model_alone:
            return StatedPremise(name=RELEASED, standing="examined", check=check)
        return self._of_a_word(RELEASED) if status is Status.PASS else StatedPremise(name=RELEASED, standing="unsaid")

    def _examined(self, name: str, given: Iterable[str], known: list[Fact]) -> bool:
        """Whether a check found out all of what a word says; what no word says, whether a check that could refute it did not."""
        if name not in ATTESTABLE:
            return bool(known) and all(each.how is not Provenance.UNKNOWN and each.name in self.sources for each in known)
        found = {each.name for each in known if each.how in {Provenance.COMPUTED, Provenance.MEASURED}}
        return bool(found) and found == set(given) and ATTESTED_AT_BEST.isdisjoint(found)
