"""Sentences of `removal.residual`, `removal.budget` and `removal.output-noise`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from auditor.words.kinds import Sentences


def _measured(given: Mapping[str, Any]) -> str:
    subject = "shipped weights" if given["shipped"] else "weights of the rerun"
    if given["noised"]:
        subject += ", less the noise of the release,"
    return f"‖∇L_b‖₂ of the {subject} on the records that are left, against the bound β that the log's removals add up to."


def _scaled(given: Mapping[str, Any]) -> str:
    count = f"{given['records']} training records were" if given["records"] != 1 else "1 training record was"
    return f"{count} longer than 1 and scaled to norm 1, each by itself, in learning and predicting alike."


def _beyond(given: Mapping[str, Any]) -> str:
    return f"No bound could be derived: float64 does not hold what was measured of {', '.join(given['names'])}."


def _worst(given: Mapping[str, Any]) -> str:
    allowed = "σμ" if given["perturbation"] == "gaussian" else "σε"
    retrained = given["retrained"]
    again = f"{retrained} of them retrained from scratch" if retrained else "none retrained from scratch"
    return f"Worst β_t/({allowed}) over training and {given['batches']} batches, the optimiser's leftover included; {again}."


def _criterion(given: Mapping[str, Any]) -> str:
    ratio = given["ratio"]
    return "removal.budget: no threshold" if ratio is None else f"removal.budget: worst β/(σμ) = {ratio:.4g}"


def _spent(given: Mapping[str, Any]) -> str:
    spent = "none" if given["spent"] is None else f"{given['spent']:.4g}"
    return f"removal.output-noise: ε = {spent} of {given['epsilon']:g}"


SENTENCES: Final[Sentences] = {
    "removal.other-procedure": 'Applies to [procedure] use = "certified-removal" only.',
    "removal.nothing-removed": "No executed request names a record of the training data: there is no removal to judge.",
    "removal.beyond": _beyond,
    "removal.no-target": "No threshold: neither procedure, claim nor policy names both ε and δ.",
    "removal.no-bound": "No bound: {reason}.",
    "removal.residual.measured": _measured,
    "removal.residual.scaled": _scaled,
    "removal.residual.other-shape": "The shipped weights have another shape.",
    "removal.budget.no-random-term": "Does not apply: the training loss has no random term (sigma = 0); noise is added at release instead.",
    "removal.budget.worst": _worst,
    "removal.budget.nothing-allowed": "The budget is zero, and something is left to hide.",
    "removal.budget.overrun": "The removals went on past the budget without retraining.",
    "removal.budget.criterion": "This is the paper's criterion; the guarantee that it feeds rests on an attested assumption.",
    "removal.budget.extractor": "Claim and policy cover all that is released: what the private extractor below spends of theirs is taken off.",
    "removal.budget.hardest-unreached": "float64 does not reach this removal",
    "removal.budget.hardest-unbounded": "{reason}",
    "removal.output-noise.no-noise": "Does not apply: the procedure adds no noise at release.",
    "removal.output-noise.budget-exceeded": "A model was released with a gradient residual above the declared budget: nothing follows from the budget then.",
    "removal.output-noise.no-epsilon": "No finite ε: {reason}.",
    "removal.output-noise.one-release": "ε at δ of one release with its noise, against the exactly retrained model with the same noise: from the residual "
    "budget, which the procedure enforces with the same b, over λn′ and the standard deviation of the noise.",
    "fact.objective-strongly-convex.built-in": "built-in procedure {use}, λ = {l2:g}",
    "fact.perturbation.built-in": "built-in procedure {use}, σ = {sigma:g}",
    "fact.retrained.every-batch": "built-in procedure {use}, every batch",
    "fact.retrained.label-kept": "a label that only deleted records had still has its place in the model",
    "fact.criterion-met.budget": _criterion,
    "fact.release-noise.built-in": "built-in procedure {use}, s = {deviation:g}",
    "fact.release-noise.seen": 'built-in procedure {use}, s = {deviation:g}; earlier releases were seen, so that it is fresh to the requests follows from "requests-fixed", which {by} attests',
    "fact.release-noise.not-attested": 'built-in procedure {use}, s = {deviation:g}; earlier releases were seen, and nobody attests "requests-fixed"',
    "fact.residual-enforced.measured": "built-in procedure {use}, r = {budget:g}; measured {measured:up} at most",
    "fact.noise-criterion-met.spent": _spent,
    "fact.extractor-private.group": "for {records} records together its δ is 1, which promises nothing",
    "fact.extractor-private.attested": "attested by {by}: ε = {epsilon:g}, δ = {delta:g} for one record; ε = {all_epsilon:.4g}, δ = {all_delta:.3g} "
    "for the {records} that are removed",
    "fact.every-extractor.enforced": "built-in procedure {use}, which retrains from scratch where the criterion would not be met",
}
