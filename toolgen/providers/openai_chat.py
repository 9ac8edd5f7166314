"""OpenAI's Chat Completions API, and the many servers that speak it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, Final

from toolgen.providers import dialects
from toolgen.providers.building import built, wants_strict
from toolgen.providers.cuts import is_whole, last_cut
from toolgen.providers.definitions import Definition
from toolgen.providers.facts import Facts
from toolgen.providers.madeids import made_id
from toolgen.providers.outcomes import (
    Fidelity,
    ResultError,
    call_id,
    flagless_blocks,
    flagless_text,
    read_flagless,
    read_flagless_blocks,
    refuse_images,
)
from toolgen.providers.reading import fields, get, items, plain, text_of, words_of
from toolgen.providers.streams import CutStreamError, added
from toolgen.runtime import TextBlock, ToolCall, ToolResult

NAME: Final = "openai_chat"
TOOL_NAME: Final = re.compile(r"[a-zA-Z0-9_-]{1,64}")
FIDELITY: Final = Fidelity(failure="text", images=False, structure=False)
CUT: Final = frozenset({"length", "content_filter", "error"})
"""Values of ``finish_reason`` of a turn that may end within a call. ``error`` is OpenRouter's."""

ONE_MESSAGE_A_RESULT: Final = True
"""The results of a turn stand in messages of their own, one after another."""


def definition(facts: Facts, strict: bool | None = None) -> Definition:
    """``{type: "function", function: {name, description, parameters, strict}}``.

    Raises:
        ProjectionError: the provider can't be told of the tool in this mode.
    """
    wanted = wants_strict(facts, strict)

    def shape(description: str, schema: dict[str, Any]) -> dict[str, Any]:
        told = {"name": facts.name, "description": description, "parameters": schema, "strict": wanted}
        return {"type": "function", "function": told}

    return built(facts, dialects.openai(NAME, strict=wanted), TOOL_NAME, shape)


def is_response(response: Any) -> bool:
    """Whether this is a ChatCompletion."""
    return bool(items(get(response, "choices")))


def calls(response: Any) -> list[ToolCall]:
    """The function calls of a ChatCompletion's first choice, or of an assistant's message.

    Some servers give a call no id: there, one is made of its place, name and arguments, the same each time it is read.
    The last call of a turn that was cut has arguments that are cut off.
    """
    made = _tool_calls(response)
    found = [_call(index, call) for index, call in enumerate(made) if get(call, "function") is not None]
    return last_cut(found, _finish(response), CUT)


def wanting(response: Any) -> list[ToolCall]:
    """All calls that want a result, those of custom tools too, which take text."""
    return [_call(index, call) for index, call in enumerate(_tool_calls(response))]


def _tool_calls(response: Any) -> list[Any]:
    return items(get(_message(response), "tool_calls"))


def _call(index: int, call: Any) -> ToolCall:
    told = get(call, "function") or get(call, "custom")
    name, given = str(get(told, "name", "")), get(told, "arguments")
    identifier = get(call, "id") or (made_id(index, name, given) if name else "")
    return ToolCall(str(identifier), name, given, NAME)


def _finish(response: Any) -> Any:
    choices = items(get(response, "choices"))
    return get(choices[0], "finish_reason") if choices else None


def _message(response: Any) -> Any:
    choices = items(get(response, "choices"))
    return get(choices[0], "message") if choices else response


def result(outcome: ToolResult) -> dict[str, Any]:
    """A message of the role ``tool``. The wire has no flag: a failure is told in words alone.

    Raises:
        ResultError: its call has no id, or it holds an image, which a tool message can't.
    """
    refuse_images(outcome, NAME, frozenset())
    blocks = [block for block in flagless_blocks(outcome) if isinstance(block, TextBlock)]
    content: Any = [{"type": "text", "text": block.text} for block in blocks] or flagless_text(outcome)
    return {"role": "tool", "tool_call_id": call_id(outcome), "content": content}


def read_result(wire: Any) -> ToolResult:
    """The result that a tool message stands for.

    Raises:
        ResultError: it is no such message.
    """
    if get(wire, "role") != "tool":
        raise ResultError(f"{NAME}: a result is a message of the role tool, not {get(wire, 'role')!r}")
    call = ToolCall(str(get(wire, "tool_call_id", "")), "", None, NAME)
    content = get(wire, "content", "")
    if isinstance(content, str):
        return read_flagless(call, content)
    return read_flagless_blocks(call, tuple(TextBlock(words_of(part)) for part in items(content)))


def results_in(message: Any) -> list[Any]:
    """The results in one message of a history."""
    return [message] if get(message, "role") == "tool" else []


def turn(response: Any, results: Sequence[ToolResult]) -> list[Any]:
    """The assistant's message as it came, and a message for each result, in the order of the calls.

    Calls that came without an id have there the one that was made for them, which is what their results answer.
    """
    message = _with_ids(_message(response))
    said = ("content", "refusal", "tool_calls", "function_call", "audio")
    return [message, *map(result, results)] if any(get(message, name) for name in said) else []


def _with_ids(message: Any) -> Any:
    came = items(get(message, "tool_calls"))
    if all(get(call, "id") for call in came):
        return message
    told = [{**fields(call), "id": made.id} for call, made in zip(came, wanting(message), strict=True)]
    return {**fields(message), "tool_calls": told}


