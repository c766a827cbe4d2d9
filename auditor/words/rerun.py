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


def _known_moved(given: Mapping[str, Any]) -> str:
    return (
        f"The unlearned model is right on {given['originals']:.3g} of the holdout records that could be moved and on "
        f"{given['copies']:.3g} of their copies, which were moved a little towards a neighbour of the same label. That is more than "
        f"{given['allowed']:.3g} apart with confidence {given['confidence']:.3g}, which movement does not explain: it may answer "
        "rows that it knows from a table, so its accuracy on the holdout says little."
    )


_TABLES: Final = {
    "holdout": "the holdout",
    "moved": "moved copies of the holdout",
    "unseen": "records that its models had not met",
}


def _within_chance(given: Mapping[str, Any]) -> str:
    return (
        f"On {_TABLES[given['table']]} more was lost than the policy allows ({given['drop']:.3g}), and chance may explain it: "
        "the interval reaches the threshold."
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
    "fact.release-reproduced.file-decides": "model.reproduced did not find the model file equal to the rerun, and no word replaces that",
    "fact.release-reproduced.equal": "model.reproduced: differs by {difference:.3g} at most",
    "fact.release-reproduced.other": "model.reproduced: the shipped model is another one",
    "utility.accuracy.no-holdout": "The case names no holdout data ([data] holdout).",
    "utility.accuracy.regression": "Accuracy is a measure of classification.",
    "utility.accuracy.no-predictions": "The procedure gave no predictions.",
    "utility.accuracy.predicted": "{records} holdout records, predicted by the unlearned model and by one retrained on what is left.",
    "utility.accuracy.moved": "On {records} copies of them, moved a little towards a neighbour of the same label, {drop:.3g} is lost.",
    "utility.accuracy.unseen": "On {records} training records that the models of the SWAP test had not met, {drop:.3g} is lost.",
    "utility.accuracy.nothing-unseen": "No SWAP test was played, so the only records that were unseen are those of the holdout.",
    "utility.accuracy.knows-holdout": _known_moved,
    "utility.accuracy.moved-refused": "The procedure raised an error on copies of the holdout that were moved a little, so that nothing "
    "says that its accuracy reaches beyond the rows of the holdout.",
    "utility.accuracy.within-chance": _within_chance,
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
