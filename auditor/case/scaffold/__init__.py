"""`auditor init --from`: a case out of a user's own code, table and tickets, with nothing run.

tables       a table as text, column by column;  as_read: as the script's own call reads it
roles        ids, labels, the kind of task
code         what builds the estimator, read as a syntax tree;  build_files: what it imports from alongside it
following    a script from its table to its model
    steps       its statements in the order in which they run
    dataflow    what each makes of the table;  constants, encodings, rows: what it asks of single expressions
    prepared    what becomes of each: prepare.py, build.py, or the list of what is not carried over
    dropped, chance  what may not be left out: what changes in place, what lines draw from one generator or seed
    patches     what changes the meaning of other statements, in the script and in its own modules, and is refused
released     how the file that is released has to be trained
pickles      what a process of the sandbox answers about a pickled pipeline, as constructor calls
torch_scripts  the training of a PyTorch script, read alike;  torch_loops: the `TrainingLoop` that it becomes
declaring    the audit.toml

The part on the log reads tickets: `Tickets` is what is asked of it.

What can be found out is not asked. Each guess is said, with what it rests on and the option that overrules it; where two are as
good, nothing is guessed. The case is read as every case is before it lies where it was asked for.
"""

from __future__ import annotations

import errno
import glob
import json
import os
import re
import secrets
import shutil
import textwrap
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Protocol

from auditor import case as cases
from auditor.base import process_marks, samples
from auditor.base.domain import Problem
from auditor.base.errors import InputError, UsageError
from auditor.base.model_formats import ENDINGS, WHOLE_ESTIMATOR
from auditor.base.resources import sample_models, templates
from auditor.base.writing import make_folder, temporary_name, unwritten, write_new
from auditor.case.files import read_source
from auditor.case.scaffold import as_read, build_files, following, pickles, prepared, released, roles, tables, torch_scripts
from auditor.case.scaffold import code as reading
from auditor.case.scaffold.code import Code
from auditor.case.scaffold.following import Followed
from auditor.case.scaffold.prepared import Account
from auditor.case.scaffold.roles import Guess
from auditor.case.scaffold.steps import Line
from auditor.case.scaffold.tables import Table
from auditor.case.tables import limit_of
from auditor.pages.words import attestations
from auditor.settings.attestations import (
    CODE_CLEAN,
    HONEST,
    LINEAGE,
    LOG_COMPLETE,
    NOTHING_HELD,
    PREPROCESSING,
    REFUSALS,
    RELEASED,
    RESIDUAL,
    UNREAD,
)

# The audit.toml that `init --from` writes: what was found, with a comment on each guess, and questions about the rest.
BLANK = "blank"
DECLARED = "audit.toml"
_NOT_COPIED = frozenset({"audit", "__pycache__", "build.py", samples.FILE})
SEED_BITS = 128
"""Too many for anyone to try them all."""
WIDTH = 120
"""Columns of the questions in the blank case."""


def names() -> tuple[str, ...]:
    """What `--template` takes: `blank`, and every sample case."""
    return (BLANK, *samples.names())


def start(folder: Path, template: str) -> tuple[Path, ...]:
    """Put a case into `folder`, which must not exist or be empty; the files written.

    The blank case gets a fresh 128-bit seed, and asks what the controller can attest; nothing is attested in it. A sample case is
    copied as it is, its published seed included: it shows how an audit reads, and its certificate would protect nobody.

    Raises:
        UsageError: If there is no such template, or the folder holds something already.
    """
    if template not in names():
        raise UsageError(f"--template: expected {BLANK} or a sample case, found {template}; the sample cases are\n{_listed()}")
    _require_empty(folder)
    _place(folder, dict(_blank() if template == BLANK else _sample(template)), shared=True)
    return tuple(sorted(path for path in folder.rglob("*") if path.is_file()))


def fresh_seed() -> int:
    """Draw a seed of 128 bits, the first of them set."""
    return secrets.randbits(SEED_BITS) | (1 << (SEED_BITS - 1))


def _listed() -> str:
    width = max(map(len, samples.names())) + 2
    return "\n".join(f"  {each.name:<{width}}{each.purpose}" for each in samples.every())


