"""Two declared programs side by side (Theorem 6.4): what follows of a sound pair, and of none that breaks a premise."""

from __future__ import annotations

import itertools
import json
import random
import tomllib
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from pydantic import ValidationError

from auditor.base.domain import ClaimStatus, Fact, Guarantee, Message, Provenance, Status
from auditor.base.histories import Vocabulary
from auditor.document.context import ControllerFacts, ProgramPart
from auditor.learning.side_by_side import Heard, Parallel, joined, tape_of, together
from auditor.pages.derivation_tree import shown
from auditor.parts.controllers.cards import APART, ASKER, CHANCE, FIRST, SECOND
from auditor.parts.controllers.judging import privacy_continual
from auditor.parts.controllers.judging.control import control_game
from auditor.parts.controllers.judging.control.judging import Observed as Games
from auditor.parts.controllers.judging.control.judging import goal
from auditor.parts.controllers.judging.history import independence
from auditor.parts.controllers.judging.history.independence import CHECK
from auditor.parts.controllers.judging.history.observed import Observed, Parts, Together, Tried
from auditor.parts.controllers.judging.made_for import made_for
from auditor.parts.controllers.observing.games.executions import Kind
from auditor.parts.controllers.observing.games.experiment import experiment as play
from auditor.parts.controllers.observing.histories.experiment import Sizes, experiment
from auditor.parts.controllers.observing.histories.playing import Player
from auditor.parts.controllers.observing.histories.side_by_side import observe
from auditor.parts.controllers.theorems import DECLARED
from auditor.recheck import recheck
from auditor.settings.controller import ControllerTable, NothingLearned, PartTable
from auditor.settings.tables import Claims
from auditor.verdict.checks import attested
from auditor.verdict.checks.finding import Finding
from auditor.verdict.guarantees import CONTROL, Pledge, derive_guarantees, fact
from benchmarks.in_process import rooms
from judging import declared
from played_controllers import BROUGHT, DICTIONARY, ByTheClock, Dictionary, Salted, Tombstones
from sample_cases import GOLDEN

COUNTER = {"epsilon": 1.0, "delta": 1e-6, "horizon": 15}
HEARS = {"get": ("add", False), "tick": ("tick", False)}
OWN = {name: (name, bool(given)) for name, given in DICTIONARY.arguments.items()}
PAIR = Vocabulary({"set": ("*",), "get": (), "tick": ()}, frozenset({"set", "get"}), frozenset({"tick"}))
WORDS = (
    "controller-is-implementation",
    "logical-deletion",
    "seed-secret",
    "first-part-strongly-history-independent",
    "first-part-answers-without-chance",
    "parts-share-nothing",
    "parts-answer-the-asker",
)
SMALL = Sizes(ways=3, by_chance=20, searched=20, fresh=4)
BOARD: list[str] = []
"""What a pair that is not apart has in common."""


class AnswersByChance(Dictionary):
    """Broken: what is answered to a look-up is drawn."""

    def initialize(self, seed: int) -> str | None:
        self.drawn = random.Random(seed)
        return super().initialize(seed)

    def activate(self, channel: str, operation: str, argument: str | None) -> str | None:
        said = super().activate(channel, operation, argument)
        return str(self.drawn.getrandbits(32)) if operation == "get" else said


class ChoosesByChance(Dictionary):
    """Broken: of several that begin alike one is drawn to be the answer."""

    def initialize(self, seed: int) -> str | None:
        self.seed = seed
        return super().initialize(seed)

    def activate(self, channel: str, operation: str, argument: str | None) -> str | None:
        said = super().activate(channel, operation, argument)
        if operation != "set" or argument is None:
            return said
        found = sorted(each for each in self.kept.values() if each.split(" ")[0] == argument.split(" ")[0])
        return str(random.Random(f"{self.seed}/{found}").choice(found))


class GreetsByChance(Dictionary):
    """Broken: whoever connects hears a number of the tape."""

    def initialize(self, seed: int) -> str | None:
        super().initialize(seed)
        return str(seed % 1_000)


class Publishes(Dictionary):
    """Broken: what it keeps lies where the other part reads."""

    def activate(self, channel: str, operation: str, argument: str | None) -> str | None:
        said = super().activate(channel, operation, argument)
        BOARD[:] = sorted(self.kept)
        return said


