"""toolgen compiles a design of LLM tools into typed payloads, codecs and schemas."""

from __future__ import annotations

import os
import sys

__version__ = "0.1.0"

OLDEST_PYTHON = (3, 11)
if sys.version_info[:2] < OLDEST_PYTHON:
    _words = "toolgen needs Python 3.11 or newer; this is Python {}.{}".format(*sys.version_info)
    # While a package is looked up for ``python -m`` the first argument is that option: a command is told in one line.
    _program = os.path.splitext(os.path.basename(sys.argv[0]))[0] if sys.argv else ""
    if _program in ("-m", "toolgen"):
        sys.exit(_words)
    raise ImportError(_words)
