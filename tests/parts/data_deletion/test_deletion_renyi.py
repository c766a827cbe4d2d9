"""`deletion.renyi`: each status, every premise that can fail, and what the words say of it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from auditor import case as cases
from auditor.audit.replay import Replay
from auditor.base.domain import Check, Fact, Provenance, Status
from auditor.base.errors import InputError
from auditor.case import Case
from auditor.maths.certificates import rederive
from auditor.pages.words import basis
from auditor.pages.words.guarantees import STATEMENTS
from auditor.parts.data_deletion import settings as descent
from auditor.parts.data_deletion.judging import adaptive, pledge, premises
from auditor.parts.data_deletion.judging import renyi as renyi_check
from auditor.parts.data_deletion.judging.observed import DescentRun
from auditor.parts.data_deletion.judging.premises import longer_than_one
from auditor.parts.data_deletion.settings import NoisyGd, linear_constants
from auditor.settings.learning import Foreign
from auditor.verdict.checks.finding import Finding
from deletion_cases import CAPPED, CLAIM, LOGISTIC, judged, replay_of, write
from judging import audit_facts, context_of_case, judge_some
from small_cases import ATTESTED, problem
from small_cases import write as write_removal

SOFTMAX = LOGISTIC.replace("logistic", "softmax")
NETWORK = 'model = "mlp"\nl2 = 0.5\nsigma2 = 1.0\nlearn_steps = 5\nunlearn_steps = 5\nrate = 0.1\n'
LINEAR_NETWORK = """
model = "mlp"
params = {{hidden = []}}
l2 = 0.5
sigma2 = 0.1
learn_steps = 50
unlearn_steps = 200
lipschitz = {lipschitz}
smoothness = {smoothness}
rate = {rate}
convex = true
"""


def renyi(case: Case, replay: Replay | None = None, **given: Any) -> Check:
    return judged(case, replay, **given).checks[0]


def premise(check: Check, name: str) -> dict[str, Any]:
    (found,) = [each for each in check.details["premises"] if each["name"] == name]
    return dict(found)


def test_it_passes_with_the_numbers_of_the_theorem(tmp_path: Path) -> None:
    found = judged(write(tmp_path))
    check = found.checks[0]
    assert (check.status, check.threshold) == (Status.PASS, 0.1)
    assert check.value == pytest.approx(0.00525343991193, rel=1e-11)
    assert check.details["epsilon_dp"] == pytest.approx(0.064, rel=1e-14)
    assert check.details["theorem"] == "5.1"
    assert all(each["holds"] is True and each["name"] in STATEMENTS for each in check.details["premises"])
    assert check.details["steps"] == {"declared": [200, 60], "counted": [200, 60]}
    assert {each.kind for each in found.certificates} >= {
        "noisy-gd-convex",
        "noisy-gd-gaussian",
        "advantage",
        "conversion",
        "adaptive",
    }
    assert all(rederive(each) == each for each in found.certificates)


def test_every_number_beside_it_is_that_of_its_rule(tmp_path: Path) -> None:
    found = judged(write(tmp_path, rest=CLAIM + "[policy]\nmax_delta = 1e-3\n"))
    details = found.checks[0].details
    best = next(each for each in found.certificates if each.kind == "advantage")
    assert details["membership"] == {"order": best.inputs["q"], "bound": best.outputs["bound"]}
    assert [row["delta"] for row in details["conversions"]] == [1e-3, 1e-5, 1e-6]
    conversions = [each for each in found.certificates if each.kind == "conversion"]
    assert [row["tight"] for row in details["conversions"]] == [each.outputs["tight"] for each in conversions]
    assert (
        details["gaussian"]["mu"] == next(each for each in found.certificates if each.kind == "noisy-gd-gaussian").outputs["mu"]
    )
    declared = next(row for row in details["orders"] if row["order"] == 2.0)
    assert (declared["epsilon_dd"], declared["epsilon_dp"]) == (details["epsilon_dd"], details["epsilon_dp"])
    assert details["membership"]["bound"] == min(row["advantage"] for row in details["orders"])
    assert details["cost"]["saved_share"] == 1 - 60 / 200


def test_the_worst_batch_counts_and_each_has_its_own(tmp_path: Path) -> None:
    case = write(tmp_path, deleted=[["rec-0010"], ["rec-0011", "rec-0012"], ["rec-0013"]])
    details = renyi(case).details
    first, second, third = details["batches"]
    assert [each["rows"] for each in details["batches"]] == [500, 499, 497]
    assert first["epsilon_dd"] < second["epsilon_dd"] < third["epsilon_dd"] == details["epsilon_dd"]
    assert second["epsilon_together"] == pytest.approx(4 * second["epsilon_dd"])
    assert details["settings"]["rows"] == 497
    assert details["settings"]["steps_with_record"] == 200 + 2 * 60


def test_too_few_steps_fail_and_without_a_threshold_nothing_is_decided(tmp_path: Path) -> None:
    check = renyi(
        write(tmp_path, procedure=LOGISTIC.replace("unlearn_steps = 60", "unlearn_steps = 1"), rest=CLAIM.replace("0.1", "0.01"))
    )
    assert check.status is Status.FAIL
    assert "above the threshold" in check.basis
    (tmp_path / "other").mkdir()
    open_case = renyi(write(tmp_path / "other", rest=""))
    assert open_case.status is Status.INCONCLUSIVE
    assert open_case.value is not None
    assert "No threshold" in open_case.basis


def test_nothing_deleted_is_nothing_to_judge(tmp_path: Path) -> None:
    case = write(tmp_path, deleted=[["nobody"]])
    assert {check.status for check in judged(case).checks} == {Status.INCONCLUSIVE}


@pytest.mark.parametrize(
    ("name", "changed", "told"),
    [
        ("rows-bounded", {"scale": 1.5}, {}),
        ("steps-counted", {}, {"steps": 59}),
        ("noise-measured", {}, {"noise_variance": 0.005}),
        ("noise-measured", {}, {"noise_variance": 0.02}),
        (
            "labels-fixed",
            {"classes": 3, "rows": 60, "procedure": SOFTMAX, "deleted": [[f"rec-{i:04d}" for i in range(0, 60, 3)]]},
            {},
        ),
    ],
)
def test_a_false_premise_fails_by_name_with_what_would_mend_it(
    tmp_path: Path, name: str, changed: dict[str, Any], told: dict[str, Any]
) -> None:
    case = write(tmp_path, **changed)
    found = judged(case, replay_of(case, **told))
    check, adaptive = found.checks
    assert (check.status, check.value, adaptive.status, adaptive.value) == (Status.FAIL, None, Status.FAIL, None)
    assert check.details["epsilon_dd"] is None
    row = premise(check, name)
    assert (row["holds"], row["how"]) == (False, "refuted")
    assert row["mend"]
    assert name in check.basis
    assert row["mend"] in check.basis
    assert name in adaptive.basis
    assert how_of(found.facts, name) is Provenance.REFUTED
    assert how_of(found.facts, "deletion-bound-met") is Provenance.REFUTED


def how_of(facts: tuple[Fact, ...], name: str) -> Provenance:
    return next(each.how for each in facts if each.name == name)


def test_noise_that_is_missing_from_one_batch_alone_is_found(tmp_path: Path) -> None:
    case = write(tmp_path, deleted=[[f"rec-{index:04d}"] for index in range(9)])
    replay = replay_of(case)
    told = [*replay.told[:-1], {**replay.told[-1], "noise_variance": 0.0}]
    check = renyi(case, replace(replay, told=tuple(told)))
    assert check.status is Status.FAIL
    assert "refused for batch 9" in premise(check, "noise-measured")["found"]
    assert check.details["noise"]["updates"][9]["measured"] < check.details["noise"]["updates"][9]["low"]


def test_the_exact_size_of_the_noise_stays_a_secret(tmp_path: Path) -> None:
    case = write(tmp_path)
    first, second = (renyi(case, replay_of(case, noise_variance=value)).details["noise"] for value in (0.01, 0.010001))
    assert first == second


def test_a_state_that_is_carried_fails(tmp_path: Path) -> None:
    check = renyi(write(tmp_path), state=Status.FAIL)
    assert check.status is Status.FAIL
    assert premise(check, "stateless")["holds"] is False


@pytest.mark.parametrize("missing", ["steps", "noise_variance", "noise_count"])
def test_what_the_rerun_does_not_tell_leaves_it_open(tmp_path: Path, missing: str) -> None:
    case = write(tmp_path)
    replay = replay_of(case)
    told = tuple({name: value for name, value in facts.items() if name != missing} for facts in replay.told)
    check = renyi(case, replace(replay, told=told))
    assert check.status is Status.INCONCLUSIVE
    assert "Not known" in check.basis
    assert "not known" not in [each["found"] for each in check.details["premises"]]


@pytest.mark.parametrize(
    ("procedure", "reason", "mend"),
    [
        (LOGISTIC + "rate = 0.5\n", "step size", 'rate = "theorem"'),
        (SOFTMAX + "clip = 1.0\n", "Lemma F.3", "leave out clip"),
        (CAPPED.replace("400000000", "900000000"), "not covered by the theorem as printed", "unlearning steps would do"),
        (CAPPED.replace("8.0", "0.0001"), "floating-point range", "larger sigma2"),
        (NETWORK + "loss_cap = 1.0\nlipschitz = 1.0\nsmoothness = 1.0\n", "hidden layers", "softmax"),
        (NETWORK + "clip = 1.0\n", "Lemma F.3", "has no constants"),
        (NETWORK + "params = {hidden = []}\nclip = 1.0\n", "Lemma F.3", "leave out clip"),
        (NETWORK + "params = {hidden = []}\n", "does not name lipschitz and smoothness", "declare"),
        (
            NETWORK + "params = {hidden = []}\nlipschitz = 2.0\nsmoothness = 1.0\n",
            "neither bounded nor said to be convex",
            "loss_cap",
        ),
    ],
)
def test_what_no_theorem_covers_is_inconclusive_with_what_would_mend_it(
    tmp_path: Path, procedure: str, reason: str, mend: str
) -> None:
    case = write(tmp_path, procedure=procedure)
    check, adaptive = judged(case).checks
    assert (check.status, check.value, adaptive.status) == (Status.INCONCLUSIVE, None, Status.INCONCLUSIVE)
    assert check.details["theorem"] is None
    assert reason in check.details["reason"]
    assert mend in check.details["mend"]
    assert reason in check.basis
    assert mend in check.basis
    assert check.details["epsilon_dd"] is None


def test_gradients_that_are_clipped_still_have_a_private_epsilon(tmp_path: Path) -> None:
    check = renyi(write(tmp_path, procedure=SOFTMAX + "clip = 1.0\n"))
    # (18): q L^2 rate max(K)/(sigma^2 n^2)
    rate = 1 / (2 * (0.05 + 0.5))
    assert check.details["epsilon_dp"] == pytest.approx(2 * rate * 200 / (0.01 * 500**2))


def test_a_clipped_logistic_gradient_keeps_the_theorem(tmp_path: Path) -> None:
    check = renyi(write(tmp_path, procedure=LOGISTIC + "clip = 0.5\n"))
    assert check.status is Status.PASS
    assert check.details["epsilon_dp"] == pytest.approx(0.064 / 4)


def test_rows_are_judged_as_they_are_learned_from(tmp_path: Path) -> None:
    check = renyi(write(tmp_path, procedure=LOGISTIC + 'row_norms = "scale"\n', scale=3.0))
    assert check.status is Status.PASS
    assert "scaled" in premise(check, "rows-bounded")["found"]


def test_theorem_5_2_gives_what_its_inequalities_allow(tmp_path: Path) -> None:
    check = renyi(write(tmp_path, procedure=CAPPED, rest=CLAIM.replace("0.1", "0.3")))
    assert (check.details["theorem"], check.status) == ("5.2", Status.PASS)
    assert {"loss-bounded", "start-gaussian"} <= {each["name"] for each in check.details["premises"]}
    assert "step-size" not in {each["name"] for each in check.details["premises"]}


def test_a_policy_at_an_order_that_theorem_5_2_may_say_nothing_of_is_refused(tmp_path: Path) -> None:
    rest = CLAIM.replace("q = 2, epsilon = 0.1", "q = 1.5, epsilon = 0.3") + "[policy]\nmax_epsilon = 900\n"
    check = renyi(write(tmp_path, procedure=f"{CAPPED}order = 1.2\n", rest=rest))
    assert (check.status, check.details["order"]) == (Status.PASS, 1.5)
    with pytest.raises(InputError, match=r"procedure\.order: expected at most 1\.5, the q of claims\.data_deletion.*found 1000"):
        write(tmp_path, procedure=f"{CAPPED}order = 1000\n", rest=rest)


def test_the_trade_off_decides_only_where_the_policy_says_so(tmp_path: Path) -> None:
    procedure, policy = LOGISTIC + "rate = 0.5\n", "[policy]\nuse_gaussian_tradeoff = true\n"
    check = renyi(write(tmp_path, procedure=procedure, rest=CLAIM + policy))
    assert (check.status, check.details["theorem"]) == (Status.PASS, "gaussian")
    assert check.value == check.details["gaussian"]["epsilon"]
    assert "Gaussian trade-off" in check.basis
    (tmp_path / "other").mkdir()
    beside = renyi(write(tmp_path / "other"))
    assert beside.details["theorem"] == "5.1"
    assert beside.details["gaussian"]["epsilon"] < beside.value


def test_the_claim_s_order_is_the_one_that_is_certified(tmp_path: Path) -> None:
    rest = "[claims]\ndata_deletion = {q = 8, epsilon = 0.03}\n[policy]\nmax_epsilon = 0.02\n"
    check = renyi(write(tmp_path, rest=rest))
    assert check.details["order"] == 8
    assert check.value == pytest.approx(4 * 0.00525343991193)
    assert check.threshold == 0.02
    (tmp_path / "other").mkdir()
    lower = renyi(write(tmp_path / "other", procedure=LOGISTIC + "order = 8.0\n", rest=rest.replace("q = 8", "q = 2")))
    assert (lower.details["order"], lower.threshold) == (2, 0.005)
    assert lower.status is Status.FAIL
    assert [each["order"] for each in lower.details["sources"]] == [2, 8]


def test_a_network_without_hidden_layers_is_held_to_its_known_constants(tmp_path: Path) -> None:
    enough = LINEAR_NETWORK.format(lipschitz=2.0, smoothness=1.0, rate=1 / 3)
    case = write(tmp_path, procedure=enough)
    told = {"largest_gradient_norm": 1.9, "largest_loss": 2.0, "least_curvature": 1e-5}
    check = renyi(case, replay_of(case, **told))
    assert (check.status, check.details["theorem"]) == (Status.PASS, "5.1")
    assert premise(check, "loss-constants")["how"] == "computed"
    assert premise(check, "loss-convex")["how"] == "attested"
    assert premise(check, "loss-convex")["found"].startswith("tested: second differences")
    assert renyi(case, replay_of(case, **{**told, "least_curvature": -0.1})).status is Status.FAIL
    (tmp_path / "other").mkdir()
    small = write(tmp_path / "other", procedure=LINEAR_NETWORK.format(lipschitz=1.0, smoothness=0.5, rate=0.5))
    found = renyi(small, replay_of(small, **told))
    assert found.status is Status.FAIL
    assert "declare L = 2" in found.basis


def test_a_network_of_the_controller_s_own_is_its_word_and_cannot_pass(tmp_path: Path) -> None:
    (tmp_path / "net.py").write_text("class Net: ...\n", encoding="utf-8")
    procedure = LINEAR_NETWORK.format(lipschitz=2.0, smoothness=1.0, rate=1 / 3).replace('model = "mlp"', 'entry = "net.py:Net"')
    case = write(tmp_path, procedure=procedure.replace("{hidden = []}", "{}"))
    assert isinstance(case.settings.procedure, NoisyGd)
    told = {"largest_gradient_norm": 1.9, "largest_loss": 2.0, "least_curvature": 1e-5}
    check = renyi(case, replay_of(case, **told), state=Status.PASS)
    assert check.status is Status.INCONCLUSIVE
    assert "the controller's word" in check.basis
    words = ("noise-measured", "steps-counted", "loss-constants")
    assert {premise(check, name)["how"] for name in words} == {"attested"}
    (tmp_path / "silent").mkdir()
    (tmp_path / "silent" / "net.py").write_text("class Net: ...\n", encoding="utf-8")
    bare = write(tmp_path / "silent", procedure=procedure.replace("{hidden = []}", "{}"), rest=CLAIM.replace(ATTESTED, ""))
    nobody = renyi(bare, replay_of(bare, **told), state=Status.PASS)
    assert {(premise(nobody, name)["how"], premise(nobody, name)["holds"]) for name in words} == {("unknown", None)}
    assert premise(renyi(case, replay_of(case, **told)), "stateless")["holds"] is None
    assert renyi(case, replay_of(case, **{**told, "largest_gradient_norm": 2.5}), state=Status.PASS).status is Status.FAIL


ONE_IN_A_BILLION = 1 + 1e-9
"""How far above its bound a number may lie that somebody rounded."""


@pytest.mark.parametrize(
    ("told", "named", "holds"),
    [
        ({"largest_gradient_norm": 2 * ONE_IN_A_BILLION}, "loss-constants", True),
        ({"largest_gradient_norm": 2 * (1 + 1.01e-9)}, "loss-constants", False),
        # A second difference below rounding of a loss of 2: a billionth of 1 + 2.
        ({"least_curvature": -1e-9 * (1 + 2.0)}, "loss-convex", True),
        ({"least_curvature": -1.01e-9 * (1 + 2.0)}, "loss-convex", False),
    ],
)
def test_a_network_s_constants_are_refuted_by_what_rounding_does_not_explain(
    tmp_path: Path, told: dict[str, float], named: str, holds: bool
) -> None:
    (tmp_path / "net.py").write_text("class Net: ...\n", encoding="utf-8")
    procedure = LINEAR_NETWORK.format(lipschitz=2.0, smoothness=1.0, rate=1 / 3).replace('model = "mlp"', 'entry = "net.py:Net"')
    case = write(tmp_path, procedure=procedure.replace("{hidden = []}", "{}"))
    usual = {"largest_gradient_norm": 1.9, "largest_loss": 2.0, "least_curvature": 1e-5}
    check = renyi(case, replay_of(case, **{**usual, **told}), state=Status.PASS)
    assert premise(check, named)["holds"] is holds
    assert (check.status is Status.FAIL) is not holds


def measured(**changes: float) -> DescentRun:
    """What was measured of steps, as far as a premise reads it."""
    return DescentRun(
        **{
            "steps": (1,),
            "noise": None,
            "largest_row_norm": 1.0,
            "least_curvature": None,
            "largest_loss": None,
            "largest_gradient_norm": None,
            **changes,
        }
    )


@pytest.mark.parametrize(("largest", "holds"), [(0.5 * ONE_IN_A_BILLION, True), (0.5 * (1 + 1.01e-9), False)])
def test_a_loss_above_its_cap_by_more_than_rounding_refutes_the_bound(tmp_path: Path, largest: float, holds: bool) -> None:
    case = write(tmp_path, procedure=CAPPED)
    procedure = case.settings.procedure
    assert isinstance(procedure, NoisyGd)
    stated = descent.read(procedure)
    assert stated.bound == 0.5
    found = premises._bounded(context_of_case(case), procedure, stated, measured(largest_loss=largest))
    assert found.holds is holds


@pytest.mark.parametrize(("norm", "long"), [(1.0, False), (ONE_IN_A_BILLION, False), (1 + 1.01e-9, True), (None, True)])
def test_a_row_may_be_longer_than_one_by_what_rounding_leaves(norm: float | None, long: bool) -> None:
    assert longer_than_one(norm) is long


@pytest.mark.parametrize(("less", "holds"), [(0.0, True), (0.99e-9, True), (1.01e-9, False)])
@pytest.mark.parametrize("of", ["lipschitz", "smoothness"])
def test_a_linear_network_states_its_known_constants_to_the_billionth(tmp_path: Path, of: str, less: float, holds: bool) -> None:
    lipschitz, smoothness = linear_constants(1.0, None)
    stated = {"lipschitz": lipschitz, "smoothness": smoothness}
    stated[of] *= 1 - less
    procedure = write(tmp_path, procedure=LINEAR_NETWORK.format(**stated, rate=1 / 3)).settings.procedure
    assert isinstance(procedure, NoisyGd)
    assert premises._of_a_linear_network(descent.read(procedure), stated, measured()).holds is holds


def test_any_other_procedure_is_skipped(tmp_path: Path) -> None:
    case = cases.read(write_removal(tmp_path, *problem()))
    context = context_of_case(case)
    for procedure, words in (
        (case.settings.procedure, 'use = "certified-removal" is not noisy gradient descent'),
        (Foreign(entry="a.py:B"), "the controller's own code"),
    ):
        observed = {renyi_check.CARD.id: nothing_deleted(), adaptive.CARD.id: adaptive.Observed(**NOTHING_ASKED)}
        declared = replace(context, procedure=procedure, audit=audit_facts(only=pledge.IDS))
        found = judge_some(declared, observed, {"state.stateless": Finding(Status.PASS)})
        for check_id in pledge.IDS:
            assert found[check_id].status is Status.SKIPPED
            assert words in basis(found[check_id].reasons)
            assert found[check_id].derived is None
        assert not pledge.pledged(declared, found)


NOTHING_ASKED = {"batches": 0, "requests": (), "largest_share": adaptive.Share(records=1, batches=1), "games": None}


def nothing_deleted() -> renyi_check.Observed:
    return renyi_check.Observed(
        deleted=(),
        labels_lost=False,
        parameter_count=4,
        seconds_unlearning=None,
        seconds_retraining=1.0,
        descent=None,
        counterfactual=None,
    )


def test_a_claim_is_examined_where_a_check_decided(tmp_path: Path) -> None:
    findings = judged(write(tmp_path)).findings
    assert pledge.examined_claims(findings) == {"data_deletion"}
    undecided = {name: replace(each, status=Status.INCONCLUSIVE) for name, each in findings.items()}
    assert not pledge.examined_claims(undecided)
    assert pledge.examined_claims(undecided | {"deletion.renyi": Finding(Status.FAIL)}) == {"data_deletion"}


def test_a_row_beyond_floating_point_is_too_long_and_its_norm_is_said_to_be_inf(tmp_path: Path) -> None:
    check = renyi(write(tmp_path, scale=1e200))
    assert check.status is Status.FAIL
    assert premise(check, "rows-bounded")["found"].endswith("has norm inf")
