"""The games of deletion-as-control and deletion-as-confidentiality: what they find, and what they leave alone."""

from __future__ import annotations

import hashlib
import json
import random
from dataclasses import replace
from typing import Any

import pytest

from auditor.base.domain import ClaimStatus, Message, Provenance, Status
from auditor.base.histories import ANY_WORD, DELETE, Operation, Vocabulary
from auditor.document.context import ControllerFacts
from auditor.parts.controllers.judging.control.judging import (
    GamesTried,
    Observed,
    ReachedStates,
    judged,
    law_epsilon,
    reached_epsilon,
)
from auditor.parts.controllers.judging.history.observed import Event, Law
from auditor.parts.controllers.learning.elementary import BulletinBoard
from auditor.parts.controllers.learning.public_directory import PublicDirectory
from auditor.parts.controllers.observing.games.executions import Kind, game, without
from auditor.parts.controllers.observing.games.experiment import experiment
from auditor.parts.controllers.observing.histories.experiment import Sizes
from auditor.verdict.checks.finding import Finding
from auditor.verdict.guarantees import derive_guarantees, fact
from benchmarks.in_process import rooms
from judging import declared
from played_controllers import DICTIONARY, VOCABULARIES, XOR, ByTheClock, Dictionary, InOrderOfInsertion, Tombstones, Xor

SMALL = Sizes(ways=1, by_chance=10, searched=10, fresh=200)
WRITE_ONLY = Vocabulary({"set": (ANY_WORD,)}, frozenset({"set"}))


class WriteOnly(Dictionary):
    """Sound, and answers nobody."""

    def activate(self, channel: str, operation: str, argument: str | None) -> str | None:
        super().activate(channel, operation, argument)
        return None


class IgnoredOnceNamed(WriteOnly):
    """Theorem 4.4: whoever is named by somebody else can no longer delete."""

    def initialize(self, seed: int) -> str | None:
        self.named: set[str] = set()
        return super().initialize(seed)

    def activate(self, channel: str, operation: str, argument: str | None) -> str | None:
        if argument is not None and argument != channel:
            self.named.add(argument)
        if operation == DELETE and channel in self.named:
            return None
        return super().activate(channel, operation, argument)


class StaysAtItsNumber(WriteOnly):
    """Theorem 4.5: whoever deletes when as many are there as a random number told them stays until the next operation."""

    MOST = 40

    def initialize(self, seed: int) -> str | None:
        self.seed, self.waiting = seed, ""
        return super().initialize(seed)

    def activate(self, channel: str, operation: str, argument: str | None) -> str | None:
        self.kept.pop(self.waiting, None)
        self.waiting = ""
        if operation == DELETE:
            if channel in self.kept and len(self.kept) == self.kept[channel]:
                self.waiting = channel
            else:
                self.kept.pop(channel, None)
            return None
        drawn = random.Random(f"{self.seed}/{hashlib.sha256(channel.encode()).hexdigest()}").randint(1, self.MOST)
        return str(self.kept.setdefault(channel, drawn))

    def state(self) -> bytes:
        return json.dumps([sorted(self.kept.items()), self.waiting]).encode()


class Salted(WriteOnly):
    """Keeps its tape, which is no fault: the state is the contents beside it."""

    def initialize(self, seed: int) -> str | None:
        self.seed = seed
        return super().initialize(seed)

    def state(self) -> bytes:
        return super().state() + str(self.seed).encode()


class EncryptedLog(Salted):
    """A log of deletions under a mask that is kept as well: fresh tapes hide it, and the keeper reads it."""

    def initialize(self, seed: int) -> str | None:
        self.log = 0
        return super().initialize(seed)

    def activate(self, channel: str, operation: str, argument: str | None) -> str | None:
        self.log += operation == DELETE
        return super().activate(channel, operation, argument)

    def state(self) -> bytes:
        return super().state() + bytes([(self.log + self.seed) % 256])


class AfterManyOperations(WriteOnly):
    """Sound for 300 operations, and then it keeps who left."""

    def initialize(self, seed: int) -> str | None:
        self.operations, self.gone = 0, ""
        return super().initialize(seed)

    def activate(self, channel: str, operation: str, argument: str | None) -> str | None:
        self.operations += 1
        if self.operations > 300 and operation == DELETE:
            self.gone += channel
        return super().activate(channel, operation, argument)

    def state(self) -> bytes:
        return super().state() + self.gone.encode()


_GAMES = [0]


class AfterManyGames(WriteOnly):
    """Sound in the first 60 games of its process, and then it keeps who left."""

    def initialize(self, seed: int) -> str | None:
        _GAMES[0] += 1
        self.gone = ""
        return super().initialize(seed)

    def activate(self, channel: str, operation: str, argument: str | None) -> str | None:
        if _GAMES[0] > 60 and operation == DELETE:
            self.gone += channel
        return super().activate(channel, operation, argument)

    def state(self) -> bytes:
        return super().state() + self.gone.encode()


