"""Certificates side by side: nothing is lost, and what fails is never folded."""

from __future__ import annotations

from dataclasses import replace

import pytest

from auditor.certificates import derive
from auditor.domain import Certificate, How
from auditor.report.alike import COLUMNS, together


def conversion(delta: float) -> Certificate:
    return derive("conversion", {"q": 8.0, "epsilon": 0.05, "delta": delta})


def test_certificates_of_one_rule_stand_together_in_the_order_of_their_first() -> None:
    other = derive("advantage", {"q": 50.0, "epsilon": 0.05})
    first, second = conversion(1e-5), conversion(1e-6)
    groups = together([first, other, second])
    assert [(group.kind, group.certificates) for group in groups] == [("conversion", (first, second)), ("advantage", (other,))]


@pytest.mark.parametrize("count", [1, COLUMNS, COLUMNS + 1, 3 * COLUMNS - 1])
def test_each_stands_once_and_never_more_than_fit_a_page(count: int) -> None:
    given = [conversion(10.0**-power) for power in range(1, count + 1)]
    groups = together(given)
    assert [each for group in groups for each in group.certificates] == given
    assert max(len(group.certificates) for group in groups) <= COLUMNS


def test_numbers_stand_in_columns_and_what_was_found_for_each_beside_the_condition() -> None:
    (group,) = together([conversion(1e-5), conversion(1e-6)])
    assert {row.name: row.cells for row in group.inputs}["delta"] == ("10⁻⁵", "10⁻⁶")
    assert all(len(row.cells) == 2 for row in (*group.inputs, *group.outputs))
    assert {each.name: each.found for each in group.conditions}["0 <= delta <= 1"] == "1e-05; 1e-06"


def test_a_condition_that_does_not_hold_stands_alone_and_is_not_told_in_brief() -> None:
    sound, broken = conversion(1e-5), derive("conversion", {"q": 0.5, "epsilon": 0.05, "delta": 1e-5})
    groups = together([sound, broken, sound])
    assert [len(group.certificates) for group in groups] == [1, 1, 1]
    (failing,) = (each for each in groups[1].conditions if not each.holds)
    assert not failing.is_brief


def test_what_is_taken_on_trust_is_not_told_in_brief() -> None:
    certificate = conversion(1e-5)
    attested = replace(certificate, conditions=tuple(replace(each, how=How.ATTESTED) for each in certificate.conditions))
    (group,) = together([attested])
    assert not any(each.is_brief for each in group.conditions)
