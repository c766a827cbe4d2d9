"""For `data.erased`: search everything that the case shows of what the controller keeps."""

from __future__ import annotations

import io
import os
import struct
import tokenize
import zipfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from auditor.audit.replay import Replay
from auditor.audit.stages import Measuring
from auditor.base import limited_process, npy
from auditor.base.deletion_log.deletions import people
from auditor.base.domain import InputFile, Message
from auditor.base.errors import InputError
from auditor.base.model_formats import asking
from auditor.base.plain_files import opened
from auditor.base.records import Floats, Positions, joined
from auditor.case import Case, artifacts, lineage
from auditor.case.artifacts import ModelFile
from auditor.case.record_rules import feature_names
from auditor.parts.release.observing.predictive_bits import MOST_COLUMNS, bits
from auditor.parts.release.observing.released_file import differing_bits
from auditor.parts.store.judging.accounting import Concerned, Kept, Kind
from auditor.parts.store.judging.data_erased import CARD, MOST_NAMED, Observed, Searched
from auditor.parts.store.judging.related import MOST_SHARED, InHoldout, NamedInStore
from auditor.parts.store.observing.derived_rows import Marks, declared_rows, derived_rows
from auditor.parts.store.observing.limited_reading import BROKEN, SERVED_BY, LimitedSearch, Sought, changed
from auditor.parts.store.observing.near_copies import near_copies
from auditor.parts.store.observing.people import People
from auditor.parts.store.observing.record_forms import Wanted
from auditor.parts.store.observing.related_rows import related_rows
from auditor.parts.store.observing.search import Search
from auditor.parts.store.observing.store_keys import Numbers
from auditor.parts.store.observing.store_tables import arrays_in
from auditor.parts.store.readers import HEAD, VECTOR_STORES, groups
from auditor.settings.facets import Removal
from auditor.verdict.checks.differences import LET_PASS_BYTES
from auditor.verdict.checks.finding import Values


# How much of everything that is kept is accounted for by what it says itself, for `data.erased`.
# A file of a model holds its parameters in a container that they determine, and nothing else; what a procedure of the
# auditor's own carries on is its parameters, what its seed draws, declared labels and a number a class. All of that is
# computed again here, outside the sandbox, from the parameters that the rerun released. Whatever does not come out the same
# is unexplained as a whole.
def kept(
    case: Case,
    replay: Replay,
    code: Iterable[tuple[str, bytes]],
    inputs: Iterable[tuple[str, bytes]] = (),
    *,
    search: LimitedSearch,
) -> Iterator[Kept]:
    """List every place that something is kept in, with its size and what of it is unexplained.

    Args:
        case: The case.
        replay: What the rerun showed.
        code: Path and content of every file of code that the case brings.
        inputs: The same of every other file that this code may read.
        search: What has read the store.
    """
    yield from search.accounts.values()
    if case.settings.model is not None and case.model_file is not None:
        shipped = case.model_file
        size = _beyond(shipped)
        yield _kept("model file", Message("data.erased.place.model", {"path": case.settings.model.path}), shipped.content, size)
    if case.settings.model is not None and case.own_file is not None:
        own = case.own_file
        # Where it is what the rerun saves, it is accounted for as that is: by runs that never held the deleted records.
        found = None if replay.saved is None else asking.held_against(own.content, replay.saved, own.kind)
        size = 0 if found is not None and found.equal else len(own.content)
        yield _kept("model file", Message("data.erased.place.model", {"path": case.settings.model.path}), own.content, size)
    for name, content in code:
        place = Message("data.erased.place.code", {"path": name})
        yield Kept(kind="code", place=place, bytes=len(content), unexplained=len(content), constants=constants(content))
    for name, content in inputs:
        yield _kept("code", Message("data.erased.place.input", {"path": name}), content, len(content))
    released = None if replay.trajectory is None else replay.trajectory[-1]
    if replay.state is not None:
        size = 0 if _is_state(case, replay, released, replay.state) else _of_estimator(case, released, replay.state)
        yield _kept("state", Message("data.erased.place.state"), replay.state, size)
    if replay.saved is not None:
        size = 0 if _is_file_of(released, replay.saved) else _of_estimator(case, released, replay.saved)
        yield _kept("saved file", Message("data.erased.place.saved"), replay.saved, size)


