"""`privacy.continual`: what noise in reports is worth, of one or of many, with the state seen once, from the code that ran."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import Final, Literal

from auditor.base.domain import Fact, Interval, Message, Provenance, Status
from auditor.base.promises import Approximate, Gaussian, Pure
from auditor.document.context import ControllerFacts
from auditor.maths.certificates import derive, gaussian
from auditor.maths.certificates.prefix_sums import squared_sensitivity
from auditor.maths.statistics.two_laws import epsilon_lower
from auditor.maths.statistics.variance import accepted_variance
from auditor.maths.tradeoff.loss_distribution import root_ceiling
from auditor.maths.tradeoff.promises import gaussian_shift, removal_budget
from auditor.parts.controllers.cards import PRIVACY_CONTINUAL, SECOND, no_reports
from auditor.parts.controllers.judging.history.observed import Law
from auditor.parts.controllers.rules import square_root_counter, tree_counter
from auditor.parts.controllers.settings import Continual, ContinualModel
from auditor.settings.controller import controllers
from auditor.settings.values import Table
from auditor.verdict.checks import guess_bounds
from auditor.verdict.checks.context import Context
from auditor.verdict.checks.definition import Definition
from auditor.verdict.checks.finding import Earlier, Finding, Values, inconclusive
from auditor.verdict.checks.guess_bounds import Source, sources
from auditor.verdict.checks.levels import Level, share, spent
from auditor.verdict.checks.stated import Amount, Count, Positive
from auditor.verdict.decisions import decide_at_most
from auditor.verdict.guarantees import Pledge, Pledges, fact

CARD: Final = PRIVACY_CONTINUAL

COUNTERS: Final = ("tree-counter", "square-root-counter", "public-directory", "continual-model")
"""Controllers of ours that count, or learn, under continual release."""
BATCHES: Final = ("batch-count", "batch-model")
"""Controllers of ours that report once, and then keep the outcome alone."""
TEST: Final = "continual"
"""The share of the level that game and noise are held to together."""
OPEN: Final = "continual-open"
"""That at which they keep from passing."""


def _of_games(test: str) -> float:
    """How often the pan-privacy game refutes what holds, all adversaries together."""
    return share(test) / 2


def _of_noise(test: str) -> float:
    """How often each of three tests refuses honest noise: of the state, of the release, and of both together."""
    return share(test) / 6


UNSURE: Final = 2e-4
"""How often the interval in which measured noise puts ε misses; it decides nothing."""
EXACT: Final = 1e-6
"""How far two answers under one tape may be from differing by the event: floating-point sums of large noise round."""


class Drawn(Values):
    """Noise that was read off, one value for each tape and sum."""

    count: Positive
    squares: Amount
    """The sum of the squares."""


class Observed(Values):
    """What plays of the counter showed, all of them without anybody but where it says so."""

    untried: Message | None = None
    """Why nothing was played."""
    tapes: Count = 0
    state: Drawn | None = None
    """Noise of sums that nobody has been counted into."""
    release: Drawn | None = None
    """Noise that a sum got on top of that when it was released."""
    products: float = 0.0
    """The sum of products of the two, for sums that were released."""
    repeated: Count = 0
    """Values that occurred under more than one tape."""
    moved: Amount = 0.0
    """How far one person moves the sums: the sum of squares."""
    off: Amount = 0.0
    """How far answers are, at most, from the noise plus the count."""
    again: bool = False
    """Whether a second operation of one person changed anything."""
    between: Count = 0
    """Answers to anything but a report."""
    games: tuple[Law, ...] = ()
    """The pan-privacy game with one intrusion, by adversary: left with one person's operation, right without."""


class Promise(Values):
    """What reports and one view of the state give each person."""

    epsilon: float
    delta: float


