"""`state.history_independent`: histories that mean the same must leave the same state (Deletion-as-control, Definition 3.4)."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from auditor.base.domain import Reason, Status
from auditor.parts.controllers.judging.history import by_construction, pipeline
from auditor.parts.controllers.judging.history.judging import Derived, judged
from auditor.parts.controllers.judging.history.observed import Observed
from auditor.settings.controller import controllers
from auditor.verdict.checks.card import Card, LetterWords, Role
from auditor.verdict.checks.context import Context
from auditor.verdict.checks.definition import Definition
from auditor.verdict.checks.finding import Earlier, Finding
from auditor.verdict.decisions import decide_at_most
from auditor.verdict.guarantees import Pledges

CARD: Final = Card(
    id="state.history_independent",
    place=220,
    since="0.2.0",
    roles=frozenset({Role.HISTORY}),
    title="Dependence of the state on the order of past operations",
    question="Does the state show nothing of the order of past operations?",
    unit="distinguishing cases found",
    own_terms=("stateless",),
    finds=(
        "adaptively-history-independent",
        "controller-is-implementation",
        "history-independent-when-fresh",
        "logical-deletion",
        "strongly-history-independent",
        "touchstone-storage",
        "unlearning-syntax",
    ),
    failure="Two histories that lead to the same data leave states that can be distinguished.",
    remedy="Make the state a function of the data that are there, whatever was added and deleted before.",
    open_question="whether what is kept shows the order of past operations",
    letter=LetterWords(
        question="Does what is kept show nothing of what was there before?",
        open_question="whether what is kept shows what was there before",
    ),
    of_controllers=True,
)


def judge(context: Context, observed: Observed, _earlier: Earlier) -> Finding:
    """Count the histories that a state gives away; none may be. A learner counts as well where it claims as much."""
    whole = context.controller
    learner = pipeline.judged(observed.pipeline) if claimed(context) else None
    if learner is not None:
        said = by_construction.of_learner(context, passes=learner.status is Status.PASS)
        learner = replace(learner, facts=(*learner.facts, *said))
    if whole is None:
        return pipeline.judged(None) if learner is None else learner
    found = judged(
        observed, frozenset(whole.commuting), quick=context.quick, hides=whole.use is not None and controllers()[whole.use].hides
    )
    # Of a program next to a learner nothing follows for the whole: what the model keeps lies outside of it.
    if observed.tried is not None and not found.value and not context.learns:
        known = by_construction.of_controller(whole, attested=context.claims.attested)
        found = replace(found, facts=(*found.facts, *known))
    return found if learner is None else _both(found, learner)


def claimed(context: Context) -> bool:
    """Whether there is a learner that is said to be history independent."""
    return context.learns and context.claims.history_independent


def examined_claims(context: Context, finding: Finding) -> frozenset[str]:
    """The claim, where the check came to a decision on whatever it is made of."""
    decided = finding.status in {Status.PASS, Status.FAIL}
    return frozenset({"history_independent"} if decided and context.claims.history_independent else ())


def _both(program: Finding, learner: Finding) -> Finding:
    """One finding of two: the worse one decides, and both are told."""
    value = None if program.value is None or learner.value is None else program.value + learner.value
    if value is None and Status.FAIL in {program.status, learner.status}:
        value = (program.value or 0.0) + (learner.value or 0.0)
    reasons = (*program.reasons, *learner.reasons)
    facts = (*program.facts, *learner.facts)
    return replace(program, status=decide_at_most(value, 0.0), value=value, threshold=0.0, reasons=reasons, facts=facts)


def applies(context: Context, _earlier: Earlier) -> Reason | None:
    """Say why nothing is played: the case has no whole controller."""
    return None if _wanted(context) else Reason("state.history_independent.no-controller")


def _wanted(context: Context) -> bool:
    return context.controller is not None or claimed(context)


CHECK: Final = Definition(
    CARD,
    Observed,
    judge,
    applies,
    wanted=_wanted,
    pledges=lambda _context, findings: Pledges(fresh=by_construction.pledged(findings[CARD.id].facts)),
    examined_claims=lambda context, findings: examined_claims(context, findings[CARD.id]),
    derived=(Derived, pipeline.Derived),
)
