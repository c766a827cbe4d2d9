"""The rows of docs/speed.md in their order: what each measures, what it aims at, and which benchmark measures it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class Row:
    """One figure of the page."""

    key: str
    """The benchmark and the figure's name in it, with a point between."""
    what: str
    aim: str = ""
    """A target, which no test holds; empty where there is none."""

    @property
    def benchmark(self) -> str:
        """The module of this folder that measures it."""
        return self.key.partition(".")[0]

    @property
    def name(self) -> str:
        """Its name among the figures of that benchmark."""
        return self.key.partition(".")[2]


GROUPS: Final[dict[str, tuple[Row, ...]]] = {
    "Commands": (
        Row("commands.help", "`auditor --help`", "under 0.4 s"),
        Row("commands.demo", "the demo audit with its 400 swap pairs, from case to PDF", "under 7 s"),
        Row("commands.report", "the demo's PDF from its evidence", "under 3 s"),
        Row("commands.games", "three checks of `breast-cancer-dp` with 1,000 deletion games each", "under 60 s"),
        Row("letter.one", "one letter from its evidence", "under 1 s"),
        Row("letter.further", "each further letter of `auditor certificate --all`"),
        Row("verify.evidence", "`auditor verify` of the demo's evidence", "under 0.7 s"),
        Row("verify.report", "`auditor verify` of its report, whose pages are rendered again", "under 10 s"),
        Row("verify.folder", "`auditor verify` of the signed folder with three letters, rendered again", "under 15 s"),
        Row("planning.two-classes", "`auditor plan` of the whole grid on digits, two classes, two processes"),
        Row("planning.ten-classes", "the same with ten classes", "about a minute"),
        Row("planning.data-deletion", "`auditor plan --data-deletion` on breast cancer"),
    ),
    "Certified removal": (
        Row(
            "newton_removal.scratch",
            "single Newton removals at n = 10,000, d = 256, with the Hessian formed once, against refitting from scratch to the "
            "same tolerance",
            "at least 10",
        ),
        Row("newton_removal.warm", "the same against a warm-started refit"),
        Row("newton_removal.rebuilt", "the same with the Hessian formed again for each, against refitting from scratch"),
        Row("newton_removal.memory", "peak memory of that run", "under 1 GB"),
        Row(
            "removal.zero-against-rest",
            "single removals certified on digits, 0 against the rest, with our bound and budget against those of the paper, over "
            "20 seeds",
            "at least 20",
        ),
        Row("removal.three-against-eight", "the same, 3 against 8", "at least 20"),
        Row(
            "many_models.halves",
            "100 logistic fits at once on halves of 1,000 rows, d = 64, against scikit-learn at its default tolerance, which "
            "leaves the larger gradient",
            "at least 8",
        ),
        Row("many_models.most", "the same on 90 % of the rows each", "at least 8"),
        Row("many_models.standardised", "the same on halves with columns of variance 1, whose Hessians fit badly", "at least 8"),
        Row("many_models.one-by-one", "fits of the halves to a gradient of 10⁻¹⁰, at once against one by one"),
        Row("many_models.removals", "Newton removals of ten rows from each of the halves, at once against one by one"),
    ),
    "Data deletion by noisy gradient descent": (
        Row(
            "noisy_gd.float64",
            "1,000 chains at once, n = 10,000, d = 64, against a cache-blocked NumPy loop in two one-thread processes",
            "at least 1.8",
        ),
        Row("noisy_gd.float32", "the same in float32, for simulations only", "at least 4"),
        Row("noisy_gd.float64-on-a-gpu", "the same in float64 on a GPU", "at least 50"),
        Row("noisy_gd.float32-on-a-gpu", "the same in float32 on a GPU", "at least 50"),
        Row("deletion.certificate", "a certificate with its premises at n = 1,000,000, d = 256", "under 60 s"),
        Row("deletion.memory", "peak memory of that run, the records included", "under 4 GB"),
    ),
    "Networks and the SWAP test": (
        Row(
            "networks.one-process",
            "60 MLPs of 64-64-10 on digits × {fine-tune, retrain, nothing}, in stacks in two processes, against a loop in one "
            "process",
            "at least 4",
        ),
        Row("networks.two-processes", "the same against a loop in two processes", "at least 2"),
        Row("networks.memory", "peak memory of a process with stacks"),
        Row("networks.mlp-on-a-gpu", "512 such MLPs in one stack on a GPU against the loop on the CPU", "at least 50"),
        Row("networks.small-cnn-on-a-gpu", "64 small CNNs in one stack on a GPU against the loop on the CPU", "at least 50"),
        Row(
            "swap.network",
            "an audit of scikit-learn's MLPClassifier with 20 swap pairs as a multiple of its 226 bare trainings: processor time",
            "at most 1.3",
        ),
        Row("swap.network-beyond", "processor time of that audit less that of its trainings", "at most 6 s"),
        Row("swap.network-seconds", "that audit, from case to PDF, two processes"),
        Row(
            "retrainer.one-batch",
            "a whole audit of an exact retrainer with one batch: its time less 5 s, in trainings",
            "at most 3.5",
        ),
        Row("retrainer.two-batches", "the same with two batches", "at most 4.5"),
        Row("retrainer.three-batches", "the same with three batches", "at most 5.5"),
    ),
    "Limits of the machine": (
        Row("limits.gemm-float64", "the product of two large matrices in float64, one thread (GEMM)"),
        Row("limits.gemm-float32", "the same in float32"),
        Row("limits.stream", "bytes of a sum of two arrays that no cache holds (STREAM Add)"),
        Row(
            "limits.stacks",
            "30 MLPs of 64-64-10 trained in one stack: processor time against the least that its FLOP take at the pace of GEMM",
            "at most 3",
        ),
        Row("limits.stacks-parts", "the same against its products alone, of batches of 32 rows", "at most 3"),
        Row("limits.logistic", "100 logistic fits on halves of 1,000 rows, d = 64, against the pace of GEMM", "at most 3"),
        Row("limits.logistic-parts", "the same against its products over all rows and its exponentials alone", "at most 3"),
        Row(
            "limits.neighbours", "nearest neighbours of 2,000 records among 58,000, d = 64, against the pace of GEMM", "at most 3"
        ),
        Row("limits.neighbours-parts", "the same against its products and two searches of the smallest alone", "at most 3"),
        Row("limits.chains", "1,000 chains of noisy gradient descent, n = 10,000, d = 64, against the pace of GEMM", "at most 3"),
        Row("limits.chains-parts", "the same against its products, exponentials and noise alone", "at most 3"),
    ),
    "Growth": (
        Row("growth.records", "exponent of the time of a logistic fit in its records (5,000 to 80,000, d = 32)", "at most 1.1"),
        Row("growth.features", "exponent of that time in its features (16 to 256, n = 10,000)", "at most 2"),
        Row("growth.deletions", "exponent of the time of removals in their batches of ten records (32 to 512)", "at most 1.1"),
        Row(
            "growth.models",
            "exponent of the time of logistic fits on halves of 1,000 rows in their number (50 to 800)",
            "at most 1.1",
        ),
        Row("growth.pairs", "exponent of the time of judging swap pairs in their number (100 to 1,600)", "at most 1.1"),
    ),
    "Attacks and games": (
        Row(
            "release_under_attack.remembers",
            "`release.remembers` on digits-newton: 39 retrained models and ten that hold the records, trained and attacked",
            "under 2 s",
        ),
        Row(
            "refits.linear",
            "100 deletion games on linear regression, each with a split of its own, by shared refits against fitting both models "
            "of each",
            "at least 4",
        ),
        Row("refits.ridge", "the same on ridge regression", "at least 4"),
        Row("refits.lasso", "the same on the lasso", "at least 4"),
        Row("refits.logistic", "the same on logistic regression to its minimum, three tables", "at least 4"),
        Row("refits.neighbours", "the same on nearest neighbours, three tables", "at least 4"),
    ),
    "Whole controllers": (
        Row("controllers.operations", "10,000 operations on a sorted dictionary with their comparisons", "under 10 s"),
        Row("controllers.counterexamples", "the counterexample of each of six broken dictionaries", "under 5 s"),
        Row("control_games.control", "1,000 games of `control.game` against each of three controllers", "under 30 s"),
        Row("control_games.confidentiality", "1,000 games of `confidentiality.game` against the same", "under 30 s"),
        Row("control_games.pan-privacy", "1,000 rounds of the pan-privacy game against `tree-counter`", "under 30 s"),
        Row("counters.tree", "a tree counter over 1,000,000 ticks", "under 5 s"),
        Row("counters.square-root", "a square-root counter over 10,000 ticks"),
    ),
    "Large inputs": (
        Row("large_log.validate", "`auditor validate --no-run` with a log of 100,000 requests", "under 5 s"),
        Row("large_log.report", "the full report of 100,000 requests from its evidence", "under 10 s"),
        Row("large_log.memory", "peak memory of that report", "under 0.42 GB"),
        Row(
            "large_table.hundred-thousand-seconds",
            "a whole audit of logistic removal with 10⁵ rows and 256 columns of float32, one run at a time",
        ),
        Row("large_table.hundred-thousand-memory", "peak memory of all its processes"),
        Row("large_table.million-seconds", "the same audit with 10⁶ rows", "under 16 min"),
        Row("large_table.million-memory", "peak memory of all its processes", "under 5 GB"),
        Row("large_table.million-two-seconds", "the same with two runs at a time"),
        Row("large_table.million-two-memory", "peak memory of all its processes"),
        Row(
            "large_store.parquet-seconds", "an audit of `data.erased` alone, with 64 MiB of Parquet files of 64 columns as store"
        ),
        Row("large_store.parquet-memory", "peak memory of all its processes"),
        Row("large_store.csv-seconds", "the same with 64 MiB of CSV files"),
        Row("large_store.csv-memory", "peak memory of all its processes"),
        Row("large_store.sqlite-seconds", "the same with 64 MiB of SQLite databases"),
        Row("large_store.sqlite-memory", "peak memory of all its processes"),
        Row("large_store.gigabyte-seconds", "the same with 1 GiB of Parquet files"),
        Row("large_store.gigabyte-memory", "peak memory of all its processes"),
        Row(
            "scan.few-seconds",
            "`auditor scan` of a flat faiss index of 2,000 × 32, with everybody's vectors as the table",
            "under 3 s",
        ),
        Row("scan.few-memory", "peak memory of all its processes"),
        Row("scan.few-speed", "speed of the scan, in bytes of the index"),
        Row("scan.few-reading", "reading and hashing the file alone"),
        Row("scan.flat-seconds", "the same of 10⁵ × 128"),
        Row("scan.flat-memory", "peak memory of all its processes"),
        Row("scan.flat-speed", "speed of the scan, in bytes of the index"),
        Row("scan.flat-reading", "reading and hashing the file alone"),
        Row("scan.graph-seconds", "the same of an hnswlib graph of 10⁵ × 128"),
        Row("scan.graph-memory", "peak memory of all its processes"),
        Row("scan.graph-speed", "speed of the scan, in bytes of the graph"),
        Row("scan.graph-reading", "reading and hashing the file alone"),
        Row("scan.million-seconds", "the same of a flat index of 10⁶ × 128"),
        Row("scan.million-memory", "peak memory of all its processes"),
        Row("scan.million-speed", "speed of the scan, in bytes of the index"),
        Row("scan.million-reading", "reading and hashing the file alone"),
        Row("scan.million-graph-seconds", "the same of a graph of 10⁶ × 128"),
        Row("scan.million-graph-memory", "peak memory of all its processes"),
        Row("scan.million-graph-speed", "speed of the scan, in bytes of the graph"),
        Row("scan.million-graph-reading", "reading and hashing the file alone"),
        Row("mixed_table.validate", "`auditor validate` of LightGBM on a table of Adult's size and shape", "under 10 s"),
        Row("mixed_table.check", "a whole audit of it: 40 requests in 10 batches", "under 120 s"),
        Row("mixed_table.memory", "peak memory of all its processes", "under 2.1 GB"),
        Row(
            "moved_copies.nearest",
            "nearest neighbours of 2,000 deleted records in a table of 120,000 rows and 64 columns, at once against one by one: "
            "processor time",
            "at least 5",
        ),
        Row("moved_copies.copies", "moved copies of these records at both distances: processor time", "under 30 s"),
        Row("erasure.random", "a search for 300 deleted records in 24 MB of opaque state", "under 3 s"),
        Row("erasure.array", "the same in an array in NumPy's format"),
        Row("erasure.base64", "the same in base64"),
        Row("erasure.beginnings", "the same in nothing but beginnings of packed streams"),
        Row("erasure.packed", "the same in a stream that unpacks to 24 GB"),
    ),
    "Sandbox and interrupted audits": (
        Row("sandbox.libraries", "start of a worker that imports torch, with the strongest containment", "under 1.5 s"),
        Row("sandbox.plain", "start of a worker without torch"),
        Row("sandbox.step", "overhead of one step of its job", "under 5 ms"),
        Row(
            "kill_and_resume.same",
            "audits killed (SIGKILL) at a random moment and started again that end with the same evidence apart from times",
            "all",
        ),
        Row("kill_and_resume.clean", "of these, how many leave nothing behind after `auditor clean`", "all"),
        Row("kill_and_resume.taken-up", "runs that had finished when their audit was killed, and were taken up", "all"),
    ),
    "Clusters": (
        Row(
            "cluster_kills.workers",
            "audits on Dask with a worker killed (SIGKILL) at a random moment that end with the same evidence apart from times",
            "all",
        ),
        Row("cluster_kills.again", "of these, in how many a job ran again on another worker"),
        Row("cluster_kills.auditors", "the same with the auditor killed and started again", "all"),
        Row(
            "cluster_pace.dask-cost",
            "12 jobs of 1 s, two at a time, on Dask of this machine against none, start-up excluded",
            "at most +15 %",
        ),
        Row("cluster_pace.ray-cost", "the same on Ray", "at most +15 %"),
        Row("cluster_pace.here-two-workers", "50 jobs of 0.2 s with two workers against one, no cluster", "at least 1.7"),
        Row("cluster_pace.dask-two-workers", "the same on Dask", "at least 1.7"),
        Row("cluster_pace.ray-two-workers", "the same on Ray", "at least 1.7"),
    ),
}
NOTES: Final[dict[str, tuple[str, ...]]] = {
    "Limits of the machine": (
        "The minimum time is what the arithmetic takes at GEMM's rate, or the bytes at STREAM's.",
        "Both are measured in turns with the work, by processor time.",
        "Where a figure is above 3, the reason follows.",
        "Stacks: products of batches of 32 rows take a twelfth of the time; most goes into adding weights and gradients,",
        "which lie in another order, and into the softmax.",
        "Logistic fits: at once they are products over all rows, half of which each subset needs, and as many exponentials.",
        "Neighbours: the distances are scanned twice more, for the nearest and for what rounding could make the nearest.",
    ),
    "Growth": (
        "Slopes of log time over log size, of work in one process.",
        "Whole audits include fixed costs, so their slopes are smaller.",
        "Removals share one Hessian, so that they grow more slowly than their number.",
    ),
}
"""What a reader needs to know of a group, line by line."""
ROWS: Final = {row.key: row for rows in GROUPS.values() for row in rows}
BENCHMARKS: Final = tuple(dict.fromkeys(row.benchmark for row in ROWS.values()))
"""Every benchmark, in the order of the page."""
