"""What a controller attests in [claims], as facts: its word, unless what it handed in says otherwise. Silence attests nothing."""

from __future__ import annotations

from auditor.base.domain import Fact, Message, Provenance, Status
from auditor.settings.attestations import ATTESTABLE, PROOFS, RELEASED, facts_of, name_for
from auditor.verdict.checks.context import Context
from auditor.verdict.checks.finding import Finding
from auditor.verdict.guarantees import fact


def facts(context: Context, erased: Finding) -> tuple[Fact, ...]:
    """Give each fact that a word can give: attested, refuted, or unknown with the name that would attest it.

    Args:
        context: What was declared.
        erased: The finding of `data.erased`: found records contradict the word that the training data were destroyed.
    """
    attested = {name for word in context.claims.attested for name in facts_of(word)}
    proofs = {word for word in PROOFS if context.attests(word) and _is_one_program(context)}
    asked = (word for word in ATTESTABLE if word not in PROOFS or word in proofs)
    known = dict.fromkeys(name for word in asked for name in facts_of(word))
    return tuple(_fact(name, context, erased, attested=name in attested) for name in known)


def _is_one_program(context: Context) -> bool:
    """Whether word of a proof counts: of one whole program that was played.

    Of a learner it would say what no check has seen anything of; each of two programs side by side has words of its own.
    """
    return context.controller is not None and not context.controller.parts and not context.learns


def not_attested(name: str, *, by: str | None = None) -> Fact:
    """Give a fact that nobody attests as unknown.

    Args:
        name: Of the fact.
        by: The name that would attest it; None where the fact follows from a name alone.
    """
    return fact(name, Provenance.UNKNOWN, Message("fact.not-attested", {"name": by or name_for(name)}))


def _fact(name: str, context: Context, erased: Finding, *, attested: bool) -> Fact:
    if name == RELEASED and context.case.model is not None:
        return fact(name, Provenance.UNKNOWN, Message("fact.release-reproduced.file-decides"))
    if not attested:
        return not_attested(name)
    given = {"by": context.claims.attested_by, "at": str(context.claims.attested_at)}
    if name == "training-data-destroyed" and erased.status is Status.FAIL:
        return fact(name, Provenance.REFUTED, Message("fact.attested.records-found", given))
    if name == "training-data-destroyed" and context.case.store is not None:
        return fact(name, Provenance.REFUTED, Message("fact.attested.store-kept", given))
    return fact(name, Provenance.ATTESTED, Message("fact.attested.by-controller", given))
