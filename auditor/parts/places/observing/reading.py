"""Answers in the limited process what one file of a place holds of deleted people, and how much of it nothing explains."""

from __future__ import annotations

import hashlib
import json
import re
import sqlite3
import struct
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import cache, partial
from pathlib import Path, PurePosixPath
from typing import Any, Final

from auditor.base.deletion_log.look_alikes import Likeness, look_alikes
from auditor.base.domain import Message
from auditor.base.limited import Reader, Room
from auditor.case.places import Listed
from auditor.parts.places.judging.unexplained import MOST, Form
from auditor.parts.places.observing import embedded_rows, plain_pictures, referring, row_order, text_accounts
from auditor.parts.places.observing.alone import Alone, words_in
from auditor.parts.places.observing.coded_names import coded_in
from auditor.parts.places.observing.embedded_rows import Learned, Met
from auditor.parts.places.observing.layouts import Layouts, Writers
from auditor.parts.places.observing.located import Spots, called, is_name, located, met_at, met_in, quoted_at, spots_of, there
from auditor.parts.places.observing.names_in_rows import names_in
from auditor.parts.places.observing.own_lines import own_lines
from auditor.parts.places.observing.own_values import Owners
from auditor.parts.places.observing.packed_files import members
from auditor.parts.places.observing.parted_tables import PartedTables
from auditor.parts.places.observing.row_order import Order
from auditor.parts.places.observing.rows_of_tables import tables_of
from auditor.parts.places.observing.sought import Sought
from auditor.parts.places.observing.text_accounts import Before, Left
from auditor.parts.places.observing.text_between_bytes import SHORTEST
from auditor.parts.places.observing.texts import Text, cells_of, texts
from auditor.parts.places.observing.whole_rows import WholeRows
from auditor.parts.release.observing import databases
from auditor.parts.store.judging.accounting import SPARE_EACH, Kept, Spare, SpareName
from auditor.parts.store.observing import vector_stores
from auditor.parts.store.observing.id_forms import shape
from auditor.parts.store.observing.limited_reading import (
    BROKEN,
    Answer,
    ChangedError,
    LastRead,
    account_rows,
    look,
    own_bytes,
    rows_of,
    told,
    written,
)
from auditor.parts.store.observing.people import People
from auditor.parts.store.observing.related_rows import plain
from auditor.parts.store.observing.row_indexes import UNNAMED
from auditor.parts.store.observing.search import Search
from auditor.parts.store.observing.spare_bits import joined
from auditor.parts.store.observing.store_keys import columns_in
from auditor.parts.store.observing.store_tables import Rows
from auditor.parts.store.readers import VECTOR_STORES, read_files
from auditor.parts.store.readers.contents import Contents, Lies, Unread

_SERVED_BY: Final = f"{__name__}:serve"
LOADED_FIRST: Final = ("numpy.ma", "pydantic.dataclasses")
"""What nearly every question makes a process load that has not: see `auditor.sandbox.fork_reading`."""
_ROOM: Final = Room(memory=2 << 30, memory_times=64, seconds=300, seconds_each_mebibyte=60)
CHANGED: Final = "changed"
"""The answer where a file is not the one that was listed."""
_HERE: Final = Message("data.erased.place.state")
"""Stands for the place that is asked about, which the process is not told."""
_IDS: Final = "id"
"""What the ids of a vector store's rows count as."""
_DIGESTS: Final = ("md5", "sha1", "sha256", "sha512", "blake2b")
_SHORTENED: Final = 12
"""Digits to which a digest may be cut."""
_HEX: Final = re.compile(rb"(?=([0-9a-f]{%d}))" % _SHORTENED)
_FEW: Final = 2
"""Ids of others, written as those of the log are, by which a search is seen to see."""
_LONGEST: Final = 40
"""Characters of a column's name that is named."""
_MOST_NAMED: Final = 5
"""Columns that are named."""
USUAL: Final = frozenset({
    "id", "ids", "uid", "recordid", "recordids", "personid", "customerid", "customer", "userid", "user", "clientid", "patientid",
    "memberid", "accountid", "subject", "subjectid", "docid", "documentid", "kundennummer", "kundenid", "kundennr",
})  # fmt: skip
"""What columns of ids are usually called, in letters and digits."""


def reader(sought: Sought) -> Reader:
    """A process that reads places."""
    return Reader(_SERVED_BY, sought, _ROOM)


def asked(do: str, files: Sequence[Listed], *, ids: str | None, level: str, among: int = 1) -> dict[str, Any]:
    """Put a question about files that belong together, of as many as there are in the place."""
    listed = [{"path": str(each.path), "sha256": each.input.sha256, "below": each.below} for each in files]
    return {"do": do, "files": listed, "ids": ids, "level": level, "among": among}


