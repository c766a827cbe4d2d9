"""The case that README prints, as files."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np

README = Path(__file__).resolve().parent.parent / "README.md"
_LOG = """request_id,record_ids,received_at,executed_at
R1,c3;c4,2026-03-01T09:00:00+01:00,2026-03-09T09:00:00+01:00
R2,c7,2026-03-02T09:00:00+01:00,2026-03-09T10:00:00+01:00
"""


def write_case(folder: Path, records: int = 120) -> int:
    """Write README's case, with data and a log; how many lines of it README prints, blank ones apart."""
    text = README.read_text(encoding="utf-8")
    printed = [re.findall(rf"```{kind}\n(.*?)```", text, re.DOTALL)[0] for kind in ("toml", "python")]
    for name, content in zip(("audit.toml", "model.py"), printed, strict=True):
        (folder / name).write_text(content, encoding="utf-8")
    rng = np.random.default_rng(0)
    income = rng.normal(size=records)
    repaid = (income + rng.normal(size=records) > 0).astype(int)
    lines = [f"c{place},{repaid[place]},{income[place]:.3f}" for place in range(records)]
    (folder / "train.csv").write_text("\n".join(["customer_id,repaid,income", *lines, ""]), encoding="utf-8")
    (folder / "deletions.csv").write_text(_LOG, encoding="utf-8")
    return sum(bool(line.strip()) for content in printed for line in content.splitlines())
