"""Whole controllers that come with the auditor, by the name that `[controller] use` gives them.

Each is a class with `initialize(seed)`, `activate(channel, operation, argument) -> output` and `state() -> bytes`
(Cohen et al. 2023, Section 2.1); each object plays one history. What each may be asked stands in `auditor.settings.controller`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from auditor.parts.controllers.learning.batch import BatchCount, BatchModel
from auditor.parts.controllers.learning.bulletin_board import BulletinBoard
from auditor.parts.controllers.learning.cloud_storage import CloudStorage
from auditor.parts.controllers.learning.compiled import SquareRootCount, TreeCount
from auditor.parts.controllers.learning.dictionary import Dictionary
from auditor.parts.controllers.learning.public_directory import PublicDirectory
from auditor.parts.controllers.learning.sqlite import Sqlite
from auditor.parts.controllers.learning.sqlite_rebuilt import SqliteRebuilt
from auditor.parts.controllers.learning.xor import Xor

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
