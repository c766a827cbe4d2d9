"""Read finished pages against each other, as their readers do: no two statements about one thing differ.

Each pair was once a fault. It reads the page, the letter and the Markdown summary, not the judgement, and its `was` puts the
fault back: a pair that does not find its own fault guards nothing.
"""

from __future__ import annotations

import dataclasses
import io
import itertools
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Final

import pytest
from pypdf import PdfReader

import rechecks
from auditor.base.domain import ClaimStatus, Provenance, Status, Verdict
from auditor.pages import render, wording
from auditor.pages.main import Light, opinion
from auditor.pages.words.guarantees import STATEMENTS
from auditor.pages.words.texts import text
from auditor.settings.attestations import ATTESTABLE
from auditor.verdict.checks import definitions
from auditor.verdict.checks.card import Role
from cases import once
from finished_pages import ANNEX, Block, Finished, Page, finished, squeezed

NAMES = sorted(path.stem for path in rechecks.LATEST.glob("*.json"))
PRINTED: Final = (
    *("digits-newton", "digits-cheater", "tiny-transformer", "diabetes-tree"),
    *("digits-mlp-dp", "sqlite-plain", "bulletin-board", "trigram-model"),
)
"""Those that every run prints; the slow part prints all."""
FULL, HALF, BAD, EMPTY = Light.FULL.value, Light.HALF.value, Light.BAD.value, Light.EMPTY.value
MARKS: Final = frozenset(Light)
"""The cover, the second page and the crosswalk answer with the same four."""
NUMBER: Final = re.compile(r"(?<![\w.])\d[\d,]*(?:\.\d+)?(?![\w])")
HUNDRED: Final = re.compile(r"(\d+(?:\.\d+)?)(?: times out)? of 100")
Read = Callable[[Finished], Iterator[str]]
Put = Callable[[Finished], Finished]


@dataclass(frozen=True, slots=True)
class Pair:
    """Two statements that may not contradict each other."""

    read: Read
    """Gives both, in one line, wherever they do."""
    was: tuple[tuple[str, Put], ...]
    """Samples in which a fault was seen, with what puts it back into their finished pages."""

    @property
    def name(self) -> str:
        """What the pair is about."""
        return self.read.__name__


def changed(anchor: str, old: str, new: str, *, row: str = "") -> Put:
    """Change what a page says, in the rows that say something alone; what is replaced has to stand there, as a pattern."""

    def put(report: Finished) -> Finished:
        return dataclasses.replace(report, pages={**report.pages, anchor: _put(report.pages[anchor], old, new, row)})

    return put


def _put(page: Page, old: str, new: str, row: str = "") -> Page:
    blocks = tuple(
        each
        if row not in each.text
        else dataclasses.replace(
            each,
            cells=tuple(re.sub(old, lambda _: new, cell) for cell in each.cells),
            style=re.sub(old, lambda _: new, each.style),
        )
        for each in page.blocks
    )
    assert blocks != page.blocks, f"{old!r} does not stand on {page.title}"
    return dataclasses.replace(page, blocks=blocks)


def in_letters(old: str, new: str) -> Put:
    """The same of every letter."""
    return lambda report: dataclasses.replace(report, letters=tuple(_put(each, old, new) for each in report.letters))


def in_summary(old: str, new: str) -> Put:
    """The same of the summary."""

    def put(report: Finished) -> Finished:
        assert re.search(old, report.markdown), f"{old!r} does not stand in the summary"
        return dataclasses.replace(report, markdown=re.sub(old, lambda _: new, report.markdown))

    return put


def without(anchor: str, pattern: str) -> Put:
    """Take out what a page says."""

    def put(report: Finished) -> Finished:
        page = report.pages[anchor]
        blocks = tuple(each for each in page.blocks if not re.search(pattern, each.text))
        assert blocks != page.blocks, f"{pattern!r} does not stand on {anchor}"
        return dataclasses.replace(report, pages={**report.pages, anchor: dataclasses.replace(page, blocks=blocks)})

    return put


def numbers(said: str) -> set[str]:
    return set(NUMBER.findall(said))


def cell(page: Page, name: str) -> str:
    """What stands behind a name in a table or list of a page; empty where it is not there."""
    found = page.row(name)
    return "" if found is None else found.cells[-1]


def light_of(row: Block | None) -> str:
    """The mark of a row."""
    return "" if row is None else next((each for each in row.text if each in MARKS), "")


def recommended(report: Finished) -> str:
    return cell(report.cover, text("main-recommend-heading"))


_ROWS: Final = tuple(text(f"main-step-{name}") for name in ("why", "owner", "requests", "tell", "proof", "release", "command"))
_ROW: Final = re.compile(rf"(?:^|(?<=[\s.]))({'|'.join(map(re.escape, _ROWS))}): ")


