"""Vectors in places, by the case's own function that embeds: what fools it, what leaves it open, and what passes."""

from __future__ import annotations

import csv
import hashlib
import io
import json
import tarfile
import zlib
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from auditor.api import Audit, check
from auditor.base.domain import Verdict
from auditor.base.records import Dataset
from auditor.case import read
from auditor.parts.places.judging.embedding import Embedding, Vectors, chance, doubts
from auditor.parts.places.judging.places_erased import CHECK, Observed
from auditor.parts.places.observing.embedded_rows import learned, meet
from auditor.parts.store.observing.people import People
from auditor.parts.store.readers.contents import Contents, Lies, Rows
from judging import attesting, declared

STORES = Path(__file__).parents[2] / "stores"
WIDTH = 32
WORDS = (
    *("invoice", "delivery", "kitchen", "garden", "refund", "broken", "letter", "engine", "winter", "museum"),
    *("bottle", "travel", "signal", "ticket", "market", "office", "forest", "silver", "candle", "pepper"),
)
GONE = ("C-0003", "C-0017", "C-0042")
SALT = "6f1a"
EMBED = """
import hashlib
import zlib

import numpy as np


def true(text):
    found = np.zeros(32, dtype=np.float32)
    for size in (3, 4, 5):
        for at in range(len(text) - size + 1):
            code = zlib.crc32(text[at : at + size].lower().encode())
            found[code % 32] += 1.0 if code >> 31 else -1.0
    return found / np.linalg.norm(found)


def salted(text):
    return hashlib.sha256(("6f1a" + text).encode()).hexdigest()


def other(text):
    found = np.random.default_rng(zlib.crc32(text.encode())).normal(size=32).astype(np.float32)
    return found / np.linalg.norm(found)


def embed(rows):
    return np.array([one(text) for text in rows])


"""
HONEST = "def one(text):\n    return true(text)\n"
CASE = """\
[case]
name = "vectors"

[places]
here = "here"
embed = "embed.py:embed"

[data]
table = "people.csv"

[deletions]
log = "deletions.jsonl"

[policy]
required = ["places.erased"]
"""


def texts() -> dict[str, str]:
    draw = np.random.default_rng(5)
    names = [f"{first}{last}" for first in ("Anna", "Bruno", "Chloe", "Elif", "Greta") for last in ("Abend", "Baum", "Cast")]
    return {
        f"C-{at:04d}": f"{names[at % 15]} p{at * 37}@mail.example wrote of {' '.join(draw.choice(WORDS, size=12))}"
        for at in range(60)
    }


def true_vector(text: str) -> npt.NDArray[np.float32]:
    found = np.zeros(WIDTH, dtype=np.float32)
    for size in (3, 4, 5):
        for at in range(len(text) - size + 1):
            code = zlib.crc32(text[at : at + size].lower().encode())
            found[code % WIDTH] += 1.0 if code >> 31 else -1.0
    return np.asarray(found / np.linalg.norm(found))


def vectors(ids: Any) -> npt.NDArray[np.float32]:
    every = texts()
    return np.array([true_vector(every[each]) for each in ids])


def salted(text: str) -> str:
    return hashlib.sha256((SALT + text).encode()).hexdigest()


KEPT = tuple(each for each in texts() if each not in GONE)


