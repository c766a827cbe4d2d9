"""The theorems that deletion-as-control and deletion-as-confidentiality follow from, each with the facts that it needs."""

from __future__ import annotations

from typing import Final

from auditor.theorems.theorem import Theorem

OF_THE_MODEL: Final = Theorem(
    "control-from-model",
    "Deletion-as-control, Section 3.4: a guarantee for the model alone is not control by itself",
    ("model-guarantee", "store-erased", "whole-state", "adaptive", "two-sided"),
)
HISTORY: Final = Theorem(
    "control-from-strong-history-independence",
    "Deletion-as-control, Theorem 3.7: (0, 0)-control",
    ("strongly-history-independent", "controller-is-implementation", "logical-deletion"),
)
ADAPTIVE_HISTORY: Final = Theorem(
    "control-from-adaptive-history-independence",
    "Deletion-as-control, Theorem 3.8: (ε, δ)-control",
    ("adaptively-history-independent", "logical-deletion"),
)
PRIVATE: Final = Theorem(
    "control-from-private-training",
    "Deletion-as-control, Proposition 5.1 and Corollary 5.2: (ε, δ)-control, model never updated",
    ("dp-per-subject", "release-reproduced", "dictionary-before", "nothing-before-training", "training-data-destroyed"),
)
TO_CONTROL: Final = (OF_THE_MODEL, HISTORY, ADAPTIVE_HISTORY, PRIVATE)
TO_CONFIDENTIALITY: Final = (
    Theorem(
        "confidentiality-from-pan-privacy",
        "Deletion-as-control, Lemma 5.10 and Theorem 5.9: (ε, δ)-confidentiality for silent subjects",
        ("pan-private", "ids-in-dictionary", "one-release-channel"),
    ),
)
THEOREMS: Final = (*TO_CONTROL, *TO_CONFIDENTIALITY)
