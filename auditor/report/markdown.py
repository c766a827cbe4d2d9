"""A Markdown summary for a pull request: the verdict, the checks that decide, the guarantees, the digest.

Every text from outside is printed as text. What Markdown or the HTML inside it could take for markup is escaped, a link is
broken, and a line break becomes a space, so that no name can end a table, open a tag or notify an account.
"""

from __future__ import annotations

import re
from typing import Final

from auditor import evidence as documents
from auditor.decisions import refuse_contradiction
from auditor.errors import ReportError
from auditor.report import plain, wording
from auditor.words import verdict as verdicts
from auditor.words.told import Told, ToldCheck, ToldGuarantee

LONGEST_CELL: Final = 200
"""Characters of a text from outside in a cell of a table; the evidence has all of it."""

_MARKUP = re.compile(r"[\\`*_{}\[\]#|~$]|^(?:[-+=]|\d+[.)])")
_HTML = str.maketrans({"<": "&lt;", ">": "&gt;", "&": "&amp;"})
_LINKING = re.compile(r"(?<=[@#])(?=\w)|(?<=:)(?=//)|(?<=\bwww)(?=\.)|(?<=\bGH)(?=-)", re.IGNORECASE)
_ZERO_WIDTH = "\u200b"


def summary(evidence: Told) -> str:
    """The summary in GitHub-flavoured Markdown.

    Raises:
        ReportError: If the verdict contradicts the checks, or the evidence has no canonical form.
    """
    refuse_contradiction(evidence.evidence)
    try:
        digest = documents.digest(evidence.evidence.to_bytes())
    except ValueError as error:
        raise ReportError(f"the evidence has no canonical form: {error}") from error
    lines = [
        f"## Unlearning audit: {wording.word(evidence.verdict)}",
        "",
        _escaped(evidence.sentence),
        "",
        *_worth(evidence),
        *(f"\n> {_escaped(said)}" for said in plain.caveats(evidence)),
        "",
        *_checks(evidence),
        *_guarantees(evidence),
        f"Evidence SHA-256 `{digest}` · exit code {evidence.audit.exit_code} · technical evidence, not legal advice.",
    ]
    return "\n".join(lines) + "\n"


def _worth(evidence: Told) -> list[str]:
    """Under the sentence: what a pass is worth, what was examined, and the verdict under the default policy."""
    said = (
        []
        if evidence.evidence.strength is None
        else [f"Strength {evidence.evidence.strength.value}: {verdicts.worth(evidence.evidence)}"]
    )
    seen = ", ".join(f"{name} {'yes' if yes else 'no'}" for name, yes in verdicts.examined(evidence.evidence))
    return [f"- {_escaped(each)}" for each in (*said, f"Examined: {seen}", verdicts.by_default(evidence.evidence))]


def _checks(evidence: Told) -> list[str]:
    required = plain.required_checks(evidence)
    missing = plain.missing_checks(evidence)
    if not required and not missing:
        return ["No check decides this verdict.", ""]
    rows = [_row(check) for check in required]
    rows += [f"| {_cell(name)} | ▲ missing | – | – | It is required and has no result. |" for name in missing]
    return ["| check that decides | status | value | threshold | basis |", "|---|---|--:|--:|---|", *rows, ""]


def _row(check: ToldCheck) -> str:
    status = f"{wording.mark(check.status)} {wording.check_word(check)}"
    value, threshold = wording.number(check.value), wording.threshold(check)
    return f"| {_cell(check.id)} | {status} | {value} | {threshold} | {_cell(check.basis)} |"


def _guarantees(evidence: Told) -> list[str]:
    if not evidence.guarantees:
        return []
    rows = [_guarantee(item) for item in evidence.guarantees]
    return ["| guarantee | standing | ε | δ |", "|---|---|--:|--:|", *rows, ""]


def _guarantee(item: ToldGuarantee) -> str:
    standing = f"{wording.mark(item.status)} {wording.word(item.status)}"
    order = "" if item.order is None else f" (Rényi, order {wording.number(item.order)})"
    return f"| {_cell(item.title)} | {standing} | {wording.number(item.epsilon)}{order} | {wording.number(item.delta)} |"


def _cell(text: str) -> str:
    return _escaped(wording.short(text, LONGEST_CELL))


def _escaped(text: str) -> str:
    """Text from outside, cleaned and folded into one line that Markdown shows as it stands.

    A zero-width space stands where an address, a number or the name of an account would turn into a link.
    """
    broken = _LINKING.sub(_ZERO_WIDTH, wording.shown(text).strip())
    plain_html = broken.translate(_HTML)
    return _MARKUP.sub(lambda found: f"{found[0][:-1]}\\{found[0][-1]}", plain_html)
