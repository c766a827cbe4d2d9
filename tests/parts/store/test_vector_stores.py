"""`data.erased` on vector stores: honest ones are accounted for, and what they keep of deleted people is found."""

from __future__ import annotations

import struct
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import replays
from auditor import case as cases
from auditor.parts.store.judging.data_erased import Observed
from auditor.parts.store.observing import erasure
from small_cases import write
from stores import make as made

VECTORS = made.vectors()
LABELS = np.arange(len(VECTORS)) % 2
GONE = [made.NAMES[each] for each in made.GONE]
NUMBERS = [str(each) for each in range(len(VECTORS))]
COLUMNS = 'store = "store"\nstore_columns = ["document", "age"]'


def observed(folder: Path, *, ids: list[str], features: Any = VECTORS, deleted: list[str] | None = None) -> Observed:
    """What a search of the case's store finds, where the log deletes rows 3 and 7."""
    gone = deleted or [ids[each] for each in made.GONE]
    write(folder, features.astype(np.float64), LABELS, ids=ids, deleted=[gone], data=COLUMNS)
    case = cases.read(folder)
    return erasure.observe(case, replays.plain(case))


def store(folder: Path, *names: str) -> Path:
    """A case whose store holds these of the bundled files."""
    (folder / "store").mkdir()
    for name in names:
        if name.startswith(("chroma", "lance")):
            made.unpacked(name, folder / "store")
        else:
            (folder / "store" / name).write_bytes((made.HERE / name).read_bytes())
    return folder


def unexplained(seen: Observed) -> int:
    return sum(each.unexplained for each in seen.kept)


@pytest.mark.parametrize("ids", [NUMBERS, list(made.NAMES)], ids=["numbers are ids", "numbers are positions"])
@pytest.mark.parametrize("name", ["idmap.faiss", "chroma-rebuilt", "lance-few"])
def test_an_honest_store_is_recognised_and_accounted_for(name: str, ids: list[str], tmp_path: Path) -> None:
    if name.startswith(("chroma", "lance")):
        ids = list(made.NAMES)
    seen = observed(store(tmp_path, name), ids=ids)
    assert (seen.found, seen.open_in_store, seen.recognised_in_store) == (0, (), True)
    assert unexplained(seen) == 0
    assert all(each.bytes == (tmp_path / each.place.parameters["path"]).stat().st_size for each in seen.kept)


@pytest.mark.parametrize("name", ["hnswlib.bin", "flat.faiss", "hnsw.faiss", "sq8.faiss", "fp16.faiss"])
def test_a_store_of_retained_rows_alone_is_honest_whatever_its_kind(name: str, tmp_path: Path) -> None:
    """All rows of the store are retained ones: the log deletes two others."""
    more = np.concatenate([VECTORS, np.random.default_rng(8).normal(size=(2, VECTORS.shape[1]))]).astype(np.float32)
    ids = [f"person-{each:03d}" for each in range(26)]
    write(store(tmp_path, name), more.astype(np.float64), np.arange(26) % 2, ids=ids, deleted=[ids[24:]], data=COLUMNS)
    case = cases.read(tmp_path)
    seen = erasure.observe(case, replays.plain(case))
    assert (seen.found, unexplained(seen), seen.open_in_store, seen.recognised_in_store) == (0, 0, (), True)


def test_vectors_divided_by_their_length_are_their_records(tmp_path: Path) -> None:
    """As an index of cosines keeps them, under numbers that are positions."""
    folder = store(tmp_path, "hnswlib.bin")
    path, content = folder / "store" / "hnswlib.bin", (made.HERE / "hnswlib.bin").read_bytes()
    for row in VECTORS:
        unit = row * (np.float32(1) / np.float32(np.linalg.norm(row.astype(np.float64))))
        content = content.replace(row.tobytes(), unit.tobytes())
    path.write_bytes(content)
    more = np.concatenate([VECTORS, np.random.default_rng(8).normal(size=(2, 4))]).astype(np.float32)
    ids = [f"person-{each:03d}" for each in range(26)]
    write(folder, more.astype(np.float64), np.arange(26) % 2, ids=ids, deleted=[ids[24:]], data=COLUMNS)
    case = cases.read(folder)
    seen = erasure.observe(case, replays.plain(case))
    assert (seen.found, unexplained(seen)) == (0, 0)
    write(folder, VECTORS.astype(np.float64), LABELS, ids=list(made.NAMES), deleted=[GONE], data=COLUMNS)
    case = cases.read(folder)
    assert unexplained(erasure.observe(case, replays.plain(case))) > 0


