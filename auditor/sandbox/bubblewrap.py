"""Bubblewrap: user, process, network, message and mount namespaces around a command, where the machine allows them.

Inside, only what is opened exists, at the same paths, and read-only but for the folders of the procedure; `/tmp` and `/dev/shm`
are the worker's own and end with it. The other barriers hold within these as well.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterable
from pathlib import Path

from auditor.base.errors import SandboxError
from auditor.sandbox.allowed_paths import Openings, temporary_folder
from auditor.sandbox.fork_server import HOST
from auditor.sandbox.namespaces import link_to

SHARED_MEMORY = "/dev/shm"  # noqa: S108 - the namespace's own
"""Where semaphores and tensors are shared between the processes of one worker."""

_SHARED_BYTES = 1024 * 1024 * 1024
_BUILT_IN = ("/dev", "/proc")


def command(opened: Openings, working: str, root: Path | None = None) -> list[str]:
    """The command that starts another one, given behind it, in namespaces of its own.

    No `--new-session`: the auditor starts bubblewrap in a session without a terminal, which is what that option is for, and
    finds the processes of a worker by their session.

    Args:
        opened: What exists inside.
        working: The working directory.
        root: The folder that everything is mounted in, which has a place for each; one that exists inside alone when left out.

    Raises:
        SandboxError: If bubblewrap is not installed.
    """
    arguments = [program(), *(f"--unshare-{kind}" for kind in ("user", "pid", "net", "ipc", "uts")), "--unshare-cgroup-try"]
    arguments += ["--die-with-parent", "--cap-drop", "ALL", "--hostname", HOST]
    if root is not None:
        arguments += ["--ro-bind", str(root), "/"]
    apart = () if root is None else (str(temporary_folder()),)
    arguments += ["--proc", "/proc", "--dev", "/dev", "--size", str(_SHARED_BYTES), "--tmpfs", SHARED_MEMORY]
    arguments += [each for folder in dict.fromkeys(("/tmp", *apart)) for each in ("--tmpfs", folder)]  # noqa: S108
    for path in _parents_first((*opened.programs, *opened.facts, *opened.inputs)):
        if not path.startswith(_BUILT_IN):
            arguments += _shown(path, linked=root is None)
    for path in opened.accelerators:
        arguments += ["--dev-bind-try", path, path]
    for path in opened.outputs:
        arguments += ["--bind", path, path]
    return [*arguments, "--chdir", working, "--"]


def program() -> str:
    """Where bubblewrap is.

    Raises:
        SandboxError: If it is not installed.
    """
    found = shutil.which("bwrap")
    if found is None:
        raise SandboxError("bubblewrap (the program bwrap) is not installed")
    return found


def _shown(path: str, *, linked: bool) -> list[str]:
    """A system folder that is a link into another stays one; it is there already where nothing is to be made."""
    link = link_to(path)
    if link is None:
        return ["--ro-bind-try", path, path]
    return ["--symlink", link, path] if linked else []


def _parents_first(paths: Iterable[str]) -> list[str]:
    return sorted(set(paths))
