"""A part of a third party: brought by its own package, without a line changed in the auditor, and unable to let anything pass."""

from __future__ import annotations

import hashlib
import json
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

import pytest

import auditor
from auditor import api, attacks
from auditor.audit import stages
from auditor.base import foreign_parts
from auditor.base.domain import Certificate, ClaimStatus, Fact, Guarantee, Message, Provenance, Status
from auditor.base.errors import InputError, LackingPartError, PartError, PartFailedError
from auditor.base.foreign_parts import in_force
from auditor.base.parts import Part
from auditor.cli import run
from auditor.document import evidence_files
from auditor.maths.certificates import rules
from auditor.pages import words
from auditor.pages.taking_part import taking_part
from auditor.pages.words import texts
from auditor.pages.words.rendered_evidence import tell
from auditor.verdict import guarantees
from auditor.verdict.checks import definitions, foreign
from auditor.verdict.checks.finding import Finding
from auditor.verdict.guarantees import KNOWN, conclude_foreign, derive_guarantees, fact, is_foreign, rests_on_foreign
from auditor.verdict.theorems import theorems
from cases import unprinted
from forged_pages import rewritten
from sample_cases import GOLDEN
from small_cases import AUDIT, SECRET, problem, write
from tampered_folders import blank_pdf

PACKAGE = Path(__file__).resolve().parent.parent / "foreign_part"
FOLDER = "acme_auditor"
CENTROIDS = 'use = "acme-centroids"\nsharpness = 2.0'
CHECK, RULE, THEOREM, ATTACK, PROCEDURE, FORMAT = (
    *("acme.backlog", "acme-waiting", "acme-timely", "acme-margin", "acme-centroids", "acme-csv"),
)
"""What the part brings, one of each."""
FILES = {
    "check": ("judging/backlog.py", "observing/backlog.py", "telling/words/en/backlog.ftl"),
    "rule": ("rules/waiting.py",),
    "theorem": ("theorems.py",),
    "attack": ("attacks/margin.py",),
    "procedure": ("learning/centroids.py",),
    "format": ("telling/table.py",),
}
"""The files of each addition, apart from `part.py`, which names them all."""


@dataclass(frozen=True)
class Acme:
    """The package as it is installed for one test."""

    place: Path

    @property
    def folder(self) -> Path:
        return self.place / FOLDER

    def rewrite(self, file: str, old: str, new: str) -> None:
        """Change one of its files; a process that loaded it is another one then."""
        path = self.folder / file
        text = path.read_text(encoding="utf-8")
        assert old in text, old
        path.write_text(text.replace(old, new), encoding="utf-8")
        forget()

    def uninstall(self) -> None:
        shutil.rmtree(self.place)
        forget()

    def upgrade(self, version: str) -> None:
        metadata = self.place / "acme_auditor-1.2.dist-info" / "METADATA"
        metadata.write_text(metadata.read_text().replace("Version: 1.2", f"Version: {version}"))
        forget()


def forget() -> None:
    """Leave the process as one that never loaded the part."""
    foreign_parts._LOADED.clear()
    for name in [name for name in sys.modules if name.partition(".")[0] == FOLDER]:
        del sys.modules[name]


@pytest.fixture
def acme(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Acme]:
    """Install the package: a folder on the path of imports, with an entry point alongside it."""
    place = tmp_path / "installed"
    shutil.copytree(PACKAGE, place, ignore=shutil.ignore_patterns("__pycache__"))
    monkeypatch.syspath_prepend(str(place))
    forget()
    yield Acme(place)
    assert in_force() == ()
    forget()


def small(tmp_path: Path, *, rest: str = "", procedure: str = CENTROIDS, parts: str = '"acme"') -> Path:
    """A case that names the part, and learns by its procedure."""
    folder = tmp_path / "case"
    folder.mkdir(parents=True)
    write(folder, *problem())
    text = AUDIT.format(data="", procedure=procedure, seed=SECRET, rest=rest)
    (folder / "audit.toml").write_text(text.replace('name = "small"', f'name = "small"\nparts = [{parts}]'), encoding="utf-8")
    return folder


def checked(tmp_path: Path, **given: Any) -> Path:
    """The evidence of an audit of two checks, one of them the part's."""
    case = small(tmp_path, **given)
    with unprinted():
        api.check(case, only=["log.consistency", CHECK], out=tmp_path / "audit", jobs=1)
    return tmp_path / "audit" / "evidence.json"


# What a part brings.


