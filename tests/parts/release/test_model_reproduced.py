"""`model.reproduced`: the shipped model is the rerun's within what two honest runs may differ by, or it is another one."""

from __future__ import annotations

from typing import Any

import pytest
from pydantic import ValidationError

from auditor.base.domain import ClaimStatus, Message, Provenance, Status
from auditor.pages.words import basis, sentence
from auditor.parts.data_deletion.settings import NoisyGd
from auditor.parts.release.judging.model_reproduced import Derived, Observed, OnGrid, judge
from auditor.parts.release.judging.released_format import Loaded
from auditor.parts.removal.settings import CertifiedRemoval
from auditor.parts.removal.theorems import NOISE
from auditor.settings.learning import Foreign
from auditor.verdict.checks.context import Context
from auditor.verdict.checks.finding import Finding
from auditor.verdict.guarantees import derive, fact, standing
from judging import case_facts, declared, log_facts

REMOVAL = CertifiedRemoval(l2=0.01, sigma=1.0, tolerance=1e-8)
ADMITTED = 8 * 1e-8 / (0.01 * 97)
"""What its optimiser admits for the 97 records that are left."""


def observed(**changes: Any) -> Observed:
    """A model of four parameters, shipped and rerun alike, by a procedure that gave the same twice."""
    values: dict[str, Any] = {
        "parameters": 4,
        "shipped_parameters": 4,
        "difference": 0.0,
        "self_check_difference": 0.0,
        "largest": 2.0,
        "differing": 0,
        "free_bits": 0.0,
        "container": (),
        "on_grid": None,
        "loaded": None,
    }
    if changes.get("difference"):
        values |= {"differing": 4, "free_bits": 12.0}
    if "difference" in changes and changes["difference"] is None:
        values |= {"differing": None, "free_bits": None}
    return Observed(**{**values, **changes})


def on_grid(**changes: int) -> OnGrid:
    """Four parameters that are the rounded rerun."""
    return OnGrid(**{"not_multiples": 0, "elsewhere": 0, "neighbours": 0, "near_midpoints": 0, **changes})


def rounded(grid: float = 2.0**-20, **changes: Any) -> Context:
    """A case that declares a grid; `changes` go into the case."""
    return declared(case=case_facts(grid=grid, **changes))


def owned(**changes: Any) -> Context:
    """A case whose procedure is the controller's own class."""
    return declared(procedure=Foreign(entry="procedure.py:Procedure"), case=case_facts(**changes))


def loaded(**changes: Any) -> Loaded:
    """A file that makes the very model by itself."""
    tied = {"lacking": (), "ended": None, "saved": "same", "differing": 0, "moved": 0.0, "largest": 1.0}
    return Loaded(**{**tied, **changes})


def derived(finding: Finding) -> Derived:
    assert isinstance(finding.derived, Derived)
    return finding.derived


def facts(finding: Finding) -> list[tuple[str, Provenance]]:
    return [(each.name, each.how) for each in finding.facts]


def test_the_same_model_twice_passes() -> None:
    finding = judge(declared(), observed(), {})
    assert (finding.status, finding.value, finding.threshold) == (Status.PASS, 0.0, 0.0)
    assert (derived(finding).deterministic, derived(finding).bit_identical) == (True, True)
    assert facts(finding) == [("release-reproduced", Provenance.MEASURED)]
    assert (derived(finding).equal, derived(finding).canonical) == ("bits", True)
    assert "the same in every bit, in a file that holds nothing else" in sentence(finding.facts[0].evidence)
    assert "the shipped file and the rerun hold 4 and 4 parameters. Two reruns differed by 0 at most." in basis(finding.reasons)


def test_without_a_model_file_nothing_is_known_of_the_release() -> None:
    finding = judge(declared(), observed(shipped_parameters=None, difference=None), {})
    assert (finding.status, finding.value, finding.threshold, finding.derived) == (Status.SKIPPED, None, None, None)
    assert facts(finding) == []


def test_a_procedure_that_offers_no_parameters_leaves_it_open() -> None:
    finding = judge(declared(), observed(parameters=None, difference=None, self_check_difference=None, largest=0.0), {})
    assert (finding.status, finding.value, finding.threshold, facts(finding)) == (Status.INCONCLUSIVE, None, None, [])
    assert "offers no parameters()" in basis(finding.reasons)


