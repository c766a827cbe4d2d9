"""Where a PyTorch script trains its network: read as a syntax tree, never run, and carried over statement by statement.

The script's own statements, from the reading of the table to the end of the training, become the training of a `TrainingLoop`, in
their order, with the table handed over in place of the one that they read. So splits, seeds, schedules, augmentation and early
stopping stay what they are. Predictions need the way from a row to the network by itself: it is followed back from the tensors
that the training takes, and has to treat each row on its own. What is left out is listed with its line and the reason; where that
would change what is learned, or cannot be told, nothing is written.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Final

from auditor.base.domain import Problem
from auditor.base.errors import InputError
from auditor.case.scaffold import build_files, syntax, torch_loops
from auditor.case.scaffold.roles import Task
from auditor.case.scaffold.syntax import words
from auditor.case.scaffold.tables import Table
from auditor.case.scaffold.torch_loops import GIVEN, Arrays, Frame, Loss, Written
from auditor.settings.values import show

SEEDED: Final = "every training starts from the script's own seed, as the script does"
PAGE: Final = "docs/networks.md#a-training-loop-of-your-own"
_BY_HAND: Final = f"or write the loop by hand, as {PAGE} shows"
_STARTS: Final = (
    "weights that this training makes itself: put those that it starts from into a folder of [data] inputs, as "
    f"docs/networks.md#a-fine-tuned-model shows, {_BY_HAND}"
)

_AMOUNTS: Final = (
    "amounts as the table has them, since predictions are compared with those: leave the scaling out, or have forward of the "
    f"module return `outputs * SCALE + CENTRE`, round numbers at the top that are worked out from no record, {_BY_HAND}"
)

_READS: Final = re.compile(
    r"read_\w+|open|load|loadtxt|genfromtxt|fetch_\w+|connect|urlopen|load_dataset|load_file|load_url|load_state_dict_from_url|imread"
    r"|load_(?:digits|iris|wine|breast_cancer|diabetes)|ImageFolder|scandir|listdir|glob|rglob|read_text|read_bytes"
)
_TABLE: Final = {"read_csv", "read_parquet", "read_table", "load"}
_KEYWORDS: Final = {"sep", "delimiter", "encoding", "engine", "low_memory", "columns", "allow_pickle"}
_WRITES: Final = re.compile(
    r"save|save_file|save_model|save_pretrained|savez?\w*|savefig|dump|to_csv|to_parquet|to_json|to_excel|makedirs|mkdir|write_text"
    r"|write_bytes|writerow|writerows|show|plot|figure|legend|xlabel|ylabel|title|tight_layout|add_scalar|add_scalars|add_figure"
    r"|log_metric|log_metrics|log_param|log_params|log_artifact|log_model|start_run|end_run|finish|set_description|set_postfix"
)
_TELLS: Final = {"wandb", "mlflow", "neptune", "comet_ml", "matplotlib", "seaborn", "tensorboard", "tensorboardX", "plt", "sns"}
"""Libraries that show or send what happens, and change nothing of it."""
_FRAMEWORKS: Final = words(
    "lightning pytorch_lightning accelerate ignite fastai deepspeed horovod composer catalyst keras tensorflow jax "
    "flax skorch ray"
)
_RANDOM: Final = re.compile(
    r"rand\w*|normal_?|uniform_?|bernoulli_?|multinomial|choice|choices|sample|gauss|permutation|shuffle|random|Random\w+"
    r"|(?:Color)?Jitter|AutoAugment|RandAugment|TrivialAugmentWide|AugMix|Gaussian(?:Blur|Noise)|MixUp|CutMix|beta|dropout\w*"
)
_OPTIMISERS: Final = re.compile(r"SGD|Adam\w*|NAdam|RAdam|RMSprop|Adagrad|Adadelta|Adamax|ASGD|LBFGS|Rprop|Muon|Adafactor")
_LOSSES: Final[Mapping[str, Loss]] = {
    **dict.fromkeys(("CrossEntropyLoss", "cross_entropy"), "logits"),
    **dict.fromkeys(("NLLLoss", "nll_loss"), "log-probabilities"),
    **dict.fromkeys(("BCEWithLogitsLoss", "binary_cross_entropy_with_logits"), "logit"),
    **dict.fromkeys(("BCELoss", "binary_cross_entropy"), "probability"),
    **dict.fromkeys(
        ("MSELoss", "mse_loss", "L1Loss", "l1_loss", "SmoothL1Loss", "smooth_l1_loss", "HuberLoss", "huber_loss"), "amount"
    ),
}
_ROW_WISE: Final = words(
    "drop astype to_numpy copy tensor as_tensor from_numpy Tensor FloatTensor LongTensor array asarray reshape view "
    "unsqueeze squeeze permute transpose float double long to contiguous div mul add sub clip clamp log log1p exp "
    "sqrt abs len int list ascontiguousarray float32 float64 int64 uint8 flatten rename pop fillna replace type "
    "device"
)
"""Functions of a table or tensor whose result for a row depends on that row alone."""
_AS_THEY_ARE: Final = words(
    "astype to_numpy copy tensor as_tensor from_numpy Tensor FloatTensor LongTensor array asarray reshape view "
    "unsqueeze squeeze float double long to contiguous pop len int type ravel flatten device"
)
"""Those that leave labels what they are."""
_RECODES: Final = words("replace map applymap apply assign where mask transform eval update")
"""Methods of a table that may give labels other names."""
_ENCODES: Final = {"LabelEncoder", "fit_transform", "OrdinalEncoder"}
_SAME: Final = {"to", "float", "contiguous", "requires_grad_", "type", "cpu"}
_MUTATES: Final = re.compile(r"load_state_dict|update_bn|copy_|prune\w*|quantize\w*|swap_parameters|merge_\w+|fuse_\w+|data_")
_IN_PLACE: Final = re.compile(r"[a-z]\w*[a-z0-9]_|vector_to_parameters")
"""PyTorch's names of what changes a tensor where it is."""
_MOVES: Final = words("eval train pop rand randn randint randperm normal shuffle choice permutation step half")
_ASKS: Final = words(
    "state_dict eval train parameters named_parameters buffers named_buffers modules named_modules children named_children "
    "numel item items keys values to cpu size dim argmax softmax detach numpy sum mean tolist norm forward shape max round"
)
"""What a network may be asked after its training."""
_TAKES: Final = words(
    "print save dump export len list sum max min next iter isinstance type str repr sorted enumerate zip softmax argmax numel "
    "item eq accuracy_score f1_score roc_auc_score log_loss mean_squared_error format log info debug round float int deepcopy "
    "range tuple"
)
"""Functions that a network, or what it says, may be given after its training."""
_PLAIN: Final = words("device Path range tuple list dict set int float str is_available min max len sorted join abs round bool")
"""Calls that make a constant of constants."""

