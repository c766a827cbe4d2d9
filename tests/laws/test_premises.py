"""What a pass rests on is listed whether or not anybody attests it: to attest less never makes anything better or shorter."""

from __future__ import annotations

import io
import re
from dataclasses import replace
from datetime import date, timedelta
from functools import cache
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rich.console import Console

from auditor.base.domain import Provenance, Strength, Verdict
from auditor.base.errors import ReportError
from auditor.document.evidence import Evidence
from auditor.document.evidence_files import read
from auditor.pages import exchange, markdown, terminal
from auditor.pages.main import decision
from auditor.pages.words import premises
from auditor.pages.words.dates import dated as dates
from auditor.pages.words.rendered_evidence import tell
from auditor.pages.words.verdict import unchecked
from auditor.recheck.derivations import declared_in, observed_in
from auditor.settings.attestations import ATTESTABLE, BACKUPS, DERIVATIONS, PEOPLE, facts_of
from auditor.settings.documents import OutsidePlace
from auditor.verdict import examination
from auditor.verdict.assembly import conclude
from auditor.verdict.corollaries import HOLDING
from auditor.verdict.guarantees import UNLEARNING, standing
from auditor.verdict.premises import PREMISES, Kind, Need
from auditor.verdict.reliance import refuse_contradiction, silent, words_of
from rechecks import LATEST

NAMES = sorted(path.stem for path in LATEST.glob("*.json"))
DECLARED = (BACKUPS, PEOPLE, DERIVATIONS)
BINDING = ("log-complete", "preprocessing-clean")
_GRADES = {None: -1, Strength.E: 0, Strength.D: 1, Strength.C: 2, Strength.B: 3, Strength.A: 4}
_VERDICTS = {Verdict.FAIL: 0, Verdict.INCONCLUSIVE: 1, Verdict.PASS: 2}
_MADE = {"adaptively-history-independent", "dp-per-subject", "model-guarantee"}
"""Facts that a check makes of attestations."""


@cache
def attesting(name: str, words: frozenset[str] | None = None) -> Evidence:
    """Conclude the observations of a sample as if its controller had attested those words; as it did where left out."""
    stated = read(LATEST / f"{name}.json")
    if words is not None:
        given = stated.policy.attested
        by, at = (given[0].by, given[0].at) if given else ("Ada Example", stated.audit.started_at.date())
        word = {"by": by, "at": at}
        attested = tuple({"name": each, **word} for each in ATTESTABLE if each in words)
        policy = type(stated.policy).model_validate({**stated.policy.model_dump(), "attested": attested})
        stated = stated.model_copy(update={"policy": policy})
    return conclude(declared_in(stated), dict(observed_in(stated)))


def said(evidence: Evidence) -> frozenset[str]:
    """The words that its controller attests."""
    return frozenset(each.name for each in evidence.policy.attested)


def open_to_doubt(evidence: Evidence) -> set[str]:
    """The premises that nothing examined."""
    return {each.name for each in evidence.premises if each.standing in {"said", "unsaid"}}


def unsaid(evidence: Evidence) -> set[str]:
    return {each.name for each in evidence.premises if each.standing == "unsaid"}


@pytest.mark.parametrize("name", NAMES)
def test_each_fact_and_word_that_a_verdict_uses_is_listed_with_its_standing(name: str) -> None:
    evidence = attesting(name)
    listed = {each.name: each for each in evidence.premises}
    assert len(listed) == len(evidence.premises)
    used = set(evidence.reliance.statements)
    used |= {word for word in words_of(evidence.reliance.cap) if word in said(evidence)}
    for guarantee in evidence.guarantees:
        if guarantee.status in HOLDING and guarantee.id != UNLEARNING:
            routes = [each for each in guarantee.derivation if standing(each) is guarantee.status]
            facts = {each.fact for route in routes for each in route.premises if each.how is Provenance.ATTESTED} - _MADE
            covered = {fact for each in listed for fact in (facts_of(each) if each in ATTESTABLE else (each,))}
            assert facts <= covered | {"noise-secret"}, guarantee.id
    assert used <= listed.keys() | ({"requests-fixed"} if "own-request-fixed" in listed else set())
    for each in evidence.premises:
        word = next((word for word in evidence.policy.attested if word.name == each.name), None)
        if each.standing == "said" and each.name not in DECLARED:
            assert (each.by, each.at) == (evidence.policy.attested[0].by, evidence.policy.attested[0].at)
        assert (each.check is not None) or each.standing in {"said", "unsaid"}, each
        # A word for a model that lies there is none: the file decides.
        assert each.standing != "unsaid" or word is None or (each.name == "release-reproduced" and evidence.case.model)


