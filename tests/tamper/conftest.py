"""Reads a PDF once however many tests recheck it: another byte in it, and it is read anew."""

from __future__ import annotations

import functools
from collections.abc import Iterator

import pytest

from auditor.recheck.pdf import asking

READ = functools.lru_cache(maxsize=32)(asking.read)


@pytest.fixture(scope="module", autouse=True)
def _read_once() -> Iterator[None]:
    """Each reading is a process of its own, and what it finds follows from the bytes alone; no test elsewhere meets this one."""
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(asking, "read", READ)
        yield
