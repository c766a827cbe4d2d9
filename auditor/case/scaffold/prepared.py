"""Writes what a script does between reading its table and `fit` as a case has it: inputs, prepare.py, the function that builds.

Each statement there is carried over or listed, and where one that is not changes what is learned, nothing is written: the case
would be about another procedure than the one in use.
"""

from __future__ import annotations

import ast
import copy
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final

from auditor.base.domain import Problem
from auditor.base.errors import InputError
from auditor.case.scaffold import chance, dropped, rows
from auditor.case.scaffold.code import SEEDED
from auditor.case.scaffold.dataflow import Fit, Flow, Found, Info, Place, Split, Value, place
from auditor.case.scaffold.rows import Fault
from auditor.case.scaffold.steps import READS, Line, Renamed, Step, source_line
from auditor.case.scaffold.syntax import last_word
from auditor.settings.values import show

_INTEGER: Final = re.compile(r"[+-]?[0-9]+", re.ASCII)
_SPLITS: Final = frozenset({"test_size", "train_size", "random_state", "shuffle", "stratify"})
_FITTED_STEPS: Final = re.compile(
    r"\w*(?:Encoder|Scaler|Imputer|Select\w*|PCA|SVD|Transformer|RFE|RFECV|Vectorizer|Binarizer|Discretizer|SMOTE\w*|Sampler|Normalizer)"
)
PREPARED: Final = "prepare.py"
SPLITTER: Final = "from sklearn.model_selection import train_test_split"


@dataclass(frozen=True, slots=True, kw_only=True)
class Account:
    """What became of a script."""

    inputs: tuple[str, ...] | None
    """Columns that the procedure gets, in their order; None for all without a role."""
    prepare: str | None
    """The text of prepare.py; None where none is needed."""
    build: str | None
    """The text of the file that builds the estimator; None where a function of the script does."""
    built: tuple[int, ...]
    """The lines that it was written out of."""
    carried: tuple[Line, ...]
    not_carried: tuple[Line, ...]


def models(flow: Flow) -> dict[str, Fit]:
    """The last fit of each model that the script fits on the table's rows, by the name that it is assigned to."""
    found: dict[str, Fit] = {}
    for each in flow.fits:
        if (
            len(each.given) + ("y" in each.keywords) >= 2 and not _FITTED_STEPS.fullmatch(each.estimator.made)
        ) or each.estimator.made.startswith(("lightgbm.", "xgboost.", "catboost.")):
            found[model_name(each, flow)] = each
    return found


def model_name(fit: Fit, flow: Flow) -> str:
    """The variable that holds a model; what makes it where no variable does."""
    receiver = fit.call.func.value if isinstance(fit.call.func, ast.Attribute) else fit.call.func
    if isinstance(receiver, ast.Name) and not fit.estimator.path:
        return receiver.id
    node = flow.steps[fit.step].node
    if isinstance(node, ast.Assign) and len(node.targets) == 1 and isinstance(node.targets[0], ast.Name):
        return node.targets[0].id
    return last_word(receiver) or "model"


def last_step(fit: Fit, nodes: Iterable[ast.stmt]) -> str | None:
    """The name of the last step of a pipeline, which a function among the statements may give; None of anything else."""
    functions = [each for each in nodes if isinstance(each, ast.FunctionDef) and each.name == fit.estimator.made]
    made: ast.expr | None = fit.estimator.call
    scope = [*nodes]
    if functions:
        gives = [each.value for each in ast.walk(functions[-1]) if isinstance(each, ast.Return)]
        made = gives[-1] if gives else None
        scope += (each for each in ast.walk(functions[-1]) if isinstance(each, ast.stmt))
    known = {name: each.value for each in scope if isinstance(each, ast.Assign) and (name := _target(each)) is not None}
    made = _behind(made, known)
    if not isinstance(made, ast.Call):
        return None
    named = {each.arg: each.value for each in made.keywords}
    steps = _behind(made.args[0] if made.args else named.get("steps"), known)
    match last_word(made), steps:
        case "Pipeline", ast.List(elts=[*_, last]):
            pair = _behind(last, known)
            word = _behind(pair.elts[0], known) if isinstance(pair, ast.Tuple) and len(pair.elts) == 2 else None
            return word.value if isinstance(word, ast.Constant) and isinstance(word.value, str) else None
        case "make_pipeline", _:
            model = _behind(made.args[-1] if made.args else None, known)
            return last_word(model).lower() or None if isinstance(model, ast.Call) else None
        case _:
            return None


def _behind(node: ast.expr | None, known: Mapping[str, ast.expr]) -> ast.expr | None:
    """What a name was given, where it is one."""
    for _ in known:
        if not isinstance(node, ast.Name) or node.id not in known:
            break
        node = known[node.id]
    return node


def returned(tree: ast.Module, name: str) -> str:
    """The class of what a function returns, or of what is assigned to a name; empty where that cannot be told."""
    for node in tree.body:
        if isinstance(node, ast.FunctionDef) and node.name == name:
            found = [each.value for each in ast.walk(node) if isinstance(each, ast.Return) and isinstance(each.value, ast.Call)]
            return last_word(found[-1]) if found else ""
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Call) and _target(node) == name:
            return last_word(node.value)
    return ""


def label_of(fit: Fit) -> str | None:
    """The column of the file that labels are made from; None where there is no such column, or several."""
    found = _labels(fit).all_sources
    return next(iter(found)) if len(found) == 1 else None


def _labels(fit: Fit) -> Value:
    return fit.keywords.get("y") or (fit.given[1] if len(fit.given) > 1 else Value())


