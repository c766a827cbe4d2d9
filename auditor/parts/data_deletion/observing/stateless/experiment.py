"""The experiment: the updates twice as they are, then resumed in fresh processes from the parameters and from the saved file."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, Final, TypeAlias

import numpy as np
from safetensors.numpy import save

from auditor.audit.comparisons import Seen, difference, same, seen
from auditor.audit.devices import Place, require_same
from auditor.audit.updates import RESUMED, Updates, model_after
from auditor.base.domain import Message
from auditor.base.errors import ProcedureError
from auditor.base.records import Floats
from auditor.maths.statistics import sign_flip_p
from auditor.parts.data_deletion.judging.state_stateless import Kept, Other, Resumed, Source, Tried
from auditor.sandbox import Answer, Load, Save, Step, Survey
from auditor.sandbox.state_found import changed, read

# Compare the law of resumed updates with that of the originals, where chance plays a part.
PAIRS: Final = 17
"""Originals, each alongside a run resumed from it: enough for the least p-value of 1/2048."""
_COORDINATES: Final = 500


def laws_differ(pairs: Sequence[tuple[Seen, Seen]], model: str) -> float | None:
    """The p-value of the two runs of every pair having made `model` by one law; None where shapes differ within a pair.

    Given the model that both start from, they are then exchangeable, so that the sign of their difference is a fair coin, in all
    coordinates at once: an exact randomisation test, see `statistics.sign_flip`.
    """
    rows = []
    for original, resumed in pairs:
        if [each.shape for each in original[model]] != [each.shape for each in resumed[model]]:
            return None
        rows.append(np.concatenate([(a - b).ravel() for a, b in zip(original[model], resumed[model], strict=True)]))
    if len({len(row) for row in rows}) != 1:
        return None
    columns = np.stack(rows, axis=1)
    columns = columns[np.unique(np.linspace(0, len(columns) - 1, _COORDINATES).astype(np.int64))]
    largest = np.max(np.abs(columns), axis=1, keepdims=True)
    # An unused generator: as many pairs as there are here are all counted.
    return sign_flip_p(columns / np.where(largest > 0, largest, 1.0), rng=np.random.default_rng(0))


# The released parameters as a model file of the contract: the array `parameters` and nothing else.
def forms(parameters: Floats, saved: bytes | None) -> Iterator[tuple[str, bytes]]:
    """Every form that `load` may take them in, the likeliest first: a procedure that can go on from one can go on from them.

    Args:
        parameters: Shape (d,).
        saved: The file that the procedure itself writes, of which only the format is examined; None where it writes none.
    """
    with np.errstate(over="ignore"):
        narrow = parameters.astype(np.float32)
    # What came back was widened: it may have been narrow in the procedure's own hands.
    arrays: list[np.ndarray[Any, Any]] = [parameters]
    if np.array_equal(narrow, parameters):
        arrays.append(narrow)
    formats = ["npz", "safetensors"] if saved is None or saved.startswith(b"PK") else ["safetensors", "npz"]
    for suffix in formats:
        for array in arrays:
            yield f"{suffix}, {array.dtype}", _npz(array) if suffix == "npz" else save({"parameters": array})


def _npz(array: np.ndarray[Any, Any]) -> bytes:
    buffer = io.BytesIO()
    np.savez(buffer, parameters=array)
    return buffer.getvalue()


Run: TypeAlias = Callable[[str, Sequence[tuple[Step, ...]]], list[tuple[Answer, ...]]]
"""Runs lists of steps side by side, each in a process of its own, under a name that tells this round from the others."""

LAW_SECONDS: Final = 120.0
"""Time in the procedure's own calls that the comparison of laws may take."""
_MOST_NAMES: Final = 100
_NO_SAVE: Final = Message("state.stateless.refused.no-save")
_FIRST, _NEXT = 2, 3
"""Of the updates whose laws are compared: not before two of them, over which a hidden state can build up."""


