"""Loads the layout engine: without what our pages never ask of it, and with what it does once where it would do it often.

The latter reaches into the engine: `lines`, `page_numbers`, `parsed_html`, `pdf_objects` and `used_styles`. All of it is for the
versions in `TRIED`; others lay out the same pages as they are, and take about twice the time.
"""

from __future__ import annotations

import ctypes.util
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from importlib import import_module
from importlib.metadata import version
from types import ModuleType
from typing import Any, Final

from auditor.pages import lines, page_numbers, parsed_html, used_styles

TRIED: Final = {"weasyprint": "70.0", "pydyf": "0.13.0", "tinyhtml5": "2.1.0"}
"""The versions with which pages come out the same to the byte."""
_FOR_RARE_FONTS: Final = ("fontTools.subset", "fontTools.varLib", "fontTools.varLib.instancer")


def load_engine() -> None:
    """Load the layout engine and its system libraries.

    Raises:
        ImportError: If the engine is not installed.
        OSError: If a library is missing.
    """
    with _libraries_by_soname(), _rarely_needed():
        import weasyprint  # noqa: F401, PLC0415 - heavy, and absent where nothing is rendered
    if is_tried():
        for each in (parsed_html, used_styles, lines, page_numbers):
            each.install()


@cache
def is_tried() -> bool:
    """Whether the engine that is installed is the one whose work is spared."""
    return all(version(name) == tried for name, tried in TRIED.items())


class _Later(ModuleType):
    """A module that is imported when something of it is asked for."""

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)

        def called(*args: Any, **named: Any) -> Any:
            return getattr(import_module(self.__name__), name)(*args, **named)

        return called


@contextmanager
def _rarely_needed() -> Iterator[None]:
    """Let the engine import what changes variable fonts, and those that HarfBuzz cannot make smaller, when it meets one.

    No bundled font is one, and it takes as long to import as the rest of the engine.
    """
    put = {name: _Later(name) for name in _FOR_RARE_FONTS if name not in sys.modules}
    sys.modules.update(put)
    try:
        yield
    finally:
        for name, module in put.items():
            if sys.modules.get(name) is module:
                del sys.modules[name]


def _unknown(name: str) -> str | None:  # noqa: ARG001
    return None


@contextmanager
def _libraries_by_soname() -> Iterator[None]:
    """Let the engine open its libraries on Linux by the names that the loader knows, such as libpango-1.0.so.0.

    It tries the names of other systems first. For each of those Python asks ldconfig, the compiler and the linker, fifty
    processes in all, before it comes to the name that works.
    """
    if sys.platform != "linux":
        yield
        return
    before = ctypes.util.find_library
    ctypes.util.find_library = _unknown
    try:
        yield
    finally:
        ctypes.util.find_library = before
