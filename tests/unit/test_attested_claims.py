"""What a controller may attest: facts that it alone can know, each by its name, and none that a proof has to give."""

from __future__ import annotations

from pathlib import Path

import pytest

from auditor import case as cases
from auditor.assembly import conclude
from auditor.checks import attested
from auditor.checks.context import Context
from auditor.checks.finding import Finding
from auditor.domain import ATTESTABLE, How, Status
from auditor.errors import InputError
from auditor.evidence import Evidence, policy_digest
from auditor.guarantees import ATTESTED_AT_BEST, KNOWN
from auditor.settings.tables import Claims
from auditor.theorems.control import PRIVATE
from auditor.words import sentence
from auditor.words.facts import STATEMENTS
from judging import case_facts, declared, sections_of_case
from network_cases import write_case

PROVED = (
    "model-guarantee",
    "whole-state",
    "adaptive",
    "two-sided",
    "dp-per-subject",
    "strongly-history-independent",
    "pan-private",
)


def attesting(folder: Path, *names: str) -> Path:
    return write_case(folder, tables=f"[claims]\nattested = {list(names)}\n".replace("'", '"'))


def test_what_can_be_attested_is_in_the_catalogue_and_never_more_than_attested() -> None:
    assert set(ATTESTABLE) <= KNOWN
    assert set(ATTESTABLE) <= set(STATEMENTS)
    assert set(ATTESTABLE) <= ATTESTED_AT_BEST
    assert not set(PROVED) & set(ATTESTABLE)
    assert set(PRIVATE.needs) - set(ATTESTABLE) == {"dp-per-subject", "release-reproduced"}


@pytest.mark.parametrize("name", [*PROVED, "store-erased", "criterion-met", "dictionary"])
def test_any_other_fact_is_refused_with_those_that_are_known(tmp_path: Path, name: str) -> None:
    with pytest.raises(InputError) as caught:
        cases.read(attesting(tmp_path, "dictionary-before", name))
    (problem,) = caught.value.problems
    assert problem.where == "claims.attested.1"
    assert all(known in problem.expected for known in ATTESTABLE)
    assert name in problem.found


def context(store: str | None = None) -> Context:
    return declared(claims=Claims(attested=ATTESTABLE), case=case_facts(store=store))


@pytest.mark.parametrize("status", sorted(set(Status) - {Status.FAIL}))
def test_the_word_stands_where_the_search_found_nothing(status: Status) -> None:
    found = attested.facts(context(), Finding(status))
    assert [each.name for each in found] == list(ATTESTABLE)
    assert {each.how for each in found} == {How.ATTESTED}
    assert {sentence(each.evidence) for each in found} == {"by the controller, in [claims] attested"}
    assert attested.facts(declared(), Finding(status)) == ()


@pytest.mark.parametrize(
    ("store", "status", "reason"),
    [
        (None, Status.FAIL, "data.erased found deleted records"),
        ("store.npz", Status.FAIL, "data.erased found deleted records"),
        ("store.npz", Status.PASS, "the case names a data store"),
    ],
)
def test_what_was_handed_in_refutes_the_word(store: str | None, status: Status, reason: str) -> None:
    found = {each.name: each for each in attested.facts(context(store), Finding(status))}
    destroyed = found.pop("training-data-destroyed")
    assert destroyed.how is How.REFUTED
    assert reason in sentence(destroyed.evidence)
    assert {each.how for each in found.values()} == {How.ATTESTED}


def concluded(folder: Path, *names: str) -> Evidence:
    """The evidence of an audit that broke off."""
    folder.mkdir()
    case = cases.read(attesting(folder, *names) if names else write_case(folder))
    return conclude(sections_of_case(case, failure="broken off"), {})


def test_evidence_without_attestations_names_none_and_its_digest_is_of_none(tmp_path: Path) -> None:
    attested, bare = concluded(tmp_path / "attested", "dictionary-before"), concluded(tmp_path / "bare")
    assert attested.policy.attested == ("dictionary-before",)
    assert b'"attested":["dictionary-before"]' in attested.to_bytes()
    assert bare.policy.attested == ()
    assert b'"attested":[]' in bare.to_bytes()
    assert bare.policy.digest != attested.policy.digest
    policy = bare.policy
    assert policy.digest == policy_digest(policy.required, policy.settings, policy.claims, ())
    assert policy.digest != policy_digest(policy.required, policy.settings, policy.claims, ("dictionary-before",))
