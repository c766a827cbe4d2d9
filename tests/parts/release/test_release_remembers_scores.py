"""`release.remembers`: what single ways of asking score, by hand and on forests' votes."""

from __future__ import annotations

import numpy as np
import pytest

from auditor.base.records import Floats
from auditor.maths.statistics import pool
from auditor.parts.release.judging.release_remembers import telling
from auditor.parts.release.judging.release_remembers.observed import Group, Kind, Scored
from auditor.parts.release.observing.release_remembers.scores import Asked, Models, tables

MODELS = Models(retrained=39, holding=5)
TOTAL = 1 + 39 + 5 + 5
TREES = 10


def answered(shares: Floats) -> Asked:
    """Shares of votes for the label, which is class 0 for every record; shape (m, n)."""
    return Asked(np.stack([shares, 1 - shares], axis=-1), np.zeros(shares.shape[1], dtype=np.int64))


def scored(shares: Floats, unseen: Floats | None = None) -> dict[tuple[str, bool], Floats]:
    """Scores of the records as they are, by attack and by whether unseen ones are taken off."""
    beside = answered(np.empty((len(shares), 0)) if unseen is None else unseen)
    return {(kind.attack, kind.contrast): scores for kind, scores in tables({"records": answered(shares)}, beside, MODELS)}


def votes(rng: np.random.Generator, *, hard: int, easy: int) -> Floats:
    """Ten trees: on hard records they are seldom right unless they hold them, on easy ones nearly always, whatever they hold."""
    likely = np.full((TOTAL, hard + easy), 0.97)
    likely[:, :hard] = 0.3
    likely[1 + 39 :, :hard] = 0.75
    return np.asarray(rng.binomial(TREES, likely) / TREES)


def test_a_matched_sum_weighs_each_record_by_what_holding_it_adds() -> None:
    rng = np.random.default_rng(0)
    shares = rng.uniform(0.2, 0.6, size=(TOTAL, 3))
    shares[40:, 0] += 0.3
    shares[40:, 1] -= 0.1
    found = scored(shares)["matched", False]
    angles = np.arcsin(np.sqrt(shares))
    usual, variances = angles[:40].mean(axis=0), angles[:40].var(axis=0)
    gained = np.maximum(angles[40:45].mean(axis=0) - usual, 0)
    expected = (angles - usual) * gained / (variances + variances.mean())
    others = [row for row in range(TOTAL) if not 40 <= row < 45]
    assert found[others] == pytest.approx(expected[others])
    assert not found[others, 1].any(), "holding this record makes nobody surer of it"


@pytest.mark.parametrize("attack", ["matched", "lira-online"])
def test_models_that_set_a_score_are_scored_by_the_others(attack: str) -> None:
    shares = votes(np.random.default_rng(1), hard=4, easy=4)
    before = scored(shares)[attack, False]
    shares[40] = 1.0
    after = scored(shares)[attack, False]
    assert (after[0] != before[0]).any(), "of all others it is one of five"
    outside = shares.copy()
    outside[40] = 0.5
    # What model 41 shows depends on model 40, what model 40 shows does not depend on itself but by its own answers.
    left_out = scored(np.concatenate([outside[:40], shares[40:41], outside[41:]]))[attack, False]
    assert left_out[40] == pytest.approx(after[40])


def test_a_record_on_which_the_pool_agrees_by_chance_does_not_fill_a_sum() -> None:
    rng = np.random.default_rng(2)
    shares = votes(rng, hard=10, easy=0)
    shares[1:40, 9] = 0.3
    shares[0, 9] = 0.4
    found = scored(shares)["lira-offline", False]
    assert abs(found[0, 9]) < 40 * np.abs(found[:40, :9]).mean()
    assert np.isfinite(found).all()


def test_votes_of_forests_are_told_by_a_matched_sum_more_surely_than_by_any_other_way() -> None:
    rng = np.random.default_rng(3)
    apart: dict[tuple[str, bool], list[float]] = {}
    for _ in range(10):
        shares, unseen = votes(rng, hard=5, easy=60), votes(rng, hard=5, easy=60)
        unseen[40:] = unseen[rng.permutation(40)[:10]]
        for way, scores in scored(shares, unseen).items():
            column = scores.mean(axis=1)
            apart.setdefault(way, []).append((column[45:].mean() - column[:40].mean()) / column[:40].std())
    height = {way: float(np.median(each)) for way, each in apart.items()}
    assert max(height, key=lambda way: height[way]) == ("matched", False)
    assert max((way for way in height if way[1]), key=lambda way: height[way]) == ("matched", True)


WAYS = (
    Kind(attack="loss", neighbourhood="records"),
    Kind(attack="matched", neighbourhood="records"),
    Kind(attack="matched", neighbourhood="records", contrast=True),
    Kind(attack="matched", neighbourhood="moved-0.1"),
)
GROUPS = (Group(part="requests", requests=("R-1",)), Group(part="all"))


def stage(kinds: tuple[Kind, ...], rng: np.random.Generator, *, release: float) -> Scored:
    """A pool in which the first way hardly tells models that hold the records, and all others do."""
    columns = len(kinds) * len(GROUPS)
    gap = np.where(np.arange(columns) < len(GROUPS), 60_000, 800_000)

    def rows(models: int, share: float) -> tuple[tuple[int, ...], ...]:
        drawn = share * gap + rng.normal(0, 1_000 if share else 50_000, size=(models, columns))
        return tuple(tuple(int(each) for each in row) for row in drawn)

    own = np.zeros(columns)
    own[: len(GROUPS)] = release * gap[0]
    return Scored(
        distinct=39,
        kinds=kinds,
        groups=GROUPS,
        release=tuple(int(each) for each in own),
        retrained=rows(39, 0.0),
        holding=rows(5, 1.0),
        held_out=rows(5, 1.0),
    )


def test_matched_sums_of_the_records_count_beside_the_sum_of_all_other_ways() -> None:
    table = telling.table_of(stage(WAYS, np.random.default_rng(4), release=0.0))
    assert table.groups.tolist() == [0, 1, 2, 3, 2, 3, 0, 1]
    known = telling.table_of(stage(WAYS[:1], np.random.default_rng(4), release=0.0))
    assert known.groups.tolist() == [0, 1]


def test_what_is_left_is_the_middle_of_ways_as_they_tell() -> None:
    """One way that hardly tells shows all of it, and one that tells shows nothing."""
    observed = stage(WAYS[:2], np.random.default_rng(5), release=1.0)
    table = telling.table_of(observed)
    heights = pool.heights(table.release, table.retrained, table.holding)
    assert heights[1] < heights[3] == pool.MOST_GAP
    left = telling.left_over(observed, table)
    assert left == pytest.approx(0.0, abs=0.05)
    # A document of ways that count the same is judged as it was: the mean of the two in the middle.
    loss = tuple(Kind(attack="loss", neighbourhood=name) for name in ("records", "moved-0.1"))
    before = telling.left_over(observed.model_copy(update={"kinds": loss}), table)
    assert before == pytest.approx(float(np.median(pool.shares(table.release, table.holding, table.retrained)[[1, 3]])))


def test_of_a_learner_without_chance_every_way_counts_the_same() -> None:
    observed = stage(WAYS[:2], np.random.default_rng(6), release=1.0)
    still = observed.model_copy(update={"distinct": 1, "retrained": tuple((0,) * 4 for _ in range(39))})
    table = telling.table_of(still)
    assert table.rule == "share"
    assert telling.left_over(still, table) == pytest.approx(
        float(np.median(pool.shares(table.release, table.holding, table.retrained)[[1, 3]]))
    )
