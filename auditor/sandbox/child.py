"""The process that runs the audited procedure: `python -P -s -m auditor.sandbox.child FD`, or the launcher once contained.

It alone loads code of a case, by `auditor.sandbox.entries`. It reads requests from the socket FD, a JSON object a line, runs one
method for each, writes arrays and bytes into the scratch folder, and replies with a line. Its stdin, stdout and stderr belong
to the procedure. It imports NumPy and the nouns of the audit only: whatever else is loaded is what the procedure loads.

It checks nothing that it returns, and times nothing: foreign code runs in this very process, so only the auditor's own checks
and the auditor's own clock count.
"""

from __future__ import annotations

import copy
import ctypes
import errno
import importlib
import json
import os
import resource
import signal
import socket
import sys
import traceback
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from auditor.base import processors
from auditor.base.records import Dataset, aligned
from auditor.sandbox import mapped_rows, signatures
from auditor.sandbox.entries import NoAnswerError, build, class_at, requester_named

_PR_SET_PDEATHSIG = 1
_PACKAGE = Path(__file__).parent.parent
_CHECKPOINTS = ("checkpoint_to", "checkpoint_from")
"""Attributes of a class, None, by which it says that it can resume a training."""
_WRITABLE = (
    "in the sandbox code can write to its working directory alone, where tempfile makes its files too; name files and folders "
    "there by relative paths, and leave none that hold what earlier trainings computed: a Pipeline passes with memory=None"
)
_OPEN_FILES = 1024
_CPU_SLACK_S = 60
_CPU_MOST_S = 2**31  # beyond any run, and within what every kernel takes


