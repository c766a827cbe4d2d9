"""Makes this case: python sample_models/digits-cnn/build.py."""

import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))

from digits import build_without_model  # noqa: E402  (it lies next to the samples' folders)

build_without_model(HERE, removals=12)
