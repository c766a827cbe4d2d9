"""`state.history_independent`: histories that mean the same must leave the same state (Deletion-as-control, Definition 3.4)."""

from __future__ import annotations

import math
from collections.abc import Collection
from dataclasses import replace
from typing import Final

from auditor.base.domain import Fact, Message, Provenance, Status
from auditor.document.context import ControllerFacts
from auditor.maths.certificates import derive
from auditor.maths.tradeoff.promises import Gaussian, finite
from auditor.parts.controllers.cards import ANSWERS, FRESH, NOISY, STATE_HISTORY_INDEPENDENT, SYNTAX, claimed, no_history
from auditor.parts.controllers.judging.history import pipeline, side_by_side
from auditor.parts.controllers.judging.history.judging import Derived, judged, levels
from auditor.parts.controllers.judging.history.observed import Observed
from auditor.parts.controllers.judging.made_for import Goal, fades, made_for
from auditor.parts.controllers.judging.together import both
from auditor.parts.controllers.rules.noisy_descent_history import KIND, Descent, descent
from auditor.parts.controllers.settings import NoisyDescentModel
from auditor.settings.controller import controllers
from auditor.verdict.checks.context import Context
from auditor.verdict.checks.definition import Definition
from auditor.verdict.checks.finding import Earlier, Finding
from auditor.verdict.guarantees import Pledge, Pledges, fact

CARD: Final = STATE_HISTORY_INDEPENDENT

# Facts of history independence that are known before any game: of controllers of ours, and of learners that train again.
# A game refutes them or finds nothing, and is a premise of no theorem. What is said here rests on how the code is written,
# which anybody can read. No guarantee is *shown* by it: that nothing is kept outside the program remains the word of its
# owner.
CANONICAL: Final = frozenset({"bulletin-board", "cloud-storage", "dictionary"})
"""Controllers of ours whose state is their contents written in one way alone, with neither tape nor anything else kept.

Such a state is strongly history independent for every start (Theorem C.2 of deletion-as-control, after Hartline et al. 2005), and
so adaptively, under identical tapes and under fresh ones (Section 3.2): both with ε = δ = 0."""
TOUCHSTONES: Final = frozenset({"bulletin-board", "cloud-storage"})
"""Those of Corollary 3.10."""
PRIVATE_STORES: Final = frozenset({"cloud-storage", "dictionary"})
"""Those of which nobody is answered anything that another channel said: the proof of Theorem 4.4, with answers to the owner."""
_WRITTEN: Final = ("strongly-history-independent", "logical-deletion")
_NOTHING_ELSE: Final = "controller-is-implementation"


def of_controller(whole: ControllerFacts, *, attested: Collection[str]) -> tuple[Fact, ...]:
    """What is known of a whole controller by the way it is written; nothing of code of a case.

    That the program in use keeps nothing outside it no code can say: it is somebody's word, and without it the program is no
    adaptively history independent *controller*.

    Args:
        whole: The controller as declared.
        attested: The words of its owner.
    """
    if fades(whole):
        # Proved of the code by `rules.noisy_descent_history`, for everybody who does not know its noise.
        noisy = Message("fact.history.noisy", {"use": whole.use})
        known = (fact(name, Provenance.COMPUTED, noisy) for name in (NOISY, "logical-deletion", FRESH, SYNTAX))
        # No word makes an ε of 0 of what noise alone hides.
        return (*known, fact("strongly-history-independent", Provenance.REFUTED, noisy))
    if whole.use not in CANONICAL:
        return ()
    ours = Message("fact.history.ours", {"use": whole.use})
    touchstone = ("touchstone-storage",) if whole.use in TOUCHSTONES else ()
    private = (ANSWERS,) if whole.use in PRIVATE_STORES else ()
    adaptive = ("adaptively-history-independent",) if _NOTHING_ELSE in attested else ()
    return tuple(fact(name, Provenance.COMPUTED, ours) for name in (*_WRITTEN, *touchstone, *private, *adaptive))


def of_learner(context: Context, *, passes: bool) -> tuple[Fact, ...]:
    """What Proposition 3.12 asks of a learner that is said to be history independent.

    Args:
        context: What was declared.
        passes: Whether the same records led to the same model in every way that was tried: where they did not, nothing is said.
    """
    procedure = context.procedure
    if procedure.foreign or not procedure.trains_again:
        return (fact(SYNTAX, Provenance.UNKNOWN, Message("fact.unlearning.not-ours")),)
    ours = Message("fact.unlearning.ours", {"use": getattr(procedure, "use", "")})
    found = (fact(SYNTAX, Provenance.COMPUTED, ours),)
    return (*found, fact(FRESH, Provenance.COMPUTED, ours)) if passes else found


