"""Small cases of a language model: sentences from a seeded grammar."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from case_examples import jsonl, row

SOUND = """\
[case]
name = "text"

[data]
train = "train.csv"
text = "sentence"
task = "regression"

[procedure]
use = "ngram"
order = {order}
unlearn = "{unlearn}"

[deletions]
log = "deletions.jsonl"
"""
NAMES = ("ann", "bob", "carla", "dan", "eve", "finn", "gita", "hugo", "iris", "jan")
THINGS = ("knee", "elbow", "back", "tooth", "ear", "hip", "eye", "toe", "wrist", "neck")
PLACES = ("oslo", "lyon", "graz", "bern", "york", "kiel", "bonn", "nice", "pisa", "gent")


def sentences(count: int, *, seed: int = 1) -> list[str]:
    """Sentences of six to nine words, of which a few stand in each."""
    rng = np.random.default_rng(seed)
    made = []
    for _ in range(count):
        name, thing, place, other = (str(rng.choice(each)) for each in (NAMES, THINGS, PLACES, NAMES))
        ends = ("today", f"with {other}", f"and called {other}")
        made.append(f"{name} saw a doctor in {place} about the {thing} {rng.choice(ends)}")
    return made


def write(folder: Path, *, order: int = 3, unlearn: str = "retrain", count: int = 60, text: str = SOUND) -> Path:
    """A case folder with so many sentences, the second of which is deleted."""
    lines = [f"s{number},{sentence}" for number, sentence in enumerate(sentences(count))]
    (folder / "train.csv").write_text("id,sentence\n" + "\n".join(lines) + "\n", encoding="utf-8")
    (folder / "deletions.jsonl").write_bytes(jsonl(row("REQ-1", ("s1",), executed_at="2026-01-20T09:00:00+01:00")))
    (folder / "audit.toml").write_text(text.format(order=order, unlearn=unlearn), encoding="utf-8")
    return folder