class Derived(Values):
    """What the noise is worth."""

    delta: float
    sources: tuple[Source, ...]
    sigma: float
    """The standard deviation that the rule asks for in each sum; 0 where there are none."""
    horizon: int
    rule: Literal["tree-counter", "square-root-counter", "batch-count", "batch-model"]
    broken: tuple[str, ...]
    """What the plays showed that the rule does not allow."""
    for_a_person: Promise | None
    """None where the plays contradict it."""


def applies(context: Context, _earlier: Earlier) -> Message | None:
    """It needs a controller of ours that counts under continual release, or a claim about one of the case's own."""
    whole = reporting(context.controller)
    if whole is None:
        return no_reports(context)
    if whole.use in (*COUNTERS, *BATCHES) or _claimed(context, whole):
        return None
    return Message("privacy.continual.no-counter")


def reporting(whole: ControllerFacts | None) -> ControllerFacts | None:
    """What gives reports: a controller as a whole, or the second of two programs side by side where it is such a one of ours."""
    if whole is None or whole.second is None or whole.second.use not in (*COUNTERS, *BATCHES):
        return whole
    return whole.alone(whole.second)


def _claimed(context: Context, whole: ControllerFacts) -> bool:
    """Whether the controller's own code is said to be private while it reports."""
    return whole.entry is not None and bool(whole.environment) and context.claims.dp is not None


def judge(context: Context, observed: Observed, _earlier: Earlier) -> Finding:
    """Compute ε from the noise that the rule asks for and that the code draws, and hold it against claim and policy."""
    whole = reporting(context.controller)
    if whole is not None and whole.use in BATCHES:
        return _once(context, whole, observed)
    if whole is None or whole.use not in COUNTERS:
        return _foreign(context, observed)
    if observed.untried is not None or observed.state is None or observed.release is None:
        return inconclusive(Message("privacy.continual.not-shown", {"why": observed.untried}))
    declared = _declared(whole)
    rule = _rule(whole.use, declared)
    certificate = derive(rule, declared.model_dump(include={"epsilon", "delta", "horizon"}))
    sigma = certificate.outputs["node_sigma" if rule == tree_counter.KIND else "noise_sigma"]
    if sigma is None:
        return inconclusive(Message("privacy.continual.no-noise"))
    squared = _squared_sensitivity(rule, declared.horizon)
    goal, delta, named = _goal(context, declared.epsilon, declared.delta)
    told = refuted_epsilon(observed, delta)
    value = gaussian.epsilon(delta, math.sqrt(squared) / float(sigma))
    # What is beyond a claim or a policy alone fails by the bound: it refutes no noise that was made for less.
    broken = (*_broken(observed, float(sigma), squared), *(("told-apart",) if told > max(goal, value) else ()))
    derived = Derived(
        delta=delta,
        sources=sources(named),
        sigma=float(sigma),
        horizon=declared.horizon,
        rule=rule,
        broken=broken,
        for_a_person=None if broken else Promise(epsilon=value, delta=delta),
    )
    kept = promised(derived, Promise(epsilon=value, delta=delta))
    nothing = guess_bounds.empty(goal, delta, records=1, most=guess_bounds.MOST_OF_A_RECORD, beyond=kept)
    if not broken and (
        refuted_epsilon(observed, delta, test=OPEN) > goal or any(_broken(observed, float(sigma), squared, test=OPEN))
    ):
        nothing = (*nothing, Message("privacy.continual.doubted"))
    if context.quick:  # few tapes find less, so that they may fail a counter and never pass it
        nothing = (*nothing, Message("privacy.continual.quick"))
    status = Status.FAIL if broken else guess_bounds.at_best_open(decide_at_most(value, goal), nothing)
    return Finding(
        status=status,
        value=value,
        interval=_interval(observed, delta, squared),
        threshold=goal,
        reasons=(
            Message("privacy.continual.bound", {"rule": rule, "horizon": declared.horizon, "sigma": float(sigma)}),
            Message("privacy.continual.played", {"tapes": observed.tapes, "draws": observed.state.count}),
            *(Message(f"privacy.continual.{name}") for name in broken),
            *_played(observed, told, delta),
            *nothing,
        ),
        derived=derived,
        facts=_facts(context, whole, broken),
        certificates=(certificate,),
    )


