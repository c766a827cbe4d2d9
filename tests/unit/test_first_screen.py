"""What `auditor check` ends with fits the smallest terminal, with the verdict first; `auditor explain` prints all the rest."""

from __future__ import annotations

import io
import json
import re
from pathlib import Path

import pytest
from rich.console import Console

import report_examples as examples
from auditor.base.domain import Status, Verdict
from auditor.base.errors import ReportError
from auditor.cli import run
from auditor.document import evidence as evidences
from auditor.pages import exchange, terminal
from auditor.pages.main import search_scope
from auditor.pages.remedies import remedies
from auditor.pages.words import verdict as verdicts
from auditor.pages.words.rendered_evidence import Told, tell
from sample_cases import GOLDEN
from tests.remedied import golden

NAMES = sorted(path.stem for path in GOLDEN.glob("*.json"))
BEHIND = "auditor explain sample_models/breast-cancer-noisy-gd-adaptive/audit"
ROOM = terminal.LINES - 2
"""What is left of the terminal below the line that says where the report is, and above the prompt."""


def screen(told: Told, width: int = 80, **options: object) -> list[str]:
    """The lines that a terminal shows."""
    out = io.StringIO()
    terminal.summary(told, Console(file=out, width=width, **options), behind=BEHIND, room=ROOM)
    lines = out.getvalue().splitlines()
    return [line[at : at + width] for line in lines for at in range(0, max(len(line), 1), width)]


def whole(told: Told) -> str:
    """What `auditor explain --all` prints, however the terminal breaks it."""
    out = io.StringIO()
    terminal.details(told, Console(file=out, width=4000), everything=True)
    return " ".join(out.getvalue().split())


def joined(text: str) -> str:
    return " ".join(text.split())


@pytest.mark.parametrize("name", NAMES)
def test_the_first_screen_fits_a_terminal_of_24_lines_verdict_first_and_one_line_for_each_step(name: str) -> None:
    told = golden(name)
    lines = screen(told)
    assert len(lines) <= ROOM
    assert lines[0].startswith(f"{told.verdict.value.upper()} · ")
    assert "".join(lines).count(told.opening) == 1
    assert len(told.opening.split()) <= 30
    assert lines[-1].endswith(BEHIND[-40:]) or BEHIND in "".join(lines[-2:])
    steps = remedies(told)
    found = [line for line in lines if line[:1].isdigit() and line[1:3] == ". "]
    assert len(found) == len(steps)
    said = joined(" ".join(lines))
    for line, step in zip(found, steps, strict=True):
        assert any(mark in line for mark in "■◇○")
        asked = [check.id for check in told.checks if check.id in step.checks]
        assert not asked or f" {asked[0]}: " in line or any(f" {each}: " in line for each in asked)
        assert joined(step.first) in said, "no step is cut"


@pytest.mark.parametrize("name", NAMES)
def test_a_step_says_in_one_line_what_to_do_to_what(name: str) -> None:
    for step in remedies(golden(name)):
        assert step.first.endswith(".")
        assert len(step.first) <= 105
        assert step.first.split()[1] not in {"it", "it,", "them", "this", "these"}


@pytest.mark.parametrize("name", NAMES)
def test_what_a_result_says_begins_with_one_sentence_that_carries_its_own_caveats(name: str) -> None:
    told = golden(name)
    evidence = told.evidence
    assert told.sentence.startswith(f"{told.opening} ") or told.sentence == told.opening
    assert told.opening.startswith(f"{told.verdict.value.title()}")
    if told.verdict is Verdict.PASS:
        assert f"resting on {len(verdicts.unchecked(evidence))} unchecked statement" in told.opening
        silent = evidence.default_policy_verdict is Verdict.PASS
        assert silent or told.opening.endswith(f"; under the default policy: {evidence.default_policy_verdict.value}.")
        assert all(each in told.sentence for each in verdicts.unchecked(evidence)), "every statement is named after it"
    else:
        unmet = [each.id for each in told.checks if each.id in told.policy.required and each.status is not Status.PASS]
        failing = [each.id for each in told.checks if each.id in unmet and each.status is Status.FAIL]
        assert all(each in told.sentence for each in failing or unmet)


@pytest.mark.parametrize("name", NAMES)
def test_explain_holds_every_reason_step_and_guarantee_that_the_first_screen_leaves_out(name: str) -> None:
    told = golden(name)
    said = whole(told)
    for check in told.checks:
        # Several checks with one reason are named before it.
        assert re.search(rf"{re.escape(check.id)}[a-z0-9_., -]*: {re.escape(joined(check.basis)[:400])}", said)
    for step in remedies(told):
        assert joined(step.action) in said
        if step.urgency is not terminal.Urgency.CONFIRM:
            assert all(joined(line) in said for line in exchange.step_lines(step))
    # Guarantees are of models: where places alone were searched, none is named.
    assert all((joined(each.title) in said) is not told.evidence.places_alone for each in told.guarantees)
    assert said.endswith(told.opening)
    assert all(joined(each) in said for each in told.lines)


