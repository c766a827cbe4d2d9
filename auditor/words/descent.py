"""Sentences on what a table of noisy gradient descent declares, what a theorem gives for it, and the theorem's premises."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from auditor.words.kinds import Sentences

_CLIPPED_FIELD: Final = (
    "clipped gradients that are no scalar times the record are the gradient of no loss in general (Lemma F.3 is false there)"
)
_NO_CONSTANTS: Final = (
    "a network with hidden layers has no constants: its gradients grow with products of weights, and ReLU is not smooth"
)
_KNOWN_LOSS: Final = 'use loss = "logistic" or "softmax", or a network whose loss has a Lipschitz constant and a smoothness'


def number(value: float | None, digits: int = 6, *, missing: str = "inf") -> str:
    """A number in so many digits; a norm that float64 does not hold as inf."""
    return missing if value is None else f"{value:.{digits}g}"


def _step_size(given: Mapping[str, Any]) -> str:
    wanted = number(given["wanted"], 12, missing="nothing")
    return f"Theorem 5.1 asks for the step size 1/(2(l2 + smoothness)) = {wanted}, declared is {given['rate']:.12g}"


def _without_constants(given: Mapping[str, Any]) -> str:
    return f"the network's table does not name {' and '.join(given['missing'])}"


def _failed(given: Mapping[str, Any]) -> str:
    return "; ".join(given["failed"]) or "declare settings that keep every number within the floating-point range"


def _convex(given: Mapping[str, Any]) -> str:
    clip = given["clip"]
    clipped = "" if clip is None else f", gradients clipped to {clip:g}, each a scalar times its record"
    return f"{given['loss']} loss{clipped}"


def _stated(given: Mapping[str, Any]) -> str:
    shown = (number(given[name], missing="unknown") for name in ("lipschitz", "smoothness"))
    return "L = {}, beta = {}".format(*shown)


def _known(given: Mapping[str, Any]) -> str:
    lipschitz, smoothness, norm = (number(given[name]) for name in ("known_lipschitz", "known_smoothness", "norm"))
    return f"L = {lipschitz} and beta = {smoothness} for rows of norm {norm} at most"


def _rows(given: Mapping[str, Any]) -> str:
    scaled = ", each longer row scaled to norm 1" if given["scaled"] else ""
    return f"the largest of {given['rows']} rows has norm {number(given['norm'], 9)}{scaled}"


def _declared_steps(given: Mapping[str, Any]) -> str:
    return f"declared {given['learn']} for learning and {given['unlearn']} for each batch"


def _update(number_: int) -> str:
    return "learning" if number_ == 0 else f"batch {number_}"


def _other_steps(given: Mapping[str, Any]) -> str:
    return f"{_declared_steps(given)}; {given['counted']} were counted in {_update(given['number'])}"


def _noise(given: Mapping[str, Any]) -> str:
    words = (
        f"mean square {given['measured']:.6g} of {given['count']} numbers, declared {given['declared']:g}; a variance off by "
        f"{100 * given['detects']:.2g} % would be found with probability {100 * given['power']:g} %"
    )
    refused = given["refused"]
    if not refused:
        return words
    more = f" and {len(refused) - 1} other updates" if len(refused) > 1 else ""
    return f"{words}; refused for {_update(refused[0])}{more}"


SENTENCES: Final[Sentences] = {
    "descent.loss-clipped": "the gradients of the {loss} loss are clipped to {clip:g}, and " + _CLIPPED_FIELD,
    "descent.loss-clipped.fix": 'leave out clip, or set it to {largest:.6g} or more, or use loss = "logistic"',
    "descent.network-clipped": f"the gradients of the network are clipped, and {_CLIPPED_FIELD}",
    "descent.network-clipped.fix": "leave out clip, and declare lipschitz and smoothness with loss_cap, or with convex = true",
    "descent.network-clipped.deep-fix": f"{_KNOWN_LOSS}; without the clip {_NO_CONSTANTS}",
    "descent.deep-network": f"whatever is declared, {_NO_CONSTANTS}",
    "descent.deep-network.fix": _KNOWN_LOSS,
    "descent.no-constants": _without_constants,
    "descent.no-constants.fix": lambda given: f"declare {' and '.join(given['missing'])} of the loss",
    "descent.neither": "the network's loss is neither bounded nor said to be convex",
    "descent.neither.fix": "declare loss_cap, or convex = true where it is",
    "descent.step-size": _step_size,
    "descent.step-size.fix": lambda given: f'set rate = "theorem", which is {number(given["wanted"], 12, missing="nothing")}',
    "descent.step-size.fix-attested": lambda given: f"set rate = {number(given['wanted'], 12, missing='nothing')}",
    "bounds.too-large": "B = e^(4 loss_cap/sigma2) exceeds the floating-point range",
    "bounds.too-large.fix": "declare a smaller loss_cap, or a larger sigma2",
    "bounds.no-epsilon": "Theorem {theorem} gives no ε here: {why}",
    "bounds.no-epsilon.fix": _failed,
    "premise.loss-convex.known": _convex,
    "premise.loss-convex.unknown": "not known to be convex",
    "premise.loss-convex.not-said": "not said to be convex",
    "premise.loss-convex.attested": "no curvature was examined",
    "premise.loss-convex.bent": "said to be convex, and yet a second difference along a random direction is {least:.3g}",
    "premise.loss-convex.tested": "tested: second differences along random directions are {least:.3g} at least; that "
    "alone shows little",
    "premise.loss-convex.fix": "a loss that is convex in the parameters, or a bounded one (loss_cap)",
    "premise.loss-bounded.above": "a loss of {largest:.6g}, and loss_cap is {cap:g}",
    "premise.loss-bounded.capped": "c(1 - e^(-loss/c)) with c = {cap:g}",
    "premise.loss-bounded.fix": "cap the loss as declared",
    "premise.loss-constants.stated": _stated,
    "premise.loss-constants.known": lambda given: f"{_stated(given)}, of the {given['loss']} loss for rows of norm 1 at most",
    "premise.loss-constants.attested": lambda given: f"{_stated(given)}, as declared",
    "premise.loss-constants.tested": lambda given: (
        f"{_stated(given)}, as declared; gradients had norms of {given['largest']:up} at most"
    ),
    "premise.loss-constants.above": "a record's gradient of norm {largest:.6g}, and L is said to be {lipschitz:g}",
    "premise.loss-constants.above.fix": "a lipschitz of {largest:.6g} or more, if that bounds every gradient",
    "premise.loss-constants.linear": lambda given: f"{_stated(given)}; softmax regression with an intercept has {_known(given)}",
    "premise.loss-constants.linear.fix": lambda given: f"declare {_known(given)}",
    "premise.loss-constants.fix": "declare lipschitz and smoothness of the loss",
    "premise.rows-bounded": _rows,
    "premise.rows-bounded.fix": 'scale the rows to norm 1 at most, or set row_norms = "scale"',
    "premise.step-size.trade-off": "{rate:.9g}; no step moves two models apart",
    "premise.step-size.unknown": "{rate:.9g}; no beta is known to hold it against",
    "premise.step-size.theorem": "{rate:.9g}, 1/(2(l2 + smoothness)) = {wanted:.9g}",
    "premise.step-size.fix": "a rate of {wanted:.12g}",
    "premise.full-batch-descent": "all records and noise in every step, and the last iterate is the model",
    "premise.start-gaussian.any": "drawn without the data",
    "premise.start-gaussian.5.1": "N(0, sigma2/(l2(1 - rate l2/2)) I)",
    "premise.start-gaussian.5.2": "N(0, (sigma2/l2) I)",
    "premise.in-one-process": "{what}; in one process with the controller's code",
    "premise.built-in": "{what}; built-in procedure noisy-gd",
    "premise.steps-counted.untold": lambda given: f"{_declared_steps(given)}; the rerun does not tell how many it took",
    "premise.steps-counted.declared": lambda given: (
        f"{_declared_steps(given)}; counted as declared in {given['updates']} updates"
    ),
    "premise.steps-counted.other": _other_steps,
    "premise.steps-counted.fix": "run the steps that are declared, or declare those that are run",
    "premise.noise-measured": _noise,
    "premise.noise-measured.fix": "add noise of the declared variance, or declare that of the noise which is added",
    "premise.noise-measured.untold": "the rerun reports no noise",
    "premise.noise-measured.untold.fix": "steps that add noise",
    "premise.labels-fixed.lost": "a label that only deleted records had still has its place in the model, whatever the noise",
    "premise.labels-fixed.there": "every label of the training data is still there after the last batch",
    "premise.labels-fixed.fix": "retrain the model from scratch for the labels that are left",
    "premise.stateless.carried": "state.stateless found more than the model carried on",
    "premise.stateless.descent": "built-in procedure noisy-gd: an update reads the parameters alone",
    "premise.stateless.by-construction": "a built-in procedure, by construction",
    "premise.stateless.not-refuted": "state.stateless found no case that tells",
    "premise.stateless.unsettled": "the network is the controller's own code, and no experiment settled it",
    "premise.stateless.not-shown": "state.stateless did not show it",
    "premise.stateless.not-shown.fix": "offer parameters(), save() and load()",
    "premise.stateless.fix": "keep nothing between updates but the model that is released",
}
