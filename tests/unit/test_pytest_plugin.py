"""`pytest --auditor CASE`: each check that decides is a test of its own, and nothing else of a project's tests changes."""

from __future__ import annotations

import warnings
from pathlib import Path
from typing import Any

import pytest

import small_cases
from auditor import api
from auditor.api import checking
from cases import REPLAY_CHECKS, replace

pytest_plugins = ["pytester"]

OWN = "def test_own():\n    import sys\n    assert not {'auditor.api', 'numpy', 'pydantic'} & set(sys.modules)\n"


@pytest.fixture(scope="module", autouse=True)
def _loaded(tmp_path_factory: pytest.TempPathFactory) -> None:
    """Load what an audit does: pytester forgets what is imported for the first time in a run of its own."""
    folder = tmp_path_factory.mktemp("loaded")
    small_cases.write(folder, *small_cases.problem(), required=("log.consistency", "log.deadlines"))
    checking.may_decide(folder / "audit.toml")
    assert api.check(folder, only=("log.consistency", "log.deadlines")).sentence


@pytest.fixture
def alone(pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> pytest.Pytester:
    """A project of one test, with no plugin but ours."""
    monkeypatch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")
    monkeypatch.setenv("PYTEST_PLUGINS", "auditor.pytest_plugin")
    pytester.makepyfile(test_own="def test_own(): pass\n")
    return pytester


@pytest.fixture
def case(alone: pytest.Pytester) -> Path:
    """A case whose audit takes no time: the policy asks for its log alone."""
    folder = alone.mkdir("case")
    small_cases.write(folder, *small_cases.problem(), required=("log.consistency", "log.deadlines"))
    return folder


def test_a_long_audit_says_what_runs(alone: pytest.Pytester, case: Path) -> None:
    """A line a minute, here at every step, past the capture of output."""
    alone.makeconftest("import auditor.terminal.progress\nauditor.terminal.progress.EVERY_S = 0.0\n")
    alone.runpytest_subprocess("--auditor", str(case), "-q").stdout.re_match_lines([r"case: auditor: .* of \d+ steps"])


@pytest.fixture
def audits(monkeypatch: pytest.MonkeyPatch) -> list[dict[str, Any]]:
    """What `check` is asked for; it leaves out everything that takes time."""
    asked: list[dict[str, Any]] = []
    check = api.check

    def counted(case: Any, **given: Any) -> api.Audit:
        asked.append({"case": case, **given})
        return check(case, **given, only=("log.consistency", "log.deadlines"))

    monkeypatch.setattr(api, "check", counted)
    return asked


def deleted_twice(case: Path) -> None:
    """Let two requests name one record, which fails log.consistency."""
    small_cases.write_log(case, [["rec-0000"], ["rec-0000"]])


def test_it_imports_nothing_unless_a_case_is_named(alone: pytest.Pytester) -> None:
    alone.makepyfile(test_own=OWN)
    alone.runpytest_subprocess().assert_outcomes(passed=1)


def test_each_check_that_decides_is_a_test(case: Path, alone: pytest.Pytester, audits: list[dict[str, Any]]) -> None:
    deleted_twice(case)
    result = alone.runpytest_inprocess("--auditor", "case", "-v", "-rs")
    result.stdout.fnmatch_lines_random(
        [
            "*test_own.py::test_own PASSED*",
            "*case/audit.toml::log.consistency FAILED*",
            "*case/audit.toml::log.deadlines PASSED*",
            "*case/audit.toml::verdict FAILED*",
            "log.consistency: fail: *",
            "Found: *rec-0000 deleted by request R-0*",
            "Do: *",
        ]
    )
    assert result.ret == 1
    assert [each["quick"] for each in audits] == [False]


def test_what_stays_open_fails_as_exit_code_3_does(case: Path, alone: pytest.Pytester, audits: list[dict[str, Any]]) -> None:
    """`--only` left out what is required: the audit is inconclusive though every check that ran passes."""
    result = alone.runpytest_inprocess("--auditor", "case/audit.toml", "--auditor-quick", "-k", "log or verdict")
    result.assert_outcomes(passed=2, failed=1, deselected=len(checking.may_decide(case)) - 2 + 1)
    result.stdout.fnmatch_lines(["*case: verdict*", "Inconclusive: *"])
    assert [each["quick"] for each in audits] == [True]


def test_cases_are_audited_once_each(case: Path, alone: pytest.Pytester, audits: list[dict[str, Any]]) -> None:
    other = alone.mkdir("other")
    small_cases.write(other, *small_cases.problem(), required=("log.consistency",))
    twice = ("--auditor", "case", "--auditor", "./case/audit.toml", "--auditor", str(other))
    result = alone.runpytest_inprocess(*twice, "-k", "log.consistency")
    result.assert_outcomes(passed=2, deselected=len(checking.may_decide(case)) + len(checking.may_decide(other)) - 2 + 3)
    assert [each["case"].parent.name for each in audits] == ["case", "other"]


def test_nothing_runs_while_tests_are_collected(case: Path, alone: pytest.Pytester, audits: list[dict[str, Any]]) -> None:
    result = alone.runpytest_inprocess("--auditor", "case", "--collect-only", "-q")
    result.stdout.fnmatch_lines(["case/audit.toml::log.consistency", "case/audit.toml::verdict"])
    assert not audits


def test_a_case_that_is_wrong_fails_with_every_problem_and_the_project_is_tested(case: Path, alone: pytest.Pytester) -> None:
    replace(case, "l2 = ", "l22 = ")
    replace(case, "train.npz", "trian.npz")
    result = alone.runpytest_inprocess("--auditor", "case")
    result.assert_outcomes(passed=1, failed=1)
    result.stdout.fnmatch_lines_random(["*l22*", "*trian.npz*"])
    assert "Traceback" not in result.stdout.str()


def test_a_case_that_is_nowhere_is_bad_usage(alone: pytest.Pytester) -> None:
    assert alone.runpytest_inprocess("--auditor", "nowhere").ret == pytest.ExitCode.USAGE_ERROR


def plant(case: Path) -> None:
    """Python that pytest would import: it lets every audit pass that this process makes."""
    code = "from pathlib import Path\nPath(__file__).with_suffix('.ran').touch()\n"
    for name in ("conftest.py", "__init__.py", "test_planted.py"):
        (case / name).write_text(code, encoding="utf-8")


@pytest.mark.parametrize("arguments", [("case",), ("case", "test_own.py"), ("link",)])
def test_pytest_runs_no_code_of_a_case(
    case: Path, alone: pytest.Pytester, audits: list[dict[str, Any]], arguments: tuple[str, ...]
) -> None:
    plant(case)
    (alone.path / "link").symlink_to(case)
    result = alone.runpytest_inprocess("--auditor", *arguments, "-k", "log.consistency")
    result.assert_outcomes(passed=1, deselected=len(checking.may_decide(case)) + 1)
    assert audits
    assert not list(case.glob("*.ran"))


@pytest.mark.parametrize("name", ["case", "test-case"])
def test_where_pytest_has_run_code_of_a_case_nothing_is_audited(
    case: Path, alone: pytest.Pytester, audits: list[dict[str, Any]], name: str
) -> None:
    """A conftest.py in a folder among the arguments, or in one called test…, is run before any plugin is asked."""
    plant(case)
    (case / "__init__.py").unlink()
    named = case.rename(case.with_name(name))
    result = alone.runpytest_inprocess("--auditor", name, *([name] if name == "case" else []))
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines(["*code of the case that is audited*"])
    assert (named / "conftest.ran").exists()
    assert not audits


def test_a_project_may_lie_in_its_case(case: Path, alone: pytest.Pytester, audits: list[dict[str, Any]]) -> None:
    for path in case.iterdir():
        path.rename(alone.path / path.name)
    result = alone.runpytest_inprocess("--auditor", ".", "-k", "log.consistency or own")
    result.assert_outcomes(passed=2, deselected=len(checking.may_decide(alone.path)))
    assert audits


def test_a_file_of_that_name_is_no_test_unless_it_is_named(case: Path, alone: pytest.Pytester) -> None:
    alone.runpytest_inprocess().assert_outcomes(passed=1)


def test_warnings_that_are_errors_to_the_project_are_none_to_an_audit(
    case: Path, alone: pytest.Pytester, monkeypatch: pytest.MonkeyPatch
) -> None:
    check = api.check

    def warns(case: Any, **given: Any) -> api.Audit:
        warnings.warn("old", DeprecationWarning, stacklevel=1)
        return check(case, **given, only=("log.consistency", "log.deadlines"))

    monkeypatch.setattr(api, "check", warns)
    alone.runpytest_inprocess("--auditor", "case", "-W", "error", "-k", "log.consistency").assert_outcomes(
        passed=1, deselected=len(checking.may_decide(case)) - 1 + 2
    )


@pytest.mark.slow
def test_processes_of_xdist_share_one_audit(case: Path, alone: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> None:
    """Faster, in one process: test_cases_are_audited_once_each."""
    alone.makeconftest(
        "from auditor import api\n"
        "check = api.check\n"
        "def counted(case, **given):\n"
        "    with open('audits', 'a') as file: file.write('x')\n"
        "    return check(case, **given, only=('log.consistency', 'log.deadlines'))\n"
        "api.check = counted\n"
    )
    monkeypatch.setenv("PYTEST_PLUGINS", "auditor.pytest_plugin,xdist.plugin")
    alone.runpytest_subprocess("-n", "2", "--auditor", "case", "-k", "log or verdict").assert_outcomes(passed=2, failed=1)
    assert (alone.path / "audits").read_text(encoding="utf-8") == "x"


def test_what_is_made_once_is_not_kept_half(tmp_path: Path) -> None:
    def breaks() -> bytes:
        raise ValueError

    with pytest.raises(ValueError, match=r"^$"):
        checking.once(tmp_path, tmp_path, breaks)
    assert checking.once(tmp_path, tmp_path, lambda: b"made") == b"made"
    assert checking.once(tmp_path, tmp_path, breaks) == b"made"


def test_checks_that_may_decide_are_those_of_the_policy(case: Path) -> None:
    found = set(checking.may_decide(case))
    assert {"log.consistency", "log.deadlines", "model.reproduced"} <= found
    assert "removal.residual" not in found
    replace(case, "[policy]\n", "[policy]\nmin_quality = 0.9\n")
    replace(case, 'required = ["log.consistency", "log.deadlines"]', "")
    assert set(checking.may_decide(case)) > {"data.erased", "swap.quality"} & set(REPLAY_CHECKS)
