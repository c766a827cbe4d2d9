"""What a store's files say of their own tables, for `data.erased`: words that any writer uses are accounted for, no others.

A definition of a table, or the notes that a library leaves in a file, can hold a comment or a payload of any length.
"""

from __future__ import annotations

import base64
import binascii
import json
import re
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final
from zoneinfo import available_timezones

import numpy as np

from auditor.parts.store.observing import spare_bits

if TYPE_CHECKING:
    import pyarrow.parquet as pq

    from auditor.parts.release.observing.databases import Listed

_SQL_WORDS: Final = re.compile(r"[^\s(),\"'`\[\];.=<>!|&+*/%]+")
_SIZE: Final = re.compile(
    r"\b(?:char|varchar|nvarchar|varbinary|decimal|numeric|float|int|integer)\s*\(\s*\d{1,4}(?:\s*,\s*\d{1,3})?\s*\)",
    re.IGNORECASE,
)
_SQL_ITSELF: Final = (
    "create table temp temporary if not exists primary key null unique autoincrement integer int bigint smallint "
    "tinyint mediumint unsigned real float double precision numeric decimal text varchar char nchar nvarchar clob "
    "blob varbinary boolean bool date datetime time timestamp json without rowid strict check default foreign "
    "references on delete update cascade restrict set no action constraint collate nocase binary rtrim and or in "
    "between is asc desc generated always as stored virtual deferrable initially deferred immediate conflict ignore "
    "replace abort fail rollback match full partial"
)
_SQL: Final = frozenset(_SQL_ITSELF.split())
_SQL_OF_OTHERS: Final = (
    "index view trigger before after instead of insert into values select distinct from where group by having order "
    "limit offset join left inner outer cross using union all except intersect case when then else end begin new old "
    "for each row rowid count sum min max avg total length lower upper trim abs round coalesce ifnull nullif like glob "
    "exists cast collate with recursive"
)
_SQL_ON_TABLES: Final = _SQL | frozenset(_SQL_OF_OTHERS.split())
"""What indexes, views and triggers are written in."""
_NAMED: Final = 64
"""Characters of the name of a table."""
_USUAL_IN_NAMES: Final = "idx ix i index uq uk unique pk fk key by on of and v vw view trg tr trigger ai ad au bi bd bu"
_OF_NAMES: Final = frozenset(_USUAL_IN_NAMES.split())
"""What names of indexes, views and triggers are made of, alongside those of tables and columns."""
_LET_PASS: Final = 32
"""Characters of other words in all such names of a database."""
_PARTS_OF_NAME: Final = re.compile(r"[^\W\d_]+|\d+")
_DIGITS: Final = 2
"""Digits that a number in a definition may have."""
_WORDS_EACH: Final = 24
"""Words of a definition for each column: more would say something by their order."""
_WORDS_MORE: Final = 64
"""The same of indexes, views and triggers of a database, on top of some for each of its columns."""
_WORDS_MORE_EACH: Final = 6
_NAMES: Final = 64
"""Characters that all tables of a database may be named with."""
_AUTOMATIC: Final = re.compile(r"sqlite_autoindex_(.*)_\d{1,3}", re.DOTALL)
_STATISTICS: Final = re.compile(r"\d{1,10}( \d{1,10})*( unordered| noskipscan| sz=\d{1,5})*")
_MOST_DIGITS: Final = 12
_PANDAS_TABLE: Final = (
    "index_columns column_indexes columns name field_name pandas_type numpy_type metadata attributes creator "
    "library version pandas_version kind start stop step encoding ordered num_categories timezone "
    "partition_columns"
)
_PANDAS_KEYS: Final = frozenset(_PANDAS_TABLE.split())
_VERSION: Final = re.compile(r"(\d{1,2}|20\d\d)\.\d{1,2}(\.\d{1,2})?((a|b|rc|\.post|\.dev)\d)?", re.ASCII)
_TYPE: Final = re.compile(
    r"object|unicode|bytes|str|string(\[(python|pyarrow|pyarrow_numpy)\])?|U?Int(8|16|32|64)|u?int(8|16|32|64)|[fF]loat(16|32|64)|"
    r"bool|boolean|mixed(-integer)?|empty|categorical|category|decimal|date|time|datetime(tz)?|"
    r"datetime64\[(s|ms|us|ns)(, (?P<zone>[\w/+:-]{1,32}))?\]|timedelta(64\[(s|ms|us|ns)\])?|list\[\w{1,8}\]",
    re.ASCII,
)
_PANDAS_WORDS: Final[Mapping[str, re.Pattern[str]]] = {
    "kind": re.compile("range"),
    "library": re.compile("pyarrow|fastparquet|polars|pandas"),
    "version": _VERSION,
    "pandas_version": _VERSION,
    "pandas_type": _TYPE,
    "numpy_type": _TYPE,
    "encoding": re.compile("UTF-8"),
}
"""What pandas notes under each key, apart from names of columns, zones and numbers."""
_PANDAS_NAMES: Final = frozenset({"name", "field_name", "index_columns", "partition_columns"})
_PANDAS_EMPTY: Final = frozenset({"attributes", "index_columns", "partition_columns", "column_indexes", "columns"})
"""Keys under which nothing may be listed."""
_TYPES: Final[Mapping[str, str]] = {
    "bool": r"bool|boolean",
    "integer": r"u?int\d{1,2}|U?Int\d{1,2}",
    "floating": r"[fF]loat\d{1,2}",
    "string": r"unicode|str|string.*",
    "binary": r"bytes",
    "dictionary": r"categorical|category|u?int\d{1,2}",
    "temporal": r"date.*|time.*",
}
"""How pandas calls a column of a kind of type, where it does not call it an object."""
_LEVELS: Final = 2
"""Levels of names of columns that a table of pandas is accounted for with."""
_UNNAMED: Final = re.compile(r"__index_level_\d{1,2}__")
_WRITER: Final = re.compile(
    r"(?:parquet-cpp|parquet-cpp-arrow|parquet-cpp-velox|parquet-mr|parquet-rs|parquet-go|fastparquet-python|DuckDB|Polars|impala)"
    r"(?: version v?(?:\d{1,2}|20\d\d)\.\d{1,2}\.\d{1,2})?(?: \(build [0-9a-f]{0,10}\))?",
    re.ASCII,
)
"""How the library names itself that wrote a file."""
_NOTED_EACH: Final = 6
_NOTED_MORE: Final = 24
"""Values that pandas notes for each column, and of the whole: more would say something by their order."""
_BEFORE: Final = 64
_FEW: Final = 1024
"""How often the number of rows the first one's number may be that pandas notes of rows of a larger table, and how much more."""
_OFFSET: Final = re.compile(r"UTC|GMT|[+-]\d\d:\d\d", re.ASCII)


