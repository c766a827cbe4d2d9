"""Columnar files: Parquet, Lance and DuckDB."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import timedelta
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from corpus import People, library, store

_OPEN = "not examined is acceptable"


def _table(people: People, positions: Iterable[int], *, vectors: bool = False) -> Any:
    positions = list(positions)
    told = people.of(positions)
    columns: dict[str, Any] = {"id": [p.id for p in told], "number": [p.number for p in told], "email": [p.email for p in told]}
    columns["note"] = [p.text for p in told]
    if vectors:
        columns["vector"] = pa.FixedSizeListArray.from_arrays(
            pa.array(people.vectors[positions].ravel()), people.vectors.shape[1]
        )
    return pa.table(columns)


def _write(table: Any, path: Path, **options: Any) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    pq.write_table(table, path, **options)


def _everybody(people: People) -> range:
    return range(len(people.everybody))


@store("pyarrow", "the file rewritten without them", honest=True, table="texts.csv")
def parquet_rewritten(place: Path, people: People) -> None:
    """One file, compressed with snappy."""
    _write(_table(people, _everybody(people)), place / "people.parquet")
    _write(_table(people, people.kept), place / "people.parquet")


@store("pyarrow", "a new part written; the old part stayed in the folder", honest=False)
def parquet_old_part(place: Path, people: People) -> None:
    """A folder of parts, zstd."""
    _write(_table(people, _everybody(people)), place / "part-0.parquet", compression="zstd")
    _write(_table(people, people.kept), place / "part-1.parquet", compression="zstd")


@store("pyarrow", "row groups read one by one, and written again without their rows", honest=True, table="texts.csv")
def parquet_row_groups(place: Path, people: People) -> None:
    """One file of eight row groups, gzip, without dictionaries."""
    _write(_table(people, people.kept), place / "people.parquet", row_group_size=50, compression="gzip", use_dictionary=False)


@store("pyarrow", "one of two partitions rewritten", honest=False)
def parquet_partition(place: Path, people: People) -> None:
    """Partitions by half-year; only the later one was rewritten."""
    half = len(people.everybody) // 2
    _write(_table(people, range(half)), place / "half=1" / "part.parquet")
    _write(_table(people, [i for i in people.kept if i >= half]), place / "half=2" / "part.parquet")


@store("pyarrow", "rows filtered; the column of ids is a dictionary whose values stayed", honest=False)
def parquet_dictionary(place: Path, people: People) -> None:
    """Arrow dictionaries keep values that no row has, and so does the file."""
    table = _table(people, _everybody(people))
    table = table.set_column(0, "id", table["id"].dictionary_encode())
    kept = table.take(pa.array(people.kept))
    _write(kept, place / "people.parquet", compression="none")


@store("pandas+pyarrow", "rows filtered; a categorical column keeps its categories", honest=False)
def parquet_categories(place: Path, people: People) -> None:
    """pandas writes categories that no row has."""
    frame = _table(people, _everybody(people)).to_pandas()
    frame["email"] = frame["email"].astype("category")
    frame[~frame["id"].isin([person.id for person in people.deleted])].to_parquet(place / "people.parquet")


@store("pandas+pyarrow", "rows filtered and categories removed, then to_parquet", honest=True, table="texts.csv")
def parquet_categories_removed(place: Path, people: People) -> None:
    """pandas with a categorical column, remove_unused_categories, and a fresh index."""
    frame = _table(people, _everybody(people)).to_pandas()
    frame["email"] = frame["email"].astype("category")
    frame = frame[~frame["id"].isin([person.id for person in people.deleted])].reset_index(drop=True)
    frame["email"] = frame["email"].cat.remove_unused_categories()
    frame.to_parquet(place / "people.parquet")


@store("pyarrow", "rewritten; the schema's metadata lists example ids from before", honest=False)
def parquet_metadata(place: Path, people: People) -> None:
    """A file whose key-value metadata was carried over."""
    table = _table(people, people.kept)
    _write(table.replace_schema_metadata({"examples": ",".join(p.id for p in people.everybody)}), place / "people.parquet")


@store("pyarrow", "the file rewritten without them", honest=True, expect=_OPEN, table="vectors.npz")
def parquet_vectors_unseen(place: Path, people: People) -> None:
    """Embeddings in a column of lists of float32, and notes that the given table lacks."""
    parquet_vectors_rewritten(place, people)


@store("pyarrow", "their rows' ids replaced by those of others who stay", honest=False, table="all.csv")
def parquet_vectors_renamed(place: Path, people: People) -> None:
    """Embeddings in a column of lists of float32; the erased people's rows stay, under ids and notes of remaining people."""
    table = _table(people, people.kept, vectors=True)
    again = _table(people, people.kept[: len(people.gone)], vectors=False)
    own = _table(people, people.gone, vectors=True)
    _write(pa.concat_tables([table, again.append_column("vector", own["vector"])]), place / "vectors.parquet")


@store("pyarrow", "the file rewritten without them", honest=True, table="all.csv")
def parquet_vectors_rewritten(place: Path, people: People) -> None:
    """Embeddings in a column of lists of float32."""
    _write(_table(people, people.kept, vectors=True), place / "vectors.parquet")


