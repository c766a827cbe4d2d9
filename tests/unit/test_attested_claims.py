"""What a controller may attest: facts that it alone can know, each by its name, and none that a proof has to give."""

from __future__ import annotations

import json
import re
from datetime import UTC, date, datetime, timedelta
from pathlib import Path

import pytest

import auditor
from auditor import case as cases
from auditor.base.domain import Provenance, Status
from auditor.base.errors import InputError
from auditor.document.context import Attested
from auditor.document.evidence import Evidence, policy_digest
from auditor.document.evidence_files import parse
from auditor.pages.words import attestations as words
from auditor.pages.words import sentence
from auditor.pages.words.guarantees import STATEMENTS
from auditor.parts.controllers.theorems import PRIVATE
from auditor.settings.attestations import ATTESTABLE, PROOFS, facts_of, name_for
from auditor.settings.tables import Claims
from auditor.verdict.assembly import conclude
from auditor.verdict.checks import attested
from auditor.verdict.checks.context import Context
from auditor.verdict.checks.finding import Finding
from auditor.verdict.guarantees import ATTESTED_AT_BEST, KNOWN
from judging import case_facts, declared, sections_of_case
from network_cases import write_case

PROVED = (
    "model-guarantee",
    "whole-state",
    "adaptive",
    "two-sided",
    "dp-per-subject",
    "adaptively-history-independent",
    "history-independent-when-fresh",
    "pan-private",
)
BY = 'attested_by = "A. N. Other"\n'
AT = "attested_at = 2026-01-31\n"
WORDS = ("controller-is-implementation", "dictionary-before", "training-data-destroyed")
OTHERWISE = {"noise-secret": "seed-secret", "first-part-has-control": "first-part-strongly-history-independent"}
"""Facts that are attested under another name."""


def attesting(folder: Path, *names: str) -> Path:
    return claiming(folder, f"attested = {json.dumps(names)}\n{BY}{AT}")


def claiming(folder: Path, keys: str) -> Path:
    return write_case(folder, tables=f"[claims]\n{keys}")


def test_what_can_be_attested_is_in_the_catalogue_and_is_nothing_that_a_proof_gives() -> None:
    facts = {fact for name in ATTESTABLE for fact in facts_of(name)}
    assert facts <= KNOWN
    assert facts <= set(STATEMENTS)
    assert not set(PROVED) & set(ATTESTABLE)
    assert set(PRIVATE.needs) - set(ATTESTABLE) == {"dp-per-subject"}
    # What a run may find out is no mere word where it did.
    reported_once = {"dictionary-before", "nothing-before-training", "training-data-destroyed"}
    by_construction = {
        "answers-from-own-data",
        "first-part-answers-without-chance",
        "first-part-has-control",
        "parts-answer-the-asker",
        "parts-share-nothing",
        "ids-in-dictionary",
        "one-release-channel",
        "strongly-history-independent",
        "logical-deletion",
        *reported_once,
    }
    assert facts - ATTESTED_AT_BEST == {"release-reproduced", "every-extractor", "seen-releases", "code-clean", *by_construction}


def test_each_name_has_its_words_in_the_order_of_the_questions() -> None:
    assert tuple(words.WORDS) == ATTESTABLE
    assert all(each.means.endswith(".") and each.otherwise.endswith(".") for each in words.WORDS.values())


def test_the_documentation_says_the_same_of_each() -> None:
    page = (Path(auditor.__file__).parent.parent / "docs" / "reference.md").read_text(encoding="utf-8")
    for name, each in words.WORDS.items():
        assert f"| `{name}` | {each.means} | {each.otherwise} |" in page


def test_each_fact_has_one_name_to_attest_it_by() -> None:
    given = {fact: name_for(fact) for name in ATTESTABLE for fact in facts_of(name)}
    assert {fact: name for fact, name in given.items() if fact != name} == OTHERWISE
    assert name_for("criterion-met") is None


