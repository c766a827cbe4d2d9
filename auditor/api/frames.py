"""From DataFrames and a function to a case folder, which is then read as every case is read."""

from __future__ import annotations

import io
import json
import math
import re
import shutil
import tempfile
import tomllib
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from datetime import date, datetime, time
from pathlib import Path
from typing import Any, Final

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq

from auditor import case as cases
from auditor.api.results.purging.copies import remember
from auditor.api.sources import PathLike, path_of
from auditor.base import process_marks
from auditor.base.domain import Problem
from auditor.base.errors import AuditorError, InputError, UsageError
from auditor.base.writing import make_folder, unwritten, write_new
from auditor.case.scaffold import build_files, fresh_seed
from auditor.case.scaffold.build_files import BuildFiles
from auditor.settings.values import show

_BARE: Final = re.compile(r"[A-Za-z0-9_-]+")
_SETTINGS: Final = "settings"


def merged(own: Mapping[str, Mapping[str, Any]], settings: Mapping[str, Any]) -> tuple[dict[str, Any], list[Problem]]:
    """Join what follows from the arguments with further tables.

    Args:
        own: Tables that the arguments make; None stands for a key that is left out.
        settings: Further tables and keys.

    Returns:
        The document, and what contradicts an argument or is no table.
    """
    problems: list[Problem] = []
    document: dict[str, Any] = {}
    for name, table in own.items():
        document[name] = {key: value for key, value in table.items() if value is not None}
    for name, table in settings.items():
        if name not in own:
            document[name] = table
        elif not isinstance(table, Mapping):
            problems.append(Problem(_SETTINGS, str(name), "a table of keys", show(table)))
        else:
            problems += [
                Problem(_SETTINGS, f"{name}.{key}", "no such key: an argument of from_dataframe is for it", show(value))
                for key, value in table.items()
                if key in own[name]
            ]
            document[name] = {**table, **document[name]}
    return document, problems


def toml(document: Mapping[str, Any]) -> str:
    """Write a document as TOML.

    Raises:
        InputError: If it holds something that TOML has no word for; with every such place.
    """
    writer = _Writer()
    single, tables = [], []
    for name, value in document.items():
        if isinstance(value, Mapping):
            tables.append((name, value))
        else:
            single.append(f"{writer.key(name, name)} = {writer.value(value, name)}")
    parts = ["\n".join(single)] if single else []
    for name, table in tables:
        lines = [f"{writer.key(key, name)} = {writer.value(value, f'{name}.{key}')}" for key, value in table.items()]
        parts.append("\n".join([f"[{writer.key(name, name)}]", *lines]))
    if writer.problems:
        raise InputError(writer.problems)
    text = "\n\n".join(parts) + "\n"
    # The reader's own parser has the last word: what it would read otherwise is never written.
    with suppress(tomllib.TOMLDecodeError):
        if tomllib.loads(text) == writer.plain(document):
            return text
    raise AuditorError("audit.toml: the settings cannot be written so that they read the same")


class _Writer:
    def __init__(self) -> None:
        self.problems: list[Problem] = []

    def key(self, name: object, place: str) -> str:
        if not isinstance(name, str) or not _encodable(name):
            self.problems.append(Problem(_SETTINGS, place, "names that are text", show(name)))
            return '""'
        return name if _BARE.fullmatch(name) else _quoted(name)

    def value(self, value: object, place: str) -> str:
        value = _scalar(value)
        if isinstance(value, list | tuple):
            return f"[{', '.join(self.value(each, f'{place}.{at}') for at, each in enumerate(value))}]"
        if isinstance(value, Mapping):
            inside = (f"{self.key(key, place)} = {self.value(each, f'{place}.{key}')}" for key, each in value.items())
            return f"{{{', '.join(inside)}}}"
        written = _written(value)
        if written is None:
            self.problems.append(Problem(_SETTINGS, place, "text, numbers, true, false, dates, lists or tables", show(value)))
        return written or '""'

    def plain(self, value: object) -> object:
        """The value as the parser gives it."""
        value = _scalar(value)
        if isinstance(value, Mapping):
            return {key: self.plain(each) for key, each in value.items()}
        return [self.plain(each) for each in value] if isinstance(value, list | tuple) else value


def _scalar(value: object) -> object:
    """The Python number in a number of NumPy's."""
    item = getattr(value, "item", None)
    return item() if callable(item) and getattr(value, "shape", None) == () else value


def _written(value: object) -> str | None:
    """A value that holds no others; None where TOML has no word for it."""
    match value:
        case bool():
            return str(value).lower()
        case str() if _encodable(value):
            return _quoted(value)
        case int():
            return str(value)
        case float() if math.isfinite(value):
            return repr(value)
        case datetime() | date() | time():
            return value.isoformat()
        case _:
            return None


def _encodable(text: str) -> bool:
    return not any("\ud800" <= each <= "\udfff" for each in text)


def _quoted(text: str) -> str:
    # A JSON string is a TOML string, but for DEL.
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")


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
        made = Path(tempfile.mkdtemp(prefix=process_marks.prefix()))  # should we be killed, `auditor clean` finds it
        _fill(made, files, clear=lambda: _clear(made, whole=True))
        return Folder(made, copied, temporary=True)
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise UsageError(f"folder: expected a new or empty folder, found {folder} with something in it")
    whole = not folder.exists()
    _fill(folder, files, clear=lambda: _clear(folder, whole=whole))
    remember(folder.absolute(), (folder.absolute() / name for name in files))
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
        make_folder(folder)
        for name, content in files.items():
            write_new(folder / name, content)
        cases.read(folder)
    except BaseException as error:
        clear()
        if isinstance(error, OSError):
            raise unwritten(error, folder) from error
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
