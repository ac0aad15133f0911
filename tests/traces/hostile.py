# SPDX-License-Identifier: LGPL-2.1-or-later
"""Checks that the bytes of a trace only reach the output through the escaping for its format.

    hostile.py TRACER [TRACES [SEED]]

Writes traces in which every text contains bytes that could break a line, a JSON string, a page or a
terminal, and whose times and numbers are extreme. Reads each in every format, and checks the
output: JSON is parsed, lines of text must have the structure of lines and no control characters,
and pages must contain no foreign markup. Prints what is wrong and a summary. The status is 1 if
anything is.

"""
import csv
import json
import os
import random
import re
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import craft as c  # noqa: E402

TRACER = os.path.abspath(sys.argv[1])
TRACES = int(sys.argv[2]) if len(sys.argv) > 2 else 20
SEED = int(sys.argv[3]) if len(sys.argv) > 3 else 1
PIECES = [b'"', b"\\", b"\n", b"\r", b"\t", b"\x1b[31m", b"\x9b2J", b"\xc2\x9b", b"\x7f", b"\x01", b"</script>",
          b"<!--", b"<b>", b"&", b"'", b"\xff\xfe", b"\xed\xa0\x80", b"\xe2\x80\xae", b"\xf0\x9f\x98\x80", b"},{",
          b'","x":"', b"12 openat(1) = 0\n", b" > ", b";", b",", b"a", b"/lib/x.so", b" (deleted)"]
TIMES = [0, 1, 999, 1 << 31, 1 << 53, (1 << 60) - 1, 1 << 60, (1 << 62), (1 << 63) - 1, 1 << 63, (1 << 64) - 1]
NUMBERS = TIMES + [-1, -(1 << 63), 2, 3, 60, 255, 256, 4096, 0xDEADBEEF]
READ, WRITE, OPENAT, GETPPID, GETCWD = (
    (0, 1, 257, 110, 79) if os.uname().machine == "x86_64" else (63, 64, 56, 173, 17))
FORMATS = {
    "text": ["-k", "-yy", "-Y", "-v"], "times": ["-ttt", "-T", "-r"], "separately": ["-ff", "-tt"],
    "json": ["--format=json", "-k", "-yy", "-Y"], "once": ["--format=json", "--json-stacks=once", "-k"],
    "chrome": ["--format=chrome", "-k"], "folded": ["--format=folded"],
    "flamegraph": ["--format=flamegraph", "--weight=time"], "html": ["--format=html", "-k"],
    "summary": ["-c", "-w"], "paths": ["-c", "--summary-by=path"], "stacks": ["-c", "--summary-by=stack"],
    "csv": ["-c", "-w", "--format=csv"], "descriptors": ["--fd-report", "-q"],
    "diff": ["--diff"], "diff-json": ["--diff", "--format=json"], "diff-folded": ["--diff", "--format=folded"],
}


