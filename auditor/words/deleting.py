"""Sentences about deletion games as such: when they are played, and why there may be none."""

from __future__ import annotations

from typing import Final

from auditor.words.kinds import Sentences

SENTENCES: Final[Sentences] = {
    "deleting.not-asked": "Not played: neither policy nor command line asks for it, and nobody is said to see the model from before a deletion "
    "as well as the one after it. If somebody may see both, set policy.before_and_after = true.",
    "deleting.few-records": "with {records} training records there is nothing to play: at least {least} are needed",
    "deleting.no-split": "in {draws} draws no records were found to delete that leave one of every class: a class has too few",
    "deleting.not-played": "Not played: {why}.",
    "deleting.quick": "A quick run plays too few games to decide anything: run without --quick.",
    "deleting.too-few": "Too few games to decide: what they allow lies on both sides of the threshold.",
    "deleting.informative": "Informative: the policy sets no {key}.",
}