@pytest.mark.attempt("files that hide")
@pytest.mark.parametrize("ids", [NUMBERS, list(made.NAMES)], ids=["numbers are ids", "numbers are positions"])
@pytest.mark.parametrize("name", ["hnswlib.bin", "hnswlib-marked.bin", "flat.faiss", "hnsw.faiss", "ivf.faiss"])
def test_whole_vectors_of_deleted_rows_are_found_marked_or_not(name: str, ids: list[str], tmp_path: Path) -> None:
    seen = observed(store(tmp_path, name), ids=ids)
    assert (seen.found, seen.request_ids) == (2, ("R-0",))
    assert unexplained(seen) > 0


@pytest.mark.attempt("files that hide")
@pytest.mark.parametrize("name", ["sq8.faiss", "hnsw-sq8.faiss", "ivf-sq8.faiss", "pq.faiss", "fp16.faiss"])
def test_codes_of_deleted_rows_are_found_by_the_stores_own_codebook(name: str, tmp_path: Path) -> None:
    seen = observed(store(tmp_path, name), ids=list(made.NAMES))
    assert seen.found == 2
    assert unexplained(seen) > 0


@pytest.mark.attempt("files that hide")
def test_a_code_that_a_retained_record_has_too_says_nothing_and_leaves_the_store_open(tmp_path: Path) -> None:
    """The deleted rows equal retained ones but for less than the code tells apart."""
    close = VECTORS.copy()
    close[[3, 7]] = close[[4, 8]] + np.float32(1e-6)
    seen = observed(store(tmp_path, "sq8.faiss"), ids=list(made.NAMES), features=close)
    assert seen.found == 0
    assert len(seen.open_in_store) == 1
    assert unexplained(seen) > 0


@pytest.mark.attempt("files that hide")
def test_what_chroma_keeps_of_a_deleted_person_is_found(tmp_path: Path) -> None:
    seen = observed(store(tmp_path, "chroma-deleted"), ids=list(made.NAMES))
    assert seen.found == 2
    assert {each.place.parameters["path"].rpartition("/")[2] for each in seen.kept} == {
        "chroma.sqlite3", "data_level0.bin", "header.bin", "index_metadata.pickle", "length.bin", "link_lists.bin",
    }  # fmt: skip


@pytest.mark.attempt("files that hide")
@pytest.mark.parametrize("name", ["lance-deleted", "lance-versions"])
def test_what_lance_keeps_of_a_deleted_person_is_found(name: str, tmp_path: Path) -> None:
    """Under a deletion file, or in a version that was overwritten."""
    seen = observed(store(tmp_path, name), ids=list(made.NAMES))
    assert seen.found == 2
    assert unexplained(seen) > 0


@pytest.mark.attempt("files that hide")
def test_vectors_in_a_file_that_no_version_of_a_table_has_are_found(tmp_path: Path) -> None:
    """Their ids under names of retained people."""
    folder = store(tmp_path, "lance-few")
    (data,) = folder.glob("store/people.lance/data/*.lance")
    content = data.read_bytes().replace(VECTORS[5].tobytes(), VECTORS[3].tobytes())
    (data.parent / "0000000000000000000000004a0000480000000000000000.lance").write_bytes(content)
    assert observed(folder, ids=list(made.NAMES)).found == 1


