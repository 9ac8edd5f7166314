"""Specs and handlers that a registry does not take, each refused at once with the reason."""

from __future__ import annotations

import asyncio
import dataclasses
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine, Iterator, Mapping, Sequence
from functools import lru_cache, partial, singledispatchmethod, wraps
from types import MethodType, ModuleType, SimpleNamespace
from typing import Any, Literal, NewType, NoReturn, Protocol, TypedDict, TypeVar

import pytest

from conftest import shown
from generated.support import answer_ticket, list_products, more_tickets, search_tickets
from generated.triage import hand_over, submit_report
from toolgen.runtime import (
    CallContext,
    Codec,
    ExecutionCodec,
    MemoryStore,
    ModelCodec,
    Page,
    RegistrationError,
    ToolCall,
    ToolRegistry,
    ToolSpec,
)

Spec = ToolSpec[Any, Any, Any]


def refusal(spec: Any, handler: Any = lambda payload, ctx: None, **options: Any) -> str:
    registry = ToolRegistry()
    with pytest.raises(RegistrationError) as caught:
        registry.handles(spec, **options)(handler)
    assert registry.specs == {}
    return str(caught.value)


def changed(spec: Any, **parts: Any) -> Spec:
    replaced: Spec = dataclasses.replace(spec, **parts)
    return replaced


def hand_written(**parts: Any) -> Spec:
    """A spec with codecs put together by hand, of a tool that takes ``{"n": int}``."""
    schema = '{"type": "object", "properties": {"n": {"type": "integer"}}, "required": ["n"]}'
    made: dict[str, Any] = {
        "body": dict[str, int],
        "from_body": lambda body: body,
        "to_body": lambda value: value,
        "schema": schema,
        "example": {"n": 1},
        **parts,
    }
    execution = ExecutionCodec("add", **{**made, "example": None})
    return ToolSpec(name="add", description="Adds.", model=ModelCodec("add", lenient=True, **made), execution=execution)


def test_a_hand_written_spec_that_holds_together_is_taken() -> None:
    registry = ToolRegistry()
    registry.handles(hand_written())(lambda payload, ctx: None)
    assert list(registry.specs) == ["add"]


def test_a_handler_of_a_hand_written_spec_knows_what_was_given() -> None:
    schema = '{"type": "object", "properties": {"n": {"type": "integer"}, "m": {"type": "integer"}}}'
    spec = hand_written(schema=schema)
    seen: list[Any] = []
    registry = ToolRegistry()
    registry.handles(spec)(lambda payload, ctx: seen.append([payload, ctx.given("n"), ctx.given("m")]))
    assert asyncio.run(registry.run(ToolCall("1", "add", {"n": 1}))).failure is None
    assert seen == [[{"n": 1}, True, False]]


@pytest.mark.parametrize("submit", [submit_report, hand_over], ids=["nested", "flat"])
def test_a_submit_is_no_handlers_business(submit: ModuleType) -> None:
    """A run would never end by it, and its validators would see nothing of what the handler took."""
    assert "submits a response, which no handler runs: answer the model's turns with SUBMIT.rounds(" in refusal(
        submit.SPEC
    )


@pytest.mark.parametrize(
    ("codec", "words"),
    [
        (None, "codec is missing"),
        (SimpleNamespace(decode=len), "codec is a SimpleNamespace, not"),
    ],
)
@pytest.mark.parametrize("which", ["model", "execution"])
def test_both_codecs_are_mandatory(which: str, codec: Any, words: str) -> None:
    assert f"its {which} {words}" in refusal(changed(list_products.SPEC, **{which: codec}))


def test_a_tool_is_never_run_on_its_model_codec() -> None:
    spec = changed(search_tickets.SPEC, execution=search_tickets.MODEL)
    assert "its execution codec is a ModelCodec, not ExecutionCodec" in refusal(spec)


