"""Judges a model file in a library's own format, for `model.reproduced`: no array of parameters, but trees, texts and objects.

Such a file has room everywhere: in the last digits of a leaf, in what describes the training, in the spelling of its text. So one
passes only where its bytes are those that the rerun saves, or the one canonical way to write these. All else that is compared
says where it differs. What it predicts on rows that both are asked about can speak against a file, and never for it.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, Literal, Self

from pydantic import Field, model_validator

from auditor.base.domain import Fact, Message, Provenance, Status
from auditor.base.own_formats import OwnFormat
from auditor.settings.attestations import RELEASED
from auditor.verdict.checks.context import Context
from auditor.verdict.checks.finding import Finding, Values
from auditor.verdict.checks.stated import Amount, Count
from auditor.verdict.guarantees import fact

NEAR: Final = 1e-6
"""Relative difference of numbers up to which another machine may explain a file, and a record may be in it all the same."""
APART: Final = 1e-3
"""How far predictions on probes may be from the rerun's, relative to the largest one, before the file is another model."""


class FileSeen(Values):
    """The shipped file, held against the one that the rerun saves."""

    kind: OwnFormat
    bytes: Count
    saved: Literal["same", "other", "unreadable", "none"]
    """What save() at the end of the replay wrote: these bytes or what they are canonically, another file of this format, no such
    file, or nothing."""
    of_model: Count = 0
    """Values of the model that differ."""
    besides: Count = 0
    """Values that describe the model or its training, and differ."""
    tree: Count | None = None
    """The first tree that differs, as the file counts them, from 0; None outside trees."""
    field: str | None = None
    """The first field that differs; None where its name is not printed."""
    largest: Amount | None = None
    """The largest relative difference of two numbers of the model; None where it differs in more than numbers, or not at all."""
    again: bool | None
    """Whether a second run saved the same; None where none did."""
    predicts_again: bool = False
    """Whether another training gave the same predictions, bit for bit."""
    of_batch: Count | None = Field(default=None, exclude_if=lambda value: value is None)
    """The earlier batch, 0 for learning, after which the procedure saves this very file; None where there is none, or none was
    asked: only where the file holds another model."""

    @model_validator(mode="after")
    def _counted(self) -> Self:
        if self.saved != "other" and (self.of_model or self.besides or self.tree is not None):
            raise ValueError("places differ where both are files of one format")
        if self.of_batch is not None and not is_other(self):
            raise ValueError("a file that holds an earlier model holds another one than the rerun's")
        return self


class Loaded(Values):
    """What the shipped file is in a fresh process of the controller's code, without training data and log."""

    lacking: tuple[Literal["save", "load", "parameters"], ...]
    """Methods that the class does not have."""
    ended: Literal["refused", "failed"] | None
    """Where `load` refused the file, or the process failed after it; None where neither happened."""
    saved: Literal["same", "other", "unreadable"] | None
    """Whether `save` at the end of the replay wrote these parameters, those of the rerun among them; None without it."""
    differing: Count | None
    """Parameters of the loaded model that are not those of the file, bit for bit; None where there were none to compare."""
    moved: Amount | None
    """Largest absolute difference of predictions, loaded against the replay's last model, on one table."""
    largest: Amount | None
    """The largest absolute prediction of the replay's."""


class FileDerived(Values):
    """What the comparison comes to."""

    deterministic: bool
    equal: bool
    """Whether nothing is in the file that is not in the rerun's."""
    covers: Literal["all", "part"] | None
    """What of the released model the file is known to be; None where it is not known to be any of it."""


