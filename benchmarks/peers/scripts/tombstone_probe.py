"""Tombstone's physical probe: the patterns that it looks for, in the files of a store. Runs in its environment."""

import json
import sys
import time
from pathlib import Path

import numpy as np
from tombstone.util import fingerprint_f32
from tombstone.verify.physical import fingerprint_patterns, scan_file


def main(given, answer, settings):
    """Count the vectors that any pattern finds."""
    vectors, files = np.load(given)["vectors"], json.loads(settings)["files"]
    began = time.perf_counter()
    found = 0
    for vector in vectors:
        patterns = fingerprint_patterns(fingerprint_f32(vector.tolist()))
        found += any(any(scan_file(Path(each), patterns).values()) for each in files)
    Path(answer).write_text(json.dumps({"found": found, "seconds": time.perf_counter() - began}), encoding="utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:])
