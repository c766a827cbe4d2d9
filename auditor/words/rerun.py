"""Sentences of `model.reproduced`, `utility.accuracy` and `cost.speedup`."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any, Final

from auditor.words.kinds import Sentences


def _replayed(given: Mapping[str, Any]) -> str:
    between = given["between_reruns"]
    differed = (
        "Two reruns had not even equally many parameters." if between is None else f"Two reruns differed by {between:up} at most."
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
        f"On {_TABLES[given['table']]} between {100 * given['low']:.1f} and {100 * given['high']:.1f} points of accuracy may be lost. "
        f"The policy allows {100 * given['allowed']:.3g}, which lies between: there are too few records to tell."
    )


def _holds(given: Mapping[str, Any]) -> str:
    return f"The file holds more than its array determines: {'; '.join(given['holds'])}."


def _differing(given: Mapping[str, Any]) -> str:
    return (
        f"{_parameters(given)} not those of the rerun in every bit: within that difference a parameter can hold "
        f"{given['free_bits']:.3g} bits on average, and nothing says what is in them."
    )


def _reruns_differ(given: Mapping[str, Any]) -> str:
    return (
        f"Two reruns differ by {given['between_reruns']:.3g}, which leaves a parameter {given['free_bits']:.3g} bits on average "
        "that nothing determines."
    )


def _on_grid(given: Mapping[str, Any]) -> str:
    near = f"; {_parameters({'parameters': given['neighbours']})} the neighbouring multiple" if given["near_midpoints"] else ""
    return (
        f"The parameters are those of the rerun, rounded to multiples of {power(given['grid'])}; the rerun lies next to a midpoint "
        f"in {given['near_midpoints']} of them{near}."
    )


def _off_grid(given: Mapping[str, Any]) -> str:
    return (
        f"{given['not_multiples']} parameters are no multiples of the grid {power(given['grid'])}, and {given['elsewhere']} are "
        f"other multiples than the rounded rerun; within that difference a parameter can hold {given['free_bits']:.3g} bits on average."
    )


def _remedy(given: Mapping[str, Any]) -> str:
    grid = "" if given["grid"] is None else f" --grid {power(given['grid'])}"
    declare = "" if given["grid"] is None else f' and [model] grid = "{power(given["grid"])}"'
    return f"How to fix it: auditor canonical {given['path']} -o OUT{grid} writes a file without that room; release OUT{declare}."


def _not_loaded(given: Mapping[str, Any]) -> str:
    lacking = " and ".join(f"no {each}()" for each in given["lacking"])
    return (
        f"The class has {lacking}, so nothing ties the file to the model that predicts: give it save(model, path), load(path) and "
        "parameters(model)."
    )


def _loaded_other(given: Mapping[str, Any]) -> str:
    if given["parameters"] is None:
        return "Loaded in a fresh process, the file gave a model of another number of parameters."
    return f"Loaded in a fresh process, the file gave a model in which {_parameters(given)} not those of the file."


def _predicts_other(given: Mapping[str, Any]) -> str:
    if given["moved"] is None:
        return "What the file predicts, loaded in a fresh process, was not compared with the predictions of the replay."
    return (
        "Loaded in a fresh process, without training data and log, the file predicts otherwise than the model at the end of the "
        f"replay, by {given['moved']:up} at most: what predicts there is not in the file."
    )


def _parameters(given: Mapping[str, Any]) -> str:
    return "1 parameter is" if given["parameters"] == 1 else f"{given['parameters']} parameters are"


def power(value: float) -> str:
    """A power of two as it is written in audit.toml."""
    fraction, exponent = math.frexp(value)
    return f"2^{exponent - 1}" if fraction == 0.5 else f"{value:.3g}"


def _bytes(what: str) -> Callable[[Mapping[str, Any]], str]:
    return lambda given: f"{given['bytes']} byte{'' if given['bytes'] == 1 else 's'} of {what}"


SENTENCES: Final[Sentences] = {
    "model.container.metadata": _bytes("metadata"),
    "model.container.repeated": "a name that its header repeats",
    "model.container.members": lambda given: (
        f"{given['members']} further array{'' if given['members'] == 1 else 's'} or file{'' if given['members'] == 1 else 's'}"
    ),
    "model.container.header": "a header in another order or spelling",
    "model.container.padding": "padding of another length",
    "model.container.comment": _bytes("comments"),
    "model.container.extra": _bytes("extra fields"),
    "model.container.compressed": "compressed data, which can be packed in many ways",
    "model.container.date": "a date",
    "model.container.gap": _bytes("gaps before, between or after its parts"),
    "model.container.npy": "an array header in another spelling",
    "model.container.other": "bytes in places that say nothing of the array",
    "model.reproduced.no-model": "[model] was left out: the audit covers the procedure alone.",
    "model.reproduced.no-parameters": "The procedure offers no parameters(), so nothing says that the model file is what it gives.",
    "model.reproduced.replayed": _replayed,
    "model.reproduced.container": _holds,
    "model.reproduced.equal-bits": "The parameters are those of the rerun, bit for bit.",
    "model.reproduced.equal-on-grid": _on_grid,
    "model.reproduced.differing": _differing,
    "model.reproduced.reruns-differ": _reruns_differ,
    "model.reproduced.grid-too-fine": lambda given: (
        f"The grid {power(given['grid'])} is too fine: 16 times the difference of two reruns and 2^-40 of the largest parameter ask "
        f"for {given['least']:.3g} at least."
    ),
    "model.reproduced.grid-too-coarse": lambda given: (
        f"The grid {power(given['grid'])} is coarser than the largest parameter, {given['largest']:.3g}: hardly anything of the "
        "model would be left."
    ),
    "model.reproduced.off-grid": _off_grid,
    "model.reproduced.many-midpoints": "The rerun lies next to a midpoint of the grid in {near_midpoints} parameters, each of which "
    "leaves a free bit; {most} are allowed.",
    "model.reproduced.remedy": _remedy,
    "model.reproduced.not-loaded": _not_loaded,
    "model.reproduced.saved-other": "What save() writes at the end of the replay holds other parameters than the file.",
    "model.reproduced.saved-unreadable": "What save() writes at the end of the replay is no file with the one array `parameters`.",
    "model.reproduced.load-refused": "load() refused the file in a fresh process, without training data and log.",
    "model.reproduced.load-failed": "The model that load() made of the file in a fresh process, without training data and log, could "
    "not be asked for parameters and predictions.",
    "model.reproduced.loaded-other": _loaded_other,
    "model.reproduced.predicts-other": _predicts_other,
    "model.reproduced.other-shape": "The numbers of parameters differ, so these are different models.",
    "model.reproduced.not-deterministic": "The procedure is not deterministic, so equality cannot be expected.",
    "model.reproduced.tolerance.reruns": "the difference of two reruns",
    "model.reproduced.tolerance.optimiser": "the declared tolerance of the optimiser, over the strong convexity of its objective",
    "model.reproduced.tolerance.rounding": "the rounding of the steps on another processor, over the strong convexity of the "
    "objective",
    "fact.release-reproduced.file-decides": "model.reproduced did not find the model file equal to the rerun, and no word replaces that",
    "model.reproduced.tolerance.grid": "half the declared grid, and the difference of two reruns",
    "fact.release-reproduced.bits": "model.reproduced: the same in every bit, in a file that holds nothing else",
    "fact.release-reproduced.grid": "model.reproduced: the same when rounded to the declared grid, in a file that holds nothing else; "
    "rounding moved a parameter by {difference:up} at most",
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
    "cost.speedup.own-training": "Retraining is the controller's own code, which could waste time wherever it does not unlearn. To pass, the "
    "controller has to attest procedure-honest.",
    "cost.speedup.informative": "Informative: the policy sets no min_speedup.",
}
