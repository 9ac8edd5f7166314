"""All that generated code runs on. It imports nothing else of toolgen, and nothing outside the standard library but
msgspec."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
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
    from toolgen.runtime.observing import CallOutcome
    from toolgen.runtime.pages import Bounds, Page, PageCodec
    from toolgen.runtime.parameters import ParameterError
    from toolgen.runtime.registration import RegistrationError
    from toolgen.runtime.registry import ToolRegistry
    from toolgen.runtime.rounds import SubmitRun, SubmitTurn
    from toolgen.runtime.spec import ToolAnnotations, Toolset, ToolSpec
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

# Each name is imported when it is asked for: a program that only decodes is spared asyncio and sqlite3, and the
# compiler, which asks single modules, all the rest.
_HOMES = {
    "Bounds": "toolgen.runtime.pages",
    "CallContext": "toolgen.runtime.calls",
    "CallOutcome": "toolgen.runtime.observing",
    "Codec": "toolgen.runtime.codec",
    "Context": "toolgen.runtime.context",
    "ContextError": "toolgen.runtime.issues",
    "Continuation": "toolgen.runtime.continuations",
    "ContinuationStore": "toolgen.runtime.continuations",
    "ExecutionCodec": "toolgen.runtime.codec",
    "Failure": "toolgen.runtime.failures",
    "Finding": "toolgen.runtime.validating",
    "INTERFACE": "toolgen.runtime.interface",
    "ImageBlock": "toolgen.runtime.blocks",
    "Issue": "toolgen.runtime.issues",
    "Lanes": "toolgen.runtime.fastlane",
    "MemoryStore": "toolgen.runtime.continuations",
    "Mend": "toolgen.runtime.issues",
    "ModelCodec": "toolgen.runtime.codec",
    "Page": "toolgen.runtime.pages",
    "PageCodec": "toolgen.runtime.pages",
    "ParameterError": "toolgen.runtime.parameters",
    "PayloadError": "toolgen.runtime.issues",
    "RegistrationError": "toolgen.runtime.registration",
    "Returned": "toolgen.runtime.calls",
    "SqliteStore": "toolgen.runtime.sqlitestore",
    "Submit": "toolgen.runtime.submit",
    "SubmitOutcome": "toolgen.runtime.submit",
    "SubmitRun": "toolgen.runtime.rounds",
    "SubmitTurn": "toolgen.runtime.rounds",
    "TextBlock": "toolgen.runtime.blocks",
    "ToolAnnotations": "toolgen.runtime.spec",
    "ToolCall": "toolgen.runtime.calls",
    "ToolFailure": "toolgen.runtime.failures",
    "ToolRegistry": "toolgen.runtime.registry",
    "ToolResult": "toolgen.runtime.calls",
    "ToolSpec": "toolgen.runtime.spec",
    "Toolset": "toolgen.runtime.spec",
    "UNSET": "msgspec",
    "UnsetType": "msgspec",
    "Validator": "toolgen.runtime.validating",
    "require_interface": "toolgen.runtime.interface",
}


if not TYPE_CHECKING:  # shown this, type checkers would take any name

    def __getattr__(name: str) -> Any:
        if name not in _HOMES:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        import importlib

        found = globals()[name] = getattr(importlib.import_module(_HOMES[name]), name)
        return found
