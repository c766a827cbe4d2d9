"""A machine with NVIDIA's device nodes, as far as the auditor can see from outside; there is no GPU behind them."""

from __future__ import annotations

from pathlib import Path

import pytest

from auditor.sandbox import devices

NODES = ("nvidia0", "nvidiactl", "nvidia-uvm", "nvidia-uvm-tools")


def put_nodes(monkeypatch: pytest.MonkeyPatch, folder: Path, names: tuple[str, ...] = NODES) -> Path:
    """Have the auditor look for nodes in a folder, in which plain files of those names are made."""
    folder.mkdir(exist_ok=True)
    for name in names:
        (folder / name).touch()
    monkeypatch.setattr(devices, "_DEV", folder)
    return folder


FORGED = """
import os, sys, types


class Tensor:
    is_cuda, device = True, "cuda:0"

    def __init__(self, values):
        self.values = list(values)

    def to(self, device):
        return self

    def __add__(self, other):
        return Tensor(a + b for a, b in zip(self.values, other.values))

    def tolist(self):
        return self.values


torch = types.ModuleType("torch")
torch.version = types.SimpleNamespace(cuda="13.0")
torch.float64 = "float64"
torch.tensor = lambda values, dtype: Tensor(values)
torch.cuda = types.SimpleNamespace(is_available=lambda: True, get_device_name=lambda device: "GPU of straw")
torch.backends = types.SimpleNamespace(cudnn=types.SimpleNamespace())
torch.set_deterministic_debug_mode = lambda mode: None
sys.modules["torch"] = torch
"""
"""Source that puts a PyTorch of straw in place, which says that it has a GPU: what the child makes of a device can be tried
where there is none."""
