"""Goes through the files of a case, and makes the Case of them, or a list of every problem of every file."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any, Final, TypeVar

import numpy as np

from auditor.base import model_registry
from auditor.base.deletion_log.deletions import replayable
from auditor.base.deletion_log.requests import Request
from auditor.base.domain import Code, CodeFile, InputFile, Problem
from auditor.base.errors import InputError
from auditor.base.foreign_parts import in_force
from auditor.base.records import Dataset
from auditor.case import answers, lineage, places, receipts
from auditor.case.answers import Given
from auditor.case.artifacts import FILES, MOST_BYTES, ModelFile, released
from auditor.case.code import MOST_BYTES as MOST_BYTES_OF_CODE
from auditor.case.code import preparation, read_inputs
from auditor.case.code import read as read_code
from auditor.case.cross_checks import denied_models, fit
from auditor.case.declaration import Declaration
from auditor.case.files import BINARY_LIMIT, Source, list_files, locate, read_source
from auditor.case.known_rows import Known, known_rows
from auditor.case.logs import apart, deletion_log
from auditor.case.procedures import OF_PART
from auditor.case.record_rules import parents_in
from auditor.case.sentences import numbered, read_sentences
from auditor.case.sound_case import Case
from auditor.case.tables import Records, limit_of, records
from auditor.case.whole_people import of_whole_people
from auditor.settings.builtin import Procedure
from auditor.settings.lineage import Descendant
from auditor.settings.places import EMBED, PeopleTable
from auditor.settings.receipts import Receipt
from auditor.settings.tables import DataTable, DeletionsTable, Settings
from auditor.settings.values import show

_Content = TypeVar("_Content")


class Reader:
    """Goes through the files of one case and keeps what was read and what was wrong."""

    def __init__(self, folder: Path, source: Source) -> None:
        self._folder = folder
        self._file = source.name
        self._inputs: dict[str, InputFile] = {source.name: source.listed()}
        self._problems: list[Problem] = []
        self._noted: set[str] = set()

    def read(self, declared: Declaration) -> Case:
        """Read what is declared.

        Raises:
            InputError: With every problem.
        """
        self._problems.extend(declared.problems)
        if "places" in declared.raw:
            return self._of_places(declared)
        table = declared.tables.get("data")
        columns = table if isinstance(table, DataTable) else _salvaged(declared)
        if columns.text is None:
            found = self._records(declared, columns)
        else:
            found = Records(*self._sentences(declared, columns), names=(columns.id, columns.text))
        train, holdout, people = found.train, found.holdout, found.people
        parse = partial(released, of_network=self._has_a_state_dict(declared.procedure))
        if model_registry.is_named(declared.text("model", "path") or ""):
            file, notes = self._registered(declared, parse)
        else:
            file, notes = self._content(declared, "model", "path", parse), ()
            notes = self._notes(declared) if isinstance(file, ModelFile) else ()
        model_file, own_file = (file, None) if isinstance(file, ModelFile) else (None, file)
        shipped = None if model_file is None else model_file.parameters
        log, canaries = self._log(declared)
        if train is not None:
            self._problems.extend(_learned_from(declared.text("deletions", "log") or "", canaries, train, people))
        if log is not None and train is not None and people is not None:
            log = (of_whole_people(log[0], train.ids.tolist(), people), log[1])
        if train is not None and found.parents is not None:
            self._problems.extend(_of_parents(declared.text("data", "train") or "", train, found.parents))
        data = tuple(self._inputs.values())
        store = self._store(declared)
        made, proofs = self._lineage(declared), self._receipts(declared, None if log is None else log[0])
        code, requester_code, controller_code = (
            self._code(declared, table, data, store) for table in ("procedure", "requester", "controller")
        )
        controller_parts = tuple(self._code(declared, f"controller.{name}", data, store) for name in _paired(declared))
        self._problems.extend(fit(self._file, declared, train, holdout, shipped, None if log is None else log[0]))
        settings = declared.settings
        if settings is not None and not settings.procedure.learns:
            train, log, canaries = _no_records(), ((), ()), ()
        if self._problems or settings is None or train is None or log is None:
            raise InputError(self._problems)
        known = Known() if holdout is None or columns.text is not None else known_rows(train, holdout)
        given = self._answers(declared, settings, train, holdout, log[0], known)
        whole = holdout
        if holdout is not None and known.holdout.size:
            left = np.setdiff1d(np.arange(len(holdout)), known.holdout)
            holdout = holdout.subset(left) if left.size else None
            given = None if given is None else given.of_holdout(left)
        inputs = tuple(sorted(self._inputs.values(), key=lambda item: item.path))
        return Case(
            self._folder,
            settings,
            train,
            holdout,
            store,
            shipped,
            model_file,
            code,
            requester_code,
            *log,
            inputs,
            controller_code=controller_code,
            controller_parts=controller_parts,
            columns=found.names,
            searched=found.searched,
            people=people,
            parents=found.parents,
            model_notes=notes,
            answers=given,
            own_file=own_file,
            whole_holdout=whole,
            known=known,
            lineage=made,
            receipts=proofs,
            canaries=canaries,
        )

    def _log(self, declared: Declaration) -> tuple[tuple[tuple[Request, ...], tuple[str, ...]] | None, tuple[Request, ...]]:
        """The requests of the log with the columns that nothing reads, and the rows of planted records."""
        found = self._content(declared, "deletions", "log", deletion_log)
        if found is None:
            return None, ()
        requests, canaries = apart(found[0])
        return (requests, found[1]), canaries

    def _of_places(self, declared: Declaration) -> Case:
        """The case of places alone: a log, the places, and who was in them.

        Raises:
            InputError: With every problem.
        """
        log, canaries = self._log(declared)
        found = [places.of_table(self._folder, each, file=self._file) for each in declared.places]
        self._problems += (each for each in found if isinstance(each, Problem))
        there = tuple(each for each in found if not isinstance(each, Problem))
        for each in places.holding(there, self._folder / (declared.text("deletions", "log") or "")):
            expected = "a place without the deletion log, whose own ids would be found there"
            self._problems.append(Problem(self._file, f"places.{each.declared.name}", expected, "one that holds it"))
        people, table = None, declared.tables.get("people")
        if isinstance(table, PeopleTable):
            try:
                people = places.people(self._folder, table)
                self._inputs[people.input.path] = people.input
            except InputError as error:
                self._problems.extend(error.problems)
        proofs = self._receipts(declared, None if log is None else log[0])
        if log is not None:
            self._problems += denied_models(self._file, declared, log[0])
        code = self._code(declared, "places", tuple(self._inputs.values()), None, key=EMBED)
        if code is not None and people is None:
            expected = "a table of the people as well ([data] table): their vectors are computed from it"
            self._problems.append(Problem(self._file, f"places.{EMBED}", expected, "none"))
        if self._problems or declared.settings is None or log is None:
            raise InputError(self._problems)
        self._inputs.update({one.input.path: one.input for each in there for one in each.files})
        return Case(
            self._folder,
            declared.settings,
            _no_records(),
            None,
            None,
            None,
            None,
            code,
            None,
            *log,
            tuple(sorted(self._inputs.values(), key=lambda item: item.path)),
            places=there,
            in_places=people,
            receipts=proofs,
            canaries=canaries,
        )

    def _answers(
        self,
        declared: Declaration,
        settings: Settings,
        train: Dataset,
        holdout: Dataset | None,
        requests: tuple[Request, ...],
        seen: Known,
    ) -> Given | None:
        """The tables of [answers]; None where a procedure is rerun.

        Raises:
            InputError: If there is anything wrong with them, or nothing to hold them against.
        """
        if settings.answers is None:
            return None
        if settings.data.task != "classification":
            self._problems.append(
                Problem(self._file, "answers", "a classification: answers are audited by classes", "a regression")
            )
        if holdout is None:
            expected = "a table of records that the model never saw: answers about them are what others are held against"
            self._problems.append(Problem(self._file, "data.holdout", expected, "no such key"))
        elif len(seen.holdout) == len(holdout):
            expected = "records that the model never saw, some of which equal no training record"
            self._problems.append(Problem(declared.text("data", "holdout") or "data.holdout", "", expected, "none such"))
        if self._problems or holdout is None:
            raise InputError(self._problems)
        known = frozenset(train.ids.tolist())
        gone = {record for batch in replayable(requests, known) for record in batch.record_ids}
        deleted = np.array([place for place, record in enumerate(train.ids.tolist()) if record in gone], dtype=np.int64)
        parse = partial(answers.read, id_column=settings.data.id, train=train, holdout=holdout, deleted=deleted)
        found = {key: self._content(declared, "answers", key, parse) for key in ("after", "before", "retrained")}
        after = found["after"]
        for key in ("before", "retrained"):
            other = found[key]
            if after is not None and other is not None:
                self._problems += answers.same_records(declared.text("answers", key) or key, after, other)
        if self._problems or after is None:
            raise InputError(self._problems)
        return Given(after, found["before"], found["retrained"])

    def _content(self, declared: Declaration, table: str, key: str, parse: Callable[[Source], _Content]) -> _Content | None:
        text = declared.text(table, key)
        if text is None:
            return None
        found = locate(self._folder, text, f"{table}.{key}", file=self._file)
        if isinstance(found, Problem):
            self._problems.append(found)
            return None
        try:
            source = read_source(*found, limit=limit_of(found[0]), follow=False)
            self._inputs[source.name] = source.listed()
            return parse(source)
        except InputError as error:
            self._problems.extend(error.problems)
            return None

    def _registered(
        self, declared: Declaration, parse: Callable[[Source], _Content]
    ) -> tuple[_Content | None, tuple[tuple[str, bytes], ...]]:
        """The model file that a registry has under the name in `[model] path`, and notes on it; listed under that name."""
        uri = declared.text("model", "path") or ""
        try:
            version = model_registry.named(uri, self._file, "model.path")
            found = model_registry.download(version, self._file, "model.path", limit=BINARY_LIMIT, notes=FILES)
            self._inputs[uri] = Source(uri, found.content).listed()
            notes = tuple((f"{version.uri}/{name}", content) for name, content in found.notes.items())
            self._inputs.update({name: Source(name, content).listed() for name, content in notes})
            self._noted.update(name for name, _ in notes)
            return parse(Source(f"{version.uri}/{found.file}", found.content)), notes
        except InputError as error:
            self._problems.extend(error.problems)
            return None, ()

    def _records(self, declared: Declaration, columns: DataTable) -> Records:
        """The training data and the holdout of any other case."""
        sources = [self._content(declared, "data", key, lambda source: source) for key in ("train", "holdout")]
        found = records(sources, columns, declared.procedure)
        self._problems.extend(found.problems)
        return found

    def _sentences(self, declared: Declaration, columns: DataTable) -> tuple[Dataset | None, Dataset | None]:
        """The training data and the holdout of a text case, over one dictionary."""
        read = [self._content(declared, "data", key, lambda each: read_sentences(each, columns)) for key in ("train", "holdout")]
        found = iter(numbered([each for each in read if each is not None]))
        train, holdout = (None if each is None else next(found) for each in read)
        return train, holdout

    def _code(
        self, declared: Declaration, table: str, data: tuple[InputFile, ...], store: Path | None, *, key: str = "entry"
    ) -> Code | None:
        """The code of an entry and what lies alongside it, each file read once and listed among the inputs."""
        text = (declared.text(table, key) or "").rpartition(":")[0]
        if not text:
            return self._code_of_part(declared, data) if table == "procedure" else None
        found = locate(self._folder, text, f"{table}.{key}", file=self._file)
        if isinstance(found, Problem):
            self._problems.append(found)
            return None
        path, _ = found
        name = path.relative_to(self._folder)
        code, problems = read_code(path, name.as_posix(), data=data, store=store)
        self._problems.extend(problems)
        if table == "procedure":
            inputs = self._given(declared, path.parent, store)
            code = replace(code, inputs=inputs)
            self._prepared(declared, code, path.parent)
        for file in code.everything:
            listed = (name.parent / file.name).as_posix()
            self._inputs[listed] = InputFile(listed, file.sha256, len(file.content))
        return code

    def _prepared(self, declared: Declaration, code: Code, beside: Path) -> None:
        """Check the file that prepares the rows of trainings, which lies alongside the entry and was read with it."""
        table = declared.tables.get("procedure")
        text = declared.text("procedure", "prepare")
        if text is None or not isinstance(table, Procedure) or table.preparation is None:
            return
        found = locate(self._folder, text, "procedure.prepare", file=self._file)
        if isinstance(found, Problem):
            self._problems.append(found)
            return
        path, name = found
        place = table.preparation if beside / table.preparation == path else ""
        fault = preparation(code, place, name, weights=declared.text("data", "weight") is not None)
        self._problems.extend([] if fault is None else [fault])

    def _code_of_part(self, declared: Declaration, data: tuple[InputFile, ...]) -> Code | None:
        """The code of a procedure that a foreign part in force brings, with what lies alongside it; None for any other."""
        table = declared.tables.get("procedure")
        entry = table.brought if isinstance(table, Procedure) else None
        if entry is None or not entry.startswith(OF_PART):
            return None
        place = entry.rpartition(":")[0]
        name, _, file = place.removeprefix(OF_PART).partition("/")
        (part,) = (each for each in in_force() if each.name == name)
        code, problems = read_code(part.installed.folder / file, place, data=data)
        self._problems.extend(problems)
        for each in code.files:
            listed = (Path(place).parent / each.name).as_posix()
            self._inputs[listed] = InputFile(listed, each.sha256, len(each.content))
        return code

    def _notes(self, declared: Declaration) -> tuple[tuple[str, bytes], ...]:
        """Files that say something of the model, in its folder or the one above; the case folder is no folder of a model."""
        path = self._folder / (declared.text("model", "path") or "")
        notes: list[tuple[str, bytes]] = []
        for folder in list(path.resolve().parents)[:2]:
            within = folder != self._folder and folder.is_relative_to(self._folder)
            for each in (folder / name for name in FILES) if within else ():
                if each.is_symlink() or not each.is_file() or each.stat().st_size > MOST_BYTES:
                    continue
                name = each.relative_to(self._folder).as_posix()
                try:
                    source = read_source(each, name, limit=MOST_BYTES, follow=False)
                except InputError as error:
                    self._problems.extend(error.problems)
                    continue
                self._inputs[name] = source.listed()
                self._noted.add(name)
                notes.append((name, source.data))
        return tuple(notes)

    def _has_a_state_dict(self, procedure: Procedure | None) -> bool:
        """Whether a model of the procedure is one module; of shards it is several.

        Of a class of the case it is where its code names `TrainingLoop`; whether it derives from it the sandbox finds out.
        """
        if procedure is None or not procedure.may_be_loop or procedure.brought is None:
            return procedure is not None and procedure.saves_state_dict
        # `resolve` raises for a link to itself, which is named later.
        folder = Path(os.path.realpath(self._folder / procedure.brought.rpartition(":")[0])).parent
        if not folder.is_relative_to(self._folder):
            return False
        files = (each for each in sorted(folder.glob("*.py")) if each.is_file() and not each.is_symlink())
        return any(_LOOP in each.read_bytes() for each in files if each.stat().st_size <= MOST_BYTES_OF_CODE)

    def _given(self, declared: Declaration, beside: Path, store: Path | None) -> tuple[CodeFile, ...]:
        """The files of the folders in `[data] inputs`, which lie alongside the entry or below it."""
        data = declared.tables.get("data")
        files: list[CodeFile] = []
        closed = [each for each in self._inputs.values() if each.path not in self._noted]
        for text in data.folders if isinstance(data, DataTable) else ():
            found = locate(self._folder, text, "data.inputs", file=self._file, may_be_folder=True)
            if isinstance(found, Problem):
                self._problems.append(found)
                continue
            path, name = found
            fault = None
            if path != self._folder / name:
                fault = "a link"
            elif not path.is_dir():
                fault = "a file"
            elif path == beside or not path.is_relative_to(beside):
                fault = "another"
            if fault is not None:
                expected = "a folder alongside the procedure's entry, or below it"
                self._problems.append(Problem(self._file, "data.inputs", expected, f"{show(text)}, {fault}"))
                continue
            read, problems = read_inputs(path, name, beside, data=closed, store=store)
            self._problems.extend(problems)
            files += read
        repeated = len({file.name for file in files}) < len(files)
        if repeated:
            self._problems.append(Problem(self._file, "data.inputs", "folders that do not overlap", "one within another"))
        return tuple(files)

    def _lineage(self, declared: Declaration) -> tuple[Descendant, ...]:
        """What was made from the model, with the digests of what lies in the case of it."""
        made = [each for each in declared.arrays.get("lineage", ()) if isinstance(each, Descendant)]
        store = declared.text("data", "store")
        filled, files, problems = lineage.read(made, self._folder, self._file, taken=self._inputs.keys(), store=store)
        self._problems.extend(problems)
        self._inputs.update({each.path: each for each in files})
        return filled

    def _receipts(self, declared: Declaration, requests: tuple[Request, ...] | None) -> tuple[Receipt, ...]:
        """The receipts of processors, with the digests of their files."""
        given = [each for each in declared.arrays.get("receipts", ()) if isinstance(each, Receipt)]
        table = declared.tables.get("deletions")
        zone = table.zone if isinstance(table, DeletionsTable) else None
        filled, files, problems = receipts.read(given, self._folder, self._file, taken=self._inputs.keys())
        self._problems.extend(problems)
        self._inputs.update({each.path: each for each in files})
        if requests is not None:
            self._problems.extend(receipts.against_log(given, requests, self._file, zone))
        return filled

    def _store(self, declared: Declaration) -> Path | None:
        text = declared.text("data", "store")
        if text is None:
            return None
        found = locate(self._folder, text, "data.store", file=self._file, may_be_folder=True)
        if isinstance(found, Problem):
            self._problems.append(found)
            return None
        listed, problems = list_files(*found)
        self._problems.extend(problems)
        self._inputs.update({item.path: item for item in listed})
        return found[0]


def _learned_from(file: str, canaries: Sequence[Request], train: Dataset, people: Sequence[str] | None) -> Iterator[Problem]:
    """Refuse planted records that are in the training data: who is there is erased by a request, and counts."""
    known = {*train.ids.tolist(), *(people or ())}
    expected = "a planted record, which is not in the training data: one that is there is erased by a request that is no canary"
    for each in canaries:
        if there := [record for record in each.record_ids if record in known]:
            yield Problem(file, f"row {each.row}, canary", expected, f"{show(there[0])}, which is there")


def _of_parents(file: str, train: Dataset, parents: Sequence[str]) -> Iterator[Problem]:
    """The first row that is said to be made from a record that the training data lack, or from itself."""
    ids = train.ids.tolist()
    known = set(ids)
    for own, cell in zip(ids, parents, strict=True):
        if any(each not in known or each == own for each in parents_in(cell, known)):
            expected = "the id of another training record, several with ; between them, or an empty cell"
            yield Problem(file, f"derived_from of {own}", expected, show(cell))
            return


_LOOP: Final = b"TrainingLoop"
"""What the code of a case names whose model is one module of PyTorch."""
_COLUMNS: Final = ("id", "label", "sensitivity", "text", "person", "weight", "derived_from")


def _paired(declared: Declaration) -> tuple[str, ...]:
    """The keys of a controller's parts, where it has two."""
    found, both = declared.raw.get("controller"), ("first", "second")
    return both if isinstance(found, dict) and all(isinstance(found.get(name), dict) for name in both) else ()


def _no_records() -> Dataset:
    """The training data of a case in which nothing learns."""
    return Dataset(np.zeros((0, 0)), np.array([], dtype=np.int64), np.array([], dtype=np.str_))


def _salvaged(declared: Declaration) -> DataTable:
    """The column names of a [data] table in which another key is wrong, so that its files are still checked."""
    given: dict[str, Any] = {key: text for key in _COLUMNS if (text := declared.text("data", key))}
    task = declared.text("data", "task")
    given["task"] = task if task in {"classification", "regression"} else None
    return DataTable.model_construct(train="", **given)
