"""The files of a case: found inside its folder, read once, digested as they were read.

A path in audit.toml comes from the author of the case. It may not leave the case folder, not even through a link, and
what it names must be a plain file below a size limit, so that neither a device nor a pipe can hold the audit up.
"""

from __future__ import annotations

import hashlib
import os
import stat
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from itertools import islice
from pathlib import Path, PureWindowsPath
from typing import Final

from auditor.base import suggestions
from auditor.base.domain import InputFile, Problem
from auditor.base.errors import InputError
from auditor.base.plain_files import opened
from auditor.base.validation import os_reason
from auditor.settings.values import show, text_fault

GIBIBYTE = 1024**3
TEXT_LIMIT = GIBIBYTE
"""Bytes of a TOML, CSV or JSONL file."""
BINARY_LIMIT = 4 * GIBIBYTE
"""Bytes of a file of arrays, packed and unpacked."""


@dataclass(frozen=True, slots=True)
class Source:
    """One file as it was read."""

    name: str
    """Relative to the case, or as the user named it."""
    data: bytes

    def listed(self) -> InputFile:
        """Its entry among the inputs of the audit."""
        return InputFile(self.name, hashlib.sha256(self.data).hexdigest(), len(self.data))


def read_source(path: Path, name: str | None = None, *, limit: int = BINARY_LIMIT, follow: bool = True) -> Source:
    """Read a plain file of at most `limit` bytes.

    Args:
        path: The file.
        name: How problems name it; the path where left out.
        limit: The largest size in bytes.
        follow: Whether the path may be a link; of one that is resolved already, nobody may have made one since.

    Raises:
        InputError: If there is no such file, if it is no plain file, too large, or cannot be read.
    """
    name = str(path) if name is None else name
    try:
        found = path.stat() if follow else path.lstat()
        if not stat.S_ISREG(found.st_mode):
            raise InputError([Problem(name, "", "a file", kind_of(found.st_mode))])
        if found.st_size > limit:
            raise InputError([Problem(name, "", f"at most {limit} bytes", f"{found.st_size} bytes")])
        with opened(path, follow=follow) as stream:
            data = stream.read(found.st_size + 1)
    except (OSError, ValueError) as error:
        raise InputError([Problem(name, "", "a file that can be read", reason_of(error))]) from error
    if len(data) > found.st_size:
        raise InputError([Problem(name, "", "a file that stays as it is while it is read", "one that grew")])
    return Source(name, data)


def locate(folder: Path, text: str, where: str, *, file: str, may_be_folder: bool = False) -> tuple[Path, str] | Problem:
    """Find what a path in audit.toml names, inside the case folder.

    Args:
        folder: The case folder, resolved.
        text: The path as written.
        where: The key that holds it.
        file: The file that holds the key.
        may_be_folder: Whether a folder will do.

    Returns:
        The resolved path and its name relative to the case, or the problem with it.
    """
    expected = "a file or folder inside the case folder" if may_be_folder else "a file inside the case folder"
    found: str
    if fault := text_fault(text):
        found = f"a path with {fault}"
    elif Path(text).is_absolute() or PureWindowsPath(text).is_absolute() or PureWindowsPath(text).drive:
        found = f"the absolute path {show(text)}"
    else:
        try:
            path = (folder / text).resolve()
            mode = path.stat().st_mode if path.is_relative_to(folder) else None
        except FileNotFoundError:
            found = f"{show(text)}, which does not exist{_meant(folder / text, folder)}"
        except (OSError, RuntimeError, ValueError) as error:
            found = f"{show(text)}: {reason_of(error)}"
        else:
            if mode is None:
                found = f"{show(text)}, which leads out of it"
            elif stat.S_ISREG(mode) or (may_be_folder and stat.S_ISDIR(mode)):
                return path, Path(os.path.normpath(text)).as_posix()
            else:
                found = f"{show(text)}, which is {kind_of(mode)}"
    return Problem(file, where, expected, found)


def _meant(path: Path, folder: Path) -> str:
    """The file next to one that does not exist whose name was meant, in parentheses; empty where nobody can tell."""
    beside = Path(os.path.realpath(path.parent))
    if not beside.is_relative_to(folder) or not beside.is_dir():
        return ""
    try:
        names = sorted(each.name for each in islice(beside.iterdir(), _MOST_BESIDE) if each.name.isprintable())
    except OSError:
        return ""
    return suggestions.hint(path.name, names)


_MOST_BESIDE: Final = 1000
"""Files of a folder that are compared with a name that is not there."""


def list_files(path: Path, name: str, *, of: str = "the store") -> tuple[list[InputFile], list[Problem]]:
    """Digest a file, or every file below a folder, without holding it in memory: what is searched for deleted records.

    Links are refused: a search for deleted records that followed them could leave the case, and one that did not could
    miss what the controller still keeps.

    Args:
        path: The file or folder, resolved.
        name: Its path in the case.
        of: What it is, for problems.
    """
    listed, problems = list_plain(path, name, of=of)
    if not listed and not problems:
        problems.append(Problem(name, "", f"at least one file in {of}", "an empty folder"))
    return listed, problems


def list_plain(path: Path, name: str, *, of: str = "the place") -> tuple[list[InputFile], list[Problem]]:
    """Digest a file, or every file below a folder; whatever cannot be read, or is no plain file, is a problem."""
    listed: list[InputFile] = []
    problems: list[Problem] = []
    for member, member_name in _walk(path, name, problems):
        try:
            member_name.encode()
            mode = member.lstat().st_mode
            if not stat.S_ISREG(mode):
                problems.append(Problem(member_name, "", f"a plain file in {of}", kind_of(mode)))
                continue
            with opened(member) as stream:
                digest = hashlib.file_digest(stream, "sha256").hexdigest()
                listed.append(InputFile(member_name, digest, stream.tell()))
        except UnicodeEncodeError:
            problems.append(Problem(name, "", "file names in UTF-8", ascii(member_name)))
        except OSError as error:
            problems.append(Problem(member_name, "", "a file that can be read", reason_of(error)))
    return listed, problems


def plain_names(path: Path, name: str) -> Iterator[str]:
    """Name what `list_plain` digests, and what it could not read, without reading any of it."""
    for member, member_name in _walk(path, name, []):
        with suppress(OSError, UnicodeEncodeError):
            member_name.encode()
            if stat.S_ISREG(member.lstat().st_mode):
                yield member_name


def _walk(path: Path, name: str, problems: list[Problem]) -> Iterator[tuple[Path, str]]:
    if not path.is_dir():
        yield path, name
        return

    def refuse(error: OSError) -> None:
        problems.append(Problem(name, "", "a folder that can be read", reason_of(error)))

    for top, folders, files in os.walk(path, onerror=refuse):
        folders.sort()
        links = [folder for folder in folders if (Path(top) / folder).is_symlink()]
        for member in sorted([*files, *links]):
            found = Path(top) / member
            yield found, f"{name}/{found.relative_to(path).as_posix()}"


def kind_of(mode: int) -> str:
    """What a file is that is no plain one, in words."""
    if stat.S_ISDIR(mode):
        return "a folder"
    if stat.S_ISLNK(mode):
        return "a link"
    return "no plain file"


def reason_of(error: Exception) -> str:
    """Why a file could not be read, in words."""
    return os_reason(error) if isinstance(error, OSError) else str(error) or type(error).__name__