def constants(content: bytes) -> int:
    """Count the bytes of a file of Python that are text, numbers, truth values and comments; all where it cannot be read.

    It is what somebody who reads the code has to look at. Names and the order of statements can hold something as well, so that
    no count accounts for code.
    """
    found = 0
    try:
        for each in tokenize.tokenize(io.BytesIO(content).readline):
            of_text = tokenize.tok_name[each.type].startswith(("FSTRING", "TSTRING"))
            if of_text or each.type in _CONSTANTS or each.string in {"True", "False"}:
                found += len(each.string.encode())
    except (tokenize.TokenError, SyntaxError, UnicodeError, ValueError):
        return len(content)
    return min(found, len(content))


_CONSTANTS: Final = frozenset({tokenize.STRING, tokenize.NUMBER, tokenize.COMMENT})


def _kept(kind: Kind, place: Message, content: bytes, unexplained: int) -> Kept:
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
        if _unpacked(content) > _most_of(released):
            return False
        written = artifacts.model_in(content)
    except InputError:
        return False
    return not written.beyond and differing_bits(written.parameters, np.ravel(released)) == 0


def _most_of(released: Floats) -> int:
    """Bytes that what is saved may unpack to for any of it to be accounted for: the parameters, and a little more."""
    return _TIMES * released.nbytes + _BESIDE


def _unpacked(content: bytes) -> int:
    """Bytes that an archive announces to unpack to; 0 for anything else."""
    if not content.startswith(b"PK"):
        return 0
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            return sum(each.file_size for each in archive.infolist())
    except (zipfile.BadZipFile, ValueError, OSError, struct.error, NotImplementedError, EOFError):
        return 0


_TIMES: Final = 8
_BESIDE: Final = 1 << 24


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
        arrays, beyond = arrays_in(content, _most_of(released)) if content.startswith(b"PK") else (_stream(content), 0)
    except BROKEN:
        return len(content)
    labels = np.unique(case.train.labels)
    other = [each for each in arrays if not _is_part(each, released) and not np.array_equal(each, labels)]
    single = sum(each.nbytes for each in other if each.size == 1)
    left = beyond + sum(each.nbytes for each in other if each.size != 1) + (single if single > LET_PASS_BYTES else 0)
    return min(left, len(content))


def _stream(content: bytes) -> list[npt.NDArray[Any]]:
    """The arrays of a state, each in the .npy format, one after another."""
    found: list[npt.NDArray[Any]] = []
    at = 0
    while at < len(content):
        # No array is made before its bytes are there: NumPy's own reader allocates whatever a header asks for.
        header = npy.read_header(io.BytesIO(content[at : at + _HEADER]))
        found.append(header.shaped(np.frombuffer(content, header.kind, header.count, at + header.start)))
        at += header.start + header.count * header.kind.itemsize
    return found


_HEADER: Final = 16_384
"""Bytes in which the header of an array ends."""


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


def observe(case: Case, replay: Replay, *, seed: int = 0) -> Observed:
    """Search the data store, the model file, the case's code, and what the rerun's procedure offers of its state and saves."""
    wanted, unknown = _wanted(case, replay), _unknown(case)
    deleted, whole = joined(replay.forgotten), case.searched or case.train
    names = feature_names(case.columns, case.settings.data) if case.columns and case.searched is None else []
    numbers = Numbers.of(whole, deleted, person=case.settings.data.person, whose=case.people, names=names)
    kept_people = None if case.store is None else People.of(case, replay.forgotten, unknown)
    with Sought(wanted, numbers, kept_people, case.settings.data.id).reader() as reader:
        limited = LimitedSearch(Search(wanted, case.settings.data.id), reader, numbers=bool(numbers.by_column))
        found, made = _found(case, replay, limited)
    # The records are compared with one another once the process that reads files, which has a copy of them, has ended.
    return found.model_copy(
        update={
            "copies": near_copies(case.train, deleted, case.requests, whole=case.searched, seed=seed),
            "related": related_rows(whole, deleted, case.requests, whose=case.people, names=names),
            "derived_rows": derived_rows(case.train, deleted, case.requests, apart=made, seed=seed),
        }
    )


