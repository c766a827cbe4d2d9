"""What a later version adds or judges differently changes no document of an earlier one.

Two versions are made up. 0.3.0 adds a check, an attack, a theorem, a reason and a derived value; 0.4.0 judges the log and grades
a pass in another way, and the editions of before lie in a folder of `auditor.document.older`.
"""

from __future__ import annotations

import ast
import dataclasses
import json
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import auditor
from auditor import attacks, parts
from auditor.attacks import threshold_attacks
from auditor.attacks.thresholds import ThresholdAttack
from auditor.base import parts as listing
from auditor.base.domain import Message, Status, Strength, Verdict
from auditor.base.errors import InputError
from auditor.document import older
from auditor.document.editions import in_force, parsed
from auditor.document.evidence import Evidence
from auditor.document.evidence_files import read
from auditor.document.later_fields import as_of, later
from auditor.parts.controllers import guarantees as control
from auditor.parts.log import cards as log_cards
from auditor.parts.log.judging import log_consistency
from auditor.recheck.derivations import derive_again, recheck_evidence
from auditor.recheck.files import read_evidence
from auditor.verdict import assembly, checks, theorems
from auditor.verdict.sections import Conclusion
from rechecks import LATEST

QUICK = ("breast-cancer-noisy-gd", "digits-answers", "digits-newton", "digits-own-procedure", "group-deletion", "tree-counter")
"""One document of each kind of case; the others are slow."""
GOLDEN = [
    pytest.param(path, id=path.stem, marks=() if path.stem in QUICK else pytest.mark.slow)
    for path in sorted(LATEST.glob("*.json"))
]
CHECK, ATTACK, THEOREM, REASON, VALUE = "log.made_up", "made-up", "control-made-up", "log.consistency.made-up", "made_up"
JUDGE = f'''
from auditor.verdict.checks.card import Card
from auditor.verdict.checks.definition import Definition
from auditor.verdict.checks.finding import Finding, Nothing
from auditor.base.domain import Status


def judge(context, observed, earlier):
    return Finding(Status.INCONCLUSIVE, value=1.0, threshold=0.0)


CARD = Card(
    id="{CHECK}", place=15, since="0.3.0", every_case=True, title="t", question="q?", unit="u", failure="f", remedy="r",
    of_controllers=True,
)
CHECK = Definition(CARD, Nothing, judge, derived=())
'''
THEOREMS = f'''
from auditor.verdict.theorems import Theorem

THEOREMS = (Theorem("{THEOREM}", "Nobody", ("log-consistent",), since="0.3.0"),)
'''


PART = """
from auditor.base.parts import Part

PART = Part("made_up", "nothing", checks=("check",), theorems=("theorems",))
"""


class Derived(log_consistency.Derived):
    """What the log's rows show, with what a later version adds."""

    made_up: int | None = later("0.3.0")


def _judged_later(context: Any, observed: Any, earlier: Any) -> Any:
    found = log_consistency.judge(context, observed, earlier)
    return dataclasses.replace(
        found,
        reasons=(*found.reasons, Message(REASON)),
        derived=Derived(**found.derived.model_dump(), made_up=7),
    )


def _doubtful(context: Any, observed: Any, earlier: Any) -> Any:
    return dataclasses.replace(_judged_later(context, observed, earlier), status=Status.INCONCLUSIVE)