_REFUSED: Final[Sequence[tuple[re.Pattern[str], str]]] = (
    (re.compile(r"(?:.*\.)?(?:from_pretrained|hub\.load\w*|load_state_dict_from_url|load_url|\w+_download)"), _STARTS),
    (
        re.compile(r"(?:.*\.)?(?:DistributedDataParallel|DataParallel|FullyShardedDataParallel|init_process_group|spawn)"),
        f"a training in one process: take the distribution out, {_BY_HAND}",
    ),
    (re.compile(r"(?:.*\.)?(?:GradScaler|autocast)"), f"a training in full precision: take AMP out, {_BY_HAND}"),
    (re.compile(r"(?:.*\.)?(?:Trainer|LightningModule|LightningDataModule|Accelerator)"), f"a loop in plain PyTorch, {_BY_HAND}"),
    (
        re.compile(r"(?:.*\.)?(?:parse_args|parse_known_args|getenv)|input"),
        "settings as constants at the top of the file: those that trained your model",
    ),
    (re.compile(r".+\.cuda"), "`.to(device)` in place of `.cuda()`"),
    (re.compile(r"exec|eval|globals|locals|compile|__import__"), "statements that can be read"),
    (re.compile(r"torch\.compile"), "the module itself: leave torch.compile out, which changes no weight"),
)


@dataclass(frozen=True, slots=True)
class Script:
    """What a script trains with, and how its loop is written once the columns are known."""

    entry: str
    """`file.py:class`."""
    task: Task
    label: str | None
    """The column of labels; None where it is no table."""
    dropped: tuple[str, ...]
    said: tuple[str, ...]
    """What became of each statement, a line each, and what was found."""
    write: Callable[[Table, str, str, Sequence[str]], dict[str, bytes]]
    """`(table, id, label, features) -> files`; raises InputError where labels are not such as the loss takes."""


def trains(source: bytes) -> bool:
    """Whether a file trains a network: it imports PyTorch and calls `backward`, or a framework's trainer around PyTorch."""
    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    imported = {each.partition(".")[0] for each in syntax.imported(tree)}
    called = {syntax.callee(each) for each in ast.walk(tree) if isinstance(each, ast.Call)}
    return "torch" in imported and bool(called & {"backward"} or imported & _FRAMEWORKS or called & {"Trainer"})


def read(path: Path, source: bytes, data: str) -> Script:
    """Read a script.

    Args:
        path: Where it lies.
        source: What is in it.
        data: The name of the table that it is to be trained on.

    Raises:
        InputError: With every line that cannot be carried over, and what to do.
    """
    return _Reader(path, source.decode("utf-8-sig", "replace"), data).script()


