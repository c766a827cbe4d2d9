"""Places that hold a data folder of PostgreSQL: whoever lies there is found, and none is cleared."""

from __future__ import annotations

from pathlib import Path

import pytest

from auditor.base.domain import Verdict
from stores import make
from stores.postgres_cases import audited, found_in


@pytest.fixture
def case(tmp_path: Path) -> Path:
    make.unpacked("postgres-pgserver", tmp_path / "here")
    return tmp_path


def cleared(case: Path) -> None:
    """Blank out the table with all that was made for it, statistics and the write-ahead log."""
    here = case / "here"
    for path in (*(here / "base" / "5").glob("[0-9]" * 5), here / "base" / "5" / "2619", *(here / "pg_wal").iterdir()):
        path.write_bytes(bytes(path.stat().st_size))


@pytest.mark.attempt("deleted people in vector stores")
def test_rows_that_were_deleted_are_found_and_are_not_among_those_that_are_there(case: Path) -> None:
    audit = audited(case)
    assert (audit.verdict, *found_in(audit)) == (Verdict.FAIL, 2, False)


@pytest.mark.attempt("deleted people in vector stores")
def test_a_folder_in_which_nobody_is_found_stays_open_and_says_why(case: Path) -> None:
    cleared(case)
    audit = audited(case)
    assert (audit.verdict, *found_in(audit)) == (Verdict.INCONCLUSIVE, 0, False)
    assert "data.erased.open.postgresql" in str(audit.evidence.check("places.erased").observed)
