"""Audits every design of the league, and holds each to the outcome that it must have.

A quick part runs with the other tests; `make league` runs everything.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest
from scipy.stats import binom

import dishonest
import honest
from auditor.base.domain import Status
from auditor.parts.release.judging.release_remembers import ACCUSES, LEVEL
from auditor.sandbox import Level
from auditor.settings.attestations import ATTESTABLE
from auditor.verdict.checks import definitions
from audits import Result, faults, faults_where_trusted, result_of
from design import Design, Kind
from levels import needing
from submission import WORDS

SEEDS = (0, 1, 2)
"""Of the honest designs, which are drawn anew each time: another table, another log."""
STATISTICAL = "release.remembers"
DRAWS = range(10)
"""Of the honest designs whose release is ranked among retrained models."""
RARELY = 0.001
"""How often the tests may end in red although the level holds."""
TRUSTED = tuple(design for design in dishonest.DESIGNS if design.trusted)

confined = needing(Level.CONFINED)
Record = Callable[[str, object], None]


def named(design: Design) -> str:
    return design.name


def told(record: Record, design: Design, result: Result, *, more: str = "") -> None:
    """Keep a row of the table that is printed at the end, with Q of the SWAP game where it was played."""
    expected = "0" if "attested" in more else " or ".join(str(code) for code in sorted(design.allowed))
    quality = "-" if result.quality is None else f"{result.quality:.3f}"
    said = ", ".join(result.said) or "-"
    record("league", [design.name + more, design.kind.value, expected, str(result.exit_code), quality, said])


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
    [(each, seed) for each in honest.DESIGNS for seed in SEEDS if not each.by_chance and not (each.quick and seed == SEEDS[0])],
    ids=lambda value: value.name if isinstance(value, Design) else str(value),
)
def test_every_honest_design_passes(design: Design, seed: int, tmp_path: Path, record_property: Record) -> None:
    result = result_of(design, tmp_path / "first", seed=seed)
    told(record_property, design, result, more=f", seed {seed}")
    assert faults(design, result) == []


@confined
@pytest.mark.league
def test_the_attack_rejects_no_more_honest_releases_than_its_level_says(tmp_path: Path, record_property: Record) -> None:
    """One in twenty stays open by chance, and one in a hundred is accused.

    All are counted and none is drawn again, which would hide a level that is missed.
    """
    audits = [(design, seed) for design in honest.DESIGNS if design.by_chance for seed in DRAWS]
    rejected = accused = 0
    for design, seed in audits:
        result = result_of(design, tmp_path / design.name / str(seed), seed=seed)
        told(record_property, design, result, more=f", seed {seed}")
        if result.p is not None and result.p <= LEVEL:
            # A failure, or open: the ranks of the last stage have rejected it either way.
            rejected += 1
            accused += result.statuses[STATISTICAL] is Status.FAIL
            assert {check_id for check_id, status in result.statuses.items() if status is Status.FAIL} <= {STATISTICAL}
            assert result.exit_code in {1, 3}
        else:
            assert faults(design, result) == []
    assert too_many(len(audits)) > rejected, f"{rejected} of {len(audits)} honest releases were rejected"
    assert too_many(len(audits), ACCUSES) > accused, f"{accused} of {len(audits)} honest releases were accused"


def too_many(audits: int, level: float = LEVEL) -> int:
    """The least count of rejections that a level gives in at most one of a thousand repetitions."""
    return int(binom.isf(RARELY, audits, level)) + 1


def test_a_level_that_does_not_hold_ends_in_red_more_often_than_not() -> None:
    """Calibrating on the retrained models alone, and ranking the release among them, rejects up to 22 % of honest releases."""
    audits = len(DRAWS) * sum(design.by_chance for design in honest.DESIGNS)
    assert binom.sf(too_many(audits) - 1, audits, LEVEL) <= RARELY
    assert binom.sf(too_many(audits) - 1, audits, 0.22) > 0.5


@confined
@pytest.mark.league
@pytest.mark.parametrize("design", honest.NOISE, ids=named)
def test_randomness_of_the_system_has_a_way_to_pass(design: Design, tmp_path: Path, record_property: Record) -> None:
    """By attacks: the clean room is open and does not decide. Dishonest designs tell the log from the game, or keep more."""
    result = result_of(design, tmp_path)
    told(record_property, design, result)
    assert faults(design, result) == []
    assert result.statuses["release.exact"] is Status.INCONCLUSIVE
    assert {"procedure-honest", "code-clean"} <= set(re.findall(r"[a-z-]+", result.sentence))


@confined
@pytest.mark.league
@pytest.mark.parametrize("design", honest.APPROXIMATE, ids=named)
def test_an_approximate_method_ends_with_a_finding(design: Design, tmp_path: Path, record_property: Record) -> None:
    result = result_of(design, tmp_path)
    told(record_property, design, result)
    assert faults(design, result) == []
    assert result.shown == ()
    assert result.quality is not None, "the game was not played"


def test_the_league_covers_every_kind_of_lie() -> None:
    kinds = Counter(design.kind for design in dishonest.DESIGNS)
    assert kinds.keys() == set(Kind) - {Kind.HONEST}
    assert kinds.total() >= 30
    assert len(honest.DESIGNS) >= 12
    assert all(design.honest for design in honest.DESIGNS)
    names = [design.name for design in (*dishonest.DESIGNS, *honest.DESIGNS, *honest.NOISE, *honest.APPROXIMATE)]
    assert len(set(names)) == len(names)


def test_designs_name_checks_and_words_that_there_are() -> None:
    designs = (*dishonest.DESIGNS, *honest.DESIGNS)
    assert {check_id for design in designs for check_id in design.said_by} <= definitions().keys()
    assert {*WORDS, *(word for design in designs for word in design.trusted)} <= set(ATTESTABLE)


def test_only_what_an_attested_word_covers_may_pass() -> None:
    """A design may end with exit 0 only with its lie attested."""
    assert all(0 not in design.allowed for design in dishonest.DESIGNS)
    assert all(design.allowed == {0} for design in honest.DESIGNS)
