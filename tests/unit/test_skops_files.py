"""Files of skops: addresses and dates are left out, types that only code can make are refused, and nothing hides between them."""

from __future__ import annotations

import io
import json
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from sklearn.ensemble import HistGradientBoostingClassifier, RandomForestClassifier
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer, StandardScaler

from auditor.base.errors import InputError
from auditor.base.model_formats import Comparison, NotThisFormatError, canonical, format_of, held_against, types
from auditor.case.artifacts import released
from auditor.case.files import Source
from auditor.cli import run

skops = pytest.importorskip("skops.io")
SECRET = b"person-07;1969-07-20;Example Street 5"
ROWS = np.random.default_rng(0).normal(size=(120, 3))
LABELS = (ROWS[:, 0] + 0.3 * ROWS[:, 1] > 0).astype(int)
PIPELINE = canonical(
    skops.dumps(make_pipeline(StandardScaler(), HistGradientBoostingClassifier(max_iter=2, random_state=0)).fit(ROWS, LABELS))
)


def doubled(values: Any) -> Any:
    return values * 2


def put(document: dict[str, Any], name: str, *, value: Any) -> None:
    document[name] = value


def test_a_file_is_known_by_what_it_holds_and_equals_itself() -> None:
    assert format_of("model.SKOPS", PIPELINE) == "skops"
    found = held_against(PIPELINE, PIPELINE, "skops")
    assert found is not None
    assert found.equal


def member(content: bytes, name: str, data: bytes) -> bytes:
    stream = io.BytesIO(content)
    with zipfile.ZipFile(stream, "a") as archive:
        archive.writestr(name, data)
    return stream.getvalue()


def schema(content: bytes, change: Any) -> bytes:
    written = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(content)) as old, zipfile.ZipFile(written, "w") as new:
        for each in old.infolist():
            data = old.read(each)
            if each.filename == "schema.json":
                document = json.loads(data)
                change(document)
                data = json.dumps(document, separators=(",", ":")).encode()
            new.writestr(each, data)
    return written.getvalue()


def test_two_dumps_of_one_model_are_canonically_one_file_which_predicts_the_same() -> None:
    made = [
        make_pipeline(StandardScaler(), RandomForestClassifier(n_estimators=2, max_depth=2, random_state=1)).fit(ROWS, LABELS)
        for _ in range(2)
    ]
    dumps = [skops.dumps(each) for each in made]
    assert dumps[0] != dumps[1], "addresses and dates"
    assert canonical(dumps[0]) == canonical(dumps[1]) == canonical(canonical(dumps[0]))
    loaded = skops.loads(canonical(dumps[0]), trusted=["sklearn.tree._tree.Tree"])
    np.testing.assert_array_equal(loaded.predict_proba(ROWS), made[0].predict_proba(ROWS))


def test_a_dump_with_addresses_and_dates_is_another_file_until_it_is_canonical() -> None:
    forest = RandomForestClassifier(n_estimators=2, max_depth=2, random_state=1).fit(ROWS, LABELS)
    dumped = skops.dumps(forest)
    found = held_against(dumped, canonical(dumped), "skops")
    assert found is not None
    assert (found.equal, found.of_model, found.besides) == (False, 0, 0)
    again = held_against(canonical(dumped), dumped, "skops")
    assert again is not None
    assert again.equal


@pytest.mark.parametrize(
    "hide",
    [
        lambda content: content + SECRET,
        lambda content: SECRET + content,
        lambda content: schema(content, lambda each: put(each, "__id__", value=int.from_bytes(SECRET[:6], "big"))),
        lambda content: schema(content, lambda each: put(each, "note", value=SECRET.decode())),
    ],
    ids=["behind", "in front", "an address", "a key"],
)
def test_whatever_is_hidden_in_a_dump_makes_it_another_file(hide: Any) -> None:
    content = hide(PIPELINE)
    assert content != PIPELINE
    found = held_against(content, PIPELINE, "skops")
    assert found is None or not found.equal


def test_a_member_that_nothing_names_is_refused() -> None:
    with pytest.raises(NotThisFormatError, match="names every member"):
        canonical(member(PIPELINE, "note.txt", SECRET))


def names(content: bytes) -> list[str]:
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        return archive.namelist()


