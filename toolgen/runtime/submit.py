"""Submitting a response: the tool by which a model ends a run."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from msgspec import UNSET, UnsetType

from toolgen.runtime import faults, told
from toolgen.runtime.calls import ToolCall, ToolResult, judge_call
from toolgen.runtime.careful import Careful, SchemaError
from toolgen.runtime.codec import ModelCodec
from toolgen.runtime.failures import Failure
from toolgen.runtime.faults import below
from toolgen.runtime.issues import Issue, Mend, PayloadError
from toolgen.runtime.parameterreading import SURROGATE, Parameters, read_flat, read_nested
from toolgen.runtime.parameters import ParameterError
from toolgen.runtime.pointers import unescaped
from toolgen.runtime.shaped import Reshape
from toolgen.runtime.toolnames import PROPERTY_NAME, TOOL_NAME

if TYPE_CHECKING:
    from toolgen.runtime.rounds import SubmitRun
    from toolgen.runtime.validating import Finding, Validator

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class SubmitOutcome(Generic[T]):
    """What came of one submit.

    Attributes:
        accepted: whether the response can be committed.
        response: what was submitted, where it could be read; also where validators rejected it.
        reasoning: the text beside it; None where there is none, or where the parameters could not be read.
        result: the answer for the model, whatever came of it.
        error: what could not be read: the parameters, or the response in them. None where both could.
        notes: what was mended to read it.
        findings: what validators have against it.
        exhausted: whether it was rejected as the last that the run may make.
    """

    accepted: bool
    response: T | None
    reasoning: str | None
    result: ToolResult
    error: ParameterError | PayloadError | None = None
    notes: tuple[Mend, ...] = ()
    findings: tuple[Finding, ...] = ()
    exhausted: bool = False


@dataclass(frozen=True, kw_only=True, eq=False)
class Submit(Generic[T]):
    """A tool that submits a response (``T``). Generated; ``with_options`` changes what the model is told.

    Attributes:
        name: the wire name.
        description: what the tool is for, for a model.
        response: the codec of what is submitted.
        record: the name of the response's type.
        success: what the model reads when the response is accepted.
        payload: the parameter that holds the response; not used where it is flat.
        payload_description: what is told of it; None: what the response says of itself.
        reasoning: whether a required text stands beside the response.
        flat: whether each property of the response is a parameter of its own.
        keep_null: JSON Pointers into the response's schema to the properties for which null and missing are two things.
        omit: properties of the response that the model is not told of.
        reshape: makes the schema that is told of the response's canonical one.

    Raises:
        ValueError: an option that no tool can be built with.
    """

    name: str
    description: str
    response: ModelCodec[T, Any]
    record: str
    success: str = "Result accepted."
    payload: str = "result"
    payload_description: str | None = None
    reasoning: bool = True
    flat: bool = False
    keep_null: tuple[str, ...] = ()
    omit: tuple[str, ...] = ()
    reshape: Reshape | None = None

    def __post_init__(self) -> None:
        if not isinstance(self.name, str) or not TOOL_NAME.fullmatch(self.name):
            raise ValueError(f"the name {self.name!r} is one that providers refuse: give 1 to 64 of A-Z a-z 0-9 _ -")
        for option in ("description", "success", "payload_description"):
            text = getattr(self, option)
            unsaid = option == "payload_description" and text is None
            if not unsaid and (not isinstance(text, str) or not text.strip() or SURROGATE.search(text)):
                raise ValueError(f"{option} is {text!r}: give text")
        for option in ("reasoning", "flat"):
            if not isinstance(getattr(self, option), bool):
                raise ValueError(f"{option} is {getattr(self, option)!r}: give True or False")
        if not isinstance(self.payload, str) or not PROPERTY_NAME.fullmatch(self.payload):
            raise ValueError(f"the payload's name {self.payload!r} is one that providers refuse")
        if not self.flat and self.reasoning and self.payload == told.REASONING:
            raise ValueError(f"the payload's name meets the parameter {told.REASONING}: give reasoning=False")
        if not isinstance(self.omit, tuple):
            raise ValueError(f"omit is {self.omit!r}: give a tuple of names")
        if self.reshape is not None and not callable(self.reshape):
            raise ValueError(f"schema is {self.reshape!r}: give a function from the response's schema to the one told")
        if self.omit or self.reshape is not None:
            _ = self._told  # what can't be told of is not built

    def with_options(
        self,
        *,
        name: str | UnsetType = UNSET,
        description: str | UnsetType = UNSET,
        success: str | UnsetType = UNSET,
        payload: str | UnsetType = UNSET,
        payload_description: str | UnsetType = UNSET,
        reasoning: bool | UnsetType = UNSET,
        flat: bool | UnsetType = UNSET,
        omit: Sequence[str] | UnsetType = UNSET,
        schema: Reshape | UnsetType | None = UNSET,
    ) -> Submit[T]:
        """This tool with other options; the response's type, its decoding and what is recorded stay as they are.

        ``omit`` keeps properties out of the schema that the model is told, and out of its required list. It hides and
        does not forbid: a model that invents such a property all the same has it decoded, and it stands in the
        response. Each name must be a property, so that none is told again because it was renamed, and none may be
        required. ``schema`` is given the canonical schema of the response without what is omitted, and returns the one
        that is told; what it takes away or adds changes nothing in decoding either. It may refer to its own ``$defs``,
        and to nothing else.

        Raises:
            ValueError: no tool can be built with these options.
        """
        given = {
            "name": name,
            "description": description,
            "success": success,
            "payload": payload,
            "payload_description": payload_description,
            "reasoning": reasoning,
            "flat": flat,
            "omit": tuple(omit) if isinstance(omit, Iterable) and not isinstance(omit, str | bytes) else omit,
            "reshape": schema,
        }
        options: dict[str, Any] = {option: value for option, value in given.items() if value is not UNSET}
        made = dataclasses.replace(self, **options)
        if made.flat and not {"payload", "payload_description"}.isdisjoint(options):
            raise ValueError("payload and payload_description do not go with flat: leave them or flat out")
        _ = made.schema  # a tool that can't be told of is not built
        return made

    # What the model is told

    @property
    def schema(self) -> dict[str, Any]:
        """The JSON Schema of the parameters. Every call site shares this object: copy it before changing it.

        Raises:
            ValueError: an option that no tool can be built with.
        """
        return self._told[0]

    @property
    def told_keep_null(self) -> tuple[str, ...]:
        """``keep_null`` as JSON Pointers into ``schema``."""
        root = self._told[1]
        return tuple(f"{root}{each}" if each.startswith("/properties/") else each for each in self.keep_null)

    @cached_property
    def _told(self) -> tuple[dict[str, Any], str]:
        """The schema, and the JSON Pointer in it to the response."""
        response = told.response_schema(self.response.schema, self.record, self.omit, self.reshape)
        if self.flat:
            return told.flat(response, self.reasoning, self.response.schema["properties"]), ""
        about = self.payload_description or response.get("description") or "The response."
        schema, name = told.nested(response, self.record, self.payload, about, self.reasoning)
        return schema, f"/$defs/{name}"

    # What the model wrote

    def read(self, call: ToolCall, /) -> SubmitOutcome[T]:
        """What a call submits, and the answer to it. It has no side effects, and no text of a model makes it raise.

        Where one parameter holds the response, what models really send is mended and noted: the payload written as a
        JSON string, or written into the reasoning. A flat tool reads its parameters as they are.

        Raises:
            TypeError: it is no ToolCall.
        """
        judge_call(call)
        parameters: Parameters | None = None
        try:
            parameters = self._parameters(call)
            codec = self.response.strict if self.flat else self.response
            reading = codec.read(parameters.response)
        except ParameterError as error:
            said = self._of_its_tool(call, error)
            return SubmitOutcome(False, None, None, self._unread(call, said), said)
        except PayloadError as error:
            assert parameters is not None
            placed = self._placed(error)
            refused = ToolResult.of_refusal(self._named(call), placed)
            return SubmitOutcome(False, None, parameters.reasoning, refused, placed, parameters.notes)
        notes = (*parameters.notes, *(Mend(f"{self._at}{note.path}", note.what) for note in reading.notes))
        accepted = ToolResult(call, self.success, value=reading.value)
        return SubmitOutcome(True, reading.value, parameters.reasoning, accepted, None, notes)

    def _parameters(self, call: ToolCall) -> Parameters:
        if self.flat:
            return read_flat(call.arguments, self.response.schema["required"], self.reasoning)
        return read_nested(call.arguments, self.payload, self.reasoning, self._told_properties())

    def _named(self, call: ToolCall) -> ToolCall:
        """The call under this tool's name: the one that the model is to call again."""
        return call if call.name == self.name else dataclasses.replace(call, name=self.name)

    def _of_its_tool(self, call: ToolCall, error: ParameterError) -> ParameterError:
        """The error, which says of a call of another tool that it is one: it may lack nothing that its own tool takes.

        One that can be read is taken under any name, since a submit may have been told under another.
        """
        if call.name in ("", self.name):
            return error
        return error.saying(f"The call is of another tool than {self.name}.")

    def _unread(self, call: ToolCall, error: ParameterError) -> ToolResult:
        """The answer to parameters that can't be read: what stopped the reading, and all else that is wrong in them."""
        failure = Failure("invalid_call", str(error), "correct_call")
        told = Failure("invalid_call", error.for_model(), "correct_call", issues=self._beside(call, error))
        return ToolResult(call, told.for_model(self.name, schema=self.schema), failure=failure)

    def _beside(self, call: ToolCall, error: ParameterError) -> tuple[Issue, ...]:
        """What the published schema finds in the arguments, but for what the error tells of already."""
        if error.cause == "arguments_undecoded":
            return ()
        try:
            found = Careful(self.schema).read(call.arguments, lenient=not self.flat).issues
        except SchemaError:  # a schema that was reshaped may refer to what it does not hold
            return ()
        own = "" if error.parameter is None or error.cause == "parameter_absent" else f"{below('', error.parameter)}/"
        beside = [issue for issue in found if not own or not f"{issue.path}/".startswith(own)]
        return tuple(beside if call.told is None else map(call.told.issue, beside))

    def _placed(self, error: PayloadError) -> PayloadError:
        """The issues of the response with their paths in the arguments, and without what the model is not told of."""
        issues = Issue.deferred(lambda number: self._told_issue(error.issues[number]), len(error.issues))
        return PayloadError(issues, schema=self.schema, tool=self.name)

    def _told_issue(self, issue: Issue) -> Issue:
        path = f"{self._at}{issue.path}"
        if issue.constraint == "unknown_field" and self._is_of_response(issue):
            name = unescaped(issue.path.rpartition("/")[2])
            beside = self.flat and self.reasoning and issue.path.count("/") == 1
            known = (*((told.REASONING,) if beside else ()), *self._told_properties())
            return faults.unknown(path, name, known, issue.hint is not None)
        return dataclasses.replace(issue, path=path)

    def _is_of_response(self, issue: Issue) -> bool:
        """Whether an unknown key stands in a response, at the root or inside another, and in no other object."""
        holds_itself = self.record in self.response.schema.get("$defs", {})
        known = tuple(self.response.schema["properties"])
        return issue.allowed == known and (holds_itself or issue.path.count("/") == 1)

    @property
    def _at(self) -> str:
        """The JSON Pointer to the response in the arguments."""
        return "" if self.flat else below("", self.payload)

    def _told_properties(self) -> tuple[str, ...]:
        return tuple(name for name in self.response.schema["properties"] if name not in self.omit)

    # Validators and rounds

    async def submit(
        self, call: ToolCall, /, *, validators: Sequence[Validator[T]] = (), context: Any = None
    ) -> SubmitOutcome[T]:
        """``read``, and then all validators at the same time; accepted where none finds anything.

        A rejection tells the model how many findings there are and each of them, in the order of the validators.

        Raises:
            TypeError: a validator can't be called with ``(response, reasoning, context)``.
            Exception: what a validator raised, which is neither a finding nor acceptance; the others are cancelled.
        """
        from toolgen.runtime.validating import findings, judged

        validators = judged(validators)  # also where there is no response that they could judge
        outcome = self.read(call)
        if not outcome.accepted:
            return outcome
        response: Any = outcome.response
        found = await findings(validators, response, outcome.reasoning, context)
        if not found:
            return outcome
        return dataclasses.replace(outcome, accepted=False, result=self._rejected(call, found), findings=found)

    def _rejected(self, call: ToolCall, found: Sequence[Finding]) -> ToolResult:
        number = "1 finding" if len(found) == 1 else f"{len(found)} findings"
        message = f"the response was rejected with {number}."
        lines = [
            f"{self.name} refused the call: {message}",
            *(f"- {self._told_finding(finding, call)}" for finding in found),
        ]
        text = "\n".join([*lines, f"Address each finding and call {self.name} again."])
        return ToolResult(call, text, failure=Failure("domain_rejection", message, "correct_call"))

    def _told_finding(self, finding: Finding, call: ToolCall) -> Finding:
        """The finding with its path in the arguments, as the model reads every path."""
        if not finding.path:
            return finding
        path = f"{self._at}{finding.path}"
        return dataclasses.replace(finding, path=path if call.told is None else call.told.path(path))

    def rounds(self, most: int, /, *, validators: Sequence[Validator[T]] = (), context: Any = None) -> SubmitRun[T]:
        """A run that may submit at most this often, and ends with the first submit that is accepted.

        Raises:
            ValueError: ``most`` is no whole number, or below 1.
            TypeError: a validator can't be called with ``(response, reasoning, context)``.
        """
        from toolgen.runtime.rounds import SubmitRun

        return SubmitRun(self, most, validators, context)
