"""The games of Definition 3.4, from the first history to what the judge reads.

The left history is played in one process and the right one in another, so that nothing travels between them but the operations.
Whatever is found is shortened, and counts only where two processes that have played nothing else show it again.
"""

from __future__ import annotations

import hashlib
import random
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, replace
from functools import partial
from typing import Final, NamedTuple, TypeAlias

from auditor.base.errors import ProcedureError
from auditor.base.histories import History, Move, Operation, Script, Vocabulary, resolved, without_deleted
from auditor.parts.controllers.judging.history.observed import Counterexample, Law, Played, Tried
from auditor.parts.controllers.observing.histories import asking, laws, searched
from auditor.parts.controllers.observing.histories.adversaries import ALIKE, RANDOM, REPORTED, SCRIPTED, Adversary
from auditor.parts.controllers.observing.histories.drawing import Drawing, Pair, kind, shrunk
from auditor.parts.controllers.observing.histories.playing import Counting, Play, Player, Ran

Rooms: TypeAlias = Callable[[], AbstractContextManager[tuple[Player, Player]]]
"""Opens two processes that have played nothing yet, one a side."""
MOST_KEPT: Final = 5
"""Counterexamples that are kept, each of another kind."""
_MOST_SHORTENED: Final = 8
"""Pairs that are shortened, whatever kind they turn out to be."""
_TAPE_BITS: Final = 48
"""Of a tape: JSON holds it whole."""
_EXCERPT: Final = 16
"""Bytes of either state that are shown."""
_FIRST: Final = 4
"""Histories that show whether a controller is deterministic, and whether it ignores its tape."""
_BEFORE: Final = 8
"""Bytes before the first difference that an excerpt shows."""
SEARCHED: Final = "searched"
"""The adversary that hypothesis is."""


class Sizes(NamedTuple):
    """How much is played."""

    ways: int
    """Other ways to the same state that each script is held against."""
    by_chance: int
    """Histories of each adversary that draws them."""
    searched: int
    """Histories that hypothesis composes."""
    fresh: int
    """Runs of either history under fresh tapes; the event is chosen on half of them."""


USUAL: Final = Sizes(ways=3, by_chance=120, searched=120, fresh=400)
QUICK: Final = Sizes(ways=1, by_chance=10, searched=10, fresh=40)


@dataclass(frozen=True, slots=True)
class _Found:
    """A pair that differs, and who found it."""

    adversary: str
    adapts: bool
    pair: Pair
    script: Script
    """What was played on the left, with the outputs that it used named rather than filled in."""
    way: int
    """Which other way to the same state differs, as `_way` counts them."""
    asked: bool = False
    """Whether questions at the end of both were needed."""

    @property
    def play(self) -> Play:
        """The left history."""
        return Play(self.pair.tape, _script(self.pair.left))


def experiment(
    vocabulary: Vocabulary,
    rooms: Rooms,
    *,
    seed: int,
    sizes: Sizes = USUAL,
    by_numbers: bool = False,
    note: Callable[[Tried], None] = lambda _tried: None,
) -> Tried:
    """Play every adversary's histories against a controller.

    Args:
        vocabulary: What a channel may ask, and what commutes.
        rooms: Opens two fresh processes.
        seed: The auditor's.
        sizes: How much is played.
        by_numbers: Whether numbers of states are compared under fresh tapes too.
        note: Called with what was found, in the end, or before the controller failed where something was.

    Raises:
        ProcedureError: If the controller raised, hung, or broke the contract.
        SandboxError: If the sandbox failed.
    """
    with rooms() as (left, right):
        game = _Game(vocabulary, Counting(left), Counting(right), seed, sizes, by_numbers=by_numbers)
        try:
            game.play()
        except ProcedureError:
            if game.found:
                # These histories went well before.
                note(_confirmed(game, rooms))
            raise
    tried = _confirmed(game, rooms)
    note(tried)
    return tried


