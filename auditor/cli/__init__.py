"""Commands and options: parse, call one function, print, exit.

Parts bring commands of their own. Heavy modules are imported inside the commands, so that `auditor --help` answers at once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache
from itertools import chain
from typing import TYPE_CHECKING, Annotated, Final

import typer
from typer.core import TyperGroup
from typer.exceptions import Abort, TyperException

from auditor import __version__
from auditor.base import extras
from auditor.base.errors import AuditorError, UsageError
from auditor.base.parts import constants
from auditor.cli.audits import check, clean
from auditor.cli.explaining import explain as explain_check
from auditor.cli.history import diff, history
from auditor.cli.keys import keygen
from auditor.cli.letters import certificate
from auditor.cli.mlflow_runs import mlflow
from auditor.cli.planned import plan
from auditor.cli.purging import purge
from auditor.cli.rechecking import verify
from auditor.cli.rehearsal import validate
from auditor.cli.replies import reply
from auditor.cli.results import calc, doctor, report, schema
from auditor.cli.scaffold import init
from auditor.cli.scan import scan
from auditor.terminal import Command
from auditor.terminal.output import INTERRUPTED, begin_call, crashed, explain, finish, interrupted, print_refusal, whisper

if TYPE_CHECKING:
    from typer._click import Context, HelpFormatter


class _Grouped(TyperGroup):
    """Lists commands under the headings of their groups."""

    def format_commands(self, ctx: Context, formatter: HelpFormatter) -> None:  # noqa: ARG002 - as typer calls it
        """Write a section for each group, with the same columns in all."""
        width = max(map(len, self.commands))
        for heading, commands in PLACED.items():
            shown = [each for each in commands if not self.commands[each.name].hidden]
            listed = [(f"{each.name:<{width}}", self.commands[each.name]) for each in shown]
            if listed:
                with formatter.section(heading):
                    formatter.write_dl([(name, each.get_short_help_str(formatter.width - 6 - width)) for name, each in listed])


_VERIFIES_ONLY: Final = extras.verifies_only()
_HELP: Final = (
    "Rechecks, shows and compares audits of unlearning; nothing is audited with this installation."
    if _VERIFIES_ONLY
    else "Checks whether data that people asked to have erased is gone, from models, programs and stores, and reports what was "
    "shown.\n\n"
    "Start here: auditor init my-case, then auditor check my-case."
)
_EVIDENCE: Final = "sample_models/digits-newton/audit/evidence.json"
_GROUPS: Final[dict[str, tuple[Command, ...]]] = {
    "Audit": (
        Command("init", init, "init my-case --from model.py:build --data people.csv --log tickets.csv"),
        Command("check", check, "check sample_models/digits-newton"),
        Command("scan", scan, "scan crm.sqlite chunks.jsonl --log deletions.csv --data people.csv --out my-places"),
        Command("validate", validate, "validate sample_models/digits-newton"),
        Command("explain", explain_check, "explain data.erased --evidence my-case", verifies=True),
    ),
    "Results": (
        Command("report", report, f"report {_EVIDENCE} --format html -o report.html", verifies=True),
        Command("certificate", certificate, f"certificate {_EVIDENCE} --request REQ-2026-0001", verifies=True),
        Command("reply", reply, f"reply {_EVIDENCE} --request REQ-2026-0001 -o reply.docx", verifies=True),
        Command("verify", verify, "verify sample_models/digits-newton/audit", verifies=True),
        Command("diff", diff, f"diff earlier/evidence.json {_EVIDENCE}", verifies=True),
        Command("history", history, "history --case digits-newton", verifies=True),
        Command("mlflow", mlflow, "mlflow my-case/audit --experiment audits --model models:/loans/3", verifies=True),
    ),
    "Before an audit": (
        Command("plan", plan, "plan sample_models/digits-newton --deletions 50 --epsilon 1 --delta 1e-4 --quick"),
        # Any --name VALUE may be an input of a formula.
        Command(
            "calc",
            calc,
            "calc removal-budget --epsilon 1 --delta 1e-4 --sigma 1 --beta 0.2 --json",
            settings={"allow_extra_args": True, "ignore_unknown_options": True, "help_option_names": []},
            verifies=True,
        ),
    ),
    "Tools": (
        Command("doctor", doctor, "doctor", verifies=True),
        Command("clean", clean, "clean sample_models/digits-newton"),
        Command("purge", purge, "purge my-case --person S-0017 --dry-run"),
        Command("keygen", keygen, "keygen release-key", verifies=True),
        Command("schema", schema, "schema > evidence.schema.json", verifies=True),
    ),
}
"""The commands of the core, by the heading that the help has over them; those of parts are put in."""


def _root(version: Annotated[bool, typer.Option("--version", help="Print the version and exit.")] = False) -> None:
    if version:
        typer.echo(f"{extras.program()} {__version__}")
        raise typer.Exit


def _placed(core: Iterable[Command], brought: Sequence[Command]) -> Iterator[Command]:
    """Every command of a group in the order of the help: each that is brought follows the one that it names."""
    for command in core:
        yield from (command, *(each for each in brought if each.after == command.name))


_BROUGHT: Final = tuple(chain.from_iterable(constants("commands")))
_NAMED: Final = {each.name for commands in _GROUPS.values() for each in commands}
PLACED: Final = {heading: (*_placed(commands, _BROUGHT),) for heading, commands in _GROUPS.items()}
"""Every command by its heading; one that names no other comes last of all."""
PLACED["Tools"] += tuple(each for each in _BROUGHT if each.after not in _NAMED)


def _absent(command: Command) -> Callable[..., None]:
    """What stands for a command that an installation which only verifies does not have; it takes whatever words it is given."""

    def refuse() -> None:
        raise UsageError(f"{command.name}: this installation verifies; to audit: {extras.TO_AUDIT}")

    return refuse


def _add(to: typer.Typer, command: Command) -> None:
    """Put a command among those that can be called."""
    if _VERIFIES_ONLY and not command.verifies:
        anything = {"allow_extra_args": True, "ignore_unknown_options": True, "help_option_names": []}
        to.command(command.name, hidden=True, context_settings=anything)(_absent(command))
    elif isinstance(command.runs, typer.Typer):
        to.add_typer(command.runs, name=command.name)
    else:
        epilog, words = f"Example: {extras.program()} {command.example}", dict(command.settings) or None
        to.command(command.name, epilog=epilog, context_settings=words)(command.runs)


_ERROR: Final = "Value error, "
_COMPLETION = (["--install-completion"], ["--show-completion"])


def _app(commands: Iterable[Command]) -> typer.Typer:
    """Put commands together; nothing is read of their options yet."""
    made = typer.Typer(
        name=extras.program(),
        cls=_Grouped,
        help=_HELP,
        no_args_is_help=True,
        add_completion=True,
        pretty_exceptions_enable=False,
        rich_markup_mode=None,
        context_settings={"help_option_names": ["-h", "--help"]},
    )
    made.callback(invoke_without_command=True)(_root)
    for command in commands:
        _add(made, command)
    return made


app: Final = _app(chain.from_iterable(PLACED.values()))


@cache
def _callable(name: str) -> Callable[..., object]:
    """Read the options of the command that is called, once: those of all commands take longer to read.

    Args:
        name: The first argument; where no command is called so, everything can be called.
    """
    called = [each for each in chain.from_iterable(PLACED.values()) if each.name == name]
    return typer.main.get_command(_app(called) if called else app)


def _usage(error: TyperException) -> str:
    """What a command takes that was given more than that; of an option the message says enough."""
    context = getattr(error, "ctx", None)
    about_options = getattr(error, "option_name", None) or getattr(error, "param", None)
    if context is None or about_options or hasattr(context.command, "commands"):
        return ""
    return f"; {context.get_usage()[0].lower()}{context.get_usage()[1:]}"


def run(arguments: list[str]) -> int:
    """Run the command line and map every ending to its exit code; no traceback reaches the user."""
    begin_call()
    as_json = "--json" in arguments  # read here: a wrong option ends a command before its own are known
    try:
        result = _callable("".join(arguments[:1]))(arguments, prog_name=extras.program(), standalone_mode=False)
    except TyperException as error:
        # What reads options puts the name of an error of Python before what it says.
        message = f"{error.format_message().replace(_ERROR, '')}{_usage(error)}"
        whisper(f"auditor: {message}")
        if as_json:
            print_refusal(message, error.exit_code)
        return error.exit_code
    except (KeyboardInterrupt, Abort):
        return interrupted()
    except SystemExit as ended:  # so the scripts for completion end
        return finish(int(ended.code or 0))
    except AuditorError as error:
        explain(error)
        if as_json:
            print_refusal(error, error.exit_code)
        return error.exit_code
    except Exception as error:  # noqa: BLE001  (the last door: a traceback never reaches a user)
        return crashed(error)
    code = result if isinstance(result, int) else 0
    if code and arguments[:1] in _COMPLETION:
        code = UsageError.exit_code  # a shell that nobody can complete for; 1 would say that a check fails
    # Typer turns an interrupt inside a command into an exit with this code.
    return interrupted() if result == INTERRUPTED else finish(code)
