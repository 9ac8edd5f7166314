"""Generated modules with one fault each: what a wrong edit, a bad merge or a bug of the generator could leave.

Each fault is made on the syntax tree, in code that a tool reaches. Left alone is what a contract does not speak of:
descriptions, titles and examples, annotations of functions and dataclasses, and the hints of a spec.
"""

from __future__ import annotations

import ast
import copy
import json
from collections.abc import Callable, Iterator
from itertools import pairwise
from typing import Any

Change = Callable[[], None]
Fault = tuple[str, str]
"""What was done, and the source that has it done."""


def faults(source: str, reached: set[str] | None = None) -> Iterator[Fault]:
    """Every fault of a module, one at a time, in its top-level definitions that are in ``reached`` (None: in all)."""
    count = sum(1 for _ in _sites(ast.parse(source), reached))
    for index in range(count):
        changed = ast.parse(source)
        label, change = next(site for n, site in enumerate(_sites(changed, reached)) if n == index)
        change()
        yield label, ast.unparse(ast.fix_missing_locations(changed))


def reached_names(source: str, roots: set[str]) -> set[str]:
    """The top-level definitions of a module that are reached from ``roots`` by name."""
    tree = ast.parse(source)
    uses: dict[str, set[str]] = {}
    for node in tree.body:
        named = {n.id for n in ast.walk(node) if isinstance(n, ast.Name)}
        for name in _defined(node):
            uses[name] = named
    found: set[str] = set()
    waiting = [name for name in roots if name in uses]
    while waiting:
        name = waiting.pop()
        if name not in found:
            found.add(name)
            waiting.extend(uses[name] & uses.keys())
    return found


def _defined(node: ast.stmt) -> list[str]:
    match node:
        case ast.ClassDef(name=name) | ast.FunctionDef(name=name):
            return [name]
        case ast.AnnAssign(target=ast.Name(id=name)):
            return [name]
        case ast.Assign(targets=[ast.Name(id=name)]):
            return [name]
    return []


def _sites(tree: ast.Module, reached: set[str] | None) -> Iterator[tuple[str, Change]]:
    same = _same(tree)
    for node in tree.body:
        names = _defined(node)
        if not names or (reached is not None and not set(names) & reached):
            continue
        for label, change in _faults_of(node, same):
            yield f"{names[0]}: {label}", change


def _same(tree: ast.Module) -> set[str]:
    """The arguments of a codec in which the model's and the execution's are one."""
    aliases = [ast.unparse(n.target if isinstance(n, ast.AnnAssign) else n.targets[0]) for n in tree.body
               if isinstance(n, ast.Assign | ast.AnnAssign) and isinstance(n.value, ast.Name)]  # fmt: skip
    found = {"to_body"} if any(name.endswith("ArgsBody") for name in aliases) else set()
    return found | ({"from_body"} if "args_from_body" in aliases else set())


def _faults_of(node: ast.stmt, same: set[str]) -> Iterator[tuple[str, Change]]:
    match node:
        case ast.ClassDef(bases=[ast.Name(id="Struct")]):
            yield from _struct(node)
        case ast.ClassDef(bases=[ast.Name(id="Enum")]):
            yield from _enum(node)
        case ast.ClassDef():
            yield from _dataclass(node)
        case ast.FunctionDef():
            yield from _function(node)
        case ast.Assign(targets=[ast.Name(id=name)], value=ast.Constant(value=str(text))) if name.endswith("_SCHEMA"):
            yield from _schema(node, text)
        case ast.AnnAssign(value=ast.Call() as call):
            yield from _call(call, same)


# Classes


def _struct(node: ast.ClassDef) -> Iterator[tuple[str, Change]]:
    for keyword in node.keywords:
        if keyword.arg == "forbid_unknown_fields":
            yield "opened", _set(keyword, "value", ast.Constant(False))
        if keyword.arg in ("rename", "tag", "tag_field"):
            for constant in _constants(keyword.value, str)[-1:]:
                yield f"{keyword.arg} changed", _set(constant, "value", constant.value + "_")
    for field in _annotated(node):
        name = ast.unparse(field.target)
        if field.value is None:
            yield f"{name} no longer required", _set(field, "value", ast.Name("UNSET"))
        else:
            yield f"{name} required", _set(field, "value", None)
        yield from ((f"{name} {label}", change) for label, change in _annotation(field))


