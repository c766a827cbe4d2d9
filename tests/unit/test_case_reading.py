from __future__ import annotations

import hashlib
import os
from pathlib import Path

import numpy as np
import pytest
from safetensors.numpy import save

from auditor import case
from auditor.base.errors import InputError
from case_examples import SOUND, jsonl, npz, places, records, row, write_case

OWN = SOUND.replace('use = "certified-removal"\nl2 = 1e-3\nsigma = 1.0', 'entry = "own.py:Mine"')


def problems(folder: Path):
    with pytest.raises(InputError) as caught:
        case.read(folder)
    return caught.value.problems


def test_a_sound_case(tmp_path):
    found = case.read(write_case(tmp_path))
    assert found.folder == tmp_path.resolve()
    assert len(found.train) == 12
    assert found.shipped is not None
    assert found.shipped.shape == (3,)
    assert found.holdout is None
    assert found.store is None
    assert [request.request_id for request in found.requests] == ["REQ-1"]
    assert [item.path for item in found.inputs] == ["audit.toml", "deletions.jsonl", "model.safetensors", "train.npz"]
    for item in found.inputs:
        data = (tmp_path / item.path).read_bytes()
        assert (item.sha256, item.bytes) == (hashlib.sha256(data).hexdigest(), len(data))


def test_the_file_itself_will_do(tmp_path):
    assert case.read(write_case(tmp_path) / "audit.toml").settings.case.name == "example"


@pytest.mark.parametrize(
    ("name", "kind", "way"),
    [
        ("train.py", "Python", "auditor init DIR --from train.py --data TABLE makes one"),
        ("people.csv", "a table", "--data people.csv"),
        ("model.joblib", "a pickled model", "--from model.joblib"),
        ("net.pt", "a model file", "of the script that trains it"),
        ("model.skops", "a model file", "--model model.skops"),
        ("log.jsonl", "a log", "--log log.jsonl"),
    ],
)
def test_a_file_of_another_kind_is_named_with_what_makes_a_case_of_it(tmp_path, name, kind, way):
    (tmp_path / name).write_bytes(b"\x80import pandas as pd\n")
    (found,) = problems(tmp_path / name)
    assert found.found == kind
    assert found.expected.startswith("a folder with audit.toml in it, or that file")
    assert way in found.expected


def test_a_file_of_toml_by_another_name_is_a_case(tmp_path):
    (write_case(tmp_path) / "audit.toml").rename(tmp_path / "second.toml")
    assert case.read(tmp_path / "second.toml").settings.case.name == "example"


def test_what_was_read_cannot_be_changed(tmp_path):
    found = case.read(write_case(tmp_path))
    with pytest.raises(ValueError, match="read-only"):
        found.train.features[0, 0] = 1


def test_a_representation_shows_no_records_and_no_seed(tmp_path):
    shown = repr(case.read(write_case(tmp_path)))
    assert "20261121" not in shown
    assert "r11" not in shown
    assert "REQ-1" not in shown


def test_without_a_model(tmp_path):
    found = case.read(write_case(tmp_path, SOUND.replace('[model]\npath = "model.safetensors"\n', "")))
    assert found.shipped is None
    assert "model.safetensors" not in [item.path for item in found.inputs]


def test_own_code_holdout_and_store_are_among_the_inputs(tmp_path):
    toml = OWN.replace("task =", 'store = "store"\nholdout = "holdout.npz"\ntask =')
    (tmp_path / "store" / "deep").mkdir(parents=True)
    (tmp_path / "store" / "deep" / "b.csv").write_bytes(b"b")
    (tmp_path / "store" / "a.csv").write_bytes(b"a")
    found = case.read(write_case(tmp_path, toml, own__py=b"class Mine: ...", holdout__npz=records(4, start=100)))
    assert found.store == tmp_path.resolve() / "store"
    assert found.holdout is not None
    assert len(found.holdout) == 4
    paths = [item.path for item in found.inputs]
    assert paths == sorted(paths)
    assert {"own.py", "holdout.npz", "store/a.csv", "store/deep/b.csv"} <= set(paths)