@dataclass(kw_only=True)
class Writer:
    """Accounts for one model of a script."""

    flow: Flow
    fit: Fit
    file: str
    text: Sequence[str]
    """Lines of the script."""
    id: str
    label: str
    person: str | None
    task: str
    columns: Sequence[str]
    """Of the table, in their order."""
    adjustments: Sequence[str] = ()
    """Statements that give columns the types that the script reads them in."""
    adjusted: Mapping[str, str] = field(default_factory=dict)
    builds: bool = True
    """Whether the estimator is to be written as well."""
    _refused: dict[tuple[int, str], Line] = field(default_factory=dict)
    _whole: dict[str, str] = field(default_factory=dict)
    """Names of parts of rows, and the name that all rows have in prepare.py."""
    _said: dict[int, str] = field(default_factory=dict)
    """What became of statements, by step."""
    _notes: list[Line] = field(default_factory=list)
    _built: tuple[int, ...] = ()
    _twins: set[int] = field(default_factory=set)
    """Statements about the rows to learn that another does to held ones."""

    def __post_init__(self) -> None:
        self.features, self.labels = self.fit.given[0] if self.fit.given else Value(), _labels(self.fit)

    def account(self) -> Account:
        """Account for every statement.

        Raises:
            InputError: If one that cannot be carried over changes what is learned, with each such line and what to do.
        """
        if elsewhere := {each for each in (*self.features.all_faults, *self.labels.all_faults) if each.fault is rows.ELSEWHERE}:
            # What its columns are nobody knows, so that everything else would be found wrong too.
            self._refuse_all(elsewhere)
            raise InputError([self._problem(each) for _, each in sorted(self._refused.items())])
        self._check()
        split = self._split()
        held = self._held()
        prepare = self._prepare()
        fitting = self._fitting(held)
        classes = self._classes()
        build = self._build() if self.builds else None
        if not self.builds:
            self._note_builder()
        inputs = self._inputs(pure=not prepare)
        adjusted = [text for name, text in self.adjusted.items() if inputs is None or name in inputs]
        self._check_dropped(prepared=bool(prepare))
        if self._refused:
            raise InputError([self._problem(each) for _, each in sorted(self._refused.items())])
        needed = prepare or adjusted or split or fitting or classes
        constants = self._constants([*prepare, *split, *fitting]) if needed else []
        not_carried = self._not_carried()
        text = self._text(constants, prepare, adjusted, split, fitting, classes, not_carried) if needed else None
        for name, written in ((PREPARED, text), ("build.py", build)):
            if written is not None and (both := dropped.shadowed(written)) is not None:
                raise InputError([Problem(self.file, both, f"another name: {name} has a meaning of its own for it", show(both))])
        if build is not None and text is None:
            build = _with_block(build, not_carried, self.file)
        return Account(
            inputs=inputs,
            prepare=text,
            build=build,
            built=self._built,
            carried=tuple(self._carried()),
            not_carried=tuple(not_carried),
        )

    def _check_dropped(self, *, prepared: bool) -> None:
        """Refuse what may not be left out."""
        at_fit = self.flow.steps[self.fit.step].line
        for fault in dropped.within_fit(self.fit.call, prepared=prepared):
            self._refuse(at_fit, fault)
        model = self.fit.call.func.value if isinstance(self.fit.call.func, ast.Attribute) else self.fit.call.func
        followed = {at for at, info in enumerate(self.flow.infos) if info.role not in {"constant", "fit"}}
        for line, fault in dropped.faults(
            self.flow.steps, self._said, followed, self.fit.step, model, alongside=self.flow.alongside
        ):
            self._refuse(line, fault)
        name = model_name(self.fit, self.flow)
        fits = sum(model_name(each, self.flow) == name for each in self.flow.fits if each.step <= self.fit.step)
        splits = {each.step for each in self._chain()}
        for line, fault in chance.faults(self.flow.steps, self._said, self.fit.step, splits, fits):
            self._refuse(line, fault)

    # -- what is refused ----------------------------------------------------------------------------------------------------

    def _refuse(self, line: int, fault: Fault) -> None:
        self._refused.setdefault((line, fault.why), Line(line, source_line(self.text, line), fault.why, fault.do))

    def _problem(self, line: Line) -> Problem:
        return Problem(self.file, f"line {line.line}", rows.asked(line.do), f"{line.source}: {line.why}")

    def _refuse_all(self, faults: Iterable[Found]) -> None:
        for each in faults:
            self._refuse(each.line, self._shown(each))

    def _shown(self, found: Found) -> Fault:
        """A fault with the names of this script."""
        if found.fault is not rows.FITTED:
            return found.fault
        names = [
            ast.unparse(each.func.value)
            for each in ast.walk(self._node_on(found.line))
            if isinstance(each, ast.Call)
            and isinstance(each.func, ast.Attribute)
            and each.func.attr in {"fit_transform", "transform", "fit"}
        ]
        step, model = (names or ["the step"])[0][:60], model_name(self.fit, self.flow)
        way = f"{model} = make_pipeline({step}, {model}), and {model}.fit(X, y) with the untransformed X"
        return Fault(found.fault.why, f"the step within the model, where it is learned again with each deletion: {way}")

    def _node_on(self, line: int) -> ast.AST:
        return next((each.node for each in self.flow.steps if each.line == line), ast.Pass())

    def _check(self) -> None:
        fit_line = self.flow.steps[self.fit.step].line
        features, labels = self.features, self.labels
        if self.fit.estimator.made.startswith(("lightgbm.", "xgboost.", "catboost.")):
            do = "the scikit-learn form: LGBMClassifier(…).fit(X, y), XGBClassifier(…).fit(X, y)"
            self._refuse(fit_line, Fault("trains by a function, which gives no estimator that could be built unfitted", do))
            return
        if self.fit.looped:
            self._refuse(fit_line, Fault("a loop fits several models", rows.FOLDS.do))
        elif self.fit.conditional:
            self._refuse(fit_line, rows.CONDITION)
        self._refuse_all(features.all_faults)
        of_codes = labels.encoding is not None
        self._refuse_all(each for each in labels.all_faults if not (of_codes and each.fault is rows.CODES))
        both = {each.fault for each in (*features.all_faults, *labels.all_faults)}
        for value in self.fit.keywords.values():
            self._refuse_all(each for each in value.all_faults if each.fault is not rows.STATISTIC or each.fault in both)
        self._refuse_all(self.fit.estimator.all_faults)
        self._check_columns(fit_line)
        self._check_labels(fit_line)

    def _check_columns(self, fit_line: int) -> None:
        features = self.features
        if features.kind != "table":
            if features.of_rows and not features.all_faults:
                self._refuse(fit_line, Fault("features that are not the table or columns of it", "fit(X, y) with X = table[[…]]"))
            return
        if features.columns is None:
            if not features.all_faults:
                self._refuse(fit_line, Fault("features whose columns cannot be told", "X = table[[…]] with the names of columns"))
            return
        for name, col in features.columns.items():
            last = self._last_line(col.deps, fit_line)
            if self.label in col.sources:
                self._refuse(
                    last, rows.LABEL if name != self.label else Fault("fit gets the label itself as a feature", "drop it from X")
                )
            if col.sources & {self.id, self.person}:
                names = ", ".join(sorted(each for each in col.sources if each in {self.id, self.person}))
                do = f"X without it: X = X.drop(columns=[{name!r}]); what names records or people is handed to no procedure"
                self._refuse(last, Fault(f"fit gets {name}, made from {names}", do))
        named = features.sources & {self.id, self.person}
        if named:
            self._refuse(self._last_line(features.deps, fit_line), rows.PERSON)
        made = self._made()
        texts = [
            name
            for name, col in features.columns.items()
            if col.kind in {"text", "time"} or (col.kind == "category" and made not in rows.CATEGORIES)
        ]
        if made in rows.NUMBERED_ESTIMATORS and texts and not self._refused:
            listed = ", ".join(texts[:8])
            dropped = ", ".join(repr(each) for each in texts[:8])
            do = f"an encoder for them in a pipeline, or X without them: X = X.drop(columns=[{dropped}])"
            self._refuse(fit_line, Fault(f"{made} gets {listed}, which hold text and no encoder handles", do))

    def _check_labels(self, fit_line: int) -> None:
        labels = self.labels
        if labels.all_sources != {self.label}:
            if not labels.all_faults:
                names = ", ".join(sorted(labels.all_sources)) or "nothing of the table"
                self._refuse(
                    fit_line, Fault(f"labels made from {names}", "write the label as a column of the table, and name it: --label")
                )
            return
        if self.task == "regression":
            known = labels.encoding
            if not labels.raw and (
                known is None or any(float(key) != float(value) for key, value in known.items() if _is_number(key))
            ):
                do = "TransformedTargetRegressor(model, func=np.log1p, inverse_func=np.expm1), so that answers are amounts again"
                self._refuse(self._last_line(labels.deps, fit_line), Fault("amounts that are transformed outside the model", do))
        elif labels.encoding is None and not labels.all_faults:
            do = "a table that says it: y = table[…].map({'yes': 1, 'no': 0})"
            self._refuse(self._last_line(labels.deps, fit_line), Fault("what becomes of each label cannot be told", do))
        elif labels.encoding is not None and len(set(labels.encoding.values())) < len(labels.encoding):
            do = "write the label that the model learns as a column of the table, and name it: --label"
            self._refuse(self._last_line(labels.deps, fit_line), Fault("joins several labels into one", do))

    def _made(self) -> str:
        """The class of the estimator, also where a function of the script gives it."""
        made = self.fit.estimator.made
        return returned(ast.Module([each.node for each in self.flow.steps], []), made) or made

    def _last_line(self, deps: Iterable[int], otherwise: int) -> int:
        lines = [self.flow.steps[each].line for each in deps if self.flow.infos[each].role not in {"constant", "read", "split"}]
        return lines[-1] if (lines := sorted(lines)) else otherwise

    # -- the split ----------------------------------------------------------------------------------------------------------

    def _chain(self) -> list[Split]:
        """The splits that lead to the rows that fit gets."""
        found: list[Split] = []
        part = self.features.part
        while part:
            split = next(each for each in self.flow.splits if part in {each.fit, each.held})
            found.insert(0, split)
            part = split.of
        return found

    def _held(self) -> int | None:
        """The part of the rows that fit gets in addition to those to learn; None where it gets none."""
        parts: set[int] = set()
        for each in self.fit.keywords.values():
            parts |= _parts(each)
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
                    yield (
                        "stratify=table[LABEL]"
                        if split.of == 0
                        else f"stratify={'fitted' if False else 'table.loc[' + self._held_name(split) + '.index, LABEL]'}"
                    )
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

    # -- prepare(table) -----------------------------------------------------------------------------------------------------

    def _is_label(self, at: int) -> bool:
        """Whether a statement makes nothing but a column of labels."""
        info = self.flow.infos[at]
        node = self.flow.steps[at].node
        named = isinstance(node, ast.AnnAssign) or (
            isinstance(node, ast.Assign) and not isinstance(node.targets[0], ast.Tuple | ast.List)
        )
        only = named and info.column == self.label
        return only and info.role in {"prepare", "filter"}

    def _prepare(self) -> list[str]:  # noqa: C901 - what becomes of each role
        """The body of prepare(table): what works on each row; empty where columns are only chosen."""
        self._name_parts()
        lines, pure = list[str](), True
        deps = self._feature_deps()
        for at in sorted(deps):
            info, step = self.flow.infos[at], self.flow.steps[at]
            if info.role == "split" and info.part == 0:
                lines += self._split_whole(step)
            elif info.role in {"read", "prepare", "filter"} and not self._is_label(at):
                chooses = _chooses(step.node) and not info.filters
                if info.filters and info.part:
                    self._refuse(step.line, rows.AFTER)
                pure &= chooses
                lines += self._statement(step, info)
                self._said[at] = "audit.toml" if chooses else PREPARED
        for at in sorted(each for each in self.labels.all_deps if each not in deps or self._is_label(each)):
            if self.flow.infos[at].role in {"prepare", "filter"} and (self._is_label(at) or self._makes_label(at)):
                self._said[at] = f"{PREPARED}, as CLASSES" if self._encodes() else "audit.toml, as the label"
            elif self.flow.infos[at].role == "filter":
                self._refuse(
                    self.flow.steps[at].line,
                    Fault("leaves out labels apart from their rows", "leave rows out of the table: table = table[…]"),
                )
        result = self._result()
        if pure:
            for at, said in self._said.items():
                if said == PREPARED and self.flow.infos[at].role in {"read", "prepare", "filter"}:
                    self._said[at] = "audit.toml"
            return []
        return [*lines, f"features = {result}"]

    def _makes_label(self, at: int) -> bool:
        """Whether a statement writes a column of the table that is made from labels alone."""
        info = self.flow.infos[at]
        return info.target is not None or info.sources <= {self.label}

    def _feature_deps(self) -> frozenset[int]:
        """Statements that features are made by, without those that only labels are."""
        return self.features.all_deps if not self.features.train else self._before_training(self.features.all_deps)

    def _before_training(self, deps: frozenset[int]) -> frozenset[int]:
        return frozenset(each for each in deps if not self._is_label(each))

    def _split_whole(self, step: Step) -> list[str]:
        """All rows of what is split without a name of its own: train_test_split(table[columns], …)."""
        split = next(each for each in self.flow.splits if self.flow.steps[each.step] is step)
        if not split.given or isinstance(split.given[0], ast.Name):
            return []
        node = ast.Assign([ast.Name("whole", ast.Store())], copy.deepcopy(split.given[0]))
        return [ast.unparse(ast.fix_missing_locations(_Written(self, node, self._absent()).written()))]

    def _absent(self) -> frozenset[str]:
        return frozenset({self.id, self.label, *((self.person,) if self.person else ())})

    def _name_parts(self) -> None:  # noqa: C901 - splits, then training rows
        """Find the one name that the parts of split rows have in prepare.py."""
        for split in self.flow.splits:
            node = self.flow.steps[split.step].node
            if not isinstance(node, ast.Assign) or not isinstance(node.targets[0], ast.Tuple | ast.List):
                continue
            names = [each.id if isinstance(each, ast.Name) else "" for each in node.targets[0].elts]
            for at, given in enumerate(split.given):
                for name in names[2 * at : 2 * at + 2]:
                    if isinstance(given, ast.Name):
                        self._whole[name] = self.whole(given.id)
                    elif at == 0:
                        self._whole[name] = "whole"
        for at, info in enumerate(self.flow.infos):
            node = self.flow.steps[at].node
            if info.role == "train" and isinstance(node, ast.Assign) and isinstance(node.value, ast.Call):
                targets = node.targets[0].elts if isinstance(node.targets[0], ast.Tuple) else node.targets
                for target, given in zip(targets, node.value.args, strict=False):
                    if isinstance(target, ast.Name) and isinstance(given, ast.Name):
                        self._whole.setdefault(target.id, self.whole(given.id))

    def whole(self, name: str) -> str:
        """The name that all rows have of which a variable holds a part."""
        seen: set[str] = set()
        while name in self._whole and name not in seen:
            seen.add(name)
            name = self._whole[name]
        return name

    def _statement(self, step: Step, info: Info) -> list[str]:
        """A statement as prepare(table) has it."""
        node = _Written(self, step.node, self._absent()).written()
        text = ast.unparse(ast.fix_missing_locations(node)).splitlines()
        if not info.filters:
            return text
        otherwise = ast.unparse(ast.fix_missing_locations(_Unfiltered(self.flow.filters).visit(copy.deepcopy(node)))).splitlines()
        both = ["if LABEL in table.columns:", *(f"    {each}" for each in text)]
        target = _target(step.node)
        if otherwise == [f"{target} = {target}"] or (isinstance(node, ast.Expr) and isinstance(node.value, ast.Call)):
            return both
        return [*both, "else:", *(f"    {each}" for each in otherwise)]

    def _result(self) -> str:
        """The expression of the features that fit gets, over all rows."""
        node = (
            self.fit.call.args[0]
            if self.fit.call.args
            else next(each.value for each in self.fit.call.keywords if each.arg == "X")
        )
        written = _Written(self, ast.Expr(copy.deepcopy(node)), self._absent()).written()
        return ast.unparse(ast.fix_missing_locations(_Unarrayed().visit(written)))

    # -- fit and labels -----------------------------------------------------------------------------------------------------

    def _fitting(self, held: int | None) -> list[str]:
        """The body of fit(…); empty where it is estimator.fit(features, labels)."""
        training = [at for at in sorted(self._all_deps()) if self.flow.infos[at].role == "train"]
        keywords = {key: value for key, value in self.fit.keywords.items() if key not in {"X", "y"}}
        if not training and not keywords:
            return []
        names = self._names_of_parts(held)
        done: set[str] = set()
        lines: list[str] = []
        self._twins.clear()
        mine = self.features.all_deps | self.labels.all_deps
        extra = sorted({at for value in keywords.values() for at in value.all_deps} - mine)
        for at in sorted({*training, *extra}):
            info, step = self.flow.infos[at], self.flow.steps[at]
            if info.role in {"constant", "split", "read"} or (info.role in {"prepare", "filter"} and self._same_for_held(at)):
                continue
            if self._is_label(at) and info.role != "train":
                self._said[at] = PREPARED
                continue
            lines += ast.unparse(
                Renamed({name: each for name, each in names.items() if name not in done}).visit(copy.deepcopy(step.node))
            ).splitlines()
            done |= {each.id for each in ast.walk(step.node) if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Store)}
            self._said[at] = PREPARED
            self._check_names(step.node, names, done)
        if any(value != self.features.part for each in keywords.values() for value in _parts(each)):
            for at in sorted(self.features.all_deps - self._twins):
                if self.flow.infos[at].part and self.flow.infos[at].role == "prepare" and not self._is_label(at):
                    self._refuse(self.flow.steps[at].line, rows.AFTER)
        call = copy.deepcopy(self.fit.call)
        given = {each.id for argument in call.args[:1] for each in ast.walk(argument) if isinstance(each, ast.Name)}
        others = {
            each.id
            for keyword in call.keywords
            if keyword.arg == "sample_weight"
            for each in ast.walk(keyword.value)
            if isinstance(each, ast.Name) and names.get(each.id) == "features" and each.id not in {*given, *done}
        }
        if others and given:
            do = "take weights from the very table that fit gets, or assign them to a name before it is changed"
            self._refuse(self.flow.steps[self.fit.step].line, Fault("weighs records by another table than it learns", do))
        self._check_names(ast.Expr(call), names, done)
        assert isinstance(call.func, ast.Attribute)  # noqa: S101 - what trains by a function was refused
        call.func.value = ast.Name("estimator", ast.Load())
        call = Renamed({name: each for name, each in names.items() if name not in done}).visit(call)
        lines.append(f"estimator.{ast.unparse(_Unarrayed().visit(call)).partition('.')[2]}")
        return lines

    def _all_deps(self) -> frozenset[int]:
        return frozenset().union(
            self.features.all_deps, self.labels.all_deps, *(each.all_deps for each in self.fit.keywords.values())
        )

    def _names_of_parts(self, held: int | None) -> dict[str, str]:
        """Variables of the script, and what they are in fit(…)."""
        found: dict[str, str] = {}
        for name, value in self.fit.names.items():
            if not value.of_rows or value.items is not None or value.train:
                continue
            is_label = value.kind == "column" and value.all_sources == {self.label}
            if value.kind != "table" and not is_label:
                continue
            if value.part == self.features.part:
                found[name] = "labels" if is_label else "features"
            elif held is not None and value.part == held:
                found[name] = "held_labels" if is_label else "held_features"
        return found

    def _check_names(self, node: ast.AST, names: Mapping[str, str], done: set[str]) -> None:
        for each in ast.walk(node):
            if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Load) and each.id in self.fit.names:
                value = self.fit.names[each.id]
                if value.of_rows and each.id not in names and each.id not in done and not value.fitted:
                    line = self.flow.steps[self.fit.step].line
                    do = "make it from the features and labels that fit gets"
                    self._refuse(
                        getattr(node, "lineno", line), Fault(f"fit gets {each.id}, which is made from other rows or columns", do)
                    )
        shapes = {
            names.get(each.id): self.fit.names[each.id]
            for each in ast.walk(node)
            if isinstance(each, ast.Name) and each.id in names
        }
        for kind, value in shapes.items():
            whole = self.features.columns
            if (
                kind in {"features", "held_features"}
                and value.columns is not None
                and whole is not None
                and [*value.columns] != [*whole]
            ):
                self._refuse(
                    self.flow.steps[self.fit.step].line,
                    Fault("fit gets rows with other columns than its features", "give all of them the same columns"),
                )

    def _same_for_held(self, at: int) -> bool:
        """Whether a statement does to held rows what another does to those that are learned."""
        step = self.flow.steps[at]
        mine = self._canonical(step)
        for other in self.features.all_deps:
            if self.flow.infos[other].role in {"prepare", "filter"} and self._canonical(self.flow.steps[other]) == mine:
                self._twins.add(other)
                target, known = _target(step.node), _target(self.flow.steps[other].node)
                if target and known:
                    self._whole[target] = self.whole(known)
                self._said[at] = PREPARED
                return True
        info = self.flow.infos[at]
        if info.part != self.features.part and info.part and not self._is_label(at):
            self._refuse(step.line, rows.AFTER)
            return True
        return False

    def _canonical(self, step: Step) -> str:
        node = copy.deepcopy(step.node)
        if isinstance(node, ast.Assign) and len(node.targets) == 1 and isinstance(node.targets[0], ast.Name):
            node.targets = [ast.Name("_", ast.Store())]
        names = {each.id: self.whole(each.id) for each in ast.walk(node) if isinstance(each, ast.Name)}
        return ast.unparse(Renamed(names).visit(node))

    def _encodes(self) -> bool:
        known = self.labels.encoding
        if known is None or self.task == "regression":
            return False
        return any(self._key(raw) != value or type(self._key(raw)) is not type(value) for raw, value in known.items())

    def _key(self, raw: str) -> int | str:
        """A label as the case holds it."""
        whole = all(_INTEGER.fullmatch(each) for each in self.labels.encoding or {})
        return int(raw) if whole else raw

    def _classes(self) -> dict[int | str, Any]:
        if not self._encodes() or self.labels.encoding is None:
            return {}
        return {self._key(raw): value for raw, value in sorted(self.labels.encoding.items())}

    # -- the estimator ------------------------------------------------------------------------------------------------------

    def _build(self) -> str | None:
        """A file with a function build(seed) that gives the estimator, made of the statements that it needs."""
        receiver = self.fit.call.func.value if isinstance(self.fit.call.func, ast.Attribute) else self.fit.call.func
        deps = self._with_definitions(self.fit.estimator.all_deps, [receiver])
        lines: list[str] = []
        for at in sorted(deps):
            info, step = self.flow.infos[at], self.flow.steps[at]
            if info.role == "fit" and (at == self.fit.step or isinstance(step.node, ast.Expr)):
                continue
            if info.role in {"constant", "fit"} or info.literals:
                lines += self._constant(step, info)
            elif info.role != "read":
                do = "an estimator that is made from constants alone: list columns by name, and learn the rest within it"
                self._refuse(step.line, Fault("makes the estimator from the table", do))
            if info.role != "read":
                self._said[at] = "build.py"
        self._built = tuple(
            sorted(
                {
                    self.flow.steps[each].line
                    for each in (*deps, self.fit.step if isinstance(receiver, ast.Call) else min(deps, default=0))
                }
            )
        )
        made = ast.unparse(receiver)
        if not isinstance(receiver, ast.Name):
            lines.append(f"as_made = {made}")
            made = "as_made"
        futures = [each for each in lines if each.startswith("from __future__")]
        head = [f'"""The estimator of {self.file}, as auditor builds it."""', "", *futures]
        return (
            "\n".join([*head, *(each for each in lines if each not in futures)])
            + "\n\nfrom sklearn.base import clone\n"
            + SEEDED.format(made=f"clone({made})")
        )

    def _note_builder(self) -> None:
        """Note that the function that the case calls is what a statement calls."""
        for at in self.fit.estimator.deps:
            node = self.flow.steps[at].node
            if isinstance(node, ast.Assign) and node.value is self.fit.estimator.call:
                self._said[at] = f"audit.toml, as {self.fit.estimator.made}"

    def _constant(self, step: Step, info: Info) -> list[str]:
        """A statement that needs no rows; lists of columns that it works out from the table's header as they are."""
        if info.literals:
            named = {name: each for name, each in info.literals.items() if name}
            others = [name for name in info.names if name not in named]
            if others:
                self._refuse(
                    step.line, Fault("makes lists of columns and more in one statement", "one statement for each list of columns")
                )
            return [f"{name} = {each!r}" for name, each in named.items()]
        node = _Unfitted().visit(copy.deepcopy(step.node))
        return ast.unparse(ast.fix_missing_locations(node)).splitlines()

    def _with_definitions(self, deps: Iterable[int], nodes: Iterable[ast.AST]) -> set[int]:
        """Statements, and those that define what functions among them use."""
        found, waiting = set(deps), [*nodes, *(self.flow.steps[each].node for each in deps)]
        by_name: dict[str, list[int]] = {}
        for at, info in enumerate(self.flow.infos[: self.fit.step]):
            for name in info.names if info.role == "constant" else ():
                by_name.setdefault(name, []).append(at)
        while waiting:
            for each in ast.walk(waiting.pop()):
                if not isinstance(each, ast.Name) or not isinstance(each.ctx, ast.Load):
                    continue
                defined = [] if (value := self.fit.names.get(each.id)) is None or value.of_rows else by_name.get(each.id, [])
                self._refuse_redefined(each.id, defined)
                waiting += (self.flow.steps[at].node for at in defined if at not in found)
                found.update(defined)
        return found

    def _refuse_redefined(self, name: str, defined: Sequence[int]) -> None:
        """Refuse a constant that has several values in turn: which one a statement had would not be seen any more."""
        assigned = [at for at in defined if isinstance(self.flow.steps[at].node, ast.Assign | ast.AnnAssign | ast.FunctionDef)]
        if len({ast.unparse(self.flow.steps[at].node) for at in assigned}) > 1:
            why = f"gives {name} another value than before"
            self._refuse(self.flow.steps[assigned[-1]].line, Fault(why, "a name of its own for each value"))

    # -- what is written ----------------------------------------------------------------------------------------------------

    def _inputs(self, *, pure: bool) -> tuple[str, ...] | None:
        columns = self.features.columns
        if columns is None:
            return None
        roles = {self.id, self.label, self.person}
        if pure:
            chosen = [next(iter(col.sources)) for col in columns.values() if len(col.sources) == 1]
            found = tuple(dict.fromkeys(each for each in chosen if each not in roles))
        else:
            used = self.features.all_sources
            found = tuple(name for name in self.columns if name in used and name not in roles)
        everything = tuple(name for name in self.columns if name not in roles)
        return None if found == everything or not found else found

    def _text(
        self,
        constants: Sequence[str],
        prepare: Sequence[str],
        adjusted: Sequence[str],
        split: Sequence[str],
        fitting: Sequence[str],
        classes: Mapping[int | str, Any],
        not_carried: Sequence[Line],
    ) -> str:
        """prepare.py."""
        body = [*(["import pandas as pd", ""] if any("pd." in each for each in adjusted) else [])]
        body += [f"LABEL = {self.label!r}"]
        if classes:
            body += [f"CLASSES = {dict(classes)!r}", '"""What each label of the table is to the estimator."""']
        constants = [each for each in constants if each != SPLITTER]
        parts = list[str]()
        if prepare or adjusted:
            inner = list(prepare)
            if not prepare:
                inner = ["features = table.copy()"]
            copied = ["table = table.copy()", *adjusted] if adjusted else []
            end = [
                "if LABEL in table.columns:",
                "    features = features.assign(**{LABEL: table.loc[features.index, LABEL]})",
                "return features",
            ]
            parts += _function(
                "prepare(table)", "Prepare rows as the script does; rows are left out in training alone.", [*copied, *inner, *end]
            )
        if split:
            seeded = any("random_state=seed" in each for each in split)
            lines = [SPLITTER, "", *split]
            parts += _function(
                f"split(table{', seed' if seeded else ''})", "Give the rows to fit on, and the rows held out.", lines
            )
        if fitting:
            parts += _function("fit(estimator, features, labels, held_features, held_labels)", "Fit as the script does.", fitting)
        head = _head(
            f"What {self.file} does with its table before fit, for auditor: each training runs it on its own rows.", not_carried
        )
        futures = [each for each in constants if each.startswith("from __future__")]
        rest = [each for each in constants if each not in futures]
        return "\n".join([*head, "", *futures, *rest, *([""] if rest else []), *body, *parts]) + "\n"

    def _constants(self, lines: Sequence[str]) -> list[str]:
        """Imports, constants and functions that the written statements need."""
        tree = ast.parse("\n".join(("def _():", *(f"    {each}" for each in (*lines, "pass")))))
        deps = self._with_definitions((), [tree])
        found: list[str] = []
        for at in sorted(deps):
            info = self.flow.infos[at]
            if info.role == "constant" and at != self.fit.step:
                found += self._constant(self.flow.steps[at], info)
                self._said.setdefault(at, PREPARED)
        known = {each for at in deps for each in self.flow.infos[at].names}
        for at, info in enumerate(self.flow.infos):
            wanted = {each.id for each in ast.walk(tree) if isinstance(each, ast.Name)} - known
            if info.literals and {*info.literals} & wanted:
                found += self._constant(self.flow.steps[at], info)
                self._said.setdefault(at, PREPARED)
        return found

    def _lines_between(self) -> Iterator[int]:
        first = min((each.step for each in self.flow.reads), default=0)
        yield from range(first, self.fit.step + 1)

    def _carried(self) -> Iterator[Line]:
        for at in self._lines_between():
            step = self.flow.steps[at]
            if at == self.fit.step:
                fitting = bool([each for each in self.fit.keywords if each not in {"X", "y"}])
                yield Line(step.line, source_line(self.text, step.line), PREPARED if fitting else "the training itself")
            elif (said := self._said.get(at)) is not None:
                yield Line(step.line, source_line(self.text, step.line), said)

    def _not_carried(self) -> list[Line]:
        found: dict[tuple[int, str], Line] = {}
        for at in self._lines_between():
            step = self.flow.steps[at]
            defines = isinstance(step.node, ast.Import | ast.ImportFrom | ast.FunctionDef | ast.ClassDef | ast.Pass)
            if at == self.fit.step or at in self._said or defines or _is_text(step.node):
                continue
            line = Line(step.line, source_line(self.text, step.line), self._why_not(at))
            found[line.line, line.source] = line
        notes = {(each.line, each.source): replace(each, why=f"{each.why}: {each.do}") for each in self._notes}
        if self.features.array:
            at_fit = self.flow.steps[self.fit.step].line
            source = source_line(self.text, at_fit)
            notes[at_fit, source] = Line(
                at_fit, source, "features go to fit as a table: the same numbers, with the names of their columns"
            )
        return sorted([*found.values(), *notes.values()], key=lambda each: each.line)

    def _why_not(self, at: int) -> str:
        info = self.flow.infos[at]
        if info.role == "fit":
            mine = any(
                each.step == at and model_name(each, self.flow) == model_name(self.fit, self.flow) for each in self.flow.fits
            )
            return "fitted again later, from the start" if mine else "another model than the one that is audited"
        if info.role == "read" and not self.flow.reads_again(at):
            return "another table, which nothing that fit gets is made from"
        return "nothing that fit gets depends on it"


