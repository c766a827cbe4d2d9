"""Every reader of foreign files that runs in the auditor's own process: how it is called, what it may raise, what it accepts.

Property tests, the corpus of kept files (tests/corpus, a folder for each reader) and `make fuzz` share this one list. What a PDF
holds is read in a process of its own, and model files in PyTorch's format in the sandbox: neither is here.
"""

from __future__ import annotations

import contextlib
import functools
import io
import json
import sqlite3
import tarfile
import tempfile
import zipfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any, Final
from unittest import mock

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from safetensors.numpy import save

import signed
from auditor.base import limited, model_formats, tensors
from auditor.base.domain import Message
from auditor.base.errors import AuditorError, InputError, ProcedureError, SignatureError
from auditor.base.histories import Operation
from auditor.base.records import Dataset
from auditor.case import answers, mixed, sentences
from auditor.case.artifacts import OwnFile, model, released, said
from auditor.case.declaration import declare
from auditor.case.files import Source
from auditor.case.logs import deletion_log
from auditor.case.scaffold import code as scripts
from auditor.case.scaffold import tables as scaffold_tables
from auditor.case.tables import dataset
from auditor.document import evidence_files
from auditor.parts.controllers import counterexamples
from auditor.parts.log import importing
from auditor.parts.log.importing.people import PersonColumns, read_people
from auditor.parts.store.observing import limited_reading, vector_stores
from auditor.parts.store.observing.people import People
from auditor.parts.store.observing.record_forms import Wanted
from auditor.parts.store.observing.search import Search
from auditor.parts.store.observing.store_keys import Numbers
from auditor.parts.store.readers import read_files
from auditor.parts.store.readers.contents import Contents, Unread
from auditor.parts.store.readers.postgres_log import read_log
from auditor.parts.store.readers.postgres_pages import PAGE, Commits, pages, read_page
from auditor.parts.store.readers.postgres_tables import Relation, TableRows, Toast
from auditor.parts.store.readers.postgres_values import Column, Kinds, Room, packed_in, words_in
from auditor.recheck import signing
from auditor.recheck.letters import read_letter, recheck_alone
from auditor.recheck.signing.keys import public_key
from auditor.recheck.signing.statements import read_statement
from auditor.sandbox import Answer, activations, modules, returned, state_found, walked, wire
from auditor.sandbox.activations import Activate
from auditor.sandbox.cluster import payloads, seats
from auditor.sandbox.steps import State
from auditor.sandbox.worker import StoppedError
from auditor.settings.tables import DataTable
from case_examples import SOUND, jsonl, npz, records, row
from stores.make import files_of, unpacked

GOLDEN: Final = Path(__file__).parent / "golden" / "0.2.0"
STORES: Final = Path(__file__).parent / "stores"
TABLE: Final = DataTable(train="t", task="classification")
TEXTS: Final = DataTable(train="t", task="classification", text="said")
IDS: Final = [f"person-{number:03d}" for number in range(8)]
_FEATURES: Final = np.random.default_rng(1).normal(size=(8, 2))
DATA: Final = Dataset(_FEATURES, np.arange(8) % 2, np.array(IDS))
_GONE: Final = np.array([0, 3], dtype=np.int64)
_PLACE: Final = Message("data.erased.place.store", {"path": "store"})


@dataclass(frozen=True)
class Reader:
    """One reader."""

    read: Callable[[bytes], object]
    seeds: Callable[[], tuple[bytes, ...]]
    """Files that it accepts."""
    errors: tuple[type[Exception], ...] = (InputError,)
    """All that it may raise; of a reader that answers with what it could not read, nothing."""


def one(make: Callable[[], bytes]) -> Callable[[], tuple[bytes, ...]]:
    """The one seed of a reader, made when it is asked for."""
    return lambda: (make(),)


def parquet(**columns: object) -> bytes:
    sink = io.BytesIO()
    pq.write_table(pa.table(columns), sink)
    return sink.getvalue()


def csv_of(*rows: str) -> bytes:
    return "".join(f"{each}\n" for each in rows).encode()


def read_table(name: str, data: bytes) -> None:
    for task in ("classification", "regression", None):
        dataset(Source(name, data), TABLE, task=task)


