"""What columns show of preprocessing that was fitted on deleted records, and what honest tables never show."""

from __future__ import annotations

from dataclasses import replace
from typing import get_args

import numpy as np
import pytest
from sklearn.preprocessing import MinMaxScaler, OneHotEncoder, RobustScaler, StandardScaler, normalize

from auditor.audit import describing
from auditor.base.domain import ClaimStatus, Fact, Message, Provenance
from auditor.case import read
from auditor.document.context import FittedColumns
from auditor.maths.statistics.preprocessing import LEAST_VALUES, SHARE, TOLERANCE, Fitted, Kind, fitted_columns
from auditor.pages.words import sentence
from auditor.pages.words.texts import text
from auditor.parts.removal.guarantees import certified_removal
from auditor.parts.removal.theorems import PLAIN
from auditor.parts.store.judging import data_erased
from auditor.settings.attestations import PREPROCESSING
from auditor.verdict.assembly import conclude
from auditor.verdict.guarantees import derive_guarantees
from judging import case_facts, declared, sections_of_case
from small_cases import problem, write


def table(rng: np.random.Generator, rows: int):
    """Columns as they come: measurements, amounts, ages, answers, shares, pictures, flags, counts."""
    return np.column_stack(
        [
            rng.normal(50, 9, rows),
            rng.lognormal(3, 1, rows),
            rng.integers(17, 90, rows),
            rng.integers(0, 5, rows),
            rng.beta(2, 5, rows),
            rng.exponential(1, rows).round(2),
            rng.normal(size=rows),
            rng.integers(0, 17, rows) / 16,
            rng.integers(0, 256, rows) / 255,
            rng.random(rows) < 0.2,
            rng.integers(0, 101, rows) / 100,
            np.clip(rng.normal(0.5, 0.4, rows), 0, 1),
            rng.poisson(2, rows) / (1 + rng.poisson(3, rows)),
            rng.choice([-1.0, 1.0], rows),
        ]
    ).astype(np.float64)


def drawn(rng: np.random.Generator, rows: int):
    return np.sort(rng.choice(rows, int(rng.choice([1, 5, 30])), replace=False)).astype(np.int64)


def test_honest_tables_show_nothing_in_200_draws():
    """Scalers fitted on what remains, on a holdout or on nothing; raw columns; any records deleted."""
    rng = np.random.default_rng(20)
    for _ in range(200):
        rows = int(rng.integers(80, 400))
        raw, deleted = table(rng, rows), drawn(rng, rows)
        left, holdout = np.delete(raw, deleted, axis=0), table(rng, 50)
        made = [
            (raw, holdout),
            (raw / 100, None),
            (normalize(raw), None),
            (rng.integers(0, 17, (rows, 30)) / 16, None),
            (rng.random((rows, 8)), None),
            (rng.normal(size=(rows, 8)), None),
        ]
        for kind in (StandardScaler, MinMaxScaler, RobustScaler):
            fit = kind().fit(left)
            made += [
                (fit.transform(raw), fit.transform(holdout)),
                (fit.transform(raw).astype(np.float32).astype(np.float64), None),
            ]
            beside = kind().fit(np.concatenate([left, holdout]))
            made.append((beside.transform(raw), beside.transform(holdout)))
        for features, others in made:
            assert fitted_columns(np.asarray(features, dtype=np.float64), deleted, others) == ()


@pytest.mark.parametrize("count", [1, 30])
@pytest.mark.parametrize("ddof", [0, 1])
@pytest.mark.parametrize("stored", ["float64", "float32", "4 decimals"])
def test_a_standard_scaler_fitted_on_everybody_is_found(count, ddof, stored):
    rng = np.random.default_rng(count)
    raw = table(rng, 300)
    features = (raw - raw.mean(axis=0)) / raw.std(axis=0, ddof=ddof)
    stored_as = {
        "float64": lambda each: each,
        "float32": lambda each: each.astype(np.float32),
        "4 decimals": lambda each: each.round(4),
    }
    found = fitted_columns(stored_as[stored](features).astype(np.float64), np.arange(count))
    assert {each.kind for each in found} == {"standardised"}
    assert len(found) >= 8


def test_a_scaler_fitted_on_training_and_holdout_is_found():
    rng = np.random.default_rng(3)
    raw, holdout = table(rng, 200), table(rng, 100)
    for kind, word in ((StandardScaler, "standardised"), (MinMaxScaler, "min-max")):
        fit = kind().fit(np.concatenate([raw, holdout]))
        deleted = (
            np.array([int(np.argmax(raw[:, 0]))])
            if raw[:, 0].max() > holdout[:, 0].max()
            else np.array([int(np.argmin(raw[:, 0]))])
        )
        assert Fitted(1, word) in fitted_columns(fit.transform(raw), deleted, fit.transform(holdout))


