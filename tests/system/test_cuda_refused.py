"""CUDA asked for where there is none: no silent fall back, at any level; and what a worker makes of a GPU of straw."""

import pytest
from sandboxed import LEARN, ROWS, TRAIN

from auditor.audit import doctor
from auditor.audit.devices import use
from auditor.base.domain import Status, Verdict
from auditor.base.errors import ProcedureError, SandboxError, UsageError
from auditor.sandbox import Device, Level, Limits, NoDeviceError, ProcedureSpec, Unlearn, Worker, available
from auditor.sandbox.examination import Probe, broken, probe
from auditor.sandbox.runs import circumstances
from cases import audited, check_of, copy_of, outcome
from kept_runs import job, opened
from levels import require
from nvidia import FORGED, put_nodes
from small_cases import foreign, problem, write

EXACT = ("release.exact",)
LEVELS = [Level.PROCESS, Level.NO_NETWORK, Level.CONFINED, Level.NAMESPACED]
METHODS = """
def learn(self, data, seed):
    return data.features.mean(axis=0)

def unlearn(self, model, data, forget, seed):
    return np.delete(data.features, forget, axis=0).mean(axis=0)

def predict(self, model, features):
    return np.full((len(features), 2), 0.5)

def parameters(self, model):
    return model

def facts(self, model):
    import os, threading
    told = {name: os.environ.get(name, "not set") for name in ("AUDITOR_DEVICE", "CUDA_VISIBLE_DEVICES")}
    inside, leave = threading.Event(), threading.Event()
    other = threading.Thread(target=lambda: (inside.set(), leave.wait()))
    other.start()
    inside.wait()
    try:
        with open(f"/proc/self/task/{other.native_id}/comm", "r+") as file:
            file.write("named")
        named = True
    except OSError:
        named = False
    leave.set()
    nodes = 0
    for name in ("nvidia0", "nvidiactl", "nvidia-uvm", "nvidia-uvm-tools"):
        try:
            open(f"{NODES}/{name}", "r+b").close()
            nodes += 1
        except OSError:
            pass
    return {**told, "named": named, "nodes": nodes}
"""


def procedure(folder, nodes, *, forged=True):
    """A class of the controller's, for which PyTorch may be made of straw."""
    write(folder, *problem())
    foreign(folder, METHODS.replace("{NODES}", str(nodes)), isolation="auto")
    path = folder / "procedure.py"
    if forged:
        path.write_text(FORGED + path.read_text(encoding="utf-8"), encoding="utf-8")
    return ProcedureSpec(None, f"{path}:Procedure")


@pytest.fixture
def case(tmp_path_factory):
    return tmp_path_factory.mktemp("case")


@pytest.fixture
def nodes(monkeypatch, tmp_path_factory):
    """NVIDIA's nodes as plain files, and a driver that says which GPU it drives."""
    driver = tmp_path_factory.mktemp("driver")
    (driver / "version").write_text("NVRM version: 580.1\n")
    (driver / "gpus" / "0000:01:00.0").mkdir(parents=True)
    (driver / "gpus" / "0000:01:00.0" / "information").write_text("Model: \t GPU of straw\nIRQ: 7\n")
    monkeypatch.setattr(circumstances, "_NVIDIA", driver)
    return put_nodes(monkeypatch, tmp_path_factory.mktemp("dev"))


@pytest.fixture
def no_nodes(monkeypatch, tmp_path_factory):
    return put_nodes(monkeypatch, tmp_path_factory.mktemp("dev"), ())


@pytest.fixture(params=LEVELS)
def level(request):
    require(request.param)
    return request.param


@pytest.mark.usefixtures("no_nodes", "scratch_parent")
def test_without_nodes_nothing_is_started(case, monkeypatch):
    spec = procedure(case, "/dev")
    monkeypatch.setattr("auditor.sandbox.worker.Launched", lambda *_, **__: pytest.fail("it was started"))
    with (
        pytest.raises(NoDeviceError, match="there is no NVIDIA device node; run with"),
        Worker(spec, {"train": TRAIN}, device="cuda"),
    ):
        pytest.fail("it was entered")


