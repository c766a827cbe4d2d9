"""Checks on the rerun itself: `model.reproduced`, `utility.accuracy`, `cost.speedup`."""

from __future__ import annotations

import numpy as np

from auditor.case import Case
from auditor.case.certified import CertifiedRemoval
from auditor.case.noisy_gd import NoisyGd
from auditor.certificates.losses import rounding_spread
from auditor.checks.deletion.declared import read
from auditor.checks.findings import TITLES, Findings, finite, skipped
from auditor.checks.replay import Replay
from auditor.decisions import decide_at_least, decide_at_most
from auditor.domain import Check, Fact, Floats, How, Status
from auditor.guarantees import fact
from auditor.statistics import paired_difference

CONFIDENCE = 0.95
LARGEST_RELATIVE_TOLERANCE = 1e-6
"""No tolerance may exceed this times the largest absolute parameter: neither chance nor a coarse optimiser excuses a model."""


def judge(case: Case, replay: Replay) -> Findings:
    """Judge what the rerun gave against the shipped model, retraining and the clock."""
    reproduced, facts = _reproduced(case, replay)
    return Findings((reproduced, _accuracy(case, replay), _speedup(case, replay)), facts=facts)


def _reproduced(case: Case, replay: Replay) -> tuple[Check, tuple[Fact, ...]]:
    if case.shipped is None:
        reason = "[model] was left out: the audit speaks of the procedure alone."
        return skipped("model.reproduced", reason), (
            fact(
                "release-reproduced",
                How.ATTESTED,
                "the controller's word; [model] was left out, so nobody looked at what is released",
            ),
        )
    if replay.trajectory is None or replay.self_check_difference is None:
        reason = "The procedure offers no parameters(), so nothing says that the model file is what it gives."
        return Check("model.reproduced", TITLES["model.reproduced"], Status.INCONCLUSIVE, None, None, None, reason), ()
    final = replay.trajectory[-1]
    tolerance, origin = _tolerance(case, replay, final)
    deterministic = replay.self_check_difference <= tolerance
    difference = float(np.max(np.abs(case.shipped - final))) if case.shipped.shape == final.shape else None
    status = decide_at_most(difference, tolerance)
    basis = (
        f"The log was replayed; the shipped file and the rerun hold {case.shipped.size} and {final.size} parameters. "
        f"Two reruns differed by {replay.self_check_difference:.3g} at most."
    )
    if difference is None:
        status, basis = Status.FAIL, basis + " The numbers of parameters differ, so these are different models."
    elif not deterministic:
        status, basis = Status.INCONCLUSIVE, basis + " The procedure is not deterministic, so equality cannot be expected."
    check = Check(
        id="model.reproduced",
        title=TITLES["model.reproduced"],
        status=status,
        value=difference,
        interval=None,
        threshold=tolerance,
        basis=basis,
        details={
            "deterministic": deterministic,
            "bit_identical": replay.self_check_difference == 0.0,
            "self_check_difference": finite(replay.self_check_difference),
            "tolerance_from": origin,
            "parameters": int(final.size),
        },
    )
    match status:
        case Status.PASS:
            return check, (fact("release-reproduced", How.MEASURED, f"model.reproduced: differs by {difference:.3g} at most"),)
        case Status.FAIL:
            return check, (fact("release-reproduced", How.REFUTED, "model.reproduced: the shipped model is another one"),)
        case _:
            return check, ()


def _tolerance(case: Case, replay: Replay, final: Floats) -> tuple[float, str]:
    """What two honest runs may differ by: what two did differ by, or what the optimiser or the steps' rounding admits.

    L_b is λn-strongly convex, so two optima found to a gradient norm of `tolerance` lie within 2·tolerance/(λn) of one another;
    each Newton step carries that on with a factor near 1, for which a factor 4 leaves room.
    """
    observed = replay.self_check_difference or 0.0
    procedure = case.settings.procedure
    largest = LARGEST_RELATIVE_TOLERANCE * float(np.max(np.abs(final)))
    admitted, origin = 0.0, ""
    if isinstance(procedure, CertifiedRemoval):
        left = len(case.train) - sum(map(len, replay.forgotten))
        admitted = 8 * procedure.tolerance / (procedure.l2 * left)
        origin = "the declared tolerance of the optimiser, over the strong convexity of its objective"
    elif isinstance(procedure, NoisyGd) and procedure.loss is not None:
        declared = read(procedure)
        if declared.trades_off and declared.lipschitz is not None and declared.smoothness is not None:
            known = {"lipschitz": declared.lipschitz, "smoothness": declared.smoothness}
            admitted = rounding_spread(**known, l2=procedure.l2, rate=declared.rate)
        origin = "the rounding of the steps on another processor, over the strong convexity of the objective"
    if observed >= admitted:
        return min(observed, largest), "the difference of two reruns"
    return min(admitted, largest), origin


def _accuracy(case: Case, replay: Replay) -> Check:
    if case.holdout is None:
        return skipped("utility.accuracy", "The case names no holdout data ([data] holdout).")
    if replay.predictions is None or replay.retrained_predictions is None:
        return skipped("utility.accuracy", "The procedure gave no predictions.")
    if case.settings.data.task != "classification":
        return skipped("utility.accuracy", "Accuracy is a measure of classification.")
    classes = np.unique(case.train.labels)
    unlearned = classes[np.argmax(replay.predictions, axis=1)] == case.holdout.labels
    retrained = classes[np.argmax(replay.retrained_predictions, axis=1)] == case.holdout.labels
    count = len(case.holdout)
    drop = float(retrained.mean() - unlearned.mean())
    interval = paired_difference(
        int((retrained & ~unlearned).sum()), int((unlearned & ~retrained).sum()), count, confidence=CONFIDENCE
    )
    threshold = case.settings.policy.max_accuracy_drop
    basis = f"{count} holdout records, predicted by the unlearned model and by one retrained on what is left."
    if threshold is None:
        basis += " Informative: the policy sets no max_accuracy_drop."
    return Check(
        id="utility.accuracy",
        title=TITLES["utility.accuracy"],
        status=Status.SKIPPED if threshold is None else decide_at_most(drop, threshold),
        value=drop,
        interval=(interval.low, interval.high),
        threshold=threshold,
        basis=basis,
        details={
            "unlearned": float(unlearned.mean()),
            "retrained": float(retrained.mean()),
            "records": count,
            "confidence": CONFIDENCE,
        },
    )


def _speedup(case: Case, replay: Replay) -> Check:
    if not replay.unlearn_seconds:
        return skipped("cost.speedup", "No batch was unlearned, so there is no time to compare.")
    threshold = case.settings.policy.min_speedup
    value = replay.retrain_seconds / replay.unlearn_seconds
    warm = replay.warm_refit_seconds
    basis = "Median time of one retraining from scratch over the median time of unlearning one batch, in the sandbox."
    if threshold is None:
        basis += " Informative: the policy sets no min_speedup."
    return Check(
        id="cost.speedup",
        title=TITLES["cost.speedup"],
        status=Status.SKIPPED if threshold is None else decide_at_least(value, threshold),
        value=finite(value),
        interval=None,
        threshold=threshold,
        basis=basis,
        details={
            "unlearn_seconds": replay.unlearn_seconds,
            "retrain_seconds": replay.retrain_seconds,
            "warm_refit_seconds": warm,
            "warm_speedup": None if warm is None else finite(warm / replay.unlearn_seconds),
            "batches": len(replay.batches),
        },
    )
