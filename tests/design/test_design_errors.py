"""Every rule of a design: what breaks it is reported at its line, with the rule and a mend, and nothing else is.

In the designs below a line that breaks a rule ends in ``#!`` and words of the rule; ``#!!`` parts two on one line.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from toolgen.load import DesignError, load

PRELUDE = '''"""A design."""

from __future__ import annotations

import enum
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from decimal import Decimal
from typing import Annotated, Any, ClassVar, Literal, Optional, TypedDict, Union
from uuid import UUID

from toolgen.dsl import Bounded, Constraints, Record, Toolset, field, injected, restored

desk = Toolset("desk", "A desk.")
'''


def in_input(fields: str, records: str = "") -> str:
    """A design of one tool with these fields in its Input."""
    body = "\n".join(f"        {line}" for line in fields.strip().splitlines())
    return f'{records}\n@desk.tool()\nclass Find:\n    """Find."""\n\n    class Input:\n{body}\n'


RECORDS = '''
class Note(Record):
    """A note."""

    kind: Literal["note"] = field("Kind.")
    text: str = field("Text.", min_length=2)
    size: int = field("Size.", default=1)


class Loose(Record):
    """No tag."""

    text: str = field("Text.")


class Color(enum.Enum):
    """A colour."""

    RED = "red"
    BLUE = "blue"
'''

FIELDS = {
    "undescribed": """
a: int #! the field has no description
b: int = 5 #! the field has no description
c: int = field() #! the field has no description
d: int = field("  ") #! the field has no description
h: int = field("", ge=5, le=4) #! the field has no description #!! no int meets
i: int = field("", default=9, le=4) #! the field has no description #!! the default 9
e: int = field(5) #! has 5 for a description
f: int = field("\\ud800") #! lone surrogate
g = field("G.") #! the field has no type
""",
    "names": """
_a: int = field("A.") #! starts with an underscore
__b: int = field("B.") #! starts with an underscore
c: int = field("C.", name="") #! name is ''
d: int = field("D.", name=5) #! name is 5
e: int = field("E.", name="a b") #! providers refuse
f: int = field("F.", name="x" * 65) #! providers refuse
g: int = field("G.", name="\\ud800") #! name is
größe: int = field("Size.") #! providers refuse
h: int = field("H.", name='a"b') #! holds a quote #!! providers refuse
i: int = field("I.", name="a\\\\b") #! holds a quote #!! providers refuse
TYPE_CHECKING: str = injected("T.") #! type checkers take the value
""",
    "names that meet": """
a: int = field("A.", name="x")
b: int = field("B.", name="x") #! the JSON name 'x' meets
c: int = field("C.")
c: str = field("C.") #! declared twice
d: int = field("D.", name="c") #! the JSON name 'c' meets
i: int = field("I.", name="ﬁt") #! providers refuse
j: int = restored("J.", name="fit") #! meets
k: int = injected("K.", name="fit")
""",
    "names that hide a function": """
field: str = field("F.") #! hides the function field
a: int = field("A.")
b: int = field("B.", ge=5, le=4) #! no int meets
injected: str = injected("I.")
""",
    "presence": """
a: int = field("A.", default=1, optional=True) #! default and optional
b: int = field("B.", optional="yes") #! optional is 'yes'
c: int | None = field("C.", keep_null=True) #! keep_null
d: int = field("D.", keep_null=True, optional=True) #! takes no null
e: int | None = field("E.", keep_null=True, default=1) #! keep_null
f: int = field("F.", deprecated=1) #! deprecated is 1
g: int = field("G.", title="") #! title is ''
h: Any = field("H.", optional=True, keep_null=True)
i: Literal["a", None] = field("I.", optional=True, keep_null=True)
j: int = field("J.", minimum=3) #! no option minimum
m: int = field("M.", whatever=3) #! no option whatever
k: int = field("K.", min_lenght=3) #! no option min_lenght
""",
    "types": """
a: tuple[int, ...] = field("A.") #! not a type of the design language
b: set[int] = field("B.") #! not a type
c: list = field("C.") #! list is not a type
d: dict = field("D.") #! dict is not a type
e: dict[int, str] = field("E.") #! str keys
f: object = field("F.") #! object is not a type
g: Movie = field("G.") #! Movie is not a type
h: Point = field("H.") #! Point is not a type
i: None = field("I.") #! None is no type by itself
j: complex = field("J.") #! complex is not a type
k: Nowhere = field("K.") #! names 'Nowhere'
l: 5 = field("L.") #! type
m: list[list] = field("M.") #! list is not a type
n: Annotated[int, "note"] = field("N.") #! Annotated holds 'note'
o: Record = field("O.") #! Record itself
p: ClassVar[int] = field("P.") #! ClassVar
q: list[int, str] = field("Q.") #! list
""",
    "literals": """
