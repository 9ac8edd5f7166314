"""The registry: runs the tools that models call, and answers every call."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Coroutine, Iterable, Mapping
from types import MappingProxyType
from typing import Any, Generic, Protocol, TypeVar, overload

import msgspec

from toolgen.runtime import words
from toolgen.runtime.attempts import attempt
from toolgen.runtime.calls import CallContext, ToolCall, ToolResult, judge_call, judged_calls
from toolgen.runtime.chains import First, Held, RestoreError, restored_reading
from toolgen.runtime.codec import Reading
from toolgen.runtime.concurrency import Turn, Turns
from toolgen.runtime.context import judge_mapping
from toolgen.runtime.continuations import ContinuationStore, MemoryStore, judge_store
from toolgen.runtime.failures import Failure, ToolFailure
from toolgen.runtime.hints import is_async
from toolgen.runtime.issues import ContextError, Issue, PayloadError, told
from toolgen.runtime.numbers import is_seconds, written
from toolgen.runtime.observing import Observer, Trace, logger, tell
from toolgen.runtime.pages import Page
from toolgen.runtime.paging import Paging
from toolgen.runtime.pytypes import of_class
from toolgen.runtime.registration import Registered, RegistrationError, judge_among, of_signature, registered
from toolgen.runtime.restoring import restored_by_hook, restored_in_thread
from toolgen.runtime.spec import Toolset, ToolSpec

P = TypeVar("P")
R = TypeVar("R")
H = TypeVar("H")

Restore = Callable[[Any, Mapping[str, object]], Mapping[str, object]]

Spec = ToolSpec[Any, Any, Any]

_UNEXPECTED = Failure("internal", "an unexpected error inside the tool", "replan")
_MOST_NAMED = 50


class ResultError(Exception):
    """What a handler returned is no result of its tool: told to the operator, with the paths."""


class Handling(Protocol, Generic[P, R]):
    """Decorates a handler of one tool: a function ``(payload, ctx) -> result``, async or not."""

    @overload
    def __call__(
        self, handler: Callable[[P, CallContext], Coroutine[Any, Any, R]], /
    ) -> Callable[[P, CallContext], Coroutine[Any, Any, R]]: ...

    @overload
    def __call__(self, handler: Callable[[P, CallContext], R], /) -> Callable[[P, CallContext], R]: ...


class ToolRegistry:
    """Holds tools with their handlers, and runs calls of them.

    Args:
        store: keeps the places of paged tools between calls; by default in this process's memory.
        conversation: the key of the execution context that tells conversations apart. Pages can be continued only in
            the conversation that began them, and only where the context has this key.
        page_ttl: seconds for which a next page can be asked for.
        timeout: most seconds that a handler may take, where it says nothing else; None: for ever.
        concurrency: most calls that run at once in one event loop. A handler that does not heed its cancellation
            counts until it ends.
        wait: most seconds that a call waits for its turn.

    Raises:
        ValueError: an option is no such number, or no key.
        TypeError: the store lacks a method.
    """

    def __init__(
        self,
        *,
        store: ContinuationStore | None = None,
        conversation: str = "conversation",
        page_ttl: float = 3600.0,
        timeout: float | None = 60.0,
        concurrency: int = 16,
        wait: float = 300.0,
    ) -> None:
        _judge_options(page_ttl=page_ttl, timeout=timeout, concurrency=concurrency, wait=wait)
        if not isinstance(conversation, str) or not conversation:
            raise ValueError(f"conversation is {conversation!r}, not a key of the execution context")
        if store is not None:
            judge_store(store)
        self._tools: dict[str, Registered] = {}
        self._submits: set[str] = set()
        self._paging = Paging(MemoryStore() if store is None else store, key=conversation, ttl=page_ttl)
        self._timeout = timeout
        self._turns = Turns(concurrency, wait)
        self._observers: list[Observer] = []

    # Registration

    @property
    def specs(self) -> dict[str, ToolSpec[Any, Any, Any]]:
        """The specs of the tools, by wire name, in order of registration."""
        return {name: tool.spec for name, tool in self._tools.items()}

    @property
    def conversation_key(self) -> str:
        """The key of the execution context that tells conversations apart."""
        return self._paging.key

    def handles(
        self, spec: ToolSpec[Any, P, R], /, *, timeout: float | None = None, restore: Restore | None = None
    ) -> Handling[P, R]:
        """Decorates the handler of a tool. A sync one runs in a thread.

        ``timeout`` takes the place of the registry's own. ``restore`` gives the values of the tool's restored fields by
        Python name, from its arguments and the context, for a tool that has any and continues none; it may block.

        Raises:
            RegistrationError: when the handler is decorated: the spec or the handler is none that can be run, or
                there is a tool of this name.
        """

        def decorate(handler: Any, /) -> Any:
            self._add(spec, handler, timeout, restore)
            return handler

        return decorate

    def binds(self, spec: ToolSpec[Any, Any, Any], /, *, timeout: float | None = None) -> None:
        """Register a tool that its design binds to a function.

        Raises:
            RegistrationError: as ``handles``; or it is bound to none.
        """
        if spec.adapter is None:
            raise RegistrationError(spec.name, ["its design binds it to no function (binds=): give a handler"])
        self._add(spec, spec.adapter, timeout, None)

    def handles_all(
        self,
        toolset: Toolset[H],
        handlers: H,
        /,
        *,
        timeout: float | None = None,
        restore: Mapping[str, Restore] | None = None,
    ) -> None:
        """Register every tool of a toolset. Each is handled by the method of ``handlers`` with the name of its module,
        or, where there is none, by the function that its design binds it to.

        ``restore`` has, by the tool's wire name, what ``handles`` takes as ``restore`` for one. A tool that is
        registered already is not passed over: it is refused, since it would have two handlers.

        Raises:
            RegistrationError: as ``handles``; or a method is missing; or ``restore`` names a tool that is none of the
                toolset's. No tool is registered then.
            TypeError: ``toolset`` is no toolset, or ``handlers`` a class.
        """
        if not isinstance(toolset, Toolset):
            raise TypeError(f"what is handled is a toolset, not {of_class(toolset)}: give TOOLSET, then its handlers")
        if isinstance(handlers, type):
            raise TypeError(f"the handlers are the class {handlers.__name__}: give an instance of it")
        restore = {} if restore is None else restore
        known = set(toolset)
        for name in restore:
            if name not in known:
                reason = f"restore= names it, and the toolset {toolset.name} has no tool of this name"
                raise RegistrationError(name, [reason])
        methods: dict[str, Any] = {}
        for name, spec in toolset.items():
            method = getattr(handlers, toolset.method_name(name), None)
            methods[name] = spec.adapter if method is None else method
        if missing := [name for name, method in methods.items() if method is None]:
            lacking = ", ".join(map(toolset.method_name, missing))
            raise RegistrationError(", ".join(missing), [f"{type(handlers).__name__} has no method {lacking}"])
        found: dict[str, Registered] = {}
        for name, spec in toolset.items():
            tool = self._checked(spec, methods[name], timeout, restore.get(name), beside=found)
            found[tool.spec.name] = tool
        self._tools.update(found)
        self._submits.update(toolset.submits)

    def _add(self, spec: Any, handler: Any, timeout: float | None, restore: Restore | None) -> None:
        tool = self._checked(spec, handler, timeout, restore)
        self._tools[tool.spec.name] = tool

    def _checked(
        self,
        spec: Any,
        handler: Any,
        timeout: float | None,
        restore: Restore | None,
        *,
        beside: Mapping[str, Registered] = MappingProxyType({}),
    ) -> Registered:
        tool = registered(spec, handler, self._timeout if timeout is None else timeout, restore)
        judge_among(tool.spec, {name: other.spec for name, other in {**self._tools, **beside}.items()})
        return tool

    def observe(self, observer: Observer, /) -> Observer:
        """Tell ``observer`` how each call came out, as a ``CallOutcome``. It is called in the event loop, and returns
        soon. Can stand as a decorator.

        Raises:
            TypeError: it can't be called with one argument, or nobody would await it or read what it yields.
        """
        if not callable(observer) or is_async(observer):
            given = "an async function" if callable(observer) else f"a {type(observer).__name__}"
            raise TypeError(
                f"an observer is a function that is called and returns, not {given}: give one that is not async"
            )
        wrong = list(of_signature("observer", observer, "(outcome)", arguments=1))
        if wrong:
            raise TypeError(f"an observer is called with one argument, a CallOutcome, for each call: {wrong[0]}")
        self._observers.append(observer)
        return observer

    # Running

    def prepare(self, call: ToolCall, context: Mapping[str, object] | None = None) -> Any:
        """The payload that a call's tool would run on. Nothing is run, and no page is taken; it may block on the store.

        Raises:
            PayloadError: the arguments are not taken.
            ToolFailure: there is no such tool, or nothing to continue.
            ContextError: an injected value is missing or bad, or a restored one is bad.
            TypeError: it is no ToolCall.
        """
        judge_call(call)
        context = {} if context is None else context
        tool = self._tool(call)
        self._judge_context(tool.spec, context)
        reading = tool.spec.model.read(call.arguments)
        if tool.spec.continues is None:
            restored = restored_by_hook(tool, reading.value, context)
            return _completed(tool.spec, reading, restored, context)
        kept = self._paging.look(tool.spec, context)
        return restored_reading(kept, tool.spec, self._source(tool.spec), context).value

    async def run(self, call: ToolCall, context: Mapping[str, object] | None = None) -> ToolResult:
        """Runs a call and answers it, whatever comes of it.

        Raises:
            asyncio.CancelledError: when it is cancelled itself; the handler is then cancelled first.
            TypeError: it is no ToolCall.
        """
        judge_call(call)
        began = time.perf_counter()
        trace = Trace(call.id)
        try:
            result = await self._answered(call, {} if context is None else context, trace)
        except asyncio.CancelledError:
            tell(self._observers, trace.outcome("cancelled", time.perf_counter() - began))
            raise
        outcome = "ok" if result.failure is None else result.failure.kind
        tell(self._observers, trace.outcome(outcome, time.perf_counter() - began))
        return result

    async def run_all(self, calls: Iterable[ToolCall], context: Mapping[str, object] | None = None) -> list[ToolResult]:
        """Runs calls at once and answers each exactly once, in their order.

        Raises:
            asyncio.CancelledError: when it is cancelled itself; all of the handlers are then cancelled first.
            TypeError: they are no list, or one of them is no ToolCall; none is run then.
        """
        judged = judged_calls(calls)
        return list(await asyncio.gather(*(self.run(call, context) for call in judged)))

    async def _answered(self, call: ToolCall, context: Mapping[str, object], trace: Trace) -> ToolResult:
        try:
            return await self._ran(call, context, trace)
        except Exception as error:
            try:
                return self._refused(call, error, trace)
            except Exception:
                logger.exception("what %s failed of can't be put into words", trace)
                return self._failed(call, _UNEXPECTED)

    def _refused(self, call: ToolCall, error: Exception, trace: Trace) -> ToolResult:
        """The answer to a call that came to nothing. What is the operator's to know is logged."""
        match error:
            case PayloadError():
                trace.issues = error.issues
                return ToolResult.of_refusal(call, error)
            case ToolFailure():
                if error.__cause__ is not None:
                    logger.error("%s failed: %s", trace, error.__cause__, exc_info=error.__cause__)
                return self._failed(call, error.failure)
            case ContextError():
                logger.error("%s can't run: %s", trace, error)
                return self._failed(call, Failure("internal", "it is not set up for this conversation", "replan"))
        logger.error("%s failed unexpectedly", trace, exc_info=error)
        return self._failed(call, _UNEXPECTED)

    def _failed(self, call: ToolCall, failure: Failure) -> ToolResult:
        tool = self._tools.get(call.name)
        if tool is None:
            return ToolResult.of_failure(call, failure)
        model = tool.spec.model
        return ToolResult.of_failure(call, failure, schema=model.schema, example=model.example)

    async def _ran(self, call: ToolCall, context: Mapping[str, object], trace: Trace) -> ToolResult:
        tool = self._tool(call)
        trace.tool = tool.spec.name
        self._judge_context(tool.spec, context)
        reading = tool.spec.model.read(call.arguments)
        trace.lane, trace.mends = reading.lane, reading.notes
        turn = await self._turns.take()
        try:
            held = None if tool.spec.continues is None else await self._paging.take(tool, context)
            try:
                payload, restored = await self._payload(tool, reading, held, context, turn)
                place = self._first(tool, payload, context) if held is None else held
                ctx = _call_context(call, tool, reading, restored, context)
                value = await attempt(tool.handler, payload, ctx, is_async=tool.is_async, turn=turn)
                result = _encoded(call, tool.spec, value, trace)
                if place is not None:
                    await self._paging.keep(tool, place, value.next_cursor if isinstance(value, Page) else None)
                return result
            except BaseException:
                if held is not None:
                    await self._paging.put_back(tool, held)
                raise
        finally:
            turn.end()

    def _tool(self, call: ToolCall) -> Registered:
        tool = self._tools.get(call.name)
        if tool is None and call.name in self._submits:
            raise ToolFailure("internal", "it is not set up for this conversation", "replan") from RuntimeError(
                f"{call.name} submits a result, which no registry takes: answer the model's turns with "
                "SUBMIT.rounds(...).turn(calls, registry.run)"
            )
        if tool is None:
            raise ToolFailure("invalid_call", _unknown(call.name, tuple(self._tools)), "replan")
        return tool

    def _judge_context(self, spec: Spec, context: object) -> None:
        """Of a tool with no injected fields too: what tells the conversation stands in the context."""
        judge_mapping(context, spec.injected or (self._paging.key,), tool=spec.name)

    async def _payload(
        self, tool: Registered, reading: Reading, held: Held | None, context: Mapping[str, object], turn: Turn
    ) -> tuple[Any, frozenset[str]]:
        """The payload, and the names of those restored fields that something was restored for."""
        if held is not None:
            again = restored_reading(held.was, tool.spec, self._source(tool.spec), context)
            return again.value, again.given()
        restored = await restored_in_thread(tool, reading.value, context, turn)
        return _completed(tool.spec, reading, restored, context), frozenset(restored)

    # Pages

    def _source(self, spec: Spec) -> Spec | None:
        """The tool whose pages ``spec`` goes on with, where it is registered."""
        source = self._tools.get(spec.continues or "")
        return None if source is None else source.spec

    def _first(self, tool: Registered, payload: Any, context: Mapping[str, object]) -> First | None:
        """What later pages are restored from, where a tool goes on with the pages of this one."""
        followed = any(other.spec.continues == tool.spec.name for other in self._tools.values())
        return self._paging.first(tool.spec, payload, context) if followed else None