@pytest.mark.parametrize("other", [True, False], ids=["another content", "the same content"])
@pytest.mark.parametrize("of", ["schema.json", "0.npy"])
def test_a_member_that_is_there_twice_is_refused_for_only_one_of_them_is_loaded(of: str, other: bool) -> None:
    with zipfile.ZipFile(io.BytesIO(PIPELINE)) as archive:
        data = archive.read(of)
    if other and of == "schema.json":
        data = data[:-1] + b', "note": "' + SECRET + b'"}'
    elif other:
        data = data[:-1] + bytes([data[-1] ^ 1])
    with pytest.warns(UserWarning, match="Duplicate name"):
        twice = member(PIPELINE, of, data)
    assert names(twice).count(of) == 2
    for read in (canonical, types):
        with pytest.raises(NotThisFormatError, match="a member twice"):
            read(twice)
    assert held_against(twice, PIPELINE, "skops") is None
    assert held_against(PIPELINE, twice, "skops") is None
    with pytest.raises(InputError):
        released(Source("model.skops", twice))


def test_an_archive_without_a_schema_is_refused() -> None:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        archive.writestr("0.npy", SECRET)
    with pytest.raises(NotThisFormatError, match=r"no schema\.json"):
        canonical(stream.getvalue())


def test_two_objects_of_one_number_are_refused_for_only_one_of_them_is_loaded() -> None:
    def twice(document: dict[str, Any]) -> None:
        nodes: list[dict[str, Any]] = []

        def walk(node: Any) -> None:
            if isinstance(node, dict):
                if "__id__" in node:
                    nodes.append(node)
                for each in node.values():
                    walk(each)
            elif isinstance(node, list):
                for each in node:
                    walk(each)

        walk(document)
        nodes[1]["__id__"] = nodes[0]["__id__"]

    with pytest.raises(NotThisFormatError, match="two different objects"):
        canonical(schema(PIPELINE, twice))


def test_types_that_only_code_can_make_are_named_and_refused() -> None:
    dumped = skops.dumps(make_pipeline(FunctionTransformer(doubled), StandardScaler()).fit(ROWS))
    assert any("doubled" in each for each in types(dumped))
    with pytest.raises(InputError) as refused:
        released(Source("model.skops", dumped))
    (problem,) = refused.value.problems
    assert "doubled" in problem.found
    assert "leave [model] out" in problem.expected
    assert types(PIPELINE) == frozenset()
    evil = schema(PIPELINE, lambda each: put(each, "content", value={"module_path": "os", "function": "system"}))
    with pytest.raises(NotThisFormatError):
        types(evil)  # arrays that nothing names any more
    assert not any(each.startswith("builtins.dict") for each in types(dumped))


def test_bytes_between_the_fields_of_an_array_are_left_out() -> None:
    forest = RandomForestClassifier(n_estimators=1, max_depth=2, random_state=1).fit(ROWS, LABELS)
    dumped = skops.dumps(forest)
    kind = forest.estimators_[0].tree_.__getstate__()["nodes"].dtype
    assert kind.itemsize > sum(kind[name].itemsize for name in kind.names), "nodes of a tree have gaps"
    assert canonical(dumped) == canonical(skops.dumps(forest))