@pytest.mark.parametrize("name", NAMES)
def test_every_kind_of_case_lists_what_it_always_rests_on(name: str) -> None:
    evidence = attesting(name)
    listed = {each.name for each in evidence.premises}
    kinds = ["program"] if evidence.controller is not None else []
    if evidence.learns and evidence.reruns:
        kinds.append("log" if evidence.deletion_log.batches else "data")
    elif not evidence.reruns:
        kinds.append("answers")
    always = {each.name for each in PREMISES if any(getattr(each, kind) is Need.ALWAYS for kind in kinds)}
    instead = {"extractor-private": "preprocessing-clean", "own-request-fixed": "requests-fixed"}
    assert always <= listed | {instead[each] for each in listed & instead.keys()}


@settings(max_examples=60, deadline=None)
@given(data=st.data())
def test_attesting_less_never_gives_a_better_verdict_grade_or_page(data: st.DataObject) -> None:
    name = data.draw(st.sampled_from(NAMES))
    before = attesting(name)
    # What the run refutes was better not said.
    words = sorted(said(before) - set(before.reliance.contradicted))
    fewer = data.draw(st.sets(st.sampled_from(words))) if words else set()
    _no_better(before, attesting(name, frozenset(fewer)))


@pytest.mark.parametrize("name", NAMES)
def test_nor_does_attesting_nothing_or_one_thing_less(name: str) -> None:
    before = attesting(name)
    words = said(before) - set(before.reliance.contradicted)
    for fewer in (frozenset(), *(words - {word} for word in sorted(words))):
        _no_better(before, attesting(name, frozenset(fewer)))


def _no_better(before: Evidence, after: Evidence) -> None:
    assert _VERDICTS[after.verdict] <= _VERDICTS[before.verdict]
    assert _VERDICTS[after.default_policy_verdict] <= _VERDICTS[before.default_policy_verdict]
    assert _GRADES[after.strength] <= _GRADES[before.strength]
    assert len(after.premises) >= len(before.premises)
    assert open_to_doubt(after) >= open_to_doubt(before)
    assert unsaid(after) >= unsaid(before)


@pytest.mark.parametrize("name", ["digits-newton", "iris-logistic", "tiny-transformer"])
def test_without_one_of_the_two_words_a_log_of_deletions_does_not_pass(name: str) -> None:
    before = attesting(name)
    assert before.verdict is Verdict.PASS
    for word in BINDING:
        after = attesting(name, said(before) - {word})
        assert (after.verdict, after.audit.exit_code, after.reliance.silent) == (Verdict.INCONCLUSIVE, 3, (word,))
        assert after.default_policy_verdict is not Verdict.PASS
        forged = after.model_copy(update={"verdict": Verdict.PASS, "reliance": after.reliance.model_copy(update={"silent": ()})})
        with pytest.raises(ReportError, match="the evidence contradicts itself"):
            refuse_contradiction(forged)


def test_any_other_word_left_out_keeps_a_pass_that_no_promise_needs_it_for() -> None:
    before = attesting("iris-logistic")
    after = attesting("iris-logistic", frozenset(BINDING))
    assert (before.verdict, after.verdict) == (Verdict.PASS, Verdict.PASS)
    assert "requests-fixed" in unsaid(after) - unsaid(before)


def test_above_a_private_extractor_its_own_word_is_asked_for() -> None:
    before = attesting("digits-dp-extractor")
    assert before.verdict is Verdict.PASS
    assert "preprocessing-clean" not in {each.name for each in before.premises}
    after = attesting("digits-dp-extractor", said(before) - {"extractor-private"} | {"preprocessing-clean"})
    assert after.reliance.silent == ("extractor-private",)


def observing(name: str, *, outside: tuple[OutsidePlace, ...] = (), **changes: object) -> Evidence:
    """Conclude the observations of a sample with others of `data.erased` in it."""
    stated = read(LATEST / f"{name}.json").model_copy(update={"outside": outside})
    observed = dict(observed_in(stated))
    erased = observed["data.erased"]
    assert erased is not None
    observed["data.erased"] = type(erased).model_validate({**erased.model_dump(), **changes})
    return conclude(declared_in(stated), observed)


