"""Sentences of `inference.difference`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from auditor.words.kinds import Sentences


def _played(given: Mapping[str, Any]) -> str:
    hessian = "the holdout" if given["holdout"] else "what remains"
    return (
        f"The weights before and after a deletion, and a Hessian of {hessian}, point at a record: the deleted one came out first "
        f"of up to {given['candidates']} in {given['first']} of {given['games']} batches of one record. "
        f"Against one other record it was named right {given['wins']} times."
    )


SENTENCES: Final[Sentences] = {
    "inference.difference.other-procedure": 'Reads the steps of [procedure] use = "certified-removal"; this version knows no other procedure\'s.',
    "inference.difference.one-release": "Nobody is said to see the model from before a deletion as well: policy.before_and_after is false, and no request "
    "had seen a release. Certified removal gives no protection against anyone who does see both.",
    "inference.difference.no-single-record": "No batch deleted a single record, and records that went together cannot be told apart.",
    "inference.difference.played": _played,
    "inference.difference.informative": "Informative: the policy sets no max_compliance_epsilon.",
    "inference.difference.too-few": "Too few games to decide: what they allow lies on both sides of the threshold.",
}