class _Child:
    """A procedure, the records that it learns from, the rows that it is asked about, and the models that it made."""

    def __init__(self, procedure: Any, train: Any, asked: Mapping[str, Any], scratch: Path, requester: str | None) -> None:
        self._procedure = procedure
        self._named_requester = requester
        self._train, self._asked = train, asked
        self._scratch = scratch
        self._inputs, self._answers = scratch / "inputs", scratch / "answers"
        self._saved = set[str]()
        """Folders that the sandbox made for what the procedure saves."""
        self._models: dict[str, Any] = {}

    def resumes(self) -> bool:
        """Whether the class of the procedure says that it can write checkpoints and go on from them."""
        kind = type(self._procedure)
        return hasattr(self._procedure, "__dict__") and all(getattr(kind, name, kind) is None for name in _CHECKPOINTS)

    def answer(self, message: Mapping[str, Any]) -> dict[str, Any]:
        """Run one step: whether it is supported, and facts."""
        own: Mapping[str, Callable[[Mapping[str, Any]], dict[str, Any]]] = {
            "drop": self._drop,
            "device": _use_device,
            "together": self._together,
            "survey": self._survey,
            "modules": self._modules,
            "walk": self._walk,
            "predict-rows": self._predict_rows,
            "play": self._of_requester,
            "guess": self._of_requester,
            "activate": self._activate,
            "contents": self._contents,
        }
        if message["step"] in own:
            return own[message["step"]](message)
        if message["step"] == "save":  # the sandbox makes it before it knows whether the procedure can save
            self._saved.add(self._folder_for_saving(message).relative_to(self._scratch).as_posix())
        method = getattr(self._procedure, message["step"], None)
        if method is None:
            return {"supported": False, "facts": {}}
        if message["step"] == "load":
            return self._load(method, message)
        return self._make(method, message) if "into" in message else self._tell(method, message)

    def _drop(self, message: Mapping[str, Any]) -> dict[str, Any]:
        del self._models[message["model"]]
        return {"supported": True, "facts": {}}

    def _tell(self, method: Callable[..., Any], message: Mapping[str, Any]) -> dict[str, Any]:
        """Run predict, parameters, state or save, and write what comes of it."""
        name, number = message["step"], message["number"]
        model = self._models[message["model"]]
        if name == "predict":
            rows = self._features(message, self._positions(number))
            try:
                value = method(model, rows)
            except Exception as error:
                if not message.get("may_raise", False):
                    raise
                return _refused(type(error).__name__)
            self._write_array(f"{number}.npy", value)
        elif name == "parameters":
            value = method(model)
            self._write_array(f"{number}.npy", value)
        elif name == "state":
            value = method(model)
            if not isinstance(value, bytes | bytearray | memoryview):
                raise NoAnswerError(f"expected bytes, found {type(value).__name__}")
            (self._answers / f"{number}.bin").write_bytes(value)
        else:
            method(model, str(self._folder_for_saving(message) / "model"))
        return {"supported": True, "facts": {}}

    def _folder_for_saving(self, message: Mapping[str, Any]) -> Path:
        return self._answers / f"{message['number']}.saved"

    def _make(self, method: Callable[..., Any], message: Mapping[str, Any]) -> dict[str, Any]:
        """Run learn, unlearn or refit and keep the model.

        Each of them reads positions, takes a subset of the records and copies one model: the auditor times all of it, and what is
        not the procedure's own must weigh the same on both sides of a comparison.
        """
        positions = self._positions(message["number"])
        # While a table is there, the next one lies elsewhere.
        tables = [self._subset(positions["rows"]) for _ in range(2 if message.get("elsewhere") else 1)]
        data = tables[-1]
        seed = int(message["seed"])
        if message["step"] == "learn":
            with self._checkpoints(message):
                model = method(data, seed)
            with suppress(Exception):  # what cannot be copied can be learned all the same
                copy.deepcopy(model)
        else:
            # A copy: many procedures change the model that they are given, and the old one is still to be asked about.
            old = copy.deepcopy(self._models[message["model"]])
            arguments = (old, data, positions["forget"]) if message["step"] == "unlearn" else (old, data)
            with self._checkpoints(message):
                model = method(*arguments, seed)
        return {"supported": True, "facts": self._keep(message["into"], model)}

    def _subset(self, rows: Any) -> Any:
        """The records at some positions, a copy."""
        if not isinstance(self._train, Dataset):
            return self._train.subset(rows)
        let_go = partial(mapped_rows.let_go, self._train.features)
        let_go()
        return self._train.subset(rows, copied=let_go)

    @contextmanager
    def _checkpoints(self, message: Mapping[str, Any]) -> Iterator[None]:
        """Say where a checkpoint may be written while a training lasts, and where one to go on from lies."""
        if "resume" not in message:
            yield
            return
        name = f"{message['number']}.checkpoint"
        self._procedure.checkpoint_to = self._answers / name
        self._procedure.checkpoint_from = self._inputs / name if message["resume"] else None
        try:
            yield
        finally:
            # Not so much as a name stays on the object, so that its state compares as before.
            for each in _CHECKPOINTS:
                vars(self._procedure).pop(each, None)

    def _of_requester(self, message: Mapping[str, Any]) -> dict[str, Any]:
        """Play games, or ask the requester which world what they released comes from."""
        from auditor.sandbox import playing  # noqa: PLC0415 - few processes play

        facts: dict[str, float | bool | str] = {}
        try:
            requester = self._requester()
            train = replace(self._train, features=aligned(self._train.features))
            if message["step"] == "play":
                rules = playing.Rules(message["rounds"], message["seen"], message["longest"])
                arena = playing.Arena(self._procedure, requester, train, rules)
                seeds, draws = ([int(each) for each in message[name]] for name in ("seeds", "draws"))
                value = playing.play(arena, message["worlds"], seeds, draws)
                facts = arena.facts()
            else:
                value = playing.guess(requester, train, self._positions(message["number"])["released"])
        except playing.GameError as error:
            raise NoAnswerError(str(error)) from error
        self._write_array(f"{message['number']}.npy", value)
        return {"supported": True, "facts": facts}

    def _activate(self, message: Mapping[str, Any]) -> dict[str, Any]:
        """Have a whole controller play histories."""
        from auditor.sandbox import controlling  # noqa: PLC0415 - few processes play

        number = message["number"]
        plays = json.loads((self._inputs / f"{number}.json").read_bytes())
        try:
            facts, states = self._procedure.play(plays, message["seconds"], shows_state=message["shows_state"])
        except controlling.ControllerError as error:
            traceback.print_exc()
            raise NoAnswerError(str(error)) from error
        self._write_packed(number, facts, states)
        return {"supported": True, "facts": {}}

    def _contents(self, message: Mapping[str, Any]) -> dict[str, Any]:
        """Everything that the controller of the last history holds."""
        from auditor.sandbox.object_contents import contents  # noqa: PLC0415 - few processes are asked for it

        listed, pieces, cut = contents(self._procedure.controller, self._scratch)
        if said := self._procedure.kept_by_kernel():
            listed.append(["what the kernel keeps", len(said)])
            pieces.append(said)
        self._write_packed(message["number"], [listed, cut], pieces)
        return {"supported": True, "facts": {}}

    def _write_packed(self, number: int, facts: Sequence[Any], contents: Sequence[bytes]) -> None:
        from auditor.sandbox.activations import packed  # noqa: PLC0415 - few processes play

        with (self._answers / f"{number}.bin").open("wb") as file:
            file.writelines(packed(facts, contents))

    def _requester(self) -> Any:
        """The requester object: one of ours by name, or an object of the class at a path."""
        named = self._named_requester
        if named is None:
            raise NoAnswerError("expected a requester, found none")
        if ":" in named:
            return class_at(named, "controller_requester")()
        return requester_named(named)()

    def _load(self, method: Callable[..., Any], message: Mapping[str, Any]) -> dict[str, Any]:
        """Make a model from the file that the auditor wrote. That it is refused is an answer: it may be no file of its own."""
        path = self._inputs / f"{message['number']}.model" / "model"
        try:
            model = method(str(path))
        except Exception as error:  # noqa: BLE001 - whatever it is, it is reported
            return _refused(type(error).__name__)
        if model is None:
            return _refused("nothing came back")
        self._models[message["into"]] = model
        return {"supported": True, "facts": {}}

    def _survey(self, message: Mapping[str, Any]) -> dict[str, Any]:
        """Which optional methods there are, and what could outlast an update."""
        from auditor.sandbox import state_probe  # noqa: PLC0415 - few processes are asked for it

        found = state_probe.look(self._procedure, self._scratch)
        (self._answers / f"{message['number']}.json").write_text(json.dumps(found), encoding="utf-8")
        offers = {name: callable(getattr(self._procedure, name, None)) for name in ("parameters", "save", "load")}
        return {"supported": True, "facts": offers}

    def _modules(self, message: Mapping[str, Any]) -> dict[str, Any]:
        """The files of everything that is loaded by now."""
        files = {getattr(module, "__file__", None) for module in list(sys.modules.values())}
        found = sorted(name for name in files if isinstance(name, str))
        (self._answers / f"{message['number']}.json").write_text(json.dumps(found), encoding="utf-8")
        return {"supported": True, "facts": {}}

    def _walk(self, message: Mapping[str, Any]) -> dict[str, Any]:
        """Everything that the model, the procedure and the case's modules hold."""
        from auditor.sandbox import object_walk  # noqa: PLC0415 - few processes are asked for it

        everywhere = message["everywhere"]
        model, saved = self._models[message["model"]], frozenset(self._saved)
        found = object_walk.walk(model, self._procedure, self._scratch, everywhere=everywhere, saved=saved)
        (self._answers / f"{message['number']}.json").write_text(json.dumps(found), encoding="utf-8")
        return {"supported": True, "facts": {}}

    def _predict_rows(self, message: Mapping[str, Any]) -> dict[str, Any]:
        """Predict rows that came with the question."""
        rows = self._rows_of(message["number"])
        try:
            value = self._procedure.predict(self._models[message["model"]], rows)
        except Exception as error:
            if not message.get("may_raise", False):
                raise
            return _refused(type(error).__name__)
        self._write_array(f"{message['number']}.npy", value)
        return {"supported": True, "facts": {}}

    def _rows_of(self, number: int) -> Any:
        """The rows that came with a question."""
        path = self._inputs / f"{number}.arrow"
        return _frame(path) if path.exists() else aligned(self._positions(number)["features"])

    def _together(self, message: Mapping[str, Any]) -> dict[str, Any]:
        """Run many learn, unlearn or predict by the method that does many at a time; without it, one after another."""
        kind, steps = message["kind"], message["steps"]
        arguments = self._arguments(kind, steps, self._positions(message["number"]))
        many = getattr(self._procedure, f"{kind}_many", None)
        if many is None:
            one = getattr(self._procedure, kind)
            values = [one(*them) for them in zip(*arguments, strict=True)]
        else:
            values = many(*arguments)
        if not isinstance(values, Sequence) or len(values) != len(steps):
            raise NoAnswerError(f"expected {len(steps)} answers from {kind}_many, found something else")
        facts: list[dict[str, float | bool | str]] = []
        for index, (step, value) in enumerate(zip(steps, values, strict=True)):
            if kind == "predict":
                self._write_array(f"{message['number']}.{index}.npy", value)
                facts.append({})
            else:
                facts.append(self._keep(step["into"], value))
        return {"supported": True, "facts": facts}

    def _arguments(self, kind: str, steps: Sequence[Mapping[str, Any]], positions: Mapping[str, Any]) -> list[list[Any]]:
        """What the method takes for each of the steps: a list for each argument."""
        each = [
            {name: positions[key] for name in ("rows", "forget") if (key := f"{name}-{index}") in positions}
            for index in range(len(steps))
        ]
        models = [] if kind == "learn" else [self._models[step["model"]] for step in steps]
        if kind == "predict":
            return [models, [self._features(step, found) for step, found in zip(steps, each, strict=True)]]
        datas, seeds = [self._train.subset(found["rows"]) for found in each], [int(step["seed"]) for step in steps]
        if kind == "learn":
            return [datas, seeds]
        # In one copy: models that were trained at once may share what a copy of each would multiply.
        return [copy.deepcopy(models), datas, [found["forget"] for found in each], seeds]

    def _keep(self, name: str, model: Any) -> dict[str, float | bool | str]:
        """Keep a model that was made, which must be one of its own; what is to be known about it."""
        if model is None:
            raise NoAnswerError("expected a model, found None")
        shared = any(model is other for kept, other in self._models.items() if kept != name)
        if shared and copy.deepcopy(model) is not model:  # what copies to itself cannot change: sharing it does no harm
            raise NoAnswerError("expected a model of its own, found the very object that was returned earlier")
        self._models[name] = model
        facts = getattr(self._procedure, "facts", None)
        return {} if facts is None else _scalars(facts(model))

    def _features(self, message: Mapping[str, Any], positions: Mapping[str, Any]) -> Any:
        """The rows to predict, as a copy in both cases: one that scales its input in place must not change what is seen next."""
        features = self._asked[message["table"]]
        every, rows = message["every_row"], positions.get("rows")
        if isinstance(features, np.ndarray):
            return np.array(features if every else features[rows], dtype=np.float64)
        return features.copy() if every else features.iloc[rows].reset_index(drop=True)

    def _positions(self, number: int) -> dict[str, Any]:
        """The positions that the auditor wrote alongside the request of that number; none where it had none to write."""
        path = self._inputs / f"{number}.npz"
        if not path.exists():
            return {}
        with np.load(path, allow_pickle=False) as file:
            return dict(file)

    def _write_array(self, name: str, value: Any) -> None:
        array = np.asarray(value)
        if array.dtype.hasobject or array.dtype.names is not None:
            raise NoAnswerError(f"expected an array of dtype float32 or float64, found dtype {array.dtype}")
        # Little-endian and contiguous: the one layout that is read back.
        np.save(self._answers / name, np.asarray(array, dtype=array.dtype.newbyteorder("<"), order="C"), allow_pickle=False)


