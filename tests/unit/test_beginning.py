"""`auditor init --from`: what is found, what is asked back, and that nothing of the user's code runs."""

from __future__ import annotations

import json
import os
import shutil
import sys
import tomllib
from pathlib import Path

import pandas as pd
import pytest

import first_report
from auditor import case as cases
from auditor.base import outputs, process_marks, resources
from auditor.base.errors import InputError, UsageError
from auditor.case.scaffold import code, starting
from auditor.cli import run

HEAD = "from sklearn.linear_model import LogisticRegression, Ridge\nfrom sklearn.pipeline import Pipeline\n"
LOG = '{"request_id": "R", "record_ids": ["ID"], "received_at": "2026-01-03T10:00:00Z", "executed_at": "2026-01-04T10:00:00Z"}\n'
TRAP = "import pathlib\npathlib.Path('ran').write_text('x')\n"


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    return first_report.write(tmp_path)


def script(text: str, name: str = "model.py") -> str:
    Path(name).write_text(text, encoding="utf-8")
    return name


def begun(*words: str, expected: int = 0) -> None:
    assert run(["init", "made", "--data", "people.csv", *words]) == expected


def built(text: str) -> str:
    """The file with `build` that is written for a script."""
    found = code.read(script(text))
    return found.files[found.entry.partition(":")[0]].decode()


def estimator(text: str, name: str = "build", seed: int = 7) -> object:
    names: dict[str, object] = {}
    exec(built(text), names)  # our test's own text
    return names[name](seed)  # type: ignore[operator]


def test_a_function_that_takes_a_seed_is_taken_as_it_is(here: Path) -> None:
    found = code.read(script(HEAD + "def build(seed, depth=3):\n    return LogisticRegression(random_state=seed)\n"))
    assert found.entry == "model.py:build"
    assert list(found.files) == ["model.py"]
    assert found.task == "classification"


def test_a_function_without_a_seed_gets_one_around_it(here: Path) -> None:
    found = code.read(script(HEAD + "def make():\n    return LogisticRegression()\n"))
    assert found.entry == "build.py:build"
    assert b"from model import make" in found.files["build.py"]
    other = code.read(script(HEAD + "def make_it(depth=2, *, random_state):\n    return Ridge()\n"))
    assert b"made(random_state=seed)" in other.files["build.py"]
    assert other.task == "regression"


def test_an_estimator_of_a_script_is_cut_out_of_it(here: Path) -> None:
    text = (
        HEAD
        + "import pandas as pd\nC = 0.5\ntable = pd.read_csv('people.csv')\n"
        + "y = table['churned']\nX = table.drop(columns=['churned'])\n"
        + "steps = [('model', LogisticRegression(C=C))]\npipe = Pipeline(steps).fit(X, y)\nprint(pipe.score(X, y))\n"
    )
    made = estimator(text)
    assert made.get_params()["model__C"] == 0.5  # type: ignore[attr-defined]
    assert made.get_params()["model__random_state"] == 7  # type: ignore[attr-defined]
    assert "read_csv" not in built(text)
    found = code.read("model.py")
    assert (found.labels, found.dropped) == (("churned",), ("churned",))


def test_a_function_of_a_script_that_trains_is_cut_out_of_it(here: Path) -> None:
    text = HEAD + "C = 2\ndef build(seed):\n    return LogisticRegression(C=C, random_state=seed)\nbuild(0).fit(open('x'), 1)\n"
    assert estimator(text).C == 2  # type: ignore[attr-defined]
    assert "open" not in built(text)
    bare = HEAD + "def build():\n    return LogisticRegression()\nbuild().fit(open('x'), 1)\n"
    assert estimator(bare, "seeded_build").random_state == 7  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("x = 1\n", "found nothing that looks like one"),
        (HEAD + "a = Ridge()\nb = LogisticRegression()\n", "found 2: a, b"),
        (HEAD + "def build(seed, depth):\n    return Ridge()\n", "give depth a default"),
        (HEAD + "names = open('x').read()\npipe = Pipeline([(names, Ridge())])\n", r'line 3: .* found names, which "open" reads'),
        (HEAD + "if True:\n    n = 'a'\npipe = Pipeline([(n, Ridge())])\n", "line 3: .* more than one assignment"),
        ("def build(seed:\n", "line 1: expected Python, found '\\(' was never closed"),
        ("\x00", "expected Python"),
        ("(" * 5000, "expected Python"),
    ],
)
def test_what_cannot_be_taken_is_said(here: Path, text: str, said: str) -> None:
    with pytest.raises(InputError, match=said):
        code.read(script(text))


