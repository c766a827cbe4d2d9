"""Which accelerators PyTorch sees on this machine."""

from __future__ import annotations


def cuda_devices() -> tuple[str, ...]:
    """The names of the CUDA devices that PyTorch can use; empty where there is none."""
    import torch  # noqa: PLC0415  (takes seconds, and only a look at the machine needs it)

    if not torch.cuda.is_available():
        return ()
    return tuple(torch.cuda.get_device_name(index) for index in range(torch.cuda.device_count()))
