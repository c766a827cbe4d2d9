"""Parts of the experiment on statelessness: digests, surveys, forms of a model file, laws, and what is known by construction."""

import functools
import io
import itertools
import json
import random
from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from safetensors.numpy import load

from auditor.audit.comparisons import difference, same
from auditor.base.domain import Message, Provenance, Status
from auditor.base.errors import ProcedureError
from auditor.parts.data_deletion.judging import state_stateless
from auditor.parts.data_deletion.judging.state_stateless import SIGNIFICANT, Kept, OfLog, Other, Resumed, Tried
from auditor.parts.data_deletion.observing.stateless.experiment import PAIRS, forms, laws_differ
from auditor.parts.data_deletion.settings import NoisyGd
from auditor.parts.networks.settings import Torch
from auditor.parts.removal.settings import CertifiedRemoval
from auditor.sandbox import state_found
from auditor.sandbox.fingerprints import fingerprint
from auditor.settings.learning import Foreign, Sklearn
from auditor.settings.tables import Claims, DataDeletionClaim, Policy
from judging import declared, log_facts, told_check

DIGEST = "0" * 32
SURVEY = {kind: {} for kind in state_found.KINDS}
NETWORK = {"model": "mlp", "epochs": 1, "rate": 0.1, "seed": 1}
DESCENT = {"l2": 0.1, "sigma2": 1.0, "learn_steps": 5, "unlearn_steps": 2, "seed": 1}


def counter():
    count = 0

    def more():
        nonlocal count
        count += 1
        return count

    return more


def counting_up():
    yield from range(10)


class Slotted:
    __slots__ = ("held",)

    def __init__(self):
        self.held = [1]


class Sleepless:
    def __reduce_ex__(self, protocol):
        raise OSError("never")


def use(value, change):
    """The digests before and after a change."""
    before = fingerprint(value)
    assert fingerprint(value) == before
    change(value)
    return before, fingerprint(value)


@pytest.mark.parametrize(
    ("make", "change"),
    [
        (lambda: {"a": [1, 2]}, lambda value: value["a"].append(3)),
        (lambda: np.zeros(4), lambda value: value.__setitem__(0, 1e-300)),
        (lambda: {1, 2}, lambda value: value.add(3)),
        (counter, lambda value: value()),
        (counting_up, next),
        (itertools.count, next),
        (Slotted, lambda value: value.held.append(2)),
        (lambda: functools.cache(abs), lambda value: value(3)),
        (lambda: random.Random(1), lambda value: value.random()),
        (lambda: np.random.default_rng(1), lambda value: value.random()),
        (lambda: np.random.RandomState(1), lambda value: value.random_sample()),
        (lambda: SimpleNamespace(inner=SimpleNamespace(count=0)), lambda value: setattr(value.inner, "count", 1)),
    ],
    ids=["dict", "array", "set", "closure", "generator", "iterator", "slots", "cache", "random", "numpy", "legacy", "object"],
)
def test_a_change_changes_the_digest(make, change):
    before, after = use(make(), change)
    assert before != after
    assert fingerprint(make()) == before


def test_what_cannot_be_read_has_a_digest_all_the_same():
    endless = []
    endless.append(endless)
    for strange in (endless, Sleepless(), 10**5000, "\ud800", lambda: None, object):
        assert len(fingerprint(strange)) == 32


@given(st.dictionaries(st.text(), st.integers() | st.floats() | st.text() | st.none(), max_size=5))
def test_equal_values_have_equal_digests(value):
    assert fingerprint(value) == fingerprint(dict(value))


def test_a_survey_is_cut_short_and_tells_no_seed():
    seed = "278189252447704765151761555871619860438"
    names = {f"x\x1b[31m{seed}.txt": DIGEST, "y" * 500: DIGEST}
    cleaned = state_found.cleaned(
        json.dumps(SURVEY | {"file": names}).encode(), hide=lambda text: text.replace(seed, "[seed]"), where="here"
    )
    found = {name for _, name in state_found.read(cleaned)}
    assert found == {"x[31m[seed].txt", "y" * 120}


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"[]",
        b"{}",
        json.dumps(SURVEY | {"more": {}}).encode(),
        json.dumps(SURVEY | {"file": {"a": "no digest"}}).encode(),
        json.dumps(SURVEY | {"file": {str(number): DIGEST for number in range(3000)}}).encode(),
        b"[" * 100_000,
    ],
)
def test_what_is_no_survey_is_refused(content):
    with pytest.raises(ProcedureError, match="here: expected a survey"):
        state_found.cleaned(content, hide=str, where="here")


