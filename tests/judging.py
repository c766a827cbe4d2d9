"""Contexts for judges under test: from cases on disk, and written by hand."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Any

from auditor import __version__
from auditor.audit import describing
from auditor.audit.told_log import told_on
from auditor.base.domain import Fact, Provenance
from auditor.case import Case
from auditor.document.context import Audit, CaseFacts, DeletionLogFacts, Environment
from auditor.pages.words import sentence
from auditor.pages.words.rendered_evidence import tell_check
from auditor.settings.learning import Sklearn
from auditor.settings.tables import Claims, InferenceTable, Policy, SwapTable
from auditor.verdict.assembly import listed
from auditor.verdict.checks import definitions
from auditor.verdict.checks.context import Context
from auditor.verdict.checks.definition import Definition
from auditor.verdict.checks.finding import Earlier, Finding, Values
from auditor.verdict.judgement import judge_one
from auditor.verdict.sections import Sections
from detailed import Detailed, detailed

NOON = datetime(2026, 1, 1, 12, tzinfo=UTC)
HERE = Environment(
    device="cpu", device_name="a processor", isolation="namespaced", walls=(), capped=False, python="3.11", packages={}
)


def audit_facts(*, quick: bool = False, only: tuple[str, ...] | None = None, failure: str | None = None) -> Audit:
    """A run as far as judges look at it."""
    return Audit(
        id="0" * 16,
        started_at=NOON,
        finished_at=NOON,
        auditor_version="0.2.0",
        seed="0",
        quick=quick,
        only=only,
        failure=failure,
        exit_code=0,
    )


def sections_of_case(case: Case, **run: Any) -> Sections:
    """What a case declares that ran behind walls on this machine's processor; `run` as `audit_facts` takes it."""
    told = told_on(case, NOON.date())
    return describing.sections(case, audit=audit_facts(**run), environment=HERE, log=told)


def context_of_case(case: Case, **run: Any) -> Context:
    """The same as judges read it."""
    return sections_of_case(case, **run).context


def case_facts(**changes: Any) -> CaseFacts:
    """A classification of a hundred records into two classes, three of which were removed, with a store and a holdout."""
    facts = CaseFacts(
        name="by hand",
        release=None,
        controller=None,
        contact=None,
        digest="0" * 64,
        inputs=(),
        model="model.npz",
        store="store.npz",
        training_records=100,
        records_left=97,
        features=4,
        classes=2,
        holdout_records=50,
        parameters=4,
        task="classification",
    )
    return facts.model_copy(update=changes)


def log_facts(**changes: Any) -> DeletionLogFacts:
    """Two requests that were carried out one after the other, of three records together, by nobody who had seen a model."""
    facts = DeletionLogFacts(requests=2, records=3, batches=2, overdue=(), problems=(), max_seen_releases=0, columns_not_read=())
    return facts.model_copy(update=changes)


def declared(**changes: Any) -> Context:
    """A context written by hand: by default nothing is claimed, and the procedure retrains."""
    context = Context(
        audit=audit_facts(),
        case=case_facts(),
        procedure=Sklearn(estimator="sklearn.tree.DecisionTreeClassifier"),
        seed_bits=128,
        claims=Claims(),
        policy=Policy(),
        swap=SwapTable(),
        inference=InferenceTable(),
        requester=None,
        environment=HERE,
        log=log_facts(),
        requests=(),
    )
    return replace(context, **changes)


def attesting(*names: str, claims: Claims | None = None) -> Claims:
    """Claims with what the controller attests."""
    words = {"attested": names, "attested_by": "A. N. Other", "attested_at": NOON.date()}
    return (claims or Claims()).model_copy(update=words)


def told_check(check_id: str, finding: Finding, observed: Values | None) -> Detailed:
    """A finding as people read it."""
    return detailed(tell_check(listed(check_id, finding, observed), __version__))


def judged_check(
    definition: Definition[Any], context: Context, observed: Values, earlier: Earlier | None = None
) -> tuple[Detailed, Finding]:
    """What a judge finds, as people read it and as it stands."""
    finding = definition.judge(context, observed, earlier or {})
    return told_check(definition.card.id, finding, observed), finding


def judge_some(context: Context, observed: Mapping[str, Values], earlier: Earlier) -> dict[str, Finding]:
    """Judge the checks that something was observed for, each after those that it needs; what is needed besides is given."""
    found = dict(earlier)

    def judge(check_id: str) -> None:
        if check_id in found:
            return
        definition = definitions()[check_id]
        for needed in definition.card.needs:
            judge(needed)
        before = {each: replace(found[each], observed=observed.get(each, found[each].observed)) for each in definition.card.needs}
        found[check_id] = judge_one(definition, context, observed.get(check_id), before)

    for check_id in observed:
        judge(check_id)
    return found


@dataclass(frozen=True)
class ToldFact:
    """A fact with what it rests on as a sentence."""

    name: str
    how: Provenance
    evidence: str


def in_words(facts: Iterable[Fact]) -> tuple[ToldFact, ...]:
    """Facts as people read them."""
    return tuple(ToldFact(each.name, each.how, sentence(each.evidence)) for each in facts)
