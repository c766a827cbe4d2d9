"""The page on data deletion in words: what is promised, what is void, what is missing, and why."""

from __future__ import annotations

import dataclasses
import re

import pytest

import deletion_examples as examples
import report_examples
from auditor.base.domain import Provenance, Status
from auditor.pages import render
from auditor.pages.words import numbers
from auditor.pages.words.texts import text
from auditor.parts.data_deletion.judging.adaptive import Played
from auditor.parts.data_deletion.judging.chains import Chains
from auditor.parts.data_deletion.judging.derived import Premise
from auditor.parts.data_deletion.judging.requester import Game
from auditor.parts.data_deletion.judging.state_stateless import DerivedOfRuns
from auditor.parts.data_deletion.telling import deletion_tables, deletion_words
from auditor.parts.swap.telling import epsilon_words


def page(evidence):
    """What the annex says of data deletion, as one line without tags."""
    blocks = re.findall(r'<article class="check">.*?</article>', render.html(evidence), re.DOTALL)
    said = [block for block in blocks if " · deletion." in block or " · state." in block]
    return " ".join(re.sub(r"<[^>]+>", " ", " ".join(said)).split())


def test_a_report_has_the_page_where_a_check_on_data_deletion_ran_and_only_there():
    assert 'id="deletion"' in render.html(examples.deleting())
    assert 'id="deletion"' not in render.html(report_examples.passing())


def test_the_page_holds_bounds_orders_forms_trade_off_batches_and_cost():
    said = page(examples.deleting())
    found = examples.renyi_derived()
    for expected in (
        f"ε_dd, of a deleted record {numbers.at_most(found.epsilon_dd)} at order q = 2",
        f"ε_dp, of a record that is kept {numbers.at_most(found.epsilon_dp)} at order q = 2",
        "best order on the grid q = 1.25",
        "one-directional",
        "does not decide",
        "never trained on any of them, m² ε_dd",
        "85 % of the gradients",
        "84.29 % of the time (0.066 s against 0.42 s)",
        "What data deletion does not cover",
        "none counts as having seen one",
        "No adaptive requester played",
    ):
        assert expected in said


@pytest.mark.parametrize("example", [examples.deleting, examples.falling_short, examples.not_covered])
def test_no_table_is_empty_and_no_cell_says_none(example):
    whole = render.html(example())
    assert not re.search(r"<tbody>\s*</tbody>", whole)
    section = whole[whole.index('id="deletion"') : whole.index('id="coverage"')]
    assert "None" not in section
    assert "not available" not in section
    assert not re.search(r"<t[dh][^>]*>\s*</t[dh]>", section)


def test_the_sentence_on_one_deletion_leaves_the_number_to_the_guarantee():
    said = deletion_words.promise(examples.renyi_check())
    assert re.fullmatch(r"Data deletion: ε_dd = [0-9.]+ for one record, within its threshold\.", said)


@pytest.mark.parametrize("status", [Status.FAIL, Status.INCONCLUSIVE, Status.ERROR, Status.SKIPPED])
def test_only_a_check_that_passed_tells_a_membership_bound(status):
    assert "of 100" not in deletion_words.promise(examples.renyi_check(status))
    assert "of 100" not in deletion_words.adaptive(examples.adaptive_check(status, seen=3))


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (
            {"noise_secret": Provenance.REFUTED},
            "the guarantee is not shown, as it also needs “Start and noise are known to nobody",
        ),
        ({"deletion_unrefuted": Provenance.REFUTED}, "but what this run showed refutes the guarantee"),
        ({"log_consistent": Provenance.UNKNOWN}, "as it also needs “The deletion log is free of contradictions"),
    ],
)
def test_numbers_that_keep_to_their_threshold_are_no_promise_where_the_guarantee_does_not_stand(change, said):
    evidence = examples.promised(
        examples.build(examples.renyi_check(), examples.adaptive_check(seen=3), examples.stateless_check()),
        examples.guarantees(**change),
    )
    # A claim would keep the verdict from pass.
    evidence = report_examples.changed(evidence, policy=evidence.policy.model_copy(update={"claims": {}}))
    told = deletion_words.findings(evidence)
    assert len(told) == 2
    assert all(said in sentence for sentence in told)
    assert "of 100" not in " ".join(told)
    assert "where guessing is right 50 times." not in page(evidence)


