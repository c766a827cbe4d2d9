"""The types that a Parquet file gives its columns, for itself and in pandas' notes, and what says which library wrote it.

Rows are the same whether whole numbers are int8 or int64, and whatever pandas is to call them: a choice for each column. A writer
has one type for all that are alike, or for each the smallest that its values fit in.
"""

from __future__ import annotations

import json
import re
from collections.abc import Hashable, Iterable, Iterator, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from auditor.parts.release.observing.parquet_styles import Habit, Styled
from auditor.parts.store.observing.spare_bits import of_setting, of_styles

if TYPE_CHECKING:
    import pyarrow as pa
    import pyarrow.parquet as pq

_OF_WAY: Final = 1
_OLD_TYPE, _TYPE, _MAY_BE_MISSING = 6, 10, 3
"""Fields of the schema: a column's type by an older field, by that of today, and whether values may be missing."""
_CHILDREN: Final = 5
_SMALLEST: Final = ("int8", "int16", "int32", "int64")
_DIGITS: Final = re.compile(r"\d+")
_BUILD: Final = re.compile(r" \(build (?P<build>[0-9a-f]*)\)")
_OF_DIGIT: Final = 4
"""Bits of a digit of a build."""


def bits_of_types(opened: pq.ParquetFile, table: pa.Table, footer: Mapping[int, Any]) -> int:
    """Bits of which columns have other types than most that hold such values, and are called otherwise by pandas.

    Args:
        opened: The file.
        table: Its rows.
        footer: What its footer says, by its fields.
    """
    types, smallest, fields = zip(*_types(table, footer), strict=True) if table.num_columns else ((), (), ())
    found = of_styles([types])
    return (min(found, _OF_WAY + of_styles([smallest])) if found else 0) + of_styles([fields, *_noted(opened)])


def _types(table: pa.Table, footer: Mapping[int, Any]) -> Iterator[tuple[Styled, Styled, Styled]]:
    """The type of each column, by itself and as whether it is the smallest for its values, and by which fields it is given."""
    leaves = [each for each in footer.get(2, ()) if _CHILDREN not in each]
    for number, field in enumerate(table.schema):
        kind, least = _kind(table.column(number))
        leaf = leaves[number] if len(leaves) == table.num_columns else {}
        # What fields say of text is counted by itself.
        said = () if kind == "text" else (leaf.get(_OLD_TYPE), str(leaf.get(_TYPE)))
        alike = field.nullable == (leaf.get(_MAY_BE_MISSING, field.nullable) != 0)
        own = Styled(kind, str(field.type), number, (0, 0))
        by_fields = Styled((kind, own.style), (alike, said), number, (0, 0))
        yield own, replace(own, style="smallest") if own.style == least else own, by_fields


def _kind(column: pa.ChunkedArray) -> tuple[str, str]:
    """What a column holds, and the smallest type of whole numbers for it; empty where it is of others."""
    import pyarrow as pa  # noqa: PLC0415  (slow to import, and needed for this format only)
    import pyarrow.compute as pc  # noqa: PLC0415

    kind = column.type.value_type if pa.types.is_dictionary(column.type) else column.type
    if pa.types.is_temporal(kind):
        return "time", ""
    if not (pa.types.is_integer(kind) or pa.types.is_floating(kind)):
        return ("other", "") if pa.types.is_boolean(kind) or pa.types.is_nested(kind) else ("text", "")
    if pa.types.is_dictionary(column.type) or column.null_count or not len(column):
        return "numbers", ""
    if pa.types.is_floating(kind):
        values = column.to_numpy()
        return ("whole" if bool(np.all(np.trunc(values) == values)) else "numbers"), ""
    ends = pc.min_max(column).as_py()
    fits = (each for each in _SMALLEST if np.iinfo(each).min <= ends["min"] and ends["max"] <= np.iinfo(each).max)
    return "whole", next(fits, "")


def _noted(opened: pq.ParquetFile) -> Iterator[list[Styled]]:
    """How pandas calls the type of each column, in both of its ways, whether it names the column, and what else it notes."""
    try:
        columns = json.loads((opened.metadata.metadata or {}).get(b"pandas", b"{}"))["columns"]
    except (ValueError, KeyError, TypeError, RecursionError):
        columns = None
    listed = [each for each in columns if isinstance(each, dict)] if isinstance(columns, list) else []
    by_name = {each.get("field_name", each.get("name")): each for each in listed}
    fields = [(each, by_name.get(each.name)) for each in opened.schema_arrow]
    for said in (_IS_NOTED, "pandas_type", "numpy_type", "name", "metadata"):
        yield [
            Styled((*_alike(field), _lists(own) and said not in {_IS_NOTED, "pandas_type"}), _style(said, own), number, (0, 0))
            for number, (field, own) in enumerate(fields)
            if own is not None or said == _IS_NOTED
        ]


def _alike(field: pa.Field) -> tuple[Hashable, ...]:
    return str(field.type), field.name.startswith("__index_level_")


def _lists(own: Mapping[str, Any] | None) -> bool:
    """Whether pandas calls a column one of categories, whose type and number are noted in another way."""
    return own is not None and own.get("pandas_type") == "categorical"


_IS_NOTED: Final = ""


def _style(said: str, own: Mapping[str, Any] | None) -> Hashable:
    if own is None or said == _IS_NOTED:
        return own is None
    return (*_keys(own.get(said)),) if said == "metadata" else own.get(said) is None if said == "name" else str(own.get(said))


def _keys(about: Any) -> Iterable[object]:
    """What is noted of a column, but for the number of its categories, which is counted by itself."""
    return (
        [(key, None if key == "num_categories" else str(each)) for key, each in about.items()] if isinstance(about, dict) else []
    )


def writer_of(opened: pq.ParquetFile, footer: Mapping[int, Any]) -> Habit:
    """What a file says of the libraries that wrote it, once for all columns.

    Args:
        opened: The file.
        footer: What its footer says, by its fields.
    """
    notes, name = opened.metadata.metadata or {}, opened.metadata.created_by or ""
    versions = [_DIGITS.findall(_BUILD.sub("", name))]
    try:
        plain = json.loads(notes.get(b"pandas", b"{}"))
        made, ours = plain.get("creator", {}), str(plain.get("pandas_version", ""))
        by = str(made.get("version", ""))
    except (ValueError, AttributeError, RecursionError):
        ours = by = ""
    versions += [_DIGITS.findall(ours), [] if by in name else _DIGITS.findall(by)]
    built = _BUILD.search(name)
    bits = sum(of_setting(int(each)) for parts in versions for each in parts) + _OF_DIGIT * len(built["build"] if built else "")
    return Habit("writer", (name, ours, by, *notes, footer.get(1)), bits)
