"""What a controller attests in [claims], as facts: its word, unless what it handed in says otherwise."""

from __future__ import annotations

from collections.abc import Iterable

from auditor.case import Case
from auditor.domain import Check, Fact, How, Status
from auditor.guarantees import fact

WORD = "by the controller, in [claims] attested"


def facts(case: Case, checks: Iterable[Check]) -> tuple[Fact, ...]:
    """Each fact that the case attests.

    Args:
        case: The case, with its claims.
        checks: What the audit found: a search that found deleted records contradicts the word that the data were destroyed.
    """
    found = any(check.id == "data.erased" and check.status is Status.FAIL for check in checks)
    return tuple(_fact(name, case, found=found) for name in case.settings.claims.attested)


def _fact(name: str, case: Case, *, found: bool) -> Fact:
    if name == "training-data-destroyed" and found:
        return fact(name, How.REFUTED, f"{WORD}; data.erased found deleted records")
    if name == "training-data-destroyed" and case.store is not None:
        return fact(name, How.REFUTED, f"{WORD}; and yet the case names a data store that the controller keeps")
    return fact(name, How.ATTESTED, WORD)
