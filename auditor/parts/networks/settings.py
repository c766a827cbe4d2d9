"""The tables of the procedures `torch` and `ftrl`, of networks and ways of unlearning known by name, and the entries of both.

They stand alongside audit.toml and not alongside the methods: a case is checked without loading PyTorch.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Annotated, Any, Final, Literal, Self, TypeAlias, TypeVar

from pydantic import BaseModel, BeforeValidator, Field, JsonValue, ValidationError, model_validator
from pydantic_core import ErrorDetails

from auditor.base.domain import Message
from auditor.base.validation import expected_of
from auditor.maths.certificates.dp_sgd import schedule
from auditor.maths.certificates.prefix_sums import Factorisation, squared_sensitivity
from auditor.settings.builtin import USE, Carried, Entry, Noise, NoiseOfSums, Procedure
from auditor.settings.values import (
    BelowOne,
    Count,
    Fraction,
    Inside,
    NonNegative,
    Positive,
    Seed,
    Table,
    Text,
    show,
    unknown,
    wrong,
)

_Params = TypeVar("_Params", bound=Table)
SHORTEST: Final = 1e-6
"""The least norm that a stream clips to: of gradients near the end of the floating-point range the squares vanish, and their
norms with them, so that a shorter one would clip nothing."""
MOST_SUMMED: Final = 1 << 28
"""Numbers in all sums that the square root of a stream may keep: 2 GiB."""

Width: TypeAlias = Annotated[int, Field(ge=1, le=65_536)]


class Mlp(Table):
    """Linear layers with ReLU between them."""

    hidden: Annotated[tuple[Width, ...], Field(strict=False, max_length=100)] = (64,)
    """The width of each hidden layer; none at all for multinomial logistic regression."""


class Pictures(Table):
    """A network that takes each row of features as a picture."""

    shape: Annotated[tuple[Width, ...], Field(strict=False, min_length=3, max_length=3)]
    """Channels, height, width: the features are the picture channel by channel, row by row."""


class SmallCnn(Pictures):
    """Convolutions with stride 2, then a linear layer."""

    channels: Annotated[tuple[Width, ...], Field(strict=False, min_length=1, max_length=16)] = (16, 32)
    """Of each convolution."""


class Resnet20(Pictures):
    """The residual network of 20 layers of He et al. (2016), with GroupNorm."""

    width: Width = 16
    """Channels of the first stage."""
    groups: Width = 8
    """Of each GroupNorm; they divide the width."""

    @model_validator(mode="after")
    def _divides(self) -> Self:
        if self.width % self.groups:
            raise wrong("groups that divide width", f"{self.groups} groups of {self.width} channels")
        return self


ARCHITECTURES: Final[Mapping[str, type[Table]]] = {"mlp": Mlp, "small-cnn": SmallCnn, "resnet20": Resnet20}
"""The table of `params` of each network, by the name that `[procedure] model` gives it."""


def listed(kind: str, known: tuple[str, ...]) -> BeforeValidator:
    """For a key that takes one of many names: the one that was meant is offered for another."""

    def check(value: object) -> object:
        if isinstance(value, str) and value not in known:
            raise wrong(*unknown(kind, value, known))
        if not isinstance(value, str):
            raise wrong(f"one of {', '.join(known)}", show(value))
        return value

    return BeforeValidator(check, json_schema_input_type=Literal[known])


class Retrain(Table):
    """Learn from scratch on what remains, as the model was learnt at first; exact."""


class DoNothing(Table):
    """Hand the model back: the control that no unlearning may fall behind."""


class FineTune(Table):
    """Learn on from the model, on what remains (Golatkar et al. 2020)."""

    epochs: Count = 10
    """Passes over the records that remain."""
    rate: Positive | None = None
    """The learning rate; where it is left out, that of learning."""


class NegativeGradient(Table):
    """Climb the loss of what goes, and descend that of what remains where it has a weight (Golatkar et al. 2020; NegGrad+)."""

    epochs: Count = 10
    """Passes over all records; over those to forget alone where retain_weight is 0."""
    rate: Positive | None = None
    """The learning rate; where it is left out, three tenths of that of learning."""
    retain_weight: BelowOne | None = None
    """Beta of NegGrad+: the objective is beta times the mean loss of what remains less 1 - beta times that of what is to be
    forgotten. Where it is left out, every record weighs the same; at 0 the records that remain are not read."""


class FisherForgetting(Table):
    """Add noise to every weight, the more the less the remaining records hold it: Fisher information (Golatkar et al. 2020)."""

    noise: Positive = 0.02
    """(lambda sigma_h^2)^(1/4): the standard deviation of the noise on a weight whose Fisher information is 1."""
    floor: Positive = 1e-4
    """Fisher information below it counts as this much, so that no weight gets more than noise / floor^(1/4)."""


class FineTuneFinal(Table):
    """Learn on from the model, on what remains, with every layer but the last as it is (CF-k, Goel et al. 2023)."""

    epochs: Count = 10
    """Passes over the records that remain."""
    rate: Positive | None = None
    """The learning rate; where it is left out, that of learning."""


class RetrainFinal(Table):
    """Draw the last layer again and learn it on what remains, with the other layers as they are (EU-k, Goel et al. 2023)."""

    epochs: Count | None = None
    """Passes over the records that remain; where it is left out, as many as in learning."""
    rate: Positive | None = None
    """The learning rate; where it is left out, that of learning."""


class SaliencyUnlearning(Table):
    """Learn wrong labels for what is to be forgotten, with the weights alone that its loss depends on most (Fan et al. 2024)."""

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
    """Shrink the weights that matter more to what is to be forgotten than to the whole training data (Foster et al. 2024)."""

    selection: Positive | None = None
    """Alpha: a weight is dampened where its importance to what is to be forgotten is more than this many times that to all.
    Where it is left out, 10, or 0.4 times the records there are for each to forget if that is less, but at least 1."""
    dampening: Positive = 1.0
    """Lambda: it is then multiplied by lambda times the importance to all over that to what is to be forgotten, never by more
    than 1."""


class Sharded(Table):
    """Learn in shards that share no record, and retrain those alone that held what goes (Bourtoule et al. 2021, no slices)."""

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
        expected, found = expected_of(item), show(item["input"])
    return f"unlearn_params.{key if key.isprintable() else '?'}: expected {expected}, found {found}"


class Private(Table):
    """Differentially private training by DP-SGD (Abadi et al. 2016)."""

    noise_multiplier: Positive
    """Standard deviation of the noise on a sum of gradients, in units of max_grad_norm."""
    max_grad_norm: Positive
    """The Euclidean norm that the gradient of one record is clipped to."""
    delta: Inside
    """At which epsilon is accounted for."""


class Trained(Procedure):
    """What all procedures that train networks have in common."""

    @property
    def extra(self) -> str:
        """That with PyTorch."""
        return "networks"

    @property
    def may_use_gpu(self) -> bool:
        """PyTorch can."""
        return True

    @property
    def shapes_rows(self) -> bool:
        """Networks can."""
        return True


class Torch(Trained):
    """The built-in procedure `torch`: a built-in network or the controller's own, its training, and a way of unlearning."""

    use: Annotated[Literal["torch"], USE] = "torch"
    """The name of the procedure."""
    model: Annotated[str, listed("network", tuple(ARCHITECTURES))] | None = None
    """A built-in network by name; None where `entry` names one."""
    entry: Text | None = None
    """`file.py:ClassName` of the controller's own `torch.nn.Module`, the file inside the case folder: it takes rows, flat or as
    `[data] shape` says, and gives logits (n, classes)."""
    params: dict[str, JsonValue] = Field(default_factory=dict)
    """The network's own keys, by its name, or keyword arguments of the controller's class."""
    epochs: Count
    """Passes over the records."""
    batch: Count = 32
    """Records a step."""
    optimizer: Literal["sgd", "adam"] = "sgd"
    """The optimiser."""
    rate: Positive
    """The learning rate at the start."""
    momentum: BelowOne = 0.0
    """Of SGD; Adam takes none."""
    weight_decay: NonNegative = 0.0
    """The L2 coefficient that the optimiser adds."""
    schedule: Literal["constant", "cosine", "step"] = "constant"
    """How the rate falls over the epochs."""
    dp: Private | None = None
    """Differentially private training by DP-SGD; None where training is not private."""
    unlearn: Annotated[str, listed("way of unlearning", (*PARAMS, OWN))] = "retrain"
    """The way of unlearning; `own`: the function `unlearn(model, retain, forget, seed)` of the file that `entry` names."""
    unlearn_params: dict[str, JsonValue] = Field(default_factory=dict)
    """What the way of unlearning can be told, by its name; of the controller's own, keyword arguments."""
    dtype: Literal["float32", "float64"] = "float32"
    """Of parameters and of all that is computed with them."""
    seed: Seed
    """A secret; learn gets seed, the k-th batch seed + k."""

    @property
    def sandbox_settings(self) -> dict[str, object]:
        """All that is declared but the seed."""
        declared = self.model_dump(mode="json", exclude={"use", "entry", "seed", "unlearn"})
        return {**declared, "unlearn_by": self.unlearn}

    def noise_of_training(self, records: int) -> Noise | None:
        """That of DP-SGD, as declared."""
        if self.dp is None:
            return None
        rate, steps = schedule(records, batch=self.batch, epochs=self.epochs)
        return Noise(self.dp.noise_multiplier, rate, steps, self.dp.delta)

    @property
    def trains_again(self) -> bool:
        """A network of the controller's own could remember what its code was shown, however often it is trained."""
        return self.unlearn == "retrain" and not self.foreign

    @property
    def carried(self) -> Carried | None:
        """A way of unlearning starts from the model that it is given; of shards a release may show the average alone."""
        if self.foreign:
            return None
        if self.unlearn == "sisa":
            return Carried(Message("carried.shards"), in_part=Message("carried.shard-models"))
        return Carried(Message("carried.retrained") if self.unlearn == "retrain" else Message("carried.parameters"))

    @property
    def foreign(self) -> bool:
        """A network of the controller's is code of the controller's."""
        return self.entry is not None

    @property
    def trains_together(self) -> bool:
        """Built-in networks lie in one stack."""
        return not self.foreign

    @property
    def pictured(self) -> object:
        """As the network gets it."""
        return None if self.foreign else self.params.get("shape")

    @property
    def saves_state_dict(self) -> bool:
        """Shards are several modules."""
        return self.unlearn != "sisa"


