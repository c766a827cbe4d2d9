"""What is audited, as it was read: everything that a case declares, and found sound."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from auditor.base.deletion_log.requests import Request
from auditor.base.domain import Code, InputFile
from auditor.base.kept_for_last import kept_for_last
from auditor.base.records import Dataset, Floats
from auditor.case.answers import Given
from auditor.case.artifacts import ModelFile, OwnFile
from auditor.case.baseline import Opened
from auditor.case.known_rows import Known
from auditor.case.places import Place, WhoWasThere
from auditor.settings.lineage import Descendant
from auditor.settings.receipts import Receipt
from auditor.settings.tables import Settings


@dataclass(frozen=True, slots=True, eq=False, weakref_slot=True)
class Case:
    """One sound case. Its representation leaves the records out: they are personal data."""

    folder: Path
    """The case folder, resolved."""
    settings: Settings
    train: Dataset = field(repr=False)
    """What the model was first trained on, deleted records included."""
    holdout: Dataset | None = field(repr=False)
    """Records that no model has seen: those of the file that equal no training record; None where there are none."""
    store: Path | None
    """What the controller keeps now: a file or a folder inside the case folder."""
    shipped: Floats | None = field(repr=False)
    """Shape (p,): parameters of the model about to be released; None where the case has no [model]."""
    model_file: ModelFile | None = field(repr=False)
    """The file that they were read from."""
    code: Code | None = field(repr=False)
    """The code of the procedure that the case brings; None where the procedure is built in."""
    requester_code: Code | None = field(repr=False)
    """The same of the requester."""
    requests: tuple[Request, ...] = field(repr=False)
    """In the order of the log."""
    columns_not_read: tuple[str, ...]
    """Columns of the log that no check examines."""
    inputs: tuple[InputFile, ...]
    """audit.toml and every file read by path: those of the store are among them, and every file that a procedure may open."""
    controller_code: Code | None = field(default=None, repr=False)
    """The code of the controller that the case brings; None where there is none, or one of ours."""
    controller_parts: tuple[Code | None, ...] = field(default=(), repr=False)
    """Of two programs side by side, the code of each that the case brings; empty where there is no pair."""
    columns: tuple[str, ...] = ()
    """Names of the training data's columns, of ids and labels too; none of an npz file."""
    searched: Dataset | None = field(default=None, repr=False)
    """The training data with the columns that no procedure gets; None where there are none."""
    model_notes: tuple[tuple[str, bytes], ...] = field(default=(), repr=False)
    """Path and content of files of MLflow's and Hugging Face's in the folder of the model file, or above it."""
    answers: Given | None = field(default=None, repr=False)
    """What models answered, where nothing can be rerun."""
    people: tuple[str, ...] | None = field(default=None, repr=False)
    """Whose the training records are; None where no column says it."""
    parents: tuple[str, ...] | None = field(default=None, repr=False)
    """The ids of the records that training records were made from, empty for others; None where no column says it."""
    own_file: OwnFile | None = field(default=None, repr=False)
    """The model file where it is in a library's own format: it has no array of parameters."""
    whole_holdout: Dataset | None = field(default=None, repr=False)
    """All records of the holdout's file."""
    known: Known = field(default_factory=Known, repr=False)
    """Which records of the holdout's file equal training records: they are left out of `holdout`."""
    lineage: tuple[Descendant, ...] = ()
    """What was made from the model, as declared, each thing with the digest of its file or folder."""
    receipts: tuple[Receipt, ...] = ()
    """Receipts of processors, as declared, each with the digest of its file."""
    places: tuple[Place, ...] = field(default=(), repr=False)
    """Places that are searched where there is no procedure."""
    in_places: WhoWasThere | None = field(default=None, repr=False)
    """Who was in them; None where nobody says it."""
    canaries: tuple[Request, ...] = field(default=(), repr=False)
    """Rows of the log of planted records, which are nobody's: they count nowhere but by themselves."""
    baseline: Opened | None = field(default=None, repr=False)
    """What was in the places before, where a scan compares with it."""

    @property
    def log_rows(self) -> tuple[Request, ...]:
        """Every row of the log in its order, those of planted records too, as its hash chain has them."""
        return tuple(sorted((*self.requests, *self.canaries), key=lambda each: each.row)) if self.canaries else self.requests

    @property
    def whose(self) -> dict[str, str]:
        """The person of each training record by the column of `[data] person`; empty without one."""
        return {} if self.people is None else dict(zip(self.train.ids.tolist(), self.people, strict=True))

    @property
    @kept_for_last
    def known_ids(self) -> frozenset[str]:
        """The ids of the training records; of places alone those of the log and of the table: nothing else says who was there."""
        named = {record for each in self.requests if each.status != "no_match" for record in each.record_ids if self.places}
        told = () if self.in_places is None else self.in_places.records.ids.tolist()
        planted = {record for each in self.canaries for record in each.record_ids}
        return frozenset({*self.train.ids.tolist(), *named, *told} - planted)
