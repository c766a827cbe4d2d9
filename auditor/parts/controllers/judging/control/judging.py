"""Judge what games with and without one data subject showed: they refute a definition, or fail to refute it.

A simulator may choose the ideal tape by everything that happened (Definition 2.3). So states that differ under one tape refute
nothing where another tape could explain them: then only laws that no tape of the right distribution gives count.
"""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Final

from pydantic import Field

from auditor.base.domain import Fact, Message, Provenance
from auditor.base.histories import DELETE, Operation
from auditor.document.context import ControllerFacts
from auditor.maths.statistics.exact import clopper_pearson, log_quotient_down
from auditor.maths.statistics.two_laws import epsilon_lower
from auditor.parts.controllers.cards import ANSWERS, NOISY, SECOND
from auditor.parts.controllers.judging import privacy_continual
from auditor.parts.controllers.judging.control.learner import LearnerGames
from auditor.parts.controllers.judging.history.independence import PRIVATE_STORES
from auditor.parts.controllers.judging.history.judging import LEAST_HISTORIES, LEAST_RUNS
from auditor.parts.controllers.judging.history.observed import Law, Played, Row
from auditor.parts.controllers.judging.made_for import Goal, fades, made_for
from auditor.settings.controller import controllers
from auditor.verdict.checks.context import Context
from auditor.verdict.checks.finding import Finding, Values, inconclusive
from auditor.verdict.checks.levels import Level, share, spent
from auditor.verdict.checks.stated import Count, Positive
from auditor.verdict.decisions import decide_at_most
from auditor.verdict.guarantees import fact


# What a run sees of a controller that is played with and without one data subject.
class GameCase(Values):
    """One game whose two executions came out differently under one tape, in fresh processes."""

    adversary: str
    tape: Count
    subject: str
    """The channel of the data subject; every other is of the environment."""
    real: tuple[Row, ...]
    """What both said to the controller. In the ideal execution only the environment's part of it is said."""
    minimal: bool
    """Whether no single operation can be left out."""
    answers: bool
    """Whether the environment was answered differently; the states alone differ where not."""
    digests: tuple[str, str]
    """SHA-256 of what is compared, real and ideal."""

    @property
    def history(self) -> tuple[Operation, ...]:
        """What both said."""
        return tuple(Operation(*row) for row in self.real)


class ReachedStates(Values):
    """Runs of adaptive parties under fresh tapes: an event of queries and state, chosen on other runs.

    In the ideal execution the tape may depend on everything, and so may the queries that it is played with. So an ideal run
    counts where any of the queries of the event leads to such a state.
    """

    adversary: str
    runs: Positive
    real: Count
    ideal: Count


class Atoms(Values):
    """Outcomes that came about under equally many tapes on either side."""

    left: Count
    """Tapes of the real execution that lead to each of them."""
    right: Count
    """Tapes of the ideal one."""
    count: Positive
    """How many such outcomes there are."""


class ExactLaw(Values):
    """One game under every tape: nothing in it is estimated."""

    adversary: str
    tapes: Positive
    steady: bool
    """Whether nobody was answered otherwise under another tape: then nobody can adapt to it."""
    atoms: tuple[Atoms, ...]


class GamesTried(Values):
    """What became of the games of one kind."""

    games: Count
    operations: Count
    deterministic: bool
    """Whether the same game came out the same under the same tape, in two processes."""
    ignores_tape: bool
    """Whether other tapes changed nothing."""
    searched: bool
    """Whether hypothesis searched for games too."""
    played: tuple[Played, ...]
    cases: tuple[GameCase, ...]
    """A few at most."""
    laws: tuple[Law, ...]
    """Real and ideal executions of one game under fresh tapes; left is the real one."""
    reached: tuple[ReachedStates, ...] = ()
    exact: tuple[ExactLaw, ...] = Field(default=(), exclude_if=lambda value: not value)
    """Games that were played under every tape, where a tape has few bits and the parties listen to nothing."""


class Observed(Values):
    """What the games showed."""

    untried: Message | None = None
    """Why none was played."""
    tried: GamesTried | None = None
    learner: LearnerGames | None = Field(default=None, exclude_if=lambda value: value is None)
    """Of a learner, where its games are asked for; of `confidentiality.game` alone."""


TEST: Final = {"control.game": "control", "confidentiality.game": "confidentiality"}
"""By check, the share of the level that everything together is held to which fresh tapes are said to show."""
OPEN: Final = {"control.game": "control-open", "confidentiality.game": "confidentiality-open"}
"""By check, that at which they keep from passing."""
LEAST_EXACT: Final = 10
"""Games under every tape below which nothing is decided."""
_ROUNDING: Final = 1e-12
_BY_DESIGN: Final = frozenset({("confidentiality.game", name) for name in ("part-has-control", SECOND, NOISY)})
"""Games that a controller loses by what it is for, and the fact that they then say nothing of: a public directory is public, and
a model that is read tells what it learned."""