@store("pyarrow", "ids removed; the vectors of everybody stayed as half floats", honest=False, table="vectors.npz")
def parquet_vectors_half(place: Path, people: People) -> None:
    """Embeddings rounded to float16, one column a dimension, no ids."""
    columns = {f"d{i}": pa.array(people.vectors[:, i].astype(np.float16)) for i in range(people.vectors.shape[1])}
    _write(pa.table(columns), place / "vectors.parquet")


@store("pyarrow", "both partitions rewritten", honest=True, table="texts.csv")
def parquet_partitions_rewritten(place: Path, people: People) -> None:
    """Partitions by half-year, zstd."""
    half = len(people.everybody) // 2
    _write(_table(people, [i for i in people.kept if i < half]), place / "half=1" / "part.parquet", compression="zstd")
    _write(_table(people, [i for i in people.kept if i >= half]), place / "half=2" / "part.parquet", compression="zstd")


@store("pandas+pyarrow", "rows filtered, then to_parquet", honest=True, table="texts.csv", size=1500)
def parquet_frame_rewritten(place: Path, people: People) -> None:
    """pandas with its index of row numbers kept."""
    frame = _table(people, _everybody(people)).to_pandas()
    frame[~frame["id"].isin([person.id for person in people.deleted])].to_parquet(place / "people.parquet")


@store("pyarrow", "the file rewritten without them", honest=True, table="all.csv", width=384, size=300)
def parquet_wide_rewritten(place: Path, people: People) -> None:
    """Ids and wide embeddings in a list column, data page version 2, zstd."""
    _write(_table(people, people.kept, vectors=True), place / "v.parquet", compression="zstd", data_page_version="2.0")


def _lance(place: Path, people: People, positions: Iterable[int]) -> Any:
    lancedb = library("lancedb")

    return lancedb.connect(str(place)).create_table("people", _table(people, positions, vectors=True))


def _where(people: People) -> str:
    return "id IN (" + ", ".join(f"'{person.id}'" for person in people.deleted) + ")"


@store("lancedb", "table.delete(…)", honest=False, table="vectors.csv")
def lance_deleted(place: Path, people: People) -> None:
    """A table with vectors and texts; deleted rows are marked in a deletion file."""
    _lance(place, people, _everybody(people)).delete(_where(people))


@store("lancedb", "table.delete(…), then optimize() with its default of seven days", honest=False)
def lance_compacted(place: Path, people: People) -> None:
    """A table with vectors and texts; the old version's files stay."""
    table = _lance(place, people, _everybody(people))
    table.delete(_where(people))
    table.optimize()


@store(
    "lancedb",
    "table.delete(…), then optimize(cleanup_older_than=timedelta(0), delete_unverified=True)",
    honest=False,
    expect=_OPEN,
)
def lance_optimized(place: Path, people: People) -> None:
    """A table, compacted, its old versions removed; a file of transactions keeps the ids that delete was called with."""
    table = _lance(place, people, _everybody(people))
    table.delete(_where(people))
    table.optimize(cleanup_older_than=timedelta(0), delete_unverified=True)


@store("lancedb", "a new database of the remaining people", honest=True, expect=_OPEN, table="vectors.csv")
def lance_rebuilt(place: Path, people: People) -> None:
    """A table with vectors and texts."""
    _lance(place, people, people.kept)


@store("lancedb", "create_table(mode='overwrite') with the remaining people", honest=False)
def lance_overwritten(place: Path, people: People) -> None:
    """A table with vectors and texts; overwriting adds a version."""
    lancedb = library("lancedb")

    _lance(place, people, _everybody(people))
    lancedb.connect(str(place)).create_table("people", _table(people, people.kept, vectors=True), mode="overwrite")


@store(
    "lancedb",
    "create_table(mode='overwrite') with the remaining people, then old versions removed",
    honest=True,
    table="texts.csv",
    expect=_OPEN,
)
def lance_overwritten_cleaned(place: Path, people: People) -> None:
    """A table with vectors and texts."""
    lancedb = library("lancedb")

    _lance(place, people, _everybody(people))
    table = lancedb.connect(str(place)).create_table("people", _table(people, people.kept, vectors=True), mode="overwrite")
    table.optimize(cleanup_older_than=timedelta(0), delete_unverified=True)


@store("lancedb", "a new table of the remaining people", honest=True, table="texts.csv")
def lance_texts_rebuilt(place: Path, people: People) -> None:
    """A table with texts alone."""
    lancedb = library("lancedb")

    lancedb.connect(str(place)).create_table("people", _table(people, people.kept))


def _embeddings(people: People, positions: Iterable[int]) -> Any:
    return _table(people, positions, vectors=True).select(["id", "vector"])


@store("lancedb", "a new table of the remaining people", honest=True, table="vectors.csv")
def lance_vectors_rebuilt(place: Path, people: People) -> None:
    """A table with ids and vectors."""
    lancedb = library("lancedb")

    lancedb.connect(str(place)).create_table("people", _embeddings(people, people.kept))