def beyond_definition(sql: str, known: Collection[str], columns: int) -> int:
    """Count the characters of a table's definition that are neither SQL nor names of tables and their columns.

    Args:
        sql: As the database keeps it, comments included.
        known: The names.
        columns: How many columns the table has.
    """
    beyond, words = _read(sql, known, _SQL)
    return beyond + max(0, words - _WORDS_EACH * (columns + 1)) + _by_choice_of_words(sql)


def _by_choice_of_words(sql: str) -> int:
    """Characters of words that a definition has more often than any writer: types of many words, what is said of a column twice.

    SQLite takes any words as a type, and the same condition again, so that which words there are could say something.
    """
    found, types, others = 0, list[str](), list[str]()
    for part in _parts(sql):
        words = _SQL_WORDS.findall(part)
        end = next((at for at, word in enumerate(words) if at and word.casefold() in _CONDITIONS), len(words))
        kind = [word for word in words[1:end] if word.casefold() in _SQL and words[0].casefold() not in _CONDITIONS]
        types += kind
        others += [word for word in words[end:] if word.casefold() in _SQL]
        found += sum(map(len, kind)) if len(kind) > _WORDS_OF_TYPE else 0
        counts = Counter(word.casefold() for word in words[end:])
        found += sum(len(word) * max(0, counts[word] - most) for word, most in _CONDITIONS.items())
    return found + sum(max(0, _unlike(words) - most) for words, most in ((types, 0), (others, _ODD_WORDS)))