a: Literal[()] = field("A.") #! the Literal is empty
b: Literal[b"x"] = field("B.") #! can't hold b'x'
c: Literal[1, 1.0] = field("C.") #! has 1.0 twice
c2: Literal[10**23, 1e23, "a"] = field("C.") #! has 1e+23 twice
c3: Literal[10**300, 1e300] = field("C.") #! has 1e+300 twice
c4: Literal[99999999999999991611392, 1e23] = field("C.")
d: Literal[Color.RED] = field("D.") #! can't hold
e: Literal["\\ud800"] = field("E.") #! lone surrogate
f: Literal[1, True] = field("F.")
""",
    "enums": """
a: Empty = field("A.")
b: Mixed = field("B.")
c: Flags = field("C.")
d: Odd = field("D.")
e: Odd = field("E.")
""",
    "unions": """
a: int | float = field("A.") #! int and float can't be told apart
b: str | date = field("B.") #! str and date
c: list[int] | list[str] = field("C.") #! type array
d: Note | dict[str, str] = field("D.") #! type object
e: Note | Loose = field("E.") #! they share no required Literal field
f: Any | int = field("F.") #! Any takes every value
g: Literal["a"] | str = field("G.") #! type string
h: Color | str = field("H.") #! type string
i: int | Literal[1] = field("I.") #! type number
j: Note | Loose | None = field("J.") #! told apart
k: list[Note | Loose] = field("K.") #! told apart
l: Color | Literal[1] | None = field("L.")
""",
    "misfits": """
a: int = field("A.", min_length=1) #! min_length does not fit int
b: str = field("B.", ge=1) #! ge does not fit str
c: Decimal = field("C.", ge=1) #! ge does not fit Decimal
m: date = field("M.", ge=date(2024, 1, 1)) #! ge does not fit date
d: list[str] = field("D.", min_length=1) #! min_length does not fit list[str]
e: dict[str, int] = field("E.", unique_items=True) #! unique_items does not fit
f: Any = field("F.", ge=1) #! ge does not fit Any
g: Note = field("G.", min_items=1) #! does not fit Note
h: date = field("H.", pattern="x") #! does not fit date
i: Literal["a"] = field("I.", max_length=2) #! does not fit
j: bool | str = field("J.", ge=2, min_length=1) #! ge does not fit
k: list[Annotated[int, Constraints(pattern="a")]] = field("K.") #! pattern does not fit int
l: bytes = field("L.", pattern="a") #! pattern does not fit bytes
""",
    "unique": """
a: list[datetime] = field("A.", unique_items=True) #! written in several ways
b: list[Decimal] = field("B.", unique_items=True) #! written in several ways
c: list[float] = field("C.", unique_items=True) #! written in several ways
d: list[Note] = field("D.", unique_items=True) #! written in several ways
e: list[Any] = field("E.", unique_items=True) #! written in several ways
f: list[bool] = field("F.", unique_items=True, min_items=3) #! there are but 2 values
f2: list[Annotated[int, Constraints(ge=1, lt=4)]] = field("F.", unique_items=True, min_items=4) #! but 3 values
f3: list[Annotated[int, Constraints(ge=1, le=15, multiple_of=7)]] = field("F", unique_items=True, min_items=3) #! but 2
f4: list[Annotated[int, Constraints(ge=1, lt=4)]] = field("F.", unique_items=True, min_items=3)
g: list[Color] = field("G.", unique_items=True)
h: list[str | int | None] = field("H.", unique_items=True)
i: list[bytes] = field("I.", unique_items=True) #! written in several ways
""",
    "bounds": """
