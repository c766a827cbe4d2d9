"""The page of every key and column: current, whole, and with a sentence for each."""

from __future__ import annotations

import tomllib

import pytest

from auditor.case import log_values
from auditor.case.log_values import READ
from auditor.settings.builtin import entries
from auditor.settings.tables import TABLES, Settings
from cases import SAMPLES
from tests import reference_page

PAGE = reference_page.page()


def test_the_page_is_current() -> None:
    assert reference_page.PAGE.read_text(encoding="utf-8") == PAGE, "run: make reference"


def test_every_key_and_every_column_has_a_sentence() -> None:
    rows = [line for line in PAGE.splitlines() if line.startswith("| `")]
    assert len(rows) > 150
    assert not [row for row in rows if row.rstrip("| ").endswith(("|", "`")) or not row.rstrip("| ").endswith((".", ";"))]


@pytest.mark.parametrize("name", sorted({*Settings.model_fields, *entries()} - {"procedure", "outside"}))
def test_every_table_is_on_the_page(name: str) -> None:
    assert name in TABLES or name in entries()
    heading = f"## `[{name}]`" if name in TABLES else f'## `[procedure]` with `use = "{name}"`'
    assert PAGE.count(f"\n{heading}\n") == 1


def test_every_column_is_on_the_page() -> None:
    log = PAGE.partition("# Columns of a deletion log")[2]
    assert [name for name in READ if f"\n| `{name}` |" not in log] == []
    assert set(reference_page.INNER) == set(log_values.TABLES)


def test_every_key_of_every_sample_is_on_the_page() -> None:
    for path in SAMPLES.glob("*/audit.toml"):
        for name, table in tomllib.loads(path.read_text(encoding="utf-8")).items():
            if name != "procedure" and isinstance(table, dict):
                section = PAGE.partition(f"## `[{name}]`\n")[2].partition("\n## ")[0]
                assert [key for key in table if f"\n| `{key}` |" not in section] == [], path
