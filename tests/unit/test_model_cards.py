"""What MLflow's and Hugging Face's files say of a model: a few plain words, whatever else such a file holds."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from auditor import case as cases
from auditor.audit.describing import case_facts
from auditor.case.artifacts import said
from case_examples import SOUND, write_case

MLMODEL = b"""\
artifact_path: model
flavors:
  python_function:
    loader_module: mlflow.pytorch
  pytorch:
    model_data: data
mlflow_version: 2.14.1
model_uuid: 0b1c
run_id: 'a1b2c3'
utc_time_created: '2026-01-02 03:04:05'
"""


def test_the_words_of_an_mlflow_folder_are_read() -> None:
    assert said({"MLmodel": MLMODEL}) == {
        "framework": "pytorch",
        "mlflow": "2.14.1",
        "model": "0b1c",
        "run": "a1b2c3",
        "created": "2026-01-02 03:04:05",
    }


def test_the_words_of_a_hugging_face_folder_are_read() -> None:
    config = json.dumps({"architectures": ["BertModel"], "_name_or_path": "org/base", "hidden_size": 32}).encode()
    readme = b"---\nlicense: apache-2.0\nbase_model: org/other\ntags:\n- x\n---\nlicense: mit\nrun_id: 7\n"
    found = said({"config.json": config, "README.md": readme, "other.json": config})
    assert found == {"architecture": "BertModel", "base-model": "org/other", "licence": "apache-2.0"}


@pytest.mark.parametrize(
    "content",
    [
        b"", b"\xff\xfe", b"[" * 100_000, b"[]", b"7", b'{"model_type": {"a": 1}}', b'{"model_type": ["a", "b"]}',
        b'{"model_type": 7}', b'{"model_type": ""}', b'{"model_type": "a\\u0000b"}', b'{"model_type": "\\ud800"}',
        json.dumps({"model_type": "x" * 201}).encode(), b" " * (1 << 20) + b'{"model_type": "x"}',
    ],
)  # fmt: skip
def test_json_that_is_hostile_says_nothing(content: bytes) -> None:
    assert said({"config.json": content}) == {}


@pytest.mark.parametrize(
    "line",
    [
        "run_id: !!python/object/apply:os.system ['id']", "run_id: &a x", "run_id: *a", "run_id: {a: b}", "run_id: |", "run_id:",
        "  run_id: x", "run_id: \x1b[31m", "? run_id", "run_id:x",
    ],
)  # fmt: skip
def test_yaml_that_is_more_than_a_key_and_a_value_says_nothing(line: str) -> None:
    assert said({"MLmodel": line.encode()}) == {}
    assert said({"README.md": f"---\n{line}\n---\n".encode()}) == {}


def test_the_folder_of_the_model_file_speaks_and_is_digested(tmp_path: Path) -> None:
    toml = SOUND.replace('"model.safetensors"', '"exported/data/model.safetensors"')
    write_case(tmp_path, toml)
    (tmp_path / "exported" / "data").mkdir(parents=True)
    (tmp_path / "exported" / "data" / "model.safetensors").write_bytes((tmp_path / "model.safetensors").read_bytes())
    (tmp_path / "exported" / "MLmodel").write_bytes(MLMODEL)
    (tmp_path / "README.md").write_text("---\nlicense: x\n---\n")
    (tmp_path / "secret").write_text("license: secret")
    (tmp_path / "exported" / "README.md").symlink_to(tmp_path / "secret")
    case = cases.read(tmp_path)
    (found,) = case_facts(case).said_of_model
    assert (found.path, found.words["run"]) == ("exported/", "a1b2c3")
    assert [each.path for each in case.inputs if each.path.startswith("exported")] == [
        "exported/MLmodel",
        "exported/data/model.safetensors",
    ]


def test_a_case_without_such_a_folder_says_nothing_of_it(tmp_path: Path) -> None:
    write_case(tmp_path)
    (tmp_path / "config.json").write_text('{"model_type": "x"}')
    facts = case_facts(cases.read(tmp_path))
    assert facts.said_of_model == ()
    assert "said_of_model" not in facts.model_dump()


def test_a_base_may_have_the_very_notes_that_the_folder_of_the_model_has(tmp_path: Path) -> None:
    toml = SOUND.replace('"model.safetensors"', '"exported/model.safetensors"').replace(
        "[model]", 'inputs = ["base/"]\n\n[model]'
    )
    toml = toml.replace('use = "certified-removal"\nl2 = 1e-3\nsigma = 1.0', 'entry = "net.py:Net"')
    write_case(tmp_path, toml, net__py=b"class Net: ...")
    for folder in ("exported", "base"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "config.json").write_text('{"model_type": "tiny"}')
    (tmp_path / "model.safetensors").rename(tmp_path / "exported" / "model.safetensors")
    found = case_facts(cases.read(tmp_path)).said_of_model
    assert [(each.path, each.words) for each in found] == [("base/", {"kind": "tiny"}), ("exported/", {"kind": "tiny"})]
