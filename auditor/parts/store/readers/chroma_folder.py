"""Read a folder of Chroma (1.x): its SQLite database, and an hnswlib graph in four files with its ids for each collection.

A record is kept in several places: its id, metadata and document in tables, the document's terms in an index, its vector in the
graph. What was done last is in a log as well, `embeddings_queue`, until that is purged; until the graph is written, a vector
is in the log alone. A row that is deleted is marked in the graph, stays in the log until a purge, in the index of terms until a
merge, and on free pages until `chroma vacuum`.

The definitions of the tables are compared with those of known versions; others are unknown. Where vectors are not normalised,
nothing writes or reads `length.bin`: it holds what lay in the memory of the process.
"""

from __future__ import annotations

import hashlib
import json
import re
import uuid
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import PurePosixPath
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from auditor.parts.release.observing import databases
from auditor.parts.store.readers import full_text, pickled
from auditor.parts.store.readers.contents import Contents, Lies, Rows, UnknownFormError
from auditor.parts.store.readers.fields import Fields, filled, no_numbers
from auditor.parts.store.readers.hnsw_graph import Graph, Header
from auditor.parts.store.readers.sqlite_file import TakenApart, take_apart

_DATABASE: Final = "chroma.sqlite3"
_OF_GRAPH: Final = ("header.bin", "data_level0.bin", "length.bin", "link_lists.bin", "index_metadata.pickle")
_DEFINITIONS: Final = frozenset(
    {
        # 1.0
        "eb76495cdbe50b6f4be1a30d07a281151e9f14fd2d9d8d1cf4dd34825494126e",
        # 1.5
        "1bb48c2c7da35bd32000b220fb256ab58d6070740fc6b0c62b27eb903f30da99",
    }
)
"""SHA-256 of everything that the database consists of, by the versions that make it so."""
_RUN: Final = (
    "38352d725ad1c16074fac420b22b4633 2913cb6a503055a95f625448037e8912 42d22d0574d31d419c2a0e7f625c93aa "
    "048867ce8fcdefe4023c7110e4433591 b1367c826b8fba5f96f27befdc1d42d2 4eea7468935bf25d4604a0fed2366116 "
    "1c7e63bba346a42a18b6ab7f1c989bed 0a0e7e93111a01789addf64961c6127c 054355aef9e63702bf54ea29e61563f1 "
    "5c3a5ac4b79df76799b4721827ed5e1d 2b4cf52c4bb2676e21d6860a4409f856 12a570f7121b3a8ce750a2a7c36da20f "
    "f97ad6334aeaa8f419f01110b648b97a fb36603a45ee2cd0254cef3ef86585e8 0e9de46758761b373ce682925edcc326 "
    "e026f01ea92c1baa1493f4ad5ca7cfe7 d3755dfd232be8e8301f4d7fcfb3a486 8fbfe4ffb3e57f1d8bfdc58510a82e85 "
)
_MIGRATIONS: Final = frozenset(_RUN.split())
"""MD5 of the definitions that versions have run, as the database notes them."""
_TIME: Final = re.compile(r"20\d\d-[01]\d-[0-3]\d [0-2]\d:[0-5]\d:[0-5]\d", re.ASCII)
_UUID: Final = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}", re.ASCII)
_NAME: Final = re.compile(r"[a-zA-Z0-9][a-zA-Z0-9._-]{1,61}[a-zA-Z0-9]", re.ASCII)
_TOPIC: Final = "persistent://default/default/"
_VECTORS, _METADATA = "urn:chroma:segment/vector/hnsw-local-persisted", "urn:chroma:segment/metadata/sqlite"
_DOCUMENT: Final = "chroma:document"
_OF_SETTINGS: Final = (
    "defaults string fts_index enabled config string_inverted_index float_list vector_index space "
    "embedding_function type known unknown legacy name default hnsw ef_construction max_neighbors ef_search "
    "num_threads batch_size sync_threshold resize_factor sparse_vector sparse_vector_index bm25 int "
    "int_inverted_index float float_inverted_index bool bool_inverted_index keys #embedding source_key #document l2 "
    "cosine ip hnsw_configuration spann null automatically_purge _type EmbeddingsQueueConfigurationInternal "
    "hnsw:space hnsw:sync_threshold hnsw:batch_size hnsw:M hnsw:construction_ef hnsw:search_ef hnsw:num_threads "
    "hnsw:resize_factor vacuum "
)
_SETTINGS: Final = frozenset(_OF_SETTINGS.split())
"""Words of settings: others could say anything."""
_LONGEST: Final = 8
"""Characters of a number among settings."""
_VERSION: Final = 4
_KINDS: Final = ("string_value", "int_value", "float_value", "bool_value")
_OF_IDS: Final = frozenset({"dimensionality", "total_elements_added", "max_seq_id", "id_to_label", "label_to_id", "id_to_seq_id"})
_UUID_BYTES: Final = 16
_MOST: Final = 1 << 40
"""Entries that a log has had at most."""
_MOST_GONE: Final = 1 << 20
"""Rows that a graph has lost since its last one came, at most."""
_CLOSE: Final = 1e-4
_USUALLY_TRIED: Final = 100
"""What `ef_construction` is where nobody sets it."""
_LET_PASS: Final = 64
"""Characters of unusual words that settings and names of collections may have in all."""
_SPARSE, _FEW = 64, 1024
"""How often the number of rows their numbers may be, and how much more: larger ones say something."""


