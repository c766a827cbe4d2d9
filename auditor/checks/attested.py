"""What a controller attests in [claims], as facts: its word, unless what it handed in says otherwise."""

from __future__ import annotations

from typing import Final

from auditor.checks.context import Context
from auditor.checks.finding import Finding
from auditor.domain import Fact, How, Reason, Status
from auditor.guarantees import fact
from auditor.settings.attestations import facts_of

_RELEASED: Final = "release-reproduced"
"""Where there is a model file, what the rerun says of it counts, and no word."""


def facts(context: Context, erased: Finding) -> tuple[Fact, ...]:
    """Each fact that the case attests.

    Args:
        context: What was declared.
        erased: The finding of `data.erased`: found records contradict the word that the training data were destroyed.
    """
    given = dict.fromkeys(name for word in context.claims.attested for name in facts_of(word))
    return tuple(_fact(name, context, erased) for name in given if not (name == _RELEASED and context.case.model is not None))


def _fact(name: str, context: Context, erased: Finding) -> Fact:
    given = {"by": context.claims.attested_by, "at": str(context.claims.attested_at)}
    if name == "training-data-destroyed" and erased.status is Status.FAIL:
        return fact(name, How.REFUTED, Reason("fact.attested.records-found", given))
    if name == "training-data-destroyed" and context.case.store is not None:
        return fact(name, How.REFUTED, Reason("fact.attested.store-kept", given))
    return fact(name, How.ATTESTED, Reason("fact.attested.by-controller", given))
