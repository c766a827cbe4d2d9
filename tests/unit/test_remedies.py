"""What to do: concrete, from the evidence, and never nothing where the verdict is no pass."""

from __future__ import annotations

import dataclasses
import io
import itertools
import re
from datetime import UTC, date, datetime
from types import SimpleNamespace

import pytest
from rich.console import Console

from auditor.base.deletion_log.requests import Recipient
from auditor.base.domain import ClaimStatus, Message, Status, Verdict
from auditor.document.conclusions import ClaimStanding
from auditor.maths.statistics.exact import clopper_pearson
from auditor.pages import exchange, markdown, render, terminal, wording
from auditor.pages.estimates import Estimate
from auditor.pages.main import steps
from auditor.pages.remedies import Urgency, held_back, of_check, once, remedies, whose
from auditor.pages.remedies.lasting import models_that_decide
from auditor.pages.words.rendered_evidence import tell
from auditor.pages.words.texts import text
from auditor.parts.log.telling.remedies import deadlines
from auditor.parts.store.judging import data_erased
from auditor.parts.swap.telling.remedies import pairs_that_decide
from auditor.settings.receipts import Receipt
from tests.remedied import SAMPLES, golden, reasons, with_check

SHOWN = ("digits-cheater", "digits-newton-overrun", "breast-cancer-noisy-gd-short", "secret-counter", "digits-own-procedure")
EVERY = [pytest.param(name, marks=() if name in SHOWN else pytest.mark.slow) for name in SAMPLES]


def only(told, check_id):
    found = of_check(remedies(told), check_id)
    assert found, f"{check_id} asks for nothing"
    return found[0]


@pytest.mark.parametrize("name", EVERY)
def test_what_is_no_pass_has_a_next_step_and_failing_ones_come_first(name):
    told = golden(name)
    found = remedies(told)
    order = [each.urgency for each in found]
    assert order == sorted(order, key=list(Urgency).index)
    assert (told.verdict is Verdict.PASS) == (not {Urgency.FIX, Urgency.DECIDE} & set(order))
    if told.verdict is Verdict.FAIL:
        assert order[0] is Urgency.FIX


@pytest.mark.parametrize("name", EVERY)
def test_every_remedy_says_who_how_to_see_it_and_what_happens_meanwhile(name):
    for each in remedies(golden(name)):
        assert all((each.found, each.action, each.owner, each.proof, each.tell, each.meanwhile, each.by_when))
        said = f"{each.found} {each.action} {each.tell} {each.meanwhile}"
        assert "…" not in said.replace("[…]", "")  # keys of a mapping may name people, and are never shown
        assert not re.search(r"\b[Ss]ee deletion", said)
        assert "–" not in each.action


@pytest.mark.parametrize("name", EVERY)
def test_every_required_check_that_did_not_pass_asks_for_something(name):
    told = golden(name)
    open_ids = {each.id for each in told.checks if each.id in told.policy.required and each.status is not Status.PASS}
    assert open_ids <= {check for each in remedies(told) for check in each.checks}


def test_whose_recipients_were_not_told_is_in_a_step():
    told = golden("digits-newton")
    first, second, *rest = told.requests
    said = {
        first: (Recipient("Print Ltd", notified=False), Recipient("Post Ltd")),
        second: (Recipient("Print Ltd"),),
    }
    requests = (*(dataclasses.replace(each, recipients_notified=those) for each, those in said.items()), *rest)
    asked = remedies(tell(told.evidence.model_copy(update={"requests": requests})))
    (step,) = [each for each in asked if each.action.startswith("Tell each recipient who was not told")]
    assert step.requests == (first.request_id,)
    assert step.urgency is Urgency.CONFIRM
    assert "receipt" not in f"{step.found} {step.action}"
    receipt = Receipt(processor="print ltd", what="erased", requests="all", at=second.received_on, file="r.txt")
    given = told.evidence.model_copy(update={"requests": requests, "receipts": (receipt,)})
    (step,) = [each for each in remedies(tell(given)) if each.action.startswith("Tell each recipient who was not told")]
    assert f"a receipt that covers {first.request_id}: log and receipt do not agree" in step.found
    assert "correct the log" in step.action


