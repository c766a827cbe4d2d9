"""A pytest plugin: `pytest --auditor CASE` audits a case, and each check that decides is a test with an outcome of its own.

A check that passes is a test that passes; anything else fails with the sentence of what was found, an open check included, as it
keeps `auditor check` from exit code 0. One more test, `verdict`, fails where something else keeps the audit from a pass. A case
is audited once in a session, also where pytest-xdist runs its tests in several processes. With `--auditor-first` it is audited up
to its first stage: what was not run yet fails, and so does the verdict. Unless a case is named, nothing is imported.
"""

from __future__ import annotations

import os
import shutil
import tempfile
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import pytest

if TYPE_CHECKING:
    from auditor.api import Audit

_VERDICT: Final = "verdict"
_SILENT: Final = -1
"""The verbosity of -q: with -qq no line is written."""
_DECLARED: Final = "audit.toml"
_FOLDER: Final = "auditor_folder"
"""Where workers of pytest-xdist leave evidence for one another."""


class AuditFailed(Exception):  # noqa: N818 - it is what a failed test shows
    """What a check found, in words."""


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the options."""
    group = parser.getgroup("auditor", "audits of unlearning")
    group.addoption(
        "--auditor",
        action="append",
        default=[],
        metavar="CASE",
        help="Audit this case; each check that decides is a test. May be given several times.",
    )
    group.addoption("--auditor-first", action="store_true", help="Stop after the first stage of the audit, which never passes.")
    group.addoption("--auditor-quick", action="store_true", help="Smaller samples; can only make a result inconclusive.")


def pytest_configure(config: pytest.Config) -> None:
    """Refuse what is no case; in the process that starts workers, make the folder that they share.

    Raises:
        pytest.UsageError: If a case is not there, or pytest has run code of its folder already.
    """
    for file in _named(config):
        if not file.is_file():
            raise pytest.UsageError(f"--auditor: expected a folder with audit.toml, or that file, found no {file}")
        for loaded in _loaded_from(config, file.parent):
            said = f"--auditor: pytest has run {loaded}, code of the case that is audited, in its own process"
            raise pytest.UsageError(
                f"{said}: name no folder of the case among the arguments, and call it nothing that begins with test"
            )
    if config.getoption("auditor") and not hasattr(config, "workerinput"):
        from auditor.base import process_marks  # noqa: PLC0415

        config.stash[_SHARED] = tempfile.mkdtemp(prefix=process_marks.prefix())  # should we be killed, `auditor clean` finds it


def _loaded_from(config: pytest.Config, case: Path) -> Iterator[str]:
    """Files of a case that pytest has loaded as plugins, such as its conftest.py."""
    if _around_the_project(config, case):
        return
    for plugin in config.pluginmanager.get_plugins():
        file = getattr(plugin, "__file__", None)
        if file is not None and _is_in(Path(file), case):
            yield file


def _around_the_project(config: pytest.Config, case: Path) -> bool:
    """Whether the project lies in the case itself, so that its tests are in the folder of the case."""
    return _is_in(config.rootpath, case) or _is_in(config.invocation_params.dir, case)


def _is_in(path: Path, folder: Path) -> bool:
    """Whether a path lies in a folder, wherever links lead."""
    return path.resolve().is_relative_to(folder.resolve())


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Keep pytest from importing anything of a case: its code runs in the sandbox alone."""
    cases = (file.parent for file in _named(config))
    inside = any(_is_in(collection_path, case) for case in cases if not _around_the_project(config, case))
    return True if inside else None


def pytest_unconfigure(config: pytest.Config) -> None:
    """Take the folder away."""
    if (folder := config.stash.get(_SHARED, None)) is not None:
        shutil.rmtree(folder, ignore_errors=True)


@pytest.hookimpl(optionalhook=True)
def pytest_configure_node(node: Any) -> None:
    """Name the folder to a worker of pytest-xdist."""
    if (folder := node.config.stash.get(_SHARED, None)) is not None:
        node.workerinput[_FOLDER] = folder


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(session: pytest.Session, config: pytest.Config, items: list[pytest.Item]) -> None:
    """Add the tests of every case that is named, each case once.

    They hang below the session, not below a folder: pytest would import the __init__.py and the conftest.py of that.
    """
    for file in dict.fromkeys(_named(config)):
        case = AuditedCase.from_parent(session, path=file)
        added = case.collect()
        items += added
        config.hook.pytest_collectreport(report=pytest.CollectReport(case.nodeid, "passed", None, list(added)))


