"""Makes the modules in this folder importable from every test, keeps property tests independent of the clock and the user's key
out of every test, and sets the stage as the command `auditor` does."""

import gc
import os
import shutil
import signal
import tempfile
from collections import Counter
from contextlib import nullcontext

import pytest
from hypothesis import settings

# Before PyTorch is loaded, as `auditor.__main__` does it: two test processes with a thread for each core wait for one another.
for _name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ.setdefault(_name, "1")

# Collecting thousands of tests makes millions of objects that stay. By its own measure the collector of garbage would go through
# them thousands of times, which is a third of what collecting takes.
gc.set_threshold(200_000, 50, 50)

# A shell starts what runs in the background deaf to it, and so would be the commands that tests interrupt.
signal.signal(signal.SIGINT, signal.default_int_handler)

import cases  # noqa: E402
import levels  # noqa: E402
import long_tests  # noqa: E402
from auditor.sandbox import Level  # noqa: E402
from auditor.sandbox.examination import at_most  # noqa: E402

_OF_THE_TERMINAL = (
    *("LINES", "TERMINAL_WIDTH", "FORCE_COLOR", "NO_COLOR", "CLICOLOR", "CLICOLOR_FORCE", "PY_COLORS"),
    *("TTY_COMPATIBLE", "TTY_INTERACTIVE", "GITHUB_ACTIONS"),
)
"""What Rich and Typer read of the terminal; a test that wants one of them sets it."""

_ATTEMPTS = ("field", "attempts", "held", "through")

# A machine that does other work as well must not turn a correct property into a failure.
# Every run draws other examples; `--hypothesis-profile thorough` draws many in one.
settings.register_profile("auditor", deadline=None, max_examples=60)
settings.register_profile("thorough", deadline=None, max_examples=500)
settings.load_profile("auditor")


@pytest.fixture(scope="session", autouse=True)
def _own_state(tmp_path_factory):
    """A folder in place of ~/.local/state, where the key to kept runs and the history lie; also for commands that tests start."""
    with pytest.MonkeyPatch.context() as patched:
        patched.setenv("XDG_STATE_HOME", str(tmp_path_factory.mktemp("state")))
        patched.delenv("AUDITOR_HISTORY", raising=False)
        yield


@pytest.fixture(scope="session", autouse=True)
def _written_once():
    """See `cases.written_once`."""
    with cases.written_once():
        yield


@pytest.fixture
def unprinted():
    """Results of audits without a PDF; see `cases.unprinted`."""
    with cases.unprinted():
        yield


@pytest.hookimpl(trylast=True)
def pytest_configure(config):
    """Take away what would change the output of commands, now that pytest has chosen its own. Make the folder that tests of one
    run share, whatever process they are in; workers inherit its name."""
    for name in _OF_THE_TERMINAL:
        os.environ.pop(name, None)
    os.environ["COLUMNS"] = "80"  # what Rich takes where there is no terminal; `pytest -s` leaves it one
    if not hasattr(config, "workerinput"):
        os.environ[cases.SHARED] = tempfile.mkdtemp(prefix="auditor-tests-")


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item):
    """Audit at level *confined* at most: tests then find the same and take as long whether or not bubblewrap is installed.

    The slow ones, which audit every sample, and those that are about levels run at the strongest level that stands.
    """
    strongest = any(item.get_closest_marker(name) for name in ("levels", "slow", "gpu"))
    with nullcontext() if strongest else at_most(Level.CONFINED):
        return (yield)


def pytest_collection_finish(session):
    """Let the collector of garbage pass over what stays to the end: libraries and thousands of tests."""
    del session
    gc.collect()
    gc.freeze()


@pytest.hookimpl(trylast=True)
def pytest_sessionfinish(session):
    """Look for garbage once, in which a resource may be left open; pytest looks five times, through all that tests have kept."""
    del session
    gc.collect()
    gc.freeze()


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items):
    """Mark what takes long, before any is chosen by its marks.

    Hand the field of each attempt over with the reports of its test, from whatever process they come.
    """
    long = long_tests.listed()
    for item in items:
        if long_tests.of(item.nodeid) in long:
            item.add_marker("long")
        item.user_properties += [("attempt", mark.args[0]) for mark in item.iter_markers("attempt")]


def pytest_terminal_summary(terminalreporter, config):
    """End with the attempts that were made, by field, and with what could not be tested here, and what it needs for that."""
    if config.option.collectonly:
        return
    _write_attempts(terminalreporter)
    if (line := levels.untested()) is not None:
        terminalreporter.write_line(line)


def _write_attempts(terminal):
    """Lay out what was tried in the tests that are attempts, by field; nothing where none was. One that passes held."""
    ended = {status: _tried(terminal, status) for status in ("passed", "failed", "error", "xfailed", "xpassed")}
    tried = set().union(*ended.values())
    # A test may pass, and its end break off.
    through = tried - ended.pop("passed") | set().union(*ended.values())
    made, lost = (Counter(field for _, field in tests) for tests in (tried, through))
    if not made:
        return
    rows = [(field, made[field], made[field] - lost[field], lost[field]) for field in sorted(made)]
    rows.append(("together", *(sum(row[column] for row in rows) for column in (1, 2, 3))))
    width = max(len(row[0]) for row in rows)
    terminal.section("attempts")
    for field, *counts in (_ATTEMPTS, *rows):
        cells = (f"{count:>{len(name)}}" for count, name in zip(counts, _ATTEMPTS[1:], strict=True))
        terminal.write_line("  ".join([field.ljust(width), *cells]))
    if skipped := _tried(terminal, "skipped"):
        terminal.write_line(f"Not tried on this machine, and not counted: {len(skipped)}")


def _tried(terminal, status):
    return {(each.nodeid, field) for each in terminal.stats.get(status, []) for field in _fields(each)}


def _fields(report):
    return [field for name, field in getattr(report, "user_properties", []) if name == "attempt"]


def pytest_unconfigure(config):
    """Take it away when the run ends."""
    if not hasattr(config, "workerinput"):
        shutil.rmtree(os.environ.pop(cases.SHARED), ignore_errors=True)
