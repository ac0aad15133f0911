#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""tests/bpf/truth.py: every call is seen or counted as lost (make check-bpf).

Programs that count their own calls make CALLS (10000000) of them, in 48 processes of 8 threads
each, under --engine=bpf with large and with small buffers. The calls in the log and those reported
as lost must add up to CALLS. Then processes fork, exec and exit for TIME (60) seconds, and each
child is counted. At the end, none of tracer's BPF programs, maps and links may be left in the
kernel. Requires root. make check-bpf sets TRACER, BUILD, CC; CALLS and TIME are optional.

"""
import ctypes
import glob
import os
import re
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
BUILD = os.environ.get("BUILD", os.path.join(HERE, "../.."))
TRACER = os.environ.get("TRACER", os.path.join(BUILD, "tracer"))
CC = os.environ.get("CC", "cc").split()
CALLS = int(os.environ.get("CALLS") or 10000000)
TIME = int(os.environ.get("TIME") or 60)
PROCESSES, THREADS = 48, 8
SYS_BPF = 321 if os.uname().machine == "x86_64" else 280  # asm-generic/unistd.h
BY_ID = {"prog_id": 13, "map_id": 14, "link_id": 30}  # BPF_*_GET_FD_BY_ID

COUNTED = """
#include <pthread.h>
#include <stdlib.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static long calls;

static void *make_calls(void *arg)
{
	for (long i = 0; i < calls; i++)
		syscall(SYS_lseek, -1, i, 0);
	return arg;
}

static void count(int processes, int threads)
{
	for (int p = 0; p < processes; p++)
		if (!fork()) {
			pthread_t t[64];

			for (int i = 0; i < threads; i++)
				if (pthread_create(&t[i], NULL, make_calls, NULL))
					_exit(1);
			for (int i = 0; i < threads; i++)
				pthread_join(t[i], NULL);
			_exit(0);
		}
	while (wait(NULL) > 0)
		;
	printf("%ld\\n", calls * processes * threads);
}

/* Children that make a call and end, or run a program that does; the number of calls at the end. */
static void churn(const char *self, long seconds)
{
	time_t end = time(NULL) + seconds;
	long n = 0;

	for (; time(NULL) < end; n++) {
		int status;

		if (!fork()) {
			if (n % 2)
				execl(self, self, "one", NULL);
			calls = 1;
			make_calls(NULL);
			_exit(0);
		}
		if (wait(&status) < 0 || status)
			_exit(1);
	}
	printf("%ld\\n", n);
}

int main(int argc, char **argv)
{
	if (argc == 2) {
		calls = 1;
		make_calls(NULL);
	} else if (!strcmp(argv[1], "count")) {
		calls = atol(argv[4]);
		count(atoi(argv[2]), atoi(argv[3]));
	} else {
		churn(argv[0], atol(argv[2]));
	}
	return 0;
}
"""

failed = 0
libc = ctypes.CDLL(None, use_errno=True)


def ok(what, good, why=""):
    global failed
    failed += not good
    print(f"{'ok' if good else 'not ok'} {what}{' # ' + why if why else ''}", flush=True)


def exists(kind, number):
    """Returns True if the kernel has a program, map or link with this id."""
    attr = ctypes.create_string_buffer(128)
    ctypes.memmove(attr, number.to_bytes(4, "little"), 4)
    fd = libc.syscall(SYS_BPF, BY_ID[kind], attr, 128)
    if fd >= 0:
        os.close(fd)
    return fd >= 0


def objects_of(pid):
    """Returns the BPF objects of a process as a set of (kind, id)."""
    found = set()
    for path in glob.glob(f"/proc/{pid}/fdinfo/*"):
        try:
            with open(path, encoding="ascii") as f:
                found |= {(k, int(n)) for k, n in re.findall(r"^(\w+_id):\s+(\d+)$", f.read(), re.M)
                          if k in BY_ID}
        except OSError:
            pass
    return found


def trace(options, command, least):
    """Runs a command. Returns the numbers of calls made, of calls in the log, and of calls reported
    as lost."""
    script = ("/lseek\\(/ && !/resumed>/ { n++ } "
              "/^[0-9 ]*--- lost [0-9]+ events?: the / { for (i = 1; i < NF; i++) if ($i == \"lost\") l += $(i + 1) } "
              "/^[0-9 ]*--- lost / && !/: the / { o++; print > \"/dev/stderr\" } "
              "END { print n + 0, l + 0, o + 0 }")
    with tempfile.NamedTemporaryFile("r+") as result:
        log = f"|awk '{script}' >{result.name}"
        with subprocess.Popen([TRACER, "-f", "--engine=bpf", "-e", "trace=lseek", "-e", "signal=none",
                               *options, "-o", log, *command], stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, text=True) as p:
            owned = set()
            while p.poll() is None and not any(k == "link_id" for k, _ in owned):
                owned |= objects_of(p.pid)
                time.sleep(0.01)
            out, err = p.communicate()
        made = int(out.split()[-1]) if out.split() else -1
        seen, lost, other = (int(n) for n in result.read().split())
    ok(f"{' '.join(options) or 'default buffers'}: the program ran", p.returncode == 0, err[-200:].strip())
    ok(f"seen {seen:,} + lost {lost:,} = made {made:,}", made >= least and seen + lost == made,
       f"{other} lines of other losses" if other else "")
    left = [o for o in owned if exists(*o)]
    for _ in range(600):
        if not left:
            break
        time.sleep(0.1)
        left = [o for o in owned if exists(*o)]
    ok(f"of {len(owned)} programs, maps and links nothing is left", owned and not left, str(left or ""))


def main():
    if os.geteuid():
        print("ok check-bpf # SKIP needs root")
        return
    with tempfile.TemporaryDirectory(prefix="tracer-bpf.") as tmp:
        program = os.path.join(tmp, "counted")
        with open(program + ".c", "w", encoding="ascii") as f:
            f.write(COUNTED)
        subprocess.run([*CC, "-O2", "-D_GNU_SOURCE", "-pthread", "-o", program, program + ".c"], check=True)
        each = str(-(-CALLS // (PROCESSES * THREADS)))
        for options in ([], ["--buffer-size=1M"]):
            trace(options, [program, "count", str(PROCESSES), str(THREADS), each], CALLS)
        trace([], [program, "churn", str(TIME)], 1)
        trace(["-k"], [program, "churn", str(max(TIME // 4, 1))], 1)
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
