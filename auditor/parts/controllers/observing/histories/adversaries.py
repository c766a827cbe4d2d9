"""Who chooses the histories of the game of Definition 3.4: scripts, chance, and scripts that use what the controller returned."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable, Sequence
from typing import Final, NamedTuple

from auditor.base.histories import DELETE, Move, Output, Script
from auditor.parts.controllers.observing.histories.drawing import Drawing

_LONG: Final = 4_000
"""Characters of a long argument."""
_CROWDS: Final = (12, 80, 400)
"""Channels that come before most of them leave: enough for tables to grow more than once."""
_CROWDS_THAT_LEFT: Final = (12, 140)
_REMAIN: Final = 2
"""Channels that remain of a crowd that leaves: tables shrink as far as they do."""
_MOST_HEARD: Final = 4
"""Words of an output that are spoken back."""


class Adversary(NamedTuple):
    """One way of choosing a history."""

    name: str
    script: Callable[[Drawing], Script]
    adapts: bool = False
    """Whether it uses what the controller returned."""
    listens: Callable[[Drawing, Script, Sequence[str | None]], Script] | None = None
    """Writes another script once the first was played, from what it returned; the same tape returns it again."""


def _leaves(channel: str | Output) -> Move:
    return Move(channel, DELETE, None)


def _spoke_and_left(draw: Drawing) -> Script:
    one = draw.word()
    return (*draw.speech(one), _leaves(one))


def _left_among_others(draw: Drawing) -> Script:
    one, two, three = draw.words(3)
    return (*draw.speech(one), *draw.speech(two), *draw.speech(three), _leaves(two))


def _left_before_others_came(draw: Drawing) -> Script:
    one, two, three = draw.words(3)
    return (*draw.speech(one), *draw.speech(two), _leaves(one), *draw.speech(three))


def _came_back(draw: Drawing) -> Script:
    one, two = draw.words(2)
    return (*draw.speech(two), *draw.speech(one), _leaves(one), *draw.speech(one))


def _left_twice(draw: Drawing) -> Script:
    one, two = draw.words(2)
    return (*draw.speech(two), *draw.speech(one), _leaves(one), *draw.speech(one), _leaves(one))


def _left_unheard(draw: Drawing) -> Script:
    one, two = draw.words(2)
    return (*draw.speech(two), _leaves(one), _leaves(one))


def _spoke_twice(draw: Drawing) -> Script:
    one, two = draw.words(2)
    return (*draw.speech(one), *draw.speech(two), *draw.speech(one))


def _all_left(draw: Drawing) -> Script:
    names = draw.words(4)
    return (*(move for name in names for move in draw.speech(name)), *(_leaves(name) for name in names))


def _in_another_order(draw: Drawing) -> Script:
    return tuple(move for name in draw.words(6) for move in draw.speech(name))


def _said_the_same(draw: Drawing) -> Script:
    one, two = draw.words(2)
    what = draw.word()
    return (*draw.speech(one, saying=what), *draw.speech(two, saying=what), _leaves(one))


def _said_alike(draw: Drawing) -> Script:
    """People say what begins alike, ends alike or is the same, so that who asks after it is answered by a choice among them."""
    first, second, third = draw.words(3)
    alike = (first, f"{first} {second}", f"{first} {third}", f"{second} {first}", f"{first} {second}", f"{first},{third}")
    *people, reader = draw.words(len(alike) + 1)
    said = (move for name, what in zip(people, alike, strict=True) for move in draw.speech(name, saying=what))
    asked = (move for what in (first, second, third) for move in draw.speech(reader, saying=what))
    return (*said, *asked, _leaves(draw.chosen(people)))


def _named_each_other(draw: Drawing) -> Script:
    one, two = draw.words(2)
    return (*draw.speech(one, saying=two), *draw.speech(two, saying=one), _leaves(one))


def _left_after_a_report(draw: Drawing) -> Script:
    """What a report said while somebody was there stays said: differential privacy hides it, and nothing else does."""
    one, two = draw.words(2)
    return (*draw.speech(one), *draw.speech(two), *draw.clock(), _leaves(one))


def _repeated_itself(draw: Drawing) -> Script:
    one, two = draw.words(2)
    return (*draw.speech(two), *draw.speech(one), *draw.speech(one), *draw.speech(one), _leaves(one))


def _said_much(draw: Drawing) -> Script:
    one, two = draw.words(2)
    return (*draw.speech(two), *draw.speech(one, saying=draw.word() * (_LONG // len(draw.word()))), _leaves(one))


def _crowd(size: int) -> Callable[[Drawing], Script]:
    def script(draw: Drawing) -> Script:
        names = draw.words(size)
        leaving = [name for index, name in enumerate(names) if index % 5]
        return (*(draw.move(name) for name in names), *(_leaves(name) for name in leaving))

    return script


def _crowd_that_left(size: int) -> Callable[[Drawing], Script]:
    def script(draw: Drawing) -> Script:
        names = draw.words(size)
        return (*(move for name in names for move in draw.speech(name)), *(_leaves(name) for name in names[_REMAIN:]))

    return script


def _looked_alike(change: Callable[[str], str]) -> Callable[[Drawing], Script]:
    """Somebody leaves whose name a careless comparison takes for another's, who stays."""

    def script(draw: Drawing) -> Script:
        one = draw.word()
        other = change(one)
        return (*draw.speech(one), *draw.speech(other), _leaves(other))

    return script


