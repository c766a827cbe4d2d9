"""Data folders that PostgreSQL itself writes: none that still holds somebody deleted passes, and each is found.

Servers that are not installed are left out; `make test-stores` installs one with pgvector.
"""

from __future__ import annotations

import shutil
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from auditor.base.domain import Verdict
from stores import postgres
from stores.postgres_cases import audited, found_in

pytestmark = pytest.mark.stores
SERVERS = postgres.servers()


def put(case: Path, server: str, kind: str) -> None:
    case.mkdir()
    # Where pytest has its folders, nobody else may go, and the server does not run as root.
    with TemporaryDirectory() as scratch:
        Path(scratch).chmod(0o755)
        make = {"rewritten": postgres.rewritten, **postgres.DISHONEST}[kind]
        shutil.move(postgres.build(SERVERS[server], make, Path(scratch) / "server"), case / "here")


@pytest.mark.attempt("deleted people in vector stores")
@pytest.mark.parametrize("kind", postgres.DISHONEST)
@pytest.mark.parametrize("server", SERVERS)
def test_whoever_lies_somewhere_in_a_folder_is_found(tmp_path: Path, server: str, kind: str) -> None:
    case = tmp_path / "case"
    put(case, server, kind)
    audit = audited(case)
    assert audit.verdict is Verdict.FAIL
    assert found_in(audit)[0] >= 1


@pytest.mark.parametrize("server", SERVERS)
def test_nobody_is_found_in_a_folder_that_was_rewritten_and_it_stays_open(tmp_path: Path, server: str) -> None:
    case = tmp_path / "case"
    put(case, server, "rewritten")
    audit = audited(case)
    assert (audit.verdict, *found_in(audit)) == (Verdict.INCONCLUSIVE, 0, False)