def main(arguments: list[str]) -> None:
    """Build the procedure, then answer until the auditor closes the socket.

    Raises:
        SystemExit: 1 where the procedure fails; its traceback is on stderr.
    """
    if ctypes.CDLL(None, use_errno=True).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0) != 0:
        raise OSError(ctypes.get_errno(), "prctl(PR_SET_PDEATHSIG)")
    channel = socket.socket(fileno=int(arguments[0]))
    channel.set_inheritable(False)
    lines = channel.makefile("rb")
    first = lines.readline()
    if not first:
        return
    hello = json.loads(first)
    if hello["parent"] is not None and os.getppid() != hello["parent"]:
        return  # the auditor ended before the kernel knew that we should end with it
    _limit(hello["limits"]["file_mb"] * 1024 * 1024)
    if "bait" in hello:
        from auditor.sandbox import probes  # noqa: PLC0415 - for a child of its own

        channel.sendall(json.dumps(probes.look(hello["bait"])).encode() + b"\n")
        return
    processors.adopt(hello["processors"])
    scratch = Path(hello["scratch"])
    child: _Child | None = None
    message: dict[str, Any] = {"number": 0, "step": "start"}
    while True:
        place = {"number": message["number"], "step": message["step"]}
        _allow_cpu(hello["limits"]["timeout_s"] * _calls(message))
        try:
            if child is None:
                train, asked = _read_tables(scratch, hello["tables"])
                _note_what_is_there(hello["preload"])
                child = _Child(build(hello["spec"], scratch), train, asked, scratch, hello["spec"]["requester"])
                answer = {"supported": True, "facts": {"resumes": True} if child.resumes() else {}}
            else:
                answer = child.answer(message)
            line = json.dumps(place | answer, allow_nan=False)
        except Exception as error:  # noqa: BLE001 - whatever it is, it is reported and ends the process
            told = isinstance(error, signatures.SignatureError | NoAnswerError)
            if told and error.__cause__ is None:  # its words are all there is
                failed = str(error)
            else:
                traceback.print_exc()
                sys.stderr.flush()
                failed = str(error) if told else _raised(error)
            channel.sendall(json.dumps(place | {"failed": failed}).encode() + b"\n")
            raise SystemExit(1) from None
        channel.sendall(line.encode() + b"\n")
        following = lines.readline()
        if not following:
            return
        message = json.loads(following)


