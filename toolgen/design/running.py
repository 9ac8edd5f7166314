"""Run design files, so that each file is one module however it is named, and no run leaves a trace in the process.

A design may import another by its stem (``from common import Condition``) or by its path from the project's root. Both
must give the classes that loading ``common.py`` by path gives, or one Record would be two types. So files are kept by
their real path, and ``sys.path`` and ``sys.modules`` are put back after each run.
"""

from __future__ import annotations
import __future__

import functools
import importlib
import importlib.util
import inspect
import linecache
import os
import re
import sys
import sysconfig
import types
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, redirect_stdout
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec, PathFinder, SourceFileLoader
from pathlib import Path
from types import TracebackType

from msgspec import Struct, field

from toolgen import dsl, ir, syntax
from toolgen.design import classes
from toolgen.design.hints import forget_unions
from toolgen.design.outline import Outline, outline
from toolgen.design.problems import Place, Problems, said_by
from toolgen.design.texts import near_name, nearest

OWN_NAME = "toolgen"

STANDARD_LIBRARY = os.path.realpath(sysconfig.get_path("stdlib"))
"""Where Python itself stands, which may be below a project whose root is the root of the disk."""

_OPTIONS = {
    cls.__name__: list(inspect.signature(cls).parameters)
    for cls in (dsl.Bounded, dsl.Constraints, dsl.Submit, dsl.Toolset)
}
_UNKNOWN_OPTION = re.compile(
    rf"^TypeError: ({'|'.join(_OPTIONS)})\.__init__\(\) got an unexpected keyword argument '(\w+)'"
)


class Source(Struct, eq=False):
    """One file that declares or may declare something: a design, or a module that a design imports from.

    ``shown`` is the file's name for people, ``relative`` its name in generated files. ``toolsets`` and ``records`` are
    in order of declaration.
    """

    module: types.ModuleType
    real: str
    shown: str
    relative: str
    outline: Outline
    toolsets: list[dsl.Toolset] = field(default_factory=list)
    records: list[type[dsl.Record]] = field(default_factory=list)
    state: str = "new"
    failure: BaseException | None = None

    @property
    def stem(self) -> str:
        """The name of the file without its ending; of a package's ``__init__.py``, the folder's."""
        path = Path(self.real)
        return path.parent.name if path.stem == "__init__" else path.stem

    def defines(self, cls: type) -> bool:
        """Whether a class that says it is of this module is there. Of a design's own module all are that say so."""
        if self.state != "library":
            return True
        names: Mapping[str, object] = self.module.__dict__
        outer, *inner = classes.qualified_name(cls).split(".")
        found = names.get(outer)
        for name in inner:
            found = classes.attribute(found, name) if isinstance(found, type) else None
        return found is cls or any(value is cls for value in names.values())

    def line(self, number: int) -> str:
        """The text of one line, without the blank space around it; empty where there is none to be read."""
        linecache.checkcache(self.real)
        return linecache.getline(self.real, number).strip()

    def location(self, line: int) -> ir.Location:
        return ir.Location(self.shown, line)