class Counter:
    """Sound: counts who was ever there, and answers nobody."""

    def initialize(self, seed: int) -> None:
        del seed
        self.there: set[str] = set()

    def activate(self, channel: str, operation: str, argument: str | None) -> str | None:
        del argument
        if operation == "delete":
            self.there.discard(channel)
        elif operation == "add":
            self.there.add(channel)
        return str(len(self.there)) if operation == "tick" else None

    def state(self) -> bytes:
        return json.dumps(sorted(self.there)).encode()


class KeepsTheOthers(Counter):
    """Broken: its state is what the first part published."""

    def state(self) -> bytes:
        return super().state() + json.dumps(BOARD).encode()


class KeepsTheDeleted(Counter):
    """Broken: who left is not forgotten."""

    def initialize(self, seed: int) -> None:
        super().initialize(seed)
        self.named: set[str] = set()

    def activate(self, channel: str, operation: str, argument: str | None) -> str | None:
        self.named.add(channel)
        return super().activate(channel, operation, argument)

    def state(self) -> bytes:
        return super().state() + json.dumps(sorted(self.named)).encode()


class WritesDown(Dictionary):
    """Broken: a file that anybody in the folder may open."""

    def activate(self, channel: str, operation: str, argument: str | None) -> str | None:
        Path("shared.txt").write_text(channel)
        return super().activate(channel, operation, argument)


class SendsToOthers(Dictionary):
    """Broken: somebody else is answered, by a letter that lies in a folder of theirs."""

    def activate(self, channel: str, operation: str, argument: str | None) -> str | None:
        if operation == "set" and argument:
            Path("outbox").mkdir(exist_ok=True)
            Path("outbox", f"{argument[:20].encode().hex()}.txt").write_text(channel)
        return super().activate(channel, operation, argument)


class ReadsTheFile(Counter):
    def state(self) -> bytes:
        there = Path("shared.txt")
        return super().state() + (there.read_bytes() if there.exists() else b"")


