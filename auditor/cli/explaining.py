"""The command explain: an audit in full; what a check means and how to fix a failure; what a guarantee follows from."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from auditor.base.errors import UsageError
from auditor.terminal.options import Json, Parts, evidence_at, take_parts, take_parts_in
from auditor.terminal.output import print_json, say

if TYPE_CHECKING:
    from auditor.document.evidence import Evidence
    from auditor.pages.words.rendered_evidence import Told
    from auditor.verdict.checks.card import Card


def explain(
    context: typer.Context,
    check: Annotated[
        str | None,
        typer.Argument(
            metavar="CHECK|AUDIT",
            help="Id of a check or guarantee, or the folder of an audit or case; lists all checks if left out.",
            show_default=False,
        ),
    ] = None,
    evidence: Annotated[
        Path | None,
        typer.Option("--evidence", "-e", metavar="EVIDENCE", help="Say what this audit found.", show_default=False),
    ] = None,
    everything: Annotated[
        bool, typer.Option("--all", help="Of an audit, also checks that did not run, or passed and decide nothing.")
    ] = False,
    part: Parts = None,
    as_json: Json = False,
) -> None:
    """Explain an audit, a check, or what a guarantee rests on."""
    from auditor.cli import explaining_guarantees  # noqa: PLC0415
    from auditor.verdict.checks import definitions  # noqa: PLC0415

    take_parts(context, part)
    known = {*definitions(), *explaining_guarantees.explained()}
    if check is not None and evidence is None and check not in known and Path(check).exists():
        evidence, check = Path(check), None
    if evidence is not None:
        from auditor.document import evidence_files  # noqa: PLC0415

        evidence = evidence_at(evidence)
        read = evidence_files.read(evidence)
        take_parts_in(context, read)
        if check is None:
            _whole(read, everything=everything, as_json=as_json)
            return
    if check is None:
        _list(as_json=as_json)
        return
    if check in explaining_guarantees.explained():
        explaining_guarantees.explain(check, evidence, as_json=as_json)
        return
    if check not in definitions():
        from auditor.base import suggestions  # noqa: PLC0415
        from auditor.settings.values import show  # noqa: PLC0415

        near = suggestions.nearest(check, (*definitions(), *explaining_guarantees.explained()))
        meant = "" if near is None else f"did you mean {near}? "
        raise UsageError(f"explain: there is no check, guarantee or audit {show(check)}; {meant}auditor explain lists the checks")
    card = definitions()[check].card
    told = None if evidence is None else _told(evidence, check)
    if as_json:
        print_json(_as_json(card, told))
        return
    for line in _lines(card):
        typer.echo(line)
    for line in () if told is None else _of_audit(card, told):
        typer.echo(line)


def _whole(evidence: Evidence, *, everything: bool, as_json: bool) -> None:
    """Everything that an audit found: checks, reasons, steps, and the verdict last."""
    from auditor.pages.words.rendered_evidence import tell  # noqa: PLC0415

    told = tell(evidence)
    if not as_json:
        from rich.console import Console  # noqa: PLC0415

        from auditor.pages.terminal import details  # noqa: PLC0415

        details(told, Console(), everything=everything)
        return
    from auditor.pages.remedies import remedies  # noqa: PLC0415

    steps = [
        {"urgency": each.urgency.value, "checks": list(each.checks), "found": each.found, "action": each.action}
        for each in remedies(told)
    ]
    checks = [{"id": each.id, "status": each.status.value, "value": each.value, "basis": each.basis} for each in told.checks]
    guarantees = [{"id": each.id, "status": each.status.value, "title": each.title} for each in told.guarantees]
    said = {"verdict": told.verdict.value, "exit_code": told.audit.exit_code, "sentence": told.sentence}
    print_json({**said, "checks": checks, "guarantees": guarantees, "steps": steps})


def _list(*, as_json: bool) -> None:
    from auditor.verdict.checks import definitions  # noqa: PLC0415

    cards = [definition.card for definition in definitions().values()]
    if as_json:
        print_json({card.id: card.question for card in cards})
        return
    width = max(len(card.id) for card in cards) + 2
    for card in cards:
        typer.echo(f"{card.id:<{width}}{card.question}")


def _lines(card: Card) -> list[str]:
    """What holds whatever comes of the check."""
    from auditor.pages.reference import meaning  # noqa: PLC0415

    lines = [f"{card.id}: {card.title}", "", card.question, say("cli-explain-value", unit=card.unit)]
    lines += ["", say("cli-explain-failure"), f"  {card.failure}", say("cli-explain-remedy"), f"  {card.remedy}"]
    lines += ["", say("cli-explain-counts", when=_counts(card))]
    lines.append(say("cli-explain-since", version=card.since))
    if card.needs:
        lines.append(say("cli-explain-needs", checks=", ".join(card.needs)))
    if card.unsteady:
        lines.append(say("cli-explain-unsteady", why=card.unsteady))
    terms = [meaning(term) for term in card.glossary]
    if terms:
        lines += ["", say("cli-explain-terms"), *(f"  {term}: {means}" for term, means in terms)]
    return lines


def _counts(card: Card) -> str:
    """When its result counts for the verdict."""
    from auditor.verdict.checks.card import Role  # noqa: PLC0415

    if card.informative:
        return "informative"
    if card.every_case:
        return "every-case"
    if card.required_when_run:
        return "when-run-unless-blind" if Role.ATTACKS_RELEASE in card.roles else "when-run"
    return "applies"


def _told(evidence: Path, check: str) -> Told:
    from auditor.document import evidence_files  # noqa: PLC0415
    from auditor.pages.words.rendered_evidence import tell  # noqa: PLC0415

    told = tell(evidence_files.read(evidence))
    if check not in {each.id for each in told.checks}:
        raise UsageError(f"explain: expected a check of {evidence}, found {check}, which that audit did not have")
    return told


def _of_audit(card: Card, told: Told) -> list[str]:
    """What came of the check in one audit, and what is to be done."""
    from auditor.pages import exchange, wording, words  # noqa: PLC0415
    from auditor.pages.remedies import for_check  # noqa: PLC0415

    found = told.check(card.id)
    reasons = next(each.reasons for each in told.evidence.checks if each.id == card.id)
    lines = ["", say("cli-explain-here", name=wording.shown(told.case.name), status=found.status.value)]
    if found.value is not None:
        value = wording.number(found.value)
        threshold = None if found.threshold is None else wording.threshold(found)
        lines.append(f"  {say('cli-explain-found', value=value, threshold=threshold, unit=wording.unit(found))}")
    # A line for each: what this audit found would be lost in a paragraph behind what the law says.
    lines += [f"  {wording.shown(words.sentence(each))}" for each in reasons]
    for each in for_check(told, card.id):
        # What was found stands above already where it is the reasons themselves.
        step = exchange.remedy_lines(each)
        shown = (line for line in step if line != exchange.found_line(found.basis))
        lines += [say("cli-explain-do"), *(f"  {wording.shown(line)}" for line in shown)]
    return lines


def _as_json(card: Card, told: Told | None) -> dict[str, Any]:
    from auditor.pages.remedies import for_check  # noqa: PLC0415

    general = {name: getattr(card, name) for name in ("id", "since", "title", "question", "unit", "failure", "remedy")}
    shown: dict[str, Any] = {**general, "counts": _counts(card), "needs": list(card.needs)}
    if told is not None:
        found = told.check(card.id)
        actions = [each.action for each in for_check(told, card.id)]
        shown["audit"] = {"status": found.status.value, "basis": found.basis, "actions": actions}
    return shown