def _once(context: Context, whole: ControllerFacts, observed: Observed) -> Finding:
    """Hold the ε of the mechanism that runs once against claim and policy; the game may refute it."""
    if not observed.games:
        return inconclusive(Message("privacy.continual.not-shown", {"why": observed.untried or Message("games.chance")}))
    declared = _params(whole).model_dump()
    epsilon, own = float(declared["epsilon"]), float(declared.get("delta", 0.0))
    goal, delta, named = _goal(context, epsilon, own)
    told = refuted_epsilon(observed, own)
    broken = ("told-apart",) if told > epsilon else ()
    derived = Derived(
        delta=own,
        sources=sources(named),
        sigma=0.0,
        horizon=1,
        rule="batch-model" if whole.use == "batch-model" else "batch-count",
        broken=broken,
        for_a_person=None if broken else Promise(epsilon=epsilon, delta=own),
    )
    kept = promised(derived, Promise(epsilon=epsilon, delta=own))
    nothing = guess_bounds.empty(goal, delta, records=1, most=guess_bounds.MOST_OF_A_RECORD, beyond=kept)
    if not broken and refuted_epsilon(observed, own, test=OPEN) > epsilon:
        nothing = (*nothing, Message("privacy.continual.doubted"))
    if context.quick:
        nothing = (*nothing, Message("privacy.continual.quick"))
    # An ε at one δ says nothing at a smaller one.
    within = decide_at_most(epsilon, goal) if own <= delta else Status.INCONCLUSIVE
    return Finding(
        status=Status.FAIL if broken else guess_bounds.at_best_open(within, nothing),
        value=epsilon,
        threshold=goal,
        reasons=(
            Message("privacy.continual.batch", {"use": whole.use, "epsilon": epsilon, "delta": own}),
            *(Message(f"privacy.continual.{name}") for name in broken),
            *_played(observed, told, own),
            *nothing,
        ),
        derived=derived,
        facts=_facts(context, whole, broken),
    )


def _foreign(context: Context, observed: Observed) -> Finding:
    """Of the case's own code nothing says which of its numbers are noise: the game alone may refute what is claimed."""
    claim, why = context.claims.dp, Message("privacy.continual.foreign")
    if claim is None or not observed.games:
        return inconclusive(why)
    told = refuted_epsilon(observed, claim.delta)
    status = Status.FAIL if told > claim.epsilon else Status.INCONCLUSIVE
    return Finding(
        status=status,
        value=told if status is Status.FAIL else None,
        threshold=claim.epsilon,
        reasons=(*_played(observed, told, claim.delta), *(() if status is Status.FAIL else (why,))),
    )


def refuted_epsilon(observed: Observed, delta: float, *, test: str = TEST) -> float:
    """The largest ε that some adversary of the pan-privacy game refutes at δ, with a confidence that all of them share."""
    confidence = 1 - _of_games(test) / max(len(observed.games), 1)
    fitting = (each for each in observed.games if max(each.left, each.right) <= each.runs)
    return max(
        (epsilon_lower(each.left, each.right, each.runs, confidence=confidence, delta=delta) for each in fitting), default=0.0
    )


def _played(observed: Observed, told: float, delta: float) -> tuple[Message, ...]:
    if not observed.games:
        return ()
    games = sum(2 * each.runs for each in observed.games)
    return (Message("privacy.continual.games", {"games": games, "epsilon": told, "delta": delta}),)


def examined_claims(finding: Finding) -> frozenset[str]:
    """The claim `dp`, where the check came to an ε to hold against it."""
    return frozenset() if finding.value is None else frozenset({"dp"})


