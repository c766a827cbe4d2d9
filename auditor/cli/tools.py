"""The commands that need no audit: init, calc."""

from __future__ import annotations

from typing import Annotated

import typer

from auditor.base.errors import UsageError
from auditor.terminal.options import Json, Parts, Quiet, take_parts
from auditor.terminal.output import print_json, say, whisper


def calc(
    context: typer.Context,
    rule: Annotated[str | None, typer.Argument(metavar="RULE", help="Name of a formula; see --list.", show_default=False)] = None,
    listed: Annotated[bool, typer.Option("--list", help="List all rules, each with its theorem.")] = False,
    part: Parts = None,
    as_json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Calculate one formula, by name."""
    from auditor.maths.certificates import rules  # noqa: PLC0415
    from auditor.maths.certificates.calculator import parse_and_derive  # noqa: PLC0415

    take_parts(context, part)
    if listed:
        if as_json:
            print_json({kind: {"theorem": item.theorem, "summary": item.summary} for kind, item in rules().items()})
            return
        width = max(map(len, rules())) + 2
        for kind, item in rules().items():
            typer.echo(f"{kind:<{width}}{item.summary}\n{'':<{width}}{item.theorem}\n{'':<{width}}{item.example}")
        return
    if rule is None:
        raise UsageError(f"calc: expected a rule, one of {', '.join(rules())}; auditor calc --list describes them")
    certificate = parse_and_derive(rule, _pairs(context.args))
    if as_json:
        print_json(dict(certificate.outputs))
    else:
        for name, value in certificate.outputs.items():
            typer.echo(f"{name} = {value}" if not quiet else f"{value}")
    failing = [condition for condition in certificate.conditions if not condition.holds]
    for condition in failing:
        whisper(say("cli-premise-fails", name=condition.name, found=condition.found))
    if failing:
        raise typer.Exit(2)


def _pairs(words: list[str]) -> dict[str, str]:
    """`--name value` and `--name=value` from what is left of the command line."""
    pairs: dict[str, str] = {}
    waiting = list(words)
    while waiting:
        word = waiting.pop(0)
        if not word.startswith("--"):
            raise UsageError(f"calc: expected --name VALUE, found {word}")
        name, equals, value = word[2:].partition("=")
        if not equals:
            if not waiting:
                raise UsageError(f"calc: expected a value after --{name}")
            value = waiting.pop(0)
        if name in pairs:
            raise UsageError(f"calc: --{name} is given twice")
        pairs[name] = value
    return pairs
