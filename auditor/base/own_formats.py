"""What formats of libraries' own are called, without what reads them, which is in `auditor.base.model_formats`."""

from __future__ import annotations

from typing import Final, Literal, TypeAlias

OwnFormat: TypeAlias = Literal["lightgbm", "lightgbm-dump", "xgboost-json", "xgboost-ubj", "skops", "onnx"]
WHOLE_ESTIMATOR: Final = "estimator"
"""The part of a model that is all of it but the code that prepares its rows."""
