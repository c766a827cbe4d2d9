"""Audits as runs of MLflow, and models of its registry: with a store in a folder, as `make test-mlflow` installs it."""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from cases import SAMPLES, copy_of

pytestmark = [pytest.mark.mlflow, pytest.mark.slow]

REGISTER = """
import sys
from pathlib import Path
from mlflow import MlflowClient
client, files = MlflowClient(), Path(sys.argv[1])
run = client.create_run(client.create_experiment("models"))
client.log_artifacts(run.info.run_id, str(files), "model")
client.create_registered_model("digits")
print(client.create_model_version("digits", f"{run.info.artifact_uri}/model", run.info.run_id).version)
"""
ASK = """
import json, sys
import mlflow
client = mlflow.MlflowClient()
(run,) = client.search_runs([client.get_experiment_by_name("audits").experiment_id])
mlflow.artifacts.download_artifacts(run_id=run.info.run_id, artifact_path="audit", dst_path=sys.argv[1])
version = client.get_model_version("digits", "1")
print(json.dumps([run.info.run_id, run.info.status, run.data.tags, run.data.metrics, version.tags]))
"""


def ran(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    """Run Python with MLflow set up for a store in this folder."""
    store = f"file:{folder / 'mlruns'}"
    surroundings = {**os.environ, "MLFLOW_TRACKING_URI": store, "MLFLOW_ALLOW_FILE_STORE": "true", "OMP_NUM_THREADS": "1"}
    return subprocess.run([sys.executable, *words], cwd=folder, env=surroundings, capture_output=True, text=True, check=False)


def auditor(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    return ran(folder, "-m", "auditor", *words)


def registered(folder: Path, **files: bytes) -> Path:
    """A case whose model is version 1 of `digits` in a registry, which holds these files as well."""
    case = copy_of("digits-newton", folder)
    content = (case / "model.safetensors").read_bytes()
    model = folder / "logged"
    model.mkdir()
    for name, each in {"model.safetensors": content, "MLmodel": b"flavors: {}\nrun_id: abc\n", **files}.items():
        (model / name).write_bytes(each)
    made = ran(folder, "-c", REGISTER, str(model))
    assert made.stdout.strip() == "1", made.stderr
    (case / "model.safetensors").unlink()
    declared = case / "audit.toml"
    text = declared.read_text(encoding="utf-8")
    declared.write_text(text.replace('path = "model.safetensors"', 'path = "models:/digits/1"'), encoding="utf-8")
    return case


def test_a_registered_model_is_audited_and_its_audit_is_a_run(tmp_path: Path) -> None:
    case = registered(tmp_path)
    checked = auditor(tmp_path, "check", str(case), "--only", "model.reproduced,log.consistency", "--json")
    assert checked.returncode == 3, checked.stderr
    evidence = json.loads((case / "audit" / "evidence.json").read_bytes())
    assert {each["id"]: each["status"] for each in evidence["checks"]}["model.reproduced"] == "pass"
    content = (SAMPLES / "digits-newton" / "model.safetensors").read_bytes()
    digest = hashlib.sha256(content).hexdigest()
    assert evidence["case"]["model"] == "models:/digits/1"
    assert {"path": "models:/digits/1", "sha256": digest, "bytes": len(content)} in evidence["case"]["inputs"]
    assert "models:/digits/1/MLmodel" in {each["path"] for each in evidence["case"]["inputs"]}

    logged = auditor(tmp_path, "mlflow", str(case / "audit"), "--experiment", "audits", "--tag-version", "--json")
    assert logged.returncode == 0, logged.stderr
    told = json.loads(logged.stdout)
    (tmp_path / "down").mkdir()
    run_id, status, tags, metrics, of_version = json.loads(ran(tmp_path, "-c", ASK, str(tmp_path / "down")).stdout)
    assert (run_id, status) == (told["run_id"], "FINISHED")
    bound = {"uri": "models:/digits/1", "name": "digits", "version": "1", "sha256": digest}
    assert {name: tags[f"auditor.model.{name}"] for name in bound} == bound
    assert (tags["auditor.verdict"], tags["auditor.check.model.reproduced"]) == ("inconclusive", "pass")
    stated = {each["id"]: each["value"] for each in evidence["checks"]}
    assert {name: metrics[name] for name in ("model.reproduced", "log.consistency")} == {
        name: pytest.approx(stated[name]) for name in ("model.reproduced", "log.consistency")
    }
    assert of_version == {
        "auditor.verdict": "inconclusive",
        "auditor.model.sha256": digest,
        "auditor.evidence.sha256": tags["auditor.evidence.sha256"],
        "auditor.run": run_id,
    }
    down = tmp_path / "down" / "audit"
    assert (down / "evidence.json").read_bytes() == (case / "audit" / "evidence.json").read_bytes()
    assert {"evidence.json", "report.html", "report.pdf"} <= {each.name for each in down.iterdir()}
    verified = auditor(tmp_path, "verify", str(down))
    assert verified.returncode == 0, verified.stdout


def test_evidence_that_was_changed_is_not_logged_and_another_file_is_not_bound(tmp_path: Path) -> None:
    case = registered(tmp_path)
    other = copy_of("digits-retrain", tmp_path / "other")
    assert auditor(tmp_path, "check", str(case), "--only", "log.consistency", "--quiet").returncode == 3
    assert auditor(tmp_path, "check", str(other), "--only", "log.consistency", "--quiet").returncode == 3
    refused = auditor(tmp_path, "mlflow", str(other / "audit"), "--model", "models:/digits/1")
    assert refused.returncode == 2
    assert "an audit with a model file" in refused.stderr or "the file that was audited, SHA-256" in refused.stderr
    file = case / "audit" / "evidence.json"
    file.write_bytes(file.read_bytes().replace(b'"verdict":"inconclusive"', b'"verdict":"pass"'))
    assert auditor(tmp_path, "mlflow", str(case / "audit"), "--experiment", "audits").returncode == 1
    assert ran(tmp_path, "-c", ASK, str(tmp_path)).returncode, "no experiment was made"


@pytest.mark.parametrize(
    ("path", "files", "said"),
    [
        ("models:/digits/latest", {}, "aliases and stages may move"),
        ("models:/digits@champion", {}, "aliases and stages may move"),
        ("models:/digits/2", {}, "models:/digits/2 in your MLflow registry"),
        ("models:/digits/1", {"model.npz": b"PK"}, "name one, as models:/digits/1/FILE"),
        ("models:/digits/1/model.pkl", {"model.pkl": b"\x80\x04."}, "a format that is unpickled"),
        ("models:/digits/1/../../MLmodel", {}, "aliases and stages may move"),
    ],
)
def test_a_name_that_means_no_one_file_is_one_message(path: str, files: dict[str, bytes], said: str, tmp_path: Path) -> None:
    case = registered(tmp_path, **files)
    declared = case / "audit.toml"
    text = declared.read_text(encoding="utf-8").replace('"models:/digits/1"', f'"{path}"')
    declared.write_text(text, encoding="utf-8")
    validated = auditor(tmp_path, "validate", str(case), "--no-run")
    assert (validated.returncode, said in validated.stderr) == (2, True), validated.stderr
    assert "Traceback" not in validated.stderr
    assert validated.stderr.count("auditor: ") == 1
