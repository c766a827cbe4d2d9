"""The games of Definitions 2.3 and 4.2, from the first move to what the judge reads.

Real executions are played in one process and ideal ones in another. What differs is shortened, and counts only where two
processes that have played nothing else show it again. Parties are those of the games of history independence: each channel that
they let speak is in turn the data subject, and all others are the environment.
"""

from __future__ import annotations

import hashlib
import random
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Final, NamedTuple

from auditor.base.histories import DELETE, History, Move, Script, Vocabulary, resolved
from auditor.parts.controllers.judging.control.judging import Atoms, ExactLaw, GameCase, GamesTried, ReachedStates
from auditor.parts.controllers.judging.history.observed import Law, Played
from auditor.parts.controllers.observing.games import executions
from auditor.parts.controllers.observing.games.executions import Game, Kind, Seen
from auditor.parts.controllers.observing.histories import laws, searched
from auditor.parts.controllers.observing.histories.adversaries import ALIKE, RANDOM, REPORTED, SCRIPTED, Adversary
from auditor.parts.controllers.observing.histories.drawing import Drawing
from auditor.parts.controllers.observing.histories.experiment import SEARCHED, Rooms, Sizes
from auditor.parts.controllers.observing.histories.playing import Counting, Play, Player, Ran


# Games over every tape there is: the default simulator (Cohen et al. 2023, Definition 2.5), sampled by counting.
# Where a tape has few bits, both executions of a game are played under each of them. What differs between the two laws is
# then known, and not estimated: the simulator that draws an ideal tape from those that explain what was seen exists as far as
# the laws agree (Lemma A.1), and no other does better than they allow. That covers parties who adapt, too, where no tape
# changes an answer.
def compare(
    kind: Kind, real: Player, ideal: Player, played: Game, *, adversary: str, bits: int, view: Callable[[Seen], bytes]
) -> ExactLaw:
    """Play one game under every tape.

    Args:
        kind: Which definition.
        real: Plays the real executions.
        ideal: Plays the ideal ones.
        played: Parties that listen to nothing: what they say is the same under every tape.
        adversary: Whose game it is.
        bits: Of a tape.
        view: What is compared of an execution.

    Raises:
        ProcedureError: If the controller failed.
        SandboxError: If the sandbox did.
    """
    tapes = range(2**bits)
    one = real.play([Play(tape, executions.script(played.history)) for tape in tapes])
    other = ideal.play([Play(tape, executions.script(executions.without(played))) for tape in tapes])
    left = Counter(view(executions.seen(kind, played, each, ideal=False)) for each in one)
    right = Counter(view(executions.seen(kind, played, each, ideal=True)) for each in other)
    atoms = Counter((left[each], right[each]) for each in {*left, *right})
    return ExactLaw(
        adversary=adversary,
        tapes=len(tapes),
        steady=all(each.outputs == one_side[0].outputs for one_side in (one, other) for each in one_side),
        atoms=tuple(
            Atoms(left=real_count, right=ideal_count, count=count) for (real_count, ideal_count), count in sorted(atoms.items())
        ),
    )


MOST_KEPT: Final = 3
"""Cases that are kept."""
_TAPE_BITS: Final = 48
_SUBJECTS: Final = 2
"""Channels of one script that are the subject in turn."""
_CROWD: Final = 40
"""Operations of the environment during which a subject may leave by a number that it heard (Theorem 4.5)."""
_FIRST: Final = 4
_MOST_OF_A_LAW: Final = 60
"""Operations of a game that is played hundreds of times."""
_MOST_LAWS: Final = 8
"""Scripts that are played hundreds of times."""
_MOST_EXACT: Final = 500_000
"""Operations of one game under all tapes."""
_MOST_QUERIES: Final = 40
"""Queries of one event of adaptive parties."""


_VIEWS: Final[Mapping[Kind, tuple[Callable[[Seen], bytes], ...]]] = {
    Kind.CONTROL: (lambda each: each.state,),
    Kind.CONFIDENTIALITY: (lambda each: each.joined, lambda each: each.answered),
}
"""What laws are compared by: of confidentiality answers and state are one, and noise in the state may drown what answers say."""


class _Found(NamedTuple):
    adversary: str
    tape: int
    game: Game
    minimal: bool


