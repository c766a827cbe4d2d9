"""`release.exact`: the release held against clean rooms, judged on observations by hand."""

from __future__ import annotations

from typing import Any

import pytest

from auditor.base.domain import Message, Provenance, Status
from auditor.pages.words import basis
from auditor.parts.data_deletion.settings import NoisyGd
from auditor.parts.networks.settings import Torch
from auditor.parts.release.judging.release_exact import CARD, Derived, Observed, applies, asks_for_state, by_chance, judge
from auditor.parts.release.judging.release_exact.observed import CleanRoom, Controls, Reaction, compared, drawn, thorough
from auditor.parts.removal.settings import CertifiedRemoval
from auditor.settings.learning import Foreign, Ngram, Sklearn
from auditor.settings.tables import Claims
from auditor.verdict.checks.differences import Compared, Difference
from auditor.verdict.checks.finding import Finding
from judging import declared, log_facts

EQUAL = Compared(differing=0)
WEIGHTS = Difference(name="parameters", kind="parameters", largest=0.5, bytes=80)
ANSWERS = Difference(name="predictions", kind="predictions", largest=0.25, bytes=800)
ATTRIBUTE = Difference(name="model.cache", kind="object", largest=None, bytes=8000)
OTHER = Compared(differing=2, differences=(WEIGHTS, ANSWERS))
CACHED = Compared(differing=1, differences=(ATTRIBUTE,))
REACTS = Reaction(other_rows=True, other_labels=True)
STEADY = Controls(two_processes=True, one_process=True, another_address=True)
FOREIGN = Foreign(entry="procedure.py:Own")
REMOVAL: dict[str, Any] = {"use": "certified-removal", "loss": "logistic", "l2": 0.1, "sigma": 1.0, "epsilon": 1.0, "delta": 1e-5}
SHOWN, OPEN = Finding(Status.SKIPPED, value=0.0), Finding(Status.SKIPPED)


def counter(size: int) -> Difference:
    return Difference(name="model.calls", kind="scalar", largest=1.0, bytes=size, moves="by itself")


def room(batch: int = 1, **changes: Any) -> CleanRoom:
    """Everything was compared, and equal."""
    values: dict[str, Any] = {
        "batch": batch,
        "compared": ("parameters", "predictions", "state", "saved file", "object"),
        "objects": 12,
        "cut_short": False,
        "seed_of_batch": EQUAL,
    }
    return CleanRoom(**{**values, **changes})


def seen(*rooms: CleanRoom, **changes: Any) -> Observed:
    """One batch, a learner that reacts, a training of ten seconds."""
    values: dict[str, Any] = {"seconds_of_training": 10.0, "batches": rooms or (room(),), "reaction": REACTS}
    return Observed(**{**values, **changes})


def found(observed: Observed, *, batches: int = 1, state: Finding = OPEN, **context: Any) -> Finding:
    declaration = declared(**{"procedure": FOREIGN, "log": log_facts(batches=batches), **context})
    return judge(declaration, observed, {"state.stateless": state})


def derived(finding: Finding) -> Derived:
    assert isinstance(finding.derived, Derived)
    return finding.derived


def test_equal_in_the_clean_room_and_a_learner_that_reacts_pass() -> None:
    finding = found(seen())
    assert (finding.status, finding.value, finding.threshold) == (Status.PASS, 0.0, 0.0)
    assert derived(finding).route == "clean-room"
    assert [(each.name, each.how) for each in finding.facts if each.name == "retrained"] == [("retrained", Provenance.MEASURED)]


def test_a_procedure_of_ours_says_itself_that_it_retrained() -> None:
    finding = found(seen(room(compared=("predictions",))), procedure=Sklearn(estimator="sklearn.tree.DecisionTreeClassifier"))
    assert finding.status is Status.PASS
    assert finding.facts == ()


def test_a_walk_that_ended_early_leaves_a_procedure_of_ours_as_it_is() -> None:
    cut = seen(room(cut_short=True))
    assert found(cut, procedure=Sklearn(estimator="sklearn.tree.DecisionTreeClassifier")).status is Status.PASS
    assert found(cut).status is Status.INCONCLUSIVE


