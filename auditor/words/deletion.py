"""Sentences of `deletion.renyi` and `deletion.adaptive`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from auditor.words.kinds import Sentences

_REPLACEMENTS: Final = {
    "other records": "other training records",
    "another label": "the same features with another label",
    "beyond the range": "records beyond the range of the data with other ids",
}
_ORIGINS: Final = {
    "log": "{models} models, those that the rows of the log name added up",
    "claim": "{models} models, as the claim says; the log names {log}",
    "all published before": "{models} models: rows that name none count for all models published before their request",
}


def _premises(given: Mapping[str, Any]) -> str:
    return "; ".join(f"{each['name']}: {each['found']}" for each in given["premises"])


def _no_epsilon(given: Mapping[str, Any]) -> str:
    fix = f" How to fix it: {given['fix']}." if given["fix"] else ""
    return f"No ε: {given['why']}.{fix}"


def _epsilon(given: Mapping[str, Any]) -> str:
    source = "the Gaussian trade-off" if given["source"] == "gaussian" else f"Theorem {given['source']}"
    return f"ε of one deleted record at order {given['order']:g} by {source}, against a run without it from the start."


def _differs(given: Mapping[str, Any]) -> str:
    what = "the file of save() alone differs" if given["by_file"] else "a model differs"
    return (
        f"{what} after batch {given['batch']}: no theorem is known for this procedure, and its released models depend on the "
        "deleted records"
    )


def _same(given: Mapping[str, Any]) -> str:
    return f"{given['runs']} runs of the log with others in their place: {', '.join(given['replacements'])}"


def _models(count: int) -> str:
    return f"{count} models" if count > 1 else "one model"


def _bound(given: Mapping[str, Any]) -> str:
    said = []
    for each in given["checks"]:
        value = "no ε" if each["epsilon"] is None else f"ε = {each['epsilon']:.4g}"
        said.append(f"{each['check']}: {value}" + ("" if each["threshold"] is None else f" of {each['threshold']:g}"))
    return "; ".join(said)


def _measured(given: Mapping[str, Any]) -> str:
    return "; ".join(f"{each['check']}: {'no ε' if each['epsilon'] is None else 'ε = 0'}" for each in given["checks"])


SENTENCES: Final[Sentences] = {
    "deletion.own-code": "Does not apply: the procedure is the controller's own code, and no data deletion is claimed of it.",
    "deletion.other-procedure": 'Does not apply: [procedure] use = "{use}" is not noisy gradient descent, nor is data deletion '
    "claimed of it.",
    "deletion.nothing-deleted": "No executed request names a record of the training data: there is no deletion to judge.",
    "deletion.no-threshold": "No threshold: neither claim nor policy names an ε for it.",
    "deletion.renyi.false": _premises,
    "deletion.renyi.fixes": lambda given: "; ".join(dict.fromkeys(given["fixes"])),
    "deletion.renyi.false-premise": "A premise is false, so no theorem covers what ran. {why}. How to fix it: {fix}.",
    "deletion.renyi.no-epsilon": _no_epsilon,
    "deletion.renyi.epsilon": _epsilon,
    "deletion.renyi.steps": "{steps} steps follow a deletion; {rows} records were there before one at the fewest.",
    "deletion.renyi.not-known": lambda given: f"Not known: {_premises(given)}.",
    "deletion.renyi.foreign-network": "The network is the controller's own: steps and noise were made in one process with its "
    "code, so that they are as declared is the controller's word.",
    "deletion.renyi.above": "That is above the threshold: it takes more unlearning steps, more noise or more records.",
    "deletion.renyi.attested": lambda given: f"Attested, not shown: {', '.join(given['names'])}.",
    "deletion.renyi.measured": "In {runs} runs of the log with other records in the place of the deleted ones every model after a "
    "deletion was the same, bit for bit.",
    "deletion.renyi.measured-zero": "So ε_dd = 0 as measured in these runs, which proves nothing about others. What the procedure's "
    "code and settings bring along is the same in every run, whatever it was made from: that it holds nothing of the deleted "
    "records is the controller's word.",
    "deletion.renyi.false-measured": lambda given: f"A premise is false: {_premises(given)}.",
    "deletion.renyi.not-shown": lambda given: f"Not shown: {'; '.join(given['found'])}.",
    "deletion.replacement": lambda given: _REPLACEMENTS[given["kind"]],
    "deletion.runs.no-parameters": "the procedure offers no parameters(), so that its models cannot be compared",
    "deletion.runs.failed": "with other records in their place the procedure failed: {message}",
    "deletion.runs.by-chance": "two runs with the very same records differ, so that nobody can say what other records would "
    "change",
    "premise.release-independent.none": "the procedure is declared to hand the old model on, whatever was deleted, even if these "
    "runs do not show it",
    "premise.release-independent.differs": _differs,
    "premise.release-independent.same": _same,
    "premise.release-independent.fix": 'use = "noisy-gd", which a theorem covers, or retrain from scratch without the records, with '
    "randomness that follows the seed",
    "premise.release-independent.comparable.fix": "a procedure whose runs can be compared bit for bit",
    "fact.code-clean.built-in": "built-in procedure {use}: the code is the auditor's",
    "premise.requests-fixed": "no request depends on a released model",
    "premise.own-request-fixed": "a person's own request was fixed in advance",
    "premise.seen-releases": lambda given: _ORIGINS[given["origin"]].format_map(given),
    "deletion.adaptive.false-premise": lambda given: (
        f"A premise is false, so no theorem covers what ran: {', '.join(given['names'])} (see deletion.renyi)."
    ),
    "deletion.adaptive.no-epsilon": "No ε: deletion.renyi gives none.",
    "deletion.adaptive.unbounded": "No ε: nothing bounds what each model that was seen reveals about a record.",
    "deletion.adaptive.at-zero": "ε at order {order:g} at p = 0: nobody is said to have seen a model before a request, so it is "
    "that of deletion.renyi.",
    "deletion.adaptive.seen": lambda given: (
        f"ε at order {given['order']:g} where all requesters together had seen {_models(given['models'])} from before a deletion "
        "(Theorem 4.3)."
    ),
    "deletion.adaptive.together": "This is about one record, as claim and policy are. Guarantee and letter cover {records} records, the most of one person or "
    "request: together ε = {epsilon:.4g}, {records}² times as much.",
    "deletion.adaptive.left-out": lambda given: (
        "Rows without seen_releases count for every model published before their request"
        f"{'; name in the log what requesters had seen' if given['name_them'] else ''}."
    ),
    "deletion.adaptive.not-covered": "The claim is for {claimed} models, and the log names {log}: the claim does not cover it.",
    "deletion.adaptive.refuted": "{said}",
    "deletion.adaptive.not-attested": lambda given: f"Not attested: {', '.join(given['names'])}.",
    "deletion.adaptive.open": "What deletion.renyi leaves open is open here too.",
    "deletion.adaptive.see-renyi": "It adds what requesters saw to the ε of deletion.renyi, and that check gives none that holds.",
    "deletion.adaptive.measured-at-zero": "ε = 0 at p = 0, as deletion.renyi measured it: nobody is said to have seen a model "
    "before a request.",
    "deletion.adaptive.measured-unbounded": lambda given: (
        f"No ε: {_models(given['models'])} from before a deletion had been seen, and no theorem bounds what they say of a record."
    ),
    "deletion.adaptive.measured-seen": lambda given: (
        f"ε = 0 with {_models(given['models'])} from before a deletion seen: these were the same as well, whatever stood in the "
        "records' place."
    ),
    "fact.deletion.found": "{check}: {found}",
    "fact.deletion.bound": _bound,
    "fact.deletion.measured": _measured,
}
