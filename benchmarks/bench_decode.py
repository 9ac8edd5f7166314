"""Decoding, encoding and refusing, side by side with the peers: ``python benchmarks/bench_decode.py [--write]``."""

from __future__ import annotations

import functools
import importlib
import json
import tracemalloc
from collections.abc import Callable
from decimal import Decimal
from typing import Any
from uuid import UUID

import cattrs.preconf.json
import dacite
import jsonschema
import msgspec
import peers
import pydantic
from compiled import compiled
from inputs import FAULTS, INPUTS, text
from mashumaro.codecs.json import JSONDecoder
from report import environment, table, write_section
from timing import Peer, medians

from toolgen.runtime import PayloadError

NAMES = {
    "flat": "flat, 4 fields",
    "twelve": "12 fields with defaults and bounds",
    "nested": "nested lists of Records",
    "tagged": "tagged union",
    "text": "a text of 20 kB",
    "formats": "patterns, datetime, UUID, Decimal",
}
TOOLS = compiled("decoding")
Peers = dict[str, Peer]


def args_class(name: str) -> Any:
    return getattr(tool(name), f"{name.capitalize()}Args")


def tool(name: str) -> Any:
    return importlib.import_module(f"{TOOLS.__name__}.{name}")


def decoders(name: str) -> Peers:
    """Each peer on the JSON bytes of one input."""
    data, title = text(name), name.capitalize()
    model, pydantic_class, plain = (getattr(peers, title + ending) for ending in ("", "D", "P"))
    adapter = pydantic.TypeAdapter(pydantic_class)
    found: Peers = {
        "toolgen": (tool(name).MODEL.decode, data),
        "pydantic BaseModel": (model.model_validate_json, data),
        "pydantic dataclass": (adapter.validate_json, data),
        "msgspec Struct": (msgspec.json.Decoder(getattr(tool(name), f"{title}ArgsBody")).decode, data),
        "json.loads": (json.loads, data),
    }
    if name != "tagged":
        found["msgspec dataclass"] = (msgspec.json.Decoder(args_class(name)).decode, data)
        found["msgspec dataclass, bounds"] = (msgspec.json.Decoder(getattr(peers, f"{title}M", plain)).decode, data)
        found["msgspec.json.decode"] = (functools.partial(msgspec.json.decode, type=args_class(name)), data)
        found["mashumaro"] = (JSONDecoder(plain).decode, data)
        found["jsonschema + dacite"] = (schema_and_dacite(name, plain), data)
    converter = cattrs.preconf.json.make_converter(forbid_extra_keys=True)
    converter.register_structure_hook(UUID, lambda text, _: UUID(text))
    converter.register_structure_hook(Decimal, lambda text, _: Decimal(text))
    found["cattrs"] = (functools.partial(converter.loads, cl=plain), data)
    return found


def schema_and_dacite(name: str, plain: type) -> Callable[[bytes], object]:
    validator = jsonschema.Draft202012Validator(tool(name).MODEL.schema)
    config = dacite.Config(strict=True, cast=[], check_types=name != "formats")

    def decode(data: bytes) -> object:
        value = json.loads(data)
        validator.validate(value)
        return dacite.from_dict(plain, value, config)

    return decode


def decode_section() -> None:
    rows, ratios = [], []
    order = [
        "toolgen",
        "pydantic BaseModel",
        "pydantic dataclass",
        "msgspec dataclass",
        "msgspec dataclass, bounds",
        "msgspec.json.decode",
        "msgspec Struct",
        "cattrs",
        "mashumaro",
        "jsonschema + dacite",
        "json.loads",
    ]
    for name, title in NAMES.items():
        found = medians(decoders(name))
        rows.append([title, *(f"{found[peer]:.2f}" if peer in found else "" for peer in order)])
        own = found["toolgen"]
        against = ["pydantic BaseModel", "msgspec dataclass", "msgspec dataclass, bounds", "msgspec.json.decode"]
        ratios.append([title, *(f"{found[p] / own:.2f}" if p in found else "not possible there" for p in against)])
    write_section(
        "decode",
        "\n\n".join(
            [
                table(["JSON bytes to Args, microseconds", *order], rows),
                table(
                    [
                        "times as fast as",
                        "pydantic BaseModel",
                        "msgspec into the same dataclass",
                        "with its bounds",
                        "by msgspec.json.decode(data, type=Args)",
                    ],
                    ratios,
                ),
                environment("msgspec", "pydantic", "cattrs", "mashumaro", "jsonschema", "dacite"),
            ]
        ),
    )