def pledged(facts: tuple[Fact, ...], whole: ControllerFacts | None = None) -> Pledge | None:
    """The ε and δ under fresh randomness: both 0 of a learner that trains again, of a program those that its noise is made for.

    Args:
        facts: What was found.
        whole: The controller as declared; None where there is none.

    Returns:
        With the trade-off that the steps leave, which may be less; None where nothing is known.
    """
    if not any(each.name == FRESH and each.how is Provenance.COMPUTED for each in facts):
        return None
    if whole is None or not any(each.name == NOISY for each in facts):
        return Pledge(0.0, 0.0)
    return Pledge(*made_for(whole), finite(Gaussian, mu=_descent(whole).mu))


def _descent(whole: ControllerFacts) -> Descent:
    """The steps that follow each operation of a controller whose noise hides its history."""
    declared = NoisyDescentModel.model_validate(whole.params)
    return descent(declared.regularisation, declared.noise, epsilon=declared.epsilon, delta=declared.delta)


def judge(context: Context, observed: Observed, _earlier: Earlier) -> Finding:
    """Count the histories that a state gives away; none may be. A learner counts as well where it claims as much."""
    whole = context.controller
    learner = pipeline.judged(observed.pipeline) if claimed(context) else None
    if learner is not None:
        said = of_learner(context, passes=learner.status is Status.PASS)
        learner = replace(learner, facts=(*learner.facts, *said))
    if whole is None:
        return pipeline.judged(None) if learner is None else learner
    found = judged(
        observed,
        frozenset(whole.commuting),
        quick=context.quick,
        hides=whole.use is not None and controllers()[whole.use].hides,
        within=made_for(whole) if fades(whole) else None,
    )
    if fades(whole):
        found = _noisy(context, whole, found)
    # Of a program next to a learner nothing follows for the whole: what the model keeps lies outside of it.
    if observed.tried is not None and not found.value and not context.learns:
        known = of_controller(whole, attested=context.claims.attested)
        found = replace(found, facts=(*found.facts, *known))
    if whole.parts and not context.learns:
        premises = tuple(side_by_side.facts(context, whole, observed.parts, CANONICAL))
        told = () if observed.parts is None else side_by_side.told(observed.parts)
        found = replace(found, facts=(*found.facts, *premises), reasons=(*found.reasons, *told))
    return found if learner is None else both(found, learner)


def _noisy(context: Context, whole: ControllerFacts, found: Finding) -> Finding:
    """Add the bound that noise gives by proof, and let nothing pass that a policy allows less than."""
    goal, policy = made_for(whole), context.policy
    inputs = {**_descent(whole)._asdict(), "delta": goal.delta}
    stated = replace(found, certificates=(derive(KIND, inputs),))
    most = Goal(
        math.inf if policy.max_epsilon is None else policy.max_epsilon,
        1.0 if policy.max_delta is None else policy.max_delta,
    )
    if found.value != 0 or goal.within(most):
        return stated
    beyond = Message("state.history_independent.beyond-policy", goal._asdict())
    return replace(stated, status=Status.INCONCLUSIVE, value=None, reasons=(*found.reasons, beyond))


def examined_claims(context: Context, finding: Finding) -> frozenset[str]:
    """The claim, where the check came to a decision on whatever it is made of."""
    decided = finding.status in {Status.PASS, Status.FAIL}
    return frozenset({"history_independent"} if decided and context.claims.history_independent else ())


def applies(context: Context, _earlier: Earlier) -> Message | None:
    """Say why nothing is played: the case has no whole controller."""
    return no_history(context)


def _wanted(context: Context) -> bool:
    return no_history(context) is None


CHECK: Final = Definition(
    CARD,
    Observed,
    judge,
    applies,
    wanted=_wanted,
    pledges=lambda context, findings: Pledges(
        fresh=pledged(findings[CARD.id].facts, context.controller), parts=side_by_side.pledged(findings[CARD.id].facts)
    ),
    examined_claims=lambda context, findings: examined_claims(context, findings[CARD.id]),
    derived=(Derived, pipeline.Derived),
    levels=levels,
)
