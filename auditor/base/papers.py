"""Letters and replies that were written to where their user chose: a file in the case, which `auditor purge` reads and shortens.

Each line has a path, a digest and a day, and says whose it is by the digest of a request. A path may name somebody, so that a
line goes once the file is gone. The file may come from anybody, as the case does: a line counts only where this user's own notes
repeat it (`noted`).
"""

from __future__ import annotations

import json
import os
from collections.abc import Collection
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Final, Literal, TypeAlias, get_args

from auditor.base import outputs
from auditor.base.writing import write_all

FILE: Final = ".papers.jsonl"
Kind: TypeAlias = Literal["letter", "draft", "reply"]


@dataclass(frozen=True, slots=True)
class Paper:
    """One letter or reply, as it was written."""

    kind: Kind
    path: Path
    sha256: str
    on: date
    of: str
    """Whose: the digest of a request, and of a person where it is several people's."""

    def noted(self) -> bytes:
        """Give what this user's notes hold of it, so that no line of anybody else counts."""
        return b"\0".join((b"paper", self.kind.encode(), os.fsencode(self.path), self.sha256.encode(), self.of.encode()))

    def noted_for(self, case: Path) -> bytes:
        """Give what they hold of whose it is, where it lies outside its case: a copy of the case lists it as well."""
        return self.noted() + b"\0case\0" + os.fsencode(case)

    def line(self, case: Path) -> str:
        """Write it as a line; a path in the case is relative, so that the case may move."""
        inside = self.path.is_relative_to(case)
        where = str(self.path.relative_to(case)) if inside else str(self.path)
        said = {"kind": self.kind, "path": where, "sha256": self.sha256, "on": self.on.isoformat(), "of": self.of}
        return json.dumps(said, ensure_ascii=True) + "\n"


def remember(case: Path, paper: Paper) -> bool:
    """List a letter or a reply in its case, once; a signed audit in the case folder itself gets no file that nothing signs.

    Returns:
        Whether a purge of the case will know of it.
    """
    case = case.resolve()
    return paper in listed(case) or outputs.append(case, FILE, paper.line(case))


def listed(case: Path) -> tuple[Paper, ...]:
    """Give what a case lists, each once; any other line is left out."""
    found: dict[Paper, None] = {}
    for line in outputs.lines(case, FILE):
        try:
            said = json.loads(line)
            texts = [said[key] for key in ("kind", "path", "sha256", "of")]
            if said["kind"] not in get_args(Kind) or not all(isinstance(each, str) and "\0" not in each for each in texts):
                continue
            path = Path(os.path.normpath(case / said["path"]))
            found[Paper(said["kind"], path, said["sha256"], date.fromisoformat(said["on"]), said["of"])] = None
        except (ValueError, LookupError, TypeError, RecursionError):
            continue
    return tuple(found)


def forget(case: Path, papers: Collection[Paper]) -> None:
    """Take some out of the list, and the list away with the last.

    Raises:
        StorageError: If it cannot be written.
        OSError: If it cannot be removed.
    """
    if not papers:
        return
    left = [each for each in listed(case) if each not in papers]
    if left:
        write_all({case / FILE: "".join(each.line(case) for each in left).encode()})
    else:
        (case / FILE).unlink(missing_ok=True)
