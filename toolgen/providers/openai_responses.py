"""OpenAI's Responses API."""

from __future__ import annotations

import base64
import re
from collections.abc import Sequence
from typing import Any, Final

from toolgen.providers import dialects
from toolgen.providers.building import built, wants_strict
from toolgen.providers.cuts import is_whole, last_cut
from toolgen.providers.definitions import Definition
from toolgen.providers.facts import Facts
from toolgen.providers.outcomes import (
    USUAL_IMAGES,
    Fidelity,
    ResultError,
    call_id,
    flagless_blocks,
    flagless_text,
    image_of,
    read_flagless,
    read_flagless_blocks,
    refuse_images,
)
from toolgen.providers.reading import get, items, words_of
from toolgen.providers.streams import NEVER_BEGAN, Assembly, CutStreamError, MisfitError, index_in, object_in, text_in
from toolgen.runtime import TextBlock, ToolCall, ToolResult
from toolgen.runtime.blocks import Block

NAME: Final = "openai_responses"
TOOL_NAME: Final = re.compile(r"[a-zA-Z0-9_-]{1,128}")
FIDELITY: Final = Fidelity(failure="text", images=True, structure=False)
CUT: Final = frozenset({"incomplete", "failed", "cancelled"})
"""Values of ``status``, of a Response or an item of it, of what may end within a call."""

ONE_ITEM_A_CALL: Final = True
"""A turn is a list of items: each call, and each result, is one of its own."""


def definition(facts: Facts, strict: bool | None = None) -> Definition:
    """``{type: "function", name, description, parameters, strict}``.

    ``strict`` is always written: what it means when it is left out is not the same in all of OpenAI's sources.

    Raises:
        ProjectionError: the provider can't be told of the tool in this mode.
    """
    wanted = wants_strict(facts, strict)

    def shape(description: str, schema: dict[str, Any]) -> dict[str, Any]:
        told = {"name": facts.name, "description": description, "parameters": schema, "strict": wanted}
        return {"type": "function", **told}

    return built(facts, dialects.openai(NAME, strict=wanted), TOOL_NAME, shape)


def is_response(response: Any) -> bool:
    """Whether this is a Response, or a list of its items."""
    return get(response, "object") == "response" or (isinstance(response, list) and any(map(_is_call, response)))


_OUTPUTS: Final = {"function_call": "function_call_output", "custom_tool_call": "custom_tool_call_output"}
"""The types of items that are calls, and of those that are their results."""


def _is_call(item: Any) -> bool:
    return str(get(item, "type")) in _OUTPUTS


def calls(response: Any) -> list[ToolCall]:
    """The function calls of a Response, of a list of items, or one item by itself. Their id is the ``call_id``.

    The last call of a Response that was cut, unless its own item was completed, and each that is incomplete has
    arguments that are cut off.
    """
    made = [item for item in _items(response) if get(item, "type") == "function_call"]
    found = [
        ToolCall(str(get(item, "call_id", "")), str(get(item, "name", "")), get(item, "arguments"), NAME)
        for item in made
    ]
    if made and get(made[-1], "status") == "completed" and is_whole(found[-1].arguments):
        return [*_each_cut(made[:-1], found[:-1]), found[-1]]
    return last_cut(_each_cut(made, found), get(response, "status"), CUT)


def wanting(response: Any) -> list[ToolCall]:
    """All calls that want a result, those of custom tools too, which take text."""
    return [
        ToolCall(str(get(item, "call_id", "")), str(get(item, "name", "")), None, NAME)
        for item in _items(response)
        if _is_call(item)
    ]


def _each_cut(made: list[Any], found: list[ToolCall]) -> list[ToolCall]:
    return [call for item, one in zip(made, found, strict=True) for call in last_cut([one], get(item, "status"), CUT)]


def _items(response: Any) -> list[Any]:
    if isinstance(response, list):
        return response
    if get(response, "type") is not None:
        return [response]
    return items(get(response, "output"))


