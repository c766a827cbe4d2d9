"""What the training job does between reading its table and fit, taken over line by line."""

import lightgbm

CLASSES = {"no": 0, "yes": 1}
EDUCATION = ["primary", "secondary", "vocational", "bachelor", "master", "doctorate"]
EMPLOYMENT = ["private", "self-employed", "public", "without pay", "never worked"]


def prepare(table):
    """Features out of columns, row by row: nothing here is computed of several rows, so that answers never depend on others."""
    table["education"] = table["education"].map({name: place for place, name in enumerate(EDUCATION)})
    table["employment"] = table["employment"].fillna("private").map({name: place for place, name in enumerate(EMPLOYMENT)})
    table["since"] = table.pop("customer_since").astype("datetime64[s]").astype("int64") // 86_400
    table["burden"] = table["amount"] / table["income"].fillna(table["amount"])
    if "late" in table:
        # Training alone: hours of one a week are a mistake of the form, and labels become numbers.
        table = table[table["hours_per_week"] > 1]
        table["late"] = table["late"].map(CLASSES)
    return table


def split(table, seed):
    """A fifth of each class is held out, for early stopping."""
    held = table.groupby("late").sample(frac=0.2, random_state=seed)
    return table.drop(held.index), held


def fit(estimator, features, labels, held_features, held_labels):
    """The job's own call of fit."""
    estimator.fit(
        features,
        labels,
        eval_set=[(held_features, held_labels)],
        callbacks=[lightgbm.early_stopping(10, verbose=False)],
    )
