"""Audits every design of the league, and holds each to the outcome that it must have.

A quick part runs with the other tests; `make league` runs everything.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest

import dishonest
import honest
from auditor.checks import definitions
from auditor.sandbox import Level, available
from auditor.settings.attestations import ATTESTABLE
from audits import Result, faults, faults_where_trusted, result_of
from design import Design, Kind
from submission import WORDS

SEEDS = (0, 1, 2)
"""Of the honest designs, which are drawn anew each time: another table, another log."""
STATISTICAL = "release.remembers"
LATER = 6
"""From a seed to the next that draws the same kinds of tables: how many kinds a design takes in turn divides it."""
TRUSTED = tuple(design for design in dishonest.DESIGNS if design.trusted)

confined = pytest.mark.skipif(available() < Level.CONFINED, reason="the controller's code runs behind walls only")
Record = Callable[[str, object], None]


def named(design: Design) -> str:
    return design.name


def told(record: Record, design: Design, result: Result, *, more: str = "") -> None:
    """Keep a row of the table that is printed at the end."""
    expected = "0" if "attested" in more else " or ".join(str(code) for code in sorted(design.allowed))
    record("league", [design.name + more, design.kind.value, expected, str(result.exit_code), ", ".join(result.said) or "-"])


@confined
@pytest.mark.parametrize("design", [each for each in dishonest.DESIGNS if each.quick], ids=named)
def test_a_dishonest_design_does_not_pass(design: Design, tmp_path: Path, record_property: Record) -> None:
    result = result_of(design, tmp_path)
    told(record_property, design, result)
    assert faults(design, result) == []


@confined
@pytest.mark.league
@pytest.mark.parametrize("design", [each for each in dishonest.DESIGNS if not each.quick], ids=named)
def test_no_dishonest_design_passes(design: Design, tmp_path: Path, record_property: Record) -> None:
    result = result_of(design, tmp_path)
    told(record_property, design, result)
    assert faults(design, result) == []


@confined
@pytest.mark.league
@pytest.mark.parametrize("design", TRUSTED, ids=named)
def test_what_passes_on_a_lie_names_the_word_that_is_the_lie(design: Design, tmp_path: Path, record_property: Record) -> None:
    result = result_of(design, tmp_path, attesting=True)
    told(record_property, design, result, more=" (lie attested)")
    assert faults_where_trusted(design, result) == []


@confined
@pytest.mark.parametrize("design", [each for each in honest.DESIGNS if each.quick], ids=named)
def test_an_honest_design_passes(design: Design, tmp_path: Path, record_property: Record) -> None:
    result = result_of(design, tmp_path, seed=SEEDS[0])
    told(record_property, design, result)
    assert faults(design, result) == []


@confined
@pytest.mark.league
@pytest.mark.parametrize(
    ("design", "seed"),
    [(each, seed) for each in honest.DESIGNS for seed in SEEDS if not (each.quick and seed == SEEDS[0])],
    ids=lambda value: value.name if isinstance(value, Design) else str(value),
)
def test_every_honest_design_passes(design: Design, seed: int, tmp_path: Path, record_property: Record) -> None:
    result = result_of(design, tmp_path / "first", seed=seed)
    told(record_property, design, result, more=f", seed {seed}")
    if faults(design, result) and STATISTICAL in result.said:
        # It finds one honest release in twenty by chance, as its level says; two in a row would be no chance. The release has to
        # be another one: one that is unlike the others is so whatever models it is held against.
        result = result_of(design, tmp_path / "second", seed=seed + LATER)
        told(record_property, design, result, more=f", seed {seed + LATER}")
    assert faults(design, result) == []


@confined
@pytest.mark.league
@pytest.mark.parametrize("design", honest.APPROXIMATE, ids=named)
def test_an_approximate_method_ends_with_a_finding(design: Design, tmp_path: Path, record_property: Record) -> None:
    result = result_of(design, tmp_path)
    told(record_property, design, result, more="" if result.quality is None else f", Q = {result.quality:.3f}")
    assert faults(design, result) == []
    assert result.shown == ()


def test_the_league_covers_every_kind_of_lie() -> None:
    kinds = Counter(design.kind for design in dishonest.DESIGNS)
    assert kinds.keys() == set(Kind) - {Kind.HONEST}
    assert kinds.total() >= 30
    assert len(honest.DESIGNS) >= 12
    assert all(design.honest for design in honest.DESIGNS)
    names = [design.name for design in (*dishonest.DESIGNS, *honest.DESIGNS, *honest.APPROXIMATE)]
    assert len(set(names)) == len(names)


def test_designs_name_checks_and_words_that_there_are() -> None:
    designs = (*dishonest.DESIGNS, *honest.DESIGNS)
    assert {check_id for design in designs for check_id in design.said_by} <= definitions().keys()
    assert {*WORDS, *(word for design in designs for word in design.trusted)} <= set(ATTESTABLE)


def test_only_what_an_attested_word_covers_may_pass() -> None:
    """A design may end with exit 0 only with its lie attested."""
    assert all(0 not in design.allowed for design in dishonest.DESIGNS)
    assert all(design.allowed == {0} for design in honest.DESIGNS)
