"""Audits a case for a Python caller."""

from __future__ import annotations

import fcntl
import hashlib
import logging
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Final, Literal, get_args

from threadpoolctl import threadpool_limits

from auditor import case as cases
from auditor.api.audits import LOG, Audit
from auditor.api.results.folder import write
from auditor.api.results.purging.written import audit_to
from auditor.api.results.rehearsals import in_the_way, told_fitted
from auditor.api.sources import CaseLike, PathLike, case_path, path_of
from auditor.audit.auditing import First, Options, audit, every_core, ids_in
from auditor.audit.rehearsal import rehearse_within, seconds_of
from auditor.base.errors import ReportError, UsageError
from auditor.base.writing import FIRST_STAGE, require_writable, unwritten, write_all
from auditor.pages.taking_part import taking_part
from auditor.sandbox import cluster as clusters
from auditor.sandbox.runs import FOLDER, place_of
from auditor.settings.tables import Settings
from auditor.verdict.checks import definitions
from auditor.verdict.checks.card import Role


# Audits a case once for several processes, and says beforehand which checks may decide it: what a test runner needs.
def may_decide(path: Path) -> tuple[str, ...]:
    """List the checks that may decide a case, in their order; nothing is run, so that some of them may turn out not to.

    Raises:
        InputError: If the case is not sound.
    """
    with taking_part(cases.parts_named(path)):
        return _may_decide(cases.read(path).settings)


def _may_decide(settings: Settings) -> tuple[str, ...]:
    listed, procedure = settings.policy.required, settings.procedure

    def may(name: str) -> bool:
        card = definitions()[name].card
        if card.of_places != (procedure.built_in == "places") and not card.roles & {Role.CHECKS_LOG, Role.CHECKS_DEADLINES}:
            return False
        if listed is not None:
            return name in listed or card.required_when_run
        return (card.every_case or not card.informative) and (procedure.learns or card.of_places or card.of_controllers)

    return tuple(name for name in definitions() if may(name))


def once(folder: Path, case: Path, make: Callable[[], bytes]) -> bytes:
    """Give what is made once for a case, by whichever process comes first; the others wait and read.

    Args:
        folder: Of this user alone.
        case: What it is made of.
        make: Makes it.

    Raises:
        UsageError: If it cannot be written there.
        StorageError: If it cannot be for another reason, such as a full disk.
    """
    file = folder / hashlib.sha256(str(case.resolve()).encode()).hexdigest()
    try:
        opened = file.with_suffix(".lock").open("w")
    except OSError as error:
        raise unwritten(error, file) from error
    with opened as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not file.exists():
            write_all({file: make()})
    return file.read_bytes()


_DEVICES: Final = ("auto", "cpu", "cuda")
_BACKENDS: Final = get_args(clusters.Backend)


def check(
    case: CaseLike,
    *,
    seed: int,
    quick: bool,
    only: str | Sequence[str] | None,
    device: Literal["auto", "cpu", "cuda"],
    backend: clusters.Backend,
    address: str | None,
    trust_workers: bool,
    jobs: int | None,
    out: PathLike | None,
    runs: PathLike | None,
    fresh: bool,
    budget: str | None,
    first: bool,
    progress: Callable[[str, int, int], object] | None,
) -> Audit:
    """Audit a case; see `auditor.api.check`."""
    _refuse(seed, device, jobs, only, backend, trust_workers, {"address": address, "budget": budget})
    clusters.refuse(backend, address, trust_workers=trust_workers)
    if budget is not None:
        seconds_of(budget)  # before anything is read
    folder = None if out is None else path_of(out, "out", "a folder")
    kept = _place(runs, folder)
    read = cases.read(case_path(case))
    if folder is not None:
        require_writable(folder)
        audit_to(read.folder, folder)

    def on_step(name: str, done: int, total: int) -> None:
        if progress is not None:
            progress(name, done, total)

    options = Options(
        seed=seed,
        quick=bool(quick),
        only=ids_in(only),
        device=device,
        workers=jobs or every_core(),
        on_step=on_step,
        on_notice=LOG.warning,
        first=bool(first),
        on_first=None if folder is None or first else partial(_first, folder / FIRST_STAGE),
    )
    # As the command line does: small problems run fastest on one thread a process, and sums do not depend on the machine.
    with threadpool_limits(1), clusters.workers_of(backend, address, most=jobs, notice=LOG.warning) as cluster:
        if budget is not None:
            seats = options.workers if cluster is None else cluster.seats
            read, fitted = _fitted(read, replace(options, workers=seats), budget)
            options = replace(fitted, workers=options.workers)
        outcome = audit(read, replace(options, cluster=cluster, runs=kept, fresh=fresh))
    result = Audit(outcome.evidence, outcome.failure, taken=outcome.taken)
    return result if folder is None else result.write(folder / FIRST_STAGE if first else folder)


