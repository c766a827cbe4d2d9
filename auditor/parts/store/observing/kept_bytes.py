"""How much of everything that is kept is accounted for by what it says itself, for `data.erased`.

A file of a model holds its parameters in a container that they determine, and nothing else; what a procedure of the auditor's own
carries on is its parameters, what its seed draws, declared labels and a number a class. All of that is computed again here,
outside the sandbox, from the parameters that the rerun released. Whatever does not come out the same is unexplained as a whole.
"""

from __future__ import annotations

import io
import struct
import zipfile
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from auditor.audit.replay import Replay
from auditor.base import model_formats
from auditor.base.domain import Floats, Reason
from auditor.base.errors import InputError
from auditor.case import Case, artifacts
from auditor.case.artifacts import ModelFile
from auditor.parts.release.observing.released_file import differing_bits
from auditor.parts.store.judging.accounting import Kept, Kind
from auditor.parts.store.observing.store_accounts import of_file
from auditor.parts.store.observing.store_people import People
from auditor.parts.store.observing.store_tables import arrays_in
from auditor.settings.facets import Removal
from auditor.verdict.checks.differences import LET_PASS_BYTES


def kept(
    case: Case,
    replay: Replay,
    code: Iterable[tuple[str, bytes]],
    inputs: Iterable[tuple[str, bytes]] = (),
    *,
    unknown: frozenset[str],
) -> Iterator[Kept]:
    """List every place that something is kept in, with its size and what of it is unexplained.

    Args:
        case: The case.
        replay: What the rerun showed.
        code: Path and content of every file of code that the case brings.
        inputs: The same of every other file that this code may read.
        unknown: Ids that the log names, that are no training record's, and that nothing may be kept of.
    """
    if case.store is not None:
        people = People.of(case, replay.forgotten, unknown)
        files = [case.store] if not case.store.is_dir() else sorted(path for path in case.store.rglob("*") if not path.is_dir())
        for path in files:
            name = str(path.relative_to(case.folder))
            yield of_file(path, people, Reason("data.erased.place.store", {"path": name}))
    if case.settings.model is not None and case.model_file is not None:
        shipped = case.model_file
        size = _beyond(shipped)
        yield _kept("model file", Reason("data.erased.place.model", {"path": case.settings.model.path}), shipped.content, size)
    if case.settings.model is not None and case.own_file is not None:
        own = case.own_file
        # Where it is what the rerun saves, it is accounted for as that is: by runs that never held the deleted records.
        found = None if replay.saved is None else model_formats.held_against(own.content, replay.saved, own.kind)
        size = 0 if found is not None and found.equal else len(own.content)
        yield _kept("model file", Reason("data.erased.place.model", {"path": case.settings.model.path}), own.content, size)
    for name, content in code:
        yield _kept("code", Reason("data.erased.place.code", {"path": name}), content, len(content))
    for name, content in inputs:
        yield _kept("code", Reason("data.erased.place.input", {"path": name}), content, len(content))
    released = None if replay.trajectory is None else replay.trajectory[-1]
    if replay.state is not None:
        size = 0 if _is_state(case, replay, released, replay.state) else _of_estimator(case, released, replay.state)
        yield _kept("state", Reason("data.erased.place.state"), replay.state, size)
    if replay.saved is not None:
        size = 0 if _is_file_of(released, replay.saved) else _of_estimator(case, released, replay.saved)
        yield _kept("saved file", Reason("data.erased.place.saved"), replay.saved, size)


def _kept(kind: Kind, place: Reason, content: bytes, unexplained: int) -> Kept:
    return Kept(kind=kind, place=place, bytes=len(content), unexplained=unexplained)


def _beyond(shipped: ModelFile) -> int:
    """Bytes of a model file that its array does not determine."""
    if not shipped.beyond:
        return 0
    return max(1, len(shipped.content) - shipped.values.nbytes)


