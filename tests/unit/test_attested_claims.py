"""What a controller may attest: facts that it alone can know, each by its name, and none that a proof has to give."""

from __future__ import annotations

from pathlib import Path

import pytest

from auditor import case as cases
from auditor.domain import ATTESTABLE, Check, How, Status
from auditor.errors import InputError
from auditor.evidence import Evidence, parse, policy_digest
from auditor.guarantees import ATTESTED_AT_BEST, STATEMENTS
from auditor.observing import attested
from auditor.observing.findings import TITLES
from auditor.theorems import PRIVATE_ROUTE
from network_cases import write_case
from rechecks import document

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
    assert set(ATTESTABLE) <= set(STATEMENTS)
    assert set(ATTESTABLE) <= ATTESTED_AT_BEST
    assert not set(PROVED) & set(ATTESTABLE)
    assert set(PRIVATE_ROUTE.needs) - set(ATTESTABLE) == {"dp-per-subject", "release-reproduced"}


@pytest.mark.parametrize("name", [*PROVED, "store-erased", "criterion-met", "dictionary"])
def test_any_other_fact_is_refused_with_those_that_are_known(tmp_path: Path, name: str) -> None:
    with pytest.raises(InputError) as caught:
        cases.read(attesting(tmp_path, "dictionary-before", name))
    (problem,) = caught.value.problems
    assert problem.where == "claims.attested.1"
    assert all(known in problem.expected for known in ATTESTABLE)
    assert name in problem.found


def test_the_word_stands_unless_the_search_found_something(tmp_path: Path) -> None:
    case = cases.read(attesting(tmp_path, *ATTESTABLE))
    assert {each.how for each in attested.facts(case, ())} == {How.ATTESTED}
    erased = Check("data.erased", TITLES["data.erased"], Status.FAIL, 1.0, None, 0.0, "found")
    hows = {each.name: each.how for each in attested.facts(case, (erased,))}
    assert hows.pop("training-data-destroyed") is How.REFUTED
    assert set(hows.values()) == {How.ATTESTED}


def test_evidence_without_attestations_keeps_its_bytes_and_its_digest() -> None:
    value = document()
    evidence: Evidence = parse(value, "evidence.json")
    assert evidence.policy.attested == ()
    assert b'attested":[' not in evidence.to_bytes()
    policy = evidence.policy
    assert policy.digest == policy_digest(policy.required, policy.settings, policy.claims, ())
    assert policy.digest != policy_digest(policy.required, policy.settings, policy.claims, ("dictionary-before",))
