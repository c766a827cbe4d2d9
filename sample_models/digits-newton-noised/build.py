"""Makes this case: python sample_models/digits-newton-noised/build.py."""

import sys
import tomllib
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))

from auditor.parts.removal.learning.certified_removal import CertifiedRemoval  # noqa: E402
from digits import Sample, build  # noqa: E402  (it lies next to the samples' folders)

declared = tomllib.loads((HERE / "audit.toml").read_text(encoding="utf-8"))["procedure"]
names = ("l2", "sigma", "tolerance", "release_noise", "residual_budget")
procedure = CertifiedRemoval(**{name: declared[name] for name in names})
build(Sample(HERE, removals=18, seed=int(declared["seed"]), ship_unlearned=True, procedure=procedure, replies=True))