def test_a_store_may_be_a_file(tmp_path):
    found = case.read(write_case(tmp_path, SOUND.replace("task =", 'store = "train.npz"\ntask =')))
    assert found.store == tmp_path.resolve() / "train.npz"
    assert len(found.inputs) == 4


def test_a_file_that_is_nearly_called_so_is_suggested(tmp_path):
    (found,) = problems(write_case(tmp_path, SOUND.replace('"train.npz"', '"trian.npz"')))
    assert found.found == '"trian.npz", which does not exist (did you mean train.npz?)'


def test_a_log_that_is_an_export_of_a_spreadsheet_is_refused_with_what_reads_it(tmp_path):
    write_case(tmp_path, SOUND.replace('"deletions.jsonl"', '"tickets.csv"'))
    (tmp_path / "tickets.csv").write_text("Key;Created\nA-1;2026-01-03\n", encoding="utf-8")
    (found,) = problems(tmp_path)
    assert (found.where, found.found) == ("row 1", '"Key;Created"')
    assert "auditor log import, or auditor init --log, turns an export of another system into such a log" in found.expected


def test_nothing_there(tmp_path):
    (found,) = problems(tmp_path / "none")
    assert "audit.toml" in found.expected


def test_a_folder_without_audit_toml(tmp_path):
    assert len(problems(tmp_path)) == 1


@pytest.mark.parametrize(
    ("path", "said"),
    [
        ("none.npz", "does not exist"),
        ("/etc/passwd", "absolute"),
        ("C:\\\\train.npz", "absolute"),
        ("../train.npz", "leads out"),
        ("inner/../../train.npz", "leads out"),
        ("link.npz", "leads out"),
        ("loop", ""),
        ("inner", "a folder"),
        ("pipe", "no plain file"),
        ("a\\u0000b", "U+0000"),
        ("x" * 900, ""),
        (".", "a folder"),
    ],
)
@pytest.mark.parametrize(
    ("key", "old"), [("data.train", "train.npz"), ("model.path", "model.safetensors"), ("deletions.log", "deletions.jsonl")]
)
def test_paths_stay_inside_the_case(tmp_path, path, said, key, old):
    folder = tmp_path / "case"
    (folder / "inner").mkdir(parents=True)
    (tmp_path / "train.npz").write_bytes(records())
    (folder / "link.npz").symlink_to(tmp_path / "train.npz")
    (folder / "loop").symlink_to(folder / "loop")
    os.mkfifo(folder / "pipe")
    write_case(folder, SOUND.replace(f'"{old}"', f'"{path}"'))
    (found,) = problems(folder)
    assert (found.file, found.where) == ("audit.toml", key)
    assert said in found.found


def test_links_and_pipes_in_a_store_are_refused(tmp_path):
    store = tmp_path / "store"
    store.mkdir()
    (store / "link").symlink_to(tmp_path / "audit.toml")
    (store / "folder").symlink_to(tmp_path)
    os.mkfifo(store / "pipe")
    (store / os.fsdecode(b"\xff")).write_bytes(b"")
    found = problems(write_case(tmp_path, SOUND.replace("task =", 'store = "store"\ntask =')))
    assert places(found) == {("store/link", ""), ("store/folder", ""), ("store/pipe", ""), ("store", "")}


def test_an_empty_store_is_refused(tmp_path):
    (tmp_path / "store").mkdir()
    (found,) = problems(write_case(tmp_path, SOUND.replace("task =", 'store = "store"\ntask =')))
    assert (found.file, found.found) == ("store", "an empty folder")


@pytest.mark.parametrize(
    ("files", "place"),
    [
        ({"train__npz": records(labels=np.arange(12) % 3)}, ("model.safetensors", "parameters")),
        ({"model__safetensors": save({"parameters": np.zeros(4)})}, ("model.safetensors", "parameters")),
        ({"holdout__npz": records(4, 2, start=100)}, ("holdout.npz", "features")),
        ({"holdout__npz": records(4, start=100, labels=np.array([0, 1, 2, 1]))}, ("holdout.npz", "labels")),
        ({"holdout__npz": records(4, start=100, labels=np.array(["0", "1", "0", "1"]))}, ("holdout.npz", "labels")),
        ({"holdout__npz": records(4, start=11)}, ("holdout.npz", "ids, record 1")),
    ],
)
def test_files_that_do_not_fit_each_other(tmp_path, files, place):
    toml = SOUND.replace("task =", 'holdout = "holdout.npz"\ntask =')
    found = problems(write_case(tmp_path, toml, **{"holdout__npz": records(4, start=100), **files}))
    assert places(found) == {place}


