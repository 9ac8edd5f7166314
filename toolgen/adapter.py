"""Bindings → the adapter that a tool's module gets: a call of the bound function, printed as straight-line code."""

from __future__ import annotations

from collections.abc import Callable

from toolgen import ir
from toolgen.bindings import (
    Binding,
    Built,
    Conversion,
    Decoded,
    Each,
    EachValue,
    Made,
    Named,
    Paged,
    Unless,
    Value,
)
from toolgen.literals import docstring, text_literal
from toolgen.plain import Plain
from toolgen.scope import BUILTINS, free_name
from toolgen.spell import Speller
from toolgen.views import RUNTIME

_BOUND = "toolgen.runtime.bound"


class AdapterView(Plain, frozen=True):
    """The adapter: its signature, the imports inside it, the call, and what it returns."""

    keyword: str
    parameters: str
    returns: str
    doc: str
    imports: tuple[str, ...]
    call: str
    result: str | None


class AdapterPrinter:
    """Prints the adapter of one tool.

    What the bound function's side defines is imported when the adapter is first called: a tool's schema is read without
    loading what runs it, and the function's module may import the generated package.
    """

    def __init__(self, tool: ir.Tool, binding: Binding, speller: Speller, returned: str, width: int) -> None:
        self._tool = tool
        self._binding = binding
        self._speller = speller
        self._returned = returned
        self._width = width
        self._imports: dict[tuple[str, str], str] = {}
        nested = {f"{stem}{depth}" for stem in ("item", "key") for depth in range(1, 30)}
        self._hidden = {"payload", "ctx", "result", "item"} | nested

    def view(self) -> AdapterView:
        """The adapter."""
        tool, binding = self._tool, self._binding
        function = self._import(binding.function)
        arguments = [
            ("" if argument.parameter is None else f"{argument.parameter}=")
            + self._spelled(argument.of, f"payload.{argument.field}")
            for argument in binding.arguments
        ]
        call = f"{'await ' if binding.is_async else ''}{function}({', '.join(arguments)})"
        result = None if binding.result is None else self._spelled(binding.result, "result", type_=tool.result)
        context = self._speller.scope.use(RUNTIME, "CallContext", self._hidden)
        about = f"Runs ``{tool.name}``: calls ``{binding.function.module}.{binding.function.name}``."
        return AdapterView(
            keyword="async def" if binding.is_async else "def",
            parameters=f"payload: {tool.class_name}Payload, ctx: {context}, /",
            returns=self._returned,
            doc=docstring(about, 4, self._width),
            imports=tuple(self._import_lines()),
            call=call,
            result=result,
        )

    def _import(self, named: Named) -> str:
        """The name by which something is reached in the adapter. Of a class inside another the outer is imported."""
        if named.module == BUILTINS:
            return self._speller.builtin(named.name, self._hidden)
        outer, _, rest = named.name.partition(".")
        key = (named.module, outer)
        if key not in self._imports:
            local = free_name(outer, {*self._hidden, *self._imports.values(), *self._speller.scope.known})
            self._imports[key] = local
            self._hidden.add(local)
        return f"{self._imports[key]}.{rest}" if rest else self._imports[key]

    def _import_lines(self) -> list[str]:
        return [
            f"from {module} import {name}" + ("" if local == name else f" as {local}")
            for (module, name), local in sorted(self._imports.items())
        ]

    def _spelled(self, of: Conversion, source: str, depth: int = 1, type_: ir.Type | None = None) -> str:
        """The expression that converts ``source``; ``type_`` is the result's type that it becomes, None on the way to
        the function."""
        item = "item" if depth == 1 else f"item{depth}"
        inner: Callable[[Conversion, str, ir.Type | None], str]
        inner = lambda conversion, text, to: self._spelled(conversion, text, depth + 1, to)  # noqa: E731
        match of:
            case Value():
                return f"{source}.value"
            case Made(within, by):
                return f"{self._class(by, type_)}({self._spelled(within, source, depth, type_)})"
            case Each(within):
                return f"[{inner(within, item, _inside(type_))} for {item} in {source}]"
            case EachValue(within):
                key = f"key{depth}"
                return f"{{{key}: {inner(within, item, _inside(type_))} for {key}, {item} in {source}.items()}}"
            case Unless(within):
                return f"None if {source} is None else {self._spelled(within, source, depth, _inside(type_))}"
            case Paged(within):
                page = self._speller.scope.use(RUNTIME, "Page", self._hidden)
                told = ("returned", "truncated", "total", "next_cursor", "refinement_hint")
                rest = ", ".join(f"{name}={source}.{name}" for name in told)
                return f"{page}({self._spelled(within, f'{source}.result', depth, type_)}, {rest})"
            case Decoded():
                return f"{self._speller.scope.use(_BOUND, 'decoded', self._hidden)}(RESULT, {source})"
            case Built():
                return self._built(of, source, depth, type_)
        return source

    def _built(self, of: Built, source: str, depth: int, type_: ir.Type | None) -> str:
        key = _record_key(type_)
        fields = {} if key is None else {f.name: f.type for f in self._speller.program.records[key].fields}
        given: list[str] = []
        for part in of.parts:
            read = f"{source}.{part.source}" if of.reads == "attribute" else f"{source}[{text_literal(part.source)}]"
            spelled = self._spelled(part.of, read, depth, fields.get(part.name))
            given.append(f"{text_literal(part.name)}: {spelled}" if of.by is None else f"{part.name}={spelled}")
        if of.by is None:
            return f"{{{', '.join(given)}}}"
        return f"{self._class(of.by, type_)}({', '.join(given)})"

    def _class(self, by: Named, type_: ir.Type | None) -> str:
        """A class of the function's side, or, where no module is said, the generated one of ``type_``."""
        if by.module:
            return self._import(by)
        bare = type_.of if isinstance(type_, ir.Nullable) else type_
        assert isinstance(bare, ir.RecordRef | ir.EnumRef)
        in_a_tool = self._tool.result_record is not None or self._tool.result_module is not None
        if bare == self._tool.result and in_a_tool:
            return f"{self._tool.class_name}Result"
        return self._speller.value_type(bare, self._hidden)


def _inside(type_: ir.Type | None) -> ir.Type | None:
    match type_:
        case ir.Array(items):
            return items
        case ir.Map(values):
            return values
        case ir.Nullable(ir.Array(items)):
            return items
        case ir.Nullable(ir.Map(values)):
            return values
        case ir.Nullable(of):
            return of
    return type_


def _record_key(type_: ir.Type | None) -> ir.TypeKey | None:
    bare = type_.of if isinstance(type_, ir.Nullable) else type_
    return bare.key if isinstance(bare, ir.RecordRef) else None
