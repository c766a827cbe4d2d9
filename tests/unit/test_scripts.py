# ruff: noqa: E501 - scripts, a line each
"""Scripts as people write them: what `init --from` carries over, what it lists, and what it refuses, line by line."""

from __future__ import annotations

import ast
import json
import tomllib
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from lightgbm import LGBMClassifier

from auditor.cli import run

HEAD = """import numpy as np
import pandas as pd
from lightgbm import LGBMClassifier
from sklearn.compose import ColumnTransformer, make_column_selector, make_column_transformer
from sklearn.ensemble import RandomForestClassifier, StackingClassifier
from sklearn.impute import SimpleImputer
from sklearn.linear_model import LogisticRegression, Ridge
from sklearn.model_selection import GridSearchCV, KFold, cross_val_score, train_test_split
from sklearn.pipeline import Pipeline, make_pipeline
from sklearn.preprocessing import FunctionTransformer, LabelEncoder, OneHotEncoder, StandardScaler
from sklearn.utils import resample, shuffle
from sklearn.utils.class_weight import compute_sample_weight
from xgboost import XGBClassifier
"""
READ = HEAD + "df = pd.read_csv('people.csv')\n"
NUMBERS = "X = df[['age', 'income']]\ny = df['churned']\n"
LINES = HEAD.count("\n")
"""How many lines stand before the statements of a script."""


@dataclass(frozen=True)
class Case:
    """A script, and what must become of it."""

    name: str
    text: str
    carried: tuple[str, ...] = ()
    """What must be in prepare.py."""
    listed: tuple[str, ...] = ()
    """Beginnings of lines that must be listed as not carried."""
    refused: tuple[str, ...] = ()
    """What must be said of what is refused; empty where nothing is."""
    inputs: tuple[str, ...] | None = None
    table: dict[str, Any] = field(default_factory=dict)
    words: tuple[str, ...] = ()
    bare: bool = False
    """Whether no prepare.py is needed."""
    model: str = ""
    """What must be in build.py."""
    rest: str = "model = LogisticRegression()\nmodel.fit(X, y)\n"


def ok(name: str, text: str, *carried: str, **more: Any) -> Case:
    return Case(name, text, carried, **more)


def no(name: str, text: str, *refused: str, **more: Any) -> Case:
    return Case(name, text, refused=refused, **more)


