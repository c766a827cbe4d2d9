"""Sentences of `state.stateless`, and of what the built-in procedures carry from one update to the next."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from auditor.words.kinds import Sentences


def _untried(given: Mapping[str, Any]) -> str:
    lacking = " and ".join(f"no {each}()" for each in given["lacking"])
    return f"no update could be resumed in a fresh process, for the procedure has {lacking}"


def _kept(given: Mapping[str, Any]) -> str:
    words = ", ".join(f"{each['name']} ({each['kind']})" for each in given["kept"])
    return words + (f" and {given['more']} more" if given["more"] else "")


def _refused(given: Mapping[str, Any]) -> str:
    reasons = [f"from {each['source']}: {each['why']}" for each in given["refused"]]
    if given["same_from_file"]:
        reasons.append("from the file of save() they gave the same models, but what it holds beyond the parameters may be state")
    return "; ".join(reasons)


def _numbers(given: Mapping[str, Any]) -> str:
    return ", ".join(str(each) for each in given["updates"])


SENTENCES: Final[Sentences] = {
    "carried.parameters-read": "An update starts from the released parameters and reads nothing else.",
    "carried.parameters": "An update starts from the released parameters alone.",
    "carried.retrained": "An update trains from scratch and reads nothing.",
    "carried.counts": "An update takes counts away from the released ones and reads nothing else.",
    "carried.estimator": "An update hands the fitted estimator on.",
    "carried.labels": "An update trains from scratch and reads nothing of the model but which labels there are.",
    "carried.weights": "An update starts from the released weights; β is passed on with them and read by no update.",
    "carried.shards": "An update carries on the model of every shard that it does not retrain. Whether all of these are "
    "released, or only what they say on average, the case does not tell.",
    "carried.beyond": lambda given: f"An update reads, in addition to the released model, {' and '.join(given['beyond'])}.",
    "carried.shard-models": "the model of every shard",
    "carried.weights-without-noise": "the weights without the noise of their release",
    "carried.perturbation": "the perturbation b of the loss",
    "carried.budget-spent": "β, what the removals so far have spent of the budget",
    "state.stateless.by-construction": "Built-in procedure, by construction: its object keeps hyperparameters alone. {reads}",
    "state.stateless.case.by-construction": "by construction: the next update reads {what}",
    "state.stateless.not-asked": "not tried, for nothing here rests on it",
    "state.stateless.few-records": "there are too few training records to delete {updates} one after another and keep a record of "
    "every label",
    "state.stateless.not-resumable": _untried,
    "state.stateless.not-shown": "Not shown: {why}.",
    "state.stateless.resumed": "{updates} records were deleted one after another, and fresh processes made each update from the "
    "model before it.",
    "state.stateless.same": "From the released parameters alone they gave the same models, bit for bit.",
    "state.stateless.log-same": lambda given: (
        f"So did these updates of the log, each resumed from the parameters that were released before it: {_numbers(given)}."
    ),
    "state.stateless.acts-late": lambda given: (
        "The first updates gave the same models from the released parameters alone, but these updates of the log did not when "
        f"resumed from the parameters released before each: {_numbers(given)}. A hidden state acts late."
    ),
    "state.stateless.case.log": "an update of the log, resumed from the released parameters alone in a fresh process",
    "state.stateless.survived": lambda given: f"What else outlived an update made no difference to them: {_kept(given)}.",
    "state.stateless.file-differs": "From the released parameters alone they gave the same models, from the file of save() "
    "others: the file does not hold the model that is carried on.",
    "state.stateless.file-holds-more": "From the file of save() they gave the same models, from the released parameters alone "
    "others: what the file holds beyond the parameters is carried on in secret.",
    "state.stateless.in-the-file": "what the file of save() holds beyond the parameters",
    "state.stateless.outlived": lambda given: (
        f"They gave other models than the process that ran every update. What outlived an update there: {_kept(given)}."
    ),
    "state.stateless.outlived-unseen": "They gave other models than the process that ran every update. What they lack "
    "lies where nothing was searched: nothing that could be named outlived an update.",
    "state.stateless.case.resumed": "resumed from {source} in a fresh process",
    "state.stateless.case.law": "resumed from {source} in fresh processes: another distribution, p = {p:.3g} over {pairs} pairs of runs",
    "state.stateless.refused.no-save": "the procedure has no save()",
    "state.stateless.refused.failed": "{message}",
    "state.stateless.refused.not-taken": "load() did not take it: {error}",
    "state.stateless.open.slow": "two runs of the same differ, and the procedure is too slow for its distributions to be compared",
    "state.stateless.open.laws": "two runs of the same differ; as distributions, the updates could not be distinguished, which shows nothing",
    "state.stateless.open.no-parameters": "the procedure releases no parameters to resume from",
    "state.stateless.open.log": lambda given: (
        f"the updates of the log after batches {', '.join(str(each) for each in given['after'])} were not resumed"
    ),
    "state.stateless.open.log-by-chance": "updates of the log gave other models when they were resumed, but so does running the log twice: "
    "chance may have played a part",
    "state.stateless.open.refused": _refused,
    "state.stateless.informative": "Informative: data deletion is neither claimed nor certified here, and the policy does not list "
    "this check.",
    "fact.stateless.built-in": "built-in procedure {procedure}: {reads}",
    "fact.stateless.not-refuted": "state.stateless: not refuted; that no other update reads a hidden state is the controller's word",
    "fact.stateless.carried": lambda given: f"state.stateless: {', '.join(given['names'])}",
    "fact.stateless.carried-unseen": "state.stateless: by nothing that could be named",
}
