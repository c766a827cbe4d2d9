"""Folders in `[data] inputs`: files that the case's own code may read, such as weights of a base model."""

from __future__ import annotations

import os
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from safetensors.numpy import save

from auditor import case as cases
from auditor.audit.describing import case_facts
from auditor.audit.replay import specification
from auditor.base.domain import Message
from auditor.base.errors import InputError
from auditor.case import Case, code
from auditor.parts.store.observing.erasure import _inputs, _wanted
from auditor.parts.store.observing.search import Search
from auditor.sandbox import steps
from auditor.sandbox.runs.circumstances import Describer
from small_cases import problem, write_log

PLACE = Message("data.erased.place.input", {"path": "base/model.safetensors"})


def case_of(folder: Path, inputs: str = '["base/"]', procedure: str = 'entry = "net.py:Net"') -> Path:
    """Sixty records, one of them deleted, code and a folder of weights."""
    features, labels = problem()
    np.savez(folder / "train.npz", features=features, labels=labels, ids=np.array([f"rec-{index:04d}" for index in range(60)]))
    write_log(folder, [["rec-0001"]])
    (folder / "base" / "words").mkdir(parents=True)
    (folder / "base" / "model.safetensors").write_bytes(save({"weight": np.linspace(-2, 2, 50)}))
    (folder / "base" / "words" / "list.txt").write_text("a\nb\n")
    (folder / "net.py").write_text("class Net: ...")
    (folder / "audit.toml").write_text(
        f'[case]\nname = "small"\n[data]\ntrain = "train.npz"\ntask = "classification"\ninputs = {inputs}\n'
        f'[procedure]\n{procedure}\nseed = 5\n[deletions]\nlog = "deletions.jsonl"\n'
    )
    return folder


def problems(folder: Path) -> str:
    with pytest.raises(InputError) as refused:
        cases.read(folder)
    return "\n".join(str(each) for each in refused.value.problems)


def searched(case: Case) -> Search:
    replay: Any = SimpleNamespace(forgotten=(np.array([1]),))
    search = Search(_wanted(case, replay))
    for path, content in _inputs(case):
        search.held(content, PLACE, name=path)
    return search


def test_every_file_is_digested_listed_and_handed_over_as_it_was_read(tmp_path: Path) -> None:
    case = cases.read(case_of(tmp_path))
    assert {each.path for each in case.inputs} >= {"base/model.safetensors", "base/words/list.txt", "net.py"}
    (tmp_path / "base" / "words" / "list.txt").write_text("changed since")
    spec = specification(case)
    assert spec.entry is not None
    assert spec.code is not None
    into = tmp_path / "scratch"
    into.mkdir()
    assert steps.write(spec.code, spec.entry, into) == f"{into}/net.py:Net"
    assert (into / "base" / "words" / "list.txt").read_text() == "a\nb\n"
    (found,) = case_facts(case).base
    assert (found.path, found.files, found.bytes) == ("base/", 2, (tmp_path / "base" / "model.safetensors").stat().st_size + 4)


def test_runs_with_other_files_are_other_runs_and_the_case_is_another(tmp_path: Path) -> None:
    before = cases.read(case_of(tmp_path))
    (tmp_path / "base" / "words" / "list.txt").write_text("a\nc\n")
    after = cases.read(tmp_path)
    assert before.inputs != after.inputs
    addresses = {Describer().to_bytes(specification(each)) for each in (before, after)}
    assert len(addresses) == 2


def test_columns_and_folders_are_told_apart_by_the_slash(tmp_path: Path) -> None:
    case_of(tmp_path)
    rows = "".join(f"r{at},{at % 2},{at / 10},{at / 7}\n" for at in range(20))
    (tmp_path / "train.csv").write_text("id,label,a,b\n" + rows)
    text = (tmp_path / "audit.toml").read_text().replace("train.npz", "train.csv").replace('["base/"]', '["b", "base/"]')
    (tmp_path / "audit.toml").write_text(text)
    log = (tmp_path / "deletions.jsonl").read_text().replace("rec-0001", "r1")
    (tmp_path / "deletions.jsonl").write_text(log)
    assert cases.read(tmp_path).train.features.shape == (20, 1)
    (tmp_path / "audit.toml").write_text(text.replace('["b", "base/"]', '["base/"]'))
    assert cases.read(tmp_path).train.features.shape == (20, 2)


