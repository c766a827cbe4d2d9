"""The names under `[claims] attested`: what a controller alone can know and puts its name to.

What a theorem's proof has to give (privacy, adaptivity) is not among them, but for strong history independence: Theorem 3.7 of
deletion-as-control takes a proof or the controller's word, and no test. What each means, and what follows where it is false, is
in `auditor.pages.words.attestations`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

LOG_COMPLETE: Final = "log-complete"
"""That the deletion log lists every erasure."""
PREPROCESSING: Final = "preprocessing-clean"
"""The word and the fact that data can refute."""
CODE_CLEAN: Final = "code-clean"
"""That nothing the code brings along was made from a deleted record."""
HONEST: Final = "procedure-honest"
"""That the code acts on the log as it does in the tests."""
GENUINE: Final = "answers-genuine"
"""That answers which the controller wrote down are the model's."""
EMBEDDING: Final = "embedding-genuine"
"""That the function which is said to embed records is the one in use, and treats no record apart."""
EXTRACTOR: Final = "extractor-private"
"""That the features come from a private extractor, and from no other fitted step."""
COPIES: Final = "copies-are-others"
"""That what looks like a copy of a deleted record, or like their id or name, is somebody else's."""
UNREAD: Final = "store-holds-no-copies"
"""That what could not be read of the data store holds no copies of deleted records."""
NOTHING_HELD: Final = "nothing-held"
"""That nothing is held of the people whom the log answers so."""
REFUSALS: Final = "refusals-grounded"
"""That requests were refused by an exception of the law, and withdrawn by the people who had made them."""
RELEASED: Final = "release-reproduced"
"""That the model which is released is the one that the procedure gives; an audit of its file makes the word unnecessary."""
RESIDUAL: Final = "residual-independent"
"""That what a removal leaves over does not depend on the random term: an assumption of a theorem, which no test can confirm."""
LINEAGE: Final = "lineage-complete"
"""That everything that was made from the model, and is still used or kept, is declared under `[[lineage]]`."""
NO_MODEL: Final = "no-model-trained"
"""That no model was trained on these data, and that every place with them is declared: of a program alone, for no verdict."""
_FACTS: Final[Mapping[str, tuple[str, ...]]] = {
    LOG_COMPLETE: (LOG_COMPLETE,),
    "requests-fixed": ("requests-fixed", "own-request-fixed"),
    "own-request-fixed": ("own-request-fixed",),
    "seen-releases": ("seen-releases",),
    PREPROCESSING: (PREPROCESSING,),
    "seed-secret": ("seed-secret", "noise-secret"),
    RESIDUAL: (RESIDUAL,),
    "settings-fixed": ("settings-fixed",),
    RELEASED: (RELEASED,),
    CODE_CLEAN: (CODE_CLEAN,),
    HONEST: (),
    GENUINE: (),
    EMBEDDING: (),
    COPIES: (),
    UNREAD: (),
    EXTRACTOR: (EXTRACTOR,),
    NOTHING_HELD: (),
    REFUSALS: (),
    "every-extractor": ("every-extractor",),
    "subjects-complete": ("subjects-complete",),
    "loss-convex": (),
    "loss-constants": (),
    "strongly-history-independent": ("strongly-history-independent",),
    "controller-is-implementation": ("controller-is-implementation",),
    "logical-deletion": ("logical-deletion",),
    "answers-from-own-data": ("answers-from-own-data",),
    "dictionary-before": ("dictionary-before",),
    "nothing-before-training": ("nothing-before-training",),
    "training-data-destroyed": ("training-data-destroyed",),
    "ids-in-dictionary": ("ids-in-dictionary",),
    "one-release-channel": ("one-release-channel",),
    "first-part-strongly-history-independent": ("first-part-has-control",),
    "first-part-answers-without-chance": ("first-part-answers-without-chance",),
    "second-part-strongly-history-independent": (),
    "parts-share-nothing": ("parts-share-nothing",),
    "parts-answer-the-asker": ("parts-answer-the-asker",),
    LINEAGE: (),
    NO_MODEL: (),
}

BACKUPS: Final = "backups-clean"
"""That no backup holds a deleted record: no check reads any, no attestation says it, and `[[outside]]` declares them."""
PEOPLE: Final = "people-declared"
"""That the column of `[data] person` says whose each record is."""
DERIVATIONS: Final = "derivations-declared"
"""That rows were made from the records that `[data] derived_from` names, and from no others."""
ATTESTABLE: Final = tuple(_FACTS)
"""Every name, in the order in which a controller is asked."""

PROOFS: Final = frozenset({"answers-from-own-data", "strongly-history-independent"})
"""Those that stand in for a proof: silence on one is nothing that anybody has left unsaid."""


def facts_of(name: str) -> tuple[str, ...]:
    """Name the facts of the catalogue that follow from an attested name alone; none where a check makes something of it.

    Raises:
        KeyError: If no attestation is called so.
    """
    return _FACTS[name]


def name_for(fact: str) -> str | None:
    """Name what to attest for a fact, the narrowest of several; None where no word can give it."""
    return next((name for name in sorted(_FACTS, key=lambda each: len(_FACTS[each])) if fact in _FACTS[name]), None)