class Sources:
    """All files of one load, by real path."""

    def __init__(self, root: Path, problems: Problems) -> None:
        self.root = os.path.abspath(root)
        self.problems = problems
        self.by_path: dict[str, Source] = {}
        self._by_module: dict[str, Source] = {}
        self._by_class: dict[int, tuple[type, Source]] = {}  # by id: what a metaclass makes may have no hash
        self._shown: dict[str, str] = {}
        self._told: list[BaseException] = []

    # --- names of files -------------------------------------------------------------------------------------------

    def show(self, path: str | Path) -> str:
        """The file's name for people: from the root where it stands below it, else as the user wrote it."""
        text = os.path.abspath(path)
        for base in (self.root, os.path.realpath(self.root)):
            if is_below(text, base):
                return os.path.relpath(text, base).replace(os.sep, "/")
        return self._shown.get(os.path.realpath(path), str(path)).replace(os.sep, "/")

    def _relative(self, path: str) -> str:
        for base in (self.root, os.path.realpath(self.root)):
            if is_below(path, base):
                return os.path.relpath(path, base).replace(os.sep, "/")
        try:
            return os.path.relpath(path, os.path.realpath(self.root)).replace(os.sep, "/")
        except ValueError:  # another drive
            return os.path.basename(path)

    # --- running --------------------------------------------------------------------------------------------------

    def run(self, path: Path) -> Source | None:
        """Run a design file, unless it ran already. What it raises becomes a problem, and the answer None."""
        real = os.path.realpath(path)
        self._shown.setdefault(real, str(path))
        folder = os.path.dirname(os.path.abspath(path))
        top, name = _module_name(Path(path))
        with self._importing([folder, top, self.root]):
            try:
                if name is not None:
                    self._run_in_package(real, name)
                else:
                    self._run_alone(real)
            except KeyboardInterrupt:
                raise
            except BaseException as error:  # a design may raise anything, SystemExit included
                self._report(real, error)
                return None
        return self.by_path[real]

    def imported(self, name: str, design: str) -> types.ModuleType:
        """A module of the project, or an installed one, as the design file ``design`` would import it.

        Raises:
            Exception: whatever importing it raises.
        """
        top, _ = _module_name(Path(design))
        with self._importing([os.path.dirname(design), top, self.root]):
            return importlib.import_module(name)

    def _run_in_package(self, real: str, name: str) -> None:
        """Import a file by its dotted name; by its path, where a package beside it has taken that name."""
        found = importlib.util.find_spec(name)
        if found is not None and found.origin is not None and os.path.realpath(found.origin) == real:
            importlib.import_module(name)
        else:
            self._run_by_path(real, f"{name}#design")

    def _run_alone(self, real: str) -> None:
        stem = os.path.splitext(os.path.basename(real))[0]
        taken = stem in sys.stdlib_module_names or stem in sys.modules or not stem.isidentifier()
        self._run_by_path(real, f"{stem}#design" if taken else stem)

    def _run_by_path(self, real: str, name: str) -> None:
        spec = importlib.util.spec_from_file_location(name, real, loader=_Runner(self, real))
        assert spec is not None
        assert spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        sys.modules[name] = module
        spec.loader.exec_module(module)

    def module_for(self, real: str, name: str) -> types.ModuleType:
        """The module of a file; made, under a name that no other file of this load has, when first asked for."""
        if real not in self.by_path:
            unique, count = name, 1
            while unique in self._by_module:
                count += 1
                unique = f"{name}#{count}"
            module = types.ModuleType(unique)
            source = Source(module, real, self.show(real), self._relative(real), Outline())
            self.by_path[real] = self._by_module[unique] = source
        return self.by_path[real].module

    def execute(self, real: str) -> None:
        """Run a file's code in its module, once. A file that failed fails again in the same way."""
        source = self.by_path[real]
        if source.failure is not None:
            raise source.failure
        if source.state != "new":
            return
        source.state = "running"
        forget_unions()
        sys.modules.setdefault(source.module.__name__, source.module)
        try:
            exec(self._compile(source), source.module.__dict__)
        except BaseException as error:
            source.failure = error
            raise
        source.state = "done"

    def _compile(self, source: Source) -> types.CodeType:
        text = Path(source.real).read_bytes()
        try:
            tree = syntax.tree(text)
            source.outline = outline(tree)
            return compile(tree, source.real, "exec", dont_inherit=True, optimize=0)
        except SyntaxError as error:
            error.filename = source.real
            raise
        except (ValueError, RecursionError, MemoryError, OverflowError) as error:
            raise SyntaxError(str(error) or type(error).__name__, (source.real, 1, 1, None)) from None

    def heard(self, declared: object) -> None:
        """Note a Toolset or Record under the file that declared it."""
        if isinstance(declared, dsl.Toolset):
            source = self.by_path.get(os.path.realpath(declared.spot.file))
            if source is not None:
                source.toolsets.append(declared)
        elif isinstance(declared, type) and issubclass(declared, dsl.Record):
            source = self._by_module.get(classes.module_name(declared) or "")
            written = self.by_path.get(os.path.realpath(declared.__toolgen_record__.spot.file))
            if written is not None and (source is None or source.state == "library"):
                self._by_class[id(declared)] = declared, written
                source = written
            if source is not None:
                source.records.append(declared)

    # --- classes --------------------------------------------------------------------------------------------------

    def home(self, cls: type) -> Source | None:
        """The file that defines a class; None where nothing tells, since the class names no module that there is.

        A module that no design file is, such as a library's, is read as it stands.
        """
        if id(cls) in self._by_class:
            return self._by_class[id(cls)][1]
        name = classes.module_name(cls)
        if name is not None and name not in self._by_module and name in sys.modules:
            self._by_module[name] = _library(name)
        return self._by_module.get(name or "")

    def of_class(self, cls: type) -> Source:
        """As ``home``, with an empty file for what has none."""
        return self.home(cls) or Source(types.ModuleType("?"), "?", "?", "?", Outline(), state="library")

    def stands_in(self, cls: type, source: Source | None) -> None:
        """Note the file of a class, in case that the class itself does not tell, or tells of another."""
        home = self.home(cls)
        if source is not None and (home is None or not home.defines(cls)):
            self._by_class[id(cls)] = cls, source

    # --- what went wrong ------------------------------------------------------------------------------------------

    def blame(self, error: Exception) -> bool:
        """Report what the code of a design raised while the design was read; False where it was none of a design's."""
        frames = self._own_frames(error)
        if frames:
            self._report(frames[-1][0], error)
        return bool(frames)

    def _own_frames(self, error: BaseException) -> list[tuple[str, int]]:
        return [(file, line) for file, line in _frames(error.__traceback__) if file in self.by_path]

    def _report(self, real: str, error: BaseException) -> None:
        if any(error is told for told in self._told):
            return  # a file fails in the same way for everybody who imports it
        self._told.append(error)
        frames, other = self._own_frames(error), None
        if isinstance(error, SyntaxError) and error.filename in self.by_path:
            file, line = error.filename, error.lineno or 1
            column = f", at column {error.offset}" if error.offset else ""
            conflict = _conflict_line(file)
            if conflict is not None:
                line = conflict
                rule, mend = "the file has merge conflict markers", "Keep one side, or write one of both."
            else:
                rule = f"the file does not parse: {error.msg}{column}"
                mend = "Write valid Python; a design is run to be read."
        elif (unknown := _UNKNOWN_OPTION.search(said_by(error))) is not None:
            file, line = frames[-1] if frames else (real, 1)
            owner, option = unknown.groups()
            near = nearest(option, _OPTIONS[owner])
            rule = f"{owner} has no option {option}"
            mend = f"Did you mean {near}?" if near else f"It has {', '.join(_OPTIONS[owner])}."
        elif (other := self._importer(error, frames)) is not None:
            file, line = frames[-1]
            rule = f"it imports from {self.show(other)}, which imports it in turn and is not done yet"
            mend = "Put what both need into a file of its own, and import it from there."
        else:
            file, line = frames[-1] if frames else (real, 1)
            rule = f"running the design raised {said_by(error)}"
            mend = self._mend_of(error, file)
        importer = None if file == real or other else next((at for at in reversed(frames) if at[0] == real), None)
        if importer is not None:
            rule += f" (imported by {self.show(real)}:{importer[1]})"
        self.problems.add(Place(ir.Location(self.show(file), line)), rule, mend)

    def _importer(self, error: BaseException, frames: Sequence[tuple[str, int]]) -> str | None:
        """The file that lacks a name since it is still importing the one that asks for it; None for any other error."""
        if not isinstance(error, ImportError) or isinstance(error, ModuleNotFoundError) or not error.path:
            return None
        path = os.path.realpath(error.path)
        return path if len({file for file, _ in frames}) > 1 and path in {file for file, _ in frames[:-1]} else None

    def _mend_of(self, error: BaseException, file: str) -> str:
        if isinstance(error, ImportError):
            return _mend_of_import(error)
        if not isinstance(error, NameError) or isinstance(error, UnboundLocalError) or not error.name:
            return "Mend this line; a design is run to be read."
        source = self.by_path.get(file)
        names = source.module.__dict__ if source is not None else {}
        mend = f"{near_name(error.name, names)}Import {error.name} or define it above."
        if sys.version_info < (3, 14) and names.get("annotations") is not __future__.annotations:
            mend += " If it is a type, put `from __future__ import annotations` at the top: types may then come later."
        return mend

    # --- the process ----------------------------------------------------------------------------------------------

    @contextmanager
    def _importing(self, folders: Sequence[str]) -> Iterator[None]:
        """Let a design import from ``folders``, and put the import system back as it was."""
        folders = list(dict.fromkeys(os.path.realpath(folder) for folder in folders))
        path, flag = list(sys.path), sys.dont_write_bytecode
        finder = _Finder(self, folders)
        importlib.invalidate_caches()
        aside = {name: module for name, module in sys.modules.items() if self._is_own(name, module, folders)}
        for name in aside:
            del sys.modules[name]
        before = set(sys.modules)
        sys.path.extend(folder for folder in folders if folder not in sys.path)
        sys.meta_path.insert(0, finder)
        sys.dont_write_bytecode = True
        try:
            with redirect_stdout(sys.stderr), dsl.listening(self.heard):
                yield
        finally:
            sys.dont_write_bytecode = flag
            sys.meta_path.remove(finder)
            sys.path[:] = path
            for name, module in list(sys.modules.items()):
                if name not in before and self._is_own(name, module, folders):
                    del sys.modules[name]
            sys.modules.update(aside)

    def _is_own(self, name: str, module: object, folders: Sequence[str]) -> bool:
        """Whether a module is one of the project's files, which must be read afresh."""
        if name == "__main__" or name.partition(".")[0] == OWN_NAME or not isinstance(module, types.ModuleType):
            return False
        file = module.__dict__.get("__file__")
        places = [file] if isinstance(file, str) else _text_paths(module.__dict__.get("__path__"))
        return any(is_own_file(_real_place(place), folders) for place in places)


