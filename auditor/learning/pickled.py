"""What a pickled estimator is, as plain values: read in the sandbox alone, in a process that holds nothing else.

A pickle names what it calls. Names of libraries' classes are looked up; any other is noted, and an empty object
takes its place, so that no function of a case, of the system or of the interpreter is called by it. Whatever gets past that
meets the barriers of the process. Nothing that it answers is believed: what is written out of it an audit compares with the file.
"""

from __future__ import annotations

import base64
import inspect
import json
import math
from pathlib import Path
from typing import Any, Final, NoReturn

import numpy as np
from joblib import numpy_pickle, numpy_pickle_utils

from auditor.base import model_formats

MOST_VALUES: Final = 10_000
_LIBRARIES: Final = frozenset({"sklearn", "numpy", "scipy", "pandas", "lightgbm", "xgboost", "imblearn", "catboost", "joblib"})
_PLAIN: Final = frozenset(
    {
        "object",
        "set",
        "frozenset",
        "list",
        "dict",
        "tuple",
        "int",
        "float",
        "str",
        "bytes",
        "bytearray",
        "complex",
        "bool",
        "slice",
    }
)
_OTHERS: Final = frozenset(
    {"copyreg._reconstructor", "_codecs.encode", "collections.OrderedDict", "collections.defaultdict", "datetime.datetime"}
)
_OF_LIBRARIES: Final = frozenset(
    {
        *("numpy._core.multiarray._reconstruct", "numpy.core.multiarray._reconstruct", "numpy._core.multiarray.scalar"),
        *("numpy.core.multiarray.scalar", "numpy.random._pickle.__randomstate_ctor", "numpy.random._pickle.__bit_generator_ctor"),
        *(
            "numpy.random._pickle.__generator_ctor",
            "pandas.core.indexes.base._new_Index",
            "pandas._libs.internals._unpickle_block",
        ),
        *("numpy._core.numeric._frombuffer", "numpy.core.numeric._frombuffer", "sklearn.tree._tree._build_pruned_tree_py"),
    }
)
"""Functions that libraries' own objects are made by; of their classes all are taken."""


class _Nothing:
    """Takes the place of what was not looked up."""

    def __init__(self, *_: object, **__: object) -> None: ...

    def __setstate__(self, _state: object) -> None: ...

    def append(self, _one: object) -> None: ...

    def __setitem__(self, _key: object, _value: object) -> None: ...


class _Names:
    """Looks up names of a pickle: classes of libraries alone."""

    def __init__(self, reader: Any) -> None:
        self._find: Any = reader.find_class
        self.refused: set[str] = set()

    def find(self, module: str, name: str) -> Any:
        """Give a class of a library, or note the name."""
        dotted = f"{module}.{name}"
        if (module == "builtins" and name in _PLAIN) or dotted in _OTHERS | _OF_LIBRARIES:
            return self._find(module, name)
        if module.partition(".")[0] in _LIBRARIES and "." not in name:
            found = self._find(module, name)
            if isinstance(found, type):
                return found
        self.refused.add(dotted[:200])
        return _Nothing


class Pickled:
    """Answers about one file."""

    def load(self, path: str) -> dict[str, Any]:
        """Read a file, and describe what it holds: names that it may not use, or the estimator."""
        estimator, refused = _read(path)
        if refused:
            return {"refused": sorted(refused)[:20]}
        try:
            return _described(estimator)
        except _NotPlainError as error:
            return {"refused": [str(error)]}

    def save(self, model: dict[str, Any], path: str) -> None:
        """Write the answers as JSON."""
        Path(path).write_text(json.dumps(model, allow_nan=False), encoding="utf-8")

    def learn(self, *_: object) -> NoReturn:
        """Refuse.

        Raises:
            NotImplementedError: Always.
        """
        raise NotImplementedError("nothing is learned here")

    unlearn = predict = learn


class _NotPlainError(Exception):
    """Something that cannot be written as a call of a library's class."""