def test_a_broken_budget_names_its_batch_the_requests_from_there_on_and_the_setting_that_would_have_served():
    told = golden("digits-newton-overrun")
    found = only(told, "removal.budget")
    series, limit = (getattr(told.check("removal.budget").derived, name) for name in ("series", "budget"))
    place = next(number for number, each in enumerate(series) if each.beta["local"] > limit)
    assert series[place].batch in found.action
    assert found.requests == tuple(name for each in series[place:] for name in each.request_ids)
    assert found.command == "auditor plan CASE --deletions 60 --sigma 2.6 --epsilon 1 --delta 0.0001"
    assert found.proof[0].expected == "passes, with a value of at most 1"


def test_records_that_were_found_are_named_by_place_and_request_and_nobody_is_told_that_they_are_gone():
    found = only(golden("digits-cheater"), "data.erased")
    assert "store.npz" in found.action
    assert found.requests[0] == "REQ-2026-0001"
    assert len(found.requests) == 15
    assert "found again" in found.tell
    assert found.by_when.startswith("At once")


def test_the_attribute_that_survived_is_named():
    found = only(golden("secret-counter"), "state.stateless")
    assert "SecretCounter._deleted_yes" in found.action


def test_too_few_unlearning_steps_name_the_steps_that_keep_the_promise():
    found = only(golden("breast-cancer-noisy-gd-short"), "deletion.renyi")
    assert "unlearn_steps = 92" in found.action
    assert found.checks == ("deletion.renyi", "deletion.adaptive")
    assert found.command.startswith("auditor plan CASE --data-deletion")


IDLE = {"quality": 0.6, "interval": [0.5, 0.7]}


def open_swap(idle):
    told = requiring(golden("digits-newton-overrun"), "swap.quality")
    derived = {**told.evidence.check("swap.quality").derived, "pairs": 20, "do_nothing": idle}
    changed = {"value": 0.97, "interval": (0.93, 1.0), "threshold": 0.95, "derived": derived}
    return with_check(told, "swap.quality", **changed)


def requiring(told, check_id):
    policy = told.policy.model_copy(update={"required": (*told.policy.required, check_id)})
    return dataclasses.replace(told, evidence=told.evidence.model_copy(update={"policy": policy}))


def test_an_open_swap_test_names_the_pairs_that_would_decide_and_the_time():
    found = only(open_swap(IDLE), "swap.quality")
    # The half-width is .04 and has to come down to .02: four times the pairs, and a fifth more for safety.
    assert "[swap] pairs = 96 in audit.toml instead of 20" in found.action
    assert "of training" in found.action


def test_where_a_model_that_forgot_nothing_looks_as_good_no_number_of_pairs_is_asked_for():
    found = only(open_swap({"quality": 0.96, "interval": [0.9, 1.0]}), "swap.quality")
    assert "pairs" not in found.action
    assert "forgot nothing gets 0.96" in found.found


def test_pairs_follow_the_square_of_the_width():
    assert pairs_that_decide(Estimate(0.97, (0.93, 1.0)), 0.95, 20) == 96
    assert pairs_that_decide(Estimate(0.90, (0.80, 0.97)), 0.95, 20) == 48
    assert pairs_that_decide(Estimate(0.95, (0.93, 1.0)), 0.95, 20) is None
    assert pairs_that_decide(Estimate(0.97, None), 0.95, 20) is None
    assert pairs_that_decide(Estimate(0.99, (0.98, 1.0)), 0.95, 20) == 20