@pytest.mark.parametrize("name", ["model", "model.py:", "model.py:a b", "model.txt:build", "model.py:build:more", ":build"])
def test_what_names_no_python_file_is_refused(here: Path, name: str) -> None:
    with pytest.raises(UsageError, match=r"such as model\.py:build"):
        code.read(name)


def test_nothing_of_the_code_runs(here: Path) -> None:
    """Not at the top of the file, not in what it imports, not in a default, a decorator or an annotation."""
    Path("helper.py").write_text(TRAP, encoding="utf-8")
    trap = "__import__('pathlib').Path('ran').write_text('x')"
    script(
        HEAD
        + TRAP
        + f"import helper\n@(lambda f: ({trap}, f)[1])\ndef build(seed, x: {trap}='1', y={trap}):\n    return Pipeline([])\n"
    )
    begun("--from", "model.py:build", "--log", "tickets.csv", "--timezone", "Europe/Berlin", "--label", "churned")
    assert not Path("ran").exists()
    assert "helper" not in sys.modules
    assert "model" not in sys.modules


def test_links_and_large_files_are_no_code(here: Path) -> None:
    with Path("large.py").open("wb") as file:
        file.truncate(64 * 1024 * 1024)
    with pytest.raises(InputError, match=r"large\.py"):
        code.read("large.py:build")
    os.mkfifo("pipe.py")
    with pytest.raises(InputError, match=r"pipe\.py"):
        code.read("pipe.py:build")


