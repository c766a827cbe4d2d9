"""Workers that are forked: from one process for each set of libraries, which has loaded them behind a barrier around files."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from auditor.base import templates
from auditor.sandbox.allowed_paths import accesses, openings

_TEMPLATE: Final = "auditor.sandbox.fork_child"
"""The module that runs in the process."""


def fork(modules: Sequence[str], environment: dict[str, str], handed: Sequence[int]) -> templates.Forked | None:
    """Fork a worker from a process that has loaded these modules; None where there can be none.

    Args:
        modules: What it has loaded.
        environment: That of every worker, but for what names its own folder.
        handed: The descriptors that it is given; see `fork_child.Handed`.

    Raises:
        OSError: If the system has no room for another process.
    """
    # Of /proc a worker then opens what is about itself. It writes only where workers have their folders.
    opened = accesses(openings(inputs=(Path("/proc"),), outputs=(_temporary(),)))
    return templates.fork(_TEMPLATE, (json.dumps(opened), json.dumps(list(modules))), environment, handed)


def _temporary() -> Path:
    """The folder that all workers have theirs in: the system's for temporary files where that holds the one in use."""
    used = Path(tempfile.gettempdir())
    return next((folder for folder in map(Path, ("/tmp", "/var/tmp")) if used.is_relative_to(folder)), used)  # noqa: S108 - none is made
