"""What the training data show of preprocessing: a fact of their own, which no word of the controller's outweighs."""

from __future__ import annotations

from auditor.base.domain import Fact, How, Reason
from auditor.settings.attestations import PREPROCESSING
from auditor.verdict.checks.context import Context
from auditor.verdict.guarantees import fact


def seen(context: Context) -> tuple[Reason, ...]:
    """What was fitted on deleted records, a reason for each kind; empty where nothing shows."""
    return tuple(
        Reason(f"preprocessing.{each.kind}", {"columns": list(each.columns), "count": each.count})
        for each in context.case.preprocessing or ()
    )


def facts(context: Context) -> tuple[Fact, ...]:
    """State that preprocessing is not clean, where columns show it. That they show nothing says nothing."""
    found = seen(context)
    return (fact(PREPROCESSING, How.REFUTED, Reason("fact.preprocessing-clean.fitted", {"found": found})),) if found else ()
