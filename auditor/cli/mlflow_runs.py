"""The command that logs an audit with MLflow: mlflow."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from auditor.base import extras
from auditor.base.errors import UsageError
from auditor.terminal.options import Json, Quiet, take_parts_in
from auditor.terminal.output import narrate, print_json, say


def mlflow(
    context: typer.Context,
    audit: Annotated[
        Path, typer.Argument(metavar="AUDIT", help="The folder of an audit, or its evidence.json.", show_default=False)
    ],
    experiment: Annotated[str, typer.Option(metavar="NAME", help="Experiment of the run; made if missing.")] = "auditor",
    model: Annotated[
        str | None,
        typer.Option(
            metavar="URI", help="Bind the run to models:/NAME/VERSION, which must hold the file audited.", show_default=False
        ),
    ] = None,
    tag_version: Annotated[
        bool, typer.Option("--tag-version", help="Tag the version of the model with verdict and run as well.")
    ] = False,
    as_json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Log an audit as an MLflow run.

    Verdict, checks and guarantees become tags and metrics, evidence and reports artifacts; letters stay here. The server is the
    one that MLflow is set up with: MLFLOW_TRACKING_URI. Whatever does not agree with its own evidence is not logged.

    Exit codes: 0 logged, whatever the verdict; 1 verify finds something wrong; 2 bad usage or input; 4 MLflow refused it.
    """
    extras.require("mlflow", "mlflow")
    from auditor.api.results import mlflow_runs  # noqa: PLC0415
    from auditor.api.results.rendering import loader  # noqa: PLC0415
    from auditor.document import evidence_files  # noqa: PLC0415
    from auditor.recheck import recheck  # noqa: PLC0415
    from auditor.recheck.files import EVIDENCE  # noqa: PLC0415

    file = audit / EVIDENCE if audit.is_dir() else audit
    if file.name != EVIDENCE:
        raise UsageError(f"{audit}: expected the folder of an audit, or its {EVIDENCE}")
    silent = quiet or as_json
    outcome = recheck(file.parent, renderer=loader(lambda message: narrate(message, quiet=silent)))
    if not outcome.agrees:
        for place, finding in outcome.findings:
            narrate(f"{place}: {finding}")
        narrate(outcome.sentence)
        raise typer.Exit(outcome.exit_code)
    files = mlflow_runs.gathered(file.parent, {each.name: each.sha256 for each in outcome.documents})
    read = evidence_files.parse(files[file.name], str(file))
    take_parts_in(context, read)
    bound = None if model is None else mlflow_runs.bind(model, read)
    run = mlflow_runs.described(read, files[file.name], bound)
    if tag_version and "auditor.model.uri" not in run.tags:
        raise UsageError("--tag-version: expected an audit of models:/NAME/VERSION, or --model with one")
    logged = mlflow_runs.log(
        files,
        read,
        run,
        experiment=experiment,
        tag_version=tag_version,
        on_step=lambda name: narrate(say("cli-mlflow-sends", name=name), quiet=silent),
    )
    if as_json:
        print_json(
            {
                "run_id": logged.run_id,
                "experiment_id": logged.experiment_id,
                "tracking_uri": logged.tracking_uri,
                "artifacts": list(logged.artifacts),
                "verdict": read.verdict.value,
                "tags": dict(run.tags),
                "metrics": dict(run.metrics),
            }
        )
    else:
        typer.echo(say("cli-mlflow-logged", run=logged.run_id, experiment=experiment, verdict=read.verdict.value))
