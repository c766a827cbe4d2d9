"""The command keygen, and how the command line comes by a passphrase."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import typer

from auditor.base.errors import UsageError
from auditor.terminal.options import Json, Quiet
from auditor.terminal.output import narrate, print_json, say

if TYPE_CHECKING:
    from auditor.recheck.signing import Signer

VARIABLE: Final = "AUDITOR_PASSPHRASE"


def keygen(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A new file for the private key.", show_default=False)],
    no_passphrase: Annotated[
        bool, typer.Option("--no-passphrase", help="Leave the private key unencrypted: anyone who reads the file can sign.")
    ] = False,
    as_json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Make a signing key, with its public key next to it.

    Writes an Ed25519 private key to FILE, readable by its owner alone, and the public key to FILE.pub; never overwrites a file.
    Asks for the passphrase twice, or takes it from the environment variable AUDITOR_PASSPHRASE.
    """
    from auditor.recheck import signing  # noqa: PLC0415

    if no_passphrase and VARIABLE in os.environ:
        raise UsageError(f"keygen: --no-passphrase contradicts {VARIABLE}, which is set; leave one of them out")
    passphrase = None if no_passphrase else _passphrase(say("cli-new-passphrase", file=file), twice=True)
    pair = signing.generate(passphrase)
    private, public = signing.write_pair(file, pair)
    if no_passphrase:
        narrate(say("cli-not-encrypted", private=private))
    if as_json:
        files = {"private_key": str(private), "public_key": str(public)}
        print_json({"key_id": pair.key_id, **files, "encrypted": not no_passphrase})
        return
    if not quiet:
        narrate(say("cli-private-key", path=private))
        narrate(say("cli-public-key", path=public))
    typer.echo(pair.key_id)


def open_signer(path: Path) -> Signer:
    """The private key that an option names, opened with its passphrase where it has one.

    Raises:
        InputError: If the file is no private key, is not the user's alone, or the passphrase is not the key's.
        UsageError: If a passphrase is needed and there is none to be had.
    """
    from auditor.recheck import signing  # noqa: PLC0415

    return signing.load_private(path, lambda: _passphrase(say("cli-passphrase-of", path=path)))


def _passphrase(question: str, *, twice: bool = False) -> str:
    """From the environment, else from the terminal, unseen; never from an option, which every user of the machine could read."""
    declared = os.environ.get(VARIABLE)
    if declared is not None:
        if not declared:
            raise UsageError(f"{VARIABLE} is set, but empty: give it the passphrase, or unset it to be asked")
        return declared
    if not sys.stdin.isatty():
        raise UsageError(f"a passphrase is needed and there is no terminal to ask on: set {VARIABLE}")
    try:
        return str(
            typer.prompt(question, hide_input=True, confirmation_prompt=say("cli-passphrase-again") if twice else False, err=True)
        )
    except OSError as error:  # the terminal was closed while we asked
        raise UsageError(f"a passphrase is needed and the terminal cannot be read ({error.strerror}): set {VARIABLE}") from error
