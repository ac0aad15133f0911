#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""tests/hostile/kill.py: kills tracer at random moments, with every output format (make check-kill
N=1000).

The program makes numbered calls and notes the time at which each call returned. After tracer has
been killed, the program must continue untraced. The log must contain all calls except those that
returned during the last LAG milliseconds, and it must end with a complete line. If tracer was
killed during a write, the log may instead end at a page boundary; the number of such logs is
printed. Calls that tracer could not write in time because it had no CPU are counted separately.
For formats that are written only at the end, only the program is checked. make check-kill sets
TRACER, BUILD and CC. N, SEED and LAG (100) are optional.

"""
import json
import mmap
import os
import random
import re
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
BUILD = os.environ.get("BUILD", os.path.join(HERE, "../.."))
TRACER = os.environ.get("TRACER", os.path.join(BUILD, "tracer"))
WORK = os.environ.get("WORK", os.path.join(BUILD, "tests/work"))
N = int(os.environ.get("N") or 100)
LAG = float(os.environ.get("LAG") or 100)
CALLS = 2000000  # more calls than the program can make in the longest wait
FIRST = 1000000000
PAGE = 4096

# The sets of options, and for each of them whether the log is written while events occur.
FORMATS = [
    ("-f", True),
    ("-ff", True),
    ("-f -k", True),
    ("-f -t -T -yy", True),
    ("-f --format=json", True),
    ("-ff --format=json -k", True),
    ("-f --format=chrome", True),
    ("-f --format=folded -k", False),
    ("-f --format=flamegraph -k", False),
    ("-f --format=html", False),
    ("-f -c", False),
    ("-f --write-trace=log.trace", True),
]


def numbers_in(text):
    """Returns the numbers of the calls in a log of any format. The numbers are pids or arguments of
    getpgid."""
    return {int(m) - FIRST for m in re.findall(r"\b(10\d{8})\b", text)}


def text_of(directory, options):
    """Returns the log, and what is wrong with its end."""
    whole, wrong, cut = "", [], 0
    if "--write-trace" in options:
        path = os.path.join(directory, "log.trace")
        if not os.path.exists(path):
            return "", [], 0
        r = subprocess.run([TRACER, "--read-trace=" + path, "-o", "/dev/stdout"], capture_output=True,
                           text=True, errors="replace", timeout=120)
        return r.stdout, [], 0
    for name in os.listdir(directory):
        if not name.startswith("log"):
            continue
        with open(os.path.join(directory, name), "rb") as f:
            data = f.read()
        if data and not data.endswith(b"\n"):
            if len(data) % PAGE:
                wrong.append("half a line: " + repr(data[-60:]))
            cut += 1
        whole += data.decode(errors="replace")
    if "json" in options:
        for line in whole.splitlines()[:-1]:
            json.loads(line)
    return whole, wrong, cut


def state(pid):
    """Returns the letter of the process's state and the pid of its tracer, or None."""
    try:
        with open(f"/proc/{pid}/status") as f:
            text = f.read()
    except OSError:
        return None
    return re.search(r"^State:\s+(\S)", text, re.M)[1], int(re.search(r"^TracerPid:\s+(\d+)", text, re.M)[1])


def child_of(pid):
    """Returns the program that tracer started. The namer process is not a child of tracer."""
    try:
        with open(f"/proc/{pid}/task/{pid}/children") as f:
            children = f.read().split()
        return int(children[0]) if children else None
    except OSError:
        return None


class Watch:
    """Samples for how long a process was ready to run but had no CPU."""

    def __init__(self, pid):
        self.pid, self.samples = pid, []

    def sample(self):
        now = time.clock_gettime_ns(time.CLOCK_MONOTONIC)
        with open(f"/proc/{self.pid}/schedstat") as f:
            ran, waited, _ = map(int, f.read().split())
        with open(f"/proc/{self.pid}/stat") as f:
            state = f.read().rsplit(")", 1)[1].split()[0]
        self.samples.append((now, ran, waited, state == "R", state))

    def waited(self, since, until):
        """Returns the nanoseconds of waiting between two times."""
        before = [s for s in self.samples if s[0] <= since][-1:] or self.samples[:1]
        last = self.samples[-1]
        waited = last[2] - before[0][2]
        # A wait is only counted when it ends.
        for s in reversed(self.samples):
            if s[1] != last[1] or not s[3]:
                break
            begin = s[0]
        else:
            begin = self.samples[0][0]
        if last[3]:
            waited += until - max(begin, since)
        return min(waited, until - since)


def wait_for(what, seconds=60):
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        result = what()
        if result:
            return result
        time.sleep(0.002)
    return None