@pytest.mark.attempt("files that hide")
@pytest.mark.parametrize(
    ("name", "change"),
    [
        ("link_lists.bin", lambda content: content + VECTORS[3].tobytes()[::-1]),
        ("length.bin", lambda content: content[:-16] + VECTORS[3].tobytes()[::-1]),
        ("data_level0.bin", lambda content: content[:-16] + VECTORS[3].tobytes()[::-1]),
        ("header.bin", lambda content: content + VECTORS[3].tobytes()[::-1]),
        ("index_metadata.pickle", lambda content: content + VECTORS[3].tobytes()[::-1]),
    ],
)
def test_a_payload_in_any_file_of_a_chroma_folder_is_unexplained(name: str, change: Any, tmp_path: Path) -> None:
    folder = store(tmp_path, "chroma-rebuilt")
    (path,) = folder.glob(f"store/*/{name}")
    path.write_bytes(change(path.read_bytes()))
    assert unexplained(observed(folder, ids=list(made.NAMES))) >= 16


@pytest.mark.attempt("files that hide")
def test_a_stray_file_in_a_chroma_folder_is_open(tmp_path: Path) -> None:
    folder = store(tmp_path, "chroma-rebuilt")
    (graph,) = folder.glob("store/*/header.bin")
    (graph.parent / "notes.bin").write_bytes(b"\x01\x02\xff\x03" * 9)
    seen = observed(folder, ids=list(made.NAMES))
    assert [each.parameters["place"].parameters["path"] for each in seen.open_in_store] == [
        f"store/{graph.parent.name}/notes.bin"
    ]
    assert unexplained(seen) == 36


@pytest.mark.attempt("files that hide")
def test_a_chroma_database_alone_or_of_another_version_is_no_store_that_is_known(tmp_path: Path) -> None:
    folder = store(tmp_path, "chroma-rebuilt")
    database = folder / "store" / "chroma.sqlite3"
    content = database.read_bytes()
    database.write_bytes(content.replace(b"embedding_id TEXT NOT NULL", b"embedding_id TEXT NOT null"))
    assert unexplained(observed(folder, ids=list(made.NAMES))) > 10_000


@pytest.mark.attempt("files that hide")
def test_rows_with_a_retained_persons_number_and_others_values_do_not_hide_a_deleted_vector(tmp_path: Path) -> None:
    """The vector of a deleted person under the number of a retained one is found by value."""
    folder = store(tmp_path, "idmap.faiss")
    path = folder / "store" / "idmap.faiss"
    path.write_bytes(path.read_bytes().replace(VECTORS[5].tobytes(), VECTORS[3].tobytes()))
    assert observed(folder, ids=NUMBERS).found == 1


def test_labels_that_are_the_digits_of_ids_say_whose_rows_are(tmp_path: Path) -> None:
    case = store(tmp_path, "hnswlib.bin")
    content = bytearray((case / "store" / "hnswlib.bin").read_bytes())
    count, row = struct.unpack_from("<2Q", content, 16)
    for at in range(count):
        struct.pack_into("<Q", content, 96 + row * (at + 1) - 8, 145_954 + at)
    (case / "store" / "hnswlib.bin").write_bytes(content)
    own = [f"CU-{145_954 + at}" for at in range(count)]
    seen = observed(case, ids=own, deleted=own[3:4])
    assert sum(each.found for each in seen.searched) == 1
    assert unexplained(seen) == VECTORS.shape[1] * 4
    others = [f"CU-{145_954 + at % 2}-{at:0>2}" for at in range(count)]
    assert unexplained(observed(case, ids=others, deleted=others[3:4])) > 6 * count


def test_a_row_more_than_people_who_stay_have_is_a_deleted_persons(tmp_path: Path) -> None:
    same = VECTORS.copy()
    same[5] = same[3]
    (tmp_path / "store").mkdir()
    for times, left in ((1, 0), (2, 1)):
        rows = np.concatenate([np.delete(same, [3, 7], axis=0), same[3:4]][:times])
        np.save(tmp_path / "store" / "vectors.npy", rows.astype(np.float64))
        seen = observed(tmp_path, ids=NUMBERS, features=same)
        assert unexplained(seen) == left * 8 * VECTORS.shape[1]
