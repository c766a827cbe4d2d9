"""What Python users call: `check`, `verify`, `report`, `letter` and `reply`, with cases from folders or from DataFrames.

Nothing here prints or ends the process. What is wrong is raised as an `AuditorError`, with every problem in it; what happens
along the way goes to the logger `auditor`. Heavy libraries are imported with the first call that needs them.

The command line makes its files, pages and comparisons with the same functions, so both give the same results.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Literal, overload

from auditor.api.audits import Audit, Source
from auditor.api.cases import Case
from auditor.api.sources import CaseLike, PathLike

if TYPE_CHECKING:
    from auditor.api.results.rehearsals import Validated
    from auditor.base.errors import AuditorError, InputError, ProcedureError, ReportError, StorageError, UsageError
    from auditor.base.records import Dataset
    from auditor.learning.training_loop import TrainingLoop
    from auditor.pages.taking_part import taking_part
    from auditor.recheck import Outcome

__all__ = [
    "Audit",
    "AuditorError",
    "Case",
    "Dataset",
    "InputError",
    "ProcedureError",
    "ReportError",
    "StorageError",
    "TrainingLoop",
    "UsageError",
    "check",
    "letter",
    "read",
    "reply",
    "report",
    "taking_part",
    "validate",
    "verify",
]

_PLACES: Final = {
    "Dataset": "auditor.base.records",
    "TrainingLoop": "auditor.learning.training_loop",
    "taking_part": "auditor.pages.taking_part",
    **dict.fromkeys(
        ("AuditorError", "InputError", "ProcedureError", "ReportError", "StorageError", "UsageError"), "auditor.base.errors"
    ),
}
"""Where names lie that are loaded when they are asked for: a training loop loads PyTorch."""


def __getattr__(name: str) -> Any:
    """Find a name that lies elsewhere."""
    if name not in _PLACES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(_PLACES[name]), name)


def check(
    case: CaseLike,
    *,
    seed: int = 0,
    quick: bool = False,
    only: str | Sequence[str] | None = None,
    device: Literal["auto", "cpu", "cuda"] = "auto",
    backend: Literal["local", "dask", "ray"] = "local",
    address: str | None = None,
    trust_workers: bool = False,
    jobs: int | None = None,
    out: PathLike | None = None,
    runs: PathLike | None = None,
    fresh: bool = False,
    budget: str | None = None,
    first: bool = False,
    progress: Callable[[str, int, int], object] | None = None,
) -> Audit:
    """Audit a case: rerun it, check it, decide.

    Examples:
        >>> audit = check("my-case", only="log.consistency")
        >>> audit.verdict.value, audit.exit_code
        ('inconclusive', 3)
        >>> audit.check("log.consistency").status.value
        'pass'
        >>> audit.passed
        False

        Finished runs kept elsewhere, and an audit that fits a time; it says what was made smaller for that:

        >>> audit = check("my-case", only="log.consistency", runs="finished", budget="10m")
        >>> budget = audit.evidence.audit.budget
        >>> budget.seconds, budget.resized, budget.left_out
        (600.0, (), ())

    Args:
        case: A folder with audit.toml, that file, or a `Case`.
        seed: The auditor's own seed.
        quick: Whether samples are smaller, which can only make a result inconclusive.
        only: Ids of the checks to run, in a sequence or in a text with commas; all if left out. A required check that is left out
            counts as skipped.
        device: Where the procedure computes.
        backend: Where sandboxed runs are started: on this machine, or by the workers of a Dask or Ray cluster.
        address: Where the scheduler of a cluster answers; the engine's own variable says so if left out.
        trust_workers: Whether workers of Ray, which unpickles what they send, may act as the user on this machine; Ray is refused
            without it, and Dask needs no such trust.
        jobs: Runs at a time; one per core if left out, or one per place for a job on a cluster.
        out: A folder to write evidence.json, report.html and report.pdf to, as `auditor check --out` does. Finished runs are kept
            there too, and taken from there by the next audit. Nothing is written or kept if left out.
        runs: Where finished runs are kept instead: a folder, or an address that fsspec reaches, where they are encrypted.
        fresh: Whether everything is run again, whatever is kept of earlier audits.
        budget: A time to fit into, such as `"2h"`. The procedure is tried on a few records first; what decides is never left out,
            and what is made smaller or left out is in `evidence.audit.budget` and in the log.
        first: Whether to end after the first stage, once the log is replayed and clean rooms have been entered. What is written
            then lies in `out/first`, where a whole audit leaves its first stage too.
        progress: Called with the name of what runs, the steps done and the steps in all, from several threads.

    Returns:
        The result. A procedure that crashed is a result too: `failure` says why, and `exit_code` is 4, unless a check failed.

    Raises:
        InputError: If the case is not sound; with every problem of every file.
        ProcedureError: If a budget is given and the procedure fails when it is tried; with everything that is in the way.
        UsageError: If an argument is wrong, the device or the cluster cannot be had, an extra is not installed, or what decides
            does not fit the budget.
        ReportError: If `out` is given and the report cannot be rendered; the evidence is written.
        StorageError: If results cannot be written.
    """
    from auditor.api import checking  # noqa: PLC0415 - loads numerical libraries
    from auditor.api.sources import case_path  # noqa: PLC0415

    with checking.parts_of(case_path(case)):
        return checking.check(
            case,
            seed=seed,
            quick=quick,
            only=only,
            device=device,
            backend=backend,
            address=address,
            trust_workers=trust_workers,
            jobs=jobs,
            out=out,
            runs=runs,
            fresh=fresh,
            budget=budget,
            first=first,
            progress=progress,
        )


def validate(
    case: CaseLike,
    *,
    run: bool = True,
    device: Literal["auto", "cpu", "cuda"] = "auto",
    jobs: int | None = None,
    progress: Callable[[str, int, int], object] | None = None,
) -> Validated:
    """Read and check every input of a case, run its procedure on 50 records, and estimate what an audit takes.

    Examples:
        >>> validated = validate("my-case", run=False)
        >>> validated.facts["records"], validated.facts["requests"], validated.findings
        (120, 2, ())

    Args:
        case: A folder with audit.toml, that file, or a `Case`.
        run: Whether the procedure is run.
        device: Where the procedure computes.
        jobs: Runs at a time of the audit to come; one per core if left out.
        progress: Called with the name of what runs, the steps done and the steps in all, from several threads.

    Returns:
        The facts of the case; what its deletion log contradicts itself in, which an audit judges; warnings; and the rehearsal,
        whose `obstacles` would end an audit with exit code 4.

    Raises:
        InputError: If the case is not sound; with every problem of every file.
        ProcedureError: If the model file cannot be loaded inside the sandbox.
        SandboxError: If this machine cannot contain the procedure as the case asks for.
        UsageError: If the case names an unknown attack, or an extra that it needs is missing.
    """
    from auditor.api.results import rehearsals  # noqa: PLC0415
    from auditor.api.sources import case_path  # noqa: PLC0415
    from auditor.audit.auditing import Options, every_core  # noqa: PLC0415 - loads numerical libraries

    def on_step(name: str, done: int, total: int) -> None:
        if progress is not None:
            progress(name, done, total)

    workers = jobs if jobs is not None else every_core()
    options = Options(device=device, workers=workers, on_step=on_step) if run else None
    from auditor.api import checking  # noqa: PLC0415

    with checking.parts_of(case_path(case)):
        return rehearsals.validate(case_path(case), options)


def verify(results: Source, *, key: PathLike | None = None) -> Outcome:
    """Recheck results: derive everything again and compare.

    Examples:
        >>> rechecked = verify(check("my-case", only="log.consistency"))
        >>> rechecked.agrees, rechecked.exit_code, rechecked.findings
        (True, 0, ())

    Args:
        results: An evidence.json, a report or letter in PDF, the folder of an audit, the bytes of one file, or an `Audit`.
        key: A public key; with it signed statements must lie next to the files and cover them.

    Returns:
        Whether everything agrees, in `agrees`; each difference with its document, place and message, in `findings`.

    Raises:
        InputError: If nothing can be read, or the key is not one.
        UsageError: If a key is given with bytes or an `Audit`, next to which no statement can lie.
    """
    from auditor.api import rendering  # noqa: PLC0415

    return rendering.verify(results, key=key)


def read(results: PathLike | bytes) -> Audit:
    """Read the evidence of an earlier audit, and judge it again: evidence that does not follow from what it rests on is refused.

    Examples:
        >>> _ = check("my-case", only="log.consistency", out="results")
        >>> read("results").verdict.value
        'inconclusive'

    Args:
        results: An evidence.json, the folder that it is in, or its bytes.

    Raises:
        InputError: If it cannot be read, or does not agree with what is derived again; with every difference.
    """
    from auditor.api import rendering  # noqa: PLC0415

    return rendering.read(results)


Formats = Literal["pdf", "html", "md", "junit", "sarif", "json", "cyclonedx", "oscal"]


@overload
def report(evidence: Source, *, to: None = None, for_: str | None = None, format: Formats | None = None) -> bytes: ...


@overload
def report(evidence: Source, *, to: PathLike, for_: str | None = None, format: Formats | None = None) -> Path: ...


def report(
    evidence: Source,
    *,
    to: PathLike | None = None,
    for_: str | None = None,
    format: Formats | None = None,  # noqa: A002 - the name of the option
) -> bytes | Path:
    """Render a report from evidence, for a given reader.

    Examples:
        >>> audit = check("my-case", only="log.consistency")
        >>> report(audit, to="report.html", for_="officer").name
        'report.html'
        >>> report(audit, for_="ci").decode().splitlines()[0]
        '## Unlearning audit: open'

    Args:
        evidence: An `Audit`, an evidence.json, the folder that it is in, or its bytes.
        to: The file to write; the document is handed back as bytes if left out.
        for_: `"officer"`: the main part; `"regulator"`: main part and annex, as if left out; `"ci"`: Markdown, JUnit, SARIF,
            JSON, CycloneDX or OSCAL.
        format: What to write; by the ending of `to`, else the reader's usual one.

    Returns:
        The file that was written, or the document.

    Raises:
        InputError: If the evidence cannot be read.
        MissingExtraError: If a PDF is asked for and the extra `report` is not installed.
        UsageError: If the reader is not served in that format, or the file cannot be written.
        ReportError: If the evidence contradicts itself, or cannot be rendered.
    """
    from auditor.api import rendering  # noqa: PLC0415

    return rendering.report(evidence, to=to, reader=for_, form=format)


@overload
def letter(evidence: Source, request: str, *, to: None = None, subject: str | None = None, draft: bool = False) -> bytes: ...


@overload
def letter(evidence: Source, request: str, *, to: PathLike, subject: str | None = None, draft: bool = False) -> Path: ...


def letter(
    evidence: Source, request: str, *, to: PathLike | None = None, subject: str | None = None, draft: bool = False
) -> bytes | Path:
    """Write the letter for one erasure request, as a PDF.

    Args:
        evidence: An `Audit`, an evidence.json, the folder that it is in, or its bytes.
        request: The request, as the log names it.
        to: The file to write; the letter is handed back as bytes if left out.
        subject: The person, as the log names them, where a request is several people's.
        draft: Whether blanks may stay where `[case]` lacks something; a draft is not to be sent.

    Returns:
        The file that was written, or the letter.

    Raises:
        InputError: If the evidence cannot be read, or lacks what a letter needs; with every problem.
        MissingExtraError: If the extra `report` is not installed.
        UsageError: If the evidence has no such request, or the file cannot be written.
    """
    from auditor.api import rendering  # noqa: PLC0415

    return rendering.letter(evidence, request, to=to, subject=subject, draft=draft)


@overload
def reply(
    evidence: Source, request: str, *, to: None = None, subject: str | None = None, format: Literal["docx", "pdf"] | None = None
) -> bytes: ...


@overload
def reply(
    evidence: Source, request: str, *, to: PathLike, subject: str | None = None, format: Literal["docx", "pdf"] | None = None
) -> Path: ...


def reply(
    evidence: Source,
    request: str,
    *,
    to: PathLike | None = None,
    subject: str | None = None,
    format: Literal["docx", "pdf"] | None = None,  # noqa: A002 - as in `report`
) -> bytes | Path:
    """Draft the reply to one erasure request, with a marked blank for whatever nobody declared; it is no evidence.

    Args:
        evidence: An `Audit`, an evidence.json, the folder that it is in, or its bytes.
        request: The request, as the log names it.
        to: The file to write, which may not exist yet; the reply is handed back as bytes if left out.
        subject: The person, as the log names them, where a request is several people's.
        format: `"docx"`, to edit, or `"pdf"`, to read; by the ending of `to`, else a Word document.

    Returns:
        The file that was written, or the reply.

    Raises:
        InputError: If the evidence cannot be read, or no reply can be drafted of it.
        MissingExtraError: If a PDF is asked for and the extra `report` is not installed.
        UsageError: If the evidence has no such request, or the file is there already or cannot be written.
    """
    from auditor.api import rendering  # noqa: PLC0415

    return rendering.reply(evidence, request, to=to, subject=subject, form=format)
