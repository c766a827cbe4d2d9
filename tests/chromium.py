"""Shows a page in Debian's Chromium, without a network: what axe-core finds, what overflows, and what a print of it holds."""

from __future__ import annotations

import base64
import json
import re
import shutil
import subprocess
from dataclasses import dataclass
from html import unescape
from pathlib import Path
from typing import Any, Final

BROWSER: Final = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
AXE: Final = Path(__file__).parents[1] / "node_modules" / "axe-core" / "axe.min.js"
"""Where `make browser` puts it; it is part of no package of ours."""
_SECONDS: Final = 120
_RESULT: Final = re.compile(r'<pre id="result">(.*?)</pre>', re.DOTALL)
_WRAPPER: Final = """<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>wrapper</title></head>
<body style="margin:0"><iframe id="page" title="page" style="border:0;width:WIDTHpx;height:900px"></iframe><pre id="result"></pre>
<script>
const decoded = part => new TextDecoder().decode(Uint8Array.from(atob(part), c => c.charCodeAt(0)));
const frame = document.getElementById("page");
frame.addEventListener("load", async () => {
  const inside = frame.contentDocument, view = frame.contentWindow;
  for (const each of inside.querySelectorAll("details")) each.open = OPEN;
  const width = inside.documentElement.clientWidth;
  const wide = [...inside.body.querySelectorAll("*")].filter(each => {
    const box = each.getBoundingClientRect();
    if (box.right <= width + 1 || !box.width || !box.height) return false;
    for (let up = each.parentElement; up; up = up.parentElement)
      if (["auto", "scroll", "hidden"].includes(view.getComputedStyle(up).overflowX)) return false;
    return true;
  }).map(each => each.tagName + "." + each.getAttribute("class") + ": " + each.textContent.trim().slice(0, 60));
  const found = {scroll: inside.documentElement.scrollWidth, width, wide: wide.slice(0, 10), axe: null};
  const axe = decoded("AXE");
  if (axe) {
    const script = inside.createElement("script");
    script.textContent = axe;
    inside.head.appendChild(script);
    const ran = await view.axe.run(inside, {resultTypes: ["violations"]});
    found.axe = ran.violations.map(each => ({id: each.id, help: each.help, count: each.nodes.length,
      nodes: each.nodes.slice(0, 5).map(node => node.html.slice(0, 200) + " | " + (node.failureSummary || "").slice(0, 200))}));
  }
  document.getElementById("result").textContent = JSON.stringify(found);
});
frame.srcdoc = decoded("PAGE");
</script></body></html>"""


@dataclass(frozen=True)
class Seen:
    """What a page looked like."""

    scroll: int
    """The width that its content takes, in pixels."""
    width: int
    """The width that it has."""
    wide: list[str]
    """Elements that reach beyond its right edge."""
    axe: list[dict[str, Any]] | None
    """What axe-core finds; None where it is not there."""


def look(page: str, width: int, folder: Path, *, unfolded: bool = True) -> Seen:
    """Lay a page out at a width in pixels, with everything unfolded or as it comes."""
    axe = AXE.read_bytes() if AXE.is_file() else b""
    parts = {
        "WIDTH": str(width),
        "OPEN": "true" if unfolded else "each.open",
        "AXE": base64.b64encode(axe).decode(),
        "PAGE": base64.b64encode(page.encode()).decode(),
    }
    wrapper = folder / f"wrapper-{width}.html"
    wrapper.write_text(re.sub("|".join(parts), lambda found: parts[found[0]], _WRAPPER), encoding="utf-8")
    shown = _run(folder, "--dump-dom", "--virtual-time-budget=60000", f"--window-size={width + 40},1000", wrapper.as_uri())
    found = _RESULT.search(shown)
    if found is None or not found[1]:
        raise AssertionError(f"the page was not shown: {shown[-500:]}")
    return Seen(**json.loads(unescape(found[1])))


def printed(page: str, folder: Path) -> bytes:
    """Print a page to PDF, as a reader would from the browser."""
    source, target = folder / "page.html", folder / "page.pdf"
    source.write_text(page, encoding="utf-8")
    _run(folder, "--no-pdf-header-footer", f"--print-to-pdf={target}", source.as_uri())
    return target.read_bytes()


def _run(folder: Path, *arguments: str) -> str:
    assert BROWSER is not None
    command = [
        *(BROWSER, "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--hide-scrollbars"),
        *("--disable-background-networking", "--no-first-run", "--host-resolver-rules=MAP * ~NOTFOUND"),
        f"--user-data-dir={folder / 'profile'}",
    ]
    return subprocess.run([*command, *arguments], capture_output=True, text=True, timeout=_SECONDS, check=True).stdout