def judge(context: Context, seen: FileSeen, loaded: Loaded | None) -> Finding:
    """Hold the file against the rerun's."""
    part = context.case.model_part
    deterministic = seen.again is True
    equal = seen.saved == "same" and deterministic
    reasons = [Message("model.reproduced.file.compared", {"kind": seen.kind, "bytes": seen.bytes}), *_differences(seen)]
    if seen.of_batch is not None and seen.of_batch < context.log.batches:
        reasons.append(Message("model.reproduced.file.earlier", {"batch": seen.of_batch, "batches": context.log.batches}))
    if part is not None:
        reasons.append(Message("model.reproduced.file.part", {"part": part}))
    status = Status.PASS if equal else Status.INCONCLUSIVE
    if is_other(seen) or _answers_otherwise(seen, loaded, part):
        status = Status.FAIL
    if part is None:
        doubts = tuple(_not_tied(seen, loaded))
        reasons.extend(doubts)
        if doubts and status is Status.PASS:
            status = Status.INCONCLUSIVE
    passes = status is Status.PASS
    return Finding(
        status=status,
        value=0.0 if equal else None,
        threshold=0.0 if equal else None,
        reasons=tuple(reasons),
        derived=FileDerived(
            deterministic=deterministic, equal=equal, covers=None if not passes else "all" if part is None else "part"
        ),
        facts=_facts(status, context),
    )


def is_other(seen: FileSeen) -> bool:
    """Whether the model in the file is another one, which no chance and no other machine explains."""
    near = seen.largest is not None and seen.largest <= NEAR
    return seen.again is True and seen.of_model > 0 and not near


def _answers_otherwise(seen: FileSeen, loaded: Loaded | None, part: str | None) -> bool:
    """Whether a file that could only be asked answers far from what the rerun answers."""
    if part is not None or loaded is None or loaded.moved is None or seen.saved == "same" or not seen.predicts_again:
        return False
    if seen.kind != "onnx":
        return False  # what is parsed here is judged by what it holds: it may be a step that nobody declared as one
    return loaded.moved > APART * (loaded.largest or 0.0)


def _differences(seen: FileSeen) -> Iterator[Message]:
    """What the file is of the rerun's, and what to do where it is not the same."""
    where = {"tree": seen.tree, "field": seen.field}
    match seen.saved:
        case "none":
            yield Message("model.reproduced.file.no-save")
        case "unreadable":
            yield Message("model.reproduced.file.unreadable", {"kind": seen.kind})
        case "same" if seen.again is True:
            yield Message("model.reproduced.file.equal")
        case "other" if seen.again is True and seen.of_model:
            near = seen.largest is not None and seen.largest <= NEAR
            given = {"values": seen.of_model, **where, "largest": seen.largest}
            yield Message("model.reproduced.file.near" if near else "model.reproduced.file.other", given)
        case "other" if seen.again is True and seen.besides:
            yield Message("model.reproduced.file.besides", {"values": seen.besides, **where})
        case "other" if seen.again is True:
            yield Message("model.reproduced.file.spelling", {"kind": seen.kind})
        case _:
            yield Message("model.reproduced.not-deterministic" if seen.again is False else "model.reproduced.file.not-repeated")


def _not_tied(seen: FileSeen, loaded: Loaded | None) -> Iterator[Message]:
    """Why the file may not be what predicts."""
    if loaded is not None and loaded.ended is not None:
        refused = loaded.ended == "refused"
        yield Message("model.reproduced.file.refused" if refused else "model.reproduced.file.failed")
    elif loaded is None or "load" in loaded.lacking or loaded.moved is None:
        yield Message("model.reproduced.file.not-loaded")
    elif seen.saved == "same" and loaded.moved == 0.0:
        return
    elif seen.saved == "same" or loaded.moved > APART * (loaded.largest or 0.0):
        yield Message("model.reproduced.predicts-other", {"moved": loaded.moved})
    else:
        yield Message("model.reproduced.file.by-probes", {"moved": loaded.moved})


def _facts(status: Status, context: Context) -> tuple[Fact, ...]:
    part, claims = context.case.model_part, context.claims
    if status is Status.FAIL:
        return (fact(RELEASED, Provenance.REFUTED, Message("fact.release-reproduced.other")),)
    if status is not Status.PASS:
        return ()
    if part is None:
        return (fact(RELEASED, Provenance.MEASURED, Message("fact.release-reproduced.file")),)
    if not context.attests(RELEASED):
        return (fact(RELEASED, Provenance.UNKNOWN, Message("fact.release-reproduced.part", {"part": part})),)
    # Of the steps that were not given it says no less than it does of a model of which none was.
    given = {"part": part, "by": claims.attested_by, "at": str(claims.attested_at)}
    return (fact(RELEASED, Provenance.ATTESTED, Message("fact.release-reproduced.part-attested", given)),)
