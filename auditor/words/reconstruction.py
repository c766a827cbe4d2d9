"""Sentences of `reconstruction.*`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from auditor.words.deleting import NO_REMEDY, remedies
from auditor.words.kinds import Sentences

ATTACKS: Final[Mapping[str, str]] = {
    "range": "naming the class that lost most probability at points of the data range (Algorithm C.1)",
    "records": "naming the class that lost most probability at records that were never learned (Algorithm C.1)",
    "constant": "extrapolating the two predictions by one factor for all records (Algorithm C.3)",
    "leverage": "extrapolating the two predictions by the factor of the record's leverage (Algorithm C.3)",
    "region": "the majority of the records whose predicted class changed (Algorithm 4.3)",
    "difference": "the direction in which the model's answers moved",
    "runs": "joining the runs of words that became less likely (Appendix D)",
    "runs-clearly": "joining the runs of words that became less likely by more than rounding moves them",
}
"""What each reconstruction attack goes by."""


def _share(value: float) -> str:
    return f"{100 * value:.1f} %"


def _named(attacks: Sequence[str]) -> str:
    return ", ".join(ATTACKS[each] for each in attacks)


def _played(given: Mapping[str, Any]) -> str:
    more, decoys = given["of"] - 1, given["decoys"]
    others = f" {more} other attack{'s' * (more != 1)} played the same games." if more else ""
    return (
        f"{given['games']} games, each with models of its own of {given['trained']} records: {ATTACKS[given['attack']]} gave a guess "
        f"that was nearer to the deleted record than to {'each of ' * (decoys > 1)}{decoys} decoy{'s' * (decoys != 1)} in "
        f"{given['right']}, ties by a fair draw. A guess that owes nothing to the deletion or to the record wins "
        f"{_share(given['chance'])}.{others}"
    )


def _distance(given: Mapping[str, Any]) -> str:
    without = (
        "" if given["without"] is None else f" The prediction before the deletion alone wins {_share(given['without'])} of games."
    )
    return (
        f"The guess lies {given['distance']:.4g} from the deleted label on average, the better of the two predictions "
        f"{given['nearer']:.4g}: {_share(given['left'])} of the error is left.{without}"
    )


def _alike(given: Mapping[str, Any]) -> str:
    probes = f"Both models were asked about at least {given['probes']} other records in each game."
    if given["route"] == "region":
        return f"{probes} Of the features as bits, {_share(given['alike'])} of those guessed were right on average."
    return f"{probes} The guess and the deleted record have a cosine of {given['alike']:.3f} on average."


def _without(given: Mapping[str, Any]) -> str:
    alike = "" if given["alike"] is None else f", with {_share(given['alike'])} of bits right"
    return f"Without the deletion, what other records of the same class have in common wins {_share(given['without'])} of games{alike}."


def _rebuilt(given: Mapping[str, Any]) -> str:
    f1 = f"The words guessed have an F1 of {given['f1']:.3f} on average"
    if given["rate"] is None:
        return f"{f1}; single words say nothing of their order."
    return f"{f1}; {_share(given['rate'])} of sentences were rebuilt word for word."


SENTENCES: Final[Sentences] = {
    "reconstruction.label.none": "Does not apply: sentences have no labels.",
    "reconstruction.instance.sentences": "Does not apply: sentences are rebuilt by another check.",
    "reconstruction.instance.other-procedure": "This version rebuilds records from a nearest neighbour or from least squares; it has no attack "
    "on models of this kind.",
    "reconstruction.sentence.no-text": "Does not apply: the model does not learn from text.",
    "reconstruction.played": _played,
    "reconstruction.all-ties": "Every game was a tie: the guess was no nearer to one record than to another. That nothing shows does not "
    "mean that the record is gone; other checks judge the unlearning.",
    "reconstruction.ties": lambda given: f"{_share(given['ties'])} of games were ties.",
    "reconstruction.strongest": lambda given: (
        f"The strongest attack was {ATTACKS[given['attack']]}: {_share(given['success'])} of games."
    ),
    "reconstruction.refuted": "The guesses tell the deleted record from one other so often that weak deletion compliance with any epsilon below "
    "{epsilon:.3f} is refuted (Theorems 4.2 and 5.2). That says nothing about certified removal or data deletion, which cover a "
    "single release.",
    "reconstruction.above": lambda given: f"Above the threshold for certain: {_named(given['attacks'])}.",
    "reconstruction.foreign": "The controller's own code may recognise a game and answer otherwise than on the log: a pass needs the attested "
    "statement {word}.",
    "reconstruction.remedies": remedies,
    "reconstruction.no-remedy": NO_REMEDY,
    "reconstruction.incomplete": "Not every attack played, so nothing is decided.",
    "reconstruction.label.rate": lambda given: (
        f"If every record is as likely to be deleted as any other, the class is named correctly in {_share(given['rate'])} of deletions."
    ),
    "reconstruction.label.distance": _distance,
    "reconstruction.instance.alike": _alike,
    "reconstruction.instance.without": _without,
    "reconstruction.instance.blank": lambda given: (
        f"In {_share(given['blank'])} of games nothing changed that the attack could go by, and it guessed at random."
    ),
    "reconstruction.sentence.rebuilt": _rebuilt,
    "reconstruction.sentence.out-of-time": "In {games} games the clock cut the search short: another run may find more.",
}
