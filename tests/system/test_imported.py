"""The evidence names every distribution whose code ran, also where the code of the case would rather not say."""

from __future__ import annotations

from importlib.metadata import version
from pathlib import Path

import pytest

from auditor.domain import Code, CodeFile
from auditor.evidence import Evidence, Imported
from auditor.observing.imported import Loaded
from cases import outcome
from small_cases import foreign, problem, write

BODY = """\
def learn(self, data, seed):
    return np.zeros(1)

def unlearn(self, model, data, forget, seed):
    return model

def predict(self, model, features):
    return np.full((len(features), 2), 0.5)
"""


def environment(folder: Path, head: str, *files: tuple[str, str]) -> tuple[dict[str, Imported], tuple[str, ...]]:
    """What an audit names, by distribution and elsewhere, of a procedure whose file begins so."""
    write(folder, *problem(), required=("log.consistency",))
    foreign(folder, BODY)
    (folder / "procedure.py").write_text(f"{head}\n{(folder / 'procedure.py').read_text()}")
    for name, content in files:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(content)
    found = outcome(folder, only=("model.reproduced", "utility.accuracy"))
    assert found.failure is None
    evidence: Evidence = found.evidence.evidence
    assert evidence.environment.imported is not None
    assert evidence.environment.imported_elsewhere is not None
    names = [each.name for each in evidence.environment.imported]
    assert names == sorted(names)
    return {each.name: each for each in evidence.environment.imported}, evidence.environment.imported_elsewhere


def test_what_is_imported_is_named_with_its_version(tmp_path: Path) -> None:
    found, elsewhere = environment(tmp_path, "from scipy import special\n")
    assert found["scipy"] == Imported(name="scipy", version=version("scipy"), seen_in=("memory", "process", "source"))
    assert found["numpy"].seen_in == ("memory", "process", "source")
    assert "torch" not in found
    assert elsewhere == ()


def test_a_table_counts_where_it_is_mapped_as_code(tmp_path: Path) -> None:
    head = (
        "import mmap\n"
        "from pathlib import Path\n"
        "TABLE = (Path.home().parent / 'inputs/train.npy').open('rb')\n"
        "CODE = mmap.mmap(TABLE.fileno(), 0, flags=mmap.MAP_PRIVATE, prot=mmap.PROT_READ | mmap.PROT_EXEC)\n"
    )
    _, elsewhere = environment(tmp_path, head)
    assert elsewhere == ("scratch/inputs/train.npy",)


def test_what_a_procedure_hides_is_seen_in_its_memory_and_in_its_source(tmp_path: Path) -> None:
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
    found, _ = environment(tmp_path, hiding)
    assert found["scipy"].seen_in == ("memory",)
    assert found["scikit-learn"].seen_in == ("source",)


def test_code_that_belongs_to_no_distribution_is_named(tmp_path: Path) -> None:
    case, outside = tmp_path / "case", tmp_path / "outside"
    case.mkdir()
    (outside / "unlisted" / "inner").mkdir(parents=True)
    for name in ("unlisted/__init__.py", "unlisted/inner/__init__.py"):
        (outside / name).write_text("x = 1\n")
    head = (
        "import sys\n"
        f"sys.path.append({str(outside)!r})\n"
        "import unlisted.inner\n"
        "from pathlib import Path\n"
        "Path('made.py').write_text('x = 1')\n"
        "sys.path.append(str(Path.cwd()))\n"
        "import made, beside\n"
    )
    found, elsewhere = environment(case, head, ("beside.py", "y = 1\n"))
    assert elsewhere == (str(outside / "unlisted"), "scratch/home/made.py")
    assert "numpy" in found


def test_a_file_in_a_library_folder_that_no_distribution_lists_is_named(tmp_path: Path) -> None:
    folder = tmp_path / "site-packages"
    loaded = Loaded()
    loaded.add(f'{{"reported": ["{folder}/stray.py", "{folder}/pack/deep/x.py", "{pytest.__file__}"], "mapped": []}}'.encode())
    names, elsewhere = loaded.named(())
    assert [(each.name, each.seen_in) for each in names] == [("pytest", ("process",))]
    assert elsewhere == (f"{folder}/pack", f"{folder}/stray.py")


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