class _Written(ast.NodeTransformer):
    """Rewrites a statement for prepare(table): no row positions, no columns that no procedure gets, all rows under one name."""

    def __init__(self, writer: Writer, node: ast.stmt, absent: frozenset[str]) -> None:
        names = {each.id: writer.whole(each.id) for each in ast.walk(node) if isinstance(each, ast.Name)}
        self._labelled = {
            name for name, value in writer.fit.names.items() if value.kind == "column" and value.all_sources == {writer.label}
        }
        self._label, self._node, self._absent = writer.label, Renamed(names).visit(copy.deepcopy(node)), absent

    def written(self) -> ast.AST:
        """The statement."""
        node = self._node
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Call) and last_word(node.value) == "pop":
            node = _popped(node.value)
        elif isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Tuple) and isinstance(node.value, ast.Tuple):
            pairs = [
                (target, value)
                for target, value in zip(node.targets[0].elts, node.value.elts, strict=True)
                if not self._of_label(target, value)
            ]
            node = ast.Assign(
                [ast.Tuple([each for each, _ in pairs], ast.Store())], ast.Tuple([each for _, each in pairs], ast.Load())
            )
            if len(pairs) == 1:
                node = ast.Assign([pairs[0][0]], pairs[0][1])
        found: ast.AST = self.visit(node)
        return found

    def visit_Delete(self, node: ast.Delete) -> ast.AST | list[ast.stmt]:
        found: list[ast.stmt] = [
            _without(each.value, each.slice) if isinstance(each, ast.Subscript) else ast.Delete([each]) for each in node.targets
        ]
        return found if len(found) > 1 else found[0]

    def visit_Expr(self, node: ast.Expr) -> ast.AST:
        if isinstance(node.value, ast.Call) and last_word(node.value) == "pop":
            return _popped(node.value)
        self.generic_visit(node)
        return node

    def _of_label(self, target: ast.expr, node: ast.expr) -> bool:
        by_key = isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Constant) and node.slice.value == self._label
        named = isinstance(target, ast.Name) and target.id in self._labelled
        return by_key or named or (isinstance(node, ast.Attribute) and node.attr == self._label)

    def visit_Subscript(self, node: ast.Subscript) -> ast.AST:
        self.generic_visit(node)
        if isinstance(node.ctx, ast.Load) and isinstance(node.slice, ast.List):
            names = [each.value for each in node.slice.elts if isinstance(each, ast.Constant)]
            if self._absent & {*names}:
                return ast.Call(ast.Attribute(node.value, "filter", ast.Load()), [], [ast.keyword("items", node.slice)])
        return node

    def visit_Call(self, node: ast.Call) -> ast.AST:
        self.generic_visit(node)
        name = last_word(node)
        if isinstance(node.func, ast.Attribute) and name in rows.INDEXES:
            return node.func.value
        if name == "drop_duplicates" and isinstance(node.func, ast.Attribute):
            return node.func.value
        if isinstance(node.func, ast.Attribute) and name == "drop" and not any(each.arg == "errors" for each in node.keywords):
            node.keywords.append(ast.keyword("errors", ast.Constant("ignore")))
        if READS.fullmatch(name):
            return ast.Call(ast.Attribute(ast.Name("table", ast.Load()), "copy", ast.Load()), [], [])
        return node


