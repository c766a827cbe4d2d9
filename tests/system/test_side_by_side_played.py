"""Two programs of a case side by side in the sandbox: their own files and modules, and what one hears of the other."""

from __future__ import annotations

from pathlib import Path

import pytest

from auditor import case as cases
from auditor.base.domain import ClaimStatus, Message, Provenance
from auditor.base.errors import ProcedureError
from auditor.parts.controllers.judging.history.observed import Together
from auditor.parts.controllers.observing.histories import erased
from auditor.parts.controllers.observing.histories.sandboxed import Stand
from auditor.parts.controllers.observing.stages import side_by_side_of
from auditor.parts.controllers.theorems import DECLARED
from auditor.parts.store.judging import accounting
from auditor.sandbox import Level, available
from auditor.settings.controller import ControllerTable
from auditor.verdict.guarantees import CONTROL, Pledge, derive_guarantees, fact
from controller_cases import CODE

COUNTER = '\n[controller.second]\nuse = "tree-counter"\nhears = { set = "add", tick = "tick" }\n'
OWN = '\n[controller.second]\nentry = "second.py:Store"\noperations = ["set"]\n'
SHARED = "import common\n" + CODE.replace(
    "        return None\n", "        common.THERE[:] = [*common.THERE, channel][-3:]\n        return None\n"
)
READS = "import common\n" + CODE.replace(
    "repr(sorted(self.kept.items()))", "repr((sorted(self.kept.items()), len(common.THERE)))"
)
LETTERS = CODE.replace(
    "        return None\n", '        open("for-somebody-else.txt", "w").write(channel)\n        return None\n'
)
ADDRESSED = CODE.replace("        return None\n", '        return {"to": "somebody else"}\n')


NOTES = """
class Notes:
    def initialize(self, seed):
        self.notes, self._gone = {}, {}

    def activate(self, channel, operation, argument):
        if operation == "delete":
            self.notes.pop(channel, None)
        else:
            self.notes.setdefault(channel, set()).add(argument)
        return None

    def state(self):
        return repr(sorted((name, sorted(said)) for name, said in self.notes.items())).encode()
"""
SOFT = NOTES.replace("self.notes.pop(channel, None)", "self._gone[channel] = self.notes.pop(channel, None)")
HASHED = NOTES.replace(
    "self.notes.pop(channel, None)", "self._gone[hash(channel) % 1000] = self.notes.pop(channel, None) is None"
)
TIDIED = SOFT.replace("    def state(self):\n", "    def state(self):\n        self._gone.clear()\n")
RELAY = "_LOG = []\n" + NOTES.replace("        return None\n", "        _LOG.append(argument)\n        return None\n")
COUNTED = "import os\n" + NOTES.replace("self._gone = {}, {}", "self._gone = {}, os.eventfd(0)").replace(
    "self.notes.pop(channel, None)", "self.notes.pop(channel, None)\n            os.eventfd_write(self._gone, 1)"
)


def staged(folder: Path, first: str, other: str, **files: str) -> tuple[ControllerTable, Stand]:
    for name, text in {"store": first, **files}.items():
        (folder / f"{name}.py").write_text(text)
    declared = '[controller]\ngames = 20\n[controller.first]\nentry = "store.py:Store"\noperations = ["set"]\n'
    (folder / "audit.toml").write_text(f'[case]\nname = "Two"\n\n{declared}{other}')
    case = cases.read(folder)
    table = case.settings.controller
    assert table is not None
    assert case.controller_parts[0] is not None
    assert (case.controller_parts[1] is None) == (other == COUNTER)
    return table, Stand.of(case, min(available(), Level.CONFINED))


def played(folder: Path, first: str, other: str = COUNTER, **files: str) -> Together:
    table, stand = staged(folder, first, other, **files)
    return side_by_side_of(table, stand, seed=3, by_chance=1)


def test_a_sound_pair_is_made_of_its_parts(tmp_path: Path) -> None:
    found = played(tmp_path, CODE)
    assert (found.apart, found.repeats, found.by_chance, found.files) == (0, True, 0, 0)
    assert found.histories >= 20


@pytest.mark.attempt("programs side by side")
def test_a_module_that_both_write_to_shows(tmp_path: Path) -> None:
    found = played(tmp_path, SHARED, OWN, second=READS, common="THERE = []\n")
    assert found.apart > 0


@pytest.mark.attempt("programs side by side")
def test_a_letter_to_somebody_else_is_left_in_the_folder(tmp_path: Path) -> None:
    assert played(tmp_path, LETTERS).files == 1


@pytest.mark.attempt("programs side by side")
def test_an_answer_that_names_somebody_else_is_none(tmp_path: Path) -> None:
    with pytest.raises(ProcedureError, match="expected a text or None"):
        played(tmp_path, ADDRESSED)


@pytest.mark.attempt("programs side by side")
def test_a_list_of_the_file_that_both_are_in_shows(tmp_path: Path) -> None:
    first = CODE.replace("        return None\n", "        THERE[:] = [*THERE, channel][-3:]\n        return None\n")
    second = CODE.replace("class Store", "class Other").replace(
        "repr(sorted(self.kept.items()))", "repr((sorted(self.kept.items()), len(THERE)))"
    )
    both = '\n[controller.second]\nentry = "store.py:Other"\noperations = ["set"]\n'
    found = played(tmp_path, "THERE = []\n" + first + "\n\n" + second, both)
    assert found.apart > 0


@pytest.mark.attempt("programs side by side")
@pytest.mark.parametrize(
    ("second", "supported"),
    [(NOTES, True), (SOFT, False), (HASHED, False), (TIDIED, False), (RELAY, False), (COUNTED, False)],
    ids=["sound", "soft", "hashed", "tidied when looked at", "relay", "counted by the kernel"],
)
def test_no_control_is_supported_where_something_is_kept_outside_what_the_parts_say_they_keep(
    tmp_path: Path, second: str, supported: bool
) -> None:
    declared = '\n[controller.second]\nentry = "second.py:Notes"\noperations = ["note"]\n'
    table, stand = staged(tmp_path, CODE, declared, second=second)
    kept = accounting.judged(erased.observe(stand, table.vocabulary, seed=3))
    said = (fact(name, Provenance.ATTESTED, Message("fact.attested.by-controller")) for name in DECLARED.needs)
    guarantees = derive_guarantees([*said, *kept.facts], epsilon=None, delta=None, parts=Pledge(0.0, 0.0))
    control = next(each for each in guarantees if each.id == CONTROL)
    assert control.status is (ClaimStatus.SUPPORTED if supported else ClaimStatus.NOT_SHOWN)
    assert control.epsilon == (0.0 if supported else None)


def test_a_class_that_is_not_there_is_named_with_its_part_its_file_and_those_that_are(tmp_path: Path) -> None:
    second = '\n[controller.second]\nentry = "second.py:Note"\noperations = ["note"]\n'
    with pytest.raises(ProcedureError, match=r"\[controller.second\] entry: expected a class of second.py \(Notes\), found Note"):
        played(tmp_path, CODE, second, second=NOTES)