@pytest.mark.parametrize(("part", "words"), [("from_body", "no decoder"), ("to_body", "no encoder")])
def test_each_codec_has_an_encoder_and_a_decoder(part: str, words: str) -> None:
    message = refusal(hand_written(**{part: None}))
    assert f"its model codec has {words} ({part})" in message
    assert f"its execution codec has {words} ({part})" in message
    result: Any = Codec(
        "x",
        **{"body": dict, "from_body": dict, "to_body": dict, "schema": "{}", part: None},  # type: ignore[arg-type]
    )
    assert f"its result codec has {words} ({part})" in refusal(changed(list_products.SPEC, result=result))


@pytest.mark.parametrize("schema", ["{", '{"$ref": "#/$defs/none"}', '{"type": "object", "properties": 5}'])
def test_a_schema_that_can_not_be_followed_is_refused(schema: str) -> None:
    assert "can't be followed" in refusal(hand_written(schema=schema))


@pytest.mark.parametrize(
    ("parts", "words"),
    [
        ({"example": {"n": "one"}}, "its example breaks its model schema: /n"),
        ({"body": dict[str, str]}, "its model schema takes its example, but its model codec does not"),
        ({"from_body": lambda body: 1 / 0}, "its model codec can't decode its example: ZeroDivisionError"),
        ({"to_body": lambda value: {"n": "1"}}, "can't write its example again"),
    ],
)
def test_codecs_that_disagree_with_the_schema_on_the_example_are_refused(parts: dict[str, Any], words: str) -> None:
    assert words in refusal(hand_written(**parts))


def test_an_example_is_judged_by_the_model_schema_alone() -> None:
    registry = ToolRegistry()
    registry.handles(more_tickets.SPEC)(lambda payload, ctx: None)
    assert more_tickets.SPEC.example == {}, "though a cursor is required to run it"


@pytest.mark.parametrize(
    "name", ["", "find tickets", "find\ntickets", "1st", "x" * 65, "für", None, 5, ["find"]], ids=shown
)
def test_a_name_that_providers_refuse_is_refused(name: Any) -> None:
    assert "its name is one that providers refuse" in refusal(changed(list_products.SPEC, name=name))


@pytest.mark.parametrize("description", ["", " \n", None, 5])
def test_a_tool_that_a_model_is_told_nothing_of_is_refused(description: Any) -> None:
    assert "it has no description" in refusal(changed(list_products.SPEC, description=description))


@pytest.mark.parametrize("schema", ["{}", "true", '{"type": "array"}', '{"type": ["object", "null"]}'])
def test_an_input_is_an_object(schema: str) -> None:
    message = refusal(hand_written(schema=schema, example=None))
    assert "model codec" in message
    assert "execution codec" in message


def test_an_execution_input_has_what_the_model_writes() -> None:
    message = refusal(changed(search_tickets.SPEC, execution=answer_ticket.EXECUTION))
    assert "its execution schema lacks what its model schema has: query, limit, conditions, opened_after" in message


def test_a_continuation_takes_a_cursor_and_nothing_of_the_model() -> None:
    message = refusal(changed(hand_written(), continues="find"))
    assert "a model writes nothing for a continuation, not n" in message
    assert "it continues find, and its execution schema requires no cursor" in message


@pytest.mark.parametrize("source_first", [True, False])
@pytest.mark.parametrize(
    ("source", "later", "words"),
    [
        (
            changed(search_tickets.SPEC, result=list_products.RESULT),
            more_tickets.SPEC,
            "more_tickets continues search_tickets, whose results have no next_cursor",
        ),
        (
            changed(more_tickets.SPEC, name="search_tickets"),
            more_tickets.SPEC,
            "more_tickets continues search_tickets, which continues search_tickets",
        ),
        (
            changed(search_tickets.SPEC, name="add"),
            changed(hand_written(), name="more", continues="add"),
            "more continues add, and its execution schema lacks what that runs on: query, limit",
        ),
    ],
    ids=["no cursor", "a continuation", "other fields"],
)
def test_a_tool_that_could_never_go_on_with_the_pages_of_another_is_refused(
    source: Spec, later: Spec, words: str, source_first: bool
) -> None:
    if later.name == "more":
        cursor = '{"type": "object", "properties": {"cursor": {"type": "string"}}, "required": ["cursor"]}'
        nothing = {"body": dict[str, str], "from_body": lambda body: body, "to_body": lambda value: value}
        model = ModelCodec("more", lenient=True, schema='{"type": "object", "properties": {}}', **nothing)
        execution = ExecutionCodec("more", schema=cursor, **nothing)
        later = changed(later, model=model, execution=execution, restored=("cursor",))
    registry = ToolRegistry()
    one, other = (source, later) if source_first else (later, source)
    registry.handles(one)(lambda payload, ctx: None)
    with pytest.raises(RegistrationError, match=words) as caught:
        registry.handles(other)(lambda payload, ctx: None)
    assert caught.value.name == other.name
    assert [*registry.specs] == [one.name]


