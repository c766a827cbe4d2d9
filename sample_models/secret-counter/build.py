"""Makes this case: python sample_models/secret-counter/build.py."""

import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))

from amounts import answers, build_numbers  # noqa: E402  (it lies next to the samples' folders)

build_numbers(HERE, answers(120), removals=8)
