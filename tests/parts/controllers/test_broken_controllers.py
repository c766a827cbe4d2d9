"""Each broken twin of a controller fails by its own shortest counterexample, and what the games cannot see is said here too."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from typing import Any

import pytest

from auditor.base.domain import Status
from auditor.base.histories import equivalent
from auditor.parts.controllers.judging.history.judging import judged
from auditor.parts.controllers.judging.history.observed import Counterexample, Observed, Tried
from auditor.parts.controllers.learning.sqlite import Sqlite
from auditor.parts.controllers.observing.histories.experiment import Sizes, experiment
from auditor.verdict.checks.finding import Finding
from benchmarks.in_process import rooms
from cases import SAMPLES
from played_controllers import DICTIONARY
from twins import broken, hiding

SIZES = Sizes(ways=3, by_chance=5, searched=5, fresh=120)


def tombstones() -> Any:
    spec = importlib.util.spec_from_file_location("tombstones", SAMPLES / "tombstone-dictionary" / "controller.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.TombstoneDictionary


def sqlite() -> Any:
    return lambda: Sqlite(secure_delete=False)


@pytest.fixture(autouse=True)
def _folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(hiding, "_EVERYBODY", [])
    monkeypatch.setattr(hiding, "_HISTORIES", [0])


def found(make: Any, sizes: Sizes = SIZES) -> tuple[Finding, Tried]:
    tried = experiment(DICTIONARY, rooms(make), seed=3, sizes=sizes)
    return judged(Observed(tried=tried), DICTIONARY.commuting), tried


def shortest(tried: Tried) -> Counterexample:
    return min(tried.counterexamples, key=lambda each: len(each.left) + len(each.right))


SET_AND_DELETED = ["set", "delete"], []
SHORTEST = {
    "insertion order": (broken.InsertionOrder, (["set", "set"], ["set", "set"])),
    "freed slots": (broken.FreedSlots, SET_AND_DELETED),
    "a log of deletions": (broken.LoggedDirectory, SET_AND_DELETED),
    "Example 3.3": (broken.OnceAddressed, (["set", "delete"], ["set"])),
    "empty account": (broken.EmptyAccount, SET_AND_DELETED),
    "deletions counted": (broken.CountedDeletions, SET_AND_DELETED),
    "even or odd": (broken.EvenOrOdd, SET_AND_DELETED),
    "posts with numbers": (broken.NumberedPosts, (["set", "delete", "set"], ["set"])),
    "a filter of names": (broken.NamesInAFilter, SET_AND_DELETED),
    "under a mask": (broken.Masked, SET_AND_DELETED),
    "in base64": (hiding.InBase64, SET_AND_DELETED),
    "by hash": (hiding.ByHash, SET_AND_DELETED),
}


@pytest.mark.parametrize(("make", "operations"), SHORTEST.values(), ids=SHORTEST)
def test_a_broken_twin_fails_by_its_shortest_counterexample(make: Any, operations: tuple[list[str], list[str]]) -> None:
    finding, tried = found(make)
    assert finding.status is Status.FAIL
    least = shortest(tried)
    said = [[each[1] for each in side] for side in least.sides]
    assert sorted(said) == sorted(operations)
    assert least.minimal
    assert equivalent(*least.sides, DICTIONARY.commuting)


@pytest.mark.parametrize(("make", "operations"), [(tombstones, 2), (sqlite, 2)], ids=["tombstones", "SQLite"])
def test_a_deleted_row_that_is_only_marked_is_shown_in_two_operations(make: Any, operations: int) -> None:
    finding, tried = found(make())
    assert finding.status is Status.FAIL
    assert len(shortest(tried).left) + len(shortest(tried).right) == operations


def test_a_backup_takes_at_most_as_many_operations_as_lie_between_two() -> None:
    """Questions that are asked at the end count too."""
    finding, tried = found(broken.NightlyBackup)
    assert finding.status is Status.FAIL
    assert 2 < len(shortest(tried).left) <= 10


def test_only_an_adversary_that_listens_finds_example_3_3() -> None:
    _, tried = found(broken.OnceAddressed)
    assert tried.counterexamples
    assert all(each.adapts for each in tried.counterexamples)
    quiet = {each.adversary: each.different for each in tried.played}
    assert quiet["spoke-and-left"] == quiet["by-chance"] == 0


@pytest.mark.parametrize("make", [broken.Plain, hiding.Plain])
def test_the_sound_twin_is_not_refuted(make: Any) -> None:
    assert found(make)[0].status is Status.PASS


@pytest.mark.parametrize("make", [hiding.AcrossObjects, hiding.AfterAWhile])
def test_what_a_process_carries_from_history_to_history_is_no_pass(make: Any) -> None:
    assert found(make)[0].status is not Status.PASS


def test_who_answers_otherwise_after_a_while_is_not_deterministic() -> None:
    """Both processes say the same in the end, and it is not what they said at the beginning."""
    assert not found(hiding.AnswersOtherwiseLater)[1].deterministic


@pytest.mark.parametrize("make", [hiding.InAnAttribute, hiding.CompressedInAnAttribute, hiding.InAFile, hiding.InTheModule])
def test_what_the_state_leaves_out_is_left_to_data_erased(make: Any) -> None:
    assert found(make, SIZES)[0].status is Status.PASS


def test_who_behaves_for_longer_than_the_games_last_is_not_refuted() -> None:
    """The limit of every test: docs/controllers.md says so."""
    assert found(hiding.AfterAMillion, SIZES)[0].status is Status.PASS
