"""Names of what tells a script where, when and in which process it runs."""

from __future__ import annotations

from typing import Final

from auditor.case.scaffold.syntax import words

OUTSIDE: Final = (
    *("sys.argv", "os.environ", "builtins.input", "os.getenv", "argparse", "typer", "click", "fire", "hydra"),
    *("os.listdir", "os.scandir", "os.walk", "os.stat", "os.getcwd", "os.getlogin", "os.getpid", "os.uname", "os.access"),
    *("os.path.exists", "os.path.isfile", "os.path.isdir", "os.path.getsize", "os.path.getmtime", "os.path.expand"),
    *("glob.", "linecache", "fileinput", "platform", "socket", "getpass", "uuid", "tempfile", "secrets", "sys.flags"),
)
"""What says where and how a script runs, and what lies around it."""
OF_FILES: Final = words("exists is_file is_dir iterdir glob rglob stat cwd home read_bytes owner samefile expanduser")
"""Methods of paths that do the same."""
CLOCK: Final = words("now today utcnow time time_ns perf_counter")
OF_PROCESS: Final = ("builtins.hash", "builtins.id")
"""What gives another number in every process: of text by the seed of its hashes, of an object by where it lies."""
