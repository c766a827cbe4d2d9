"""What each name under `[claims] attested` means, what rests on it, and the sentences about what is attested and what is not."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from auditor.domain import Guarantee, How, Standing
from auditor.evidence import Evidence, PolicyFacts
from auditor.words.facts import STATEMENTS
from auditor.words.guarantees import TITLES
from auditor.words.kinds import Sentences

_UNSAID: Final = "fact.not-attested"


@dataclass(frozen=True, slots=True)
class Word:
    """One thing that only the controller can know, in plain words."""

    means: str
    """What is said by attesting it."""
    otherwise: str
    """What follows where it is false."""


WORDS: Final[Mapping[str, Word]] = {
    "log-complete": Word(
        "The deletion log lists every erasure that this model must honour.",
        "A person who is missing from the log is still in the model, and no guarantee covers them.",
    ),
    "requests-fixed": Word(
        "Nobody chose what to have erased after seeing a published model.",
        "Requests that answer to a model can carry what it said about one person into what is kept of others.",
    ),
    "own-request-fixed": Word(
        "No person's own request depends on a published model, though other people's may.",
        "A bound for requests that answer to models does not cover such a person.",
    ),
    "seen-releases": Word(
        "People who made requests had seen no more published models than the log says.",
        "Each further model adds its ε, which then is not counted.",
    ),
    "preprocessing-clean": Word(
        "No scaling, encoding, vocabulary, feature selection or other preparation was fitted on data that held deleted records.",
        "The prepared data still hold a trace of the deleted records, and so does every model trained on them.",
    ),
    "seed-secret": Word(
        "The seed was drawn at random for this training, and nobody outside the controller knows it.",
        "Anyone who knows the seed can compute the noise and subtract it: the noise then protects nobody.",
    ),
    "residual-independent": Word(
        "What a removal leaves over, and whether it was answered by retraining, do not depend on the random term b (Guo et al. 2020, Theorem 2).",
        "The theorem says nothing then. No run can check it; noise at release (release_noise) does without it.",
    ),
    "settings-fixed": Word(
        "Regularisation, noise and budgets were fixed without looking at the training data. Needed for certified removal by noise at release.",
        "The settings then carry something of the data, deleted records included, which no theorem counts.",
    ),
    "release-reproduced": Word(
        "The model that is released is the one that this procedure gives for this log.",
        "The audit then covers a model that nobody uses.",
    ),
    "code-clean": Word(
        "Nothing that the code, its settings and its files bring along was made from a deleted record: no weights, no statistics, no table.",
        "The model may then hold deleted records that no retraining can take out of it.",
    ),
    "procedure-honest": Word(
        "The code does for the deletion log what it does in any test: it does not tell an audit from the real run, and hides nothing.",
        "Tests of the procedure then say nothing about the model that is released.",
    ),
    "copies-are-others": Word(
        "Retained records that equal a deleted one, or nearly so, belong to other people or to other events.",
        "A copy of a deleted record is then still trained on.",
    ),
    "store-holds-no-copies": Word(
        "What the audit could not read or account for in the data store holds no deleted record, in any form.",
        "A deleted record is then still kept.",
    ),
    "extractor-private": Word(
        "The features come from an extractor whose training was differentially private with the declared ε and δ, and from no other fitted step.",
        "The features then say more of the deleted records than the ε that is counted.",
    ),
    "every-extractor": Word(
        "The removals would have kept their budget above any extractor that the private training might have given.",
        "Whether a batch was retrained then says something about the deleted records, which no ε counts.",
    ),
    "subjects-complete": Word(
        "No person has more records in the training data than the log names for one `subject`.",
        "A person with more records has a larger ε than the one that is stated.",
    ),
    "loss-convex": Word(
        "The loss of every record is convex in the parameters of the declared network.",
        "The theorem for convex losses says nothing of this training.",
    ),
    "loss-constants": Word(
        "Every record's loss has the declared Lipschitz and smoothness constants.",
        "The ε that is computed from these constants is then too small.",
    ),
    "controller-is-implementation": Word(
        "The controller is the program that was submitted: nothing outside it keeps a state (Def. 3.6).",
        "What is kept outside may still hold what was deleted.",
    ),
    "logical-deletion": Word(
        "To delete means: as if that person had never said anything.",
        "Deletion-as-control then has no meaning here.",
    ),
    "dictionary-before": Word(
        "Before training, the data lay in a store that keeps no trace of what was removed from it.",
        "Such traces may have gone into the training.",
    ),
    "nothing-before-training": Word(
        "Nothing was given out before the model was trained, and it was trained once.",
        "What was given out earlier has an ε of its own, which is not counted.",
    ),
    "training-data-destroyed": Word(
        "The training data, and everything made from them but the model, are destroyed.",
        "The deleted records are then still kept.",
    ),
    "ids-in-dictionary": Word(
        "Subjects' ids lie in a store without traces, and only the first operation of an id counts.",
        "Who took part, and how often, may then show.",
    ),
    "one-release-channel": Word(
        "Randomness is separate for each use; subjects cannot trigger a release and get no replies.",
        "A reply or a release that a subject triggers may then tell what was deleted.",
    ),
}
"""By the name that `[claims] attested` takes, in the order in which a controller is asked."""

SENTENCES: Final[Sentences] = {
    _UNSAID: 'not attested: add "{name}" to [claims] attested if it is true',
    "fact.not-attested.fix": 'add "{name}" to [claims] attested if it is true',
    "fact.attested.by-controller": "attested by {by}, {at}",
    "fact.attested.records-found": "attested by {by}, {at}; data.erased found deleted records",
    "fact.attested.store-kept": "attested by {by}, {at}; and yet the case names a data store that the controller keeps",
}


def statement(name: str) -> str:
    """Say what an attested name, or a fact that has none, states."""
    return WORDS[name].means if name in WORDS else STATEMENTS[name]


def attested(policy: PolicyFacts) -> str | None:
    """Say who attests what, and since when; None where nobody attests anything."""
    if not policy.attested:
        return None
    word = policy.attested[0]
    return f"{word.by} attests, {word.at}: {', '.join(each.name for each in policy.attested)}. Nobody examined it."


def unsaid(guarantee: Guarantee) -> tuple[str, ...]:
    """Name what would have to be attested for a guarantee that is not shown; nothing where something else is missing too."""
    if guarantee.status is not Standing.NOT_SHOWN:
        return ()
    for derivation in guarantee.derivation:
        missing = [each for each in derivation.premises if each.how in {How.UNKNOWN, How.REFUTED}]
        if missing and all(each.evidence.code == _UNSAID for each in missing):
            return tuple(dict.fromkeys(str(each.evidence.parameters["name"]) for each in missing))
    return ()


def needed(evidence: Evidence) -> Mapping[str, str]:
    """Say for each guarantee that only silence keeps from being supported what to add, if it is true."""
    return {
        each.id: f"{TITLES[each.id]}: not shown, because nobody attests {', '.join(names)}. "
        f"Add to [claims] attested what is true of it (docs/cases.md says what each means)."
        for each in evidence.guarantees
        if each.id in TITLES and (names := unsaid(each))
    }