def kill_once(program, options, live, rng):
    """Returns (what is wrong, what is late, milliseconds missing, those without a CPU, logs cut at
    a page, calls)."""
    work = tempfile.mkdtemp(dir=WORK)
    # Make few calls in half of the runs, so that the log grows slowly.
    count = CALLS + rng.randrange(2)
    output = [] if "--write-trace" in options else ["-o", "log"]
    tracer = subprocess.Popen([TRACER, *options.split(), *output, program, "times", str(count)],
                              cwd=work, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    times_path = os.path.join(work, "times")
    wrong, told, lag, starved, cut, last = [], [], 0.0, 0.0, 0, 0

    def begun():
        return os.path.exists(times_path) and os.path.getsize(times_path) >= 8 * (CALLS + 1)

    try:
        if not wait_for(begun):
            return ["the program did not begin"], [], 0.0, 0.0, 0, 0
        pid = child_of(tracer.pid)
        watch = Watch(tracer.pid)
        until = time.monotonic() + rng.uniform(0, 0.4)
        while time.monotonic() < until:
            watch.sample()
            time.sleep(0.005)
        watch.sample()
        killed = time.clock_gettime_ns(time.CLOCK_MONOTONIC)
        tracer.send_signal(signal.SIGKILL)
        tracer.wait()
        now = state(pid)
        if now and (now[0] in "tT" or now[1]):
            time.sleep(0.05)
            now = state(pid)
        if not now:
            wrong.append("the program is gone")
        elif now[0] in "tT" or now[1]:
            wrong.append(f"the program is in state {now[0]}, traced by {now[1]}")
        open(os.path.join(work, "done"), "w").close()
        if not wait_for(lambda: not state(pid) or state(pid)[0] == "Z"):
            wrong.append("the program does not end")
            os.kill(pid, signal.SIGKILL)
        if live:
            with open(times_path, "rb") as f:
                times = mmap.mmap(f.fileno(), 0, prot=mmap.PROT_READ)
            text, bad, cut = text_of(work, options)
            wrong += bad
            seen = numbers_in(text)
            last = max(seen, default=0)
            missing = [i for i in range(1, last) if i not in seen]
            if missing:
                wrong.append(f"{len(missing)} calls are missing before the last, {missing[:3]}")
            # The first call that is missing in the log, if it had returned before the kill.
            (at,) = struct.unpack_from("q", times, 8 * (last + 1))
            if 0 < at < killed:
                lag = (killed - at) / 1e6
                starved = watch.waited(at, killed) / 1e6
                if lag - starved > LAG:
                    told.append(f"{lag:.0f} ms, {starved:.0f} of them without a CPU, tracer's states in the end: "
                                + "".join(s[4] for s in watch.samples if s[0] >= at))
            times.close()
    finally:
        shutil.rmtree(work, ignore_errors=True)
    return wrong, told, lag, starved, cut, last


def main():
    os.makedirs(WORK, exist_ok=True)
    program = os.path.join(WORK, "hostile_program")
    subprocess.run([*os.environ.get("CC", "cc").split(), "-std=gnu11", "-D_GNU_SOURCE", "-O1", "-pthread", "-o", program,
                    *(os.path.join(HERE, f) for f in ("hostile.c", "load.c", "served.c"))], check=True)
    rng = random.Random(int(os.environ.get("SEED") or 1))
    failed = False
    for f, (options, live) in enumerate(FORMATS):
        if os.environ.get("FORMATS", options) != options:
            continue
        runs = (N + len(FORMATS) - 1 - f) // len(FORMATS)
        lags, own, cuts, calls, bad, told_late = [], [], 0, 0, [], []
        for _ in range(runs):
            wrong, late_told, lag, starved, cut, n = kill_once(program, options, live, rng)
            bad += wrong
            told_late += late_told
            calls += n
            cuts += bool(cut)
            lags.append(lag)
            own.append(lag - starved)
        late = sum(lag > LAG for lag in own)
        ok = not bad and not late
        failed |= not ok
        told = f"killed {runs} times"
        if live:
            told += (f", {calls} calls, missing at the end at most {max(own, default=0):.0f} ms "
                     f"({max(lags, default=0):.0f} with the time that tracer waited for a CPU), "
                     f"more than {LAG:.0f} ms: {late}, cut at a page: {cuts}")
        print(f"{'ok' if ok else 'not ok'} kill {options}: {told}")
        for line in (bad + told_late)[:5]:
            print("# " + line[:300])
        sys.stdout.flush()
    sys.exit(failed)


main()
