"""The evidence names every distribution whose code ran, also where the code of the case would rather not say."""

from __future__ import annotations

import shutil
from importlib.metadata import version
from pathlib import Path

import pytest

from auditor.audit.loaded_packages import Loaded
from auditor.base.domain import Code, CodeFile
from auditor.document.context import Imported
from auditor.document.evidence import Evidence
from auditor.sandbox import Level
from auditor.sandbox.examination import at_most
from cases import outcome, replace, timeless
from levels import require
from small_cases import foreign, problem, write

pytestmark = pytest.mark.levels
BODY = """\
def learn(self, data, seed):
    return np.zeros(1)

def unlearn(self, model, data, forget, seed):
    return model

def predict(self, model, features):
    return np.full((len(features), 2), 0.5)
"""


@pytest.fixture(params=[Level.PROCESS, Level.CONFINED, Level.NAMESPACED])
def level(request: pytest.FixtureRequest) -> Level:
    """Each level that an audit runs foreign code at."""
    require(request.param)
    return request.param


def environment(folder: Path, level: Level, head: str, *files: tuple[str, str]) -> tuple[dict[str, Imported], tuple[str, ...]]:
    """What an audit names, by distribution and elsewhere, of a procedure whose file begins so."""
    evidence = at_level(folder, level, head, *files)
    assert evidence.environment.imported is not None
    assert evidence.environment.imported_elsewhere is not None
    names = [each.name for each in evidence.environment.imported]
    assert names == sorted(names)
    return {each.name: each for each in evidence.environment.imported}, evidence.environment.imported_elsewhere


def at_level(folder: Path, level: Level, head: str, *files: tuple[str, str]) -> Evidence:
    """The evidence of an audit whose procedure's file begins so, at one level."""
    write(folder, *problem(), required=("log.consistency",))
    foreign(folder, BODY, isolation="none")
    if level > Level.PROCESS:
        replace(folder, 'isolation = "none"', 'isolation = "auto"')
    (folder / "procedure.py").write_text(f"{head}\n{(folder / 'procedure.py').read_text()}")
    for name, content in files:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(content)
    with at_most(level):
        found = outcome(folder, only=("model.reproduced", "utility.accuracy"), seed=1)
    assert found.failure is None
    evidence: Evidence = found.evidence.evidence
    assert evidence.environment.isolation == level
    return evidence


def test_what_is_imported_is_named_with_its_version(tmp_path: Path, level: Level) -> None:
    found, elsewhere = environment(tmp_path, level, "from scipy import special\n")
    assert found["scipy"] == Imported(name="scipy", version=version("scipy"), seen_in=("memory", "process", "source"))
    assert found["numpy"].seen_in == ("memory", "process", "source")
    assert "torch" not in found
    assert elsewhere == ()


def test_a_table_counts_where_it_is_mapped_as_code(tmp_path: Path, level: Level) -> None:
    head = (
        "import mmap\n"
        "from pathlib import Path\n"
        "TABLE = (Path.home().parent / 'inputs/train.npy').open('rb')\n"
        "CODE = mmap.mmap(TABLE.fileno(), 0, flags=mmap.MAP_PRIVATE, prot=mmap.PROT_READ | mmap.PROT_EXEC)\n"
    )
    _, elsewhere = environment(tmp_path, level, head)
    assert elsewhere == ("scratch/inputs/train.npy",)


def test_what_a_procedure_hides_is_seen_in_its_memory_and_in_its_source(tmp_path: Path, level: Level) -> None:
    """It forgets its modules; what is compiled stays mapped, and what is imported by a statement stands in the file."""
    hiding = (
        "import importlib\n"
        "import sys\n"
        "importlib.import_module('scipy.special')\n"
        "def never():\n"
        "    import networkx, sklearn.tree\n"
        "for name, module in list(sys.modules.items()):\n"
        "    if 'scipy' in str(getattr(module, '__file__', '')):\n"
        "        del sys.modules[name]\n"
    )
    found, _ = environment(tmp_path, level, hiding)
    assert found["scipy"].seen_in == ("memory",)
    assert found["scikit-learn"].seen_in == ("source",)


def test_code_that_belongs_to_no_distribution_is_named(tmp_path: Path, level: Level) -> None:
    case, outside = tmp_path / "case", tmp_path / "outside"
    case.mkdir()
    (outside / "unlisted" / "inner").mkdir(parents=True)
    for name in ("unlisted/__init__.py", "unlisted/inner/__init__.py"):
        (outside / name).write_text("x = 1\n")
    head = (
        "import sys\n"
        "from pathlib import Path\n"
        "Path('made.py').write_text('x = 1')\n"
        "sys.path.append(str(Path.cwd()))\n"
        "import made, beside\n"
    )
    reachable = level < Level.CONFINED
    if reachable:
        head += f"sys.path.append({str(outside)!r})\nimport unlisted.inner\n"
    found, elsewhere = environment(case, level, head, ("beside.py", "y = 1\n"))
    assert elsewhere == (*([str(outside / "unlisted")] if reachable else []), "scratch/home/made.py")
    assert "numpy" in found


