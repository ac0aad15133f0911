#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""json_check.py SCHEMA [FILE]: checks that every line is an object that the schema allows.
json_check.py --bytes [FILE]: checks that every line is HEX, a tab and the JSON of those bytes.

This is stricter than Python's parser: no key may occur twice in an object, and there may be no NaN,
no lone surrogates, and no numbers that a double cannot represent, except "ret" and "nr", which are
integers of 64 bits."""
import json
import sys


def no_twins(pairs):
    keys = [k for k, _ in pairs]
    if len(keys) != len(set(keys)):
        raise ValueError("a key stands twice: %s" % sorted(k for k in keys if keys.count(k) > 1))
    return dict(pairs)


def check_numbers(value, limit=2**53):
    if isinstance(value, int) and not -limit <= value <= limit:
        raise ValueError("a number that its readers cannot hold: %d" % value)
    elif isinstance(value, dict):
        for v in value.values():
            check_numbers(v)
    elif isinstance(value, list):
        for v in value:
            check_numbers(v)


def no_constant(text):
    raise ValueError("not JSON: " + text)


def read(line):
    value = json.loads(line.decode("utf-8"), object_pairs_hook=no_twins, parse_constant=no_constant)
    if isinstance(value, dict):
        for key, v in value.items():
            check_numbers(v, 2**63 if key in ("ret", "nr") else 2**53)
    json.dumps(value, ensure_ascii=False).encode("utf-8")  # raises an exception for lone surrogates
    return value


def as_bytes(value):
    if isinstance(value, str):
        return value.encode("utf-8")
    if "hex" in value:
        return bytes.fromhex(value["hex"])
    return value["text"].encode("utf-8")


def main():
    source = open(sys.argv[2], "rb") if len(sys.argv) > 2 else sys.stdin.buffer
    validator = None
    if sys.argv[1] != "--bytes":
        import jsonschema
        schema = json.load(open(sys.argv[1]))
        jsonschema.Draft202012Validator.check_schema(schema)
        validator = jsonschema.Draft202012Validator(schema)
    lines = bad = 0
    for line in source:
        lines += 1
        try:
            if not line.endswith(b"\n"):
                raise ValueError("the line has no end")
            if validator:
                validator.validate(read(line))
            else:
                given, text = line.rstrip(b"\n").split(b"\t", 1)
                if as_bytes(read(text)) != bytes.fromhex(given.decode()):
                    raise ValueError("these bytes came back otherwise")
        except Exception as error:  # any exception means that this line is invalid
            bad += 1
            if bad <= 10:
                print("line %d: %s: %s" % (lines, str(error).split("\n")[0], line[:300]))
    print("%d lines, %d bad" % (lines, bad))
    return bad > 0 or lines == 0


sys.exit(main())
