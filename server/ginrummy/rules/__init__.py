"""The rules engine: pure values and functions. No I/O, clock, randomness, logging or protobuf.

Its values never change, and refer to nothing that could refer back. So the garbage collector need
not look at them (`gc=False`), which a fold of a long log would otherwise pay for.
"""