@given(st.binary(max_size=200))
def test_any_bytes_are_a_survey_or_refused(content):
    try:
        state_found.cleaned(content, hide=str, where="here")
    except ProcedureError as error:
        assert len(str(error)) < 200  # noqa: PT017 - any other exception is the failure


def test_only_what_is_new_or_another_has_changed():
    before = {("file", "kept"): "1", ("file", "gone"): "1", ("file", "other"): "1"}
    after = {("file", "kept"): "1", ("file", "new"): "1", ("file", "other"): "2"}
    assert state_found.changed(before, after) == {("file", "new"), ("file", "other")}


@pytest.mark.parametrize("saved", [None, b"PK\x03\x04", b"\x08\x00"])
def test_the_released_parameters_come_in_every_form_of_the_contract_and_alone(saved):
    exact, narrow = np.array([0.1, 1.0]), np.array([0.5, 1.0])
    for values, count in ((exact, 2), (narrow, 4)):
        made = list(forms(values, saved))
        assert len(made) == count
        assert made[0][0].startswith("safetensors" if saved == b"\x08\x00" else "npz")
        for name, content in made:
            if name.startswith("npz"):
                with np.load(io.BytesIO(content), allow_pickle=False) as file:
                    found = dict(file)
            else:
                found = load(content)
            assert list(found) == ["parameters"]
            np.testing.assert_array_equal(found["parameters"], values)


def test_sameness_is_of_bits_and_of_something():
    zero, minus = {"m": (np.array([0.0]),)}, {"m": (np.array([-0.0]),)}
    assert same(zero, {"m": (np.array([0.0]),), "other": (np.ones(1),)})
    assert not same(zero, minus)
    assert not same(zero, {"other": (np.zeros(1),)})
    assert difference(zero, minus) == 0.0
    assert difference(zero, {"m": (np.zeros(2),)}) is None
    assert difference({"m": (np.array([1.0]), np.array([3.0]))}, {"m": (np.array([1.5]), np.array([1.0]))}) == 2.0


def pairs_of(rng, shift, size=5):
    return [({"m": (rng.normal(size=size),)}, {"m": (rng.normal(size=size) + shift,)}) for _ in range(PAIRS)]


def test_equal_laws_are_called_different_no_more_often_than_the_level_says():
    rng = np.random.default_rng(0)
    values = [laws_differ(pairs_of(rng, 0.0), "m") for _ in range(400)]
    assert min(values) >= 2.0 ** (1 - PAIRS)
    for level in (0.05, 0.2, 0.5):
        # Exact: the share is at most the level, up to four standard deviations of so many tries.
        assert np.mean([value <= level for value in values]) <= level + 4 * np.sqrt(level * (1 - level) / 400)


def test_a_clear_shift_is_found():
    assert laws_differ(pairs_of(np.random.default_rng(1), 10.0), "m") <= SIGNIFICANT


def test_only_the_least_p_value_counts_as_another_law():
    """Two laws are compared in an audit: with the next larger p-value, a clean one would fail more often than its share."""

    def p_of(*differences):
        return laws_differ([({"m": (np.array([each]),)}, {"m": (np.zeros(1),)}) for each in differences], "m")

    assert p_of(*[1.0] * PAIRS) == 2.0**-16 <= SIGNIFICANT
    assert p_of(*[1.0] * (PAIRS - 1), -0.1) == 2.0**-15 > SIGNIFICANT


def test_laws_of_other_shapes_are_not_compared():
    assert laws_differ([({"m": (np.zeros(2),)}, {"m": (np.zeros(3),)})] * PAIRS, "m") is None


CLAIMED = Claims(data_deletion=DataDeletionClaim(q=2.0, epsilon=0.1))


def of(procedure, *, claims=CLAIMED, required=None):
    """A context of that procedure."""
    return declared(procedure=procedure, claims=claims, policy=Policy(required=required))


def check_of(context, observed=state_stateless.Observed()):  # noqa: B008 - it is frozen
    """The check, and how its facts are known."""
    found = state_stateless.judge(context, observed, {})
    return told_check(state_stateless.CARD.id, found, observed), found.facts


REMOVAL = {"l2": 0.1, "sigma": 1.0, "seed": 1}


