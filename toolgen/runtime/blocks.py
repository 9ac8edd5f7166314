"""Blocks: a result that is more than one text."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TypeAlias


@dataclass(frozen=True, slots=True)
class TextBlock:
    """A piece of text."""

    text: str


@dataclass(frozen=True, slots=True)
class ImageBlock:
    """An image: ``media_type`` as in ``image/png``, and its bytes."""

    media_type: str
    data: bytes = field(repr=False)

    def __post_init__(self) -> None:
        kind, slash, format_ = self.media_type.partition("/")
        if kind != "image" or not slash or not format_:
            raise ValueError(f"{self.media_type!r} is no media type of an image, such as image/png")


Block: TypeAlias = TextBlock | ImageBlock


def blocks_of(result: object) -> tuple[Block, ...]:
    """The blocks of a result that is a list or tuple of them, and not empty; else none."""
    if not isinstance(result, list | tuple) or not all(isinstance(item, TextBlock | ImageBlock) for item in result):
        return ()
    return tuple(result)


def text_of(blocks: tuple[Block, ...]) -> str:
    """The text of blocks: what a wire without room for images would be left with."""
    return "\n".join(block.text if isinstance(block, TextBlock) else f"[{block.media_type}]" for block in blocks)
