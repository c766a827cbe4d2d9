"""An evidence document as people read it: the same values, with titles and sentences from the catalogue.

Everything that is rendered reads this and not the evidence, which holds no sentence.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final, TypeVar

from auditor.base.deletion_log.requests import RequestOutcome
from auditor.base.domain import Certificate, Check, ClaimStatus, Derivation, Guarantee, Premise, Provenance, Status, Verdict
from auditor.base.errors import ReportError
from auditor.base.promises import Promise
from auditor.base.validation import cause_of
from auditor.document.context import Audit, CaseFacts, DeletionLogFacts, Environment, PolicyFacts, ProcedureFacts, SizeFacts
from auditor.document.evidence import Evidence
from auditor.pages import words
from auditor.pages.words import guarantees
from auditor.pages.words.guarantees import STATEMENTS
from auditor.pages.words.verdict import lines_of, worded
from auditor.verdict.checks import definitions, derived_in, observed_in
from auditor.verdict.checks.card import Card
from auditor.verdict.checks.finding import Values
from auditor.verdict.corollaries import promise_of
from auditor.verdict.grade import NO_USE, guesses
from auditor.verdict.theorems import theorems

V = TypeVar("V", bound=Values)
LONGEST_CAUSE: Final = 200
"""Characters of what went wrong that a message repeats."""


@dataclass(frozen=True, slots=True)
class ToldCheck:
    """One check with its words."""

    id: str
    title: str
    status: Status
    value: float | None
    interval: tuple[float, float] | None
    threshold: float | None
    basis: str
    """How the value came about, or the reason why there is none."""

    observed: Values | None = None
    """What only the run saw; None where nothing was derived from it either."""
    derived: Values | None = None
    """What the judge worked out of it; None where it came to values and reasons alone."""

    def observed_as(self, kind: type[V]) -> V | None:
        """What only the run saw, where it is of that kind."""
        return self.observed if isinstance(self.observed, kind) else None

    def derived_as(self, kind: type[V]) -> V | None:
        """What the judge worked out, where it is of that kind."""
        return self.derived if isinstance(self.derived, kind) else None

    @property
    def card(self) -> Card:
        """What the check is, whatever came of it."""
        return definitions()[self.id].card


@dataclass(frozen=True, slots=True)
class ToldPremise:
    """One premise with its words."""

    name: str
    """Of the fact."""
    fact: str
    """The fact as a sentence."""
    how: Provenance
    evidence: str


@dataclass(frozen=True, slots=True)
class ToldDerivation:
    """One application of a theorem with its words."""

    id: str
    """Of the theorem."""
    rule: str
    """The theorem and its source."""
    premises: tuple[ToldPremise, ...]


@dataclass(frozen=True, slots=True)
class ToldGuarantee:
    """One guarantee with its words."""

    id: str
    title: str
    statement: str
    status: ClaimStatus
    epsilon: float | None
    delta: float | None
    derivation: tuple[ToldDerivation, ...]
    order: float | None = None
    share: float | None = None
    """Of right guesses about one person that it leaves; None where it does not hold or has no number."""
    promise: Promise | None = None
    """What that share is read off; None where there is none."""

    @property
    def empty(self) -> bool:
        """Whether it holds and promises nothing useful: such a one is never shown in the colour of a pass."""
        return self.share is not None and self.share >= NO_USE


@dataclass(frozen=True, slots=True)
class Told:
    """One evidence document with its words."""

    evidence: Evidence
    lines: tuple[str, ...]
    """The result: a short sentence that can be quoted, then sentences that say what it leaves out."""
    checks: tuple[ToldCheck, ...]
    guarantees: tuple[ToldGuarantee, ...]
    content: bytes = field(repr=False)
    """The evidence as RFC 8785 canonical bytes: what a report carries, and what its printed digest is over."""

    @property
    def opening(self) -> str:
        """The result in one short sentence that can be quoted."""
        return self.lines[0]

    @property
    def sentence(self) -> str:
        """The whole result as one paragraph, which begins with the opening."""
        return " ".join(self.lines)

    @property
    def verdict(self) -> Verdict:
        """As the evidence has it."""
        return self.evidence.verdict

    @property
    def audit(self) -> Audit:
        """As the evidence has it."""
        return self.evidence.audit

    @property
    def case(self) -> CaseFacts:
        """As the evidence has it."""
        return self.evidence.case

    @property
    def procedure(self) -> ProcedureFacts:
        """As the evidence has it."""
        return self.evidence.procedure

    @property
    def policy(self) -> PolicyFacts:
        """As the evidence has it."""
        return self.evidence.policy

    @property
    def sizes(self) -> SizeFacts:
        """As the evidence has it."""
        return self.evidence.sizes

    @property
    def environment(self) -> Environment:
        """As the evidence has it."""
        return self.evidence.environment

    @property
    def deletion_log(self) -> DeletionLogFacts:
        """As the evidence has it."""
        return self.evidence.deletion_log

    @property
    def certificates(self) -> tuple[Certificate, ...]:
        """As the evidence has it."""
        return self.evidence.certificates

    @property
    def requests(self) -> tuple[RequestOutcome, ...]:
        """As the evidence has it."""
        return self.evidence.requests

    def text(self, message: str, /, **given: str | float) -> str:
        """Format one message, as it is worded for programs or places where no model was examined."""
        return worded(self.evidence, message, **given)

    def check(self, check_id: str) -> ToldCheck:
        """The check of that id.

        Raises:
            KeyError: If there is no such check.
        """
        for check in self.checks:
            if check.id == check_id:
                return check
        raise KeyError(check_id)


def tell(evidence: Evidence) -> Told:
    """The evidence with its words, as it reads once it is written: same order, same numbers.

    Raises:
        ReportError: If something in it has no canonical form, or names a check, a theorem, a fact or a reason that this version
            has no words for.
    """
    try:
        content = evidence.to_bytes()
        evidence = Evidence.model_validate_json(content)
        return Told(
            evidence=evidence,
            content=content,
            lines=lines_of(evidence),
            checks=tuple(tell_check(each, evidence.version) for each in evidence.checks),
            guarantees=tuple(_guarantee(each) for each in evidence.guarantees),
        )
    except words.UNSAYABLE as error:
        reason = cause_of(error, LONGEST_CAUSE)
        raise ReportError(f"this version has no words for what the evidence says ({reason})") from error


def tell_check(check: Check, version: str) -> ToldCheck:
    """One check with its words.

    Args:
        check: As the evidence has it.
        version: The version that wrote the evidence.
    """
    words.said([check.observed, check.derived])  # ends here where a reason inside them has no words
    derived = derived_in(check, version)
    return ToldCheck(
        id=check.id,
        title=definitions()[check.id].card.title,
        status=check.status,
        value=check.value,
        interval=check.interval,
        threshold=check.threshold,
        basis=words.basis(check.reasons),
        observed=None if derived is None else observed_in(check, version),
        derived=derived,
    )


def _guarantee(guarantee: Guarantee) -> ToldGuarantee:
    return ToldGuarantee(
        id=guarantee.id,
        title=guarantees.title(guarantee),
        statement=guarantees.statement(guarantee),
        status=guarantee.status,
        epsilon=guarantee.epsilon,
        delta=guarantee.delta,
        derivation=tuple(_derivation(each) for each in guarantee.derivation),
        order=guarantee.order,
        share=guesses(guarantee),
        promise=promise_of(guarantee),
    )


def _derivation(derivation: Derivation) -> ToldDerivation:
    citation = theorems()[derivation.rule].citation
    return ToldDerivation(derivation.rule, citation, tuple(_premise(each) for each in derivation.premises))


def _premise(premise: Premise) -> ToldPremise:
    return ToldPremise(premise.fact, STATEMENTS[premise.fact], premise.how, words.sentence(premise.evidence))