def test_what_is_no_spec_is_refused() -> None:
    assert "it is a dict, not a ToolSpec" in refusal({"name": "x"})


def test_two_tools_of_one_name_are_refused() -> None:
    registry = ToolRegistry()
    specs = [list_products.SPEC, search_tickets.SPEC, more_tickets.SPEC]
    for spec in specs:
        registry.handles(spec)(lambda payload, ctx: [])
    for one, other in [(search_tickets.SPEC, list_products.SPEC), (list_products.SPEC, search_tickets.SPEC)]:
        with pytest.raises(RegistrationError) as caught:
            registry.handles(changed(one, name=other.name))(lambda payload, ctx: None)
        assert caught.value.reasons == ("there is a tool of this name already",)  # and no word of who continues it
    assert [*registry.specs.values()] == specs


async def completes_later(args: Any, **fields: Any) -> Any: ...


@pytest.mark.parametrize(
    ("parts", "words"),
    [
        ({"title": 5}, "its title is an int, not text"),
        ({"annotations": None}, "its annotations is None, not ToolAnnotations"),
        ({"context": 5}, "its context is an int, not a Context"),
        ({"continues": 5}, "its continues is an int, not the name of a tool"),
        ({"strict": "yes"}, "its strict is a str, not True, False or None"),
        ({"tags": "search"}, "its tags is a str, not a tuple of texts"),
        ({"tags": (1,)}, "its tags holds an int, and only texts belong there"),
        ({"injected": None}, "its injected is None, not a tuple of texts"),
        ({"restored": ["base"]}, "its restored is a list, not a tuple of texts"),
        ({"injected": ("tenant", "tenant")}, "its injected has one text twice"),
        ({"keep_null": ("/properties/nope",)}, "its keep_null /properties/nope leads to no property"),
        ({"keep_null": ("query",)}, "its keep_null query leads to no property"),
        ({"complete": 5}, "its complete is an int, which can't be called"),
        ({"adapter": "acme:find"}, "its adapter is a str, which can't be called"),
        ({"complete": lambda args: args}, "can't be called with (args, tenant=...): got an unexpected keyword"),
        ({"complete": lambda args, *, tenant, more: args}, "missing a required argument: 'more'"),
        ({"complete": completes_later}, "its complete is no plain function"),
        ({"result": 5}, "its result codec is a int, not Codec"),
    ],
    ids=lambda value: next(iter(value)) if isinstance(value, dict) else "",
)
def test_the_parts_of_a_spec_by_hand_are_what_they_are_used_as(parts: dict[str, Any], words: str) -> None:
    assert words in refusal(changed(search_tickets.SPEC, **parts))


EXECUTION = (
    '{"type": "object", "properties": {"n": {"type": "integer"}, "base": {"type": "integer"}}, "required": ["n", %s]}'
)


