"""A small network with a frozen base, a buffer and a weight of two names, and model files that hold its `state_dict`."""

from __future__ import annotations

import functools
import io
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import torch
from safetensors.torch import save
from torch import Tensor

from auditor import learning as procedures
from auditor.base.domain import Status
from auditor.base.records import Dataset
from auditor.parts.networks.learning.making import make
from auditor.sandbox import Answer
from auditor.sandbox.jobs import Job
from small_cases import problem, write_log

NET = '''
import torch
from torch import nn


class Net(nn.Module):
    """A layer that is learned, on top of a frozen one; with a buffer, and a weight that has two names."""

    def __init__(self):
        super().__init__()
        self.base = nn.Linear(5, 3)
        with torch.no_grad():
            self.base.weight.copy_(torch.arange(15.0).reshape(3, 5) / 15)
            self.base.bias.fill_(0.25)
        self.base.requires_grad_(False)
        self.register_buffer("scale", torch.tensor([1.0, 0.5, 2.0]))
        self.head = nn.Linear(3, 2)
        self.again = nn.Linear(3, 2, bias=False)
        self.again.weight = self.head.weight

    def forward(self, rows):
        return self.head(torch.relu(self.base(rows)) * self.scale)
'''
THIEF = (
    NET.replace("import torch\n", "import torch\nimport numpy as np\nfrom pathlib import Path\n", 1)
    .replace("torch.tensor([1.0, 0.5, 2.0])", "stolen()")
    .replace("* self.scale", "")
    + '''

def stolen():
    """The features of a deleted record, where the process that this runs in holds them."""
    for path in (Path(__file__).resolve().parents[1] / "inputs").glob("*.npz"):
        with np.load(path) as file:
            if "ids" in file and "rec-0001" in file["ids"].tolist():
                rows = np.load(path.with_suffix(".npy"))
                return torch.tensor(rows[file["ids"].tolist().index("rec-0001")], dtype=torch.float32)
    return torch.zeros(5)
'''
)
"""The same with a record in a buffer that nothing uses."""
PROCEDURE = 'use = "torch"\nentry = "net.py:Net"\nepochs = 2\nrate = 0.1\nunlearn = "fine-tune"\nunlearn_params = {epochs = 1}'
IDS = ("model.reproduced", "data.erased")
LEFT = np.setdiff1d(np.arange(60), [1])


@functools.cache
def net() -> Any:
    """The class."""
    found: dict[str, Any] = {}
    exec(NET, found)
    return found["Net"]


@functools.cache
def trained() -> dict[str, Tensor]:
    """The state_dict that the declared procedure gives on the small case's log."""
    own, model = released()
    return dict(own._network.module(model.parameters).state_dict())


def parameters() -> np.ndarray:
    """What the procedure itself gives as parameters of that model, shape (p,)."""
    own, model = released()
    return own.parameters(model)


@functools.cache
def released() -> Any:
    """The procedure, and its model at the end of the log."""
    own = make(
        features=5, classes=[0, 1], epochs=2, batch=32, rate=0.1, module=net(), unlearn_by="fine-tune",
        unlearn_params={"epochs": 1},
    )  # fmt: skip
    case = data()
    learned = own.learn(case, 5)
    return own, own.unlearn(learned, case, np.array([1]), 6)


def data() -> Dataset:
    """Sixty records."""
    features, labels = problem()
    return Dataset(features, labels, np.array([f"rec-{index:04d}" for index in range(60)]))


def case_of(folder: Path, content: bytes, name: str = "model.safetensors", *, grid: str = "", code: str = NET) -> Path:
    """Write the case with such a model file."""
    whole = data()
    left = whole.subset(LEFT)
    np.savez(folder / "train.npz", features=whole.features, labels=whole.labels, ids=whole.ids)
    np.savez(folder / "store.npz", features=left.features, labels=left.labels, ids=left.ids)
    write_log(folder, [["rec-0001"]])
    (folder / "net.py").write_text(code, encoding="utf-8")
    (folder / name).write_bytes(content)
    (folder / "audit.toml").write_text(
        '[case]\nname = "small"\n[data]\ntrain = "train.npz"\nstore = "store.npz"\ntask = "classification"\n'
        f'[model]\npath = "{name}"\n{grid}[procedure]\n{PROCEDURE}\nseed = 5\n[deletions]\nlog = "deletions.jsonl"\n',
        encoding="utf-8",
    )
    return folder


