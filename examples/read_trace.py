#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Reads a trace written by --write-trace and counts the calls of each thread. This is an example of
a reader that is based only on doc/trace-format.md. It needs the program zstd.

    read_trace.py FILE            prints the metadata and counts the calls by syscall number
    read_trace.py --calls FILE    prints each call: time, thread, number, arguments, result
"""
import collections
import struct
import subprocess
import sys

MAGIC = b"\x89TRC\r\n\x1a\n"
HEADER = struct.Struct("<8sHBBIIIQQqQQII")
META, EVENTS, INDEX, END = 1, 2, 3, 4
THREAD, BEGIN, ENTER, EXIT, NEW, EXEC, LOST, ENDED = 1, 2, 11, 12, 15, 17, 21, 22
REQUESTS = 33, 34, 35  # SUBMITTED, PUNTED, COMPLETED


def crc32c(data):
    crc = 0xFFFFFFFF
    for byte in data:
        crc ^= byte
        for _ in range(8):
            crc = crc >> 1 ^ (0x82F63B78 if crc & 1 else 0)
    return crc ^ 0xFFFFFFFF


def blocks(data):
    """Yields the blocks of a file: kind, first time, offset of real time, body."""
    at = 0
    while True:
        at = data.find(MAGIC, at)
        if at < 0 or at + HEADER.size > len(data):
            return
        (_, version, kind, how, _, packed, size, first, _, real, _, _, crc, own) = (
            HEADER.unpack_from(data, at))
        body = data[at + HEADER.size:at + HEADER.size + packed]
        if own != crc32c(data[at:at + HEADER.size - 4]) or len(body) < packed:
            at += 1
            continue
        if version > 1:
            sys.exit("a newer version of the format")
        if how == 1:
            body = subprocess.run(["zstd", "-dcq"], input=body, stdout=subprocess.PIPE,
                                  check=True).stdout
        assert len(body) == size
        yield kind, first, real, body
        at += HEADER.size + packed


class Input:
    def __init__(self, data):
        self.data, self.at = data, 0

    def number(self):
        value = shift = 0
        while True:
            byte = self.data[self.at]
            self.at += 1
            value |= (byte & 0x7F) << shift
            shift += 7
            if not byte & 0x80:
                return value

    def signed(self):
        value = self.number()
        return value >> 1 ^ -(value & 1)

    def bytes(self):
        n = self.number()
        self.at += n
        return self.data[self.at - n:self.at]


def meta(body):
    pairs = Input(body)
    while pairs.at < len(body):
        yield pairs.bytes().decode(), pairs.bytes().decode(errors="replace")


def calls(body, first, running, starting):
    """Yields each call that returns in the block: time, number, arguments, thread, result. Calls that
    do not return yet are kept in running, for the following blocks. Threads in starting have not
    executed the command yet, so their calls are those of the recorder."""
    records, thread, time, args = Input(body), 0, first, {}
    while records.at < len(body):
        kind = body[records.at]
        records.at += 1
        rest = Input(records.bytes())
        if kind == THREAD:
            thread = rest.number()
        if kind == BEGIN:
            begun, _, is_before = rest.number(), rest.number(), rest.number() & 4
            if is_before:
                starting.add(begun)
        if (kind < ENTER or kind > LOST) and kind not in REQUESTS:
            continue
        time += rest.signed()
        if kind == LOST:
            continue
        bits = rest.number()
        for bit in 1, 2, 4:
            if bits & bit:
                rest.signed()
        if kind == EXEC:
            starting.discard(thread)
        if kind == NEW and bits & 2048:
            rest.number(), rest.number()
        if (kind == ENTER and not bits & 16) or (kind == NEW and bits & 2048):
            number = rest.number()
            if bits & 8:
                rest.number()
            known = args.setdefault(thread, [0] * 6)
            for i in range(6):
                if bits & 32 << i:
                    known[i] = rest.signed() & 0xFFFFFFFFFFFFFFFF
            running[thread] = time, number, list(known)
        elif kind == EXIT and thread in running:
            call = *running.pop(thread), thread, rest.signed()
            if thread not in starting:
                yield call


def main():
    each = "--calls" in sys.argv[1:]
    names = [a for a in sys.argv[1:] if a != "--calls"]
    if len(names) != 1:
        sys.exit(__doc__)
    with open(names[0], "rb") as file:
        data = file.read()
    counts, running, starting = collections.Counter(), {}, set()
    for kind, first, real, body in blocks(data):
        if kind == META and not each:
            for name, text in meta(body):
                print(f"{name}: {text}")
        if kind != EVENTS:
            continue
        for time, number, args, thread, result in calls(body, first, running, starting):
            counts[number] += 1
            if each:
                print(f"{(time + real) / 1e9:.6f} {thread} {number}(" +
                      ", ".join(f"{a:#x}" for a in args) + f") = {result}")
    if not each:
        for number, n in counts.most_common():
            print(f"{n:8} calls of number {number}")


main()
