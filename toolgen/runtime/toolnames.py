"""Names that tools and their parameters may have."""

from __future__ import annotations

import re
from typing import Final

TOOL_NAME: Final = re.compile(r"[A-Za-z_][A-Za-z0-9_-]{0,63}")
"""Tool names that every provider takes, a hyphen aside, which all but the strictest reading takes too."""

PROPERTY_NAME: Final = re.compile(r"[A-Za-z0-9_.-]{1,64}")
"""Property names that Anthropic and Bedrock take at the top level of an input."""
