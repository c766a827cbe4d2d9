"""No sentence on data deletion promises more than Theorem 4.1 does, whatever the numbers."""

from __future__ import annotations

import re

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

import deletion_examples as examples
from auditor.base.domain import Status
from auditor.pages.letters.promise import share_of
from auditor.parts.data_deletion.telling import deletion_words

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
def test_the_number_of_a_letter_is_never_smaller_than_the_theorem_says(epsilon, order):
    share = share_of(epsilon=epsilon, delta=None, order=order)
    assert share >= (1 + theorem(order, epsilon)) / 2 - 1e-8
    assert share <= (1 + min(1.0, np.sqrt(2 * epsilon))) / 2 + 1e-9


@given(epsilons, orders, st.integers(1, 5))
def test_the_sentence_on_adaptive_requests_is_never_below_the_theorem(epsilon, order, seen):
    check = examples.adaptive_check(Status.PASS, seen=seen, epsilon=epsilon, epsilon_person=epsilon, order=order)
    found = re.search(r"at most ([0-9.]+) of 100", deletion_words.adaptive(check))
    if found is not None:
        assert float(found[1]) >= 50 + 50 * theorem(order, epsilon) - 1e-6
