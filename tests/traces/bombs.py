# SPDX-License-Identifier: LGPL-2.1-or-later
"""Small traces that could make a reader use gigabytes, or run for hours. Reading them must end
early.

    bombs.py TRACER

Reading each trace must end within 30 s of CPU time and within MAX_MIB of memory, with status 1 and
a message that says so; traces that are only slow must be read completely. Prints a line for each
failure, and a summary.

"""
import os
import struct
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import craft as c  # noqa: E402

TRACER = os.path.abspath(sys.argv[1])
MAX_MIB = int(os.environ.get("MAX_MIB", "700"))
RUN = 4000  # the size of each item in bytes; most bytes are equal
PER_BLOCK = 250


class Body:
    """The body of a block, compressed as one zstd frame, in which a run of equal bytes takes four
    bytes."""
    def __init__(self):
        self.parts, self.size = [], 0

    def add(self, data):
        self.parts.append(struct.pack("<I", len(data) << 3)[:3] + data)
        self.size += len(data)

    def run(self, byte, n):
        self.parts.append(struct.pack("<I", n << 3 | 2)[:3] + byte)
        self.size += n

    def record(self, kind, before, n, after=b""):
        """Adds a record whose fields are some bytes, a run of n bytes, and more bytes."""
        self.add(bytes([kind]) + c.number(len(before) + n + len(after)) + before)
        self.run(b"a", n)
        if after:
            self.add(after)

    def block(self, kind=c.EVENTS):
        stored = b"\x28\xb5\x2f\xfd\xa0" + struct.pack("<I", self.size) + b"".join(self.parts) + b"\1\0\0"
        header = c.HEADER.pack(b"\x89TRC\r\n\x1a\n", 1, kind, 1, 0, len(stored), self.size, 1, 1, 0, 0, 0,
                               c.crc32c(stored))
        return header + struct.pack("<I", c.crc32c(header)) + stored


def long_text(i):
    """Returns the beginning of a text of RUN bytes that differs for each i."""
    return c.number(RUN) + b"%08d" % i


def modules(b, i):
    if i % PER_BLOCK == 0:
        b.add(c.record(c.FORGET))
    b.record(c.MODULE, c.number(i + 1) + b"m" + long_text(i), RUN - 8, c.text(b"") + c.number(1))


def symbols(b, i):
    if not i:
        b.add(c.record(c.MODULE, c.number(1), b"m", c.text(b"x"), c.text(b""), c.number(0)))
    b.record(c.STACK, c.number(i) + b"s" + c.number(0) + c.number(0) + c.number(1) + c.number(2) + c.number(1) +
             c.number(i) + long_text(i), RUN - 8, c.number(0))


def frames(b, i):
    if not i:
        b.add(c.record(c.MODULE, c.number(1), b"m", c.text(b"x"), c.text(b""), c.number(0)))
    fields = c.number(i) + b"s" + c.number(0) + c.number(0) + c.number(4096)
    b.add(bytes([c.STACK]) + c.number(len(fields) + 3 * 4096) + fields)
    b.run(b"\1", 3 * 4096)


def images(b, i):
    b.record(c.IMAGE, c.number(i), RUN)


def maps(b, i):
    if not i:
        b.record(c.MODULE, c.number(1) + b"m" + long_text(0), RUN - 8, c.text(b"") + c.number(1))
    fields = c.number(i) + b"p" + c.number(1000) + c.number(i << 32) + b"\1\1\1"
    b.add(bytes([c.MAPS]) + c.number(len(fields) + 4 * 999) + fields)
    b.run(b"\1", 4 * 999)


