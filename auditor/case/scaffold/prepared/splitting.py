"""Writes split(table): which rows the model is fitted on."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from typing import Any, Final

from auditor.case.scaffold import rows
from auditor.case.scaffold.dataflow import Split
from auditor.case.scaffold.prepared.checks import Checks
from auditor.case.scaffold.prepared.models import (
    parts_of,
)
from auditor.case.scaffold.prepared.state import PREPARED
from auditor.case.scaffold.rows import Fault
from auditor.case.scaffold.steps import Line, source_line

_SPLITS: Final = frozenset({"test_size", "train_size", "random_state", "shuffle", "stratify"})


class Splitting(Checks):
    """Writes split(table): which rows the model is fitted on."""

    def _held(self) -> int | None:
        """The part of the rows that fit gets in addition to those to learn; None where it gets none."""
        parts: set[int] = set()
        for each in self.fit.keywords.values():
            parts |= parts_of(each)
        chain = self._chain()
        parts -= {self.features.part}
        if not chain:
            return None
        if parts:
            held = max(parts)
            if len(parts) > 1 or not any(held in {each.fit, each.held} for each in chain) or held in {each.of for each in chain}:
                self._refuse(self.flow.steps[self.fit.step].line, rows.SPLIT)
            return held
        last = chain[-1]
        return last.held if self.features.part == last.fit else last.fit

    def _split(self) -> list[str]:
        """The body of split(table)."""
        chain, lines = self._chain(), list[str]()
        names = {0: "table"}
        for at, each in enumerate(chain):
            suffix = "" if at == len(chain) - 1 else f"_{at + 1}"
            names[each.fit], names[each.held] = f"fitted{suffix}", f"held{suffix}"
            arguments = self._split_arguments(each)
            lines.append(f"{names[each.fit]}, {names[each.held]} = train_test_split({', '.join([names[each.of], *arguments])})")
            self._said[each.step] = PREPARED
        if chain:
            held = self._held()
            lines.append(f"return {names[self.features.part]}, {names.get(held or 0, 'table')}")
        return lines

    def _split_arguments(self, split: Split) -> Iterator[str]:
        line = self.flow.steps[split.step].line
        seeded = False
        for each in split.call.keywords:
            if each.arg not in _SPLITS:
                self._refuse(line, rows.SPLIT)
            elif each.arg == "stratify":
                if split.stratify is not None and split.stratify.of_rows:
                    self._check_strata(split, line)
                    whose = "table[LABEL]" if split.of == 0 else f"table.loc[{self._held_name(split)}.index, LABEL]"
                    yield f"stratify={whose}"
            else:
                nothing = isinstance(each.value, ast.Constant) and each.value.value is None
                seeded |= each.arg == "random_state" and not nothing
                seeded |= each.arg == "shuffle" and isinstance(each.value, ast.Constant) and each.value.value is False
                if not (each.arg == "random_state" and nothing):
                    yield f"{each.arg}={ast.unparse(each.value)}"
        if not seeded:
            self._notes.append(
                Line(
                    line,
                    source_line(self.text, line),
                    "draws another split each time; the audit's is drawn by its seed",
                    "name random_state for it to be the one in use",
                )
            )
            yield "random_state=seed"

    def _held_name(self, split: Split) -> str:
        chain = self._chain()
        before = next(each for each in chain if split.of in {each.fit, each.held})
        at = chain.index(before) + 1
        return f"{'fitted' if split.of == before.fit else 'held'}_{at}"

    def _check_strata(self, split: Split, line: int) -> None:
        by, labels = split.stratify, self.labels
        if by is None or by.all_sources != {self.label} or by.encoding is None or labels.encoding is None:
            self._refuse(
                line, Fault("splits by something else than the label", "train_test_split(X, y, stratify=y, random_state=…)")
            )
            return
        raw = sorted(by.encoding, key=lambda key: (_number(by.encoding or {}, key), key))
        learned = sorted(labels.encoding, key=lambda key: (_number(labels.encoding or {}, key), key))
        if raw != learned:
            do = "stratify by the encoded labels: their order decides who is drawn"
            self._refuse(line, Fault("splits by labels in another order than they are learned in", do))


def _number(encoding: Mapping[Any, Any], key: Any) -> tuple[float, str]:
    value = encoding[key]
    return (float(value), "") if isinstance(value, int | float) else (0.0, str(value))
