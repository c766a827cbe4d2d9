"""What is asked of a network's module or file alone, in a process that holds no record: nothing here learns."""

from __future__ import annotations

from pathlib import Path
from typing import Any, NoReturn

from safetensors.torch import save_file
from torch import Tensor

from auditor.parts.networks.learning.making import network_of
from auditor.parts.networks.learning.network import Row
from auditor.parts.networks.learning.weights_only import tensors_in


class _NothingLearned:
    """The methods that every procedure has, for one that answers from a file or from its settings."""

    def learn(self, *_: object) -> NoReturn:
        """Refuse.

        Raises:
            NotImplementedError: Always.
        """
        raise NotImplementedError("nothing is learned here")

    unlearn = predict = learn


class NetworkLayout(_NothingLearned):
    """The layout of a module's `state_dict`, from the settings of `torch`."""

    def __init__(self, *, features: int, classes: list[int | str], dtype: Any, **settings: Any) -> None:
        """Build the module; of the settings its own count."""
        model, module, params = (settings.get(name) for name in ("model", "module", "params"))
        shape = settings.get("shape")
        row = Row(features, None if shape is None else tuple(shape), bool(settings.get("whole")))
        network = network_of(model, module, params, row=row, classes=len(classes), dtype=dtype, device="cpu")
        self._layout = network.layout().to_bytes()

    def load(self, path: str) -> str:
        """Take any file for the one model there is."""
        return path

    def save(self, model: str, path: str) -> None:
        """Write the layout as JSON."""
        del model
        Path(path).write_bytes(self._layout)


class TorchFile(_NothingLearned):
    """The tensors of a file of PyTorch's, loaded with weights only."""

    def load(self, path: str) -> dict[str, Tensor]:
        """Read a `state_dict`; nothing but tensors and the types around them is unpickled.

        Raises:
            ValueError: If it is anything but tensors by name.
        """
        return tensors_in(path)

    def save(self, model: dict[str, Tensor], path: str) -> None:
        """Write them as safetensors, each with memory of its own."""
        save_file({name: each.clone() for name, each in model.items()}, path)
