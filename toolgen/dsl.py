"""The design language: what a design file imports.

A design is a Python file that declares toolsets, tools and Records with the names of this module. Nothing here judges a
design: what was said is written down with its file and line, and ``toolgen.load`` reports all that is wrong with it at
once.
"""

from __future__ import annotations

import dataclasses
import enum
import re
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from types import BuiltinMethodType, MappingProxyType
from typing import Any, ClassVar, Final, Never, TypeVar, cast

from toolgen.plain import Plain

__all__ = ["Bounded", "Constraints", "Record", "Submit", "Toolset", "field", "injected", "restored"]

C = TypeVar("C")


class Missing(enum.Enum):
    """The type of ``MISSING``, which tells "not given" from every value that a design can give."""

    MISSING = "missing"


MISSING: Final = Missing.MISSING


class Spot(Plain, frozen=True):
    """A place in a design file, by the file's name as Python knows it."""

    file: str
    line: int


@dataclass(frozen=True, slots=True)
class Constraints:
    """Bounds on an element: ``list[Annotated[str, Constraints(min_length=1)]]``.

    The bounds are those of ``field``. Several apply together; which of them fit depends on the type beside them.
    """

    ge: int | float | None = None
    gt: int | float | None = None
    le: int | float | None = None
    lt: int | float | None = None
    multiple_of: int | float | None = None
    min_length: int | None = None
    max_length: int | None = None
    pattern: str | None = None
    format: str | None = None
    min_items: int | None = None
    max_items: int | None = None
    unique_items: bool = False

    def given(self) -> dict[str, object]:
        """The bounds that are set, by name."""
        return bounds_in({f.name: getattr(self, f.name) for f in dataclasses.fields(self)})


CONSTRAINT_NAMES: Final = tuple(f.name for f in dataclasses.fields(Constraints))


def bounds_in(options: Mapping[str, object]) -> dict[str, object]:
    """The bounds among ``options`` that are set: neither None nor, for ``unique_items``, False."""
    return {
        name: options[name]
        for name in CONSTRAINT_NAMES
        if options.get(name) is not None and not (name == "unique_items" and options[name] is False)
    }


class FieldMark(Plain, frozen=True, eq=False):
    """What ``field``, ``restored`` or ``injected`` was called with.

    ``role`` is the name of the function. ``options`` holds every option, given or not; ``unknown`` those that the
    language does not have. ``hidden`` says that a field of the same class stood in the place of the function: in a
    class body the name of a field hides the function of that name.
    """

    role: str
    description: object
    options: Mapping[str, object]
    unknown: Mapping[str, object]
    spot: Spot
    hidden: bool = False

    def __call__(self, *arguments: Any, **options: Any) -> Any:
        """The mark of a field whose function is hidden by this one, so that reading goes on and all is reported."""
        mark: FieldMark = field(*arguments, **options)
        return mark.replace(hidden=True)


def field(
    description: str = "",
    *,
    default: Any = MISSING,
    optional: bool = False,
    keep_null: bool = False,
    name: str | None = None,
    title: str | None = None,
    example: Any = MISSING,
    ge: int | float | None = None,
    gt: int | float | None = None,
    le: int | float | None = None,
    lt: int | float | None = None,
    multiple_of: int | float | None = None,
    min_length: int | None = None,
    max_length: int | None = None,
    pattern: str | None = None,
    format: str | None = None,
    min_items: int | None = None,
    max_items: int | None = None,
    unique_items: bool = False,
    deprecated: bool = False,
    also: Mapping[str, Any] | None = None,
    **unknown: Never,
) -> Any:
    """A field that the model writes (in a Result: that the tool writes).

    ``default`` stands in where the field is missing; ``optional`` lets it be missing with no default. ``keep_null``
    tells a missing field from null, for a field that is both optional and nullable. ``name`` is the key in JSON, the
    Python name unless given. ``example`` is one value of the field. The rest are bounds: ``ge gt le lt multiple_of`` on
    numbers, ``min_length max_length`` on text (characters) and bytes (bytes), ``pattern format`` on text,
    ``min_items max_items`` on lists and dicts, ``unique_items`` on lists. ``also`` is a JSON Schema (2020-12) that
    the value must hold to as well, for what no type or bound can say: ``also={"not": {"const": "root"}}``. It may
    refer to its own ``$defs``, and to nothing else.
    """
    return _mark("field", description, locals(), unknown)