class Derived(Values):
    """What the games come to."""

    epsilon: float
    """The ε that was promised; 0 where nothing was."""
    delta: float
    cases: int
    """Games that came out differently under one tape."""
    apart: int
    """Games that fresh tapes tell apart beyond what was promised."""
    refuted_epsilon: float | None
    """The largest ε that fresh tapes refute at that δ; None where they were not needed."""
    shortest: int | None
    """Operations of the shortest case."""


def goal(context: Context) -> Goal:
    """The ε and δ that are claimed, or that a private controller of ours is made for; (0, 0) where neither says anything."""
    claim = context.claims.dp
    return made_for(context.controller) if claim is None else Goal(claim.epsilon, claim.delta)


def judged(context: Context, observed: Observed, *, kind: str) -> Finding:
    """Count the games that come out differently; none may.

    Args:
        context: What was declared.
        observed: What the games showed.
        kind: Id of the check, by which its reasons are told apart.
    """
    tried = observed.tried
    if tried is None:
        return inconclusive(Message("games.not-shown", {"why": observed.untried}))
    whole = context.controller
    promised = goal(context)
    found = tuple(each for each in tried.cases if counts(each, kind)) if tried.deterministic else ()
    level = share(TEST[kind])
    derived = _derived(tried, found, promised, level=level)
    hides = _hides(whole, promised) and _enough(tried)
    value, reasons = _value(tried, found, derived, hides=hides)
    differing = any(each.different for each in tried.played)
    if value == 0:
        if sum(each.histories for each in tried.played) < LEAST_HISTORIES or tried.games < LEAST_HISTORIES:
            value, reasons = None, (Message("games.few"),)
        elif len(found) < len(tried.cases) or (differing and not found):
            value, reasons = None, (Message("games.contradicts"),)
        elif context.quick:
            value, reasons = None, (*reasons, Message("games.quick"))
        elif max(_refuted(tried, promised.delta, level=share(OPEN[kind])), default=0.0) > promised.epsilon:
            value, reasons = None, (*reasons, Message("games.doubted"))
    if not tried.searched:
        reasons = (*reasons, Message("games.not-searched"))
    return Finding(
        status=decide_at_most(value, 0.0),
        value=None if value is None else float(value),
        threshold=0.0,
        reasons=(Message("games.played", {"games": tried.games, "operations": tried.operations}), *reasons),
        derived=derived,
        facts=(
            *(_facts(kind, promised, literal=_literal(tried, promised, level=level)) if value else ()),
            *_withdrawn(kind, whole, tried, found, beyond=bool(value), level=level),
            *_exactly_apart(kind, tried, found, stated=_private_store(context), level=level),
        ),
    )


def _hides(whole: ControllerFacts | None, promised: Goal) -> bool:
    """Whether fresh tapes hide by construction, as far as was promised, what identical ones show."""
    if whole is None or whole.use is None:
        return False
    return controllers()[whole.use].hides or (fades(whole) and made_for(whole).within(promised))


def _derived(tried: GamesTried, found: tuple[GameCase, ...], promised: Goal, *, level: float) -> Derived:
    epsilons = _refuted(tried, promised.delta, level=level)
    return Derived(
        epsilon=promised.epsilon,
        delta=promised.delta,
        cases=len(found),
        apart=sum(each > promised.epsilon for each in epsilons),
        refuted_epsilon=max(epsilons, default=None),
        shortest=min((len(each.real) for each in found), default=None),
    )


def _withdrawn(
    kind: str, whole: ControllerFacts | None, tried: GamesTried, found: tuple[GameCase, ...], *, beyond: bool, level: float
) -> tuple[Fact, ...]:
    """The fact of a private controller of ours that a game plays against: refuted beyond the ε and δ that it is made for.

    Control and confidentiality both follow from it, so that they fall together, whichever of them the game was about. A claim
    may allow more than the controller is made for, and its guarantees state what it is made for.
    """
    name = NOISY if fades(whole) else privacy_continual.private_fact(whole)
    if name is None or (kind, name) in _BY_DESIGN:
        return ()
    promised = made_for(whole)
    if not (beyond or _value(tried, found, _derived(tried, found, promised, level=level), hides=False)[0]):
        return ()
    given = {"check": kind, "epsilon": promised.epsilon, "delta": promised.delta}
    return (fact(name, Provenance.REFUTED, Message("fact.games.told-apart", given)),)


