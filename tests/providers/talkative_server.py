"""A server whose author prints: on import, in a handler, and by a child process."""

from __future__ import annotations

import os
import subprocess
import sys

import desk_server

from generated.support.list_products import SPEC, ListProductsPayload
from toolgen.runtime import CallContext, ToolRegistry

kept = sys.stdout
print("printed on import")
print("printed past the redirection", file=sys.__stdout__)
registry = ToolRegistry()


@registry.handles(SPEC)
def list_products(payload: ListProductsPayload, ctx: CallContext, /) -> list[str]:
    print("printed by the handler")
    print("printed to what was kept", file=kept)
    os.write(1, b"written to the descriptor\n")
    subprocess.run([sys.executable, "-c", "print('printed by a child')"], check=True)
    return desk_server.Desk().list_products(payload, ctx)
