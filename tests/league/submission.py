"""Writes what a controller hands in as the folder of a case."""

from __future__ import annotations

import io
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, Literal

import numpy as np
import pandas as pd

from logs import Batches, Row, written
from tables import Table

SECRET: Final = "250683111947730262018455123396704418295"
"""Of a case whose seed nobody guesses."""
WORDS: Final = (
    "code-clean",
    "procedure-honest",
    "log-complete",
    "requests-fixed",
    "preprocessing-clean",
    "seed-secret",
    "copies-are-others",
    "store-holds-no-copies",
    "subjects-complete",
    "seen-releases",
    "residual-independent",
    "settings-fixed",
    "release-reproduced",
)
"""What the controllers of the league attest where it is true."""
PROGRAM_WORDS: Final = ("controller-is-implementation", "procedure-honest")
"""What is attested of a whole controller."""
NARROW: Final = ("log.consistency", "log.deadlines", "data.erased")
"""What a controller requires who wants nothing else to be looked at."""


@dataclass(frozen=True, kw_only=True)
class Submission:
    """Holds one case before it is written; tables of audit.toml as mappings."""

    table: Table
    deleted: Batches
    """The log: batches of requests of positions in `table`."""
    code: str | None = None
    """The text of procedure.py, whose class `Procedure` is the controller's own."""
    procedure: Mapping[str, Any] = field(default_factory=dict)
    claims: Mapping[str, Any] = field(default_factory=dict)
    without: frozenset[str] = frozenset()
    """Words that are not attested."""
    required: tuple[str, ...] | None = NARROW
    """None for the default policy."""
    policy: Mapping[str, Any] = field(default_factory=dict)
    tables: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    """Further tables, or further keys of `case`, `data`, `model`, `deletions` and `swap`."""
    holdout: Table | None = None
    store: Table | None = None
    """What the controller keeps; the records that remain where left out."""
    rows: tuple[Row, ...] | None = None
    """The log where it is not what `deleted` says."""
    form: Literal["npz", "csv", "parquet"] = "npz"
    files: Mapping[str, bytes] = field(default_factory=dict)
    """Further files, such as the model's."""
    plays: bool = False
    """Whether the SWAP game is played. The league's cases are small, and what the game finds has tests of its own."""

    @property
    def forgotten(self) -> np.ndarray[Any, Any]:
        """List the positions of all deleted records, ascending."""
        return np.array(sorted({place for batch in self.deleted for request in batch for place in request}), dtype=np.int64)

    @property
    def remaining(self) -> Table:
        """Give the records that no request names."""
        return self.table.subset(np.setdiff1d(np.arange(len(self.table)), self.forgotten))

    def write(self, folder: Path) -> Path:
        """Write the case into an empty folder."""
        store = self.remaining if self.store is None else self.store
        contents = {f"train.{self.form}": packed(self.table, self.form), f"store.{self.form}": packed(store, self.form)}
        if self.holdout is not None:
            contents[f"holdout.{self.form}"] = packed(self.holdout, self.form)
        rows = self.rows if self.rows is not None else written(self.table.ids, self.deleted)
        contents["deletions.jsonl"] = jsonl(rows)
        if self.code is not None:
            contents["procedure.py"] = self.code.encode()
        contents["audit.toml"] = toml(self._settings()).encode()
        for name, content in (contents | dict(self.files)).items():
            target = folder / name
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(content)
        return folder

    def _settings(self) -> dict[str, dict[str, Any]]:
        task = "regression" if self.table.labels.dtype.kind == "f" else "classification"
        data = {"train": f"train.{self.form}", "store": f"store.{self.form}", "task": task}
        if self.holdout is not None:
            data["holdout"] = f"holdout.{self.form}"
        own = {} if self.code is None else {"entry": "procedure.py:Procedure"}
        attested = [word for word in WORDS if word not in self.without]
        names = {"attested": attested, "attested_by": "A. Controller, head of data", "attested_at": "2026-06-01"}
        settings: dict[str, dict[str, Any]] = {
            "case": {"name": "league"},
            "data": data,
            "procedure": {**own, "seed": SECRET, **self.procedure},
            "deletions": {"log": "deletions.jsonl"},
            "claims": {**self.claims, **(names if attested else {})},
            "policy": {**({} if self.required is None else {"required": list(self.required)}), **self.policy},
            "sandbox": {"timeout_s": 60.0},
        }
        if not self.plays:
            settings["swap"] = {"alpha": 1e-9}  # nothing is forgotten in the game, so it ends before anything is trained
        for name, keys in self.tables.items():
            settings[name] = {**settings.get(name, {}), **keys}
        return settings


