"""The commands of an audit: check, clean."""

from __future__ import annotations

import shlex
from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from auditor.base import extras
from auditor.base.errors import ReportError, UsageError
from auditor.base.writing import FIRST_STAGE
from auditor.cli.history import continued, remember, said_since, since_as_json
from auditor.cli.keys import open_signer
from auditor.cli.rehearsal import fit, foresee
from auditor.terminal.options import Backend, CasePath, Device, Json, Parts, Quiet, Shared, take_parts
from auditor.terminal.output import explain, narrate, print_json, say
from auditor.terminal.progress import progress, span

if TYPE_CHECKING:
    from auditor.audit.auditing import First
    from auditor.case import Case
    from auditor.case.baseline import Lying
    from auditor.pages.words.rendered_evidence import Told
    from auditor.recheck.comparison.since import Since
    from auditor.recheck.signing import Signer


def check(
    context: typer.Context,
    case: CasePath,
    out: Annotated[Path | None, typer.Option(help="Folder to write to; CASE/audit if left out.", show_default=False)] = None,
    device: Annotated[Device, typer.Option(help="Where the procedure computes.")] = Device.AUTO,
    backend: Annotated[Backend, typer.Option(help="Where sandboxed runs start.")] = Backend.LOCAL,
    address: Annotated[str | None, typer.Option(help="Address of the Dask or Ray scheduler.", show_default=False)] = None,
    trust_workers: Annotated[
        bool,
        typer.Option("--trust-workers", help="Let Ray workers run code as you on this machine; required with --backend ray."),
    ] = False,
    jobs: Annotated[int | None, typer.Option(min=1, help="Runs at a time; one per core if left out.", show_default=False)] = None,
    seed: Annotated[int, typer.Option(min=0, help="Seed for what the auditor draws.")] = 0,
    quick: Annotated[bool, typer.Option("--quick", help="Smaller samples; can only make a result inconclusive.")] = False,
    only: Annotated[str | None, typer.Option(metavar="ID,…", help="Run only these checks.", show_default=False)] = None,
    runs: Annotated[
        str | None, typer.Option(metavar="PLACE", help="Where finished runs are kept; DIR/.runs if left out.", show_default=False)
    ] = None,
    fresh: Annotated[bool, typer.Option("--fresh", help="Run everything again; reuse nothing from earlier audits.")] = False,
    first: Annotated[
        bool, typer.Option("--first", help="Stop after the first stage: replay and clean rooms. Never passes.")
    ] = False,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Try the procedure, print what would run, audit nothing.")] = False,
    budget: Annotated[
        str | None,
        typer.Option(metavar="TIME", help="Fit into a time such as 2h; never leaves out what decides.", show_default=False),
    ] = None,
    sign: Annotated[Path | None, typer.Option(metavar="KEY", help="Sign the results with this key.", show_default=False)] = None,
    shared: Shared = False,
    part: Parts = None,
    as_json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Audit a case: rerun it, check it, decide, write the report.

    Once the log is replayed and clean rooms have been entered, a first answer is in DIR/first; then the audit goes on. The first
    answer is a fail only if nothing that is still to run can change that, and never a pass.

    Exit codes: 0 every required check passes; 1 a required check fails; 2 bad usage or input; 3 inconclusive;
    4 the procedure, the sandbox or the auditor failed; 130 interrupted.
    """
    from auditor.sandbox import cluster as clusters  # noqa: PLC0415

    clusters.refuse(backend.value, address, trust_workers=trust_workers)
    from auditor import case as cases  # noqa: PLC0415
    from auditor.api.results.folder import write  # noqa: PLC0415
    from auditor.audit.auditing import Options, audit, every_core, ids_in, refuse  # noqa: PLC0415
    from auditor.base.writing import require_writable, share_folder  # noqa: PLC0415
    from auditor.sandbox.runs import place_of  # noqa: PLC0415

    # Before anything runs: nobody should wait for an audit to hear that the passphrase was mistyped.
    signer = open_signer(sign) if sign is not None else None
    take_parts(context, part, of_case=cases.parts_named(case))
    read = cases.read(case)
    folder = out if out is not None else read.folder / "audit"
    made = not folder.exists()
    require_writable(folder)
    if runs is not None:
        place_of(runs)  # before anything runs
    options = Options(seed=seed, quick=quick, only=ids_in(only), device=device.value, workers=jobs or every_core(), first=first)
    refuse(read, options)
    with clusters.workers_of(backend.value, address, most=jobs, notice=_notice) as cluster:
        if cluster is not None:
            narrate(say("cli-cluster", seats=cluster.seats))
        seats = None if cluster is None else cluster.seats
        if dry_run:
            foresee(read, options, folder, runs=runs, budget=budget, seats=seats, as_json=as_json, quiet=quiet)
            return
        if budget is not None:
            read, options = fit(read, options, budget=budget, seats=seats, quiet=quiet)
        narrate(
            say(_auditing(read), name=read.settings.case.name, requests=len(read.requests), records=len(read.train)), quiet=quiet
        )
        kept = _kept_in(read.folder, folder, runs)
        take = None if first else partial(_first, folder / FIRST_STAGE, signer=signer, shared=shared, quiet=quiet)
        options = replace(options, cluster=cluster, runs=kept, fresh=fresh, on_notice=_notice, on_first=take)
        with progress(shown=not quiet) as shown:
            outcome = audit(read, replace(options, on_step=shown, on_left=shown.left))
    if outcome.taken:
        narrate(say("cli-taken", names=", ".join(outcome.taken)), quiet=quiet)
    evidence, since, earlier = continued(outcome.evidence, folder, read.folder)  # before it is written over
    narrate(say("cli-laying-out"), quiet=quiet)
    with progress(shown=not quiet) as on_step:
        on_step("report", 0, 1)
        results = write(evidence, folder / FIRST_STAGE if first else folder, signer=signer, notice=narrate, shared=shared)
    told, written = results.told, results.paths
    if shared and made:
        share_folder(folder)  # kept runs were in it first
    remember(evidence, written["evidence"], told.content)
    if outcome.failure is not None:
        explain(outcome.failure)  # first: the verdict is on the last screen
    for line in () if since is None else said_since(since, earlier, written["evidence"]):
        narrate(line, quiet=quiet or as_json)
    _show(told, written, signer, since, as_json=as_json, quiet=quiet)
    raise typer.Exit(evidence.audit.exit_code)


def _kept_in(case: Path, folder: Path, runs: str | None) -> Path | str:
    """Where runs are kept; where the audit is written is listed first, as it may be interrupted."""
    from auditor.api.results.purging.written import audit_to  # noqa: PLC0415
    from auditor.sandbox.runs import FOLDER  # noqa: PLC0415

    audit_to(case, folder)
    return folder / FOLDER if runs is None else runs


def _auditing(read: Case) -> str:
    """The message that names what is audited."""
    alone = "cli-auditing-places" if read.places else "cli-auditing-program"
    return "cli-auditing" if read.settings.procedure.learns else alone


def _show(
    told: Told, written: Mapping[str, Path], signer: Signer | None, since: Since | None, *, as_json: bool, quiet: bool
) -> None:
    """The result in the form that was asked for."""
    if as_json:
        compared = {} if since is None else {"since": since_as_json(since)}
        print_json({**_as_json(told, written, signer), **compared})
    elif quiet:
        typer.echo(told.sentence)
    else:
        _say(told, written, signer)


def _first(folder: Path, found: First, *, signer: Signer | None, shared: bool, quiet: bool) -> None:
    """Write the first answer of an audit that goes on, and say what is still to run; what takes long with all that it takes."""
    from auditor.api.results.folder import HTML, write  # noqa: PLC0415

    try:
        results = write(found.evidence, folder, signer=signer, notice=narrate, shared=shared, printed=False)
    except ReportError as error:
        _notice(str(error))
        return
    narrate(say("cli-first", seconds=span(found.seconds), path=results.paths[HTML], sentence=results.told.opening), quiet=quiet)
    if not found.ahead and not found.unmeasured:
        return
    narrate(say("cli-to-come", long=found.costs_much, seconds=span(found.to_come), measured=bool(found.ahead)), quiet=quiet)
    for each in found.ahead:
        counts = {"trainings": each.trainings, "unlearnings": each.unlearnings}
        checks = ", ".join(each.checks)
        narrate(say("cli-to-come-row", name=each.name, seconds=span(each.seconds), checks=checks, **counts), quiet=quiet)
    if found.unmeasured:
        narrate(say("cli-to-come-unmeasured", checks=", ".join(found.unmeasured)), quiet=quiet)


def _notice(said: str) -> None:
    narrate(say("cli-notice", said=said))


def _say(told: Told, written: Mapping[str, Path], signer: Signer | None) -> None:
    """Where the results are, and what they come to: both on the last screen."""
    from rich.console import Console  # noqa: PLC0415

    from auditor.pages.terminal import LINES, summary  # noqa: PLC0415

    console = Console()
    lines = [say("cli-report-at", path=written.get("report", written["html"]))]
    if "report" not in written:
        lines.append(say("cli-no-pdf", command=extras.command("report")))
    if found := [path for name, path in written.items() if name.startswith("counterexample-")]:
        lines.append(say("cli-counterexamples", count=len(found), path=found[0]))
    if signer is not None:
        lines.append(say("cli-signed", path=written["statement"], key=signer.public_key.keyid))
    for line in lines:
        narrate(line)
    above = sum(-(-len(line) // console.width) for line in lines)
    behind = shlex.join(["auditor", "explain", str(written["evidence"].parent)])
    summary(told, console, behind=behind, room=LINES - 1 - above)


def _as_json(evidence: Told, written: Mapping[str, Path], signer: Signer | None) -> dict[str, Any]:
    """The verdict, where the results lie, and every check in numbers."""
    from auditor.verdict import conclusion  # noqa: PLC0415 - only where an audit was run

    checks = [
        {"id": item.id, "status": item.status, "value": item.value, "interval": item.interval, "threshold": item.threshold}
        for item in evidence.checks
    ]
    files = {name: str(path) for name, path in written.items()}
    signature = {} if signer is None else {"key_id": signer.public_key.keyid}
    found = evidence.evidence
    said = {
        "verdict": evidence.verdict,
        **({} if found.audit.stage is None else {"stage": found.audit.stage}),
        "exit_code": evidence.audit.exit_code,
        "sentence": evidence.sentence,
        "default_policy_verdict": found.default_policy_verdict,
        "strength": found.strength,
        "conclusion": conclusion.of(found).kind,
        "examined": found.examined.model_dump(),
    }
    return {**said, **files, **signature, "checks": checks}


def clean(
    folder: Annotated[
        Path,
        typer.Argument(metavar="CASE|DIR", help="A case, or the folder that an audit wrote to.", show_default=False),
    ],
    runs: Annotated[
        str | None, typer.Option(metavar="PLACE", help="Where check --runs kept the runs.", show_default=False)
    ] = None,
    as_json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Remove kept runs, expired baselines and half-written files.

    Results stay. Finished runs are kept in DIR/.runs, so that an interrupted audit need not start over. They hold model
    parameters, including those from before a deletion. Baselines of `auditor scan --before` in the folder are listed; those that
    have expired are removed with their keys. What killed audits left goes too.
    """
    from auditor.case.baseline import remove_expired  # noqa: PLC0415
    from auditor.sandbox.runs import remove  # noqa: PLC0415

    removed = remove(_audit_folder(folder), runs)
    baselines, left = remove_expired(folder if folder.is_dir() else folder.parent, datetime.now(tz=UTC))
    counts = {kind: sum(item.kind == kind for item in removed) for kind in ("run", "partial", "scratch")}
    size = sum(item.bytes for item in removed)
    if as_json:
        listed = [{"kind": item.kind, "path": str(item.path), "bytes": item.bytes} for item in removed]
        print_json(
            {"runs": counts["run"], "partial": counts["partial"], "scratch": counts["scratch"], "bytes": size, "removed": listed,
             "baselines_removed": [str(each.path) for each in baselines],
             "baselines": [_lying(each) for each in left]}
        )  # fmt: skip
        return
    if not quiet:
        for item in removed:
            typer.echo(f"{item.path}  {item.bytes} bytes")
        for each in baselines:
            typer.echo(say("cli-removed-baseline", path=each.path))
    for each in left:
        state = "unsealed" if each.expired else "lies"
        narrate(say("cli-baseline-lies", path=each.path, day=each.expires_at.date().isoformat(), state=state), quiet=quiet)
    typer.echo(say("cli-removed", run=counts["run"], partial=counts["partial"], scratch=counts["scratch"], size=size))


def _lying(found: Lying) -> dict[str, Any]:
    return {"path": str(found.path), "expires_at": found.expires_at.isoformat(), "expired": found.expired}


def _audit_folder(path: Path) -> Path:
    """The folder of the audit of a case, or the folder of an audit itself."""
    if path.name == "audit.toml" and path.is_file():
        return path.parent / "audit"
    if not path.is_dir():
        raise UsageError(f"clean: expected a case or the folder of an audit, found no folder {path}")
    return path / "audit" if (path / "audit.toml").is_file() else path
