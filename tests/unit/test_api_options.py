"""From Python an audit runs on a cluster, keeps its runs elsewhere and fits a time, as with the options of the command."""

from __future__ import annotations

import logging
from pathlib import Path
from typing import Any

import pytest

import small_cases
from auditor.api import check, checking
from auditor.audit.auditing import Options
from auditor.audit.rehearsal import Fitted, Weaker
from auditor.base.errors import ProcedureError, UsageError
from auditor.base.extras import MissingExtraError
from auditor.case import Case
from auditor.sandbox import cluster
from cases import timeless
from loopback import Loopback

SOME = "release.exact,log.consistency"
LEARNED = """
def learn(self, data, seed):
    return np.array([data.labels.mean()])
def unlearn(self, model, data, forget, seed):
    return np.array([np.delete(data.labels, forget).mean()])
def predict(self, model, features):
    p = np.full(len(features), model[0])
    return {predicted}
"""


@pytest.fixture
def case(tmp_path: Path) -> Path:
    (tmp_path / "case").mkdir()
    return small_cases.write(tmp_path / "case", *small_cases.problem())


@pytest.fixture
def loopback(monkeypatch: pytest.MonkeyPatch) -> Loopback:
    """A cluster in this process, whatever is opened."""
    engine = Loopback(2)
    monkeypatch.setattr(cluster, "opened", lambda _backend, _address, **_most: engine)
    return engine


def test_a_cluster_gives_the_same_evidence(case: Path, loopback: Loopback) -> None:
    there = check(case, only=SOME, backend="dask", address="127.0.0.1:8786", jobs=2)
    assert "run" in [name for _, name in loopback.called]
    assert loopback.closed
    assert timeless(there.evidence) == timeless(check(case, only=SOME).evidence)


def test_runs_are_kept_at_an_address_and_taken_from_it(case: Path, tmp_path: Path) -> None:
    place = f"memory://{tmp_path.name}/{case.name}"
    first = check(case, only=SOME, runs=place)
    assert first.taken == ()
    again = check(case, only=SOME, runs=place)
    assert "replay" in again.taken
    assert timeless(first.evidence) == timeless(again.evidence)
    assert check(case, only=SOME, runs=tmp_path / "runs").taken == ()
    assert list((tmp_path / "runs").glob("*.run"))


def test_a_time_that_is_enough_cuts_nothing_and_one_that_is_not_is_refused(case: Path) -> None:
    budget = check(case, only="log.consistency", budget="1h").evidence.audit.budget
    assert budget is not None
    assert (budget.seconds, budget.resized, budget.left_out) == (3600, (), ())
    with pytest.raises(UsageError, match=r"--budget: what decides takes up to"):
        check(case, budget="1s")


def test_what_a_budget_costs_is_a_warning(case: Path, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch) -> None:
    def fitted(read: Case, options: Options, _budget: str) -> tuple[None, Fitted]:
        return None, Fitted(read, options, 60.0, (Weaker("swap.pairs", 20, 5, 0.088, 0.31),), ("inference.instance",))

    monkeypatch.setattr(checking, "rehearse_within", fitted)
    check(case, only="log.consistency", budget="1m")
    said = [each.message for each in caplog.records if each.levelno == logging.WARNING]
    assert said[1].startswith("swap.pairs: 5 instead of 20.")
    assert said[2] == "Left out, as nothing rests on them: inference.instance."


def test_what_is_in_the_way_of_a_budget_is_raised_at_once(case: Path) -> None:
    """A procedure that answers no audit has no time to be fitted into: it does not come out as cheap."""
    small_cases.foreign(case, LEARNED.format(predicted="p"))
    with pytest.raises(ProcedureError, match=r"(?s)^predict with \d+ records: .*obstacle: .* exit code 4$") as caught:
        check(case, budget="2h")
    assert caught.value.exit_code == 4


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"address": "127.0.0.1:1"}, "--address: expected --backend dask or ray"),
        ({"backend": "dask", "address": "127.0.0.1:1"}, "expected a cluster at 127.0.0.1:1"),
        *(
            (
                {"backend": backend, "address": "127.0.0.1:1", "trust_workers": each},
                f"^trust_workers: expected True or False, found {each!r}$",
            )
            for backend in ("ray", "dask")
            for each in ("false", "true", "", 0, 1, None)
        ),
        ({"trust_workers": True}, "--trust-workers: expected --backend ray with it, found --backend local"),
        (
            {"backend": "dask", "address": "127.0.0.1:1", "trust_workers": True},
            "--trust-workers: expected --backend ray with it, found --backend dask, which needs no such trust",
        ),
        ({"budget": "soon"}, "expected a time such as 2h"),
        ({"runs": "nowhere://x"}, "--runs nowhere://x: expected an address that fsspec can reach"),
        ({"runs": 7}, "runs: expected a folder, or an address that fsspec reaches, found int"),
        (
            {"backend": "spark", "address": 7, "budget": 2},
            "(?s)backend: expected 'local' or .*address: .*budget: expected a text",
        ),
    ],
)
def test_wrong_options_are_refused_before_the_case_is_read(given: dict[str, Any], message: str, case: Path) -> None:
    with pytest.raises(UsageError, match=message):
        check(case / "gone" if given.get("backend") != "dask" or "budget" in given else case, **given)


def test_a_backend_whose_extra_is_missing(case: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("auditor.base.extras._found", lambda module: module != "ray")
    with pytest.raises(MissingExtraError, match=r"pip install 'auditor\[ray\]'"):
        check(case, backend="ray", address="127.0.0.1:1")


def test_ray_is_refused_unless_its_workers_are_trusted(case: Path, monkeypatch: pytest.MonkeyPatch, loopback: Loopback) -> None:
    monkeypatch.setattr("auditor.base.extras._found", lambda _module: True)
    with pytest.raises(UsageError, match=r"--backend ray: expected --trust-workers with it.*trust_workers=True") as raised:
        check(case, only=SOME, backend="ray", address="127.0.0.1:1")
    assert raised.value.exit_code == 2
    assert not loopback.called
    there = check(case, only=SOME, backend="ray", address="127.0.0.1:1", trust_workers=True)
    assert timeless(there.evidence) == timeless(check(case, only=SOME).evidence)