def restored(
    description: str = "",
    *,
    default: Any = MISSING,
    optional: bool = False,
    keep_null: bool = False,
    name: str | None = None,
    title: str | None = None,
    example: Any = MISSING,
    ge: int | float | None = None,
    gt: int | float | None = None,
    le: int | float | None = None,
    lt: int | float | None = None,
    multiple_of: int | float | None = None,
    min_length: int | None = None,
    max_length: int | None = None,
    pattern: str | None = None,
    format: str | None = None,
    min_items: int | None = None,
    max_items: int | None = None,
    unique_items: bool = False,
    deprecated: bool = False,
    also: Mapping[str, Any] | None = None,
    **unknown: Never,
) -> Any:
    """A field that the model does not write: the runtime restores it before the tool runs. Options as in ``field``."""
    return _mark("restored", description, locals(), unknown)


def injected(
    description: str = "",
    *,
    default: Any = MISSING,
    optional: bool = False,
    keep_null: bool = False,
    name: str | None = None,
    title: str | None = None,
    example: Any = MISSING,
    ge: int | float | None = None,
    gt: int | float | None = None,
    le: int | float | None = None,
    lt: int | float | None = None,
    multiple_of: int | float | None = None,
    min_length: int | None = None,
    max_length: int | None = None,
    pattern: str | None = None,
    format: str | None = None,
    min_items: int | None = None,
    max_items: int | None = None,
    unique_items: bool = False,
    deprecated: bool = False,
    also: Mapping[str, Any] | None = None,
    **unknown: Never,
) -> Any:
    """A field that stands in no JSON: it is filled in from the execution context. Options as in ``field``."""
    return _mark("injected", description, locals(), unknown)


def _mark(role: str, description: object, arguments: dict[str, Any], unknown: Mapping[str, object]) -> FieldMark:
    options = {name: value for name, value in arguments.items() if name not in {"description", "unknown"}}
    return FieldMark(role, description, options, dict(unknown), _caller())


class RecordMark(Plain, frozen=True):
    """Where a Record was declared, and what its class statement said of unknown keys, ``also`` and ``submit`` (None:
    nothing). ``unknown`` are options that the language does not have."""

    spot: Spot
    closed: object
    also: object = None
    submit: object = None
    unknown: Mapping[str, object] = MappingProxyType({})


class Record:
    """Base of the named object types of a design.

    ``class X(Record, closed=False)`` accepts unknown keys and leaves them out of the value; a Record that does not say
    takes it from its base. ``class X(Record, also={"maxProperties": 1})`` adds a JSON Schema that each object must hold
    to, as in ``field``; it takes the place of the base's. ``class X(Record, submit=Submit(...))`` holds options of the
    tool that submits it, and declares none by itself. An instance, made with keyword arguments by Python field
    name, serves as a default or an example.
    """

    __toolgen_record__: ClassVar[RecordMark]

    def __init__(self, /, **values: Any) -> None:
        self.__dict__.update(values)

    def __init_subclass__(
        cls,
        *,
        closed: bool | None = None,
        also: Mapping[str, Any] | None = None,
        submit: Submit | None = None,
        **options: Any,
    ) -> None:
        # Python's own last base takes no options; another base of the design's may have some of its own.
        unknown = options if isinstance(super().__init_subclass__, BuiltinMethodType) else {}
        super().__init_subclass__(**{} if unknown else options)
        cls.__toolgen_record__ = RecordMark(_caller(), closed, also, submit, unknown)
        _tell(cls)

    def __repr__(self) -> str:
        values = ", ".join(f"{name}={value!r}" for name, value in vars(self).items())
        return f"{type(self).__name__}({values})"


