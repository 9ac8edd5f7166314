"""Injected values: what the runtime, and never a model, gives a tool."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Generic, TypeVar

from toolgen.runtime.codec import Codec
from toolgen.runtime.issues import ContextError, PayloadError
from toolgen.runtime.pytypes import problems

C = TypeVar("C")


class Context(Generic[C]):
    """Checks the injected fields of one tool.

    ``shape`` is the generated dataclass of the injected fields, ``codec`` the codec between it and JSON. ``names`` are
    their Python names, and ``required`` those that have no default.
    """

    def __init__(
        self, shape: type[C], codec: Codec[C, Any], *, required: tuple[str, ...], names: tuple[str, ...]
    ) -> None:
        self.codec = codec
        self.names = names
        self._shape = shape
        self.required = required

    def check(self, values: C, /) -> C:
        """``values`` when each holds to its declaration.

        Raises:
            ContextError: one is of the wrong type or outside its bounds.
        """
        try:
            self.codec.encode(values)
        except PayloadError as error:
            raise ContextError(problems(values, error.issues), tool=self.codec.tool) from None
        return values

    def values(self, given: Mapping[str, object] | None, /) -> dict[str, Any]:
        """The injected values by Python field name, defaults filled in; other keys of ``given`` are ignored.

        Raises:
            ContextError: one is missing or bad.
        """
        checked = self.check(self._shape(**self.known(given)))
        return {name: getattr(checked, name) for name in self.names}

    def known(self, given: Mapping[str, object] | None, /) -> dict[str, Any]:
        """The injected values that ``given`` has, by Python field name, not checked yet.

        Raises:
            ContextError: one is missing, or ``given`` is no mapping.
        """
        given = {} if given is None else given
        judge_mapping(given, self.names, tool=self.codec.tool)
        missing = [name for name in self.required if name not in given]
        if missing:
            raise ContextError.missing(missing, tool=self.codec.tool)
        return {name: given[name] for name in self.names if name in given}


def judge_mapping(context: object, names: Iterable[str], *, tool: str | None) -> None:
    """Raises ContextError, of the fields ``names``, where an execution context is no mapping."""
    if not isinstance(context, Mapping):
        problem = f"has no value: the context is of type {type(context).__name__}, no mapping from names to values"
        raise ContextError(dict.fromkeys(names, problem), tool=tool)
