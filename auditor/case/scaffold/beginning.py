"""A case out of a user's own code, table and tickets."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from auditor.base.domain import Problem
from auditor.base.errors import InputError, UsageError
from auditor.base.model_formats import ENDINGS, WHOLE_ESTIMATOR
from auditor.case.files import read_source
from auditor.case.log_values import looks_like_an_address
from auditor.case.scaffold import as_read, build_files, following, pickles, prepared, released, roles, tables, torch_scripts
from auditor.case.scaffold import code as reading
from auditor.case.scaffold.code import Code
from auditor.case.scaffold.declaring import NO_CLASSES, Found, text
from auditor.case.scaffold.following import Followed
from auditor.case.scaffold.placing import place, require_empty
from auditor.case.scaffold.prepared import Account
from auditor.case.scaffold.roles import Guess
from auditor.case.scaffold.steps import Line
from auditor.case.scaffold.tables import Table
from auditor.case.scaffold.tickets import Log, Tickets
from auditor.case.tables import limit_of

_MOST_IDS: Final = 4


_WRITTEN: Final = {"build.py", "auditor_build.py"}


_TASKS: Final = ("classification", "regression")


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
    addresses: str | None = None
    """The column of ids, where they look like e-mail addresses."""


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
    require_empty(folder)
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
    place(folder, files, readable=log is not None)
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
    addresses = by_id if any(map(looks_like_an_address, data.columns[by_id])) else None
    written_to = tuple(folder / name for name in files)
    return Begun(written_to, tuple(listed), said, log, *done, released=found.released, addresses=addresses)


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
        # What the log says of itself is met again where its ids are read.
        raise InputError(list(dict.fromkeys(problems)))
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
        released=_released(code, given=given.model is not None),
    )


def _released(code: Code, *, given: bool) -> str:
    """How the file that is released has to be trained."""
    if code.write is not None:
        return released.of_loop(seeded=torch_scripts.SEEDED in code.said, given=given)
    content = code.files.get(code.entry.partition(":")[0])
    return "" if content is None else released.way(code.entry, content, given=given)


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