def tried(make: Any, kind: Kind, vocabulary: Vocabulary = WRITE_ONLY, sizes: Sizes = SMALL) -> GamesTried:
    return experiment(kind, vocabulary, rooms(make), seed=5, sizes=sizes)


def finding(found: GamesTried, kind: Kind, *, use: str | None = None, quick: bool = False) -> Finding:
    whole = ControllerFacts(
        use=use,
        entry=None if use else "store.py:Store",
        params={},
        operations={"set": ("*",)},
        commuting=("set",),
        games=120,
        digest="0" * 64,
    )
    context = replace(declared(), controller=whole)
    if quick:
        context = replace(context, audit=context.audit.model_copy(update={"quick": True}))
    return judged(context, Observed(tried=found), kind=kind.value)


@pytest.mark.parametrize("kind", Kind)
@pytest.mark.parametrize("make", [WriteOnly, Salted])
def test_nothing_is_found_of_a_sound_dictionary(make: Any, kind: Kind) -> None:
    found = tried(make, kind)
    assert (found.cases, found.laws) == ((), ())
    assert found.ignores_tape == (make is WriteOnly)
    assert finding(found, kind).status is Status.PASS


@pytest.mark.parametrize("kind", Kind)
@pytest.mark.parametrize("make", [Tombstones, InOrderOfInsertion, AfterManyOperations])
def test_a_broken_dictionary_is_judged_by_what_its_state_shows(make: Any, kind: Kind) -> None:
    found = tried(make, kind, WRITE_ONLY if make is AfterManyOperations else DICTIONARY)
    # The order of those who stay is the same with and without somebody else.
    assert finding(found, kind).status is (Status.PASS if make is InOrderOfInsertion else Status.FAIL)


@pytest.mark.slow
@pytest.mark.parametrize("kind", Kind)
def test_the_shortest_case_of_tombstones_is_a_word_and_a_deletion(kind: Kind) -> None:
    found = tried(Tombstones, kind, DICTIONARY)
    shortest = min(found.cases, key=lambda each: len(each.real))
    assert [row[1] for row in shortest.real] in (["set", "delete"], ["delete"])
    assert shortest.minimal


def test_theorem_4_4_whoever_is_named_cannot_leave_and_only_control_sees_it() -> None:
    assert finding(tried(IgnoredOnceNamed, Kind.CONTROL), Kind.CONTROL).status is Status.FAIL
    assert finding(tried(IgnoredOnceNamed, Kind.CONFIDENTIALITY), Kind.CONFIDENTIALITY).status is Status.PASS


@pytest.mark.slow
def test_theorem_4_5_who_leaves_by_what_they_heard_is_seen_by_control_alone() -> None:
    control = tried(StaysAtItsNumber, Kind.CONTROL)
    assert finding(control, Kind.CONTROL).status is Status.FAIL
    (reached,) = control.reached
    assert (reached.real > reached.runs * 0.7, reached.ideal) == (True, 0)
    assert finding(tried(StaysAtItsNumber, Kind.CONFIDENTIALITY), Kind.CONFIDENTIALITY).status is not Status.FAIL


@pytest.mark.slow
def test_a_board_gives_control_and_no_confidentiality() -> None:
    board = VOCABULARIES["bulletin-board"]
    assert finding(tried(BulletinBoard, Kind.CONTROL, board), Kind.CONTROL).status is Status.PASS
    shown = tried(BulletinBoard, Kind.CONFIDENTIALITY, board)
    assert finding(shown, Kind.CONFIDENTIALITY).status is Status.FAIL
    assert any(each.answers for each in shown.cases)


@pytest.mark.slow
@pytest.mark.parametrize("kind", Kind)
def test_example_2_4_passes_by_its_construction_and_not_because_nothing_was_found(kind: Kind) -> None:
    found = tried(Xor, kind, XOR)
    assert found.cases
    assert finding(found, kind, use="xor").status is Status.PASS
    assert finding(found, kind).status is Status.INCONCLUSIVE


@pytest.mark.slow
@pytest.mark.parametrize("kind", Kind)
def test_a_log_that_fresh_tapes_hide_never_passes(kind: Kind) -> None:
    assert finding(tried(EncryptedLog, kind), kind).status is not Status.PASS


