"""For `data.erased`: search everything that the case shows of what the controller keeps."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final

from auditor.audit.replay import Replay
from auditor.audit.stages import Measuring
from auditor.base.deletion_log.deletions import people
from auditor.base.domain import Reason, joined
from auditor.case import Case
from auditor.parts.store.judging.data_erased import CARD, Observed
from auditor.parts.store.observing.kept_bytes import kept
from auditor.parts.store.observing.near_copies import near_copies
from auditor.parts.store.observing.record_forms import Wanted
from auditor.parts.store.observing.search import Search
from auditor.verdict.checks.finding import Values


def observe(case: Case, replay: Replay) -> Observed:
    """Search the data store, the model file, the case's code, and what the rerun's procedure offers of its state and saves."""
    search = Search(_wanted(case, replay), case.settings.data.id)
    _search_store(search, case)
    # What is recognised is a matter of the store: what else is kept need not hold a record at all.
    in_store, recognised = len(search.open_places), bool(search.found or search.recognised)
    search.controls = False
    shipped = case.model_file or case.own_file
    if case.settings.model is not None and shipped is not None:
        search.content(shipped.content, Reason("data.erased.place.model", {"path": case.settings.model.path}))
    for path, source in _code(case):
        search.code(source, Reason("data.erased.place.code", {"path": path}))
    for path, held in _inputs(case):
        search.held(held, Reason("data.erased.place.input", {"path": path}), name=path)
    for place, content in (
        (Reason("data.erased.place.state"), replay.state),
        (Reason("data.erased.place.saved"), replay.saved),
    ):
        if content is None:
            search.not_offered(place, Reason("data.erased.absent.not-offered"))
        else:
            search.content(content, place)
    found = [each for each in case.requests if not search.found.isdisjoint(each.record_ids)]
    return Observed(
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
        copies=near_copies(case.train, joined(replay.forgotten), case.requests),
        kept=tuple(kept(case, replay, _code(case), _inputs(case), unknown=_unknown(case))),
    )


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


def _search_store(search: Search, case: Case) -> None:
    if case.store is None:
        search.not_offered(Reason("data.erased.place.data-store"), Reason("data.erased.absent.store"))
        return
    files = [case.store] if not case.store.is_dir() else sorted(path for path in case.store.rglob("*") if not path.is_dir())
    for path in files:
        place = Reason("data.erased.place.store", {"path": str(path.relative_to(case.folder))})
        search.file(path, place, name=path.relative_to(case.store).as_posix() if case.store.is_dir() else None)


class Erasure(Measuring):
    """The search of everything that is kept."""

    checks = (CARD.id,)

    def measure(self, replay: Replay) -> Mapping[str, Values]:
        """Search for the records that the replay deleted."""
        return {CARD.id: observe(self.run.case, replay)}


STAGES: Final = (Erasure,)
