"""The commands of ``toolgen``: arguments in, work done elsewhere, words and exit codes out.

Exit codes: 0 done or clean; 1 drift, a file of the user's own in the way, or an input that a codec refused; 2 a usage,
settings, design or file error; 130 interrupted, as shells have it. Data goes to stdout, messages to stderr. Each
command imports what it needs when it runs, so that ``toolgen --version`` answers at once.
"""

from __future__ import annotations

import json
import os
import shlex
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from toolgen import __version__
from toolgen.telling import (
    files_in_words,
    print_json,
    print_source,
    progress_shown,
    say,
    summary,
    tell_drift,
    tell_in_the_way,
    tell_problems,
    tell_refusal,
)
from toolgen.usage import Group

if TYPE_CHECKING:
    from toolgen import ir
    from toolgen.files import Comparison
    from toolgen.lookup import Found
    from toolgen.project import Job

DRIFT = 1
FAILED = 2
INTERRUPTED = 130


class _InputFile(click.File):
    """A file of an input; an input in its place is told where it goes."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        if isinstance(value, str) and value.lstrip()[:1] in ("{", "[", '"') and not os.path.exists(value):
            self.fail("this looks like JSON: give it on stdin, or in a file", param, ctx)
        return super().convert(value, param, ctx)


class _NamedPath(click.Path):
    """A path that may not be empty: an empty variable of a script is no wish for the working folder."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        if value == "":
            self.fail("it is empty: name a folder or file, or leave the option out", param, ctx)
        return super().convert(value, param, ctx)


_path = _NamedPath(path_type=Path)
_existing_path = _NamedPath(path_type=Path, exists=True)
_designs = click.argument("designs", metavar="[DESIGN]...", nargs=-1, type=_existing_path)
_design_option = click.option(
    "--design", "designs", metavar="DESIGN", multiple=True, type=_existing_path, help="A design file or folder."
)
_output = click.option("--output", metavar="DIR", type=_path, help="Folder of the generated package.")
_format = click.option(
    "--format",
    "style",
    type=click.Choice(["text", "json"]),
    default="text",
    show_default=True,
    help="Form of the answer.",
)
_drift_format = click.option(
    "--format",
    "style",
    type=click.Choice(["text", "json", "github"]),
    default="text",
    show_default=True,
    help="Form of the answer; github adds annotations of a workflow to the text.",
)
_input = click.option("--input", "side", type=click.Choice(["model", "execution"]), help="Which input of the tool.")


class _Failure(click.ClickException):
    """Something that a user can mend."""

    exit_code = FAILED


@click.group(cls=Group, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="toolgen", message="%(prog)s %(version)s")
@click.pass_context
def cli(context: click.Context) -> None:
    """Compile designs of LLM tools into typed payloads, codecs and schemas.

    Settings stand in pyproject.toml under [tool.toolgen]; options override them.
    """
    if os.environ.get("NO_COLOR"):
        context.color = False


@cli.command()
def init() -> None:
    """Start a project. Overwrites nothing.

    Writes a first design, the settings and the lines for CI.
    """
    from toolgen import scaffold
    from toolgen.paths import shown

    with _failures():
        done = scaffold.init(Path.cwd())
    for verb, names in (("created", done.created), ("added settings to", done.extended)):
        for name in names:
            say(f"{verb} {shown(done.root / name)}", fg="green")
    for line in done.kept:
        say(f"kept {line}")
    for line in done.advice:
        say(f"hint: {line}")
    say("Next: toolgen generate\nThen: toolgen check" if done.is_ready else "Then: toolgen generate")


@cli.command()
@_designs
@_output
@click.option("--force", is_flag=True, help="Give up edits made by hand to generated files.")
@_format
def generate(designs: tuple[Path, ...], output: Path | None, force: bool, style: str) -> None:
    """Compile designs: those named, or those of the settings. Writes only what changed."""
    from toolgen import files, report

    with _failures(style, outcome="; nothing was written"), _job(designs, output, writing=True) as (job, alone):
        comparison, warnings = _compare(job)
        blocking = comparison.in_the_way(force=force)
        if blocking:
            if style == "json":
                print_json(report.blocked_json(comparison, blocking, warnings))
            tell_in_the_way(comparison, _command("generate", designs, output, "--force"), force)
            sys.exit(DRIFT)
        files.write(comparison)
        if alone:
            files.clean(comparison)
    if style == "json":
        print_json(report.written_json(comparison, warnings))
        return
    for action, name in report.tool_lines(comparison):
        say(f"{action} {name}", fg="red" if action == "removed" else "green")
    say(summary(comparison))