def problems(folder: Path, keys: str) -> list[str]:
    with pytest.raises(InputError) as caught:
        cases.read(claiming(folder, keys))
    return [str(problem) for problem in caught.value.problems]


def test_an_attestation_by_nobody_is_a_problem_for_each_key_that_is_missing(tmp_path: Path) -> None:
    by, at = problems(tmp_path, 'attested = ["log-complete"]\n')
    assert "claims.attested_by: expected who attests it" in by
    assert "claims.attested_at: expected the day" in at
    # A name that is wrong hides neither.
    assert len(problems(tmp_path, f'attested = ["log-complet"]\n{BY}')) == 2


def test_nothing_attested_needs_nobody(tmp_path: Path) -> None:
    assert cases.read(claiming(tmp_path, f"attested = []\n{BY}")).settings.claims.attested == ()


def test_a_day_that_has_not_come_is_no_date_of_an_attestation(tmp_path: Path) -> None:
    ahead = (datetime.now(tz=UTC) + timedelta(days=2)).date()
    (problem,) = problems(tmp_path, f'attested = ["log-complete"]\n{BY}attested_at = {ahead}\n')
    assert "claims.attested_at: expected a day that has come" in problem


@pytest.mark.parametrize("day", ["2026-02-30", "yesterday", "2026-01-01T00:00:00Z"])
def test_a_date_is_a_date(tmp_path: Path, day: str) -> None:
    (problem,) = problems(tmp_path, f'attested = ["log-complete"]\n{BY}attested_at = "{day}"\n')
    assert "claims.attested_at: expected a date such as" in problem


def test_a_date_may_stand_in_quotes(tmp_path: Path) -> None:
    case = cases.read(claiming(tmp_path, f'attested = ["log-complete"]\n{BY}attested_at = "2026-01-31"\n'))
    assert case.settings.claims.attested_at == date(2026, 1, 31)


def test_each_name_is_attested_once_and_a_slip_is_told_with_the_nearest_one(tmp_path: Path) -> None:
    (problem,) = problems(tmp_path, f'attested = ["code-clean", "code-clean"]\n{BY}{AT}')
    assert "each name once" in problem
    (problem,) = problems(tmp_path, f'attested = ["codeclean"]\n{BY}{AT}')
    assert re.search(r"expected one of \d\d \(did you mean code-clean\?\): log-complete, ", problem), "first, where it is read"


@pytest.mark.parametrize("name", [*PROVED, "store-erased", "criterion-met", "dictionary"])
def test_any_other_fact_is_refused_with_those_that_are_known(tmp_path: Path, name: str) -> None:
    with pytest.raises(InputError) as caught:
        cases.read(attesting(tmp_path, "dictionary-before", name))
    (problem,) = caught.value.problems
    assert problem.where == "claims.attested.1"
    assert all(known in problem.expected for known in ATTESTABLE)
    assert name in problem.found


def attesting_words(*names: str) -> Claims:
    return Claims(attested=names, attested_by="A. N. Other", attested_at=date(2026, 1, 31))


def context(store: str | None = None) -> Context:
    return declared(claims=attesting_words(*WORDS), case=case_facts(store=store))


@pytest.mark.parametrize("status", sorted(set(Status) - {Status.FAIL}))
def test_the_word_stands_where_the_search_found_nothing(status: Status) -> None:
    found = attested.facts(context(), Finding(status))
    said = [each for each in found if each.how is not Provenance.UNKNOWN]
    assert {each.name for each in said} == set(WORDS)
    assert {each.how for each in said} == {Provenance.ATTESTED}
    assert {sentence(each.evidence) for each in said} == {"attested by A. N. Other, 2026-01-31"}


