"""What a run sees for `acme.backlog`."""

from __future__ import annotations

from acme_auditor.judging.backlog import Observed

from auditor.audit.stages import Stage


class Backlog(Stage):
    """Counts the training records."""

    checks = ("acme.backlog",)

    def observe(self, answers):
        """Nothing has to run for it."""
        return {"acme.backlog": Observed(records=len(self.run.case.train))}


STAGES = (Backlog,)
