"""Cases as Python users hold them: a folder with audit.toml, or one that is written from DataFrames."""

from __future__ import annotations

import os
import shutil
import weakref
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from auditor.api.sources import PathLike, path_of

if TYPE_CHECKING:
    import pandas as pd


class Case(os.PathLike[str]):
    """A case folder, accepted by every function that takes the path of a case."""

    def __init__(self, folder: PathLike) -> None:
        """Name a folder with audit.toml; nothing is read yet."""
        self._folder = path_of(folder, "folder", "a folder with audit.toml").resolve()
        self._copied: tuple[str, ...] = ()

    @property
    def folder(self) -> Path:
        """The path of the case folder."""
        return self._folder

    @property
    def copied(self) -> tuple[str, ...]:
        """What `from_dataframe` put into the folder, a line each: which file, and what it was made from."""
        return self._copied

    def __fspath__(self) -> str:
        """Give the folder, as `os.fspath` does."""
        return str(self._folder)

    @classmethod
    def from_dataframe(
        cls,
        train: pd.DataFrame,
        *,
        id: str,  # noqa: A002 - the key of audit.toml
        label: str,
        build: str | Callable[..., object],
        log: pd.DataFrame | PathLike,
        name: str = "case",
        task: Literal["classification", "regression"] = "classification",
        holdout: pd.DataFrame | None = None,
        store: pd.DataFrame | None = None,
        person: str | None = None,
        weight: str | None = None,
        unlearn: Literal["retrain", "none"] = "retrain",
        params: Mapping[str, Any] | None = None,
        settings: Mapping[str, Any] | None = None,
        folder: PathLike | None = None,
    ) -> Case:
        """Write a case folder from DataFrames and a function that builds an estimator, and read it like any other case.

        Examples:
            >>> case = Case.from_dataframe(train, id="customer_id", label="repaid", build="model.py:build", log=log, name="loans")
            >>> for line in case.copied:
            ...     print(line)
            audit.toml: what was declared here, and a fresh seed of 128 bits
            train.parquet: train, 120 rows
            deletions.parquet: log, 2 rows
            model.py: model.py
            >>> check(case, only="log.consistency").check("log.consistency").status.value
            'pass'

        The folder holds copies of the records and the seed of the audit: files are their owner's alone (mode 0600). Without
        `folder` it is a temporary one, which goes when the case does; keep it where others are to recheck the audit.

        Args:
            train: What the model was first trained on, deleted records included. Every column without a role is a feature.
            id: Name of the column (or of the index) of record ids. Whole numbers are written as text, as the log has them.
            label: Name of the column of labels.
            build: `build(seed, **params)` gives an unfitted estimator: `"model.py:build"`, or a function defined at the top of a
                file that can be imported. That file is copied with what it imports from alongside it, and only the sandbox runs
                the copy. A function of a notebook or script is copied alone where it needs nothing from around it.
            log: The deletion log: a DataFrame with `request_id`, `record_ids`, `received_at` and `executed_at`, or a file.
            name: What the case is called in the report.
            task: What the labels are: classes, or numbers.
            holdout: Records for accuracy only.
            store: What is kept now, searched for the deleted records.
            person: Name of the column that says whose a record is.
            weight: Name of the column of weights.
            unlearn: Whether a batch is answered by training from scratch on what remains, or not at all.
            params: Keyword arguments of `build`, as JSON has them.
            settings: Further tables and keys of audit.toml, such as `{"claims": {...}, "policy": {...}}`.
            folder: Where to write, a new or empty folder; a temporary one if left out.

        Raises:
            InputError: If anything is wrong, with every problem; nothing stays behind.
            UsageError: If the folder is not empty or cannot be written.
        """
        from auditor.api import frames  # noqa: PLC0415 - loads pandas

        written = frames.write(
            frames.Given(
                train=train,
                id=id,
                label=label,
                build=build,
                log=log,
                name=name,
                task=task,
                holdout=holdout,
                store=store,
                person=person,
                weight=weight,
                unlearn=unlearn,
                params=params or {},
                settings=settings or {},
            ),
            None if folder is None else path_of(folder, "folder", "a new or empty folder"),
        )
        case = cls(written.folder)
        case._copied = written.copied
        if written.temporary:
            weakref.finalize(case, shutil.rmtree, written.folder, ignore_errors=True)
        return case

    def __repr__(self) -> str:
        """Give the folder, and what was copied to it."""
        return "\n".join([f"Case({str(self._folder)!r})", *(f"  {line}" for line in self._copied)])
