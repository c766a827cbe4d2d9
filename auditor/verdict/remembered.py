"""Findings of one case, kept for when the same observations are judged under other attestations.

A conclusion judges a case a dozen times: as attested, with every word, and without each word in turn. Most judges ask for no
word, and those that do for one or two. So each is heard as to what it asks, and judges again only where the answer is another.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, fields, replace
from operator import is_
from typing import Any, overload

from auditor.settings.tables import Claims
from auditor.verdict.checks.context import Context
from auditor.verdict.checks.finding import Finding


class Asked(Sequence[str]):
    """Attestations that note which of them a judge asked for. It is no tuple, so that nothing reads it unheard."""

    def __init__(self, words: Collection[str]) -> None:
        """Take the words that are said."""
        self._words = tuple(words)
        self._asked: dict[str, bool] = {}
        self._all = False

    def begin(self) -> None:
        """Forget what was asked until now."""
        self._asked, self._all = {}, False

    def answers(self) -> dict[str, bool] | tuple[str, ...]:
        """What was asked since, with the answers; all words where they were read otherwise than one by one."""
        return self._words if self._all else self._asked

    def answer_alike(self, answers: dict[str, bool] | tuple[str, ...]) -> bool:
        """Whether somebody who was given those answers would be given the same here."""
        if isinstance(answers, tuple):
            return answers == self._words
        return all((word in self._words) == said for word, said in answers.items())

    def _every(self) -> tuple[str, ...]:
        self._all = True
        return self._words

    def __contains__(self, word: object) -> bool:
        if not isinstance(word, str):
            return word in self._every()
        said = word in self._words
        self._asked[word] = said
        return said

    @overload
    def __getitem__(self, index: int) -> str: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[str, ...]: ...
    def __getitem__(self, index: int | slice) -> str | tuple[str, ...]:
        return self._every()[index]

    def __iter__(self) -> Iterator[str]:
        return iter(self._every())

    def __len__(self) -> int:
        return len(self._every())

    def __eq__(self, other: object) -> bool:
        return self._every() == (other._every() if isinstance(other, Asked) else other)

    def __hash__(self) -> int:
        return hash(self._every())

    def __repr__(self) -> str:
        return repr(self._every())


@dataclass(frozen=True, slots=True)
class _Kept:
    told: tuple[object, ...]
    answers: dict[str, bool] | tuple[str, ...]
    finding: Finding


class Remembered:
    """What judges found about one case."""

    def __init__(self) -> None:
        """Begin with nothing."""
        self._first: Context | None = None
        self._kept: dict[str, list[_Kept]] = {}

    def heard(self, context: Context) -> Heard:
        """Hear the judges of a case. One that differs by more than attestations is another, of which nothing is remembered."""
        if self._first is None:
            self._first = context
        return Heard(context, self._kept if _same_but_for_words(self._first, context) else {})


class Heard:
    """The judges of one case under one set of attestations."""

    def __init__(self, context: Context, kept: dict[str, list[_Kept]]) -> None:
        """Take the context, and what was found of it before."""
        self._asked = Asked(context.claims.attested)
        self._kept = kept
        self.context = attesting(context, self._asked)
        """The context for judges, whose questions are noted."""

    def before(self, check_id: str, told: tuple[object, ...]) -> Finding | None:
        """Give the finding of a judge that would be told the same again; None where there is none, and it begins to be heard.

        Args:
            check_id: What it judges.
            told: What it gets in addition to the context: observations and findings, the same where they are identical.
        """
        self._asked.begin()
        for each in self._kept.get(check_id, ()):
            same = len(each.told) == len(told) and all(map(is_, each.told, told))
            if same and self._asked.answer_alike(each.answers):
                return each.finding
        return None

    def keep(self, check_id: str, told: tuple[object, ...], finding: Finding) -> None:
        """Keep what the judge found that was heard since `before`."""
        self._kept.setdefault(check_id, []).append(_Kept(told, self._asked.answers(), finding))


def attesting(context: Context, words: Collection[str]) -> Context:
    """The same declarations with other attestations."""
    return replace(context, claims=context.claims.model_copy(update={"attested": words}))


def _same_but_for_words(one: Context, other: Context) -> bool:
    names = [each.name for each in fields(Context) if each.name != "claims"]
    claimed = [name for name in Claims.model_fields if name != "attested"]
    return _identical(one, other, names) and _identical(one.claims, other.claims, claimed)


def _identical(one: Any, other: Any, names: list[str]) -> bool:
    return all(getattr(one, name) is getattr(other, name) for name in names)