def test_one_label_is_none_to_learn(tmp_path):
    found = problems(write_case(tmp_path, OWN, own__py=b"", train__npz=records(labels=np.zeros(12, dtype=int))))
    assert places(found) == {("train.npz", "labels")}


@pytest.mark.parametrize(
    "policy",
    ["max_inference = 0.6", "max_compliance_epsilon = 0.2", "max_reconstruction = 0.1", 'required = ["inference.instance"]'],
)
def test_a_dozen_records_are_too_few_for_deletion_games_that_the_policy_asks_for(tmp_path, policy):
    (problem,) = problems(write_case(tmp_path, SOUND + f"\n[policy]\n{policy}\n"))
    assert problem.file == "train.npz"
    assert problem.expected.startswith("at least 20 records for the deletion games of ")
    assert problem.found == "12"


def test_logistic_loss_needs_a_classification(tmp_path):
    (found,) = problems(write_case(tmp_path, SOUND.replace('"classification"', '"regression"')))
    assert (found.file, found.where) == ("audit.toml", "data.task")


def test_own_code_may_have_many_labels_and_any_number_of_parameters(tmp_path):
    files = {"train__npz": records(labels=np.arange(12) % 5), "model__safetensors": save({"parameters": np.zeros(99)})}
    assert len(case.read(write_case(tmp_path, OWN, own__py=b"", **files)).train) == 12


def test_own_code_must_be_there(tmp_path):
    (found,) = problems(write_case(tmp_path, OWN))
    assert found.where == "procedure.entry"


def test_column_names_are_for_tables_only(tmp_path):
    (found,) = problems(write_case(tmp_path, SOUND.replace("task =", 'label = "y"\ntask =')))
    assert found.where == "data.label"


def test_unknown_records_in_the_log_are_no_problem_of_reading(tmp_path):
    assert case.read(write_case(tmp_path, deletions__jsonl=jsonl(row(record_ids=("nobody",))))).requests[0].record_ids == (
        "nobody",
    )


def test_csv_case(tmp_path):
    data = b"id,label,x,y\n" + b"".join(b"%d,%d,0.5,%d\n" % (at, at % 2, at) for at in range(8))
    log = b"request_id,record_ids,received_at\nR1,1;2,2026-01-10T09:00:00Z\n"
    toml = SOUND.replace("train.npz", "train.csv").replace("deletions.jsonl", "deletions.csv")
    files = {"train__csv": data, "deletions__csv": log, "model__safetensors": save({"parameters": np.zeros(2)})}
    found = case.read(write_case(tmp_path, toml, **files))
    assert found.train.features.shape == (8, 2)
    assert found.requests[0].record_ids == ("1", "2")


def test_every_problem_of_every_file_at_once(tmp_path):
    toml = SOUND.replace('name = "example"', 'name = "example"\nrelase = "x"').replace('"classification"', '"clasification"')
    found = problems(
        write_case(
            tmp_path,
            toml + '[policy]\nrequired = ["log.deadline"]\n',
            train__npz=npz(features=np.zeros((2, 2)), labels=np.zeros(2)),
            model__safetensors=b"",
            deletions__jsonl=b"{\n" + jsonl(row(record_ids=[7])),
        )
    )
    assert places(found) == {
        ("audit.toml", "case.relase"),
        ("audit.toml", "data.task"),
        ("audit.toml", "policy.required.0"),
        ("train.npz", "ids"),
        ("model.safetensors", ""),
        ("deletions.jsonl", "row 1"),
        ("deletions.jsonl", "row 2, record_ids"),
    }
