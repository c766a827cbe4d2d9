"""A check whole: its card, what a run observes for it, when it applies, and the judge."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar

from pydantic import ValidationError

from auditor.base.domain import Fact, Message
from auditor.document.evidence import Evidence
from auditor.verdict.checks.card import Card
from auditor.verdict.checks.context import Context
from auditor.verdict.checks.finding import Earlier, Finding, Nothing, Values
from auditor.verdict.checks.levels import Level
from auditor.verdict.guarantees import Pledges

Observed = TypeVar("Observed", bound=Values)


def always(_context: Context, _earlier: Earlier) -> Message | None:
    """For a check that applies to every case."""
    return None


def never(_context: Context) -> bool:
    """For a check that no declaration alone gives cause for."""
    return False


def always_first(_context: Context) -> bool:
    """For a check that the first stage of every audit observes."""
    return True


def no_pledges(_context: Context, _findings: Mapping[str, Finding]) -> Pledges:
    """For a check whose numbers feed no guarantee."""
    return Pledges()


def no_claims(_context: Context, _findings: Mapping[str, Finding]) -> frozenset[str]:
    """For a check that examines no claim."""
    return frozenset()


def no_facts(_context: Context) -> tuple[Fact, ...]:
    """For a check of whose subject the declared data show nothing by themselves."""
    return ()


def no_declarations(_context: Context, _observed: Any) -> tuple[str, ...]:
    """For a check that looks into everything, whatever the case declares."""
    return ()


def never_blind(_finding: Finding) -> bool:
    """For a check that attacks nothing, or always recognises what it has to."""
    return False


def no_contradictions(_evidence: Evidence, _observed: Any, _others: Mapping[str, Values]) -> Iterator[str]:
    """For a check whose observations are compared with nothing else that the document states."""
    return iter(())


def no_levels(_context: Context, _observed: Any, _finding: Finding) -> tuple[Level, ...]:
    """For a check in which nothing is left to chance."""
    return ()


@dataclass(frozen=True, slots=True)
class Definition(Generic[Observed]):
    """One check."""

    card: Card
    observed: type[Observed]
    """What only the run could see; `Nothing` where the check reads the context alone."""
    judge: Callable[[Context, Observed, Earlier], Finding]
    """Pure: the only place where a status, a threshold, a premise, a fact or a certificate's inputs are decided."""
    applies: Callable[[Context, Earlier], Message | None] = always
    """Why the check does not apply; None where it does."""
    wanted: Callable[[Context], bool] = never
    """Whether the case gives cause for the check, found without running anything: leaving it out then leaves a question open."""

    derived: tuple[type[Values], ...] = field(kw_only=True)
    """What its judge may work out of what was observed, form by form; empty where it hands back values and reasons alone."""
    replays: bool = False
    """Whether the log has to be replayed for it."""
    first: Callable[[Context], bool] = never
    """Whether the first stage of an audit may observe it, which replays the log and enters clean rooms. A failure that it finds
    then stands: its judge gives it whatever the checks find that are still to run."""
    later_reasons: Mapping[str, str] = field(default_factory=dict)
    """Codes of reasons that its judge gives only since a version after its card's, with that version."""
    pledges: Callable[[Context, Mapping[str, Finding]], Pledges] = no_pledges
    """The numbers that it gives to guarantees, from what was declared and every finding."""
    examined_claims: Callable[[Context, Mapping[str, Finding]], frozenset[str]] = no_claims
    """The keys of [claims] that it examined, from what was declared and every finding."""
    declared_facts: Callable[[Context], tuple[Fact, ...]] = no_facts
    """What the declared data show of its subject, whether it runs or not."""
    declarations: Callable[[Context, Observed], tuple[str, ...]] = no_declarations
    """The premises, by the names of `auditor.verdict.premises`, that the case declares and that kept it from looking into
    something: they do not depend on what is attested."""
    blind: Callable[[Finding], bool] = never_blind
    """Whether its finding stays open because even models that hold the records escape its attacks, or because the same training
    gives another model each time: it then speaks neither for nor against a release."""
    contradictions: Callable[[Evidence, Observed, Mapping[str, Values]], Iterator[str]] = no_contradictions
    """What no run of the case can have observed: its observations compared with the document and with those of other checks."""

    levels: Callable[[Context, Observed, Finding], tuple[Level, ...]] = no_levels
    """The levels of the statistical tests that it held this case to, asked of a check that was judged by what a run observed;
    a test that could not have rejected, whatever it saw, is left out."""

    @property
    def since(self) -> str:
        """The version since which documents have it."""
        return self.card.since

    def derived_in(self, stated: Mapping[str, object]) -> Values:
        """Read what a document says was derived, by the first of the forms that fits.

        Raises:
            ValueError: If none does.
        """
        failed: ValueError | None = None
        for form in self.derived:
            try:
                return form.model_validate(stated)
            except ValidationError as error:
                failed = error
        raise failed or ValueError(f"{self.card.id} derives nothing")

    @property
    def runs(self) -> bool:
        """Whether anything has to run for it."""
        return self.observed is not Nothing
