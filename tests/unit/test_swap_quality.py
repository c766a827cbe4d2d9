"""What hand-made scores mean: every status of the SWAP checks, and the words that go with it."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import numpy as np
import numpy.typing as npt
import pytest
from scipy.stats import t

from auditor import case as cases
from auditor.case import Case
from auditor.domain import Check, Dataset, Floats, Status
from auditor.observing.swap.drawing import Game
from auditor.observing.swap.quality import Results, judge_controls, judge_quality, judge_strong
from auditor.observing.swap.scoring import Adversaries, Named, Scored
from swap_games import random_tree, records, small_game, write_case

PAIRS = 20
GAME = small_game(records(120, seed=1), seed=1, pairs=PAIRS, alpha=0.1)
NAMED = Named(20, 40, 0)
WOBBLE = 0.05 * np.tile([-1.0, 1.0], PAIRS // 2)
"""Has mean 0 and a sample standard deviation of 0.05 √(20/19)."""
HALF = float(t.ppf(1 - 0.05 / 4, PAIRS - 1)) * 0.05 / np.sqrt(PAIRS - 1)
"""Half of the interval that it gets beside a second attack."""


def case_of(folder: Path, tables: str = "") -> Case:
    return cases.read(write_case(folder, random_tree("retrain"), tables=tables))


def scored(*means: float, spread: float = 1.0, identical: bool = False, area: float = 0.5) -> Scored:
    advantages = np.array(means)[:, None] + spread * WOBBLE
    return Scored(advantages, half(advantages), np.full(len(means), area), identical)


def half(advantages: Floats) -> Floats:
    """One half of all records accepted, in every pair."""
    return np.full(advantages.shape, 0.5)


def results(procedure: Scored, do_nothing: Scored | None = None, **changes: Any) -> Results:
    none = np.zeros((len(procedure.advantages), PAIRS))
    found: dict[str, Any] = {
        "procedure": procedure,
        "do_nothing": do_nothing or scored(0.5, 0.4, area=0.8),
        "retrained": Scored(none, half(none), np.full(len(none), 0.5), identical=True),
        "fresh": scored(0.0, 0.0),
        "named": NAMED,
        "named_do_nothing": Named(40, 40, 0),
        "named_fresh": NAMED,
        "confusion": None,
    }
    return Results(**(found | changes))


def adversaries_named(*names: str) -> Adversaries:
    attack = SimpleNamespace(title="an attack", source="Nobody 2000")
    return cast("Adversaries", SimpleNamespace(attacks=dict.fromkeys(names, attack)))


def quality_of(case: Case, found: Results, *, game: Game = GAME, quick: bool = False) -> Check:
    return judge_quality(case, game, adversaries_named("one", "other"), found, seed=1, quick=quick)


@pytest.mark.parametrize(
    ("means", "min_quality", "nothing", "status", "words"),
    [
        ((0.01, -0.02), 0.9, (0.5, 0.4), Status.PASS, "Doing nothing has Q between 0.4"),
        ((0.3, 0.1), 0.9, (0.5, 0.4), Status.FAIL, "20 swap pairs; the attack that found most was one."),
        ((0.1, -0.3), 0.9, (0.5, 0.4), Status.FAIL, "the attack that found most was other."),
        ((0.1, 0.0), 0.9, (0.5, 0.4), Status.INCONCLUSIVE, "more pairs would narrow it"),
        ((0.01, 0.0), 0.9, (0.02, 0.0), Status.INCONCLUSIVE, "cannot tell good from bad"),
        ((0.01, 0.0), 0.9, (0.1, 0.0), Status.INCONCLUSIVE, "cannot tell good from bad"),
        ((0.3, 0.0), 0.9, (0.0, 0.0), Status.FAIL, "the attack that found most was one."),
    ],
)
def test_every_status(
    tmp_path: Path, means: tuple[float, float], min_quality: float, nothing: tuple[float, float], status: Status, words: str
) -> None:
    case = case_of(tmp_path, f"[policy]\nmin_quality = {min_quality}\n")
    check = quality_of(case, results(scored(*means), scored(*nothing)))
    assert check.status is status
    assert words in check.basis
    assert check.value == pytest.approx(1 - max(map(abs, means)), abs=1e-12)
    assert check.threshold == min_quality
    assert check.interval is not None
    low, high = check.interval
    assert low == pytest.approx(1 - max(abs(mean) for mean in means) - HALF, abs=1e-12)
    assert high == pytest.approx(min(1.0, 1 - max(abs(mean) for mean in means) + HALF), abs=1e-12)


def test_doing_nothing_never_passes_whatever_the_threshold(tmp_path: Path) -> None:
    nothing = scored(0.12, 0.1)
    case = case_of(tmp_path)
    ends = quality_of(case, results(nothing, nothing)).interval
    assert ends is not None
    for number, threshold in enumerate((*ends, 0.88, *np.linspace(0, 1, 41).tolist())):
        folder = tmp_path / str(number)
        folder.mkdir()
        check = quality_of(case_of(folder, f"[policy]\nmin_quality = {threshold!r}\n"), results(nothing, nothing))
        assert check.status is (Status.FAIL if ends[1] < threshold else Status.INCONCLUSIVE)


@pytest.mark.parametrize("mean", [0.0, 0.5])
def test_a_quick_run_decides_nothing(tmp_path: Path, mean: float) -> None:
    case = case_of(tmp_path, '[policy]\nrequired = ["swap.strong"]\n')
    found = results(scored(mean, 0.0), named=Named(40, 40, 0))
    check = quality_of(case, found, quick=True)
    assert check.status is Status.INCONCLUSIVE
    assert check.basis.endswith("run without --quick.")
    assert judge_strong(case, found, quick=True).status is Status.INCONCLUSIVE
    assert judge_controls(case, GAME, found, quick=True).status is Status.INCONCLUSIVE


@pytest.mark.parametrize(("means", "expected"), [((-0.3, 0.1), True), ((0.3, -0.1), False), ((-0.001, 0.0), False)])
def test_forgetting_too_well_is_named(tmp_path: Path, means: tuple[float, float], expected: bool) -> None:
    assert quality_of(case_of(tmp_path), results(scored(*means))).details["over_unlearned"] is expected


def test_details_are_those_of_the_run(tmp_path: Path) -> None:
    case = case_of(tmp_path)
    found = results(scored(0.1, -0.2, area=0.7), scored(0.5, 0.4, area=0.8))
    details = quality_of(case, found).details
    assert (details["pairs"], details["target_records"], details["retained"], details["forgotten"]) == (20, 60, 50, 5)
    assert details["reference_models"] == 6
    assert details["attack"] == "other"
    assert details["mia_score"] == pytest.approx(0.3, abs=1e-12)
    assert details["plug_in_quality"] == pytest.approx(0.8, abs=1e-12)
    assert details["do_nothing"]["quality"] == pytest.approx(0.5, abs=1e-12)
    assert details["retrained"] == {"quality": 1.0}
    assert details["sign_flip_p"] == pytest.approx(1 / 20_001)
    assert (details["ic_score"], details["ic_why"]) == (None, "no two classes have enough records")
    assert not details["weighted"]
    rows: list[Mapping[str, Any]] = details["attacks"]
    assert [row["name"] for row in rows] == ["one", "other"]
    assert [row["advantage"] for row in rows] == pytest.approx([0.1, -0.2], abs=1e-12)
    assert [row["do_nothing"]["advantage"] for row in rows] == pytest.approx([0.5, 0.4], abs=1e-12)
    assert details["pair_advantages"]["procedure"]["other"] == found.procedure.advantages[1].tolist()


def test_equal_pairs_are_no_certainty_unless_the_models_are_identical(tmp_path: Path) -> None:
    case = case_of(tmp_path)
    still = scored(0.0, 0.0, spread=0.0)
    interval = quality_of(case, results(still)).interval
    floor = -np.log(0.05 / 2) / (PAIRS * 2 * GAME.forgotten)
    assert interval == pytest.approx((1 - floor, 1.0), abs=1e-12)
    same = Scored(still.advantages, still.accepted, still.areas, identical=True)
    check = quality_of(case, results(same))
    assert check.interval == (1.0, 1.0)
    assert check.status is Status.PASS


def test_controls_need_models_that_are_equal_bit_for_bit(tmp_path: Path) -> None:
    case = case_of(tmp_path)
    check = judge_controls(case, GAME, results(scored(0.0, 0.0)), quick=False)
    assert (check.status, check.value, check.threshold) == (Status.PASS, 1.0, 1.0)
    assert "equal bit for bit" in check.basis
    # Even where every attack cancels by chance.
    changed = Scored(np.zeros((2, PAIRS)), half(np.zeros((2, PAIRS))), np.full(2, 0.5), identical=False)
    check = judge_controls(case, GAME, results(scored(0.0, 0.0), retrained=changed), quick=False)
    assert check.status is Status.INCONCLUSIVE
    assert not check.details["deterministic"]
    assert "not deterministic" in check.basis


@pytest.mark.parametrize(
    ("right", "status"), [(20, Status.PASS), (26, Status.PASS), (27, Status.FAIL), (14, Status.PASS), (13, Status.FAIL)]
)
def test_naming_sides_is_held_against_one_half(tmp_path: Path, right: int, status: Status) -> None:
    """40 models: P[Bin(40, 1/2) >= 27] = 0.0192 and P[>= 26] = 0.0403, against 0.025 on each side."""
    case = case_of(tmp_path, '[policy]\nrequired = ["swap.strong"]\n')
    check = judge_strong(case, results(scored(0.0, 0.0), named=Named(right, 40, 2)), quick=False)
    assert check.status is status
    assert (check.value, check.threshold) == (right / 40, 0.5)
    assert (check.details["ties"], check.details["advantage"]) == (2, right / 20 - 1)
    assert check.details["do_nothing"]["share"] == 1.0


def test_four_models_of_four_named_right_are_no_pass_for_doing_nothing(tmp_path: Path) -> None:
    case = case_of(tmp_path, '[policy]\nrequired = ["swap.strong"]\n')
    every = Named(4, 4, 0)
    check = judge_strong(case, results(scored(0.0, 0.0), named=every, named_do_nothing=every), quick=False)
    assert (check.status, check.value) == (Status.INCONCLUSIVE, 1.0)
    assert "cannot tell good from bad" in check.basis


def test_naming_sides_informs_where_it_is_not_required(tmp_path: Path) -> None:
    check = judge_strong(case_of(tmp_path), results(scored(0.0, 0.0), named=Named(40, 40, 0)), quick=False)
    assert (check.status, check.value) == (Status.SKIPPED, 1.0)
    assert "does not require it" in check.basis


def test_weighted_games_say_so(tmp_path: Path) -> None:
    case = case_of(tmp_path)
    train = Dataset(case.train.features, case.train.labels, case.train.ids, np.ones(len(case.train)))
    weighted = Case(**{name: getattr(case, name) for name in case.__dataclass_fields__} | {"train": train})
    assert quality_of(weighted, results(scored(0.0, 0.0))).details["weighted"]


def test_one_pair_alone_shows_nothing(tmp_path: Path) -> None:
    game = small_game(records(120, seed=1), seed=1, pairs=1)
    one: npt.NDArray[np.float64] = np.array([[0.4], [0.0]])
    single = Scored(one, half(one), np.full(2, 0.7), identical=False)
    found = results(single, single, fresh=single, retrained=Scored(one * 0, half(one), one[:, 0], True))
    check = quality_of(case_of(tmp_path), found, game=game)
    assert (check.status, check.interval) == (Status.INCONCLUSIVE, (0.0, 1.0))
    assert check.details["smallest_advantage"] is None


def test_floats_are_plain(tmp_path: Path) -> None:
    """Evidence is JSON: no number of NumPy's own may be left."""

    def walk(value: object) -> None:
        if isinstance(value, Mapping):
            for item in value.values():
                walk(item)
        elif isinstance(value, list | tuple):
            for item in value:
                walk(item)
        else:
            assert type(value) in {str, int, float, bool, type(None)}, type(value)

    values: Floats = np.array([0.0, 0.1])
    check = quality_of(case_of(tmp_path), results(scored(*values)))
    walk(check.details)
    walk(check.interval)