@pytest.mark.parametrize(
    ("procedure", "status", "value", "how"),
    [
        (NoisyGd(loss="logistic", **DESCENT), Status.PASS, 0, Provenance.COMPUTED),
        (Sklearn(estimator="LogisticRegression", seed=1), Status.PASS, 0, Provenance.COMPUTED),
        (Sklearn(estimator="LogisticRegression", unlearn="none", seed=1), Status.PASS, 0, Provenance.COMPUTED),
        (Torch(**NETWORK), Status.PASS, 0, Provenance.COMPUTED),
        (Torch(**NETWORK, unlearn="fine-tune"), Status.PASS, 0, Provenance.COMPUTED),
        (Torch(**NETWORK, unlearn="sisa"), Status.INCONCLUSIVE, None, None),
        (CertifiedRemoval(**REMOVAL), Status.PASS, 0, Provenance.COMPUTED),
        (CertifiedRemoval(**REMOVAL, unlearn="retrain"), Status.PASS, 0, Provenance.COMPUTED),
        (
            CertifiedRemoval(**REMOVAL, epsilon=1.0, delta=1e-4, retrain_at_budget=True),
            Status.FAIL,
            1,
            Provenance.REFUTED,
        ),
        (
            CertifiedRemoval(**REMOVAL | {"sigma": 0.0}, release_noise=0.1, residual_budget=1.0),
            Status.FAIL,
            2,
            Provenance.REFUTED,
        ),
    ],
)
def test_what_a_built_in_procedure_carries_is_said(procedure, status, value, how):
    check, facts = check_of(of(procedure))
    assert (check.status, check.value) == (status, value)
    assert [fact.how for fact in facts] == ([] if how is None else [how])
    assert check.details["by_construction"] is True
    assert len(check.details["cases"]) == (value or 0)
    assert len(check.details["carried"]) == (1 if value is None else value)
    assert "by construction" in check.basis


def test_code_of_the_controllers_is_tried_whatever_surrounds_it():
    for procedure in (
        Foreign(entry="a.py:B", seed=1),
        Torch(entry="a.py:B", epochs=1, rate=0.1, seed=1),
        NoisyGd(entry="a.py:B", rate=0.1, **DESCENT),
    ):
        assert procedure.carried is None


def test_it_counts_where_data_deletion_is_meant_or_the_policy_says_so():
    removal, nothing, listed = CertifiedRemoval(**REMOVAL), Claims(), Policy(required=("state.stateless",))
    assert not state_stateless.counts(nothing, Policy(), removal)
    assert state_stateless.counts(CLAIMED, Policy(), removal)
    assert state_stateless.counts(nothing, listed, removal)
    assert state_stateless.counts(nothing, Policy(), NoisyGd(loss="softmax", **DESCENT))
    check, _ = check_of(of(removal, claims=nothing))
    assert (check.status, check.value) == (Status.SKIPPED, 0)
    assert check.basis.endswith("and the policy does not list this check.")


OWN = Foreign(entry="a.py:B")
SURVIVORS = tuple(Kept(name=f"Own.kept_{number}", kind="attribute") for number in range(5))
OTHER = Resumed(others=(Other(after=1, difference=0.5),))
SAME = Resumed()
NO_SAVE = Resumed(refused=Message("state.stateless.refused.no-save"))


WANTED = state_stateless.updates_of_log(declared())


def tried(released, saved, *, deterministic=True, slow=False, survivors=SURVIVORS, of_log=None):
    """What an experiment showed; of the log, that every update gave the same."""
    ran = Tried(
        updates=4,
        deterministic=deterministic,
        slow=slow,
        pairs=PAIRS,
        survived=len(survivors),
        survivors=survivors,
        from_parameters=released,
        from_file=saved,
        of_log=of_log or OfLog(after=WANTED),
    )
    return state_stateless.Observed(tried=ran)


LATE = (Other(after=1, difference=0.25),)


@pytest.mark.parametrize(
    ("of_log", "status", "value", "said"),
    [
        (
            OfLog(after=(*WANTED, 7)),
            Status.PASS,
            0,
            "parameters that were released before it: 1, 2.",
        ),
        (OfLog(after=WANTED[:1]), Status.INCONCLUSIVE, None, "were not resumed"),
        (OfLog(after=WANTED, others=LATE), Status.FAIL, 1, "released before each: 2. A hidden state acts late."),
        (OfLog(after=WANTED, others=LATE, steady=False), Status.INCONCLUSIVE, None, "chance may have played a part"),
        (OfLog(after=WANTED, refused=Message("state.stateless.refused.no-save")), Status.INCONCLUSIVE, None, "no save()"),
    ],
)
def test_updates_of_the_log_count_as_the_first_ones_do(of_log, status, value, said):
    check, _ = check_of(of(OWN), tried(SAME, SAME, of_log=of_log))
    assert (check.status, check.value) == (status, value)
    assert said in check.basis


