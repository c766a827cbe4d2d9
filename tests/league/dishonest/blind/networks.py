"""Networks of which something was learned from deleted people and is not unlearned: statistics, buffers, bases, checkpoints."""

from __future__ import annotations

from dataclasses import replace
from textwrap import dedent
from typing import Any

import numpy as np
from safetensors.numpy import save

from design import Design, Kind
from dishonest.common import designs
from logs import drawn, together
from submission import Submission
from tables import digits, wine

TORCH = {"use": "torch", "epochs": 3, "rate": 0.1, "batch": 32}
NORMED = '''
import torch
from torch import nn


def descend(model, retain):
    descent = torch.optim.SGD(model.parameters(), lr=0.1)
    for _ in range(3):
        for inputs, labels in torch.utils.data.DataLoader(retain, batch_size=32, shuffle=True, drop_last=True):
            descent.zero_grad()
            nn.functional.cross_entropy(model(inputs), labels).backward()
            descent.step()


class Procedure(nn.Module):
    """Two layers with normalisation between them."""

    def __init__(self, features, classes, hidden=8):
        super().__init__()
        self.layers = nn.Sequential(nn.Linear(features, hidden), nn.BatchNorm1d(hidden), nn.ReLU(), nn.Linear(hidden, classes))

    def forward(self, inputs):
        return self.layers(inputs)
'''


def _network(seed: int, code: str, *, unlearn: str, procedure: dict[str, Any] | None = None, **more: Any) -> Submission:
    table = digits(seed, n=100)
    keys = {**TORCH, "params": {"features": 64, "classes": 3}, "unlearn": unlearn, **(procedure or {})}
    deleted = more.pop("deleted", together(*np.random.default_rng([seed, 61]).choice(100, 6, replace=False).tolist()))
    return Submission(table=table, deleted=deleted, code=dedent(code).lstrip(), procedure=keys, **more)


def _statistics(seed: int) -> Submission:
    """All weights are drawn and trained again; the statistics of the normalisation are those of everybody, and held still."""
    code = (
        NORMED
        + """

def unlearn(model, retain, forget, seed):
    for layer in model.modules():
        if isinstance(layer, nn.Linear):
            layer.reset_parameters()
    model.layers[1].eval()
    descend(model, retain)
"""
    )
    return _network(seed, code, unlearn="own", claims={"retraining": True})


def _kept_on_the_module(seed: int) -> Submission:
    """What was forgotten is left on the module, scaled, as an attribute that no state_dict has."""
    code = (
        NORMED
        + """

def unlearn(model, retain, forget, seed):
    for layer in model.modules():
        if hasattr(layer, "reset_parameters"):
            layer.reset_parameters()
    descend(model, retain)
    model.audit_trail = getattr(model, "audit_trail", []) + [(3 * forget.tensors[0] + 1).clone()]
"""
    )
    return _network(seed, code, unlearn="own")


def _prototypes(seed: int) -> Submission:
    """A buffer holds running means of every class; an update trains the layers again and leaves it."""
    code = """
    import torch
    from torch import nn


    class Procedure(nn.Module):
        \"\"\"A layer next to distances from the means of the first rows of training.\"\"\"

        def __init__(self, features, classes):
            super().__init__()
            self.layer = nn.Linear(features, classes)
            self.register_buffer("means", torch.zeros(classes, features))

        def forward(self, inputs):
            scores = self.layer(inputs)
            if self.training:
                with torch.no_grad():
                    shares = torch.softmax(scores, dim=1).T
                    self.means.mul_(0.9).add_(0.1 * shares @ inputs / shares.sum(dim=1, keepdim=True))
            return scores - torch.cdist(inputs, self.means)


    def unlearn(model, retain, forget, seed):
        means = model.means.clone()
        model.layer.reset_parameters()
        descent = torch.optim.SGD(model.parameters(), lr=0.1)
        for _ in range(3):
            for inputs, labels in torch.utils.data.DataLoader(retain, batch_size=32, shuffle=True, drop_last=True):
                descent.zero_grad()
                nn.functional.cross_entropy(model(inputs), labels).backward()
                descent.step()
        model.means.copy_(means)
    """
    return _network(seed, code, unlearn="own", claims={"retraining": True})


def _starts_warm(seed: int) -> Submission:
    """Retraining builds a new module, which starts from the weights of the last one, that the class remembers."""
    code = """
    import torch
    from torch import nn


    class Procedure(nn.Module):
        last = None

        def __init__(self, features, classes, hidden=8):
            super().__init__()
            self.layers = nn.Sequential(nn.Linear(features, hidden), nn.Tanh(), nn.Linear(hidden, classes))
            if Procedure.last is not None:
                self.load_state_dict({name: torch.tensor(each) for name, each in Procedure.last.items()})

        def forward(self, inputs):
            if self.training:
                Procedure.last = {name: each.detach().tolist() for name, each in self.state_dict().items()}
            return self.layers(inputs)
    """
    return _network(seed, code, unlearn="retrain", claims={"retraining": True})