_LOOK_ALIKES: Final[dict[str, Callable[[str], str]]] = {
    "capitals": str.upper,
    "beginning": lambda name: name[:-1],
    "ending": lambda name: name[1:],
    "longer": lambda name: name + "0",
    "space-after": lambda name: name + " ",
    "space-before": lambda name: " " + name,
    "one-letter-pattern": lambda name: "_" + name[1:],
    "any-letters-pattern": lambda name: name[:2] + "%",
    "star-pattern": lambda name: name[:2] + "*",
    "quote": lambda name: name + "' OR '1'='1",
    "path": lambda name: f"x/../{name}",
    "accent": lambda name: name + "\u0301",
    "wide-letters": lambda name: name.translate({each: each + 0xFEE0 for each in range(0x21, 0x7F)}),
}


def _accents(draw: Drawing) -> Script:
    """Two names that are written alike, one composed, one decomposed."""
    name = draw.word() + "e\u0301"
    composed = unicodedata.normalize("NFC", name)
    return (*draw.speech(name), *draw.speech(composed), _leaves(composed))


def _named_who_left(draw: Drawing) -> Script:
    one, two, three = draw.words(3)
    return (*draw.speech(three), *draw.speech(one), _leaves(one), *draw.speech(two, saying=one), _leaves(two))


def _left_again_and_again(draw: Drawing) -> Script:
    one, two = draw.words(2)
    return (*draw.speech(two), *(move for _ in range(5) for move in (*draw.speech(one), _leaves(one))))


def _was_read(draw: Drawing) -> Script:
    """Others ask after somebody spoke, who then leaves."""
    one, two, three = draw.words(3)
    return (*draw.speech(one), *draw.speech(two), *draw.speech(three, saying=one), *draw.speech(two), _leaves(one))


def _by_chance(draw: Drawing) -> Script:
    names = draw.words(draw.number(1, 6))
    moves = []
    for _ in range(draw.number(2, 40)):
        name = draw.chosen(names)
        moves.append(_leaves(name) if draw.number(0, 3) == 0 else draw.move(name))
    return tuple(moves)


def _speaks_as_the_first_output(draw: Drawing) -> Script:
    """Speak as a channel that the controller itself named at its start (Example 3.3)."""
    one = draw.word()
    return (draw.move(Output(0)), *draw.speech(one), _leaves(one))