def steps(report: Finished) -> list[tuple[str, dict[str, str]]]:
    """Every step in full with what is said under it, and in the rows that several share."""
    found: list[tuple[str, dict[str, str]]] = []
    for each in report.pages["todo"].blocks:
        if each.kind == "h2" and re.match(r"\d+ ", each.text):
            found.append((each.text, {}))
        elif each.kind == "pair" and each.cells[0] in _ROWS:
            found[-1][1][each.cells[0]] = each.cells[1]
        elif each.kind == "pair":
            shared = {int(number) for number in re.findall(r"\d+", each.cells[0])} or set(range(1, len(found) + 1))
            _, *said = _ROW.split(each.cells[1])
            for place, (_, under) in enumerate(found, start=1):
                if place in shared:
                    under |= dict(zip(said[::2], (one.strip() for one in said[1::2]), strict=True))
    return found


def asked(report: Finished, *names: str) -> Block | None:
    """The row of a question on the second page."""
    return next(
        (row for name in names if (row := report.pages["found"].row(text(f"main-ask-{name}"))) is not None),
        None,
    )


# Crosswalk: what a page is named for stands on it.
HELD_ON: Final[dict[str, Read]] = {
    "12": lambda report: iter(report.told.deletion_log.overdue[:1]),
    "cnil": lambda _: iter([text("main-step-owner")]),
    "iso": lambda report: iter(report.told.policy.required),
    "ai-act": lambda report: iter([wording.number(report.told.case.training_records)]),
}
"""By the duty: what the page that its row names has to say; of any other, the numbers of the row."""


def crosswalk(report: Finished) -> Iterator[str]:
    titles = {page.title: page for page in report.pages.values()} | {text("main-annex"): report.pages[ANNEX]}
    for name in (
        "5-2",
        "12",
        "12-uk",
        "12-ccpa",
        "17",
        "19",
        "24",
        "25",
        "30",
        "33",
        "35",
        "58",
        "77",
        "edpb",
        "erasure",
        "cnil",
        "iso",
        "nist",
        "ai-act",
        "ai-logs",
    ):
        row = report.pages["signoff"].row(text(f"main-law-{name}"))
        if row is None:
            continue
        shows = row.cells[2]
        title = max((each for each in titles if shows.endswith(f", {each}")), key=len, default=None)
        if title is None:
            continue  # the row itself says all that there is
        said = shows.removesuffix(f", {title}").lstrip(f"{''.join(MARKS)} ")
        page = titles[title]
        if said in {text("main-law-none"), text("main-law-missing")}:
            yield f"{row.text!r} sends its reader to {title!r} for nothing"
        elif name in HELD_ON:
            yield from (
                f"{row.text!r}: {title!r} does not say {held!r}" for held in HELD_ON[name](report) if held not in page.text
            )
        elif lacking := numbers(said) - numbers(page.text):
            yield f"{row.text!r}: {title!r} does not say {sorted(lacking)}"
        elif name in {"30", "35", "77"} and said[:60] not in page.text:
            yield f"{row.text!r}: {title!r} does not say {said[:60]!r}"


# Banner, recommendation and steps.
NOT_RELEASED: Final = re.compile(r"(?i)\bdo(?:es)? not (?:release|rely|use)|nothing should be released")
CONDITIONAL: Final = re.compile(r"(?i)\bwith conditions?\b")
FREE: Final = re.compile(r"(?i)\bneed not wait\b")
BESIDES: Final = re.compile(r"(?i)\bnot what holds the release back\b")


def advice(report: Finished) -> Iterator[str]:
    said, banner = recommended(report), next(each for each in report.cover.of("p") if each.style.startswith("headline"))
    if NOT_RELEASED.search(said) and "pass" in banner.style.split():
        yield f"a tick at {banner.text!r}, and {said!r}"
    for title, under in steps(report):
        meanwhile = under.get(text("main-step-release"), "")
        if FREE.search(meanwhile) and (CONDITIONAL.search(said) or NOT_RELEASED.search(said)):
            yield f"{said!r}, and of {title!r}: {meanwhile!r}"
        if CONDITIONAL.search(said) and BESIDES.search(meanwhile):
            yield f"{said!r}, and of {title!r}: {meanwhile!r}"
        if not NOT_RELEASED.search(said) and NOT_RELEASED.search(meanwhile):
            yield f"{said!r}, and of {title!r}: {meanwhile!r}"
    for line in report.markdown.splitlines():  # a pull request shows the summary alone
        if FREE.search(line) or (CONDITIONAL.search(said) and NOT_RELEASED.search(line) and line.startswith(("- ", "   - "))):
            yield f"{said!r}, and the summary: {line!r}"