@pytest.mark.usefixtures("scratch_parent")
def test_a_worker_on_the_cpu_is_not_asked_for_a_device(case):
    with Worker(procedure(case, "/dev"), {"train": TRAIN}) as running, pytest.raises(ValueError, match="compute on CUDA"):
        running.run(Device())


@pytest.mark.usefixtures("scratch_parent")
def test_nodes_without_a_gpu_are_no_device(case, nodes, level, monkeypatch):
    """PyTorch itself finds that nothing is behind the nodes; the worker is over then."""
    monkeypatch.setenv("CUDA_VISIBLE_DEVICES", "-1")  # where there is one after all, weaker walls let it be reached
    with Worker(procedure(case, nodes, forged=False), {"train": TRAIN}, level=level, device="cuda") as running:
        with pytest.raises(NoDeviceError) as caught:
            running.run(Device())
        assert str(caught.value).startswith("--device cuda was asked, and no CUDA device can be used inside the sandbox: ")
        assert "PyTorch" in caught.value.reason
        with pytest.raises(RuntimeError, match="not running"):
            running.run(LEARN)


@pytest.mark.usefixtures("scratch_parent")
def test_what_is_found_inside_on_cuda_and_on_the_cpu(case, nodes, level, monkeypatch):
    monkeypatch.setenv("CUDA_VISIBLE_DEVICES", "0")
    spec = procedure(case, nodes)
    with Worker(spec, {"train": TRAIN}, level=level, device="cuda") as running:
        answer = running.run(Device())
        learned = running.run(LEARN)
        assert running.run(Unlearn("model", "less", ROWS, ROWS[:1], 1)).supported
    assert answer.facts == {"device": "cuda", "device_name": "GPU of straw"}
    assert (answer.supported, answer.array, answer.content) == (True, None, None)
    assert learned.facts == {"AUDITOR_DEVICE": "cuda", "CUDA_VISIBLE_DEVICES": "0", "named": True, "nodes": 4.0}
    with Worker(spec, {"train": TRAIN}, level=level) as running:
        found = running.run(LEARN).facts
    walled = level >= Level.CONFINED
    assert found == {"AUDITOR_DEVICE": "cpu", "CUDA_VISIBLE_DEVICES": "", "named": not walled, "nodes": 0.0 if walled else 4.0}


@pytest.mark.usefixtures("scratch_parent")
@pytest.mark.parametrize(
    ("changed", "reason"),
    [
        ("torch.version.cuda = None\n", "built without CUDA"),
        ('os.environ["CUDA_VISIBLE_DEVICES"] = ""\n', "hides every device"),
        ("torch.cuda.is_available = lambda: False\n", "did not come back"),
        ("Tensor.is_cuda = False\n", "did not come back"),
        ("Tensor.tolist = lambda self: [0.0]\n", "did not come back"),
        ("def to(self, device):\n    raise RuntimeError('CUDA error: 304\\nsecond line')\nTensor.to = to\n", "CUDA error: 304)"),
        ("torch.cuda.get_device_name = lambda device: ' '\n", "names no CUDA device"),
        ('sys.modules["torch"] = None\n', "PyTorch cannot be imported"),
    ],
)
def test_whatever_is_wrong_with_the_device_is_said(case, nodes, changed, reason):
    procedure(case, nodes)
    path = case / "procedure.py"
    path.write_text(path.read_text(encoding="utf-8").replace("import numpy", changed + "import numpy"), encoding="utf-8")
    spec = ProcedureSpec(None, f"{path}:Procedure")
    with Worker(spec, {"train": TRAIN}, device="cuda") as running, pytest.raises(NoDeviceError) as caught:
        running.run(Device())
    assert reason in caught.value.reason
    assert "second line" not in str(caught.value)


