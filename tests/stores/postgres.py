"""Makes data folders of PostgreSQL with the server that is installed, Debian's or that of `pgserver`, which brings pgvector.

    python tests/stores/postgres.py [FOLDER]

The server runs as a single user's, so that it opens no port. Rows are those of `make.vectors()`; rows 3 and 7 are deleted.
"""

from __future__ import annotations

import importlib.util
import os
import random
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from stores import make

NAMES = tuple(f"person-{each:03d}" for each in range(24))
_WORDS = ("rain", "sun", "bread", "river", "glass", "stone")


@dataclass(frozen=True)
class Server:
    """The programs of one version."""

    programs: Path
    vectors: bool
    """Whether it has pgvector."""

    def run(self, name: str, *arguments: object, given: str | None = None) -> str:
        """Run one of them, as nobody in particular where it would refuse to run as root."""
        command = [str(self.programs / name), *map(str, arguments)]
        if os.getuid() == 0:
            command = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", *command]
        ended = subprocess.run(command, input=given, text=True, capture_output=True, check=False, cwd="/", timeout=120)
        # A statement that fails does not end a server for a single user.
        assert ended.returncode == 0, ended.stderr
        assert "ERROR:" not in ended.stderr, ended.stderr
        return ended.stdout

    def sql(self, folder: Path, *statements: str, database: str = "postgres", options: tuple[str, ...] = ()) -> None:
        """Run statements, and stop."""
        settings = ("autovacuum=off", "max_prepared_transactions=4", "wal_level=logical", *options)
        chosen = [part for each in settings for part in ("-c", each)]
        given = "".join(f"{each};\n\n" for each in statements)
        self.run("postgres", "--single", "-j", "-F", "-D", folder, *chosen, database, given=given)

    def without_log(self, folder: Path) -> None:
        """Begin a new write-ahead log, and remove the old one."""
        self.run("pg_resetwal", "-f", "-D", folder)


def servers() -> dict[str, Server]:
    """Those that are installed, by their names."""
    found = {f"debian-{each.parent.name}": Server(each, False) for each in sorted(Path("/usr/lib/postgresql").glob("*/bin"))}
    spec = importlib.util.find_spec("pgserver")
    if spec is not None and spec.submodule_search_locations:
        found["pgserver"] = Server(Path(spec.submodule_search_locations[0]) / "pginstall" / "bin", True)
    return found


def created(server: Server, folder: Path) -> None:
    """Make an empty one."""
    folder.mkdir(parents=True)
    folder.chmod(0o777)
    version = server.run("initdb", "--version")
    own = folder / "data"
    server.run("initdb", "-D", own, "-N", "-k", "-E", "UTF8", "--locale=C", "-A", "trust", "-U", "postgres", "--wal-segsize=1")
    assert "PostgreSQL" in version


def letter(which: int) -> str:
    """A text that is too long for a row and packed."""
    draw = random.Random(which)
    return f"What {NAMES[which]} wrote. " + " ".join(draw.choice(_WORDS) for _ in range(4500))


def table(server: Server, which: range | tuple[int, ...], name: str = "people") -> list[str]:
    """Statements that make a table of these people."""
    kind = "vector(4)" if server.vectors else "real[]"
    columns = f"id text primary key, name varchar(40), age int, score float8, born date, extra jsonb, vec {kind}, note text"
    made = [f"CREATE TABLE {name} ({columns})"]
    for each in which:
        numbers = ", ".join(map(repr, map(float, make.vectors()[each])))
        vector = f"[{numbers}]" if server.vectors else f"{{{numbers}}}"
        note = letter(each) if each % 4 == 3 else f"short {each}"
        values = f"'{NAMES[each]}', 'Name {each:03d} Surname', {20 + each}, {each / 7!r}, '1990-01-{each + 1:02d}'"
        made.append(f"""INSERT INTO {name} VALUES ({values}, '{{"mail": "p{each:03d}@example.org"}}', '{vector}', '{note}')""")
    return made


EVERYBODY = range(24)
STAY = tuple(each for each in EVERYBODY if each not in make.GONE)
DELETE = "DELETE FROM people WHERE id IN ('person-003', 'person-007')"
LETTER = "person-003 and person-007 were here"


REWRITE = ("VACUUM FULL", "ANALYZE", "VACUUM FULL pg_statistic", "CHECKPOINT")
"""What a folder is cleared by, before its write-ahead log."""


def _first(server: Server) -> list[str]:
    return ["CREATE EXTENSION vector"] if server.vectors else []


def rewritten(server: Server, folder: Path) -> None:
    """Deleted, and everything written again: what the documentation tells to do."""
    server.sql(
        folder,
        *_first(server),
        *table(server, EVERYBODY),
        "ANALYZE",
        DELETE,
        "VACUUM FULL",
        "ANALYZE",
        "VACUUM FULL pg_statistic",
    )
    server.without_log(folder)


def _then(*statements: str, people: range | tuple[int, ...] = EVERYBODY, log: bool = False) -> Callable[[Server, Path], None]:
    """A folder in which these statements ran after a table was made; without its write-ahead log, unless it is kept."""

    def made(server: Server, folder: Path) -> None:
        server.sql(folder, *_first(server), *table(server, people), *statements)
        if not log:
            server.without_log(folder)

    return made


def _other_database(server: Server, folder: Path) -> None:
    _then("CREATE DATABASE another", people=STAY)(server, folder)
    server.sql(folder, *_first(server), *table(server, make.GONE), database="another")
    server.without_log(folder)


