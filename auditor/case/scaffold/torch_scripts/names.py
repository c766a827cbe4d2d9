"""Names of PyTorch's functions and of packages around it, and the way out where a script cannot be carried over."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

from auditor.case.scaffold.syntax import words
from auditor.case.scaffold.torch_loops import Loss

PAGE: Final = "docs/networks.md#a-training-loop-of-your-own"


BY_HAND: Final = f"or write the loop by hand, as {PAGE} shows"


STARTS: Final = (
    "weights that this training makes itself: put those that it starts from into a folder of [data] inputs, as "
    f"docs/networks.md#a-fine-tuned-model shows, {BY_HAND}"
)


FRAMEWORKS: Final = words(
    "lightning pytorch_lightning accelerate ignite fastai deepspeed horovod composer catalyst keras tensorflow jax "
    "flax skorch ray"
)


LOSSES: Final[Mapping[str, Loss]] = {
    **dict.fromkeys(("CrossEntropyLoss", "cross_entropy"), "logits"),
    **dict.fromkeys(("NLLLoss", "nll_loss"), "log-probabilities"),
    **dict.fromkeys(("BCEWithLogitsLoss", "binary_cross_entropy_with_logits"), "logit"),
    **dict.fromkeys(("BCELoss", "binary_cross_entropy"), "probability"),
    **dict.fromkeys(
        ("MSELoss", "mse_loss", "L1Loss", "l1_loss", "SmoothL1Loss", "smooth_l1_loss", "HuberLoss", "huber_loss"), "amount"
    ),
}


OPTIMISERS: Final = re.compile(r"SGD|Adam\w*|NAdam|RAdam|RMSprop|Adagrad|Adadelta|Adamax|ASGD|LBFGS|Rprop|Muon|Adafactor")


MUTATES: Final = re.compile(r"load_state_dict|update_bn|copy_|prune\w*|quantize\w*|swap_parameters|merge_\w+|fuse_\w+|data_")


IN_PLACE: Final = re.compile(r"[a-z]\w*[a-z0-9]_|vector_to_parameters")
"""PyTorch's names of what changes a tensor where it is."""