def declared_types(sql: str) -> list[tuple[str, str]]:
    """Each column of a table's definition with what is said of its type; other conditions have no type.

    SQLite takes any type for any column, a table without rows above all.
    """
    found = []
    for part in _parts(sql):
        words = _SQL_WORDS.findall(part)
        if words and words[0].casefold() not in _CONDITIONS:
            end = next((at for at, word in enumerate(words) if at and word.casefold() in _CONDITIONS), len(words))
            found.append((words[0], " ".join(words[1:end]).casefold()))
    return found


def _parts(sql: str) -> Iterator[str]:
    """What a definition has between its commas: a column each, or a condition."""
    depth = begin = 0
    for at, mark in enumerate(sql):
        if mark in "()":
            depth += 1 if mark == "(" else -1
            if depth == 1 and mark == "(" and not begin:
                begin = at + 1
        if begin and ((mark == "," and depth == 1) or (mark == ")" and depth == 0)):
            yield sql[begin:at]
            begin = at + 1


def _unlike(words: Sequence[str]) -> int:
    """Characters of words that are written in capitals, without, or with the first of them, otherwise than most are."""
    styles = [word.isupper() * 2 + word.islower() for word in words]
    usual = Counter(styles).most_common(1)
    return sum(len(word) for word, style in zip(words, styles, strict=True) if style != usual[0][0])


_CONDITIONS: Final = {
    "primary": 1, "not": 2, "null": 3, "unique": 1, "default": 1, "collate": 1, "generated": 1, "as": 1, "check": 2,
    "references": 1, "constraint": 3, "foreign": 1, "on": 3,
}  # fmt: skip
"""Words that end the type of a column, and how often each is there at most."""
_WORDS_OF_TYPE: Final = 2
_ODD_WORDS: Final = 32
"""Characters of words in other capitals than most."""


def beyond_definitions(
    listed: Sequence[Listed],
    columns: Mapping[str, tuple[Collection[str], Collection[str]]],
    *,
    following: Collection[str] = (),
) -> int:
    """Count the characters of all definitions of a database that are neither SQL nor names of its tables and columns.

    Args:
        listed: What it consists of.
        columns: The columns of each table: those that its rows hold, and those that are calculated.
        following: Tables of a full-text index, which SQLite calls after it: nobody chose their names.
    """
    everything = {*columns, *(name for each in columns.values() for part in each for name in part)}
    parts = {part.casefold() for name in everything for part in _PARTS_OF_NAME.findall(name)} | _OF_NAMES | _SQL_ON_TABLES
    found = words = named = 0
    for each in listed:
        of_its_own = each.kind == "view" and each.table == each.name
        found += 0 if each.table in columns or of_its_own else len(each.table)
        if each.kind == "table":
            found += beyond_definition(each.sql or "", everything, sum(map(len, columns[each.name])))
            found += len(each.name) if len(each.name) > _NAMED else 0
        elif each.kind == "index" and each.sql is None:
            automatic = _AUTOMATIC.fullmatch(each.name)
            found += 0 if automatic and automatic[1] == each.table else len(each.name)
        elif each.kind in {"index", "view", "trigger"}:
            beyond, count = _read(each.sql or "", everything | {each.name}, _SQL_ON_TABLES)
            found, words = found + beyond, words + count
            named += sum(len(part) for part in _PARTS_OF_NAME.findall(each.name) if not _is_known(part, parts))
            named += len(each.name) - sum(map(len, _PARTS_OF_NAME.findall(each.name))) - each.name.count("_")
        else:
            found += len(each.kind) + len(each.name) + len(each.sql or "")
    chosen = [each.name for each in listed if each.kind == "table" and each.name not in following]
    names = sum(len(each) for each in chosen if not each.startswith("sqlite_"))
    found += (names if names > _NAMES else 0) + (named if named > _LET_PASS else 0)
    return found + max(0, words - _WORDS_MORE - _WORDS_MORE_EACH * len(everything))