def serve(sought: Sought) -> Answer:
    """Give the function that answers; it runs in the limited process."""
    last = LastRead()
    owners = cache(partial(Owners.of, sought.people))
    # Words that are free in one place are not free again in the next.
    alone = cache(partial(Alone.of, sought.people, sought.terms))
    before = cache(lambda: replace(Before.any_place(owners(), alone()), quotes=sought.texts.is_quoted_in))
    tables_so_far = _TablesSoFar()
    whole = cache(partial(WholeRows.of, sought.people))
    taken: dict[Any, tuple[Contents | None, _Columns, list[Message]]] = {}

    def answer(question: Mapping[str, Any], given: bytes) -> Any:
        match question["do"]:
            case "names":
                return _in_names(sought, question["names"], question["numbers"], alone())
            case "code" | "attribute" as what:
                return _OF_CONTENT[what](sought, given)
            case "texts":
                return _of_texts(question, sought, owners(), before(), tables_so_far)
        try:
            files = {str(each["below"]): last.of(each["path"], each["sha256"]) for each in question["files"]}
        except ChangedError:
            return CHANGED
        path = Path(question["files"][0]["path"])
        content = next(iter(files.values()))
        # What is looked through is accounted for next: the last files are taken apart once.
        asked_about = tuple(each["sha256"] for each in question["files"]), tuple(files), question["ids"]
        if asked_about not in taken:
            taken.clear()
            together = read_files(files, VECTOR_STORES)
            store = next((each for each in together if isinstance(each, Contents) and len(together) == 1), None)
            every = _columns_of(store) if store else columns_in(path, content)
            # Why files that belong together could not be taken apart, where more is known than that they could not.
            whys = [each.why for each in together if isinstance(each, Unread) and each.why.parameters]
            taken[asked_about] = store, _Columns.of(sought, every, question["ids"]), whys
        store, columns, whys = taken[asked_about]
        people = _with_ids(sought, columns)
        by = None if store is None else embedded_rows.learned(store, people)
        if by is not None:
            people = replace(people, embedded=by.vectors)
        if store is None and len(files) == 1:
            store = embedded_rows.of_array(path.name, content, people)
        if question["do"] == "account":
            # Tables of a store that could not be taken apart are not people's: nobody could give their columns.
            # Keys of a document that holds other objects may be anything.
            document = store is None and path.suffix.lower() == ".json" and content.lstrip().startswith(b"{")
            apart = store is None and len(files) > 1
            unknown = [] if apart else columns.unknown(sought, question["ids"])
            kept = _accounted(files, path, store, people, tables_so_far)
            is_table = kept.pop("is_table")
            explained = {*_called_otherwise(store, people), *(name or UNNAMED for name in kept.pop("indexes"))}
            unknown = [each for each in unknown if each not in explained and (is_table or not document)]
            table = columns.tables.get(unknown[0], "") if unknown else ""
            named = {"columns": unknown, "table": table if is_name(table, sought) else ""}
            kept["index"] = next((each for each in kept["index"] if is_name(each, sought)), "")
            return kept | named
        rows = _in_rows(sought, question, files, store, columns, whole())
        answer = _looked(sought, question, files, store, columns, people, by, rows)
        answer["named"] = sorted({*answer["named"], *rows.met, *_in_free_words(files, before())} - set(answer["found"]))
        met = met_at(files, store, sought, answer["named"])
        answer["named_at"] = _nearer(met, {each: rows.met[each] for each in rows.met if each in met})
        answer["open"] += [written(each) for each in whys]
        return answer

    return answer


def _called_otherwise(store: Contents | None, people: People) -> frozenset[str]:
    """Columns of a store that the table has under another name."""
    return frozenset({vector_stores.DOCUMENT} if store is not None and vector_stores.calls_documents(store, people) else ())


def _with_ids(sought: Sought, columns: _Columns) -> People:
    return replace(sought.people, columns={**sought.people.columns, **dict.fromkeys(columns.names, "id")})


def _people(sought: Sought, files: Mapping[str, bytes], ids: str | None) -> People:
    """Who may be there, with the columns of ids of a file."""
    ((path, content),) = files.items()
    return _with_ids(sought, _Columns.of(sought, columns_in(Path(path), content), ids))


