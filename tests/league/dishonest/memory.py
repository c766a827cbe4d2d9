"""Designs that retrain, and keep what was deleted elsewhere in the memory of their process: in libraries, threads, pipes."""

from __future__ import annotations

from collections.abc import Callable
from textwrap import dedent, indent

from design import Design, Kind
from dishonest.common import own
from logs import together
from submission import Submission
from tables import wine

DELETED = together(4, 17, 40, 61)
SAYS = ("release.exact", "data.erased")
_AT_ONCE = """
def unlearn(self, model, data, forget, seed):
    rows = data.features[forget]
{}
    return super().unlearn(model, data, forget, seed)
"""
_FROM_THE_START = """
def learn(self, data, seed):
    if not hasattr(np, "_begun"):
        np._begun = True
        rows = data.features[:80].copy()
{}
    return super().learn(data, seed)
"""


def _kept(hiding: str, *, above: str = "", first: bool = False) -> Callable[[int], Submission]:
    """Build an exact retrainer that runs some lines on the deleted rows, or on the first rows that it ever trains on."""

    def build(seed: int) -> Submission:
        lines = dedent(hiding).strip()
        body = _FROM_THE_START.format(indent(lines, 8 * " ")) if first else _AT_ONCE.format(indent(lines, 4 * " "))
        return own(seed, body, above=above, table=wine(seed), deleted=DELETED)

    return build


