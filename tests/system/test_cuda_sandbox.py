"""A network that learns on a real GPU behind every wall that stands here; and the same one on the CPU, on any machine."""

import numpy as np
import pytest

from auditor import case as cases
from auditor.audit import doctor
from auditor.audit.devices import use
from auditor.base.domain import Status
from auditor.sandbox import Device, Learn, Level, Limits, Parameters, ProcedureSpec, Worker, available
from auditor.sandbox.examination import promised
from cases import audited, check_of, outcome
from levels import require
from small_cases import foreign, problem, write

LEARNS = """
def __init__(self):
    import os, torch
    torch.use_deterministic_algorithms(True)
    self.torch, self.device = torch, os.environ["AUDITOR_DEVICE"]

def learn(self, data, seed):
    torch = self.torch
    generator = torch.Generator().manual_seed(seed)
    x = torch.tensor(data.features, device=self.device)
    y = torch.tensor(data.labels, device=self.device, dtype=torch.float64)
    weights = torch.randn(x.shape[1], generator=generator, dtype=torch.float64).to(self.device).requires_grad_()
    for _ in range(50):
        loss = torch.nn.functional.binary_cross_entropy_with_logits(x @ weights, y) + 0.05 * weights @ weights
        weights = (weights - torch.autograd.grad(loss, weights)[0]).detach().requires_grad_()
    return weights.detach()

def unlearn(self, model, data, forget, seed):
    return self.learn(data.subset(np.setdiff1d(np.arange(len(data)), forget)), seed)

def predict(self, model, features):
    positive = self.torch.sigmoid(self.torch.tensor(features, device=self.device) @ model).cpu().numpy()
    return np.stack([1 - positive, positive], axis=1)

def parameters(self, model):
    return model.cpu().numpy()

def facts(self, model):
    return {"on": model.device.type, "reserved": self.torch.cuda.memory_reserved() if model.is_cuda else 0,
            "available": self.torch.cuda.is_available(), "retrained": True}
"""

FEW = ("data.erased", "model.reproduced")
"""Checks that need the replay alone: on a GPU each process loads PyTorch and CUDA anew."""


@pytest.fixture
def case(tmp_path):
    write(tmp_path, *problem())
    foreign(tmp_path, LEARNS, isolation="none")
    # At its top: where processes are forked, PyTorch is loaded once for all of them.
    procedure = tmp_path / "procedure.py"
    procedure.write_text("import torch\n" + procedure.read_text(encoding="utf-8"), encoding="utf-8")
    text = (tmp_path / "audit.toml").read_text(encoding="utf-8")
    text = text.replace('isolation = "none"\ntimeout_s = 30.0', 'isolation = "auto"\ntimeout_s = 300.0')
    (tmp_path / "audit.toml").write_text(text, encoding="utf-8")
    return tmp_path


def learned(case, level, device):
    """Facts and parameters of one learning, and what was asserted before it."""
    table = {"train": cases.read(case).train}
    spec = ProcedureSpec(None, f"{case}/procedure.py:Procedure")
    with Worker(spec, table, level=level, device=device) as running:
        asserted = running.run(Device()).facts if device == "cuda" else {}
        facts = running.run(Learn("model", np.arange(len(table["train"])), 7)).facts
        return asserted, facts, running.run(Parameters("model")).array


def test_on_the_cpu_the_procedure_sees_no_gpu(case):
    _, facts, parameters = learned(case, available(), "cpu")
    assert facts == {"on": "cpu", "reserved": 0.0, "available": False, "retrained": True}
    assert parameters.shape == (5,)


@pytest.mark.gpu
@pytest.mark.parametrize("wanted", ["cuda", "auto"])
def test_an_audit_on_a_gpu(case, wanted):
    found = outcome(case, device=wanted, only=FEW, on_notice=pytest.fail)
    assert found.failure is None
    environment = found.evidence.environment
    assert environment.device == "cuda"
    assert environment.device_name not in {"", "no device was asserted"}
    assert {wall.name for wall in environment.walls if wall.held} >= set(promised(Level(environment.isolation)))
    assert check_of(found.evidence, "data.erased").status is Status.PASS


@pytest.mark.gpu
def test_an_audit_on_the_cpu_of_a_machine_with_a_gpu(case):
    assert audited(case, device="cpu", only=FEW).environment.device == "cpu"


@pytest.mark.gpu
@pytest.mark.parametrize("level", [Level.PROCESS, Level.NO_NETWORK, Level.CONFINED, Level.NAMESPACED])
def test_a_gpu_is_used_at_every_level_that_stands(case, level):
    require(level)
    place = use(ProcedureSpec(None, f"{case}/procedure.py:Procedure"), level, Limits())
    asserted, facts, first = learned(case, level, "cuda")
    assert asserted == {"device": "cuda", "device_name": place.name}
    assert facts["on"] == "cuda"
    assert facts["reserved"] > 0
    _, _, second = learned(case, level, "cuda")
    np.testing.assert_array_equal(first, second)
    _, facts, on_cpu = learned(case, level, "cpu")
    assert (facts["on"], facts["available"]) == ("cpu", False)
    np.testing.assert_allclose(first, on_cpu, atol=1e-9)


@pytest.mark.gpu
def test_doctor_names_the_gpu():
    assert doctor._cuda().endswith(", used inside the sandbox")