@dataclass
class _Reader:
    path: Path
    text: str
    data: str
    problems: list[Problem] = field(default_factory=list)
    left: dict[int, str] = field(default_factory=dict)
    """Why a line was not carried over."""
    drawn: set[int] = field(default_factory=set)
    """Lines at which a batch is changed at random."""
    _label_name: str | None = None

    def script(self) -> Script:
        """Read everything."""
        self._arrange()
        self._refuse()
        loss = self._loss()
        model, build = self._model()
        root = self._root()
        label, encoded = self._labels(loss)
        inputs = [] if root is None else self._inputs(root, label)
        self._stop_at_problems()
        table = self._table_call
        written = Written(
            script=self.path.name,
            head=[self._source(each) for each in self.head],
            training=[self._source(each) for each in self.run],
            inputs=inputs,
            root=root or "",
            model=model,
            build=build,
            loss=loss,
        )
        files = build_files.alongside("\n".join(written.head).encode(), self.path)
        is_arrays = syntax.callee(table) == "load"
        name = "loop.py" if "loop.py" not in files else "auditor_loop.py"
        write = partial(_write, written, {name: b"", **files}, encoded, self.path.name, is_arrays)
        task: Task = "regression" if loss == "amount" else "classification"
        return Script(f"{name}:Loop", task, label, tuple(self._dropped()), tuple(self._said()), write)

    # What is where.

    def _arrange(self) -> None:
        """Sort the statements: those at the top of the new file, those of the training, and those that are left out.

        Raises:
            InputError: If there is no training, or not one table.
        """
        self._leave_out_writers()
        body = list(self._flattened(ast.parse(self.text)))
        self.definitions = {each.name: each for each in body if isinstance(each, ast.FunctionDef | ast.ClassDef)}
        imports = [each for each in body if isinstance(each, ast.Import | ast.ImportFrom)]
        others = [each for each in body if not isinstance(each, ast.Import | ast.ImportFrom | ast.FunctionDef | ast.ClassDef)]
        last = max((at for at, each in enumerate(others) if self._calls(each, {"backward"})), default=None)
        if last is None:
            expected = f"a loop at the top of the file or in main() that calls backward(), {_BY_HAND}"
            self.problems.append(Problem(self.path.name, "--from", expected, self._frameworks() or "none"))
            raise InputError(self.problems)
        self.loop = others[last]
        names = self._bound(imports)
        constants, run = [], []
        once = [name for each in others for name in syntax.stores(each)]
        for each in others:
            plain = isinstance(each, ast.Assign | ast.AnnAssign) and all(map(syntax.is_names, syntax.targets(each)))
            if plain and all(once.count(name) == 1 for name in syntax.stores(each)) and self._is_constant(each, names):
                constants.append(each)
                names |= set(syntax.stores(each))
            else:
                run.append(each)
        self.constants = names
        before = [each for each in run if each.lineno <= self.loop.lineno]
        self.run = [*before, *self._afterwards([each for each in run if each.lineno > self.loop.lineno])]
        self._take_table()
        needed = self._reached([*self.run, *constants])
        for name, each in self.definitions.items():
            if name not in needed:
                self._leave(each, "nothing of the training calls it")
        run_names = {name for each in self.run for name in syntax.stores(each)} | {GIVEN}
        nested = self._nested(needed, run_names)
        taken = [each for name, each in self.definitions.items() if name in needed]
        self.nested = {each.name for each in nested}
        at_top = [*imports, *constants, *(each for each in taken if each not in nested)]
        self.head = sorted((each for each in at_top if each.lineno not in self.left), key=lambda each: each.lineno)
        self.run = sorted([*self.run, *nested], key=lambda each: each.lineno)
        self.before = [each for each in self.run if each.lineno < self.loop.lineno and not isinstance(each, ast.FunctionDef)]

    def _flattened(self, tree: ast.Module) -> Iterator[ast.stmt]:
        """The statements of the file, with those under `if __name__ == "__main__":` and of a `main()` without arguments."""
        mains = {each.name: each for each in tree.body if isinstance(each, ast.FunctionDef) and not ast.unparse(each.args)}
        called = {name: at for each in tree.body for at in self._inner(each) if (name := syntax.called_alone(at)) in mains}
        for each in tree.body:
            if isinstance(each, ast.FunctionDef) and each.name in called:
                continue
            for inner in self._inner(each):
                main = mains.get(syntax.called_alone(inner) or "")
                for one in [inner] if main is None else main.body:
                    if isinstance(one, ast.Return) or (isinstance(one, ast.Expr) and isinstance(one.value, ast.Constant)):
                        continue
                    yield one

    def _inner(self, statement: ast.stmt) -> list[ast.stmt]:
        return statement.body if isinstance(statement, ast.If) and "__name__" in syntax.loads(statement.test) else [statement]

    def _leave_out_writers(self) -> None:
        """Put `pass` in the place of each statement that only writes, shows or sends something."""
        tree = ast.parse(self.text)
        telling = set(_TELLS)
        for each in ast.walk(tree):
            if isinstance(each, ast.Import | ast.ImportFrom):
                module = each.module if isinstance(each, ast.ImportFrom) else None
                for alias in each.names:
                    if (module or alias.name).split(".")[0] in _TELLS or "tensorboard" in (module or alias.name):
                        telling.add((alias.asname or alias.name).partition(".")[0])
                        self._leave(each, "it shows or sends, and changes nothing")
            elif isinstance(each, ast.Assign) and isinstance(each.value, ast.Call) and syntax.first(each.value) in telling:
                telling |= set(syntax.stores(each))
        found = [each for each in ast.walk(tree) if isinstance(each, ast.stmt) and self._only_writes(each, telling)]
        inside = {id(inner) for each in found for inner in ast.walk(each) if inner is not each}
        lines = self.text.encode().splitlines(keepends=True)
        for each in sorted((one for one in found if id(one) not in inside), key=lambda one: one.lineno, reverse=True):
            self._refuse_moved(each)
            self._leave(each, "it writes, shows or sends, and changes nothing of the training")
            first, last = each.lineno - 1, (each.end_lineno or each.lineno) - 1
            rest = lines[last][each.end_col_offset :]
            lines[first] = lines[first][: each.col_offset] + b"pass" + (rest if first == last else b"\n")
            for at in range(first + 1, last + 1):
                lines[at] = b"\n" if at < last else (rest if rest.strip() else b"\n")
        self.text = b"".join(lines).decode()

    def _refuse_moved(self, statement: ast.stmt) -> None:
        """Refuse a statement that is left out as it only shows or sends, where something in it does more."""
        for call in (each for each in ast.walk(statement) if isinstance(each, ast.Call)):
            name = syntax.callee(call)
            if name in {"load_model", "load_checkpoint"} or (name == "watch" and isinstance(statement, ast.Assign)):
                self._problem(call, _STARTS, syntax.dotted(call))
            elif name in _MOVES or _IN_PLACE.fullmatch(name):
                self._problem(call, "a statement that only shows or writes what is there", f"{name} within it")

    def _only_writes(self, statement: ast.stmt, telling: set[str]) -> bool:
        if isinstance(statement, ast.With):
            opened = any(
                syntax.callee(each.context_expr) == "open"
                and isinstance(each.context_expr, ast.Call)
                and any(isinstance(a, ast.Constant) and set(str(a.value)) & set("wax") for a in each.context_expr.args[1:])
                for each in statement.items
            )
            return opened and all(isinstance(each, ast.Expr) for each in statement.body)
        if isinstance(statement, ast.Assign) and isinstance(statement.value, ast.Call):
            return syntax.first(statement.value) in telling
        if not isinstance(statement, ast.Expr) or not isinstance(statement.value, ast.Call):
            return False
        call = statement.value
        # What a function of the script does nobody knows by its name, and what is told may be what a step returns.
        own = {each.name for each in ast.walk(ast.parse(self.text)) if isinstance(each, ast.FunctionDef | ast.ClassDef)}
        if any(syntax.callee(one) in own | {"backward", "step", "train", "load_state_dict"} for one in syntax.calls_in(call)):
            return False
        return syntax.first(call) in telling or bool(_WRITES.fullmatch(syntax.callee(call)))

    def _afterwards(self, statements: list[ast.stmt]) -> list[ast.stmt]:
        """What follows on the training: carried over where it can still change the network."""
        kept, evaluates = [], False
        for each in statements:
            evaluates = evaluates or self._calls(each, {"eval"})
            changes = any(_MUTATES.fullmatch(syntax.callee(one)) for one in self._all_calls(each))
            calls_model = any(isinstance(one.func, ast.Name) and one.func.id in self._modules() for one in self._all_calls(each))
            if changes or (calls_model and not evaluates) or set(syntax.stores(each)) & self._modules():
                kept.append(each)
            elif not isinstance(each, ast.Pass):
                self._leave(each, "it follows on the training, and the network stays what it is")
        return kept

    def _take_table(self) -> None:
        """Find the one call that reads the table, and put what is handed over in its place.

        Raises:
            InputError: If there is none.
        """
        carried = [*self.run, *(self.definitions[name] for name in self._reached(self.run))]
        calls = [
            call
            for each in carried
            for call in syntax.calls_in(each)
            if _READS.fullmatch(syntax.callee(call)) and not syntax.dotted(call).startswith("importlib")
        ]
        calls = list({(call.lineno, call.col_offset): call for call in calls}.values())
        tables = [
            each
            for each in calls
            if syntax.callee(each) in _TABLE and syntax.first(each) not in {"torch", "json", "pickle", "joblib"}
        ]
        named = [each for each in tables if any(self.data in text for text in syntax.texts(each))]
        chosen = named or tables
        if not chosen:
            expected = f"a table that pandas or NumPy reads, as pd.read_csv({self.data!r}), {_BY_HAND}"
            self.problems.append(Problem(self.path.name, "--from", expected, "none"))
        for each in calls:
            if each is not (chosen[0] if chosen else None):
                expected = f"no other file than the table of --data, {_BY_HAND}, with the file in a folder of [data] inputs"
                if not self._refuse_call(each):
                    self._problem(each, expected, f"{syntax.dotted(each)}, which reads one")
        if not chosen:
            self._stop_at_problems()
        (call, *_) = chosen
        self._table_call = call
        for keyword in call.keywords:
            if keyword.arg not in _KEYWORDS:
                self._problem(call, "the table as pandas reads it by itself: write it as you use it", f"{keyword.arg}=…")
        self._read_by = f"line {call.lineno}: {ast.unparse(call)}: the table of --data is handed over in its place"
        _Replace(call, GIVEN).everywhere([*self.run, *self.definitions.values()])

    # What refuses a script.

    def _refuse(self) -> None:
        for each in [*self.head, *self.run]:
            for call in syntax.calls_in(each):
                self._refuse_call(call)
                self._refuse_fixed_lengths(call)
            for node in ast.walk(each):
                if isinstance(node, ast.Global):
                    self._problem(node, "functions that are given what they use", "global")
                elif isinstance(node, ast.ClassDef) and self._is_dataset(node):
                    expected = (
                        "a TensorDataset of two names, such as inputs = torch.tensor(X); labels = torch.tensor(y); "
                        f"TensorDataset(inputs, labels), with augmentation applied to a batch in the loop, {_BY_HAND}"
                    )
                    self._problem(node, expected, f"a Dataset of its own, {node.name}")
        self._refuse_unseen()
        for each in self.run:
            long = [node for node in ast.walk(each) if isinstance(node, ast.Constant) and node.end_lineno != node.lineno]
            if long and not isinstance(each, ast.FunctionDef | ast.ClassDef):
                self._problem(long[0], "a text of one line, or a constant at the top", "one of several")
        if found := self._frameworks():
            self.problems.append(Problem(self.path.name, "--from", f"a loop in plain PyTorch, {_BY_HAND}", found))

    def _is_dataset(self, defined: ast.ClassDef) -> bool:
        return any(syntax.last(base) == "Dataset" for base in defined.bases)

    def _refuse_unseen(self) -> None:
        """Refuse what changes network or rows where nothing is followed: after the loop, by another name, while it is shown."""
        tree, modules = ast.parse(self.text), self._modules()
        aliases = {
            target.id
            for node in ast.walk(tree)
            if isinstance(node, ast.Assign) and isinstance(node.value, ast.Name)
            for target in node.targets
            if isinstance(target, ast.Name)
        }
        for call in (each for each in ast.walk(tree) if isinstance(each, ast.Call)):
            name = syntax.callee(call)
            if any(each.arg == "collate_fn" for each in call.keywords):
                self._problem(call, f"rows as the tensors have them, changed before the loop or in it, {_BY_HAND}", "collate_fn")
            elif _IN_PLACE.fullmatch(name) and syntax.loads(call.func) & aliases:
                self._problem(
                    call, "a change of the tensor by the name that it is used by", f"{syntax.dotted(call)}, by another name"
                )
            elif syntax.dotted(call) in {"os.environ.get", "environ.get"}:
                self._problem(call, "settings as constants at the top of the file: those that trained your model", "os.environ")
        for each in (one for one in tree.body if one.lineno > (self.loop.end_lineno or self.loop.lineno)):
            if (why := self._changes_afterwards(each, set(modules))) is not None:
                self._problem(each, f"a network that stays what the loop made of it, {_BY_HAND}", why)

    def _changes_afterwards(self, statement: ast.stmt, modules: set[str]) -> str | None:
        """What a statement after the loop may do to the network; None where it only asks it."""
        for node in ast.walk(statement):
            if isinstance(node, ast.For) and syntax.loads(node.iter) & modules:
                modules = modules | {each.id for each in ast.walk(node.target) if isinstance(each, ast.Name)}
            if isinstance(node, ast.Assign | ast.AugAssign):
                targets = node.targets if isinstance(node, ast.Assign) else [node.target]
                if any(isinstance(each, ast.Attribute | ast.Subscript) and syntax.loads(each) & modules for each in targets):
                    return ast.unparse(targets[0])
            if not isinstance(node, ast.Call) or _MUTATES.fullmatch(syntax.callee(node)):
                continue
            asked = syntax.loads(node.func) & modules if isinstance(node.func, ast.Attribute) else set()
            given = any(syntax.loads(each) & modules for each in (*node.args, *(one.value for one in node.keywords)))
            name = syntax.callee(node)
            if (asked and name not in _ASKS) or ((asked or given) and _IN_PLACE.fullmatch(name)):
                return name
            if given and not asked and name not in _TAKES and name not in modules and not self._only_asks(name):
                return name
        return None

    def _only_asks(self, name: str) -> bool:
        """Whether a function of the script's own changes nothing of a network that it is given."""
        defined = self.definitions.get(name)
        if not isinstance(defined, ast.FunctionDef):
            return False
        for node in ast.walk(defined):
            if isinstance(node, ast.Call) and (
                _IN_PLACE.fullmatch(syntax.callee(node)) or syntax.callee(node) in {"step", "backward"}
            ):
                return False
            if isinstance(node, ast.Assign | ast.AugAssign):
                targets = node.targets if isinstance(node, ast.Assign) else [node.target]
                if any(isinstance(each, ast.Attribute) for each in targets):
                    return False
        return True

    def _refuse_call(self, call: ast.Call) -> bool:
        dotted = syntax.dotted(call)
        for pattern, expected in _REFUSED:
            if pattern.fullmatch(dotted):
                self._problem(call, expected, dotted)
                return True
        for keyword in call.keywords:
            taken = not (isinstance(keyword.value, ast.Constant) and not keyword.value.value)
            if taken and (keyword.arg == "pretrained" or (keyword.arg == "weights" and "model" in dotted)):
                self._problem(call, _STARTS, f"{dotted}({keyword.arg}=…)")
                return True
        return False

    def _refuse_fixed_lengths(self, call: ast.Call) -> None:
        """Refuse a split whose lengths add up to the rows of the table as it is: the audit trains on fewer."""
        lengths = [*call.args[1:2], *(each.value for each in call.keywords if each.arg == "lengths")]
        if syntax.callee(call) != "random_split" or not lengths or syntax.loads(lengths[0]) & self._run_names():
            return
        parts = [self._constant(each) for each in getattr(lengths[0], "elts", lengths)]
        if not all(isinstance(each, ast.Constant) and isinstance(each.value, float) for each in parts):
            expected = (
                "lengths as fractions, such as [0.8, 0.2], or worked out from len() of the dataset: the audit trains without the "
                "deleted records, and fixed lengths no longer add up to the rows that are left. Train your model so as well"
            )
            self._problem(call, expected, ast.unparse(lengths[0]))

    def _constant(self, value: ast.expr) -> ast.expr:
        """What a name of a constant stands for."""
        named = self._statements_of(value.id) if isinstance(value, ast.Name) else []
        return named[0].value if len(named) == 1 else value

    def _frameworks(self) -> str:
        tree = ast.parse(self.text)
        return ", ".join(sorted({each.partition(".")[0] for each in syntax.imported(tree)} & _FRAMEWORKS))

    def _problem(self, node: ast.stmt | ast.expr, expected: str, found: str) -> None:
        problem = Problem(self.path.name, f"line {node.lineno}", expected, show(found))
        if problem not in self.problems:
            self.problems.append(problem)

    def _stop_at_problems(self) -> None:
        if self.problems:
            raise InputError(sorted(self.problems, key=lambda each: int(re.sub(r"\D", "", each.where) or 0)))

    # What is learned.

    def _loss(self) -> Loss:
        found = {
            _LOSSES[syntax.callee(call)]
            for each in [*self.head, *self.run]
            for call in syntax.calls_in(each)
            if syntax.callee(call) in _LOSSES
        }
        if len(found) != 1:
            expected = f"one of PyTorch's losses for classes or for amounts, {_BY_HAND}"
            self._problem(self.loop, expected, f"{len(found)}: {', '.join(sorted(found))}" if found else "none of them")
            return "logits"
        return found.pop()

    def _modules(self) -> set[str]:
        """Names that optimisers take the parameters of."""
        found = set()
        for node in ast.walk(ast.parse(self.text)):
            if isinstance(node, ast.Call) and _OPTIMISERS.fullmatch(syntax.callee(node)):
                for inner in ast.walk(node):
                    if (
                        isinstance(inner, ast.Call)
                        and syntax.callee(inner) in {"parameters", "named_parameters"}
                        and syntax.first(inner)
                    ):
                        found.add(syntax.first(inner))
        return found

    def _model(self) -> tuple[str, str]:
        """The name of the network, and what makes it."""
        names = self._modules() & {name for each in self.before for name in syntax.stores(each)}
        made = [each for each in self.before if isinstance(each, ast.Assign) and len(set(syntax.stores(each)) & names) == 1]
        if len(names) != 1 or not made:
            found = f"{len(names)}: {', '.join(sorted(names))}" if names else "none"
            self._problem(self.loop, f"one network, assigned to a name at the top of the file or in main(), {_BY_HAND}", found)
            return "", ""
        first = made[0]
        value: ast.expr = first.value
        while (
            isinstance(value, ast.Call) and isinstance(value.func, ast.Attribute) and value.func.attr in {"to", "train", "float"}
        ):
            value = value.func.value
        unknown = sorted(name for name in syntax.loads(value) if name in self._run_names() or name in self.nested)
        if unknown:
            expected = "a network that is made of constants alone: write the numbers, such as Net(64, 10)"
            self._problem(first, expected, f"{ast.unparse(value)}, with {', '.join(unknown)}")
        (name,) = names
        moved = {f"{name}.{method}" for method in ("to", "train", "eval", "float", "apply")}
        again = [
            each
            for each in self.before
            if each is not first
            and (name in syntax.stores(each) or name in syntax.changed_by(each))
            and not (isinstance(each, ast.Assign) and isinstance(each.value, ast.Call) and syntax.dotted(each.value) in moved)
        ]
        if again:
            expected = "a network that is whole once it is made: put what changes its layers into its class"
            self._problem(again[0], expected, ast.unparse(again[0]).splitlines()[0])
        return name, ast.unparse(value)

    def _run_names(self) -> set[str]:
        return {name for each in self.run for name in syntax.stores(each)}

    def _inputs(self, root: str, label: str | None) -> list[str]:
        """The statements that make the tensor that the training takes of a table."""
        self._examine_batches()
        return self._way_back(root, label)

    def _root(self) -> str | None:
        """The name of that tensor; None where there is a problem with it."""
        own = {name for name, each in self.definitions.items() if isinstance(each, ast.ClassDef) and self._is_dataset(each)}
        calls = [call for each in [*self.before, self.loop] for call in syntax.calls_in(each) if call.args]
        # One of the script's own is refused where it is defined: here it says what else would be refused.
        datasets = [each for each in calls if syntax.callee(each) in {"TensorDataset", *own}]
        firsts = [call.args[0] for call in datasets]
        if firsts and isinstance(firsts[0], ast.Name):
            self._label_name = syntax.name_of(datasets[0].args[1]) if len(datasets[0].args) > 1 else None
            return firsts[0].id
        found = {
            name for call in self._training_calls() for arg in call.args[:1] for name in syntax.loads(arg) & self._run_names()
        }
        tensors = sorted(name for name in found if self._assigned(name))
        if not firsts and len(tensors) == 1:
            self._label_name = None
            return tensors[0]
        if datasets:
            expected = (
                "names in a TensorDataset, such as inputs = torch.tensor(X); labels = torch.tensor(y); "
                f"TensorDataset(inputs, labels), {_BY_HAND}"
            )
            self._problem(datasets[0], expected, ast.unparse(datasets[0]))
            label = datasets[0].args[1] if len(datasets[0].args) > 1 else None
            self._label_name = None if label is None else next(iter(sorted(syntax.loads(label) & self._run_names())), None)
            return next(iter(sorted(syntax.loads(firsts[0]) & self._run_names())), None)
        if not own:
            expected = f"TensorDataset(inputs, labels) of two names, or one tensor that the loop takes rows of, {_BY_HAND}"
            fed = f"{len(tensors)} that it may be: {', '.join(tensors)}" if tensors else self._fed()
            self._problem(self.loop, expected, fed)
        return None

    def _fed(self) -> str:
        """What the network is called with, where none of it is a tensor of the script's."""
        calls = [ast.unparse(each) for each in self._training_calls()]
        return f"{calls[0]}, of neither" if calls else "no call of the network in the loop"

    def _assigned(self, name: str) -> list[ast.stmt]:
        return [each for each in self.before if name in syntax.stores(each)]

    def _training_calls(self) -> list[ast.Call]:
        """Calls of the network in what calls backward."""
        names = self._modules()
        where = [self.loop, *(each for each in self.definitions.values() if self._calls(each, {"backward"}))]
        return [
            call
            for each in where
            for call in syntax.calls_in(each)
            if isinstance(call.func, ast.Name) and call.func.id in names and not self._is_evaluation(each, call)
        ]

    def _is_evaluation(self, around: ast.stmt, call: ast.Call) -> bool:
        without = {"no_grad", "inference_mode"}
        blocks = (node for node in ast.walk(around) if isinstance(node, ast.With))
        spared = (node for node in blocks if any(syntax.callee(each.context_expr) in without for each in node.items))
        return any(inner is call for node in spared for inner in ast.walk(node))

    def _examine_batches(self) -> None:
        """Refuse what a batch goes through on its way to the network, but for what is drawn at random."""
        names = {name for call in self._training_calls() for arg in call.args for name in syntax.loads(arg)}
        for call in self._training_calls():
            for arg in call.args:
                self._examine_batch(arg)
        where = [self.loop, *(each for each in self.definitions.values() if self._calls(each, {"backward"}))]
        for each in where:
            for node in ast.walk(each):
                if isinstance(node, ast.Assign | ast.AugAssign) and set(syntax.stores(node)) & names:
                    evaluated = [one for one in syntax.calls_in(node) if self._is_evaluation(each, one)]
                    if not evaluated:
                        self._examine_batch(node.value, augmented=isinstance(node, ast.AugAssign))

    def _examine_batch(self, value: ast.expr, *, augmented: bool = False) -> None:
        calls = [one for one in syntax.calls_in(value) if syntax.callee(one) not in _SAME]
        if any(self._is_random(one) for one in calls) and syntax.is_drawn_around(value):
            self.drawn.add(value.lineno)
            return
        arithmetic = augmented or any(
            isinstance(node, ast.BinOp) for node in ast.walk(value) if not syntax.within_subscript(value, node)
        )
        if calls or arithmetic:
            expected = "a batch that goes into the network as it is: move this before the loop, or into forward of the module"
            self._problem(value, expected, ast.unparse(value))

    def _is_random(self, call: ast.Call) -> bool:
        if _RANDOM.fullmatch(syntax.callee(call)):
            return True
        waiting, seen = [syntax.first(call), syntax.callee(call)], set[str]()
        while waiting:
            name = waiting.pop()
            if name in seen:
                continue
            seen.add(name)
            where = [self.definitions[name]] if name in self.definitions else self._statements_of(name)
            for each in where:
                if any(_RANDOM.fullmatch(syntax.callee(one)) for one in syntax.calls_in(each)):
                    return True
                waiting += [*syntax.loads(each)]
        return False

    def _statements_of(self, name: str) -> list[ast.Assign]:
        return [each for each in [*self.head, *self.before] if isinstance(each, ast.Assign) and name in syntax.stores(each)]

    def _way_back(self, root: str, label: str | None) -> list[str]:
        """The statements that make a name of the table, in order; each row has to be treated on its own."""
        needed, kept, of_table = {root}, list[str](), self._of_table()
        own = f"the inputs of a row worked out from that row alone: keep numbers of all rows in the module, {_BY_HAND}"
        for each in reversed(self.before):
            stored = set(syntax.stores(each)) & needed
            if not stored and not syntax.changed_by(each) & needed and not syntax.hands_over(each, needed):
                continue
            if label is not None and isinstance(each, ast.Assign) and all(map(partial(_is_item, label), each.targets)):
                continue  # rows that are predicted have no label
            parts = self._parts(each, stored)
            if parts is None:
                expected = f"the inputs worked out statement by statement at the top of the file or in main(), {_BY_HAND}"
                self._problem(each, expected, ast.unparse(each).splitlines()[0])
                return []
            for text, used, values in reversed(parts):
                for call in (call for value in values for call in syntax.calls_in(value)):
                    constant = not used & of_table and not self._is_random(call)
                    if syntax.callee(call) not in _ROW_WISE and not constant:
                        self._problem(call, own, ast.unparse(call))
                kept.append(text)
                needed |= used & (self._run_names() | {GIVEN})
        return kept[::-1]

    def _of_table(self) -> set[str]:
        """Names that are worked out from the table."""
        found = {GIVEN}
        for each in self.before:
            if syntax.loads(each) & found:
                found |= {*syntax.stores(each), *syntax.changed_by(each)}
        return found

    def _parts(self, statement: ast.stmt, stored: set[str]) -> list[tuple[str, set[str], list[ast.expr]]] | None:
        """Text, names used and expressions to examine of a statement on the way; None where it cannot be followed.

        Rows that a split or an index takes are all rows: of which they are says nothing about what becomes of one.
        """
        if isinstance(statement, ast.AugAssign) or (isinstance(statement, ast.Expr) and syntax.changed_by(statement)):
            return [(self._source(statement), syntax.loads(statement), [statement.value])]
        if isinstance(statement, ast.For):
            return self._parts_of_loop(statement)
        if not isinstance(statement, ast.Assign) or len(statement.targets) != 1:
            return None
        (target,), value = statement.targets, statement.value
        if not isinstance(target, ast.Tuple):
            taken = self._all_rows(value)
            source = self._source(statement) if taken is value else f"{ast.unparse(target)} = {ast.unparse(taken)}"
            return [(source, syntax.loads(taken) | syntax.changed_by(statement), [taken])]
        found = []
        for at, each in enumerate(target.elts):
            if isinstance(each, ast.Name) and each.id in stored:
                one = syntax.part_of(value, at, len(target.elts))
                if one is None:
                    return None
                taken = self._all_rows(one)
                found.append((f"{each.id} = {ast.unparse(taken)}", syntax.loads(taken), [taken]))
        return found

    def _parts_of_loop(self, loop: ast.For) -> list[tuple[str, set[str], list[ast.expr]]] | None:
        """Those of a loop over constants that makes column after column; None for any other."""
        whole = syntax.loads(loop.iter) & self._of_table()
        if loop.orelse or whole or any(self._is_random(one) for one in syntax.calls_in(loop.iter)):
            return None
        by_column = {syntax.name_of(loop.target)} if self._columns_of_loop(loop) else set()
        values = list[ast.expr]()
        for each in loop.body:
            if not isinstance(each, ast.Assign | ast.AugAssign):
                return None
            for node in ast.walk(each.value):
                # Rows that are chosen in a loop cannot be taken back one statement after the other.
                by_rows = isinstance(node, ast.Subscript) and self._all_rows(node) is not node
                if by_rows and isinstance(node, ast.Subscript) and syntax.name_of(node.slice) not in by_column - {None}:
                    return None
            values.append(each.value)
        return [(self._source(loop), syntax.loads(loop), values)]

    def _columns_of_loop(self, loop: ast.For) -> list[str]:
        """The texts that a loop goes over one by one; empty where it goes over anything else."""
        over = self._constant(loop.iter)
        cells = over.elts if isinstance(over, ast.List | ast.Tuple) else []
        found = [each.value for each in cells if isinstance(each, ast.Constant) and isinstance(each.value, str)]
        return found if len(found) == len(cells) else []

    def _all_rows(self, value: ast.expr) -> ast.expr:
        """The whole of what a name takes rows of."""
        if isinstance(value, ast.Subscript) and not isinstance(value.slice, ast.Constant | ast.List | ast.Tuple):
            by_rows = isinstance(value.slice, ast.Slice) or syntax.loads(value.slice) & self._run_names()
            if by_rows:
                base = value.value
                return self._all_rows(base.value if isinstance(base, ast.Attribute) and base.attr in {"iloc", "loc"} else base)
        return value

    def _labels(self, loss: Loss) -> tuple[str | None, Mapping[str, int] | None]:
        """The column of labels, and what becomes of its values where the script says it."""
        name = self._label_name or self._label_of_loss()
        column: str | None = None
        encoded: Mapping[str, int] | None = None
        needed = set() if name is None else {name}
        for each in reversed(self.before):
            stored = set(syntax.stores(each)) & needed
            if column is not None:
                if (stored or syntax.changed_by(each) & needed) and (value := self._given_to(each, column)) is not None:
                    if encoded is not None or not isinstance(each, ast.Assign) or not self._is_of_column(each, value, column):
                        expected = f"labels that are encoded once, by .map({{…}}) of their column, {_BY_HAND}"
                        self._problem(each, expected, ast.unparse(each).splitlines()[0])
                        break
                    encoded = self._encoding(value, loss)
                continue
            if not stored:
                continue
            parts = self._parts(each, stored)
            if parts is None:
                expected = f"labels worked out statement by statement at the top of the file, {_BY_HAND}"
                self._problem(each, expected, ast.unparse(each).splitlines()[0])
                break
            for _, used, values in parts:
                for value in values:
                    column = column or next(iter(syntax.columns(value)), None)
                    encoded = encoded or self._encoding(value, loss)
                needed |= used & self._run_names()
        return column, encoded

    def _is_of_column(self, statement: ast.Assign, value: ast.expr, column: str) -> bool:
        """Whether a statement gives a whole column a value that is worked out from it."""
        (target, *_) = statement.targets
        rows = isinstance(target, ast.Subscript) and not isinstance(target.slice, ast.Constant)
        if rows or syntax.callee(value) == "assign":
            return False
        return isinstance(target, ast.Name) or column in syntax.columns(value)

    def _given_to(self, statement: ast.stmt, column: str) -> ast.expr | None:
        """What a statement makes of a column of the table before labels are taken from it; None where it leaves it as it is."""
        inner = statement.body if isinstance(statement, ast.For) else [statement]
        constants = self._columns_of_loop(statement) if isinstance(statement, ast.For) else []
        for each in inner:
            if not isinstance(each, ast.Assign | ast.AugAssign | ast.Expr):
                continue
            targets = each.targets if isinstance(each, ast.Assign) else [each.target] if isinstance(each, ast.AugAssign) else []
            if any(isinstance(one, ast.Subscript) and _may_be(one.slice, column, constants) for one in targets):
                return each.value
            whole = [one for one in syntax.calls_in(each.value) if syntax.callee(one) in _RECODES]
            other = any(isinstance(one, ast.Subscript) for one in targets)
            if not other and any(_recodes(one, column) for one in whole):
                return each.value
        return None

    def _label_of_loss(self) -> str | None:
        """The label that the loop takes rows of."""
        names = {name for each in [*self.head, *self.before] if self._makes_loss(each) for name in syntax.stores(each)}
        where = [self.loop, *(self.definitions[name] for name in self._reached([self.loop]))]
        for call in (call for each in where for call in syntax.calls_in(each)):
            found = [name for arg in call.args[1:] for name in sorted(syntax.loads(arg)) if self._is_target(name)]
            if found and (syntax.callee(call) in names | _LOSSES.keys() or syntax.callee(call) in self.definitions):
                return found[-1]
        return None

    def _makes_loss(self, statement: ast.stmt) -> bool:
        return isinstance(statement, ast.Assign) and any(syntax.callee(call) in _LOSSES for call in syntax.calls_in(statement))

    def _is_target(self, name: str, seen: frozenset[str] = frozenset()) -> bool:
        """Whether a name is worked out from one column of the table, or is rows of such a one."""
        if name in seen or name not in self._of_table():
            return False
        for each in self._assigned(name):
            if any(True for _ in syntax.columns(each)):
                return True
            for _, used, values in self._parts(each, {name}) or ():
                as_they_are = all(
                    syntax.callee(call) in _AS_THEY_ARE - {"len"} for one in values for call in syntax.calls_in(one)
                )
                if as_they_are and any(self._is_target(one, seen | {name}) for one in used):
                    return True
        return False

    def _encoding(self, value: ast.expr, loss: Loss) -> Mapping[str, int] | None:
        as_table = "labels as the table has them, by .map({…}), == or LabelEncoder: predictions are compared with those"
        if loss == "amount":
            as_table = _AMOUNTS
        for call in syntax.calls_in(value):
            if syntax.callee(call) == "map" and call.args and isinstance(call.args[0], ast.Dict):
                return syntax.mapping(call.args[0])
        changed = [call for call in syntax.calls_in(value) if syntax.callee(call) not in _AS_THEY_ARE | _ENCODES]
        if changed or any(isinstance(node, ast.BinOp) for node in ast.walk(value)):
            self._problem(value, as_table, ast.unparse(value))
        for node in ast.walk(value):
            if isinstance(node, ast.Compare) and isinstance(node.comparators[0], ast.Constant):
                if isinstance(node.ops[0], ast.Eq) and loss != "amount":
                    return {str(node.comparators[0].value): 1}
                self._problem(value, as_table, ast.unparse(value))
        return None

    # What is said.

    def _dropped(self) -> Iterator[str]:
        for each in [*self.head, *self.run]:
            for call in syntax.calls_in(each):
                if syntax.callee(call) == "drop":
                    for value in (*call.args[:1], *(one.value for one in call.keywords if one.arg in {"columns", "labels"})):
                        yield from syntax.texts(value)
                        for name in syntax.loads(value):
                            yield from (text for one in self._statements_of(name) for text in syntax.texts(one))

    def _said(self) -> Iterator[str]:
        carried = [each for each in [*self.head, *self.run] if not isinstance(each, ast.Pass)]
        yield f"loop.py: written, out of {self.path.name}: lines {syntax.ranges(carried)} as they stand"
        yield self._read_by
        for what, pattern in (
            ("optimiser", _OPTIMISERS),
            ("schedule", re.compile(r"\w*(?:LR|LRScheduler|WarmRestarts|ReduceLROnPlateau|SWALR|LambdaLR)")),
            ("batches", re.compile("DataLoader")),
            ("seed", re.compile(r"manual_seed|seed|seed_all")),
        ):
            for each in carried:
                yield from (
                    f"line {call.lineno}: {what}: {ast.unparse(call)}"
                    for call in syntax.calls_in(each)
                    if pattern.fullmatch(syntax.callee(call))
                )
        for line in sorted(self.drawn):
            yield f"line {line}: drawn at random in training, and left out of predictions: {self._line(line)}"
        seeded = any(syntax.callee(call) == "manual_seed" for each in carried for call in syntax.calls_in(each))
        if seeded:
            yield SEEDED
        else:
            yield "no seed in the script: the audit seeds each training, and the file that you release cannot be trained again"
        for line, why in sorted(self.left.items()):
            yield f"line {line}: not carried over: {why}: {self._line(line)}"

    def _line(self, number: int) -> str:
        return self._lines[number - 1].strip()[:80]

    @property
    def _lines(self) -> list[str]:
        return self.path.read_text(encoding="utf-8-sig", errors="replace").splitlines()

    def _leave(self, statement: ast.stmt, why: str) -> None:
        self.left.setdefault(statement.lineno, why)

    def _source(self, statement: ast.stmt) -> str:
        if any(isinstance(node, ast.Name) and node.id == GIVEN for node in ast.walk(statement)):
            return ast.unparse(statement)
        source = ast.get_source_segment(self.text, statement) or ast.unparse(statement)
        first, *rest = source.split("\n")
        indent = " " * statement.col_offset
        source = "\n".join([first, *(line.removeprefix(indent) for line in rest)])
        return "".join(f"@{ast.unparse(each)}\n" for each in getattr(statement, "decorator_list", ())) + source

    # Names.

    def _bound(self, imports: Iterable[ast.stmt]) -> set[str]:
        found = set()
        for each in imports:
            if isinstance(each, ast.Import | ast.ImportFrom):
                found |= {(alias.asname or alias.name).partition(".")[0] for alias in each.names}
        return found

    def _is_constant(self, statement: ast.stmt, known: set[str]) -> bool:
        value = statement.value if isinstance(statement, ast.Assign | ast.AnnAssign) else None
        if value is None or any(syntax.callee(call) not in _PLAIN for call in syntax.calls_in(value)):
            return False
        if any(isinstance(node, ast.Lambda | ast.ListComp | ast.GeneratorExp | ast.DictComp) for node in ast.walk(value)):
            return False
        builtins = {"True", "False", "None", *_PLAIN}
        return all(name in known or name in builtins for name in syntax.loads(value))

    def _reached(self, statements: Iterable[ast.stmt]) -> set[str]:
        """Definitions that statements use, directly or not."""
        waiting, found = [name for each in statements for name in syntax.loads(each)], set[str]()
        while waiting:
            name = waiting.pop()
            if name in self.definitions and name not in found:
                found.add(name)
                waiting += syntax.loads(self.definitions[name])
        return found

    def _nested(self, needed: set[str], run_names: set[str]) -> list[ast.FunctionDef | ast.ClassDef]:
        """Definitions that use what only the training knows."""
        found = list[ast.FunctionDef | ast.ClassDef]()
        names = set(run_names)
        while True:
            more = [
                each
                for name, each in self.definitions.items()
                if name in needed and each not in found and syntax.free(each) & names
            ]
            if not more:
                return found
            found += more
            names |= {each.name for each in more}

    def _all_calls(self, statement: ast.stmt) -> Iterator[ast.Call]:
        yield from syntax.calls_in(statement)
        for name in self._reached([statement]):
            yield from syntax.calls_in(self.definitions[name])

    def _calls(self, statement: ast.stmt, names: set[str]) -> bool:
        return any(syntax.callee(call) in names for call in self._all_calls(statement))


