"""Which files of code a process has loaded: what it reports, and what the auditor reads of its memory map.

The report comes out of a process that runs foreign code, which can leave a module out; files that are mapped, such as compiled
libraries, it cannot hide from the kernel. Both are bounded, printable and without a seed or a name of the scratch folder.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Final

from auditor.sandbox.wire import printable, refuse, written

_WHAT: Final = "a list of files"
BYTES: Final = 4 * 1024 * 1024
"""The longest report that is read."""
_MOST: Final = 20_000
_LONGEST: Final = 1000


def joined(report: bytes, mapped: Iterable[str], *, scratch: Path, hide: Callable[[str], str], where: str) -> bytes:
    """Put a report and a memory map together, as JSON that `read` reads.

    Args:
        report: What the child wrote: a JSON array of paths.
        mapped: Paths of files in the memory of its process group.
        scratch: The worker's folder. The case's code in it is among the inputs and is left out; of other files in it the path
            within it is kept.
        hide: Blots out seeds.
        where: The step, for the message.

    Raises:
        ProcedureError: If the report is not one.
    """
    listed = written(report, where=where, expected=_WHAT)
    if not isinstance(listed, list) or len(listed) > _MOST or not all(isinstance(name, str) for name in listed):
        refuse(where, _WHAT, "something else, or too many")

    def cleaned(names: Iterable[str]) -> list[str]:
        inside = (_within(printable(hide(name), _LONGEST), scratch) for name in names)
        return sorted({name for name in inside if name is not None})

    return json.dumps({"reported": cleaned(listed), "mapped": cleaned(mapped)}).encode()


def read(content: bytes) -> dict[str, list[str]]:
    """The paths, by `reported` and `mapped`."""
    found: dict[str, list[str]] = json.loads(content)
    return found


def _within(name: str, scratch: Path) -> str | None:
    if scratch.name not in name:  # nearly all, and taking a path apart costs more than the rest together
        return name
    path = Path(name)
    if not path.is_relative_to(scratch):
        return name
    return None if path.is_relative_to(scratch / "code") else f"scratch/{path.relative_to(scratch).as_posix()}"
