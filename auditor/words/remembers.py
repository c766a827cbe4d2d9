"""Sentences of `release.remembers`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from auditor.words.kinds import Sentences

_SOURCES: Final = {
    "file": "The model file, loaded by itself,",
    "replay": "The model at the end of the rerun",
    "procedure": "A model that the procedure trained and updated for this test",
}
_ATTACKS: Final = {
    "loss": "the loss",
    "modified-entropy": "modified entropy",
    "lira-offline": "a one-sided likelihood test",
    "lira-online": "a likelihood ratio",
    "rmia": "likelihood ratios against a population",
}
_NEIGHBOURHOODS: Final = {
    "records": "the deleted records",
    "moved-0.1": "copies moved by a tenth",
    "moved-0.3": "copies moved by three tenths",
}
_PARTS: Final = {
    "requests": "one request",
    "all": "all deleted records together",
    "highest-tenth": "the highest tenth of requests",
}


def _pool(given: Mapping[str, Any]) -> str:
    asked = f"{given['asked']} of {given['deleted']}" if given["asked"] < given["deleted"] else f"{given['deleted']}"
    return (
        f"{_SOURCES[given['source']]} was compared with {given['models']} models that learned without the deleted records and were "
        f"released in the same way, by membership inference on {asked} deleted records and their moved copies "
        f"({given['scores']} scores per model)."
    )


def _most(given: Mapping[str, Any]) -> str:
    contrast = ", minus that on similar unseen records" if given["contrast"] else ""
    return (
        f"It shows most by {_ATTACKS[given['attack']]} on {_NEIGHBOURHOODS[given['neighbourhood']]}{contrast}, "
        f"for {_PARTS[given['part']]}."
    )


def _in_general(given: Mapping[str, Any]) -> str:
    by = "p" if given["rule"] == "ranks" else "share"
    size = "none" if given["value"] is None else f"{given['value']:.3g}"
    return (
        f"By only those scores that compare deleted records with unseen ones, the {by} is {size}: the release differs from retrained "
        "models in general, as one that was trained for longer would, and no memory of these records is shown."
    )


def _left_out(given: Mapping[str, Any]) -> str:
    names = " and ".join(_NEIGHBOURHOODS[each] for each in given["neighbourhoods"])
    return f"The procedure could not predict {names}, so they were left out."


SENTENCES: Final[Sentences] = {
    "release.remembers.no-batch": "Does not apply: the log deletes nothing.",
    "release.remembers.exact": "Does not apply: what the deleted records held is known to make no difference to the release.",
    "release.remembers.untried": "Not shown: {why}.",
    "release.remembers.no-group": "no executed request deletes a record",
    "release.remembers.pool": _pool,
    "release.remembers.ranked": "Its largest score has p = {p:.3g} among those of the {models} retrained models, after allowing for "
    "{margin:g} of what models that still hold the records show.",
    "release.remembers.share": "Training is deterministic, or nearly so ({distinct} of {models} retrained models differ), and leaves "
    "nothing to rank. Of what models that still hold the records show, the release shows at most a share of {share:up}.",
    "release.remembers.nothing-tells": "No score distinguishes models that still hold the records from retrained ones.",
    "release.remembers.most": _most,
    "release.remembers.power": "Each of {of} further models that still hold the records, having unlearned others instead, is "
    "detected among retrained ones.",
    "release.remembers.no-power": "{told} of {of} further models that still hold the records, having unlearned others instead, "
    "were detected among retrained ones. Unless all of at least five are, a release that is not detected shows nothing.",
    "release.remembers.half-left": "On all deleted records together the release shows {share:.3g} of what models that still hold "
    "them show.",
    "release.remembers.quick": "A quick run decides nothing here.",
    "release.remembers.few-models": "{models} retrained models are too few to decide; at least {least} are needed ([release] models).",
    "release.remembers.no-unseen": "There are no records that no model has seen, so what is particular to the deleted records cannot "
    "be separated from what holds for all: an approximate method does not pass without them.",
    "release.remembers.unseen-drawn": "The case has no holdout, so {records} retained records were left out of every model, including "
    "the one in the release's place: this covers the procedure, not the file.",
    "release.remembers.in-general": _in_general,
    "release.remembers.left-out": _left_out,
    "release.remembers.bundled": "The {requests} requests were tested in {groups} groups.",
    "release.remembers.not-singly": "{count} of {of} requests could not have been detected one by one.",
}
