"""`state.stateless`: the same updates with everything but the model wiped must give the same law.

A deletion algorithm that relies on secret states can reveal a deleted record for ever (Chourasia and Shah 2023, Theorem 3.2);
data deletion asks for none (their Section 4). Of a built-in procedure what an update reads is known by construction. Any other is
tried: updates are run in one process and resumed in fresh ones, from the released parameters alone and from the file of `save`;
so are a few updates of the log itself, for a state that acts late.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Final

from auditor.base.domain import Fact, Message, Provenance, Status
from auditor.document.evidence import case_digest
from auditor.parts.data_deletion.cards import STATE_STATELESS
from auditor.parts.data_deletion.judging.goals import is_meant
from auditor.parts.release.judging.release_exact.observed import drawn
from auditor.settings.builtin import Carried, Procedure
from auditor.settings.tables import Claims, Policy
from auditor.verdict.checks.context import Context
from auditor.verdict.checks.definition import Definition
from auditor.verdict.checks.finding import Earlier, Finding, Values
from auditor.verdict.checks.levels import Level, share, spent
from auditor.verdict.checks.stated import Amount, Count, Share
from auditor.verdict.decisions import decide_at_most
from auditor.verdict.guarantees import fact

CARD: Final = STATE_STATELESS

TEST: Final = "resumed"
"""The share of the level that both comparisons of laws are held to."""
SIGNIFICANT: Final = share(TEST) / 2
"""At which a difference of laws counts: of those from the released parameters, and of those from the saved file."""
_NAMED: Final = 3
"""Names that a sentence lists."""


class Source(StrEnum):
    """What an update was resumed from."""

    PARAMETERS = "the released parameters alone"
    FILE = "the file that save() wrote"


class Came(StrEnum):
    """What became of updates that were resumed."""

    SAME = "the same"
    OTHERWISE = "otherwise"
    UNDECIDED = "not told apart"
    """Laws that no difference was found between."""
    REFUSED = "refused"


class Other(Values):
    """An update that gave another model once everything but the model was wiped."""

    after: Count
    """The update after which it was resumed; 0 for learning."""
    difference: Amount | None
    """The largest absolute difference of parameters or predictions; None where not even their numbers agree."""


class Resumed(Values):
    """Updates resumed in fresh processes from one kind of file."""

    refused: Message | None = None
    """Why they could not be."""
    others: tuple[Other, ...] = ()
    p: Share | None = None
    """Where two runs of the same differ: the p-value of original and resumed run having one law; None where not compared."""
    after: Count | None = None
    """The update after which those were resumed."""


class Kept(Values):
    """Something in addition to the model that outlived an update, or that an update reads."""

    name: str | Message
    kind: str


class OfLog(Values):
    """Updates of the log itself, resumed in fresh processes from the released parameters alone."""

    after: tuple[Count, ...]
    """The batches after which one was resumed; 0 for learning."""
    refused: Message | None = None
    """Why they could not be."""
    others: tuple[Other, ...] = ()
    steady: bool = True
    """Whether what differs does so again, and the log run once more gives the same: else chance may have played a part."""


class Tried(Values):
    """What became of updates that were run in one process, and resumed in fresh ones."""

    updates: Count
    """Deletions of one record each."""
    deterministic: bool
    """Whether two runs of the same gave the same models."""
    slow: bool
    """Whether the procedure is too slow for its laws to be compared."""
    pairs: Count
    """Originals whose law is compared, each with a run that was resumed from it."""
    survived: Count
    """How much of what an update changed was still there after the last."""
    survivors: tuple[Kept, ...]
    """The first hundred of these."""
    from_parameters: Resumed
    from_file: Resumed
    of_log: OfLog | None = None
    """None where no update of the log was resumed, as where chance plays a part."""


class Observed(Values):
    """What the experiment showed; nothing of a built-in procedure, of which what is carried is known."""

    untried: Message | None = None
    """Why it could not be made."""
    tried: Tried | None = None


class Case(Values):
    """A distinguishing case."""

    after: int
    difference: float | None
    how: Message


class CameOut(Values):
    """What the updates resumed from one kind of file came to."""

    came: Came
    cases: tuple[Case, ...]
    reason: Message | None


class Derived(Values):
    """What is carried from one update to the next."""

    by_construction: bool
    carried: tuple[Kept, ...]
    """By name, a hundred at most."""
    cases: tuple[Case, ...]
    updates: int
    deterministic: bool | None


class DerivedOfRuns(Derived):
    """The same, where updates were resumed."""

    resumed: tuple[dict[str, str | Message | None], ...]
    """For each kind of file what it was, what the updates came to, and why they could not be resumed."""
    p_values: dict[str, float]


def counts(claims: Claims, policy: Policy, procedure: Procedure) -> bool:
    """Whether the check counts: where data deletion is certified or claimed, or where the policy lists it."""
    return is_meant(claims, procedure) or CARD.id in (policy.required or ())


def updates_of_log(context: Context) -> tuple[int, ...]:
    """Say after which batches, 0 for none, the next is resumed: the first, the middle and the last update, and a drawn one."""
    batches = context.log.batches
    if batches < 2:  # there is no earlier one to draw
        return tuple(range(batches))
    at_random = drawn(case_digest(context.case.inputs), context.audit.seed, batches)
    return tuple(sorted({0, batches // 2, at_random, batches - 1}))


def judge(context: Context, observed: Observed, _earlier: Earlier) -> Finding:
    """Count the distinguishing cases; none may be found. One that could not be tried is open."""
    carried = context.procedure.carried
    if carried is not None:
        return _by_construction(context, carried)
    if observed.tried is None:
        derived = Derived(by_construction=False, carried=(), cases=(), updates=0, deterministic=None)
        return _finding(context, None, (Message("state.stateless.not-shown", {"why": observed.untried}),), derived)
    return _tried(context, observed.tried)


def _by_construction(context: Context, carried: Carried) -> Finding:
    reasons = (Message("state.stateless.by-construction", {"reads": carried.reads}),)
    named = carried.beyond if carried.in_part is None else (*carried.beyond, carried.in_part)
    cases = tuple(
        Case(after=1, difference=None, how=Message("state.stateless.case.by-construction", {"what": what}))
        for what in carried.beyond
    )
    derived = Derived(
        by_construction=True,
        carried=tuple(Kept(name=what, kind="attribute") for what in named),
        cases=cases,
        updates=0,
        deterministic=True,
    )
    if carried.in_part is not None:
        return _finding(context, None, reasons, derived)
    evidence = Message("fact.stateless.built-in", {"procedure": context.procedure.built_in, "reads": carried.reads})
    known = fact("stateless", Provenance.REFUTED if cases else Provenance.COMPUTED, evidence)
    return _finding(context, len(cases), reasons, derived, known)


def _tried(context: Context, ran: Tried) -> Finding:
    released, saved = _came_out(ran, ran.from_parameters, Source.PARAMETERS), _came_out(ran, ran.from_file, Source.FILE)
    cases, kept = (*released.cases, *saved.cases), ran.survivors
    begin = Message("state.stateless.resumed", {"updates": ran.updates})

    def derived(*, found: bool) -> DerivedOfRuns:
        return DerivedOfRuns(
            by_construction=False,
            carried=kept,
            cases=cases if found else (),
            updates=ran.updates,
            deterministic=ran.deterministic,
            resumed=tuple(
                {"from": source.value, "came_out": each.came.value, "reason": each.reason}
                for source, each in ((Source.PARAMETERS, released), (Source.FILE, saved))
            ),
            p_values={
                source.value: each.p
                for source, each in ((Source.PARAMETERS, ran.from_parameters), (Source.FILE, ran.from_file))
                if each.p is not None
            },
        )

    match released.came, saved.came:
        case (Came.SAME, Came.SAME | Came.REFUSED):
            late = _of_log(context, ran.of_log)
            if isinstance(late, Message):
                return _finding(context, None, (begin, Message("state.stateless.not-shown", {"why": late})), derived(found=False))
            if not late:
                reasons = (begin, Message("state.stateless.same"), *_said_of_log(context))
                reasons += (_listed("state.stateless.survived", ran),) if kept else ()
                known = fact("stateless", Provenance.MEASURED, Message("fact.stateless.not-refuted"))
                return _finding(context, 0, reasons, derived(found=False), known)
            cases, words = late, Message("state.stateless.acts-late", {"updates": [each.after + 1 for each in late]})
        case (Came.SAME, Came.OTHERWISE):
            return _finding(context, None, (begin, Message("state.stateless.file-differs")), derived(found=False))
        case (Came.OTHERWISE, Came.SAME):
            words = Message("state.stateless.file-holds-more")
            kept = (Kept(name=Message("state.stateless.in-the-file"), kind="model file"),)
        case _ if cases:
            words = _listed("state.stateless.outlived", ran) if kept else Message("state.stateless.outlived-unseen")
        case _:
            open_ = Message("state.stateless.not-shown", {"why": _open(ran, released, saved)})
            return _finding(context, None, (begin, open_), derived(found=False))
    evidence = (
        Message("fact.stateless.carried", {"names": [each.name for each in kept[:_NAMED]]})
        if kept
        else Message("fact.stateless.carried-unseen")
    )
    known = fact("stateless", Provenance.REFUTED, evidence)
    return _finding(context, len(cases), (begin, words), derived(found=True), known)


def _of_log(context: Context, resumed: OfLog | None) -> tuple[Case, ...] | Message:
    """The updates of the log that gave another model from the released parameters alone; the reason where that is open."""
    wanted = updates_of_log(context)
    if not wanted:
        return ()
    if resumed is None or not set(wanted) <= set(resumed.after):
        return Message("state.stateless.open.log", {"after": list(wanted)})
    if resumed.refused is not None:
        return resumed.refused
    if not resumed.steady:
        return Message("state.stateless.open.log-by-chance")
    how = Message("state.stateless.case.log")
    return tuple(Case(after=each.after, difference=each.difference, how=how) for each in resumed.others)


def _said_of_log(context: Context) -> tuple[Message, ...]:
    updates = [each + 1 for each in updates_of_log(context)]
    return (Message("state.stateless.log-same", {"updates": updates}),) if updates else ()


def _came_out(ran: Tried, route: Resumed, source: Source) -> CameOut:
    """What updates resumed from one kind of file came to: another model, or another law where chance plays a part."""
    if route.refused is not None:
        return CameOut(came=Came.REFUSED, cases=(), reason=route.refused)
    if ran.deterministic:
        how = Message("state.stateless.case.resumed", {"source": source.value})
        cases = tuple(Case(after=each.after, difference=each.difference, how=how) for each in route.others)
        return CameOut(came=Came.OTHERWISE if cases else Came.SAME, cases=cases, reason=None)
    if route.p is None or route.after is None or route.p > SIGNIFICANT:
        return CameOut(came=Came.UNDECIDED, cases=(), reason=None)
    how = Message("state.stateless.case.law", {"source": source.value, "p": route.p, "pairs": ran.pairs})
    return CameOut(came=Came.OTHERWISE, cases=(Case(after=route.after, difference=None, how=how),), reason=None)


def _open(ran: Tried, released: CameOut, saved: CameOut) -> Message:
    """Why nothing was shown either way."""
    if ran.slow:
        return Message("state.stateless.open.slow")
    if not ran.deterministic:
        return Message("state.stateless.open.laws")
    routes = ((Source.PARAMETERS, released), (Source.FILE, saved))
    refused = [{"source": source.value, "why": each.reason} for source, each in routes if each.came is Came.REFUSED]
    return Message("state.stateless.open.refused", {"refused": refused, "same_from_file": saved.came is Came.SAME})


def _listed(code: str, ran: Tried) -> Message:
    rows = [{"name": each.name, "kind": each.kind} for each in ran.survivors[:_NAMED]]
    return Message(code, {"kept": rows, "more": max(ran.survived - _NAMED, 0)})


def _finding(
    context: Context, value: int | None, reasons: tuple[Message, ...], derived: Derived, known: Fact | None = None
) -> Finding:
    """Of a check that does not count the value stands, and the status is skipped."""
    counted = counts(context.claims, context.policy, context.procedure)
    return Finding(
        status=decide_at_most(value, 0.0) if counted else Status.SKIPPED,
        value=None if value is None else float(value),
        threshold=0.0,
        reasons=reasons if counted else (*reasons, Message("state.stateless.informative")),
        derived=derived,
        facts=() if known is None else (known,),
    )


def levels(_context: Context, observed: Observed, _finding: Finding) -> tuple[Level, ...]:
    """Declare the exact tests of signs by which laws are compared; where runs are deterministic no difference is chance."""
    tried = observed.tried
    able = tried is not None and not tried.deterministic and 2.0 ** (1 - tried.pairs) <= SIGNIFICANT
    return (spent(TEST),) if able else ()


CHECK = Definition(
    CARD,
    Observed,
    judge,
    derived=(Derived, DerivedOfRuns),
    replays=True,
    first=lambda context: not counts(context.claims, context.policy, context.procedure),
    levels=levels,
    wanted=lambda context: counts(context.claims, context.policy, context.procedure),
)
