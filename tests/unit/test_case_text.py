"""Reading a text case: sentences become rows of numbered words, and what does not fit is named before anything runs."""

from __future__ import annotations

from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from auditor import case as cases
from auditor.base.errors import InputError
from text_cases import SOUND, sentences, write


def problems(folder: Path) -> list[tuple[str, str]]:
    with pytest.raises(InputError) as found:
        cases.read(folder)
    return [(each.where, each.expected) for each in found.value.problems]


def test_words_are_numbered_over_training_data_and_holdout(tmp_path: Path) -> None:
    write(tmp_path, text=SOUND.replace('text = "sentence"', 'text = "sentence"\nholdout = "holdout.csv"'))
    (tmp_path / "holdout.csv").write_text("id,sentence\nh0,aardvark saw zebra\n", encoding="utf-8")
    case = cases.read(tmp_path)
    known = sorted({word for each in [*sentences(60), "aardvark saw zebra"] for word in each.split()})
    first = [known[int(code) - 1] for code in case.train.features[0] if code]
    assert " ".join(first) == sentences(60)[0]
    assert case.holdout is not None
    assert [known[int(code) - 1] for code in case.holdout.features[0] if code] == ["aardvark", "saw", "zebra"]
    assert case.train.features.shape[1] == case.holdout.features.shape[1]
    assert not case.train.labels.any()
    assert case.columns == ("id", "sentence")


def test_parquet_holds_the_same_sentences(tmp_path: Path) -> None:
    first = cases.read(write(tmp_path))
    pq.write_table(pa.table({"id": [f"s{at}" for at in range(60)], "sentence": sentences(60)}), tmp_path / "train.parquet")
    (tmp_path / "audit.toml").write_text(SOUND.format(order=3, unlearn="retrain").replace("train.csv", "train.parquet"))
    assert (cases.read(tmp_path).train.features == first.train.features).all()


def test_a_language_model_needs_text_and_text_a_language_model(tmp_path: Path) -> None:
    write(tmp_path, text=SOUND.replace('text = "sentence"\n', ""))
    assert ("data.text", 'text, the name of the column of sentences: use = "ngram" learns from text') in problems(tmp_path)
    other = 'use = "sklearn"\nestimator = "sklearn.linear_model.LinearRegression"\n'
    write(tmp_path, text=SOUND.replace('use = "ngram"\norder = {order}\nunlearn = "{unlearn}"\n', other))
    assert ("data.text", 'no such key without use = "ngram", which alone learns from text') in problems(tmp_path)


def test_everything_that_is_wrong_is_named_at_once(tmp_path: Path) -> None:
    text = SOUND.replace('task = "regression"', 'task = "classification"\nstore = "train.csv"\nlabel = "sentence"')
    write(tmp_path, order=4, count=19, text=text + "[policy]\nmax_reconstruction = 1.5\n")
    expected = {"procedure.order", "policy.max_reconstruction", "data.store", "data.label", "data.task", ""}
    assert {where for where, _ in problems(tmp_path)} == expected


def test_too_few_sentences_and_a_task_that_none_has_are_refused(tmp_path: Path) -> None:
    write(tmp_path, count=19, text=SOUND.replace('"regression"', '"classification"'))
    found = problems(tmp_path)
    assert ("", "at least 20 sentences to learn from") in found
    assert any(where == "data.task" for where, _ in found)


@pytest.mark.parametrize(
    ("content", "where"),
    [
        ("id,sentence\na,one two\nb,\n", "row 3, column sentence"),
        ("id,sentence\na,one two\na,three\n", "row 3, column id"),
        ("id,sentence\na,one two,three\n", "row 2"),
        ("id,phrase\na,one\n", "columns"),
        ("id,sentence,label\na,one,1\n", "columns"),
        ("id,sentence\n", ""),
        ("id,sentence\na," + "word " * 1001 + "\n", "row 2, column sentence"),
    ],
)
def test_a_faulty_file_is_named_by_row_and_column(tmp_path: Path, content: str, where: str) -> None:
    write(tmp_path)
    (tmp_path / "train.csv").write_text(content, encoding="utf-8")
    assert where in [place for place, _ in problems(tmp_path)]


def test_a_faulty_sentence_is_not_shown(tmp_path: Path) -> None:
    write(tmp_path)
    (tmp_path / "train.csv").write_text("id,sentence\na,secret\x07word\n", encoding="utf-8")
    with pytest.raises(InputError) as found:
        cases.read(tmp_path)
    assert "secret" not in str(found.value)


def test_an_npz_file_holds_no_sentences(tmp_path: Path) -> None:
    write(tmp_path, text=SOUND.replace("train.csv", "train.npz"))
    (tmp_path / "train.npz").write_bytes(b"")
    assert any("where data.text names the column of sentences" in expected for _, expected in problems(tmp_path))
