"""From DataFrames and a function to a case folder, which is then read as every case is read."""

from __future__ import annotations

import io
import os
import shutil
import tempfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq

from auditor import case as cases
from auditor.api.declared import merged, toml
from auditor.api.sources import PathLike, path_of
from auditor.base.domain import Problem
from auditor.base.errors import AuditorError, InputError, UsageError
from auditor.base.writing import unwritten
from auditor.case.scaffold import build_files
from auditor.case.scaffold.build_files import BuildFiles
from auditor.case.starting import fresh_seed
from auditor.settings.problems import show

_OWNER_ALONE: Final = 0o600
_MOST_LOG: Final = 256 * 1024 * 1024
_PLACE: Final = "from_dataframe"


@dataclass(frozen=True, slots=True, kw_only=True)
class Given:
    """What a case is made of; see `auditor.api.Case.from_dataframe`."""

    train: pd.DataFrame
    id: str
    label: str
    build: str | Callable[..., object]
    log: pd.DataFrame | PathLike
    name: str
    task: str
    holdout: pd.DataFrame | None
    store: pd.DataFrame | None
    person: str | None
    weight: str | None
    unlearn: str
    params: Mapping[str, Any]
    settings: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Folder:
    """A case folder that was written."""

    folder: Path
    copied: tuple[str, ...]
    temporary: bool
    """Whether it is to go when nobody holds the case any more."""


@dataclass(frozen=True, slots=True)
class _File:
    name: str
    content: bytes
    said: str


def write(given: Given, folder: Path | None) -> Folder:
    """Write a case and read it.

    Args:
        given: What it is made of.
        folder: A new or empty folder; None for a temporary one.

    Raises:
        InputError: If anything is wrong, with every problem; nothing stays behind.
        UsageError: If the folder is not empty or cannot be written.
        StorageError: If it cannot be written for another reason.
    """
    files, copied = _files(given)
    if folder is None:
        made = Path(tempfile.mkdtemp(prefix="auditor-case-"))
        _fill(made, files, clear=lambda: _clear(made, whole=True))
        return Folder(made, copied, temporary=True)
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise UsageError(f"folder: expected a new or empty folder, found {folder} with something in it")
    whole = not folder.exists()
    _fill(folder, files, clear=lambda: _clear(folder, whole=whole))
    return Folder(folder, copied, temporary=False)


def _files(given: Given) -> tuple[dict[str, bytes], tuple[str, ...]]:
    """Every file of the case by name, and what each was made from."""
    problems: list[Problem] = []
    tables = [
        _table(frame, argument, given.id, problems)
        for argument, frame in (("train", given.train), ("holdout", given.holdout), ("store", given.store))
        if frame is not None or argument == "train"
    ]
    data = [each for each in (*tables, _log(given.log, problems)) if each is not None]
    built = _built(given.build, problems)
    own = _tables(given, {each.name.rpartition(".")[0]: each.name for each in data}, built)
    document, contradicting = merged(own, given.settings)
    problems += contradicting
    try:
        text = toml(document)
    except InputError as error:
        problems += error.problems
    if problems or built is None:
        raise InputError(problems)
    files = {"audit.toml": text.encode(), **{each.name: each.content for each in data}, **built.files}
    seed = "a fresh seed of 128 bits" if "seed" in own["procedure"] else "the seed in settings"
    declared = f"audit.toml: what was declared here, and {seed}"
    return files, (declared, *(f"{each.name}: {each.said}" for each in data), *built.copied)


def _built(build: str | Callable[..., object], problems: list[Problem]) -> BuildFiles | None:
    try:
        return build_files.find(build)
    except InputError as error:
        problems += error.problems
        return None


def _tables(given: Given, names: Mapping[str, str], built: BuildFiles | None) -> dict[str, dict[str, Any]]:
    """The tables of audit.toml that the arguments say; None where a key is left out."""
    seeded = isinstance(given.settings.get("procedure"), Mapping) and "seed" in given.settings["procedure"]
    return {
        "case": {"name": given.name},
        "data": {
            "train": names.get("train"),
            "holdout": names.get("holdout"),
            "store": names.get("store"),
            "task": given.task,
            "id": given.id,
            "label": given.label,
            "person": given.person,
            "weight": given.weight,
        },
        "procedure": {
            "use": "estimator",
            "entry": None if built is None else built.entry,
            "unlearn": given.unlearn,
            "params": dict(given.params) or None,
            **({} if seeded else {"seed": str(fresh_seed())}),
        },
        "deletions": {"log": names.get("deletions")},
    }


