"""What the models of a check hold for readers who know its role and not the check.

A part names its models as it likes; those who ask by role read the attributes that are listed here, and no others. That a check
with a role has a form with these attributes is a test's business: here it could only be found out where a document is read.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final, Protocol, runtime_checkable

from auditor.base.domain import Message
from auditor.base.promises import Promise
from auditor.verdict.checks.card import Role


class Promised(Protocol):
    """An (ε, δ)."""

    @property
    def epsilon(self) -> float:
        """ε."""

    @property
    def delta(self) -> float:
        """δ."""


@runtime_checkable
class ForAPerson(Protocol):
    """What noise gives one person, with all of their records."""

    @property
    def for_a_person(self) -> Promised | None:
        """None where it gives nothing."""


@runtime_checkable
class ByMechanism(Protocol):
    """What noise promises one person by more than an (ε, δ)."""

    @property
    def promise(self) -> Promise | None:
        """With all records of the person; None where no more is known."""


@runtime_checkable
class ForOneRecord(Protocol):
    """What noise gives one record."""

    @property
    def epsilon(self) -> float | None:
        """None where it gives nothing."""

    @property
    def delta(self) -> float:
        """The strictest δ that anything names."""


@runtime_checkable
class AtOrder(Protocol):
    """What is stated at an order."""

    @property
    def order(self) -> float | None:
        """The order; None where there is none."""


@runtime_checkable
class ByTheorem(AtOrder, Protocol):
    """A bound on data deletion."""

    @property
    def theorem(self) -> str | None:
        """What it was derived from; None where there is no bound."""


@runtime_checkable
class NamesRequests(Protocol):
    """Requests that a search names."""

    @property
    def request_ids(self) -> Sequence[str]:
        """Their ids."""

    @property
    def subjects(self) -> Sequence[str | None]:
        """Whose they are, in the same order; empty where no ticket of the log has two people."""


class SearchedPlace(Protocol):
    """A place that was searched."""

    @property
    def place(self) -> Message:
        """What it is."""

    @property
    def records_searched(self) -> int | None:
        """Records, lines or cells that it came apart into; None where it was searched as plain bytes."""

    @property
    def found(self) -> int:
        """Deleted records that were found there."""

    @property
    def how(self) -> Message:
        """How it was searched."""


class UnsearchedPlace(Protocol):
    """A place that does not exist, or could not be searched."""

    @property
    def place(self) -> Message:
        """What it is."""

    @property
    def why(self) -> Message:
        """Why it was not."""


@runtime_checkable
class HoldsStrangers(Protocol):
    """Rows of a store that nothing in the training data tells anything of."""

    @property
    def rows_of_strangers(self) -> int:
        """Rows of people whom the training data do not know."""

    @property
    def rows_changed(self) -> int:
        """Rows of retained people with other values than in training."""


@runtime_checkable
class Search(NamesRequests, Protocol):
    """What a search looked for, where, and what it found; the requests that it names are those whose records were found."""

    @property
    def deleted(self) -> int:
        """Records that were looked for."""

    @property
    def searched(self) -> Sequence[SearchedPlace]:
        """Every place that was searched."""

    @property
    def not_searched(self) -> Sequence[UnsearchedPlace]:
        """Every place that was not."""

    @property
    def copies(self) -> Copied | None:
        """Requests whose records have near copies among the retained ones; None where that was not observed."""


@runtime_checkable
class Misses(Protocol):
    """What a search of places misses, though the log does not record that it was erased."""

    @property
    def missing(self) -> Sequence[str]:
        """Ids of the requests whose records are left out of a place that holds those of most others."""


@runtime_checkable
class OpenPlaces(Protocol):
    """Places that a search could not see whole, each as a message that begins with the place."""

    @property
    def searched(self) -> Sequence[SearchedPlace]:
        """Every place that was searched."""

    @property
    def open_in_store(self) -> Sequence[Message]:
        """Those of the data store."""

    @property
    def open_elsewhere(self) -> Sequence[Message]:
        """All others."""


class Copied(NamesRequests, Protocol):
    """Deleted records with near copies among the retained ones."""

    @property
    def deleted(self) -> int:
        """Deleted records that were compared with the retained ones."""

    @property
    def found(self) -> int:
        """Of these, the records that have one."""


class LeftOver(Protocol):
    """Content of one place that nothing accounts for."""

    @property
    def place(self) -> Message:
        """What it is."""

    @property
    def bytes(self) -> int:
        """How much of it."""

    @property
    def word(self) -> str | None:
        """What the controller can attest of it; None where no word does."""

    @property
    def found(self) -> int:
        """How much of it was found, and named as one request's: it leaves no other open."""