def _speaks_as_what_it_heard(draw: Drawing) -> Script:
    one, two = draw.words(2)
    first = draw.speech(one)
    echo = tuple(draw.move(Output(number)) for number in range(len(first) + 1))
    return (*first, *echo, *draw.speech(two), _leaves(two), _leaves(one))


def _repeats_what_it_heard(draw: Drawing) -> Script:
    one, two = draw.words(2)
    first = draw.speech(one)
    echo = tuple(move for number in range(len(first) + 1) for move in draw.speech(two, saying=Output(number)))
    return (*first, *echo, _leaves(two))


def _listens_to_words(draw: Drawing, script: Script, outputs: Sequence[str | None]) -> Script:
    """Say the longest words of what was returned, as an argument and as a channel; then leave."""
    words = {word for each in outputs for word in re.findall(r"\w+", each or "")}
    heard = sorted(words, key=lambda each: (-len(each), each))[:_MOST_HEARD]
    one, two = draw.words(2)
    said = (move for word in heard for move in (*draw.speech(one, saying=word), *draw.speech(word)))
    return (*script, *said, *draw.speech(two), _leaves(one), _leaves(two))


def _adapts_by_chance(draw: Drawing) -> Script:
    names: list[str | Output] = list(draw.words(3))
    moves: list[Move] = []
    for number in range(draw.number(3, 24)):
        name = names[draw.number(0, len(names) - 1)]
        says = Output(draw.number(0, number)) if draw.number(0, 1) else None
        moves.append(_leaves(name) if draw.number(0, 3) == 0 else draw.move(name, saying=says))
        if draw.number(0, 4) == 0:
            names.append(Output(draw.number(0, len(moves))))
    return tuple(moves)


SAID_ALIKE: Final = Adversary("said-alike", _said_alike)
SCRIPTED: Final = (
    Adversary("spoke-and-left", _spoke_and_left),
    Adversary("left-among-others", _left_among_others),
    Adversary("left-before-others-came", _left_before_others_came),
    Adversary("came-back", _came_back),
    Adversary("left-twice", _left_twice),
    Adversary("left-unheard", _left_unheard),
    Adversary("all-left", _all_left),
    Adversary("in-another-order", _in_another_order),
    Adversary("said-the-same", _said_the_same),
    SAID_ALIKE,
    Adversary("named-each-other", _named_each_other),
    Adversary("repeated-itself", _repeated_itself),
    Adversary("said-much", _said_much),
    Adversary("named-who-left", _named_who_left),
    Adversary("left-again-and-again", _left_again_and_again),
    Adversary("was-read", _was_read),
    *(Adversary(f"crowd-of-{size}", _crowd(size)) for size in _CROWDS),
    *(Adversary(f"crowd-of-{size}-that-left", _crowd_that_left(size)) for size in _CROWDS_THAT_LEFT),
    Adversary("speaks-as-the-first-output", _speaks_as_the_first_output, adapts=True),
    Adversary("speaks-as-what-it-heard", _speaks_as_what_it_heard, adapts=True),
    Adversary("repeats-what-it-heard", _repeats_what_it_heard, adapts=True),
    Adversary("repeats-words-that-it-heard", _spoke_twice, adapts=True, listens=_listens_to_words),
)
"""Each plays once for each way to the same state."""
REPORTED: Final = (Adversary("left-after-a-report", _left_after_a_report),)
"""As often, where there is an operation of the environment."""
ALIKE: Final = (
    Adversary("looked-alike-accents", _accents),
    *(Adversary(f"looked-alike-{name}", _looked_alike(change)) for name, change in _LOOK_ALIKES.items()),
)
"""As often; under fresh tapes only where one found something."""
RANDOM: Final = (Adversary("by-chance", _by_chance), Adversary("adapts-by-chance", _adapts_by_chance, adapts=True))
"""Each plays as often as the sizes allow."""


def adaptive(adversaries: Iterable[Adversary]) -> frozenset[str]:
    """The names of those that use what the controller returned."""
    return frozenset(each.name for each in adversaries if each.adapts)
