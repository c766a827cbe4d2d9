"""What a check is, in words that hold whatever comes of it."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Literal, TypeAlias

Direction: TypeAlias = Literal["at most", "at least", "interval holds", "either way"]


class Role(StrEnum):
    """What a check is to the rest of the auditor, which asks by role and knows no check by its id.

    Whatever reads a finding of a check that it does not know relies on what the role says here, and on nothing else;
    `auditor.verdict.checks.readings` has the attributes of its models that are read so.
    """

    # What it examines.
    CHECKS_LOG = "checks-log"
    """Reads the log for contradictions."""
    CHECKS_DEADLINES = "checks-deadlines"
    """Compares the log's dates with the deadlines."""
    SEARCHES = "searches"
    """Searches everything that is kept for the deleted records; what it observes names requests and people as `standing` reads
    them."""
    SEARCHES_PLACES = "searches-places"
    """The same of the places of a case that has nothing else."""
    COMPARES_FILE = "compares-file"
    """Compares the model file with the rerun."""
    EXAMINES_FILE = "examines-file"
    """Judges the unlearning by the model file, where there is one."""
    EXACT = "exact"
    """Compares the replay with training from scratch: its pass says that the release is a retrained model. Where training does
    not repeat itself, `Definition.blind` says so."""

    # Attacks.
    ATTACKS_RELEASE = "attacks-release"
    """Attacks the release itself; where even models that hold the records escape it, `Definition.blind` says so."""
    SIZED_GAME = "sized-game"
    """Judges the game on models made alike whose size the default policy sets."""
    ATTACKS_RECORDS = "attacks-records"
    """Judges that game by attacks on one record at a time."""
    ATTACKS_SETS = "attacks-sets"
    """Judges that game by an attack on a whole forget set."""
    ATTACKS_ANSWERS = "attacks-answers"
    """Attacks answers that the controller wrote down."""
    ATTACKS_DIFFERENCE = "attacks-difference"
    """Attacks what the log's own deletions changed in the model."""
    ATTACKS_LOG = "attacks-log"
    """Attacks the log's own releases among others: `observed.log` is a `LogAttack` where it did, `derived.variants` are its games
    under other assumptions."""
    NAMES_DELETED = "names-deleted"
    """Judges games in which attacks name the deleted one of two records, by the models before and after."""
    KNOWS_LABELS = "knows-labels"
    """Lets those attacks know the labels of both records."""
    REBUILDS = "rebuilds"
    """Judges games in which attacks rebuild a deleted record, by the models before and after."""
    REBUILDS_TEXT = "rebuilds-text"
    """Judges those of them that rebuild sentences."""
    RECOGNISES = "recognises"
    """Lets attacks recognise deleted records: its failure says that they did."""
    CLEARS = "clears"
    """Its pass says that attacks which recognise a model without unlearning found nothing, or that there was nothing to find."""
    SHOWS_DELETIONS = "shows-deletions"
    """Asks what the model before a deletion and the one after it show together. That is no question of what either of them keeps:
    a model that never held a record can be what gives its deletion away."""
    CALIBRATES = "calibrates"
    """Tries the audit's own game: its failure says nothing of the model."""

    # Promises.
    PROVES = "proves"
    """Calculates what is left in the model."""
    CONTRADICTS = "contradicts"
    """Can refute an attestation or a promise, and so keeps a verdict from pass that no policy asked it for."""
    CONSISTENCY = "consistency"
    """Compares every ε that is claimed or certified with what attacks reached;
    its facts and certificates come last."""
    DATA_DELETION = "data-deletion"
    """Bounds what later models say of a deleted record: `derived.theorem` names how, `twins` by counterfactual runs."""
    ADAPTIVE = "adaptive"
    """Bounds the same where requests depend on published models."""
    STATELESS = "stateless"
    """Compares what is carried on apart from the model with counterfactual runs."""
    HISTORY = "history"
    """Compares states of a program, or of a learner, after histories that mean the same."""
    TRAINING_NOISE = "training-noise"
    """Derives what the noise of a training promises: `derived.epsilon` and `derived.delta` for one record,
    `derived.for_a_person` for all of a person's."""
    REPORTING_NOISE = "reporting-noise"
    """Derives what the noise in a program's reports promises, as `TRAINING_NOISE` gives it."""

    # What else is asked of the model.
    USEFULNESS = "usefulness"
    """Asks what the model or the unlearning is worth, which says nothing of what the model keeps."""
    ACCURACY = "accuracy"
    """Compares accuracies: with the retrained model's."""
    SPEED = "speed"
    """Compares times: with those of retraining."""
    READS_ANSWERS = "reads-answers"
    """Tables of answers are enough for it, as a run is."""


