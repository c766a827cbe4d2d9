"""The tables of audit.toml as typed, frozen records, and everything that follows from a table alone.

Nothing here reads a file or loads a numerical library: judges know a procedure by its table, and `auditor.case` reads the tables.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, TypeAlias

from auditor.settings.answers import AnswersOnly
from auditor.settings.certified_removal import CertifiedRemoval
from auditor.settings.controller import NothingLearned
from auditor.settings.learning import Foreign, Sklearn, Wrapped
from auditor.settings.networks import Torch
from auditor.settings.ngram import Ngram
from auditor.settings.noisy_gd import NoisyGd

ProcedureTable: TypeAlias = (
    CertifiedRemoval | Ngram | NoisyGd | Sklearn | Torch | Wrapped | Foreign | NothingLearned | AnswersOnly
)

BUILT_IN: Final[
    Mapping[str, type[CertifiedRemoval | Ngram | NoisyGd | Sklearn | Torch | Wrapped | NothingLearned | AnswersOnly]]
] = {
    "answers": AnswersOnly,
    "certified-removal": CertifiedRemoval,
    "estimator": Wrapped,
    "ngram": Ngram,
    "none": NothingLearned,
    "noisy-gd": NoisyGd,
    "sklearn": Sklearn,
    "torch": Torch,
}
"""The table of each built-in procedure, by the name that `use` gives it."""


def declared_procedure(use: str | None, entry: str | None, unlearn: str | None, settings: Mapping[str, Any]) -> ProcedureTable:
    """Read a procedure's table as a result states it; its seed, which no result holds, is left at 0.

    Raises:
        pydantic.ValidationError: If no table of this version could have been stated so.
    """
    table = Foreign if use is None else BUILT_IN[use]
    named = {"use": use, "entry": entry, "unlearn": unlearn}
    return table.model_validate({**settings, **{key: value for key, value in named.items() if value is not None}})
