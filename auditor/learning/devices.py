"""The one accelerator that procedures may be given: a CUDA device, used and not merely looked up."""

from __future__ import annotations

import os

_VALUES = (0.0, -1.5, 3.25)


class NoCudaError(Exception):
    """No CUDA device can be used in this process; the message says why."""


def use_cuda() -> str:
    """Move a small tensor to the CUDA device that PyTorch prefers, compute there, and bring it back; then ask for determinism.

    Returns:
        The name of the device.

    Raises:
        NoCudaError: If there is none, or it does not compute. Nothing falls back to the CPU.
    """
    try:
        import torch  # noqa: PLC0415  (takes seconds, and only a procedure on a GPU needs it)
    except (ImportError, OSError) as error:
        raise NoCudaError(f"PyTorch cannot be imported ({_line(error)})") from error
    if torch.version.cuda is None:
        raise NoCudaError("this PyTorch is built without CUDA")
    if os.environ.get("CUDA_VISIBLE_DEVICES") == "":
        raise NoCudaError("CUDA_VISIBLE_DEVICES hides every device")
    try:
        # Not asked first: `is_available` keeps the reason to itself, and the attempt gives it.
        there = torch.tensor(_VALUES, dtype=torch.float64).to("cuda")
        doubled = (there + there).to("cpu")
        name = torch.cuda.get_device_name(there.device)
    except (RuntimeError, AssertionError) as error:
        raise NoCudaError(f"PyTorch cannot use CUDA ({_line(error)})") from error
    if not torch.cuda.is_available() or not there.is_cuda or doubled.tolist() != [2 * value for value in _VALUES]:
        raise NoCudaError("a tensor did not come back from the device as it should")
    # What has a deterministic form takes it, so that equal trainings give equal bits; whatever has none warns and runs.
    torch.set_deterministic_debug_mode("warn")
    torch.backends.cudnn.deterministic, torch.backends.cudnn.benchmark = True, False
    return name


def _line(error: Exception) -> str:
    lines = str(error).splitlines()
    return lines[0][:160] if lines else type(error).__name__
