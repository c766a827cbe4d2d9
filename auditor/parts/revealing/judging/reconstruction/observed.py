"""What a run counts of reconstruction games: counts and means, and nothing of any one record unless the policy shows one."""

from __future__ import annotations

from typing import Annotated, Final, Self

from pydantic import Field, model_validator

from auditor.verdict.checks.deleting import Cause
from auditor.verdict.checks.finding import Values
from auditor.verdict.checks.remedies import PrivateTraining, Remedy
from auditor.verdict.checks.stated import Amount, Count, Positive, Share

DECOYS: Final = 9
"""In addition to the deleted record, where candidates are drawn at random: guessing wins one game in ten."""


class Wins(Values):
    """Games of one kind."""

    games: Positive
    wins: Count
    """Games in which the guess was nearer to the deleted record than to every other candidate."""
    ties: Count
    """Games in which it was just as near to some of them, and to none nearer."""
    ties_won: Count
    """Ties that a fair draw among the nearest gave to the deleted record."""

    @model_validator(mode="after")
    def _counted(self) -> Self:
        if self.wins + self.ties > self.games or self.ties_won > self.ties:
            raise ValueError("a game is won, lost or tied")
        return self

    @property
    def right(self) -> int:
        """Games that were won, by the draw or without."""
        return self.wins + self.ties_won


class Tally(Wins):
    """How one attack fared against all decoys, and what its guesses come to in deletion inference."""

    attack: str
    of_two: Wins
    """The same guesses, told to name the deleted record and one decoy apart (the reduction of Theorem 4.2)."""

    @model_validator(mode="after")
    def _reduced(self) -> Self:
        of_two = self.of_two
        if of_two.games != self.games or of_two.wins < self.wins or of_two.wins + of_two.ties < self.wins + self.ties:
            raise ValueError("what is nearer to the deleted record than to every decoy is nearer to it than to one of them")
        return self


class Under(Values):
    """The games of every attack, played under a remedy."""

    remedy: Remedy
    tallies: Annotated[tuple[Tally, ...], Field(min_length=1)]

    @model_validator(mode="after")
    def _each_once(self) -> Self:
        if len({each.attack for each in self.tallies}) != len(self.tallies):
            raise ValueError("an attack plays once under a remedy")
        return self


def _unmeasured(value: object) -> bool:
    """Whether no remedy was measured: the document then has no word of any."""
    return value is None or value == ()


class Played(Values):
    """What every reconstruction check observes."""

    unplayable: Cause | None = None
    """Why there was no game; nothing else was observed then."""
    games: Count = 0
    """Each with a fresh set of its own."""
    trained: Count = 0
    """Records in a set before the deletion."""
    decoys: Count = 0
    """Records other than the deleted one that a guess is held against in each game."""
    tallies: tuple[Tally, ...] = ()
    """The named attack first."""
    blank: Count = 0
    """Games in which the named attack had nothing to go by, and guessed nothing."""
    under: tuple[Under, ...] = Field(default=(), exclude_if=_unmeasured)
    """The games under remedies, fewer of them; none where nothing has to be remedied."""
    private: PrivateTraining | None = Field(default=None, exclude_if=_unmeasured)
    """What the remedy of that name costs."""

    @model_validator(mode="after")
    def _whole(self) -> Self:
        if (self.unplayable is None) != bool(self.games and self.tallies and self.decoys):
            raise ValueError("where there is no game, there is a cause")
        if len({each.attack for each in self.tallies}) != len(self.tallies) or self.blank > self.games:
            raise ValueError("an attack plays once, and no game is blank twice")
        if any(each.games != self.games for each in self.tallies):
            raise ValueError("every attack plays every game")
        if len({each.remedy for each in self.under}) != len(self.under):
            raise ValueError("a remedy is measured once")
        if any(tally.games > self.games for each in self.under for tally in each.tallies):
            raise ValueError("no more games are played under a remedy than without")
        # Under most remedies the same attacks play; of rounded answers there may be one more.
        if any(not {each.attack for each in self.tallies} <= {tally.attack for tally in one.tallies} for one in self.under):
            raise ValueError("every attack plays under every remedy")
        if (self.private is not None) != any(each.remedy == "private" for each in self.under):
            raise ValueError("what private training costs goes with its games")
        return self


Pixel = Annotated[float, Field(ge=0, le=1)]


class Picture(Values):
    """A deleted picture, and what was rebuilt of it: personal data, kept only where the policy says so."""

    width: Annotated[int, Field(ge=2, le=64)]
    deleted: tuple[Pixel, ...]
    """Row by row, 0 to 1."""
    rebuilt: tuple[Pixel, ...]

    @model_validator(mode="after")
    def _square(self) -> Self:
        if len(self.deleted) != self.width**2 or len(self.rebuilt) != self.width**2:
            raise ValueError("a picture has as many rows as columns")
        return self


class ClassGames(Values):
    """Games in which a record of one class was deleted."""

    share: Share
    """Of the class among the training records."""
    games: Count
    right: Count
    """Games won by the named attack."""

    @model_validator(mode="after")
    def _counted(self) -> Self:
        if self.right > self.games:
            raise ValueError("no more games are won than played")
        return self


class Distance(Values):
    """How far from the deleted label one attack's guesses lie, on average."""

    attack: str
    mean: Amount


class LabelObserved(Played):
    """Reconstruction of labels."""

    classes: tuple[ClassGames, ...] = ()
    """One a class; none of a regression."""
    factor: Amount | None = None
    """λ of the attack with one λ for all records, best on shadow games; None of a classification."""
    shadow_games: Count = 0
    distances: tuple[Distance, ...] = ()
    """One an attack; none of a classification."""
    nearer_model: Amount | None = None
    """The mean of min(|h(x) − y|, |h′(x) − y|); None of a classification."""
    without: Wins | None = None
    """The guess h(x), which needs no deletion; None of a classification."""


class InstanceObserved(Played):
    """Reconstruction of features."""

    probes: Count = 0
    """Auxiliary records that both models were asked about in each game."""
    alike: Share | None = None
    """The mean share of bits that are right; of a linear model, the mean |cos| with the deleted record."""
    without: Wins | None = None
    """The attack that needs no deletion: what probes of the same class have in common; None of a linear model."""
    without_alike: Share | None = None
    """What `alike` is of that attack."""
    named: Count | None = Field(default=None, exclude_if=_unmeasured)
    """Games in which the model from before the deletion gives the guess the deleted record's class; None of a linear model."""
    without_named: Count | None = Field(default=None, exclude_if=_unmeasured)
    """The same of the attack that needs no deletion."""
    picture: Picture | None = None

    @model_validator(mode="after")
    def _named(self) -> Self:
        if max(self.named or 0, self.without_named or 0) > self.games:
            raise ValueError("no more guesses are classed right than games played")
        return self


class SentenceObserved(Played):
    """Reconstruction of sentences."""

    order: Count = 0
    """Words that the model's probabilities are taken over."""
    words: Count = 0
    """In the dictionary."""
    whole: Count = 0
    """Games in which the sentence was rebuilt word for word."""
    f1: Share | None = None
    """The mean F1 of the words."""
    one_path: Count = 0
    """Games in which one path went through all runs of words that fell."""
    out_of_time: Count = 0
    """Games in which the clock cut the search short."""

    @model_validator(mode="after")
    def _counts(self) -> Self:
        if max(self.whole, self.one_path, self.out_of_time) > self.games:
            raise ValueError("no more sentences are rebuilt than games played")
        return self