_OF_EVERY_LOG: Final = frozenset(
    {
        LOG_COMPLETE,
        PREPROCESSING,
        "requests-fixed",
        "subjects-complete",
        "copies-are-others",
        UNREAD,
        NOTHING_HELD,
        REFUSALS,
        LINEAGE,
    }
)
"""What a case with a log and a procedure may be asked about, whichever it is."""
_OF_USE: Final[Mapping[str, frozenset[str]]] = {
    "certified-removal": frozenset({"seed-secret", RESIDUAL}),
    "estimator": frozenset({CODE_CLEAN, HONEST}),
}
"""What the procedures of new cases add to that."""


def asked(use: str, *, model: bool) -> tuple[str, ...]:
    """Name what the checks of a new case can ask its controller about, in the order in which a controller is asked.

    Args:
        use: The procedure that it declares.
        model: Whether it names the file about to be released.
    """
    names = {*_OF_EVERY_LOG, *_OF_USE[use], *(() if model else (RELEASED,))}
    return tuple(name for name in attestations.WORDS if name in names)


def questions(use: str, *, model: bool) -> Iterator[str]:
    """Ask about each thing that such a case may need attested: what it says, what follows where not, the name to uncomment.

    All other names are in the last line.
    """
    names = asked(use, model=model)
    for name in names:
        word = attestations.WORDS[name]
        for said in (word.means, f"If not: {word.otherwise[0].lower()}{word.otherwise[1:]}"):
            yield from textwrap.wrap(said, width=WIDTH, initial_indent="    # ", subsequent_indent="    #   ")
        yield f'    # "{name}",'
    others = ", ".join(name for name in attestations.WORDS if name not in names)
    yield f"    # Only other kinds of case ask for these (docs/cases.md#what-only-the-controller-can-know): {others}"


def _sample(name: str) -> Iterator[tuple[str, bytes]]:
    """The files of a sample case, but for what an audit or a test of ours put there."""
    folder = sample_models() / name
    for path in sorted(folder.rglob("*")):
        within = path.relative_to(folder)
        if path.is_file() and not _NOT_COPIED & {*within.parts}:
            yield within.as_posix(), path.read_bytes()


def _blank() -> Iterator[tuple[str, bytes]]:
    for source in sorted((templates() / "case").iterdir()):
        text = source.read_text(encoding="utf-8").replace("@SEED@", str(fresh_seed()))
        yield source.name, text.replace("@QUESTIONS@", "\n".join(questions("certified-removal", model=True))).encode()


_COLUMN: Final = 46


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """Everything that the file says."""

    name: str
    train: str
    id: Guess
    label: Guess
    task: Guess
    person: Guess | None
    inputs: tuple[str, ...] | None
    """Columns that the procedure gets; None for all without a role."""
    left_out: tuple[str, ...]
    """The others."""
    store: str | None
    holdout: str | None
    model: str | None
    part: str | None
    entry: str
    prepare: str | None
    log: str | None
    loop: bool = False
    """Whether the entry is a `TrainingLoop` out of a script."""
    shape: tuple[int, ...] | None = None
    """Of a row of an npz file, which has neither columns nor their names."""
    timezone: str | None = None
    """In whose calendar deadlines are counted."""
    released: str = ""
    """How the file that is released has to be trained."""


def text(found: Found) -> str:
    """Write the file, with a fresh seed of 128 bits."""
    return "\n".join(_lines(found)) + "\n"


def _part_lines(found: Found) -> Iterator[str]:
    """The part of what the rerun makes that the file holds, or a line that names it for a file that is still to be named."""
    prepared_apart = "what build gives, without what prepares its rows"
    if found.part is not None:
        why = prepared_apart if found.part == WHOLE_ESTIMATOR else "the last step of the pipeline, which the file holds"
        yield _key("part", found.part, f"taken: {why}")
    elif found.model is None and found.prepare is not None and not found.loop:
        yield f'# part = "{WHOLE_ESTIMATOR}"   # for a file of {prepared_apart}'