def result(outcome: ToolResult) -> dict[str, Any]:
    """A ``function_call_output`` item. The wire has no flag: a failure is told in words alone.

    Raises:
        ResultError: its call has no id, or it holds an image that OpenAI does not take.
    """
    refuse_images(outcome, NAME, USUAL_IMAGES)
    output: Any = [_block(block) for block in flagless_blocks(outcome)] or flagless_text(outcome)
    return {"type": "function_call_output", "call_id": call_id(outcome), "output": output}


def _block(block: Block) -> dict[str, Any]:
    if isinstance(block, TextBlock):
        return {"type": "input_text", "text": block.text}
    return {
        "type": "input_image",
        "image_url": f"data:{block.media_type};base64,{base64.b64encode(block.data).decode()}",
    }


def read_result(wire: Any) -> ToolResult:
    """The result that a ``function_call_output`` or ``custom_tool_call_output`` item stands for.

    Raises:
        ResultError: it is no such item.
    """
    if get(wire, "type") not in _OUTPUTS.values():
        raise ResultError(f"{NAME}: a result is an item of type function_call_output, not {get(wire, 'type')!r}")
    call = ToolCall(str(get(wire, "call_id", "")), "", None, NAME)
    output = get(wire, "output", "")
    if isinstance(output, str):
        return read_flagless(call, output)
    return read_flagless_blocks(call, tuple(_read_block(part) for part in items(output)))


def _read_block(part: Any) -> Block:
    found = re.fullmatch(r"data:(image/[^;,]+);base64,(.*)", str(get(part, "image_url", "")), re.DOTALL)
    image = get(part, "type") == "input_image" and found and image_of(found[1], found[2])
    return image or TextBlock(words_of(part))


def results_in(message: Any) -> list[Any]:
    """The results in one item of a history."""
    return [message] if get(message, "type") in _OUTPUTS.values() else []


def turn(response: Any, results: Sequence[ToolResult]) -> list[Any]:
    """All items of the Response as they came, those of its reasoning too, and an item for each result."""
    types = {str(get(item, "call_id", "")): _OUTPUTS[get(item, "type")] for item in _items(response) if _is_call(item)}
    told = [{**result(outcome), "type": types[outcome.call.id]} for outcome in results]
    return [*_items(response), *told]


def _key(item: Any) -> str:
    """What an item is known by in each event: the ``id`` of one may change from event to event."""
    return str(get(item, "call_id") or get(item, "id", ""))


def _are_two(item: Any, other: Any) -> bool:
    """Whether these are two items, one a call, of which one would be lost in the place of the other."""
    if item is None or not (_is_call(item) or _is_call(other)):
        return False
    if get(item, "type") != get(other, "type"):
        return True
    both = [(get(item, name), get(other, name)) for name in ("call_id", "id")]
    return next((bool(one != two) for one, two in both if one and two), False)


def _is_blank(item: Any) -> bool:
    return not str(get(item, "arguments", "")).strip()


_ENDS = ("response.completed", "response.incomplete")


