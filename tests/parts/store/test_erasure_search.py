"""What `data.erased` observes: store, model file, state and saves, each searched, and the store's own view kept apart."""

from __future__ import annotations

import io
import json
import os
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import replays
from auditor import case as cases
from auditor.base.domain import Message
from auditor.base.errors import InputError
from auditor.base.limited import Reader
from auditor.pages.words import said
from auditor.parts.store.judging.data_erased import Observed
from auditor.parts.store.observing import erasure, limited_reading
from auditor.parts.store.observing import search as search_module
from auditor.parts.store.observing.record_forms import Wanted
from small_cases import foreign, problem, write, write_log

FEATURES, LABELS = problem()
IDS = np.array([f"rec-{index:04d}" for index in range(len(FEATURES))])


def observed(folder: Path, *, state: bytes | None = None, saved: bytes | None = None) -> Observed:
    """What a search finds where the rerun offered so much; the log deletes the first three records in two requests."""
    case = cases.read(folder)
    return erasure.observe(case, replays.plain(case, state=state, saved=saved))


def stored(folder: Path, rows: slice, *, power: int = 1) -> Path:
    """A case whose store holds these records."""
    write(folder, FEATURES, LABELS, data='store = "store"')
    (folder / "store").mkdir()
    # An id would be recognised whatever became of the values.
    ids = {"ids": IDS[rows]} if power == 1 else {}
    np.savez(folder / "store" / "kept.npz", features=FEATURES[rows] ** power, **ids)
    return folder


def test_every_place_is_searched_and_what_is_found_is_counted_once(tmp_path: Path) -> None:
    seen = observed(stored(tmp_path, slice(1, None)), state=FEATURES[1].tobytes(), saved=b"nothing \x80\0")
    assert (seen.deleted, seen.found, seen.request_ids) == (3, 2, ("R-1",))
    assert [(said(each.place), each.found) for each in seen.searched] == [
        ("store store/kept.npz", 2),
        ("what the rerun keeps (state())", 1),
        ("what the rerun saves (save())", 0),
    ]
    assert (seen.not_searched, seen.open_in_store, seen.open_elsewhere, seen.recognised_in_store) == ((), (), (), True)


def test_a_store_of_the_kept_records_is_recognised_and_clean(tmp_path: Path) -> None:
    seen = observed(stored(tmp_path, slice(3, None)))
    assert (seen.found, seen.request_ids, seen.recognised_in_store) == (0, (), True)
    absent = [said(each.model_dump()) for each in seen.not_searched]
    assert absent == [
        {"place": "what the rerun keeps (state())", "why": "the procedure does not offer it"},
        {"place": "what the rerun saves (save())", "why": "the procedure does not offer it"},
    ]


def test_a_store_of_deleted_records_alone_is_recognised_by_them(tmp_path: Path) -> None:
    seen = observed(stored(tmp_path, slice(0, 3)))
    assert (seen.found, seen.request_ids, seen.recognised_in_store) == (3, ("R-0", "R-1"), True)


@pytest.mark.parametrize("state", [FEATURES[1].tobytes(), FEATURES[9].tobytes()], ids=["deleted", "kept"])
def test_what_is_recognised_elsewhere_says_nothing_of_the_store(tmp_path: Path, state: bytes) -> None:
    seen = observed(stored(tmp_path, slice(3, None), power=3), state=state)
    assert not seen.recognised_in_store


def test_what_the_store_leaves_open_is_kept_apart(tmp_path: Path) -> None:
    folder = stored(tmp_path, slice(3, None))
    (folder / "store" / "old.gz").write_bytes(b"\x1f\x8b\x08 packed")
    seen = observed(folder, saved=b"\x1f\x8b\x08 packed")
    why = "packed in a way that cannot be opened, broken, or too large once unpacked"
    assert [said(each) for each in seen.open_in_store] == [f"store store/old.gz: {why}"]
    shut = "something encoded or packed in it was not opened: broken, nested too deeply, too large, or of an unknown kind"
    assert [said(each) for each in seen.open_elsewhere] == [f"what the rerun saves (save()): {shut}"]