def pledged(findings: Mapping[str, Finding]) -> Pledge | None:
    """What a passing counter promises each person; None where it promises nothing, or a game refutes what that rests on."""
    finding = findings[CARD.id]
    derived = finding.derived
    if finding.status is not Status.PASS or not isinstance(derived, Derived) or derived.for_a_person is None:
        return None
    private = {SECOND, *(name for name, *_ in _STRUCTURE.values())}
    if any(each.how is Provenance.REFUTED and each.name in private for other in findings.values() for each in other.facts):
        return None
    return Pledge(derived.for_a_person.epsilon, derived.for_a_person.delta, promised(derived, derived.for_a_person))


def promised(derived: Derived, stated: Promise) -> Gaussian | Pure | Approximate:
    """What the noise promises each person by its mechanism: no theorem that carries (ε, δ) over adds to either.

    What such a theorem says holds at every ε and δ that the mechanism keeps, and so of the whole trade-off function.

    Args:
        derived: What the noise is worth.
        stated: Its ε and δ.
    """
    match derived.rule:
        case "batch-count":
            # Two-sided geometric noise on a whole number that moves by 1.
            return Pure(epsilon=stated.epsilon)
        case "batch-model":
            # Its noise is made for this shift, all steps together.
            return removal_budget(stated.epsilon, stated.delta)
        case _:
            return gaussian_shift(root_ceiling(Fraction(_squared_sensitivity(derived.rule, derived.horizon))), derived.sigma)


def _params(whole: ControllerFacts) -> Table:
    """What a controller of ours was told, with the defaults filled in."""
    model = controllers()[whole.use or ""].params
    if model is None:
        raise AssertionError("a private controller gets its epsilon")
    return model.model_validate(whole.params)


def _declared(whole: ControllerFacts) -> Continual:
    found = _params(whole)
    assert isinstance(found, Continual)  # noqa: S101 - every counter's model is one
    return found


def _rule(use: str | None, declared: Continual) -> Literal["tree-counter", "square-root-counter"]:
    if isinstance(declared, ContinualModel):
        return "tree-counter" if declared.factorisation == "tree" else "square-root-counter"
    return "square-root-counter" if use == square_root_counter.KIND else "tree-counter"


def _squared_sensitivity(rule: str, horizon: int) -> float:
    """How far one event moves all sums together at most, squared."""
    return squared_sensitivity("tree" if rule == tree_counter.KIND else "square-root", horizon)


def _goal(
    context: Context, promised: float, at_delta: float
) -> tuple[float, float, list[tuple[str, float | None, float | None]]]:
    """The strictest ε and δ that controller, claim and policy name."""
    claim, policy = context.claims.dp, context.policy
    named = [
        ("controller", promised, at_delta),
        ("claim", claim.epsilon if claim else None, claim.delta if claim else None),
        ("policy", policy.max_epsilon, policy.max_delta),
    ]
    epsilon = min(epsilon for _, epsilon, _ in named if epsilon is not None)
    return epsilon, min(delta for _, _, delta in named if delta is not None), named


def _broken(observed: Observed, sigma: float, squared: float, *, test: str = TEST) -> Iterator[str]:
    """Name what was seen and the rule does not allow."""
    assert observed.state is not None and observed.release is not None  # noqa: S101, PT018 - judged before
    for name, drawn in (("state-noise", observed.state), ("release-noise", observed.release)):
        if drawn.squares / drawn.count < accepted_variance(sigma**2, drawn.count, significance=2 * _of_noise(test)).low:
            yield name
    together = observed.products / (sigma**2 * observed.release.count)
    if abs(together) > _far(observed.release.count, _of_noise(test)):
        yield "one-draw"
    if observed.repeated:
        yield "short-seed"
    if observed.moved > squared * (1 + EXACT):
        yield "sensitivity"
    if observed.off > EXACT:
        yield "data-dependent"
    if observed.again:
        yield "counted-again"
    if observed.between:
        yield "between-reports"


