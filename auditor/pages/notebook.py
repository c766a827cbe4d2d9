"""Shows an audit in a notebook: the decision box, the checks that decide and the figures; or a few plain lines.

The fragment stays within one element: every rule of its style begins with a class of ours, nothing in it has an id, and it holds
no script and no address. It is readable on light and on dark pages, and where a viewer strips the style.
"""

from __future__ import annotations

from collections.abc import Iterator

from auditor.document import evidence as documents
from auditor.pages import figures, plain, promises, right_guesses, templating, wording
from auditor.pages.figures.chart import Chart, declared, on_dark
from auditor.pages.main import people
from auditor.pages.words import premises
from auditor.pages.words.rendered_evidence import Told


def html(told: Told) -> str:
    """Render the fragment: HTML without head and body."""
    return (
        templating.environment()
        .get_template("notebook.html.j2")
        .render(
            evidence=told,
            deciding=plain.required_checks(told),
            charts=tuple(charts(told)),
            digest=documents.digest(told.content),
            palette=declared(),
            dark_palette=on_dark(),
        )
    )


def charts(told: Told) -> Iterator[Chart]:
    """Draw the figures that this evidence has: promises, attacks, the SWAP test, the budget, requests in time."""
    requests = figures.draw("timeline", told.requests, told.audit.finished_at.date(), people.MOST_BARS, people.doubtful(told))
    drawn = [promises.figure(told), figures.attack_intervals(right_guesses.beside(told) + right_guesses.games(told))]
    drawn += [figures.of_check(check) for check in told.checks]
    yield from (each for each in (*drawn, requests) if each is not None)


def lines(told: Told) -> str:
    """Write the result as plain text: what it is, the sentence, a line for each check that decides."""
    name = wording.short(told.case.name, 80)
    head = f"Audit(case={name!r}, verdict={told.verdict.value!r}, exit_code={told.audit.exit_code})"
    checks = (f"  {wording.mark(each.status)} {wording.check_word(each)}: {each.id}" for each in plain.required_checks(told))
    rests_on = (f"  {wording.shown(each)}" for each in premises.lines(told.evidence))
    return "\n".join([head, wording.shown(told.sentence), *checks, *rests_on])
