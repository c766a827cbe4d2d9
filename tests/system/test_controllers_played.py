"""Whole controllers in the sandbox: what the contract asks of them, what they leave to one another, and counterexamples again."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from auditor.audit.describing import digest_of_controller
from auditor.base.domain import Status
from auditor.base.errors import ProcedureError
from auditor.base.histories import DELETE, Move, Output, Script
from auditor.cli import run
from auditor.parts.controllers import counterexamples
from auditor.parts.controllers.observing.histories import erased
from auditor.parts.controllers.observing.histories.playing import Play
from auditor.parts.controllers.observing.histories.sandboxed import Stand
from auditor.sandbox import Level, Limits, ProcedureSpec, available
from auditor.settings.controller import ControllerTable
from cases import outcome
from controller_cases import CODE, written
from played_controllers import VOCABULARIES

HOSTILE = """
import time
from pathlib import Path


class Text(str):
    pass


class Store:
    def initialize(self, seed):
        self.kept, self.gone, self.found = {}, [], sorted(each.name for each in Path(".").iterdir())
        Path("left.txt").write_text("here before")

    def activate(self, channel, operation, argument):
        match operation:
            case "delete":
                self.kept.pop(channel, None)
                self.gone.append(channel.encode().hex())
            case "raise":
                raise ValueError("a person's name")
            case "hang":
                while True:
                    try:
                        time.sleep(1)
                    except Exception:
                        pass
            case "subclass":
                return Text("a")
            case "long":
                return "a" * (1024 * 1024 + 1)
            case "surrogate":
                return chr(0xD800)
            case "exit":
                raise SystemExit(0)
            case _:
                self.kept[channel] = argument
        return argument

    def state(self):
        if "large" in self.kept:
            return bytes(64 * 1024 * 1024 + 1)
        if "array" in self.kept:
            return bytearray(b"a")
        return repr((sorted(self.kept.items()), self.found)).encode()
"""


@pytest.fixture
def stand(tmp_path: Path) -> Stand:
    (tmp_path / "store.py").write_text(HOSTILE)
    spec = ProcedureSpec(use=None, entry=f"{tmp_path / 'store.py'}:Store", whole=True)
    return Stand(spec, min(available(), Level.CONFINED), Limits(timeout_s=3))


def test_each_history_has_an_object_and_a_folder_of_its_own(stand: Stand) -> None:
    script: Script = (Move("a", "set", "x"), Move(Output(1), "set", Output(1)), Move("a", DELETE))
    with stand.player() as player:
        first, again = player.play([Play(1, script), Play(2, script)])
        held = player.held()
    assert first == again
    assert first.outputs == (None, "x", "x", None)
    assert first.state == b"([('x', 'x')], [])"
    assert any(each.name == "file home/play/left.txt" and each.content == b"here before" for each in held.pieces)


@pytest.mark.parametrize(
    ("channel", "operation", "said"),
    [
        ("a", "raise", 'operation 2 of 2, "raise": it raised ValueError'),
        ("a", "hang", 'operation 2 of 2, "hang": it was still running'),
        ("a", "subclass", "expected a text or None, found Text, a class of its own"),
        ("a", "long", "expected at most 1048576 bytes of text"),
        ("a", "surrogate", "UTF-8"),
        ("a", "exit", "ended without an answer"),
        ("large", "set", "expected at most 67108864 bytes"),
        ("array", "set", "expected bytes, found bytearray"),
    ],
)
def test_what_breaks_the_contract_is_named_with_its_operation(stand: Stand, channel: str, operation: str, said: str) -> None:
    with stand.player() as player, pytest.raises(ProcedureError) as caught:
        player.play([Play(1, (Move("b", "set", "x"), Move(channel, operation, "y")))])
    assert said in str(caught.value)
    assert "person" not in str(caught.value)


def test_names_of_deleted_people_in_an_attribute_are_found_though_the_state_is_canonical(stand: Stand) -> None:
    kept = erased.observe(stand, VOCABULARIES["dictionary"], seed=0)
    assert kept.found == erased.CHANNELS
    assert {each.place: each.found for each in kept.places} == {"state": 0, "objects": erased.CHANNELS, "files": 0}
    assert kept.same_state
    assert not kept.same_beyond


def test_a_counterexample_is_played_again(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    table = ControllerTable(use="sqlite")
    found = {
        "schema": "auditor.counterexample/1",
        "controller": {"use": "sqlite", "digest": digest_of_controller(table, None)},
        "case": "0" * 64,
        "seed": 1,
        "commuting": ["get", "set"],
        "left": [["a", "set", "z"], ["a", "delete", None]],
        "right": [],
    }
    file = tmp_path / "counterexample-1.json"
    file.write_text(json.dumps(found))
    assert run(["replay", str(file)]) == 1
    assert "Still different" in capfd.readouterr().out
    file.write_text(json.dumps({**found, "controller": {"use": "sqlite-rebuilt", "digest": "0" * 64}}))
    assert run(["replay", str(file)]) == 2
    assert run(["replay", str(file), "--any", "--json"]) == 0
    assert json.loads(capfd.readouterr().out) == {"differs": False, "bytes": [16384, 16384], "same_controller": False}


ENTRY = 'entry = "store.py:Store"\noperations = ["set"]\ncommuting = ["set"]'
FAILING = """
import json
import time


class Store:
    def initialize(self, seed):
        self.kept, self.salt = {}, seed

    def activate(self, channel, operation, argument):
        if len(argument or "") > 1_000:
            FAIL
        self.kept[channel] = argument

    def state(self):
        return json.dumps([KEPT]).encode()
"""


@pytest.mark.parametrize(
    ("how", "kept", "status", "exits"),
    [
        ('raise ValueError("too long")', "self.kept", Status.FAIL, 1),
        ("time.sleep(60)", "self.salt, self.kept", Status.INCONCLUSIVE, 4),
    ],
    ids=["raises", "hangs"],
)
def test_counterexamples_found_before_a_controller_failed_are_kept(
    tmp_path: Path, how: str, kept: str, status: Status, exits: int
) -> None:
    code = FAILING.replace("FAIL", how).replace("KEPT", kept)
    case = written(tmp_path / "case", ENTRY, "[sandbox]\ntimeout_s = 2", code)
    found = outcome(case, only=("state.history_independent",))
    assert "operation 2 of 3" in str(found.failure)
    assert found.evidence.check("state.history_independent").status is status
    assert found.evidence.audit.exit_code == exits
    first = counterexamples.found_in(found.evidence.evidence)[0]
    assert [row[1] for row in (*first.left, *first.right)] == ["delete"]


@pytest.mark.levels
def test_what_a_controller_imported_is_named(tmp_path: Path) -> None:
    case = written(tmp_path / "case", ENTRY, code=f"import importlib\nimportlib.import_module('scipy.special')\n{CODE}")
    where = outcome(case, quick=True).evidence.environment
    assert {each.name: each.seen_in for each in where.imported}["scipy"] == ("memory", "process")
    assert where.imported_elsewhere == ()