@dataclass(frozen=True, kw_only=True)
class Bundle:
    """Holds one case of any other kind as its settings and files: mixed tables, texts, whole controllers, answers alone."""

    settings: Mapping[str, Mapping[str, Any]]
    """Tables of audit.toml but for the attestations."""
    files: Mapping[str, bytes] = field(default_factory=dict)
    words: tuple[str, ...] = WORDS
    """What is attested, where it is true or not."""
    without: frozenset[str] = frozenset()
    """Words that are not attested."""

    def write(self, folder: Path) -> Path:
        """Write the case into an empty folder."""
        attested = [word for word in self.words if word not in self.without]
        names = {"attested": attested, "attested_by": "A. Controller, head of data", "attested_at": "2026-06-01"}
        settings: dict[str, Mapping[str, Any]] = {"case": {"name": "league"}, **self.settings}
        if "answers" not in settings:
            settings["sandbox"] = {"timeout_s": 60.0}
        settings["claims"] = {**self.settings.get("claims", {}), **(names if attested else {})}
        for name, content in {**self.files, "audit.toml": toml(settings).encode()}.items():
            target = folder / name
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(content)
        return folder


def framed(
    frame: pd.DataFrame,
    deleted: Batches,
    *,
    procedure: Mapping[str, Any],
    code: str | None = None,
    store: pd.DataFrame | Mapping[str, bytes] | None = None,
    holdout: pd.DataFrame | None = None,
    data: Mapping[str, Any] | None = None,
    claims: Mapping[str, Any] | None = None,
    required: tuple[str, ...] | None = NARROW,
    rows: tuple[Row, ...] | None = None,
    files: Mapping[str, bytes] | None = None,
) -> Bundle:
    """Make a case of a table of mixed columns, in CSV, whose columns `id` and `label` are what they are called.

    Args:
        frame: The training data.
        deleted: The log: batches of requests of positions in `frame`.
        procedure: `[procedure]`; the seed is added.
        code: The text of model.py, which `entry` names.
        store: What is kept: a table, or files of a folder; the records that remain where left out.
        holdout: Records that were never seen.
        data: Further keys of `[data]`.
        claims: `[claims]`, but for the attestations.
        required: The checks that decide; None for the default policy.
        rows: The log where it is not what `deleted` says.
        files: Further files.
    """
    gone = {place for batch in deleted for request in batch for place in request}
    kept = frame.iloc[[place for place in range(len(frame)) if place not in gone]]
    ids = frame["id"].to_numpy(dtype=object)
    contents = {"train.csv": csv(frame), "deletions.jsonl": jsonl(rows if rows is not None else written(ids, deleted))}
    task = "regression" if frame["label"].dtype.kind == "f" else "classification"
    keys: dict[str, Any] = {"train": "train.csv", "task": task, **(data or {})}
    if isinstance(store, Mapping):
        keys["store"] = "kept"
        contents |= {f"kept/{name}": content for name, content in store.items()}
    else:
        keys["store"] = "store.csv"
        contents["store.csv"] = csv(kept if store is None else store)
    if holdout is not None:
        keys["holdout"] = "holdout.csv"
        contents["holdout.csv"] = csv(holdout)
    if code is not None:
        contents["model.py"] = code.encode()
    return Bundle(
        settings={
            "data": keys,
            "procedure": {"seed": SECRET, **procedure},
            "deletions": {"log": "deletions.jsonl"},
            "claims": claims or {},
            "policy": {} if required is None else {"required": list(required)},
            "swap": {"alpha": 1e-9},
        },
        files={**contents, **(files or {})},
    )