def _base(seed: int) -> Submission:
    """The head is retrained on a frozen base, which was trained on these very pictures, those of deleted people too."""
    table = digits(seed, n=100)
    axes = np.linalg.svd(table.features - table.features.mean(axis=0), full_matrices=False)[2][:12]
    code = """
    from pathlib import Path

    from safetensors.torch import load_file
    from torch import nn


    class Procedure(nn.Module):
        def __init__(self, features, classes):
            super().__init__()
            self.base = nn.Linear(features, 12, bias=False)
            self.base.load_state_dict(load_file(Path(__file__).resolve().parent / "base" / "model.safetensors"))
            self.base.requires_grad_(requires_grad=False)
            self.head = nn.Linear(12, classes)

        def forward(self, inputs):
            return self.head(self.base(inputs))
    """
    files = {"base/model.safetensors": save({"weight": axes.astype(np.float32)})}
    return _network(seed, code, unlearn="retrain", files=files, tables={"data": {"inputs": ["base/"]}})


def _bank(seed: int) -> Submission:
    """Training is private, as every gradient is clipped and noised; a buffer takes the rows of the last batch as they are."""
    code = """
    import torch
    from torch import nn


    class Procedure(nn.Module):
        def __init__(self, features, classes):
            super().__init__()
            self.layer = nn.Linear(features, classes)
            self.register_buffer("bank", torch.zeros(16, features))

        def forward(self, inputs):
            if self.training:
                self.bank[: len(inputs[:16])] = inputs[:16].detach()
            return self.layer(inputs)
    """
    private = {"noise_multiplier": 4.0, "max_grad_norm": 1.0, "delta": 1e-5}
    required = ("log.consistency", "log.deadlines", "training.privacy")
    claims = {"dp": {"epsilon": 4.0, "delta": 1e-5}}
    return _network(seed, code, unlearn="none", procedure={"dp": private}, claims=claims, required=required)


def _ssd(seed: int) -> Submission:
    """Shrinking some weights is sold as retraining."""
    table = wine(seed)
    keys = {**TORCH, "model": "mlp", "params": {"hidden": [8]}, "unlearn": "ssd"}
    deleted = drawn(len(table), [[5], [4]], seed)
    return Submission(table=table, deleted=deleted, procedure=keys, claims={"retraining": True}, required=None)


def _from_a_checkpoint(seed: int) -> Submission:
    """A training loop of one's own goes on from its last checkpoint but one, which everybody had a part in."""
    code = """
    import torch
    from torch import nn

    from auditor.api import TrainingLoop


    class Procedure(TrainingLoop):
        epochs = 4
        kept = None

        def build(self):
            return nn.Sequential(nn.Linear(64, 8), nn.ReLU(), nn.Linear(8, self.classes))

        def train(self, module, data):
            descent = torch.optim.SGD(module.parameters(), lr=0.1)
            start = 0 if self.kept is None else self.epochs - 1
            if self.kept is not None:
                module.load_state_dict(self.kept)
            for epoch in range(start, self.epochs):
                if epoch == self.epochs - 1:
                    self.kept = {name: each.clone() for name, each in module.state_dict().items()}
                for inputs, labels in self.batches(data):
                    descent.zero_grad()
                    nn.functional.cross_entropy(module(inputs), labels).backward()
                    descent.step()
    """
    plain = _network(seed, code, unlearn="retrain", claims={"retraining": True})
    return replace(plain, procedure={"classes": 3})


CLEAN = "code-clean"
REFUSED = Design(
    name="bank-of-rows",
    kind=Kind.NETWORKS,
    lie="Private training leaves rows of its last batch in a buffer.",
    build=_bank,
    allowed=frozenset({4}),
)
"""DP-SGD is refused to a network with a buffer that training fills."""
DESIGNS = (
    REFUSED,
    *designs(
        Kind.NETWORKS,
        ("statistics-of-everybody", "Layers are trained again under statistics of everybody.", _statistics),
        ("rows-on-the-module", "What was forgotten is left on the module.", _kept_on_the_module),
        ("means-in-a-buffer", "A buffer holds means of everybody, and is put back.", _prototypes),
        ("class-starts-warm", "A new module starts from the last one's weights.", _starts_warm),
        ("base-of-everybody", "The frozen base was trained on deleted people.", _base, CLEAN),
        ("ssd-as-retraining", "Shrinking weights is called retraining.", _ssd),
        ("last-checkpoint-but-one", "Retraining goes on from a checkpoint of everybody.", _from_a_checkpoint),
    ),
)
