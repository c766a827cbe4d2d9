"""What the games of history independence come to."""

from __future__ import annotations

import random
from typing import Any

import pytest

from auditor.base.domain import Message, Provenance, Status
from auditor.base.histories import DELETE
from auditor.pages.words import basis, sentence
from auditor.parts.controllers.judging.history.judging import Derived, judged
from auditor.parts.controllers.judging.history.observed import Counterexample, Event, Law, Observed, Played, Tried
from auditor.parts.controllers.observing.histories.adversaries import ALIKE, RANDOM, REPORTED, SCRIPTED
from auditor.parts.controllers.observing.histories.drawing import Drawing
from auditor.parts.controllers.observing.histories.experiment import Sizes, experiment
from benchmarks.in_process import rooms
from played_controllers import DICTIONARY, XOR, OnlyIfAddressed, Salted, Tombstones, Xor
from two_laws import least_epsilon

BORDER = 125
"""Of 200 runs, the fewest that are told from 80 for certain."""
LEFT, RIGHT = (("a", "set", "z"), ("a", DELETE, None)), ()


def case(**given: Any) -> Counterexample:
    usual: dict[str, Any] = {
        "adversary": "spoke-and-left",
        "adapts": False,
        "tape": 1,
        "left": LEFT,
        "right": RIGHT,
        "minimal": True,
        "offset": 1,
        "sizes": (9, 2),
        "digests": ("0" * 64, "1" * 64),
        "excerpts": ("5b", "5b"),
    }
    return Counterexample(**(usual | given))


def law(left: int, right: int, runs: int = 200) -> Law:
    return Law(adversary="spoke-and-left", adapts=False, event=Event.HOLDS, runs=runs, left=left, right=right)


def tried(**given: Any) -> Observed:
    usual: dict[str, Any] = {
        "histories": 600,
        "operations": 7_000,
        "deterministic": True,
        "ignores_tape": True,
        "searched": True,
        "played": (Played(adversary="by-chance", histories=300, different=0),),
        "counterexamples": (),
        "laws": (),
    }
    return Observed(tried=Tried(**(usual | given)))


def status(*, hides: bool = False, **given: Any) -> tuple[Status, float | None]:
    found = judged(tried(**given), DICTIONARY.commuting, hides=hides)
    return found.status, found.value


def test_equal_states_pass() -> None:
    assert status() == (Status.PASS, 0.0)
    assert judged(tried(), DICTIONARY.commuting).facts == (), "a test that found nothing is no premise"


def test_a_counterexample_of_a_controller_without_chance_fails() -> None:
    found = judged(tried(counterexamples=(case(),)), DICTIONARY.commuting)
    assert (found.status, found.value) == (Status.FAIL, 1.0)
    assert {(each.name, each.how) for each in found.facts} == {
        ("strongly-history-independent", Provenance.REFUTED),
        ("adaptively-history-independent", Provenance.REFUTED),
    }
    assert isinstance(found.derived, Derived)
    assert found.derived.shortest == 2


@pytest.mark.parametrize(
    "forged",
    [
        {"right": (("b", "set", "z"),)},
        {"left": (("a", "set", "z"),)},
        {"digests": ("0" * 64, "0" * 64)},
    ],
    ids=["other contents", "nothing deleted", "equal states"],
)
def test_what_is_no_counterexample_accuses_nobody_and_clears_nobody(forged: dict[str, Any]) -> None:
    """Whoever spoils a counterexample in the evidence of a failure makes no pass of it."""
    assert status(counterexamples=(case(**forged),)) == (Status.INCONCLUSIVE, None)


@pytest.mark.parametrize(
    "forged",
    [
        {"played": ()},
        {"histories": 0, "operations": 0},
        {"played": (Played(adversary="by-chance", histories=300, different=4),)},
    ],
    ids=["nothing played", "no histories", "a counterexample left out"],
)
def test_counts_that_do_not_fit_clear_nobody(forged: dict[str, Any]) -> None:
    assert status(**forged) == (Status.INCONCLUSIVE, None)


@pytest.mark.parametrize(
    ("histories", "played", "wanted"),
    [
        (100, (50,), Status.PASS),
        (99, (50,), Status.INCONCLUSIVE),
        (100, (49,), Status.INCONCLUSIVE),
        (100, (25, 25), Status.PASS),
        (100, (25, 24), Status.INCONCLUSIVE),
    ],
)
def test_fifty_pairs_of_histories_are_enough_and_fewer_show_nothing(
    histories: int, played: tuple[int, ...], wanted: Status
) -> None:
    """A pair is two histories: a hundred of them make fifty."""
    of_each = tuple(Played(adversary=f"by-chance-{number}", histories=each, different=0) for number, each in enumerate(played))
    assert status(histories=histories, played=of_each)[0] is wanted


