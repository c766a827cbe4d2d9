"""The command canonical: a model file with nothing in it but its parameters."""

from __future__ import annotations

from dataclasses import asdict, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import typer

from auditor.base.errors import UsageError
from auditor.terminal import Command
from auditor.terminal.options import Json, Quiet
from auditor.terminal.output import narrate, print_json, say

if TYPE_CHECKING:
    from auditor.case.files import Source
    from auditor.case.rewriting import Rewritten


def canonical(
    source: Annotated[Path, typer.Argument(metavar="IN", help="A .safetensors, .npz, .pt or .skops file.", show_default=False)],
    output: Annotated[
        Path, typer.Option("--output", "-o", metavar="OUT", help="The file to write; it may be IN.", show_default=False)
    ],
    grid: Annotated[
        str | None,
        typer.Option(metavar="G", help="Round to multiples of this power of two, such as 2^-24.", show_default=False),
    ] = None,
    as_json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Write a model file that holds nothing but its parameters.

    Drops metadata, comments, gaps, further arrays and anything else that the file holds in addition to the array `parameters`,
    and with --grid the low bits of every parameter. Every tensor of a `state_dict` is kept; a .pt file is loaded in the sandbox,
    weights only. `model.reproduced` passes such a file if the rerun gives the same parameters. Declare the grid in audit.toml as
    `[model] grid`. A .skops file loses addresses, dates and gaps.
    """
    from auditor.base.writing import require_folder_of, write_all  # noqa: PLC0415
    from auditor.case.artifacts import OF_TORCH  # noqa: PLC0415
    from auditor.case.files import read_source  # noqa: PLC0415
    from auditor.case.rewriting import rewrite  # noqa: PLC0415
    from auditor.pages.words import sentence  # noqa: PLC0415
    from auditor.parts.release.telling.sentences import power  # noqa: PLC0415

    step = None if grid is None else _power_of_two(grid)
    read = read_source(source)
    if source.suffix.lower() == ".skops":
        _write_skops(read, output, grid=step, as_json=as_json)
        return
    pickled = read.name.lower().endswith(OF_TORCH)
    written = _unpickled(read, output, step) if pickled else rewrite(read, str(output), grid=step)
    require_folder_of(output)
    write_all({output: written.content})
    before, after = read.listed(), type(read)(str(output), written.content).listed()
    if as_json:
        dropped = [{**asdict(reason), "text": sentence(reason)} for reason in written.dropped]
        counts = {"parameters": written.parameters, "type": written.kind, "grid": step}
        changes = {"dropped": dropped, "rounded": written.rounded, "largest_change": written.largest_change}
        print_json({**counts, **changes, "before": asdict(before), "after": asdict(after)})
        return
    typer.echo(
        say(
            "cli-canonical-file",
            path=after.path,
            parameters=written.parameters,
            kind=written.kind,
            bytes=after.bytes,
            sha256=after.sha256,
        )
    )
    if quiet:
        return
    typer.echo(say("cli-canonical-from", path=before.path, bytes=before.bytes, sha256=before.sha256))
    for reason in written.dropped:
        typer.echo(say("cli-canonical-dropped", what=sentence(reason)))
    if step is not None:
        typer.echo(
            say(
                "cli-canonical-rounded", grid=power(step), rounded=written.rounded, largest_change=f"{written.largest_change:.3g}"
            )
        )
        narrate(say("cli-canonical-declare", grid=power(step)))
    if before.sha256 == after.sha256:
        typer.echo(say("cli-canonical-unchanged"))


def _unpickled(read: Source, output: Path, step: float | None) -> Rewritten:
    """The tensors of a file of PyTorch's, which nothing outside the sandbox loads."""
    from auditor.audit.model_layout import unpickled  # noqa: PLC0415
    from auditor.base import extras  # noqa: PLC0415
    from auditor.base.domain import Message  # noqa: PLC0415
    from auditor.case.rewriting import rewrite  # noqa: PLC0415
    from auditor.sandbox import Limits, available, gate  # noqa: PLC0415
    from auditor.sandbox.jobs import run  # noqa: PLC0415

    extras.require("networks", "a file of PyTorch's")
    level, _ = gate(foreign=True, isolation="auto", available=available())
    content = unpickled(
        read.data, read.name, run=partial(run, workers=1, on_step=lambda _name, _done, _total: None), limits=Limits(), level=level
    )
    made = rewrite(type(read)("model.safetensors", content), str(output), grid=step)
    return replace(made, dropped=(Message("model.container.pickled"),))


def _write_skops(read: Source, output: Path, *, grid: float | None, as_json: bool) -> None:
    """Write a file of skops without addresses, dates and gaps."""
    from auditor.base.writing import require_folder_of, write_all  # noqa: PLC0415
    from auditor.case.rewriting import rewrite_skops  # noqa: PLC0415

    if grid is not None:
        raise UsageError("--grid: a file of skops holds objects, and is not rounded")
    content = rewrite_skops(read, str(output))
    require_folder_of(output)
    write_all({output: content})
    before, after = read.listed(), type(read)(str(output), content).listed()
    if as_json:
        print_json({"before": asdict(before), "after": asdict(after)})
        return
    typer.echo(say("cli-canonical-skops", path=after.path, bytes=after.bytes, sha256=after.sha256))
    if before.sha256 == after.sha256:
        typer.echo(say("cli-canonical-unchanged"))


def _power_of_two(text: str) -> float:
    """The value of --grid, as a number or as 2^-24.

    Raises:
        UsageError: If it is no power of two.
    """
    from pydantic_core import PydanticCustomError  # noqa: PLC0415

    from auditor.settings.values import power_of_two  # noqa: PLC0415

    try:
        value: object = float(text)
    except ValueError:
        value = text
    try:
        return power_of_two(value)
    except PydanticCustomError as error:
        raise UsageError(f"--grid: {error.message()}") from error


COMMANDS: Final = (
    Command("canonical", canonical, "canonical trained.safetensors -o model.safetensors --grid 2^-24", after="plan"),
)
