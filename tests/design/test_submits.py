"""Declaring a submit: options where they may stand, and what is wrong with them."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

import pytest
from contract_runs import failure_of, imported, modules_and_contracts

from conftest import PRELUDE
from toolgen import ir
from toolgen.dsl import Record, Submit, Toolset
from toolgen.load import DesignError, load

REPORT = '''
from toolgen.dsl import Submit


class Report(Record{of_record}):
    """What was found."""

    text: str = field("What it is.")
{fields}

'''
TOOL = '''
@things.submit({options})
class End:
    """Ends the run."""

    Response = Report
'''


def source(options: str = "", *, of_record: str = "", fields: str = "", tool: str = TOOL) -> str:
    return PRELUDE + REPORT.format(of_record=of_record, fields=fields) + tool.format(options=options)


def ending(body: str) -> str:
    """A submit whose class has this line."""
    return f"@things.submit()\nclass End:\n    '''E.'''\n    {body}\n"


def loaded(tmp_path: Path, text: str) -> ir.Tool:
    design = tmp_path / "design.py"
    design.write_text(text, encoding="utf-8")
    toolset = load([design], root=tmp_path).packages[0].toolset
    assert toolset is not None
    return toolset.tools[-1]


def test_every_option_has_a_default(tmp_path: Path) -> None:
    tool = loaded(tmp_path, source())
    assert (tool.name, tool.description) == ("submit_result", "Ends the run.")
    key = ir.TypeKey("things", "Report")
    assert tool.submit == ir.Submit(key, "Result accepted.", True, "result", "What was found.")
    assert [field.wire for field in tool.fields] == ["reasoning", "result"]


def test_what_the_decorator_says_counts_before_what_the_record_says(tmp_path: Path) -> None:
    of_record = ', submit=Submit(name="of_record", payload="final", reasoning=False)'
    tool = loaded(tmp_path, source('name="of_tool"', of_record=of_record))
    assert tool.name == "of_tool"
    assert [field.wire for field in tool.fields] == ["final"]


def test_a_record_can_be_submitted_without_a_class_beside_it(tmp_path: Path) -> None:
    declared = '\nthings.submit(things.submit_for(Report).replace(success="Thanks."))(Report)\n'
    tool = loaded(tmp_path, source(of_record=', submit=Submit(name="end", flat=True)', tool=declared))
    assert (tool.name, tool.class_name) == ("end", "SubmitReport")
    assert tool.submit is not None
    assert (tool.submit.success, tool.submit.flat) == ("Thanks.", True)
    assert [field.wire for field in tool.fields] == ["reasoning", "text"]


def test_options_of_a_record_can_be_taken_back(tmp_path: Path) -> None:
    declared = "\nthings.submit(things.submit_for(Report).replace(flat=None, name=None))(Report)\n"
    tool = loaded(tmp_path, source(of_record=', submit=Submit(name="end", flat=True, success="Ok.")', tool=declared))
    assert tool.name == "submit_result"
    assert tool.submit is not None
    assert (tool.submit.flat, tool.submit.success) == (False, "Ok.")


@pytest.mark.parametrize(
    ("text", "rule"),
    [
        (source('flat=True, payload="x"'), "payload is given with flat=True"),
        (source('flat=True, payload_description="x"'), "payload_description is given with flat=True"),
        (source('payload="x"', of_record=", submit=Submit(flat=True)"), "payload is given with flat=True"),
        (source("flat=True", fields='    reasoning: str = field("Why.")'), "meets the parameter reasoning"),
        (source("flat=True", fields='    why: str = field("Why.", name="reasoning")'), "meets the parameter reasoning"),
        (
            source("flat=True", of_record=', also={"maxProperties": 1}', fields='    n: int = field("N.")'),
            "also says maxProperties of all keys, and so of reasoning too",
        ),
        (
            source("flat=True", fields='    gone: Literal[None] = field("Gone.")'),
            "the property can be nothing but null",
        ),
        (source('payload="reasoning"'), "meets the parameter reasoning"),
        (source('payload="a b"'), "providers refuse"),
        (source('name="a b"'), "providers refuse"),
        (source('success=""'), "success is ''"),
        (source("reasoning=1"), "reasoning is 1"),
        (source("example={}"), "there is no option example"),
        (source('paylod="x"'), "there is no option paylod"),
        (source(of_record=", submit=True"), "submit is True"),
        (source(tool="@things.submit()\nclass End:\n    '''Ends.'''\n"), "declares no Response"),
        (source(tool="@things.submit()\nclass End:\n    '''Ends.'''\n    Response = 5\n"), "which is no Record"),
        (source(tool="@things.submit()\nclass End:\n    Response = Report\n"), "the submit has no description"),
        (source(tool=ending("Respons = Report")), "declares no Response"),
        (source(of_record=', submit=Submit.parse("nme=x")'), "there is no key 'nme'"),
        (source(tool="@things.submit\nclass End:\n    '''E.'''\n    Response = Report\n"), "Write @things.submit()."),
        (source(tool="things.submit(Report)\n"), "given the Record Report itself: write @toolset.submit() above it"),
        (source(tool=TOOL.replace("{options}", "Report")), "or above a class that has Response = Report"),
        (
            source(tool=ending("Response: Report")),
            "a type of Response and no value",
        ),
        (
            source(tool=ending("class Response: pass")),
            "the class Response as its Response",
        ),
        (
            source(tool=ending("Response = list[Report]")),
            "with a field that holds it",
        ),
        (source(tool=ending("Result = Report")), "Did you mean Response?"),
        (source(tool=ending("class Input: pass")), "Did you mean Response?"),
        (source(tool="things.submit('end')(Report)\n"), "submit() takes a Submit(...), or its options by name"),
        (source(tool=TOOL + TOOL.replace("End", "Stop")), "meets that of the tool"),
    ],
)
def test_each_fault_of_a_submit_is_reported(tmp_path: Path, text: str, rule: str) -> None:
    with pytest.raises(DesignError) as raised:
        loaded(tmp_path, text)
    assert rule in str(raised.value)


def test_a_fault_of_a_response_is_reported_once(tmp_path: Path) -> None:
    with pytest.raises(DesignError) as raised:
        loaded(tmp_path, source("flat=True", fields='    n: int = field("")\n    m: intt = field("M.")'))
    assert [problem.field for problem in raised.value.problems] == ["n", "m"]


def test_a_property_named_reasoning_is_taken_without_the_parameter(tmp_path: Path) -> None:
    tool = loaded(tmp_path, source("flat=True, reasoning=False", fields='    reasoning: str = field("Why.")'))
    assert [field.wire for field in tool.fields] == ["text", "reasoning"]


@pytest.mark.parametrize(
    ("text", "options"),
    [
        ("", Submit()),
        ("name=submit_report,description=Ends the run\\, for good,flat",
         Submit(name="submit_report", description="Ends the run, for good", flat=True)),
        ("payload=final,payloadDescription=a=b,success=", Submit(payload="final", payload_description="a=b", success="")),  # noqa: E501
        ("success=C:\\dir\\,\\,", Submit(success="C:\\dir,,")),
    ],
)  # fmt: skip
def test_options_are_read_from_text(text: str, options: Submit) -> None:
    assert Submit.parse(text) == options


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("nme=x", "no key 'nme'"), ("name=x,name=y", "given twice"), ("flat,flat", "given twice"),
        ("name=", "name is empty"), ("name", "write name="), ("flat=true", "write flat alone"), ("name=x,", "no key ''"),  # noqa: E501
        ("description=Ends the run, for good", "no key ' for good'"), (" flat", "no key ' flat'"),
        ("reasoning=x", "no key 'reasoning'"),
    ],
)  # fmt: skip
def test_text_with_a_fault_is_refused(text: str, words: str) -> None:
    with pytest.raises(ValueError, match=words):
        Submit.parse(text)


def test_submit_for_gives_the_options_of_a_record_to_change() -> None:
    class Base(Record, submit=Submit(name="end", flat=True)):
        pass

    class Derived(Base):
        pass

    class Plain(Record):
        pass

    things = Toolset("things", "Things.")
    assert things.submit_for(Derived).replace(flat=None) == Submit(name="end")
    assert things.submit_for(Plain) == Submit()
    with pytest.raises(TypeError, match="takes a Record"):
        things.submit_for(int)  # type: ignore[arg-type]


def test_a_response_may_hold_another_record_of_its_name(tmp_path: Path) -> None:
    """The other comes from another package. Each has a name of its own wherever both are told."""
    shared = 'class Report(Record):\n    """A shared one."""\n\n    text: str = field("Text.")\n'
    own = source(
        fields='    inner: shared.Report = field("Inner.")\n    below: list[Report] = field("Below.", default=[])'
    )
    (tmp_path / "shared.py").write_text(PRELUDE.partition("things =")[0] + shared, encoding="utf-8")
    (tmp_path / "design.py").write_text(f"{own.replace('import enum', 'import enum, shared')}", encoding="utf-8")
    program = load([tmp_path / "shared.py", tmp_path / "design.py"], root=tmp_path)
    modules, contracts = modules_and_contracts(program)
    for contract in contracts.values():
        assert failure_of(contract, modules) is None
    with imported(modules) as root:
        end = importlib.import_module(f"{root}.things.submit_result")
        assert list(end.SUBMIT.schema["$defs"]) == ["things_Report", "shared_Report"]


def test_names_that_a_submit_generates_meet_none_of_the_designs_own(
    compile_design: Callable[[str], ModuleType],
) -> None:
    text = (
        PRELUDE
        + '''
class Submit(Record):
    """Called as the runtime's own class."""

    class_: str = field("Its class.", name="class")


class RESPONSE(Record):
    """Called as the codec."""

    submit: Submit = field("What is submitted.")
    reasoning: str = field("A property.", name="why")


@things.submit(payload="from", name="types")
class SUBMIT:
    """Ends it."""

    Response = RESPONSE


@things.submit(name="flat-end", flat=True)
class Flat:
    """Ends it too."""

    Response = RESPONSE
'''
    )
    from toolgen.runtime import ToolCall

    things = importlib.import_module(f"{compile_design(text).__name__}.things")
    response = {"submit": {"class": "x"}, "why": "y"}
    nested = things.types_.SUBMIT.read(ToolCall("1", "types", {"reasoning": "r", "from": response}))
    flat = things.flat_end.SUBMIT.read(ToolCall("1", "flat-end", {"reasoning": "r", **response}))
    assert nested.accepted
    assert nested.response == flat.response
    assert nested.response.submit.class_ == "x"
