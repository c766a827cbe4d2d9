"""docs/peers.md, written from results.json alone: `python -m benchmarks.peers --page` after a change of words."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from pathlib import Path
from statistics import fmean, median, stdev
from typing import Any, Final

import scipy

from auditor.maths.statistics.exact import clopper_pearson
from benchmarks.peers import databases, stores
from benchmarks.peers.environments import PEERS
from benchmarks.peers.removal import PRINTED
from benchmarks.peers.verdicts import AT_OUR_LEVEL, WITH_AS_MANY

ROOT: Final = Path(__file__).resolve().parents[2]
RESULTS: Final = Path(__file__).with_name("results.json")
PAGE: Final = ROOT / "docs" / "peers.md"
_HEAD: Final = """\
# Next to its peers

`make peers` installs each peer from its package in an environment of its own.
It measures all on the same work, each comparison in one run of the benchmark.
This page is written from [the results](../benchmarks/peers/results.json).
Peers run with their authors' defaults unless a line says otherwise, and with one thread, as this project does.
Seeds are in the code and were fixed before anything was measured.
Times are medians, with the least and the most in brackets; imports count only where a whole command is timed.
"""
_BOUNDS: Final = {
    "auditor": {
        "one-run-dp": "auditor: `one-run-dp`, δ = 0",
        "one-run-fdp": "auditor: `one-run-fdp`, any mechanism",
        "one-run-fdp, Gaussian": "auditor: `one-run-fdp`, Gaussian mechanisms",
    },
    "jax_privacy": {
        "epsilon_one_run": "jax_privacy: `epsilon_one_run`",
        "epsilon_one_run_fdp": "jax_privacy: `epsilon_one_run_fdp`, Gaussian mechanisms",
        "epsilon_clopper_pearson": "jax_privacy: `epsilon_clopper_pearson`, canaries taken as runs",
        "epsilon_from_gdp": "jax_privacy: `epsilon_from_gdp`, the same, Gaussian mechanisms",
    },
}
_ALIKE: Final = {
    ("jax_privacy", "epsilon_one_run"): "one-run-fdp",
    ("jax_privacy", "epsilon_one_run_fdp"): "one-run-fdp, Gaussian",
}
"""By a peer's method the one of ours that bounds the same from the same."""
_GAUSSIAN_ONLY: Final = {"one-run-fdp, Gaussian", "epsilon_one_run_fdp", "epsilon_from_gdp"}
_ACCOUNTANTS: Final = {
    ("auditor", "dp-sgd"): "auditor: `dp-sgd`",
    ("dp-accounting", "pld"): "dp-accounting: PLD",
    ("dp-accounting", "rdp"): "dp-accounting: RDP",
    ("Opacus", "prv"): "Opacus: PRV",
    ("Opacus", "rdp"): "Opacus: RDP",
    ("Opacus", "gdp"): "Opacus: GDP, an approximation",
}

Results = dict[str, Any]


def read() -> Results:
    """What was measured."""
    found: Results = json.loads(RESULTS.read_text(encoding="utf-8"))
    return found


def written(results: Results) -> str:
    """results.json as it is kept."""
    return json.dumps(results, ensure_ascii=False, separators=(",", ":"), sort_keys=True) + "\n"