def _of_texts(
    question: Mapping[str, Any],
    sought: Sought,
    owners: Owners,
    before: Before,
    tables_so_far: _TablesSoFar,
) -> Any:
    """Account for the files of a place that are text, all together, and for those that are packed; see `text_accounts`."""
    reading = LastRead()
    try:
        held = {str(each["below"]): reading.of(each["path"], each["sha256"]) for each in question["files"]}
    except ChangedError:
        return CHANGED
    texts, tables = dict[str, bytes](), dict[str, dict[str, int]]()
    names, within = list(map(str, question["names"])), dict[str, str]()
    packing, rows_here, waiting = dict[str, int](), dict[str, dict[str, int]](), _Waiting()
    paths = {str(each["below"]): str(each["path"]) for each in question["files"]}
    own_rows = {name: dict[str, int]() for name in held}
    documents, taken = list[str](), list(members(held))
    inside_of = {path: content for _, inside, _ in taken for path, content in inside.items()}
    pictures, of_pictures = plain_pictures.account(inside_of, before.alone)
    for name, inside, more in taken:
        packing[name] = more
        for path, content in inside.items():
            within[path] = name
            names += [path] if path != name else []
            if path in pictures:
                tables[path], rows_here[path] = dict(_NOTHING), {}
                continue
            people = _people(sought, {path: content}, question["ids"])
            rows, people = _rows_and_people(Path(path), content, people)
            kept, orders = _with_order(rows, len(content), people, tables_so_far, file=(paths[name], path))
            waiting.add(orders)
            tables[path] = {key: getattr(kept, key) for key in _NOTHING} | {
                IN + each.name: each.bits for each in joined(kept.spare)
            }
            if kept.unexplained > kept.found_bytes or not content:
                texts[path] = content
                documents += [path] if rows is None and path.lower().endswith(".json") else []
            rows_here[path] = own_bytes(rows or ())
    lines = {path: own_lines(content, owners, sought.people, question["found"]) for path, content in texts.items()}
    found = text_accounts.account(texts, owners, names, before, {path: each.units for path, each in lines.items()})
    kept_of = {name: {**_NOTHING, "spare_bits": packing[name]} for name in held}
    for path, kept_here in tables.items():
        counted, own = kept_here, rows_here[path]
        if path in texts and found.unexplained[path] < kept_here["unexplained"] - sum(own.values()):
            own = lines[path].sizes
            rest = found.unexplained[path] + sum(own.values())
            counted = {**_NOTHING, "unexplained": rest, "spare_bits": lines[path].bits}
        own_rows[within[path]] = _summed(own_rows[within[path]], own)
        so_far = kept_of[within[path]]
        kept_of[within[path]] = _summed(so_far, counted)
    packed = [Left(name, 0, 0, "packed", bits) for name, bits in packing.items() if bits > SPARE_EACH]
    unread = {path: Left(path, 0, found.unexplained[path], "rows") for path in documents
              if found.unexplained[path] * 2 >= len(texts[path])}  # fmt: skip
    spots = [*unread.values(), *(each for each in found.left if each.file not in unread), *packed]
    left = [each._asdict() for each in spots[:MOST]]
    places = owners.places
    missing, there = (frozenset(places[at] for at in those) for those in (found.missing, found.there))
    waiting.add([Order(0, missing, there)])
    return {
        "kept": kept_of, "own": own_rows, "names": found.names, "bits": found.bits + of_pictures, "left": left,
        "recognised": found.people >= _FEW, **waiting.told(sought.people),
    }  # fmt: skip


def _rows_and_people(path: Path, content: bytes, people: People) -> tuple[list[Rows] | None, People]:
    """The tables of a file, or its rows of vectors, and who may be there, by vectors too where some map gives them."""
    store = vector_stores.contents(path.name, content)
    by = None if store is None else embedded_rows.learned(store, people)
    people = people if by is None else replace(people, embedded=by.vectors)
    store = embedded_rows.of_array(path.name, content, people) if store is None else store
    if store is None or people.embedded is None:
        return rows_of(path, content, people), people
    try:
        return vector_stores.rows(store, people), people
    except BROKEN:
        return None, people


@dataclass(slots=True)
class _Waiting:
    """Who of those that wait for their erasure seems to have been left out of a table or text, and who is in one."""

    missing: set[int] = field(default_factory=set)
    there: set[int] = field(default_factory=set)

    def add(self, orders: Iterable[Order]) -> None:
        for each in orders:
            self.missing |= each.missing
            self.there |= each.there

    def told(self, people: People) -> dict[str, list[str]]:
        """Name their records."""
        ids = people.train.ids
        return {"missing": ids[sorted(self.missing)].tolist(), "there": ids[sorted(self.there)].tolist()}


def _summed(one: Mapping[str, int], other: Mapping[str, int]) -> dict[str, int]:
    return {key: one.get(key, 0) + other.get(key, 0) for key in {*one, *other}}


IN: Final = "spare_bits of "
"""In front of the name of what has bits that are counted."""
_NOTHING: Final[Mapping[str, int]] = {"unexplained": 0, "strangers": 0, "changed": 0, "spare_bits": 0}