def _is_item(column: str, target: ast.expr) -> bool:
    """Whether a target is one column of a table."""
    return isinstance(target, ast.Subscript) and isinstance(target.slice, ast.Constant) and target.slice.value == column


def _may_be(index: ast.expr, column: str, constants: Sequence[str]) -> bool:
    """Whether an index may name a column, where a loop goes over constants."""
    if isinstance(index, ast.Tuple) and index.elts:
        index = index.elts[-1]  # .loc[rows, column]
    if isinstance(index, ast.Constant):
        return index.value == column
    if isinstance(index, ast.Name):
        return not constants or column in constants
    if isinstance(index, ast.BinOp) and isinstance(index.left, ast.Constant):
        return column.startswith(str(index.left.value))
    if isinstance(index, ast.JoinedStr) and index.values and isinstance(index.values[0], ast.Constant):
        return column.startswith(str(index.values[0].value))
    return not isinstance(index, ast.List) or any(_may_be(each, column, constants) for each in index.elts)


def _recodes(call: ast.Call, column: str) -> bool:
    """Whether a call of a whole table, or of the column, may give its values other names."""
    on = [*syntax.columns(call.func)]
    if on:
        return column in on
    if syntax.callee(call) == "assign":
        return any(each.arg is None or each.arg == column for each in call.keywords)
    if syntax.callee(call) != "replace" or not call.args:
        return True
    (first, *rest) = call.args
    if isinstance(first, ast.Dict):
        by_column = all(isinstance(each, ast.Dict) for each in first.values)
        return not by_column or any(isinstance(each, ast.Constant) and each.value == column for each in first.keys)
    return bool(rest) and isinstance(rest[0], ast.Constant | ast.List | ast.UnaryOp)


