"""The table of the procedure `noisy-gd`: learning and unlearning by noisy gradient descent; and its entry.

What the table declares is read here as the theorems read it: the constants of its loss, its step size, and the theorem meant.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Annotated, Final, Literal, TypeAlias

from pydantic import BeforeValidator, Field, JsonValue, model_validator

from auditor.base.domain import Message
from auditor.maths.certificates.losses import LOSSES, capped_smoothness, constants, rounding_spread, theorem_rate
from auditor.maths.certificates.rounding import exponential_ceiling
from auditor.parts.networks.settings import ARCHITECTURES, Mlp, listed
from auditor.settings.builtin import USE, Carried, Entry, Procedure, Tolerance, one_of
from auditor.settings.facets import NoisyDescent
from auditor.settings.values import Positive, Seed, Text, show, wrong

Steps: TypeAlias = Annotated[int, Field(ge=0, le=1_000_000_000)]


def step_size(value: object) -> object:
    """Take the word for the theorem's, or a number above 0."""
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
    """A built-in network by name."""
    entry: Text | None = None
    """`file.py:ClassName` of the controller's own `torch.nn.Module`, the file inside the case folder."""
    params: dict[str, JsonValue] = Field(default_factory=dict)
    """The network's own keys, by its name, or keyword arguments of the controller's class."""
    l2: Positive
    """The L2 coefficient lambda: the objective is the mean loss plus (l2 / 2) times the squared norm."""
    sigma2: Positive
    """Variance of the gradient noise: a step adds sqrt(2 rate) N(0, sigma2 I)."""
    order: Annotated[float, Field(gt=1)] = 2.0
    """q, the Renyi order that epsilons are stated at; that of a claim goes first."""
    learn_steps: Steps
    """Steps of learning."""
    unlearn_steps: Steps
    """Steps after each batch."""
    clip: Positive | None = None
    """The Euclidean norm that the gradient of one record is clipped to. Clipped logistic gradients are still gradients; clipped
    softmax ones are not, and no theorem covers them."""
    rate: Annotated[Literal["theorem"] | float, BeforeValidator(step_size)] = "theorem"
    """The step size; "theorem" for 1/(2(l2 + smoothness)), which Theorem 5.1 asks for."""
    loss_cap: Positive | None = None
    """c, for the loss c(1 - exp(-loss/c)), which is bounded by c, as Theorem 5.2 asks; None for the loss as it is."""
    lipschitz: Positive | None = None
    """Of a network: the largest gradient norm of one record's loss, where the controller attests `loss-constants`. Of a built-in
    network with hidden layers there is none, whatever is declared; without, it is known, and compared."""
    smoothness: Positive | None = None
    """Of a network: the largest norm of a Hessian of one record's loss, known in the same way."""
    convex: bool = False
    """Of a network: whether the controller says that its loss is convex in the parameters, and attests `loss-convex`."""
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
        return rounding_of_rerun(self)

    @property
    def carried(self) -> Carried | None:
        """An update is descent from the model that it is given."""
        return None if self.foreign else Carried(Message("carried.parameters-read"))

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
    def descent(self) -> NoisyDescent:
        """What the theorems on data deletion cover."""
        return self

    @property
    def pictured(self) -> object:
        """As the network gets it."""
        return None if self.foreign else self.params.get("shape")

    def linear_models(self, labels: int, *, classifies: bool) -> int:  # noqa: ARG002 - it classifies, or is refused
        """One for the logistic loss, one for each label for softmax."""
        return {"logistic": 1, "softmax": labels, None: 0}[self.loss]

    @property
    def packing(self) -> None:
        """Full batches."""
        return

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


PROCEDURES: Final = (
    Entry(
        NoisyGd,
        build="auditor.parts.data_deletion.learning.making:make",
        read="auditor.parts.data_deletion.declared:read",
        fits="auditor.parts.data_deletion.declared:fits",
        of_data="auditor.parts.networks.declared:of_data",
    ),
)


def rounding_of_rerun(procedure: NoisyDescent) -> Tolerance | None:
    """What the rounding of steps on a known loss admits; None for a network."""
    if procedure.loss is None:
        return None
    known, admitted = constants(procedure.loss, clip=procedure.clip, cap=procedure.loss_cap), 0.0
    if known.convex and known.is_gradient:
        rate = theorem_rate(known.smoothness, l2=procedure.l2) if procedure.rate == "theorem" else procedure.rate
        admitted = rounding_spread(lipschitz=known.lipschitz, smoothness=known.smoothness, l2=procedure.l2, rate=rate)
    return Tolerance(admitted, "model.reproduced.tolerance.rounding")


Theorem: TypeAlias = Literal["5.1", "5.2"]

SAME_RATE: Final = 1e-12
"""How far, relative to it, a declared step size may lie from that of Theorem 5.1 and still be it: what rounding leaves."""


@dataclass(frozen=True, slots=True)
class Declared:
    """The loss and the steps as declared. What is None nobody named."""

    theorem: Theorem | None
    """The one whose form the declaration has; None where neither covers it."""
    lipschitz: float | None
    """L: the largest norm of what one record adds to a sum of gradients; of a clipped field the clip."""
    smoothness: float | None
    """β."""
    rate: float
    """η, as it is run."""
    bound: float | None
    """The largest absolute loss."""
    convex: bool
    """Whether the loss is convex: by what is known of it, or as the controller says of a network."""
    is_gradient: bool
    """Whether the steps follow the gradient of a loss."""
    attested: bool
    """Whether the constants are the controller's word, as of a network."""
    theorem_rate: float | None
    """The step size of Theorem 5.1 for this loss; None where it asks for none."""
    reason: Message | None = None
    """Why no theorem covers it."""
    fix: Message | None = None
    """What would have to be declared instead."""

    @property
    def has_theorem_rate(self) -> bool:
        """Whether the steps have the size of Theorem 5.1."""
        wanted = self.theorem_rate
        return wanted is not None and math.isclose(self.rate, wanted, rel_tol=SAME_RATE, abs_tol=0.0)

    @property
    def trades_off(self) -> bool:
        """Whether what the Gaussian trade-off asks for is declared, but for its c ≤ 1: convex, smooth, Lipschitz, a gradient."""
        return self.convex and self.is_gradient and self.lipschitz is not None and self.smoothness is not None