@dataclass(frozen=True, slots=True)
class Original:
    """One run of the updates as they are."""

    seen: Seen
    files: dict[str, bytes]
    """What `save` wrote of each model; empty where there is no `save`."""
    survivors: tuple[tuple[str, str], ...]
    """Kind and name of what an update changed and what was there after the last."""
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
        if released.others or saved.others:
            # Chance that shows rarely must not pass for a hidden state: whatever differs has to do so twice.
            (third,) = self._originals("original once more", 1)
            again = self._from_parameters("parameters once more", first), self._from_files("file once more", first)
            steady = all(_alike(*each) for each in zip((released, saved), again, strict=True))
            if not steady or not same(first.seen, third.seen):
                return self._as_laws([first, second, third])
        return self._found(first, released, saved, deterministic=True)

    def _originals(self, name: str, count: int, *, until: int | None = None) -> list[Original]:
        runs = self._run(name, [self._updates.original(until=until)] * count)
        return [_original(self._where, answers) for answers in runs]

    def _from_parameters(self, name: str, original: Original) -> Resumed:
        """From the first form that gives the same; else what the first form gave that was taken."""
        listed = [list(forms(original.seen[model_after(after)][0], original.files.get(model_after(after)))) for after in RESUMED]
        found: list[Resumed] = []
        for choice in zip(*listed, strict=False):
            contents = dict(zip(RESUMED, (content for _, content in choice), strict=True))
            found.append(self._resumption(f"{name}, {choice[0][0]}", contents, original))
            if _same(found[-1]) or _was_ended(found[-1]):
                return found[-1]
        return next((each for each in found if each.others), found[0])

    def _from_files(self, name: str, original: Original) -> Resumed:
        if not original.files:
            return Resumed(refused=_NO_SAVE)
        contents = {after: original.files[model_after(after)] for after in RESUMED}
        return self._resumption(name, contents, original)

    def _resumption(self, name: str, contents: dict[int, bytes], original: Original) -> Resumed:
        runs = self._resumed(name, [self._updates.resumed(after, content) for after, content in contents.items()])
        if isinstance(runs, Message):
            return Resumed(refused=runs)
        return Resumed(
            others=tuple(
                Other(after=after, difference=difference(original.seen, run))
                for after, run in zip(contents, runs, strict=True)
                if not same(original.seen, run)
            )
        )

    def _resumed(self, name: str, steps: Sequence[tuple[Step, ...]]) -> list[Seen] | Message:
        """What the models were seen to be in each resumed run; the reason where one of them could not be resumed."""
        try:
            runs = self._run(name, steps)
        except ProcedureError as error:
            # What was loaded may be no model: that is no crash of what is audited.
            return Message("state.stateless.refused.failed", {"message": str(error)})
        for answers in runs:
            require_same(self._where, answers)
            loaded = next(answer for answer in answers if isinstance(answer.step, Load))
            if not loaded.supported:
                return Message("state.stateless.refused.not-taken", {"error": _word(loaded.facts.get("refused"))})
        return [seen(answers) for answers in runs]

    def _as_laws(self, originals: list[Original]) -> Tried:
        """Where two runs of the same differ: whether the next update's law is another one in a fresh process."""
        if originals[0].seconds * 2 * PAIRS > LAW_SECONDS:
            return self._found(originals[0], Resumed(), Resumed(), deterministic=False, slow=True)
        originals = [*originals, *self._originals("original as a law", PAIRS - len(originals), until=_NEXT)]
        model = model_after(_FIRST)
        choices = [list(forms(each.seen[model][0], each.files.get(model))) for each in originals]
        in_each_form = [[content for _, content in choice] for choice in zip(*choices, strict=False)]
        released = self._law(Source.PARAMETERS, in_each_form, originals)
        saved = self._law(Source.FILE, [[each.files[model] for each in originals]] if originals[0].files else [], originals)
        return self._found(originals[0], released, saved, deterministic=False)

    def _law(self, source: Source, attempts: Sequence[Sequence[bytes]], originals: Sequence[Original]) -> Resumed:
        """The comparison of laws from the first form that is taken."""
        refused = _NO_SAVE
        for number, contents in enumerate(attempts):
            steps = [self._updates.resumed(_FIRST, content) for content in contents]
            runs = self._resumed(f"law from {source.value}, {number}", steps)
            if not isinstance(runs, Message):
                pairs = [(each.seen, run) for each, run in zip(originals, runs, strict=True)]
                return Resumed(p=laws_differ(pairs, model_after(_NEXT)), after=_FIRST)
            refused = runs
        return Resumed(refused=refused)

    def _found(self, original: Original, released: Resumed, saved: Resumed, *, deterministic: bool, slow: bool = False) -> Tried:
        return Tried(
            updates=len(self._updates.records),
            deterministic=deterministic,
            slow=slow,
            pairs=PAIRS,
            survived=len(original.survivors),
            survivors=tuple(Kept(name=name, kind=kind) for kind, name in original.survivors[:_MOST_NAMES]),
            from_parameters=released,
            from_file=saved,
        )


def _same(resumed: Resumed) -> bool:
    return resumed.refused is None and not resumed.others


def _alike(first: Resumed, second: Resumed) -> bool:
    """Whether both were refused, both gave the same models, or both gave others."""
    return (first.refused is None, bool(first.others)) == (second.refused is None, bool(second.others))


def _was_ended(resumed: Resumed) -> bool:
    """Whether a run broke a limit, so that it is not started again with another form."""
    return resumed.refused is not None and "was ended" in resumed.refused.parameters.get("message", "")


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