@pytest.mark.parametrize(
    ("code", "given", "asked"),
    [
        ("release.remembers.few-models", {"models": 9, "least": 39}, "[release] models = 39"),
        ("release.remembers.no-unseen", {}, "[data] holdout"),
        ("release.remembers.quick", {}, "without --quick"),
        ("release.remembers.half-left", {"share": 0.62}, "More models would not help"),
        ("release.remembers.share", {"share": 0.3, "distinct": 1, "models": 39}, "at most 10 %"),
    ],
)
def test_an_open_attack_on_the_release_names_the_setting(code, given, asked):
    told = with_check(golden("digits-newton-overrun"), "release.remembers", reasons=reasons(code, **given))
    assert asked in only(told, "release.remembers").action


@pytest.mark.parametrize(("p", "asked"), [(0.1, "[release] models = "), (0.6, "More models would not help")])
def test_where_half_is_left_more_models_are_asked_for_only_near_the_level(p, asked):
    told = golden("digits-newton-overrun")
    given = [*reasons("release.remembers.ranked", p=p, models=39, margin=0.1), *reasons("release.remembers.half-left", share=0.6)]
    derived = {**told.evidence.check("release.remembers").derived, "models": 39}
    found = only(with_check(told, "release.remembers", value=p, derived=derived, reasons=tuple(given)), "release.remembers")
    assert asked in found.action
    assert ("of training" in found.action) == (p == 0.1)


def test_the_models_that_decide_make_a_p_clear():
    for p, models in ((0.1, 39), (0.125, 39), (0.02, 99)):
        wanted = models_that_decide(p, models, level=0.05)
        assert wanted is not None
        assert wanted > models
        as_much = round((round(p * (models + 1)) - 1) / models * wanted)
        ends = clopper_pearson(as_much, wanted, confidence=0.95)
        assert not ends.low <= 0.05 <= ends.high
    assert models_that_decide(0.6, 39, level=0.05) is None, "that is clear already"
    assert models_that_decide(0.0513, 389, level=0.05) is None, "so close that no sensible number would show it"


def test_room_in_a_model_file_is_closed_by_one_command():
    given = {"path": "model.safetensors", "grid": 2.0**-24}
    told = with_check(
        golden("digits-newton"),
        "model.reproduced",
        status=Status.INCONCLUSIVE,
        reasons=reasons("model.reproduced.remedy", **given),
    )
    found = only(told, "model.reproduced")
    assert found.command == "auditor canonical model.safetensors -o OUT --grid 2^-24"


def test_a_file_from_before_the_erasures_is_to_be_trained_again():
    told = with_check(
        golden("digits-newton"),
        "model.reproduced",
        status=Status.FAIL,
        reasons=reasons("model.reproduced.file.earlier", batch=1, batches=3),
    )
    found = only(told, "model.reproduced")
    assert "is the model from before the last 2 of the log's 3 batches of erasures" in found.found
    assert found.action.startswith("Train again on the records that remain")


def test_a_file_of_a_format_that_save_does_not_write_asks_for_the_part_that_it_holds():
    told = with_check(
        golden("loans-lightgbm"),
        "model.reproduced",
        status=Status.INCONCLUSIVE,
        reasons=reasons("model.reproduced.file.unreadable", kind="lightgbm"),
    )
    assert only(told, "model.reproduced").action.startswith(
        "Name the step of the pipeline that the file holds under [model] part"
    )


def test_copies_ask_for_the_attestation_by_its_name():
    told = with_check(
        golden("digits-newton"),
        "data.erased",
        status=Status.INCONCLUSIVE,
        reasons=reasons("data.erased.copies", records=2, of=18, share=0.0),
    )
    assert "copies-are-others" in only(told, "data.erased").action


