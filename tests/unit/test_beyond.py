"""What a process notes before code of a case is there: whatever changes later is met, and what libraries do themselves is not."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from textwrap import dedent, indent
from typing import Any

import pytest

from auditor.sandbox.child import _raised

BEFORE_EACH = """
import json, os, sys, traceback
from pathlib import Path
import numpy as np
{loaded}
from auditor.sandbox import beyond
from auditor.sandbox.object_walk import walk

def _asked(channel):
    asked = b""
    while not asked.endswith(b"\\n"):
        if not (part := os.read(channel, 65536)):
            os._exit(0)
        asked += part
    return json.loads(asked)

while True:
    code, answer = _asked({channel})
    if (child := os.fork()) == 0:
        os.close({channel})
        try:
            exec(code)
        except BaseException:
            found = {{"error": traceback.format_exc()}}
        with open(answer, "x") as file:
            json.dump(found, file)
        os._exit(0)
    os.waitpid(child, 0)
    os.write({done}, b".")
"""
AROUND = """
def learn(rows):
{lines}

found = None
beyond.enter()
learn(np.arange(40.0))
found = walk(object(), object(), Path("/no/such/scratch"), everywhere=True)
found = {{"items": [(item[0], item[4]) for item in found["beyond"] if item[3] >= {size}], "cut": found["cut"]}}
"""


class Loaded:
    """A process that has loaded what it was told to, as those that workers are forked from: code runs in forks of it."""

    def __init__(self, loaded: str, folder: Path) -> None:
        """Start it; where answers go, and with the standard streams of a process that nobody looks at."""
        self._folder, self._number = folder, 0
        (asked, self._asks), (self._done, done) = os.pipe(), os.pipe()
        code = BEFORE_EACH.format(loaded=loaded, channel=asked, done=done)
        self._process = subprocess.Popen(
            [sys.executable, "-c", code],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            pass_fds=(asked, done),
            env={**os.environ, "PYTHONHASHSEED": "0"},
        )
        os.close(asked)
        os.close(done)

    def met(self, code: str) -> dict[str, Any]:
        """What the code finds in a fork."""
        self._number += 1
        answer = self._folder / str(self._number)
        os.write(self._asks, json.dumps([code, str(answer)]).encode() + b"\n")
        assert os.read(self._done, 1) == b".", "it could not load that"
        found: dict[str, Any] = json.loads(answer.read_text(encoding="utf-8"))
        assert "error" not in found, found["error"]
        return found

    def end(self) -> None:
        """End it."""
        os.close(self._asks)
        os.close(self._done)
        self._process.wait()


_LOADED: dict[str, Loaded] = {}


@pytest.fixture(scope="module", autouse=True)
def _processes(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """End the processes that tests of this module were forked from."""
    _FOLDERS.append(tmp_path_factory)
    yield
    _FOLDERS.clear()
    while _LOADED:
        _LOADED.popitem()[1].end()


_FOLDERS: list[pytest.TempPathFactory] = []


def walked(lines: str, *, loaded: str = "", size: int = 0) -> tuple[list[str], bool]:
    """Name what a walk meets elsewhere in a process of its own, from a size in bytes on, and say whether it was cut short."""
    items, cut = met(lines, loaded=loaded, size=size)
    return [name for name, _ in items], cut


def met(lines: str, *, loaded: str = "", size: int = 0) -> tuple[list[tuple[str, str]], bool]:
    """Give the same with the digest of each."""
    if loaded not in _LOADED:
        _LOADED[loaded] = Loaded(loaded, _FOLDERS[0].mktemp("answers"))
    found = _LOADED[loaded].met(AROUND.format(lines=indent(dedent(lines).strip(), "    "), size=size))
    return [(name, digest) for name, digest in found["items"]], found["cut"]


MADE = """
import types
made = sys.modules['made'] = types.ModuleType('made')
exec(f'def f(): return {rows.tobytes()!r}', made.__dict__)
"""
WAITING = r"""
import threading, time
here = {}
exec(f'def run():\n import time\n kept = {rows.tobytes()!r}\n time.sleep(99)', here)
threading.Thread(target=here['run'], daemon=True).start()
time.sleep(0.3)
"""
BEFORE = """
import functools
np._none = np.empty((1, 1), dtype=object)
np._many = {str(each) for each in range(9)}
np._table = dict.fromkeys(range(9))
np._kept = functools.lru_cache(list)
np._cached = functools.lru_cache(lambda key: [])
np._length = functools.lru_cache(len)
np._boundless = functools.cache(lambda key: [])
"""


@pytest.mark.parametrize(
    ("lines", "name"),
    [
        ("np._mine = rows", "library numpy: _mine"),
        ("json.encoder.ESCAPE_DCT['mine'] = rows", "library json.encoder.ESCAPE_DCT: mine"),
        ("json.JSONDecoder.mine = rows", "library json.decoder.JSONDecoder: mine"),
        ("import fnmatch; fnmatch.fnmatch('a', rows.tobytes().hex())", "library fnmatch._compile_pattern"),
        ("import os; os.putenv('MINE', rows.tobytes().hex())", "process environment"),
        ("import signal; signal.signal(signal.SIGUSR1, lambda *_: rows)", "process handler of signal 10.closure[0].content"),
        ("import atexit; atexit.register(id, rows)", "process at the end 0[1][0]"),
        ("import contextvars; contextvars.ContextVar('mine').set(rows)", "process context: mine"),
        ("import _thread, time; _thread.start_new_thread(lambda held: time.sleep(99), (rows,))", "thread in learn"),
        ("import mailbox; mailbox.Maildir.mine = rows", "module mailbox.Maildir.mine"),
        ("np.seterrcall(lambda *_: rows)", "process context: numpy.ufunc.extobj[…].closure[0].content"),
        ("made = type('C', (), {'rows': rows, '__module__': 'numpy'}); np.C = made", "library numpy: C.rows"),
        ("import types; made = types.ModuleType('x'); made.rows = rows; np._mine = made", "library numpy: _mine.rows"),
        ("np.testing.assert_equal.__defaults__ = (rows, '', True)", "library"),
        ("np._none[0, 0] = rows.tobytes()", "library numpy._none, in place"),
        ("import functools; np._cached('q').extend(rows.tolist())", "library numpy._cached"),
        ("np._boundless(rows.tobytes().hex())", "library numpy._boundless"),
        ("np._boundless('q').extend(rows.tolist())", "library numpy._boundless"),
        (MADE, "module made.f"),
        ("import mailbox; mailbox.__cached__ = rows.tobytes().hex()", "module mailbox.__cached__"),
        ("import mailbox; mailbox.__path__ = [rows.tobytes().hex()]", "module mailbox.__path__"),
        ("import mailbox; mailbox.__spec__.loader_state = rows", "module mailbox.__spec__"),
        ("import mailbox; mailbox.__loader__.mine = rows", "module mailbox.__"),
        ("import types; sys.modules['made'] = types.ModuleType('made', rows.tobytes().hex())", "module made.__doc__"),
        ("import typing; typing.IO[type('Q', (), {'rows': rows})]", "library functools"),
        (WAITING, "thread in run"),
        ("import threading; sys.held = threading.local(); sys.held.rows = rows", "library"),
    ],
)
def test_what_changes_elsewhere_is_met(lines: str, name: str) -> None:
    names, _ = walked(lines, loaded=BEFORE, size=256)
    assert any(each.startswith(name) for each in names), names


LOADED = "import sklearn.utils, sklearn.linear_model, scipy.stats"
ROBUST = """
from sklearn.covariance import EllipticEnvelope
EllipticEnvelope(random_state=0).fit(rows.reshape(20, 2))
from sklearn.covariance import _robust_covariance
"""


def test_the_generator_that_a_library_s_distribution_shares_with_everybody_is_compared_once() -> None:
    """Its state is another in each process: whoever drew from it left behind how often, and who refers to it nothing."""
    names, _ = walked(f"{ROBUST}\nnp.random.normal(size=3)", loaded=LOADED)
    held = [each for each in names if "chi2._random_state" in each]
    assert held == ["module sklearn.covariance._robust_covariance.chi2._random_state"]
    assert [each for each in names if each.startswith("process generator numpy")] == [
        "process generator numpy: drawn",
        "process generator numpy: ahead",
    ]


@pytest.mark.attempt("records in what a process shares")
@pytest.mark.parametrize(
    ("lines", "name"),
    [
        ("np.random.seed(np.frombuffer(rows.tobytes(), dtype=np.uint32)[:600])", "process generator numpy"),
        ("_robust_covariance.chi2._random_state.seed(int(rows.sum()))", "process generator numpy"),
        (
            "_robust_covariance.chi2._random_state.set_state(('MT19937', np.resize(rows.view('<u4'), 624), 7))",
            "process generator numpy",
        ),
        ("_robust_covariance.chi2._random_state = np.random.RandomState(int(rows.sum()))", "module"),
        ("_robust_covariance.chi2.mine = rows", "module sklearn.covariance._robust_covariance.chi2.mine"),
    ],
)
def test_what_is_put_into_a_generator_that_everybody_shares_is_met(lines: str, name: str) -> None:
    names, _ = walked(f"{ROBUST}\n{lines}", loaded=LOADED, size=256)
    assert any(each.startswith(name) and ("generator" in each or "chi2" in each) for each in names)


STR_KEY = """
class Key(str):
    pass
