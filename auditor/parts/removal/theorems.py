"""The theorems that certified removal follows from, each with the names of the facts that it needs."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from auditor.settings.attestations import PREPROCESSING
from auditor.verdict.theorems import Theorem

NEWTON: Final = Theorem(
    "loss-perturbation-gaussian",
    "Guo et al. 2020, Theorem 3(ii), with the exact Gaussian trade-off of Balle and Wang 2018, Theorem 8",
    (
        "objective-strongly-convex",
        "perturbation-gaussian",
        "criterion-met",
        "release-reproduced",
        "log-consistent",
        "log-complete",
        "residual-independent",
        "seed-secret",
        "requests-fixed",
        PREPROCESSING,
    ),
)
LAPLACE: Final = Theorem(
    "loss-perturbation-laplace",
    "Guo et al. 2020, Theorem 3(i), with the density that its proof needs",
    tuple("perturbation-laplace" if name == "perturbation-gaussian" else name for name in NEWTON.needs),
)
NOISE: Final = Theorem(
    "output-noise",
    "Strong convexity, and the exact Gaussian trade-off of Balle and Wang 2018, Theorem 8, between releases with the same noise",
    (
        "objective-strongly-convex",
        "release-noise",
        "residual-enforced",
        "noise-criterion-met",
        "seed-unguessable",
        "seed-secret",
        "settings-fixed",
        "release-reproduced",
        "log-consistent",
    ),
    under=("seed-secret", "settings-fixed"),
    unless=("log-complete", "requests-fixed", "own-request-fixed", "seen-releases", PREPROCESSING),
)
"""Its statement names the conditions that it is made under. That the seed was drawn at random and is kept, and that r, s and λ
were fixed without examining the data, the controller has to say: 10^29 has as many bits as a drawn seed. Others it only names:
that requests were fixed in advance, where the log says that nobody had seen a release, which records are meant, and that the
training records are those that were given. It is about those, and false where one of them is: then what refutes it fails it."""
RETRAINING: Final = Theorem(
    "retraining",
    "Guo et al. 2020, Section 2: the mechanism M(A(D), D, x) = A(D∖x) has ε = 0",
    ("retrained", "release-reproduced", "log-consistent", "log-complete", "requests-fixed", PREPROCESSING),
)
_ABOVE_EXTRACTOR: Final = "-above-extractor"


def above_extractor(theorem: Theorem) -> Theorem:
    """The same theorem for features that a private extractor made. No run establishes what is said of it."""
    others = tuple(name for name in theorem.needs if name != PREPROCESSING)
    return replace(
        theorem,
        id=theorem.id + _ABOVE_EXTRACTOR,
        citation=f"{theorem.citation}; above a private extractor Guo et al. 2020, Theorem 5",
        needs=(*others, "extractor-private", "every-extractor"),
        unless=tuple(dict.fromkeys((*theorem.unless, PREPROCESSING))),
    )


def is_above_extractor(theorem_id: str) -> bool:
    """Whether a theorem of that id is one above a private extractor."""
    return theorem_id.endswith(_ABOVE_EXTRACTOR)


PLAIN: Final = (NEWTON, LAPLACE, NOISE, RETRAINING)
THEOREMS: Final = (*PLAIN, *(above_extractor(each) for each in PLAIN))