def test_copies_and_open_places_concern_the_requests_that_they_name_alone():
    told = golden("digits-newton")
    ids = [each.request_id for each in told.requests]
    seen = next(each for each in told.checks if each.id == "data.erased").observed_as(data_erased.Observed)
    copies = seen.copies.model_copy(
        update={
            "found": 2,
            "request_ids": tuple(ids[:2]),
            "singled_out": 1,
            "singled_out_of": data_erased.Concerned(request_ids=(ids[1],)),
        }
    )
    derived = data_erased.Derived(
        open_places=1, copies=2, open_to=data_erased.Concerned(request_ids=(ids[2],)), any_request=False
    )
    place = Message(
        "data.erased.open.place", {"place": Message("data.erased.place.data-store"), "why": Message("data.erased.open.shut")}
    )
    told = with_check(
        told,
        "data.erased",
        status=Status.INCONCLUSIVE,
        reasons=(
            *reasons("data.erased.open", places=[place], more=0),
            *reasons("data.erased.copies", records=2, of=18, share=0.0),
            *reasons("data.erased.copies-singled", records=1, of=18),
        ),
        observed=seen.model_copy(update={"copies": copies}).model_dump(mode="json"),
        derived=derived.model_dump(mode="json"),
    )
    found = [each.requests for each in remedies(told) if each.checks == ("data.erased",)]
    assert found == [(ids[2],), tuple(ids[:2])]


def test_an_audit_that_broke_off_says_so():
    told = with_check(golden("digits-newton"), "removal.residual", status=Status.ERROR, value=None, reasons=())
    found = only(told, "removal.residual")
    assert found.urgency is Urgency.FIX
    assert "stopped" in found.action


def test_an_audit_that_broke_off_says_where_and_its_fix_is_not_filed_under_a_search():
    broke = "the procedure's learn (step 1) failed: it raised RuntimeError"
    told = golden("digits-newton")
    for name in ("data.erased", "model.reproduced", "removal.residual"):
        told = with_check(told, name, status=Status.ERROR, value=None, reasons=(Message("failed", {"message": broke}),))
    audit = told.audit.model_copy(update={"failure": broke})
    told = tell(told.evidence.model_copy(update={"audit": audit}))
    assert f"broke off ({broke}), 3 of " in told.opening
    assert told.opening.count("it raised RuntimeError") == 1
    (found,) = [each for each in remedies(told) if "data.erased" in each.checks]
    assert found.checks == ("model.reproduced", "removal.residual", "data.erased")
    console = Console(file=io.StringIO(), width=300)
    terminal.summary(told, console, behind="auditor explain x", room=24)
    assert "model.reproduced, removal.residual and 1 more: Find out why" in console.file.getvalue()


def test_two_steps_that_begin_with_the_same_sentence_are_one_and_say_all_that_is_known():
    again = [each for each in remedies(golden("secret-counter")) if each.first.startswith("Train again from the start, or use")]
    assert [each.checks for each in again] == [("data.erased", "release.remembers")]
    assert "cannot be removed" in again[0].action
    assert "more models would not help" in again[0].action
    for name in SAMPLES:
        found = [(each.first, each.command) for each in remedies(golden(name))]
        assert len(found) == len(set(found))


def test_what_only_left_out_is_asked_for():
    told = golden("digits-newton")
    audit = told.audit.model_copy(update={"only": ("data.erased",)})
    told = dataclasses.replace(told, evidence=told.evidence.model_copy(update={"audit": audit}))
    told = with_check(told, "removal.budget", status=Status.SKIPPED, value=None, reasons=())
    assert "without --only" in only(told, "removal.budget").action


def test_a_pass_leaves_its_statements_to_be_confirmed():
    found = remedies(golden("digits-own-procedure"))
    assert {each.urgency for each in found} == {Urgency.CONFIRM}
    assert any("Have a second person confirm that" in each.action for each in found)


def test_what_nobody_says_is_asked_for_in_a_fail_but_not_what_the_failing_check_judges():
    actions = " ".join(each.action for each in remedies(golden("secret-counter")))
    assert "declare that no person has more records" in actions
    assert "backups-clean" in actions
    assert "procedure-honest" not in actions


