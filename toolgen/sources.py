"""Which files decide what a design says, where that can be known without running it.

A design is code, and what it reads while it runs (the clock, the environment, other files) shapes the output. Only of
plain designs is it sure that nothing but their own text and that of the project's files which they import counts: they
import a few modules of the standard library and each other, and use nothing that could reach further.
"""

from __future__ import annotations

import ast
import importlib.machinery
import os
from collections.abc import Iterator
from pathlib import Path

from toolgen import syntax

_PLAIN_MODULES = frozenset(
    {
        "__future__",
        "collections",
        "collections.abc",
        "dataclasses",
        "datetime",
        "decimal",
        "enum",
        "fractions",
        "functools",
        "itertools",
        "math",
        "numbers",
        "re",
        "string",
        "textwrap",
        "typing",
        "uuid",
        "toolgen",
        "toolgen.dsl",
    }
)
_REACHES_OUT = frozenset(
    {
        "open",
        "exec",
        "eval",
        "compile",
        "input",
        "globals",
        "locals",
        "vars",
        "dir",
        "getattr",
        "setattr",
        "delattr",
        "breakpoint",
        "id",
        "hash",
        "set",
        "frozenset",
        "now",
        "today",
        "utcnow",
        "fromtimestamp",
        "utcfromtimestamp",
        "astimezone",
        "timestamp",
        "uuid1",
        "uuid4",
        "uuid6",
        "uuid7",
        "uuid8",
        "getnode",
    }
)
_PLAIN_DUNDERS = frozenset({"__doc__", "__name__", "__future__", "__all__", "__members__", "__init__"})
_SUFFIXES = tuple(importlib.machinery.all_suffixes())


class NotPlainError(Exception):
    """Running the design may read something beside the project's own modules."""


def inputs_of(design: Path, root: Path) -> dict[str, bytes | None]:
    """The files that running a design reads, by absolute path, and their content; None where there must be none.

    Raises NotPlainError, OSError.
    """
    packages = list(_packages(design))
    folders = [design.parent, packages[-1], root]
    found: dict[str, bytes | None] = {}
    # A design that stands in a package is imported as a part of it, which runs the package and those around it first.
    todo = [os.path.abspath(path) for path in (design, *(folder / "__init__.py" for folder in packages))]
    while todo:
        path = todo.pop()
        if path in found:
            continue
        if not os.path.exists(path):
            found[path] = None
        elif not path.endswith(".py"):
            raise NotPlainError(path)
        else:
            found[path] = content = Path(path).read_bytes()
            todo += _imported(content, Path(path), folders)
    return found


def _packages(design: Path) -> Iterator[Path]:
    """The folders of the packages that a design stands in, and last the one that they are imported from."""
    folder = design.parent
    while (folder / "__init__.py").is_file():
        yield folder
        folder = folder.parent
    yield folder


def _imported(content: bytes, path: Path, folders: list[Path]) -> Iterator[str]:
    """Every place where a module that a file imports may stand."""
    try:
        tree = syntax.tree(content)
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        raise NotPlainError(str(error)) from error
    for node in filter(_counts, syntax.nodes(tree)):
        match node:
            case ast.Import(names):
                for alias in names:
                    yield from _places(alias.name, (), folders)
            case ast.ImportFrom(module, names, 0):
                _judge_names(alias.name for alias in names)
                yield from _places(module or "", tuple(alias.name for alias in names), folders)
            case ast.ImportFrom(module, names, level):
                base = path.parents[level - 1] if level and level <= len(path.parents) else path.parent
                yield from _spots(base, [*(module or "").split(".")] if module else [], [a.name for a in names])
            case ast.Name(name, ast.Load()) | ast.Attribute(_, name, ast.Load()):
                _judge_names((name,))
            case ast.AnnAssign(_, annotation) if _hides_a_call(annotation):
                raise NotPlainError("an annotation in quotes")
            case ast.Set() | ast.SetComp():
                raise NotPlainError("the order of a set differs from run to run")


_COUNTING = frozenset({ast.Import, ast.ImportFrom, ast.Name, ast.Attribute, ast.AnnAssign, ast.Set, ast.SetComp})


def _counts(node: ast.AST) -> bool:
    return type(node) in _COUNTING


def _hides_a_call(annotation: ast.expr) -> bool:
    return any(isinstance(node, ast.Constant) and "(" in str(node.value) for node in syntax.nodes(annotation))


def _judge_names(names: Iterator[str] | tuple[str, ...]) -> None:
    for name in names:
        if name in _REACHES_OUT or name == "*" or (name.startswith("__") and name not in _PLAIN_DUNDERS):
            raise NotPlainError(name)


def _places(module: str, names: tuple[str, ...], folders: list[Path]) -> Iterator[str]:
    if module in _PLAIN_MODULES:
        return
    head, *rest = module.split(".")
    if not _is_own(head, folders):
        raise NotPlainError(module)  # a library, whose text is not the project's
    for folder in dict.fromkeys(folders):
        yield from _spots(folder, [head, *rest], list(names))


def _is_own(head: str, folders: list[Path]) -> bool:
    """Whether a module of this name is the project's. Of a folder that is no package, only where no library has it."""
    if any((folder / head / "__init__.py").is_file() or (folder / f"{head}.py").is_file() for folder in folders):
        return True
    installed = importlib.machinery.PathFinder.find_spec(head)
    return (installed is None or installed.loader is None) and any((folder / head).is_dir() for folder in folders)


def _spots(base: Path, parts: list[str], names: list[str]) -> Iterator[str]:
    """The files that a dotted name and what is imported from it may be, below a folder."""
    paths = [base.joinpath(*parts[:depth]) for depth in range(1, len(parts) + 1)] or [base]
    paths += [base.joinpath(*parts, name) for name in names]
    for path in paths:
        for suffix in _SUFFIXES:
            yield f"{path}{suffix}"
            yield os.path.join(path, f"__init__{suffix}")