def test_what_the_data_table_declares_is_named_where_it_keeps_a_check_from_counting() -> None:
    before = attesting("iris-logistic")
    assert before.verdict is Verdict.PASS
    gone, left = before.case.training_records - before.case.records_left, before.case.records_left
    ids = [each.request_id for each in before.requests if each.status == "executed"]
    shared = {"column": "customer_no", "found": gone, "usual": gone, "among_retained": 0, "of_people": True, "request_ids": ids}
    related = {"deleted": gone, "retained": left, "tested": 1, "columns": [shared]}
    assert observing("iris-logistic", related={**related, "by_person": False}).verdict is Verdict.INCONCLUSIVE
    step = {"found": 0, "retained": 0, "neighbours": 0}
    view = {"view": "given", "retained_looked_at": 1, "neighbours_looked_at": 0, "steps": [step] * 4}
    rows = {"deleted": gone, "declared": 5, "views": [view]}
    after = observing("iris-logistic", related={**related, "by_person": True}, derived_rows=rows)
    assert after.verdict is Verdict.PASS
    stated = {each.name: each for each in after.premises}
    for name, key in ((PEOPLE, "[data] person"), (DERIVATIONS, "[data] derived_from")):
        assert (stated[name].standing, stated[name].by) == ("said", f"audit.toml, {key}")
        assert any(f"audit.toml, {key}" in line for line in decision.promise(tell(after)).statements)
    # Without a shared number, or with deleted rows alone among those that were made, nothing was kept from counting.
    other = observing(
        "iris-logistic", related={**related, "columns": [], "by_person": True}, derived_rows={**rows, "declared": 0}
    )
    assert {each.name for each in other.premises}.isdisjoint({PEOPLE, DERIVATIONS})


def replaced(place: OutsidePlace, **changes: object) -> OutsidePlace:
    return place.model_copy(update=changes)


def test_backups_are_said_to_be_clean_where_each_has_a_day_and_none_before_the_last_erasure() -> None:
    dated = OutsidePlace(name="Backups ", what="overwritten", until=date(2026, 7, 1), declared_by="Sam")
    undated = OutsidePlace(name="backups", what="every record is kept", declared_by="Kim")
    # The last erasure of this log was on 29 April 2026: a backup of that morning holds what was erased that day.
    last = examination.last_erasure(read(LATEST / "iris-logistic.json").requests)
    assert last is not None
    at_once, too_early = (replaced(dated, until=day) for day in (last, last - timedelta(days=1)))
    tapes = replaced(too_early, name="Backup tapes", declared_by="Kim")
    for places, expected in (
        ((dated,), ("said", "Sam")),
        ((at_once,), ("said", "Sam")),
        ((too_early,), ("unsaid", None)),
        ((dated, too_early), ("unsaid", None)),
        ((dated, tapes), ("unsaid", None)),
        ((replaced(tapes, until=last),), ("unsaid", None)),
        ((dated, replaced(tapes, until=last)), ("said", "Sam; Kim")),
        ((undated,), ("unsaid", None)),
        ((dated, undated), ("unsaid", None)),
    ):
        (found,) = (each for each in observing("iris-logistic", outside=places).premises if each.name == BACKUPS)
        assert (found.standing, found.by) == expected


def test_page_one_says_of_backups_what_is_declared_of_them_and_never_more() -> None:
    dated = OutsidePlace(name="backups", what="overwritten", until=date(2026, 7, 1), declared_by="Sam")
    last = examination.last_erasure(read(LATEST / "iris-logistic.json").requests)
    assert last is not None
    early = replaced(dated, until=last - timedelta(days=1))
    for places, expected in (
        ((), "no backup holds the deleted records, and none is declared"),
        ((replaced(dated, until=None),), "any more, although some are declared without a day"),
        ((dated,), "Said by Sam: no backup holds the deleted records after 1 July 2026, the day that is declared"),
        ((early,), f"those declared gone by {dates(early.until)} may hold what was erased later, up to {dates(last)}"),
        (
            (replaced(dated, name="backup tapes"),),
            "no backup holds the deleted records but those that are declared, gone by 1 July",
        ),
    ):
        found = [each for each in premises.lines(observing("iris-logistic", outside=places)) if "backup" in each]
        assert len(found) == 1
        assert expected in found[0]