@pytest.mark.parametrize(
    ("required", "parts", "words"),
    [
        ("", {"restored": ("zzz",)}, "its execution input has no zzz, which it says is restored: it has n, base"),
        ("", {"restored": ("n",)}, "a model writes n, which it says is restored"),
        ("", {"injected": ("base",)}, "its execution input has base, which is injected and stands in no input"),
        ('"base"', {}, "nothing gives base, which its execution input requires: name it in restored"),
        ('"base"', {"restored": ("base",)}, "nothing restores its fields base: give restore="),
        ("", {}, ""),
        ("", {"restored": ("base",)}, ""),
        ('"base"', {"complete": lambda args: args}, ""),
    ],
)
def test_fields_of_a_spec_by_hand_are_those_of_its_schemas(required: str, parts: dict[str, Any], words: str) -> None:
    spec = hand_written()
    schema = (EXECUTION % required).replace(", ]", "]")
    execution = ExecutionCodec(
        "add", body=dict[str, int], from_body=lambda body: body, to_body=lambda value: value, schema=schema
    )
    spec = changed(spec, execution=execution, **parts)
    if words:
        assert words in refusal(spec)
    else:
        ToolRegistry().handles(spec)(lambda payload, ctx: None)


def test_injected_fields_that_nothing_checks_are_refused() -> None:
    message = refusal(changed(search_tickets.SPEC, context=None))
    assert "its injected fields are tenant, and its context checks none" in message


# Handlers


def other_payload(payload: answer_ticket.AnswerTicketPayload, ctx: CallContext) -> Any: ...


def one(payload: Any) -> Any: ...


def three(payload: Any, ctx: CallContext, more: int) -> Any: ...


def keywords(*, payload: Any, ctx: CallContext) -> Any: ...


def yields(payload: Any, ctx: CallContext) -> Iterator[int]:
    yield 1


async def yields_later(payload: Any, ctx: CallContext) -> AsyncIterator[int]:
    yield 1


def maybe_other_payload(payload: answer_ticket.AnswerTicketPayload | None, ctx: CallContext) -> Any: ...


def args_alone(payload: search_tickets.SearchTicketsArgs, ctx: CallContext) -> Any: ...


def swapped(ctx: CallContext, payload: search_tickets.SearchTicketsPayload) -> Any: ...


def other_context(payload: Any, ctx: answer_ticket.AnswerTicketPayload) -> Any: ...


class OtherPayload:
    def __call__(self, payload: answer_ticket.AnswerTicketPayload, ctx: CallContext) -> Any: ...


def logged(function: Callable[..., Any]) -> Callable[..., Any]:
    """A decorator that passes on whatever it is given."""

    @wraps(function)
    def wrapped(*args: Any, **kwargs: Any) -> Any:
        return function(*args, **kwargs)

    return wrapped


def with_database(function: Callable[..., Any]) -> Callable[..., Any]:
    """A decorator that gives an argument itself, in front."""

    @wraps(function)
    def wrapped(payload: Any, ctx: Any) -> Any:
        return function("database", payload, ctx)

    return wrapped


def logged_method(function: Callable[..., Any]) -> Callable[..., Any]:
    """A decorator of methods that passes on whatever it is given."""

    @wraps(function)
    def wrapped(self: Any, *args: Any, **kwargs: Any) -> Any:
        return function(self, *args, **kwargs)

    return wrapped


def with_session(function: Callable[..., Any]) -> Callable[..., Any]:
    """A decorator that gives an argument itself, in front of whatever it is given."""

    @wraps(function)
    def wrapped(*args: Any, **kwargs: Any) -> Any:
        return function("session", *args, **kwargs)

    return wrapped


def with_payload_alone(function: Callable[..., Any]) -> Callable[..., Any]:
    """A decorator that gives a part of the payload alone."""

    @wraps(function)
    def wrapped(*args: Any) -> Any:
        return function(args[0].query)

    return wrapped


class Bound:
    """A decorator that binds what it wraps to its instance, as some libraries do."""

    def __init__(self, function: Callable[..., Any]) -> None:
        self._function = function

    def __get__(self, owner: object, of: type) -> Callable[..., Any]:
        return logged(MethodType(self._function, owner))


def of_database(database: str, payload: search_tickets.SearchTicketsPayload, ctx: CallContext) -> Any: ...


def of_other(database: str, payload: answer_ticket.AnswerTicketPayload, ctx: CallContext) -> Any: ...


OtherName = NewType("OtherName", answer_ticket.AnswerTicketPayload)
OtherVariable = TypeVar("OtherVariable", bound=answer_ticket.AnswerTicketPayload)
OtherConstrained = TypeVar("OtherConstrained", answer_ticket.AnswerTicketPayload, int)


