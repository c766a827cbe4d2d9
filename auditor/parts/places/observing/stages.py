"""What an audit runs to search places; the readers of everything that may lie in them are loaded where there are places."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Final

from auditor.audit.stages import Stage, Subject
from auditor.base.errors import ProcedureError, SandboxError
from auditor.parts.places.judging.places_erased import CARD
from auditor.sandbox import Answer
from auditor.verdict.checks.finding import Values

if TYPE_CHECKING:
    from auditor.parts.places.observing.computed import Computed


class Searching(Stage):
    """The search of places."""

    subject = Subject.PLACES
    checks = (CARD.id,)

    def observe(self, answers: Sequence[tuple[Answer, ...]]) -> Mapping[str, Values]:
        """Have the function that embeds run, where the case has one, and read every place."""
        del answers
        run = self.run
        if not run.how.wants(self.checks):
            return {}
        from auditor.parts.places.observing.searching import observe  # noqa: PLC0415 - loads every reader

        return {CARD.id: observe(run.case, self._computed(), on_step=run.how.on_step)}

    def _computed(self) -> Computed | None:
        """Everybody's vectors; None without a function, and where it fails, which hides nothing that lies in the places."""
        run = self.run
        if run.case.code is None:
            return None
        from auditor.parts.places.observing.embeddings import Embedded  # noqa: PLC0415 - as above
        from auditor.parts.places.observing.sought import deleted_ids  # noqa: PLC0415

        embedded = Embedded(run.case, deleted_ids(run.case), seed=run.how.seed, level=run.how.level)
        try:
            return embedded.read(run.how.run(embedded.jobs()))
        except (ProcedureError, SandboxError) as error:
            run.failure = error
            return None


STAGES: Final = (Searching,)
