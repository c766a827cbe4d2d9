"""Writes what an audit leaves in its folder: evidence, both reports, what parts add, such as counterexamples, and statements."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

from auditor.base import extras
from auditor.base.errors import ReportError, StorageError, UsageError
from auditor.base.parts import constants
from auditor.base.writing import FIRST_STAGE, write_all
from auditor.pages import render
from auditor.pages.words.rendered_evidence import Told, tell
from auditor.pages.words.texts import say

if TYPE_CHECKING:
    from auditor.document.evidence import Evidence
    from auditor.recheck.signing import Signer

EVIDENCE: Final = "evidence"
REPORT: Final = "report"
HTML: Final = "html"
STATEMENT: Final = "statement"

Notice = Callable[[str], object]
"""Takes a sentence about what was removed, or could not be rendered."""


@dataclass(frozen=True, slots=True)
class Written:
    """What lies in the folder."""

    told: Told
    """The evidence as people read it."""
    paths: Mapping[str, Path]
    """By what they are: `evidence`, `html`, `report` (where there is a PDF), `counterexample-N`, with a key the statements."""


def write(
    evidence: Evidence,
    folder: Path,
    *,
    signer: Signer | None = None,
    notice: Notice,
    shared: bool = False,
    printed: bool = True,
) -> Written:
    """Write evidence, both reports and, with a key, what signs them.

    No PDF where the extra for it is not installed; the evidence alone where a report cannot be rendered.

    Args:
        evidence: Of an audit that was run.
        folder: Is made where it is missing. Of an earlier audit nothing stays there that would be taken for this one's.
        signer: The key that signs; None for none.
        notice: Takes a sentence about each file of an earlier audit that was removed, and about letters that stay.
        shared: Whether others than the owner may read what is written.
        printed: Whether a PDF is wanted, which takes seconds.

    Raises:
        ReportError: If a report cannot be rendered; the evidence is written.
        StorageError: If something cannot be written.
    """
    try:
        return _written(evidence, folder, signer, notice, shared=shared, printed=printed)
    except UsageError as error:
        # Something was run, and somebody took the folder away meanwhile.
        raise StorageError(str(error)) from error


def _written(evidence: Evidence, folder: Path, signer: Signer | None, notice: Notice, *, shared: bool, printed: bool) -> Written:
    paths = {EVIDENCE: folder / "evidence.json", REPORT: folder / "report.pdf", HTML: folder / "report.html"}
    stale = _first_of_another(evidence, folder)
    if extras.missing("report") or not printed:
        # One of an earlier audit would be taken for this one's.
        stale.append(paths.pop(REPORT))
    signed_by = None if signer is None else signer.public_key.keyid
    added = _added(evidence)
    found = {f"{stem}{number}": each for stem, contents in added.items() for number, each in enumerate(contents, start=1)}
    paths |= {name: folder / f"{name}.json" for name in found}
    # Those of an earlier audit, which found more, would be taken for this one's.
    stale += sorted({path for stem in added for path in folder.glob(f"{stem}[0-9]*.json")} - set(paths.values()))
    try:
        told = tell(evidence)
        contents = {paths[REPORT]: render.pdf(told, signed_by=signed_by)} if REPORT in paths else {}
        contents |= {
            paths[HTML]: render.html(told, signed_by=signed_by).encode(),
            paths[EVIDENCE]: told.content,
            **{paths[name]: each for name, each in found.items()},
        }
    except ReportError:
        stale += [path for name, path in paths.items() if name != EVIDENCE]
        _without_statements({paths[EVIDENCE]: render.json_bytes(evidence)}, folder, notice, stale, shared=shared)
        unsigned = "" if signer is None else say("cli-nothing-signed")
        notice(say("cli-not-rendered", path=paths[EVIDENCE], unsigned=unsigned))
        raise
    before = _letters_in(folder)
    statements: dict[str, Path] = {}
    if signer is None:
        _without_statements(contents, folder, notice, stale, shared=shared)
    else:
        statements = _signed(contents, folder, signer, notice, stale, shared=shared)
    if before:
        notice(say("cli-letters-of-another", folder=folder, count=before))
    return Written(told, paths | statements)


def _letters_in(folder: Path) -> int:
    """Count the letters that lie in a folder before an audit is written to it. They stay: they may have been sent."""
    from auditor.recheck.files import is_letter  # noqa: PLC0415

    return sum(is_letter(each.name) for each in folder.iterdir()) if folder.is_dir() else 0


def _first_of_another(evidence: Evidence, folder: Path) -> list[Path]:
    """List the files of a first stage in the folder of a whole audit that is another one's: it would be taken for this one's."""
    first = folder / FIRST_STAGE
    if evidence.audit.stage is not None or not first.is_dir() or first.is_symlink():
        return []
    try:
        started: object = json.loads((first / "evidence.json").read_bytes())["audit"]["started_at"]
    except (OSError, ValueError, LookupError, TypeError, RecursionError):
        started = None
    if started == evidence.model_dump(mode="json", include={"audit": {"started_at"}})["audit"]["started_at"]:
        return []
    from auditor.recheck import signing  # noqa: PLC0415

    ours = ("evidence.json", "report.pdf", "report.html", *signing.OF_AUDIT)
    return [path for name in ours if (path := first / name).is_file() and not path.is_symlink()]


def _added(evidence: Evidence) -> dict[str, tuple[bytes, ...]]:
    """What parts add to the folder: the contents of numbered files, by what their names begin with."""
    brought: Iterator[Mapping[str, Callable[[Evidence], tuple[bytes, ...]]]] = constants("results")
    return {stem: contents(evidence) for those in brought for stem, contents in those.items()}


def _signed(
    contents: dict[Path, bytes], folder: Path, signer: Signer, notice: Notice, stale: Sequence[Path], *, shared: bool
) -> dict[str, Path]:
    """Write results and the statements about them at once, and take away what is stale; where the statements lie."""
    from auditor.recheck import signing  # noqa: PLC0415

    statements = signing.about({path.name: content for path, content in contents.items()})
    envelopes = {folder / name: signing.sign(statement, signer) for name, statement in statements.items()}
    _tell_removed(write_all(contents | envelopes, without=stale, shared=shared), notice)
    return {
        STATEMENT: folder / signing.STATEMENT_FILE,
        "test_result": folder / signing.TEST_RESULT_FILE,
        "verification_result": folder / signing.VERIFICATION_FILE,
    }


def _without_statements(
    contents: dict[Path, bytes], folder: Path, notice: Notice, stale: Sequence[Path] = (), *, shared: bool
) -> None:
    """Write unsigned results, and take away statements that signed earlier ones: next to these they would fit nothing."""
    from auditor.recheck import signing  # noqa: PLC0415

    old = [folder / name for name in signing.OF_AUDIT]
    _tell_removed(write_all(contents, without=[*old, *stale], shared=shared), notice)


def _tell_removed(paths: Sequence[Path], notice: Notice) -> None:
    from auditor.recheck.files import ENVELOPE  # noqa: PLC0415

    for path in (each for each in paths if each.parent.name != FIRST_STAGE):
        notice(say("cli-removed-signature" if path.name.endswith(ENVELOPE) else "cli-removed-report", path=path))
