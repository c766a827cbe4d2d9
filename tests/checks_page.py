"""Writes docs/checks.md from the cards of the checks: `python -m tests.checks_page`."""

from __future__ import annotations

from pathlib import Path

from auditor.verdict.checks import definitions

PAGE = Path(__file__).parents[1] / "docs" / "checks.md"
_HEAD = """# The checks

One heading for each check: what it asks, what a failure means, what to do.
SARIF rules link here. `auditor check` decides by the checks that the policy requires ([the verdict](verdict.md)).
"""


def page() -> str:
    """The page as the cards have it."""
    cards = [each.card for each in definitions().values()]
    blocks = (
        f"\n## {card.id}\n\n**{card.title}.** {card.question}\n\n"
        f"- Value: {card.unit}.\n- A failure means: {card.failure}\n- What to do: {card.remedy}\n"
        for card in cards
    )
    return _HEAD + "".join(blocks)


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