class OtherKeys(TypedDict):
    query: str


def of_new_type(payload: OtherName, ctx: CallContext) -> Any: ...


def of_variable(payload: OtherVariable, ctx: CallContext) -> OtherVariable: ...


def of_constrained(payload: OtherConstrained, ctx: CallContext) -> OtherConstrained: ...


def of_list(payload: list[search_tickets.SearchTicketsPayload], ctx: CallContext) -> Any: ...


def of_mapping(payload: Mapping[str, object], ctx: CallContext) -> Any: ...


def of_typed_dict(payload: OtherKeys, ctx: CallContext) -> Any: ...


def of_literal(payload: Literal["vpn"], ctx: CallContext) -> Any: ...


def of_nothing(payload: None, ctx: CallContext) -> Any: ...


@lru_cache
def cached(payload: Any, ctx: CallContext) -> Any: ...


def gives_number(payload: Any, ctx: CallContext) -> int: ...


async def gives_nothing(payload: Any, ctx: CallContext) -> None: ...


def gives_result(payload: Any, ctx: CallContext) -> search_tickets.SearchTicketsResult: ...


def gives_later(payload: Any, ctx: CallContext) -> Awaitable[int] | dict[str, int]: ...


class Handlers:
    def method(self, payload: Any, ctx: CallContext) -> Any: ...

    @lru_cache  # noqa: B019 - it is refused
    def cached_method(self, payload: Any, ctx: CallContext) -> Any: ...


class Decorated:
    """Methods behind decorators: each takes a tool's payload, and the next of each pair takes another's."""

    @logged
    def own(self, payload: search_tickets.SearchTicketsPayload, ctx: CallContext) -> Any: ...

    @logged
    def other(self, payload: answer_ticket.AnswerTicketPayload, ctx: CallContext) -> Any: ...

    @logged_method
    @logged
    def own_twice(self, payload: search_tickets.SearchTicketsPayload, ctx: CallContext) -> Any: ...

    @logged_method
    @logged
    def other_twice(self, payload: answer_ticket.AnswerTicketPayload, ctx: CallContext) -> Any: ...

    @classmethod
    @logged
    def own_of_class(cls, payload: search_tickets.SearchTicketsPayload, ctx: CallContext) -> Any: ...

    @classmethod
    @logged
    def other_of_class(cls, payload: answer_ticket.AnswerTicketPayload, ctx: CallContext) -> Any: ...

    @Bound
    def own_bound(self, payload: search_tickets.SearchTicketsPayload, ctx: CallContext) -> Any: ...

    @Bound
    def other_bound(self, payload: answer_ticket.AnswerTicketPayload, ctx: CallContext) -> Any: ...

    @singledispatchmethod
    def dispatched(self, payload: search_tickets.SearchTicketsPayload, ctx: CallContext) -> Any: ...

    @logged
    def of_session(self, session: str, payload: search_tickets.SearchTicketsPayload, ctx: CallContext) -> Any: ...


class DecoratedOwn:
    __call__ = Decorated.own


class DecoratedOther:
    __call__ = Decorated.other


@with_session
def of_session(session: str, payload: search_tickets.SearchTicketsPayload, ctx: CallContext) -> Any: ...


@with_session
def of_session_and_more(session: str, payload: search_tickets.SearchTicketsPayload, *more: Any) -> Any: ...


@with_payload_alone
def of_query(query: str) -> Any: ...