def test_more_steps_than_lines_are_counted_and_never_dropped_in_silence() -> None:
    told = golden("digits-cheater")
    out = io.StringIO()
    terminal.summary(told, Console(file=out, width=80), behind=BEHIND, room=14)
    lines = out.getvalue().splitlines()
    shown = sum(line[:1].isdigit() for line in lines)
    assert 0 < shown < len(remedies(told))
    assert f"… and {len(remedies(told)) - shown} more steps" in lines
    assert told.opening in lines


def test_colour_says_nothing_that_the_words_do_not() -> None:
    told = golden("digits-cheater")
    plain = screen(told, color_system=None)
    out = io.StringIO()
    coloured = Console(file=out, width=80, force_terminal=True, color_system="standard")
    terminal.summary(told, coloured, behind=BEHIND, room=ROOM)
    assert "\x1b[1;31mFAIL" in out.getvalue()
    assert plain[0] == "FAIL · policy not met · Adverse conclusion (no auditor named)"


@pytest.fixture
def unread() -> Told:
    """An audit in whose store 50 MB of brackets and a packed file rest on the controller's word."""
    value = json.loads((GOLDEN / "digits-newton.json").read_bytes())
    check = next(each for each in value["checks"] if each["id"] == "data.erased")
    place = {"code": "data.erased.place.store", "parameters": {"path": "store/brackets.json"}}
    how = {"code": "data.erased.how.lines", "parameters": {}}
    check["observed"]["searched"].insert(0, {"place": place, "records_searched": 1, "found": 0, "how": how})
    kept = {"kind": "store", "place": place, "bytes": 50_000_000, "unexplained": 50_000_000}
    check["observed"]["kept"].insert(0, {**kept, "strangers": 0, "changed": 0, "declared": 0})
    check["derived"]["by_word"] = [{"place": place, "bytes": 50_000_000, "word": "store-holds-no-copies"}]
    return tell(evidences.Evidence.model_validate_json(json.dumps(value)))


def test_a_file_that_an_attestation_covers_is_named_on_the_first_screen(unread: Told) -> None:
    said = joined(" ".join(screen(unread)))
    assert "Taken on trust (store-holds-no-copies), as nothing accounts for all of it: store store/brackets.json (50 MB)." in said


def test_what_nothing_explains_is_not_called_searched(unread: Told) -> None:
    (brackets,) = [each for each in search_scope.places(unread) if "brackets" in each.name]
    assert (brackets.word, brackets.light.value) == ("searched in part", "◐")
    assert "Nothing explains 50 MB of it" in brackets.said
    assert search_scope.places(unread)[0] == brackets, "what is not settled stands above what is"
    (data, *_) = search_scope.stations(unread)
    assert (data.said, data.light.value) == ("searched, the rest on trust", "◐")


def test_a_contradicting_pass_is_not_printed() -> None:
    evidence = examples.passing()
    with pytest.raises(ReportError):
        screen(examples.changed(evidence, checks=evidence.checks[1:]))


@pytest.mark.parametrize("place", ["", "audit", "audit/evidence.json", "audit.toml"])
def test_explain_takes_a_case_the_folder_of_an_audit_and_evidence(
    place: str, tmp_path: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    (tmp_path / "audit").mkdir()
    (tmp_path / "audit.toml").write_text("", encoding="utf-8")
    (tmp_path / "audit" / "evidence.json").write_bytes((GOLDEN / "digits-cheater.json").read_bytes())
    told = golden("digits-cheater")
    assert run(["explain", str(tmp_path / place)]) == 0
    assert joined(capfd.readouterr().out) == joined(_details(told))
    assert run(["explain", str(tmp_path / place), "--json"]) == 0
    found = json.loads(capfd.readouterr().out)
    assert found["sentence"] == told.sentence
    assert [each["action"] for each in found["steps"]] == [each.action for each in remedies(told)]
    assert {each["id"]: each["basis"] for each in found["checks"]} == {each.id: each.basis for each in told.checks}
    assert run(["explain", "data.erased", "--evidence", str(tmp_path / place)]) == 0
    assert "18 deleted records were looked for" in capfd.readouterr().out


def _details(told: Told) -> str:
    out = io.StringIO()
    terminal.details(told, Console(file=out, width=80))
    return out.getvalue()
