"""Makes this case: python sample_models/group-deletion/build.py."""

import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))

from amounts import balances, build_numbers  # noqa: E402  (it lies next to the samples' folders)

build_numbers(HERE, balances(60), removals=5)