def test_of_a_long_log_most_batches_are_compared_by_parameters_and_predictions() -> None:
    plain = [room(each, compared=("parameters", "predictions")) for each in range(1, 18)]
    at_random = derived(found(seen(*plain, seconds_of_training=1.0), batches=17)).drawn
    assert at_random is not None
    sides = [room(each.batch) if each.batch in {at_random, 17} else each for each in plain]
    assert found(seen(*sides, seconds_of_training=1.0), batches=17).status is Status.PASS
    for number in (at_random, 17):
        fewer = [plain[number - 1] if each.batch == number else each for each in sides]
        assert found(seen(*fewer, seconds_of_training=1.0), batches=17).status is Status.INCONCLUSIVE
    short = [room(each, compared=("parameters", "predictions")) if each == 3 else room(each) for each in range(1, 17)]
    assert found(seen(*short, seconds_of_training=1.0), batches=16).status is Status.INCONCLUSIVE


def test_the_first_seed_counts_as_well() -> None:
    assert found(seen(room(seed_of_batch=OTHER, first_seed=EQUAL))).status is Status.PASS


@pytest.mark.parametrize(
    "reaction", [None, REACTS.model_copy(update={"other_rows": False}), REACTS.model_copy(update={"other_labels": False})]
)
def test_a_learner_that_does_not_react_is_no_witness(reaction: Reaction | None) -> None:
    finding = found(seen(reaction=reaction), state=SHOWN)
    assert (finding.status, finding.value, derived(finding).route) == (Status.INCONCLUSIVE, 0.0, None)
    assert finding.facts == ()


def test_a_language_model_has_no_labels_to_react_to() -> None:
    for rows, status in ((True, Status.PASS), (False, Status.INCONCLUSIVE)):
        still = seen(room(compared=("predictions",)), reaction=Reaction(other_rows=rows, other_labels=False))
        assert found(still, procedure=Ngram()).status is status


def test_a_learner_that_does_not_react_passes_where_nothing_depends_on_the_deleted_records() -> None:
    still = seen(room(other_records=EQUAL, other_runs=8), reaction=Reaction(other_rows=False, other_labels=False))
    deletion = {"q": 2.0, "epsilon": 0.1}
    claimed = found(still, state=SHOWN, claims=Claims(data_deletion=deletion))
    assert (claimed.status, derived(claimed).route) == (Status.PASS, "independent")
    for claims in (Claims(), Claims(retraining=True), Claims(retraining=True, data_deletion=deletion)):
        assert found(still, state=SHOWN, claims=claims).status is Status.INCONCLUSIVE


@pytest.mark.parametrize(("state", "status"), [(SHOWN, Status.PASS), (OPEN, Status.INCONCLUSIVE)])
def test_equality_with_other_records_needs_that_nothing_else_is_carried_on(state: Finding, status: Status) -> None:
    other = room(seed_of_batch=OTHER, first_seed=OTHER, other_records=EQUAL, other_runs=8)
    finding = found(seen(other, reaction=None), state=state)
    fewer = seen(other.model_copy(update={"other_runs": 7}), reaction=None)
    assert found(fewer, state=state).status is Status.INCONCLUSIVE
    assert finding.status is status
    assert derived(finding).route == ("independent" if status is Status.PASS else None)
    assert finding.facts == ()


@pytest.mark.parametrize(
    "changes",
    [
        {"other_records": OTHER},
        {"other_records": CACHED},
        {"other_records": None},
        {"other_runs": 7},
        {"cut_short": True},
        {"compared": ("predictions",)},
        {"compared": ("parameters", "object")},
    ],
    ids=["differs", "an item differs", "not tried", "too few runs", "cut short", "not every kind", "no predictions"],
)
def test_independence_takes_equality_in_everything_and_runs_enough(changes: dict[str, Any]) -> None:
    other = room(**{"seed_of_batch": OTHER, "other_records": EQUAL, "other_runs": 8, **changes})
    finding = found(seen(other, reaction=None), state=SHOWN)
    assert (finding.status, derived(finding).route) == (Status.INCONCLUSIVE, None)


DEPENDS = {"seed_of_batch": OTHER, "other_records": OTHER, "other_runs": 8}
INDEPENDENT = {"seed_of_batch": OTHER, "other_records": EQUAL, "other_runs": 8}


