"""Every benchmark runs at a tiny size, their page is written from what was measured, and one that fails stops no other.

No test holds a time: `make bench` measures them.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
import time
from datetime import date
from importlib import import_module
from inspect import isgeneratorfunction
from pathlib import Path
from typing import Any

import pytest

from auditor import case as cases
from benchmarks import __main__ as command
from benchmarks import growth_drawing, one, page
from benchmarks.accounted import account
from benchmarks.measuring import Figure, MissedError, ratios
from benchmarks.rows import BENCHMARKS, GROUPS, ROWS, Row

ROOT = Path(__file__).resolve().parents[2]
SHARED = {
    *("__init__", "__main__", "accounted", "growth_drawing", "in_process", "machine", "measuring", "one", "page", "recorded"),
    "rows",
}
"""Modules that are no benchmarks."""
OF_POWER = {"derived_rows", "estimates", "near_copies"}
"""What draws tables and counts, or times whole audits, for the docs; each writes its own page."""
OF_COMMANDS = {
    "commands",
    "kill_and_resume",
    "large_log",
    "large_store",
    "large_table",
    "letter",
    "mixed_table",
    "retrainer",
    "swap",
    "verify",
}
SLOW = {*OF_COMMANDS, "cluster_kills", "networks"}
"""Those that take more than five seconds even so; `test_every_benchmark_has_its_parts` and `test_a_case_can_be_read` are fast."""
LARGE_ONLY = {
    *("planning.ten-classes", "planning.data-deletion", "verify.report", "retrainer.two-batches", "retrainer.three-batches"),
    *(key for key in ROWS if key.startswith(("large_table.million-", "large_store.gigabyte-", "scan.million-"))),
    *(key for key in ROWS if key.startswith(("cluster_pace.dask", "cluster_pace.ray")) or key.endswith("-on-a-gpu")),
}
"""Rows that a tiny size leaves out, or a machine without a GPU."""


@pytest.mark.parametrize("name", BENCHMARKS)
def test_every_benchmark_has_its_parts(name: str) -> None:
    module = import_module(f"benchmarks.{name}")
    assert isgeneratorfunction(module.measure)
    assert {type(getattr(module, size)) for size in ("TINY", "USUAL", "LONG") if hasattr(module, size)} == {module.Sizes}
    assert one.sizes(module, "long") != module.TINY


def test_every_module_is_a_benchmark_or_is_shared() -> None:
    assert {path.stem for path in (ROOT / "benchmarks").glob("*.py")} == {*BENCHMARKS, *SHARED, *OF_POWER}


@pytest.mark.parametrize("name", [pytest.param(name, marks=[pytest.mark.slow] * (name in SLOW)) for name in BENCHMARKS])
def test_it_runs_at_a_tiny_size(name: str) -> None:
    found: dict[str, dict[str, Any]] = {}
    one.measure(name, "tiny", found)
    assert {key for key in ROWS if key.startswith(f"{name}.")} - set(found) <= LARGE_ONLY
    assert all(figure["values"] for figure in found.values())


@pytest.mark.parametrize("name", ["large_log", "large_store", "large_table", "mixed_table", "retrainer", "swap"])
def test_a_case_can_be_read(name: str, tmp_path: Path) -> None:
    module = import_module(f"benchmarks.{name}")
    more = {"large_store": ("parquet", 20_000), "large_table": (60,), "retrainer": (2,)}.get(name, ())
    module.write_case(tmp_path, module.TINY, *more)
    assert cases.read(tmp_path).requests


class TestPage:
    def test_the_page_is_what_the_figures_give(self) -> None:
        assert page.PAGE.read_text(encoding="utf-8") == page.page(page.read()), "run: python -m benchmarks.page"

    def test_the_figure_of_growth_is_what_was_measured(self) -> None:
        drawn = growth_drawing.FIGURE.read_text(encoding="utf-8")
        assert drawn == growth_drawing.svg(page.read()["figures"]), "run: python -m benchmarks.page"

    def test_every_figure_has_its_row_its_day_and_its_machine(self) -> None:
        measured = page.read()
        assert set(measured["figures"]) <= set(ROWS)
        for figure in measured["figures"].values():
            assert date.fromisoformat(figure["date"])
            assert figure["machine"] in measured["machines"]
        assert page.MEASURED.read_text(encoding="utf-8") == page.written(measured)

    def test_every_row_is_there_once(self) -> None:
        assert sum(map(len, GROUPS.values())) == len(ROWS)
        lines = page.page(page.read()).splitlines()
        assert sum(line.startswith("| ") for line in lines) == len(ROWS) + len(GROUPS)

    def test_the_documents_name_benchmarks_that_there_are(self) -> None:
        for path in (*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")):
            for module, name in re.findall(
                r"`python -m benchmarks(\.[\w.]+)?(?: --long)?(?: (\w+))?", path.read_text(encoding="utf-8")
            ):
                assert not module or (ROOT / f"benchmarks{module.replace('.', '/')}.py").is_file(), path
                assert name in {"", "NAME", *BENCHMARKS}, path

    @pytest.mark.parametrize(
        ("figure", "expected"),
        [
            ({"values": [8.76, 8.81, 9.3], "unit": "s"}, "8.81 s (8.76 to 9.30)"),
            ({"values": [8.8], "unit": "s", "processor": [7.14]}, "8.80 s, processor 7.14 s"),
            ({"values": [193.4, 192.6], "unit": "times"}, "193 times"),
            ({"values": [0.0521], "unit": "s"}, "0.052 s"),
            ({"values": [354.2], "unit": "GB"}, "354 GB"),
            ({"values": [-2.3, 12.6, 3.0], "unit": "%"}, "+3 % (−2 to +13)"),
            ({"values": [20.0], "unit": "of 20"}, "20 of 20"),
            ({"text": "3.4 to 5 s"}, "3.4 to 5 s"),
        ],
    )
    def test_a_figure_is_printed_with_its_spread(self, figure: dict[str, Any], expected: str) -> None:
        assert page.cell(figure) == expected

    @pytest.mark.parametrize(
        ("aim", "values", "unit", "expected"),
        [
            ("under 3 s", [2.9], "s", False),
            ("under 3 s", [2.999], "s", True),  # as it is printed
            ("at most 6 s", [6.0], "s", False),
            ("at most +15 %", [16.0, 14.0, 17.0], "%", True),
            ("at least 1.7", [1.69], "times", True),
            ("under 2,000 GB", [536.0], "GB", False),
            ("all", [19.0], "of 20", True),
            ("all", [20.0], "of 20", False),
            ("about a minute", [135.0], "s", None),
        ],
    )
    def test_an_aim_that_is_missed_says_so(self, aim: str, values: list[float], unit: str, expected: bool | None) -> None:
        assert page.is_missed(aim, {"values": values, "unit": unit}) is expected

    def test_an_aim_in_words_of_another_unit_is_refused(self) -> None:
        with pytest.raises(ValueError, match="an aim in GB for a figure in s"):
            page.is_missed("under 4 GB", {"values": [1.0], "unit": "s"})

    def test_a_row_of_another_day_or_machine_says_so(self) -> None:
        help_, demo, report = ({"values": [1.0], "unit": "s", "date": "2026-02-02", "machine": "machine 2"} for _ in range(3))
        demo["date"] = "2026-01-01"
        report |= {"date": "2026-01-01", "machine": "machine 1"}
        figures = {"commands.help": help_, "commands.demo": demo, "commands.report": report}
        text = page.page(
            {"machines": {name: {"described": name.upper()} for name in ("machine 1", "machine 2")}, "figures": figures}
        )
        assert "Measured on 2026-02-02, on MACHINE 2.\n" in text
        assert "| 1.00 s |" in text
        assert "| 1.00 s (2026-01-01) |" in text
        assert "| 1.00 s (2026-01-01, machine 1) |" in text
        assert "load average" not in text
        assert text.endswith("## Other machines\n\n- machine 1: MACHINE 1.\n")
        assert text.count("| not measured |") == len(ROWS) - 3

    @pytest.mark.parametrize(("load", "busy"), [(0.9, False), (5.5, True)])
    def test_a_busy_machine_is_said_to_be_busy(self, load: float, busy: bool) -> None:
        figure = {"values": [1.0], "unit": "s", "date": "2026-02-02", "machine": "machine 1", "load": load}
        machines = {"machine 1": {"described": "a machine", "cores": 2}}
        text = page.page({"machines": machines, "figures": {"commands.help": figure}})
        assert f"When a benchmark began, the load average was {load} to {load}.\n" in text
        assert ("Other programs kept the machine busy" in text) is busy


class TestRunning:
    @pytest.fixture(autouse=True)
    def kept(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
        """A folder with the figures and the page, in the place of the project's."""
        monkeypatch.setattr(page, "MEASURED", tmp_path / "measured.json")
        monkeypatch.setattr(page, "PAGE", tmp_path / "speed.md")
        earlier = {"text": "9 s", "date": "2026-01-01", "machine": "old"}
        measured = {
            "machines": {"old": {"described": "an old one"}},
            "figures": {"commands.help": earlier, "letter.one": earlier},
        }
        page.MEASURED.write_text(page.written(measured), encoding="utf-8")
        return tmp_path

    def figures(self) -> dict[str, Any]:
        found: dict[str, Any] = json.loads(page.MEASURED.read_text(encoding="utf-8"))["figures"]
        return found

    def test_one_that_fails_stops_no_other_and_keeps_its_rows(
        self, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
    ) -> None:
        outcomes = {
            "commands": ({}, "exit code 1"),
            "letter": ({"letter.one": {"values": [1.5], "unit": "s"}}, None),
            "counters": ({"counters.tree": {"values": [2.0], "unit": "s"}}, "a figure says that something is wrong"),
        }
        monkeypatch.setattr(command, "one", lambda name, size: outcomes[name])
        assert command.main([*outcomes]) == 1
        found = self.figures()
        assert found["commands.help"] == {"text": "9 s", "date": "2026-01-01", "machine": "old"}
        assert (found["letter.one"]["values"], found["letter.one"]["machine"]) == ([1.5], "machine 2")
        assert found["letter.one"]["load"] >= 0
        assert found["counters.tree"]["values"] == [2.0]
        assert page.PAGE.read_text(encoding="utf-8") == page.page(page.read(page.MEASURED))
        said = capsys.readouterr().err
        assert "failed: commands: exit code 1\n" in said
        assert "failed: counters: " in said
        assert "letter" not in said

    def test_all_are_measured_where_none_is_named(self, monkeypatch: pytest.MonkeyPatch) -> None:
        asked: list[tuple[str, str]] = []
        monkeypatch.setattr(command, "one", lambda name, size: asked.append((name, size)) or ({}, None))
        assert command.main([]) == 0
        assert asked == [(name, "usual") for name in BENCHMARKS]

    def test_tiny_sizes_are_not_kept(self, monkeypatch: pytest.MonkeyPatch) -> None:
        before = self.figures()
        monkeypatch.setattr(command, "one", lambda name, size: ({"letter.one": {"values": [0.1], "unit": "s"}}, None))
        assert command.main(["letter", "--tiny"]) == 0
        assert self.figures() == before

    def test_a_benchmark_runs_in_a_process_of_its_own(self, capfd: pytest.CaptureFixture[str]) -> None:
        assert command.main(["counters", "--tiny"]) == 0
        assert re.search(r"  tree +\S+ s, processor \S+ s +under 5 s\n", capfd.readouterr().out)

    def test_one_that_takes_too_long_is_ended(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setitem(command.LIMITS_S, "tiny", 0.05)
        assert command.one("counters", "tiny") == ({}, "not done after 0.05 s")

    def test_names_that_there_are_none_of_are_refused(self, capsys: pytest.CaptureFixture[str]) -> None:
        with pytest.raises(SystemExit) as raised:
            command.main(["letters"])
        assert raised.value.code == 2
        assert "no such benchmark: letters; there are commands, letter, " in capsys.readouterr().err

    def test_what_is_wrong_is_kept_with_its_figures(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        def measured(name: str, size: str, found: dict[str, Any]) -> None:
            found["letter.one"] = one.kept(Figure("one", (1.23456, 2.0), "s", (0.5, 0.6)))
            raise MissedError("nineteen of twenty")

        monkeypatch.setattr(one, "measure", measured)
        monkeypatch.setattr("sys.argv", ["one", "letter", "usual", str(tmp_path / "found.json")])
        with pytest.raises(SystemExit) as raised:
            one.main()
        assert raised.value.code == one.MISSED
        kept = json.loads((tmp_path / "found.json").read_text(encoding="utf-8"))
        assert kept == {"letter.one": {"values": [1.235, 2.0], "unit": "s", "processor": [0.5, 0.6]}}

    def test_one_without_usual_sizes_waits_for_long(self, capsys: pytest.CaptureFixture[str]) -> None:
        found: dict[str, dict[str, Any]] = {}
        one.measure("kill_and_resume", "usual", found)
        assert found == {}
        assert "--long alone" in capsys.readouterr().out


def test_time_of_a_process_that_nobody_waits_for_counts() -> None:
    busy = "import time\nwhile time.process_time() < 0.5: pass"
    left = f"import subprocess, sys; subprocess.Popen([sys.executable, '-c', {busy!r}], start_new_session=True)"
    with account() as counted:
        if counted.seconds() is None:
            pytest.skip("this machine lets nobody make a control group")
        subprocess.run(counted.entering([sys.executable, "-c", left]), check=True)
        until = time.monotonic() + 20
        while (counted.seconds() or 0) < 0.5:
            assert time.monotonic() < until
            time.sleep(0.02)
    assert not counted.folder.exists()


def test_a_ratio_is_taken_repeat_by_repeat() -> None:
    assert ratios("row", [4.0, 9.0], [2.0, 3.0]) == Figure("row", (2.0, 3.0), "times")


def test_a_key_is_a_benchmark_and_a_name() -> None:
    assert (Row("letter.one", "").benchmark, Row("letter.one", "").name) == ("letter", "one")