class _Finder(MetaPathFinder):
    """Finds the project's modules ahead of all others, save the standard library's and toolgen's own."""

    def __init__(self, sources: Sources, folders: Sequence[str]) -> None:
        self._sources = sources
        self._folders = folders

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: types.ModuleType | None = None
    ) -> ModuleSpec | None:
        head = fullname.partition(".")[0]
        if head in sys.stdlib_module_names or head == OWN_NAME:
            return None
        spec = PathFinder.find_spec(fullname, list(self._folders) if path is None else path)
        if spec is not None and spec.loader is None and path is None:
            return _folder_spec(spec)
        if spec is None or spec.origin is None or not isinstance(spec.loader, SourceFileLoader):
            return None
        real = os.path.realpath(spec.origin)
        if not is_own_file(real, self._folders):
            return None
        spec.loader = _Runner(self._sources, real)
        return spec


class _Runner(Loader):
    """Runs one of the project's files."""

    def __init__(self, sources: Sources, real: str) -> None:
        self._sources = sources
        self._real = real

    def create_module(self, spec: ModuleSpec) -> types.ModuleType:
        return self._sources.module_for(self._real, spec.name)

    def exec_module(self, module: types.ModuleType) -> None:
        self._sources.execute(self._real)


def _folder_spec(spec: ModuleSpec) -> ModuleSpec | None:
    """A folder of the project as a package, unless its name is that of an installed module.

    Only the project's folder: Python itself would mix it with folders of that name elsewhere on ``sys.path``.
    """
    installed = PathFinder.find_spec(spec.name)
    if installed is not None and installed.loader is not None:
        return None
    folder = ModuleSpec(spec.name, None, is_package=True)
    folder.submodule_search_locations = list(spec.submodule_search_locations or ())
    return folder