class Trace:
    def __init__(self, seed):
        self.r = random.Random(seed)

    def text(self):
        return b"".join(self.r.choice(PIECES) for _ in range(self.r.randrange(5)))

    def number(self):
        return self.r.choice(NUMBERS)

    def stack(self, n):
        frames = b"".join(c.number(3) + c.number(1 + self.r.randrange(2)) + c.number(self.number() & 2**64 - 1) +
                          c.text(self.text()) + c.number(self.number() & 2**64 - 1) for _ in range(3))
        return c.record(c.STACK, c.number(n), b"s", c.number(self.r.randrange(12)), c.number(1), c.number(3), frames)

    def call(self):
        at = 0x1000
        path = self.text() + b"\0"
        out = c.record(c.AT, c.number(1 + self.r.randrange(3))) if self.r.randrange(2) else b""
        nr = self.r.choice([READ, WRITE, OPENAT, GETPPID, GETCWD, 5000, self.number() & 0xFFFFFFFF])
        args = [3, at, len(path), self.number(), self.number(), self.number()]
        if self.r.randrange(8):
            out += c.record(c.MEMORY, c.signed(at), path)
        else:
            out += c.record(c.MISSING, c.signed(at), c.number(4096), c.number(14))
        out += c.enter(self.time(), nr, args)
        if self.r.randrange(10):
            if not self.r.randrange(3):
                out += c.record(c.TAMPERED, self.text())
            out += c.record(c.MEMORY, c.signed(at), path)
            out += c.leave(self.time(), self.r.choice([0, 3, len(path), self.number(), -2, -512]))
        return out

    def time(self):
        return self.r.choice([1000] * 8 + TIMES)

    def other(self):
        kind = self.r.randrange(6)
        if kind == 0:
            return c.record(c.LOST, c.signed(self.time()), c.number(self.number() & 2**64 - 1), c.text(self.text()))
        if kind == 1:
            info = self.r.randbytes(128)
            return c.record(c.SIGNAL, c.signed(self.time()), c.number(8), c.number(self.r.randrange(70)), c.text(info))
        if kind == 2:
            return c.record(c.FACT, c.number(c.COMM), c.signed(0), c.signed(7), c.signed(0), c.number(0),
                            c.number(0), c.number(0), c.text(self.text()[:15]))
        if kind == 3:
            return c.record(c.FORK, c.signed(self.time()), c.number(8), c.number(20 + self.r.randrange(3)))
        if kind == 4:
            return c.record(c.GROUP, c.signed(self.time()), c.number(0), c.number(self.r.randrange(70)))
        return c.record(c.THREAD, c.number(self.r.choice([7, 7, 20, 21])))

    def whole(self):
        names = [b"run", b"host", b"boot", b"kernel", b"machine", b"tracer", b"option", b"command", b"command",
                 b"zone", b"strings"]
        pairs = [(name, self.text()) for name in names] + [(b"stacks", b"1"), (b"follow", b"1"), (b"started", b"7")]
        first, real = self.r.choice(TIMES), self.r.choice(NUMBERS)
        real = real - (1 << 64) if real >= 1 << 63 else real
        path = self.text()
        body = c.record(c.BEGIN, c.number(7), c.number(7), c.number(2)) + c.record(c.STARTED)
        body += c.record(c.THREAD, c.number(7))
        body += c.record(c.FACT, c.number(c.FD_PATH), c.signed(7), c.signed(3), c.signed(0), c.number(0), c.number(0),
                         c.number(1), c.signed(len(path)), c.text(path))
        for n in (1, 2):
            body += c.record(c.MODULE, c.number(n), b"m", c.text(self.text()), c.text(self.text()),
                             c.number(n - 1))
        body += b"".join(self.stack(n) for n in (1, 2, 3))
        for _ in range(40):
            body += self.call() if self.r.randrange(3) else self.other()
        body += c.record(c.THREAD, c.number(7)) + c.record(c.EXITED, c.signed(1), c.number(0), c.number(256))
        return (c.meta(pairs, first=first, real=real) + c.block(c.EVENTS, body, first=first, real=real) +
                c.end(sequence=0))


def strict(data):
    """Parses JSON as strict readers do. Raises ValueError."""
    def twins(pairs):
        keys = [k for k, _ in pairs]
        if len(keys) != len(set(keys)):
            raise ValueError("a key stands twice: %s" % keys)
        return dict(pairs)

    def constant(name):
        raise ValueError(name)
    return json.loads(data.decode("utf-8"), object_pairs_hook=twins, parse_constant=constant)


def check_lines(data):
    """Lines of text must be UTF-8 without control characters, and each must begin as tracer begins
    lines."""
    for line in data.decode("utf-8").split("\n"):
        for char in line:
            if ord(char) < 32 or 0x7F <= ord(char) < 0xA0 or ord(char) in (0x2028, 0x2029, 0x202E):
                raise ValueError("control character %r in %r" % (char, line))


