"""What the folder of a model says of it: a few words out of files that MLflow and Hugging Face write, taken as the party's own.

Nothing of it is believed, and nothing decides by it. JSON is parsed within limits; of YAML only lines that are a plain key and a
plain value are read, so that no tag, anchor or nesting is ever followed.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any, Final

from auditor.document.evidence import About
from auditor.settings.problems import text_fault

FILES: Final = ("MLmodel", "README.md", "adapter_config.json", "config.json")
"""Files that are read, by their names at the top of a folder."""
MOST_BYTES: Final = 1 << 20
LONGEST: Final = 200

_IN_JSON: Final[dict[str, About]] = {
    "_name_or_path": "base-model",
    "base_model_name_or_path": "base-model",
    "model_type": "kind",
    "peft_type": "adapter",
    "architectures": "architecture",
    "transformers_version": "transformers",
}
_IN_YAML: Final[dict[str, About]] = {
    "base_model": "base-model",
    "library_name": "framework",
    "license": "licence",
    "pipeline_tag": "task",
    "run_id": "run",
    "model_uuid": "model",
    "mlflow_version": "mlflow",
    "utc_time_created": "created",
}
_LINE: Final = re.compile(r"([A-Za-z_][A-Za-z0-9_]*): +(\S.*)")
_FLAVOUR: Final = re.compile(r"  ([A-Za-z_][A-Za-z0-9_]*):\s*")
_SPECIAL: Final = frozenset("&*!|>{}[],#%@`")
"""What begins a value of YAML that is no plain one."""


def said(files: Mapping[str, bytes]) -> dict[About, str]:
    """What the files of one folder say, by what it is about.

    Args:
        files: By name at the top of the folder; those of other names are not read.
    """
    found: dict[About, str] = {}
    for name in FILES:
        content = files.get(name)
        if content is None or len(content) > MOST_BYTES:
            continue
        try:
            text = content.decode("utf-8-sig")
        except UnicodeDecodeError:
            continue
        for key, value in _of_json(text) if name.endswith(".json") else _of_lines(text, front=name == "README.md"):
            if 0 < len(value) <= LONGEST and not text_fault(value):
                found.setdefault(key, value)
    return dict(sorted(found.items()))


def _of_json(text: str) -> Iterator[tuple[About, str]]:
    try:
        values: Any = json.loads(text)
    except (ValueError, RecursionError):
        return
    for key, about in _IN_JSON.items() if isinstance(values, dict) else ():
        value = values.get(key)
        if isinstance(value, list) and len(value) == 1:
            (value,) = value
        if isinstance(value, str):
            yield about, value


def _of_lines(text: str, *, front: bool) -> Iterator[tuple[About, str]]:
    lines = text.splitlines()
    if front:
        # Front matter lies between two lines of dashes; without it a README says nothing that could be read.
        ends = [at for at, line in enumerate(lines) if line.rstrip() == "---"][:2]
        lines = lines[1 : ends[1]] if len(ends) == 2 and ends[0] == 0 else []
    flavours: list[str] = []
    within = ""
    for line in lines:
        if not line.startswith(" "):
            within = line.partition(":")[0]
        if within == "flavors" and (flavour := _FLAVOUR.fullmatch(line)) is not None:
            flavours.append(flavour[1])
        match = _LINE.fullmatch(line.rstrip())
        if match is not None and match[1] in _IN_YAML and match[2][0] not in _SPECIAL:
            yield _IN_YAML[match[1]], match[2].strip("'\"")
    own = [each for each in flavours if each != "python_function"]
    if own:
        yield "framework", ", ".join(own)
