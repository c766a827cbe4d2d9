"""What boosters of LightGBM and XGBoost hold, in the formats of these libraries: their memory is not Python's to walk through.

The libraries are never imported here: an object can be theirs only where the procedure has imported them.
"""

from __future__ import annotations

import sys
from typing import Any


def in_own_format(value: Any) -> dict[str, Any] | None:
    """Take a booster apart: what it learned as text, and its attributes but for the address of its memory; None for all else.

    LightGBM: every tree, whichever iteration is the best one. XGBoost: the model as JSON, and its configuration.
    """
    if _is(value, "lightgbm.basic"):
        held = {name: each for name, each in vars(value).items() if name != "_handle"}
        return held | {"model": value.model_to_string(num_iteration=-1).encode()}
    if _is(value, "xgboost.core"):
        held = {name: each for name, each in vars(value).items() if name != "handle"}
        return held | {"model": bytes(value.save_raw("json")), "configuration": value.save_config().encode()}
    return None


def _is(value: Any, module: str) -> bool:
    return type(value) is getattr(sys.modules.get(module), "Booster", None)
