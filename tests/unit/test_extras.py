"""What a plain installation does without the extras, and what it says where one is missing."""

from __future__ import annotations

import json
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from auditor.audit import doctor
from auditor.base import extras
from auditor.base.errors import ProcedureError
from auditor.cli import run
from auditor.terminal.output import explain
from cases import SAMPLES, copy_of

ROOT = SAMPLES.parent
GOLDEN = ROOT / "tests" / "golden" / "0.2.0" / "digits-newton.json"
PLAIN = """
import json, sys
from importlib.abc import MetaPathFinder

class Wall(MetaPathFinder):
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in BLOCKED:
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)

BLOCKED = set(json.loads(sys.argv[1]))
sys.meta_path.insert(0, Wall())
from auditor.cli import run

codes = []
for command in json.loads(sys.argv[2]):
    codes.append(run(command))
    print(f"--- {command[0]}", file=sys.stderr, flush=True)
sys.stderr.write(json.dumps(codes))
"""


def plainly(*commands: list[str]) -> tuple[list[int], list[str]]:
    """Exit codes of commands in one process that can import no package of an extra, and what each said on stderr."""
    blocked = [module for extra in extras.EXTRAS.values() for module in extra.modules]
    given = [json.dumps(blocked), json.dumps(commands)]
    ran = subprocess.run([sys.executable, "-c", PLAIN, *given], capture_output=True, text=True, check=True)
    assert "Traceback" not in ran.stderr
    *said, codes = ran.stderr.split("--- ")
    found = json.loads(codes.partition("\n")[2])
    return found, [said[0], *(each.partition("\n")[2] for each in said[1:])]


def test_a_plain_installation_verifies_calculates_validates_and_audits_a_table(tmp_path: Path) -> None:
    case, out = copy_of("digits-newton", tmp_path), tmp_path / "audit"
    out.mkdir()
    (out / "report.pdf").write_bytes(b"%PDF of an earlier audit")
    network = str(SAMPLES / "digits-mlp-none")
    codes, said = plainly(
        ["verify", str(GOLDEN)],
        ["calc", "gaussian", "--epsilon", "1", "--delta", "1e-4"],
        ["validate", str(case)],
        ["validate", network, "--no-run"],
        ["check", str(case), "--out", str(out), "--only", "model.reproduced,log.consistency"],
        ["verify", str(out)],
        ["report", str(GOLDEN), "--format", "html", "-o", str(tmp_path / "again.html")],
        ["report", str(GOLDEN), "--format", "pdf", "-o", str(tmp_path / "again.pdf")],
        ["certificate", str(GOLDEN), "--request", "REQ-2026-0001"],
        ["check", network, "--out", str(tmp_path / "network")],
    )
    # Checks that were left out by hand count as skipped: the table's audit is inconclusive, and nothing about it failed.
    assert codes == [0, 0, 0, 0, 3, 0, 0, 2, 2, 2]
    assert {each.name for each in out.iterdir()} >= {"evidence.json", "report.html"}
    assert not (out / "report.pdf").exists()
    assert "auditor[report]" in said[4]
    assert not (tmp_path / "network").exists()
    lacking = "needs weasyprint and pypdfium2, which are not installed: pip install 'auditor[report]'\n"
    assert said[7:9] == [f"auditor: report --format pdf {lacking}", f"auditor: certificate {lacking}"]
    networks = "needs torch and opacus, which are not installed: pip install 'auditor[networks]'\n"
    assert said[9] == f'auditor: the procedure "torch" of this case {networks}'


def test_a_procedure_that_cannot_import_pytorch_is_told_where_it_comes_from(capfd: pytest.CaptureFixture[str]) -> None:
    explain(ProcedureError("the procedure's start failed: ModuleNotFoundError: No module named 'torch'"))
    assert "torch comes with pip install 'auditor[networks]'" in capfd.readouterr().err
    explain(ProcedureError("the procedure's start failed: it raised ModuleNotFoundError", stderr_tail="No module named 'ours.x'"))
    said = capfd.readouterr().err
    assert "The procedure imports ours, which is not installed in the environment that auditor runs in." in said
    assert f"{sys.executable} -m pip install ours. If it is a file of yours, put it next to the procedure's entry." in said
    explain(ProcedureError("the procedure's start failed: ModuleNotFoundError"))
    assert "pip" not in capfd.readouterr().err


def test_doctor_names_every_extra_and_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("auditor.audit.doctor._sandbox", lambda: "tried elsewhere")
    parts = {part.name: part for part in doctor.examine()}
    assert parts["extra report"].ok
    assert "weasyprint 7" in parts["extra report"].found
    there = extras._found
    monkeypatch.setattr("auditor.base.extras._found", lambda module: module not in {"opacus", "weasyprint"} and there(module))
    parts = {part.name: part for part in doctor.examine()}
    assert not any(parts[name].needed for name in parts if name.startswith("extra"))
    assert (parts["extra networks"].ok, parts["extra networks"].found) == (False, "not installed: opacus")
    assert parts["extra networks"].remedy == "for training networks with PyTorch: pip install 'auditor[networks]'"
    assert "PDF layout" not in parts, "it is needed where its extra is installed"


def test_the_extras_are_those_of_the_package() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    offered = project["optional-dependencies"]
    for name, extra in extras.EXTRAS.items():
        assert set(map(extra.package_of, extra.modules)) == {each.partition(">")[0] for each in offered[name]}
        assert not set(extra.modules) & {each.partition(">")[0] for each in project["dependencies"]}
    (every,) = offered["all"]
    # Those who have no cluster would install hundreds of megabytes for nothing.
    assert set(every.removeprefix("auditor[").removesuffix("]").split(",")) == set(extras.EXTRAS) - {"dask", "mlflow", "ray"}


def test_no_extra_but_ray_and_mlflow_is_missing_here(capfd: pytest.CaptureFixture[str]) -> None:
    # `make test-ray` and `make test-mlflow` install them.
    assert not [name for name in extras.EXTRAS if name not in {"mlflow", "ray"} and extras.missing(name)]
    assert extras.extra_of("torch.nn") == "networks"
    assert extras.extra_of("numpy") is None
    assert run(["--version"]) == 0
    capfd.readouterr()
