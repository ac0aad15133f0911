# SPDX-License-Identifier: LGPL-2.1-or-later
"""Measures how much of a trace is missing if its recorder is killed.

    killed.py TRACER [KILLS]

Kills tracer with SIGKILL at random moments of the first second of a recording, and reads the trace.
Half of the recorded programs only make calls. Prints how many milliseconds before the kill the
first missing call returned. The status is 1 if a trace cannot be read, or if more than 1% of these
times are longer than 100 ms. Other load may delay the thread that writes, so the test raises its
priority if permitted.

"""
import contextlib
import os
import random
import struct
import subprocess
import sys
import tempfile
import time

TRACER = os.path.abspath(sys.argv[1])
KILLS = int(sys.argv[2]) if len(sys.argv) > 2 else 200
SOURCE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "killed.c")


def go_first():
    """Raises the priority, if permitted, so that other load does not delay the test. Sessions share
    a CPU by autogroups (sched(7)), which have their own priority."""
    os.setsid()
    with contextlib.suppress(OSError), open("/proc/self/autogroup", "w", encoding="ascii") as group:
        group.write("-20")
    with contextlib.suppress(OSError):
        os.setpriority(os.PRIO_PROCESS, 0, -20)


def kill_one(pause):
    """Returns how many milliseconds before the kill the first missing call returned: 0 if no call
    is missing, None if the trace cannot be read."""
    with subprocess.Popen([TRACER, "--kill-on-exit", "--write-trace=trace", "./killed", "times", str(pause)],
                          stderr=subprocess.DEVNULL, preexec_fn=go_first) as p:
        while not os.path.exists("times") or not os.path.getsize("times"):
            time.sleep(0.01)
        time.sleep(random.uniform(0, 1))
        at = time.monotonic_ns()
        p.kill()
    with open("times", "rb") as f:
        done, = struct.unpack("<Q", f.read(8))
        times = struct.unpack("<%dQ" % done, f.read(8 * done))
    os.unlink("times")
    r = subprocess.run([TRACER, "-q", "-e", "trace=lseek", "--read-trace=trace"], capture_output=True, check=False)
    last = max((int(line.split(b",")[1]) for line in r.stderr.splitlines()
                if line.startswith(b"lseek(-1") and b"= -1" in line), default=None)
    if r.returncode != 1 or r.stderr.count(b"tracer: ") > 1:
        print("not read well: status %d: %s" % (r.returncode, r.stderr[-300:]))
        return None
    missing = [t for t in times if t <= at and (last is None or t > last)]
    return (at - missing[0]) / 1e6 if missing else 0


def main():
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        subprocess.run([os.environ.get("CC", "cc"), "-O1", "-o", "killed", SOURCE], check=True)
        lags = [kill_one(i % 2 * 2000) for i in range(KILLS)]
        os.chdir("/")
    read = sorted(lag for lag in lags if lag is not None)
    late = sum(lag > 100 for lag in read)
    print("%d kills, %d traces read; missing before the kill: median %.1f ms, 90%% %.1f ms, most %.1f ms; more than "
          "100 ms: %d; load %.1f" % (len(lags), len(read), read[len(read) // 2], read[len(read) * 9 // 10], read[-1],
                                     late, os.getloadavg()[0]))
    sys.exit(len(read) < len(lags) or late * 100 > len(lags))


main()