def _columns_of(store: Contents) -> Iterator[tuple[str, str, list[str]]]:
    """The ids of a vector store's rows, and what else it keeps of each, as columns."""
    for each in store.rows:
        yield f"{each.where}.{_IDS}", "", [own for own in each.ids or () if own is not None]
        for name in dict.fromkeys(name for row in each.fields or () for name in row):
            yield f"{each.where}.{name}", "", [row[name] for row in each.fields or () if name in row]


def _accounted(
    files: Mapping[str, bytes], path: Path, store: Contents | None, people: People, tables_so_far: _TablesSoFar
) -> dict[str, Any]:
    """How much of files that belong together is explained."""
    size = sum(map(len, files.values()))
    form = None if store is None else next((form for begins, form in _FORMS.items() if store.form.startswith(begins)), None)
    found: list[Rows] | None = None
    orders = list[Order]()
    if store is None and len(files) == 1:
        content = next(iter(files.values()))
        found = rows_of(path, content, people)
        kept, orders = _with_order(found, size, people, tables_so_far, file=(str(path), next(iter(files))))
        if former := sum(each.former for each in found or ()):
            form = "database" if path.suffix.lower() != _OF_PARQUET else "Parquet" if 2 * former >= kept.unexplained else None
    elif store is None:
        # Files of one form that could not be taken apart: what one of them holds by itself is no account of the others.
        kept = Kept(kind="store", place=_HERE, bytes=size, unexplained=size)
        form = "Chroma" if any(PurePosixPath(each).name == _OF_CHROMA for each in files) else None
    else:
        try:
            rows = vector_stores.rows(store, people)
            kept, orders = _with_order(rows, size, people, tables_so_far, file=(str(path), *files))
        except BROKEN:
            kept = Kept(kind="store", place=_HERE, bytes=size, unexplained=size)
    waiting = _Waiting()
    waiting.add(orders)
    indexes = [each.of_index for each in found or () if each.of_index]
    left_out = [name for each in found or () for name in each.indexes]
    known = {
        "form": form,
        "own": own_bytes(found or ()),
        "index": indexes,
        "indexes": left_out,
        "is_table": found is not None,
        **waiting.told(people),
    }
    return kept.model_dump(exclude={"kind", "place"}, mode="json") | known


@dataclass(frozen=True, slots=True)
class _TablesSoFar:
    """What tables of a scan had of what each one costs less for that others had it."""

    layouts: Layouts = field(default_factory=Layouts)
    parted: PartedTables = field(default_factory=PartedTables)
    writers: Writers = field(default_factory=Writers)


def _with_order(
    found: list[Rows] | None, size: int, people: People, tables_so_far: _TablesSoFar, *, file: Hashable
) -> tuple[Kept, list[Order]]:
    """Account for the tables of a file, the order of their rows and their columns as well; for nothing of one that has none."""
    if found is None:
        return Kept(kind="store", place=_HERE, bytes=size, unexplained=size), []
    orders = row_order.orders(found, people)
    kept = account_rows(found, size, people, _HERE)
    parts = zip((each.names for each in found if len(each.sizes)), orders, strict=False)
    # Whether a table has an index, and what that is called, is one more thing that each may choose.
    indexed = [(each.names, (*each.types, (_INDEX, ",".join(each.indexes)))) for each in found]
    written_in = [habit for each in found for habit in each.written]
    bits: dict[SpareName, int] = {
        "order of rows": tables_so_far.parted.add(file, parts),
        "choice of columns": tables_so_far.layouts.add(file, indexed, people),
        "release": tables_so_far.writers.add(file, written_in),
    }
    more = (Spare(name=name, bits=count) for name, count in bits.items() if count)
    return kept.model_copy(update={"spare": (*kept.spare, *more)}), orders


_INDEX: Final = ""
"""Stands for the index of a table, of which no column has the name."""
_OF_SQLITE: Final = "sqlite_"
"""In front of the names of SQLite's own tables."""
_OF_CHROMA: Final = "chroma.sqlite3"
_OF_PARQUET: Final = ".parquet"
_FORMS: Final[Mapping[str, Form]] = {
    "Chroma": "Chroma", "Lance": "Lance", "faiss": "index", "hnswlib": "index", "SQLite": "database",
}  # fmt: skip


