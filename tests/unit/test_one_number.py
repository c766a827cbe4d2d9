"""One evidence, one number: wherever a promise is printed, it is the same, and what letters print the report names."""

from __future__ import annotations

import io
import re

import pytest
from rich.console import Console

import golden_reports
import rechecks
from auditor.base.domain import Guarantee
from auditor.maths.tradeoff.reading import right_guesses
from auditor.pages import junit, letters, markdown, notebook, promises, render, sarif, terminal
from auditor.pages import right_guesses as pages
from auditor.pages.main import decision
from auditor.pages.words import guesses
from auditor.pages.words.guarantees import EXAMPLE
from auditor.pages.words.rendered_evidence import Told
from auditor.verdict import corollaries, grade
from auditor.verdict.corollaries import promise_of
from auditor.verdict.guarantees import CONTROL

_SPACE = r"(?:<[^>]*>|\s|\u00a0)"
PROMISED = re.compile(
    rf"(?:[Aa]t most|[Uu]p to|[Uu]pper limit:){_SPACE}*([\d.]*\d)(?:{_SPACE}|right|guesses|times|out)*of{_SPACE}*100(?!,)"
)
"""A number of right guesses that is not exceeded."""
OF_SOMETHING_ELSE = re.compile(
    r"(?:right guesses there|right guesses, by 2?Φ|It promises nothing:|In the SWAP test the best of).*?of\s100", re.DOTALL
)
"""Lines that name another order or formula, what a claim would leave, and what attacks found."""
sample = pytest.mark.parametrize("name", golden_reports.SAMPLES)


def shares(told: Told) -> set[str]:
    return {guesses.at_most(each.share) for each in told.guarantees if each.share is not None}


def in_letters(told: Told) -> set[str]:
    return {guesses.at_most(each.share) for each in letters.promises(told.evidence)}


def together(told: Told) -> set[str]:
    """Of the three people together that are the example of a guarantee for one."""
    found = (corollaries.group(each, EXAMPLE) for each in told.evidence.guarantees if each.id == CONTROL)
    return {guesses.at_most(right_guesses(corollaries.promise_by(each))) for each in found if each is not None}


def printed(page: str) -> set[str]:
    return set(PROMISED.findall(OF_SOMETHING_ELSE.sub("", page)))


def on_a_terminal(told: Told) -> str:
    console = Console(file=io.StringIO(), width=200, force_terminal=False)
    terminal.details(told, console)
    assert isinstance(console.file, io.StringIO)
    return console.file.getvalue()


@sample
def test_every_rendering_prints_one_number(name: str) -> None:
    told = golden_reports.told(name)
    own, theirs, three = shares(told), in_letters(told), together(told)
    page, summary = render.html(told), markdown.summary(told)
    assert printed(page) <= own | theirs | three
    others = (summary, notebook.html(told), junit.xml(told), sarif.log(told), on_a_terminal(told))
    assert set().union(*map(printed, others)) <= own | three
    if not own:
        return
    best = guesses.at_most(min(each.share for each in told.guarantees if each.share is not None))
    assert decision.promise(told).share == best or not told.evidence.learns
    assert {each.most for each in promises.points(told)} == {each.most for each in promises.holding(told)} == own
    assert all(f"| {each} |" in summary for each in own)
    if told.evidence.learns:
        assert f'<span class="big">{best}</span>' in page
        assert decision.promise(told).attack in page
        assert best in promises.lead(told)
        assert f"Upper limit: {best}." in page
        assert f"Upper limit: {best}." in notebook.html(told)


@pytest.mark.parametrize("name", [path.stem for path in sorted(rechecks.LATEST.glob("*.json"))])
def test_the_terminal_says_what_page_1_says_of_the_promise_and_of_the_best_attack(name: str) -> None:
    told = golden_reports.told(name)
    page_1, shown = decision.promise(told), " ".join(on_a_terminal(told).split())
    assert page_1.line in shown
    assert bool(page_1.share) == (pages.promised(told) is not None)
    if page_1.share:
        assert f"Promise: at most {page_1.share} of 100. {page_1.said}" in shown
    if page_1.attack:
        assert pages.best_attack(pages.sides(told)[0]) in page_1.attack  # as the table of the promise says it
        assert page_1.attack in shown


@sample
def test_the_report_names_what_letters_print(name: str) -> None:
    told = golden_reports.told(name)
    found, said = letters.promises(told.evidence), promises.in_letters(told)
    assert bool(found) == bool(said)
    for part in (min(found, key=lambda each: each.records, default=None), max(found, key=lambda each: each.share, default=None)):
        if part is not None:
            number = guesses.at_most(part.share)
            assert number in said or (said == "Letters to people give the same number." and number in shares(told))


@sample
def test_the_number_is_read_off_the_curve_by_one_function(name: str) -> None:
    told = golden_reports.told(name)

    def read(guarantee: Guarantee) -> float | None:
        promise = promise_of(guarantee)
        return None if promise is None else right_guesses(promise)

    assert [each.share for each in told.guarantees] == [read(each) for each in told.evidence.guarantees]
    assert [each.share for each in told.guarantees] == [grade.guesses(each) for each in told.evidence.guarantees]


def test_curves_are_drawn_next_to_the_promise_on_a_screen() -> None:
    told = golden_reports.told("digits-newton")
    page = render.html(told, whole=False)
    assert promises.figure(told) is not None
    assert page.count("trade-off function of a promise") == 1
