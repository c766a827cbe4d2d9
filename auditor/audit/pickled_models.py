"""What a file of pickle's or joblib's holds, as a process of the sandbox answers it: the auditor itself never unpickles."""

from __future__ import annotations

import json
from functools import partial
from pathlib import Path

from auditor.audit.devices import NO_RECORDS
from auditor.base.domain import Problem
from auditor.base.errors import InputError, ProcedureError
from auditor.case.files import read_source
from auditor.case.scaffold import pickles
from auditor.case.scaffold.pickles import Answers
from auditor.sandbox import Limits, Load, ProcedureSpec, Save, available, gate
from auditor.sandbox.jobs import Job, Run, run

_MODEL = "model"
_MOST_BYTES = 1 << 30


def answers(path: Path, *, ask: Run | None = None) -> Answers:
    """Ask a process behind barriers what a file holds.

    Args:
        path: The file.
        ask: What runs the job; the sandbox's own where left out.

    Raises:
        InputError: If the file cannot be read, uses what is no class of a library, or is answered with something else than such
            a process gives.
        SandboxError: If this machine cannot contain it.
    """
    source = read_source(path, path.name, limit=_MOST_BYTES)
    level, _ = gate(foreign=True, isolation="auto", available=available())
    spec = ProcedureSpec(use="pickled", entry=None)
    job = Job("pickled file", spec, {"train": NO_RECORDS}, (Load(_MODEL, source.data), Save(_MODEL)), Limits(), level)
    ask = ask or partial(run, workers=1, on_step=lambda _name, _done, _total: None)
    try:
        ((loaded, saved),) = ask([job])
    except ProcedureError as error:
        raise InputError([Problem(path.name, "", pickles.EXPECTED, str(error))]) from error
    if saved.content is None:
        raise InputError([Problem(path.name, "", pickles.EXPECTED, f"one that is not read ({loaded.facts.get('refused')})")])
    try:
        found = json.loads(saved.content)
    except (ValueError, RecursionError) as error:
        raise InputError([Problem(path.name, "", pickles.EXPECTED, "something else than an answer")]) from error
    return pickles.parsed(path.name, found)
