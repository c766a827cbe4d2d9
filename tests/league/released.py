"""Runs a controller's class as the controller would, and writes the model file that it would ship."""

from __future__ import annotations

import io
import sys
import types
from typing import Any

import numpy as np

from submission import SECRET, Submission


class Data:
    """Gives a procedure its records, as the sandbox does."""

    def __init__(self, features: Any, labels: Any, ids: Any) -> None:
        self.features, self.labels, self.ids = features, labels, ids

    def subset(self, places: Any) -> Data:
        return Data(self.features[places], self.labels[places], self.ids[places])


def procedure_of(submission: Submission) -> Any:
    """Make an object of the class in a submission's code."""
    assert submission.code is not None
    module = types.ModuleType("league_procedure")
    sys.modules[module.__name__] = module
    exec(compile(submission.code, "procedure.py", "exec"), module.__dict__)
    keys = {key: value for key, value in submission.procedure.items() if key != "seed"}
    return module.__dict__["Procedure"](**keys)


def replayed(submission: Submission, *, batches: int | None = None) -> np.ndarray[Any, Any]:
    """The parameters that the controller ends with, shape (p,), after so many batches of its log; after all where left out."""
    procedure, seed = procedure_of(submission), int(submission.procedure.get("seed", SECRET))
    table = submission.table
    data, places = Data(table.features, table.labels, table.ids), np.arange(len(table))
    model = procedure.learn(data, seed)
    for number, batch in enumerate(submission.deleted[:batches], start=1):
        forget = np.flatnonzero(np.isin(places, [place for request in batch for place in request]))
        model = procedure.unlearn(model, data, forget, seed + number)
        kept = np.setdiff1d(np.arange(len(places)), forget)
        data, places = data.subset(kept), places[kept]
    return np.asarray(procedure.parameters(model), dtype=np.float64)


def npz(**arrays: Any) -> bytes:
    """The bytes of an npz file."""
    stream = io.BytesIO()
    np.savez(stream, **arrays)
    return stream.getvalue()