key = Key('mine')
key.rows = rows
vars(np)[key] = 1
"""


@pytest.mark.attempt("records in what a process shares")
@pytest.mark.parametrize(
    ("lines", "name"),
    [
        ("setattr(np, rows.tobytes().hex(), np)", "library numpy: 0000"),
        ("np.decimal = sys.modules['decimal']", "library numpy: decimal"),
        ("import sys as system; np._table[rows.tobytes()] = system", "library numpy._table: bytes"),
    ],
)
def test_modules_by_names_that_no_import_gives_are_met(lines: str, name: str) -> None:
    names, _ = walked(lines, loaded=f"{BEFORE}\nimport decimal")
    assert any(each.startswith(name) for each in names), names


@pytest.mark.attempt("records in what a process shares")
def test_what_keys_hold_is_met() -> None:
    names, _ = walked(STR_KEY, size=256)
    assert any(each.startswith("library numpy: ") and "Key" in each for each in names), names


def test_modules_by_the_names_of_their_import_are_none() -> None:
    names, _ = walked("import numpy.polynomial.hermite")
    assert not [each for each in names if each.startswith(("library numpy: ", "library numpy.polynomial: "))], names


ARRAYS = f"{BEFORE}\nimport ctypes\nctypes.c_char * 3"


def test_lengths_of_arrays_that_ctypes_was_asked_for_are_let_be() -> None:
    """As many numbers as a table has rows: ctypes keeps a type for it, in a dictionary that was there before."""
    names, _ = walked("import ctypes\nctypes.POINTER(ctypes.c_double * len(rows))", loaded=ARRAYS)
    assert names == walked("pass", loaded=ARRAYS)[0]


@pytest.mark.attempt("records in what a process shares")
@pytest.mark.parametrize(
    "lines",
    [
        "for each in range(300):\n    ctypes.POINTER(ctypes.c_char * (100000 + each * int(rows[each % 40] + 1)))",
        "kept = weakref.proxy(ctypes.c_char * 7, lambda _, kept=rows: None)\nof_lengths()[ctypes.c_char, 7] = kept",
        "of_lengths()[ctypes.c_char, 7] = rows",
        "of_lengths()[ctypes.c_char, rows.tobytes()] = weakref.proxy(ctypes.c_char * 7)",
    ],
    ids=["many", "with a callback", "something else", "another key"],
)
def test_what_is_put_where_ctypes_keeps_lengths_is_met(lines: str) -> None:
    before = """
        import ctypes, gc, weakref
        def of_lengths():
            found = (each for each in gc.get_objects() if type(each) is dict)
            return next(each for each in found if (ctypes.c_char, 3) in each)
    """
    names, _ = walked(f"{dedent(before)}\n{lines}", loaded=f"{ARRAYS}\nkept = ctypes.POINTER(ctypes.c_char * 3)")
    assert any("builtins.dict" in each for each in names), names


@pytest.mark.attempt("records in what a process is set to")
@pytest.mark.parametrize(
    ("lines", "name"),
    [
        ("sys.setrecursionlimit(5000 + int(rows.sum()))", "process setting depth of calls"),
        ("import gc; gc.set_threshold(701, int(rows.sum()), 10)", "process setting collector"),
        ("import os; os.umask(0o137)", "process setting mask of files"),
        ("import signal; signal.signal(signal.SIGUSR1, signal.SIG_IGN)", "process setting ignored signals"),
        ("import signal; signal.pthread_sigmask(signal.SIG_BLOCK, {40, 42})", "process setting signals"),
        ("import ctypes; ctypes.CDLL(None).prctl(15, b'rows', 0, 0, 0)", "process setting name of the thread"),
        ("import resource; resource.setrlimit(resource.RLIMIT_CORE, (0, 0))", "process setting limits"),
        ("import decimal; decimal.DefaultContext.prec = int(rows.sum())", "process setting decimals"),
        ("sys.addaudithook(lambda *given, kept=rows: None)", "process on events 0"),
        ("import os; os.register_at_fork(before=lambda kept=rows: None)", "process at a fork 0"),
        ("sys.set_asyncgen_hooks(firstiter=lambda given, kept=rows: None)", "process hook"),
        ("import os; os.set_inheritable(os.open('/dev/null', os.O_RDWR), True)", "descriptor"),
        ("import ctypes; ctypes.CDLL(None).signal(40, ctypes.c_void_p(1))", "process setting signals of C"),
        ("import ctypes; ctypes.CDLL(None).signal(40, ctypes.c_void_p(1))", "process setting signals of the kernel"),
        ("import ctypes; ctypes.CDLL(None).prctl(1, 10, 0, 0, 0)", "process setting signal at the parent's end"),
        ("import logging; [logging._lock.acquire() for _ in range(3)]", "library logging._lock, taken"),
        (
            "import collections.abc; np._c = type('C', (), {}); collections.abc.Sized.register(np._c)",
            "module collections.abc.Sized: registered",
        ),
    ],
)
def test_what_a_process_is_set_to_is_met(lines: str, name: str) -> None:
    names, _ = walked(lines, loaded=f"{BEFORE}\nimport decimal, logging")
    assert any(each.startswith(name) for each in names), names


@pytest.mark.attempt("records in what a process is set to")
@pytest.mark.parametrize(
    "lines",
    [
        "import os; os._kept = os.eventfd({number})",
        "import fcntl, os; fcntl.fcntl(os.pipe()[1], 1031, 4096 * 2 ** ({number} % 5))",
        "import os, socket; one, _ = os._kept = socket.socketpair(); one.setsockopt(1, socket.SO_SNDBUF, 9000 + {number})",
        "import os, select; os._kept = select.epoll(); os._kept.register(os.pipe()[0], {number} % 31)",
    ],
)
def test_a_number_that_the_kernel_keeps_with_a_descriptor_is_met(lines: str) -> None:
    def of_descriptors(number: int) -> list[tuple[str, str]]:
        return sorted(each for each in met(lines.format(number=number))[0] if each[0].startswith("descriptor"))

    assert of_descriptors(1234)
    assert of_descriptors(1234) == of_descriptors(1234)
    assert of_descriptors(1234) != of_descriptors(4321)


@pytest.mark.attempt("records in what a process is set to")
def test_a_counter_that_was_open_before_is_met_once_it_counts() -> None:
    names, _ = walked("os.eventfd_write(os._kept, int(rows.sum()))", loaded="import os; os._kept = os.eventfd(0)")
    assert any(each.startswith("descriptor") for each in names), names


@pytest.mark.attempt("records in an order")
def test_the_scratch_folder_in_a_name_is_no_word_that_another_name_can_have() -> None:
    names, _ = walked("for each in ('scratch', '<scratch>', '/no/such/scratch'): json.encoder.ESCAPE_DCT[each] = 0")
    told = {each.removeprefix("library json.encoder.ESCAPE_DCT: ") for each in names if "ESCAPE_DCT: " in each}
    assert told == {"scratch", "<<scratch>", "<scratch>"}


@pytest.mark.attempt("records in an order")
def test_the_order_of_many_new_keys_is_met() -> None:
    def order(lines: str) -> list[tuple[str, str]]:
        return [each for each in met(lines)[0] if "order of what is new" in each[0]]

    filling = "for place in {}(range({})): json.encoder.ESCAPE_DCT[f'key {{place}}'] = None"
    assert order(filling.format("list", 30)) == []
    assert order(filling.format("list", 300))
    assert order(filling.format("list", 300)) != order(filling.format("reversed", 300))


@pytest.mark.parametrize("lines", ["np._many.remove('3')", "del np._table[3]", "np._many -= {'5', '7'}"])
def test_what_is_taken_away_is_met(lines: str) -> None:
    names, _ = walked(lines, loaded=BEFORE)
    assert any(each.endswith(": removed") or "removed" in each for each in names), names


@pytest.mark.parametrize(
    "lines",
    [
        "import os; os.write(os.pipe()[1], rows.tobytes())",
        "import sqlite3; np._mine = sqlite3.connect(':memory:')",
        "import signal; signal.setitimer(signal.ITIMER_REAL, 10 ** 8)",
        "import os, time; os.fork() or (time.sleep(5), os._exit(0))",
        "import sqlite3; sqlite3._mine = sqlite3.connect(':memory:')",
        "import mailbox, mmap; mailbox._mine = mmap.mmap(-1, 4096)",
        "import pandas; np._mine = pandas._libs.hashtable.PyObjectHashTable()",
        "import pandas; np._mine = index = pandas.Index(list('abc')); 'a' in index; index._engine.mapping.set_item('mine', 7)",
    ],
)
def test_what_nobody_can_look_into_cuts_the_walk_short(lines: str) -> None:
    assert walked(lines, loaded="import pandas" if "pandas" in lines else "")[1]


@pytest.mark.parametrize(
    "lines",
    [
        "import decimal, fractions, uuid, ssl, asyncio, csv, sqlite3, multiprocessing.pool",
        "import sklearn.ensemble, scipy.optimize, scipy.sparse.linalg",
        "import pandas; pandas.DataFrame({'a': rows, 'b': rows}).groupby('a').mean().describe()",
        "import pandas; np._mine = index = pandas.Index(list('abc')); 'a' in index",
        pytest.param("import torch; torch.optim.Adam(torch.nn.Linear(2, 1).parameters())", marks=pytest.mark.slow),
    ],
)
def test_what_libraries_are_loaded_with_cuts_no_walk_short(lines: str) -> None:
    assert not walked(lines)[1]


def test_what_libraries_keep_for_themselves_is_no_content() -> None:
    """Caches of functions by names and types, notes on abstract classes, and the like."""
    lines = """
    from sklearn.linear_model import LogisticRegression
    LogisticRegression().fit(rows.reshape(20, 2), np.arange(20) % 2)
    np.array_repr(rows)
    """
    names, cut = walked(lines, loaded="import sklearn.linear_model", size=256)
    assert (names, cut) == ([], False)


PRINTED = """
print(rows.tobytes().hex())
print("no end of line, and to be seen", end="", file=sys.stderr)
"""
READ_AHEAD = """
import io, os
hidden, kept = os.memfd_create("hidden"), os.dup(0)
os.write(hidden, rows.tobytes())
os.lseek(hidden, 0, os.SEEK_SET)
os.dup2(hidden, 0)
np._mine = io.BufferedReader(io.FileIO(0, closefd=False))
np._mine.peek()
os.dup2(kept, 0)
os.close(hidden)
os.close(kept)
"""
IN_PLACE_OF_STDOUT = """
import io
sys.__stdout__ = io.TextIOWrapper(io.BytesIO(), write_through=False)
sys.__stdout__.write(rows.tobytes().hex())
"""


@pytest.mark.attempt("records in what a process shares")
def test_many_short_keys_of_a_cache_are_content_and_few_are_none() -> None:
    """One has no room for a record, and a hundred have."""
    split = "[np._length((3 * rows.tobytes().hex())[place : place + 30]) for place in range(0, {}, 30)]"
    assert not [each for each in walked(split.format(90), loaded=BEFORE)[0] if "_length" in each]
    assert len([each for each in walked(split.format(1200), loaded=BEFORE)[0] if "_length" in each]) > 5


@pytest.mark.attempt("records in what a process shares")
def test_keys_that_look_like_many_places_in_memory_are_content() -> None:
    named = "for place in range({}): json.encoder.ESCAPE_DCT[hex(7 ** 9 + place)] = None"
    few, _ = walked(named.format(3))
    assert few.count("library json.encoder.ESCAPE_DCT: address") == 3
    many, _ = walked(named.format(30))
    assert len({each for each in many if each.startswith("library json.encoder.ESCAPE_DCT: 0x")}) == 30
    locals_, _ = walked(
        "import threading\nsys.held = [threading.local() for _ in range(30)]\nfor each in sys.held: each.rows = rows"
    )
    assert [each for each in locals_ if "thread.local." in each and "address" not in each] == []
    long, _ = walked("json.encoder.ESCAPE_DCT['0x' + rows.tobytes().hex()] = None")
    assert any(each.startswith("library json.encoder.ESCAPE_DCT: 0x0000") for each in long)


OF_TORCH = "import torch, torch._dynamo, torch.optim"
STEPPING = """
import functools
network = torch.nn.Linear(2, 1)
optimiser = torch.optim.SGD(network.parameters(), lr=0.1)
network(torch.ones(3, 2)).sum().backward()
optimiser.step()
noted = torch.optim.Optimizer.add_param_group.__wrapped__.__dynamo_disable
"""


@pytest.mark.slow  # the same without PyTorch: test_object_walk
@pytest.mark.attempt("records in what PyTorch notes")
def test_what_pytorch_notes_on_its_own_functions_is_alike_and_what_is_put_there_is_met() -> None:
    def noted(lines: str) -> list[tuple[str, str]]:
        return sorted(each for each in met(f"{STEPPING}{lines}", loaded=OF_TORCH)[0] if "__dynamo_disable" in each[0])

    plain = noted("")
    assert plain
    assert plain == noted(
        "filler = [object() for _ in range(10 ** 5)]; optimiser = torch.optim.SGD(network.parameters(), lr=0.1)"
    )
    for hiding in (
        "noted._torchdynamo_wrapper_id = int(rows.sum())",
        "noted._torchdynamo_wrapper_id += 1",
        "noted._torchdynamo_disable_msg = rows.tobytes().hex()",
        "noted.mine = rows",
        "torch.optim.Optimizer.add_param_group.__wrapped__.__dynamo_disable = lambda *given: noted(*given) or rows",
    ):
        assert noted(hiding) != plain, hiding


def test_what_was_printed_is_no_longer_in_the_process() -> None:
    names, cut = walked(PRINTED)
    assert not any("sys.__std" in each for each in names)
    assert not cut


@pytest.mark.attempt("records in what a process shares")
@pytest.mark.parametrize("lines", [READ_AHEAD, IN_PLACE_OF_STDOUT])
def test_what_waits_to_be_written_or_read_elsewhere_cuts_the_walk_short(lines: str) -> None:
    assert walked(lines)[1]


def test_without_notes_nothing_is_met() -> None:
    names, cut = walked("pass", size=256)
    assert (names, cut) == ([], False)


def test_code_that_writes_elsewhere_is_told_where_it_may() -> None:
    with pytest.raises(PermissionError) as raised:
        raise PermissionError(13, "Permission denied", "/somewhere/a name")
    words = _raised(raised.value)
    assert words.startswith("it raised PermissionError: in the sandbox code can write to its working directory alone")
    assert "a name" not in words