class _Replace(ast.NodeTransformer):
    """Puts a name in the place of one call."""

    def __init__(self, call: ast.Call, name: str) -> None:
        self._at, self._name = (call.lineno, call.col_offset), name

    def visit_Call(self, node: ast.Call) -> ast.AST:
        if (node.lineno, node.col_offset) == self._at and _READS.fullmatch(syntax.callee(node)):
            return ast.copy_location(ast.Name(self._name, ast.Load()), node)
        self.generic_visit(node)
        return node

    def everywhere(self, statements: Iterable[ast.stmt]) -> None:
        for each in statements:
            self.visit(each)


def _write(
    written: Written,
    files: Mapping[str, bytes],
    encoded: Mapping[str, int] | None,
    script: str,
    is_arrays: bool,
    table: Table,
    by_id: str,
    label: str,
    features: Sequence[str],
) -> dict[str, bytes]:
    """The files of the loop, once it is known what the columns are for.

    Raises:
        InputError: If the labels are not such as the loss takes them, or the script reads the table otherwise.
    """
    if is_arrays != (table.shape is not None):
        expected = "the file that the script reads: np.load of an .npz file, pd.read_csv of a table"
        raise InputError([Problem(script, "--data", expected, table.source.name)])
    order = () if written.loss == "amount" else _order(table, label, encoded, written.loss)
    given: Arrays | Frame
    if table.shape is not None:
        given = Arrays(table.shape, table.kind)
    else:
        columns = {name: _kind(cells) for name, cells in table.columns.items()}
        given = Frame(columns=columns, features=features, label=label, id=by_id)
    text = torch_loops.text(written, given, "Loop", order)
    ast.parse(text)
    (name, *_) = files
    return {**files, name: text.encode()}