def _orphan(server: Server, folder: Path) -> None:
    server.sql(folder, *_first(server), *table(server, EVERYBODY), "CHECKPOINT")
    files = [each for each in (folder / "base").rglob("*") if each.is_file()]
    former = max((each for each in files if b"Name 003 Surname" in each.read_bytes()), key=lambda each: each.stat().st_size)
    content = former.read_bytes()
    server.sql(folder, DELETE, "VACUUM FULL")
    server.without_log(folder)
    (former.parent / "999999").write_bytes(content)


def _log_file(server: Server, folder: Path) -> None:
    _then(people=STAY)(server, folder)
    (folder / "log").mkdir()
    (folder / "log" / "postgresql.log").write_text(f"LOG:  statement: {DELETE};\n", encoding="utf-8")


def _packed_in_the_log(server: Server, folder: Path) -> None:
    options = ("wal_compression=on", "full_page_writes=on")
    server.sql(folder, *_first(server), *table(server, EVERYBODY), "CHECKPOINT", options=options)
    server.without_log(folder)
    server.sql(folder, "UPDATE people SET age = age + 1", DELETE, "VACUUM FULL", options=options)


_EMPTIED = "id = 'n' || age, name = '', extra = NULL, vec = NULL, note = ''"
_ROWS = [f"INSERT INTO people (id) VALUES ('{NAMES[each]}')" for each in make.GONE]
_LONG = f"SELECT '{LETTER} ' || string_agg(md5(i::text), '{LETTER}') FROM generate_series(1, 400) i"


def _with(*statements: str) -> Callable[[Server, Path], None]:
    """A folder whose table never had the deleted people, and that holds them somewhere else."""
    return _then(*statements, people=STAY)


DISHONEST: dict[str, Callable[[Server, Path], None]] = {
    "deleted": _then(DELETE),
    "vacuumed": _then(DELETE, "VACUUM people"),
    "updated": _then(f"UPDATE people SET {_EMPTIED} WHERE id IN ('person-003', 'person-007')"),
    "toast": _with(
        "CREATE TABLE letters (t text)", f"INSERT INTO letters VALUES (repeat('{LETTER} ', 900))", "DELETE FROM letters"
    ),
    "outside": _with("CREATE TABLE letters (t text)", f"INSERT INTO letters {_LONG}", "DELETE FROM letters"),
    "index": _then("CREATE INDEX ON people (name)", DELETE, "VACUUM (INDEX_CLEANUP off) people"),
    "dropped-column": _then(
        "ALTER TABLE people ADD former text",
        "UPDATE people SET former = id",
        f"UPDATE people SET {_EMPTIED}",
        "VACUUM FULL people",
        "ALTER TABLE people DROP COLUMN former",
    ),
    "statistics": _then("ALTER TABLE people ALTER id SET STATISTICS 1000", "ANALYZE people", DELETE, "VACUUM FULL people"),
    "log": _then(DELETE, "VACUUM FULL", log=True),
    "packed-log": _packed_in_the_log,
    "another-database": _other_database,
    "orphan": _orphan,
    "renamed": _then("ALTER TABLE people RENAME TO archive"),
    "unlogged": _then("CREATE UNLOGGED TABLE copied AS SELECT * FROM people", DELETE, "VACUUM FULL people"),
    "large-object": _with(f"SELECT lo_from_bytea(0, '{LETTER}')"),
    "comment": _with(f"COMMENT ON TABLE people IS '{LETTER}'"),
    "table-name": _with('CREATE TABLE "person-003" (a int)', 'CREATE TABLE "person-007" (a int)'),
    "default": _with(f"CREATE TABLE other (a text DEFAULT '{LETTER}')"),
    "function": _with(f"CREATE FUNCTION f() RETURNS text LANGUAGE sql AS $$ SELECT '{LETTER}' $$"),
    "two-phase": _with("BEGIN", *_ROWS, "PREPARE TRANSACTION 'later'"),
    "log-file": _log_file,
    "packed-bytes": _with(
        "CREATE TABLE files (content bytea)", f"INSERT INTO files VALUES (convert_to(encode('{LETTER}', 'base64'), 'utf8'))"
    ),
}
"""Folders that hold somebody deleted."""


def build(server: Server, kind: Callable[[Server, Path], None], folder: Path) -> Path:
    """Make one, and give the folder of its data."""
    created(server, folder)
    kind(server, folder / "data")
    return folder / "data"


def bundled(server: Server, folder: Path, packed: Path) -> None:
    """Pack what is read of one: a table with its index, what describes it, statistics and the write-ahead log."""
    created(server, folder)
    data = folder / "data"
    initial = {each.relative_to(data) for each in data.rglob("*")}
    needed = {Path("base/5", each) for each in ("1247", "1249", "1259", "2619", "pg_filenode.map", "PG_VERSION")}
    needed |= {Path("PG_VERSION"), Path("global/pg_control"), Path("pg_xact/0000")}
    index = "CREATE INDEX ON people USING hnsw (vec vector_l2_ops)"
    server.sql(data, *_first(server), *table(server, EVERYBODY), *([index] if server.vectors else []), "ANALYZE people")
    server.without_log(data)
    server.sql(data, DELETE, "CHECKPOINT", options=("wal_compression=on",))
    for each in [each for each in data.rglob("*") if each.is_file()]:
        if each.relative_to(data) in initial - needed or each.name.endswith("_vm") or each.name.endswith("_fsm"):
            each.unlink()
    make._pack(data, packed)


if __name__ == "__main__":
    where = Path(sys.argv[1]) if len(sys.argv) > 1 else make.HERE
    where.mkdir(exist_ok=True)
    with TemporaryDirectory() as scratch:
        Path(scratch).chmod(0o755)
        for server_name, one in servers().items():
            bundled(one, Path(scratch) / server_name, where / f"postgres-{server_name.partition('-')[0]}.tar.xz")
