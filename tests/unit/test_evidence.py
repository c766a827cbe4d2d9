"""The evidence document: canonical bytes out, the same document in, one published schema, and nothing ambiguous accepted."""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import jsonschema
import pytest
import rfc8785

import report_examples as examples
from auditor.base.errors import InputError
from auditor.document import evidence_files
from auditor.document.evidence import SCHEMA, Evidence, digest, digest_of
from auditor.document.evidence_files import read
from auditor.verdict.checks import definitions
from auditor.verdict.published import schema
from published_schema import published

SCHEMA_FILE = Path(__file__).resolve().parents[2] / "docs" / "evidence.schema.json"
Change = Callable[[dict[str, Any]], object]


@cache
def passing() -> Evidence:
    return examples.passing().evidence


@cache
def failing() -> Evidence:
    return examples.failing().evidence


@cache
def broken_off() -> Evidence:
    return examples.broken_off().evidence


@cache
def content_of_passing() -> bytes:
    return passing().to_bytes()


@pytest.fixture
def document() -> dict[str, Any]:
    return json.loads(content_of_passing())


@cache
def in_the_documentation() -> jsonschema.Draft202012Validator:
    return jsonschema.Draft202012Validator(json.loads(SCHEMA_FILE.read_text(encoding="utf-8")))


def written(folder: Path, content: bytes | str) -> Path:
    path = folder / "evidence.json"
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return path


@pytest.mark.parametrize("example", [passing, failing, broken_off])
def test_what_is_written_is_read_back_byte_for_byte(tmp_path: Path, example: Callable[[], Evidence]) -> None:
    content = example().to_bytes()
    again = read(written(tmp_path, content))
    assert again.to_bytes() == content
    assert rfc8785.dumps(json.loads(content)) == content, "canonical"


@pytest.mark.parametrize("example", [passing, failing, broken_off])
def test_what_is_written_follows_the_published_schema(example: Callable[[], Evidence]) -> None:
    published().validate(json.loads(example().to_bytes()))


def test_the_published_schema_is_the_one_in_the_documentation() -> None:
    published_now = schema()
    assert json.loads(SCHEMA_FILE.read_text(encoding="utf-8")) == published_now
    jsonschema.Draft202012Validator.check_schema(published_now)


@pytest.mark.parametrize("check_id", definitions())
def test_the_schema_names_what_each_check_observes(document: dict[str, Any], check_id: str) -> None:
    """In a document with that check alone: whole ones are validated above."""
    validator = in_the_documentation()
    if definitions()[check_id].card.of_answers or definitions()[check_id].card.of_places:
        document["checks"].append({**document["checks"][-1], "id": check_id})
    check = next(each for each in document["checks"] if each["id"] == check_id)
    document["checks"] = [check]
    validator.validate(document)
    check["observed"] = {"seen_by_nobody": 1}
    (error,) = validator.iter_errors(document)
    assert list(error.path)[0::2] == ["checks", "observed"]
    definition = definitions()[check_id]
    if definition.runs and not any(each.is_required() for each in definition.observed.model_fields.values()):
        check["observed"] = {}
        assert validator.is_valid(document)


def test_a_check_is_found_by_its_id() -> None:
    assert passing().check("removal.budget").id == "removal.budget"
    with pytest.raises(KeyError):
        passing().check("removal.bugdet")


def test_digests_are_sha256_in_hexadecimal_and_do_not_depend_on_the_order_of_keys() -> None:
    assert digest(b"abc") == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
    assert digest_of({"a": 1, "b": [2]}) == digest_of({"b": [2], "a": 1}) == digest(b'{"a":1,"b":[2]}')


def set_value(number: float) -> Change:
    return lambda document: document["checks"][0].update(value=number)


@pytest.mark.parametrize(
    ("change", "place"),
    [
        (lambda document: document.pop("verdict"), "verdict"),
        (lambda document: document.update(verdict="excellent"), "verdict"),
        (lambda document: document.update(more=1), "more"),
        (lambda document: document["audit"].update(more=1), "audit.more"),
        (lambda document: document["audit"].pop("exit_code"), "audit.exit_code"),
        (lambda document: document["checks"][3].update(status="great"), "checks.3.status"),
        (lambda document: document["checks"][3].update(more=1), "checks.3.more"),
        (lambda document: document["case"].update(training_records="many"), "case.training_records"),
        (lambda document: document.update(schema="auditor.evidence/1"), "schema"),
        (lambda document: document.pop("schema"), "schema"),
    ],
)
def test_what_is_missing_unknown_or_wrong_is_named(tmp_path: Path, document: dict[str, Any], change: Change, place: str) -> None:
    change(document)
    path = written(tmp_path, json.dumps(document))
    with pytest.raises(InputError) as caught:
        read(path)
    assert [(problem.file, problem.where) for problem in caught.value.problems] == [(str(path), place)]


