"""How ``toolgen.load`` reads a design: one module for each step from a file to the intermediate representation."""
