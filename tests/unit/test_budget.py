"""`--budget` cuts what costs least power until an audit fits a time, says so, and leaves nothing out that decides."""

from __future__ import annotations

import json
import math
from datetime import UTC, datetime
from pathlib import Path

import pytest

import small_cases
from auditor import case as cases
from auditor.api import check
from auditor.api.results.rehearsals import told_fitted
from auditor.audit.auditing import Options, declare
from auditor.audit.devices import on_cpu
from auditor.audit.rehearsal.budget import Fitted, fit, seconds_of
from auditor.base.errors import UsageError
from auditor.case import Case
from auditor.cli import run
from auditor.parts.release.judging.release_remembers import ACCUSES, SECOND_MODELS
from auditor.sandbox import Level
from auditor.verdict.checks.context import Context


@pytest.mark.parametrize(
    ("text", "seconds"), [("2h", 7200), ("1h30m", 5400), ("90m", 5400), ("45s", 45), (" 1H ", 3600), ("1m5s", 65)]
)
def test_a_time_is_read(text: str, seconds: float) -> None:
    assert seconds_of(text) == seconds


@pytest.mark.parametrize("text", ["", "0s", "2", "-2h", "2h-1m", "1.5h", "9000h", "h", "1m1h", "2h\n3h", "٢h"])
def test_what_is_no_time_is_refused(text: str) -> None:
    with pytest.raises(UsageError, match="expected a time such as 2h"):
        seconds_of(text)


def _case(folder: Path, policy: str = "", *, models: int = 39, pairs: int = 20) -> tuple[Case, Context]:
    folder.mkdir(exist_ok=True)
    small_cases.write(folder, *small_cases.problem(), required=None)
    sizes = f"\n[release]\nmodels = {models}\n\n[swap]\npairs = {pairs}\n\n[policy]\n{policy}\n"
    declared = folder / "audit.toml"
    declared.write_text(declared.read_text(encoding="utf-8") + sizes, encoding="utf-8")
    read = cases.read(folder)
    return read, declare(read, Options(), Level.PROCESS, on_cpu(), datetime.now(tz=UTC)).context


def cost(case: Case, options: Options) -> float:
    """A second a pair, a tenth a game of deletion inference, one a model, five for what is always there."""
    settings, only = case.settings, options.only
    swap = settings.swap.pairs if only is None or "swap.quality" in only else 0
    games = settings.inference.games / 10 if only is None or "inference.instance" in only else 0
    return 5 + swap + games + settings.release.models


def _fit(folder: Path, seconds: float, policy: str = "", **sizes: int) -> Fitted:
    case, context = _case(folder, policy, **sizes)
    return fit(case, Options(), context, seconds=seconds, estimate=cost)


def test_nothing_is_cut_where_everything_fits(tmp_path: Path) -> None:
    found = _fit(tmp_path, 164)
    assert (found.weaker, found.left_out, found.options.only) == ((), (), None)
    assert found.options.budget is not None
    assert found.options.budget.seconds == 164


def test_what_decides_nothing_goes_first_and_alone(tmp_path: Path) -> None:
    found = _fit(tmp_path, 163)
    assert found.left_out == ("inference.instance",)
    assert found.weaker == ()
    assert found.options.only is not None
    assert "inference.instance" not in found.options.only
    assert "swap.quality" in found.options.only


def test_sizes_above_the_defaults_come_down_to_them_before_anything_is_left_out(tmp_path: Path) -> None:
    found = _fit(tmp_path, 230, models=99, pairs=100)
    assert found.left_out == ()
    assert [(each.key, each.declared, each.used) for each in found.weaker] == [("swap.pairs", 100, 20)], (
        "the cut of models was not needed once pairs were cut"
    )


