"""What an audit saw beside what decides: informative checks against their natural thresholds, and models left alone."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import pytest

from auditor.document.evidence import Evidence
from auditor.pages.words.informative_findings import Met, Notice, informative, noticed
from rechecks import check, document


def told(change: Callable[[dict[str, Any]], object] | None = None, name: str = "digits-retrain") -> dict[str, Notice]:
    """What is noticed in an evidence document of ours after a change, by message."""
    value = document(name)
    if change is not None:
        change(value)
    return {each.message: each for each in noticed(Evidence.model_validate(value))}


def holding(check_id: str, **changes: Any) -> Callable[[dict[str, Any]], object]:
    return lambda value: check(value, check_id).update(changes)


def not_required(found: dict[str, Any], check_id: str, **changes: Any) -> None:
    found["policy"]["required"] = [each for each in found["policy"]["required"] if each != check_id]
    check(found, check_id).update(changes)


def test_a_whole_set_adversary_beyond_guessing_is_noticed_with_its_limits() -> None:
    found = told(holding("swap.strong", status="skipped", value=0.75, interval=[0.5149, 0.9101], threshold=0.5))
    assert found["noticed-whole-set"].sentence == (
        "An attacker who knows the whole deleted set picked it out of two in 75 % of the tries (between 51.4 and 91.1). Guessing "
        "gives 50 %."
    )
    within = Evidence.model_validate(changed_strong([0.49, 0.9]))
    assert informative(within)["swap.strong"] is Met.MET


def changed_strong(interval: list[float]) -> dict[str, Any]:
    value = document("digits-retrain")
    check(value, "swap.strong").update(status="skipped", value=0.7, interval=interval, threshold=0.5)
    return value


@pytest.mark.parametrize(
    ("interval", "message"),
    [([0.79, 0.85], "noticed-accuracy"), ([0.04, 0.2], "noticed-accuracy-open"), ([-0.02, 0.05], None)],
)
def test_a_model_that_lost_its_accuracy_is_noticed_by_the_interval(interval: list[float], message: str | None) -> None:
    derived = check(document("digits-retrain"), "utility.accuracy")["derived"] | {"unlearned": 0.09, "retrained": 0.915}
    change = functools.partial(
        not_required, check_id="utility.accuracy", status="skipped", value=0.1, interval=interval, derived=derived
    )
    found = {each for each in told(change) if each.startswith("noticed-accuracy")}
    assert found == ({message} if message else set())


def test_a_useless_model_of_a_sample_does_not_pass_without_a_word() -> None:
    assert told(name="fixed-output")["noticed-accuracy"].sentence == (
        "The model is right on 9 of 100 test records. A model retrained from scratch is right on 91.5."
    )


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("digits-cheater", "noticed-left-alone"),
        ("digits-mlp-none", "noticed-does-not-unlearn"),
        ("digits-newton", "noticed-attack-blind"),
    ],
)
def test_samples_say_what_they_show_beside_the_verdict(name: str, message: str) -> None:
    assert message in told(name=name)


def test_private_training_is_read_off_its_curve_and_not_off_its_epsilon_alone() -> None:
    """Noise 2 has ε = 2.85 and leaves 62.7 right guesses; noise 0.5 leaves 97.4."""

    def noisier(value: dict[str, Any]) -> None:
        derived = check(value, "training.privacy")["derived"]
        derived.update(noise_multiplier=0.5, epsilon=37.0, for_a_person={"epsilon": 37.0, "delta": 1e-5})

    assert "noticed-private-training" not in told(name="digits-mlp-dp")
    said = told(noisier, name="digits-mlp-dp")["noticed-private-training"].sentence
    assert "allows up to 97.4 right guesses out of 100" in said


def test_an_exact_retraining_has_nothing_to_add() -> None:
    assert told() == {}


def test_rows_of_a_store_that_nothing_was_compared_with_are_noticed() -> None:
    def of_strangers(value: dict[str, Any]) -> None:
        (store, *_) = [each for each in check(value, "data.erased")["observed"]["kept"] if each["kind"] == "store"]
        store.update(strangers=12, changed=1)

    found = told(of_strangers)
    assert [each.met for each in found.values()] == [Met.NOT_KNOWN, Met.NOT_KNOWN]
    assert found["noticed-strangers"].sentence == (
        "Rows of the data store of people who are not in the training data: 12. Nobody examined what they hold."
    )
    assert "with other values than in training: 1." in found["noticed-changed"].sentence


@pytest.mark.parametrize(("status", "message"), [("fail", "noticed-failed"), ("inconclusive", "noticed-open"), ("pass", None)])
def test_a_check_that_is_not_required_is_noticed_where_it_did_not_pass(status: str, message: str | None) -> None:
    found = told(functools.partial(not_required, check_id="data.erased", status=status))
    assert set(found) == ({message} if message else set())


def test_what_was_not_met_stands_first() -> None:
    found = [each.met for each in told(name="digits-mlp-dp").values()]
    assert found == sorted(found, key=[Met.NOT_MET, Met.NOT_KNOWN].index)
    assert Met.NOT_KNOWN in found


def of_california(confirmed: str | None) -> Callable[[dict[str, Any]], object]:
    """The first request is one of California's, received on 4 May 2026."""

    def change(value: dict[str, Any]) -> None:
        value["requests"][0] |= {"regime": "ccpa", "received_on": "2026-05-04"}
        if confirmed is not None:
            value["requests"][0]["confirmed_at"] = f"{confirmed}T10:00:00-07:00"

    return change


@pytest.mark.parametrize(
    ("confirmed", "message"),
    [("2026-05-18", None), ("2026-05-19", "noticed-confirmed-late"), (None, "noticed-confirmed-unknown")],
)
def test_a_receipt_that_was_confirmed_late_is_noticed(confirmed: str | None, message: str | None) -> None:
    found = told(of_california(confirmed))
    assert {each for each in found if each.startswith("noticed-confirmed")} == ({message} if message else set())
    if message is not None:
        assert "one request was" in found[message].sentence


def test_a_receipt_that_the_log_contradicts_is_noticed() -> None:
    def change(notified: str) -> Callable[[dict[str, Any]], object]:
        def changed(value: dict[str, Any]) -> None:
            first = value["requests"][0]
            first["recipients_notified"] = [{"name": "Mailer", "notified": True, "notified_at": f"{notified}T10:00:00+00:00"}]
            value["receipts"] = [
                {
                    "processor": "Mailer",
                    "what": "erased",
                    "file": "r.txt",
                    "sha256": "0" * 64,
                    "at": "2026-09-05",
                    "requests": [first["request_id"]],
                }
            ]

        return changed

    assert "noticed-receipts" not in told(change("2026-09-05"))
    assert "one request a processor’s receipt contradicts" in told(change("2026-09-06"))["noticed-receipts"].sentence


def test_a_day_of_backups_that_is_too_early_for_somebody_is_noticed() -> None:
    def change(until: str) -> Callable[[dict[str, Any]], object]:
        def changed(value: dict[str, Any]) -> None:
            value["outside"] = [
                {"name": "backups", "what": "Nightly copies, kept for 30 days", "until": until, "declared_by": "Sam Example"}
            ]

        return changed

    last = max(each["deleted_at"] for each in document("digits-retrain")["requests"] if each["deleted_at"])
    assert last < "2026-12"
    assert "noticed-outside-short" not in told(change("2027-12-31"))
    assert "too early for" in told(change("2025-01-31"))["noticed-outside-short"].sentence
