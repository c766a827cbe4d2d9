"""Sentences of `training.privacy`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from auditor.words.kinds import Sentences


def _bound(given: Mapping[str, Any]) -> str:
    runs = "; ".join(
        f"{each['records']} records, {each['steps']} steps at a rate of {each['sample_rate']:.4g}" for each in given["trainings"]
    )
    return f"Upper bound on ε at δ, one record being added or removed: DP-SGD as declared and as the rerun reports it ({runs})."


def _otherwise(given: Mapping[str, Any]) -> str:
    where = f"After batch {given['batch']}" if given["batch"] else "After learning"
    return f"{where} the rerun reports {given['name']} = {given['told']}; settings and data make it {given['expected']}."


def _attested(given: Mapping[str, Any]) -> str:
    each = "one record" if given["records"] == 1 else f"at most {given['records']} records"
    return (
        f"training.privacy: ε = {given['epsilon']:.4g}, δ = {given['delta']:.3g} for a person; attested by {given['by']}: the "
        f"noise's seed is secret, and nobody has more than {each}, the most that the log names for one person"
    )


SENTENCES: Final[Sentences] = {
    "training.privacy.none-declared": "Does not apply: no private training is declared ([procedure] dp of use = “torch”).",
    "training.privacy.other-count": "The rerun reported {told} trainings, expected {expected}.",
    "training.privacy.called-private": "The rerun calls its model private after batch {batch}, and {unlearn} reads records without noise.",
    "training.privacy.otherwise": _otherwise,
    "training.privacy.bound": _bound,
    "training.privacy.no-epsilon": "There is no such ε: {reason}.",
    "training.privacy.no-threshold": "No threshold: neither claim nor policy names an ε for it.",
    "training.privacy.foreign": "The network is the controller's own: gradients were clipped and noise was added in one process with its code, so that they were is the controller's word.",
    "training.privacy.not-private-any-more": "The model after {unlearn} is no longer that of a private training: nothing is known of its ε.",
    "fact.dp-per-subject.short-seed": "training.privacy: the noise's seed has fewer than {bits} bits, so it can be found by trying",
    "fact.dp-per-subject.label-lost": "training.privacy: the model has a place for a label that only deleted records had, which no noise hides",
    "fact.dp-per-subject.no-subjects": "training.privacy: the log does not name the `subject` of every request, so which records belong to one person is unknown; the promise covers the records of one request",
    "fact.dp-per-subject.attested": _attested,
}
