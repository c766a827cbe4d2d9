"""The process that limited ones are forked from: `python -P -s -m auditor.sandbox.fork_reading CONTROL PARENT SERVE`.

It loads, once, what every process that reads files for one purpose would load for itself, and has read no file. Each fork then
limits itself as one that was executed does. It learns nothing of a case: a fork reads on its own pipe what it is given.
"""

from __future__ import annotations

import json
import os
import signal
import socket
import sys
import tempfile
from contextlib import suppress
from importlib import import_module
from pathlib import Path

from auditor.base.forking import Forking
from auditor.sandbox import kernel, reading


def main(arguments: list[str]) -> None:
    """Load what answers, then fork until the auditor is gone; a fork answers.

    Raises:
        SystemExit: If a fork would not be as good as a process that is executed.
    """
    control = socket.socket(fileno=int(arguments[0]))
    control.set_inheritable(False)
    kernel.prctl(kernel.PR_SET_CHILD_SUBREAPER, 1)
    serve = arguments[2]
    module = import_module(serve.partition(":")[0])
    for name in getattr(module, "LOADED_FIRST", ()):
        with suppress(ImportError):  # who needs it says so
            import_module(name)
    if len(list(Path("/proc/self/task").iterdir())) > 1:
        raise SystemExit("a fork would lack its threads, and may wait for them")
    _store_in("/")
    handed = Forking(control, int(arguments[1])).serve()
    if handed is None:
        os._exit(0)  # taking libraries down takes time, and leaves nothing that matters
    _become(serve, *handed)


def _become(serve: str, questions: int, replies: int) -> None:
    """Become a limited process: a session, pipes and a folder of its own, then its limits."""
    kernel.prctl(kernel.PR_SET_PDEATHSIG, signal.SIGKILL)
    os.setsid()
    os.dup2(questions, 0)
    os.dup2(replies, 1)
    os.close(questions)
    os.close(replies)
    asked = os.fdopen(0, "rb")
    told = json.loads(reading.received(asked) or b"null")
    if told is None or os.getppid() != told["template"]:
        return  # the auditor or the template ended before the kernel knew that we should end with it
    os.environ["TMPDIR"] = told["folder"]
    tempfile.tempdir = None
    _store_in(told["folder"])
    with suppress(OSError, TypeError):  # the auditor's folder was removed: relative paths name nothing there either
        os.chdir(told["at"])
    reading.answer(serve, asked)


def _store_in(folder: str) -> None:
    """Have SQLite write its temporary files there: it looked for a place when it was loaded.

    Raises:
        SystemExit: If it does not.
    """
    if "sqlite3" not in sys.modules:
        return
    import sqlite3  # noqa: PLC0415 - not for what reads no database

    with sqlite3.connect(":memory:") as database:
        database.execute("PRAGMA temp_store_directory = '{}'".format(folder.replace("'", "''")))
        found = database.execute("PRAGMA temp_store_directory").fetchone()
    database.close()
    if found != (folder,):
        raise SystemExit("SQLite would write its temporary files elsewhere")


if __name__ == "__main__":
    main(sys.argv[1:])