class Stream:
    """Puts a ChatCompletion together from its chunks. It is whole once the choice has a ``finish_reason``.

    Keys of a message that OpenAI does not know, such as ``reasoning_content``, are kept: servers that write them want
    them back.
    """

    def __init__(self) -> None:
        self._head: dict[str, Any] = {}
        self._message: dict[str, Any] = {"role": "assistant", "content": None}
        self._calls: list[dict[str, Any]] = []
        self._arguments: list[list[str]] = []
        self._at: dict[int, int] = {}
        self._named_again: set[int] = set()
        self._finish: str | None = None

    def add(self, event: Any, /) -> None:
        """Take the next chunk."""
        for name in ("id", "created", "model", "usage", "service_tier", "system_fingerprint"):
            if get(event, name) is not None:
                self._head[name] = plain(get(event, name))
        for choice in items(get(event, "choices")):
            if get(choice, "index", 0) == 0:
                self._delta(get(choice, "delta"))
                self._finish = get(choice, "finish_reason") or self._finish  # empty, it says nothing

    def _delta(self, delta: Any) -> None:
        told = fields(delta)
        self._message = added(self._message, {key: told[key] for key in told if key not in ("role", "tool_calls")})
        for part in map(fields, items(told.get("tool_calls"))):
            function = fields(part.get("function"))
            text, name = _piece(function.get("arguments")), function.get("name") or get(part.get("custom"), "name")
            at = self._place(part, name, text)
            call = self._calls[at]
            self._arguments[at].append(text)
            call["id"] = call["id"] or part.get("id") or ""
            call["type"] = part.get("type") or call["type"]
            call["function"]["name"] = function.get("name") or call["function"]["name"]
            rest = {key: part[key] for key in part if key not in ("index", "id", "type", "function")}
            self._calls[at] = added(call, rest)

    def _place(self, part: dict[str, Any], name: str | None, text: str) -> int:
        """Which call a delta belongs to, one that it begins among them."""
        index, identifier = part.get("index"), part.get("id")
        at = self._earlier(index, identifier, name)
        if at is None or self._ends_before(at, name, text):
            said = "" if at is None else self._calls[at]["function"]["name"]
            at = len(self._calls)
            self._calls.append({"id": "", "type": "function", "function": {"name": name or said}})
            self._arguments.append([])
        if isinstance(index, int):
            self._at[index] = at
        return at

    def _earlier(self, index: Any, identifier: str | None, name: str | None) -> int | None:
        """The call that a delta goes on with: that of its id, else of its index, else the last one.

        Some servers give no index, or the same one to every call: there, an id or a name begins another call. One id at
        two indices is two calls, as in a response that was not streamed.
        """
        placed = self._at.get(index) if isinstance(index, int) else None
        known = [at for at, call in enumerate(self._calls) if identifier and call["id"] == identifier]
        if known and placed not in known:
            elsewhere = isinstance(index, int) and known[-1] in self._at.values()
            return None if name and elsewhere else known[-1]
        if isinstance(index, int):
            # An id that changes from piece to piece, without a name, or a name that is said again begins nothing.
            taken = placed is not None and not known and bool(self._calls[placed]["id"])
            return None if taken and identifier and name else placed
        if known:
            return known[-1]
        return None if identifier or name or not self._calls else len(self._calls) - 1

    def _ends_before(self, at: int, name: str | None, text: str) -> bool:
        """Whether a call has ended where a name is said again: it has another name, or its arguments are whole.

        Some servers say the name with each piece, an empty last one too: only more arguments, which may come with a
        piece of their own, begin another call of the same name.
        """
        call = self._calls[at]
        said = call["function"]["name"] or get(call.get("custom"), "name")
        if name and said and said != name:
            return True
        if (not (name and said) and at not in self._named_again) or not is_whole("".join(self._arguments[at])):
            return False
        self._named_again.add(at)
        return bool(text.strip())

    def _partial(self) -> dict[str, Any]:
        message = dict(self._message)
        if self._calls:
            message["tool_calls"] = list(map(_whole, self._calls, self._arguments))
        choice = {"index": 0, "message": message, "finish_reason": self._finish, "logprobs": None}
        return {**self._head, "object": "chat.completion", "choices": [choice]}

    def response(self) -> dict[str, Any]:
        """The ChatCompletion.

        Raises:
            CutStreamError: no chunk had a ``finish_reason``.
        """
        if self._finish is None:
            raise CutStreamError(NAME, "it ended before a finish_reason", self._partial())
        return self._partial()

    def calls(self) -> list[ToolCall]:
        """The calls, with the text of their arguments.

        Raises:
            CutStreamError: as ``response``.
        """
        return calls(self.response())


def _piece(arguments: Any) -> str:
    """A piece of the text of arguments; some servers give an object, which then is all of them."""
    return arguments if isinstance(arguments, str) else "" if arguments is None else text_of(plain(arguments))


def _whole(call: dict[str, Any], texts: list[str]) -> dict[str, Any]:
    """A call as it stands in a message; one of a custom tool is no function."""
    if call["type"] != "function":
        return {key: value for key, value in call.items() if key != "function"}
    return {**call, "function": {**call["function"], "arguments": "".join(texts)}}
