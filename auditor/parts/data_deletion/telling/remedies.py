"""What to do about statelessness that was not found."""

from __future__ import annotations

from collections.abc import Iterator

from auditor.base.domain import Reason
from auditor.pages import wording, words
from auditor.pages.remedies.advice import Advice, Owner, Subject, Tell, executed
from auditor.pages.words.texts import text
from auditor.parts.data_deletion.judging import state_stateless


def stateless(about: Subject) -> Iterator[Advice]:
    """Wipe what survives an update, by its name; or give the methods by which an update can be resumed."""
    requests = executed(about.told)
    if about.fails:
        derived = about.check.derived_as(state_stateless.Derived)
        carried = [] if derived is None else [each.name for each in derived.carried]
        names = [wording.shown(words.sentence(each) if isinstance(each, Reason) else each) for each in carried]
        yield Advice(
            found=text("remedy-state-found", names=wording.listed(names)) if names else text("remedy-state-hidden-found"),
            action=text("remedy-state", names=wording.listed(names)) if names else text("remedy-state-hidden"),
            owner=Owner.MODEL,
            requests=requests,
            tell=Tell.MODEL,
        )
        return
    seen = about.check.observed_as(state_stateless.Observed)
    why = None if seen is None else seen.untried
    yield Advice(
        found=wording.shown(about.check.basis)
        if why is None
        else text("remedy-state-untried-found", why=wording.shown(words.sentence(why))),
        action=text("remedy-state-untried"),
        owner=Owner.MODEL,
        requests=requests,
        tell=Tell.OPEN,
    )
