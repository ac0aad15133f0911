# SPDX-License-Identifier: LGPL-2.1-or-later
"""Checks that --read-trace prints the same as the recorded run has printed, byte by byte.

    matrix.py TRACER [--programs=NAME,...] [--options=PART,...]

A program is one of bash, python3, git, gcc, node and java, or "tests" for all of tests/e2e that end
by themselves.

Runs each program with each set of options, writes the log and a trace at the same time, reads the
trace with the same options, and compares. Prints a table: for each set of options, the number of
programs and lines compared, and the differences, with a reason if it is a known one. The status is
1 if there is a difference without a reason.

"""
import base64
import concurrent.futures
import difflib
import glob
import os
import re
import shutil
import subprocess
import sys
import tempfile
import zlib

TRACER = os.path.abspath(sys.argv[1])
E2E = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../e2e")
PROGRAMS = {
    "bash": ["bash", "-c", "trap : USR1; mkdir d; echo x >d/a; mv d/a d/b; rm d/b; rmdir d; ls / | wc -l; (exit 3); "
             "kill -USR1 $$; sleep 0.4 & wait"],
    "python3": ["python3", "-c", "import json, subprocess, threading, time\n"
                "t = threading.Thread(target=time.sleep, args=(0.4,)); t.start(); subprocess.run('true'); t.join()"],
    "git": ["git", "-C", "repository", "log", "--stat", "-n", "20"],
    "gcc": ["gcc", "-O2", "-c", "-o", "main.o", "main.c"],
    "node": ["node", "-e", "require('fs').statSync('/'); setTimeout(() => {}, 20)"],
    "java": ["java", "-version"],
}
OPTIONS = """

-v -s 200
-s 0
-y
-yy
-yy -v -s 256
-Y
--decode-pids=pidns
-Y --decode-pids=pidns -yy
-t
-tt -T
-ttt -T
-r
-r -T --relative-timestamps=ns
--absolute-timestamps=format:unix,precision:ns --syscall-times=ns
-Xraw -xx
-Xverbose -N
-Xabbrev -n -i
-x -a 80
-q
-qqq
-ff
-ff -ttt -yy -v
-e trace=%file
-e trace=/open|stat
-e trace=!read,write,mmap
-e trace=%process,%signal -e signal=SIGCHLD
-e status=failed
-Z -y
-z -T
-e raw=all
-e abbrev=none
-e verbose=none
-e read=all -e write=all
-P /etc/ld.so.cache -y
-P /usr/**
--duration=1ms -T
--duration=,100us
--blocked=300ms
-e status=none --blocked=300ms
-k
-k -ttt
-kk
-k -yy -v -s 200
-k -i --stack-trace-style=line
-k --record-stacks=raw
-kk --record-stacks=raw --format=json
-kk --format=json
-e stack=/main/
-k -P /etc/ld.so.cache
-k --duration=1ms
-c
-c -w
-C
-C -y -e trace=%file
-c -S calls
-c -U name,calls,errors,time-total,time-max
-c --summary-by=path
-c --summary-by=stack
-c --summary-by=stack --top=5 -w
-c --format=json
-c --format=csv
--format=json
--format=json -yy -v -s 200 -Y
--format=json -k
--format=json -k --json-stacks=once
--format=json --duration=1ms
--format=chrome
--format=chrome -k
--format=folded
--format=folded -k
--format=flamegraph -k
--format=html
--format=html -k -y
--fd-report
--fd-report -k
--always-show-pid
""".split("\n")[1:-1]
# There are many test programs, which differ only in the calls that they make. They are run with
# these options only.
SOME = ["", "-yy -v -s 256", "-Xraw -xx", "-Xverbose -N", "-ff -y -tt", "-e raw=all", "-k", "-c -w", "--format=json -yy -v",
        "--format=json -k", "-k --record-stacks=raw", "-Y --decode-pids=pidns", "-r -T", "-e read=all -e write=all"]
# Patterns of lines that may differ, the options with which they may, and the reason.
REASONS = [
    (r'^[-+]({"rows":|$)', "--format=html", "how rows are put into chunks depends on when they are written"),
    (r"^(- > unreadable stack memory|\+ > the copy of the stack ends) \[", "--record-stacks=raw",
     "of a raw stack that could not be read nothing was copied"),
    ("", "--blocked",
     "live, a call is found to be blocked when tracer next has a processor; read, by the times of the stops"),
]


# The -e inject= options that some of the test programs need while they are recorded.
TAMPERED = {}


def build(folder):
    """Builds the test programs that end by themselves, and returns them by name."""
    found = {}
    for source in sorted(glob.glob(os.path.join(E2E, "*.c"))):
        name = os.path.basename(source)[:-2]
        path = os.path.join(folder, name)
        args = []
        if os.path.exists(source[:-2] + ".sh") or not os.path.exists(source[:-2] + ".expect"):
            continue
        if os.path.exists(source[:-2] + ".args"):
            with open(source[:-2] + ".args", encoding="utf-8") as f:
                options, _, args = f.read().partition(" -- ")
            args = args.split()
            TAMPERED[name] = re.findall(r"-e inject=\S+", options)
        r = subprocess.run(["cc", "-std=gnu11", "-D_GNU_SOURCE", "-g", "-O1", "-pthread", "-I" + E2E, "-o", path, source,
                            "-ldl"], capture_output=True, check=False)
        if not r.returncode:
            found[name] = [path] + args
    return found


