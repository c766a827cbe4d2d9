"""Workers that are forked from a process which has loaded their libraries: as good as executed ones, and as apart."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest
from sandboxed import FAULTY, LEARN, ROWS, TRAIN, alive

from auditor.base import templates
from auditor.base.domain import Code, CodeFile
from auditor.base.errors import ProcedureError
from auditor.sandbox import Level, Modules, Parameters, Predict, ProcedureSpec, Unlearn, Worker, fork_server, modules, preloading
from auditor.sandbox.examination import broken, probe
from levels import needing

pytestmark = needing(Level.CONFINED)
SKLEARN = ProcedureSpec(
    "sklearn",
    None,
    {
        "estimator": "sklearn.neural_network._multilayer_perceptron.MLPClassifier",
        "params": {"hidden_layer_sizes": [3], "max_iter": 5},
        "unlearn_by": "retrain",
        "classes": [0, 1],
    },
)


def behind(spec, **settings):
    if isinstance(spec, str):
        spec = ProcedureSpec(None, f"{FAULTY}:{spec}", settings)
    return Worker(spec, {"train": TRAIN}, level=Level.CONFINED)


@pytest.fixture
def executed(monkeypatch):
    """A function after which every worker is executed."""
    return lambda: monkeypatch.setattr(fork_server, "fork", lambda *_: None)


def await_end(*numbers):
    deadline = time.monotonic() + 20
    while any(map(alive, numbers)):
        assert time.monotonic() < deadline
        time.sleep(0.01)


def loaded(worker):
    listed = modules.read(worker.run(Modules()).content)
    return {name for name in listed["reported"] if "/auditor/" not in name and "site-packages" in name}


def test_answers_and_what_is_loaded_are_those_of_an_executed_worker(executed):
    found = []
    for _ in range(2):
        with behind(SKLEARN) as worker:
            answers = [worker.run(step) for step in (LEARN, Unlearn("model", "less", ROWS, ROWS[:2], 3), Parameters("less"))]
            found.append((answers[-1].array, loaded(worker), worker._launched.child_parent()))
        executed()
    assert found[0][2] != found[1][2]
    np.testing.assert_array_equal(found[0][0], found[1][0])
    assert found[0][1] == found[1][1]


def test_every_barrier_holds_in_both(executed):
    assert broken(Level.CONFINED, probe(Level.CONFINED)) == ""
    executed()
    assert broken(Level.CONFINED, probe(Level.CONFINED)) == ""


CODE = """
import os, random
import numpy as np
class Curious:
    def learn(self, data, seed):
        return {"seen": seed}
    def unlearn(self, model, data, forget, seed): return model
    def predict(self, model, features): return np.zeros(len(features))
    def facts(self, model):
        open_ones = os.listdir("/proc/self/fd")
        return {
            "global": repr(np.random.random()), "own": repr(random.random()),
            "descriptors": len(open_ones), "number": os.getpid(), "session": os.getsid(0),
        }
