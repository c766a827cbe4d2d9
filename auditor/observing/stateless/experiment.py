"""The experiment: the updates twice as they are, then resumed in fresh processes from the parameters and from the saved file."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import pairwise
from typing import Any, Final, TypeAlias

from auditor.errors import ProcedureError
from auditor.observing.devices import Place, require_same
from auditor.observing.models_seen import Seen, difference, same, seen
from auditor.observing.stateless.comparing import PAIRS, SIGNIFICANT, Otherwise, laws_differ
from auditor.observing.stateless.drawing import RESUMED, Updates, model_after
from auditor.observing.stateless.released import forms
from auditor.sandbox import Answer, Load, Save, Step, Survey
from auditor.sandbox.surveyed import changed, read

Run: TypeAlias = Callable[[str, Sequence[tuple[Step, ...]]], list[tuple[Answer, ...]]]
"""Runs lists of steps side by side, each in a process of its own, under a name that tells this round from the others."""

FROM_PARAMETERS: Final = "the released parameters alone"
FROM_FILE: Final = "the file that save() wrote"
LAW_SECONDS: Final = 120.0
"""Time in the procedure's own calls that the comparison of laws may take."""
_FIRST, _NEXT = 2, 3
"""Of the updates whose laws are compared: not before two of them, over which a hidden state can build up."""


class Came(StrEnum):
    """What became of updates that were resumed."""

    SAME = "the same"
    OTHERWISE = "otherwise"
    UNDECIDED = "not told apart"
    """Laws that no difference was found between."""
    REFUSED = "refused"


@dataclass(frozen=True, slots=True)
class Resumption:
    """Updates resumed from one kind of file."""

    source: str
    came: Came
    cases: tuple[Otherwise, ...] = ()
    reason: str | None = None
    """Why it was refused."""

    def listed(self) -> dict[str, Any]:
        """As the evidence holds it."""
        return {"from": self.source, "came_out": self.came.value, "reason": self.reason}


@dataclass(frozen=True, slots=True)
class Tried:
    """What the experiment showed."""

    survivors: tuple[tuple[str, str], ...]
    """Kind and name of what an update changed and what was there after the last."""
    deterministic: bool
    released: Resumption
    saved: Resumption
    p_values: dict[str, float] | None = None
    """Where the laws were compared."""
    slow: bool = False
    """Whether the procedure is too slow for its laws to be compared."""


@dataclass(frozen=True, slots=True)
class Original:
    """One run of the updates as they are."""

    seen: Seen
    files: dict[str, bytes]
    """What `save` wrote of each model; empty where there is no `save`."""
    survivors: tuple[tuple[str, str], ...]
    seconds: float