@pytest.mark.parametrize(
    ("rooms", "status", "route"),
    [
        ((room(1, **INDEPENDENT), room(2, **INDEPENDENT)), Status.PASS, "independent"),
        ((room(1), room(2, **INDEPENDENT)), Status.PASS, "independent"),
        ((room(1, **INDEPENDENT), room(2)), Status.PASS, "independent"),
        # One batch in which it depends on the deleted records is enough.
        ((room(1, **DEPENDS), room(2, **INDEPENDENT)), Status.INCONCLUSIVE, None),
        ((room(1, **INDEPENDENT), room(2, **DEPENDS)), Status.INCONCLUSIVE, None),
        ((room(1, **DEPENDS), room(2)), Status.INCONCLUSIVE, None),
        ((room(1), room(2, **DEPENDS)), Status.INCONCLUSIVE, None),
    ],
)
def test_every_batch_has_to_be_equal_or_independent(rooms: tuple[CleanRoom, ...], status: Status, route: str | None) -> None:
    finding = found(seen(*rooms, seconds_of_training=1.0), batches=2, state=SHOWN)
    assert (finding.status, derived(finding).route) == (status, route)


def test_of_an_earlier_batch_one_run_with_other_records_is_enough() -> None:
    once = INDEPENDENT | {"other_runs": 1}
    assert (
        found(seen(room(1, **once), room(2, **INDEPENDENT), seconds_of_training=1.0), batches=2, state=SHOWN).status
        is Status.PASS
    )
    never = INDEPENDENT | {"other_runs": 0}
    assert (
        found(seen(room(1, **never), room(2, **INDEPENDENT), seconds_of_training=1.0), batches=2, state=SHOWN).status
        is Status.INCONCLUSIVE
    )


def test_a_learner_that_does_not_react_has_to_be_independent_after_every_batch() -> None:
    still = Reaction(other_rows=False, other_labels=False)
    deletion = Claims(data_deletion={"q": 2.0, "epsilon": 0.1})
    own = {"other_records": EQUAL, "other_runs": 8}
    for first, second, status in (
        (own, own, Status.PASS),
        ({}, own, Status.INCONCLUSIVE),
        (own, {}, Status.INCONCLUSIVE),
    ):
        rooms = seen(room(1, **first), room(2, **second), seconds_of_training=1.0, reaction=still)
        assert found(rooms, batches=2, state=SHOWN, claims=deletion).status is status


def test_one_batch_after_which_the_model_is_another_fails_a_claim_of_retraining() -> None:
    other = room(1, seed_of_batch=OTHER, controls=STEADY)
    rooms = seen(other, room(2), seconds_of_training=1.0)
    assert found(rooms, batches=2, claims=Claims(retraining=True)).status is Status.FAIL


def test_another_model_fails_only_where_it_is_another_than_every_training() -> None:
    """With the first seed it differs in an item that neither predicts nor is a parameter."""
    near = room(seed_of_batch=OTHER, first_seed=CACHED, controls=STEADY)
    finding = found(seen(near), claims=Claims(retraining=True))
    assert (finding.status, finding.value) == (Status.INCONCLUSIVE, 1.0)
    assert derived(finding).differing == (ATTRIBUTE,)


def test_shards_that_give_another_model_are_no_failed_retraining() -> None:
    sharded = Torch(model="mlp", epochs=1, rate=0.1, unlearn="sisa")
    assert found(seen(room(seed_of_batch=OTHER, controls=STEADY)), procedure=sharded).status is Status.INCONCLUSIVE
    claimed = found(seen(room(seed_of_batch=OTHER, controls=STEADY)), procedure=sharded, claims=Claims(retraining=True))
    assert claimed.status is Status.FAIL


MODEL = Difference(name="model", kind="object", largest=None, bytes=80)
FILE = Difference(name="saved file", kind="saved file", largest=None, bytes=80 + 264)
UNSTEADY = Controls(two_processes=False, one_process=False, another_address=False)


def by_noise(*more: Difference, **changes: Any) -> CleanRoom:
    """A model that is another each time it is trained, with what is kept in addition."""
    differing = (WEIGHTS, ANSWERS, FILE, MODEL, *more)
    other = Compared(differing=len(differing), differences=differing)
    values = {"seed_of_batch": other, "first_seed": other, "other_records": other, "other_runs": 8, "controls": UNSTEADY}
    return room(**{**values, **changes})


@pytest.mark.parametrize("claims", [Claims(), Claims(retraining=True)], ids=["nothing", "retraining"])
def test_where_training_does_not_repeat_itself_it_speaks_neither_for_nor_against_a_release(claims: Claims) -> None:
    finding = found(seen(by_noise()), claims=claims)
    assert finding.status is Status.INCONCLUSIVE
    assert "release.exact.open.by-chance" in {each.code for each in finding.reasons}
    assert by_chance(finding)


