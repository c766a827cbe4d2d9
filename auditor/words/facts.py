"""What each fact says, by its name, and why it is unknown where there is more to say than that nobody examined it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from auditor.words.kinds import Sentences

STATEMENTS: Final[Mapping[str, str]] = {
    "objective-strongly-convex": "The loss is the declared convex one with λ > 0 and no unregularised intercept.",
    "perturbation-gaussian": "A linear term bᵀw with b ~ N(0, σ²I), another for each classifier, was in the training objective.",
    "perturbation-laplace": "A linear term bᵀw, the density of b proportional to e^(−‖b‖/σ), another for each classifier, was in the training objective.",
    "criterion-met": "The bound β on the gradient residual, leftover included, stays within the removal budget σμ.",
    "release-noise": "Every released parameter carries Gaussian noise of the declared deviation s, drawn for that release.",
    "residual-enforced": "No model with a gradient residual above the budget r is released: it is retrained from scratch with the same b.",
    "noise-criterion-met": "The shift r/(λn′s) between the release and the exact retraining stays within what (ε, δ) allows.",
    "seed-unguessable": "The seed that noise and perturbation come from cannot be found by trying.",
    "settings-fixed": "The residual budget r, the noise s and the regularisation λ were fixed without looking at the training data.",
    "retrained": "Each batch was answered by retraining from scratch, with fresh randomness, on the records that remain.",
    "release-reproduced": "The model about to be released is the one that the procedure gives.",
    "log-consistent": "The deletion log is free of contradictions and every record it names was located.",
    "log-complete": "The deletion log lists every erasure that the model must honour.",
    "residual-independent": "The residual u and the decision whether to retrain are independent of b.",
    "seed-secret": "The seed was drawn at random and cannot be guessed; neither it nor any noise drawn from it is known outside the controller.",
    "requests-fixed": "The erasure requests do not depend on any released model.",
    "preprocessing-clean": "No scaling, vocabulary or other preprocessing was fitted on the deleted records.",
    "extractor-private": "The features come from an extractor whose training on these records is differentially private when records are added or removed, and from no other step that was fitted on the deleted records.",
    "every-extractor": "The removal would keep its criterion above any extractor that the private training may give.",
    "unrefuted": "No attack of this run gives a lower bound on ε above what is claimed or certified.",
    "model-guarantee": "The model alone meets a guarantee of certified removal or data deletion.",
    "whole-state": "The guarantee covers the controller's whole state, not the model alone.",
    "adaptive": "It holds for requests that are chosen after seeing earlier outputs.",
    "two-sided": "It bounds the probabilities in both directions.",
    "store-erased": "Deleted records are gone from the data store.",
    "strongly-history-independent": "The implementation is strongly history independent for every start state.",
    "adaptively-history-independent": "The implementation is (ε, δ)-adaptively history independent.",
    "controller-is-implementation": "The controller is that implementation: no state lives outside it (Def. 3.6).",
    "logical-deletion": "Deleting means logically: as if that channel had never spoken.",
    "dp-per-subject": "Training is (ε, δ)-differentially private for all data of one subject, under addition and removal.",
    "dictionary-before": "Before training the data lie in a history independent dictionary.",
    "nothing-before-training": "Nothing is returned before the single training.",
    "training-data-destroyed": "The data set and everything derived from it but the output are destroyed.",
    "pan-private": "The mechanism is (ε, δ)-adaptively event-level pan-private under continual release.",
    "ids-in-dictionary": "Subjects' ids lie in a history independent dictionary and only the first operation of an id counts.",
    "one-release-channel": "Randomness is separate; subjects cannot trigger the one release channel and get no replies.",
    "loss-convex": "The loss of every record is convex in the parameters, and the steps follow its gradient.",
    "loss-bounded": "The loss of every record is bounded by the declared cap, and the steps follow its gradient.",
    "loss-constants": "Every record's loss is Lipschitz and smooth with the constants that the certificate uses.",
    "rows-bounded": "Every row that is learned from has a norm of at most 1, for which the constants of the loss hold.",
    "step-size": "The step size is the one that the theorem asks for.",
    "full-batch-descent": "Every step uses all records and adds noise, and the last iterate is the model.",
    "start-gaussian": "Learning starts from the Gaussian that the theorem asks for, which does not depend on the data.",
    "steps-counted": "Learning and every update took the declared number of steps.",
    "noise-measured": "The noise of the steps has the declared variance.",
    "labels-fixed": "No label of the model was that of deleted records alone.",
    "stateless": "Nothing but the model is carried from one update to the next.",
    "deletion-bound-met": "The ε that is left of each deleted record stays within what claim and policy allow, with requests as they were made.",
    "noise-secret": "Start and noise are known to nobody outside the controller, and their seed cannot be guessed.",
    "own-request-fixed": "A deleted person's own request does not depend on any released model.",
    "seen-releases": "Requesters had seen no more released models than the log and the claim say.",
    "code-clean": "Nothing that the procedure's code and settings bring along was made from a deleted record.",
    "subjects-complete": "No person has more records in the training data than the log names for one subject.",
    "release-independent": "With other records in the place of the deleted ones every later model is the same, bit for bit.",
    "deletion-unrefuted": "No attack of this run gives a lower bound on the Rényi ε above what is claimed or certified.",
}
"""What each fact says, by its name in the catalogue."""


def _adaptive(given: Mapping[str, Any]) -> str:
    seen = given["seen"]
    if seen:
        return f"data deletion was derived for requesters who saw {seen} models at most, and no others"
    return "data deletion was derived for requests fixed in advance"


SENTENCES: Final[Sentences] = {
    "fact.not-examined": "not examined",
    "fact.missing.whole-state": "only the model's parameters enter the certificate; indexes, caches, logs and backups do not",
    "fact.missing.adaptive": "certified removal covers requests fixed in advance and one release",
    "fact.missing.two-sided": "not derived for the controller as a whole",
    "fact.missing.store-erased": "no data store was searched",
    "fact.missing.model-guarantee": "no guarantee for the model alone was derived",
    "fact.missing.adaptive-requests": _adaptive,
    "fact.model-guarantee.derived": "guarantee {guarantee}, {standing}",
}
