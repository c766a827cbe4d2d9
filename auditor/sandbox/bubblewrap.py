"""Bubblewrap: user, process, network, message and mount namespaces around the launcher, where the machine allows them.

Inside, only what is opened exists, at the same paths, and read-only but for the folders of the procedure; `/tmp` and
`/dev/shm` are the worker's own and end with it. The other barriers hold within these as well.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterable
from pathlib import Path

from auditor.base.errors import SandboxError
from auditor.sandbox.allowed_paths import Openings

SHARED_MEMORY = "/dev/shm"  # noqa: S108 - the namespace's own
"""Where semaphores and tensors are shared between the processes of one worker."""

_SHARED_BYTES = 1024 * 1024 * 1024
_BUILT_IN = ("/dev", "/proc")


def command(opened: Openings, working: str) -> list[str]:
    """The command that starts another one, given behind it, in namespaces of its own.

    No `--new-session`: the auditor starts bubblewrap in a session without a terminal, which is what that option is for, and
    finds the processes of a worker by their session.

    Args:
        opened: What exists inside.
        working: The working directory.

    Raises:
        SandboxError: If bubblewrap is not installed.
    """
    program = shutil.which("bwrap")
    if program is None:
        raise SandboxError("bubblewrap (the program bwrap) is not installed")
    namespaces = ["user", "pid", "net", "ipc", "uts"]
    arguments = [program, *(f"--unshare-{name}" for name in namespaces), "--unshare-cgroup-try"]
    arguments += ["--die-with-parent", "--cap-drop", "ALL", "--hostname", "sandbox"]
    arguments += ["--proc", "/proc", "--dev", "/dev", "--size", str(_SHARED_BYTES), "--tmpfs", SHARED_MEMORY, "--tmpfs", "/tmp"]  # noqa: S108
    for path in _parents_first((*opened.programs, *opened.facts, *opened.inputs)):
        if not path.startswith(_BUILT_IN):
            arguments += _shown(path)
    for path in opened.accelerators:
        arguments += ["--dev-bind-try", path, path]
    for path in opened.outputs:
        arguments += ["--bind", path, path]
    return [*arguments, "--chdir", working, "--"]


def _shown(path: str) -> list[str]:
    """A system folder that is a link into another, as `/lib` is on most systems, stays one."""
    place = Path(path)
    if place.is_symlink() and place.parent == Path("/"):
        return ["--symlink", str(place.readlink()), path]
    return ["--ro-bind-try", path, path]


def _parents_first(paths: Iterable[str]) -> list[str]:
    return sorted(set(paths))
