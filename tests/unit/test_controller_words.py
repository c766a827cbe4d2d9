"""What the pages say of a case of a controller alone: nothing that only a case with a model could do."""

from __future__ import annotations

from auditor.decisions import decide_verdict
from auditor.evidence import Evidence, Route
from auditor.report.remedies.held_back import left_to_people
from auditor.words import verdict as verdicts
from report_examples import changed, passing


def of_a_controller(evidence: Evidence, *, words: tuple[str, ...]) -> Evidence:
    """The evidence, held back by what a controller of the case's own code lacks."""
    way = Route(name="controller", checks=(), words=words, further=())
    cap = evidence.reliance.cap.model_copy(update={"foreign": False, "controller": way})
    reliance = evidence.reliance.model_copy(update={"cap": cap})
    return evidence.model_copy(update={"reliance": reliance, "verdict": decide_verdict(3)})


def test_the_verdict_names_the_words_that_a_controller_of_its_own_lacks() -> None:
    said = verdicts.sentence_of(of_a_controller(passing().evidence, words=("procedure-honest",)))
    assert "procedure-honest to be attested" in said


def test_nobody_is_told_to_name_a_model_or_a_store_for_a_controller_alone() -> None:
    told = passing()
    alone = changed(
        told,
        procedure=told.procedure.model_copy(update={"use": "none", "entry": None}),
        case=told.case.model_copy(update={"model": None, "store": None}),
    )
    assert {"model.reproduced", "data.erased", "strength"}.isdisjoint(name for name, _ in left_to_people(alone))
