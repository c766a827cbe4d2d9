"""Prints a table of the league's designs when the tests are over: exit codes, Q of the SWAP game, and the checks that said so."""

from __future__ import annotations

from typing import Any

HEADER = ["design", "kind", "expected", "exit", "Q", "failed or open"]


def pytest_terminal_summary(terminalreporter: Any) -> None:
    """Lay out the rows that the tests recorded; workers hand them over with their reports."""
    reports = [report for status in ("passed", "failed") for report in terminalreporter.stats.get(status, [])]
    found = [value for report in reports for name, value in getattr(report, "user_properties", []) if name == "league"]
    if not found:
        return
    rows = [HEADER, *sorted(found, key=lambda row: (row[1], row[0]))]
    widths = [max(len(row[column]) for row in rows) for column in range(len(HEADER) - 1)]
    terminalreporter.section("league")
    for row in rows:
        terminalreporter.write_line("  ".join([*(cell.ljust(width) for cell, width in zip(row, widths, strict=False)), row[-1]]))
