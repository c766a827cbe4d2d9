"""What pages say where the audit found a statement false, or a file is another model: nothing that only the rerun shows."""

from __future__ import annotations

import dataclasses

import pytest

from auditor.base.domain import Status
from auditor.pages import coverage, plain, promises
from auditor.pages.main import decision, findings, opinion
from auditor.pages.remedies import remedies
from auditor.pages.words.rendered_evidence import Told, tell
from auditor.recheck.derivations import derive_again
from auditor.verdict.request_status import Model, chains
from tests.remedied import golden, with_check

EXACT = "digits-retrain"
"""A case in which training again is the unlearning, without a model file."""


def answers(told: Told) -> dict[str, tuple[str, str]]:
    """The answers of page 2 and how they are known, by the part of the report that has more."""
    return {each.asked: (each.answer, each.proof) for each in findings.questions(told)}


def about(told: Told, asked: str) -> tuple[str, str]:
    return next(found for question, found in answers(told).items() if asked in question)


def contradicted(name: str) -> Told:
    """The same with one statement found false."""
    evidence = golden(EXACT).evidence
    return tell(evidence.model_copy(update={"reliance": evidence.reliance.model_copy(update={"contradicted": (name,)})}))


@pytest.mark.parametrize("name", ["preprocessing-clean", "code-clean"])
def test_equality_shows_nothing_where_the_data_or_the_code_bring_deleted_records_in(name: str) -> None:
    before, told = golden(EXACT), contradicted(name)
    given = "holds something of deleted records"
    assert "made no difference to the model" in about(before, "stay hidden from")[1]
    assert about(told, "stay hidden from")[0] == "unknown"
    assert given in about(told, "stay hidden from")[1]
    forgets = next(found for asked, found in answers(told).items() if "forget" in asked)
    assert forgets[0] == "unknown"
    assert given in forgets[1]
    assert any(given in row.said for row in opinion.rows(told))
    assert given in coverage.why_no_numbers(told)
    assert not any("no attack was needed" in row.said for row in opinion.rows(told))
    assert any("gives them away is not known" in row.said for row in opinion.rows(told))
    against = "Did no attack find anything against"
    assert (about(before, against)[0], about(told, against)[0]) == ("not-asked", "unknown")
    assert promises.without_number(told) == "given"
    assert {each.model for each in chains(told.evidence)} <= {Model.NOT_SHOWN, Model.NOT_EXAMINED, None}


def test_what_nobody_attests_is_not_called_attested() -> None:
    told = contradicted("preprocessing-clean")
    assert "preprocessing-clean" in {each.name for each in told.policy.attested}

    def unsaid(told: Told) -> Told:
        kept = tuple(each for each in told.policy.attested if each.name != "preprocessing-clean")
        held = told.evidence.model_copy(update={"policy": told.evidence.policy.model_copy(update={"attested": kept})})
        return with_check(tell(held), "data.erased", status=Status.INCONCLUSIVE)

    found = [each.found for each in remedies(with_check(told, "data.erased", status=Status.INCONCLUSIVE))]
    assert any("The controller attests preprocessing-clean, and the audit found the opposite." in each for each in found)
    found = [each.found for each in remedies(unsaid(told))]
    assert any("Nobody attests preprocessing-clean, and the audit found the opposite." in each for each in found)
    assert not any("The controller attests preprocessing-clean" in each for each in found)
    proofs = {proof.said for each in remedies(unsaid(told)) for proof in each.proof}
    assert "no check contradicts preprocessing-clean" in proofs


def test_a_yes_that_rests_on_a_statement_is_on_trust() -> None:
    assert about(golden(EXACT), "stay hidden from")[0] == "trust"


def test_of_another_file_the_rerun_says_nothing() -> None:
    told = with_check(golden("loans-prepared"), "model.reproduced", status=Status.FAIL, value=None, threshold=None)
    answer, proof = about(told, "stay hidden from")
    assert (answer, proof) == ("unknown", "The file about to be released is not the model that was rerun, and was not attacked.")
    assert coverage.why_no_numbers(told).startswith("No attack was made.")
    assert decision.release(told) == "main-release"


def test_word_of_the_other_steps_counts_beside_a_step_that_is_equal_as_it_does_without_a_file() -> None:
    before = golden("loans-prepared")
    word = before.policy.attested[0].model_copy(update={"name": "release-reproduced"})
    policy = before.evidence.policy.model_copy(update={"attested": (*before.policy.attested, word)})
    told = tell(derive_again(before.evidence.model_copy(update={"policy": policy})))
    stands = {each.name: each.standing for each in told.evidence.premises}
    assert stands["release-reproduced"] == "said"
    assert {each.name: each.standing for each in before.evidence.premises}["release-reproduced"] == "unsaid"
    assert (str(before.evidence.strength), str(told.evidence.strength)) == ("D", "C")
    assert about(before, "about to be released")[0] == "unknown"
    assert about(told, "about to be released")[0] == "trust"
    assert decision.release(told) == "main-release-part"
    assert any("the estimator that the declared procedure produces" in row.said for row in opinion.rows(told))


def test_without_pseudonyms_requests_are_counted_and_not_people() -> None:
    told = golden(EXACT)
    assert "asked for erasure" in plain.became(told)
    requests = tuple(dataclasses.replace(each, subject=None) for each in told.evidence.requests)
    assert "for erasure: " in (said := plain.became(tell(told.evidence.model_copy(update={"requests": requests}))))
    assert f"there are {len(requests)} requests for erasure" in said
