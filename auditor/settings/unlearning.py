"""The tables of `unlearn_params`: what each way of unlearning a network can be given, and what holds where nothing is given.

They stand alongside audit.toml and not alongside the methods, so that a case is checked without loading PyTorch.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Final, TypeVar

from pydantic import BaseModel, Field, ValidationError
from pydantic_core import ErrorDetails

from auditor.settings.problems import show, unknown
from auditor.settings.values import BelowOne, Count, Fraction, NonNegative, Positive, Table, Text

_Params = TypeVar("_Params", bound=Table)


class Retrain(Table):
    """Learn from scratch on what remains, as the model was learnt at first."""


class DoNothing(Table):
    """Hand the model back: the control that no unlearning may fall behind."""


class FineTune(Table):
    """Learn on from the model, on what remains."""

    epochs: Count = 10
    """Passes over the records that remain."""
    rate: Positive | None = None
    """The learning rate; where it is left out, that of learning."""


class NegativeGradient(Table):
    """Climb the loss of what is to be forgotten, and descend that of what remains where it has a weight."""

    epochs: Count = 10
    """Passes over all records; over those to forget alone where retain_weight is 0."""
    rate: Positive | None = None
    """The learning rate; where it is left out, three tenths of that of learning."""
    retain_weight: BelowOne | None = None
    """Beta of NegGrad+: the objective is beta times the mean loss of what remains less 1 - beta times that of what is to be
    forgotten. Where it is left out, every record weighs the same; at 0 the records that remain are not read."""


class FisherForgetting(Table):
    """Add noise to every weight, the more the less the records that remain hold it in place."""

    noise: Positive = 0.02
    """(lambda sigma_h^2)^(1/4): the standard deviation of the noise on a weight whose Fisher information is 1."""
    floor: Positive = 1e-4
    """Fisher information below it counts as this much, so that no weight gets more than noise / floor^(1/4)."""


class FineTuneFinal(Table):
    """Learn on from the model, on what remains, with every layer but the last as it is."""

    epochs: Count = 10
    """Passes over the records that remain."""
    rate: Positive | None = None
    """The learning rate; where it is left out, that of learning."""


class RetrainFinal(Table):
    """Draw the last layer again and learn it on what remains, with the other layers as they are."""

    epochs: Count | None = None
    """Passes over the records that remain; where it is left out, as many as in learning."""
    rate: Positive | None = None
    """The learning rate; where it is left out, that of learning."""


class SaliencyUnlearning(Table):
    """Learn wrong labels for what is to be forgotten, with the weights alone that its loss depends on most."""

    epochs: Count = 10
    """Passes over all records."""
    rate: Positive | None = None
    """The learning rate; where it is left out, that of learning."""
    sparsity: Fraction = 0.5
    """The share of weights that stay as they are: those with the smallest gradient of the loss of what is to be forgotten."""
    retain_weight: NonNegative | None = None
    """Alpha: the weight of the mean loss of what remains alongside that of the wrong labels. Where it is left out, every record
    weighs the same."""


class SelectiveDampening(Table):
    """Shrink the weights that matter more to what is to be forgotten than to the whole training data."""

    selection: Positive | None = None
    """Alpha: a weight is dampened where its importance to what is to be forgotten is more than this many times that to all.
    Where it is left out, 10, or 0.4 times the records there are for each to forget if that is less, but at least 1."""
    dampening: Positive = 1.0
    """Lambda: it is then multiplied by lambda times the importance to all over that to what is to be forgotten, never by more
    than 1."""


class Sharded(Table):
    """Learn in shards that share no record, and retrain those alone that held what is to be forgotten."""

    shards: Annotated[int, Field(ge=2, le=1000)] = 5
    """How many models share the records."""
    key: Text = "shards"
    """Keys the hash of a record's id that says which shard it belongs to."""


PARAMS: Final[Mapping[str, type[Table]]] = {
    "retrain": Retrain,
    "none": DoNothing,
    "fine-tune": FineTune,
    "neg-grad": NegativeGradient,
    "fisher": FisherForgetting,
    "ftfinal": FineTuneFinal,
    "retrfinal": RetrainFinal,
    "salun": SaliencyUnlearning,
    "ssd": SelectiveDampening,
    "sisa": Sharded,
}
"""The table of each way of unlearning, by the name that `[procedure] unlearn` gives it."""
OWN: Final = "own"
"""The name of the controller's own way, a function of its code that takes what it says."""


def read(table: type[_Params], values: Mapping[str, Any]) -> _Params:
    """The parameters of one way of unlearning, with the defaults where a key is left out.

    Args:
        table: One of PARAMS.
        values: `unlearn_params` as given.

    Raises:
        ValueError: If a key is unknown or a value is not what the table allows: one line for each problem.
    """
    try:
        return table.model_validate(dict(values))
    except ValidationError as error:
        raise ValueError("\n".join(_line(table, item) for item in error.errors(include_url=False))) from None


def _line(table: type[BaseModel], item: ErrorDetails) -> str:
    key = str(item["loc"][0])
    if item["type"] == "extra_forbidden":
        expected, found = unknown("key", key, list(table.model_fields)) if table.model_fields else ("no keys", show(key))
    elif item["type"] == "wrong":
        expected, found = item["ctx"]["expected"], item["ctx"]["found"]
    else:
        limits = item["msg"].removeprefix("Input should be ")
        expected = f"a number {limits}" if limits.startswith(("greater", "less")) else limits
        found = show(item["input"])
    return f"unlearn_params.{key if key.isprintable() else '?'}: expected {expected}, found {found}"