def _table(frame: object, argument: str, id_column: str, problems: list[Problem]) -> _File | None:
    """A table of records as Parquet, ids as text."""
    if not isinstance(frame, pd.DataFrame):
        problems.append(Problem(_PLACE, argument, "a pandas DataFrame", type(frame).__name__))
        return None
    if frame.index.name == id_column and id_column not in frame.columns:
        frame = frame.reset_index()
    if id_column in frame.columns and frame.columns.is_unique and _whole(frame[id_column]):
        frame = frame.assign(**{id_column: frame[id_column].map(str)})
    content = _parquet(frame, argument, problems)
    return None if content is None else _File(f"{argument}.parquet", content, f"{argument}, {len(frame)} rows")


def _whole(column: pd.Series[Any]) -> bool:
    """Whether a column holds whole numbers and nothing else."""
    return pd.api.types.is_integer_dtype(column.dtype) and not column.isna().any()


def _parquet(frame: pd.DataFrame, argument: str, problems: list[Problem]) -> bytes | None:
    unnamed = [each for each in frame.columns if not isinstance(each, str)]
    if unnamed:
        found = f"{show(unnamed[0])} among them"
        problems.append(Problem(_PLACE, argument, "columns with names that are text, each once", found))
        return None
    if not frame.columns.is_unique:
        found = f"{show(frame.columns[frame.columns.duplicated()][0])} more than once"
        problems.append(Problem(_PLACE, argument, "columns with names that are text, each once", found))
        return None
    columns = {}
    for name in frame.columns:
        try:
            columns[name] = pa.Array.from_pandas(frame[name])
        except (pa.ArrowException, TypeError, ValueError, OverflowError) as error:
            said = str(error).splitlines()[0][:160] if str(error) else type(error).__name__
            problems.append(Problem(_PLACE, f"{argument}, column {show(name)}", "values of one kind that Parquet can hold", said))
    if len(columns) < len(frame.columns):
        return None
    file = io.BytesIO()
    pq.write_table(pa.table(columns), file)
    return file.getvalue()


def _log(log: pd.DataFrame | PathLike, problems: list[Problem]) -> _File | None:
    if isinstance(log, pd.DataFrame):
        frame = log.assign(record_ids=log["record_ids"].map(_ids)) if "record_ids" in log.columns else log
        content = _parquet(frame, "log", problems)
        return None if content is None else _File("deletions.parquet", content, f"log, {len(log)} rows")
    path = Path()
    try:
        path = path_of(log, "log", "a DataFrame or the path of a file")
        if not path.is_file() or path.stat().st_size > _MOST_LOG:
            problems.append(Problem(str(path), "log", f"a file of at most {_MOST_LOG} bytes", "none"))
            return None
        return _File(f"deletions{path.suffix.lower()}", path.read_bytes(), str(path))
    except UsageError as error:
        problems.append(Problem(_PLACE, "log", "a DataFrame or the path of a file", str(error).rpartition("found ")[2]))
    except OSError as error:
        problems.append(Problem(str(path), "log", "a file that can be read", (error.strerror or str(error)).lower()))
    return None


def _ids(cell: object) -> object:
    """Record ids as the log has them: whole numbers as text, one id as a list."""
    if isinstance(cell, np.ndarray | list | tuple):
        return [_id(each) for each in cell]
    return [_id(cell)] if isinstance(cell, int | np.integer) else cell


def _id(value: object) -> object:
    return str(value) if isinstance(value, int | np.integer) and not isinstance(value, bool) else value


def _fill(folder: Path, files: Mapping[str, bytes], *, clear: Callable[[], None]) -> None:
    """Write every file for its owner alone, and read the case; take everything away where either fails."""
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        for name, content in files.items():
            path = folder / name
            path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, _OWNER_ALONE)
            with os.fdopen(descriptor, "wb") as file:
                file.write(content)
        cases.read(folder)
    except OSError as error:
        clear()
        raise unwritten(error, folder) from error
    except AuditorError:
        clear()
        raise


def _clear(folder: Path, *, whole: bool) -> None:
    """Take away what was written, and the folder itself where it was made for it."""
    for each in folder.iterdir() if folder.is_dir() else ():
        if each.is_dir() and not each.is_symlink():
            shutil.rmtree(each, ignore_errors=True)
        else:
            each.unlink(missing_ok=True)
    if whole and folder.is_dir():
        folder.rmdir()
