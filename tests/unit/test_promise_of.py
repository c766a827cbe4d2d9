"""What a guarantee promises one person: what its terms carry and what it states, the better of both."""

from __future__ import annotations

import math
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from pydantic import TypeAdapter, ValidationError

from auditor.base.domain import ClaimStatus, Guarantee
from auditor.base.promises import (
    Approximate,
    Composition,
    Concentrated,
    Gaussian,
    Laplace,
    Promise,
    Pure,
    Renyi,
    Several,
    SubsampledGaussian,
)
from auditor.base.terms import ControlTerms, DeletionTerms, NoTerms, UnlearningTerms
from auditor.maths.tradeoff.reading import right_guesses
from auditor.verdict.corollaries import promise_of

READER: TypeAdapter[Guarantee] = TypeAdapter(Guarantee)
ONE_OF_EACH = (
    Gaussian(mu=0.3),
    Approximate(epsilon=1.0, delta=1e-5),
    Pure(epsilon=1.0),
    Laplace(shift=0.5),
    Concentrated(rho=0.1),
    Renyi(points=((2.0, 0.1), (8.0, 0.4)), two_sided=False),
    SubsampledGaussian(noise_multiplier=2.0, sample_rate=0.07, steps=300),
    Composition(parts=(Pure(epsilon=1.0), Gaussian(mu=0.1))),
    Several(promises=(Gaussian(mu=0.3), Composition(parts=(Pure(epsilon=1.0), Laplace(shift=0.1))))),
)


def removal(promise: Promise | None, status: ClaimStatus = ClaimStatus.SHOWN) -> Guarantee:
    return Guarantee("certified-removal", status, 1.0, 1e-4, (), terms=NoTerms(promise))


@pytest.mark.parametrize("promise", ONE_OF_EACH)
def test_every_kind_goes_through_a_document(promise: Promise) -> None:
    guarantee = removal(promise)
    assert READER.validate_json(READER.dump_json(guarantee)) == guarantee


def test_a_guarantee_without_a_promise_is_written_as_before() -> None:
    for terms in (NoTerms(), ControlTerms(by_noise=True), UnlearningTerms(1.0, 1e-6)):
        assert b"promise" not in READER.dump_json(Guarantee("x", ClaimStatus.SHOWN, 1.0, 0.0, (), terms=terms))


@pytest.mark.parametrize(
    "written",
    [
        '{"kind": "gaussian", "mu": -1.0}',
        '{"kind": "gaussian", "mu": "1"}',
        '{"kind": "gaussian"}',
        '{"kind": "gaussian", "mu": 1.0, "sigma": 1.0}',
        '{"kind": "magic", "mu": 1.0}',
        '{"kind": "several", "promises": []}',
        '{"kind": "subsampled-gaussian", "noise_multiplier": 0.0, "sample_rate": 0.1, "steps": 1}',
        '{"kind": "composition", "parts": [{"kind": "several", "promises": [{"kind": "pure", "epsilon": 1.0}]}]}',
    ],
)
def test_what_is_no_promise_is_refused(written: str) -> None:
    with pytest.raises(ValidationError):
        TypeAdapter(Promise).validate_json(written)


def test_the_better_of_both_counts() -> None:
    stated, carried = promise_of(removal(None)), promise_of(removal(Gaussian(mu=0.2364)))
    assert stated == Approximate(epsilon=1.0, delta=1e-4)
    assert carried == Several(promises=(Gaussian(mu=0.2364), Approximate(epsilon=1.0, delta=1e-4)))
    assert round(100 * right_guesses(carried), 1) == 54.7
    worse = promise_of(removal(Gaussian(mu=5.0)))
    assert worse is not None
    assert right_guesses(worse) == right_guesses(Approximate(epsilon=1.0, delta=1e-4))


@pytest.mark.slow  # The fast one: test_noise_next_to_stated_numbers_is_never_below_the_truth_and_needs_no_distribution.
def test_what_was_not_trained_by_noisy_steps_is_judged_and_told_without_an_accountant() -> None:
    """It takes seconds to load, and is not installed everywhere."""
    code = (
        "import rechecks, sys\n"
        "from auditor.pages.words.rendered_evidence import tell\n"
        "from auditor.recheck.derivations import derive_again\n"
        "from auditor.recheck.files import read_evidence\n"
        "for name in ('digits-newton-noised', 'digits-dp-extractor', 'tree-counter', 'breast-cancer-noisy-gd'):\n"
        "    tell(derive_again(read_evidence(rechecks.golden(name), name).evidence))\n"
        "sys.exit('dp_accounting' in sys.modules)"
    )
    subprocess.run([sys.executable, "-c", code], check=True, cwd=Path(__file__).resolve().parents[1])


def test_what_does_not_hold_or_has_no_number_promises_nothing_to_anybody() -> None:
    for status in (ClaimStatus.REFUTED, ClaimStatus.NOT_SHOWN):
        assert promise_of(removal(Gaussian(mu=0.1), status)) is None
    assert promise_of(Guarantee("x", ClaimStatus.SHOWN, None, None, (), terms=NoTerms(Gaussian(mu=0.1)))) is None


def test_data_deletion_states_a_divergence_and_an_advantage() -> None:
    terms = DeletionTerms(order=2.0, epsilon=0.02, source="5.1", seen=0, advantage=0.05, records=1, of="request")
    found = promise_of(Guarantee("data-deletion", ClaimStatus.SUPPORTED, 0.02, None, (), order=2.0, terms=terms))
    assert found == Approximate(epsilon=0.0, delta=0.05)
    assert right_guesses(found) == 0.525
    carried = replace(terms, promise=Gaussian(mu=0.01))
    found = promise_of(Guarantee("data-deletion", ClaimStatus.SUPPORTED, 0.02, None, (), order=2.0, terms=carried))
    assert found == Several(promises=(Gaussian(mu=0.01), Approximate(epsilon=0.0, delta=0.05)))


def test_a_divergence_alone_is_one_from_a_third_law() -> None:
    """Both worlds may be that far from it: Pinsker's inequality counts twice (Theorem 4.1)."""
    terms = DeletionTerms(order=2.0, epsilon=0.02, source="5.2", seen=1, advantage=None, records=1, of="request")
    found = promise_of(Guarantee("data-deletion", ClaimStatus.SUPPORTED, 0.02, None, (), order=2.0, terms=terms))
    assert found is not None
    assert right_guesses(found) == pytest.approx(0.5 + math.sqrt(2 * 0.02) / 2)