@pytest.mark.parametrize(
    "observed",
    [
        seen(by_noise(ATTRIBUTE)),
        seen(by_noise(MODEL)),
        seen(by_noise(FILE.model_copy(update={"name": "state", "kind": "state", "bytes": 80 + 513}))),
        seen(by_noise(controls=STEADY)),
        seen(by_noise(controls=None)),
        seen(by_noise(), unchanged=(1,)),
        seen(room(seed_of_batch=CACHED, first_seed=CACHED, other_records=CACHED, other_runs=8, controls=UNSTEADY)),
        seen(reaction=None),
    ],
    ids=["a cache", "a second model", "a long state", "repeats itself", "not tried", "kept the model", "no parameters", "equal"],
)
def test_no_chance_explains_what_is_kept_in_addition_or_a_model_that_stays(observed: Observed) -> None:
    finding = found(observed)
    assert finding.status is Status.INCONCLUSIVE
    assert not by_chance(finding)


def test_what_is_let_pass_is_that_of_the_training_that_comes_closest() -> None:
    kept = Compared(differing=1, differences=(counter(8),))
    finding = found(seen(room(seed_of_batch=OTHER, first_seed=kept)))
    assert (finding.status, derived(finding).let_pass) == (Status.PASS, (counter(8),))


def test_only_single_numbers_are_let_pass() -> None:
    for kind in ("object", "parameters", "predictions", "state", "saved file"):
        other = counter(8).model_copy(update={"kind": kind})
        assert found(seen(room(seed_of_batch=Compared(differing=1, differences=(other,))))).status is Status.INCONCLUSIVE


def test_the_largest_difference_is_named() -> None:
    (reason,) = [each for each in found(seen(room(seed_of_batch=OTHER))).reasons if each.code == "release.exact.differing"]
    assert reason.parameters["largest"] == 0.5


@pytest.mark.parametrize(
    ("observed", "asks"),
    [
        (seen(room(**INDEPENDENT), reaction=None), True),
        (seen(room()), False),
        (seen(room(**DEPENDS)), False),
        (seen(room(2, **INDEPENDENT), reaction=None), False),
        (seen(room(**INDEPENDENT), reaction=None, untried=Message("failed", {"message": "it broke"})), False),
    ],
    ids=["independent", "equal", "neither", "another batch", "not tried"],
)
def test_it_asks_for_the_state_where_it_passes_by_it(observed: Observed, asks: bool) -> None:
    assert asks_for_state(declared(procedure=FOREIGN, log=log_facts(batches=1)), observed) is asks


@pytest.mark.parametrize(
    ("context", "controls", "status"),
    [
        ({"claims": Claims(retraining=True)}, STEADY, Status.FAIL),
        ({"procedure": Sklearn(estimator="sklearn.tree.DecisionTreeClassifier")}, STEADY, Status.FAIL),
        ({}, STEADY, Status.INCONCLUSIVE),
        ({"claims": Claims(retraining=True)}, None, Status.INCONCLUSIVE),
        ({"claims": Claims(retraining=True)}, STEADY.model_copy(update={"two_processes": False}), Status.INCONCLUSIVE),
        ({"claims": Claims(retraining=True)}, STEADY.model_copy(update={"one_process": False}), Status.INCONCLUSIVE),
        ({"claims": Claims(retraining=True)}, STEADY.model_copy(update={"another_address": False}), Status.INCONCLUSIVE),
    ],
)
def test_another_model_fails_where_retraining_is_declared_and_the_controls_agree(
    context: dict[str, Any], controls: Controls | None, status: Status
) -> None:
    other = room(seed_of_batch=OTHER, first_seed=OTHER, other_records=OTHER, controls=controls)
    finding = found(seen(other), **context)
    assert (finding.status, finding.value) == (status, 2.0)
    assert (derived(finding).differing, derived(finding).differing_batch) == ((WEIGHTS, ANSWERS), 1)
    assert [each.how for each in finding.facts] == ([Provenance.REFUTED] if status is Status.FAIL else [])


def test_a_difference_in_other_items_alone_is_inconclusive_and_named() -> None:
    finding = found(seen(room(seed_of_batch=CACHED, controls=STEADY)), claims=Claims(retraining=True))
    assert (finding.status, finding.value) == (Status.INCONCLUSIVE, 1.0)
    assert "model.cache" in basis(finding.reasons)


