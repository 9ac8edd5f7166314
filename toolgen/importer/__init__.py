"""JSON Schema, tool lists and OpenAPI → a design file, on datamodel-code-generator.

``sources`` finds the tools in what was given, ``tools`` plans each, ``writing`` prints the design; ``importing`` does
all of it, and is what the command line calls.
"""
