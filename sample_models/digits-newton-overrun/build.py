"""Makes this case: python sample_models/digits-newton-overrun/build.py."""

import sys
import tomllib
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))

from digits import Sample, build  # noqa: E402  (it lies next to the samples' folders)

seed = int(tomllib.loads((HERE / "audit.toml").read_text(encoding="utf-8"))["procedure"]["seed"])
build(Sample(HERE, removals=60, seed=seed, ship_unlearned=True))
