"""The names of model providers, apart from their modules: settings name providers, and are read by every command."""

from __future__ import annotations

from typing import Final

PROVIDERS: Final = ("anthropic", "openai_chat", "openai_responses", "gemini", "mcp", "bedrock")