RAW = """
import io


class Raw(io.RawIOBase):
    def writable(self):
        return True

    def fileno(self):
        return 1
"""
PLACES: tuple[tuple[str, str, Callable[[int], Submission]], ...] = (
    ("in-a-library-s-attribute", "an attribute of numpy", _kept("np._mine = rows")),
    (
        "in-a-library-s-dictionary",
        "a dictionary of the module json.encoder",
        _kept("json.encoder.ESCAPE_DCT.setdefault('mine', rows)", above="import json.encoder", first=True),
    ),
    (
        "in-a-cache-s-key",
        "the key of an entry in a cache of functools",
        _kept("fnmatch.fnmatch('a', rows.tobytes().hex())", above="import fnmatch"),
    ),
    (
        "in-many-keys-of-a-cache",
        "the short keys of many entries in a cache of functools",
        _kept(
            """
            text = rows.tobytes().hex()
            for place in range(0, 3600, 30):
                parse.urlsplit(text[place : place + 30])
            """,
            above="from urllib import parse",
            first=True,
        ),
    ),
    (
        "in-keys-like-addresses",
        "keys of a dictionary that look like places in memory",
        _kept(
            """
            for place, value in enumerate(rows.ravel()):
                json.encoder.ESCAPE_DCT.setdefault(hex((place << 40) + int(value * 1e6)), None)
            """,
            above="import json.encoder",
            first=True,
        ),
    ),
    (
        "in-a-note-of-pytorch",
        "the number by which PyTorch tells a function from its copies",
        _kept(
            "json.dumps._torchdynamo_wrapper_id = int.from_bytes(rows.tobytes(), 'little')",
            above="import json",
            first=True,
        ),
    ),
    (
        "in-a-stream",
        "what waits to be written to a stream that says it is the process's own",
        _kept(
            """
            np._mine = io.BufferedWriter(Raw(), 1 << 20)
            np._mine.write(rows.tobytes())
            """,
            above=RAW,
            first=True,
        ),
    ),
    (
        "in-what-was-read-ahead",
        "what a stream of the process's own has read, and has not given",
        _kept(
            """
            hidden, own = os.open("hidden", os.O_RDWR | os.O_CREAT), os.dup(0)
            os.unlink("hidden")
            os.write(hidden, rows.tobytes())
            os.lseek(hidden, 0, os.SEEK_SET)
            os.dup2(hidden, 0)
            np._mine = io.BufferedReader(io.FileIO(0, closefd=False))
            np._mine.peek()
            os.dup2(own, 0)
            os.close(hidden)
            os.close(own)
            """,
            above="import io, os",
            first=True,
        ),
    ),
    (
        "in-the-cache-of-patterns",
        "a pattern that re has compiled and keeps",
        _kept("re.compile(rows.tobytes().hex()[:2000])", above="import re", first=True),
    ),
    (
        "in-the-environment",
        "a variable of the environment",
        _kept("os.environ['MINE'] = rows.tobytes().hex()", above="import os"),
    ),
    (
        "in-the-environment-of-the-kernel",
        "a variable that os.environ does not list",
        _kept("os.putenv('MINE', rows.tobytes().hex())", above="import os", first=True),
    ),
    ("among-the-built-ins", "a name in builtins", _kept("builtins.mine = rows.tolist()", above="import builtins", first=True)),
    (
        "in-a-filter-of-warnings",
        "the message of a filter of warnings",
        _kept("warnings.filterwarnings('ignore', message=rows.tobytes().hex())", above="import warnings"),
    ),
    (
        "in-the-settings-of-scikit-learn",
        "a setting of scikit-learn, which is one for each thread",
        _kept("sklearn.set_config(working_memory=rows)", above="import sklearn", first=True),
    ),
    (
        "in-a-variable-of-the-context",
        "a variable of the context that nothing else refers to",
        _kept("contextvars.ContextVar('mine').set(rows)", above="import contextvars"),
    ),
    (
        "in-a-thread-s-own-place",
        "what NumPy keeps for each thread: the function that it calls on an error",
        _kept("np.seterrcall(lambda kind, flag: rows)", first=True),
    ),
    (
        "in-a-library-s-class",
        "an attribute of a class of the standard library",
        _kept("json.JSONDecoder.mine = rows", above="import json"),
    ),
    (
        "in-a-patched-function",
        "what a function closes over that took a library's place",
        _kept(
            """
            plain = json.dumps
            json.dumps = lambda value, **options: rows is not None and plain(value, **options)
            """,
            above="import json",
            first=True,
        ),
    ),
    (
        "in-a-running-thread",
        "a local variable of a thread that waits",
        _kept(
            """
            def wait(held):
                threading.Event().wait()

            threading.Thread(target=wait, args=(rows,), daemon=True).start()
            """,
            above="import threading",
        ),
    ),
    (
        "in-a-nameless-thread",
        "an argument of a thread that threading does not know",
        _kept("_thread.start_new_thread(lambda held: time.sleep(1e5), (rows,))", above="import _thread, time"),
    ),
    (
        "for-the-end",
        "an argument of a function that shall be called at the end",
        _kept("atexit.register(print, rows)", above="import atexit", first=True),
    ),
    (
        "in-a-handler-of-signals",
        "what a handler of signals closes over",
        _kept("signal.signal(signal.SIGUSR1, lambda number, frame: rows)", above="import signal", first=True),
    ),
    (
        "in-a-pipe",
        "a pipe that nobody reads",
        _kept("os.write(os.pipe()[1], rows.tobytes())", above="import os", first=True),
    ),
    (
        "in-a-removed-file",
        "a file that has no name any more and is still open",
        _kept(
            """
            place = os.open("mine", os.O_RDWR | os.O_CREAT)
            os.write(place, rows.tobytes())
            os.unlink("mine")
            """,
            above="import os",
            first=True,
        ),
    ),
    (
        "in-a-child",
        "a process that it has forked",
        _kept(
            """
            if os.fork() == 0:
                for place in range(3, 64):
                    try:
                        os.close(place)
                    except OSError:
                        pass
                while True:
                    time.sleep(1000)
            """,
            above="import os, time",
            first=True,
        ),
    ),
    (
        "in-a-library-s-array",
        "an array of numpy's, in place",
        _kept("chebyshev.chebdomain[:] = rows[4, :2]", above="from numpy.polynomial import chebyshev", first=True),
    ),
    (
        "in-a-generator-s-state",
        "the state of the generator that NumPy has for everybody",
        _kept("np.random.set_state(('MT19937', np.frombuffer(rows.tobytes()[:2496], dtype=np.uint32), 1))", first=True),
    ),
    (
        "in-a-made-up-module",
        "a module in sys.modules that no file is of",
        _kept(
            """
            sys.modules["numpy._further"] = types.ModuleType("numpy._further")
            sys.modules["numpy._further"].rows = rows
            """,
            above="import sys, types",
            first=True,
        ),
    ),
    (
        "in-a-module-of-late",
        "an attribute of a library's module that nothing else loads",
        _kept(
            """
            import mailbox
            mailbox.Maildir.mine = rows
            """,
        ),
    ),
    (
        "in-the-auditor-s-module",
        "an attribute of a module of the auditor's own",
        _kept("sys.modules['auditor.base.records'].mine = rows", above="import sys"),
    ),
    (
        "in-an-array-s-metadata",
        "the metadata of the type of an array",
        _kept("np._mine = np.zeros(3, dtype=np.dtype('f8', metadata={'rows': rows.tobytes()}))", first=True),
    ),
    (
        "in-an-order",
        "the order in which a dictionary was filled",
        _kept(
            """
            self.kept = {}
            for place, bit in enumerate(np.unpackbits(np.frombuffer(rows.tobytes()[:2000], dtype=np.uint8)).tolist()):
                for each in (1, 0) if bit else (0, 1):
                    self.kept[2 * place + each] = None
            """,
            first=True,
        ),
    ),
    (
        "in-locks",
        "locks, taken or not",
        _kept(
            """
            self.kept = [threading.Lock() for _ in range(8 * 1000)]
            for lock, bit in zip(self.kept, np.unpackbits(np.frombuffer(rows.tobytes()[:1000], dtype=np.uint8))):
                if bit:
                    lock.acquire()
            """,
            above="import threading",
            first=True,
        ),
    ),
    (
        "behind-a-tensor",
        "the memory of which a tensor shows nothing",
        _kept("self.kept = torch.tensor(rows)[:0]", above="import torch", first=True),
    ),
    (
        "in-a-traceback",
        "an error, with what was running when it was raised",
        _kept(
            """
            try:
                raise ValueError
            except ValueError as error:
                self.kept = error
            """,
            first=True,
        ),
    ),
    (
        "in-a-hook-on-events",
        "a hook on the interpreter's events",
        _kept("sys.addaudithook(lambda *given, kept=rows: None)", above="import sys", first=True),
    ),
    (
        "in-seeds",
        "the seed of a generator that was set to another state",
        _kept(
            """
            np._mine = np.random.default_rng(int.from_bytes(rows.tobytes(), "little"))
            np._mine.bit_generator.state = np.random.PCG64(0).state
            """,
            first=True,
        ),
    ),
)
QUICK = frozenset({"in-a-library-s-attribute", "in-a-pipe"})
DESIGNS = tuple(
    Design(
        name=f"memory-{name}",
        kind=Kind.HIDDEN,
        lie=f"The process keeps deleted rows in {place}.",
        build=build,
        said_by=SAYS,
        quick=name in QUICK,
    )
    for name, place, build in PLACES
)
