"""Whole controllers that come with the auditor, by the name that `[controller] use` gives them.

Each is a class with `initialize(seed)`, `activate(channel, operation, argument) -> output` and `state() -> bytes`
(Cohen et al. 2023, Section 2.1); each object plays one history. What each may be asked stands in `auditor.settings.controller`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from auditor.procedures.controllers.batch import BatchCount, BatchModel
from auditor.procedures.controllers.bulletin_board import BulletinBoard
from auditor.procedures.controllers.cloud_storage import CloudStorage
from auditor.procedures.controllers.compiled import SquareRootCount, TreeCount
from auditor.procedures.controllers.dictionary import Dictionary
from auditor.procedures.controllers.public_directory import PublicDirectory
from auditor.procedures.controllers.sqlite import Sqlite
from auditor.procedures.controllers.sqlite_rebuilt import SqliteRebuilt
from auditor.procedures.controllers.xor import Xor

CONTROLLERS: Final[Mapping[str, type[Any]]] = {
    "batch-count": BatchCount,
    "batch-model": BatchModel,
    "bulletin-board": BulletinBoard,
    "cloud-storage": CloudStorage,
    "dictionary": Dictionary,
    "public-directory": PublicDirectory,
    "sqlite": Sqlite,
    "sqlite-rebuilt": SqliteRebuilt,
    "square-root-counter": SquareRootCount,
    "tree-counter": TreeCount,
    "xor": Xor,
}