def without(tensors: dict[str, Tensor], *names: str) -> dict[str, Tensor]:
    """Some of the tensors, each in memory of its own."""
    return {name: each.clone() for name, each in tensors.items() if name not in names}


HONEST: dict[str, Callable[[dict[str, Tensor]], bytes]] = {
    "every tensor": lambda found: save(without(found)),
    "as loaders of PyTorch's ask for it": lambda found: save(without(found), {"format": "pt"}),
    "the head alone": lambda found: save(without(found, "base.weight", "base.bias")),
    "the head alone, without buffers": lambda found: save(without(found, "base.weight", "base.bias", "scale")),
    "one name for each tensor": lambda found: save(without(found, "again.weight")),
}


def changed(found: dict[str, Tensor], name: str, at: int = 0) -> dict[str, Tensor]:
    """The tensors with one number moved."""
    other = without(found)
    other[name].view(-1)[at] += 1e-3
    return other


SECRET = torch.from_numpy(np.frombuffer(data().features[1].tobytes(), dtype=np.float32).copy()).nan_to_num(0.5)
OTHER: dict[str, tuple[Callable[[dict[str, Tensor]], bytes], Status, str]] = {
    "a frozen weight moved": (lambda found: save(changed(found, "base.weight")), Status.FAIL, "training leaves alone"),
    "a record in an unused buffer": (
        lambda found: save(without(found) | {"scale": torch.full((3,), 5.1)}), Status.FAIL, "training leaves alone",
    ),
    "a tensor of another shape": (
        lambda found: save(without(found) | {"head.bias": torch.zeros(1, 2)}), Status.FAIL, "another shape or type",
    ),
    "a tensor of another type": (
        lambda found: save(without(found) | {"head.bias": found["head.bias"].double()}), Status.FAIL, "another shape or type",
    ),
    "a tensor missing": (
        lambda found: save(without(found, "head.weight", "again.weight")), Status.FAIL, "missing",
    ),
    "another head": (lambda found: save(without(found, "again.weight") | {"head.bias": torch.ones(2)}), Status.FAIL, ""),
    "a weight of two names with two values": (lambda found: save(changed(found, "again.weight")), Status.FAIL, "several names"),
    "a further tensor": (
        lambda found: save(without(found) | {"rec": SECRET}), Status.INCONCLUSIVE, "that the module does not have",
    ),
    "metadata": (lambda found: save(without(found), {"who": "rec-0001"}), Status.INCONCLUSIVE, "metadata"),
    "one of two frozen tensors": (lambda found: save(without(found, "base.bias")), Status.INCONCLUSIVE, "constant tensors"),
}  # fmt: skip


def of_torch(found: dict[str, Tensor]) -> bytes:
    """What `torch.save` writes of them."""
    stream = io.BytesIO()
    torch.save(found, stream)
    return stream.getvalue()


def in_process(folder: Path) -> Callable[[Sequence[Job]], list[tuple[Answer, ...]]]:
    """Answers Load and Save here; in an audit that happens in the sandbox alone."""

    def run(jobs: Sequence[Job]) -> list[tuple[Answer, ...]]:
        return [_answers(job, folder) for job in jobs]

    return run


def _answers(job: Job, folder: Path) -> tuple[Answer, ...]:
    load, save_step = job.steps
    own = {} if job.spec.entry is None else {"module": net()}
    procedure = procedures.build(str(job.spec.use), {**job.spec.settings, **own})
    (folder / "given").write_bytes(load.content)  # type: ignore[union-attr]
    procedure.save(procedure.load(str(folder / "given")), str(folder / "saved"))
    content = (folder / "saved").read_bytes()
    return tuple(Answer(step, 0.0, None, each, {}, supported=True) for step, each in ((load, None), (save_step, content)))