class _Unfiltered(ast.NodeTransformer):
    """Takes away what leaves rows out."""

    def __init__(self, filters: set[Place]) -> None:
        self._filters = filters

    def visit_Subscript(self, node: ast.Subscript) -> ast.AST:
        filters = hasattr(node, "lineno") and place(node) in self._filters
        self.generic_visit(node)
        if not filters:
            return node
        located = isinstance(node.value, ast.Attribute) and node.value.attr == "loc"
        if located and isinstance(node.slice, ast.Tuple):
            node.slice.elts[0] = ast.Slice()
            return node
        return node.value.value if located and isinstance(node.value, ast.Attribute) else node.value

    def visit_Call(self, node: ast.Call) -> ast.AST:
        filters = hasattr(node, "lineno") and place(node) in self._filters
        self.generic_visit(node)
        return node.func.value if filters and isinstance(node.func, ast.Attribute) else node


class _Unarrayed(ast.NodeTransformer):
    """Takes away what makes an array of a table."""

    def visit_Attribute(self, node: ast.Attribute) -> ast.AST:
        self.generic_visit(node)
        return node.value if node.attr == "values" else node

    def visit_Call(self, node: ast.Call) -> ast.AST:
        self.generic_visit(node)
        if isinstance(node.func, ast.Attribute) and node.func.attr in {"to_numpy", "copy"} and not node.args:
            return node.func.value
        return node


