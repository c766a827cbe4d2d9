"""The audit.toml that `init --from` writes: what was found, with a comment on each guess, and questions about the rest."""

from __future__ import annotations

import json
import secrets
import textwrap
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from auditor.base.model_formats import WHOLE_ESTIMATOR
from auditor.case.scaffold.asking import WIDTH, questions
from auditor.case.scaffold.roles import Guess

SEED_BITS = 128
"""Too many for anyone to try them all."""


def fresh_seed() -> int:
    """Draw a seed of 128 bits, the first of them set."""
    return secrets.randbits(SEED_BITS) | (1 << (SEED_BITS - 1))


_COLUMN: Final = 46


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """Everything that the file says."""

    name: str
    train: str
    id: Guess
    label: Guess
    task: Guess
    person: Guess | None
    inputs: tuple[str, ...] | None
    """Columns that the procedure gets; None for all without a role."""
    left_out: tuple[str, ...]
    """The others."""
    store: str | None
    holdout: str | None
    model: str | None
    part: str | None
    entry: str
    prepare: str | None
    log: str | None
    loop: bool = False
    """Whether the entry is a `TrainingLoop` out of a script."""
    shape: tuple[int, ...] | None = None
    """Of a row of an npz file, which has neither columns nor their names."""
    timezone: str | None = None
    """In whose calendar deadlines are counted."""
    released: str = ""
    """How the file that is released has to be trained."""


def text(found: Found) -> str:
    """Write the file, with a fresh seed of 128 bits."""
    return "\n".join(_lines(found)) + "\n"


def _part_lines(found: Found) -> Iterator[str]:
    """The part of what the rerun makes that the file holds, or a line that names it for a file that is still to be named."""
    prepared_apart = "what build gives, without what prepares its rows"
    if found.part is not None:
        why = prepared_apart if found.part == WHOLE_ESTIMATOR else "the last step of the pipeline, which the file holds"
        yield _key("part", found.part, f"guessed: {why}")
    elif found.model is None and found.prepare is not None and not found.loop:
        yield f'# part = "{WHOLE_ESTIMATOR}"   # for a file of {prepared_apart}'


def _lines(found: Found) -> Iterator[str]:
    yield '# A case for `auditor check`, written by `auditor init --from`. Check every value marked "guessed".'
    yield "# Keep this file to yourselves: anyone who knows its seed can tell what certificates hide."
    yield from ("", "[case]", _key("name", found.name, "as it should read on the report"))
    for key, says in _TOLD:
        yield f"# {key} = {says}"
    yield from ("", "[data]", _key("train", found.train, "what the model was first trained on, deleted records included"))
    if found.shape is None:
        yield _key("id", found.id.value, f"guessed: {found.id.why}")
        yield _key("label", found.label.value, f"guessed: {found.label.why}")
    elif len(found.shape) > 1:
        yield f"shape = {list(found.shape)}"
    yield _key("task", found.task.value, f"guessed: {found.task.why}")
    if found.person is not None:
        yield _key("person", found.person.value, f"guessed: {found.person.why}")
    if found.inputs is not None:
        yield f"inputs = {json.dumps(list(found.inputs), ensure_ascii=False)}"
        yield f"# guessed: the procedure does not get {', '.join(found.left_out)}"
    yield _file("store", found.store, "store.csv", "what you keep now: searched for the deleted records")
    yield _file("holdout", found.holdout, "holdout.csv", "records that the model never saw: for accuracy, and for attacks")
    yield from ("", "[model]" if found.model else "# [model]")
    yield _file("path", found.model, "model.txt", "the file about to be released; without one, the procedure alone is audited")
    yield from _part_lines(found)
    yield from textwrap.wrap(found.released, width=WIDTH, initial_indent="# ", subsequent_indent="#   ", break_on_hyphens=False)
    if found.loop:
        yield from ("", "[procedure]", _key("entry", found.entry, "trains as your script does, and again for a deletion"))
    else:
        yield from ("", "[procedure]", 'use = "estimator"', _key("entry", found.entry, "build(seed) gives an unfitted estimator"))
        if found.prepare is not None:
            yield _key("prepare", found.prepare, "what the script does between its table and fit, on each training's rows")
        yield _key("unlearn", "retrain", "a deletion is answered by training again on what is left")
    yield f'seed = "{fresh_seed()}"   # drawn for this case; replace it by the one that trained your model'
    yield from ("", "[deletions]")
    yield _key(
        "log", found.log or "deletions.jsonl", "one erasure request a line" if found.log else "not there yet: auditor log import"
    )
    if found.timezone is not None:
        yield _key("timezone", found.timezone, "as --timezone says: deadlines are counted in its calendar")
    yield from ("", "[claims]", "# retraining = true                          # do you train again without the deleted records?")
    yield "# What no audit can find out: is each of these true? Uncomment what is, and say who answers for it and since when."
    yield "# What nobody attests counts as unknown. Attest nothing that you have not made sure of."
    yield from ("attested = [", *questions("estimator", model=found.model is not None), "]")
    yield '# attested_by = "name and office of the person who answers for it"'
    yield "# attested_at = 2026-01-31"
    yield from ("", "[policy]", *_policy(found.task.value))


def _policy(task: str) -> list[str]:
    """What is to be said of the policy of a new case: it lists nothing, so that all that applies is required."""
    if task == "regression":
        return textwrap.wrap(NO_CLASSES, width=WIDTH, initial_indent="# ", subsequent_indent="#   ")
    return ["# max_accuracy_drop = 0.02                   # what else has to hold: docs/reference.md"]


NO_CLASSES: Final = (
    "A regression has no classes: the SWAP test cannot be played and accuracy is not measured. An audit of it can pass only "
    "where release.exact passes, that is where training without the deleted records gives the very same model; otherwise it "
    "stays inconclusive, with swap.quality and swap.controls open."
)


_TOLD: Final[Sequence[tuple[str, str]]] = (
    ("release", '"2026.1"'),
    ("controller", '"name of the controller"'),
    ("contact", '"where a person can write to you; letters need it"'),
    ("authority", '"name and address of your supervisory authority; letters under eu need it"'),
)


def _key(key: str, value: str, says: str) -> str:
    # JSON's text is TOML's, but for two characters that both may escape.
    line = f"{key} = {json.dumps(value, ensure_ascii=False)}"
    return f"{line:<{_COLUMN}} # {says}"


def _file(key: str, name: str | None, usual: str, says: str) -> str:
    return _key(key, name, says) if name else f"# {_key(key, usual, says)}"