def read(procedure: NoisyDescent) -> Declared:
    """The declaration of a table, and why neither theorem covers it where none does."""
    return _of_a_known_loss(procedure) if procedure.loss is not None else _of_a_network(procedure)


def is_linear(procedure: NoisyDescent) -> bool:
    """Whether a built-in network has no hidden layer: softmax regression with an intercept."""
    return procedure.model == "mlp" and not Mlp.model_validate(procedure.params).hidden


def linear_constants(largest_norm: float, cap: float | None) -> tuple[float, float]:
    """L and β of softmax regression with an intercept, which reads a row x as (x, 1); no smaller ones hold.

    Args:
        largest_norm: Of the rows.
        cap: That of the loss; None where it has none.
    """
    squared, plain = 1 + largest_norm**2, LOSSES["softmax"]
    lipschitz, smoothness = plain.lipschitz * math.sqrt(squared), plain.smoothness * squared
    return lipschitz, smoothness if cap is None else capped_smoothness(lipschitz, smoothness, cap=cap)


def bound_b(bound: float, sigma2: float) -> float | None:
    """B with σ² ln(B)/4 at least the bound on the loss, rounded up (Theorem 5.2); None beyond the floating-point range."""
    found = exponential_ceiling(4 * bound / sigma2)
    return found if math.isfinite(found) else None


def _of_a_known_loss(procedure: NoisyDescent) -> Declared:
    if procedure.loss is None:
        raise AssertionError("a table without a loss is of a network")
    known = constants(procedure.loss, clip=procedure.clip, cap=procedure.loss_cap)
    wanted = theorem_rate(known.smoothness, l2=procedure.l2)
    found = Declared(
        theorem=None,
        lipschitz=known.lipschitz,
        smoothness=known.smoothness if known.is_gradient else None,
        rate=wanted if procedure.rate == "theorem" else procedure.rate,
        bound=known.bound,
        convex=known.convex,
        is_gradient=known.is_gradient,
        attested=False,
        theorem_rate=wanted if known.is_gradient and known.convex else None,
    )
    if not known.is_gradient:
        largest = LOSSES[procedure.loss].lipschitz
        return _without(
            found,
            Message("descent.loss-clipped", {"loss": procedure.loss, "clip": procedure.clip}),
            Message("descent.loss-clipped.fix", {"largest": largest}),
        )
    if procedure.packing is not None:
        return _without(found, Message("descent.mini-batches"), Message("descent.mini-batches.fix"))
    return _meant(found)


def _of_a_network(procedure: NoisyDescent) -> Declared:
    found = _as_attested(procedure)
    deep = procedure.model is not None and not is_linear(procedure)
    if procedure.clip is not None:
        return _without(
            found,
            Message("descent.network-clipped"),
            Message("descent.network-clipped.deep-fix") if deep else Message("descent.network-clipped.fix"),
        )
    if deep:
        return _without(
            replace(found, lipschitz=None, smoothness=None, theorem_rate=None),
            Message("descent.deep-network"),
            Message("descent.deep-network.fix"),
        )
    named_constants = (("lipschitz", procedure.lipschitz), ("smoothness", procedure.smoothness))
    missing = [name for name, value in named_constants if value is None]
    if missing:
        named = {"missing": missing}
        return _without(found, Message("descent.no-constants", named), Message("descent.no-constants.fix", named))
    if procedure.loss_cap is None and not procedure.convex:
        return _without(found, Message("descent.neither"), Message("descent.neither.fix"))
    return _meant(found)


def _as_attested(procedure: NoisyDescent) -> Declared:
    """The constants of a network, by the controller's word; steps on clipped gradients follow no gradient of a loss."""
    if procedure.rate == "theorem":
        raise AssertionError("a table of a network names its rate")
    clipped, cap = procedure.clip is not None, procedure.loss_cap
    smoothness = None if clipped else procedure.smoothness
    return Declared(
        theorem=None,
        lipschitz=min((each for each in (procedure.lipschitz, procedure.clip) if each is not None), default=None),
        smoothness=smoothness,
        rate=procedure.rate,
        bound=cap,
        convex=procedure.convex and cap is None and not clipped,
        is_gradient=not clipped,
        attested=True,
        theorem_rate=None if smoothness is None or cap is not None else theorem_rate(smoothness, l2=procedure.l2),
    )


def _meant(found: Declared) -> Declared:
    """The declaration with its theorem: 5.2 for a bounded loss, 5.1 for a convex one with the step size that it asks for."""
    if found.bound is not None:
        return replace(found, theorem="5.2")
    if found.has_theorem_rate:
        return replace(found, theorem="5.1")
    wanted = {"wanted": found.theorem_rate}
    fix = Message("descent.step-size.fix-attested", wanted) if found.attested else Message("descent.step-size.fix", wanted)
    return _without(found, Message("descent.step-size", {**wanted, "rate": found.rate}), fix)


def _without(found: Declared, reason: Message, fix: Message) -> Declared:
    return replace(found, reason=reason, fix=fix)