def test_one_of_each_is_brought_without_a_line_changed_in_the_auditor(acme: Acme) -> None:
    before = set(definitions()), set(rules()), set(theorems()), set(attacks.attacks())
    with taking_part(["acme"]) as (part,):
        after = set(definitions()), set(rules()), set(theorems()), set(attacks.attacks())
        assert [now - then for now, then in zip(after, before, strict=True)] == [{CHECK}, {RULE}, {THEOREM}, {ATTACK}]
        assert part.installed.distribution == "acme-auditor"
        assert part.installed.version == "1.2"
        assert texts.text("fact-acme-backlog-short")
    assert (set(definitions()), set(rules()), set(theorems()), set(attacks.attacks())) == before
    assert not texts.has("fact-acme-backlog-short")


def test_each_addition_takes_as_few_files_as_one_of_the_auditors_own() -> None:
    listed = {path.relative_to(PACKAGE / FOLDER).as_posix() for path in (PACKAGE / FOLDER).rglob("*") if path.is_file()}
    listed = {path for path in listed if "__pycache__" not in path}
    assert listed == {"__init__.py", "part.py", *(path for files in FILES.values() for path in files)}
    assert {name: len(files) for name, files in FILES.items()} == {
        **dict.fromkeys(("rule", "theorem", "attack", "procedure", "format"), 1),
        "check": 3,
    }
    page = (Path(auditor.__file__).parent.parent / "docs" / "extending.md").read_text(encoding="utf-8")
    assert all(f"| {name} | {len(files)} |" in page for name, files in FILES.items())


def test_nothing_of_it_is_loaded_because_it_is_installed(acme: Acme) -> None:
    assert run(["calc", "--list", "--json"]) == 0
    assert run(["explain", "log.consistency"]) == 0
    assert not any(name.startswith(FOLDER) for name in sys.modules)


def test_it_calculates_and_explains_where_it_is_named(acme: Acme, capfd: pytest.CaptureFixture[str]) -> None:
    asked = ["calc", RULE, "--requests", "30", "--rate", "10", "--json"]
    assert run(asked) == 2
    assert RULE in json.loads(capfd.readouterr().out)["problems"][0]["message"]
    assert run([*asked, "--part", "acme"]) == 0
    assert json.loads(capfd.readouterr().out)["days"] == 3.0
    assert run(["explain", CHECK]) == 2
    assert run(["explain", CHECK, "--part", "acme"]) == 0
    assert "Backlog of requests" in capfd.readouterr().out
    assert run(["calc", RULE, "--part", "acne"]) == 2
    assert "there is no part named acne: installed are acme" in capfd.readouterr().err


