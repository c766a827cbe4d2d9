"""Models of a registry and audits as runs, without MLflow: names, what a run says, and what is said where MLflow is missing."""

from __future__ import annotations

import hashlib
import re
import sys
from dataclasses import dataclass, field
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest

from auditor.api.results import mlflow_runs
from auditor.base import extras, model_registry
from auditor.base.errors import InputError
from auditor.base.model_registry import Version, named
from auditor.cli import run
from auditor.document import evidence_files
from cases import SAMPLES, copy_of

GOLDEN = SAMPLES.parent / "tests" / "golden" / "0.2.0" / "digits-newton.json"


class Refused(Exception):  # noqa: N818 - stands for mlflow.MlflowException
    """What MLflow raises."""


@dataclass
class Server:
    """A registry and a tracking server in memory, as far as the auditor asks them."""

    files: dict[str, bytes] = field(default_factory=dict)
    tags: dict[str, str] = field(default_factory=dict)
    metrics: dict[str, float] = field(default_factory=dict)
    artifacts: list[str] = field(default_factory=list)
    status: str = "RUNNING"
    fails_at: str = ""

    def download_artifacts(self, *, artifact_uri: str, dst_path: str) -> str:
        if artifact_uri != "models:/loans/3":
            raise Refused("Registered Model with name=loans not found")
        for name, content in self.files.items():
            path = Path(dst_path) / "model" / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)
        return f"{dst_path}/model"

    def get_experiment_by_name(self, _name: str) -> None:
        return None

    def create_experiment(self, _name: str) -> str:
        return "7"

    def create_run(self, _experiment: str, **_given: Any) -> SimpleNamespace:
        return SimpleNamespace(info=SimpleNamespace(run_id="r1"))

    def log_batch(self, _run: str, *, metrics: list[SimpleNamespace], tags: list[SimpleNamespace]) -> None:
        assert len(metrics) <= 100
        assert len(tags) <= 100
        self.metrics |= {each.key: each.value for each in metrics}
        self.tags |= {each.key: each.value for each in tags}

    def log_artifact(self, _run: str, path: str, folder: str) -> None:
        if self.fails_at and path.endswith(self.fails_at):
            raise Refused("the disk of the\nserver is full")
        self.artifacts.append(f"{folder}/{Path(path).name}")

    def set_terminated(self, _run: str, status: str, **_given: Any) -> None:
        self.status = status


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Server:
    served, library = Server(), ModuleType("mlflow")
    parts = {
        "MlflowException": Refused,
        "MlflowClient": lambda: served,
        "get_tracking_uri": lambda: "memory:",
        "artifacts": SimpleNamespace(download_artifacts=served.download_artifacts),
        "entities": SimpleNamespace(
            RunTag=lambda key, value: SimpleNamespace(key=key, value=value),
            Metric=lambda key, value, *_when: SimpleNamespace(key=key, value=value),
        ),
    }
    for name, part in parts.items():
        setattr(library, name, part)
    monkeypatch.setattr(extras, "missing", lambda _extra: ())
    for name in ("mlflow", "mlflow.artifacts", "mlflow.entities"):
        monkeypatch.setitem(sys.modules, name, library)
    return served


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("models:/loans/3", Version("loans", "3")),
        ("models:/loans/3/data/model.skops", Version("loans", "3", "data/model.skops")),
        ("models:/Ratings of 2026/12", Version("Ratings of 2026", "12")),
        ("models:/main.credit.loans/2", Version("main.credit.loans", "2")),
        ("models:/..loans/2", Version("..loans", "2")),
    ],
)
def test_a_version_is_named_by_its_number(text: str, expected: Version) -> None:
    assert model_registry.is_named(text)
    assert named(text, "audit.toml", "model.path") == expected


