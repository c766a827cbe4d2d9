"""What is known of one request, as its letter and its reply say it."""

from __future__ import annotations

from datetime import date

from auditor.base.deletion_log.deletions import NOT_LOCATED
from auditor.base.deletion_log.requests import Regime, StorageState
from auditor.pages.letters import identity, punctuality
from auditor.pages.letters.card_words import of_role
from auditor.pages.letters.legal_remedies import LegalRemedies, legal_remedies
from auditor.pages.letters.parts import Extract
from auditor.pages.words.texts import text, variant
from auditor.settings.attestations import PREPROCESSING, RELEASED
from auditor.verdict import request_status
from auditor.verdict.checks.card import Role


class Known:
    """One extract, what follows from it, and the words for whose data it is about."""

    def __init__(self, letter: Extract) -> None:
        """Settle whose data it is: without a subject in the log, or a proof, nobody knows whether all of it is this person's."""
        self.letter, self.request, self.model = letter, letter.request, letter.model
        own = letter.request.subject is not None and not letter.request.others_differ and not identity.is_open(letter.request)
        whose = "yours" if own else "request"
        self.whose = {"data": text(f"letter-data-{whose}"), "Data": text(f"letter-data-{whose}-first")}
        self.contradictions = _contradictions(letter)

    @property
    def is_other(self) -> bool:
        """Whether the model file is not the one that the updates produce."""
        return bool(of_role(Role.COMPARES_FILE, self.model.failed))

    @property
    def refutes(self) -> tuple[str, ...]:
        """Checks of what the model keeps that found something: neither an error nor a test that did not work."""
        failed = self.model.failed
        others = {*self.model.broke_off, *of_role(Role.CALIBRATES, failed), *of_role(Role.SHOWS_DELETIONS, failed)}
        return tuple(each for each in failed if each not in others)

    @property
    def is_refuted(self) -> bool:
        """Whether the audit found that the model did not forget; a promise may be refuted without any check that failed."""
        return self.model.forgot == "failed" and bool(self.refutes or not self.model.failed)

    @property
    def is_prepared(self) -> bool:
        """Whether the audit found that what the model learns from was prepared with erased data."""
        return PREPROCESSING in self.model.untrue

    @property
    def untrue(self) -> tuple[str, ...]:
        """What else was stated and found to be untrue, where nothing else of the letter says so."""
        said = {PREPROCESSING, *((RELEASED,) if self.is_other else ())}
        return tuple(each for each in self.model.untrue if each not in said)

    @property
    def gives_away(self) -> tuple[str, ...]:
        """Checks that found erased data where the model did not fail: from two versions of it, or where no limit is set."""
        own = set(self.refutes) | set(self.model.broke_off) | of_role(Role.CALIBRATES, self.model.failed)
        return tuple(each for each in (*self.model.failed, *self.model.noticed) if each not in own)

    @property
    def file_seen(self) -> bool:
        """Whether the audit saw anything of the model file."""
        case = self.letter.case
        return case.model_examined or case.model_seen is not None or self.is_other

    @property
    def is_clear(self) -> bool:
        """Whether the audit saw the whole model and found nothing wrong with what it keeps.

        Elsewhere what is said of stored copies must not be read as if it were said of the model as well.
        """
        forgot = self.model.forgot in {"shown", "supported", "attacks"}
        return self.letter.case.model_examined and forgot and not self.gives_away and not self.model.left_alone

    @property
    def is_unsettled_of_the_file(self) -> bool:
        """Whether no test of the model itself settled what it still shows."""
        open_ = {*self.model.unsettled, *self.model.open, *self.model.not_run}
        return not self.letter.case.model_examined or bool(of_role(Role.ATTACKS_RELEASE, open_))

    @property
    def is_marked(self) -> bool:
        """Whether the log itself says that the data are marked as erased, and still there."""
        while_open = punctuality.is_erased_while_open(self.request) and self.request.storage_state is StorageState.LOGICAL
        return while_open or request_status.is_marked(self.request.status, self.request.storage_state)

    @property
    def is_overwriting_unknown(self) -> bool:
        """Whether the log itself says that nobody knows if the data were overwritten."""
        return punctuality.is_erased(self.request) and self.request.storage_state is StorageState.UNKNOWN

    @property
    def is_missing(self) -> bool:
        """Whether the log records no erasure, and the audit did not find the data where it found that of others.

        Nobody then knows whether they were erased: neither that they are still there is said, nor that they are gone.
        """
        return self.request.unrecorded and self.request.status == "open" and self.request.erased_on is None

    def has_passed(self, day: date | None) -> bool:
        """Whether a day that is declared lay behind when the audit ended."""
        return day is not None and day < self.letter.audit.finished_at.date()

    @property
    def law(self) -> str:
        """The law of the request, as it stands after an article; empty where it has no such articles."""
        return "" if self.request.regime is Regime.CCPA else text(f"letter-law-{self.request.regime.value}")

    @property
    def rights(self) -> LegalRemedies:
        """Where to complain, and the way to court, by the law of the request."""
        return legal_remedies(self.request.regime, self.letter.audit.finished_at.date(), self.letter.sender.authority)

    def of_places(self, message: str) -> str:
        """Name a message as it is worded where places alone were searched."""
        return variant(message, "places") if self.letter.case.places_alone else message


def _contradictions(letter: Extract) -> tuple[str, ...]:
    """Codes of what the log says against itself, but for what the status itself answers."""
    answered = {NOT_LOCATED} if letter.request.status == "not-located" else set()
    return tuple(code for code in letter.request.findings if code not in answered)
