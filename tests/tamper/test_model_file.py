"""Evidence of a model file, changed in one place: what follows from something else, or cannot have been seen, is found."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import rfc8785

from auditor.case.containers import canonical
from auditor.case.rewriting import rounded
from cases import audited
from hostile_files import IN_NPZ
from rechecks import findings
from small_cases import problem, released, write

FEATURES, LABELS = problem()
MODEL = released(FEATURES, LABELS, [[0], [1, 2]], unlearn="retrain")
GRID = 2.0**-36
Seen = dict[str, Any]


def evidence(folder: Path, content: bytes) -> bytes:
    """The evidence of a case that declares a grid and ships that file."""
    case = write(folder, FEATURES, LABELS, procedure='unlearn = "retrain"')
    (folder / "model.npz").write_bytes(content)
    with (folder / "audit.toml").open("a", encoding="utf-8") as file:
        file.write(f'\n[model]\npath = "model.npz"\ngrid = {GRID!r}\n')
    return audited(case, only=("model.reproduced", "removal.residual")).to_bytes()


@pytest.fixture(scope="module")
def honest(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    return evidence(tmp_path_factory.mktemp("honest"), canonical(rounded(MODEL, GRID), ".npz"))


@pytest.fixture(scope="module")
def hiding(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    return evidence(tmp_path_factory.mktemp("hiding"), IN_NPZ["a comment"](rounded(MODEL, GRID), FEATURES[0].tobytes()))


def changed(content: bytes, change: Callable[[Seen, Seen], object]) -> bytes:
    """The document with one check, or the document itself, changed in place."""
    value = json.loads(content)
    change(next(each for each in value["checks"] if each["id"] == "model.reproduced"), value)
    return rfc8785.dumps(value)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda check, _: check.update(status="pass"), "status"),
        (lambda check, _: check["observed"].update(container=[]), "status"),
        (lambda check, _: check["derived"].update(canonical=True), "canonical"),
        (lambda check, _: check["reasons"].pop(), "reasons"),
    ],
)
def test_a_container_that_holds_more_cannot_be_stated_away(
    hiding: bytes, change: Callable[[Seen, Seen], object], words: str
) -> None:
    assert findings(hiding) == []
    assert words in "; ".join(findings(changed(hiding, change)))


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda check, _: check["observed"]["on_grid"].update(elsewhere=1), "status"),
        (
            lambda check, _: check["observed"]["on_grid"].update(not_multiples=9, elsewhere=9),
            "more parameters are counted on the grid",
        ),
        (lambda check, _: check["observed"]["on_grid"].update(near_midpoints=9), "more parameters are counted than the 5"),
        (lambda check, _: check["observed"].update(on_grid=None), "counts on a grid go with a grid that was declared"),
        (lambda _, whole: whole["case"].update(grid=None), "counts on a grid go with a grid that was declared"),
        (lambda _, whole: whole["case"].update(grid=2 * GRID), "parameters.grid"),
        (
            lambda check, _: check["observed"].update(
                loaded={"lacking": [], "ended": None, "saved": "same", "differing": 0, "moved": 0, "largest": 1}
            ),
            "a file is loaded by itself",
        ),
        (lambda check, _: check["derived"].update(equal="bits"), "equal"),
        (lambda check, _: check["observed"].update(self_check_difference=GRID), "status"),
    ],
)
def test_a_file_on_a_grid_is_what_it_was_seen_to_be(honest: bytes, change: Callable[[Seen, Seen], object], words: str) -> None:
    assert findings(honest) == []
    assert words in "; ".join(findings(changed(honest, change)))