@functools.cache
def _real_place(place: str) -> str:
    """The real path of where a module stands, which is resolved once: a process may have thousands of modules."""
    return os.path.realpath(place)


def _conflict_line(file: str) -> int | None:
    """The line of a file's first merge conflict marker."""
    try:
        lines = Path(file).read_bytes().splitlines()
    except OSError:
        return None
    return next((number for number, line in enumerate(lines, 1) if line.startswith(b"<<<<<<< ")), None)


def is_own_file(real: str, folders: Sequence[str]) -> bool:
    """Whether a file belongs to the project in ``folders``, and not to a library installed below them."""
    parts = real.split(os.sep)
    installed = "site-packages" in parts or "dist-packages" in parts or is_below(real, STANDARD_LIBRARY)
    return not installed and any(is_below(real, folder) for folder in folders)


def is_below(path: str, folder: str) -> bool:
    """Whether a path stands in a folder, or in one of its own."""
    return path.startswith(folder.rstrip(os.sep) + os.sep)


def _text_paths(value: object) -> list[str]:
    try:
        return [item for item in value if isinstance(item, str)]  # type: ignore[attr-defined]
    except Exception:  # a library's own idea of __path__
        return []


def _module_name(path: Path) -> tuple[str, str | None]:
    """The import folder and dotted name of a file that stands in a package, or its folder and None."""
    folder = Path(os.path.abspath(path)).parent
    parts = [path.stem]
    while (folder / "__init__.py").is_file() and folder.name.isidentifier():
        parts.insert(0, folder.name)
        folder = folder.parent
    usable = len(parts) > 1 and all(part.isidentifier() for part in parts)
    usable = usable and parts[0] not in sys.stdlib_module_names and parts[0] != OWN_NAME
    return str(folder), ".".join(parts) if usable else None