def _first(folder: Path, found: First) -> None:
    """Write the first stage of an audit that goes on."""
    try:
        write(found.evidence, folder, notice=LOG.warning, printed=False)
    except ReportError as error:
        LOG.warning("%s", error)


def parts_of(case: Path) -> AbstractContextManager[object]:
    """Have the foreign parts in force that a case names; see `auditor.api.taking_part` for others.

    Raises:
        PartError: If one is not installed, cannot be loaded, or brings what no foreign part may bring.
    """
    return taking_part(cases.parts_named(case))


def _place(runs: PathLike | None, folder: Path | None) -> Path | str | None:
    """Where finished runs are kept; None where they are not.

    Raises:
        UsageError: If nothing reaches it.
    """
    if runs is None:
        return None if folder is None else folder / FOLDER
    if isinstance(runs, str) and "://" in runs:
        place_of(runs)
        return runs
    return path_of(runs, "runs", "a folder, or an address that fsspec reaches")


def _fitted(read: cases.Case, options: Options, budget: str) -> tuple[cases.Case, Options]:
    """Fit an audit into a time, and log what that costs.

    Raises:
        ProcedureError: If something is in the way of an audit; with all of it.
        UsageError: If what decides does not fit.
    """
    rehearsal, fitted = rehearse_within(read, options, budget)
    if fitted is None:
        raise in_the_way(rehearsal.obstacles)
    level = logging.WARNING if fitted.weaker or fitted.left_out else logging.INFO
    for line in told_fitted(fitted):
        LOG.log(level, line)
    return fitted.case, fitted.options


def _refuse(
    seed: object,
    device: object,
    jobs: object,
    only: object,
    backend: object,
    trust_workers: object,
    texts: Mapping[str, object],
) -> None:
    """Refuse wrong arguments, all at once.

    Raises:
        UsageError: If there are any.
    """
    wrong = []
    if not isinstance(seed, int) or isinstance(seed, bool) or seed < 0:
        wrong.append(f"seed: expected a whole number from 0 on, found {seed!r:.60}")
    if device not in _DEVICES:
        wrong.append(f"device: expected {' or '.join(map(repr, _DEVICES))}, found {device!r:.60}")
    if jobs is not None and (not isinstance(jobs, int) or isinstance(jobs, bool) or jobs < 1):
        wrong.append(f"jobs: expected a whole number from 1 on, or None for one per core, found {jobs!r:.60}")
    if only is not None and not (
        isinstance(only, str) or (isinstance(only, Sequence) and all(isinstance(each, str) for each in only))
    ):
        wrong.append(f"only: expected ids of checks, found {only!r:.60}")
    if backend not in _BACKENDS:
        wrong.append(f"backend: expected {' or '.join(map(repr, _BACKENDS))}, found {backend!r:.60}")
    if not isinstance(trust_workers, bool):
        wrong.append(f"trust_workers: expected True or False, found {trust_workers!r:.60}")
    wrong += [f"{name}: expected a text, found {each!r:.60}" for name, each in texts.items() if not isinstance(each, str | None)]
    if wrong:
        raise UsageError("\n".join(wrong))
