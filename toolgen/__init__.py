"""toolgen compiles a design of LLM tools into typed payloads, codecs and schemas."""

from __future__ import annotations

__version__ = "0.1.0"
