"""Commands that were typed wrong: beside click's words, what to type instead."""

from __future__ import annotations

import difflib
import errno
from collections.abc import Iterator
from typing import Any

import click


class Command(click.Command):
    """A command that says how it is used where it was used otherwise."""

    allow_extra_args = True  # told here, with what to do

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        try:
            super().parse_args(ctx, args)
        except click.NoSuchOption as error:
            meant = _meant(self, error.option_name)
            if meant is None:
                raise
            told = f"{error.option_name} is no option: {_noun(meant)} is an argument. Write: {_usage(self, ctx)}"
            raise click.UsageError(told, ctx) from None
        except click.MissingParameter as error:
            if isinstance(error.param, click.Argument):
                raise click.UsageError(f"{_noun(error.param)} is missing. Write: {_usage(self, ctx)}", ctx) from None
            raise
        if ctx.args and not ctx.resilient_parsing:
            told = f"There is no place for the argument {' '.join(ctx.args)!r}. Write: {_usage(self, ctx)}"
            if any("--design" in parameter.opts for parameter in self.params):
                told += " --design DESIGN, where it is a design"
            raise click.UsageError(told, ctx)
        return ctx.args

    def invoke(self, ctx: click.Context) -> Any:
        try:
            return super().invoke(ctx)
        except OSError as error:
            if error.errno == errno.EPIPE:
                raise  # the reader has enough: click ends without a word
            where = error.filename or "the answer cannot be written"
            raise _Unwritten(f"{where}: {error.strerror or error}") from error


class _Unwritten(click.ClickException):
    """What a command has to say can't be said."""

    exit_code = 2


class Group(click.Group):
    """A group of commands that names them where there is none of a name."""

    command_class = Command
    group_class = type

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        name = args[0] if args else ""
        if self.get_command(ctx, name) is None and name[:1] != "-":
            names = self.list_commands(ctx)
            near = difflib.get_close_matches(name, names, 1)
            hint = f" Did you mean {near[0]}?" if near else ""
            raise click.UsageError(f"There is no command {name!r}.{hint} The commands are {', '.join(names)}.", ctx)
        return super().resolve_command(ctx, args)


def _meant(command: click.Command, option: str) -> click.Argument | None:
    """The argument that is meant by an option that the command does not have."""
    name = option.lstrip("-")
    for argument in _arguments(command):
        noun = _noun(argument)
        words = {noun.lower(), str(argument.name), str(argument.name).removesuffix("s")}
        initial = len(name) == 1 and any(word.startswith(name) for word in words)
        if initial or difflib.get_close_matches(name.lower(), words, 1, 0.75):
            return argument
    return None


def _arguments(command: click.Command) -> Iterator[click.Argument]:
    return (parameter for parameter in command.params if isinstance(parameter, click.Argument))


def _noun(argument: click.Argument) -> str:
    """What an argument is called in the usage of its command: ``DESIGN``."""
    return (argument.metavar or str(argument.name)).strip("[].").upper()


def _usage(command: click.Command, ctx: click.Context) -> str:
    """The command with its arguments."""
    words = (argument.metavar or str(argument.name).upper() for argument in _arguments(command))
    return " ".join([ctx.command_path, *words])