class Stream(Assembly):
    """Puts a Response together from the events of a stream. It is whole once it is completed, or incomplete.

    Its last event may tell all of it: then nothing is lost by an earlier one that did not fit.
    """

    def __init__(self) -> None:
        super().__init__()
        self._items: dict[int, dict[str, Any]] = {}
        self._arguments: dict[int, list[str]] = {}
        self._done: set[int] = set()
        self._response: dict[str, Any] = {}
        self._ended = False
        self._reason = "it ended before response.completed"

    def _take(self, event: Any) -> None:
        kind = get(event, "type")
        if kind in ("response.output_item.added", "response.output_item.done"):
            item = object_in(event, "item")
            index = self._index(event, item)
            if _are_two(self._items.get(index), item):
                raise MisfitError(f"two items began at the index {index}")
            self._items[index] = item
            if kind == "response.output_item.done":
                self._arguments.pop(index, None)
                self._done.add(index)
        elif kind == "response.function_call_arguments.delta":
            self._arguments.setdefault(self._place(event), []).append(text_in(event, "delta"))
        elif kind == "response.function_call_arguments.done":
            index = self._place(event)
            self._arguments[index] = [text_in(event, "arguments")]
            self._done.add(index)
        elif kind in _ENDS:
            status = kind.removeprefix("response.")
            self._response = {"status": status, **object_in(event, "response")}
            self._ended = True
        elif kind in ("response.failed", "error"):
            error = get(get(event, "response"), "error") or event
            self._reason = str(get(error, "message", kind))

    def _index(self, event: Any, item: dict[str, Any]) -> int:
        """Where an item stands: some servers do not say, and there it is known by its id, or else comes next."""
        if get(event, "output_index") is not None:
            return index_in(event, "output_index")
        known = [index for index, other in self._items.items() if _key(item) and _key(other) == _key(item)]
        return known[-1] if known else max(self._items, default=-1) + 1

    def _place(self, event: Any) -> int:
        """Which item a piece of arguments belongs to.

        Raises:
            MisfitError: it does not say, and several calls have begun, or none.
        """
        if get(event, "output_index") is not None:
            return index_in(event, "output_index")
        begun = [index for index, item in self._items.items() if get(item, "type") == "function_call"]
        told = get(event, "item_id")
        named = [index for index in begun if told is not None and get(self._items[index], "id") == told]
        if len(named or begun) != 1:
            raise MisfitError("a piece of arguments does not tell its call, by output_index or by item_id")
        return (named or begun)[0]

    def _partial(self) -> dict[str, Any]:
        return {"object": "response", **self._response, "output": self._output()}

    def _output(self) -> list[Any]:
        """The items as the last event tells them, where it tells all; else as they were streamed."""
        told = self._told()
        if self._tells_all() or len(told) > len(self._items):
            return told
        by_key = {_key(item): item for item in told if _is_call(item)}
        return [self._ended_item(index, by_key) for index in sorted(self._items)]

    def _streamed(self, index: int) -> dict[str, Any]:
        item, text = self._items[index], self._arguments.get(index)
        return item if text is None else {**item, "arguments": "".join(text)}

    def _ended_item(self, index: int, told: dict[Any, Any]) -> dict[str, Any]:
        """An item, by what came last of it: a call that was begun, and of which nothing else came, is incomplete."""
        item = self._streamed(index)
        if not self._ended or get(item, "type") != "function_call":
            return item
        last = told.get(_key(item), {})
        status, blank = get(last, "status"), _is_blank(item)
        if (status == "completed" or (status is None and index not in self._done)) and not _is_blank(last):
            return dict(last)
        if index in self._done or (status == "completed" and blank):
            return item
        return {**item, "status": "incomplete"} if blank or status not in (None, "completed") else item

    def _tells_all(self) -> bool:
        """Whether the last event holds every item, with each call completed and none emptied that was not empty."""
        told = self._told()
        made = [item for item in told if get(item, "type") == "function_call"]
        said = {_key(item) for item in map(self._streamed, self._items) if not _is_blank(item)}
        completed = all(get(item, "status") == "completed" for item in made)
        emptied = any(_is_blank(item) and _key(item) in said for item in made)
        return bool(told) and len(told) >= len(self._items) and completed and not emptied

    def _told(self) -> list[Any]:
        """The items that the last event holds, which are all of them or, of some servers, none."""
        return items(self._response.get("output"))

    def response(self) -> dict[str, Any]:
        """The Response.

        Raises:
            CutStreamError: it was neither completed nor incomplete, or an event does not fit, as a piece of a call that
                lacks its beginning.
        """
        if not self._ended:
            raise CutStreamError(NAME, self._misfit or self._reason, self._partial())
        told = self._tells_all() or len(self._told()) > len(self._items)
        lost = NEVER_BEGAN if self._arguments.keys() - self._items.keys() else None
        reason = None if told else self._misfit or lost
        if reason is not None:
            raise CutStreamError(NAME, reason, self._partial())
        return self._partial()

    def calls(self) -> list[ToolCall]:
        """The calls, with the text of their arguments.

        Raises:
            CutStreamError: as ``response``.
        """
        return calls(self.response())