def test_a_bound_that_says_nothing_is_told_as_such():
    wide = examples.renyi_check(membership={"order": 2.0, "bound": 1.0})
    assert "ε_dd" in deletion_words.promise(wide)


def test_beside_a_false_premise_no_number_is_printed():
    check = examples.falling_short().check("deletion.renyi")
    assert check.derived.orders
    assert deletion_tables.is_void(check.derived)
    assert deletion_tables.printed_orders(check.derived) == ()
    assert deletion_tables.conversions(check.derived) == ()
    assert deletion_tables.batches(check.derived) == ()
    assert deletion_tables.best(check.derived) is None
    assert deletion_tables.gaussian(check.derived) == ()
    assert [row.name for row in deletion_tables.bounds(check.derived)] == ["rests on"]
    said = page(examples.falling_short())
    assert "a premise was found false: “Every row that is learned from has a norm of at most 1" in said
    assert 'How to fix it: scale the rows to norm 1, or set row_norms = "scale"' in said.replace("&#34;", '"')
    assert "where guessing is right 50 times" not in said


def test_premises_stand_as_sentences_the_false_ones_first_and_trust_is_called_trust():
    given = (
        examples.premise("loss-convex", "logistic"),
        examples.premise("stateless", "?", "unknown", holds=None, mend="nothing but the model"),
        examples.premise("rows-bounded", "3.2", "refuted", holds=False),
        examples.premise("something else", "x", "attested"),
    )
    rows = deletion_tables.premises([Premise.model_validate(each) for each in given])
    assert [row.holds for row in rows] == [False, None, True, True]
    assert deletion_tables.statement(rows[0]).startswith("Every row that is learned from")
    assert rows[0].how is Provenance.REFUTED
    assert (deletion_tables.statement(rows[3]), rows[3].how) == ("something else", Provenance.ATTESTED)


def test_where_there_is_no_epsilon_the_reason_and_what_would_mend_it_are_told():
    said = page(examples.not_covered())
    assert "There is no ε_dd. How to fix it: train without clip" in said
    assert "Data deletion could not be decided: neither theorem covers a clipped softmax." in said
    assert "There is no figure of ε_dd against the steps" in said
    assert "The variance of the noise was not measured. The steps were not counted." in said
    assert "ε(p) none: the text above" in said
    assert deletion_tables.theorem(examples.renyi_derived(theorem=None)) == "No theorem covers the case."


def test_a_check_that_derived_nothing_shows_its_basis():
    reason = "No executed request names a record of the training data."
    empty = dataclasses.replace(examples.renyi_check(Status.INCONCLUSIVE), value=None, derived=None, basis=reason)
    beside = dataclasses.replace(examples.adaptive_check(Status.INCONCLUSIVE), value=None, derived=None, basis=reason)
    said = page(examples.build(empty, beside))
    assert said.count(reason) == 2
    assert "What was checked" not in said


def test_the_trade_off_decides_only_where_the_policy_lets_it():
    beside = deletion_tables.gaussian_role(examples.renyi_derived())
    decides = deletion_tables.gaussian_role(examples.renyi_derived(theorem="gaussian"))
    assert "does not decide" in beside
    assert "use_gaussian_tradeoff = true" in decides
    assert "here the trade-off decides" in decides


def test_the_declared_and_the_best_order_are_always_printed():
    many = [{"order": 1.1 + k, "epsilon_dd": 0.1, "epsilon_dp": 0.2, "advantage": 0.3} for k in range(60)]
    found = examples.renyi_derived(order=17.1, membership={"order": 29.1, "bound": 0.3}, orders=many)
    shown = deletion_tables.printed_orders(found)
    assert len(shown) == deletion_tables.MOST_ORDERS
    assert {17.1, 29.1} < {row.order for row in shown}
    assert deletion_tables.best(found) == (29.1, 0.3)
    assert [row.order for row in shown] == sorted(row.order for row in shown)
    assert deletion_words.order(1.001) != deletion_words.order(1.001468)


