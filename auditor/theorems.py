"""The theorems that a guarantee can follow from, each with the names of the facts that it needs."""

from __future__ import annotations

from dataclasses import dataclass, replace


@dataclass(frozen=True, slots=True)
class Rule:
    """A theorem: what it needs."""

    citation: str
    needs: tuple[str, ...]
    """Names of facts."""


NEWTON_ROUTE = Rule(
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
        "preprocessing-clean",
    ),
)
LAPLACE_ROUTE = replace(
    NEWTON_ROUTE,
    citation="Guo et al. 2020, Theorem 3(i), with the density that its proof needs",
    needs=tuple("perturbation-laplace" if name == "perturbation-gaussian" else name for name in NEWTON_ROUTE.needs),
)
NOISE_ROUTE = Rule(
    "Strong convexity, and the exact Gaussian trade-off of Balle and Wang 2018, Theorem 8, between releases with the same noise",
    (
        "objective-strongly-convex",
        "release-noise",
        "residual-enforced",
        "noise-criterion-met",
        "seed-unguessable",
        "release-reproduced",
        "log-consistent",
    ),
)
"""What else it needs stands in its statement: that the noise is kept secret, that requests were fixed in advance, which records
are meant, and that the training records are those that were given."""
RETRAIN_ROUTE = Rule(
    "Guo et al. 2020, Section 2: the mechanism M(A(D), D, x) = A(D∖x) has ε = 0",
    ("retrained", "release-reproduced", "log-consistent", "log-complete", "requests-fixed", "preprocessing-clean"),
)


def above_extractor(rule: Rule) -> Rule:
    """The same theorem for features that a private extractor made. No run establishes what is said of it."""
    others = tuple(name for name in rule.needs if name != "preprocessing-clean")
    citation = f"{rule.citation}; above a private extractor Guo et al. 2020, Theorem 5"
    return Rule(citation, (*others, "extractor-private", "every-extractor"))


ABOVE_EXTRACTOR_ROUTES = tuple(above_extractor(route) for route in (NEWTON_ROUTE, LAPLACE_ROUTE, NOISE_ROUTE, RETRAIN_ROUTE))
"""The routes to certified removal where a private extractor made the features."""
HISTORY_ROUTE = Rule(
    "Deletion-as-control, Theorem 3.7: (0, 0)-control",
    ("strongly-history-independent", "controller-is-implementation", "logical-deletion"),
)
PRIVATE_ROUTE = Rule(
    "Deletion-as-control, Proposition 5.1 and Corollary 5.2: (ε, δ)-control, model never updated",
    ("dp-per-subject", "release-reproduced", "dictionary-before", "nothing-before-training", "training-data-destroyed"),
)
CONTROL_ROUTES = (
    Rule(
        "Deletion-as-control, Section 3.4: a guarantee for the model alone is not control by itself",
        ("model-guarantee", "store-erased", "whole-state", "adaptive", "two-sided"),
    ),
    HISTORY_ROUTE,
    Rule("Deletion-as-control, Theorem 3.8: (ε, δ)-control", ("adaptively-history-independent", "logical-deletion")),
    PRIVATE_ROUTE,
)
CONFIDENTIALITY_ROUTES = (
    Rule(
        "Deletion-as-control, Lemma 5.10 and Theorem 5.9: (ε, δ)-confidentiality for silent subjects",
        ("pan-private", "ids-in-dictionary", "one-release-channel"),
    ),
)