@pytest.mark.parametrize(("sizes", "status"), [((32, 32), Status.PASS), ((32, 33), Status.INCONCLUSIVE)])
def test_single_numbers_are_let_pass_up_to_64_bytes_in_all(sizes: tuple[int, ...], status: Status) -> None:
    finding = found(seen(room(seed_of_batch=Compared(differing=len(sizes), differences=tuple(counter(each) for each in sizes)))))
    assert finding.status is status
    assert finding.value == (0.0 if status is Status.PASS else 2.0)
    assert bool(derived(finding).let_pass) is (status is Status.PASS)


@pytest.mark.parametrize(("moves", "status"), [("not with the records", Status.PASS), (None, Status.INCONCLUSIVE)])
def test_a_single_number_that_moves_with_the_deleted_records_alone_is_no_counter(moves: Any, status: Status) -> None:
    kept = counter(8).model_copy(update={"moves": moves})
    assert found(seen(room(seed_of_batch=Compared(differing=1, differences=(kept,))))).status is status


def test_items_beyond_those_that_are_named_count() -> None:
    assert found(seen(room(seed_of_batch=Compared(differing=2, differences=(counter(8),))))).status is Status.INCONCLUSIVE


@pytest.mark.parametrize("changes", [{"compared": ("parameters", "object")}, {"compared": ("predictions",)}, {"cut_short": True}])
def test_what_could_not_be_compared_is_not_equal(changes: dict[str, Any]) -> None:
    finding = found(seen(room(**changes)), claims=Claims(retraining=True))
    assert (finding.status, finding.value) == (Status.INCONCLUSIVE, 0.0)


def test_every_batch_of_a_quick_training_is_compared() -> None:
    rooms = (room(1), room(2), room(3))
    assert found(seen(*rooms, seconds_of_training=1.99), batches=3).status is Status.PASS
    assert found(seen(*rooms[1:], seconds_of_training=1.99), batches=3).status is Status.INCONCLUSIVE
    finding = found(seen(room(1), room(2, seed_of_batch=OTHER), room(3), seconds_of_training=1.99), batches=3)
    assert (finding.status, derived(finding).differing_batch) == (Status.INCONCLUSIVE, 2)


def test_of_a_slow_training_the_last_and_a_drawn_batch_are_compared() -> None:
    at_random = derived(found(seen(*map(room, range(1, 10)), seconds_of_training=2.0), batches=9)).drawn
    assert at_random is not None
    assert found(seen(room(at_random), room(9), seconds_of_training=2.0), batches=9).status is Status.PASS
    other = 1 if at_random > 1 else 2
    assert found(seen(room(other), room(9), seconds_of_training=2.0), batches=9).status is Status.INCONCLUSIVE
    assert found(seen(room(at_random), seconds_of_training=2.0), batches=9).status is Status.INCONCLUSIVE


def test_the_drawn_batch_follows_from_case_and_seed_and_is_never_the_last() -> None:
    draws = {drawn("0" * 64, str(seed), 5) for seed in range(64)}
    assert draws == {1, 2, 3, 4}
    assert drawn("0" * 64, "7", 1000) == drawn("0" * 64, "7", 1000) != drawn("1" * 64, "7", 1000)


def test_which_batches_are_compared() -> None:
    assert compared(64, 3, 1.0, ours=False) == tuple(range(1, 65))
    assert compared(65, 3, 1.0, ours=False) == (3, 65)
    assert compared(9, 3, 1.9999, ours=False) == tuple(range(1, 10))
    assert compared(9, 3, 2.0, ours=False) == (3, 9), "a training of two seconds is not quick"
    assert compared(9, 3, None, ours=False) == (3, 9)
    assert compared(9, 3, 1.0, ours=True) == (9,)
    assert compared(1, None, 1.0, ours=False) == (1,)


def test_after_up_to_16_batches_models_are_compared_from_every_side() -> None:
    assert thorough(16, 3) == frozenset(range(1, 17))
    assert thorough(17, 3) == {3, 17}
    assert thorough(17, None) == frozenset(range(1, 18))


