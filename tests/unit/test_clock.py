"""Clocks that jump while an audit runs: what is timed and what is due have tests of their own, in worker and deletion log."""

from __future__ import annotations

import ast
import json
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
import rfc8785

import auditor
from auditor.audit import auditing as audit
from auditor.audit.auditing import Options
from auditor.recheck.derivations import recheck_evidence
from auditor.recheck.files import read_evidence
from rechecks import derived


@pytest.mark.parametrize("finished", [None, "2037-12-31T23:59:59Z"], ids=["back", "forth"])
def test_an_audit_whose_clock_was_set_meanwhile_agrees_with_itself(finished: str | None) -> None:
    value = json.loads(derived("fixed-output"))
    # Where it was set back the audit states the time at which it began, see below.
    value["audit"]["finished_at"] = finished or value["audit"]["started_at"]
    found = recheck_evidence(read_evidence(rfc8785.dumps(value), "evidence.json"), "evidence.json")
    assert [str(each) for each in found.findings] == []


@pytest.mark.parametrize("jump", [timedelta(hours=-25), timedelta(hours=25)], ids=["back", "forth"])
def test_no_audit_ends_before_it_began(jump: timedelta, monkeypatch: pytest.MonkeyPatch) -> None:
    started = datetime(2026, 7, 1, 12, tzinfo=UTC)
    monkeypatch.setattr(audit, "stamp", lambda: started + jump)
    found = audit._facts(Options(), started, None)
    assert found.started_at == started
    assert found.finished_at == max(started, started + jump)


def test_nothing_is_timed_by_a_clock_that_can_be_set() -> None:
    """A duration by such a clock is negative, or days, after it was set; limits of time then end nothing, or everything."""
    for path in sorted(Path(auditor.__file__).parent.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "time":
                assert node.attr not in {"time", "time_ns", "ctime", "localtime", "gmtime"}, f"{path}:{node.lineno}"
