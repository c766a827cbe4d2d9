"""Files in a library's own format: what is read, what is refused, and whatever a file hides makes it another one."""

from __future__ import annotations

import json
import struct
from typing import Any

import lightgbm
import numpy as np
import pytest
import xgboost

from auditor.base.errors import InputError
from auditor.base.model_formats import OwnFormat, format_of, held_against
from auditor.case.artifacts import OwnFile, released
from auditor.case.files import Source

SECRET = b"person-07;1969-07-20;Example Street 5"
ROWS = np.random.default_rng(0).normal(size=(120, 3))
LABELS = (ROWS[:, 0] + 0.3 * ROWS[:, 1] > 0).astype(int)
ENDING: dict[OwnFormat, str] = {
    "lightgbm": ".txt",
    "lightgbm-dump": ".json",
    "xgboost-json": ".json",
    "xgboost-ubj": ".ubj",
}


def trained() -> dict[OwnFormat, bytes]:
    exact = {"deterministic": True, "force_col_wise": True, "verbosity": -1, "n_jobs": 1}
    light = lightgbm.LGBMClassifier(n_estimators=3, num_leaves=4, **exact).fit(ROWS, LABELS).booster_
    extreme = xgboost.XGBClassifier(n_estimators=3, max_depth=2, n_jobs=1).fit(ROWS, LABELS).get_booster()
    return {
        "lightgbm": light.model_to_string().encode() + b"\npandas_categorical:null\n",
        "lightgbm-dump": json.dumps(light.dump_model()).encode(),
        "xgboost-json": bytes(extreme.save_raw("json")),
        "xgboost-ubj": bytes(extreme.save_raw("ubj")),
    }


FILES = trained()
EVERY = pytest.mark.parametrize("kind", list(FILES))


@EVERY
def test_a_file_is_known_by_what_it_holds_and_equals_itself(kind: OwnFormat) -> None:
    assert format_of(f"model{ENDING[kind].upper()}", FILES[kind]) == kind
    found = held_against(FILES[kind], FILES[kind], kind)
    assert found is not None
    assert found.equal


