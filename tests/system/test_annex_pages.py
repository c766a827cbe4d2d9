"""The technical annex in print: at most fifteen pages of its own numbers, none nearly empty, nothing cut or too small to read."""

from __future__ import annotations

import itertools
import re

import pytest

import golden_reports
from auditor.base.domain import Effect
from auditor.pages import annex, promises, wording
from auditor.pages.words.texts import text
from auditor.parts.removal.judging.budget import HeldGaussian

MOST_PAGES = 15
FEWEST_LINES = 10
SMALLEST_POINTS = 7.95
"""Eight, less the rounding of the engine."""
sample = pytest.mark.parametrize("name", golden_reports.SAMPLES)


def inner(text: str) -> list[str]:
    """The lines of a page without its running head and foot."""
    return [line for line in text.splitlines() if line.strip()][:-2]


@sample
def test_the_annex_has_at_most_fifteen_pages_of_its_own_numbers(name) -> None:
    pages = golden_reports.annex_texts(name)
    assert 1 <= len(pages) <= MOST_PAGES
    for number, page in enumerate(pages, start=1):
        assert page.split()[-1] == f"A{number}"


@sample
def test_no_page_of_the_annex_but_its_last_is_nearly_empty(name) -> None:
    for number, page in enumerate(golden_reports.annex_texts(name)[:-1], start=1):
        assert len(inner(page)) >= FEWEST_LINES, f"A{number}"


@sample
def test_nothing_is_cut_and_no_number_is_broken_across_lines(name) -> None:
    for page in golden_reports.annex_texts(name):
        lines = inner(page)
        for line in lines:
            assert "…" not in line.replace("[…]", ""), line
        for line, following in itertools.pairwise(lines):
            assert not re.search(r"[\d.]\s*×$", line), (line, following)
            assert not re.match(r"×\s*10", following), (line, following)


@sample
def test_every_letter_of_the_annex_is_large_enough_to_read(name) -> None:
    assert golden_reports.smallest(name, annex=True) >= SMALLEST_POINTS


@sample
def test_every_check_and_premise_relied_on_is_told_once(name) -> None:
    told = golden_reports.told(name)
    whole = "".join("".join(line.split()) for page in golden_reports.annex_texts(name) for line in inner(page))
    # A report on places alone counts the checks of models that did not run, and names none of them.
    counted = annex.of_no_places(told, [each for each in told.checks if not wording.has_run(each)])
    assert f"{len(counted)}checksthatarenotofplacesdidnotrun" in whole or not counted
    for check in told.checks:
        if check not in counted:
            assert check.id in whole
            assert "".join(check.basis.split()) in whole
    for row in annex.premises(told):
        assert "".join(row.fact.split()) in whole


@sample
def test_the_level_of_every_test_is_in_the_table_of_its_check_and_effect_rounded_up_to_a_tenth(name) -> None:
    told = golden_reports.told(name)
    shown = annex.chances(told)
    tests = told.evidence.levels.tests if told.evidence.levels is not None else ()
    assert [row.check for row in shown.rows] == list(dict.fromkeys(each.check for each in tests))
    for row in shown.rows:
        for effect, cell in zip(Effect, row.levels, strict=True):
            levels = [each.level for each in tests if each.check == row.check and each.effect is effect]
            printed = [float(each.replace(",", "")) for each in cell.split(" + ")] if levels else []
            assert printed or cell == "–"
            for number, level in zip(printed, levels, strict=True):
                assert 1e5 * level - 1e-6 <= number < 1e5 * level + 0.1


@sample
def test_the_page_with_the_number_of_the_promise_names_the_page_with_its_curve(name) -> None:
    caption = text("figure-curves-caption").split(".")[0]
    with_curve = [
        number for number, page in enumerate(golden_reports.annex_texts(name), start=1) if caption in " ".join(page.split())
    ]
    told = golden_reports.told(name)
    main = [" ".join(page.split()) for page in golden_reports.main_texts(name)]
    named = {page for page, said in enumerate(main, start=1) if text("promise-curve") in said}
    if not promises.is_drawn(told):
        assert with_curve == []
        assert named == set()
        return
    (number,) = with_curve
    (page,) = named
    # The part on the promise may begin at the foot of the page before.
    assert text("main-promise-title") in " ".join(main[max(0, page - 2) : page]) if told.evidence.learns else page == 1
    assert f"{text('promise-curve')} annex, page A{number}." in main[page - 1].replace("\u00a0", " ")


def test_every_column_of_the_bounds_has_room_for_its_numbers() -> None:
    said = " ".join(" ".join(page.split()) for page in golden_reports.annex_texts("digits-newton"))
    held = golden_reports.told("digits-newton").check("removal.budget").derived_as(HeldGaussian)
    assert held is not None
    for entry in held.series[1:]:
        for name, value in entry.beta.items():
            assert wording.number(value).replace("\u00a0", " ") in said.replace("\u00a0", " "), (entry.batch, name)