@pytest.mark.parametrize(
    ("handler", "words"),
    [
        (None, "its handler is a NoneType, which can't be called"),
        ("handler", "its handler is a str"),
        (one, "its handler one(payload: 'Any') -> 'Any' can't be called with (payload, ctx)"),
        (three, "can't be called with (payload, ctx): missing a required argument: 'more'"),
        (keywords, "can't be called with (payload, ctx)"),
        (Handlers.method, "can't be called with (payload, ctx)"),
        (Handlers, "is a class: give a method of an instance of it"),
        (yields, "yields: give one that returns"),
        (yields_later, "yields: give one that returns"),
        (other_payload, "takes AnswerTicketPayload as payload, and is given SearchTicketsPayload"),
        (maybe_other_payload, "takes AnswerTicketPayload | None as payload, and is given SearchTicketsPayload"),
        (args_alone, "takes SearchTicketsArgs as payload, and is given SearchTicketsPayload"),
        (swapped, "takes CallContext as ctx, and is given SearchTicketsPayload"),
        (other_context, "takes AnswerTicketPayload as ctx, and is given CallContext"),
        (OtherPayload(), "takes AnswerTicketPayload as payload"),
        (partial(other_payload), "takes AnswerTicketPayload as payload"),
        (partial(of_other, "database"), "takes AnswerTicketPayload as payload"),
        (logged(other_payload), "takes AnswerTicketPayload as payload"),
        (logged(logged(other_payload)), "takes AnswerTicketPayload as payload"),
        (partial(logged(of_other), "database"), "takes AnswerTicketPayload as payload"),
        (Decorated().other, "takes AnswerTicketPayload as payload"),
        (Decorated().other_twice, "takes AnswerTicketPayload as payload"),
        (Decorated().other_bound, "takes AnswerTicketPayload as payload"),
        (Decorated.other_of_class, "takes AnswerTicketPayload as payload"),
        (DecoratedOther(), "takes AnswerTicketPayload as payload"),
        (with_database(of_other), "takes AnswerTicketPayload as payload"),
        (of_new_type, "takes OtherName as payload, and is given SearchTicketsPayload"),
        (of_variable, "takes OtherVariable as payload, and is given SearchTicketsPayload"),
        (of_constrained, "takes OtherConstrained as payload"),
        (of_list, "takes list[SearchTicketsPayload] as payload"),
        (of_mapping, "takes Mapping[str, object] as payload"),
        (of_typed_dict, "takes OtherKeys as payload"),
        (of_literal, "takes Literal['vpn'] as payload"),
        (of_nothing, "takes None as payload"),
        (cached, "cached keeps what it gave (functools.lru_cache), and no call is another"),
        (partial(cached), "cached keeps what it gave"),
        (Handlers().cached_method, "cached_method keeps what it gave"),
        (partial(yields), "yields yields: give one"),
        (partial(yields_later), "yields_later yields: give one"),
        (partial(Handlers), "its handler Handlers is a class"),
        (partial(one, 1, 2), "can't be called with (payload, ctx)"),
        (gives_number, "gives int, and its result is Page"),
        (gives_nothing, "gives None, and its result is Page"),
        (gives_result, "gives SearchTicketsResult, and its result is Page"),
        (gives_later, "gives Awaitable[int] | dict[str, int], and its result is Page"),
        (partial(gives_number), "gives int, and its result is Page"),
    ],
    ids=lambda value: getattr(value, "__qualname__", type(value).__name__) if callable(value) else "",
)
def test_a_handler_with_the_wrong_signature_is_refused(handler: Any, words: str) -> None:
    assert words in refusal(search_tickets.SPEC, handler)


def anything(*args: Any) -> Any: ...


def with_default(payload: Any, ctx: CallContext, more: int = 1) -> Any: ...


def of_base(payload: object, ctx: CallContext) -> Any: ...


def either(payload: search_tickets.SearchTicketsPayload | answer_ticket.AnswerTicketPayload, ctx: object) -> Any: ...


class HasQuery(Protocol):
    query: str


def of_protocol(payload: HasQuery, ctx: Any) -> Any: ...


class Static:
    @staticmethod
    def handle(payload: search_tickets.SearchTicketsPayload, ctx: CallContext) -> Any: ...

    @classmethod
    def handle_too(cls, payload: search_tickets.SearchTicketsPayload, ctx: CallContext) -> Any: ...


OwnName = NewType("OwnName", search_tickets.SearchTicketsPayload)
OwnVariable = TypeVar("OwnVariable", bound=search_tickets.SearchTicketsPayload)
AnyVariable = TypeVar("AnyVariable")
Found = Page[search_tickets.SearchTicketsResult]