def test_silence_attests_nothing_and_every_fact_names_the_word_that_would() -> None:
    found = attested.facts(declared(case=case_facts(model=None)), Finding(Status.PASS))
    assert {each.how for each in found} == {Provenance.UNKNOWN}
    assert {each.name for each in found} == {fact for name in ATTESTABLE if name not in PROOFS for fact in facts_of(name)}
    for each in found:
        word = OTHERWISE.get(each.name, each.name)
        assert sentence(each.evidence) == f'not attested: add "{word}" to [claims] attested if it is true'


@pytest.mark.parametrize("name", [name for name in ATTESTABLE if facts_of(name) and name not in PROOFS])
def test_each_name_gives_its_facts_and_no_others(name: str) -> None:
    context = declared(claims=attesting_words(name), case=case_facts(model=None, store=None))
    found = attested.facts(context, Finding(Status.PASS))
    assert {each.name for each in found if each.how is Provenance.ATTESTED} == set(facts_of(name))


def test_where_a_model_file_is_shipped_no_word_says_that_it_is_the_right_one() -> None:
    words = attesting_words("release-reproduced")
    found = {each.name: each for each in attested.facts(declared(claims=words), Finding(Status.PASS))}
    assert found["release-reproduced"].how is Provenance.UNKNOWN
    assert "no word replaces that" in sentence(found["release-reproduced"].evidence)


@pytest.mark.parametrize(
    ("store", "status", "reason"),
    [
        (None, Status.FAIL, "data.erased found deleted records"),
        ("store.npz", Status.FAIL, "data.erased found deleted records"),
        ("store.npz", Status.PASS, "the case names a data store"),
    ],
)
def test_what_was_handed_in_refutes_the_word(store: str | None, status: Status, reason: str) -> None:
    found = {each.name: each for each in attested.facts(context(store), Finding(status)) if each.how is not Provenance.UNKNOWN}
    destroyed = found.pop("training-data-destroyed")
    assert destroyed.how is Provenance.REFUTED
    assert reason in sentence(destroyed.evidence)
    assert {each.how for each in found.values()} == {Provenance.ATTESTED}


def concluded(folder: Path, *names: str) -> Evidence:
    """The evidence of an audit that broke off."""
    folder.mkdir()
    case = cases.read(attesting(folder, *names) if names else write_case(folder))
    return conclude(sections_of_case(case, failure="broken off"), {})


def test_evidence_without_attestations_names_none_and_its_digest_is_of_none(tmp_path: Path) -> None:
    attested, bare = concluded(tmp_path / "attested", "dictionary-before"), concluded(tmp_path / "bare")
    word = Attested(name="dictionary-before", by="A. N. Other", at=date(2026, 1, 31))
    assert attested.policy.attested == (word,)
    assert b'"attested":[{"at":"2026-01-31","by":"A. N. Other","name":"dictionary-before"}]' in attested.to_bytes()
    assert bare.policy.attested == ()
    assert b'"attested":[]' in bare.to_bytes()
    assert bare.policy.digest != attested.policy.digest
    policy = bare.policy
    assert policy.digest == policy_digest(policy.required, policy.settings, policy.claims, ())
    assert policy.digest != policy_digest(policy.required, policy.settings, policy.claims, (word,))


def test_evidence_in_which_two_people_attest_is_none_of_ours(tmp_path: Path) -> None:
    document = json.loads(concluded(tmp_path / "case", "dictionary-before", "logical-deletion").to_bytes())
    document["policy"]["attested"][1]["by"] = "Somebody Else"
    with pytest.raises(InputError, match="one person and one day"):
        parse(json.dumps(document).encode(), "evidence.json")


def test_what_is_attested_is_read_back_from_evidence(tmp_path: Path) -> None:
    folder = tmp_path / "case"
    folder.mkdir()
    case = cases.read(attesting(folder, "dictionary-before", "code-clean"))
    context = sections_of_case(case, failure="broken off").context
    assert context.claims == case.settings.claims
    assert context.attests("code-clean")
    assert not context.attests("procedure-honest")
