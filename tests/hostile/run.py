#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""tests/hostile/run.py: traces programs that are difficult to trace (hostile.c), with several sets
of options.

Each program prints the number of its getpgid() calls, and the log must contain the same number.
tracer must exit with the program's status, in time, without messages, and without using much
memory. make check sets TRACER, BUILD, CC and ONLY. LONG=1, which make check-hostile sets, makes
each program run longer.
"""
import json
import os
import platform
import re
import shutil
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
BUILD = os.environ.get("BUILD", os.path.join(HERE, "../.."))
TRACER = os.environ.get("TRACER", os.path.join(BUILD, "tracer"))
WORK = os.environ.get("WORK", os.path.join(BUILD, "tests/work"))
LONG = bool(os.environ.get("LONG"))
# Time limit in seconds for one program with one set of options. It is long, for busy machines.
TIMEOUT = 600 if LONG else 120
# How much memory one event may take in addition to tracer's usual memory, in KiB
# (decode/core/budget.h).
MEMORY = 56 << 10
# The status of a program that lacks the permission for its test.
NOT_PERMITTED = 77

# The programs: the name, the size of a normal run, and the size with LONG=1.
SCENARIOS = [
    ("threads", 300, 20000),
    ("forks", 100, 3000),
    ("vforks", 30, 2000),
    ("execs", 10, 300),
    ("storm", 300, 20000),
    ("blocked", 50, 5000),
    ("traces", 20, 1000),
    ("unmapped", 100, 10000),
    ("remapped", 100, 10000),
    ("huge", 1, 2),
    ("namespaces", 5, 200),
    ("strict", 5, 500),
    ("filtered", 50, 5000),
    ("setid", 2, 50),
    # tracer may wait a tenth of a second for each of these pages, so there are only a few of them.
    ("userfaults", 5, 40),
    ("fuse", 5, 40),
    ("fuse-program", 1, 10),
    ("fuse-overlay", 1, 10),
    ("fuse-names", 5, 40),
    ("fuse-seen", 5, 40),
]

TRACE = "-e trace=getpgid,sendmmsg,select,writev,open,execve"
OPTIONS = [
    "-f",
    "-ff -k",
    "-f --format=json -yy -v",
    "-f -c",
    "-f --seccomp-bpf",
    "-ff --format=json -k",
    "-f -Y -T -i -r",
    "-f -v -s 4096 -xx",
    "-f --format=chrome",
    "-f -z --wait-spin=off",
]
SHORT_OPTIONS = ["-f", "-ff --format=json -k -yy", "-f --seccomp-bpf"]
# The command that starts tracer if the program mounts something that tracer must see.
OWN_MOUNTS = ["unshare", "--mount"] if os.geteuid() == 0 else ["unshare", "--user", "--map-root-user", "--mount"]
STARTED_BY = {"fuse-seen": OWN_MOUNTS}


def ok(name):
    print("ok " + name, flush=True)


def not_ok(name, *why):
    print("not ok " + name)
    for line in why:
        print("# " + str(line)[:300])
    sys.stdout.flush()


def wanted(name):
    only = os.environ.get("ONLY", "").split()
    names = [o.removeprefix("tests/") for o in only]
    return not only or any(name.startswith(o) or o.startswith(name) for o in names)


def calls_in(directory, options):
    """Returns the number of getpgid calls in the logs."""
    n = 0
    for name in os.listdir(directory):
        if not name.startswith("log"):
            continue
        with open(os.path.join(directory, name), errors="replace") as f:
            text = f.read()
        if " -c" in options:
            m = re.search(r"^ *\S+ +\S+ +\S+ +(\d+) .*getpgid$", text, re.M)
            n += int(m[1]) if m else 0
        elif "json" in options:
            for line in text.splitlines():
                n += json.loads(line).get("name") == "getpgid"
        elif "chrome" in options:
            n += sum(e["name"] == "getpgid" and e["ph"] in "BX" for e in json.loads(text))
        else:
            n += len(re.findall(r"getpgid\(", text)) - len(re.findall(r"\[.*getpgid\(\).*\]", text))
    return n


def run(program, scenario, n, options):
    name = f"hostile/{scenario}: {options}"
    started_by = STARTED_BY.get(scenario, [])
    if started_by and subprocess.run([*started_by, "true"], stderr=subprocess.DEVNULL).returncode:
        print(f"ok {name} # SKIP not permitted here")
        return
    work = tempfile.mkdtemp(dir=WORK)
    command = [*started_by, TRACER, *options.split(), *TRACE.split(), "-e", "signal=none", "-o", "log", program, scenario,
               str(n)]
    out = open(os.path.join(work, "stdout"), "w+")
    err = open(os.path.join(work, "stderr"), "w+")
    p = subprocess.Popen(["timeout", "-s", "KILL", str(TIMEOUT), *command], cwd=work, stdout=out, stderr=err)
    status = p.wait()
    out.seek(0)
    err.seek(0)
    truth, messages = out.read(), err.read()
    try:
        if status == NOT_PERMITTED:
            print(f"ok {name} # SKIP not permitted here")
            return
        least, most = map(int, truth.split())
        seen = calls_in(work, options)
        if status or messages:
            not_ok(name, f"status {status}", messages)
        elif not least <= seen <= most:
            not_ok(name, f"{least} to {most} calls, {seen} in the log")
        else:
            ok(name)
        shutil.rmtree(work, ignore_errors=True)
    except ValueError as e:
        not_ok(name, f"status {status}, printed {truth!r}: {e}", messages, work)


def peak(program, command):
    """Returns the peak memory of a process in KiB."""
    report = subprocess.run([program, "peak", *command], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                            text=True, timeout=TIMEOUT)
    return int(report.stdout)


def memory(program):
    """Checks that a call that points to gigabytes takes little more memory than one that does
    not."""
    for options in ["-s 4096", "-v", "", "--format=json", "-v -s 4096 --format=json", "-v -yy", "-e write=all"]:
        name = f"hostile/memory: {options}"
        command = [TRACER, *options.split(), "-o", "/dev/null", program]
        more = peak(program, [*command, "huge", "1"]) - peak(program, [*command, "huge", "0"])
        if more <= MEMORY:
            ok(name)
        else:
            not_ok(name, f"{more >> 10} MiB more than usual; {MEMORY >> 10} are allowed")


def has_sanitizer():
    with open(TRACER, "rb") as f:
        return b"__asan_init" in f.read()


def main():
    os.makedirs(WORK, exist_ok=True)
    if not wanted("hostile"):
        return
    if platform.machine() != "x86_64":
        print("ok hostile # SKIP the programs are x86_64's")
        return
    program = os.path.join(WORK, "hostile_program")
    subprocess.run([*os.environ.get("CC", "cc").split(), "-std=gnu11", "-D_GNU_SOURCE", "-O1", "-pthread",
                    "-o", program, *(os.path.join(HERE, f) for f in ("hostile.c", "load.c", "served.c"))], check=True)
    for scenario, short, long in SCENARIOS:
        for options in OPTIONS if LONG else SHORT_OPTIONS:
            if wanted("hostile/" + scenario):
                run(program, scenario, long if LONG else short, options)
    if wanted("hostile/memory"):
        if has_sanitizer():
            print("ok hostile/memory # SKIP sanitizers take memory of their own")
        else:
            memory(program)


main()
