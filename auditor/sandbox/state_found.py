"""What a survey found, as it comes out of a process that runs foreign code: bounded, printable, and without a seed."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from typing import Final

from auditor.sandbox.wire import printable, refuse, written

KINDS: Final = ("module global", "attribute", "cache", "generator", "file")
"""What is kept apart, in the order in which it is listed."""
_WHAT: Final = "a survey"
BYTES: Final = 4 * 1024 * 1024
"""The longest survey that is read."""
_MOST: Final = 2000
_NAME: Final = 120
_DIGEST: Final = re.compile(r"[0-9a-f]{32}")


def cleaned(content: bytes, *, hide: Callable[[str], str], where: str) -> bytes:
    """A survey as it may be kept: canonical JSON, names cut short, with control characters and seeds taken out.

    Args:
        content: What the child wrote.
        hide: Blots out seeds.
        where: The step, for the message.

    Raises:
        ProcedureError: If it is no survey.
    """
    listed = written(content, where=where, expected=_WHAT)
    if not isinstance(listed, dict) or set(listed) != set(KINDS):
        refuse(where, _WHAT, "other keys")
    return json.dumps({kind: _cleaned(listed[kind], hide, where) for kind in KINDS}, sort_keys=True).encode()


def read(content: bytes) -> dict[tuple[str, str], str]:
    """The digests of a cleaned survey, by kind and name."""
    listed = json.loads(content)
    return {(kind, name): digest for kind in KINDS for name, digest in listed[kind].items()}


def changed(before: Mapping[tuple[str, str], str], after: Mapping[tuple[str, str], str]) -> set[tuple[str, str]]:
    """What is there afterwards and was not there before, or held something else."""
    return {place for place, digest in after.items() if before.get(place) != digest}


def _cleaned(named: object, hide: Callable[[str], str], where: str) -> dict[str, str]:
    if not isinstance(named, dict) or len(named) > _MOST:
        refuse(where, _WHAT, "too many names, or none at all")
    digests: dict[str, str] = {}
    for name, digest in named.items():
        if not isinstance(digest, str) or not _DIGEST.fullmatch(digest):
            refuse(where, _WHAT, "something else")
        short = printable(hide(name), _NAME)
        # Two that look alike when cut short are one, and changed when either did.
        digests[short] = digests.get(short, "") + digest
    return digests