def test_what_the_policy_asks_for_gets_smaller_and_stays(tmp_path: Path) -> None:
    found = _fit(tmp_path, 90, "max_inference = 0.6")
    assert found.left_out == ()
    (games,) = found.weaker
    assert (games.key, games.used) == ("inference.games", 200)
    assert games.before == pytest.approx(0.0315, abs=5e-4)
    assert games.after == pytest.approx(0.0713, abs=5e-4)
    # Clopper and Pearson with confidence 0.95: no such model among 40, and among 10.
    (pairs,) = _fit(tmp_path / "less", 50, "").weaker
    assert (pairs.key, pairs.used) == ("swap.pairs", 5)
    assert pairs.before == pytest.approx(1 - 0.025 ** (1 / 40))
    assert pairs.after == pytest.approx(1 - 0.025 ** (1 / 10))


def test_the_second_stage_goes_first_and_the_evidence_says_so(tmp_path: Path) -> None:
    """It is what an honest release needs least: nothing else is cut while that is enough."""
    case, context = _case(tmp_path)

    def with_second(sized: Case, options: Options) -> float:
        return cost(sized, options) + (SECOND_MODELS if options.second_stage_s > 0 else 0)

    found = fit(case, Options(), context, seconds=164, estimate=with_second)
    assert [(each.key, each.declared, each.used) for each in found.weaker] == [("release.second-stage", SECOND_MODELS, 0)]
    assert (found.weaker[0].before, found.left_out, found.options.second_stage_s) == (ACCUSES, (), 0.0)
    assert found.options.budget is not None
    assert [each.key for each in found.options.budget.resized] == ["release.second-stage"]
    (_, line) = told_fitted(found)
    assert line.startswith("Second stage of the attack on the release: none, instead of 199 further shadow models.")
    whole = fit(case, Options(), context, seconds=164 + SECOND_MODELS, estimate=with_second)
    assert (whole.weaker, whole.options.second_stage_s) == ((), math.inf)


def test_what_decides_is_never_left_out(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"what decides takes up to 54s .* found 48s; give 54s"):
        _fit(tmp_path, 48)
    # A policy that lists its checks spares others, but not what is required whenever it runs, and what that is computed from.
    found = _fit(tmp_path / "listed", 50, 'required = ["model.reproduced"]')
    assert "inference.instance" in found.left_out
    assert {"release.remembers", "swap.quality", "epsilon.consistency"}.isdisjoint(found.left_out)


@pytest.mark.usefixtures("unprinted")
def test_an_audit_on_a_budget_says_what_was_cut(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    small_cases.write(tmp_path, *small_cases.problem(), deleted=[["rec-0003"]], required=("log.deadlines",))
    assert run(["check", str(tmp_path), "--dry-run", "--budget", "1s"]) == 2
    assert "what decides takes up to" in capsys.readouterr().err
    assert run(["check", str(tmp_path), "--budget", "1h"]) in (0, 1, 3)
    assert "The whole audit fits" in capsys.readouterr().err
    evidence = json.loads((tmp_path / "audit" / "evidence.json").read_text())
    assert evidence["audit"]["budget"] == {"seconds": 3600, "resized": [], "left_out": []}
    assert run(["verify", str(tmp_path / "audit" / "evidence.json")]) == 0
    plain = check(tmp_path, quick=True, only="log.deadlines")
    assert "budget" not in json.loads(plain.to_bytes())["audit"]


def test_a_report_names_what_a_budget_cut(tmp_path: Path) -> None:
    from auditor.document.context import Budget, Resized  # noqa: PLC0415
    from auditor.pages.plain import caveats  # noqa: PLC0415
    from auditor.pages.words.rendered_evidence import tell  # noqa: PLC0415

    small_cases.write(tmp_path, *small_cases.problem(60), deleted=[["rec-0003"]])
    audited = check(tmp_path, only="log.deadlines").evidence
    budget = Budget(seconds=90, resized=(Resized(key="swap.pairs", declared=20, used=5),), left_out=("inference.instance",))
    told = tell(audited.model_copy(update={"audit": audited.audit.model_copy(update={"budget": budget})}))
    assert any("fitted into a given time" in each for each in caveats(told))
    whole = tell(
        audited.model_copy(
            update={
                "audit": audited.audit.model_copy(update={"budget": budget.model_copy(update={"resized": (), "left_out": ()})})
            }
        )
    )
    assert not any("fitted into a given time" in each for each in caveats(whole))