def test_the_command_writes_the_canonical_file(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    forest = RandomForestClassifier(n_estimators=1, max_depth=2, random_state=1).fit(ROWS, LABELS)
    (tmp_path / "in.skops").write_bytes(skops.dumps(forest))
    target = str(tmp_path / "out.skops")
    assert run(["canonical", str(tmp_path / "in.skops"), "-o", target]) == 0
    assert Path(target).read_bytes() == canonical((tmp_path / "in.skops").read_bytes())
    assert "without addresses" in capfd.readouterr().out
    assert run(["canonical", str(tmp_path / "in.skops"), "-o", target, "--grid", "2^-10"]) == 2
    assert run(["canonical", str(tmp_path / "in.skops"), "-o", str(tmp_path / "out.npz")]) == 2


def fitted(labels: object) -> bytes:
    rows = np.random.default_rng(5).normal(size=(40, 2))
    return skops.dumps(LogisticRegression().fit(rows, labels))


TEXTS = np.where(np.random.default_rng(5).normal(size=(40, 2))[:, 0] > 0, "yes", "no")
KINDS = {"objects": pd.Series(TEXTS, dtype=object), "wide": TEXTS.astype("<U9"), "pandas": pd.Series(TEXTS)}


@pytest.mark.parametrize("kind", KINDS)
def test_labels_are_the_same_whichever_array_holds_them(kind: str) -> None:
    """Who fits on a column of pandas has the labels as objects; the rerun has them as an array of texts."""
    shipped, saved = canonical(fitted(KINDS[kind])), fitted(TEXTS)
    assert held_against(shipped, saved, "skops") == Comparison(equal=True)


@pytest.mark.parametrize("kind", KINDS)
def test_other_labels_are_another_model_whichever_array_holds_them(kind: str) -> None:
    other = KINDS[kind].copy()
    other[other == "no"] = "nO"
    found = held_against(canonical(fitted(other)), fitted(TEXTS), "skops")
    assert found is not None
    assert not found.equal
    assert found.of_model > 0


def test_a_label_that_is_spelled_otherwise_is_not_the_same_file() -> None:
    shipped = canonical(fitted(KINDS["objects"]))
    with zipfile.ZipFile(io.BytesIO(shipped)) as archive:
        members = {each.filename: archive.read(each) for each in archive.infolist()}
    members["schema.json"] = members["schema.json"].replace(b'"\\"no\\""', b'"\\"n\\\\u006f\\""')
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        for name, content in members.items():
            archive.writestr(name, content)
    spelled = canonical(stream.getvalue())
    assert spelled != shipped
    found = held_against(spelled, fitted(TEXTS), "skops")
    assert found is not None
    assert not found.equal


def test_a_seed_that_only_the_rerun_has_is_no_difference_and_any_other_value_is() -> None:
    """The rerun seeds what the file's own training left to chance."""
    rows, labels = np.arange(12.0).reshape(6, 2), [0, 1, 0, 1, 1, 0]
    shipped, seeded, other = (
        skops.dumps(LogisticRegression(random_state=seed, C=strength).fit(rows, labels))
        for seed, strength in ((None, 1.0), (7, 1.0), (7, 2.0))
    )
    own = canonical(shipped)
    assert held_against(own, seeded, "skops") == Comparison(equal=True)
    differing = held_against(own, other, "skops")
    assert differing is not None
    assert not differing.equal
    assert differing.of_model
    # The other way about the shipped file holds a number that the rerun does not give.
    reverse = held_against(canonical(seeded), shipped, "skops")
    assert reverse is not None
    assert (reverse.of_model, reverse.first and reverse.first.field) == (1, "random_state")


MESSAGES = ["the line is slow", "please cancel", "slow and dear", "cancel the line please"]


def vectoriser() -> TfidfVectorizer:
    return TfidfVectorizer(stop_words=["the"]).fit(MESSAGES)


def noted(content: bytes, text: str) -> bytes:
    """A file with another number, or something else, where a vectoriser notes the address of its stop words."""

    def change(document: dict[str, Any]) -> None:
        document["content"]["content"]["_stop_words_id"]["content"] = text

    return schema(content, change)


def test_the_address_that_a_vectoriser_notes_is_no_difference() -> None:
    first, second = vectoriser(), vectoriser()
    assert first._stop_words_id != second._stop_words_id
    shipped = canonical(skops.dumps(first))
    assert shipped == canonical(skops.dumps(second)) == canonical(shipped)
    assert held_against(shipped, skops.dumps(second), "skops") == Comparison(equal=True)
    loaded = skops.loads(shipped)
    np.testing.assert_array_equal(loaded.transform(MESSAGES).toarray(), first.transform(MESSAGES).toarray())


@pytest.mark.parametrize("hidden", ["41", "-1", "0.5", '"person-07"', "true"])
def test_what_is_noted_in_the_place_of_an_address_is_another_file(hidden: str) -> None:
    saved = skops.dumps(vectoriser())
    found = held_against(noted(canonical(saved), hidden), saved, "skops")
    assert found is not None
    assert not found.equal
    again = held_against(canonical(noted(saved, hidden)), saved, "skops")
    assert again is not None
    assert again.equal == hidden.isdigit(), "of a number nothing is left, all else stays and differs"


def test_an_attribute_of_that_name_of_another_class_is_compared() -> None:
    one, other = (StandardScaler().fit(ROWS) for _ in range(2))
    one._stop_words_id, other._stop_words_id = 41, 42
    assert canonical(skops.dumps(one)) != canonical(skops.dumps(other))
