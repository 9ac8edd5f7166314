"""All that generated code runs on. It imports nothing else of toolgen, and nothing outside the standard library but
msgspec."""

from __future__ import annotations

from toolgen.runtime.codec import Codec, ExecutionCodec, Lanes, ModelCodec
from toolgen.runtime.context import Context
from toolgen.runtime.interface import INTERFACE, require_interface
from toolgen.runtime.issues import ContextError, Issue, Mend, PayloadError
from toolgen.runtime.spec import ToolAnnotations, Toolset, ToolSpec

__all__ = [
    "INTERFACE",
    "Codec",
    "Context",
    "ContextError",
    "ExecutionCodec",
    "Issue",
    "Lanes",
    "Mend",
    "ModelCodec",
    "PayloadError",
    "ToolAnnotations",
    "ToolSpec",
    "Toolset",
    "require_interface",
]
