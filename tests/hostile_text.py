"""Hostile strings, and evidence in which every string that is free to say anything holds one."""

from __future__ import annotations

import dataclasses
import json
import re
from enum import Enum
from html.parser import HTMLParser

from pydantic import BaseModel, ValidationError

import report_examples
from auditor.base.domain import Message
from auditor.document.evidence import Evidence
from auditor.pages.words.rendered_evidence import tell
from auditor.verdict.checks import derived_in, observed_in

_IN_FONTS = (
    "<script>alert(1)</script>",
    "</td></table></style><h1>pass</h1>",
    '"><img src="file:///etc/passwd" onerror=alert(1)>',
    "{{ 7 * 7 }}{% for x in ().__class__ %}{{ x }}{% endfor %}{% include '/etc/passwd' %}{# #}",
    '<link rel="attachment" href="file:///etc/hostname">',
    "<a href='file:///etc/passwd'>x</a> <iframe src=//example.org> <svg onload=alert(1)>",
    "url(https://example.org/x) @import 'file:///etc/passwd'; &lt;b&gt; &amp; &#60;i&#62;",
    "\u202eevil\u2066\u200b\x00\x1b[31m\x1b]0;title\x07\x9b2J\ufeff",
    "]]>--><!-- '`\\ <![CDATA[ <?php ?> <!ENTITY x SYSTEM 'file:///etc/passwd'>",
    '=HYPERLINK("https://example.org","x")',
    "[bold red]x[/] [link=file:///etc/passwd]y[/link]",
    "| a | b |\n|---|---|\n# pass\n[x](javascript:alert(1)) ![y](https://example.org/z.png) `z` @someone #1 www.example.org",
    "\ufffe\uffff\x0b\x0c\x85\u2028\u2029",
    "a" + "\u0301" * 40 + " \U000e0001\U0010ffff",
    '{ $name } { -brand } {"x"} { NUMBER(1) -> *[other] y } {\nverdict-pass = owned\n    .attribute = owned',
    "${jndi:ldap://example.org} %n%s {0} $(id) ; rm -rf /",
)
HOSTILE = " ".join(_IN_FONTS)
"""All of them at once but those for which the bundled fonts have no glyph: pypdf reads the text around such a one as bytes."""
PAYLOADS = (*_IN_FONTS, "👩‍👩‍👧‍👦 ﷽")
INVISIBLE = frozenset("\u202e\u2066\u200b\x00\x1b\x07\x9b\ufeff\ufffe\uffff\x0b\x0c\x85\u2028\u2029\U000e0001\U0010ffff")
"""Characters of the payloads that nothing for a human eye may hold."""

_FIXED = re.compile(
    r"^(pass|fail|inconclusive|skipped|error|computed|measured|attested|refuted|unknown|shown|supported|not-shown)$"
)
_DATED = re.compile(r"^\d{4}-\d\d-\d\d")
_NAMED = re.compile(
    r"schema|strength|sizes|audit\.auditor_version|checks\.(observed|derived)\..*|case\.task|policy\.required|requests\.guarantees|checks\.(id|reasons\.code)"
    r"|premises\.(name|standing|check)|policy\.attested\.name|guarantees\.(id|terms\.(source|of)|derivation\.(rule|premises\.(fact|evidence\.code)))"
)
"""Where names stand that are written in the auditor."""


def spoil(value, text, path=""):
    """The JSON value with `text` put behind every string that is free to say anything."""
    match value:
        case _ if _NAMED.fullmatch(path):
            return value
        case dict():
            return {name: spoil(inner, text, f"{path}.{name}".removeprefix(".")) for name, inner in value.items()}
        case list():
            return [spoil(inner, text, path) for inner in value]
        case str() if not _FIXED.match(value) and not _DATED.match(value):
            return value + text
        case _:
            return value


def spoiled(told, text):
    """The same audit with `text` put behind every such string of its evidence, and all words made again.

    Checks, theorems, facts, attestations and reasons keep their names, without which there are no words for them, or no pass. A
    request names a guarantee, a controller attests something, and a policy that is not met lists a check, of that name.
    """
    document = spoil(json.loads(told.evidence.to_bytes()), text)
    document["requests"][0]["guarantees"].append(f"unheard of{text}")
    document["policy"]["attested"].append({"name": f"unheard-of{text}", "by": f"Ada Example{text}", "at": "2026-09-30"})
    if document["verdict"] != "pass":
        document["policy"]["required"].append(f"unheard.of{text}")
    evidence = Evidence.model_validate_json(json.dumps(document))
    checks = []
    for check in evidence.checks:
        held = {"observed": observed_in(check, evidence.version), "derived": derived_in(check, evidence.version)}
        stated = {name: each and _spoiled(each, text).model_dump(mode="json") for name, each in held.items()}
        checks.append(dataclasses.replace(check, **stated))
    return tell(evidence.model_copy(update={"checks": tuple(checks)}))


def with_spoiled_values(told, text):
    """The same words with `text` put behind every string of what was observed and derived that any text may stand in.

    Names that a model lists, and the codes of reasons, stay as they are.
    """
    checks = []
    for check in told.checks:
        spoiled_of = {name: _spoiled(getattr(check, name), text) for name in ("observed", "derived")}
        checks.append(dataclasses.replace(check, **spoiled_of))
    return report_examples.changed(told, checks=tuple(checks))


def _spoiled(value, text):
    match value:
        case BaseModel():
            changes = {}
            for name, inner in value:
                new = _spoiled(inner, text)
                if new != inner and _is_allowed(value, name, new):
                    changes[name] = new
            return value.model_copy(update=changes)
        case Message():
            return Message(value.code, _spoiled(dict(value.parameters), text))
        case dict():
            return {name: _spoiled(inner, text) for name, inner in value.items()}
        case list() | tuple():
            return type(value)(_spoiled(inner, text) for inner in value)
        case str() if not isinstance(value, Enum):
            return value + text
        case _:
            return value


def _is_allowed(model, name, new):
    """Whether a model takes a value in the place of what it has."""
    try:
        type(model).model_validate({**dict(model), name: new})
    except ValidationError:
        return False
    return True


class Skeleton(HTMLParser):
    """The tags of a page with the names of their attributes, and its text."""

    def __init__(self, page):
        super().__init__(convert_charrefs=True)
        self.tags, self.text, self.values = [], [], []
        self.feed(page)

    def handle_starttag(self, tag, attrs):
        self.tags.append((tag, tuple(name for name, _ in attrs)))
        self.values += [(tag, name, value) for name, value in attrs]

    def handle_endtag(self, tag):
        self.tags.append(("/", tag))

    def handle_data(self, data):
        self.text.append(data)


def harmless(text):
    """Words of the length of a text: tables give a long value a row of its own, whatever it says."""
    return (" and more words" * len(text))[: len(text)]


def without_drawings(tags):
    """The tags but for those inside drawings, where a longer name takes more lines."""
    kept, inside = [], False
    for tag in tags:
        inside = inside and tag != ("/", "svg")
        if not inside:
            kept.append(tag)
        inside = inside or tag[0] == "svg"
    return kept
