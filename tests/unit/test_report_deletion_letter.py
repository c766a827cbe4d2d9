"""What a letter says of data deletion: how much, for how long, under which requests, and what it takes on trust."""

from __future__ import annotations

import json
import re

import pytest

import deletion_examples as examples
import report_examples
from auditor.domain import How, Standing
from auditor.letters import UNNAMED_FACT, UNNAMED_RULE, extract
from auditor.report import letter_meanings as meanings
from auditor.report import letter_words as words
from auditor.theorems.data_deletion import Deletion, Source, theorem

HER = "REQ-2026-0001"


def letter(given, example=examples.deleting):
    found = examples.promised(example(), given)
    # A claim would bind the verdict, which here is a pass whatever becomes of the guarantees.
    unclaimed = found.policy.model_copy(update={"claims": {}})
    return extract(report_examples.changed(found, policy=unclaimed).evidence, HER)


def told(given):
    return meanings.meanings(letter(given))[0]


def times(sentences):
    """How often out of 100 the game can be won."""
    found = re.search(r"right no more than ([0-9.]+) times in 100", " ".join(sentences))
    return None if found is None else float(found[1])


def test_she_is_told_how_much_for_how_long_and_what_is_taken_on_trust():
    found = told(examples.guarantees())
    said = " ".join(found.sentences)
    assert (found.title, found.standing) == ("The model, from the erasure on", Standing.SUPPORTED)
    # √(ε/2), and not √(2ε): a run that never had the data is what the bound is held against.
    assert times(found.sentences) == 51.9
    assert meanings.FOR_EVER in said
    assert "nobody chose what to have erased by looking at a published model" in said
    assert "It gives no protection against anyone who kept a version of the model from before the erasure" in said
    assert "looking at published models." not in said


def test_she_is_told_that_others_may_have_looked_and_that_her_own_request_may_not():
    said = " ".join(told(examples.guarantees(0.2, seen=3, seen_releases=How.ATTESTED)).sentences)
    assert "It holds even where other people chose what to have erased after looking at published models." in said
    assert "you did not make your own request depend on a published model" in said
    assert "had seen no more versions of the model than the controller says" in said
    assert "nobody chose what to have erased" not in said


def test_a_wide_bound_is_called_a_weak_promise():
    assert "That is a weak promise" in " ".join(told(examples.guarantees(3.0)).sentences)
    said = " ".join(told(examples.guarantees(5.0)).sentences)
    assert "too wide to say how well anybody could tell. That is a weak promise." in said


def test_without_a_theorem_the_letter_speaks_of_the_runs_alone():
    said = " ".join(told(examples.guarantees(0.0, source="twins", code_clean=How.ATTESTED)).sentences)
    assert "came out exactly the same each time" in said
    assert "these runs took nothing into them" in said
    assert "nothing in the program itself was made from erased data" in said
    assert meanings.FOR_EVER not in said
    assert "noise" not in said


def test_what_is_not_shown_is_told_once_and_without_numbers():
    given = examples.guarantees(deletion_bound_met=How.REFUTED)
    first, wider = meanings.meanings(letter(given))
    assert (first.title, first.standing) == ("The model, from the erasure on", Standing.NOT_SHOWN)
    assert "does not say that the model still remembers yours" in " ".join(first.sentences)
    assert "2 wider guarantees" in " ".join(wider.sentences)
    assert times(first.sentences) is None


def test_a_refuted_promise_is_told_as_one():
    found = told(examples.guarantees(deletion_unrefuted=How.REFUTED))
    assert found.standing is Standing.REFUTED
    assert "The promise does not hold." in " ".join(found.sentences)


@pytest.mark.parametrize("source", ["5.1", "5.2", "gaussian", "twins"])
@pytest.mark.parametrize("seen", [0, 2])
def test_every_theorem_and_premise_has_a_name_in_the_letter(source: Source, seen):
    found = next(item for item in letter(examples.guarantees(0.1, seen=seen, source=source)).guarantees if item.order)
    (derivation,) = found.derivation
    assert derivation.rule == theorem(Deletion(2.0, 0.1, source, seen, known_loss=source != "twins")).id != UNNAMED_RULE
    assert UNNAMED_FACT not in {premise.fact for premise in derivation.premises}


def test_what_data_deletion_looked_at_is_not_called_unexamined():
    base = examples.deleting()
    asked = report_examples.with_check(base, "removal.budget", basis="Applies to another procedure only.")
    found = extract(asked.evidence, HER)
    assert "removal.budget" in found.not_run
    assert "how large a trace an erasure leaves" not in " ".join(words.limits(found))
    unasked = found.model_copy(update={"checks": tuple(each for each in found.checks if not each.id.startswith("deletion."))})
    assert "how large a trace an erasure leaves" in " ".join(words.limits(unasked))


def test_the_order_is_in_the_letter_of_data_deletion_alone():
    held = json.loads(letter(examples.guarantees()).to_bytes())["guarantees"]
    assert {item["id"]: item.get("order") for item in held if "order" in item} == {"data-deletion": 2.0}


def test_premises_on_the_controllers_word_about_its_own_network_are_told_in_one_breath_each():
    foreign = dict.fromkeys(
        ("loss_bounded", "loss_constants", "full_batch_descent", "start_gaussian", "steps_counted", "noise_measured"),
        How.ATTESTED,
    )
    said = " ".join(told(examples.guarantees(0.1, source="5.2", **foreign)).sentences)
    assert said.count("the model keeps the mathematical limits") == 1
    assert said.count("the training took the steps and added the noise") == 1
