"""Tables of answers in the place of a procedure: what they refute, what they leave open, and what is no table of answers."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import numpy as np
import pytest
from scipy.stats import beta, binom

from auditor import case as cases
from auditor.api import Audit, check
from auditor.api import letter as write_letter
from auditor.base.domain import Status
from auditor.base.errors import InputError
from auditor.cli import run
from auditor.parts.usefulness.judging.answers import (
    Accepted,
    InferenceObserved,
    MembershipObserved,
    judge_inference,
    judge_membership,
)
from auditor.parts.usefulness.observing.answers import _accepted, observe
from auditor.settings.tables import InferenceTable, Policy, SwapTable
from auditor.verdict.checks.finding import Finding
from auditor.verdict.checks.levels import share
from judging import audit_facts, declared

CASE: Final = """\
[case]
name = "answered"
controller = "Example"
contact = "privacy@answers.example"
authority = "An authority"

[data]
train = "train.csv"
holdout = "holdout.csv"
task = "classification"

[deletions]
log = "deletions.jsonl"

[answers]
after = "after.csv"
before = "before.csv"
retrained = "retrained.csv"

[claims]
attested = ["answers-genuine", "log-complete", "preprocessing-clean"]
attested_by = "Kim Example"
attested_at = 2026-02-01
"""
TRAIN, HOLDOUT, DELETED = 1400, 1200, 600


class Made:
    """A case of answers whose models are drawn: what a model holds it is surer of by `known`."""

    def __init__(self, folder: Path, *, seed: int = 0, known: float = 3.0, deleted: int = DELETED) -> None:
        self.folder, self.rng = folder, np.random.default_rng(seed)
        self.ids = [f"t{at}" for at in range(TRAIN)] + [f"h{at}" for at in range(HOLDOUT)]
        self.labels = self.rng.integers(2, size=len(self.ids))
        self.hard = self.rng.normal(1.0, 1.0, size=len(self.ids))
        self.known, self.deleted = known, np.arange(len(self.ids)) < deleted
        self.trained = np.arange(len(self.ids)) < TRAIN

    def model(self, holds: Any) -> Any:
        """Probabilities of the label 1."""
        sure = self.hard + self.known * holds + self.rng.normal(0, 0.5, size=len(self.ids))
        right = 1 / (1 + np.exp(-sure))
        return np.where(self.labels == 1, right, 1 - right)

    def write(self, **tables: Any) -> Path:
        """Write the case; tables of probabilities by key, those that are None left out."""
        self.folder.mkdir(exist_ok=True)
        for name, first, last in (("train", 0, TRAIN), ("holdout", TRAIN, len(self.ids))):
            rows = [[self.ids[at], self.hard[at], self.labels[at]] for at in range(first, last)]
            self._csv(f"{name}.csv", [["id", "x", "label"], *rows])
        text = CASE
        for key in ("after", "before", "retrained"):
            if tables.get(key) is None:
                text = text.replace(f'{key} = "{key}.csv"\n', "")
            else:
                rows = [[name, repr(1 - one), repr(one)] for name, one in zip(self.ids, tables[key].tolist(), strict=True)]
                self._csv(f"{key}.csv", [["id", "0", "1"], *rows])
        log = [
            {"request_id": f"R{at}", "record_ids": [self.ids[at]], "received_at": "2026-01-03T10:00:00Z"}
            | {"executed_at": "2026-01-09T10:00:00Z", "batch": "one"}
            for at in np.flatnonzero(self.deleted).tolist()
        ]
        (self.folder / "deletions.jsonl").write_text("".join(json.dumps(row) + "\n" for row in log), encoding="utf-8")
        (self.folder / "audit.toml").write_text(text, encoding="utf-8")
        return self.folder

    def _csv(self, name: str, rows: list[list[Any]]) -> None:
        with (self.folder / name).open("w", encoding="utf-8", newline="") as file:
            csv.writer(file).writerows(rows)

    def honest(self) -> dict[str, Any]:
        kept = self.trained & ~self.deleted
        return {"after": self.model(kept), "before": self.model(self.trained), "retrained": self.model(kept)}


def found(audit: Audit, check_id: str = "answers.membership") -> Any:
    return audit.check(check_id)


def test_what_was_forgotten_is_not_refuted_and_everything_else_is_skipped(tmp_path: Path) -> None:
    audit = check(_wide(Made(tmp_path / "case", deleted=100)))
    assert found(audit).status.value == "inconclusive"
    assert "Nothing was rerun" in found(audit).basis
    assert not audit.evidence.examined.procedure
    assert not audit.evidence.examined.model
    statuses = {each.id: each.status.value for each in audit.checks}
    assert {statuses[name] for name in ("release.exact", "swap.quality", "data.erased", "model.reproduced")} == {"skipped"}
    assert statuses["log.consistency"] == "pass"


def _wide(made: Made) -> Path:
    """Honest answers under a policy that so few records can decide."""
    folder = made.write(**made.honest())
    declared = folder / "audit.toml"
    declared.write_text(declared.read_text(encoding="utf-8") + "\n[policy]\nmin_quality = 0.8\n", encoding="utf-8")
    return folder


def test_honest_answers_pass_with_strength_d_and_only_with_the_word(tmp_path: Path) -> None:
    folder = _wide(Made(tmp_path / "case"))
    audit = check(folder)
    assert found(audit).status.value == "pass", found(audit).basis
    assert audit.passed
    assert audit.strength is not None
    assert audit.strength.value == "D"
    assert "answers-genuine" in audit.sentence
    declared = folder / "audit.toml"
    text = declared.read_text(encoding="utf-8")
    declared.write_text(text[: text.index("[claims]")] + "\n[policy]\nmin_quality = 0.8\n", encoding="utf-8")
    silent = check(folder)
    assert found(silent).status.value == "pass"
    assert silent.verdict.value == "inconclusive"
    assert "answers that the controller wrote down cannot pass by themselves" in silent.sentence.lower()


def test_a_model_that_still_holds_deleted_records_fails(tmp_path: Path) -> None:
    made = Made(tmp_path / "case")
    audit = check(made.write(**{**made.honest(), "after": made.model(made.trained)}))
    assert found(audit).status.value == "fail"
    assert audit.verdict.value == "fail"
    assert "Retrain" in audit.explain("answers.membership") or "Train again" in audit.explain("answers.membership")


def test_answers_of_the_model_before_fail(tmp_path: Path) -> None:
    made = Made(tmp_path / "case")
    tables = made.honest()
    audit = check(made.write(**{**tables, "after": tables["before"]}))
    assert found(audit).status.value == "fail"
    assert "nothing was unlearned" in found(audit).basis


FOOLING: Final[dict[str, Callable[[Made, dict[str, Any]], dict[str, Any]]]] = {
    # One answer for everybody shows nothing, whatever the model holds.
    "constant": lambda made, tables: dict.fromkeys(tables, np.full(len(made.ids), 0.5)),
    "constant after": lambda made, tables: {**tables, "after": np.full(len(made.ids), 0.5)},
    # A rule that was never tried on a record that a model holds has shown nothing.
    "no before": lambda made, tables: {**tables, "before": None},
    "before holds nothing": lambda made, tables: {**tables, "before": tables["retrained"]},
}


@pytest.mark.parametrize("name", list(FOOLING))
def test_tables_that_show_nothing_do_not_pass(tmp_path: Path, name: str) -> None:
    made = Made(tmp_path / "case")
    folder = made.write(**FOOLING[name](made, made.honest()))
    declared = folder / "audit.toml"
    declared.write_text(declared.read_text(encoding="utf-8") + "\n[policy]\nmin_quality = 0.8\n", encoding="utf-8")
    assert found(check(folder)).status.value != "pass"


def test_answers_of_others_in_the_place_of_deleted_records_do_not_pass(tmp_path: Path) -> None:
    made = Made(tmp_path / "case")
    tables = made.honest()
    after = made.model(made.trained)
    # Each deleted record gets the answer of a holdout record of its label, a model that holds everything in front of it or not.
    for label in (0, 1):
        gone, unseen = (np.flatnonzero(which & (made.labels == label)) for which in (made.deleted, ~made.trained))
        after[gone] = after[np.resize(unseen, len(gone))]
    folder = made.write(**{**tables, "after": after})
    declared = folder / "audit.toml"
    declared.write_text(declared.read_text(encoding="utf-8") + "\n[policy]\nmin_quality = 0.8\n", encoding="utf-8")
    audit = check(folder)
    assert found(audit).status.value == "inconclusive", found(audit).basis
    assert "may have been put in their place" in found(audit).basis
    assert not audit.passed


def test_a_copy_of_the_retrained_answers_is_said_to_be_one(tmp_path: Path) -> None:
    made = Made(tmp_path / "case")
    tables = made.honest()
    audit = check(made.write(**{**tables, "after": tables["retrained"]}))
    assert "what a copied table gives" in found(audit).basis
    assert audit.evidence.strength is None or audit.evidence.strength.value in {"D", "E"}


def test_after_alone_refutes_nothing(tmp_path: Path) -> None:
    """Deleted records may just be easier: only a retrained model would tell."""
    made = Made(tmp_path / "case")
    made.hard = made.hard + 3.0 * made.deleted
    audit = check(made.write(after=made.model(made.trained & ~made.deleted)))
    assert found(audit).status.value == "inconclusive"
    assert "only answers of a retrained model would tell" in found(audit).basis
    compared = check(made.write(**{**made.honest(), "before": None}))
    assert found(compared).status.value != "fail", "less what a retrained model gives, they are as others"


def test_on_null_data_failures_are_as_rare_as_said(tmp_path: Path) -> None:
    """Honest models of easy and of hard deleted records; the interval of 95 % may be wrong in so many of them."""
    from auditor.case.answers import Given, read  # noqa: PLC0415
    from auditor.case.files import read_source  # noqa: PLC0415

    made = Made(tmp_path / "case", deleted=60)
    folder = made.write(**made.honest())
    case, audit = cases.read(folder), check(folder, only="log.consistency")
    from auditor.verdict.checks.context import context_of  # noqa: PLC0415

    told = audit.evidence
    context = context_of(
        audit=told.audit, case=told.case, procedure=told.procedure, policy=told.policy, sizes=told.sizes,
        environment=told.environment, deletion_log=told.deletion_log, requests=told.requests,
    )  # fmt: skip
    deleted = np.arange(60)
    failed, runs = 0, 40
    for number in range(runs):
        made.rng = np.random.default_rng(number)
        made.write(**made.honest())
        tables = [
            read(read_source(folder / f"{key}.csv", f"{key}.csv"), "id", case.train, case.holdout, deleted)  # type: ignore[arg-type]
            for key in ("after", "before", "retrained")
        ]
        seen = observe(case, Given(*tables), seed=number)["answers.membership"]
        assert isinstance(seen, MembershipObserved)
        failed += judge_membership(context, seen, {}).status.value == "fail"
    assert failed <= binom.ppf(0.999, runs, 0.05)


def test_deletion_inference_decides_where_the_policy_asks(tmp_path: Path) -> None:
    made = Made(tmp_path / "case")
    folder = made.write(**made.honest())
    assert found(check(folder), "answers.inference").status.value == "skipped"
    declared = folder / "audit.toml"
    declared.write_text(declared.read_text(encoding="utf-8") + "\n[policy]\nmax_inference = 0.6\n", encoding="utf-8")
    inferred = found(check(folder), "answers.inference")
    assert inferred.status.value == "fail"
    assert inferred.value is not None
    assert inferred.value > 0.9


def test_what_is_no_table_of_answers_is_said_at_once(tmp_path: Path) -> None:
    made = Made(tmp_path / "case")
    folder = made.write(**made.honest())
    rows = (folder / "after.csv").read_text(encoding="utf-8").splitlines()
    changed = [rows[0], "t0,0.5,0.6", "t1,nan,0.5", "t2,1.5,-0.5", *rows[5:], rows[9], "stranger,0.5,0.5"]
    (folder / "after.csv").write_text("\n".join(changed) + "\n", encoding="utf-8")
    with pytest.raises(InputError) as raised:
        cases.read(folder)
    said = str(raised.value)
    for part in (
        'after.csv: expected each record once, found twice "t8"',
        'expected probabilities from 0 to 1 that sum to 1, found others for "t0", "t1", "t2"',
        'expected ids of records of [data] train or holdout, found "stranger"',
        'expected an answer about every deleted record, found none about "t3"',
    ):
        assert part in said, said


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ('holdout = "holdout.csv"\n', "", "data.holdout: expected a table of records that the model never saw"),
        ('task = "classification"', 'task = "regression"', "answers: expected a classification"),
        ("[answers]", '[procedure]\nuse = "sklearn"\n\n[answers]', "procedure: expected no such table: with [answers]"),
        ("[answers]", '[model]\npath = "m.npz"\n\n[answers]', "model: expected no such table: with [answers]"),
        ('after = "after.csv"', 'after = "none.csv"', "answers.after"),
        ('after = "after.csv"\n', "", "answers.after"),
        ('after = "after.csv"', 'after = "audit.toml"', "a table of answers ending in .csv, .parquet or .npz"),
    ],
)
def test_a_case_of_answers_that_is_none_is_refused(tmp_path: Path, old: str, new: str, said: str) -> None:
    made = Made(tmp_path / "case", deleted=20)
    folder = made.write(**made.honest())
    declared = folder / "audit.toml"
    declared.write_text(declared.read_text(encoding="utf-8").replace(old, new), encoding="utf-8")
    with pytest.raises(InputError) as raised:
        cases.read(folder)
    assert said in str(raised.value), raised.value


def test_arrays_and_parquet_are_read_alike(tmp_path: Path) -> None:
    import pandas as pd  # noqa: PLC0415

    made = Made(tmp_path / "case", deleted=30)
    folder = made.write(**made.honest())
    frame = pd.read_csv(folder / "after.csv", dtype={"id": str})
    frame.to_parquet(folder / "after.parquet")
    np.savez(folder / "after.npz", ids=frame["id"].to_numpy().astype(str), answers=frame[["0", "1"]].to_numpy())
    first = cases.read(folder).answers
    declared = folder / "audit.toml"
    text = declared.read_text(encoding="utf-8")
    for name in ("after.parquet", "after.npz"):
        declared.write_text(text.replace("after.csv", name), encoding="utf-8")
        other = cases.read(folder).answers
        assert first is not None
        assert other is not None
        assert np.array_equal(first.after.of_train, other.after.of_train)
        assert np.array_equal(first.after.holdout, other.after.holdout)


@pytest.mark.usefixtures("unprinted")
def test_the_command_line_does_all_that_it_does_for_others(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    made = Made(tmp_path / "case", deleted=30)
    folder = made.write(**made.honest())
    assert run(["validate", str(folder)]) == 0
    said = capsys.readouterr().out
    assert "answers alone: nothing is rerun" in said
    assert "seed" not in said
    assert run(["check", str(folder), "--quiet"]) == 3
    evidence = folder / "audit" / "evidence.json"
    assert run(["verify", str(evidence)]) == 0
    page = (folder / "audit" / "report.html").read_text(encoding="utf-8")
    assert "Nothing was rerun" in page
    assert "Run again and tested" not in page
    assert write_letter(evidence, "R1").startswith(b"%PDF")
    changed = json.loads(evidence.read_text(encoding="utf-8"))
    membership = next(each for each in changed["checks"] if each["id"] == "answers.membership")
    membership["observed"]["accepted"]["difference"]["deleted"] = 0
    evidence.write_text(json.dumps(changed), encoding="utf-8")
    assert run(["verify", str(evidence)]) == 1


def test_other_documents_list_no_check_of_answers(tmp_path: Path) -> None:
    import small_cases  # noqa: PLC0415

    small_cases.write(tmp_path, *small_cases.problem())
    listed = {each.id for each in check(tmp_path, only="log.consistency").checks}
    assert not {name for name in listed if name.startswith("answers.")}


# The judgement alone, at its boundaries

MANY: Final = 600
TOLERATED: Final = 0.2


def counted(*, deleted: int = 300, known: int = 580, score: str = "difference", **changes: Any) -> MembershipObserved:
    """Rules that accept half of the unseen records, half of the deleted ones, and most of those that a model holds."""
    usual = Accepted(deleted=300, unseen=300, known=580, asked_known=MANY)
    accepted = {"confidence": usual, "difference": usual, score: usual.model_copy(update={"deleted": deleted, "known": known})}
    return MembershipObserved(**{"deleted": MANY, "unseen": MANY, "accepted": accepted, "others": 3000, **changes})


def judged(observed: MembershipObserved, *, confidence: float = 0.95, quick: bool = False) -> Finding:
    policy, swap = Policy(min_quality=1 - TOLERATED), SwapTable(confidence=confidence)
    return judge_membership(declared(policy=policy, swap=swap, audit=audit_facts(quick=quick)), observed, {})


def difference(first: int, second: int, *, confidence: float) -> tuple[float, float]:
    """Of two shares of so many: Clopper-Pearson for either, with half of the error."""

    def ends(count: int) -> tuple[float, float]:
        tail = (1 - confidence) / 4
        low = 0.0 if count == 0 else beta.ppf(tail, count, MANY - count + 1)
        return low, 1.0 if count == MANY else beta.ppf(1 - tail, count + 1, MANY - count)

    (one_low, one_high), (other_low, other_high) = ends(first), ends(second)
    return one_low - other_high, one_high - other_low


def fewest(beyond: Callable[[int], bool]) -> int:
    return next(count for count in range(MANY + 1) if beyond(count))


EACH: Final = 0.975
"""The confidence of each of two scores."""


def test_what_the_policy_tolerates_is_beyond_for_certain_within_for_certain_or_open() -> None:
    fails = fewest(lambda count: difference(count, 300, confidence=1 - 2 * share("answers"))[0] > TOLERATED)
    opens = fewest(lambda count: difference(count, 300, confidence=EACH)[1] > TOLERATED)
    assert 300 < opens < fails
    assert [judged(counted(deleted=count)).status for count in (opens - 1, opens, fails - 1, fails)] == [
        Status.PASS,
        Status.INCONCLUSIVE,
        Status.INCONCLUSIVE,
        Status.FAIL,
    ]
    # Deleted records may just be easier: by confidence alone nothing fails, and nothing passes.
    assert judged(counted(deleted=fails, score="confidence")).status is Status.INCONCLUSIVE
    # Less accepted than unseen records stands out as well.
    assert judged(counted(deleted=600 - opens + 1)).status is Status.PASS
    assert judged(counted(deleted=600 - opens)).status is Status.INCONCLUSIVE


@pytest.mark.parametrize("score", ["confidence", "difference"])
def test_a_rule_that_does_not_see_what_a_model_holds_lets_nothing_pass(score: str) -> None:
    sees = fewest(lambda count: difference(count, 300, confidence=EACH)[0] > TOLERATED)
    assert judged(counted(known=sees, score=score)).status is Status.PASS
    blind = judged(counted(known=sees - 1, score=score))
    assert blind.status is Status.INCONCLUSIVE
    assert [each.parameters["score"] for each in blind.reasons if each.code == "answers.blind"] == [score]


@pytest.mark.parametrize(("declared_confidence", "used"), [(0.95, 0.975), (0.99, 0.975), (0.9, 0.95)])
def test_two_scores_share_the_error_and_no_policy_makes_it_smaller(declared_confidence: float, used: float) -> None:
    """A confidence above the default would turn failures into open questions."""
    interval = judged(counted(deleted=330), confidence=declared_confidence).interval
    assert interval is not None
    low, high = difference(330, 300, confidence=used)
    assert interval.low == pytest.approx(1 - max(-low, high))
    # What fails a model has a level of its own, whatever is declared.
    fails = fewest(lambda count: difference(count, 300, confidence=1 - 2 * share("answers"))[0] > TOLERATED)
    assert judged(counted(deleted=fails), confidence=declared_confidence).status is Status.FAIL
    assert judged(counted(deleted=fails - 1), confidence=declared_confidence).status is Status.INCONCLUSIVE


def test_a_quick_run_and_answers_from_before_never_pass() -> None:
    assert judged(counted(), quick=True).status is Status.INCONCLUSIVE
    assert judged(counted(deleted=MANY), quick=True).status is Status.INCONCLUSIVE
    before = judged(counted(as_before=True))
    assert (before.status, before.value) == (Status.FAIL, 0.0)


def test_answers_that_others_have_too_are_copies_at_a_level_of_one_in_a_hundred() -> None:
    """Fisher's exact test: one of one against none of 99 has p = 1/100, and against none of 98 more."""

    def codes(observed: MembershipObserved) -> set[str]:
        return {each.code for each in judged(observed).reasons}

    one = Accepted(deleted=0, unseen=300, known=580, asked_known=MANY)
    single = MembershipObserved(deleted=1, unseen=MANY, accepted={"confidence": one}, copied=1, others=99)
    assert "answers.copied" in codes(single)
    assert "answers.copied" not in codes(single.model_copy(update={"others": 98}))
    # Against 35 of 3000, 15 of 600 have p = 0.0133, and 16 have 0.0067.
    statuses = [judged(counted(copied=count, copied_others=35)).status for count in (0, 15, 16)]
    assert statuses == [Status.PASS, Status.PASS, Status.INCONCLUSIVE]