@pytest.mark.parametrize(
    ("steps", "said"),
    [
        (None, "The steps were not counted."),
        ({"declared": [4, 2], "counted": [4, 2, 2]}, "Counted were 4 for learning and 2 in 2 updates."),
        ({"declared": [4, 2], "counted": [4, 1, 2]}, "Counted were 4 for learning and 1 to 2 in 2 updates."),
        ({"declared": [4, 2], "counted": [4]}, "Counted were 4 for learning."),
        ({"declared": [4, 2], "counted": [4, None]}, "How many ran is not known."),
    ],
)
def test_steps_are_told_as_declared_and_as_counted(steps, said):
    assert deletion_tables.steps(examples.renyi_derived(steps=steps)).endswith(said)


def test_noise_is_told_with_what_the_test_would_have_found():
    found = examples.renyi_derived()
    said = deletion_tables.noise(found)
    assert "declared 0.01. It lies inside 0.0097 to 0.0103" in said
    assert "deviation of 4.7\u00a0% or more with 99\u00a0% probability" in said
    off = deletion_tables.noise(found.model_copy(update={"noise": found.noise.model_copy(update={"measured": 0.02})}))
    assert "outside" in off


def test_cost_that_was_not_saved_or_not_timed_is_said():
    lost = {
        "gradients_learning": None,
        "gradients_unlearning": None,
        "saved_share": -0.5,
        "seconds_retraining": 0.0,
        "seconds_unlearning": 0.1,
    }
    rows = {row.name: row.value for row in deletion_tables.cost(examples.renyi_derived(cost=lost))}
    assert rows == {"saved, as counted": "none: 50\u00a0% more gradients", "saved, as timed": "not timed in this run"}


def test_requests_are_told_with_what_they_saw_and_from_where():
    check = examples.adaptive_check(seen=3)
    said = deletion_words.adaptive(check)
    assert "chosen after seeing up to 3 published models" in said
    assert deletion_tables.seen(check.derived) == "p = 3, from the log, which names the models seen (attested)"
    people = examples.adaptive_check(seen=1, records_per_person=2, epsilon_person=None)
    assert deletion_words.adaptive(people).endswith("For the 2 records of one person together no theorem gives a bound.")
    wide = examples.adaptive_check(seen=1, records_per_person=4, epsilon_person=9.0)
    assert deletion_words.adaptive(wide).endswith("right 50 times. For the 4 records of one person together it gives no bound.")
    rows = {row.name: row.value for row in deletion_tables.adaptive_bounds(people.derived)}
    bare = examples.adaptive_check(seen=1, epsilon=None)
    assert deletion_words.adaptive(bare).endswith("for one record, as allowed.")
    assert rows["ε(p) for a person with 2 deleted records"] == "no theorem bounds it"


def played(refuted):
    return Game(
        requester="median",
        own_guess=False,
        seen=1,
        rounds=2,
        games=200,
        fitted=100,
        hits=90,
        trials=100,
        other_hits=0,
        other_trials=100,
        named_right=0.95,
        advantage=0.9,
        advantage_lower=0.8,
        confidence=0.95,
        order=2.0,
        epsilon_lower=1.2,
        epsilon_by_advantage=1.1,
        largest_request=1,
        replaces=False,
        quick=False,
        refuted=report_examples.by_hand(refuted),
    )