@dataclass(frozen=True, slots=True)
class Submit:
    """Options of a tool that ends a run with its result. None: not said, so that the default stands.

    Attributes:
        name: the tool's wire name; ``submit_result``.
        description: what the model is told of the tool; the docstring of the class that declares it.
        payload: the parameter that holds the response; ``result``. Not with ``flat``.
        payload_description: what the model is told of that parameter; the docstring of the Response. Not with ``flat``.
        success: what the model reads when the response is accepted; ``Result accepted.``
        reasoning: whether a required text ``reasoning`` stands beside the response; True.
        flat: whether each property of the response is a parameter of its own; False.
    """

    name: str | None = None
    description: str | None = None
    payload: str | None = None
    payload_description: str | None = None
    success: str | None = None
    reasoning: bool | None = None
    flat: bool | None = None

    @classmethod
    def parse(cls, text: str, /) -> Submit:
        """Options from text: ``name=submit_report,description=Ends the run\\, for good,flat``.

        The keys are name, description, payload, payloadDescription and success, each with a value, and flat, which has
        none. ``\\,`` is a comma inside a value; one without the backslash ends it.

        Raises:
            ValueError: an unknown key, a key given twice, an empty name, a key without its value or flat with one.
        """
        given: dict[str, Any] = {}
        for part in _PARTS.split(text) if text else ():
            key, equals, value = part.partition("=")
            option = _SUBMIT_KEYS.get(key)
            if option is None:
                raise ValueError(f"{text!r}: there is no key {key!r}: the keys are {', '.join(_SUBMIT_KEYS)}")
            if option in given:
                raise ValueError(f"{text!r}: the key {key} is given twice: give it once")
            if (option == "flat") == bool(equals):
                raise ValueError(f"{text!r}: write {'flat alone' if option == 'flat' else f'{key}=...'}")
            given[option] = value.replace("\\,", ",") if equals else True
        if given.get("name") == "":
            raise ValueError(f"{text!r}: the name is empty: give one, or leave name= out")
        return cls(**given)

    def replace(self, **options: Any) -> Submit:
        """These options with others in their place; None takes one back to its default."""
        return dataclasses.replace(self, **options)

    def over(self, base: Submit) -> Submit:
        """These options, and where they say nothing those of ``base``."""
        own = {f.name: getattr(self, f.name) for f in dataclasses.fields(self)}
        return base.replace(**{name: value for name, value in own.items() if value is not None})


_PARTS: Final = re.compile(r"(?<!\\),")
_SUBMIT_KEYS: Final = {
    "name": "name",
    "description": "description",
    "payload": "payload",
    "payloadDescription": "payload_description",
    "success": "success",
    "flat": "flat",
}


@dataclass(frozen=True, slots=True)
class Bounded:
    """How a tool's result is cut to size: every such result says ``returned`` and ``truncated``.

    ``next_cursor``, ``total`` and ``refinement`` add to it a cursor for the next page, a count of all there is, and a
    hint how to narrow the request. ``cursor`` names the tool's own optional field that takes a cursor, for a tool that
    pages itself.
    """

    next_cursor: bool = False
    total: bool = False
    refinement: bool = False
    cursor: str | None = None


class ToolMark(Plain, frozen=True, eq=False):
    """A tool as its decorator saw it.

    ``module_file`` is the file whose top-level code was running, which the tool belongs to; ``spot`` is the call.
    ``bare`` is whether the decorator was written without parentheses.
    ``submit`` holds the options of a tool that submits a response; None for every other tool. Where they are ``whole``,
    the Record's own options do not count.
    """

    declared: object
    options: Mapping[str, object]
    unknown: Mapping[str, object]
    spot: Spot
    module_file: str
    bare: bool = False
    submit: Submit | None = None
    whole: bool = False