@pytest.mark.parametrize(
    ("difference", "between", "status"),
    [
        (0.0, 0.0, Status.PASS),
        # Within what two reruns differ by is no equality: nobody says what the difference holds.
        (1e-9, 1e-9, Status.INCONCLUSIVE),
        (0.0, 1e-9, Status.INCONCLUSIVE),
        (1.001e-9, 1e-9, Status.FAIL),
        (1e-12, 0.0, Status.FAIL),
        (2e-6, 2e-6, Status.INCONCLUSIVE),
        (2.001e-6, 2e-6, Status.FAIL),
        # Two reruns that differ by more than chance excuses.
        (0.0, 2.001e-6, Status.INCONCLUSIVE),
        (1.0, 1.0, Status.INCONCLUSIVE),
    ],
)
def test_a_procedure_that_admits_nothing_is_held_to_what_its_reruns_differ_by(
    difference: float, between: float, status: Status
) -> None:
    finding = judge(declared(), observed(difference=difference, self_check_difference=between), {})
    assert (finding.status, finding.value, finding.threshold) == (status, difference, min(between, 2e-6))
    assert derived(finding).tolerance_from == Message("model.reproduced.tolerance.reruns")
    assert derived(finding).bit_identical is (between == 0.0)
    assert derived(finding).deterministic is (between <= 2e-6)
    known = {
        Status.PASS: [("release-reproduced", Provenance.MEASURED)],
        Status.FAIL: [("release-reproduced", Provenance.REFUTED)],
    }
    assert facts(finding) == known.get(status, [])


@pytest.mark.parametrize(
    ("difference", "between", "largest", "threshold", "origin"),
    [
        (ADMITTED, 0.0, 2.0, ADMITTED, "optimiser"),
        (ADMITTED / 2, ADMITTED / 2, 2.0, ADMITTED, "optimiser"),
        # Two runs that differ by as much as the optimiser admits speak for themselves.
        (ADMITTED, ADMITTED, 2.0, ADMITTED, "reruns"),
        (2 * ADMITTED, 2 * ADMITTED, 2.0, 2 * ADMITTED, "reruns"),
        # A coarse optimiser excuses no more than a millionth of the largest parameter.
        (1e-9, 0.0, 1e-3, 1e-9, "optimiser"),
    ],
)
def test_what_an_optimiser_admits_is_allowed_up_to_a_millionth_of_the_largest_parameter(
    difference: float, between: float, largest: float, threshold: float, origin: str
) -> None:
    context = declared(procedure=REMOVAL)
    seen = observed(difference=difference, self_check_difference=between, largest=largest)
    finding = judge(context, seen, {})
    assert (finding.status, finding.threshold) == (Status.INCONCLUSIVE, pytest.approx(threshold, rel=1e-12))
    assert facts(finding) == []
    assert derived(finding).tolerance_from == Message(f"model.reproduced.tolerance.{origin}")
    beyond = judge(context, seen.model_copy(update={"difference": 1.001 * threshold}), {})
    assert beyond.status is Status.FAIL
    assert "auditor canonical" not in basis(beyond.reasons), "another model is not to be rounded, it is not to be released"


def test_what_an_optimiser_admits_depends_on_the_records_that_are_left() -> None:
    fewer = declared(procedure=REMOVAL, case=case_facts(records_left=50))
    assert judge(fewer, observed(), {}).threshold == pytest.approx(8 * 1e-8 / (0.01 * 50))


def test_noisy_steps_on_a_convex_loss_are_allowed_their_rounding() -> None:
    descent = NoisyGd(loss="logistic", l2=0.1, sigma2=1.0, learn_steps=10, unlearn_steps=5)
    rate = 1 / (2 * (0.1 + 0.25))
    finding = judge(declared(procedure=descent), observed(), {})
    assert finding.threshold == pytest.approx(1e-13 * (1 / 0.1) / (rate * 0.1))
    assert derived(finding).tolerance_from == Message("model.reproduced.tolerance.rounding")
    # Where the loss has no constants, two runs alone can tell.
    network = NoisyGd(model="mlp", l2=0.1, sigma2=1.0, learn_steps=10, unlearn_steps=5, rate=0.1)
    unknown = judge(declared(procedure=network), observed(), {})
    assert (unknown.threshold, derived(unknown).tolerance_from) == (0.0, Message("model.reproduced.tolerance.reruns"))


@pytest.mark.parametrize("between", [0.0, 1.0, None])
def test_another_number_of_parameters_is_another_model(between: float | None) -> None:
    finding = judge(declared(), observed(shipped_parameters=5, difference=None, self_check_difference=between), {})
    assert (finding.status, finding.value, facts(finding)) == (Status.FAIL, None, [("release-reproduced", Provenance.REFUTED)])
    assert "these are different models" in basis(finding.reasons)