def test_a_claim_that_is_too_small_for_a_person_says_what_would_cover_them():
    told = golden("digits-own-procedure")
    claim = ClaimStanding(name="dp", standing=ClaimStatus.NOT_SHOWN, epsilon=5.70379, delta=1.83e-4)
    reliance = told.evidence.reliance.model_copy(update={"claims": (claim,)})
    evidence = told.evidence.model_copy(update={"reliance": reliance, "verdict": Verdict.INCONCLUSIVE, "strength": None})
    found = only(dataclasses.replace(told, evidence=evidence), "claims.dp")
    assert "ε = 5.704, δ = 0.000183" in found.action


def test_a_claim_that_the_run_could_not_have_refuted_names_what_it_would_have_noticed():
    given = {"claim": "certified_removal", "epsilon": 1.0, "noticed": 9.3, "power": 0.8, "near": 2.0}
    told = with_check(
        requiring(golden("digits-newton-overrun"), "epsilon.consistency"),
        "epsilon.consistency",
        status=Status.INCONCLUSIVE,
        reasons=reasons("epsilon.consistency.not-tested", **given),
    )
    found = only(told, "epsilon.consistency")
    assert "noticed only ε = 9.3 or more" in found.found
    assert "[swap] pairs = 80" in found.action


@pytest.mark.parametrize(
    ("enough", "unit", "action"),
    [(100, "pairs", "[swap] pairs = 100"), (640, "games", "[requester] games = 640"), (None, "pairs", "no number of pairs")],
)
def test_a_claim_that_is_left_open_names_what_would_decide(enough, unit, action):
    against = Message("epsilon.consistency.against.removal-claim")
    by = Message("epsilon.consistency.method.single")
    given = {"against": against, "epsilon": 0.1, "by": by, "suspected": 0.61, "enough": enough, "unit": unit}
    told = with_check(
        requiring(golden("digits-newton-overrun"), "epsilon.consistency"),
        "epsilon.consistency",
        status=Status.INCONCLUSIVE,
        reasons=reasons("epsilon.consistency.left-open", **given),
    )
    found = only(told, "epsilon.consistency")
    assert "suggest 0.61 or more" in found.found
    assert action in found.action


def test_a_refusal_without_a_ground_asks_for_one():
    told = golden("digits-newton")
    refused = told.requests[0].request_id
    derived = {**told.evidence.check("log.deadlines").derived, "without_reason": [refused]}
    told = with_check(told, "log.deadlines", status=Status.FAIL, value=1.0, derived=derived)
    found = only(told, "log.deadlines")
    assert found.requests == (refused,)
    assert "does not say on what ground" in found.found
    assert "refused" in found.tell


def test_a_deadline_of_the_policy_beyond_the_law_asks_somebody_to_assess_it():
    told = golden("digits-newton")
    slow = told.requests[0].request_id
    derived = {**told.evidence.check("log.deadlines").derived, "later_than_law": [slow]}
    found = only(with_check(told, "log.deadlines", status=Status.INCONCLUSIVE, derived=derived), "log.deadlines")
    assert found.requests == (slow,)
    assert found.urgency is Urgency.DECIDE
    assert "deadline_days" in found.found
    assert "leave deadline_days out" in found.action


def unexplained(told, *places, **changes):
    """The same audit, whose search leaves open what these places hold."""
    items = [{"place": Message(f"data.erased.place.{place}", given), "bytes": 9, "word": None} for place, given in places]
    left = {"open_places": 0, "copies": None, "unexplained": items, **changes}
    return with_check(told, "data.erased", status=Status.INCONCLUSIVE, value=0.0, derived=left)


OLD_FILE = ("model", {"path": "model.skops"})


def test_a_model_file_that_is_to_be_replaced_is_not_to_be_explained_as_well():
    told = unexplained(golden("digits-shipped-old"), OLD_FILE)
    replaced, searched = (only(told, check) for check in ("model.reproduced", "data.erased"))
    assert replaced == searched
    assert not any("Remove what is not needed" in each.action for each in remedies(told))


