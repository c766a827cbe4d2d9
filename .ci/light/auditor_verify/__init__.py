"""The command `auditor-verify`: the package `auditor` of this folder, which holds what rechecks, renders and compares results.

It lies in here, under no name of its own, so that this distribution and `auditor` share no file: each can be installed, upgraded
and removed without the other.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path


def main() -> None:
    """Run the command line with the package of this folder, here and in the processes that it starts."""
    here = str(Path(__file__).resolve().parent)
    sys.path.insert(0, here)
    os.environ["PYTHONPATH"] = os.pathsep.join(filter(None, (here, os.environ.get("PYTHONPATH"))))
    from auditor.__main__ import main as run  # noqa: PLC0415  (found only from here on)

    run()