def _annotation(field: ast.AnnAssign) -> Iterator[tuple[str, Change]]:
    for call in (n for n in ast.walk(field.annotation) if isinstance(n, ast.Call)):
        for keyword in call.keywords:
            yield f"loses {keyword.arg}", _drop(call.keywords, keyword)
            match keyword.value:
                case ast.Constant(value=str(text)):
                    yield f"{keyword.arg} changed", _set(keyword.value, "value", f"(?:{text})x")
                case _:
                    yield f"{keyword.arg} up", _set(keyword, "value", _plus(keyword.value, 1))
                    yield f"{keyword.arg} down", _set(keyword, "value", _plus(keyword.value, -1))
    for literal in (n for n in ast.walk(field.annotation) if isinstance(n, ast.Subscript)):
        if ast.unparse(literal.value) == "Literal" and isinstance(literal.slice, ast.Tuple):
            yield "loses a member", _drop(literal.slice.elts, literal.slice.elts[-1])
    nullable = [n for n in ast.walk(field.annotation) if isinstance(n, ast.BinOp) and ast.unparse(n.right) == "None"]
    for union in nullable:
        yield "not nullable", _set(union, "right", union.left)
    if not nullable:
        either = ast.BinOp(field.annotation, ast.BitOr(), ast.Constant(None))
        yield "nullable", _set(field, "annotation", either)


def _plus(value: ast.expr, amount: int) -> ast.expr:
    return ast.Constant(ast.literal_eval(value) + amount)


def _enum(node: ast.ClassDef) -> Iterator[tuple[str, Change]]:
    for member in node.body:
        if isinstance(member, ast.Assign) and isinstance(member.value, ast.Constant):
            yield f"{ast.unparse(member.targets[0])} changed", _set(member, "value", _other(member.value))


def _dataclass(node: ast.ClassDef) -> Iterator[tuple[str, Change]]:
    for field in _annotated(node):
        name = ast.unparse(field.target)
        if field.value is None:
            continue
        yield f"{name} loses its default", _set(field, "value", None)
        yield f"{name} has another default", _set(field, "value", _other(field.value))


def _annotated(node: ast.ClassDef) -> list[ast.AnnAssign]:
    return [field for field in node.body if isinstance(field, ast.AnnAssign)]


# Functions


def _function(node: ast.FunctionDef) -> Iterator[tuple[str, Change]]:
    for default, parameter in zip(node.args.kw_defaults, node.args.kwonlyargs, strict=True):
        if default is not None:
            index = node.args.kw_defaults.index(default)
            yield f"{parameter.arg} has another default", _set_item(node.args.kw_defaults, index, _other(default))
    yield from _assigned(node)
    for inner in ast.walk(node):
        match inner:
            case ast.If(test=ast.Compare(left=left)) if node.name.endswith("from_body"):
                yield f"{ast.unparse(left)} turned round", _swap(inner, "body", inner, "orelse")
                yield f"{ast.unparse(left)} given is left out", _set(inner, "orelse", inner.body)
                for assign in inner.body:
                    if isinstance(assign, ast.Assign):
                        yield f"{ast.unparse(left)} has another default", _set(assign, "value", _other(assign.value))
            case ast.IfExp():
                yield f"null of {ast.unparse(inner.orelse)} not minded", _set_node(inner, inner.orelse)
            case ast.Return(value=ast.Call() as call):
                yield from _returned(call)
            case ast.Expr(value=ast.Call()):
                yield "a check is left out", _set_node(inner, ast.Pass())
            case ast.Dict(values=values):
                yield from ((f"a value is crossed: {label}", change) for label, change in _crossed(values))
            case ast.Call(func=ast.Name(id="unique" | "member" | "multiple"), args=[value, *_]):
                yield "a guard is left out", _set_node(inner, value)