@pytest.mark.parametrize(
    "text",
    [
        "models:/loans",
        "models:/loans/latest",
        "models:/loans/Production",
        "models:/loans@champion",
        "models:/loans/03",
        "models:/loans/3/",
        "models:/loans/3/../4/model.npz",
        "models:/../3",
        "models:/./3",
        "models:/.../3/model.npz",
        "models:/..\\loans/3",
        "models:/%2e%2e/3",
        "models:/%2Fetc/3",
        "models:/a/../3",
        "models:/loans?x/3",
        "models:/loans#x/3",
        "models://loans/3",
        "models:/m-0a1b",
        "models:/loans/3/a\nb",
    ],
)
def test_anything_that_may_mean_other_bytes_tomorrow_is_refused(text: str) -> None:
    with pytest.raises(InputError, match="aliases and stages may move"):
        named(text, "audit.toml", "model.path")


@pytest.mark.parametrize(
    ("files", "inside", "found"),
    [
        ({"MLmodel": b"m", "conda.yaml": b"c", "requirements.txt": b"r", "model.skops": b"s"}, "", "model.skops"),
        ({"MLmodel": b"m", "model.lgb": b"tree", "input_example.json": b"{}"}, "", "model.lgb.txt"),
        ({"a/model.npz": b"1", "b/model.npz": b"2"}, "b/model.npz", "b/model.npz"),
    ],
)
def test_one_file_of_a_version_is_the_model(server: Server, files: dict[str, bytes], inside: str, found: str) -> None:
    server.files = files
    took = model_registry.download(Version("loans", "3", inside), "audit.toml", "model.path", limit=4, notes=("MLmodel",))
    assert took.file == found
    assert took.content == files[found.removesuffix(".txt")]
    assert took.notes == {name: content for name, content in files.items() if name == "MLmodel"}


@pytest.mark.parametrize(
    ("files", "inside", "said"),
    [
        ({"a/model.npz": b"1", "b/model.npz": b"2"}, "", "name one, as models:/loans/3/FILE"),
        ({"a/model.npz": b"1"}, "model.npz", "a file of models:/loans/3"),
        ({"MLmodel": b"m", "model.pkl": b"p", "python_env.yaml": b"y"}, "", "pickles are never read"),
        ({"model.npz": b"12345"}, "", "at most 4 bytes"),
    ],
)
def test_files_that_are_not_one_model_are_listed(server: Server, files: dict[str, bytes], inside: str, said: str) -> None:
    server.files = files
    with pytest.raises(InputError, match=re.escape(said)):
        model_registry.download(Version("loans", "3", inside), "audit.toml", "model.path", limit=4)


def test_what_the_registry_says_is_one_line(server: Server) -> None:
    with pytest.raises(InputError, match=r"models:/loans/4 in your MLflow registry.*name=loans not found"):
        model_registry.download(Version("loans", "4"), "audit.toml", "model.path", limit=4)
    assert not server.artifacts


def test_a_case_takes_a_registered_model_as_it_takes_a_file(server: Server, tmp_path: Path) -> None:
    from auditor import case as cases  # noqa: PLC0415

    case = copy_of("digits-newton", tmp_path)
    plain = cases.read(case)
    server.files = {"MLmodel": b"run_id: abc\n", "model.safetensors": (case / "model.safetensors").read_bytes()}
    (case / "model.safetensors").unlink()
    declared = case / "audit.toml"
    text = declared.read_text(encoding="utf-8").replace('"model.safetensors"', '"models:/loans/3"')
    declared.write_text(text, encoding="utf-8")
    read = cases.read(case)
    assert read.shipped is not None
    assert plain.shipped is not None
    assert read.shipped.tolist() == plain.shipped.tolist()
    listed = {each.path: each.sha256 for each in read.inputs}
    assert listed["models:/loans/3"] == {each.path: each.sha256 for each in plain.inputs}["model.safetensors"]
    assert read.model_notes == (("models:/loans/3/MLmodel", b"run_id: abc\n"),)


