"""Derives (q, ε)-data-deletion from facts, by the theorem that its number rests on."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from auditor.base.domain import ClaimStatus, Fact, Guarantee, Message, Provenance
from auditor.base.terms import DeletionTerms
from auditor.parts.data_deletion.theorems import Deletion, theorem
from auditor.verdict.guarantees import DATA_DELETION, Derivable, Pledges, derive, standing
from auditor.verdict.theorems import needing


def model_data_deletion(facts: Mapping[str, Fact], deletion: Deletion, version: str) -> Guarantee:
    """The guarantee that later models are (q, ε)-close to ones that never saw a deleted person's records.

    It is at best *supported*: that requests were fixed in advance, that the log is complete, that the seed is secret and that no
    preprocessing saw the deleted records are the controller's word. Where an attack of this run contradicts the claimed or
    certified ε, it is *refuted*, whatever its premises say.
    """
    rule = theorem(deletion)
    attacked = facts.get("deletion-unrefuted")
    derivation = derive(rule if attacked is None else needing(rule, attacked.name), facts)
    status = ClaimStatus.REFUTED if attacked is not None and attacked.how is Provenance.REFUTED else standing(derivation, version)
    if status in {ClaimStatus.SHOWN, ClaimStatus.SUPPORTED} and (deletion.epsilon is None or deletion.source is None):
        status = ClaimStatus.NOT_SHOWN
    holds = status in {ClaimStatus.SHOWN, ClaimStatus.SUPPORTED}
    return Guarantee(
        id=DATA_DELETION,
        status=status,
        epsilon=deletion.epsilon if holds else None,
        delta=None,
        derivation=(derivation,),
        order=deletion.order if holds else None,
        terms=DeletionTerms(
            order=deletion.order,
            epsilon=deletion.epsilon,
            source=deletion.source,
            seen=deletion.seen,
            advantage=deletion.advantage,
            records=deletion.records,
            of=deletion.of,
            promise=deletion.promise if holds else None,
        ),
    )


def _found(pledges: Pledges) -> Deletion | None:
    """Read what the checks found.

    Raises:
        TypeError: If something else was handed over as one.
    """
    match pledges.deletion:
        case None | Deletion():
            return pledges.deletion
        case other:
            raise TypeError(f"{type(other).__name__} says nothing of data deletion")


def _derived(facts: Mapping[str, Fact], pledges: Pledges, version: str) -> Guarantee | None:
    """Derive it where the case gives cause for it."""
    found = _found(pledges)
    return None if found is None else model_data_deletion(facts, found, version)


def _leaves_open(pledges: Pledges) -> tuple[Fact, ...]:
    """Name what a guarantee of later models does not say of people who see them."""
    found = _found(pledges)
    if found is None:
        return ()
    return (Fact("adaptive", Provenance.UNKNOWN, Message("fact.missing.adaptive-requests", {"seen": found.seen})),)


GUARANTEES: Final = (Derivable(DATA_DELETION, 20, _derived, of_model=True, leaves_open=_leaves_open),)