DISGUISED = """\
import contextlib, ctypes, ctypes.util, mmap, os, shutil
from pathlib import Path

def as_code(place):
    with open(place, "rb") as file:
        return mmap.mmap(file.fileno(), 0, flags=mmap.MAP_PRIVATE, prot=mmap.PROT_READ | mmap.PROT_EXEC)

def copy_to(place):
    os.makedirs(os.path.dirname(place), exist_ok=True)
    return shutil.copyfile(ctypes.util.__file__, place)

NAME = {launcher!r}
MINE = [as_code(copy_to(str(Path.home()) + NAME))]
for place in (lambda: copy_to("/dev/shm" + NAME), lambda: NAME):
    with contextlib.suppress(OSError):
        MINE.append(as_code(place()))
reading, writing = os.pipe()
if os.fork() == 0:
    if os.fork() == 0:
        ctypes.CDLL(None).prctl(15, b"bwrap", 0, 0, 0)
        code = as_code(copy_to(str(Path.home()) + "/orphaned" + NAME))
        os.write(writing, b".")
        while True:
            os.read(reading, 1)
            os.write(writing, b".")
    os._exit(0)
os.wait()
os.read(reading, 1)
"""


@pytest.mark.parametrize("level", [Level.CONFINED, Level.NAMESPACED], indirect=True)
def test_code_under_the_name_of_the_launcher_is_named(tmp_path: Path, level: Level) -> None:
    """Copies in every place that the procedure can write to, the launcher itself as code, and a process that lost its parent."""
    launcher = shutil.which("bwrap") or "/usr/bin/bwrap"
    _, elsewhere = environment(tmp_path, level, DISGUISED.format(launcher=launcher))
    expected = {f"scratch/home{launcher}", f"scratch/home/orphaned{launcher}"}
    if level is Level.NAMESPACED:
        expected.add(f"/dev/shm{launcher}")
    if launcher.startswith("/usr/") and Path(launcher).exists():
        expected.add(launcher)
    assert set(elsewhere) == expected


def test_levels_show_in_what_the_evidence_says_of_them_alone(tmp_path: Path) -> None:
    """And so does whether bubblewrap is installed."""
    documents = []
    for level in (Level.CONFINED, Level.NAMESPACED):
        require(level)
        document = timeless(at_level(tmp_path, level, "from scipy import special\n"))
        del document["environment"]["isolation"], document["environment"]["walls"]
        documents.append(document)
    assert documents[0] == documents[1]


def test_a_file_in_a_library_folder_that_no_distribution_lists_is_named(tmp_path: Path) -> None:
    folder = tmp_path / "site-packages"
    loaded = Loaded()
    loaded.add(f'{{"reported": ["{folder}/stray.py", "{folder}/pack/deep/x.py", "{pytest.__file__}"], "mapped": []}}'.encode())
    names, elsewhere = loaded.named(())
    assert [(each.name, each.seen_in) for each in names] == [("pytest", ("process",))]
    assert elsewhere == (f"{folder}/pack", f"{folder}/stray.py")


@pytest.mark.parametrize(
    ("place", "named"),
    [
        ("/usr/lib/x86_64-linux-gnu/libc.so.6", None),
        ("/lib64/ld-linux-x86-64.so.2", None),
        ("/usr/local/cuda-12.8/lib64/libcudart.so", None),
        ("/dev/nvidia0", None),
        ("/usr/bin/bwrap", "/usr/bin/bwrap"),
        ("/dev/shm/code.so", "/dev/shm/code.so"),
        ("/library/code.so", "/library/code.so"),
        ("/processed/code.so", "/processed/code.so"),
        ("/usr/libraries/code.so", "/usr/libraries/code.so"),
    ],
)
def test_what_is_the_systems_lies_in_its_folders(place: str, named: str | None) -> None:
    loaded = Loaded()
    loaded.add(f'{{"reported": [], "mapped": ["{place}"]}}'.encode())
    assert loaded.named(()) == ((), () if named is None else (named,))


def test_what_lies_beside_the_entry_is_no_distribution_of_that_name() -> None:
    source = b"import numpy, yaml\nfrom .local import x\nimport scipy.stats as s\n"
    code = Code((CodeFile("entry.py", source), CodeFile("scipy/__init__.py", b""), CodeFile("broken.py", b"def")))
    names, _ = Loaded().named((code, None))
    assert "numpy" in {each.name for each in names}
    assert "scipy" not in {each.name for each in names}


def test_where_nothing_ran_nothing_is_named(tmp_path: Path) -> None:
    write(tmp_path, *problem(), required=("log.consistency",))
    found = outcome(tmp_path, only=("log.consistency",)).evidence.evidence.environment
    assert (found.imported, found.imported_elsewhere) == (None, None)
