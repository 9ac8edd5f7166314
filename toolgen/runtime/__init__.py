"""All that generated code runs on. It imports nothing else of toolgen, and nothing outside the standard library but
msgspec."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from msgspec import UNSET, UnsetType

from toolgen.runtime.blocks import ImageBlock, TextBlock
from toolgen.runtime.calls import CallContext, Returned, ToolCall, ToolResult
from toolgen.runtime.codec import Codec, ExecutionCodec, ModelCodec
from toolgen.runtime.context import Context
from toolgen.runtime.continuations import Continuation, ContinuationStore, MemoryStore
from toolgen.runtime.failures import Failure, ToolFailure
from toolgen.runtime.fastlane import Lanes
from toolgen.runtime.interface import INTERFACE, require_interface
from toolgen.runtime.issues import ContextError, Issue, Mend, PayloadError
from toolgen.runtime.pages import Bounds, Page, PageCodec
from toolgen.runtime.spec import ToolAnnotations, Toolset, ToolSpec

if TYPE_CHECKING:
    from toolgen.runtime.observing import CallOutcome
    from toolgen.runtime.parameters import ParameterError
    from toolgen.runtime.registration import RegistrationError
    from toolgen.runtime.registry import ToolRegistry
    from toolgen.runtime.rounds import SubmitRun, SubmitTurn
    from toolgen.runtime.sqlitestore import SqliteStore
    from toolgen.runtime.submit import Submit, SubmitOutcome
    from toolgen.runtime.validating import Finding, Validator

__all__ = [
    "INTERFACE",
    "UNSET",
    "Bounds",
    "CallContext",
    "CallOutcome",
    "Codec",
    "Context",
    "ContextError",
    "Continuation",
    "ContinuationStore",
    "ExecutionCodec",
    "Failure",
    "Finding",
    "ImageBlock",
    "Issue",
    "Lanes",
    "MemoryStore",
    "Mend",
    "ModelCodec",
    "Page",
    "PageCodec",
    "ParameterError",
    "PayloadError",
    "RegistrationError",
    "Returned",
    "SqliteStore",
    "Submit",
    "SubmitOutcome",
    "SubmitRun",
    "SubmitTurn",
    "TextBlock",
    "ToolAnnotations",
    "ToolCall",
    "ToolFailure",
    "ToolRegistry",
    "ToolResult",
    "ToolSpec",
    "Toolset",
    "UnsetType",
    "Validator",
    "require_interface",
]

# What runs tools needs asyncio and sqlite3, which a program that only decodes is spared.
_LATER = {
    "CallOutcome": "observing",
    "Finding": "validating",
    "ParameterError": "parameters",
    "RegistrationError": "registration",
    "SqliteStore": "sqlitestore",
    "Submit": "submit",
    "SubmitOutcome": "submit",
    "SubmitRun": "rounds",
    "SubmitTurn": "rounds",
    "ToolRegistry": "registry",
    "Validator": "validating",
}


if not TYPE_CHECKING:  # shown this, type checkers would take any name

    def __getattr__(name: str) -> Any:
        if name in _LATER:
            import importlib

            return getattr(importlib.import_module(f"toolgen.runtime.{_LATER[name]}"), name)
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