def _assigned(node: ast.FunctionDef) -> Iterator[tuple[str, Change]]:
    """The attributes that a transform sets, each crossed with the next, and each left out."""
    found = [n for n in ast.walk(node) if isinstance(n, ast.Assign) and isinstance(n.targets[0], ast.Attribute)]
    by_name: dict[str, list[ast.Assign]] = {}
    for assign in found:
        by_name.setdefault(ast.unparse(assign.targets[0]), []).append(assign)
    for left, right in pairwise(by_name):

        def cross(left: str = left, right: str = right) -> None:
            first, second = by_name[left][0].targets[0], by_name[right][0].targets[0]
            for assigns, target in ((by_name[left], second), (by_name[right], first)):
                for assign in assigns:
                    assign.targets = [target]

        yield f"crossed: {left} and {right}", cross


def _returned(call: ast.Call) -> Iterator[tuple[str, Change]]:
    if ast.unparse(call.func).endswith(".check"):
        (inner,) = call.args
        yield "a check is left out", _set_node(call, inner)
        if isinstance(inner, ast.Call):
            yield from _returned(inner)
        return
    yield from ((f"crossed: {label}", change) for label, change in _crossed(call.args))
    keywords = call.keywords
    for left, right in pairwise(keywords):
        yield f"crossed: {left.arg} and {right.arg}", _swap(left, "value", right, "value")


def _crossed(values: list[Any]) -> Iterator[tuple[str, Change]]:
    for index in range(len(values) - 1):

        def cross(index: int = index) -> None:
            values[index], values[index + 1] = values[index + 1], values[index]

        yield f"{ast.unparse(values[index])} and {ast.unparse(values[index + 1])}", cross


def _call(call: ast.Call, same: set[str]) -> Iterator[tuple[str, Change]]:
    """Codecs and the spec, by their arguments."""
    for keyword in call.keywords:
        match keyword.arg, keyword.value:
            case (("lenient" | "flat" | "reasoning" | "keep_null"), _):
                yield f"{keyword.arg} as by default", _drop(call.keywords, keyword)
            case (("from_body" | "to_body") as word, ast.Name(id=name)) if name.startswith(("args", "payload")):
                if word in same:
                    continue
                other = name.replace("args", "payload") if name.startswith("args") else name.replace("payload", "args")
                yield f"{keyword.arg} of the other codec", _set(keyword, "value", ast.Name(other))
            case (("injected" | "restored" | "names" | "required"), ast.Tuple(elts=[*_, last])):
                yield f"{keyword.arg} loses one", _drop(keyword.value.elts, last)  # type: ignore[union-attr]
            case (("name" | "record" | "payload" | "success"), ast.Constant()):
                yield f"{keyword.arg} changed", _set(keyword, "value", _other(keyword.value))
    for inner in (n for n in ast.walk(call) if isinstance(n, ast.Call) and n is not call):
        yield from _call(inner, same)


# Schemas


def _schema(node: ast.Assign, text: str) -> Iterator[tuple[str, Change]]:
    for label, schema in _schema_faults(json.loads(text)):
        yield label, _written(node, schema)


def _written(node: ast.Assign, schema: Any) -> Change:
    def change() -> None:
        node.value = ast.Constant(json.dumps(schema))

    return change


def _schema_faults(schema: Any) -> Iterator[tuple[str, Any]]:
    for path, position in _positions(schema, ()):
        for label, changed in _position_faults(position):
            yield f"{'/'.join(map(str, path)) or 'root'} {label}", _with(schema, path, changed)


def _positions(schema: dict[str, Any], path: tuple[str | int, ...]) -> Iterator[tuple[tuple[str | int, ...], Any]]:
    yield path, schema
    for word in ("properties", "$defs"):
        for name, inner in schema.get(word, {}).items():
            yield from _positions(inner, (*path, word, name))
    for word in ("items", "additionalProperties"):
        if isinstance(schema.get(word), dict):
            yield from _positions(schema[word], (*path, word))
    for index, inner in enumerate(schema.get("anyOf", ())):
        yield from _positions(inner, (*path, "anyOf", index))


