"""The process in which PDFs are read: it limits itself, reads a question on stdin and writes the answer on stdout.

A question is a line of JSON, `{"do": "read"}` or `{"do": "compare"}` with the length of each file, and then the files.
An answer is JSON: what was asked for, or `unreadable` with the reason.
"""

from __future__ import annotations

import base64
import json
import resource
import sys
from collections.abc import Iterator
from dataclasses import asdict
from itertools import islice
from typing import Any

from auditor.recheck.pdf import picture, structure
from auditor.recheck.pdf.contents import UnreadableError, opened, take_apart
from auditor.recheck.pdf.limits import MEMORY_BYTES, MOST_LISTED


def main() -> None:
    """Answer the one question that stdin holds."""
    question = json.loads(sys.stdin.buffer.readline())
    files = [sys.stdin.buffer.read(size) for size in question["sizes"]]
    _limit(question["seconds"])
    sys.stdout.write(json.dumps(answer(question["do"], *files)))


def answer(do: str, *files: bytes) -> dict[str, Any]:
    """Answer a question about files that may come from anybody.

    Args:
        do: `read` for one file, `compare` for one and the one that it should be.
        files: Their bytes.
    """
    try:
        return _read(*files) if do == "read" else _compare(*files)
    except UnreadableError as error:
        return {"unreadable": str(error)}
    except ImportError as error:
        return {"lacking": error.name or str(error)}
    except Exception as error:  # noqa: BLE001  (a hostile file may make the library raise anything)
        return {"unreadable": f"one that is cut off or damaged ({str(error)[:80] or type(error).__name__})"}


def _read(content: bytes) -> dict[str, Any]:
    taken = take_apart(content)
    attachments = [[name, base64.b64encode(held).decode()] for name, held in taken.attachments]
    return asdict(taken) | {"attachments": attachments}


def _compare(found: bytes, expected: bytes) -> dict[str, Any]:
    listed = [*islice(_differences(found, expected), MOST_LISTED + 1)]
    more = len(listed) > MOST_LISTED
    return {"differences": listed[:MOST_LISTED] + (["and more"] if more else [])}


def _differences(found: bytes, expected: bytes) -> Iterator[str]:
    reader = opened(found)
    yield from structure.differences(reader, opened(expected))
    yield from structure.hidden(found, reader)
    yield from picture.differences(found, expected)


def _limit(seconds: int) -> None:
    """Limit time, memory and files for good: whatever the libraries are made to do, it ends with this process."""
    for what, most in (
        (resource.RLIMIT_CPU, seconds),
        (resource.RLIMIT_AS, MEMORY_BYTES),
        (resource.RLIMIT_FSIZE, 0),
        (resource.RLIMIT_CORE, 0),
        (resource.RLIMIT_NPROC, 0),
    ):
        resource.setrlimit(what, (most, most))


if __name__ == "__main__":
    main()
