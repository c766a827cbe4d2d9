"""The controller's code in the scratch folder: the very bytes that were digested when the case was read."""

from __future__ import annotations

from pathlib import Path

from auditor.base.domain import Code
from auditor.base.errors import ProcedureError
from auditor.case import code as case_code


def read(entry: str) -> Code:
    """Read the code of an entry that comes from no case.

    Args:
        entry: `/absolute/path.py:ClassName`.

    Raises:
        ProcedureError: If it, or what lies alongside it, is not such as a case may bring.
    """
    path = Path(entry.rpartition(":")[0])
    if path.suffix != ".py":
        raise ProcedureError("the procedure's start failed: expected a Python file as entry, found something else")
    code, problems = case_code.read(path.parent.resolve() / path.name, path.name)
    if problems:
        raise ProcedureError(f"the procedure's start failed: {'; '.join(str(problem) for problem in problems[:3])}")
    return code


def write(code: Code, entry: str, into: Path) -> str:
    """Write the files of an entry.

    Args:
        code: What was read; the entry's file is its first.
        entry: `/absolute/path.py:ClassName`.
        into: An empty folder.

    Returns:
        The entry in that folder: `<into>/path.py:ClassName`.
    """
    for file in code.everything:
        target = into / file.name
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(file.content)
    return f"{into / code.files[0].name}:{entry.rpartition(':')[2]}"
