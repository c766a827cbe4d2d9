"""Audits a case for a Python caller."""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Final, Literal

from threadpoolctl import threadpool_limits

from auditor import case as cases
from auditor.api.audits import Audit
from auditor.api.sources import CaseLike, PathLike, case_path, path_of
from auditor.audit import Options, audit, every_core, ids_in
from auditor.errors import UsageError
from auditor.results.folder import write
from auditor.runs import FOLDER
from auditor.writing import require_writable

LOG: Final = logging.getLogger("auditor")
_DEVICES: Final = ("auto", "cpu", "cuda")


def check(
    case: CaseLike,
    *,
    seed: int,
    quick: bool,
    only: str | Sequence[str] | None,
    device: Literal["auto", "cpu", "cuda"],
    jobs: int | None,
    out: PathLike | None,
    fresh: bool,
    progress: Callable[[str, int, int], object] | None,
) -> Audit:
    """Audit a case; see `auditor.api.check`."""
    _refuse(seed, device, jobs, only)
    folder = None if out is None else path_of(out, "out", "a folder")
    read = cases.read(case_path(case))
    if folder is not None:
        require_writable(folder)

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
        runs=None if folder is None else folder / FOLDER,
        fresh=fresh,
        on_notice=LOG.warning,
    )
    # As the command line does: small problems run fastest on one thread a process, and sums do not depend on the machine.
    with threadpool_limits(1):
        outcome = audit(read, options)
    result = Audit(outcome.evidence, outcome.failure, taken=outcome.taken)
    return result if folder is None else written(result, folder)


def written(result: Audit, folder: Path) -> Audit:
    """Write the files of an audit; see `Audit.write`."""
    return replace(result, files=write(result.evidence, folder, notice=LOG.info).paths)


def _refuse(seed: object, device: object, jobs: object, only: object) -> None:
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
    if wrong:
        raise UsageError("\n".join(wrong))