def _far(count: int, level: float) -> float:
    """How far from 0 the mean product of independent unit noise is once in 1/level times at most (Bernstein's inequality).

    Products of two standard normal numbers have variance 1 and moments below those of a gamma law of scale 1.
    """
    tail = math.log(2 / level)
    return math.sqrt(2 * tail / count) + tail / count


def _interval(observed: Observed, delta: float, squared: float) -> Interval | None:
    """The ε that the noise in the state and the noise at release allow, whichever is smaller, as far as was measured."""
    assert observed.state is not None and observed.release is not None  # noqa: S101, PT018 - judged before
    low: list[float] = []
    high: list[float] = []
    for drawn in (observed.state, observed.release):
        measured = drawn.squares / drawn.count
        if not measured:
            return None
        accepted = accepted_variance(1.0, drawn.count, significance=UNSURE)
        low.append(gaussian.epsilon(delta, math.sqrt(squared * accepted.low / measured)))
        high.append(gaussian.epsilon(delta, math.sqrt(squared * accepted.high / measured)))
    return Interval(max(low), max(high))


def _facts(context: Context, whole: ControllerFacts, broken: tuple[str, ...]) -> tuple[Fact, ...]:
    """What Proposition 5.1 and Theorems 5.9 and 6.4 ask of the structure, which is known of a controller of ours.

    All of it together gives the second of two programs side by side control of its own.

    Where something learns next to it the controller is not the whole: what the model keeps lies outside of it.
    """
    private, *structure = (SECOND,) if whole is not context.controller else _STRUCTURE[_kind(whole.use)]
    if broken:
        return (fact(private, Provenance.REFUTED, Message("fact.continual.broken")),)
    if context.learns:
        return ()
    ours = Message("fact.continual.ours", {"use": whole.use})
    return tuple(fact(name, Provenance.COMPUTED, ours) for name in (private, *structure))


def private_fact(whole: ControllerFacts | None) -> str | None:
    """The fact that noise of a controller of ours gives, or the second part of a pair, which plays and games may refute."""
    if whole is not None and whole.parts:
        return SECOND
    return _STRUCTURE[_kind(whole.use)][0] if whole is not None and whole.use in (*COUNTERS, *BATCHES) else None


def _kind(use: str | None) -> str:
    return "batch" if use in BATCHES else "directory" if use == "public-directory" else "counter"


PARALLEL: Final = ("other-part-has-control", "deterministic-transcript", "disjoint-parts", "query-response")
"""What Theorem 6.4 asks of the other part and of the composition."""
_STRUCTURE: Final = {
    "counter": ("pan-private", "ids-in-dictionary", "one-release-channel"),
    "directory": ("part-has-control", *PARALLEL),
    "batch": (
        "batch-private",
        "dictionary-before",
        "nothing-before-training",
        "training-data-destroyed",
        "answers-outcome-alone",
    ),
}
"""What is known of controllers of ours by the way they are written: first what the plays may refute."""


def levels(_context: Context, observed: Observed, _finding: Finding) -> tuple[Level, ...]:
    """Declare the game and the tests of noise: chi-squared ones, and Bernstein's inequality, together within one share."""
    drawn = observed.state is not None and observed.release is not None
    if observed.games and drawn:
        return (spent(TEST), spent(OPEN))
    if observed.games or drawn:
        return tuple(spent(test, share(test) / 2) for test in (TEST, OPEN))
    return ()


def _wanted(context: Context) -> bool:
    whole = reporting(context.controller)
    return whole is not None and whole.use in (*COUNTERS, *BATCHES)


CHECK: Final = Definition(
    CARD,
    Observed,
    judge,
    applies,
    wanted=_wanted,
    pledges=lambda _context, findings: Pledges(continual=pledged(findings)),
    examined_claims=lambda _context, findings: examined_claims(findings[CARD.id]),
    derived=(Derived,),
    levels=levels,
)
