# SPDX-License-Identifier: LGPL-2.1-or-later
"""Writes trace files that no recorder would write, in the format of doc/trace-format.md."""
import os
import struct

HEADER = struct.Struct("<8sHBBIIIQQqQQI")
META, EVENTS, INDEX, END, NAMES, STATE, THREADS = 1, 2, 3, 4, 5, 6, 7
(THREAD, BEGIN, STARTED, MEMORY, MISSING, FACT, FORGET, MODULE, STACK, AT, ENTER, EXIT, SIGNAL, GROUP, NEW, FORK,
 EXEC, EXITING, EXITED, VANISHED, LOST, ENDED, NAME, TAMPERED, IS, MAPS, IMAGE, PERF_MAP, CODE) = range(1, 30)
RAW, DIRENTS = 31, 32
FD_PATH, COMM = 0, 6
AUDIT = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7, "riscv64": 0xC00000F3}[os.uname().machine]

TABLE = []
for n in range(256):
    for _ in range(8):
        n = n >> 1 ^ (0x82F63B78 if n & 1 else 0)
    TABLE.append(n)


def crc32c(data):
    crc = 0xFFFFFFFF
    for byte in data:
        crc = crc >> 8 ^ TABLE[(crc ^ byte) & 255]
    return crc ^ 0xFFFFFFFF


def number(n):
    out = bytearray()
    while True:
        out.append(n & 127 | (128 if n > 127 else 0))
        n >>= 7
        if not n:
            return bytes(out)


def signed(n):
    n = (n + (1 << 63)) % (1 << 64) - (1 << 63)
    return number((n << 1 ^ n >> 63) & (1 << 64) - 1)


def text(b):
    return number(len(b)) + b


def record(kind, *fields):
    rest = b"".join(fields)
    return bytes([kind]) + text(rest)


def block(kind, body, first=0, last=None, real=0, sequence=0, lost=0, pack=None):
    """pack: compress the body as one zstd frame."""
    stored = pack(body) if pack else body
    header = HEADER.pack(b"\x89TRC\r\n\x1a\n", 1, kind, 1 if pack else 0, 0, len(stored), len(body), first,
                         first if last is None else last, real, sequence, lost, crc32c(stored))
    return header + struct.pack("<I", crc32c(header)) + stored


def meta(pairs, **header):
    return block(META, b"".join(text(k) + text(v) for k, v in pairs), **header)


def end(**header):
    return block(END, b"", last=0, **header)


def enter(ns, nr, args, bits=0):
    """A stop ENTER with all arguments, for a thread without an earlier stop in the block."""
    args = list(args) + [0] * (6 - len(args))
    return record(ENTER, signed(ns), number(bits | 8 | 0x7E0), number(nr), number(AUDIT), *map(signed, args))


def leave(ns, result):
    return record(EXIT, signed(ns), number(8 if result < 0 else 0), signed(result))
