"""Signed results: keys, in-toto statements over the files of an audit, and the DSSE envelopes that carry them.

A signature shows that anyone who holds a key stood by these very files. It does not show that what the files say is true, nor
when they were signed; the rest is in `docs/signing.md`. This room knows evidence as JSON only, so that it can be checked on its
own.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from auditor.recheck.signing.envelopes import MAX_BYTES, PAYLOAD_TYPE, claimed, claimed_key, sign, verify
    from auditor.recheck.signing.keys import KeyPair, Signer, generate, key_id, load_private, read_public, write_pair
    from auditor.recheck.signing.statements import (
        AUDIT_TYPE,
        ENVELOPE,
        LETTER_TYPE,
        OF_AUDIT,
        POLICY_MET,
        STATEMENT_FILE,
        TEST_RESULT_FILE,
        VERIFICATION_FILE,
        Statement,
        Subject,
        about,
        about_letter,
        letter_envelope,
        mismatches,
    )

__all__ = [
    "AUDIT_TYPE",
    "ENVELOPE",
    "LETTER_TYPE",
    "MAX_BYTES",
    "OF_AUDIT",
    "PAYLOAD_TYPE",
    "POLICY_MET",
    "STATEMENT_FILE",
    "TEST_RESULT_FILE",
    "VERIFICATION_FILE",
    "KeyPair",
    "Signer",
    "Statement",
    "Subject",
    "about",
    "about_letter",
    "claimed",
    "claimed_key",
    "generate",
    "key_id",
    "letter_envelope",
    "load_private",
    "mismatches",
    "read_public",
    "sign",
    "verify",
    "write_pair",
]

_PLACES: Final = {
    **dict.fromkeys(("MAX_BYTES", "PAYLOAD_TYPE", "claimed", "claimed_key", "sign", "verify"), "envelopes"),
    **dict.fromkeys(("KeyPair", "Signer", "generate", "key_id", "load_private", "read_public", "write_pair"), "keys"),
}
"""Where names lie that need libraries of signatures: who only names a statement, or writes a letter unsigned, needs none."""


def __getattr__(name: str) -> Any:
    """Load one of them, or of what statements say."""
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_PLACES.get(name, 'statements')}"), name)