@dataclass(slots=True)
class _Columns:
    """The columns of ids of one file."""

    names: tuple[str, ...] = ()
    cells: set[str] = field(default_factory=set)
    all: tuple[str, ...] = ()
    """Names of every column."""
    tables: dict[str, str] = field(default_factory=dict)
    """The first table that has each."""
    referred: set[str] = field(default_factory=set)
    """Deleted records to whose ids columns of numbers refer."""

    def unknown(self, sought: Sought, declared: str | None) -> list[str]:
        """Name columns that the table does not have, where the file's others show that these are names and nobody's data."""
        known = {*sought.people.columns, *sought.pointing.columns, sought.id_column, declared}
        if not sought.people.columns or known.isdisjoint(self.all):
            return []
        known.update(self.names)
        # As pandas calls an index that it wrote to CSV without a name.
        first = [UNNAMED] if self.all[0] == "" and "" not in known else []
        others = [each for each in self.all if each not in known and each.isidentifier() and len(each) <= _LONGEST]
        return [*first, *others][:_MOST_NAMED]

    @classmethod
    def of(cls, sought: Sought, columns: Iterable[tuple[str, str, list[str]]], declared: str | None) -> _Columns:
        """Know them by their name, or by values that are written as the log's ids are."""
        found = cls()
        chosen: dict[str, set[str]] = {}
        tables: dict[str, list[str]] = {}
        columns = list(columns)
        # No table of people has the columns of those in which a database keeps an index of texts.
        of_indexes = databases.of_text_indexes({name.rpartition(".")[0] for name, _, _ in columns})
        if declared not in {name.rpartition(".")[2] for name, _, _ in columns}:
            # A file without the declared column names its people by another one.
            declared = None
        for name, _, cells in columns:
            table, _, last = name.rpartition(".")
            if table not in of_indexes and not table.startswith(_OF_SQLITE):
                found.tables.setdefault(last, table)
            held = {each.strip() for each in cells} - {""}
            found.referred |= referring.met(sought.referring, name, held)
            if held and _names_people(sought, last, held, declared):
                tables.setdefault(table, []).append(last)
                chosen.setdefault(last, set()).update(held)
        # One column of ids a table: what another one holds is not explained by it.
        firsts = list(dict.fromkeys(_best(names, declared) for names in tables.values()))
        taken = [
            name for at, name in enumerate(firsts) if not any({name, *firsts[:at]} <= set(those) for those in tables.values())
        ]
        found.names = tuple(taken or firsts[:1])
        found.cells = set().union(*chosen.values())
        found.all = tuple(found.tables)
        return found


def _best(names: Sequence[str], declared: str | None) -> str:
    return declared if declared is not None and declared in names else names[0]


def _names_people(sought: Sought, name: str, held: set[str], declared: str | None) -> bool:
    if declared is not None or sought.id_column is not None:
        if name in {declared, sought.id_column}:
            return True
        if declared is not None:
            return False
    alike = [each for each in held if shape(each) in sought.shapes]
    if plain(name) in USUAL:
        return bool(alike)
    # A column of numbers may count anything.
    return len(alike) * 2 >= len(held) and not all(each.isdecimal() for each in alike)


@dataclass(frozen=True, slots=True)
class _InRows:
    """Who is found, or met, by a row of a table as a whole, and where."""

    found: Spots
    met: Spots


def _in_rows(
    sought: Sought,
    question: Mapping[str, Any],
    files: Mapping[str, bytes],
    store: Contents | None,
    columns: _Columns,
    whole: WholeRows | None,
) -> _InRows:
    tables = list(tables_of(files, store)) if whole is not None or sought.spelt.forms else []
    named = names_in(tables, sought.spelt, lambda text: met_in(text, sought))
    if whole is None:
        return _InRows({}, spots_of(named, sought))
    agreeing = whole.agreeing(tables, columns.names, sought.others, int(question["among"]) + len(tables) - 1)
    met = {record: [*named.get(record, ()), *agreeing.met.get(record, ())] for record in {*named, *agreeing.met}}
    return _InRows(spots_of(agreeing.found, sought), spots_of(met, sought))


def _nearer(spots: Spots, rows: Spots) -> Spots:
    """Name rows with their columns where no line or row is named, or no columns of as few."""
    near = there(spots)

    def is_nearer(record: str, spot: tuple[int, list[dict[str, Any]]]) -> bool:
        if record not in near:
            return bool(spot[1])
        count, those = spots[record]
        return count <= spot[0] and not any(each["columns"] for each in those)

    return {**spots, **{record: spot for record, spot in rows.items() if is_nearer(record, spot)}}


