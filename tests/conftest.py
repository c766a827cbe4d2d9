"""Makes the modules in this folder importable from every test, keeps property tests independent of the clock and the user's key
out of every test, and sets the stage as the command `auditor` does."""

import gc
import os
import shutil
import signal
import tempfile

import pytest
from hypothesis import settings

# Before PyTorch is loaded, as `auditor.__main__` does it: two test processes with a thread for each core wait for one another.
for _name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ.setdefault(_name, "1")

# A shell starts what runs in the background deaf to it, and so would be the commands that tests interrupt.
signal.signal(signal.SIGINT, signal.default_int_handler)

from cases import SHARED  # noqa: E402

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


def pytest_configure(config):
    """Make the folder that tests of one run share, whatever process they are in; workers inherit its name."""
    if not hasattr(config, "workerinput"):
        os.environ[SHARED] = tempfile.mkdtemp(prefix="auditor-tests-")


def pytest_collection_finish(session):
    """Let the collector of garbage pass over what stays to the end: libraries and thousands of tests."""
    del session
    gc.collect()
    gc.freeze()
    gc.set_threshold(200_000, 50, 50)


def pytest_unconfigure(config):
    """Take it away when the run ends."""
    if not hasattr(config, "workerinput"):
        shutil.rmtree(os.environ.pop(SHARED), ignore_errors=True)
