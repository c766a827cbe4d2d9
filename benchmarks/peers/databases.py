"""Vectors of erased people in a PostgreSQL server, by vector-forget while it runs and by `auditor scan` once it is stopped.

vector-forget deletes rows, has the server clean up, and asks it what is left; `auditor scan` reads the server's folder and never
talks to it. Debian's server has what vector-forget asks (pgstattuple) and lacks pgvector, so that vectors are arrays of float4.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np

from auditor.base.records import Floats
from benchmarks.peers import environments, stores
from benchmarks.peers.sizes import SEED, Sizes

_PROGRAMS: Final = "/usr/lib/postgresql/*/bin"
_NOBODY: Final = 65534


@dataclass(frozen=True, slots=True)
class Design:
    """What happened to the erased."""

    vector_forget: str
    """How vector-forget is called: verify, forget, or deep."""
    statements: tuple[str, ...] = ()
    """What ran before, with the erased as `GONE`."""
    never_there: bool = False
    """Whether the table was made without the erased."""


NOTHING: Final = "nothing left: a new server, the others only"
DESIGNS: Final = {
    NOTHING: Design("verify", never_there=True),
    "rows deleted, nothing cleaned up": Design("verify", ("DELETE FROM people WHERE id IN GONE",)),
    "rows deleted by vector-forget, `VACUUM`": Design("forget"),
    "rows deleted by vector-forget, `VACUUM FULL`": Design("deep"),
    "the same, with a copy in another table": Design("deep", ("CREATE TABLE people_old AS TABLE people",)),
}
"""Each begins with a table of everybody, but for the first."""


def measure(_sizes: Sizes, usable: Collection[str]) -> dict[str, Any]:
    """Make each design, ask vector-forget, stop the server, and scan its folder."""
    programs = sorted(Path("/").glob(_PROGRAMS[1:]))
    if not programs:
        return {"problem": "no PostgreSQL of Debian's is installed", "designs": {}}
    if "vector-forget" not in usable:
        return {"problem": "vector-forget is not installed", "designs": {}}
    vectors = np.random.default_rng([SEED, 7]).normal(size=(stores.PEOPLE, stores.WIDTH)).astype(np.float32)
    gone = [f"person-{each}" for each in range(stores.ERASED)]
    found: dict[str, Any] = {"people": stores.PEOPLE, "erased": stores.ERASED, "width": stores.WIDTH, "designs": {}}
    for name, design in DESIGNS.items():
        with tempfile.TemporaryDirectory() as folder:
            place = Path(folder) / "server"
            table = _table(vectors, first=stores.ERASED * design.never_there)
            with _running(programs[-1], place) as server:
                _told(programs[-1], server, "CREATE EXTENSION pgstattuple", *table)
                _told(programs[-1], server, *(each.replace("GONE", _listed(gone)) for each in design.statements))
                asked = {"server": f"host={server} dbname=postgres user=postgres", "table": "people", "people": gone}
                said = environments.ask("vector-forget", "forget_probe", {}, how=design.vector_forget, **asked)
            data = place / "data"
            row = {"there": stores.there(data, vectors), "vector-forget": said}
            row["auditor"] = stores.own(Path(folder), data, vectors)
        found["designs"][name] = row
    return found


@contextmanager
def _running(programs: Path, place: Path) -> Iterator[Path]:
    """A new server with a socket in a folder; stopped in the end, with everything written to its files."""
    for folder in (place.parent, place):
        folder.mkdir(exist_ok=True)
        folder.chmod(0o777)
    data, settings = place / "data", f"-c listen_addresses='' -c autovacuum=off -k {place}"
    _run(programs / "initdb", "-D", data, "-N", "-E", "UTF8", "--locale=C", "-A", "trust", "-U", "postgres", "--wal-segsize=1")
    _run(programs / "pg_ctl", "-D", data, "-l", place / "log", "-w", "-o", settings, "start")
    try:
        yield place
    finally:
        _run(programs / "pg_ctl", "-D", data, "-w", "-m", "fast", "stop")


def _told(programs: Path, server: Path, *statements: str) -> None:
    asked = (programs / "psql", "-q", "-v", "ON_ERROR_STOP=1", "-h", server, "-U", "postgres", "-d", "postgres", "-f", "-")
    for each in statements:
        _run(*asked, given=each)


def _run(*command: object, given: str = "") -> None:
    """Run a program of PostgreSQL's; as nobody in particular where it would refuse to run as root."""
    words = [str(each) for each in command]
    if os.getuid() == 0:
        words = [shutil.which("setpriv") or "setpriv", f"--reuid={_NOBODY}", f"--regid={_NOBODY}", "--clear-groups", *words]
    done = subprocess.run(words, input=given, text=True, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, check=False, cwd="/")
    if done.returncode:
        raise RuntimeError(f"{words[-1]}: {done.stderr[-500:]}")


def _table(vectors: Floats, *, first: int) -> Iterator[str]:
    yield "CREATE TABLE people (id text PRIMARY KEY, vector float4[])"
    rows = (f"('person-{at}', '{{{','.join(map(repr, map(float, each)))}}}')" for at, each in enumerate(vectors[first:], first))
    yield f"INSERT INTO people VALUES {', '.join(rows)}"
    yield "CHECKPOINT"


def _listed(people: Sequence[str]) -> str:
    return "(" + ", ".join(f"'{each}'" for each in people) + ")"
