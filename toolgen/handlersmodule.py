"""The views of a toolset's ``handlers`` module: the protocol of a class that handles every tool."""

from __future__ import annotations

from collections.abc import Iterator

from toolgen import ir
from toolgen.literals import docstring
from toolgen.plain import Plain
from toolgen.scope import Scope, free_name
from toolgen.views import RUNTIME


class MethodView(Plain, frozen=True):
    """One method of the protocol."""

    name: str
    payload: str
    context: str
    returns: str
    doc: str


def handlers_name(toolset: ir.Toolset) -> str:
    """The name of a toolset's protocol: ``SupportHandlers`` for ``support``."""
    words = "".join(word[:1].upper() + word[1:] for word in toolset.name.split("_"))
    return free_name(f"{words}Handlers", {tool.module for tool in toolset.tools})


def handlers_parts(toolset: ir.Toolset, width: int) -> dict[str, object]:
    """Everything that the template prints. A tool that its design binds to a function needs no handler,
    and a submit is the executor's."""
    name = handlers_name(toolset)
    scope = Scope([name])
    methods = list(_methods(toolset, scope, width))
    about = f"A class that handles the tools of {toolset.name}: each method runs one, async or not."
    return {
        "doc": docstring(f"What a class that handles the tools of {toolset.name} looks like.", 0, width),
        "name": name,
        "class_doc": docstring(about, 4, width),
        "methods": methods,
        "abstract": free_name("_abstractmethod", {tool.module for tool in toolset.tools}),
        "imports": scope.import_lines(),
    }


def _methods(toolset: ir.Toolset, scope: Scope, width: int) -> Iterator[MethodView]:
    hidden = {tool.module for tool in toolset.tools}
    for tool in toolset.tools:
        if tool.binds is not None or tool.submit is not None:
            continue
        result = "None"
        if tool.result is not None:
            result = scope.use(f".{tool.module}", f"{tool.class_name}Result", hidden)
        if tool.bounded is not None:
            result = f"{scope.use(RUNTIME, 'Page', hidden)}[{result}]"
        yield MethodView(
            name=tool.module,
            payload=scope.use(f".{tool.module}", f"{tool.class_name}Payload", hidden),
            context=scope.use(RUNTIME, "CallContext", hidden),
            returns=f"{scope.use(RUNTIME, 'Returned', hidden)}[{result}]",
            doc=docstring(tool.description, 8, width),
        )