@pytest.mark.parametrize("confidence", [0.95, 0.99])
def test_couples_are_held_against_the_policy_with_exact_limits(confidence: float) -> None:
    def inferred(right: int, ties: int = 0, most: float | None = 0.6) -> Finding:
        context = declared(policy=Policy(max_inference=most), inference=InferenceTable(confidence=confidence))
        return judge_inference(context, InferenceObserved(couples=200, right=right, ties=ties), {})

    opens = next(count for count in range(200) if beta.ppf(0.975, count + 1, 200 - count) > 0.6)
    fails = next(count for count in range(1, 201) if beta.ppf(share("answers-inference"), count, 201 - count) > 0.6)
    assert [inferred(count).status for count in (opens - 1, opens, fails - 1, fails)] == [
        Status.PASS,
        Status.INCONCLUSIVE,
        Status.INCONCLUSIVE,
        Status.FAIL,
    ]
    # A tie may be either: the upper end counts it, the lower does not.
    assert inferred(opens - 2, ties=1).status is Status.PASS
    assert inferred(opens - 2, ties=2).status is Status.INCONCLUSIVE
    assert inferred(fails, ties=200 - fails).status is Status.FAIL
    assert inferred(fails - 1, ties=201 - fails).status is Status.INCONCLUSIVE
    assert inferred(fails, most=None).status is Status.SKIPPED