def _read(path: str) -> tuple[Any, set[str]]:
    """The object of a file of pickle's or joblib's, compressed or not, and the names that were not looked up."""
    with Path(path).open("rb") as file, numpy_pickle_utils._validate_fileobject_and_memmap(file, path, None) as (opened, _):  # noqa: SLF001 - nothing public finds out how a file is compressed
        if isinstance(opened, str):
            raise TypeError("expected a file of pickle or joblib, found one of an old joblib")
        reader = numpy_pickle.NumpyUnpickler(path, opened, True)
        names = _Names(reader)
        reader.find_class = names.find  # it is written in Python, and asks itself
        try:
            return reader.load(), names.refused
        except Exception:
            # With an empty object for a name the rest may make no sense; the names are what is to be said.
            if names.refused:
                return None, names.refused
            raise


def _described(estimator: Any) -> dict[str, Any]:
    values = _Values()
    names = getattr(estimator, "feature_names_in_", None)
    classes = getattr(estimator, "classes_", None)
    classifies = callable(getattr(type(estimator), "predict_proba", None)) or classes is not None
    return {
        "estimator": values.of(estimator),
        "features": None if names is None else [str(each) for each in np.asarray(names).tolist()],
        "classes": None if classes is None else [str(each) for each in np.asarray(classes).ravel().tolist()],
        "classifies": bool(classifies),
        "skops": _as_skops(estimator),
    }


def _as_skops(estimator: Any) -> str | None:
    """The same model without pickled objects; None where it holds other types than scikit-learn's, or the library is not here."""
    try:
        import skops.io  # noqa: PLC0415 - few cases have it

        content = model_formats.canonical(skops.io.dumps(estimator))
        unknown = skops.io.get_untrusted_types(data=content)
        foreign = [each for each in unknown if not each.startswith("sklearn.") and each != "numpy.dtype"]
    except Exception:  # noqa: BLE001 - what cannot be written so is not
        return None
    return None if foreign else base64.b64encode(content).decode()


class _Values:
    """Turns parameters into JSON, each kind that JSON lacks under a word."""

    def __init__(self) -> None:
        self._left = MOST_VALUES

    def of(self, value: Any) -> Any:
        self._left -= 1
        if self._left < 0:
            raise _NotPlainError(f"more than {MOST_VALUES} parameters")
        if isinstance(value, np.generic):
            value = value.item()
        if value is None or type(value) in {bool, int, str}:
            return value
        if type(value) is float:
            return value if math.isfinite(value) else {"float": str(value)}
        if type(value) in {list, tuple, set}:
            return {type(value).__name__: [self.of(each) for each in value]}
        if type(value) is dict:
            return {"dict": [[self.of(key), self.of(each)] for key, each in value.items()]}
        return self._object(value)

    def _object(self, value: Any) -> Any:
        if type(value) is slice:
            return {"slice": [self.of(each) for each in (value.start, value.stop, value.step)]}
        if isinstance(value, np.ndarray) or type(value).__module__.startswith("pandas.core.indexes"):
            return {"list": [self.of(each) for each in np.asarray(value).ravel().tolist()]}
        if isinstance(value, type):
            return {"type": f"{value.__module__}.{value.__qualname__}"}
        if callable(getattr(type(value), "get_params", None)):
            return self._estimator(value)
        raise _NotPlainError(f"{type(value).__module__}.{getattr(value, '__qualname__', type(value).__qualname__)}")

    def _estimator(self, value: Any) -> Any:
        kind = type(value)
        hidden = sorted(name for name in vars(value) if callable(inspect.getattr_static(kind, name, None)))
        if hidden:
            raise _NotPlainError(f"{kind.__module__}.{kind.__qualname__} with {hidden[0]} of its own")
        params = kind.get_params(value, deep=False)
        return {
            "estimator": f"{kind.__module__}.{kind.__qualname__}",
            "params": [[str(name), self.of(each)] for name, each in sorted(params.items())],
        }