def _declaration(data: bytes) -> None:
    found = declare(Source("audit.toml", data))
    if found.problems:
        for problem in found.problems:
            assert str(problem).isprintable()
        raise InputError(found.problems)


def _sheet(name: str, data: bytes) -> None:
    mixed.encoded([mixed.sheet(Source(name, data), TABLE, "classification")], keep=True)


def _answers(name: str, data: bytes) -> None:
    answers.read(Source(name, data), "id", DATA, Dataset(_FEATURES, DATA.labels, np.array([f"h{at}" for at in range(8)])), _GONE)


ANSWERED: Final = [*IDS, *(f"h{at}" for at in range(8))]

EXPORT_ROWS: Final[Mapping[str, list[dict[str, Any]]]] = {
    "opendsr": [
        {
            "subject_request_id": "a-1",
            "submitted_time": "2026-01-10T09:00:00Z",
            "request_status": "completed",
            "regulation": "gdpr",
            "subject_request_type": "erasure",
            "subject_identities": [
                {"identity_type": "email", "identity_value": "ann@example.com"},
                {"identity_type": "controller_customer_id", "identity_value": "C-7"},
            ],
        }
    ],
    "drp": [
        {
            "request_id": "b-1",
            "received_at": "2026-01-10T09:00:00Z",
            "status": "fulfilled",
            "exercise": "deletion",
            "regime": "ccpa",
            "email": "bob@example.com",
            "record_ids": ["r1", "r2"],
        }
    ],
}


def _export(kind: str, data: bytes, columns: Mapping[str, str] | None = None) -> None:
    pairs = tuple((columns or {}).items())
    options = importing.Options(kind, columns=pairs, key=lambda: bytes(32), known_records=frozenset({"C-7"}))
    found = importing.import_log(Source(f"export.{kind}", data), options)
    for line in (*importing.described(found), *map(str, found.problems)):
        line.encode()
    found.provenance()
    if found.problems:
        raise InputError(found.problems)


def _own_format(name: str, data: bytes) -> None:
    source = Source(name, data)
    found = released(source)
    seed = READERS[f"model{Path(name).suffix}"].seeds()[0]
    assert isinstance(found, OwnFile)
    model_formats.held_against(data, seed, found.kind)
    model_formats.held_against(seed, data, found.kind)


@functools.cache
def _fitted(name: str) -> bytes:
    from lightgbm import LGBMClassifier  # noqa: PLC0415 - libraries that load slowly, for these seeds alone
    from sklearn.linear_model import LogisticRegression  # noqa: PLC0415
    from skops.io import dumps  # noqa: PLC0415
    from xgboost import DMatrix, train  # noqa: PLC0415

    labels = DATA.labels
    if name == "model.skops":
        return model_formats.canonical(dumps(LogisticRegression().fit(_FEATURES, labels)))
    if name == "model.txt":
        booster = LGBMClassifier(n_estimators=2, min_child_samples=1, verbose=-1).fit(_FEATURES, labels).booster_
        return booster.model_to_string().encode()
    booster = train({"max_depth": 1, "nthread": 1}, DMatrix(_FEATURES, label=labels), num_boost_round=2)
    return bytes(booster.save_raw(raw_format="ubj" if name == "model.ubj" else "json"))


@functools.cache
def _people() -> People:
    names = dict.fromkeys(("x", "y"), "feature") | {"id": "id", "label": "label"}
    kept = np.ones(8, dtype=bool)
    kept[_GONE] = False
    gone = frozenset(DATA.ids[_GONE].tolist())
    places = {each: at for at, each in enumerate(IDS)}
    return People(DATA, kept, gone, names, ("x", "y"), frozenset({"0", "1"}), places)


@functools.cache
def _wanted() -> Wanted:
    return Wanted.of(DATA, _GONE, frozenset())


