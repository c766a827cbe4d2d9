"""Refuses what would change what is learned."""

from __future__ import annotations

import ast

from auditor.case.scaffold import chance, dropped, rows
from auditor.case.scaffold.prepared.models import (
    model_name,
    returned,
)
from auditor.case.scaffold.prepared.state import Accounting
from auditor.case.scaffold.rows import Fault


class Checks(Accounting):
    """Refuses what would change what is learned."""

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


def _is_number(text: object) -> bool:
    try:
        float(str(text))
    except ValueError:
        return False
    return True
