"""The distribution `auditor-verify`: what is in it, and that it needs no package which only audits need."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from auditor.base import extras, papers
from auditor.cli import PLACED, run
from installed import LIGHT, ROOT, light, needed, needed_to_verify

GOLDEN = ROOT / "tests" / "golden" / "0.2.0" / "sqlite-plain.json"
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
VERIFYING = """
import json, sys
from importlib.abc import MetaPathFinder

class Wall(MetaPathFinder):
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in BLOCKED:
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)

BLOCKED = set(json.loads(sys.argv[1]))
sys.meta_path.insert(0, Wall())
sys.path.insert(0, sys.argv[2])
"""
IMPORT_ALL = """
import auditor, importlib, pkgutil
assert auditor.__file__.startswith(sys.argv[2]), auditor.__file__
for each in pkgutil.walk_packages(auditor.__path__, "auditor."):
    # What serves a process of its own begins with being imported.
    if each.name not in {"auditor.__main__", "auditor.recheck.pdf.child"}:
        importlib.import_module(each.name)
"""
RUN_ALL = """
from auditor.cli import run
print(json.dumps([run(words) for words in json.loads(sys.argv[3])]), file=sys.stderr)
"""


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The package as the wheel holds it."""
    folder = tmp_path_factory.mktemp("light")
    for path, place in light().files():
        target = folder / place
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(path, target)
    return folder / light().PACKAGE


def verifying(tree: Path, program: str, *words: str) -> subprocess.CompletedProcess[str]:
    """Run a program on that package, where nothing can be imported that this distribution does not bring."""
    blocked = json.dumps(sorted(ONLY_AUDITS))
    command = [sys.executable, "-c", VERIFYING + program, blocked, str(tree), *words]
    return subprocess.run(command, capture_output=True, text=True, check=False, cwd=tree)


ONLY_AUDITS = {
    "ahocorasick_rs", "confusable_homoglyphs", "joblib", "pandas", "pyarrow", "safetensors", "sklearn", "threadpoolctl",
    "dask", "distributed", "hypothesis", "mlflow", "opacus", "ray", "torch",
}  # fmt: skip
"""Modules of packages that it lacks."""


def test_every_module_of_it_can_be_imported_without_what_only_audits_need(tree: Path) -> None:
    ran = verifying(tree, IMPORT_ALL)
    assert ran.returncode == 0, ran.stderr
    assert not [name for name in ("sandbox", "case", "learning", "audit") if (tree / "auditor" / name).exists()]
    assert not [*(tree / "auditor" / "parts").glob("*/observing")]


def test_it_verifies_renders_and_explains_and_says_how_to_audit(tree: Path, tmp_path: Path) -> None:
    page = tmp_path / "report.html"
    commands = [
        ["verify", str(GOLDEN)],
        ["report", str(GOLDEN), "--format", "html", "-o", str(page)],
        ["explain", "data.erased", "--evidence", str(GOLDEN)],
        ["diff", str(GOLDEN), str(GOLDEN)],
        ["history"],
        ["calc", "gaussian", "--epsilon", "1", "--delta", "1e-4"],
        ["doctor"],
        ["--version"],
        ["check", str(tmp_path), "--out", "elsewhere", "--seed", "3"],
        ["init", str(tmp_path / "new")],
        ["log", "import", "tickets.csv"],
        ["validate", "--help"],
    ]
    ran = verifying(tree, RUN_ALL, json.dumps(commands))
    assert "Traceback" not in ran.stderr
    assert json.loads(ran.stderr.splitlines()[-1]) == [0, 0, 0, 0, 0, 0, 0, 0, 2, 2, 2, 2]
    assert "auditor: check: this installation verifies; to audit: pip install auditor\n" in ran.stderr
    assert "\nauditor-verify 0." in ran.stdout
    assert "  audits: to audit\n    pip install auditor\n" in ran.stdout
    # What one installation renders another renders to the byte.
    ours = tmp_path / "ours.html"
    assert run(["report", str(GOLDEN), "--format", "html", "-o", str(ours), "--quiet"]) == 0
    assert page.read_bytes() == ours.read_bytes()


def test_a_reply_that_it_writes_is_known_to_a_purge_of_the_case(
    tree: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    case, reply = tmp_path / "case", tmp_path / "sent" / "to Ann.docx"
    for folder in (case / "audit", reply.parent):
        folder.mkdir(parents=True)
    (case / "audit.toml").touch()
    shutil.copyfile(GOLDEN.with_name("digits-newton.json"), case / "audit" / "evidence.json")
    words = ["reply", str(case / "audit"), "--request", "REQ-2026-0001", "-o", str(reply)]
    ran = verifying(tree, RUN_ALL, json.dumps([words]))
    assert json.loads(ran.stderr.splitlines()[-1]) == [0]
    assert [each.path for each in papers.listed(case)] == [reply]


def test_its_help_lists_what_it_can_do(tree: Path) -> None:
    shown = verifying(tree, RUN_ALL, json.dumps([["--help"]])).stdout
    # Below the options; headings of groups begin a line.
    rows = shown.partition("Show this message and exit.")[2].splitlines()
    listed = {line.split()[0] for line in rows if line.startswith("  ")}
    assert listed == {command.name for commands in PLACED.values() for command in commands if command.verifies}
    assert listed == {
        "calc", "certificate", "diff", "doctor", "explain", "history", "keygen", "mlflow", "reply", "report", "schema", "verify",
    }  # fmt: skip


def test_it_names_the_extras_by_its_own_name(tree: Path) -> None:
    said = verifying(tree, "from auditor.base import extras; print(extras.command('report'), extras.program())").stdout
    assert said == "pip install 'auditor-verify[report]' auditor-verify\n"
    assert extras.command("report") == "pip install 'auditor[report]'"


def test_it_requires_what_the_whole_distribution_requires_and_less() -> None:
    fewer, all_of_it = needed_to_verify(("report",)), needed(("report",))
    assert fewer < all_of_it
    assert not {"scikit-learn", "pandas", "pyarrow", "joblib"} & fewer
    with pytest.raises(ValueError, match="does not require dp-accounting"):
        light().chosen(["numpy>=2.0"])


def test_the_contract_on_what_only_verifies_leaves_no_room_out() -> None:
    """import-linter follows what is imported inside functions too: every room that is in the wheel stands under it."""
    (contract,) = (each for each in PROJECT["tool"]["importlinter"]["contracts"] if each["name"].startswith("what only verifies"))
    rooms = set(contract["source_modules"])
    shipped = {path.relative_to(ROOT) for path, _ in light().files() if path.suffix == ".py"}
    of_core = {f"auditor.{path.parts[1]}" for path in shipped if len(path.parts) > 2} - {
        "auditor.api",
        "auditor.cli",
        "auditor.parts",
    }
    assert of_core <= rooms
    # Rooms of parts that are in the wheel for their names: commands.
    of_parts = {
        f"auditor.parts.*.{path.with_suffix('').parts[3]}" for path in shipped if path.parts[1] == "parts" and len(path.parts) > 3
    }
    beyond = {
        "auditor.parts.*.__init__",
        "auditor.parts.*.commands",
        "auditor.parts.*.counterexamples",
        "auditor.parts.*.declared",
    }
    assert of_parts <= rooms | beyond


def test_it_has_its_own_folder_and_says_so() -> None:
    declared = tomllib.loads((LIGHT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert (declared["name"], list(declared["scripts"])) == ("auditor-verify", ["auditor-verify"])
    assert not any(place.startswith("auditor/") for _, place in light().files()), "a file that both distributions have"