class Ftrl(Trained):
    """The built-in procedure `ftrl`: a built-in network that learns each record of a stream once, with noise in all it keeps."""

    use: Annotated[Literal["ftrl"], USE] = "ftrl"
    """The name of the procedure."""
    model: Annotated[str, listed("network", tuple(ARCHITECTURES))] = "mlp"
    """A built-in network by name."""
    params: dict[str, JsonValue] = Field(default_factory=dict)
    """The network's own keys, by its name; `{ hidden = [] }` of "mlp" is multinomial logistic regression."""
    steps: Annotated[int, Field(ge=1, le=10**6)]
    """Steps, and releases, that the noise is made for; a record is learned in one of them, which a hash of its id decides."""
    rate: Positive
    """How far the sum of clipped gradients moves the parameters."""
    noise_multiplier: Positive
    """Standard deviation of the noise in each number of each sum, in units of max_grad_norm, and as much again at release."""
    max_grad_norm: Annotated[float, Field(ge=SHORTEST, allow_inf_nan=False)]
    """The Euclidean norm that the gradient of one record is clipped to."""
    delta: Inside
    """At which epsilon is stated."""
    factorisation: Factorisation = "square-root"
    """What is summed before noise is added: nodes of a tree, of which few are kept, or a sum for every step, with less noise."""
    unlearn: Literal["none"] = "none"
    """Nothing is done about a deletion: noise hides everybody from the beginning."""
    dtype: Literal["float32", "float64"] = "float32"
    """Of parameters and of all that is computed with them."""
    seed: Seed
    """A secret of this stream alone: two streams with one seed have the same noise, which their difference is free of."""

    @property
    def sandbox_settings(self) -> dict[str, object]:
        """All that is declared but the seed."""
        declared = self.model_dump(mode="json", exclude={"use", "seed", "unlearn"})
        return {**declared, "unlearn_by": self.unlearn}

    def noise_of_training(self, records: int) -> Noise:  # noqa: ARG002 - alike for any number of them
        """That of the sums, as declared."""
        root = math.sqrt(squared_sensitivity(self.factorisation, self.steps))
        # Rounded down: it is to cost no less.
        one_step = self.noise_multiplier / root * (1 - 2.0**-48)
        return NoiseOfSums(
            one_step, 1.0, 1, self.delta, kept=self.noise_multiplier, horizon=self.steps, factorisation=self.factorisation
        )

    @property
    def carried(self) -> Carried:
        """The model is handed on as it is."""
        return Carried(Message("carried.parameters"))

    @property
    def trains_together(self) -> bool:
        """One process may train many."""
        return True

    @property
    def pictured(self) -> object:
        """As the network gets it."""
        return self.params.get("shape")

    @property
    def saves_state_dict(self) -> bool:
        """Its model is one module."""
        return True


_FILES: Final = {
    "torch-file": "auditor.parts.networks.learning.layout:TorchFile",
    "torch-layout": "auditor.parts.networks.learning.layout:NetworkLayout",
}
PROCEDURES: Final = (
    Entry(
        Ftrl,
        build="auditor.parts.networks.learning.making:make_continual",
        read="auditor.parts.networks.declared:read_stream",
        fits="auditor.parts.networks.declared:fits",
        of_data="auditor.parts.networks.declared:of_data",
        files=_FILES,
    ),
    Entry(
        Torch,
        build="auditor.parts.networks.learning.making:make",
        read="auditor.parts.networks.declared:read",
        fits="auditor.parts.networks.declared:fits",
        of_data="auditor.parts.networks.declared:of_data",
        files=_FILES,
    ),
)
