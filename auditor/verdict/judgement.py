"""From what was declared and observed to findings: every judge once, each after those that it needs.

`audit` hands over what a run observed, `verify` what an evidence document says was observed; the judges are the same.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Any, Final

from auditor.base.domain import Check, Message, Status
from auditor.base.errors import PartFailedError
from auditor.base.foreign_parts import in_force
from auditor.document.editions import known as knows
from auditor.document.later_fields import as_of
from auditor.verdict.checks import brought_by, definitions, foreign
from auditor.verdict.checks.card import Card, Role
from auditor.verdict.checks.context import Context
from auditor.verdict.checks.definition import Definition
from auditor.verdict.checks.finding import Earlier, Finding, Nothing, Values, skipped
from auditor.verdict.remembered import Remembered, attesting


@dataclass(frozen=True, slots=True)
class Judged:
    """What the judges found, under one declaration."""

    context: Context
    findings: Mapping[str, Finding]
    """By check id, in the order of the contract as far as `needs` allow; read-only."""
    remembered: Remembered = field(default_factory=Remembered, repr=False, compare=False)
    """What judges asked to come to them; no finding depends on it."""

    def attesting(self, words: Collection[str], observed: Mapping[str, Values], *, only: Iterable[str] | None = None) -> Judged:
        """Judge the same observations with other attestations.

        Args:
            words: What the controller attests instead.
            observed: What the run observed, by check id.
            only: Checks to judge, and what they need; None for all.
        """
        context = attesting(self.context, tuple(words))
        found = judge_all(context, observed, again=True, only=only, remembered=self.remembered)
        return Judged(context, MappingProxyType(found), self.remembered)


def judged(context: Context, observed: Mapping[str, Values], *, again: bool = False) -> Judged:
    """Judge every check, as `judge_all` does, and hand over what no later pass changes.

    Raises:
        LookupError: If something was observed for no check, or nothing for one that ran.
    """
    remembered = Remembered()
    return Judged(context, MappingProxyType(judge_all(context, observed, again=again, remembered=remembered)), remembered)


def judge_all(
    context: Context,
    observed: Mapping[str, Values],
    *,
    again: bool = False,
    only: Iterable[str] | None = None,
    remembered: Remembered | None = None,
) -> dict[str, Finding]:
    """Judge every check, each after those that its card needs.

    Args:
        context: What was declared.
        observed: What the run observed, by check id; a check that something runs for and that has none is left out or failed.
        again: Whether observations of a run under other declarations are judged: what that run had no cause to observe was then
            left out.
        only: Checks to judge, and what they need; None for all.
        remembered: What was found under other attestations: a judge that would be told the same is not asked again.

    Returns:
        The findings by id, in the order of the contract as far as `needs` allow.
    """
    known = definitions(context.version)
    found: dict[str, Finding] = {}
    heard = (remembered or Remembered()).heard(context)

    def judge(check_id: str) -> None:
        if check_id in found:
            return
        definition = known[check_id]
        for needed in definition.card.needs:
            judge(needed)
        seen, brings = observed.get(check_id), brought_by(check_id)
        earlier = {needed: replace(found[needed], observed=observed.get(needed)) for needed in definition.card.needs}
        told = (seen, *(each for needed in earlier for each in (found[needed], observed.get(needed))))
        # A foreign judge is heard by nobody, and a first judgement has nothing to remember.
        if brings is None and (kept := heard.before(check_id, told)) is not None and again:
            found[check_id] = kept
            return
        try:
            finding = judge_one(definition, heard.context if brings is None else context, seen, earlier, again=again)
        except Exception as error:
            if brings is None:
                raise
            found_out = f"the check {check_id} of the part {brings.name}: {type(error).__name__}: {error}"
            raise PartFailedError(found_out) from error
        finding = finding if brings is None else foreign.own_certificates(brings.name, finding)
        found[check_id] = _said_then(definition, context, finding)
        if brings is None:
            heard.keep(check_id, told, found[check_id])

    for check_id in known if only is None else only:
        judge(check_id)
    return {check_id: _listed(known[check_id], context, found[check_id]) for check_id in found if check_id in known}


NOT_YET: Final = skipped(Message("not-yet"))
"""The finding of a check that is run after the first stage of an audit, where that is all there is."""


def not_yet(finding: Finding | Check) -> bool:
    """Whether a check is still to run, by its finding or as evidence lists it."""
    return finding.status is Status.SKIPPED and any(each.code == "not-yet" for each in finding.reasons)


PLACES_ALONE: Final = "places.alone"
"""The reason of a check of models or programs that places alone have no use for."""


def judge_one(  # noqa: PLR0911 - one line a reason
    definition: Definition[Any], context: Context, seen: Values | None, earlier: Earlier, *, again: bool = False
) -> Finding:
    """Judge one check, or say why there is nothing to judge; `again` as `judge_all` takes it.

    Raises:
        LookupError: If nothing was observed for a check that ran.
    """
    if not concerns(definition.card, context):
        return skipped(Message("nothing-learned"))
    if not applicable(definition, context):
        alone = PLACES_ALONE if context.places_alone else "answers.alone" if not context.procedure.reruns else "answers.none"
        return skipped(Message(alone))
    if not definition.runs:
        waits = context.first_stage and any(map(not_yet, earlier.values()))
        return NOT_YET if waits else definition.judge(context, Nothing(), earlier)
    if seen is None and _left_out(definition, context):
        return skipped(Message("left-out"))
    if context.audit.failure is not None and seen is None:
        return Finding(Status.ERROR, reasons=(Message("failed", {"message": context.audit.failure}),))
    reason = definition.applies(context, earlier)
    if reason is not None:
        return skipped(reason)
    if context.first_stage and (seen is None or not definition.first(context)):
        return NOT_YET
    if seen is None and again:
        return skipped(Message("left-out"))
    if seen is None:
        raise LookupError(f"nothing was observed for {definition.card.id}")
    finding = definition.judge(context, seen, earlier)
    names = _foreign_attacks()
    without = foreign.without_attacks(seen, names) if names else seen
    return finding if without is seen else foreign.no_better(finding, _judged(definition, context, without, earlier))


def _foreign_attacks() -> frozenset[str]:
    """Name the attacks of foreign parts in force."""
    if not in_force():
        return frozenset()
    from auditor.attacks import foreign as brought  # noqa: PLC0415 - a letter and most rechecks have no use for attacks

    return brought()


def _judged(definition: Definition[Any], context: Context, seen: Values, earlier: Earlier) -> Finding | None:
    """The finding of what was observed without foreign attacks; None where nothing is left that can be judged."""
    try:
        return definition.judge(context, seen, earlier)
    except (LookupError, ValueError):
        return None


def _said_then(definition: Definition[Any], context: Context, finding: Finding) -> Finding:
    """A finding without what its judge has only come to say since the version that ran."""
    later = definition.later_reasons
    reasons = tuple(each for each in finding.reasons if each.code not in later or knows(later[each.code], context.version))
    derived = None if finding.derived is None else as_of(finding.derived, context.version)
    return replace(finding, reasons=reasons, derived=derived)


def concerns(card: Card, context: Context) -> bool:
    """Whether a check can be one for a case: of a whole controller alone few are, as nothing learns there."""
    return context.learns or context.places_alone or card.of_controllers


def applicable(definition: Definition[Any], context: Context) -> bool:
    """Whether a check is one for a case of this kind: where nothing can be run, only what reads the log, answers or places."""
    if context.places_alone:
        return definition.card.of_places or not definition.card.roles.isdisjoint({Role.CHECKS_LOG, Role.CHECKS_DEADLINES})
    if definition.card.of_places:
        return False
    if context.procedure.reruns:
        return not definition.card.of_answers
    return not definition.runs or definition.card.of_answers or Role.READS_ANSWERS in definition.card.roles


def _listed(definition: Definition[Any], context: Context, finding: Finding) -> Finding:
    """A finding as the audit lists it: one that was left out decides nothing, though others may rest on what it found."""
    if not _left_out(definition, context):
        return finding
    return Finding(Status.SKIPPED, reasons=(Message("left-out"),), facts=finding.facts, certificates=finding.certificates)


def _left_out(definition: Definition[Any], context: Context) -> bool:
    return context.audit.only is not None and definition.card.id not in context.audit.only
