"""The controller's own model, as it stands in its training job."""

from lightgbm import LGBMClassifier


def build(seed: int, trees: int) -> LGBMClassifier:
    """An unfitted booster: what prepares its rows is prepare.py, in each training and before each answer."""
    # deterministic and force_col_wise: otherwise LightGBM times its two ways of counting and takes the faster one.
    return LGBMClassifier(
        n_estimators=trees,
        num_leaves=8,
        learning_rate=0.1,
        random_state=seed,
        deterministic=True,
        force_col_wise=True,
        n_jobs=1,
        verbosity=-1,
    )