def test_every_problem_is_named_at_once(tmp_path: Path, document: dict[str, Any]) -> None:
    del document["verdict"], document["case"]["name"]
    with pytest.raises(InputError) as caught:
        read(written(tmp_path, json.dumps(document)))
    assert {problem.where for problem in caught.value.problems} == {"verdict", "case.name"}


@pytest.mark.parametrize("number", [math.nan, math.inf, -math.inf])
@pytest.mark.parametrize("place", ["value", "derived"])
def test_numbers_that_are_none_are_refused(tmp_path: Path, document: dict[str, Any], number: float, place: str) -> None:
    set_value(number)(document) if place == "value" else document["checks"][0]["derived"].update(deep=[{"x": number}])
    with pytest.raises(InputError, match="number"):
        read(written(tmp_path, json.dumps(document)))


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"[]",
        b"null",
        b"\xff\xfe\xfa",
        b"[" * 100_000,
        b'{"schema": ' + b"[" * 100_000,
        b'{"schema": 1e999}',
        b'{"schema": 123456789012345678901234567890}',
        b'{"schema": "auditor.evidence/2", "schema": "auditor.evidence/2"}',
        b'{"schema": {"name": "auditor.evidence/2"}}',
    ],
)
def test_what_is_no_evidence_at_all_is_bad_input(tmp_path: Path, content: bytes) -> None:
    with pytest.raises(InputError) as caught:
        read(written(tmp_path, content))
    assert len(caught.value.problems) == 1


def test_a_key_given_twice_is_refused(tmp_path: Path) -> None:
    content = passing().to_bytes()
    assert content.startswith(b'{"audit":')
    with pytest.raises(InputError, match="twice"):
        read(written(tmp_path, b'{"verdict":"fail",' + content[1:]))


def test_an_integer_that_readers_would_round_is_refused(tmp_path: Path, document: dict[str, Any]) -> None:
    document["checks"][0]["derived"]["large"] = 2**53 + 1
    with pytest.raises(InputError, match="integer"):
        read(written(tmp_path, json.dumps(document)))


@pytest.mark.parametrize("value", [2.0**53 + 2, 5.636758643357602e18, -1.2345678901234568e20, 9.99e20, 1e21])
def test_a_float_that_its_canonical_form_writes_as_digits_is_read_back(
    tmp_path: Path, document: dict[str, Any], value: float
) -> None:
    document["checks"][0]["derived"]["large"] = value
    again = read(written(tmp_path, rfc8785.dumps(document)))
    assert again.checks[0].derived["large"] == value
    assert again.to_bytes() == rfc8785.dumps(document)


@pytest.mark.parametrize("share", [0.01, 0.5, 0.999])
def test_a_truncated_file_is_bad_input(tmp_path: Path, share: float) -> None:
    content = passing().to_bytes()
    with pytest.raises(InputError, match="in JSON"):
        read(written(tmp_path, content[: int(share * len(content))]))


def test_a_missing_file_a_folder_and_a_huge_file_are_bad_input(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(InputError, match="no such file"):
        read(tmp_path / "nowhere.json")
    with pytest.raises(InputError, match="a folder"):
        read(tmp_path)
    monkeypatch.setattr(evidence_files, "MAX_BYTES", 100)
    with pytest.raises(InputError, match="at most 100 bytes"):
        read(written(tmp_path, passing().to_bytes()))


@pytest.mark.parametrize(
    ("content", "stands"),
    [
        (b'{"a": [1, 2.50, -0.0, 9007199254740991]}', True),
        ('{"name": "Zoë"}'.encode(), True),
        ('{"name": "Zoë"}'.encode("utf-16"), False),
        (b'{"name": "\xed\xa0\x80"}', False),
        (b'{"a": 100000000000000000000}', False),
    ],
    ids=["numbers", "UTF-8", "UTF-16", "half of a pair of surrogates", "a number without its exponent"],
)
def test_models_read_a_document_as_it_stands_where_every_reader_takes_it_alike(content: bytes, stands: bool) -> None:
    value, text = evidence_files.parse_whole(content, "evidence.json")
    assert text == (content.decode() if stands else json.dumps(value))
    assert json.loads(text) == value == evidence_files.parse_json(content, "evidence.json")


@pytest.mark.parametrize("number", ["1e999", "-1e999", "NaN", "9007199254740993", "-9007199254740993", "9" * 5000])
@pytest.mark.parametrize("around", ["{}", "[{}]", "[1, {}, 2]", '[[0.5], {{"a": [null, {}]}}]'])
def test_a_number_that_readers_take_differently_is_refused_wherever_it_stands(number: str, around: str) -> None:
    with pytest.raises(InputError, match="which"):
        evidence_files.parse_json(f'{{"a": {around.format(number)}}}'.encode(), "evidence.json")


def test_the_schema_is_named_in_every_document() -> None:
    assert json.loads(passing().to_bytes())["schema"] == SCHEMA == "auditor.evidence/2"
