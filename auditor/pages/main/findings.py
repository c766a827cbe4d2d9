"""The second page: the questions that an officer asks, each answered yes, no or not known, with one line of proof."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final, Literal

from auditor.base.domain import ClaimStatus, Status
from auditor.pages import right_guesses, wording, words
from auditor.pages.main import Light, people, times
from auditor.pages.main.opinion import allowed_by_noise, having, hidden_by_chance, named, search, status
from auditor.pages.words import guarantees, guesses, informative_findings, lists, numbers, premises
from auditor.pages.words import verdict as verdicts
from auditor.pages.words.informative_findings import Met
from auditor.pages.words.rendered_evidence import Told, ToldCheck
from auditor.pages.words.texts import text
from auditor.settings.attestations import ATTESTABLE, RELEASED
from auditor.verdict import examination, request_status
from auditor.verdict.checks import the
from auditor.verdict.checks.card import Role
from auditor.verdict.checks.readings import Accuracies
from auditor.verdict.examination import ModelFile
from auditor.verdict.grade import Agreement, agreement

Answer = Literal["yes", "no", "trust", "unknown", "not-asked"]
_NATURAL: Final[Mapping[Met, Answer]] = {Met.MET: "yes", Met.NOT_MET: "no"}
"""What a check without a threshold of the policy comes to by the threshold that nobody has to declare."""


_OF_PROGRAM: Final = {"noise": Role.REPORTING_NOISE, "program": Role.HISTORY, "kept": Role.SEARCHES}
"""What is asked of a whole controller, and the role of the check that answers; of noise only where there is some."""


@dataclass(frozen=True, slots=True)
class Question:
    """One question with its answer: yes is always the good one."""

    asked: str
    answer: Answer
    word: str
    proof: str
    part: str
    """The part of the report that says more: the anchor of a page."""
    in_part: bool = False
    """Whether a yes answers only a part of what the number promises."""

    @property
    def light(self) -> Light:
        """Its mark; never a full one for what is taken on trust, or answered in part."""
        return (
            Light.HALF
            if self.in_part
            else {"yes": Light.FULL, "trust": Light.HALF, "no": Light.BAD}.get(self.answer, Light.EMPTY)
        )


def questions(told: Told) -> tuple[Question, ...]:
    """What was found, question by question, those that are answered no first."""
    if told.evidence.places_alone:
        return tuple(sorted((_erased(told), *_times(told), _log(told)), key=lambda each: each.answer != "no"))
    if not told.evidence.learns:
        return tuple(sorted(_of_program(told), key=lambda each: each.answer != "no"))
    model = (_erased(told), _file(told), _promise(told), _attacks(told), *_deleting(told), *_rebuilding(told), _agree(told))
    found = (*model, *_times(told), _log(told), _useful(told))
    return tuple(sorted(found, key=lambda each: each.answer != "no"))


def chances(told: Told) -> str:
    """How often an honest case like this one would be accused, or left open, by chance."""
    return verdicts.chances(told.evidence)


def quotable(told: Told) -> str:
    """Say the result in one sentence for readers who know no id: checks by their titles, statements in a few words."""
    titles = {check.id: f"“{wording.shown(check.title)}”" for check in told.checks}
    said = {name: f"“{premises.brief(name)}”" for name in ATTESTABLE}
    known = said | titles
    ids = re.compile("|".join(rf"(?<![\w.-]){re.escape(each)}(?![\w-])" for each in sorted(known, key=len, reverse=True)))
    return ids.sub(lambda found: known[found[0]], wording.shown(told.opening))


def _question(name: str, answer: Answer, proof: str, part: str) -> Question:
    return Question(text(f"main-ask-{name}"), answer, text(f"main-answer-{answer}"), proof, part)


def _answer(check: ToldCheck | None, *, trusted: bool = False) -> Answer:
    match None if check is None else check.status:
        case Status.PASS:
            return "trust" if trusted else "yes"
        case Status.FAIL:
            return "no"
        case _:
            return "unknown"


def _of_program(told: Told) -> Iterator[Question]:
    """What is asked of a whole controller: whether its state shows the past, and whether it keeps anything of who has left."""
    trusted = bool(verdicts.unchecked(told.evidence))
    for name, role in _OF_PROGRAM.items():
        check = named(told, role)
        if name == "noise" and (check is None or check.status is Status.SKIPPED):
            continue
        proof = text("main-proof-not-run") if check is None or check.status is Status.SKIPPED else wording.shown(check.basis)
        if name == "program" and (allowed := allowed_by_noise(told)) is not None:
            proof = text("main-proof-program-within", **allowed)
        elif name == "program" and hidden_by_chance(told):
            proof = text("main-proof-program-fresh")
        yield _question(name, _answer(check, trusted=trusted), proof, "annex")


def _erased(told: Told) -> Question:
    check, seen = named(told, examination.searching(told.evidence)), search(told)
    if check is None or seen is None:
        return _question("erased", "unknown", text("main-proof-not-run"), "outside")
    places = wording.plural(len(seen.searched), "place")
    # Ids of which nothing is held are searched for as well, and are no deleted records.
    deleted = min(seen.deleted, request_status.became(told.evidence).records)
    given = {"records": wording.plural(deleted, "deleted-record"), "places": places}
    found = int(check.value or 0)
    if check.status is Status.FAIL and found:
        where = lists.listed([wording.shown(words.sentence(each.place)) for each in seen.searched if each.found])
        return _question(
            "erased", "no", text("main-proof-erased-found", found=wording.number(found), where=where, **given), "outside"
        )
    answer = _answer(check, trusted=examination.on_trust(told.evidence))
    proof = text("main-proof-erased-open" if answer == "unknown" else "main-proof-erased", **given)
    if told.case.store is None and not told.evidence.places_alone:
        proof = f"{proof} {text('main-proof-erased-no-store')}"
    return _question("erased", answer, proof, "outside")


def _file(told: Told) -> Question:
    own = told.case.parameters is None
    match examination.model_file(told.evidence):
        case ModelFile.SAME if own:
            return _question("file", "yes", text("main-proof-file-saved"), "outside")
        case ModelFile.SAME:
            return _question("file", "yes", text("main-proof-file-same", count=wording.number(told.case.parameters)), "outside")
        case ModelFile.OTHER:
            return _question("file", "no", text("main-proof-file-own-other" if own else "main-proof-file-other"), "outside")
        case ModelFile.PART:
            said = any(each.name == RELEASED and each.standing == "said" for each in told.evidence.premises)
            proof = text("main-proof-file-part-said" if said else "main-proof-file-part")
            return _question("file", "trust" if said else "unknown", proof, "outside")
        case ModelFile.OPEN:
            return _question("file", "unknown", text("main-proof-file-open"), "outside")
        case ModelFile.NONE | ModelFile.ANSWERS:
            return _question("file", "unknown", text("main-proof-file-none"), "outside")


def _promise(told: Told) -> Question:
    count = len(verdicts.unchecked(told.evidence))
    if any(each.status is ClaimStatus.REFUTED for each in told.guarantees):
        return _question("promise", "no", text("main-proof-promise-refuted"), "promise")
    asked = "promise" if right_guesses.promised(told) is not None else "forget"
    if examination.carries(told.evidence):
        return _question(asked, "unknown", text("main-proof-promise-given"), "promise")
    if examination.retrained(told.evidence):
        return _question(asked, "trust" if count else "yes", text("main-proof-promise-exact"), "promise")
    held = [each for each in told.guarantees if each.status in {ClaimStatus.SHOWN, ClaimStatus.SUPPORTED}]
    if held:
        # What a guarantee takes for granted in its own words is unchecked too, though it counts as shown.
        shown = any(each.status is ClaimStatus.SHOWN for each in held) and not count
        names = "; ".join(wording.shown(guarantees.brief(each.id, each.title)) for each in held)
        proof = text("main-proof-promise-shown" if shown else "main-proof-promise-supported", names=names, count=count)
        return _question("promise", "yes" if shown else "trust", proof, "promise")
    failed = [check for check in having(told, Role.PROVES) if check.status is Status.FAIL]
    if failed:
        measured = [check for check in failed if check.value is not None]
        file = any(Role.EXAMINES_FILE in check.card.roles for check in measured)
        why = "file" if file else "broken" if measured else "premise"
        return _question("promise", "no", text(f"main-proof-promise-{why}"), "promise")
    return _question("promise", "unknown", text("main-proof-promise-none"), "promise")


def _attacks(told: Told) -> Question:
    if right_guesses.adaptive(told) and status(told, Role.ADAPTIVE) is Status.FAIL:
        return _question("attacks", "no", text("main-proof-attacks-requester"), "attacks")
    if status(told, Role.EXACT) is Status.PASS and status(told, Role.ATTACKS_RELEASE) is not Status.FAIL:
        return _unneeded(told)
    if not told.evidence.reruns:
        return _answered(told)
    release, game = (named(told, role) for role in (Role.ATTACKS_RELEASE, Role.ATTACKS_RECORDS))
    found = [check for check in (release, game) if check is not None and check.status is Status.FAIL]
    if found:
        of_file = examination.model_file(told.evidence) is not ModelFile.NONE
        of_release = "main-proof-attacks-release" if of_file else "main-proof-attacks-release-rerun"
        which = of_release if found[0] is release else "main-proof-attacks-game"
        return _question("attacks", "no", text(which), "attacks")
    if release is not None and release.status is Status.PASS:
        return _question("attacks", "yes", text("main-proof-attacks-none"), "attacks")
    return _question("attacks", "unknown", text(_undecided(told, release, game)), "attacks")


def _unneeded(told: Told) -> Question:
    """What follows where the rerun equals a retrained model, and nothing was attacked."""
    if (why := examination.beside_the_release(told.evidence)) is not None:
        return _question("attacks", "unknown", text(f"main-proof-attacks-{why}"), "attacks")
    same = examination.model_file(told.evidence) is ModelFile.SAME
    answer: Answer = "yes" if same and not verdicts.unchecked(told.evidence) else "trust"
    return _question("attacks", answer, text("main-proof-attacks-exact"), "attacks")


def _answered(told: Told) -> Question:
    """What answers say that the controller wrote down: on trust at best."""
    match status(told, Role.ATTACKS_ANSWERS):
        case Status.PASS:
            return _question("attacks", "trust", text("main-proof-attacks-answers"), "attacks")
        case Status.FAIL:
            return _question("attacks", "no", text("main-proof-attacks-answers-found"), "attacks")
        case _:
            return _question("attacks", "unknown", text("main-proof-attacks-open"), "attacks")


def _undecided(told: Told, release: ToldCheck | None, game: ToldCheck | None) -> str:
    """Give the message for attacks that decided nothing; one that sees as much as in an untouched model found something."""
    if any(each.message == "noticed-shows-as-much" for each in informative_findings.noticed(told.evidence)):
        return "main-proof-attacks-like-untouched"
    if game is not None and game.status is Status.PASS:
        return "main-proof-attacks-game-only"
    ran = any(each is not None and each.status is Status.INCONCLUSIVE for each in (release, game))
    return "main-proof-attacks-open" if ran else "main-proof-not-run"


def _deleting(told: Told) -> Iterator[Question]:
    """Whether the act of deleting shows, where deletion games were played."""
    best = right_guesses.deleting(told)
    if best is None:
        return
    played = [check for check in having(told, Role.NAMES_DELETED) if check.value is not None]
    yield _question("deleting", _together(told, played), text("main-proof-deleting", right=guesses.about(best)), "attacks")


def _rebuilding(told: Told) -> Iterator[Question]:
    """Whether a deleted record can be rebuilt, where that was tried."""
    tried = [check for check in having(told, Role.REBUILDS) if check.value is not None]
    if tried:
        yield _question("rebuilding", _together(told, tried), _rebuilt(tried), "attacks")


def _rebuilt(tried: Sequence[ToldCheck]) -> str:
    """Say how near the best guess at a deleted record came."""
    best = max(tried, key=_nearest)
    given = {"right": guesses.about(_nearest(best)), "chance": guesses.about(right_guesses.of(best).chance(best))}
    return text("main-proof-rebuilding", **given)


def _nearest(check: ToldCheck) -> float:
    """The share of games that the best attack won."""
    return max(right_guesses.of(check).shares(check), default=0.0)


def _together(told: Told, checks: Sequence[ToldCheck]) -> Answer:
    """One answer for several checks: no where one says so, yes where all do; without a limit by the natural threshold."""
    natural = informative_findings.informative(told.evidence)
    answers = {
        _NATURAL.get(natural.get(check.id, Met.NOT_KNOWN), "unknown") if check.status is Status.SKIPPED else _answer(check)
        for check in checks
    }
    return "no" if "no" in answers else "yes" if answers == {"yes"} else "unknown"


def _agree(told: Told) -> Question:
    """Whether attacks agree with the promise, as the grade counts it."""
    statuses = {check.id: check.status for check in told.evidence.checks}
    if examination.carries(told.evidence):
        # That both models are the same is no agreement where both were given something of the deleted records.
        statuses.pop(the(Role.EXACT, told.evidence.version), None)
    promised = right_guesses.promised(told) is not None
    found = agreement(statuses, promised=promised, version=told.evidence.version)
    answer: Answer = "yes" if found.agrees else "no" if found is Agreement.EXCEEDED else "unknown"
    proof = f"main-proof-agree-{found.value}"
    if found is Agreement.NO_PROMISE and examination.retrained(told.evidence):
        answer, proof = "not-asked", "main-proof-agree-none-made"
    if found is Agreement.UNTESTED and any(check.status is Status.INCONCLUSIVE for check in having(told, Role.CLEARS)):
        proof = "main-proof-agree-weak"
    if answer == "yes" and any(
        each.message == "noticed-claim-not-tested" for each in informative_findings.noticed(told.evidence)
    ):
        found_nothing = _question("agree", answer, text("main-proof-agree-other-number"), "attacks")
        return replace(found_nothing, word=text("common-in-part"), in_part=True)
    return _question("agree", answer, text(proof), "attacks")


def _times(told: Told) -> Iterator[Question]:
    for each in times.in_time(told):
        yield _question(each.name, each.answer, each.said, "people")


def _log(told: Told) -> Question:
    count, amended = len(people.problems(told)), len(people.amendments(told))
    check = named(told, Role.CHECKS_LOG)
    answer = _answer(check)
    if check is None:
        return _question("log", answer, text("main-proof-not-run"), "people")
    requests = wording.plural(told.deletion_log.requests, "request")
    rows = text("main-proof-log", count=count, amended=amended, requests=requests)
    if again := request_status.found_again(told.evidence):
        found = text("main-proof-log-again", count=again)
        return _question("log", "no", f"{rows} {found}" if count else found, "people")
    return _question("log", answer, rows, "people")


def _useful(told: Told) -> Question:
    check = named(told, Role.ACCURACY)
    found = None if check is None else check.derived
    if check is None or not isinstance(found, Accuracies):
        lacking = "regression" if told.case.task == "regression" else "none" if not told.case.holdout_records else "not-run"
        proof = text("main-proof-not-run" if lacking == "not-run" else f"main-proof-useful-{lacking}")
        return _question("useful", "unknown", proof, "annex")
    records = wording.plural(found.records, "record")
    given = {"ours": f"{100 * found.unlearned:.1f}", "fresh": f"{100 * found.retrained:.1f}", "records": records}
    if check.status is Status.SKIPPED:
        answer = _NATURAL.get(informative_findings.informative(told.evidence).get(check.id, Met.NOT_KNOWN), "unknown")
        return _question("useful", answer, text("main-proof-useful-no-limit", **given), "annex")
    if check.threshold is None or check.interval is None or check.value is None:
        return _question("useful", _answer(check), text("main-proof-useful-no-limit", **given), "annex")
    ends = (check.value, *check.interval)
    lost, low, high = (numbers.fixed(100 * each, 1) for each in ends)
    asked = text("main-ask-useful-allowed", allowed=wording.number(100 * check.threshold))
    said = _question("useful", _answer(check), text("main-proof-useful", lost=lost, low=low, high=high, **given), "annex")
    return replace(said, asked=asked)