def _note_what_is_there(preload: Sequence[str] | None) -> None:
    """Load what code of a case will load, where its process may be walked through, and note what is there before it runs."""
    if preload is None:
        return
    for name in preload:
        with suppress(Exception):  # what does not load is nothing to note, and the code will meet it
            importlib.import_module(name)
    from auditor.sandbox import beyond  # noqa: PLC0415 - code of ours changes no library

    beyond.enter()


def _calls(message: Mapping[str, Any]) -> int:
    """How many calls of the procedure a request stands for."""
    return len(message["seeds"]) * (message["rounds"] + 1) if "seeds" in message else len(message.get("steps", (None,)))


def _raised(error: Exception) -> str:
    """The kind of an error; its words too where a procedure of ours raised it, for any other's may hold personal data."""
    frame = traceback.extract_tb(error.__traceback__)[-1]
    file = Path(frame.filename)
    ours = file.is_relative_to(_PACKAGE) and "learning" in file.relative_to(_PACKAGE).parts
    words = str(error) if ours else _WRITABLE if _is_kept_out(error) else ""
    return f"it raised {type(error).__name__}{words and f': {words}'}"


def _is_kept_out(error: Exception) -> bool:
    return isinstance(error, PermissionError) or (isinstance(error, OSError) and error.errno == errno.EROFS)