def _store(name: str, data: bytes) -> Search:
    """Whatever a store holds is accounted for, searched, and read for the numbers of people; nothing is raised."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / name
        path.write_bytes(data)
        kept = limited_reading.of_file(path, data, _people(), _PLACE)
        assert 0 <= kept.unexplained <= kept.bytes == len(data)
        search = Search(_wanted())
        search.file(path, _PLACE)
        assert search.searched or search.not_searched
        Numbers({"phone": {"4711": frozenset({IDS[0]})}}, {"phone": frozenset({"4711"})}).named_in(path, data)
        return search


def _bundled(*names: str) -> Callable[[], tuple[bytes, ...]]:
    """Stores that their libraries wrote."""
    return lambda: tuple((STORES / name).read_bytes() for name in names)


@functools.cache
def _lance_table(name: str) -> dict[str, bytes]:
    with tempfile.TemporaryDirectory() as folder:
        place = unpacked(f"lance-{name}", Path(folder))
        return {path.relative_to(place).as_posix(): path.read_bytes() for path in place.rglob("*") if path.is_file()}


def _lance_files() -> tuple[bytes, ...]:
    return tuple(content for name in ("few", "rebuilt") for path, content in _lance_table(name).items() if "/data/" in path)


def _lance(data: bytes) -> Contents | Unread:
    """A table with this data file, read and accounted for; nothing is raised."""
    files = {path: data if "/data/" in path else content for path, content in _lance_table("few").items()}
    (found,) = read_files(files)
    if isinstance(found, Contents):
        assert 0 <= found.unexplained <= found.bytes
        limited_reading.account_rows(vector_stores.rows(found, _people()), found.bytes, _people(), _PLACE)
    return found


def _postgres_files() -> tuple[bytes, ...]:
    """A table, and some pages of a write-ahead log."""
    own = files_of("postgres-pgserver")
    (log,) = (content for path, content in own.items() if path.startswith("pg_wal/"))
    return min((each for path, each in own.items() if path.startswith("base/5/1") and b"person-003" in each), key=len), log[
        : 3 * PAGE
    ]


def _postgres(data: bytes) -> None:
    """Rows of a table and a write-ahead log, whatever they hold; nothing is raised."""
    room = Room(1 << 20)
    columns = [
        Column(at, f"c{at}", at, length, "icsd"[at % 4], dropped=False) for at, length in enumerate((-1, -1, 4, 8, 4, -1, -1), 1)
    ]
    kinds = Kinds(dict(enumerate(("text", "varchar", "int4", "float8", "date", "jsonb", "vector"), 1)))
    table = TableRows(Relation(20000, "people", "r", 2200, tuple(columns)), kinds, Toast(room), {}, room)
    for page in pages(data):
        if (one_page := read_page(page)) is not None:
            assert table.page(one_page, Commits({})) <= len(page)
    assert all(each.count for each in table.rows("people"))
    read_log({"0" * 24: data}, room)
    assert all(map(len, words_in(data)))
    assert room.left >= sum(map(len, packed_in(data, Room(1 << 20), 64))) - (1 << 20)


def _rows() -> list[tuple[str, float, float, int]]:
    return [(IDS[at], *map(float, _FEATURES[at]), int(DATA.labels[at])) for at in range(1, 8)]


def _store_csv() -> bytes:
    return csv_of("id,x,y,label", *(f"{name},{x!r},{y!r},{label}" for name, x, y, label in _rows()))


def _store_json() -> bytes:
    return jsonl(*({"id": name, "x": x, "y": y, "label": label} for name, x, y, label in _rows()))


def _store_sqlite() -> bytes:
    with closing(sqlite3.connect(":memory:")) as database:
        database.execute("CREATE TABLE kept (id TEXT PRIMARY KEY, x REAL, y REAL, label INTEGER)")
        database.executemany("INSERT INTO kept VALUES (?, ?, ?, ?)", _rows())
        database.commit()
        return database.serialize()


def _store_zip() -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("kept.csv", _store_csv())
        archive.writestr("kept.npy", _npy())
    return stream.getvalue()


def _store_tar() -> bytes:
    stream = io.BytesIO()
    with tarfile.open(fileobj=stream, mode="w") as archive:
        member = tarfile.TarInfo("kept.csv")
        member.size = len(_store_csv())
        archive.addfile(member, io.BytesIO(_store_csv()))
    return stream.getvalue()


def _npy() -> bytes:
    stream = io.BytesIO()
    np.save(stream, _FEATURES)
    return stream.getvalue()


def read_evidence(data: bytes) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "evidence.json"
        path.write_bytes(data)
        evidence_files.read(path)


def _letter(data: bytes) -> None:
    recheck_alone(read_letter(data, "letter.json"))


def _letter_seed() -> bytes:
    import letter_cases  # noqa: PLC0415 - it renders

    return letter_cases.letter_of(letter_cases.sample()).to_bytes()


def _envelope(data: bytes) -> None:
    signing.claimed_key(data)
    signing.claimed(data)
    signing.verify(data, signed.PUBLIC)


def _in_file(name: str, read: Callable[[Path], object]) -> Callable[[bytes], object]:
    def reading(data: bytes) -> object:
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / name
            path.write_bytes(data)
            return read(path)

    return reading


SCRIPT: Final = b"""\
import pandas as pd
from sklearn.linear_model import LogisticRegression