def experiment(
    kind: Kind,
    vocabulary: Vocabulary,
    rooms: Rooms,
    *,
    seed: int,
    sizes: Sizes,
    bits: int | None = None,
    by_numbers: bool = False,
) -> GamesTried:
    """Play the games of one kind against a controller.

    Args:
        kind: Which definition.
        vocabulary: What a channel may ask.
        rooms: Opens two fresh processes.
        seed: The auditor's.
        sizes: How much is played.
        bits: Of a tape, where the controller reads so few of them that all tapes can be played.
        by_numbers: Whether numbers of states are compared under fresh tapes too.

    Raises:
        ProcedureError: If the controller raised, hung, or broke the contract.
        SandboxError: If the sandbox failed.
    """
    with rooms() as (real, ideal):
        games = _Games(kind, vocabulary, Counting(real), Counting(ideal), seed, sizes, bits, by_numbers=by_numbers)
        games.play()
    cases: list[GameCase] = []
    if games.found:
        with rooms() as (real, ideal):
            shown = (_shown(kind, real, ideal, each) for each in games.found)
            cases = [each for each in shown if each is not None]
    return games.tried(cases)


class _Games:
    def __init__(
        self,
        kind: Kind,
        vocabulary: Vocabulary,
        real: Counting,
        ideal: Counting,
        seed: int,
        sizes: Sizes,
        bits: int | None,
        *,
        by_numbers: bool,
    ) -> None:
        self._kind, self._vocabulary, self._real, self._ideal = kind, vocabulary, real, ideal
        self._seed, self._sizes, self._bits, self._by_numbers = seed, sizes, bits, by_numbers
        self._scripted = (_LOOKED_UP, *SCRIPTED, _LEAVES_BY_A_NUMBER, *(REPORTED if vocabulary.environment else ()))
        self._deterministic = self._ignores_tape = True
        self._played: list[Played] = []
        self._laws: list[Law] = []
        self._reached: list[ReachedStates] = []
        self._exact: list[ExactLaw] = []
        self._differing: dict[str, Game] = {}
        self.found: list[_Found] = []

    def play(self) -> None:
        """Play everything."""
        first = [
            Play(self._tape("first", each.name), each.script(self._drawing("first", each.name))) for each in SCRIPTED[:_FIRST]
        ]
        began = self._real.play(first)
        self._deterministic = self._comes_to(began, first)
        self._ignores_tape = self._deterministic and self._tapes_change_nothing(first)
        if self._deterministic:
            for each in (*self._scripted, *ALIKE):
                self._tell(each, self._sizes.ways)
            for each in RANDOM:
                self._tell(each, self._sizes.by_chance)
            if searched.installed():
                self._search()
            # One that changes after many games is found out here.
            self._deterministic = self._real.play(first) == began and self._comes_to(began, first)
            found = [Play(each.tape, executions.script(each.game.history)) for each in self.found]
            # A tape may count in a few games alone.
            self._ignores_tape = self._ignores_tape and self._tapes_change_nothing(found)
        if self._deterministic and self._bits is not None:
            self._play_every_tape(self._bits)
        if not self._deterministic or (self.found and not (self._exact and all(each.steady for each in self._exact))):
            self._compare_laws()

    def tried(self, cases: list[GameCase]) -> GamesTried:
        """What the judge reads."""
        return GamesTried(
            games=self._real.histories + self._ideal.histories,
            operations=self._real.operations + self._ideal.operations,
            # What fresh processes do not show again came of what the same process had played before.
            deterministic=self._deterministic and len(cases) == len(self.found),
            ignores_tape=self._ignores_tape,
            searched=searched.installed(),
            played=tuple(self._played),
            cases=tuple(cases),
            laws=tuple(self._laws),
            reached=tuple(self._reached),
            exact=tuple(self._exact),
        )

    def _drawing(self, *path: object) -> Drawing:
        return Drawing(self._vocabulary, random.Random("/".join(map(str, (self._seed, self._kind, *path)))))  # noqa: S311

    def _tape(self, *path: object) -> int:
        drawn = random.Random("/".join(map(str, (self._seed, self._kind, "tape", *path))))  # noqa: S311
        return drawn.getrandbits(self._bits or _TAPE_BITS)

    def _comes_to(self, began: list[Ran], plays: list[Play]) -> bool:
        return self._ideal.play(plays) == began == self._real.play(plays)

    def _tapes_change_nothing(self, plays: list[Play]) -> bool:
        others = [each._replace(tape=self._tape("other", index)) for index, each in enumerate(plays)]
        # Under the same tape and under others: states and answers are those of the tape before.
        return self._real.play(plays) == self._ideal.play(others)

    def _tell(self, adversary: Adversary, rounds: int) -> None:
        games = different = 0
        for index in range(rounds):
            drawing, tape = self._drawing(adversary.name, index), self._tape(adversary.name, index)
            moves, history = self._said(adversary, drawing, tape)
            for each in self._games_of(moves, history, drawing):
                games += 1
                if self._differs(tape, each):
                    different += 1
                    self._differing.setdefault(adversary.name, each)
                    if different == 1:
                        self._keep(adversary.name, tape, each)
        self._played.append(Played(adversary=adversary.name, histories=games, different=different))

    def _said(self, adversary: Adversary, drawing: Drawing, tape: int) -> tuple[Script, History]:
        moves = adversary.script(drawing)
        (ran,) = self._real.play([Play(tape, moves)])
        if adversary.listens is not None:
            moves = adversary.listens(drawing, moves, ran.outputs)
            (ran,) = self._real.play([Play(tape, moves)])
        return moves, resolved(moves, ran.outputs)

    def _games_of(self, moves: Script, history: History, drawing: Drawing) -> Iterator[Game]:
        """The games that a history amounts to, with one channel and another as the subject."""
        clock = self._vocabulary.environment
        own = [each.channel for each in moves if isinstance(each.channel, str) and each.operation not in clock]
        gone = {each.channel for each in moves if each.operation == DELETE}
        leaving = [each for each in dict.fromkeys(own) if each in gone]
        others = [each for each in dict.fromkeys(own) if each not in gone]
        drawing.shuffle(leaving)
        drawing.shuffle(others)
        for subject in (*leaving, *others)[:_SUBJECTS]:
            if self._is_fair(moves, history, subject):
                each = executions.game(self._kind, history, subject)
                if each is not None:
                    yield each

    def _is_fair(self, moves: Script, history: History, subject: str) -> bool:
        """Whether channels keep apart: nobody speaks as the subject, and of confidentiality nobody heard of it."""
        taken = any(said.channel == subject != move.channel for move, said in zip(moves, history, strict=True))
        hears = self._kind is Kind.CONFIDENTIALITY and not executions.tells_nothing(moves, subject)
        return not (taken or hears)

    def _search(self) -> None:
        number = 0
        words = self._drawing("words").words(searched.CHANNELS)
        found: list[tuple[int, Game]] = []

        def differs(moves: Script) -> bool:
            nonlocal number
            number += 1
            tape = self._tape(SEARCHED, number)
            (ran,) = self._real.play([Play(tape, moves)])
            history = resolved(moves, ran.outputs)
            if not self._is_fair(moves, history, words[0]):
                return False
            one = executions.game(self._kind, history, words[0])
            if one is None or not self._differs(tape, one):
                return False
            found.append((tape, one))
            return True

        searched.search(self._vocabulary, words, differs, examples=self._sizes.searched)
        for tape, one in found[:1]:
            self._differing[SEARCHED] = one
            self._keep(SEARCHED, tape, one)
        self._played.append(Played(adversary=SEARCHED, histories=number, different=min(len(found), 1)))

    def _keep(self, adversary: str, tape: int, played: Game) -> None:
        if len(self.found) < MOST_KEPT:
            shorter, minimal = executions.shortened(played, self._kind, lambda each: self._differs(tape, each))
            self.found.append(_Found(adversary, tape, shorter, minimal))

    def _differs(self, tape: int, played: Game) -> bool:
        one, other = _both(self._kind, self._real, self._ideal, tape, played)
        return one != other

    def _play_every_tape(self, bits: int) -> None:
        """The first game of each adversary that differed under one tape, and a game of every other."""
        named = dict(self._differing)
        for adversary in (*self._scripted, *ALIKE, *RANDOM):
            if adversary.name not in named:
                drawing, tape = self._drawing("exact", adversary.name), self._tape("exact", adversary.name)
                moves, history = self._said(adversary, drawing, tape)
                named.update((adversary.name, each) for each in self._games_of(moves, history, drawing))
        named |= {f"{each.adversary}, shortened": each.game for each in self.found}
        view = _VIEWS[self._kind][0]
        for name, played in named.items():
            if len(played.history) << bits <= _MOST_EXACT:
                law = compare(self._kind, self._real, self._ideal, played, adversary=name, bits=bits, view=view)
                self._exact.append(law)

    def _compare_laws(self) -> None:
        """Under fresh tapes: what differed under one and, where tapes count, some short scripts that listen to nobody."""
        for each in self.found:
            self._law(each.adversary, each.game)
        if self._ignores_tape:
            return
        silent = [each for each in self._scripted if not each.adapts and each.listens is None]
        for adversary in silent[:_MOST_LAWS]:
            drawing = self._drawing("law", adversary.name)
            moves = adversary.script(drawing)
            for played in self._games_of(moves, resolved(moves, ()), drawing):
                if len(played.history) <= _MOST_OF_A_LAW:
                    self._law(adversary.name, played)
        if self._deterministic and self._kind is Kind.CONTROL:
            self._reach()

    def _law(self, name: str, played: Game) -> None:
        tapes = [self._tape("law", name, len(self._laws), number) for number in range(2 * self._sizes.fresh)]
        real = self._real.play([Play(tape, executions.script(played.history)) for tape in tapes[::2]])
        ideal = self._ideal.play([Play(tape, executions.script(executions.without(played))) for tape in tapes[1::2]])
        left = [executions.seen(self._kind, played, each, ideal=False) for each in real]
        right = [executions.seen(self._kind, played, each, ideal=True) for each in ideal]
        for view in _VIEWS[self._kind]:
            one, other = ([laws.Left((), view(each)) for each in side] for side in (left, right))
            found = laws.compare(one, other, played.history, by_numbers=self._by_numbers)
            self._laws.append(
                Law(adversary=name, adapts=False, event=found.event, runs=found.runs, left=found.left, right=found.right)
            )

    def _reach(self) -> None:
        """Subjects that leave by what they hear: whether any tape leads without them to a state that names them."""
        drawing = self._drawing("reach")
        channel = _LEAVES_BY_A_NUMBER.script(drawing)[0].channel
        runs = self._sizes.fresh // 2
        plays = [self._heard(self._tape("reach", number)) for number in range(2 * runs)]
        queries = list(dict.fromkeys(executions.without(each) for each, _ in plays[:runs] if each is not None))[:_MOST_QUERIES]
        named = str(channel).encode()
        real = sum(each is not None and executions.without(each) in queries and named in state for each, state in plays[runs:])
        scripts = [executions.script(each) for each in queries]
        ideal = 0
        for number in range(runs):
            tape = self._tape("unreached", number)
            ideal += any(named in ran.state for ran in self._ideal.play([Play(tape, each) for each in scripts]))
        self._reached.append(ReachedStates(adversary=_LEAVES_BY_A_NUMBER.name, runs=runs, real=real, ideal=ideal))

    def _heard(self, tape: int) -> tuple[Game | None, bytes]:
        """One adaptive game: the same words each time, so that the queries can be the same ones."""
        drawing = self._drawing("reach")
        _, history = self._said(_LEAVES_BY_A_NUMBER, drawing, tape)
        played = executions.game(self._kind, history, history[0].channel)
        if played is None:
            return None, b""
        (ran,) = self._real.play([Play(tape, executions.script(played.history))])
        return played, ran.state