def _confirmed(game: _Game, rooms: Rooms) -> Tried:
    """What the judge reads: of what was found, as much as two fresh processes show again."""
    confirmed = []
    if game.found:
        with rooms() as (left, right):
            shown = partial(_shown, left, right, game.commuting)
            confirmed = [each for each in map(shown, game.found) if each is not None]
    return game.tried(game.found, confirmed)


class _Game:
    def __init__(
        self, vocabulary: Vocabulary, left: Counting, right: Counting, seed: int, sizes: Sizes, *, by_numbers: bool
    ) -> None:
        self._vocabulary, self._left, self._right = vocabulary, left, right
        self.commuting = vocabulary.commuting
        self._seed, self._sizes, self._by_numbers = seed, sizes, by_numbers
        self._scripted = (*SCRIPTED, *(REPORTED if vocabulary.environment else ()))
        self._deterministic = self._ignores_tape = True
        self._played: list[Played] = []
        self._laws: list[Law] = []
        self.found: list[tuple[_Found, bool]] = []
        """What was found, shortened, with whether it is as short as can be."""

    def play(self) -> None:
        """Play everything."""
        first = self._first_plays()
        began = self._left.play(first)
        self._deterministic = self._comes_to(began, first)
        self._ignores_tape = self._deterministic and self._tapes_change_nothing(first)
        if self._deterministic:
            for each in self._shortened(self._different()):
                self.found.append(each)
            # One that changes after many histories is found out here, in both processes alike or not.
            self._deterministic = self._left.play(first) == began and self._comes_to(began, first)
            # A tape may count in a few histories alone.
            self._ignores_tape = self._ignores_tape and self._tapes_change_nothing([each.play for each, _ in self.found])
        if not self._deterministic or (self.found and not self._ignores_tape):
            self._compare_laws([each for each, _ in self.found])

    def tried(self, found: Sequence[object], confirmed: Sequence[Counterexample]) -> Tried:
        """What the judge reads."""
        return Tried(
            histories=self._left.histories + self._right.histories,
            operations=self._left.operations + self._right.operations,
            # What fresh processes do not show again came of what the same process had played before.
            deterministic=self._deterministic and len(confirmed) == len(found),
            ignores_tape=self._ignores_tape,
            searched=searched.installed(),
            played=tuple(self._played),
            counterexamples=tuple(confirmed),
            laws=tuple(self._laws),
        )

    def _drawing(self, *path: object) -> Drawing:
        return Drawing(self._vocabulary, random.Random("/".join(map(str, (self._seed, *path)))))  # noqa: S311 - a game, no secret

    def _tape(self, *path: object) -> int:
        return random.Random("/".join(map(str, (self._seed, "tape", *path)))).getrandbits(_TAPE_BITS)  # noqa: S311

    def _first_plays(self) -> list[Play]:
        return [
            Play(self._tape("first", each.name), each.script(self._drawing("first", each.name))) for each in SCRIPTED[:_FIRST]
        ]

    def _comes_to(self, began: Sequence[Ran], plays: Sequence[Play]) -> bool:
        """Whether plays come to what they came to at the beginning, in either process."""
        return self._right.play(plays) == began == self._left.play(plays)

    def _tapes_change_nothing(self, plays: Sequence[Play]) -> bool:
        others = [each._replace(tape=self._tape("other", index)) for index, each in enumerate(plays)]
        return self._left.play(others) == self._right.play(plays)

    def _different(self) -> Iterator[_Found]:
        """Every pair whose states differ under one tape: adversary by adversary, the first that each finds."""
        for each in (*self._scripted, *ALIKE):
            yield from self._tell(each, self._sizes.ways)
        for each in RANDOM:
            yield from self._tell(each, self._sizes.by_chance)
        if searched.installed():
            yield from self._search()

    def _tell(self, adversary: Adversary, rounds: int) -> Iterator[_Found]:
        different = 0
        for index in range(rounds):
            drawing = self._drawing(adversary.name, index)
            found = self._differing(adversary, adversary.script(drawing), drawing, index)
            if found is not None:
                different += 1
                if different == 1:
                    yield found
        self._played.append(Played(adversary=adversary.name, histories=rounds, different=different))

    def _differing(self, adversary: Adversary, script: Script, drawing: Drawing, index: int) -> _Found | None:
        tape = self._tape(adversary.name, index)
        (ran,) = self._left.play([Play(tape, script)])
        if adversary.listens is not None:
            script = adversary.listens(drawing, script, ran.outputs)
            (ran,) = self._left.play([Play(tape, script)])
        history = resolved(script, ran.outputs)
        other = _way(history, drawing, index)
        (held,) = self._right.play([Play(tape, _script(other))])
        if ran.state == held.state:
            return self._answered(adversary, Pair(tape, history, other), index)
        return _Found(adversary.name, adversary.adapts, Pair(tape, history, other), script, index)

    def _answered(self, adversary: Adversary, pair: Pair, index: int) -> _Found | None:
        """The pair with the same questions at the end of both, where their answers differ; such plays are not counted."""
        if index >= asking.MOST or len(pair.left) > asking.LONGEST:
            return None
        drawing = self._drawing("asks", adversary.name, index)
        pairs = [Pair(pair.tape, *each) for each in asking.asked(self._vocabulary, pair.left, pair.right, drawing)]
        left = self._left.player.play([Play(each.tape, _script(each.left)) for each in pairs])
        right = self._right.player.play([Play(each.tape, _script(each.right)) for each in pairs])
        for each, one, other in zip(pairs, left, right, strict=True):
            if asking.differ(each.left, each.right, one, other, self._vocabulary.commuting):
                return _Found(adversary.name, adversary.adapts, each, _script(each.left), index, asked=True)
        return None

    def _search(self) -> Iterator[_Found]:
        found: list[_Found] = []
        adversary = Adversary(SEARCHED, lambda _draw: (), adapts=True)
        number = 0

        def differs(script: Script) -> bool:
            nonlocal number
            number += 1
            one = self._differing(adversary, script, self._drawing(SEARCHED, number), number)
            found.extend(() if one is None else (one,))
            return one is not None

        words = self._drawing("words").words(searched.CHANNELS)
        searched.search(self._vocabulary, words, differs, examples=self._sizes.searched)
        yield from found[:1]
        self._played.append(Played(adversary=SEARCHED, histories=number, different=min(len(found), 1)))

    def _shortened(self, different: Iterator[_Found]) -> Iterator[tuple[_Found, bool]]:
        kinds: set[object] = set()
        for number, each in enumerate(different):
            if len(kinds) < MOST_KEPT and number < _MOST_SHORTENED:
                pair, minimal = shrunk(each.pair, self._vocabulary.commuting, self._differs)
                if kind(pair) not in kinds:
                    kinds.add(kind(pair))
                    yield replace(each, pair=pair), minimal

    def _differs(self, pair: Pair) -> bool:
        (left,) = self._left.play([Play(pair.tape, _script(pair.left))])
        (right,) = self._right.play([Play(pair.tape, _script(pair.right))])
        return asking.differ(pair.left, pair.right, left, right, self._vocabulary.commuting)

    def _compare_laws(self, found: Sequence[_Found]) -> None:
        """Under fresh tapes: what differed under one, and every script."""
        for each in found:
            if each.asked:
                asked = asking.shared(each.pair.left, each.pair.right, self._vocabulary.commuting)
                fixed = partial(_fixed, each.pair.right)
                self._law(each.adversary, each.adapts, _script(each.pair.left), fixed, asked=asked)
            elif each.adapts:
                drawing = self._drawing("fresh", each.adversary)
                self._law(each.adversary, True, each.script, partial(_way, drawing=drawing, index=each.way))
            else:
                self._law(each.adversary, False, _script(each.pair.left), partial(_fixed, each.pair.right))
        for adversary in self._scripted:
            drawing = self._drawing("law", adversary.name)
            script = adversary.script(drawing)
            if adversary.listens is None and len(script) <= _MOST_OF_A_LAW:
                for index in _WAYS_OF_NOISE if self._by_numbers else (0,):
                    self._law(adversary.name, adversary.adapts, script, partial(_way, drawing=drawing, index=index))

    def _law(self, name: str, adapts: bool, script: Script, way: Callable[[History], History], *, asked: int = 0) -> None:
        tapes = [self._tape("law", name, len(self._laws), number) for number in range(2 * self._sizes.fresh)]
        ran = self._left.play([Play(tape, script) for tape in tapes[::2]])
        histories = [resolved(script, each.outputs) for each in ran]
        held = self._right.play([Play(tape, _script(way(each))) for tape, each in zip(tapes[1::2], histories, strict=True)])
        view = [each.outputs for each in ran]
        if asked:
            # Answers are compared side by side, as part of what is left.
            view = [()] * len(ran)
            ran, held = ([each._replace(state=each.state + asking.tail(each, asked)) for each in side] for side in (ran, held))
        left, right = ([laws.Left(seen, each.state) for seen, each in zip(view, side, strict=True)] for side in (ran, held))
        found = laws.compare(left, right, histories[0], by_numbers=self._by_numbers)
        self._laws.append(
            Law(adversary=name, adapts=adapts, event=found.event, runs=found.runs, left=found.left, right=found.right)
        )


