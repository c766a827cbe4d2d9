"""The search for histories by hypothesis's stateful testing: it composes operations and learns of what the controller returned.

hypothesis is an extra (`pip install "auditor[controllers]"`); without it there is no search, and the result says so.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from importlib.util import find_spec
from typing import Any, Final

from auditor.base.histories import ANY_WORD, DELETE, Move, Output, Script, Vocabulary

_STEPS: Final = 30
"""Operations of one history."""
CHANNELS: Final = 4
"""Words that the search composes histories of."""


def installed() -> bool:
    """Whether hypothesis can be had."""
    return find_spec("hypothesis") is not None


def search(vocabulary: Vocabulary, words: Sequence[str], differs: Callable[[Script], bool], *, examples: int) -> Script | None:
    """Look for a history that leaves another state than one that is logically equivalent to it.

    Args:
        vocabulary: What a channel may ask.
        words: Names of channels, and what they say.
        differs: Plays a history and another way to the same logical state, and says whether the states differ.
        examples: How many histories are tried; always the same ones.

    Returns:
        The first history found; None where there is none.

    Raises:
        ProcedureError: What `differs` raises.
    """
    from hypothesis import HealthCheck, Phase, Verbosity, settings  # noqa: PLC0415 - an extra, and slow to load
    from hypothesis.stateful import run_state_machine_as_test  # noqa: PLC0415

    found: list[Script] = []

    def ended(script: Script) -> None:
        if script and differs(script):
            found.append(script)
            raise _FoundError

    options = settings(
        max_examples=examples,
        stateful_step_count=_STEPS,
        derandomize=True,
        database=None,
        deadline=None,
        phases=(Phase.generate,),
        suppress_health_check=list(HealthCheck),
        verbosity=Verbosity.quiet,
        report_multiple_bugs=False,
        print_blob=False,
    )
    try:
        run_state_machine_as_test(_machine(vocabulary, words, ended), settings=options)
    except Exception:
        # It plays a finding once more, and calls it flaky where that comes out otherwise.
        if not found:
            raise
    return found[0] if found else None


class _FoundError(Exception):
    """Ends the search."""


def _machine(vocabulary: Vocabulary, words: Sequence[str], ended: Callable[[Script], None]) -> Any:
    """A class whose rules are operations, which hands each finished history over."""
    from hypothesis import strategies as st  # noqa: PLC0415
    from hypothesis.stateful import RuleBasedStateMachine, rule  # noqa: PLC0415

    said: list[tuple[str, str | None]] = [(DELETE, None)]
    for name, examples in vocabulary.arguments.items():
        if name != DELETE and name not in vocabulary.environment:
            said += [(name, each) for each in examples or (None,)]
    heard = st.none() | st.integers(0, _STEPS)

    class Controller(RuleBasedStateMachine):
        """One history, operation by operation."""

        def __init__(self) -> None:
            super().__init__()
            self.moves: list[Move] = []

        @rule(place=st.sampled_from(words), heard=heard, what=st.sampled_from(said), any_word=st.sampled_from(words), says=heard)
        def speak(self, place: str, heard: int | None, what: tuple[str, str | None], any_word: str, says: int | None) -> None:
            def text(otherwise: str, number: int | None) -> str | Output:
                return otherwise if number is None else Output(number % (len(self.moves) + 1))

            name, argument = what
            self.moves.append(Move(text(place, heard), name, text(any_word, says) if argument == ANY_WORD else argument))

        def teardown(self) -> None:
            ended(tuple(self.moves))

    return Controller
