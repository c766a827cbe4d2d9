"""The pages that people write are at most so long, and those that follow from code or results are known by what writes them."""

from __future__ import annotations

from pathlib import Path

from benchmarks import page as speed
from benchmarks.paper import (
    continual_page,
    document,
    extractors_page,
    removal_page,
    removal_times_page,
    savings_page,
    touchstones_page,
)
from benchmarks.paper.inference import page as inference
from benchmarks.peers import page as peers
from tests import checks_page, glossary_page, leaves_page, licences_page, papers_page, reference_page, replies_page

DOCS = Path(__file__).resolve().parents[2] / "docs"
MOST = 50_000
WRITTEN = frozenset(
    {
        each.PAGE.name
        for each in (
            checks_page,
            glossary_page,
            leaves_page,
            licences_page,
            papers_page,
            peers,
            reference_page,
            replies_page,
            speed,
        )
    }
    | {
        f"{each.NAME}.md"
        for each in (
            continual_page,
            document,
            extractors_page,
            inference,
            removal_page,
            removal_times_page,
            savings_page,
            touchstones_page,
        )
    }
)
"""By `make reference`, `make licences`, `make bench` and `make peers`, and by modules of benchmarks/paper from their results."""


def words(text: str) -> int:
    """Whatever stands between blanks and has a letter or a digit: no bars of tables, no dashes."""
    return sum(any(sign.isalnum() for sign in each) for each in text.split())


def test_what_is_written_by_a_command_is_a_page() -> None:
    assert [name for name in sorted(WRITTEN) if not (DOCS / name).is_file()] == []


def test_bars_and_dashes_are_no_words() -> None:
    assert words("| a key | – |\n| --- | --- |\n- it is `so`, 5 %") == 6


def test_what_people_write_has_a_limit() -> None:
    pages = {str(path.relative_to(DOCS)): words(path.read_text(encoding="utf-8")) for path in DOCS.rglob("*.md")}
    by_people = {name: count for name, count in pages.items() if name not in WRITTEN}
    longest = sorted(by_people, key=lambda name: -by_people[name])[:5]
    assert sum(by_people.values()) <= MOST, f"the longest: {', '.join(longest)}"
