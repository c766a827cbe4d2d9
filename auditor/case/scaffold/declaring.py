"""The audit.toml that `init --from` writes: what was found, with a comment on each guess, and questions about the rest."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from auditor.case.scaffold.roles import Guess
from auditor.case.starting import fresh_seed, questions

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
    entry: str
    log: str | None


def text(found: Found) -> str:
    """Write the file, with a fresh seed of 128 bits."""
    return "\n".join(_lines(found)) + "\n"


def _lines(found: Found) -> Iterator[str]:
    yield '# A case for `auditor check`, written by `auditor init --from`. What follows "taken" was guessed: see that it is so.'
    yield "# Keep this file to yourselves: anyone who knows its seed can tell what certificates hide."
    yield from ("", "[case]", _key("name", found.name, "as it should read on the report"))
    for key, says in _TOLD:
        yield f"# {key} = {says}"
    yield from ("", "[data]", _key("train", found.train, "what the model was first trained on, deleted records included"))
    yield _key("id", found.id.value, f"taken: {found.id.why}")
    yield _key("label", found.label.value, f"taken: {found.label.why}")
    yield _key("task", found.task.value, f"taken: {found.task.why}")
    if found.person is not None:
        yield _key("person", found.person.value, f"taken: {found.person.why}")
    if found.inputs is not None:
        yield f"inputs = {json.dumps(list(found.inputs), ensure_ascii=False)}"
        yield f"# taken: the procedure does not get {', '.join(found.left_out)}"
    yield _file("store", found.store, "store.csv", "what you keep now: searched for the deleted records")
    yield _file("holdout", found.holdout, "holdout.csv", "records that the model never saw: for accuracy, and for attacks")
    yield from ("", "[model]" if found.model else "# [model]")
    yield _file("path", found.model, "model.txt", "the file about to be released; without one, the procedure alone is audited")
    yield from ("", "[procedure]", 'use = "estimator"', _key("entry", found.entry, "build(seed) gives an unfitted estimator"))
    yield _key("unlearn", "retrain", "a deletion is answered by training again on what is left")
    yield f'seed = "{fresh_seed()}"   # drawn for this case; replace it by the one that trained your model'
    yield from ("", "[deletions]")
    yield _key(
        "log", found.log or "deletions.jsonl", "one erasure request a line" if found.log else "not there yet: auditor log import"
    )
    yield from ("", "[claims]", "# retraining = true                          # do you train again without the deleted records?")
    yield "# What no audit can find out: is each of these true? Uncomment what is, and say who answers for it and since when."
    yield "# What nobody attests counts as unknown. Attest nothing that you have not made sure of."
    yield from ("attested = [", *questions(), "]")
    yield '# attested_by = "name and office of the person who answers for it"'
    yield "# attested_at = 2026-01-31"
    yield from ("", "[policy]", "# max_accuracy_drop = 0.02                   # what else has to hold: docs/reference.md")


_TOLD: Final[Sequence[tuple[str, str]]] = (
    ("release", '"2026.1"'),
    ("controller", '"name of the controller"'),
    ("contact", '"where a person can write to you; letters need it"'),
    ("authority", '"name and address of your supervisory authority; letters need it"'),
)


def _key(key: str, value: str, says: str) -> str:
    # JSON's text is TOML's, but for two characters that both may escape.
    line = f"{key} = {json.dumps(value, ensure_ascii=False)}"
    return f"{line:<{_COLUMN}} # {says}"


def _file(key: str, name: str | None, usual: str, says: str) -> str:
    return _key(key, name, says) if name else f"# {_key(key, usual, says)}"
