"""Writes docs/replies.md, the source of each statement of ten replies and letters: `python -m tests.replies_page`.

No table says which statement has which source: each source is changed or taken away in turn, and the statements that go with it
are those that rest on it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from datetime import date, timedelta
from pathlib import Path
from typing import Any

from auditor.base.domain import Extension, Regime, StorageState
from auditor.pages.letters import Extract
from auditor.pages.letters import page as letter_page
from auditor.pages.replies import Reply
from auditor.pages.replies.page import paragraphs
from reply_cases import REPLIES

PAGE = Path(__file__).parents[1] / "docs" / "replies.md"
ALWAYS = "every reply"
_HEAD = """# Reference: where each statement comes from

Written from ten replies and their letters, under three laws, by changing one source at a time (`make reference`): a statement
has the sources without which it would not be there.
A name in code is a column of the [log](reference.md#columns-of-a-deletion-log) or a key of audit.toml; *audit* is what checks
found, *deadline* the [rules of the law](deadlines.md); blanks are in brackets, each with what fills it.
[The letter](letter.md) says what each of the two may say.

The ten: {names}.
"""
Change = Callable[[Reply], Reply]


def _request(**changes: Any) -> Change:
    return lambda made: _with(made, request=made.letter.request.model_copy(update=changes))


def _case(**changes: Any) -> Change:
    return lambda made: _with(made, case=made.letter.case.model_copy(update=changes))


def _sender(key: str) -> Change:
    return lambda made: _with(made, sender=made.letter.sender.model_copy(update={key: None}))


def _model(**changes: Any) -> Change:
    return lambda made: _with(made, model=made.letter.model.model_copy(update=changes))


def _reply(**changes: Any) -> Change:
    return lambda made: replace(made, **changes)


def _with(made: Reply, **parts: Any) -> Reply:
    return replace(made, letter=made.letter.model_copy(update=parts))


def _late(made: Reply) -> Reply:
    return _request(late=not made.letter.request.late)(made)


def _due(made: Reply) -> Reply:
    return _request(due_on=made.letter.request.due_on + timedelta(days=1))(made)


def _ended(made: Reply) -> Reply:
    finished = made.letter.audit.finished_at
    return _with(made, audit=made.letter.audit.model_copy(update={"finished_at": finished.replace(year=2025)}))


def _promise(made: Reply) -> Reply:
    promise = made.letter.model.promise
    if promise is None:
        return made
    return _model(promise=promise.model_copy(update={"share": 0.9, "records": 7}))(made)


def _attested(made: Reply) -> Reply:
    promise = made.letter.model.promise
    return made if promise is None else _model(promise=promise.model_copy(update={"statements": (), "unsaid": ()}))(made)


_OTHER_DAY = date(2026, 1, 2)
SOURCES: Mapping[str, tuple[Change, ...]] = {
    "`request_id`": (_request(request_id="another"),),
    "`subject`": (lambda made: _request(subject=None if made.letter.request.subject else "p-1")(made),),
    "`regime`": tuple(_request(regime=each) for each in Regime),
    "`received_at`": (_request(received_on=_OTHER_DAY),),
    "`status`": (_request(status="unknown"), _request(status="open"), _request(status="executed")),
    "`answered_at`": (_request(answered_on=None), _request(answered_on=_OTHER_DAY)),
    "`data_erased_at`": (_request(erased_on=None), _request(erased_on=date(2027, 1, 2))),
    "`model_erased_at`": (_request(model_erased_on=None), _request(model_erased_on=date(2027, 1, 2))),
    "`storage_state`": (_request(storage_state=None), _request(storage_state=StorageState.LOGICAL)),
    "`erasure_ground`": (_reply(ground=None),),
    "`kept`": (_reply(kept=None), _reply(kept=()), _request(kept=())),
    "`recipients_notified`": (_request(recipients=None), _request(recipients=())),
    "`identity_check`": (_reply(identity_check=None), _reply(identity_check="x")),
    "`identity_checked_at`": (_reply(identity_checked_on=None), _reply(identity_checked_on=_OTHER_DAY)),
    "`signatory`": (_reply(signatory=None), _reply(signatory="x")),
    "`reason`": (_request(reason=None), _request(reason="y")),
    "`exception`": (_request(exception=None), _request(exception="x")),
    "`ground`": (_request(ground=None), _request(ground="x")),
    "`extension`": (_request(extension=None, extended=False), _request(extension=Extension(reason="x"))),
    "`clock_pauses`": (
        _request(pauses=(), asked=(), paused_days=0, waiting=False, in_doubt=False),
        lambda made: _request(waiting=False, paused_days=0)(replace(made, waits=())),
    ),
    "`undertaking`": (_request(undertaking=None),),
    "`late_reason`": (_request(late_reason=None), _request(late_reason="x")),
    "deadline": (_late, _due, _request(in_doubt=False), _request(latest=None), _request(moved_from=None)),
    "`[case] controller`": (_sender("controller"),),
    "`[case] contact`": (_sender("contact"),),
    "`[case] authority`": (_sender("authority"),),
    "`[case] dpo`": (_sender("dpo"),),
    "`[case] in_use_since`": (_case(in_use_since=None),),
    "`[case] run_by`": (lambda made: _with(made, audit=made.letter.audit.model_copy(update={"relation": None})),),
    "`[[outside]]`": (_case(outside=()),),
    "`[claims] attested`": (_attested, _request(word=None), lambda made: _attested(_request(word=None)(made))),
    "audit": (
        *(_request(search=each) for each in ("found", "not-found", "open", "not-examined")),
        *(_model(forgot=each, promise=None) for each in ("failed", "open", "not-examined", "attacks")),
        *(_model(**{name: ()}) for name in ("failed", "open", "not_run", "noticed", "unsettled", "broke_off")),
        _case(model_examined=False),
        _request(findings=()),
        _ended,
        _promise,
    ),
}
"""What a statement may rest on, and how it is changed or taken away."""


def statements_of_reply(made: Reply) -> Iterator[str]:
    """Everything that a reply says, blanks included."""
    yield from (each.text for each in paragraphs(made))


def statements_of_letter(made: Reply) -> Iterator[str]:
    """Everything that the letter of a reply says."""
    yield from statements_of_extract(made.letter)


def statements_of_extract(letter: Extract) -> Iterator[str]:
    """Everything that a letter says but for names, addresses and labels."""
    page = letter_page.page(letter)
    yield from (page.head, page.short, *page.dates, *(each for row in page.rows for each in row.sentences))
    yield from (page.rights.complain, page.rights.authority or "", *page.rights.further, page.rights.contact)
    yield from (
        *page.statements,
        page.stated,
        page.further_by,
        *page.further,
        *page.number,
        *page.found,
        *page.unsettled,
        *page.contradictions,
    )
    yield from (*page.topics, *page.limits, *page.places, *page.about, page.goes_with)


def sources(said: Callable[[Reply], Iterator[str]]) -> dict[str, dict[str, None]]:
    """Find the sources of each statement of the ten."""
    found: dict[str, dict[str, None]] = {}
    for make in REPLIES.values():
        made = make()
        before = dict.fromkeys(each for each in said(made) if each)
        for name, changes in SOURCES.items():
            left = [set(said(change(made))) for change in changes]
            for each in before:
                rests = found.setdefault(each, {})
                if any(each not in one for one in left):
                    rests[name] = None
    return found


def page() -> str:
    """Write the page."""
    parts = [_HEAD.format(names="; ".join(f"*{name}*" for name in REPLIES))]
    for title, said in (("The replies", statements_of_reply), ("Their letters", statements_of_letter)):
        rows = (f"| {_cell(each)} | {', '.join(rests) or ALWAYS} |" for each, rests in sources(said).items())
        parts.append("\n".join((f"## {title}", "", "| statement | source |", "| --- | --- |", *rows)) + "\n")
    return "\n".join(parts)


def _cell(said: str) -> str:
    return said.replace("\u200b", "").replace("|", "\\|").replace("[", "\\[").replace("<", "&lt;")


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