def _limit(file_bytes: int) -> None:
    """Set the limits that hold for the whole life of the process, before foreign code is imported."""
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    for kind, value in ((resource.RLIMIT_NOFILE, _OPEN_FILES), (resource.RLIMIT_FSIZE, file_bytes)):
        hard = resource.getrlimit(kind)[1]
        bound = value if hard == resource.RLIM_INFINITY else min(value, hard)
        resource.setrlimit(kind, (bound, bound))


def _allow_cpu(timeout_s: float) -> None:
    """Let one call use what its wall-clock limit allows on every core, and a little more: a backstop for a dead watchdog."""
    used = resource.getrusage(resource.RUSAGE_SELF)
    allowed = min(timeout_s * processors.count(), _CPU_MOST_S)
    soft = int(used.ru_utime + used.ru_stime + allowed) + _CPU_SLACK_S
    hard = resource.getrlimit(resource.RLIMIT_CPU)[1]
    resource.setrlimit(resource.RLIMIT_CPU, (soft if hard == resource.RLIM_INFINITY else min(soft, hard), hard))


def _read_tables(scratch: Path, names: Sequence[str]) -> tuple[Any, dict[str, Any]]:
    """The records to learn from, and the rows to predict by table: of all but the first the auditor wrote features alone.

    Features are an array; where the auditor wrote an Arrow file they are a DataFrame.
    """
    inputs = scratch / "inputs"
    asked = {name: _rows(inputs / name) for name in names}
    if "train" not in asked:
        raise NoAnswerError("expected records to learn from, found none")
    with np.load(inputs / "train.npz", allow_pickle=False) as file:
        return _records(asked["train"], dict(file)), asked