@cli.command()
@_designs
@_output
@_drift_format
def check(designs: tuple[Path, ...], output: Path | None, style: str) -> None:
    """Fail when designs and generated code have drifted apart. Writes nothing."""
    from toolgen import report
    from toolgen.files import Reason

    with _failures(style), _job(designs, output, writing=False) as (job, _):
        comparison, warnings = _compare(job)
    edited = any(difference.reason is Reason.EDITED for difference in comparison.differences)
    mend = _command("generate", designs, output, *(["--force"] if edited else []))
    if style == "json":
        print_json(report.drift_json(comparison, mend, warnings))
    elif comparison.differences:
        tell_drift(comparison, mend, annotated=style == "github")
    else:
        say(f"clean: {files_in_words(comparison.unchanged)} as generated", fg="green")
    sys.exit(DRIFT if comparison.differences else 0)


@cli.command()
@click.argument("tool")
@click.option("--provider", metavar="NAME", help="Print what this provider is told; its notes go to stderr.")
@click.option("--strict/--no-strict", default=None, help="The provider's strict mode, whatever the design says.")
@click.option("--live", is_flag=True, help="The form of Gemini's Live API.")
@_input
@_design_option
def show(
    tool: str, provider: str | None, strict: bool | None, live: bool, side: str | None, designs: tuple[Path, ...]
) -> None:
    """Print a tool's definition, or with --input one input's schema."""
    from toolgen.definition import definition, schema_of

    if provider is not None and side == "execution":
        raise click.UsageError("no provider is told of the execution input: leave out --input or --provider")
    if provider is None and (strict is not None or live):
        raise click.UsageError("--strict and --live say what a provider is told: name it with --provider")
    with _failures():
        program = _load(designs)
        found = _find(program, tool)
    if provider is not None:
        _show_provider(found, program, provider, strict, live)
        return
    print_json(schema_of(found.tool, program, side) if side else definition(found.tool, program))


def _show_provider(found: Found, program: ir.Program, provider: str, strict: bool | None, live: bool) -> None:
    from toolgen import lint, providers

    try:
        told = providers.definition(lint.facts_of(found.tool, program), provider, strict=strict, live=live)
    except ValueError as error:  # no such provider, or one that can't be told of this tool in this way
        raise _Failure(str(error)) from error
    print_json(told)
    for note in told.notes:
        say(f"note: {note}", fg="yellow")


@cli.group()
def serve() -> None:
    """Serve tools to models."""


@serve.command("mcp")
@click.argument("module")
@click.option("--context", metavar="NAME=JSON", multiple=True, help="An injected field, for every call.")
def serve_mcp(module: str, context: tuple[str, ...]) -> None:
    """Serve a registry as an MCP server over stdio.

    MODULE is the import name of the module that holds the ToolRegistry, such as acme.tools; with several, say which:
    acme.tools:registry. A mapping or function named "context" in the module gives the execution context of each call.
    Pages are continued within one run, or in the conversation that --context conversation='"..."' names. What the
    module and the handlers print goes to stderr.
    """
    import asyncio

    from toolgen.providers.wire import own_stdout
    from toolgen.serving import ServingError, find_served, unfilled
    from toolgen.serving import serve_mcp as serve_registry

    given = _context_json(context)
    try:
        with own_stdout() as wire:  # from before the import, which may print
            served = find_served(module, given)
            for name, tools in unfilled(served).items():
                mend = f"give --context {name}=JSON, or a mapping or function named context in the module"
                say(
                    f"warning: nothing gives {name}, and every call of {', '.join(tools)} will fail: {mend}",
                    fg="yellow",
                )
            asyncio.run(serve_registry(served, wire))
    except (ServingError, ImportError) as error:
        raise _Failure(str(error)) from error


