"""The controller's own pipeline, as it stands in its training job."""

from lightgbm import LGBMClassifier
from sklearn.compose import ColumnTransformer
from sklearn.pipeline import Pipeline
from sklearn.preprocessing import FunctionTransformer, OrdinalEncoder


def days(dates):
    """Dates as days since 1970; no state, so that nothing of it is learned."""
    return dates.astype("datetime64[s]").astype("int64") // 86_400


def build(seed: int, trees: int) -> Pipeline:
    """An unfitted pipeline: everything that it learns, codes of categories too, it learns again at every batch."""
    categories = OrdinalEncoder(handle_unknown="use_encoded_value", unknown_value=-1, encoded_missing_value=-2)
    columns = ColumnTransformer(
        [
            ("categories", categories, ["employment", "education", "marital_status", "occupation"]),
            ("dates", FunctionTransformer(days), ["customer_since"]),
            ("numbers", "passthrough", ["age", "hours_per_week", "income", "amount", "outstanding"]),
        ]
    )
    # deterministic and force_col_wise: otherwise LightGBM times its two ways of counting and takes the faster one.
    trees_of_all = LGBMClassifier(
        n_estimators=trees,
        num_leaves=15,
        learning_rate=0.1,
        class_weight="balanced",
        random_state=seed,
        deterministic=True,
        force_col_wise=True,
        verbosity=-1,
    )
    return Pipeline([("columns", columns), ("trees", trees_of_all)])
