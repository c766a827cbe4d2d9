"""What a store's files say of their own tables, for `data.erased`: words that any writer uses are accounted for, no others.

A definition of a table, or the notes that a library leaves in a file, can hold a comment or a payload of any length.
"""

from __future__ import annotations

import base64
import binascii
import json
import re
from collections.abc import Collection, Iterator, Mapping
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    import pyarrow.parquet as pq

_SQL_WORDS: Final = re.compile(r"[^\s(),\"'`\[\];]+")
_SIZE: Final = re.compile(
    r"\b(?:char|varchar|nvarchar|varbinary|decimal|numeric|float|int|integer)\s*\(\s*\d{1,4}(?:\s*,\s*\d{1,3})?\s*\)",
    re.IGNORECASE,
)
_SQL_ITSELF: Final = (
    "create table temp temporary if not exists primary key null unique autoincrement integer int bigint smallint "
    "tinyint mediumint unsigned real float double precision numeric decimal text varchar char nchar nvarchar clob "
    "blob varbinary boolean bool date datetime time timestamp json without rowid strict check default foreign "
    "references on delete update cascade restrict set no action constraint collate nocase binary rtrim and or in "
    "between is asc desc"
)
_SQL: Final = frozenset(_SQL_ITSELF.split())
_PANDAS_TABLE: Final = (
    "index_columns column_indexes columns name field_name pandas_type numpy_type metadata attributes creator "
    "library version pandas_version kind start stop step encoding ordered num_categories timezone "
    "partition_columns"
)
_PANDAS_KEYS: Final = frozenset(_PANDAS_TABLE.split())
_PANDAS_WORDS: Final = re.compile(
    r"range|object|unicode|bytes|str|string(\[\w{1,16}\])?|U?Int\d{1,2}|u?int\d{1,2}|float\d{1,2}|Float\d{1,2}|bool|boolean|mixed|empty|"
    r"categorical|category|decimal|date|time|datetime(tz)?|datetime64\[\w{1,2}(, \w{3,9})?\]|timedelta(64\[\w{1,2}\])?|UTF-8|UTC|"
    r"pyarrow|fastparquet|polars|pandas|__index_level_\d{1,2}__|\d{1,4}\.\d{1,3}(\.\d{1,3})?([.+a-z]\w{0,7})?"
)
_WRITER: Final = 64
"""Characters that the name of the library may have that wrote a file."""


def beyond_definition(sql: str, known: Collection[str]) -> int:
    """Count the characters of a table's definition that are neither SQL nor names of the table and its columns.

    Args:
        sql: As the database keeps it, comments included.
        known: The names.
    """
    rest = _SIZE.sub(" ", sql) if len(_SIZE.findall(sql)) <= len(known) else sql
    for name in sorted((each for each in known if not _SQL_WORDS.fullmatch(each)), key=len, reverse=True):
        rest = rest.replace(name, " ", 1)
    plain = {each.casefold() for each in known}
    words = [word.casefold() for word in _SQL_WORDS.findall(rest)]
    blank = max(0, sum(map(str.isspace, rest)) - 8 * (len(words) + 1))
    return blank + sum(len(word) for word in words if word not in _SQL and word not in plain)


def beyond_columns(opened: pq.ParquetFile) -> int:
    """Count the bytes that a Parquet file says of itself beyond its columns.

    Args:
        opened: The file.
    """
    names, notes = frozenset(opened.schema_arrow.names), opened.metadata.metadata or {}
    found = max(0, len(opened.metadata.created_by or "") - _WRITER) + _of_fields(opened.schema_arrow)
    for key, value in notes.items():
        if key == b"pandas":
            found += _of_pandas(value, names)
        elif key == b"ARROW:schema":
            found += _of_schema(value, opened.schema_arrow.names, notes)
        else:
            found += len(key) + len(value)
    return found


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
    return other + max(0, len(raw) - int(schema.serialize().size))


def _of_pandas(value: bytes, names: frozenset[str]) -> int:
    try:
        read = json.loads(value, object_pairs_hook=list)
    except ValueError:
        return len(value)
    # Numbers are those of rows and columns.
    unknown = sum(len(each) for each in _leaves(read) if each not in names and not _PANDAS_WORDS.fullmatch(each))
    return unknown + max(0, len(value) - len(json.dumps(json.loads(value))))


def _leaves(read: Any) -> Iterator[str]:
    """Every text and number of a document whose objects are lists of pairs; keys only where no writer of tables uses them."""
    match read:
        case tuple((str() as key, value)):
            if key not in _PANDAS_KEYS:
                yield key
            yield from _leaves(value)
        case list():
            for each in read:
                yield from _leaves(each)
        case str():
            yield read
        case bool() | None:
            return
        case _ if len(str(read)) > 10:
            yield str(read)
        case _:
            return
