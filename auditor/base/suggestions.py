"""What somebody meant who wrote a word that is not known: its other spelling, its synonym, or a slip of the fingers.

Nothing is guessed across meanings: a word that merely looks like another is no suggestion, for who follows a wrong one ends with
a case that says something else. So a known word is offered where it differs in case and separators alone, where people in the
field use both, where one is the other with an ending (churn, churned), or where a single slip in each part explains it and no
other known word is as near.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Final

_LONGEST: Final = 200
"""Characters of a word that are compared."""
_SHORTEST: Final = 3
"""Below so many characters every word is a slip away from every other."""

_STEM: Final = 4
"""Characters that a word has at least before its ending."""

_MEANT: Final[Mapping[str, str]] = {
    # [procedure] use
    "certified-removal": "newton newtonremoval influence guo",
    "estimator": "lightgbm lgbm xgboost xgb catboost skorch pipeline columntransformer histgradientboosting",
    "ngram": "unigram bigram trigram languagemodel",
    "noisy-gd": "langevin noisygradientdescent",
    "noisy-sgd": "pnsgd minibatches",
    "sklearn": "scikitlearn scikit",
    "torch": "pytorch network neuralnetwork dpsgd opacus",
    # ways of unlearning, losses, networks
    "retrain": "scratch fromscratch retrainfromscratch exact",
    "none": "nothing donothing off",
    "neg-grad": "gradientascent negativegradient neggradplus",
    "ssd": "selectivedampening",
    "salun": "saliency",
    "logistic": "logit crossentropy binarycrossentropy",
    "least-squares": "mse squared ols ridge",
    "small-cnn": "cnn",
    "classification": "classify binary multiclass",
    # keys
    "label": "target y outcome labelcolumn",
    "id": "idcolumn recordid ids",
    "holdout": "test validation testset",
    "train": "training trainset trainingdata",
    "path": "file filename",
    "log": "requests",
    "rate": "lr learningrate stepsize",
    "l2": "lambda lam regularization regularisation",
    "batch": "batchsize",
    "epochs": "passes",
    "seed": "randomstate",
    "params": "kwargs hyperparameters parameters",
    "entry": "class classname build",
    "order": "q renyiorder",
    "release": "version",
    "controller": "company organisation organization",
    "contact": "email",
    "timeout_s": "timeout",
    "memory_mb": "memory",
    "max_epsilon": "epsilon",
    "max_delta": "delta",
    "deadline_days": "deadline days",
    "pairs": "repetitions",
    # columns of a log
    "request_id": "ticket ticketid requestid",
    "record_ids": "records recordids customerid",
    "received_at": "receivedon openedat createdat submittedat received",
    "executed_at": "executedon closedat completedat doneat deletedat executed",
    "status": "state",
}
"""Words that people use for a known one, plainly written."""


def plain(word: str) -> str:
    """A word without case, blanks, hyphens, dots and underscores."""
    return re.sub(r"[\s._-]+", "", word).casefold()


def nearest(word: str, known: Iterable[str]) -> str | None:
    """The known word that was meant; None where nobody can tell.

    Args:
        word: As it was written.
        known: What could have been written, of which one is returned as it stands.
    """
    names, written = list(dict.fromkeys(known)), word[:_LONGEST]
    plainly = plain(written)
    for same in (name for name in names if plainly and plain(name) == plainly):
        return same
    for synonym in (name for name in names if plainly in _MEANT.get(name, "").split()):
        return synonym
    inflected = [name for name in names if _ends_otherwise(written.casefold(), name.casefold())]
    if len(inflected) == 1:
        return inflected[0]
    slips = sorted((found, name) for name in names if (found := _slips(written.casefold(), name.casefold())) is not None)
    if not slips or (len(slips) > 1 and slips[0][0] == slips[1][0]):
        return None
    return slips[0][1]


def hint(word: str, known: Iterable[str]) -> str:
    """The suggestion in parentheses, after a blank; empty where there is none."""
    near = nearest(word, known)
    return "" if near is None else f" (did you mean {near}?)"


def _ends_otherwise(word: str, name: str) -> bool:
    """Whether one word is the other with an ending of English, which changes its form and not what it is about."""
    short, long = sorted((word, name), key=len)
    return len(short) >= _STEM and long.startswith(short) and long[len(short) :] in {"s", "d", "ed", "es", "ing"}


def _slips(word: str, name: str) -> int | None:
    """The slips that make one word of the other, at most one in each part; None where it takes more, or a digit differs."""
    if re.findall(r"\d", word) != re.findall(r"\d", name):
        return None  # sigma and sigma2, resnet18 and resnet20 are no slips of each other
    ones, others = re.split(r"[\s._-]+", word), re.split(r"[\s._-]+", name)
    if len(ones) != len(others):
        ones, others = [word], [name]
    found = 0
    for one, other in zip(ones, others, strict=True):
        if one == other:
            continue
        if min(len(one), len(other)) < _SHORTEST or not _one_slip(one, other):
            return None
        found += 1
    return found


def _one_slip(one: str, other: str) -> bool:
    """Whether one character was left out, put in or struck wrong, or two neighbours were exchanged."""
    short, long = sorted((one, other), key=len)
    at = next((place for place, pair in enumerate(zip(short, long, strict=False)) if pair[0] != pair[1]), len(short))
    if len(short) < len(long):
        return short[at:] == long[at + 1 :]
    exchanged = short[at + 2 :] == long[at + 2 :] and short[at : at + 2] == long[at : at + 2][::-1]
    return short[at + 1 :] == long[at + 1 :] or exchanged
