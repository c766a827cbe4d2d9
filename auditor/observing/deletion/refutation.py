"""What chains on worst-case neighbours refute of data deletion by noisy gradient descent, whatever a theorem says.

Four counted events, each fixed on half of the chains and counted on the other, share the error:

- learned with a record and unlearned, against the same run without it from the start: what the certificate speaks of;
- learned with either of two records and unlearned: both are to be near one law (forget-unlearning.md, Definition 4.1);
- the two membership tests of Theorem 4.5, one on what is learned and one on what is unlearned: t is the smaller advantage. They
  speak of requests that depend on a released model and replace records, and of no others. The theorem lets the second test work
  from any model; here it works from models that were learned, which is where an update begins;
- the requester in that theorem's proof, played out, which needs no such premise.

The chains are ours: they follow the declared settings, not the code that ran.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from auditor.case import Case
from auditor.certificates import derive
from auditor.certificates.adaptive import refuted_epsilon
from auditor.certificates.losses import Loss
from auditor.checks.deletion.bounds import bounds, setting_of
from auditor.checks.deletion.goals import order_of
from auditor.domain import Certificate, Floats
from auditor.draws import generator
from auditor.observing.comparing import Further, Lower, Stated, event, most, row
from auditor.observing.deciding import count, rule
from auditor.observing.deletion.worlds import Setup, neighbours, operations, reencoded, simulate
from auditor.procedures.noisy_gd.chains import Machine, Records
from auditor.procedures.noisy_gd.descent import Descent
from auditor.procedures.noisy_gd.fields import LinearLoss
from auditor.procedures.row_norms import bounded
from auditor.settings.descent import read
from auditor.settings.noisy_gd import NoisyGd

TEST: Final = "chains"
TESTS: Final = 4
"""Counted events that share the error; the two membership tests share one part of it."""
PROGRESS: Final = "chains on worst-case neighbours"
MOST_CHAINS: Final = 2000
LEAST_CHAINS: Final = 400
QUICK_CHAINS: Final = 100
MOST_OPERATIONS: Final = 4e10
"""About five seconds of one core."""


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


def judge(
    case: Case, *, seed: int, quick: bool, workers: int = 1, on_step: Callable[[str, int, int], None] = lambda *_: None
) -> Further:
    """Run the chains of a case's settings and hold what they show against claim and certificates.

    Args:
        case: The case; nothing is run unless its procedure is noisy gradient descent on a known loss.
        seed: The auditor's own.
        quick: Run few chains, which decide nothing.
        workers: Threads.
        on_step: Told what goes on.
    """
    procedure = case.settings.procedure
    if not isinstance(procedure, NoisyGd) or procedure.loss is None:
        return Further()
    setup = _setup(case, procedure, procedure.loss)
    affordable = int(MOST_OPERATIONS / max(1.0, operations(setup)))
    chains = min(QUICK_CHAINS if quick else MOST_CHAINS, affordable) // 4 * 4
    order, confidence = order_of(case.settings.claims, case.settings.procedure), case.settings.swap.confidence
    statements, certificates = _statements(case, procedure, order)
    details: dict[str, Any] = {"tests": TESTS, "confidence": confidence, "order": order}
    if chains < (QUICK_CHAINS if quick else LEAST_CHAINS):
        why = (
            f"not run: too large. {LEAST_CHAINS} chains of {procedure.learn_steps} and {procedure.unlearn_steps} steps on "
            f"{len(case.train)} records take more operations than are spent on them, and fewer steps or records are another claim"
        )
        rows = tuple(row(TEST, replace(stated, why_not=why), ()) for stated, _ in statements)
        return Further(rows, certificates, {"chains": {"count": 0, "fitted": 0, **details, "reason": why}})
    shown = _run(setup, chains, order, 1 - confidence, generator(seed, "chains"), Machine(workers=workers), on_step)
    rows = tuple(row(TEST, stated, _lowers(stated, shown, adaptive=adaptive)) for stated, adaptive in statements)
    details |= {"count": chains, "fitted": chains // 2, "reason": None}
    return Further(rows, (*shown.all, *certificates), {"chains": details})


def _setup(case: Case, procedure: NoisyGd, loss: Loss) -> Setup:
    features = bounded(case.train.features) if procedure.row_norms == "scale" else case.train.features
    labels, codes = np.unique(case.train.labels, return_inverse=True)
    descent = Descent(procedure.l2, procedure.sigma2, read(procedure).rate, stationary=procedure.loss_cap is None)
    return Setup(
        loss=LinearLoss(loss, len(labels), clip=procedure.clip, cap=procedure.loss_cap),
        records=Records(features, codes.astype(np.int64)),
        descent=descent,
        learn_steps=procedure.learn_steps,
        unlearn_steps=procedure.unlearn_steps,
    )


def _statements(case: Case, procedure: NoisyGd, order: float) -> tuple[tuple[tuple[Stated, bool], ...], tuple[Certificate, ...]]:
    """What is claimed and certified, each with whether it speaks of requests that depend on a released model."""
    found: list[tuple[Stated, bool]] = []
    claim = case.settings.claims.data_deletion
    if claim is not None:
        found.append(
            (Stated("claimed data deletion, from the training data", "claim", claim.epsilon, claim.q), bool(claim.adaptive))
        )
    vectors = 1 if procedure.loss == "logistic" else len(np.unique(case.train.labels))
    setting = setting_of(procedure, order=order, rows=len(case.train), parameters=case.train.features.shape[1] * vectors)
    known = bounds(setting, tradeoff=case.settings.policy.use_gaussian_tradeoff)
    if known.epsilon_dd is None or not known.certificates:
        return tuple(found), ()
    certificates = known.certificates
    by = "data deletion by noisy gradient descent, as its certificate has it for one deletion from the training data"
    found.append((Stated(by, "certificate", known.epsilon_dd, order, rule=certificates[0].kind), False))
    if known.source != "5.2" and known.epsilon_dp is not None:
        adaptive = derive("adaptive", {"epsilon_dd": known.epsilon_dd, "epsilon_dp": known.epsilon_dp, "seen": 1})
        against = f"{by} after a request of somebody who saw one released model"
        found.append((Stated(against, "certificate", adaptive.epsilon, order, rule=adaptive.kind), True))
        certificates = (*certificates, adaptive)
    return tuple(found), certificates


def _run(
    setup: Setup,
    chains: int,
    order: float,
    alpha: float,
    rng: np.random.Generator,
    machine: Machine,
    on_step: Callable[[str, int, int], None],
) -> _Shown:
    own, played = rng.spawn(2)
    found = neighbours(setup)
    on_step(PROGRESS, 0, 2)
    ran = simulate(setup, found, chains=chains, rng=own, machine=machine)
    on_step(PROGRESS, 1, 2)
    # The requester's own test is no part of what is counted: it is fixed on the half that every rule is fixed on.
    test = rule(*_pair(*ran.learned), _fitting(chains), found.direction)
    released = reencoded(setup, found, ran.learned, test, rng=played, machine=machine)
    on_step(PROGRESS, 2, 2)
    share = alpha / TESTS

    def counted(first: Floats, second: Floats, error: float) -> Certificate:
        numbers = count(*_pair(first, second), _fitting(chains), found.direction)
        return event(order, (numbers.hits, numbers.trials, numbers.other_hits, numbers.other_trials), confidence=1 - error)

    tests = (counted(*ran.learned, share / 2), counted(*ran.edited, share / 2))
    advantage = min(each.outputs["advantage"] for each in tests)
    return _Shown(
        against_without=counted(ran.unlearned[0], ran.without, share),
        of_two_records=counted(*ran.unlearned, share),
        membership=derive("refutation", {"q": order, "advantage": advantage}),
        tests=tests,
        played=counted(*released, share),
    )


def _pair(first: Floats, second: Floats) -> tuple[Floats, npt.NDArray[np.int64]]:
    """Models of two worlds in one table, and their worlds."""
    return np.concatenate([first, second]), np.repeat(np.array([0, 1], dtype=np.int64), [len(first), len(second)])


def _fitting(chains: int) -> npt.NDArray[np.bool_]:
    """The first half of each world's chains; which ones does not matter, as all are alike."""
    return np.tile(np.arange(chains) < chains // 2, 2)


def _lowers(stated: Stated, shown: _Shown, *, adaptive: bool) -> tuple[Lower, ...]:
    """What may be held against a statement."""
    found = [
        _lower("two-records", "chains with either of two records, against any law that never saw them", shown.of_two_records)
    ]
    if stated.source == "certificate":
        words = "chains with a record that left, against chains that never had it"
        found.append(_lower("two-sample", words, shown.against_without, known=True))
    if adaptive:
        certificate = shown.played
        words = "the requester of Theorem 4.5 played out on chains, against any law that never saw the record"
        found.append(_lower("reencoding", words, certificate))
        reach = refuted_epsilon(certificate.inputs["q"], _most(shown.tests[0]).outputs["advantage"])
        confidence = 1 - 2 * (1 - shown.tests[0].inputs["confidence"])
        epsilon = shown.membership.outputs["epsilon_lower"]
        found.append(Lower("membership-tests", "two membership tests on chains (Theorem 4.5)", epsilon, confidence, reach))
    return tuple(found)


def _lower(method: str, title: str, certificate: Certificate, *, known: bool = False) -> Lower:
    output = "epsilon_lower" if known else "radius_lower"
    reach = _most(certificate).outputs[output]
    return Lower(method, title, certificate.outputs[output], certificate.inputs["confidence"], reach)


def _most(certificate: Certificate) -> Certificate:
    given = certificate.inputs
    numbers = (given["hits"], given["trials"], given["other_hits"], given["other_trials"])
    return most(given["q"], numbers, confidence=given["confidence"])