def _named(config: pytest.Config) -> list[Path]:
    """The audit.toml of every case that is named, or what is named where it is no folder."""
    cases = (config.invocation_params.dir / each for each in config.getoption("auditor"))
    files = (case / _DECLARED if case.is_dir() else case for case in cases)
    return [Path(os.path.normpath(file)) for file in files]


_SHARED: Final = pytest.StashKey[str]()


class AuditedCase(pytest.File):
    """A case: reads it to know its checks, and audits it with the first test that runs."""

    _audit: Audit | None = None

    def collect(self) -> list[CheckItem]:
        """Give a test for each check that may decide, and one for the verdict; the latter alone where the case cannot be read."""
        from auditor.api import checking  # noqa: PLC0415 - only where a case is named
        from auditor.base.errors import AuditorError  # noqa: PLC0415

        try:
            names = checking.may_decide(self.path)
        except AuditorError:
            names = ()
        return [CheckItem.from_parent(self, name=name) for name in (*names, _VERDICT)]

    def audit(self) -> Audit:
        """Give the audit of the case, run once in the session."""
        if self._audit is None:
            with warnings.catch_warnings():
                # The project's own filters are for its own code.
                warnings.simplefilter("ignore")
                self._audit = self._made()
        return self._audit

    def _made(self) -> Audit:
        from auditor.api import Audit, check, checking  # noqa: PLC0415
        from auditor.document.evidence_files import parse  # noqa: PLC0415

        def made() -> bytes:
            quick, first = (bool(self.config.getoption(f"auditor_{each}")) for each in ("quick", "first"))
            with _telling(self.config, self.path) as progress:
                return check(self.path, quick=quick, first=first, progress=progress).to_bytes()

        folder = getattr(self.config, "workerinput", {}).get(_FOLDER) or self.config.stash[_SHARED]
        content = checking.once(Path(folder), self.path, made)
        return Audit(parse(content, "evidence.json"))


@contextmanager
def _telling(config: pytest.Config, file: Path) -> Iterator[Callable[[str, int, int], None] | None]:
    """Write a line a minute about what runs, past pytest's capture, where somebody would see it: an audit may take long."""
    from auditor.terminal.progress import Lines, beating  # noqa: PLC0415

    reporter, capture = (config.pluginmanager.get_plugin(each) for each in ("terminalreporter", "capturemanager"))
    writer = config.get_terminal_writer()
    if reporter is None or config.get_verbosity() < _SILENT:
        yield None
        return

    def write(line: str) -> None:
        with nullcontext() if capture is None else capture.global_and_fixture_disabled():
            if writer.width_of_current_line:
                writer.line()
            writer.line(f"{file.parent.name}: {line}")

    with beating(Lines(write)) as lines:
        yield lines


class CheckItem(pytest.Item):
    """One check that decides, or the verdict."""

    parent: AuditedCase

    def runtest(self) -> None:
        """Audit the case where that was not done yet, and look at this check.

        Raises:
            AuditFailed: If it did not pass.
        """
        audit = self.parent.audit()
        self.add_report_section("call", "auditor", audit.sentence)
        if self.name == _VERDICT:
            if not audit.passed:
                raise AuditFailed("\n".join(_said(audit)))
            return
        if self.name not in audit.required:
            pytest.skip("it does not decide in this audit")
        if audit.check(self.name).status.value != "pass":
            raise AuditFailed(f"{self.name}: {audit.explain(self.name)}")

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None) -> Any:
        """Show what was found, or every problem of the case, and no traceback of ours."""
        from auditor.base.errors import AuditorError  # noqa: PLC0415

        if isinstance(excinfo.value, AuditFailed | AuditorError):
            return str(excinfo.value)
        return super().repr_failure(excinfo, style)

    def reportinfo(self) -> tuple[Path, None, str]:
        """Place the test in audit.toml, and name it in headings."""
        return self.path, None, f"{self.path.parent.name}: {self.name}"


def _said(audit: Audit) -> Iterator[str]:
    yield audit.sentence
    if (failure := audit.evidence.audit.failure) is not None:
        yield failure
