"""Commands and options: parse, call one function, print, exit.

Heavy modules are imported inside the commands, so that `auditor --help` answers at once.
"""

from __future__ import annotations

from typing import Annotated

import typer
from typer.exceptions import Abort, TyperException

from auditor import __version__
from auditor.base.errors import AuditorError, UsageError
from auditor.cli.audits import check, clean
from auditor.cli.beginning import init
from auditor.cli.explaining import explain as explain_check
from auditor.cli.history import diff, history
from auditor.cli.keys import keygen
from auditor.cli.letters import certificate
from auditor.cli.logs import app as log
from auditor.cli.model_files import canonical
from auditor.cli.planned import plan
from auditor.cli.rechecking import verify
from auditor.cli.replaying import replay
from auditor.cli.results import doctor, report, schema
from auditor.cli.tools import calc
from auditor.cli.validating import validate
from auditor.terminal.output import INTERRUPTED, crashed, explain, finish, interrupted, whisper

app = typer.Typer(
    name="auditor",
    help="Audits whether a model has unlearned what people asked to have erased, and says what was shown.",
    no_args_is_help=True,
    add_completion=True,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"]},
)

COMMANDS = (
    (check, "check sample_models/digits-newton"),
    (validate, "validate sample_models/digits-newton"),
    (plan, "plan sample_models/digits-newton --deletions 50 --epsilon 1 --delta 1e-4 --quick"),
    (report, "report sample_models/digits-newton/audit/evidence.json --format html -o report.html"),
    (certificate, "certificate sample_models/digits-newton/audit/evidence.json --request REQ-2026-0001"),
    (verify, "verify sample_models/digits-newton/audit"),
    (diff, "diff earlier/evidence.json sample_models/digits-newton/audit/evidence.json"),
    (history, "history --case digits-newton"),
    (canonical, "canonical trained.safetensors -o model.safetensors --grid 2^-24"),
    (keygen, "keygen release-key"),
    (doctor, "doctor"),
    (replay, "replay audit/counterexample-1.json --case my-case"),
    (clean, "clean sample_models/digits-newton"),
    (schema, "schema > evidence.schema.json"),
    (init, "init my-case --from model.py:build --data people.csv --log tickets.csv"),
)
"""Every command but `calc`, in the order of the help, each with an example."""


@app.callback(invoke_without_command=True)
def _root(version: Annotated[bool, typer.Option("--version", help="Print the version and exit.")] = False) -> None:
    if version:
        typer.echo(f"auditor {__version__}")
        raise typer.Exit


for command, example in COMMANDS:
    app.command(epilog=f"Example: auditor {example}")(command)
app.command("explain", epilog="Example: auditor explain data.erased --evidence audit/evidence.json")(explain_check)
app.add_typer(log)
# Any --name VALUE may be an input of a formula.
app.command(
    epilog="Example: auditor calc removal-budget --epsilon 1 --delta 1e-4 --sigma 1 --beta 0.2 --json",
    context_settings={"allow_extra_args": True, "ignore_unknown_options": True},
)(calc)


_COMPLETION = (["--install-completion"], ["--show-completion"])


def run(arguments: list[str]) -> int:
    """Run the command line and map every ending to its exit code; no traceback reaches the user."""
    try:
        result = app(arguments, prog_name="auditor", standalone_mode=False)
    except TyperException as error:
        whisper(f"auditor: {error.format_message()}")
        return error.exit_code
    except (KeyboardInterrupt, Abort):
        return interrupted()
    except SystemExit as ended:  # so the scripts for completion end
        return finish(int(ended.code or 0))
    except AuditorError as error:
        explain(error)
        return error.exit_code
    except Exception as error:  # noqa: BLE001  (the last door: a traceback never reaches a user)
        return crashed(error)
    code = result if isinstance(result, int) else 0
    if code and arguments[:1] in _COMPLETION:
        code = UsageError.exit_code  # a shell that nobody can complete for; 1 would say that a check fails
    # Typer turns an interrupt inside a command into an exit with this code.
    return interrupted() if result == INTERRUPTED else finish(code)