def _judge_options(*, page_ttl: float, timeout: float | None, concurrency: int, wait: float) -> None:
    for name, value in {"page_ttl": page_ttl, "wait": wait}.items():
        if not is_seconds(value):
            raise ValueError(f"{name} is {written(value)}, not a number of seconds")
    if timeout is not None and not (is_seconds(timeout) and timeout):
        raise ValueError(f"timeout is {written(timeout)}, not a number of seconds above 0")
    if type(concurrency) is not int or concurrency < 1:
        raise ValueError(f"concurrency is {written(concurrency)}, not a whole number above 0")


def _call_context(
    call: ToolCall, tool: Registered, reading: Reading, restored: frozenset[str], context: Mapping[str, object]
) -> CallContext:
    spec, given = tool.spec, reading.given()
    fields = {
        **{name: name in given for name in spec.model.wire_names},
        **{name: name in restored for name in spec.restored},
        **{name: name in context for name in spec.injected},
    }
    return CallContext(call, notes=reading.notes, context=context, fields=fields, timeout=tool.timeout)


def _completed(spec: Spec, reading: Reading, restored: Mapping[str, object], context: Mapping[str, object]) -> Any:
    """The payload of arguments that were taken. What is wrong with it now is no fault of the model."""
    try:
        if spec.complete is not None:
            injected = {} if spec.context is None else spec.context.known(context)
            return spec.complete(reading.value, **restored, **injected)
        written = msgspec.json.decode(spec.model.encode(reading.value), type=dict[str, msgspec.Raw])
        wires = spec.execution.wire_names
        added = {wires.get(name, name): value for name, value in restored.items()}
        return spec.execution.decode(msgspec.json.encode({**written, **added}), context)
    except PayloadError as error:
        raise RestoreError(f"the payload of {spec.name} is not one that it runs on: {error}") from error