class ChromaFolder:
    """Reads one folder."""

    form = "Chroma"

    def claims(self, heads: Mapping[str, bytes]) -> tuple[tuple[str, ...], ...]:
        """Claim each database of that name with the graphs in the folders next to it."""
        found = []
        for path, head in heads.items():
            place = PurePosixPath(path)
            if place.name != _DATABASE or not head.startswith(databases.MAGIC):
                continue
            graphs = [
                other
                for other in heads
                if PurePosixPath(other).name in _OF_GRAPH and PurePosixPath(other).parent.parent == place.parent
            ]
            found.append((path, *sorted(graphs)))
        return tuple(found)

    def read(self, files: Mapping[str, bytes]) -> Contents:
        """Take a folder apart.

        Raises:
            UnknownFormError: If it is of another version, or damaged.
        """
        path = next(each for each in files if PurePosixPath(each).name == _DATABASE)
        database = take_apart(files[path])
        graphs: dict[str, dict[str, bytes]] = {}
        for each, content in files.items():
            if each != path:
                graphs.setdefault(PurePosixPath(each).parent.name, {})[PurePosixPath(each).name] = content
        folder = _Folder(path, database)
        try:
            folder.read(graphs)
        except (TypeError, ValueError, KeyError, IndexError, AttributeError, OverflowError) as error:
            # SQLite keeps anything in any column: what is not of the kind that Chroma keeps there is another's.
            raise UnknownFormError from error
        size = sum(map(len, files.values()))
        return Contents(
            form=self.form,
            rows=tuple(each for each in folder.rows if each.count),
            bytes=size,
            unexplained=min(size, folder.unexplained),
            files=tuple(files),
            settings=folder.settings,
            uncounted=folder.uncounted,
        )


@dataclass(frozen=True, slots=True)
class _Held:
    """One row, wherever it stands."""

    id: str | None
    fields: Mapping[str, str]
    vector: npt.NDArray[np.float32] | None = None