@pytest.fixture
def catalogues(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Catalogues are listed again before and after a test that changes them."""
    caches = (listing.parts, checks._every, checks.definitions, theorems._every, theorems.theorems, attacks._listed, attacks._own)
    for each in caches:
        each.cache_clear()
    modules = set(sys.modules)
    yield
    monkeypatch.undo()
    for each in caches:
        each.cache_clear()
    for name in set(sys.modules) - modules:
        if name.startswith(("auditor.parts.made_up", "auditor.document.older.")):
            del sys.modules[name]


def _list(monkeypatch: pytest.MonkeyPatch, **changes: Any) -> None:
    """List the check of the log's consistency otherwise."""
    home = log_consistency.__name__
    changed = (dataclasses.replace(each, **changes) if each.home == home else each for each in log_cards.CARDS)
    monkeypatch.setattr(log_cards, "CARDS", tuple(changed))


@pytest.fixture
def version_3(catalogues: None, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A version that adds one of each: a part with a check and a theorem, an attack, a reason, a derived value."""
    folder = tmp_path / "parts" / "made_up"
    folder.mkdir(parents=True)
    for name, text in (("__init__", ""), ("part", PART), ("check", JUDGE), ("theorems", THEOREMS)):
        (folder / f"{name}.py").write_text(text)
    monkeypatch.setattr(parts, "__path__", [*parts.__path__, str(folder.parent)])
    attack = ThresholdAttack(ATTACK, "t", "Nobody", "0.3.0", evidence=lambda probabilities, labels: probabilities[..., 0])
    monkeypatch.setattr(threshold_attacks, "ATTACKS", (*threshold_attacks.ATTACKS, attack), raising=True)
    added = theorems.theorems("0.3.0")[THEOREM]
    monkeypatch.setattr(control, "TO_CONTROL", (*control.TO_CONTROL, added))
    changed = dataclasses.replace(log_consistency.CHECK, judge=_judged_later, later_reasons={REASON: "0.3.0"})
    monkeypatch.setattr(log_consistency, "CHECK", changed)
    _list(monkeypatch, later_reasons=changed.later_reasons)
    checks._every.cache_clear()
    checks.definitions.cache_clear()


@pytest.fixture
def version_4(version_3: None, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A version that judges the log otherwise and concludes otherwise."""
    folder = tmp_path / "older" / "v0_3_0"
    folder.mkdir(parents=True)
    (folder / "__init__.py").write_text("")
    shutil.copy(Path(log_consistency.__file__), folder / "log_consistency.py")
    (folder / "conclusion.py").write_text(
        "from auditor.verdict import assembly\nfrom auditor.verdict.sections import Conclusion\n\n"
        "CONCLUSION = Conclusion(assembly._conclude, since='0.2.0')\n"
    )
    monkeypatch.setattr(older, "__path__", [*older.__path__, str(tmp_path / "older")])
    card = dataclasses.replace(log_consistency.CARD, since="0.4.0")
    doubtful = dataclasses.replace(log_consistency.CHECK, card=card, judge=_doubtful)
    monkeypatch.setattr(log_consistency, "CHECK", doubtful)
    _list(monkeypatch, card=card)
    ungraded = Conclusion(lambda *given: assembly._conclude(*given).model_copy(update={"strength": None}), since="0.4.0")
    monkeypatch.setattr(assembly, "CONCLUSION", ungraded)
    checks._every.cache_clear()
    checks.definitions.cache_clear()


def written_by(path: Path, version: str) -> Evidence:
    """The document that a version gives for what a golden one declares and observed."""
    value = json.loads(path.read_bytes())
    value["audit"]["auditor_version"] = version
    given = read_evidence(json.dumps(value).encode(), path.name).evidence
    return derive_again(given)


def disagreements(evidence: Evidence) -> list[str]:
    found = recheck_evidence(read_evidence(evidence.to_bytes(), "evidence.json"), "evidence.json")
    return [str(each) for each in found.findings]


@pytest.mark.parametrize("path", GOLDEN)
def test_what_a_later_version_adds_changes_no_earlier_document(path: Path, version_3: None) -> None:
    assert CHECK in checks.definitions("0.3.0")
    assert CHECK not in checks.definitions("0.2.0")
    assert ATTACK in attacks.attacks("0.3.0")
    document = read_evidence(path.read_bytes(), path.name)
    assert derive_again(document.evidence).to_bytes() == path.read_bytes()
    assert recheck_evidence(document, path.name).findings == ()


def test_documents_of_that_version_have_it_all(version_3: None) -> None:
    evidence = written_by(LATEST / "digits-newton.json", "0.3.0")
    assert evidence.check(CHECK).status is Status.INCONCLUSIVE
    log = evidence.check("log.consistency")
    assert REASON in {each.code for each in log.reasons}
    assert log.derived is not None
    assert log.derived[VALUE] == 7
    (of_control,) = (each for each in evidence.guarantees if each.id == "deletion-as-control")
    assert THEOREM in {each.rule for each in of_control.derivation}
    quality = evidence.check("swap.quality")
    (weaker,) = (each for each in quality.reasons if each.code == "swap.quality.weaker")
    assert weaker.parameters["without"] == [ATTACK]
    assert disagreements(evidence) == []
    board = written_by(LATEST / "bulletin-board.json", "0.3.0")
    assert CHECK in board.policy.required
    assert (read(LATEST / "bulletin-board.json").verdict, board.verdict) == (Verdict.PASS, Verdict.INCONCLUSIVE)


def test_each_document_is_judged_by_the_edition_of_its_version(version_4: None) -> None:
    golden = LATEST / "digits-newton.json"
    assert derive_again(read_evidence(golden.read_bytes(), "golden").evidence).to_bytes() == golden.read_bytes()
    third, fourth = written_by(golden, "0.3.0"), written_by(golden, "0.4.0")
    assert [each.check("log.consistency").status for each in (third, fourth)] == [Status.PASS, Status.INCONCLUSIVE]
    for each in (third, fourth):
        assert disagreements(each) == []
    board = LATEST / "bulletin-board.json"
    assert (read(board).strength, written_by(board, "0.4.0").strength) == (Strength.E, None)


def test_a_document_cannot_shed_what_its_version_asks_for(version_3: None) -> None:
    """A forger who takes the newer check out and keeps the version is found; one who changes the version as well is named."""
    evidence = written_by(LATEST / "digits-newton.json", "0.3.0")
    shed = evidence.model_copy(update={"checks": tuple(each for each in evidence.checks if each.id != CHECK)})
    assert any("missing: log.made_up" in each for each in disagreements(shed))
    (_, _, older) = recheck_evidence(read_evidence((LATEST / "digits-newton.json").read_bytes(), "e"), "e").stated
    assert older == "what auditor 0.2.0 judged: by its catalogue and not by that of 0.3.0, which has log.made_up as well"


@pytest.fixture(autouse=True)
def _speaks_as_the_made_up_version(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    if "version_3" in request.fixturenames:
        monkeypatch.setattr("auditor.recheck.derivations.__version__", "0.3.0")


@pytest.mark.parametrize("version", ["0.1.9", "0.2", "v0.3.0", "", "0.2.0.dev1", "1" * 200, "0.02.0"])
def test_a_version_that_never_wrote_evidence_is_refused(version: str) -> None:
    value = json.loads((LATEST / "digits-newton.json").read_bytes())
    value["audit"]["auditor_version"] = version
    with pytest.raises(InputError, match=r"audit\.auditor_version"):
        read_evidence(json.dumps(value).encode(), "evidence.json")


@pytest.mark.parametrize("place", ["listed", "only"])
def test_a_check_that_no_version_knows_cannot_be_required_in_its_place(place: str) -> None:
    """A policy that lists an unknown check alone would require nothing at all."""
    value = json.loads((LATEST / "digits-newton.json").read_bytes())
    value["policy" if place == "listed" else "audit"][place] = ["no.such-check"]
    given = derive_again(read_evidence(json.dumps(value).encode(), "evidence.json").evidence)
    assert any("no.such-check, which auditor 0.2.0 does not know" in each for each in disagreements(given))


class TestEditions:
    def test_the_newest_edition_that_a_version_knows_counts(self):
        entries = [theorems.Theorem("a", "1", ()), theorems.Theorem("b", "1", (), since="0.4.0")]
        entries += [theorems.Theorem("a", "3", (), since="0.10.0"), theorems.Theorem("a", "2", (), since="0.9.0")]

        def at(version: str) -> dict[str, str]:
            return {name: each.citation for name, each in in_force(entries, version, key=lambda each: each.id).items()}

        assert at("0.2.0") == at("0.3.9") == {"a": "1"}
        assert at("0.4.0") == {"a": "1", "b": "1"}
        assert at("0.9.5") == {"a": "2", "b": "1"}
        assert at("0.10.0") == at("1.0.0") == {"a": "3", "b": "1"}

    def test_two_editions_of_one_version_are_refused(self):
        twice = [theorems.Theorem("a", "1", ()), theorems.Theorem("a", "2", ())]
        with pytest.raises(ValueError, match=r"'a' is there twice since 0\.2\.0"):
            in_force(twice, "0.2.0", key=lambda each: each.id)

    def test_a_later_field_is_left_out_of_earlier_documents_in_models_inside_models_too(self):
        class Outer(log_consistency.Values):
            one: Derived
            many: tuple[Derived, ...]
            named: dict[str, Derived]

        inner = Derived(problems=(), made_up=3)
        outer = Outer(one=inner, many=(inner,), named={"x": inner})
        assert as_of(outer, "0.3.0") is outer
        before = as_of(outer, "0.2.9").model_dump(mode="json")
        assert [VALUE in each for each in (before["one"], *before["many"], before["named"]["x"])] == [False] * 3
        assert before["one"] == log_consistency.Derived(problems=()).model_dump(mode="json")

    def test_versions_are_compared_as_numbers(self):
        assert parsed("0.10.0") > parsed("0.9.9")


JUDGING_TODAY = (
    *("assembly", "judgement", "promises", "required", "ruling", "digests"),
    *("guarantees", "corollaries", "reliance", "strength", "default_policy", "decisions"),
)
_OF_ENTRIES = ("CHECK", "CHECKS", "THEOREMS", "ATTACKS", "RULES", "CONCLUSION")


def judges_of_today(file: Path) -> list[str]:
    """What a module imports that judges today: it would change with it."""
    found = []
    for node in ast.walk(ast.parse(file.read_text())):
        names = [each.name for each in node.names] if isinstance(node, ast.Import) else []
        if isinstance(node, ast.ImportFrom) and node.module:
            names = [node.module, *(f"{node.module}.{each.name}" for each in node.names)]
        found += [name for name in names if name.startswith("auditor.") and _judges(name)]
    return found


def _judges(name: str) -> bool:
    if name.split(".")[1] == "verdict" and name.rsplit(".", maxsplit=1)[-1] in JUDGING_TODAY:
        return True
    place = Path(auditor.__file__).parent.joinpath(*name.split(".")[1:])
    file = place.with_suffix(".py") if place.with_suffix(".py").is_file() else place / "__init__.py"
    if not file.is_file():
        return False
    assigned = {
        target.id
        for node in ast.parse(file.read_text()).body
        for target in (node.targets if isinstance(node, ast.Assign) else [node.target] if isinstance(node, ast.AnnAssign) else [])
        if isinstance(target, ast.Name)
    }
    return bool(assigned.intersection(_OF_ENTRIES))


def test_what_judged_before_imports_nothing_that_judges_today(tmp_path: Path) -> None:
    folder = Path(older.__file__).parent
    assert {str(file): judges_of_today(file) for file in folder.rglob("*.py")} == {str(file): [] for file in folder.rglob("*.py")}
    leaning = tmp_path / "leaning.py"
    leaning.write_text(
        "from auditor.parts.log.judging import log_consistency\nfrom auditor.verdict.checks.card import Card\n"
        "import auditor.verdict.assembly\n"
    )
    assert judges_of_today(leaning) == ["auditor.parts.log.judging.log_consistency", "auditor.verdict.assembly"]


def test_every_check_of_every_version_finds_what_it_needs() -> None:
    for version in {each.card.since for each in checks._every()}:
        known = checks.definitions(version)
        assert all(set(each.card.needs) <= known.keys() for each in known.values())
