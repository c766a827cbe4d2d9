"""Every message about an input says what is expected and what was found in our words, never in those of a library."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any, get_args

import pytest
from pydantic import BeforeValidator, ValidationError, create_model
from pydantic_core.core_schema import ErrorType

from auditor.base.validation import expected_of
from auditor.cli import run
from auditor.parts.controllers.counterexamples import SCHEMA as COUNTEREXAMPLE
from cases import copy_of
from sample_cases import GOLDEN

THEIRS = re.compile(
    r"Value error|Assertion failed|Field required|Input should|Expecting |Extra inputs|Invalid value|Expected '|unable to parse|"
    r"valid (integer|string|number|boolean|list|tuple|dictionary)|pydantic|JSONDecodeError|\(char \d+\)|Unterminated",
    re.IGNORECASE,
)


def honest() -> dict[str, Any]:
    value: dict[str, Any] = json.loads((GOLDEN / "digits-newton.json").read_bytes())
    return value


def _set(place: str, value: object) -> Callable[[], bytes]:
    """Evidence with one place of it changed."""

    def made() -> bytes:
        whole = inside = honest()
        *steps, last = place.split(".")
        for step in steps:
            inside = inside[int(step)] if isinstance(inside, list) else inside[step]  # type-free: what JSON gives
        if value is KeyError:
            del inside[last]
        else:
            inside[last] = value
        return json.dumps(whole).encode()

    return made


EVIDENCE: dict[str, tuple[Callable[[], bytes] | bytes, str]] = {
    "cut off": (b'{"schema": "auditor.evidence/2", ', "expected an evidence file in JSON, found broken JSON (line 1, column"),
    "unquoted": (b"{schema: 1}", "found broken JSON (line 1, column 2)"),
    "a list": (b"[1, 2", "found broken JSON (line 1, column"),
    "two": (b"{}\n{}", "found several JSON values, as in a log"),
    "a key is missing": (_set("case.name", KeyError), "case.name: expected a value: this key is required, found no such key"),
    "a number for text": (_set("case.name", 7), "case.name: expected text in quotes, found 7"),
    "text for a number": (_set("case.features", "x"), 'case.features: expected an integer, found "x"'),
    "a fraction for a count": (_set("case.features", 1.5), "case.features: expected an integer, found 1.5"),
    "an unknown verdict": (_set("verdict", "fine"), 'verdict: expected one of pass, fail, inconclusive, found "fine"'),
    "an unknown key": (_set("case.nosuch", 1), "case.nosuch: expected no such key, found 1"),
    "a table for a list": (_set("checks", {}), "checks: expected an array, found {}"),
    "a list for a table": (_set("case", []), "case: expected a table, found []"),
    "no time": (_set("audit.started_at", "soon"), "audit.started_at: expected a date with a time, such as 2026-01-31T12:00:00Z"),
    "no version": (_set("audit.auditor_version", "new"), 'audit.auditor_version: expected a version from 0.2.0 on, found "new"'),
    "no flag": (_set("audit.quick", 3), "audit.quick: expected true or false, found 3"),
    "two who attest": (
        _set("policy.attested.0.by", "somebody else"),
        "policy: expected one person and one day for everything that is attested",
    ),
}


@pytest.mark.parametrize("command", ["report", "verify", "explain", "diff"])
@pytest.mark.parametrize("broken", EVIDENCE)
def test_broken_evidence(broken: str, command: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    content, said = EVIDENCE[broken]
    path = tmp_path / "evidence.json"
    path.write_bytes(content if isinstance(content, bytes) else content())
    more = {"report": ["--format", "md"], "diff": [str(path)]}.get(command, [])
    assert run([command, str(path), *more]) == 2
    err = capfd.readouterr().err
    assert said in err
    assert not THEIRS.search(err), err


TOML = {
    "no value": ("x =\n", "audit.toml: expected TOML, found broken TOML (line 1, column 4)"),
    "a decimal comma": (
        "[policy]\nmax_accuracy_drop = 0,02  # a fiftieth\n",
        "TOML, in which a number has a decimal point: 0.02, found broken TOML (line 2, column 22): max_accuracy_drop = 0,02",
    ),
    "a broken seed, which is not shown": ("[procedure]\nseed = 17 23\n", "found broken TOML (line 2, column 11)\n"),
    "an open table": ("[case", "found broken TOML (at its end)"),
    "text that is not closed": ('[case]\nname = "x', "found broken TOML ("),
    "a key twice": ('[case]\nname = "x"\nname = "y"\n', "found a key or table that is there twice (line 3, column"),
    "a table twice": ('[case]\nname = "x"\n[case]\nrelease = "y"', "found a key or table that is there twice (line 3"),
    "a number for text": ("[case]\nname = 7", "case.name: expected text in quotes, found 7"),
    "text for a number": ('[policy]\nmin_quality = "high"', 'policy.min_quality: expected a number, found "high"'),
    "a date that is none": ('[case]\nname = "x"\nin_use_since = "soon"', "case.in_use_since: expected a date"),
    "an unknown key": ("[case]\nnosuch = 1", 'found an unknown key "nosuch"'),
    "text for a list": ('[policy]\nrequired = "x"', "policy.required: expected an array"),
    "a list for a table": ("case = []", "case: expected a [case] table, found an array of 0"),
    "a fraction for a count": ("[swap]\npairs = 1.5", "swap.pairs: expected an integer, found 1.5"),
    "less than there may be": ("[swap]\npairs = -1", "swap.pairs: expected a number of at least"),
    "a claim": ("[claims]\nretraining = 3", "claims.retraining: expected true or false, found 3"),
}


@pytest.mark.parametrize("broken", TOML)
def test_broken_declarations(broken: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    content, said = TOML[broken]
    (tmp_path / "audit.toml").write_text(content, encoding="utf-8")
    assert run(["validate", str(tmp_path)]) == 2
    err = capfd.readouterr().err
    assert said in err
    assert not THEIRS.search(err), err


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ('{"request_id": 1,', "row 1: expected a JSON object, found broken JSON (column"),
        ("nothing", "row 1: expected a JSON object, found broken JSON (column 1)"),
        ("[1]", "row 1: expected a JSON object, found an array of 1"),
        ('{"request_id": 1, "record_ids": ["a"], "received_at": "soon"}', "row 1, received_at: expected"),
        ('{"request_id": "a", "record_ids": 7, "received_at": "2026-01-01T00:00:00Z"}', "row 1, record_ids: expected"),
    ],
)
def test_broken_logs(line: str, said: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "log.jsonl").write_text(line + "\n", encoding="utf-8")
    assert run(["log", "check", str(tmp_path / "log.jsonl")]) == 2
    err = capfd.readouterr().err
    assert said in err
    assert not THEIRS.search(err), err


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("{", "found broken JSON (line 1, column 2)"),
        (json.dumps({"schema": COUNTEREXAMPLE}), "seed: expected a value: this key is required"),
        (json.dumps({"schema": COUNTEREXAMPLE, "seed": "x"}), "seed: expected an integer"),
        (json.dumps({"schema": "other"}), "schema: expected one of auditor.counterexample/1"),
    ],
)
def test_broken_counterexamples(content: str, said: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "c.json").write_text(content, encoding="utf-8")
    assert run(["replay", str(tmp_path / "c.json")]) == 2
    err = capfd.readouterr().err
    assert said in err
    assert not THEIRS.search(err), err


def test_parameters_of_a_controller_are_refused_in_our_words(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    case = copy_of("tree-counter", tmp_path)
    text = (case / "audit.toml").read_text(encoding="utf-8")
    (case / "audit.toml").write_text(re.sub(r"horizon = \d+", 'horizon = "long"', text), encoding="utf-8")
    assert 'horizon = "long"' in (case / "audit.toml").read_text(encoding="utf-8")
    assert run(["validate", str(case), "--no-run"]) == 2
    err = capfd.readouterr().err
    assert "horizon: an integer" in err
    assert not THEIRS.search(err), err
    shutil.rmtree(case)


@pytest.mark.parametrize("kind", get_args(ErrorType))
def test_no_kind_of_error_is_said_in_the_library_s_words(kind: str) -> None:
    context = dict.fromkeys(("max_length", "min_length", "gt", "ge", "lt", "le", "multiple_of"), 3)
    context |= {
        "expected": "'a' or 'b'",
        "pattern": "x",
        "expected_tags": "'a', 'b'",
        "error": "what a validator of ours expects",
    }
    said = expected_of({"type": kind, "loc": ("x",), "msg": "Input should be so", "input": 1, "ctx": context})
    assert said
    assert not THEIRS.search(said)


def test_what_a_validator_of_ours_expects_is_said_without_a_prefix() -> None:
    def refuse(_value: object) -> object:
        raise ValueError("an even number")

    model = create_model("Model", x=(Annotated[int, BeforeValidator(refuse)], ...))
    with pytest.raises(ValidationError) as raised:
        model(x=3)
    assert expected_of(raised.value.errors()[0]) == "an even number"
