"""Sentences of `inference.difference`, `inference.example` and `inference.instance`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from auditor.words.deleting import NO_REMEDY, remedies
from auditor.words.kinds import Sentences


def _played(given: Mapping[str, Any]) -> str:
    hessian = "the holdout" if given["holdout"] else "what remains"
    return (
        f"The weights before and after a deletion, and a Hessian of {hessian}, point at a record: the deleted one came out first "
        f"of up to {given['candidates']} in {given['first']} of {given['games']} batches of one record. "
        f"Against one other record it was named correctly {given['wins']} times."
    )


ATTACKS: Final[Mapping[str, str]] = {
    "rise": "the rise in loss (Algorithm 3.2)",
    "move": "the move of the answer (Algorithm 3.4)",
    "yeom-label": "membership inference by loss",
    "shokri-label": "membership inference by a classifier trained on shadow models",
    "shokri-confidence": "membership inference by a classifier trained on shadow models, by how sure it is",
    "lira-label": "membership inference by likelihood ratio (LiRA)",
    "lira-confidence": "membership inference by likelihood ratio (LiRA), by how sure it is",
    "rmia-label": "membership inference against a population (RMIA)",
    "rmia-confidence": "membership inference against a population (RMIA), by how sure it is",
    "entropy-label": "membership inference by entropy",
    "entropy-confidence": "membership inference by entropy, by how sure it is",
}
"""What each adversary of deletion inference goes by."""


def _named(attacks: Sequence[str]) -> str:
    return ", ".join(ATTACKS[each] for each in attacks)


def _games_played(given: Mapping[str, Any]) -> str:
    more = given["of"] - 1
    others = f" {more} other attack{'s' * (more != 1)} played the same games." if more else ""
    return (
        f"{given['games']} games, each with models of its own of {given['trained']} records: {ATTACKS[given['attack']]} named the "
        f"deleted record correctly in {given['right']}, ties by a fair coin.{others}"
    )


SENTENCES: Final[Sentences] = {
    "inference.no-labels": "Does not apply: the records have no labels. The games of inference.instance need none.",
    "inference.played": _games_played,
    "inference.all-ties": "Every game was a tie: the answers on both records were the same before and after the deletion. That nothing "
    "shows does not mean that the record is gone; other checks judge the unlearning.",
    "inference.ties": lambda given: (
        f"{100 * given['ties']:.1f} % of games were ties. Counted as wins, as some tables do, they would make it "
        f"{100 * given['wins_or_ties']:.1f} %."
    ),
    "inference.strongest": lambda given: (
        f"The strongest attack was {ATTACKS[given['attack']]}: right in {100 * given['success']:.1f} % of games."
    ),
    "inference.refuted": "Weak deletion compliance with any epsilon below {epsilon:.3f} is refuted (Theorem 5.2). That says nothing about "
    "certified removal or data deletion, which cover a single release.",
    "inference.above": lambda given: f"Above the threshold for certain: {_named(given['attacks'])}.",
    "inference.reversed": lambda given: (
        f"Wrong far more often than right: {_named(given['attacks'])}. The opposite answer would be an attack "
        "above the threshold, so this is no pass."
    ),
    "inference.foreign": "The controller's own code may recognise a game and answer otherwise than on the log: a pass needs the attested "
    "statement {word}.",
    "inference.on-log": lambda given: (
        f"On the log itself, the loss of {given['first']} of {given['records']} deleted records rose more than that of up to "
        f"{given['decoys']} records of their class that stayed; guessing finds {given['guessed']:.1f}."
    ),
    "inference.log-above": "The releases of the log itself show more than the policy allows, so the games alone do not pass.",
    "inference.remedies": remedies,
    "inference.no-remedy": NO_REMEDY,
    "inference.incomplete": "Not every attack played, so nothing is decided.",
    "inference.difference.other-procedure": 'Reads the steps of [procedure] use = "certified-removal"; this version knows no other procedure\'s.',
    "inference.difference.one-release": "Nobody is said to see the model from before a deletion as well: policy.before_and_after is false, and no request "
    "had seen a release. Certified removal gives no protection against anyone who does see both.",
    "inference.difference.no-single-record": "No batch deleted a single record, and records that went together cannot be distinguished.",
    "inference.difference.played": _played,
    "inference.difference.informative": "Informative: the policy sets neither max_inference nor max_compliance_epsilon.",
    "inference.difference.too-few": "Too few games to decide: what they allow lies on both sides of the threshold.",
}