@dataclass(frozen=True, slots=True)
class LetterWords:
    """What a letter to one person says of a check, for somebody who has never heard of machine learning."""

    question: str
    found: str = ""
    """What the audit found where it failed, as a sentence; empty where a letter never says it.

    Several checks that find one thing have the same words, and a letter says it once.
    """
    open_question: str = ""
    """What stays open where it did not run, as a clause; empty where it is nothing that concerns one person.

    Checks that leave the same question open have the same words, and any of them answers it.
    """
    answered_by: tuple[str, ...] = ()
    """Ids of other checks that answer it from another side."""


@dataclass(frozen=True, slots=True)
class Card:
    """The entry of one check: everything about it that does not depend on a run."""

    id: str
    place: int
    """Where it is among the others in a document, in steps of ten."""
    since: str
    """The version since which documents have it, judged in this way."""
    title: str
    """A neutral noun phrase, true of a pass and of a failure alike."""
    question: str
    """What it asks, for a reader who has never seen its id."""
    unit: str
    """What its value counts or measures."""
    failure: str
    """What a failure means."""
    remedy: str
    """What to do when it fails."""
    roles: frozenset[Role] = frozenset()
    """What it is to the rest of the auditor."""
    finds: tuple[str, ...] = ()
    """Facts of the catalogue that it can find out."""
    may_find: tuple[str, ...] = ()
    """Facts that it can find out as well, and that another check is more likely to."""
    open_question: str = ""
    """What stays open where it does not run, as a clause; empty where nothing does, or where the report says it elsewhere.

    Checks that leave the same question open have the same words.
    """
    letter: LetterWords | None = None
    """None where its result is about all requests together: no letter tells that."""
    direction: Direction = "at most"
    """How the value is held against the threshold; either way where its metric decides which values are better."""
    target: float | None = None
    """The best value, where neither a larger nor a smaller one is better."""
    own_threshold: bool = False
    """Whether its judge derives the threshold from the run: where it moved, nobody loosened it."""
    unsteady: str = ""
    """Why the value moves from run to run for no fault of the procedure; empty where it does not."""
    judges_unlearning: bool = False
    """Whether it judges the unlearning itself: a verdict that rests on no such check says nothing of it."""
    required_when_run: bool = False
    """Whether it is required whenever it ran, whatever the policy lists."""
    informative: bool = False
    """Whether it never counts against the verdict unless the policy requires it."""
    every_case: bool = False
    """Whether it is required of every case by default, whether it ran or not: without it a question stays open."""
    of_controllers: bool = False
    """Whether it speaks to a case of a controller alone, in which nothing learns."""
    of_answers: bool = False
    """Whether it is of a case that has answers alone: no other document lists it."""
    of_places: bool = False
    """Whether it is of a case of places alone: no other document lists it."""
    needs: tuple[str, ...] = ()
    """Ids of the checks whose findings it reads: they are planned, observed and judged before it."""
    own_terms: tuple[str, ...] = ()
    """Terms that a report explains only where its subject was examined, by what their messages are called."""
    glossary: tuple[str, ...] = ()
    """Terms that a reader of the result needs, by what their messages are called: `auditor explain` says what they mean."""
