"""The command that looks ahead: plan."""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated, Any

import typer

from auditor.base import extras, processors
from auditor.base.errors import UsageError
from auditor.terminal.options import Json, Parts, Quiet, take_parts
from auditor.terminal.output import narrate, print_json
from auditor.terminal.progress import progress

_DELETION = "Data deletion"
_CONTINUAL = "Learning from a stream"
_REMOVAL = (
    "what certified removal is to keep, such as --deletions 50 --epsilon 1 --delta 1e-4; a case that retrains needs no plan"
)


def plan(
    context: typer.Context,
    case: Annotated[
        Path | None,
        typer.Argument(
            metavar="[CASE]", help="A folder with audit.toml, or that file; --continual can do without.", show_default=False
        ),
    ] = None,
    epsilon: Annotated[float | None, typer.Option(help="The target ε, above 0.", show_default=False)] = None,
    right_guesses: Annotated[
        float | None,
        typer.Option(metavar="G", help="In place of ε: the most right guesses of 100, such as 55.", show_default=False),
    ] = None,
    delta: Annotated[float | None, typer.Option(help="The target δ, between 0 and 1.", show_default=False)] = None,
    deletions: Annotated[
        int | None, typer.Option(metavar="N", help="Number of deletions to serve before retraining.", show_default=False)
    ] = None,
    l2: Annotated[str | None, typer.Option(metavar="λ,…", help="Values of λ to try.", show_default=False)] = None,
    sigma: Annotated[str | None, typer.Option(metavar="σ,…", help="Values of σ to try.", show_default=False)] = None,
    data_deletion: Annotated[
        bool,
        typer.Option("--data-deletion", help="Plan noisy gradient descent for --epsilon instead.", rich_help_panel=_DELETION),
    ] = False,
    order: Annotated[
        float | None,
        typer.Option(
            metavar="q", help="Rényi order; if left out, the case's, or else 2.", show_default=False, rich_help_panel=_DELETION
        ),
    ] = None,
    seen: Annotated[
        int | None,
        typer.Option(
            metavar="p", help="Number of published models that requesters saw.", show_default=False, rich_help_panel=_DELETION
        ),
    ] = None,
    epsilon_dp: Annotated[
        str | None,
        typer.Option(metavar="ε,…", help="Values of ε_dp of one model to try.", show_default=False, rich_help_panel=_DELETION),
    ] = None,
    continual: Annotated[
        bool,
        typer.Option("--continual", help="Plan a model kept up to date from a stream instead.", rich_help_panel=_CONTINUAL),
    ] = False,
    horizon: Annotated[
        int | None,
        typer.Option(
            metavar="T",
            help="Number of releases; needed without a case of a stream, else the case's if left out.",
            show_default=False,
            rich_help_panel=_CONTINUAL,
        ),
    ] = None,
    records: Annotated[
        int | None,
        typer.Option(
            metavar="k",
            help="Records of one person; if left out, the most that the log names, or 1.",
            show_default=False,
            rich_help_panel=_CONTINUAL,
        ),
    ] = None,
    parameters: Annotated[
        int | None,
        typer.Option(
            metavar="d",
            help="Numbers of the model; needed without a case, else the case's if left out.",
            show_default=False,
            rich_help_panel=_CONTINUAL,
        ),
    ] = None,
    norm: Annotated[
        float | None,
        typer.Option(
            metavar="h",
            help="Length of the weights that the loss is compared with; 1 if left out.",
            show_default=False,
            rich_help_panel=_CONTINUAL,
        ),
    ] = None,
    out: Annotated[
        Path | None, typer.Option(metavar="DIR", help="Write plan.json, plan.svg and plan.pdf there.", show_default=False)
    ] = None,
    jobs: Annotated[
        int | None, typer.Option(min=1, help="Settings to try at a time; one per core if left out.", show_default=False)
    ] = None,
    seed: Annotated[int, typer.Option(min=0, help="Seed for what the plan draws; never a model's seed.")] = 0,
    quick: Annotated[
        bool, typer.Option("--quick", help="A smaller grid, with two trainings and two orders per setting.")
    ] = False,
    part: Parts = None,
    as_json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Estimate what deletions would cost, before training.

    Tries loss perturbation over a grid of λ and σ, noise at release, and plain differential privacy on the case's own data, and
    compares accuracy and the number of deletions served before retraining.

    With --data-deletion, plans noisy gradient descent that promises a deleted person ε at a Rényi order: its noise, steps,
    accuracy and gradients saved, as in auditor plan CASE --data-deletion --epsilon 0.1 --seen 3. --deletions is then 1 if left
    out.

    With --continual, works out DP-FTRL by its rules, and trains nothing: noise, memory and a bound on the loss for both
    factorisations, as in auditor plan --continual --epsilon 1 --delta 1e-6 --horizon 1000 --parameters 650; of a case of
    use = "ftrl" also what its numbers give, and what to change.

    Exit codes: 0 planned, whether or not any setting meets the target; 2 bad usage or input; 4 the auditor failed; 130
    interrupted.
    """
    from auditor import case as cases  # noqa: PLC0415
    from auditor.audit import planning  # noqa: PLC0415
    from auditor.audit.planning import Wish  # noqa: PLC0415

    _of_stream(
        continual,
        case,
        own={"--horizon": horizon, "--records": records, "--parameters": parameters, "--norm": norm},
        others={"--deletions": deletions, "--l2": l2, "--sigma": sigma, "--order": order, "--seen": seen}
        | {"--epsilon-dp": epsilon_dp, "--data-deletion": data_deletion or None}
        | {"--out": out, "--jobs": jobs, "--seed": seed or None, "--quick": quick or None},
    )
    if data_deletion:
        without = {"--delta": delta, "--sigma": sigma, "--right-guesses": right_guesses}
        _refuse(without, "with --data-deletion: its ε has no δ, and σ follows from ε_dp")
        _require({"--epsilon": epsilon}, "what noisy gradient descent is to promise, such as --epsilon 0.1")
    elif not continual:
        _refuse({"--order": order, "--seen": seen, "--epsilon-dp": epsilon_dp}, "without --data-deletion")
        asked = {"--deletions": deletions, "--epsilon": epsilon if right_guesses is None else right_guesses, "--delta": delta}
        _require(asked, _REMOVAL)
    if epsilon is not None:
        _refuse({"--right-guesses": right_guesses}, "with --epsilon: either says what to aim at")
    if out is not None:
        extras.require("report", "plan --out")
    take_parts(context, part, of_case=() if case is None else cases.parts_named(case))
    read = None if case is None else cases.read(case)
    if read is not None and not read.settings.procedure.learns:
        what = "places alone" if read.places else "a whole controller"
        raise UsageError(f"nothing to plan: this case is {what}, and nothing learns in it")
    workers = jobs if jobs is not None else processors.count()
    wish = Wish(
        epsilon=epsilon or 0.0,
        right_guesses=right_guesses,
        delta=delta or 0.0,
        deletions=(1 if data_deletion else 0) if deletions is None else deletions,
        order=order,
        seen=seen or 0,
        l2=_numbers("--l2", l2),
        sigma=_numbers("--sigma", sigma),
        epsilon_dp=_numbers("--epsilon-dp", epsilon_dp),
        horizon=horizon,
        records=records,
        parameters=parameters,
        norm=norm,
        seed=seed,
        quick=quick,
    )
    promise = "continual" if continual else "data_deletion" if data_deletion else "certified_removal"
    with progress(shown=not quiet) as on_step:
        said = planning.plan(read, promise, wish, jobs=workers, on_step=on_step)
    if out is not None:
        _write(said, out, quiet=quiet, deletion=data_deletion)
    if as_json:
        print_json(said)
    elif quiet:
        typer.echo(said["sentence"])
    else:
        _table(said, promise)


def _of_stream(
    continual: bool,
    case: Path | None,
    *,
    own: Mapping[str, object],
    others: Mapping[str, object],
) -> None:
    """Refuse what a plan of a stream does not take, or what no other plan takes."""
    if continual:
        _refuse(others, "with --continual: its numbers follow from rules, and nothing is trained or drawn")
        return
    _refuse(own, "without --continual")
    if case is None:
        raise UsageError("missing argument CASE")


def _refuse(options: Mapping[str, object], why: str) -> None:
    given = [name for name, value in options.items() if value is not None]
    if given:
        raise UsageError(f"{', '.join(given)}: not {why}")


def _require(options: Mapping[str, object], what: str) -> None:
    missing = [name for name, value in options.items() if value is None]
    if missing:
        raise UsageError(f"missing option {', '.join(missing)}: {what}")


def _numbers(option: str, text: str | None) -> tuple[float, ...] | None:
    if text is None:
        return None
    try:
        return tuple(float(part) for part in text.split(","))
    except ValueError as error:
        raise UsageError(f"{option}: expected numbers above 0, separated by commas, found {text}") from error


def _table(said: dict[str, Any], promise: str) -> None:
    from rich.console import Console  # noqa: PLC0415

    from auditor.audit import planning  # noqa: PLC0415

    planning.planner(promise).table(said, Console())


def _write(said: dict[str, Any], folder: Path, *, quiet: bool, deletion: bool) -> None:
    from auditor.base.writing import write_all  # noqa: PLC0415
    from auditor.pages import planned  # noqa: PLC0415

    written = (json.dumps(said, ensure_ascii=False, allow_nan=False, indent=1) + "\n").encode()
    files = {
        folder / "plan.json": written,
        folder / "plan.svg": planned.svg(said, deletion=deletion).encode(),
        folder / "plan.pdf": planned.pdf(said, written, datetime.now(tz=UTC), deletion=deletion),
    }
    write_all(files)
    for path in files:
        narrate(str(path), quiet=quiet)
