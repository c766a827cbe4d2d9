"""The page docs/paper-deletion-inference.md and its figures, from the results alone."""

from __future__ import annotations

import textwrap
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from benchmarks.paper import drawing
from benchmarks.paper.drawing import Series
from benchmarks.paper.inference import published
from benchmarks.paper.inference.explaining import verdict
from benchmarks.paper.inference.pictures import svg
from benchmarks.paper.inference.shares import Cells, Share, mean, share
from benchmarks.paper.publishing import RESULTS

NAME: Final = "paper-deletion-inference"
WIDTH: Final = 120
LEARNERS: Final = {
    "linear": "linear regression",
    "svr": "SVM",
    "lasso": "lasso, α = 0.1",
    "tree-regressor": "decision tree",
    "mlp-regressor": "MLP (20, 2)",
    "mlp-regressor-scaled": "MLP (20, 2), columns standardised",
    "logistic": "logistic regression",
    "logistic-converged": "logistic regression, optimised to the end",
    "tree": "decision tree",
    "svm": "SVM",
    "forest": "forest of 10 trees",
    "mlp": "MLP (20, 10)",
    "neighbours": "5 nearest neighbours",
}
ATTACKS: Final = {"example": "3.2, example", "instance": "3.4, instance"}
LARGE: Final = {
    "example": "Algorithm 3.2",
    "instance": "Algorithm 3.4",
    "reduction by confidence": "by confidence",
    "reduction by label": "by label",
}
SOURCES: Final = {"box": "rows from the ranges", "records": "the records"}


def page(found: Mapping[str, Any]) -> str:
    """The page in Markdown."""
    loader = FileSystemLoader(Path(__file__).parent)
    environment = Environment(loader=loader, undefined=StrictUndefined, autoescape=False, trim_blocks=True, lstrip_blocks=True)
    return _wrapped(environment.get_template("page.md.j2").render(_context(found))) + "\n"


def figures(found: Mapping[str, Any]) -> dict[str, str]:
    """The figures by name, as SVG."""
    panels = [
        Series(
            found["large"][model], "training records", tuple(str(size) for size in sizes), _estimates(found, model, sizes), LARGE
        )
        for model in found["large"]
        if (sizes := _sizes(found, model))
    ]
    drawn = {"pictures": svg(found["pictures"])}
    return drawn | ({"batches": drawing.svg(panels, "Pairs guessed rightly against training size, by attack")} if panels else {})


def _context(found: Mapping[str, Any]) -> dict[str, Any]:
    cells, known = found["cells"], found["known"]
    tables = [name for name in cells if name.startswith("inference.") and name.split(".")[2] in LEARNERS]
    tables = [name for name in tables if name.split(".")[2] not in {"logistic-converged", "mlp-regressor-scaled"}]
    games = [cell["games"] for cell in cells.values()]
    seconds = sum(cells[name]["cpu_seconds"] for name in tables)
    needed = sum(cells[name]["cpu_seconds"] / cells[name]["games"] * found["games"] for name in tables)
    fewer = sum(cells[name]["games"] < found["asked"][name] for name in cells)
    return {
        "name": NAME,
        "results": RESULTS,
        "most": f"{found['games']:,}",
        "minutes": round(seconds / 60),
        "whole": ""
        if round(needed) == round(seconds)
        else f" (about {needed / 60:.0f} with {found['games']:,} games in every cell)",
        "all_minutes": round(sum(cell["cpu_seconds"] for cell in cells.values()) / 60),
        "short": fewer,
        "played": len(games),
        "table2": _inference(cells, "diabetes"),
        "table3": [
            {"title": title, "table": _inference(cells, table)}
            for table, title in (
                ("iris", "Iris"),
                ("wine", "Wine"),
                ("breast-cancer", "Breast Cancer"),
                ("digits", "Digits (the paper: 1/12 MNIST)"),
            )
        ],
        "absolute": ", ".join(
            f"{each} for {LEARNERS[learner]} (paper: {published.INFERENCE['diabetes'][learner][0]})"
            for learner in ("linear", "svr", "lasso")
            if (each := share(cells, f"inference.diabetes.{learner}", "absolute"))
        ),
        "tree_ties": _range([share(cells, f"inference.{each}.tree", "example", counting="ties") for each in published.INFERENCE]),
        "seeds": " against ".join(
            _brief(share(cells, f"inference.iris.{each}", "instance")) for each in ("svm", "svm-same-seed")
        ),
        "liblinear": _liblinear(cells),
        "yeom_paper": " and ".join(f"{one} and {other} on {name}" for name, (one, other) in published.YEOM.items()),
        "table4": _yeom(cells),
        "asked": f"{found['asked_rows']:,}",
        "table5": _labels(cells),
        "known": known,
        "paper_known": published.KNOWN_INSTANCE,
        "at30": known["adversary"][known["lambdas"].index(30.0)],
        "sentences_count": f"{found['sentences']:,}",
        "sentences_words": f"{found['words']:,}",
        "table7": _sentences(cells),
        "batch": found["batch"],
        "figure12": _batches(found),
        "known_records": found["known_records"],
        "figure3": _nearest(cells),
    }