def _library(name: str) -> Source:
    """A module that was imported in the usual way, as far as a design can take types from it."""
    module = sys.modules[name]
    file = module.__dict__.get("__file__") or name
    found = Outline()
    if file.endswith(".py") and os.path.isfile(file):
        found = outline(syntax.tree(Path(file).read_bytes()))
    source = Source(module, file, file, name.replace(".", "/") + ".py", found, state="library")
    values: Mapping[str, object] = module.__dict__
    source.toolsets = [v for v in values.values() if isinstance(v, dsl.Toolset) and v.spot.file == file]
    source.records = [
        v
        for v in values.values()
        if isinstance(v, type) and issubclass(v, dsl.Record) and classes.module_name(v) == name
    ]
    return source


_NOT_IN_MODULE = re.compile(r"cannot import name '(\w+)'")


def _mend_of_import(error: ImportError) -> str:
    if not isinstance(error, ModuleNotFoundError):
        named, module = _NOT_IN_MODULE.search(str(error)), sys.modules.get(error.name or "")
        near = nearest(named[1], vars(module)) if named and module else None
        hint = f"Did you mean {near}? " if near else ""
        return f"{hint}Import what that module has; a design is run to be read."
    return (
        "Modules are looked for in the folder of the design, in the project's root, and among what is installed "
        "where toolgen is: install it there, or correct the name."
    )


def _frames(traceback: TracebackType | None) -> Iterator[tuple[str, int]]:
    while traceback is not None:
        yield os.path.realpath(traceback.tb_frame.f_code.co_filename), traceback.tb_lineno
        traceback = traceback.tb_next
