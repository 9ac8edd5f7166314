"""What a source says in words is in the design to the letter, whatever it says."""

from __future__ import annotations

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from importing_one import imported, program_of

TEXTS = st.text(st.sampled_from("ab \n\"'\\{}#é\u2028\x00"), max_size=12)


@pytest.mark.once
@given(TEXTS)
@example('"""')
@example('"""quoted"""')
@example('ends in "')
@example("\\")
@example("Options:\n  - a\n  - b")
@example("Kept space \nat the end of a line")
@settings(max_examples=60, deadline=None)
def test_a_description_is_kept_to_the_letter(text: str) -> None:
    made = imported(
        {
            "type": "object",
            "description": text,
            "properties": {
                "p": {"type": "string", "description": text},
                "q": {"type": "object", "description": text, "properties": {"a": {}}},
            },
        }
    )
    assert made.written is not None, [bad.line() for bad in made.bad]
    program = program_of(made.written.text)
    tool = next(tool for package in program.packages if package.toolset for tool in package.toolset.tools)
    record = next(iter(program.records.values()))
    if text.strip():
        assert [tool.description, *(field.description for field in tool.fields)] == [text.strip()] * 3
        assert record.description == text.strip()