def test_reruns_with_other_numbers_of_parameters_are_not_deterministic() -> None:
    finding = judge(declared(), observed(self_check_difference=None), {})
    assert (finding.status, finding.threshold, facts(finding)) == (Status.INCONCLUSIVE, 2e-6, [])
    assert (derived(finding).deterministic, derived(finding).bit_identical) == (False, False)
    assert "Two reruns had not even equally many parameters." in basis(finding.reasons)
    assert "not deterministic" in basis(finding.reasons)


def test_a_difference_within_the_tolerance_says_what_it_can_hold_and_how_to_end_it() -> None:
    context = declared(procedure=REMOVAL)
    finding = judge(context, observed(difference=2.0**-35, differing=3, free_bits=17.25), {})
    assert (finding.status, facts(finding), derived(finding).equal) == (Status.INCONCLUSIVE, [], None)
    assert "3 parameters are not those of the rerun in every bit" in basis(finding.reasons)
    assert "a parameter can hold 17.2 bits on average" in basis(finding.reasons)
    # 1024 times what file and rerun differ by.
    assert "auditor canonical model.npz -o OUT --grid 2^-25" in basis(finding.reasons)
    assert '[model] grid = "2^-25"' in basis(finding.reasons)


def test_a_sign_of_zero_is_a_bit_that_differs() -> None:
    finding = judge(declared(), observed(differing=1), {})
    assert (finding.status, finding.value, facts(finding)) == (Status.INCONCLUSIVE, 0.0, [])
    assert "1 parameter is not" in basis(finding.reasons)


def test_equal_parameters_say_nothing_where_two_reruns_differ() -> None:
    finding = judge(declared(), observed(self_check_difference=1e-9, free_bits=8.0), {})
    assert (finding.status, facts(finding)) == (Status.INCONCLUSIVE, [])
    assert "Two reruns differ by 10⁻⁹, which leaves a parameter 8 bits" in basis(finding.reasons)
    assert "--grid 2^-19" in basis(finding.reasons)


def test_a_container_that_holds_more_than_its_array_never_passes() -> None:
    holds = (Message("model.container.metadata", {"bytes": 12}), Message("model.container.padding"))
    finding = judge(declared(), observed(container=holds), {})
    assert (finding.status, facts(finding)) == (Status.INCONCLUSIVE, [])
    assert (derived(finding).canonical, derived(finding).equal) == (False, "bits")
    assert "The file holds more than its array determines: 12 bytes of metadata; padding of another length." in basis(
        finding.reasons
    )
    assert "auditor canonical model.npz -o OUT writes a file without that room; release OUT." in basis(finding.reasons)
    other = judge(declared(), observed(container=holds, difference=1.0), {})
    assert other.status is Status.FAIL
    assert "12 bytes of metadata" in basis(other.reasons)