def _private_store(context: Context) -> bool:
    """Whether anything says that each channel is answered from its own data alone: how the code is written, or its owner."""
    whole = context.controller
    return whole is not None and (whole.use in PRIVATE_STORES or ANSWERS in context.claims.attested)


def _exactly_apart(kind: str, tried: GamesTried, found: tuple[GameCase, ...], *, stated: bool, level: float) -> tuple[Fact, ...]:
    """The premises of guarantees with ε = δ = 0 that a game contradicts: a claim of a large ε spares none of them.

    States that differ where no tape counts contradict strong history independence. Answers that differ under one tape contradict
    that each is answered from their own data alone, and so does whatever fresh tapes tell apart of confidentiality.
    """
    facts = []
    if stated and kind == "confidentiality.game":
        apart = max(_refuted(tried, 0.0, level=level), default=0.0) > 0
        if apart or any(each.answers for each in found):
            given = {"check": kind, "epsilon": 0.0, "delta": 0.0}
            facts.append(fact(ANSWERS, Provenance.REFUTED, Message("fact.games.told-apart", given)))
    if tried.ignores_tape and any(not each.answers for each in found):
        names = ("strongly-history-independent", "adaptively-history-independent")
        facts += [fact(each, Provenance.REFUTED, Message("fact.history.told-apart")) for each in names]
    return tuple(facts)


def levels(_context: Context, observed: Observed, _finding: Finding, *, kind: str) -> tuple[Level, ...]:
    """Declare the tests of fresh tapes: exact, all laws and reached events together; without them every difference is certain."""
    tried = observed.tried
    return (spent(TEST[kind]), spent(OPEN[kind])) if tried is not None and (tried.laws or tried.reached) else ()


def _literal(tried: GamesTried, promised: Goal, *, level: float) -> bool:
    """Whether fresh tapes, or all of them, tell a game apart in which nobody adapts."""
    distances = [distance(each, promised.epsilon) for each in tried.exact]
    if any(_far(each, promised.epsilon, promised.delta) for each in distances):
        return True
    count = len(tried.laws)
    return any(each > promised.epsilon for each in _refuted(tried, promised.delta, level=level)[:count])


def _facts(kind: str, promised: Goal, *, literal: bool) -> tuple[Fact, ...]:
    """What is refuted: the definition that was played and, of control, the premises of Theorems 3.7 and 3.8 that imply it."""
    told = Message("fact.games.told-apart", {"check": kind, "epsilon": promised.epsilon, "delta": promised.delta})
    if kind != "control.game":
        return (fact("confidentiality-unrefuted", Provenance.REFUTED, told),)
    names = ("strongly-history-independent", "adaptively-history-independent") if literal else ("adaptively-history-independent",)
    premises = (fact(each, Provenance.REFUTED, Message("fact.history.told-apart")) for each in names)
    return (fact("control-unrefuted", Provenance.REFUTED, told), *premises)


def counts(each: GameCase, kind: str) -> bool:
    """Whether a case is one: a subject who deletes in the end, and two executions that differ in what is compared."""
    deletes = [place for place, said in enumerate(each.history) if said.channel == each.subject and said.operation == DELETE]
    ends = bool(deletes) and deletes[-1] == _last(each)
    if kind == "control.game":
        # The game is over with the first deletion, and what anybody was answered counts for nothing.
        return ends and len(deletes) == 1 and deletes[0] == len(each.real) - 1 and each.digests[0] != each.digests[1]
    return ends and each.digests[0] != each.digests[1]


def _last(each: GameCase) -> int:
    """Where the subject speaks for the last time."""
    return max((place for place, said in enumerate(each.history) if said.channel == each.subject), default=-1)


def _enough(tried: GamesTried) -> bool:
    return bool(tried.laws) and min(each.runs for each in tried.laws) >= LEAST_RUNS


def _value(
    tried: GamesTried, found: tuple[GameCase, ...], derived: Derived, *, hides: bool
) -> tuple[int | None, tuple[Message, ...]]:
    """The distinguishing cases, and how they came about; None where that is open."""
    apart = derived.apart
    laws = Message("games.apart", {"apart": apart, "epsilon": derived.refuted_epsilon, "delta": derived.delta})
    if not tried.deterministic:
        return apart or None, (Message("games.chance"), laws if apart else Message("games.chance-open"))
    if exactly := _exactly(tried, derived):
        return exactly
    if not found:
        return apart, (laws if apart else Message("games.same"),)
    shown = Message(
        "games.different",
        {"cases": len(found), "operations": derived.shortest, "answers": all(each.answers for each in found)},
    )
    if apart:
        # Where no tape changed anything, a byte says more than a bound.
        return len(found), (shown,) if tried.ignores_tape else (shown, laws)
    return (0, (_hidden(found, derived),)) if hides else (None, (shown, Message("games.fresh-open")))