def page(found: Results) -> str:
    """The whole page."""
    parts = [_HEAD, _peers(found), _better(found), _membership(found["membership"]), _verdicts(found["verdicts"])]
    parts += [_bounds(found["bounds"]), _accounting(found["accounting"]), _removal(found["removal"]), _stores(found["stores"])]
    parts.append(_databases(found["databases"]))
    return "\n".join(parts)


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A table in Markdown, with a blank line around it."""
    lines = [head, ["---"] * len(head), *rows]
    return "\n" + "\n".join(f"| {' | '.join(line)} |" for line in lines) + "\n"


def _peers(found: Results) -> str:
    here = found["machine"]
    versions = f"Python {here['python']}, NumPy {here['numpy']}, scikit-learn {here['scikit-learn']}"
    rows = []
    for each in PEERS:
        peer = found["peers"][each.name]
        packages = ", ".join(f"{package} {version}" for package, version in peer["packages"].items())
        used = "yes"
        if peer["problem"]:
            used = f"`{peer['problem']}`{': ' if each.note else ''}{each.note}"
        rows.append([each.name, packages or "–", used])
    lines = [f"Measured on {here['cpu']}, {here['cores']} cores, {here['memory_gb']} GB of memory; {versions}."]
    loads = [each["load"] for each in found.values() if "load" in each]
    lines.append(f"When a comparison began, the load average was {min(loads):.1f} to {max(loads):.1f}; it has what ran before.")
    lines += [found["remark"]] if "remark" in found else []
    return "\n".join(lines) + "\n" + table(["peer", "versions", "used"], rows)


def _better(found: Results) -> str:
    """Where a peer does better, worked out from the figures."""
    lines = [*_better_attacks(found["membership"]), *_better_verdicts(found["verdicts"]), *_better_bounds(found["bounds"])]
    lines += [*_better_accounting(found["accounting"]), *_better_stores(found["stores"])]
    lines += _better_databases(found["databases"])
    return "## Where a peer is better\n\n" + "\n".join(f"- {line}" for line in lines or ["Nowhere in this run."]) + "\n"


def _better_attacks(found: Results) -> Iterable[str]:
    for name, each in found["data"].items():
        measures = (("auc", "has a larger AUC"), ("tpr", "has a larger true positive rate"), ("seconds", "takes less time"))
        for key, what in measures:
            middle = median if key == "seconds" else fmean
            means = {tool: middle(row[key] for row in rows) for tool, rows in each["tools"].items()}
            sign = -1 if key == "seconds" else 1
            own = max((value for tool, value in means.items() if tool.startswith("auditor")), key=lambda value: sign * value)
            for tool, value in means.items():
                if not tool.startswith("auditor") and sign * value > sign * own:
                    unit = " s" if key == "seconds" else ""
                    yield f"{tool} {what} on {name}: {value:.3g}{unit} against {own:.3g}{unit} of our best attack."


def _better_verdicts(found: Results) -> Iterable[str]:
    told = {tool: counts["leaking"][0] for tool, counts in found["tools"].items()}
    own, left = told["auditor: release.remembers, fail"], told["auditor: the same, inconclusive"]
    for tool, count in told.items():
        if not tool.startswith("auditor") and count > own:
            yield f"{tool}: recognises {count} leaking models, ours {own}, with {left} more inconclusive."


def _better_bounds(found: Results) -> Iterable[str]:
    names = {name: words for methods in _BOUNDS.values() for name, words in methods.items()}
    for mechanism in ("Gaussian", "Laplace"):
        medians = {
            (tool, name): median(each["bounds"])
            for tool in _BOUNDS
            if tool in found
            for name, each in found[tool][mechanism].items()
            if (mechanism == "Gaussian" or name not in _GAUSSIAN_ONLY) and not _misses(found, each["bounds"], mechanism)
        }
        own = max(value for (tool, _), value in medians.items() if tool == "auditor")
        for (tool, name), value in medians.items():
            if tool != "auditor" and value > own:
                of = found["true"][mechanism]
                yield f"{names[name]}: {value:.2f} of {of:.2f} on {mechanism} noise, ours at most {own:.2f}."
        for (tool, name), alike in _ALIKE.items():
            if tool in found:
                theirs, ours = (
                    median(each["seconds"]) for each in (found[tool][mechanism][name], found["auditor"][mechanism][alike])
                )
                if theirs < ours:
                    yield (
                        f"{names[name]} takes less time on {mechanism} noise than ours by the like method: "
                        f"{_seconds(theirs)} against {_seconds(ours)}."
                    )


def _misses(found: Results, values: Sequence[float], mechanism: str) -> bool:
    """Whether a bound exceeds ε more often than it may, for certain."""
    above = _above(values, found["true"][mechanism])
    return bool(clopper_pearson(above, len(values), confidence=0.95).low > found["alpha"])


def _above(values: Sequence[float], true: float) -> int:
    return sum(bound > true + 1e-9 for bound in values)


def _better_accounting(found: Results) -> Iterable[str]:
    for at, training in enumerate(found["trainings"]):
        own = found["auditor"][at]["dp-sgd"]
        for (tool, kind), words in _ACCOUNTANTS.items():
            each = found.get(tool, [{}] * (at + 1))[at].get(kind, {}) if tool != "auditor" else {}
            if kind != "gdp" and "epsilon" in each and each["epsilon"] < own["epsilon"] - 1e-4:
                yield f"{words} is tighter for {_training(training)}: {each['epsilon']:.4f} against {own['epsilon']:.4f}."
    for (tool, kind), words in _ACCOUNTANTS.items():
        if tool in found and tool != "auditor" and kind != "gdp":
            faster = sum(
                "seconds" in row[kind] and median(row[kind]["seconds"]) < median(mine["dp-sgd"]["seconds"])
                for row, mine in zip(found[tool], found["auditor"], strict=True)
            )
            if faster:
                yield f"{words} takes less time for {faster} of {len(found[tool])} trainings."


def _better_stores(found: Results) -> Iterable[str]:
    for name in stores.PLACES:
        row = found["places"][name]
        if "Tombstone" in row and row["Tombstone"]["found"] > row["auditor"]["found"]:
            yield f"Tombstone finds {row['Tombstone']['found']} people in {name}, ours {row['auditor']['found']}."
    timed = found["places"][stores.TIMED]
    if "Tombstone" in timed and median(timed["Tombstone"]["seconds"]) < median(timed["auditor"]["seconds"]):
        ratio = median(timed["auditor"]["seconds"]) / median(timed["Tombstone"]["seconds"])
        yield f"Tombstone's probe takes 1/{ratio:,.0f} of the time of the whole command `auditor scan`."


def _better_databases(found: Results) -> Iterable[str]:
    if "problem" in found:
        return
    for name, row in found["designs"].items():
        theirs, left = row["vector-forget"]["good"], row["there"]
        if not left and theirs == found["erased"] and row["auditor"]["verdict"] != "pass":
            yield f"vector-forget verifies all {theirs} in {name}; `auditor scan` is {row['auditor']['verdict']}."
    designs = found["designs"].values()
    theirs, ours = ([row[tool]["seconds"] for row in designs] for tool in ("vector-forget", "auditor"))
    if theirs and median(theirs) < median(ours):
        yield f"vector-forget asks a database in {_time(theirs)}; `auditor scan` of its folder takes {_time(ours)}."


def _when(found: Results) -> str:
    took = f"{found['seconds']} s" if found["seconds"] else "under 1 s"
    return f"Measured on {found['date']} in {took}; the load average was {found['load']:.1f} when it began.\n"


def _membership(found: Results) -> str:
    text = (
        "## Attacks on a model\n\n"
        "A random forest with scikit-learn's defaults learns one half of the records; attacks tell it from the other half.\n"
        f"Likelihood ratios and thresholds have {found['shadows']} shadow models for all tools (SACRO-ML's default is 100).\n"
        "The worst case has none: it learns from the true answers for four fifths of the records, and is tried on the rest.\n"
        "AUC and the true positive rate at 5 % false positives are means over five draws of data and target.\n"
        "Records of equal score count as not recognised where only some of them fit into 5 %, so that few different scores\n"
        "may give less than 0.05.\n"
        "Intervals are Student's at 95 %; one scorer computes both for all tools.\n"
        "SACRO-ML's worst case runs without its authors' baseline, which takes time and changes no score.\n" + _when(found)
    )
    for name, each in found["data"].items():
        rows = [
            [tool, _mean(row["auc"] for row in rows), _mean(row["tpr"] for row in rows), _time(row["seconds"] for row in rows)]
            for tool, rows in each["tools"].items()
        ]
        text += f"\n{name}, {each['members']} members:\n" + table(["attack", "AUC", "true positives", "time"], rows)
    return text


def _verdicts(found: Results) -> str:
    rows = [[tool, *(_share(*counts[kind]) for kind in ("honest", "leaking"))] for tool, counts in found["tools"].items()]
    level = "The likelihood ratio's is also compared with auditor's own level.\n" if AT_OUR_LEVEL in found["tools"] else ""
    as_many = ", and the ratio is asked with as many too" if WITH_AS_MANY in found["tools"] else ""
    return (
        "## Accusations\n\n"
        f"Each case has {found['records']} records of breast cancer that stay, as many deleted and as many never seen.\n"
        f"An honest model, a forest of {found['trees']} trees, saw only those that stay; a leaking one the deleted too.\n"
        f"`release.remembers` and the likelihood ratio have {found['trainings']} trainings.\n"
        f"Where its first stage calls for a second, ours has {found['second']} more: each of its accusations rests on "
        f"{found['trainings'] + found['second']}{as_many}.\n"
        "SACRO-ML's reports give p-values of the AUC and call each of them significant at 0.05.\n"
        f"{level}"
        "The baseline of its worst case, which changes no p-value, is left out here.\n"
        "Its authors do not call that a verdict on unlearning; it is what a reader of the report sees.\n"
        "Ours accuses at 0.01 over all attacks and requests together, and what is inconclusive does not pass.\n"
        "Counts have exact 95 % limits.\n" + _when(found) + table(["tool", "honest, accused", "leaking, accused"], rows)
    )


def _bounds(found: Results) -> str:
    text = (
        "## Lower bounds on ε\n\n"
        f"One draw tosses {found['canaries']:,} fair coins and adds noise to each, so that ε is known.\n"
        f"There are {found['draws']} draws of each mechanism.\n"
        f"Bounds are for δ = {found['delta']:g} at 95 %; ours guess by the rule of audits, at a quarter of the canaries.\n"
        "*Above* counts draws whose bound exceeds ε, which at most 5 % may, with exact 95 % limits.\n"
        "In bold: the lower limit is above 5 %, so that it is certainly no lower bound there, and is not called better above.\n"
        "A method for Gaussian mechanisms may exceed ε on Laplace noise without a mistake.\n"
        "`one-run-dp` bounds ε at δ = 0, which is infinite for Gaussian noise.\n" + _when(found)
    )
    for mechanism, true in found["true"].items():
        rows = []
        for tool, methods in _BOUNDS.items():
            for name, words in methods.items() if tool in found else ():
                each = found[tool][mechanism][name]
                above = _share(_above(each["bounds"], true), found["draws"])
                wrong = (mechanism != "Laplace" or name not in _GAUSSIAN_ONLY) and _misses(found, each["bounds"], mechanism)
                rows.append([words, _range(each["bounds"]), f"**{above}**" if wrong else above, _time(each["seconds"])])
        text += f"\n{'noise alone' if mechanism == 'nothing' else mechanism}, ε = {true:.3f}:\n" + table(
            ["method", "bound", "above", "time"], rows
        )
    return text


def _accounting(found: Results) -> str:
    text = (
        "## Upper bounds on ε: accounting\n\n"
        f"DP-SGD with Poisson sampling at δ = {found['delta']:g}; neighbours differ by one record added or removed.\n"
        "Ours is computed with dp-accounting: the smaller of a pessimistic PLD and a Rényi bound, rounded up to 0.0001,\n"
        "on a grid of its own. A lead of 0.0001 or less is not listed above.\n"
        "Opacus warns that its GDP accountant may fall short of ε.\n" + _when(found)
    )
    for at, training in enumerate(found["trainings"]):
        rows = []
        for (tool, kind), words in _ACCOUNTANTS.items():
            if tool in found:
                each = found[tool][at][kind]
                rows.append(
                    [words, each["problem"], "–"]
                    if "problem" in each
                    else [words, f"{each['epsilon']:.4f}", _time(each["seconds"])]
                )
        text += f"\n{_training(training)}:\n" + table(["accountant", "ε", "time"], rows)
    return text


def _training(training: Sequence[float]) -> str:
    noise, rate, steps = training
    return f"noise multiplier {noise:g}, sampling rate {rate:.4g}, {steps:,} steps"


def _removal(found: Results) -> str:
    rows = [[f"Guo et al. 2020, as printed: {name}", *each] for name, each in PRINTED.items()]
    ours = f"auditor, digits 3 and 8: {found['records']} records of {found['features']} pixels"
    rows.append([ours, _time(found["removal"]), _time(found["training"])])
    return (
        "## Certified removal\n\n"
        "Guo et al. print these times in Table 1; ours are of this machine and of far fewer records, so that no ratio follows.\n"
        "Their code has a licence that bars commercial use: it was neither run nor read for this page.\n"
        "[Their figures on our data](certified-removal-figures.md) has bounds and the removals that they certify.\n"
        + _when(found)
        + table(["source", "one removal", "training"], rows)
    )


def _stores(found: Results) -> str:
    rows = []
    for name in stores.PLACES:
        row = found["places"][name]
        theirs = str(row["Tombstone"]["found"]) if "Tombstone" in row else "–"
        rows.append([name, str(row["there"]), str(row["auditor"]["found"]), row["auditor"]["verdict"], theirs])
    timed = found["places"][stores.TIMED]
    times = f"{stores.TIMED} took `auditor scan` {_time(timed['auditor']['seconds'])}"
    times += f" and Tombstone's probe {_time(timed['Tombstone']['seconds'])}" if "Tombstone" in timed else ""
    return (
        "## Copies left in files\n\n"
        f"{found['erased']} of {found['people']} people are erased, each with a vector of {found['width']} float32 numbers.\n"
        "Both tools are given the vectors: Tombstone looks for the bytes of the first 32 numbers, as its lineage notes them.\n"
        "`auditor scan` reads them from a table.\n"
        "Tombstone would also delete them, and follow them to other stores, which this project does not.\n"
        "*There* counts people with half of their vector or more in the place.\n"
        f"{times}.\nThe former is a whole command, the latter one function.\n"
        + _when(found)
        + table(["place", "there", "auditor scan", "its verdict", "Tombstone"], rows)
    )


def _databases(found: Results) -> str:
    text = (
        "## Copies left in a database\n\n"
        "vector-forget deletes a person's rows in a running PostgreSQL, has it clean up, and asks it what is left.\n"
        "`auditor scan` reads the folder of the stopped server.\n"
        "That has the write-ahead log, which vector-forget's reports leave out; after `VACUUM FULL` vectors are left there.\n"
        "vector-forget is asked about one table: a copy in another is outside of its question.\n"
    )
    if problem := found.get("problem"):
        return f"{text}Not measured: {problem}.\n" + _when(found)
    rows = []
    for name in databases.DESIGNS:
        theirs, own = (row := found["designs"][name])["vector-forget"], row["auditor"]
        verified = f"{theirs['good']} of {found['erased']}"
        times = (_seconds(theirs["seconds"]), _seconds(own["seconds"]))
        rows.append([name, str(row["there"]), verified, times[0], str(own["found"]), own["verdict"], times[1]])
    return (
        f"{text}{found['erased']} of {found['people']} people are erased; *there* counts as above.\n"
        "Debian's server has no pgvector, so that vectors are arrays of float4 without an index.\n"
        + _when(found)
        + table(["design", "there", "vector-forget verifies", "time", "auditor scan finds", "its verdict", "time"], rows)
    )


def _mean(values: Iterable[float]) -> str:
    """A mean with Student's interval, within 0 and 1."""
    every = list(values)
    middle = fmean(every)
    half = float(scipy.special.stdtrit(len(every) - 1, 0.975)) * stdev(every) / len(every) ** 0.5
    return f"{middle:.3f} ({max(0.0, middle - half):.3f} to {min(1.0, middle + half):.3f})"


def _range(values: Sequence[float]) -> str:
    return f"{median(values):.2f} ({min(values):.2f} to {max(values):.2f})"


def _share(count: int, total: int) -> str:
    found = clopper_pearson(count, total, confidence=0.95)
    return f"{count} of {total} ({100 * found.low:.1f} to {100 * found.high:.1f} %)"


def _seconds(value: float) -> str:
    return _time([value]).partition(" (")[0]


def _time(values: Iterable[float]) -> str:
    every = list(values)
    scale, unit = (1, "s") if median(every) >= 0.1 else (1e3, "ms") if median(every) >= 1e-4 else (1e6, "µs")
    numbers = [
        f"{each * scale:.3g}" if each * scale < 100 else f"{each * scale:,.0f}"
        for each in (median(every), min(every), max(every))
    ]
    return f"{numbers[0]} {unit} ({numbers[1]} to {numbers[2]})"
