"""The files of what was made from the model: digested, and listed among the inputs of the case."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterable, Iterator, Sequence
from pathlib import Path

from auditor.base.domain import InputFile, Problem
from auditor.case.files import list_files, locate
from auditor.document.evidence import case_digest
from auditor.settings.lineage import Descendant
from auditor.settings.values import show


def read(
    made: Sequence[Descendant], folder: Path, file: str, *, taken: Collection[str], store: str | None
) -> tuple[tuple[Descendant, ...], list[InputFile], list[Problem]]:
    """Digest the file or folder of each thing that has one.

    Args:
        made: The entries of [[lineage]].
        folder: The case folder, resolved.
        file: The file that declares them.
        taken: Paths of files that the case reads as something else.
        store: The path of the data store, as declared: things may lie in it.

    Returns:
        The entries, each with the digest of what was read; the files; and every problem.
    """
    filled, listed, problems = list[Descendant](), list[InputFile](), list[Problem]()
    kept = None if store is None else (folder / store).resolve()
    # By what a path leads to: a link is another name for the same file.
    leads_to = ((name, (folder / name).resolve()) for name in taken)
    others = {path: name for name, path in leads_to if not _below(path, kept)}
    for index, each in enumerate(made):
        found = None if each.path is None else locate(folder, each.path, f"lineage.{index}.path", file=file, may_be_folder=True)
        if isinstance(found, Problem):
            problems.append(found)
        if found is None or isinstance(found, Problem):
            filled.append(each)
            continue
        place, name = found
        files, wrong = list_files(place, name, of=f"lineage.{index}")
        real = {one.path: place if one.path == name else place / one.path.removeprefix(f"{name}/") for one in files}
        if shared := sorted(others[one] for one in real.values() if one in others):
            said = f"{show(each.path)}, and {shared[0]} is something else"
            problems.append(Problem(file, f"lineage.{index}.path", "a file or folder of its own", said))
        others |= {one: name for name, one in real.items()}
        problems += wrong
        listed += files
        sha256 = files[0].sha256 if place.is_file() and files else case_digest(sorted(files, key=lambda one: one.path))
        if each.sha256 not in {None, sha256}:
            problems.append(Problem(file, f"lineage.{index}.sha256", f"the digest of {name}, {sha256}", show(each.sha256)))
        filled.append(each.model_copy(update={"sha256": sha256}))
    return tuple(filled), listed, problems


def _below(path: Path, folder: Path | None) -> bool:
    return folder is not None and path.is_relative_to(folder)


def files_of(made: Descendant, folder: Path, inputs: Iterable[InputFile], store: str | None) -> Iterator[tuple[Path, InputFile]]:
    """Give the files of one thing, each with what the case lists of it; without those that lie in the store.

    Args:
        made: The thing.
        folder: The case folder, resolved.
        inputs: The inputs of the case.
        store: The path of the data store, as declared.
    """
    if made.path is None:
        return
    name, kept = _normal(made.path), None if store is None else _normal(store)
    path = (folder / name).resolve()
    for each in inputs:
        if _within(each.path, name) and not _within(each.path, kept):
            yield (path if each.path == name else path / each.path.removeprefix(f"{name}/")), each


def _normal(path: str) -> str:
    return Path(os.path.normpath(path)).as_posix()


def _within(path: str, name: str | None) -> bool:
    return name is not None and (path == name or path.startswith(f"{name}/") or name == ".")
