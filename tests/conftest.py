"""Makes the modules beside this file importable from every test, keeps property tests independent of the clock and the user's key
out of every test."""

import os
import shutil
import tempfile

import pytest
from hypothesis import settings

from cases import SHARED

# A machine that does other work as well must not turn a correct property into a failure.
settings.register_profile("auditor", deadline=None)
settings.load_profile("auditor")


@pytest.fixture(scope="session", autouse=True)
def _own_state(tmp_path_factory):
    """A folder in place of ~/.local/state, where the key to kept runs and the history lie; also for commands that tests start."""
    with pytest.MonkeyPatch.context() as patched:
        patched.setenv("XDG_STATE_HOME", str(tmp_path_factory.mktemp("state")))
        patched.delenv("AUDITOR_HISTORY", raising=False)
        yield


def pytest_configure(config):
    """Make the folder that tests of one run share, whatever process they are in; workers inherit its name."""
    if not hasattr(config, "workerinput"):
        os.environ[SHARED] = tempfile.mkdtemp(prefix="auditor-tests-")


def pytest_unconfigure(config):
    """Take it away when the run ends."""
    if not hasattr(config, "workerinput"):
        shutil.rmtree(os.environ.pop(SHARED), ignore_errors=True)