"""


@pytest.fixture
def curious(tmp_path):
    (tmp_path / "procedure.py").write_text(CODE)
    return ProcedureSpec(None, f"{tmp_path}/procedure.py:Curious")


def test_each_draws_numbers_of_its_own_and_has_no_descriptor_of_another(curious, executed):
    facts = []
    for turn in range(3):
        if turn == 2:
            executed()
        with behind(curious) as first, behind(curious) as second:
            facts += [worker.run(LEARN).facts for worker in (first, second)]
    for drawn in ("global", "own", "number"):
        assert len({each[drawn] for each in facts}) == len(facts)
    assert len({each["descriptors"] for each in facts}) == 1
    assert all(each["number"] == each["session"] for each in facts[:4])


def test_workers_end_with_an_auditor_that_is_killed(curious):
    # The auditor is another process here, which prints the numbers of its template and its worker and then waits.
    program = (
        "import sys, time; sys.path.insert(0, sys.argv[1])\n"
        "from sandboxed import *\n"
        "from auditor.sandbox import Level\n"
        "with Worker(ProcedureSpec(None, sys.argv[2]), {'train': TRAIN}, level=Level.CONFINED) as worker:\n"
        "    worker.run(LEARN)\n"
        "    print(worker._launched.child_parent(), worker._launched.pid, flush=True)\n"
        "    time.sleep(60)\n"
    )
    command = [sys.executable, "-c", program, str(Path(__file__).parent), curious.entry]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as auditor:
        numbers = [int(number) for number in auditor.stdout.readline().split()]
        assert all(map(alive, numbers))
        auditor.kill()
    await_end(*numbers)


def test_a_template_that_is_gone_is_replaced_and_ends_its_workers():
    with behind("Good") as worker:
        worker.run(LEARN)
        template = worker._launched.child_parent()
        os.kill(template, signal.SIGKILL)
        await_end(worker._launched.pid)
        with pytest.raises(ProcedureError, match="killed by SIGKILL"):
            worker.run(Predict("model", "train", 2))
    with behind("Good") as another:
        assert another.run(LEARN).supported
        assert another._launched.child_parent() not in {template, another._launched.pid}


def test_what_does_not_load_is_executed(monkeypatch):
    monkeypatch.setattr(preloading, "modules", lambda *_, **__: ("auditor.sandbox.child", "no_such_library"))
    for _ in range(2):
        with behind("Good") as worker:
            assert worker.run(LEARN).supported
            # The outer half of an executed worker leads its group.
            assert worker._launched.child_parent() == worker._launched.pid


def test_ended_workers_leave_no_process_behind():
    with behind("ForkingAndExiting") as worker:
        worker.run(LEARN)
        template = worker._launched.child_parent()
        with pytest.raises(ProcedureError, match="exit status 0"):
            worker.run(Unlearn("model", "less", ROWS, ROWS[:1], 1))
    with behind("Good") as worker:
        assert worker._launched.child_parent() == template
    children = Path(f"/proc/{template}/task/{template}/children").read_text().split()
    assert children == []


def test_few_templates_are_kept():
    before = templates._kept[-1].running
    for names in (("json",), ("csv",), ("shelve",), ("wave",), ("cmd",), ("zipapp",), ("this",), ("pty",), ("rlcompleter",)):
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(preloading, "modules", lambda *_, chosen=names, **__: ("auditor.sandbox.child", *chosen))
            with behind("Good") as worker:
                assert worker.run(LEARN).supported
    assert len(before) == templates._MOST
    templates.close()
    assert before == {}


def spec_of(**files):
    code = Code(tuple(CodeFile(f"{name.replace('__', '/')}.py", text.encode()) for name, text in files.items()))
    return ProcedureSpec(None, "/case/entry.py:It", code=code)


@pytest.mark.parametrize(
    ("files", "expected"),
    [
        ({"entry": "import numpy\nfrom sklearn.linear_model import Ridge\n"}, {"sklearn.linear_model"}),
        ({"entry": "from sklearn.linear_model._ridge import x\nimport torch.hub\n"}, {"sklearn.linear_model", "torch"}),
        ({"entry": "import steps\n", "steps": "import lightgbm\n", "other": "import torch\n"}, {"lightgbm"}),
        ({"entry": "import steps\n", "steps": "import entry\nimport steps\n"}, set()),
        (
            {"entry": "import torch\nfrom torch import optim\nimport torch.optim\n"},
            {"torch", "torch._dynamo", "auditor.learning.optimisers_noted"},
        ),
        ({"entry": "optim = 1\n"}, set()),
        (
            {
                "entry": "from auditor.learning.training_loop import TrainingLoop\n"
                "from auditor.audit.auditing import audit\nimport torch"
            },
            {"torch", "torch._dynamo", "auditor.learning.optimisers_noted", "auditor.learning.training_loop"},
        ),
        (
            {"entry": "from auditor.api import TrainingLoop\nimport torch"},
            {"torch", "torch._dynamo", "auditor.learning.optimisers_noted", "auditor.learning.training_loop"},
        ),
        ({"entry": "from auditor.api import Dataset\n"}, set()),
        ({"entry": "def f():\n    import torch\n'''\n import torch'''\n"}, set()),
        ({"entry": "import torch_of_mine\nimport pandas.__main__\nimport this, os\n"}, {"pandas"}),
        ({"entry": "\x00 import (((((\nimport xgboost"}, {"xgboost"}),
    ],
)
def test_libraries_alone_are_loaded_beforehand(files, expected):
    assert set(preloading.modules(spec_of(**files), tables=False)) == {preloading.ALWAYS, preloading.NOTED} | expected


def test_tables_bring_their_libraries_whatever_the_code_names():
    """Code that is handed a DataFrame need not import pandas: loaded by the first table, all of it would be new there."""
    of_tables = {"auditor.sandbox.frames", "auditor.learning.tables_noted", "pyarrow"}
    found = set(preloading.modules(spec_of(entry="import numpy\n"), tables=True))
    assert found == {preloading.ALWAYS, preloading.NOTED} | of_tables
    loaded = "import sys, auditor.learning.tables_noted, pyarrow.lib; sys.exit(pyarrow.lib.__dict__['__pc'] is None)"
    assert subprocess.run([sys.executable, "-c", loaded], check=False).returncode == 0


def test_a_template_that_ended_by_itself_is_replaced():
    with behind("Good") as worker:
        template = worker._launched.child_parent()
    os.kill(template, signal.SIGTERM)
    await_end(template)
    with behind("Good") as worker:
        assert worker.run(LEARN).supported
        assert worker._launched.child_parent() != template
    assert not Path(f"/proc/{template}").exists()