def _lines(found: Found) -> Iterator[str]:
    yield '# A case for `auditor check`, written by `auditor init --from`. What follows "taken" was guessed: see that it is so.'
    yield "# Keep this file to yourselves: anyone who knows its seed can tell what certificates hide."
    yield from ("", "[case]", _key("name", found.name, "as it should read on the report"))
    for key, says in _TOLD:
        yield f"# {key} = {says}"
    yield from ("", "[data]", _key("train", found.train, "what the model was first trained on, deleted records included"))
    if found.shape is None:
        yield _key("id", found.id.value, f"taken: {found.id.why}")
        yield _key("label", found.label.value, f"taken: {found.label.why}")
    elif len(found.shape) > 1:
        yield f"shape = {list(found.shape)}"
    yield _key("task", found.task.value, f"taken: {found.task.why}")
    if found.person is not None:
        yield _key("person", found.person.value, f"taken: {found.person.why}")
    if found.inputs is not None:
        yield f"inputs = {json.dumps(list(found.inputs), ensure_ascii=False)}"
        yield f"# taken: the procedure does not get {', '.join(found.left_out)}"
    yield _file("store", found.store, "store.csv", "what you keep now: searched for the deleted records")
    yield _file("holdout", found.holdout, "holdout.csv", "records that the model never saw: for accuracy, and for attacks")
    yield from ("", "[model]" if found.model else "# [model]")
    yield _file("path", found.model, "model.txt", "the file about to be released; without one, the procedure alone is audited")
    yield from _part_lines(found)
    yield from textwrap.wrap(found.released, width=WIDTH, initial_indent="# ", subsequent_indent="#   ", break_on_hyphens=False)
    if found.loop:
        yield from ("", "[procedure]", _key("entry", found.entry, "trains as your script does, and again for a deletion"))
    else:
        yield from ("", "[procedure]", 'use = "estimator"', _key("entry", found.entry, "build(seed) gives an unfitted estimator"))
        if found.prepare is not None:
            yield _key("prepare", found.prepare, "what the script does between its table and fit, on each training's rows")
        yield _key("unlearn", "retrain", "a deletion is answered by training again on what is left")
    yield f'seed = "{fresh_seed()}"   # drawn for this case; replace it by the one that trained your model'
    yield from ("", "[deletions]")
    yield _key(
        "log", found.log or "deletions.jsonl", "one erasure request a line" if found.log else "not there yet: auditor log import"
    )
    if found.timezone is not None:
        yield _key("timezone", found.timezone, "as --timezone says: deadlines are counted in its calendar")
    yield from ("", "[claims]", "# retraining = true                          # do you train again without the deleted records?")
    yield "# What no audit can find out: is each of these true? Uncomment what is, and say who answers for it and since when."
    yield "# What nobody attests counts as unknown. Attest nothing that you have not made sure of."
    yield from ("attested = [", *questions("estimator", model=found.model is not None), "]")
    yield '# attested_by = "name and office of the person who answers for it"'
    yield "# attested_at = 2026-01-31"
    yield from ("", "[policy]", *_policy(found.task.value))


def _policy(task: str) -> list[str]:
    """What is to be said of the policy of a new case: it lists nothing, so that all that applies is required."""
    if task == "regression":
        return textwrap.wrap(NO_CLASSES, width=WIDTH, initial_indent="# ", subsequent_indent="#   ")
    return ["# max_accuracy_drop = 0.02                   # what else has to hold: docs/reference.md"]


NO_CLASSES: Final = (
    "A regression has no classes: the SWAP test cannot be played and accuracy is not measured. An audit of it can pass only "
    "where release.exact passes, that is where training without the deleted records gives the very same model; otherwise it "
    "stays inconclusive, with swap.quality and swap.controls open."
)
_TOLD: Final[Sequence[tuple[str, str]]] = (
    ("release", '"2026.1"'),
    ("controller", '"name of the controller"'),
    ("contact", '"where a person can write to you; letters need it"'),
    ("authority", '"name and address of your supervisory authority; letters under eu need it"'),
)


def _key(key: str, value: str, says: str) -> str:
    # JSON's text is TOML's, but for two characters that both may escape.
    line = f"{key} = {json.dumps(value, ensure_ascii=False)}"
    return f"{line:<{_COLUMN}} # {says}"


def _file(key: str, name: str | None, usual: str, says: str) -> str:
    return _key(key, name, says) if name else f"# {_key(key, usual, says)}"


__all__ = ["Begun", "Given", "Log", "Tickets", "begin"]

_MOST_IDS: Final = 4
_WRITTEN: Final = {"build.py", "auditor_build.py"}
_TASKS: Final = ("classification", "regression")


@dataclass(frozen=True, slots=True)
class Log:
    """A log for the case, and how it came about."""

    content: bytes
    people: str | None = None
    """The column of the data that tickets name people by; None where they name records."""
    requests: int | None = None
    """How many an export became; None of a log that is one already."""
    head: str | None = None
    """The last hash of the chain that they were given."""
    said: tuple[str, ...] = ()
    """Which columns were taken for what, and what was left out, a line each."""
    provenance: bytes | None = None
    """What of an export is not in the log, and how it was read; None of a log that is one already."""
    ending: str = ".jsonl"
    """Of the name that its content has."""


