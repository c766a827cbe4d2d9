"""Audits a case once for several processes, and says beforehand which checks may decide it: what a test runner needs."""

from __future__ import annotations

import fcntl
import hashlib
from collections.abc import Callable
from pathlib import Path

from auditor import case as cases
from auditor.pages.taking_part import taking_part
from auditor.settings.tables import Settings
from auditor.verdict.checks import definitions


def may_decide(path: Path) -> tuple[str, ...]:
    """List the checks that may decide a case, in their order; nothing is run, so that some of them may turn out not to.

    Raises:
        InputError: If the case is not sound.
    """
    with taking_part(cases.parts_named(path)):
        return _may_decide(cases.read(path).settings)


def _may_decide(settings: Settings) -> tuple[str, ...]:
    listed, learns = settings.policy.required, settings.procedure.learns

    def may(name: str) -> bool:
        card = definitions()[name].card
        if listed is not None:
            return name in listed or card.required_when_run
        return (card.every_case or not card.informative) and (learns or card.of_controllers)

    return tuple(name for name in definitions() if may(name))


def once(folder: Path, case: Path, make: Callable[[], bytes]) -> bytes:
    """Give what is made once for a case, by whichever process comes first; the others wait and read.

    Args:
        folder: Of this user alone.
        case: What it is made of.
        make: Makes it.
    """
    file = folder / hashlib.sha256(str(case.resolve()).encode()).hexdigest()
    with file.with_suffix(".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not file.exists():
            made = make()
            partial = file.with_suffix(".partial")
            partial.write_bytes(made)
            partial.replace(file)
    return file.read_bytes()