@store(
    "lancedb", "old versions removed after create_table(mode='overwrite')", honest=True, table="vectors.npz", width=384, size=300
)
def lance_wide_overwritten(place: Path, people: People) -> None:
    """A table with ids and wide vectors."""
    lancedb = library("lancedb")

    database = lancedb.connect(str(place))
    database.create_table("people", _embeddings(people, _everybody(people)))
    table = database.create_table("people", _embeddings(people, people.kept), mode="overwrite")
    table.optimize(cleanup_older_than=timedelta(0), delete_unverified=True)


def _in_two_parts(place: Path, people: People) -> Any:
    lancedb = library("lancedb")

    half = len(people.everybody) // 2
    table = lancedb.connect(str(place)).create_table("people", _table(people, range(half)))
    table.add(_table(people, range(half, len(people.everybody))))
    return table


@store(
    "lancedb",
    "table.delete(…) of two fragments, then optimize(cleanup_older_than=timedelta(0), delete_unverified=True)",
    honest=True,
    table="texts.csv",
    expect=_OPEN,
)
def lance_merged_and_cleaned(place: Path, people: People) -> None:
    """Compaction leaves deleted rows out; its transaction still tells of the fragments that clean-up removed."""
    table = _in_two_parts(place, people)
    table.delete(_where(people))
    table.optimize(cleanup_older_than=timedelta(0), delete_unverified=True)


@store("lancedb", "table.delete(…) of two fragments, then optimize() with its default of seven days", honest=False)
def lance_merged(place: Path, people: People) -> None:
    """Compaction leaves deleted rows out; former versions keep them."""
    table = _in_two_parts(place, people)
    table.delete(_where(people))
    table.optimize()


@store("lancedb", "table.update(…) blanks e-mail and note, and compaction with clean-up follows", honest=False, table="texts.csv")
def lance_updated(place: Path, people: People) -> None:
    """Rows of deleted people keep their ids."""
    table = _in_two_parts(place, people)
    table.update(where=_where(people), values={"email": "", "note": ""})
    table.optimize(cleanup_older_than=timedelta(0), delete_unverified=True)


@store("lancedb", "table.delete(…) under a vector index, compaction and clean-up", honest=True, table="vectors.csv", expect=_OPEN)
def lance_indexed(place: Path, people: People) -> None:
    """The index is made anew of the remaining vectors."""
    lancedb = library("lancedb")

    table = lancedb.connect(str(place)).create_table("people", _embeddings(people, people.kept))
    config = library("lancedb.index").IvfPq(num_partitions=4, num_sub_vectors=8)
    table.create_index("vector", config=config)
    table.optimize(cleanup_older_than=timedelta(0), delete_unverified=True)


def _duck(path: Path, people: People, positions: Iterable[int]) -> Any:
    duckdb = library("duckdb")

    database = duckdb.connect(str(path))
    rows = _table(people, positions).to_pydict()
    database.execute("CREATE TABLE people (id VARCHAR, number BIGINT, email VARCHAR, note VARCHAR)")
    database.executemany("INSERT INTO people VALUES (?, ?, ?, ?)", list(zip(*rows.values(), strict=True)))
    database.execute("CHECKPOINT")
    return database


@store("duckdb", "DELETE, without a checkpoint", honest=False, expect=_OPEN)
def duckdb_deleted(place: Path, people: People) -> None:
    """A database with its write-ahead log."""
    with _duck(place / "crm.duckdb", people, _everybody(people)) as database:
        database.execute("SET checkpoint_threshold = '1 GB'")
        database.execute("PRAGMA disable_checkpoint_on_shutdown")
        database.execute(f"DELETE FROM people WHERE {_where(people)}")


@store("duckdb", "DELETE, then CHECKPOINT", honest=False, expect=_OPEN)
def duckdb_checkpointed(place: Path, people: People) -> None:
    """A database whose freed blocks are not cleared."""
    with _duck(place / "crm.duckdb", people, _everybody(people)) as database:
        database.execute(f"DELETE FROM people WHERE {_where(people)}")
        database.execute("CHECKPOINT")


@store(
    "duckdb",
    "COPY FROM DATABASE to a new file, which replaced the old one",
    honest=True,
    table="texts.csv",
    expect=_OPEN,
    apart=True,
)
def duckdb_copied(place: Path, people: People) -> None:
    """A database of the remaining people."""
    _duck(place / "crm.duckdb", people, people.kept).close()


@store("duckdb", "DELETE, then COPY of the table to Parquet, in the place of its database", honest=True, table="texts.csv")
def duckdb_exported(place: Path, people: People) -> None:
    """A Parquet file of the remaining people, without a Bloom filter, as the step for DuckDB says."""
    with _duck(place / "crm.duckdb", people, _everybody(people)) as database:
        database.execute(f"DELETE FROM people WHERE {_where(people)}")
        database.execute(f"COPY people TO '{place / 'people.parquet'}' (WRITE_BLOOM_FILTER false)")
    (place / "crm.duckdb").unlink()
