"""What a controller attests in [claims], as facts: its word, unless what it handed in says otherwise."""

from __future__ import annotations

from auditor.checks.context import Context
from auditor.checks.finding import Finding
from auditor.domain import Fact, How, Reason, Status
from auditor.guarantees import fact


def facts(context: Context, erased: Finding) -> tuple[Fact, ...]:
    """Each fact that the case attests.

    Args:
        context: What was declared.
        erased: The finding of `data.erased`: found records contradict the word that the training data were destroyed.
    """
    return tuple(_fact(name, context, erased) for name in context.claims.attested)


def _fact(name: str, context: Context, erased: Finding) -> Fact:
    if name == "training-data-destroyed" and erased.status is Status.FAIL:
        return fact(name, How.REFUTED, Reason("fact.attested.records-found"))
    if name == "training-data-destroyed" and context.case.store is not None:
        return fact(name, How.REFUTED, Reason("fact.attested.store-kept"))
    return fact(name, How.ATTESTED, Reason("fact.attested.by-controller"))
