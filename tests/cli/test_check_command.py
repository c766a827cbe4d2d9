"""`auditor check` as a script sees it: exit codes, streams, files."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from auditor.base import extras
from auditor.cli import run
from auditor.pages import render
from cases import copy_of, replace
from levels import isolation

REST = "    def unlearn(self, model, data, forget, seed): ...\n    def predict(self, model, features): ...\n"


@pytest.fixture
def case(tmp_path: Path) -> Path:
    return copy_of("digits-newton", tmp_path)


def test_a_passing_case(case: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert run(["check", str(case)]) == 0
    out, err = capfd.readouterr()
    lines = out.splitlines()
    assert lines[0].startswith("PASS · policy met · Qualified conclusion · strength B")
    assert any(line.startswith("Pass (strength B): “digits-newton” release 2026.6 meets all 7 required checks") for line in lines)
    assert lines[-1].endswith(f"auditor explain {case / 'audit'}")
    assert (case / "audit").stat().st_mode & 0o777 == 0o700, "it holds people's data"
    assert all(each.stat().st_mode & 0o777 == 0o600 for each in (case / "audit").iterdir() if each.is_file())
    assert "report.pdf" in err
    assert {path.name for path in (case / "audit").iterdir()} == {".runs", "evidence.json", "first", "report.html", "report.pdf"}
    assert (case / "audit" / "report.pdf").read_bytes().startswith(b"%PDF-")
    assert json.loads((case / "audit" / "evidence.json").read_bytes())["audit"]["exit_code"] == 0


# The other samples that fail come to the same code: tests/system/test_sample_outcomes.py.
@pytest.mark.parametrize("sample", ["digits-shipped-old", pytest.param("digits-newton-overrun", marks=pytest.mark.slow)])
@pytest.mark.usefixtures("unprinted")
def test_a_failing_case(sample: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert run(["check", str(copy_of(sample, tmp_path)), "--out", str(tmp_path / "out"), "--quiet"]) == 1
    out, err = capfd.readouterr()
    assert out.startswith("Fail: ")
    assert len(out.splitlines()) == 1
    assert err == ""
    assert json.loads((tmp_path / "out" / "evidence.json").read_bytes())["verdict"] == "fail"


def test_a_check_that_does_not_exist_is_refused_before_anything_is_said_to_begin(
    case: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    assert run(["check", str(case), "--only", "nosuch"]) == 2
    out, err = capfd.readouterr()
    assert out == ""
    assert err.startswith("auditor: --only: there is no check named nosuch")
    assert not (case / "audit").exists()


def test_json_is_one_object_on_stdout(case: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(render, "pdf", lambda *_, **__: b"%PDF-")  # laid out above, and slowly
    assert run(["check", str(case), "--json", "--seed", "7"]) == 0
    document = json.loads(capfd.readouterr().out)
    assert (document["verdict"], document["exit_code"]) == ("pass", 0)
    assert Path(document["report"]).is_file()
    assert json.loads(Path(document["evidence"]).read_bytes())["audit"]["seed"] == "7"


def test_bad_input_names_every_problem_and_writes_nothing(case: Path, capfd: pytest.CaptureFixture[str]) -> None:
    replace(case, 'controller = "', 'controler = "')
    replace(case, "l2 = 1e-3", "l2 = -1")
    replace(case, "train.npz", "trian.npz")
    with (case / "deletions.jsonl").open("a", encoding="utf-8") as log:
        log.write('{"request_id": "REQ-X", "record_ids": [], "received_at": "yesterday"}\n')
    assert run(["check", str(case)]) == 2
    err = capfd.readouterr().err
    for word in ("controler", "l2", "trian.npz", "deletions.jsonl", "row 17", "problems; nothing was run"):
        assert word in err, word
    assert not (case / "audit").exists()


def test_bad_input_is_one_json_object_too(case: Path, capfd: pytest.CaptureFixture[str]) -> None:
    replace(case, 'controller = "', 'controler = "')
    replace(case, "train.npz", "trian.npz")
    for command in ("check", "validate"):
        assert run([command, str(case), "--json"]) == 2
        out, err = capfd.readouterr()
        refused = json.loads(out)
        assert refused["exit_code"] == 2
        assert [each["file"] for each in refused["problems"]] == ["audit.toml", "audit.toml"]
        assert set(refused["problems"][0]) == {"message", "file", "where", "expected", "found"}
        assert [f"auditor: {each['message']}" for each in refused["problems"]] == err.splitlines()[:2]


@pytest.mark.parametrize(
    "arguments", [["check", "CASE", "--nonsense"], ["check", "CASE", "--only", "nosuch"], ["verify", "CASE/none.pdf"]]
)
def test_bad_usage_is_one_json_object_too(case: Path, arguments: list[str], capfd: pytest.CaptureFixture[str]) -> None:
    assert run([*(each.replace("CASE", str(case)) for each in arguments), "--json"]) == 2
    out, err = capfd.readouterr()
    refused = json.loads(out)
    assert refused["exit_code"] == 2
    assert f"auditor: {refused['problems'][0]['message']}" == err.splitlines()[0]


def test_a_missing_case_is_bad_input(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert run(["check", str(tmp_path / "nowhere")]) == 2
    assert "nowhere" in capfd.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "word"),
    [
        (["--backend", "dask"], "DASK_SCHEDULER_ADDRESS"),
        (["--backend", "dask", "--address", "127.0.0.1:1"], "expected a cluster at 127.0.0.1:1"),
        (["--backend", "dask", "--dry-run"], "DASK_SCHEDULER_ADDRESS"),
        (["--address", "127.0.0.1:1"], "--backend"),
        (["--trust-workers"], "--trust-workers: expected --backend ray with it, found --backend local"),
        (["--device", "cuda"], "CPU"),
        (["--only", "removal.bugdet"], "removal.bugdet"),
        (["--seed", "-1"], "--seed"),
        (["--nonsense"], "--nonsense"),
        (["--jobs", "0"], "--jobs"),
    ],
)
def test_bad_usage(case: Path, arguments: list[str], word: str, capfd: pytest.CaptureFixture[str]) -> None:
    assert run(["check", str(case), *arguments]) == 2
    assert word in capfd.readouterr().err
    assert not (case / "audit").exists()


@pytest.mark.parametrize("backend", ["dask", "ray"])
def test_a_backend_whose_extra_is_missing(
    case: Path, backend: str, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(extras, "_found", lambda module: module not in {"distributed", "ray"})
    assert run(["check", str(case), "--backend", backend]) == 2
    assert f"pip install 'auditor[{backend}]'" in capfd.readouterr().err
    assert not (case / "audit").exists()


def test_ray_is_refused_unless_its_workers_are_trusted(
    case: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(extras, "_found", lambda _module: True)
    for more in ([], ["--json"]):
        assert run(["check", str(case), "--backend", "ray", "--address", "127.0.0.1:1", *more]) == 2
        found = capfd.readouterr()
        assert "--backend ray: expected --trust-workers with it" in found.err
        assert "or use --backend dask" in found.err
        assert [line for line in found.out.splitlines() if line.startswith('  "exit_code"')] == ['  "exit_code": 2,'] * len(more)
    assert not (case / "audit").exists()


def test_earlier_results_stay_when_the_folder_cannot_be_written(case: Path, capfd: pytest.CaptureFixture[str]) -> None:
    (case / "audit").mkdir()
    (case / "audit" / "evidence.json").write_text("earlier", encoding="utf-8")
    (case / "blocked").write_text("a file", encoding="utf-8")
    assert run(["check", str(case), "--out", str(case / "blocked"), "--quiet"]) == 2
    assert "blocked" in capfd.readouterr().err
    assert [path.name for path in (case / "audit").iterdir()] == ["evidence.json"]
    assert (case / "audit" / "evidence.json").read_text(encoding="utf-8") == "earlier"


@pytest.mark.usefixtures("unprinted")
def test_a_crash_of_the_procedure_shows_its_last_lines(case: Path, capfd: pytest.CaptureFixture[str]) -> None:
    (case / "procedure.py").write_text(
        "import sys\nclass P:\n    def learn(self, data, seed):\n"
        "        print('out of luck', file=sys.stderr)\n        raise ValueError\n" + REST,
        encoding="utf-8",
    )
    text = (case / "audit.toml").read_text(encoding="utf-8")
    start, end = text.index("[procedure]"), text.index("[deletions]")
    table = f'[procedure]\nentry = "procedure.py:P"\n\n[sandbox]\nisolation = "{isolation()}"\n\n'
    (case / "audit.toml").write_text(text[:start] + table + text[end:], encoding="utf-8")
    assert run(["check", str(case)]) == 4
    out, err = capfd.readouterr()
    assert "out of luck" in err
    assert out.splitlines()[1].startswith("Inconclusive: ")
    evidence = json.loads((case / "audit" / "evidence.json").read_bytes())
    assert (evidence["verdict"], evidence["audit"]["exit_code"]) == ("inconclusive", 4)


def test_an_interrupt_gives_130_and_leaves_earlier_results_alone(case: Path) -> None:
    out = case / "audit"
    out.mkdir()
    (out / "evidence.json").write_text("earlier", encoding="utf-8")
    (case / "procedure.py").write_text(
        "import time\nclass P:\n    def learn(self, data, seed):\n        open('started', 'w').close()\n        time.sleep(60)\n"
        + REST,
        encoding="utf-8",
    )
    text = (case / "audit.toml").read_text(encoding="utf-8")
    start, end = text.index("[procedure]"), text.index("[deletions]")
    table = '[procedure]\nentry = "procedure.py:P"\n\n[sandbox]\nisolation = "none"\n\n'
    (case / "audit.toml").write_text(text[:start] + table + text[end:], encoding="utf-8")
    temporary = case / "tmp"
    temporary.mkdir()
    environment = {**os.environ, "TMPDIR": str(temporary)}
    command = [sys.executable, "-m", "auditor", "check", str(case)]
    with subprocess.Popen(command, env=environment, stderr=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        deadline = time.monotonic() + 30
        while not list(temporary.glob("auditor-*/home/started")) and time.monotonic() < deadline:
            time.sleep(0.05)
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=30)
    assert process.returncode == 130
    assert "interrupted" in err
    assert "Traceback" not in err
    assert [path.name for path in out.iterdir()] == ["evidence.json"]
    assert (out / "evidence.json").read_text(encoding="utf-8") == "earlier"
    assert not list(temporary.rglob("*.npz"))
