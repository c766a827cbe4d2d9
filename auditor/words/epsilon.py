"""Sentences of `epsilon.consistency`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Final

from auditor.words.kinds import Sentences

_BY_CERTIFICATE: Final = (
    "data deletion by noisy gradient descent, as its certificate has it for one deletion from the training data"
)


def _models(seen: int) -> str:
    return {0: "no released model", 1: "one released model"}.get(seen, f"{seen} released models")


def _promised(epsilon: float | None) -> str:
    return "no finite ε" if epsilon is None else f"ε = {epsilon:.4g} only"


def _listed(rows: Iterable[Mapping[str, Any]]) -> str:
    return "; ".join(f"{row['against']}: {row['why']}" for row in rows)


def _compared(given: Mapping[str, Any]) -> str:
    count = given["statements"]
    against = "one claimed or certified ε" if count == 1 else f"{count} claimed or certified values of ε"
    return f"Lower bounds on ε from this run's attacks against {against}; the largest of lower minus upper."


def _nothing_stated(given: Mapping[str, Any]) -> str:
    why = _listed(given["rows"]) or "no ε is claimed or certified"
    return f"There is no ε to hold the attacks' lower bounds against: {why}."


def _nothing_further(given: Mapping[str, Any]) -> str:
    why = _listed(given["rows"])
    return f"{why[:1].upper()}{why[1:]}."


def _stated_by(given: Mapping[str, Any]) -> str:
    return "what is certified" if given["claim"] is None else f"the claim {given['claim']}"


def _not_tested(given: Mapping[str, Any]) -> str:
    told = f"Not tested: {_stated_by(given)} (ε = {given['epsilon']:.4g})."
    sure = f"with {100 * given['power']:.4g} % probability"
    if given["noticed"] is None:
        return f"{told} Whatever its models had shown, this run would not have refuted it {sure}."
    return (
        f"{told} This run would have noticed, {sure}, an ε of {given['noticed']:.4g} or more, which is over {given['near']:g} times "
        "as much. That nothing was refuted says nothing for it."
    )


def _power(given: Mapping[str, Any]) -> str:
    return (
        f"Had the true ε been {given['noticed']:.4g} or more, {_stated_by(given)} (ε = {given['epsilon']:.4g}) would have been refuted "
        f"with {100 * given['power']:.4g} % probability."
    )


def _under(given: Mapping[str, Any]) -> str:
    return f"under requests of somebody who saw {_models(given['seen'])}"


def _requester(given: Mapping[str, Any]) -> str:
    return f"a requester that saw {_models(given['seen'])}, in {given['games']} games"


def _correction(given: Mapping[str, Any]) -> str:
    count = given.get("families", 1)
    families = f"{count} families of tests, and in this one over " if count > 1 else ""
    return f"Bonferroni over {families}{given['tests']} tests, each with an error of {given['error']:.4g}"


def _fallen(given: Mapping[str, Any]) -> str:
    fallen = "; ".join(f"{each['against']} (ε = {each['epsilon']:.4g})" for each in given["fallen"])
    return (
        f"Refuted by an adaptive requester: {fallen}. Its games show ε of at least {given['epsilon']:.4g} at order "
        f"{given['order']:g}, with {100 * given['confidence']:.4g} % confidence."
    )


SENTENCES: Final[Sentences] = {
    "epsilon.consistency.nothing-stated": _nothing_stated,
    "epsilon.consistency.nothing-further": _nothing_further,
    "epsilon.consistency.compared": _compared,
    "epsilon.consistency.refuted": "A lower bound lies above: what was claimed or certified is refuted.",
    "epsilon.consistency.none-above": "None lies above.",
    "epsilon.consistency.not-tested": _not_tested,
    "epsilon.consistency.power": _power,
    "epsilon.consistency.not-compared": "Not tested: nothing of this run could be held against the claim {claim} (ε = {epsilon:.4g}): {why}.",
    "epsilon.consistency.why.not-played": "no test of it was played",
    "epsilon.consistency.correction": _correction,
    "epsilon.consistency.against.removal-bounds": "certified removal, as the residual bounds of the game's own removals have it",
    "epsilon.consistency.against.removal-claim": "claimed certified removal",
    "epsilon.consistency.against.training-noise": "differential privacy of the game's trainings, for {people} people at once and the model before unlearning",
    "epsilon.consistency.against.training-claim": "claimed differential privacy, for {people} people at once and the model before unlearning",
    "epsilon.consistency.against.deletion-claim": "claimed data deletion",
    "epsilon.consistency.against.tradeoff": "noisy gradient descent's Gaussian trade-off, for all {forgotten} records that the game forgets together",
    "epsilon.consistency.against.requester-claim": lambda given: f"claimed data deletion, {_under(given)}",
    "epsilon.consistency.against.requester-certificate": lambda given: (
        f"data deletion by noisy gradient descent, {_under(given)}, as its certificate has it for these games"
    ),
    "epsilon.consistency.against.chains-claim": "claimed data deletion, from the training data",
    "epsilon.consistency.against.chains-certificate": _BY_CERTIFICATE,
    "epsilon.consistency.against.chains-adaptive": f"{_BY_CERTIFICATE} after a request of somebody who saw one released model",
    "epsilon.consistency.why.no-epsilon": "there is no ε to compare",
    "epsilon.consistency.why.no-finite-removal": "no finite ε: the game's removals leave too much against σ",
    "epsilon.consistency.why.larger-removal": lambda given: (
        f"the claim is about the log's removals; the game removes {given['forgotten']} of {given['records']} records at once, "
        f"for which the bounds themselves promise {_promised(given['epsilon'])}"
    ),
    "epsilon.consistency.why.smaller-training": lambda given: (
        f"the claim is about {given['records']} records; the game trains on {given['trained']}, "
        f"for which noise promises {_promised(given['epsilon'])}"
    ),
    "epsilon.consistency.why.too-many-people": lambda given: (
        f"for so many people at once the {'claim' if given['source'] == 'claim' else 'noise'} says nothing"
    ),
    "epsilon.consistency.why.renyi-of-one": "it is about one person in Rényi divergence, and the game forgets many at once",
    "epsilon.consistency.why.no-tradeoff": "its proof takes a convex loss whose gradients are followed as they are",
    "epsilon.consistency.why.condition": "{found}",
    "epsilon.consistency.why.long-rows": "rows of the training data are longer than 1, for which the constants of the loss do not hold",
    "epsilon.consistency.why.saw-more": lambda given: (
        f"the requester saw {_models(given['seen'])}, and the claim covers {given['covered']}"
    ),
    "epsilon.consistency.why.fewer-rows": "the claim is about the log, which leaves {of_log} records; the requester leaves {rows}",
    "epsilon.consistency.why.nothing-certified": "nothing is certified of these games",
    "epsilon.consistency.why.too-large": "not run: too large. {least} chains of {learn_steps} and {unlearn_steps} steps on {records} records take more operations than are spent on them, and fewer steps or records are another claim",
    "epsilon.consistency.method.single": "the best attack on single records",
    "epsilon.consistency.method.single-as-printed": "the best attack on single records, by the paper's own ceiling",
    "epsilon.consistency.method.whole-set": "the adversary that sees whole sets (likelihood ratios summed over the whole set)",
    "epsilon.consistency.method.joint-guess": "a joint guess at the members of one model",
    "epsilon.consistency.method.requester": lambda given: f"{_requester(given)}, against any law that never saw the record",
    "epsilon.consistency.method.requester-advantage": lambda given: f"{_requester(given)}, by Theorem 4.1 of its advantage",
    "epsilon.consistency.method.two-records": "chains with either of two records, against any law that never saw them",
    "epsilon.consistency.method.two-sample": "chains with a record that left, against chains that never had it",
    "epsilon.consistency.method.reencoding": "the requester of Theorem 4.5 played out on chains, against any law that never saw the record",
    "epsilon.consistency.method.membership-tests": "two membership tests on chains (Theorem 4.5)",
    "requester.refuted": _fallen,
    "fact.unrefuted.refuted": "epsilon.consistency: a lower bound on ε lies above",
    "fact.unrefuted.compared": "epsilon.consistency",
    "fact.dp-per-subject.refuted": "epsilon.consistency: a lower bound on ε lies above that of the noise",
    "fact.deletion-unrefuted.refuted": "epsilon.consistency: a lower bound on the Rényi ε lies above",
}
