"""Sentences of `release.remembers`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from auditor.words.kinds import Sentences

_SOURCES: Final = {
    "file": "The model file, loaded by itself,",
    "replay": "The model at the end of the rerun",
    "procedure": "A model that the procedure trained and updated for the purpose",
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
        f"{_SOURCES[given['source']]} was held against {given['models']} models that learned without the deleted records and were "
        f"released in the same way, by membership inference on {asked} deleted records and their moved copies "
        f"({given['scores']} scores a model)."
    )


def _most(given: Mapping[str, Any]) -> str:
    contrast = ", less that of unseen records like them" if given["contrast"] else ""
    return (
        f"It shows most by {_ATTACKS[given['attack']]} on {_NEIGHBOURHOODS[given['neighbourhood']]}{contrast}, "
        f"over {_PARTS[given['part']]}."
    )


def _in_general(given: Mapping[str, Any]) -> str:
    by = "p" if given["rule"] == "ranks" else "share"
    size = "none" if given["value"] is None else f"{given['value']:.3g}"
    return (
        f"By the scores alone that hold deleted records against unseen ones the {by} is {size}: the release differs from retrained "
        "models in general, as one does that was trained longer, and no memory of these records is shown."
    )


def _left_out(given: Mapping[str, Any]) -> str:
    names = " and ".join(_NEIGHBOURHOODS[each] for each in given["neighbourhoods"])
    return f"The procedure could not predict {names}: nothing was asked about them."


SENTENCES: Final[Sentences] = {
    "release.remembers.no-batch": "Does not apply: the log deletes nothing.",
    "release.remembers.exact": "Does not apply: the release is known to be what training without the deleted records gives.",
    "release.remembers.untried": "Not shown: {why}.",
    "release.remembers.no-group": "no executed request deletes a record",
    "release.remembers.pool": _pool,
    "release.remembers.ranked": "Its largest score has p = {p:.3g} among those of the {models} retrained models; a share of {margin:g} "
    "of what models show that hold the records is let pass.",
    "release.remembers.share": "The procedure is (all but) free of chance ({distinct} of {models} retrained models differ), so the "
    "largest share counts of what models show that hold the records: {share:.3g}.",
    "release.remembers.nothing-tells": "No score tells models that hold the records from retrained ones.",
    "release.remembers.most": _most,
    "release.remembers.power": "Each of {of} further models that still hold the records, having unlearned others, is told.",
    "release.remembers.no-power": "Of {of} further models that still hold the records, having unlearned others, {told} are told: "
    "that the release is not told shows nothing.",
    "release.remembers.half-left": "On all deleted records together the release shows {share:.3g} of what models show that hold them.",
    "release.remembers.quick": "A quick run decides nothing here.",
    "release.remembers.few-models": "{models} retrained models decide nothing; at least {least} are needed ([release] models).",
    "release.remembers.no-unseen": "There are no records that no model has seen, to tell what belongs to these records from what "
    "belongs to all: an approximate method does not pass without.",
    "release.remembers.unseen-drawn": "Without a holdout, {records} retained records were left out of every model, that in the "
    "place of the release included: this speaks of the procedure, not of the file.",
    "release.remembers.in-general": _in_general,
    "release.remembers.left-out": _left_out,
    "release.remembers.bundled": "The {requests} requests were asked about in {groups} groups.",
    "release.remembers.not-singly": "{count} of {of} requests could not have been told singly.",
}