@EVERY
def test_every_cut_and_every_byte_after_the_end_is_refused_or_another_file(kind: OwnFormat) -> None:
    content = FILES[kind]
    for other in (content + SECRET, content[: len(content) // 2], b"", SECRET + content):
        found = held_against(other, content, kind)
        assert found is None or not found.equal


def as_json(change: Any, kind: OwnFormat) -> bytes:
    document = json.loads(FILES[kind])
    change(document)
    return json.dumps(document, separators=None if kind == "lightgbm-dump" else (",", ":")).encode()


def put(document: dict[str, Any], *path: str | int, value: Any) -> None:
    for name in path[:-1]:
        document = document[name]
    document[path[-1]] = value


TEXT = FILES["lightgbm"]
TREE = ("learner", "gradient_booster", "model", "trees")
HIDDEN: dict[str, tuple[OwnFormat, bytes]] = {
    "feature_infos": ("lightgbm", TEXT.replace(b"feature_infos=[", b"feature_infos=" + SECRET.replace(b" ", b"_") + b" [", 1)),
    "pandas_categorical": ("lightgbm", TEXT.replace(b"pandas_categorical:null", b'pandas_categorical:[["' + SECRET + b'"]]')),
    "parameters": ("lightgbm", TEXT.replace(b"[verbosity: -1]", b"[verbosity: -1]\n[machines: " + SECRET + b"]")),
    "a line of its own": ("lightgbm", TEXT.replace(b"end of trees\n", b"end of trees\n" + SECRET + b"\n")),
    "a line in a tree": ("lightgbm", TEXT.replace(b"shrinkage=", b"note=" + SECRET + b"\nshrinkage=", 1)),
    "a key twice": ("lightgbm", TEXT.replace(b"num_class=1\n", b"num_class=1\nnum_class=" + SECRET + b"\n")),
    "threads twice": ("lightgbm", TEXT.replace(b"[num_threads: 1]\n", b"[num_threads: 1]\n[num_threads: 65535]\n")),
    "threads in words": ("lightgbm", TEXT.replace(b"[num_threads: 1]", b"[num_threads: " + SECRET + b"]")),
    "a tree of no weight": (
        "lightgbm",
        TEXT.replace(b"end of trees", b"Tree=3\nnum_leaves=1\nleaf_value=0\nsplit_gain=31969072055\n\n\nend of trees"),
    ),
    "gains of splits": ("lightgbm", TEXT.replace(b"split_gain=", b"split_gain=31969072055 ", 1)),
    "the end of a leaf": (
        "lightgbm",
        TEXT.replace(b"\nleaf_value=", b"\nleaf_value=0", 1).replace(b"leaf_value=0-", b"leaf_value=-0"),
    ),
    "a key of a dump": ("lightgbm-dump", as_json(lambda each: put(each, "note", value=SECRET.decode()), "lightgbm-dump")),
    "infos of a dump": (
        "lightgbm-dump",
        as_json(lambda each: put(each, "feature_infos", "Column_0", "values", value=[19690720]), "lightgbm-dump"),
    ),
    "spaces in a dump": ("lightgbm-dump", FILES["lightgbm-dump"].replace(b", ", b",\t  ", 5)),
    "a repeated key": ("lightgbm-dump", FILES["lightgbm-dump"].replace(b'{"name"', b'{"name": "' + SECRET + b'", "name"', 1)),
    "attributes": (
        "xgboost-json",
        as_json(lambda each: put(each, "learner", "attributes", "note", value=SECRET.decode()), "xgboost-json"),
    ),
    "names of features": (
        "xgboost-json",
        as_json(lambda each: put(each, "learner", "feature_names", value=[SECRET.decode()]), "xgboost-json"),
    ),
    "a key of XGBoost's": ("xgboost-json", as_json(lambda each: put(each, "note", value=SECRET.decode()), "xgboost-json")),
    "gains of XGBoost's": (
        "xgboost-json",
        as_json(lambda each: put(each, *TREE, 1, "loss_changes", 0, value=19690720.0), "xgboost-json"),
    ),
    "bytes of a number": ("xgboost-json", FILES["xgboost-json"].replace(b"E0,", b"E000,", 1)),
    "binary attributes": (
        "xgboost-ubj",
        FILES["xgboost-ubj"].replace(
            b"attributes{}",
            b"attributes{" + struct.pack(">cq", b"L", 4) + b"noteS" + struct.pack(">cq", b"L", len(SECRET)) + SECRET + b"}",
        ),
    ),
}


@pytest.mark.parametrize("name", list(HIDDEN))
def test_wherever_a_record_is_hidden_the_file_is_another_one(name: str) -> None:
    kind, content = HIDDEN[name]
    assert content != FILES[kind], "the case hides something"
    found = held_against(content, FILES[kind], kind)
    assert found is None or not found.equal
    # What is printed of a place is never what the file hides there.
    assert found is None or found.first is None or SECRET.decode() not in str(found.first.field)


def test_threads_of_the_machine_are_let_pass_and_nothing_else() -> None:
    other = TEXT.replace(b"[num_threads: 1]", b"[num_threads: 64]")
    assert other != TEXT
    found = held_against(other, TEXT, "lightgbm")
    assert found is not None
    assert found.equal


@pytest.mark.parametrize("kind", ["lightgbm", "xgboost-json", "xgboost-ubj", "lightgbm-dump"])
def test_the_first_tree_and_field_that_differ_are_named(kind: OwnFormat) -> None:
    if kind == "lightgbm":
        at = TEXT.index(b"leaf_value=", TEXT.index(b"Tree=1\n")) + len(b"leaf_value=")
        content = TEXT[:at] + b"-9" + TEXT[TEXT.index(b" ", at) :]
        wanted = "leaf_value"
    elif kind == "lightgbm-dump":
        path = ("tree_info", 1, "tree_structure", "threshold")
        content, wanted = as_json(lambda each: put(each, *path, value=-9.0), kind), "threshold"
    elif kind == "xgboost-json":
        content, wanted = as_json(lambda each: put(each, *TREE, 1, "split_conditions", 0, value=-9.0), kind), "split_conditions"
    else:
        document = json.loads(FILES["xgboost-json"])
        value = document["learner"]["gradient_booster"]["model"]["trees"][1]["split_conditions"][0]
        packed = struct.pack(">f", value)
        at = FILES[kind].rindex(
            packed, 0, FILES[kind].index(b"split_conditions", FILES[kind].index(b"split_conditions") + 9) + 60
        )
        content, wanted = FILES[kind][:at] + struct.pack(">f", -9.0) + FILES[kind][at + 4 :], "split_conditions"
    found = held_against(content, FILES[kind], kind)
    assert found is not None
    assert found.first is not None
    assert (found.first.tree, found.first.field, found.first.of_model) == (1, wanted, True)
    assert found.of_model >= 1
    assert found.largest is not None
    assert found.largest > 1e-3


# Reading ------------------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("m.txt", b"hello"),
        ("m.txt", b"tree\nTree=0\n"),
        ("m.txt", b"tree\nend of trees\n"),
        ("m.txt", b"\xff\xfe"),
        ("m.json", b"[]"),
        ("m.json", b"{}"),
        ("m.json", b'{"learner": {}, "learner": {}}'),
        ("m.json", b"[" * 100_000),
        ("m.ubj", b""),
        ("m.ubj", b"{i\x07learner{}"),
        ("m.ubj", b"{i\x07learner{}}!"),
        ("m.ubj", b"{i\x01a" + b"[" * 100),
        ("m.ubj", b"{i\x01a[$U#l\x7f\xff\xff\xff}"),
        ("m.ubj", b"{i\x01a[#l\x7f\xff\xff\xff}"),
        ("m.ubj", b"{i\xffa"),
        ("m.ubj", b"{i\x01aS\xff"),
        ("m.skops", b"PK"),
        ("m.skops", b""),
    ],
)
def test_what_is_no_such_file_is_one_problem(name: str, content: bytes) -> None:
    with pytest.raises(InputError) as refused:
        released(Source(name, content))
    (problem,) = refused.value.problems
    assert problem.file == name


def test_a_graph_is_taken_as_it_is() -> None:
    found = released(Source("model.onnx", SECRET))
    assert isinstance(found, OwnFile)
    assert found.kind == "onnx"
    assert held_against(SECRET, SECRET + b".", "onnx") is None


@pytest.mark.parametrize(
    "saved",
    [
        b'{"learner": ' + b"[" * 900 + b"]" * 900 + b"}",
        b'{"learner": {"a": 1' + b"0" * 400 + b"}}",
        b'{"learner": {"a": 1e999}}',
        b'{"learner": {"a": NaN}}',
        b"[" * 100_000,
        b"",
    ],
)
def test_whatever_a_rerun_saves_is_compared_or_is_no_such_file(saved: bytes) -> None:
    shipped = b'{"learner": {"a": 1.5}}'
    for own, other in ((shipped, saved), (saved, shipped)):
        found = held_against(own, other, "xgboost-json")
        assert found is None or (not found.equal and found.largest is None)
