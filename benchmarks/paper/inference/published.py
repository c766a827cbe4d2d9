"""The paper's numbers, in percent where they are shares of games."""

from __future__ import annotations

from typing import Final

# Tables 2 and 3: by table and learner, Algorithms 3.2 and 3.4. The column of 1/12 MNIST is next to digits.
INFERENCE: Final[dict[str, dict[str, tuple[float, float]]]] = {
    "diabetes": {
        "linear": (99.8, 99.3),
        "svr": (99.2, 100.0),
        "lasso": (99.3, 98.3),
        "tree-regressor": (100.0, 100.0),
        "mlp-regressor": (72.2, 72.3),
    },
    "iris": {
        "logistic": (88.3, 86.8),
        "tree": (100.0, 100.0),
        "svm": (70.5, 60.3),
        "forest": (89.2, 89.1),
        "mlp": (92.9, 55.5),
    },
    "wine": {
        "logistic": (80.8, 76.1),
        "tree": (100.0, 100.0),
        "svm": (76.9, 66.7),
        "forest": (83.3, 78.1),
        "mlp": (54.2, 51.1),
    },
    "breast-cancer": {
        "logistic": (69.1, 60.6),
        "tree": (100.0, 100.0),
        "svm": (73.8, 57.3),
        "forest": (89.2, 85.7),
        "mlp": (83.5, 67.7),
    },
    "digits": {
        "logistic": (72.9, 56.6),
        "tree": (100.0, 100.0),
        "svm": (72.3, 62.0),
        "forest": (89.9, 84.5),
        "mlp": (62.5, 59.0),
    },
}
YEOM: Final = {"Eyedata": (64.80, 97.54), "IWPC": (68.83, 95.98)}
"""Table 4: the reduction to membership inference, and Algorithm 3.2."""
LABELS: Final = {
    "logistic": {"iris": 92.9, "wine": 97.3, "breast-cancer": 86.6},
    "neighbours": {"iris": 93.7, "wine": 90.1, "breast-cancer": 77.8},
}
"""Table 5."""
KNOWN_INSTANCE: Final = {"lambda": 30.0, "models": 2859.7, "adversary": 829.8, "left": 28.0}
"""Table 6, Diabetes."""
SENTENCES: Final[dict[str, tuple[float | None, float]]] = {
    "unigram": (None, 93.76),
    "bigram": (62.0, 99.72),
    "trigram": (97.3, 99.9),
}
"""Table 7: sentences wholly right, and F1."""
PICTURES: Final = {"made": 40.0, "label": 35.0, "label_without": 1.0}
"""Figure 3: of 100 pictures, those rebuilt; those to which h gives the right label, with and without the deletion."""
