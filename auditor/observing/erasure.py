"""`data.erased`: deleted records still found in the data store, the model file, the procedure's state or its saved output."""

from __future__ import annotations

import numpy as np

from auditor.case import Case
from auditor.domain import Check, Fact, How, Status
from auditor.guarantees import fact
from auditor.observing.findings import TITLES, Findings
from auditor.observing.record_forms import Wanted
from auditor.observing.replay import Replay
from auditor.observing.search import Search

LIMITS = (
    "Copies under another scaling, order of columns, encoding, encryption or compression, and backups elsewhere, are not seen."
)


def judge(case: Case, replay: Replay) -> Findings:
    """Search everything that the case shows of what the controller keeps."""
    known = case.known_ids
    # A record that was said not to be there must not be there either.
    closed = [request for request in case.requests if request.executed_at is not None or request.status == "no_match"]
    unknown = frozenset(record for request in closed for record in request.record_ids) - known
    positions = np.concatenate([*replay.forgotten, np.empty(0, dtype=np.int64)]).astype(np.int64)
    search = Search(Wanted.of(case.train, positions, unknown), case.settings.data.id)
    if case.store is not None:
        _search_store(search, case)
    else:
        search.not_offered("data store", "the case names none ([data] store)")
    if case.settings.model is not None:
        search.content((case.folder / case.settings.model.path).read_bytes(), f"model file {case.settings.model.path}")
    for name, content in (("state() of the rerun", replay.state), ("save() output of the rerun", replay.saved)):
        if content is None:
            search.not_offered(name, "the procedure does not offer it")
        else:
            search.content(content, name)
    return _conclude(case, replay, search)


def _search_store(search: Search, case: Case) -> None:
    if case.store is None:
        return
    files = [case.store] if not case.store.is_dir() else sorted(path for path in case.store.rglob("*") if not path.is_dir())
    for path in files:
        search.file(path, f"store {path.relative_to(case.folder)}")
    if not search.found and not search.recognised:
        search.open_places.append("data store: not even a kept record is recognised in it")


def _conclude(case: Case, replay: Replay, search: Search) -> Findings:
    found = len(search.found)
    if found:
        status = Status.FAIL
    elif search.open_places or not replay.batches or not search.searched:
        status = Status.INCONCLUSIVE
    else:
        status = Status.PASS
    sentences = [f"{len(search.wanted.deleted.ids)} deleted records were looked for in {len(search.searched)} places.", LIMITS]
    if not replay.batches:
        sentences.insert(0, "No executed request names a record of the training data, so there was nothing to look for.")
    if search.open_places:
        shown = "; ".join(search.open_places[:3]) + (
            f"; and {len(search.open_places) - 3} more" if search.open_places[3:] else ""
        )
        sentences.insert(1, f"Open: {shown}.")
    if case.store is None:
        sentences.insert(1, "No data store was given: that part is skipped.")
    if search.wanted.ambiguous:
        sentences.append(
            f"{len(search.wanted.ambiguous)} of them were looked for by identifier only: their values single out nobody."
        )
    affected = [request.request_id for request in case.requests if search.found.keys() & set(request.record_ids)]
    check = Check(
        id="data.erased",
        title=TITLES["data.erased"],
        status=status,
        value=float(found) if replay.batches or found else None,
        interval=None,
        threshold=0.0,
        basis=" ".join(sentences),
        details={"searched": search.searched, "not_searched": search.not_searched, "request_ids": affected},
    )
    return Findings((check,), facts=_facts(case, status))


def _facts(case: Case, status: Status) -> tuple[Fact, ...]:
    if case.store is None or status is Status.INCONCLUSIVE:
        return ()
    if status is Status.PASS:
        return (fact("store-erased", How.MEASURED, "data.erased: none of the deleted records was found"),)
    return (fact("store-erased", How.REFUTED, "data.erased: deleted records were found"),)
