"""`python -m auditor` and the `auditor` command: set the stage, then hand over to the command line."""

from __future__ import annotations

import gc
import os
import resource
import sys
import threading
from contextlib import suppress

_ENOUGH = 1024 * 1024 * 1024
"""Bytes of addresses, of which numerical libraries take far more than they use."""


def main() -> None:
    """Run the command line on `sys.argv` and leave with its exit code."""
    # Small problems run fastest on one thread a process, and numerical libraries read these when they are first imported.
    for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
        os.environ.setdefault(name, "1")
    # A plugin of Pydantic that happens to be installed must not change what a model accepts; nor is any looked for.
    os.environ["PYDANTIC_DISABLE_PLUGINS"] = "__all__"
    # A command makes many objects that live to its end; looking through them at every turn costs a tenth of its time.
    gc.set_threshold(200_000, 50, 50)
    # What a library's destructor or thread raises does not concern the user; errors of ours come back to `run`.
    sys.unraisablehook = lambda _error: None
    threading.excepthook = lambda _error: None
    if _lacks_memory():
        sys.exit(4)
    from auditor.cli import run  # noqa: PLC0415  (after the environment is set)

    code = run(sys.argv[1:])
    # Python would look through all that is left for garbage once more before it ends: a sixth of the time of a short command.
    gc.freeze()
    sys.exit(code)


def _lacks_memory() -> bool:
    """Whether too little memory is allowed to load numerical libraries, which then end the process as if a check had failed."""
    limits = (resource.getrlimit(kind)[0] for kind in (resource.RLIMIT_AS, resource.RLIMIT_DATA))
    allowed = min((limit for limit in limits if limit != resource.RLIM_INFINITY), default=_ENOUGH)
    if allowed >= _ENOUGH:
        return False
    with suppress(OSError, AttributeError):
        found = f"memory is limited to {allowed >> 20} MiB (ulimit -v)"
        sys.stderr.write(f"auditor: {found}: expected at least {_ENOUGH >> 20} MiB, PyTorch takes 4096\n")
    return True


if __name__ == "__main__":
    main()
