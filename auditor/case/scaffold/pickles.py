"""A `build(seed)` out of what a process of the sandbox answers about a pickled pipeline: constructor calls, and nothing else.

The answers come from a process that has read a hostile file. They are taken as plain values of known kinds, and become calls of
classes of a few libraries by their public names; each text is written as a constant. Whether they are true the audit finds out:
the model that the calls train is compared with the released file.
"""

from __future__ import annotations

import ast
import base64
import binascii
import keyword
import math
import re
from dataclasses import dataclass, field
from typing import Any, Final

from auditor.base.domain import Problem
from auditor.base.errors import InputError
from auditor.case.scaffold.roles import Task
from auditor.case.scaffold.tables import Table
from auditor.settings.values import show

ENDINGS: Final = (".pkl", ".pickle", ".joblib")
EXPECTED: Final = "a fitted estimator of scikit-learn, LightGBM or XGBoost, as joblib.dump or pickle.dump writes it"
RELEASED: Final = "model.skops"
_LIBRARIES: Final = ("sklearn", "lightgbm", "xgboost", "imblearn")
_CLASS: Final = re.compile(r"[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*\.[A-Z]\w*", re.ASCII)
_TYPES: Final = re.compile(r"numpy\.(?:float|int|uint)(?:8|16|32|64)|numpy\.bool_?|builtins\.(?:int|float|str|bool|object)")
_OPENED: Final = {"list": ("[", "]"), "tuple": ("(", ")"), "set": ("set([", "])"), "slice": ("slice(", ")")}
_BY_HAND: Final = "put it into a function build(seed) of a file, and name that: --from model.py:build"
_DEEPEST: Final = 40
_MOST: Final = 10_000

_FILE: Final = '''"""The pipeline of {file}, unfitted: constructor calls out of its parameters, as the sandbox read them."""

{imports}


def build(seed):
    """Give an unfitted estimator; what draws without a seed of its own draws from this one."""
    return {made}
'''


@dataclass(frozen=True, slots=True)
class Answers:
    """What was answered, checked."""

    file: str
    """The name of the pickled file."""
    code: bytes
    """Of build.py."""
    features: tuple[str, ...] | None
    """Columns that it was fitted with, in their order; None where it was fitted without names."""
    classes: tuple[str, ...] | None
    task: Task
    skops: bytes | None = field(repr=False)
    """The same model as a file of skops; None where it cannot be written so."""
    said: tuple[str, ...]


def parsed(file: str, found: Any) -> Answers:
    """Take the answers.

    Args:
        file: The name of the file.
        found: What came back, parsed as JSON.

    Raises:
        InputError: If the file uses functions, or the answers are not such as a process of the sandbox gives.
    """
    if not isinstance(found, dict):
        raise _none(file)
    if isinstance(refused := found.get("refused"), list):
        named = ", ".join(show(str(each)) for each in refused[:10])
        raise InputError([Problem(file, "", f"classes of {', '.join(_LIBRARIES)} alone, and no function: {_BY_HAND}", named)])
    features, classes, skops = (found.get(name) for name in ("features", "classes", "skops"))
    if not (_texts(features) and _texts(classes) and isinstance(found.get("classifies"), bool)):
        raise _none(file)
    writer = _Writer(file)
    made = writer.call(found.get("estimator"), 0)
    try:
        content = None if skops is None else base64.b64decode(str(skops), validate=True)
    except (binascii.Error, ValueError) as error:
        raise _none(file) from error
    named = re.sub(r"[^A-Za-z0-9._ -]", "_", file)
    code = _FILE.format(file=named, imports="\n".join(sorted(writer.imports)), made=made)
    try:
        ast.parse(code)
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        raise _none(file) from error
    said = [f"build.py: written, out of the parameters of {file}, which only the sandbox has read: see that it is your pipeline"]
    said += writer.said
    if content is None:
        said.append(
            f"{file} is not compared: a pickled file is never read as a model; save it with skops, and name that in [model]"
        )
    else:
        said.append(f"{RELEASED}: {file} without pickled objects; the audit covers this file: release it in place of {file}")
    return Answers(
        file,
        code.encode(),
        None if features is None else tuple(features),
        None if classes is None else tuple(classes),
        "classification" if found["classifies"] else "regression",
        content,
        tuple(said),
    )