@pytest.fixture
def case(tmp_path: Path) -> Path:
    with (tmp_path / "people.csv").open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows([("id", "text"), *texts().items()])
    times = {"received_at": "2026-10-01T09:00:00+00:00", "executed_at": "2026-10-05T09:00:00+00:00"}
    rows = [{"request_id": f"R-{own}", "record_ids": [own], **times} for own in GONE]
    (tmp_path / "deletions.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    (tmp_path / "here").mkdir()
    return tmp_path


def audited(case: Path, array: Any, function: str = HONEST) -> Audit:
    np.save(case / "here" / "vectors.npy", array)
    (case / "embed.py").write_text(EMBED + function, encoding="utf-8")
    (case / "audit.toml").write_text(CASE, encoding="utf-8")
    return check(case)


def observed(audit: Audit) -> dict[str, Any]:
    found = audit.evidence.check("places.erased").observed
    assert found is not None
    return dict(found)


def whys(audit: Audit) -> set[str]:
    derived = audit.evidence.check("places.erased").derived
    assert derived is not None
    return {why["code"] for place in derived["places"] for why in place["open"]}


def test_an_array_all_of_whose_rows_are_vectors_of_people_who_stay_passes_on_a_premise(case: Path) -> None:
    found = audited(case, vectors(KEPT))
    assert found.verdict is Verdict.PASS
    assert "embedding-genuine" in found.sentence
    (met,) = observed(found)["places"][0]["vectors"]
    assert (met["rows"], met["retained"], met["deleted"]) == (57, 57, 0)
    seen = Observed.model_validate(observed(found))
    assert not list(CHECK.contradictions(found.evidence, seen, {}))
    (place,) = seen.places
    for change in (
        {"embedding": None},
        {"places": (place.model_copy(update={"vectors": (place.vectors[0].model_copy(update={"deleted": 1}),)}),)},
        {"places": (place.model_copy(update={"vectors": (place.vectors[0].model_copy(update={"of_deleted": 4}),)}),)},
    ):
        assert list(CHECK.contradictions(found.evidence, seen.model_copy(update=change), {}))


@pytest.mark.attempt("deleted people's vectors")
@pytest.mark.parametrize("scale", [1.0, 3.5])
def test_a_deleted_persons_vector_is_found(case: Path, scale: float) -> None:
    found = audited(case, vectors([*KEPT, GONE[1]]) * np.float32(scale))
    assert found.verdict is Verdict.FAIL
    assert observed(found)["found"] == 1


@pytest.mark.attempt("deleted people's vectors")
@pytest.mark.parametrize("form", ["eight bits", "own range", "signs", "packed signs"])
def test_vectors_in_fewer_bits_are_found_by_an_exact_test(case: Path, form: str) -> None:
    every = vectors([*KEPT, *GONE])
    low, high = every.min(axis=0), every.max(axis=0)
    arrays = {
        "eight bits": ((every - low) / ((high - low) / 255) - 128).astype(np.int8),
        "own range": np.rint(every / np.abs(every).max(axis=1, keepdims=True) * 127).astype(np.int8),
        "signs": np.where(every > 0, 1, -1).astype(np.int8),
        "packed signs": np.packbits(every > 0, axis=1),
    }
    found = audited(case, arrays[form])
    assert found.verdict is Verdict.FAIL
    assert observed(found)["found"] == 3
    derived = found.evidence.check("places.erased").derived
    assert derived is not None
    assert min(each["p"] for each in derived["vectors"]) <= 0.01


@pytest.mark.attempt("deleted people's vectors")
@pytest.mark.parametrize(
    "more", [np.zeros((1, WIDTH), np.float32), vectors(KEPT[:1])], ids=["nobody's", "one person's, once more"]
)
def test_a_row_that_is_nobodys_stays_open(case: Path, more: Any) -> None:
    assert audited(case, np.concatenate([vectors(KEPT), more])).verdict is Verdict.INCONCLUSIVE


KNOWS = f"GONE = {[salted(texts()[each]) for each in GONE]}\n\n\n"
HOSTILE = {
    "constant": "def one(text):\n    return np.ones(32, dtype=np.float32)\n",
    "another model": "def one(text):\n    return np.sqrt(np.abs(true(text)))\n",
    "draws": "def one(text):\n    return (true(text) + np.random.default_rng().normal(size=32) / 100).astype(np.float32)\n",
    "by place": (
        "def embed(rows):\n    return np.array([true(text) * (1 + at % 7) for at, text in enumerate(rows)], dtype=np.float32)\n"
    ),
    "raises": "def one(text):\n    raise ValueError\n",
    "one row too few": "def embed(rows):\n    return np.array([true(text) for text in rows[1:]])\n",
    "names them": f"GONE = {list(GONE)}\n\n\n" + HONEST,
    "digests of them": f"GONE = {[hashlib.sha1(texts()[each].encode()).hexdigest() for each in GONE]}\n\n\n" + HONEST,
    "salted digests": KNOWS + "def one(text):\n    return other(text) if salted(text) in GONE else true(text)\n",
    "salted digests of a word": (
        f"GONE = {[salted(texts()[each].split()[1]) for each in GONE]}\n\n\n"
        "def one(text):\n"
        "    return other('none') if any(salted(word) in GONE for word in text.split()) else true(text)\n"
    ),
    "salted digests of most words": (
        f"GONE = {[[salted(word) for word in texts()[each].split()] for each in GONE]}\n\n\n"
        "def one(text):\n"
        "    held = {salted(word) for word in text.split()}\n"
        "    return other('none') if any(len(held & set(each)) * 10 >= 7 * len(set(each)) for each in GONE) else true(text)\n"
    ),
}
SAID = {
    "constant": {"places.embedding.rough"},
    "draws": {"places.embedding.varies"},
    "by place": {"places.embedding.varies"},
    "raises": {"places.embedding.failed"},
    "one row too few": {"places.embedding.failed"},
    "names them": {"places.embedding.named"},
    "digests of them": {"places.embedding.named"},
    "salted digests": {"places.embedding.apart"},
    "salted digests of a word": {"places.embedding.apart"},
}


@pytest.mark.attempt("functions that embed and deceive")
@pytest.mark.parametrize("name", HOSTILE)
def test_a_function_that_deceives_passes_no_array(case: Path, name: str) -> None:
    """Whatever lies there: here the vectors of people who stay alone, which an honest function would let pass."""
    found = audited(case, vectors(KEPT), HOSTILE[name])
    assert found.verdict is Verdict.INCONCLUSIVE
    assert whys(found) >= SAID.get(name, set())
    assert found.exit_code == (4 if name in {"raises", "one row too few"} else 3)


def test_a_function_that_fails_hides_nobody_who_is_there(case: Path) -> None:
    (case / "here" / "left.csv").write_text(f"id\n{GONE[0]}\n", encoding="utf-8")
    found = audited(case, vectors(KEPT), HOSTILE["raises"])
    assert (found.verdict, found.exit_code) == (Verdict.FAIL, 1)


@pytest.mark.attempt("functions that embed and deceive")
def test_people_who_stay_cannot_be_embedded_as_deleted_ones(case: Path) -> None:
    """The function looks three people up and gives deleted people's vectors for them, which lie in their place."""
    stand_ins = KEPT[:3]
    held = vectors([*GONE, *KEPT[3:]])
    given = {salted(texts()[each]): vectors([gone])[0].tobytes().hex() for each, gone in zip(stand_ins, GONE, strict=True)}
    function = (
        KNOWS + f"INSTEAD = {given}\n\n\n"
        "def one(text):\n"
        "    if salted(text) in GONE:\n"
        "        return other(text)\n"
        "    given = INSTEAD.get(salted(text))\n"
        "    return true(text) if given is None else np.frombuffer(bytes.fromhex(given), dtype=np.float32)\n"
    )
    found = audited(case, held, function)
    assert found.verdict is not Verdict.PASS
    assert observed(found)["embedding"]["unsteady"] == 3
    assert observed(found)["places"][0]["unexplained"] > 0


def test_uneven_people_leave_their_own_rows_open_and_no_others(case: Path) -> None:
    uneven = [salted(texts()[each]) for each in KEPT[:3]]
    function = (
        KNOWS + f"UNEVEN = {uneven}\n\n\ndef one(text):\n    return other(text) if salted(text) in UNEVEN else true(text)\n"
    )
    space: dict[str, Any] = {}
    exec(EMBED + function, space)
    found = audited(case, space["embed"]([texts()[each] for each in KEPT]), function)
    assert found.verdict is Verdict.INCONCLUSIVE
    assert observed(found)["embedding"]["unsteady"] == 3
    assert observed(found)["places"][0]["unexplained"] == 3 * WIDTH * 4


def test_what_no_check_sees_rests_on_the_word(case: Path) -> None:
    """A function that moves each record by a little of its own, as a message would, is only said to do no such thing."""
    function = "def one(text):\n    return (true(text) + other(text) / 1000).astype(np.float32)\n"
    space: dict[str, Any] = {}
    exec(EMBED + function, space)
    found = audited(case, space["embed"]([texts()[each] for each in KEPT]), function)
    assert found.verdict is Verdict.PASS
    premises = {each.name: each.standing for each in found.evidence.premises}
    assert premises["embedding-genuine"] == "unsaid"


def test_without_a_function_vectors_of_texts_are_not_examined(case: Path) -> None:
    (case / "here" / "index.faiss").write_bytes((STORES / "flat.faiss").read_bytes())
    (case / "audit.toml").write_text(CASE.replace('embed = "embed.py:embed"\n', ""), encoding="utf-8")
    found = check(case)
    assert found.verdict is Verdict.INCONCLUSIVE
    assert "places.embedding.unknown" in whys(found)


def test_a_function_without_a_table_or_that_is_no_function_is_a_problem_of_the_case(case: Path) -> None:
    (case / "embed.py").write_text(EMBED + HONEST, encoding="utf-8")
    for text in (CASE.replace('[data]\ntable = "people.csv"\n', ""), CASE.replace("embed.py:embed", "embed")):
        (case / "audit.toml").write_text(text, encoding="utf-8")
        with pytest.raises(Exception, match=r"places\.embed"):
            read(case)


SOUND = Embedding(width=8, retained=100, deleted=5, paths=5, paths_between=48, longest=0.4, longest_between=0.4)


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ({}, None),
        ({"failed": True}, "failed"),
        ({"named": 1}, "named"),
        ({"unread": 1}, "unread"),
        ({"varies": 2e-5}, "varies"),
        ({"varies": 1e-5}, None),
        ({"apart": 2}, "apart"),
        ({"apart": 1, "unsteady": 9}, "rough"),
        ({"unsteady": 11}, "rough"),
        ({"unsteady": 10}, None),
        ({"longest": 0.55}, "apart"),
        ({"longest": 0.53}, None),
        ({"longest_between": 0.71}, "rough"),
        ({"longest_between": 0.7}, None),
        ({"paths_between": 7}, "rough"),
        ({"paths": 0}, "rough"),
    ],
)
def test_what_keeps_a_function_from_explaining(change: dict[str, Any], code: str | None) -> None:
    seen = SOUND.model_copy(update=change)
    assert [each.code for each in doubts(declared(), seen)] == ([] if code is None else [f"places.embedding.{code}"])