def _rows(path: Path) -> Any:
    """Rows that the auditor wrote under a name: the array still in its file, the DataFrame read."""
    mapped = path.with_suffix(mapped_rows.SUFFIX)
    return mapped_rows.read(mapped) if mapped.exists() else _frame(path.with_suffix(".arrow"))


def _records(features: Any, held: Mapping[str, Any]) -> Any:
    if isinstance(features, np.ndarray):
        return Dataset(features, held["labels"], held["ids"], weights=held.get("weights"))
    from auditor.sandbox.frames import Table  # noqa: PLC0415 - few processes are given tables

    return Table(features, held["labels"], held["ids"], held.get("weights"))


def _frame(path: Path) -> Any:
    from auditor.sandbox.frames import read  # noqa: PLC0415 - pandas takes half a second

    return read(path)


def _refused(why: str) -> dict[str, Any]:
    """The answer of a procedure that may refuse what it is given, and does."""
    return {"supported": False, "facts": {"refused": why[:100]}}


def _use_device(message: Mapping[str, Any]) -> dict[str, Any]:
    """Use a CUDA device here, where the procedure has been imported already: what it hides from itself is not there."""
    del message
    from auditor.learning.devices import NoCudaError, use_cuda  # noqa: PLC0415 - PyTorch takes seconds

    try:
        device_name = use_cuda()
    except NoCudaError as error:
        raise NoAnswerError(str(error)) from error
    return {"supported": True, "facts": {"device": "cuda", "device_name": device_name}}


def _scalars(facts: Any) -> dict[str, float | bool | str]:
    """Facts as JSON scalars, NumPy's own scalars among them."""
    if not isinstance(facts, Mapping):
        raise NoAnswerError(f"expected facts(model) to return a mapping, found {type(facts).__name__}")
    scalars: dict[str, float | bool | str] = {}
    for key, value in facts.items():
        scalar = value.item() if isinstance(value, np.generic) else value
        if not isinstance(key, str) or not isinstance(scalar, bool | int | float | str):
            raise NoAnswerError(f"expected facts(model) to hold strings, booleans and numbers, found {type(value).__name__}")
        scalars[key] = scalar
    return scalars


if __name__ == "__main__":
    main(sys.argv[1:])
