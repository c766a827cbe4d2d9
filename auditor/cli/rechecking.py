"""The command that rechecks results: verify."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from auditor.base.writing import FIRST_STAGE
from auditor.terminal.options import Json, Quiet
from auditor.terminal.output import narrate, print_json, say
from auditor.terminal.progress import progress

if TYPE_CHECKING:
    from auditor.document.leaves import Counts
    from auditor.recheck import Outcome, Rechecked


def verify(
    file: Annotated[
        Path,
        typer.Argument(
            metavar="FILE", help="An evidence.json, a report or letter in PDF, or an audit folder.", show_default=False
        ),
    ],
    key: Annotated[
        Path | None,
        typer.Option(metavar="PUB", help="Require a statement signed with this public key.", show_default=False),
    ] = None,
    as_json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Recheck results: derive everything again and compare.

    Derives findings, certificates, guarantees and the verdict again from what was declared and observed, and compares them with
    the evidence. Checks digests and, with --key, the signature. Renders pages again from their evidence, which takes some
    seconds, and compares them. Says what protects the results against changes.

    Exit codes: 0 everything agrees; 1 something does not; 2 unreadable; 3 a part of a third party took part that is not installed
    here, or is another one.
    """
    from auditor.api.results.rendering import loader  # noqa: PLC0415
    from auditor.recheck import recheck  # noqa: PLC0415

    with progress(shown=not (quiet or as_json)) as on_step:

        def tell(message: str) -> None:
            narrate(message, quiet=quiet or as_json)
            on_step("pages", 0, 1)

        on_step("verify", 0, 1)
        outcome = recheck(file, public_key=key, renderer=loader(tell))
    if as_json:
        print_json(_listed(outcome))
    else:
        if not quiet:
            _tell_all(outcome)
        lines, left = outcome.first_lines
        for line in lines:
            typer.echo(_safe(line))
        if left:
            typer.echo(say("cli-verify-more", count=left))
        typer.echo(_safe(outcome.sentence))
    raise typer.Exit(outcome.exit_code)


def _tell_all(outcome: Outcome, within: str = "") -> None:
    """What was rechecked, and what was not; the first stage of an audit with its own result."""
    for document in outcome.documents:
        _tell(document, within)
    if outcome.others:
        typer.echo(_safe(say("cli-not-rechecked", names=", ".join(f"{within}{each}" for each in outcome.others))))
    if outcome.receipts:
        typer.echo(_safe(say("cli-purged-since", names=", ".join(f"{within}{each}" for each in outcome.receipts))))
    if outcome.first is not None:
        _tell_all(outcome.first.outcome, f"{FIRST_STAGE}/")
        typer.echo(_safe(f"{FIRST_STAGE}/: {outcome.first.outcome.sentence}"))
        if not outcome.first.of_this:
            typer.echo(say("cli-first-of-another", folder=f"{FIRST_STAGE}/"))


def _tell(document: Rechecked, within: str) -> None:
    """What was rechecked of one document, with counts."""
    typer.echo(_safe(say("cli-rechecked", name=f"{within}{document.name}", kind=document.kind, sha256=document.sha256)))
    for part in document.parts:
        if part.total:
            typer.echo(say("cli-rechecked-part", name=f"{part.name:<22}", agreed=f"{part.agreed:>6}", total=part.total))
    if document.conclusion is not None:
        typer.echo(say("cli-rechecked-conclusion", conclusion=say(f"conclusion-{document.conclusion}")))
    for said in document.stated:
        typer.echo(_safe(say("cli-taken-on-trust", said=said)))


def _listed(outcome: Outcome) -> dict[str, Any]:
    return {
        "agrees": outcome.agrees,
        "protection": outcome.protection,
        "sentence": outcome.sentence,
        "pages_not_compared": list(outcome.not_compared),
        "not_rechecked": list(outcome.others),
        **({"purge_receipts": list(outcome.receipts)} if outcome.receipts else {}),
        **({"parts_lacking": list(outcome.lacking)} if outcome.lacking else {}),
        **(
            {} if outcome.first is None else {"first": {"of_this_audit": outcome.first.of_this, **_listed(outcome.first.outcome)}}
        ),
        "documents": [
            {
                "name": document.name,
                "kind": document.kind,
                "sha256": document.sha256,
                "parts": [{"name": part.name, "agreed": part.agreed, "total": part.total} for part in document.parts],
                "stated": list(document.stated),
                **({} if document.conclusion is None else {"conclusion": document.conclusion}),
                **({} if document.leaves is None else {"leaves": _counts(document.leaves)}),
            }
            for document in outcome.documents
        ],
        "findings": [
            {"document": place, "place": finding.place, "message": finding.message} for place, finding in outcome.findings
        ],
    }


def _counts(leaves: Counts) -> dict[str, int]:
    """How many leaves of the evidence are derived, declared and observed."""
    from auditor.document.leaves import RestsOn  # noqa: PLC0415

    return {kind.value: leaves.of(kind) for kind in RestsOn}


def _safe(text: str) -> str:
    """Text of a document that comes from anybody, without anything that steers a terminal."""
    return "".join(character if character.isprintable() else "\ufffd" for character in text)