a: int = field("A.", ge=5, le=4) #! no int meets ge=5 and le=4
b: int = field("B.", gt=1, lt=2) #! no int meets
c: float = field("C.", gt=1, lt=1) #! no float meets
d: int = field("D.", ge=1.5) #! not whole
e: int = field("E.", ge="1") #! not a finite number
f: float = field("F.", ge=float("nan")) #! not a finite number
g: int = field("G.", ge=True) #! not a finite number
h: int = field("H.", multiple_of=0) #! not above 0
i: int = field("I.", multiple_of=5, ge=6, le=9) #! no multiple of 5
j: float = field("J.", multiple_of=0.1, gt=0.1, lt=0.2) #! no multiple of 0.1
k: str = field("K.", min_length=3, max_length=2) #! min_length=3 is above max_length=2
l: str = field("L.", min_length=-1) #! whole number from 0 up
m: list[int] = field("M.", max_items=1.5) #! whole number
n: int = field("N.", ge=1, gt=1) #! ge and gt are both given
o: list[int] = field("O.", unique_items=1) #! unique_items is 1
p: Annotated[int, Constraints(ge=1)] = field("P.", ge=2) #! given twice
q: float = field("Q.", le=10**400) #! beyond what a float holds
r: float = field("R.", gt=1, lt=2)
s: float = field("S.", multiple_of=0.01, ge=19.99, le=19.99)
t: int = field("T.", ge=1.0, le=10**30)
""",
    "text rules": """
a: str = field("A.", pattern="(") #! pattern
b: str = field("B.", pattern="(a+)+$") #! pattern
c: str = field("C.", pattern="(?=a)") #! pattern
d: str = field("D.", pattern=5) #! pattern is 5
e: str = field("E.", format="date-time") #! not checked on str
f: str = field("F.", format="nonsense") #! not checked on str
g: str = field("G.", format="email")
h: str = field("H.", pattern="^[a-z]+$")
""",
    "defaults": """
a: int = field("A.", default=500, le=100) #! the default 500 breaks
b: int = field("B.", default=True) #! the default True
c: int = field("C.", default="1") #! the default '1'
d: float = field("D.", default=float("nan")) #! not finite
e: str = field("E.", default=None) #! the default None
f: str = field("F.", default="\\ud800") #! lone surrogate
g: date = field("G.", default=datetime(2026, 1, 1, tzinfo=UTC)) #! is a datetime
h: datetime = field("H.", default=datetime(2026, 1, 1)) #! has no offset, since its tzinfo is None
i: Decimal = field("I.", default=Decimal("NaN")) #! has no JSON
j: Color = field("J.", default="green") #! the default 'green'
k: list[int] = field("K.", default=(1, 2)) #! is a tuple
l: list[int] = field("L.", default=[1, "2"]) #! at /1
m: Note = field("M.", default=Note(kind="note", text="x")) #! at /text
n: Note = field("N.", default=Note(kind="note")) #! the default has no text, which is required
o: Note = field("O.", default=Note(kind="note", text="xx", colour=1)) #! no field of Note
p: Note = field("P.", default=Loose(text="xx")) #! is a Loose, not a Note
q: Literal["a", 1] = field("Q.", default=True) #! the default True
r: dict[str, int] = field("R.", default={1: 2}) #! the key 1
s: int = field("S.", default=object()) #! is a object
t: str = field("T.", default="abc", pattern="^x") #! breaks
u: int = field("U.", default=1.5) #! breaks
v: int = injected("V.", default="x") #! the default 'x'
w: UUID = field("W.", default="no uuid") #! breaks
x: timedelta = field("X.", default=timedelta.max)
y: Color = field("Y.", default=Other.RED) #! no member of Color
""",
    "examples": """
a: int = field("A.", example=500, le=100) #! the example 500 breaks
b: int = field("B.", example="x") #! the example 'x'
c: date = field("C.", example="2026-02-30") #! the example
d: date = field("D.", example="2026-02-28")
e: date = field("E.", example=date(2026, 2, 28))
f: str = field("F.", example="b", default="x" * 9, max_length=5) #! the default
""",
}

MORE = """
class Movie(TypedDict):
    name: str


@dataclass
class Point:
    x: int


class Other(enum.Enum):
    RED = "red"
"""

ENUMS = '''
class Empty(enum.Enum): #! no members
    """None."""


class Mixed(enum.Enum):
    """Mixed."""

    ONE = 1
    HALF = 0.5 #! the member HALF has the value 0.5
    THIRD = 1 / 3 #! the member THIRD has the value 0.3
    name = "n" #! that of a property which Python gives to every member
    value = "v" #! that of a property which Python gives to every member
    title = "t"


class Flags(enum.Flag): #! Flag has no one value
    """Flags."""

    A = 1


Odd = enum.Enum("Odd", {"a b": 1}) #! member name 'a b'
'''

DESIGNS = {
    "tool without a description": "@desk.tool()\nclass Find: #! the tool has no description\n    pass\n",
    "toolset": """