class TakesTheTape(Counter):
    """It works out the tape of the first part by every sum that a hostile hand would try."""

    def initialize(self, seed: int) -> None:
        super().initialize(seed)
        self.guesses = {seed ^ 1, seed - 1, seed + 1, seed // 2, 2 * seed, 2 * seed + 1}


@contextmanager
def player(make: Any) -> Iterator[Player]:
    with rooms(make)() as (one, _other):
        yield one


def compared(first: Any, second: Any, hears: Any = HEARS) -> Together:
    """The pair against its parts. Files that come into the working directory are counted: the test needs one of its own."""
    heard = [{name: Heard(*said) for name, said in each.items()} for each in (OWN, hears)]
    before = set(Path().rglob("*"))
    return observe(
        PAIR,
        (OWN, hears),
        lambda: player(lambda: Parallel(first(), second(), heard)),
        [lambda: player(first), lambda: player(second)],
        lambda _player: len({each for each in Path().rglob("*") if each.is_file()} - before),
        seed=3,
        by_chance=8,
    )


def tried(make: Any, vocabulary: Vocabulary = DICTIONARY) -> Tried:
    return experiment(vocabulary, rooms(make), seed=7, sizes=SMALL)


def part(use: str | None, vocabulary: Vocabulary, hears: dict[str, str] | None = None, **params: Any) -> ProgramPart:
    return ProgramPart(
        use=use,
        entry=None if use else "own.py:Mine",
        params=params,
        operations=dict(vocabulary.arguments),
        commuting=tuple(vocabulary.commuting),
        environment=tuple(vocabulary.environment),
        hears=hears or {name: name for name in vocabulary.arguments},
    )


def pair(first: str | None = None, second: str | None = "tree-counter") -> ControllerFacts:
    counts = second == "tree-counter"
    ticks = Vocabulary({"add": (), "tick": ()}, frozenset({"add"}), frozenset({"tick"}))
    return ControllerFacts(
        use=None,
        entry=None,
        params={},
        operations=dict(PAIR.arguments),
        commuting=tuple(PAIR.commuting),
        environment=tuple(PAIR.environment),
        games=20,
        digest="0" * 64,
        first=part(first, DICTIONARY),
        second=part(second, ticks, {"get": "add", "tick": "tick"}, **COUNTER) if counts else part(second, DICTIONARY),
    )


def together_of(**changes: Any) -> Together:
    usual = {"histories": 40, "operations": 400, "apart": 0, "repeats": True, "tapes": 4, "by_chance": 0, "files": 0}
    return Together(**(usual | changes))


def concluded(
    whole: ControllerFacts,
    parts: Parts | None,
    *,
    words: tuple[str, ...] = WORDS,
    counter: Provenance | None = Provenance.COMPUTED,
) -> tuple[Guarantee, dict[str, Fact]]:
    """Control, and the facts, by what plays of the parts showed; the pair itself was played and stayed open."""
    claims = Claims.model_construct(
        **(Claims().model_dump() | {"attested": words, "attested_by": "K. E.", "attested_at": date(2026, 1, 1), "dp": None})
    )
    context = declared(controller=whole, procedure=NothingLearned(seed="1"), claims=claims)
    finding = CHECK.judge(context, Observed(parts=parts), {})
    found = [*finding.facts]
    if counter is not None and whole.second is not None and whole.second.use == "tree-counter":
        found.append(fact(SECOND, counter, Message("fact.continual.ours", {"use": "tree-counter"})))
    named = {each.name for each in found}
    found += [each for each in attested.facts(context, Finding(Status.SKIPPED)) if each.name not in named]
    pledges = CHECK.pledges(context, {CHECK.card.id: finding})
    continual = Pledge(1.0, 1e-6) if counter is Provenance.COMPUTED and privacy_continual.reporting(whole) is not whole else None
    guarantees = derive_guarantees(found, epsilon=None, delta=None, continual=continual, parts=pledges.parts)
    return next(each for each in guarantees if each.id == CONTROL), {each.name: each for each in found}


@pytest.fixture(scope="module")
def sound() -> Tried:
    return tried(Dictionary)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    BOARD.clear()
    return tmp_path


@pytest.mark.usefixtures("folder")
def test_a_sound_pair_is_made_of_its_parts_and_has_the_noise_of_the_second() -> None:
    found = compared(Dictionary, lambda: BROUGHT["tree-counter"](**COUNTER))
    assert (found.apart, found.repeats, found.by_chance, found.files) == (0, True, 0, 0)
    assert found.histories >= 20
    salted = compared(Salted, Counter)
    assert (salted.apart, salted.by_chance) == (0, 0), "chance in the state is not chance in the answers"


@pytest.mark.attempt("programs side by side")
@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize(
    ("first", "second", "what"),
    [
        (AnswersByChance, Counter, "by_chance"),
        (ChoosesByChance, Counter, "by_chance"),
        (GreetsByChance, Counter, "by_chance"),
        (Publishes, KeepsTheOthers, "apart"),
        (WritesDown, ReadsTheFile, "files"),
        (SendsToOthers, Counter, "files"),
        (WritesDown, Counter, "files"),
    ],
    ids=lambda each: getattr(each, "__name__", str(each)),
)
def test_a_broken_pair_is_caught_and_no_word_makes_up_for_it(first: Any, second: Any, what: str, sound: Tried) -> None:
    found = compared(first, second)
    assert getattr(found, what) > 0
    control, facts = concluded(pair(), Parts(first=sound, second=None, together=found))
    assert control.status is ClaimStatus.NOT_SHOWN
    assert control.epsilon is None
    broken = facts[CHANCE if what == "by_chance" else APART].how
    assert broken in {Provenance.REFUTED, Provenance.UNKNOWN}
    if first is not Publishes:
        assert broken is Provenance.REFUTED


@pytest.mark.usefixtures("folder")
def test_a_part_that_cannot_be_repeated_decides_nothing_and_passes_nothing(sound: Tried) -> None:
    found = compared(ByTheClock, Counter)
    assert not found.repeats
    control, facts = concluded(pair(), Parts(first=sound, second=None, together=found))
    assert control.status is ClaimStatus.NOT_SHOWN
    assert facts[APART].how is Provenance.UNKNOWN


@pytest.mark.attempt("programs side by side")
@pytest.mark.parametrize(("first", "second"), [(Tombstones, Counter), (Dictionary, KeepsTheDeleted)])
def test_the_game_of_control_is_played_against_both_as_one(first: Any, second: Any) -> None:
    """Whatever is said of the parts, what the two keep after a deletion must have come about without the person."""
    heard = [{name: Heard(*said) for name, said in each.items()} for each in (OWN, HEARS)]
    games = play(Kind.CONTROL, PAIR, rooms(lambda: Parallel(first(), second(), heard)), seed=5, sizes=SMALL._replace(fresh=120))
    context = declared(controller=pair(None, None), procedure=NothingLearned(seed="1"))
    found = control_game.judge(context, Games(tried=games), {})
    assert found.status is Status.FAIL
    assert {SECOND, "control-unrefuted"} <= {each.name for each in found.facts if each.how is Provenance.REFUTED}


@pytest.mark.attempt("programs side by side")
def test_neither_part_can_work_out_the_tape_of_the_other() -> None:
    """A part that knew it could keep the noise of the other, and no comparison would show that."""
    for seed in (0, 1, 7, 2**47, 2**130 + 5):
        one, other = (tape_of(seed, number) for number in (0, 1))
        cheat = TakesTheTape()
        cheat.initialize(other)
        assert one not in cheat.guesses
        assert one >> 64 != other >> 64
        assert one != seed != other


def test_states_are_put_together_so_that_no_two_pairs_look_alike() -> None:
    pieces = (b"", b"a", b"1:", b"1:a", b"a,b", b"0:", b"[", b"12:a")
    made = [joined(each) for each in itertools.product(pieces, repeat=2)]
    assert len(set(made)) == len(made)
    for wrong in ("text", bytearray(b"a"), None):
        with pytest.raises(TypeError):
            joined([b"a", wrong])  # type: ignore[list-item]


def test_answers_of_both_come_together_and_of_one_as_they_are() -> None:
    assert together([None, None]) is None
    assert together(["a", None]) == together([None, "a"]) == "a"
    assert together(["a", "b"]) == '["a", "b"]'
    with pytest.raises(TypeError):
        together(["a", {"to": "somebody else"}])  # type: ignore[list-item]


def test_own_code_next_to_a_counter_is_supported_with_every_word_and_not_without_one(sound: Tried) -> None:
    parts = Parts(first=sound, second=None, together=together_of())
    control, facts = concluded(pair(), parts)
    assert (control.status, control.epsilon, control.delta) == (ClaimStatus.SUPPORTED, 1.0, 1e-6)
    assert {facts[name].how for name in (FIRST, CHANCE, APART, ASKER)} == {Provenance.ATTESTED}
    for word in WORDS:
        without, _ = concluded(pair(), parts, words=tuple(each for each in WORDS if each != word))
        assert without.status is ClaimStatus.NOT_SHOWN, word
    for counter in (None, Provenance.REFUTED):
        assert concluded(pair(), parts, counter=counter)[0].status is ClaimStatus.NOT_SHOWN


def test_two_programs_of_ours_need_no_word_for_how_they_are_written(sound: Tried) -> None:
    parts = Parts(first=sound, second=None, together=together_of())
    said = ("controller-is-implementation", "logical-deletion", "seed-secret")
    control, facts = concluded(pair("dictionary"), parts, words=said)
    assert control.status is ClaimStatus.SUPPORTED, "that the noise is secret and nothing is kept outside stays a word"
    assert {facts[name].how for name in (FIRST, CHANCE, APART, ASKER)} == {Provenance.COMPUTED}
    # One that is not exact by construction is no first part, whatever is said of it.
    other, facts = concluded(pair("sqlite-rebuilt"), parts)
    assert (other.status, facts[FIRST].how) == (ClaimStatus.NOT_SHOWN, Provenance.UNKNOWN)


def test_a_second_part_without_noise_has_both_numbers_at_zero(sound: Tried) -> None:
    parts = Parts(first=sound, second=sound, together=together_of())
    word = "second-part-strongly-history-independent"
    control, facts = concluded(pair(None, None), parts, words=(*WORDS, word))
    assert (control.status, control.epsilon, control.delta) == (ClaimStatus.SUPPORTED, 0.0, 0.0)
    assert facts[SECOND].how is Provenance.ATTESTED
    assert concluded(pair(None, None), parts)[0].status is ClaimStatus.NOT_SHOWN
    ours, facts = concluded(pair(None, "dictionary"), parts)
    assert (ours.status, ours.epsilon, facts[SECOND].how) == (ClaimStatus.SUPPORTED, 0.0, Provenance.COMPUTED)
    for bad in (tried(Tombstones), sound.model_copy(update={"deterministic": False})):
        broken, facts = concluded(pair(None, None), parts.model_copy(update={"second": bad}), words=(*WORDS, word))
        assert broken.status is ClaimStatus.NOT_SHOWN
        assert facts[SECOND].how in {Provenance.REFUTED, Provenance.UNKNOWN}


def test_the_word_for_one_program_counts_for_no_pair_and_no_page_asks_for_it(sound: Tried) -> None:
    """Each part has a word of its own: what is said of both as one is no way around them."""
    parts = Parts(first=sound, second=sound, together=together_of())
    said = ("controller-is-implementation", "logical-deletion", "strongly-history-independent", "answers-from-own-data")
    control, facts = concluded(pair(None, None), parts, words=said)
    assert (control.status, control.epsilon) == (ClaimStatus.NOT_SHOWN, None)
    assert not {"strongly-history-independent", "answers-from-own-data"} & facts.keys()
    assert shown(control).rule == DECLARED.id, "though it lacks more premises than Theorem 3.7"


@pytest.mark.attempt("programs side by side")
def test_a_first_part_that_keeps_traces_is_found_by_itself_whatever_noise_lies_next_to_it() -> None:
    parts = Parts(first=tried(Tombstones), second=None, together=together_of())
    control, facts = concluded(pair(), parts)
    assert (control.status, facts[FIRST].how) == (ClaimStatus.NOT_SHOWN, Provenance.REFUTED)


@pytest.mark.parametrize("changes", [{"histories": 3}, {"apart": 1}, {"by_chance": 1}, {"files": 1}, {"repeats": False}])
def test_each_thing_that_is_compared_keeps_the_conclusion_from_standing(changes: dict[str, Any], sound: Tried) -> None:
    for first in (None, "dictionary"):
        if first and "files" in changes:
            continue  # programs of ours keep what they need where nobody else looks
        control, _ = concluded(pair(first), Parts(first=sound, second=None, together=together_of(**changes)))
        assert control.status is ClaimStatus.NOT_SHOWN, first


def test_what_was_not_played_is_open_and_next_to_a_learner_nothing_follows(sound: Tried) -> None:
    assert concluded(pair(), None)[0].status is ClaimStatus.NOT_SHOWN
    context = declared(controller=pair(), claims=Claims())
    assert CHECK.judge(context, Observed(parts=Parts(first=sound, second=None, together=together_of())), {}).facts == ()


def test_the_games_of_a_pair_are_held_to_what_its_second_part_is_made_for() -> None:
    assert made_for(pair()) == goal(declared(controller=pair(), claims=Claims())) == (1.0, 1e-6)
    assert made_for(pair(None, None)) == (0.0, 0.0)
    assert privacy_continual.private_fact(pair()) == SECOND
    assert independence.of_controller(pair(), attested=WORDS) == ()


def test_a_pair_may_be_asked_what_reaches_a_part_and_the_clock_stays_the_environment_s() -> None:
    table = ControllerTable(
        first=PartTable(entry="a.py:A", operations={"set": ["*"], "get": ["*"]}, commuting=("set",)),
        second=PartTable(use="tree-counter", hears={"get": "add", "when": "tick"}),
    )
    assert table.vocabulary.arguments == {"set": ("*",), "get": ("*",), "when": ()}
    assert table.vocabulary.commuting == {"set"}, "order counts for one who hears of it"
    assert table.vocabulary.environment == {"when"}
    assert table.named == "a.py:A + tree-counter"
    assert table.foreign


@pytest.mark.parametrize(
    ("second", "expected"),
    [
        ('use = "dictionary"\nhears = { delete = "set" }', "hears without delete"),
        ('use = "dictionary"\nhears = { set = "store" }', r'hears as { name in the pair = "name in the part" }, .* \(get, set\)'),
        ('use = "dictionary"\nhears = {}', "at least one operation"),
        ('use = "dictionary"\noperations = ["set"]', "no operations with use"),
        ('use = "dictionary"\nentry = "a.py:A"', "either use"),
    ],
)
def test_what_does_not_fit_is_refused(second: str, expected: str) -> None:
    with pytest.raises(ValueError, match=expected):
        ControllerTable(first=PartTable(use="dictionary"), second=PartTable.model_validate(tomllib.loads(second)))


OWN_LOOK = 'entry = "a.py:A"\noperations = { publish = ["*"], look = ["*"] }\ncommuting = ["publish", "look"]'
COUNTS = 'use = "tree-counter"\n'


@pytest.mark.attempt("programs side by side")
@pytest.mark.parametrize(
    ("first", "second", "where", "expected", "declared"),
    [
        ('use = "bulletin-board"', COUNTS + 'hears = { post = "add", read = "tick" }', "second", "read", None),
        (
            'use = "dictionary"',
            'use = "square-root-counter"\nhears = { set = "add", get = "tick" }',
            "second",
            "get",
            None,
        ),
        ('use = "dictionary"\nhears = { look = "get" }', COUNTS + 'hears = { look = "tick" }', "second", "look", None),
        (OWN_LOOK, COUNTS + 'hears = { publish = "add", look = "tick" }', "second", "look", "first"),
        ('entry = "a.py:A"\noperations = ["add", "tick"]', COUNTS, "second", "tick", "first"),
        (OWN_LOOK, 'entry = "b.py:B"\noperations = ["look"]\nenvironment = ["look"]', "second", "look", "first"),
        (OWN_LOOK + '\nenvironment = ["look"]', 'use = "dictionary"\nhears = { look = "get" }', "first", "look", None),
        (OWN_LOOK + '\nenvironment = ["look"]', 'entry = "b.py:B"\noperations = ["look"]', "first", "look", "second"),
        (COUNTS, 'use = "dictionary"\nhears = { add = "set", tick = "get" }', "first", "tick", None),
    ],
)
def test_nobody_who_asks_one_part_moves_the_clock_of_the_other(
    first: str, second: str, where: str, expected: str, declared: str | None
) -> None:
    """The clock of the pair would be the environment's, and no game would let a person who reads move it."""
    given = {"first": tomllib.loads(first), "second": tomllib.loads(second)}
    with pytest.raises(ValidationError) as caught:
        ControllerTable.model_validate(given)
    (error,) = caught.value.errors()
    assert error["loc"] == (where, "hears")
    assert error["msg"].startswith(f'expected "{expected}" to reach an operation that people may ask for')
    assert ("or environment of" in error["msg"]) == (declared is not None)
    if declared is not None:
        assert f"environment of controller.{declared} to name" in error["msg"]
        given[declared]["environment"] = [expected]
        assert expected in ControllerTable.model_validate(given).vocabulary.environment


@pytest.mark.parametrize("left_out", ["look", "tick"])
def test_what_hears_leaves_out_reaches_neither_part_by_another_name(left_out: str) -> None:
    """A part that hears of no `look` is asked for none, and the clock that the pair has no name for never moves."""
    first = {"hears": {"publish": "publish"}} if left_out == "look" else {}
    second = {"publish": "add", "look": "tick"} if left_out == "look" else {"publish": "add"}
    table = ControllerTable.model_validate(
        {"first": tomllib.loads(OWN_LOOK) | first, "second": {"use": "tree-counter", "hears": second}}
    )
    assert table.vocabulary.arguments.keys() == {"publish", "look"}
    assert table.vocabulary.environment == ({"look"} if left_out == "look" else set())


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ({"first": PartTable(use="dictionary")}, "first and second"),
        ({"use": "dictionary"}, "no use with first and second"),
        ({"params": {"a": 1}}, "no params with first and second"),
        ({"tape": 3}, "no tape with first and second"),
    ],
)
def test_a_pair_has_two_parts_and_nothing_of_its_own(given: dict[str, Any], expected: str) -> None:
    both = {"first": PartTable(use="dictionary"), "second": PartTable(use="dictionary")} if "first" not in given else {}
    with pytest.raises(ValueError, match=expected):
        ControllerTable(**(both | given))


