"""What boosters of LightGBM and XGBoost and tensors of PyTorch hold: their memory is not Python's to walk through.

The libraries are never imported here: an object can be theirs only where the procedure has imported them.
"""

from __future__ import annotations

import sys
from typing import Any

import numpy.typing as npt


def in_own_format(value: Any) -> dict[str, Any] | None:
    """Take a booster, or the memory of a tensor, apart without its address: learned text and attributes; None for all else.

    LightGBM: every tree, whichever iteration is the best one. XGBoost: the model as JSON, and its configuration.
    """
    if _is(value, "lightgbm.basic"):
        held = {name: each for name, each in vars(value).items() if name != "_handle"}
        return held | {"model": value.model_to_string(num_iteration=-1).encode()}
    if _is(value, "xgboost.core"):
        held = {name: each for name, each in vars(value).items() if name != "handle"}
        return held | {"model": bytes(value.save_raw("json")), "configuration": value.save_config().encode()}
    if type(value) is getattr(sys.modules.get("torch"), "UntypedStorage", None):
        return {**vars(value), "content": _of_storage(value)}
    return None


def tensor_values(value: Any) -> npt.NDArray[Any] | None:
    """The values of a tensor of PyTorch, bfloat16 as int16 of the same bits; None for anything else."""
    torch = sys.modules.get("torch")
    if torch is None or not isinstance(value, torch.Tensor):
        return None
    with torch._C.DisableTorchFunctionSubclass():  # noqa: SLF001 - a class of the controller's could answer in its place
        plain = torch.Tensor.detach(value).as_subclass(torch.Tensor).cpu()
    if plain.dtype is torch.bfloat16:
        plain = plain.view(torch.int16)
    found: npt.NDArray[Any] = plain.contiguous().numpy()
    return found


def around_tensor(value: Any) -> dict[str, Any]:
    """What a tensor of PyTorch comes with in addition to its values: its form, what it shows a part of, and how it was computed.

    Empty for anything else. What it refers to, as to functions that are called with its gradient, the collector tells.
    """
    torch = sys.modules.get("torch")
    if torch is None or not isinstance(value, torch.Tensor):
        return {}
    # By the class of all tensors, whatever a class of the controller's answers in its place.
    with torch._C.DisableTorchFunctionSubclass():  # noqa: SLF001 - nothing public does it
        kind = torch.Tensor
        marks = [getattr(kind, name)(value) for name in ("is_conj", "is_neg", "is_inference")]
        form = (str(kind.dtype.__get__(value)), kind.requires_grad.__get__(value), *marks)
        held: dict[str, Any] = {"form": repr(form).encode()}
        if (gradient := kind.grad.__get__(value)) is not None:
            held["grad"] = gradient
        version = 0 if marks[-1] else kind._version.__get__(value)  # noqa: SLF001 - nothing public tells it
        if version:
            held["version"] = version
        if (made_by := kind.grad_fn.__get__(value)) is not None:
            held["grad_fn"] = made_by
        whole = kind.untyped_storage(value)
        if whole.nbytes() != kind.nelement(value) * kind.element_size(value) or not kind.is_contiguous(value):
            held["storage"] = whole
            held["layout"] = repr((kind.stride(value), kind.storage_offset(value))).encode()
        elif vars(whole):
            held["storage"] = whole
    return held


def _of_storage(value: Any) -> bytes:
    """All that the memory of a tensor holds."""
    torch: Any = sys.modules["torch"]
    content: bytes = torch.empty(0, dtype=torch.uint8, device=value.device).set_(value).cpu().numpy().tobytes()
    return content


def _is(value: Any, module: str) -> bool:
    return type(value) is getattr(sys.modules.get(module), "Booster", None)