@pytest.mark.parametrize(
    ("name", "found"), [("rec-0001/photo.bin", 1), ("rec-0001.jpg", 1), ("rec-0009.jpg", 0), ("my-rec-0001.jpg", 0)]
)
def test_an_id_that_names_a_file_or_folder_of_the_store_is_found(name: str, found: int, tmp_path: Path) -> None:
    folder = stored(tmp_path, slice(3, None))
    (folder / "store" / name).parent.mkdir(exist_ok=True)
    (folder / "store" / name).write_bytes(b"\xff\xd8 a picture")
    assert observed(folder).found == found


def test_without_a_store_there_is_nothing_to_recognise(tmp_path: Path) -> None:
    seen = observed(write(tmp_path, FEATURES, LABELS, model=FEATURES[2]))
    assert not seen.recognised_in_store
    assert said(seen.not_searched[0].model_dump()) == {"place": "data store", "why": "the case names none ([data] store)"}
    assert [(said(each.place), each.found) for each in seen.searched] == [("model file model.npz", 1)]


def test_a_record_that_was_said_never_to_be_there_is_looked_for(tmp_path: Path) -> None:
    folder = stored(tmp_path, slice(3, None))
    log = folder / "deletions.jsonl"
    row = {"request_id": "R-9", "record_ids": ["stranger-1"], "received_at": "2026-01-05T08:00:00Z", "status": "no_match"}
    log.write_text(log.read_text(encoding="utf-8") + json.dumps(row) + "\n", encoding="utf-8")
    (folder / "store" / "notes.md").write_text("Ask stranger-1 again.", encoding="utf-8")
    seen = observed(folder)
    assert (seen.deleted, seen.found, seen.request_ids) == (4, 1, ("R-9",))


def brought(folder: Path, *lines: str) -> Observed:
    """A case with code of its own, which holds these lines in a file beside its entry."""
    write(folder, FEATURES, LABELS)
    foreign(folder, "def learn(self, data, seed):\n    return 0\n")
    (folder / "beside.py").write_text("".join(f"{line}\n" for line in lines))
    return observed(folder)


def test_the_case_s_code_is_searched(tmp_path: Path) -> None:
    row = ", ".join(repr(float(value)) for value in FEATURES[1])
    found = brought(tmp_path, "KNOWN = {", f"    'a': [{row}],", f"    '{IDS[0]}': 1,", f"    '{IDS[9]}': 1,", "}")
    assert (found.found, found.request_ids) == (2, ("R-0", "R-1"))
    places = {each.place.parameters.get("path"): each.found for each in found.searched}
    assert places == {"beside.py": 2, "procedure.py": 0}
    assert not found.recognised_in_store


def test_numbers_that_any_code_holds_are_no_record(tmp_path: Path) -> None:
    whole = np.tile([[1.0, 0.0], [0.0, 1.0], [2.0, 10.0], [0.5, 1.0], [3.0, 11.0], [7.0, 7.0]], (10, 1))
    whole[6:] += 100.0
    write(tmp_path, whole, LABELS, deleted=[[IDS[0], IDS[1], IDS[2]]])
    foreign(tmp_path, "def learn(self, data, seed):\n    return [1, 0], (0, 1), [2, 10]\n")
    assert observed(tmp_path).found == 0
    write_log(tmp_path, [[IDS[3], IDS[4]]])
    (tmp_path / "beside.py").write_text("x = [0.5, 1]\ny = [3, 11]\n")
    assert observed(tmp_path).found == 2


def test_an_open_place_names_the_requests_whose_records_it_may_hold(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Wanted, "hidden_in_bytes", lambda _self, _length: ("rec-0001",))
    # Here and not in a process of its own, which would know nothing of that.
    monkeypatch.setattr(Reader, "ask", lambda self, asked, content=b"", **_: limited_reading.serve(self.held)(asked, content))
    folder = stored(tmp_path, slice(3, None))
    (folder / "store" / "old.gz").write_bytes(b"\x1f\x8b\x08 packed")
    (folder / "store" / "plain.bin").write_bytes(b"nothing \x80\0")
    seen = observed(folder, saved=b"nothing \x80\0")
    codes = [each.parameters["why"].code.rpartition(".")[2] for each in (*seen.open_in_store, *seen.open_elsewhere)]
    named = [None if each is None else each.request_ids for each in seen.open_to]
    assert list(zip(codes, named, strict=True)) == [
        ("compressed", None),
        ("hidden", ("R-1",)),
        ("unknown-form", None),
        ("hidden", ("R-1",)),
    ]


