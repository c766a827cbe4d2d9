"""Models as JSON: what LightGBM's `dump_model` gives, and what XGBoost's `save_model` writes."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any, Final, Literal

from auditor.base.model_formats.differences import Path, Place, name_of
from auditor.base.model_formats.faults import NotThisFormatError

EXPECTED: Final = "a model as JSON, from XGBoost's save_model or LightGBM's dump_model"
_OF_DUMP: Final = frozenset(
    {"num_class", "num_tree_per_iteration", "max_feature_idx", "objective", "average_output", "tree_info"}
)
_BESIDES: Final = frozenset({"attributes", "feature_names", "feature_types"})
"""What XGBoost's learner holds that predicts nothing."""
_SPELLINGS: Final[tuple[dict[str, Any], ...]] = (
    {},
    {"separators": (",", ":")},
    {"indent": 2},
    {"indent": 4},
    {"sort_keys": True},
    {"indent": 2, "sort_keys": True},
)
"""How a dump may be written. Which of them it is tells a few bits, whatever its size."""


def parse(content: bytes) -> dict[str, Any]:
    """Read a JSON object in which every name stands once.

    Raises:
        NotThisFormatError: If it is another file.
    """
    try:
        found = json.loads(content.decode("utf-8"), object_pairs_hook=_once)
    except NotThisFormatError:
        raise
    except (ValueError, RecursionError) as error:
        raise NotThisFormatError(EXPECTED, "something that is not JSON, or too deep") from error
    if not isinstance(found, dict):
        raise NotThisFormatError(EXPECTED, "JSON of another kind")
    return found


def kind_of(document: dict[str, Any]) -> Literal["lightgbm-dump", "xgboost-json"]:
    """Whose model a document is.

    Raises:
        NotThisFormatError: If it is nobody's that is known here.
    """
    if isinstance(document.get("tree_info"), list):
        return "lightgbm-dump"
    if isinstance(document.get("learner"), dict):
        return "xgboost-json"
    raise NotThisFormatError(EXPECTED, "JSON with neither `tree_info` nor `learner`")


def forms(content: bytes) -> Sequence[bytes]:
    """Every way in which Python's json writes a document, with a line break at the end or without."""
    document = parse(content)
    written = [json.dumps(document, **each).encode() for each in _SPELLINGS]
    return [content, *written, *(each + b"\n" for each in written)]


def locate_dump(path: Path) -> Place:
    """See `auditor.base.model_formats`; of a dump."""
    tree = path[1] if path[0] == "tree_info" and len(path) > 1 and isinstance(path[1], int) else None
    return Place(tree, _field(path), of_model=path[0] in _OF_DUMP)


def locate_xgboost(path: Path) -> Place:
    """See `auditor.base.model_formats`; of XGBoost."""
    tree = None
    if "trees" in path:
        at = path.index("trees") + 1
        found = path[at] if at < len(path) else None
        tree = found if isinstance(found, int) else None
    of_model = path[0] == "learner" and (len(path) == 1 or path[1] not in _BESIDES)
    return Place(tree, _field(path), of_model=of_model)


def _field(path: Path) -> str | None:
    return name_of(next((each for each in reversed(path) if isinstance(each, str)), None))


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        raise NotThisFormatError("JSON in which every name stands once", "a name that repeats")
    return found
