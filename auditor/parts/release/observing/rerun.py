"""Compare the model that is shipped with that of the rerun."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

import numpy as np

from auditor.audit.replay import Replay
from auditor.base.records import Floats
from auditor.case import Case, rewriting
from auditor.parts.release.judging import model_reproduced
from auditor.parts.release.judging.released_format import FileSeen, Loaded
from auditor.parts.release.observing.released_file import differing_bits
from auditor.verdict.checks.finding import Values


def observe(case: Case, replay: Replay, loaded: Loaded | None, file: FileSeen | None = None) -> Mapping[str, Values]:
    """Hold what the rerun gave alongside the shipped model; `loaded` is what the shipped file is by itself.

    `file` is what it is in a library's own format, where it has one.
    """
    return {model_reproduced.CARD.id: _reproduced(case, replay, loaded, file)}


def _reproduced(case: Case, replay: Replay, loaded: Loaded | None, file: FileSeen | None = None) -> model_reproduced.Observed:
    shipped, final = case.shipped, replay.trajectory[-1] if replay.trajectory else None
    between = replay.self_check_difference
    between = between if between is not None and math.isfinite(between) else None
    compared = dict.fromkeys(("difference", "differing", "free_bits", "on_grid"))
    if shipped is not None and final is not None and shipped.shape == final.shape:
        compared = _compared(case, shipped, final, between or 0.0)
    return model_reproduced.Observed.model_validate(
        {
            "parameters": None if final is None else int(final.size),
            "shipped_parameters": None if shipped is None else int(shipped.size),
            "self_check_difference": between,
            "largest": 0.0 if final is None else float(np.max(np.abs(final))),
            "container": () if case.model_file is None else case.model_file.beyond,
            "loaded": loaded,
            "file": file,
            "earlier": _earlier(shipped, replay, compared["difference"]),
            **compared,
        }
    )


def _earlier(shipped: Floats | None, replay: Replay, difference: float | None) -> model_reproduced.EarlierModel | None:
    """The model before the last batch that the file is nearest to, the latest of several; None where the last is as near."""
    if shipped is None or difference is None or replay.trajectory is None:
        return None
    found = [
        (float(np.max(np.abs(shipped - each))), -batch)
        for batch, each in enumerate(replay.trajectory[:-1])
        if each.shape == shipped.shape
    ]
    nearest, batch = min(found, default=(difference, 0))
    return model_reproduced.EarlierModel(batch=-batch, difference=nearest) if nearest < difference else None


def _compared(case: Case, shipped: Floats, final: Floats, between: float) -> dict[str, Any]:
    difference = float(np.max(np.abs(shipped - final)))
    declared, kind = case.settings.model, np.dtype(np.float64) if case.model_file is None else case.model_file.values.dtype
    grid = None if declared is None else declared.grid
    return {
        "difference": difference,
        "differing": differing_bits(shipped, final),
        "free_bits": rewriting.free_bits(final, max(difference, between), kind),
        "on_grid": None if grid is None else asdict(rewriting.place(shipped, final, grid, between)),
    }