class Toolset:
    """A named group of tools. ``name`` becomes the name of the generated package.

    It is as it was made but for the tools that are declared on it: setting an attribute raises an AttributeError.
    """

    name: str
    description: str
    spot: Spot
    marks: tuple[ToolMark, ...]

    def __init__(self, name: str, description: str = "") -> None:
        self.__dict__.update(name=name, description=description, spot=_caller(), marks=())
        _tell(self)

    def __setattr__(self, name: str, value: Never) -> None:
        raise AttributeError(f"{name} of a toolset can't be set: give Toolset(...) its name and its description")

    def __delattr__(self, name: str) -> None:
        raise AttributeError(f"{name} of a toolset can't be deleted")

    def _declare(self, mark: ToolMark) -> None:
        self.__dict__.update(marks=(*self.marks, mark))

    def tool(
        self,
        *misplaced: Never,
        name: str | None = None,
        title: str | None = None,
        tags: Sequence[str] = (),
        read_only: bool | None = None,
        destructive: bool | None = None,
        idempotent: bool | None = None,
        open_world: bool | None = None,
        example: Mapping[str, Any] | None = None,
        bounded: Bounded | None = None,
        continues: type[Any] | None = None,
        binds: str | None = None,
        closed: bool | None = None,
        strict: bool | None = None,
        also: Mapping[str, Any] | None = None,
        **unknown: Never,
    ) -> Callable[[type[C]], type[C]]:
        """Declare the decorated class as a tool of this toolset.

        ``name`` is its name for the model, the class name in snake_case unless given. ``tags`` are the design's own.
        ``read_only``, ``destructive``, ``idempotent`` and ``open_world`` hint at what it does. ``example`` is one call
        of it by JSON key. ``continues`` names the tool whose pages this one goes on with, ``binds`` the function that
        runs it (``package.module:function``). ``closed=False`` takes unknown keys and drops them. ``also`` is a JSON
        Schema that the fields the model writes must hold to together, as in ``field``. ``strict`` asks for
        the provider's strict mode, or refuses it.
        """
        options = {key: value for key, value in locals().items() if key not in {"self", "unknown", "misplaced"}}
        spot, module_file = _caller(), _running_file()
        bare = list[object](misplaced)

        def declare(declared: type[C]) -> type[C]:
            self._declare(ToolMark(declared, options, dict(unknown), spot, module_file, bool(bare)))
            return declared

        if not bare:
            return declare
        if len(bare) > 1 or not callable(bare[0]):
            raise TypeError('tool() takes its options by name: name="..."')
        return declare(cast("Any", bare[0]))

    def submit(
        self,
        options: Submit | None = None,
        /,
        *,
        name: str | None = None,
        description: str | None = None,
        payload: str | None = None,
        payload_description: str | None = None,
        success: str | None = None,
        reasoning: bool | None = None,
        flat: bool | None = None,
        **unknown: Never,
    ) -> Callable[[type[C]], type[C]]:
        """Declare the tool that submits a response, which ends a run.

        Decorates a class with ``Response = SomeRecord``, or the Record itself. The options are those of ``Submit``:
        what is given here by name counts first, then ``options``, or where none are given ``submit=`` of the Record.
        """
        given = Submit(name, description, payload, payload_description, success, reasoning, flat)
        spot, module_file = _caller(), _running_file()
        bare: object = None if isinstance(options, Submit) else options
        whole = isinstance(options, Submit)
        merged = given.over(options) if isinstance(options, Submit) else given

        def declare(declared: type[C]) -> type[C]:
            at = (spot, module_file, bare is not None)
            self._declare(ToolMark(declared, dict(_NO_OPTIONS), dict(unknown), *at, merged, whole))
            return declared

        if bare is None:
            return declare
        if not callable(bare):
            raise TypeError('submit() takes a Submit(...), or its options by name: name="..."')
        if isinstance(bare, type) and issubclass(bare, Record):
            # Above a class with that Response, what is returned here would be called with the class.
            what = f"the Record {bare.__name__} itself: write @toolset.submit() above it, or above a class that has"
            raise TypeError(f"submit() is given {what} Response = {bare.__name__}")
        return declare(cast("Any", bare))

    def submit_for(self, record: type[Record], /) -> Submit:
        """The options that a Record, or the nearest base that has any, says of the tool that submits it.

        To change before the tool is declared: ``support.submit(support.submit_for(Report).replace(flat=True))``.

        Raises:
            TypeError: it is no Record.
        """
        if not (isinstance(record, type) and issubclass(record, Record)):
            raise TypeError(f"submit_for takes a Record, not {record!r}")
        return submit_of(record) or Submit()


def submit_of(record: type[Record]) -> Submit | None:
    """What a Record says with ``submit=``, else the nearest base that says anything."""
    marks = (base.__dict__.get("__toolgen_record__") for base in record.__mro__)
    said = (mark.submit for mark in marks if isinstance(mark, RecordMark))
    return next((submit for submit in said if isinstance(submit, Submit)), None)


_NO_OPTIONS: Final[Mapping[str, object]] = {
    **dict.fromkeys(
        ("name", "title", "read_only", "destructive", "idempotent", "open_world", "example", "bounded", "continues")
    ),
    **dict.fromkeys(("binds", "closed", "strict", "also")),
    "tags": (),
}
"""The options of a tool, none of them given."""

_listeners: list[Callable[[object], None]] = []


@contextmanager
def listening(listener: Callable[[object], None]) -> Iterator[None]:
    """Tell ``listener`` of every Toolset and Record class that is made meanwhile, in the order of their making."""
    _listeners.append(listener)
    try:
        yield
    finally:
        _listeners.remove(listener)


def _tell(declared: object) -> None:
    for listener in _listeners:
        listener(declared)


def _caller() -> Spot:
    """The nearest frame outside this module."""
    frame = sys._getframe(1)
    while frame.f_globals.get("__name__") == __name__ and frame.f_back is not None:
        frame = frame.f_back
    return Spot(frame.f_code.co_filename, frame.f_lineno)


def _running_file() -> str:
    """The file whose top-level code is running: the nearest frame of a module, beyond any helper functions."""
    frame = sys._getframe(1)
    while frame.f_code.co_name != "<module>" and frame.f_back is not None:
        frame = frame.f_back
    return frame.f_code.co_filename