class Tickets(Protocol):
    """An export of tickets, or a log, with what was told about it."""

    def values(self) -> frozenset[str]:
        """Everything that its cells hold, one by one: ids of records are among them; empty where it is no table."""
        ...

    def log(self, data: Table, id_column: str) -> Log:
        """Turn it into a log about the data, whose ids are in that column."""
        ...

    def alone(self) -> Log:
        """Turn it into a log where no table says whose records are whose."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Given:
    """What a case is to be made of; None for what was not told."""

    code: str
    """`model.py:build` or `model.py`."""
    data: Path
    log: Tickets | None = None
    id: str | None = None
    label: str | None = None
    task: str | None = None
    store: Path | None = None
    holdout: Path | None = None
    model: Path | None = None
    timezone: str | None = None
    """Of the tickets."""
    pickled: Callable[[Path], pickles.Answers] | None = None
    """Asks a process of the sandbox what a pickled file holds."""


@dataclass(frozen=True, slots=True)
class Begun:
    """A case that was written."""

    files: tuple[Path, ...]
    taken: tuple[tuple[str, str, str], ...]
    """What was guessed: the key of audit.toml, what was taken, and why."""
    said: tuple[str, ...]
    """What became of the code, a line each."""
    log: Log | None
    """None where there is none."""
    carried: tuple[Line, ...] = ()
    """Statements of the script between its table and its model, and the file that each went into."""
    not_carried: tuple[Line, ...] = ()
    """The others, and why."""
    released: str = ""
    """How the file that is released has to be trained."""


def begin(folder: Path, given: Given) -> Begun:
    """Write a case.

    Args:
        folder: A new or empty folder.
        given: What to make it of; nothing of the code is run.

    Raises:
        InputError: If anything cannot be read, or cannot be told; nothing stays behind.
        UsageError: If the folder is not empty or cannot be written, or an option does not fit.
        StorageError: If it cannot be written for another reason.
    """
    _require_empty(folder)
    if given.task is not None and given.task not in _TASKS:
        raise UsageError(f"--task: expected {' or '.join(_TASKS)}, found {given.task}")
    script, code, data, changed_in = _both(given)
    roles_found, log, account = _understood(given, script, code, data)
    by_id, by_label, _ = (each.value for each in roles_found)
    task, people = roles_found[2].value, None if log is None else log.people
    if code is None:
        if script is None or account is None or account.build is None:
            raise AssertionError("a script whose model is written out of statements has an account of them")
        code = script.script.written(account.build, account.built)
    elif script is not None and account is None:
        following.refuse_texts(
            code, script.script, data, frozenset({by_id, by_label, *((people,) if people else ())}), code.dropped
        )
    if code.answers is not None:
        pickles.require(code.answers, data, by_label, people)
    found = _found(folder, given, code, data, roles_found, log, account, script)
    train, changed = tables.with_text(data.source, _ids(found))
    written = {} if script is None or account is None or account.prepare is None else _prepared(account.prepare, script, code)
    if script is not None:
        following.refuse_files({name: code.files[name] for name in _WRITTEN & code.files.keys()} | written, script.script)
    files = {"audit.toml": text(found).encode(), found.train: train, **dict(_files(found, given, code, log, script)), **written}
    if code.write is not None:
        files |= code.write(data, found.id.value, found.label.value, _features(found, data))
    _place(folder, files, readable=log is not None)
    taken = [("data.id", found.id), ("data.label", found.label), ("data.task", found.task)]
    taken += [("data.person", found.person)] if found.person is not None else []
    listed = [(key, guess.value, guess.why) for key, guess in taken]
    if found.inputs is not None:
        why = "the procedure does not get what names people or is dropped"
        listed.append(("data.inputs", f"all but {', '.join(found.left_out)}", why))
    said = (
        *(f"{found.train}: {each}" for each in changed_in),
        *(f"{found.train}: {name} is written as text, as ids are in a log" for name in changed),
        *code.said,
        *((f"{prepared.PREPARED}: written, out of {Path(given.code.partition(':')[0]).name}",) if written else ()),
        *((NO_CLASSES,) if task == "regression" else ()),
    )
    done = ((), ()) if account is None else (account.carried, account.not_carried)
    return Begun(tuple(folder / name for name in files), tuple(listed), said, log, *done, released=found.released)


def _prepared(content: str, script: Followed, code: Code) -> dict[str, bytes]:
    """prepare.py, with what it imports from alongside the script.

    Raises:
        InputError: If that cannot be taken, or something else is called so.
    """
    beside = build_files.alongside(content.encode(), script.script.path)
    if prepared.PREPARED in {*beside, *code.files}:
        raise InputError(
            [Problem(prepared.PREPARED, "", "no module of that name alongside the script: it is what is written", "one")]
        )
    return {**beside, prepared.PREPARED: content.encode()}


def _both(given: Given) -> tuple[Followed | None, Code | None, Table, tuple[str, ...]]:
    """The script, the function that builds its model if there is one, the table as it reads it, with the problems of all."""
    for option, path in (("data", given.data), ("store", given.store), ("holdout", given.holdout), ("model", given.model)):
        if path is not None and path.is_dir():
            raise UsageError(f"--{option}: expected a file, found the folder {path}")
    if given.model is not None and given.model.suffix.lower() in pickles.ENDINGS:
        name = given.model.name
        expected = (
            f"a file that is read without being run: --from {name}, without --model, writes model.skops of the pipeline in it"
        )
        raise UsageError(f"--model: expected {expected}, or skops.io.dump(model, 'model.skops') in your script, found {name}")
    problems: list[Problem] = []
    script: Followed | None = None
    code: Code | None = None
    data: tuple[Table, tuple[str, ...]] | None = None
    try:
        code = _training(given)
        script = None if code is not None else following.follow(reading.parsed(given.code))
    except InputError as error:
        problems += error.problems
    try:
        source = read_source(given.data, given.data.name, limit=limit_of(given.data))
        if script is not None:
            data = script.read(source)
        else:
            whole, changed = (source, ()) if code is None or code.answers is None else as_read.guessed(source)
            data = tables.of(whole), changed
    except InputError as error:
        problems += error.problems
    if script is not None and data is not None:
        try:
            code = script.code()
        except InputError as error:
            problems += error.problems
    if problems or (script is None and code is None) or data is None:
        raise InputError(problems)
    return script, code, *data


def _training(given: Given) -> Code | None:
    """The training of a PyTorch script, or what a pickled file holds; None for a script that fits an estimator."""
    path = Path(given.code)
    if path.suffix.lower() in pickles.ENDINGS and given.pickled is not None:
        answers = given.pickled(path)
        return Code("build.py:build", {"build.py": answers.code}, answers.said, task=answers.task, answers=answers)
    if path.suffix != ".py" or not path.is_file():
        return None
    source = read_source(path, path.name, limit=reading.MOST_BYTES)
    if not torch_scripts.trains(source.data):
        return None
    script = torch_scripts.read(path, source.data, given.data.name)
    labels = () if script.label is None else (script.label,)
    return Code(script.entry, {}, script.said, labels, script.dropped, script.task, script.write)


def _of_pickle(code: Code) -> bytes | None:
    """The model of a pickled file, without pickled objects."""
    return None if code.answers is None else code.answers.skops


def _features(found: Found, data: Table) -> tuple[str, ...]:
    """Columns that a procedure gets, in order."""
    return found.inputs or tuple(name for name in data.columns if name not in {*_ids(found), found.label.value})


def _understood(
    given: Given, script: Followed | None, code: Code | None, data: Table
) -> tuple[tuple[Guess, Guess, Guess], Log | None, Account | None]:
    """What columns are for, the log, and what becomes of the script's statements.

    Raises:
        InputError: If something of it cannot be told, with all that cannot.
    """
    problems: list[Problem] = []
    found: tuple[Guess, Guess, Guess] | None = None
    log: Log | None = None
    account: Account | None = None
    try:
        found = _roles(given, script, code, data)
    except InputError as error:
        problems += error.problems
    if given.log is not None:
        try:
            log = given.log.log(data, _likely_id(data) if found is None else found[0].value)
        except InputError as error:
            problems += error.problems
    people = None if log is None else log.people
    if script is not None and found is not None:
        by_id, label, task = (each.value for each in found)
        try:
            account = script.account(by_id=by_id, label=label, person=people, task=task, builds=code is None)
        except InputError as error:
            problems += error.problems
    elif script is not None:
        problems += _of_statements(script, data, people, builds=code is None)
    if problems or found is None:
        raise InputError(problems)
    return found, log, account


def _likely_id(data: Table) -> str:
    """A column to read the log by where nobody has said which holds ids: only to name what is wrong with the log as well."""
    names = [*data.columns]
    return next((name for name in names if data.tells_apart(name)), names[0])


def _of_statements(script: Followed, data: Table, people: str | None, *, builds: bool) -> list[Problem]:
    """What is wrong with statements whichever column holds ids, where nobody has said which does."""
    found: list[Problem] | None = None
    for name in [name for name in data.columns if data.tells_apart(name)][:_MOST_IDS] if script.label else ():
        try:
            script.account(
                by_id=name, label=script.label or "", person=people, task=script.script.task() or "classification", builds=builds
            )
        except InputError as error:
            found = [each for each in error.problems if found is None or each in found]
        else:
            return []
    return found or []


def _roles(given: Given, script: Followed | None, code: Code | None, data: Table) -> tuple[Guess, Guess, Guess]:
    """Ids, labels and task.

    Raises:
        InputError: If one cannot be told, with all that cannot.
    """
    problems: list[Problem] = []
    by_code = None if code is None else code.task
    said = by_code if script is None else script.script.task()
    if data.shape is not None:
        told = None if given.task is None else Guess(given.task, "as --task says")
        ids, labels = (Guess(name, "the array of that name") for name in tables.ARRAYS)
        return ids, labels, told or Guess(*roles.task_of(data, labels.value, said))
    named = frozenset[str]() if given.log is None else given.log.values()
    index = None if script is None else script.index_column()
    if given.id:
        by_id = roles.told(data, "--id", given.id, problems)
    else:
        by_id = Guess(index, "the script makes it the index") if index else roles.id_column(data, named, problems)
    taken = () if by_id is None else (by_id.value,)
    used = (script.label,) if script is not None and script.label else () if code is None else code.labels
    by_label = (
        roles.told(data, "--label", given.label, problems) if given.label else roles.label_column(data, used, taken, problems)
    )
    if problems or by_id is None or by_label is None:
        raise InputError(problems)
    if given.task is not None:
        return by_id, by_label, Guess(given.task, "as --task says")
    return by_id, by_label, Guess(*roles.task_of(data, by_label.value, said))


def _found(
    folder: Path,
    given: Given,
    code: Code,
    data: Table,
    found: tuple[Guess, Guess, Guess],
    log: Log | None,
    account: Account | None,
    script: Followed | None,
) -> Found:
    by_id, by_label, task = found
    person = None if log is None or log.people is None else Guess(log.people, "tickets name people by it")
    roles_taken = {by_id.value, by_label.value, *((person.value,) if person else ())}
    fitted = None if code.answers is None else code.answers.features
    if account is not None:
        inputs = account.inputs
    elif fitted is not None:
        inputs = fitted  # in the order that it was fitted with
    else:
        dropped = [name for name in data.columns if name in code.dropped and name not in roles_taken]
        inputs = tuple(name for name in data.columns if name not in roles_taken and name not in dropped) if dropped else None
    left_out = (
        () if inputs is None else tuple(name for name in data.columns if name not in {*inputs, by_id.value, by_label.value})
    )
    # A column with a role is no feature, so that nobody has to list the others for its sake.
    return Found(
        name=folder.resolve().name,
        train=f"train{given.data.suffix.lower()}",
        id=by_id,
        label=by_label,
        task=task,
        person=person,
        inputs=inputs,
        left_out=left_out,
        store=_named("store", given.store),
        holdout=_named("holdout", given.holdout),
        model=_named("model", given.model) or (pickles.RELEASED if _of_pickle(code) else None),
        part=_part(given, script, account),
        entry=code.entry,
        prepare=None if account is None or account.prepare is None else prepared.PREPARED,
        loop=code.write is not None,
        shape=data.shape,
        log=None if log is None else "deletions.jsonl",
        timezone=given.timezone,
        released=_released(code),
    )


def _released(code: Code) -> str:
    """How the file that is released has to be trained."""
    if code.write is not None:
        return released.of_loop(seeded=torch_scripts.SEEDED in code.said)
    content = code.files.get(code.entry.partition(":")[0])
    return "" if content is None else released.way(code.entry, content)


def _part(given: Given, script: Followed | None, account: Account | None) -> str | None:
    """The part of what the rerun makes that the model file holds; None where that is all of it."""
    if script is None or given.model is None:
        return None
    if following.named_file(given.model) and script.part is not None:
        return script.part
    of_library = given.model.suffix.lower() in ENDINGS
    return WHOLE_ESTIMATOR if of_library and account is not None and account.prepare is not None else None


def _named(name: str, path: Path | None) -> str | None:
    return None if path is None else f"{name}{path.suffix.lower()}"


def _ids(found: Found) -> tuple[str, ...]:
    """Columns that hold ids of records or people."""
    return (found.id.value, *((found.person.value,) if found.person else ()))


def _files(found: Found, given: Given, code: Code, log: Log | None, script: Followed | None) -> Iterator[tuple[str, bytes]]:
    for name, path in ((found.store, given.store), (found.holdout, given.holdout), (found.model, given.model)):
        if name is not None and path is not None:
            source = read_source(path, path.name, limit=limit_of(path))
            if path is not given.model and (script is not None or code.answers is not None):
                source, _ = as_read.guessed(source) if script is None else as_read.rewritten(source, script.reading)
            yield name, tables.with_text(source, _ids(found))[0]
    if log is not None:
        yield "deletions.jsonl", log.content
        if log.provenance is not None:
            yield "deletions.import.json", log.provenance
    yield from code.files.items()
    if given.model is None and (content := _of_pickle(code)) is not None:
        yield pickles.RELEASED, content


def _require_empty(folder: Path) -> None:
    """Refuse a folder that holds anything but what a killed process of ours left there, which goes.

    Raises:
        UsageError: If it does, or is a file.
    """
    if folder.is_dir():
        _remove_left(folder, folder.absolute().name)
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise UsageError(f"{folder}: expected a new or empty folder, found one with files in it")


def _remove_left(around: Path, name: str) -> None:
    """Remove what processes that have ended left half made there, under temporary names for this one."""
    for left in around.glob(f".{glob.escape(name)}.*.partial"):
        marked = left.name.removeprefix(f".{name}.").partition(".")[0]
        if re.fullmatch(process_marks.MARK, marked) and process_marks.has_ended(marked):
            shutil.rmtree(left, ignore_errors=True)


def _place(folder: Path, files: Mapping[str, bytes], *, shared: bool = False, readable: bool = False) -> None:
    """Write every file of a case under another name, and only then put all of them where they belong.

    Args:
        folder: Where it is to lie; new or empty.
        files: By name in it.
        shared: Whether others may read the files; what declares the case, and may hold a seed, is its owner's alone all the same.
        readable: Whether the case is whole, and is read before it is put in place: without a log it is not yet.

    Raises:
        UsageError: If it cannot be written there, for what it is called or where it lies; nothing stays behind.
        StorageError: If it cannot be for another reason, such as a full disk.
        InputError: If it cannot be read.
    """
    try:
        with _made(folder, shared=shared) as made:
            for name, content in files.items():
                write_new(made / name, content, shared=shared and name != DECLARED)
            if readable:
                cases.read(made)
    except OSError as error:
        # Not where it was written meanwhile, which nobody asked for.
        raise unwritten(OSError(error.errno, error.strerror, str(folder))) from error


@contextmanager
def _made(folder: Path, *, shared: bool) -> Iterator[Path]:
    """A folder that takes the place of `folder` at the end; one that is there, perhaps somebody's working directory, stays.

    Raises:
        OSError: If something cannot be made or renamed.
    """
    there, name = folder.exists(), folder.absolute().name
    around = folder if there else folder.parent
    around.mkdir(parents=True, exist_ok=True)
    _remove_left(around, name)
    if there and any(around.iterdir()):
        raise OSError(errno.ENOTEMPTY, os.strerror(errno.ENOTEMPTY), str(folder))  # somebody was quicker
    made = temporary_name(around / name)
    put: list[Path] = []
    make_folder(made, shared=shared)
    try:
        yield made
        for source, target in [(each, folder / each.name) for each in sorted(made.iterdir())] if there else [(made, folder)]:
            source.rename(target)
            put.append(target)
    except BaseException:
        for path in put:
            if path.is_dir():
                shutil.rmtree(path, ignore_errors=True)
            else:
                path.unlink(missing_ok=True)
        raise
    finally:
        shutil.rmtree(made, ignore_errors=True)
