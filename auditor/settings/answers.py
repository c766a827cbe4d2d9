"""The table [answers], for models that nobody can train again: what they answered, as the controller wrote it down."""

from __future__ import annotations

from typing import Literal

from auditor.settings.builtin import Procedure
from auditor.settings.values import Seed, Table, Text


class AnswersTable(Table):
    """Tables of what models answered, a row for each record."""

    after: Text
    """By the model after the deletions, about deleted, retained and holdout records."""
    before: Text | None = None
    """By the model before the deletions, about the same records."""
    retrained: Text | None = None
    """By a model that was trained without the deleted records, about the same records."""


class AnswersOnly(Procedure):
    """What stands for [procedure] where there are answers alone: nothing can be run, so that no check runs anything."""

    use: Literal["answers"] = "answers"
    seed: Seed

    @property
    def reruns(self) -> bool:
        """Nothing."""
        return False
