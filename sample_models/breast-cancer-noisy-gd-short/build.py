"""Makes this case: python sample_models/breast-cancer-noisy-gd-short/build.py."""

import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))

from tumours import build_tumours  # noqa: E402  (it lies next to the samples' folders)

build_tumours(HERE, seed=187265530918274655019283746550192837465, unlearn_steps=20)
