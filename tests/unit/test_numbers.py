"""One way to write numbers, and bounds rounded to the side that claims less."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from auditor.pages.words import numbers


@pytest.mark.parametrize(
    ("value", "plain", "up", "down"),
    [
        (0.0, "0", "0", "0"),
        (-0.0, "0", "0", "0"),
        (0.1, "0.1", "0.1", "0.1"),
        (5.70381, "5.704", "5.704", "5.703"),
        (5.70312, "5.703", "5.704", "5.703"),
        (0.99999, "1", "1", "0.9999"),
        (9.99999e-5, "0.0001", "0.0001", "9.999 × 10⁻⁵"),
        (1e-5, "10⁻⁵", "10⁻⁵", "10⁻⁵"),
        (1.23456e-7, "1.235 × 10⁻⁷", "1.235 × 10⁻⁷", "1.234 × 10⁻⁷"),
        (123456.7, "123,457", "123,457", "123,456"),
        (-2.34567, "−2.346", "−2.345", "−2.346"),
        (1234567, "1,234,567", "1,234,567", "1,234,567"),
        (float("inf"), "∞", "∞", "∞"),
        (None, "–", "–", "–"),
    ],
)
def test_numbers_are_written_in_one_way_and_bounds_to_their_side(value: float | None, plain: str, up: str, down: str) -> None:
    assert (numbers.number(value), numbers.at_most(value), numbers.at_least(value)) == (plain, up, down)


@given(st.floats(1e-4, 9e5))
def test_a_bound_keeps_its_side(value: float) -> None:
    assert float(numbers.at_most(value).replace(",", "")) >= value or "×" in numbers.at_most(value)
    down = numbers.at_least(value)
    assert "×" in down or float(down.replace(",", "")) <= value


@pytest.mark.parametrize(
    ("value", "signed", "text"),
    [(-0.0001, False, "0.000"), (-0.0001, True, "0.000"), (-0.5, True, "−0.500"), (0.5, True, "+0.500"), (-2.0, False, "−2.000")],
)
def test_what_rounds_to_nothing_has_no_sign(value: float, signed: bool, text: str) -> None:
    assert numbers.fixed(value, 3, signed=signed) == text


@pytest.mark.parametrize(
    ("specification", "value", "text"),
    [
        (".3g", 1e-9, "10⁻⁹"),
        (".4g", 0.055144, "0.05514"),
        ("g", 1.00001, "1.00001"),
        (".3f", -0.0001, "0.000"),
        ("up", 5.70301, "5.704"),
        ("down", 5.70399, "5.703"),
        (".1%", 0.5, "50.0%"),
        ("", 0.5, "0.5"),
    ],
)
def test_sentences_write_numbers_in_the_one_way(specification: str, value: float, text: str) -> None:
    given = numbers.printed({"inside": [{"value": value}], "count": 3, "yes": True})
    assert f"{{:{specification}}}".format(given["inside"][0]["value"]) == text
    assert (given["count"], given["yes"]) == (3, True)
    assert [f"{given['count']:{each}}" for each in ("up", ".3g", "", "d")] == ["3", "3", "3", "3"]