def _looked(
    sought: Sought,
    question: Mapping[str, Any],
    files: Mapping[str, bytes],
    store: Contents | None,
    columns: _Columns,
    people: People,
    by: Learned | None,
    rows: _InRows,
) -> dict[str, Any]:
    """What files that belong together hold: by ids in their columns, by what is in text and bytes, by look-alikes."""
    here = sought.gone & columns.cells
    content = b"\n".join(files.values())
    path = Path(question["files"][0]["path"])
    searches = [
        Search(wanted, _no_column(columns), controls=controls, people=people)
        for wanted, controls in ((sought.wanted, True), (sought.names, False))
    ]
    for each in searches:
        if store is not None and len(files) > 1:
            each.group(files, store, _HERE)
        else:
            asking = {"do": "file", "path": str(path), "name": question["files"][0]["below"], "named": []}
            look(each, asking, content)
    search, names = searches
    found = sought.records(search.found) | here | rows.found.keys()
    vectors = _by_vectors(sought, question, files, store, people, by)
    found |= sought.records(vectors.search.found if vectors.search else ()) | vectors.met.found
    by_number = sought.numbers.named_in(path, content)
    found |= set() if by_number is None else set(by_number.records)
    shortest = SHORTEST if sought.texts.deleted else sought.spelt.shortest
    texts_here = [each for name, held in files.items() for each in texts(Path(name), held, shortest=shortest)]
    spelt = sought.spelt.met_in_all(texts_here)
    found |= sought.records(spelt.found)
    same, alike = _alike(sought, columns.cells, found)
    others = {each for each in columns.cells - sought.gone if each in sought.others or shape(each) in sought.shapes}
    said = told(search)
    if vectors.met.doubtful - found:
        records = len(vectors.met.doubtful - found)
        said["open"].append(written(Message("places.embedding.coded", {"records": records})))
    if question["level"] == "answers" and not _is_of_answers(content):
        said["not_searched"].append(written(Message("places.erased.no-answers")))
    # Where nobody was found, nobody lies in rows that are there.
    live = _live(sought, files, content, store, columns, people) if found else None
    # A reader of a store says itself which rows are there; a database has those of its own log as well.
    stands = set[str]() if store is not None and live is not None else sought.records(spelt.there)
    in_rows = (found if live is None else (live | stands) & found) | same
    at = located(files, store, sought, found | same, in_rows, ids=columns.names, numbers=by_number) if found | same else {}
    at = _nearer(at, rows.found)
    short_left = sought.short & sought.gone if not columns.cells else frozenset()
    quoted = sought.texts.quotations_in(texts_here)
    if quoted.there and store is not None and not store.form.startswith(_WHOLE):
        # Cells of a store's own tables may be of rows that it deleted.
        quoted.there &= sought.texts.quotations_in(_in_live_rows(store)).there
    return {
        "found": sorted(found | same),
        "at": at,
        "in_rows": sorted(in_rows | there(at)),
        "named": sorted((sought.records(names.found | spelt.named) | sought.pieces.met_in(content) | columns.referred) - found),
        "alike": sorted(alike - found),
        "recognised": bool(search.recognised or found or len(others) >= _FEW or vectors.recognised),
        "short": len(short_left),
        "rows": max((each.records_searched or 0 for each in search.searched), default=0),
        "how": said["searched"][-1][2] if said["searched"] else None,
        "not_searched": said["not_searched"],
        "open": [*said["open"], *map(written, (*_not_examined(store, people), *_pointing(sought, columns)))],
        "uncounted": 0 if store is None else store.uncounted,
        "vectors": [each.model_dump(mode="json") for each in vectors.met.seen] if people.embedded is not None else [],
        "quoted": quoted.told(),
        "quoted_at": quoted_at(files, store, sought, quoted.of_deleted(sought.texts) - found),
    }


def _in_live_rows(store: Contents) -> Iterator[Text]:
    """What the fields of a store's rows say that are there."""
    for held in store.rows:
        if held.lies is Lies.LIVE:
            yield from (Text(cell, there=True) for row in held.fields or () for cell in row.values())


def _in_free_words(files: Mapping[str, bytes], before: Before) -> set[str]:
    """Whom names name that are free: of folders of a store, of tables, indexes and the like, and numbers of a database's own."""
    # Names of files that belong to no others are accounted for with the texts of the place.
    folders = {part for name in files for part in PurePosixPath(name).parts[:-1]} if len(files) > 1 else set[str]()
    free = [*folders, *(each for content in files.values() for each in _said_by_itself(content))]
    alone = before.alone
    found = set[str]().union(*map(alone.met_in, free), *map(alone.written_in, free))
    return found.union(*before.names_with(words_in("\0".join(free))).values())