def next_step(report: Finished) -> Iterator[str]:
    """Where nothing may be released, the cover ends its recommendation with the first step of the page."""
    said = recommended(report)
    if report.told.verdict is not Verdict.PASS:
        first = next((title.partition(" ")[2] for title, _ in steps(report)), text("main-action-again"))
        if not said.endswith(f" {first}"):
            yield f"{said!r}, first of what to do: {first!r}"


PASSED: Final = re.compile(r"(?i)\bprocedure passed\b")


def procedure(report: Finished) -> Iterator[str]:
    """A procedure that no deciding check tests is not said to have passed."""
    row = next((each for each in report.cover.of("row") if text("main-box-procedure") in each.cells), None)
    if light_of(row) in {EMPTY, BAD} and PASSED.search(recommended(report)):
        yield f"{'' if row is None else row.text!r} and {recommended(report)!r}"


# One number.
ATTACKED: Final = re.compile(r"best attack[^:]*: (\d+(?:\.\d+)?)")


def attacked(report: Finished) -> Iterator[str]:
    """An attack that was right more often than the limit is explained next to it, or the limit does not hold."""
    limit = HUNDRED.search(next((each.text for each in report.cover.of("p") if "number" in each.style.split()), ""))
    for each in report.cover.of("p"):
        found = ATTACKED.search(each.text)
        if limit and found and float(found[1]) > float(limit[1]) and "chance" not in each.text:
            yield f"at most {limit[1]}, and {each.text!r}"


def one_number(report: Finished) -> Iterator[str]:
    number = next((each.text for each in report.cover.of("p") if "number" in each.style.split()), "")
    covers = " ".join(each.text for each in report.cover.blocks)
    for letter in report.letters:
        said = next((each.text for each in letter.blocks if "100" in each.text and each.kind == "row"), "")
        for found in set(HUNDRED.findall(said)) - {"50"}:
            if number and found not in set(HUNDRED.findall(covers)):
                yield f"the cover {number!r}, a letter {said!r}"


# Searched.
SEARCHED: Final = re.compile(r"(?i)\bin the data (?:that were )?searched\b")


def searched(report: Finished) -> Iterator[str]:
    store = next((each for each in report.cover.of("row") if text("main-box-store") in each.cells), None)
    people = next((each for each in report.cover.of("row") if text("main-box-people") in each.cells), None)
    if store is not None and people is not None and report.told.case.store is None and SEARCHED.search(people.text):
        yield f"{store.text!r} and {people.text!r}"


# Refuted.
def refuted(report: Finished) -> Iterator[str]:
    """Where records were found again, nothing that says they were erased is answered yes."""
    erased = asked(report, "erased")
    if erased is None or not erased.cells[1].endswith(text("main-answer-no")):
        return
    for name in ("erased-by", "log"):
        row = asked(report, name)
        if row is not None and light_of(row) in {FULL, HALF}:
            yield f"{erased.text!r} and {row.text!r}"
    time = report.pages["signoff"].row(text("main-law-12"))
    if light_of(time) in {FULL, HALF}:
        yield f"{erased.text!r} and {'' if time is None else time.text!r}"
    for row in report.cover.of("row"):
        if text("main-box-erased-by") in row.cells and light_of(row) in {FULL, HALF}:
            yield f"{erased.text!r} and {row.text!r}"
    again = re.compile(r"(?i)found (?:your data )?again")
    # Without a model nothing but a person's own records is found: others are told of theirs.
    own = report.told.evidence.places_alone and any(again.search(each.text) for each in report.letters)
    for letter in report.letters:
        if not again.search(letter.text) and "NOT_LOCATED" not in letter.text and not own:
            yield f"{erased.text!r} and a letter that does not say so: {letter.blocks[1].text!r}"


LAWS: Final = ("12", "12-uk", "12-ccpa")


def late(report: Finished) -> Iterator[str]:
    """The cover and the crosswalk count late answers alike, as the check does; what is in doubt is counted apart."""
    row = next((each for each in report.cover.of("row") if text("main-box-informed-by") in each.cells), None)
    rows = [found for name in LAWS if (found := report.pages["signoff"].row(text(f"main-law-{name}"))) is not None]
    if row is None:
        return
    both = f"{row.text!r} and {[each.text for each in rows]}"
    counted, doubtful = (_summed(rows, rf"(\d+) {each}\b") for each in ("late", "in doubt"))
    check = next(each for each in report.told.checks if Role.CHECKS_DEADLINES in each.card.roles)
    if _summed([row], r"\bin (\d+) case") > counted or counted > (check.value or 0):
        yield both
    if _summed([row], r"(\d+) (?:more|requests?) (?:is|are) late, unless") != doubtful:
        yield both


def _summed(rows: Iterable[Block], pattern: str) -> int:
    return sum(int(found) for row in rows for found in re.findall(pattern, row.text))


