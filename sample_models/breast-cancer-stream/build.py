"""Makes this case: python sample_models/breast-cancer-stream/build.py."""

import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))

from tumours import build_stream  # noqa: E402  (it lies next to the samples' folders)

build_stream(HERE, removals=12)
