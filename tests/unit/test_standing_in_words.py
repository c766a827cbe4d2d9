"""No page calls a request carried out in time whose data the same audit found again, or whose model failed."""

from __future__ import annotations

import io
import re

import pytest
from rich.console import Console

from auditor.pages import markdown, terminal
from auditor.pages.main import findings, opinion, people
from auditor.pages.words.rendered_evidence import tell
from auditor.verdict.request_status import chains
from sample_cases import golden

PRAISE = re.compile(
    r"(carried out|done|erased|executed|answered) in time|erased on|(was|were) (carried out|erased|executed)", re.IGNORECASE
)


def test_requests_whose_data_were_not_found_say_where_the_search_is_trusted_for_the_rest() -> None:
    plainly, by_word = "not found where the audit searched", "not found where the audit searched; the rest on trust"
    for name, state in (("digits-newton", plainly), ("digits-retrain", by_word)):
        states = [each.state for each in people.overview(tell(golden(name))).stages]
        assert state in states
        assert ({plainly, by_word} - {state}).isdisjoint(states)


@pytest.mark.parametrize("name", ["digits-cheater", "digits-shipped-old", "digits-mlp-none"])
def test_what_the_audit_contradicts_is_praised_nowhere(name: str) -> None:
    told = tell(golden(name))
    assert any(each.contradicted for each in chains(told.evidence))
    out = io.StringIO()
    terminal.details(told, Console(file=out, width=200))
    overview = people.overview(told)
    said = [
        out.getvalue(),
        markdown.summary(told),
        *(each.state for each in overview.stages),
        *(each.said for each in overview.exceptions),
        *(each.said for each in opinion.rows(told)),
        *(str(each) for each in findings.questions(told)),
    ]
    assert [found[0] for each in said if (found := PRAISE.search(" ".join(each.split())))] == []
