"""The wheel with its extras, in a clean environment outside the repository: networks, answers alone, Python, pytest."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest

from auditor.base import samples
from installed import environment

pytestmark = pytest.mark.slow

FROM_PYTHON = """
import pandas as pd
from auditor.api import Case, check, report, verify

rows = [(f"c{number}", number / 40, (7 * number % 11) / 11, int(number % 3 == 0)) for number in range(120)]
train = pd.DataFrame(rows, columns=["customer_id", "income", "debt", "repaid"])
days = pd.to_datetime(["2026-03-01T09:00:00+01:00", "2026-03-02T09:00:00+01:00"])
log = pd.DataFrame(
    {
        "request_id": ["R1", "R2"],
        "record_ids": [["c3", "c4"], ["c7"]],
        "received_at": days,
        "executed_at": days + pd.Timedelta(days=8),
    }
)
case = Case.from_dataframe(train, id="customer_id", label="repaid", build="model.py:build", log=log, folder="loans")
audit = check(case, out="results")
report(audit, to="report.html")
print(audit.check("release.exact").status.value, verify("results").agrees, "release.exact" in audit._repr_html_())
"""
BUILD = """
from sklearn.linear_model import LogisticRegression

def build(seed):
    return LogisticRegression()
"""


@pytest.fixture(scope="module")
def programs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return environment(tmp_path_factory.mktemp("wheel"), ("all",), ("pytest",))


def ran(programs: Path, folder: Path, program: str, *words: str) -> subprocess.CompletedProcess[str]:
    """What a program of the environment gave in a folder that is far from the checkout."""
    surroundings = {"PATH": "/usr/bin:/bin", "HOME": str(folder), "OMP_NUM_THREADS": "1"}
    return subprocess.run([programs / program, *words], cwd=folder, env=surroundings, capture_output=True, text=True, check=False)


@pytest.mark.parametrize("name", ["digits-cnn", "tiny-transformer", "digits-answers"])
def test_a_sample_is_audited_and_checked_again(name: str, programs: Path, tmp_path: Path) -> None:
    assert ran(programs, tmp_path, "auditor", "init", "mine", "--template", name).returncode == 0
    checked = ran(programs, tmp_path, "auditor", "check", "mine", "--json")
    assert checked.returncode == samples.read(name).exit_code, checked.stderr
    assert (tmp_path / "mine" / "audit" / "report.pdf").read_bytes().startswith(b"%PDF")
    verified = ran(programs, tmp_path, "auditor", "verify", "mine/audit", "--json")
    assert json.loads(verified.stdout)["agrees"], verified.stderr


def test_an_audit_from_python_of_a_table_in_memory(programs: Path, tmp_path: Path) -> None:
    (tmp_path / "model.py").write_text(BUILD, encoding="utf-8")
    audited = ran(programs, tmp_path, "python", "-c", FROM_PYTHON)
    assert audited.stdout.split() == ["pass", "True", "True"], audited.stderr
    assert "<html" in (tmp_path / "report.html").read_text(encoding="utf-8")


def test_each_check_is_a_test_of_pytest(programs: Path, tmp_path: Path) -> None:
    ran(programs, tmp_path, "auditor", "init", "mine", "--template", "digits-answers")
    tested = ran(programs, tmp_path, "python", "-m", "pytest", "-q", "-rf", "--auditor", "mine")
    assert tested.returncode == 1
    assert "answers.membership" in tested.stdout
