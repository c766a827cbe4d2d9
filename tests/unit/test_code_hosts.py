"""The action, the job for GitLab and the hooks: what their shell does, with a stand-in for `auditor` that ends as it is told."""

from __future__ import annotations

import os
import stat
import subprocess
from pathlib import Path
from typing import Any

import pytest
import yaml

from auditor.cli import PLACED
from cases import SAMPLES

ROOT = SAMPLES.parent
ACTION: dict[str, Any] = yaml.safe_load((ROOT / "action.yml").read_text(encoding="utf-8"))
JOB: dict[str, Any] = yaml.safe_load((ROOT / ".ci" / "gitlab-ci.yml").read_text(encoding="utf-8"))["audit"]
HOOKS: list[dict[str, Any]] = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text(encoding="utf-8"))
STAND_IN = """#!/bin/sh
echo "$@" >>"$CALLS"
[ "$1" = check ] && { [ "$CODE" = 2 ] || { mkdir -p "$4"; echo '{}' >"$4/evidence.json"; }; exit "$CODE"; }
[ "$1" = report ] && exit "${OF_REPORT:-0}"
[ "$1" = verify ] && grep -q sound "$3"
"""
CODES = [(0, "pass"), (1, "fail"), (2, ""), (3, "inconclusive"), (4, "")]


@pytest.fixture
def surroundings(tmp_path: Path) -> dict[str, str]:
    program = tmp_path / "bin" / "auditor"
    program.parent.mkdir()
    program.write_text(STAND_IN, encoding="utf-8")
    program.chmod(program.stat().st_mode | stat.S_IXUSR)
    return {"PATH": f"{program.parent}:/usr/bin:/bin", "CALLS": str(tmp_path / "calls"), "HOME": str(tmp_path)}


def shell(folder: Path, script: str, surroundings: dict[str, str], *words: str) -> subprocess.CompletedProcess[str]:
    command = ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", script, *words]
    return subprocess.run(command, cwd=folder, env=surroundings, capture_output=True, text=True, check=False)


@pytest.mark.parametrize(("code", "verdict"), CODES)
def test_the_action_ends_with_the_exit_code_and_says_the_verdict(
    code: int, verdict: str, tmp_path: Path, surroundings: dict[str, str]
) -> None:
    (step,) = (each for each in ACTION["runs"]["steps"] if each.get("id") == "check")
    on_host = {
        "GITHUB_ACTION_PATH": str(ROOT),
        "GITHUB_OUTPUT": str(tmp_path / "out"),
        "GITHUB_STEP_SUMMARY": str(tmp_path / "sum"),
    }
    given = (
        surroundings
        | on_host
        | {"GITHUB_ACTIONS": "true", "CODE": str(code), "CASE": "my-case", "OUT": "", "OPTIONS": "--seed 3"}
    )
    stale = tmp_path / "my-case" / "audit" / "evidence.json"
    stale.parent.mkdir(parents=True)
    stale.write_text('{"verdict": "pass"}', encoding="utf-8")
    ran = shell(tmp_path, step["run"], given)
    assert ran.returncode == code
    said = dict(line.split("=", 1) for line in (tmp_path / "out").read_text(encoding="utf-8").splitlines())
    assert said == {"exit-code": str(code), "verdict": verdict, "folder": "my-case/audit"}
    assert ("::error title=auditor:" in ran.stdout) == (code != 0)
    calls = Path(surroundings["CALLS"]).read_text(encoding="utf-8").splitlines()
    assert calls[0] == "check my-case --out my-case/audit --seed 3"
    # Evidence of an earlier run is rendered as nobody's.
    assert (len(calls) == 1, stale.exists()) == (code == 2, code != 2)


def test_a_report_that_could_not_be_written_is_no_pass(tmp_path: Path, surroundings: dict[str, str]) -> None:
    given = surroundings | {"CODE": "0", "OF_REPORT": "1", "CASE": "my-case", "OUT": "out"}
    assert shell(tmp_path, f'"{ROOT}/.ci/action/check"', given).returncode == 4


def test_the_action_names_what_there_is() -> None:
    steps = {each.get("id", each["name"]): each for each in ACTION["runs"]["steps"]}
    for each in steps.values():
        script = each.get("run", "").strip('"').replace("$GITHUB_ACTION_PATH", str(ROOT))
        assert not script or os.access(script, os.X_OK)
    assert set(ACTION["outputs"]) == {"exit-code", "verdict", "folder"}
    kept = steps["Keep report and evidence"]
    assert kept["if"].strip("${} ").startswith("always()"), "a report is wanted most where the audit fails"
    assert "letter" not in kept["with"]["path"]


@pytest.mark.parametrize(("code", "verdict"), CODES)
def test_the_job_ends_with_the_exit_code_and_says_the_verdict(
    code: int, verdict: str, tmp_path: Path, surroundings: dict[str, str]
) -> None:
    given = surroundings | {"CODE": str(code), **JOB["variables"]}
    ran = shell(tmp_path, "\n".join(JOB["script"]), given)
    assert ran.returncode == code
    assert ran.stdout.splitlines()[-1] == f"auditor: {verdict}" if verdict else "no verdict" in ran.stdout
    assert JOB["allow_failure"] is False
    assert JOB["artifacts"]["when"] == "always"


def test_the_hooks_call_commands_and_stop_a_commit_where_evidence_differs(tmp_path: Path, surroundings: dict[str, str]) -> None:
    hooks = {each["id"]: each for each in HOOKS}
    known = {command.name for commands in PLACED.values() for command in commands}
    assert {each["entry"].partition("auditor ")[2].split()[0] for each in hooks.values()} == {"validate", "verify"} <= known
    for content in ("sound", "forged"):
        (tmp_path / f"{content}.json").write_text(content, encoding="utf-8")
    entry = hooks["auditor-verify"]["entry"]
    assert shell(tmp_path, f"{entry} sound.json sound.json", surroundings).returncode == 0
    assert shell(tmp_path, f"{entry} forged.json sound.json", surroundings).returncode == 1
