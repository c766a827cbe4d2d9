"""`model.reproduced`: how far a shipped model may lie from the rerun, from either side of the tolerance."""

from __future__ import annotations

import json
import os
import platform
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from auditor import case as cases
from auditor.base.domain import Status
from auditor.case.artifacts import model
from auditor.case.files import read_source
from auditor.parts.release.judging import model_reproduced
from auditor.parts.release.observing import rerun
from auditor.verdict.checks.finding import Finding
from cases import copy_of
from judging import context_of_case
from replays import replay_of
from small_cases import problem, write


def reproduced(folder: Path, tolerance: float, *, off: float, apart: float = 0.0) -> tuple[Finding, float]:
    """The check of a model that lies `off` from the rerun where two reruns differ by `apart`, both times its largest number.

    Returns:
        The finding, and that largest number.
    """
    case = cases.read(write(folder, *problem(60), tolerance=tolerance))
    final = replay_of(case).trajectory[-1]
    largest = float(np.abs(final).max())
    shipped = final.copy()
    shipped[0] += off * largest
    replay = replay_of(case, self_check_difference=apart * largest)
    np.savez(folder / "shipped.npz", parameters=shipped)
    file = model(read_source(folder / "shipped.npz"))
    case = replace(case, shipped=file.parameters, model_file=file)
    observed = rerun.observe(case, replay, None)[model_reproduced.CARD.id]
    return model_reproduced.judge(context_of_case(case), observed, {}), largest


@pytest.mark.parametrize(("share", "status"), [(0.0, Status.PASS), (0.99, Status.INCONCLUSIVE), (1.01, Status.FAIL)])
def test_what_the_optimiser_admits(tmp_path: Path, share: float, status: Status) -> None:
    # 57 of 60 records are left, and λ is 0.01: two optima to within the tolerance, and a factor 4 for the steps that follow.
    admitted = 8 * 1e-9 / (0.01 * 57)
    _, largest = reproduced(tmp_path, 1e-9, off=0.0)
    assert admitted < 0.9e-6 * largest
    check, _ = reproduced(tmp_path, 1e-9, off=share * admitted / largest)
    assert check.threshold == pytest.approx(admitted, rel=1e-12)
    assert check.status is status


@pytest.mark.parametrize("apart", [0.0, 0.9e-6, 0.9e-3])
@pytest.mark.parametrize(("off", "status"), [(0.99e-6, Status.INCONCLUSIVE), (1.01e-6, Status.FAIL)])
def test_no_coarse_optimiser_and_no_chance_admits_more_than_a_millionth(
    tmp_path: Path, apart: float, off: float, status: Status
) -> None:
    check, largest = reproduced(tmp_path, 1e-3, off=off, apart=apart)
    assert check.threshold == pytest.approx(1e-6 * largest, rel=1e-12)
    assert check.status is (status if apart < 1e-6 else Status.INCONCLUSIVE)


ON_KERNELS = """
import sys
from auditor import __main__
from auditor.sandbox import child_plan

usual, kernels = child_plan.environment, sys.argv[1]
child_plan.environment = lambda *given, **named: usual(*given, **named) | {"OPENBLAS_CORETYPE": kernels}
sys.argv[1:] = ["check", *sys.argv[2:]]
__main__.main()
"""
"""`auditor check` whose runs take OpenBLAS's kernels for another processor."""


@pytest.mark.slow
@pytest.mark.skipif(platform.machine() != "x86_64", reason="needs kernels for several kinds of processor")
def test_a_grid_shows_the_release_to_be_the_rerun_on_several_kinds_of_processor(tmp_path: Path) -> None:
    """`test_that_it_is_the_rerun_is_measured_only_where_its_author_had_no_choice` says what a weight next to a midpoint does."""
    case = copy_of("digits-newton-noised", tmp_path)
    only = "log.consistency,model.reproduced,removal.residual,removal.output-noise"
    differences = set()
    for kernels in ("Haswell", "Nehalem", "Prescott"):
        out = tmp_path / kernels
        given = (kernels, str(case), "--only", only, "--out", str(out), "--fresh", "--quiet")
        outer = os.environ | {"OPENBLAS_CORETYPE": kernels}
        ended = subprocess.run([sys.executable, "-c", ON_KERNELS, *given], env=outer, check=False, timeout=600)
        assert ended.returncode == 3, "what is left out stays open"
        evidence = json.loads((out / "evidence.json").read_bytes())
        (check,) = (each for each in evidence["checks"] if each["id"] == "model.reproduced")
        assert (check["status"], check["derived"]["equal"], check["observed"]["on_grid"]["near_midpoints"]) == ("pass", "grid", 0)
        (removal,) = (each for each in evidence["guarantees"] if each["id"] == "certified-removal")
        assert removal["status"] == "shown"
        differences.add(check["observed"]["difference"])
    assert len(differences) == 3, "the kernels compute alike, and nothing is tried"