class _Unfitted(ast.NodeTransformer):
    """Takes away calls of fit, but for those within classes and functions of the script's own."""

    def visit_ClassDef(self, node: ast.ClassDef) -> ast.AST:
        return node

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        return node

    def visit_Lambda(self, node: ast.Lambda) -> ast.AST:
        return node

    def visit_Call(self, node: ast.Call) -> ast.AST:
        self.generic_visit(node)
        return node.func.value if isinstance(node.func, ast.Attribute) and node.func.attr == "fit" else node


def _base(node: ast.expr) -> str:
    return node.id if isinstance(node, ast.Name) else ""


def _without(held: ast.expr, key: ast.expr) -> ast.stmt:
    """held = held.drop(columns=[key], errors="ignore")."""
    columns = key if isinstance(key, ast.List) else ast.List([key], ast.Load())
    keywords = [ast.keyword("columns", columns), ast.keyword("errors", ast.Constant("ignore"))]
    dropped = ast.Call(ast.Attribute(ast.Name(_base(held), ast.Load()), "drop", ast.Load()), [], keywords)
    return ast.Assign([ast.Name(_base(held), ast.Store())], dropped)


def _popped(call: ast.Call) -> ast.stmt:
    return _without(call.func.value if isinstance(call.func, ast.Attribute) else call, call.args[0])


