"""A text of a deleted record gives it away wherever it stands, but not as a part of what a retained record has."""

from __future__ import annotations

import pytest

from auditor.parts.store.observing.cells import Cells

CELLS = Cells(
    bits={},
    others=(frozenset({"Hafenstr. 31", "Kiel"}), frozenset({"Alte Hafenstr. 3", "Kiel"})),
    own={"Hafenstr. 3": ("gone",)},
    retained="a\nb",
)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("a,Hafenstr. 31,Kiel", False),
        ("b,Alte Hafenstr. 3,Kiel", False),
        ("a,Hafenstr. 31,Kiel\nb,Alte Hafenstr. 3,Kiel", False),
        ("a,Hafenstr. 3,Kiel", True),
        ("a,Hafenstr. 31,Hafenstr. 3", True),
        ("Hafenstr. 32", True),
        ("nearHafenstr. 3too", True),
    ],
)
def test_what_retained_records_have_around_it_is_theirs(text: str, found: bool) -> None:
    assert CELLS.in_text(text) == ({"gone"} if found else set())