def test_a_reason_met_several_times_concerns_all_its_records_and_any_record_once_it_is_met_without() -> None:
    first, second = (search_module._Seen(Message("data.erased.how.bytes")) for _ in range(2))
    why = Message("data.erased.open.shut")
    first.leave_open(why, {"a"})
    first.leave_open(why, {"b"})
    second.leave_open(why, {"c"})
    first.add(second)
    assert first.doubtful == {why.code: frozenset("abc")}
    first.leave_open(why)
    first.leave_open(why, {"d"})
    assert first.doubtful == {why.code: None}


def test_a_state_that_announces_more_than_it_holds_is_not_accounted_for() -> None:
    header = f"{{'descr': '<f8', 'fortran_order': False, 'shape': ({10**13},), }}".ljust(117) + "\n"
    content = b"\x93NUMPY\1\0" + len(header).to_bytes(2, "little") + header.encode()
    with pytest.raises(ValueError, match="buffer"):
        erasure._stream(content)
    rows = io.BytesIO()
    for array in (FEATURES, LABELS):
        np.save(rows, array)
    found = erasure._stream(rows.getvalue())
    assert [each.tolist() for each in found] == [FEATURES.tolist(), LABELS.tolist()]


def other_bytes(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:-1] + b"\1")


def nothing(path: Path) -> None:
    path.unlink()


def link(path: Path) -> None:
    moved = path.with_name("elsewhere")
    path.rename(moved)
    path.symlink_to(moved)


def link_to_the_same_outside(path: Path) -> None:
    moved = path.parent.parent / "elsewhere"
    path.rename(moved)
    path.symlink_to(moved)


def pipe(path: Path) -> None:
    path.unlink()
    os.mkfifo(path)


def another_file(path: Path) -> None:
    path.with_name("more.csv").write_text("id\n", encoding="utf-8")


@pytest.mark.attempt("files exchanged while they are read")
@pytest.mark.parametrize("change", [other_bytes, nothing, link, link_to_the_same_outside, pipe, another_file])
def test_a_store_that_changed_since_the_case_was_read_ends_the_audit_with_one_message(
    change: Callable[[Path], None], tmp_path: Path
) -> None:
    """What was listed, with its digest, is what is searched; else the deleted record is put back once nobody looks."""
    case = cases.read(stored(tmp_path, slice(3, None)))
    change(tmp_path / "store" / "kept.npz")
    with pytest.raises(InputError) as caught:
        erasure.observe(case, replays.plain(case))
    assert 1 <= len(caught.value.problems) <= 2
    (found,) = {(each.expected, each.found) for each in caught.value.problems}
    assert found == ("a file that stays as it is while it is audited", "another than when the case was read")
    assert caught.value.exit_code == 2


@pytest.mark.attempt("files exchanged while they are read")
def test_a_store_that_is_exchanged_between_two_questions_is_read_once(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    case = cases.read(stored(tmp_path, slice(3, None)))
    asked: list[str] = []

    def ask(self: Reader, question: Mapping[str, Any], content: bytes = b"", **_: object) -> Any:
        answer = answers.setdefault(id(self), limited_reading.serve(self.held))(question, content)
        asked.append(question["do"])
        other_bytes(tmp_path / "store" / "kept.npz")
        return answer

    answers: dict[int, Any] = {}
    monkeypatch.setattr(Reader, "ask", ask)
    seen = erasure.observe(case, replays.plain(case))
    assert asked == ["file", "kept"]
    assert [(each.bytes, each.unexplained) for each in seen.kept] == [
        (each.bytes, 0) for each in case.inputs if "kept" in each.path
    ]


@pytest.mark.attempt("files exchanged while they are read")
def test_a_holdout_that_changed_since_the_case_was_read_ends_the_audit(tmp_path: Path) -> None:
    write(tmp_path, FEATURES, LABELS, data='holdout = "holdout.npz"')
    np.savez(tmp_path / "holdout.npz", features=FEATURES[3:9] + 1, labels=LABELS[3:9], ids=np.array(list("abcdef")))
    case = cases.read(tmp_path)
    erasure.observe(case, replays.plain(case))
    np.savez(tmp_path / "holdout.npz", features=FEATURES[3:9] + 2, labels=LABELS[3:9], ids=np.array(list("abcdef")))
    with pytest.raises(InputError, match=r"holdout\.npz"):
        erasure.observe(case, replays.plain(case))
