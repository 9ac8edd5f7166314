"""Values of restored fields that a hook of the program gives, for a tool that continues none."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import Any

from toolgen.runtime.attempts import as_raised, in_thread
from toolgen.runtime.chains import RestoreError
from toolgen.runtime.concurrency import Turn
from toolgen.runtime.failures import ToolFailure
from toolgen.runtime.registration import Registered


def restored_by_hook(tool: Registered, arguments: Any, context: Mapping[str, object]) -> Mapping[str, object]:
    """What the tool's hook gives; it may block.

    Raises:
        RestoreError: it is not the values of restored fields.
        Exception: whatever the hook raised, where it is nothing that a call ends with otherwise.
    """
    if tool.restore is None:
        return {}
    try:
        values = tool.restore(arguments, context)
    except Exception as error:
        raised = as_raised(error)
        raise raised from raised.__cause__
    return _judged(tool, values)


async def restored_in_thread(
    tool: Registered, arguments: Any, context: Mapping[str, object], turn: Turn
) -> Mapping[str, object]:
    """The same in a thread, which holds the call's turn until it ends.

    Raises:
        ToolFailure: it takes longer than the tool may; or the hook raised one.
    """
    if tool.restore is None:
        return {}
    turn.hold()
    restoring = in_thread(tool.restore, arguments, context, ended=turn.end)
    limit = asyncio.timeout(tool.timeout)
    try:
        async with limit:
            return _judged(tool, await restoring)
    except TimeoutError:
        if not limit.expired():
            raise
        message = f"what it goes on from was not there within {tool.timeout:g} seconds"
        raise ToolFailure("timeout", message, "replan") from None


def _judged(tool: Registered, values: object) -> Mapping[str, object]:
    spec = tool.spec
    if not isinstance(values, Mapping):
        raise RestoreError(f"restore= of {spec.name} gives a {type(values).__name__}, not the values by Python name")
    unknown = [str(name) for name in values if name not in spec.restored]
    if unknown:
        known = ", ".join(spec.restored)
        raise RestoreError(f"restore= of {spec.name} gives {', '.join(unknown)}: its restored fields are {known}")
    return values
