"""Google's Gemini API, and Gemini on Vertex AI."""

from __future__ import annotations

import itertools
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from toolgen.providers import dialects
from toolgen.providers.building import built
from toolgen.providers.cuts import last_cut
from toolgen.providers.definitions import Definition
from toolgen.providers.facts import Facts
from toolgen.providers.madeids import is_made, made_id
from toolgen.providers.outcomes import (
    Fidelity,
    ResultError,
    call_id,
    failure_text,
    image_of,
    read_failure,
    read_success,
)
from toolgen.providers.reading import get, items, json_of, plain, structured, text_of, words_of
from toolgen.providers.streams import Assembly, CutStreamError, MisfitError, object_in
from toolgen.runtime import ImageBlock, TextBlock, ToolCall, ToolResult
from toolgen.runtime.blocks import Block
from toolgen.runtime.blocks import text_of as text_of_blocks

NAME: Final = "gemini"
TOOL_NAME: Final = re.compile(r"[a-zA-Z_][a-zA-Z0-9_.:-]{0,127}")
FIDELITY: Final = Fidelity(failure="key", images=True, structure=True)
CUT: Final = frozenset(
    {
        *("MAX_TOKENS", "MALFORMED_FUNCTION_CALL", "OTHER", "LANGUAGE", "RECITATION"),
        *("SAFETY", "BLOCKLIST", "PROHIBITED_CONTENT", "SPII"),
    }
)
"""Values of ``finishReason`` of a turn that may end within a call."""

_NO_REASON: Final = frozenset({"None", "", "FINISH_REASON_UNSPECIFIED"})
"""Values of ``finishReason`` in a chunk of a turn that goes on."""


def definition(facts: Facts, strict: bool | None = None) -> Definition:
    """A FunctionDeclaration ``{name, description, parameters_json_schema}``.

    There is no strict mode for one tool, so ``strict`` changes nothing.

    Raises:
        ProjectionError: the provider can't be told of the tool.
    """

    def shape(description: str, schema: dict[str, Any]) -> dict[str, Any]:
        return {"name": facts.name, "description": description, "parameters_json_schema": schema}

    return built(facts, dialects.gemini(), TOOL_NAME, shape)


def live_definition(facts: Facts) -> Definition:
    """A FunctionDeclaration ``{name, description, parameters}``, as the Live API wants it.

    Its schema has neither references nor recursion. ``parameters`` is left out for a tool that takes nothing.

    Raises:
        ProjectionError: the Live API can't be told of the tool.
    """

    def shape(description: str, schema: dict[str, Any]) -> dict[str, Any]:
        told = {"name": facts.name, "description": description}
        return {**told, "parameters": schema} if "properties" in schema else told

    return built(facts, dialects.gemini_live(), TOOL_NAME, shape)


def is_response(response: Any) -> bool:
    """Whether this is a GenerateContentResponse, one whose prompt was refused too, or a message of the Live API with
    calls."""
    told = (get(response, name) for name in ("toolCall", "promptFeedback"))
    return bool(items(get(response, "candidates"))) or any(found is not None for found in told)


def calls(response: Any) -> list[ToolCall]:
    """The function calls of a response's first candidate, of one Content, or of a message of the Live API.

    A call without an id is given one that is made of its place, name and arguments: the same each time it is read. It
    is not sent back. The last call of a turn that was cut has arguments that are cut off.
    """
    live = get(response, "toolCall")
    parts = items(get(_content(response), "parts"))
    found = [get(part, "functionCall") for part in parts] if live is None else items(get(live, "functionCalls"))
    made = [_call(index, call) for index, call in enumerate(call for call in found if call is not None)]
    candidates = items(get(response, "candidates"))
    return last_cut(made, get(candidates[0], "finishReason") if candidates else None, CUT)


def _call(index: int, call: Any) -> ToolCall:
    name, args = get(call, "name"), get(call, "args")
    return ToolCall(str(get(call, "id") or made_id(index, name, args)), str(name or ""), args, NAME)


def _content(response: Any) -> Any:
    candidates = items(get(response, "candidates"))
    return get(candidates[0], "content") if candidates else response