one = Toolset("class", "A.") #! can't name a Python package
two = Toolset("_two", "A.") #! can't name a Python package
three = Toolset("three") #! the toolset has no description
four = Toolset("desk", "A.") #! meets the one
five = Toolset(5, "A.") #! can't name a Python package
six = Toolset("toolgen", "A.") #! imports itself
""",
    "tool names": '''
@desk.tool(name="a b")
class A: #! providers refuse
    """A."""


@desk.tool(name="1a")
class B: #! providers refuse
    """B."""


@desk.tool(name="x" * 65)
class D: #! providers refuse
    """D."""


@desk.tool(name="find")
class E:
    """E."""


@desk.tool(name="Find")
class F: #! meets that of the tool
    """F."""


@desk.tool(name=5)
class G: #! name is 5
    """G."""


@desk.tool(name="a-b")
class H:
    """H."""


@desk.tool(name="a_b")
class I: #! both would be generated as a_b.py
    """I."""


@desk.tool(name="")
class J: #! providers refuse
    """J."""
''',
    "tool options": '''
@desk.tool(tags=["a", 5])
class A: #! the tag 5
    """A."""


@desk.tool(tags="ab")
class B: #! tags is 'ab'
    """B."""


@desk.tool(read_only=1)
class D: #! read_only is 1
    """D."""


@desk.tool(read_only=True, destructive=True)
class E: #! read_only and destructive
    """E."""


@desk.tool(bounded=True)
class F: #! bounded is True
    """F."""


@desk.tool(binds="nowhere")
class G: #! binds is 'nowhere'
    """G."""


@desk.tool(readonly=True)
class H: #! no option readonly
    """H."""


@desk.tool(strict="yes")
class I: #! strict is 'yes'
    """I."""


@desk.tool() #! is no class
def nothing() -> None: ...


@desk.tool(tags=["a", "a"], title=" ")
class K: #! the tag 'a' is given twice #!! title is ' '
    """K."""
''',
    "tool examples": '''
@desk.tool(example={"n": "x"})
class A: #! the example
    """A."""

    class Input:
        n: int = field("N.")


@desk.tool(example={"m": 1, "n": 2})
class B: #! the example
    """B."""

    class Input:
        n: int = field("N.")


@desk.tool(example={"spans": [{"since": 1}]})
class F: #! the example has no until, which is required #!! the example at /spans/0 has no a~/b, which is required
    """F."""

    class Input:
        spans: list[Span] = field("Spans.")
        until: int = field("U.")


class Span(Record):
    """A span."""

    since: int = field("S.")
    until: int = field("U.", name="a~/b")


@desk.tool(example=[1])
class D: #! is no dict
    """D."""


@desk.tool(example={"day": date(2026, 1, 1), "tenant": "x"})
class E: #! the example
    """E."""

    class Input:
        day: date = field("Day.")
        tenant: str = injected("Tenant.")
''',
    "what a tool holds": '''
@desk.tool()
class A:
    """A."""

    query: str = field("Query.") #! stands in the tool itself

    class Imput: #! the class Imput in a tool is not read
        pass

    class Inner(Record): #! the class Inner in a tool is not read
        """Inner."""

    class Output: #! the class Output in a tool is not read
        pass

    Response = list[int] #! the class Response in a tool is not read

    result = list[int] #! the class result in a tool is not read

    Inputs: Tagged #! the tool declares a type of Inputs and no value


@desk.tool()
class Annotated:
    """A."""

    Input: Tagged #! the tool declares a type of Input and no value

    Result: list[str] #! the tool declares a type of Result and no value


@desk.tool()
class Nesting:
    """N."""

    class Input:
        n: int = field("N.")

        class Inner(Record): #! the class Inner among the fields is not read
            """I."""

        class Plain: #! the class Plain among the fields is not read
            pass

    class Result:
        n: int = field("N.")

        class Inner(Record): #! the class Inner among the fields is not read
            """I."""


@desk.tool #! the decorator stands without parentheses
class C:
    """C."""

    class Input:
        n: int = field("") #! the field has no description


class Ended(Record):
    """What was found."""

    n: int = field("") #! the field has no description


@desk.submit #! the decorator stands without parentheses
class End:
    """Ends it."""

    Response = Ended


@desk.tool()
class B:
    """B."""

    Input = 5 #! Input is 5, which is no class of fields


@desk.tool()
class D:
    """D."""

    Result = tuple[int, str] #! not a type of the design language


@desk.tool()
class E(Record): #! a Record is declared as a tool
    """E."""


@desk.tool()
class F:
    """F."""

    class Result:
        a: int = restored("A.") #! a restored field stands in a Result
        b: int = field("B.", default=500, le=1) #! the default 500


@desk.tool()
class G:
    """G."""

    class Input:
        inner: A.Inner = field("I.") #! does not stand at module level
        own: A.Imput = field("I.") #! not a type


class Filters(Record):
    """Filters."""

    bad_name: int = field("B.", name="a b") #! providers refuse
    tenant: str = injected("T.") #! an injected field stands in a Record


@desk.tool()
class H:
    """H."""

    Input = Filters
''',
    "records": '''
class A(Record): #! the Record has no description
    a: int = field("A.")


class B(Record):
    """B."""

    other: D = field("D.") #! no value of B can end


class D(Record):
    """D."""

    others: list[B] = field("B.", min_items=1) #! no value of D can end


class E(Record):
    """E."""

    more: list[E] = field("More.")
    next: E | None = field("Next.")
    maybe: E = field("Maybe.", optional=True)


class F(Record):
    """F."""


class F(Record): #! the class F is declared twice
    """F."""


class _G(Record): #! starts with an underscore
    """G."""


class SPEC(Record): #! generated code uses itself
    """SPEC."""


class H(Record, closed="no"): #! closed is 'no'
    """H."""
''',
    "inherited fields that are hidden": '''
class Base(Record):
    """B."""

    a: int = field("A.", default=1)
    b: int = field("B.", default=1)
    c: int = field("C.", default=1)
    d: int = field("D.", default=1)
    e: int = field("E.", default=1)
    f: int = field("F.", default=1)


class Mixin:
    b = 1 #! hides the inherited field b
    other = 2


class Heir(Base, Mixin):
    """H."""

    a = None #! hides the inherited field a
    c: ClassVar[int] = 2 #! hides the inherited field c
    d = field("D.", default=2) #! the field has no type
    e: int = field("E.", default=2)
    other = 3

    def f(self) -> int: #! hides the inherited field f
        return 1


class Mixed(Mixin, Base):
    """The mixin comes before the field here, and behind it in Heir."""


@desk.tool()
class Search:
    """S."""

    class Input(Heir):
        e = 5 #! hides the inherited field e
        t: int = injected("T.")

    class Result(Heir):
        other: int = field("O.")
        b = [] #! hides the inherited field b
''',
    "derived names": '''
class SearchArgs(Record):
    """A."""


class Search_from_body(Record):
    """B."""


class ConditionBody(Record):
    """C."""


class Condition(Record): #! Condition and ConditionBody
    """D."""


@desk.tool()
class Search: #! Search and SearchArgs
    """Search."""


@desk.tool(name="other")
class search_result:
    """Other."""


class PayResult(enum.Enum):
    """Outcome."""

    A = 1


@desk.tool()
class Pay: #! Pay and PayResult
    """Pay."""
''',
    "unions of Records": '''
class A(Record):
    """A."""

    kind: Literal["a"] = field("K.")


class B(Record):
    """B."""

    kind: Literal["b", "a"] = field("K.")


class D(Record):
    """D."""

    kind: Literal["d"] = field("K.", default="d")


class E(Record):
    """E."""

    kind: Literal[1] = field("K.")


class Most(Record):
    """The most of 64 bits."""

    kind: Literal[9223372036854775807, -9223372036854775808] = field("K.")


class Above(Record):
    """Past 64 bits, in one value of several."""

    kind: Literal[7, 9223372036854775808] = field("K.")
    other: Literal["above"] = field("O.")


class Below(Record):
    """Past 64 bits."""

    kind: Literal[-9223372036854775809] = field("K.")
    other: Literal["below"] = field("O.")


@desk.tool()
class Find:
    """Find."""

    class Input:
        d: E | Most = field("D.")
        e: E | Above = field("E.") #! the values of kind can't tell them apart in generated code: 9223372036854775808
        f: list[Below | Most] = field("F.") #! -9223372036854775809 is past 64 bits
        g: Above | Below = field("G.")
        a: A | B = field("A.") #! kind has 'a' in more than one
        b: A | D = field("B.") #! kind is not required in all of them
        c: A | E = field("C.") #! neither all strings nor all integers

    Result = A | B #! kind has 'a' in more than one
''',
    "bounded": '''
@desk.tool(bounded=Bounded())
class A: #! must be a class or a Record
    """A."""


@desk.tool(bounded=Bounded())
class B:
    """B."""

    Result = list[int] #! must be a class or a Record


@desk.tool(bounded=Bounded(total=1))
class D: #! total is 1
    """D."""

    class Result:
        truncated: bool = field("T.") #! is what bounded= adds
        count: int = field("C.", name="total") #! is what bounded= adds


@desk.tool(bounded=Bounded(cursor="page"))
class E: #! names no optional str field
    """E."""

    class Input:
        page: str = field("Page.")

    class Result:
        a: int = field("A.")


@desk.tool(bounded=Bounded(cursor="page"))
class F:
    """F."""

    class Input:
        page: str = field("Page.", optional=True)

    class Result:
        a: int = field("A.")
''',
    "continuations": '''
@desk.tool(bounded=Bounded(total=True))
class A:
    """A."""

    class Result:
        a: int = field("A.")


@desk.tool(continues=A)
class B: #! gives no cursor
    """B."""


@desk.tool(continues=int)
class D: #! is no tool of this toolset
    """D."""


@desk.tool(bounded=Bounded(next_cursor=True))
class E:
    """E."""

    class Input:
        cursor: str = field("Mine.", optional=True)

    class Result:
        a: int = field("A.")


@desk.tool(continues=E)
class F: #! meets the cursor
    """F."""


class Whole(Record):
    """What was found in all."""

    a: int = field("A.")


@desk.submit()
class Submitted:
    """Ends it."""

    Response = Whole


@desk.tool(continues=Submitted)
class OfSubmit: #! which is a submit: it ends a run, and has no pages
    """O."""


@desk.tool(continues=F)
class G: #! continues a tool itself
    """G."""


@desk.tool(continues="E")
class H: #! is no tool of this toolset
    """H."""


@desk.tool(bounded=Bounded(next_cursor=True))
class I:
    """I."""

    class Result:
        a: int = field("A.")


@desk.tool(continues=I)
class J: #! declares no Input
    """J."""

    class Input:
        x: int = field("X.")
''',
}
DESIGNS.update({f"fields: {name}": in_input(text, RECORDS + MORE) for name, text in FIELDS.items()})
DESIGNS["fields: enums"] = in_input(FIELDS["enums"], ENUMS)


def problems_of(folder: Path, source: str) -> DesignError:
    design = folder / "desk.py"
    design.write_text(source, encoding="utf-8")
    with pytest.raises(DesignError) as caught:
        load([design], root=folder)
    return caught.value


@pytest.mark.parametrize("name", DESIGNS)
def test_a_broken_rule_is_reported_where_it_is_broken(name: str, tmp_path: Path) -> None:
    source = PRELUDE + DESIGNS[name]
    expected = {
        number: [part.strip() for part in re.split(r"#!!?", line)[1:]]
        for number, line in enumerate(source.splitlines(), 1)
        if "#!" in line
    }
    error = problems_of(tmp_path, source)
    unexpected = [p.render() for p in error.problems if not _is_expected(p.rule, expected.get(p.location.line, []))]
    told: dict[int, list[str]] = {}
    for problem in error.problems:
        told.setdefault(problem.location.line, []).append(problem.rule)
    missing = [
        (line, words)
        for line, all_words in expected.items()
        for words in all_words
        if not any(words in rule for rule in told.get(line, []))
    ]
    assert not unexpected
    assert not missing
    assert all(problem.location.file == "desk.py" for problem in error.problems)
    assert all(re.fullmatch(r"desk\.py:\d+: .+\. .+[.?]", problem.render()) for problem in error.problems)


_INPUT = '@desk.tool()\nclass A:\n    """A."""\n\n    class Input:\n'

MENDS = {
    "a moment without a zone": (
        _INPUT + '        at: datetime = field("A.", default=datetime(2026, 1, 1))\n',
        "Say its zone: tzinfo=datetime.timezone.utc, or another.",
    ),
    "a float for a Decimal": (
        _INPUT + '        a: Decimal = field("A.", default=1.5)\n',
        'Write Decimal("1.5").',
    ),
    "a dataclass": (
        "import dataclasses\n\n@dataclasses.dataclass\nclass Point:\n    x: int\n\n"
        + _INPUT
        + '        a: Point = field("A.")\n',
        ":Point does.",
    ),
    "a type that is none": (
        _INPUT + '        a: complex = field("A.")\n',
        "Write str, int, float, bool, bytes, date, time, datetime, timedelta, UUID or Decimal, list[T], dict[str, T], "
        "Literal[...], Any, an enum.Enum or a Record.",
    ),
    "a decorator without parentheses": ('@desk.tool\nclass A:\n    """A."""\n', "Write @desk.tool()."),
    "a decorator of a submit without parentheses": (
        'class R(Record):\n    """R."""\n\n\n@desk.submit\nclass A:\n    """A."""\n\n    Response = R\n',
        "Write @desk.submit().",
    ),
    "a result by another name": ('@desk.tool()\nclass A:\n    """A."""\n\n    Output = 5\n', "Did you mean Result?"),
    "an input by another name": (
        '@desk.tool()\nclass A:\n    """A."""\n\n    class Params:\n        pass\n',
        "Did you mean Input?",
    ),
    "a misspelt type": (in_input('n: strr = field("N.")'), "Did you mean str? Import"),
    "a type of another language": (in_input('n: integer = field("N.")'), "Did you mean int? Import"),
    "a misspelt Record": (in_input('n: Dosge = field("N.")', "Dosage = int"), "Did you mean Dosage? Import"),
    "a tuple": (
        in_input('n: tuple[int, str] = field("N.")'),
        "Write list[T]; for values of several types in order, a Record.",
    ),
    "a field that hides a function": (
        in_input('field: int = field("N.")\nm: int = field("M.")'),
        'Write field_: T = field("...", name="field").',
    ),
}


@pytest.mark.parametrize("name", MENDS)
def test_a_mend_says_what_to_write(name: str, tmp_path: Path) -> None:
    design, mend = MENDS[name]
    (problem,) = problems_of(tmp_path, PRELUDE + design).problems
    assert mend in problem.mend


def with_example(fields: str, cls: str = "Input") -> str:
    text = in_input(fields).replace("class Input", f"class {cls}")
    return text.replace("tool()", 'tool(example={"q": "x"})')


LONE_MISTAKES = {
    "a tool without its decorator": (
        in_input('q: str = field("Q.")').replace("@desk.tool()\n", ""),
        "Write @desk.tool() above it",
    ),
    "a tool with no more than a Result without its decorator": (
        in_input('q: str = field("Q.")').replace("@desk.tool()\n", "").replace("class Input", "class Result"),
        "Write @desk.tool() above it",
    ),
    "a submit without its decorator": (
        RECORDS + '\nclass End:\n    """End."""\n\n    Response = Note\n',
        "Write @desk.submit() above it",
    ),
    "a payload by a name that providers refuse": (
        RECORDS + '\n@desk.submit(payload="my note")\nclass End:\n    """End."""\n\n    Response = Note\n',
        "Give payload=",
    ),
    "a Record that is two submits": (
        RECORDS + '\nfor name in ("a", "b"):\n    desk.submit(name=name)(Note)\n',
        "Declare this one by a class of its own, which says Response = Note.",
    ),
    "a class that is two tools": (
        in_input('q: str = field("Q.")') + '\ndesk.tool(name="again")(Find)\n',
        "Declare this one by a class of its own.",
    ),
    "a misspelt key of an example": (with_example('qq: str = field("Q.")'), "Did you mean qq?"),
    "a None for a default": (in_input('q: int = field("Q.", default=None, ge=1)'), "optional=True"),
    "a None for a default of a Record": (
        in_input('q: Loose = field("Q.", default=None)', RECORDS),
        "optional=True",
    ),
    "a default without field()": (
        with_example('q: str = field("Q.")\nlimit: int = 10'),
        'field("What it is.", default=10)',
    ),
    "a misspelt default": (with_example('q: str = field("Q.")\nn: int = field("N.", defualt=5)'), "mean default?"),
    "a misspelt optional": (with_example('q: str = field("Q.")\nn: int = field("N.", optinal=True)'), "optional?"),
    "a misspelt Input": (with_example('q: str = field("Q.")', "Inputs"), "Did you mean Input?"),
    "an Input by another name": (with_example('q: str = field("Q.")', "Args"), "Did you mean Input?"),
    "a misspelt Result": (
        in_input('q: str = field("Q.")')
        .replace("class Input", "class Reslt")
        .replace("tool()", "tool(bounded=Bounded())"),
        "Did you mean Result?",
    ),
}


@pytest.mark.parametrize("name", LONE_MISTAKES)
def test_one_mistake_is_one_problem(name: str, tmp_path: Path) -> None:
    design, mend = LONE_MISTAKES[name]
    (problem,) = problems_of(tmp_path, PRELUDE + design).problems
    assert mend in problem.mend


IN_USE = {
    "a base": "class Find(Shared):",
    "a base of the Input": "class Find:\n    class Input(Shared.Input):\n        pass\n",
    "the Input itself": "class Find:\n    Input = Shared.Input\n",
}


@pytest.mark.parametrize("use", IN_USE)
def test_a_class_that_a_tool_is_made_of_needs_no_decorator(use: str, tmp_path: Path) -> None:
    head, _, rest = IN_USE[use].partition("\n")
    shared = in_input('q: str = field("Q.")').replace("@desk.tool()\n", "").replace("class Find", "class Shared")
    design = tmp_path / "desk.py"
    design.write_text(f'{PRELUDE}{shared}\n@desk.tool()\n{head}\n    """Find."""\n\n{rest}', encoding="utf-8")
    (tool,) = load([design], root=tmp_path).packages[0].toolset.tools
    assert [field.name for field in tool.fields] == ["q"]


@pytest.mark.parametrize(("old", "new"), [("class Find", "class _Find"), ('    """Find."""\n', "")])
def test_a_class_of_the_authors_own_may_look_like_a_tool(old: str, new: str, tmp_path: Path) -> None:
    own = in_input('q: str = field("Q.")').replace("@desk.tool()\n", "").replace(old, new)
    design = tmp_path / "desk.py"
    design.write_text(PRELUDE + own, encoding="utf-8")
    assert load([design], root=tmp_path).packages[0].toolset.tools == ()


SLIPS = {
    "a merge": (
        "x = 1\n<<<<<<< HEAD\ny = 1\n=======\ny = 2\n>>>>>>> other\n",
        2,
        "has merge conflict markers",
        "one side",
    ),
    "Bounded": ("x = Bounded(cursr=True)\n", 1, "Bounded has no option cursr", "Did you mean cursor?"),
    "Constraints": ("x = Constraints(minimum=1)\n", 1, "Constraints has no option minimum", "Did you mean ge?"),
    "Toolset": ('x = Toolset("x", descripton="")\n', 1, "Toolset has no option descripton", "mean description?"),
    "nothing near": ("x = Bounded(zzz=True)\n", 1, "Bounded has no option zzz", "It has next_cursor, total"),
    "a Record": (
        'class P(Record, close=False):\n    """P."""\n\n    n: int = field("N.")\n',
        1,
        "no option close",
        "Did you mean closed?",
    ),
    "a toolset changed": ("desk.marks = 5\n", 1, "AttributeError: marks of a toolset can't be set", "Mend this line"),
    "a toolset renamed": ('desk.name = "x"\n', 1, "AttributeError: name of a toolset can't be set", "Mend this line"),
    "a toolset cut down": ("del desk.spot\n", 1, "AttributeError: spot of a toolset can't be", "Mend this line"),
    "a constant": ("loans = 1\nx = Flase\n", 2, "NameError", "Did you mean False?"),
    "no near name": ("loans = 1\nx = Slone\n", 2, "NameError", "Import Slone"),
}


@pytest.mark.parametrize("name", SLIPS)
def test_a_slip_that_stops_the_run_is_told_at_its_line(name: str, tmp_path: Path) -> None:
    text, line, rule, mend = SLIPS[name]
    (problem,) = problems_of(tmp_path, PRELUDE + text).problems
    assert problem.location.line == len(PRELUDE.splitlines()) + line
    assert rule in problem.rule
    assert mend in problem.mend
    assert "loans" not in problem.mend


ROLES = ("field", "restored", "injected")
ODD_FIELDS = {
    "no description": "n: int = {role}(ge=1)",
    "a blank description": 'n: int = {role}(" ")',
    "a name with an underscore": '_n: int = {role}("N.")',
    "a key that JSON escapes": """n: int = {role}("N.", name='a"b')""",
    "no type": 'n = {role}("N.")',
    "a name of a function": '{role}: int = {role}("N.")\nm: int = {role}("M.")',
}


@pytest.mark.parametrize("role", ROLES)
@pytest.mark.parametrize("name", ODD_FIELDS)
def test_a_mend_keeps_who_fills_the_field_in(name: str, role: str, tmp_path: Path) -> None:
    """A mend that said ``field`` of an injected field would let the model write it."""
    design = in_input(ODD_FIELDS[name].format(role=role))
    mends = [problem.mend for problem in problems_of(tmp_path, PRELUDE + design).problems]
    assert any(f"{role}(" in mend for mend in mends)
    assert not [mend for mend in mends for other in ROLES if other != role and f"{other}(" in mend]


def _is_expected(rule: str, words: list[str]) -> bool:
    return any(part in rule for part in words)