CASES = [
    ok("columns by a list", NUMBERS, bare=True, inputs=("age", "income")),
    ok("columns by a list of another order", "X = df[['income', 'age']]\ny = df['churned']\n", bare=True, inputs=("income", "age")),
    ok("columns by a name", "cols = ['age', 'income']\nX, y = df[cols], df.churned\n", bare=True, inputs=("age", "income")),
    ok("columns by what is dropped", "X = df.drop(columns=['id', 'email', 'city', 'since', 'churned'])\ny = df.pop('churned')\n",
       bare=True, inputs=("age", "income", "visits")),
    ok("columns dropped along an axis", "y = df['churned']\ndf.drop(['id', 'email', 'city', 'since', 'churned'], axis=1, inplace=True)\nX = df\n",
       bare=True, inputs=("age", "income", "visits")),
    ok("columns deleted", "y = df['churned']\nfor c in ['id', 'email', 'city', 'since', 'churned']:\n    del df[c]\nX = df\n",
       "errors='ignore'"),
    ok("columns by position", "X = df.iloc[:, 2:4]\ny = df.iloc[:, -1]\n", bare=True, inputs=("age", "income")),
    ok("columns by loc", "X = df.loc[:, ['age', 'visits']]\ny = df.loc[:, 'churned']\n", bare=True, inputs=("age", "visits")),
    ok("columns by type", "y = df['churned']\nX = df.select_dtypes(include='number')\n", bare=True, inputs=("age", "income", "visits")),
    ok("a comprehension over the header", "skip = {'id', 'email', 'city', 'since', 'churned'}\nX = df[[c for c in df.columns if c not in skip]]\n"
       "y = df['churned']\n", bare=True, inputs=("age", "income", "visits")),
    ok("a figure of each row", "df['per'] = df['income'] / df['age']\nX = df[['age', 'per']]\ny = df['churned']\n",
       "df['per'] = df['income'] / df['age']", inputs=("age", "income")),
    ok("assign with a lambda", "df = df.assign(per=lambda d: d.income / d.age, old=lambda d: d['age'] > 60)\nX = df[['per', 'old']]\ny = df.churned\n",
       "per=lambda d: d.income / d.age"),
    ok("a chain", "df = (pd.read_csv('people.csv')\n  .rename(columns={'income': 'money'})\n  .assign(log=lambda d: np.log1p(d['money']))\n"
       "  .drop(columns=['id', 'email', 'city', 'since']))\nX, y = df.drop(columns='churned'), df['churned']\n",
       "table.copy().rename(", "import numpy as np", "X = df.drop(columns='churned'", table={"read": False}),
    ok("fillna with a number", "df['income'] = df['income'].fillna(0)\n" + NUMBERS, "df['income'].fillna(0)"),
    ok("fillna in a loop", "for c in ['age', 'income']:\n    df[c] = df[c].fillna(-1)\n" + NUMBERS, "for c in ['age', 'income']:"),
    ok("fillna by an f-string", "name = 'come'\ndf[f'in{name}'] = df[f'in{name}'].fillna(0)\n" + NUMBERS, "name = 'come'", "df[f'in{name}']"),
    ok("a filter", "df = df[df['age'] > 20]\n" + NUMBERS, "if LABEL in table.columns:\n        df = df[df['age'] > 20]"),
    ok("a filter by loc", "df = df.loc[(df.age > 20) & (df.visits < 30)]\n" + NUMBERS, "df.visits < 30"),
    ok("a query", "df = df.query('age > 20 and visits < 30')\n" + NUMBERS, "df = df.query("),
    ok("dropna of some", "df = df.dropna(subset=['income'])\n" + NUMBERS, "df = df.dropna(subset=['income'])"),
    ok("a filter and a column in one statement", "df = df[df.age > 20].assign(a2=lambda d: d.age ** 2)\nX = df[['a2', 'age']]\ny = df.churned\n",
       "    else:\n        df = df.assign(a2=lambda d: d.age ** 2)"),
    ok("loc that sets", "df.loc[df['age'] > 60, 'age'] = 60\n" + NUMBERS, "df.loc[df['age'] > 60, 'age'] = 60"),
    ok("np.where", "df['old'] = np.where(df['age'] > 60, 1, 0)\nX = df[['old', 'age']]\ny = df.churned\n", "np.where(df['age'] > 60, 1, 0)"),
    ok("a walrus", "if (n := 5) > 3:\n    limit = 7\ndf['v'] = df['visits'].clip(upper=n)\nX = df[['v', 'age']]\ny = df.churned\n", "clip(upper=n)", "n := 5"),
    ok("a date", "df['since'] = pd.to_datetime(df['since'])\ndf['year'] = df['since'].dt.year\nX = df[['year', 'age']]\ny = df.churned\n",
       "df['since'].dt.year", 'table[\'since\'] = table[\'since\'].dt.strftime("%Y-%m-%d")'),
    ok("parse_dates", "df = pd.read_csv('people.csv', parse_dates=['since'])\ndf['year'] = df['since'].dt.year\nX = df[['year', 'age']]\ny = df.churned\n",
       "df['since'].dt.year", table={"read": False}),
    ok("text of a column", "df['north'] = df['city'].str.startswith('H').astype(int)\nX = df[['north', 'age']]\ny = df.churned\n", "startswith('H')"),
    ok("apply to each element", "def band(a):\n    if a < 30:\n        return 0\n    return 1\ndf['band'] = df['age'].apply(band)\nX = df[['band', 'age']]\n"
       "y = df.churned\n", "def band(a):", "df['band'] = df['age'].apply(band)"),
    ok("apply along rows", "df['sum'] = df.apply(lambda r: r['age'] + r['visits'], axis=1)\nX = df[['sum', 'age']]\ny = df.churned\n", "axis=1"),
    ok("a function of features", "def features(d):\n    d = d.copy()\n    d['per'] = d['income'] / d['age']\n    return d\ndf = features(df)\n"
       "X = df[['per', 'age']]\ny = df.churned\n", "['per'] = d"),
    ok("pipe", "def add(d):\n    d = d.assign(v2=d['visits'] * 2)\n    return d\ndf = df.pipe(add)\nX = df[['v2', 'age']]\ny = df.churned\n", "df.pipe(add)", "def add(d):"),
    ok("labels by a table", "y = df['churned'].map({'yes': 1, 'no': 0})\nX = df[['age', 'income']]\n", "CLASSES = {'no': 0, 'yes': 1}"),
    ok("labels by a comparison", "y = (df['churned'] == 'yes').astype(int)\nX = df[['age', 'income']]\n", "CLASSES = {'no': 0, 'yes': 1}"),
    ok("labels by np.where", "y = np.where(df['churned'] == 'yes', 1, 0)\nX = df[['age', 'income']]\n", "CLASSES = {'no': 0, 'yes': 1}"),
    ok("labels by a lambda", "y = df['churned'].apply(lambda v: 1 if v == 'no' else 0)\nX = df[['age', 'income']]\n", "CLASSES = {'no': 1, 'yes': 0}"),
    ok("labels by an encoder", "le = LabelEncoder()\ny = le.fit_transform(df['churned'])\nX = df[['age', 'income']]\n", "CLASSES = {'no': 0, 'yes': 1}"),
    ok("labels in a column", "df['target'] = (df['churned'] == 'yes').astype(int)\nX = df[['age', 'income']]\ny = df['target']\n", "CLASSES = {'no': 0, 'yes': 1}"),
    ok("a split", NUMBERS + "X_train, X_test, y_train, y_test = train_test_split(X, y, test_size=0.2, random_state=42, stratify=y)\n",
       "test_size=0.2, random_state=42, stratify=table[LABEL]", rest="model = LogisticRegression()\nmodel.fit(X_train, y_train)\nprint(model.score(X_test, y_test))\n"),
    ok("a split of the table", "train, test = train_test_split(df, test_size=0.25, random_state=1)\nX_train = train[['age', 'income']]\n"
       "y_train = train['churned']\n", "train_test_split(table, test_size=0.25, random_state=1)", rest="model = LogisticRegression()\nmodel.fit(X_train, y_train)\n"),
    ok("a split that is drawn anew", NUMBERS + "a, b, c, d = train_test_split(X, y)\n", "random_state=seed", listed=("a, b, c, d = train_test_split",),
       rest="model = LogisticRegression()\nmodel.fit(a, c)\n"),
    ok("early stopping", "y = (df.churned == 'yes').astype(int)\nX = df[['age', 'income']]\nX_t, X_v, y_t, y_v = train_test_split(X, y, random_state=3)\n",
       "eval_set=[(held_features, held_labels)], verbose=False", model="early_stopping_rounds=5",
       rest="model = XGBClassifier(early_stopping_rounds=5)\nmodel.fit(X_t, y_t, eval_set=[(X_v, y_v)], verbose=False)\n"),
    ok("three parts", NUMBERS + "X_t, X_test, y_t, y_test = train_test_split(X, y, random_state=3)\nX_t, X_v, y_t, y_v = train_test_split(X_t, y_t, random_state=4)\n",
       "fitted_1, held_1 = train_test_split(table, random_state=3)", "fitted, held = train_test_split(fitted_1, random_state=4)",
       "eval_set=[(held_features, held_labels)]", rest="model = LGBMClassifier()\nmodel.fit(X_t, y_t, eval_set=[(X_v, y_v)])\n"),
    ok("weights of samples", NUMBERS + "w = compute_sample_weight('balanced', y)\n", "compute_sample_weight('balanced', labels)", "sample_weight=w",
       rest="model = LogisticRegression()\nmodel.fit(X, y, sample_weight=w)\n"),
    ok("rows drawn by SMOTE", "from imblearn.over_sampling import SMOTE\n" + NUMBERS + "X_r, y_r = SMOTE(random_state=0).fit_resample(X, y)\n",
       "SMOTE(random_state=0).fit_resample(features, labels)", rest="model = LogisticRegression()\nmodel.fit(X_r, y_r)\n"),
    ok("a pipeline", "X, y = df[['age', 'city']], df['churned']\n", bare=True, inputs=("age", "city"), model="OneHotEncoder(handle_unknown='ignore')",
       rest="prep = ColumnTransformer([('c', OneHotEncoder(handle_unknown='ignore'), ['city'])], remainder='passthrough')\n"
       "model = make_pipeline(prep, LogisticRegression())\nmodel.fit(X, y)\n"),
    ok("a pipeline with a lambda", NUMBERS, bare=True, model="lambda t: t.fillna(0)",
       rest="model = Pipeline([('f', FunctionTransformer(lambda t: t.fillna(0))), ('m', LogisticRegression())]).fit(X, y)\n"),
    ok("lists of columns from the header", "X = df.drop(columns=['id', 'email', 'since', 'churned'])\ny = df['churned']\n"
       "numbers = X.select_dtypes(include=['int64', 'float64']).columns.tolist()\nwords = X.select_dtypes(include='object').columns\n",
       bare=True, model="numbers = ['age', 'income', 'visits']",
       rest="prep = ColumnTransformer([('n', SimpleImputer(), numbers), ('w', OneHotEncoder(), words)])\nmodel = Pipeline([('p', prep), ('m', LogisticRegression())])\n"
       "model.fit(X, y)\n"),
    ok("a search", NUMBERS, bare=True, model="GridSearchCV", rest="search = GridSearchCV(LogisticRegression(), {'C': [1, 2]})\nsearch.fit(X, y)\n"),
    ok("evaluation", NUMBERS + "print(df.describe())\nscores = cross_val_score(LogisticRegression(), X, y)\nimport matplotlib.pyplot as plt\ndf['age'].hist()\n",
       bare=True, listed=("print(df.describe())", "scores = cross_val_score", "df['age'].hist()")),
    ok("a column that is not used", "df['mean'] = df['age'] - df['age'].mean()\n" + NUMBERS, bare=True, listed=("df['mean'] = df['age'] - df['age'].mean()",)),
    ok("categories of a booster", "df['city'] = df['city'].astype('category')\nX = df[['age', 'city']]\ny = df.churned\n", "astype('category')",
       rest="model = LGBMClassifier()\nmodel.fit(X, y)\n"),
    ok("main", "def load(path):\n    df = pd.read_csv(path)\n    df['v2'] = df['visits'] ** 2\n    return df\n\ndef split_xy(df):\n    return df[['age', 'v2']], df['churned']\n\n"
       "def main():\n    data = load('people.csv')\n    X, y = split_xy(data)\n    clf = LogisticRegression(C=0.5)\n    clf.fit(X, y)\n    print(clf.score(X, y))\n\n"
       "if __name__ == '__main__':\n    main()\n", "['v2'] = ", model="C=0.5", rest="", table={"read": False}),
    ok("a notebook", "# In[1]:\nget_ipython().run_line_magic('matplotlib', 'inline')\n# In[2]:\ndf.head()\n# In[3]:\n" + NUMBERS, bare=True, listed=("df.head()",)),
    ok("a builder", "def build_model(seed=1):\n    return make_pipeline(StandardScaler(), LogisticRegression(random_state=seed))\n" + NUMBERS, bare=True,
       rest="model = build_model()\nmodel.fit(X, y)\n"),
    ok("separators and decimal commas", "df = pd.read_csv('people.csv', sep=';', decimal=',', na_values=['?'])\n" + NUMBERS, bare=True, inputs=("age", "income"),
       table={"read": False, "german": True}),
    ok("an index", "df = pd.read_csv('people.csv', index_col='id')\nX = df.drop(columns=['email', 'city', 'since', 'churned'])\ny = df['churned']\n", bare=True,
       inputs=("age", "income", "visits"), table={"read": False}),
    ok("usecols", "df = pd.read_csv('people.csv', usecols=['age', 'income', 'churned'])\nX = df.drop(columns=['churned'])\ny = df['churned']\n", bare=True,
       inputs=("age", "income"), table={"read": False}),
    ok("an array", "X = df[['age', 'income']].values\ny = df['churned'].values\n", bare=True, listed=("model.fit(X, y)",)),
    ok("fitted twice", NUMBERS + "X_t, X_v, y_t, y_v = train_test_split(X, y, random_state=1)\n", bare=True, listed=("model.fit(X_t, y_t)",),
       rest="model = LogisticRegression()\nmodel.fit(X_t, y_t)\nprint(model.score(X_v, y_v))\nmodel.fit(X, y)\n"),
    ok("another model", NUMBERS, bare=True, listed=("base = LogisticRegression().fit(X, y)",), words=("--from", "train.py:model"),
       rest="base = LogisticRegression().fit(X, y)\nmodel = RandomForestClassifier(random_state=2)\nmodel.fit(X, y)\n", model="random_state=2"),
    # What is refused.
    no("a scaler outside", NUMBERS + "scaler = StandardScaler()\nX = scaler.fit_transform(X)\n", f"line {LINES + 5}", "make_pipeline(scaler, model)"),
    no("a scaler after a split", NUMBERS + "a, b, c, d = train_test_split(X, y, random_state=0)\nscaler = StandardScaler().fit(a)\na = scaler.transform(a)\n",
       "fitted outside the model", rest="model = LogisticRegression()\nmodel.fit(a, c)\n"),
    no("the mean of the table", "df['income'] = df['income'].fillna(df['income'].mean())\n" + NUMBERS, f"line {LINES + 2}", "a figure of all rows", "SimpleImputer"),
    no("the mean by a name", "m = df['income'].median()\ndf['income'] = df['income'].fillna(m)\n" + NUMBERS, f"line {LINES + 2}"),
    no("a target encoding", "df['rate'] = df.groupby('city')['visits'].transform('mean')\nX = df[['rate', 'age']]\ny = df.churned\n", "a figure of all rows"),
    no("get_dummies", "X = pd.get_dummies(df[['age', 'city']])\ny = df.churned\n", "OneHotEncoder"),
    no("codes of categories", "df['city'] = df['city'].astype('category').cat.codes\nX = df[['age', 'city']]\ny = df.churned\n", "OrdinalEncoder"),
    no("an encoder of features", "df['city'] = LabelEncoder().fit_transform(df['city'])\nX = df[['age', 'city']]\ny = df.churned\n", "codes that depend on"),
    no("a second file", "more = pd.read_csv('cities.csv')\ndf = df.merge(more, on='city')\n" + NUMBERS, "joins another table", "--data"),
    no("rows of a second file", "df = pd.concat([df, pd.read_csv('old.csv')])\n" + NUMBERS, "reads a second file"),
    no("a feature made from the label", "df['leak'] = (df['churned'] == 'yes') * df['age']\nX = df[['leak', 'age']]\ny = df.churned\n", "a feature that is made from the label"),
    no("the label among the features", "X = df[['age', 'churned']]\ny = df.churned\n", "the label itself", rest="model = make_pipeline(OneHotEncoder(), LogisticRegression())\nmodel.fit(X, y)\n"),
    no("the id among the features", "X = df.drop(columns=['email', 'city', 'since', 'churned'])\ny = df.churned\n", "fit gets id"),
    no("a booster that is fed text", "X = df.drop(columns=['id', 'since', 'churned'])\ny = df.churned\n", "XGBClassifier gets email, city", "X.drop(columns=['email', 'city'])",
       rest="model = XGBClassifier()\nmodel.fit(X, y)\n"),
    no("folds", NUMBERS + "for a, b in KFold(5).split(X, y):\n    model = LogisticRegression()\n    model.fit(X.iloc[a], y.iloc[a])\n", "a loop fits several models", rest=""),
    no("several models in a loop", NUMBERS + "for c in [1, 2]:\n    model = LogisticRegression(C=c)\n    model.fit(X, y)\n", "a loop fits several models", rest=""),
    no("two models", NUMBERS, "name it: --from train.py:NAME", "one (line", rest="one = LogisticRegression().fit(X, y)\ntwo = Ridge().fit(X, y)\n"),
    no("rows by position", "df = df.iloc[:80]\n" + NUMBERS, "rows by their position"),
    no("a sample of rows", "df = df.sample(frac=0.5, random_state=1)\n" + NUMBERS, "rows by their position"),
    no("all rows in a random order", NUMBERS + "X, y = shuffle(X, y, random_state=0)\n", f"line {LINES + 4}", "let train_test_split shuffle"),
    no("the table in a random order", "import sklearn.utils as u\ndf = u.shuffle(df, random_state=0)\n" + NUMBERS, f"line {LINES + 3}", "draws which rows are learned"),
    no("rows that are drawn again", NUMBERS + "X, y = resample(X, y, random_state=0)\n", f"line {LINES + 4}", "leave it out"),
    no("rows to learn that are drawn again", NUMBERS + "a, b, c, d = train_test_split(X, y, random_state=1)\na, c = resample(a, c, random_state=0)\n", "draws which rows are learned",
       rest="model = LogisticRegression()\nmodel.fit(a, c)\n"),
    no("a sample of all rows", "df = df.sample(frac=1.0, random_state=1)\n" + NUMBERS, f"line {LINES + 2}", "draws which rows are learned"),
    no("another order", "df = df.sort_values('age')\n" + NUMBERS, "the order of rows"),
    no("a rolling mean", "df['r'] = df['income'].rolling(3).mean()\nX = df[['r', 'age']]\ny = df.churned\n", "a figure of all rows"),
    no("the clock", "df['days'] = (pd.Timestamp.now() - pd.to_datetime(df['since'])).dt.days\nX = df[['days', 'age']]\ny = df.churned\n", "depends on when it runs"),
    no("hashes of text", "df['city'] = df['city'].map(lambda v: hash(v) % 7)\nX = df[['city', 'age']]\ny = df.churned\n", "differs from one process"),
    no("the hash itself", "df['city'] = df['city'].map(hash)\nX = df[['city', 'age']]\ny = df.churned\n", "differs from one process"),
    no("a depth by a hash", "df['age'] = df['age'] + hash('depth') % 7\nX = df[['age']]\ny = df.churned\n", "differs from one process"),
    no("random numbers", "df['noise'] = np.random.rand(len(df))\nX = df[['noise', 'age']]\ny = df.churned\n", "random numbers"),
    no("a condition", "import sys\nif sys.argv[1] == 'log':\n    df['income'] = np.log(df['income'])\n" + NUMBERS, "a condition"),
    no("a function that nobody knows", "from helper import clean\ndf = clean(df)\n" + NUMBERS, "not known to work on each row"),
    no("an estimator made from the table", NUMBERS, "a figure of all rows", rest="w = (y == 'no').sum() / (y == 'yes').sum()\nmodel = XGBClassifier(scale_pos_weight=w)\nmodel.fit(X, y)\n"),
    no("joined labels", "y = df['city'].map({'B': 0, 'H': 0, 'K': 1})\nX = df[['age', 'income']]\n", "joins several labels"),
    no("the training function of a booster", "import lightgbm as lgb\n" + NUMBERS, "LGBMClassifier", rest="model = lgb.train({'objective': 'binary'}, lgb.Dataset(X, y))\n"),
    no("arguments of the reading", "df = pd.read_csv('people.csv', nrows=50)\n" + NUMBERS, "nrows", table={"read": False}),
    no("a selection of features", "from sklearn.feature_selection import SelectKBest\n" + NUMBERS + "X = SelectKBest(k=1).fit_transform(X, y)\n", "fitted outside the model"),
    no("training rows that are changed after the split", NUMBERS + "a, b, c, d = train_test_split(X, y, random_state=0)\na = a.fillna(0)\n", "the split",
       rest="model = LGBMClassifier()\nmodel.fit(a, c, eval_set=[(b, d)])\n"),
    no("a model upon a model", NUMBERS + "base = LogisticRegression().fit(X, y)\ndf['p'] = base.predict_proba(X)[:, 1]\nX2 = df[['age', 'p']]\n", "a fitted model",
       words=("--from", "train.py:model"), rest="model = LogisticRegression()\nmodel.fit(X2, y)\n"),
    no("a column that is not there", "X = df[['age', 'weight']]\ny = df.churned\n", "does not have"),
    no("labels that nobody follows", "import helper\ny = df['churned'].map(helper.codes)\nX = df[['age', 'income']]\n", "what becomes of each label"),
]  # fmt: skip


