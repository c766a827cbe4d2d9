"""The theorems that deletion-as-control and deletion-as-confidentiality follow from, each with the facts that it needs."""

from __future__ import annotations

from typing import Final

from auditor.verdict.theorems import Theorem

OF_THE_MODEL: Final = Theorem(
    "control-from-model",
    "Deletion-as-control, Section 3.4: a guarantee for the model alone is not control by itself",
    ("model-guarantee", "store-erased", "whole-state", "adaptive", "two-sided"),
    concludes=False,
)
"""A placement: certified removal or data deletion of a model is history independence with something left out, never control."""
HISTORY: Final = Theorem(
    "control-from-strong-history-independence",
    "Deletion-as-control, Theorem 3.7: (0, 0)-control",
    ("strongly-history-independent", "controller-is-implementation", "logical-deletion"),
    together="same",
)
ADAPTIVE_HISTORY: Final = Theorem(
    "control-from-adaptive-history-independence",
    "Deletion-as-control, Theorem 3.8: (ε, δ)-control",
    ("adaptively-history-independent", "logical-deletion"),
    together="same",
)
NOISY_HISTORY: Final = Theorem(
    "control-from-noisy-history-independence",
    "Deletion-as-control, Theorem 3.8 with fresh randomness: (ε, δ)-control",
    ("history-hidden-by-noise", "controller-is-implementation", "logical-deletion", "seed-secret"),
    together="same",
)
"""The same with an ε above 0, by noise that nobody who sees the state knows."""
TOUCHSTONE: Final = Theorem(
    "control-from-touchstone",
    "Deletion-as-control, Corollary 3.10 (Theorem 3.8): (ε, δ)-control of private cloud storage and of a public bulletin board",
    ("touchstone-storage", "adaptively-history-independent", "controller-is-implementation"),
    together="same",
    through=("control-from-adaptive-history-independence",),
)
PRIVATE: Final = Theorem(
    "control-from-private-training",
    "Deletion-as-control, Proposition 5.1 and Corollary 5.2: (ε, δ)-control, model never updated",
    ("dp-per-subject", "release-reproduced", "dictionary-before", "nothing-before-training", "training-data-destroyed"),
    together="noise",
)
COMPILED: Final = Theorem(
    "control-from-pan-privacy",
    "Deletion-as-control, Theorem 5.9 (Lemma 5.10, Theorem 4.3): (ε, δ)-control up to the horizon, returning users not covered",
    ("pan-private", "ids-in-dictionary", "one-release-channel", "seed-secret"),
    together="noise",
    through=("control-when-told", "confidentiality-from-counter"),
)
PARALLEL: Final = Theorem(
    "control-from-parallel-composition",
    "Deletion-as-control, Theorem 6.4 and Corollary 6.5: (ε, δ)-control of two parts side by side",
    ("part-has-control", "other-part-has-control", "deterministic-transcript", "disjoint-parts", "query-response", "seed-secret"),
    through=("control-from-pan-privacy", "control-from-strong-history-independence"),
)
DECLARED: Final = Theorem(
    "control-from-declared-parts",
    "Deletion-as-control, Theorem 6.4: (ε, δ)-control of two declared programs side by side",
    (
        "second-part-has-control",
        "first-part-has-control",
        "first-part-answers-without-chance",
        "parts-share-nothing",
        "parts-answer-the-asker",
        "controller-is-implementation",
        "logical-deletion",
        "seed-secret",
    ),
    through=("control-from-strong-history-independence",),
    declared=True,
)
"""Of any pair: the first part is exact and its answers owe nothing to chance, the second has control by a route of its own. That
nothing is kept outside and deleting is logical, which Theorem 3.7 asks too, is asked of both."""
WHEN_TOLD: Final = Theorem(
    "control-when-told",
    "Deletion-as-control, Theorem 4.3: (ε, δ)-control for people who say nothing to others and delete only when told (beyond "
    "them it is false: Theorems 4.4 and 4.5)",
    ("confidential", "silent-subject", "deletes-when-told"),
)
"""It is said of a guarantee of confidentiality, and of such people alone: never a way to control for all."""
UNLEARNING: Final = Theorem(
    "unlearning-from-fresh-history-independence",
    "Deletion-as-control, Proposition 3.12: adaptive machine unlearning (α, β, γ) with α = 3ε and γ = 2δ/β + 2δ/(1 − e^(−ε)), "
    "for every β > 0",
    ("history-independent-when-fresh", "unlearning-syntax", "seed-secret"),
)
BATCHED: Final = Theorem(
    "control-from-private-batch",
    "Deletion-as-control, Proposition 5.1 (Algorithm 1): (ε, δ)-control of one private outcome, whose data are destroyed",
    ("batch-private", "dictionary-before", "nothing-before-training", "training-data-destroyed", "seed-secret"),
    together="noise",
)
OF_COUNTERS: Final = {COMPILED: "pan-private", PARALLEL: "part-has-control", BATCHED: "batch-private"}
"""Routes that a case gives cause for only where something is known of noise in reports: the fact that says so."""
COUNTED: Final = Theorem(
    "confidentiality-from-counter",
    "Deletion-as-control, Lemma 5.10: (ε, δ)-confidentiality for silent subjects, by a counter whose noise is drawn in secret",
    COMPILED.needs,
)
STORED: Final = Theorem(
    "confidentiality-from-private-storage",
    "Deletion-as-control, proof of Theorem 4.4 with Theorem C.2: (0, 0)-confidentiality of private storage, for silent subjects",
    ("answers-from-own-data", *HISTORY.needs),
)
"""The proof of Theorem 4.4 has a store that answers nothing. One that answers each channel from its own operations gives others
the same view with the person and without, by induction over what is asked. The state is the same too: deletion is logical, so
both histories mean the same, and a strongly history independent store has one form for that (Theorem C.2)."""
BATCH_HIDDEN: Final = Theorem(
    "confidentiality-from-private-batch",
    "Deletion-as-control, proof of Proposition 5.1: (ε, δ)-confidentiality of one private outcome, for silent subjects",
    (*BATCHED.needs, "answers-outcome-alone"),
)
"""The argument of Proposition 5.1 for silent subjects. Before the outcome nobody is answered, so that what others ask is fixed;
data with and without the person are neighbours. From then on the state is the outcome, and what others see is a function of it
(post-processing, Lemma B.2). Without an outcome, deletion is logical and the dictionary has one form."""
BY_NAME: Final = {
    **OF_COUNTERS,
    DECLARED: "second-part-has-control",
    TOUCHSTONE: "touchstone-storage",
    NOISY_HISTORY: "history-hidden-by-noise",
}
"""Every route that a case has to give cause for, by the fact that does."""
TO_CONTROL: Final = (OF_THE_MODEL, HISTORY, ADAPTIVE_HISTORY, PRIVATE)
TO_CONFIDENTIALITY: Final = (
    Theorem(
        "confidentiality-from-pan-privacy",
        "Deletion-as-control, Lemma 5.10 and Theorem 5.9: (ε, δ)-confidentiality for silent subjects",
        ("pan-private", "ids-in-dictionary", "one-release-channel"),
    ),
)
HIDDEN_BY_NAME: Final = {COUNTED: "pan-private", STORED: "answers-from-own-data", BATCH_HIDDEN: "batch-private"}
"""Routes to confidentiality that a case has to give cause for, by the fact that does."""
THEOREMS: Final = (*TO_CONTROL, *BY_NAME, *TO_CONFIDENTIALITY, *HIDDEN_BY_NAME, WHEN_TOLD, UNLEARNING)
ROUTES: Final = {
    "deletion-as-control": (*TO_CONTROL, *BY_NAME),
    "deletion-as-confidentiality": tuple(HIDDEN_BY_NAME),
    "adaptive-unlearning": (UNLEARNING,),
}
"""The theorems that lead to each guarantee, as `auditor explain` lists them."""