def of_own_name(payload: OwnName, ctx: CallContext) -> Any: ...


def of_own_variable(payload: OwnVariable, ctx: CallContext) -> Any: ...


def of_any_variable(payload: AnyVariable, ctx: CallContext) -> list[AnyVariable] | Any: ...


def gives_page(payload: Any, ctx: CallContext) -> Found | None: ...


def gives_page_later(payload: Any, ctx: CallContext) -> Coroutine[Any, Any, Found]: ...


def gives_object(payload: Any, ctx: CallContext) -> object: ...


def gives_up(payload: Any, ctx: CallContext) -> NoReturn:
    raise NotImplementedError


def turned_into_page(function: Callable[..., Any]) -> Callable[..., Any]:
    """A decorator that gives something else than what it wraps, which its annotations are copied from."""

    @wraps(function)
    def wrapped(payload: Any, ctx: Any) -> Any:
        return Page(function(payload, ctx), returned=1)

    return wrapped


def names_of_checkers(payload: NoSuchName, ctx: CallContext) -> Any: ...  # type: ignore[name-defined]  # noqa: F821


@pytest.mark.parametrize(
    "handler",
    [
        anything,
        with_default,
        of_base,
        either,
        of_protocol,
        Static.handle,
        Static.handle_too,
        logged(of_base),
        with_database(of_database),
        partial(logged(of_database), "database"),
        Decorated().own,
        Decorated().own_twice,
        Decorated().own_bound,
        Decorated.own_of_class,
        Decorated().dispatched,
        partial(Decorated().of_session, "session"),
        DecoratedOwn(),
        of_session,
        of_session_and_more,
        of_query,
        logged(classmethod(of_base)),  # type: ignore[arg-type]  # wraps what can't be called
        partial(of_database, "database"),
        partial(three, more=1),
        names_of_checkers,
        of_own_name,
        of_own_variable,
        of_any_variable,
        gives_page,
        gives_page_later,
        gives_object,
        gives_up,
        turned_into_page(gives_number),
        partial(with_default, more=2),
        Handlers().method,
        lambda payload, ctx: None,
        max,  # a function in C, which does not say what it takes
    ],
    ids=shown,
)
def test_every_handler_that_can_be_called_is_taken(handler: Callable[..., Any]) -> None:
    registry = ToolRegistry()
    registry.handles(search_tickets.SPEC)(handler)
    assert list(registry.specs) == ["search_tickets"]


@pytest.mark.parametrize("timeout", [0, -1, float("nan"), float("inf"), True, "60", [1]])
def test_a_timeout_is_a_time(timeout: Any) -> None:
    assert "its timeout is" in refusal(list_products.SPEC, timeout=timeout)
    with pytest.raises(ValueError, match=r"timeout is .* not a number of seconds above 0"):
        ToolRegistry(timeout=timeout)


@pytest.mark.parametrize("option", ["page_ttl", "wait"])
@pytest.mark.parametrize("value", [-1, float("nan"), float("inf"), True, "60", None])
def test_a_registry_waits_for_times(option: str, value: Any) -> None:
    with pytest.raises(ValueError, match=f"{option} is .* not a number of seconds"):
        ToolRegistry(**{option: value})


def test_a_spec_by_hand_has_a_result_codec_of_results() -> None:
    spec = list_products.SPEC
    for codec in (spec.model, spec.execution):
        assert f"its result codec is a {type(codec).__name__}" in refusal(changed(spec, result=codec))


def test_a_time_that_no_float_holds_is_none() -> None:
    for large in (10**400, 10**5000):  # of the second Python writes no digits
        assert "its timeout is a number of more" in refusal(list_products.SPEC, timeout=large)
        for option in ("timeout", "page_ttl", "wait"):
            with pytest.raises(ValueError, match=f"{option} is a number of more than 30 digits, not a number of sec"):
                ToolRegistry(**{option: large})  # type: ignore[arg-type]