def _said_by_itself(content: bytes) -> Iterator[str]:
    if content.startswith(_GZIP):
        # The time, which may be any number.
        yield from (str(each) for each in struct.unpack_from("<I", content.ljust(_OF_HEADER, b"\0"), len(_GZIP) + 1))
    if not content.startswith(databases.MAGIC):
        return
    # The size of the cache, the version and the mark that an application gives.
    yield from (str(each) for each in struct.unpack_from(">i8xi4xi", content.ljust(_OF_HEADER, b"\0"), 48))
    with suppress(*BROKEN, sqlite3.Error), databases.opened(content, errors="replace") as database:
        yield from (text for each in database.listed() for text in (each.name, each.sql or ""))
        # What Chroma calls its collections, and notes of them.
        for table in _COLLECTIONS.intersection(database.tables()):
            yield from (cell for row in database.rows(table)[1] for cell in row if isinstance(cell, str))


_GZIP: Final = b"\x1f\x8b\x08"
_OF_HEADER: Final = 100
_COLLECTIONS: Final = frozenset({"collections", "collection_metadata"})


def _not_examined(store: Contents | None, people: People) -> Iterator[Message]:
    """Vectors of which nobody says how they come of a record."""
    for held in () if store is None else store.rows:
        if held.vectors is not None and held.lies is not Lies.LEARNED and people.of_width(held.vectors.shape[1]) is None:
            yield Message("places.embedding.unknown", {"width": int(held.vectors.shape[1])})
            return


def _pointing(sought: Sought, columns: _Columns) -> Iterator[Message]:
    """Columns that a file has of the table, and that have deleted people's numbers; rows of it that are deleted people's."""
    names = [each for each in sought.pointing.columns if each in columns.all]
    if names:
        yield Message("places.erased.pointing", {"columns": names[:_MOST_NAMED], "records": len(sought.pointing.records)})
    if copied := sought.copied & columns.cells:
        yield Message("places.erased.copied", {"rows": len(copied)})


@dataclass(frozen=True, slots=True)
class _ByVectors:
    """What files hold of people's vectors."""

    search: Search | None
    met: Met

    @property
    def recognised(self) -> bool:
        """Whether vectors of people who stay were met."""
        return self.met.retained >= _FEW


def _by_vectors(
    sought: Sought,
    question: Mapping[str, Any],
    files: Mapping[str, bytes],
    store: Contents | None,
    people: People,
    by: Learned | None,
) -> _ByVectors:
    """Look for the vectors of deleted people: in any bytes, and in the arrays that readers give."""
    name = str(question["files"][0]["below"])
    arrays = [each for content in files.values() for each in embedded_rows.other_arrays(name, content)] if store is None else []
    if sought.vectors is None and by is None:
        return _ByVectors(None, embedded_rows.meet_coded(arrays, people))
    wanted = sought.vectors if by is None or sought.masked is None else embedded_rows.wanted(people, sought.masked)
    if wanted is None:
        return _ByVectors(None, Met())
    search = Search(wanted, controls=False)
    if store is not None and len(files) > 1:
        search.group(files, store, _HERE)
    else:
        asking = {"do": "file", "path": question["files"][0]["path"], "name": "", "named": []}
        look(search, asking, next(iter(files.values())))
    return _ByVectors(search, embedded_rows.meet(() if store is None else (store,), arrays, people, by))


def _in_code(sought: Sought, content: bytes) -> list[str]:
    """Whom a file of the function that embeds names: by id, name, number or value, or by a digest of one of these."""
    found = set[str]()
    for wanted in (sought.wanted, sought.names):
        search = Search(wanted, controls=False)
        search.code(content, _HERE)
        found |= sought.records(search.found)
    written_here = set(_HEX.findall(content.lower()))
    for record, told_of in sought.told.items():
        digests = (hashlib.new(kind, text, usedforsecurity=False) for text in told_of for kind in _DIGESTS)
        if any(each.hexdigest().encode()[:_SHORTENED] in written_here or each.digest() in content for each in digests):
            found.add(record)
    return sorted(found)


def _in_attribute(sought: Sought, content: bytes) -> dict[str, list[str]]:
    """Whom an extended attribute of a file or folder gives away, or names."""
    searches = [Search(wanted, _no_column(_Columns()), controls=False) for wanted in (sought.wanted, sought.names)]
    for each in searches:
        each.code(content, _HERE)
    search, names = searches
    spelt = sought.spelt.met_in(content.decode("utf-8", "replace"))
    found = sought.records(search.found | spelt.found)
    named = sought.records(names.found | spelt.named) | sought.pieces.met_in(content)
    return {"found": sorted(found), "named": sorted(named - found)}


_OF_CONTENT: Final[Mapping[str, Callable[[Sought, bytes], Any]]] = {"code": _in_code, "attribute": _in_attribute}
"""What is asked about content at hand."""


