"""What `release.remembers` reads of a run: scores of the release, of retrained models and of ones that hold the records.

By stages: the first always, a second one where the first called for it.
"""

from __future__ import annotations

from typing import Annotated, Final, Literal, Self, TypeAlias

from pydantic import Field, model_validator

from auditor.base.domain import Message
from auditor.verdict.checks.finding import Values
from auditor.verdict.checks.stated import Amount, Count

Attack: TypeAlias = Literal["loss", "modified-entropy", "lira-offline", "lira-online", "rmia", "matched"]
Neighbourhood: TypeAlias = Literal["records", "moved-0.1", "moved-0.3"]
Part: TypeAlias = Literal["requests", "all", "highest-tenth"]

MILLION: Final = 1_000_000
Scores: TypeAlias = tuple[Annotated[int, Field(ge=-MILLION, le=MILLION)], ...]
"""One number a column, for one model: how far its score lies from the mean of release and retrained models, in millionths of the
largest such distance that any model has in that column. Only what such a change of scale leaves as it is counts."""


def _absent(value: object) -> bool:
    """Whether a field says nothing: documents of one stage leave it out."""
    return value is None


class Kind(Values):
    """How a model is asked about records."""

    attack: Attack
    neighbourhood: Neighbourhood
    contrast: bool = False
    """Whether each record's score is taken less that of unseen records of its label that look like it to retrained models."""

    @property
    def specific(self) -> bool:
        """Whether it tells what a model shows on these records from what it shows on any: unseen ones are part of it."""
        return self.contrast or self.attack == "rmia"

    @property
    def by_itself(self) -> bool:
        """Whether it counts by itself, next to the sum of all others: they would blur a sum that is weighed record by record."""
        return self.attack == "matched" and self.neighbourhood == "records"


class Group(Values):
    """Whose records a score is the mean of."""

    part: Part
    requests: tuple[str, ...] = ()
    """Their ids, of requests alone."""


class Scored(Values):
    """Scores of one stage in columns: every kind with every group, the groups of one kind next to each other."""

    distinct: Count = 0
    """Of the retrained models, how many answer differently in any bit."""
    left_out: tuple[Neighbourhood, ...] = ()
    """Neighbourhoods that the procedure could not predict."""
    kinds: tuple[Kind, ...] = ()
    groups: tuple[Group, ...] = ()
    release: Scores = ()
    retrained: tuple[Scores, ...] = ()
    """Of each model that learned without the deleted records."""
    holding: tuple[Scores, ...] = ()
    """Of each model that learned everything and then unlearned decoys."""
    held_out: tuple[Scores, ...] = ()
    """The same of further ones, which nothing is set by: what the attacks can tell is tried on them."""

    @model_validator(mode="after")
    def _as_wide(self) -> Self:
        columns = len(self.kinds) * len(self.groups)
        if any(len(each) != columns for each in (self.release, *self.retrained, *self.holding, *self.held_out)):
            raise ValueError(f"every model needs {columns} scores")
        if self.distinct > len(self.retrained):
            raise ValueError("no more models differ than there are")
        return self


class NoSecond(Values):
    """Why no second stage followed where one was called for."""

    why: Literal["budget", "time"]
    """It did not fit the time that was given for the audit, or takes longer than a stage may that nobody gave time for."""
    seconds: Amount
    """That it would have taken, estimated from the first."""
    most: Amount
    """That it could have taken."""


class Observed(Scored):
    """The scores of the first stage, and those of the second where one followed."""

    untried: Message | None = None
    """Why nothing was asked; nothing else was observed then."""
    source: Literal["file", "replay", "procedure"] = "replay"
    """What was attacked: the loaded model file, the replay's last model, or a model that was trained for the purpose."""
    unseen: Literal["holdout", "retained"] | None = None
    """Where unseen records come from: retained ones were left out of every model."""
    unseen_records: Count = 0
    asked: Count = 0
    """Deleted records that models were asked about."""
    deleted: Count = 0
    second: Scored | None = Field(default=None, exclude_if=_absent)
    """Release and holding models again, scored among further retrained models, none of which is one of the first."""
    no_second: NoSecond | None = Field(default=None, exclude_if=_absent)

    @model_validator(mode="after")
    def _alike(self) -> Self:
        for stage in (self, self.second):
            if self.untried is None and stage is not None and not (stage.release and stage.retrained and stage.holding):
                raise ValueError("there are no scores, or no models to compare the release with")
        if self.asked > self.deleted:
            raise ValueError("no more records are asked about than were deleted")
        if self.second is not None and (self.untried is not None or self.no_second is not None):
            raise ValueError("a second stage followed, and it is said that none did")
        return self