def _chooses(node: ast.stmt) -> bool:
    """Whether a statement only chooses columns, or sets the index."""
    if isinstance(node, ast.Delete):
        return True
    value = node.value if isinstance(node, ast.Assign | ast.AnnAssign | ast.Expr) else None
    plain = isinstance(node, ast.Expr) or (
        isinstance(node, ast.Assign) and all(isinstance(each, ast.Name | ast.Tuple) for each in node.targets)
    )
    each = value.elts if isinstance(value, ast.Tuple) else [value]
    return plain and all(one is not None and _only_chooses(one) for one in each)


def _only_chooses(node: ast.expr) -> bool:
    match node:
        case ast.Name():
            return True
        case ast.Attribute():
            return _only_chooses(node.value)
        case ast.Subscript():
            return _only_chooses(node.value)
        case ast.Call(
            func=ast.Attribute(
                attr="drop"
                | "copy"
                | "filter"
                | "select_dtypes"
                | "pop"
                | "set_index"
                | "reset_index"
                | "to_numpy"
                | "drop_duplicates"
            )
        ):
            return isinstance(node.func, ast.Attribute) and _only_chooses(node.func.value)
        case ast.Call():
            return last_word(node).startswith("read_")
        case _:
            return False


def _target(node: ast.stmt) -> str | None:
    return node.targets[0].id if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name) else None


