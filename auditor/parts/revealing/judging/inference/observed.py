"""What a run counts of deletion inference games: no scores, and nothing of any one record."""

from __future__ import annotations

from typing import Literal, Self, TypeAlias

from pydantic import model_validator

from auditor.parts.revealing.judging.log_attack import LogAttack
from auditor.verdict.checks.deleting import Cause
from auditor.verdict.checks.finding import Values
from auditor.verdict.checks.remedies import PrivateTraining
from auditor.verdict.checks.stated import Count

Variant: TypeAlias = Literal[
    "two",
    "one",
    "hidden",
    "chosen",
    "several-2",
    "several-5",
    "several-10",
    "several-20",
    "waiting",
    "private",
    "own-before",
    "own-after",
]
"""Who is distinguished from whom (Definition 3.1 and its variants).

two        the deleted record and one that stays, both drawn at random: the standard game
one        a single record, deleted or not
hidden     the deleted record and one that was never learned
chosen     two records that the adversary chose beforehand
several-k  as `two`, with k records deleted at a time
waiting    as `two`, where the next scheduled retraining answers the deletion, with new records
private    as `two`, of models that our own private training makes
own-before as `two`, after the environment had other records deleted, as many as are declared (Definition 5.1)
own-after  as `two`, and the environment has other records deleted afterwards, and sees each model
"""
View: TypeAlias = Literal["scores", "rounded", "labels"]
"""What of the answers is seen: all of them, two digits, or the predicted class alone."""


class Tally(Values):
    """How one attack fared in one variant, seeing answers through one view."""

    attack: str
    variant: Variant
    view: View
    games: Count
    wins: Count
    """Games in which it named the right record outright."""
    ties: Count
    ties_won: Count
    """Ties that a fair coin gave to it."""

    @model_validator(mode="after")
    def _counted(self) -> Self:
        if self.wins + self.ties > self.games or self.ties_won > self.ties or not self.games:
            raise ValueError("a game is won, lost or tied, and there are games")
        return self

    @property
    def right(self) -> int:
        """Games that were won, by the coin or without."""
        return self.wins + self.ties_won


class Observed(Values):
    """The games of one check."""

    unplayable: Cause | Literal["not-asked"] | None = None
    """Why there was no game; of games nothing else was observed then."""
    games: Count = 0
    """Of the standard variant, each with a fresh set of its own."""
    trained: Count = 0
    """Records in a set before the deletion."""
    shadow_models: Count = 0
    """Models whose training records the adversary knows, trained apart from the games."""
    tallies: tuple[Tally, ...] = ()
    private: PrivateTraining | None = None
    """Of the variant of that name."""
    log: LogAttack | None = None
    """The releases of the log itself, attacked; of `inference.example` alone."""

    @model_validator(mode="after")
    def _each_once(self) -> Self:
        played = [(each.attack, each.variant, each.view) for each in self.tallies]
        if len(set(played)) != len(played):
            raise ValueError("an attack plays a variant through a view once")
        standard = {each.games for each in self.tallies if each.variant == "two"}
        if standard - {self.games} or max((each.games for each in self.tallies), default=0) > self.games:
            raise ValueError("every attack plays every standard game, and no variant has more")
        if (self.unplayable is None) != bool(self.games and self.tallies):
            raise ValueError("where there is no game, there is a cause")
        return self