def is_unseen(left: LeftOver) -> bool:
    """Whether some of it may hold anybody: not what was found in plain sight, and is named."""
    return left.bytes > left.found


@runtime_checkable
class LeavesOpen(Protocol):
    """What a search could not see."""

    @property
    def open_places(self) -> int:
        """Places that may hold more."""

    @property
    def unexplained(self) -> Sequence[LeftOver]:
        """Content that nothing accounts for."""

    @property
    def by_word(self) -> Sequence[LeftOver]:
        """Content that nothing but the controller's word accounts for."""

    @property
    def copies(self) -> int | None:
        """Deleted records whose near copies count; None where that was not observed."""

    @property
    def open_to(self) -> NamesRequests | None:
        """The requests that open places concern; None where there are none, or where one may concern any."""

    @property
    def copied(self) -> NamesRequests | None:
        """The requests whose copies count; None where none do."""

    @property
    def any_request(self) -> bool:
        """Whether what is left open may concern any request, and not those alone that are named."""


@runtime_checkable
class LeavesOpenAs(Protocol):
    """As what a search of places leaves something open."""

    @property
    def open_as(self) -> Sequence[str]:
        """`places` not read in full, `answers`, `terms`, `quoted`, `untold` or `store`; empty where it is `places` alone."""

    @property
    def quoted_ids(self) -> Sequence[str]:
        """Requests whose records' texts may be quoted; where none is named, any request's may be."""

    @property
    def untold_ids(self) -> Sequence[str]:
        """Requests whose records' texts could not be distinguished from other people's."""


@runtime_checkable
class MayBeOthers(Protocol):
    """What a search met that may be a deleted person's or somebody else's: nothing but the controller's word tells which."""

    @property
    def perhaps_ids(self) -> Sequence[str]:
        """Requests of whose records it met something."""

    def perhaps_of_any(self, *, table: bool) -> bool:
        """Whether it met more, of which nobody can tell whose it is; `table` says whether the case says who the people are."""


@runtime_checkable
class MayBeOthersAt(Protocol):
    """The same, place by place."""

    def perhaps_at(self, place: str) -> int:
        """Deleted records of which a place has a name or value."""


class KnownPlace(Protocol):
    """What is known of one place, level by level: `found`, `deleted-rows`, `open`, `clear` or `not-examined`."""

    @property
    def name(self) -> str:
        """As the case names it."""

    @property
    def answers(self) -> str:
        """Of what queries are answered with."""

    @property
    def disk(self) -> str:
        """Of what its files hold."""

    @property
    def derivable(self) -> str:
        """Of copies in other units, orders and roundings."""

    @property
    def found(self) -> int:
        """Deleted records that were found there."""

    @property
    def at(self) -> Sequence[Message]:
        """Where they were, request by request, the first few."""

    @property
    def perhaps_quoted(self) -> int:
        """Deleted records of which nothing was found there, and a text of which may be quoted."""

    @property
    def quoted_at(self) -> Sequence[Message]:
        """Where, request by request, the first few."""

    @property
    def open(self) -> Sequence[Message]:
        """Why it is not cleared, where nothing was found."""


@runtime_checkable
class ByPlace(Protocol):
    """What a search of places came to, place by place."""

    @property
    def places(self) -> Sequence[KnownPlace]:
        """In the order of the case."""

    @property
    def without_values(self) -> int:
        """Deleted records that were looked for by id and by what the log names alone."""


@runtime_checkable
class AdvantagesByModel(Protocol):
    """The game on models made alike."""

    @property
    def pair_advantages(self) -> Advantages:
        """What each attack found, pair for pair."""


class Advantages(Protocol):
    """By attack, the advantage on each pair."""

    @property
    def procedure(self) -> Mapping[str, Sequence[float]]:
        """On models that unlearned."""

    @property
    def do_nothing(self) -> Mapping[str, Sequence[float]]:
        """On models that did not."""


@runtime_checkable
class LeftUnchanged(Protocol):
    """The comparison with training from scratch."""

    @property
    def unchanged(self) -> Sequence[int]:
        """Batches that left the model as it was although training from scratch gives another."""


