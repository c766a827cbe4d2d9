"""The command that looks ahead: plan."""

from __future__ import annotations

import json
import os
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated, Any

import typer

from auditor.cli.options import CasePath, Json, Quiet
from auditor.cli.speech import narrate, print_json, progress
from auditor.errors import UsageError


def plan(
    case: CasePath,
    deletions: Annotated[int, typer.Option(metavar="N", help="Deletions to serve before retraining.", show_default=False)],
    epsilon: Annotated[float, typer.Option(help="The target ε, above 0.", show_default=False)],
    delta: Annotated[float, typer.Option(help="The target δ, between 0 and 1.", show_default=False)],
    l2: Annotated[str | None, typer.Option(metavar="λ,…", help="Values of λ to try.", show_default=False)] = None,
    sigma: Annotated[str | None, typer.Option(metavar="σ,…", help="Values of σ to try.", show_default=False)] = None,
    out: Annotated[
        Path | None, typer.Option(metavar="DIR", help="Write plan.json, plan.svg and plan.pdf there.", show_default=False)
    ] = None,
    jobs: Annotated[
        int | None, typer.Option(min=1, help="Settings at a time; one per core if left out.", show_default=False)
    ] = None,
    seed: Annotated[int, typer.Option(min=0, help="Of all that the plan draws; never a model's own.")] = 0,
    quick: Annotated[bool, typer.Option("--quick", help="A smaller grid, two trainings and orders of each setting.")] = False,
    as_json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Say what a number of deletions would cost, before training.

    Tries loss perturbation over a grid of λ and σ, noise at release, and plain differential privacy on the case's own data:
    accuracy, and the deletions served before retraining. Exit codes: 0 planned, whether or not anything serves the target;
    2 bad usage or input; 4 the auditor failed; 130 interrupted.
    """
    from auditor import case as cases  # noqa: PLC0415
    from auditor import planning  # noqa: PLC0415
    from auditor.planning.document import document  # noqa: PLC0415

    read = cases.read(case)
    search = planning.search_for(read, seed=seed, quick=quick, l2=_numbers("--l2", l2), sigma=_numbers("--sigma", sigma))
    workers = jobs if jobs is not None else len(os.sched_getaffinity(0))
    with progress(shown=not quiet) as on_step:
        found = planning.plan(read, planning.Target(deletions, epsilon, delta), search, jobs=workers, on_step=on_step)
    said = document(found)
    if out is not None:
        _write(said, out, quiet=quiet)
    if as_json:
        print_json(said)
    elif quiet:
        typer.echo(said["sentence"])
    else:
        _table(said)


def _numbers(option: str, text: str | None) -> tuple[float, ...] | None:
    if text is None:
        return None
    try:
        return tuple(float(part) for part in text.split(","))
    except ValueError as error:
        raise UsageError(f"{option}: expected numbers above 0, separated by commas, found {text}") from error


def _table(said: dict[str, Any]) -> None:
    from rich.console import Console  # noqa: PLC0415

    from auditor.report.planned import table  # noqa: PLC0415

    table(said, Console())


def _write(said: dict[str, Any], folder: Path, *, quiet: bool) -> None:
    from auditor.report import planned  # noqa: PLC0415
    from auditor.writing import write_all  # noqa: PLC0415

    written = (json.dumps(said, ensure_ascii=False, allow_nan=False, indent=1) + "\n").encode()
    files = {
        folder / "plan.json": written,
        folder / "plan.svg": planned.svg(said).encode(),
        folder / "plan.pdf": planned.pdf(said, written, datetime.now(tz=UTC)),
    }
    write_all(files)
    for path in files:
        narrate(str(path), quiet=quiet)
