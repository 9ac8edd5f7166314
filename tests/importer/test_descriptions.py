"""What a source says in words is in the design to the letter, whatever it says."""

from __future__ import annotations

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from importing_one import imported, program_of

TEXTS = st.text(st.sampled_from("ab \n\t\"'\\{}#é\u2028\x00"), max_size=12)


@pytest.mark.once
@given(TEXTS)
@example('"""')
@example('"""quoted"""')
@example('ends in "')
@example("\\")
@example("Options:\n  - a\n  - b")
@example("Options:\n\t- a\n\t- b\tc")
@example("Kept space \nat the end of a line")
@settings(max_examples=20, deadline=None)
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
        assert [field.description for field in tool.fields] == [text.strip()] * 2
        in_docstrings = text.strip().expandtabs()  # which from Python 3.13 on hold no tab
        assert [tool.description, record.description] == [in_docstrings] * 2
        assert bool(made.entries) == ("\t" in text.strip())