BOUNDS = ("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "minLength", "maxLength")
BOUNDS += ("minItems", "maxItems", "minProperties", "maxProperties")


def _position_faults(schema: dict[str, Any]) -> Iterator[tuple[str, Any]]:
    for word in (*BOUNDS, "multipleOf", "pattern", "format", "uniqueItems", "default", "enum"):
        # Where both stand, a format and its pattern say the same.
        if word in schema and not (word in ("format", "pattern") and {"format", "pattern"} <= schema.keys()):
            yield f"loses {word}", {key: value for key, value in schema.items() if key != word}
    for word in BOUNDS:
        if word in schema:
            yield f"{word} up", {**schema, word: schema[word] + 1}
            yield f"{word} down", {**schema, word: schema[word] - 1}
    if "multipleOf" in schema:
        yield "multipleOf doubled", {**schema, "multipleOf": schema["multipleOf"] * 2}
    if "pattern" in schema:
        yield "pattern changed", {**schema, "pattern": f"(?:{schema['pattern']})x"}
    if "default" in schema:
        yield "default changed", {**schema, "default": [schema["default"]]}
    if "enum" in schema:
        yield "enum loses a member", {**schema, "enum": schema["enum"][:-1]}
        yield "enum gains a member", {**schema, "enum": [*schema["enum"], f"not {schema['enum'][0]}"]}
    if isinstance(schema.get("type"), str) and "enum" not in schema:
        yield "nullable", {**schema, "type": [schema["type"], "null"]}
    if isinstance(schema.get("type"), list):
        kept = [value for value in schema.get("enum", ()) if value is not None]
        yield "not nullable", {**schema, "type": schema["type"][0], **({"enum": kept} if kept else {})}
    yield from _object_faults(schema)


def _object_faults(schema: dict[str, Any]) -> Iterator[tuple[str, Any]]:
    if schema.get("additionalProperties") in (True, False):
        yield "opened or closed", {**schema, "additionalProperties": not schema["additionalProperties"]}
    required = schema.get("required", [])
    for name, inner in schema.get("properties", {}).items():
        if name in required:
            yield f"{name} no longer required", {**schema, "required": [key for key in required if key != name]}
        else:
            yield f"{name} required", {**schema, "required": [*required, name]}
        renamed = {(f"{key}_" if key == name else key): value for key, value in schema["properties"].items()}
        yield (
            f"{name} renamed",
            {
                **schema,
                "properties": renamed,
                "required": [f"{key}_" if key == name else key for key in required],
            },
        )
        del inner


def _with(schema: Any, path: tuple[str | int, ...], new: Any) -> Any:
    if not path:
        return new
    changed = copy.copy(schema)
    changed[path[0]] = _with(schema[path[0]], path[1:], new)
    return changed


# Changes


def _set(node: Any, name: str, value: Any) -> Change:
    return lambda: setattr(node, name, value)


def _set_item(items: list[Any], index: int, value: Any) -> Change:
    return lambda: items.__setitem__(index, value)


def _set_node(node: ast.AST, other: ast.AST) -> Change:
    """Turns ``node`` into ``other`` in place."""

    def change() -> None:
        replacement = copy.deepcopy(other)
        node.__class__ = type(replacement)  # type: ignore[assignment]
        node.__dict__.clear()
        node.__dict__.update(replacement.__dict__)

    return change


def _drop(items: list[Any], item: Any) -> Change:
    return lambda: items.remove(item)


def _swap(left: Any, left_name: str, right: Any, right_name: str) -> Change:
    def change() -> None:
        first, second = getattr(left, left_name), getattr(right, right_name)
        setattr(left, left_name, second)
        setattr(right, right_name, first)

    return change


def _constants(node: ast.AST, kind: type) -> list[Any]:
    return [n for n in ast.walk(node) if isinstance(n, ast.Constant) and isinstance(n.value, kind)]


def _other(value: ast.expr) -> ast.expr:
    """An expression of another value."""
    match value:
        case ast.Constant(value=bool() as given):
            return ast.Constant(not given)
        case ast.Constant(value=int() | float() as given):
            return ast.Constant(given + 1)
        case ast.Constant(value=str() as given):
            return ast.Constant(given + "x")
        case ast.Constant():
            return ast.Constant("another")
    return ast.Constant(None)
