"""Names that tools may have."""

from __future__ import annotations

import re
from typing import Final

TOOL_NAME: Final = re.compile(r"[A-Za-z_][A-Za-z0-9_-]{0,63}")
"""Tool names that every provider takes, a hyphen aside, which all but the strictest reading takes too."""
