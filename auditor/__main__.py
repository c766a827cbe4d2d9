"""`python -m auditor` and the `auditor` command: set the stage, then hand over to the command line."""

from __future__ import annotations

import gc
import os
import sys


def main() -> None:
    """Run the command line on `sys.argv` and leave with its exit code."""
    # Small problems run fastest on one thread a process, and numerical libraries read these when they are first imported.
    for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
        os.environ.setdefault(name, "1")
    # A command makes many objects that live to its end; looking through them at every turn costs a tenth of its time.
    gc.set_threshold(200_000, 50, 50)
    from auditor.cli import run  # noqa: PLC0415  (after the environment is set)

    sys.exit(run(sys.argv[1:]))


if __name__ == "__main__":
    main()