def test_where_nothing_was_deleted_no_word_is_asked_for_and_what_is_refuted_is_none_to_say() -> None:
    assert silent((), requests=0, batches=0, extractor=False) == ()
    assert silent((), requests=1, batches=1, extractor=False) == BINDING
    assert silent((), requests=1, batches=1, extractor=False, refuted=("preprocessing-clean",)) == ("log-complete",)


def test_a_log_in_which_nobody_was_deleted_has_to_be_complete_as_well() -> None:
    # One from which everything was taken that was carried out looks the same.
    assert silent((), requests=6, batches=0, extractor=False) == ("log-complete",)
    stated = read(LATEST / "iris-logistic.json")
    rows = tuple(replace(each, status="no-match", deleted_at=None, days=None, guarantees=()) for each in stated.requests)
    policy = {**stated.policy.model_dump(), "listed": ("log.consistency",), "attested": (), "claims": {}}
    log = stated.deletion_log.model_copy(update={"batches": 0})
    case = stated.case.model_copy(update={"records_left": stated.case.training_records})
    audit = stated.audit.model_copy(update={"only": ("log.consistency",)})
    update = {"requests": rows, "policy": type(stated.policy).model_validate(policy), "deletion_log": log, "case": case}
    after = conclude(declared_in(stated.model_copy(update={**update, "audit": audit})), {})
    assert (after.verdict, after.reliance.silent) == (Verdict.INCONCLUSIVE, ("log-complete",))
    assert "log-complete" in unsaid(after)


def test_the_documentation_has_the_table_as_it_is() -> None:
    page = (Path(__file__).parents[2] / "docs" / "checks.md").read_text(encoding="utf-8")
    form = (
        r"^\| `([a-z-]+)` \| ([a-z–]+(?: used)?) \| ([a-z–]+(?: used)?) \| ([a-z–]+(?: used)?) \| ([a-z–]+(?: used)?) "
        r"\| ([a-z–]+(?: used)?) \| (.*) \|$"
    )
    written = re.findall(form, page, flags=re.MULTILINE)
    words = {Need.ALWAYS: "always", Need.WHERE_USED: "where used", Need.NEVER: "–"}
    needs = [(each.name, *(words[each.needed(kind)] for kind in Kind)) for each in PREMISES]
    assert [row[:6] for row in written] == needs
    assert [row[0] for row in written if "without it no pass" in row[6]] == [each.name for each in PREMISES if each.binds]
    assert {each.name for each in PREMISES} == {*ATTESTABLE, *DECLARED}


@pytest.mark.parametrize("name", NAMES)
def test_every_page_prints_the_same_list_and_none_says_that_nothing_is_taken_on_trust(name: str) -> None:
    for words in (None, frozenset[str]()):
        evidence = attesting(name, words)
        told = tell(evidence)
        lines = premises.lines(evidence)
        assert sum(len(each.names) for each in premises.standings(evidence)) == len(evidence.premises)
        console = Console(width=10_000, record=True, file=io.StringIO())
        terminal.details(told, console)
        printed = console.export_text()
        marked = markdown.summary(told).replace("\\", "")
        shown = "".join(decision.promise(told).statements)
        assert exchange.properties(told)["premises"] == " ".join(lines)
        for line in lines:
            assert line in printed
            assert line in shown
            assert line.partition(":")[0].replace("\u200b", "") in marked.replace("\u200b", "")
        if unsaid(evidence):
            assert "no unchecked statement" not in decision.headline(told)
            assert all(name in exchange.properties(told)["premises_unsaid"].split() for name in unsaid(evidence))
        if evidence.verdict is Verdict.PASS and unsaid(evidence):
            silent, every = len(unsaid(evidence)), len(unchecked(evidence))
            named = "that nobody makes" if silent == every else f"{silent} of which nobody makes"
            assert named in decision.headline(told)
            assert all(name in told.sentence for name in unsaid(evidence))
        for word in evidence.reliance.silent if evidence.verdict is Verdict.INCONCLUSIVE else ():
            assert word in told.sentence
            assert "[claims] attested in audit.toml" in told.sentence


@pytest.mark.parametrize("name", NAMES)
def test_what_nobody_says_keeps_a_grade_at_c(name: str) -> None:
    evidence = attesting(name)
    assert not unsaid(evidence) or _GRADES[evidence.strength] <= _GRADES[Strength.C]
    # With everything said that there is to say, backups included, the grade is that of the promise.
    stated = attesting(name, frozenset(said(evidence) | unsaid(evidence)) & frozenset(ATTESTABLE))
    assert unsaid(stated) <= {BACKUPS, "release-reproduced"}