@pytest.mark.parametrize(("deleted", "holdout", "counted_at_all"), [(5, 10, True), (4, 10, False), (5, 9, False), (5, 11, True)])
def test_five_deleted_records_and_five_of_either_half_of_the_holdout_are_the_fewest(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, deleted: int, holdout: int, counted_at_all: bool
) -> None:
    monkeypatch.setattr(f"{__name__}.HOLDOUT", holdout)
    monkeypatch.setattr(f"{__name__}.TRAIN", 30)
    made = Made(tmp_path / "case", deleted=deleted)
    case = cases.read(made.write(**made.honest()))
    assert case.answers is not None
    seen = observe(case, case.answers, seed=0)["answers.membership"]
    assert isinstance(seen, MembershipObserved)
    assert (seen.deleted, set(seen.accepted)) == (deleted, {"confidence", "difference"} if counted_at_all else set())


def test_a_rule_accepts_what_lies_above_the_median_of_the_half_that_it_is_fitted_on() -> None:
    """Of two medians the higher; a record that equals it is not accepted."""
    fitted, tried = np.arange(10), np.arange(10, 15)
    unseen = np.array([*range(10), 4.5, 5.0, 5.5, 6.0, 0.0])
    found = _accepted(np.array([4.9, 5.0, 5.1]), np.array([5.0, 9.0]), unseen, fitted, tried)
    assert found == Accepted(deleted=1, unseen=2, known=1, asked_known=2)
