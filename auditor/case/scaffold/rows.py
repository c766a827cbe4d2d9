"""Which calls of pandas and NumPy work on each row by itself, which look across rows, and what to do about those that do.

Only what is listed counts as working row by row: a method that nobody knows may look across rows.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from auditor.case.scaffold.syntax import words


@dataclass(frozen=True, slots=True)
class Fault:
    """Why a statement cannot be carried over."""

    why: str
    do: str
    """What to do about it, or what to write in its place."""

    @property
    def expected(self) -> str:
        """What to do, as what was expected."""
        return asked(self.do)


def asked(do: str) -> str:
    """Say what was expected of a line, where that is said as what to do."""
    return f"a change: {do}" if re.match(_IMPERATIVE, do) else do


_IMPERATIVE: Final = re.compile(
    r"(?:assign|choose|do|draw|drop|encode|fit|give|have|import|lay|learn|leave|let|loop|make|move|name|put|return|set|split"
    r"|take|use|write) "
)
_PIPELINE: Final = (
    "make it a step of the model, so that every training learns it from its own rows: fit make_pipeline(step, model) "
    "instead of the model, where step is {step}"
)
STATISTIC: Final = Fault(
    "a figure of all rows, computed outside the model: when the model is trained again, what deleted rows contributed to it "
    "would stay, and for a prediction it would come out differently",
    _PIPELINE.format(step="SimpleImputer, StandardScaler, TargetEncoder or a class of your own with fit and transform"),
)
FITTED: Final = Fault(
    "a step that is fitted outside the model, whose result fit gets", _PIPELINE.format(step="the scaler, encoder or selector")
)
DUMMIES: Final = Fault(
    "columns that depend on which values occur",
    "encode within the model: OneHotEncoder(handle_unknown='ignore') in a ColumnTransformer, in a pipeline with the model",
)
CODES: Final = Fault(
    "codes that depend on which values occur",
    "encode within the model: OrdinalEncoder(handle_unknown='use_encoded_value', unknown_value=-1) in a pipeline",
)
JOIN: Final = Fault(
    "joins another table, which the audit would not have",
    "write the joined table to a file, let the script read it, and name it as --data",
)
SECOND: Final = Fault("reads a second file, which the audit would not have", JOIN.do)
ELSEWHERE: Final = Fault(
    "reads the table by a function of another file, which is not followed",
    "pd.read_csv in the script itself, with what that function does; or write what it gives to a file, and read and name that",
)
ADDED: Final = Fault(
    "adds, repeats or regroups rows, so that no row is a record's", "do so before: write the table to a file and read that"
)
POSITION: Final = Fault(
    "chooses rows by their position, which changes with each deletion", "choose rows by what they hold, or by train_test_split"
)
UNKNOWN: Final = Fault(
    "not known to work on each row by itself",
    "use pandas or NumPy column by column, or move it into a pipeline as a FunctionTransformer",
)
ABSENT: Final = Fault("names a column that the table does not have", "the table that the script reads as --data")
LABEL: Final = Fault(
    "a feature that is made from the label, which no prediction has",
    "leave it out, or let a step of the model learn it: make_pipeline(TargetEncoder(), model)",
)
CLOCK: Final = Fault("depends on when it runs", "name the date: pd.Timestamp('2026-01-31')")
PROCESS: Final = Fault(
    "differs from one process to the next", "take the number from hashlib: int(hashlib.sha256(text.encode()).hexdigest(), 16)"
)
RANDOM: Final = Fault("draws random numbers of its own", "take it out, or draw within an estimator that has random_state")
OUTSIDE: Final = Fault(
    "depends on how the script is called",
    "write the value that trained your model into the script, in place of what asks for it: TREES = 200",
)
SETTINGS: Final = Fault(
    "reads a file, which the case would not have", "write what it holds into the script: settings = {'trees': 200}"
)
FOLDS: Final = Fault("fits on folds of the rows", "fit one model on all of them, and name it: --from FILE:NAME")
LOOP: Final = Fault("made in a loop that is not followed", "write the statements out, or loop over a list of names")
CONDITION: Final = Fault(
    "depends on a condition that is decided when the script runs", "leave the branch that is in use, without the condition"
)
ATTEMPT: Final = Fault(
    "made in a try or a class, which is not followed", "write the statements at the top of the file or in a function"
)
MODEL: Final = Fault("made with a fitted model", "put both into one estimator, such as a Pipeline or StackingClassifier")
SPLIT: Final = Fault("a way to split that is not known", "split by train_test_split(X, y, random_state=…)")
ORDER: Final = Fault("changes the order of rows", "leave it out, or let train_test_split shuffle")
DRAWN: Final = Fault(
    "draws which rows are learned, or their order, which changes with each deletion",
    "leave it out: choose rows by what they hold, and let train_test_split shuffle",
)
AFTER: Final = Fault(
    "changes the training rows after the split, and would be missing in predictions",
    "do it before the split, or within a pipeline",
)
WITHIN: Final = Fault(
    "leaves rows out within a function that is not followed, as it returns in several places",
    "leave rows out at the top, or return at its end alone",
)
MUTATED: Final = Fault("may change the table in a way that cannot be seen", "let the function return the table and assign it")
PERSON: Final = Fault(
    "takes a column that names people or records, which no procedure gets", "leave the column out of the features"
)

ROW_WISE: Final = words(
    "abs add applymap astype between clip combine_first convert_dtypes copy div divide eq fillna floordiv ge gt "
    "infer_objects isin isna isnull le lt map mask mod mul multiply ne notna notnull pow radd rdiv replace rename round "
    "rsub sub subtract squeeze to_frame to_numpy to_numeric truediv where ravel reshape flatten apply assign pipe filter "
    "select_dtypes get eval add_prefix add_suffix pop drop tolist to_list"
)
"""Methods of tables and columns that work on each row, given constants and columns of the same table; the rest are told apart."""
FILTERS: Final = words("dropna query")
STATISTICS: Final = words(
    "mean median mode std var sem min max sum prod quantile count nunique unique value_counts groupby rank corr cov "
    "describe agg aggregate cumsum cummax cummin cumprod cumcount diff pct_change shift rolling expanding ewm transform "
    "skew kurt idxmax idxmin argmax argmin bfill ffill pad backfill interpolate nlargest nsmallest corrwith autocorr all "
    "any memory_usage item size shape empty"
)
"""What looks across rows, unless it goes along them: axis=1."""
ADDING: Final = words("explode melt stack unstack pivot pivot_table append repeat crosstab resample T transpose")
JOINS: Final = words("merge join merge_asof merge_ordered")
ORDERS: Final = words("sort_values sort_index")
POSITIONS: Final = words("head tail sample take iloc iat truncate drop_duplicates duplicated")
INDEXES: Final = words("set_index reset_index")
LOOKS: Final = words("info hist plot boxplot to_csv to_parquet to_excel to_json to_string to_sql to_pickle to_markdown style")
"""Methods that write or draw and change nothing."""
ELEMENTWISE: Final = words(
    "log log1p log2 log10 exp expm1 sqrt cbrt square abs absolute sin cos tan arctan arctan2 tanh where select isnan "
    "isfinite isinf isna isnull notna notnull to_datetime to_numeric to_timedelta maximum minimum floor ceil rint round "
    "sign nan_to_num array asarray logical_and logical_or logical_not power clip hypot deg2rad radians float32 float64 "
    "int64 int32 column_stack hstack c_ add subtract multiply divide mod equal greater less invert isin ravel"
)
"""Functions of NumPy and pandas that work element by element."""
HARMLESS: Final = words(
    "builtins matplotlib seaborn plotly mlflow wandb logging joblib pickle json os pathlib shap sklearn pandas rich tqdm "
    "warnings pprint time datetime math collections IPython sys tabulate neptune comet_ml skops onnx skl2onnx csv shutil "
    "yaml tensorboard ydata_profiling random numpy gc statsmodels scipy category_encoders imblearn lightgbm xgboost "
    "catboost optuna argparse dotenv"
)
"""Packages whose functions leave a table as it is when they get it, NumPy's random ones aside."""
STORES: Final = words("json yaml toml tomllib tomli pickle joblib numpy np configparser omegaconf cloudpickle dill torch")
LOADS: Final = words("load safe_load full_load unsafe_load load_all loadtxt genfromtxt fromfile")
"""Functions of these packages that read a file of settings, numbers or objects."""
NUMBERED_ESTIMATORS: Final = words(
    "XGBClassifier XGBRegressor XGBRFClassifier XGBRFRegressor LGBMClassifier LGBMRegressor LogisticRegression "
    "LogisticRegressionCV RandomForestClassifier RandomForestRegressor ExtraTreesClassifier ExtraTreesRegressor "
    "GradientBoostingClassifier GradientBoostingRegressor HistGradientBoostingClassifier HistGradientBoostingRegressor "
    "DecisionTreeClassifier DecisionTreeRegressor SVC SVR LinearSVC LinearSVR KNeighborsClassifier KNeighborsRegressor "
    "GaussianNB MultinomialNB Ridge RidgeClassifier Lasso ElasticNet LinearRegression SGDClassifier SGDRegressor "
    "MLPClassifier MLPRegressor AdaBoostClassifier AdaBoostRegressor BaggingClassifier BaggingRegressor Perceptron"
)
"""Estimators that take numbers alone, the boosters also what pandas calls categories."""
CATEGORIES: Final = words(
    "XGBClassifier XGBRegressor LGBMClassifier LGBMRegressor HistGradientBoostingClassifier HistGradientBoostingRegressor"
)
"""Estimators that keep the categories of training and know them again in predictions."""