def _inference(cells: Cells, table: str) -> str:
    head = ["learner", "algorithm", "paper", "ours", "wins", "ties", "wins + ties", "games", "the paper's number is"]
    lines = []
    for learner, numbers in published.INFERENCE[table].items():
        for attack, theirs in zip(ATTACKS, numbers, strict=True):
            cell = f"inference.{table}.{learner}"
            ours = share(cells, cell, attack)
            counts = [share(cells, cell, attack, counting=each) for each in ("wins", "ties", "wins + ties")]
            # The digits are no MNIST: nothing is held against its numbers.
            said = "of another table" if table == "digits" else verdict(cells, table, learner, attack, theirs)
            cut = ["–" if each is None else f"{each.percent:.1f}" for each in counts]
            lines.append([LEARNERS[learner], ATTACKS[attack], f"{theirs:.1f}", _said(ours), *cut, _games(ours), said])
    return _table(head, lines)


def _yeom(cells: Cells) -> str:
    lines = []
    for name in cells:
        if name.startswith("yeom."):
            reduction, direct = share(cells, name, "reduction"), share(cells, name, "example")
            ties = share(cells, name, "reduction", counting="ties")
            share_of_ties = "–" if ties is None else f"{ties.percent:.1f}"
            lines.append([LEARNERS[name.split(".")[2]], _said(reduction), share_of_ties, _said(direct), _games(direct)])
    return _table(["learner", "reduction", "its ties", "Algorithm 3.2", "games"], lines)


def _labels(cells: Cells) -> str:
    lines = []
    for learner in ("logistic", "logistic-converged", "neighbours"):
        for source, words in SOURCES.items():
            for table in ("iris", "wine", "breast-cancer"):
                cell = f"labels.{table}.{learner}.{source}"
                ours = share(cells, cell, "label")
                theirs = published.LABELS[learner.removesuffix("-converged")][table]
                counted = [share(cells, cell, "label", counting=each) for each in ("wins", "ties", "wins + ties")]
                cut = ["–" if each is None else f"{each.percent:.1f}" for each in counted]
                generous = counted[-1]
                inside = "–" if ours is None or generous is None else "inside" if ours.holds(theirs) else "outside"
                if inside == "outside" and generous is not None and generous.holds(theirs):
                    inside = f"outside; met by ties counted as won: {generous}"
                lines.append([table, LEARNERS[learner], words, f"{theirs:.1f}", _said(ours), *cut, _games(ours), inside])
    return _table(
        ["table", "learner", "asked about", "paper", "ours", "wins", "ties", "wins + ties", "games", "the paper's number is"],
        lines,
    )


def _sentences(cells: Cells) -> str:
    lines = []
    for name, (right, theirs) in published.SENTENCES.items():
        cell = cells.get(f"sentences.{name}")
        whole = None if cell is None else Share(round(cell["sums"]["whole"]), cell["games"])
        score = mean(cells, f"sentences.{name}", "f1")
        said = "–" if score is None else f"{100 * score[0]:.2f} ± {196 * score[1]:.2f}"
        order = "no order" if right is None else f"{right:.1f}"
        lines.append([name, order, "no order" if right is None else _said(whole), f"{theirs:.2f}", said, _games(whole)])
    return _table(["model", "wholly right, paper", "ours", "F1, paper", "ours", "games"], lines)