def test_what_else_nothing_explains_is_asked_for_next_to_it():
    told = unexplained(golden("digits-shipped-old"), OLD_FILE, ("state", {}))
    asked = [each.action for each in of_check(remedies(told), "data.erased")]
    assert asked[0] == only(told, "model.reproduced").action
    assert asked[1].startswith("Remove what is not needed from: what the rerun keeps (state()).")


def test_a_model_file_that_is_the_right_one_has_to_be_explained():
    told = unexplained(golden("digits-newton"), OLD_FILE)
    assert "Remove what is not needed from: model file model.skops." in only(told, "data.erased").action


def test_in_a_first_stage_what_runs_may_still_explain_is_not_run_yet():
    told = unexplained(golden("digits-newton"), ("state", {}), ("store", {"path": "store.csv"}))
    audit = told.audit.model_copy(update={"stage": "first"})
    told = tell(told.evidence.model_copy(update={"audit": audit}))
    asked = [each.action for each in of_check(remedies(told), "data.erased")]
    assert asked[0] == text("remedy-not-yet")
    assert "store store.csv" in asked[1]
    assert not any("state()" in each for each in asked)


def withdrawn(*lacking, attested=("refusals-grounded",)):
    """An audit whose first seven requests were withdrawn, all with a reason but those that are named."""
    told = golden("digits-newton")
    rows = tuple(
        dataclasses.replace(each, status="revoked", deleted_at=None, reason=None if place in lacking else "by mail, 3 May")
        if place < 7
        else dataclasses.replace(each, reason="never a customer")
        for place, each in enumerate(told.requests)
    )
    stated = tuple(told.policy.attested[0].model_copy(update={"name": name}) for name in (*attested, "nothing-held"))
    policy = told.policy.model_copy(update={"attested": stated, "required": (*told.policy.required, "log.deadlines")})
    changed = told.evidence.model_copy(update={"requests": rows, "policy": policy})
    return with_check(dataclasses.replace(told, evidence=changed), "log.deadlines", status=Status.INCONCLUSIVE)


def test_a_missing_reason_is_asked_for_row_by_row_and_what_is_attested_is_not_asked_for_again():
    told = withdrawn(1, 3, 4)
    ids = tuple(told.requests[place].request_id for place in (1, 3, 4))
    (found,) = of_check(remedies(told), "log.deadlines")
    assert found.requests == ids
    assert "3 of 7 without a reason" in found.found
    assert all(each in found.action for each in ids)
    assert "refusals-grounded" not in found.action


def test_where_every_row_has_its_reason_only_the_name_is_asked_for():
    told = withdrawn(attested=("log-complete",))
    (found,) = of_check(remedies(told), "log.deadlines")
    assert found.requests == tuple(each.request_id for each in told.requests[:7])
    assert "attest refusals-grounded" in found.action
    assert "Write into the log" not in found.action


def test_reasons_and_the_name_are_two_steps_each_with_its_own_requests():
    told = withdrawn(2, attested=("log-complete",))
    rows, word = of_check(remedies(told), "log.deadlines")
    assert (len(rows.requests), len(word.requests)) == (1, 7)


def test_what_a_stranger_wrote_is_cleaned():
    told = golden("secret-counter")
    carried = [{"kind": "attribute", "name": "a\u202eb"}]
    derived = {**told.evidence.check("state.stateless").derived, "carried": carried}
    told = with_check(told, "state.stateless", derived=derived)
    assert "\u202e" not in only(told, "state.stateless").action


def test_nobody_is_told_to_name_a_file_that_a_text_case_cannot_have() -> None:
    told = golden("trigram-model")
    said = " ".join(f"{each.found} {each.action}" for each in remedies(told))
    assert "[model]" not in said
    assert "[data] store" not in said
    assert "Search where sentences are kept" in said
    assert "language model in use" in said
    assert "[model]" in " ".join(each.action for each in remedies(golden("iris-logistic"))), "of others it is asked for"
    page = render.html(told)
    assert "name the file, audit again" not in page
    assert "name the store, audit again" not in page