@pytest.mark.usefixtures("unprinted")
def test_it_is_audited_reported_and_verified(acme: Acme, tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    case = small(tmp_path)
    out = tmp_path / "audit"
    only = f"log.consistency,{CHECK}"
    assert run(["check", str(case), "--only", only, "--out", str(out), "--jobs", "1"]) == 3
    said = " ".join(capfd.readouterr().out.split())
    assert "A part that is not the auditor’s took part, acme (acme-auditor 1.2)" in said
    assert "acme concludes by Acme 2026, Theorem 1: supported." in said
    evidence = evidence_files.read(out / "evidence.json")
    (taken,) = evidence.parts
    assert taken.named[:3] == ("acme", "acme-auditor", "1.2")
    assert taken.sha256 == foreign_parts.digest_of(acme.folder)
    assert taken.checks == (CHECK,)
    assert [(each.id, each.status) for each in taken.conclusions] == [(THEOREM, ClaimStatus.SUPPORTED)]
    assert evidence.check(CHECK).status is Status.PASS
    assert {each.kind for each in evidence.certificates} == {RULE}
    assert THEOREM not in {each.id for each in evidence.guarantees}
    assert "acme (acme-auditor 1.2)" in (out / "report.html").read_text(encoding="utf-8")
    assert run(["verify", str(out)]) == 0
    assert run(["explain", CHECK, "-e", str(out / "evidence.json")]) == 0
    assert "In the audit of small: pass." in capfd.readouterr().out
    for form in ("md", "junit", "sarif", "html"):
        assert run(["report", str(out / "evidence.json"), "--format", form, "-o", str(tmp_path / f"again.{form}")]) == 0
    assert "acme-auditor" in (tmp_path / "again.md").read_text(encoding="utf-8")
    assert run(["diff", str(out / "evidence.json"), str(out / "evidence.json")]) == 0


def test_a_format_of_a_part_is_written(acme: Acme, tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    evidence, written = GOLDEN / "digits-newton.json", tmp_path / "checks.csv"
    asked = ["report", str(evidence), "--format", FORMAT, "-o", str(written)]
    assert run(asked) == 2
    assert run([*asked, "--part", "acme"]) == 0
    assert written.read_text(encoding="utf-8").splitlines()[0] == "log.consistency,pass"


def test_a_procedure_of_a_part_runs_walled_in_and_is_trusted_no_more_than_the_cases_own(acme: Acme, tmp_path: Path) -> None:
    case = small(tmp_path)
    found = api.check(case, only=["log.consistency", "release.exact", "data.erased"], jobs=1)
    assert found.failure is None
    assert found.evidence.procedure.use is None
    assert found.evidence.procedure.entry == "part:acme/learning/centroids.py:Centroids"
    assert found.evidence.procedure.settings == {"params": {"sharpness": 2.0}}
    assert found.evidence.check("release.exact").status is Status.PASS
    assert found.evidence.reliance.cap.foreign
    assert found.evidence.reliance.cap.holds  # nobody attests that its code is clean
    assert api.verify(found).agrees


@pytest.mark.slow
def test_an_attack_of_a_part_plays_in_the_game(acme: Acme, tmp_path: Path) -> None:
    swap = "[swap]\npairs = 6\nalpha = 0.2\n[policy]\nrequired = ['swap.quality']\n"
    rest = swap
    case = small(tmp_path, procedure='use = "certified-removal"\nl2 = 0.01\nsigma = 1.0', rest=rest)
    found = api.check(case, only=["log.consistency", "swap.quality"], jobs=1)
    observed = found.evidence.check("swap.quality").observed
    assert observed is not None
    assert ATTACK in json.dumps(observed)
    assert api.verify(found).agrees


# Without it.


def test_without_it_evidence_is_not_rechecked_and_says_what_is_lacking(
    acme: Acme, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    evidence = checked(tmp_path)
    acme.uninstall()
    for asked in (["verify", str(evidence)], ["verify", str(evidence.parent)], ["report", str(evidence), "--format", "md"]):
        assert run(asked) == 3
        said = capfd.readouterr()
        assert "the part acme (acme-auditor 1.2) took part and is not installed" in said.out + said.err
    outcome = api.verify(evidence)
    assert not outcome.agrees
    assert outcome.exit_code == 3
    report = evidence.with_name("report.pdf")
    content = evidence.read_bytes()
    report.write_bytes(rewritten(blank_pdf(), lambda writer: writer.add_attachment("evidence.json", content)))
    (document,) = api.verify(report).documents
    assert document.sha256 == hashlib.sha256(report.read_bytes()).hexdigest(), "the digest is that of the file named"
    with pytest.raises(LackingPartError):
        api.read(evidence)
    with pytest.raises(LackingPartError):
        api.report(evidence, format="md")


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda acme: acme.upgrade("1.3"), "acme-auditor 1.3 is installed"),
        (lambda acme: acme.rewrite("judging/backlog.py", "MOST = 100", "MOST = 10000"), "took part with files of SHA-256"),
        (lambda acme: (acme.folder / "later.py").write_text(""), "took part with files of SHA-256"),
    ],
)
def test_another_version_or_other_files_are_another_part(
    acme: Acme, tmp_path: Path, capfd: pytest.CaptureFixture[str], change: Callable[[Acme], None], said: str
) -> None:
    evidence = checked(tmp_path)
    change(acme)
    forget()
    assert run(["verify", str(evidence)]) == 3
    assert said in capfd.readouterr().out
    assert not any(name.startswith(FOLDER) for name in sys.modules), "what is not the part that took part is never imported"


def test_what_disagrees_fails_whatever_is_lacking(acme: Acme, tmp_path: Path) -> None:
    evidence = checked(tmp_path)
    (value,) = [json.loads(evidence.read_text(encoding="utf-8"))]
    value["parts"][0]["conclusions"][0]["status"] = "shown"
    evidence.write_bytes(json.dumps(value).encode())
    assert run(["verify", str(evidence)]) == 1
    del value["parts"]
    evidence.write_bytes(json.dumps(value).encode())
    assert run(["verify", str(evidence)]) == 1


def test_a_second_program_names_what_it_does_not_recheck(acme: Acme, tmp_path: Path) -> None:
    evidence = checked(tmp_path)
    program = PACKAGE.parent.parent / "docs" / "recheck_minimal.py"
    done = subprocess.run([sys.executable, str(program), str(evidence)], capture_output=True, text=True, check=False)
    assert done.returncode == 3
    assert "not rechecked here: part acme (acme-auditor 1.2)" in done.stdout
    assert f"not rechecked here: {RULE}" in done.stdout


