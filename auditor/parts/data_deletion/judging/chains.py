"""What chains on worst-case neighbours refute of data deletion by noisy gradient descent, whatever a theorem says.

Four counted events, each fixed on half of the chains and counted on the other, share the errors that chains have (`families`):

- learned with a record and unlearned, against the same run without it from the start: what the certificate covers;
- learned with either of two records and unlearned: both are to be near one law (forget-unlearning.md, Definition 4.1);
- the two membership tests of Theorem 4.5, one on what is learned and one on what is unlearned: t is the smaller advantage. They
  apply to requests that depend on a released model and replace records, and to no others. The theorem lets the second test work
  from any model; here it works from models that were learned, which is where an update begins;
- the requester in that theorem's proof, played out, which needs no such premise.

The chains are the auditor's: they follow the declared settings, not the code that ran.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Final

from auditor.base.domain import Certificate, Message
from auditor.maths.certificates import derive
from auditor.maths.certificates.renyi_lower import KIND
from auditor.parts.data_deletion.judging.goals import order_of
from auditor.parts.data_deletion.rules.adaptive import refuted_epsilon
from auditor.parts.swap.judging.epsilon_consistency import families, power
from auditor.parts.swap.judging.epsilon_consistency.contributors import Chains, Contribution, Contributor
from auditor.parts.swap.judging.epsilon_consistency.observed import Events, Observed, Simulated
from auditor.parts.swap.judging.epsilon_consistency.rows import DATA_DELETION, Compared, Lower, Row, Stated, row
from auditor.settings.facets import NoisyDescent
from auditor.verdict.checks.context import Context
from auditor.verdict.checks.differences import Counted


def event(order: float, counted: Counted, *, confidence: float) -> Certificate:
    """The certificate of one counted event."""
    return derive(KIND, {"q": order, **counted.model_dump(), "confidence": confidence})


def most(order: float, counted: Counted, *, confidence: float) -> Certificate:
    """The certificate of an event that was always seen in the first world and never in the second."""
    always = counted.model_copy(update={"hits": counted.trials, "other_hits": 0})
    return event(order, always, confidence=confidence)


def by_advantage(order: float, advantage: float) -> Certificate:
    """Theorem 4.1 inverted: the largest ε whose bound on the advantage does not exceed what was reached, rounded down."""
    epsilon, less = refuted_epsilon(order, math.sqrt(advantage)), 2.0**-50
    # Bound and inverse are rounded in their own ways: a last rounding may leave the bound a hair above.
    while epsilon > 0 and derive("advantage", {"q": order, "epsilon": epsilon}).outputs["bound"] > advantage:
        epsilon, less = max(0.0, epsilon * (1 - less)), 2 * less
    return derive("advantage", {"q": order, "epsilon": epsilon})


TESTS: Final = 4
"""Counted events that share the error; the two membership tests share one part of it."""
LEAST_CHAINS: Final = 400
"""Fewer decide nothing, and are not run."""


@dataclass(frozen=True, slots=True)
class _Statement:
    """A stated ε, and whether it covers requests that depend on a released model."""

    stated: Stated
    adaptive: bool


@dataclass(frozen=True, slots=True)
class _Shown:
    """The certificates of what the chains show."""

    against_without: Certificate
    of_two_records: Certificate
    membership: Certificate
    tests: tuple[Certificate, Certificate]
    played: Certificate

    @property
    def all(self) -> tuple[Certificate, ...]:
        """Every one of them."""
        return (self.against_without, self.of_two_records, *self.tests, self.membership, self.played)


def judge(context: Context, procedure: NoisyDescent, simulated: Simulated) -> tuple[Chains, Compared]:
    """Hold what the chains show against claim and certificates.

    Args:
        context: With the claim.
        procedure: Its table, of a known loss.
        simulated: What was counted.
    """
    order, errors = order_of(context.claims, context.procedure), families.errors(context)
    statements, certificates = _statements(context, procedure, order)
    why = None
    if simulated.events is None:
        sizes = {"learn_steps": procedure.learn_steps, "unlearn_steps": procedure.unlearn_steps}
        sizes |= {"records": context.case.training_records, "least": LEAST_CHAINS}
        why = Message("epsilon.consistency.why.too-large", sizes)
        rows = tuple(row(replace(each.stated, why_not=why), (), reach=None, test="chains") for each in statements)
    else:
        shown, suspected = (_shown(order, simulated.events, each) for each in (errors.refutes, errors.opens))
        rows = tuple(_row(each, shown, suspected) for each in statements)
        certificates = (*shown.all, *certificates)
    count = simulated.count
    ran = Chains(count=count, fitted=count // 2, tests=TESTS, confidence=1 - errors.refutes, order=order, reason=why)
    return ran, Compared(rows, certificates)


def _statements(
    context: Context, procedure: NoisyDescent, order: float
) -> tuple[tuple[_Statement, ...], tuple[Certificate, ...]]:
    """What is claimed and certified of one deletion from the training data."""
    found: list[_Statement] = []
    claim, case = context.claims.data_deletion, context.case
    if claim is not None:
        against = Message("epsilon.consistency.against.chains-claim")
        stated = Stated(against, "claim", claim.epsilon, order=claim.q, claim=DATA_DELETION)
        found.append(_Statement(stated, bool(claim.adaptive)))
    from auditor.parts.data_deletion.judging.bounds import bounds, setting_of  # noqa: PLC0415 - the theorems, for those who descend

    vectors = 1 if procedure.loss == "logistic" else case.classes
    setting = setting_of(procedure, order=order, rows=case.training_records, parameters=case.features * vectors)
    known = bounds(setting, tradeoff=context.policy.use_gaussian_tradeoff)
    if known.epsilon_dd is None or not known.certificates:
        return tuple(found), ()
    certificates = known.certificates
    against = Message("epsilon.consistency.against.chains-certificate")
    found.append(_Statement(Stated(against, "certificate", known.epsilon_dd, order=order, rule=certificates[0].kind), False))
    if known.source != "5.2" and known.epsilon_dp is not None:
        adaptive = derive("adaptive", {"epsilon_dd": known.epsilon_dd, "epsilon_dp": known.epsilon_dp, "seen": 1})
        against = Message("epsilon.consistency.against.chains-adaptive")
        found.append(_Statement(Stated(against, "certificate", adaptive.epsilon, order=order, rule=adaptive.kind), True))
        certificates = (*certificates, adaptive)
    return tuple(found), certificates


def _shown(order: float, events: Events, alpha: float) -> _Shown:
    share = alpha / TESTS

    def counted(numbers: Counted, error: float) -> Certificate:
        return event(order, numbers, confidence=1 - error)

    tests = (counted(events.learned, share / 2), counted(events.edited, share / 2))
    advantage = min(each.outputs["advantage"] for each in tests)
    return _Shown(
        against_without=counted(events.without, share),
        of_two_records=counted(events.two_records, share),
        membership=derive("refutation", {"q": order, "advantage": advantage}),
        tests=tests,
        played=counted(events.played, share),
    )


def _row(statement: _Statement, shown: _Shown, suspected: _Shown) -> Row:
    held, noticed = list(_held(statement, shown)), _noticed(statement, suspected)
    reach = max(reach for _, reach in held)
    lowers = [
        lower.model_copy(update={"suspected": weak.epsilon, "suspected_confidence": weak.confidence})
        for (lower, _), (weak, _) in zip(held, _held(statement, suspected), strict=True)
    ]
    return row(statement.stated, lowers, reach=reach, noticed=noticed, test="chains")


def _noticed(statement: _Statement, shown: _Shown) -> Iterator[float | None]:
    """The ε that each count would have noticed; the two membership tests reach no further than the requester played out."""
    epsilon = statement.stated.epsilon
    if epsilon is None:
        return

    def of(certificate: Certificate, kind: power.Kind) -> float | None:
        given = certificate.inputs
        return power.by_counts(epsilon, given["q"], _numbers(certificate), confidence=given["confidence"], kind=kind)

    yield of(shown.of_two_records, "radius")
    if statement.stated.source == "certificate":
        yield of(shown.against_without, "divergence")
    if statement.adaptive:
        yield of(shown.played, "radius")


def _held(statement: _Statement, shown: _Shown) -> Iterator[tuple[Lower, float]]:
    """What may be held against a statement, each with the most that the same number of chains could have shown."""
    yield _lower("two-records", Message("epsilon.consistency.method.two-records"), shown.of_two_records)
    if statement.stated.source == "certificate":
        title = Message("epsilon.consistency.method.two-sample")
        yield _lower("two-sample", title, shown.against_without, output="epsilon_lower")
    if statement.adaptive:
        yield _lower("reencoding", Message("epsilon.consistency.method.reencoding"), shown.played)
        title = Message("epsilon.consistency.method.membership-tests")
        # Both tests have to hold, each with half of their share of the error.
        confidence = 1 - 2 * (1 - shown.tests[0].inputs["confidence"])
        epsilon = shown.membership.outputs["epsilon_lower"]
        lower = Lower(method="membership-tests", title=title, epsilon=epsilon, confidence=confidence)
        yield lower, refuted_epsilon(shown.played.inputs["q"], _most(shown.tests[0]).outputs["advantage"])


def _lower(method: str, title: Message, certificate: Certificate, *, output: str = "radius_lower") -> tuple[Lower, float]:
    given = certificate.inputs
    lower = Lower(method=method, title=title, epsilon=certificate.outputs[output], confidence=given["confidence"])
    return lower, _most(certificate).outputs[output]


def _most(certificate: Certificate) -> Certificate:
    given = certificate.inputs
    return most(given["q"], _numbers(certificate), confidence=given["confidence"])


def _numbers(certificate: Certificate) -> Counted:
    return Counted(**{name: certificate.inputs[name] for name in Counted.model_fields})


def _plays(context: Context) -> bool:
    """Whether chains may be run: of noisy gradient descent on a known loss."""
    procedure = context.procedure.descent
    return procedure is not None and procedure.loss is not None and procedure.packing is None


def _compare(context: Context, observed: Observed) -> Contribution:
    """Hold chains against claim and certificates, where any were asked for."""
    procedure = context.procedure.descent
    if observed.simulated is None or procedure is None:
        return Contribution()
    ran, compared = judge(context, procedure, observed.simulated)
    return Contribution(compared, chains=ran)


AGAINST_EPSILON: Final = Contributor("chains", place=30, since="0.2.0", plays=_plays, compare=_compare)