def test_without_mlflow_the_case_and_the_command_say_how_to_get_it(
    tmp_path: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(extras, "_found", lambda module: module != "mlflow")
    case = copy_of("digits-newton", tmp_path)
    declared = case / "audit.toml"
    text = declared.read_text(encoding="utf-8").replace('"model.safetensors"', '"models:/loans/3"')
    declared.write_text(text, encoding="utf-8")
    for words in (["validate", str(case), "--no-run"], ["mlflow", str(GOLDEN)]):
        assert run(words) == 2
        assert "pip install 'auditor[mlflow]'" in capfd.readouterr().err


def test_a_run_says_verdict_checks_with_intervals_and_the_bytes_that_were_audited() -> None:
    content = GOLDEN.read_bytes()
    evidence = evidence_files.read(GOLDEN)
    told = mlflow_runs.described(evidence, content, Version("loans", "3"))
    assert told.tags["auditor.verdict"] == evidence.verdict.value
    assert told.tags["auditor.model.path"] == "model.safetensors"
    assert (told.tags["auditor.model.uri"], told.tags["auditor.model.version"]) == ("models:/loans/3", "3")
    assert told.tags["auditor.model.sha256"] == mlflow_runs.audited(evidence)
    (quality,) = (each for each in evidence.checks if each.id == "removal.budget")
    assert told.metrics["removal.budget"] == quality.value
    assert told.metrics["removal.budget.threshold"] == quality.threshold
    assert told.tags["auditor.guarantee.certified-removal"]
    assert all(len(key) <= 250 and re.fullmatch(r"[\w./ -]+", key) for key in (*told.tags, *told.metrics))
    assert all(len(value) <= 5000 for value in told.tags.values())
    with_intervals = mlflow_runs.described(evidence_files.read(GOLDEN.with_name("digits-mlp-none.json")), b"")
    assert {"swap.quality.low", "swap.quality.high"} <= with_intervals.metrics.keys()
    assert (
        "auditor.model.sha256" not in mlflow_runs.described(evidence_files.read(GOLDEN.with_name("sqlite-plain.json")), b"").tags
    )


def test_the_command_logs_what_verify_agrees_with_and_nothing_else(
    server: Server, tmp_path: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """What `verify` says is made up here; tests/system/test_mlflow_runs.py has it verify."""
    file = tmp_path / "evidence.json"
    file.write_bytes(GOLDEN.read_bytes())
    evidence = SimpleNamespace(name="evidence.json", sha256=hashlib.sha256(GOLDEN.read_bytes()).hexdigest())
    agreed = SimpleNamespace(agrees=True, documents=[evidence])
    monkeypatch.setattr("auditor.recheck.recheck", lambda *_, **__: agreed)
    (tmp_path / "letter-REQ-2026-0001.html").write_bytes(b"for one person")
    assert run(["mlflow", str(tmp_path), "--experiment", "audits"]) == 0
    assert "Logged as run r1 in the experiment audits" in capfd.readouterr().out
    assert (server.status, server.artifacts) == ("FINISHED", ["audit/evidence.json"])
    assert server.tags["auditor.verdict"] == evidence_files.read(file).verdict.value
    server.files = {"model.safetensors": b"other weights"}
    assert run(["mlflow", str(tmp_path), "--model", "models:/loans/3"]) == 2
    assert "the file that was audited, SHA-256" in capfd.readouterr().err
    assert run(["mlflow", str(tmp_path), "--tag-version"]) == 2
    server.fails_at, server.status = "evidence.json", "RUNNING"
    assert run(["mlflow", str(tmp_path), "--quiet"]) == 4
    assert "the disk of the server is full" in capfd.readouterr().err
    assert server.status == "FAILED"
    server.fails_at, server.status = "", "none"
    assert run(["mlflow", str(GOLDEN)]) == 2
    assert "expected the folder of an audit, or its evidence.json" in capfd.readouterr().err
    (tmp_path / "report.html").write_text("It came after the recheck.")
    file.write_bytes(GOLDEN.with_name("sqlite-plain.json").read_bytes())
    assert run(["mlflow", str(tmp_path), "--quiet"]) == 2
    said = capfd.readouterr().err
    assert f"evidence.json: expected the file that was rechecked, SHA-256 {evidence.sha256}, found" in said
    assert "report.html: expected a document that was rechecked, found one that was not" in said
    differs = SimpleNamespace(agrees=False, findings=[("evidence.json", "verdict: differs")], sentence="Differs.", exit_code=1)
    monkeypatch.setattr("auditor.recheck.recheck", lambda *_, **__: differs)
    assert run(["mlflow", str(tmp_path), "--quiet"]) == 1
    assert "evidence.json: verdict: differs" in capfd.readouterr().err
    assert server.status == "none", "nothing was sent"