def _is_known(part: str, known: Collection[str]) -> bool:
    return part.casefold() in known or (part.isdigit() and len(part) <= _DIGITS)


def _is_usual(word: str, known: Collection[str]) -> bool:
    """Whether a word is written as words are: SQL does not tell upper from lower case, so each letter could say something."""
    return word in known or word in {word.lower(), word.upper(), word.capitalize()}


def _read(sql: str, known: Collection[str], language: Collection[str]) -> tuple[int, int]:
    """Characters of a definition that are neither of a language nor known names, and how many words of both it has."""
    sizes = len(_SIZE.findall(sql))
    rest = _SIZE.sub(" ", sql) if sizes <= len(known) else sql
    odd = 0
    for name in sorted((each for each in known if not _SQL_WORDS.fullmatch(each)), key=len, reverse=True):
        odd += rest.count(name) if name else 0
        rest = rest.replace(name, " ") if name else rest
    plain = {each.casefold() for each in known}
    words = [word.casefold() if _is_usual(word, known) else f"{word}\0" for word in _SQL_WORDS.findall(rest)]
    blank = max(0, sum(map(str.isspace, rest)) - 8 * (len(words) + odd + 1))
    marks = max(0, len(rest) - sum(map(len, words)) - sum(map(str.isspace, rest)) - 8 * (len(words) + odd + 1))
    unknown = [word for word in words if word not in language and not _is_known(word, plain)]
    return blank + marks + sum(map(len, unknown)), len(words) - len(unknown) + odd


def counters(table: str, rows: Sequence[Sequence[str | None]], listed: Sequence[Listed]) -> int | None:
    """Count the characters of a table of SQLite's own that are not what it notes there; None of any other table.

    It notes the largest number that a row of a table had (`sqlite_sequence`), and how many rows a key has on average
    (`sqlite_stat1`).

    Args:
        table: Its name.
        rows: Its cells.
        listed: What the database consists of.
    """
    names = {each.name for each in listed}
    tables = {each.name for each in listed if each.kind == "table"}
    seen: set[tuple[str | None, ...]] = set()
    found = 0
    for row in rows if table in {"sqlite_sequence", "sqlite_stat1"} else ():
        own, last = tuple(row[:-1]), row[-1] or ""
        if table == "sqlite_sequence":
            sound = len(row) == 2 and last.isdecimal() and len(last) <= _MOST_DIGITS
        else:
            numbers = [int(each) for each in last.split() if each.isdecimal()]
            sound = len(row) == 3 and bool(_STATISTICS.fullmatch(last)) and numbers == sorted(numbers, reverse=True)
            sound = sound and (own[1] is None or own[1] in names)
        if not sound or own[0] not in tables or own in seen:
            found += sum(len(cell or "") for cell in row)
        seen.add(own)
    return found if table in {"sqlite_sequence", "sqlite_stat1"} else None


def beyond_columns(opened: pq.ParquetFile, known: Collection[str] = ()) -> int:
    """Count the bytes that a Parquet file says of itself beyond its columns.

    Args:
        opened: The file.
        known: Names of columns that others of its folder have, as where it is parted by their values.
    """
    names, notes = frozenset(opened.schema_arrow.names), opened.metadata.metadata or {}
    writer = opened.metadata.created_by or ""
    found = 0 if not writer or _WRITER.fullmatch(writer) else len(writer.encode())
    found += _of_fields(opened.schema_arrow) + sum(map(len, _zones(opened.schema_arrow)))
    for key, value in notes.items():
        if key == b"pandas":
            found += _of_pandas(value, opened.schema_arrow, names | frozenset(known), opened.metadata.num_rows)
        elif key == b"ARROW:schema":
            found += _of_schema(value, opened.schema_arrow.names, notes)
        else:
            found += len(key) + len(value)
    return found


