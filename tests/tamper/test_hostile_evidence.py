"""Evidence that nobody's audit wrote ends in findings or in one error that says what is wrong with it, never in a traceback."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import rfc8785

from auditor.base.errors import AuditorError
from auditor.cli import run
from auditor.document.evidence import Evidence
from auditor.pages.letters import extract
from auditor.pages.words.rendered_evidence import tell
from auditor.recheck.derivations import recheck_evidence
from auditor.recheck.files import read_evidence
from rechecks import Change, changed, check, document

NEWTON, DESCENT, GAMES, OWN = "digits-newton", "breast-cancer-noisy-gd", "median-adaptive", "digits-own-procedure"
HUGE = 2**53 - 1
VALUES: tuple[Any, ...] = (
    None,
    True,
    -1,
    HUGE,
    1.7e308,
    5e-324,
    "x",
    "\u202e\x1b[2J",
    [],
    {},
    [[[]]],
    {"code": "x", "parameters": {}},
)


def _letter(evidence: Evidence) -> object:
    return extract(evidence, evidence.requests[0].request_id if evidence.requests else "none", draft=True)


def judged(content: bytes) -> list[str]:
    """What a recheck, the words and a letter make of it: findings and errors of ours, anything else is raised."""
    said: list[str] = []
    try:
        read = read_evidence(content, "evidence.json")
        said += map(str, recheck_evidence(read, "evidence.json").findings)
    except AuditorError as error:
        return [str(error)]
    for written in (
        tell,
        lambda evidence: extract(evidence, evidence.requests[0].request_id if evidence.requests else "none", draft=True),
    ):
        try:
            written(read.evidence)
        except AuditorError as error:
            said.append(str(error))
    return said


def setting(**given: Any) -> Change:
    return lambda value: value["procedure"]["settings"].update(given)


def first_reason(value: dict[str, Any]) -> dict[str, Any]:
    reason: dict[str, Any] = check(value, "swap.quality")["reasons"][0]
    return reason


HOSTILE: dict[str, tuple[str, Change]] = {
    "an unknown check": (NEWTON, lambda v: v["checks"][3].update(id="model.invented")),
    "no checks": (NEWTON, lambda v: v.update(checks=[])),
    "one check": (NEWTON, lambda v: v.update(checks=v["checks"][:1])),
    "a check that is needed by others taken away": (NEWTON, lambda v: v["checks"].pop(4)),
    "observations taken away": (NEWTON, lambda v: check(v, "swap.quality").update(observed=None)),
    "observations of a check that reads the log alone": (NEWTON, lambda v: check(v, "log.deadlines").update(observed={"x": 1})),
    "another check's observations": (
        NEWTON,
        lambda v: check(v, "swap.quality").update(observed=check(v, "removal.residual")["observed"]),
    ),
    "an unknown theorem": (NEWTON, lambda v: v["guarantees"][0]["derivation"][0].update(rule="folklore")),
    "an unknown guarantee": (NEWTON, lambda v: v["guarantees"][0].update(id="all-is-well")),
    "an unknown fact": (NEWTON, lambda v: v["guarantees"][0]["derivation"][0]["premises"][0].update(fact="x" * 9)),
    "no guarantees": (NEWTON, lambda v: v.update(guarantees=[])),
    "an unknown reason": (NEWTON, lambda v: first_reason(v).update(code="swap.quality.invented")),
    "a reason without its parameters": (NEWTON, lambda v: first_reason(v).update(parameters={})),
    "a reason with parameters of another type": (
        NEWTON,
        lambda v: first_reason(v).update(parameters={"pairs": [[]], "attack": {}}),
    ),
    "reasons within reasons": (NEWTON, lambda v: first_reason(v).update(parameters=_nested(200))),
    "reasons within reasons, deeper than anybody reads": (NEWTON, lambda v: first_reason(v).update(parameters=_nested(450))),
    "an unknown certificate": (NEWTON, lambda v: v["certificates"][0].update(kind="folklore", inputs={})),
    "an unknown procedure": (NEWTON, lambda v: v["procedure"].update(use="oblivion")),
    "no procedure": (NEWTON, lambda v: v["procedure"].update(use=None)),
    "a procedure of two kinds": (NEWTON, lambda v: v["procedure"].update(entry="own:Mine")),
    "an unknown way of unlearning": (NEWTON, lambda v: v["procedure"].update(unlearn="wish")),
    "a setting of no table": (NEWTON, setting(invented=1)),
    "a setting of another type": (NEWTON, setting(sigma="much")),
    "a seed among the settings": (NEWTON, setting(seed=7)),
    "no settings": (NEWTON, lambda v: v["procedure"].update(settings={})),
    "a policy of no table": (NEWTON, lambda v: v["policy"]["settings"].update(min_quality="high", invented=[])),
    "a deadline of another type": (NEWTON, lambda v: v["policy"]["settings"].update(deadline_days="soon")),
    "an endless deadline": (NEWTON, lambda v: v["policy"]["settings"].update(deadline_days=HUGE)),
    "a claim of no table": (NEWTON, lambda v: v["policy"]["claims"].update(forgets={"epsilon": []})),
    "an unknown attested fact": (
        NEWTON,
        lambda v: v["policy"].update(attested=[{"name": "whole-state", "by": "nobody", "at": "2026-01-01"}]),
    ),
    "an unknown required check": (NEWTON, lambda v: v["policy"].update(listed=["model.invented"])),
    "an unknown choice of checks": (NEWTON, lambda v: v["audit"].update(only=["model.invented"])),
    "a seed that is no number": (NEWTON, lambda v: v["audit"].update(seed="seven")),
    "a seed of many digits": (NEWTON, lambda v: v["audit"].update(seed="9" * 5000)),
    "a negative seed": (NEWTON, lambda v: v["audit"].update(seed="-1")),
    "a failure beside results": (NEWTON, lambda v: v["audit"].update(failure="it broke")),
    "a day before the calendar": (NEWTON, lambda v: v["requests"][0].update(received_on="0001-01-01", due_on="9999-12-31")),
    "days that no calendar holds": (NEWTON, lambda v: v["requests"][0].update(days=HUGE)),
    "a deletion at the edge of the calendar": (
        NEWTON,
        lambda v: v["requests"][0].update(deleted_at="9999-12-31T23:59:59-14:00"),
    ),
    "no training records": (NEWTON, lambda v: v["case"].update(training_records=0, records_left=0)),
    "negative records": (NEWTON, lambda v: v["case"].update(training_records=-5, records_left=-5)),
    "more records than anybody has": (NEWTON, lambda v: v["case"].update(training_records=HUGE)),
    "more features than anybody has": (NEWTON, lambda v: v["case"].update(features=HUGE, parameters=HUGE)),
    "another task": (NEWTON, lambda v: v["case"].update(task="regression", classes=0)),
    "sizes that nobody plays": (NEWTON, lambda v: v["sizes"]["swap"].update(pairs=10**9, models=10**9)),
    "certainty": (NEWTON, lambda v: v["sizes"]["swap"].update(confidence=1.0)),
    "an unknown attack": (
        NEWTON,
        lambda v: check(v, "swap.quality")["observed"]["pair_advantages"]["procedure"].update(folklore=[0.0] * 400),
    ),
    "no attack": (
        NEWTON,
        lambda v: check(v, "swap.quality")["observed"].update(areas={}, pair_advantages={}, pair_acceptances={}),
    ),
    "an area above 1": (NEWTON, lambda v: check(v, "swap.quality")["observed"]["areas"].update(loss=1.5)),
    "enormous norms": (NEWTON, lambda v: _every_number(check(v, "removal.residual")["observed"]["walk"], 1e308)),
    "norms of nothing": (NEWTON, lambda v: _every_number(check(v, "removal.residual")["observed"]["walk"], 0.0)),
    "other batches than measurements": (NEWTON, lambda v: check(v, "removal.residual")["observed"]["batches"].pop()),
    "noise of no number": (DESCENT, lambda v: check(v, "deletion.renyi")["observed"]["descent"]["noise"].update(count=0)),
    "no descent": (DESCENT, lambda v: check(v, "deletion.renyi")["observed"].update(descent=None)),
    "no parameters": (DESCENT, lambda v: check(v, "deletion.renyi")["observed"].update(parameter_count=None)),
    "endless steps": (DESCENT, setting(learn_steps=HUGE, unlearn_steps=HUGE)),
    "as many steps as a table takes": (DESCENT, setting(learn_steps=10**9, unlearn_steps=10**9)),
    "noise of no size": (DESCENT, setting(sigma2=5e-324)),
    "an order beyond floats": (DESCENT, lambda v: v["policy"]["claims"].update(data_deletion={"q": 1e308, "epsilon": 1e-308})),
    "games of nobody": (
        GAMES,
        lambda v: check(v, "epsilon.consistency")["observed"]["games"]["counted"].update(trials=0, hits=0),
    ),
    "more games won than played": (
        GAMES,
        lambda v: check(v, "epsilon.consistency")["observed"]["games"]["counted"].update(hits=HUGE),
    ),
    "more rounds than records": (GAMES, lambda v: v["sizes"]["requester"].update(rounds=10**6)),
    "an unknown requester": (GAMES, lambda v: v["sizes"]["requester"].update(use="oracle")),
    "an unknown level of isolation": (OWN, lambda v: v["environment"].update(isolation="magic")),
    "own code without its class": (OWN, lambda v: v["procedure"].update(entry="")),
}


def _nested(depth: int) -> dict[str, Any]:
    inner: Any = "x"
    for _ in range(depth):
        inner = {"code": "x", "parameters": {"why": inner}}
    return {"why": inner}


def _every_number(value: Any, new: float) -> None:
    for key, inner in list(value.items()) if isinstance(value, dict) else list(enumerate(value)):
        if isinstance(inner, float | int) and not isinstance(inner, bool):
            value[key] = new
        elif isinstance(inner, dict | list):
            _every_number(inner, new)


@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_document_is_found_or_refused(name: str) -> None:
    sample, change = HOSTILE[name]
    assert judged(changed(change, sample))


def test_a_run_at_the_edge_of_the_calendar_is_taken_as_stated() -> None:
    assert judged(changed(lambda value: value["audit"].update(started_at="0001-01-01T00:00:00+14:00"), NEWTON)) == []


def places(value: Any, way: tuple[str | int, ...] = ()) -> Iterator[tuple[str | int, ...]]:
    """The way to each first member of every list and object."""
    inside = list(value.items()) if isinstance(value, dict) else list(enumerate(value[:1])) if isinstance(value, list) else []
    for key, inner in inside:
        yield (*way, key)
        yield from places(inner, (*way, key))


@pytest.mark.parametrize(
    "sample", ["group-deletion", "median-adaptive", pytest.param("breast-cancer-noisy-gd-short", marks=pytest.mark.slow)]
)
@pytest.mark.parametrize("every", [17, pytest.param(5, marks=pytest.mark.slow)])
def test_no_value_in_the_place_of_another_ends_in_a_traceback(sample: str, every: int) -> None:
    value = document(sample)
    ways = [way for way in places(value) if way[0] != "checks"]
    for index, each in enumerate(value["checks"]):
        ways += [("checks", index, *way) for way in places(each) if way[0] != "derived"]
    for at, way in enumerate(ways[::every]):
        copy = json.loads(json.dumps(value))
        inside = copy
        for step in way[:-1]:
            inside = inside[step]
        inside[way[-1]] = VALUES[at % len(VALUES)]
        judged(rfc8785.dumps(copy))


@pytest.mark.parametrize("name", ["an unknown reason", "reasons within reasons, deeper than anybody reads", "an unknown check"])
@pytest.mark.parametrize("form", ["html", "md", "junit", "sarif", "cyclonedx", "oscal"])
def test_a_report_of_a_hostile_document_is_one_error(
    tmp_path: Path, name: str, form: str, capfd: pytest.CaptureFixture[str]
) -> None:
    sample, change = HOSTILE[name]
    path = tmp_path / "evidence.json"
    path.write_bytes(changed(change, sample))
    assert run(["report", str(path), "--format", form]) in {2, 4}, "cannot be read, or cannot be rendered"
    said = capfd.readouterr().err
    assert "Traceback" not in said
    assert len(said.splitlines()) <= 3
    assert not list(tmp_path.glob("report*"))


@pytest.mark.parametrize("name", ["an unknown check", "an unknown procedure", "endless steps", "certainty"])
def test_verify_of_a_hostile_document_ends_with_a_finding(tmp_path: Path, name: str, capfd: pytest.CaptureFixture[str]) -> None:
    sample, change = HOSTILE[name]
    path = tmp_path / "evidence.json"
    path.write_bytes(changed(change, sample))
    assert run(["verify", str(path)]) in {1, 2}
    said = capfd.readouterr()
    assert "Traceback" not in said.out + said.err
