"""The result of an audit on a terminal: one screen with the verdict first, and everything behind it where that is asked for.

`summary` is what `auditor check` ends with: it fits a terminal of 24 lines of 80 columns. `details` is what `auditor explain`
prints of an audit: every check, every reason, every step in full, and a last line that can be quoted.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Final, Literal

from auditor.base.domain import ClaimStatus, Status
from auditor.pages import exchange, plain, right_guesses, wording
from auditor.pages.main import decision, search_scope
from auditor.pages.remedies import Remedy, Urgency, once, remedies, whose
from auditor.pages.words import attestations, premises
from auditor.pages.words import conclusion as concluded
from auditor.pages.words import verdict as verdicts
from auditor.pages.words.informative_findings import noticed
from auditor.pages.words.lists import and_more
from auditor.pages.words.rendered_evidence import Told, ToldCheck
from auditor.pages.words.texts import text
from auditor.verdict.checks import definitions
from auditor.verdict.reliance import refuse_contradiction

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

HEADINGS: Final = ("check", "status", "decides", "value", "threshold")
_JUSTIFY: Final[tuple[Literal["left", "right"], ...]] = ("left", "left", "left", "right", "right")
_LEFT_OUT_FIRST: Final = (HEADINGS.index("threshold"), HEADINGS.index("decides"))
_STYLES = {
    Status.PASS: "green",
    Status.FAIL: "bold red",
    Status.INCONCLUSIVE: "yellow",
    Status.SKIPPED: "dim",
    Status.ERROR: "bold magenta",
}
_VERDICT_STYLES = {"pass": "bold green", "weak": "bold yellow", "fail": "bold red", "inconclusive": "bold yellow"}
_STANDING_STYLES = {
    ClaimStatus.SHOWN: "green",
    ClaimStatus.SUPPORTED: "cyan",
    ClaimStatus.REFUTED: "bold red",
    ClaimStatus.NOT_SHOWN: "dim",
}


_URGENCY_STYLES: Final = {Urgency.FIX: "bold red", Urgency.DECIDE: "yellow", Urgency.CONFIRM: "dim"}


LINES: Final = 24
"""Lines of the smallest terminal, the one with the prompt among them."""
_SPARED: Final = 2
"""Lines of more than this place in the order of weight leave `_AIR` lines of the screen free."""
_AIR: Final = 2
_MOST_PLACES: Final = 2
"""Places that the first screen names of those that were not read whole."""
_MOST_ASKING: Final = 2
"""Checks that a step of one line names; the others are counted."""
_MARKS: Final = {Urgency.FIX: Status.FAIL, Urgency.DECIDE: Status.INCONCLUSIVE, Urgency.CONFIRM: Status.SKIPPED}


def summary(evidence: Told, console: Console, *, behind: str, room: int = LINES - 1) -> None:
    """Print the verdict, `evidence.opening`, what was examined and promised, and one line for each thing to do.

    Strings of the evidence are cleaned and never read as markup: no name can colour, hide or move what is alongside it.

    Args:
        evidence: What the audit found, with its words.
        console: Where to; on one of at least 80 columns it takes no more lines than there is room for.
        behind: The command that prints everything behind it.
        room: Lines that there are. What does not fit is left to that command, which the last line names.

    Raises:
        ReportError: If the verdict contradicts the checks.
    """
    from rich.text import Text  # noqa: PLC0415 - only where a terminal is written to

    refuse_contradiction(evidence.evidence)
    more = text("pipeline-more", command=behind)
    steps = [_step(number, each) for number, each in enumerate(remedies(evidence), start=1)]
    blank, heading = ([Text("")], [Text(text("remedy-heading"), style="bold")]) if steps else ([], [])
    brought = [Text(wording.shown(said)) for said in plain.foreign_parts(evidence)]
    above = [_verdict_line(evidence), Text(wording.shown(evidence.opening)), Text(_examined(evidence)), *brought]

    def left() -> int:
        taken = (*above, *blank, *heading, *steps, Text(more))
        return room - sum(_height(each, console) for each in taken)

    # Steps come before what the opening implies, and before air.
    if left() < 0:
        blank = []
    if left() < 0:
        above = [*above[:2], *brought]
    kept = list(steps)
    while left() < 0 and len(kept) > 1:
        kept.pop()
        steps = [*kept, Text(text("pipeline-more-steps", count=len(remedies(evidence)) - len(kept)))]
    first, told = above, _further(evidence)
    taken: set[int] = set()
    for at in sorted(range(len(told)), key=lambda at: told[at][0]):
        spared = _AIR if told[at][0] > _SPARED else 0
        if _height(told[at][1], console) <= left() - spared:
            taken.add(at)
            above = [*first, *(line for at, (_, line) in enumerate(told) if at in taken)]
    # The opening and the command stay in one piece each, to be copied: the terminal breaks them.
    for line in (*above, *blank, *heading, *steps, Text(more, style="dim")):
        console.print(line, soft_wrap=line is above[1] or line.plain == more)


def _height(line: Text, console: Console) -> int:
    return len(line.wrap(console, console.width))


def _further(evidence: Told) -> list[tuple[int, Text]]:
    """What the first screen says where there is room, as it is read, each with its place in the order of weight.

    What was not read whole weighs most, then the promise, what the opening leaves out, people, and what was noticed.
    """
    from rich.text import Text  # noqa: PLC0415 - only where a terminal is written to

    said: list[tuple[int, str]] = [(2, each) for each in evidence.lines[1:]]
    by_word: dict[str, list[str]] = {}
    for each in search_scope.in_part(evidence):
        if each.word is not None:
            by_word.setdefault(each.word, []).append(each.sized)
    for word, places in by_word.items():
        named = and_more(places[:_MOST_PLACES], max(0, len(places) - _MOST_PLACES))
        said.append((0, text("pipeline-unread", places=named, word=word)))
    promise = decision.promise(evidence)
    # What a pass without a number is worth is said above, and says that there is none.
    if promise.share or evidence.evidence.strength is None:
        said.append((1, promise.line))
    if people := plain.became(evidence):
        said.append((3, people))
    if found := noticed(evidence.evidence):
        names = wording.listed(tuple(dict.fromkeys(each.check_id for each in found)))
        said.append((4, text("pipeline-noticed-in", names=names)))
    return [(weight, Text(wording.shown(each))) for weight, each in said]


def _step(number: int, step: Remedy) -> Text:
    """One thing to do: how urgent it is, which checks ask for it, and the first sentence of what to do, never cut."""
    from rich.text import Text  # noqa: PLC0415 - only where a terminal is written to

    checks = [name for name in step.checks if name in definitions()]
    asked_by = f"{wording.listed(checks, _MOST_ASKING)}: " if checks else ""
    line = f"{number}. {wording.mark(_MARKS[step.urgency])} {asked_by}{wording.shown(step.first)}"
    return Text(line, style=_URGENCY_STYLES[step.urgency])


def details(evidence: Told, console: Console, *, everything: bool = False) -> None:
    """Print the checks, the promise, attacks, guarantees, what to do, and last of all exactly `evidence.opening`.

    Strings of the evidence are cleaned and never read as markup: no name can colour, hide or move what is alongside it.

    Args:
        evidence: What the audit found, with its words.
        console: Where to.
        everything: Whether checks are listed that neither decide nor examine a claim nor saw anything.

    Raises:
        ReportError: If the verdict contradicts the checks.
    """
    from rich.text import Text  # noqa: PLC0415 - only where a terminal is written to

    refuse_contradiction(evidence.evidence)
    required, first = set(evidence.policy.required), plain.checks_in_view(evidence)
    listed = [check for check in evidence.checks if check in first or (everything and wording.has_run(check))]
    console.print(_table(listed, required, console.width))
    others = [check for check in evidence.checks if check not in listed]
    if others:
        left = "pipeline-not-run" if everything else "pipeline-not-in-view"
        console.print(Text(text(left, count=len(others)), style="dim"))
    # What decides first, then what ran besides, and last why the others did not.
    unmet = [check for check in listed if check.id in required and check.status is not Status.PASS]
    for names, basis in _said_once((*unmet, *(check for check in listed if check not in unmet))):
        console.print(Text(f"{names}: {basis}"))
    for names, basis in _said_once(others if everything else ()):
        console.print(Text(f"{names}: {basis}", style="dim"))
    console.print(Text(wording.shown(decision.promise(evidence).line)))
    for sentence in right_guesses.in_brief(evidence):
        console.print(Text(wording.shown(sentence)))
    # A search of places leads to none.
    for guarantee in () if evidence.evidence.places_alone else evidence.guarantees:
        line = Text(
            f"{wording.mark(guarantee.status)} {wording.word(guarantee.status)}: ", style=_STANDING_STYLES[guarantee.status]
        )
        line.append(wording.shown(guarantee.title), style="default")
        console.print(line)
    for sentence in _in_addition(evidence):
        console.print(Text(wording.shown(sentence), style="dim"))
    _todo(remedies(evidence), console)
    _noticed(evidence, console)
    console.print()
    console.print(_verdict_line(evidence))
    by_default = f"{text('pipeline-box-default')}: {wording.word(evidence.evidence.default_policy_verdict)}."
    console.print(Text(f"{_examined(evidence)} {by_default}"))
    for said in evidence.lines[1:]:
        console.print(Text(wording.shown(said)))
    console.print(Text(wording.shown(evidence.opening)), soft_wrap=True)


def _said_once(checks: Sequence[ToldCheck]) -> Iterator[tuple[str, str]]:
    """Give each reason with the checks that have it, in their order: where a run broke off, all of them have one."""
    named: dict[str, list[str]] = {}
    for check in checks:
        named.setdefault(wording.shown(check.basis), []).append(check.id)
    return ((wording.listed(names, len(names)), basis) for basis, names in named.items())


def _in_addition(evidence: Told) -> Iterator[str]:
    """What became of people, what foreign parts brought, what the verdict rests on, and how often chance decides."""
    told = (plain.became(evidence), *plain.foreign_parts(evidence), *premises.lines(evidence.evidence))
    yield from (each for each in (*told, attestations.attested(evidence.policy), verdicts.chances(evidence.evidence)) if each)


def _todo(found: Sequence[Remedy], console: Console) -> None:
    """The steps by their number: in full where something fails or is open, the action alone where it is left to people.

    What holds for several steps is said once, after them.
    """
    from rich.text import Text  # noqa: PLC0415

    if not found:
        return
    console.print(Text(f"\n{text('remedy-heading')}", style="bold"))
    own, shared = once([[] if each.urgency is Urgency.CONFIRM else exchange.step_lines(each) for each in found])
    for number, (each, lines) in enumerate(zip(found, own, strict=True), start=1):
        console.print(Text(f"{number}. {each.action}", style=_URGENCY_STYLES[each.urgency]))
        for line in lines:
            console.print(Text(f"   {wording.shown(line)}"))
    for numbers, lines in shared:
        console.print(Text(whose(numbers, len(found))))
        for line in lines:
            console.print(Text(f"   {wording.shown(line)}"))


def _noticed(evidence: Told, console: Console) -> None:
    from rich.text import Text  # noqa: PLC0415

    found = noticed(evidence.evidence)
    if found:
        console.print(Text(f"\n{text('pipeline-noticed')}", style="bold"))
    for each in found:
        console.print(Text(f"- {wording.shown(f'{each.check_id}: {each.sentence}')}"))


def _verdict_line(evidence: Told) -> Text:
    """The verdict, whether the policy is met, and what a pass is worth. Grade E is never green."""
    from rich.text import Text  # noqa: PLC0415 - only where a terminal is written to

    line = Text(wording.word(evidence.verdict).upper(), style=_VERDICT_STYLES[wording.tone(evidence.evidence)])
    line.append(f" · {exchange.policy(evidence)} · {concluded.heading(evidence.evidence)}", style="default")
    if evidence.evidence.strength is not None:
        line.append(f" · {text('pipeline-strength', strength=exchange.strength(evidence))}", style="default")
    return line


def _examined(evidence: Told) -> str:
    """What was examined."""
    return f"{text('pipeline-box-examined')}: {exchange.examined(evidence)}."


def _table(listed: Sequence[ToldCheck], required: set[str], width: int) -> Table:
    """The checks row by row; on a narrow terminal the threshold is left to the report first, then whether a check decides."""
    from rich import box  # noqa: PLC0415 - only where a terminal is written to
    from rich.table import Table  # noqa: PLC0415
    from rich.text import Text  # noqa: PLC0415

    rows = [
        (
            wording.short(check.id, 32),
            _status(check),
            text("common-yes" if check.id in required else "common-no"),
            wording.number(check.value),
            wording.threshold(check),
        )
        for check in listed
    ]
    headings = [text(f"pipeline-column-{each}") for each in HEADINGS]
    widths = [max(len(row[column]) for row in [*rows, headings]) for column in range(len(HEADINGS))]
    kept = list(range(len(HEADINGS)))
    for column in _LEFT_OUT_FIRST:
        if sum(widths[each] + 3 for each in kept) > width:
            kept.remove(column)
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, expand=False)
    for column in kept:
        table.add_column(headings[column], no_wrap=True, min_width=widths[column], justify=_JUSTIFY[column])
    for check, row in zip(listed, rows, strict=True):
        styles = {HEADINGS.index("status"): _STYLES[check.status]}
        table.add_row(*(Text(row[column], style=styles.get(column, "")) for column in kept))
    return table


def _status(check: ToldCheck) -> str:
    return f"{wording.mark(check.status)} {wording.check_word(check)}"