CHANGES: dict[str, Any] = {
    "a part of its own": lambda stated: stated.update(use="dictionary"),
    "one part alone": lambda stated: stated.pop("second"),
    "a second part of ours that is not there": lambda stated: stated["second"].update(use="safe-counter"),
    "operations of ours that are not its own": lambda stated: stated["second"].update(environment=[]),
    "something that neither part hears": lambda stated: stated["operations"].update(more=[]),
    "a clock that people may ask": lambda stated: stated.update(environment=[]),
    "a clock that whoever reads moves": lambda stated: stated["second"].update(hears={"get": "tick", "getCount": "tick"}),
    "an operation that the part does not have": lambda stated: stated["first"]["hears"].update(get="fetch"),
}


@pytest.mark.attempt("declarations that rule each other out")
@pytest.mark.parametrize("change", CHANGES)
def test_a_document_states_no_pair_that_nobody_can_declare(change: str, tmp_path: Path) -> None:
    document = json.loads((GOLDEN / "side-by-side.json").read_bytes())
    CHANGES[change](document["controller"])
    (tmp_path / "evidence.json").write_text(json.dumps(document))
    (read,) = recheck(tmp_path / "evidence.json").documents
    assert any(str(each).startswith("controller: ") for each in read.findings)
    if change == "a clock that whoever reads moves":
        assert any("controller: second hears" in str(each) for each in read.findings)
