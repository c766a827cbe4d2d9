"""Every other command, as a person and as a script use it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tomllib
from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest
from mpmath import mp
from pypdf import PdfReader

from auditor.audit.doctor import Part
from auditor.case.scaffold import asked
from auditor.cli import results, run
from auditor.document import evidence_files
from auditor.maths.certificates import rules
from auditor.maths.certificates.calculator import options_of
from auditor.pages import attachments
from auditor.pages.words import attestations
from auditor.settings.tables import Claims
from cases import SAMPLES, copy_of, rewrite_log, sample
from sample_cases import GOLDEN

DOCS = Path(__file__).resolve().parent.parent.parent / "docs"
COMMANDS = [
    "canonical",
    "certificate",
    "check",
    "clean",
    "explain",
    "log import",
    "log check",
    "log amend",
    "log append",
    "log replay",
    "calc",
    "diff",
    "doctor",
    "history",
    "init",
    "mlflow",
    "plan",
    "purge",
    "replay",
    "reply",
    "report",
    "schema",
    "validate",
]


@pytest.fixture(scope="module")
def evidence(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("audit") / "evidence.json"
    path.write_bytes(sample("digits-newton").to_bytes())
    return path


def test_the_page_of_commands_shows_the_help_as_it_is() -> None:
    environment = {"PATH": "/usr/bin:/bin", "COLUMNS": "100", "NO_COLOR": "1"}
    shown = subprocess.run(
        [sys.executable, "-m", "auditor", "--help"], capture_output=True, text=True, check=True, env=environment
    )
    assert shown.stdout.strip() in (DOCS / "commands.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_has_help_with_an_example(command: str, capfd: pytest.CaptureFixture[str]) -> None:
    assert run([*command.split(), "--help"]) == 0
    assert f"Example: auditor {command}" in capfd.readouterr().out


def test_no_command_prints_help(capfd: pytest.CaptureFixture[str]) -> None:
    assert run([]) == 2
    assert "check" in "".join(capfd.readouterr())


def test_unknown_command_is_bad_usage(capfd: pytest.CaptureFixture[str]) -> None:
    assert run(["chek"]) == 2
    assert "chek" in capfd.readouterr().err


def test_validate(capfd: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    assert run(["validate", str(SAMPLES / "digits-newton"), "--no-run"]) == 0
    assert capfd.readouterr().out.rstrip().endswith("the log is free of contradictions. Nothing was run.")
    case = copy_of("digits-newton", tmp_path)
    rewrite_log(case, lambda rows: rows[-1].pop("status"))
    assert run(["validate", str(case), "--no-run", "--json"]) == 0
    found = json.loads(capfd.readouterr().out)["findings"]
    assert [item["code"] for item in found] == ["NOT_LOCATED"]
    assert run(["validate", str(case), "--no-run", "--quiet"]) == 0
    said = "Readable, but an audit of digits-newton would fail: one finding in the log fails log.consistency. Nothing was run.\n"
    assert capfd.readouterr().out == said


def test_validate_says_what_a_program_is_asked(capfd: pytest.CaptureFixture[str]) -> None:
    assert run(["validate", str(SAMPLES / "dictionary-controller")]) == 0
    said = " ".join(capfd.readouterr().out.split())
    assert "a program that stores data, dictionary; it is asked to set, get, delete." in said
    assert "log" not in said
    assert "record" not in said


@pytest.mark.parametrize(
    ("record", "ending"),
    [
        ("d\u0456git-0001", "would fail: one finding in the log fails log.consistency."),
        ("digitt-0001", "would stay inconclusive: one finding in the log leaves log.consistency open."),
        ("digit-9998", "the log is free of contradictions."),
    ],
)
def test_validate_says_what_look_alike_ids_would_come_to(
    record: str, ending: str, capfd: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    case = copy_of("digits-newton", tmp_path)
    rewrite_log(case, lambda rows: rows[-1].update(record_ids=[record], status="no_match"))
    assert run(["validate", str(case), "--no-run"]) == 0
    assert ending in capfd.readouterr().out


@pytest.mark.parametrize(("exception", "told"), [("n/a", True), ("GDPR Article 17(3)(e)", False)])
def test_validate_names_refusals_that_rest_on_nothing(
    exception: str, *, told: bool, capfd: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    case, refused = copy_of("digits-newton", tmp_path), {"status": "denied", "reason": "claims are open", "exception": exception}
    rewrite_log(case, lambda rows: (rows[-1].pop("executed_at", None), rows[-1].update(refused)))
    assert run(["validate", str(case), "--no-run"]) == 0
    assert ("1 refused request(s) without a reason" in capfd.readouterr().out) is told


@pytest.mark.parametrize(
    ("form", "start"),
    [
        ("pdf", b"%PDF-"),
        ("html", b"<!"),
        ("json", b"{"),
        ("junit", b"<?xml"),
        ("sarif", b"{"),
        ("md", b"##"),
        ("cyclonedx", b"{"),
        ("oscal", b"{"),
    ],
)
def test_report_renders_again(form: str, start: bytes, evidence: Path, tmp_path: Path) -> None:
    target = tmp_path / "again"
    assert run(["report", str(evidence), "--format", form, "-o", str(target)]) == 0
    assert target.read_bytes().lower().startswith(start.lower())


def test_report_for_an_officer_is_the_main_part_alone(evidence: Path, tmp_path: Path) -> None:
    target = tmp_path / "main.html"
    assert run(["report", str(evidence), "--for", "officer", "--format", "html", "-o", str(target)]) == 0
    officer = target.read_text(encoding="utf-8")
    assert "<title>Unlearning audit, main part: " in officer
    assert '<details class="annex">' not in officer
    printed = tmp_path / "main.pdf"
    assert run(["report", str(evidence), "--for", "officer", "-o", str(printed)]) == 0
    assert run(["verify", str(printed), "--quiet"]) == 0
    assert len(PdfReader(printed).pages) <= 8


def test_report_for_a_pipeline_is_markdown(evidence: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert run(["report", str(evidence), "--for", "ci", "-o", "-"]) == 0
    assert capfd.readouterr().out.startswith("## Unlearning audit: ")


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--for", "subject"], "auditor certificate"),
        (["--for", "officer", "--format", "junit"], "expected --format pdf or html"),
        (["--for", "ci", "--format", "pdf"], "expected --format md or junit or sarif or json or cyclonedx or oscal"),
        (["--lang", "de"], "German texts are not there yet"),
        (["--lang", "tlh"], "expected en"),
    ],
)
def test_report_refuses_before_anything_is_written(
    options: list[str], said: str, evidence: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    before = sorted(evidence.parent.iterdir())
    assert run(["report", str(evidence), *options]) == 2
    err = capfd.readouterr().err
    assert said in err
    assert len(err.splitlines()) == 1
    assert sorted(evidence.parent.iterdir()) == before


def test_report_writes_its_long_tables_and_nothing_else(
    evidence: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "made" / "tables"
    assert run(["report", str(evidence), "--tables", str(folder), "--json"]) == 0
    written = json.loads(capfd.readouterr().out)["written"]
    assert sorted(written) == sorted(str(each) for each in folder.iterdir())
    assert {each.name: each.read_bytes() for each in folder.iterdir()} == attachments.of(evidence_files.read(evidence))
    assert {"requests.csv", "certificates.json"} <= {each.name for each in folder.iterdir()}
    assert [each.name for each in evidence.parent.iterdir()] == ["evidence.json"]


def test_report_as_json_is_the_evidence_to_the_byte(evidence: Path, capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    assert run(["report", str(evidence), "--format", "json", "-o", "-"]) == 0
    assert capfdbinary.readouterr().out == evidence.read_bytes()


def test_report_takes_the_folder_of_an_audit_as_other_commands_do(
    evidence: Path, tmp_path: Path, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    assert run(["report", str(evidence.parent), "--format", "json", "-o", "-"]) == 0
    assert capfdbinary.readouterr().out == evidence.read_bytes()
    assert run(["report", str(tmp_path / "nowhere.json")]) == 2
    assert capfdbinary.readouterr().err.endswith(b": expected an evidence file, found no such file\n")


def test_a_wrong_word_for_an_option_names_no_error_of_python(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert run(["init", str(tmp_path / "case"), "--unknown", "nomatch"]) == 2
    said = capfd.readouterr().err
    assert "'nomatch' is not one of 'refuse', 'no-match'" in said
    assert "Value error" not in said


def test_report_of_something_else_is_bad_input(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    other = tmp_path / "other.json"
    other.write_text('{"schema": "auditor.evidence/1"}', encoding="utf-8")
    assert run(["report", str(other)]) == 2
    assert "auditor.evidence/2" in capfd.readouterr().err
    assert run(["report", str(tmp_path / "none.json")]) == 2


def test_doctor_finds_what_the_suite_itself_needs(capfd: pytest.CaptureFixture[str]) -> None:
    assert run(["doctor", "--json"]) == 0
    document = json.loads(capfd.readouterr().out)
    assert document["ok"]
    assert {part["name"] for part in document["parts"] if part["needed"]} >= {"Python", "sandbox", "PDF layout"}


def test_schema_is_json_schema_and_the_published_one(capfd: pytest.CaptureFixture[str]) -> None:
    assert run(["schema"]) == 0
    printed = capfd.readouterr().out
    assert json.loads(printed)["properties"]["schema"]["const"] == "auditor.evidence/2"
    assert printed == (DOCS / "evidence.schema.json").read_text(encoding="utf-8")


def test_init_blank_draws_a_secret_and_validates_once_filled_in(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    first, second = tmp_path / "first", tmp_path / "second"
    assert run(["init", str(first)]) == 0
    assert run(["init", str(second), "--quiet"]) == 0
    seeds = [
        (folder / "audit.toml").read_text(encoding="utf-8").partition('seed = "')[2].partition('"')[0]
        for folder in (first, second)
    ]
    assert seeds[0] != seeds[1]
    assert all(int(seed).bit_length() == 128 for seed in seeds)
    assert (first / "audit.toml").stat().st_mode & 0o077 == 0
    capfd.readouterr()
    assert run(["validate", str(first)]) == 2, "train.csv and the model are still missing"
    err = capfd.readouterr().err
    assert "train.csv" in err
    assert "model.safetensors" in err
    assert "audit.toml: [" not in err


def test_init_asks_what_can_be_attested_and_attests_nothing(tmp_path: Path) -> None:
    assert run(["init", str(tmp_path / "new"), "--quiet"]) == 0
    text = (tmp_path / "new" / "audit.toml").read_text(encoding="utf-8")
    assert tomllib.loads(text)["claims"]["attested"] == []
    lines = " ".join(line.strip().lstrip("#").strip() for line in text.splitlines())
    names = asked("certified-removal", model=True)
    for name, word in attestations.WORDS.items():
        assert (f'    # "{name}",\n' in text) == (name in names)
        assert (word.means in lines) == (name in names)
        assert (word.otherwise[1:] in lines) == (name in names)
    (others,) = [line for line in text.splitlines() if "Only other kinds of case" in line]
    assert set(others.rpartition(": ")[2].split(", ")) == attestations.WORDS.keys() - set(names)
    anchor = "## What only the controller can know\n"
    assert anchor in (DOCS / "cases.md").read_text(encoding="utf-8")
    assert "docs/cases.md#what-only-the-controller-can-know" in others
    # Whoever uncomments a line and both keys has a sound table.
    for line in ('    # "seed-secret",', "# attested_by", "# attested_at"):
        text = text.replace(line, line.replace("# ", ""))
    claims = Claims.model_validate(tomllib.loads(text)["claims"])
    assert (claims.attested, claims.attested_at) == (("seed-secret",), date(2026, 1, 31))


@pytest.mark.parametrize("path", sorted(GOLDEN.glob("*.json")), ids=lambda path: path.stem)
def test_a_new_case_is_asked_about_everything_that_audits_of_its_kind_rest_on(path: Path) -> None:
    evidence = evidence_files.read(path)
    use = evidence.procedure.use
    if use not in {"certified-removal", "estimator"} or path.stem in {"digits-dp-extractor", "digits-newton-noised"}:
        return  # of another kind than `init` writes: with an extractor, with noise at release
    names = asked(use, model=evidence.case.model is not None)
    resting = {each.name for each in evidence.premises if each.standing in {"said", "unsaid"}}
    assert resting & attestations.WORDS.keys() <= {*names, "release-reproduced"}
    assert "release-reproduced" in names or evidence.case.model is not None


def test_init_copies_a_sample_that_can_be_audited(tmp_path: Path) -> None:
    folder = tmp_path / "mine"
    assert run(["init", str(folder), "--template", "digits-newton", "--quiet"]) == 0
    assert run(["validate", str(folder), "--no-run", "--quiet"]) == 0
    assert not (folder / "sample.toml").exists(), "what the sample must come to is not what another case must"


def test_init_touches_no_folder_with_files_in_it(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "precious").write_text("x", encoding="utf-8")
    assert run(["init", str(tmp_path)]) == 2
    assert run(["init", str(tmp_path / "new"), "--template", "nonsense"]) == 2
    assert "digits-newton     " in (listed := capfd.readouterr().err)
    assert "Newton removal stays within its budget." in listed


def test_calc_prints_the_contract_s_keys(capfd: pytest.CaptureFixture[str]) -> None:
    assert run(["calc", "gaussian", "--epsilon", "1", "--delta=1e-4", "--json"]) == 0
    answer = json.loads(capfd.readouterr().out)
    assert answer["mu"] == pytest.approx(0.313902458312, rel=1e-11)
    assert answer["classical_mu"] == pytest.approx(0.228, rel=1e-2)
    assert run(["calc", "removal-budget", "--epsilon", "1", "--delta", "1e-4", "--sigma", "2", "--beta", "0.6", "--json"]) == 0
    answer = json.loads(capfd.readouterr().out)
    assert answer["budget"] == pytest.approx(2 * 0.313902458312, rel=1e-11)
    assert answer["epsilon_spent"] == pytest.approx(0.950072605134, rel=1e-11)
    assert run(["calc", "group", "--epsilon", "1", "--delta", "1e-6", "--size", "3", "--json"]) == 0
    assert json.loads(capfd.readouterr().out)["delta"] == pytest.approx(1.11073379274e-5, rel=1e-10)


@pytest.mark.parametrize(
    ("line", "printed"),
    [
        ("dp-sgd --noise-multiplier 1 --sample-rate 0.02 --steps 1000 --delta 1e-5", {"epsilon": 3.8992, "right_guesses": 65.6}),
        ("tradeoff --noise-multiplier 2 --sample-rate 0.0711111111 --steps 300", {"right_guesses": 62.7}),
        ("removal-budget --epsilon 1 --delta 1e-4 --sigma 3", {"right_guesses": 56.3}),
        ("removal-budget-laplace --epsilon 1 --sigma 0.5 --beta 0.2", {"right_guesses": 59.9}),
        ("output-noise --l2 0.01 --rows 500 --release-noise 0.05 --delta 1e-4 --epsilon 1", {"right_guesses": 56.3}),
        (
            "tree-counter --epsilon 1 --delta 1e-6 --horizon 100 --size 3",
            {"right_guesses": 54.8, "right_guesses_together": 63.9},
        ),
        ("square-root-counter --epsilon 1 --delta 1e-6 --horizon 100", {"right_guesses": 54.8}),
        ("group --epsilon 1 --delta 1e-6 --size 3", {"epsilon": 3, "right_guesses": 95.3}),
        ("gaussian --epsilon 1 --delta 1e-4 --size 1", {"right_guesses": 56.3, "right_guesses_together": 56.3}),
        ("gaussian --epsilon 1 --delta 1", {"mu": None, "right_guesses": 100}),
    ],
)
def test_calc_prints_right_guesses_of_100_read_off_what_the_rule_promises(
    line: str, printed: dict[str, float | None], capfd: pytest.CaptureFixture[str]
) -> None:
    assert run(["calc", *line.split(), "--json"]) == 0
    answer = json.loads(capfd.readouterr().out)
    assert {name: answer[name] for name in printed} == printed
    assert ("right_guesses_together" in answer) == ("--size" in line and not line.startswith("group"))


@pytest.mark.parametrize("size", ["0", "1.5", "x", ""])
def test_calc_wants_a_whole_number_of_records_together(size: str, capfd: pytest.CaptureFixture[str]) -> None:
    assert run(["calc", "gaussian", "--epsilon", "1", "--mu", "1", f"--size={size}"]) == 2
    assert "--size: expected a whole number from 1 on" in capfd.readouterr().err


def test_calc_multiplies_no_promise_whose_bound_covers_the_batch(capfd: pytest.CaptureFixture[str]) -> None:
    assert run(["calc", "removal-budget", "--epsilon", "1", "--delta", "1e-4", "--sigma", "1", "--size", "3"]) == 2
    assert "no option --size" in capfd.readouterr().err


def test_calc_loads_no_accountant_for_what_needs_none() -> None:
    lines = [
        "gaussian --epsilon 1 --mu 1",
        "tradeoff --mu 1 --at-delta 1e-5",
        "removal-budget --epsilon 1 --delta 1e-4 --sigma 1",
    ]
    code = (
        "import sys; from auditor.__main__ import main; sys.argv = ['auditor', 'calc', *sys.argv[1:]]\n"
        "try: main()\nexcept SystemExit as end: assert not end.code\n"
        "sys.exit('dp_accounting' in sys.modules)"
    )
    for line in lines:
        ran = subprocess.run([sys.executable, "-c", code, *line.split()], check=False, capture_output=True)
        assert ran.returncode == 0, ran.stderr


@pytest.mark.parametrize(
    "arguments",
    [
        ["gausian", "--epsilon", "1"],
        ["gaussian"],
        ["gaussian", "--epsilon", "one", "--mu", "1"],
        ["gaussian", "--epsilon"],
        ["gaussian", "epsilon", "1"],
        ["gaussian", "--epsilon", "1", "--epsilon", "2"],
        ["gaussian", "--epsilon", "1", "--mu", "1", "--sigma", "1"],
        ["removal-budget", "--epsilon", "1", "--delta", "2", "--sigma", "1"],
        ["removal-budget", "--epsilon", "1", "--delta", "1e-4", "--sigma", "0"],
        [],
    ],
)
def test_calc_says_which_premise_or_option_is_wrong(arguments: list[str], capfd: pytest.CaptureFixture[str]) -> None:
    assert run(["calc", *arguments]) == 2
    assert capfd.readouterr().err.startswith("auditor: ")


def test_calc_says_once_which_premise_fails(capfd: pytest.CaptureFixture[str]) -> None:
    line = ["calc", "removal-budget", "--epsilon", "-1", "--delta", "1e-4", "--sigma", "1"]
    assert run(line) == 2
    said = capfd.readouterr()
    assert (said.out + said.err).count("epsilon >= 0") == 1
    assert "reason" not in said.out
    assert run([*line, "--json"]) == 2
    assert "epsilon >= 0" in json.loads(capfd.readouterr().out)["reason"], "a program reads one object"


def test_calc_prints_no_output_that_has_no_value_before_a_premise_that_fails(capfd: pytest.CaptureFixture[str]) -> None:
    for quiet in ([], ["--quiet"]):
        assert run(["calc", "removal-budget", "--epsilon", "-1", "--delta", "1e-4", "--sigma", "1", *quiet]) == 2
        assert capfd.readouterr().out == ""
    assert run(["calc", "advantage", "--q", "0.5", "--epsilon", "1"]) == 2
    assert "None" not in capfd.readouterr().out


@pytest.mark.parametrize("epsilon", ["1e-12", "1e-11", "1e-9", "1e-3", "0.2", "2.1972", "7"])
def test_calc_tradeoff_rounds_right_guesses_up(epsilon: str, capfd: pytest.CaptureFixture[str]) -> None:
    assert run(["calc", "tradeoff", "--epsilon", epsilon, "--json"]) == 0
    printed = json.loads(capfd.readouterr().out)["right_guesses"]
    with mp.workdps(40):
        exact = 100 / (1 + mp.exp(-mp.mpf(epsilon)))
        assert exact <= printed <= exact + mp.mpf("0.1")


def test_the_help_shows_four_groups_with_init_and_check_first_and_where_to_start(capfd: pytest.CaptureFixture[str]) -> None:
    assert run(["--help"]) == 0
    said = capfd.readouterr().out
    assert "Start here: auditor init my-case, then auditor check my-case." in said
    lines = said[said.index("\nAudit:") :].splitlines()
    assert [line.removesuffix(":") for line in lines if line.endswith(":")] == ["Audit", "Results", "Before an audit", "Tools"]
    listed = [line.split()[0] for line in lines if line.startswith("  ")]
    assert listed[:2] == ["init", "check"]
    assert len(listed) == len(set(listed))
    assert {each.partition(" ")[0] for each in COMMANDS} <= set(listed)
    assert all(len(line) <= 80 for line in lines)
    assert not any(line.endswith("...") for line in lines), "every command is said whole"


def test_doctor_begins_with_one_line_and_ends_with_what_brings_what_is_missing(
    capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    parts = (
        Part("Python", "3.11", ok=True, needed=True),
        Part(
            "extra ray",
            "not installed: ray",
            ok=False,
            needed=False,
            remedy="for Ray: pip install ray",
            command="pip install ray",
        ),
    )
    monkeypatch.setattr("auditor.audit.doctor.examine", lambda: parts)
    monkeypatch.setenv("COLUMNS", "80")
    assert run(["doctor"]) == 0
    assert capfd.readouterr().out.splitlines() == [
        "Ready: this machine can audit. Missing, and needed by some audits only: 1.",
        "ok    Python     3.11",
        "none  extra ray  not installed: ray",
        "What is missing, and what brings it:",
        "  extra ray: for Ray",
        "    pip install ray",
    ]
    monkeypatch.setattr("auditor.audit.doctor.examine", lambda: (replace(parts[0], ok=False, remedy="install it"), parts[1]))
    assert run(["doctor", "--quiet"]) == 4
    assert capfd.readouterr().out.splitlines() == [
        "Not ready: 1 needed part(s) missing.",
        "What is missing, and what brings it:",
        "  Python: install it",
    ]


def test_a_report_replaces_no_pipe_and_makes_no_folder(evidence: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    os.mkfifo(tmp_path / "pipe")
    assert run(["report", str(evidence), "--format", "md", "-o", str(tmp_path / "pipe")]) == 2
    assert "expected a file to write, found a pipe" in capfd.readouterr().err
    assert (tmp_path / "pipe").is_fifo()
    assert run(["report", str(evidence), "--format", "md", "-o", str(tmp_path / "none" / "report.md")]) == 2
    assert "there is no folder" in capfd.readouterr().err
    assert [each.name for each in tmp_path.iterdir()] == ["pipe"]


@pytest.mark.parametrize("flag", ["--help", "-h"])
def test_calc_with_a_rule_lists_its_inputs(flag: str, capfd: pytest.CaptureFixture[str]) -> None:
    assert run(["calc", "dp-sgd", flag]) == 0
    said = capfd.readouterr().out
    for words in ("--sample-rate NUMBER", "--steps COUNT", "Required. The probability with which a step", "--size COUNT"):
        assert words in said
    assert rules()["dp-sgd"].example in said
    assert run(["calc", flag]) == 0
    assert "Name of a formula; see --list" in capfd.readouterr().out
    assert run(["calc", "gausian", flag]) == 2
    assert "did you mean gaussian?" in capfd.readouterr().err


def test_every_input_of_every_rule_says_what_it_is() -> None:
    for kind, rule in rules().items():
        found = options_of(kind)
        assert all(each.meaning and "\n" not in each.meaning for each in found), kind
        assert {f"--{name.replace('_', '-')}" for name in rule.inputs.model_fields} <= {each.name for each in found}


def test_calc_knows_the_number_of_records_together_among_its_options(capfd: pytest.CaptureFixture[str]) -> None:
    assert run(["calc", "dp-sgd", "--siz", "3"]) == 2
    said = capfd.readouterr().err
    assert "did you mean --size?" in said
    assert "--delta, --size" in said
    assert run(["calc", "removal-budget", "--siz", "3"]) == 2
    assert "--size" not in capfd.readouterr().err


def test_calc_lists_its_rules(capfd: pytest.CaptureFixture[str]) -> None:
    assert run(["calc", "--list"]) == 0
    out = capfd.readouterr().out
    assert all(rule in out for rule in ("gaussian", "removal-budget", "removal-residual", "group"))


def test_an_error_of_the_auditor_itself_gives_4_and_no_traceback(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    def broken(*_: object, **__: object) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr(results, "print_json", broken)
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setattr("tempfile.tempdir", None)
    assert run(["schema"]) == 4
    err = capfd.readouterr().err
    assert "Traceback" not in err
    log = next(tmp_path.glob("auditor-crash-*.log"))
    assert log.name in err
    assert "ZeroDivisionError" in log.read_text(encoding="utf-8")


def test_version_and_module() -> None:
    shown = subprocess.run([sys.executable, "-m", "auditor", "--version"], capture_output=True, text=True, check=True)
    assert shown.stdout.startswith("auditor 0.")
