"""Sentences about columns that were fitted on deleted records."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from auditor.words.kinds import Sentences


def _columns(given: Mapping[str, Any]) -> str:
    named, count = given["columns"], given["count"]
    more = f" and {count - len(named)} more" if count > len(named) else ""
    return f"feature{'s' if count > 1 else ''} {', '.join(str(each) for each in named)}{more}"


def _standardised(given: Mapping[str, Any]) -> str:
    return f"{_columns(given)}: mean 0 and deviation 1 over all training records, and not over those that remain"


def _min_max(given: Mapping[str, Any]) -> str:
    return f"{_columns(given)}: scaled to a smallest and a largest value of which only deleted records reach both"


def _one_hot(given: Mapping[str, Any]) -> str:
    return f"{_columns(given)}: 0 or 1, and only deleted records have a 1"


def _fitted(given: Mapping[str, Any]) -> str:
    return f"the training data show a fit on deleted records: {'; '.join(given['found'])}"


def _beside(given: Mapping[str, Any]) -> str:
    return (
        f"Scaling or encoding was fitted on deleted records, which the values of others keep a trace of: {'; '.join(given['found'])}. "
        "Fit it on the records that remain, or on none, and train again."
    )


SENTENCES: Final[Sentences] = {
    "preprocessing.standardised": _standardised,
    "preprocessing.min-max": _min_max,
    "preprocessing.one-hot": _one_hot,
    "fact.preprocessing-clean.fitted": _fitted,
    "data.erased.preprocessing": _beside,
}
