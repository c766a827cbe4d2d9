"""What it takes to load the layout engine."""

from __future__ import annotations

import subprocess
import sys

import pytest

_ALONE = """
import ctypes.util, subprocess
def refuse(*words, **options):
    raise AssertionError(f"a process was started: {words}")
before = ctypes.util.find_library
subprocess.Popen.__init__ = refuse
from auditor.pages import layout_engine
layout_engine.load_engine()
assert ctypes.util.find_library is before
"""


@pytest.mark.skipif(sys.platform != "linux", reason="other systems have no names of libraries that the loader knows")
def test_no_compiler_and_no_linker_is_asked_where_the_libraries_lie() -> None:
    subprocess.run([sys.executable, "-c", _ALONE], check=True, timeout=60)