def run(argv, folder):
    """Returns the messages, except those about attached and detached processes; None if it does not
    end."""
    environment = dict(os.environ, TZ="UTC", LC_ALL="C")
    try:
        r = subprocess.run(argv, cwd=folder, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                           stderr=subprocess.PIPE, timeout=120, check=False)
    except subprocess.TimeoutExpired:
        return None
    text = r.stderr.decode(errors="replace")
    return [line for line in text.splitlines() if line.startswith(os.path.basename(TRACER) + ":")
            and not re.search(r"Process \d+ (attached|detached)|: wrote (live|read)$", line)]


def logs(folder, name):
    """Returns the logs of that name: their bytes by the suffix of the file name."""
    found = {}
    for path in glob.glob(os.path.join(folder, name) + "*"):
        with open(path, "rb") as f:
            found[os.path.basename(path)[len(name):]] = f.read()
    return found


def page(text):
    """Returns a page of --format=html with the calls of all chunks joined into one text, because
    the division into chunks depends on when they are written."""
    calls = []

    def unpack(chunk):
        calls.append(zlib.decompress(base64.b64decode(chunk[1].split(b",")[0]), -15))
        return b""

    text = re.sub(rb'<script type="text/plain" class="chunk">([^<]*)</script>', unpack, text)
    return text + b"".join(calls)


def reason(options, line):
    for pattern, only, why in REASONS:
        if re.search(only, options) and re.search(pattern, line):
            return why
    return None


def compare(program, argv, options):
    """Returns the number of lines, and the differences as pairs of a line and a reason or None."""
    with tempfile.TemporaryDirectory() as folder:
        if program == "git":
            os.symlink(os.path.join(os.path.dirname(E2E), ".."), os.path.join(folder, "repository"))
        with open(os.path.join(folder, "main.c"), "w", encoding="utf-8") as f:
            f.write("#include <stdio.h>\nint main(void) { return puts(\"\") < 0; }\n")
        how = " ".join([options, *TAMPERED.get(program, [])]).split()
        live = run([TRACER, "-f", *how, "-o", "live", "--write-trace=trace", *argv], folder)
        how = [o for o in options.split() if not o.startswith("--record-stacks")]
        if live is None:
            return 0, [("the program does not end", None)]
        read = run([TRACER, "-f", *how, "-o", "read", "--read-trace=trace"], folder)
        if read is None:
            return 0, [("reading does not end", None)]
        wrong = [("message: " + line, reason(options, "message: " + line)) for line in read if line not in live]
        ours, theirs = logs(folder, "live"), logs(folder, "read")
        lines = sum(text.count(b"\n") for text in ours.values())
        for name in sorted(set(ours) | set(theirs)):
            a, b = ours.get(name, b""), theirs.get(name, b"")
            if "html" in options:
                a, b = page(a), page(b)
            if a == b:
                continue
            a, b = (t.decode(errors="replace").splitlines() for t in (a, b))
            wrong += [(line, reason(options, line)) for line in difflib.unified_diff(a, b, lineterm="", n=0)
                      if line[:1] in "+-" and line[:3] not in ("+++", "---")]
        if not ours:
            wrong.append(("nothing was shown", None))
        return lines, wrong


def main():
    chosen = dict(a[2:].split("=", 1) for a in sys.argv[2:])
    with tempfile.TemporaryDirectory() as folder:
        programs = {name: argv for name, argv in PROGRAMS.items() if shutil.which(argv[0])}
        cases = [(p, argv, o) for o in OPTIONS for p, argv in programs.items()]
        if "programs" not in chosen or "tests" in chosen["programs"].split(","):
            cases += [(p, argv, o) for o in SOME for p, argv in build(folder).items()]
        if "programs" in chosen:
            cases = [c for c in cases if c[0] in chosen["programs"].split(",")
                     or (c[0] not in PROGRAMS and "tests" in chosen["programs"].split(","))]
        if "options" in chosen:
            cases = [c for c in cases if any(part in c[2] for part in chosen["options"].split(","))]
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            results = list(pool.map(lambda c: compare(*c), cases))
    table, unexplained = {}, 0
    for (program, _, options), (lines, wrong) in zip(cases, results):
        row = table.setdefault(options, [0, 0, []])
        row[0] += 1
        row[1] += lines
        for line, why in wrong:
            row[2].append((program, line, why))
            unexplained += why is None
    print("%-66s %8s %9s %7s" % ("options", "programs", "lines", "differ"))
    for options, (n, lines, wrong) in table.items():
        print("%-66s %8d %9d %7d" % (options or "(none)", n, lines, len(wrong)))
        for why in sorted({w for _, _, w in wrong if w}):
            print("      %d: %s" % (sum(w == why for _, _, w in wrong), why))
        for program, line, _ in [w for w in wrong if not w[2]][:6]:
            print("      %s: %s" % (program, line[:300]))
    print("%d runs, %d lines, %d of them differ, %d without a reason that is known" %
          (len(cases), sum(r[1] for r in table.values()), sum(len(r[2]) for r in table.values()), unexplained))
    sys.exit(1 if unexplained else 0)


main()
