"""Standing text of the report: the glossary."""

from __future__ import annotations

from typing import Final

GLOSSARY: Final = (
    (
        "advantage",
        (
            "How much more often an attack takes deleted records for training data than records that the model never saw: its "
            "true positive rate minus its false positive rate. 0 is guessing, 1 recognises all of them; "
            "below 0, the deleted records differ in the other direction."
        ),
    ),
    ("attested", "Taken from the controller's word. The audit did not examine it."),
    ("batch", "Requests that were carried out together, in one update of the model."),
    ("budget", "The largest residual that a certificate allows. It is fixed by ε, δ and the noise before the first removal."),
    (
        "certified removal",
        (
            "A promise in two numbers, ε and δ: how well anyone could at best tell the model after removal from one that was "
            "trained without the removed records. The smaller the numbers, the harder to tell."
        ),
    ),
    ("computed", "Follows by arithmetic from inputs that were checked."),
    (
        "confidence interval",
        "The range in which the true value lies with the stated confidence. Its ends are the confidence limits.",
    ),
    (
        "data deletion",
        (
            "A promise that nothing released from the deletion on, for ever, can well be distinguished from what would have "
            "been released had the record never been there. It is stated as a Rényi divergence."
        ),
    ),
    (
        "deletion-as-control",
        (
            "A promise about the whole system, not only the model: after deletion, all that the controller holds could have "
            "come about without the person's data. What others learned before the deletion is allowed to remain with them."
        ),
    ),
    ("δ (delta)", "The small probability with which a promise in ε may not hold."),
    (
        "differential privacy",
        (
            "A promise in two numbers, ε and δ, about training: whether any one record was there changes the probability of any "
            "model by no more than a factor e^ε, up to δ."
        ),
    ),
    ("digest", "A SHA-256 fingerprint of a file. Change one character and the digest changes."),
    ("ε (epsilon)", "How well two situations can be distinguished; 0 means not at all."),
    (
        "ε_dd, ε_dp",
        (
            "Bounds of data deletion: ε_dd on what models reveal about a record after it was deleted, ε_dp on what each reveals "
            "while it is still there."
        ),
    ),
    ("false positive rate", "Of the records that the model never saw, the share that an attack takes for training data."),
    (
        "forget set, retain set, test set",
        "In the SWAP test: the records that are deleted, those that are kept, and as many that the model never saw.",
    ),
    ("inconclusive", "The audit could not decide. It is neither a pass nor a fail."),
    ("informative", "Measured and reported without deciding anything."),
    ("measured", "Observed in this run."),
    (
        "membership advantage",
        (
            "How much more often somebody says that a record was there where it was than where it was not. 0 is guessing, 1 is "
            "certainty."
        ),
    ),
    ("membership inference", "Telling from a model whether a record was among its training data."),
    ("Newton removal", "One correcting step that brings the model close to the one trained without the removed records."),
    (
        "no-unlearning baseline",
        "The SWAP test on models that were left as they were: a test that sees no difference here sees nothing.",
    ),
    ("not shown", "No theorem led to the guarantee from the facts at hand. This does not say that the contrary is true."),
    (
        "quality Q",
        (
            "1 minus the largest advantage, in size, of the attacks tried: 1 where deleted records look like records that the "
            "model never saw."
        ),
    ),
    ("refuted", "Found to be false. A claimed ε is refuted where an attack shows a larger one."),
    ("release", "The version of the model that is about to be published or put to use."),
    (
        "Rényi divergence",
        (
            "A measure of how far two random models are apart, at an order q above 1. An ε at one order is not to be compared "
            "with one at another order, nor with an ε at a δ."
        ),
    ),
    ("rerun", "The declared procedure, repeated by the auditor on the same data and log."),
    ("residual β", "How far the model after removal still is from a fully trained one: the norm of the gradient left over."),
    ("retraining", "Training from scratch on the data without the deleted records."),
    ("shadow model", "A model that the auditor trains on known data, so that an attack learns what training data look like."),
    ("shown", "Follows from a theorem all of whose premises were computed or measured here."),
    ("σ (sigma)", "The standard deviation of the noise that was mixed into the training."),
    ("stateless", "Of a procedure that carries nothing but the model from one update to the next."),
    ("supported", "Follows from a theorem if the premises that the controller attested are true."),
    (
        "swap pair",
        "Two models in which forget set and test set have changed places, so that an odd record counts on both sides.",
    ),
    (
        "SWAP test",
        (
            "A game in which attacks try to tell records that a model learned and unlearned from records that it never saw, over "
            "many random pairs of sets."
        ),
    ),
    (
        "threat model",
        "What an attacker is taken to see and know: in the SWAP test one model, after the deletion, and a record with its label.",
    ),
    ("threshold", "The value that decides between pass and fail, as declared."),
)
"""Terms of the report and what they mean here, in alphabetical order of their spoken names."""

GLOSSARY_OF: Final = {
    "data deletion": "deletion.",
    "ε_dd, ε_dp": "deletion.",
    "membership advantage": "deletion.",
    "budget": "removal.",
    "Newton removal": "removal.",
    "residual β": "removal.",
    "stateless": "state.",
    "quality Q": "swap.",
    "swap pair": "swap.",
}
"""Terms that only some reports use, with how the ids of the checks begin that use them."""
