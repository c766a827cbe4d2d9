"""The switches under which the same seed gives the same bytes."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import torch
from torch.backends import cudnn


@contextmanager
def deterministic() -> Iterator[None]:
    """Deterministic algorithms alone, in full precision, while it lasts.

    An operation that has no deterministic form raises RuntimeError. TF32 keeps 10 bits of the mantissa, and PyTorch uses it in
    the convolutions of a GPU unless it is told not to.
    """
    before, warned = torch.are_deterministic_algorithms_enabled(), torch.is_deterministic_algorithms_warn_only_enabled()
    precision = torch.get_float32_matmul_precision()
    torch.use_deterministic_algorithms(mode=True)
    torch.set_float32_matmul_precision("highest")
    try:
        with cudnn.flags(enabled=True, benchmark=False, deterministic=True, allow_tf32=False):
            yield
    finally:
        torch.set_float32_matmul_precision(precision)
        torch.use_deterministic_algorithms(mode=before, warn_only=warned)