def _found(case: Case, replay: Replay, limited: LimitedSearch) -> tuple[Observed, Marks | None]:
    """What files and memory hold, and which records are declared to be made from others."""
    search, deleted = limited.search, joined(replay.forgotten)
    named = tuple(_search_store(limited, case))
    # What is recognised is a matter of the store: what else is kept need not hold a record at all.
    in_store, recognised = len(search.open_places), bool(search.found or search.recognised)
    search.controls = False
    shipped = case.model_file or case.own_file
    in_holdout = _search_holdout(limited, case, deleted)
    if case.settings.model is not None and shipped is not None:
        limited.content(shipped.content, Message("data.erased.place.model", {"path": case.settings.model.path}))
    _search_made(limited, case, deleted)
    for path, source in _code(case):
        limited.code(source, Message("data.erased.place.code", {"path": path}))
    for path, held in _inputs(case):
        limited.held(held, Message("data.erased.place.input", {"path": path}), name=path)
    for place, content in (
        (Message("data.erased.place.state"), replay.state),
        (Message("data.erased.place.saved"), replay.saved),
    ):
        if content is None:
            search.not_offered(place, Message("data.erased.absent.not-offered"))
        else:
            limited.content(content, place)
    made = None
    if case.parents is not None:
        made, parents = declared_rows(case.train.ids, case.parents, deleted)
        search.found |= parents
        place, how = (Message(f"data.erased.{each}.derived") for each in ("place", "how"))
        kept_rows = int(np.count_nonzero(made)) - int(np.count_nonzero(made[deleted]))
        search.searched.append(Searched(place=place, records_searched=kept_rows, found=len(parents), how=how))
    found = [each for each in case.requests if not search.found.isdisjoint(each.record_ids)]
    seen = Observed(
        deleted=len(search.wanted.deleted.ids),
        by_identifier_only=len(search.wanted.ambiguous),
        found=len(search.found),
        request_ids=tuple(each.request_id for each in found),
        subjects=people(found, case.requests),
        searched=tuple(search.searched),
        not_searched=tuple(search.not_searched),
        open_in_store=tuple(search.open_places[:in_store]),
        open_elsewhere=tuple(search.open_places[in_store:]),
        recognised_in_store=recognised,
        open_to=tuple(_concerned(case, each) for each in search.doubtful),
        named=named,
        in_holdout=in_holdout,
        kept=tuple(kept(case, replay, _code(case), _inputs(case), search=limited)),
    )
    return seen, made


def _concerned(case: Case, records: frozenset[str] | None) -> Concerned | None:
    """The requests that name some records; None for any, as where these are too many to list."""
    if records is None:
        return None
    named = [each for each in case.requests if not records.isdisjoint(each.record_ids)]
    if not 0 < len(named) <= _MOST_CONCERNED:
        return None
    return Concerned(request_ids=tuple(each.request_id for each in named), subjects=people(named, case.requests))


_MOST_CONCERNED: Final = 1000
"""Requests that are listed of an open place."""


def _code(case: Case) -> Iterator[tuple[str, bytes]]:
    """Every file of code that the case brings, by its path in the case; a file of both procedure and requester once."""
    requester = case.settings.requester
    brought = ((case.settings.procedure.brought, case.code), (requester.entry if requester else None, case.requester_code))
    listed: dict[str, bytes] = {}
    for entry, code in brought:
        if entry is not None and code is not None:
            folder = Path(entry.rpartition(":")[0]).parent
            listed.update({(folder / file.name).as_posix(): file.content for file in code.files})
    yield from sorted(listed.items())