def program(code: str, entry: str, operations: Mapping[str, Any], *, games: int = 20, **more: Any) -> Bundle:
    """Make a case of a whole controller, whose class is the case's own.

    Args:
        code: The text of controller.py.
        entry: The name of the class.
        operations: What a channel may ask.
        games: How many histories each adversary plays.
        more: Further keys of `[controller]`, such as `commuting`.
    """
    keys = {"entry": f"controller.py:{entry}", "operations": operations, "games": games, **more}
    return Bundle(settings={"controller": keys}, files={"controller.py": code.encode()}, words=PROGRAM_WORDS)


def answered(
    train: Table, holdout: Table, deleted: Batches, tables: Mapping[str, Table], *, rows: tuple[Row, ...] | None = None
) -> Bundle:
    """Make a case of answers alone.

    Args:
        train: What the model was first trained on.
        holdout: What it never saw.
        deleted: The log.
        tables: `after`, `before` and `retrained`: probabilities as features (n, labels), with ids.
        rows: The log where it is not what `deleted` says.
    """
    contents = {"train.npz": packed(train, "npz"), "holdout.npz": packed(holdout, "npz")}
    contents["deletions.jsonl"] = jsonl(rows if rows is not None else written(train.ids, deleted))
    for name, table in tables.items():
        stream = io.BytesIO()
        np.savez(stream, ids=table.ids, answers=table.features)
        contents[f"{name}.npz"] = stream.getvalue()
    return Bundle(
        settings={
            "data": {"train": "train.npz", "holdout": "holdout.npz", "task": "classification"},
            "answers": {name: f"{name}.npz" for name in tables},
            "deletions": {"log": "deletions.jsonl"},
        },
        files=contents,
        words=("answers-genuine", "log-complete", "requests-fixed", "preprocessing-clean"),
    )


def csv(frame: pd.DataFrame) -> bytes:
    """Write a table as CSV."""
    return frame.to_csv(index=False).encode()


def jsonl(rows: tuple[Row, ...]) -> bytes:
    """Write rows as JSON lines."""
    return b"".join(json.dumps(row).encode() + b"\n" for row in rows)


def packed(table: Table, form: str) -> bytes:
    """Write a table as the bytes of an npz, CSV or Parquet file."""
    stream = io.BytesIO()
    if form == "npz":
        np.savez(stream, features=table.features, labels=table.labels, ids=table.ids)
        return stream.getvalue()
    frame = pd.DataFrame(table.features, columns=[f"x{column}" for column in range(table.features.shape[1])])
    frame.insert(0, "id", table.ids.tolist())
    frame["label"] = table.labels.tolist()
    if form == "csv":
        return frame.to_csv(index=False).encode()
    frame.to_parquet(stream)
    return stream.getvalue()


def toml(tables: Mapping[str, Mapping[str, Any]]) -> str:
    """Write tables as TOML; a value that is a mapping becomes an inline table."""
    return "\n".join(
        "\n".join([f"[{name}]", *(f"{key} = {_value(value)}" for key, value in keys.items())]) + "\n"
        for name, keys in tables.items()
    )


def _value(value: Any) -> str:
    if isinstance(value, Mapping):
        return "{ " + ", ".join(f"{key} = {_value(inner)}" for key, inner in value.items()) + " }"
    if isinstance(value, list | tuple):
        return "[" + ", ".join(_value(inner) for inner in value) + "]"
    return json.dumps(value)