def write(folder: Path, case: Case) -> None:
    rng = np.random.default_rng(7)
    rows = 120
    frame = pd.DataFrame(
        {
            "id": [f"P{at:03d}" for at in range(rows)],
            "email": [f"p{at}@mail.example" for at in range(rows)],
            "age": rng.integers(18, 80, rows),
            "income": np.round(rng.normal(30, 4, rows), 2),
            "visits": rng.integers(0, 40, rows),
            "city": rng.choice(["B", "H", "K"], rows),
            "since": [f"20{at % 20 + 5:02d}-0{at % 9 + 1}-11" for at in range(rows)],
            "churned": rng.choice(["yes", "no"], rows),
        }
    )
    if case.table.get("german"):
        frame.to_csv(folder / "people.csv", index=False, sep=";", decimal=",")
        text = (folder / "people.csv").read_text().splitlines()
        text[3] = ";".join("?" if at == 3 else cell for at, cell in enumerate(text[3].split(";")))
        (folder / "people.csv").write_text("\n".join(text) + "\n")
    else:
        frame.to_csv(folder / "people.csv", index=False)
    head = HEAD if case.table.get("read") is False else READ
    (folder / "train.py").write_text(head + case.text + case.rest, encoding="utf-8")


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name.replace(" ", "-"))
def test_every_line_is_carried_over_listed_or_refused(
    case: Case, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    write(tmp_path, case)
    words = case.words or ("--from", "train.py")
    code = run(["init", "made", "--data", "people.csv", "--id", "id", *words, "--json"])
    said = capsys.readouterr()
    if case.refused:
        assert code == 2, (
            (tmp_path / "made" / "prepare.py").read_text() if (tmp_path / "made" / "prepare.py").exists() else said.out
        )
        for each in case.refused:
            assert each in said.err
        assert not (tmp_path / "made").exists()
        return
    assert code == 0, said.err
    told = json.loads(said.out)
    settings = (tmp_path / "made" / "audit.toml").read_text(encoding="utf-8")
    declared = tomllib.loads(settings)
    prepared = tmp_path / "made" / "prepare.py"
    text = prepared.read_text(encoding="utf-8") if prepared.exists() else ""
    built = "".join(each.read_text(encoding="utf-8") for each in (tmp_path / "made").glob("*.py"))
    assert declared["procedure"].get("prepare") == (None if case.bare else "prepare.py"), text
    assert case.bare or "model" in declared or '# part = "estimator"' in settings
    for each in case.carried:
        assert each in text, text
    assert case.model in built, built
    if case.inputs is not None:
        assert tuple(declared["data"]["inputs"]) == case.inputs
    for each in case.listed:
        assert any(line["source"].startswith(each) for line in told["not_carried"]), told["not_carried"]
        assert each.replace('"', "'")[:30] in built, built
    accounted = {line["line"] for line in (*told["carried"], *told["not_carried"])}
    lines = (tmp_path / "train.py").read_text(encoding="utf-8").splitlines()
    assert accounted <= set(range(1, len(lines) + 1))
    if case.table.get("read") is not False:
        tree = ast.parse("\n".join(lines))
        told_of = (ast.Import, ast.ImportFrom, ast.FunctionDef)
        last = max(each.lineno for each in tree.body if "fit" in ast.unparse(each))
        wanted = {each.lineno for each in tree.body if LINES < each.lineno <= last and not isinstance(each, told_of)}
        assert wanted <= accounted, [lines[each - 1] for each in sorted(wanted - accounted)]
    compile(text, "prepare.py", "exec")


TREE = "model = DecisionTreeClassifier(random_state=0)\n"
IN_PLACE = {
    "a model's attribute": ("", TREE + "model.max_depth = 2\nmodel.fit(X, y)\n"),
    "a model by another name": ("", TREE + "other = model\nother.set_params(max_depth=1)\nmodel.fit(X, y)\n"),
    "a model by setattr": ("", TREE + "setattr(model, 'max_depth', 2)\nmodel.fit(X, y)\n"),
    "a model after fit": ("", TREE + "model.fit(X, y)\nmodel.tree_.value[:] = 0\n"),
    "a model that goes on learning": ("", "model = SGDClassifier(random_state=0)\nmodel.fit(X, y)\nmodel.partial_fit(X, y)\n"),
    "rows within fit": ("", TREE + "model.fit(X[df['age'] > 30], y[df['age'] > 30])\n"),
    "a value within fit": ("", TREE + "model.fit(X.fillna(0), y)\n"),
    "labels within fit": ("", TREE + "model.fit(X, y.replace({'yes': 'no', 'no': 'yes'}))\n"),
    "weights by place": ("w = df['age'] * 2\n", TREE + "model.fit(X, y, w)\n"),
    "a table by another name": ("for part in [df]:\n    part['age'] = 0\n", TREE + "model.fit(X, y)\n"),
    "a table by exec": ("exec(\"df['age'] = 0\")\n", TREE + "model.fit(X, y)\n"),
    "a table in a method": ("class P:\n    def run(self):\n        df['age'] = 0\nP().run()\n", TREE + "model.fit(X, y)\n"),
    "a list that grows": (
        "cs = ['age']\ncs.append('visits')\nfor c in cs:\n    df[c] = df[c].clip(upper=10)\n",
        TREE + "model.fit(X, y)\n",
    ),
    "a dictionary that changes": (
        "p = {'k': 30}\nf = lambda v: min(v, p['k'])\np['k'] = 50\ndf['age'] = df['age'].map(f)\n",
        TREE + "model.fit(X, y)\n",
    ),
    "a name with two meanings": ("LABEL = 'age'\ndf['age'] = df[LABEL].clip(upper=40)\n", TREE + "model.fit(X, y)\n"),
}


@pytest.mark.attempt("scripts that change something in place")
@pytest.mark.parametrize(("before", "rest"), IN_PLACE.values(), ids=IN_PLACE)
def test_what_changes_something_that_nothing_follows_is_refused(
    before: str, rest: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Each would be another procedure than the script, with nothing said."""
    monkeypatch.chdir(tmp_path)
    case = ok("", before + "X = df[['age', 'visits']]\ny = df['churned']\n", rest=rest)
    write(tmp_path, case)
    assert run(["init", "made", "--data", "people.csv", "--id", "id", "--from", "train.py"]) == 2
    assert "train.py" in capsys.readouterr().err
    assert not (tmp_path / "made").exists()


PIPELINE = "Pipeline([('prep', StandardScaler()), ('clf', clf)])"
BOOSTERS = {
    "in the script": ("", f"clf = LGBMClassifier()\nmodel = {PIPELINE}\n", "clf"),
    "by a list of steps": ("", "s = [('p', StandardScaler()), ('gbm', LGBMClassifier())]\nmodel = Pipeline(steps=s)\n", "gbm"),
    "in a function": (
        f"def build_model():\n    clf = LGBMClassifier(random_state=1)\n    return {PIPELINE}\n",
        "model = build_model()\n",
        "clf",
    ),
    "in a function, unnamed": (
        "def build_model():\n    return make_pipeline(StandardScaler(), LGBMClassifier(random_state=1))\n",
        "model = build_model()\n",
        "lgbmclassifier",
    ),
}


@pytest.mark.parametrize(("before", "rest", "step"), BOOSTERS.values(), ids=BOOSTERS)
def test_a_booster_file_is_of_the_step_that_holds_the_booster(
    before: str, rest: str, step: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    write(
        tmp_path,
        ok("", before + "df['v2'] = df['visits'] ** 2\nX = df[['age', 'v2']]\ny = df.churned\n", rest=rest + "model.fit(X, y)\n"),
    )
    booster = LGBMClassifier(n_estimators=1, verbosity=-1, n_jobs=1).fit(np.arange(80).reshape(-1, 2), [0, 1] * 20)
    booster.booster_.save_model("now.txt")
    words = ["init", "made", "--data", "people.csv", "--id", "id", "--from", "train.py", "--model", "now.txt"]
    assert run(words) == 0, capsys.readouterr().err
    declared = tomllib.loads((tmp_path / "made" / "audit.toml").read_text(encoding="utf-8"))
    assert declared["procedure"]["prepare"] == "prepare.py"
    assert declared["model"]["part"] == step


SPLIT = "a, b, c, d = train_test_split(X, y, random_state={})\n"
FOREST = "model = RandomForestClassifier(random_state={})\nmodel.fit(a, c)\n"
BUILT = "def build():\n    return RandomForestClassifier(random_state={})\n"
STATE = "RS = np.random.RandomState(7)\n"
GENERATORS = {
    "the forest's and the split's": (STATE, SPLIT.format("RS"), FOREST.format("RS")),
    "a function's and the split's": (STATE + BUILT.format("RS"), SPLIT.format("RS"), "model = build()\nmodel.fit(a, c)\n"),
    "the split's alone, which goes on from training to training": (STATE, SPLIT.format("RS"), FOREST.format(1)),
    "a function's alone": (STATE + BUILT.format("RS"), SPLIT.format(1), "model = build()\nmodel.fit(a, c)\n"),
    "by another name": (STATE + "OTHER = RS\n", SPLIT.format("RS"), FOREST.format("OTHER")),
    "by another name of the class": ("R = np.random.RandomState\nRS = R(7)\n", SPLIT.format("RS"), FOREST.format("RS")),
    "by an import": ("from numpy.random import RandomState as R\nRS = R(7)\n", SPLIT.format("RS"), FOREST.format("RS")),
    "in a dictionary": (
        "P = {'random_state': np.random.RandomState(7)}\n",
        SPLIT.format(1),
        FOREST.replace("random_state={}", "**P"),
    ),
    "in a class": ("class C:\n    rs = np.random.RandomState(7)\n", SPLIT.format("C.rs"), FOREST.format("C.rs")),
    "an argument's default": (
        "def build(rs=np.random.RandomState(7)):\n    return RandomForestClassifier(random_state=rs)\n",
        SPLIT.format(1),
        "model = build()\nmodel.fit(a, c)\n",
    ),
    "drawn from before": (STATE + "first = RS.normal()\n", SPLIT.format(1), FOREST.format("RS")),
    "folds' and the forest's": (
        STATE,
        SPLIT.format(1),
        (
            "model = RandomForestClassifier(random_state=RS)\n"
            "print(cross_val_score(model, a, c, cv=KFold(3, shuffle=True, random_state=RS)))\nmodel.fit(a, c)\n"
        ),
    ),
    "a forest's that is fitted twice": (STATE, SPLIT.format(1), FOREST.format("RS") + "model.fit(X, y)\n"),
    "the process's": ("", SPLIT.format(1), FOREST.format("np.random")),
}
"""Before the table's columns, the split, the model."""
SEEDS = {
    "a forest without": ("np.random.seed(7)\n", SPLIT.format(1), FOREST.replace("random_state={}", "")),
    "a forest with None": ("np.random.seed(7)\n", SPLIT.format(1), FOREST.format("None")),
    "a forest with the name of None": ("np.random.seed(7)\nSEED = None\n", SPLIT.format(1), FOREST.format("SEED")),
    "a split without": ("np.random.seed(7)\n", "a, b, c, d = train_test_split(X, y)\n", FOREST.format(1)),
    "of random": ("import random\nrandom.seed(7)\n", SPLIT.format(1), FOREST.format("None")),
    "of torch": ("import torch\ntorch.manual_seed(7)\n", SPLIT.format(1), FOREST.format("None")),
    "in a function": ("def set_seed(n):\n    np.random.seed(n)\nset_seed(7)\n", SPLIT.format(1), FOREST.format("None")),
    "by another name": ("from numpy.random import seed as start\nstart(7)\n", SPLIT.format(1), FOREST.format("None")),
    "a forest in a function": (
        "np.random.seed(7)\ndef build():\n    return RandomForestClassifier()\n",
        SPLIT.format(1),
        "model = build()\nmodel.fit(a, c)\n",
    ),
    "a seed that a function leaves open": (
        "np.random.seed(7)\ndef build(seed=None):\n    return RandomForestClassifier(random_state=seed)\n",
        SPLIT.format(1),
        "model = build()\nmodel.fit(a, c)\n",
    ),
    "a forest among parameters": (
        "np.random.seed(7)\nP = {'max_depth': 2}\n",
        SPLIT.format(1),
        FOREST.replace("random_state={}", "**P"),
    ),
    "a class by another name": (
        "np.random.seed(7)\nModel = RandomForestClassifier\n",
        SPLIT.format(1),
        "model = Model()\nmodel.fit(a, c)\n",
    ),
    "rows drawn by SMOTE": (
        "from imblearn.over_sampling import SMOTE\nnp.random.seed(7)\n",
        SPLIT.format(1) + "a, c = SMOTE().fit_resample(a, c)\n",
        FOREST.format(1),
    ),
}
ALONE = {
    "one forest's, made in its call": (False, "", SPLIT.format(1), FOREST.format("np.random.RandomState(7)")),
    "one split's, made in its call": (False, "", SPLIT.format("np.random.RandomState(7)"), FOREST.format(1)),
    "one forest's by a name": (False, STATE, SPLIT.format(1), FOREST.format("RS")),
    "what nothing needs": (False, "rng = np.random.default_rng(7)\nprint(rng.normal())\n", SPLIT.format(1), FOREST.format(1)),
    "numbers all over": (True, "np.random.seed(7)\n", SPLIT.format(1), FOREST.format(1)),
    "numbers by a name": (True, "SEED = 7\nnp.random.seed(SEED)\n", SPLIT.format("SEED"), FOREST.format("SEED")),
    "a number among parameters": (
        True, "np.random.seed(7)\nP = {'random_state': 2}\n", SPLIT.format(1), FOREST.replace("random_state={}", "**P"),
    ),
    "nothing that draws": (
        True, "np.random.seed(7)\n", "a, b, c, d = train_test_split(X, y, shuffle=False)\n",
        ("model = make_pipeline(StandardScaler(), GridSearchCV(RandomForestClassifier(random_state=1), {'max_depth': [1]}, cv=KFold(3)))\n"
        "model.fit(a, c)\n"),
    ),
}  # fmt: skip
"""Whether a seed is listed, then as above."""


def test_a_seed_within_main_is_named_by_its_own_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    body = (
        "def main():\n    np.random.seed(7)\n    df = pd.read_csv('people.csv')\n    X, y = df[['age', 'visits']], df.churned\n"
    )
    rest = "    model = RandomForestClassifier()\n    model.fit(X, y)\n\nmain()\n"
    write(tmp_path, ok("", body, rest=rest, table={"read": False}))
    assert run(["init", "made", "--data", "people.csv", "--id", "id", "--from", "train.py"]) == 2
    said = capsys.readouterr().err
    assert said.count("train.py: line ") == 1
    assert f"line {LINES + 2}: " in said


def started(parts: tuple[str, str, str], folder: Path) -> int:
    before, split, rest = parts
    write(folder, ok("", before + "X = df[['age', 'visits']]\ny = df['churned']\n" + split, rest=rest))
    return run(["init", "made", "--data", "people.csv", "--id", "id", "--from", "train.py", "--json"])


@pytest.mark.attempt("scripts that draw from one generator or seed in several places")
@pytest.mark.parametrize("parts", [*GENERATORS.values(), *SEEDS.values()], ids=[*GENERATORS, *SEEDS])
def test_what_draws_from_where_another_line_left_off_is_refused(
    parts: tuple[str, str, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Each line would draw from another place of the stream in the case than in the script, with nothing said."""
    monkeypatch.chdir(tmp_path)
    assert started(parts, tmp_path) == 2
    said = capsys.readouterr().err
    assert "train.py: line " in said
    assert "random_state=7" in said or "random_state=3" in said
    assert not (tmp_path / "made").exists()


@pytest.mark.parametrize("parts", ALONE.values(), ids=ALONE)
def test_what_draws_by_a_number_of_its_own_is_carried_over(
    parts: tuple[bool, str, str, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    code = started(parts[1:], tmp_path)
    said = capsys.readouterr()
    assert code == 0, said.err
    seeds = [each for each in json.loads(said.out)["not_carried"] if each["source"].startswith("np.random.seed")]
    assert [each["why"] for each in seeds] == ["nothing that fit gets depends on it"] * parts[0]


OF_FILES = {
    "settings": "conf = json.load(open('conf.json'))\nTREES = conf['trees']\n",
    "settings in a with": "with open('conf.json') as f:\n    conf = json.load(f)\nTREES = conf['trees']\n",
    "settings as text": "conf = json.loads(Path('conf.json').read_text())\nTREES = conf['trees']\n",
    "settings of a filter": "df = df[df['age'] > json.load(open('conf.json'))['age']]\nTREES = 3\n",
    "words of a column": "with open('conf.json') as f:\n    known = [each.strip() for each in f]\ndf['age'] = df['city'].isin(known)\nTREES = 3\n",
    "a function of each element": "def band(age):\n    limits = json.load(open('conf.json'))\n    return int(age > limits['age'])\n"
    "df['age'] = df['age'].apply(band)\nTREES = 3\n",
    "weights": "TREES = int(np.load('conf.npy')[0])\n",
}
TREES = "model = RandomForestClassifier(n_estimators=TREES, random_state=0)\nmodel.fit(X, y)\n"


@pytest.mark.parametrize("name", OF_FILES)
def test_a_script_that_reads_another_file_makes_no_case_that_lacks_it(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    write(tmp_path, Case(name, ""))
    head = "import json\nfrom pathlib import Path\n" + READ
    (tmp_path / "conf.json").write_text('{"trees": 3, "age": 20}', encoding="utf-8")
    (tmp_path / "train.py").write_text(head + OF_FILES[name] + NUMBERS + TREES, encoding="utf-8")
    assert run(["init", "made", "--data", "people.csv", "--id", "id", "--from", "train.py"]) == 2
    said = capsys.readouterr().err
    assert "expected a change: write what it holds into the script: settings = {'trees': 200}, found " in said
    assert "reads a file, which the case would not have" in said
    assert not (tmp_path / "made").exists()


def test_arguments_of_the_command_line_are_refused_with_a_way_out_that_works(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    write(tmp_path, Case("arguments", ""))
    parser = "import argparse\np = argparse.ArgumentParser()\np.add_argument('--trees', type=int, default=3)\nTREES = p.parse_args().trees\n"
    words = ["init", "made", "--data", "people.csv", "--id", "id", "--from", "train.py"]
    (tmp_path / "train.py").write_text(READ + parser + NUMBERS + TREES, encoding="utf-8")
    assert run(words) == 2
    said = capsys.readouterr().err
    assert "write the value that trained your model into the script, in place of what asks for it: TREES = 200" in said
    assert not (tmp_path / "made").exists()
    (tmp_path / "train.py").write_text(READ + "TREES = 3\n" + NUMBERS + TREES, encoding="utf-8")
    assert run(words) == 0


def test_a_builder_that_reads_a_file_makes_no_case_that_lacks_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    write(tmp_path, Case("builder", ""))
    built = (
        "def build():\n    trees = json.load(open('conf.json'))['trees']\n    return RandomForestClassifier(n_estimators=trees)\n"
    )
    text = "import json\n" + READ + built + NUMBERS + "model = build()\nmodel.fit(X, y)\n"
    (tmp_path / "train.py").write_text(text, encoding="utf-8")
    assert run(["init", "made", "--data", "people.csv", "--id", "id", "--from", "train.py"]) == 2
    assert f"line {LINES + 4}: expected a change: write what it holds" in capsys.readouterr().err
    assert not (tmp_path / "made").exists()


def started_with(rest: str, folder: Path, monkeypatch: pytest.MonkeyPatch) -> int:
    """Begin a case from a script that reads the table and goes on so."""
    monkeypatch.chdir(folder)
    write(folder, Case("rest", ""))
    (folder / "train.py").write_text(READ + rest, encoding="utf-8")
    return run(["init", "made", "--data", "people.csv", "--id", "id", "--from", "train.py"])


def test_choosing_columns_of_a_table_that_is_refused_is_not_refused_as_well(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    joined = "rates = pd.read_csv('rates.csv')\ndf = df.merge(rates, on='city')\ndf = df.drop(columns=['city'])\n"
    chosen = "X = df.dropna(subset=['age'])[['age', 'income']]\ny = df['churned']\n"
    assert started_with(joined + chosen + "m = RandomForestClassifier()\nm.fit(X, y)\n", tmp_path, monkeypatch) == 2
    said = capsys.readouterr().err.splitlines()
    assert [each.partition(": expected")[0] for each in said] == [
        f"auditor: train.py: line {LINES + 2}",
        f"auditor: train.py: line {LINES + 3}",
        "auditor: 2 problems; nothing was run",
    ]


@pytest.mark.parametrize(
    "guard", ["if len(df) < 90:\n    raise ValueError('small')\n", "assert len(df) > 9\n", "if df.empty:\n    sys.exit(1)\n"]
)
def test_a_check_that_stops_the_script_is_listed_as_one(
    guard: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    rest = f"import sys\n{guard}" + NUMBERS + "m = RandomForestClassifier()\nm.fit(X, y)\n"
    assert started_with(rest, tmp_path, monkeypatch) == 0
    first = guard.splitlines()[0].removesuffix(":")
    stops = "a check that may stop the script; it is not carried over, so that training goes on whatever it finds"
    assert f"  line {LINES + 3}: {first}: {stops}\n" in capsys.readouterr().err


def test_a_figure_of_groups_is_refused_with_what_to_change_and_why(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    figure = "df['age'] = df.groupby('city')['income'].transform('mean')\n"
    assert started_with(figure + NUMBERS + "m = RandomForestClassifier()\nm.fit(X, y)\n", tmp_path, monkeypatch) == 2
    said = capsys.readouterr().err
    assert (
        "make it a step of the model, so that every training learns it from its own rows: fit make_pipeline(step, model)" in said
    )
    assert "what deleted rows contributed to it would stay, and for a prediction it would come out differently" in said


def test_a_file_that_is_written_and_read_after_fit_is_nothing_to_the_model(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    write(tmp_path, Case("written", ""))
    after = "with open('out.json', 'w') as f:\n    json.dump({'trees': 3}, f)\nprint(json.load(open('out.json')))\n"
    text = "import json\n" + READ + NUMBERS + "TREES = 3\n" + TREES + after
    (tmp_path / "train.py").write_text(text, encoding="utf-8")
    assert run(["init", "made", "--data", "people.csv", "--id", "id", "--from", "train.py"]) == 0


def test_a_notebook_is_to_be_exported_as_a_script(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    write(tmp_path, ok("", NUMBERS))
    assert run(["init", "made", "--data", "people.csv", "--id", "id", "--from", "train.ipynb"]) == 2
    assert "jupyter nbconvert --to script 'train.ipynb'" in capsys.readouterr().err


@pytest.mark.parametrize("option", ["data", "store", "holdout", "model"])
def test_a_folder_in_place_of_a_file_is_named_with_its_option(
    option: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    write(tmp_path, ok("", NUMBERS))
    given = {"data": "people.csv", option: "."}
    words = [word for name, value in given.items() for word in (f"--{name}", value)]
    assert run(["init", "made", "--id", "id", "--from", "train.py", *words]) == 2
    assert f"--{option}: expected a file, found the folder ." in capsys.readouterr().err