def test_a_batch_that_left_the_model_as_it_was_needs_a_clean_room_of_its_own() -> None:
    slow = {"procedure": Sklearn(estimator="sklearn.tree.DecisionTreeClassifier")}
    assert found(seen(room(9), unchanged=(4,)), batches=9, **slow).status is Status.INCONCLUSIVE
    excused = found(seen(room(4), room(9), unchanged=(4,)), batches=9, **slow)
    assert (excused.status, derived(excused).unchanged) == (Status.PASS, ())
    lazy = found(seen(room(4, seed_of_batch=OTHER), room(9), unchanged=(4,)), batches=9, **slow)
    assert (lazy.status, derived(lazy).unchanged) == (Status.INCONCLUSIVE, (4,))
    assert "left the model as it was" in basis(lazy.reasons)


def test_what_could_not_be_tried_is_inconclusive() -> None:
    finding = found(Observed(untried=Message("failed", {"message": "it broke"})))
    assert (finding.status, finding.value) == (Status.INCONCLUSIVE, None)


def test_a_label_that_only_deleted_records_had_refutes_that_the_model_is_retrained() -> None:
    facts = {each.name: each.how for each in found(seen(loses_labels=True)).facts}
    assert facts["retrained"] is Provenance.REFUTED


def test_certified_removal_that_keeps_what_it_does_not_release_needs_its_state_examined() -> None:
    """Where it retrains at its budget, an update reads what earlier ones have spent of it."""
    for at_budget, status in ((False, Status.PASS), (True, Status.INCONCLUSIVE)):
        kept = CertifiedRemoval.model_validate({**REMOVAL, "unlearn": "newton", "retrain_at_budget": at_budget})
        other = seen(room(**INDEPENDENT), reaction=None, retrained_last=True)
        assert found(other, procedure=kept).status is status
        assert found(other, procedure=kept, state=SHOWN).status is Status.PASS


def test_certified_removal_counts_where_its_last_batch_retrained() -> None:
    newton = CertifiedRemoval.model_validate({**REMOVAL, "unlearn": "newton"})
    assert found(seen(), procedure=newton).status is Status.SKIPPED
    assert found(seen(retrained_last=True), procedure=newton).status is Status.PASS
    again = CertifiedRemoval.model_validate({**REMOVAL, "unlearn": "retrain"})
    assert found(seen(), procedure=again).status is Status.PASS


@pytest.mark.parametrize(
    ("changes", "asked"),
    [
        ({"procedure": FOREIGN}, True),
        ({"procedure": Sklearn(estimator="sklearn.tree.DecisionTreeClassifier")}, True),
        ({"procedure": Sklearn(estimator="sklearn.tree.DecisionTreeClassifier", unlearn="none")}, False),
        ({"procedure": Ngram(unlearn="subtract")}, True),
        ({"procedure": CertifiedRemoval.model_validate({**REMOVAL, "unlearn": "newton"})}, True),
        ({"procedure": FOREIGN, "log": log_facts(batches=0)}, False),
        ({"procedure": NoisyGd.model_construct(unlearn_steps=1)}, False),
    ],
)
def test_it_is_asked_of_whatever_may_retrain(changes: dict[str, Any], *, asked: bool) -> None:
    reason = applies(declared(**changes), {})
    assert (reason is None) is asked


def test_counts_that_are_subtracted_pass_where_they_are_those_of_counting_again_and_not_otherwise() -> None:
    subtracting, rows = Ngram(unlearn="subtract"), Reaction(other_rows=True, other_labels=False)
    assert applies(declared(procedure=subtracting, log=log_facts(batches=1)), {}) is None
    equal = room(compared=("predictions", "state", "saved file"))
    assert found(seen(equal, reaction=rows), procedure=subtracting).status is Status.PASS
    left = Compared(differing=1, differences=(Difference(name="state", kind="state", largest=None, bytes=16),))
    trace = equal.model_copy(update={"seed_of_batch": left, "first_seed": left, "other_records": left, "other_runs": 8})
    assert found(seen(trace, reaction=rows), procedure=subtracting).status is Status.INCONCLUSIVE


def test_it_is_required_whenever_it_ran() -> None:
    assert CARD.required_when_run
    assert CARD.judges_unlearning


def test_shards_of_ours_pass_as_independent_for_an_update_reads_nothing_but_the_model() -> None:
    sharded = Torch(model="mlp", epochs=1, rate=0.1, unlearn="sisa")
    assert applies(declared(procedure=sharded, log=log_facts(batches=1)), {}) is None
    finding = found(seen(room(seed_of_batch=OTHER, first_seed=OTHER, other_records=EQUAL, other_runs=8)), procedure=sharded)
    assert finding.status is Status.PASS
    assert derived(finding).route == "independent"