def mapping_section() -> None:
    rows = []
    for name, title in NAMES.items():
        value, model = INPUTS[name], getattr(peers, name.capitalize())
        # In strict mode pydantic takes no text for a datetime or a Decimal from a mapping.
        strict = name != "formats"
        found = medians(
            {
                "toolgen": (tool(name).MODEL.decode, value),
                "pydantic": (functools.partial(model.model_validate, strict=strict), value),
            }
        )
        rows.append(compared(title, found))
    write_section("mapping", table(["a mapping to Args", "toolgen µs", "pydantic strict µs", "times as fast"], rows))


def encode_section() -> None:
    rows = []
    for name, title in NAMES.items():
        codec, model = tool(name).MODEL, getattr(peers, name.capitalize())
        value, peer = codec.decode(text(name)), model.model_validate_json(text(name))
        found = medians(
            {
                "toolgen": (functools.partial(codec.encode, check=False), value),
                "pydantic": (model.model_dump_json, peer),
                "proof": (codec.encode, value),
            }
        )
        rows.append([*compared(title, found), f"{found['proof']:.2f}"])
    head = ["Args to JSON", "toolgen µs, check=False", "pydantic µs", "times as fast", "toolgen µs, with the proof"]
    write_section("encode", table(head, rows))


def refuse_section() -> None:
    data = json.dumps(FAULTS).encode()
    codec = tool("twelve").MODEL

    def issues(data: bytes) -> object:
        try:
            codec.decode(data)
        except PayloadError as error:
            return error.issues
        raise AssertionError

    def told(data: bytes) -> object:
        try:
            codec.decode(data)
        except PayloadError as error:
            return error.for_model()
        raise AssertionError

    def pydantic_errors(data: bytes) -> object:
        try:
            peers.Twelve.model_validate_json(data)
        except pydantic.ValidationError as error:
            return error.errors()
        raise AssertionError

    assert len(issues(data)) == len(pydantic_errors(data)) == 5  # type: ignore[arg-type]
    found = medians({"issues": (issues, data), "text": (told, data), "pydantic": (pydantic_errors, data)})
    rows = [
        [what, f"{found[key]:.1f}", f"{found[key] / found['pydantic']:.2f}"]
        for what, key in (
            ("toolgen, the issues", "issues"),
            ("toolgen, the text for the model", "text"),
            ("pydantic ValidationError with .errors()", "pydantic"),
        )
    ]
    write_section("refuse", table(["refusing an input with five faults", "µs", "times pydantic's"], rows))


def memory_section() -> None:
    rows = []
    for name in ("flat", "twelve"):
        data, model = text(name), getattr(peers, name.capitalize())
        own = held(functools.partial(tool(name).MODEL.decode, data))
        other = held(functools.partial(model.model_validate_json, data))
        rows.append([NAMES[name], f"{own:.1f}", f"{other:.1f}", f"{other / own:.2f}"])
    write_section("memory", table(["100,000 decoded Args", "toolgen MB", "pydantic MB", "pydantic / toolgen"], rows))


def held(decode: Callable[[], object]) -> float:
    """Megabytes that 100,000 decoded values hold."""
    decode()
    tracemalloc.start()
    values = [decode() for _ in range(100_000)]
    size, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert len(values) == 100_000
    return size / 1e6


def compared(title: str, found: dict[str, float]) -> list[str]:
    own, other = found["toolgen"], found["pydantic"]
    return [title, f"{own:.2f}", f"{other:.2f}", f"{other / own:.2f}"]


if __name__ == "__main__":
    decode_section()
    mapping_section()
    encode_section()
    refuse_section()
    memory_section()
