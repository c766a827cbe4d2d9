"""A case: everything that is audited, read and checked before anything runs.

`read` checks every file that audit.toml names and how they fit together. A wrong case comes back as one InputError
with every problem of every file; a Case that comes back is sound.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Final

from auditor.base.domain import Problem
from auditor.base.errors import InputError
from auditor.case.declaration import LIMIT, declare, parts_named
from auditor.case.files import read_source
from auditor.case.reader import Reader
from auditor.case.sound_case import Case
from auditor.settings.values import show

__all__ = ["Case", "parts_named", "read"]

_EXPECTED: Final = "a folder with audit.toml in it, or that file"
_TABLE: Final = "a table", "--from FILE.py --data {name}"
_PICKLED: Final = "a pickled model", "--from {name} --data TABLE"
_MODEL: Final = "a model file", "--from FILE.py --data TABLE --model {name}"
_OTHERS: Final[Mapping[str, tuple[str, str]]] = {
    ".py": ("Python", "--from {name} --data TABLE"),
    ".ipynb": ("a notebook", "--from FILE.py --data TABLE (of the notebook as a script)"),
    **dict.fromkeys((".csv", ".parquet", ".npz"), _TABLE),
    **dict.fromkeys((".tsv", ".xlsx", ".xls"), ("a table", "--from FILE.py --data TABLE (of the table as CSV)")),
    **dict.fromkeys((".joblib", ".pkl", ".pickle"), _PICKLED),
    **dict.fromkeys((".skops", ".onnx", ".ubj", ".safetensors"), _MODEL),
    **dict.fromkeys((".pt", ".pth"), ("a model file", "--from FILE.py --data TABLE (of the script that trains it)")),
    ".jsonl": ("a log", "--from FILE.py --data TABLE --log {name}"),
}
"""What people hand in for a case, by how its name ends, and what makes a case of it."""


def read(path: Path) -> Case:
    """Read a case.

    Args:
        path: The folder that holds audit.toml, or that file.

    Raises:
        InputError: With every problem of every file at once.
    """
    path = Path(path)
    file = path / "audit.toml" if path.is_dir() else path
    if not file.exists():
        raise InputError([Problem(str(path), "", f"{_EXPECTED}; auditor init DIR makes one", "none")])
    if (other := _OTHERS.get(file.suffix.lower())) is not None:
        what, way = other
        expected = f"{_EXPECTED}; auditor init DIR {way.format(name=show(file.name)[1:-1])} makes one"
        raise InputError([Problem(str(path), "", expected, what)])
    source = read_source(file, file.name, limit=LIMIT)
    reader = Reader(file.parent.resolve(), source)
    return reader.read(declare(source))
