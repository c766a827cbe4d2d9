"""For `data.erased`: let people come, speak and be deleted, then search everything that the controller keeps for their words.

Names and arguments are words that occur nowhere else. They are looked for as they stand, in other encodings, reversed, packed and
as digests, in the state, in what its object and modules hold, and in its files. The same history without the deleted people is
played alongside, in another process: what is kept then is what may be kept. All of it is done twice, with state() called and
without: nobody in use calls it before the next question, so what a program removes there alone it still answers from.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Final, Literal, NamedTuple

import numpy as np

from auditor.base.draws import generator
from auditor.base.histories import ANY_WORD, DELETE, ENVIRONMENT, Move, Operation, Script, Vocabulary, without_deleted
from auditor.parts.controllers.observing.histories.playing import Play
from auditor.parts.controllers.observing.histories.sandboxed import Stand
from auditor.parts.store.judging.accounting import MOST_NAMED, ControllerKept, KeptPlace
from auditor.parts.store.observing.patterns import Pattern, Patterns
from auditor.parts.store.observing.unpacking import Unpacking
from auditor.sandbox.activations import Held, Piece

CHANNELS: Final = 12
"""That are deleted; as many stay."""
_LETTERS: Final = 20
_DIGESTS: Final = ("md5", "sha1", "sha256", "sha512", "blake2b", "sha3_256")
_TAPES: Final = 2**31


class _Drawn(NamedTuple):
    history: tuple[Operation, ...]
    gone: frozenset[str]
    """Every word of the channels that are deleted."""
    stay: frozenset[str]
    came: int
    """Operations before the environment speaks for the first time, when everybody is there."""


class _Kept(NamedTuple):
    state: bytes
    held: Held


def observe(stand: Stand, vocabulary: Vocabulary, *, seed: int) -> ControllerKept:
    """Play the history with and without the deleted channels, and search what the first one leaves.

    Args:
        stand: Where the controller is played.
        vocabulary: What it may be asked.
        seed: The auditor's own.

    Raises:
        ProcedureError: If the controller fails.
        SandboxError: If the sandbox does.
    """
    rng = generator(seed, "controller", "erased")
    drawn, tape = _draw(vocabulary, rng), int(rng.integers(_TAPES))
    histories = drawn.history, without_deleted(drawn.history)
    with_them, without_them = (_play(stand, tape, each) for each in histories)
    unshown, unshown_without = (_held_unshown(stand, tape, each) for each in histories)
    kept = max(
        _searched(drawn, with_them, without_them),
        _searched(drawn, with_them._replace(held=unshown), without_them._replace(held=unshown_without)),
        key=_against,
    )
    if kept.recognised or stand.spec.use is None or not vocabulary.environment:
        return kept
    # What a program of ours keeps of people until it reports is written as plainly as what it keeps of them afterwards.
    before = _searched(drawn, _play(stand, tape, drawn.history[: drawn.came]), without_them)
    return kept.model_copy(update={"recognised": before.recognised})


def _play(stand: Stand, tape: int, history: tuple[Operation, ...]) -> _Kept:
    script: Script = tuple(Move(*each) for each in history)
    with stand.player() as player:
        return _Kept(player.play([Play(tape, script)])[0].state, player.held())


def _held_unshown(stand: Stand, tape: int, history: tuple[Operation, ...]) -> Held:
    """What is held where state() was never called."""
    with stand.player() as player:
        player.play_unshown(Play(tape, tuple(Move(*each) for each in history)))
        return player.held()


def _against(kept: ControllerKept) -> tuple[int, bool, bool]:
    """How much speaks against a program, the worst first."""
    return kept.found, not kept.same_beyond, kept.cut


def _draw(vocabulary: Vocabulary, rng: np.random.Generator) -> _Drawn:
    """All come and speak in turns; then some are deleted one after another, the others speaking on in between."""

    def word() -> str:
        return "".join(chr(97 + each) for each in rng.integers(26, size=_LETTERS))

    words: dict[str, set[str]] = {word(): set() for _ in range(2 * CHANNELS)}
    channels = list(words)
    gone = channels[::2]

    def speech(channel: str) -> Iterator[Operation]:
        for operation, examples in vocabulary.arguments.items():
            if operation in vocabulary.environment:
                continue
            argument = str(rng.choice(np.array(examples, dtype=object))) if examples else None
            if argument == ANY_WORD:
                argument = word()
                words[channel].add(argument)
            yield Operation(channel, operation, argument)

    reports = [_asked(each, vocabulary.arguments[each]) for each in sorted(vocabulary.environment)]
    history = [each for channel in channels for each in speech(channel)]
    came = len(history)
    history += reports
    for leaving, staying in zip(gone, channels[1::2], strict=True):
        history += [*speech(leaving), *speech(staying), Operation(leaving, DELETE)]
    said = {channel: {channel, *of} for channel, of in words.items()}
    return _Drawn(
        (*history, *reports),
        frozenset().union(*(said[each] for each in gone)),
        frozenset().union(*(said[each] for each in channels[1::2])),
        came,
    )


def _asked(operation: str, examples: Sequence[str]) -> Operation:
    """What the environment says: the first example, no word of its own."""
    return Operation(ENVIRONMENT, operation, None if not examples else examples[0])


def _searched(drawn: _Drawn, kept: _Kept, never: _Kept) -> ControllerKept:
    patterns = Patterns(each for word in (*drawn.gone, *drawn.stay) for each in _forms(word))
    places, found = [], set[str]()
    for place, pieces in _places(kept):
        seen = _words_in(patterns, b"\n".join(each.content for each in pieces))
        gone = seen & drawn.gone
        named = [each.name for each in pieces if gone and _words_in(patterns, each.content) & drawn.gone]
        places.append(
            KeptPlace(
                place=place,
                bytes=sum(len(each.content) for each in pieces),
                found=len(gone),
                named=tuple(dict.fromkeys(named))[:MOST_NAMED],
            )
        )
        found |= seen
    return ControllerKept(
        words=len(drawn.gone),
        found=len(found & drawn.gone),
        places=tuple(places),
        recognised=bool(found & drawn.stay),
        cut=kept.held.cut,
        same_state=kept.state == never.state,
        same_beyond=_contents(kept) == _contents(never),
    )


def _places(kept: _Kept) -> Iterator[tuple[Literal["state", "objects", "files"], tuple[Piece, ...]]]:
    yield "state", (Piece("state()", kept.state),)
    yield "objects", tuple(each for each in kept.held.pieces if not each.name.startswith("file "))
    yield "files", tuple(each for each in kept.held.pieces if each.name.startswith("file "))


def _contents(kept: _Kept) -> Counter[bytes]:
    return Counter(each.content for each in kept.held.pieces)


def _words_in(patterns: Patterns, content: bytes) -> set[str]:
    return {word for layer in Unpacking(content).layers() for word in patterns.owners_in(layer.content)}


def _forms(word: str) -> Iterator[Pattern]:
    """How a word may be written; hexadecimal, base64 and packed forms are taken apart before."""
    for text in (word, word[::-1], word.upper()):
        for encoding in ("utf-8", "utf-16-le", "utf-16-be", "utf-32-le", "utf-32-be"):
            yield Pattern(text.encode(encoding), word)
    for name in _DIGESTS:
        yield Pattern(hashlib.new(name, word.encode(), usedforsecurity=False).digest()[:16], word)