def result(outcome: ToolResult) -> dict[str, Any]:
    """A part ``{functionResponse: {id, name, response}}``: a failure stands under ``error``, all else under ``output``.

    Gemini holds numbers as doubles, and takes ``$ref`` in a response for the name of an image beside it: an object goes
    out as one where that changes none of it, and else as JSON text. An image is given as bytes, as the SDK wants it.

    Raises:
        ResultError: its call has no id or no name.
    """
    identifier = call_id(outcome)
    if not outcome.call.name:
        raise ResultError(f"the result of the call {identifier} names no tool, which {NAME} wants: name it")
    told: dict[str, Any] = {} if is_made(identifier) else {"id": identifier}
    told["name"] = outcome.call.name
    if outcome.failure is not None:
        return {"functionResponse": {**told, "response": {"error": failure_text(outcome)}}}
    if any(isinstance(block, ImageBlock) for block in outcome.blocks):
        return {"functionResponse": {**told, **_with_images(outcome.blocks)}}
    value = structured(outcome.text) if outcome.is_json else None
    if _refers(value):
        value = None
    return {"functionResponse": {**told, "response": {"output": outcome.text if value is None else value}}}


def _refers(value: object) -> bool:
    """Whether a value has the key ``$ref`` at any depth: Gemini refuses a turn where no part has that name."""
    if isinstance(value, dict):
        return "$ref" in value or any(map(_refers, value.values()))
    return isinstance(value, list) and any(map(_refers, value))


def _with_images(blocks: Sequence[Block]) -> dict[str, Any]:
    """Blocks in their order, with each image as the number of a part."""
    parts: list[dict[str, Any]] = []
    output: list[dict[str, Any]] = []
    for block in blocks:
        if isinstance(block, TextBlock):
            output.append({"text": block.text})
        else:
            output.append({"image": len(parts)})
            parts.append({"inlineData": {"mimeType": block.media_type, "data": block.data}})
    return {"response": {"output": output}, "parts": parts}


def read_result(wire: Any) -> ToolResult:
    """The result that a part with a ``functionResponse`` stands for.

    Raises:
        ResultError: it is no such part.
    """
    told = get(wire, "functionResponse")
    if told is None:
        raise ResultError(f"{NAME}: a result is a part with the key functionResponse")
    call = ToolCall(str(get(told, "id", "")), str(get(told, "name", "")), None, NAME)
    response = get(told, "response", {})
    error = get(response, "error")
    if error:
        return read_failure(call, error if isinstance(error, str) else text_of(error))
    output = _output(response)
    parts = items(get(told, "parts"))
    if parts:
        blocks = tuple(_read_blocks(output, parts))
        return ToolResult(call, text_of_blocks(blocks), blocks=blocks)
    return read_success(call, output) if isinstance(output, str) else ToolResult(call, text_of(output), True)


def _output(response: Any) -> Any:
    """What stands under ``output``; all of a response that another writer made otherwise. An ``error`` of null, false
    or no words is a success's."""
    if not isinstance(response, Mapping):
        return plain(response)
    told = [key for key in response if key != "error" or response[key]]
    return response["output"] if told == ["output"] else response


def _read_blocks(output: Any, parts: list[Any]) -> Iterator[Block]:
    """The blocks that ``_with_images`` made this of; of another writer, the output and then its parts."""
    steps = items(output)
    if _names_each(steps, parts):
        for step in steps:
            yield _read_part(parts[step["image"]]) if "image" in step else TextBlock(step["text"])
        return
    yield TextBlock(output if isinstance(output, str) else text_of(output))
    yield from map(_read_part, parts)


def _names_each(steps: list[Any], parts: list[Any]) -> bool:
    """Whether these are texts and numbers of parts, each part once."""
    if not all(isinstance(step, dict) and list(step) in (["text"], ["image"]) for step in steps):
        return False
    numbers = [step["image"] for step in steps if "image" in step]
    texts = all(isinstance(step["text"], str) for step in steps if "text" in step)
    return texts and all(type(number) is int for number in numbers) and sorted(numbers) == list(range(len(parts)))


