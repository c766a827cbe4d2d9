"""Games over every tape there is: the default simulator (Cohen et al. 2023, Definition 2.5), sampled by counting.

Where a tape has few bits, both executions of a game are played under each of them. What differs between the two laws is then
known, and not estimated: the simulator that draws an ideal tape from those that explain what was seen exists as far as the laws
agree (Lemma A.1), and no other does better than they allow. That covers parties who adapt, too, where no tape changes an answer.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

from auditor.parts.controllers.judging.control.observed import Atoms, ExactLaw
from auditor.parts.controllers.observing.games import executions
from auditor.parts.controllers.observing.games.executions import Game, Kind, Seen
from auditor.parts.controllers.observing.histories.playing import Play, Player


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
