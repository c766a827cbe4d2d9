"""The switches under which the same seed gives the same bytes."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import torch
import torch.utils.deterministic
from torch.backends import cudnn


@contextmanager
def deterministic() -> Iterator[None]:
    """Deterministic algorithms alone, in full precision, while it lasts.

    An operation that has no deterministic form raises RuntimeError. TF32 keeps 10 bits of the mantissa, and PyTorch uses it in
    the convolutions of a GPU unless it is set not to.
    """
    # `use_deterministic_algorithms` is the same switch, but loads PyTorch's compiler, which takes seconds.
    before, precision = torch.get_deterministic_debug_mode(), torch.get_float32_matmul_precision()
    memory: Any = torch.utils.deterministic
    filled = memory.fill_uninitialized_memory
    torch.set_deterministic_debug_mode("error")
    # It would cost a third of the time of a small step, and no operation of PyTorch's reads what it has not written.
    memory.fill_uninitialized_memory = False
    torch.set_float32_matmul_precision("highest")
    try:
        with cudnn.flags(enabled=True, benchmark=False, deterministic=True, allow_tf32=False):
            yield
    finally:
        torch.set_float32_matmul_precision(precision)
        memory.fill_uninitialized_memory = filled
        torch.set_deterministic_debug_mode(before)