def _read_part(part: Any) -> Block:
    blob = get(part, "inlineData")
    return image_of(get(blob, "mimeType"), get(blob, "data")) or TextBlock(words_of(part))


def results_in(message: Any) -> list[Any]:
    """The results in one Content of a history."""
    return [part for part in items(get(message, "parts")) if get(part, "functionResponse") is not None]


def turn(response: Any, results: Sequence[ToolResult]) -> list[Any]:
    """The model's Content as it came, thought signatures and all, and a user's Content with all results, in the order
    of the calls.

    The Live API keeps the turns itself: there, only the function responses are sent, by ``send_tool_response``.
    """
    if get(response, "toolCall") is not None:
        return [result(outcome)["functionResponse"] for outcome in results]
    answer = [{"role": "user", "parts": [result(outcome) for outcome in results]}] if results else []
    content = _content(response)
    return [content, *answer] if items(get(content, "parts")) else []


class Stream(Assembly):
    """Puts a response together from the chunks of a stream. It is whole once the candidate has a ``finishReason``, or
    where the prompt was refused, of which there is no candidate."""

    def __init__(self) -> None:
        super().__init__()
        self._parts: list[Any] = []
        self._head: dict[str, Any] = {}
        self._finish: Any = None
        self._open: dict[str, Any] | None = None
        self._whole: set[tuple[str | int, ...]] = set()

    def _take(self, event: Any) -> None:
        for name in ("responseId", "modelVersion", "usageMetadata", "promptFeedback"):
            if get(event, name) is not None:
                self._head[name] = plain(get(event, name))
        for candidate in items(get(event, "candidates"))[:1]:
            for part in items(get(get(candidate, "content"), "parts")):
                self._part(part)
            reason = get(candidate, "finishReason")
            if str(getattr(reason, "value", reason)) not in _NO_REASON:
                self._finish = reason

    def _part(self, part: Any) -> None:
        call = get(part, "functionCall")
        partial = items(get(call, "partialArgs"))
        if call is None or not (partial or self._open is not None or get(call, "willContinue")):
            self._parts.append(plain(part))
            return
        if self._open is None:
            self._open = {"functionCall": {"args": {}}}
            self._parts.append(self._open)
            self._whole.clear()
        self._piece(self._open["functionCall"], call, partial)
        signature = get(part, "thoughtSignature")
        if signature is not None:
            self._open["thoughtSignature"] = signature
        if not get(call, "willContinue"):
            self._open = None

    def _piece(self, whole: dict[str, Any], call: Any, partial: list[Any]) -> None:
        """Add a piece of a call to what has come of it."""
        for name in ("id", "name"):
            given = get(call, name)
            # Empty, it says nothing.
            if given and whole.setdefault(name, given) != given:
                raise MisfitError("another call began before one was whole")
        args = object_in(call, "args")
        if not all(_same(whole["args"][name], args[name]) for name in args.keys() & whole["args"].keys()):
            raise MisfitError("an argument came twice, with other values")
        whole["args"].update(args)
        for argument in partial:
            path = get(argument, "jsonPath", "$")
            try:
                self._put(whole["args"], path, argument)
            except (AttributeError, IndexError, TypeError, ValueError) as error:
                raise MisfitError(f"a piece of an argument had no place at {path}") from error

    def _put(self, args: dict[str, Any], path: str, argument: Any) -> None:
        """Put a piece of an argument where its path leads. A text that was whole, and comes again, is one text."""
        steps = _steps(path)
        text, place = get(argument, "stringValue"), tuple(steps)
        if text is not None and place in self._whole and text == _at(args, steps):
            return
        _put(args, steps, argument)
        if not get(argument, "willContinue"):
            self._whole.add(place)

    def _is_refused(self) -> bool:
        blocked = get(self._head.get("promptFeedback"), "blockReason") is not None
        return blocked and self._finish is None and not self._parts

    def _partial(self) -> dict[str, Any]:
        if self._is_refused():
            return {**self._head, "candidates": []}
        candidate = {"content": {"role": "model", "parts": self._parts}, "finishReason": self._finish}
        return {**self._head, "candidates": [candidate]}

    def response(self) -> dict[str, Any]:
        """The response.

        Raises:
            CutStreamError: no chunk had a ``finishReason``, or a call was not whole, or its pieces do not fit together.
        """
        if self._misfit is not None:
            raise CutStreamError(NAME, self._misfit, self._partial())
        if (self._finish is None and not self._is_refused()) or self._open is not None:
            what = "a finishReason" if self._open is None else "the arguments of a call were whole"
            raise CutStreamError(NAME, f"it ended before {what}", self._partial())
        return self._partial()

    def calls(self) -> list[ToolCall]:
        """The calls.

        Raises:
            CutStreamError: as ``response``.
        """
        return calls(self.response())


