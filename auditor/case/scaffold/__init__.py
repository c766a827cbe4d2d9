"""`auditor init --from`: a case out of a user's own code, table and tickets, with nothing run.

tables       a table as text, column by column;  as_read: as the script's own call reads it
roles        ids, labels, the kind of task
code         what builds the estimator, read as a syntax tree;  build_files: what it imports from alongside it
following    a script from its table to its model
    steps       its statements in the order in which they run
    dataflow    what each makes of the table;  constants, encodings, rows: what it asks of single expressions
    prepared    what becomes of each: prepare.py, build.py, or the list of what is not carried over
    dropped, chance  what may not be left out: what changes in place, what lines draw from one generator or seed
    patches     what changes the meaning of other statements, in the script and in its own modules, and is refused
    shared_state, used_up  what makes calls depend on those before;  script_names: what the names of a file stand for
released     how the file that is released has to be trained
pickles      what a process of the sandbox answers about a pickled pipeline, as constructor calls
torch_scripts  the training of a PyTorch script, read alike;  torch_loops: the `TrainingLoop` that it becomes
beginning    the case out of all that: declaring: its audit.toml;  asking: what the controller is to attest
starting     the blank case, and copies of samples;  placing: all files of a new case, or none
tickets      what is asked of an export of tickets, which the part on the log reads

What can be found out is not asked. Each guess is said, with what it rests on and the option that overrules it; where two are as
good, nothing is guessed. The case is read as every case is before it lies where it was asked for.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from auditor.case.scaffold.asking import asked, questions
    from auditor.case.scaffold.beginning import Begun, Given, begin
    from auditor.case.scaffold.declaring import fresh_seed
    from auditor.case.scaffold.starting import names, start
    from auditor.case.scaffold.tickets import Log, Tickets

__all__ = ["Begun", "Given", "Log", "Tickets", "asked", "begin", "fresh_seed", "names", "questions", "start"]

_HOMES: Final = {
    **dict.fromkeys(("asked", "questions"), "asking"),
    **dict.fromkeys(("Begun", "Given", "begin"), "beginning"),
    "fresh_seed": "declaring",
    **dict.fromkeys(("names", "start"), "starting"),
    **dict.fromkeys(("Log", "Tickets"), "tickets"),
}


def __getattr__(name: str) -> Any:
    """Import what is asked for alone: a scan reads tickets and no script."""
    if name in _HOMES:
        return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