@pytest.mark.usefixtures("no_nodes")
def test_an_audit_that_asks_for_cuda_in_vain_is_an_error(case):
    procedure(case, "/dev")
    found = outcome(case, device="cuda")
    assert isinstance(found.failure, SandboxError)
    assert "--device cuda was asked, and no CUDA device can be used inside the sandbox: there is no NVIDIA" in str(found.failure)
    evidence = found.evidence
    assert (evidence.audit.exit_code, evidence.verdict) == (4, Verdict.INCONCLUSIVE)
    assert check_of(evidence, "data.erased").status is Status.ERROR
    assert check_of(evidence, "data.erased").basis == str(found.failure)
    assert (evidence.environment.device, evidence.environment.device_name) == ("none", "no device was asserted")


@pytest.mark.usefixtures("no_nodes")
@pytest.mark.parametrize("wanted", ["auto", pytest.param("cpu", marks=pytest.mark.slow)])
def test_without_nodes_the_evidence_says_cpu(case, wanted):
    procedure(case, "/dev")
    notices = []
    evidence = audited(case, device=wanted, only=("data.erased",), on_notice=notices.append)
    assert evidence.environment.device == "cpu"
    assert evidence.environment.device_name == circumstances.processor()
    assert notices == []


@pytest.mark.parametrize("wanted", [pytest.param("auto", marks=pytest.mark.slow), "cuda"])
def test_a_device_that_was_used_inside_is_what_the_evidence_names(case, nodes, wanted, tmp_path):
    procedure(case, nodes)
    for again in (False, True):
        found = outcome(case, device=wanted, only=EXACT, runs=tmp_path / ".runs", on_notice=pytest.fail)
        assert found.failure is None
        assert (found.evidence.environment.device, found.evidence.environment.device_name) == ("cuda", "GPU of straw")
        assert found.evidence.environment.walls
        # Below *confined* the controller's code is never kept.
        kept = again and available() >= Level.CONFINED
        assert bool(found.taken) is kept
        assert "replay" in found.taken or not kept
        assert any(each.startswith("clean room for batch 1 of ") for each in found.taken) or not kept
    # What was found on a GPU is not taken for what the CPU would find.
    assert outcome(case, device="cpu", only=EXACT, runs=tmp_path / ".runs").taken == ()


def test_auto_says_why_it_leaves_a_gpu_alone(case, nodes):
    procedure(case, nodes)
    path = case / "procedure.py"
    path.write_text(
        path.read_text(encoding="utf-8").replace("import numpy", "torch.version.cuda = None\nimport numpy"), encoding="utf-8"
    )
    notices = []
    found = outcome(case, device="auto", only=("data.erased",), on_notice=notices.append)
    assert found.failure is None
    assert found.evidence.environment.device == "cpu"
    assert notices == [
        "the procedure computes on the CPU, for no CUDA device can be used inside the sandbox: this PyTorch is built without CUDA"
    ]


def test_a_device_that_one_run_lacks_is_an_error(case, nodes):
    """It is there when it is first tried, and another one, or none, later."""
    procedure(case, nodes)
    path = case / "procedure.py"
    text = path.read_text(encoding="utf-8")
    # The first process sees no data of the case: its only table has one record.
    many = 'open(os.path.expanduser("~/../inputs/train.npz"), "rb").seek(0, 2) > 1500'
    for changed, reason in (
        (f"if {many}: torch.cuda.get_device_name = lambda device: 'another'\n", "used another where GPU of straw had been found"),
        (f"if {many}: torch.version.cuda = None\n", "built without CUDA"),
    ):
        path.write_text(text.replace("import numpy", changed + "import numpy"), encoding="utf-8")
        found = outcome(case, device="cuda")
        assert isinstance(found.failure, NoDeviceError)
        assert reason in found.failure.reason
        assert (found.evidence.audit.exit_code, found.evidence.verdict) == (4, Verdict.INCONCLUSIVE)


