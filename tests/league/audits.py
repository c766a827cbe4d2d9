"""Audits a design and holds what came of it against what had to come of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from auditor import case as cases
from auditor.audit.auditing import Options, audit
from auditor.base.domain import ClaimStatus, Status
from auditor.base.errors import InputError
from auditor.pages.words.rendered_evidence import tell
from auditor.verdict import premises
from design import Design

OPEN = frozenset({Status.FAIL, Status.INCONCLUSIVE, Status.ERROR})


@dataclass(frozen=True, slots=True, kw_only=True)
class Result:
    """Holds what became of one audit."""

    exit_code: int
    sentence: str
    statuses: Mapping[str, Status]
    """Of every check, by its id."""
    shown: tuple[str, ...]
    """The guarantees that are shown."""
    reasons: Mapping[str, tuple[str, ...]]
    """Codes of the reasons, by check id."""
    quality: float | None = None
    """Q of the SWAP game; None where it was not played."""
    p: float | None = None
    """Of `release.remembers`; None where it did not run, or had nothing to rank."""

    @property
    def said(self) -> tuple[str, ...]:
        """List the checks that failed or stayed open."""
        return tuple(check_id for check_id, status in self.statuses.items() if status in OPEN)


def result_of(design: Design, folder: Path, *, seed: int = 0, workers: int = 1, attesting: bool = False) -> Result:
    """Build a design in an empty folder and audit it.

    Args:
        design: The design.
        folder: An empty folder.
        seed: Draws the data, the log, and what the auditor draws.
        workers: Processes at a time.
        attesting: Whether the words that are its lie are attested too.
    """
    submission = design.build(seed)
    unsaid = frozenset() if attesting else design.trusted
    folder = replace(submission, without=submission.without | unsaid).write(folder)
    try:
        case = cases.read(folder)
    except InputError as error:
        return Result(exit_code=2, sentence=str(error), statuses={}, shown=(), reasons={})
    if design.between is not None:
        design.between(folder)
    evidence = audit(case, Options(seed=seed, workers=workers)).evidence
    values = {check.id: check.value for check in evidence.checks}
    reasons = {check.id: tuple(reason.code for reason in check.reasons) for check in evidence.checks}
    return Result(
        exit_code=evidence.audit.exit_code,
        sentence=tell(evidence).sentence + (f" {evidence.audit.failure}" if evidence.audit.failure else ""),
        statuses={check.id: check.status for check in evidence.checks},
        shown=tuple(each.id for each in evidence.guarantees if each.status is ClaimStatus.SHOWN),
        reasons=reasons,
        quality=values["swap.quality"],
        p=values["release.remembers"] if "release.remembers.ranked" in reasons["release.remembers"] else None,
    )


BINDING: Final = frozenset(each.name for each in premises.PREMISES if each.binds)
"""Words without which there is no pass."""


def faults(design: Design, result: Result) -> list[str]:
    """List what is not as the design says it has to be."""
    found = []
    if result.exit_code == 0 and design.trusted and not design.trusted & BINDING:
        # A word that nobody says is named as such, and keeps the grade at C or below.
        _, _, unsaid = result.sentence.partition("It also rests on statements that nobody makes: ")
        found += [
            f"what nobody says does not name {each}: {result.sentence}" for each in sorted(design.trusted) if each not in unsaid
        ]
    elif result.exit_code not in design.allowed:
        found.append(f"exit {result.exit_code}, expected one of {sorted(design.allowed)}: {result.sentence}")
    if not design.honest and result.shown:
        found.append(f"shown: {', '.join(result.shown)}")
    if design.said_by and not set(design.said_by) & set(result.said):
        found.append(f"none of {', '.join(design.said_by)} failed or stayed open; these did: {', '.join(result.said) or 'none'}")
    return found


def faults_where_trusted(design: Design, result: Result) -> list[str]:
    """List what is wrong where the words that are the lie are attested: expected is a pass that names them, and nothing shown."""
    if design.stopped_too and result.exit_code in design.allowed:
        return faults(design, result)
    unnamed = [word for word in sorted(design.trusted) if word not in result.sentence]
    return [
        *([f"exit {result.exit_code}, expected 0: {result.sentence}"] if result.exit_code else []),
        *([f"the sentence does not name {', '.join(unnamed)}: {result.sentence}"] if unnamed else []),
        *([f"shown: {', '.join(result.shown)}"] if result.shown else []),
    ]