def _liblinear(cells: Cells) -> str:
    """What liblinear comes to when it goes on to the end, next to the paper's numbers."""
    told = []
    for table, title in (("iris", "Iris"), ("wine", "Wine"), ("breast-cancer", "Breast Cancer")):
        cell = f"inference.{table}.logistic-then-converged"
        found = [share(cells, cell, attack) for attack in ATTACKS]
        theirs = " and ".join(f"{each:.1f}" for each in published.INFERENCE[table]["logistic"])
        told.append(f"{_said(found[0])} and {_said(found[1])} on {title} (paper: {theirs})")
    return f"Optimised to the end by liblinear it gives {'; '.join(told)}"


def _sizes(found: Mapping[str, Any], model: str) -> list[int]:
    return [size for size in found["sizes"] if mean(found["cells"], f"large.{model}.{size}", "example")]


def _estimates(found: Mapping[str, Any], model: str, sizes: Sequence[int]) -> dict[str, list[dict[str, float]]]:
    estimates: dict[str, list[dict[str, float]]] = {}
    for attack in LARGE:
        for size in sizes:
            value = mean(found["cells"], f"large.{model}.{size}", attack)
            middle, error = value or (0.5, 0.0)
            estimates.setdefault(attack, []).append({"value": middle, "low": middle - 2 * error, "high": middle + 2 * error})
    return estimates


def _batches(found: Mapping[str, Any]) -> str:
    lines = []
    for model, title in found["large"].items():
        for size in _sizes(found, model):
            cell = f"large.{model}.{size}"
            values = [mean(found["cells"], cell, key) for key in (*LARGE, "membership", "accuracy")]
            shown = ["–" if each is None else f"{100 * each[0]:.1f} ± {200 * each[1]:.1f}" for each in values]
            lines.append([title, str(size), *shown, str(found["cells"][cell]["games"])])
    head = ["network", "trained on", *LARGE.values(), "membership inference itself", "accuracy", "rounds"]
    return _table(head, lines) if lines else ""


def _nearest(cells: Cells) -> str:
    lines = []
    for name, title in (("pairs", "pairs of digits"), ("digits", "digits")):
        cell = cells.get(f"nearest.{name}")
        if cell is None:
            continue
        for attack, words in (("deletion", "Algorithm 4.3"), ("without", "without a deletion")):
            made, label, nearest = (
                Share(round(cell["sums"][f"{attack}.{key}"]), cell["games"]) for key in ("made", "label", "nearest")
            )
            wrong = cell["sums"][f"{attack}.pixels_wrong"] / max(1, made.count)
            lines.append([title, words, _said(made), _said(label), _said(nearest), f"{wrong:.1f}", str(cell["games"])])
    head = [
        "labels",
        "attack",
        "a picture is made",
        "h gives it the right label",
        "nearest to the deleted record",
        "wrong pixels of 64",
        "games",
    ]
    return _table(head, lines)


def _said(found: Share | None) -> str:
    return "–" if found is None else str(found)


def _brief(found: Share | None) -> str:
    return "–" if found is None else f"{found.percent:.1f}"


def _wrapped(text: str) -> str:
    """Prose in lines of at most 120 characters; tables, figures and headings as they are."""
    lines = []
    for line in text.splitlines():
        if line.startswith(("|", "#", "![")) or len(line) <= WIDTH:
            lines.append(line)
        else:
            inside = "  " if line.startswith(("- ", "  ")) else ""
            lines += textwrap.wrap(line, WIDTH, subsequent_indent=inside, break_long_words=False, break_on_hyphens=False)
    return "\n".join(lines)


def _games(found: Share | None) -> str:
    return "–" if found is None else f"{found.games:,}"


def _range(found: Sequence[Share | None]) -> str:
    values = [each.percent for each in found if each is not None]
    return f"{min(values):.0f} to {max(values):.0f} %" if values else "–"


def _table(head: Sequence[str], lines: Sequence[Sequence[str]]) -> str:
    return "\n".join(f"| {' | '.join(line)} |" for line in [head, ["---"] * len(head), *lines])
