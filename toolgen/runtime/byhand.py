"""What the plain parts of a spec must be: a generated spec has them so, one put together by hand may not."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from types import NoneType
from typing import Any, Final

from toolgen.runtime import hints
from toolgen.runtime.context import Context
from toolgen.runtime.pointers import steps
from toolgen.runtime.pytypes import of_class
from toolgen.runtime.spec import ToolAnnotations, ToolSpec

Spec = ToolSpec[Any, Any, Any]

_KINDS: Final[Mapping[str, tuple[tuple[type, ...], str]]] = {
    "title": ((str, NoneType), "text"),
    "annotations": ((ToolAnnotations,), "ToolAnnotations"),
    "context": ((Context, NoneType), "a Context"),
    "continues": ((str, NoneType), "the name of a tool"),
    "strict": ((bool, NoneType), "True, False or None"),
    "submits": ((bool,), "True or False"),
}
_NAMES: Final = ("tags", "injected", "restored", "keep_null")
_CALLED: Final = ("complete", "adapter")


def wrong_parts(spec: Spec) -> Iterator[str]:
    """What is of a type that nothing can be done with."""
    for name, (kinds, words) in _KINDS.items():
        value = getattr(spec, name)
        if not isinstance(value, kinds):
            yield f"its {name} is {of_class(value)}, not {words}"
    for name in _NAMES:
        value = getattr(spec, name)
        if not isinstance(value, tuple):
            yield f"its {name} is {of_class(value)}, not a tuple of texts"
        elif others := [each for each in value if not isinstance(each, str)]:
            yield f"its {name} holds {of_class(others[0])}, and only texts belong there"
        elif len(set(value)) < len(value):
            yield f"its {name} has one text twice"
    for name in _CALLED:
        value = getattr(spec, name)
        if value is not None and not callable(value):
            yield f"its {name} is {of_class(value)}, which can't be called"


def wrong_complete(spec: Spec) -> Iterator[str]:
    """Whether ``complete`` takes the arguments and, by keyword, what is restored and injected."""
    if spec.complete is None:
        return
    if hints.is_async(spec.complete) or hints.yields(spec.complete):
        yield "its complete is no plain function, which returns a payload"
        return
    signature = hints.signature_of(spec.complete)
    try:
        if signature is not None:
            signature.bind(None, **dict.fromkeys((*spec.restored, *spec.injected)))
    except TypeError as error:
        wanted = ", ".join(("args", *(f"{name}=..." for name in (*spec.restored, *spec.injected))))
        yield f"its complete{signature} can't be called with ({wanted}): {error}"


def wrong_keep_null(spec: Spec) -> Iterator[str]:
    """Whether each pointer leads to a schema in that of the model's input."""
    for pointer in spec.keep_null:
        at: Any = spec.model.schema
        for step in steps(pointer):
            at = at.get(step) if isinstance(at, Mapping) else None
        if at is None or not pointer.startswith("/"):
            yield f"its keep_null {pointer} leads to no property of its model schema"
