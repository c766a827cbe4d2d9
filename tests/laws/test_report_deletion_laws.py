"""No sentence on data deletion promises more than Theorem 4.1 does, whatever the numbers."""

from __future__ import annotations

import re

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

import deletion_examples as examples
from auditor.domain import Status
from auditor.letters import extract
from auditor.report import deletion_words
from auditor.report import letter_meanings as meanings

epsilons = st.floats(1e-9, 20)
orders = st.floats(1.01, 60)


def theorem(order, epsilon, factor=2.0):
    """The smallest advantage that Theorem 4.1 allows at any order up to the given one, for an ε that is linear in the order.

    Pinsker's inequality gives √(2ε) where both worlds are near a third law, √(ε/2) where one is near the other.
    """
    p = 1 + (order - 1) * np.linspace(0, 1, 20_001)[1:] ** 3
    pinsker = np.sqrt(factor * epsilon * p / order)
    logarithm = np.log(p / (p - 1)) + epsilon * (p - 1) / order + np.log(2 * (p - 1)) / p
    least = min(pinsker.min(), np.expm1(np.minimum(logarithm, 5)).min(), np.sqrt(factor * epsilon / order))
    return float(min(1.0, least))


@given(epsilons, orders)
def test_the_game_of_a_letter_is_never_harder_than_the_theorem_says(epsilon, order):
    evidence = examples.promised(examples.deleting(), examples.guarantees(epsilon, order=order))
    said = " ".join(meanings.meanings(extract(evidence.evidence, "REQ-2026-0001"))[0].sentences)
    found = re.search(r"right no more than ([0-9.]+) times in 100", said)
    least = theorem(order, epsilon, factor=0.5)
    if found is None:
        assert "too wide to say" in said
        assert np.sqrt(epsilon / 2) > 0.99, "Pinsker's inequality at the stated order says more"
        return
    assert float(found[1]) >= 50 * (1 + least) - 1e-6
    assert float(found[1]) <= 50 * (1 + min(1.0, np.sqrt(epsilon / 2))) + 0.1


@given(epsilons, orders, st.integers(1, 5))
def test_the_sentence_on_adaptive_requests_is_never_below_the_theorem(epsilon, order, seen):
    check = examples.adaptive_check(Status.PASS, seen=seen, epsilon=epsilon, epsilon_person=epsilon, order=order)
    found = re.search(r"at most ([0-9.]+) of 100", deletion_words.adaptive(check))
    if found is not None:
        assert float(found[1]) >= 50 + 50 * theorem(order, epsilon) - 1e-6