def _hidden(found: tuple[GameCase, ...], derived: Derived) -> Message:
    """Say what fresh tapes hide by construction of a controller of ours."""
    if derived.epsilon or derived.delta:
        return Message("games.hidden-within", {"cases": len(found), "epsilon": derived.epsilon, "delta": derived.delta})
    return Message("games.hidden", {"cases": len(found)})


def _exactly(tried: GamesTried, derived: Derived) -> tuple[int, tuple[Message, ...]] | None:
    """Hold every game that was played under all tapes against what was promised; None where that decides nothing.

    Laws within (ε, δ) of each other have a simulator (Lemma A.1). One whose tapes are within (ε, δ) of uniform ones, and whose
    states agree but for probability δ, leaves laws P and Q with P(S) ≤ e^ε Q(S) + 2δ and Q(S) ≤ e^ε P(S) + (1 + e^ε) δ.
    """
    epsilon, delta = derived.epsilon, derived.delta
    distances = [distance(each, epsilon) for each in tried.exact]
    far = sum(_far(each, epsilon, delta) for each in distances)
    tapes = max((each.tapes for each in tried.exact), default=0)
    said = {"games": len(tried.exact), "tapes": tapes, "epsilon": epsilon, "delta": delta}
    if far:
        return far, (Message("games.exact-apart", {"far": far, **said}),)
    near = all(max(each) <= delta + _ROUNDING for each in distances) and all(each.steady for each in tried.exact)
    # Each that differed under one tape has to be among those that agree under all.
    covered = {each.adversary for each in tried.played if each.different} <= {each.adversary for each in tried.exact}
    return (0, (Message("games.exact", said),)) if near and covered and len(tried.exact) >= LEAST_EXACT else None


def _far(distances: tuple[float, float], epsilon: float, delta: float) -> bool:
    real, ideal = distances
    return real > 2 * delta + _ROUNDING or ideal > (1 + math.exp(epsilon)) * delta + _ROUNDING


def distance(law: ExactLaw, epsilon: float) -> tuple[float, float]:
    """The least δ at which real and ideal executions are (ε, δ)-close, either way: hockey-stick divergences of the two laws.

    Raises:
        ValueError: If the counts are not those of so many tapes.
    """
    if any(sum(getattr(each, side) * each.count for each in law.atoms) != law.tapes for side in ("left", "right")):
        raise ValueError(f"expected every one of {law.tapes} tapes once on either side")
    factor = math.exp(epsilon)
    real = math.fsum(max(each.left - factor * each.right, 0.0) * each.count for each in law.atoms)
    ideal = math.fsum(max(each.right - factor * each.left, 0.0) * each.count for each in law.atoms)
    return real / law.tapes, ideal / law.tapes


def _refuted(tried: GamesTried, delta: float, *, level: float) -> tuple[float, ...]:
    """By law and by reached event: the ε that is refuted at δ, all at a level that they share (Bonferroni)."""
    count = len(tried.laws) + len(tried.reached)
    confidence = 1 - level / max(count, 1)
    return (
        *(law_epsilon(each, delta, confidence=confidence) for each in tried.laws),
        *(reached_epsilon(each, delta, confidence=confidence) for each in tried.reached),
    )


def law_epsilon(law: Law, delta: float, *, confidence: float) -> float:
    """The ε that executions of one game exceed for certain, 0 where they cannot be told apart.

    With R' within (ε, δ) of R, and states that agree but for probability δ, P(S) ≤ e^ε Q(S) + (e^ε + 1) δ holds both ways and for
    complements, so that e^ε ≥ (P − δ) / (Q + δ).
    """
    if law.left > law.runs or law.right > law.runs:
        return 0.0
    return epsilon_lower(law.left, law.right, law.runs, confidence=confidence, delta=delta, other_delta=delta)


def reached_epsilon(reached: ReachedStates, delta: float, *, confidence: float) -> float:
    """The same for adaptive parties, where only real runs that ideal ones cannot reach say anything."""
    if reached.real > reached.runs or reached.ideal > reached.runs:
        return 0.0
    each = 1 - (1 - confidence) / 2
    real, ideal = (clopper_pearson(count, reached.runs, confidence=each) for count in (reached.real, reached.ideal))
    return log_quotient_down(Fraction(real.low) - Fraction(delta), Fraction(ideal.high) + Fraction(delta))
