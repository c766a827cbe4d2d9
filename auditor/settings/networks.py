"""The table of the built-in procedure `torch`, and those of the networks that it knows by name. Nothing here loads PyTorch."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Final, Literal, Self, TypeAlias

from pydantic import BeforeValidator, Field, JsonValue, model_validator

from auditor.base.domain import Reason
from auditor.maths.certificates.dp_sgd import schedule
from auditor.settings.builtin import USE, Carried, Noise, Procedure
from auditor.settings.problems import show, unknown
from auditor.settings.unlearning import OWN, PARAMS
from auditor.settings.values import BelowOne, Count, Inside, NonNegative, Positive, Seed, Table, Text, wrong

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


class Private(Table):
    """Differentially private training by DP-SGD (Abadi et al. 2016)."""

    noise_multiplier: Positive
    """Standard deviation of the noise on a sum of gradients, in units of max_grad_norm."""
    max_grad_norm: Positive
    """The Euclidean norm that the gradient of one record is clipped to."""
    delta: Inside
    """At which epsilon is accounted for."""


class Torch(Procedure):
    """The built-in procedure `torch`: a network of ours or the controller's own, its training, and a way of unlearning."""

    use: Annotated[Literal["torch"], USE] = "torch"
    """The name of the procedure."""
    model: Annotated[str, listed("network", tuple(ARCHITECTURES))] | None = None
    """A network of ours by name; None where `entry` names one."""
    entry: Text | None = None
    """`file.py:ClassName` of the controller's own `torch.nn.Module`, the file inside the case folder."""
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
            return Carried(Reason("carried.shards"), in_part=Reason("carried.shard-models"))
        return Carried(Reason("carried.retrained") if self.unlearn == "retrain" else Reason("carried.parameters"))

    @property
    def foreign(self) -> bool:
        """A network of the controller's is code of the controller's."""
        return self.entry is not None

    @property
    def extra(self) -> str:
        """That with PyTorch."""
        return "networks"

    @property
    def may_use_gpu(self) -> bool:
        """PyTorch can."""
        return True

    @property
    def trains_together(self) -> bool:
        """Networks of ours lie in one stack."""
        return not self.foreign
