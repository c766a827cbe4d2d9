"""The table of the built-in procedure `noisy-gd`: learning and unlearning by noisy gradient descent."""

from __future__ import annotations

from typing import Annotated, Literal, TypeAlias

from pydantic import BeforeValidator, Field, JsonValue, model_validator

from auditor.base.domain import Reason
from auditor.maths.certificates.losses import constants, rounding_spread, theorem_rate
from auditor.settings.builtin import USE, Carried, Procedure, Tolerance, one_of
from auditor.settings.networks import ARCHITECTURES, listed
from auditor.settings.problems import show
from auditor.settings.values import Positive, Seed, Text, wrong

Steps: TypeAlias = Annotated[int, Field(ge=0, le=1_000_000_000)]


def _rate(value: object) -> object:
    if value == "theorem" or (isinstance(value, int | float) and not isinstance(value, bool) and value > 0):
        return value
    raise wrong('"theorem", for 1/(2(l2 + smoothness)), or a number greater than 0', show(value))


class NoisyGd(Procedure):
    """The built-in procedure `noisy-gd` (Chourasia and Shah 2023, Algorithm 2 and Definition 5.1)."""

    use: Annotated[Literal["noisy-gd"], USE] = "noisy-gd"
    """The name of the procedure."""
    loss: Annotated[Literal["logistic", "softmax"], one_of("loss", ("logistic", "softmax"))] | None = None
    """The loss of a linear model without intercept; None where `model` or `entry` names a network, trained on cross-entropy."""
    model: Annotated[str, listed("network", tuple(ARCHITECTURES))] | None = None
    """A network of ours by name."""
    entry: Text | None = None
    """`file.py:ClassName` of the controller's own `torch.nn.Module`, the file inside the case folder."""
    params: dict[str, JsonValue] = Field(default_factory=dict)
    """The network's own keys, by its name, or keyword arguments of the controller's class."""
    l2: Positive
    """The L2 coefficient lambda: the objective is the mean loss plus (l2 / 2) times the squared norm."""
    sigma2: Positive
    """Variance of the gradient noise: a step adds sqrt(2 rate) N(0, sigma2 I)."""
    order: Annotated[float, Field(gt=1)] = 2.0
    """q, the Renyi order that epsilons are stated at."""
    learn_steps: Steps
    """Steps of learning."""
    unlearn_steps: Steps
    """Steps after each batch."""
    clip: Positive | None = None
    """The Euclidean norm that the gradient of one record is clipped to."""
    rate: Annotated[Literal["theorem"] | float, BeforeValidator(_rate)] = "theorem"
    """The step size; "theorem" for 1/(2(l2 + smoothness)), which Theorem 5.1 asks for."""
    loss_cap: Positive | None = None
    """c, for the loss c(1 - exp(-loss/c)), which is bounded by c; None for the loss as it is."""
    lipschitz: Positive | None = None
    """Of a network: the largest gradient norm of one record's loss, which the controller attests."""
    smoothness: Positive | None = None
    """Of a network: the largest norm of a Hessian of one record's loss, which the controller attests."""
    convex: bool = False
    """Of a network: whether the controller says that its loss is convex in the parameters."""
    row_norms: Annotated[Literal["report", "refuse", "scale"], one_of("row_norms", ("report", "refuse", "scale"))] = "report"
    """What is done with training records whose features have a norm above 1, for which the loss's constants do not hold."""
    seed: Seed
    """A secret; learn gets seed, the k-th batch seed + k."""

    @property
    def sandbox_settings(self) -> dict[str, object]:
        """All that is declared but the seed."""
        return self.model_dump(mode="json", exclude={"use", "entry", "seed", "unlearn"})

    def tolerance_of_rerun(self, rows_left: int) -> Tolerance | None:  # noqa: ARG002 - steps on a mean do not depend on them
        """What the rounding of the steps on another processor admits, over the strong convexity of the objective."""
        if self.loss is None:
            return None
        known, admitted = constants(self.loss, clip=self.clip, cap=self.loss_cap), 0.0
        if known.convex and known.is_gradient:
            rate = theorem_rate(known.smoothness, l2=self.l2) if self.rate == "theorem" else self.rate
            admitted = rounding_spread(lipschitz=known.lipschitz, smoothness=known.smoothness, l2=self.l2, rate=rate)
        return Tolerance(admitted, "model.reproduced.tolerance.rounding")

    @property
    def carried(self) -> Carried | None:
        """An update is descent from the model that it is given."""
        return None if self.foreign else Carried(Reason("carried.parameters-read"))

    @property
    def foreign(self) -> bool:
        """A network of the controller's is code of the controller's."""
        return self.entry is not None

    @property
    def extra(self) -> str | None:
        """That with PyTorch, for networks."""
        return "networks" if self.loss is None else None

    @property
    def may_use_gpu(self) -> bool:
        """Networks can."""
        return self.loss is None

    @property
    def renyi_order(self) -> float:
        """As declared."""
        return self.order

    @model_validator(mode="after")
    def _keys_fit(self) -> NoisyGd:
        if sum(each is not None for each in (self.loss, self.model, self.entry)) != 1:
            found = [name for name in ("loss", "model", "entry") if getattr(self, name) is not None]
            raise wrong("exactly one of loss, model and entry", ", ".join(found) or "none of them")
        if self.clip is not None and self.loss_cap is not None:
            raise wrong("clip or loss_cap: the gradients of a capped loss are bounded already", "both")
        if self.rate != "theorem" and self.rate * self.l2 >= 2:
            raise wrong(
                f"a rate below 2/l2, which is {2 / self.l2:g}: beyond it no step comes nearer to 0", f"rate = {self.rate:g}"
            )
        if self.loss is not None:
            return self._of_a_known_loss()
        if self.rate == "theorem":
            raise wrong("a rate: the theorem's step size needs a loss that is known", 'rate = "theorem"')
        if self.row_norms != "report":
            raise wrong("row_norms with loss only", f'row_norms = "{self.row_norms}"')
        return self

    def _of_a_known_loss(self) -> NoisyGd:
        for name in ("lipschitz", "smoothness"):
            if getattr(self, name) is not None:
                raise wrong(f"no {name} with loss, whose constants are known", f"{name} = {getattr(self, name):g}")
        if self.convex or self.params:
            raise wrong("convex and params with model or entry only", "convex" if self.convex else "params")
        if self.loss_cap is not None and self.rate == "theorem":
            raise wrong("a rate with loss_cap: the theorem for bounded losses does not fix one", 'rate = "theorem"')
        return self


def noisy_gd_of(procedure: Procedure) -> NoisyGd | None:
    """Give a table that is of noisy gradient descent, which theorems on data deletion cover; None for any other."""
    return procedure if isinstance(procedure, NoisyGd) else None