@pytest.mark.parametrize("bounds", [(0, 1), (-1, 1)])
@pytest.mark.parametrize("count", [1, 30])
def test_a_min_max_scaler_fitted_on_everybody_is_found_where_a_deleted_record_is_at_an_end(bounds, count):
    rng = np.random.default_rng(count)
    raw = rng.normal(size=(300, 5))
    features = MinMaxScaler(bounds).fit_transform(raw)
    largest, ends = int(np.argmax(raw[:, 2])), {int(each) for each in np.concatenate([raw.argmax(axis=0), raw.argmin(axis=0)])}
    inner = np.setdiff1d(np.arange(300), sorted(ends))[: count - 1]
    assert fitted_columns(features, np.sort(np.append(inner, largest)).astype(np.int64)) == (Fitted(3, "min-max"),)
    # Where no deleted record is at an end, the retained ones alone give the same numbers: theory says that it cannot be found.
    assert fitted_columns(features, np.setdiff1d(np.arange(300), sorted(ends))[:count]) == ()


def test_columns_that_end_at_0_and_1_by_themselves_are_no_evidence():
    deleted = np.array([0])

    def at_one_end(values):
        """The deleted record alone is at 1, several others at 0."""
        column = np.asarray(values, dtype=np.float64)
        column[column == 1] = column[(column < 1) & (column > 0)][0]
        column[0], column[1:3] = 1.0, 0.0
        return column

    rng = np.random.default_rng(0)
    pictures = at_one_end(rng.integers(0, 17, 200) / 16)
    assert fitted_columns(pictures[:, None], deleted) == ()
    shares = at_one_end(rng.beta(2, 5, 200))
    # One column of shares, with several zeros, beside a raw one; two such columns, and the table looks scaled.
    raw = rng.normal(50, 9, 200)
    assert fitted_columns(np.column_stack([shares, raw]), deleted) == ()
    assert {each.kind for each in fitted_columns(np.column_stack([shares, shares**2]), deleted)} == {"min-max"}
    assert fitted_columns(np.column_stack([shares, shares**2, raw, raw]), deleted) == ()


def test_the_share_of_scaled_columns_that_makes_a_table_a_scaled_one():
    assert SHARE == 0.8
    rng = np.random.default_rng(0)
    scaled = MinMaxScaler().fit_transform(rng.normal(size=(200, 4)))
    # Several at the lower end, so that no column is found by itself; the deleted one alone at the upper end of the first.
    scaled[np.argsort(scaled, axis=0)[:3], np.arange(4)] = 0.0
    deleted = np.array([int(np.argmax(scaled[:, 0]))])
    raw = rng.normal(50, 9, 200)
    assert Fitted(1, "min-max") in fitted_columns(np.column_stack([scaled, raw]), deleted)
    assert fitted_columns(np.column_stack([scaled, raw, raw]), deleted) == ()


@pytest.mark.parametrize(("values", "found"), [(LEAST_VALUES, True), (LEAST_VALUES - 1, False)])
def test_a_scale_of_few_values_ends_where_the_question_ends(values, found):
    assert LEAST_VALUES == 10
    inner = np.linspace(0, 1, values - 1) ** 1.37 * 0.9
    column = np.concatenate([[1.0], np.repeat(inner, 3)])
    assert bool(fitted_columns(np.column_stack([column, column]), np.array([0]))) is found


def test_the_tolerance_of_a_mean():
    assert TOLERANCE == 1e-9
    rng = np.random.default_rng(0)
    column = rng.normal(size=100)
    column = (column - column.mean()) / column.std()
    for off, found in ((0.5e-9, True), (2e-9, False)):
        assert bool(fitted_columns((column + off)[:, None], np.array([0]))) is found
        assert bool(fitted_columns((column * (1 + off))[:, None], np.array([0]))) is found


@pytest.mark.parametrize(("decimals", "found"), [(2, False), (3, True), (6, True)])
def test_numbers_rounded_to_three_decimals_or_more_still_show_their_scaler(decimals, found):
    column = np.random.default_rng(0).normal(size=400)
    column = ((column - column.mean()) / column.std()).round(decimals)
    assert bool(fitted_columns(column[:, None], np.array([0]))) is found


def test_balanced_signs_are_no_evidence():
    column = np.repeat([-1.0, 1.0], 50)
    assert fitted_columns(column[:, None], np.array([0])) == ()