@pytest.mark.slow
@pytest.mark.parametrize("kind", Kind)
@pytest.mark.parametrize("make", [AfterManyGames, ByTheClock])
def test_whoever_behaves_while_watched_never_passes(make: Any, kind: Kind, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(f"{__name__}._GAMES", [0])
    assert finding(tried(make, kind), kind).status is not Status.PASS


def test_too_few_games_a_quick_run_and_findings_that_are_not_shown_decide_nothing() -> None:
    found = tried(WriteOnly, Kind.CONTROL)
    assert finding(found, Kind.CONTROL, quick=True).status is Status.INCONCLUSIVE
    few = found.model_copy(update={"played": found.played[:2]})
    assert finding(few, Kind.CONTROL).status is Status.INCONCLUSIVE
    differing = found.played[0].model_copy(update={"different": 1})
    hidden = found.model_copy(update={"played": (differing, *found.played[1:])})
    assert finding(hidden, Kind.CONTROL).status is Status.INCONCLUSIVE


def test_a_case_in_which_nobody_deletes_is_none() -> None:
    found = tried(Tombstones, Kind.CONTROL, DICTIONARY)
    kept = tuple(each.model_copy(update={"real": each.real[:-1]}) for each in found.cases)
    assert finding(found.model_copy(update={"cases": kept, "laws": ()}), Kind.CONTROL).status is Status.INCONCLUSIVE


def test_control_ends_with_the_first_deletion_and_confidentiality_with_the_environment() -> None:
    said = (Operation("y", "set", "1"), Operation("e", "set", "2"), Operation("y", DELETE), Operation("e", "set", "3"))
    control, other = game(Kind.CONTROL, said, "y"), game(Kind.CONFIDENTIALITY, said, "y")
    assert control is not None
    assert other is not None
    assert control.history == said[:3]
    assert without(control) == said[1:2]
    assert other.history == said
    returning = game(Kind.CONFIDENTIALITY, (*said, Operation("y", "set", "4")), "y")
    assert returning is not None
    assert returning.history[-1] == Operation("y", DELETE)
    # Nobody but the subject and the controller knows the channel.
    assert game(Kind.CONFIDENTIALITY, (*said, Operation("e", "set", "y")), "y") is None
    assert game(Kind.CONTROL, said, "nobody") is None


def test_a_promise_of_epsilon_and_delta_is_refuted_by_what_exceeds_it_alone() -> None:
    law = Law(adversary="a", adapts=False, event=Event.BIT, runs=1000, left=600, right=400)
    low = law_epsilon(law, 0.0, confidence=0.95)
    assert 0.2 < low < 0.405
    assert law_epsilon(law, 0.05, confidence=0.95) < low
    assert law_epsilon(law, 0.3, confidence=0.95) == 0.0
    assert reached_epsilon(ReachedStates(adversary="a", runs=100, real=0, ideal=100), 0.0, confidence=0.95) == 0.0
    assert reached_epsilon(ReachedStates(adversary="a", runs=100, real=100, ideal=0), 0.0, confidence=0.95) > 2


@pytest.mark.slow
def test_a_public_directory_shows_a_listing_to_those_who_look_it_up() -> None:
    table = VOCABULARIES["public-directory"]
    shown = tried(lambda: PublicDirectory(horizon=15), Kind.CONFIDENTIALITY, table)
    judgement = finding(shown, Kind.CONFIDENTIALITY, use="public-directory")
    assert judgement.status is Status.FAIL
    assert [each.name for each in judgement.facts] == ["confidentiality-unrefuted"]
    kept = tried(lambda: PublicDirectory(horizon=15), Kind.CONTROL, table)
    assert finding(kept, Kind.CONTROL, use="public-directory").status is not Status.FAIL


@pytest.mark.parametrize("kind", Kind)
def test_what_a_game_refutes_no_theorem_gives(kind: Kind) -> None:
    broken = finding(tried(Tombstones, kind, DICTIONARY), kind)
    premises = ("strongly-history-independent", "controller-is-implementation", "logical-deletion")
    best = [*(fact(each, Provenance.COMPUTED, Message("fact.not-examined")) for each in premises), *broken.facts]
    guarantees = {each.id: each for each in derive_guarantees(best, epsilon=None, delta=None)}
    names = {Kind.CONTROL: "deletion-as-control", Kind.CONFIDENTIALITY: "deletion-as-confidentiality"}
    refuted = guarantees[names[kind]]
    assert (refuted.status, refuted.epsilon) == (ClaimStatus.REFUTED, None)
    assert all(route.premises[-1].how is Provenance.REFUTED for route in refuted.derivation)
    # A board may show what it likes, and still forget it.
    assert (guarantees[names[Kind.CONTROL]].status is ClaimStatus.REFUTED) == (kind is Kind.CONTROL)


@pytest.mark.slow
@pytest.mark.parametrize("kind", Kind)
def test_sound_controllers_with_a_tape_are_hardly_ever_refuted(kind: Kind) -> None:
    """At ε = δ = 0, which both keep to: a fresh start hides the one, and the other says nothing of anybody."""
    sound = [(Xor, XOR), (Salted, WRITE_ONLY)]
    refuted = 0
    for seed in range(60):
        for make, vocabulary in sound:
            found = experiment(kind, vocabulary, rooms(make), seed=seed, sizes=SMALL._replace(by_chance=2, searched=2))
            refuted += finding(found, kind).status is Status.FAIL
    assert refuted <= 1