@cli.command()
@click.argument("tool")
@click.argument("file", metavar="[FILE]", required=False, type=_InputFile("rb"), default="-")
@_input
@click.option("--context", metavar="NAME=JSON", multiple=True, help="An injected field, for --input execution.")
@_design_option
@_format
def decode(
    tool: str, file: Any, side: str | None, context: tuple[str, ...], designs: tuple[Path, ...], style: str
) -> None:
    """Try an input (FILE, or stdin) on a tool's codec.

    Prints the value, as the codec writes it, and what was mended in the input; or the text that the model would get,
    and exits with 1.
    """
    from toolgen import emit, preview
    from toolgen.runtime.issues import ContextError, PayloadError

    with _failures(style):
        given = _context_json(context)
        program = _load(designs)
        found = _find(program, tool)
        rendered = emit.render(program, emit.Options())
    with preview.imported(rendered, f"{found.package.name}.{found.tool.module}") as module:
        try:
            if side == "execution":
                codec = module.EXECUTION
                value, notes = codec.decode_with_notes(file.read(), _context_values(module.SPEC, given))
                shown = json.loads(codec.encode(value))
            elif found.tool.submit is not None:
                shown, notes = _submitted(module.SUBMIT, file.read(), style)
            else:
                codec = module.MODEL
                value, notes = codec.decode_with_notes(file.read())
                shown = json.loads(codec.encode(value))
        except PayloadError as error:
            tell_refusal(error.for_model(), error.issues, style)
            sys.exit(DRIFT)
        except ContextError as error:
            raise _Failure(f"{error}\nGive injected fields with --context NAME=JSON") from error
    if style == "json":
        print_json({"value": shown, "mends": [{"path": note.path, "what": note.what} for note in notes]})
        return
    print_json(shown)
    for note in notes:
        say(f"mended {note.path or 'the whole input'}: {note.what}", fg="yellow")


@cli.command("import")
@click.argument("sources", metavar="FILE...", nargs=-1, required=True)
@click.option(
    "--from",
    "form",
    type=click.Choice(["json-schema", "mcp", "openai", "anthropic", "gemini", "openapi"]),
    help="What the files are. Without it their content tells.",
)
@click.option("--output", metavar="DESIGN", type=_path, help="Design file to write; stdout unless given.")
@click.option("--name", "toolset", metavar="TOOLSET", help="Name of the toolset; that of the file unless given.")
@click.option("--closed", is_flag=True, help="Refuse unknown keys where the source allows them.")
@click.option("--strict", is_flag=True, help="Fail, and write nothing, if anything could not be carried over.")
@click.option("--force", is_flag=True, help="Overwrite a design file that is there.")
@_format
def import_(
    sources: tuple[str, ...],
    form: str | None,
    output: Path | None,
    toolset: str | None,
    closed: bool,
    strict: bool,
    force: bool,
    style: str,
) -> None:
    """Write a design from the tools that there are.

    FILE is a JSON Schema, a folder or JSON-lines file of them, an MCP tool list, OpenAI, Anthropic or Gemini tools, an
    OpenAPI 3 document, or a Python class as module:Class. What could not be carried over is said by JSON Pointer, in
    the design and on stderr. Nothing is fetched from a network.
    """
    from toolgen.importer import summary
    from toolgen.importer.dcg import MissingExtra
    from toolgen.importer.importing import import_tools
    from toolgen.importer.sources import Form

    if output is not None and output.is_dir():
        raise _Failure(f"{output} is a folder: name the design file to write, such as {output / 'imported.py'}")
    if output is not None and output.exists() and not force:
        raise _Failure(f"{output} is there already: give another --output, or --force to overwrite it")
    with _failures(style), progress_shown("importing") as progress, progress_shown("writing") as writing:
        try:
            made = import_tools(
                sources,
                form=Form(form) if form else None,
                toolset=toolset,
                closed=closed,
                progress=progress,
                writing=writing,
            )
        except MissingExtra as error:
            raise _Failure(str(error)) from error
    refused = made.written is None or (strict and bool(made.losses))
    if made.written is not None and not refused:
        if output is not None:
            with _failures(style):
                output.parent.mkdir(parents=True, exist_ok=True)
                output.write_text(made.written.text, encoding="utf-8", newline="\n")
        elif style == "text":
            print_source(made.written.text)
    if style == "json":
        print_json(summary.as_json(made, with_design=output is None and not refused))
    else:
        for line, bad in summary.lines(made):
            say(line, fg="yellow" if bad else None)
        say(summary.counts(made), fg="red" if refused or made.bad else "green")
        if refused:
            say("Nothing was written.", fg="red")
        elif output is not None:
            say(f"wrote {output}", fg="green")
            say(f"Next: read it, and then: {_command('generate', [output], None)}")
    sys.exit(DRIFT if refused or made.bad else 0)