def test_links_lead_nowhere(tmp_path: Path) -> None:
    (tmp_path / "case").mkdir()
    folder = case_of(tmp_path / "case")
    secret = tmp_path / "secret"
    secret.mkdir()
    (secret / "key").write_text("secret")
    (folder / "base" / "file").symlink_to(secret / "key")
    (folder / "base" / "folder").symlink_to(secret)
    (folder / "base" / "data").symlink_to(folder / "train.npz")
    os.mkfifo(folder / "base" / "pipe")
    found = problems(folder)
    for name in ("file", "folder", "data"):
        assert f"base/{name}: expected plain files, at most 1000 of 1024 MiB in all, found a link" in found
    assert "base/pipe: expected plain files, at most 1000 of 1024 MiB in all, found no plain file" in found


@pytest.mark.parametrize(
    ("inputs", "words"),
    [
        ('["../"]', "leads out of it"),
        ('["/etc/"]', "the absolute path"),
        ('["./"]', "a folder alongside"),
        ('["none/"]', "does not exist"),
        ('["net.py/"]', ""),
        ('["linked/"]', "a link"),
        ('["base/", "base/words/"]', "one within another"),
        ('["empty/"]', "an empty folder"),
    ],
)
def test_a_folder_is_one_of_the_case_alongside_the_code(tmp_path: Path, inputs: str, words: str) -> None:
    case_of(tmp_path, inputs)
    (tmp_path / "linked").symlink_to("base")
    (tmp_path / "empty").mkdir()
    found = problems(tmp_path)
    assert words in found
    assert found.count("\n") == 0, found


def test_code_and_copies_of_the_data_are_refused(tmp_path: Path) -> None:
    case_of(tmp_path)
    (tmp_path / "base" / "copy.bin").write_bytes((tmp_path / "train.npz").read_bytes())
    (tmp_path / "base" / "log.bin").write_bytes((tmp_path / "deletions.jsonl").read_bytes())
    (tmp_path / "base" / "more.py").write_text("")
    found = problems(tmp_path)
    assert "base/copy.bin: " in found
    assert "the bytes of train.npz, which no procedure may open" in found
    assert "the bytes of deletions.jsonl" in found
    assert "base/more.py: expected no code: Python lies alongside the entry" in found


def test_the_store_is_no_such_folder(tmp_path: Path) -> None:
    case_of(tmp_path)
    text = (tmp_path / "audit.toml").read_text()
    (tmp_path / "audit.toml").write_text(text.replace("[procedure]", 'store = "base/words"\n[procedure]', 1))
    assert "the data store, which none may" in problems(tmp_path)


def test_too_many_files_and_too_large_ones_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    case_of(tmp_path)
    monkeypatch.setattr(code, "MOST_FILES", 1)
    assert "found more" in problems(tmp_path)
    monkeypatch.setattr(code, "MOST_FILES", 1000)
    monkeypatch.setattr(code, "MOST_INPUT_BYTES", 8)
    assert "found more" in problems(tmp_path)


def test_a_procedure_of_ours_reads_no_files(tmp_path: Path) -> None:
    case_of(tmp_path, procedure='use = "torch"\nmodel = "mlp"\nepochs = 1\nrate = 0.1')
    assert "only a procedure of the case's own (entry) reads files" in problems(tmp_path)


@pytest.mark.parametrize("hidden", ["tensor", "words", "name", "bytes"])
def test_deleted_records_in_base_weights_are_found(tmp_path: Path, hidden: str) -> None:
    case_of(tmp_path)
    features, _ = problem()
    base = tmp_path / "base"
    match hidden:
        case "tensor":
            weight = np.concatenate([np.linspace(-2, 2, 50), features[1]]).astype(np.float32)
            (base / "model.safetensors").write_bytes(save({"weight": weight, "rows": features[:2]}))
        case "words":
            (base / "words" / "list.txt").write_text("a\nrec-0001\n")
        case "name":
            (base / "rec-0001.bin").write_bytes(b"\1\2\3")
        case "bytes":
            (base / "vocabulary.bin").write_bytes(b"\1\2\3" + features[1].tobytes())
    assert searched(cases.read(tmp_path)).found == {"rec-0001"}


def test_other_base_weights_hold_no_record_and_leave_nothing_open(tmp_path: Path) -> None:
    case_of(tmp_path)
    (tmp_path / "base" / "vocabulary.bin").write_bytes(bytes(range(256)))
    search = searched(cases.read(tmp_path))
    assert (search.found, search.open_places, len(search.searched)) == (set(), [], 3)
