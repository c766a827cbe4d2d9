"""What a guarantee says comes from its number: one unit, and adverbs by the grades."""

from __future__ import annotations

import pytest

from auditor.base.domain import ClaimStatus, Derivation, Guarantee
from auditor.base.terms import ControlTerms
from auditor.pages.words.guarantees import statement
from auditor.parts.removal.theorems import NEWTON, NOISE


def removal(epsilon: float | None, rule: str = NEWTON.id) -> str:
    status = ClaimStatus.NOT_SHOWN if epsilon is None else ClaimStatus.SUPPORTED
    delta = None if epsilon is None else 1e-5
    return statement(Guarantee("certified-removal", status, epsilon, delta, (Derivation(rule, ()),)))


@pytest.mark.parametrize("rule", [NEWTON.id, NOISE.id])
@pytest.mark.parametrize(
    ("epsilon", "words"),
    [
        (0.1, "is right at most 52.5 of 100 times, where guessing is right 50 times (very hard to tell)"),
        (1.0, "is right at most 73.2 of 100 times, where guessing is right 50 times (limited: up to 73.2 of 100)"),
        (5.7, "is right at most 99.7 of 100 times, where guessing is right 50 times (no useful promise)"),
        (20.0, "is right at most just under 100 of 100 times, where guessing is right 50 times (no useful promise)"),
    ],
)
def test_how_hard_it_is_to_tell_follows_from_the_number(epsilon: float, words: str, rule: str) -> None:
    said = removal(epsilon, rule)
    assert words in said
    assert "hardly" not in said


def test_a_guarantee_that_is_not_shown_has_no_number() -> None:
    assert "of 100" not in removal(None)
    assert "if the guarantee held" in removal(None)


def test_control_by_noise_has_its_number_and_makes_no_absolute_statement() -> None:
    found = Guarantee("deletion-as-control", ClaimStatus.SUPPORTED, 5.7038, 1.8e-4, (), terms=ControlTerms(by_noise=True))
    said = statement(found)
    assert "at most 99.7 of 100 times" in said
    assert "no more about" not in said


@pytest.mark.parametrize("epsilon", [None, 0.5])
def test_confidentiality_names_its_numbers_and_whom_it_covers(epsilon: float | None) -> None:
    status = ClaimStatus.NOT_SHOWN if epsilon is None else ClaimStatus.SUPPORTED
    delta = None if epsilon is None else 1.23456e-6
    said = statement(Guarantee("deletion-as-confidentiality", status, epsilon, delta, ()))
    for words in ("silent subjects", "horizon", "nobody who returns after a deletion"):
        assert words in said
    assert ("ε = 0.5 and δ = 1.235 × 10⁻⁶" in said) is (epsilon is not None)
    assert "nothing that others saw" not in said