_WAYS_OF_NOISE: Final = (0, 2)
"""The shortest way, and another order with detours: where noise makes each state another one, no single pair leads there."""
_MOST_OF_A_LAW: Final = 60
"""Operations of a script whose states are compared under fresh tapes: each is played some hundred times."""


def _way(history: History, drawing: Drawing, index: int) -> History:
    """Another way to the same state: the shortest, one in another order, one with detours, and so on."""
    return without_deleted(history) if index % 3 == 0 else drawing.another_way(history, detours=index % 3 == 2)


def _fixed(right: History, _left: History) -> History:
    return right


def _script(history: History) -> Script:
    return tuple(Move(*each) for each in history)


def _shown(left: Player, right: Player, commuting: frozenset[str], found: tuple[_Found, bool]) -> Counterexample | None:
    """A counterexample as fresh processes show it; None where they do not."""
    each, minimal = found
    (one,) = left.play([Play(each.pair.tape, _script(each.pair.left))])
    (other,) = right.play([Play(each.pair.tape, _script(each.pair.right))])
    if not asking.differ(each.pair.left, each.pair.right, one, other, commuting):
        return None
    answers = one.state == other.state
    sides = asking.answers(each.pair.left, each.pair.right, one, other, commuting) if answers else (one.state, other.state)
    offset = next((place for place, (a, b) in enumerate(zip(*sides, strict=False)) if a != b), min(map(len, sides)))
    return Counterexample(
        adversary=each.adversary,
        adapts=each.adapts,
        tape=each.pair.tape,
        left=_rows(each.pair.left),
        right=_rows(each.pair.right),
        minimal=minimal,
        offset=offset,
        sizes=(len(sides[0]), len(sides[1])),
        digests=(_digest(sides[0]), _digest(sides[1])),
        excerpts=(_excerpt(sides[0], offset), _excerpt(sides[1], offset)),
        answers=answers,
    )


def _rows(history: Sequence[Operation]) -> tuple[tuple[str, str, str | None], ...]:
    return tuple((each.channel, each.operation, each.argument) for each in history)


def _digest(side: bytes) -> str:
    return hashlib.sha256(side).hexdigest()


def _excerpt(side: bytes, offset: int) -> str:
    return side[max(offset - _BEFORE, 0) : offset + _EXCERPT].hex()