_LONGEST_GAP = 1000
"""Most elements that may come before those on their left."""

_STEP = re.compile(
    r"""\.(?P<name>[^.\[\]*'"\s][^.\[\]]*)
    | \[\s*(?: (?P<index>[0-9]+) | '(?P<single>(?:[^'\\]|\\.)*)' | "(?P<double>(?:[^"\\]|\\.)*)" )\s*\]""",
    re.VERBOSE | re.DOTALL,
)


def _steps(path: str) -> list[str | int]:
    """The steps of a JSON Path (RFC 9535) that leads to one place: ``$.foo.bar[0]``, ``$['a b']``.

    Raises:
        ValueError: it is none, or leads to many places, or to one that is counted from the end.
    """
    steps: list[str | int] = []
    end = len("$")
    while end < len(path):
        step = _STEP.match(path, end)
        if step is None:
            raise ValueError(path)
        end, name, quoted = step.end(), step["name"], step[str(step.lastgroup)]
        steps.append(int(step["index"]) if step["index"] else name or _unquoted(quoted))
    if not steps or not path.startswith("$"):
        raise ValueError(path)
    return steps


def _unquoted(text: str) -> str:
    """What stands in quotes, which has the escapes of a JSON string, and that of a single quote besides."""
    escaped = re.sub(r"\\.|\"", lambda found: _QUOTES.get(found[0], found[0]), text, flags=re.DOTALL)
    return str(json_of(f'"{escaped}"'))


_QUOTES: Final = {"\\'": "'", '"': '\\"'}


def _put(into: Any, steps: list[str | int], argument: Any) -> None:
    """Put a piece of an argument where it belongs. Pieces of one text follow each other, and the last may be empty.

    Raises:
        IndexError: it has no place there.
        TypeError: something of another kind stands there.
        ValueError: something stands there that it is no part of.
    """
    for step, after in itertools.pairwise(steps):
        into = _child(into, step, [] if isinstance(after, int) else {})
    last = steps[-1]
    text = get(argument, "stringValue", "" if get(argument, "willContinue") else None)
    values = [get(argument, name) for name in ("numberValue", "boolValue")]
    given = [value for value in values if value is not None]
    if text is not None:
        _assign(into, last, _child(into, last, "") + text)
    elif given or get(argument, "nullValue") is not None:
        found = _found(into, last)
        if found is not None and not (given and _same(found, given[0])):
            raise ValueError(last)
        _assign(into, last, given[0] if given else None)


def _at(value: Any, steps: list[str | int]) -> Any:
    """What stands where steps lead that have been taken before."""
    for step in steps:
        value = _found(value, step)
    return value


def _same(one: Any, other: Any) -> bool:
    """Whether two values are one in JSON, where true is not 1."""
    return bool(one == other) and json.dumps(one, sort_keys=True) == json.dumps(other, sort_keys=True)


def _found(into: Any, step: str | int) -> Any:
    if isinstance(into, list) != isinstance(step, int):
        raise TypeError(step)
    if isinstance(into, list):
        return into[int(step)] if int(step) < len(into) else None
    return into.get(step)


def _child(into: Any, step: str | int, empty: Any) -> Any:
    found = _found(into, step)
    if found is None:
        found = empty
        _assign(into, step, found)
    return found


def _assign(into: Any, step: str | int, value: Any) -> None:
    if isinstance(into, list):
        if int(step) > len(into) + _LONGEST_GAP:
            raise IndexError(step)
        into.extend([None] * (int(step) + 1 - len(into)))
        into[int(step)] = value
    else:
        into[step] = value