def people(report: Finished) -> Iterator[str]:
    """Where an attack finds deleted people, the cover says so."""
    cover = next((each for each in report.cover.of("row") if text("main-box-people") in each.cells), None)
    for name in ("attacks", "deleting", "rebuilding"):
        row = asked(report, name)
        if row is None or cover is None or text("main-answer-no") not in row.cells[1].split():
            continue
        if light_of(cover) != BAD:
            yield f"{cover.text!r} and {row.text!r}"


# Conditions.
def conditions(report: Finished) -> Iterator[str]:
    """What the cover says was not examined of a base model is in the list of what its number rests on."""
    items = " ".join(each.text for each in report.cover.of("li"))
    number = next((each.text for each in report.cover.of("p") if "number" in each.style.split()), "")
    if number and report.told.case.base and not re.search(r"\bbase\b", items):
        yield f"{number!r}: {cell(report.cover, text('main-limit-heading'))!r} is not among {items!r}"
    rows = list(report.pages["promise"].of("row")) if "promise" in report.pages else []
    heads = [place for place, row in enumerate(rows) if text("promise-statement") in row.cells]
    listed = len(rows) - heads[0] - 1 if heads else 0 if rows else None
    counted = re.search(
        r"(\d+) (?:un)?checked statements?", next((each.text for each in report.cover.of("p") if "headline" in each.style), "")
    )
    if counted and listed is not None and int(counted[1]) != listed:
        yield f"{counted[0]!r} on the cover, {listed} in the list"


# Trials.
TRIAL: Final = re.compile(r"(?i)\btrial\b|\bmodels? made (?:in )?the same way\b")


def trials(report: Finished) -> Iterator[str]:
    """A number that attacks reached on models of a trial is called that wherever it stands."""
    on_trial = opinion.status(report.told, Role.ATTACKS_RECORDS) not in {None, Status.SKIPPED}
    for each in report.cover.blocks if on_trial else ():
        if (
            each.kind != "li"
            and re.search(r"(?i)\battacks? (?:found|guessed|reached)|\bbest attack\b", each.text)
            and not TRIAL.search(each.text)
        ):
            yield f"{each.text!r} does not say on which models"


# Counts.
def counts(report: Finished) -> Iterator[str]:
    """Records that were deleted are as many wherever they are counted, or the difference is named."""
    cover = re.search(r"deleted \(([\d,]+) records?\)", report.cover.text)
    if cover is None:
        return
    for name, page in report.pages.items():
        for each in page.blocks:
            for found in re.findall(r"([\d,]+) deleted records? were looked for", each.text):
                if found != cover[1] and "further" not in each.text:
                    yield f"{cover[0]!r} on the cover, {found} deleted records on {name}: {each.text[:120]!r}"
            for of in re.findall(r"of ([\d,]+) deleted records? were found", each.text):
                if of != cover[1]:
                    yield f"{cover[0]!r} on the cover, of {of} deleted records on {name}: {each.text[:120]!r}"


# Attacks that were not made.
def not_made(report: Finished) -> Iterator[str]:
    """An attack that applies and that the second page lists as not tested is called not made in the matrix of attacks."""
    if "attacks" not in report.pages:
        return
    untested = report.pages["found"].below(text("main-untested-title"))
    for kind, area in (("membership", "comparing"), ("reconstruction", "rebuilding")):
        name = text(f"attacks-kind-{kind}")
        row = next((each for each in report.pages["attacks"].of("row") if each.cells[0].startswith(name)), None)
        if (
            row is not None
            and text(f"main-untested-{area}") in untested
            and text("attacks-state-not-applicable") in row.cells[-1]
        ):
            yield f"{text(f'main-untested-{area}')!r} was not tested, and {row.text!r}"
    for row in report.pages["attacks"].of("row"):
        exact = opinion.status(report.told, Role.EXACT) is Status.PASS
        if (
            exact
            and row.cells[0].startswith(text("attacks-kind-membership"))
            and text("attacks-state-not-applicable") in row.cells[2]
        ):
            yield f"scores are given to those who attack, and {row.text!r}"


# Words of another procedure.
def other_procedures(report: Finished) -> Iterator[str]:
    """What trains again is not told about certified removal, but where it is one way among others, or the claim."""
    procedure, claims = report.told.procedure, report.told.policy.claims
    if not report.told.evidence.learns or procedure.settings.get("epsilon") is not None or "certified_removal" in claims:
        return
    if opinion.status(report.told, Role.EXACT) is not Status.PASS:
        return
    for name, page in report.main:
        for each in page.blocks:
            if "ertified removal" in each.text:
                yield f"{name}: {each.text[:200]!r}"
    for line in report.markdown.splitlines():
        if "ertified removal" in line and "○" not in line:
            yield f"summary: {line[:200]!r}"