class TestGrid:
    """The parameters rounded to a declared power of two."""

    def test_the_rounded_rerun_passes_whatever_the_rerun_differs_by(self) -> None:
        seen = observed(difference=4e-7, self_check_difference=5e-8, on_grid=on_grid())
        finding = judge(rounded(), seen, {})
        assert (finding.status, finding.value, facts(finding)) == (
            Status.PASS,
            4e-7,
            [("release-reproduced", Provenance.MEASURED)],
        )
        assert finding.threshold == pytest.approx(2.0**-21 + 5e-8, rel=1e-12)
        assert derived(finding).tolerance_from == Message("model.reproduced.tolerance.grid")
        assert derived(finding).equal == "grid"
        assert "rounded to multiples of 2^-20; the rerun lies next to a midpoint in 0 of them." in basis(finding.reasons)
        assert "rounding moved a parameter by 4 × 10⁻⁷ at most" in sentence(finding.facts[0].evidence)

    def test_a_neighbour_next_to_a_midpoint_passes_and_is_counted(self) -> None:
        seen = observed(difference=5e-7, self_check_difference=5e-8, on_grid=on_grid(neighbours=1, near_midpoints=2))
        finding = judge(rounded(), seen, {})
        assert finding.status is Status.PASS
        assert "next to a midpoint in 2 of them; 1 parameter is the neighbouring multiple." in basis(finding.reasons)

    @pytest.mark.parametrize(("near", "how"), [(0, Provenance.MEASURED), (1, Provenance.ATTESTED), (64, Provenance.ATTESTED)])
    def test_that_it_is_the_rerun_is_measured_only_where_its_author_had_no_choice(self, near: int, how: Provenance) -> None:
        """One bit of choice is enough for what noise does not cover: a guarantee that rests on it is supported at most."""
        seen = observed(
            parameters=1000,
            shipped_parameters=1000,
            difference=5e-7,
            self_check_difference=5e-8,
            on_grid=on_grid(near_midpoints=near),
        )
        finding = judge(rounded(parameters=1000), seen, {})
        assert (finding.status, facts(finding)) == (Status.PASS, [("release-reproduced", how)])
        premises = {name: fact(name, Provenance.COMPUTED, Message("fact.not-examined")) for name in NOISE.needs}
        premises |= {each.name: each for each in finding.facts}
        shown = standing(derive(NOISE, premises)) is ClaimStatus.SHOWN
        assert shown is (how is Provenance.MEASURED)
        assert ("is the controller's word" in sentence(finding.facts[0].evidence)) is (how is Provenance.ATTESTED)

    @pytest.mark.parametrize(("near", "status"), [(64, Status.PASS), (65, Status.INCONCLUSIVE)])
    def test_more_than_64_midpoints_could_hold_a_record(self, near: int, status: Status) -> None:
        seen = observed(
            parameters=1000,
            shipped_parameters=1000,
            difference=5e-7,
            self_check_difference=5e-8,
            on_grid=on_grid(near_midpoints=near),
        )
        finding = judge(rounded(parameters=1000), seen, {})
        assert finding.status is status
        assert ("each of which leaves a free bit" in basis(finding.reasons)) is (status is Status.INCONCLUSIVE)

    @pytest.mark.parametrize(("near", "many"), [(64, False), (65, True)])
    def test_64_midpoints_are_no_fault_of_a_file_that_is_off_the_grid_for_another(self, near: int, many: bool) -> None:
        """The declared grid will do for so many; for more a coarser one is proposed."""
        seen = observed(
            parameters=1000,
            shipped_parameters=1000,
            difference=4e-7,
            self_check_difference=5e-8,
            on_grid=on_grid(elsewhere=1, near_midpoints=near),
        )
        finding = judge(rounded(parameters=1000), seen, {})
        assert finding.status is Status.INCONCLUSIVE
        assert ("model.reproduced.many-midpoints" in {each.code for each in finding.reasons}) is many
        (remedy,) = [each for each in finding.reasons if each.code == "model.reproduced.remedy"]
        # 1024 times what file and rerun differ by is the next power of two above 0.0004096.
        assert remedy.parameters["grid"] == (2.0**-11 if many else 2.0**-20)

    @pytest.mark.parametrize("counts", [{"not_multiples": 1}, {"elsewhere": 1}])
    def test_what_is_not_on_the_grid_does_not_pass(self, counts: dict[str, int]) -> None:
        finding = judge(rounded(), observed(difference=4e-7, on_grid=on_grid(**counts)), {})
        assert (finding.status, facts(finding), derived(finding).equal) == (Status.INCONCLUSIVE, [], None)
        assert "--grid 2^-20" in basis(finding.reasons)

    def test_beyond_half_the_grid_and_the_rerun_difference_it_is_another_model(self) -> None:
        seen = observed(difference=1.01 * 2.0**-21, on_grid=on_grid(elsewhere=1))
        finding = judge(rounded(), seen, {})
        assert (finding.status, facts(finding)) == (Status.FAIL, [("release-reproduced", Provenance.REFUTED)])

    @pytest.mark.parametrize(
        ("grid", "between", "largest", "status"),
        [
            # 16 times the difference of two reruns.
            (2.0**-20, 2.0**-24, 2.0, Status.PASS),
            (2.0**-20, 1.001 * 2.0**-24, 2.0, Status.INCONCLUSIVE),
            # 2^-40 of the largest parameter.
            (2.0**-39, 2.0**-60, 2.0, Status.PASS),
            (2.0**-40, 2.0**-60, 2.0, Status.INCONCLUSIVE),
            # Coarser than the largest parameter: nothing of the model is left.
            (2.0, 2.0**-24, 2.0, Status.PASS),
            (4.0, 2.0**-24, 2.0, Status.INCONCLUSIVE),
        ],
    )
    def test_the_grid_has_its_limits(self, grid: float, between: float, largest: float, status: Status) -> None:
        seen = observed(difference=grid / 2, self_check_difference=between, largest=largest, on_grid=on_grid())
        finding = judge(rounded(grid), seen, {})
        assert finding.status is status
        assert derived(finding).least_grid == max(16 * between, 2.0**-40 * largest)
        named = "too fine" in basis(finding.reasons) or "coarser than the largest" in basis(finding.reasons)
        assert named is (status is Status.INCONCLUSIVE)

    def test_equal_bits_need_no_grid(self) -> None:
        finding = judge(rounded(), observed(on_grid=on_grid(not_multiples=4)), {})
        assert (finding.status, derived(finding).equal) == (Status.PASS, "bits")


