"""Makes this case: python sample_models/median-adaptive/build.py."""

import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))

from amounts import build_numbers, salaries  # noqa: E402  (it lies next to the samples' folders)

build_numbers(HERE, salaries(101), removals=6)