@pytest.mark.parametrize(("runs", "wanted"), [(100, Status.PASS), (99, Status.INCONCLUSIVE)])
def test_a_fresh_seed_hides_what_a_hundred_runs_do_not_tell_and_ninety_nine_say_nothing(runs: int, wanted: Status) -> None:
    laws = (law(100, 100), law(runs // 2, runs // 2, runs=runs))
    assert status(ignores_tape=False, counterexamples=(case(),), laws=laws, hides=True)[0] is wanted


def test_laws_differ_at_their_share_of_the_level_and_keep_from_passing_at_a_larger_one() -> None:
    """By a joint confidence set of both shares."""
    apart = {"ignores_tape": False, "counterexamples": (case(),)}
    assert status(**apart, laws=(law(BORDER, 80),), hides=True)[0] is Status.FAIL
    assert status(**apart, laws=(law(BORDER - 1, 80),), hides=True)[0] is Status.INCONCLUSIVE
    assert status(**apart, laws=(law(115, 80),), hides=True)[0] is Status.INCONCLUSIVE
    assert status(**apart, laws=(law(114, 80),), hides=True)[0] is Status.PASS
    found = judged(tried(**apart, laws=(law(BORDER, 80),)), DICTIONARY.commuting).derived
    assert isinstance(found, Derived)
    assert found.epsilon is not None
    assert 0 < found.epsilon <= least_epsilon(BORDER, 80, 200, confidence=1 - 4e-5) <= found.epsilon + 0.01


def test_what_does_not_commute_is_no_counterexample_in_another_order() -> None:
    swapped = case(left=(("a", "set", "z"), ("b", "set", "y")), right=(("b", "set", "y"), ("a", "set", "z")))
    observed = tried(counterexamples=(swapped,))
    assert judged(observed, frozenset({"set"})).status is Status.FAIL
    assert judged(observed, frozenset()).status is Status.INCONCLUSIVE


def test_a_difference_under_one_seed_counts_where_fresh_seeds_show_one_too() -> None:
    apart = {"ignores_tape": False, "counterexamples": (case(),)}
    assert status(**apart, laws=(law(200, 0),)) == (Status.FAIL, 1.0)
    assert status(**apart, laws=(law(101, 99),)) == (Status.INCONCLUSIVE, None), "a log kept with its key looks like chance"
    assert status(**apart, laws=(law(101, 99),), hides=True) == (Status.PASS, 0.0)
    assert status(**apart, laws=(law(200, 0),), hides=True) == (Status.FAIL, 1.0)
    assert status(**apart, hides=True) == (Status.INCONCLUSIVE, None)
    assert status(**apart, laws=(law(10, 9, runs=20),), hides=True) == (Status.INCONCLUSIVE, None)


def test_chance_leaves_it_open_where_no_law_differs() -> None:
    assert status(deterministic=False, laws=(law(100, 100),)) == (Status.INCONCLUSIVE, None)
    assert status(deterministic=False, laws=(law(200, 20),)) == (Status.FAIL, 1.0)
    assert status(deterministic=False, counterexamples=(case(),)) == (Status.INCONCLUSIVE, None)


def test_many_comparisons_share_one_level() -> None:
    """A gap that decides alone is no finding among fifty."""
    gap = law(118, 69)
    apart = {"ignores_tape": False, "counterexamples": (case(),)}
    assert status(**apart, laws=(gap,))[0] is Status.FAIL
    assert status(**apart, laws=(gap, *[law(100, 100)] * 49))[0] is Status.INCONCLUSIVE


def test_a_quick_run_finds_and_never_clears() -> None:
    assert judged(tried(), DICTIONARY.commuting, quick=True).status is Status.INCONCLUSIVE
    assert judged(tried(counterexamples=(case(),)), DICTIONARY.commuting, quick=True).status is Status.FAIL


def test_what_was_not_played_is_open() -> None:
    found = judged(Observed(untried=Message("nothing-learned")), DICTIONARY.commuting)
    assert found.status is Status.INCONCLUSIVE


def test_only_adaptive_counterexamples_leave_strong_history_independence_unsaid() -> None:
    found = judged(tried(counterexamples=(case(adapts=True),)), DICTIONARY.commuting)
    assert {each.name for each in found.facts} == {"adaptively-history-independent"}


@pytest.mark.parametrize(
    ("make", "vocabulary", "wanted"),
    [
        (Tombstones, DICTIONARY, Status.FAIL),
        (Salted, DICTIONARY, Status.PASS),
        (Xor, XOR, Status.PASS),
        (OnlyIfAddressed, DICTIONARY, Status.FAIL),
    ],
    ids=["tombstones", "salted", "xor", "example 3.3"],
)
def test_controllers_come_out_as_the_paper_says(make: Any, vocabulary: Any, wanted: Status) -> None:
    found = experiment(vocabulary, rooms(make), seed=3, sizes=Sizes(ways=2, by_chance=10, searched=10, fresh=400))
    finding = judged(Observed(tried=found), vocabulary.commuting, hides=make is Xor)
    assert finding.status is wanted
    text = basis(finding.reasons)
    assert text.startswith(f"{found.histories:,} histories were played")
    assert ("a fresh seed hides every difference" in text) is (make is Xor)


def test_what_is_said_of_the_most_people_is_what_is_played() -> None:
    """A program may do something else once it is fuller, which no game shows, and the result says from where on."""
    draw = Drawing(DICTIONARY, random.Random(0))
    people = [len({each.channel for each in adversary.script(draw)}) for adversary in (*SCRIPTED, *ALIKE, *RANDOM, *REPORTED)]
    assert max(people) == 400
    for code, given in (
        ("games.played", {"games": 1000, "operations": 9000}),
        ("state.history_independent.played", {"histories": 1000, "operations": 9000}),
    ):
        assert f"by {max(people)} people at most" in sentence(Message(code, given))