class TestOwnClasses:
    """The file of a class of the controller's own is tied to what predicts."""

    def test_a_file_that_makes_the_very_model_by_itself_passes(self) -> None:
        finding = judge(owned(), observed(loaded=loaded()), {})
        assert (finding.status, facts(finding)) == (Status.PASS, [("release-reproduced", Provenance.MEASURED)])

    @pytest.mark.parametrize(
        ("tie", "words"),
        [
            (None, "no save() and no load()"),
            (loaded(lacking=("load",), differing=None, moved=None, largest=None), "no load()"),
            (loaded(lacking=("save",), saved=None), "no save()"),
            (loaded(saved="other"), "holds other parameters than the file"),
            (loaded(saved="unreadable"), "no file with the one array"),
            (loaded(ended="refused", differing=None, moved=None, largest=None), "load() refused the file"),
            (loaded(ended="failed", differing=None, moved=None, largest=None), "could not be asked for parameters"),
            (loaded(differing=2), "2 parameters are not those of the file"),
            (loaded(differing=None), "another number of parameters"),
            (loaded(moved=1e-12), "predicts otherwise"),
            (loaded(moved=None), "was not compared"),
        ],
    )
    def test_without_the_tie_it_stays_open(self, tie: Loaded | None, words: str) -> None:
        finding = judge(owned(), observed(loaded=tie), {})
        assert (finding.status, facts(finding)) == (Status.INCONCLUSIVE, [])
        assert words in basis(finding.reasons)

    @pytest.mark.parametrize(("moved", "status"), [(1e-3, Status.PASS), (1.001e-3, Status.INCONCLUSIVE)])
    def test_rounding_may_move_a_prediction_by_a_thousandth(self, moved: float, status: Status) -> None:
        seen = observed(difference=4e-7, on_grid=on_grid(), loaded=loaded(moved=moved))
        assert judge(owned(grid=2.0**-20), seen, {}).status is status

    def test_code_of_the_auditors_own_needs_no_tie(self) -> None:
        assert judge(declared(), observed(), {}).status is Status.PASS


@pytest.mark.parametrize(
    "changes",
    [
        {"differing": 5},
        {"difference": 1e-9, "differing": 0},
        {"free_bits": None},
        {"differing": None},
        {"on_grid": {"not_multiples": 0, "elsewhere": 0, "neighbours": 2, "near_midpoints": 1}},
    ],
)
def test_observations_that_contradict_one_another_are_refused(changes: dict[str, Any]) -> None:
    with pytest.raises(ValidationError):
        observed(**changes)


@pytest.mark.parametrize(("batch", "said"), [(0, "before every erasure of the log"), (1, "after 1 of the log's 2")])
def test_a_file_that_is_an_earlier_model_fails_as_any_other_and_says_which_it_is(batch: int, said: str) -> None:
    context = declared(log=log_facts(batches=2))
    other = judge(context, observed(difference=0.5), {})
    named = judge(context, observed(difference=0.5, earlier={"batch": batch, "difference": 0.0}), {})
    assert (named.status, named.value, named.facts) == (Status.FAIL, other.value, other.facts)
    assert said in basis(named.reasons)
    assert "earlier model" not in basis(other.reasons)


def test_what_is_only_nearer_to_an_earlier_model_is_not_called_one() -> None:
    context = declared(log=log_facts(batches=2))
    for earlier in ({"batch": 0, "difference": 1e-9}, {"batch": 2, "difference": 0.0}):
        assert "earlier model" not in basis(judge(context, observed(difference=0.5, earlier=earlier), {}).reasons)
    within = observed(difference=1e-9, self_check_difference=1e-9, earlier={"batch": 0, "difference": 0.0})
    assert judge(context, within, {}).status is Status.INCONCLUSIVE
    assert "earlier model" not in basis(judge(context, within, {}).reasons)
    with pytest.raises(ValidationError, match="nearer to it than to the last one"):
        observed(difference=0.5, earlier={"batch": 0, "difference": 0.5})
