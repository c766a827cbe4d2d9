"""The guarantee `data-deletion`: supported at best, with the ε of a person, and never where a premise fails."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from auditor import case as cases
from auditor.base.domain import ClaimStatus, Fact, Guarantee, Message, Provenance, Status
from auditor.case import Case
from auditor.pages.words import sentence
from auditor.pages.words.guarantees import STATEMENTS, statement
from auditor.parts.data_deletion.judging.pledge import pledged
from auditor.parts.data_deletion.theorems import Deletion, Source, theorem
from auditor.verdict.checks import attested
from auditor.verdict.checks.finding import Finding
from auditor.verdict.guarantees import ATTESTED_AT_BEST, CERTIFIED_REMOVAL, CONTROL, DATA_DELETION, derive_guarantees, fact
from auditor.verdict.theorems import theorems
from deletion_cases import CAPPED, CLAIM, REQUESTER, Judged, games, judged, write
from judging import context_of_case
from small_cases import ATTESTED, problem
from small_cases import write as write_removal

BY_HAND = Message("fact.not-examined")
OTHERS = (
    fact("release-reproduced", Provenance.MEASURED, BY_HAND),
    fact("log-consistent", Provenance.MEASURED, BY_HAND),
)
"""What other checks find of a sound case."""


def pledge_of(case: Case, found: Judged) -> Deletion | None:
    return pledged(context_of_case(case), found.findings)


def together(case: Case, found: Judged) -> tuple[Fact, ...]:
    """What the checks found, and what is attested of everything else."""
    spoken = (*found.facts, *OTHERS)
    words = attested.facts(context_of_case(case), Finding(Status.SKIPPED))
    return (*spoken, *(each for each in words if each.name not in {fact.name for fact in spoken}))


def guaranteed(case: Case, *more: Fact, found: Judged | None = None, **given: Any) -> Guarantee:
    found = found or judged(case, **given)
    listed = derive_guarantees((*together(case, found), *more), epsilon=None, delta=None, deletion=pledge_of(case, found))
    return next(each for each in listed if each.id == DATA_DELETION)


def cited(found: Guarantee) -> str:
    return theorems()[found.derivation[0].rule].citation


def test_a_sound_case_is_supported_with_its_epsilon_and_order(tmp_path: Path) -> None:
    found = guaranteed(write(tmp_path))
    assert (found.status, found.delta, found.order) == (ClaimStatus.SUPPORTED, None, 2.0)
    assert found.epsilon == pytest.approx(0.00525343991193)
    assert "of 100 times, where guessing is right 50 times (very hard to tell)" in statement(found)
    assert "requests that were fixed in advance" in statement(found)
    assert "Theorem 5.1" in cited(found)
    known = {premise.fact for premise in found.derivation[0].premises if premise.how is Provenance.ATTESTED}
    assert known == {"noise-secret", "requests-fixed", "log-complete", "preprocessing-clean"}


def test_it_is_never_shown() -> None:
    # Whatever is said to have been computed, some premises are the controller's word.
    sources: tuple[Source | None, ...] = ("5.1", "5.2", "gaussian", "twins", None)
    for deletion_of in (Deletion(2.0, 0.01, source, seen, True) for source in sources for seen in (0, 2)):
        needs = set(theorem(deletion_of).needs)
        assert needs <= STATEMENTS.keys()
        assert needs & ATTESTED_AT_BEST
        firm = [fact(name, Provenance.COMPUTED, BY_HAND) for name in needs]
        (_, found, *_) = derive_guarantees(firm, epsilon=None, delta=None, deletion=deletion_of)
        assert found.status is (ClaimStatus.NOT_SHOWN if deletion_of.source is None else ClaimStatus.SUPPORTED)


def test_every_premise_is_needed(tmp_path: Path) -> None:
    case = write(tmp_path)
    found = judged(case)
    pledge = pledge_of(case, found)
    assert pledge is not None
    facts = together(case, found)
    for name in theorem(pledge).needs:
        for left in (
            [each for each in facts if each.name != name],
            [replace(each, how=Provenance.REFUTED) if each.name == name else each for each in facts],
        ):
            (_, guarantee, *_) = derive_guarantees(left, epsilon=None, delta=None, deletion=pledge)
            assert (guarantee.status, guarantee.epsilon, guarantee.order) == (ClaimStatus.NOT_SHOWN, None, None)


def test_a_seed_that_can_be_guessed_leaves_the_check_open_and_takes_the_guarantee(tmp_path: Path) -> None:
    case = write(tmp_path, seed=7)
    found = judged(case)
    assert found.checks[0].status.value == "inconclusive"
    assert guaranteed(case, found=found).status is ClaimStatus.NOT_SHOWN


def test_a_bound_above_the_threshold_is_no_promise(tmp_path: Path) -> None:
    rest = f"[claims]\ndata_deletion = {{q = 2, epsilon = 0.001}}\n{ATTESTED}"
    assert guaranteed(write(tmp_path, rest=rest)).status is ClaimStatus.NOT_SHOWN
    (tmp_path / "other").mkdir()
    assert guaranteed(write(tmp_path / "other", rest="")).status is ClaimStatus.NOT_SHOWN


def test_what_an_attack_contradicts_is_refuted(tmp_path: Path) -> None:
    case = write(tmp_path)
    against = fact("deletion-unrefuted", Provenance.REFUTED, Message("fact.deletion-unrefuted.refuted"))
    assert guaranteed(case, against).status is ClaimStatus.REFUTED
    assert guaranteed(case, replace(against, how=Provenance.MEASURED)).status is ClaimStatus.SUPPORTED
    (tmp_path / "played").mkdir()
    played = write(tmp_path / "played", rest=CLAIM + REQUESTER)
    assert guaranteed(played, games=games()).status is ClaimStatus.REFUTED
    assert guaranteed(played, games=games(right=False)).status is ClaimStatus.SUPPORTED


def test_models_that_were_seen_are_part_of_the_promise(tmp_path: Path) -> None:
    found = guaranteed(write(tmp_path, said=[1], rest=f"[claims]\ndata_deletion = {{q = 2, epsilon = 0.2}}\n{ATTESTED}"))
    assert found.status is ClaimStatus.SUPPORTED
    assert found.epsilon == pytest.approx(0.00525343991193 + 0.064)
    assert "one released model" in statement(found)
    assert "Theorem 4.3" in cited(found)
    known = {premise.fact for premise in found.derivation[0].premises}
    assert {"own-request-fixed", "seen-releases"} <= known
    assert "requests-fixed" not in known


def test_a_person_is_told_of_all_of_her_records(tmp_path: Path) -> None:
    found = guaranteed(write(tmp_path, deleted=[["rec-0010", "rec-0011"]]))
    assert found.epsilon == pytest.approx(4 * 0.00525343991193)
    folder = tmp_path / "bounded"
    folder.mkdir()
    # Theorem 5.2 says nothing of records that leave with several requests.
    bounded = write(
        folder,
        procedure=CAPPED,
        rest=f"[claims]\ndata_deletion = {{q = 2, epsilon = 0.9}}\n{ATTESTED}",
        deleted=[["rec-0010"], ["rec-0011"]],
        subject="ann",
    )
    assert guaranteed(bounded).status is ClaimStatus.NOT_SHOWN


def test_a_promise_about_a_person_needs_that_nobody_has_more_records(tmp_path: Path) -> None:
    (tmp_path / "named").mkdir()
    found = guaranteed(write(tmp_path / "named", deleted=[["rec-0010"], ["rec-0011"]], subject="ann"))
    assert found.status is ClaimStatus.SUPPORTED
    assert "subjects-complete" in {premise.fact for premise in found.derivation[0].premises if premise.how is Provenance.ATTESTED}
    assert "a deleted person's records were ever learned from" in statement(found)
    assert "that of 2 records together" in statement(found)
    (tmp_path / "unnamed").mkdir()
    found = guaranteed(write(tmp_path / "unnamed", deleted=[["rec-0010"], ["rec-0011"]]))
    assert found.status is ClaimStatus.SUPPORTED
    assert "subjects-complete" not in {premise.fact for premise in found.derivation[0].premises}
    assert "the records of one request were ever learned from" in statement(found)
    assert "does not cover other records of the same person" in statement(found)


def test_it_is_a_model_s_guarantee_and_no_control(tmp_path: Path) -> None:
    case = write(tmp_path)
    found = judged(case)
    listed = derive_guarantees(together(case, found), epsilon=None, delta=None, deletion=pledge_of(case, found))
    assert [each.id for each in listed][:3] == [CERTIFIED_REMOVAL, DATA_DELETION, CONTROL]
    assert listed[2].status is ClaimStatus.NOT_SHOWN
    premises = {premise.fact: premise for premise in listed[2].derivation[0].premises}
    assert premises["model-guarantee"].how is Provenance.ATTESTED
    assert sentence(premises["model-guarantee"].evidence) == "guarantee data-deletion, supported"
    assert "fixed in advance" in sentence(premises["adaptive"].evidence)
    assert not [each for each in derive_guarantees(OTHERS, epsilon=None, delta=None) if each.id == DATA_DELETION]


def test_runs_with_other_records_say_nothing_of_what_the_code_brings_along() -> None:
    brought = "nothing that the procedure's code and settings bring along was made from the deleted records"
    assert brought in stated(Deletion(2.0, 0.0, "twins", 0, False))


def stated(pledge: Deletion) -> str:
    (_, found, *_) = derive_guarantees((), epsilon=None, delta=None, deletion=pledge)
    return statement(found)


def test_a_bound_that_says_nothing_is_not_put_in_guesses() -> None:
    assert "too loose" in stated(Deletion(2.0, 50.0, "5.1", 0, True))
    assert "of 100" not in stated(Deletion(2.0, None, None, 0, True))


def test_a_case_without_cause_has_no_pledge(tmp_path: Path) -> None:
    case = cases.read(write_removal(tmp_path, *problem()))
    assert pledged(context_of_case(case), {}) is None