CALL = re.compile(r" > |[a-z_0-9]+\(|syscall_0x|<\.\.\. |--- |\+\+\+ |\?\?\?\?\(|\?\?\? ")


def check_text(data):
    check_lines(data)
    for line in data.decode().splitlines():
        rest = re.sub(r"^(\[pid +\d+\] |\d+(<[^>]*>)? +)?((\d+ )?[\d.:]+ +)*", "", line) if not line.startswith(" ") else line
        rest = re.sub(r"^\([+ ]*[\d.]+\) ", "", rest).lstrip("(+ ") if rest.startswith("(") else rest
        if not CALL.match(rest):
            raise ValueError("not a line of a log: %r" % line)


def check_csv(data):
    check_lines(data.replace(b"\r\n", b"\n"))
    rows = list(csv.reader(data.decode().splitlines(keepends=True), strict=True))
    if any(len(row) != len(rows[0]) for row in rows):
        raise ValueError("rows with %s columns" % {len(row) for row in rows})


def check_json(data):
    for line in data.splitlines():
        if not isinstance(strict(line), dict):
            raise ValueError("no object")


def check_chrome(data):
    for event in strict(data):
        for key in ("ts", "pid", "tid"):
            value = event.get(key, 0)
            if not isinstance(value, (int, float)) or not 0 <= value < 2**53:
                raise ValueError("%s is %r" % (key, value))


def check_page(data):
    """Text from the trace must not end the script that contains it, or begin a new one."""
    page = data.decode("utf-8")
    if re.search(r"<b>|<!--[^ ]", page):
        raise ValueError("markup of the trace: %r" % re.search(r".{40}(<b>|<!--[^ ]).{40}", page, re.S)[0])
    if page.count("<script") != page.count("</script>"):
        raise ValueError("%d scripts begin and %d end" % (page.count("<script"), page.count("</script>")))


CHECKS = {"csv": check_csv, "json": check_json, "once": check_json, "diff-json": check_json, "chrome": check_chrome,
          "html": check_page, "flamegraph": check_page, "text": check_text, "separately": check_text}


def read(folder, paths, name):
    """Returns what is wrong with the output in one format, or None."""
    options = [o + "=" + paths[1] if o == "--diff" else o for o in FORMATS[name]]
    log = os.path.join(folder, "log")
    env = dict(os.environ, TZ="UTC", LC_ALL="C")
    try:
        r = subprocess.run([TRACER, "-f", "-o", log, "--read-trace=" + paths[0]] + options, capture_output=True,
                           timeout=60, env=env, check=False)
    except subprocess.TimeoutExpired:
        return "does not end"
    data = b""
    for f in sorted(os.listdir(folder)):
        if f.startswith("log"):
            with open(os.path.join(folder, f), "rb") as log_file:
                data += log_file.read()
            os.unlink(os.path.join(folder, f))
    if r.returncode < 0 or b"Sanitizer" in r.stderr or b"runtime error" in r.stderr:
        return "status %d: %s" % (r.returncode, r.stderr.decode(errors="replace")[:2000])
    try:
        check_lines(r.stderr.replace(b"\t", b" "))
        CHECKS.get(name, check_lines)(data)
    except ValueError as error:
        return str(error)[:400]
    return None if data or r.stderr or "diff" in name else "nothing is written"


def main():
    wrong = 0
    with tempfile.TemporaryDirectory() as folder:
        for seed in range(SEED, SEED + TRACES):
            paths = []
            for n in (0, 1):
                paths.append(os.path.join(folder, "trace%d" % n))
                with open(paths[n], "wb") as f:
                    f.write(Trace(seed * 2 + n).whole())
            for name in FORMATS:
                what = read(folder, paths, name)
                if what:
                    wrong += 1
                    print("seed %d, %s: %s" % (seed, name, what))
    print("%d traces from seed %d in %d formats: %d wrong" % (TRACES, SEED, len(FORMATS), wrong))
    sys.exit(1 if wrong else 0)


main()
