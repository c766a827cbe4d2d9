"""Speed, measured: ratios against a stated, fair baseline in the same run; `make bench` writes them all into docs/speed.md."""

import os

# As `auditor` does. Numerical libraries read these when they are first imported.
for _name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ.setdefault(_name, "1")
