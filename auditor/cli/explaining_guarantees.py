"""What `auditor explain` says of a guarantee: the theorems that lead to it, and in one audit its tree and the steps to it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from auditor.base.errors import UsageError
from auditor.base.parts import modules
from auditor.terminal.output import print_json, say

if TYPE_CHECKING:
    from auditor.pages.derivation_tree import Tree
    from auditor.pages.words.rendered_evidence import Told
    from auditor.verdict.theorems import Theorem


def explained() -> Mapping[str, tuple[Theorem, ...]]:
    """The guarantees of a whole controller and of its learner, by id, each with the theorems that lead to it."""
    return {name: those for module in modules("theorems") for name, those in getattr(module, "ROUTES", {}).items()}


def explain(identity: str, evidence: Path | None, *, as_json: bool) -> None:
    """Say what a guarantee follows from, in general and in one audit.

    Raises:
        UsageError: If the audit does not list it.
    """
    told = None if evidence is None else _told(evidence, identity)
    if as_json:
        print_json(_as_json(identity, told))
        return
    for line in (*_general(identity), *(() if told is None else _of_audit(identity, told))):
        typer.echo(line)


def _general(identity: str) -> Iterator[str]:
    """The theorems that lead to it, with what each needs."""
    from auditor.pages.words.guarantees import STATEMENTS, TITLES  # noqa: PLC0415

    yield f"{identity}: {TITLES[identity]}"
    for rule in explained()[identity]:
        yield ""
        yield rule.citation if rule.concludes else say("cli-explain-placed", rule=rule.citation)
        yield from (f"  - {STATEMENTS[name]}" for name in rule.needs)


def _told(evidence: Path, identity: str) -> Told:
    from auditor.document import evidence_files  # noqa: PLC0415
    from auditor.pages.words.rendered_evidence import tell  # noqa: PLC0415

    told = tell(evidence_files.read(evidence))
    if identity not in {each.id for each in told.guarantees}:
        raise UsageError(f"explain: expected a guarantee of {evidence}, found {identity}, which that audit does not list")
    return told


def _of_audit(identity: str, told: Told) -> Iterator[str]:
    """Its tree in one audit, the steps to a firmer one, and what it means for a person."""
    from auditor.pages import derivation_tree, wording  # noqa: PLC0415

    tree = derivation_tree.of(told, identity)
    yield ""
    if tree is None:
        found = next(each for each in told.guarantees if each.id == identity)
        yield say("cli-explain-nothing", title=found.title, name=wording.shown(told.case.name))
    else:
        yield from _drawn(tree)
    steps = derivation_tree.steps(told, identity)
    if steps:
        yield ""
        yield say("cli-explain-steps")
        yield from (f"  - {each}" for each in steps)
    yield ""
    yield " ".join(wording.shown(each) for each in derivation_tree.person(told))


def _drawn(tree: Tree) -> Iterator[str]:
    """The tree as lines."""
    from auditor.pages import derivation_tree, wording  # noqa: PLC0415

    yield f"{wording.mark(tree.status)} {derivation_tree.titled(tree)}"
    yield f"  {tree.rule}"
    for leaf in tree.leaves:
        yield f"    {wording.mark(leaf.how)} {derivation_tree.premise_line(leaf)}"


def _as_json(identity: str, told: Told | None) -> dict[str, Any]:
    from auditor.pages import derivation_tree  # noqa: PLC0415
    from auditor.pages.words.guarantees import TITLES  # noqa: PLC0415

    rules = [{"id": each.id, "citation": each.citation, "needs": list(each.needs)} for each in explained()[identity]]
    shown: dict[str, Any] = {"id": identity, "title": TITLES[identity], "theorems": rules}
    if told is not None:
        tree = derivation_tree.of(told, identity)
        premises = [
            {"fact": each.name, "how": each.how.value, "by": each.by, "weakest": each.weakest}
            for each in (() if tree is None else tree.leaves)
        ]
        found = next(each for each in told.guarantees if each.id == identity)
        shown["audit"] = {
            "status": found.status.value,
            "epsilon": found.epsilon,
            "delta": found.delta,
            "premises": premises,
            "steps": list(derivation_tree.steps(told, identity)),
            "person": list(derivation_tree.person(told)),
        }
    return shown
