"""What games with and without one person come to: every number and rule of the judgement, at its boundary."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import pytest
from scipy.stats import beta

from auditor.base.domain import ClaimStatus, Fact, Message, Provenance, Status
from auditor.base.histories import DELETE
from auditor.base.promises import Gaussian
from auditor.document.context import ControllerFacts
from auditor.parts.controllers.judging import privacy_continual
from auditor.parts.controllers.judging.control.judging import (
    Atoms,
    ExactLaw,
    GameCase,
    GamesTried,
    Observed,
    ReachedStates,
    counts,
    judged,
)
from auditor.parts.controllers.judging.history.observed import Event, Law, Played
from auditor.parts.controllers.theorems import COMPILED, COUNTED
from auditor.settings.tables import Claims, PrivacyClaim
from auditor.verdict.checks.finding import Finding
from auditor.verdict.guarantees import Pledge, derive_guarantees, fact
from judging import declared
from two_laws import least_epsilon

KINDS = ["control.game", "confidentiality.game"]
NAME = "by-chance"
ONE_DELETION = (("y", "set", "1"), ("e", "set", "2"), ("y", DELETE, None))
DELTA = 0.125
"""A number that floats hold exactly, of tapes that it is a whole number of."""
TAPES = 4096


def case(real: Any = ONE_DELETION, digests: tuple[str, str] = ("0" * 64, "1" * 64)) -> GameCase:
    return GameCase(adversary=NAME, tape=1, subject="y", real=real, minimal=True, answers=False, digests=digests)


def tried(**given: Any) -> GamesTried:
    usual: dict[str, Any] = {
        "games": 120,
        "operations": 900,
        "deterministic": True,
        "ignores_tape": True,
        "searched": True,
        "played": (Played(adversary=NAME, histories=120, different=0),),
        "cases": (),
        "laws": (),
    }
    return GamesTried(**(usual | given))


def differing(**given: Any) -> GamesTried:
    """Games that differ under one tape, which other tapes may explain."""
    played = (Played(adversary=NAME, histories=120, different=3),)
    return tried(ignores_tape=False, played=played, cases=(case(),), **given)


def finding(
    found: GamesTried,
    kind: str,
    *,
    epsilon: float = 0.0,
    delta: float = 0.0,
    use: str | None = None,
    params: dict[str, Any] | None = None,
) -> Finding:
    whole = ControllerFacts(
        use=use,
        entry=None if use else "store.py:Store",
        params=params or {},
        operations={"set": ("*",)},
        commuting=("set",),
        games=120,
        digest="0" * 64,
    )
    claims = Claims(dp=PrivacyClaim(epsilon=epsilon, delta=delta)) if epsilon or delta else Claims()
    return judged(replace(declared(claims=claims), controller=whole), Observed(tried=found), kind=kind)


def law(left: int, right: int, runs: int = 1000) -> Law:
    return Law(adversary=NAME, adapts=False, event=Event.HOLDS, runs=runs, left=left, right=right)


def exact(*atoms: tuple[int, int], steady: bool = True) -> ExactLaw:
    """Outcomes under every tape, real and ideal counts of each; one more outcome holds what is missing to all tapes."""
    rest = (TAPES - sum(real for real, _ in atoms), TAPES - sum(ideal for _, ideal in atoms))
    each = tuple(Atoms(left=real, right=ideal, count=1) for real, ideal in (*atoms, rest))
    return ExactLaw(adversary=NAME, tapes=TAPES, steady=steady, atoms=each)


SAME = exact()


# The case itself: the one deletion that ends a game of control


@pytest.mark.parametrize(
    ("real", "control", "confidentiality"),
    [
        (ONE_DELETION, True, True),
        ((("y", DELETE, None),), True, True),
        # The game of control is over with the first deletion: what comes later is no part of it.
        ((("y", "set", "1"), ("y", DELETE, None), ("y", "set", "2"), ("y", DELETE, None)), False, True),
        ((("y", DELETE, None), ("y", DELETE, None)), False, True),
        ((*ONE_DELETION, ("e", "set", "3")), False, True),
        # Nobody who speaks after the deletion, or never deletes, was promised anything.
        ((*ONE_DELETION, ("y", "set", "3")), False, False),
        (ONE_DELETION[:2], False, False),
        ((("y", "set", "1"), ("e", DELETE, None)), False, False),
    ],
    ids=["one", "alone", "two", "twice in a row", "others go on", "returns", "stays", "another's"],
)
def test_control_is_a_game_of_exactly_one_deletion_which_ends_it(real: Any, control: bool, confidentiality: bool) -> None:
    assert counts(case(real), "control.game") is control
    assert counts(case(real), "confidentiality.game") is confidentiality
    # What a fresh start explains passes; a case that is none explains nothing.
    found = differing(laws=(law(400, 400),)).model_copy(update={"cases": (case(real),)})
    for kind, counted in zip(KINDS, (control, confidentiality), strict=True):
        judgement = finding(found, kind, use="xor")
        assert judgement.derived is not None
        assert judgement.derived.model_dump()["cases"] == counted
        assert judgement.status is (Status.PASS if counted else Status.INCONCLUSIVE)


@pytest.mark.parametrize("kind", KINDS)
def test_two_executions_that_end_alike_are_no_case(kind: str) -> None:
    assert not counts(case(digests=("0" * 64, "0" * 64)), kind)


# How many games


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(
    ("games", "histories", "status"),
    [(50, (50,), Status.PASS), (49, (50,), Status.INCONCLUSIVE), (50, (49,), Status.INCONCLUSIVE), (50, (25, 25), Status.PASS)],
)
def test_fifty_games_are_enough_and_forty_nine_show_nothing(
    kind: str, games: int, histories: tuple[int, ...], status: Status
) -> None:
    played = tuple(Played(adversary=f"{NAME}-{number}", histories=each, different=0) for number, each in enumerate(histories))
    assert finding(tried(games=games, played=played), kind).status is status


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(("runs", "status"), [(100, Status.PASS), (99, Status.INCONCLUSIVE)])
def test_a_fresh_start_hides_what_a_hundred_runs_do_not_tell_and_ninety_nine_say_nothing(
    kind: str, runs: int, status: Status
) -> None:
    laws = (law(80, 80, runs=1000), law(runs // 2, runs // 2, runs=runs))
    assert finding(differing(laws=laws), kind, use="xor").status is status


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(("games", "status"), [(10, Status.PASS), (9, Status.INCONCLUSIVE)])
def test_ten_games_under_every_tape_decide_and_nine_do_not(kind: str, games: int, status: Status) -> None:
    assert finding(differing(exact=(SAME,) * games), kind).status is status


# Under every tape: δ is near, 2δ one way and (1 + e^ε) δ the other are far


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("sides", ["real", "ideal"])
@pytest.mark.parametrize("epsilon", [0.0, math.log(3)])
def test_laws_are_near_up_to_delta_and_far_beyond_what_a_simulator_may_cost(kind: str, sides: str, epsilon: float) -> None:
    def status(tapes: int) -> Status:
        """Of games, in one of which so many tapes of one side lead where none of the other does."""
        only = exact((tapes, 0) if sides == "real" else (0, tapes))
        return finding(differing(exact=(*[SAME] * 9, only)), kind, epsilon=epsilon, delta=DELTA).status

    delta = int(DELTA * TAPES)
    # The other execution's probability is (1 + e^ε) δ at most where the simulator's costs count twice: 2δ, and 4δ at ε = ln 3.
    far = 2 * delta if sides == "real" or epsilon == 0 else 4 * delta
    assert (status(delta), status(delta + 1)) == (Status.PASS, Status.INCONCLUSIVE)
    assert (status(far), status(far + 1)) == (Status.INCONCLUSIVE, Status.FAIL)


@pytest.mark.parametrize("kind", KINDS)
def test_without_a_promise_one_tape_of_all_is_too_many(kind: str) -> None:
    assert finding(differing(exact=(SAME,) * 10), kind).status is Status.PASS
    assert finding(differing(exact=(*[SAME] * 9, exact((1, 0), (0, 1)))), kind).status is Status.FAIL


@pytest.mark.parametrize("kind", KINDS)
def test_whoever_is_told_a_number_of_the_tape_is_not_decided_by_every_tape(kind: str) -> None:
    assert finding(differing(exact=(*[SAME] * 10, exact(steady=False))), kind).status is Status.INCONCLUSIVE


# Under fresh tapes: what fails holds in all but four audits of 100,000 together, and what is open in all but one of 1,000
SURE = 1 - 4e-5


def log_of_quotient(high: int, low: int, runs: int, *, confidence: float, sides: int) -> float:
    """ln of the least over the greatest probability that exact intervals leave, each with its part of the error."""
    tail = (1 - confidence) / sides / 2
    return math.log(beta.ppf(tail, high, runs - high + 1) / beta.ppf(1 - tail, low + 1, runs - low))


@pytest.mark.parametrize("kind", KINDS)
def test_a_law_refutes_at_its_share_of_the_level_and_keeps_from_passing_at_a_larger_one(kind: str) -> None:
    found = finding(tried(ignores_tape=False, laws=(law(498, 400),)), kind)
    assert found.status is Status.FAIL
    assert found.derived is not None
    refuted = found.derived.model_dump()["refuted_epsilon"]
    assert 0 < refuted <= least_epsilon(498, 400, 1000, confidence=SURE) <= refuted + 0.01
    for left, status in ((497, Status.INCONCLUSIVE), (480, Status.INCONCLUSIVE), (479, Status.PASS)):
        assert finding(tried(ignores_tape=False, laws=(law(left, 400),)), kind).status is status
    assert least_epsilon(480, 400, 1000, confidence=0.999) > 0.002 > least_epsilon(479, 400, 1000, confidence=0.999)


@pytest.mark.parametrize("kind", KINDS)
def test_reached_states_refute_at_the_same_confidence(kind: str) -> None:
    def status(real: int) -> Status:
        reached = (ReachedStates(adversary=NAME, runs=1000, real=real, ideal=0),)
        return finding(tried(ignores_tape=False, reached=reached), kind).status

    assert (status(29), status(28)) == (Status.FAIL, Status.INCONCLUSIVE)
    assert (status(21), status(20)) == (Status.INCONCLUSIVE, Status.PASS)
    assert log_of_quotient(21, 0, 1000, confidence=0.999, sides=2) > 0 > log_of_quotient(20, 0, 1000, confidence=0.999, sides=2)


@pytest.mark.parametrize("kind", KINDS)
def test_laws_and_reached_states_share_one_confidence(kind: str) -> None:
    """What decides alone is no finding next to another law, or next to adaptive parties."""
    alone = law(500, 400)
    other = ReachedStates(adversary=NAME, runs=1000, real=0, ideal=0)
    assert finding(tried(ignores_tape=False, laws=(alone,)), kind).status is Status.FAIL
    assert finding(tried(ignores_tape=False, laws=(alone, law(400, 400))), kind).status is Status.INCONCLUSIVE
    assert finding(tried(ignores_tape=False, laws=(alone,), reached=(other,)), kind).status is Status.INCONCLUSIVE


@pytest.mark.parametrize("kind", KINDS)
def test_what_is_refuted_is_held_against_the_promise(kind: str) -> None:
    found = tried(ignores_tape=False, laws=(law(800, 300),))
    refuted, doubted = (least_epsilon(800, 300, 1000, confidence=each) for each in (SURE, 0.999))
    assert refuted < doubted
    assert finding(found, kind, epsilon=refuted - 0.01, delta=0.0).status is Status.FAIL
    assert finding(found, kind, epsilon=refuted * 1.0001, delta=0.0).status is Status.INCONCLUSIVE
    assert finding(found, kind, epsilon=doubted - 0.01, delta=0.0).status is Status.INCONCLUSIVE
    assert finding(found, kind, epsilon=doubted * 1.0001, delta=0.0).status is Status.PASS


# What a game of a private controller plays against: control and confidentiality follow from one fact, and fall together

PRIVATE = {"tree-counter": "pan-private", "batch-model": "batch-private", "public-directory": "part-has-control"}
MADE_FOR = {"epsilon": 1.0, "delta": 1e-6}


def withdrawn(kind: str, use: str, left: int, right: int, **claimed: float) -> set[str]:
    """The facts that one law refutes, of a controller that is made for ε = 1."""
    found = finding(tried(ignores_tape=False, laws=(law(left, right),)), kind, use=use, params=MADE_FOR, **claimed)
    assert all(each.how is Provenance.REFUTED for each in found.facts)
    return {each.name for each in found.facts}


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("use", PRIVATE)
def test_a_game_beyond_the_promise_withdraws_the_fact_that_it_plays_against(kind: str, use: str) -> None:
    by_design = (kind, use) == ("confidentiality.game", "public-directory")
    assert (PRIVATE[use] in withdrawn(kind, use, 900, 100)) is not by_design
    assert withdrawn(kind, use, 600, 400) == set()


@pytest.mark.parametrize("kind", KINDS)
def test_a_claim_of_less_does_not_spare_what_the_controller_is_made_for(kind: str) -> None:
    """Its guarantee states ε = 1, whatever is claimed: a game that refutes 1 and not the claimed 9 withdraws it all the same."""
    assert withdrawn(kind, "tree-counter", 900, 100, epsilon=9.0, delta=1e-6) == {"pan-private"}
    assert withdrawn(kind, "tree-counter", 600, 400, epsilon=9.0, delta=1e-6) == set()


@pytest.mark.parametrize("kind", KINDS)
def test_control_and_confidentiality_that_rest_on_one_fact_fall_together(kind: str) -> None:
    needs = {name for rule in (COMPILED, COUNTED) for name in rule.needs}
    facts = [fact(name, Provenance.COMPUTED, Message("fact.not-examined")) for name in needs]
    names = {"control.game": "deletion-as-control", "confidentiality.game": "deletion-as-confidentiality"}

    def statuses(*more: Fact) -> dict[str, ClaimStatus]:
        found = derive_guarantees([*facts, *more], epsilon=None, delta=None, continual=Pledge(1.0, 1e-6))
        return {each.id: each.status for each in found if each.id in names.values()}

    assert set(statuses().values()) == {ClaimStatus.SUPPORTED}
    broken = finding(tried(ignores_tape=False, laws=(law(900, 100),)), kind, use="tree-counter", params=MADE_FOR)
    for name, status in statuses(*broken.facts).items():
        assert status is (ClaimStatus.REFUTED if name == names[kind] else ClaimStatus.NOT_SHOWN)


@pytest.mark.parametrize("kind", KINDS)
def test_what_a_game_refutes_is_pledged_to_nobody(kind: str) -> None:
    """A claim of differential privacy is what a person gets of the noise: nothing, where a game refutes that."""
    derived = privacy_continual.Derived(
        delta=1e-6,
        sources=(),
        sigma=1.0,
        horizon=15,
        rule="tree-counter",
        broken=(),
        for_a_person=privacy_continual.Promise(epsilon=1.0, delta=1e-6),
    )
    passing = {privacy_continual.CARD.id: Finding(Status.PASS, derived=derived)}
    assert privacy_continual.pledged(passing) == Pledge(1.0, 1e-6, Gaussian(mu=2.0))
    broken = finding(tried(ignores_tape=False, laws=(law(900, 100),)), kind, use="tree-counter", params=MADE_FOR)
    assert privacy_continual.pledged({**passing, kind: broken}) is None