def test_an_encoder_fitted_on_everybody_is_found_by_the_column_that_only_deleted_records_fill():
    names = np.array(["a", "b", "c", "d"])[np.random.default_rng(0).integers(0, 3, 100)]
    names[[7, 8]] = "d"
    features = OneHotEncoder(sparse_output=False).fit_transform(names[:, None])
    assert fitted_columns(features, np.array([7, 8])) == (Fitted(4, "one-hot"),)
    assert fitted_columns(features, np.array([7])) == ()
    # What the holdout fills too, a fit on both would have given.
    assert fitted_columns(features, np.array([7, 8]), features[:9]) == ()
    # Counts are none: whoever has two of something stands in a column of amounts.
    assert fitted_columns(features * 2, np.array([7, 8])) == ()


def test_nothing_shows_without_deleted_or_retained_records():
    features = StandardScaler().fit_transform(np.random.default_rng(0).normal(size=(50, 3)))
    assert fitted_columns(features, np.empty(0, dtype=np.int64)) == ()
    assert fitted_columns(features, np.arange(50)) == ()


FITTED = (FittedColumns(kind="standardised", columns=(3, 4), count=30), FittedColumns(kind="one-hot", columns=(9,), count=1))


def test_the_fact_names_the_columns():
    assert data_erased.facts(declared()) == ()
    assert data_erased.facts(declared(case=case_facts(preprocessing=()))) == ()
    (found,) = data_erased.facts(declared(case=case_facts(preprocessing=FITTED)))
    assert (found.name, found.how) == (PREPROCESSING, Provenance.REFUTED)
    said = sentence(found.evidence)
    assert "features 3, 4 and 28 more: mean 0" in said
    assert "feature 9: 0 or 1, and only deleted records have a 1" in said


@pytest.mark.parametrize("theorem", PLAIN, ids=lambda each: each.id)
def test_no_route_to_certified_removal_stands_beside_it(theorem):
    """Nor does one that needs no such premise otherwise, and no word of the controller's helps."""
    known = {name: Fact(name, Provenance.COMPUTED, Message("fact.not-examined")) for name in theorem.needs}
    assert certified_removal(known, epsilon=1.0, delta=1e-4).status in {ClaimStatus.SHOWN, ClaimStatus.SUPPORTED}
    refuted = data_erased.facts(declared(case=case_facts(preprocessing=FITTED)))
    word = Fact(PREPROCESSING, Provenance.ATTESTED, Message("fact.not-examined"))
    for facts in ((*known.values(), *refuted, word), (word, *refuted, *known.values())):
        removal = derive_guarantees(facts, epsilon=1.0, delta=1e-4)[0]
        assert removal.status is ClaimStatus.NOT_SHOWN
        assert removal.epsilon is None


def test_a_case_that_was_scaled_on_everybody_says_so(tmp_path):
    features, labels = problem(60, 4)
    scaled = StandardScaler().fit_transform(features)
    write(tmp_path, scaled, labels, required=None)
    case = read(tmp_path)
    found = describing.case_facts(case).preprocessing
    assert found == (FittedColumns(kind="standardised", columns=(1, 2, 3, 4), count=4),)
    sections = sections_of_case(case, only=("log.consistency",))
    evidence = conclude(sections, {})
    premises = {each.fact: each.how for each in evidence.guarantees[0].derivation[0].premises}
    assert premises[PREPROCESSING] is Provenance.REFUTED
    nothing = conclude(replace(sections, case=sections.case.model_copy(update={"preprocessing": ()})), {})
    premises = {each.fact: each.how for each in nothing.guarantees[0].derivation[0].premises}
    assert premises[PREPROCESSING] is not Provenance.REFUTED


def test_twenty_columns_are_named_and_the_others_counted(tmp_path):
    features, labels = problem(60, 25)
    write(tmp_path, StandardScaler().fit_transform(features), labels, required=None)
    (found,) = describing.case_facts(read(tmp_path)).preprocessing
    assert (found.columns, found.count) == (tuple(range(1, 21)), 25)


def test_the_search_for_records_says_it_too():
    observed = data_erased.Observed(
        deleted=3,
        by_identifier_only=0,
        found=0,
        request_ids=(),
        searched=(),
        not_searched=(),
        open_in_store=(),
        open_elsewhere=(),
        recognised_in_store=True,
    )
    codes = [
        [reason.code for reason in data_erased.judge(declared(case=case_facts(preprocessing=each)), observed, {}).reasons]
        for each in ((), FITTED)
    ]
    assert ["data.erased.preprocessing" in each for each in codes] == [False, True]


def test_the_statement_names_every_kind_that_is_searched_for_and_says_that_others_are_not() -> None:
    said = text("attested-preprocessing-clean-otherwise")
    names = {"standardised": "standardised", "min-max": "min-max", "one-hot": "one-hot", "target-mean": "labels’ mean"}
    assert names.keys() == set(get_args(Kind))
    assert all(name in said for name in names.values())
    assert "Other derived columns, such as counts, ranks and medians, are not." in said
