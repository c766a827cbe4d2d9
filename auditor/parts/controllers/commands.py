"""The command that runs a counterexample again: replay."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import typer

from auditor.base.errors import UsageError
from auditor.terminal import Command
from auditor.terminal.options import Json
from auditor.terminal.output import narrate, print_json, say

if TYPE_CHECKING:
    from auditor.parts.controllers.counterexamples import Counterexample
    from auditor.parts.controllers.observing.histories.sandboxed import Stand


def replay(
    counterexample: Annotated[
        Path, typer.Argument(metavar="COUNTEREXAMPLE", help="A counterexample-N.json from an audit.", show_default=False)
    ],
    case: Annotated[
        Path | None, typer.Option(help="The case that holds the controller's own code.", metavar="CASE", show_default=False)
    ] = None,
    any_controller: Annotated[
        bool, typer.Option("--any", help="Replay it even if the controller differs from the one it was found with.")
    ] = False,
    as_json: Json = False,
) -> None:
    """Replay a counterexample, in fresh processes.

    Exit codes: 0 both histories leave the same state and answers; 1 they still leave different ones; 2 a file that cannot be
    read, or another controller; 4 the controller or the sandbox failed.
    """
    from auditor.base.histories import Move  # noqa: PLC0415
    from auditor.parts.controllers import counterexamples  # noqa: PLC0415
    from auditor.parts.controllers.observing.histories import asking  # noqa: PLC0415
    from auditor.parts.controllers.observing.histories.playing import Play  # noqa: PLC0415

    found = counterexamples.read(counterexample)
    stand, digest = _stand(found, case)
    same = digest == found.controller.digest
    if not (same or any_controller):
        raise UsageError(
            f"{counterexample}: it was found with another controller, code or parameters; --any plays it all the same"
        )
    ran = []
    for side in found.sides:
        with stand.player() as player:
            ran += player.play([Play(found.seed, tuple(Move(*each) for each in side))])
    states = [each.state for each in ran]
    (left, right), (one, other) = found.sides, ran
    differs = asking.differ(left, right, one, other, frozenset(found.commuting))
    if as_json:
        print_json({"differs": differs, "bytes": [len(each) for each in states], "same_controller": same})
    else:
        if not same:
            narrate(say("cli-other-controller"))
        typer.echo(_still_different(states) if differs else say("cli-no-longer-different"))
    raise typer.Exit(1 if differs else 0)


def _still_different(states: list[bytes]) -> str:
    left, right = states
    if left == right:
        return say("cli-still-answered")
    place = next((at for at, (a, b) in enumerate(zip(left, right, strict=False)) if a != b), min(len(left), len(right)))
    return say("cli-still-different", left=len(left), right=len(right), place=place)


def _stand(found: Counterexample, folder: Path | None) -> tuple[Stand, str]:
    """Where to play it, and the digest of the controller that is played there.

    Raises:
        InputError: If the case cannot be read.
        UsageError: If it needs a case, or the case has no such controller.
    """
    from pydantic import ValidationError  # noqa: PLC0415

    from auditor import case as cases  # noqa: PLC0415
    from auditor.audit.describing import digest_of_controller  # noqa: PLC0415
    from auditor.pages.taking_part import taking_part  # noqa: PLC0415
    from auditor.parts.controllers.observing.histories.sandboxed import Stand  # noqa: PLC0415
    from auditor.sandbox import Limits, available, gate  # noqa: PLC0415
    from auditor.settings.controller import ControllerTable  # noqa: PLC0415

    if folder is None:
        if found.controller.use is None:
            raise UsageError("the controller is code of a case: name the case with --case CASE")
        try:
            table = ControllerTable(use=found.controller.use, params=found.controller.params)
        except ValidationError:
            raise UsageError("the counterexample names a controller that this version does not have") from None
        level, _ = gate(foreign=False, isolation="auto", available=available())
        return Stand.of_table(table, level, Limits()), digest_of_controller(table, None)
    with taking_part(cases.parts_named(folder)):
        case = cases.read(folder)
    declared = case.settings.controller
    if declared is None:
        raise UsageError(f"{folder}: the case has no [controller]")
    level, _ = gate(foreign=declared.foreign, isolation=case.settings.sandbox.isolation, available=available())
    return Stand.of(case, level), digest_of_controller(declared, case.controller_code, case.controller_parts)


COMMANDS: Final = (Command("replay", replay, "replay audit/counterexample-1.json --case my-case", after="doctor"),)