def _both(kind: Kind, real: Player, ideal: Player, tape: int, played: Game) -> tuple[Seen, Seen]:
    (one,) = real.play([Play(tape, executions.script(played.history))])
    (other,) = ideal.play([Play(tape, executions.script(executions.without(played)))])
    return executions.seen(kind, played, one, ideal=False), executions.seen(kind, played, other, ideal=True)


def _shown(kind: Kind, real: Player, ideal: Player, found: _Found) -> GameCase | None:
    """A case as fresh processes show it; None where they do not."""
    one, other = _both(kind, real, ideal, found.tape, found.game)
    if one == other:
        return None
    return GameCase(
        adversary=found.adversary,
        tape=found.tape,
        subject=found.game.subject,
        real=tuple((each.channel, each.operation, each.argument) for each in found.game.history),
        minimal=found.minimal,
        answers=one.answers != other.answers,
        digests=(hashlib.sha256(one.joined).hexdigest(), hashlib.sha256(other.joined).hexdigest()),
    )


def _is_looked_up(draw: Drawing) -> Script:
    """Somebody else asks for the very word that the subject said, by whatever operation takes one."""
    one, other = draw.words(2)
    word = draw.word()
    return (*draw.speech(one, saying=word), *(draw.move(other, each, saying=word) for each in reversed(draw.operations)))


_LOOKED_UP: Final = Adversary("looked-up", _is_looked_up)
"""A person asks for what another said."""


def _comes_among_others(draw: Drawing) -> Script:
    return (*draw.speech(draw.word()), *(draw.move(name, draw.operations[0]) for name in draw.words(_CROWD)))


def _leaves_at_a_number(_draw: Drawing, script: Script, outputs: Sequence[str | None]) -> Script:
    """The first channel leaves after as many words of others as the first number that it was told says (Theorem 4.5)."""
    subject = script[0].channel
    own = [place for place, each in enumerate(script) if each.channel == subject]
    told = (outputs[place + 1] or "" for place in own)
    number = next((int(each) for each in told if each.isascii() and each.isdigit() and len(each) < 9), len(own))
    after = min(own[-1] + max(number, 1), len(script))
    return (*script[:after], Move(subject, DELETE, None), *script[after:])


_LEAVES_BY_A_NUMBER: Final = Adversary(
    "leaves-by-a-number",
    _comes_among_others,
    adapts=True,
    listens=_leaves_at_a_number,
)
"""A person leaves by what they heard, while others come (Theorem 4.5)."""