def test_several_things_that_cannot_be_told_are_said_at_once(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    script(HEAD + "def build(seed):\n    return LogisticRegression()\n")
    table = pd.DataFrame(
        {"a": [1, 1, 2, 2] * 30, "b": range(120), "c": [f"x{each}" for each in range(120)], "amount": range(120)}
    )
    table.to_csv("people.csv", index=False)
    begun("--from", "model.py:build", expected=2)
    said = capsys.readouterr().err
    assert (
        "--id: expected a column with a different value in each row: name it with --id, found 3 that may be it: b, c, amount"
        in said
    )
    assert "--label: expected the column that the model predicts: name it with --label, found" in said
    assert not Path("made").exists()
    assert [each for each in Path().iterdir() if each.name.startswith(".made")] == []


def test_tickets_may_name_records_themselves(here: Path) -> None:
    Path("tickets.csv").write_text(
        "key,records,created,resolved,status\nA-1,C10003;C10004,2026-01-03T10:00:00Z,2026-01-05T10:00:00Z,done\n",
        encoding="utf-8",
    )
    begun("--from", "train.py:pipeline", "--log", "tickets.csv")
    case = cases.read(Path("made"))
    (request,) = case.requests
    assert request.record_ids == ("C10003", "C10004")
    assert case.settings.data.person is None
    assert "email" not in [*(case.settings.data.columns or ())]


def test_a_log_is_taken_as_it_is_and_none_is_said(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    row = LOG.replace("ID", "C10001")
    Path("log.jsonl").write_text(row, encoding="utf-8")
    begun("--from", "train.py", "--log", "log.jsonl")
    assert (Path("made") / "deletions.jsonl").read_text(encoding="utf-8") == row
    assert run(["init", "bare", "--data", "people.csv", "--from", "train.py"]) == 0
    assert "write deletions.jsonl (auditor log import), then: auditor validate bare" in capsys.readouterr().err


def test_nothing_is_written_over(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    Path("made").mkdir()
    Path("made", "mine").write_text("x", encoding="utf-8")
    begun("--from", "train.py", expected=2)
    assert "expected a new or empty folder" in capsys.readouterr().err
    assert [each.name for each in Path("made").iterdir()] == ["mine"]


@pytest.mark.parametrize("words", [(), ("--from", "train.py", "--data", "people.csv")], ids=["blank", "from"])
@pytest.mark.parametrize("inside", [True, False])
def test_what_a_killed_init_left_is_no_file_of_anybody(
    words: tuple[str, ...], inside: bool, here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    around = here / "made" if inside else here
    around.mkdir(exist_ok=True)
    command = ["init", "made", *(words or ("--template", "blank"))]
    living = around / f".made.{process_marks.mark()}.tff.partial"
    left = around / f".made.{os.getpid():x}-1.partial"  # of a process that had our number before us
    for each in (living, left):
        (each / "within").mkdir(parents=True)
        (each / "audit.toml").touch()
    if inside:
        assert run(command) == 2
        assert "expected a new or empty folder" in capsys.readouterr().err
        assert [each.name for each in around.iterdir()] == [living.name]
        living.rename(here / "elsewhere")
        left.mkdir()
    assert run(command) == 0
    assert (here / "made" / "audit.toml").is_file()
    assert not left.exists()
    assert inside or living.exists()


def test_the_zone_of_the_tickets_is_the_one_that_deadlines_are_counted_in(here: Path) -> None:
    begun("--from", "train.py", "--log", "tickets.csv", "--timezone", "Europe/Berlin")
    declared = tomllib.loads((here / "made" / "audit.toml").read_text(encoding="utf-8"))
    assert declared["deletions"] == {"log": "deletions.jsonl", "timezone": "Europe/Berlin"}


def test_times_without_a_zone_are_one_problem(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    begun("--from", "train.py", "--log", "tickets.csv", expected=2)
    said = capsys.readouterr().err
    assert said.count("auditor: ") == 1
    assert "--timezone, first in row 2, column Opened: expected" in said
    assert 'found "2026-02-03 10:10", and 17 more times like it' in said


def with_kinds(*kinds: str, name: str = "Type") -> None:
    """Give the tickets a column more."""
    lines = Path("tickets.csv").read_text(encoding="utf-8").splitlines()
    rows = [f"{line},{kinds[number % len(kinds)]}" for number, line in enumerate(lines[1:])]
    Path("tickets.csv").write_text("\n".join([f"{lines[0]},{name}", *rows]), encoding="utf-8")


def test_tickets_that_ask_for_something_else_are_left_out_and_counted(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with_kinds("Recht auf L\u00f6schung", "Auskunft")
    begun("--from", "train.py", "--log", "tickets.csv", "--timezone", "Europe/Berlin")
    assert len(cases.read(Path("made")).requests) == 5
    left = "4 rows left out, as nothing says that they ask for erasure (--erasures names what does): Auskunft."
    assert left in capsys.readouterr().err
    told = json.loads(Path("made/deletions.import.json").read_text(encoding="utf-8"))
    assert (told["requests"], told["left_out"], told["export"]["rows"]) == (5, {"Auskunft": 4}, 9)


def test_tickets_whose_kind_nobody_knows_are_asked_about(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with_kinds("K-15", "K-17", "erasure")
    words = ["--from", "train.py", "--log", "tickets.csv", "--timezone", "Europe/Berlin"]
    begun(*words, expected=2)
    said = capsys.readouterr().err
    assert 'column Type: expected values that are known; name each that asks for erasure with --erasures "Type=VALUE"' in said
    assert 'found "K-15" (3), "K-17" (3); known are "erasure" (3, erasure)' in said
    assert not Path("made").exists()
    begun(*words, "--erasures", "Type=K-17", "--erasures", "Type=erasure")
    assert len(cases.read(Path("made")).requests) == 6


def test_records_that_the_data_do_not_hold_are_no_match_only_if_told(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    Path("tickets.csv").write_text(
        "key,records,created,resolved,status\nA-1,C10003,2026-01-03T10:00:00Z,2026-01-05T10:00:00Z,done\n"
        "A-2,C10004,2026-01-03T10:00:00Z,2026-01-05T10:00:00Z,done\n"
        "A-3,Q-77,2026-01-03T10:00:00Z,2026-01-06T10:00:00Z,not found\n"
        "A-5,C10005,2026-01-03T10:00:00Z,2026-01-05T10:00:00Z,done\n"
        "A-4,Q-78,2026-01-03T10:00:00Z,2026-01-06T10:00:00Z,denied\n",
        encoding="utf-8",
    )
    begun("--from", "train.py", "--log", "tickets.csv", expected=2)
    said = capsys.readouterr().err
    assert "row 6, column records: expected ids that people.csv holds, as it was before the erasures; or --unknown" in said
    begun("--from", "train.py", "--log", "tickets.csv", "--unknown", "no-match")
    *_, last = cases.read(Path("made")).requests
    assert (last.status, last.record_ids, last.executed_at) == ("no_match", ("Q-78",), None)
    assert last.answered_at is not None


def test_a_table_from_after_the_erasures_makes_no_case(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    Path("tickets.csv").write_text(
        "key,records,created,resolved,status\nA-1,C10003,2026-01-03T10:00:00Z,2026-01-05T10:00:00Z,done\n"
        "A-2,C10004,2026-01-03T10:00:00Z,2026-01-05T10:00:00Z,done\nA-3,Q-77,2026-01-03T10:00:00Z,2026-01-06T10:00:00Z,done\n",
        encoding="utf-8",
    )
    begun("--from", "train.py", "--log", "tickets.csv", "--unknown", "no-match", expected=2)
    said = capsys.readouterr().err
    assert "as it was before the erasures: the ticket says that it was carried out" in said
    assert not Path("made").exists()


@pytest.mark.parametrize("column", ["customer", "email"])
def test_a_table_that_lacks_most_who_were_erased_is_said_to_be_the_cause(
    column: str, here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    named = {"customer": [f"C{number}" for number in (90001, 90002, 10004)], "email": [f"gone{n}@mail.example" for n in range(3)]}
    rows = [f"A-{at},{who},2026-01-03T10:00:00Z,2026-01-05T10:00:00Z,done" for at, who in enumerate(named[column])]
    rows.append(f"A-9,{named[column][0]},2026-01-03T10:00:00Z,,Gone fishing")
    Path("tickets.csv").write_text("\n".join([f"key,{column},created,resolved,status", *rows]), encoding="utf-8")
    begun("--from", "train.py", "--log", "tickets.csv", expected=2)
    said = capsys.readouterr().err.splitlines()
    what = "record ids that people.csv has in its column customer_id"
    found = 'found 2 of 3 that it lacks, such as "C90001"'
    if column == "email":
        what, found = "people that people.csv has in its column email", "found 3 of 3 that it lacks"
        assert "gone" not in "".join(said), "a message names no person"
    assert f"column {column}: expected {what}: give the table as it was before the erasures, or " in said[0]
    assert said[0].endswith(found)
    assert 'found "Gone fishing"' in said[1], "and all else that is wrong with the export"
    assert not any("expected a column for it" in line for line in said)


def test_columns_that_only_hold_numbers_or_words_are_not_taken_for_erased_records(
    here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    Path("tickets.csv").write_text("key,floor,created,wing\n1,4,2026-01-03T10:00:00Z,north\n", encoding="utf-8")
    begun("--from", "train.py", "--log", "tickets.csv", expected=2)
    assert "record_ids: expected a column for it: --map COLUMN=record_ids, or --person" in capsys.readouterr().err


def test_a_column_of_laws_is_pointed_out_and_taken_in_any_case(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with_kinds("CCPA", "GDPR", "UK GDPR", "", name="Legal basis")
    words = ["--from", "train.py", "--log", "tickets.csv", "--timezone", "Europe/Berlin"]
    begun(*words)
    law = "“Legal basis” names the law of each request: with --map 'Legal basis=regime' its deadlines count"
    assert law in capsys.readouterr().err
    shutil.rmtree("made")
    begun(*words, "--map", "Legal basis=regime")
    assert "names the law" not in capsys.readouterr().err
    assert [each.regime.value for each in cases.read(Path("made")).requests][:4] == ["ccpa", "eu", "uk", "eu"]


def test_german_tickets_in_semicolons_need_no_map(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    Path("tickets.csv").write_text(
        "\ufeffTicketnummer;E-Mail;Eingegangen am;Erledigt am;Status;Ablehnungsgrund;Ausnahme;Anfrageart\r\n"
        "T-1;person3@mail.example;03.01.2026 10:00;05.01.2026 10:00;erledigt;;;L\u00f6schung\r\n"
        "T-2;person4@mail.example;03.01.2026 10:00;06.01.2026;abgelehnt;Rechtsstreit;DSGVO 17(3)(e);Art. 17 DSGVO\r\n"
        "T-3;person5@mail.example;03.01.2026 10:00;06.01.2026;zur\u00fcckgezogen;;;L\u00f6schung\r\n"
        "T-4;person6@mail.example;03.01.2026 10:00;06.01.2026;erledigt;;;Auskunft\r\n",
        encoding="utf-8",
    )
    begun("--from", "train.py", "--log", "tickets.csv", "--timezone", "Europe/Berlin")
    found = cases.read(Path("made")).requests
    assert [(each.request_id, each.status, each.executed_at is None) for each in found] == [
        ("T-1", "executed", False),
        ("T-2", "denied", True),
        ("T-3", "revoked", True),
    ]
    assert [each.answered_at is not None for each in found] == [False, True, True]
    said = capsys.readouterr().err
    assert "Cells are separated by semicolons." in said
    assert "1 row left out, as nothing says that it asks for erasure (--erasures names what does): Auskunft." in said


@pytest.mark.parametrize(
    "header",
    [
        *("Done", "Done on", "Date closed", "Completion date", "Erledigungsdatum", "Abgeschlossen", "L\u00f6schdatum"),
        *("Abschlussdatum", "Date de cl\u00f4ture", "Afgerond op"),
    ],
)
def test_a_closing_date_is_when_an_erasure_was_carried_out_and_nothing_else(here: Path, header: str) -> None:
    """A request for access is none, whatever its date; a withdrawn one was answered then, by whatever name tickets are closed."""
    withdrawn = (
        ""
        if "L\u00f6sch" in header
        else "T-2;person4@mail.example;03.01.2026 10:00;06.01.2026;zur\u00fcckgezogen;L\u00f6schung\n"
    )
    Path("tickets.csv").write_text(
        f"Ticketnummer;E-Mail;Eingegangen am;{header};Status;Anfrageart\n"
        "T-1;person3@mail.example;03.01.2026 10:00;05.01.2026 10:00;erledigt;L\u00f6schung\n"
        f"{withdrawn}"
        "T-3;person5@mail.example;03.01.2026 10:00;06.01.2026;erledigt;Auskunft\n"
        "T-4;person6@mail.example;03.01.2026 10:00;;offen;L\u00f6schung\n",
        encoding="utf-8",
    )
    begun("--from", "train.py", "--log", "tickets.csv", "--timezone", "Europe/Berlin")
    found = {each.request_id: each for each in cases.read(Path("made")).requests}
    assert found.keys() == {"T-1", *(("T-2",) if withdrawn else ()), "T-4"}
    assert (found["T-1"].status, found["T-1"].executed_at is None) == ("executed", False)
    assert (found["T-4"].status, found["T-4"].executed_at) == ("open", None)
    if withdrawn:
        assert (found["T-2"].status, found["T-2"].executed_at, found["T-2"].answered_at is None) == ("revoked", None, False)


def test_a_column_of_yes_and_no_is_no_time_where_another_holds_the_times(here: Path) -> None:
    Path("tickets.csv").write_text(
        "Ticket;E-Mail;Received;Closed;Closing date\nT-1;person3@mail.example;2026-01-03T10:00:00Z;yes;2026-01-05T10:00:00Z\n",
        encoding="utf-8",
    )
    begun("--from", "train.py", "--log", "tickets.csv")
    (found,) = cases.read(Path("made")).requests
    assert found.executed_at is not None


def test_the_day_of_an_erasure_that_was_withdrawn_is_asked_about(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    Path("tickets.csv").write_text(
        "Ticket;E-Mail;Received;Erased on;State\nT-1;person3@mail.example;2026-01-03T10:00:00Z;2026-01-05T10:00:00Z;withdrawn\n",
        encoding="utf-8",
    )
    begun("--from", "train.py", "--log", "tickets.csv", expected=2)
    assert "expected no time at which a request was carried out that is revoked" in capsys.readouterr().err


def test_columns_with_odd_names_and_cells_are_written_as_they_are(here: Path) -> None:
    table = pd.DataFrame({"id": [f"r{n}" for n in range(60)], 'a "b" \\ ü': ["=1+1", "-2"] * 30, "label": [0, 1] * 30})
    table.to_csv("people.csv", index=False)
    script(HEAD + "def build(seed):\n    return Pipeline([])\n")
    begun("--from", "model.py", "--label", 'a "b" \\ ü')
    assert tomllib.loads(Path("made/audit.toml").read_text(encoding="utf-8"))["data"]["label"] == 'a "b" \\ ü'


def test_parquet_and_a_regression(here: Path) -> None:
    frame = pd.DataFrame({"key": range(90), "size": [n % 7 for n in range(90)], "price": [n * 1.5 for n in range(90)]})
    frame.to_parquet("people.parquet")
    script(HEAD + "from pandas import DataFrame\ndef build(seed):\n    return Ridge()\n")
    log = (
        '{"request_id": "R", "record_ids": ["3"], "received_at": "2026-01-03T10:00:00Z", "executed_at": "2026-01-04T10:00:00Z"}\n'
    )
    Path("log.jsonl").write_text(log, encoding="utf-8")
    words = ["init", "made", "--data", "people.parquet", "--from", "model.py", "--log", "log.jsonl", "--label", "price"]
    assert run(words) == 0
    case = cases.read(Path("made"))
    assert (case.settings.data.task, case.settings.data.id) == ("regression", "key")


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--label", "x"], "--label: expected --from"),
        (["--from", "train.py"], "expected --data TABLE"),
        (["--from", "train.py", "--template", "blank"], "found both"),
        (["--timezone", "Europe/Berlin"], "expected --from"),
        (["--from", "train.py", "--data", "people.csv", "--map", "a=b"], "--map: expected --log FILE"),
        (
            ["--from", "train.py", "--data", "people.csv", "--timezone", "Europe/Berlin"],
            "auditor: --timezone: expected --log",
        ),
        (
            ["--from", "train.py", "--data", "people.csv", "--log-from", "csv", "--state", "a=b", "--person", "a=b"],
            "auditor: --person, --state, --log-from: expected --log FILE",
        ),
        (["--from", "train.py", "--data", "people.csv", "--task", "guess"], "--task: expected classification or regression"),
        (["--from", "train.py", "--data", "people.csv", "--id", "emial"], "did you mean email?"),
        (
            ["--from", "train.py", "--data", "people.csv", "--log", "tickets.csv", "--log-from", "xml"],
            "--log-from: expected one of",
        ),
        (["--from", "train.py", "--data", "no.csv"], "no.csv"),
        (["--from", "train.py", "--data", "train.py"], "expected a table ending in .csv, .parquet or .npz"),
    ],
)
def test_options_that_do_not_fit_are_refused(here: Path, capsys: pytest.CaptureFixture[str], words: list[str], said: str) -> None:
    assert run(["init", "made", *words]) == 2
    assert said in capsys.readouterr().err


def test_all_that_is_wrong_with_columns_tickets_and_statements_is_said_at_once(
    here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    people = pd.read_csv("people.csv", dtype=str)
    people.rename(columns={"customer_id": "customer"}).to_csv("people.csv", index=False)
    text = Path("train.py").read_text(encoding="utf-8").replace("customer_id", "customer")
    Path("train.py").write_text(
        text.replace("X = people", "people = people.drop_duplicates(subset='customer')\nX = people"), encoding="utf-8"
    )
    Path("tickets.csv").write_text(
        "key,mail,created,resolved,status\nA-1,person3@mail.example,2026-01-03T10:00:00Z,2026-01-05T10:00:00Z,denied\n"
        "A-2,person4@mail.example,2026-01-03T10:00:00Z,2026-01-05T10:00:00Z,done\n",
        encoding="utf-8",
    )
    begun("--from", "train.py", "--log", "tickets.csv", expected=2)
    said = capsys.readouterr().err
    assert "people.csv: --id: expected a column with a different value in each row" in said
    assert "columns reason, exception: expected why each was refused" in said
    assert "people = people.drop_duplicates(subset='customer'): chooses rows by their position" in said
    assert not Path("made").exists()


def test_ids_that_are_addresses_are_taken_with_a_warning_that_comes_once(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    address = pd.read_csv("people.csv")["email"][0]
    Path("log.jsonl").write_text(LOG.replace('"ID"', f'"{address}"'), encoding="utf-8")
    begun("--from", "train.py", "--id", "email", "--log", "log.jsonl")
    said = capsys.readouterr().err
    assert said.count("Ids of records (email) look like e-mail addresses, and deletions.jsonl names people by them") == 1
    assert "--id COLUMN" in said
    assert address in Path("made/deletions.jsonl").read_text(encoding="utf-8")
    assert run(["init", "other", "--data", "people.csv", "--from", "train.py", "--id", "customer_id"]) == 0
    assert "e-mail addresses" not in capsys.readouterr().err


def test_ids_that_do_not_differ_are_refused_as_such(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    begun("--from", "train.py", "--id", "city", expected=2)
    assert "people.csv: --id: expected a column with a different value in each row, found city, with " in capsys.readouterr().err


PEOPLE = "key,Mail,created,resolved,status\n" + "".join(
    f"A-{at},person{at}@mail.example,2026-01-03T10:00:00Z,2026-01-05T10:00:00Z,done\n" for at in range(3)
)


def test_a_column_of_people_that_is_named_is_looked_up_in_the_data(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    Path("tickets.csv").write_text(PEOPLE, encoding="utf-8")
    begun("--from", "train.py", "--log", "tickets.csv", "--person", "Mail=name", expected=2)
    assert "people.csv: --person: expected one of customer_id, " in capsys.readouterr().err
    begun("--from", "train.py", "--log", "tickets.csv", "--person", "Mail=customer_id")
    assert [each.record_ids for each in cases.read(Path("made")).requests] == [("C10000",), ("C10001",), ("C10002",)]


def test_a_pickled_model_file_is_refused_with_what_to_do(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    Path("model.joblib").write_bytes(b"x")
    begun("--from", "train.py", "--model", "model.joblib", expected=2)
    assert "--from model.joblib, without --model, writes model.skops" in capsys.readouterr().err
    begun("--from", ".", expected=2)
    assert (
        "--from: expected a script such as train.py, or a pipeline such as model.joblib, found the folder ."
        in capsys.readouterr().err
    )


def test_a_copy_of_a_sample_has_nothing_that_an_audit_left_beside_it(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    samples = here / "samples"
    shutil.copytree(resources.sample_models() / "digits-newton", samples / "digits-newton")
    monkeypatch.setattr(starting, "sample_models", lambda: samples)
    (samples / "digits-newton" / outputs.FILE).write_text("{}\n")
    (samples / "digits-newton" / "audit").mkdir(exist_ok=True)
    (samples / "digits-newton" / "audit" / "report.pdf").touch()
    made = starting.start(here / "case", "digits-newton")
    assert {each.name for each in made} == {
        "README.md", "audit.toml", "deletions.jsonl", "holdout.npz", "model.safetensors", "store.npz", "train.npz"
    }  # fmt: skip


def test_an_empty_export_is_one_problem(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (here / "empty.csv").touch()
    text = (
        "import pandas as pd\nfrom sklearn.linear_model import LogisticRegression\ndata = pd.read_csv('rows.csv')\n"
        "LogisticRegression().fit(data.drop(columns=['id', 'label']), data['label'])\n"
    )
    (here / "train.py").write_text(text, encoding="utf-8")
    (here / "rows.csv").write_text("id,age,label\n1,2.5,a\n2,2.5,b\n", encoding="utf-8")
    given = ["--from", "train.py", "--data", "rows.csv", "--id", "id", "--log", "empty.csv"]
    assert run(["init", "case", *given]) == 2
    assert capsys.readouterr().err == "auditor: empty.csv: expected a header and rows, found an empty file\n"