def _inputs(case: Case) -> Iterator[tuple[str, bytes]]:
    """Every other file that the procedure may read, by its path in the case."""
    entry, code = case.settings.procedure.brought, case.code
    if entry is not None and code is not None:
        folder = Path(entry.rpartition(":")[0]).parent
        yield from sorted(((folder / file.name).as_posix(), file.content) for file in code.inputs)


def _wanted(case: Case, replay: Replay) -> Wanted:
    return Wanted.of(case.train, joined(replay.forgotten), _unknown(case), whole=case.searched)


def _unknown(case: Case) -> frozenset[str]:
    """Ids that the log names and the training data lack: a record that was said not to be there must not be there either."""
    closed = [request for request in case.requests if request.executed_at is not None or request.status == "no_match"]
    return frozenset(record for request in closed for record in request.record_ids) - case.known_ids


def _search_store(limited: LimitedSearch, case: Case) -> Iterator[NamedInStore]:
    """Search every file of the store; gives what names deleted people by their numbers."""
    if case.store is None:
        limited.search.not_offered(Message("data.erased.place.data-store"), Message("data.erased.absent.store"))
        return
    folder = case.store.is_dir()
    every = _listed_in_store(case, case.store)
    together = _together(limited, case, case.store, every) if folder else set()
    for path, listed in every:
        place = _place(case, path)
        by_number = limited.named_in(path, listed, place)
        records = frozenset[str]() if by_number is None else by_number.records
        name = path.relative_to(case.store).as_posix() if folder else None
        if path in together:
            limited.search.found |= records
        else:
            read = limited.file(path, listed, place, name=name, named=records)
            limited.account(path, listed, place, read=read)
        for column, own in () if by_number is None else by_number.columns:
            yield NamedInStore(place=place, column=column or None, links=own, records=len(records))


def _together(limited: LimitedSearch, case: Case, store: Path, every: Sequence[tuple[Path, InputFile]]) -> set[Path]:
    """Search files that a reader takes together, as a folder of a vector store; gives those that could be read so."""
    found: set[Path] = set()
    listed = {path.relative_to(store).as_posix(): (path, file) for path, file in every}
    for group in groups({name: _head(path) for name, (path, _) in listed.items()}, VECTOR_STORES):
        files = [(*listed[name], _place(case, listed[name][0])) for name in group]
        if len(group) > 1 and limited.group(files, group):
            found |= {path for path, _, _ in files}
    return found


def _place(case: Case, path: Path) -> Message:
    return Message("data.erased.place.store", {"path": str(path.relative_to(case.folder))})


def _head(path: Path) -> bytes:
    try:
        with opened(path) as stream:
            return stream.read(HEAD)
    except OSError:
        return b""


def _listed_in_store(case: Case, store: Path) -> list[tuple[Path, InputFile]]:
    """Each file of the store with what was listed of it when the case was read, in the order of their paths.

    Raises:
        InputError: If there are others now: nobody could say what of the store was searched.
    """
    name = Path(os.path.normpath(case.settings.data.store or "")).as_posix()
    listed = {
        (store if each.path == name else store / each.path.removeprefix(f"{name}/")): each
        for each in case.inputs
        if each.path == name or each.path.startswith(f"{name}/")
    }
    there = {store} if not store.is_dir() else {path for path in store.rglob("*") if path.is_symlink() or not path.is_dir()}
    if others := sorted(there ^ listed.keys()):
        raise InputError([changed(str(path.relative_to(case.folder))) for path in others[:MOST_NAMED]])
    return sorted(listed.items())


