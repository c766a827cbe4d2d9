"""Cases of a whole controller of one's own, written from nothing."""

from __future__ import annotations

from pathlib import Path

CODE = """
class Store:
    def initialize(self, seed):
        self.kept = {}

    def activate(self, channel, operation, argument):
        if operation == "delete":
            self.kept.pop(channel, None)
        else:
            self.kept[channel] = argument
        return None

    def state(self):
        return repr(sorted(self.kept.items())).encode()
"""


def written(folder: Path, controller: str, rest: str = "", code: str = CODE) -> Path:
    """A case of a controller alone, in `folder/store.py`, with further tables of audit.toml."""
    folder.mkdir(exist_ok=True)
    (folder / "store.py").write_text(code)
    (folder / "audit.toml").write_text(f'[case]\nname = "Store"\n\n[controller]\n{controller}\n\n{rest}\n')
    return folder
