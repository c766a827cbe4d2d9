"""Asks a process of its own about PDFs, so that a hostile file ends that process and not this one."""

from __future__ import annotations

import base64
import json
import os
import subprocess
import sys
from collections.abc import Mapping
from typing import Any, Final

from auditor.base import extras
from auditor.base.domain import Problem
from auditor.base.errors import InputError
from auditor.recheck.pdf.contents import Contents
from auditor.recheck.pdf.limits import MOST_BYTES, SECONDS, SECONDS_EACH_MEBIBYTE

_MEBIBYTE: Final = 1024 * 1024
_NEEDED: Final = ("PATH", "LD_LIBRARY_PATH", "PYTHONPATH", "VIRTUAL_ENV")
"""What a process needs to find its libraries."""


def read(content: bytes, name: str) -> Contents:
    """Take a PDF apart.

    Args:
        content: Its bytes, which may come from anybody.
        name: What a Problem calls the file.

    Raises:
        InputError: If it is cut off, damaged, encrypted, larger or slower than anything of ours; or the PDF library is missing.
    """
    answer = _ask("read", (content,), name)
    try:
        attachments = tuple((str(each), base64.b64decode(held)) for each, held in answer.pop("attachments"))
        return Contents(attachments=attachments, **answer)
    except (KeyError, TypeError, ValueError) as error:
        raise _unreadable(name, "one that its reader broke off at") from error


def differences(found: bytes, expected: bytes, name: str) -> tuple[str, ...]:
    """Say in what a PDF differs from the one that it should be, to anyone who reads it; nothing where it looks the same.

    Compared are page count, page tree, annotations, actions, bookmarks, tags, metadata, the text of each page and its picture
    at 60 dots an inch. Dates and the way of storing are not.

    Args:
        found: The PDF, which may come from anybody.
        expected: The PDF that was rendered for comparison.
        name: What a Problem calls the file.

    Raises:
        InputError: If it cannot be read, or the library that draws PDFs is missing.
    """
    return tuple(map(str, _ask("compare", (found, expected), name).get("differences", ["it was not compared to its end"])))


def _ask(what: str, files: tuple[bytes, ...], name: str) -> dict[str, Any]:
    """Put a question to a child.

    Raises:
        InputError: If it cannot answer.
    """
    largest = max(map(len, files))
    if largest > MOST_BYTES:
        raise _unreadable(name, f"{largest} bytes, more than {MOST_BYTES}")
    seconds = SECONDS + SECONDS_EACH_MEBIBYTE * sum(map(len, files)) // _MEBIBYTE
    question = {"do": what, "sizes": [len(each) for each in files], "seconds": seconds}
    # -P and -s: nothing in the folder that somebody is in, nor of their own packages, is run.
    command = [sys.executable, "-P", "-s", "-m", "auditor.recheck.pdf.child"]
    try:
        ran = subprocess.run(
            command,
            input=b"\n".join([json.dumps(question).encode(), b"".join(files)]),
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            timeout=2 * seconds,
            env=_environment(),
            check=False,
        )
        answer = json.loads(ran.stdout)
    except subprocess.TimeoutExpired as error:
        raise _unreadable(name, f"one that takes longer than {2 * seconds} s to read") from error
    except (ValueError, RecursionError) as error:
        raise _unreadable(name, f"one that ends its reader ({_ending(ran.returncode)})") from error
    return _sound(answer, name)


def _sound(answer: Any, name: str) -> dict[str, Any]:
    if not isinstance(answer, dict):
        raise _unreadable(name, "one that its reader broke off at")
    if "lacking" in answer:
        raise InputError([Problem(name, "", f"the package {answer['lacking']}, to read a PDF", _uninstalled(answer["lacking"]))])
    if "unreadable" in answer:
        raise _unreadable(name, str(answer["unreadable"])[:200])
    return answer


def _uninstalled(module: object) -> str:
    extra = extras.extra_of(str(module))
    return "it is not installed" if extra is None else f"it is not installed: {extras.command(extra)}"


def _environment() -> Mapping[str, str]:
    held = {key: os.environ[key] for key in _NEEDED if key in os.environ}
    return held | {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}


def _ending(code: int) -> str:
    return f"signal {-code}" if code < 0 else f"exit code {code}"


def _unreadable(name: str, found: str) -> InputError:
    return InputError([Problem(name, "", "a whole PDF", found)])