def _noted(opened: pq.ParquetFile, key: str) -> list[Any]:
    """What pandas lists under a key of its notes."""
    try:
        listed = json.loads((opened.metadata.metadata or {}).get(b"pandas", b"{}"))[key]
    except (ValueError, KeyError, TypeError, RecursionError):
        return []
    return listed if isinstance(listed, list) else []


def numbers_noted(opened: pq.ParquetFile, columns: Mapping[str, Collection[object]]) -> int:
    """Bits of what pandas notes in numbers: where those of rows begin and how they go on, and of categories that no row has.

    Args:
        opened: The file.
        columns: The cells of its columns.
    """
    found = 0
    for each in _noted(opened, "index_columns")[:1]:
        begin, step = (each.get("start"), each.get("step")) if isinstance(each, dict) else (0, 1)
        if isinstance(begin, int) and isinstance(step, int) and (begin, step) not in {(0, 1), (1, 1)}:
            least = min(begin, begin + step * (opened.metadata.num_rows - 1))
            found += spare_bits.of_setting(least) + spare_bits.of_setting(abs(step) - 1) + (step < 0)
    for each in _noted(opened, "columns"):
        about = each.get("metadata") if isinstance(each, dict) else None
        count = about.get("num_categories") if isinstance(about, dict) else None
        if isinstance(count, int):
            held = set(columns.get(str(each.get("field_name", each.get("name"))), ())) - {None}
            found += spare_bits.of_counters([count - len(held)] if count != len(held) else [])
    return found


def unnamed_indexes(opened: pq.ParquetFile) -> tuple[str, ...]:
    """Name the columns that pandas made of an index without a name, as its notes say, and that are there."""
    named = [each for each in _noted(opened, "index_columns") if isinstance(each, str)]
    return tuple(each for each in dict.fromkeys(named) if _UNNAMED.fullmatch(each) and each in opened.schema_arrow.names)


def _of_fields(schema: Any) -> int:
    """Bytes of what is noted of single columns, but for their numbers."""
    notes = [item for field in schema for item in (field.metadata or {}).items()]
    return sum(len(key) + len(value) for key, value in notes if not (key == b"PARQUET:field_id" and len(value) <= 5))


def _of_schema(value: bytes, names: list[str], known: Mapping[bytes, bytes]) -> int:
    """Bytes of a schema that is kept a second time, beyond names, types and notes that the file has anyway."""
    import pyarrow as pa  # noqa: PLC0415  (slow to import, and needed for this format only)

    try:
        raw = base64.b64decode(value, validate=True)
        schema = pa.ipc.read_schema(pa.py_buffer(raw))
    except (binascii.Error, pa.ArrowException, OSError):
        return len(value)
    if schema.names != names:
        return len(value)
    other = sum(len(key) + len(each) for key, each in (schema.metadata or {}).items() if known.get(key) != each)
    again = schema.serialize().to_pybytes()
    return other + max(0, len(raw) - len(again)) + (_in_gaps(raw, schema) if raw != again else 0)


