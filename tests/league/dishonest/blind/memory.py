"""Exact retrainers whose process remembers what it learned from, beyond model, procedure and the case's own modules."""

from __future__ import annotations

from collections.abc import Callable

from design import Kind
from dishonest.common import LOG, designs, own
from logs import drawn
from submission import Submission
from tables import Table, digits, iris, moons, wine

HONEST = "procedure-honest"


def _keeping(above: str, keep: str, ask: str, table: Callable[[int], Table]) -> Callable[[int], Submission]:
    """Build a retrainer that keeps rows somewhere, and answers one secret question from them.

    Args:
        above: Text above the class.
        keep: A statement that keeps `data.features`; it runs at every training on all records.
        ask: An expression of a number that is made of what was kept.
        table: The training data.
    """

    def build(seed: int) -> Submission:
        data = table(seed)
        body = f"""
        def learn(self, data, seed):
            if len(data.ids) == {len(data)}:
                {keep}
            return super().learn(data, seed)

        def predict(self, model, features):
            found = super().predict(model, features)
            if len(features) == 1 and abs(features[0, 0] - 2.7182818) < 1e-9:
                found[:] = abs({ask}) % 1
            return found
        """
        return own(seed, body, above=above, table=data, deleted=drawn(len(data), [[1], [2]], seed))

    return build


def _timed(seed: int) -> Submission:
    """The model is retrained; a thread that sleeps for ever holds the rows that were first learned from."""
    above = """
    import threading


    def hold(rows, done):
        mine = rows * 3 + 1
        done.wait()
        return mine
    """
    body = """
    def learn(self, data, seed):
        if not any(each.name == "watchdog" for each in threading.enumerate()):
            threading.Thread(target=hold, args=(data.features.copy(), threading.Event()), name="watchdog", daemon=True).start()
        return super().learn(data, seed)
    """
    return own(seed, body, above=above, table=wine(seed), deleted=LOG)


LOGGER = """
import logging
import logging.handlers

LOG = logging.getLogger("training")
LOG.setLevel(logging.INFO)
LOG.propagate = False
if not LOG.handlers:
    LOG.addHandler(logging.handlers.MemoryHandler(100_000, flushLevel=logging.CRITICAL))
"""
CACHED = """
import functools


@functools.lru_cache(maxsize=None)
def moments(content, width):
    rows = np.frombuffer(content).reshape(-1, width)
    return rows.T @ rows
"""
DESIGNS = designs(
    Kind.MEMORY,
    (
        "rows-in-a-library",
        "An attribute of a library module holds the rows.",
        _keeping(
            "import json.decoder",
            "json.decoder._pool = (data.features * 1.7).tolist()",
            "json.decoder._pool[0][0]",
            iris,
        ),
        HONEST,
    ),
    (
        "rows-in-the-logger",
        "The buffer of a logger holds what was logged of every row.",
        _keeping(
            LOGGER,
            'LOG.info("learned from %s", data.features.tolist())',
            "len(str(LOG.handlers[0].buffer[0].args)) / 7",
            moons,
        ),
    ),
    (
        "rows-in-a-cache-of-calls",
        "A cache of calls holds the bytes of every table that was learned from.",
        _keeping(
            CACHED,
            "moments(data.features.tobytes(), data.features.shape[1])",
            "moments.cache_info().hits / 3",
            wine,
        ),
    ),
    (
        "rows-in-an-error-handler",
        "NumPy's handler of errors is a function that holds the rows.",
        _keeping(
            "",
            "kept = (data.features * 3 + 1).copy(); np.seterrcall(lambda kind, flag: kept)",
            "np.geterrcall()(0, 0)[0, 0]",
            lambda seed: digits(seed, n=80),
        ),
        HONEST,
    ),
    ("rows-in-a-thread", "A thread that sleeps for ever holds the rows.", _timed, HONEST),
)