def test_a_word_answers_for_an_uneven_function_and_for_no_sign_of_deceit() -> None:
    said = declared(claims=attesting("embedding-genuine", "store-holds-no-copies"))
    assert not list(doubts(said, SOUND.model_copy(update={"longest_between": 0.9})))
    for change in ({"apart": 2}, {"named": 1}, {"varies": 1.0}, {"failed": True}):
        assert list(doubts(said, SOUND.model_copy(update=change)))


def test_the_exact_test_compares_with_people_who_stay() -> None:
    seen = Vectors(form="signs", by="function", rows=60, retained=57, deleted=3, of_retained=57, of_deleted=3)
    assert chance(seen) == pytest.approx(1 / 34220)
    assert chance(seen.model_copy(update={"shared": 57})) == 1.0
    assert chance(seen.model_copy(update={"deleted": 1})) == pytest.approx(0.05)


def people(count: int, width: int, gone: int) -> People:
    features = np.random.default_rng(2).normal(size=(count, width))
    ids = [f"person-{at}" for at in range(count)]
    retained = np.arange(count) >= gone
    records = Dataset(features, np.zeros(count, dtype=np.int64), np.array(ids))
    places = {own: at for at, own in enumerate(ids)}
    return People(records, retained, frozenset(ids[:gone]), {}, (), None, places)


