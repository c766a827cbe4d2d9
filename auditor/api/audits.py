"""The result of an audit as Python users hold it: values, sentences, files, and how a notebook shows it."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Final, TypeAlias

from auditor.api.sources import EVIDENCE, PathLike, evidence_file
from auditor.base.errors import AuditorError, ReportError

if TYPE_CHECKING:
    from auditor.base.domain import Strength, Verdict
    from auditor.document.conclusions import StatedPremise
    from auditor.document.evidence import Evidence
    from auditor.pages.words.rendered_evidence import Told, ToldCheck
    from auditor.verdict.conclusion import Conclusion

LOG: Final = logging.getLogger("auditor")
Source: TypeAlias = "PathLike | bytes | Audit"


@dataclass(frozen=True, eq=False, repr=False)
class Audit:
    """The result of an audit. A pipeline tests `passed`; a notebook shows the decision page."""

    evidence: Evidence
    """The whole document: values, no sentences."""
    failure: AuditorError | None = None
    """Why the procedure or its sandbox failed; None where neither did, and for evidence that was read."""
    files: Mapping[str, Path] = field(default_factory=dict)
    """What was written, by what it is: `evidence`, `html`, and `report` where a PDF was rendered."""
    taken: tuple[str, ...] = ()
    """Names of runs that an earlier audit had finished, and that were not run again."""

    @property
    def verdict(self) -> Verdict:
        """`pass`, `fail` or `inconclusive`."""
        return self.evidence.verdict

    @property
    def exit_code(self) -> int:
        """The exit code of `auditor check`: 0 pass, 1 fail, 3 inconclusive, 4 if the procedure or the sandbox failed."""
        return self.evidence.audit.exit_code

    @property
    def passed(self) -> bool:
        """Whether every required check passes, and nothing keeps the verdict from pass."""
        return self.verdict.value == "pass" and self.exit_code == 0

    @property
    def strength(self) -> Strength | None:
        """What a pass is worth, from A to E; None if the verdict is not pass."""
        return self.evidence.strength

    @property
    def conclusion(self) -> Conclusion:
        """The conclusion: `kind` is unmodified, qualified, disclaimed or adverse, with its basis and what was not examined."""
        from auditor.verdict.conclusion import of  # noqa: PLC0415 - with the checks

        return of(self.evidence)

    @property
    def premises(self) -> tuple[StatedPremise, ...]:
        """What a pass of this case rests on, said or unsaid: each by name, with its standing and who says it."""
        return self.evidence.premises

    @property
    def sentence(self) -> str:
        """The result in one sentence that can be quoted."""
        return self.told.sentence

    @property
    def checks(self) -> tuple[ToldCheck, ...]:
        """Every check with its status, value, interval, threshold and `basis`, the sentence that says what was found."""
        return self.told.checks

    @property
    def required(self) -> tuple[str, ...]:
        """Ids of the checks that decide the verdict."""
        return self.evidence.policy.required

    @property
    def unmet(self) -> tuple[ToldCheck, ...]:
        """Required checks that did not pass, those that failed first."""
        from auditor.pages.plain import required_checks  # noqa: PLC0415 - with the words

        return tuple(each for each in required_checks(self.told) if each.status.value != "pass")

    def check(self, check_id: str) -> ToldCheck:
        """Give one check by its id.

        Raises:
            KeyError: If there is no such check.
        """
        return self.told.check(check_id)

    def explain(self, check_id: str) -> str:
        """Say what one check found, and what to do if it did not pass.

        Raises:
            KeyError: If there is no such check.
        """
        from auditor.pages.exchange import message, remedy_text  # noqa: PLC0415 - with the words
        from auditor.pages.remedies import of_check, remedies  # noqa: PLC0415

        parts = message(self.check(check_id)), remedy_text(of_check(remedies(self.told), check_id))
        return "\n\n".join(filter(None, parts))

    @cached_property
    def told(self) -> Told:
        """The evidence with its words.

        Raises:
            ReportError: If it contradicts itself, or this version has no words for it.
        """
        from auditor.pages.words.rendered_evidence import tell  # noqa: PLC0415
        from auditor.verdict.reliance import refuse_contradiction  # noqa: PLC0415

        if not self.evidence.parts:
            refuse_contradiction(self.evidence)
            return tell(self.evidence)
        from auditor.pages.taking_part import taking_part_in  # noqa: PLC0415 - few audits need it

        with taking_part_in(self.evidence):
            refuse_contradiction(self.evidence)
            return tell(self.evidence)

    def to_bytes(self) -> bytes:
        """Give the evidence as RFC 8785 canonical bytes, as evidence.json holds it."""
        return self.evidence.to_bytes()

    def write(self, folder: PathLike, *, shared: bool = False) -> Audit:
        """Write evidence and reports to a folder, as `auditor check` does.

        Args:
            folder: Is made where it is missing.
            shared: Whether others may read the files, as far as the umask lets them; otherwise their owner alone may.

        Returns:
            The same result, with `files`.

        Raises:
            ReportError: If a report cannot be rendered; the evidence is written.
            StorageError: If something cannot be written.
        """
        from auditor.api.results.folder import write  # noqa: PLC0415 - with the report

        return replace(self, files=write(self.evidence, Path(folder), notice=LOG.info, shared=shared).paths)

    def __repr__(self) -> str:
        """Give the sentence, and a line for each required check."""
        from auditor.pages import notebook  # noqa: PLC0415 - with the words

        try:
            return notebook.lines(self.told)
        except ReportError as error:
            return f"<Audit: {error}>"

    def _repr_html_(self) -> str | None:
        """Show the decision page and the figures in a notebook; None, and so the plain form, where they cannot be rendered."""
        from auditor.pages import notebook  # noqa: PLC0415 - loads Jinja

        try:
            return notebook.html(self.told)
        except ReportError:
            return None


def evidence_of(source: Source) -> Evidence:
    """Give the evidence of an audit, or read it from a file, its folder or its bytes.

    Raises:
        InputError: If it cannot be read.
        UsageError: If the source is nothing of the kind.
    """
    from auditor.document import evidence_files  # noqa: PLC0415 - loads pydantic

    if isinstance(source, Audit):
        return source.evidence
    if isinstance(source, bytes):
        return evidence_files.parse(source, EVIDENCE)
    return evidence_files.read(evidence_file(source))
