"""A check that is imported late answers as its definition does, and listing checks imports none."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from auditor.base.parts import modules, parts
from auditor.document.evidence_files import read
from auditor.recheck.derivations import declared_in, observed_in
from auditor.verdict.checks import definitions, part_of
from auditor.verdict.checks.definition import Definition, no_claims, no_facts, no_pledges
from auditor.verdict.checks.finding import skipped
from auditor.verdict.checks.late import Late
from auditor.verdict.guarantees import Pledges
from auditor.verdict.judgement import applicable, concerns, judged

KEPT = sorted((Path(__file__).resolve().parents[1] / "golden").glob("*/*.json"))
LATE: tuple[Late, ...] = tuple(late for module in modules("cards") for late in module.CARDS)


@pytest.mark.parametrize("late", LATE, ids=[each.card.id for each in LATE])
def test_what_it_says_of_its_definition_is_so(late: Late) -> None:
    whole = late.whole
    assert isinstance(whole, Definition)
    assert whole.card is late.card
    assert (whole.since, whole.runs, whole.later_reasons) == (late.since, late.runs, late.later_reasons)
    assert late.promises == (whole.pledges is not no_pledges or whole.examined_claims is not no_claims)
    assert late.declares == (whole.declared_facts is not no_facts)
    assert late.as_definition().judge is whole.judge


def test_every_module_that_judges_is_named_by_a_card() -> None:
    for part in parts():
        homes = {late.home for module in modules("cards", of=part.name) for late in module.CARDS}
        assert homes == {f"auditor.parts.{part.name}.{name}" for name in part.checks}
        assert {part_of(late.card.id) for late in LATE if late.home in homes} <= {part.name}
    assert {late.card.id for late in LATE} == definitions().keys()


@pytest.mark.parametrize("path", KEPT, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_it_answers_as_its_definition_does_in_every_case(path: Path) -> None:
    """What it says without its judge is what the judge would have said: nothing is left out of a verdict for it."""
    evidence = read(path)
    context = declared_in(evidence).context
    findings = judged(context, dict(observed_in(evidence))).findings
    for late in LATE:
        whole = late.whole
        assert late.pledges(context, findings) == whole.pledges(context, findings), late.card.id
        assert late.examined_claims(context, findings) == whole.examined_claims(context, findings), late.card.id
        assert late.declared_facts(context) == whole.declared_facts(context), late.card.id
        assert late.wanted(context) == whole.wanted(context), late.card.id
        earlier = {needed: findings[needed] for needed in late.card.needs}
        if concerns(late.card, context) and applicable(whole, context):
            assert late.applies(context, earlier) == whole.applies(context, earlier), late.card.id
        if late.idle(context) is not None:
            unasked = dict.fromkeys(findings, skipped())
            assert whole.pledges(context, unasked) == Pledges(), late.card.id
            assert whole.examined_claims(context, unasked) == frozenset(), late.card.id


def test_listing_checks_imports_no_judge() -> None:
    asked = "from auditor.verdict.checks import listed_in; import sys; listed_in(reruns=True, places=True); print(*sys.modules)"
    loaded = subprocess.run([sys.executable, "-c", asked], check=True, capture_output=True, text=True).stdout.split()
    assert "auditor.parts.swap.cards" in loaded
    assert not [name for name in loaded if ".judging" in name]
