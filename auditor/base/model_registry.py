"""Models of an MLflow registry: what `models:/NAME/VERSION` names, as the bytes of one file.

The registry is the user's own, as MLflow is set up for them (`MLFLOW_TRACKING_URI`, `MLFLOW_REGISTRY_URI`); a case names a model
and a version in it and no more. Files are downloaded as artifacts. No flavour of MLflow's loads anything: what a file holds is
read by the auditor's own readers, and run in the sandbox alone.
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path, PurePosixPath
from tempfile import TemporaryDirectory
from types import ModuleType
from typing import Final

from auditor.base import extras, process_marks
from auditor.base.domain import Problem
from auditor.base.errors import InputError

SCHEME: Final = "models:"
_URI: Final = re.compile(
    r"models:/(?P<name>(?!\.+/)[^/:@\\%?#\x00-\x1f\x7f]{1,200})/(?P<version>[1-9][0-9]{0,8})"
    r"(?P<inside>(?:/[^/\x00-\x1f\x7f]{1,200})*)"
)
"""A name is one part of a path, whatever a registry that keeps its models in folders makes of it: no dots alone, no separator,
nothing that stands for one once it is decoded or cut off."""
_READ: Final = (".safetensors", ".npz", ".txt", ".json", ".ubj", ".skops", ".onnx", ".lgb", ".pt", ".pth", ".bin", ".ckpt")
"""Endings of files that can be the model; what one holds is not known from it."""
_LIKE: Final = {".lgb": ".txt"}
"""MLflow's endings for formats that libraries give another."""
_NO_MODEL: Final = frozenset(
    {"requirements.txt", "input_example.json", "serving_input_example.json", "config.json", "adapter_config.json"}
)
"""Files that MLflow and Hugging Face write next to a model, with endings that a model may have."""
_SHOWN: Final = 8


@dataclass(frozen=True, slots=True)
class Version:
    """A version of a registered model, and a file of it where one is named."""

    name: str
    version: str
    inside: str = ""
    """Path below the model's folder; empty where it has one file that can be the model."""

    @property
    def uri(self) -> str:
        """As MLflow writes it, without the file."""
        return f"models:/{self.name}/{self.version}"


@dataclass(frozen=True, slots=True)
class Downloaded:
    """One file of a version, and what lies next to it under names that were asked for."""

    file: str
    """Its name, with the ending by which its format is read."""
    content: bytes
    notes: Mapping[str, bytes]


def is_named(text: str) -> bool:
    """Whether a path means a model of a registry."""
    return text.startswith(SCHEME)


def named(text: str, file: str, key: str) -> Version:
    """Read what a path in a case or an option names.

    Args:
        text: Such as `models:/loans/3` or `models:/loans/3/model.skops`.
        file: What a problem calls the place where it stands.
        key: The key there.

    Raises:
        InputError: If it names no version by its number: an alias, a stage or `latest` may mean other bytes tomorrow.
    """
    match = _URI.fullmatch(text)
    if match is None or ".." in PurePosixPath(match["inside"]).parts:
        expected = "models:/NAME/VERSION with the number of a version, or models:/NAME/VERSION/FILE: aliases and stages may move"
        raise InputError([Problem(file, key, expected, ascii(text[:200]))])
    return Version(match["name"], match["version"], match["inside"].lstrip("/"))


def client_library() -> ModuleType:
    """Import MLflow, which sends nothing about its use to anybody.

    Raises:
        MissingExtraError: If it is not installed.
    """
    extras.require("mlflow", "MLflow")
    os.environ.setdefault("MLFLOW_DISABLE_TELEMETRY", "true")
    for name in ("mlflow.artifacts", "mlflow.entities"):
        import_module(name)  # seconds to load, and few audits need it
    return import_module("mlflow")


def download(version: Version, file: str, key: str, *, limit: int, notes: tuple[str, ...] = ()) -> Downloaded:
    """Download the model file of a version.

    Args:
        version: Which.
        file: What a problem calls the place that named it.
        key: The key there.
        limit: The most bytes that it may have.
        notes: Names of files at the top of the model's folder to bring along where they are there, each small.

    Raises:
        MissingExtraError: If MLflow is not installed.
        InputError: If the registry cannot be asked, or has no such version, or several files can be the model, or none.
    """
    mlflow = client_library()
    with TemporaryDirectory(prefix=process_marks.prefix()) as folder:
        try:
            there = Path(mlflow.artifacts.download_artifacts(artifact_uri=version.uri, dst_path=folder)).resolve()
        except (mlflow.MlflowException, OSError, ValueError) as error:
            found = " ".join(str(error).split())[:400]
            raise InputError([Problem(file, key, f"{version.uri} in your MLflow registry", found)]) from error
        if not there.is_relative_to(Path(folder).resolve()):
            raise InputError(
                [Problem(file, key, f"{version.uri} as a copy of its files", "a registry that gives a place instead")]
            )
        chosen = _chosen(there, version, file, key)
        return Downloaded(
            _name_of(chosen.relative_to(there)),
            _read(chosen, file, key, limit),
            {name: _read(there / name, file, key, 1 << 20) for name in notes if _plain(there / name)},
        )


def _chosen(folder: Path, version: Version, file: str, key: str) -> Path:
    """The one file that is the model."""
    files = {path.relative_to(folder).as_posix(): path for path in sorted(folder.rglob("*")) if _plain(path)}
    if version.inside:
        if version.inside in files:
            return files[version.inside]
        listed = ", ".join(list(files)[:_SHOWN])
        raise InputError([Problem(file, key, f"a file of {version.uri}: {listed!a}", ascii(version.inside))])
    can_be = [name for name, path in files.items() if path.suffix.lower() in _READ and path.name not in _NO_MODEL]
    if len(can_be) == 1:
        return files[can_be[0]]
    listed = ", ".join((can_be or list(files))[:_SHOWN]) or "no file"
    way = f"name one, as {version.uri}/FILE" if can_be else "pickles are never read; log the model in a format that is no code"
    raise InputError([Problem(file, key, f"{version.uri} with one file that can be the model ({way})", ascii(listed))])


def _plain(path: Path) -> bool:
    return path.is_file() and not path.is_symlink()


def _name_of(path: Path) -> str:
    suffix = _LIKE.get(path.suffix.lower(), "")
    return f"{path.as_posix()}{suffix}"


def _read(path: Path, file: str, key: str, limit: int) -> bytes:
    if (size := path.stat().st_size) > limit:
        raise InputError([Problem(file, key, f"at most {limit} bytes", f"{size} bytes")])
    return path.read_bytes()