@pytest.mark.parametrize("concurrency", [0, -1, 1.5, True, "2", None])
def test_a_registry_lets_at_least_one_call_run(concurrency: Any) -> None:
    with pytest.raises(ValueError, match=r"concurrency is .* not a whole number above 0"):
        ToolRegistry(concurrency=concurrency)


@pytest.mark.parametrize("key", [None, "", 5])
def test_a_registry_finds_the_conversation_under_a_key(key: Any) -> None:
    with pytest.raises(ValueError, match="not a key of the execution context"):
        ToolRegistry(conversation=key)


def test_a_store_has_every_method() -> None:
    class Later(MemoryStore):
        async def load(self, conversation: str, tool: str) -> Any:  # type: ignore[override]
            return None

    for store, words in (
        (object(), "which has no method load: see ContinuationStore"),
        (Later(), "which has no plain method load: see ContinuationStore"),
        (MemoryStore, "the store is the class MemoryStore: give an instance of it"),
        (SimpleNamespace(load=max, add=lambda a: True, swap=max), r"add\(a\) can't be called with \(conversation, co"),
        (SimpleNamespace(load=max, add=max, swap=lambda a, b: True), r"with \(conversation, version, continuation\)"),
    ):
        with pytest.raises(TypeError, match=words):
            ToolRegistry(store=store)  # type: ignore[arg-type]


def test_every_reason_is_told_at_once() -> None:
    message = refusal(changed(search_tickets.SPEC, context=None), one, timeout=-1)
    assert "injected" in message
    assert "handler" in message
    assert "timeout" in message


@pytest.mark.parametrize(
    ("result", "told", "taken"),
    [
        ("list[str]", Sequence[str], True),
        ("list[str]", tuple[str, ...], False),
        ("list[str]", Iterator[str], False),
        ("float", int, True),
        ("int", bool, True),
        ("int", float, False),
        ("int | None", None, True),
        ("int | None", str, False),
        ("Literal['a', 'b']", str, True),
        ("Literal['a', 'b']", bytes, False),
        ("Any", set[str], True),
        ("dict[str, int]", dict, True),
    ],
)
def test_a_handler_gives_back_what_its_result_may_be(
    result: str, told: Any, taken: bool, compile_tool: Callable[..., ModuleType]
) -> None:
    spec = compile_tool('q: str = field("Q.")', result=f"Result = {result}").SPEC

    def handler(payload: Any, ctx: Any) -> Any: ...

    handler.__annotations__["return"] = told
    if taken:
        ToolRegistry().handles(spec)(handler)
    else:
        assert "and its result is" in refusal(spec, handler)


def test_a_tool_that_is_bound_to_nothing_needs_a_handler() -> None:
    with pytest.raises(RegistrationError, match="its design binds it to no function"):
        ToolRegistry().binds(list_products.SPEC)


# What restores fields


def no_arguments() -> Any: ...


async def restores_later(args: Any, context: Any) -> Any: ...


restores_later_in_part = partial(restores_later)


@lru_cache
def restores_once(args: Any, context: Any) -> Any: ...


@pytest.mark.parametrize(
    ("restore", "words"),
    [
        (no_arguments, "its restore=() -> 'Any' can't be called with (args, context)"),
        (restores_later, "its restore= is async"),
        (restores_later_in_part, "its restore= is async"),
        (yields, "its restore= yields: give one that returns"),
        (restores_once, "its restore= keeps what it gave (functools.lru_cache)"),
        ("restore", "its restore= can't be called"),
    ],
    ids=["arguments", "async", "async in part", "yields", "cached", "text"],
)
def test_what_can_not_restore_fields_is_refused(
    restore: Any, words: str, compile_tool: Callable[..., ModuleType]
) -> None:
    module = compile_tool('base: int = restored("B.")')
    assert words in refusal(module.SPEC, restore=restore)


def test_nothing_is_restored_where_there_is_nothing_to_restore() -> None:
    hook = dict
    assert "it has no restored fields: leave it out" in refusal(list_products.SPEC, restore=hook)
    assert "what search_tickets saved restores its fields: leave it out" in refusal(more_tickets.SPEC, restore=hook)