def test_a_refuting_game_is_told_before_any_number():
    game = played("The requester reached ε of 1.2, above 0.01.")
    check = examples.adaptive_check(Status.FAIL, seen=1, game=game)
    assert deletion_words.adaptive(check).endswith("is not shown. The requester reached ε of 1.2, above 0.01.")
    said = page(examples.build(examples.renyi_check(), check))
    assert "The requester reached ε of 1.2, above 0.01." in said
    assert "games played 200" in said
    assert "no result is evidence for it" in said
    alone = dataclasses.replace(check, value=None, threshold=None, derived=Played(game=game))
    assert deletion_words.adaptive(alone).endswith("is not shown. The requester reached ε of 1.2, above 0.01.")
    assert [row.value for row in deletion_tables.adaptive_bounds(alone.derived)][:1] == ["not known"]


def test_swap_quality_is_called_the_wrong_question_where_it_did_not_pass_and_data_deletion_is_claimed():
    base = examples.deleting()
    assert deletion_words.likeness(base) is None
    open_ = dataclasses.replace(base.check("swap.quality"), status=Status.INCONCLUSIVE)
    checks = tuple(open_ if check.id == "swap.quality" else check for check in base.checks)
    required = tuple(name for name in base.policy.required if name != "swap.quality")
    evidence = report_examples.changed(base, checks=checks, policy=base.policy.model_copy(update={"required": required}))
    assert text("deletion-likeness") in render.html(evidence)
    assert "leak" not in text("deletion-likeness")
    removal = report_examples.failing()
    assert removal.check("swap.quality").status is Status.FAIL
    unclaimed = report_examples.changed(removal, policy=removal.policy.model_copy(update={"claims": {}}))
    assert deletion_words.likeness(unclaimed) is None


def simulated(chains):
    base = report_examples.consistency_check(Status.PASS, 0.0)
    return dataclasses.replace(base, derived=base.derived.model_copy(update={"chains": chains}))


def test_chains_are_told_with_what_they_follow_or_why_none_ran():
    ran = Chains(count=2000, fitted=1000, confidence=0.95, order=2.0, tests=4, reason=None)
    said = epsilon_words.chains(simulated(ran))
    assert said.startswith("2,000 chains of the declared settings ran in each world")
    assert "on 1,000 of them the events were fixed" in said
    assert "95\u00a0% confidence" in said
    assert said.endswith("They follow the declaration, not the code that ran.")
    none = ran.model_copy(update={"count": 0, "reason": report_examples.by_hand("not run: too large")})
    assert "not run: too large" in epsilon_words.chains(simulated(none))
    assert epsilon_words.chains(simulated(None)) == ""


def test_a_swap_result_that_explains_itself_is_not_explained_again():
    quality = dataclasses.replace(examples.deleting().check("swap.quality"), status=Status.SKIPPED)
    twins = examples.build(examples.renyi_check(theorem="twins"))
    checks = tuple(quality if check.id == "swap.quality" else check for check in twins.checks)
    evidence = report_examples.changed(twins, checks=checks)
    assert deletion_words.likeness(evidence) == text("deletion-likeness")
    assert deletion_words.beside_quality(evidence) is None
    assert "came out the same, bit for bit" in page(twins)


def test_what_was_carried_is_named():
    said = " ".join(re.sub(r"<[^>]+>", " ", render.html(examples.falling_short())).split())
    assert "procedure.Counter.deleted (attribute)" in said
    assert "procedure._CACHE (module global)" in said
    assert "scratch/counter.json (file)" in said
    assert "loaded from the file that the procedure saved, in a fresh process" in said
    again = ({"from": "the released parameters alone", "came_out": "otherwise", "reason": None},)
    base = examples.stateless_check(by_construction=False)
    ran = dataclasses.replace(base, derived=DerivedOfRuns(**dict(base.derived), resumed=again, p_values={}))
    told = render.html(examples.build(examples.renyi_check(), ran))
    assert "the released parameters alone</td><td>otherwise</td><td>–" in told
    own = deletion_words.stateless(examples.stateless_check())
    assert own == "The procedure is built into the auditor, and it carries nothing from one update to the next but the model."
    assert "distributions were compared" in deletion_words.stateless(
        examples.stateless_check(by_construction=False, updates=3, deterministic=False)
    )
