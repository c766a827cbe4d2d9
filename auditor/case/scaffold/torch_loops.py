"""Writes the `TrainingLoop` of a PyTorch script: its own statements, with the table handed over in place of the one it read."""

from __future__ import annotations

import textwrap
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

Loss: TypeAlias = Literal["logits", "log-probabilities", "logit", "probability", "amount"]
"""What the outputs of the network are, by the loss that it is trained with."""

GIVEN: Final = "auditor_given"
"""The name that replaces the call that read the table."""
INPUTS: Final = "auditor_inputs"
TABLE: Final = "auditor_table"

_ARITHMETIC: Final = """import os

# The audit asks MKL for sums that are the same wherever numbers lie in memory. The script was run without that, and the file that
# it wrote has the sums of MKL by itself. Take this line out if you train with MKL_CBWR=AUTO.
os.environ.pop("MKL_CBWR", None)
"""
_OF_FRAME: Final = '''

AUDITOR_COLUMNS = {columns}
"""Columns of the table as the script read it, with the type of each; None for text."""
AUDITOR_FEATURES = {features}


def auditor_table(features, labels=(), ids=()):
    """Give the table as the script read it; what a training does not get is empty."""
    import numpy as np
    import pandas as pd

    if not isinstance(features, pd.DataFrame):
        features = pd.DataFrame(np.asarray(features), columns=AUDITOR_FEATURES)
    held = {{name: features[name].to_numpy() for name in features.columns}}
    held |= {{name: values for name, values in (({label!r}, labels), ({id!r}, ids)) if len(values)}}
    columns = {{}}
    for name, kind in AUDITOR_COLUMNS.items():
        column = pd.Series(held.get(name, [None] * len(features)))
        columns[name] = column.astype(kind) if kind and name in held else column
    return pd.DataFrame(columns)
'''
_OF_ARRAYS: Final = '''

def auditor_table(features, labels=None, ids=None):
    """Give the arrays as the script read them."""
    import numpy as np

    features = np.asarray(features).astype({kind!r}).reshape(-1, *{shape!r})
    return {{"features": features, "labels": labels, "ids": ids}}
'''
_CLASS: Final = '''

def auditor_trained(data):
    """Train as the script does."""
    auditor_given = auditor_table(data.features, data.labels, data.ids)
{trained}
    return {model}


def auditor_inputs(features):
    """Give what the script would hand to the network for rows without labels."""
    auditor_given = auditor_table(features)
{inputs}
    return {root}


class {name}(TrainingLoop):
    """What `[procedure] entry` names."""

    def build(self):
        """Give the untrained network."""
        return {build}

    def trained(self, data):
        """Train a network; chance follows from the seed of the call, and then from what the script seeds itself."""
        return auditor_trained(data)

    def inputs(self, features):
        """Give what the network takes for rows, without what the loop does to a batch at random."""
        return auditor_inputs(features)
'''
_PROBABILITIES: Final = '''
    def probabilities(self, outputs):
        """Give {gives}."""
{found}
        return {ordered}
'''
_FOUND: Final[Mapping[Loss, tuple[str, str]]] = {
    "logit": (
        "both classes, from one logit a row",
        "        second = torch.sigmoid(outputs.reshape(-1))\n        found = torch.stack([1.0 - second, second], dim=1)",
    ),
    "probability": (
        "both classes, from the probability of the second",
        "        second = outputs.reshape(-1)\n        found = torch.stack([1.0 - second, second], dim=1)",
    ),
}
_OF_LOGITS: Final = ("a probability for each class", "        found = super().probabilities(outputs)")


@dataclass(frozen=True, slots=True, kw_only=True)
class Written:
    """What the file is made of, but for the columns."""

    script: str
    """The name of the script."""
    head: Sequence[str]
    """Statements at the top of the file: imports, definitions, constants."""
    training: Sequence[str]
    """Statements of the script, in order."""
    inputs: Sequence[str]
    """Those of them that make inputs of rows."""
    root: str
    """The name of the inputs."""
    model: str
    """The name of the network."""
    build: str
    """The expression that makes it."""
    loss: Loss


@dataclass(frozen=True, slots=True, kw_only=True)
class Frame:
    """The table that the script read with pandas."""

    columns: Mapping[str, str | None]
    features: Sequence[str]
    label: str
    id: str


@dataclass(frozen=True, slots=True)
class Arrays:
    """The arrays that it read with NumPy."""

    shape: tuple[int, ...]
    kind: str


def text(written: Written, given: Frame | Arrays, name: str, order: Sequence[int]) -> str:
    """Write the file.

    Args:
        written: The script's parts.
        given: What it read.
        name: Of the class.
        order: The output of the network for each label, sorted; empty where they are in that order already.
    """
    futures = [each for each in written.head if each.startswith("from __future__")]
    others = [each for each in written.head if each not in futures]
    lines = [f'"""The training of {written.script}, as auditor runs it: statements of the script, in its order."""', "", *futures]
    if not any("MKL_CBWR" in each for each in (*written.head, *written.training)):
        lines.append(_ARITHMETIC)
    lines += [*others, "import torch", "from auditor.api import TrainingLoop"]
    if isinstance(given, Frame):
        made = _OF_FRAME.format(columns=dict(given.columns), features=list(given.features), label=given.label, id=given.id)
    else:
        made = _OF_ARRAYS.format(kind=given.kind, shape=given.shape)
    body = _CLASS.format(
        trained=_indented(written.training),
        inputs=_indented(written.inputs),
        root=written.root,
        model=written.model,
        build=written.build,
        name=name,
    )
    return "\n".join(lines) + "\n" + made + body + _probabilities(written.loss, order)


def _probabilities(loss: Loss, order: Sequence[int]) -> str:
    """Write what turns outputs into columns of sorted labels; empty where the base class does so."""
    if loss not in _FOUND and not order:
        return ""
    gives, found = _FOUND.get(loss, _OF_LOGITS)
    if not order:
        return _PROBABILITIES.format(gives=gives, found=found, ordered="found")
    # A network of more outputs than labels stays one: a column less would hide that.
    ordered = f"found[:, {list(order)}] if found.shape[1] == {len(order)} else found"
    return _PROBABILITIES.format(gives=f"{gives}; columns are in the order of sorted labels", found=found, ordered=ordered)


def _indented(statements: Sequence[str]) -> str:
    """Statements one level deeper; lines within a text of several lines stay as they are where its first line is no code."""
    return textwrap.indent("\n".join(statements), "    ")
