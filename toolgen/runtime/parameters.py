"""What is wrong with the parameters of a submit, before its response is looked at."""

from __future__ import annotations

from typing import Any, Final, Literal, TypeAlias, get_args

from toolgen.runtime import words

Cause: TypeAlias = Literal[
    "arguments_undecoded",
    "parameter_absent",
    "parameter_type",
    "parameter_unknown",
    "payload_text_declined",
    "opener_declined",
    "member_declined",
]
"""``arguments_undecoded``: they are no JSON object. ``parameter_absent``, ``parameter_type``: a parameter is missing,
or of another JSON type than its own. ``parameter_unknown``: there is none of this name. ``payload_text_declined``: the
payload is a string that does not hold one whole object. ``opener_declined``, ``member_declined``: the payload is
absent, and what follows its opener or its key in the reasoning is not one whole object."""

CAUSES: Final[tuple[Cause, ...]] = get_args(Cause)
LONGEST_QUOTE: Final = 128
"""Most bytes of a quotation, in UTF-8."""


class ParameterError(Exception):
    """A submit whose parameters can't be read. Code matches on ``cause`` and ``parameter``, never on text.

    Attributes:
        cause: what is wrong.
        parameter: the parameter of the tool that it is about; None for the arguments as a whole.
        detail: what is wrong and what to do, in words of this program's own.
        length: bytes of the text that was declined.
        offset: where in the reasoning the payload stands, in bytes.
        quote: how the text that was declined begins, at most 128 bytes of what the model wrote. It stands in neither
            ``str()`` nor any other attribute.
    """

    def __init__(
        self,
        cause: Cause,
        parameter: str | None,
        detail: str,
        *,
        length: int | None = None,
        offset: int | None = None,
        quote: str | None = None,
    ) -> None:
        self.cause: Cause = cause
        self.parameter = parameter
        self.detail = detail
        self.length = length
        self.offset = offset
        self.quote = quote
        super().__init__(f"{cause}{f' ({parameter})' if parameter else ''}: {detail}")

    def __reduce__(self) -> tuple[Any, ...]:
        return _restored, (self.cause, self.parameter, self.detail, self.length, self.offset, self.quote)

    def saying(self, more: str) -> ParameterError:
        """The same error with another sentence in its words, of this program's own too."""
        said = _restored(self.cause, self.parameter, f"{self.detail} {more}", self.length, self.offset, self.quote)
        said.__cause__ = self.__cause__
        return said

    def for_model(self) -> str:
        """The words for the model: the cause, the parameter, what to do, and at the end how its own text begins."""
        if self.quote is None:
            return str(self)
        what = "Its name" if self.cause == "parameter_unknown" else "It"
        return f"{self}\n{what} begins: {words.printable(words.json_text(self.quote))}"


def _restored(
    cause: Cause, parameter: str | None, detail: str, length: int | None, offset: int | None, quote: str | None
) -> ParameterError:
    return ParameterError(cause, parameter, detail, length=length, offset=offset, quote=quote)


def size(text: str) -> int:
    """Bytes of a text in UTF-8. A lone surrogate counts three, as Python would write it."""
    return len(text.encode("utf-8", "surrogatepass"))


def opening(text: str) -> str:
    """How a text begins: at most 128 bytes, whole characters; a lone surrogate becomes a question mark."""
    return text[:LONGEST_QUOTE].encode("utf-8", "replace")[:LONGEST_QUOTE].decode("utf-8", "ignore")
