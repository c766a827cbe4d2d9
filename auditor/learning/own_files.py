"""Save models in a library's own format, in the sandbox alone, by the library that fitted them.

A booster is taken only where it is the library's very class.
"""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any, Final

from auditor.base import model_formats
from auditor.base.model_formats import OwnFormat
from auditor.learning.fitted import NoEstimatorError

_ENDINGS: Final = {"xgboost-json": ".json", "xgboost-ubj": ".ubj"}
"""XGBoost goes by them."""


def write(estimator: Any, kind: OwnFormat, part: str | None, path: str) -> bool:
    """Save an estimator, or a step of it, in a library's own format; say whether it could be."""
    found = estimator if part is None else _step(estimator, part)
    match kind:
        case "lightgbm" | "lightgbm-dump":
            return _write_lightgbm(found, kind, path)
        case "xgboost-json" | "xgboost-ubj":
            return _write_xgboost(found, kind, path)
        case "skops":
            return _write_skops(found, path)
        case "onnx":
            return False


def _step(estimator: Any, name: str) -> Any:
    return next((step for label, step in getattr(estimator, "steps", ()) if label == name), None)


def _write_lightgbm(estimator: Any, kind: OwnFormat, path: str) -> bool:
    import lightgbm  # noqa: PLC0415 - the case names this format, so that its procedure has loaded it

    booster = estimator if type(estimator) is lightgbm.Booster else getattr(estimator, "_Booster", None)
    if type(booster) is not lightgbm.Booster:
        return False
    if kind == "lightgbm":
        lightgbm.Booster.save_model(booster, path)
    else:
        Path(path).write_text(json.dumps(lightgbm.Booster.dump_model(booster)), encoding="utf-8")
    return True


def _write_xgboost(estimator: Any, kind: OwnFormat, path: str) -> bool:
    import xgboost  # noqa: PLC0415 - as above

    named = path + _ENDINGS[kind]
    if isinstance(estimator, xgboost.XGBModel):
        xgboost.XGBModel.save_model(estimator, named)
    elif type(estimator) is xgboost.Booster:
        xgboost.Booster.save_model(estimator, named)
    else:
        return False
    shutil.move(named, path)
    return True


def _write_skops(estimator: Any, path: str) -> bool:
    try:
        import skops.io  # noqa: PLC0415 - few cases have it
    except ImportError as error:
        raise NoEstimatorError("expected the package skops, to save the model as the file is: pip install skops") from error
    if estimator is None:
        return False
    try:
        content = skops.io.dumps(estimator)
    except TypeError:  # a type that it does not know
        return False
    # Addresses and dates are left out: of two runs no two files were the same.
    Path(path).write_bytes(model_formats.canonical(content))
    return True