people = pd.read_csv("people.csv")
model = LogisticRegression(C=2.0)
model.fit(people.drop(columns=["id", "label"]), people["label"])
"""
_PLAYS: Final = Activate(((1, (Operation("channel", "insert", "a"),)),), seconds=1.0)
_DIGEST: Final = "0123456789abcdef" * 2


def _counterexample() -> bytes:
    sides = [[["a", "insert", "1"], ["b", "insert", "2"]], [["b", "insert", "2"], ["a", "insert", "1"]]]
    played = {"use": "dictionary", "entry": None, "params": {}, "digest": "0" * 64}
    whole = {"schema": counterexamples.SCHEMA, "controller": played, "case": "1" * 64, "seed": 1}
    return json.dumps({**whole, "commuting": ["insert"], "left": sides[0], "right": sides[1]}).encode()


def _played() -> bytes:
    return b"".join(activations.packed([[["done", None], 3]], [b"abc"]))


def _held() -> bytes:
    return b"".join(activations.packed([[["global", 3]], False], [b"abc"]))


def _walk() -> bytes:
    item = ["model.weights", _DIGEST, min(walked.KINDS), 8, _DIGEST]
    return json.dumps({**{key: [item] for key in walked._LISTS}, "cut": False}).encode()


def _as_told(text: str) -> str:
    return text


def _walked(data: bytes) -> None:
    walked.read(walked.cleaned(data, hide=_as_told, where="walk", accompanied=False))


def _survey(data: bytes) -> None:
    state_found.read(state_found.cleaned(data, hide=_as_told, where="survey"))


def _modules(data: bytes) -> None:
    modules.read(modules.joined(data, ["/lib/a.so"], scratch=Path("/scratch"), hide=_as_told, where="modules"))


def _layout() -> bytes:
    place = {"name": "w", "kind": "F32", "shape": [2, 3], "at": 0, "digest": None, "frozen": False}
    return tensors.Layout((tensors.Place(**{**place, "shape": (2, 3)}),), 6).to_bytes()


def _hello(data: bytes) -> None:
    found, reasons = seats.about(data)
    assert found is not None or reasons
    if found is None:
        raise ValueError(reasons)


def _hello_seed() -> bytes:
    from auditor.sandbox.cluster import remote  # noqa: PLC0415

    return remote.hello()


def _reply(data: bytes) -> object:
    return wire.parse_reply(data, number=1, name="learn")


def _answers_seed() -> tuple[bytes, ...]:
    found = Answer(State("m"), 0.5, np.arange(3.0), b"abc", {"rows": 3.0}, supported=True)
    return (payloads.answers_written([found]),)


READERS: Final[Mapping[str, Reader]] = {
    "declaration": Reader(_declaration, one(SOUND.encode)),
    "table.npz": Reader(lambda data: read_table("t.npz", data), one(lambda: records(4))),
    "table.csv": Reader(lambda data: read_table("t.csv", data), one(lambda: csv_of("id,label,x,y", "r1,0,1,2", "r2,1,3,4"))),
    "table.parquet": Reader(
        lambda data: read_table("t.parquet", data), one(lambda: parquet(id=["a", "b"], label=[0, 1], x=[0.5, 1.5]))
    ),
    "mixed.csv": Reader(
        lambda data: _sheet("t.csv", data),
        one(lambda: csv_of("id,label,age,since,work", "r1,0,41,2026-01-02,public", "r2,1,,2026-02-03,private", "r3,0,7,,none")),
    ),
    "mixed.parquet": Reader(
        lambda data: _sheet("t.parquet", data),
        one(lambda: parquet(id=["a", "b"], label=["no", "yes"], age=[4, None], work=["public", "none"], well=[True, False])),
    ),
    "sentences.csv": Reader(
        lambda data: sentences.read_sentences(Source("t.csv", data), TEXTS),
        one(lambda: csv_of("id,said", "a,one two", "b,three")),
    ),
    "answers.csv": Reader(
        lambda data: _answers("a.csv", data), one(lambda: csv_of("id,0,1", *(f"{each},0.25,0.75" for each in ANSWERED)))
    ),
    "answers.npz": Reader(
        lambda data: _answers("a.npz", data), one(lambda: npz(ids=np.array(ANSWERED), answers=np.full((16, 2), 0.5)))
    ),
    "model.npz": Reader(lambda data: model(Source("m.npz", data)), one(lambda: npz(parameters=np.arange(4.0)))),
    "model.safetensors": Reader(
        lambda data: model(Source("m.safetensors", data)), one(lambda: save({"parameters": np.arange(4.0)}))
    ),
    "state-dict.safetensors": Reader(
        lambda data: model(Source("m.safetensors", data), of_network=True),
        one(lambda: save({"w": np.ones((2, 3), dtype=np.float32), "steps": np.array([4], dtype=np.int64)})),
    ),
    "model.txt": Reader(lambda data: _own_format("model.txt", data), one(lambda: _fitted("model.txt"))),
    "model.json": Reader(lambda data: _own_format("model.json", data), one(lambda: _fitted("model.json"))),
    "model.ubj": Reader(lambda data: _own_format("model.ubj", data), one(lambda: _fitted("model.ubj"))),
    "model.skops": Reader(lambda data: _own_format("model.skops", data), one(lambda: _fitted("model.skops"))),
    "model-card": Reader(
        lambda data: said({"README.md": data, "config.json": data}),
        lambda: (b"---\nlicense: mit\nlibrary_name: sklearn\n---\n# A model\n", b'{"model_type": "bert"}'),
        (),
    ),
    "log.jsonl": Reader(
        lambda data: deletion_log(Source("l.jsonl", data)),
        one(
            lambda: jsonl(
                row("R1", executed_at="2026-01-20T09:00:00Z", status="executed"), row("R2", ("r2",), status="open", subject="s")
            )
        ),
    ),
    "log.csv": Reader(
        lambda data: deletion_log(Source("l.csv", data)),
        one(lambda: csv_of("request_id,record_ids,received_at,executed_at", "R1,r1;r2,2026-01-10T09:00:00Z,")),
    ),
    "log.parquet": Reader(
        lambda data: deletion_log(Source("l.parquet", data)),
        one(lambda: parquet(request_id=["R"], record_ids=[["a"]], received_at=["2026-01-10T09:00:00Z"])),
    ),
    "export.csv": Reader(
        lambda data: _export("csv", data, {"ticket": "request_id", "customer": "record_ids", "opened": "received_at"}),
        one(lambda: csv_of("ticket;customer;opened;state;kind", "T-1;C-7;2026-01-10T09:00:00Z;closed;erasure")),
    ),
    "export.opendsr": Reader(
        lambda data: _export("opendsr", data),
        lambda: (json.dumps(EXPORT_ROWS["opendsr"]).encode(), jsonl(*EXPORT_ROWS["opendsr"])),
    ),
    "export.drp": Reader(
        lambda data: _export("drp", data),
        lambda: (json.dumps({"requests": EXPORT_ROWS["drp"]}).encode(), jsonl(*EXPORT_ROWS["drp"])),
    ),
    "export.transcend": Reader(
        lambda data: _export("transcend", data),
        one(
            lambda: csv_of(
                "Request ID,Created At,Status,Email,Core Identifier,Request Type,Is Test Request",
                "r-1,2026-01-10T09:00:00Z,completed,ann@example.com,C-7,ERASURE,false",
            )
        ),
    ),
    "export.jsonl": Reader(lambda data: _export("jsonl", data), one(lambda: jsonl(row("R1"), row("R2", ("r2",))))),
    "people.csv": Reader(
        lambda data: read_people(Source("p.csv", data), PersonColumns("email", "customer")),
        one(lambda: csv_of("email,customer", "ann@example.com,C-7;C-8")),
    ),
    "scaffold.csv": Reader(
        lambda data: scaffold_tables.of(Source("t.csv", data)), one(lambda: csv_of("id,label,x", "a,0,1.5", "b,1,2.5"))
    ),
    "script.py": Reader(_in_file("train.py", lambda path: scripts.read(str(path))), one(lambda: SCRIPT)),
    "store.csv": Reader(lambda data: _store("kept.csv", data), one(_store_csv), ()),
    "store.jsonl": Reader(lambda data: _store("kept.jsonl", data), one(_store_json), ()),
    "store.parquet": Reader(
        lambda data: _store("kept.parquet", data),
        one(lambda: parquet(**dict(zip(("id", "x", "y", "label"), zip(*_rows(), strict=True), strict=True)))),
        (),
    ),
    "store.npz": Reader(
        lambda data: _store("kept.npz", data),
        one(lambda: npz(features=_FEATURES[1:], labels=DATA.labels[1:], ids=DATA.ids[1:])),
        (),
    ),
    "store.npy": Reader(lambda data: _store("kept.npy", data), one(_npy), ()),
    "store.safetensors": Reader(lambda data: _store("kept.safetensors", data), one(lambda: save({"rows": _FEATURES})), ()),
    "store.sqlite": Reader(lambda data: _store("kept.sqlite", data), one(_store_sqlite), ()),
    "vectors.hnswlib": Reader(lambda data: _store("kept.bin", data), _bundled("hnswlib.bin", "hnswlib-marked.bin"), ()),
    "vectors.faiss": Reader(
        lambda data: _store("kept.faiss", data), _bundled("idmap.faiss", "hnsw-sq8.faiss", "ivf-hashed.faiss", "pq.faiss"), ()
    ),
    "vectors.lance": Reader(_lance, _lance_files, ()),
    "postgres": Reader(_postgres, _postgres_files, ()),
    "store.zip": Reader(lambda data: _store("kept.zip", data), one(_store_zip), ()),
    "store.tar": Reader(lambda data: _store("kept.tar", data), one(_store_tar), ()),
    "evidence": Reader(
        read_evidence,
        lambda: tuple((GOLDEN / f"{each}.json").read_bytes() for each in ("xor-controller", "sqlite-rebuilt")),
    ),
    "letter": Reader(_letter, one(_letter_seed)),
    "envelope": Reader(_envelope, one(lambda: signing.sign(signed.STATEMENT, signed.signer())), (SignatureError,)),
    "statement": Reader(read_statement, one(signed.STATEMENT.to_bytes), (SignatureError,)),
    "public-key": Reader(public_key, one(lambda: signed.PUBLIC)),
    "counterexample": Reader(_in_file("counterexample.json", counterexamples.read), one(_counterexample)),
    "reply": Reader(
        _reply, one(lambda: b'{"number": 1, "step": "learn", "supported": true, "facts": {"rows": 3}}\n'), (ProcedureError,)
    ),
    "walk": Reader(_walked, one(_walk), (ProcedureError,)),
    "survey": Reader(
        _survey, one(lambda: json.dumps({key: {"a": _DIGEST} for key in state_found.KINDS}).encode()), (ProcedureError,)
    ),
    "modules": Reader(_modules, one(lambda: b'["/lib/a.so", "/scratch/code/model.py"]'), (ProcedureError,)),
    "played": Reader(lambda data: activations.read_played(data, _PLAYS, where="activate"), one(_played), (ProcedureError,)),
    "held": Reader(lambda data: activations.read_held(data, where="contents"), one(_held), (ProcedureError,)),
    "parameters.npy": Reader(lambda data: returned.array_from(data, "the procedure's parameters"), one(_npy), (ProcedureError,)),
    "layout": Reader(tensors.Layout.read, one(_layout), (ValueError,)),
    "worker": Reader(_hello, one(_hello_seed), (ValueError,)),
    "worker-reply": Reader(lambda data: payloads.reply_read(data, [State("m")]), _answers_seed, (AuditorError, StoppedError)),
}
"""By name."""


@contextlib.contextmanager
def in_this_process() -> Iterator[None]:
    """Answer here what is asked of a limited process, whose start for each file would take longer than all the rest."""

    def ask(reader: limited.Reader, question: dict[str, Any], content: bytes = b"", **_: object) -> object:
        module, _name, name = reader.serve.partition(":")
        return getattr(import_module(module), name)(reader.held)(question, content)

    with mock.patch.object(limited.Reader, "ask", ask):
        yield
