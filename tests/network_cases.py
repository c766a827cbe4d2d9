"""Small cases that are learnt by networks."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from sklearn.datasets import load_digits

from small_cases import SECRET, write_log

MLP = 'model = "mlp"\nparams = { hidden = [16] }'


def write_case(folder: Path, *, network: str = MLP, keys: str = "", size: int = 300, tables: str = "") -> Path:
    """A case of digits, ten classes with 64 features, of which two requests erased three records."""
    digits = load_digits()
    names = np.array([f"rec-{index:04d}" for index in range(size)])
    rows = slice(0, size)
    np.savez(folder / "train.npz", features=digits.data[rows] / 16.0, labels=digits.target[rows], ids=names)
    write_log(folder, [["rec-0005"], ["rec-0006", "rec-0007"]])
    (folder / "audit.toml").write_text(
        f'[case]\nname = "small"\n[data]\ntrain = "train.npz"\ntask = "classification"\n'
        f'[procedure]\nuse = "torch"\n{network}\nepochs = 2\nrate = 0.1\nseed = "{SECRET}"\n{keys}\n'
        f'[deletions]\nlog = "deletions.jsonl"\n{tables}',
        encoding="utf-8",
    )
    return folder


def own_network(folder: Path, forward: str, *, norm: str = "Identity()", keys: str = "", tables: str = "") -> Path:
    """The same with the controller's own network: a linear layer, a normalisation, and `forward` on from their `logits`."""
    lines = "".join(f"        {line}\n" for line in forward.splitlines())
    (folder / "net.py").write_text(
        "import os\nimport torch\nfrom torch import nn\n\nSEEN = []\n\n\nclass Net(nn.Module):\n"
        "    def __init__(self, width=10):\n        super().__init__()\n"
        f"        self.linear = nn.Linear(64, width)\n        self.norm = nn.{norm}\n\n"
        f"    def forward(self, rows):\n        logits = self.norm(self.linear(rows))\n{lines}",
        encoding="utf-8",
    )
    return write_case(folder, network='entry = "net.py:Net"', keys=keys, tables=tables)