@contextmanager
def _job(designs: Sequence[Path], output: Path | None, *, writing: bool) -> Iterator[tuple[Job, bool]]:
    """What a run is to do, and its turn on the output folder; whether it is sure to have that alone."""
    from toolgen import project, settings
    from toolgen.turns import turn

    job = project.plan(settings.find(Path.cwd()), designs, output)
    with turn(
        job.output, writing=writing, waiting=lambda: say("waiting for another run of toolgen to end ...")
    ) as alone:
        yield job, alone


def _compare(job: Job) -> tuple[Comparison, list[str]]:
    """How the disk differs from what a job gives, and the warnings, which are told."""
    from toolgen import cache, files, project

    warnings: list[str] = []

    def warn(text: str) -> None:
        warnings.append(text)
        say(f"warning: {text}", fg="yellow")

    with progress_shown("generating") as progress:
        try:
            return files.compare(project.compile_job(job, warn, progress=progress)), warnings
        except cache.LostError:
            return files.compare(project.compile_job(job, progress=progress, kept=False)), warnings


def _load(designs: Sequence[Path]) -> ir.Program:
    from toolgen import project, settings

    found = project.find_designs(settings.find(Path.cwd()), designs)
    return project.load_designs(found)


def _find(program: ir.Program, tool: str) -> Found:
    from toolgen.lookup import UnknownToolError, find_tool

    try:
        return find_tool(program, tool)
    except UnknownToolError as error:
        raise _Failure(str(error)) from error


@contextmanager
def _failures(style: str = "text", outcome: str = "") -> Iterator[None]:
    """Turns what a user can mend into words and exit code 2. ``outcome`` ends what is said of designs."""
    from toolgen.files import FilesError
    from toolgen.settings import SettingsError

    try:
        yield
    except KeyboardInterrupt:
        say("interrupted", fg="red")
        sys.exit(INTERRUPTED)
    except (SettingsError, FilesError) as error:
        raise _Failure(str(error)) from error
    except OSError as error:
        raise _Failure(f"{error.filename or ''}: {error.strerror or error}".removeprefix(": ")) from error
    except Exception as error:
        from toolgen.load import DesignError

        if not isinstance(error, DesignError):
            raise
        tell_problems(error, style, outcome)
        sys.exit(FAILED)


def _submitted(submit: Any, data: bytes, style: str) -> tuple[dict[str, Any], Sequence[Any]]:
    """What a submit reads, as the arguments that say it without a mend, and what was mended."""
    from toolgen.runtime.calls import ToolCall

    outcome = submit.read(ToolCall("", submit.name, data))
    if not outcome.accepted:
        tell_refusal(outcome.result.text, outcome.result.failure.issues, style)
        sys.exit(DRIFT)
    response = json.loads(submit.response.encode(outcome.response))
    reasoning = {"reasoning": outcome.reasoning} if submit.reasoning else {}
    return {**reasoning, **(response if submit.flat else {submit.payload: response})}, outcome.notes


def _context_json(pairs: Sequence[str]) -> dict[str, object]:
    given: dict[str, object] = {}
    for pair in pairs:
        name, equals, text = pair.partition("=")
        try:
            given[name] = json.loads(text)
        except ValueError as error:
            if not equals:
                raise _Failure(f"--context {pair}: write NAME=JSON, such as tenant='\"acme\"'") from error
            as_text = shlex.quote(json.dumps(text, ensure_ascii=False))
            raise _Failure(
                f"--context {pair}: {text!r} is no JSON ({error}); text needs quotes: {name}={as_text}"
            ) from error
    return given


def _context_values(spec: Any, given: Mapping[str, object]) -> Mapping[str, object]:
    """The injected fields as Python values. Raises ContextError."""
    from toolgen.runtime.issues import ContextError, PayloadError

    if spec.context is None:
        return given
    unknown = [name for name in given if name not in spec.injected]
    if unknown:
        known = ", ".join(spec.injected)
        raise _Failure(f"--context: {spec.name} has no injected field {unknown[0]}; it has {known}")
    try:
        values = spec.context.codec.decode(given)
    except PayloadError as error:
        raise ContextError.from_issues(error.issues) from error
    return {name: getattr(values, name) for name in spec.injected}


def _command(name: str, designs: Sequence[Path], output: Path | None, *options: str) -> str:
    """The command line that a user can paste, with the designs and the output of this one."""
    words = ["toolgen", name, *map(str, designs), *(["--output", str(output)] if output else []), *options]
    return shlex.join(words)
