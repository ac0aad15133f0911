# SPDX-License-Identifier: LGPL-2.1-or-later
"""Reads damaged traces with --read-trace: truncated at each byte, and with single bits flipped.

    damage.py TRACER [FLIPS [SEED]]

Each of these traces must be read within ten seconds, with status 1 and one line that says what is
wrong. Each call outside of the damaged block must be shown as in the undamaged trace. Prints the
differences and a summary. The status is 1 if there are any.

"""
import collections
import concurrent.futures
import os
import random
import re
import struct
import subprocess
import sys
import tempfile

TRACER = os.path.abspath(sys.argv[1])
FLIPS = int(sys.argv[2]) if len(sys.argv) > 2 else 10000
SEED = int(sys.argv[3]) if len(sys.argv) > 3 else 1
COMMAND = "umask; sleep 0.1; cd /; sleep 0.1; (exit 3)"
HEADER = struct.Struct("<8sHBBIIIQQqQQII")
OPTIONS = [["-ttt", "-T"], ["-ttt", "-T"], ["-ttt", "-k", "-yy"], ["-c", "-w"], ["--format=json", "-k"]]


def blocks(data):
    """Returns offset, end, kind, and the first and last time (seconds since 1970) of each block."""
    at = 0
    while at < len(data):
        h = HEADER.unpack_from(data, at)
        kind, size, first, last, real = h[2], h[5], h[7], h[8], h[9]
        end = at + HEADER.size + size
        yield at, end, kind, (first + real) / 1e9, (last + real) / 1e9
        at = end


def read(path, options):
    """Returns status, messages and log of --read-trace. The status is None if it does not end."""
    command = [TRACER, "-f", "-o", "/dev/stdout", "--read-trace=" + path] + options
    try:
        r = subprocess.run(command, capture_output=True, timeout=10)
    except subprocess.TimeoutExpired:
        return None, "", ""
    return r.returncode, r.stderr.decode(errors="replace"), r.stdout.decode(errors="replace")


def calls(log):
    """Returns the lines of a log by the time at their beginning, without lines about exits."""
    lines = collections.Counter()
    for line in log.splitlines():
        fields = line.split(None, 2)
        if (len(fields) == 3 and re.fullmatch(r"[0-9.]+", fields[1]) and "detached" not in line
                and "exited with" not in line):
            lines[(float(fields[1]), fields[2])] += 1
    return lines


def ended(line):
    """Returns the end time of the call with this -T duration. It may be in a later block than the
    start of the call."""
    if line[1].endswith("= ?"):
        return float("inf")  # the call ended when its thread ended
    duration = re.search(r" <([0-9.]+)>$", line[1])
    return line[0] + (float(duration[1]) if duration else 0)


class Check:
    def __init__(self, data, whole, folder):
        self.data, self.whole, self.folder = data, whole, folder
        self.blocks = list(blocks(data))

    def missing(self, log, damaged):
        """Returns the lines that are missing although all blocks that they come from are intact."""
        gone = [b for b in self.blocks if damaged(b)]
        return [line for line in self.whole - calls(log)
                if not any(b[3] - 0.001 <= ended(line) and line[0] <= b[4] + 0.001 for b in gone)
                and "unfinished" not in line[1] and "resumed" not in line[1]]

    def one(self, n, data, what, options, damaged):
        """Returns a description of what is wrong with the reading of a damaged trace, or None."""
        path = os.path.join(self.folder, "damaged.%d" % n)
        with open(path, "wb") as f:
            f.write(data)
        status, messages, log = read(path, options)
        os.unlink(path)
        if status is None:
            return "%s: does not end" % what
        if status != 1 or messages.count("\n") != 1:
            return "%s: status %d: %s" % (what, status, messages[:300])
        if options == OPTIONS[0]:
            missing = self.missing(log, damaged)
            if missing:
                return "%s: %d lines are missing, as %s" % (what, len(missing), missing[0])
        return None

    def cut(self, n):
        options = OPTIONS[n % len(OPTIONS)]
        return self.one(n, self.data[:n], "cut at %d" % n, options, lambda b: b[1] > n)

    def flip(self, n):
        at = random.Random(SEED * 1000003 + n).randrange(len(self.data) * 8)
        data = bytearray(self.data)
        data[at // 8] ^= 1 << at % 8
        options = OPTIONS[n % len(OPTIONS)]
        what = "bit %d of byte %d" % (at % 8, at // 8)
        return self.one(len(self.data) + n, data, what, options, lambda b: b[0] <= at // 8 < b[1])


def main():
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "trace")
        subprocess.run([TRACER, "-f", "-k", "--write-trace=" + path, "sh", "-c", COMMAND], cwd=folder,
                       stdout=subprocess.DEVNULL, check=False)
        with open(path, "rb") as f:
            data = f.read()
        status, messages, log = read(path, OPTIONS[0])
        if status or messages:
            sys.exit("the whole trace: status %s: %s" % (status, messages))
        check = Check(data, calls(log), folder)
        wrong = []
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            # A file that ends within its first block is not recognized as a trace. The message
            # about that has one line, too.
            wrong += [w for w in pool.map(check.cut, range(len(data))) if w]
            wrong += [w for w in pool.map(check.flip, range(FLIPS)) if w]
        for w in wrong[:20]:
            print(w)
        print("%d bytes, %d blocks: cut at each byte, %d bits changed (seed %d): %d wrong" %
              (len(data), len(check.blocks), FLIPS, SEED, len(wrong)))
        sys.exit(1 if wrong else 0)


main()