@runtime_checkable
class Attacked(Protocol):
    """An attack on the release."""

    @property
    def left_over(self) -> float | None:
        """The share that the release shows of what models show that hold the records; None where nobody can say."""

    @property
    def told(self) -> int:
        """Of the models that hold them, how many are detected."""

    @property
    def tried(self) -> Sequence[float]:
        """Of these models one number each."""


@runtime_checkable
class ByMetric(Protocol):
    """A value that one of several metrics gave."""

    @property
    def rule(self) -> str:
        """The metric, which decides which values are better."""


class Requests(Protocol):
    """Some of the log's requests."""

    def holds(self, request_id: str, subject: str | None, /) -> bool:
        """Whether a request, and that person's where the log tells people apart, is among them."""


class Picking(Protocol):
    """An attack on the log's own releases."""

    @property
    def records(self) -> int:
        """Deleted records that were attacked."""

    @property
    def decoys(self) -> int:
        """Retained records that each of them was to be picked out of, at most."""

    @property
    def first(self) -> int:
        """Deleted records that it picked out."""

    @property
    def picked(self) -> Requests:
        """Requests with a record that it picked out."""

    @property
    def not_tried(self) -> Requests:
        """Executed requests none of whose records was attacked."""


@runtime_checkable
class AttackOnLog(Protocol):
    """An attack on the log's own releases among others."""

    @property
    def log(self) -> Picking | None:
        """None where the log's own releases were not attacked."""


class Success(Protocol):
    """What an attack won."""

    @property
    def success(self) -> float:
        """The share of games."""

    @property
    def low(self) -> float:
        """The lower confidence limit."""

    @property
    def high(self) -> float:
        """The upper confidence limit."""


class Variant(Success, Protocol):
    """The same under other assumptions."""

    @property
    def variant(self) -> str:
        """Which game."""

    @property
    def view(self) -> str:
        """Which answers are seen."""


@runtime_checkable
class Named(Protocol):
    """Games in which attacks name the deleted one of two records."""

    @property
    def standard(self) -> Sequence[Success]:
        """Every attack in the standard game."""

    @property
    def variants(self) -> Sequence[Variant]:
        """Other games."""


@runtime_checkable
class Rebuilt(Protocol):
    """Games in which attacks rebuild a deleted record."""

    @property
    def attacks(self) -> Sequence[Success]:
        """Every attack."""

    @property
    def chance(self) -> float:
        """The share that guessing wins."""

    @property
    def decoys(self) -> int:
        """Records that the guess is held against."""


@runtime_checkable
class Accuracies(Protocol):
    """Accuracies of two models."""

    @property
    def unlearned(self) -> float:
        """Of the one that unlearned, between 0 and 1."""

    @property
    def retrained(self) -> float:
        """Of the one that was retrained, between 0 and 1."""

    @property
    def records(self) -> int:
        """Records that both were asked about."""


@runtime_checkable
class Times(Protocol):
    """What was timed."""

    @property
    def retrain_seconds(self) -> float:
        """Of one training from scratch."""


OBSERVED: Final[Mapping[Role, tuple[type[object], ...]]] = {
    Role.SEARCHES: (Search,),
    Role.SEARCHES_PLACES: (Search, Misses),
    Role.ATTACKS_RECORDS: (AdvantagesByModel,),
    Role.ATTACKS_LOG: (AttackOnLog,),
    Role.SPEED: (Times,),
}
"""By role, what the observed model of a check holds."""
DERIVED: Final[Mapping[Role, tuple[type[object], ...]]] = {
    Role.SEARCHES: (LeavesOpen,),
    Role.SEARCHES_PLACES: (LeavesOpen, LeavesOpenAs, ByPlace),
    Role.TRAINING_NOISE: (ForOneRecord, ForAPerson),
    Role.REPORTING_NOISE: (ForAPerson,),
    Role.DATA_DELETION: (ByTheorem,),
    Role.EXACT: (LeftUnchanged,),
    Role.ATTACKS_RELEASE: (Attacked,),
    Role.ATTACKS_LOG: (Named,),
    Role.NAMES_DELETED: (Named,),
    Role.REBUILDS: (Rebuilt,),
    Role.ACCURACY: (Accuracies,),
}
"""By role, what the derived model of a check holds: in each of its forms, or in the first where games may not be played."""
