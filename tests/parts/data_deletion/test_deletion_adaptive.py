"""`deletion.adaptive`: how many seen models count, what they cost, and what a claim about them covers."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import pytest

from auditor.base.domain import Status
from auditor.case import Case
from auditor.maths.certificates import derive
from auditor.parts.data_deletion.judging.seen import Asked, seen
from auditor.parts.data_deletion.rules import noisy_gd_nonconvex
from deletion_cases import CAPPED, CLAIM, LOGISTIC, REQUESTER, games, judged, write
from detailed import Detailed
from small_cases import ATTESTED

ONE = 0.00525343991193
"""ε_dd of one record among 500."""
DP = 0.064


def claim(epsilon: float, adaptive: int | None = None) -> str:
    more = "" if adaptive is None else f", adaptive = {adaptive}"
    return f"[claims]\ndata_deletion = {{q = 2, epsilon = {epsilon}{more}}}\n{ATTESTED}"


def adaptive(case: Case, **given: Any) -> Detailed:
    return judged(case, **given).checks[1]


@pytest.mark.parametrize(
    ("said", "together"),
    [
        ([0, 0, 0], (0, 0, 0)),
        # Who saw one model each may have seen two.
        ([1, 1, 0], (1, 2, 2)),
        # Nobody can have seen more from before a batch than there were.
        ([1, 2, 3], (1, 2, 3)),
        # A later request may carry what somebody saw before the deletion.
        ([0, 0, 1], (1, 1, 1)),
        # A row that says nothing counts for all models published before it.
        ([0, 0, None], (1, 2, 3)),
        ([None, 0, 0], (1, 1, 1)),
        # A row that knows of more models than this log published is believed.
        ([5, 0, 0], (5, 5, 5)),
    ],
)
def test_what_all_requesters_together_may_have_seen(tmp_path: Path, said: list[int | None], together: tuple[int, ...]) -> None:
    asked = [Asked(request_id=f"R-{number}", batch=number, stated=stated) for number, stated in enumerate(said, start=1)]
    assert seen(asked, len(said)).before == together
    check = adaptive(write(tmp_path, said=said))
    assert tuple(row["seen"] for row in check.details["per_request"]) == together


def test_at_zero_it_is_the_epsilon_of_deletion_itself(tmp_path: Path) -> None:
    check = adaptive(write(tmp_path))
    assert (check.status, check.details["seen"], check.details["source_of_seen"]) == (Status.PASS, 0, "log")
    assert check.value == pytest.approx(ONE, rel=1e-11)
    assert "p = 0" in check.basis
    assert [(each["name"], each["how"]) for each in check.details["premises"]] == [("requests-fixed", "attested")]


def silent(*names: str, claim: str = CLAIM) -> str:
    """A claim beside which some things are not attested."""
    for name in names:
        assert f'"{name}"' in claim
        claim = claim.replace(f'"{name}", ', "")
    return claim


def test_requests_of_which_nobody_says_that_they_were_fixed_leave_it_open(tmp_path: Path) -> None:
    check = adaptive(write(tmp_path, rest=silent("requests-fixed")))
    assert check.status is Status.INCONCLUSIVE
    assert "Not attested: requests-fixed." in check.basis
    (premise,) = check.details["premises"]
    assert (premise["holds"], premise["how"]) == (None, "unknown")
    assert premise["mend"] == 'add "requests-fixed" to [claims] attested if it is true'


@pytest.mark.parametrize(
    ("said", "how"),
    [
        # Who says that fewer were seen than were out says what no log shows.
        ([0, 1], "attested"),
        ([1, 1], "attested"),
        # Where every model that was out counts, nobody saw more.
        ([1, 2], "computed"),
        ([None, 2], "computed"),
        ([5, None], "computed"),
    ],
)
def test_that_no_more_was_seen_is_a_word_only_where_the_log_says_less(tmp_path: Path, said: list[int | None], how: str) -> None:
    check = adaptive(write(tmp_path, said=said, rest=claim(9.0)))
    assert [(each["name"], each["how"]) for each in check.details["premises"]] == [
        ("own-request-fixed", "attested"),
        ("seen-releases", how),
    ]
    (tmp_path / "silent").mkdir()
    bare = adaptive(write(tmp_path / "silent", said=said, rest=silent("seen-releases", claim=claim(9.0))))
    assert bare.status is (Status.INCONCLUSIVE if how == "attested" else check.status)
    assert bare.details["premises"][1]["how"] == ("unknown" if how == "attested" else how)


def test_a_person_s_own_request_is_a_narrower_word(tmp_path: Path) -> None:
    narrow = claim(0.2).replace("requests-fixed", "own-request-fixed")
    assert adaptive(write(tmp_path, said=[0, 1], rest=narrow)).status is Status.PASS
    (tmp_path / "zero").mkdir()
    assert adaptive(write(tmp_path / "zero", rest=narrow)).status is Status.INCONCLUSIVE


def test_every_model_that_was_seen_costs_its_epsilon(tmp_path: Path) -> None:
    case = write(tmp_path, said=[0, 1], rest=claim(0.2))
    check = adaptive(case)
    (_, last) = check.details["per_request"]
    assert check.details["seen"] == 1
    assert check.status is Status.PASS
    assert check.value == last["epsilon"]
    assert check.value == pytest.approx((ONE + DP) * (500 / 499) ** 2)
    assert [each["name"] for each in check.details["premises"]] == ["own-request-fixed", "seen-releases"]
    expected = derive("adaptive", {name: check.details[name] for name in ("epsilon_dd", "epsilon_dp", "seen")})
    assert check.value == expected.epsilon


def test_a_log_that_does_not_say_counts_every_model(tmp_path: Path) -> None:
    check = adaptive(write(tmp_path, said=[None, None]))
    assert (check.details["seen"], check.details["source_of_seen"]) == (2, "all published before")
    assert check.status is Status.FAIL
    assert "name in the log what requesters had seen" in check.basis


def test_a_claim_about_p_models_is_held_to_p_and_does_not_cover_more(tmp_path: Path) -> None:
    check = adaptive(write(tmp_path, rest=claim(0.2, adaptive=3)))
    assert (check.details["seen"], check.details["source_of_seen"]) == (3, "claim")
    assert check.value == pytest.approx(ONE + 3 * DP)
    assert check.status is Status.PASS
    for name, said, status in (("stated", [1, 2], Status.FAIL), ("default", [None, None], Status.INCONCLUSIVE)):
        folder = tmp_path / name
        folder.mkdir()
        beyond = adaptive(write(folder, said=said, rest=claim(1.0, adaptive=1)))
        assert beyond.status is status
        assert "does not cover" in beyond.basis


def test_what_a_requester_refuted_fails(tmp_path: Path) -> None:
    found = judged(write(tmp_path, rest=CLAIM + REQUESTER), games=games())
    check = found.checks[1]
    assert check.status is Status.FAIL
    assert "Refuted by an adaptive requester" in check.basis
    assert check.details["game"]["games"] == 200
    assert "deletion-unrefuted" in {each.name for each in found.facts if each.how.value == "refuted"}


def test_without_convexity_all_steps_up_to_the_last_model_count(tmp_path: Path) -> None:
    case = write(tmp_path, said=[0, 1], procedure=CAPPED, rest=claim(0.9))
    check = adaptive(case)
    steps = 400_000_000 + 300_000_000
    assert check.details["steps_seen"] == steps
    known = noisy_gd_nonconvex.gradient_epsilon(2.0, lipschitz=1.0, sigma2=8.0, rows=499, rate=1e-7, steps=steps)
    assert check.details["epsilon_dp"] == known
    assert check.value == pytest.approx(check.details["epsilon_dd"] + known)
    # It is met, and a Rényi ε of 0.9 promises nothing.
    assert (check.status, check.value <= check.threshold) == (Status.INCONCLUSIVE, True)
    assert "100 right guesses of 100" in check.basis


def test_a_person_with_several_records_is_told_of_all_of_them(tmp_path: Path) -> None:
    check = adaptive(write(tmp_path, deleted=[["rec-0010", "rec-0011", "rec-0012"]]))
    assert (check.details["records_per_person"], check.details["epsilon_person"]) == (3, pytest.approx(9 * ONE))
    folder = tmp_path / "subject"
    folder.mkdir()
    spread = adaptive(write(folder, deleted=[["rec-0010"], ["rec-0011"]], subject="ann"))
    assert spread.details["records_per_person"] == 2
    assert spread.details["epsilon_person"] == pytest.approx(4 * ONE * (500 / 499) ** 2)
    other = tmp_path / "bounded"
    other.mkdir()
    bounded = adaptive(write(other, procedure=CAPPED, rest=claim(0.9), deleted=[["rec-0010"], ["rec-0011"]], subject="ann"))
    assert bounded.value is not None
    assert bounded.details["epsilon_person"] is None


def test_whose_records_they_are_is_for_the_log_and_the_controller_to_say(tmp_path: Path) -> None:
    whose = {}
    silent = CLAIM.replace('"subjects-complete", ', "")
    for name, rest, log in (
        ("named and complete", CLAIM, {"subject": "ann"}),
        ("named alone", silent, {"subject": "ann"}),
        ("complete alone", CLAIM, {}),
    ):
        folder = tmp_path / name
        folder.mkdir()
        whose[name] = adaptive(write(folder, rest=rest, **log)).details["of"]
    assert whose == {"named and complete": "person", "named alone": "request", "complete alone": "request"}


def test_what_is_told_is_the_smallest_bound_that_holds(tmp_path: Path) -> None:
    """Requests were fixed in advance: the run that never had the records is the law of the bound, and the trade-off holds."""
    check = adaptive(write(tmp_path, deleted=[["rec-0010", "rec-0011", "rec-0012"]]))
    given = {"lipschitz": 1.0, "l2": 0.05, "smoothness": 0.25, "sigma2": 0.01, "n": 500, "rate": 1 / 0.6, "steps": 60}
    mu = derive("noisy-gd-gaussian", {**given, "size": 3}).outputs["mu"]
    assert check.details["advantage"] == pytest.approx(math.erf(mu / 3 / math.sqrt(8)), rel=1e-6)
    assert check.details["advantage_person"] == pytest.approx(math.erf(mu / math.sqrt(8)), rel=1e-6)
    assert check.details["advantage_person"] < math.sqrt(9 * ONE / 2) / 100
    # Where requesters saw a model both worlds are near a third law only.
    folder = tmp_path / "seen"
    folder.mkdir()
    seen = adaptive(write(folder, said=[1], rest=claim(0.2)))
    assert seen.details["advantage"] == pytest.approx(math.sqrt(2 * seen.value), rel=0.3)
    assert seen.details["advantage"] > math.sqrt(seen.value / 2)


def test_a_promise_that_many_records_leave_empty_is_called_so(tmp_path: Path) -> None:
    """Each record keeps to the claim; a person with thirty has 900 times its ε, which promises nothing where models were seen."""
    many = [[f"rec-{number:04d}" for number in range(10, 40)]]
    check = adaptive(write(tmp_path, said=[1], rest=claim(0.2), deleted=many))
    assert check.value <= check.threshold
    assert check.details["epsilon_person"] == pytest.approx(900 * check.value)
    assert check.details["advantage_person"] == 1
    assert "promises nothing to a person with 30 records" in check.basis
    assert "Guarantee and letter cover 30 records" in check.basis


def test_a_trade_off_bounds_every_model_that_was_seen(tmp_path: Path) -> None:
    policy = "[policy]\nuse_gaussian_tradeoff = true\n"
    case = write(tmp_path, said=[1], procedure=LOGISTIC + "rate = 0.5\n", rest=claim(0.9) + policy)
    check = adaptive(case)
    given = {"lipschitz": 1.0, "l2": 0.05, "smoothness": 0.25, "sigma2": 0.01, "n": 500, "rate": 0.5, "steps": 0}
    once = derive("noisy-gd-gaussian", given).outputs["mu"]
    assert check.details["epsilon_dp"] == pytest.approx(once**2)
    assert check.value == pytest.approx(check.details["epsilon_dd"] + once**2)


def test_the_games_fail_the_check_where_nothing_was_deleted_too(tmp_path: Path) -> None:
    case = write(tmp_path, deleted=[["nobody"]], rest=CLAIM + REQUESTER)
    check = adaptive(case, games=games())
    assert (check.status, check.value) == (Status.FAIL, None)
    assert "there is no deletion to judge. Refuted by an adaptive requester" in check.basis
    assert check.details["game"]["named_right"] == 1.0
    stands = adaptive(case, games=games(right=False))
    assert stands.status is Status.INCONCLUSIVE
    assert stands.details["game"]["games"] == 200
    assert adaptive(case).details == {}