def test_first_middle_last_and_a_drawn_update_of_the_log_are_resumed():
    for batches in range(8):
        updates = state_stateless.updates_of_log(declared(log=log_facts(batches=batches)))
        assert {0, batches // 2, batches - 1} <= {*updates, -1} if batches else updates == ()
        assert all(0 <= each < batches for each in updates)
        assert len(updates) <= 4
    draws = set()
    for seed in range(40):
        context = declared(log=log_facts(batches=100))
        draws |= set(state_stateless.updates_of_log(replace(context, audit=context.audit.model_copy(update={"seed": str(seed)}))))
    assert len(draws) > 20


def test_an_experiment_that_resumed_nothing_of_the_log_shows_nothing():
    ran = tried(SAME, SAME).tried.model_copy(update={"of_log": None})
    assert check_of(of(OWN), state_stateless.Observed(tried=ran))[0].status is Status.INCONCLUSIVE


def law(p):
    """Updates whose law was compared."""
    return Resumed(p=p, after=2)


@pytest.mark.parametrize(
    ("observed", "status", "value", "how", "said"),
    [
        (
            tried(SAME, SAME),
            Status.PASS,
            0,
            Provenance.MEASURED,
            "What else outlived an update made no difference to them: Own.kept_0",
        ),
        (tried(SAME, NO_SAVE, survivors=()), Status.PASS, 0, Provenance.MEASURED, "the same models, bit for bit."),
        (tried(SAME, OTHER), Status.INCONCLUSIVE, None, None, "the file does not hold the model that is carried on"),
        (
            tried(OTHER, SAME),
            Status.FAIL,
            1,
            Provenance.REFUTED,
            "what the file holds beyond the parameters is carried on in secret",
        ),
        (tried(OTHER, OTHER), Status.FAIL, 2, Provenance.REFUTED, "Own.kept_2 (attribute) and 2 more."),
        (
            tried(OTHER, NO_SAVE, survivors=()),
            Status.FAIL,
            1,
            Provenance.REFUTED,
            "nothing that could be named outlived an update",
        ),
        (tried(NO_SAVE, SAME), Status.INCONCLUSIVE, None, None, "what it holds beyond the parameters may be state"),
        (
            tried(NO_SAVE, NO_SAVE),
            Status.INCONCLUSIVE,
            None,
            None,
            "the file that save() wrote: the procedure has no save()",
        ),
        (tried(SAME, SAME, deterministic=False, slow=True), Status.INCONCLUSIVE, None, None, "too slow for its distributions"),
        (tried(law(3e-5), law(0.5), deterministic=False), Status.INCONCLUSIVE, None, None, "which shows nothing"),
        (tried(law(None), NO_SAVE, deterministic=False), Status.INCONCLUSIVE, None, None, "which shows nothing"),
        (tried(law(2e-5), law(0.5), deterministic=False), Status.FAIL, 1, Provenance.REFUTED, "They gave other models"),
    ],
)
def test_what_an_experiment_comes_to(observed, status, value, how, said):
    check, facts = check_of(of(OWN), observed)
    assert (check.status, check.value) == (status, value)
    assert [fact.how for fact in facts] == ([] if how is None else [how])
    assert said in check.basis
    assert len(check.details["cases"]) == (value or 0)
    assert [each["from"] for each in check.details["resumed"]] == ["the released parameters alone", "the file that save() wrote"]


def test_the_level_at_which_laws_differ_keeps_a_clean_procedure_clean_but_for_four_audits_in_100000():
    # Two laws are compared, each with an exact test of this level.
    assert 2 * SIGNIFICANT == 4e-5
    assert 2.0 ** (1 - PAIRS) < SIGNIFICANT


def test_what_was_not_tried_is_open_and_says_why():
    untried = Message("state.stateless.not-resumable", {"lacking": ["parameters", "load"]})
    check, facts = check_of(of(OWN), state_stateless.Observed(untried=untried))
    assert (check.status, check.value, facts) == (Status.INCONCLUSIVE, None, ())
    assert check.basis.endswith("for the procedure has no parameters() and no load().")
    assert check.details["updates"] == 0