def perf_maps(b, i):
    b.record(c.PERF_MAP, c.number(i // 16000 + 1) + c.number(i % 16000 * RUN), RUN)


def facts(b, i):
    b.record(c.FACT, c.number(c.FD_PATH) + c.signed(7) + c.signed(i) + c.signed(0) + c.number(0) + c.number(0) +
             c.number(0) + long_text(i), RUN - 8)


def names(b, i):
    if i % PER_BLOCK == 0:
        b.add(c.record(c.MODULE, c.number(1), b"m", c.text(b"x"), c.text(b""), c.number(1)))
    b.record(c.NAME, c.number(1) + c.number(0) + c.number(i) + long_text(i), RUN - 8,
             c.number(0) + c.text(b"") + c.number(0) + c.number(0))


def calls(b, i):
    """Each thread enters openat with a path of RUN bytes, and never returns."""
    b.add(c.record(c.THREAD, c.number(i + 1)))
    b.record(c.MEMORY, c.signed(0x1000), RUN, b"\0")
    b.add(c.enter(0, 257 if c.AUDIT == 0xC000003E else 56, [3, 0x1000]))


BOMBS = {f.__name__: f for f in (modules, symbols, frames, images, maps, perf_maps, facts, names, calls)}
META = [(b"stacks", b"1")]


def bomb(make, n, raw):
    out = c.meta(META + ([(b"raw-stacks", b"1")] if raw else []), first=1)
    for first in range(0, n, PER_BLOCK):
        b = Body()
        for i in range(first, min(first + PER_BLOCK, n)):
            make(b, i)
            if b.size > 900000:
                out += b.block(c.NAMES if make is names else c.EVENTS)
                b = Body()
        out += b.block(c.NAMES if make is names else c.EVENTS)
    return out + c.end()


def slow():
    """Keys that all have the same slot in a hash table, if the hash function is known."""
    b = Body()
    for i in range(20000):
        b.add(c.record(c.FACT, c.number(c.FD_PATH), c.signed(i), c.signed(i << 32), c.signed(0), c.number(0),
                       c.number(0), c.number(0), c.text(b"")))
    return c.meta(META, first=1) + b.block() + c.end()


def read(path, options):
    """Returns status, seconds, MiB and messages."""
    began = time.monotonic()
    with tempfile.TemporaryFile() as err:
        p = subprocess.Popen([TRACER, "-f", "-o", "/dev/null", "--read-trace=" + path] + options, stderr=err)
        _, status, usage = os.wait4(p.pid, 0)
        p.returncode = os.waitstatus_to_exitcode(status)
        err.seek(0)
        return p.returncode, time.monotonic() - began, usage, err.read().decode(errors="replace")


def main():
    wrong, made = 0, 0
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "bomb")
        for name, make in BOMBS.items():
            count = {"facts": 30000, "maps": 15000, "frames": 30000}.get(name, 100000)
            with open(path, "wb") as f:
                f.write(bomb(make, count, name in ("images", "maps", "perf_maps")))
            status, seconds, usage, said = read(path, ["-k"])
            made += 1
            mib = usage.ru_maxrss >> 10
            if os.environ.get("VERBOSE"):
                print("%s: %d KiB, status %d, %.1f s, of CPU %.1f, %d MiB" % (
                    name, os.path.getsize(path) >> 10, status, seconds, usage.ru_utime + usage.ru_stime, mib))
            ended = "takes more than 256 MiB of memory: the rest is not read" in said
            # Facts beyond the limit are dropped, so reading may succeed.
            if not (status == 1 and ended or name == "facts" and not status) or mib > MAX_MIB or usage.ru_utime > 30:
                wrong += 1
                print("%s: status %d, %.1f s, %d MiB: %s" % (name, status, seconds, mib, said[-200:]))
        with open(path, "wb") as f:
            f.write(slow())
        status, seconds, usage, said = read(path, [])
        made += 1
        if status or usage.ru_utime > 2:
            wrong += 1
            print("keys of one slot: status %d, %.1f s of CPU: %s" % (status, usage.ru_utime, said[-200:]))
    print("%d bombs: %d wrong" % (made, wrong))
    sys.exit(1 if wrong else 0)


main()