def _encoded(call: ToolCall, spec: Spec, value: Any, trace: Trace) -> ToolResult:
    """The answer with the tool's result.

    Raises:
        ToolFailure: it is not the result that the tool declares; its cause says why, for the operator.
    """
    try:
        if isinstance(value, Page) and spec.bounded is None:
            message = "is a Page, and the tool declares no bounds: add bounded= to its design, or return its result"
            raise PayloadError((Issue("", "invalid_type", message, actual="Page"),), tool=spec.name, what="result")
        return ToolResult.ok(call, value, codec=spec.result)
    except KeyboardInterrupt:
        raise
    except BaseException as error:  # what a result's own methods raise is no more than a result that is none
        why = f"{type(error).__name__}: {error}"
        if isinstance(error, PayloadError):
            trace.issues = error.issues
            why = "; ".join(map(told, error.issues[:3]))
        cause = ResultError(f"the result of {spec.name} is not what it declares: {why}")
        cause.__cause__ = error
        raise ToolFailure("malformed_result", "it gave back something else than it declares", "replan") from cause


def _unknown(name: str, names: tuple[str, ...]) -> str:
    near = words.near(name, names)
    hint = "" if near is None else f" Did you mean {near}?"
    known = ", ".join(names[:_MOST_NAMED]) or "none"
    more = len(names) - _MOST_NAMED
    rest = f" and {more} more" if more > 0 else ""
    return f"there is no tool of this name.{hint} The tools are: {known}{rest}"
