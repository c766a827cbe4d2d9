"""What `auditor scan` does with baselines: keep one before a deletion, compare with it afterwards, and destroy its key."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from auditor.base.errors import UsageError
from auditor.base.parts import constants
from auditor.terminal.output import narrate, print_json, say

if TYPE_CHECKING:
    from auditor.case import Case
    from auditor.case.baseline import Opened
    from auditor.document.evidence import Evidence


def refuse_in_place(path: Path, places: Sequence[Path]) -> None:
    """Refuse a baseline that lies in a place, which it would change.

    Raises:
        UsageError: If it does.
    """
    for place in places:
        if path.resolve().is_relative_to(place.resolve()):
            raise UsageError(f"{path}: expected a baseline outside {place}, which it is about")


def keep(case: Case, path: Path, days: int | None, *, as_json: bool, quiet: bool) -> None:
    """Write the baseline of a case before anybody is erased, and say what is in it.

    Raises:
        UsageError: If one is there already, or it cannot be written.
    """
    from auditor.audit.describing import stamp  # noqa: PLC0415
    from auditor.case import baseline as baselines  # noqa: PLC0415

    baselines.refuse_taken(path)
    named = {record for each in case.requests if each.status != "no_match" for record in each.record_ids}
    narrate(say("cli-scanning-before", places=len(case.places), records=len(named)), quiet=quiet)
    made = stamp()
    expires = baselines.expiry(made, baselines.DAYS if days is None else days)
    seal = baselines.Seal.new()
    made_of = next(constants("baselines"))(case, seal, made, expires)
    baselines.write(path, made_of, seal)
    counts, there = made_of.counts(), {who for (who, _), forms in made_of.forms.items() if any(forms.values())}
    people, planted = len(made_of.requests) - len(made_of.planted), len(made_of.planted)
    if as_json:
        print_json(
            {
                "baseline": str(path),
                "key": str(baselines.key_of(path)),
                "made_at": made.isoformat(),
                "expires_at": expires.isoformat(),
                "requests": people,
                "requests_there": len(there - made_of.planted),
                "planted": planted,
                "planted_there": len(there & made_of.planted),
                "forms": counts,
                "unread": made_of.unread,
            }
        )
        return
    key = baselines.key_of(path)
    typer.echo(
        say("cli-baseline-made", path=path, forms=sum(counts.values()), requests=people, there=len(there - made_of.planted))
    )
    if planted:
        typer.echo(say("cli-baseline-planted", planted=planted, there=len(there & made_of.planted)))
    if made_of.unread:
        narrate(say("cli-baseline-unread", files=made_of.unread))
    narrate(say("cli-baseline-personal", path=path, key=key, day=expires.date().isoformat()), quiet=quiet)


def open_baseline(path: Path) -> Opened:
    """Open a baseline for a comparison, before anything is searched.

    Raises:
        UsageError: If it cannot be used, with why.
    """
    from auditor.audit.describing import stamp  # noqa: PLC0415
    from auditor.case import baseline as baselines  # noqa: PLC0415

    return baselines.read(path, stamp())


def refuse_others(case: Case, path: Path, opened: Opened) -> None:
    """Refuse a baseline of another log or of other places.

    Raises:
        InputError: With what differs.
    """
    from auditor.case import baseline as baselines  # noqa: PLC0415

    baselines.refuse_others(path, opened, case.log_rows, case.places)


def end(path: Path, *, came: bool, keep_key: bool, quiet: bool) -> None:
    """Destroy the key, once results are written; not where there was no comparison.

    Raises:
        UsageError: If it cannot be removed, for where it lies.
        StorageError: If it cannot be for another reason.
    """
    from auditor.case import baseline as baselines  # noqa: PLC0415

    key = baselines.key_of(path)
    if keep_key or not came:
        narrate(say("cli-baseline-key-kept", path=path, key=key), quiet=quiet)
        return
    baselines.destroy(key)
    narrate(say("cli-baseline-key-destroyed", key=key), quiet=quiet)


def compared(evidence: Evidence) -> Mapping[str, Any] | None:
    """Give what a comparison observed; None where there was none."""
    seen = (each.observed or {} for each in evidence.checks)
    return next((each["compared"] for each in seen if each.get("compared") is not None), None)


def _state(person: Mapping[str, Any]) -> str:
    """What became of one person in one place."""
    before, after = (sum(person[when].values()) for when in ("before", "after"))
    if not after:
        return "gone"
    if after == person["after"].get("shared", 0):
        return "open"
    return "still" if before else "new"


def lines_of(since: Mapping[str, Any]) -> Iterator[str]:
    """Say what became of whom, person by person and place by place."""
    for each in since["people"]:
        counts = {when: sum(each[when].values()) for when in ("before", "after")}
        yield say("cli-baseline-person", request=each["request_id"], place=each["place"], state=_state(each), **counts)
    for name, state in (("absent", "absent"), ("added", "added")):
        for request in since.get(name, ()):
            yield say("cli-baseline-nobody", request=request, state=state)
    if since.get("planted"):
        counts = {when: since[f"planted_{when}"] for when in ("before", "after")}
        yield say("cli-baseline-canaries", planted=since["planted"], **counts)


def as_json_of(since: Mapping[str, Any]) -> dict[str, Any]:
    """Give the same for machines."""
    people = [{**each, "state": _state(each)} for each in since["people"]]
    return {"compared": {**since, "people": people}}