def _is_file_of(released: Floats | None, content: bytes) -> bool:
    """Whether a file is what the parameters determine: its array is theirs bit for bit, in a canonical container."""
    if released is None:
        return False
    try:
        written = artifacts.model_in(content)
    except InputError:
        return False
    return not written.beyond and differing_bits(written.parameters, np.ravel(released)) == 0


def _is_state(case: Case, replay: Replay, released: Floats | None, content: bytes) -> bool:
    """Whether a state is what the parameters determine, and of certified removal what the seed draws as well."""
    if released is None:
        return False
    if content in _raw(released):
        return True
    removal = case.settings.procedure.removal
    return removal is not None and _is_carried(case, removal, replay, released, content)


def _of_estimator(case: Case, released: Floats | None, content: bytes) -> int:
    """Bytes of what an estimator of ours keeps that are neither parameters, nor declared labels, nor a few single numbers."""
    if released is None or case.settings.procedure.fitted is None:
        return len(content)
    try:
        arrays, beyond = arrays_in(content) if content.startswith(b"PK") else (_stream(content), 0)
    except (ValueError, KeyError, OSError, struct.error, zipfile.BadZipFile):
        return len(content)
    labels = np.unique(case.train.labels)
    other = [each for each in arrays if not _is_part(each, released) and not np.array_equal(each, labels)]
    single = sum(each.nbytes for each in other if each.size == 1)
    return beyond + sum(each.nbytes for each in other if each.size != 1) + (single if single > LET_PASS_BYTES else 0)


def _stream(content: bytes) -> list[npt.NDArray[Any]]:
    """The arrays of a state, each in the .npy format, one after another."""
    found, stream = [], io.BytesIO(content)
    while stream.tell() < len(content):
        found.append(np.lib.format.read_array(stream, allow_pickle=False))
    return found


def _is_part(array: npt.NDArray[Any], released: Floats) -> bool:
    """Whether an array is a part of the parameters, bit for bit."""
    if array.dtype.kind != "f" or not array.size:
        return not array.size
    part = np.ascontiguousarray(array, dtype=np.float64).tobytes()
    whole = released.tobytes()
    return any(whole[at : at + len(part)] == part for at in range(0, len(whole) - len(part) + 1, 8))


def _raw(released: Floats) -> Sequence[bytes]:
    """The parameters as plain bytes, in the types that hold them exactly."""
    with np.errstate(over="ignore"):
        narrow = released.astype(np.float32)
    return [released.tobytes(), *([narrow.tobytes()] if np.array_equal(narrow, released) else [])]


def _is_carried(case: Case, removal: Removal, replay: Replay, released: Floats, content: bytes) -> bool:
    """Whether what certified removal carries is w, the declared labels, β of each class, and the b that a seed drew.

    w is the released parameters without the noise that the last seed draws, to the last bit of their sum.
    """
    from auditor.learning.randomness import perturbations, release_noise  # noqa: PLC0415 - draws what the procedure draws

    seed, batches = case.settings.procedure.seed, len(replay.forgotten)
    labels = np.unique(case.train.labels) if removal.loss == "logistic" else np.empty(0)
    dimensions = case.train.features.shape[1]
    models, rest = divmod(released.size, dimensions)
    text = "\n".join(map(str, labels)).encode()
    budget = released.nbytes + len(text)
    drawn = content[budget + 8 * models :]
    weights = np.frombuffer(content[: released.nbytes], dtype=np.float64) if len(content) >= released.nbytes else np.empty(0)
    if rest or weights.size != released.size or content[released.nbytes : budget] != text or len(content) < budget + 8 * models:
        return False
    noise = (
        release_noise(seed + batches, released.size, deviation=removal.release_noise) if removal.release_noise else np.float64(0)
    )
    if not np.array_equal(weights + noise, released):
        return False
    seeds = range(seed, seed + batches + 1)
    kind = removal.perturbation
    return not drawn or any(
        drawn == perturbations(each, models, dimensions, sigma=removal.sigma, distribution=kind).tobytes() for each in seeds
    )