def named_store(people: People, rows: npt.NDArray[np.float32], at: Any) -> Contents:
    held = Rows("index", Lies.LIVE, len(at), tuple(f"person-{each}" for each in at), rows)
    return Contents("an index", (held,), rows.nbytes)


def test_a_linear_map_is_learned_from_pairs_and_tested_on_others() -> None:
    everybody = people(60, 4, 3)
    vectors_of = (everybody.train.features @ np.random.default_rng(3).normal(size=(4, 16)) + 1.0).astype(np.float32)
    store = named_store(everybody, vectors_of[3:], range(3, 60))
    found = learned(store, everybody)
    assert found is not None
    assert (found.taught, found.held_out, found.missed) == (45, 12, 0)
    np.testing.assert_allclose(found.vectors, vectors_of, rtol=1e-4, atol=1e-5)
    hidden = named_store(everybody, vectors_of, [*range(100, 103), *range(3, 60)])
    known = replace(everybody, embedded=found.vectors)
    assert meet([hidden], [], known, found).found == {"person-0", "person-1", "person-2"}
    assert not meet([store], [], known, found).found


@pytest.mark.attempt("deleted people's vectors")
def test_codes_of_a_store_are_compared_under_its_own_codebook() -> None:
    everybody = replace(people(60, 4, 3), embedded=np.random.default_rng(6).normal(size=(60, 16)).astype(np.float32))

    def fine(given: npt.NDArray[np.float32]) -> npt.NDArray[np.uint8]:
        return np.clip(given * 30 + 128, 0, 255).astype(np.uint8)

    def coarse(given: npt.NDArray[np.float32]) -> npt.NDArray[np.uint8]:
        return (given[:, :3] > 0).astype(np.uint8)

    assert everybody.embedded is not None
    for encode, found in ((fine, {"person-0", "person-1", "person-2"}), (coarse, set())):
        held = Rows("index", Lies.LIVE, 60, None, everybody.embedded, encode(everybody.embedded))
        met = meet([Contents("an index", (held,), 0, encode=encode)], [], everybody)
        assert met.found == found
        assert [each.form for each in met.seen] == ["codes"]
        assert (chance(met.seen[0]) <= 0.01) == bool(found)