def _in_gaps(raw: bytes, schema: Any) -> int:
    """Bytes of a schema that no reader needs, as between its parts, but for the sizes of these."""
    import pyarrow as pa  # noqa: PLC0415  (slow to import, and needed for this format only)

    if len(raw) > _LONGEST_SCHEMA:
        return len(raw)
    found = 0
    for at in np.flatnonzero(np.frombuffer(raw, np.uint8)).tolist():
        # A table of offsets says how many bytes it has, and how many the part has that it is of.
        of_offsets, of_part = (int.from_bytes(raw[begin : begin + 2], "little") for begin in (at - 2, at))
        if of_part <= _LARGEST_PART and 0 < of_offsets <= _LARGEST_PART and of_offsets % 2 == 0:
            continue
        try:
            found += pa.ipc.read_schema(pa.py_buffer(raw[:at] + b"\0" + raw[at + 1 :])).equals(schema, check_metadata=True)
        except (pa.ArrowException, OSError):
            continue
    return found


_LONGEST_SCHEMA: Final = 1 << 16
_LARGEST_PART: Final = 32


def _zones(schema: Any) -> Iterator[str]:
    """What columns name as the zone of their times and nobody knows as one."""
    import pyarrow as pa  # noqa: PLC0415  (slow to import, and needed for this format only)

    kinds = [field.type for field in schema]
    while kinds:
        kind = kinds.pop()
        kinds += [kind.field(at).type for at in range(kind.num_fields)]
        zone = kind.tz if pa.types.is_timestamp(kind) else None
        if zone is not None and not _is_zone(zone):
            yield zone


def _of_pandas(value: bytes, schema: Any, known: frozenset[str], rows: int) -> int:
    """Bytes of what pandas notes of a table that are neither names of columns nor follow from their types.

    Args:
        value: The notes, as JSON.
        schema: The columns of the file.
        known: Names of all columns of the folder.
        rows: How many rows the file has.
    """
    try:
        plain = json.loads(value, object_pairs_hook=_each_once)
    except (ValueError, RecursionError):
        return len(value)
    columns = plain.get("columns", []) if isinstance(plain, dict) else None
    if not isinstance(columns, list) or value.decode("utf-8", "replace") not in _spelled(plain):
        return len(value)
    leaves, own = [*_leaves(plain, "")], _numbers_of_rows(plain, rows)
    levels = plain.get("column_indexes", [])
    unknown = sum(len(leaf or "") + 1 for key, leaf in leaves if not _is_noted(key, leaf, own, known))
    more = max(0, len(leaves) - _NOTED_EACH * len(schema.names) - _NOTED_MORE)
    more += 8 * max(0, len(levels) - _LEVELS) if isinstance(levels, list) else len(value)
    more += _listed_otherwise(plain, leaves, schema.names)
    return unknown + more + sum(map(len, _misplaced(columns, schema)))


def _listed_otherwise(plain: Mapping[str, Any], leaves: Sequence[tuple[str, str | None]], names: Sequence[str]) -> int:
    """Bytes of names that are listed more than once, in another order than the file has them, or where no writer lists any."""
    found = 0
    for key in ("index_columns", "partition_columns"):
        given = plain.get(key)
        listed = [each for each in given if isinstance(each, str)] if isinstance(given, list) else []
        places = [names.index(each) for each in listed if each in names]
        all_of_them = [leaf for name, leaf in leaves if name == key and leaf not in {None, "[]"}]
        if listed != all_of_them or len(set(listed)) < len(listed) or places != sorted(places):
            found += sum(len(leaf or "") + 1 for leaf in all_of_them)
    return found


def _spelled(plain: Any) -> Iterator[str]:
    """How writers write a document."""
    for between in ((", ", ": "), (",", ":")):
        for only_ascii in (True, False):
            yield json.dumps(plain, ensure_ascii=only_ascii, separators=between)


def _is_noted(key: str, leaf: str | None, own: frozenset[str], known: frozenset[str]) -> bool:
    """Whether pandas notes a value under a key."""
    if leaf is None:
        return key in {"name", "field_name", "metadata", "timezone"}
    if key in _PANDAS_NAMES and (leaf in known or _UNNAMED.fullmatch(leaf)):
        return True
    if key in {"start", "stop", "step", "num_categories"}:
        return leaf in own
    if key == "timezone":
        return _is_zone(leaf)
    words = _PANDAS_WORDS.get(key)
    found = None if words is None else words.fullmatch(leaf)
    zone = found.groupdict().get("zone") if found else None
    return found is not None and (zone is None or _is_zone(zone))


