"""What a canonical state leaves out is found in what else a controller keeps."""

from __future__ import annotations

from pathlib import Path

import pytest

from auditor.parts.controllers.observing.histories import erased
from auditor.parts.controllers.observing.histories.sandboxed import Stand
from auditor.parts.store.judging.accounting import ControllerKept
from auditor.sandbox import Level, Limits, ProcedureSpec, available
from played_controllers import VOCABULARIES
from twins import hiding


def kept_by(twin: str) -> ControllerKept:
    spec = ProcedureSpec(use=None, entry=f"{Path(hiding.__file__)}:{twin}", whole=True)
    stand = Stand(spec, min(available(), Level.CONFINED), Limits(timeout_s=60))
    return erased.observe(stand, VOCABULARIES["dictionary"], seed=0)


@pytest.mark.parametrize(
    ("twin", "place"),
    [
        ("InAnAttribute", "objects"),
        ("CompressedInAnAttribute", "objects"),
        ("InTheModule", "objects"),
        ("InAFile", "files"),
        ("InBase64", "state"),
        ("ByHash", "state"),
    ],
)
def test_names_are_found_where_the_twin_keeps_them(twin: str, place: str) -> None:
    kept = kept_by(twin)
    assert kept.recognised
    assert {each.place: bool(each.found) for each in kept.places}[place]