def test_evidence_without_a_part_is_what_it_was() -> None:
    for path in sorted(GOLDEN.glob("*.json"))[:3]:
        assert evidence_files.read(path).to_bytes() == path.read_bytes().strip()
        assert "parts" not in json.loads(path.read_bytes())


# Who may name it.


def test_a_case_can_name_nothing_but_an_entry_point(acme: Acme, tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    for name in ("os", "acme_auditor", "acme_auditor.part:PART", "../acme", "swap"):
        case = small(tmp_path / name.replace("/", "-"), parts=json.dumps(name))
        assert run(["validate", "--no-run", str(case)]) == 2
        assert "case.parts.0: expected a part that is installed here" in capfd.readouterr().err
    assert not any(each.startswith(FOLDER) for each in sys.modules)


def test_a_part_that_is_not_installed_hides_no_other_problem(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    case = small(tmp_path, parts='"absent"', procedure='use = "certified-removal"\nl2 = -1.0\nsigma = 1.0')
    for command in (["validate", "--no-run"], ["check"]):
        assert run([*command, str(case)]) == 2
        found = capfd.readouterr().err
        assert "case.parts.0: expected a part that is installed here" in found
        assert "procedure.l2" in found
    with pytest.raises(PartError, match="there is no part named absent"), taking_part(["absent"]):
        pass


def test_what_lies_in_the_working_directory_is_not_installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    hostile = tmp_path / "handed-in"
    shutil.copytree(PACKAGE, hostile)
    (hostile / FOLDER / "__init__.py").write_text("raise SystemExit('imported')\n")
    monkeypatch.chdir(hostile)
    monkeypatch.syspath_prepend(str(hostile))
    assert "acme" not in foreign_parts.names_installed()
    with pytest.raises(PartError, match="there is no part named acme"), taking_part(["acme"]):
        pass


def test_a_package_in_the_working_directory_does_not_take_the_place_of_an_installed_one(
    acme: Acme, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    hostile = tmp_path / "handed-in"
    shutil.copytree(PACKAGE / FOLDER, hostile / FOLDER)
    (hostile / FOLDER / "__init__.py").write_text("raise SystemExit('imported')\n")
    monkeypatch.chdir(hostile)
    monkeypatch.syspath_prepend(str(hostile))
    with pytest.raises(PartError, match="there is no package acme_auditor"), taking_part(["acme"]):
        pass


def test_a_case_that_names_a_part_is_not_read_without_it(acme: Acme, tmp_path: Path) -> None:
    from auditor import case as cases  # noqa: PLC0415

    case = small(tmp_path, procedure='use = "certified-removal"\nl2 = 0.01\nsigma = 1.0')
    with pytest.raises(InputError, match=r"case\.parts\.0"):
        cases.read(case)


def test_what_one_audit_takes_the_next_one_does_not_have(acme: Acme, tmp_path: Path) -> None:
    with taking_part(["acme"]):
        with_it = tuple(definitions())
    without = tuple(definitions())
    assert set(with_it) - set(without) == {CHECK}
    with suppress(RuntimeError), taking_part(["acme"]):
        raise RuntimeError
    assert tuple(definitions()) == without
    with pytest.raises(KeyError):
        fact("acme-backlog-short", Provenance.MEASURED, Message("x"))


def test_files_that_change_while_a_process_runs_are_refused(acme: Acme) -> None:
    with taking_part(["acme"]):
        pass
    (acme.folder / "later.py").write_text("")
    with pytest.raises(PartError, match="changed since this process loaded it"), taking_part(["acme"]):
        pass


def test_a_part_in_force_does_not_stand_in_for_the_one_that_took_part(acme: Acme) -> None:
    with taking_part(["acme"]):
        (acme.folder / "later.py").write_text("")
        now = ("acme", "acme-auditor", "1.2", foreign_parts.digest_of(acme.folder))
        with pytest.raises(LackingPartError, match="in force as other files"), foreign_parts.taking_as_named([now]):
            pass


# What none may bring.

SHADOWS: Mapping[str, tuple[str, str, str]] = {
    "check log.consistency": ("judging/backlog.py", 'id="acme.backlog"', 'id="log.consistency"'),
    "rule gaussian": ("rules/waiting.py", 'KIND = "acme-waiting"', 'KIND = "gaussian"'),
    "theorem retraining": ("theorems.py", '"acme-timely"', '"RETRAINING"'),
    "attack loss": ("attacks/margin.py", 'name="acme-margin"', 'name="loss"'),
    "attack whole-set": ("attacks/margin.py", 'name="acme-margin"', 'name="whole-set"'),
    "procedure sklearn": ("part.py", '"acme-centroids"', '"sklearn"'),
    "format pdf": ("telling/table.py", 'name="acme-csv"', 'name="pdf"'),
    "sentence of the auditor": (*("part.py", 'theorems=("theorems",)', 'theorems=("theorems",), sentences=("telling.table",)'),),
    "message fact-log-consistent": ("telling/words/en/backlog.ftl", "fact-acme-backlog-short =", "fact-log-consistent ="),
    "message reason-left-out": ("telling/words/en/backlog.ftl", "reason-acme-backlog-counted", "reason-left-out"),
}


@pytest.mark.parametrize("what", SHADOWS)
def test_nothing_that_is_there_is_taken_over(acme: Acme, what: str) -> None:
    file, old, new = SHADOWS[what]
    if what.startswith("sentence"):
        code = next(iter(words._own()))
        acme.rewrite("telling/table.py", "FORMATS = ", f"SENTENCES = {{{code!r}: lambda given: ''}}\nFORMATS = ")
    if what == "theorem retraining":
        new = f'"{next(iter(theorems()))}"'
    acme.rewrite(file, old, new)
    with pytest.raises(PartError, match="a part may add, and change nothing"), taking_part(["acme"]):
        pass


def test_a_newer_edition_of_a_check_of_the_auditors_own_is_refused_too(acme: Acme) -> None:
    acme.rewrite("judging/backlog.py", 'id="acme.backlog"', 'id="release.exact"')
    acme.rewrite("judging/backlog.py", 'since="0.2.0"', 'since="0.1.0"')
    with pytest.raises(PartError, match=r"release\.exact"), taking_part(["acme"]):
        pass


FORBIDDEN: Mapping[str, tuple[str, str, str]] = {
    "has a role": ("judging/backlog.py", 'unit="requests",', 'unit="requests", roles=frozenset({Role.EXACT}),'),
    "judges the unlearning itself": ("judging/backlog.py", 'unit="requests",', 'unit="requests", judges_unlearning=True,'),
    "gives numbers to guarantees": (
        "judging/backlog.py",
        "derived=(Derived,))",
        "derived=(Derived,), pledges=lambda context, findings: None)",
    ),
    "examines a claim": ("judging/backlog.py", "derived=(Derived,))", "derived=(Derived,), examined_claims=lambda *_: {'dp'})"),
    "says that attacks are blind": ("judging/backlog.py", "derived=(Derived,))", "derived=(Derived,), blind=lambda _: True)"),
    "needs acme.other": ("judging/backlog.py", 'needs=("log.consistency",)', 'needs=("acme.other",)'),
    "the ids of its messages begin with": (
        *("telling/words/en/backlog.ftl", "fact-acme-backlog-short =", "verdict-pass-acme = x\nfact-acme-backlog-short ="),
    ),
    "has no message fact-acme-unsaid": ("theorems.py", '"acme-backlog-short"', '"acme-unsaid"'),
    "a name of the auditor's own results": ("telling/table.py", 'file="report.acme.csv"', 'file="evidence.json"'),
    "expected PART, a Part named 'acme'": ("part.py", 'name="acme"', 'name="swap"'),
    "judging.backlog has no CHECKS": ("judging/backlog.py", "CHECK = Definition(", "CHEK = Definition("),
}


@pytest.mark.parametrize("fault", FORBIDDEN)
def test_what_could_let_something_pass_is_refused(acme: Acme, fault: str) -> None:
    file, old, new = FORBIDDEN[fault]
    if "Role" in new:
        acme.rewrite(file, "import Card\n", "import Card, Role\n")
    acme.rewrite(file, old, new)
    with pytest.raises(PartError, match=fault.replace("(", r"\(")), taking_part(["acme"]):
        pass


REFUSED = [each.name for each in fields(Part) if each.name not in foreign_parts.MAY_BRING]


@pytest.mark.parametrize("kind", REFUSED)
def test_of_every_other_kind_it_may_bring_none(acme: Acme, kind: str) -> None:
    acme.rewrite("part.py", 'subject="how', f'{kind}=("theorems",), subject="how')
    with pytest.raises(PartError, match=f"a foreign part has no `{kind}`"), taking_part(["acme"]):
        pass


def test_every_kind_that_it_may_bring_is_one_that_somebody_tries_to_take_over() -> None:
    tried = {"check", "rule", "theorem", "attack", "procedure", "format", "message", "sentence"}
    assert {what.partition(" ")[0] for what in SHADOWS} == tried
    assert foreign_parts.MAY_BRING - {"name", "subject", "sentences", "stages", "classes"} == {
        *("attacks", "checks", "formats", "rules", "theorems"),
    }
    assert set(REFUSED) == {
        *("knows", "remedies", "guarantees", "statements", "figures", "tellings", "helpers", "commands", "requesters"),
        *("results", "tickets", "baselines", "planning", "procedures", "controllers", "examines", "cards", "contributions"),
        "serves",
    }


STRANGE: Mapping[str, tuple[str, str]] = {
    "observes for release.exact, which is no check of its own": ('checks = ("acme.backlog",)', 'checks = ("release.exact",)'),
    "observes for no check": ('checks = ("acme.backlog",)', "checks = ()"),
    "hands values to other stages": ('("acme.backlog",)', '("acme.backlog",)\n    hands = (Observed,)'),
    **{
        f"has a method {name}": ("    def observe(", f"    def {name}(self, *_):\n        return ()\n\n    def observe(")
        for name in ("prepare", "foresee", "unplanned", "refutable", "rehearse")
    },
    "which is no class of Stage": ("STAGES = (Backlog,)", "STAGES = (len,)"),
}


@pytest.mark.parametrize("fault", STRANGE)
def test_a_stage_that_does_more_than_observe_for_checks_of_its_own_is_refused(acme: Acme, fault: str) -> None:
    acme.rewrite("observing/backlog.py", *STRANGE[fault])
    with taking_part(["acme"]), pytest.raises(PartError, match=fault):
        stages.listed()


def test_a_stage_comes_after_all_of_the_auditors_own(acme: Acme) -> None:
    own = stages.listed()
    with taking_part(["acme"]):
        assert stages.listed()[:-1] == own
    assert stages.listed() == own


def test_a_stage_changes_nothing_that_others_saw(acme: Acme, tmp_path: Path) -> None:
    acme.rewrite("observing/backlog.py", "        return {", "        self.run.seen.clear()\n        return {")
    found = api.check(small(tmp_path), only=["release.exact", CHECK], jobs=1)
    assert found.evidence.check("release.exact").status is Status.PASS
    assert found.evidence.check(CHECK).observed == {"records": 60}


def test_a_stage_that_observes_for_a_check_of_the_auditors_own_all_the_same_is_refused(acme: Acme, tmp_path: Path) -> None:
    acme.rewrite(
        "observing/backlog.py", 'return {"acme.backlog": ', 'return {"release.exact": Observed(records=1), "acme.backlog": '
    )
    with pytest.raises(ValueError, match=r"not run for release\.exact"):
        api.check(small(tmp_path), only=["release.exact", CHECK], jobs=1)


def test_no_constant_of_a_part_reaches_a_check_of_the_auditors_own(acme: Acme) -> None:
    from auditor.verdict.checks import constants  # noqa: PLC0415

    acme.rewrite("judging/backlog.py", "MOST = 100", 'MOST = 100\nAGAINST_EPSILON = ("mine",)')
    constants.cache_clear()
    with taking_part(["acme"]):
        assert "mine" not in str(constants("AGAINST_EPSILON"))
    constants.cache_clear()


def test_a_certificate_of_a_rule_that_is_not_its_own_is_an_error(acme: Acme) -> None:
    other = Certificate("gaussian", 0.0, 0.0, None, {}, (), (), {})
    with taking_part(["acme"]):
        found = foreign.own_certificates("acme", Finding(Status.PASS, certificates=(other,)))
    assert found.status is Status.ERROR
    assert found.certificates == ()


# What its facts support.


def _every(how: Provenance) -> list[Fact]:
    return [Fact(name, how, Message("fact.not-examined")) for name in sorted(KNOWN)]


def _guarantees(facts: Any) -> dict[str, ClaimStatus]:
    return {each.id: each.status for each in derive_guarantees(facts, epsilon=1.0, delta=1e-5)}


@pytest.mark.parametrize("name", sorted(KNOWN))
def test_no_fact_of_a_part_lets_anything_be_shown(name: str) -> None:
    others = [each for each in _every(Provenance.COMPUTED) if each.name != name]
    without = _guarantees(others)
    for how in (Provenance.ATTESTED, Provenance.MEASURED, Provenance.COMPUTED):
        told = foreign.facts(others, (), [("acme", Fact(name, how, Message("fact.not-examined")))])
        found = _guarantees(told)
        for guarantee, status in found.items():
            assert status is not ClaimStatus.SHOWN or without.get(guarantee) is ClaimStatus.SHOWN, guarantee


@pytest.mark.parametrize("name", sorted(KNOWN))
def test_what_follows_from_what_a_part_supports_rests_on_the_part_too(name: str) -> None:
    """Whatever derives it: a guarantee that the part makes firmer names it, and so does one that has it as a premise."""
    for known in (Provenance.COMPUTED, Provenance.ATTESTED):
        others = [each for each in _every(known) if each.name != name]
        without = {each.id: each for each in derive_guarantees(others, epsilon=1.0, delta=1e-5)}
        told = foreign.facts(others, (), [("acme", Fact(name, Provenance.COMPUTED, Message("fact.not-examined")))])
        for each in derive_guarantees(told, epsilon=1.0, delta=1e-5):
            if each.status in {ClaimStatus.SHOWN, ClaimStatus.SUPPORTED}:
                assert rests_on_foreign(each) or each == without.get(each.id), each.id


def test_a_part_carries_no_guarantee_of_the_whole_over_one_of_the_model() -> None:
    """A theorem that names the model's guarantee as a condition takes no foreign part's word for it."""
    facts = [each for each in _every(Provenance.COMPUTED) if each.name != "model-guarantee"]
    own = [each for each in facts if each.name not in {"retrained", "release-noise", "residual-bounded", "unrefuted"}]
    said = [("acme", each) for each in facts if each not in own]
    whole = {each.id: each for each in derive_guarantees(foreign.facts(own, (), said), epsilon=1.0, delta=1e-5)}
    premises = [
        premise
        for guarantee in whole.values()
        for derivation in guarantee.derivation
        for premise in derivation.premises
        if premise.fact == "model-guarantee" and premise.how is Provenance.ATTESTED
    ]
    assert premises
    assert all(is_foreign(each) for each in premises)


@pytest.mark.parametrize("refuted", [True, False])
def test_a_derivable_that_reads_facts_without_naming_them_is_bounded_too(refuted: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    def derive_it(facts: Mapping[str, Fact], _given: object, _version: str) -> Guarantee:
        there = "swap-blind" in facts
        bad = ClaimStatus.REFUTED if refuted else ClaimStatus.NOT_SHOWN
        return Guarantee("careless", ClaimStatus.SHOWN if there else bad, 0.0 if there else None, None, ())

    careless = guarantees.Derivable("careless", 5, derive_it)
    monkeypatch.setattr(guarantees, "derivable", lambda: (careless,))
    told = foreign.facts((), (), [("acme", Fact("swap-blind", Provenance.COMPUTED, Message("fact.not-examined")))])
    (found,) = derive_guarantees(told, epsilon=None, delta=None)
    assert (found.status, found.epsilon) == (ClaimStatus.REFUTED if refuted else ClaimStatus.NOT_SHOWN, None)


def test_a_part_says_nothing_that_a_check_or_the_controller_has_the_say_in() -> None:
    own = [Fact("log-consistent", Provenance.UNKNOWN, Message("fact.not-examined"))]
    words = [Fact("seed-secret", Provenance.UNKNOWN, Message("fact.not-attested", {"name": "seed-secret"}))]
    said = [("acme", Fact(name, Provenance.COMPUTED, Message("fact.not-examined"))) for name in ("log-consistent", "seed-secret")]
    assert foreign.facts(own, words, said) == (*own, *words)
    refuting = ("acme", Fact("log-consistent", Provenance.REFUTED, Message("fact.not-examined")))
    assert [each.how for each in foreign.facts(own, words, [refuting])] == [
        Provenance.UNKNOWN,
        Provenance.UNKNOWN,
        Provenance.REFUTED,
    ]


def test_its_own_theorems_conclude_no_more_than_supported(acme: Acme) -> None:
    with taking_part(["acme"]):
        known = [
            Fact("acme-backlog-short", Provenance.COMPUTED, Message("x")),
            Fact("log-consistent", Provenance.COMPUTED, Message("x")),
        ]
        (found,) = conclude_foreign(known, "acme")
    assert found.status is ClaimStatus.SUPPORTED
    assert (found.epsilon, found.delta) == (None, None)


@pytest.mark.parametrize("required", [f'required = ["{CHECK}"]', f'required = ["log.consistency", "{CHECK}"]'])
def test_a_policy_that_asks_for_its_check_alone_does_not_pass(acme: Acme, tmp_path: Path, required: str) -> None:
    found = api.check(small(tmp_path, rest=f"[policy]\n{required}\n"), only=["log.consistency", CHECK], jobs=1)
    assert found.evidence.check(CHECK).status is Status.PASS
    assert not found.passed
    assert found.evidence.reliance.unexamined


def test_a_check_of_a_part_that_fails_fails_the_audit(acme: Acme, tmp_path: Path) -> None:
    acme.rewrite("judging/backlog.py", "MOST = 100", "MOST = 0")
    found = api.check(small(tmp_path), only=["log.consistency", CHECK], jobs=1)
    assert found.evidence.check(CHECK).status is Status.FAIL
    assert found.exit_code == 1
    (taken,) = found.evidence.parts
    assert [each.status for each in taken.conclusions] == [ClaimStatus.NOT_SHOWN]


def test_a_judge_of_a_part_that_fails_is_named_with_its_check(acme: Acme, tmp_path: Path) -> None:
    acme.rewrite("judging/backlog.py", "    return Finding(", "    1 / 0\n    return Finding(")
    with pytest.raises(PartFailedError, match=f"the check {CHECK} of the part acme: ZeroDivisionError") as raised:
        api.check(small(tmp_path), only=["log.consistency", CHECK], jobs=1)
    assert raised.value.exit_code == 4


# What its attacks do.


def _of(status: Status, *refuted: str) -> Finding:
    return Finding(status, facts=tuple(Fact(name, Provenance.REFUTED, Message("x")) for name in refuted))


@pytest.mark.parametrize(
    ("found", "without", "kept"),
    [
        (Status.PASS, Status.PASS, Status.PASS),
        (Status.PASS, Status.INCONCLUSIVE, Status.INCONCLUSIVE),
        (Status.INCONCLUSIVE, Status.FAIL, Status.FAIL),
        (Status.PASS, Status.FAIL, Status.FAIL),
        (Status.FAIL, Status.PASS, Status.FAIL),
        (Status.INCONCLUSIVE, Status.PASS, Status.INCONCLUSIVE),
    ],
)
def test_an_attack_of_a_part_makes_a_check_worse_and_never_better(found: Status, without: Status, kept: Status) -> None:
    assert foreign.no_better(_of(found), _of(without)).status is kept


def test_what_is_refuted_without_it_stays_refuted_with_it() -> None:
    kept = foreign.no_better(_of(Status.FAIL), _of(Status.FAIL, "unrefuted"))
    assert {each.name for each in kept.facts} == {"unrefuted"}


def test_attacks_of_a_part_alone_let_nothing_pass() -> None:
    assert foreign.no_better(_of(Status.PASS), None).status is Status.INCONCLUSIVE
    assert foreign.no_better(_of(Status.FAIL), None).status is Status.FAIL


def test_observations_are_taken_apart_by_attack() -> None:
    evidence = evidence_files.read(GOLDEN / "digits-newton.json")
    from auditor.verdict.checks import observed_in  # noqa: PLC0415

    seen = observed_in(evidence.check("swap.quality"), evidence.version)
    assert seen is not None
    assert foreign.without_attacks(seen, frozenset()) is seen
    assert foreign.without_attacks(seen, {"acme-margin"}) is seen
    less = foreign.without_attacks(seen, {"loss"})
    assert "loss" in seen.pair_advantages.procedure  # type: ignore[attr-defined]
    assert "loss" not in json.dumps(list(less.pair_advantages.procedure))  # type: ignore[attr-defined]


@pytest.mark.slow
def test_it_installs_into_a_fresh_environment_beside_the_auditor(tmp_path: Path) -> None:
    environment = tmp_path / "venv"
    subprocess.run([sys.executable, "-m", "venv", "--system-site-packages", str(environment)], check=True)
    (site,) = (environment / "lib").glob("python*/site-packages")
    shutil.copytree(PACKAGE / FOLDER, site / FOLDER)
    shutil.copytree(PACKAGE / "acme_auditor-1.2.dist-info", site / "acme_auditor-1.2.dist-info")
    own = {str(Path(auditor.__file__).parent.parent), *(path for path in sys.path if path.endswith("site-packages"))}
    (site / "auditor.pth").write_text("\n".join(sorted(own)) + "\n")
    asked = ["calc", RULE, "--requests", "30", "--rate", "10", "--part", "acme", "--json"]
    done = subprocess.run(
        [str(environment / "bin" / "python"), "-m", "auditor", *asked], capture_output=True, text=True, check=True, cwd=tmp_path
    )
    assert json.loads(done.stdout)["days"] == 3.0


def test_the_package_names_its_entry_point_as_the_installed_one_does() -> None:
    project = tomllib.loads((PACKAGE / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    listed = (PACKAGE / "acme_auditor-1.2.dist-info" / "entry_points.txt").read_text(encoding="utf-8")
    assert listed.split() == ["[auditor.parts]", "acme", "=", project["entry-points"]["auditor.parts"]["acme"]]
    assert tell(evidence_files.read(GOLDEN / "digits-newton.json")).evidence.parts == ()