def _parts(value: Value) -> set[int]:
    """Parts of the rows that a value holds."""
    found = {value.part} if value.kind in {"table", "column"} else set()
    return found.union(*(_parts(each) for each in value.items or ()))


def _function(head: str, says: str, lines: Sequence[str]) -> list[str]:
    return ["", "", f"def {head}:", f'    """{says}"""', *(f"    {each}" if each else "" for each in lines)]


def _head(says: str, not_carried: Sequence[Line]) -> list[str]:
    """The docstring of a written file: what it is, and what is not carried over."""
    lines = [f"{str(each).replace(chr(92), '/').replace(chr(34), chr(39))}" for each in not_carried]
    listed = ["", "Not carried over:", *(f"  {each}" for each in lines)] if lines else ["", "Every statement is carried over."]
    return [f'"""{says}', *listed, '"""']


def _with_block(build: str, not_carried: Sequence[Line], file: str) -> str:
    first = build.partition("\n")[2]
    return "\n".join(_head(f"The estimator of {file}, as auditor builds it.", not_carried)) + "\n" + first


def _is_text(node: ast.stmt) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)


def _is_number(text: object) -> bool:
    try:
        float(str(text))
    except ValueError:
        return False
    return True


def _number(encoding: Mapping[Any, Any], key: Any) -> tuple[float, str]:
    value = encoding[key]
    return (float(value), "") if isinstance(value, int | float) else (0.0, str(value))