def _search_holdout(limited: LimitedSearch, case: Case, deleted: Positions) -> InHoldout | None:
    """Search the holdout as the store is; None where the case has none that can be searched.

    Where many retained records are in it as well, records of this table meet by chance, and so do those that say little.
    """
    name, whole = case.settings.data.holdout, case.whole_holdout
    if name is None or whole is None or case.settings.data.text is not None:
        return None
    search = limited.search
    alone = Search(search.wanted, search.id_column, controls=False)
    place = Message("data.erased.place.holdout", {"path": name})
    (listed,) = (each for each in case.inputs if each.path == Path(os.path.normpath(name)).as_posix())
    LimitedSearch(alone, limited.reader).file((case.folder / name).resolve(), listed, place, name=Path(name).name)
    equal = np.isin(case.known.train, deleted)
    retained = int((~equal).sum())
    by_chance = retained > MOST_SHARED * (len(case.train) - len(deleted))
    named = alone.found & _telling(case, deleted)
    found = set[str]() if by_chance else named
    (here,) = alone.searched or (None,)
    if here is not None:
        search.searched.append(here.model_copy(update={"found": len(found)}))
    search.not_searched += alone.not_searched
    search.open_places += alone.open_places
    search.doubtful += alone.doubtful
    search.found |= found
    if by_chance and named:
        search.leave_open(place, Message("data.erased.open.holdout", {"records": len(named)}), frozenset(named))
    same = alone.found | set(case.train.ids[case.known.train[equal]].tolist())
    return InHoldout(records=len(whole), found=len(same), retained=retained)


def _search_made(limited: LimitedSearch, case: Case, deleted: Positions) -> None:
    """Search the files of what was made from the model for copies of deleted records.

    Nothing accounts for the rest of them: what a model learned from another lies in weights in which no search can see it. So a
    file that cannot be read is named, and no store is open for it. What generates records may hit on one by chance: a copy whose
    values others may have as well is left open, as in a holdout.
    """
    search = limited.search
    for each in case.lineage:
        for path, listed in lineage.files_of(each, case.folder, case.inputs, case.settings.data.store):
            alone = Search(search.wanted, search.id_column, controls=False)
            place = Message("data.erased.place.made", {"path": listed.path})
            LimitedSearch(alone, limited.reader).file(path, listed, place)
            found = alone.found & _telling(case, deleted) if alone.found else set[str]()
            search.searched += [here.model_copy(update={"found": len(found)}) for here in alone.searched]
            search.not_searched += alone.not_searched
            if alone.open_places and not alone.not_searched:
                search.not_offered(place, Message("data.erased.absent.made-in-part"))
            if alike := alone.found - found:
                search.leave_open(place, Message("data.erased.open.made", {"records": len(alike)}), frozenset(alike))
            search.found |= found


def _telling(case: Case, deleted: Positions) -> set[str]:
    """Deleted records whose values say enough for nobody else to have them all."""
    train = case.train
    kept = np.delete(np.arange(len(train)), deleted)
    if not kept.size:
        return set(train.ids[deleted].tolist())
    some = np.s_[:, :: 1 + train.features.shape[1] // MOST_COLUMNS]
    rows = train.features[deleted][some]
    said = bits(rows, 1e-9 * np.maximum(np.abs(rows), 1.0), train.features[some], among=kept).sum(axis=1)
    return set(train.ids[deleted[said >= ENOUGH_TO_NAME]].tolist())


ENOUGH_TO_NAME: Final = 48.0
"""Bits that a record's values say at least where a row of the holdout counts as the record."""


_LOADED_AHEAD: Final = 100_000
"""Records of a case whose replay leaves memory for another process; of more, nobody notices the second that it takes to load."""


class Erasure(Measuring):
    """The search of everything that is kept."""

    checks = (CARD.id,)

    def load_ahead(self) -> None:
        """Have the process that reads what is kept load its libraries while the replay runs."""
        if self.run.how.wants(self.checks) and len(self.run.case.train) <= _LOADED_AHEAD:
            limited_process.load(SERVED_BY)

    def measure(self, replay: Replay) -> Mapping[str, Values]:
        """Search for the records that the replay deleted."""
        return {CARD.id: observe(self.run.case, replay, seed=self.run.how.seed)}


STAGES: Final = (Erasure,)
