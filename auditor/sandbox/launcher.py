"""The process that puts the barriers up: `python -P -s -m auditor.sandbox.launcher PLAN`, PLAN being a JSON object.

It imports the standard library only and has one thread, so that everything which is loaded later is loaded behind the barriers.
"""

from __future__ import annotations

import json
import sys

from auditor.sandbox.walls import Plan, enter


def main(arguments: list[str]) -> None:
    """Put the barriers up and become the child.

    Raises:
        SystemExit: 71 where a barrier does not stand.
    """
    enter(Plan(**json.loads(arguments[0])))


if __name__ == "__main__":
    main(sys.argv[1:])
