"""Two programs of a case side by side in the sandbox: their own files and modules, and what one hears of the other."""

from __future__ import annotations

from pathlib import Path

import pytest

from auditor import case as cases
from auditor.base.errors import ProcedureError
from auditor.parts.controllers.judging.history.observed import Together
from auditor.parts.controllers.observing.histories.sandboxed import Stand
from auditor.parts.controllers.observing.stages import side_by_side_of
from auditor.sandbox import Level, available
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


def played(folder: Path, first: str, other: str = COUNTER, **files: str) -> Together:
    for name, text in {"store": first, **files}.items():
        (folder / f"{name}.py").write_text(text)
    declared = '[controller]\ngames = 20\n[controller.first]\nentry = "store.py:Store"\noperations = ["set"]\n'
    (folder / "audit.toml").write_text(f'[case]\nname = "Two"\n\n{declared}{other}')
    case = cases.read(folder)
    table = case.settings.controller
    assert table is not None
    assert case.controller_parts[0] is not None
    assert (case.controller_parts[1] is None) == (other == COUNTER)
    stand = Stand.of(case, min(available(), Level.CONFINED))
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