def _order(table: Table, label: str, encoded: Mapping[str, int] | None, loss: Loss) -> tuple[int, ...]:
    """Give the output of the network for each label, sorted; empty where they are in that order already.

    Raises:
        InputError: If labels are not such as the loss takes them: predictions would be read as those of other classes.
    """
    values = _sorted(table.distinct(label))
    places = {value: at for at, value in enumerate(values)}
    binary = loss in {"logit", "probability"}
    order = tuple(range(len(values)))
    if encoded is not None and len(encoded) == 1:
        (one,) = encoded
        fits = len(values) == 2 and one in places
        order = tuple(int(each == one) for each in values)
    elif encoded is not None:
        order = tuple(encoded.get(each, -1) for each in values)
        fits = encoded.keys() == places.keys() and sorted(order) == list(range(len(values)))
    else:
        whole = all(re.fullmatch(r"\d+(?:\.0)?", each) for each in values)
        fits = not whole or [float(each) for each in values] == list(range(len(values)))
    if not fits or (binary and len(values) != 2):
        expected = (
            "labels that the script encodes as 0, 1, 2 …, each in the table as one number: "
            f".map({{{', '.join(f'{value!r}: {at}' for value, at in list(places.items())[:3])}{', …' * (len(places) > 3)}}})"
        )
        found = f"{', '.join(map(show, values[:8]))}" + ("" if encoded is None else f", encoded as {dict(encoded)}")
        raise InputError([Problem(table.source.name, label, expected, found)])
    return () if order == tuple(range(len(values))) else order


def _sorted(labels: Iterable[str]) -> list[str]:
    """Labels in the order of the case's: by amount where all are numbers, and else as text."""
    found = sorted(labels)
    try:
        return sorted(found, key=float)
    except ValueError:
        return found


def _kind(cells: Sequence[str]) -> str | None:
    """The type that pandas gives a column; None where it is text."""
    if cells and all(re.fullmatch(r"[+-]?\d{1,18}", each) for each in cells):
        return "int64"
    try:
        for each in cells:
            float(each or "nan")
    except ValueError:
        return None
    return "float64"
