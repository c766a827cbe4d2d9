"""Sentences of `release.exact`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from auditor.words.kinds import Sentences

_KINDS: Final = {
    "parameters": "the parameters",
    "predictions": "the predictions",
    "state": "state()",
    "saved file": "the saved file",
    "object": "what the procedure's process holds",
}


def _compared(given: Mapping[str, Any]) -> str:
    named = [_KINDS[each] for each in given["kinds"]]
    listed = f"{', '.join(named[:-1])} and {named[-1]}" if len(named) > 1 else "".join(named)
    items = f" ({given['objects']} items)" if "object" in given["kinds"] else ""
    which = "every batch" if given["batches"] == given["of"] else f"{given['batches']} of {given['of']} batches"
    which = "the only batch" if given["of"] == 1 else which
    return (
        f"After {which}, the model was compared with one that a fresh process, which held no deleted record and no deleted id, "
        f"trained on the records that remain. Compared: {listed}{items}."
    )


def _differing(given: Mapping[str, Any]) -> str:
    names = ", ".join(each["name"] if each["kind"] in {"object", "scalar"} else _KINDS[each["kind"]] for each in given["items"])
    more = f" and {given['more']} more" if given["more"] else ""
    size = f" The largest difference of a number is {given['largest']:.3g}." if given["largest"] is not None else ""
    return f"After batch {given['batch']} these differ: {names}{more}.{size}"


def _let_pass(given: Mapping[str, Any]) -> str:
    more = f" and {given['more']} more" if given["more"] else ""
    return (
        f"Let pass as times or counters: {', '.join(given['names'])}{more}, {given['bytes']} bytes in all. "
        "So many bytes could hold a number taken from a deleted record."
    )


def _no_reaction(given: Mapping[str, Any]) -> str:
    other = [words for name, words in (("other_rows", "other rows"), ("other_labels", "exchanged labels")) if not given[name]]
    return f"With {' and with '.join(other)} the learner gave the same model, so equal models say nothing."


def _batches(given: Mapping[str, Any]) -> str:
    return ", ".join(str(each) for each in given["batches"])


SENTENCES: Final[Sentences] = {
    "release.exact.no-batch": "Does not apply: the log deletes nothing.",
    "release.exact.noisy-gd": "Does not apply: noisy gradient descent does not retrain, its theorem covers it.",
    "release.exact.hands-on": "Does not apply: the procedure is declared not to unlearn.",
    "release.exact.approximate": "Does not apply: the declared way of unlearning does not retrain.",
    "release.exact.not-retrained": "Does not apply: the last batch was answered by a removal step, not by retraining.",
    "release.exact.untried": "Not shown: {why}.",
    "release.exact.not-compared": lambda given: f"Not shown: no clean room was observed for batch {_batches(given)}.",
    "release.exact.compared": _compared,
    "release.exact.differing": _differing,
    "release.exact.let-pass": _let_pass,
    "release.exact.not-all-seen": "Not everything could be compared: the procedure's process holds more than could be walked "
    "through, or gave no predictions.",
    "release.exact.equal": "The release is a function of the retained records, the code and the seed. What the code brings along "
    "is the same in both, and nothing here examines that.",
    "release.exact.independent": "With other records in the place of the deleted ones, under the same ids, everything is the same: "
    "the release does not depend on what the deleted records held. That shows independence, and no retraining.",
    "release.exact.independent-stateful": "With other records in the place of the deleted ones, under the same ids, everything is "
    "the same, but state.stateless did not show that nothing else is carried on.",
    "release.exact.no-reaction": _no_reaction,
    "release.exact.reaction-untried": "Not shown that the learner reacts to what it learns from: training on fewer rows, or on "
    "exchanged labels, failed.",
    "release.exact.open.other-items": "The model behaves as the clean room's does. What else differs may reveal something of a deleted record.",
    "release.exact.open.not-declared": "Nobody claims that the procedure retrains ([claims] retraining), so a difference alone "
    "refutes nothing.",
    "release.exact.open.no-controls": "Whether the same training gives the same bits twice is not known.",
    "release.exact.open.by-chance": "The same training does not give the same bits twice, so equality cannot be expected.",
    "release.exact.unchanged": lambda given: (
        f"Batch {_batches(given)} left the model as it was, bit for bit, and training without the deleted records gives another."
    ),
    "release.exact.carried": "The case brings {files} files of {bytes} bytes that its code can read; the deleted records have "
    "{deleted_bytes} bytes.",
    "fact.retrained.clean-room": "release.exact: the model after {batches} batches equals that of a clean room",
    "fact.retrained.otherwise": "release.exact: the model is not what training without the deleted records gives",
}
