"""A Markdown summary for a pull request: the verdict box, what to do, what else was noticed, the checks that decide, links.

Every text from outside is printed as text. What Markdown or the HTML inside it could take for markup is escaped, a link is
broken, and a line break becomes a space, so that no name can end a table, open a tag or notify an account.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from auditor.document import evidence as documents
from auditor.pages import derivation_tree, exchange, plain, promises, wording
from auditor.pages.remedies import Urgency, once, remedies, whose
from auditor.pages.words import numbers, premises
from auditor.pages.words.informative_findings import noticed
from auditor.pages.words.rendered_evidence import Told, ToldCheck, ToldGuarantee
from auditor.pages.words.texts import text
from auditor.verdict.reliance import refuse_contradiction

FILES: Final = ("report.pdf", "report.html", "evidence.json")
"""What `auditor check` writes next to this summary."""

_MARKUP = re.compile(r"[\\`*_{}\[\]#|~$]|^(?:[-+=]|\d+[.)])")
_HTML = str.maketrans({"<": "&lt;", ">": "&gt;", "&": "&amp;"})
_LINKING = re.compile(r"(?<=[@#])(?=\w)|(?<=:)(?=//)|(?<=\bwww)(?=\.)|(?<=\bGH)(?=-)", re.IGNORECASE)
_COLUMNS: Final = ("deciding", "status", "value", "threshold", "basis")
_ZERO_WIDTH = "\u200b"
_MARKS: Final = {"pass": "●", "weak": "◐", "fail": "■", "inconclusive": "◇"}


def summary(evidence: Told, *, everything: bool = False) -> str:
    """The summary in GitHub-flavoured Markdown.

    Args:
        evidence: What the audit found, with its words.
        everything: Whether checks that decide nothing follow those that do.

    Raises:
        ReportError: If the verdict contradicts the checks.
    """
    refuse_contradiction(evidence.evidence)
    digest = documents.digest(evidence.content)
    lines = [
        f"## {evidence.text('pipeline-title', policy=exchange.policy(evidence))}",
        "",
        *_box(evidence),
        _escaped(evidence.sentence),
        *(f"\n{_escaped(people)}" for people in (plain.became(evidence),) if people),
        *(f"\n> {_escaped(said)}" for said in plain.caveats(evidence)),
        "",
        *_premises(evidence),
        *_todo(evidence),
        *_noticed(evidence),
        *_checks(evidence),
        *(_others(evidence) if everything else ()),
        *_guarantees(evidence),
        *_links(),
        text("pipeline-evidence", digest=digest, code=str(evidence.audit.exit_code)),
    ]
    return "\n".join(lines) + "\n"


def _box(evidence: Told) -> list[str]:
    """Whether the policy is met, what was examined, what a pass is worth, and the verdict under the default policy."""
    mark = _MARKS[wording.tone(evidence.evidence)]
    rows = (
        (text("pipeline-box-policy"), f"{mark} {exchange.policy(evidence)}"),
        (text("pipeline-box-conclusion"), exchange.concluded(evidence)),
        (text("pipeline-box-examined"), exchange.examined(evidence)),
        (text("pipeline-box-strength"), exchange.strength(evidence)),
        (text("pipeline-box-default"), wording.word(evidence.evidence.default_policy_verdict)),
    )
    return ["| | |", "|---|---|", *(f"| {name} | {_escaped(said)} |" for name, said in rows), ""]


def _premises(evidence: Told) -> Iterator[str]:
    """What a pass rests on, said or unsaid."""
    if found := premises.lines(evidence.evidence):
        yield from (f"- {_escaped(line)}" for line in found)
        yield ""


def _todo(evidence: Told) -> Iterator[str]:
    found = remedies(evidence)
    if not found:
        return
    yield f"### {text('remedy-heading')}"
    yield ""
    own, shared = once(
        [[each.found, each.meanwhile] if each.urgency is Urgency.CONFIRM else exchange.step_lines(each) for each in found]
    )
    for number, (each, lines) in enumerate(zip(found, own, strict=True), start=1):
        yield f"{number}. {_escaped(each.action)}"
        yield from (f"   - {_escaped(line)}" for line in lines)
    yield ""
    for steps, lines in shared:
        yield whose(steps, len(found))
        yield ""
        yield from (f"- {_escaped(line)}" for line in lines)
        yield ""


def _noticed(evidence: Told) -> Iterator[str]:
    found = noticed(evidence.evidence)
    if found:
        yield f"### {text('pipeline-noticed')}"
        yield ""
        yield from (f"- {_escaped(each.check_id)}: {_escaped(each.sentence)}" for each in found)
        yield ""


def _checks(evidence: Told) -> list[str]:
    required = plain.required_checks(evidence)
    missing = plain.missing_checks(evidence)
    if not required and not missing:
        return [text("pipeline-no-check"), ""]
    rows = [_row(check) for check in required]
    rows += [
        f"| {_escaped(name)} | ▲ {text('pipeline-missing-status')} | – | – | {text('pipeline-missing')} |" for name in missing
    ]
    return [f"| {' | '.join(text(f'pipeline-column-{each}') for each in _COLUMNS)} |", "|---|---|--:|--:|---|", *rows, ""]


def _others(evidence: Told) -> Iterator[str]:
    """Every check that decides nothing, with what it measured or why it did not run."""
    rows = [_row(check) for check in evidence.checks if check.id not in set(evidence.policy.required)]
    if rows:
        columns = [text("pipeline-column-other"), *(text(f"pipeline-column-{each}") for each in _COLUMNS[1:])]
        yield from (f"### {text('pipeline-others')}", "", f"| {' | '.join(columns)} |", "|---|---|--:|--:|---|", *rows, "")


def _row(check: ToldCheck) -> str:
    status = f"{wording.mark(check.status)} {wording.check_word(check)}"
    value, threshold = wording.number(check.value), wording.threshold(check)
    return f"| {_escaped(check.id)} | {status} | {value} | {threshold} | {_escaped(check.basis)} |"


def _guarantees(evidence: Told) -> list[str]:
    if evidence.evidence.places_alone or not evidence.guarantees:
        return []
    rows = [_guarantee(item) for item in evidence.guarantees]
    return [
        f"| {text('pipeline-column-guarantee')} | {text('pipeline-column-standing')} | ε | δ |",
        "|---|---|--:|--:|",
        *rows,
        "",
        *_curves(evidence),
        *_derived(evidence),
    ]


def _derived(evidence: Told) -> Iterator[str]:
    """How control follows, premise by premise, and what it means for a person."""
    tree = derivation_tree.of(evidence)
    if tree is not None:
        yield f"{_escaped(derivation_tree.titled(tree))}, {_escaped(tree.rule)}"
        yield ""
        yield from (f"- {_escaped(derivation_tree.premise_line(leaf))}" for leaf in tree.leaves)
        yield ""
    yield _escaped(" ".join(derivation_tree.person(evidence)))
    yield ""


def _curves(evidence: Told) -> Iterator[str]:
    """Read the trade-off curves, which other reports draw, at a few points."""
    rows = promises.points(evidence)
    if not rows:
        return
    columns = [text("promise-curve-missed", alarms=each) for each in promises.rates()]
    yield f"| {text('pipeline-column-guarantee')} | {text('promise-list-most')} | {' | '.join(columns)} |"
    yield f"|---|--:|{'--:|' * len(columns)}"
    yield from (f"| {_escaped(each.title)} | {each.most} | {' | '.join(each.at)} |" for each in rows)
    yield ""
    yield text("promise-curve-read")
    yield ""


def _guarantee(item: ToldGuarantee) -> str:
    standing = f"{wording.mark(item.status)} {wording.word(item.status)}"
    if item.empty:
        standing = f"○ {wording.word(item.status)}, {text('guesses-no-use')}"
    order = "" if item.order is None else f" ({text('pipeline-renyi-order', order=wording.number(item.order))})"
    return f"| {_escaped(item.title)} | {standing} | {numbers.at_most(item.epsilon)}{order} | {numbers.at_most(item.delta)} |"


def _links() -> list[str]:
    return [text("pipeline-files", files=" · ".join(f"[{name}]({name})" for name in FILES)), ""]


def _escaped(text: str) -> str:
    """Text from outside, cleaned and folded into one line that Markdown shows as it stands.

    A zero-width space stands where an address, a number or the name of an account would turn into a link.
    """
    broken = _LINKING.sub(_ZERO_WIDTH, wording.shown(text).strip())
    plain_html = broken.translate(_HTML)
    return _MARKUP.sub(lambda found: f"{found[0][:-1]}\\{found[0][-1]}", plain_html)