@dataclass(slots=True)
class _Folder:
    """What has been read of a folder."""

    path: str
    database: TakenApart
    rows: list[Rows] = field(default_factory=list)
    unexplained: int = 0
    settings: tuple[int, ...] = ()
    uncounted: int = 0
    unusual: int = 0
    """Characters of words in settings that no version has of its own, as the name of a model."""
    names: set[str] = field(default_factory=set)
    """Names of values that records have."""

    def read(self, graphs: Mapping[str, Mapping[str, bytes]]) -> None:
        """Read tables and graphs."""
        tables = self.database.tables
        self.unexplained += self.database.beyond
        self._definitions()
        records = self._records()
        segments, left = {each["id"]: each for each in tables["segments"]}, dict(graphs)
        for collection in tables["collections"]:
            own = {each["type"]: each["id"] for each in segments.values() if each["collection"] == collection["id"]}
            if own.keys() != {_METADATA, _VECTORS}:
                raise UnknownFormError
            mine = records.pop(own[_METADATA], {})
            self._collection(collection, mine, own[_VECTORS], left.pop(own[_VECTORS], {}))
            # Nobody needs the two numbers of a collection that holds nothing.
            self.unexplained += 0 if mine else 3 * _UUID_BYTES
        # Records, entries of the log and graphs of collections that are not there.
        for lost in records.values():
            self._add("records of no collection", Lies.REMNANT, list(lost.values()))
        topics = {_TOPIC + each["id"] for each in tables["collections"]}
        self._add("log", Lies.REMNANT, [self._logged(each) for each in tables["embeddings_queue"] if each["topic"] not in topics])
        self.unexplained += sum(len(content) for parts in left.values() for content in parts.values())
        self._settings(segments)

    def _add(self, where: str, lies: Lies, held: Sequence[_Held]) -> None:
        """Add rows: with vectors those that have one, and without the others."""
        widths = {None if each.vector is None else len(each.vector) for each in held}
        for width in sorted(widths, key=lambda each: each or 0):
            alike = [each for each in held if (None if each.vector is None else len(each.vector)) == width]
            vectors = None if width is None else np.array([each.vector for each in alike], dtype=np.float32)
            self.unexplained += 0 if vectors is None else no_numbers(vectors)
            self.rows.append(
                Rows(
                    where=f"{self.path}: {where}",
                    lies=lies,
                    count=len(alike),
                    ids=tuple(each.id for each in alike),
                    vectors=vectors,
                    fields=tuple(each.fields for each in alike),
                )
            )

    def _definitions(self) -> None:
        listed = sorted(((each.kind, each.name, each.table, each.sql) for each in self.database.listed), key=str)
        if hashlib.sha256(repr(listed).encode()).hexdigest() not in _DEFINITIONS:
            raise UnknownFormError
        for each in self.database.tables["migrations"]:
            digest = hashlib.md5(each["sql"].encode(), usedforsecurity=False).hexdigest()
            if digest != each["hash"] or digest not in _MIGRATIONS:
                raise UnknownFormError

    def _records(self) -> dict[str, dict[str, _Held]]:
        """Read the records of each segment by their ids, and count what of their rows belongs to no record."""
        tables = self.database.tables
        values: dict[int, dict[str, str]] = {}
        documents: dict[int, str] = {}
        for name in ("embedding_metadata", "embedding_metadata_array"):
            for each in tables.get(name, ()):
                given = [each[kind] for kind in _KINDS if each[kind] is not None]
                if each["key"] == _DOCUMENT and len(given) == 1:
                    documents[each["id"]] = _text(given[0])
                own = values.setdefault(each["id"], {})
                key = "document" if each["key"] == _DOCUMENT else str(each["key"])
                own[key] = "\n".join([*([own[key]] if key in own else []), *map(_text, given)])
        found: dict[str, dict[str, _Held]] = {}
        times, numbers, own_numbers = [""], set[int](), list[int]()
        for each in tables["embeddings"]:
            own = values.pop(each["id"], {})
            self.names |= own.keys()
            embedding_id = _text(each["embedding_id"])
            found.setdefault(each["segment_id"], {})[embedding_id] = _Held(embedding_id, own)
            # Records come one after another, and so do their times; each has a number of its own in the log.
            self.unexplained += self._odd_time(each["created_at"], times[-1])
            times.append(str(each["created_at"]))
            number = each["seq_id"]
            self.unexplained += 8 * (not isinstance(number, int) or number in numbers)
            numbers.add(number)
            own_numbers.append(each["id"])
        self.unexplained += _beyond_numbering(own_numbers)
        entries = [each["seq_id"] for each in tables["embeddings_queue"]]
        self.unexplained += _beyond_numbering([each for each in (*numbers, *entries) if isinstance(each, int)])
        self._add("values of no record", Lies.REMNANT, [_Held(None, each) for each in values.values()])
        self._texts(documents)
        return found

    @staticmethod
    def _odd_time(time: object, before: str = "") -> int:
        """Bytes of what is not a time, or one before the last."""
        return 0 if isinstance(time, str) and _TIME.fullmatch(time) and time >= before else len(str(time))

    def _texts(self, documents: Mapping[int, str]) -> None:
        """Compare the documents that are kept for their index, and the index, with those of records."""
        tables = self.database.tables
        content, sizes, settings = (tables[f"embedding_fulltext_search_{each}"] for each in ("content", "docsize", "config"))
        indexed = {each["id"]: str(each["c0"]) for each in content}
        lost = [text for number, text in indexed.items() if documents.get(number) != text]
        blocks, terms = (tables[f"embedding_fulltext_search_{each}"].where() for each in ("data", "idx"))
        index = full_text.read(blocks, terms, indexed)
        former = [_Held(None, {"document": text}) for text in (*lost, *index.former.values())]
        self._add("index of texts", Lies.REMNANT, former)
        self.unexplained += index.unexplained
        for each in sizes:
            if each["sz"] != full_text.size_of(indexed.get(each["id"], "")) or each["id"] not in indexed:
                self.unexplained += 8 + len(each["sz"] or b"")
        self.unexplained += sum(_size(each) for each in settings if (each["k"], each["v"]) != ("version", _VERSION))

    def _collection(
        self, collection: Mapping[str, Any], records: Mapping[str, _Held], segment: str, parts: Mapping[str, bytes]
    ) -> None:
        """Read one collection: records with their vectors, in the graph or in the log, and what is left of others."""
        tables, name = self.database.tables, str(collection["name"])
        last = max((each["seq_id"] for each in tables["max_seq_id"].where(segment_id=segment)), default=0)
        graph = self._graph(parts, name, cosine=self._is_cosine(collection["id"]))
        in_graph = {each.id: each for each in graph if each.id is not None}
        logged = sorted(tables["embeddings_queue"].where(topic=_TOPIC + collection["id"]), key=lambda each: int(each["seq_id"]))
        self.unexplained += sum(
            self._odd_time(each["created_at"], str(before["created_at"])) for before, each in pairwise(logged)
        )
        entries = [(int(each["seq_id"]), self._logged(each)) for each in logged]
        newest = {each.id: each for number, each in entries if each.vector is not None and number > last and each.id in records}
        live = []
        for own, record in records.items():
            source = newest.get(own) or in_graph.get(own)
            vector = None if source is None else source.vector
            live.append(_Held(own, record.fields, vector))
        self._add(name, Lies.LIVE, live)
        shown = {id(each) for each in newest.values() if each.fields == records[str(each.id)].fields}
        self._add(f"log of {name}", Lies.REMNANT, [each for _, each in entries if id(each) not in shown])
        outdated = [each for each in graph if each.id not in records or each.id in newest]
        self._add(f"graph of {name}", Lies.REMNANT, outdated)
        widths = {len(each.vector) for each in (*graph, *newest.values()) if each.vector is not None}
        self.unexplained += 4 * (collection["dimension"] not in widths and bool(widths))

    def _logged(self, entry: Mapping[str, Any]) -> _Held:
        """Read an entry of the log."""
        self.unexplained += self._odd_time(entry["created_at"]) + 8 * (entry["operation"] not in range(4))
        vector, encoding, text = entry["vector"], entry["encoding"], entry["metadata"]
        if (vector is None) != (encoding is None) or encoding not in {None, "FLOAT32"}:
            raise UnknownFormError
        if vector is not None and (not isinstance(vector, bytes) or not vector or len(vector) % 4):
            raise UnknownFormError
        given = _parsed(str(text)) if text is not None else {}
        if not isinstance(given, dict):
            raise UnknownFormError
        # What is not written as short as JSON may be has room between its marks.
        written = json.dumps(given, ensure_ascii=False, separators=(",", ":"))
        self.unexplained += max(0, len(str(text or "")) - max(2 * (text is not None), len(written)))
        fields = {"document" if key == _DOCUMENT else key: _text(value) for key, value in given.items()}
        return _Held(str(entry["id"]), fields, None if vector is None else np.frombuffer(vector, "<f4").astype(np.float32))

    def _is_cosine(self, collection: str) -> bool:
        (own,) = self.database.tables["collections"].where(id=collection)
        named = self.database.tables["collection_metadata"].where(collection_id=collection, key="hnsw:space")
        said = "".join(str(own.get(each) or "") for each in ("config_json_str", "schema_str"))
        return '"space":"cosine"' in said or any(each["str_value"] == "cosine" for each in named)

    def _graph(self, parts: Mapping[str, bytes], name: str, *, cosine: bool) -> list[_Held]:
        """Read the graph of a collection: unmarked rows, each with its id; adds the marked ones, and counts what is no row."""
        if not parts:
            return []
        if not set(_OF_GRAPH[:-1]) <= parts.keys():
            raise UnknownFormError
        head, data, lengths, links = (Fields(parts[each]) for each in _OF_GRAPH[:-1])
        if head.whole("i") != 1:
            raise UnknownFormError
        header = Header.read(head)
        spare = len(data.content) // header.row - header.count
        if not 0 <= spare <= header.capacity:
            raise UnknownFormError
        graph = Graph.read(header, data, links, spare=spare)
        self.uncounted += graph.uncounted
        self.settings += header.settings(_USUALLY_TRIED)
        sizes = lengths.array("<f4", header.count)
        self.unexplained += graph.unexplained + head.left + data.left + links.left
        vectors = graph.vectors
        if cosine:
            norms = np.linalg.norm(vectors.astype(np.float64), axis=1)
            self.unexplained += 4 * int(np.count_nonzero(~((np.abs(norms - 1) < _CLOSE) | (norms == 0)) | ~(sizes >= 0)))
            with np.errstate(over="ignore", invalid="ignore"):
                vectors = (vectors * sizes[:, None]).astype(np.float32)
            self.unexplained += filled(np.frombuffer(lengths.content, np.uint8, lengths.left, lengths.at))
        else:
            self.unexplained += filled(np.frombuffer(lengths.content, np.uint8))
        labels = graph.labels.tolist()
        ids = self._ids(parts.get(_OF_GRAPH[-1]), labels, header.dimensions)
        held = [_Held(ids.get(label), {}, vector) for label, vector in zip(labels, vectors, strict=True)]
        self._add(f"graph of {name}", Lies.MARKED, [each for each, gone in zip(held, graph.marked, strict=True) if gone])
        return [each for each, gone in zip(held, graph.marked, strict=True) if not gone]

    def _ids(self, content: bytes | None, labels: Sequence[int], dimensions: int) -> dict[int, str]:
        """Read the ids of a graph's rows by their labels."""
        if content is None:
            return {}
        given, left = pickled.read(content)
        if not isinstance(given, dict) or given.keys() != _OF_IDS:
            raise UnknownFormError
        by_id, by_label, numbers = given["id_to_label"], given["label_to_id"], given["id_to_seq_id"]
        if not all(isinstance(each, dict) for each in (by_id, by_label, numbers)) or {v: k for k, v in by_id.items()} != by_label:
            raise UnknownFormError
        known, total = set(labels), given["total_elements_added"]
        self.unexplained += left + 4 * (given["dimensionality"] not in {None, dimensions}) + 4 * (given["max_seq_id"] is not None)
        self.unexplained += 4 * (not isinstance(total, int) or not 0 <= total - max(labels, default=0) < _MOST_GONE)
        self.unexplained += sum(4 + len(str(each)) for each in numbers)
        lost = [_Held(str(each), {}) for label, each in by_label.items() if label not in known]
        self._add("ids of a graph", Lies.REMNANT, lost)
        return {int(label): str(each) for label, each in by_label.items()}

    def _settings(self, segments: Mapping[str, Mapping[str, Any]]) -> None:
        """Count what the small tables hold beyond numbers, names and settings."""
        tables = self.database.tables
        zero = str(uuid.UUID(int=0))
        known = {each["id"] for each in tables["collections"]}
        scopes = {_VECTORS: "VECTOR", _METADATA: "METADATA"}
        sound: Mapping[str, Callable[[Mapping[str, Any]], object]] = {
            "acquire_write": lambda row: row["id"] in range(_FEW) and row["lock_status"] in {0, 1},
            "tenants": lambda row: row["id"] == "default_tenant",
            "databases": lambda row: tuple(row.values()) == (zero, "default_database", "default_tenant"),
            "collections": lambda row: _UUID.fullmatch(row["id"]) and _NAME.fullmatch(row["name"]) and row["database_id"] == zero,
            "segments": lambda row: (
                row["collection"] in known and _UUID.fullmatch(row["id"]) and scopes.get(row["type"]) == row["scope"]
            ),
            "max_seq_id": lambda row: (
                row["segment_id"] in segments and isinstance(row["seq_id"], int) and 0 <= row["seq_id"] < _MOST
            ),
            "maintenance_log": lambda row: not self._odd_time(row["timestamp"]) and row["operation"] == "vacuum",
        }
        for name, fits in sound.items():
            self.unexplained += sum(_size(each) for each in tables[name] if not fits(each))
        self.unusual += sum(len(each["name"]) for each in tables["collections"])
        for name in ("collections", "embeddings_queue_config"):
            for each in tables[name]:
                self._words(each["config_json_str"])
                self._words(each.get("schema_str"))
        for name in ("collection_metadata", "segment_metadata"):
            for each in tables[name]:
                for column in ("key", "str_value", "int_value", "float_value", "bool_value"):
                    self._leaf(each[column])
        self.unexplained += self.unusual if self.unusual > _LET_PASS else 0

    def _words(self, text: object) -> None:
        """Count the words of settings that are not usual."""
        if text is None:
            return
        given = _parsed(str(text))
        self.unexplained += max(0, len(str(text)) - len(json.dumps(given, ensure_ascii=False, separators=(",", ":"))))
        pending = [given]
        while pending:
            each = pending.pop()
            if isinstance(each, dict):
                for key in each:
                    self._leaf(key)
                pending += each.values()
            elif isinstance(each, list):
                pending += each
            else:
                self._leaf(each)

    def _leaf(self, value: object) -> None:
        text = "" if value is None else _text(value)
        usual = text in _SETTINGS or text in self.names or isinstance(value, bool)
        number = isinstance(value, int | float) and len(text) <= _LONGEST
        self.unusual += 0 if usual or number else len(text)


def _parsed(text: str) -> Any:
    """Read JSON whose keys are there once.

    Raises:
        UnknownFormError: If it is not JSON.
    """
    try:
        return json.loads(text, object_pairs_hook=_each_once)
    except (ValueError, RecursionError) as error:
        raise UnknownFormError from error


def _each_once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    if len(dict(pairs)) < len(pairs):
        raise ValueError("a key that is there twice")
    return dict(pairs)


def _text(value: object) -> str:
    if isinstance(value, list):
        return "\n".join(map(_text, value))
    return value if isinstance(value, str) else json.dumps(value, default=str)


def _beyond_numbering(numbers: Sequence[int]) -> int:
    """Count the bytes of numbers that rows in turn would not come to."""
    most = _SPARSE * len(numbers) + _FEW
    return sum(8 for each in numbers if not 0 < each < most)


def _size(row: Mapping[str, Any]) -> int:
    """Bytes of a row, about."""
    return sum(len(each) if isinstance(each, bytes) else len(str(each)) for each in row.values() if each is not None)