def _live(
    sought: Sought, files: Mapping[str, bytes], content: bytes, store: Contents | None, columns: _Columns, people: People
) -> set[str] | None:
    """Records in rows that are there, if they are found at all; None for all of them.

    Databases, their logs and vector stores keep deleted rows, and nothing else does.
    """
    if store is not None:
        if store.form.startswith(_WHOLE) and all(each.lies in {Lies.LIVE, Lies.LEARNED} for each in store.rows):
            return None
        rows = tuple(each for each in store.rows if each.lies is Lies.LIVE)
        search = Search(sought.wanted, _no_column(columns), controls=False, people=people)
        search.group({}, replace(store, rows=rows, loose=b""), _HERE)
        own = {each for held in rows for each in held.ids or () if each is not None}
        by_vector = embedded_rows.meet((replace(store, rows=rows),), (), people).found
        said = "\n".join(each for held in files.values() for each in _said_by_itself(held))
        called = sought.wanted.deleted.in_text(said, short_ids=False)
        return sought.records(search.found | (own & columns.cells) | called) | by_vector
    if content.startswith(databases.MAGIC) or next(iter(files)).endswith(_LOGS):
        # What tables, indexes and the like are called is no deleted row either.
        said = "\n".join([*_said_by_itself(content), cells_of(content)])
        called = sought.wanted.deleted.in_text(said, short_ids=False)
        return {*(sought.gone & columns.cells), *_in_text(sought, content), *sought.records(called)}
    return None


_LOGS: Final = ("-wal", "-journal")
_WHOLE: Final = ("faiss", "hnswlib")
"""Forms that keep nothing beyond their rows and what was learned from them."""


def _in_names(sought: Sought, names: Sequence[str], numbers: Sequence[int], alone: Alone) -> dict[str, Any]:
    """Whom names of files, and numbers of owners, name: exactly, by a number of theirs, or by what looks like their id."""
    found, named, alike = _called(sought, names, alone)
    named |= alone.counted_in(numbers) - found
    return {
        "found": sorted(found),
        "named": sorted(named),
        "alike": sorted(alike),
        "at": called(names, found, lambda some: _called(sought, some, alone)[0]),
        "named_at": called(names, named, lambda some: _called(sought, some, alone)[1]),
    }


def _called(sought: Sought, names: Sequence[str], alone: Alone) -> tuple[set[str], set[str], set[str]]:
    """Who is found in some names, who is met there, and whose id looks like one."""
    text = "\n".join(names)
    pieces = {piece for name in names for part in PurePosixPath(name).parts for piece in _beginnings(part)}
    by_number = sought.numbers.named_in(Path("names.txt"), text.encode("utf-8", "surrogateescape"))
    found = sought.records(sought.wanted.deleted.in_text(text, short_ids=False)) | (sought.gone & pieces - sought.short)
    found |= set() if by_number is None else set(by_number.records)
    found |= sought.records(coded_in(pieces, {*sought.gone, *sought.owners}))
    met = sought.spelt.met_in("\n\n".join(sorted(pieces)))
    found |= sought.records(met.found)
    same, alike = _alike(sought, pieces, found)
    named = sought.records(met.named) | sought.pieces.met_in(text.encode("utf-8", "surrogateescape"))
    # What a file and its folders are called is one name.
    named = named.union(*map(alone.called_in, names))
    return found | same, named - found - same, alike - found


def _beginnings(name: str) -> Iterator[str]:
    """A name, and what is left of it without each of its endings."""
    yield name
    while "." in name:
        name = name.rpartition(".")[0]
        yield name


def _no_column(columns: _Columns) -> str:
    """The column in which short words are ids: what is too short to be one elsewhere was masked before."""
    return columns.names[0] if columns.names else "id"


def _in_text(sought: Sought, content: bytes) -> set[str]:
    """Give the records that a file of plain text names: it has no row that is not there."""
    if b"\0" in content:
        return set()
    try:
        text = content.decode()
    except UnicodeDecodeError:
        return set()
    return sought.records(sought.wanted.deleted.in_text(text, short_ids=False))


def _alike(sought: Sought, cells: set[str], found: set[str]) -> tuple[set[str], set[str]]:
    """Deleted records whose id is there in another spelling, and those whose id may be."""
    known = cells - sought.others - sought.gone
    asked_of = [each for each in sought.gone if each not in found and each not in sought.told_apart]
    same, alike = set[str](), set[str]()
    for record, others in look_alikes(asked_of, known).items():
        likeness = {each for each, _ in others.values()}
        if Likeness.SAME in likeness and record not in sought.short:
            same.add(record)
        elif likeness - {Likeness.CHANCE}:
            alike.add(record)
    return same, alike


def _is_of_answers(content: bytes) -> bool:
    """Whether every line that is not blank is a JSON object."""
    try:
        return all(isinstance(json.loads(line), dict) for line in content.decode().splitlines() if line.strip())
    except (ValueError, RecursionError):
        return False
