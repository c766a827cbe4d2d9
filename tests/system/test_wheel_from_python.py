"""The wheel from Python, in a clean environment outside the repository: functions, a case from DataFrames, the pytest plugin."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest

import front_page
from installed import environment

SCRIPT = """
import json
import pandas as pd
from auditor.api import Case, check, read, report, validate, verify

train, log = pd.read_csv("train.csv"), pd.read_csv("deletions.csv")
case = Case.from_dataframe(
    train, id="customer_id", label="repaid", build="model.py:build", log=log, name="loans", folder="loans",
    settings={"policy": {"required": ["log.consistency", "release.exact"]}},
)
audit = check(case, only="log.consistency,log.deadlines,data.erased,release.exact", out="results")
print(json.dumps({
    "statuses": {each.id: each.status.value for each in audit.checks},
    "exit_code": audit.exit_code,
    "files": sorted(path.name for path in audit.files.values()),
    "shown": audit._repr_html_()[:27],
    "agrees": verify("results").agrees,
    "same": read("results").to_bytes() == audit.to_bytes(),
    "markdown": report(audit, for_="ci").decode()[:2],
    "records": validate("loans").facts["records"],
}))
"""


@pytest.fixture(scope="module")
def programs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return environment(tmp_path_factory.mktemp("wheel"), others=("pytest",))


def run(programs: Path, folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    """Run Python in a folder that is far from the checkout."""
    surroundings = {"PATH": "/usr/bin:/bin", "HOME": str(folder)}
    return subprocess.run(
        [programs / "python", *words], cwd=folder, env=surroundings, capture_output=True, text=True, check=False
    )


@pytest.mark.slow
def test_a_wheel_is_used_from_python(programs: Path, tmp_path: Path) -> None:
    front_page.write_case(tmp_path)
    (tmp_path / "script.py").write_text(SCRIPT, encoding="utf-8")
    done = run(programs, tmp_path, "script.py")
    assert (done.returncode, done.stderr) == (0, "")
    found = json.loads(done.stdout)
    assert {found["statuses"][name] for name in ("log.consistency", "release.exact")} == {"pass"}
    assert found["files"] == ["evidence.json", "report.html"]
    assert found["shown"] == '<div class="auditor-audit">'
    assert (found["agrees"], found["same"], found["markdown"], found["records"]) == (True, True, "##", 120)


@pytest.mark.slow
def test_a_wheel_brings_its_plugin_and_types(programs: Path, tmp_path: Path) -> None:
    front_page.write_case(tmp_path)
    loaded = "'auditor.pytest_plugin' in sys.modules and 'numpy' not in sys.modules"
    (tmp_path / "test_own.py").write_text(f"import sys\ndef test_own():\n    assert {loaded}\n", encoding="utf-8")
    plain = run(programs, tmp_path, "-m", "pytest", "-q", "-W", "error")
    assert plain.returncode == 0, plain.stdout
    audited = run(
        programs, tmp_path, "-m", "pytest", "--auditor", ".", "--auditor-quick", "-k", "log or release.exact or verdict"
    )
    assert audited.returncode == 1, audited.stderr
    assert "1 failed, 3 passed" in audited.stdout, audited.stdout
    assert "code-clean" in audited.stdout
    typed = "import auditor, pathlib; print((pathlib.Path(auditor.__file__).parent / 'py.typed').is_file())"
    assert run(programs, tmp_path, "-c", typed).stdout == "True\n"
