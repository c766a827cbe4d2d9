"""The result of an audit on a terminal: one table, what attacks found, the guarantees, and a last line that can be quoted."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final, Literal

from auditor.decisions import refuse_contradiction
from auditor.domain import Standing, Status
from auditor.report import deletion_words, plain, wording
from auditor.words import attestations
from auditor.words import verdict as verdicts
from auditor.words.told import Told, ToldCheck

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

LONGEST_BASIS: Final = 110
"""Characters of a check's basis that the table shows; the report has all of it."""

SHORTEST_BASIS: Final = 16
"""Characters that the basis needs; on a narrower terminal it is left to the report."""
HEADINGS: Final = ("check", "status", "value", "threshold")

_JUSTIFY: Final[tuple[Literal["left", "right"], ...]] = ("left", "left", "right", "right")
_STYLES = {
    Status.PASS: "green",
    Status.FAIL: "bold red",
    Status.INCONCLUSIVE: "yellow",
    Status.SKIPPED: "dim",
    Status.ERROR: "bold magenta",
}
_VERDICT_STYLES = {"pass": "bold green", "weak": "bold yellow", "fail": "bold red", "inconclusive": "bold yellow"}
_STANDING_STYLES = {
    Standing.SHOWN: "green",
    Standing.SUPPORTED: "cyan",
    Standing.REFUTED: "bold red",
    Standing.NOT_SHOWN: "dim",
}


def summary(evidence: Told, console: Console) -> None:
    """Print the checks that ran, what attacks found, the guarantees, and as the last line exactly `evidence.sentence`.

    Strings of the evidence are cleaned and never read as markup: no name can colour, hide or move what stands beside it.

    Raises:
        ReportError: If the verdict contradicts the checks.
    """
    from rich.text import Text  # noqa: PLC0415 - only where a terminal is written to

    refuse_contradiction(evidence.evidence)
    required = set(evidence.policy.required)
    listed = [check for check in evidence.checks if wording.has_run(check) or check.id in required]
    console.print(_table(listed, console.width))
    left = len(evidence.checks) - len(listed)
    if left:
        console.print(Text(f"{wording.plural(left, 'check')} not run; the report lists each with its reason.", style="dim"))
    for sentence in (*plain.attacked(evidence), *deletion_words.findings(evidence)):
        console.print(Text(wording.shown(sentence)))
    for guarantee in evidence.guarantees:
        line = Text(
            f"{wording.mark(guarantee.status)} {wording.word(guarantee.status)}: ", style=_STANDING_STYLES[guarantee.status]
        )
        line.append(wording.short(guarantee.title, LONGEST_BASIS), style="default")
        console.print(line)
    if said_by := attestations.attested(evidence.policy):
        console.print(Text(wording.shown(said_by), style="dim"))
    for sentence in attestations.needed(evidence.evidence).values():
        console.print(Text(wording.shown(sentence), style="yellow"))
    console.print(_verdict(evidence))
    console.print(Text(wording.shown(evidence.sentence)), soft_wrap=True)


def _verdict(evidence: Told) -> Text:
    """The verdict, what it is worth, what was examined, and the verdict under the default policy. Grade E is never green."""
    from rich.text import Text  # noqa: PLC0415 - only where a terminal is written to

    word = wording.word(evidence.verdict)
    line = Text(f"{word.upper()}", style=_VERDICT_STYLES[wording.tone(evidence.evidence)])
    if evidence.evidence.strength is not None:
        line.append(f" · strength {evidence.evidence.strength.value}, {verdicts.worth(evidence.evidence)}", style="default")
    seen = ", ".join(f"{name} {'yes' if yes else 'no'}" for name, yes in verdicts.examined(evidence.evidence))
    line.append(f"\nExamined: {seen}. {verdicts.by_default(evidence.evidence)}.", style="default")
    return line


def _table(listed: Sequence[ToldCheck], width: int) -> Table:
    """The checks row by row, on a terminal of that many columns."""
    from rich import box  # noqa: PLC0415 - only where a terminal is written to
    from rich.table import Table  # noqa: PLC0415
    from rich.text import Text  # noqa: PLC0415

    rows = [(_id(check), _status(check), wording.number(check.value), wording.threshold(check)) for check in listed]
    widths = [max(len(row[column]) for row in [*rows, HEADINGS]) for column in range(len(HEADINGS))]
    room = width - sum(each + 3 for each in widths) - 2
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, expand=False)
    for heading, least, justify in zip(HEADINGS, widths, _JUSTIFY, strict=True):
        table.add_column(heading, no_wrap=True, min_width=least, justify=justify)
    if room >= SHORTEST_BASIS:
        table.add_column("basis", no_wrap=True, overflow="ellipsis", max_width=room)
    for check, row in zip(listed, rows, strict=True):
        cells = [Text(row[0]), Text(row[1], style=_STYLES[check.status]), Text(row[2]), Text(row[3])]
        if room >= SHORTEST_BASIS:
            cells.append(Text(wording.short(check.basis, min(room, LONGEST_BASIS))))
        table.add_row(*cells)
    return table


def _id(check: ToldCheck) -> str:
    return wording.short(check.id, 32)


def _status(check: ToldCheck) -> str:
    return f"{wording.mark(check.status)} {wording.check_word(check)}"
