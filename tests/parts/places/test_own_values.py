"""Lines are taken apart in time, whatever cells a table has and however many numbers a line."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest

from auditor.parts.places.observing import text_accounts
from auditor.parts.places.observing.alone import Alone
from auditor.parts.places.observing.own_values import Owners

_INDEX = {("rostock",): 0, ("p", "1"): 0}


def test_a_cell_of_blanks_does_not_hold_a_line_up() -> None:
    owners = Owners([[("", "P-1"), ("city", "Rostock"), ("note", " ")]], frozenset(), frozenset(), _INDEX)
    read = owners.read('Rostock,; "" ,P-1')
    assert read.text == 'Rostock,; "" ,P-1'
    assert [each.text for each in read.slots if each.column != "note"] == ["Rostock", "P-1"]


def test_a_short_value_is_found_by_its_first_sign() -> None:
    own = [("", "P-1"), ("city", "Rostock"), ("town", "Rostock-Mitte"), ("zip", "1805")]
    owners = Owners([own], frozenset(), frozenset(), _INDEX)
    read = owners.read("P-1 of Rostock, or 1805 Rostock")
    assert [(each.column, each.text) for each in read.slots] == [
        ("", "P-1"),
        ("city", "Rostock"),
        ("zip", "1805"),
        ("city", "Rostock"),
    ]


class _Counting:
    """A pattern that counts the letters that are looked through for numbers."""

    def __init__(self, pattern: re.Pattern[str]) -> None:
        self.pattern, self.letters = pattern, 0

    def findall(self, text: str) -> list[str]:
        self.letters += len(text)
        return self.pattern.findall(text)

    def sub(self, to: Callable[[re.Match[str]], str] | str, text: str) -> str:
        return self.pattern.sub(to, text)


def test_a_line_is_looked_through_as_often_whatever_numbers_it_has(monkeypatch: pytest.MonkeyPatch) -> None:
    owners = Owners([[("", "P-1"), ("city", "Rostock")]], frozenset(), frozenset(), _INDEX)
    alone = Alone({}, {})
    often = list[int]()
    for numbers in (10, 300):
        line = " ".join(f"r {at}" for at in range(numbers))
        counting = _Counting(text_accounts._NUMBER)
        monkeypatch.setattr(text_accounts, "_NUMBER", counting)
        text_accounts.account({"sheet": line.encode()}, owners, [], text_accounts.Before.any_place(owners, alone), {})
        monkeypatch.undo()
        often.append(counting.letters // len(line))
    assert often[0] > 0
    assert often[1] <= often[0]
