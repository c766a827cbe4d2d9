"""The rules as a calculator: texts in, a certificate or every problem out."""

from __future__ import annotations

import pytest

from auditor.base.errors import InputError, UsageError
from auditor.maths.certificates import derive
from auditor.maths.certificates.calculator import parse_and_derive


def test_options_are_read_with_dashes_or_underscores() -> None:
    expected = derive("removal-budget", {"epsilon": 1, "delta": 1e-4, "sigma": 0.5, "beta": 0.1})
    assert parse_and_derive("removal-budget", {"epsilon": "1", "delta": "1e-4", "sigma": ".5", "beta": "+0.1"}) == expected
    assert (
        parse_and_derive("removal-budget", {"--epsilon": "1.0", "delta": "1E-4", "sigma": "0.5", "--beta": " 0.1 "}) == expected
    )
    with pytest.raises(InputError) as caught:
        parse_and_derive("removal-residual", {"lipschitz-printed": "x", "row_norm": "1"})
    assert "--lipschitz-printed" in {problem.where for problem in caught.value.problems}


def test_whole_numbers_may_be_written_as_powers() -> None:
    assert parse_and_derive("group", {"epsilon": "1", "delta": "0", "size": "1e2"}).epsilon == 100


def test_an_unknown_rule_names_the_nearest_and_all() -> None:
    with pytest.raises(UsageError, match=r"no rule 'gausian'; did you mean gaussian\? known: .*removal-budget"):
        parse_and_derive("gausian", {})


def test_an_unknown_option_names_the_nearest_and_all() -> None:
    with pytest.raises(UsageError, match=r"no option --epsilom; did you mean --epsilon\? known: --epsilon, --delta, --mu"):
        parse_and_derive("gaussian", {"epsilom": "1"})


def test_an_option_given_twice_is_refused() -> None:
    with pytest.raises(UsageError, match="--row-norm is given twice"):
        parse_and_derive("removal-residual", {"row-norm": "1", "row_norm": "2"})


def test_every_missing_or_malformed_option_is_reported_at_once() -> None:
    with pytest.raises(InputError) as caught:
        parse_and_derive("removal-budget", {"epsilon": "abc", "sigma": "inf"})
    assert {(problem.file, problem.where, problem.found) for problem in caught.value.problems} == {
        ("auditor calc", "--epsilon", "'abc'"),
        ("auditor calc", "--sigma", "'inf'"),
        ("auditor calc", "--delta", "nothing"),
    }


@pytest.mark.parametrize("text", ["", "nan", "1e400", "1_000", "0x10", "1,5", "--1", "1e", "١"])
def test_what_is_no_finite_decimal_number_is_refused(text: str) -> None:
    with pytest.raises(InputError) as caught:
        parse_and_derive("gaussian", {"epsilon": text, "mu": "1"})
    assert [problem.where for problem in caught.value.problems] == ["--epsilon"]


@pytest.mark.parametrize("text", ["2.5", "1e17"])
def test_what_counts_must_be_whole(text: str) -> None:
    with pytest.raises(InputError, match="--size: expected a whole number"):
        parse_and_derive("group", {"epsilon": "1", "delta": "0", "size": text})


def test_a_malformed_list_is_one_problem() -> None:
    with pytest.raises(InputError) as caught:
        parse_and_derive("removal-residual", {"measured": "1,,x", "rows": "3,2.5"})
    places = [problem.where for problem in caught.value.problems]
    assert places.count("--measured") == 1
    assert places.count("--rows.1") == 1
    assert len(places) == len(set(places))