class Experiment:
    """The updates of one case and what runs them."""

    def __init__(self, updates: Updates, run: Run, where: Place) -> None:
        """Keep the parts."""
        self._updates, self._run, self._where = updates, run, where

    def tried(self) -> Tried:
        """Run everything.

        Raises:
            ProcedureError: If the updates fail that no process was resumed for.
            SandboxError: If a sandbox could not be set up or torn down.
        """
        first, second = self._originals("original", 2)
        if not same(first.seen, second.seen):
            return self._as_laws([first, second])
        released, saved = self._from_parameters("parameters", first), self._from_files("file", first)
        if released.cases or saved.cases:
            # Chance that shows rarely must not pass for a hidden state: whatever differs has to do so twice.
            (third,) = self._originals("original once more", 1)
            again = self._from_parameters("parameters once more", first), self._from_files("file once more", first)
            steady = [(released.came, saved.came)] == [tuple(each.came for each in again)]
            if not steady or not same(first.seen, third.seen):
                return self._as_laws([first, second, third])
        return Tried(first.survivors, True, released, saved)

    def _originals(self, name: str, count: int, *, until: int | None = None) -> list[Original]:
        runs = self._run(name, [self._updates.original(until=until)] * count)
        return [_original(self._where, answers) for answers in runs]

    def _from_parameters(self, name: str, original: Original) -> Resumption:
        """From the first form that gives the same; else what the first form gave that was taken."""
        listed = [list(forms(original.seen[model_after(after)][0], original.files.get(model_after(after)))) for after in RESUMED]
        found: list[Resumption] = []
        for choice in zip(*listed, strict=False):
            contents = dict(zip(RESUMED, (content for _, content in choice), strict=True))
            found.append(self._resumption(f"{name}, {choice[0][0]}", FROM_PARAMETERS, contents, original))
            # One that broke a limit is not started again with another form.
            if found[-1].came is Came.SAME or (found[-1].reason is not None and "was ended" in found[-1].reason):
                return found[-1]
        return next((each for each in found if each.came is Came.OTHERWISE), found[0])

    def _from_files(self, name: str, original: Original) -> Resumption:
        if not original.files:
            return Resumption(FROM_FILE, Came.REFUSED, reason="the procedure has no save()")
        contents = {after: original.files[model_after(after)] for after in RESUMED}
        return self._resumption(name, FROM_FILE, contents, original)

    def _resumption(self, name: str, source: str, contents: dict[int, bytes], original: Original) -> Resumption:
        runs = self._resumed(name, [self._updates.resumed(after, content) for after, content in contents.items()])
        if isinstance(runs, str):
            return Resumption(source, Came.REFUSED, reason=runs)
        cases = [
            Otherwise(after, difference(original.seen, run), f"resumed from {source} in a fresh process")
            for after, run in zip(contents, runs, strict=True)
            if not same(original.seen, run)
        ]
        return Resumption(source, Came.OTHERWISE if cases else Came.SAME, tuple(cases))

    def _resumed(self, name: str, steps: Sequence[tuple[Step, ...]]) -> list[Seen] | str:
        """What the models were seen to be in each resumed run; the reason where one of them could not be resumed."""
        try:
            runs = self._run(name, steps)
        except ProcedureError as error:
            # What was loaded may be no model: that is no crash of what is audited.
            return str(error)
        for answers in runs:
            require_same(self._where, answers)
            loaded = next(answer for answer in answers if isinstance(answer.step, Load))
            if not loaded.supported:
                return f"load() did not take it: {_word(loaded.facts.get('refused'))}"
        return [seen(answers) for answers in runs]

    def _as_laws(self, originals: list[Original]) -> Tried:
        """Where two runs of the same differ: whether the next update's law is another one in a fresh process."""
        nothing = Resumption(FROM_PARAMETERS, Came.UNDECIDED), Resumption(FROM_FILE, Came.UNDECIDED)
        if originals[0].seconds * 2 * PAIRS > LAW_SECONDS:
            return Tried(originals[0].survivors, False, *nothing, slow=True)
        originals = [*originals, *self._originals("original as a law", PAIRS - len(originals), until=_NEXT)]
        model, p_values, found = model_after(_FIRST), {}, []
        choices = [list(forms(each.seen[model][0], each.files.get(model))) for each in originals]
        routes = [
            (FROM_PARAMETERS, [[content for _, content in choice] for choice in zip(*choices, strict=False)]),
            (FROM_FILE, [[each.files[model] for each in originals]] if originals[0].files else []),
        ]
        for source, attempts in routes:
            route = Resumption(source, Came.REFUSED, reason="the procedure has no save()")
            for number, contents in enumerate(attempts):
                steps = [self._updates.resumed(_FIRST, content) for content in contents]
                runs = self._resumed(f"law from {source}, {number}", steps)
                if isinstance(runs, str):
                    route = Resumption(source, Came.REFUSED, reason=runs)
                    continue
                p = laws_differ([(each.seen, run) for each, run in zip(originals, runs, strict=True)], model_after(_NEXT))
                route = Resumption(source, Came.UNDECIDED)
                if p is not None:
                    p_values[source] = p
                    how = f"resumed from {source} in fresh processes: another law, p = {p:.3g} over {PAIRS} pairs of runs"
                    if p <= SIGNIFICANT:
                        route = Resumption(source, Came.OTHERWISE, (Otherwise(_FIRST, None, how),))
                break
            found.append(route)
        return Tried(originals[0].survivors, False, found[0], found[1], p_values=p_values)


def _original(where: Place, answers: Sequence[Answer]) -> Original:
    require_same(where, tuple(answers))
    surveys = [read(answer.content) for answer in answers if isinstance(answer.step, Survey) and answer.content is not None]
    places = set().union(*(changed(before, after) for before, after in pairwise(surveys))) & surveys[-1].keys()
    files = {
        answer.step.model: answer.content for answer in answers if isinstance(answer.step, Save) and answer.content is not None
    }
    return Original(seen(answers), files, tuple(sorted(places)), sum(answer.seconds for answer in answers))


def _word(refused: object) -> str:
    return refused if isinstance(refused, str) and refused.isidentifier() and len(refused) <= 60 else "an error"