def of_program(report: Finished) -> Iterator[str]:
    """What a database keeps of deleted rows goes by its own setting."""
    if report.told.procedure.use != "none" or "sqlite" not in str(report.told.case.name):
        return
    erasing = [title for title, _ in steps(report) if re.search(r"(?i)\berase\b|secure_delete", title)]
    for title in erasing:
        if "secure_delete" not in title:
            yield f"an SQLite database, and {title!r}"


VAGUE: Final = re.compile(
    r"(?i)\bwhat it lack(?:s|ed)\b|\bwhat it names\b|\bas the reason says\b|\breason says what\b|\bplaces listed in the results\b"
)


def settable(report: Finished) -> Iterator[str]:
    """A step names what to change."""
    for title, _ in steps(report):
        if VAGUE.search(title):
            yield f"{title!r} does not say what"
    for line in report.markdown.splitlines():
        if re.match(r"\d+\. ", line) and VAGUE.search(line):
            yield f"summary: {line!r} does not say what"


def concerned(report: Finished) -> Iterator[str]:
    """A step about records that were found concerns the requests whose data were found."""
    seen = opinion.search(report.told)
    if seen is None or not seen.request_ids:
        return
    for title, under in steps(report):
        requests = under.get(text("main-step-requests"))
        if requests and re.search(r"(?i)\b(?:erase|remove) (?:these|the deleted)\b", title):
            named = numbers(requests)
            if str(len(seen.request_ids)) not in named and not set(seen.request_ids) & set(requests.split(", ")):
                yield f"{title!r} and {requests!r}"


def model_file(report: Finished) -> Iterator[str]:
    """What was examined of the model file is one thing: on the cover, on the map, in letters and in the summary."""
    row = next((each for each in report.cover.of("row") if text("main-box-model") in each.cells), None)
    if row is None or "outside" not in report.pages:
        return
    cover, said = light_of(row), []
    said += [each for each in report.pages["outside"].of("li") if each.text.startswith(text("main-map-model"))]
    for letter in report.letters:
        said += [each for each in letter.of("row") if each.cells[0].startswith(text("letter-row-model"))]
    for each in said:
        if (light_of(each) == FULL) is not (cover == FULL):
            yield f"{row.text!r} and {each.text!r}"
    summary = next((line for line in report.markdown.splitlines() if line.startswith(f"| {text('pipeline-box-examined')} ")), "")
    if cover == FULL and "model file yes" not in summary:
        yield f"{row.text!r} and {summary!r}"


def statement_counts(report: Finished) -> Iterator[str]:
    """A letter's number rests on as many statements as the report says, of its own result or of letters."""
    page = report.pages.get("promise")
    counted = set() if page is None else {each.replace("this", "1") for each in _STATED.findall(page.text)}
    for letter in report.letters:
        for count in _RESTS.findall(letter.text):
            if count not in counted:
                yield f"the letter: {count} statements, the report: {sorted(counted)}"


_RESTS: Final = re.compile(r"This holds if (\d+) statements? (?:is|are) true")
_STATED: Final = re.compile(r"(?:rests? on these|rests? on(?= this)|Letters to people list) (\d+|this)\b")


def plain_words(report: Finished) -> Iterator[str]:
    """Who signs, and who gets a letter, reads titles and statements, and no ids; a step may name a key that is to be set."""
    step = text("main-recommend-heading")
    read = [
        (name, each)
        for name in ("decision", "outside", "people", "promise")
        if name in report.pages
        for each in report.pages[name].blocks
    ]
    read += [("letter", each) for letter in report.letters for each in letter.blocks]
    for name, block in read:
        ids = _CHECKS if name == "decision" else _CHECKS | set(ATTESTABLE)
        for said in block.cells if block.cells[0] != step else ():
            yield from (f"{name}: {each} in {said!r}" for each in re.findall(r"[a-z]+(?:[._-][a-z]+)+", said) if each in ids)


_CHECKS: Final = frozenset(definitions())


CLEARING: Final = re.compile(
    r"(?i)\bno trace found\b|\bdid not find (?:your data|the data of this request)\b|\bnot found again\b"
)


def cleared(report: Finished) -> Iterator[str]:
    """Where the report has found people again, or has not seen the whole model, no letter clears it."""
    rows = [row for row in report.cover.of("row") if {text("main-box-people"), text("main-box-model")} & set(row.cells)]
    for row in rows:
        seen = text("main-box-model") not in row.cells or light_of(row) == FULL
        for letter in report.letters:
            said = CLEARING.search(letter.text)
            if said and (light_of(row) == BAD or not seen):
                yield f"{row.text!r} and a letter: {said[0]!r}"


