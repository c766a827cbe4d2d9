"""Games under every tape: laws that agree pass, laws that do not fail, and whoever can be adapted to is not decided by them."""

from __future__ import annotations

from typing import Any

import pytest
from test_control_games import SMALL, WRITE_ONLY, EncryptedLog, StaysAtItsNumber, WriteOnly, finding

from auditor.base.domain import Status
from auditor.parts.controllers.judging.control.judging import Atoms, ExactLaw, GamesTried, distance
from auditor.parts.controllers.learning.elementary import Xor
from auditor.parts.controllers.observing.games.executions import Kind
from auditor.parts.controllers.observing.games.experiment import experiment
from auditor.settings.controller import ControllerTable
from benchmarks.in_process import rooms
from played_controllers import XOR

BITS = 6


class SmallXor(Xor):
    """Example 2.4 on so few bits that every start can be tried."""

    def __init__(self) -> None:
        super().__init__(bits=BITS)


class KeepsItsKey(EncryptedLog):
    """The log is as random as without it, next to its key."""

    def initialize(self, seed: int) -> str | None:
        return super().initialize(seed % 2**BITS)


class StaysForSome(StaysAtItsNumber):
    MOST = 8

    def initialize(self, seed: int) -> str | None:
        return super().initialize(seed % 2**BITS)


class SeldomShows(WriteOnly):
    """Under one of 64 seeds it keeps who left: a game against (0, 0) finds that once in 64 plays."""

    def initialize(self, seed: int) -> str | None:
        self.shows, self.gone = seed % 2**BITS == 17, ""
        return super().initialize(seed)

    def activate(self, channel: str, operation: str, argument: str | None) -> str | None:
        if self.shows and operation == "delete":
            self.gone += channel
        return super().activate(channel, operation, argument)

    def state(self) -> bytes:
        return super().state() + self.gone.encode()


def tried(make: Any, kind: Kind, vocabulary: Any = WRITE_ONLY) -> GamesTried:
    return experiment(kind, vocabulary, rooms(make), seed=5, sizes=SMALL, bits=BITS)


@pytest.mark.parametrize("kind", Kind)
def test_example_2_4_is_explained_exactly_by_the_default_simulator(kind: Kind) -> None:
    found = tried(SmallXor, kind, XOR)
    assert found.cases
    assert len(found.exact) >= 10
    assert all(distance(each, 0.0) == (0.0, 0.0) for each in found.exact)
    judged = finding(found, kind)
    assert judged.status is Status.PASS
    assert [reason.code for reason in judged.reasons][1] == "games.exact"


def test_a_key_beside_its_log_explains_nothing() -> None:
    found = tried(KeepsItsKey, Kind.CONTROL)
    assert max(distance(each, 0.0)[0] for each in found.exact) == 1.0
    judged = finding(found, Kind.CONTROL)
    assert judged.status is Status.FAIL
    assert {each.name for each in judged.facts} >= {"control-unrefuted", "strongly-history-independent"}


def test_one_seed_of_sixty_four_is_found_and_measured() -> None:
    found = tried(SeldomShows, Kind.CONTROL)
    assert max(distance(each, 0.0)[0] for each in found.exact) == pytest.approx(1 / 2**BITS)
    assert finding(found, Kind.CONTROL).status is Status.FAIL


def test_whoever_is_told_a_number_of_the_tape_can_adapt_to_it() -> None:
    """Theorem 4.5: every fixed game comes out alike, and the one that listens does not."""
    assert finding(tried(StaysForSome, Kind.CONTROL), Kind.CONTROL).status is not Status.PASS


def test_a_game_that_differed_and_was_not_played_under_all_tapes_leaves_it_open() -> None:
    found = tried(SmallXor, Kind.CONTROL, XOR)
    differing = next(each.adversary for each in found.played if each.different)
    fewer = tuple(each for each in found.exact if each.adversary != differing)
    assert finding(found.model_copy(update={"exact": fewer}), Kind.CONTROL).status is Status.INCONCLUSIVE


def test_distances_are_those_of_the_two_laws() -> None:
    atoms = (Atoms(left=3, right=1, count=1), Atoms(left=1, right=3, count=1))
    law = ExactLaw(adversary="a", tapes=4, steady=True, atoms=atoms)
    assert distance(law, 0.0) == (0.5, 0.5)
    assert distance(law, 1.0986122886681098) == pytest.approx((0.0, 0.0), abs=1e-15)
    assert distance(law, 0.5) == pytest.approx((0.75 - 0.25 * 1.6487212707, 0.75 - 0.25 * 1.6487212707))
    with pytest.raises(ValueError, match="every one of 8 tapes"):
        distance(law.model_copy(update={"tapes": 8}), 0.0)


@pytest.mark.parametrize(("table", "bits"), [({"use": "xor", "params": {"bits": 6}}, 6), ({"use": "xor"}, None)])
def test_a_table_says_how_many_seeds_there_are(table: dict[str, Any], bits: int | None) -> None:
    assert ControllerTable(**table).tape_bits == bits
    own = ControllerTable(entry="c.py:C", operations={"add": ["*"]}, tape=4)
    assert own.tape_bits == 4
    with pytest.raises(ValueError, match="no tape with use"):
        ControllerTable(use="xor", tape=6)
    with pytest.raises(ValueError, match="12"):
        ControllerTable(entry="c.py:C", operations={"add": ["*"]}, tape=13)