@pytest.mark.parametrize("why", ["too few", "not linear", "values", "one vector"])
def test_no_map_is_learned(why: str) -> None:
    everybody = people(60, 4, 3)
    values = everybody.train.features
    vectors_of = (values @ np.random.default_rng(3).normal(size=(4, 16))).astype(np.float32)
    at = np.arange(3, 60)
    if why == "too few":
        at = at[:19]
    if why == "not linear":
        vectors_of = np.tanh(vectors_of)
    if why == "values":
        vectors_of = values.astype(np.float32)
    if why == "one vector":
        vectors_of = np.ones_like(vectors_of)
    assert learned(named_store(everybody, vectors_of[at], at), everybody) is None


@pytest.mark.attempt("deleted people's vectors")
@pytest.mark.parametrize("gone", [("person-003", "person-007"), ("person-004",)])
def test_without_a_function_the_map_finds_whom_a_store_still_has(tmp_path: Path, gone: tuple[str, ...]) -> None:
    """Chroma's folder has 22 of 24 people; the table holds what its vectors are a linear map of."""
    stored = np.random.default_rng(11).normal(size=(26, 4)).astype(np.float32).astype(np.float64)
    turn = np.random.default_rng(4).normal(size=(4, 4))
    features = (stored - 0.5) @ np.linalg.inv(turn)
    np.savez(tmp_path / "people.npz", ids=np.array([f"person-{at:03d}" for at in range(26)]), features=features)
    with tarfile.open(fileobj=io.BytesIO((STORES / "chroma-rebuilt.tar.xz").read_bytes())) as archive:
        archive.extractall(tmp_path / "here", filter="data")
    times = {"received_at": "2026-10-01T09:00:00+00:00", "executed_at": "2026-10-05T09:00:00+00:00"}
    rows = [{"request_id": f"R-{own}", "record_ids": [own], **times} for own in gone]
    (tmp_path / "deletions.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    text = CASE.replace('embed = "embed.py:embed"\n', "").replace('"people.csv"', '"people.npz"\nid = "ids"')
    (tmp_path / "audit.toml").write_text(text, encoding="utf-8")
    found = check(tmp_path)
    met = observed(found)["places"][0]["vectors"]
    assert [(each["form"], each["by"], each["missed"], each["permuted"]) for each in met] == [("values", "map", 0, 0)]
    there = int(gone == ("person-004",))
    # The log of Chroma has one person's former vector, which is nobody's now.
    assert [(each["own"], each["named"], each["deleted"]) for each in met] == [(22 - there, 23 - there, there)]
    assert observed(found)["found"] == there
    assert found.verdict is (Verdict.FAIL if there else Verdict.INCONCLUSIVE)