def require(answers: Answers, table: Table, label: str, person: str | None) -> None:
    """See that the table is such as the model was fitted on.

    Raises:
        InputError: If it lacks columns, if labels are other ones, or if the model was fitted on what names people.
    """
    problems = []
    file, wanted = answers.file, answers.features
    if wanted is None:
        expected = "a model that was fitted on a DataFrame: without names nobody can tell which columns it got"
        problems.append(Problem(file, "", expected, "one without names of columns"))
    expected = f"the columns that {file} was fitted with"
    lacking = [name for name in wanted or () if name not in table.columns]
    problems += [Problem(table.source.name, show(name), expected, "no such column") for name in lacking]
    if person is not None and person in (wanted or ()):
        problems.append(Problem(table.source.name, person, "a model that is not fitted on what names people", "one that is"))
    if answers.classes is not None and answers.task == "classification":
        values = table.distinct(label)
        if {_plain(each) for each in values} != {_plain(each) for each in answers.classes}:
            expected = f"the classes of {file}: {', '.join(map(show, answers.classes[:8]))}; encode labels as its training did"
            problems.append(Problem(table.source.name, label, expected, ", ".join(map(show, sorted(values)[:8]))))
    if problems:
        raise InputError(problems)


def _plain(text: str) -> str:
    """A number in one spelling."""
    try:
        return repr(float(text))
    except ValueError:
        return text


class _Writer:
    def __init__(self, file: str) -> None:
        self._file, self._left = file, _MOST
        self.imports: set[str] = set()
        self.said: list[str] = []

    def call(self, value: Any, depth: int) -> str:
        """A constructor call."""
        if not isinstance(value, dict) or set(value) != {"estimator", "params"} or not isinstance(value["params"], list):
            raise _none(self._file)
        name = value["estimator"]
        if not isinstance(name, str) or not _CLASS.fullmatch(name) or name.partition(".")[0] not in _LIBRARIES:
            found = show(str(name)[:200])
            raise InputError([Problem(self._file, "", f"classes of {', '.join(_LIBRARIES)} alone: {_BY_HAND}", found)])
        words = []
        for pair in value["params"]:
            if not isinstance(pair, list) or len(pair) != 2 or not _is_name(pair[0]):
                raise _none(self._file)
            words.append(f"{pair[0]}={self._seeded(pair[0], pair[1], name) or self.value(pair[1], depth + 1)}")
        *parts, kind = name.split(".")
        public = [part for part in parts if not part.startswith("_")]
        module = parts[: parts.index(hidden[0])] if (hidden := [part for part in parts if part.startswith("_")]) else public
        # LightGBM and XGBoost have their estimators at the top, wherever these are defined.
        module = module if parts[0] in {"sklearn", "imblearn"} else parts[:1]
        self.imports.add(f"import {'.'.join(module)}")
        return f"{'.'.join([*module, kind])}({', '.join(words)})"

    def _seeded(self, key: str, value: Any, name: str) -> str | None:
        """A seed in the place of none."""
        if key != "random_state" or value is not None:
            if key == "random_state":
                self.said.append(f"{name.rpartition('.')[2]}: random_state={value!r} stays: each training draws from it")
            return None
        return "seed"

    def value(self, value: Any, depth: int) -> str:
        """A constant, several, or a call."""
        self._left -= 1
        if depth > _DEEPEST or self._left < 0:
            raise _none(self._file)
        if value is None or isinstance(value, bool | int | str):
            return repr(value)
        if isinstance(value, float) and math.isfinite(value):
            return repr(value)
        if isinstance(value, dict) and "estimator" in value:
            return self.call(value, depth)
        if not isinstance(value, dict) or len(value) != 1:
            raise _none(self._file)
        ((kind, held),) = value.items()
        return self._kind(kind, held, depth)

    def _kind(self, kind: str, held: Any, depth: int) -> str:
        found: str | None = None
        if kind == "float" and held in {"nan", "inf", "-inf"}:
            found = f'float("{held}")'
        elif kind == "type" and isinstance(held, str) and _TYPES.fullmatch(held):
            found = held if held.startswith("numpy.") else held.partition(".")[2]
            self.imports |= {"import numpy"} if held.startswith("numpy.") else set()
        elif kind in _OPENED and isinstance(held, list) and (kind != "slice" or len(held) == 3):
            begin, end = _OPENED[kind]
            found = begin + "".join(f"{self.value(one, depth + 1)}, " for one in held) + end
        elif kind == "dict" and isinstance(held, list) and all(isinstance(one, list) and len(one) == 2 for one in held):
            found = "".join(f"{self.value(key, depth + 1)}: {self.value(one, depth + 1)}, " for key, one in held)
            found = f"{{{found}}}"
        if found is None:
            raise _none(self._file)
        return found


def _is_name(text: Any) -> bool:
    return isinstance(text, str) and text.isascii() and text.isidentifier() and not keyword.iskeyword(text)


def _texts(value: Any) -> bool:
    return value is None or (isinstance(value, list) and len(value) <= _MOST and all(isinstance(each, str) for each in value))


def _none(file: str) -> InputError:
    return InputError([Problem(file, "", EXPECTED, "an answer that no process of the sandbox gives")])
