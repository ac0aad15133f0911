#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""tests/hostile/soak.py: a mixed load under -k -f for TIME seconds (make soak TIME=1800).

The load creates threads, processes and mappings, executes programs and sends signals. The program
counts its getpgid calls, and the log must contain the same number. The log goes through a pipe and
is not stored. tracer's memory usage and open descriptors are measured twenty times. After a quarter
of the time, they must not increase. make soak sets TRACER, BUILD and CC. TIME (60) and OPTIONS
(-k -f) are optional.

"""
import os
import re
import subprocess
import sys
import tempfile
import threading
import time

HERE = os.path.dirname(os.path.abspath(__file__))
BUILD = os.environ.get("BUILD", os.path.join(HERE, "../.."))
TRACER = os.environ.get("TRACER", os.path.join(BUILD, "tracer"))
WORK = os.environ.get("WORK", os.path.join(BUILD, "tests/work"))
TIME = int(os.environ.get("TIME") or 60)
OPTIONS = (os.environ.get("OPTIONS") or "-k -f").split()
SAMPLES = 20
GROWTH = 4096  # KiB of growth that are allowed after a quarter of the time


def memory_of(pid):
    with open(f"/proc/{pid}/status") as f:
        return int(re.search(r"^VmRSS:\s+(\d+)", f.read(), re.M)[1])


class Counter(threading.Thread):
    """Reads the log from a pipe and counts events, stacks and getpgid calls."""

    def __init__(self, stream):
        super().__init__()
        self.stream, self.lines, self.frames, self.calls, self.ends, self.forks = stream, 0, 0, 0, 0, 0

    def run(self):
        rest = b""
        while True:
            part = self.stream.read1(1 << 20)
            if not part:
                break
            # Use only whole lines, so that no word is split.
            part = rest + part
            end = part.rfind(b"\n") + 1
            rest, part = part[end:], part[:end]
            n = part.count(b"\n")
            frames = part.count(b"\n >") + part.startswith(b" >")
            self.lines += n
            self.frames += frames
            self.calls += part.count(b" getpgid(0")
            self.ends += part.count(b" +++ exited with ")


def main():
    os.makedirs(WORK, exist_ok=True)
    program = os.path.join(WORK, "hostile_program")
    subprocess.run([*os.environ.get("CC", "cc").split(), "-std=gnu11", "-D_GNU_SOURCE", "-O1", "-pthread", "-o", program,
                    *(os.path.join(HERE, f) for f in ("hostile.c", "load.c", "served.c"))], check=True)
    with tempfile.TemporaryFile("w+") as out, tempfile.TemporaryFile("w+") as err:
        r, w = os.pipe()
        tracer = subprocess.Popen([TRACER, *OPTIONS, "-o", f"/dev/fd/{w}", program, "soak", str(TIME)], pass_fds=[w],
                                  stdout=out, stderr=err)
        os.close(w)
        counter = Counter(os.fdopen(r, "rb"))
        counter.start()
        begin, samples = time.monotonic(), []
        for i in range(1, SAMPLES):
            time.sleep(max(0, begin + TIME * i / SAMPLES - time.monotonic()))
            try:
                samples.append((memory_of(tracer.pid), len(os.listdir(f"/proc/{tracer.pid}/fd"))))
            except (OSError, TypeError):
                break
            print(f"# {time.monotonic() - begin:.0f} s: {samples[-1][0]} KiB, {samples[-1][1]} descriptors, "
                  f"{counter.lines - counter.frames} events", flush=True)
        status = tracer.wait()
        counter.join()
        out.seek(0)
        err.seek(0)
        truth, messages = out.read().split(), err.read()
    settled = samples[len(samples) // 4:]
    # The shell's /dev/fd/N is one more open descriptor.
    grown = max(m for m, _ in settled) - settled[0][0]
    fds = max(n for _, n in settled) - min(n for _, n in settled)
    checks = [
        (f"status {status}", status == 0),
        (f"messages: {messages[:200]!r}", not messages),
        (f"calls: {truth} counted by the program, {counter.calls} in the log",
         len(truth) == 2 and int(truth[0]) <= counter.calls <= int(truth[1])),
        (f"{counter.lines - counter.frames} events, {counter.frames} frames, {counter.ends} ends of threads", True),
        (f"memory: {settled[0][0]} KiB after a quarter of the time, at most {grown} more later", grown <= GROWTH),
        (f"descriptors: between {min(n for _, n in settled)} and {max(n for _, n in settled)}", fds <= 2),
    ]
    for told, ok in checks:
        print(f"{'ok' if ok else 'not ok'} soak {told}")
    sys.exit(not all(ok for _, ok in checks))


main()
