"""Sentences of `model.reproduced`, `utility.accuracy` and `cost.speedup`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from auditor.words.kinds import Sentences


def _replayed(given: Mapping[str, Any]) -> str:
    between = given["between_reruns"]
    differed = (
        "Two reruns had not even equally many parameters."
        if between is None
        else f"Two reruns differed by {between:.3g} at most."
    )
    return (
        f"The log was replayed; the shipped file and the rerun hold {given['shipped']} and {given['rerun']} parameters. "
        f"{differed}"
    )


SENTENCES: Final[Sentences] = {
    "model.reproduced.no-model": "[model] was left out: the audit covers the procedure alone.",
    "model.reproduced.no-parameters": "The procedure offers no parameters(), so nothing says that the model file is what it gives.",
    "model.reproduced.replayed": _replayed,
    "model.reproduced.other-shape": "The numbers of parameters differ, so these are different models.",
    "model.reproduced.not-deterministic": "The procedure is not deterministic, so equality cannot be expected.",
    "model.reproduced.tolerance.reruns": "the difference of two reruns",
    "model.reproduced.tolerance.optimiser": "the declared tolerance of the optimiser, over the strong convexity of its objective",
    "model.reproduced.tolerance.rounding": "the rounding of the steps on another processor, over the strong convexity of the "
    "objective",
    "fact.release-reproduced.no-model": "the controller's word; [model] was left out, so what is released was not examined",
    "fact.release-reproduced.equal": "model.reproduced: differs by {difference:.3g} at most",
    "fact.release-reproduced.other": "model.reproduced: the shipped model is another one",
    "utility.accuracy.no-holdout": "The case names no holdout data ([data] holdout).",
    "utility.accuracy.regression": "Accuracy is a measure of classification.",
    "utility.accuracy.no-predictions": "The procedure gave no predictions.",
    "utility.accuracy.predicted": "{records} holdout records, predicted by the unlearned model and by one retrained on what is left.",
    "utility.accuracy.informative": "Informative: the policy sets no max_accuracy_drop.",
    "cost.speedup.no-batch": "No batch was unlearned, so there is no time to compare.",
    "cost.speedup.timed": "Median time of one retraining from scratch over the median time of unlearning one batch, from question to "
    "answer by the auditor's clock. It is what the declared code took: retraining that is slow on purpose makes it larger, and "
    "work put off to another call or a background thread is not in it.",
    "cost.speedup.unchanged": lambda given: (
        f"Batch {', '.join(map(str, given['batches']))} left the model as it was: that took no time and unlearned nothing."
    ),
    "cost.speedup.informative": "Informative: the policy sets no min_speedup.",
}