def biggest_limit(report: Finished) -> Iterator[str]:
    """What the cover calls the biggest limit of a model is open in the letters of those whose data were in it."""
    open_ = {
        text("main-limit-remembers"): (Role.ATTACKS_RELEASE,),
        text("main-limit-attacks"): (Role.RECOGNISES,),
    }
    for role in next((roles for said, roles in open_.items() if said in report.cover.text), ()):
        for check in report.told.checks:
            words = check.card.letter
            if words is None or role not in check.card.roles or check.status is not Status.INCONCLUSIVE:
                continue
            for letter in report.letters:
                erased = any(each.text.startswith(text("letter-row-forgot")) for each in letter.of("row"))
                if erased and words.open_question not in letter.text:
                    yield f"the cover names a limit, and a letter does not say {words.open_question!r}"


def refuted_promise(report: Finished) -> Iterator[str]:
    """A letter calls a promise refuted that the report calls so."""
    if any(each.status is ClaimStatus.REFUTED for each in report.told.guarantees):
        for letter in report.letters:
            if re.search(r"(?i)\b(?:did|could) not confirm\b", letter.text):
                yield f"a promise is refuted, and a letter: {letter.blocks[1].text!r}"


def standing(report: Finished) -> Iterator[str]:
    """A guarantee stands on the pages as it does in the evidence: a false premise of its theorem refutes none."""
    for each in report.told.guarantees:
        if each.status.value != "refuted":
            for name, page in report.pages.items():
                if f"{each.title} is refuted" in page.text:
                    yield f"{name}: {each.title} is refuted, and it is {each.status.value}"


def only_bounded(report: Finished) -> Iterator[str]:
    """Of a bound that exceeds its limit no page says that more is left, or that the procedure does not forget."""
    failed = [check for check in report.told.checks if check.status is Status.FAIL]
    attacked = any(
        check.card.roles & {Role.RECOGNISES, Role.ATTACKS_ANSWERS, Role.EXAMINES_FILE, Role.EXACT, Role.CONSISTENCY}
        for check in failed
    )
    if not failed or attacked or any(each.status.value == "refuted" for each in report.told.guarantees):
        return
    for name in ("decision", "found", "promise"):
        if name in report.pages:
            yield from (f"{name}: {said}" for said in re.findall(_MORE_IS_LEFT, report.pages[name].text))


_MORE_IS_LEFT: Final = r"more is left in the model than|does not forget as required"


def taken_as_given(report: Finished) -> Iterator[str]:
    """No certificate counts as met what its formula takes as given."""
    given = any(
        condition.holds and condition.how is Provenance.UNKNOWN
        for each in report.told.certificates
        for condition in each.conditions
    )
    said = report.pages[ANNEX].below(text("annex-certificates"))
    if re.search(r"all \d+ met", said) or (given and "taken as given" not in said):
        yield f"conditions taken as given: {given}, and the annex: {said[-200:]!r}"


def untested(report: Finished) -> Iterator[str]:
    """Where no attack could test the number, nothing says that attacks agree with it, and no premise of a guarantee either."""
    check = next((each for each in report.told.checks if Role.CONSISTENCY in each.card.roles), None)
    if check is None or not wording.is_informative(check):
        return
    row = asked(report, "agree")
    premise = report.pages[ANNEX].row(STATEMENTS["unrefuted"])
    if light_of(row) == FULL and text("main-proof-agree-exact") not in (row.text if row else ""):
        yield f"{check.id} is not tested, and {row.text if row else ''!r}"
    if premise is not None:
        yield f"{check.id} is not tested, and {premise.text!r}"


