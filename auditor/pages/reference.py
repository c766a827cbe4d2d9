"""Standing text of the report: the terms of the glossary, by what their messages are called."""

from __future__ import annotations

from typing import Final

from auditor.pages.words.texts import text

TERMS: Final = (
    "advantage",
    "attested",
    "batch",
    "budget",
    "certified-removal",
    "computed",
    "confidence-interval",
    "data-deletion",
    "deletion-as-control",
    "delta-delta",
    "differential-privacy",
    "digest",
    "epsilon-epsilon",
    "epsilon-dd-epsilon-dp",
    "false-positive-rate",
    "forget-set-retain-set-test-set",
    "inconclusive",
    "informative",
    "measured",
    "membership-advantage",
    "membership-inference",
    "newton-removal",
    "no-unlearning-baseline",
    "not-shown",
    "quality-q",
    "refuted",
    "release",
    "renyi-divergence",
    "rerun",
    "residual-beta",
    "retraining",
    "shadow-model",
    "shown",
    "sigma-sigma",
    "stateless",
    "supported",
    "swap-pair",
    "swap-test",
    "threat-model",
    "threshold",
)
"""Terms of the report, in alphabetical order of their spoken names."""

OF_PLACES: Final = ("attested", "digest", "inconclusive", "informative", "measured", "threshold")
"""Those of a report on places alone, which says nothing of models and games."""


def meaning(term: str) -> tuple[str, str]:
    """Give a term as it is printed, and what it means here."""
    return text(f"glossary-{term}"), text(f"glossary-{term}-means")