def _is_zone(zone: str) -> bool:
    return bool(_OFFSET.fullmatch(zone)) or zone in available_timezones()


def _misplaced(columns: list[Any], schema: Any) -> Iterator[str]:
    """Notes of columns in another order than these, of keys in another order than in the first of them, or of another type."""
    order = list(columns[0]) if columns and isinstance(columns[0], dict) else []
    last = -1
    for each in columns:
        if not isinstance(each, dict):
            yield json.dumps(each)
            continue
        name = next((each[key] for key in ("field_name", "name") if isinstance(each.get(key), str)), "")
        if [*each] != order or each.get("name", name) not in {name, None}:
            yield json.dumps(each)
        elif name in schema.names:
            at = schema.names.index(name)
            if at <= last:
                yield name
            last = at
            kind = _kind(schema.field(at).type)
            listed = each.get("pandas_type") == "categorical"
            fits = rf"object|empty|mixed|{_TYPES['dictionary'] if listed else _TYPES.get(kind, '.*')}"
            for noted in (each.get("pandas_type"), each.get("numpy_type")):
                if noted is not None and not re.fullmatch(fits, str(noted)):
                    yield str(noted)


def _kind(of: Any) -> str:
    """A kind of `_TYPES`; empty for any other."""
    import pyarrow as pa  # noqa: PLC0415  (slow to import, and needed for this format only)

    tests = {
        "bool": pa.types.is_boolean, "integer": pa.types.is_integer, "floating": pa.types.is_floating,
        "dictionary": pa.types.is_dictionary, "temporal": pa.types.is_temporal, "binary": pa.types.is_binary,
    }  # fmt: skip
    text = pa.types.is_string(of) or pa.types.is_large_string(of)
    return "string" if text else next((name for name, test in tests.items() if test(of)), "")


def _each_once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        raise ValueError("a key that is there twice")
    return found


def _numbers_of_rows(noted: Any, rows: int) -> frozenset[str]:
    """What pandas notes in numbers: where those of rows begin, end, and how far they are apart; how many categories there are."""
    found: set[int] = set()
    try:
        # One alone: of several, each could name other numbers.
        (index,) = noted["index_columns"]
        begin, end, step = index["start"], index["stop"], index["step"]
        numbers, largest = range(begin, end, step), _BEFORE * rows + _FEW
        if len(numbers) == rows and 0 <= min(begin, begin + step * (rows - 1)) < largest and 1 <= abs(step) < _FEW:
            found |= {begin, end, step}
    except (KeyError, TypeError, ValueError):
        pass
    columns = noted.get("columns") if isinstance(noted, dict) else None
    for each in columns if isinstance(columns, list) else ():
        about = each.get("metadata") if isinstance(each, dict) else None
        count = about.get("num_categories") if isinstance(about, dict) else None
        found |= {count} if isinstance(count, int) and 0 <= count < rows + _FEW else set()
    return frozenset(map(str, found))


def _leaves(read: Any, key: str) -> Iterator[tuple[str, str | None]]:
    """Every value of a document with its key, None for nothing; keys only where no writer of tables uses them."""
    match read:
        case dict() | list() if not read:
            yield from [] if key in _PANDAS_EMPTY else [(key, "[]")]
        case dict():
            yield from (("", each) for each in read if each not in _PANDAS_KEYS)
            yield from (leaf for name, each in read.items() for leaf in _leaves(each, name))
        case list():
            yield from (leaf for each in read for leaf in ([(key, "[]")] if each in ([], {}) else _leaves(each, key)))
        case bool():
            yield from [] if key == "ordered" else [(key, str(read))]
        case None:
            yield key, None
        case _:
            yield key, str(read)
