"""What audit.toml says for the documents alone: every problem at once, stated in the evidence, and no part of a verdict."""

from __future__ import annotations

from datetime import date

import pytest

from auditor.audit.describing import case_facts, policy_facts
from auditor.base.errors import InputError
from auditor.case import read
from auditor.case.declaration import declare
from auditor.case.files import Source
from auditor.document import evidence_files
from auditor.recheck import recheck
from auditor.recheck.derivations import derive_again
from auditor.settings.documents import OutsidePlace, RunBy
from case_examples import SOUND, write_case
from sample_cases import GOLDEN

WHO = """\
name = "example"
purpose = "Sorts scanned letters by their first digit."
dpo = "Kim Example, dpo@example.org"
authority = "Example Data Protection Authority, 1 Example Street, Exampletown"
ropa = "ROPA-7"
dpia = "DPIA-3"
in_use_since = 2026-06-01
run_by = { name = "Robin Example", role = "auditor", organisation = "Example Imaging", relation = "internal" }
"""
WHY = """
[policy]
rationale = { max_epsilon = "As agreed with the works council.", "swap.pairs" = "Enough for small differences." }

[[outside]]
name = "backups"
what = "nightly copies"
until = 2026-12-31
declared_by = "Sam Example"

[[outside]]
name = "recipients"
what = "Example Partner Ltd"
declared_by = "Sam Example"
"""
FULL = SOUND.replace('name = "example"\n', WHO) + WHY
PLACES = (
    OutsidePlace(name="backups", what="nightly copies", until=date(2026, 12, 31), declared_by="Sam Example"),
    OutsidePlace(name="recipients", what="Example Partner Ltd", declared_by="Sam Example"),
)


def problems(text):
    return {each.where: each for each in declare(Source("audit.toml", text.encode())).problems}


def test_the_evidence_states_it_as_declared(tmp_path):
    case = read(write_case(tmp_path, FULL))
    facts = case_facts(case)
    assert facts.authority == "Example Data Protection Authority, 1 Example Street, Exampletown"
    assert (facts.purpose, facts.dpo) == ("Sorts scanned letters by their first digit.", "Kim Example, dpo@example.org")
    assert (facts.ropa, facts.dpia, facts.in_use_since) == ("ROPA-7", "DPIA-3", date(2026, 6, 1))
    assert facts.run_by == RunBy(name="Robin Example", role="auditor", organisation="Example Imaging", relation="internal")
    policy = policy_facts(case)
    assert policy.rationale["swap.pairs"] == "Enough for small differences."
    assert "rationale" not in policy.settings
    assert case.settings.outside == PLACES


def test_evidence_that_states_it_is_read_and_verified(tmp_path):
    plain = evidence_files.read(GOLDEN / "made-newton.json")
    run_by = RunBy(name="Robin Example", relation="third-party")
    full = plain.model_copy(
        update={
            "case": plain.case.model_copy(update={"authority": "A, B", "run_by": run_by, "in_use_since": date(2026, 6, 1)}),
            "policy": plain.policy.model_copy(update={"rationale": {"max_epsilon": "x"}}),
            "outside": PLACES,
        }
    )
    path = tmp_path / "evidence.json"
    full = full.model_copy(update={"premises": derive_again(full).premises})
    path.write_bytes(full.to_bytes())
    assert evidence_files.read(path) == full
    assert recheck(path).agrees


def test_what_is_not_declared_leaves_no_trace_in_the_document(tmp_path):
    case = read(write_case(tmp_path))
    assert not {"authority", "run_by", "in_use_since"} & case_facts(case).model_dump().keys()
    assert "rationale" not in policy_facts(case).model_dump()
    plain = evidence_files.read(GOLDEN / "made-newton.json").model_copy(update={"outside": ()})
    assert b'"outside"' not in plain.to_bytes()


def test_every_problem_is_named_at_once_and_no_hostile_text_comes_through():
    found = problems(
        FULL.replace("Sorts scanned", "Sorts\\u202e scanned")
        .replace('relation = "internal"', 'relation = "friend", fee = 3')
        .replace("in_use_since = 2026-06-01", 'in_use_since = "soon"')
        .replace("max_epsilon =", "max_epsilom =")
        .replace('"swap.pairs" =', '"swap\\u0007" =')
        .replace("until = 2026-12-31", "until = 2026-12-31T10:00:00")
        .replace('declared_by = "Sam Example"\n\n', "\n")
    )
    assert found.keys() == {
        "case.purpose",
        "case.run_by.relation",
        "case.run_by.fee",
        "case.in_use_since",
        "policy.rationale.max_epsilom",
        "policy",
        "outside.0.until",
        "outside.0.declared_by",
    }
    assert "max_epsilon?" in found["policy.rationale.max_epsilom"].expected
    assert "self, internal, third-party" in found["case.run_by.relation"].expected
    assert all(f"{each}".isprintable() for each in found.values())


@pytest.mark.parametrize("written", ["outside = 3", "outside = [1]", '[outside]\nname = "x"'])
def test_places_are_an_array_of_tables(written):
    text = f"{written}\n{SOUND}" if "[outside]" not in written else f"{SOUND}\n{written}"
    assert "[[outside]] tables" in problems(text)["outside"].expected


def test_places_are_counted():
    place = '[[outside]]\nname = "x"\nwhat = "y"\ndeclared_by = "z"\n'
    assert "at most 100" in problems(SOUND + 101 * place)["outside"].expected
    assert problems(SOUND + 100 * place) == {}


@pytest.mark.parametrize(("since", "is_refused"), [("2026-01-19", True), ("2026-01-20", False)])
def test_no_version_is_in_use_before_the_log_had_records_taken_out_of_it(tmp_path, since, is_refused):
    folder = write_case(tmp_path, FULL.replace("in_use_since = 2026-06-01", f"in_use_since = {since}"))
    if not is_refused:
        assert read(folder).settings.case.in_use_since == date.fromisoformat(since)
        return
    with pytest.raises(InputError) as refused:
        read(folder)
    (problem,) = refused.value.problems
    assert (problem.where, problem.found) == ("case.in_use_since", since)
    assert "no day before 2026-01-20" in problem.expected
