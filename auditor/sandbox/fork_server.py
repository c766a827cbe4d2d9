"""Workers that are forked: from one process for each set of libraries, which has loaded them behind a barrier around files."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from auditor.base import templates
from auditor.sandbox import landlock
from auditor.sandbox.allowed_paths import accesses, openings, temporary_folder

_TEMPLATE: Final = "auditor.sandbox.fork_child"
"""The module that runs in the process."""
HOST: Final = "sandbox"
"""What a machine is called in a namespace of its own."""


def fork(
    modules: Sequence[str], environment: dict[str, str], handed: Sequence[int], root: Path | None = None
) -> templates.Forked | None:
    """Fork a worker from a process that has loaded these modules; None where there can be none.

    Args:
        modules: What it has loaded.
        environment: That of every worker, but for what names its own folder.
        handed: The descriptors that it is given; see `fork_child.Handed`.
        root: The root of the namespaces that it shall join (see `namespaces`); None where it joins none.

    Raises:
        OSError: If the system has no room for another process.
    """
    # Of /proc a worker then opens what is about itself; one that joins namespaces sees another. It writes only where workers have
    # their folders, and libraries look for such a place while they load.
    own = Path("/proc" if root is None else "/proc/self")
    opened = accesses(openings(inputs=(own,), outputs=(temporary_folder(),)))
    if root is not None:
        # Beneath the root lies nothing before it has joined, and what it may do there its own barrier says.
        opened.append((str(root), landlock.EVERYTHING))
    told = (json.dumps(opened), json.dumps(list(modules)), "" if root is None else HOST)
    return templates.fork(_TEMPLATE, told, environment, handed)
