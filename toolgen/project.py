"""A run: which designs it compiles, into which folders, and what that gives."""

from __future__ import annotations

import glob
import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from importlib.metadata import version
from pathlib import Path

from toolgen import __version__, emit, ir, lint, load, manifest
from toolgen.files import Area, Build
from toolgen.paths import shown
from toolgen.settings import Settings, SettingsError, Wanted, derive_package
from toolgen.testing import NoInput


@dataclass(frozen=True, slots=True)
class Designs:
    """The design files of a run, sorted, and the folder that their names are relative to.

    ``everything`` is whether the run speaks for all designs of the project. If not, it speaks for ``files`` and for
    what stands in ``folders``.
    """

    root: Path
    files: tuple[Path, ...]
    folders: tuple[Path, ...]
    everything: bool

    def coverage(self) -> Callable[[str | None], bool]:
        """Says of a design file, named as in the manifest, whether this run speaks for it; None is what all share."""
        places = {path.resolve() for path in (*self.files, *self.folders)}
        root = self.root.resolve()

        def covers(source: str | None) -> bool:
            if self.everything or source is None:
                return self.everything
            path = Path(os.path.normpath(root / source))
            return not places.isdisjoint((path, *path.parents))

        return covers


@dataclass(frozen=True, slots=True)
class Job:
    """Designs, and the folders to generate. ``contract_tests`` is None where there are to be none."""

    designs: Designs
    output: Path
    contract_tests: Path | None
    package: str | None
    line_length: int
    providers: tuple[Wanted, ...] = ()


def find_designs(settings: Settings, given: Sequence[Path], output: Path | None = None) -> Designs:
    """The designs that were asked for by name, or else those of the settings. Raises SettingsError.

    Without settings there is no project to name files in; the innermost folder that holds the designs and the output
    stands in, so that a run gives the same from every working folder.
    """
    if given:
        files = _expand([(path, str(path)) for path in given], "")
        folders = tuple(path for path in given if path.is_dir())
        return Designs(_root(settings, [*files, *folders], output), files, folders, everything=False)
    if not settings.designs:
        file = settings.file
        what = f"{shown(file)} sets no designs in [tool.toolgen]" if file else "no settings were found"
        raise SettingsError(f"no design was given, and {what}. Name a design file, or start a project: toolgen init")
    named = [(settings.root / pattern, pattern) for pattern in settings.designs]
    return Designs(settings.root, _expand(named, "designs in [tool.toolgen]: "), (), everything=True)


def _root(settings: Settings, designs: Sequence[Path], output: Path | None) -> Path:
    """The folder that designs are named from: where they share nothing with the output, only what holds them."""
    if settings.file:
        return settings.root
    common = _common_folder([*designs, *([output] if output else [])])
    return _common_folder(designs) if common == Path(common.anchor) else common


def plan(settings: Settings, given: Sequence[Path], output: Path | None) -> Job:
    """What a run is to do; ``given`` and ``output`` override the settings. Raises SettingsError.

    Contract tests import the package in the output folder of the settings, so a run into another folder makes none.
    """
    set_output = settings.root / settings.output if settings.output else None
    folder = output or set_output
    if folder is None:
        file = settings.file
        instead = f"set output in [tool.toolgen] of {shown(file)}" if file else "start a project: toolgen init"
        raise SettingsError(f"no output folder: give --output, or {instead}")
    folder = Path(os.path.abspath(folder))
    designs = find_designs(settings, given, folder)
    package = settings.package or derive_package(folder, settings.root)
    tests = None
    if settings.contract_tests and (set_output is None or folder.resolve() == set_output.resolve()):
        tests = Path(os.path.abspath(settings.root / settings.contract_tests))
        _check_contract_tests(settings, folder, tests, package)
    return Job(designs, folder, tests, package, settings.line_length, settings.providers)


def compile_job(job: Job, warn: Callable[[str], None] = lambda text: None) -> Build:
    """Loads the designs and renders every file in memory. ``warn`` is told what the providers of the settings would
    refuse. Raises DesignError, SettingsError, LintError."""
    program = load_designs(job.designs)
    if job.providers:
        lint.judge(program, job.providers, warn)
    options = emit.Options(line_length=job.line_length, import_root=job.package)
    areas = [Area(manifest.OUTPUT, job.output, emit.render(program, options))]
    made_with: dict[str, manifest.Setting] = {
        "black": version("black"),
        "line_length": job.line_length,
        "toolgen": __version__,
    }
    if job.contract_tests:
        try:
            contracts = emit.render_contracts(program, options)
        except NoInput as error:
            raise SettingsError(f"contract tests cannot be made: {error}") from error
        areas.append(Area(manifest.CONTRACT_TESTS, job.contract_tests, contracts))
        made_with["package"] = job.package or ""
    return Build(tuple(areas), made_with, job.designs.coverage(), job.designs.root)


def load_designs(designs: Designs) -> ir.Program:
    """What the designs say. Raises DesignError, whose problems name files as from the working folder."""
    try:
        return load.load(designs.files, root=designs.root)
    except load.DesignError as error:
        raise load.DesignError(_from_here(problem, designs.root) for problem in error.problems) from error


def _from_here(problem: load.Problem, root: Path) -> load.Problem:
    file = root / problem.location.file
    location = replace(problem.location, file=shown(file) if file.exists() else problem.location.file)
    return replace(problem, location=location)


def _check_contract_tests(settings: Settings, output: Path, tests: Path, package: str | None) -> None:
    """Raises SettingsError where contract tests would be shipped, or could not import what they test."""
    where = shown(settings.file or settings.root)
    at_root = output.resolve() == settings.root.resolve()
    if tests.resolve() == output.resolve() or (output.resolve() in tests.resolve().parents and not at_root):
        raise SettingsError(f"{where}: contract-tests must stand outside the output folder, which is what you ship")
    if package is None:
        raise SettingsError(
            f"{where}: contract tests import the output folder, and its import name does not follow from its place: "
            'set package in [tool.toolgen], such as package = "acme.tools"'
        )


def _expand(named: Sequence[tuple[Path, str]], prefix: str) -> tuple[Path, ...]:
    """The design files that paths, folders and patterns stand for, sorted.

    A folder or a pattern does not stand for files that begin with an underscore: those are for designs to import.
    """
    found: dict[Path, Path] = {}
    for path, name in named:
        if path.is_file():
            matches = [path]
        else:
            pattern = os.path.join(glob.escape(str(path)), "**", "*.py") if path.is_dir() else str(path)
            matches = [Path(match) for match in glob.glob(pattern, recursive=True)]
            matches = [match for match in matches if match.is_file() and not match.name.startswith("_")]
        if not matches:
            missing = "matches no file" if glob.has_magic(name) else "is not there"
            raise SettingsError(f"{prefix}{name} {'holds no design (*.py)' if path.is_dir() else missing}")
        for match in matches:
            found.setdefault(match.resolve(), Path(os.path.abspath(match)))
    return tuple(sorted(found.values(), key=lambda path: path.as_posix()))


def _common_folder(paths: Sequence[Path]) -> Path:
    parents = [str(path.resolve() if path.is_dir() else path.resolve().parent) for path in paths]
    try:
        return Path(os.path.commonpath(parents))
    except ValueError:  # on several drives
        return Path(parents[0])