def summary_steps(report: Finished) -> Iterator[str]:
    """The summary asks for the same steps, in the same order, as the page."""
    listed = [re.sub(r"\\(.)", r"\1", each) for each in re.findall(r"(?m)^\d+\. (.*)$", report.markdown)]
    whole = " ".join(each.text for each in report.pages["todo"].blocks)
    place = -1
    for each in listed:
        found = squeezed(whole).find(squeezed(each.replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&")))
        if found <= place:
            yield f"the summary: {each!r}, what to do: {[title for title, _ in steps(report)]}"
        place = found


_FREE = "The release need not wait for this."
_HELD = text("main-recommend-weak")
_FAILED = re.escape(text("main-recommend-fail"))
PAIRS: Final = (
    Pair(
        crosswalk,
        (
            ("digits-newton", changed("signoff", "Entry 12, scanned forms", "Entry 12, scanned forms, Decision")),
            ("digits-newton", changed("signoff", "(?<=example)$", ", People and deadlines")),
            ("digits-retrain", changed("signoff", f"(?<={text('main-law-none')})$", ", Outside the model")),
            ("late-and-extended", changed("signoff", "1 of 11 deletions", "3 of 11 deletions")),
            ("digits-newton", changed("signoff", "What became of 18 records", "What became of 91 records")),
        ),
    ),
    Pair(
        advice,
        (
            ("digits-newton", changed("todo", re.escape(text("remedy-release-condition")), _FREE)),
            ("digits-newton", in_summary(re.escape(text("remedy-release-condition")), _FREE)),
            ("fixed-output", changed("todo", re.escape(text("remedy-release-condition")), text("remedy-release-open-model"))),
            ("digits-newton", changed("todo", re.escape(text("remedy-release-condition")), text("remedy-release-besides"))),
            ("digits-newton", changed("decision", "Release with conditions: .*", _HELD)),
        ),
    ),
    Pair(next_step, (("digits-cheater", changed("decision", f"(?<={_FAILED} ).*", text("main-action-again"))),)),
    Pair(procedure, (("digits-mlp-dp", changed("decision", text("main-recommend-blind"), text("main-recommend-no-model"))),)),
    Pair(attacked, (("late-and-extended", changed("decision", text("promise-found-within"), "")),)),
    Pair(
        one_number,
        (
            ("digits-newton", in_letters(r"56\.3", "73.2")),
            ("digits-newton", changed("decision", " In letters: at most .*", "")),
        ),
    ),
    Pair(
        searched,
        (
            (
                "digits-mlp-dp",
                changed("decision", f"^{re.escape(text('main-box-people-unsearched'))}$", text("main-box-people-open")),
            ),
        ),
    ),
    Pair(
        refuted,
        (
            (
                "digits-cheater",
                changed("found", f"^{BAD}.*", f"{HALF} {text('main-answer-trust')}", row=text("main-ask-erased-by")),
            ),
            ("digits-cheater", changed("found", f"^{BAD}.*", f"{FULL} {text('main-answer-yes')}", row=text("main-ask-log"))),
            ("digits-cheater", changed("decision", f"^{BAD}$", HALF, row=text("main-box-erased-by"))),
            ("digits-cheater", changed("signoff", f"^{BAD} The records of.*", f"{HALF} 16 requests, none late")),
            ("digits-cheater", in_letters("(?i)(your data|found) again", "")),
        ),
    ),
    Pair(
        late,
        (
            ("late-and-extended", changed("signoff", "4 late, 1 in doubt", "5 late")),
            ("late-and-extended", changed("decision", "in 4 cases", "in 5 cases")),
        ),
    ),
    Pair(
        people,
        tuple(
            (name, changed("decision", f"^{BAD}$", put, row=text("main-box-people")))
            for name, put in (("digits-answers", EMPTY), ("iris-logistic", HALF), ("iris-logistic", EMPTY))
        ),
    ),
    Pair(
        conditions,
        (
            ("tiny-transformer", changed("decision", r", with the files in base/,", "")),
            ("digits-newton", without("promise", "^The seed was drawn")),
        ),
    ),
    Pair(trials, (("digits-newton", changed("decision", "The best attack in a trial", "The best attack")),)),
    Pair(
        counts,
        (
            ("digits-newton", changed(ANNEX, "18 deleted records were looked for.*", "19 deleted records were looked for.")),
            ("digits-cheater", changed("found", "18 of 18 deleted", "18 of 19 deleted")),
        ),
    ),
    Pair(
        not_made,
        tuple(
            (name, changed("attacks", f"^◇ {text('attacks-state-not-made')}$", f"– {text('attacks-state-not-applicable')}"))
            for name in ("digits-newton", "diabetes-tree")
        ),
    ),
    Pair(
        other_procedures,
        (
            (
                "diabetes-tree",
                changed("todo", text("guarantee-by-certified-removal-retraining"), "Certified removal of the model"),
            ),
            (
                "diabetes-tree",
                in_summary(f"(?i){text('guarantee-by-certified-removal-retraining')}", "Certified removal of the model"),
            ),
        ),
    ),
    Pair(of_program, (("sqlite-plain", changed("todo", "Set secure_delete = true.*", "Erase the records that were found.")),)),
    Pair(
        settable,
        (
            ("batch-count", changed("todo", "Have the program leave .*", text("remedy-as-the-reason-says", check="data.erased"))),
            (
                "batch-count",
                in_summary(r"(?m)Have the program leave .*$", text("remedy-as-the-reason-says", check="data.erased")),
            ),
        ),
    ),
    Pair(concerned, (("digits-cheater", changed("todo", "All 15 that", "All 16 that")),)),
    Pair(
        model_file,
        (
            (
                "digits-newton",
                changed("outside", f"^{text('main-map-model')} {FULL}.*", f"{text('main-map-model')} {HALF} in part"),
            ),
            ("digits-newton", in_letters(f"(?<=^{text('letter-row-model')} ){FULL} .*", f"{EMPTY} not seen")),
            ("digits-newton", in_summary("model file yes", "model file in part")),
        ),
    ),
    Pair(
        statement_counts,
        (
            ("digits-newton", in_letters("This holds if 7 statements", "This holds if 9 statements")),
            ("digits-newton", changed("promise", "The result rests on these 7", "The result rests on these 6")),
        ),
    ),
    Pair(
        plain_words,
        (
            ("digits-newton", changed("decision", "the check “.*?”", "model.reproduced")),
            ("secret-counter", changed("outside", "taken on trust", "taken on trust (code-clean)")),
        ),
    ),
    Pair(
        cleared,
        (
            ("trigram-model", in_letters(re.escape(text("letter-word-given-away")), text("letter-word-no-trace"))),
            ("digits-retrain", in_letters(re.escape(text("letter-word-no-copy")), text("letter-word-gone"))),
            ("digits-shipped-old", in_letters("It found none there", "It did not find your data there")),
        ),
    ),
    Pair(
        biggest_limit,
        (
            ("digits-newton", in_letters("^whether the released model still shows.*", "")),
            ("late-and-extended", in_letters("^whether the released model still shows.*", "")),
        ),
    ),
    Pair(
        refuted_promise,
        (
            (
                "digits-cheater",
                in_letters("The audit found that the model did not", "The audit did not confirm that the model did"),
            ),
        ),
    ),
    Pair(
        standing,
        (
            (
                "breast-cancer-noisy-gd-short",
                changed(ANNEX, "Data deletion of the model is not shown", "Data deletion of the model is refuted"),
            ),
        ),
    ),
    Pair(
        only_bounded,
        (
            (
                "breast-cancer-noisy-gd-short",
                changed(
                    "found",
                    "What was proved does not reach.*",
                    "The calculation shows that more is left in the model than the promise allows.",
                ),
            ),
        ),
    ),
    Pair(taken_as_given, (("digits-newton", changed(ANNEX, r"\d+ computed, 1 taken as given", "all 6 met")),)),
    Pair(untested, (("digits-newton", changed("found", "◐", "●", row=text("main-ask-agree"))),)),
    Pair(summary_steps, (("digits-cheater", in_summary(r"(?m)^2\. .*$", "2. Do something else.")),)),
)
READ: Final = pytest.mark.parametrize("pair", PAIRS, ids=lambda each: each.name)


@READ
def test_no_two_statements_of_a_finished_report_differ(pair: Pair) -> None:
    assert [f"{name}: {said}" for name in NAMES for said in pair.read(finished(name))] == []


@READ
def test_a_pair_finds_the_fault_that_was_seen(pair: Pair) -> None:
    for name, put in pair.was:
        assert list(pair.read(put(finished(name)))), name


@pytest.mark.parametrize("name", [pytest.param(each, marks=() if each in PRINTED else pytest.mark.slow) for each in NAMES])
def test_what_is_printed_says_what_the_page_on_the_screen_says(name: str) -> None:
    """So what no pair finds on the page it would not find in the PDF; a page is named there by its number."""
    printed = [squeezed(each) for each in sheets(name)]
    places = {page.title: place for _, page in finished(name).main for place in _pages(page, printed)}
    whole, annex = "".join(printed), text("main-annex")
    lacking = []
    for anchor, page in finished(name).main:
        for said in (cell for block in page.blocks if block.kind in {"h2", "p", "li", "row", "pair"} for cell in block.cells):
            title = next((each for each in places if anchor == "signoff" and said.endswith(f", {each}")), None)
            wanted = said if title is None else f"{said.removesuffix(title)}{text('main-page')} {places[title] + 1}"
            if said == annex or said.endswith(f", {annex}"):  # the main part alone has none
                wanted = f"{said.removesuffix(annex)}{text('main-annex-elsewhere')}"
            on_screen_alone = said == text("main-annex-title") or said.endswith(f"· {page.title}")
            if squeezed(wanted) not in whole and not on_screen_alone:
                lacking.append(f"{anchor}: {wanted}")
    assert lacking == []


def sheets(name: str) -> tuple[str, ...]:
    """The text of each sheet of the main part: what no pair reads is not laid out."""
    printed = once(f"{name}.main.pdf", lambda: render.pdf(finished(name).told, whole=False))
    return tuple(sheet.extract_text() for sheet in PdfReader(io.BytesIO(printed)).pages)


def _pages(page: Page, printed: list[str]) -> list[int]:
    """Where a page of the screen begins in print: the first sheet that holds its title and the paragraph below."""
    below = list(itertools.dropwhile(lambda each: each.kind != "h1", page.blocks))
    first = [squeezed(each.text) for each in below if each.kind in {"h1", "p"}][:2]
    return [place for place, sheet in enumerate(printed) if all(each in sheet for each in first)][:1]
