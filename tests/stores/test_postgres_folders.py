"""Data folders that PostgreSQL itself writes: none that still holds somebody deleted passes, and each is found.

Servers that are not installed are left out; `make test-stores` installs one with pgvector.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from auditor.base.domain import Verdict
from stores import postgres
from stores.postgres_cases import audited, found_in

pytestmark = pytest.mark.stores
SERVERS = postgres.servers()


def put(case: Path, tmp_path: Path, server: str, kind: str) -> None:
    made = postgres.build(SERVERS[server], {"rewritten": postgres.rewritten, **postgres.DISHONEST}[kind], tmp_path / "server")
    # What initdb copied a second time would only be read a second time.
    made.rename(case / "here")


@pytest.mark.attempt("deleted people in vector stores")
@pytest.mark.parametrize("kind", postgres.DISHONEST)
@pytest.mark.parametrize("server", SERVERS)
def test_whoever_lies_somewhere_in_a_folder_is_found(tmp_path: Path, server: str, kind: str) -> None:
    case = tmp_path / "case"
    case.mkdir()
    put(case, tmp_path, server, kind)
    audit = audited(case)
    assert audit.verdict is Verdict.FAIL
    assert found_in(audit)[0] >= 1


@pytest.mark.parametrize("server", SERVERS)
def test_nobody_is_found_in_a_folder_that_was_rewritten_and_it_stays_open(tmp_path: Path, server: str) -> None:
    case = tmp_path / "case"
    case.mkdir()
    put(case, tmp_path, server, "rewritten")
    audit = audited(case)
    assert (audit.verdict, *found_in(audit)) == (Verdict.INCONCLUSIVE, 0, False)
