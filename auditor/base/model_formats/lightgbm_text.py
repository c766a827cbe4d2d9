"""LightGBM's text format, as `Booster.save_model` writes it: blocks of `name=value`, then what describes the training."""

from __future__ import annotations

import re
from typing import Any, Final

from auditor.base.model_formats.differences import Path, Place, name_of
from auditor.base.model_formats.faults import NotThisFormatError

EXPECTED: Final = "a model in LightGBM's text format, as Booster.save_model writes it"
_OF_MODEL: Final = frozenset({"num_class", "num_tree_per_iteration", "max_feature_idx", "objective", "average_output", "trees"})
_TAIL: Final = "end of trees"
_MOST_THREADS: Final = 5
"""Digits. How many threads a machine has says nothing of the model: 17 bits that may differ."""
_THREADS: Final = re.compile(rb"(?<=\n)\[num_threads: -?[0-9]{1,%d}\]\n" % _MOST_THREADS)


def parse(content: bytes) -> dict[str, Any]:
    """Take a file apart into its header, its trees, and the lines of what follows.

    Raises:
        NotThisFormatError: If it is no such file.
    """
    try:
        lines = content.decode("utf-8").split("\n")
    except UnicodeDecodeError as error:
        raise NotThisFormatError(EXPECTED, "bytes that are not UTF-8") from error
    if lines[0] != "tree" or _TAIL not in lines:
        raise NotThisFormatError(EXPECTED, "another text" if lines[0] != "tree" else f"no line `{_TAIL}`")
    ends = lines.index(_TAIL)
    header: dict[str, Any] = {"other": []}
    trees: list[dict[str, Any]] = []
    for line in lines[1:ends]:
        name, sign, value = line.partition("=")
        if sign and name == "Tree":
            trees.append({"other": []})
        block = trees[-1] if trees else header
        if sign and name not in block:
            block[name] = _value(value)
        elif line:
            block["other"].append(line)
    if not trees:
        raise NotThisFormatError(EXPECTED, "no tree")
    return {**header, "trees": trees, "tail": lines[ends:]}


def without_threads(content: bytes) -> bytes:
    """The file without the number of threads that trained it; as it is where it states none, or several."""
    found = _THREADS.findall(content)
    return _THREADS.sub(b"", content) if len(found) == 1 else content


def locate(path: Path) -> Place:
    """See `auditor.base.model_formats`."""
    if path[0] == "trees":
        tree = path[1] if len(path) > 1 and isinstance(path[1], int) else None
        return Place(tree, name_of(path[2]) if len(path) > 2 else None, of_model=True)
    return Place(None, name_of(path[0]), of_model=path[0] in _OF_MODEL)


def _value(text: str) -> Any:
    """Numbers as numbers, so that how far two are apart can be said; anything else as it stands."""
    try:
        return [float(each) for each in text.split(" ")]
    except ValueError:
        return text
