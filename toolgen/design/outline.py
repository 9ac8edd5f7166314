"""Lines of the classes and fields in a design file, from its syntax tree.

A class knows its name but not its line, and an annotation without a call knows nothing, so both are looked up in the
text of the file.
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator, Sequence

from msgspec import Struct, field


class ClassLines(Struct):
    """A class statement: its line, and the lines of each name that its body assigns or annotates."""

    line: int
    first_line: int
    fields: dict[str, list[int]] = field(default_factory=dict)
    names: dict[str, int] = field(default_factory=dict)


class Outline(Struct):
    """The classes of one file by qualified name, the module-level classes that are declared more than once, and the
    lines of the names that the module assigns."""

    classes: dict[str, list[ClassLines]] = field(default_factory=dict)
    repeated: dict[str, list[int]] = field(default_factory=dict)
    names: dict[str, int] = field(default_factory=dict)

    def find(self, qualname: str, near: int | None = None) -> ClassLines | None:
        """The class statement of that name; of several, the one that spans line ``near``, else the last."""
        found = self.classes.get(qualname, [])
        spanning = [lines for lines in found if near is not None and lines.first_line <= near <= lines.line]
        best = spanning or found
        return best[-1] if best else None


def outline(tree: ast.Module) -> Outline:
    """Read the outline of a parsed file."""
    classes: dict[str, list[ClassLines]] = {}
    for qualname, node in _classes(tree, ""):
        classes.setdefault(qualname, []).append(_class_lines(node))
    heads = [node for node in tree.body if isinstance(node, ast.ClassDef)]
    counts = Counter(node.name for node in heads)
    repeated = {name: [n.lineno for n in heads if n.name == name] for name, count in counts.items() if count > 1}
    return Outline(classes, repeated, _assigned(tree.body))


def _classes(node: ast.AST, prefix: str) -> Iterator[tuple[str, ast.ClassDef]]:
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.ClassDef):
            yield prefix + child.name, child
            yield from _classes(child, f"{prefix}{child.name}.")
        elif isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef):
            yield from _classes(child, f"{prefix}{child.name}.<locals>.")
        elif not isinstance(child, ast.expr):
            yield from _classes(child, prefix)


def _class_lines(node: ast.ClassDef) -> ClassLines:
    lines = ClassLines(node.lineno, min([node.lineno, *(d.lineno for d in node.decorator_list)]))
    for statement in node.body:
        if isinstance(statement, ast.AnnAssign) and isinstance(statement.target, ast.Name):
            lines.fields.setdefault(statement.target.id, []).append(statement.lineno)
    lines.names = _assigned(node.body)
    return lines


def _assigned(body: Sequence[ast.stmt]) -> dict[str, int]:
    lines: dict[str, int] = {}
    for statement in body:
        if isinstance(statement, ast.Assign):
            names = [target.id for target in statement.targets if isinstance(target, ast.Name)]
            lines.update(dict.fromkeys(names, statement.lineno))
        elif isinstance(statement, ast.AnnAssign) and isinstance(statement.target, ast.Name):
            lines[statement.target.id] = statement.lineno
        elif isinstance(statement, ast.ClassDef | ast.FunctionDef):
            lines[statement.name] = statement.lineno
    return lines
