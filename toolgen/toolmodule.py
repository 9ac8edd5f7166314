"""The views of one tool's module, gathered: what ``templates/tool.py.jinja`` prints."""

from __future__ import annotations

from collections.abc import Iterator

from toolgen import ir, schema, shapes
from toolgen.adapter import AdapterPrinter, AdapterView
from toolgen.literals import docstring, json_literal, text_literal
from toolgen.views import (
    RUNTIME,
    BuildView,
    ClassView,
    CodecView,
    FunctionView,
    Pair,
    ShapePrinter,
    names_literal,
    schema_literal,
)

_CODECS = ("MODEL", "EXECUTION", "CONTEXT", "RESULT")
_NAMES = ("complete", "restore", "adapter", "SPEC", *_CODECS, *(f"{codec}_SCHEMA" for codec in _CODECS))
_SUBMIT_NAMES = ("SUBMIT", "RESPONSE", "RESPONSE_SCHEMA", "response_from_body", "response_to_body")


class ToolModule:
    """Gathers the views of one tool's module."""

    def __init__(self, shape: shapes.ToolShape, printer: ShapePrinter) -> None:
        self.shape = shape
        self.tool = shape.tool
        self.printer = printer
        self.scope = printer.scope
        self.program = printer.speller.program

    def parts(self) -> dict[str, object]:
        """Everything that the template prints, its imports aside, which are known once this is."""
        tool, shape = self.tool, self.shape
        aliased = [*self.same(), *self.result_aliases()]
        return {
            "doc": docstring(tool.description, 0, self.printer.width),
            "classes": self.classes(),
            "type_aliases": aliased,
            "type_alias": self.scope.use("typing", "TypeAlias") if aliased else "",
            "builds": self.builds(),
            "functions": self.functions(),
            "same_functions": self.same_functions(),
            "complete": self.printer.completion(shape),
            "adapter": self.adapter(),
            "schemas": self.schemas(),
            "codecs": self.codecs(),
            "spec_class": self.scope.use(RUNTIME, "ToolSpec"),
            "spec_types": f"{shape.args.name}, {shape.payload.name}, {self.returned()}",
            "spec": self.spec(),
            "submit_class": "" if tool.submit is None else self.scope.use(RUNTIME, "Submit"),
            "submit_type": "" if tool.submit is None else self._response(tool.submit),
            "submit": [] if tool.submit is None else self.submit(tool.submit),
        }

    def adapter(self) -> AdapterView | None:
        """The call of the function that the tool is bound to."""
        if self.tool.binding is None:
            return None
        printer = AdapterPrinter(
            self.tool, self.tool.binding, self.printer.speller, self.returned(), self.printer.width
        )
        return printer.view()

    def returned(self) -> str:
        """The type of what the tool gives back."""
        if self.tool.result is None:
            return "None"
        result = f"{self.tool.class_name}Result"
        return result if self.tool.bounded is None else f"{self.scope.use(RUNTIME, 'Page')}[{result}]"

    def classes(self) -> list[ClassView]:
        shape = self.shape
        distinct = [shape.payload] if shape.one_class else [shape.args, shape.payload]
        extra = [s for s in (shape.context, shape.result) if s is not None]
        bodies = [shape.payload] if shape.one_body else [shape.args, shape.payload]
        return [*map(self.printer.dataclass, [*distinct, *extra]), *map(self.printer.body, [*bodies, *extra])]

    def same(self) -> list[Pair]:
        """Names of the model's side that are the execution's, where both shapes are one."""
        args, payload = self.shape.args, self.shape.payload
        pairs = [Pair(args.name, payload.name)] if self.shape.one_class else []
        return [*pairs, Pair(args.body, payload.body)] if self.shape.one_body else pairs

    def _distinct(self) -> list[shapes.Shape]:
        """Every shape of the module that has transforms of its own."""
        shape = self.shape
        inputs = [shape.payload] if shape.one_class else [shape.args, shape.payload]
        return [*inputs, *(s for s in (shape.context, shape.result) if s is not None)]

    def builds(self) -> list[BuildView]:
        return [self.printer.from_body(shape) for shape in self._distinct()]

    def functions(self) -> list[FunctionView]:
        made = [self.printer.to_body(shape) for shape in self._distinct()]
        if self.tool.submit is not None:
            made += self._response_functions(self.tool.submit)
        own = self.tool.result is not None and self.shape.result is None and self.tool.result_module is None
        return [*made, *self._result_functions()] if own else made

    def same_functions(self) -> list[Pair]:
        if not self.shape.one_class:
            return []
        args, payload = self.shape.args, self.shape.payload
        return [Pair(args.from_body, payload.from_body), Pair(args.to_body, payload.to_body)]

    def result_aliases(self) -> list[Pair]:
        """The result's type and its body, where the design gives a type rather than a class."""
        if self.tool.result is None or self.shape.result is not None:
            return []
        name = f"{self.tool.class_name}Result"
        speller = self.printer.speller
        if self.tool.result_module is not None:
            source = self._source_result(self.tool.result)
            return [Pair(name, source.name), Pair(f"{name}Body", source.body)]
        return [
            Pair(name, speller.value_type(self.tool.result)),
            Pair(f"{name}Body", speller.body_type(self.tool.result)),
        ]

    def _source_result(self, type_: ir.Type) -> shapes.Shape:
        """The result's class and transforms in the module of the tool that this one continues."""
        assert isinstance(type_, ir.RecordRef)
        module, name = f".{self.tool.result_module}", type_.key.name
        return shapes.Shape(
            name=self.scope.use(module, name),
            body=self.scope.use(module, f"{name}Body"),
            from_body=self.scope.use(module, "result_from_body"),
            to_body=self.scope.use(module, "result_to_body"),
            fields=(),
            closed=True,
            description="",
        )

    def _result_functions(self) -> list[FunctionView]:
        assert self.tool.result is not None
        name, speller = f"{self.tool.class_name}Result", self.printer.speller
        read, write = speller.from_body(self.tool.result, "body"), speller.to_body(self.tool.result, "value")
        return [
            FunctionView("result_from_body", f"body: {name}Body, /", name, '"""Reads a result."""', read),
            FunctionView("result_to_body", f"value: {name}, /", f"{name}Body", '"""Writes a result."""', write),
        ]

    def _response_functions(self, submit: ir.Submit) -> list[FunctionView]:
        type_, speller = ir.RecordRef(submit.response), self.printer.speller
        name, body = self._response(submit), speller.body_type(type_)
        read, write = speller.from_body(type_, "body"), speller.to_body(type_, "value")
        return [
            FunctionView("response_from_body", f"body: {body}, /", name, '"""Reads a response."""', read),
            FunctionView("response_to_body", f"value: {name}, /", body, '"""Writes a response."""', write),
        ]

    def _response(self, submit: ir.Submit) -> str:
        """The type of what is submitted."""
        return self.printer.speller.value_type(ir.RecordRef(submit.response))

    def schemas(self) -> list[Pair]:
        tool, program = self.tool, self.program
        model = schema.input_schema(tool, program, schema.MODEL_ROLES)
        schemas = [Pair("MODEL_SCHEMA", self._schema(model))]
        if not self.shape.one_body:
            execution = schema.input_schema(tool, program, schema.EXECUTION_ROLES)
            schemas.append(Pair("EXECUTION_SCHEMA", self._schema(execution)))
        if self.shape.context is not None:
            schemas.append(Pair("CONTEXT_SCHEMA", self._schema(schema.context_schema(tool, program))))
        if tool.result is not None:
            schemas.append(Pair("RESULT_SCHEMA", self._schema(schema.result_schema(tool, program))))
        if tool.submit is not None:
            response = schema.record_schema(program.records[tool.submit.response], program)
            schemas.append(Pair("RESPONSE_SCHEMA", self._schema(response)))
        return schemas

    def _schema(self, document: schema.Schema) -> str:
        return schema_literal(document, self.printer.width)

    def codecs(self) -> list[CodecView]:
        return list(self._codecs())

    def _codecs(self) -> Iterator[CodecView]:
        shape = self.shape
        execution = "MODEL_SCHEMA" if shape.one_body else "EXECUTION_SCHEMA"
        example = [] if self.tool.example is None else [Pair("example", json_literal(self.tool.example))]
        lenient = Pair("lenient", "True")
        if shape.context is not None:
            injected = [f for f in shape.context.fields if f.presence is ir.Presence.REQUIRED]
            required = names_literal(f.name for f in injected)
            names = names_literal(f.name for f in shape.context.fields)
            codec = self._codec("CONTEXT", "Codec", shape.context, "CONTEXT_SCHEMA", [])
            yield self._in_context(codec, shape.context.name, f"required={required}, names={names}")
        yield self._codec("MODEL", "ModelCodec", shape.args, "MODEL_SCHEMA", [*example, lenient])
        yield self._codec("EXECUTION", "ExecutionCodec", shape.payload, execution, self._execution_arguments())
        if self.tool.result is not None:
            yield self._result_codec(self.tool.result)
        if self.tool.submit is not None:
            yield self._response_codec(self.tool.submit)

    def _execution_arguments(self) -> list[Pair]:
        context = [Pair("context", "CONTEXT")] if self.shape.context is not None else []
        if self.tool.continues is not None:
            return [*context, Pair("continues", text_literal(self.tool.continues))]
        toolsets = (package.toolset for package in self.program.packages if package.toolset is not None)
        mine = next(toolset for toolset in toolsets if any(tool is self.tool for tool in toolset.tools))
        later = [tool.name for tool in mine.tools if tool.continues == self.tool.name]
        return [*context, Pair("continued_by", names_literal(later))] if later else context

    def _result_codec(self, type_: ir.Type) -> CodecView:
        name = f"{self.tool.class_name}Result"
        shape = self.shape.result or shapes.Shape(
            name, f"{name}Body", "result_from_body", "result_to_body", (), True, "", ()
        )
        if self.tool.result_module is not None:
            source = self._source_result(type_)
            shape = shape.replace(from_body=source.from_body, to_body=source.to_body)
        lanes = shapes.type_lanes([type_], True, self.program)
        if self.tool.bounded is None:
            return self._codec("RESULT", "Codec", shape, "RESULT_SCHEMA", [], lanes)
        more = [Pair("bounds", self._bounds(self.tool.bounded))]
        return self._codec("RESULT", "PageCodec", shape, "RESULT_SCHEMA", more, lanes)

    def _response_codec(self, submit: ir.Submit) -> CodecView:
        type_ = ir.RecordRef(submit.response)
        shape = shapes.Shape(
            self._response(submit),
            self.printer.speller.body_type(type_),
            "response_from_body",
            "response_to_body",
            (),
            True,
            "",
        )
        lanes = shapes.type_lanes([type_], True, self.program)
        return self._codec("RESPONSE", "ModelCodec", shape, "RESPONSE_SCHEMA", [Pair("lenient", "True")], lanes)

    def submit(self, submit: ir.Submit) -> list[Pair]:
        """What the runtime is told of the tool that submits a response, where it is not what it takes it to be."""
        kept = schema.record_keep_null_pointers(self.program.records[submit.response], self.program)
        pairs = [
            Pair("name", text_literal(self.tool.name)),
            Pair("description", text_literal(self.tool.description)),
            Pair("success", text_literal(submit.success)),
            Pair("response", "RESPONSE"),
            Pair("record", text_literal(schema.record_name(submit.response, self.program))),
        ]
        if submit.payload is not None and submit.payload_description is not None:
            pairs.append(Pair("payload", text_literal(submit.payload)))
            pairs.append(Pair("payload_description", text_literal(submit.payload_description)))
        said = {"reasoning": (submit.reasoning, True), "flat": (submit.flat, False)}
        pairs += [Pair(name, repr(value)) for name, (value, usual) in said.items() if value != usual]
        return [*pairs, Pair("keep_null", names_literal(kept))] if kept else pairs

    def _bounds(self, bounded: ir.Bounded) -> str:
        said = [f"{name}=True" for name in ("next_cursor", "total", "refinement") if getattr(bounded, name)]
        if bounded.cursor is not None:
            said.append(f"cursor={text_literal(bounded.cursor)}")
        return f"{self.scope.use(RUNTIME, 'Bounds')}({', '.join(said)})"

    def _codec(
        self,
        name: str,
        class_: str,
        shape: shapes.Shape,
        schema_name: str,
        more: list[Pair],
        lanes: shapes.Lanes | None = None,
    ) -> CodecView:
        lanes = lanes or shapes.lanes(shape, self.program)
        arguments = [
            Pair("body", shape.body),
            Pair("from_body", shape.from_body),
            Pair("to_body", shape.to_body),
            Pair("schema", schema_name),
            *self._lanes(lanes),
            *more,
        ]
        class_ = self.scope.use(RUNTIME, class_)
        return CodecView(
            declaration=f"{name}: {class_}[{shape.name}, {shape.body}]",
            opening=f"{class_}(",
            tool=text_literal(self.tool.name),
            arguments=tuple(arguments),
            closing=")",
        )

    def _in_context(self, codec: CodecView, shape: str, rest: str) -> CodecView:
        class_ = self.scope.use(RUNTIME, "Context")
        return codec.replace(
            declaration=f"CONTEXT: {class_}[{shape}]",
            opening=f"{class_}({shape}, {codec.opening}",
            closing=f"), {rest})",
        )

    def _lanes(self, lanes: shapes.Lanes) -> list[Pair]:
        """Printed where they are not what a codec takes them to be."""
        usual = {"json": True, "deep": False}
        said = [f"{name}={getattr(lanes, name)}" for name in usual if getattr(lanes, name) != usual[name]]
        return [Pair("lanes", f"{self.scope.use(RUNTIME, 'Lanes')}({', '.join(said)})")] if said else []

    def spec(self) -> list[Pair]:
        tool = self.tool
        roles = {role: [f.name for f in tool.fields if f.role is role] for role in ir.Role}
        kept = schema.keep_null_pointers(tool, self.program)
        pairs = [
            Pair("name", text_literal(tool.name)),
            *([] if tool.title is None else [Pair("title", text_literal(tool.title))]),
            Pair("description", text_literal(tool.description)),
            *([Pair("tags", names_literal(tool.tags))] if tool.tags else []),
            *self._annotations(),
            *([] if tool.strict is None else [Pair("strict", repr(tool.strict))]),
            *([Pair("keep_null", names_literal(kept))] if kept else []),
            Pair("model", "MODEL"),
            Pair("execution", "EXECUTION"),
            *([] if tool.result is None else [Pair("result", "RESULT")]),
            *([] if self.shape.context is None else [Pair("context", "CONTEXT")]),
        ]
        for role in (ir.Role.INJECTED, ir.Role.RESTORED):
            if roles[role]:
                pairs.append(Pair(role.value, names_literal(roles[role])))
        pairs.append(Pair("complete", "complete"))
        if tool.binding is not None:
            pairs.append(Pair("adapter", "adapter"))
        if tool.continues is not None:
            pairs.append(Pair("continues", text_literal(tool.continues)))
        if tool.submit is not None:
            pairs.append(Pair("submits", "True"))
        return pairs

    def _annotations(self) -> list[Pair]:
        said = [
            f"{name}={getattr(self.tool.annotations, name)}"
            for name in ("read_only", "destructive", "idempotent", "open_world")
            if getattr(self.tool.annotations, name) is not None
        ]
        if not said:
            return []
        return [Pair("annotations", f"{self.scope.use(RUNTIME, 'ToolAnnotations')}({', '.join(said)})")]


def tool_module_names(shape: shapes.ToolShape) -> Iterator[str]:
    """Every name that a tool's module defines at its top level, whether or not this tool needs it."""
    yield from _NAMES
    if shape.tool.submit is not None:
        yield from _SUBMIT_NAMES
    for part in ("Args", "Payload", "Context", "Result"):
        yield from (f"{shape.tool.class_name}{part}", f"{shape.tool.class_name}{part}Body")
        yield from (f"{part.lower()}_from_body", f"{part.lower()}_to_body")