def test_what_stands_under_several_steps_is_taken_out_and_named_by_their_numbers() -> None:
    own, shared = once([["a", "x", "y"], ["b", "x"], ["c", "x", "y"], []])
    assert own == [["a"], ["b"], ["c"], []]
    assert shared == [((1, 2, 3), ["x"]), ((1, 3), ["y"])]
    assert (whose((1, 2), 2), whose((1, 3), 4)) == ("For each of these steps:", "For steps 1 and 3:")
    assert once([]) == ([], [])


@pytest.mark.parametrize("name", EVERY)
def test_no_line_of_what_to_do_is_repeated_and_none_is_lost(name) -> None:
    told = golden(name)
    full = [each for each in remedies(told) if each.urgency is not Urgency.CONFIRM]
    lines = {wording.shown(line) for each in full for line in exchange.step_lines(each)}
    console = Console(file=io.StringIO(), width=5000, force_terminal=False)
    terminal.details(told, console)
    todo = console.file.getvalue().partition("What to do")[2].partition("Also noticed")[0]
    printed = [line.strip() for line in todo.splitlines() if line.startswith("   ")]
    assert sorted(printed) == sorted(lines)
    summary = [line.strip(" -") for line in markdown.summary(told).partition("### What to do")[2].split("###")[0].splitlines()]
    assert len([line for line in summary if line]) == len({line for line in summary if line})
    rows, shared = steps.under(told, steps.steps(told).full)
    said = [(row.name, row.said) for row in (*itertools.chain(*rows), *itertools.chain(*(each.rows for each in shared)))]
    # On the page each step is whole, but for what holds for every one of them.
    assert not {row for each in shared for row in each.rows} & set(itertools.chain(*rows))
    assert all(len(set(step)) == len(step) for step in rows)
    assert len(rows) < 2 or not set(rows[0]).intersection(*map(set, rows))
    assert {text("main-step-why"), text("main-step-proof")} <= {name for name, _ in said} or not said


@pytest.mark.parametrize(("name", "released"), [("places-only", False), ("digits-newton", True)])
def test_late_answers_are_put_before_who_decides_about_a_release_only_where_there_is_one(name, released):
    evidence = golden(name).evidence
    first = next(each for each in evidence.requests if each.status == "executed")
    late = dataclasses.replace(first, overdue=True, answered_at=datetime(2026, 12, 1, tzinfo=UTC), due_on=date(2026, 1, 1))
    for reason in (None, "The ticket was lost for a month."):
        told = tell(evidence.model_copy(update={"requests": (dataclasses.replace(late, late_reason=reason),)}))
        check = next(each for each in told.checks if each.id == "log.deadlines")
        (step,) = deadlines(SimpleNamespace(told=told, check=check, fails=True))
        assert ("release" in step.action) is released
        assert ("late_reason" in step.action) is (reason is None)


@pytest.mark.parametrize(
    ("sample", "name", "asked"),
    [
        ("tombstone-dictionary", "controller-is-implementation", "Correct the program."),
        ("side-by-side", "preprocessing-clean", "Correct the program."),
        ("digits-newton", "preprocessing-clean", "Prepare the data without the deleted records and train again."),
        ("digits-newton", "seed-secret", "Draw a long seed at random, keep it secret and train again."),
        ("digits-newton", "release-reproduced", "Release the model that the procedure makes."),
        ("digits-newton", "settings-fixed", "Correct what the audit found."),
        ("places-only", "preprocessing-clean", "Correct what the audit found."),
    ],
)
def test_an_attestation_that_is_found_untrue_asks_for_what_the_case_has(sample, name, asked):
    told = golden(sample)
    relied = told.evidence.reliance.model_copy(update={"contradicted": (name,)})
    changed = dataclasses.replace(told, evidence=told.evidence.model_copy(update={"reliance": relied}))
    (action,) = [each.action for place, each in held_back.reliance(changed, checks_ask=True) if place.startswith("attested.")]
    assert action.startswith(asked)
    assert "train" not in action or told.evidence.learns
