"""`deletion.renyi`: the ε that a deleted record keeps, and whether every premise of the theorem behind it holds.

Noisy gradient descent is judged by Theorems 5.1 and 5.2 of Chourasia and Shah (2023). Any other procedure is judged only where
data deletion is claimed of it, by runs with other records in the place of the deleted ones.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from auditor.base.domain import Fact, Message, Provenance
from auditor.document.evidence import Evidence
from auditor.parts.data_deletion.cards import DELETION_RENYI
from auditor.parts.data_deletion.judging import noise
from auditor.parts.data_deletion.judging.derived import Derived
from auditor.parts.data_deletion.judging.goals import goal, is_meant
from auditor.parts.data_deletion.judging.observed import Observed
from auditor.verdict.checks import guess_bounds, stated
from auditor.verdict.checks.context import SECRET_BITS, Context
from auditor.verdict.checks.definition import Definition
from auditor.verdict.checks.finding import Earlier, Finding, inconclusive, skipped
from auditor.verdict.checks.levels import Level, spent
from auditor.verdict.guarantees import fact

CARD = DELETION_RENYI

__all__ = ["CARD", "CHECK", "Derived", "Observed", "judge"]


def applies(context: Context, _earlier: Earlier) -> Message | None:
    """It applies where data deletion is certified or claimed."""
    if is_meant(context.claims, context.procedure):
        return None
    if context.procedure.built_in is None:
        return Message("deletion.own-code")
    return Message("deletion.other-procedure", {"use": context.procedure.built_in})


def judge(context: Context, observed: Observed, earlier: Earlier) -> Finding:
    """Judge by a theorem where one covers the procedure, by runs with other records where none does."""
    if not observed.deleted:
        return inconclusive(Message("deletion.nothing-deleted"))
    from auditor.parts.data_deletion.judging import by_counterfactual_runs, by_theorem  # noqa: PLC0415 - the theorems, for those who descend

    procedure = context.procedure.descent
    if procedure is not None:
        found = by_theorem.judge(context, procedure, observed, earlier)
    elif observed.counterfactual is not None:
        found = by_counterfactual_runs.judge(context, observed.counterfactual, observed, earlier)
    else:
        return skipped(Message("left-out"))
    nothing = empty(context)
    return replace(
        found,
        status=guess_bounds.at_best_open(found.status, nothing),
        reasons=(*found.reasons, *nothing),
        facts=_facts(found, context),
    )


def empty(context: Context) -> tuple[Message, ...]:
    """Name why what is claimed or allowed promises nothing; what a theorem gives rests on secret noise as well."""
    aim = goal(context.claims, context.policy, context.procedure)
    return aim.empty if context.procedure.descent is None else (*aim.empty, *guess_bounds.guessable(context))


def _facts(found: Finding, context: Context) -> tuple[Fact, ...]:
    """Every premise that is known, code of ours, and a seed that can be found by trying, which is no secret."""
    if not isinstance(found.derived, Derived):
        raise TypeError("a judge of data deletion gives its premises")
    known = tuple(
        fact(each.name, each.how, Message("fact.deletion.found", {"check": CARD.id, "found": each.found}))
        for each in found.derived.premises
        if each.how is not Provenance.UNKNOWN and each.holds is not None
    )
    if context.procedure.descent is None and context.procedure.built_in is not None and not context.procedure.foreign:
        return (
            *known,
            fact("code-clean", Provenance.COMPUTED, Message("fact.code-clean.built-in", {"use": context.procedure.built_in})),
        )
    if context.procedure.descent is None or context.seed_is_secret:
        return known
    return (*known, fact("noise-secret", Provenance.REFUTED, Message("fact.seed-secret.short", {"bits": SECRET_BITS})))


def contradictions(evidence: Evidence, seen: Observed, others: Mapping[str, Any]) -> Iterator[str]:
    """Compare what was observed with the case, the log and itself."""
    yield from stated.batches(evidence, len(seen.deleted))
    yield from stated.removed(evidence, sum(each.removed for each in seen.deleted))
    yield from stated.parameters(evidence, seen.parameter_count)
    if seen.descent is not None and len(seen.descent.steps) != len(seen.deleted) + 1:
        yield f"steps were counted of {len(seen.descent.steps)} updates, the log has {len(seen.deleted)} batches"
    losing = [each.labels_lost for each in (others.get("training.privacy"),) if each is not None]
    losing += [each.loses_labels for each in (others.get("removal.residual"),) if each is not None]
    if any(each != seen.labels_lost for each in losing):
        yield "a label that only deleted records had is lost in one check and not in another"


def levels(_context: Context, _observed: Observed, finding: Finding) -> tuple[Level, ...]:
    """Declare the chi-squared tests of measured noise; the rest is arithmetic."""
    measured = isinstance(finding.derived, Derived) and finding.derived.noise is not None
    return (spent(noise.TEST),) if measured else ()


CHECK = Definition(
    CARD,
    Observed,
    judge,
    applies,
    replays=True,
    wanted=lambda context: is_meant(context.claims, context.procedure),
    contradictions=contradictions,
    derived=(Derived,),
    levels=levels,
)