@pytest.mark.usefixtures("nodes")
def test_every_wall_holds_with_a_gpu_let_through(level):
    found = probe(level, "cuda")
    assert found
    assert broken(level, found) == ""


def test_walls_that_the_gpu_opens_too_far_are_refused(case, nodes, monkeypatch):
    spec = procedure(case, nodes)
    open_wall = (Probe("secret file", held=False, found="32 bytes were read"),)
    monkeypatch.setattr("auditor.audit.devices.probe", lambda level, device: open_wall)
    with pytest.raises(SandboxError, match=r"with the GPU let through, level confined does not hold: .*32 bytes were read"):
        use(spec, Level.CONFINED, Limits())
    assert audited(case, device="auto", only=("data.erased",)).environment.device == "cpu"
    assert audited(case, device="cuda").audit.exit_code == 4


def test_a_class_that_cannot_be_built_fails_as_it_does_on_the_cpu(case, nodes):
    procedure(case, nodes)
    path = case / "procedure.py"
    path.write_text("raise ArithmeticError\n", encoding="utf-8")
    for wanted in ("cuda", "auto", "cpu"):
        found = outcome(case, device=wanted)
        assert isinstance(found.failure, ProcedureError)
        assert found.evidence.audit.exit_code == 4


def test_what_computes_on_the_cpu_is_not_asked_to_use_a_gpu(nodes, tmp_path):
    case = copy_of("digits-newton", tmp_path)
    assert audited(case).environment.device == "cpu"
    with pytest.raises(UsageError, match="CPU"):
        outcome(case, device="cuda")


def test_nothing_is_tried_where_nothing_runs(case, no_nodes):
    procedure(case, "/dev")
    found = outcome(case, device="cuda", only=("log.consistency",))
    assert found.failure is None
    assert found.evidence.environment.device == "cpu"


@pytest.mark.usefixtures("no_nodes")
def test_doctor_without_nodes_imports_no_pytorch(monkeypatch):
    monkeypatch.setattr("auditor.audit.devices.Worker", lambda *_, **__: pytest.fail("it was started"))
    with pytest.raises(LookupError, match=r"^there is no NVIDIA device node$"):
        doctor._cuda()


def test_doctor_tries_a_device_inside(nodes, monkeypatch):
    monkeypatch.setenv("CUDA_VISIBLE_DEVICES", "-1")
    with pytest.raises(LookupError, match="PyTorch"):
        doctor._cuda()


def test_a_run_on_a_gpu_of_which_the_driver_says_nothing_is_not_kept(nodes, monkeypatch, tmp_path):
    runs = opened(tmp_path / ".runs")
    addresses = {device: runs.address(job(device=device), 0) for device in ("cpu", "cuda")}
    assert None not in addresses.values()
    assert len(set(addresses.values())) == 2
    monkeypatch.setenv("CUDA_VISIBLE_DEVICES", "1")
    assert runs.address(job(device="cpu"), 0) == addresses["cpu"]
    assert runs.address(job(device="cuda"), 0) not in {None, addresses["cuda"]}
    monkeypatch.delenv("CUDA_VISIBLE_DEVICES")
    for name, text in (("gpus/0000:01:00.0/information", "Model: Another\n"), ("version", "NVRM version: 581\n")):
        before = runs.address(job(device="cuda"), 0)
        (circumstances._NVIDIA / name).write_text(text)
        assert runs.address(job(device="cuda"), 0) not in {None, before}
    (circumstances._NVIDIA / "gpus/0000:01:00.0/information").write_text("IRQ: 7\n")
    assert runs.address(job(device="cuda"), 0) is None
    monkeypatch.setattr(circumstances, "_NVIDIA", tmp_path / "none")
    assert runs.address(job(device="cuda"), 0) is None
    assert runs.address(job(device="cpu"), 0) == addresses["cpu"]
